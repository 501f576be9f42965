/* A run of the kind "frey2022": its window on every node, its line of manifest.csv and its truth. */
#include "datasets/synth/frey_table.h"
#include "datasets/synth/rng.h"
#include "datasets/synth/window.h"
#include "datasets/synth/write_truth.h"

#include <inttypes.h>
#include <math.h>

enum { STREAM_RUN = 4000 };

/* Memory utilisation falls with the doublings of the GPUs, through its values on 2 and 128. */
static double mem_util_of(const ws_synth_frey_model *model, int gpus)
{
    double share = log((double)gpus / 2) / log(64);
    double util = model->mem_util * pow(model->mem_util_128 / model->mem_util, share);
    return util > 5 ? util : 5;
}

static ws_synth_window window_of(const ws_synth_job *job)
{
    const ws_synth_run *run = job->run;
    const ws_synth_frey_series *series = &ws_synth_frey_series_list[run->series - job->campaign->series];
    const ws_synth_frey_model *model = ws_synth_frey_model_of(series);
    const ws_synth_frey_cap *cap = ws_synth_frey_cap_of(series);
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, job->campaign->seed, STREAM_RUN + (uint64_t)run->job);
    ws_synth_window window = {.power_w = model->power_w * cap->power_factor * run->power_factor,
                              .util = model->util,
                              .util_sd = model->util > 95 ? 1.5 : 7,
                              .mem_util = mem_util_of(model, run->gpus),
                              .power_cap_w = series->power_cap_w,
                              .clock_mhz = cap->clock_mhz,
                              .memory_mib = 9000 + 70 * model->lbs,
                              .length_ns = llround(600 * job->campaign->scale) * 100000000};
    double latest_s = (double)(run->wall_ns - window.length_ns) / 1e9;
    window.start_ns = (int64_t)ws_synth_rng_uniform(&rng, 0, latest_s) * 1000000000;
    return window;
}

/* A cell stays empty where the paper prints no clock. */
static void add_to_manifest(ws_synth_text *text, const ws_synth_job *job, const ws_synth_frey_series *series)
{
    const ws_synth_run *run = job->run;
    if (!text->n)
        ws_synth_print(text, "job,model,model_class,lbs,epochs,power_cap_w,clock_cap_hz,epoch_s,job_wall_s\n");
    ws_synth_print(text, "%" PRId64 ",%s,%s,%d,%d,%d,", run->job, series->model,
                   ws_synth_frey_model_of(series)->model_class, run->lbs, run->epochs, series->power_cap_w);
    if (series->clock_cap_mhz)
        ws_synth_print(text, "%d000000", series->clock_cap_mhz);
    int64_t epoch_us = run->wall_ns / run->epochs / 1000, wall_us = run->wall_ns / 1000;
    ws_synth_print(text, ",%" PRId64 ".%06d,%" PRId64 ".%06d\n", epoch_us / 1000000, (int)(epoch_us % 1000000),
                   wall_us / 1000000, (int)(wall_us % 1000000));
}

static void add_truth(ws_synth_lists *lists, const ws_synth_job *job, const ws_synth_window *window,
                      const ws_synth_window_truth *truth)
{
    const ws_synth_run *run = job->run;
    ws_synth_text *text = &lists->truth;
    double window_s = (double)window->length_ns / 1e9, wall_s = (double)run->wall_ns / 1e9;
    double power_w = truth->energy_j / window_s / run->gpus;
    ws_synth_print(
        text, "%s\n  {\"run\":\"%s\",\"job\":\"%" PRId64 "\",\"series\":\"%s\",\"repeat\":%d,\"files\":\"nvidia-smi\"",
        lists->first ? "" : ",", job->path, run->job, run->series->name, run->repeat);
    ws_synth_print(text, ",\"gpus\":%d,\"nodes\":%d,\"lbs\":%d,\"gbs\":%d,\"epochs\":%d", run->gpus, run->nodes,
                   run->lbs, run->gbs, run->epochs);
    ws_synth_truth_number(text, "window_s", window_s);
    ws_synth_truth_number(text, "epoch_s", wall_s / run->epochs);
    ws_synth_truth_number(text, "job_wall_s", wall_s);
    ws_synth_truth_number(text, "energy_gpu_j", truth->energy_j);
    ws_synth_truth_number(text, "gpu_power_w", power_w);
    ws_synth_truth_number(text, "util_mean", truth->util_mean);
    ws_synth_truth_number(text, "util_cv", truth->util_cv);
    ws_synth_truth_number(text, "mem_util_mean", truth->mem_util_mean);
    ws_synth_truth_number(text, "mem_util_cv", truth->mem_util_cv);
    ws_synth_truth_number(text, "training_kwh", power_w * run->gpus * wall_s / 3.6e6);
    ws_synth_print(text, "}");
    lists->first = false;
}

ws_status ws_synth_write_window_run(const ws_synth_job *job, ws_synth_lists *lists, ws_error *error)
{
    ws_synth_window window = window_of(job);
    ws_synth_window_truth truth;
    ws_status status = ws_synth_write_window(job, &window, &truth, error);
    add_to_manifest(&lists->ledger, job, &ws_synth_frey_series_list[job->run->series - job->campaign->series]);
    add_truth(lists, job, &window, &truth);
    return status;
}
