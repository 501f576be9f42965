/* Standard errors that allow for unequal errors: against their definitions with full matrices or plain sums, and where
 * they must agree with ordinary ones. */
#include "fit/fit.h"
#include "tests/harness.h"

#include <math.h>

enum { MOST = 12 };

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

static double squares_about(const double *x, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

/* HC2 of the slope and its degrees of freedom, C = I - H written out. */
static void hc2_of_slope(const double *x, const double *residual, size_t n, double *se, double *df)
{
    double mean = mean_of(x, n), squares = squares_about(x, n, mean), c[MOST][MOST], a[MOST];
    double variance = 0, expected = 0, spread = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            c[i][j] = (i == j ? 1 : 0) - 1 / (double)n - (x[i] - mean) * (x[j] - mean) / squares;
    for (size_t i = 0; i < n; i++) {
        double share = (x[i] - mean) / squares;
        a[i] = share * share / c[i][i];
        variance += a[i] * residual[i] * residual[i];
        expected += share * share;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            spread += a[i] * a[j] * c[i][j] * c[i][j];
    *se = sqrt(variance);
    *df = expected * expected / spread;
}

START_TEST(a_power_law_is_hc2_with_bell_and_mccaffrey)
{
    enum { N = 5 };
    const double x[N] = {1, 2, 4, 8, 16}, y[N] = {100, 52, 31, 16.5, 9.1};
    double ln_x[N], residual[N], se, df;
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_powerlaw_unequal(x, y, N, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, N, 0.95, &plain, NULL, NULL), WS_OK);
    for (size_t i = 0; i < N; i++)
        ln_x[i] = log(x[i]);
    hc2_of_slope(ln_x, residual, N, &se, &df);
    ck_assert_double_eq_tol(fit.estimate[0].se, se, 1e-12 * se);
    ck_assert_double_eq_tol(fit.estimate[0].df, df, 1e-12 * df);
    ck_assert_double_eq(fit.estimate[1].df, fit.estimate[0].df);
    for (size_t i = 0; i < fit.n_estimates; i++)
        ck_assert_double_eq(fit.estimate[i].value, plain.estimate[i].value);
    ck_assert_double_eq(fit.sigma, plain.sigma);
}
END_TEST

static const double counts[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
enum { N_COUNTS = 9 };

/* The slope's standard error for errors in proportion to y by normal equations with weights 1/y^2. */
static double proportional_error(const double *x, const double *y, size_t n)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, rss = 0, sum = 0;
    double mean = mean_of(x, n), squares = squares_about(x, n, mean);
    for (size_t i = 0; i < n; i++) {
        double weight = 1 / (y[i] * y[i]);
        w += weight;
        wx += weight * x[i];
        wy += weight * y[i];
        wxx += weight * x[i] * x[i];
        wxy += weight * x[i] * y[i];
    }
    double slope = (w * wxy - wx * wy) / (w * wxx - wx * wx), intercept = (wy - slope * wx) / w;
    for (size_t i = 0; i < n; i++) {
        double share = 1 - (intercept + slope * x[i]) / y[i], part = (x[i] - mean) / squares * y[i];
        rss += share * share;
        sum += part * part;
    }
    return sqrt(rss / ((double)n - 2) * sum);
}

START_TEST(a_line_has_the_larger_of_two_errors)
{
    static const double grows[N_COUNTS] = {20.9, 22.3, 23.6, 28.8, 35.1, 53.0, 83.1, 149, 271},
                        one_size[N_COUNTS] = {1021, 1002, 1001, 1009, 1018, 1030, 1066, 1127, 1255};
    ws_fit fit, plain;
    double se = proportional_error(counts, grows, N_COUNTS);
    ck_assert_int_eq(ws_fit_line_unequal(counts, grows, N_COUNTS, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(counts, grows, N_COUNTS, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_gt(se, 1.2 * plain.estimate[1].se);
    ck_assert_double_eq_tol(fit.estimate[1].se, se, 1e-11 * se);
    ck_assert_double_eq(fit.estimate[1].value, plain.estimate[1].value);
    ck_assert_double_eq_tol(fit.estimate[1].ci_hi - fit.estimate[1].value, 2.364624251592785 * se, 1e-9);
    ck_assert_int_eq(ws_fit_line_unequal(counts, one_size, N_COUNTS, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(counts, one_size, N_COUNTS, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_le(plain.estimate[1].se, fit.estimate[1].se); /* nearly one size: hardly larger */
    ck_assert_double_lt(fit.estimate[1].se, 1.3 * plain.estimate[1].se);
}
END_TEST

/* Three points leave one residual, whose size is the only thing to go by: t(1), as without. */
START_TEST(a_power_law_of_three_points_is_as_without)
{
    const double x[] = {1, 3, 7}, y[] = {2, 5, 4};
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_powerlaw_unequal(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 3, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_eq_tol(fit.estimate[0].se, plain.estimate[0].se, 1e-12 * plain.estimate[0].se);
    ck_assert_double_eq_tol(fit.estimate[0].df, 1, 1e-9);
}
END_TEST

/* The exponent of x = 1, 1, 1, 5 is the last point's alone: no residual tells how far it is off. */
START_TEST(a_point_that_settles_the_exponent_keeps_ordinary_errors)
{
    const double x[] = {1, 1, 1, 5}, y[] = {2, 2.2, 1.9, 7};
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_powerlaw_unequal(x, y, 4, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 4, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_eq(fit.estimate[0].se, plain.estimate[0].se);
    ck_assert_double_eq(fit.estimate[0].df, 0);
    ck_assert_double_eq(fit.estimate[0].ci_hi, plain.estimate[0].ci_hi);
}
END_TEST

/* Values that are not of one sign have no relative errors; negative ones have. */
START_TEST(values_about_zero_have_ordinary_errors)
{
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {-2, 0, 0.1, 2, 3.8, 6.2};
    double below[N_COUNTS];
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_line_unequal(x, y, 6, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, 6, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_eq(fit.estimate[1].se, plain.estimate[1].se);
    ck_assert_double_eq(fit.estimate[0].ci_lo, plain.estimate[0].ci_lo);
    for (size_t i = 0; i < N_COUNTS; i++)
        below[i] = -20 - 0.9 * counts[i] - sin((double)i) * counts[i] / 20;
    ck_assert_int_eq(ws_fit_line_unequal(counts, below, N_COUNTS, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_double_eq_tol(fit.estimate[1].se, proportional_error(counts, below, N_COUNTS), 1e-11);
}
END_TEST

TEST_MAIN("unequal errors", a_power_law_is_hc2_with_bell_and_mccaffrey, a_line_has_the_larger_of_two_errors,
          a_power_law_of_three_points_is_as_without, a_point_that_settles_the_exponent_keeps_ordinary_errors,
          values_about_zero_have_ordinary_errors)
