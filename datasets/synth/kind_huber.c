/* "huber2025": the runs of Huber et al. 2025 as their authors kept them, one perun file, one job log and one list of
 * accuracies each. Repeats scatter at random, but their mean and RMSE are those that are planted. */
#include "core/calendar.h"
#include "datasets/synth/huber_table.h"
#include "datasets/synth/outfile.h"
#include "datasets/synth/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_JOB = 9100001, STREAM_CONFIG = 500, MAX_REPEATS = 5 };

static const double j_per_kwh = 3.6e6;

/* How far the energy of a repeat follows its time. */
static const double correlation = 0.6;

static const char about[] =
    "synthetic: no hardware was measured. The runs of Huber et al. 2025 (arXiv:2508.07706), made so that their means "
    "and RMSE (divisor n) are the planted ones. Planted numbers are published, derived from published ones, or "
    "assumed. wall_s is the span of the longest sensor. GPU energy is the trapezoid of the readings, CPU and DRAM "
    "energy the difference of the counters, of what the files hold. scale divides the number of samples; times and "
    "energies do not depend on it";

static const char readme[] =
    "- the runs of Huber et al. 2025, *Energy Consumption in Parallel Neural Network Training*, arXiv:2508.07706, "
    "in the\n"
    "  folders that its authors used: `<series>/<gpus>g<lbs>b<workers>w<epochs>e[<factor>sf]/<job>`;\n"
    "- repeats scatter at random, and their mean and RMSE (divisor n) are those of the paper where it prints them;\n"
    "- each planted number is marked published, derived or assumed, with its place; what contradicts itself is in a\n"
    "  series of its own or under `left_out`;\n"
    "- GPU energy is the trapezoid of the readings, CPU and DRAM energy the difference of the counters with wraps\n"
    "  undone; `wall_s` is the span of the longest sensor;\n"
    "- a sample a second at scale 1; a smaller scale means fewer samples of the same times and energies.\n\n"
    "A run has `perun/perun.hdf5` in the schema of perun 0.8.10, its job log `slurm_<job>` and, for ResNet50,\n"
    "`valid_top1.pt`, for FourCastNet `rmse_z500.pt`. Runs that belong to two series lie in both,\n"
    "with one job number.\n";

/* n variates with a mean of 0 and an RMSE of 1, exactly up to rounding; a single one is 0. */
static void standardise(double *z, int n)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        sum += z[i];
    for (int i = 0; i < n; i++) {
        z[i] -= sum / n;
        squares += z[i] * z[i];
    }
    for (int i = 0; i < n && squares > 0; i++)
        z[i] /= sqrt(squares / n);
}

static void draw_standard(ws_synth_rng *rng, const double *follows, double *z, int n)
{
    for (int i = 0; i < n; i++) {
        z[i] = ws_synth_rng_normal(rng);
        if (follows)
            z[i] = correlation * follows[i] + sqrt(1 - correlation * correlation) * z[i];
    }
    standardise(z, n);
}

static double energy_rmse(const ws_synth_huber_config *config)
{
    return config->energy_rmse > 0 ? config->energy_rmse : ws_synth_huber_energy_spread * config->energy_kwh;
}

static double gpu_h_rmse(const ws_synth_huber_config *config)
{
    return config->gpu_h_rmse > 0 ? config->gpu_h_rmse : ws_synth_huber_time_spread * config->gpu_h;
}

static const ws_synth_huber_series *series_of(const ws_synth_huber_config *config, size_t *index)
{
    *index = 0;
    while (strcmp(ws_synth_huber_series_list[*index].name, config->series) != 0)
        ++*index;
    return &ws_synth_huber_series_list[*index];
}

static void split_energy(ws_synth_run *run, const ws_synth_huber_split *split, double energy_j)
{
    run->energy_j[WS_CPU] = split->cpu * energy_j;
    run->energy_j[WS_DRAM] = split->dram * energy_j;
    run->energy_j[WS_GPU] = energy_j - run->energy_j[WS_CPU] - run->energy_j[WS_DRAM];
}

