/* A synthetic campaign before it is written: the model that is planted, and the runs drawn from it.
 *
 * The planted model of a series: a run on n GPUs takes t1 * n^-beta, and every device draws a mean power that depends
 * on its domain alone. A repeat differs by a normal factor on its time and another one on its power. */
#ifndef WS_SYNTH_PLAN_H
#define WS_SYNTH_PLAN_H

#include "core/arena.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_SYNTH_GPUS_PER_NODE = 4, WS_SYNTH_SOCKETS = 2, WS_SYNTH_WORKERS = 4 };

/* Which files a run is written as. */
typedef enum ws_synth_layout {
    WS_SYNTH_PERUN = 0, /* one perun file */
    WS_SYNTH_CSV,       /* a node: one nvidia-smi CSV and one powercap log */
    WS_SYNTH_CSV_GZ     /* the same, the nvidia-smi CSV compressed */
} ws_synth_layout;

typedef struct ws_synth_series {
    const char *name;
    ws_synth_layout layout;
    int lbs, gbs; /* the batch size that is held constant; the other one is 0 and follows from the GPUs */
    double period_s;
    double t1_s, beta;
    double gpu_w, package_w, dram_w;      /* mean power of one GPU, of one socket, of the memory of one socket */
    double time_sd, power_sd, reading_sd; /* relative: between repeats, and of a single GPU reading */
} ws_synth_series;

typedef struct ws_synth_run {
    const ws_synth_series *series;
    int gpus, nodes, lbs, gbs, epochs, repeat;
    int64_t job;
    int64_t job_start_ns; /* since the epoch */
    int64_t setup_ns;     /* from the start of the job to the first sample */
    int64_t wall_ns;      /* from the first sample to the last one */
    double power_factor;  /* on every device of the run */
    double top1_percent;  /* accuracy after the last epoch */
    bool failed;          /* its node failed: the traces are cut short, and the campaign excludes it */
} ws_synth_run;

/* RUN=FACTOR of the command line. */
typedef struct ws_synth_change {
    int64_t job;
    double factor;
} ws_synth_change;

typedef struct ws_synth_campaign {
    const char *kind;
    uint64_t seed;
    double scale; /* on the length of every run */
    const ws_synth_change *changes;
    size_t n_changes;

    const char *name, *model, *device; /* from here on filled by the kind */
    int dataset_samples;
    ws_synth_series *series;
    ws_synth_run *runs;
    size_t n_series, n_runs;
    ws_arena arena; /* owns series, runs and texts */
} ws_synth_campaign;

/* A kind of campaign: kind, seed, scale and changes are given, it fills the rest. */
void ws_synth_plan_small(ws_synth_campaign *campaign);

double ws_synth_device_w(const ws_synth_series *series, ws_domain domain); /* planted mean power */
double ws_synth_model_wall_s(const ws_synth_series *series, int gpus);
double ws_synth_model_kwh_per_gpuh(const ws_synth_series *series, int gpus); /* GPU + CPU + DRAM */
int ws_synth_nodes(int gpus);

/* The step of time that the files of a series can hold, in ns. perun keeps seconds as float32: up to 2^24 steps of
 * 1/512 s, or of twice that and so on, are exact in it and in nanoseconds. nvidia-smi writes milliseconds. */
int64_t ws_synth_time_grid_ns(const ws_synth_series *series);

/* "lbs256/4g256b4w10e/9000007": the folder of a run, and its name in truth.json. */
const char *ws_synth_run_path(ws_arena *arena, const ws_synth_run *run);

#endif
