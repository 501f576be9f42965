/* Rows of a delimited file as spans of its cells.
 *
 * libcsv defines what a cell is: blanks around a cell are trimmed, quotes are resolved, empty lines give no row, and
 * CR, LF or CRLF ends a row. Plain lines, nearly all lines of real files, go through a faster scanner with the same
 * result (plain_line.h). Tables drawn with blanks or bars are split line by line instead (WS_WORDS, WS_BARS). */
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

/* These stand in for the delimiter of tables without quoting, where a quote is an ordinary character: cells are words
 * between blanks and tabs; the same with commas as well; or whatever is between bars, trimmed. All cells of such a row
 * point into its line. */
enum { WS_WORDS = 1, WS_WORDS_AND_COMMAS, WS_BARS };

/* The caller keeps the input, which must outlive the rows. options: NULL for the defaults. */
ws_status ws_rows_open(ws_rows **rows, ws_input *input, char delimiter, const ws_rows_options *options,
                       ws_error *error);
void ws_rows_close(ws_rows *rows); /* NULL is fine */

/* The next block of rows; *n = 0 at the end. Good until the next call. WS_FORMAT: an unclosed quote, or a row too long
 * to be one; the rows before it are handed out first. */
ws_status ws_rows_next(ws_rows *rows, const ws_row **block, size_t *n, ws_error *error);

/* Hands each remaining row to `take`, up to the end or the first failure. */
typedef ws_status ws_row_taker(void *state, const ws_row *row, ws_error *error);
ws_status ws_rows_take(ws_rows *rows, ws_row_taker *take, void *state, ws_error *error);

/* For a caller that parses plain lines by itself (trace_plain.c). ws_rows_at_hand: the buffered bytes if a row begins
 * with them, else none. ws_rows_pass: the caller has consumed so many of them, whole lines only. ws_rows_limit: put at
 * most max_lines plain lines into a block from now on, so that the caller soon gets its turn again. */
ws_span ws_rows_at_hand(const ws_rows *rows);
void ws_rows_pass(ws_rows *rows, size_t bytes, int64_t lines);
void ws_rows_limit(ws_rows *rows, size_t max_lines);

/* For a caller that reads the input itself: after the first ws_rows_put, ws_rows_next gives the rows of these bytes
 * only, and *n = 0 once they are used up. The bytes must stay in place until then. */
void ws_rows_put(ws_rows *rows, ws_span bytes);
void ws_rows_put_end(ws_rows *rows);           /* no more bytes: the last row may lack its line end */
bool ws_rows_are_between(const ws_rows *rows); /* all bytes are used up, and they ended with a whole row */
int64_t ws_rows_line(const ws_rows *rows);     /* the line number of the next byte */

#endif
