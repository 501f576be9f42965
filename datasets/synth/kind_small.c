/* "small": three series on 1 to 16 GPUs, three repeats each, minutes long, in three mixtures of formats. */
#include "core/calendar.h"
#include "datasets/synth/plan.h"
#include "datasets/synth/rng.h"

#include <math.h>

enum { FIRST_JOB = 9000001, FAILED_JOB = 9000042, REPEATS = 3, EPOCHS = 10, STREAM_SERIES = 1, STREAM_RUN = 1000 };

static const int gpu_counts[] = {1, 2, 4, 8, 16};

/* What is constant in a series, and the middle of the range that its exponent is drawn from. */
static const struct {
    const char *name;
    ws_synth_layout layout;
    int lbs, gbs;
    double period_s, beta;
} shapes[] = {
    {"lbs256", WS_SYNTH_PERUN, 256, 0, 1, 0.97},
    {"gbs256", WS_SYNTH_CSV, 0, 256, 1, 0.85},
    {"gbs1024", WS_SYNTH_CSV_GZ, 0, 1024, 0.5, 0.92},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, COUNTS = sizeof gpu_counts / sizeof *gpu_counts };

/* Planted numbers are short decimals, so that they can be quoted. */
static double kind_small_draw(ws_synth_rng *rng, double low, double high, double steps_per_unit)
{
    return round(ws_synth_rng_uniform(rng, low, high) * steps_per_unit) / steps_per_unit;
}

static ws_synth_series draw_series(const ws_synth_campaign *campaign, size_t i)
{
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, campaign->seed, STREAM_SERIES + i);
    ws_synth_series series = {.name = shapes[i].name,
                              .hardware = &ws_synth_a100,
                              .layout = shapes[i].layout,
                              .lbs = shapes[i].lbs,
                              .gbs = shapes[i].gbs,
                              .period_s = shapes[i].period_s,
                              .gpu_dip = 0.12,
                              .time_sd = 0.005,
                              .power_sd = 0.003,
                              .reading_sd = 0.008};
    series.t1_s = kind_small_draw(&rng, 290, 330, 10) * campaign->scale;
    series.beta = kind_small_draw(&rng, shapes[i].beta - 0.02, shapes[i].beta + 0.02, 1000);
    series.gpu_w = kind_small_draw(&rng, 240, 330, 2);
    series.package_w = kind_small_draw(&rng, 95, 130, 2);
    series.dram_w = kind_small_draw(&rng, 11, 16, 4);
    return series;
}

static ws_synth_run draw_run(const ws_synth_campaign *campaign, const ws_synth_series *series, int gpus, int64_t job)
{
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, campaign->seed, STREAM_RUN + (uint64_t)job);
    ws_synth_run run = {.series = series, .gpus = gpus, .epochs = EPOCHS, .job = job, .failed = job == FAILED_JOB};
    run.nodes = ws_synth_nodes(gpus);
    run.lbs = series->lbs ? series->lbs : series->gbs / gpus;
    run.gbs = run.lbs * gpus;
    double wall_s = ws_synth_model_wall_s(series, gpus) * (1 + series->time_sd * ws_synth_rng_normal(&rng));
    run.grid_ns = ws_synth_time_grid_ns(series->layout, 1.1 * series->t1_s); /* repeats scatter by a percent or two */
    run.wall_ns = llround(wall_s * 1e9 / (double)run.grid_ns) * run.grid_ns;
    run.power_factor = (1 + series->power_sd * ws_synth_rng_normal(&rng)) * ws_synth_change_of(campaign, job);
    run.setup_ns = (int64_t)ws_synth_rng_uniform(&rng, 12000, 25000) * 1000000;
    /* A larger global batch costs a little accuracy, as in large-batch training. */
    run.top1_percent = round((74 - 0.0015 * run.gbs + 0.2 * ws_synth_rng_normal(&rng)) * 100) / 100;
    return run;
}

