/* Numbers and lists as the story's sentences spell them. Internal to story*.c. */
#ifndef WS_ANALYZE_STORY_WORDS_H
#define WS_ANALYZE_STORY_WORDS_H

#include "core/table.h"
#include "report/table/table_print.h"

/* By value, so that they can stand in an argument list. */
typedef struct ws_wording {
    char text[WS_CELL_TEXT];
} ws_wording;

ws_wording ws_say_digits(double value, int digits);       /* at most so many that count, no zeros at the end */
ws_wording ws_say_number(double value);                   /* four digits: "12.91", "45" */
ws_wording ws_say_percent(double share);                  /* "82.7 %"; "100 %" is said of nothing less */
ws_wording ws_say_r2(double r2);                          /* "0.9987", never rounded up to 1 */
ws_wording ws_say_pair(double value, double uncertainty); /* "12.91 ± 0.07"; the value alone where the other is NaN */
ws_wording ws_say_range(double lo, double hi);            /* "0.32 to 0.48", or one number where they print the same */
ws_wording ws_say_within(double value, double lo, double hi); /* "0.049" with 0.036 to 0.062, four digits at most */
ws_wording ws_say_interval(double lo, double hi); /* "-0.8460 to -0.8403": decimals by what is between them */
ws_wording ws_say_percent_range(double lo, double hi);
ws_wording ws_say_count(size_t n, const char *one, const char *many); /* "1 run", "45 runs" */

/* What the looks ask for: numbers of a column times `factor` stand before `name`, as " MJ", "" for no unit. */
typedef struct ws_story_unit {
    double factor;
    const char *name;
} ws_story_unit;
ws_story_unit ws_say_unit(const ws_looks *looks, ws_arena *arena, const char *column, const char *usual);
/* Of energies in kWh: that in which the largest is 1 to 999, unless the looks say which. */
ws_story_unit ws_say_energy_unit(const ws_looks *looks, ws_arena *arena, double largest_kwh);

const char *ws_say_title(ws_arena *arena, const char *text); /* with a capital letter first */

/* Values of a column of numbers. */
typedef struct ws_column_range {
    size_t n, at_lo, at_hi; /* rows of the least and the greatest */
    double lo, hi, sum;
} ws_column_range;
ws_column_range ws_spread_take(const ws_table *table, const char *column); /* n = 0 where there is none */

/* The different texts of a column in the order of their first rows: "A100 and H100"; with `same` (units.h) "ok (44),
 * incomplete (1)", the number of runs, by their names in the looks. "" where there is none; beyond eight, "and 3 more".
 */
const char *ws_say_texts(ws_arena *arena, const ws_table *table, const char *column, const size_t *same);

/* Series by the names and in the order of the figures: "GBS 256, GBS 1024, LBS 256". "" where there is none. */
const char *ws_say_series(ws_arena *arena, const ws_table *table);

#endif
