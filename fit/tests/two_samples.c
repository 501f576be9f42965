/* Two independent sets of repeats: the ratio of their means and the difference.
 *
 *     (se / r)^2 = (se_a / a)^2 + (se_b / b)^2,  df = (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1))
 *
 * v are the variances of the means; for a ratio that of b counts r^2 times. Interval of the ratio by Fieller 1954. With
 * a few repeats a side their own variances are poorly known; where the errors are in proportion all configurations of a
 * campaign share one, of the logarithms:
 *
 *     ln r = mean ln a - mean ln b,  (se / r)^2 = s^2 (1 / n_a + 1 / n_b),  s pooled, exact by Student's t
 *
 * Hoefler and Belli 2015, Scientific Benchmarking of Parallel Computing Systems; Welch 1947, Biometrika 34. */
#include "fit/linear/effects.h"
#include "fit/tests/mean_and_spread.h"

#include "fit/estimate.h"

#include <math.h>

static double welch_df(double va, size_t na, double vb, size_t nb)
{
    return (va + vb) * (va + vb) / (va * va / ((double)na - 1) + vb * vb / ((double)nb - 1));
}

void ws_ratio_of_means(const ws_sample *a, const ws_sample *b, double level, ws_ratio *out)
{
    *out = (ws_ratio){.status = WS_FIT_TOO_FEW, .value = NAN, .se = NAN, .df = NAN, .ci_lo = NAN, .ci_hi = NAN};
    char *text = out->sentence;
    size_t size = sizeof out->sentence;
    if (a->n == 0 || b->n == 0 || b->mean == 0 || !isfinite(a->mean / b->mean)) {
        out->status = a->n && b->n ? WS_FIT_NOT_IDENTIFIED : WS_FIT_TOO_FEW;
        ws_say(text, size, "a mean that is missing or zero leaves the ratio undefined");
        return;
    }
    out->value = a->mean / b->mean;
    if (a->n < 2 || b->n < 2) {
        out->status = WS_FIT_EXACT;
        ws_say(text, size, "ratio %s; a single run on one side leaves its error undefined",
               ws_words_number(out->value).text);
        return;
    }
    double va = a->se * a->se, vb = b->se * b->se, scaled = out->value * out->value * vb;
    if (!(va + vb > 0)) {
        out->status = WS_FIT_CONSTANT;
        ws_say(text, size, "ratio %s; no spread on either side: its error is undefined",
               ws_words_number(out->value).text);
        return;
    }
    out->se = sqrt(va + scaled) / fabs(b->mean);
    if (!isfinite(out->se)) {
        out->se = NAN;
        out->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(text, size, "ratio %s; its error is undefined, the values being beyond the range of a number",
               ws_words_number(out->value).text);
        return;
    }
    out->status = WS_FIT_OK;
    out->df = welch_df(va, a->n, scaled, b->n);
    bool bounded =
        ws_fieller(a->mean, b->mean, va, 0, vb, ws_student_quantile(level, out->df), &out->ci_lo, &out->ci_hi);
    ws_say(text, size, "ratio %s", ws_words_with_error(out->value, out->se).text);
    if (bounded)
        ws_say(text, size, " (%s: %s to %s)", ws_words_level(level).text, ws_words_to_error(out->ci_lo, out->se).text,
               ws_words_to_error(out->ci_hi, out->se).text);
    else
        ws_say(text, size, "; no interval, since the lower mean may be zero");
}

void ws_ratio_pooled(const ws_sample *ln_a, const ws_sample *ln_b, double pooled_sd, double df, double level,
                     ws_ratio *out)
{
    *out = (ws_ratio){.status = WS_FIT_TOO_FEW, .value = NAN, .se = NAN, .df = NAN, .ci_lo = NAN, .ci_hi = NAN};
    char *text = out->sentence;
    size_t size = sizeof out->sentence;
    if (ln_a->n == 0 || ln_b->n == 0) {
        ws_say(text, size, "a side without values leaves the ratio undefined");
        return;
    }
    double ratio = exp(ln_a->mean - ln_b->mean), ln_se = pooled_sd * sqrt(1 / (double)ln_a->n + 1 / (double)ln_b->n);
    double half = df > 0 && ln_se > 0 ? ws_student_quantile(level, df) * ln_se : (double)NAN;
    if (!isfinite(ratio) || !(ratio > 0) || isinf(ratio * exp(half))) {
        out->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(text, size, "the ratio is undefined: it is beyond the range of a number");
        return;
    }
    out->value = ratio;
    if (isnan(half)) {
        out->status = df > 0 ? WS_FIT_CONSTANT : WS_FIT_EXACT;
        ws_say(text, size, "ratio %s; %s: its error is undefined", ws_words_number(ratio).text,
               df > 0 ? "the repeats have no spread" : "no configuration was repeated");
        return;
    }
    *out = (ws_ratio){WS_FIT_OK, "", ratio, ratio * ln_se, df, ratio * exp(-half), ratio * exp(half)};
    ws_say(text, size, "ratio %s (%s: %s to %s), error pooled over all configurations",
           ws_words_with_error(ratio, out->se).text, ws_words_level(level).text,
           ws_words_to_error(out->ci_lo, out->se).text, ws_words_to_error(out->ci_hi, out->se).text);
}

void ws_welch(const ws_sample *a, const ws_sample *b, ws_test *test)
{
    ws_test_begin(test, "Welch");
    char *text = test->sentence;
    size_t size = sizeof test->sentence;
    if (a->n < 2 || b->n < 2) {
        ws_say(text, size, "%zu and %zu values: a comparison of means needs two on each side", a->n, b->n);
        return;
    }
    double va = a->se * a->se, vb = b->se * b->se;
    if (!(va + vb > 0)) {
        test->status = WS_FIT_CONSTANT;
        ws_say(text, size, "no spread on either side: nothing to hold a difference of %s against",
               ws_words_number(a->mean - b->mean).text);
        return;
    }
    test->df1 = welch_df(va, a->n, vb, b->n);
    double t = (a->mean - b->mean) / sqrt(va + vb);
    if (!ws_test_set(test, t, ws_student_two_sided(t, test->df1)))
        return;
    ws_say(text, size, "means %s (t %s, %s)", test->p_value < 0.05 ? "differ" : "do not differ noticeably",
           ws_words_number(test->statistic).text, ws_words_p(test->p_value).text);
}
