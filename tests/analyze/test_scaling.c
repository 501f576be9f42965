#include "fit/reference.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/tidy.h"
#include "analyze/scaling/scaling.h"
#include "analyze/source.h"
#include "tests/fit/simulate.h"

#include <time.h>

static double at(const ws_table *t, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(t, name, &column), "no column %s", name);
    ck_assert_uint_lt(row, t->n_rows);
    return ws_table_number(t, column, row);
}

static const char *text_at(const ws_table *t, size_t row, const char *name)
{
    static char buffer[WS_DOUBLE_TEXT];
    size_t column;
    ck_assert_msg(ws_table_find(t, name, &column), "no column %s", name);
    return ws_table_cell_text(t, column, row, buffer);
}

typedef struct run {
    const char *run, *series;
    double gpus, samples, wall_s, energy_kwh; /* NaN: not known */
} run;

static void make_runs(ws_table *runs, const run *list, size_t n)
{
    ws_runs_init(runs);
    for (size_t i = 0; i < n; i++) {
        size_t row = ws_table_add_row(runs);
        ws_table_set_text(runs, WS_COL_RUN, row, list[i].run);
        ws_table_set_text(runs, WS_COL_SERIES, row, list[i].series);
        ws_runs_set(runs, WS_COL_GPUS, row, list[i].gpus);
        ws_runs_set(runs, WS_COL_DATASET_SAMPLES, row, list[i].samples);
        ws_runs_set(runs, WS_COL_EPOCHS, row, 2);
        ws_runs_set(runs, WS_COL_WALL, row, list[i].wall_s);
        ws_runs_set(runs, WS_COL_ENERGY, row, list[i].energy_kwh);
    }
    ws_runs_complete(runs, NULL);
}

static void scale_runs(const run *list, size_t n, const ws_scaling_options *options, ws_table *scale)
{
    ws_table runs;
    ws_error error = {0};
    make_runs(&runs, list, n);
    ck_assert_msg(ws_scale(&runs, options, scale, &error) == WS_OK, "%s", error.message);
    ws_table_free(&runs);
}

static ws_status refusal(const run *list, size_t n, const ws_scaling_options *options, ws_error *error)
{
    ws_table runs, scale;
    make_runs(&runs, list, n);
    ws_status status = ws_scale(&runs, options, &scale, error);
    ws_table_free(&scale);
    ws_table_free(&runs);
    return status;
}

static void read_case22(ws_table *runs)
{
    ws_table raw;
    ws_error error = {0};
    ws_arena arena = {0};
    ws_fields defaults = {0};
    ws_source_options options = {.as = NULL, .read = WS_READ_DEFAULTS};
    ws_fields_set(&defaults, &arena, "dataset_samples", "128116700");
    ck_assert_msg(ws_source_read_table("tests/data/reference-fits/case22_speedup_efficiency_repeats.csv", &options,
                                       &raw, &error) == WS_OK,
                  "%s", error.message);
    ck_assert_msg(ws_tidy(&raw, "wall_s=time_h", &defaults, runs, &error) == WS_OK, "%s", error.message);
    ws_table_free(&raw);
    ws_fields_free(&defaults);
    ws_arena_free(&arena);
}

/* The case has hours where we have seconds. rmse has the divisor n, sd n - 1; energies per GPUh and per sample and the
 * energy-delay product are means over the runs of the ratio of each. */
START_TEST(case22)
{
    static const struct {
        const char *column, *expected;
        double factor;
    } columns[] = {{"gpus", "gpus", 1},
                   {"n_runs", "n", 1},
                   {"wall_s", "time_mean", 3600},
                   {"wall_s_rmse", "time_rmse_div_n", 3600},
                   {"wall_s_sd", "time_sd_n_minus_1", 3600},
                   {"speedup", "speedup_ratio_of_means", 1},
                   {"speedup_se", "speedup_se_delta", 1},
                   {"efficiency", "efficiency", 1},
                   {"efficiency_se", "efficiency_se_delta", 1},
                   {"gpu_h", "gpu_hours_mean", 1},
                   {"energy_kwh", "energy_mean_kWh", 1},
                   {"kwh_per_gpuh", "energy_per_gpuh_mean_of_ratios_kW", 1},
                   {"wh_per_sample", "energy_per_sample_Wh", 1},
                   {"edp_kwh_h", "edp_kWh_h", 1},
                   {"energy_ratio", "normalised_energy", 1}};
    reference data = reference_load("case22_speedup_efficiency_repeats");
    ws_table runs, scale;
    ws_error error = {0};
    read_case22(&runs);
    ck_assert_uint_eq(runs.n_rows, 20);
    ck_assert_msg(ws_scale(&runs, &(ws_scaling_options){.sd = true}, &scale, &error) == WS_OK, "%s", error.message);
    ck_assert_uint_eq(scale.n_rows, 4);
    for (size_t row = 0; row < 4; row++) {
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
            char path[80];
            snprintf(path, sizeof path, "groups.%zu.%s", row, columns[i].expected);
            double want = reference_number(&data, path) * columns[i].factor, got = at(&scale, row, columns[i].column);
            if (row == 0 && strstr(columns[i].column, "_se"))
                ck_assert_double_nan(got); /* the reference against itself has no error, not an error of zero */
            else
                ck_close(got, want, data.tolerance, 0);
        }
        ck_assert_str_eq(text_at(&scale, row, "reference"), "gpus=1");
        ck_assert_str_eq(text_at(&scale, row, "scaling"), "strong");
    }
    json_decref(data.expected);
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

