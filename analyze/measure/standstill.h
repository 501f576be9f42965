/* Stretches in which a power stays the same to the last digit: of a sensor that is stuck, or a logger that repeats
 * itself. Noise moves the power of every device: in 14 real logs with two decimals no value lasts longer than 2.3 s. */
#ifndef WS_ANALYZE_STANDSTILL_H
#define WS_ANALYZE_STANDSTILL_H

#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* From this time and this many readings on. */
#define WS_STANDSTILL_S 20.0
enum { WS_STANDSTILL_READINGS = 10 };

typedef struct ws_standstill_run {
    double value;
    int64_t from_ns, to_ns;
    uint64_t n; /* readings; 0: there is no run */
} ws_standstill_run;

/* Long runs: together, and the longest. */
typedef struct ws_standstill_sum {
    int64_t ns, longest_ns;
    uint64_t longest_n;
} ws_standstill_sum;

/* Of whole watts, which an idle device may draw for hours, and of others. Zeros are no run. */
typedef struct ws_standstill {
    int64_t window_start_ns, window_end_ns; /* what lies outside of it does not count */
    ws_standstill_run first, last;          /* the first one, and the one that goes on where that is another */
    ws_standstill_sum whole, finer;         /* of the long ones between */
} ws_standstill;

void ws_standstill_init(ws_standstill *still);
void ws_standstill_push(ws_standstill *still, const ws_block *powers);
void ws_standstill_merge(ws_standstill *into, const ws_standstill *next); /* the following stretch of the channel */

/* Those of all runs. */
void ws_standstill_read(const ws_standstill *still, ws_standstill_sum *whole, ws_standstill_sum *finer);

#endif
