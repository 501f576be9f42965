/* A run's rows in the table of runs: what was measured of it, and what is said of it. */
#ifndef WS_ANALYZE_RUN_ROW_H
#define WS_ANALYZE_RUN_ROW_H

#include "analyze/ingest/run_list.h"
#include "analyze/measure/duplicates.h"

/* The files of a run, read. */
typedef struct ws_run_reading {
    const ws_campaign *campaign;
    const ws_ingest_options *options;
    const ws_run_files *files;
    const ws_run_window *window; /* the run is one inside the files, or NULL */
    ws_measure measure;
    size_t read, failed; /* files; a damaged one is both */
    ws_duplicates duplicates;
} ws_run_reading;

/* Adds a row for each run inside the files: one, mostly. The measure is finished. */
void ws_run_rows_add(ws_run_reading *reading, ws_table *runs);

/* Adds a row for each row of a table of runs that the run's file is. What is said of the run goes before the table. */
void ws_run_rows_copy(const ws_run_reading *reading, const ws_table *rows, ws_table *runs);

/* A run cut out of a log is called by its job, or by the row of its record, under what the files are called. */
const char *ws_run_name(const ws_run_reading *reading, ws_arena *arena);

/* GPUs as the run is described; NaN where it is not. */
double ws_run_described_gpus(const ws_run_reading *reading);

/* Set a field by its name: a standard column, or a new one of its own. */
void ws_runs_set_field(ws_table *runs, size_t row, const char *name, const char *value);

#endif
