/* From what meters and samples tell to the uncertainty budget of each energy (core/budget.h). Formulas, assumptions and
 * how often the intervals hold: docs/methods.md, "Uncertainty". */
#ifndef WS_ANALYZE_UNCERTAINTY_H
#define WS_ANALYZE_UNCERTAINTY_H

#include "analyze/measure/metered.h"

/* Part of ws_measure_finish, before the budgets: sets unread_s of each channel that gives an energy, from what readers
 * have noted. Notes may be NULL. */
void ws_measure_find_unread(ws_measure *measure, const ws_notes *notes);

/* Sets the budget of every channel that has an energy, and energy_lo_j and energy_hi_j of its summary. Its devices must
 * be known: a gap may hold what the device, or one of its kind, can draw. */
void ws_measure_find_budgets(ws_measure *measure);

/* Devices of its file outlast the channel by `time_s`, in which its own may have drawn what it drew elsewhere. */
void ws_measure_bound_rest(ws_metered_channel *channel, double time_s);

/* How far the energy of power samples may be from that of the power between them, as far as the samples tell.
 *
 * e_i = (v_i - v_(i-1)) dt_i in J is what a step of the power costs where it lies at either end of its interval. Its
 * place is unknown, so that the trapezoid has the variance e_i^2 / 12 (uniform distribution). Where a load is shorter
 * than the interval, steps up and down follow each other: neighbouring e_i cancel, each reading stands for itself, and
 * the variance grows to that of independent readings, e_i^2 / 2. docs/methods.md, "Sampling", has the whole formula and
 * how often it holds. */

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
