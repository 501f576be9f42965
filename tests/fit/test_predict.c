#include "fit/laws/predict.h"

#include "fit/laws/laws.h"
#include "tests/fit/reference.h"

/* y = x with residuals -0.1, 0.2, -0.1 about 2: x = 1, 2, 3, so b = 1, sigma^2 = 0.06, Sxx = 2. t with 1 degree of
 * freedom at 50 % is 1: the half widths are sigma sqrt(1/3 + (x - 2)^2 / 2), and with 1 more under the root. */
START_TEST(line_by_hand)
{
    const double x[] = {1, 2, 3}, y[] = {0.9, 2.2, 2.9}, at[] = {2, 6, 0.5};
    ws_fit fit;
    ws_prediction p[3];
    ck_assert_int_eq(ws_fit_line(x, y, 3, 0.5, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_predict(&fit, x, 3, 0.5, at, 3, p, NULL), WS_OK);
    const double share[] = {1.0 / 3, 1.0 / 3 + 8, 1.0 / 3 + 1.125}, beyond[] = {1, 2, 2};
    for (int i = 0; i < 3; i++) {
        ck_close(p[i].value, at[i], 0, 1e-13);
        ck_close(p[i].ci_hi - p[i].value, sqrt(0.06 * share[i]), 1e-10, 0);
        ck_close(p[i].value - p[i].lo, sqrt(0.06 * (1 + share[i])), 1e-10, 0);
        ck_close(p[i].beyond, beyond[i], 1e-14, 0);
        ck_assert(p[i].mean == p[i].value);
    }
}
END_TEST

START_TEST(power_law_reference)
{
    reference data = reference_load("case05_powerlaw_loglog");
    const double at[] = {1000};
    ws_fit fit;
    ws_prediction p;
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_predict(&fit, data.column[0], data.n, 0.95, at, 1, &p, NULL), WS_OK);
    ck_reference(&data, p.value, "at_1000_gpus.median");
    ck_reference(&data, p.mean, "at_1000_gpus.mean_duan");
    ck_reference(&data, p.lo, "at_1000_gpus.prediction95.0");
    ck_reference(&data, p.hi, "at_1000_gpus.prediction95.1");
    ck_reference(&data, log(p.ci_lo), "at_1000_gpus.ln.mean_ci95.0");
    ck_reference(&data, log(p.ci_hi), "at_1000_gpus.ln.mean_ci95.1");
    json_decref(data.expected);
}
END_TEST

/* A curve by its own covariance: var f = g' V g with the published V of factor, exponent and floor (b = -exponent). */
START_TEST(floor_by_its_covariance)
{
    reference data = reference_load("case07_powerlaw_floor");
    const ws_law_input in = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95};
    const double at[] = {300};
    ws_fit fit;
    ws_prediction p;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_predict(&fit, in.x, in.n, 0.95, at, 1, &p, NULL), WS_OK);
    double a = reference_number(&data, "coef.a"), b = reference_number(&data, "coef.b"), power = pow(300, -b);
    const double g[] = {power, -a * power * log(300), 1};
    double variance = 0, t = 2.131449545559323; /* Student's t, 15 degrees of freedom, 97.5 % */
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
            char path[40];
            snprintf(path, sizeof path, "cov.%d.%d", j, k);
            variance += g[j] * g[k] * reference_number(&data, path);
        }
    }
    ck_close(p.value, a * power + reference_number(&data, "coef.c"), 1e-6, 0);
    ck_close(p.ci_hi - p.value, t * sqrt(variance), 1e-4, 0);
    json_decref(data.expected);
}
END_TEST