/* Means 100 and 25 s. Sample sds sqrt(32) and sqrt(2): relative squares over n 0.0032 / 2 + 0.0032 / 2 = 0.0032, so the
 * speed-up is 4 with 4 sqrt(0.0032), the efficiency 1 with sqrt(0.0032). Energies 2 and 3: ratio 1.5. */
static const run STRONG[] = {{"a", "s", 1, 1000, 96, 1.9},
                             {"b", "s", 1, 1000, 104, 2.1},
                             {"c", "s", 4, 1000, 24, 2.9},
                             {"d", "s", 4, 1000, 26, 3.1},
                             {"e", "s", 8, 1000, 20, 4}};

START_TEST(strong_scaling)
{
    ws_table scale;
    scale_runs(STRONG, 5, &(ws_scaling_options){.sd = true}, &scale);
    ck_assert_uint_eq(scale.n_rows, 3);
    ck_assert_double_eq(at(&scale, 0, "speedup"), 1);
    ck_assert_double_eq(at(&scale, 1, "speedup"), 4);
    ck_close(at(&scale, 1, "speedup_se"), 4 * sqrt(0.0032), 1e-14, 0);
    ck_assert_double_eq(at(&scale, 1, "efficiency"), 1);
    ck_close(at(&scale, 1, "efficiency_se"), sqrt(0.0032), 1e-14, 0);
    ck_close(at(&scale, 1, "energy_ratio"), 1.5, 1e-15, 0);
    ck_assert_double_eq(at(&scale, 0, "wall_s_rmse"), 4);
    ck_close(at(&scale, 0, "wall_s_sd"), sqrt(32), 1e-15, 0);
    ck_assert_double_eq(at(&scale, 2, "speedup"), 5);
    ck_assert_double_eq(at(&scale, 2, "efficiency"), 0.625);
    ck_assert_str_eq(text_at(&scale, 2, "scaling"), "strong");
    ws_table_free(&scale);
}
END_TEST

/* The logarithms of 96, 104 and of 24, 26 both differ by d = ln(13/12): squares d^2 / 2 each, 2 degrees of freedom, so
 * the pooled sd is d / sqrt(2), and t = 4.302653 (95 %, 2). The run at 8 GPUs has no repeat and gets an interval all
 * the same. Energies: ln(2.1/1.9) and ln(3.1/2.9). */
START_TEST(pooled_deviation)
{
    ws_table scale;
    double d = log(13.0 / 12), t = 4.302652729749464, sd = d / sqrt(2), half = t * sd;
    scale_runs(STRONG, 5, &(ws_scaling_options){.sd = true}, &scale);
    ck_assert_double_nan(at(&scale, 0, "speedup_pooled"));
    ck_close(at(&scale, 1, "speedup_pooled"), 4, 1e-14, 0);
    ck_close(at(&scale, 1, "speedup_pooled_lo"), 4 * exp(-half), 1e-12, 0);
    ck_close(at(&scale, 1, "speedup_pooled_hi"), 4 * exp(half), 1e-12, 0);
    ck_close(at(&scale, 1, "speedup_lo"), 4 * exp(-half), 1e-12, 0); /* what is shown */
    ck_close(at(&scale, 1, "efficiency_hi"), exp(half), 1e-12, 0);
    ck_close(at(&scale, 1, "speedup_pooled_se"), 4 * sd, 1e-12, 0);
    double alone = sqrt(96.0 * 104) / 20;
    ck_close(at(&scale, 2, "speedup_pooled"), alone, 1e-14, 0);
    ck_close(at(&scale, 2, "speedup_pooled_hi"), alone * exp(t * sd * sqrt(1.5)), 1e-12, 0);
    ck_close(at(&scale, 2, "efficiency_pooled_hi"), alone / 8 * exp(t * sd * sqrt(1.5)), 1e-12, 0);
    ck_close(at(&scale, 2, "efficiency_hi"), alone / 8 * exp(t * sd * sqrt(1.5)), 1e-12, 0);
    ck_close(at(&scale, 2, "speedup_pooled_se"), 5 * sd * sqrt(1.5), 1e-12, 0);
    ck_assert_str_eq(text_at(&scale, 1, "interval_by"), "pooled");
    ck_assert_str_eq(text_at(&scale, 2, "interval_by"), "pooled, run once");
    double e = log(2.1 / 1.9), f = log(3.1 / 2.9), energy_sd = sqrt((e * e + f * f) / 4);
    double ratio = 4 / sqrt(1.9 * 2.1);
    ck_close(at(&scale, 2, "energy_ratio_pooled_lo"), ratio * exp(-t * energy_sd * sqrt(1.5)), 1e-12, 0);
    ws_table_free(&scale);
}
END_TEST

