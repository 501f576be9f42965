/* The largest power of a channel, how often it comes to the last digit, and how far all others lie below it: numbers
 * that stand for no reading, as 655.35 W of 16 bits that are all set, come again and stand alone (sentinels.h). */
#ifndef WS_ANALYZE_SENTINELS_H
#define WS_ANALYZE_SENTINELS_H

#include "analyze/measure/meter.h"
#include "analyze/measure/power_range.h"

typedef struct ws_power_top {
    int64_t window_start_ns, window_end_ns; /* what lies outside of it does not count */
    bool has_any, first_is, last_is;        /* are the first and the last reading the largest? */
    double most_w, next_w;                  /* the largest, and the largest of those below; -INFINITY: none */
    ws_seen seen;                           /* readings of most_w, */
    uint64_t stretches;                     /* and stretches of such that follow each other */
} ws_power_top;

void ws_power_top_init(ws_power_top *top);
void ws_power_top_push(ws_power_top *top, const ws_block *powers, const ws_power_range *range);
/* The following stretch of the channel; `lines` as in ws_meter_merge. */
void ws_power_top_merge(ws_power_top *into, const ws_power_top *next, int64_t lines);

/* What such numbers add to the sum of all readings, in W, beside the mean of the others; 0 where there are none. Of
 * readings with this mean that are multiples of step_w. */
double ws_sentinel_sum_w(const ws_power_top *top, double samples, double mean_w, double step_w);

#endif
