/* Cuts plain lines of delimited text into cells, 64 bytes at a time. Inside formats/ only.
 *
 * A line is plain when it has no quote and no carriage return except right before its end: then a cell is what stands
 * between two delimiters, blanks off both ends, and libcsv says the same. Anything else is left to libcsv. */
#ifndef WS_FORMATS_SCAN_H
#define WS_FORMATS_SCAN_H

#include "core/text.h"
#include "formats/rows.h"

typedef struct ws_scan ws_scan;

/* portable: without the instructions that only some processors have; the rows are the same. */
ws_scan *ws_scan_new(char delimiter, bool portable);
void ws_scan_free(ws_scan *scan); /* NULL is fine */

/* Lines are plain only where they have `n_cells` cells, and of these only `columns` are cut; n = 0 cuts all cells of any
 * line. */
void ws_scan_want(ws_scan *scan, const uint32_t *columns, size_t n, uint32_t n_cells);

/* Cuts lines off the front of *text, which begins with a line, up to the first that is not plain or not complete, or
 * until its room is used up, and moves *text and *line past them; blank lines give no row. The rows point into the text
 * and are good until the next call. */
size_t ws_scan_lines(ws_scan *scan, ws_span *text, int64_t *line, const ws_row **rows);

/* All cells of a row that the last call gave; good until the next. */
const ws_row *ws_scan_full(ws_scan *scan, const ws_row *row);

#endif
