/* Are slopes that were printed with standard errors the same? Cochran's Q.
 *
 *     pooled = sum (b / se^2) / sum (1 / se^2),  Q = sum ((b - pooled) / se)^2, chi2 with k - 1 degrees of freedom
 *
 * Takes each slope as normal with a known standard error, which after 5 to 10 points it is not: Q then finds
 * differences too easily. The points themselves are better (groups.c). Cochran 1954, Biometrics 10. */
#include "fit/tests/groups.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/tests/slope_pairs.h"

#include <math.h>
#include <stdlib.h>

static void test_q(const double *value, const double *se, ws_slopes *s, double level)
{
    long double weights = 0, mean = 0, q = 0;
    for (size_t j = 0; j < s->n_groups; j++) {
        weights += 1 / ((long double)se[j] * se[j]);
        mean += value[j] / ((long double)se[j] * se[j]);
    }
    mean /= weights;
    for (size_t j = 0; j < s->n_groups; j++)
        q += (value[j] - mean) / se[j] * ((value[j] - mean) / se[j]);
    s->common.value = (double)mean;
    s->common.se = (double)(1 / sqrtl(weights));
    ws_estimate_infer(&s->common, INFINITY, level);
    ws_test *test = &s->equal_slopes;
    test->name = "Cochran's Q";
    test->df1 = (double)(s->n_groups - 1);
    if (!ws_test_set(test, (double)q, ws_chi2_upper((double)q, test->df1)))
        return;
    ws_say(test->sentence, sizeof test->sentence, "%s (Q %s, %s)",
           test->p_value < 1 - level ? "slopes differ" : "slopes do not differ noticeably",
           ws_words_number(test->statistic).text, ws_words_p(test->p_value).text);
}

ws_status ws_printed_slopes(const double *value, const double *se, size_t k, double level, double margin, ws_slopes *s,
                            ws_error *error)
{
    ws_slopes_begin(s, k, k);
    ws_status status = ws_fit_check_level(level, error);
    if (status == WS_OK)
        status = ws_check_margin(margin, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("slope", value, k, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("standard error", se, k, error);
    for (size_t j = 0; status == WS_OK && j < k; j++)
        if (!(se[j] > 0))
            return ws_fail(error, WS_DATA, "standard error of slope %zu is not above zero; leave the slope out", j + 1);
    if (status != WS_OK)
        return status;
    if (k < 2) {
        ws_say(s->sentence, sizeof s->sentence, "%zu slope%s: nothing to compare", k, k == 1 ? "" : "s");
        return WS_OK;
    }
    s->status = WS_FIT_OK;
    test_q(value, se, s, level);
    double *variance = ws_realloc(NULL, k, sizeof *variance);
    for (size_t j = 0; j < k; j++)
        variance[j] = se[j] * se[j];
    ws_slope_pairs(s, value, variance, INFINITY, level, margin);
    free(variance);
    ws_say(s->sentence, sizeof s->sentence, "%s; pooled %s", s->equal_slopes.sentence,
           ws_words_with_error(s->common.value, s->common.se).text);
    ws_slope_pairs_say(s, level, margin);
    return WS_OK;
}
