/* "frey2022": runs whose times follow the power laws that Frey et al. 2022 print, each with a window of nvidia-smi
 * readings and a line in manifest.csv. The residuals of each series are orthogonal to the law and as large as its R2
 * says, so that least squares of ln(time per epoch) on ln(GPUs) gives the printed exponent and R2 back. */
#include "core/calendar.h"
#include "datasets/synth/frey_table.h"
#include "datasets/synth/plan.h"
#include "datasets/synth/planted_number.h"
#include "datasets/synth/rng.h"
#include "datasets/synth/window.h"

#include <math.h>
#include <string.h>

enum {
    FIRST_JOB = 9200001,
    GPUS_PER_NODE = 2,
    MAX_COUNTS = 9,
    MAX_POINTS = 27,
    STREAM_RESIDUALS = 300,
    STREAM_RUN = 4000
};

static const char about[] =
    "synthetic: no hardware was measured. The runs of Frey et al. 2022 (arXiv:2201.12423): time per epoch follows "
    "gpus^-beta with residuals that give beta and R2 of ln(epoch_s) on ln(gpus) back. window_s is what was logged of "
    "job_wall_s, the training. Energies, means and CVs are those of the readings in the window, weighted with time by "
    "the trapezoid; utilisation is the mean over the GPUs. training_kwh is the mean power times job_wall_s. scale "
    "divides the windows";

static const char rules[] = " \"excerpts\":true,\n"
                            " \"defaults\":{\"device\":\"V100\"},\n"
                            " \"paths\":[{\"match\":\"{series}/{gpus}gpus/{job}/gpu_{node}.csv\"}],\n"
                            " \"side_files\":[{\"match\":\"manifest.csv\",\"as\":\"table-csv\",\"join\":\"job\"}],\n";
static const char rules_behind_looks[] = " \"ignore\":[\"README.md\",\"truth.json\"],\n";

static const char readme[] =
    "- runs as in Frey et al. 2022, *Benchmarking Resource Usage for Efficient Distributed Deep Learning*,\n"
    "  arXiv:2201.12423: six networks on 2 to 424 V100 GPUs, two a node, under caps of power and clock;\n"
    "- `<series>/<n>gpus/<job>/gpu_<node>.csv` is nvidia-smi at 100 ms, for a window of a minute at scale 1; "
    "a smaller\n"
    "  scale means shorter windows;\n"
    "- `manifest.csv` has a line a run: caps, epochs, time per epoch, time of the training (`job_wall_s`);\n"
    "- time per epoch is a power law of the GPUs with the printed exponent; its residuals give the printed R2;\n"
    "- each planted number is marked published, derived or assumed, with its place; what contradicts itself is in a\n"
    "  series of its own or under `left_out`;\n"
    "- `excerpts` in `campaign.json`: the energy of a run is its mean power in the window times `job_wall_s`, "
    "as in the\n"
    "  paper; `energy_gpu_j` of the truth is that of the window; time stamps carry no zone.\n";

/* Numbers of GPUs of a series: powers of two up to 256, and its largest one. */
static int counts_of(const ws_synth_frey_series *series, int *counts)
{
    int n = 0;
    for (int gpus = 2; gpus <= 256 && gpus <= series->max_gpus; gpus *= 2)
        counts[n++] = gpus;
    if (series->max_gpus > 256)
        counts[n++] = series->max_gpus;
    return n;
}

/* Residuals of n points that leave mean and slope over x alone and have the sum of squares `rss`. */
static void draw_residuals(ws_synth_rng *rng, const double *x, double *e, int n, double rss)
{
    double mean_x = 0, mean_e = 0, xx = 0, xe = 0, ee = 0;
    for (int i = 0; i < n; i++) {
        e[i] = ws_synth_rng_normal(rng);
        mean_x += x[i] / n;
        mean_e += e[i] / n;
    }
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xe += (x[i] - mean_x) * (e[i] - mean_e);
    }
    for (int i = 0; i < n; i++) {
        e[i] -= mean_e + xe / xx * (x[i] - mean_x);
        ee += e[i] * e[i];
    }
    for (int i = 0; i < n; i++)
        e[i] *= sqrt(rss / ee);
}

static double spread_of(const double *x, int n)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return squares;
}

