/* The files of a layout. Powers are a level for each GPU and a dither that repeats every five seconds, in hundredths of
 * a watt, so that the truth is a sum of the numbers in the file. */
#include "core/exactsum.h"
#include "datasets/synth/layout.h"
#include "datasets/synth/plan.h"
#include "datasets/synth/trace.h"
#include "datasets/synth/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a literal that may hold zeros. */
#define PUT_BYTES(text, literal) ws_synth_put(text, literal, sizeof(literal) - 1)

static const int64_t S = 1000000000, MS = 1000000;

static int64_t reading_cw(const ws_layout_run *run, int gpu, int i)
{
    return llround(run->gpu_w[gpu] * 100) + 150 * ((i * 7 + gpu * 3) % 5 - 2);
}

/* The trapezoid of the readings from second `from` to second `to`. */
static double energy_j(const ws_layout_run *run, int gpu, int from, int to)
{
    int64_t twice_cw = 0;
    for (int i = from; i < to; i++)
        twice_cw += reading_cw(run, gpu, i) + reading_cw(run, gpu, i + 1);
    return (double)twice_cw / 200;
}

static ws_status save(ws_layout_job *job, const char *path, ws_synth_text *text, ws_error *error)
{
    size_t n = strlen(path);
    const char *name = ws_arena_printf(&job->arena, "campaign/%s", path);
    ws_status status = ws_synth_save(job->dir, name, text, n > 3 && strcmp(path + n - 3, ".gz") == 0, error);
    ws_synth_text_free(text);
    return status;
}

/* "2025/11/21 12:30:00.000, 0, 251.34 W, 97 %" */
static void print_smi(ws_synth_text *text, const ws_layout_file *file, int first, int last, int from, int to,
                      bool is_indexed)
{
    const ws_layout_run *run = file->run;
    ws_synth_print(text, "timestamp, %spower.draw [W], utilization.gpu [%%]\n", is_indexed ? "index, " : "");
    for (int i = from; i <= to; i++) {
        for (int g = first; g <= last; g++) {
            int64_t now_ns = run->start_ns + i * S + (file->rank * 37 + (g - first) * 3) * MS;
            int64_t cw = reading_cw(run, g, i + (first < last ? file->rank : 0));
            ws_synth_print_time(text, now_ns, '/', ' ');
            if (is_indexed)
                ws_synth_print(text, ".%03d, %d", (int)(now_ns / MS % 1000), g % run->gpus_per_node);
            ws_synth_print(text, ", %" PRId64 ".%02d W, %d %%\n", cw / 100, (int)(cw % 100), 90 + (i + g) % 9);
        }
    }
}

static int64_t processor_cw(const ws_layout_run *run, int i)
{
    return 8000 + (int64_t)(run->number % 7) * 900 + 250 * ((i * 5) % 7 - 3);
}

static double processor_j(const ws_layout_run *run)
{
    int64_t twice_cw = 0;
    for (int i = 0; i < run->seconds; i++)
        twice_cw += processor_cw(run, i) + processor_cw(run, i + 1);
    return (double)twice_cw / 200;
}

/* "1763728200.037,251.34,80.12": each rank reads the processor at its own time, and not quite the same power. */
static void print_host(ws_synth_text *text, const ws_layout_file *file, int first, int last)
{
    const ws_layout_run *run = file->run;
    ws_synth_print(text, "timestamp");
    for (int g = first; g <= last; g++)
        ws_synth_print(text, ",gpu%d_power", g);
    ws_synth_print(text, ",cpu0_power\n");
    for (int i = 0; i <= run->seconds; i++) {
        int64_t now_ms = run->start_ns / MS + i * 1000 + file->rank * 37;
        int64_t cpu_cw = processor_cw(run, i) + file->rank * ((i + file->rank) % 5 - 2);
        ws_synth_print(text, "%" PRId64 ".%03d", now_ms / 1000, (int)(now_ms % 1000));
        for (int g = first; g <= last; g++)
            ws_synth_print(text, ",%.2f", (double)reading_cw(run, g, i) / 100);
        ws_synth_print(text, ",%.2f\n", (double)cpu_cw / 100);
    }
}

/* nvidia-smi dmon -s pu -o DT: whole watts. */
static void print_dmon(ws_synth_text *text, const ws_layout_run *run, int first, int last)
{
    ws_synth_print(text, "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem    enc    dec\n"
                         "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %%      %%      %%      %%\n");
    for (int i = 0; i <= run->seconds; i++) {
        for (int g = first; g <= last; g++) {
            ws_synth_text stamp = {0};
            ws_synth_print_time(&stamp, run->start_ns + i * S, '-', ' ');
            ws_synth_print(text, " %.4s%.2s%.2s   %.8s %6d %6" PRId64 "     55      -     97     40      0      0\n",
                           stamp.p, stamp.p + 5, stamp.p + 8, stamp.p + 11, g, reading_cw(run, g, i) / 100);
            ws_synth_text_free(&stamp);
        }
    }
}

