/* The models of `wattscale fit`: a new one is a function of ws_fit_function's form and a line of the table. */
#include "analyze/commands/fit_parts.h"

#include "fit/linear/errors_in_both.h"
#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/laws/onset.h"
#include "fit/linear/rates.h"
#include "fit/tests/repeats.h"
#include "fit/linear/robust.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS const ws_fit_settings *settings, const ws_fit_points *points, ws_fit_result *result, ws_error *error

/* Ordinary least squares, its standard errors replaced by those that --errors names. */
static ws_status with_hc(ARGUMENTS)
{
    static const char *const names[] = {"slope"};
    const double *const x[] = {points->x};
    ws_status status = ws_fit_sandwich(x, names, 1, points->y, points->n, settings->hc, settings->level, &result->fit,
                                       points->residual, error);
    result->fit.model = "line";
    return status;
}

/* Weights 1/y^2: every error counts by its share of y. */
static ws_status with_proportion(ARGUMENTS)
{
    static const char *const names[] = {"slope"};
    const double *const x[] = {points->x};
    double *weight = ws_alloc((points->n + 1) * sizeof *weight);
    const ws_weighting weighting = {.weight = weight};
    ws_weighted weighted;
    ws_status status = WS_OK;
    for (size_t i = 0; i < points->n && status == WS_OK; i++) {
        weight[i] = 1 / (points->y[i] * points->y[i]);
        if (!isfinite(weight[i]))
            status = ws_fail(error, WS_DATA, "y of point %zu is 0: no weight in proportion to it", i + 1);
    }
    if (status == WS_OK)
        status = ws_fit_weighted(x, names, 1, points->y, points->n, &weighting, settings->level, &weighted,
                                 points->residual, error);
    free(weight);
    result->fit = weighted.fit;
    result->fit.model = "line";
    return status;
}

/* The default of line, origin and powerlaw, through the means of configurations; a bare fit has no use for standard
 * errors. */
static bool allows_unequal(const ws_fit_settings *settings)
{
    return !settings->by_run && !settings->equal_errors && !settings->is_bare;
}

/* ... which warnings about unequal errors are for. */
static bool takes_errors_as_equal(const ws_fit_settings *settings, const ws_fit *fit)
{
    return fit->status == WS_FIT_OK && !settings->is_bare && !allows_unequal(settings);
}

/* Without counts where every point is one run. */
static ws_replication replication_of(const ws_fit_settings *settings, const ws_fit_points *points)
{
    return points->runs && allows_unequal(settings) ? ws_means_replication(&points->means)
                                                    : (ws_replication){.count = NULL};
}

static ws_status fit_line(ARGUMENTS)
{
    if (settings->weights == WS_WEIGHTS_PROPORTIONAL)
        return with_proportion(settings, points, result, error);
    if (settings->has_hc)
        return with_hc(settings, points, result, error);
    const ws_replication runs = replication_of(settings, points);
    ws_status status =
        allows_unequal(settings)
            ? ws_fit_line_of_means(points->x, points->y, points->n, &runs, settings->level, &result->fit,
                                   points->residual, error)
            : ws_fit_line(points->x, points->y, points->n, settings->level, &result->fit, points->residual, error);
    ws_test *leverage = &result->test[result->n_tests];
    if (status == WS_OK && takes_errors_as_equal(settings, &result->fit)) {
        ws_leverage_of_one(points->x, points->y, points->n, leverage);
        result->n_tests += leverage->sentence[0] != '\0';
    }
    return status;
}

static ws_status fit_origin(ARGUMENTS)
{
    if (settings->has_hc)
        return ws_fit_rates(points->x, points->y, points->n, settings->hc, settings->level, &result->fit,
                            points->residual, error);
    const ws_replication runs = replication_of(settings, points);
    if (allows_unequal(settings))
        return ws_fit_origin_of_means(points->x, points->y, points->n, &runs, settings->level, &result->fit,
                                      points->residual, error);
    return ws_fit_origin(points->x, points->y, points->n, settings->level, &result->fit, points->residual, error);
}

