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

#endif
