/* How often the tests of fit/ reject what is true, at 5 %, on campaigns that are drawn at random; see coverage.h. */
#include "tests/fit/coverage.h"

#include "fit/choice/choice.h"
#include "fit/tests/diagnostics.h"
#include "fit/linear/errors_in_both.h"
#include "fit/tests/groups.h"
#include "fit/laws/laws.h"
#include "fit/tests/repeats.h"
#include "fit/tests/mean_and_spread.h"

static const double LEVEL = 0.95;
static const char *const one_name[] = {"x"};

/* Logarithms of run times with errors of one size: an ideal strong scaling. */
static void log_times(sim *s, double *ln_x, double *ln_y)
{
    double sd = sim_uniform(s, 0.01, 0.05);
    for (size_t i = 0; i < s->n; i++) {
        ln_x[i] = log(s->gpus[i]);
        ln_y[i] = 8 - ln_x[i] + sd * sim_normal(s);
    }
}

/* Student's t of the exponent, and F of one further term against the power law. */
static void of_powerlaw(sim *s, double *result)
{
    double ln_x[SIM_RUNS], ln_y[SIM_RUNS], y[SIM_RUNS];
    ws_fit power, curved;
    ws_test nested;
    sim_campaign(s);
    log_times(s, ln_x, ln_y);
    for (size_t i = 0; i < s->n; i++)
        y[i] = exp(ln_y[i]);
    const ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL, .in_logs = true};
    ws_fit_powerlaw(s->gpus, y, s->n, LEVEL, &power, NULL, NULL);
    ws_fit_lognormal(&in, &curved, NULL, NULL);
    result[0] = rejects(ws_fit_estimate(&power, "exponent-vs-1")->p_value);
    ws_nested_f(&power, &curved, &nested);
    result[1] = rejects(nested.p_value);
}

static void of_repeats(sim *s, double *result)
{
    double ln_x[SIM_RUNS], ln_y[SIM_RUNS];
    ws_repeats r;
    ws_fit line;
    ws_test test;
    sim_campaign_with_repeats(s);
    log_times(s, ln_x, ln_y);
    ws_repeats_find(ln_x, ln_y, s->n, &r, NULL);
    ws_fit_line(ln_x, ln_y, s->n, LEVEL, &line, NULL, NULL);
    ws_lack_of_fit(&r, line.rss, 2, &test);
    result[0] = rejects(test.p_value);
    ws_repeats_free(&r);
    ws_bartlett(ln_y, s->place, s->n, s->n_counts, &test, NULL);
    result[1] = rejects(test.p_value);
    ws_brown_forsythe(ln_y, s->place, s->n, s->n_counts, &test, NULL);
    result[2] = rejects(test.p_value);
}

/* Three groups of one exponent, and slopes that differ by just the margin. */
static void of_groups(sim *s, double *result)
{
    double x[3 * SIM_RUNS], y[3 * SIM_RUNS], off[3 * SIM_RUNS];
    size_t group[3 * SIM_RUNS], n = 0;
    ws_slopes slopes;
    for (size_t g = 0; g < 3; g++) {
        sim_campaign(s);
        for (size_t i = 0; i < s->n; i++, n++) {
            x[n] = log(s->gpus[i]);
            y[n] = 8 + 0.1 * (double)g - 0.8 * x[n] + 0.02 * sim_normal(s);
            off[n] = y[n] + 0.05 * (double)g * x[n];
            group[n] = g;
        }
    }
    ws_compare_slopes(x, y, group, n, 3, LEVEL, 0, &slopes, NULL);
    double holm = 1;
    for (size_t k = 0; k < slopes.n_pairs; k++)
        holm = fmin(holm, slopes.pair[k].p_holm);
    result[0] = rejects(slopes.equal_slopes.p_value);
    result[1] = rejects(holm);
    ws_slopes_free(&slopes);
    ws_compare_slopes(x, off, group, n, 3, LEVEL, 0.05, &slopes, NULL);
    result[2] = rejects(slopes.pair[0].p_equivalent);
    ws_slopes_free(&slopes);
}

/* Printed exponents with known standard errors, points with known errors, two sets of repeats. */
static void of_known_errors(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS], sd_x[SIM_RUNS], sd_y[SIM_RUNS], weight[SIM_RUNS], p;
    const double *const columns[] = {x};
    const ws_weighting weighting = {.weight = weight, .is_absolute = true, .df = INFINITY};
    ws_slopes slopes;
    ws_fit fit;
    ws_weighted w;
    ws_sample a, b;
    ws_test welch;
    for (size_t k = 0; k < 3; k++) {
        sd_y[k] = 0.01 * (double)(k + 1);
        y[k] = 0.8 + sd_y[k] * sim_normal(s);
    }
    ws_printed_slopes(y, sd_y, 3, LEVEL, 0, &slopes, NULL);
    result[0] = rejects(slopes.equal_slopes.p_value);
    ws_slopes_free(&slopes);
    sim_campaign(s);
    for (size_t i = 0; i < s->n; i++) {
        sd_x[i] = 2;
        sd_y[i] = 1;
        weight[i] = 1;
        x[i] = 100 * pow(s->gpus[i], 0.2);
        y[i] = 5 + 0.25 * x[i] + sim_normal(s);
    }
    ws_fit_weighted(columns, one_name, 1, y, s->n, &weighting, LEVEL, &w, NULL, NULL);
    result[1] = rejects(w.chi2_p);
    for (size_t i = 0; i < s->n; i++)
        x[i] += 2 * sim_normal(s);
    const ws_york_input york = {.x = x, .y = y, .sd_x = sd_x, .sd_y = sd_y, .n = s->n, .level = LEVEL};
    ws_fit_york(&york, &fit, &p, NULL, NULL);
    result[2] = rejects(p);
    size_t n_a = sim_from_to(s, 2, SIM_REPEATS), n_b = sim_from_to(s, 2, SIM_REPEATS);
    for (size_t i = 0; i < n_a + n_b; i++)
        y[i] = 50 + (i < n_a ? 1 : 2) * sim_normal(s);
    ws_sample_describe(y, n_a, LEVEL, &a, NULL);
    ws_sample_describe(y + n_a, n_b, LEVEL, &b, NULL);
    ws_welch(&a, &b, &welch);
    result[3] = rejects(welch.p_value);
}

