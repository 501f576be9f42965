/* The sentences of a small campaign whose numbers follow by hand. */
#include "analyze/recipes/story.h"

#include "analyze/ingest/run_energy.h"
#include "analyze/ingest/run_columns.h"
#include "analyze/recipes/story_words.h"
#include "analyze/scaling/scaling.h"

#include "harness.h"

#include <math.h>
#include <string.h>

static size_t add_run(ws_table *runs, const char *series, double gpus, double wall_s, double energy_kwh)
{
    size_t row = ws_table_add_row(runs);
    char name[64];
    snprintf(name, sizeof name, "run %zu", row);
    ws_table_set_text(runs, WS_COL_RUN, row, name);
    ws_table_set_text(runs, WS_COL_SERIES, row, series);
    ws_table_set_text(runs, WS_COL_STATUS, row, "ok");
    ws_runs_set(runs, WS_COL_GPUS, row, gpus);
    ws_runs_set(runs, WS_COL_WALL, row, wall_s);
    ws_runs_set(runs, WS_COL_ENERGY, row, energy_kwh);
    return row;
}

/* 1000 s / GPUs and 0.25 kWh per GPUh: two runs a configuration, one 1 % below in time and 4 % in energy per GPUh, one
 * above. */
static void fill_runs(ws_table *runs)
{
    ws_runs_init(runs);
    for (double gpus = 1; gpus <= 8; gpus *= 2) {
        add_run(runs, "a", gpus, 990 / gpus, 990.0 / 3600 * 0.24);
        add_run(runs, "a", gpus, 1010 / gpus, 1010.0 / 3600 * 0.26);
    }
    ws_table_set_text(runs, WS_COL_STATUS, 3, "long-gap");
    ws_notes_add(&runs->notes, WS_FINDING_EXCLUDED, "campaign.json", "job=7", 0,
                 "1 of 9 rows are left out (a node failed)");
    ws_notes_add(&runs->notes, WS_FINDING_LONG_GAP, "gpu0.csv", "gpu0", 0, "a gap of 70 s");
    ws_runs_complete(runs, NULL);
}

typedef struct told {
    ws_table runs, scale;
    ws_page page;
} told;

static void tell(told *t)
{
    ws_scaling_options options = {0};
    ck_assert_int_eq(ws_scale(&t->runs, &options, &t->scale, NULL), WS_OK);
    ws_page_init(&t->page, "t");
    ck_assert_int_eq(ws_story_tell(&t->runs, &t->scale, "8 nvidia-smi-csv", &t->page, NULL), WS_OK);
}

static told tell_filled(void)
{
    told t = {0};
    fill_runs(&t.runs);
    tell(&t);
    return t;
}

static void forget(told *t)
{
    ws_page_free(&t->page);
    ws_table_free(&t->scale);
    ws_table_free(&t->runs);
}

static bool says(const told *t, const char *heading, const char *sentence)
{
    for (size_t i = 0; i < t->page.n_sections; i++)
        for (size_t s = 0; s < t->page.sections[i].sentences.n; s++)
            if (strcmp(t->page.sections[i].heading, heading) == 0 &&
                strcmp(t->page.sections[i].sentences.items[s], sentence) == 0)
                return true;
    return false;
}

static bool says_like(const told *t, const char *heading, const char *part)
{
    for (size_t i = 0; i < t->page.n_sections; i++)
        for (size_t s = 0; s < t->page.sections[i].sentences.n; s++)
            if (strcmp(t->page.sections[i].heading, heading) == 0 &&
                strstr(t->page.sections[i].sentences.items[s], part))
                return true;
    return false;
}

#define ck_says(t, heading, sentence) ck_assert_msg(says(t, heading, sentence), "the story does not say: %s", sentence)

START_TEST(what_was_measured)
{
    told t = tell_filled();
    ck_says(&t, "What was measured", "8 runs with 1 to 8 GPUs make 4 configurations in the series a.");
    ck_says(&t, "What was measured", "Files by format: 8 nvidia-smi-csv.");
    /* 4 (0.066 + 0.0729444) kWh; 4 (990 + 1010) s of one GPU in hours */
    ck_says(&t, "What was measured", "8 runs with an energy used 555.8 Wh together, 66 to 72.94 Wh each.");
    ck_says(&t, "What was measured", "Together: 2.222 GPUh.");
    ck_assert_uint_eq(t.page.n_facts, 5);
    ck_assert_str_eq(t.page.facts[2].value, "1 to 8");
    ck_assert_str_eq(t.page.facts[2].label, "GPUs a run");
    forget(&t);
}
END_TEST

