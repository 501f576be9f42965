/* Which work runs are compared by. Every case is worked out by hand: runs of n GPUs whose epoch takes 100/n s and
 * 2 kWh, whatever their number of epochs, have a speed-up of n / n_ref and an energy ratio of 1 per epoch. */
#include "harness.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/scaling/scaling.h"
#include "analyze/scaling/work.h"

#include <math.h>

typedef struct run {
    const char *series, *model;
    double gpus, epochs, samples, wall_s, energy_kwh, epoch_s, samples_per_s; /* 0 of the last: none */
} run;

static double at(const ws_table *t, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(t, name, &column), "no column %s", name);
    return ws_table_number(t, column, row);
}

static const char *text_at(const ws_table *t, size_t row, const char *name)
{
    size_t column;
    ck_assert_msg(ws_table_find(t, name, &column), "no column %s", name);
    return t->columns[column].text[row];
}

static void make_runs(ws_table *runs, const run *list, size_t n)
{
    ws_runs_init(runs);
    for (size_t i = 0; i < n; i++) {
        size_t row = ws_table_add_row(runs);
        char name[32];
        snprintf(name, sizeof name, "run%zu", i);
        ws_table_set_text(runs, WS_COL_RUN, row, name);
        ws_table_set_text(runs, WS_COL_SERIES, row, list[i].series);
        if (list[i].model)
            ws_table_set_text(runs, WS_COL_MODEL, row, list[i].model);
        ws_runs_set(runs, WS_COL_GPUS, row, list[i].gpus);
        ws_runs_set(runs, WS_COL_EPOCHS, row, list[i].epochs);
        ws_runs_set(runs, WS_COL_DATASET_SAMPLES, row, list[i].samples);
        ws_runs_set(runs, WS_COL_WALL, row, list[i].wall_s);
        ws_runs_set(runs, WS_COL_ENERGY, row, list[i].energy_kwh);
        ws_runs_set(runs, WS_COL_EPOCH_S, row, list[i].epoch_s);
        if (list[i].samples_per_s > 0)
            ws_runs_set(runs, WS_COL_SAMPLES_PER_S, row, list[i].samples_per_s);
    }
    ws_runs_complete(runs, NULL);
}

static void scale_of(const run *list, size_t n, const ws_scaling_options *options, ws_table *scale)
{
    static const ws_scaling_options usual = {.group = NULL};
    ws_table runs;
    ws_error error = {0};
    make_runs(&runs, list, n);
    ck_assert_msg(ws_scale(&runs, options ? options : &usual, scale, &error) == WS_OK, "%s", error.message);
    ws_table_free(&runs);
}

/* 2 GPUs for 4 epochs of 50 s and 2 kWh, 8 GPUs for 10 of 12.5 s and 2 kWh. */
static const run more_epochs_on_more_gpus[] = {{"a", NULL, 2, 4, NAN, 200, 8, NAN, 0},
                                               {"a", NULL, 8, 10, NAN, 125, 20, NAN, 0}};

START_TEST(epochs_alone)
{
    ws_table scale;
    scale_of(more_epochs_on_more_gpus, 2, NULL, &scale);
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 4, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 1, "efficiency"), 1, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 1, "energy_ratio"), 1, 1e-12);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "epoch");
    ck_assert_double_eq(at(&scale, 1, "wall_s"), 125); /* what was measured stays */
    ck_assert_ptr_nonnull(ws_notes_find(&scale.notes, WS_FINDING_PER_EPOCH));
    ws_table_free(&scale);
}
END_TEST

START_TEST(per_run_and_sample)
{
    static const run runs[] = {{"a", NULL, 2, 4, 1000, 200, 8, NAN, 0}, {"a", NULL, 8, 10, 2000, 250, 40, NAN, 0}};
    const ws_scaling_options whole = {.per = "run"}, sample = {.per = "sample"};
    ws_table scale;
    scale_of(more_epochs_on_more_gpus, 2, &whole, &scale);
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 1.6, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 1, "energy_ratio"), 2.5, 1e-12);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "run");
    ws_table_free(&scale);
    /* 4000 samples in 200 s and 8 kWh against 20000 in 250 s and 40 kWh */
    scale_of(runs, 2, &sample, &scale);
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 4, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 1, "energy_ratio"), 1, 1e-12);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "sample");
    ws_table_free(&scale);
}
END_TEST

