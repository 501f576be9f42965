/* Are the variances of several groups equal?
 *
 * Bartlett 1937: K = (N ln s_p^2 - sum m_j ln s_j^2) / C, m_j = n_j - 1, N = sum m_j, s_p^2 = sum m_j s_j^2 / N,
 *     C = 1 + (sum 1/m_j - 1/N) / (3 (k - 1)); chi2 with k - 1 degrees of freedom. Assumes normal values: long tails
 *     look like unequal variances.
 * Brown and Forsythe 1974, JASA 69: one-way analysis of variance of |y - median of its group|; F with k - 1 and n - k.
 *     Assumes little. */
#include "fit/tests/repeats.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

typedef struct grouped {
    size_t k, n; /* groups of two values and more, and their values */
    double *value;
    size_t *start; /* k + 1 places */
} grouped;

static grouped equal_variance_gather(const double *y, const size_t *group, size_t n, size_t k)
{
    grouped g = {.value = ws_realloc(NULL, n + 1, sizeof(double)), .start = ws_realloc(NULL, k + 1, sizeof(size_t))};
    g.start[0] = 0;
    for (size_t j = 0; j < k; j++) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (group[i] == j)
                g.value[g.n + count++] = y[i];
        if (count < 2)
            continue;
        g.n += count;
        g.start[++g.k] = g.n;
    }
    return g;
}

static void free_grouped(grouped *g)
{
    free(g->value);
    free(g->start);
}

static long double mean_of(const double *value, size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    return sum / (long double)n;
}

static long double squares_of(const double *value, size_t n)
{
    long double mean = mean_of(value, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (value[i] - mean) * (value[i] - mean);
    return sum;
}

static bool too_few(const grouped *g, ws_test *test)
{
    if (g->k >= 2)
        return false;
    test->status = WS_FIT_TOO_FEW;
    ws_say(test->sentence, sizeof test->sentence, "%zu group%s of two values or more: nothing to compare", g->k,
           g->k == 1 ? "" : "s");
    return true;
}

static void equal_variance_say(ws_test *test)
{
    ws_say(test->sentence, sizeof test->sentence, "variances of the groups %s (%s, %s)",
           test->p_value < 0.05 ? "differ" : "do not differ noticeably", test->name, ws_words_p(test->p_value).text);
}

static void compute_bartlett(const grouped *g, ws_test *test)
{
    long double total = 0, logs = 0, inverse = 0, degrees = (long double)(g->n - g->k);
    for (size_t j = 0; j < g->k; j++) {
        size_t count = g->start[j + 1] - g->start[j];
        long double m = (long double)(count - 1), squares = squares_of(g->value + g->start[j], count);
        if (ws_fit_is_constant(g->value + g->start[j], count)) {
            test->status = WS_FIT_CONSTANT;
            ws_say(test->sentence, sizeof test->sentence,
                   "the values of a group do not vary at all: Bartlett's logarithm of a variance of zero is undefined");
            return;
        }
        total += squares;
        logs += m * logl(squares / m);
        inverse += 1 / m;
    }
    long double scale = 1 + (inverse - 1 / degrees) / (3 * (long double)(g->k - 1));
    test->df1 = (double)(g->k - 1);
    double k = fmax(0, (double)((degrees * logl(total / degrees) - logs) / scale));
    if (ws_test_set(test, k, ws_chi2_upper(k, test->df1)))
        equal_variance_say(test);
}

static double median_of(const double *value, size_t n)
{
    double *sorted = ws_realloc(NULL, n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = value[i];
    gsl_sort(sorted, 1, n);
    double median = n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
    free(sorted);
    return median;
}

static void compute_brown_forsythe(const grouped *g, ws_test *test)
{
    enum { ROUGH_BELOW = 10 };
    long double within = 0, between = 0, all;
    size_t smallest = g->n;
    for (size_t j = 0; j < g->k; j++) {
        double median = median_of(g->value + g->start[j], g->start[j + 1] - g->start[j]);
        for (size_t i = g->start[j]; i < g->start[j + 1]; i++)
            g->value[i] = fabs(g->value[i] - median);
    }
    all = mean_of(g->value, g->n);
    for (size_t j = 0; j < g->k; j++) {
        size_t count = g->start[j + 1] - g->start[j];
        long double off = mean_of(g->value + g->start[j], count) - all;
        smallest = count < smallest ? count : smallest;
        within += squares_of(g->value + g->start[j], count);
        between += (long double)count * off * off;
    }
    test->df1 = (double)(g->k - 1);
    test->df2 = (double)(g->n - g->k);
    if (!(within > 0)) {
        test->status = WS_FIT_PERFECT;
        ws_say(test->sentence, sizeof test->sentence,
               "all values are equally far from the median of their group: no F ratio");
        return;
    }
    double f = (double)(between / test->df1 / (within / test->df2));
    if (!ws_test_set(test, f, ws_f_upper(f, test->df1, test->df2)))
        return;
    equal_variance_say(test);
    if (smallest < ROUGH_BELOW)
        ws_say(test->sentence, sizeof test->sentence, "; with fewer than %d repeats it finds differences too easily",
               ROUGH_BELOW);
}

static ws_status run(const char *name, void (*compute)(const grouped *, ws_test *), const double *y,
                     const size_t *group, size_t n, size_t k, ws_test *test, ws_error *error)
{
    ws_test_begin(test, name);
    ws_status status = ws_fit_check_finite("y", y, n, error);
    if (status != WS_OK)
        return status;
    grouped g = equal_variance_gather(y, group, n, k);
    if (!too_few(&g, test))
        compute(&g, test);
    free_grouped(&g);
    return WS_OK;
}

ws_status ws_bartlett(const double *y, const size_t *group, size_t n, size_t k, ws_test *test, ws_error *error)
{
    return run("Bartlett", compute_bartlett, y, group, n, k, test, error);
}

ws_status ws_brown_forsythe(const double *y, const size_t *group, size_t n, size_t k, ws_test *test, ws_error *error)
{
    return run("Brown-Forsythe", compute_brown_forsythe, y, group, n, k, test, error);
}