/* Logarithms of the times: three at one GPU of variance s^2, two at four GPUs u = s / sqrt(6) about their mean. Welch's
 * degrees of freedom are 3, those of equal spreads (1/3 + 1/2)^2 / (1/18 + 1/4) = 25/11, which is less: t is 3.8438 (by
 * mpmath's incomplete beta function), the standard error s / sqrt(2) (test_mean_and_spread.c). Two GPUs vary 30 times
 * as much, which must not matter there; in what is shown the spread is that of the series, of 2 s^2 + 2 u^2 +
 * 2 (30 u)^2 over 4 degrees of freedom, whose largest part is that of two GPUs, and a word says so. */
START_TEST(intervals_by_the_repeats_of_both)
{
    const double s = 0.01, u = s / sqrt(6);
    const run list[] = {{"a", "s", 1, 1000, 100 * exp(-s), 2},    {"b", "s", 1, 1000, 100, 2},
                        {"c", "s", 1, 1000, 100 * exp(s), 2},     {"d", "s", 2, 1000, 50 * exp(-30 * u), 2},
                        {"e", "s", 2, 1000, 50 * exp(30 * u), 2}, {"f", "s", 4, 1000, 25 * exp(-u), 2},
                        {"g", "s", 4, 1000, 25 * exp(u), 2},      {"h", "s", 8, 1000, 20, 2}};
    ws_table scale;
    scale_runs(list, 8, &(ws_scaling_options){.kind = "strong"}, &scale);
    double half = 3.8438458515305705 * s / sqrt(2);
    ck_assert_double_nan(at(&scale, 0, "speedup_lo"));
    ck_assert_double_nan(at(&scale, 0, "speedup_own_lo"));
    ck_assert_str_eq(text_at(&scale, 0, "interval_by"), "");
    ck_close(at(&scale, 2, "speedup_own_lo"), 4 * exp(-half), 1e-12, 0);
    ck_close(at(&scale, 2, "speedup_own_hi"), 4 * exp(half), 1e-12, 0);
    ck_close(at(&scale, 2, "efficiency_own_hi"), exp(half), 1e-12, 0);
    double pooled = sqrt((2 * s * s + 2 * u * u + 2 * 900 * u * u) / 4) * 2.7764451051977934;
    ck_close(at(&scale, 2, "speedup_lo"), 4 * exp(-pooled * sqrt(5.0 / 6)), 1e-12, 0);
    ck_close(at(&scale, 2, "serial_fraction_lo"), (exp(-pooled * sqrt(5.0 / 6)) / 4 - 0.25) / 0.75, 1e-12, 0);
    ck_assert_str_eq(text_at(&scale, 2, "interval_by"), "pooled, energy none: repeats without spread");
    ck_close(at(&scale, 3, "speedup_pooled_hi"), 5 * exp(pooled * sqrt(4.0 / 3)), 1e-12, 0);
    ck_close(at(&scale, 3, "speedup_hi"), 5 * exp(pooled * sqrt(4.0 / 3)), 1e-12, 0);
    ck_assert_double_nan(at(&scale, 3, "speedup_own_lo")); /* run once: others may spread a tenth as much */
    ck_assert_str_eq(text_at(&scale, 3, "interval_by"), "pooled, run once, energy none: repeats without spread");
    ck_assert_double_nan(at(&scale, 2, "energy_ratio_lo")); /* all energies agree: no spread to go by */
    ws_table_free(&scale);
}
END_TEST

/* Two series share their runs on 2 GPUs: the spread of both has these once. t at 5 % two-sided: 2.776 of 2 + 1 + 1
 * degrees of freedom. */
START_TEST(pooled_spread_of_two_series_has_a_run_once)
{
    const double s = 0.01, u = 0.03 / sqrt(2), v = 0.02 / sqrt(2);
    const run list[] = {{"a", "s", 1, 1000, 100 * exp(-s), 2}, {"b", "s", 1, 1000, 100, 2},
                        {"c", "s", 1, 1000, 100 * exp(s), 2},  {"d", "s", 2, 1000, 50 * exp(-u), 2},
                        {"e", "s", 2, 1000, 50 * exp(u), 2},   {"d", "t", 2, 1000, 50 * exp(-u), 2},
                        {"e", "t", 2, 1000, 50 * exp(u), 2},   {"f", "t", 4, 1000, 25 * exp(-v), 2},
                        {"g", "t", 4, 1000, 25 * exp(v), 2}};
    ws_table scale;
    scale_runs(list, 9, &(ws_scaling_options){.kind = "strong", .reference = "all"}, &scale);
    ck_assert_str_eq(text_at(&scale, 3, "series"), "t");
    double sd = sqrt((2 * s * s + 2 * u * u + 2 * v * v) / 4), half = 2.7764451051977934 * sd * sqrt(1.0 / 3 + 1.0 / 2);
    ck_close(at(&scale, 3, "speedup_pooled_hi"), 4 * exp(half), 1e-12, 0);
    ck_close(at(&scale, 1, "speedup_pooled_hi"),
             2 * exp(3.182446305284263 * sqrt((2 * s * s + 2 * u * u) / 3) * sqrt(1.0 / 3 + 1.0 / 2)), 1e-12, 0);
    ws_table_free(&scale);
}
END_TEST