static double dmon_energy_j(const ws_layout_run *run, int gpu)
{
    int64_t twice_w = 0;
    for (int i = 0; i < run->seconds; i++)
        twice_w += reading_cw(run, gpu, i) / 100 + reading_cw(run, gpu, i + 1) / 100;
    return (double)twice_w / 2;
}

/* A file for each node, rank or part that the path names. */
static ws_status write_nvidia(ws_layout_job *job, ws_layout_run *run, ws_error *error)
{
    const ws_layout *layout = job->layout;
    bool has_rank = strstr(layout->path, "{rank}") || strstr(layout->path, "{gpu_id}"),
         has_node = strstr(layout->path, "{node") && !has_rank;
    bool is_cut =
        strstr(layout->path, "{part}") || strstr(layout->path, "{rotation}") || layout->flags & WS_LAYOUT_DAYS;
    int files = has_rank ? run->gpus : has_node ? run->nodes : is_cut ? 2 : 1;
    ws_status status = WS_OK;
    for (int f = 0; f < files && status == WS_OK; f++) {
        ws_layout_file file = {.run = run, .rank = has_rank ? f : 0, .part = f + 1};
        file.node = has_rank ? f / run->gpus_per_node : has_node ? f : 0;
        bool is_part = !has_rank && !has_node && files == 2;
        int first = has_rank || has_node ? file.node * run->gpus_per_node : 0;
        int last = has_rank || has_node ? first + run->gpus_per_node - 1 : run->gpus - 1;
        if (layout->flags & WS_LAYOUT_OWN_GPU)
            first = last = f;
        ws_synth_text text = {0};
        if (layout->kind == WS_LAYOUT_DMON)
            print_dmon(&text, run, first, last < run->gpus ? last : run->gpus - 1);
        else if (layout->flags & WS_LAYOUT_HOST)
            print_host(&text, &file, first, last);
        else
            print_smi(&text, &file, first, last < run->gpus ? last : run->gpus - 1,
                      is_part && f ? run->seconds / 2 + 1 : 0, is_part && !f ? run->seconds / 2 : run->seconds,
                      !(layout->flags & WS_LAYOUT_UNINDEXED));
        status = save(job, ws_layout_fill(job, layout->path, &file), &text, error);
    }
    for (int g = 0; g < run->gpus; g++)
        run->gpu_j += layout->kind == WS_LAYOUT_DMON ? dmon_energy_j(run, g) : energy_j(run, g, 0, run->seconds);
    run->energy_j = run->gpu_j + (layout->flags & WS_LAYOUT_HOST ? processor_j(run) : 0);
    return status;
}

/* start_time,window_name,elapsed_time,gpu0_energy: a monotonic clock, one window for the training. */
static void print_zeus(ws_synth_text *text, ws_layout_run *run)
{
    ws_synth_print(text, "start_time,window_name,elapsed_time");
    for (int g = 0; g < run->gpus; g++)
        ws_synth_print(text, ",gpu%d_energy", g);
    ws_synth_print(text, "\n%" PRId64 ".25,training,%d.0", run->start_ns / S % 1000000, run->seconds);
    for (int g = 0; g < run->gpus; g++) {
        double j = floor(run->gpu_w[g] * run->seconds);
        ws_synth_print(text, ",%.1f", j);
        run->gpu_j += j;
    }
    ws_synth_print(text, "\n");
    run->energy_j = run->gpu_j;
}

