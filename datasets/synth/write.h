/* Writers: each one puts the files of one format for one run under the campaign's folder. */
#ifndef WS_SYNTH_WRITE_H
#define WS_SYNTH_WRITE_H

#include "core/status.h"
#include "datasets/synth/outfile.h"
#include "datasets/synth/plan.h"
#include "datasets/synth/trace.h"

/* What a writer of a run gets. `dir` is the campaign's folder, `path` the run's folder below it. */
typedef struct ws_synth_job {
    const char *dir, *path;
    const ws_synth_campaign *campaign;
    const ws_synth_run *run;
    const ws_synth_trace *trace;
    ws_arena *arena; /* for texts of the length of one run */
} ws_synth_job;

/* Texts that grow by a piece a run. */
typedef struct ws_synth_lists {
    ws_synth_text truth, ledger;
    bool first; /* nothing is in truth yet */
} ws_synth_lists;

ws_status ws_synth_write_perun(const ws_synth_job *job, ws_error *error);
ws_status ws_synth_write_nvidia_smi(const ws_synth_job *job, ws_error *error);
ws_status ws_synth_write_powercap(const ws_synth_job *job, ws_error *error);
ws_status ws_synth_write_job_log(const ws_synth_job *job, ws_error *error);
ws_status ws_synth_write_torch_list(const ws_synth_job *job, ws_error *error);

/* A run that is a window: its traces, its line of the manifest and its truth. */
ws_status ws_synth_write_window_run(const ws_synth_job *job, ws_synth_lists *lists, ws_error *error);

/* All runs, then campaign.json, the ledger, truth.json and README.md. */
ws_status ws_synth_write_campaign(const char *dir, const ws_synth_campaign *campaign, ws_error *error);

/* What the scheduler saw of a run: start-up and end included, and the node beside its GPUs, sockets and memory. */
int64_t ws_synth_job_elapsed_s(const ws_synth_run *run);
double ws_synth_job_energy_j(const ws_synth_run *run, const ws_synth_trace *trace);

/* "node3" for node 2, and the identity of a GPU, which stays with the hardware. */
const char *ws_synth_node_name(ws_arena *arena, int node);
const char *ws_synth_gpu_uuid(ws_arena *arena, int node, int index);

#endif