static ws_synth_run plain_run(const ws_synth_campaign *campaign, const ws_synth_huber_config *config)
{
    size_t s;
    const ws_synth_huber_series *about_series = series_of(config, &s);
    return (ws_synth_run){.series = &campaign->series[s],
                          .gpus = config->gpus,
                          .nodes = ws_synth_nodes(config->gpus),
                          .lbs = config->lbs,
                          .gbs = config->lbs * config->gpus,
                          .epochs = about_series->epochs,
                          .factor = config->factor,
                          .power_factor = 1};
}

static void set_wall(ws_synth_run *run, double wall_s)
{
    run->grid_ns = ws_synth_time_grid_ns(WS_SYNTH_PERUN, 1.1 * wall_s);
    run->wall_ns = llround(wall_s * 1e9 / (double)run->grid_ns) * run->grid_ns;
}

static void draw_runs(ws_synth_campaign *campaign, const ws_synth_huber_config *config, size_t c, int64_t *job,
                      int64_t *clock_ns)
{
    double z_time[MAX_REPEATS], z_energy[MAX_REPEATS], z_error[MAX_REPEATS];
    ws_synth_rng rng;
    size_t s;
    ws_synth_rng_init(&rng, campaign->seed, STREAM_CONFIG + c);
    draw_standard(&rng, NULL, z_time, config->repeats);
    draw_standard(&rng, z_time, z_energy, config->repeats);
    draw_standard(&rng, NULL, z_error, config->repeats);
    for (int i = 0; i < config->repeats; i++) {
        ws_synth_run run = plain_run(campaign, config);
        run.repeat = i + 1;
        run.job = (*job)++;
        set_wall(&run, (config->gpu_h + gpu_h_rmse(config) * z_time[i]) * 3600 / config->gpus);
        double energy_j = (config->energy_kwh + energy_rmse(config) * z_energy[i]) * j_per_kwh;
        split_energy(&run, config->split, energy_j * ws_synth_change_of(campaign, run.job));
        run.setup_ns = (int64_t)ws_synth_rng_uniform(&rng, 12000, 25000) * 1000000;
        run.job_start_ns = *clock_ns;
        *clock_ns += (run.wall_ns / 60000000000 + 3) * 60000000000;
        run.rmse_z500 = ws_synth_huber_rmse_z500(series_of(config, &s), config);
        if (config->error_top1 > 0)
            run.top1_percent = round((100 - config->error_top1 + 0.15 * z_error[i]) * 1000) / 1000;
        campaign->runs[campaign->n_runs++] = run;
    }
}

/* The runs of an earlier series once more. */
static void repeat_runs(ws_synth_campaign *campaign, const ws_synth_huber_config *config)
{
    ws_synth_run like = plain_run(campaign, config);
    size_t n = campaign->n_runs;
    for (size_t i = 0; i < n; i++) {
        const ws_synth_run *old = &campaign->runs[i];
        if (old->gpus != config->gpus || strcmp(old->series->name, config->same_runs_as) != 0)
            continue;
        ws_synth_run *run = &campaign->runs[campaign->n_runs++];
        *run = *old;
        run->series = like.series;
        run->same_as = old;
    }
}

static void plan_series(ws_synth_campaign *campaign)
{
    campaign->n_series = ws_synth_huber_series_n;
    campaign->series = ws_arena_alloc(&campaign->arena, campaign->n_series * sizeof *campaign->series);
    for (size_t i = 0; i < campaign->n_series; i++) {
        const ws_synth_huber_series *series = &ws_synth_huber_series_list[i];
        campaign->series[i] = (ws_synth_series){
            .name = series->name,
            .about = ws_arena_printf(&campaign->arena, "%s on %s, %s", series->model, series->device, series->about),
            .hardware = series->hardware,
            .layout = WS_SYNTH_PERUN,
            .period_s = 1 / campaign->scale,
            .gpu_dip = series->gpu_dip,
            .base_line = true,
            .reading_sd = 0.008};
    }
}

static bool has_subsets(const char *series)
{
    for (size_t i = 0; i < ws_synth_huber_configs_n; i++)
        if (strcmp(ws_synth_huber_configs[i].series, series) == 0 && ws_synth_huber_configs[i].factor > 1)
            return true;
    return false;
}

