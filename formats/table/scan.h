/* Cuts plain lines of delimited text (formats/table/plain_line.h) into rows. Inside formats/ only. */
#ifndef WS_FORMATS_SCAN_H
#define WS_FORMATS_SCAN_H

#include "core/text.h"
#include "formats/table/row.h"

typedef struct ws_scan ws_scan;

/* portable: without the instructions that only some processors have; the rows are the same. */
ws_scan *ws_scan_new(char delimiter, bool portable);
void ws_scan_free(ws_scan *scan); /* NULL is fine */

/* Cuts lines off the front of *text, which begins with a line, up to the first that is not plain or not complete, or until
 * there are `most` rows or no room, and moves *text and *line past them; blank lines give no row. The rows point into
 * the text and are good until the next call. */
size_t ws_scan_lines(ws_scan *scan, size_t most, ws_span *text, int64_t *line, const ws_row **rows);

#endif
