/* The energy of a run in its row of a run table: what is not known of it, and excerpts that stand for the whole. */
#ifndef WS_ANALYZE_RUN_ENERGY_H
#define WS_ANALYZE_RUN_ENERGY_H

#include "core/budget.h"
#include "core/table.h"

/* Writes energy_lo_kwh, energy_hi_kwh and energy_u_kwh (half of the interval over 1.96), and the
 * components that leave anything open: standard uncertainties in kWh, bounds as the energies that they allow. Nothing
 * where the energy is NaN. */
void ws_runs_set_budget(ws_table *runs, size_t row, const ws_budget *budget, double energy_j);

/* The budget that stands there; false where the row has none. */
bool ws_runs_budget(const ws_table *runs, size_t row, ws_budget *budget);

/* Adds energy_u_kwh, energy_lo_kwh and energy_hi_kwh of the mean energy of runs to a table of configurations, as
 * detail; `ws_runs_set_mean_budget` fills a row from the rows of its runs that have an energy, and leaves it empty
 * where one of them has no budget. Sampling grows smaller with the number of runs; the gain of the sensors and bounds
 * do not. */
void ws_runs_add_mean_budget(ws_table *scale);
void ws_runs_set_mean_budget(const ws_table *runs, const size_t *rows, size_t n, ws_table *scale, size_t row);

/* Runs of which the traces show a window: wall_s becomes job_wall_s, and energies the mean power of the window times
 * that (Frey et al. 2022); coverage says how small the window was. Without job_wall_s a run stays as it is, with a
 * note. */
void ws_runs_extend_excerpts(ws_table *runs);

#endif