/* The power law's estimates replaced by those of another line of its logarithms; how: what the sentence says of it. */
static void take_line(const ws_fit_settings *settings, const ws_fit *line, const char *how, ws_fit *fit)
{
    const ws_estimate *slope = &line->estimate[1], *ln_factor = &line->estimate[0];
    ws_estimate *exponent = &fit->estimate[0], *ideal = exponent + 1, *factor = exponent + 2;
    exponent->value = ideal->value = slope->value;
    exponent->se = ideal->se = slope->se;
    ideal->null_value = slope->value < 0 ? -1 : 1;
    exponent->df = ideal->df = slope->df;
    double df = slope->df > 0 ? slope->df : fit->df;
    ws_estimate_infer(exponent, df, settings->level);
    ws_estimate_infer(ideal, df, settings->level);
    factor->value = exp(ln_factor->value);
    factor->se = factor->value * ln_factor->se;
    factor->df = ln_factor->df;
    factor->ci_lo = exp(ln_factor->ci_lo);
    factor->ci_hi = exp(ln_factor->ci_hi);
    factor->p_value = ln_factor->p_value;
    fit->sentence[0] = '\0';
    ws_say(fit->sentence, sizeof fit->sentence, "y goes as x^%s (%s: %s to %s), %s; %s",
           ws_words_with_error(exponent->value, exponent->se).text, ws_words_level_of(settings->level, df).text,
           ws_words_to_error(exponent->ci_lo, exponent->se).text, ws_words_to_error(exponent->ci_hi, exponent->se).text,
           how, ws_fit_words_points(fit, "x").text);
}

/* Standard errors that --errors names. */
static ws_status add_hc(const ws_fit_settings *settings, const double *ln_x, const double *ln_y, size_t n, ws_fit *fit,
                        ws_error *error)
{
    static const char *const names[] = {"slope"};
    const double *const x[] = {ln_x};
    char how[40];
    ws_fit line;
    ws_status status = ws_fit_sandwich(x, names, 1, ln_y, n, settings->hc, settings->level, &line, NULL, error);
    snprintf(how, sizeof how, "standard errors %s", ws_hc_name(settings->hc));
    if (status == WS_OK && line.n_estimates == 2)
        take_line(settings, &line, how, fit);
    return status;
}

/* 1 / variance of ln y, y the mean of `n_runs` that differ from it by rmse (divisor n): (rmse / y)^2 n / (n - 1) pooled
 * over the rows, or a row's own (from WS_OWN_SPREAD_FROM runs on, or always by `own`), over n. */
static ws_status weigh_means(const ws_fit_points *p, bool own, double *weight, ws_error *error)
{
    double squares = 0, df = 0;
    for (size_t i = 0; i < p->n; i++) {
        double n = p->n_runs[i], share = p->rmse[i] / p->y[i];
        if (!(n >= 1) || !(p->rmse[i] >= 0))
            return ws_fail(error, WS_DATA, "point %zu has no number of runs or no RMSE: no weight", i + 1);
        squares += n * share * share;
        df += n - 1;
    }
    double pooled = df > 0 ? squares / df : NAN;
    for (size_t i = 0; i < p->n; i++) {
        double n = p->n_runs[i], share = p->rmse[i] / p->y[i], its_own = n / (n - 1) * share * share;
        bool use_own = n > 1 && its_own > 0 && (own || n >= WS_OWN_SPREAD_FROM);
        weight[i] = n / (use_own ? its_own : pooled);
        if (!(weight[i] > 0) || !isfinite(weight[i]))
            return ws_fail(error, WS_DATA,
                           "no configuration was measured twice, or its runs do not differ: no weights");
    }
    return WS_OK;
}

static ws_status add_weights(const ws_fit_settings *settings, const ws_fit_points *points, const double *ln_x,
                             const double *ln_y, ws_fit *fit, ws_error *error)
{
    static const char *const names[] = {"slope"};
    const double *const x[] = {ln_x};
    double *weight = ws_alloc((points->n + 1) * sizeof *weight);
    const ws_weighting weighting = {.weight = weight, .are_rough = true};
    ws_weighted weighted;
    ws_status status = weigh_means(points, settings->weights == WS_WEIGHTS_OWN, weight, error);
    if (status == WS_OK)
        status = ws_fit_weighted(x, names, 1, ln_y, points->n, &weighting, settings->level, &weighted, points->residual,
                                 error);
    free(weight);
    if (status != WS_OK || weighted.fit.n_estimates != 2)
        return status;
    take_line(settings, &weighted.fit,
              settings->weights == WS_WEIGHTS_OWN ? "weighted by the spread of each point's runs"
                                                  : "weighted by the number and the pooled spread of the runs",
              fit);
    fit->rss = weighted.fit.rss;
    fit->sigma = weighted.fit.sigma;
    fit->r2 = weighted.fit.r2;
    fit->r2_kind = "centred, weighted, in logs";
    fit->n_estimates = 3; /* no smearing: residuals are not alike */
    fit->log_likelihood = weighted.fit.log_likelihood;
    fit->aic = weighted.fit.aic;
    fit->aicc = weighted.fit.aicc;
    fit->bic = weighted.fit.bic;
    fit->loocv = weighted.fit.loocv;
    return WS_OK;
}

