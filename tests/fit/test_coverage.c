/* Coverage of the 95 % intervals of fit/ on campaigns that are drawn at random; see coverage.h. */
#include "tests/fit/coverage.h"

#include "fit/tests/bootstrap.h"
#include "fit/linear/effects.h"
#include "fit/linear/errors_in_both.h"
#include "fit/tests/groups.h"
#include "fit/laws/laws.h"
#include "fit/laws/onset.h"
#include "fit/laws/predict.h"
#include "fit/linear/rates.h"
#include "fit/tests/repeats.h"
#include "fit/linear/robust.h"
#include "fit/tests/mean_and_spread.h"
#include "fit/tests/verdict.h"

static const double LEVEL = 0.95;
static const char *const one_name[] = {"x"};

/* GPU hours of the campaign's runs for a strong scaling with exponent 0.8; one value a GPU count. */
static void gpu_hours(const sim *s, double *x)
{
    for (size_t i = 0; i < s->n; i++)
        x[i] = 100 * pow(s->gpus[i], 0.2);
}

/* Energy over GPUh with an intercept and errors of one size. */
static void energy_line(sim *s, double *x, double *y)
{
    double sd = sim_uniform(s, 0.1, 2);
    gpu_hours(s, x);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 5 + 0.25 * x[i] + sd * sim_normal(s);
}

/* Run times 3600 N^-0.8 s with errors of 1 to 5 %. */
static void run_times(sim *s, double *y)
{
    double sd = sim_uniform(s, 0.01, 0.05);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 3600 * pow(s->gpus[i], -0.8) * exp(sd * sim_normal(s));
}

static void line(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS];
    ws_fit fit;
    sim_campaign(s);
    energy_line(s, x, y);
    ws_fit_line(x, y, s->n, LEVEL, &fit, NULL, NULL);
    result[0] = fit_holds(&fit, "slope", 0.25);
    result[1] = fit_holds(&fit, "intercept", 5);
}

static void powerlaw(sim *s, double *result)
{
    double y[SIM_RUNS];
    ws_fit fit;
    sim_campaign(s);
    run_times(s, y);
    ws_fit_powerlaw(s->gpus, y, s->n, LEVEL, &fit, NULL, NULL);
    result[0] = fit_holds(&fit, "exponent", -0.8);
    result[1] = fit_holds(&fit, "factor", 3600);
}

/* Each of the sisters under the errors that it is right for. */
static void origin(sim *s, double *result)
{
    static const char *const names[] = {"slope", "ratio-of-sums", "mean-of-ratios"};
    double x[SIM_RUNS], y[SIM_RUNS];
    sim_campaign(s);
    gpu_hours(s, x);
    for (size_t k = 0; k < 3; k++) {
        ws_fit fit;
        for (size_t i = 0; i < s->n; i++)
            y[i] = 0.25 * x[i] + 0.02 * pow(x[i], (double)k / 2) * sim_normal(s);
        ws_fit_origin(x, y, s->n, LEVEL, &fit, NULL, NULL);
        result[k] = fit_holds(&fit, names[k], 0.25);
    }
}

static void pooled(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS];
    ws_repeats r;
    ws_weighted w;
    sim_campaign_with_repeats(s);
    energy_line(s, x, y);
    ws_repeats_find(x, y, s->n, &r, NULL);
    ws_fit_repeats(&r, LEVEL, &w, NULL, NULL);
    result[0] = fit_holds(&w.fit, "slope", 0.25);
    result[1] = fit_holds(&w.fit, "intercept", 5);
    ws_repeats_free(&r);
}

static void weighted(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS], weight[SIM_RUNS];
    const double *const columns[] = {x};
    sim_campaign(s);
    gpu_hours(s, x);
    for (size_t i = 0; i < s->n; i++) {
        weight[i] = 1 / (0.01 * x[i] * x[i]);
        y[i] = 5 + 0.25 * x[i] + sim_normal(s) / sqrt(weight[i]);
    }
    for (size_t k = 0; k < 2; k++) {
        const ws_weighting weighting = {.weight = weight, .is_absolute = k == 0, .df = INFINITY};
        ws_weighted w;
        ws_fit_weighted(columns, one_name, 1, y, s->n, &weighting, LEVEL, &w, NULL, NULL);
        result[k] = fit_holds(&w.fit, "x", 0.25);
    }
}