/* A run begins with a minute of set-up that a recorded time per epoch leaves out. */
START_TEST(recorded_time_of_an_epoch)
{
    static const run runs[] = {{"a", NULL, 2, 4, NAN, 260, 8, 50, 0}, {"a", NULL, 8, 10, NAN, 185, 20, 12.5, 0}};
    ws_table scale;
    scale_of(runs, 2, NULL, &scale);
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 4, 1e-12);
    ws_table_free(&scale);
}
END_TEST

/* Huber et al. 2025, Fig. 3: a data set that grows with the GPUs. */
START_TEST(weak_scaling_stays)
{
    static const run scaled[] = {{"a", NULL, 1, 10, 1000, 100, 1, NAN, 0}, {"a", NULL, 4, 10, 4000, 110, 4, NAN, 0}};
    static const run longer[] = {{"a", NULL, 1, 10, 1000, 100, 1, NAN, 0}, {"a", NULL, 4, 40, 1000, 110, 4, NAN, 0}};
    const run *const cases[] = {scaled, longer};
    for (size_t i = 0; i < 2; i++) {
        ws_table scale;
        scale_of(cases[i], 2, NULL, &scale);
        ck_assert_str_eq(text_at(&scale, 1, "scaling"), "weak");
        ck_assert_str_eq(text_at(&scale, 1, "per"), "run");
        ck_assert_double_eq_tol(at(&scale, 1, "energy_ratio"), 4, 1e-12);
        ws_table_free(&scale);
    }
}
END_TEST

START_TEST(equal_samples_stay)
{
    static const run runs[] = {{"a", NULL, 2, 4, 1000, 200, 8, NAN, 0}, {"a", NULL, 8, 8, 500, 50, 10, NAN, 0}};
    ws_table scale;
    scale_of(runs, 2, NULL, &scale);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "run");
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 4, 1e-12);
    ck_assert_ptr_null(ws_notes_find(&scale.notes, WS_FINDING_UNEQUAL_WORK));
    ws_table_free(&scale);
    run other[2] = {runs[0], runs[1]};
    other[1].samples = 501;
    scale_of(other, 2, NULL, &scale);
    ck_assert_ptr_nonnull(ws_notes_find(&scale.notes, WS_FINDING_UNEQUAL_WORK));
    ws_table_free(&scale);
}
END_TEST

