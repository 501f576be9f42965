/* Energies by region as rows. */
#ifndef WS_ANALYZE_REGION_TABLE_H
#define WS_ANALYZE_REGION_TABLE_H

#include "analyze/measure/energy_table.h"
#include "analyze/regions/regions.h"

#define WS_REGION_REST "(outside)" /* the region of what lies in none */

/* docs/design.md lists the columns. The rows of a region are those of an energy table of its measure. */
void ws_region_table_init(ws_table *table, ws_energy_grouping by, bool has_baselines);
void ws_region_table_add(ws_table *table, const ws_measure *parts, const ws_regions *regions, ws_energy_grouping by);

#endif
