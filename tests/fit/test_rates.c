#include "fit/linear/rates.h"

#include "tests/fit/reference.h"

static const double x[] = {1, 2, 4, 5, 8}, y[] = {2.2, 3.7, 8.9, 9.6, 17};
enum { N = 5 };

/* For the mean of ratios r_i = y/x every leverage is 1/n: HC0 is sqrt(sum d^2)/n, HC1 sd/sqrt(n), HC3 sqrt(sum
 * d^2)/(n-1). */
START_TEST(mean_of_ratios_by_hand)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < N; i++)
        mean += y[i] / x[i] / N;
    for (int i = 0; i < N; i++)
        squares += (y[i] / x[i] - mean) * (y[i] / x[i] - mean);
    const double want[] = {sqrt(squares) / N, sqrt(squares / (N * (N - 1))), sqrt(squares / (N * (N - 1))),
                           sqrt(squares) / (N - 1)};
    for (int kind = WS_HC0; kind <= WS_HC3; kind++) {
        ws_fit fit;
        ck_assert_int_eq(ws_fit_rates(x, y, N, (ws_hc)kind, 0.95, &fit, NULL, NULL), WS_OK);
        ck_close(ws_fit_estimate(&fit, "mean-of-ratios")->value, mean, 1e-14, 0);
        ck_close(ws_fit_estimate(&fit, "mean-of-ratios")->se, want[kind], 1e-12, 0);
        ck_assert_ptr_nonnull(strstr(fit.sentence, ws_hc_name((ws_hc)kind)));
    }
}
END_TEST

/* The slope through the origin: sum (x e)^2 / (sum x^2)^2. */
START_TEST(slope_by_hand)
{
    double xx = 0, xy = 0, meat = 0;
    for (int i = 0; i < N; i++) {
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    for (int i = 0; i < N; i++)
        meat += x[i] * x[i] * (y[i] - xy / xx * x[i]) * (y[i] - xy / xx * x[i]);
    ws_fit fit;
    ck_assert_int_eq(ws_fit_rates(x, y, N, WS_HC0, 0.95, &fit, NULL, NULL), WS_OK);
    ck_close(ws_fit_estimate(&fit, "slope")->se, sqrt(meat) / xx, 1e-12, 0);
}
END_TEST

START_TEST(line_reference)
{
    reference data = reference_load("case26_heteroscedastic");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_rates(data.column[0], data.column[1], data.n, WS_HC3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_reference(&data, ws_fit_estimate(&fit, "slope-with-intercept")->se, "se_HC3.slope");
    ck_reference(&data, ws_fit_estimate(&fit, "intercept")->se, "se_HC3.intercept");
    json_decref(data.expected);
}
END_TEST

/* One point at a large x has leverage near 1; two points fit exactly. Nothing of it becomes a number that means
 * nothing. */
START_TEST(undefined)
{
    const double far_x[] = {0, 0, 5}, far_y[] = {0.1, -0.1, 5};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_rates(far_x, far_y, 3, WS_HC3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert(isnan(ws_fit_estimate(&fit, "slope")->se) && isnan(ws_fit_estimate(&fit, "ratio-of-sums")->value));
    ck_assert_int_eq(ws_fit_rates(x, y, 1, WS_HC3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_EXACT);
    ck_assert(isnan(ws_fit_estimate(&fit, "slope")->se));
}
END_TEST

TEST_MAIN("rates", mean_of_ratios_by_hand, slope_by_hand, line_reference, undefined)
