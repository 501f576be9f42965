/* The stamp on a line of its own above the rows that it holds for, as a loop prints it before each call:
 *
 *   Fri Nov 21 23:41:31 UTC 2025
 *   0, 100.00 W
 *   1, 300.00 W
 */
#ifndef WS_FORMATS_DATE_LINES_H
#define WS_FORMATS_DATE_LINES_H

#include "formats/table/rows.h"

#include <stdbool.h>
#include <stddef.h>

/* A calendar stamp in any form, maybe behind "Timestamp:" or between signs ("=== ... ==="), or, if `takes_bare`, the
 * seconds of `date +%s` and the time of `date +%T`. A comma in it makes two cells; `buffer` then holds the stamp. False
 * where the row is none. */
enum { WS_DATE_LINE = 80 };
bool ws_row_is_date_line(const ws_row *row, bool takes_bare, char *buffer, ws_span *stamp);

/* The same of a line of text that is no row of a table, with bare stamps. */
bool ws_text_is_date_line(ws_span text, ws_span *stamp);

/* Do bare stamps stand above the rows of a table of one column, where a number could as well be a reading? They begin,
 * come again and again with readings below them that are far smaller, and never go back. */
bool ws_rows_have_stamp_lines(const ws_row *rows, size_t n);

#endif
