/* The median of the slopes of all pairs of points with different x.
 *
 * Its interval are the slopes of rank (N -+ z sigma) / 2 among the N, sigma^2 the variance of Kendall's S with the
 * corrections for ties (Sen 1968, JASA 63, equation 2.6): no law of the errors is assumed but that all are alike. Up to
 * 29 % of the points may be bad. With few points and ties the interval is rough: below 20 the sentence says so.
 * Conover's intercept median y - slope median x is that of scipy.stats.theilslopes. */
#include "fit/linear/robust.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/linear/ties.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { ROUGH_BELOW = 20 };

double ws_median(const double *value, size_t n)
{
    if (n == 0)
        return NAN;
    double *sorted = ws_realloc(NULL, n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = value[i];
    gsl_sort(sorted, 1, n);
    double low = sorted[(n - 1) / 2], high = sorted[n / 2];
    free(sorted);
    return low / 2 + high / 2;
}

/* Slopes of the pairs, ascending; returns how many. NaN among them cannot be, but an infinity where x differ by next to
 * nothing. */
static size_t pair_slopes(const double *x, const double *y, size_t n, double *slope)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (x[i] != x[j])
                slope[count++] = (y[i] - y[j]) / (x[i] - x[j]);
    gsl_sort(slope, 1, count);
    return count;
}

/* Ranks as in scipy.stats.theilslopes: halves go to the even neighbour. */
static void set_interval(ws_estimate *e, const double *x, const double *y, size_t n, const double *slope, size_t count,
                         double level)
{
    double size = (double)n, pairs = (double)count;
    double variance = (size * (size - 1) * (2 * size + 5) - ws_ties_of(x, n).weighted - ws_ties_of(y, n).weighted) / 18;
    double half = ws_normal_quantile(level) * sqrt(fmax(0, variance));
    double upper = fmin(nearbyint((pairs + half) / 2), pairs - 1), lower = fmax(nearbyint((pairs - half) / 2) - 1, 0);
    e->ci_lo = fmin(slope[(size_t)lower], e->value);
    e->ci_hi = fmax(slope[(size_t)upper], e->value);
}

static void theil_sen_give_up(ws_fit *fit, ws_fit_status status, double *residual)
{
    fit->status = status;
    ws_fit_add(fit, "slope", NAN, NAN);
    ws_fit_add(fit, "intercept", NAN, NAN);
    ws_fit_add(fit, "intercept-conover", NAN, NAN);
    for (size_t i = 0; residual && i < fit->n; i++)
        residual[i] = NAN;
    if (status == WS_FIT_TOO_FEW)
        ws_say(fit->sentence, sizeof fit->sentence, "%zu point%s: a line needs two", fit->n, fit->n == 1 ? "" : "s");
    else
        ws_say(fit->sentence, sizeof fit->sentence, "x does not vary over the %zu points, so there is no slope",
               fit->n);
}

static void say_theil_sen(ws_fit *fit, double level)
{
    const ws_estimate *e = &fit->estimate[0];
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    double quarter = (e->ci_hi - e->ci_lo) / 4; /* of the interval: about a standard error */
    ws_say(text, size, "median slope %s", ws_words_to_error(e->value, quarter).text);
    if (fit->n > 2)
        ws_say(text, size, " (%s: %s to %s)", ws_words_level(level).text, ws_words_to_error(e->ci_lo, quarter).text,
               ws_words_to_error(e->ci_hi, quarter).text);
    ws_say(text, size, ", median intercept %s", ws_words_digits(fit->estimate[1].value, 4).text);
    ws_fit_say_points(fit, "x");
    ws_say(text, size, ", standard errors are undefined");
    if (fit->n < ROUGH_BELOW)
        ws_say(text, size, "; the interval is rough below %d points", ROUGH_BELOW);
}

ws_status ws_fit_theil_sen(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                           ws_error *error)
{
    ws_fit_begin(fit, "theil-sen", "none", n);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status != WS_OK)
        return status;
    if (n < 2 || ws_fit_is_constant(x, n)) {
        theil_sen_give_up(fit, n < 2 ? WS_FIT_TOO_FEW : WS_FIT_CONSTANT, residual);
        return WS_OK;
    }
    double *slope = ws_realloc(NULL, n * (n - 1) / 2 + n, sizeof *slope), *rest = slope + n * (n - 1) / 2;
    size_t count = pair_slopes(x, y, n, slope);
    double b = slope[(count - 1) / 2] / 2 + slope[count / 2] / 2;
    for (size_t i = 0; i < n; i++)
        rest[i] = y[i] - b * x[i];
    double a = ws_median(rest, n);
    bool finite = isfinite(slope[0]) && isfinite(slope[count - 1]) && isfinite(a);
    if (finite) {
        ws_correlation tau;
        ws_estimate *e = ws_fit_add(fit, "slope", b, NAN);
        fit->status = n == 2 ? WS_FIT_EXACT : WS_FIT_OK;
        fit->df = (double)n - 2;
        fit->n_x = ws_count_distinct(x, n);
        if (n > 2)
            set_interval(e, x, y, n, slope, count, level);
        if (ws_kendall(x, y, n, level, &tau, NULL) == WS_OK)
            e->p_value = tau.p_value;
        ws_fit_add(fit, "intercept", a, NAN);
        ws_fit_add(fit, "intercept-conover", ws_median(y, n) - b * ws_median(x, n), NAN);
        say_theil_sen(fit, level);
        for (size_t i = 0; residual && i < n; i++)
            residual[i] = rest[i] - a;
    }
    free(slope);
    if (finite)
        return WS_OK;
    return ws_fail(error, WS_DATA, "the values are too large or too small for a fit; express them in another unit");
}