static void print_rule(ws_synth_text *text, const ws_synth_huber_series *series, const char *subset, const char *before)
{
    ws_synth_print(
        text,
        "%s{\"match\":\"%s/{gpus}g{lbs}b{workers}w{epochs}e%s/{job}/perun/perun.hdf5\",\n"
        "           \"set\":{\"series\":\"%s\",\"model\":\"%s\",\"device\":\"%s\",\"dataset_samples\":%d%s%s%s}}",
        before, series->name, subset, series->name, series->model, series->device, series->dataset_samples,
        series->phase ? ",\"phase\":\"" : "", series->phase ? series->phase : "", series->phase ? "\"" : "");
}

static const char *rules_of(ws_arena *arena)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, " \"paths\":[");
    for (size_t i = 0; i < ws_synth_huber_series_n; i++) {
        const ws_synth_huber_series *series = &ws_synth_huber_series_list[i];
        if (has_subsets(series->name))
            print_rule(&text, series, "{factor}sf", i ? ",\n          " : "");
        print_rule(&text, series, "", i || has_subsets(series->name) ? ",\n          " : "");
    }
    ws_synth_print(
        &text, "],\n \"side_files\":[{\"match\":\"{series}/{config}/{job}/slurm_{job}\",\"as\":\"job-log\"},\n"
               "               {\"match\":\"{series}/{config}/{job}/valid_top1.pt\",\"as\":\"torch-list\","
               "\"field\":\"error_top1\",\"value\":\"100-last\"},\n"
               "               {\"match\":\"{series}/{config}/{job}/rmse_z500.pt\",\"as\":\"torch-list\","
               "\"field\":\"rmse_z500\",\"value\":\"last\"}],\n"
               " \"looks\":{\"series=fcn-repeats\":\"FourCastNet, repeats\",\"series=table1-a100\":\"Table 1, A100\","
               "\"series=table1-h100\":\"Table 1, H100\",\"series=full-lbs256\":\"LBS 256\",\n"
               "          \"series=full-gbs256\":\"GBS 256\",\"series=full-gbs8192\":\"GBS 8192\","
               "\"series=lbs256\":\"LBS 256, S/GPU 5004\",\n"
               "          \"series=gbs256\":\"GBS 256, S/GPU 80072\",\"series=gbs8192\":\"GBS 8192, S/GPU 5004\","
               "\"series=fcn-lbs1\":\"A100, pre-training, LBS 1\",\n"
               "          \"series=fcn-gbs64\":\"A100, pre-training, GBS 64\","
               "\"series=fcn-h100-gbs16\":\"H100, pre-training, GBS 16\",\n"
               "          \"series=fcn-h100-gbs32\":\"H100, pre-training, GBS 32\","
               "\"series=fcn-tune-lbs1\":\"A100, fine-tuning, LBS 1\"},\n"
               " \"ignore\":[\"README.md\",\"truth.json\"],\n");
    const char *rules = ws_arena_strndup(arena, text.p, text.n);
    ws_synth_text_free(&text);
    return rules;
}

static void print_config(ws_synth_text *text, const ws_synth_huber_config *config)
{
    static const ws_synth_mark ours = {"assumed", ""};
    size_t s;
    double rmse = ws_synth_huber_rmse_z500(series_of(config, &s), config);
    const ws_synth_huber_split *split = config->split;
    double kwh = config->energy_kwh;
    ws_synth_print(text, "  {\"series\":\"%s\",\"gpus\":%d,\"lbs\":%d,\"gbs\":%d,\"factor\":%d,\"n_runs\":%d,",
                   config->series, config->gpus, config->lbs, config->lbs * config->gpus, config->factor,
                   config->repeats);
    if (config->same_runs_as)
        ws_synth_print(text, "\"same_runs_as\":\"%s\",", config->same_runs_as);
    ws_synth_print(text, "\n   \"planted\":[");
    ws_synth_truth_planted(text, "energy_kwh", kwh, config->energy_mark, true);
    ws_synth_truth_planted(text, "gpu_h", config->gpu_h, config->gpu_h_mark, false);
    if (config->repeats > 1) {
        ws_synth_truth_planted(text, "energy_kwh_rmse", energy_rmse(config), config->rmse_mark, false);
        ws_synth_truth_planted(text, "gpu_h_rmse", gpu_h_rmse(config), config->rmse_mark, false);
    }
    ws_synth_truth_planted(text, "energy_gpu_kwh", (1 - split->cpu - split->dram) * kwh, split->gpu_mark, false);
    ws_synth_truth_planted(text, "energy_cpu_kwh", split->cpu * kwh, split->cpu_mark, false);
    ws_synth_truth_planted(text, "energy_dram_kwh", split->dram * kwh, split->dram_mark, false);
    if (config->error_top1 > 0)
        ws_synth_truth_planted(text, "error_top1", config->error_top1, config->error_mark, false);
    if (rmse > 0)
        ws_synth_truth_planted(text, "rmse_z500", rmse, &ours, false);
    ws_synth_print(text, "]}");
}

