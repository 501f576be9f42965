/* What is planted in the kind "huber2025": the numbers of Huber et al. 2025, and what is assumed where none is printed.
 */
#ifndef WS_SYNTH_HUBER_TABLE_H
#define WS_SYNTH_HUBER_TABLE_H

#include "datasets/synth/plan.h"
#include "datasets/synth/planted_number.h"

typedef struct ws_synth_huber_series {
    const char *name, *model, *device, *about;
    const ws_synth_hardware *hardware;
    int dataset_samples, epochs;
    double gpu_dip;
    const char *phase; /* NULL: not said */
} ws_synth_huber_series;

/* Shares of the energy; the GPUs have the rest. */
typedef struct ws_synth_huber_split {
    double cpu, dram;
    const ws_synth_mark *gpu_mark, *cpu_mark, *dram_mark;
} ws_synth_huber_split;

typedef struct ws_synth_huber_config {
    const char *series;
    int gpus, lbs, factor, repeats; /* the data set is 1/factor of the whole one */
    double energy_kwh, energy_rmse, gpu_h,
        gpu_h_rmse; /* over the repeats, divisor n; an rmse of 0: the assumed share */
    const ws_synth_mark *energy_mark, *gpu_h_mark, *rmse_mark;
    const ws_synth_huber_split *split;
    double error_top1; /* %, 0: not planted */
    const ws_synth_mark *error_mark;
    const char *same_runs_as; /* an earlier series whose runs on as many GPUs are these runs */
} ws_synth_huber_config;

extern const ws_synth_huber_series ws_synth_huber_series_list[];
extern const ws_synth_huber_config ws_synth_huber_configs[];
extern const size_t ws_synth_huber_series_n, ws_synth_huber_configs_n;

/* Spread of repeats whose spread is not printed, relative. */
extern const double ws_synth_huber_energy_spread, ws_synth_huber_time_spread;

/* RMSE of Z500 of a forecast, in m^2/s^2: assumed, since the paper prints none. It grows with the global batch size. */
double ws_synth_huber_rmse_z500(const ws_synth_huber_series *series, const ws_synth_huber_config *config);

/* JSON: what the paper says in two ways or not at all. */
extern const char ws_synth_huber_left_out[];

#endif
