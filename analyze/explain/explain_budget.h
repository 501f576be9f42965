/* What is not known of a run's energy, as trees of steps: the 95 % interval, its components, domains and devices. */
#ifndef WS_ANALYZE_EXPLAIN_BUDGET_H
#define WS_ANALYZE_EXPLAIN_BUDGET_H

#include "analyze/explain/explain_devices.h"

/* A column of the uncertainty budget (core/budget.h). NULL for any other column, for a run without a budget, and where
 * the steps do not give the value, as for an excerpt. */
ws_step *ws_explain_budget(const ws_run_history *run, ws_run_column column, double value, ws_arena *arena);

#endif