/* Three power caps with one exponent: a campaign of each. */
static void ancova(sim *s, double *result)
{
    double x[3 * SIM_RUNS], y[3 * SIM_RUNS], sd = sim_uniform(s, 0.01, 0.05);
    size_t group[3 * SIM_RUNS], n = 0;
    ws_slopes slopes;
    for (size_t g = 0; g < 3; g++) {
        sim_campaign(s);
        for (size_t i = 0; i < s->n; i++, n++) {
            x[n] = log(s->gpus[i]);
            y[n] = 8 + 0.1 * (double)g - 0.8 * x[n] + sd * sim_normal(s);
            group[n] = g;
        }
    }
    ws_compare_slopes(x, y, group, n, 3, LEVEL, 0, &slopes, NULL);
    result[0] = holds(&slopes.common, -0.8);
    result[1] = slopes.pair[0].ci_lo <= 0 && 0 <= slopes.pair[0].ci_hi;
    ws_slopes_free(&slopes);
}

/* The last count against the first. */
static void speedup(sim *s, double *result)
{
    double y[SIM_RUNS], ln[SIM_RUNS];
    ws_repeats r;
    ws_sample a, b;
    ws_ratio ratio;
    sim_campaign_with_repeats(s);
    run_times(s, y);
    for (size_t i = 0; i < s->n; i++)
        ln[i] = log(y[i]);
    size_t first = s->repeats[0], last = s->repeats[s->n_counts - 1];
    double truth = pow(s->gpus[s->n - 1] / s->gpus[0], 0.8);
    ws_repeats_find(s->gpus, ln, s->n, &r, NULL);
    ws_sample_describe(ln, first, LEVEL, &a, NULL);
    ws_sample_describe(ln + s->n - last, last, LEVEL, &b, NULL);
    ws_ratio_pooled(&a, &b, r.pooled_sd, r.df, LEVEL, &ratio);
    result[0] = isnan(ratio.ci_lo) ? NAN : ratio.ci_lo <= truth && truth <= ratio.ci_hi;
    ws_repeats_free(&r);
    ws_sample_describe(y, first, LEVEL, &a, NULL);
    ws_sample_describe(y + s->n - last, last, LEVEL, &b, NULL);
    ws_ratio_of_means(&a, &b, LEVEL, &ratio);
    result[1] = isnan(ratio.ci_lo) ? NAN : ratio.ci_lo <= truth && truth <= ratio.ci_hi;
}

/* Curves, with errors of one size on the scale of the fit. */
static void curves(sim *s, double *result)
{
    double y[SIM_RUNS], sd = sim_uniform(s, 0.05, 0.5);
    ws_fit fit;
    sim_campaign(s);
    const ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL, .without_loocv = true};
    for (size_t i = 0; i < s->n; i++)
        y[i] = 100 * pow(s->gpus[i], -0.8) + sd * sim_normal(s);
    ws_fit_powerlaw_direct(&in, &fit, NULL, NULL);
    result[0] = fit_holds(&fit, "exponent", -0.8);
    result[1] = fit_holds(&fit, "factor", 100);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 100 * (0.05 + 0.95 / s->gpus[i]) + sd * sim_normal(s);
    ws_fit_amdahl(&in, &fit, NULL, NULL);
    result[2] = fit_holds(&fit, "serial-fraction", 0.05);
    result[3] = fit_holds(&fit, "max-speedup", 20);
    for (size_t i = 0; i < s->n; i++)
        y[i] = s->gpus[i] - 0.1 * (s->gpus[i] - 1) + sd * sim_normal(s);
    ws_fit_gustafson(&in, &fit, NULL, NULL);
    result[4] = fit_holds(&fit, "serial-fraction", 0.1);
}