/* Series of one table and model have the same draw, so that caps compare as they would on the same machines. */
static size_t stream_of(size_t s)
{
    const ws_synth_frey_series *list = ws_synth_frey_series_list;
    size_t first = 0;
    while (strcmp(list[first].place, list[s].place) != 0 || strcmp(list[first].model, list[s].model) != 0)
        first++;
    return STREAM_RESIDUALS + first;
}

/* BERT was trained for 4 to 40 epochs, more on more GPUs (Sec. 2.2); which on how many is assumed. */
static int epochs_of(const ws_synth_frey_model *model, int gpus)
{
    static const struct {
        int gpus, epochs;
    } bert[] = {{4, 4}, {16, 6}, {32, 10}, {64, 15}, {256, 25}, {1000, 40}};
    int i = 0;
    while (gpus > bert[i].gpus)
        i++;
    return model->epochs ? model->epochs : bert[i].epochs;
}

static ws_synth_run draw_run(const ws_synth_campaign *campaign, size_t s, int gpus, int repeat, double epoch_s)
{
    const ws_synth_frey_model *model = ws_synth_frey_model_of(&ws_synth_frey_series_list[s]);
    ws_synth_run run = {.series = &campaign->series[s],
                        .gpus = gpus,
                        .nodes = gpus / GPUS_PER_NODE,
                        .lbs = model->lbs,
                        .gbs = model->lbs * gpus,
                        .epochs = epochs_of(model, gpus),
                        .repeat = repeat,
                        .job = FIRST_JOB + (int64_t)campaign->n_runs,
                        .setup_ns = 30000000000};
    run.wall_ns = llround(epoch_s * 1e6) * 1000 * run.epochs;
    run.power_factor = ws_synth_change_of(campaign, run.job);
    return run;
}

static void draw_series(ws_synth_campaign *campaign, size_t s, int64_t *clock_ns)
{
    const ws_synth_frey_series *series = &ws_synth_frey_series_list[s];
    double x[MAX_POINTS], residual[MAX_POINTS];
    int counts[MAX_COUNTS], n_counts = counts_of(series, counts), n = n_counts * series->repeats;
    for (int i = 0; i < n; i++)
        x[i] = log(counts[i / series->repeats]);
    ws_synth_rng rng;
    ws_synth_rng_init(&rng, campaign->seed, stream_of(s));
    draw_residuals(&rng, x, residual, n, series->beta * series->beta * spread_of(x, n) * (1 / series->planted_r2 - 1));
    double epoch_s = ws_synth_frey_model_of(series)->epoch_s * ws_synth_frey_cap_of(series)->time_factor;
    for (int i = 0; i < n; i++) {
        double law = -series->beta * (x[i] - log(2)) + residual[i];
        ws_synth_run run =
            draw_run(campaign, s, counts[i / series->repeats], i % series->repeats + 1, epoch_s * exp(law));
        run.job_start_ns = *clock_ns;
        *clock_ns += (run.wall_ns / 60000000000 + 3) * 60000000000;
        campaign->runs[campaign->n_runs++] = run;
    }
}

static bool is_only_one_of_model(size_t s)
{
    for (size_t i = 0; i < ws_synth_frey_series_n; i++)
        if (i != s && strcmp(ws_synth_frey_series_list[i].model, ws_synth_frey_series_list[s].model) == 0)
            return false;
    return true;
}

/* Series by what sets them apart: "BERT, table 2", "BERT, 100 W", "DimeNet, 135 MHz", "SchNet". */
static const char *rules_with_looks(ws_arena *arena)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, "%s \"looks\":{", rules);
    for (size_t s = 0; s < ws_synth_frey_series_n; s++) {
        const ws_synth_frey_series *series = &ws_synth_frey_series_list[s];
        bool is_of_clocks = strcmp(series->place, "Table 3") == 0 || strcmp(series->place, "Fig. 13") == 0;
        ws_synth_print(&text, "%s\"series=%s\":\"%s", s ? ",\n          " : "", series->name, series->model);
        if (strcmp(series->place, "Table 2") == 0)
            ws_synth_print(&text, "%s\"", is_only_one_of_model(s) ? "" : ", table 2");
        else
            ws_synth_print(&text, ", %d %s\"", is_of_clocks ? series->clock_cap_mhz : series->power_cap_w,
                           is_of_clocks ? "MHz" : "W");
    }
    ws_synth_print(&text, "},\n%s", rules_behind_looks);
    const char *all = ws_arena_strndup(arena, text.p, text.n);
    ws_synth_text_free(&text);
    return all;
}

