/* Bands against their closed forms, worked out on paper; t from tables. */
#include "harness.h"

#include "fit/linear/band.h"

#include <math.h>

/* Student's t with 2 and 3 degrees of freedom, P(|T| <= t) = 0.95. The first is 0.95 sqrt(2 / (4 0.975 0.025)). */
static const double T2 = 4.302652729749464, T3 = 3.182446305283709;

/* x 1..5, y 1 3 2 5 4: mean x 3, Sxx 10, Sxy 8, so slope 0.8, intercept 0.6, rss 3.6 on 3 degrees of freedom. */
static const double x5[] = {1, 2, 3, 4, 5}, y5[] = {1, 3, 2, 5, 4};

START_TEST(line_by_hand)
{
    static const double at[] = {3, 6, 0};
    double y[3], lo[3], hi[3];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x5, y5, 5, 0.95, &fit, NULL, NULL), WS_OK);
    ws_band_line(&fit, x5, 0.95, at, 3, y, lo, hi);
    for (int i = 0; i < 3; i++) {
        double half = T3 * sqrt(1.2) * sqrt(0.2 + (at[i] - 3) * (at[i] - 3) / 10);
        ck_close(y[i], 0.6 + 0.8 * at[i], 1e-12, 1e-15);
        ck_close(lo[i], 0.6 + 0.8 * at[i] - half, 1e-9, 0);
        ck_close(hi[i], 0.6 + 0.8 * at[i] + half, 1e-9, 0);
    }
}
END_TEST

/* At x = 0 the line's band is the interval of the intercept, which the fit states itself. */
START_TEST(band_at_zero_is_the_interval_of_the_intercept)
{
    static const double zero[] = {0};
    double y, lo, hi;
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x5, y5, 5, 0.8, &fit, NULL, NULL), WS_OK);
    ws_band_line(&fit, x5, 0.8, zero, 1, &y, &lo, &hi);
    const ws_estimate *intercept = ws_fit_estimate(&fit, "intercept");
    ck_close(lo, intercept->ci_lo, 1e-12, 0);
    ck_close(hi, intercept->ci_hi, 1e-12, 0);
}
END_TEST

/* x 1 2 3, y 2 3 7: sum xy 29, sum xx 14, slope 29/14, rss 62 - 29^2/14 on 2 degrees of freedom. */
START_TEST(origin_by_hand)
{
    static const double x[] = {1, 2, 3}, v[] = {2, 3, 7}, at[] = {0, 3, -2};
    double y[3], lo[3], hi[3], se = sqrt((62 - 29.0 * 29 / 14) / 2 / 14);
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, v, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ws_band_origin(&fit, x, 0.95, at, 3, y, lo, hi);
    for (int i = 0; i < 3; i++) {
        ck_close(y[i], 29.0 / 14 * at[i], 1e-12, 0);
        ck_close(lo[i], 29.0 / 14 * at[i] - T2 * se * fabs(at[i]), 1e-9, 0);
        ck_close(hi[i], 29.0 / 14 * at[i] + T2 * se * fabs(at[i]), 1e-9, 0);
    }
}
END_TEST

/* The same numbers as exponents of e: the line's band, raised. */
START_TEST(power_law_is_the_line_in_logarithms)
{
    double x[5], v[5], y[3], lo[3], hi[3], at[] = {exp(3), exp(6), 0};
    ws_fit fit;
    for (int i = 0; i < 5; i++) {
        x[i] = exp(x5[i]);
        v[i] = exp(y5[i]);
    }
    ck_assert_int_eq(ws_fit_powerlaw(x, v, 5, 0.95, &fit, NULL, NULL), WS_OK);
    ws_band_powerlaw(&fit, x, 0.95, at, 3, y, lo, hi);
    ck_close(y[0], exp(3), 1e-9, 0);
    ck_close(lo[0], exp(3 - T3 * sqrt(1.2 * 0.2)), 1e-8, 0);
    ck_close(hi[1], exp(5.4 + T3 * sqrt(1.2 * 1.1)), 1e-8, 0);
    ck_assert(isnan(y[2]) && isnan(lo[2]) && isnan(hi[2]));
}
END_TEST

START_TEST(no_band_without_standard_errors)
{
    double y, lo, hi;
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x5, y5, 2, 0.95, &fit, NULL, NULL), WS_OK); /* two points, two parameters */
    ws_band_line(&fit, x5, 0.95, x5, 1, &y, &lo, &hi);
    ck_close(y, 1, 1e-12, 0);
    ck_assert(isnan(lo) && isnan(hi));
    ck_assert_int_eq(ws_fit_origin(x5, x5, 5, 0.95, &fit, NULL, NULL), WS_OK); /* perfect */
    ws_band_origin(&fit, x5, 0.95, x5 + 1, 1, &y, &lo, &hi);
    ck_close(y, 2, 1e-12, 0);
    ck_assert(isnan(lo) && isnan(hi));
}
END_TEST

START_TEST(no_fit_no_curve)
{
    double y, lo, hi;
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x5, y5, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ws_band_line(&fit, x5, 0.95, x5, 1, &y, &lo, &hi);
    ck_assert(isnan(y) && isnan(lo) && isnan(hi));
    ck_assert_int_eq(ws_fit_powerlaw(NULL, NULL, 0, 0.95, &fit, NULL, NULL), WS_OK);
    ws_band_powerlaw(&fit, NULL, 0.95, x5, 1, &y, &lo, &hi);
    ck_assert(isnan(y) && isnan(lo) && isnan(hi));
}
END_TEST

TEST_MAIN("bands", line_by_hand, band_at_zero_is_the_interval_of_the_intercept, origin_by_hand,
          power_law_is_the_line_in_logarithms, no_band_without_standard_errors, no_fit_no_curve)