static ws_status refit_in_logs(const ws_fit_settings *settings, const ws_fit_points *points, ws_fit *fit,
                               ws_error *error)
{
    double *ln_x = ws_alloc((2 * points->n + 1) * sizeof *ln_x), *ln_y = ln_x + points->n;
    for (size_t i = 0; i < points->n; i++) {
        ln_x[i] = log(points->x[i]);
        ln_y[i] = log(points->y[i]);
    }
    ws_status status = settings->has_hc ? add_hc(settings, ln_x, ln_y, points->n, fit, error)
                                        : add_weights(settings, points, ln_x, ln_y, fit, error);
    free(ln_x);
    return status;
}

static ws_status fit_powerlaw(ARGUMENTS)
{
    ws_status status = (allows_unequal(settings) ? ws_fit_powerlaw_unequal : ws_fit_powerlaw)(
        points->x, points->y, points->n, settings->level, &result->fit, points->residual, error);
    bool again = settings->has_hc || points->n_runs;
    if (status != WS_OK || result->fit.status != WS_FIT_OK)
        return status;
    if (again)
        return refit_in_logs(settings, points, &result->fit, error);
    ws_test *span = &result->test[result->n_tests];
    if (takes_errors_as_equal(settings, &result->fit)) {
        ws_span_of_values(points->y, points->n, span);
        result->n_tests += span->sentence[0] != '\0';
    } else if (!settings->is_bare && result->fit.status == WS_FIT_OK) {
        ws_leverage_in_logs(points->x, points->y, points->n, span);
        result->n_tests += span->sentence[0] != '\0';
    }
    return WS_OK;
}

static ws_status fit_polynomial(ARGUMENTS)
{
    return ws_fit_polynomial(points->x, points->y, points->n, settings->degree, settings->level, &result->fit,
                             points->residual, error);
}

static ws_law_input law_input(const ws_fit_settings *settings, const ws_fit_points *points, const ws_replication *runs)
{
    return (ws_law_input){.x = points->x,
                          .y = points->y,
                          .n = points->n,
                          .level = settings->level,
                          .in_logs = settings->in_logs,
                          .without_loocv = settings->is_bare,
                          .near = settings->near,
                          .replication = runs};
}

/* The laws of fit/laws/laws.h by least squares of y itself, all points alike. */
#define LAW(name)                                                         \
    static ws_status fit_##name(ARGUMENTS)                                \
    {                                                                     \
        const ws_replication runs = replication_of(settings, points);     \
        ws_law_input in = law_input(settings, points, &runs);             \
        return ws_fit_##name(&in, &result->fit, points->residual, error); \
    }
LAW(powerlaw_direct)
LAW(gustafson)

static ws_status fit_usl(ARGUMENTS)
{
    const ws_replication runs = replication_of(settings, points);
    ws_law_input in = law_input(settings, points, &runs);
    ws_status status = ws_fit_usl_bounded(&in, &result->fit, points->residual, error);
    if (status == WS_OK && result->fit.status == WS_FIT_OK && !settings->is_bare)
        ws_say(result->fit.sentence, sizeof result->fit.sentence,
               "; gamma is y of one, alpha the share that waits (contention), beta the cost of keeping in step "
               "(coherency)");
    return status;
}

static ws_status fit_amdahl(ARGUMENTS)
{
    const ws_replication runs = replication_of(settings, points);
    ws_law_input in = law_input(settings, points, &runs);
    ws_status status = ws_fit_amdahl(&in, &result->fit, points->residual, error);
    if (status == WS_OK && !settings->is_bare)
        status = ws_karp_flatt_trend(&in, &result->test[result->n_tests++], error);
    return status;
}

