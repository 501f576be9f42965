/* The table of `energy --budget` and `runs --budget`: for each energy a row a component of what is not known of it, and
 * a row of all together. */
#ifndef WS_ANALYZE_BUDGET_TABLE_H
#define WS_ANALYZE_BUDGET_TABLE_H

#include "core/budget.h"
#include "core/table.h"

/* Names of an energy; NULL or "": none. */
typedef struct ws_budget_subject {
    const char *run, *source, *node, *device, *domain;
} ws_budget_subject;

/* Columns: the names, component, energy_X, u_X (k = 1; of "all": half of the interval over 1.96), energy_lo_X and
 * energy_hi_X (of the component alone), method; X is the unit, "j" or "kwh". Components that leave nothing open have no
 * row. */
void ws_budget_table_init(ws_table *table, const char *unit);
void ws_budget_table_add(ws_table *table, const ws_budget_subject *subject, const ws_budget *budget, double energy_j);

#endif
