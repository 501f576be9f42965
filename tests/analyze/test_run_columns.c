#include "harness.h"

#include "analyze/ingest/run_energy.h"
#include "analyze/ingest/run_columns.h"
#include "core/known_to.h"

#include <math.h>
#include <string.h>

typedef struct value {
    ws_run_column column;
    double number;
} value;

/* One run with these values, completed. */
static void complete(ws_table *runs, const value *values, size_t n)
{
    ws_runs_init(runs);
    size_t row = ws_table_add_row(runs);
    for (size_t i = 0; i < n; i++)
        ws_runs_set(runs, values[i].column, row, values[i].number);
    ws_runs_complete(runs, NULL);
}

static void ck_run(const value *given, size_t n_given, const value *want, size_t n_want)
{
    ws_table runs;
    complete(&runs, given, n_given);
    for (size_t i = 0; i < n_want; i++) {
        double got = ws_runs_get(&runs, want[i].column, 0);
        const char *name = ws_run_column_about(want[i].column)->name;
        ck_assert_msg(fabs(got - want[i].number) <= 1e-14 * fabs(want[i].number), "%s is %.17g, not %.17g", name, got,
                      want[i].number);
    }
    ws_table_free(&runs);
}

#define CK_RUN(given, want) ck_run(given, sizeof given / sizeof *given, want, sizeof want / sizeof *want)

/* Every formula from unround numbers, worked out with fractions:
 * samples seen 7 x 1281167 = 8968169, GPUh 12 x 5413.7 / 3600, energy 3.917 + 0.613 + 0.0741 = 4.6041 kWh. */
START_TEST(every_formula)
{
    const value given[] = {
        {WS_COL_GPUS, 12},           {WS_COL_LBS, 37},  {WS_COL_EPOCHS, 7},         {WS_COL_DATASET_SAMPLES, 1281167},
        {WS_COL_WALL, 5413.7},       {WS_COL_NODES, 3}, {WS_COL_ENERGY_GPU, 3.917}, {WS_COL_ENERGY_CPU, 0.613},
        {WS_COL_ENERGY_DRAM, 0.0741}};
    const value want[] = {{WS_COL_GBS, 444},                                  /* gpus x lbs */
                          {WS_COL_UPDATES, 20198.578828828828},               /* samples seen / gbs */
                          {WS_COL_WORKLOAD, 8968169},                         /* updates x gpus x lbs */
                          {WS_COL_EPOCH_S, 773.38571428571424},               /* wall / epochs */
                          {WS_COL_GPU_H, 18.045666666666666},                 /* gpus x wall / 3600 */
                          {WS_COL_ENERGY, 4.6041},                            /* gpu + cpu + dram */
                          {WS_COL_GPU_SHARE, 0.8507634499685063},             /* 3.917 / 4.6041 */
                          {WS_COL_CPU_SHARE, 0.1331421993440629},             /* 0.613 / 4.6041 */
                          {WS_COL_DRAM_SHARE, 0.01609435068743077},           /* 0.0741 / 4.6041 */
                          {WS_COL_ENERGY_PER_NODE, 1.5347},                   /* / 3 */
                          {WS_COL_KWH_PER_GPUH, 0.2551360437408796},          /* energy / GPUh */
                          {WS_COL_GPU_POWER, 217.06042078430647},             /* 3917 Wh / GPUh */
                          {WS_COL_SAMPLES_PER_GPUH, 496970.7778414024},       /* samples seen / GPUh */
                          {WS_COL_PASSES_PER_GPUH, 13431.642644362226},       /* updates / wall in h */
                          {WS_COL_WH_PER_SAMPLE, 0.00359367670256883},        /* 4604.1 Wh / 1281167 */
                          {WS_COL_WH_PER_SAMPLE_SEEN, 0.0005133823860812614}, /* 4604.1 Wh / 8968169 */
                          {WS_COL_EDP, 6.923671158333334}};                   /* 4.6041 kWh x 5413.7 s / 3600 */
    CK_RUN(given, want);
}
END_TEST

/* At a constant local batch each pass of a GPU sees lbs samples. */
START_TEST(passes_are_samples_over_the_local_batch)
{
    const value given[] = {{WS_COL_GPUS, 12},
                           {WS_COL_LBS, 37},
                           {WS_COL_EPOCHS, 7},
                           {WS_COL_DATASET_SAMPLES, 1281167},
                           {WS_COL_WALL, 5413.7}};
    const value want[] = {{WS_COL_PASSES_PER_GPUH, 496970.7778414024 / 37}};
    CK_RUN(given, want);
}
END_TEST

