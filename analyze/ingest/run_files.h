/* The files of each run as a table: `wattscale runs --files`. */
#ifndef WS_ANALYZE_RUN_FILES_H
#define WS_ANALYZE_RUN_FILES_H

#include "analyze/ingest/run_history.h"
#include "analyze/input_register.h"

/* Of the rows of the table of runs, in their order: traces, the record of the window, and side files that gave a cell;
 * or the table that the row stands in. Columns: run role path node format size sha256 path_rule devices samples missing
 * findings; size and sha256 of the archive for a file inside one. `files` is initialised here; notes are those of the
 * runs. */
void ws_run_files_table(const ws_table *runs, const ws_history *history, const ws_input_register *inputs,
                        ws_table *files);

/* The size and SHA-256 of a file, of the archive for one that lies inside (*is_archived); NULL where it was not read or
 * is a pipe. ws_run_files_register takes up the archives first. */
const ws_registered_input *ws_run_file_digest(const ws_input_register *inputs, const char *path, bool *is_archived);
void ws_run_files_register(const ws_history *history, ws_input_register *inputs);

/* What a file holds of the devices of a run that have a column of power or energy. */
typedef struct ws_file_readings {
    size_t devices;
    uint64_t samples, missing;
} ws_file_readings;
ws_file_readings ws_run_file_readings(const ws_run_history *run, const char *path);

#endif
