/* Rows of one device on their way to the sink: one time, and one value for each of its channels. Inside formats/ only.
 */
#ifndef WS_FORMATS_LANE_H
#define WS_FORMATS_LANE_H

#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_lane {
    const ws_sink *sink;
    size_t n_channels, n_rows; /* rows that wait for the next push */
    bool has_time, has_interval;
    int *id; /* of the sink, one a channel; negative: not wanted */
    int64_t *t_ns, *interval_ns, *line;
    double *value; /* WS_LANE_ROWS for each channel, one channel after the other */
    int64_t count; /* rows taken since the lane was made */
} ws_lane;

enum { WS_LANE_ROWS = 256 };

/* The caller sets id[0..n_channels). */
void ws_lane_init(ws_lane *lane, const ws_sink *sink, size_t n_channels, bool has_time, bool has_interval);

/* values: one a channel, NaN is missing. */
ws_status ws_lane_add(ws_lane *lane, int64_t t_ns, int64_t interval_ns, int64_t line, const double *values,
                      ws_error *error);
ws_status ws_lane_flush(ws_lane *lane, ws_error *error);
void ws_lane_free(ws_lane *lane); /* without a flush */

#endif
