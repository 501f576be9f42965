/* The columns of the table of runs, and what follows from others by arithmetic. */
#ifndef WS_ANALYZE_RUN_COLUMNS_H
#define WS_ANALYZE_RUN_COLUMNS_H

#include "core/stake.h"
#include "core/table.h"
#include "core/unit.h"

#include <stdbool.h>

/* The standard columns in the order of docs/design.md; every number is a WS_NUMBER column. */
typedef enum ws_run_column {
    WS_COL_RUN,
    WS_COL_SERIES,
    WS_COL_REPEAT,
    WS_COL_MODEL,
    WS_COL_MODEL_CLASS,
    WS_COL_DEVICE,
    WS_COL_GPUS,
    WS_COL_NODES,
    WS_COL_LBS,
    WS_COL_GBS,
    WS_COL_EPOCHS,
    WS_COL_DATASET_SAMPLES,
    WS_COL_UPDATES,
    WS_COL_WORKLOAD,
    WS_COL_POWER_CAP,
    WS_COL_CLOCK_CAP,
    WS_COL_WALL,
    WS_COL_WALL_SOURCE,
    WS_COL_JOB_WALL,
    WS_COL_EPOCH_S,
    WS_COL_GPU_H,
    WS_COL_ENERGY,
    WS_COL_ENERGY_SCOPE,
    WS_COL_ENERGY_GPU,
    WS_COL_ENERGY_CPU,
    WS_COL_ENERGY_DRAM,
    WS_COL_GPU_SHARE,
    WS_COL_CPU_SHARE,
    WS_COL_DRAM_SHARE,
    WS_COL_ENERGY_PER_NODE,
    WS_COL_ENERGY_U,
    WS_COL_ENERGY_LO,
    WS_COL_ENERGY_HI,
    WS_COL_SAMPLING_U, /* the budget (core/budget.h): standard uncertainties, */
    WS_COL_SENSOR_U,
    WS_COL_GAPS_LO, /* and the bounds of each other component, as energies; missing where they leave nothing open */
    WS_COL_GAPS_HI,
    WS_COL_EDGES_LO,
    WS_COL_EDGES_HI,
    WS_COL_CLOCK_LO,
    WS_COL_CLOCK_HI,
    WS_COL_COUNTER_LO,
    WS_COL_COUNTER_HI,
    WS_COL_LEAST_POWER, /* of an excerpt: its devices at their lowest and at their highest readings, added */
    WS_COL_MOST_POWER,
    WS_COL_PLAIN_GPU_POWER, /* mean over the GPUs of the mean of their readings, each as much as the other */
    WS_COL_KWH_PER_GPUH,
    WS_COL_GPU_POWER,
    WS_COL_CPU_POWER,
    WS_COL_UTIL_MEAN,
    WS_COL_UTIL_CV,
    WS_COL_MEM_UTIL_MEAN,
    WS_COL_MEM_UTIL_CV,
    WS_COL_SAMPLES_PER_S, /* of all GPUs together */
    WS_COL_SAMPLES_PER_GPUH,
    WS_COL_PASSES_PER_GPUH,
    WS_COL_WH_PER_SAMPLE,
    WS_COL_WH_PER_SAMPLE_SEEN,
    WS_COL_EDP,
    WS_COL_ED2P,
    WS_COL_COVERAGE,
    WS_COL_STATUS,
    WS_COL_VERDICT,
    WS_COL_AT_STAKE,
    WS_COL_FINDINGS,
    WS_RUN_COLUMN_N
} ws_run_column;

/* What a column is for the rest of the program. */
typedef enum ws_column_role {
    WS_ROLE_LABEL,   /* names a run or says how a value came about */
    WS_ROLE_SETTING, /* what the experiment set: may group runs into configurations */
    WS_ROLE_QUANTITY /* what was measured or follows from it: has a mean and a spread over repeats */
} ws_column_role;

