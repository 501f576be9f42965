/* A synthetic campaign before it is written: what is planted, and the runs drawn from it.
 *
 * A series either has a model: a run on n GPUs takes t1 * n^-beta, and every device draws a mean power that depends on
 * its domain alone; a repeat differs by a normal factor on its time and another one on its power. Or its runs are
 * pinned: each one has its own wall time and its own energy in each domain, which its files then hold. */
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
    WS_SYNTH_CSV_GZ,    /* the same, the nvidia-smi CSV compressed */
    WS_SYNTH_WINDOW     /* a node: one nvidia-smi CSV of a part of the run */
} ws_synth_layout;

typedef struct ws_synth_hardware {
    const char *gpu, *cpu, *partition; /* as perun and the scheduler name them */
    int cores, threads;                /* of a node */
    double gpu_limit_w;
} ws_synth_hardware;

typedef struct ws_synth_series {
    const char *name;
    const char *about; /* for README.md; NULL: what its files are */
    const ws_synth_hardware *hardware;
    ws_synth_layout layout;
    int lbs, gbs; /* the batch size that is held constant; the other one is 0 and follows from the GPUs */
    double period_s;
    double t1_s, beta;                    /* of the model; 0 where the runs are pinned */
    double gpu_w, package_w, dram_w;      /* mean power of one GPU, of one socket, of the memory of one socket */
    double gpu_dip;                       /* share by which the power of a GPU falls after an epoch */
    bool base_line;                       /* it falls and comes back at once, instead of along ramps */
    double time_sd, power_sd, reading_sd; /* relative: between repeats, and of a single GPU reading */
} ws_synth_series;

typedef struct ws_synth_run {
    const ws_synth_series *series;
    int gpus, nodes, lbs, gbs, epochs, repeat;
    int factor; /* the data set is 1/factor of the whole one; 0 and 1: the whole one */
    int64_t job;
    int64_t grid_ns;                    /* step of time that its files can hold */
    int64_t job_start_ns;               /* since the epoch */
    int64_t setup_ns;                   /* from the start of the job to the first sample */
    int64_t wall_ns;                    /* from the first sample to the last one */
    double power_factor;                /* on every device of the run */
    double energy_j[WS_DRAM + 1];       /* of a pinned run, by domain; 0: the model of the series holds */
    double rmse_z500;                   /* of the forecast after the last epoch; 0: there is none */
    double top1_percent;                /* accuracy after the last epoch; 0: there is none */
    const struct ws_synth_run *same_as; /* the earlier run whose files these are too, or NULL */
    bool left_out;                      /* by --only: nothing of it is written */
    bool failed;                        /* its node failed: the traces are cut short, and the campaign excludes it */
} ws_synth_run;

/* RUN=FACTOR of the command line. */
typedef struct ws_synth_change {
    int64_t job;
    double factor;
} ws_synth_change;

typedef struct ws_synth_campaign {
    const char *kind;
    uint64_t seed;
    double scale; /* on the length of every run, or on the number of its samples where times are pinned */
    const ws_synth_change *changes;
    size_t n_changes;
    const char *const *only; /* starts of the paths of the runs that are written; none: all of them */
    size_t n_only;
    bool raw; /* perun's files hold readings, and what perun computes from them for the whole run alone */

    const char *name, *model, *device; /* from here on filled by the kind */
    int dataset_samples;
    const char *ledger;  /* the file with a line a run: sacct.txt, manifest.csv or NULL */
    const char *about;   /* truth.json: what its numbers mean */
    const char *planted; /* truth.json: members with what is planted, where the series have no model */
    const char *rules;   /* campaign.json: defaults, paths and side files */
    const char *readme;  /* README.md: what is planted and where it lies */
    ws_synth_series *series;
    ws_synth_run *runs;
    size_t n_series, n_runs;
    ws_arena arena; /* owns series, runs and texts */
} ws_synth_campaign;

/* Kinds of campaigns: kind, seed, scale, changes and only are given, they fill the rest. */
void ws_synth_plan_small(ws_synth_campaign *campaign);
void ws_synth_plan_huber(ws_synth_campaign *campaign);
void ws_synth_plan_frey(ws_synth_campaign *campaign);

extern const ws_synth_hardware ws_synth_a100, ws_synth_h100;

double ws_synth_change_of(const ws_synth_campaign *campaign, int64_t job); /* product of its changes, 1 for none */

double ws_synth_device_w(const ws_synth_series *series, ws_domain domain); /* planted mean power */
double ws_synth_model_wall_s(const ws_synth_series *series, int gpus);
double ws_synth_model_kwh_per_gpuh(const ws_synth_series *series, int gpus); /* GPU + CPU + DRAM */
int ws_synth_nodes(int gpus);

/* The step of time that files of a layout can hold for a run of at most `longest_s`, in ns. perun keeps seconds as
 * float32: up to 2^24 steps of 1/512 s, or of twice that and so on, are exact in it and in nanoseconds. nvidia-smi
 * writes milliseconds. */
int64_t ws_synth_time_grid_ns(ws_synth_layout layout, double longest_s);

/* "lbs256/4g256b4w10e/9000007", "lbs256/4g256b4w100e64sf/9100012", "table2-bert/8gpus/9200031" for a window: the folder
 * of a run, and its name in truth.json. */
const char *ws_synth_run_path(ws_arena *arena, const ws_synth_run *run);

#endif
