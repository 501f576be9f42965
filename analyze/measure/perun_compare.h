/* What perun stored beside what the readings give: its own energies, with its PUE and its power overhead apart. */
#ifndef WS_ANALYZE_PERUN_COMPARE_H
#define WS_ANALYZE_PERUN_COMPARE_H

#include "analyze/measure/energy_table.h"

/* Columns for a table of ws_energy_table_init that is made with the rule perun; the index of the first of them:
 *   stored_energy_j   perun's own metric for the sensor, group, node or run of the row
 *   overhead_j        perun's power overhead x run time, in the energy of a node and a run only
 *   pue               perun's factor on the energy of a run only
 *   perun_energy_j    (energy_j + overhead_j) x pue: what stored_energy_j should be
 * Missing where the file stores none. */
size_t ws_perun_compare_init(ws_table *table);

/* Fills them in the rows from first_row on, which ws_energy_table_add made of this measure. */
void ws_perun_compare(const ws_measure *measure, ws_energy_grouping by, ws_table *table, size_t first_column,
                      size_t first_row);

#endif
