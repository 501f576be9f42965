/* y = b0 + b1 x1 + ... + bk xk with weights: b minimises sum w (y - X b)^2.
 *
 *     V(b) = (X'WX)^-1                 absolute weights, w = 1 / variance of y
 *     V(b) = chi2 / (n - p) (X'WX)^-1  weights whose ratios alone are known
 *
 * Both are in use under the same name, so the caller says which. Intervals by Student's t: n - p degrees of freedom for
 * scaled weights, those of the variances for absolute ones (normal where they are known). chi2 far above n - p tells
 * that the model or the absolute weights are wrong. Assumes independent errors, x without error. Carroll and Ruppert
 * 1988, Transformation and Weighting in Regression, chapter 2. */
#include "fit/linear/weighted.h"

#include "core/arena.h"
#include "fit/linear/least_squares.h"
#include "fit/linear/unequal.h"

#include <math.h>
#include <stdlib.h>

enum { MAX = WS_FIT_MAX_ESTIMATES };

static ws_status weighted_check(const double *const *columns, const char *const *names, size_t k, const double *y,
                                size_t n, const ws_weighting *weighting, double level, ws_error *error)
{
    if (k < 1 || k >= MAX)
        return ws_fail(error, WS_USAGE, "a regression takes 1 to %d predictors, not %zu", MAX - 1, k);
    ws_status status = ws_fit_check_level(level, error);
    for (size_t j = 0; j < k && status == WS_OK; j++)
        status = ws_fit_check_finite(names[j], columns[j], n, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("y", y, n, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("weight", weighting->weight, n, error);
    for (size_t i = 0; status == WS_OK && i < n; i++)
        if (!(weighting->weight[i] > 0))
            return ws_fail(error, WS_DATA, "weight of point %zu is not above zero; leave the point out", i + 1);
    if (status == WS_OK && weighting->is_absolute && !(weighting->df > 0))
        return ws_fail(error, WS_USAGE,
                       "absolute weights need degrees of freedom above zero; INFINITY where the "
                       "variances are known");
    return status;
}

static void set_r2(ws_fit *fit, const double *y, const double *weight)
{
    long double sum = 0, mean = 0, total = 0;
    for (size_t i = 0; i < fit->n; i++) {
        sum += weight[i];
        mean += (long double)weight[i] * y[i];
    }
    mean /= sum;
    for (size_t i = 0; i < fit->n; i++)
        total += weight[i] * (y[i] - mean) * (y[i] - mean);
    fit->r2 = (double)(1 - fit->rss / total);
}

static void set_likelihood(ws_fit *fit, const double *weight)
{
    long double logs = 0;
    for (size_t i = 0; i < fit->n; i++)
        logs += logl(weight[i]);
    double shift = (double)logs / 2;
    fit->log_likelihood += shift;
    fit->aic -= 2 * shift;
    fit->aicc -= 2 * shift;
    fit->bic -= 2 * shift;
}

static void use_absolute(ws_weighted *result, const ws_ls_detail *detail, double df, double level)
{
    ws_fit *fit = &result->fit;
    for (size_t j = 0; j < fit->n_estimates; j++) {
        fit->estimate[j].se = sqrt(detail->unscaled[j][j]);
        ws_estimate_infer(&fit->estimate[j], df, level);
    }
    if (fit->df > 0)
        result->chi2_p = ws_chi2_upper(fit->rss, fit->df);
}

static void say_weighted(ws_weighted *result, bool is_absolute)
{
    ws_fit *fit = &result->fit;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    bool has_se = fit->status == WS_FIT_OK || is_absolute;
    for (size_t j = 0; j < fit->n_estimates; j++)
        ws_say(text, size, "%s%s %s", j ? ", " : "", fit->estimate[j].name,
               ws_words_with_error(fit->estimate[j].value, has_se ? fit->estimate[j].se : NAN).text);
    ws_say(text, size, "; standard errors %s", is_absolute ? "from the weights alone" : "scaled by the residuals");
    if (is_absolute && fit->df > 0)
        ws_say(text, size, ", chi2 %s for %s degrees of freedom (%s)", ws_words_number(fit->rss).text,
               ws_words_number(fit->df).text, ws_words_p(result->chi2_p).text);
    if (fit->status == WS_FIT_CONSTANT)
        ws_say(text, size, "; y does not vary: R2 and likelihood are undefined");
    if (fit->status == WS_FIT_EXACT && is_absolute)
        ws_say(text, size, "; %zu points, as many as coefficients: nothing is left to test the fit by", fit->n);
    else
        ws_ls_say_quality(fit, "the predictors", "");
}

static ws_status fit_scaled(const double *const *column, const char *const *name, size_t p, const double *y, size_t n,
                            const ws_weighting *weighting, double level, ws_weighted *result, double *residual,
                            ws_error *error)
{
    double *scaled = ws_realloc(NULL, (p + 3) * n + 1, sizeof *scaled), *root = scaled + (p + 1) * n, *rest = root + n;
    const double *scaled_column[MAX];
    for (size_t i = 0; i < n; i++) {
        root[i] = sqrt(weighting->weight[i]);
        for (size_t j = 0; j <= p; j++)
            scaled[j * n + i] = root[i] * (j == 0 ? 1 : j < p ? column[j - 1][i] : y[i]);
    }
    for (size_t j = 0; j < p; j++)
        scaled_column[j] = scaled + j * n;
    const ws_ls_input in = {.column = scaled_column, .name = name, .p = p, .y = scaled + p * n, .n = n, .level = level};
    ws_ls_detail detail = {.leverage = NULL};
    ws_fit *fit = &result->fit;
    ws_status status = ws_ls_fit_detail(&in, fit, rest, &detail, error);
    bool solved = status == WS_OK && ws_ls_has_values(fit);
    for (size_t i = 0; i < n; i++)
        rest[i] /= root[i];
    for (size_t i = 0; residual && i < n; i++)
        residual[i] = rest[i];
    if (solved && weighting->are_rough && p == 2)
        ws_logs_allow_unequal(column[0], y, weighting->weight, rest, n, level, fit);
    free(scaled);
    if (!solved)
        return status;
    bool flat = ws_fit_is_constant(y, n);
    fit->n_x = ws_count_rows(column, p - 1, n); /* before the weights made them differ */
    fit->r2 = NAN;
    if (flat && fit->df > 0)
        fit->status = WS_FIT_CONSTANT;
    if (!flat)
        set_r2(fit, y, weighting->weight);
    if (fit->status == WS_FIT_OK)
        set_likelihood(fit, weighting->weight);
    result->reduced_chi2 = fit->df > 0 ? fit->rss / fit->df : NAN;
    if (weighting->is_absolute)
        use_absolute(result, &detail, weighting->df, level);
    say_weighted(result, weighting->is_absolute);
    return ws_fit_check_range(fit, error);
}

ws_status ws_fit_weighted(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                          const ws_weighting *weighting, double level, ws_weighted *result, double *residual,
                          ws_error *error)
{
    const char *name[MAX] = {"intercept"};
    *result = (ws_weighted){.reduced_chi2 = NAN, .chi2_p = NAN};
    ws_fit_begin(&result->fit, "weighted", "centred, weighted", n);
    ws_status status = weighted_check(columns, names, k, y, n, weighting, level, error);
    if (status != WS_OK)
        return status;
    for (size_t j = 0; j < k; j++)
        name[j + 1] = names[j];
    return fit_scaled(columns, name, k + 1, y, n, weighting, level, result, residual, error);
}
