/* Is there one ratio y / x for all groups of repeats? One-way analysis of variance of ln(y / x): the F test of the lack
 * of fit of one constant (lack_of_fit.c). Assumes errors in proportion to y, alike in all groups. */
#include "fit/tests/repeats.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

/* Ratios of configurations scatter by some per cent for reasons of their own; from a tenth on a single factor misleads
 * whoever multiplies by it. */
static const double MISLEADS = 1.1;

bool ws_ratios_differ(const double *x, const double *y, const size_t *group, size_t n, size_t k, double relative,
                      double level, ws_test *test)
{
    double *mean = ws_alloc((2 * k + 1) * sizeof *mean), *count = mean + k, least = INFINITY, most = -INFINITY;
    double sum = 0, rss = 0;
    ws_repeats repeats = {.n = n, .n_groups = k, .df = (double)n - (double)k};
    bool is_defined = n > 0;
    ws_test_begin(test, "equal ratios");
    for (size_t i = 0; i < 2 * k; i++)
        mean[i] = 0;
    for (size_t i = 0; i < n && is_defined; i++) {
        is_defined = x[i] > 0 && y[i] > 0;
        mean[group[i]] += is_defined ? log(y[i] / x[i]) : 0;
        count[group[i]]++;
        sum += is_defined ? log(y[i] / x[i]) : 0;
    }
    for (size_t g = 0; g < k && is_defined; g++) {
        mean[g] /= count[g];
        least = fmin(least, mean[g]);
        most = fmax(most, mean[g]);
    }
    for (size_t i = 0; i < n && is_defined; i++) {
        repeats.pure_error += pow(log(y[i] / x[i]) - mean[group[i]], 2);
        rss += pow(log(y[i] / x[i]) - sum / (double)n, 2);
    }
    free(mean);
    if (!is_defined || k < 2)
        return false;
    ws_lack_of_fit(&repeats, rss, 1, test);
    bool is_proven = test->status == WS_FIT_PERFECT || (test->status == WS_FIT_OK && test->p_value < 1 - level);
    return is_proven && exp(most - least) > MISLEADS + 4 * relative;
}
