/* How the numbers of a run came about, as trees of steps (report/table/step_tree.h). */
#ifndef WS_ANALYZE_EXPLAIN_RUN_H
#define WS_ANALYZE_EXPLAIN_RUN_H

#include "analyze/explain/explain_devices.h"
#include "analyze/explain/explain_files.h"

/* The cell of a column of the runs, or of WS_EXPLAIN_JOULES (column NULL). Never NULL: a cell without a value is a
 * step that says why. */
ws_step *ws_explain_run(const ws_explainer *explainer, size_t row, const size_t *column);

#endif
