/* What text, Markdown and LaTeX share: which columns a person sees, under which title, with how many digits.
 *
 * A column X with a companion X_se, X_rmse, X_u, X_sd or X_stderr ("value" with "stderr" too; "energy_kwh" with
 * "energy_u_kwh") becomes one column "52.12 ± 0.94", and the companion is not printed apart. The uncertainty keeps two
 * significant digits, and the value is rounded to the same place: 12345.6 with 321 gives "12350 ± 320", 0.12345 with
 * 0.0123 gives "0.123 ± 0.012".
 * A spread X_rmse or X_sd leaves the digits that the mean's own error deserves, sd / sqrt(n_runs), two of its
 * digits where they are 10 to 35 and else one: 743.3 with 206 of 40 runs gives "743 ± 206". X with X_lo and X_hi as
 * columns of detail becomes "3.60 (3.57 to 3.64)", in the place of X_se, to the place of a quarter of the width: two of
 * its digits where they begin with a 1, else one. ci_lo and ci_hi, prediction_lo and _hi, choice_lo and _hi become one
 * column "0.2637 to 0.2670", with two digits of that quarter, unless all columns are asked for. A weight below 0.0001
 * is "< 0.0001". A p (p_value, p_holm, ...) has three digits, in one notation for its column: with an exponent where
 * any is below 0.0001; below 1e-300 is "< 1e-300". An end of an interval has more digits where six would make it look
 * like the value, and a value between two ends has their place. Statistics of tests, repeat-spread and r2 have four and
 * three digits, AICc and its like two decimals. Other numbers have six significant digits, trailing zeros left off;
 * integers have all their digits. */
#ifndef WS_REPORT_TABLE_PRINT_H
#define WS_REPORT_TABLE_PRINT_H

#include "core/table.h"
#include "report/table/table_write.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_printed_column {
    size_t column, companion; /* companion is WS_NO_COMPANION for most */
    size_t lo, hi;            /* of an interval beside the value, else WS_NO_COMPANION */
    size_t ends[2];           /* ci_lo and ci_hi of the column "value" or "change", else WS_NO_COMPANION */
    size_t n_runs;            /* behind a mean whose companion is a spread, else WS_NO_COMPANION */
    size_t value;             /* of which this column is an end, else WS_NO_COMPANION */
    const char *title;
    double factor;       /* of the unit that the looks of the table ask for */
    bool has_few_digits; /* four at most, since readings cover little of what it is about */
    bool is_ratio;       /* four, too: worked out from two numbers */
    bool is_measured;    /* the companion is X_u */
    bool is_rmse;        /* the companion is X_rmse, whose divisor is n */
    bool is_range;       /* from this column to `hi` */
    bool is_r2, is_weight;
    bool has_range;    /* `ends` stand rounded in a column of their own */
    bool is_criterion; /* AICc and the like, of which differences count: two decimals */
    size_t row_name;   /* column "parameter" of a column "value", else WS_NO_COMPANION */
    bool is_number;    /* to the right; texts to the left */
    bool is_p, p_has_exponent;
    size_t mark_width;        /* of the widest mark behind its cells; 0: they have none */
    const char *const *cells; /* as a text table writes them, one a row; NULL: each is written when it is asked for */
    size_t width;             /* of the widest of them and of the title, in a text table */
} ws_printed_column;
#define WS_NO_COMPANION SIZE_MAX

typedef struct ws_printed {
    ws_printed_column *columns;
    size_t n;
    ws_arena arena; /* owns columns and titles */
} ws_printed;

/* Columns of detail and columns without any value are left out unless options->all_columns; without rows only detail
 * is. */
void ws_printed_init(ws_printed *printed, const ws_table *table, const ws_write_options *options);
void ws_printed_free(ws_printed *printed);

/* A cell as text, NULL where it is missing. Numbers are written to `buffer` (WS_CELL_TEXT bytes). */
enum { WS_CELL_TEXT = 128 };
const char *ws_printed_cell(const ws_table *table, const ws_printed_column *column, size_t row, char *buffer);

/* From five digits on, groups of three stand apart (ISO 80000-1, 7.3.1), in front of the decimal point: "26 489 ± 1"
 * with U+202F, at which no line breaks. For a page and print, as programs do not read it. Both have WS_CELL_TEXT bytes.
 */
void ws_group_digits(char *grouped, const char *number);

/* The same of a cell of numbers for print, which a number that is a name (a job, a seed) is not. Returns `grouped`. */
const char *ws_grouped_cell(const ws_table *table, const ws_printed_column *column, const char *text, char *grouped);

/* The mark behind a cell, "" for none. */
const char *ws_printed_mark(const ws_table *table, const ws_printed_column *column, size_t row);

/* "0.26539 ± 0.00067" by the rule above, into WS_CELL_TEXT bytes. */
void ws_print_pair(char *buffer, double value, double uncertainty);

/* Missing in every form of output: what the table calls missing, and infinities, which no result should hold. */
bool ws_cell_is_missing(const ws_table *table, size_t column, size_t row);

#endif
