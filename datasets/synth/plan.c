#include "datasets/synth/plan.h"

#include <inttypes.h>
#include <math.h>

/* The nodes of HoreKa, as the authors of Huber et al. 2025 describe them. */
const ws_synth_hardware ws_synth_a100 = {.gpu = "NVIDIA A100-SXM4-40GB",
                                         .cpu = "Intel(R) Xeon(R) Platinum 8368 CPU @ 2.40GHz",
                                         .partition = "accelerated",
                                         .cores = 76,
                                         .threads = 152,
                                         .gpu_limit_w = 400};
const ws_synth_hardware ws_synth_h100 = {.gpu = "NVIDIA H100",
                                         .cpu = "AMD EPYC 9354 32-Core Processor",
                                         .partition = "accelerated-h100",
                                         .cores = 64,
                                         .threads = 128,
                                         .gpu_limit_w = 700};

double ws_synth_change_of(const ws_synth_campaign *campaign, int64_t job)
{
    double factor = 1;
    for (size_t i = 0; i < campaign->n_changes; i++)
        if (campaign->changes[i].job == job)
            factor *= campaign->changes[i].factor;
    return factor;
}

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

int64_t ws_synth_time_grid_ns(ws_synth_layout layout, double longest_s)
{
    if (layout != WS_SYNTH_PERUN)
        return 1000000;
    double longest_ns = 1e9 * longest_s;
    int64_t grid_ns = 1000000000 / 512;
    while (longest_ns > 0x1p24 * (double)grid_ns)
        grid_ns *= 2;
    return grid_ns;
}

const char *ws_synth_run_path(ws_arena *arena, const ws_synth_run *run)
{
    if (run->series->layout == WS_SYNTH_WINDOW)
        return ws_arena_printf(arena, "%s/%dgpus/%" PRId64, run->series->name, run->gpus, run->job);
    const char *subset = run->factor > 1 ? ws_arena_printf(arena, "%dsf", run->factor) : "";
    return ws_arena_printf(arena, "%s/%dg%db%dw%de%s/%" PRId64, run->series->name, run->gpus, run->lbs,
                           WS_SYNTH_WORKERS, run->epochs, subset, run->job);
}
