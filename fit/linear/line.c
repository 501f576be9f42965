/* y = intercept + slope x, ordinary least squares.
 *
 *     slope = sum (x - mean x)(y - mean y) / sum (x - mean x)^2,  intercept = mean y - slope mean x
 *
 * Standard errors, intervals and tests with n - 2 degrees of freedom; R2 about the mean. Assumes independent errors of
 * y with one variance and an x without error. Draper and Smith 1998, Applied Regression Analysis, 3rd ed., chapter 1.
 * */
#include "fit/linear/least_squares.h"

#include "fit/linear/unequal.h"

#include <math.h>

static double mean_of(const double *value, size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    return (double)(sum / (long double)n);
}

static const char *unsettled(const ws_estimate *e, double level)
{
    return e->p_value >= 1 - level ? ", not distinguishable from zero" : "";
}

static void say_line(ws_fit *fit, const double *x, const double *y, double level)
{
    const ws_estimate *intercept = &fit->estimate[0], *slope = &fit->estimate[1];
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (fit->status == WS_FIT_COLLINEAR) {
        fit->status = WS_FIT_CONSTANT;
        text[0] = '\0';
        ws_say(text, size, "x is %s in all %zu points, so there is no slope; the mean of y is %s",
               ws_words_number(x[0]).text, fit->n, ws_words_number(mean_of(y, fit->n)).text);
        return;
    }
    if (!ws_ls_has_values(fit))
        return;
    if (fit->status == WS_FIT_CONSTANT) {
        ws_say(text, size, "y is %s in all %zu points: the slope is 0, R2 and likelihood are undefined",
               ws_words_number(y[0]).text, fit->n);
        return;
    }
    ws_say(text, size, "slope %s", ws_ls_words(fit, slope).text);
    if (fit->status == WS_FIT_OK)
        ws_say(text, size, " (%s: %s to %s)%s", ws_words_level_of(level, slope->df > 0 ? slope->df : fit->df).text,
               ws_words_to_error(slope->ci_lo, slope->se).text, ws_words_to_error(slope->ci_hi, slope->se).text,
               unsettled(slope, level));
    ws_say(text, size, ", intercept %s%s", ws_ls_words(fit, intercept).text, unsettled(intercept, level));
    ws_ls_say_quality(fit, "x", "");
}

void ws_fit_line_allow_factor(const double *x, const double *y, double relative, double level, ws_fit *fit)
{
    for (size_t i = 0; i < fit->n_estimates; i++)
        ws_estimate_allow_factor(&fit->estimate[i], relative, level);
    if (!ws_ls_has_values(fit) || fit->n_estimates < 2)
        return;
    fit->sentence[0] = '\0';
    say_line(fit, x, y, level);
}

static ws_status fit_line_of(const double *x, const double *y, size_t n, bool unequal,
                             const ws_replication *replication, double level, ws_fit *fit, double *residual,
                             ws_error *error)
{
    const double *const column[] = {NULL, x};
    const char *const name[] = {"intercept", "slope"};
    const ws_ls_input in = {.column = column, .name = name, .p = 2, .y = y, .n = n, .level = level};
    ws_fit_begin(fit, "line", "centred", n);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status == WS_OK)
        status = ws_ls_fit(&in, fit, residual, error);
    if (status == WS_OK && unequal)
        ws_line_allow_proportion(x, y, n, replication, level, fit);
    if (status == WS_OK)
        say_line(fit, x, y, level);
    return status;
}

ws_status ws_fit_line(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                      ws_error *error)
{
    return fit_line_of(x, y, n, false, NULL, level, fit, residual, error);
}

ws_status ws_fit_line_unequal(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                              ws_error *error)
{
    return fit_line_of(x, y, n, true, NULL, level, fit, residual, error);
}

ws_status ws_fit_line_of_means(const double *x, const double *y, size_t n, const ws_replication *replication,
                               double level, ws_fit *fit, double *residual, ws_error *error)
{
    return fit_line_of(x, y, n, true, replication, level, fit, residual, error);
}
