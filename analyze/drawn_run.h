/* The run that a report most likely draws over time, the first of those described with the most GPUs: its profiles are
 * taken while it is read. Where all runs come to another one, that one's traces are read once more. */
#ifndef WS_ANALYZE_DRAWN_RUN_H
#define WS_ANALYZE_DRAWN_RUN_H

#include "analyze/ingest/run_row.h"
#include "analyze/measure/profile_tap.h"

/* {0} until the runs are read. */
typedef struct ws_drawn_run {
    const ws_run_files *run; /* while runs are read; NULL: none says how many GPUs it has, and there are several */
    const char *id;          /* of that run, as its list has it */
    size_t n_files;
    ws_profiles profiles;
    ws_profile_tap tap; /* of the file that is read now */
    size_t n_begun;     /* files */
    bool is_broken;     /* a file was read twice or in parts */
} ws_drawn_run;

void ws_drawn_run_choose(ws_drawn_run *drawn, const ws_campaign *campaign, const ws_run_files *files, size_t n,
                         const ws_ingest_options *options);

/* The sink before `to` for a file of `run`, or `to` itself of any other. ws_drawn_run_end follows. */
ws_sink ws_drawn_run_sink(ws_drawn_run *drawn, const ws_run_files *run, size_t file, const ws_sink *to);
void ws_drawn_run_end(ws_drawn_run *drawn, const ws_run_files *run);

/* Were all its files read, each once from end to end? One that a store knows is not. */
bool ws_drawn_run_is_whole(const ws_drawn_run *drawn);
void ws_drawn_run_free(ws_drawn_run *drawn);

#endif
