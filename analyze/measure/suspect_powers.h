/* Readings that may not be what the device draws: powers that stay the same to the last digit, powers of 0 W, which a
 * device that is not in use explains, and numbers that stand for no reading. */
#ifndef WS_ANALYZE_SUSPECT_POWERS_H
#define WS_ANALYZE_SUSPECT_POWERS_H

#include "analyze/measure/meter.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked of each block of powers, found once. */
typedef struct ws_power_range {
    bool lacks_some;    /* some readings are NaN: then the others are unsaid */
    double least, most; /* W; INFINITY and -INFINITY of an empty block */
} ws_power_range;

ws_power_range ws_power_range_of(const ws_block *powers);

/* --- powers that stand still: of a sensor that is stuck, or a logger that repeats itself --- */

/* Noise moves the power of every device: in 14 real logs with two decimals no value lasts longer than 2.3 s. From this
 * time and this many readings on. */
#define WS_STANDSTILL_S 20.0
enum { WS_STANDSTILL_READINGS = 10 };

/* Shorter ones, of powers of 20 W and more that are no whole watts, count where they come again and again. */
#define WS_STANDSTILL_BRIEF_S 5.0
enum { WS_STANDSTILL_BRIEF_READINGS = 5 };

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
    ws_standstill_sum of[WS_STANDSTILL_KINDS]; /* the long ones between, */
    ws_standstill_sum brief;                   /* and short ones of equal readings, */
    uint64_t n_brief;                          /* and how many */
} ws_standstill;

void ws_standstill_init(ws_standstill *still, ws_standstill_steps steps);
void ws_standstill_push(ws_standstill *still, const ws_block *powers, const ws_power_range *range);
void ws_standstill_merge(ws_standstill *into, const ws_standstill *next); /* the following stretch of the channel */

/* Those of all runs. */
void ws_standstill_read(const ws_standstill *still, ws_standstill_sum of[WS_STANDSTILL_KINDS]);

/* Short ones of all runs; their number. */
uint64_t ws_standstill_read_brief(const ws_standstill *still, ws_standstill_sum *brief);

/* Adds `more`, of other runs. */
void ws_standstill_add(ws_standstill_sum *sum, const ws_standstill_sum *more);

/* --- stretches in which a device draws 0 W, or is not in use --- */

/* Together they tell a device that is off from reads that failed and were stored as 0 W. A utilisation below this is
 * that of a device that is not in use. */
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

/* --- numbers that stand for no reading --- */

/* The largest power of a channel, how often it comes to the last digit, and how far all others lie below it: a number
 * as 655.35 W, of 16 bits that are all set, comes again and stands alone. */
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

/* Without it no reading that follows makes its largest power such a number, and next_w tells no more than most_w. */
bool ws_power_top_stands_apart(const ws_power_top *top);

/* What such numbers add to the sum of all readings, in W, beside the mean of the others; 0 where there are none. Of
 * readings with this mean that are multiples of step_w. */
double ws_sentinel_sum_w(const ws_power_top *top, double samples, double mean_w, double step_w);

#endif
