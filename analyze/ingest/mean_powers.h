/* Mean powers of a table of runs: of a GPU, or of the whole run. */
#ifndef WS_ANALYZE_MEAN_POWERS_H
#define WS_ANALYZE_MEAN_POWERS_H

#include "analyze/ingest/bare_units.h"

/* A column like "avg_power" stays gpu_power_w where every run has one GPU, or the energy over the time of its row is
 * that of so many such GPUs. Else it is the run's own, or nobody can tell: it is left under its own name, with a note.
 * `is_said[i]`: the user named the column, and nothing is to be proven. Units are settled before. */
void ws_settle_mean_powers(const ws_table *raw, const ws_fields *defaults, const bool *is_said,
                           ws_column_meaning *meanings, ws_notes *notes);

#endif