static void print_codecarbon(ws_synth_text *text, ws_layout_job *job, ws_layout_run *run)
{
    double cpu_kwh = run->seconds * 85 / 3.6e6, ram_kwh = run->seconds * 20 / 3.6e6;
    for (int g = 0; g < run->gpus; g++)
        run->gpu_j += floor(run->gpu_w[g] * run->seconds);
    double gpu_kwh = run->gpu_j / 3.6e6, all_kwh = gpu_kwh + cpu_kwh + ram_kwh;
    run->energy_j = all_kwh * 3.6e6;
    ws_synth_print(text,
                   "timestamp,project_name,run_id,experiment_id,duration,emissions,emissions_rate,cpu_power,gpu_power,"
                   "ram_power,cpu_energy,gpu_energy,ram_energy,energy_consumed,country_name,country_iso_code,region,"
                   "cloud_provider,cloud_region,os,python_version,codecarbon_version,cpu_count,cpu_model,gpu_count,"
                   "gpu_model,longitude,latitude,ram_total_size,tracking_mode,on_cloud,pue\n");
    ws_synth_print_time(text, run->start_ns + run->seconds * S, '-', 'T');
    ws_synth_print(text,
                   ",codecarbon,%s-0000-4000-8000-%012" PRIu64
                   ",5b0fa12a-3dd7-45bb-9766-cc326314d9f1,%d.0,%.12g,%.12g,85.0,%.12g,20.0,%.15g,%.15g,%.15g,%.15g",
                   run->uid, run->number, run->seconds, all_kwh * 0.38, all_kwh * 0.38 / run->seconds,
                   run->gpu_j / run->seconds, cpu_kwh, gpu_kwh, ram_kwh, all_kwh);
    ws_synth_print(text,
                   ",Germany,DEU,,,,Linux-5.14-x86_64-with-glibc2.34,3.11.7,3.0.1,64,AMD EPYC 7543,%d,"
                   "%d x NVIDIA A100-SXM4-40GB,8.4,49.0,503.0,machine,N,1.0\n",
                   run->gpus, run->gpus);
    (void)job;
}

static void print_perf(ws_synth_text *text, ws_layout_run *run)
{
    int64_t cj = llround(run->gpu_w[0] * run->seconds * 100);
    run->energy_j = (double)cj / 100;
    ws_synth_print(text,
                   "\n Performance counter stats for 'system wide':\n\n%18" PRId64 ".%02d Joules power/energy-pkg/\n\n"
                   "%18d.000000000 seconds time elapsed\n\n",
                   cj / 100, (int)(cj % 100), run->seconds);
}

/* EnergiBridge: a row a poll, the energies count on. */
static void print_bridge(ws_synth_text *text, ws_layout_run *run)
{
    double counter_j = 41234.5;
    ws_synth_print(text, "Delta,Time,CPU_USAGE_0,PACKAGE_ENERGY (J),TOTAL_MEMORY,USED_MEMORY\n");
    for (int i = 0; i <= run->seconds; i++) {
        ws_synth_print(text, "%d,%" PRId64 ",%d.5,%.2f,16636653568,8123412480\n", i ? 1000 : 0,
                       run->start_ns / MS + i * 1000, 40 + i % 9, counter_j);
        double step_j = (double)(reading_cw(run, 0, i) / 100);
        counter_j += step_j;
        run->energy_j += i < run->seconds ? step_j : 0;
    }
}

/* The log of a node: W, twenty seconds before the run and fifteen beyond it. */
static ws_status write_mlperf(ws_layout_job *job, ws_layout_run *run, ws_error *error)
{
    ws_status status = WS_OK;
    for (int node = 0; node < run->nodes && status == WS_OK; node++) {
        ws_layout_file file = {.run = run, .node = node};
        ws_synth_text text = {0};
        for (int i = -20; i <= run->seconds + 15; i++) {
            int64_t w = 2000 + reading_cw(run, node, i + 20) / 10;
            ws_synth_print(&text,
                           ":::MLLOG {\"namespace\": \"\", \"time_ms\": %" PRId64 ", \"event_type\": "
                           "\"POINT_IN_TIME\", \"key\": \"power_reading\", \"value\": %" PRId64
                           ", \"metadata\": \"\"}\n",
                           run->start_ns / MS + i * 1000, w);
            int64_t next_w = 2000 + reading_cw(run, node, i + 21) / 10;
            run->energy_j += i >= 0 && i < run->seconds ? (double)(w + next_w) / 2 : 0;
        }
        status = save(job, ws_layout_fill(job, job->layout->path, &file), &text, error);
    }
    return status;
}

static void print_event(ws_synth_text *text, int64_t time_ms, const char *type, const char *key, const char *value)
{
    ws_synth_print(text,
                   ":::MLLOG {\"namespace\": \"\", \"time_ms\": %" PRId64 ", \"event_type\": \"%s\", \"key\": \"%s\", "
                   "\"value\": %s, \"metadata\": {\"file\": \"train.py\", \"lineno\": 206}}\n",
                   time_ms, type, key, value);
}

/* Beside a trace: its folder where it has one, else its name without the suffix, and the name of the file. */
static const char *name_beside(ws_layout_job *job, const ws_layout_run *run, const char *name)
{
    const char *path = ws_layout_fill(job, job->layout->path, &(ws_layout_file){.run = run, .part = 1});
    const char *slash = strrchr(path, '/');
    if (slash)
        return ws_arena_printf(&job->arena, "%.*s/%s", (int)(slash - path), path, name);
    return ws_arena_printf(&job->arena, "%.*s_%s", (int)strcspn(path, "."), path, name);
}