static void print_series(ws_synth_text *text, const ws_synth_frey_series *series)
{
    const ws_synth_frey_model *model = ws_synth_frey_model_of(series);
    const ws_synth_frey_cap *cap = ws_synth_frey_cap_of(series);
    bool is_printed = strncmp(series->place, "Table", 5) == 0; /* a figure prints no numbers */
    const ws_synth_mark table = {is_printed ? "published" : "assumed", series->place},
                        near = {"assumed", model->util_note};
    const ws_synth_mark rounded = {"derived", "rounds to the printed R2"}, setting = {"published", "Sec. 2.1 to 2.3"};
    const ws_synth_mark assumed = {"assumed", ""};
    ws_synth_print(text, "  {\"series\":\"%s\",\"model\":\"%s\",\n   \"planted\":[", series->name, series->model);
    ws_synth_truth_planted(text, "beta", series->beta, &table, true);
    ws_synth_truth_planted(text, "r2", series->planted_r2, series->r2 < 1 ? &table : &rounded, false);
    ws_synth_truth_planted(text, "power_cap_w", series->power_cap_w, &table, false);
    if (series->clock_cap_mhz)
        ws_synth_truth_planted(text, "clock_cap_mhz", series->clock_cap_mhz, &table, false);
    ws_synth_truth_planted(text, "lbs", model->lbs, &setting, false);
    if (model->epochs)
        ws_synth_truth_planted(text, "epochs", model->epochs, &setting, false);
    ws_synth_truth_planted(text, "max_gpus", series->max_gpus, model->lbs == 256 ? &assumed : &table, false);
    ws_synth_truth_planted(text, "epoch_s on 2 GPUs", model->epoch_s * cap->time_factor, &assumed, false);
    double power_w = fmin(model->power_w * cap->power_factor, WS_SYNTH_UNDER_CAP * series->power_cap_w);
    ws_synth_truth_planted(text, "gpu_power_w", power_w, &assumed, false);
    ws_synth_truth_planted(text, "util_mean", model->util / 100, &near, false);
    ws_synth_truth_planted(text, "mem_util_mean on 2 GPUs", model->mem_util / 100, &near, false);
    ws_synth_truth_planted(text, "mem_util_mean on 128 GPUs", model->mem_util_128 / 100, &near, false);
    ws_synth_print(text, "]}");
}

static const char *planted_of(ws_arena *arena)
{
    ws_synth_text text = {0};
    ws_synth_print(&text, " \"series\":[\n");
    for (size_t s = 0; s < ws_synth_frey_series_n; s++) {
        print_series(&text, &ws_synth_frey_series_list[s]);
        ws_synth_print(&text, s + 1 < ws_synth_frey_series_n ? ",\n" : "],\n");
    }
    ws_synth_print(&text, " \"left_out\":%s,\n", ws_synth_frey_left_out);
    const char *planted = ws_arena_strndup(arena, text.p, text.n);
    ws_synth_text_free(&text);
    return planted;
}

void ws_synth_plan_frey(ws_synth_campaign *campaign)
{
    campaign->name = "frey2022";
    campaign->about = about;
    campaign->rules = rules_with_looks(&campaign->arena);
    campaign->readme = readme;
    campaign->ledger = "manifest.csv";
    campaign->planted = planted_of(&campaign->arena);
    campaign->n_series = ws_synth_frey_series_n;
    campaign->series = ws_arena_alloc(&campaign->arena, ws_synth_frey_series_n * sizeof *campaign->series);
    campaign->runs = ws_arena_alloc(&campaign->arena, ws_synth_frey_series_n * MAX_POINTS * sizeof *campaign->runs);
    int64_t clock_ns = ws_days_from_civil(2021, 9, 6) * 86400000000000;
    for (size_t s = 0; s < ws_synth_frey_series_n; s++) {
        const ws_synth_frey_series *series = &ws_synth_frey_series_list[s];
        campaign->series[s] =
            (ws_synth_series){.name = series->name,
                              .about = ws_arena_printf(&campaign->arena, "%s, %s", series->about, series->place),
                              .layout = WS_SYNTH_WINDOW};
        draw_series(campaign, s, &clock_ns);
    }
}