/* Where it cannot be known the runs stay whole, and a note says why. */
START_TEST(unknown_work)
{
    static const run some[] = {{"a", NULL, 2, 4, NAN, 200, 8, NAN, 0},
                               {"a", NULL, 4, NAN, NAN, 150, 8, NAN, 0},
                               {"a", NULL, 8, 10, NAN, 125, 20, NAN, 0}};
    static const run other_data[] = {{"a", NULL, 2, 4, 1000, 200, 8, NAN, 0},
                                     {"a", NULL, 8, 10, 3000, 125, 20, NAN, 0}};
    static const run to_target[] = {{"a", NULL, 2, 4, NAN, 200, 8, NAN, 0},
                                    {"a", NULL, 2, 5, NAN, 250, 10, NAN, 0},
                                    {"a", NULL, 8, 10, NAN, 125, 20, NAN, 0}};
    static const struct {
        const run *runs;
        size_t n;
        const char *why;
    } cases[] = {
        {some, 3, "not every run says"}, {other_data, 2, "samples of an epoch"}, {to_target, 3, "to a target"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table scale;
        scale_of(cases[i].runs, cases[i].n, NULL, &scale);
        const ws_note *note = ws_notes_find(&scale.notes, WS_FINDING_UNEQUAL_WORK);
        ck_assert_msg(note != NULL, "case %zu", i);
        ck_assert_msg(strstr(note->text, cases[i].why) != NULL, "%s", note->text);
        ck_assert_str_eq(text_at(&scale, scale.n_rows - 1, "per"), "run");
        ck_assert_double_eq_tol(at(&scale, scale.n_rows - 1, "energy_ratio"), i == 2 ? 20.0 / 9 : 2.5, 1e-12);
        ws_table_free(&scale);
    }
}
END_TEST

/* A column that names the target: the runs took as many epochs as they needed. */
START_TEST(a_target_stays)
{
    ws_table runs, scale;
    ws_error error = {0};
    const ws_scaling_options usual = {.group = NULL};
    make_runs(&runs, more_epochs_on_more_gpus, 2);
    size_t column = ws_table_add_column(&runs, "target_accuracy", WS_NUMBER);
    for (size_t row = 0; row < 2; row++)
        ws_table_set_number(&runs, column, row, 0.759);
    ck_assert_int_eq(ws_scale(&runs, &usual, &scale, &error), WS_OK);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "run");
    ck_assert_double_eq_tol(at(&scale, 1, "energy_ratio"), 2.5, 1e-12);
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

/* Each series by its own rule; one reference for all compares all of a model alike, and no model with another. */
START_TEST(series_and_one_reference)
{
    static const run runs[] = {{"a", "m", 2, 4, NAN, 200, 8, NAN, 0},
                               {"a", "m", 8, 10, NAN, 125, 20, NAN, 0},
                               {"b", "m", 4, 20, NAN, 500, 40, NAN, 0},
                               {"b", "m", 8, 20, NAN, 250, 40, NAN, 0}};
    const ws_scaling_options all = {.reference = "all"};
    run others[4];
    ws_table scale;
    scale_of(runs, 4, NULL, &scale);
    ck_assert_str_eq(text_at(&scale, 0, "per"), "epoch");
    ck_assert_str_eq(text_at(&scale, 3, "per"), "run");
    ck_assert_double_eq_tol(at(&scale, 3, "speedup"), 2, 1e-12);
    ws_table_free(&scale);
    scale_of(runs, 4, &all, &scale);
    ck_assert_double_eq_tol(at(&scale, 3, "speedup"), 4, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 3, "energy_ratio"), 1, 1e-12);
    ws_table_free(&scale);
    memcpy(others, runs, sizeof others);
    others[2].model = others[3].model = "n";
    scale_of(others, 4, &all, &scale);
    ck_assert_str_eq(text_at(&scale, 0, "per"), "epoch");
    ck_assert_str_eq(text_at(&scale, 3, "per"), "run");
    ck_assert_double_eq_tol(at(&scale, 3, "speedup"), 2, 1e-12);
    ck_assert_ptr_nonnull(ws_notes_find(&scale.notes, WS_FINDING_REFERENCES_APART));
    ws_table_free(&scale);
}
END_TEST

/* Repeats: (50 + 54)/2 = 52 s on 2 GPUs, (13 + 13)/2 on 8; the spread is that of an epoch, too. */
START_TEST(repeats)
{
    static const run runs[] = {{"a", NULL, 2, 4, NAN, 200, 8, NAN, 0},
                               {"a", NULL, 2, 4, NAN, 216, 8, NAN, 0},
                               {"a", NULL, 8, 10, NAN, 130, 20, NAN, 0},
                               {"a", NULL, 8, 10, NAN, 130, 20, NAN, 0}};
    ws_table scale;
    scale_of(runs, 4, NULL, &scale);
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 4, 1e-12);
    /* sd = sqrt(8), so that se = 4 sqrt(8)/52 / sqrt(2) = 4 * 2/52 */
    ck_assert_double_eq_tol(at(&scale, 1, "speedup_se"), 4.0 * 2 / 52, 1e-12);
    /* of the logarithms of all four, 2 degrees of freedom: ln(216/200)^2 / 2 / 2, over 2 runs on each side */
    ck_assert_double_eq_tol(at(&scale, 1, "speedup_pooled_se"), 4 * log(1.08) / 2, 1e-12);
    ws_table_free(&scale);
}
END_TEST

/* Ten minutes on 1, 2 and 4 GPUs, 6 kWh per GPUh: 6000, 11400 and 21600 samples. */
static const run fixed_time[] = {{"a", NULL, 1, NAN, NAN, 600, 1, NAN, 10},
                                 {"a", NULL, 2, NAN, NAN, 600, 2, NAN, 19},
                                 {"a", NULL, 4, NAN, NAN, 600, 4, NAN, 36}};

