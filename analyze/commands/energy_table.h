/* The tables of `wattscale energy`: a row a device, or a row a domain, node or run; what perun stored beside them; the
 * same of each region. */
#ifndef WS_ANALYZE_ENERGY_TABLE_H
#define WS_ANALYZE_ENERGY_TABLE_H

#include "analyze/measure/measure.h"
#include "analyze/regions/regions.h"
#include "core/table.h"

typedef enum ws_energy_grouping {
    WS_BY_DEVICE = 0,
    WS_BY_DOMAIN,
    WS_BY_NODE,
    WS_BY_RUN,
    WS_BY_SOURCE
} ws_energy_grouping;

/* The empty table, initialised here, and the rows of what one or more sources came to, added after ws_measure_finish.
 * Sums add the devices with an energy and count the others in the column `devices_without_energy`; energies of a node,
 * run or source are totals of domains that do not hold each other (column `domain` names them). */
void ws_energy_table_init(ws_table *table, ws_energy_grouping by);
void ws_energy_table_add(ws_table *table, const ws_measure *measure, ws_energy_grouping by);

/* Adds the columns of baselines, for measures that have them: baseline_w (of a device), baseline_j and net_energy_j. */
void ws_energy_table_add_baselines(ws_table *table);

/* What perun stored beside what the readings give: its own energies, with its PUE and its power overhead apart. Columns
 * for a table of ws_energy_table_init that is made with the rule perun; the index of the first of them:
 *   stored_energy_j   perun's own metric for the sensor, group, node or run of the row
 *   overhead_j        perun's power overhead x run time, in the energy of a node and a run only
 *   pue               perun's factor on the energy of a run only
 *   perun_energy_j    (energy_j + overhead_j) x pue: what stored_energy_j should be
 * Missing where the file stores none. */
size_t ws_energy_table_add_perun(ws_table *table);

/* Fills them in the rows from first_row on, which ws_energy_table_add made of this measure. */
void ws_energy_table_set_perun(const ws_measure *measure, ws_energy_grouping by, ws_table *table, size_t first_column,
                               size_t first_row);

/* The rows of a region are those of an energy table of its measure, parts[region]; those behind the last region hold
 * what lies in none. */
void ws_region_table_init(ws_table *table, ws_energy_grouping by, bool has_baselines);
void ws_region_table_add(ws_table *table, const ws_measure *parts, const ws_regions *regions, ws_energy_grouping by);

/* The uncertainty budgets of the same rows, to a table of ws_budget_table_init. */
void ws_energy_budget_add(ws_table *table, const ws_measure *measure, ws_energy_grouping by);

#endif