/* Hydra's record of what was said on the command line, and of all settings. */
ws_status ws_layout_hydra(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text overrides = {0}, config = {0};
    const char *gbs = ws_layout_value(job, run, "gbs"), *seed = ws_layout_value(job, run, "seed");
    ws_synth_print(&overrides, "- +trainer.gpus=%d\n- data.batch_size=%s\n- seed=%s\n", run->gpus, gbs, seed);
    ws_synth_print(&config,
                   "model:\n  name: resnet50\n  layers:\n  - 3\n  - 4\ntrainer:\n  max_epochs: 10\n  gpus: %d\n"
                   "  callbacks:\n    checkpoint:\n      seed: 99\ndata:\n  batch_size: %s\n  root: /data/imagenet\n"
                   "seed: %s\nrun_name: r%s\n",
                   run->gpus, gbs, seed, run->uid);
    ws_status status = save(job, name_beside(job, run, ".hydra/overrides.yaml"), &overrides, error);
    ws_status other = save(job, name_beside(job, run, ".hydra/config.yaml"), &config, error);
    return status == WS_OK ? other : status;
}

/* DVC's parameters of the run, and its pipeline. */
ws_status ws_layout_params(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text params = {0}, pipeline = {0};
    ws_synth_print(&params, "train:\n  batch_size: %s  # of all GPUs\n  lr: 0.1\nprepare:\n  split: 0.2\n",
                   ws_layout_value(job, run, "gbs"));
    ws_synth_print(&pipeline, "stages:\n  train:\n    cmd: python train.py --seed %d\n    deps:\n    - train.py\n",
                   (int)run->number);
    ws_status status = save(job, name_beside(job, run, "params.yaml"), &params, error);
    ws_status other = save(job, name_beside(job, run, "dvc.yaml"), &pipeline, error);
    return status == WS_OK ? other : status;
}

/* MLflow's file store: a file a parameter. */
ws_status ws_layout_mlflow(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text batch = {0}, path = {0};
    ws_synth_print(&batch, "%s", ws_layout_value(job, run, "gbs"));
    ws_synth_print(&path, "/data/imagenet");
    ws_status status = save(job, name_beside(job, run, "../params/batch_size"), &batch, error);
    ws_status other = save(job, name_beside(job, run, "../params/data_dir"), &path, error);
    return status == WS_OK ? other : status;
}

/* The same of a folder that has nothing but DVC's lock. */
ws_status ws_layout_dvc_lock(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text lock = {0};
    ws_synth_print(&lock,
                   "schema: '2.0'\nstages:\n  train:\n    cmd: python train.py\n    deps:\n    - path: train.py\n"
                   "      size: %d\n    params:\n      params.yaml:\n        batch_size: %s\n        lr: 0.1\n",
                   1000 + (int)run->number, ws_layout_value(job, run, "gbs"));
    return save(job, name_beside(job, run, "dvc.lock"), &lock, error);
}

static void print_png(ws_synth_text *text, const ws_layout_job *job, const ws_layout_run *run)
{
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, job->seed, 78000 + run->number);
    PUT_BYTES(text, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\2\x80\0\0\1\xe0\x08\6\0\0\0");
    for (int i = 0; i < 3000; i++)
        ws_synth_put_little(text, ws_synth_rng_next(&rng), 8);
}

/* The head of every second log is longer than what is looked at to recognise a file. */
static void print_result(ws_synth_text *text, ws_layout_job *job, const ws_layout_run *run)
{
    int64_t start_ms = run->start_ns / MS;
    const char *model = ws_layout_value(job, run, "model"), *gbs = ws_layout_value(job, run, "gbs");
    for (int i = 0; i < 1500 && run->number % 2; i++)
        ws_synth_print(text, "+ srun --ntasks=1 container %d pulling layer sha256:%s%04d done\n", i, run->uid, i);
    print_event(text, start_ms - 60000, "POINT_IN_TIME", "submission_benchmark",
                ws_arena_printf(&job->arena, "\"%s\"", model ? model : "bert"));
    print_event(text, start_ms - 60000, "POINT_IN_TIME", "seed",
                ws_arena_printf(&job->arena, "%d", 4000 + (int)run->number));
    print_event(text, start_ms - 60000, "POINT_IN_TIME", "global_batch_size", gbs ? gbs : "256");
    print_event(text, start_ms - 60000, "INTERVAL_START", "init_start", "null");
    print_event(text, start_ms - 500, "INTERVAL_END", "init_stop", "null");
    print_event(text, start_ms, "INTERVAL_START", "run_start", "null");
    print_event(text, start_ms + run->seconds * 1000 - 900, "POINT_IN_TIME", "eval_accuracy", "0.7215");
    ws_synth_print(text,
                   ":::MLLOG {\"namespace\": \"\", \"time_ms\": %" PRId64
                   ", \"event_type\": \"INTERVAL_END\", \"key\": "
                   "\"run_stop\", \"value\": null, \"metadata\": {\"status\": \"success\"}}\n",
                   start_ms + run->seconds * 1000);
}