START_TEST(samples_of_a_fixed_time)
{
    ws_table scale;
    scale_of(fixed_time, 3, NULL, &scale);
    ck_assert_double_eq_tol(at(&scale, 2, "speedup"), 3.6, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 2, "efficiency"), 0.9, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 1, "energy_ratio"), 2 / 1.9, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 1, "samples_per_gpuh"), 19 * 3600 / 2.0, 1e-9);
    ck_assert_str_eq(text_at(&scale, 2, "per"), "sample");
    ck_assert_ptr_nonnull(ws_notes_find(&scale.notes, WS_FINDING_PER_SAMPLE));
    ck_assert_ptr_null(ws_notes_find(&scale.notes, WS_FINDING_FLAT_RATE));
    ws_table_free(&scale);
    ws_scaling_options whole = {.per = "run"};
    scale_of(fixed_time, 3, &whole, &scale);
    ck_assert_double_eq(at(&scale, 2, "speedup"), 1);
    ws_table_free(&scale);
}
END_TEST

/* The same samples, 6000, but for what a rate leaves out: whole runs, and no word of it. From 5 % on they differ. */
START_TEST(samples_of_equal_work)
{
    run runs[] = {{"a", NULL, 1, NAN, NAN, 600, NAN, NAN, 10}, {"a", NULL, 2, NAN, NAN, 300, NAN, NAN, 20.99}};
    ws_table scale;
    scale_of(runs, 2, NULL, &scale);
    ck_assert_double_eq(at(&scale, 1, "speedup"), 2);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "run");
    ck_assert_ptr_null(ws_notes_find(&scale.notes, WS_FINDING_PER_SAMPLE));
    ws_table_free(&scale);
    runs[1].samples_per_s = 21.01;
    scale_of(runs, 2, NULL, &scale);
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 2.101, 1e-12);
    ws_table_free(&scale);
}
END_TEST

/* A run that says no rate, a machine that grows with its work, and runs to a target are compared as they are. */
START_TEST(fixed_time_that_is_no_benchmark)
{
    run lacking[3];
    ws_scaling_options weak = {.kind = "weak"}, usual = {.group = NULL};
    ws_table runs, scale;
    ws_error error = {0};
    memcpy(lacking, fixed_time, sizeof lacking);
    lacking[2].samples_per_s = 0;
    scale_of(lacking, 3, NULL, &scale);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "run");
    ck_assert_double_eq(at(&scale, 1, "speedup"), 1);
    ws_table_free(&scale);
    scale_of(fixed_time, 3, &weak, &scale);
    ck_assert_str_eq(text_at(&scale, 2, "per"), "run");
    ck_assert_double_eq(at(&scale, 2, "speedup"), 1);
    ws_table_free(&scale);
    make_runs(&runs, fixed_time, 3);
    size_t column = ws_table_add_column(&runs, "target_accuracy", WS_NUMBER);
    for (size_t row = 0; row < 3; row++)
        ws_table_set_number(&runs, column, row, 0.759);
    ck_assert_int_eq(ws_scale(&runs, &usual, &scale, &error), WS_OK);
    ck_assert_str_eq(text_at(&scale, 2, "per"), "run");
    ck_assert_double_eq(at(&scale, 2, "speedup"), 1);
    ws_table_free(&scale);
    ws_table_free(&runs);
}
END_TEST

/* 10 and 20 samples a second, each 10 % off: 0.1 and 0.05 s a sample, as far off. */
START_TEST(spread_of_a_rate)
{
    static const run runs[] = {{"a", NULL, 1, NAN, NAN, NAN, NAN, NAN, 10},
                               {"a", NULL, 2, NAN, NAN, NAN, NAN, NAN, 20}};
    static const ws_work of_row[] = {WS_PER_SAMPLE, WS_PER_SAMPLE};
    ws_table table, work;
    make_runs(&table, runs, 2);
    size_t n = ws_table_add_column(&table, "n_runs", WS_NUMBER),
           rmse = ws_table_add_column(&table, "samples_per_s_rmse", WS_NUMBER);
    for (size_t row = 0; row < 2; row++) {
        ws_table_set_number(&table, n, row, 3);
        ws_table_set_number(&table, rmse, row, runs[row].samples_per_s / 10);
    }
    ws_work_table(&table, of_row, WS_COL_SAMPLES_PER_S, &work);
    for (size_t row = 0; row < 2; row++) {
        ck_assert_double_eq_tol(at(&work, row, "wall_s"), 1 / runs[row].samples_per_s, 1e-15);
        ck_assert_double_eq_tol(at(&work, row, "wall_s_rmse"), 0.1 / runs[row].samples_per_s, 1e-15);
    }
    ws_table_free(&work);
    ws_table_free(&table);
}
END_TEST

