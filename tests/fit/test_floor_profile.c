#include "fit/laws/laws.h"
#include "tests/fit/reference.h"

static double rss_with_floor(const ws_law_input *in, double floor)
{
    double y[REFERENCE_ROWS];
    ws_fit fit;
    for (size_t i = 0; i < in->n; i++)
        y[i] = in->y[i] - floor;
    const ws_law_input rest = {.x = in->x, .y = y, .n = in->n, .level = 0.95};
    ck_assert_int_eq(ws_fit_powerlaw_direct(&rest, &fit, NULL, NULL), WS_OK);
    return fit.rss;
}

/* Both ends reach rss (1 + F / df); F(1, 15) at 95 % is 4.543077165. */
START_TEST(reference_case)
{
    reference data = reference_load("case07_powerlaw_floor");
    const ws_law_input in = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95};
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_floor_profile(&in, &fit, &test, NULL), WS_OK);
    const ws_estimate *e = ws_fit_estimate(&fit, "floor-profile");
    ck_reference(&data, e->value, "coef.c");
    double limit = fit.rss * (1 + 4.543077165 / 15);
    ck_close(rss_with_floor(&in, e->ci_lo), limit, 1e-6, 0);
    ck_close(rss_with_floor(&in, e->ci_hi), limit, 1e-6, 0);
    ck_close(test.statistic, (rss_with_floor(&in, 0) - fit.rss) / (fit.rss / 15), 1e-9, 0);
    ck_assert(test.p_value < 1e-6);
    ck_assert_double_eq(e->p_value, test.p_value);
    json_decref(data.expected);
}
END_TEST

/* The second of ten x has `beyond` more than the floor, which alone decides the exponent, log2(10 / beyond): its error
 * is s sqrt(9 / 8) / (beyond ln 2). */
START_TEST(an_exponent_that_one_x_decides)
{
    for (int less = 0; less <= 1; less++) {
        const double beyond = less ? 4.5e-10 : 5.1e-10, s = 0.01 * sqrt(8 / 7.);
        double x[10], y[10];
        for (int i = 0; i < 10; i++) {
            x[i] = pow(2, i);
            y[i] = 1 + (i == 0 ? 10 : i == 1 ? beyond : i % 2 ? 0.01 : -0.01);
        }
        const ws_law_input in = {.x = x, .y = y, .n = 10, .level = 0.95};
        const double exponent = log2(10 / beyond), se = s * sqrt(9 / 8.) / (beyond * log(2));
        ws_fit fit;
        ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
        ck_assert((se / (1 + exponent) > 1e6) == less); /* 1.03 and 0.91 million */
        ck_assert_int_eq(fit.status, less ? WS_FIT_NOT_IDENTIFIED : WS_FIT_OK);
        if (!less) {
            ck_close(-fit.estimate[1].value, exponent, 1e-4, 0);
            ck_close(fit.estimate[1].se, se, 1e-2, 0);
        }
    }
}
END_TEST

/* A law whose best floor is negative: none is the answer, and the interval starts there. */
START_TEST(below_zero)
{
    const double x[] = {1, 2, 4, 8, 16, 32, 64, 128}, e[] = {1, -1, 1, -1, -1, 1, -1, 1};
    double y[8];
    for (int i = 0; i < 8; i++)
        y[i] = 100 / x[i] - 0.6 + 0.3 * e[i];
    const ws_law_input in = {.x = x, .y = y, .n = 8, .level = 0.95};
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert(ws_fit_estimate(&fit, "floor")->value < 0);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "no time or energy has a floor below zero: it may be zero"));
    ck_assert_int_eq(ws_floor_profile(&in, &fit, &test, NULL), WS_OK);
    const ws_estimate *floor_of = ws_fit_estimate(&fit, "floor-profile");
    ck_assert(floor_of->value == 0 && floor_of->ci_lo == 0 && floor_of->ci_hi > 0);
    ws_fit again;
    ck_assert_int_eq(ws_fit_floor(&in, &again, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_floor_profile(&in, &again, NULL, NULL), WS_OK); /* a test that nobody wants */
    ck_assert(ws_fit_estimate(&again, "floor-profile")->ci_hi == floor_of->ci_hi);
    ck_assert(isnan(floor_of->se));
    ck_assert_double_eq(floor_of->p_value, 1); /* as the interval, which holds 0 */
}
END_TEST

/* A floor that is surely below zero is told as one, by the sentence and by the test: it is none that was needed. */
START_TEST(surely_below_zero)
{
    const double x[] = {1, 2, 4, 8, 16, 32, 64}, e[] = {1, -1, 1, 1, -1, 1, -1};
    double y[7];
    for (int i = 0; i < 7; i++)
        y[i] = (100 / x[i] - 1) * (1 + 0.002 * e[i]);
    for (int logs = 0; logs < 2; logs++) {
        const ws_law_input in = {.x = x, .y = y, .n = 7, .level = 0.95, .in_logs = logs};
        ws_fit fit;
        ws_test test;
        ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
        ck_assert(ws_fit_estimate(&fit, "floor")->ci_hi < 0);
        ck_assert_ptr_nonnull(
            strstr(fit.sentence, "; no time or energy has a floor below zero: y bends the other way"));
        if (logs)
            continue;
        ck_assert_int_eq(ws_floor_profile(&in, &fit, &test, NULL), WS_OK);
        ck_assert(test.p_value < 0.05);
        const ws_estimate *held = ws_fit_estimate(&fit, "floor-profile");
        ck_assert(held->value == 0 && held->ci_lo == 0 && held->p_value == 1);
        ck_assert_ptr_nonnull(strstr(test.sentence, "a power law misses, but not for want of a floor"));
    }
}
END_TEST

/* Only the first x rises above the rest: any steep exponent does, so none is reported. */
START_TEST(no_bend_to_see)
{
    const double x[] = {1, 2, 4, 8, 16}, y[] = {8, 0, -2, 1, 1};
    double residual[5];
    ws_fit fit;
    const ws_law_input in = {.x = x, .y = y, .n = 5, .level = 0.95};
    ck_assert_int_eq(ws_fit_floor(&in, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_NOT_IDENTIFIED);
    ck_assert(isnan(ws_fit_estimate(&fit, "exponent")->value) && isnan(residual[0]));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "any steep exponent"));
}
END_TEST

TEST_MAIN("floor profile", an_exponent_that_one_x_decides, reference_case, below_zero, surely_below_zero,
          no_bend_to_see)