/* "results/SYSTEM/BENCHMARK/result_3.txt", beside "power/result_3" where there is power. */
static const char *result_name(ws_layout_job *job, const ws_layout_run *run, const char *suffix)
{
    const char *path = job->layout->path, *power = strstr(path, "/power/"), *name = power ? power + 7 : "";
    if (!power)
        path = ws_arena_printf(&job->arena, "%.*s%s", (int)(strrchr(path, '.') - path), path, suffix);
    else if (strncmp(name, "result_", 7) == 0)
        path = ws_arena_printf(&job->arena, "%.*s/%.*s%s", (int)(power - path), path, (int)strcspn(name, "/"), name,
                               suffix);
    else
        path = ws_arena_printf(&job->arena, "%.*s/result_{repeat}%s", (int)(power - path), path, suffix);
    return ws_layout_fill(job, path, &(ws_layout_file){.run = run});
}

ws_status ws_layout_mlperf_result(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text text = {0};
    print_result(&text, job, run);
    return save(job, result_name(job, run, ".txt"), &text, error);
}

/* The log as the job wrote it beside the one that was cleaned: "result_raw_3.txt", with more events. */
ws_status ws_layout_mlperf_raw(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text text = {0};
    const char *name = result_name(job, run, ".txt"), *number = strrchr(name, '_');
    print_event(&text, run->start_ns / MS - 61000, "POINT_IN_TIME", "cache_clear", "true");
    print_result(&text, job, run);
    ws_status status =
        save(job, ws_arena_printf(&job->arena, "%.*s_raw%s", (int)(number - name), name, number), &text, error);
    return status == WS_OK ? ws_layout_mlperf_result(job, run, error) : status;
}

/* Beside the logs of nodes: their sum, an estimate of the switches with a stamp of its own, a figure. */
ws_status ws_layout_mlperf_submission(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text total = {0}, switches = {0}, png = {0};
    const char *path = ws_layout_fill(job, job->layout->path, &(ws_layout_file){.run = run});
    int folder = (int)(strrchr(path, '/') - path);
    ws_synth_print(&total, "\nTotal Power Usage: %.3f kWh\n", job->runs[run->number].energy_j / 3.6e6 + 0.01);
    print_event(&switches, INT64_C(1652749794206), "POINT_IN_TIME", "interconnect_power_est", "16100");
    print_png(&png, job, run);
    ws_status status = save(job, ws_arena_printf(&job->arena, "%.*s/total_power.txt", folder, path), &total, error);
    if (status == WS_OK)
        status = save(job, ws_arena_printf(&job->arena, "%.*s/sw_0.txt", folder, path), &switches, error);
    if (status == WS_OK)
        status = save(job, ws_arena_printf(&job->arena, "%.*s/nodes_1_to_8.png", folder, path), &png, error);
    return status == WS_OK ? ws_layout_mlperf_raw(job, run, error) : status;
}

