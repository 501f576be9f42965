/* y = factor x^exponent, a power law, by ordinary least squares of the logarithms.
 *
 *     ln y = ln factor + exponent ln x
 *
 * Assumes errors in proportion to y. exp(ln factor) is then the median's factor, not the mean's: the mean is `smearing`
 * times as high (Duan 1983, JASA 78, needs no normality). The interval of the factor is exp of the ends of that of its
 * logarithm, its standard error factor * se(ln factor) (delta method), its p-value tests factor = 1. R2, rss, sigma,
 * likelihood and residuals are those of ln y. Frey et al. 2022; Xiao et al. 2011, Ecology 92, on when to take logs. */
#include "fit/linear/least_squares.h"

#include "core/arena.h"
#include "fit/linear/unequal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char *const estimate_names[] = {"exponent", "exponent-vs-1", "factor", "smearing"};

static void add_undefined(ws_fit *fit)
{
    fit->n_estimates = 0;
    for (size_t i = 0; i < sizeof estimate_names / sizeof *estimate_names; i++)
        ws_fit_add(fit, estimate_names[i], NAN, NAN);
}

/* Undefined without residuals to average, and beyond the largest double. */
static double smearing(const double *residual, size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += expl(residual[i]);
    double mean = (double)(sum / (long double)n);
    return n > 2 && isfinite(mean) ? mean : NAN;
}

/* From (ln factor, exponent) to the estimates of the power law. */
static void transform(ws_fit *fit, const double *residual, double level)
{
    ws_estimate log_factor = fit->estimate[0], exponent = fit->estimate[1];
    fit->estimate[0] = exponent;
    fit->n_estimates = 1;
    ws_estimate *ideal = ws_fit_add(fit, "exponent-vs-1", exponent.value, exponent.se);
    ideal->null_value = exponent.value < 0 ? -1 : 1;
    ideal->df = exponent.df;
    ws_estimate_infer(ideal, exponent.df > 0 ? exponent.df : fit->df, level);
    /* Without residuals any last digit would count as a difference. */
    if (fit->status == WS_FIT_PERFECT && fabs(ideal->value - ideal->null_value) < 1e-12)
        ideal->p_value = 1;
    ws_estimate *factor = ws_fit_add(fit, "factor", exp(log_factor.value), exp(log_factor.value) * log_factor.se);
    factor->ci_lo = exp(log_factor.ci_lo);
    factor->ci_hi = exp(log_factor.ci_hi);
    factor->null_value = 1;
    factor->p_value = log_factor.p_value;
    factor->df = log_factor.df;
    if (!isfinite(factor->value) || factor->value < DBL_MIN || isinf(factor->ci_hi))
        *factor = (ws_estimate){"factor", NAN, NAN, NAN, NAN, 1, log_factor.p_value, log_factor.df};
    ws_fit_add(fit, "smearing", smearing(residual, fit->n), NAN);
}

static const char *against_ideal(const ws_estimate *ideal, double level)
{
    static const char *const words[2][3] = {
        {"less than in proportion", "not distinguishable from proportional", "more than in proportion"},
        {"less than in inverse proportion", "not distinguishable from inversely proportional",
         "more than in inverse proportion"}};
    bool falls = ideal->null_value < 0;
    if (!(ideal->p_value < 1 - level))
        return words[falls][1];
    return words[falls][fabs(ideal->value) > 1 ? 2 : 0];
}

static void say_powerlaw(ws_fit *fit, double level)
{
    const ws_estimate *exponent = &fit->estimate[0], *ideal = exponent + 1, *factor = exponent + 2,
                      *mean = exponent + 3;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    bool settled = fit->df > 0 && exponent->p_value < 1 - level;
    if (fit->status == WS_FIT_CONSTANT) {
        ws_say(text, size, "y is the same in all %zu points: the exponent is 0, R2 and likelihood are undefined",
               fit->n);
        return;
    }
    const char *verb = fit->df > 0 && !settled ? "goes" : exponent->value < 0 ? "falls" : "grows";
    ws_say(text, size, "y %s as x^%s", verb, ws_ls_words(fit, exponent).text);
    if (fit->status == WS_FIT_OK)
        ws_say(text, size, " (%s: %s to %s)", ws_words_level_of(level, exponent->df > 0 ? exponent->df : fit->df).text,
               ws_words_to_error(exponent->ci_lo, exponent->se).text,
               ws_words_to_error(exponent->ci_hi, exponent->se).text);
    if (fit->df > 0)
        ws_say(text, size, ", %s", settled ? against_ideal(ideal, level) : "not distinguishable from constant");
    if (isnan(factor->value) || (fit->df > 0 && isnan(mean->value)))
        ws_say(text, size, "; the factor, its interval or the smearing is beyond the range of a number");
    ws_ls_say_quality(fit, "x", " in logs");
}

static ws_status fit_logs(const double *x, const double *y, bool unequal, double level, ws_fit *fit, double *residual,
                          ws_error *error)
{
    size_t n = fit->n;
    double *ln_x = ws_realloc(NULL, 3 * n + 1, sizeof *ln_x), *ln_y = ln_x + n, *rest = ln_y + n;
    for (size_t i = 0; i < n; i++) {
        ln_x[i] = log(x[i]);
        ln_y[i] = log(y[i]);
    }
    const double *const column[] = {NULL, ln_x};
    const char *const name[] = {"log-factor", "exponent"};
    const ws_ls_input in = {
        .column = column, .name = name, .p = 2, .y = ln_y, .n = n, .level = level, .rounding = 4 * DBL_EPSILON};
    ws_status status = ws_ls_fit(&in, fit, rest, error);
    if (status == WS_OK && unequal)
        ws_logs_allow_unequal(ln_x, ln_y, NULL, rest, n, level, fit);
    if (status == WS_OK && ws_ls_has_values(fit)) {
        transform(fit, rest, level);
        say_powerlaw(fit, level);
    } else if (status == WS_OK) {
        add_undefined(fit);
    }
    for (size_t i = 0; residual && i < n; i++)
        residual[i] = rest[i];
    free(ln_x);
    return status;
}

static ws_status fit_powerlaw_of(const double *x, const double *y, size_t n, bool unequal, double level, ws_fit *fit,
                                 double *residual, ws_error *error)
{
    ws_fit_begin(fit, "powerlaw", "centred, in logs", n);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status != WS_OK)
        return status;
    if (ws_fit_refuse_logs(x, y, "a power law", fit)) {
        add_undefined(fit);
        for (size_t i = 0; residual && i < n; i++)
            residual[i] = NAN;
        return WS_OK;
    }
    status = fit_logs(x, y, unequal, level, fit, residual, error);
    if (fit->status == WS_FIT_COLLINEAR) {
        fit->status = WS_FIT_CONSTANT;
        fit->sentence[0] = '\0';
        ws_say(fit->sentence, sizeof fit->sentence, "x is %s in all %zu points, so there is no exponent",
               ws_words_number(x[0]).text, n);
    }
    return status;
}

ws_status ws_fit_powerlaw(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                          ws_error *error)
{
    return fit_powerlaw_of(x, y, n, false, level, fit, residual, error);
}

ws_status ws_fit_powerlaw_unequal(const double *x, const double *y, size_t n, double level, ws_fit *fit,
                                  double *residual, ws_error *error)
{
    return fit_powerlaw_of(x, y, n, true, level, fit, residual, error);
}
