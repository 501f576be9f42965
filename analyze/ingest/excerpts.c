#include "analyze/ingest/excerpts.h"

#include "analyze/ingest/run_budget.h"
#include "analyze/ingest/run_columns.h"

#include <string.h>

static const double J_PER_KWH = 3.6e6;

static bool extend_window(ws_table *runs, size_t row)
{
    static const ws_run_column energies[] = {WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM,
                                             WS_COL_AT_STAKE};
    double window_s = ws_runs_get(runs, WS_COL_WALL, row), whole_s = ws_runs_get(runs, WS_COL_JOB_WALL, row);
    const char *source = runs->columns[WS_COL_WALL_SOURCE].text[row];
    if (!source || strcmp(source, "trace span") != 0 || !(window_s > 0) || !(whole_s > 0))
        return false;
    ws_budget budget;
    bool has_budget = ws_runs_budget(runs, row, &budget);
    for (size_t i = 0; i < sizeof energies / sizeof *energies; i++)
        ws_runs_set(runs, energies[i], row, ws_runs_get(runs, energies[i], row) * (whole_s / window_s));
    if (has_budget) {
        ws_budget_scale(&budget, whole_s / window_s);
        ws_runs_set_budget(runs, row, &budget, ws_runs_get(runs, WS_COL_ENERGY, row) * J_PER_KWH);
    }
    ws_runs_set(runs, WS_COL_COVERAGE, row, ws_runs_get(runs, WS_COL_COVERAGE, row) * (window_s / whole_s));
    ws_runs_set(runs, WS_COL_WALL, row, whole_s);
    ws_table_set_text(runs, WS_COL_WALL_SOURCE, row, "job record");
    return true;
}

void ws_runs_extend_excerpts(ws_table *runs)
{
    for (size_t row = 0; row < runs->n_rows; row++)
        if (extend_window(runs, row))
            ws_notes_add(&runs->notes, WS_FINDING_WINDOW, runs->source, "", 0,
                         "energies are the mean power of the logged window times job_wall_s, and wall_s is job_wall_s");
        else
            ws_notes_add(&runs->notes, WS_FINDING_WINDOW_ALONE, runs->source, "", 0,
                         "%s: no job_wall_s is known: energy and wall_s are those of the logged window",
                         runs->columns[WS_COL_RUN].text[row]);
}