static void bent_curves(sim *s, double *result)
{
    double y[SIM_RUNS], sd = sim_uniform(s, 0.01, 0.03);
    ws_fit fit;
    sim_campaign(s);
    ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL, .in_logs = true, .without_loocv = true};
    for (size_t i = 0; i < s->n; i++)
        y[i] = (100 * pow(s->gpus[i], -0.9) + 5) * exp(sd * sim_normal(s));
    ws_fit_floor(&in, &fit, NULL, NULL);
    result[0] = fit_holds(&fit, "exponent", -0.9);
    result[1] = fit_holds(&fit, "floor", 5);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 10 * s->gpus[i] / (1 + 0.03 * (s->gpus[i] - 1) + 3e-4 * s->gpus[i] * (s->gpus[i] - 1)) *
               exp(sd * sim_normal(s));
    ws_fit_usl(&in, &fit, NULL, NULL);
    result[2] = fit_holds(&fit, "alpha", 0.03);
    result[3] = fit_holds(&fit, "beta", 3e-4);
    result[4] = fit_holds(&fit, "peak", sqrt(0.97 / 3e-4));
}

/* One further run at twice the largest GPU count. */
static void prediction(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS], ln[SIM_RUNS], sd = sim_uniform(s, 0.01, 0.05);
    ws_fit fit;
    ws_prediction p;
    sim_campaign(s);
    energy_line(s, x, y);
    double at = 2 * x[s->n - 1], spread = sim_uniform(s, 0.1, 2);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 5 + 0.25 * x[i] + spread * sim_normal(s);
    double next = 5 + 0.25 * at + spread * sim_normal(s);
    ws_fit_line(x, y, s->n, LEVEL, &fit, NULL, NULL);
    ws_predict(&fit, x, s->n, LEVEL, &at, 1, &p, NULL);
    result[0] = p.lo <= next && next <= p.hi;
    for (size_t i = 0; i < s->n; i++)
        ln[i] = 3600 * pow(s->gpus[i], -0.8) * exp(sd * sim_normal(s));
    at = 2 * s->gpus[s->n - 1];
    next = 3600 * pow(at, -0.8) * exp(sd * sim_normal(s));
    ws_fit_powerlaw(s->gpus, ln, s->n, LEVEL, &fit, NULL, NULL);
    ws_predict(&fit, s->gpus, s->n, LEVEL, &at, 1, &p, NULL);
    result[1] = p.lo <= next && next <= p.hi;
    for (size_t i = 0; i < s->n; i++)
        ln[i] = 100 * (0.05 + 0.95 / s->gpus[i]) + spread / 5 * sim_normal(s);
    next = 100 * (0.05 + 0.95 / at) + spread / 5 * sim_normal(s);
    const ws_law_input in = {.x = s->gpus, .y = ln, .n = s->n, .level = LEVEL};
    ws_fit_amdahl(&in, &fit, NULL, NULL);
    ws_predict(&fit, s->gpus, s->n, LEVEL, &at, 1, &p, NULL);
    result[2] = p.lo <= next && next <= p.hi;
}

static double curve_holds(const ws_fit *fit, const sim *s, double at, double truth)
{
    ws_prediction p;
    ws_predict(fit, s->gpus, s->n, LEVEL, &at, 1, &p, NULL);
    return isnan(p.ci_lo) || isnan(p.ci_hi) ? NAN : p.ci_lo <= truth && truth <= p.ci_hi;
}

