/* A window of a run: nvidia-smi at 100 ms on every node, for at most a minute out of hours. */
#ifndef WS_SYNTH_WINDOW_H
#define WS_SYNTH_WINDOW_H

#include "datasets/synth/write.h"
#include "datasets/synth/outfile.h"

#define WS_SYNTH_UNDER_CAP \
    0.97 /* of a cap: the highest mean power under it, three times the noise of a reading below */

/* What is planted for the GPUs of a run: mean power in W, utilisation of SMs and memory in %, settings. */
typedef struct ws_synth_window {
    double power_w, util, util_sd, mem_util;
    int power_cap_w, clock_mhz, memory_mib;
    int64_t length_ns;
    int64_t start_ns; /* since the first second of the training */
} ws_synth_window;

/* What the files hold: means over the GPUs, utilisation as a ratio, time-weighted. */
typedef struct ws_synth_window_truth {
    double energy_j, util_mean, util_cv, mem_util_mean, mem_util_cv;
} ws_synth_window_truth;

/* "gpu_<node>.csv" a node. */
ws_status ws_synth_write_window(const ws_synth_job *job, const ws_synth_window *window, ws_synth_window_truth *truth,
                                ws_error *error);

#endif