/* Runs that agree to the last digit on both sides say nothing of their spread: that of the series stands in. */
START_TEST(repeats_without_spread_take_that_of_the_series)
{
    const run list[] = {{"a", "s", 1, 1000, 96, 2},   {"b", "s", 1, 1000, 96, 2.1}, {"c", "s", 2, 1000, 50, 2},
                        {"d", "s", 2, 1000, 52, 2.2}, {"e", "s", 4, 1000, 24, 2},   {"f", "s", 4, 1000, 24, 2.3}};
    ws_table scale;
    scale_runs(list, 6, &(ws_scaling_options){.kind = "strong"}, &scale);
    double sd = log(1.04) / sqrt(2) / sqrt(3), half = 3.182446305284263 * sd;
    ck_close(at(&scale, 2, "speedup_hi"), 4 * exp(half), 1e-12, 0);
    ck_assert_double_nan(at(&scale, 2, "speedup_own_hi"));
    ck_assert_str_eq(text_at(&scale, 2, "interval_by"), "pooled");
    ws_table_free(&scale);
}
END_TEST

/* Two runs of each configuration; of 2 and 4 GPUs they differ by 1 %, of 8 GPUs by the root of twice F as much. Beyond
 * F is F(2, 2) with a chance of 1 / (1 + F): 1 in 99 and in 102. */
START_TEST(a_spread_of_its_own_is_larger_by_no_chance)
{
    for (int more = 0; more <= 1; more++) {
        const double f = more ? 101 : 98, apart[] = {0, 0.01, 0.01, 0.01 * sqrt(2 * f)};
        static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
        run list[8];
        ws_table scale;
        for (size_t i = 0; i < 8; i++) {
            double off = exp(i % 2 ? apart[i / 2] : 0);
            list[i] = (run){names[i], "s", pow(2, (double)(i / 2)), 1000, 96 / pow(2, (double)(i / 2)) * off, 2 * off};
        }
        scale_runs(list, 8, &(ws_scaling_options){.kind = "strong"}, &scale);
        ck_assert((strstr(text_at(&scale, 3, "interval_by"), "own spread larger") != NULL) == more);
        ws_table_free(&scale);
    }
}
END_TEST

/* 400 campaigns of 1 to 16 GPUs, three runs each, all of one spread, then with ten times the spread at the last count:
 * the intervals by the pooled spread hold the true speed-up and energy ratio in 93 to 97 % of the first (and four
 * standard deviations of that many draws), and of the second in 72 %, where a word says so; those by the repeats of
 * both hold in both. */
START_TEST(intervals_hold)
{
    enum { CAMPAIGNS = 400, COUNTS = 5, RUNS = 3 };
    static char names[COUNTS * RUNS][8];
    double allowance = 400 * sqrt(0.05 * 0.95 / CAMPAIGNS);
    sim random = sim_begin(20, 7);
    for (size_t differ = 0; differ < 2; differ++) {
        double held[2] = {0}, own[2] = {0}, told = 0;
        for (size_t c = 0; c < CAMPAIGNS; c++) {
            run list[COUNTS * RUNS];
            ws_table scale;
            for (size_t i = 0; i < COUNTS * RUNS; i++) {
                double gpus = (double)(1U << (i / RUNS)), sd = differ && i / RUNS == COUNTS - 1 ? 0.05 : 0.005;
                snprintf(names[i], sizeof names[i], "r%zu", i);
                list[i] = (run){names[i],
                                "s",
                                gpus,
                                1000,
                                3600 * pow(gpus, -0.8) * exp(sd * sim_normal(&random)),
                                2 * pow(gpus, 0.2) * exp(sd * sim_normal(&random))};
            }
            scale_runs(list, COUNTS * RUNS, &(ws_scaling_options){.kind = "strong"}, &scale);
            double speedup = pow(16, 0.8), ratio = pow(16, 0.2);
            held[0] += at(&scale, 4, "speedup_lo") <= speedup && speedup <= at(&scale, 4, "speedup_hi");
            held[1] += at(&scale, 4, "energy_ratio_lo") <= ratio && ratio <= at(&scale, 4, "energy_ratio_hi");
            own[0] += at(&scale, 4, "speedup_own_lo") <= speedup && speedup <= at(&scale, 4, "speedup_own_hi");
            own[1] += at(&scale, 4, "energy_ratio_own_lo") <= ratio && ratio <= at(&scale, 4, "energy_ratio_own_hi");
            told += strstr(text_at(&scale, 4, "interval_by"), "own spread larger") != NULL;
            ws_table_free(&scale);
        }
        for (size_t i = 0; i < 2; i++) {
            double shown = 100 * held[i] / CAMPAIGNS, by_own = 100 * own[i] / CAMPAIGNS;
            ck_assert_msg(by_own >= 93 - allowance && by_own <= 97 + allowance, "%g", by_own);
            ck_assert_msg(differ ? shown < 80 : shown >= 93 - allowance && shown <= 97 + allowance, "%g", shown);
        }
        double share = 100 * told / CAMPAIGNS;
        ck_assert_msg(differ ? share > 95 : share < 5, "%g", share);
    }
}
END_TEST

