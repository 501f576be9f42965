/* When a device works: of which sizes its powers are inside a window and close to it, and when each size was first and
 * last there. The times around the window tell what the device draws when it is idle, and whether its work goes on. */
#ifndef WS_ANALYZE_POWER_TIMES_H
#define WS_ANALYZE_POWER_TIMES_H

#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* So far before and behind a window powers are watched. */
#define WS_AROUND_S 60.0

/* Half octaves from 1 W on. */
enum { WS_POWER_SIZES = 24 };

typedef struct ws_power_size {
    uint64_t inside, before, behind; /* readings */
    int64_t first_ns, last_ns;       /* inside; first behind last: none */
} ws_power_size;

/* {0} watches nothing. */
typedef struct ws_power_times {
    bool is_watched;
    int64_t window_start_ns, window_end_ns;
    ws_power_size of[WS_POWER_SIZES];
} ws_power_times;

void ws_power_times_init(ws_power_times *times, int64_t window_start_ns, int64_t window_end_ns);
void ws_power_times_push(ws_power_times *times, const ws_block *powers);
void ws_power_times_merge(ws_power_times *into, const ws_power_times *next); /* other readings of the channel */

/* The work of a device beside the window of its job. */
typedef struct ws_power_work {
    int most_size, least_size; /* what it draws for a tenth of the window at least; from where on it works */
    bool is_seen;              /* it draws less around the window; else it works throughout, or never */
    int64_t from_ns, to_ns;    /* first and last reading at work inside the window */
    uint64_t before, behind;   /* readings at work around it */
} ws_power_work;

/* False: there are no readings. */
bool ws_power_times_of_work(const ws_power_times *times, ws_power_work *work);

#endif