/* The curve itself at twice the largest GPU count. */
static void predicted_curves(sim *s, double *result)
{
    double y[SIM_RUNS], sd = sim_uniform(s, 0.01, 0.03);
    ws_fit fit;
    do
        sim_campaign(s);
    while (s->n < 6);
    double at = 2 * s->gpus[s->n - 1], middle = sqrt(s->gpus[0] * s->gpus[s->n - 1]);
    ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL, .in_logs = true, .without_loocv = true};
    run_times(s, y);
    ws_fit_powerlaw(s->gpus, y, s->n, LEVEL, &fit, NULL, NULL);
    result[0] = curve_holds(&fit, s, at, 3600 * pow(at, -0.8));
    for (size_t i = 0; i < s->n; i++)
        y[i] = 100 * (0.05 + 0.95 / s->gpus[i]) * exp(sd * sim_normal(s));
    ws_fit_amdahl(&in, &fit, NULL, NULL);
    result[1] = curve_holds(&fit, s, at, 100 * (0.05 + 0.95 / at));
    for (size_t i = 0; i < s->n; i++)
        y[i] = (100 * pow(s->gpus[i], -0.9) + 5) * exp(sd * sim_normal(s));
    ws_fit_floor(&in, &fit, NULL, NULL);
    result[2] = curve_holds(&fit, s, at, 100 * pow(at, -0.9) + 5);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 10 * s->gpus[i] / (1 + 0.03 * (s->gpus[i] - 1) + 3e-4 * s->gpus[i] * (s->gpus[i] - 1)) *
               exp(sd * sim_normal(s));
    ws_fit_usl(&in, &fit, NULL, NULL);
    result[3] = curve_holds(&fit, s, at, 10 * at / (1 + 0.03 * (at - 1) + 3e-4 * at * (at - 1)));
    for (size_t i = 0; i < s->n; i++)
        y[i] = 3600 * pow(s->gpus[i], -0.9) * pow(fmax(1, s->gpus[i] / middle), 0.6) * exp(sd * sim_normal(s));
    ws_fit_breakpoint(&in, &fit, NULL, NULL, NULL);
    result[4] = curve_holds(&fit, s, at, 3600 * pow(at, -0.9) * pow(at / middle, 0.6));
    for (size_t i = 0; i < s->n; i++)
        y[i] = 5 + 0.25 * s->gpus[i] + sim_normal(s);
    ws_fit_huber(s->gpus, y, s->n, LEVEL, &fit, NULL, NULL, NULL);
    result[5] = curve_holds(&fit, s, at, 5 + 0.25 * at);
}

/* A floor held at zero or above; a plateau that an error leaves. */
static void profiles(sim *s, double *result)
{
    double y[SIM_RUNS], sd = sim_uniform(s, 0.05, 0.3);
    ws_fit fit;
    ws_test test;
    sim_campaign(s);
    const ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL, .without_loocv = true};
    for (size_t i = 0; i < s->n; i++)
        y[i] = 100 * pow(s->gpus[i], -0.9) + 5 + sd * sim_normal(s);
    ws_fit_floor(&in, &fit, NULL, NULL);
    ws_floor_profile(&in, &fit, &test, NULL);
    result[0] = fit_holds(&fit, "floor-profile", 5);
    double middle = sqrt(s->gpus[0] * s->gpus[s->n - 1]);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 25 + 3 * fmax(0, log2(s->gpus[i] / middle)) + sd * sim_normal(s);
    ws_fit_onset(&in, &fit, NULL, NULL, NULL);
    result[1] = fit_holds(&fit, "onset", middle);
    result[2] = fit_holds(&fit, "rise-per-doubling", 3);
}

/* The first measured count whose error lies two standard deviations above the plateau. */
static void isotonic_onset(sim *s, double *result)
{
    double y[SIM_RUNS], residual[SIM_RUNS], sd = sim_uniform(s, 0.05, 0.3), truth = NAN;
    ws_fit fit;
    sim_campaign_with_repeats(s);
    double middle = sqrt(s->gpus[0] * s->gpus[s->n - 1]);
    for (size_t i = 0; i < s->n; i++) {
        double rise = 0.5 * fmax(0, log2(s->gpus[i] / middle));
        truth = isnan(truth) && rise > 2 * sd ? s->gpus[i] : truth;
        y[i] = 25 + rise + sd * sim_normal(s);
    }
    const ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL, .without_loocv = true};
    ws_fit_onset(&in, &fit, residual, NULL, NULL);
    ws_onset_isotonic(&in, residual, &fit, NULL);
    result[0] = fit_holds(&fit, "onset-isotonic", truth);
}

