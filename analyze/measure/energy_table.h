/* The table of `wattscale energy`: a row a device, or a row a domain, node or run. */
#ifndef WS_ANALYZE_ENERGY_TABLE_H
#define WS_ANALYZE_ENERGY_TABLE_H

#include "analyze/measure/measure.h"
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

/* The uncertainty budgets of the same rows, to a table of ws_budget_table_init. */
void ws_energy_budget_add(ws_table *table, const ws_measure *measure, ws_energy_grouping by);

#endif
