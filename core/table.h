/* Columns: the one table that commands pass on, readers of run records fill and writers print.
 *
 * A table owns its columns, and its arena owns every text in them. Numbers are doubles, missing ones NaN; texts are
 * strings, missing ones NULL. Units stand in the column's name ("energy_kwh"). */
#ifndef WS_CORE_TABLE_H
#define WS_CORE_TABLE_H

#include "core/arena.h"
#include "core/looks.h"
#include "core/note.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_column_kind { WS_NUMBER = 0, WS_INTEGER, WS_TEXT } ws_column_kind;

/* Where tables of text have a column; every other form, and --all-columns, has all columns side by side. */
typedef enum ws_column_place {
    WS_AS_COLUMN = 0, /* the others */
    WS_HEADING,       /* in a line above the rows that agree in the texts of such columns */
    WS_NAMED_HEADING, /* the same, with the title of the column in front: "reference gpus=1" */
    WS_REMARK,        /* below those rows, behind the first cell of its row; "ok" is left out */
    WS_MEANING        /* below the table, once for each first cell */
} ws_column_place;

typedef struct ws_column {
    const char *name;
    const char *alias; /* what its file calls it, with the same values; NULL: the same, or not known */
    ws_column_kind kind;
    ws_column_place place;
    bool detail; /* for programs and for a second look: tables for people leave it out unless asked */
    size_t capacity;
    double *number;    /* WS_NUMBER: NaN is missing */
    int64_t *integer;  /* WS_INTEGER: WS_NO_INTEGER is missing */
    const char **text; /* WS_TEXT: NULL is missing */
} ws_column;
#define WS_NO_INTEGER INT64_MIN

/* What a mark of rows means. */
typedef struct ws_footnote {
    const char *mark; /* "*"; "" for one that is about the whole table */
    const char *text;
} ws_footnote;
enum { WS_MOST_FOOTNOTES = 4 };

typedef struct ws_table {
    const char *name;     /* of the JSON schema: "energy" gives "wattscale.energy/1" */
    const char *source;   /* file it was read from, for messages; "" for a computed one */
    bool synthetic;       /* rests on data that a program made: every form of output says so */
    bool has_few_digits;  /* its energies and powers rest on readings of a small part of the runs: tables for people
                             print four digits of them at most */
    double energy_u;      /* known_to.h: how far its energies may be off together, in parts of them, where so; else 0 */
    bool units_are_known; /* the format of the file says the units that its names leave out */
    size_t screen_keys;   /* a table of text that is wider than a screen stands in parts below each other, each with
                             this many of its first columns, or with these above their rows where they are too long; 0:
                             side by side, however wide */
    bool folds_texts;     /* on a screen that it does not fit, long texts go on below, in their columns */
    bool heads_if_wide;   /* places are as columns as long as the table fits a screen that way */
    const char *mixed_settings; /* "dataset, seed": in what the runs that its rows average differ; or NULL */
    double ci_level;            /* of the columns ci_lo and ci_hi, as 0.95; 0: not said */
    ws_column *columns;
    size_t n_columns, column_capacity, n_rows;
    int64_t *line; /* line of each row in `source`, or NULL */
    size_t line_capacity;
    const char **mark; /* of each row, as "*", or NULL where there is none; NULL: no row has one. Tables for people have
                          them behind the cells of marked_column (NULL: the first), and the footnotes below */
    size_t mark_capacity;
    const char *marked_column;
    ws_footnote footnotes[WS_MOST_FOOTNOTES];
    size_t n_footnotes;
    const ws_looks *looks; /* what tables for people and figures call its columns and values; outlives it; or NULL */
    ws_notes notes;        /* shown with the table */
    ws_arena arena;
} ws_table;

void ws_table_init(ws_table *table, const char *name);
void ws_table_free(ws_table *table); /* leaves a valid empty table */

/* Columns may be added at any time: rows that exist get missing values. Returns the column's index. */
size_t ws_table_add_column(ws_table *table, const char *name, ws_column_kind kind);
void ws_table_set_detail(ws_table *table, size_t column);
void ws_table_set_place(ws_table *table, size_t column, ws_column_place place);
void ws_table_hide_same(ws_table *table, size_t column, const char *text); /* detail, if every row says that */
void ws_table_expect(ws_table *table, size_t rows);                        /* so many are about to be added */
size_t ws_table_add_row(ws_table *table);                  /* all cells missing; returns the row's index */
size_t ws_table_add_row_at(ws_table *table, int64_t line); /* of that line of `source`: all rows or none */

/* Adds a mark to those of a row. */
void ws_table_mark_row(ws_table *table, size_t row, const char *mark);
const char *ws_table_mark_of(const ws_table *table, size_t row); /* "" for none */
/* Both are copied. No effect where the table has WS_MOST_FOOTNOTES already. */
void ws_table_add_footnote(ws_table *table, const char *mark, const char *text);

/* NULL where there is none. The pointer is good until the next add_column. */
const ws_column *ws_table_column(const ws_table *table, const char *name);
bool ws_table_find(const ws_table *table, const char *name, size_t *column); /* by its name, else by its alias */
void ws_table_set_alias(ws_table *table, size_t column, const char *alias);  /* copied */

void ws_table_set_number(ws_table *table, size_t column, size_t row, double value);
void ws_table_set_integer(ws_table *table, size_t column, size_t row, int64_t value);
void ws_table_set_text(ws_table *table, size_t column, size_t row, const char *text); /* copied */
void ws_table_set_span(ws_table *table, size_t column, size_t row, ws_span text);     /* copied; empty is missing */

/* Number or integer cells as a double; NaN when missing or text. */
double ws_table_number(const ws_table *table, size_t column, size_t row);
/* The same, and texts that are numbers count: of a column that is text because of a few odd cells. */
double ws_table_cell_number(const ws_table *table, size_t column, size_t row);
/* Text of any kind of cell as CSV prints it; "" when missing. Numbers are written to `buffer` (WS_DOUBLE_TEXT bytes).
 */
const char *ws_table_cell_text(const ws_table *table, size_t column, size_t row, char *buffer);
/* That of a number or integer that is not missing; returns its length. */
size_t ws_table_number_text(const ws_table *table, size_t column, size_t row, char *buffer);
bool ws_table_is_missing(const ws_table *table, size_t column, size_t row);
bool ws_table_has_values(const ws_table *table, size_t column); /* is any cell of it not missing? */

/* A short name for messages: "runs.csv:12", or "row 3" for a computed table. The buffer must hold 320 bytes. */
const char *ws_table_place(const ws_table *table, size_t row, char *buffer);

void ws_table_drop_column(ws_table *table, size_t column);

/* The mark of synthetic data travels in a column "synthetic" of "yes": written with a synthetic table, and taken off
 * again (into table->synthetic) when one is read. */
void ws_table_add_synthetic_mark(ws_table *table);
void ws_table_take_synthetic_mark(ws_table *table);

/* A copy of the rows with keep[row] true, with its own texts and notes. `out` is initialised here. */
void ws_table_copy_rows(const ws_table *table, const bool *keep, ws_table *out);

/* The same of n rows in the order given. */
void ws_table_copy_ordered(const ws_table *table, const size_t *rows, size_t n, ws_table *out);

/* Keep the rows with keep[row] true, in order. */
void ws_table_filter(ws_table *table, const bool *keep);

#endif