START_TEST(how_sure_it_is)
{
    told t = tell_filled();
    ck_says(&t, "How sure it is", "Every configuration has 2 runs.");
    /* 10 s of 1000 s; (0.0729444 - 0.066) / (0.0729444 + 0.066) = 0.04998 */
    ck_says(&t, "How sure it is",
            "Over the repeats of a configuration the time spreads by 1 % of its mean (root mean square, "
            "4 configurations).");
    ck_says(&t, "How sure it is",
            "Over the repeats of a configuration the energy spreads by 5 % of its mean (root mean square, "
            "4 configurations).");
    ck_says(&t, "How sure it is", "Status of the runs: ok (7), long-gap (1).");
    ck_says(&t, "How sure it is", "1 device has a gap in its readings (see [long-gap] among the findings).");
    forget(&t);
}
END_TEST

/* Gain 5 %, sampling 0.5 % of every other run (k = 1), and edges of up to 2 %: 1.96 x 5 = 9.8 %, 1.96 x 0.5 = 0.98 %,
 * and half of 2 % beside the root of their squares: 10.8 and 10.85 %. */
START_TEST(how_well_an_energy_is_known)
{
    told t = {0};
    fill_runs(&t.runs);
    for (size_t row = 0; row < t.runs.n_rows; row++) {
        double energy_j = 3.6e6 * ws_runs_get(&t.runs, WS_COL_ENERGY, row);
        ws_budget budget = {.of = {[WS_COMPONENT_SENSOR] = {.u_j = 0.05 * energy_j},
                                   [WS_COMPONENT_SAMPLING] = {.u_j = row % 2 ? 0.005 * energy_j : 0},
                                   [WS_COMPONENT_EDGES] = {.hi_j = 0.02 * energy_j}}};
        ws_runs_set_budget(&t.runs, row, &budget, energy_j);
    }
    tell(&t);
    ck_says(
        &t, "How sure it is",
        "The energy of a run is known to 10.8 % (95 %): 9.8 % by the gain of the sensors, which is common to the runs "
        "and cancels where they are compared, 0.98 % by sampling, up to 1 % by gaps, edges, clocks and counters.");
    size_t u, lo, hi, energy; /* of a mean of two: the gain stays, sampling of one of them is halved */
    ck_assert(ws_table_find(&t.scale, "energy_u_kwh", &u) && ws_table_find(&t.scale, "energy_kwh", &energy));
    ck_assert(ws_table_find(&t.scale, "energy_lo_kwh", &lo) && ws_table_find(&t.scale, "energy_hi_kwh", &hi));
    double mean = ws_table_number(&t.scale, energy, 0), cover = 1.959963984540054;
    double one = 1010.0 / 3600 * 0.26, sampling = 0.005 * one / 2;
    ck_close(ws_table_number(&t.scale, lo, 0), mean - cover * hypot(0.05 * mean, sampling), 1e-12, 0);
    ck_close(ws_table_number(&t.scale, hi, 0), 1.02 * mean + cover * hypot(0.05 * mean, sampling), 1e-12, 0);
    ck_close(ws_table_number(&t.scale, u, 0), hypot(0.05 * mean, sampling) + 0.01 * mean / cover, 1e-12, 0);
    forget(&t);
}
END_TEST

START_TEST(what_stands_out)
{
    told t = tell_filled();
    /* 1000 s / 125 s; sample standard deviations of 14.142 s and 1.7678 s, two runs each: relative error 0.014142 */
    ck_says(&t, "What stands out",
            "8 GPUs are 8.00 ± 0.11 times as fast as one GPU, "
            "an efficiency of 1.000 ± 0.014 (strong scaling).");
    /* the geometric means sqrt(990 1010) / GPUs lie on the law: no residuals, so no error */
    ck_says(&t, "What stands out",
            "The run time goes as GPUs to the power of −1 (4 configurations, means of 8 runs, R² 1 in logarithms).");
    /* every configuration has 0.066 + 0.0729444 kWh in 0.275 + 0.280556 GPUh */
    ck_says(&t, "What stands out", "0.2501 kWh per GPUh (4 configurations, means of 8 runs).");
    forget(&t);
}
END_TEST

