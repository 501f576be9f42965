/* From reading to reading: how a power steps, and where it stands still, as of a sensor that is stuck, or a logger that
 * repeats itself. */
#ifndef WS_ANALYZE_POWER_STEPS_H
#define WS_ANALYZE_POWER_STEPS_H

#include "analyze/measure/suspect_powers.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* --- steps, for what may lie between readings (uncertainty.h) --- */

/* Intervals from 2^17 ns (0.13 ms) to 2^44 ns (4.9 h) by octaves; shorter and longer ones count in the first and the
 * last. */
enum { WS_SAMPLING_FIRST_OCTAVE = 17, WS_SAMPLING_OCTAVES = 28 };

/* A step of the power: its e = (v_i - v_(i-1)) dt_i in WS_SAMPLING_UNIT_J, and the octave of its interval. */
#define WS_SAMPLING_UNIT_J 1e-5
typedef struct ws_sampling_step {
    int64_t cost;
    int octave;
} ws_sampling_step;

/* Sums over the intervals of an octave, in squared units: of e_i^2, of the products of neighbours, and of the products
 * of steps that follow each other with any number of equal readings between, of which the longer interval counts. Whole
 * numbers, so that they do not depend on how a trace is cut. */
typedef struct ws_sampling_octave {
    uint64_t intervals;
    int64_t total_ns;
    __extension__ unsigned __int128 squares;
    __extension__ __int128 products, chained;
} ws_sampling_octave;

/* Rows from one step to the next: 1 to 8 each by itself, and more by quarter octaves; the last one without an end. */
enum { WS_SAMPLING_HELD = 32 };

typedef struct ws_sampling {
    int64_t window_start_ns, window_end_ns; /* intervals outside of it do not count */
    bool has_last, has_inside;
    int64_t first_t, last_t;
    double first_value, last_value;
    double first_inside, last_inside;       /* readings in the window */
    uint64_t intervals, steps;              /* steps: intervals with another reading at their end */
    ws_sampling_step first, last;           /* intervals, where there are any */
    ws_sampling_step first_move, last_move; /* those with a step, where there are any: */
    uint64_t rows_before, rows_behind;      /* intervals up to the first one, and behind the last one or in all */
    uint64_t held[WS_SAMPLING_HELD];        /* how often a reading was held for so many rows */
    ws_sampling_octave octave[WS_SAMPLING_OCTAVES];
    int64_t largest[WS_SAMPLING_OCTAVES]; /* |e_i| of each octave */
} ws_sampling;

#define WS_SAMPLING_EMPTY                                        \
    {                                                            \
        .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX \
    }
void ws_sampling_init(ws_sampling *sampling);
void ws_sampling_push(ws_sampling *sampling, const ws_block *powers); /* in W */
void ws_sampling_merge(ws_sampling *into, const ws_sampling *next);   /* the following stretch of the channel */

/* Of the intervals below `long_ns` (longer ones are gaps), in J^2 and s, and the largest step in W. 0 intervals: there
 * are fewer than two readings. */
typedef struct ws_sampling_sums {
    double intervals, time_s, squares, products, chained, step_w;
    double usual_s; /* from one reading to the next */
    double
        slow_rows; /* for which a sensor that is refreshed more slowly than a second shows each value; 0: it is none */
    double held_rows; /* for which the sensor, slow or fast, does; 1 where nothing is known */
} ws_sampling_sums;
ws_sampling_sums ws_sampling_sum(const ws_sampling *sampling, int64_t long_ns);

/* For how long a sensor shows each of its values, s, where readings tell that it is refreshed more slowly than it is
 * read, and than a second; 0 otherwise. */
double ws_sampling_held_s(const ws_sampling *sampling, int64_t long_ns);

/* --- powers that stand still --- */

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

/* Whole watts, which an idle device may draw for hours, those of them that a limit of the power may have, at which a
 * device may stand as long, and others; low powers apart, beside which a step of the readings may be larger than their
 * noise. */
typedef enum ws_standstill_kind {
    WS_STILL_WHOLE,
    WS_STILL_LIMIT,
    WS_STILL_LOW_LIMIT, /* below 100 W, where large cards idle */
    WS_STILL_FINER,
    WS_STILL_BELOW_20_W,
    WS_STILL_BELOW_2_W,
    WS_STANDSTILL_KINDS
} ws_standstill_kind;

/* Which readings are the same: equal ones, or those that share one of the steps into which powers are divided, twice as
 * wide as the last of two decimals. Two neighbours, as 61.37 and 61.38 W, share one of the even steps or of the odd
 * ones; powers below 20 W share none. */
typedef enum ws_standstill_steps {
    WS_STILL_EQUAL,
    WS_STILL_EVEN,
    WS_STILL_ODD,
    WS_STANDSTILL_STEPS
} ws_standstill_steps;
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

#define WS_STANDSTILL_EMPTY(kind)                                                 \
    {                                                                             \
        .steps = (kind), .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX \
    }
void ws_standstill_init(ws_standstill *still, ws_standstill_steps steps);
/* To those of all steps of a channel, each at its place. */
void ws_standstills_push(ws_standstill still[WS_STANDSTILL_STEPS], const ws_block *powers, const ws_value_range *range);
void ws_standstill_merge(ws_standstill *into, const ws_standstill *next); /* the following stretch of the channel */

/* False: no run is long enough to count, and what is read of it is 0. */
bool ws_standstill_may_be(const ws_standstill *still);

/* Those of all runs. */
void ws_standstill_read(const ws_standstill *still, ws_standstill_sum of[WS_STANDSTILL_KINDS]);

/* Short ones of all runs; their number. */
uint64_t ws_standstill_read_brief(const ws_standstill *still, ws_standstill_sum *brief);

/* Adds `more`, of other runs. */
void ws_standstill_add(ws_standstill_sum *sum, const ws_standstill_sum *more);

#endif