/* B takes 10 % more than A. */
static void verdicts(sim *s, double *result)
{
    double a[SIM_REPEATS], b[SIM_REPEATS];
    size_t n = sim_from_to(s, 2, SIM_REPEATS);
    for (int is_paired = 0; is_paired < 2; is_paired++) {
        ws_verdict_input in = {
            .a = a, .b = b, .n_a = n, .n_b = n, .is_paired = is_paired, .level = LEVEL, .min_effect = 0.02};
        ws_verdict v;
        for (size_t i = 0; i < n; i++) {
            double common = is_paired ? 2 * sim_normal(s) : 0;
            a[i] = 50 + common + sim_normal(s);
            b[i] = 55 + common + sim_normal(s);
        }
        ws_judge(&in, &v, NULL);
        result[is_paired] = isnan(v.ci_lo) ? NAN : v.ci_lo <= 0.1 && 0.1 <= v.ci_hi;
    }
}

/* Energy against GPUh, whose errors share the run time. */
static void york(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS], sd_x[SIM_RUNS], sd_y[SIM_RUNS], correlation[SIM_RUNS], p;
    ws_fit fit;
    sim_campaign(s);
    gpu_hours(s, x);
    for (size_t i = 0; i < s->n; i++) {
        double common = sim_normal(s), own = sim_normal(s);
        correlation[i] = 0.7;
        sd_x[i] = 0.02 * x[i];
        sd_y[i] = 0.02 * (5 + 0.25 * x[i]);
        y[i] = 5 + 0.25 * x[i] + sd_y[i] * (0.7 * common + sqrt(0.51) * own);
        x[i] += sd_x[i] * common;
    }
    const ws_york_input in = {
        .x = x, .y = y, .sd_x = sd_x, .sd_y = sd_y, .correlation = correlation, .n = s->n, .level = LEVEL};
    ws_fit_york(&in, &fit, &p, NULL, NULL);
    result[0] = fit_holds(&fit, "slope", 0.25);
    result[1] = fit_holds(&fit, "intercept", 5);
    result[2] = fit_holds(&fit, "slope-scaled", 0.25);
    gpu_hours(s, x);
    for (size_t i = 0; i < s->n; i++) {
        y[i] = 5 + 0.25 * x[i] + sim_normal(s);
        x[i] += 2 * sim_normal(s);
    }
    ws_fit_deming(x, y, s->n, 0.25, LEVEL, &fit, NULL, NULL);
    result[3] = fit_holds(&fit, "slope", 0.25);
}

/* A power law that breaks at the geometric middle of the counts. */
static void breakpoint(sim *s, double *result)
{
    double y[SIM_RUNS], sd = sim_uniform(s, 0.01, 0.03);
    ws_fit fit;
    do
        sim_campaign(s);
    while (s->n < 6);
    double middle = sqrt(s->gpus[0] * s->gpus[s->n - 1]);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 3600 * pow(s->gpus[i], -0.9) * pow(fmax(1, s->gpus[i] / middle), 0.6) * exp(sd * sim_normal(s));
    const ws_law_input in = {.x = s->gpus, .y = y, .n = s->n, .level = LEVEL};
    ws_fit_breakpoint(&in, &fit, NULL, NULL, NULL);
    result[0] = fit_holds(&fit, "breakpoint", middle);
    result[1] = fit_holds(&fit, "exponent-before", -0.9);
    result[2] = fit_holds(&fit, "exponent-after", -0.3);
}

/* Errors in proportion to x, which ordinary standard errors do not allow for. */
static void sandwich(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS];
    const double *const columns[] = {x};
    sim_campaign(s);
    gpu_hours(s, x);
    for (size_t i = 0; i < s->n; i++)
        y[i] = 5 + 0.25 * x[i] + 0.01 * x[i] * sim_normal(s);
    for (ws_hc kind = WS_HC0; kind <= WS_HC3; kind++) {
        ws_fit fit;
        ws_fit_sandwich(columns, one_name, 1, y, s->n, kind, LEVEL, &fit, NULL, NULL);
        result[kind] = fit_holds(&fit, "x", 0.25);
    }
}