static ws_status write_perun(ws_layout_job *job, ws_layout_run *run, ws_error *error)
{
    ws_synth_series series = {.name = "perun",
                              .hardware = &ws_synth_a100,
                              .lbs = 64,
                              .period_s = 1,
                              .t1_s = run->seconds,
                              .gpu_w = run->gpu_w[0],
                              .package_w = 90,
                              .dram_w = 12,
                              .reading_sd = 0.01};
    ws_synth_run planned = {.series = &series,
                            .gpus = run->gpus,
                            .nodes = ws_synth_nodes(run->gpus),
                            .lbs = 64,
                            .epochs = 2,
                            .repeat = 1,
                            .job = atoi(run->job),
                            .job_start_ns = run->start_ns,
                            .wall_ns = run->seconds * S,
                            .power_factor = 1};
    planned.grid_ns = ws_synth_time_grid_ns(WS_SYNTH_PERUN, run->seconds);
    ws_synth_campaign campaign = {.kind = "layout",
                                  .seed = job->seed,
                                  .scale = 1,
                                  .name = "layout",
                                  .model = "model",
                                  .series = &series,
                                  .runs = &planned,
                                  .n_series = 1,
                                  .n_runs = 1};
    ws_synth_trace trace = {0};
    ws_synth_trace_make(&trace, &campaign, &planned);
    run->gpu_j = ws_synth_trace_energy_j(&trace, WS_GPU);
    run->energy_j = run->gpu_j + ws_synth_trace_energy_j(&trace, WS_CPU) + ws_synth_trace_energy_j(&trace, WS_DRAM);
    const char *path = ws_layout_fill(job, job->layout->path, &(ws_layout_file){.run = run});
    const char *made = ws_arena_printf(&job->arena, ".made-%s", run->job);
    ws_synth_job writing = {
        .dir = job->dir, .path = made, .campaign = &campaign, .run = &planned, .trace = &trace, .arena = &job->arena};
    ws_status status = ws_synth_write_perun(&writing, error);
    const char *from = ws_arena_printf(&job->arena, "%s/%s/perun/perun.hdf5", job->dir, made);
    const char *to = ws_arena_printf(&job->arena, "%s/campaign/%s", job->dir, path);
    if (status == WS_OK)
        status = ws_synth_make_folders(to, error);
    if (status == WS_OK && rename(from, to) != 0)
        status = ws_fail_at(error, WS_IO, to, 0, "cannot be written");
    remove(ws_arena_printf(&job->arena, "%s/%s/perun", job->dir, made));
    remove(ws_arena_printf(&job->arena, "%s/%s", job->dir, made));
    ws_synth_trace_free(&trace);
    ws_arena_free(&campaign.arena);
    return status;
}

ws_status ws_layout_write_run(ws_layout_job *job, ws_layout_run *run, ws_error *error)
{
    ws_synth_text text = {0};
    switch (job->layout->kind) {
    case WS_LAYOUT_SMI:
    case WS_LAYOUT_DMON:
        return write_nvidia(job, run, error);
    case WS_LAYOUT_MLPERF:
        return write_mlperf(job, run, error);
    case WS_LAYOUT_PERUN:
        return write_perun(job, run, error);
    case WS_LAYOUT_TIMES:
        return WS_OK;
    case WS_LAYOUT_ZEUS:
        print_zeus(&text, run);
        break;
    case WS_LAYOUT_CODECARBON:
        print_codecarbon(&text, job, run);
        break;
    case WS_LAYOUT_PERF:
        print_perf(&text, run);
        break;
    case WS_LAYOUT_BRIDGE:
        print_bridge(&text, run);
        break;
    }
    return save(job, ws_layout_fill(job, job->layout->path, &(ws_layout_file){.run = run}), &text, error);
}

ws_status ws_layout_train_log(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text text = {0};
    for (int i = 0; i < run->seconds; i++) {
        ws_synth_print_time(&text, run->start_ns + i * S, '-', ' ');
        ws_synth_print(&text, ",%03d - INFO - train.py:88 - epoch %d step %d loss %.4f lr 0.1000 %d.%d img/s\n",
                       i * 13 % 1000, i / 20, i, 6.9 / (1 + 0.05 * i), 780 + i % 7, i % 10);
    }
    return save(job, name_beside(job, run, "train.log"), &text, error);
}

/* "logs/slurm-3512000_4.out": what the program printed. */
ws_status ws_layout_array_out(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, "Loading module cuda/12.4\nWorld size: %d\n", run->gpus);
    for (int i = 0; i < 40; i++)
        ws_synth_print(&text, "[epoch %d] loss: %.3f acc: %.2f time: %d.%ds\n", i, 6.9 / (1 + i), 0.01 * i, 3 + i % 3,
                       i % 10);
    return save(job, ws_arena_printf(&job->arena, "logs/slurm-%s_%" PRIu64 ".out", run->job, run->number), &text,
                error);
}

ws_status ws_layout_submitit(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text out = {0}, pickle = {0};
    ws_synth_print(
        &out,
        "submitit INFO (2025-11-21 12:30:00,123) - Starting with JobEnvironment(job_id=%s, hostname=hkn0307, "
        "local_rank=0(1), node=0(1), global_rank=0(1))\nsubmitit INFO (2025-11-21 12:30:00,124) - Loading pickle\n",
        run->job);
    PUT_BYTES(&pickle, "\x80\4\x95\x10\0\0\0\0\0\0\0\x8c\7success\x94K\1\x86\x94.");
    ws_status status = save(job, ws_arena_printf(&job->arena, "%s/%s_0_log.out", run->job, run->job), &out, error);
    ws_status other = save(job, ws_arena_printf(&job->arena, "%s/%s_0_result.pkl", run->job, run->job), &pickle, error);
    PUT_BYTES(&pickle, "\x80\4\x95\x10\0\0\0\0\0\0\0\x8c\7submission\x94.");
    ws_status last = save(job, ws_arena_printf(&job->arena, "%s/%s_submitted.pkl", run->job, run->job), &pickle, error);
    return status != WS_OK ? status : other != WS_OK ? other : last;
}

