/* The bootstrap: the statistic of points drawn with replacement, many times.
 *
 *     BCa ends: quantiles a(z) = Phi(z0 + (z0 + z) / (1 - a (z0 + z))) of the draws, z = -+ the normal quantile,
 *     z0 = Phi^-1(share of draws below the value), a = sum d^3 / (6 (sum d^2)^1.5), d = mean t - t_i (jackknife)
 *
 * Assumes points (or points within strata) that could stand for each other. With few points such intervals are too
 * narrow, below 20 noticeably: the sentence says so. Draws without a statistic are dropped and counted. Efron 1987,
 * JASA 82; Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 14. */
#include "fit/tests/bootstrap.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/random.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_POINTS = 5, ROUGH_BELOW = 20, ROUGH_STRATUM = 10, LEAST_DRAWS = 100, MOST_DRAWS = 1000000 };

/* Points ordered by stratum, and for each place where its stratum starts and how many it holds. */
typedef struct urns {
    size_t *member, *start, *count;
} urns;

static urns fill_urns(const size_t *stratum, size_t n)
{
    urns u = {.member = ws_realloc(NULL, 3 * n, sizeof(size_t))};
    u.start = u.member + n;
    u.count = u.start + n;
    size_t placed = 0;
    for (size_t s = 0; s < (stratum ? n : 1); s++) {
        size_t first = placed;
        for (size_t i = 0; i < n; i++)
            if (!stratum || stratum[i] == s)
                u.member[placed++] = i;
        for (size_t i = first; i < placed; i++) {
            u.start[i] = first;
            u.count[i] = placed - first;
        }
    }
    return u;
}

static double quantile(const double *sorted, size_t n, double share)
{
    double place = share * (double)(n - 1);
    size_t low = (size_t)place;
    return low + 1 < n ? sorted[low] + (place - (double)low) * (sorted[low + 1] - sorted[low]) : sorted[n - 1];
}

static size_t bootstrap_draw(ws_statistic *statistic, const void *state, size_t n, const size_t *stratum, size_t draws,
                             uint64_t seed, double *found)
{
    ws_random random = {seed};
    urns u = fill_urns(stratum, n);
    size_t *index = ws_realloc(NULL, n, sizeof *index), count = 0;
    for (size_t d = 0; d < draws; d++) {
        for (size_t i = 0; i < n; i++)
            index[i] = u.member[u.start[i] + ws_random_below(&random, u.count[i])];
        double value = statistic(state, index, n);
        if (isfinite(value))
            found[count++] = value;
    }
    free(index);
    free(u.member);
    return count;
}

static double acceleration(ws_statistic *statistic, const void *state, size_t n)
{
    double *part = ws_realloc(NULL, n, sizeof *part);
    size_t *index = ws_realloc(NULL, n, sizeof *index);
    long double mean = 0, squares = 0, cubes = 0;
    for (size_t i = 0; i < n; i++)
        index[i] = i;
    for (size_t i = 0; i < n; i++) {
        index[i] = n - 1;
        part[i] = statistic(state, index, n - 1);
        index[i] = i;
        mean += part[i] / (long double)n;
    }
    for (size_t i = 0; i < n; i++) {
        long double d = mean - part[i];
        squares += d * d;
        cubes += d * d * d;
    }
    free(part);
    free(index);
    double a = squares > 0 ? (double)(cubes / (6 * squares * sqrtl(squares))) : 0;
    return isfinite(a) ? a : 0;
}

static void set_interval(const double *sorted, double level, double a, ws_bootstrap *out)
{
    size_t n = out->n_draws, below = 0;
    while (below < n && sorted[below] < out->value)
        below++;
    out->percentile_lo = quantile(sorted, n, (1 - level) / 2);
    out->percentile_hi = quantile(sorted, n, (1 + level) / 2);
    if (below == 0 || below == n)
        return;
    double z0 = gsl_cdf_ugaussian_Pinv((double)below / (double)n), z = ws_normal_quantile(level);
    double low = z0 + (z0 - z) / (1 - a * (z0 - z)), high = z0 + (z0 + z) / (1 - a * (z0 + z));
    if (!(1 - a * (z0 - z) > 0) || !(1 - a * (z0 + z) > 0))
        return;
    out->ci_lo = quantile(sorted, n, gsl_cdf_ugaussian_P(low));
    out->ci_hi = quantile(sorted, n, gsl_cdf_ugaussian_P(high));
}

