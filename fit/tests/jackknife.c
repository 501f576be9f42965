/* The jackknife: t_i is the statistic without point i.
 *
 *     se^2 = (n - 1)/n sum (t_i - mean t)^2,  bias = (n - 1) (mean t - t)
 *
 * For smooth statistics; not for medians. Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 11. */
#include "fit/tests/bootstrap.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

double ws_pairs_slope(const void *pairs, const size_t *index, size_t n)
{
    const ws_pairs *p = pairs;
    double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += p->x[index[i]] / (double)n;
        mean_y += p->y[index[i]] / (double)n;
        size = fmax(size, fabs(p->x[index[i]]));
    }
    for (size_t i = 0; i < n; i++) {
        double x = p->x[index[i]] - mean_x;
        sxx += x * x;
        sxy += x * (p->y[index[i]] - mean_y);
    }
    return sqrt(sxx) > 1e-14 * size * sqrt((double)n) ? sxy / sxx : NAN;
}

ws_status ws_jackknife_of(ws_statistic *statistic, const void *state, size_t n, double level, ws_jackknife *out,
                          ws_error *error)
{
    *out = (ws_jackknife){.status = WS_FIT_TOO_FEW, .value = NAN, .se = NAN, .bias = NAN, .ci_lo = NAN, .ci_hi = NAN};
    ws_status status = ws_fit_check_level(level, error);
    if (status != WS_OK)
        return status;
    if (n < 3) {
        ws_say(out->sentence, sizeof out->sentence, "%zu points: leaving one out needs at least 3", n);
        return WS_OK;
    }
    size_t *index = ws_realloc(NULL, n, sizeof *index);
    long double sum = 0, squares = 0, size = (long double)n;
    for (size_t i = 0; i < n; i++)
        index[i] = i;
    double value = statistic(state, index, n);
    /* Point i makes room for the last one, which comes back afterwards. */
    for (size_t i = 0; i < n; i++) {
        index[i] = n - 1;
        long double off = (long double)statistic(state, index, n - 1) - value;
        index[i] = i;
        sum += off;
        squares += off * off;
    }
    free(index);
    ws_estimate e = {.value = value, .se = (double)sqrtl(fmaxl(0, (size - 1) / size * (squares - sum * sum / size)))};
    if (!isfinite(value) || !isfinite((double)sum) || !isfinite(e.se)) {
        out->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(out->sentence, sizeof out->sentence, "the statistic is undefined for the points or for a part of them");
        return WS_OK;
    }
    ws_estimate_infer(&e, (double)n - 1, level);
    *out = (ws_jackknife){.status = WS_FIT_OK,
                          .value = value,
                          .se = e.se,
                          .bias = (double)((size - 1) * sum / size),
                          .ci_lo = e.ci_lo,
                          .ci_hi = e.ci_hi};
    ws_say(out->sentence, sizeof out->sentence, "%s by the jackknife over %zu points",
           ws_words_with_error(value, e.se).text, n);
    return WS_OK;
}
