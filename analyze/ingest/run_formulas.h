/* How columns of the table of runs follow from others: what ws_runs_complete does, as a table to be read.
 *
 * A formula has the order of operations of the code, so that it gives the same double (step_formula.h has the
 * grammar). tests/analyze/test_explain.c holds the table against ws_runs_complete. */
#ifndef WS_ANALYZE_RUN_FORMULAS_H
#define WS_ANALYZE_RUN_FORMULAS_H

#include "analyze/ingest/run_columns.h"

typedef struct ws_run_formula {
    ws_run_column column;
    const char *formula; /* of columns, `accumulation` (passes of each GPU an update) and `gpus_per_node` */
} ws_run_formula;

/* In the order in which they are tried; those of a column stand together. */
extern const ws_run_formula ws_run_formulas[];
extern const size_t ws_run_formulas_n;

#endif
