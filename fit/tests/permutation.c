/* The permutation test of a correlation.
 *
 *     p = share of the orders of y with |r| at least that of the order measured
 *
 * Assumes only that under no relation every order is as likely (exchangeable points): repeats of one configuration are
 * not, unless the configurations are what is permuted. An order as large within rounding counts. Fisher 1935; p of
 * drawn orders with the measured one among them, Phipson and Smyth 2010, Stat. Appl. Genet. Mol. Biol. 9. */
#include "fit/tests/permutation.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/random.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT_UP_TO = 8, LEAST_DRAWS = 100, MOST_DRAWS = 1000000 };
static const double ROUNDING = 1e-12;

/* Centred and of length 1, so that a sum of products is r. */
static void standardise(const double *value, size_t n, double *unit)
{
    long double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / (long double)n;
    for (size_t i = 0; i < n; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    for (size_t i = 0; i < n; i++)
        unit[i] = (double)((value[i] - mean) / sqrtl(squares));
}

static double along(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void swap(double *a, double *b)
{
    double keep = *a;
    *a = *b;
    *b = keep;
}

/* Heap's walk through all orders: each differs from the one before by one swap. */
static double exact_p(const double *x, double *y, size_t n, double least)
{
    size_t turn[EXACT_UP_TO] = {0}, orders = 1, as_large = fabs(along(x, y, n)) >= least;
    for (size_t i = 1; i < n;) {
        if (turn[i] >= i) {
            turn[i++] = 0;
            continue;
        }
        swap(&y[i % 2 ? turn[i] : 0], &y[i]);
        turn[i]++;
        i = 1;
        orders++;
        as_large += fabs(along(x, y, n)) >= least;
    }
    return (double)as_large / (double)orders;
}

static double drawn_p(const double *x, double *y, size_t n, double least, size_t draws, uint64_t seed)
{
    ws_random random = {seed};
    size_t as_large = 0;
    for (size_t draw = 0; draw < draws; draw++) {
        for (size_t i = n - 1; i > 0; i--)
            swap(&y[i], &y[ws_random_below(&random, i + 1)]);
        as_large += fabs(along(x, y, n)) >= least;
    }
    return (1 + (double)as_large) / (1 + (double)draws);
}

ws_status ws_permutation_test(const double *x, const double *y, size_t n, size_t draws, uint64_t seed, ws_test *test,
                              ws_error *error)
{
    ws_test_begin(test, "permutation");
    ws_status status = ws_fit_check(x, y, n, 0.5, error);
    if (status != WS_OK)
        return status;
    if (draws < LEAST_DRAWS || draws > MOST_DRAWS)
        return ws_fail(error, WS_USAGE, "a permutation test takes %d to %d draws, not %zu", LEAST_DRAWS, MOST_DRAWS,
                       draws);
    char *text = test->sentence;
    size_t size = sizeof test->sentence;
    if (n < 3 || ws_fit_is_constant(x, n) || ws_fit_is_constant(y, n)) {
        test->status = n < 3 ? WS_FIT_TOO_FEW : WS_FIT_CONSTANT;
        ws_say(text, size,
               n < 3 ? "fewer than 3 points have no orders to compare" : "x or y does not vary: no order differs");
        return WS_OK;
    }
    double *unit = ws_realloc(NULL, 2 * n, sizeof *unit);
    standardise(x, n, unit);
    standardise(y, n, unit + n);
    double r = along(unit, unit + n, n), least = fabs(r) - ROUNDING;
    bool exact = n <= EXACT_UP_TO;
    double p = exact ? exact_p(unit, unit + n, n, least) : drawn_p(unit, unit + n, n, least, draws, seed);
    free(unit);
    if (!ws_test_set(test, r, p))
        return WS_OK;
    ws_say(text, size, "r %s, %s by ", ws_words_r2(r).text, ws_words_p(p).text);
    if (exact)
        ws_say(text, size, "all orders of %zu points", n);
    else
        ws_say(text, size, "%zu drawn orders of %zu points", draws, n);
    return WS_OK;
}
