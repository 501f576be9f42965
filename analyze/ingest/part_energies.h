/* Energies of a table of runs that are those of a part of each run: summed, told of or asked for. */
#ifndef WS_ANALYZE_PART_ENERGIES_H
#define WS_ANALYZE_PART_ENERGIES_H

#include "analyze/ingest/run_names.h"
#include "formats/campaign.h"

/* Adds the sums of "gpu0_energy_j,gpu1_energy_j" (GPUs, processors, memories), and the number of GPUs where nothing
 * says it, to a copy of the table that has room for them. is_summed, with room for them, too: columns of
 * parts in a sum, and the sums. Notes go to `runs`. */
void ws_sum_part_energies(ws_table *runs, ws_table *copy, const ws_fields *defaults, bool *is_summed);

/* Tells of a column without a meaning that speaks of an energy by its name. */
void ws_note_passed_energy(const ws_table *raw, size_t column, ws_notes *notes);

/* Asks for energies that may be those of one part or of all ("ask-unit"): parts that the sum of the others would lack,
 * and those of nodes beside runs on several. is_said: the map names the column. */
void ws_ask_for_part_energies(const ws_table *raw, const bool *is_said, ws_column_meaning *meanings, ws_notes *notes);

#endif
