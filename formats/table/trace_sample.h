/* The rows that a plan is settled over, and what they say. Inside formats/ only. */
#ifndef WS_FORMATS_TRACE_SAMPLE_H
#define WS_FORMATS_TRACE_SAMPLE_H

#include "formats/table/rows.h"

struct ws_plan;

typedef struct ws_trace_sample {
    const ws_row *const *rows; /* data rows, in the order of the file */
    const uint32_t *turn;      /* date lines before each row */
    size_t n;
} ws_trace_sample;

size_t ws_trace_sample_count(const ws_trace_sample *sample,
                             int32_t column); /* different ids in that column; 0: all are missing */

/* "0, 1, 2, 3" again and again, or "2, 3": numbers that rise and come back in the same order. A last round may be cut. */
bool ws_trace_sample_counts_in_turn(const ws_trace_sample *sample, uint32_t column);

/* The instants of the rows; NULL where some stamp cannot be read or there is no time. The caller frees. */
int64_t *ws_trace_sample_stamps(const struct ws_plan *plan, const ws_trace_sample *sample);

/* The source of each row, counted from 0: its node and device, or its place where rows take turns; *n: how many there are. The
 * caller frees. */
uint32_t *ws_trace_sample_sources(const struct ws_plan *plan, const ws_trace_sample *sample, uint32_t *n);

#endif