static ws_status fit_floor(ARGUMENTS)
{
    const ws_replication runs = replication_of(settings, points);
    ws_law_input in = law_input(settings, points, &runs);
    ws_status status = ws_fit_floor(&in, &result->fit, points->residual, error);
    if (status == WS_OK && result->fit.status == WS_FIT_OK && !in.in_logs && !settings->is_bare)
        status = ws_floor_profile(&in, &result->fit, &result->test[result->n_tests++], error);
    return status;
}

/* Both readings of "log-normal": a curve of that shape, and errors of that law about a power law. */
static ws_status fit_lognormal(ARGUMENTS)
{
    const ws_replication runs = replication_of(settings, points);
    ws_law_input in = law_input(settings, points, &runs);
    ws_status status = ws_fit_lognormal(&in, &result->fit, points->residual, error);
    if (status == WS_OK && !settings->is_bare)
        status = ws_power_errors(&in, &result->test[result->n_tests++], error);
    return status;
}

static ws_status fit_breakpoint(ARGUMENTS)
{
    const ws_replication runs = replication_of(settings, points);
    ws_law_input in = law_input(settings, points, &runs);
    return ws_fit_breakpoint(&in, &result->fit, points->residual, &result->test[result->n_tests++], error);
}

static ws_status fit_onset(ARGUMENTS)
{
    const ws_replication runs = replication_of(settings, points);
    ws_law_input in = law_input(settings, points, &runs);
    ws_status status = ws_fit_onset(&in, &result->fit, points->residual, &result->test[result->n_tests++], error);
    if (status == WS_OK && result->fit.status == WS_FIT_OK)
        status = ws_onset_isotonic(&in, points->residual, &result->fit, error);
    return status;
}

static ws_status fit_huber_of(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                              ws_error *error)
{
    return ws_fit_huber(x, y, n, level, fit, residual, NULL, error);
}

/* A line of ln y on ln x is a power law: the slope its exponent, exp(intercept) its factor (standard error by the delta
 * method, p against 1). */
static void name_as_powerlaw(ws_fit *fit)
{
    static const struct {
        const char *from, *to;
    } names[] = {{"slope", "exponent"}, {"intercept", "factor"}, {"intercept-conover", "factor-conover"}};
    for (size_t i = 0; i < fit->n_estimates; i++) {
        ws_estimate *e = &fit->estimate[i];
        bool is_factor = strcmp(e->name, "slope") != 0;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(e->name, names[k].from) == 0) {
                e->name = names[k].to;
                break;
            }
        if (!is_factor)
            continue;
        e->value = exp(e->value);
        e->se *= e->value;
        e->ci_lo = exp(e->ci_lo);
        e->ci_hi = exp(e->ci_hi);
        e->null_value = 1;
    }
}

static ws_status take_logs(const double *x, const double *y, size_t n, double *log_x, double *log_y, ws_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0) || !(y[i] > 0))
            return ws_fail(error, WS_DATA, "point %zu: x or y is not above zero and has no logarithm", i + 1);
        log_x[i] = log(x[i]);
        log_y[i] = log(y[i]);
    }
    return WS_OK;
}

/* A robust line, by --logs one of the logarithms. */
static ws_status fit_robust(ARGUMENTS, ws_status (*line)(const double *, const double *, size_t, double, ws_fit *,
                                                         double *, ws_error *))
{
    char sentence[sizeof result->fit.sentence];
    if (!settings->in_logs)
        return line(points->x, points->y, points->n, settings->level, &result->fit, points->residual, error);
    double *x = ws_alloc((2 * points->n + 1) * sizeof *x), *y = x + points->n;
    ws_status status = take_logs(points->x, points->y, points->n, x, y, error);
    if (status == WS_OK)
        status = line(x, y, points->n, settings->level, &result->fit, points->residual, error);
    free(x);
    if (status != WS_OK)
        return status;
    memcpy(sentence, result->fit.sentence, sizeof sentence);
    result->fit.sentence[0] = '\0';
    ws_say(result->fit.sentence, sizeof sentence, "of the logarithms, where the slope is the exponent: %s", sentence);
    name_as_powerlaw(&result->fit);
    return WS_OK;
}

static ws_status fit_theil_sen(ARGUMENTS)
{
    return fit_robust(settings, points, result, error, ws_fit_theil_sen);
}

static ws_status fit_huber(ARGUMENTS)
{
    return fit_robust(settings, points, result, error, fit_huber_of);
}

