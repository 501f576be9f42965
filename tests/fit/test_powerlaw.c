#include "fit/fit.h"
#include "tests/fit/reference.h"

START_TEST(reference_case)
{
    reference data = reference_load("case05_powerlaw_loglog");
    double residual[REFERENCE_ROWS];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0], data.column[1], data.n, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    const ws_estimate *exponent = ws_fit_estimate(&fit, "exponent"), *ideal = ws_fit_estimate(&fit, "exponent-vs-1"),
                      *factor = ws_fit_estimate(&fit, "factor");
    ck_reference(&data, exponent->value, "coef.minus_beta");
    ck_reference(&data, exponent->se, "se.minus_beta");
    ck_reference(&data, exponent->p_value, "p.minus_beta");
    ck_reference(&data, exponent->ci_lo, "ci95_low.minus_beta");
    ck_reference(&data, exponent->ci_hi, "ci95_high.minus_beta");
    ck_close(ideal->value, exponent->value, 0, 0);
    ck_close(ideal->null_value, -1, 0, 0);
    ck_reference(&data, ideal->p_value, "p_beta_equals_1");
    ck_reference(&data, factor->value, "alpha");
    ck_reference(&data, factor->se, "alpha_se_delta");
    ck_reference(&data, factor->ci_lo, "alpha_ci95_exp.0");
    ck_reference(&data, factor->ci_hi, "alpha_ci95_exp.1");
    ck_reference(&data, factor->p_value, "p.ln_alpha");
    ck_reference(&data, ws_fit_estimate(&fit, "smearing")->value, "duan_smearing");
    ck_reference(&data, fit.rss, "rss");
    ck_reference(&data, fit.sigma, "residual_se");
    ck_reference(&data, fit.r2, "r_squared");
    ck_assert_str_eq(fit.r2_kind, "centred, in logs");
    ck_reference(&data, fit.log_likelihood, "log_likelihood");
    ck_reference(&data, fit.aicc, "aicc_ml_k_plus_1");
    ck_reference(&data, fit.bic, "bic_ml_k_plus_1");
    ck_close(residual[8], log(3.8305) - log(factor->value) - exponent->value * log(416), 0, 1e-12);
    ck_assert_str_eq(fit.sentence, "y falls as x^-0.824 ± 0.018 (95 %: -0.866 to -0.782), less than in inverse "
                                   "proportion; 9 points, R2 0.997 in logs");
    json_decref(data.expected);
}
END_TEST

START_TEST(leave_one_out_error)
{
    reference data = reference_load("case12_power_vs_lognormal");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_reference(&data, sqrt(fit.loocv), "loocv_rmse.power_law");
    ck_reference(&data, fit.aicc, "power_law.aicc_ml_k_plus_1");
    json_decref(data.expected);
}
END_TEST

START_TEST(two_points)
{
    reference data = reference_load("case18_two_points");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_EXACT);
    ck_reference(&data, -ws_fit_estimate(&fit, "exponent")->value, "beta");
    ck_reference(&data, ws_fit_estimate(&fit, "factor")->value, "alpha");
    ck_reference(&data, fit.r2, "r_squared");
    for (size_t i = 0; i < fit.n_estimates; i++)
        ck_assert(isnan(fit.estimate[i].se) && isnan(fit.estimate[i].p_value) && isnan(fit.estimate[i].ci_lo));
    ck_assert_str_eq(fit.sentence,
                     "y falls as x^-0.666124; 2 points, as many as coefficients: no standard error, no test");
    json_decref(data.expected);
}
END_TEST

START_TEST(constant_x)
{
    reference data = reference_load("case19_constant_x");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_assert_uint_eq(fit.n_estimates, 4);
    ck_assert(isnan(ws_fit_estimate(&fit, "exponent")->value));
    ck_assert_str_eq(fit.sentence, "x is 8 in all 4 points, so there is no exponent");
    json_decref(data.expected);
}
END_TEST

START_TEST(non_positive_points_are_named)
{
    reference data = reference_load("case20_nonpositive_on_log");
    double residual[REFERENCE_ROWS];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0], data.column[1], data.n, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_NOT_POSITIVE);
    ck_assert_uint_eq(fit.n_estimates, 4);
    ck_assert(isnan(ws_fit_estimate(&fit, "exponent")->value) && isnan(residual[3]));
    ck_assert_str_eq(fit.sentence, "x or y is not above zero, and has no logarithm, in 3 of 9 points (points 1, 8, 9); "
                                   "leave them out to fit a power law");
    /* rows 1 to 6 are left */
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0] + 1, data.column[1] + 1, 6, 0.95, &fit, NULL, NULL), WS_OK);
    const ws_estimate *exponent = ws_fit_estimate(&fit, "exponent");
    ck_reference(&data, exponent->value, "after_leaving_out.coef.minus_beta");
    ck_reference(&data, exponent->se, "after_leaving_out.se.minus_beta");
    ck_reference(&data, exponent->p_value, "after_leaving_out.p.minus_beta");
    ck_reference(&data, fit.r2, "after_leaving_out.r_squared");
    ck_reference(&data, fit.aicc, "after_leaving_out.aicc_ml_k_plus_1");
    json_decref(data.expected);
}
END_TEST