START_TEST(a_target_is_a_word)
{
    ck_assert(ws_is_target("target_accuracy") && ws_is_target("loss-target") && ws_is_target("TargetMetric"));
    ck_assert(!ws_is_target("untargeted_error") && !ws_is_target("retargeting_loss"));
}
END_TEST

/* One of two repeats held twice the samples of the other, as where both ran to a target. */
START_TEST(samples_as_a_result)
{
    static const run runs[] = {{"a", NULL, 1, NAN, NAN, 600, NAN, NAN, 10},
                               {"a", NULL, 2, NAN, NAN, 300, NAN, NAN, 19},
                               {"a", NULL, 2, NAN, NAN, 600, NAN, NAN, 19}};
    ws_table scale;
    scale_of(runs, 3, NULL, &scale);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "run");
    const ws_note *note = ws_notes_find(&scale.notes, WS_FINDING_UNEQUAL_WORK);
    ck_assert_ptr_nonnull(note);
    ck_assert_ptr_nonnull(strstr(note->text, "differ in samples (samples_per_s x wall_s)"));
    ws_table_free(&scale);
}
END_TEST

/* Rates and no times: 1 / rate is the time of a sample, and means are of times: 2 runs at 15 and 30 are 20. */
START_TEST(rates_alone)
{
    static const run runs[] = {{"a", NULL, 1, NAN, NAN, NAN, NAN, NAN, 10},
                               {"a", NULL, 2, NAN, NAN, NAN, NAN, NAN, 15},
                               {"a", NULL, 2, NAN, NAN, NAN, NAN, NAN, 30}};
    ws_table scale;
    scale_of(runs, 3, NULL, &scale);
    ck_assert_double_eq_tol(at(&scale, 1, "speedup"), 2, 1e-12);
    ck_assert_double_eq_tol(at(&scale, 1, "efficiency"), 1, 1e-12);
    ck_assert_str_eq(text_at(&scale, 1, "per"), "sample");
    ws_table_free(&scale);
}
END_TEST

/* Rates of each GPU do not grow; by a tenth, of twice as many GPUs, ours. */
START_TEST(rates_that_do_not_grow)
{
    run runs[] = {{"a", NULL, 2, NAN, NAN, NAN, NAN, NAN, 100}, {"a", NULL, 4, NAN, NAN, NAN, NAN, NAN, 109}};
    ws_table scale;
    for (int i = 0; i < 3; i++) {
        runs[1].samples_per_s = i == 1 ? 111 : 109;
        runs[1].gpus = i == 2 ? 3 : 4;
        scale_of(runs, 2, NULL, &scale);
        ck_assert_int_eq(ws_notes_find(&scale.notes, WS_FINDING_FLAT_RATE) != NULL, i == 0);
        ws_table_free(&scale);
    }
}
END_TEST

START_TEST(what_grows_with_work)
{
    static const char *const grow[] = {"wall_s", "runtime_h",  "energy_kwh",  "energy_gpu_kwh", "energy_per_node_kwh",
                                       "gpu_h",  "job_wall_s", "elapsed_min", "energy_j"};
    static const char *const stay[] = {"epoch_s",       "gpus",     "kwh_per_gpuh",         "gpu_power_w",
                                       "wh_per_sample", "period_s", "energy_per_epoch_kwh", "samples_per_gpuh"};
    for (size_t i = 0; i < sizeof grow / sizeof *grow; i++)
        ck_assert_msg(ws_grows_with_work(grow[i]), "%s", grow[i]);
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        ck_assert_msg(!ws_grows_with_work(stay[i]), "%s", stay[i]);
}
END_TEST

TEST_MAIN("work", epochs_alone, per_run_and_sample, recorded_time_of_an_epoch, weak_scaling_stays, equal_samples_stay,
          unknown_work, a_target_stays, a_target_is_a_word, series_and_one_reference, repeats, samples_of_a_fixed_time,
          samples_of_equal_work, samples_as_a_result, rates_alone, rates_that_do_not_grow,
          fixed_time_that_is_no_benchmark, spread_of_a_rate, what_grows_with_work)
