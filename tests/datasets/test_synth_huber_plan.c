/* What the generator plans for "huber2025", before anything is written: every run of every seed against what is
 * published. The generator is a program and no library: its parts are included as they are. */
#include "datasets/synth/huber_table.c"
#include "datasets/synth/kind_huber.c"
#include "datasets/synth/outfile.c"
#include "datasets/synth/plan.c"
#include "datasets/synth/planted.c"
#include "datasets/synth/rng.c"

#include "harness.h"

#include <stdio.h>

static ws_synth_campaign planned(uint64_t seed)
{
    ws_synth_campaign campaign = {.kind = "huber2025", .seed = seed, .scale = 0.01};
    ws_synth_plan_huber(&campaign);
    return campaign;
}

typedef struct moments {
    int n;
    double mean, rmse; /* divisor n */
} moments;

typedef double run_value(const ws_synth_run *run);

static double energy_kwh(const ws_synth_run *run)
{
    return (run->energy_j[WS_GPU] + run->energy_j[WS_CPU] + run->energy_j[WS_DRAM]) / 3.6e6;
}

static double gpu_kwh(const ws_synth_run *run)
{
    return run->energy_j[WS_GPU] / 3.6e6;
}

static double cpu_kwh(const ws_synth_run *run)
{
    return run->energy_j[WS_CPU] / 3.6e6;
}

static double gpu_h(const ws_synth_run *run)
{
    return run->gpus * (double)run->wall_ns / 3.6e12;
}

static double wall_min(const ws_synth_run *run)
{
    return (double)run->wall_ns / 6e10;
}

static double error_top1(const ws_synth_run *run)
{
    return 100 - run->top1_percent;
}

static moments of(const ws_synth_campaign *campaign, const char *series, int gpus, run_value *value)
{
    moments m = {0};
    for (size_t i = 0; i < campaign->n_runs; i++)
        if (campaign->runs[i].gpus == gpus && strcmp(campaign->runs[i].series->name, series) == 0) {
            m.mean += value(&campaign->runs[i]);
            m.n++;
        }
    ck_assert_msg(m.n > 0, "no runs of %s on %d GPUs", series, gpus);
    m.mean /= m.n;
    for (size_t i = 0; i < campaign->n_runs; i++)
        if (campaign->runs[i].gpus == gpus && strcmp(campaign->runs[i].series->name, series) == 0)
            m.rmse += pow(value(&campaign->runs[i]) - m.mean, 2) / m.n;
    m.rmse = sqrt(m.rmse);
    return m;
}

/* The cells of a row of a bundled table; they end with it. */
enum { COLUMNS = 16 };
static bool next_row(FILE *file, char *line, size_t size, ws_span *cell)
{
    if (!fgets(line, (int)size, file))
        return false;
    ws_span rest = ws_span_trim(ws_span_of(line));
    for (size_t c = 0; c < COLUMNS && ws_span_split(&rest, ',', &cell[c]); c++)
        continue;
    return true;
}

static double cell_number(ws_span cell)
{
    double value;
    ck_assert_msg(ws_span_double(cell, &value), "'%.*s' is no number", WS_SPAN_ARG(cell));
    return value;
}

/* Times lie on the grid of 1/512 s that float32 can hold: a millisecond beside an RMSE of a second and more. */
START_TEST(the_18_points_are_the_published_ones)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ws_synth_campaign campaign = planned(seed);
        char line[1000];
        ws_span cell[COLUMNS];
        int rows = 0;
        FILE *file = fopen("datasets/huber2025/scaled.csv", "r");
        ck_assert_msg(file != NULL, "run in the project's folder");
        ck_assert(next_row(file, line, sizeof line, cell));
        ck_assert(ws_span_eq(cell[6], "energy_kwh") && ws_span_eq(cell[8], "gpu_h"));
        for (; next_row(file, line, sizeof line, cell); rows++) {
            char *series = ws_arena_strndup(&campaign.arena, cell[0].p, cell[0].n);
            int gpus = (int)cell_number(cell[1]);
            moments energy = of(&campaign, series, gpus, energy_kwh), hours = of(&campaign, series, gpus, gpu_h);
            ck_assert_int_eq(energy.n, 5);
            ck_close(energy.mean, cell_number(cell[6]), 1e-13, 0);
            ck_close(energy.rmse, cell_number(cell[7]), 1e-10, 0);
            ck_close(hours.mean, cell_number(cell[8]), 1e-6, 0);
            ck_close(hours.rmse, cell_number(cell[9]), 2e-3, 0);
        }
        ck_assert_int_eq(rows, 18);
        fclose(file);
        ws_arena_free(&campaign.arena);
    }
}
END_TEST

static bool prints_as(double value, ws_span printed)
{
    char digits[WS_DOUBLE_TEXT];
    ws_double_text_decimals(digits, value, 2);
    return ws_span_eq(printed, digits);
}