/* r repeats drawn again vary by (r - 1) / r of what new ones would, whatever their number altogether. */
static void say_rough(size_t n, const size_t *stratum, ws_bootstrap *out)
{
    urns u = fill_urns(stratum, n);
    size_t smallest = n;
    for (size_t i = 0; stratum && i < n; i++)
        smallest = u.count[i] < smallest ? u.count[i] : smallest;
    free(u.member);
    if (n < ROUGH_BELOW)
        ws_say(out->sentence, sizeof out->sentence, "; below %d points such intervals are too narrow", ROUGH_BELOW);
    else if (smallest < ROUGH_STRATUM)
        ws_say(out->sentence, sizeof out->sentence, "; within fewer than %d repeats such intervals are too narrow",
               ROUGH_STRATUM);
}

static void bootstrap_summarise(double *found, double level, double a, ws_bootstrap *out)
{
    long double mean = 0, squares = 0, count = (long double)out->n_draws;
    gsl_sort(found, 1, out->n_draws);
    for (size_t d = 0; d < out->n_draws; d++)
        mean += found[d] / count;
    for (size_t d = 0; d < out->n_draws; d++)
        squares += (found[d] - mean) * (found[d] - mean);
    out->status = found[0] < found[out->n_draws - 1] ? WS_FIT_OK : WS_FIT_CONSTANT;
    out->se = (double)sqrtl(squares / (count - 1));
    out->bias = (double)(mean - out->value);
    out->monte_carlo_error = out->se / sqrt(2 * (double)out->n_draws);
    if (out->status == WS_FIT_OK)
        set_interval(found, level, a, out);
    char *text = out->sentence;
    size_t size = sizeof out->sentence;
    ws_say(text, size, "%s", ws_words_with_error(out->value, out->se).text);
    if (!isnan(out->ci_lo))
        ws_say(text, size, " (%s: %s to %s, BCa)", ws_words_level(level).text,
               ws_words_to_error(out->ci_lo, out->se).text, ws_words_to_error(out->ci_hi, out->se).text);
    else
        ws_say(text, size, ", BCa interval undefined since the draws do not surround the value");
    ws_say(text, size, "; %zu draws, Monte Carlo error of the standard error %s", out->n_draws,
           ws_words_to_error(out->monte_carlo_error, out->monte_carlo_error).text);
    if (out->n_dropped)
        ws_say(text, size, "; %zu draws without a value dropped", out->n_dropped);
}

ws_status ws_bootstrap_bca(ws_statistic *statistic, const void *state, size_t n, const size_t *stratum, size_t draws,
                           uint64_t seed, double level, ws_bootstrap *out, ws_error *error)
{
    *out = (ws_bootstrap){.status = WS_FIT_TOO_FEW,
                          .value = NAN,
                          .se = NAN,
                          .bias = NAN,
                          .ci_lo = NAN,
                          .ci_hi = NAN,
                          .percentile_lo = NAN,
                          .percentile_hi = NAN,
                          .monte_carlo_error = NAN};
    ws_status status = ws_fit_check_level(level, error);
    if (status != WS_OK)
        return status;
    if (draws < LEAST_DRAWS || draws > MOST_DRAWS)
        return ws_fail(error, WS_USAGE, "a bootstrap takes %d to %d draws, not %zu", LEAST_DRAWS, MOST_DRAWS, draws);
    for (size_t i = 0; stratum && i < n; i++)
        if (stratum[i] >= n)
            return ws_fail(error, WS_USAGE, "stratum %zu of point %zu is not below %zu", stratum[i], i + 1, n);
    if (n < LEAST_POINTS) {
        ws_say(out->sentence, sizeof out->sentence, "%zu point%s: a bootstrap needs at least %d", n, n == 1 ? "" : "s",
               LEAST_POINTS);
        return WS_OK;
    }
    size_t *index = ws_realloc(NULL, n, sizeof *index);
    for (size_t i = 0; i < n; i++)
        index[i] = i;
    double value = statistic(state, index, n);
    free(index);
    double *found = ws_realloc(NULL, draws, sizeof *found);
    out->n_draws = isfinite(value) ? bootstrap_draw(statistic, state, n, stratum, draws, seed, found) : 0;
    out->n_dropped = draws - out->n_draws;
    if (out->n_draws < draws / 2) {
        out->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(out->sentence, sizeof out->sentence,
               "the statistic is undefined for the points or for most draws from them");
    } else {
        out->value = value;
        bootstrap_summarise(found, level, acceleration(statistic, state, n), out);
        say_rough(n, stratum, out);
    }
    free(found);
    return WS_OK;
}