/* An accumulation of 0 steps is a field that somebody left empty. */
START_TEST(an_accumulation_below_one_is_none)
{
    static const struct {
        double steps, gbs;
    } cases[] = {{0, 32}, {1, 32}, {2, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_table runs;
        ws_runs_init(&runs);
        size_t row = ws_table_add_row(&runs), column = ws_table_add_column(&runs, "grad_accum", WS_NUMBER);
        ws_runs_set(&runs, WS_COL_GPUS, row, 4);
        ws_runs_set(&runs, WS_COL_LBS, row, 8);
        ws_table_set_number(&runs, column, row, cases[i].steps);
        ws_runs_complete(&runs, NULL);
        ck_assert_double_eq(ws_runs_get(&runs, WS_COL_GBS, row), cases[i].gbs);
        ws_table_free(&runs);
    }
}
END_TEST

START_TEST(formulas_read_backwards)
{
    const value batch[] = {{WS_COL_GPUS, 12}, {WS_COL_GBS, 444}}, local[] = {{WS_COL_LBS, 37}};
    CK_RUN(batch, local);
    const value hours[] = {{WS_COL_GPUS, 12}, {WS_COL_GPU_H, 18.7}, {WS_COL_EPOCHS, 7}};
    const value wall[] = {{WS_COL_WALL, 5610}, {WS_COL_EPOCH_S, 5610.0 / 7}}; /* 18.7 x 3600 / 12 */
    CK_RUN(hours, wall);
    const value epochs[] = {{WS_COL_GPUS, 3}, {WS_COL_EPOCH_S, 77.3}, {WS_COL_EPOCHS, 11}};
    const value total[] = {{WS_COL_WALL, 850.3}, {WS_COL_GPU_H, 2550.9 / 3600}};
    CK_RUN(epochs, total);
    const value power[] = {{WS_COL_GPUS, 3}, {WS_COL_WALL, 5400}, {WS_COL_GPU_POWER, 311.5}};
    const value energy[] = {
        {WS_COL_ENERGY_GPU, 1.40175}, {WS_COL_ENERGY, 1.40175}, {WS_COL_KWH_PER_GPUH, 0.3115}, {WS_COL_GPU_SHARE, 1}};
    CK_RUN(power, energy); /* 311.5 W x 3 x 1.5 h */
}
END_TEST

START_TEST(what_is_there_stays)
{
    const value given[] = {{WS_COL_GPUS, 4},       {WS_COL_LBS, 32},          {WS_COL_GBS, 100},
                           {WS_COL_WALL, 3600},    {WS_COL_GPU_H, 4.02},      {WS_COL_ENERGY, 9},
                           {WS_COL_ENERGY_GPU, 5}, {WS_COL_GPU_POWER, 1234},  {WS_COL_EPOCH_S, 7},
                           {WS_COL_EPOCHS, 2},     {WS_COL_KWH_PER_GPUH, 0.5}};
    CK_RUN(given, given);
}
END_TEST

START_TEST(nothing_comes_from_nothing)
{
    ws_table runs;
    complete(&runs, NULL, 0);
    for (int c = 0; c < WS_RUN_COLUMN_N; c++)
        ck_assert_msg(ws_table_is_missing(&runs, (size_t)c, 0), "%s", ws_run_column_about((ws_run_column)c)->name);
    ck_assert_uint_eq(runs.notes.n, 0);
    ws_table_free(&runs);
}
END_TEST

START_TEST(divisions_by_zero_stay_missing)
{
    const value given[] = {{WS_COL_GPUS, 0}, {WS_COL_LBS, 0},   {WS_COL_EPOCHS, 0}, {WS_COL_DATASET_SAMPLES, 0},
                           {WS_COL_WALL, 0}, {WS_COL_ENERGY, 0}};
    ws_table runs;
    complete(&runs, given, 6);
    for (int c = 0; c < WS_RUN_COLUMN_N; c++)
        if (ws_run_column_about((ws_run_column)c)->kind == WS_NUMBER)
            ck_assert_msg(!isinf(ws_runs_get(&runs, (ws_run_column)c, 0)), "%s",
                          ws_run_column_about((ws_run_column)c)->name);
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_KWH_PER_GPUH, 0)));
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_UPDATES, 0)));
    ws_table_free(&runs);
}
END_TEST

START_TEST(a_failed_run_has_no_energy_instead_of_zero)
{
    const value failed[] = {{WS_COL_WALL, 0}, {WS_COL_ENERGY, 0}}, idle[] = {{WS_COL_WALL, 60}, {WS_COL_ENERGY, 0}};
    ws_table runs;
    complete(&runs, failed, 2);
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_ENERGY, 0)));
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_WALL, 0)));
    ws_table_free(&runs);
    complete(&runs, idle, 2);
    ck_assert(ws_runs_get(&runs, WS_COL_ENERGY, 0) == 0);
    ws_table_free(&runs);
}
END_TEST

