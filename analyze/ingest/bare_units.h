/* Units of energies and times that neither names nor cells of a table of runs hold, and whose a mean power
 * is: proven by what devices draw, or asked for. */
#ifndef WS_ANALYZE_BARE_UNITS_H
#define WS_ANALYZE_BARE_UNITS_H

#include "analyze/ingest/run_names.h"
#include "formats/campaign.h"

/* Settles the unit of every bare energy and time (one unit for all energies of the table, one for its times): the pair
 * that alone means watts that a device may draw over a whole run, in every row (note "assumed-unit"). Where several do
 * or none, the columns are asked for (note "ask-unit"), and true is returned. A bare time without energies and powers
 * beside it is taken in s, which the note says. `defaults` may say the number of GPUs. meanings[i] is of raw's column
 * i. */
bool ws_settle_bare_units(const ws_table *raw, const ws_fields *defaults, ws_column_meaning *meanings, ws_notes *notes);

/* A column like "avg_power" stays gpu_power_w where every run has one GPU, or the energy over the time of its row is
 * that of so many such GPUs. Else it is the run's own, or nobody can tell: it is left under its own name, with a note.
 * `is_said[i]`: the user named the column, and nothing is to be proven. Units are settled before. */
void ws_settle_mean_powers(const ws_table *raw, const ws_fields *defaults, const bool *is_said,
                           ws_column_meaning *meanings, ws_notes *notes);

#endif
