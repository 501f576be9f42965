/* A run's rows in the table of runs: what was measured of it, and what is said of it. */
#ifndef WS_ANALYZE_RUN_ROW_H
#define WS_ANALYZE_RUN_ROW_H

#include "analyze/ingest/run_list.h"
#include "analyze/identity/duplicates.h"

/* A run and what its files measured. */
typedef struct ws_run_reading {
    const ws_campaign *campaign;
    const ws_ingest_options *options;
    const ws_run_files *files;
    const ws_run_window *window; /* if the run is a part of its files; else NULL */
    ws_measure measure;
    size_t read, failed; /* files; a damaged file counts as both */
    /* Where several processes read (mpi_ranks.h): how each of the files is read, as the leader has it, records that
     * another one has read, and those that are read for it. NULL: as the rules say, and none. */
    const ws_source_options *resolved;
    struct ws_run_units *given, *kept;
    ws_duplicates duplicates;
} ws_run_reading;

/* Adds a row for each run inside the files, mostly one. ws_measure_finish must have run. */
void ws_run_rows_add(ws_run_reading *reading, ws_table *runs);

/* For a run whose files are tables of runs: adds a row for each of their rows. Values that are stated for the run take
 * precedence over those of the tables. Of several files with energies those of nodes are added, and of those of ranks
 * is asked whose they are. */
void ws_run_records_add(const ws_run_reading *reading, ws_table *records, ws_table *runs);

/* The name of the run: the id of its files; for a window the name of its job or the row of its record, below that
 * id. */
const char *ws_run_name(const ws_run_reading *reading, ws_arena *arena);

/* The number that the description of the run states in a field ("gpus", "nodes"); NaN if it states none. */
double ws_run_described(const ws_run_reading *reading, const char *field);

/* Sets a field by its name, in a standard column or in a new one. */
void ws_runs_set_field(ws_table *runs, size_t row, const char *name, const char *value);

#endif