static void resampled(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS];
    ws_bootstrap boot;
    ws_jackknife knife;
    sim_campaign(s);
    energy_line(s, x, y);
    const ws_pairs pairs = {x, y};
    for (size_t k = 0; k < 2; k++) {
        ws_bootstrap_bca(ws_pairs_slope, &pairs, s->n, k ? s->place : NULL, 999, 1, LEVEL, &boot, NULL);
        result[k] = isnan(boot.ci_lo) ? NAN : boot.ci_lo <= 0.25 && 0.25 <= boot.ci_hi;
    }
    ws_jackknife_of(ws_pairs_slope, &pairs, s->n, LEVEL, &knife, NULL);
    result[2] = isnan(knife.ci_lo) ? NAN : knife.ci_lo <= 0.25 && 0.25 <= knife.ci_hi;
}

static void robust(sim *s, double *result)
{
    double x[SIM_RUNS], y[SIM_RUNS];
    ws_fit fit;
    sim_campaign(s);
    energy_line(s, x, y);
    ws_fit_theil_sen(x, y, s->n, LEVEL, &fit, NULL, NULL);
    result[0] = fit_holds(&fit, "slope", 0.25);
    ws_fit_huber(x, y, s->n, LEVEL, &fit, NULL, NULL, NULL);
    result[1] = fit_holds(&fit, "slope", 0.25);
}

/* Normal pairs that correlate by 0.6; what Spearman's and Kendall's coefficients are of such pairs is known. */
static void correlations(sim *s, double *result)
{
    static const double r = 0.6;
    double x[SIM_RUNS], y[SIM_RUNS], pi = acos(-1);
    const double truth[] = {r, 6 / pi * asin(r / 2), 2 / pi * asin(r)};
    ws_correlation c[3];
    sim_campaign(s);
    for (size_t i = 0; i < s->n; i++) {
        x[i] = sim_normal(s);
        y[i] = r * x[i] + sqrt(1 - r * r) * sim_normal(s);
    }
    ws_pearson(x, y, s->n, LEVEL, &c[0], NULL);
    ws_spearman(x, y, s->n, LEVEL, &c[1], NULL);
    ws_kendall(x, y, s->n, LEVEL, &c[2], NULL);
    for (size_t k = 0; k < 3; k++)
        result[k] = isnan(c[k].ci_lo) ? NAN : c[k].ci_lo <= truth[k] && truth[k] <= c[k].ci_hi;
}

/* Repeats of one configuration; and the turnover of power between two predictors. */
static void repeats(sim *s, double *result)
{
    double x[SIM_RUNS], passes[SIM_RUNS], y[SIM_RUNS], value[SIM_REPEATS];
    const double *const columns[] = {x, passes};
    static const char *const names[] = {"samples", "passes"};
    ws_sample sample;
    ws_turnover turnover;
    size_t n = sim_from_to(s, 2, SIM_REPEATS);
    for (size_t i = 0; i < n; i++)
        value[i] = 50 + 2.5 * sim_normal(s);
    ws_sample_describe(value, n, LEVEL, &sample, NULL);
    result[0] = sample.ci_lo <= 50 && 50 <= sample.ci_hi;
    result[1] = isnan(sample.cv_hi) ? NAN : sample.cv_lo <= 0.05 && 0.05 <= sample.cv_hi;
    sim_campaign(s);
    for (size_t i = 0; i < s->n; i++) {
        x[i] = log(s->gpus[i]);
        passes[i] = sim_uniform(s, 0, 5);
        y[i] = 200 + 10 * x[i] - 20 * passes[i] + 2 * sim_normal(s);
    }
    ws_regression_turnover(columns, names, 2, y, s->n, 0, 1, LEVEL, &turnover, NULL);
    result[2] = turnover.is_bounded ? turnover.ci_lo <= 0.5 && 0.5 <= turnover.ci_hi : (double)NAN;
}

