#include "datasets/synth/plan.h"

#include <inttypes.h>
#include <math.h>

double ws_synth_device_w(const ws_synth_series *series, ws_domain domain)
{
    return domain == WS_GPU ? series->gpu_w : domain == WS_CPU ? series->package_w : series->dram_w;
}

double ws_synth_model_wall_s(const ws_synth_series *series, int gpus)
{
    return series->t1_s * pow(gpus, -series->beta);
}

int ws_synth_nodes(int gpus)
{
    return (gpus + WS_SYNTH_GPUS_PER_NODE - 1) / WS_SYNTH_GPUS_PER_NODE;
}

double ws_synth_model_kwh_per_gpuh(const ws_synth_series *series, int gpus)
{
    double sockets = WS_SYNTH_SOCKETS * ws_synth_nodes(gpus);
    return (series->gpu_w + sockets * (series->package_w + series->dram_w) / gpus) / 1000;
}

int64_t ws_synth_time_grid_ns(const ws_synth_series *series)
{
    if (series->layout != WS_SYNTH_PERUN)
        return 1000000;
    double longest_ns = 1.1e9 * series->t1_s; /* repeats scatter by a percent or two */
    int64_t grid_ns = 1000000000 / 512;
    while (longest_ns > 0x1p24 * (double)grid_ns)
        grid_ns *= 2;
    return grid_ns;
}

const char *ws_synth_run_path(ws_arena *arena, const ws_synth_run *run)
{
    return ws_arena_printf(arena, "%s/%dg%db%dw%de/%" PRId64, run->series->name, run->gpus, run->lbs, WS_SYNTH_WORKERS,
                           run->epochs, run->job);
}
