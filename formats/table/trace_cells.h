/* Cells of a delimited trace, read as its plan says. */
#ifndef WS_FORMATS_TRACE_CELLS_H
#define WS_FORMATS_TRACE_CELLS_H

#include "formats/table/trace_context.h"

bool ws_cell_is_date(ws_span cell); /* a calendar stamp, not a mere number */

const char *ws_list_cells(ws_arena *arena, const ws_span *cells, uint32_t n); /* "a, b, c" for messages */

/* The length of a row's interval. False where the cell holds none. */
bool ws_plan_read_interval(const ws_plan *plan, ws_span cell, int64_t *ns);

bool ws_is_of_thousands(ws_span cell); /* "1,000": three digits behind the comma, up to three and no 0 before */

/* A number with a decimal comma as one with a point, in `buffer`; any other cell as it is. "1,000" may be either, so that it is one
 * only where the plan knows. */
enum { WS_POINT_CELL = 32 };
ws_span ws_plan_point(const ws_plan *plan, char *buffer, ws_span cell);

/* The cells of a stamp as one; `buffer` holds WS_STAMP_CELLS bytes. */
ws_span ws_plan_stamp(const ws_plan *plan, const ws_row *row, char *buffer);

#endif
