/* Files of a run that a store may have read before (store/store.h). */
#ifndef WS_ANALYZE_RUN_RECALL_H
#define WS_ANALYZE_RUN_RECALL_H

#include "analyze/ingest/run_row.h"
#include "analyze/measure/cutter.h"
#include "analyze/store/store.h"

/* How a file of the run is read, after everything that its description says. */
ws_source_options ws_run_read_options(const ws_run_reading *run, const struct ws_run_file *file);

/* Measures of some files, their notes, and how many of the files are damaged: what is asked for and what is kept. */
typedef struct ws_recall {
    const ws_run_reading *run;
    const struct ws_run_file *files; /* adjacent ones of the run */
    size_t n;
    ws_measure **measures; /* initialised */
    size_t n_measures;
    ws_notes *notes;
    uint64_t damaged;
    const char **paths;
    ws_read_unit unit;
} ws_recall;

/* Asks the store of the run's options; `cuts` are the windows that the measures belong to, or NULL, and `kind` says
 * what else is done with the files. True: measures and notes are as if the files had been read. */
bool ws_recall_ask(ws_recall *recall, const ws_cut *cuts, const char *kind);

/* Hands what was read of the files to the store. */
void ws_recall_keep(ws_recall *recall);

/* Have they changed since they were asked for, while a store is written? */
bool ws_recall_is_outdated(const ws_recall *recall);

void ws_recall_free(ws_recall *recall);

#endif