/* Repeats do not pass for GPU counts: a power law goes through the means of any two. */
START_TEST(two_gpu_counts)
{
    told t = {0};
    ws_runs_init(&t.runs);
    for (size_t i = 0; i < 10; i++)
        add_run(&t.runs, "a", i < 5 ? 8 : 64, (i < 5 ? 800 : 150) + (double)(i % 5), NAN);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_assert(says_like(&t, "What stands out",
                        "(2 configurations, means of 10 runs). Two configurations cannot show "
                        "whether a power law holds, and give it no interval."));
    forget(&t);
}
END_TEST

START_TEST(one_run_a_gpu_count)
{
    told t = {0};
    ws_runs_init(&t.runs);
    for (double gpus = 1; gpus <= 8; gpus *= 2)
        add_run(&t.runs, "a", gpus, (gpus == 2 ? 1001 : 1000) / gpus, NAN);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_assert(says_like(&t, "What stands out", "; 4 configurations, R²"));
    ck_assert(!says_like(&t, "What stands out", "cannot show"));
    forget(&t);
}
END_TEST

START_TEST(what_was_left_out)
{
    told t = tell_filled();
    ck_says(&t, "What was left out", "job=7: 1 of 9 rows are left out (a node failed) [excluded].");
    forget(&t);
    ws_runs_init(&t.runs);
    add_run(&t.runs, "a", 1, 10, 1);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was left out", "Nothing: every run, file and reading that was found is in the numbers.");
    forget(&t);
}
END_TEST

/* A run without an energy is in no sum of energies: that is something left out. */
START_TEST(runs_without_numbers)
{
    told t = {0};
    ws_runs_init(&t.runs);
    add_run(&t.runs, "a", 1, 10, 1);
    add_run(&t.runs, "a", 2, 5, NAN);
    add_run(&t.runs, "a", 4, NAN, NAN);
    add_run(&t.runs, "a", NAN, 3, 1);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was left out", "2 of 4 runs have no energy and stand in no sum or mean of it: run 1, run 2.");
    ck_says(&t, "What was left out", "1 of 4 runs has no duration and stands in no sum or mean of it: run 2.");
    ck_says(&t, "What was left out", "1 of 4 runs has no number of GPUs and stands in no sum or mean of it: run 3.");
    ck_assert(!says_like(&t, "What was left out", "Nothing"));
    forget(&t);
    ws_runs_init(&t.runs);
    for (size_t i = 0; i < 12; i++)
        add_run(&t.runs, "a", 1, 10, NAN);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was left out", "No run has an energy.");
    forget(&t);
    ws_runs_init(&t.runs);
    for (size_t i = 0; i < 12; i++)
        add_run(&t.runs, "a", 1, 10, i ? NAN : 1);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was left out",
            "11 of 12 runs have no energy and stand in no sum or mean of it: run 1, run 2, run 3, "
            "run 4, run 5, run 6, run 7, run 8 and 3 more.");
    forget(&t);
}
END_TEST

START_TEST(a_single_run_without_energy)
{
    told t = {0};
    ws_runs_init(&t.runs);
    add_run(&t.runs, "100 %s %n", NAN, 10, NAN);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was measured", "1 run makes 1 configuration in the series 100 %s %n.");
    ck_says(&t, "What was measured", "No run has an energy.");
    ck_says(&t, "How sure it is", "1 configuration stands with a single run: nothing is known of their spread.");
    ck_says(&t, "What stands out",
            "There are too few numbers of GPUs, times or energies of whole runs for speed-ups, laws and factors.");
    forget(&t);
}
END_TEST

/* Epochs rise with the GPUs and the time of an epoch falls as 1 / GPUs: power law and speed-up are those of an epoch,
 * as in the figure. */
/* Of energies alone the ratio and the least are told. */
START_TEST(energies_alone)
{
    told t = {0};
    ws_runs_init(&t.runs);
    static const double kwh[] = {1.1, 1, 1.3, 1.9};
    for (size_t i = 0; i < 4; i++)
        add_run(&t.runs, "a", (double)(1 << i), NAN, kwh[i]);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "In short", "8 GPUs take 1.73 times the energy of one GPU.");
    ck_says(&t, "In short",
            "Least energy with 2 GPUs, 1 kWh; the next, 1 GPU, takes 10 % more, from single runs without a test.");
    ck_says(&t, "What stands out", "Most energy: 1.9 kWh (8 GPUs); least: 1 kWh (2 GPUs).");
    forget(&t);
}
END_TEST

