/* Mean and spread of repeats.
 *
 * Two passes in long double, so that a small spread far from zero keeps its digits (NIST's NumAcc4). Interval of the
 * mean by Student's t; of the coefficient of variation K by McKay's method as amended by Vangel (1996, American
 * Statistician 50), with u the chi2 quantiles of n - 1 degrees of freedom:
 *
 *     K / sqrt(((u + 2) / n - 1) K^2 + u / (n - 1)),  good for normal values and K below 1/3
 *
 * Assumes independent, normal values: the same run counted twice makes every spread too small. */
#include "fit/tests/mean_and_spread.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>

static double cv_end(double cv, double n, double share)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double u = gsl_cdf_chisq_Pinv(share, n - 1);
    gsl_set_error_handler(before);
    double below = ((u + 2) / n - 1) * cv * cv + u / (n - 1);
    return below > 0 ? cv / sqrt(below) : NAN;
}

static void spread(const double *value, long double mean, double level, ws_sample *s)
{
    long double squares = 0, n = (long double)s->n;
    for (size_t i = 0; i < s->n; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    s->rmse = (double)sqrtl(squares / n);
    if (s->n < 2)
        return;
    s->sd = (double)sqrtl(squares / (n - 1));
    s->se = (double)sqrtl(squares / (n - 1) / n);
    double half = s->sd > 0 ? ws_student_quantile(level, (double)s->n - 1) * s->se : 0;
    s->ci_lo = s->mean - half;
    s->ci_hi = s->mean + half;
    if (!(s->mean > 0))
        return;
    s->cv = s->sd / s->mean;
    s->cv_lo = cv_end(s->cv, (double)s->n, (1 + level) / 2);
    s->cv_hi = cv_end(s->cv, (double)s->n, (1 - level) / 2);
}

static void say_sample(ws_sample *s, double level)
{
    char *text = s->sentence;
    size_t size = sizeof s->sentence;
    if (s->status == WS_FIT_EXACT) {
        ws_say(text, size, "%s from a single value: its spread is undefined", ws_words_number(s->mean).text);
        return;
    }
    ws_say(text, size, "mean %s (%s: %s to %s) of %zu values, sd %s (divisor n - 1)",
           ws_words_to_error(s->mean, s->se).text, ws_words_level(level).text, ws_words_to_error(s->ci_lo, s->se).text,
           ws_words_to_error(s->ci_hi, s->se).text, s->n, ws_words_to_error(s->sd, s->sd).text);
    if (s->status == WS_FIT_CONSTANT)
        ws_say(text, size, "; they are all the same");
    if (isnan(s->cv))
        ws_say(text, size, "; the mean is not above zero, so its coefficient of variation is undefined");
    else if (isnan(s->cv_hi))
        ws_say(text, size, "; the coefficient of variation has no upper limit");
}

ws_status ws_sample_describe(const double *value, size_t n, double level, ws_sample *s, ws_error *error)
{
    *s = (ws_sample){.status = WS_FIT_TOO_FEW,
                     .n = n,
                     .mean = NAN,
                     .min = NAN,
                     .max = NAN,
                     .sd = NAN,
                     .rmse = NAN,
                     .se = NAN,
                     .ci_lo = NAN,
                     .ci_hi = NAN,
                     .cv = NAN,
                     .cv_lo = NAN,
                     .cv_hi = NAN};
    ws_status status = ws_fit_check_level(level, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("value", value, n, error);
    if (status != WS_OK)
        return status;
    if (n == 0) {
        ws_say(s->sentence, sizeof s->sentence, "no values: mean and spread are undefined");
        return WS_OK;
    }
    long double mean = 0;
    s->min = s->max = value[0];
    for (size_t i = 0; i < n; i++) {
        mean += value[i];
        s->min = fmin(s->min, value[i]);
        s->max = fmax(s->max, value[i]);
    }
    mean /= (long double)n;
    s->mean = (double)mean;
    spread(value, mean, level, s);
    if (isinf(s->rmse) || isinf(s->cv))
        return ws_fail(error, WS_DATA, "the values are too large for a spread; express them in another unit");
    s->status = n == 1 ? WS_FIT_EXACT : s->min == s->max ? WS_FIT_CONSTANT : WS_FIT_OK;
    say_sample(s, level);
    return WS_OK;
}

void ws_equal_means(const double *value, const size_t *group, size_t n, size_t n_groups, ws_test *test)
{
    double *mean = ws_alloc((n_groups + 1) * sizeof *mean), *count = ws_alloc((n_groups + 1) * sizeof *count);
    double all = 0, between = 0, within = 0;
    bool any_empty = n_groups < 2 || n <= n_groups;
    for (size_t i = 0; i < n; i++) {
        mean[group[i]] += value[i];
        count[group[i]]++;
        all += value[i] / (double)n;
    }
    for (size_t g = 0; g < n_groups; g++) {
        any_empty |= count[g] == 0;
        mean[g] /= count[g];
        between += count[g] * (mean[g] - all) * (mean[g] - all);
    }
    for (size_t i = 0; i < n; i++)
        within += (value[i] - mean[group[i]]) * (value[i] - mean[group[i]]);
    *test = (ws_test){.name = "equal means", .df1 = (double)n_groups - 1, .df2 = (double)n - (double)n_groups};
    test->statistic = any_empty ? NAN : between / test->df1 / (within / test->df2);
    test->p_value = isfinite(test->statistic) ? gsl_cdf_fdist_Q(test->statistic, test->df1, test->df2) : NAN;
    free(mean);
    free(count);
}