START_TEST(table_1_to_the_printed_digits)
{
    ws_synth_campaign campaign = planned(1);
    char line[1000];
    ws_span cell[COLUMNS];
    int rows = 0;
    FILE *file = fopen("datasets/huber2025/table1.csv", "r");
    ck_assert_msg(file != NULL, "run in the project's folder");
    ck_assert(next_row(file, line, sizeof line, cell));
    for (; next_row(file, line, sizeof line, cell); rows++) {
        const char *series = ws_span_eq(cell[1], "H100") ? "table1-h100" : "table1-a100";
        int gpus = (int)cell_number(cell[2]);
        ck_assert_int_eq(of(&campaign, series, gpus, energy_kwh).n, 1);
        ck_assert(prints_as(of(&campaign, series, gpus, energy_kwh).mean, cell[5]));
        ck_assert(prints_as(of(&campaign, series, gpus, wall_min).mean / 60, cell[6]));
        ck_assert(prints_as(of(&campaign, series, gpus, gpu_h).mean, cell[7]));
    }
    ck_assert_int_eq(rows, 6);
    fclose(file);
    ws_arena_free(&campaign.arena);
}
END_TEST

/* Numbers of the text with half a unit of their last digit. */
START_TEST(anchors_of_the_text)
{
    static const struct {
        const char *series;
        int gpus;
        run_value *value;
        double mean, mean_off, rmse, rmse_off;
    } anchors[] = {{"full-lbs256", 1, cpu_kwh, 18.9, 0.05, 0, 1},   {"full-lbs256", 4, cpu_kwh, 6.7, 0.05, 0, 1},
                   {"full-lbs256", 1, gpu_kwh, 17.6, 0.05, 0, 1},   {"full-lbs256", 256, gpu_kwh, 20.3, 0.05, 0, 1},
                   {"full-lbs256", 1, error_top1, 28, 0.5, 0, 1},   {"full-lbs256", 8, error_top1, 28, 0.5, 0, 1},
                   {"full-lbs256", 32, error_top1, 28, 0.5, 0, 1},  {"full-lbs256", 256, error_top1, 42, 0.5, 0, 1},
                   {"fcn-gbs64", 16, gpu_h, 651, 0.5, 0, 1},        {"fcn-gbs64", 64, gpu_h, 1034, 0.5, 0, 1},
                   {"fcn-gbs64", 16, energy_kwh, 136, 0.5, 0, 1},   {"fcn-gbs64", 64, energy_kwh, 195, 0.5, 0, 1},
                   {"fcn-repeats", 64, wall_min, 263, 0.5, 9, 0.5}, {"fcn-repeats", 64, gpu_h, 280, 0.5, 10, 0.5},
                   {"fcn-repeats", 64, energy_kwh, 52, 0.5, 2, 0.5}};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ws_synth_campaign campaign = planned(seed);
        for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++) {
            moments m = of(&campaign, anchors[i].series, anchors[i].gpus, anchors[i].value);
            ck_close(m.mean, anchors[i].mean, 0, anchors[i].mean_off);
            ck_close(m.rmse, anchors[i].rmse, 0, anchors[i].rmse_off);
        }
        ws_arena_free(&campaign.arena);
    }
}
END_TEST

/* Sec. 3.1: DRAM has at most 6 %; Sec. 3.2.2: CPU has 49 % on one GPU and 27 % from four on. */
START_TEST(shares_of_the_energy)
{
    ws_synth_campaign campaign = planned(1);
    for (size_t i = 0; i < campaign.n_runs; i++) {
        const ws_synth_run *run = &campaign.runs[i];
        double cpu = cpu_kwh(run) / energy_kwh(run), dram = 1 - cpu - gpu_kwh(run) / energy_kwh(run);
        ck_assert(dram >= 0.035 && dram <= 0.06);
        if (run->gpus == 1)
            ck_close(cpu, 0.49, 0, 0.005);
        if (run->gpus >= 4)
            ck_close(cpu, 0.27, 0, 0.005);
    }
    ws_arena_free(&campaign.arena);
}
END_TEST

/* Every sensor has energy to draw: no GPU beyond its limit, even on its plateau, no package beyond 270 W. */
START_TEST(powers_are_possible)
{
    ws_synth_campaign campaign = planned(1);
    for (size_t i = 0; i < campaign.n_runs; i++) {
        const ws_synth_run *run = &campaign.runs[i];
        double wall_h = (double)run->wall_ns / 3.6e12;
        double gpu_w = 1000 * gpu_kwh(run) / wall_h / run->gpus;
        double package_w = 1000 * cpu_kwh(run) / wall_h / (WS_SYNTH_SOCKETS * run->nodes);
        ck_assert(gpu_w > 100 && gpu_w / (1 - 0.14 * run->series->gpu_dip) < run->series->hardware->gpu_limit_w);
        ck_assert(package_w > 50 && package_w < 270);
    }
    ws_arena_free(&campaign.arena);
}
END_TEST

START_TEST(seeds_differ_and_jobs_do_not_repeat_within_a_series)
{
    ws_synth_campaign one = planned(1), two = planned(2);
    ck_assert_uint_eq(one.n_runs, two.n_runs);
    size_t same = 0;
    for (size_t i = 0; i < one.n_runs; i++) {
        same += one.runs[i].wall_ns == two.runs[i].wall_ns;
        for (size_t j = 0; j < i; j++)
            ck_assert(one.runs[i].series != one.runs[j].series || one.runs[i].job != one.runs[j].job);
    }
    ck_assert_uint_lt(same, 30); /* single runs have no noise; of 170 others hardly one stays */
    ws_arena_free(&one.arena);
    ws_arena_free(&two.arena);
}
END_TEST

TEST_MAIN("synth huber plan", the_18_points_are_the_published_ones, table_1_to_the_printed_digits, anchors_of_the_text,
          shares_of_the_energy, powers_are_possible, seeds_differ_and_jobs_do_not_repeat_within_a_series)