START_TEST(many_non_positive_points_are_counted)
{
    double x[300], y[300];
    ws_fit fit;
    for (size_t i = 0; i < 300; i++) {
        x[i] = 1;
        y[i] = -1;
    }
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 300, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "300 of 300 points"));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "7, 8, ...)"));
}
END_TEST

START_TEST(perfect_fit)
{
    reference data = reference_load("case21_perfect_fit");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
    double tolerance = reference_number(&data, "absolute_tolerance_beta");
    const ws_estimate *exponent = ws_fit_estimate(&fit, "exponent");
    ck_close(-exponent->value, reference_number(&data, "beta"), 0, tolerance);
    ck_reference(&data, ws_fit_estimate(&fit, "factor")->value, "alpha");
    ck_reference(&data, fit.r2, "r_squared");
    ck_assert(fit.rss <= reference_number(&data, "rss_at_most"));
    ck_close(exponent->p_value, 0, 0, 1e-15);
    ck_close(ws_fit_estimate(&fit, "exponent-vs-1")->p_value, 1, 0, 0); /* -1 is what it is, up to rounding */
    ck_assert(isnan(fit.aicc));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "not distinguishable from inversely proportional"));
    json_decref(data.expected);
}
END_TEST

/* ln x = 0, 1, 2 and ln y = 0, 2, 1 (times a shift): slope 1/2, residuals -1/2, 1, -1/2, rss 3/2, se sqrt(3)/2. */
START_TEST(by_hand)
{
    const double x[] = {1, exp(1), exp(2)}, y[] = {1, exp(2), exp(1)};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_close(fit.estimate[0].value, 0.5, 1e-14, 0);
    ck_close(fit.estimate[0].se, sqrt(3) / 2, 1e-14, 0);
    /* one degree of freedom: P(|T| > t) = 1 - 2/pi atan t */
    ck_close(fit.estimate[0].p_value, 1 - 2 / acos(-1) * atan(1 / sqrt(3)), 1e-13, 0);
    ck_close(fit.estimate[1].p_value, 1 - 2 / acos(-1) * atan(1 / sqrt(3)), 1e-13, 0); /* 1/2 from 1 as from 0 */
    ck_close(fit.estimate[1].null_value, 1, 0, 0);
    ck_close(ws_fit_estimate(&fit, "factor")->value, exp(0.5), 1e-14, 0);
    ck_close(ws_fit_estimate(&fit, "smearing")->value, (2 * exp(-0.5) + exp(1)) / 3, 1e-14, 0);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "not distinguishable from constant"));
}
END_TEST

/* y = 3 x^2: the factor's unit changes with that of x, the exponent does not. */
START_TEST(exponent_does_not_depend_on_units)
{
    static const double x[] = {1, 2, 5, 9, 20}, y[] = {3.1, 11.8, 75.3, 243.9, 1197};
    double scaled_x[5], scaled_y[5];
    ws_fit a, b;
    for (size_t i = 0; i < 5; i++) {
        scaled_x[i] = 3600 * x[i];
        scaled_y[i] = y[i] / 1000;
    }
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 5, 0.95, &a, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(scaled_x, scaled_y, 5, 0.95, &b, NULL, NULL), WS_OK);
    for (size_t i = 0; i < 2; i++) {
        ck_close(b.estimate[i].value, a.estimate[i].value, 1e-13, 0);
        ck_close(b.estimate[i].se, a.estimate[i].se, 1e-12, 0);
    }
    ck_close(b.estimate[2].value, a.estimate[2].value / 1000 / pow(3600, a.estimate[0].value), 1e-11, 0);
    ck_assert_ptr_nonnull(strstr(a.sentence, "more than in proportion"));
}
END_TEST

START_TEST(constant_y_has_exponent_zero)
{
    static const double x[] = {1, 2, 4}, y[] = {5, 5, 5};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_close(fit.estimate[0].value, 0, 0, 1e-15);
    ck_close(ws_fit_estimate(&fit, "factor")->value, 5, 1e-14, 0);
    ck_assert(isnan(fit.r2));
}
END_TEST

START_TEST(factor_beyond_a_double_is_undefined)
{
    static const double x[] = {100, 101, 102}, y[] = {1, 1e10, 1.1e20};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert(isfinite(ws_fit_estimate(&fit, "exponent")->value));
    ck_assert(isnan(ws_fit_estimate(&fit, "factor")->value));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "beyond the range of a number"));
}
END_TEST

START_TEST(too_few_points)
{
    static const double one[] = {1};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_powerlaw(one, one, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_uint_eq(fit.n_estimates, 4);
    ck_assert_int_eq(ws_fit_powerlaw(NULL, NULL, 0, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
}
END_TEST

TEST_MAIN("fit power law", reference_case, leave_one_out_error, two_points, constant_x, non_positive_points_are_named,
          many_non_positive_points_are_counted, perfect_fit, by_hand, exponent_does_not_depend_on_units,
          constant_y_has_exponent_zero, factor_beyond_a_double_is_undefined, too_few_points)