/* Laws of a number of devices begin above zero, whatever their formula gives below; lines do not. */
START_TEST(no_law_below_zero)
{
    const double x[] = {1, 2, 4, 8, 16, 32}, y[] = {100, 53, 27, 15, 8.5, 5}, at[] = {0, -3};
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit[4];
    ws_prediction p[2];
    ck_assert_int_eq(ws_fit_amdahl(&in, &fit[0], NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw_direct(&in, &fit[1], NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 6, 0.95, &fit[2], NULL, NULL), WS_OK);
    for (int law = 0; law < 3; law++) {
        ck_assert_int_eq(ws_predict(&fit[law], x, 6, 0.95, at, 2, p, NULL), WS_OK);
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(p[i].status, WS_FIT_NOT_POSITIVE);
            ck_assert(isnan(p[i].value) && isnan(p[i].lo) && isnan(p[i].ci_hi) && isnan(p[i].mean));
        }
    }
    ck_assert_int_eq(ws_fit_line(x, y, 6, 0.95, &fit[3], NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_predict(&fit[3], x, 6, 0.95, at, 2, p, NULL), WS_OK);
    ck_assert_int_eq(p[0].status, WS_FIT_OK);
    ck_close(p[0].value, ws_fit_estimate(&fit[3], "intercept")->value, 1e-14, 0);
}
END_TEST

/* No numbers where there are none: an exact fit, a place without a logarithm, a model without a curve. */
START_TEST(undefined)
{
    const double x[] = {1, 2}, y[] = {3, 5}, more_x[] = {1, 2, 3, 4, 5}, more_y[] = {3, 5, 6, 9, 11}, at[] = {-1};
    ws_fit fit;
    ws_prediction p;
    ck_assert_int_eq(ws_fit_line(x, y, 2, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_predict(&fit, x, 2, 0.95, at, 1, &p, NULL), WS_OK);
    ck_close(p.value, -1, 0, 1e-12);
    ck_assert(isnan(p.ci_lo) && isnan(p.ci_hi) && isnan(p.lo) && isnan(p.hi) && isnan(p.beyond));
    ck_assert_int_eq(ws_fit_powerlaw(more_x, more_y, 5, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_predict(&fit, more_x, 5, 0.95, at, 1, &p, NULL), WS_OK);
    ck_assert(isnan(p.value) && isnan(p.mean) && isnan(p.lo));
    fit.model = "york";
    ck_assert_int_eq(ws_predict(&fit, more_x, 5, 0.95, at, 1, &p, NULL), WS_USAGE);
    ck_assert(ws_can_predict("usl") && !ws_can_predict("york") && !ws_can_predict("onset"));
}
END_TEST

/* x^-1 up to 8, x^-0.5 beyond, with factor 80: 10 at 8 and 5 at 32. Errors that cancel on either side leave the curve
 * where it is; far before the break it is that of the first law alone, whose interval is wider the farther it lies
 * outside. */
START_TEST(broken_law)
{
    const double x[] = {1, 1, 2, 2, 4, 4, 16, 16, 32, 32, 64, 64}, at[] = {0.5, 4, 32, 128};
    double y[12];
    ws_fit fit;
    ws_prediction p[4];
    for (int i = 0; i < 12; i++)
        y[i] = (x[i] < 8 ? 80 / x[i] : 10 * sqrt(8 / x[i])) * exp(i % 2 ? 0.02 : -0.02);
    const ws_law_input in = {.x = x, .y = y, .n = 12, .level = 0.95};
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, NULL, NULL), WS_OK);
    ck_close(ws_fit_estimate(&fit, "factor")->value, 80, 1e-6, 0);
    ck_assert_int_eq(ws_predict(&fit, x, 12, 0.95, at, 4, p, NULL), WS_OK);
    const double want[] = {160, 20, 5, 2.5};
    for (int i = 0; i < 4; i++)
        ck_close(p[i].value, want[i], 1e-6, 0);
    ck_assert(p[0].ci_hi / p[0].ci_lo > p[1].ci_hi / p[1].ci_lo && p[3].hi / p[3].lo > p[2].hi / p[2].lo);
    /* Before the break only the six points there count: at half of 1 the share is 1/6 + (2 ln 2)^2 / Sxx with Sxx = 4
     * (ln 2)^2. */
    ck_close(log(p[0].hi / p[0].value), 2.306004135204166 * fit.sigma * sqrt(1 + 1.0 / 6 + 1), 1e-6, 0);
}
END_TEST

TEST_MAIN("predict", broken_law, line_by_hand, power_law_reference, floor_by_its_covariance, no_law_below_zero,
          undefined)
