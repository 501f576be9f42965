/* Rows of a delimited file as spans of its cells.
 *
 * libcsv is behind this interface and defines what a cell is: blanks around cells are trimmed, quotes are undone, empty
 * lines give no row, CR, LF and CRLF end rows. A reader that knows which columns it needs says so with ws_rows_want: a
 * faster scanner may then hand out plain data rows with those cells alone (full = false); rows that are anything but
 * plain data always come in full. */
#ifndef WS_FORMATS_ROWS_H
#define WS_FORMATS_ROWS_H

#include "core/status.h"
#include "core/text.h"
#include "formats/input.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_row {
    const ws_span *cells; /* cells[i] is column i; where !full, only wanted columns are set */
    uint32_t n_cells;
    bool full;
    bool unfinished; /* the file ends inside this row: no line end after it */
    int64_t line;    /* first line of the row, 1-based */
} ws_row;

typedef struct ws_rows ws_rows;

/* The input stays the caller's and must outlive the rows. */
ws_status ws_rows_open(ws_rows **rows, ws_input *input, char delimiter, ws_error *error);
void ws_rows_close(ws_rows *rows); /* NULL is fine */

/* Columns that the caller will look at from the next block on; n = 0 for all. */
void ws_rows_want(ws_rows *rows, const uint32_t *columns, size_t n);

/* The next block of rows; *n = 0 at the end. Good until the next call. */
ws_status ws_rows_next(ws_rows *rows, const ws_row **block, size_t *n, ws_error *error);

#endif