START_TEST(the_scope_says_what_was_added)
{
    const value gpu_and_dram[] = {{WS_COL_ENERGY_GPU, 1}, {WS_COL_ENERGY_DRAM, 0.25}};
    ws_table runs;
    complete(&runs, gpu_and_dram, 2);
    ck_assert_double_eq(ws_runs_get(&runs, WS_COL_ENERGY, 0), 1.25);
    ck_assert_str_eq(runs.columns[WS_COL_ENERGY_SCOPE].text[0], "gpu+dram");
    ck_assert(isnan(ws_runs_get(&runs, WS_COL_CPU_SHARE, 0)));
    ws_table_free(&runs);
    const value given[] = {{WS_COL_ENERGY, 3}, {WS_COL_ENERGY_GPU, 1}};
    complete(&runs, given, 2); /* nobody knows what a given total holds */
    ck_assert_ptr_null(runs.columns[WS_COL_ENERGY_SCOPE].text[0]);
    ws_table_free(&runs);
}
END_TEST

START_TEST(contradictions_are_noted)
{
    const value batch[] = {{WS_COL_GPUS, 4}, {WS_COL_LBS, 32}, {WS_COL_GBS, 256}};
    ws_table runs;
    complete(&runs, batch, 3);
    ck_assert_ptr_nonnull(ws_notes_find(&runs.notes, WS_FINDING_BATCH_CONTRADICTION));
    ck_assert_ptr_null(ws_notes_find(&runs.notes, WS_FINDING_GPUH_CONTRADICTION));
    ws_table_free(&runs);
    const value one_more[] = {{WS_COL_GPUS, 4}, {WS_COL_LBS, 256}, {WS_COL_GBS, 1025}}; /* counts are whole */
    complete(&runs, one_more, 3);
    ck_assert_ptr_nonnull(ws_notes_find(&runs.notes, WS_FINDING_BATCH_CONTRADICTION));
    ws_table_free(&runs);
    static const double gpu_h[] = {4.039, 4.041, 3.961, 3.959}; /* 4 GPUh, read to a hundredth of it */
    for (size_t i = 0; i < 4; i++) {
        const value about[] = {{WS_COL_GPUS, 4}, {WS_COL_WALL, 3600}, {WS_COL_GPU_H, gpu_h[i]}};
        complete(&runs, about, 3);
        ck_assert_int_eq(ws_notes_find(&runs.notes, WS_FINDING_GPUH_CONTRADICTION) != NULL, i % 2);
        ws_table_free(&runs);
    }
    const value hours[] = {{WS_COL_GPUS, 4}, {WS_COL_WALL, 3600}, {WS_COL_GPU_H, 1}};
    complete(&runs, hours, 3);
    ck_assert_ptr_nonnull(ws_notes_find(&runs.notes, WS_FINDING_GPUH_CONTRADICTION));
    ws_table_free(&runs);
    const value rounded[] = {{WS_COL_GPUS, 4}, {WS_COL_WALL, 3600}, {WS_COL_GPU_H, 4.03}};
    complete(&runs, rounded, 3);
    ck_assert_uint_eq(runs.notes.n, 0); /* within what rounding to a hundredth of an hour does */
    ws_table_free(&runs);
}
END_TEST

