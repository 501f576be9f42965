/* Files of a run that a store may have read before (store/store.h), or another process (mpi_ranks.h). */
#ifndef WS_ANALYZE_RUN_RECALL_H
#define WS_ANALYZE_RUN_RECALL_H

#include "analyze/ingest/run_row.h"
#include "analyze/measure/cutter.h"
#include "analyze/measure/pack.h"
#include "analyze/store/store.h"

struct ws_packer; /* measure/packer_internal.h */

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
    const char *kind;
    ws_log_reading log; /* how a file by itself is read, after ws_recall_ask or ws_recall_ask_log */
    ws_log_place from;
} ws_recall;

/* Records of a run on their way from one process to another. */
typedef struct ws_run_unit {
    size_t first, n; /* files */
    const char *kind;
    const char **formats; /* one a file; NULL where it is not known */
    const char **sha256;  /* likewise; known where somebody asks for it */
    ws_packed record;
    ws_packed log; /* of ws_read_unit */
} ws_run_unit;

typedef struct ws_run_units {
    ws_run_unit *units;
    size_t n, capacity;
    ws_arena arena;              /* of formats and kinds */
    const ws_file_state *before; /* of the files of the run, when they were handed out */
} ws_run_units;
void ws_run_units_free(ws_run_units *units);
void ws_run_units_pack(struct ws_packer *p,
                       ws_run_units *units); /* writes or reads, as those of measure/packer_internal.h */

/* Has the store all that was read of these files in that way, or all but what a log has grown by? */
bool ws_recall_is_known(ws_recall *recall, const ws_cut *cuts, const char *kind);

/* Is there anybody to ask, or to hand anything to? */
bool ws_recall_is_of_use(const ws_run_reading *run);

/* What is done with the files of a unit. */
#define WS_RECALL_ALONE "alone"
#define WS_RECALL_EACH_ONCE "each once"
#define WS_RECALL_WINDOWS "windows"

/* Asks what other processes have read and then the store of the run's options; `cuts` are the windows that the measures
 * belong to, or NULL, and `kind` says what else is done with the files. True: measures and notes are as if the files
 * had been read. */
bool ws_recall_ask(ws_recall *recall, const ws_cut *cuts, const char *kind);

/* Asks the store what it has of a file by itself from when that was shorter. True: measures and notes are as if the
 * file had been read up to `from`, and `log` has it read on from there. */
bool ws_recall_ask_log(ws_recall *recall);

/* The file could not be read on from there: measures and notes begin again, and `log` has it read whole. */
void ws_recall_begin_again(ws_recall *recall);

/* Hands what was read of the files to the store, or to the process that asked for it. */
void ws_recall_keep(ws_recall *recall);

/* Have they changed since they were asked for, while a store is written? */
bool ws_recall_is_outdated(ws_recall *recall);

void ws_recall_free(ws_recall *recall);

#endif
