/* The mean of all groups that might have been taken, each as much as the other, b_j their slopes:
 *
 *     mean = sum b / k,  se = sd / sqrt(k),  one more group: mean -+ t sd sqrt(1 + 1 / k),  t with k - 1
 *
 * which holds however well each slope is known: a t interval of independent values of unequal variance is wide rather
 * than narrow (Bakirov and Szekely 2005, J. Math. Sciences 126). Beside it the weighted mean of the textbooks,
 * DerSimonian and Laird 1986 (Controlled Clinical Trials 7), with the interval of Hartung and Knapp 2001 (Statistics in
 * Medicine 20):
 *
 *     w = 1 / se^2,  Q = sum w (b - sum w b / sum w)^2,  tau^2 = max(0, (Q - (k - 1)) / (sum w - sum w^2 / sum w))
 *     v = 1 / (se^2 + tau^2),  mean = sum v b / sum v,  var = sum v (b - mean)^2 / ((k - 1) sum v),  t with k - 1
 *
 * The normal interval with var = 1 / sum v is too narrow for the few groups that a campaign has. The prediction
 * interval mean -+ t(k - 2) sqrt(tau^2 + var) is that of Higgins, Thompson and Spiegelhalter 2009 (J. R. Statist. Soc.
 * A 172). */
#include "fit/tests/random_effects.h"

#include "fit/estimate.h"

#include <math.h>

static double weighted_mean(const double *value, const double *se, size_t k, double tau2, double *weights)
{
    long double sum = 0, mean = 0;
    for (size_t j = 0; j < k; j++) {
        long double w = 1 / ((long double)se[j] * se[j] + tau2);
        sum += w;
        mean += w * value[j];
    }
    *weights = (double)sum;
    return (double)(mean / sum);
}

/* sum of (b - mean)^2 / (se^2 + tau^2) */
static double spread_about(const double *value, const double *se, size_t k, double tau2, double mean)
{
    long double sum = 0;
    for (size_t j = 0; j < k; j++)
        sum += ((long double)value[j] - mean) * (value[j] - mean) / ((long double)se[j] * se[j] + tau2);
    return (double)sum;
}

static double between_groups(const double *se, size_t k, double q, double weights)
{
    long double squares = 0;
    for (size_t j = 0; j < k; j++)
        squares += 1 / ((long double)se[j] * se[j] * se[j] * se[j]);
    return fmax(0, (q - (double)(k - 1)) / (double)(weights - squares / weights));
}

static void take_alike(const double *value, size_t k, double level, ws_random_effects *r)
{
    long double mean = 0, squares = 0;
    for (size_t j = 0; j < k; j++)
        mean += value[j] / (long double)k;
    for (size_t j = 0; j < k; j++)
        squares += (value[j] - mean) * (value[j] - mean);
    double sd = (double)sqrtl(squares / (long double)(k - 1)), df = (double)(k - 1);
    r->alike.value = (double)mean;
    r->alike.se = sd / sqrt((double)k);
    ws_estimate_infer(&r->alike, df, level);
    double reach = ws_student_quantile(level, df) * hypot(sd, r->alike.se);
    r->next_lo = r->alike.value - reach;
    r->next_hi = r->alike.value + reach;
}

static void random_effects_say(ws_random_effects *r, double weights, double level)
{
    const ws_estimate *m = &r->alike;
    char *text = r->sentence;
    size_t size = sizeof r->sentence;
    ws_say(text, size, "mean over %zu groups, each alike, %s (%s: %s to %s)", r->k,
           ws_words_with_error(m->value, m->se).text, ws_words_level(level).text,
           ws_words_to_error(m->ci_lo, m->se).text, ws_words_to_error(m->ci_hi, m->se).text);
    if (r->tau > 0)
        ws_say(text, size, "; groups differ by %s (standard deviation)", ws_words_digits(r->tau, 2).text);
    else
        ws_say(text, size, "; chance explains how groups differ");
    if (!(r->tau > 0) && r->mean.se < 1 / sqrt(weights))
        ws_say(text, size,
               ", which agree better than their own errors suggest (by these alone the mean is known to %s)",
               ws_words_digits(1 / sqrt(weights), 2).text);
    ws_say(text, size, "; one more group would lie from %s to %s", ws_words_to_error(r->next_lo, m->se).text,
           ws_words_to_error(r->next_hi, m->se).text);
}

ws_status ws_random_effects_of(const double *value, const double *se, size_t k, double level, ws_random_effects *r,
                               ws_error *error)
{
    *r = (ws_random_effects){
        .status = WS_FIT_TOO_FEW, .k = k, .prediction_lo = NAN, .prediction_hi = NAN, .tau = NAN, .i2 = NAN};
    r->next_lo = r->next_hi = NAN;
    r->mean = (ws_estimate){.name = "mean", .value = NAN, .se = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN};
    r->alike = r->mean;
    ws_test_begin(&r->q, "Cochran's Q");
    ws_status status = ws_fit_check_level(level, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("slope", value, k, error);
    for (size_t j = 0; status == WS_OK && j < k; j++)
        if (!(se[j] > 0) || !isfinite(se[j]))
            return ws_fail(error, WS_DATA, "standard error %zu is not above zero; leave that group out", j + 1);
    if (status != WS_OK)
        return status;
    if (k < 2) {
        ws_say(r->sentence, sizeof r->sentence, "%zu group%s: no spread between groups", k, k == 1 ? "" : "s");
        return WS_OK;
    }
    double weights, df = (double)(k - 1), fixed = weighted_mean(value, se, k, 0, &weights);
    double q = spread_about(value, se, k, 0, fixed), tau2 = between_groups(se, k, q, weights);
    r->status = WS_FIT_OK;
    r->q.df1 = df;
    ws_test_set(&r->q, q, ws_chi2_upper(q, df));
    r->tau = sqrt(tau2);
    r->i2 = q > 0 ? fmax(0, (q - df) / q) : 0;
    r->mean.value = weighted_mean(value, se, k, tau2, &weights);
    r->mean.se = sqrt(spread_about(value, se, k, tau2, r->mean.value) / df / weights);
    ws_estimate_infer(&r->mean, df, level);
    if (k > 2) {
        double reach = ws_student_quantile(level, df - 1) * hypot(r->tau, r->mean.se);
        r->prediction_lo = r->mean.value - reach;
        r->prediction_hi = r->mean.value + reach;
    }
    take_alike(value, k, level, r);
    random_effects_say(r, weights, level);
    return WS_OK;
}
