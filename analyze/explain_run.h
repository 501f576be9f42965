/* How the numbers of a run came about, as trees of steps (report/table/step_tree.h). */
#ifndef WS_ANALYZE_EXPLAIN_RUN_H
#define WS_ANALYZE_EXPLAIN_RUN_H

#include "analyze/explain_devices.h"
#include "analyze/input_register.h"
#include "report/table/step_tree.h"

typedef struct ws_explainer {
    const ws_table *runs;
    const ws_history *history;
    const ws_input_register *inputs; /* formats and hashes of the files */
    ws_arena *arena;                 /* of the steps */
} ws_explainer;

/* The cell of a column of the runs, or of WS_EXPLAIN_JOULES (column NULL). Never NULL: a cell without a value is a
 * step that says why. */
ws_step *ws_explain_run(const ws_explainer *explainer, size_t row, const size_t *column);

/* Files, window and findings of the run, a list each. */
void ws_explain_beside_run(const ws_explainer *explainer, size_t row, ws_step *step);

#endif
