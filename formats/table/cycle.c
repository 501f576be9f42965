/* Devices that take turns in the rows of a table: a, b, c, a, b, c ... Each has a level of its own, so the differences
 * d[i] = x[i] - x[i-1] come back every k rows, while a load that all share is smooth and hardly shows in them. In one
 * device's log the differences do not come back, or only with a periodic load, whose shape over the cycle is smooth.
 *
 *   A(L)  autocorrelation of the differences at a lag of L rows; outliers are clipped first
 *   f(j)  A folded: the mean of A(m k + j) over m = 1, 2, ... 16. Noise of single readings is in A(0) and A(1) only
 *   g(j)  f(j) less the mean of f: a trend makes all of f alike
 *   g(0)  the share of the differences' variance that has a cycle of k rows: 0 for one device and for noise
 *   V(L)  mean square difference of levels L places apart, over g(0): L g(0) + 2 sum (L - j) g(j), j = 1 ... L - 1
 *   g(0) / mean of V: 1 for levels in no order, 2 (k = 2) for two of them; small for a smooth or square wave
 *
 * Sums over lags bear rows that are missing: only the pairs across the hole are off. */
#include "formats/table/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "formats/table/column_limits.h"

enum { MOST = WS_CYCLE_MOST_ROWS, ROUNDS = 16, LAGS = MOST * (ROUNDS + 1) };

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Clips the steps to twice the median of those that are not zero, since a change of load is not a level; then subtracts
 * their mean. */
static void clip_and_center(double *step, size_t n)
{
    double *size = ws_alloc((n + 1) * sizeof *size);
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (step[i] != 0)
            size[used++] = fabs(step[i]);
    qsort(size, used, sizeof *size, compare);
    double most = used ? 2 * size[used / 2] : 0;
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        step[i] = fmin(fmax(step[i], -most), most);
        mean += step[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        step[i] -= mean;
    free(size);
}

static void correlate(const double *step, size_t n, double *a, size_t lags)
{
    double all = 0;
    for (size_t i = 0; i < n; i++)
        all += step[i] * step[i];
    for (size_t lag = 0; lag < lags; lag++) {
        double sum = 0;
        for (size_t i = lag; lag < n && i < n; i++)
            sum += step[i] * step[i - lag];
        a[lag] = all > 0 && lag < n ? sum / all * (double)n / (double)(n - lag) : 0;
    }
}

/* g(0), and how rough the levels of the cycle are. */
static double fold(const double *a, size_t lags, size_t k, double *roughness)
{
    double g[MOST] = {0}, mean = 0, square = 0;
    size_t rounds = lags / k - 1 < ROUNDS ? lags / k - 1 : ROUNDS;
    for (size_t j = 0; j < k; j++) {
        for (size_t m = 1; m <= rounds; m++)
            g[j] += a[m * k + j] / (double)rounds;
        mean += g[j] / (double)k;
    }
    for (size_t j = 0; j < k; j++)
        g[j] -= mean;
    for (size_t lag = 1; lag < k; lag++) {
        double v = (double)lag * g[0];
        for (size_t j = 1; j < lag; j++)
            v += 2 * (double)(lag - j) * g[j];
        square += v / (double)(k - 1);
    }
    *roughness = square > 0 ? g[0] / square : 0;
    return g[0];
}

/* The shortest cycle that is about as strong as the strongest. */
static size_t find_cycle(double *step, size_t n)
{
    double a[LAGS], strength[MOST + 1] = {0}, best = 0;
    size_t lags = n / 2 < LAGS ? n / 2 : LAGS;
    clip_and_center(step, n);
    correlate(step, n, a, lags);
    for (size_t k = 2; k <= MOST && k * WS_CYCLE_LEAST_ROUNDS <= n; k++) {
        double roughness, g = fold(a, lags, k, &roughness);
        strength[k] = roughness >= WS_CYCLE_ROUGH ? g : 0;
        best = strength[k] > best ? strength[k] : best;
    }
    if (best < WS_CYCLE_LEAST || best < WS_CYCLE_NOISE / sqrt((double)n))
        return 0;
    double enough = 0.95 * best - 3 / sqrt((double)(n * ROUNDS));
    for (size_t k = 2; k <= MOST; k++)
        if (strength[k] > 0 && strength[k] >= enough)
            return k;
    return 0;
}

size_t ws_cycle_of_readings(const double *value, size_t n)
{
    double *step = ws_alloc((n + 1) * sizeof *step), last = NAN;
    for (size_t i = 0; i < n; i++) {
        step[i] = isnan(value[i]) || isnan(last) ? 0 : value[i] - last;
        last = isnan(value[i]) ? last : value[i];
    }
    size_t k = n ? find_cycle(step + 1, n - 1) : 0;
    free(step);
    return k;
}

/* The unit of the stamps: 10^k ns, the largest that all are multiples of; or what all steps are multiples of, where
 * that is a part of a minute, hour or day, as logs count that are in those. */
static double unit_of(const int64_t *t, size_t n)
{
    int64_t unit = INT64_C(1000000000), common = 0;
    for (size_t i = 1; i < n; i++) {
        int64_t rest = t[i] - t[i - 1];
        while (rest) {
            int64_t next = common % rest;
            common = rest < 0 ? -rest : rest;
            rest = next;
        }
    }
    for (size_t i = 0; i < n; i++)
        while (unit > 1 && t[i] % unit)
            unit /= 10;
    return (double)(common % 3 == 0 && common > unit ? common : unit);
}

size_t ws_cycle_of_stamps(const int64_t *t, size_t n)
{
    if (n < 2 * WS_CYCLE_LEAST_ROUNDS)
        return 0;
    double *step = ws_alloc(n * sizeof *step), *sorted = ws_alloc(n * sizeof *sorted);
    for (size_t i = 1; i < n; i++)
        step[i - 1] = sorted[i - 1] = (double)(t[i] - t[i - 1]);
    qsort(sorted, n - 1, sizeof *sorted, compare);
    double rounding = WS_CYCLE_LEAST_STAMP_UNITS * unit_of(t, n);
    for (size_t i = 0; i + 1 < n; i++) {
        step[i] = fabs(step[i] - sorted[(n - 1) / 2]);
        step[i] = step[i] < rounding ? 0 : step[i];
    }
    size_t k = find_cycle(step, n - 1);
    free(sorted);
    free(step);
    return k;
}
