/* Layouts: small campaigns that differ in nothing but how their folders and files are called, and by which tool.
 *
 * A layout is a row of a table: a path with {places}, the values that go into them, the format of the traces. Every run
 * has its own length and its own power, so that no two energies are the same and a total says which files went into it.
 */
#ifndef WS_SYNTH_LAYOUT_H
#define WS_SYNTH_LAYOUT_H

#include "core/arena.h"
#include "core/status.h"
#include "datasets/synth/outfile.h"
#include "datasets/synth/rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { WS_LAYOUT_AXES = 6, WS_LAYOUT_VALUES = 6, WS_LAYOUT_GPUS = 16 };

/* What varies: a standard column of the table of runs or a name of its own. "repeat" and "seed" make repeats, all
 * others configurations. */
typedef struct ws_layout_axis {
    const char *name;
    const char *values[WS_LAYOUT_VALUES];
} ws_layout_axis;

typedef enum ws_layout_kind {
    WS_LAYOUT_SMI = 0,    /* nvidia-smi --query-gpu with index */
    WS_LAYOUT_DMON,       /* nvidia-smi dmon -o DT */
    WS_LAYOUT_ZEUS,       /* log_file of ZeusMonitor */
    WS_LAYOUT_CODECARBON, /* emissions.csv */
    WS_LAYOUT_PERF,       /* perf stat: energy of one package */
    WS_LAYOUT_BRIDGE,     /* EnergiBridge: counters in J of one package */
    WS_LAYOUT_PERUN,      /* perun's HDF5 file */
    WS_LAYOUT_MLPERF,     /* power of nodes in MLPerf's log */
    WS_LAYOUT_TIMES       /* no power at all */
} ws_layout_kind;

/* What the path does not tell. */
enum {
    WS_LAYOUT_UNSAID = 1,     /* which runs are repeats: each may stand alone */
    WS_LAYOUT_OWN_GPU = 2,    /* a file of {rank} holds that GPU alone; else all of its node */
    WS_LAYOUT_PARALLEL = 4,   /* all runs begin and end together, on GPUs of their own */
    WS_LAYOUT_DAYS = 8,       /* a file a day: each run goes over midnight */
    WS_LAYOUT_UNINDEXED = 16, /* no column tells GPUs apart, and stamps are whole seconds */
    WS_LAYOUT_HOST = 32       /* a table of a script of one's own: each file holds the node's processor, too */
};

typedef struct ws_layout_run {
    const char *values[WS_LAYOUT_AXES]; /* of the axes */
    uint64_t number;                    /* from 0 */
    int64_t start_ns;                   /* since the epoch */
    int seconds, gpus, nodes, gpus_per_node;
    double gpu_w[WS_LAYOUT_GPUS]; /* mean power of each */
    double energy_j, gpu_j;       /* what its files hold; filled by the writer */
    const char *job, *uid;
} ws_layout_run;

typedef struct ws_layout ws_layout;

typedef struct ws_layout_job {
    const char *dir;
    const ws_layout *layout;
    const ws_layout_axis *axes; /* those of the layout, or of the seed */
    uint64_t seed;
    ws_layout_run *runs;
    size_t n_runs;
    ws_arena arena;
} ws_layout_job;

struct ws_layout {
    const char *name;
    const char *path; /* of a trace */
    const char *seen; /* where such names stand: a tool's documentation, a repository */
    ws_layout_axis axes[WS_LAYOUT_AXES];
    ws_layout_kind kind;
    int gpus;          /* of a run where no axis says it */
    int gpus_per_node; /* 0: all of them */
    unsigned flags;
    /* Files beside the traces: of each run, then of the campaign. */
    ws_status (*beside)(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
    ws_status (*above)(ws_layout_job *job, ws_error *error);
};

extern const ws_layout ws_layouts[];
extern const size_t ws_layout_count;

/* The value of a {place} for one file of a run, in the arena: an axis, job, n, n1, uid, date, time, day, day_first,
 * clock_time, node, node1, node_word, node_role, rank, part, rotation, gpu_id. */
typedef struct ws_layout_file {
    const ws_layout_run *run;
    int node, rank, part; /* of the file; part counts from 1 */
} ws_layout_file;
const char *ws_layout_fill(ws_layout_job *job, const char *path, const ws_layout_file *file);
const char *ws_layout_value(const ws_layout_job *job, const ws_layout_run *run, const char *axis); /* NULL: none */

/* Writes the traces of a run and fills its energies. */
ws_status ws_layout_write_run(ws_layout_job *job, ws_layout_run *run, ws_error *error);

/* Files that are no traces: figures, programs' output, notes. */
ws_status ws_layout_clutter(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_sacct(ws_layout_job *job, ws_error *error);
ws_status ws_layout_sacct_names(ws_layout_job *job, ws_error *error);
ws_status ws_layout_run_table(ws_layout_job *job, ws_error *error);
ws_status ws_layout_metadata(ws_layout_job *job, ws_error *error);
ws_status ws_layout_mlperf_result(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_mlperf_raw(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_mlperf_submission(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_hydra(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_params(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_mlflow(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_dvc_lock(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_array_out(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_submitit(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_wandb(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_metrics(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_train_log(ws_layout_job *job, const ws_layout_run *run, ws_error *error);
ws_status ws_layout_rapl(ws_layout_job *job, const ws_layout_run *run, ws_error *error); /* and adds its energy */

/* The campaign of a layout and truth.csv beside it (DIR/truth.csv, DIR/campaign/...); WS_USAGE: there is no such
 * layout. Seed 1 writes the values of the table, others draw their own. */
ws_status ws_layout_write(const char *name, const char *dir, uint64_t seed, ws_error *error);
ws_status ws_layout_write_all(const char *dir, uint64_t seed, ws_error *error); /* DIR/NAME of each layout */
void ws_layout_list(FILE *out);

#endif
