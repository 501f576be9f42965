/* truth.json: what was planted, and what the files hold. */
#include "datasets/synth/write_truth.h"

#include <inttypes.h>

void ws_synth_truth_number(ws_synth_text *text, const char *name, double value)
{
    ws_synth_print(text, ",\"%s\":", name);
    ws_synth_print_double(text, value);
}

static void print_model(ws_synth_text *text, const ws_synth_run *run)
{
    double wall_s = ws_synth_model_wall_s(run->series, run->gpus);
    ws_synth_truth_number(text, "model_wall_s", wall_s);
    ws_synth_truth_number(text, "model_energy_j",
                          ws_synth_model_kwh_per_gpuh(run->series, run->gpus) * 1000 * run->gpus * wall_s);
}

void ws_synth_truth_add_run(ws_synth_text *text, const ws_synth_job *job, bool first)
{
    static const char *const formats[] = {"perun", "nvidia-smi+powercap", "nvidia-smi.gz+powercap"};
    const ws_synth_run *run = job->run;
    double wall_s = ws_synth_trace_wall_s(job->trace);
    double gpu_j = ws_synth_trace_energy_j(job->trace, WS_GPU), cpu_j = ws_synth_trace_energy_j(job->trace, WS_CPU);
    double dram_j = ws_synth_trace_energy_j(job->trace, WS_DRAM);
    ws_synth_print(text,
                   "%s\n  {\"run\":\"%s\",\"job\":\"%" PRId64 "\",\"series\":\"%s\",\"repeat\":%d,\"files\":\"%s\"",
                   first ? "" : ",", job->path, run->job, run->series->name, run->repeat, formats[run->series->layout]);
    ws_synth_print(text, ",\"gpus\":%d,\"nodes\":%d,\"lbs\":%d,\"gbs\":%d,\"epochs\":%d", run->gpus, run->nodes,
                   run->lbs, run->gbs, run->epochs);
    ws_synth_truth_number(text, "wall_s", wall_s);
    ws_synth_truth_number(text, "energy_gpu_j", gpu_j);
    ws_synth_truth_number(text, "energy_cpu_j", cpu_j);
    ws_synth_truth_number(text, "energy_dram_j", dram_j);
    ws_synth_truth_number(text, "energy_j", gpu_j + cpu_j + dram_j);
    ws_synth_truth_number(text, "gpu_h", run->gpus * wall_s / 3600);
    if (run->top1_percent > 0)
        ws_synth_truth_number(text, "error_top1", 100 - run->top1_percent);
    if (run->rmse_z500 > 0)
        ws_synth_truth_number(text, "rmse_z500", run->rmse_z500);
    ws_synth_truth_number(text, "job_wall_s", (double)ws_synth_job_elapsed_s(run));
    ws_synth_truth_number(text, "job_energy_j", ws_synth_job_energy_j(run, job->trace));
    if (run->series->t1_s > 0)
        print_model(text, run);
    ws_synth_print(text, "}");
}

static void print_series(ws_synth_text *text, const ws_synth_series *series, bool first)
{
    ws_synth_print(text, "%s\n  {\"series\":\"%s\"", first ? "" : ",", series->name);
    ws_synth_truth_number(text, "t1_s", series->t1_s);
    ws_synth_truth_number(text, "beta", series->beta);
    ws_synth_truth_number(text, "gpu_power_w", series->gpu_w);
    ws_synth_truth_number(text, "cpu_power_w", series->package_w);
    ws_synth_truth_number(text, "dram_power_w", series->dram_w);
    ws_synth_truth_number(text, "kwh_per_gpuh_full_nodes", ws_synth_model_kwh_per_gpuh(series, WS_SYNTH_GPUS_PER_NODE));
    ws_synth_truth_number(text, "kwh_per_gpuh_2_gpus", ws_synth_model_kwh_per_gpuh(series, 2));
    ws_synth_truth_number(text, "kwh_per_gpuh_1_gpu", ws_synth_model_kwh_per_gpuh(series, 1));
    ws_synth_truth_number(text, "time_sd", series->time_sd);
    ws_synth_truth_number(text, "power_sd", series->power_sd);
    ws_synth_truth_number(text, "reading_sd", series->reading_sd);
    ws_synth_print(text, "}");
}

static void print_excluded(ws_synth_text *text, const ws_synth_campaign *campaign, ws_arena *arena)
{
    bool first = true;
    for (size_t i = 0; i < campaign->n_runs; i++) {
        if (!campaign->runs[i].failed || campaign->runs[i].left_out)
            continue;
        ws_synth_print(text, "%s{\"run\":\"%s\",\"job\":\"%" PRId64 "\",\"reason\":\"" WS_SYNTH_FAILED_REASON "\"}",
                       first ? "" : ",", ws_synth_run_path(arena, &campaign->runs[i]), campaign->runs[i].job);
        first = false;
    }
}

static void print_only(ws_synth_text *text, const ws_synth_campaign *campaign)
{
    for (size_t i = 0; i < campaign->n_only; i++)
        ws_synth_print(text, "%s\"%s\"", i ? "," : " \"only\":[", campaign->only[i]);
    if (campaign->n_only)
        ws_synth_print(text, "],\n");
}

void ws_synth_truth_begin(ws_synth_text *text, const ws_synth_campaign *campaign, ws_arena *arena)
{
    ws_synth_print(text, "{\"schema\":\"wattscale.truth/1\",\n \"synthetic\":true,\n \"about\":\"%s\",\n",
                   campaign->about);
    ws_synth_print(text, " \"kind\":\"%s\",\"seed\":%" PRIu64, campaign->kind, campaign->seed);
    ws_synth_truth_number(text, "scale", campaign->scale);
    ws_synth_print(text, ",\n \"changes\":[");
    for (size_t i = 0; i < campaign->n_changes; i++) {
        ws_synth_print(text, "%s{\"job\":\"%" PRId64 "\"", i ? "," : "", campaign->changes[i].job);
        ws_synth_truth_number(text, "power_factor", campaign->changes[i].factor);
        ws_synth_print(text, "}");
    }
    ws_synth_print(text, "],\n");
    print_only(text, campaign);
    if (campaign->planted) {
        ws_synth_print(text, "%s", campaign->planted);
    } else {
        ws_synth_print(text, " \"series\":[");
        for (size_t i = 0; i < campaign->n_series; i++)
            print_series(text, &campaign->series[i], i == 0);
        ws_synth_print(text, "],\n");
    }
    ws_synth_print(text, " \"excluded\":[");
    print_excluded(text, campaign, arena);
    ws_synth_print(text, "],\n \"runs\":[");
}

void ws_synth_truth_end(ws_synth_text *text)
{
    ws_synth_print(text, "]}\n");
}
