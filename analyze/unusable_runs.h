/* Runs whose energy cannot be used, by the verdict in their rows (core/stake.h). They are left out of means and fits,
 * by name. A run whose energy waits for an answer has none that could spoil a mean, and stays. */
#ifndef WS_ANALYZE_UNUSABLE_RUNS_H
#define WS_ANALYZE_UNUSABLE_RUNS_H

#include "core/stake.h"
#include "core/table.h"

#include <stdbool.h>

/* Of any table; WS_ENERGY_VERDICT_NONE where it has no column energy_verdict. */
ws_energy_verdict ws_row_verdict(const ws_table *table, size_t row);

/* Of any table: false where it has no column energy_verdict. */
bool ws_run_is_unusable(const ws_table *runs, size_t row);

/* Says that the run is left out, and why. */
void ws_note_unusable_run(const ws_table *runs, size_t row, ws_notes *notes);

/* Says how many of the runs have a doubtful energy, if any. */
void ws_note_doubtful_runs(const ws_table *runs, ws_notes *notes);

/* Drops these rows, with a note for each. */
void ws_drop_unusable_runs(ws_table *runs);

#endif
