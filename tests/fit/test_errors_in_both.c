#include "fit/linear/errors_in_both.h"
#include "tests/fit/reference.h"

START_TEST(york_reference_case)
{
    reference data = reference_load("case16_york_errors_in_both");
    const ws_york_input in = {.x = data.column[0],
                              .sd_x = data.column[1],
                              .y = data.column[2],
                              .sd_y = data.column[3],
                              .n = data.n,
                              .level = 0.95};
    ws_fit fit;
    double p, residual[REFERENCE_ROWS], s = 0;
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_reference(&data, ws_fit_estimate(&fit, "intercept")->value, "york.a");
    ck_reference(&data, ws_fit_estimate(&fit, "slope")->value, "york.b");
    ck_reference(&data, ws_fit_estimate(&fit, "intercept")->se, "york.se_a");
    ck_reference(&data, ws_fit_estimate(&fit, "slope")->se, "york.se_b");
    ck_reference(&data, ws_fit_estimate(&fit, "intercept-scaled")->se, "york.se_a_scaled");
    ck_reference(&data, ws_fit_estimate(&fit, "slope-scaled")->se, "york.se_b_scaled");
    ck_reference(&data, fit.rss, "york.S");
    ck_reference(&data, p, "york.p_chi2");
    for (size_t i = 0; i < data.n; i++)
        s += residual[i] * residual[i];
    ck_reference(&data, s, "york.S");
    json_decref(data.expected);
}
END_TEST

/* Pearson's data with York's weights, on which such fits are compared: York et al. 2004, table II. */
START_TEST(york_published)
{
    static const double x[] = {0, 0.9, 1.8, 2.6, 3.3, 4.4, 5.2, 6.1, 6.5, 7.4},
                        y[] = {5.9, 5.4, 4.4, 4.6, 3.5, 3.7, 2.8, 2.8, 2.4, 1.5},
                        wx[] = {1000, 1000, 500, 800, 200, 80, 60, 20, 1.8, 1},
                        wy[] = {1, 1.8, 4, 8, 20, 20, 70, 70, 100, 500};
    double sd_x[10], sd_y[10], p;
    for (size_t i = 0; i < 10; i++) {
        sd_x[i] = 1 / sqrt(wx[i]);
        sd_y[i] = 1 / sqrt(wy[i]);
    }
    const ws_york_input in = {.x = x, .y = y, .sd_x = sd_x, .sd_y = sd_y, .n = 10, .level = 0.95};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, NULL, NULL), WS_OK);
    ck_close(fit.estimate[1].value, -0.480533407, 1e-8, 0);
    ck_close(fit.estimate[0].value, 5.47991022, 1e-8, 0);
    ck_close(fit.rss / 8, 1.4833, 5e-5, 0);
    ck_close(fit.estimate[1].se, 0.057985, 1e-5, 0);
    ck_close(fit.estimate[0].se, 0.294971, 1e-5, 0);
}
END_TEST

/* With hardly any error of x it is the weighted line; errors that go together along the line matter less. */
START_TEST(york_limits)
{
    static const double x[] = {1, 2, 4, 8}, y[] = {2.1, 3.9, 8.3, 15.8}, tiny[] = {1e-9, 1e-9, 1e-9, 1e-9},
                        one[] = {1, 1, 1, 1}, r[] = {0.9, 0.9, 0.9, 0.9};
    ws_york_input in = {.x = x, .y = y, .sd_x = tiny, .sd_y = one, .n = 4, .level = 0.95};
    ws_fit fit, line, apart, together;
    double p;
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, 4, 0.95, &line, NULL, NULL), WS_OK);
    ck_close(fit.estimate[1].value, line.estimate[1].value, 1e-12, 0);
    ck_close(ws_fit_estimate(&fit, "slope-scaled")->se, line.estimate[1].se, 1e-9, 0);
    in.sd_x = one;
    ck_assert_int_eq(ws_fit_york(&in, &apart, &p, NULL, NULL), WS_OK);
    in.correlation = r;
    ck_assert_int_eq(ws_fit_york(&in, &together, &p, NULL, NULL), WS_OK);
    ck_assert(together.estimate[1].se < apart.estimate[1].se);
    ck_assert(together.rss > apart.rss);
}
END_TEST