static ws_status fit_york(ARGUMENTS)
{
    const ws_york_input in = {.x = points->x,
                              .y = points->y,
                              .sd_x = points->sd_x,
                              .sd_y = points->sd_y,
                              .correlation = points->correlation,
                              .n = points->n,
                              .level = settings->level};
    double chi2_p = NAN;
    ws_status status = ws_fit_york(&in, &result->fit, &chi2_p, points->residual, error);
    if (status == WS_OK && !isnan(chi2_p))
        result->test[result->n_tests++] = (ws_test){
            .name = "chi2 of the distances", .statistic = result->fit.rss, .df1 = result->fit.df, .p_value = chi2_p};
    return status;
}

/* The lines with all of the error in y, and all of it in x: whatever lambda is, the slope lies between them. */
static ws_status add_bounds(const ws_fit_settings *settings, const ws_fit_points *points, ws_fit *fit, ws_error *error)
{
    ws_fit y_on_x, x_on_y;
    ws_status status = ws_fit_line(points->x, points->y, points->n, settings->level, &y_on_x, NULL, error);
    if (status == WS_OK)
        status = ws_fit_line(points->y, points->x, points->n, settings->level, &x_on_y, NULL, error);
    if (status != WS_OK || y_on_x.status != WS_FIT_OK || x_on_y.status != WS_FIT_OK)
        return status;
    const double values[] = {y_on_x.estimate[1].value, 1 / x_on_y.estimate[1].value};
    static const char *const names[] = {"slope-y-on-x", "slope-x-on-y"};
    for (size_t i = 0; i < 2 && isfinite(values[i]); i++)
        fit->estimate[fit->n_estimates++] =
            (ws_estimate){.name = names[i], .value = values[i], .se = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN};
    return WS_OK;
}

static ws_status fit_deming(ARGUMENTS)
{
    ws_status status = ws_fit_deming(points->x, points->y, points->n, settings->lambda, settings->level, &result->fit,
                                     points->residual, error);
    return status == WS_OK ? add_bounds(settings, points, &result->fit, error) : status;
}

/* Repeats without a predictor: their mean, and their spread by each of its names. */
static ws_status fit_mean(ARGUMENTS)
{
    ws_sample s;
    ws_status status = ws_sample_describe(points->y, points->n, settings->level, &s, error);
    const ws_estimate estimates[] = {
        {.name = "mean", .value = s.mean, .se = s.se, .ci_lo = s.ci_lo, .ci_hi = s.ci_hi, .p_value = NAN},
        {.name = "sd", .value = s.sd, .se = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN},
        {.name = "rmse", .value = s.rmse, .se = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN},
        {.name = "cv", .value = s.cv, .se = NAN, .ci_lo = s.cv_lo, .ci_hi = s.cv_hi, .p_value = NAN},
        {.name = "min", .value = s.min, .se = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN},
        {.name = "max", .value = s.max, .se = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN}};
    ws_fit *fit = &result->fit;
    *fit = (ws_fit){.model = "mean",
                    .status = s.status,
                    .n = s.n,
                    .n_estimates = sizeof estimates / sizeof *estimates,
                    .df = s.n > 1 ? (double)s.n - 1 : NAN,
                    .rss = NAN,
                    .sigma = s.sd,
                    .r2 = NAN,
                    .r2_kind = "none",
                    .log_likelihood = NAN,
                    .aic = NAN,
                    .aicc = NAN,
                    .bic = NAN,
                    .loocv = NAN};
    memcpy(fit->estimate, estimates, sizeof estimates);
    memcpy(fit->sentence, s.sentence, sizeof s.sentence);
    for (size_t i = 0; i < points->n; i++)
        points->residual[i] = points->y[i] - s.mean;
    return status;
}

/* Which spread weighs a mean: that of all repeats together, or the group's own where it has one. Returns how many own
 * ones rest on fewer than 10 repeats. */
static size_t use_own_spread(ws_repeats *repeats)
{
    enum { ENOUGH = 10 };
    size_t rough = 0;
    for (size_t g = 0; g < repeats->n_groups; g++) {
        if (repeats->count[g] < 2 || !(repeats->sd[g] > 0))
            continue;
        repeats->variance_of_mean[g] = repeats->sd[g] * repeats->sd[g] / (double)repeats->count[g];
        rough += repeats->count[g] < ENOUGH;
    }
    return rough;
}