ws_status ws_layout_metrics(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, "epoch,step,train_loss,val_acc\n0,99,2.31,0.41\n1,199,1.87,0.55\n2,299,1.52,0.%d\n",
                   61 + (int)(run->number % 9));
    return save(job, name_beside(job, run, "metrics.csv"), &text, error);
}

ws_status ws_layout_wandb(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text meta = {0}, yaml = {0}, log = {0}, summary = {0};
    ws_synth_print(&meta,
                   "{\"os\": \"Linux-5.14\", \"python\": \"3.11.7\", \"program\": \"train.py\", \"gpu_count\": %d, "
                   "\"cpu_count\": 64, \"args\": [\"--epochs\", \"10\"]}\n",
                   run->gpus);
    ws_synth_print(
        &yaml,
        "wandb_version: 1\n\n_wandb:\n  desc: null\n  value:\n    python_version: 3.11.7\n    start_time: %" PRId64
        "\nepochs:\n  desc: null\n  value: 10\ngpus:\n  desc: null\n  value: %d\n",
        run->start_ns / S, run->gpus);
    ws_synth_print(&summary, "{\"_runtime\": %d.5, \"_step\": 99, \"epoch\": 9, \"gpus\": 8, \"val_acc\": 0.7%d}\n",
                   run->seconds, (int)(run->number % 9));
    PUT_BYTES(&log, ":W&B\xc4\xe5\xf1\x0b\0\0\x1f\1\x12\x06\x30\0\0\0\7");
    ws_status status = save(job, name_beside(job, run, "wandb-metadata.json"), &meta, error);
    ws_status other = save(job, name_beside(job, run, "config.yaml"), &yaml, error);
    status = status == WS_OK ? other : status;
    other = save(job, name_beside(job, run, "wandb-summary.json"), &summary, error);
    status = status == WS_OK ? other : status;
    other = save(job, name_beside(job, run, ws_arena_printf(&job->arena, "../run-%s.wandb", run->uid)), &log, error);
    return status == WS_OK ? other : status;
}

/* The table that HPL prints, below its head. */
static void print_hpl(ws_synth_text *text, const ws_layout_run *run)
{
    ws_synth_print(text, "================================================================================\n"
                         "HPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018\n"
                         "================================================================================\n\n"
                         "The following parameter values will be used:\n\nN      :   15000    20000\nNB     :     192\n"
                         "PMAP   : Row-major process mapping\nP      :       2\nQ      :       2\nPFACT  :   Right\n\n"
                         "T/V                N    NB     P     Q               Time                 Gflops\n"
                         "--------------------------------------------------------------------------------\n");
    for (int i = 0; i < 6; i++)
        ws_synth_print(text, "WR11C2R4       %5d   192     2     2              %d.%02d             %.4e\n",
                       15000 + 1000 * i, 9 + i, (int)(run->number * 7 + 13) % 100, 251.3 + i);
}

ws_status ws_layout_clutter(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text png = {0}, hpl = {0}, notes = {0}, yaml = {0}, script = {0}, metrics = {0};
    print_png(&png, job, run);
    print_hpl(&hpl, run);
    ws_synth_print(
        &notes, "Power of the idle node: 212 W\nwith the fans on: 240 W\n2025-11-21 12:30, 350 W cap, 2 runs failed\n");
    ws_synth_print(&yaml, "model: resnet50\ntrainer:\n  max_epochs: 10\n  precision: 16\nseed: %d\n", (int)run->number);
    ws_synth_print(&script, "#!/bin/bash\n#SBATCH --time=01:00:00\n#SBATCH --gres=gpu:%d\nsrun python train.py\n",
                   run->gpus);
    ws_synth_print(&metrics, "epoch,step,train_loss,val_acc\n0,99,2.31,0.41\n1,199,1.87,0.55\n2,299,1.52,0.61\n");
    ws_status status = save(job, name_beside(job, run, "power_plot.png"), &png, error);
    status = save(job, name_beside(job, run, "hpl.out"), &hpl, error) == WS_OK ? status : WS_IO;
    status = save(job, name_beside(job, run, "notes.txt"), &notes, error) == WS_OK ? status : WS_IO;
    status = save(job, name_beside(job, run, "config.yaml"), &yaml, error) == WS_OK ? status : WS_IO;
    status = save(job, name_beside(job, run, "job.sh"), &script, error) == WS_OK ? status : WS_IO;
    status = save(job, name_beside(job, run, "metrics.csv"), &metrics, error) == WS_OK ? status : WS_IO;
    return status == WS_OK ? ws_layout_train_log(job, run, error) : status;
}

