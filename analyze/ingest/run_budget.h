/* The uncertainty budget of a run, in its row of a run table. */
#ifndef WS_ANALYZE_RUN_BUDGET_H
#define WS_ANALYZE_RUN_BUDGET_H

#include "core/budget.h"
#include "core/table.h"

/* Writes energy_lo_kwh, energy_hi_kwh and energy_u_kwh (half of the interval over 1.96), and the
 * components that leave anything open: standard uncertainties in kWh, bounds as the energies that they allow. Nothing
 * where the energy is NaN. */
void ws_runs_set_budget(ws_table *runs, size_t row, const ws_budget *budget, double energy_j);

/* The budget that stands there; false where the row has none. */
bool ws_runs_budget(const ws_table *runs, size_t row, ws_budget *budget);

#endif