/* Repeats of one configuration are runs, and no configurations. */
START_TEST(repeats_of_one_configuration)
{
    told t = {0};
    ws_runs_init(&t.runs);
    for (size_t i = 0; i < 3; i++)
        add_run(&t.runs, "a", 4, 900 + 90 * (double)i, 10 + (double)i);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    for (size_t i = 0; i < t.page.n_sections; i++)
        for (size_t s = 0; s < t.page.sections[i].sentences.n; s++)
            ck_assert_ptr_null(strstr(t.page.sections[i].sentences.items[s], "3 configurations"));
    forget(&t);
}
END_TEST

START_TEST(unequal_epochs)
{
    told t = {0};
    ws_runs_init(&t.runs);
    for (double gpus = 1; gpus <= 8; gpus *= 2) {
        size_t row = add_run(&t.runs, "a", gpus, 1000, NAN);
        ws_runs_set(&t.runs, WS_COL_EPOCHS, row, gpus);
        ws_runs_set(&t.runs, WS_COL_EPOCH_S, row, (gpus == 2 ? 1001 : 1000) / gpus);
    }
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_assert(says_like(&t, "What stands out", "The time per epoch goes as GPUs to the power of −1.000"));
    ck_assert(says_like(&t, "What stands out", "8 GPUs are 8 times as fast as one GPU"));
    ck_assert(says_like(&t, "What stands out", "Compared is the time of one epoch."));
    forget(&t);
}
END_TEST

/* Twice the epochs take twice the energy: the least is told of an epoch, 2, 1.5 and 1.8 kWh, and of the run where all
 * have as many. */
START_TEST(least_energy_of_unequal_epochs)
{
    static const double epoch_kwh[] = {2, 1.5, 1.8};
    for (int differ = 0; differ < 2; differ++) {
        told t = {0};
        ws_runs_init(&t.runs);
        for (size_t i = 0; i < 3; i++)
            for (int repeat = 0; repeat < 2; repeat++) {
                double epochs = differ ? 10 << i : 10, gpus = 1 << i, spread = repeat ? 1.01 : 0.99;
                size_t row = add_run(&t.runs, "a", gpus, epochs * 100 / gpus, epochs * epoch_kwh[i] * spread);
                ws_runs_set(&t.runs, WS_COL_EPOCHS, row, epochs);
            }
        ws_runs_complete(&t.runs, NULL);
        tell(&t);
        /* 20 % more; Welch's t of (1.782, 1.818) and (1.485, 1.515): 0.3 / sqrt(0.018^2 + 0.015^2), p 0.009 at 1.94
         * degrees of freedom */
        ck_assert(says_like(&t, "In short",
                            differ ? "Least energy per epoch with 2 GPUs, 1.5 kWh; the next, 4 GPUs, takes 20 % more"
                                   : "Least energy with 2 GPUs, 15 kWh; the next, 4 GPUs, takes 20 % more"));
        ck_assert(!says_like(&t, "In short", "not measurably more"));
        forget(&t);
    }
}
END_TEST

/* What is bridged or extended is said where the coverage is said. */
START_TEST(coverage_is_not_hidden)
{
    told t = {0};
    fill_runs(&t.runs);
    for (size_t row = 0; row < 7; row++)
        ws_runs_set(&t.runs, WS_COL_COVERAGE, row, 1);
    tell(&t);
    ck_says(&t, "What was measured",
            "Readings cover 100 % of the time in the 7 of 8 runs where that is known; bridged gaps count as covered.");
    forget(&t);
    ws_runs_init(&t.runs);
    size_t row = add_run(&t.runs, "a", 1, 60, 0.001);
    ws_table_set_text(&t.runs, WS_COL_WALL_SOURCE, row, "trace span");
    ws_runs_set(&t.runs, WS_COL_JOB_WALL, row, 6000);
    ws_runs_set(&t.runs, WS_COL_COVERAGE, row, 1);
    ws_runs_extend_excerpts(&t.runs);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was measured",
            "Readings cover 1 % of a run's time; the energy is their mean power times the time of the run (1 run).");
    forget(&t);
}
END_TEST