static ws_status fit_means(const ws_fit_settings *settings, ws_repeats *repeats, ws_fit_result *result, ws_error *error)
{
    ws_weighted weighted;
    size_t rough = settings->weights == WS_WEIGHTS_OWN ? use_own_spread(repeats) : 0;
    ws_status status = ws_fit_repeats(repeats, settings->level, &weighted, NULL, error);
    result->fit = weighted.fit;
    if (rough && result->fit.sentence[0])
        ws_say(result->fit.sentence, sizeof result->fit.sentence,
               "; the own spread of fewer than 10 repeats is too rough to weigh with: such intervals are too narrow");
    result->fit.model = settings->weights == WS_WEIGHTS_OWN ? "repeats, own spread" : "repeats, pooled spread";
    if (status == WS_OK && result->fit.status == WS_FIT_OK)
        ws_repeats_scaled(&weighted, settings->level, &result->fit, &result->test[result->n_tests++]);
    return status;
}

/* The line through the means, each as much as the other, whose interval covers what tells configurations apart; and
 * beside it what the spread of the repeats alone would say, which does not. */
static ws_status fit_alike(const ws_fit_settings *settings, const ws_repeats *repeats, ws_fit_result *result,
                           ws_error *error)
{
    static const char *const names[] = {"intercept-repeats", "slope-repeats"};
    ws_weighted pooled;
    ws_status status =
        ws_fit_line(repeats->x, repeats->mean, repeats->n_groups, settings->level, &result->fit, NULL, error);
    if (status == WS_OK)
        status = ws_fit_repeats(repeats, settings->level, &pooled, NULL, error);
    result->fit.model = "repeats";
    if (status != WS_OK || pooled.fit.status != WS_FIT_OK || result->fit.n_estimates != 2)
        return status;
    for (size_t j = 0; j < 2; j++) {
        result->fit.estimate[result->fit.n_estimates] = pooled.fit.estimate[j];
        result->fit.estimate[result->fit.n_estimates++].name = names[j];
    }
    result->fit.n_runs = repeats->n;
    result->fit.repeat_sd = repeats->pooled_sd;
    result->fit.repeat_df = repeats->df;
    ws_say(result->fit.sentence, sizeof result->fit.sentence,
           "; means of %zu runs, by whose spread alone the slope would be known to %s", repeats->n,
           ws_words_digits(pooled.fit.estimate[1].se, 2).text);
    return WS_OK;
}

static ws_status fit_repeats_of(const ws_fit_settings *settings, const double *x, const double *y, size_t n,
                                double *residual, ws_fit_result *result, ws_error *error)
{
    ws_repeats repeats;
    ws_fit all;
    ws_status status = ws_repeats_find(x, y, n, &repeats, error);
    if (status != WS_OK)
        return status;
    status = ws_fit_line(x, y, n, settings->level, &all, residual, error);
    if (status == WS_OK && settings->weights == WS_WEIGHTS_NONE)
        result->fit = all;
    else if (status == WS_OK && settings->weights == WS_WEIGHTS_ALIKE)
        status = fit_alike(settings, &repeats, result, error);
    else if (status == WS_OK)
        status = fit_means(settings, &repeats, result, error);
    if (status == WS_OK && !isnan(all.rss))
        ws_lack_of_fit(&repeats, all.rss, 2, &result->test[result->n_tests++]);
    ws_repeats_free(&repeats);
    return status;
}

static ws_status fit_repeats(ARGUMENTS)
{
    if (!settings->in_logs)
        return fit_repeats_of(settings, points->x, points->y, points->n, points->residual, result, error);
    double *x = ws_alloc((2 * points->n + 1) * sizeof *x), *y = x + points->n;
    ws_status status = take_logs(points->x, points->y, points->n, x, y, error);
    if (status == WS_OK)
        status = fit_repeats_of(settings, x, y, points->n, points->residual, result, error);
    free(x);
    return status;
}

