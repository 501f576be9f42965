/* The figures called "y per x" with heteroscedasticity-consistent standard errors.
 *
 *     b = sum w x y / sum w x^2,  V(b) = sum g_i (w_i x_i e_i)^2 / (sum w x^2)^2,  h_i = w_i x_i^2 / sum w x^2
 *
 * with w = 1, 1/x, 1/x^2 and the g of sandwich.c: no assumption on how the error grows with x, which the three weights
 * each make in their own way. Independent errors. Long and Ervin 2000, American Statistician 54. */
#include "fit/linear/rates.h"

#include "fit/estimate.h"
#include "fit/linear/least_squares.h"

#include <math.h>

enum { RATES = 3, ROUGH_BELOW = 20 };

static double weight_of(double x, int power)
{
    return power == 0 ? 1 : power == 1 ? 1 / x : 1 / (x * x);
}

static double share_of(ws_hc kind, double leverage, double n)
{
    double rest = 1 - leverage;
    switch (kind) {
    case WS_HC0:
        return 1;
    case WS_HC1:
        return n / (n - 1);
    case WS_HC2:
        return rest < 1e-12 ? NAN : 1 / rest;
    default:
        return rest < 1e-12 ? NAN : 1 / (rest * rest);
    }
}

static double consistent_error(const double *x, const double *y, size_t n, double slope, int power, ws_hc kind)
{
    long double squares = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        squares += (long double)weight_of(x[i], power) * x[i] * x[i];
    for (size_t i = 0; i < n; i++) {
        long double weighted = (long double)weight_of(x[i], power) * x[i];
        long double term = weighted * (y[i] - (long double)slope * x[i]);
        sum += term * term * share_of(kind, (double)(weighted * x[i] / squares), (double)n);
    }
    return (double)(sqrtl(sum) / squares);
}

static void replace(ws_fit *fit, size_t j, double se, double df, double level)
{
    fit->estimate[j].se = isfinite(se) ? se : NAN;
    ws_estimate_infer(&fit->estimate[j], df, level);
}

static ws_status replace_line(const double *x, const double *y, ws_hc kind, double level, ws_fit *fit, ws_error *error)
{
    static const char *const names[] = {"slope"};
    const double *const column[] = {x};
    ws_fit line;
    ws_status status = ws_fit_sandwich(column, names, 1, y, fit->n, kind, level, &line, NULL, error);
    if (status != WS_OK || line.status != WS_FIT_OK)
        return status;
    replace(fit, RATES, line.estimate[1].se, line.df, level);
    replace(fit, RATES + 1, line.estimate[0].se, line.df, level);
    return WS_OK;
}

static void say_rates(ws_fit *fit, ws_hc kind)
{
    static const char *const words[] = {"slope through the origin", "ratio of sums", "mean of ratios",
                                        "slope with intercept", "intercept"};
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    text[0] = '\0';
    for (size_t j = 0; j < fit->n_estimates; j++)
        if (!isnan(fit->estimate[j].value))
            ws_say(text, size, "%s%s %s", j ? ", " : "", words[j],
                   ws_words_with_error(fit->estimate[j].value, fit->estimate[j].se).text);
    ws_say(text, size, " (%s)", ws_hc_name(kind));
    bool missing = false;
    for (size_t j = 0; j < fit->n_estimates; j++)
        missing = missing || isnan(fit->estimate[j].se);
    if (missing)
        ws_say(text, size, "; what has no value or no error here is undefined");
    ws_ls_say_quality(fit, "x", " about zero");
    if (fit->n < ROUGH_BELOW)
        ws_say(text, size, "; below %d points such errors are rough", ROUGH_BELOW);
}

ws_status ws_fit_rates(const double *x, const double *y, size_t n, ws_hc kind, double level, ws_fit *fit,
                       double *residual, ws_error *error)
{
    ws_status status = ws_fit_origin(x, y, n, level, fit, residual, error);
    if (status != WS_OK || fit->status != WS_FIT_OK)
        return status;
    for (size_t j = 0; j < RATES; j++)
        if (!isnan(fit->estimate[j].value))
            replace(fit, j, consistent_error(x, y, n, fit->estimate[j].value, (int)j, kind), fit->df, level);
    status = replace_line(x, y, kind, level, fit, error);
    if (status == WS_OK)
        say_rates(fit, kind);
    return status;
}
