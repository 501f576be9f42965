/* y = b0 + b1 x1 + ... + bk xk, ordinary least squares with several predictors.
 *
 * Standard errors, intervals and tests with n - k - 1 degrees of freedom. A predictor that the others determine exactly
 * ends in WS_FIT_COLLINEAR; one that they nearly determine has a large variance inflation 1 / (1 - R2 of it on the
 * others), which the sentence names from 10 on. Belsley 1980; Draper and Smith 1998. */
#include "fit/linear/least_squares.h"

#include <math.h>

enum { NOTABLE_INFLATION = 10 };

/* VIF = se^2 sum (x - mean x)^2 / sigma^2. */
static double inflation(const ws_fit *fit, const double *x, size_t j)
{
    long double mean = 0, sum = 0, ratio = (long double)fit->estimate[j].se / fit->sigma;
    for (size_t i = 0; i < fit->n; i++)
        mean += x[i];
    mean /= (long double)fit->n;
    for (size_t i = 0; i < fit->n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return (double)(ratio * ratio * sum);
}

static void say_regression(ws_fit *fit, const double *const *columns, double level)
{
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence, worst = 0;
    double worst_inflation = NOTABLE_INFLATION;
    if (fit->status == WS_FIT_CONSTANT) {
        ws_say(text, size, "y is %s in all %zu points: nothing to explain, R2 and likelihood are undefined",
               ws_words_number(fit->estimate[0].value).text, fit->n);
        return;
    }
    for (size_t j = 1; j < fit->n_estimates; j++) {
        const ws_estimate *e = &fit->estimate[j];
        ws_say(text, size, "%s%s %s", j > 1 ? ", " : "", e->name, ws_ls_words(fit, e).text);
        if (fit->status == WS_FIT_OK)
            ws_say(text, size, " (%s%s)", ws_words_p(e->p_value).text,
                   e->p_value < 1 - level ? "" : ", not distinguishable from zero");
        double v = fit->status == WS_FIT_OK ? inflation(fit, columns[j - 1], j) : 0;
        if (v > worst_inflation) {
            worst_inflation = v;
            worst = j;
        }
    }
    ws_ls_say_quality(fit, "the predictors", "");
    if (worst)
        ws_say(text, size, "; %s is nearly determined by the others (variance inflation %s)", fit->estimate[worst].name,
               ws_words_to_error(worst_inflation, worst_inflation / 2).text);
}

static ws_status regression_check(const double *const *columns, const char *const *names, size_t k, const double *y,
                                  size_t n, double level, ws_error *error)
{
    if (k < 1 || k >= WS_FIT_MAX_ESTIMATES)
        return ws_fail(error, WS_USAGE, "a regression takes 1 to %d predictors, not %zu", WS_FIT_MAX_ESTIMATES - 1, k);
    ws_status status = ws_fit_check_level(level, error);
    for (size_t j = 0; j < k && status == WS_OK; j++)
        status = ws_fit_check_finite(names[j], columns[j], n, error);
    return status == WS_OK ? ws_fit_check_finite("y", y, n, error) : status;
}

ws_status ws_fit_regression(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                            double level, ws_fit *fit, double *residual, ws_error *error)
{
    const double *column[WS_FIT_MAX_ESTIMATES] = {NULL};
    const char *name[WS_FIT_MAX_ESTIMATES] = {"intercept"};
    ws_fit_begin(fit, "regression", "centred", n);
    ws_status status = regression_check(columns, names, k, y, n, level, error);
    if (status != WS_OK)
        return status;
    for (size_t j = 0; j < k; j++) {
        column[j + 1] = columns[j];
        name[j + 1] = names[j];
    }
    const ws_ls_input in = {.column = column, .name = name, .p = k + 1, .y = y, .n = n, .level = level};
    status = ws_ls_fit(&in, fit, residual, error);
    if (status == WS_OK && ws_ls_has_values(fit))
        say_regression(fit, columns, level);
    return status;
}