#define BY_LINE "; 'fit line' has it"
static const ws_fit_model models[] = {
    {.name = "line",
     .fit = fit_line,
     .lacks = true,
     .is_linear = true,
     .reads = WS_FIT_READS_ERRORS | WS_FIT_READS_WEIGHTS,
     .weights = 1u << WS_WEIGHTS_PROPORTIONAL,
     .allow_factor = ws_fit_line_allow_factor},
    {.name = "origin",
     .fit = fit_origin,
     .lacks = true,
     .pools_factors = true,
     .reads = WS_FIT_READS_ERRORS,
     .allow_factor = ws_fit_origin_allow_factor},
    {.name = "polynomial", .fit = fit_polynomial, .lacks = true, .refits = true, .reads = WS_FIT_READS_DEGREE},
    {.name = "powerlaw",
     .fit = fit_powerlaw,
     .lacks = true,
     .in_logs = true,
     .is_linear = true,
     .reads = WS_FIT_READS_ERRORS | WS_FIT_READS_WEIGHTS,
     .weights = 1u << WS_WEIGHTS_POOLED | 1u << WS_WEIGHTS_OWN},
    {.name = "powerlaw-direct",
     .fit = fit_powerlaw_direct,
     .bends = true,
     .lacks = true,
     .takes_logs = true,
     .refits = true},
    {.name = "floor",
     .fit = fit_floor,
     .bends = true,
     .lacks = true,
     .takes_logs = true,
     .logs_unless_not = true,
     .refits = true},
    {.name = "amdahl",
     .fit = fit_amdahl,
     .bends = true,
     .lacks = true,
     .takes_logs = true,
     .logs_unless_not = true,
     .refits = true},
    {.name = "gustafson", .fit = fit_gustafson},
    {.name = "usl",
     .fit = fit_usl,
     .bends = true,
     .lacks = true,
     .takes_logs = true,
     .logs_unless_not = true,
     .refits = true},
    {.name = "breakpoint", .fit = fit_breakpoint, .in_logs = true},
    {.name = "lognormal", .fit = fit_lognormal, .lacks = true, .in_logs = true, .refits = true},
    {.name = "onset", .fit = fit_onset},
    {.name = "mean", .fit = fit_mean, .without_x = true, .by_run = true},
    {.name = "repeats",
     .fit = fit_repeats,
     .takes_logs = true,
     .is_logs_line = true,
     .by_run = true,
     .reads = WS_FIT_READS_WEIGHTS,
     .weights = 1u << WS_WEIGHTS_POOLED | 1u << WS_WEIGHTS_OWN | 1u << WS_WEIGHTS_NONE,
     .instead = "pooled repeats give the line of all runs" BY_LINE},
    {.name = "york",
     .fit = fit_york,
     .needs_sd = true,
     .by_run = true,
     .reads = WS_FIT_READS_SD_X | WS_FIT_READS_SD_Y | WS_FIT_READS_CORRELATION,
     .instead = "what y goes with a measured x is a regression's to say" BY_LINE},
    {.name = "deming",
     .fit = fit_deming,
     .reads = WS_FIT_READS_LAMBDA,
     .instead = "what y goes with a measured x is a regression's to say" BY_LINE},
    {.name = "theil-sen",
     .fit = fit_theil_sen,
     .takes_logs = true,
     .predicts_no_logs = true,
     .refits = true,
     .has_jumps = true},
    {.name = "huber", .fit = fit_huber, .takes_logs = true, .predicts_no_logs = true, .refits = true},
    {.name = "choose",
     .bends = true,
     .takes_logs = true,
     .logs_unless_not = true,
     .reads = WS_FIT_READS_LAWS,
     .view = &ws_fit_view_choose},
    {.name = "slopes",
     .without_x = true,
     .by_run = true,
     .reads = WS_FIT_READS_SD_Y | WS_FIT_READS_MARGIN,
     .view = &ws_fit_view_printed},
};
enum { N_MODELS = sizeof models / sizeof *models };

const ws_fit_model *ws_fit_model_find(const char *name)
{
    for (size_t i = 0; i < N_MODELS; i++)
        if (strcmp(models[i].name, name) == 0)
            return &models[i];
    return NULL;
}

const char *ws_fit_model_list(ws_arena *arena, bool (*knows)(const ws_fit_model *model))
{
    const char *list = "", *last = NULL;
    for (size_t i = 0; i < N_MODELS; i++) {
        if (knows && (models[i].view || !knows(&models[i])))
            continue;
        if (last)
            list = ws_arena_printf(arena, "%s%s%s", list, *list ? ", " : "", last);
        last = models[i].name;
    }
    return *list ? ws_arena_printf(arena, "%s and %s", list, last) : last;
}
