/* Stretches in which a power stays the same to the last digit: of a sensor that is stuck, or a logger that repeats
 * itself. Noise moves the power of every device: in 14 real logs with two decimals no value lasts longer than 2.3 s. */
#ifndef WS_ANALYZE_STANDSTILL_H
#define WS_ANALYZE_STANDSTILL_H

#include "analyze/measure/power_range.h"
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
    double energy_j; /* that the readings of all of them mean; to 1/1024 J each, so that any order has the same sum */
} ws_standstill_sum;

/* Whole watts, which an idle device may draw for hours, and others; low powers apart, beside which a step of the
 * readings may be larger than their noise. */
typedef enum ws_standstill_kind {
    WS_STILL_WHOLE,
    WS_STILL_FINER,
    WS_STILL_BELOW_20_W,
    WS_STILL_BELOW_2_W,
    WS_STANDSTILL_KINDS
} ws_standstill_kind;

/* Which readings are the same: equal ones, or those that share one of the steps into which powers are divided, twice as
 * wide as the last of two decimals. Two neighbours, as 61.37 and 61.38 W, share one of the even steps or of the odd
 * ones; powers below 20 W share none. */
typedef enum ws_standstill_steps { WS_STILL_EQUAL, WS_STILL_EVEN, WS_STILL_ODD } ws_standstill_steps;
#define WS_STANDSTILL_STEP_W 0.02

/* Zeros are no run. */
typedef struct ws_standstill {
    ws_standstill_steps steps;
    int64_t window_start_ns, window_end_ns;    /* what lies outside of it does not count */
    ws_standstill_run first, last;             /* the first one, and the one that goes on where that is another */
    ws_standstill_sum of[WS_STANDSTILL_KINDS]; /* the long ones between */
} ws_standstill;

void ws_standstill_init(ws_standstill *still, ws_standstill_steps steps);
void ws_standstill_push(ws_standstill *still, const ws_block *powers, const ws_power_range *range);
void ws_standstill_merge(ws_standstill *into, const ws_standstill *next); /* the following stretch of the channel */

/* Those of all runs. */
void ws_standstill_read(const ws_standstill *still, ws_standstill_sum of[WS_STANDSTILL_KINDS]);

/* Adds `more`, of other runs. */
void ws_standstill_add(ws_standstill_sum *sum, const ws_standstill_sum *more);

#endif
