/* Two independent sets of repeats: the ratio of their means and the difference.
 *
 *     (se / r)^2 = (se_a / a)^2 + (se_b / b)^2,  df = (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1))
 *
 * or the same of 1 / n_a and 1 / n_b, as of equal spreads, if that is less: see welch_df below.
 *
 * v are the variances of the means; for a ratio that of b counts r^2 times. Interval of the ratio by Fieller 1954. Of
 * logarithms, whose errors are in proportion to the value:
 *
 *     ln r = mean ln a - mean ln b,  (se / r)^2 = s_a^2 / n_a + s_b^2 / n_b,  with Welch's df, or
 *                                    (se / r)^2 = s^2 (1 / n_a + 1 / n_b),  s pooled over all configurations
 *
 * The pooled one is exact by Student's t where one spread holds throughout, and far too narrow or wide where not.
 * Hoefler and Belli 2015, Scientific Benchmarking of Parallel Computing Systems; Welch 1947, Biometrika 34; Bell and
 * McCaffrey 2002, Survey Methodology 28. */
#include "fit/linear/effects.h"
#include "fit/tests/mean_and_spread.h"

#include "fit/estimate.h"

#include <math.h>

static double satterthwaite(double va, size_t na, double vb, size_t nb)
{
    return (va + vb) * (va + vb) / (va * va / ((double)na - 1) + vb * vb / ((double)nb - 1));
}

/* Satterthwaite's of the variances that were measured, and at most those that equal spreads would have (Bell and
 * McCaffrey). With equal numbers of runs the first are never more. Two runs beside twenty that happen to agree leave
 * the twenty to be believed alone: 19 degrees of freedom for an error that is that of the two, and an interval that
 * holds in 87 %. Numbers of runs set the limit, no test (docs/methods.md, section 4). */
static double welch_df(double va, size_t na, double vb, size_t nb)
{
    return fmin(satterthwaite(va, na, vb, nb), satterthwaite(1 / (double)na, na, 1 / (double)nb, nb));
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

/* exp(mean ln a - mean ln b); false where that is no number. */
static bool set_log_ratio(const ws_sample *ln_a, const ws_sample *ln_b, ws_ratio *out)
{
    *out = (ws_ratio){.status = WS_FIT_TOO_FEW, .value = NAN, .se = NAN, .df = NAN, .ci_lo = NAN, .ci_hi = NAN};
    if (ln_a->n == 0 || ln_b->n == 0) {
        ws_say(out->sentence, sizeof out->sentence, "a side without values leaves the ratio undefined");
        return false;
    }
    double ratio = exp(ln_a->mean - ln_b->mean);
    if (!isfinite(ratio) || !(ratio > 0)) {
        out->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(out->sentence, sizeof out->sentence, "the ratio is undefined: it is beyond the range of a number");
        return false;
    }
    out->value = ratio;
    return true;
}

/* The interval of a ratio whose logarithm has this standard error, above zero. The sentence has no numbers: nobody
 * reads those of the hundred thousand ratios of a table. */
static void set_log_interval(ws_ratio *out, double ln_se, double df, double level, const char *how)
{
    double half = ws_student_quantile(level, df) * ln_se, ratio = out->value;
    if (!isfinite(ratio * exp(half)) || !isfinite(ratio * ln_se)) {
        out->value = NAN;
        out->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(out->sentence, sizeof out->sentence, "the ratio is undefined: it is beyond the range of a number");
        return;
    }
    *out = (ws_ratio){WS_FIT_OK, "", ratio, ratio * ln_se, df, ratio * exp(-half), ratio * exp(half)};
    ws_say(out->sentence, sizeof out->sentence, "ratio of geometric means, error %s", how);
}

void ws_ratio_pooled(const ws_sample *ln_a, const ws_sample *ln_b, double pooled_sd, double df, double level,
                     ws_ratio *out)
{
    if (!set_log_ratio(ln_a, ln_b, out))
        return;
    double ln_se = pooled_sd * sqrt(1 / (double)ln_a->n + 1 / (double)ln_b->n);
    if (df > 0 && ln_se > 0) {
        set_log_interval(out, ln_se, df, level, "pooled over all configurations");
        return;
    }
    out->status = df > 0 ? WS_FIT_CONSTANT : WS_FIT_EXACT;
    ws_say(out->sentence, sizeof out->sentence, "ratio %s; %s: its error is undefined",
           ws_words_number(out->value).text, df > 0 ? "the repeats have no spread" : "no configuration was repeated");
}

/* Of two runs a side Welch's degrees of freedom lie between 1 and 2: wide intervals, which hold in 94 to 98 % whatever
 * the spreads are. At least 2 would hold in 86 % where these differ ten times (docs/methods.md, section 4). */
void ws_ratio_of_logs(const ws_sample *ln_a, const ws_sample *ln_b, double level, ws_ratio *out)
{
    if (!set_log_ratio(ln_a, ln_b, out))
        return;
    bool repeated = ln_a->n > 1 && ln_b->n > 1;
    double va = ln_a->se * ln_a->se, vb = ln_b->se * ln_b->se;
    if (repeated && va + vb > 0) {
        set_log_interval(out, sqrt(va + vb), welch_df(va, ln_a->n, vb, ln_b->n), level, "of the repeats of both sides");
        return;
    }
    out->status = repeated ? WS_FIT_CONSTANT : WS_FIT_EXACT;
    ws_say(out->sentence, sizeof out->sentence, "ratio %s; %s: its error is undefined",
           ws_words_number(out->value).text, repeated ? "the repeats have no spread" : "a single run on one side");
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
