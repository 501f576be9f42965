/* How far the energy of power samples may be from that of the power between them, as far as the samples tell.
 *
 * e_i = (v_i - v_(i-1)) dt_i in J is what a step of the power costs where it lies at either end of its interval. Its
 * place is unknown, so that the trapezoid has the variance e_i^2 / 12 (uniform distribution). Where a load is shorter
 * than the interval, steps up and down follow each other: neighbouring e_i cancel, each reading stands for itself, and
 * the variance grows to that of independent readings, e_i^2 / 2. docs/methods.md, "Sampling", has the whole formula and
 * how often it holds. */
#ifndef WS_ANALYZE_SAMPLING_H
#define WS_ANALYZE_SAMPLING_H

#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* Intervals from 2^17 ns (0.13 ms) to 2^44 ns (4.9 h) by octaves; shorter and longer ones count in the first and the
 * last. */
enum { WS_SAMPLING_FIRST_OCTAVE = 17, WS_SAMPLING_OCTAVES = 28 };

/* A step of the power: its e in WS_SAMPLING_UNIT_J, and the octave of its interval. */
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
    unsigned __int128 squares;
    __int128 products, chained;
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

void ws_sampling_init(ws_sampling *sampling);
void ws_sampling_push(ws_sampling *sampling, const ws_block *powers); /* in W */
void ws_sampling_merge(ws_sampling *into, const ws_sampling *next);   /* the following stretch of the channel */

/* For how long a sensor shows each of its values, s, where readings tell that it is refreshed more slowly than it is
 * read, and than a second; 0 otherwise. */
double ws_sampling_held_s(const ws_sampling *sampling, int64_t long_ns);

/* sd_w: of the power over the time. lag_s: how far readings may lag behind the power (ws_sensor_lag_s); that shifts the
 * whole trace, so that it costs its length times the difference of the power at the ends. range_w: how far the power
 * may go up and down; what steps more steeply than a mean over the sensor's window can is no such mean. may_be_slow:
 * nothing is known of the sensor, which may be refreshed as rarely as it is read. */
typedef struct ws_sampled_power {
    double sd_w, lag_s, range_w;
    bool may_be_slow;
} ws_sampled_power;

/* The standard uncertainty in J. Intervals of `long_ns` and more are left out: gaps. 0 where fewer than two readings
 * are there. */
double ws_sampling_u_j(const ws_sampling *sampling, int64_t long_ns, const ws_sampled_power *power);

#endif
