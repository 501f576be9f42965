#include "fit/tests/correlation.h"

#include <float.h>
#include <math.h>

typedef struct centred {
    const double *value;
    long double mean, length, raw; /* length about the mean and about zero */
} centred;

static centred centre(const double *value, size_t n)
{
    centred c = {.value = value};
    for (size_t i = 0; i < n; i++)
        c.mean += value[i];
    c.mean /= (long double)n;
    for (size_t i = 0; i < n; i++) {
        c.length += (value[i] - c.mean) * (value[i] - c.mean);
        c.raw += (long double)value[i] * value[i];
    }
    c.length = sqrtl(c.length);
    c.raw = sqrtl(c.raw);
    return c;
}

void ws_correlation_begin(ws_correlation *result, size_t n)
{
    *result = (ws_correlation){.status = WS_FIT_TOO_FEW, .n = n, .r = NAN, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN};
}

bool ws_correlation_refuse(const double *x, const double *y, ws_correlation *result)
{
    const char *flat = ws_fit_is_constant(x, result->n) ? "x" : ws_fit_is_constant(y, result->n) ? "y" : NULL;
    if (result->n < 3) {
        result->status = WS_FIT_TOO_FEW;
        ws_say(result->sentence, sizeof result->sentence, "%zu point%s: a correlation needs at least 3", result->n,
               result->n == 1 ? "" : "s");
        return true;
    }
    if (flat) {
        result->status = WS_FIT_CONSTANT;
        ws_say(result->sentence, sizeof result->sentence, "%s does not vary over the %zu points: no correlation", flat,
               result->n);
    }
    return flat != NULL;
}

double ws_correlate(const double *x, const double *y, size_t n, ws_correlation *result)
{
    ws_correlation_begin(result, n);
    if (ws_correlation_refuse(x, y, result))
        return NAN;
    centred a = centre(x, n), b = centre(y, n);
    long double r = 0, rest = 0;
    for (size_t i = 0; i < n; i++)
        r += (x[i] - a.mean) / a.length * ((y[i] - b.mean) / b.length);
    /* 1 - r^2 as a sum of squares, since the difference would cancel near 1. */
    for (size_t i = 0; i < n; i++) {
        long double e = (y[i] - b.mean) / b.length - r * ((x[i] - a.mean) / a.length);
        rest += e * e;
    }
    rest = sqrtl(rest);
    bool perfect = rest <= 4 * (long double)DBL_EPSILON * (a.raw / a.length + b.raw / b.length);
    result->status = perfect ? WS_FIT_PERFECT : WS_FIT_OK;
    result->r = perfect ? (r < 0 ? -1 : 1) : fmax(-1, fmin(1, (double)r));
    return perfect ? copysign(INFINITY, (double)r) : (double)(r * sqrtl((long double)(n - 2)) / rest);
}

void ws_correlation_interval(ws_correlation *result, double variance, double level)
{
    if (result->n < 4)
        return;
    result->ci_lo = result->ci_hi = result->r;
    if (fabs(result->r) >= 1)
        return;
    double half = ws_normal_quantile(level) * sqrt(variance);
    result->ci_lo = tanh(atanh(result->r) - half);
    result->ci_hi = tanh(atanh(result->r) + half);
}

void ws_correlation_say(ws_correlation *result, const char *name, size_t least, double level)
{
    char *text = result->sentence;
    size_t size = sizeof result->sentence;
    ws_say(text, size, "%s %s", name, ws_words_r2(result->r).text);
    if (result->status == WS_FIT_OK && !isnan(result->ci_lo))
        ws_say(text, size, " (%s: %s to %s)", ws_words_level(level).text, ws_words_r2(result->ci_lo).text,
               ws_words_r2(result->ci_hi).text);
    ws_say(text, size, ", %s%s; %zu points", ws_words_p(result->p_value).text, result->p_is_exact ? " exactly" : "",
           result->n);
    if (result->n < least)
        ws_say(text, size, ", and an interval needs %zu", least);
    else if (result->status == WS_FIT_PERFECT)
        ws_say(text, size, ", so well in line that the interval has no width");
}

void ws_equal_correlations(const double *r, const size_t *n, size_t k, ws_test *test)
{
    double sum = 0, weights = 0, squares = 0;
    size_t groups = 0;
    ws_test_begin(test, "equal correlations");
    for (size_t i = 0; i < k; i++) {
        double z = atanh(r[i]), weight = (double)n[i] - 3;
        if (!(weight > 0) || !isfinite(z))
            continue;
        sum += weight * z;
        squares += weight * z * z;
        weights += weight;
        groups++;
    }
    if (groups < 2)
        return;
    double q = fmax(0, squares - sum * sum / weights);
    test->df1 = (double)groups - 1;
    ws_test_set(test, q, ws_chi2_upper(q, test->df1));
}
