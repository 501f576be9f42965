/* Tests of a normal distribution.
 *
 * Shapiro-Wilk: W = (sum a_i x_(i))^2 / sum (x - mean)^2 with Royston's weights and p (1995, algorithm AS R94, Applied
 * Statistics 44), for 3 to 5000 values. Jarque-Bera 1987: n/6 (skewness^2 + (kurtosis - 3)^2 / 4), chi2 with 2 degrees
 * of freedom; too mild below some hundred values. With few values either can only tell gross departures. */
#include "fit/tests/diagnostics.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static double polynomial(const double *c, size_t n, double x)
{
    double sum = 0;
    while (n-- > 0)
        sum = sum * x + c[n];
    return sum;
}

/* Weights of the upper half, the largest value first; the lower half has the same with minus. */
static void shapiro_weights(size_t n, double *a)
{
    static const double c1[] = {0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056},
                        c2[] = {0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633};
    size_t half = n / 2, first = n > 5 ? 2 : 1;
    double sum = 0, root = 1 / sqrt((double)n);
    if (n == 3) {
        a[0] = sqrt(0.5);
        return;
    }
    for (size_t i = 0; i < half; i++) {
        a[i] = gsl_cdf_ugaussian_Qinv(((double)i + 1 - 0.375) / ((double)n + 0.25));
        sum += 2 * a[i] * a[i];
    }
    double largest = a[0] / sqrt(sum) + polynomial(c1, 6, root), second = a[1] / sqrt(sum) + polynomial(c2, 6, root);
    double rest = sum - 2 * a[0] * a[0] - (first == 2 ? 2 * a[1] * a[1] : 0);
    double left = 1 - 2 * largest * largest - (first == 2 ? 2 * second * second : 0);
    for (size_t i = first; i < half; i++)
        a[i] /= sqrt(rest / left);
    a[0] = largest;
    if (first == 2)
        a[1] = second;
}

static double shapiro_p(double w, double n)
{
    static const double small_mean[] = {0.544, -0.39978, 0.025054, -6.714e-4},
                        small_sd[] = {1.3822, -0.77857, 0.062767, -0.0020322},
                        large_mean[] = {-1.5861, -0.31082, -0.083751, 0.0038915},
                        large_sd[] = {-0.4803, -0.082676, 0.0030302};
    if (n == 3)
        return fmax(0, 6 / acos(-1) * (asin(sqrt(w)) - asin(sqrt(0.75))));
    double y = log1p(-w), mean, sd;
    if (n <= 11) {
        double gamma = -2.273 + 0.459 * n;
        if (y >= gamma)
            return 0;
        y = -log(gamma - y);
        mean = polynomial(small_mean, 4, n);
        sd = exp(polynomial(small_sd, 4, n));
    } else {
        mean = polynomial(large_mean, 4, log(n));
        sd = exp(polynomial(large_sd, 3, log(n)));
    }
    return erfc((y - mean) / sd / sqrt(2)) / 2;
}

static void normality_say(ws_test *test)
{
    ws_say(test->sentence, sizeof test->sentence, "%s (%s %s, %s)",
           test->p_value < 0.05 ? "not normal" : "no departure from a normal distribution shows", test->name,
           ws_words_r2(test->statistic).text, ws_words_p(test->p_value).text);
}

/* Too few, too many or constant values: sentence and status. */
static bool normality_refuse(const double *value, size_t n, size_t least, size_t most, ws_test *test)
{
    char *text = test->sentence;
    size_t size = sizeof test->sentence;
    if (n < least || n > most) {
        ws_say(text, size, "%zu value%s: %s takes %zu ", n, n == 1 ? "" : "s", test->name, least);
        if (most < SIZE_MAX)
            ws_say(text, size, "to %zu", most);
        else
            ws_say(text, size, "or more");
        return true;
    }
    if (!ws_fit_is_constant(value, n))
        return false;
    test->status = WS_FIT_CONSTANT;
    ws_say(text, size, "the values do not vary: no distribution to test");
    return true;
}

ws_status ws_shapiro_wilk(const double *value, size_t n, ws_test *test, ws_error *error)
{
    ws_test_begin(test, "Shapiro-Wilk");
    ws_status status = ws_fit_check_finite("value", value, n, error);
    if (status != WS_OK || normality_refuse(value, n, 3, 5000, test))
        return status;
    double *sorted = ws_realloc(NULL, 2 * n, sizeof *sorted), *a = sorted + n;
    long double mean = 0, squares = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        sorted[i] = value[i];
        mean += value[i];
    }
    mean /= (long double)n;
    gsl_sort(sorted, 1, n);
    shapiro_weights(n, a);
    for (size_t i = 0; i < n; i++)
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    for (size_t i = 0; i < n / 2; i++)
        sum += (long double)a[i] * ((long double)sorted[n - 1 - i] - sorted[i]);
    free(sorted);
    double w = fmin(1, (double)(sum / squares * sum));
    if (ws_test_set(test, w, fmin(1, shapiro_p(w, (double)n))))
        normality_say(test);
    return WS_OK;
}

ws_status ws_jarque_bera(const double *value, size_t n, ws_test *test, ws_error *error)
{
    ws_test_begin(test, "Jarque-Bera");
    ws_status status = ws_fit_check_finite("value", value, n, error);
    if (status != WS_OK || normality_refuse(value, n, 3, SIZE_MAX, test))
        return status;
    long double mean = 0, size = (long double)n, m2 = 0, m3 = 0, m4 = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / size;
    for (size_t i = 0; i < n; i++) {
        long double e = value[i] - mean;
        m2 += e * e / size;
        m3 += e * e * e / size;
        m4 += e * e * e * e / size;
    }
    long double skewness = m3 / (m2 * sqrtl(m2)), excess = m4 / (m2 * m2) - 3;
    test->df1 = 2;
    double jb = (double)(size / 6 * (skewness * skewness + excess * excess / 4));
    if (ws_test_set(test, jb, ws_chi2_upper(jb, 2)))
        normality_say(test);
    return WS_OK;
}