static void print_sacct_line(ws_synth_text *text, const ws_layout_run *run, const char *step, const char *name)
{
    ws_synth_print(text, "%s%s|%s|gpu|COMPLETED|0:0|", run->job, step, name);
    ws_synth_print_time(text, run->start_ns - 8 * S, '-', 'T');
    ws_synth_print(text, "|");
    ws_synth_print_time(text, run->start_ns + (run->seconds + 5) * S, '-', 'T');
    ws_synth_print(text, "|");
    ws_synth_print_duration(text, run->seconds + 13);
    ws_synth_print(text, "|%d|%d|hkn%02d%02d|billing=76,cpu=76,gres/gpu=%d,node=%d|%d\n", run->seconds + 13, run->nodes,
                   3 + (int)(run->number % 5), 7, run->gpus, run->nodes, 600 * (run->seconds + 13));
}

static ws_status write_sacct(ws_layout_job *job, const char *name, ws_error *error)
{
    ws_synth_text text = {0};
    ws_synth_print(&text,
                   "JobID|JobName|Partition|State|ExitCode|Start|End|Elapsed|ElapsedRaw|NNodes|NodeList|AllocTRES|"
                   "ConsumedEnergyRaw\n");
    for (size_t i = 0; i < job->n_runs; i++) {
        const ws_layout_run *run = &job->runs[i];
        print_sacct_line(&text, run, "", ws_layout_fill(job, name, &(ws_layout_file){.run = run}));
        print_sacct_line(&text, run, ".batch", "batch");
        print_sacct_line(&text, run, ".0", "python");
    }
    return save(job, "sacct.txt", &text, error);
}

ws_status ws_layout_sacct(ws_layout_job *job, ws_error *error)
{
    return write_sacct(job, "train", error);
}

ws_status ws_layout_sacct_names(ws_layout_job *job, ws_error *error)
{
    return write_sacct(job, "{model}-{gpus}gpu", error);
}

/* ExperimentRunner's table of a whole experiment, above the folders of its runs. */
ws_status ws_layout_run_table(ws_layout_job *job, ws_error *error)
{
    ws_synth_text text = {0};
    const char *path = job->layout->path, *folder = strstr(path, "run_{n}");
    ws_synth_print(&text, "__run_id,__done");
    for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
        if (strcmp(job->axes[a].name, "repeat") != 0)
            ws_synth_print(&text, ",%s", job->axes[a].name);
    ws_synth_print(&text, "\n");
    for (size_t i = 0; i < job->n_runs; i++) {
        ws_synth_print(&text, "%s,DONE",
                       ws_layout_fill(job, "run_{n}_repetition_{repeat}", &(ws_layout_file){.run = &job->runs[i]}));
        for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
            if (strcmp(job->axes[a].name, "repeat") != 0)
                ws_synth_print(&text, ",%s", job->runs[i].values[a]);
        ws_synth_print(&text, "\n");
    }
    return save(job, ws_arena_printf(&job->arena, "%.*srun_table.csv", folder ? (int)(folder - path) : 0, path), &text,
                error);
}

/* metadata.csv: a row a run, named as its folder or file is, and what no path says. */
ws_status ws_layout_metadata(ws_layout_job *job, ws_error *error)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, "run_id,date");
    for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
        ws_synth_print(&text, ",%s", job->axes[a].name);
    ws_synth_print(&text, "\n");
    for (size_t i = 0; i < job->n_runs; i++) {
        const char *path = ws_layout_fill(job, job->layout->path, &(ws_layout_file){.run = &job->runs[i]});
        ws_synth_print(&text, "%.*s,2025-11-21", (int)strcspn(path, "/."), path);
        for (size_t a = 0; a < WS_LAYOUT_AXES && job->axes[a].name; a++)
            ws_synth_print(&text, ",%s", job->runs[i].values[a]);
        ws_synth_print(&text, "\n");
    }
    return save(job, "metadata.csv", &text, error);
}

/* Counters of one package, as powercap has them, of 100 W. */
ws_status ws_layout_rapl(ws_layout_job *job, const ws_layout_run *run, ws_error *error)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, "# max_energy_range_uj package-0=262143328850\ntimestamp,package-0\n");
    for (int i = 0; i <= run->seconds; i++) {
        ws_synth_print_time(&text, run->start_ns + i * S, '-', 'T');
        ws_synth_print(&text, ".000,%" PRId64 "\n", INT64_C(18213550112) + INT64_C(100000000) * i);
    }
    job->runs[run->number].energy_j += 100 * run->seconds;
    return save(job, name_beside(job, run, "rapl.csv"), &text, error);
}
