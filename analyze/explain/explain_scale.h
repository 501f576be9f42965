/* How the numbers of a configuration came about: means over its runs, spreads, ratios to the reference. */
#ifndef WS_ANALYZE_EXPLAIN_SCALE_H
#define WS_ANALYZE_EXPLAIN_SCALE_H

#include "analyze/explain/explain_run.h"
#include "analyze/scaling/scaling.h"

/* The cell of a column of the table of configurations. Never NULL. */
ws_step *ws_explain_scale(const ws_explainer *explainer, const ws_table *scale, const ws_scale_members *members,
                          size_t row, size_t column);

/* The runs that count and those that are left out, a list each. */
void ws_explain_beside_scale(const ws_explainer *explainer, const ws_scale_members *members, size_t row, ws_step *step);

#endif