static void add_runs(ws_synth_campaign *campaign, const ws_synth_series *series, int64_t *clock_ns)
{
    for (size_t i = 0; i < COUNTS; i++)
        for (int repeat = 1; repeat <= REPEATS;) {
            ws_synth_run run = draw_run(campaign, series, gpu_counts[i], FIRST_JOB + (int64_t)campaign->n_runs);
            run.repeat = repeat;
            run.job_start_ns = *clock_ns;
            *clock_ns += (run.wall_ns / 60000000000 + 3) * 60000000000;
            campaign->runs[campaign->n_runs++] = run;
            repeat += !run.failed; /* a failed run is done again */
        }
}

static const char about[] =
    "synthetic: no hardware was measured. wall_s is the span of the longest sensor. GPU energy is the trapezoid of the "
    "readings, CPU and DRAM energy the difference of the counters, of what the files hold. The model is t1_s * "
    "gpus^-beta and the mean powers; repeats differ by normal factors of relative standard deviation time_sd on the "
    "time and power_sd on the power, GPU readings by reading_sd";

static const char rules[] =
    " \"defaults\":{\"model\":\"ResNet50\",\"device\":\"A100\",\"dataset_samples\":20000},\n"
    " \"paths\":[{\"match\":\"{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/perun/perun.hdf5\"},\n"
    "          {\"match\":\"{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/gpu_{node}.csv\"},\n"
    "          {\"match\":\"{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/gpu_{node}.csv.gz\"},\n"
    "          {\"match\":\"{series}/{gpus}g{lbs}b{workers}w{epochs}e/{job}/rapl_{node}.csv\"}],\n"
    " \"side_files\":[{\"match\":\"{series}/{config}/{job}/slurm_{job}\",\"as\":\"job-log\"},\n"
    "               {\"match\":\"{series}/{config}/{job}/valid_top1.pt\",\"as\":\"torch-list\","
    "\"field\":\"error_top1\",\"value\":\"100-last\"},\n"
    "               {\"match\":\"sacct.txt\",\"as\":\"sacct\",\"join\":\"job\"}],\n"
    " \"ignore\":[\"README.md\",\"truth.json\"],\n";

static const char readme[] =
    "- a run on n GPUs takes `t1_s * n^-beta`, and each GPU, socket and memory has a planted mean power per\n"
    "  series; repeats differ by normal factors;\n"
    "- GPU energy is the trapezoid of the readings, CPU and DRAM energy the difference of the counters with\n"
    "  wraps undone; `wall_s` is the span of the longest sensor;\n"
    "- a node holds four GPUs and two sockets; runs on fewer GPUs carry both sockets, so the energy per GPUh\n"
    "  is constant from four GPUs on;\n"
    "- time stamps carry no zone.\n\n"
    "A run that failed half-way is part of it, and excluded by `campaign.json`. Every other run has its job log\n"
    "`slurm_<job>` and `valid_top1.pt`, a list of floats as PyTorch saves it.\n";

void ws_synth_plan_small(ws_synth_campaign *campaign)
{
    campaign->name = "demo";
    campaign->model = "ResNet50";
    campaign->device = "A100";
    campaign->dataset_samples = 20000;
    campaign->ledger = "sacct.txt";
    campaign->about = about;
    campaign->rules = rules;
    campaign->readme = readme;
    campaign->series = ws_arena_alloc(&campaign->arena, SHAPES * sizeof *campaign->series);
    campaign->runs = ws_arena_alloc(&campaign->arena, (SHAPES * COUNTS * REPEATS + 1) * sizeof *campaign->runs);
    int64_t clock_ns = ws_days_from_civil(2025, 5, 14) * 86400000000000 + INT64_C(9) * 3600000000000;
    for (size_t i = 0; i < SHAPES; i++) {
        campaign->series[i] = draw_series(campaign, i);
        add_runs(campaign, &campaign->series[i], &clock_ns);
    }
    campaign->n_series = SHAPES;
}
