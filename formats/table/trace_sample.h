/* Cells and rows of a delimited trace as its plan reads them, and what the rows say that a plan is settled over. */
#ifndef WS_FORMATS_TRACE_SAMPLE_H
#define WS_FORMATS_TRACE_SAMPLE_H

#include "formats/table/rows.h"
#include "formats/table/trace_context.h"

bool ws_cell_is_date(ws_span cell); /* a calendar stamp, not a mere number */

const char *ws_list_cells(ws_arena *arena, const ws_span *cells, uint32_t n); /* "a, b, c" for messages */

/* The length of a row's interval. False where the cell holds none. */
bool ws_plan_read_interval(const ws_plan *plan, ws_span cell, int64_t *ns);

bool ws_is_of_thousands(ws_span cell); /* "1,000": three digits behind the comma, up to three and no 0 before */

/* A number with a decimal comma as one with a point, in `buffer`; any other cell as it is. "1,000" may be either, so
 * that it is one only where the plan knows. */
enum { WS_POINT_CELL = 32 };
ws_span ws_plan_point(const ws_plan *plan, char *buffer, ws_span cell);

/* The cells of a stamp as one; `buffer` holds WS_STAMP_CELLS bytes. */
ws_span ws_plan_stamp(const ws_plan *plan, const ws_row *row, char *buffer);

typedef struct ws_trace_sample {
    const ws_row *const *rows; /* data rows, in the order of the file */
    const uint32_t *turn;      /* date lines before each row */
    size_t n;
} ws_trace_sample;

size_t ws_trace_sample_count(const ws_trace_sample *sample,
                             int32_t column); /* different ids in that column; 0: all are missing */

/* "0, 1, 2, 3" again and again, or "2, 3": numbers that rise and come back in the same order. A last round may be cut.
 */
bool ws_trace_sample_counts_in_turn(const ws_trace_sample *sample, uint32_t column);

/* The instants of the rows; NULL where some stamp cannot be read or there is no time. The caller frees. */
int64_t *ws_trace_sample_stamps(const ws_plan *plan, const ws_trace_sample *sample);

/* The source of each row, counted from 0: its node and device, or its place where rows take turns; *n: how many there
 * are. The caller frees. */
uint32_t *ws_trace_sample_sources(const ws_plan *plan, const ws_trace_sample *sample, uint32_t *n);

#endif
