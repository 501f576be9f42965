/* A table that a reader makes of a file whose rows are no rows of a table: objects of JSON, points of InfluxDB's line
 * protocol, a row a metric. As CSV it goes the way of every other trace (trace_csv.h), so that names, devices and units
 * mean what they mean there. Lines that notes name are those of this table, whose header is the first. */
#ifndef WS_FORMATS_MADE_TABLE_H
#define WS_FORMATS_MADE_TABLE_H

#include "core/arena.h"
#include "core/text.h"
#include "formats/format.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_made_row {
    ws_span *cells; /* n_cells; p = NULL: empty */
    size_t n_cells, capacity;
} ws_made_row;

/* {0} is empty. */
typedef struct ws_made_table {
    ws_arena arena;     /* of names and cells */
    const char **names; /* of columns */
    ws_made_row *rows;
    size_t n_names, name_capacity, n_rows, row_capacity;
    size_t next;  /* the column that is looked at first: behind the last one */
    size_t *slot; /* rows by their key, counted from 1; open addressing */
    const char **key;
    size_t n_slots, n_keys;
} ws_made_table;

enum { WS_MADE_MOST_COLUMNS = 2048, WS_MADE_MOST_BYTES = 256 << 20 };

size_t ws_made_add_row(ws_made_table *table);

/* The row of that key, a new one where it is the first. */
size_t ws_made_row_of(ws_made_table *table, ws_span key);

/* Copies the text. False where the cell is taken, or there are too many columns. */
bool ws_made_set(ws_made_table *table, size_t row, ws_span column, ws_span text);
bool ws_made_has(const ws_made_table *table, size_t row, ws_span column);
ws_span ws_made_cell(const ws_made_table *table, size_t row, ws_span column); /* p = NULL: none */

/* Cells between commas, quoted where they have to be; in the table's arena. */
ws_span ws_made_csv(ws_made_table *table);
void ws_made_free(ws_made_table *table);

/* Leaves out rows without a power or energy, as events between polls; a missing reading is one. */
void ws_made_drop_events(ws_made_table *table);

/* How much the table looks like a trace: 0, or points of `csv`. Tables of runs have none. */
int ws_made_score(const char *path, ws_made_table *table);

/* All lines of a file of at most WS_MADE_MOST_BYTES; a last one that is cut is left out, with a note. */
ws_status ws_made_whole_lines(ws_input *input, ws_span *lines, ws_notes *notes, ws_error *error);

/* Reads it as a trace. */
ws_status ws_made_read(ws_made_table *table, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                       ws_notes *notes, ws_error *error);

#endif
