/* Rows of a delimited file as spans of its cells.
 *
 * libcsv defines what a cell is: blanks around cells are trimmed, quotes are undone, empty lines give no row, CR, LF and
 * CRLF end rows. Plain lines, which are nearly all, are cut by a faster scanner (formats/table/plain_line.h) with the same result.
 * Tables that are drawn with blanks or bars are cut by line (WS_WORDS, WS_BARS). */
#ifndef WS_FORMATS_ROWS_H
#define WS_FORMATS_ROWS_H

#include "core/status.h"
#include "core/text.h"
#include "formats/input/input.h"
#include "formats/input/rows_options.h"
#include "formats/table/row.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_rows ws_rows;

/* Instead of a delimiter, for tables whose cells have no quotes, so that a quote is a sign like others: words between
 * blanks and tabs; the same, between commas as well; what stands between bars, blanks off both ends. The cells of a row lie
 * in one text then, with what parts them. */
enum { WS_WORDS = 1, WS_WORDS_AND_COMMAS, WS_BARS };

/* The input stays the caller's and must outlive the rows. options: NULL for the usual ones. */
ws_status ws_rows_open(ws_rows **rows, ws_input *input, char delimiter, const ws_rows_options *options,
                       ws_error *error);
void ws_rows_close(ws_rows *rows); /* NULL is fine */

/* The next block of rows; *n = 0 at the end. Good until the next call. */
ws_status ws_rows_next(ws_rows *rows, const ws_row **block, size_t *n, ws_error *error);

/* Hands each row that is left to `take`, up to the end or to what fails. */
typedef ws_status ws_row_taker(void *state, const ws_row *row, ws_error *error);
ws_status ws_rows_take(ws_rows *rows, ws_row_taker *take, void *state, ws_error *error);

/* For a caller that reads plain lines by itself: the bytes at hand where a row begins with them, else none; that so many of
 * them were read, which are whole lines; and how many plain lines the next blocks may hold, so that its turn comes again
 * soon. */
ws_span ws_rows_at_hand(const ws_rows *rows);
void ws_rows_pass(ws_rows *rows, size_t bytes, int64_t lines);
void ws_rows_limit(ws_rows *rows, size_t most);

/* For a caller that reads the input itself: from the first call on, ws_rows_next gives the rows of these bytes, and *n = 0
 * where they are used up. They must stay until then. */
void ws_rows_put(ws_rows *rows, ws_span bytes);
void ws_rows_put_end(ws_rows *rows);           /* no more bytes: the last row may lack its line end */
bool ws_rows_are_between(const ws_rows *rows); /* the bytes are used up, and the last of them ended a row */
int64_t ws_rows_line(const ws_rows *rows);     /* of the next byte */

#endif
