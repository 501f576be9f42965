/* The numbers that perun 0.8.10 derives from its readings and stores beside them, from the sensor up to the app. */
#ifndef WS_SYNTH_PERUN_METRICS_H
#define WS_SYNTH_PERUN_METRICS_H

#include "core/sample.h"
#include "datasets/synth/hdf5_out.h"

/* Energy and power by domain (GPU, CPU, DRAM), of the domains that are there; the time is the longest below. */
typedef struct ws_synth_perun_sums {
    double energy_j[WS_DRAM + 1], power_w[WS_DRAM + 1];
    bool has[WS_DRAM + 1];
    double runtime_s;
} ws_synth_perun_sums;

void ws_synth_perun_sums_add(ws_synth_perun_sums *sums, const ws_synth_perun_sums *part);

typedef enum ws_synth_perun_level {
    WS_SYNTH_PERUN_DEVICES, /* sensor, device group, host */
    WS_SYNTH_PERUN_RUN,     /* with money and CO2 */
    WS_SYNTH_PERUN_STATS    /* the same as statistics over runs, of which there is one */
} ws_synth_perun_level;

/* Writes the group "metrics" of `parent`. */
void ws_synth_perun_metrics(ws_synth_hdf5 *out, hid_t parent, const ws_synth_perun_sums *sums,
                            ws_synth_perun_level level);

#endif