START_TEST(one_run_has_no_spread)
{
    ws_table scale;
    scale_runs(STRONG, 5, &(ws_scaling_options){.sd = true}, &scale);
    static const char *const spreads[] = {"wall_s_rmse", "wall_s_sd",     "energy_kwh_rmse",
                                          "speedup_se",  "efficiency_se", "energy_ratio_se"};
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++)
        ck_assert_double_nan(at(&scale, 2, spreads[i]));
    ck_assert_double_eq(at(&scale, 2, "n_runs"), 1);
    ws_table_free(&scale);
}
END_TEST

/* The data set grows with the machine: t_ref / t is speed-up and efficiency alike. */
START_TEST(weak_scaling)
{
    const run list[] = {{"a", "w", 1, 1000, 100, 1}, {"b", "w", 2, 2000, 110, 2.5}, {"c", "w", 4, 4000, 125, 6}};
    ws_table scale;
    scale_runs(list, 3, &(ws_scaling_options){.kind = NULL}, &scale);
    ck_assert_str_eq(text_at(&scale, 2, "scaling"), "weak");
    ck_assert_double_eq(at(&scale, 2, "speedup"), 0.8);
    ck_assert_double_eq(at(&scale, 2, "efficiency"), 0.8);
    ck_assert_double_eq(at(&scale, 2, "energy_ratio"), 6);
    ws_table_free(&scale);
    scale_runs(list, 3, &(ws_scaling_options){.kind = "strong"}, &scale);
    ck_assert_double_eq(at(&scale, 2, "speedup"), 0.8);
    ck_assert_double_eq(at(&scale, 2, "efficiency"), 0.2);
    ws_table_free(&scale);
}
END_TEST