/* Energies of whole runs in a wrong unit: Wh under kWh, ms under s. */
START_TEST(totals_that_no_device_draws_are_doubtful)
{
    const double missing = NAN;
    const struct {
        double kwh, wall_s, gpus, nodes;
        bool is_told;
    } cases[] = {{50, 3600, 1, missing, false},
                 {50.1, 3600, 1, missing, true},
                 {200, 3600, 4, missing, false},
                 {200.1, 3600, 4, missing, true},
                 {200.1, 3600, 4, 1, true},
                 {200, 3600, missing, 2, false},
                 {200.1, 3600, missing, 2, true},
                 {100, 3600, missing, missing, false},
                 {100.1, 3600, missing, missing, true},
                 {0.0040, 3600, 4, missing, false},
                 {0.0039, 3600, 4, missing, true},
                 {0.0001, 3600, missing, 1, false},
                 {0.0001, 3600, missing, missing, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const value given[] = {{WS_COL_ENERGY, cases[i].kwh},
                               {WS_COL_WALL, cases[i].wall_s},
                               {WS_COL_GPUS, cases[i].gpus},
                               {WS_COL_NODES, cases[i].nodes}};
        ws_table runs;
        complete(&runs, given, sizeof given / sizeof *given);
        const char *verdict = runs.columns[WS_COL_VERDICT].text[0];
        ck_assert_msg((ws_notes_find(&runs.notes, WS_FINDING_IMPLAUSIBLE_POWER) != NULL) == cases[i].is_told, "%zu", i);
        ck_assert_msg((verdict && strcmp(verdict, "doubtful") == 0) == cases[i].is_told, "%zu", i);
        ws_table_free(&runs);
    }
}
END_TEST

START_TEST(columns_stand_at_their_index)
{
    ws_table runs;
    ws_run_column column;
    ws_runs_init(&runs);
    ck_assert_uint_eq(runs.n_columns, WS_RUN_COLUMN_N);
    for (int c = 0; c < WS_RUN_COLUMN_N; c++) {
        const ws_run_column_info *info = ws_run_column_about((ws_run_column)c);
        ck_assert_str_eq(runs.columns[c].name, info->name);
        ck_assert_int_eq(runs.columns[c].kind, info->kind);
        ck_assert(ws_run_column_find(info->name, &column));
        ck_assert_int_eq(column, c); /* no name stands twice */
    }
    ck_assert(!ws_run_column_find("GPUS", &column));
    ws_table_free(&runs);
}
END_TEST

/* 60 s were logged at 4 x 210 W; the run took 7503 s: 0.84 kW x 7503 s / 3600 = 1.7507 kWh. */
/* The writers of tables do not know what a run is and have a list of names (core/known_to.c); it says what the table of
 * columns does: quantities that rest on an energy, without the shares, in which what is common cancels. */
START_TEST(columns_in_proportion_to_an_energy_are_the_same_for_writers)
{
    for (int i = 0; i < WS_RUN_COLUMN_N; i++) {
        const ws_run_column_info *c = ws_run_column_about((ws_run_column)i);
        bool is_it = c->role == WS_ROLE_QUANTITY && c->rests_on_energy && c->dimension != WS_DIM_RATIO;
        ck_assert_msg(ws_is_of_energy(c->name) == is_it, "%s", c->name);
    }
}
END_TEST

START_TEST(a_window_stands_for_its_run)
{
    ws_table runs;
    ws_runs_init(&runs);
    for (size_t row = 0; row < 3; row++) {
        ck_assert_uint_eq(ws_table_add_row(&runs), row);
        ws_runs_set(&runs, WS_COL_GPUS, row, 4);
        ws_runs_set(&runs, WS_COL_WALL, row, 60);
        ws_runs_set(&runs, WS_COL_ENERGY_GPU, row, 0.014);
        ws_runs_set(&runs, WS_COL_ENERGY, row, 0.014);
        ws_runs_set(&runs, WS_COL_COVERAGE, row, 1);
        ws_table_set_text(&runs, WS_COL_RUN, row, row == 1 ? "alone" : "whole");
        ws_table_set_text(&runs, WS_COL_WALL_SOURCE, row, row == 2 ? "given" : "trace span");
        ws_runs_set(&runs, WS_COL_JOB_WALL, row, row == 1 ? NAN : 7503);
    }
    ws_runs_extend_excerpts(&runs);
    ws_runs_complete(&runs, NULL);
    ck_close(ws_runs_get(&runs, WS_COL_ENERGY, 0), 1.7507, 1e-12, 0);
    ck_close(ws_runs_get(&runs, WS_COL_ENERGY_GPU, 0), 1.7507, 1e-12, 0);
    ck_close(ws_runs_get(&runs, WS_COL_KWH_PER_GPUH, 0), 0.21, 1e-12, 0);
    ck_close(ws_runs_get(&runs, WS_COL_GPU_H, 0), 4 * 7503 / 3600.0, 1e-12, 0);
    ck_close(ws_runs_get(&runs, WS_COL_COVERAGE, 0), 60 / 7503.0, 1e-12, 0);
    ck_assert_str_eq(runs.columns[WS_COL_WALL_SOURCE].text[0], "job record");
    for (size_t row = 1; row < 3; row++)
        ck_assert(ws_runs_get(&runs, WS_COL_WALL, row) == 60 && ws_runs_get(&runs, WS_COL_ENERGY, row) == 0.014);
    ck_assert_uint_eq(ws_notes_find(&runs.notes, WS_FINDING_WINDOW)->count, 1);
    ck_assert_uint_eq(ws_notes_find(&runs.notes, WS_FINDING_WINDOW_ALONE)->count, 2);
    ck_assert_ptr_nonnull(strstr(ws_notes_find(&runs.notes, WS_FINDING_WINDOW_ALONE)->text, "alone"));
    ws_table_free(&runs);
}
END_TEST

TEST_MAIN("run columns", every_formula, a_window_stands_for_its_run, passes_are_samples_over_the_local_batch,
          an_accumulation_below_one_is_none, formulas_read_backwards, what_is_there_stays, nothing_comes_from_nothing,
          divisions_by_zero_stay_missing, a_failed_run_has_no_energy_instead_of_zero, the_scope_says_what_was_added,
          contradictions_are_noted, totals_that_no_device_draws_are_doubtful, columns_stand_at_their_index,
          columns_in_proportion_to_an_energy_are_the_same_for_writers)