START_TEST(deming_reference_case)
{
    reference data = reference_load("case16_york_errors_in_both");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_deming(data.column[0], data.column[2], data.n, 0.0625, 0.95, &fit, NULL, NULL), WS_OK);
    const json_t *cases = json_object_get(data.expected, "deming_lambda_var_y_over_var_x"),
                 *sixteenth = json_object_get(cases, "lambda_0.0625");
    ck_close(fit.estimate[1].value, json_number_value(json_object_get(sixteenth, "b")), data.tolerance, 0);
    ck_close(fit.estimate[0].value, json_number_value(json_object_get(sixteenth, "a")), data.tolerance, 0);
    ck_assert_int_eq(ws_fit_deming(data.column[0], data.column[2], data.n, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_reference(&data, fit.estimate[1].value, "deming_lambda_var_y_over_var_x.lambda_1.b");
    ck_reference(&data, fit.estimate[0].value, "deming_lambda_var_y_over_var_x.lambda_1.a");
    ck_assert(fit.estimate[1].se > 0 && fit.estimate[1].ci_lo < fit.estimate[1].value);
    json_decref(data.expected);
}
END_TEST

/* Exchanging x and y turns the line over, with 1 / lambda. */
START_TEST(deming_is_symmetric)
{
    static const double x[] = {1, 2, 4, 8, 9}, y[] = {2.1, 3.5, 8.9, 15.1, 19};
    ws_fit there, back;
    ck_assert_int_eq(ws_fit_deming(x, y, 5, 3, 0.95, &there, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_deming(y, x, 5, 1.0 / 3, 0.95, &back, NULL, NULL), WS_OK);
    ck_close(there.estimate[1].value * back.estimate[1].value, 1, 1e-14, 0);
}
END_TEST

START_TEST(lines_that_are_none)
{
    static const double x[] = {1, 2, 3, 4}, y[] = {2, 4, 6, 8}, flat[] = {5, 5, 5, 5}, one[] = {1, 1, 1, 1},
                        zero[] = {1, 0, 1, 1}, two[] = {2, 2, 2, 2}, v[] = {1, -1, -1, 1};
    ws_york_input in = {.x = flat, .y = y, .sd_x = one, .sd_y = one, .n = 4, .level = 0.95};
    ws_fit fit;
    ws_error error = {0};
    double p, residual[4];
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, residual, NULL), WS_OK);
    ck_assert(fit.status == WS_FIT_CONSTANT && isnan(fit.estimate[1].value) && isnan(residual[0]) && isnan(p));
    in.x = x;
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
    ck_close(fit.estimate[1].value, 2, 1e-14, 0);
    in.n = 2;
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, NULL, NULL), WS_OK);
    ck_assert(fit.status == WS_FIT_EXACT && fit.estimate[1].se > 0 && isnan(fit.estimate[3].se));
    in.n = 4;
    in.sd_x = zero;
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, NULL, &error), WS_DATA);
    ck_assert_ptr_nonnull(strstr(error.message, "of point 2 is not above zero"));
    in.sd_x = one;
    in.correlation = two;
    ck_assert_int_eq(ws_fit_york(&in, &fit, &p, NULL, NULL), WS_DATA);
    ck_assert_int_eq(ws_fit_deming(x, flat, 4, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_assert_int_eq(ws_fit_deming(x, v, 4, 1, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert(fit.status == WS_FIT_NOT_IDENTIFIED && isnan(fit.estimate[1].value) && fit.sentence[0]);
    ck_assert_int_eq(ws_fit_deming(x, y, 4, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert(fit.status == WS_FIT_PERFECT && isnan(fit.estimate[1].se));
    ck_assert_int_eq(ws_fit_deming(x, y, 4, 0, 0.95, &fit, NULL, NULL), WS_USAGE);
    ck_assert_int_eq(ws_fit_deming(x, y, 1, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
}
END_TEST

TEST_MAIN("fit errors in both", york_reference_case, york_published, york_limits, deming_reference_case,
          deming_is_symmetric, lines_that_are_none)