static void of_residuals(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS];
    const double *const columns[] = {x};
    ws_diagnostics d;
    sim_campaign(s);
    log_times(s, x, y);
    ws_diagnose(columns, one_name, 1, y, s->n, LEVEL, &d, NULL);
    double outlier = 1;
    for (size_t i = 0; i < s->n; i++)
        outlier = fmin(outlier, d.point[i].p_outlier);
    result[0] = rejects(outlier);
    result[1] = rejects(d.durbin_watson.p_value);
    result[2] = rejects(d.breusch_pagan.p_value);
    result[3] = rejects(d.breusch_pagan_normal.p_value);
    result[4] = rejects(d.jarque_bera.p_value);
    ws_diagnostics_free(&d);
}

/* Pairs without any relation: GPU counts with repeats against noise, and noise against noise at few points. */
static void of_correlations(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS];
    size_t n = sim_from_to(s, 5, 9);
    ws_correlation c;
    ws_test normal;
    sim_campaign(s);
    for (size_t i = 0; i < s->n; i++) {
        x[i] = sim_normal(s);
        y[i] = sim_normal(s);
    }
    ws_pearson(x, y, s->n, LEVEL, &c, NULL);
    result[0] = rejects(c.p_value);
    ws_spearman(x, y, n, LEVEL, &c, NULL);
    result[1] = rejects(c.p_value);
    ws_kendall(x, y, n, LEVEL, &c, NULL);
    result[2] = rejects(c.p_value);
    ws_spearman(s->gpus, y, s->n, LEVEL, &c, NULL);
    result[3] = s->n > s->n_counts ? rejects(c.p_value) : (double)NAN;
    ws_kendall(s->gpus, y, s->n, LEVEL, &c, NULL);
    result[4] = s->n > s->n_counts ? rejects(c.p_value) : (double)NAN;
    ws_shapiro_wilk(y, s->n, &normal, NULL);
    result[5] = rejects(normal.p_value);
}

static void of_breakpoint(sim *s, double *result)
{
    double ln_x[SIM_RUNS], ln_y[SIM_RUNS], y[SIM_RUNS];
    ws_fit fit;
    ws_test test;
    do
        sim_campaign(s);
    while (s->n < 6);
    log_times(s, ln_x, ln_y);
    for (size_t i = 0; i < s->n; i++)
        y[i] = exp(ln_y[i]);
    const ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL};
    ws_fit_breakpoint(&in, &fit, NULL, &test, NULL);
    result[0] = rejects(test.p_value);
}

static const experiment experiments[] = {
    {of_powerlaw, MANY, {{"t of the exponent against -1", 4, 6}, {"F of nested curves", 4, 6}}},
    {of_repeats, MANY, {{"lack of fit", 4, 6}, {"Bartlett", 0, 100}, {"Brown-Forsythe", 0, 100}}},
    {of_groups,
     MANY,
     {{"F of equal slopes", 4, 6}, {"any pair of slopes, Holm", 0, 6}, {"equivalence at its margin", 0, 6}}},
    {of_known_errors,
     MANY,
     {{"Cochran's Q, errors known", 4, 6},
      {"chi2 of absolute weights", 4, 6},
      {"chi2 of York", 4, 6},
      {"Welch", 0, 100}}},
    {of_residuals,
     MANY,
     {{"outlier, Bonferroni", 0, 6},
      {"Durbin-Watson", 0, 100},
      {"Breusch-Pagan, Koenker", 0, 100},
      {"Breusch-Pagan", 0, 100},
      {"Jarque-Bera", 0, 100}}},
    {of_correlations,
     MANY,
     {{"Pearson", 4, 6},
      {"Spearman, exact", 0, 5},
      {"Kendall, exact", 0, 5},
      {"Spearman, ties", 0, 100},
      {"Kendall, ties", 0, 100},
      {"Shapiro-Wilk", 4, 6}}},
    {of_breakpoint, SOME, {{"breakpoint, drawn", 4, 6}}},
};

START_TEST(tests_reject_the_truth_as_often_as_they_say)
{
    run_experiments(experiments, sizeof experiments / sizeof *experiments, 100);
}
END_TEST

TEST_MAIN("levels", tests_reject_the_truth_as_often_as_they_say)