START_TEST(series_and_configurations_have_one_name)
{
    told t = {0};
    ws_runs_init(&t.runs);
    static const char *const series[] = {"lbs256", "gbs1024", "gbs256"};
    for (size_t i = 0; i < 3; i++)
        for (double gpus = 1; gpus <= 2; gpus++)
            add_run(&t.runs, series[i], gpus, 100 / gpus, 0.1 * (double)(i + 1) + gpus);
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was measured",
            "6 runs with 1 to 2 GPUs make 6 configurations in the series GBS 256, GBS 1024, LBS 256.");
    ck_assert(says_like(&t, "What stands out", "Most energy per GPUh: 82.8 kWh (GBS 256, 2 GPUs)"));
    forget(&t);
}
END_TEST

#define HEBREW "\u05d0\u05d1"
#define ISOLATED "\u2068" HEBREW "\u2069"

/* The story counts in the units and says the names that tables and figures have, and tells whose the ends of a range
 * are: four series of 0.25, 0.30, 0.35 and 0.40 kWh per GPUh, of times that halve, halve, and fall by less. */
START_TEST(units_and_names_are_those_of_the_looks)
{
    static const char *const said[] = {"energy_kwh: unit=MJ",        "kwh_per_gpuh: unit=MJ, name=Energy a GPU hour",
                                       "wall_s: unit=min",           "gpu_h: unit=GPU hours",
                                       "model=rn50: name=ResNet-50", "series=d: name=the last"};
    static const char *const names[] = {"a", "b", "c", "d"};
    static const double power[] = {1, 1, 0.75, 0.5};
    told t = {0};
    ws_looks looks = {0};
    ws_arena texts = {0};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        ck_assert_int_eq(ws_looks_parse(&looks, &texts, said[i], NULL), WS_OK);
    ws_runs_init(&t.runs);
    for (size_t s = 0; s < 4; s++)
        for (double gpus = 1; gpus <= 4; gpus *= 2) {
            double wall_s = 3600 / pow(gpus, power[s]), gpu_h = gpus * wall_s / 3600;
            size_t row = add_run(&t.runs, names[s], gpus, wall_s, gpu_h * (0.25 + 0.05 * (double)s));
            ws_table_set_text(&t.runs, WS_COL_MODEL, row, "rn50");
        }
    ws_runs_complete(&t.runs, NULL);
    t.runs.looks = &looks;
    tell(&t);
    /* a takes 3 x 0.25 kWh, b 3 x 0.3, c (1 + 2^0.25 + 2^0.5) 0.35, d (1 + 2^0.5 + 2) 0.4: 4.677 kWh */
    ck_says(&t, "What was measured", "12 runs with an energy used 16.84 MJ together, 0.9 to 2.88 MJ each.");
    ck_says(&t, "What was measured", "Together: 14.02 GPU hours.");
    ck_says(&t, "What was measured", "A run lasted 15 to 60 min.");
    ck_says(&t, "What was measured",
            "12 runs of ResNet-50 with 1 to 4 GPUs make 12 configurations in the series a, b, c, the last.");
    ck_assert_str_eq(t.page.facts[3].label, "GPU hours in all");
    ck_assert_str_eq(t.page.facts[4].value, "16.84");
    ck_assert_str_eq(t.page.facts[4].label, "MJ in all");
    /* 4^(0.75 - 1) and 4^(0.5 - 1) */
    ck_says(&t, "In short", "In 2 other series the efficiency at the most GPUs is 0.5 (the last) to 0.707 (c).");
    ck_says(&t, "In short", "Energy a GPU hour: 0.9 MJ (a) to 1.44 MJ (the last) (mean of ratios of 4 series).");
    ck_assert(says_like(&t, "In short", "a: least energy with 1 GPU, 0.9 MJ"));
    ck_assert(says_like(&t, "What stands out", "Most energy per GPUh: 1.44 MJ (the last"));
    forget(&t);
    ws_looks_free(&looks);
    ws_arena_free(&texts);
}
END_TEST