static void print_general(ws_synth_text *text, const ws_synth_campaign *campaign)
{
    static const ws_synth_mark ours = {"assumed", ""};
    static const ws_synth_mark sec31 = {"published", "Sec. 3.1"};
    static const ws_synth_mark samples = {"derived", "Sec. 3.3.1, 1979 to 2015 at 6 h"};
    static const ws_synth_mark imagenet = {"published", "Sec. 3.2.1"};
    static const ws_synth_mark fig5 = {"assumed",
                                       "depth; that A100 power falls to a base line and H100 power does not: Fig. 5"};
    static const ws_synth_mark period = {"derived", "Sec. 3.1, 1 s, divided by scale"};
    ws_synth_print(text, " \"planted\":[\n    ");
    ws_synth_truth_planted(text, "sampling_period_s", campaign->series[0].period_s,
                           campaign->scale < 1 ? &period : &sec31, true);
    ws_synth_truth_planted(text, "gpus_per_node", WS_SYNTH_GPUS_PER_NODE, &sec31, false);
    ws_synth_truth_planted(text, "sockets_per_node", WS_SYNTH_SOCKETS, &sec31, false);
    ws_synth_truth_planted(text, "dataset_samples of ResNet50", 1281167, &imagenet, false);
    ws_synth_truth_planted(text, "dataset_samples of FourCastNet", 54056, &samples, false);
    ws_synth_truth_planted(text, "fall of A100 power between epochs", 0.65, &fig5, false);
    ws_synth_truth_planted(text, "fall of H100 power between epochs", 0.03, &fig5, false);
    ws_synth_truth_planted(text, "relative noise of a GPU reading", campaign->series[0].reading_sd, &ours, false);
    ws_synth_truth_planted(text, "correlation of energy and time of repeats", correlation, &ours, false);
    ws_synth_print(text, "],\n");
}

static const char *planted_of(ws_synth_campaign *campaign)
{
    ws_synth_text text = {0};
    print_general(&text, campaign);
    ws_synth_print(&text, " \"configurations\":[\n");
    for (size_t i = 0; i < ws_synth_huber_configs_n; i++) {
        print_config(&text, &ws_synth_huber_configs[i]);
        ws_synth_print(&text, i + 1 < ws_synth_huber_configs_n ? ",\n" : "],\n");
    }
    ws_synth_print(&text, " \"left_out\":%s,\n", ws_synth_huber_left_out);
    const char *planted = ws_arena_strndup(&campaign->arena, text.p, text.n);
    ws_synth_text_free(&text);
    return planted;
}

void ws_synth_plan_huber(ws_synth_campaign *campaign)
{
    campaign->name = "huber2025";
    campaign->about = about;
    campaign->readme = readme;
    plan_series(campaign);
    campaign->rules = rules_of(&campaign->arena);
    campaign->planted = planted_of(campaign);
    campaign->runs = ws_arena_alloc(&campaign->arena, ws_synth_huber_configs_n * MAX_REPEATS * sizeof *campaign->runs);
    int64_t job = FIRST_JOB, clock_ns = ws_days_from_civil(2025, 5, 14) * 86400000000000;
    for (size_t c = 0; c < ws_synth_huber_configs_n; c++)
        if (ws_synth_huber_configs[c].same_runs_as)
            repeat_runs(campaign, &ws_synth_huber_configs[c]);
        else
            draw_runs(campaign, &ws_synth_huber_configs[c], c, &job, &clock_ns);
}
