/* What stands beside the numbers of a run: its window, its files and the findings in them. */
#ifndef WS_ANALYZE_EXPLAIN_FILES_H
#define WS_ANALYZE_EXPLAIN_FILES_H

#include "analyze/ingest/run_history.h"
#include "analyze/input_register.h"
#include "report/table/step_tree.h"

typedef struct ws_explainer {
    const ws_table *runs;
    const ws_history *history;
    const ws_input_register *inputs; /* formats and hashes of the files */
    ws_arena *arena;                 /* of the steps */
} ws_explainer;

/* Files, window and findings of the run, a list each. */
void ws_explain_beside_run(const ws_explainer *explainer, size_t row, ws_step *step);

/* Facts of the file at `path`, format, size and SHA-256, and what they are in words, "" for a path that was not read.
 */
const char *ws_explain_file(const ws_explainer *explainer, const char *path, ws_step *step);

#endif