static const experiment experiments[] = {
    {line, MANY, {{"line: slope", 94, 96}, {"line: intercept", 94, 96}}},
    {powerlaw, MANY, {{"power law in logs: exponent", 94, 96}, {"power law in logs: factor", 94, 96}}},
    {origin, MANY, {{"slope through the origin", 94, 96}, {"ratio of sums", 94, 96}, {"mean of ratios", 94, 96}}},
    {pooled, MANY, {{"pooled repeats: slope", 94, 96}, {"pooled repeats: intercept", 94, 96}}},
    {weighted, MANY, {{"weighted, absolute: slope", 94, 96}, {"weighted, scaled: slope", 94, 96}}},
    {ancova, MANY, {{"groups: common slope", 94, 96}, {"groups: difference of two slopes", 94, 96}}},
    {speedup, MANY, {{"speed-up, pooled sd", 94, 96}, {"speed-up, own sd of each side", 0, 100}}},
    {curves,
     MANY,
     {{"power law in its own scale: exponent", 92, 98},
      {"power law in its own scale: factor", 92, 98},
      {"Amdahl: serial fraction", 92, 98},
      {"Amdahl: largest speed-up", 92, 98},
      {"Gustafson: serial fraction", 94, 96}}},
    {bent_curves,
     SOME,
     {{"floor, in logs: exponent", 92, 98},
      {"floor, in logs: floor", 92, 98},
      {"USL, in logs: alpha", 92, 98},
      {"USL, in logs: beta", 92, 98},
      {"USL, in logs: peak, where it has an upper end", 92, 98}}},
    {york,
     MANY,
     {{"York: slope", 92, 98},
      {"York: intercept", 92, 98},
      {"York, scaled: slope", 92, 98},
      {"Deming: slope", 0, 100}}},
    {breakpoint,
     MANY,
     {{"breakpoint: place", 92, 98}, {"breakpoint: exponent before", 92, 98}, {"breakpoint: exponent after", 92, 98}}},
    {sandwich, MANY, {{"HC0: slope", 0, 100}, {"HC1: slope", 0, 100}, {"HC2: slope", 0, 100}, {"HC3: slope", 0, 100}}},
    {resampled,
     SOME,
     {{"BCa, pairs: slope", 0, 100}, {"BCa, within repeats: slope", 0, 100}, {"jackknife: slope", 0, 100}}},
    {robust, MANY, {{"Theil-Sen: slope", 0, 100}, {"Huber M: slope", 0, 100}}},
    {correlations, MANY, {{"Pearson", 0, 100}, {"Spearman", 0, 100}, {"Kendall", 0, 100}}},
    {repeats,
     MANY,
     {{"mean of repeats", 94, 96}, {"coefficient of variation", 0, 100}, {"turnover, where bounded", 0, 100}}},
    {prediction,
     MANY,
     {{"line: one further run", 94, 96},
      {"power law in logs: one further run", 94, 96},
      {"Amdahl: one further run", 92, 98}}},
    {profiles, FEW, {{"floor, by its profile", 92, 98}, {"onset: place", 92, 98}, {"onset: rise", 92, 98}}},
    {verdicts, MANY, {{"compare, Welch", 0, 100}, {"compare, pairs", 0, 100}}},
    {predicted_curves,
     SOME,
     {{"power law in logs: curve beyond", 94, 96},
      {"Amdahl, in logs: curve beyond", 92, 98},
      {"floor, in logs: curve beyond", 92, 98},
      {"USL, in logs: curve beyond", 92, 98},
      {"breakpoint: curve beyond", 92, 98},
      {"Huber M: curve beyond", 0, 100}}},
    {isotonic_onset, FEW, {{"onset, isotonic", 0, 100}}},
};

START_TEST(intervals_hold_the_truth_as_often_as_they_say)
{
    run_experiments(experiments, sizeof experiments / sizeof *experiments, 0);
}
END_TEST

TEST_MAIN("coverage", intervals_hold_the_truth_as_often_as_they_say)