START_TEST(names_from_right_to_left_are_isolated)
{
    told t = {0};
    ws_runs_init(&t.runs);
    for (size_t i = 0; i < 4; i++) {
        add_run(&t.runs, i < 2 ? HEBREW : "b", i % 2 ? 2 : 1, 100, i ? (double)i : NAN);
        ws_table_set_text(&t.runs, WS_COL_MODEL, i, HEBREW);
    }
    ws_table_set_text(&t.runs, WS_COL_RUN, 0, HEBREW);
    ws_notes_add(&t.runs.notes, WS_FINDING_EXCLUDED, HEBREW ".csv", "", 0, "1 of 9 rows are left out");
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    ck_says(&t, "What was measured",
            "4 runs of " ISOLATED " with 1 to 2 GPUs make 4 configurations in the series b, " ISOLATED ".");
    ck_assert(says_like(&t, "What stands out", "(" ISOLATED ", 2 GPUs)"));
    ck_assert(says_like(&t, "What was left out", "no sum or mean of it: " ISOLATED "."));
    ck_says(&t, "What was left out", "\u2068" HEBREW ".csv\u2069: 1 of 9 rows are left out [excluded].");
    forget(&t);
}
END_TEST

/* On part of a node the energy of the whole is on few GPUs: such runs stay out of the factor. */
START_TEST(whole_nodes_only)
{
    told t = {0};
    ws_runs_init(&t.runs);
    static const double gpus[] = {1, 4, 4, 8, 8}, energy[] = {9, 1, 1.1, 1, 1.1};
    for (size_t i = 0; i < 5; i++) {
        size_t row = add_run(&t.runs, "a", gpus[i], 3600 / gpus[i], energy[i]);
        ws_runs_set(&t.runs, WS_COL_NODES, row, gpus[i] < 8 ? 1 : 2);
    }
    ws_runs_complete(&t.runs, NULL);
    tell(&t);
    /* two configurations of 1 and 1.1 kWh in 1 GPUh each: 1.05, and no spread between the two */
    ck_says(&t, "What stands out", "1.05 kWh per GPUh (2 configurations, means of 4 runs on whole nodes of 4 GPUs).");
    forget(&t);
}
END_TEST

START_TEST(numbers_are_not_rounded_to_more_than_they_are)
{
    ck_assert_str_eq(ws_say_percent(1).text, "100 %");
    ck_assert_str_eq(ws_say_percent(0.9997).text, "99.97 %");
    ck_assert_str_eq(ws_say_percent(0.9999999).text, "over 99.99 %");
    ck_assert_str_eq(ws_say_percent(0.0004).text, "0.04 %");
    ck_assert_str_eq(ws_say_r2(0.999999).text, "above 0.9999");
    ck_assert_str_eq(ws_say_r2(0.98765).text, "0.9877");
    ck_assert_str_eq(ws_say_range(3, 3).text, "3");
    ck_assert_str_eq(ws_say_pair(12.3456, NAN).text, "12.35");
    ck_assert_str_eq(ws_say_interval(-0.84603, -0.84028).text, "−0.8460 to −0.8403");
    ck_assert_str_eq(ws_say_interval(0.234892, 0.234950).text, "0.234892 to 0.234950");
    ck_assert_str_eq(ws_say_interval(-0.42517, 0.59003).text, "−0.43 to 0.59");
    ck_assert_str_eq(ws_say_interval(1.0004, 7.434).text, "1.0 to 7.4");
    ck_assert_str_eq(ws_say_interval(9.996, 10.2).text, "10.00 to 10.20");
    ck_assert_str_eq(ws_say_interval(9.9996, 12.2).text, "10.0 to 12.2");
    ck_assert_str_eq(ws_say_interval(12340, 45670).text, "12 000 to 46 000");
    ck_assert_str_eq(ws_say_interval(2, 2).text, "2.000");
}
END_TEST

TEST_MAIN("story", what_was_measured, how_sure_it_is, how_well_an_energy_is_known, what_stands_out, two_gpu_counts,
          one_run_a_gpu_count, what_was_left_out, runs_without_numbers, a_single_run_without_energy, energies_alone,
          repeats_of_one_configuration, unequal_epochs, least_energy_of_unequal_epochs, coverage_is_not_hidden,
          series_and_configurations_have_one_name, units_and_names_are_those_of_the_looks,
          names_from_right_to_left_are_isolated, whole_nodes_only, numbers_are_not_rounded_to_more_than_they_are)