typedef struct ws_run_column_info {
    const char *name;
    ws_column_kind kind;
    ws_column_role role;
    ws_dimension dimension; /* of a number that may be written in another unit */
    double to_si;           /* SI value = value of this column * to_si */
    bool rests_on_energy;   /* is an energy of the run or follows from one, so that the verdict on it holds here, too */
} ws_run_column_info;

const ws_run_column_info *ws_run_column_about(ws_run_column column);
bool ws_run_column_find(const char *name, ws_run_column *column);

/* Do two runs have the same in these n columns? Missing is a value of its own. */
bool ws_runs_agree(const ws_table *runs, const ws_run_column *columns, size_t n, size_t a, size_t b);

/* Writes the verdict on the energy of a run, the joules at stake and the findings that put them there. */
void ws_runs_set_stake(ws_table *runs, size_t row, const ws_stake *stake, ws_energy_verdict verdict);

/* Raises the verdict that stands there, for a finding about the row as it is. */
void ws_runs_raise_verdict(ws_table *runs, size_t row, ws_finding finding, ws_energy_verdict verdict);

/* An empty table with all standard columns, which stand at the indexes of the enum. */
void ws_runs_init(ws_table *runs);

double ws_runs_get(const ws_table *runs, ws_run_column column, size_t row);
void ws_runs_set(ws_table *runs, ws_run_column column, size_t row, double value);

/* Columns of a table's own, of each GPU or of all, that an energy of the run follows from: a map fills them, in their
 * unit. */
typedef struct ws_own_quantity {
    const char *name;
    ws_dimension dimension;
    double to_si;
} ws_own_quantity;
const ws_own_quantity *ws_own_quantity_find(const char *name); /* NULL: none */

/* A table's own column of the GPUs of each node, which a run has as many times as nodes; SIZE_MAX: none. */
size_t ws_find_gpus_per_node(const ws_table *table);

/* Fill what is missing and follows from what is there: gbs, updates, gpu_h, per-GPUh and per-sample figures, shares,
 * energy of the GPUs from their mean power. Nothing that is there is changed; what contradicts (gbs against gpus x lbs,
 * gpu_h against gpus x wall_s) is a note. Formulas: docs/methods.md. An energy that nobody metered here and that means
 * more power than any GPU draws is unusable, one of traces that end minutes before their job is doubtful; rules may be
 * NULL. */
void ws_runs_complete(ws_table *runs, const ws_verdict_rules *rules);

/* --- which row each run got when the table was made, for who knows more of it, whatever rows are left out since: a row
 * is told by the very text of its name, and by its line --- */

typedef struct ws_run_mark {
    const char *run; /* in the table */
    int64_t line;    /* of the table; 0 without */
} ws_run_mark;

typedef struct ws_run_marks {
    ws_run_mark *items; /* by row */
    size_t n, capacity;
} ws_run_marks;
void ws_run_marks_free(ws_run_marks *marks); /* leaves valid empty ones */

/* Before rows are left out: from now on ws_run_marks_find_next knows them. */
void ws_run_marks_take(ws_run_marks *marks, const ws_table *runs);

/* The row that a row of the table was; SIZE_MAX where it is of no run of the marks. Rows are mostly asked for in order:
 * *from is the row behind the last one, 0 at first. */
size_t ws_run_marks_find_next(const ws_run_marks *marks, const ws_table *runs, size_t row, size_t *from);

typedef struct ws_run_formula {
    ws_run_column column;
    const char *formula; /* of columns, `accumulation` (passes of each GPU an update) and `gpus_per_node` */
} ws_run_formula;

/* What ws_runs_complete does, as a table to be read: in the order in which they are tried, those of a column together.
 * A formula has the order of operations of the code, so that it gives the same double (step_formula.h has the grammar);
 * tests/analyze/test_explain.c holds the table against ws_runs_complete. */
extern const ws_run_formula ws_run_formulas[];
extern const size_t ws_run_formulas_n;

#endif
