/* Stretches in which a device draws 0 W, or is not in use: together they tell a device that is off from reads that
 * failed and were stored as 0 W. */
#ifndef WS_ANALYZE_QUIET_STRETCHES_H
#define WS_ANALYZE_QUIET_STRETCHES_H

#include "analyze/measure/power_range.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A utilisation below it is that of a device that is not in use. */
#define WS_UNUSED_SHARE 0.05

typedef struct ws_quiet_stretch {
    int64_t from_ns, to_ns; /* first and last reading */
    uint64_t n;
} ws_quiet_stretch;

/* The first ones of a channel, so that memory does not grow with the trace. */
enum { WS_QUIET_KEPT = 64 };

typedef struct ws_quiet {
    int64_t window_start_ns, window_end_ns; /* what lies outside of it does not count */
    bool has_any, first_is, last_is;        /* are the first and the last reading quiet? */
    bool has_more;                          /* further stretches are not kept */
    size_t n;
    ws_quiet_stretch kept[WS_QUIET_KEPT];
} ws_quiet;

void ws_quiet_init(ws_quiet *quiet);

/* Powers are quiet at 0 W, utilisations below WS_UNUSED_SHARE. A missing cell says nothing. */
void ws_quiet_push_powers(ws_quiet *quiet, const ws_block *powers, const ws_power_range *range);
void ws_quiet_push_use(ws_quiet *quiet, const ws_block *utilisations);
void ws_quiet_merge(ws_quiet *into, const ws_quiet *next); /* the following stretch of the channel */

/* The share of the readings of 0 W at which the device is in use, as far as both channels know: 1 where nothing tells.
 * A reading may lie slack_ns outside of the time without use. */
double ws_quiet_share_in_use(const ws_quiet *powers, const ws_quiet *use, int64_t slack_ns);

#endif