/* Data sets are cut to whole samples: the samples per GPU of a series differ by less than 1 %, on either side. */
START_TEST(weak_scaling_keeps_the_samples_per_gpu_within_a_percent)
{
    static const struct {
        double samples; /* of two GPUs; one has 1000 */
        const char *of_one, *of_two;
    } cases[] = {{2018, "weak", "weak"},
                 {2019.9, "weak", "weak"},
                 {2022, "strong", "strong"},
                 {1982, "weak", "weak"},
                 {1978, "strong", "strong"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const run list[] = {{"a", "w", 1, 1000, 100, 1}, {"b", "w", 2, cases[i].samples, 110, 2.5}};
        ws_table scale;
        scale_runs(list, 2, &(ws_scaling_options){.kind = NULL}, &scale);
        ck_assert_msg(strcmp(text_at(&scale, 0, "scaling"), cases[i].of_one) == 0, "%g samples", cases[i].samples);
        ck_assert_msg(strcmp(text_at(&scale, 1, "scaling"), cases[i].of_two) == 0, "%g samples", cases[i].samples);
        ws_table_free(&scale);
    }
}
END_TEST

/* Runs of one configuration with these words in a column of their own: up to half of as many as there are runs are a
 * setting, which should not be averaged over; more are names. */
START_TEST(words_that_come_again_may_be_a_setting)
{
    static const struct {
        const char *words[5];
        size_t n;
        bool is_setting;
    } cases[] = {{{"a", "a", "b", "b"}, 4, true}, {{"a", "a", "b", "b", "c"}, 5, false}, {{"a", "a", "b"}, 3, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const names[] = {"r0", "r1", "r2", "r3", "r4"};
        run list[5];
        ws_table runs, scale;
        ws_error error = {0};
        for (size_t k = 0; k < cases[i].n; k++)
            list[k] = (run){names[k], "s", 4, 1000, 100 + (double)k, 1};
        make_runs(&runs, list, cases[i].n);
        size_t column = ws_table_add_column(&runs, "optimizer", WS_TEXT);
        for (size_t k = 0; k < cases[i].n; k++)
            ws_table_set_text(&runs, column, k, cases[i].words[k]);
        ck_assert_int_eq(ws_scale(&runs, &(ws_scaling_options){.kind = NULL}, &scale, &error), WS_OK);
        ck_assert_int_eq(ws_notes_find(&scale.notes, WS_FINDING_MIXED_SETTINGS) != NULL, cases[i].is_setting);
        ws_table_free(&scale);
        ws_table_free(&runs);
    }
}
END_TEST

START_TEST(one_size_of_machine_is_not_weak_scaling)
{
    const run list[] = {{"a", "w", 4, 1000, 100, 1}, {"b", "w", 4, 1000, 100, 1}};
    ws_table scale;
    scale_runs(list, 2, &(ws_scaling_options){.kind = NULL}, &scale);
    ck_assert_uint_eq(scale.n_rows, 1);
    ck_assert_str_eq(text_at(&scale, 0, "scaling"), "strong");
    ws_table_free(&scale);
}
END_TEST

static const run TWO_SERIES[] = {
    {"a", "x", 2, 1000, 90, 1}, {"b", "x", 8, 1000, 30, 2}, {"c", "y", 1, 1000, 200, 1}, {"d", "y", 8, 1000, 40, 2}};

START_TEST(each_series_has_its_reference)
{
    ws_table scale;
    scale_runs(TWO_SERIES, 4, &(ws_scaling_options){.reference = "series"}, &scale);
    ck_assert_double_eq(at(&scale, 1, "speedup"), 3);
    ck_assert_double_eq(at(&scale, 1, "efficiency"), 0.75); /* 3 x 2 / 8 */
    ck_assert_double_eq(at(&scale, 3, "speedup"), 5);
    ck_assert_double_eq(at(&scale, 3, "efficiency"), 0.625);
    ck_assert_str_eq(text_at(&scale, 1, "reference"), "gpus=2");
    ck_assert_str_eq(text_at(&scale, 3, "reference"), "gpus=1");
    ws_table_free(&scale);
}
END_TEST

START_TEST(one_reference_for_all)
{
    ws_table scale;
    scale_runs(TWO_SERIES, 4, &(ws_scaling_options){.reference = "all"}, &scale);
    ck_close(at(&scale, 1, "speedup"), 200.0 / 30, 1e-15, 0);
    ck_close(at(&scale, 1, "efficiency"), 200.0 / 30 / 8, 1e-15, 0);
    ck_assert_double_eq(at(&scale, 3, "speedup"), 5);
    ck_assert_str_eq(text_at(&scale, 0, "reference"), "y gpus=1");
    ws_table_free(&scale);
}
END_TEST

/* A model on one GPU is no reference of another model, nor a device of another: each has its own, whatever the series.
 */
START_TEST(one_reference_for_each_model)
{
    static const char *const models[] = {"A", "A", "A", "B", "B", "A"}, *const devices[] = {"d", "d", "d",
                                                                                            "d", "d", "e"};
    static const run list[] = {{"a", "x", 2, 1000, 90, 1},  {"b", "x", 8, 1000, 30, 2},  {"c", "y", 1, 1000, 200, 1},
                               {"d", "z", 4, 1000, 500, 9}, {"e", "z", 8, 1000, 250, 9}, {"f", "x", 2, 1000, 10, 1}};
    ws_table runs, scale;
    ws_error error = {0};
    make_runs(&runs, list, 6);
    for (size_t i = 0; i < 6; i++) {
        ws_table_set_text(&runs, WS_COL_MODEL, i, models[i]);
        ws_table_set_text(&runs, WS_COL_DEVICE, i, devices[i]);
    }
    ck_assert_int_eq(ws_scale(&runs, &(ws_scaling_options){.reference = "all"}, &scale, &error), WS_OK);
    ck_assert_uint_eq(scale.n_rows, 6);
    for (size_t row = 0; row < 6; row++) {
        bool is_b = strcmp(text_at(&scale, row, "model"), "B") == 0;
        bool is_e = strcmp(text_at(&scale, row, "device"), "e") == 0;
        double of = is_b ? 500 : is_e ? 10 : 200;
        ck_close(at(&scale, row, "speedup"), of / at(&scale, row, "wall_s"), 1e-14, 0);
        ck_assert_str_eq(text_at(&scale, row, "reference"), is_b   ? "z B d gpus=4"
                                                            : is_e ? "x A e gpus=2"
                                                                   : "y A d gpus=1");
    }
    ck_assert_ptr_nonnull(ws_notes_find(&scale.notes, WS_FINDING_REFERENCES_APART));
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

START_TEST(a_reference_by_its_gpus)
{
    ws_table scale;
    scale_runs(TWO_SERIES, 4, &(ws_scaling_options){.reference = "gpus=8"}, &scale);
    ck_close(at(&scale, 0, "speedup"), 1.0 / 3, 1e-15, 0);
    ck_close(at(&scale, 0, "efficiency"), 4.0 / 3, 1e-15, 0); /* (30 / 90) x 8 / 2 */
    ck_assert_double_eq(at(&scale, 1, "speedup"), 1);
    ck_assert_str_eq(text_at(&scale, 0, "reference"), "gpus=8");
    ws_table_free(&scale);
    scale_runs(TWO_SERIES, 4, &(ws_scaling_options){.reference = "gpus=2"}, &scale);
    ck_assert_double_eq(at(&scale, 1, "speedup"), 3);
    ck_assert_double_nan(at(&scale, 3, "speedup")); /* the other series has no such run, and a note says so */
    ck_assert_ptr_nonnull(ws_notes_find(&scale.notes, WS_FINDING_NO_REFERENCE));
    ws_table_free(&scale);
}
END_TEST

START_TEST(odd_options_are_refused)
{
    const char *const group[] = {"colour"};
    ws_error error = {0};
    ck_assert_int_eq(refusal(TWO_SERIES, 4, &(ws_scaling_options){.reference = "best"}, &error), WS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.message, "best"));
    ws_error_clear(&error);
    ck_assert_int_eq(refusal(TWO_SERIES, 4, &(ws_scaling_options){.reference = "gpus=x"}, &error), WS_USAGE);
    ws_error_clear(&error);
    ck_assert_int_eq(refusal(TWO_SERIES, 4, &(ws_scaling_options){.group = group, .n_group = 1}, &error), WS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.message, "colour"));
}
END_TEST

START_TEST(groups_can_be_named)
{
    const char *const group[] = {"gpus"};
    ws_table scale;
    scale_runs(TWO_SERIES, 4, &(ws_scaling_options){.group = group, .n_group = 1}, &scale);
    ck_assert_uint_eq(scale.n_rows, 3); /* 1, 2 and 8 GPUs */
    ck_assert_double_eq(at(&scale, 2, "n_runs"), 2);
    ck_assert_double_eq(at(&scale, 2, "wall_s"), 35);
    ck_close(at(&scale, 2, "speedup"), 200.0 / 35, 1e-15, 0);
    ws_table_free(&scale);
}
END_TEST

START_TEST(a_run_counts_once_in_a_configuration)
{
    const run twice[] = {
        {"jobs/77", "s", 4, 1000, 24, 3}, {"jobs/78", "s", 4, 1000, 26, 3}, {"jobs/77", "s", 4, 1000, 24.5, 3}};
    const run pasted[] = {{"jobs/77", "s", 4, 1000, 24, 3},
                          {"jobs/78", "s", 4, 1000, 26, 3},
                          {"jobs/77", "s", 4, 1000, 24, 3},
                          {"jobs/78", "s", 4, 1000, 26, 3}};
    const run series[] = {{"jobs/77", "s", 4, 1000, 24, 3}, {"jobs/77", "t", 4, 1000, 24, 3}};
    const run nameless[] = {
        {NULL, "s", 4, 1000, 24.1937, 3}, {NULL, "s", 4, 1000, 24.1937, 3}, {NULL, "s", 4, 1000, 25.4063, 3}};
    const run rounded[] = {{NULL, "s", 4, 1000, 24, 3}, {NULL, "s", 4, 1000, 24, 3}, {NULL, "s", 4, 1000, 25, 3}};
    ws_error error = {0};
    ws_table scale;
    ck_assert_int_eq(refusal(twice, 3, &(ws_scaling_options){.kind = NULL}, &error), WS_DATA);
    ck_assert_ptr_nonnull(strstr(error.message, "'jobs/77'"));
    ck_assert_ptr_nonnull(strstr(error.message, "row 3"));
    ck_assert_ptr_nonnull(strstr(error.message, "row 1"));
    scale_runs(series, 2, &(ws_scaling_options){.kind = NULL}, &scale); /* a run may belong to several series */
    ck_assert_uint_eq(scale.n_rows, 2);
    ws_table_free(&scale);
    scale_runs(nameless, 3, &(ws_scaling_options){.kind = NULL}, &scale); /* what agrees in every digit is one run */
    ck_assert_double_eq(at(&scale, 0, "n_runs"), 2);
    ck_assert_double_eq(at(&scale, 0, "wall_s"), 24.8);
    ck_assert_ptr_null(ws_notes_find(&scale.notes, WS_FINDING_ALIKE_RUNS));
    ws_table_free(&scale);
    scale_runs(rounded, 3, &(ws_scaling_options){.kind = NULL}, &scale); /* whole seconds agree by chance */
    ck_assert_double_eq(at(&scale, 0, "n_runs"), 3);
    ck_assert_double_eq_tol(at(&scale, 0, "wall_s"), 73 / 3.0, 1e-12);
    ck_assert_uint_eq(ws_notes_find(&scale.notes, WS_FINDING_ALIKE_RUNS)->count, 1);
    ck_assert_ptr_null(ws_notes_find(&scale.notes, WS_FINDING_SAME_RUN));
    ws_table_free(&scale);
    scale_runs(pasted, 4, &(ws_scaling_options){.kind = NULL}, &scale); /* a file behind itself */
    ck_assert_double_eq(at(&scale, 0, "n_runs"), 2);
    ck_assert_double_eq(at(&scale, 0, "wall_s"), 25);
    ck_assert_ptr_nonnull(ws_notes_find(&scale.notes, WS_FINDING_SAME_RUN));
    ck_assert_uint_eq(ws_notes_find(&scale.notes, WS_FINDING_SAME_RUN)->count, 2);
    ws_table_free(&scale);
}
END_TEST

START_TEST(missing_times_are_left_out)
{
    const run list[] = {{"a", "s", 1, 1000, 100, 1},
                        {"b", "s", 2, 1000, NAN, 2},
                        {"c", "s", 4, 1000, NAN, 2},
                        {"d", "s", 4, 1000, 25, NAN}};
    ws_table scale;
    scale_runs(list, 4, &(ws_scaling_options){.kind = NULL}, &scale);
    ck_assert_double_nan(at(&scale, 1, "wall_s"));
    ck_assert_double_nan(at(&scale, 1, "speedup"));
    ck_assert_double_eq(at(&scale, 1, "energy_ratio"), 2);
    ck_assert_double_eq(at(&scale, 2, "wall_s"), 25); /* of the one run that has it */
    ck_assert_double_eq(at(&scale, 2, "speedup"), 4);
    ck_assert_double_nan(at(&scale, 2, "speedup_pooled_se"));
    ck_assert_double_eq(at(&scale, 2, "energy_kwh"), 2);
    ck_assert_double_eq(at(&scale, 2, "n_runs"), 2);
    ws_table_free(&scale);
}
END_TEST

START_TEST(times_per_epoch_stand_in)
{
    ws_table runs, scale;
    ws_error error = {0};
    ws_runs_init(&runs);
    const double gpus[] = {1, 4}, epoch_s[] = {60, 20};
    for (size_t i = 0; i < 2; i++) {
        size_t row = ws_table_add_row(&runs);
        ws_runs_set(&runs, WS_COL_GPUS, row, gpus[i]);
        ws_runs_set(&runs, WS_COL_EPOCH_S, row, epoch_s[i]);
    }
    ck_assert_int_eq(ws_scale(&runs, &(ws_scaling_options){.kind = NULL}, &scale, &error), WS_OK);
    ck_assert_double_eq(at(&scale, 1, "speedup"), 3);
    ck_assert_double_eq(at(&scale, 1, "efficiency"), 0.75);
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

START_TEST(no_runs_give_no_rows)
{
    ws_table scale;
    scale_runs(NULL, 0, &(ws_scaling_options){.kind = NULL}, &scale);
    ck_assert_uint_eq(scale.n_rows, 0);
    ws_table_free(&scale);
}
END_TEST

/* Numbers are in the order of their size, whatever order the runs come in. */
START_TEST(rows_are_sorted)
{
    const run list[] = {
        {"a", "b", 16, 1000, 1, 1}, {"b", "b", 2, 1000, 8, 1}, {"c", "a", 128, 1000, 2, 1}, {"d", "b", 4, 1000, 4, 1}};
    ws_table scale;
    scale_runs(list, 4, &(ws_scaling_options){.kind = NULL}, &scale);
    const double gpus[] = {128, 2, 4, 16};
    for (size_t row = 0; row < 4; row++)
        ck_assert_double_eq(at(&scale, row, "gpus"), gpus[row]);
    ck_assert_double_eq(at(&scale, 3, "speedup"), 8);
    ws_table_free(&scale);
}
END_TEST

/* Processor seconds of the table of so many runs, four configurations of as many repeats. */
static double seconds_of_repeats(size_t n_runs)
{
    enum { SIZES = 2 };
    ws_table runs, scale;
    ws_runs_init(&runs);
    for (size_t i = 0; i < n_runs; i++) {
        size_t row = ws_table_add_row(&runs);
        ws_table_set_text(&runs, WS_COL_SERIES, row, i % 2 ? "a" : "b");
        ws_runs_set(&runs, WS_COL_GPUS, row, ldexp(1, (int)(i / 2 % SIZES)));
        ws_runs_set(&runs, WS_COL_WALL, row, ldexp(100 + (double)(i / 2) / (double)n_runs, -(int)(i / 2 % SIZES)));
    }
    clock_t begin = clock();
    ws_runs_complete(&runs, NULL);
    ck_assert_int_eq(ws_scale(&runs, &(ws_scaling_options){.reference = "all"}, &scale, NULL), WS_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ck_assert_uint_eq(scale.n_rows, 2 * SIZES); /* b holds the runs of a, none of which is told from it by a name */
    ck_assert_double_eq(at(&scale, 0, "n_runs"), (double)(n_runs / 2 / SIZES));
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 2, 1e-4);
    ws_table_free(&scale);
    ws_table_free(&runs);
    return seconds;
}

/* As many repeats as a monitor of every job collects in months: their number, not its square, is the work. */
START_TEST(many_repeats_of_few_configurations_end)
{
    enum { FEW = 40000, TIMES = 6 };
    double few_s = seconds_of_repeats(FEW), many_s = seconds_of_repeats(TIMES * FEW);
    ck_assert_msg(many_s < 2 * TIMES * few_s, "%g s for few, %g s for %d times as many", few_s, many_s, TIMES);
}
END_TEST

TEST_MAIN("scaling", a_spread_of_its_own_is_larger_by_no_chance, case22, strong_scaling, pooled_deviation,
          intervals_by_the_repeats_of_both, pooled_spread_of_two_series_has_a_run_once,
          repeats_without_spread_take_that_of_the_series, intervals_hold, one_run_has_no_spread, weak_scaling,
          weak_scaling_keeps_the_samples_per_gpu_within_a_percent, words_that_come_again_may_be_a_setting,
          one_size_of_machine_is_not_weak_scaling, each_series_has_its_reference, one_reference_for_all,
          one_reference_for_each_model, a_reference_by_its_gpus, odd_options_are_refused, groups_can_be_named,
          a_run_counts_once_in_a_configuration, missing_times_are_left_out, times_per_epoch_stand_in,
          no_runs_give_no_rows, rows_are_sorted, many_repeats_of_few_configurations_end)
