#include "fit/fit.h"
#include "tests/fit/reference.h"

START_TEST(reference_case)
{
    reference data = reference_load("case01_ols_intercept");
    double residual[REFERENCE_ROWS];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(data.column[0], data.column[1], data.n, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert_uint_eq(fit.n, 11);
    static const char *const names[] = {"intercept", "slope"};
    for (size_t i = 0; i < 2; i++) {
        const ws_estimate *e = ws_fit_estimate(&fit, names[i]);
        char path[40];
        ck_assert(e != NULL);
        snprintf(path, sizeof path, "coef.%s", names[i]);
        ck_reference(&data, e->value, path);
        snprintf(path, sizeof path, "se.%s", names[i]);
        ck_reference(&data, e->se, path);
        snprintf(path, sizeof path, "p.%s", names[i]);
        ck_reference(&data, e->p_value, path);
        snprintf(path, sizeof path, "ci95_low.%s", names[i]);
        ck_reference(&data, e->ci_lo, path);
        snprintf(path, sizeof path, "ci95_high.%s", names[i]);
        ck_reference(&data, e->ci_hi, path);
    }
    ck_reference(&data, fit.df, "df_residual");
    ck_reference(&data, fit.rss, "rss");
    ck_reference(&data, fit.sigma, "residual_se");
    ck_reference(&data, fit.r2, "r_squared");
    ck_assert_str_eq(fit.r2_kind, "centred");
    ck_reference(&data, fit.log_likelihood, "log_likelihood");
    ck_reference(&data, fit.aic, "aic_ml_k_plus_1");
    ck_reference(&data, fit.aicc, "aicc_ml_k_plus_1");
    ck_reference(&data, fit.bic, "bic_ml_k_plus_1");
    ck_reference(&data, fit.loocv * 11, "press");
    ck_reference(&data, sqrt(fit.loocv), "loocv_rmse");
    double rss = 0;
    for (size_t i = 0; i < data.n; i++)
        rss += residual[i] * residual[i];
    ck_reference(&data, rss, "rss");
    json_decref(data.expected);
}
END_TEST

/* x = 1..4, y = 1, 3, 2, 6: mean x 2.5, mean y 3, Sxx = 5, Sxy = 7, Syy = 14, so slope 7/5, intercept -1/2, rss = 14 -
 * 49/5 = 21/5, sigma^2 = 21/10, se slope = sqrt(21/50), se intercept = sqrt(21/10 (1/4 + 6.25/5)) = sqrt(3.15). t with
 * 2 degrees of freedom has the closed form P(|T| > t) = 1 - t / sqrt(t^2 + 2). */
START_TEST(by_hand)
{
    static const double x[] = {1, 2, 3, 4}, y[] = {1, 3, 2, 6};
    double residual[4];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, y, 4, 0.9, &fit, residual, NULL), WS_OK);
    const ws_estimate *slope = ws_fit_estimate(&fit, "slope"), *intercept = ws_fit_estimate(&fit, "intercept");
    ck_close(slope->value, 1.4, 1e-15, 0);
    ck_close(intercept->value, -0.5, 1e-15, 0);
    ck_close(slope->se, sqrt(0.42), 1e-15, 0);
    ck_close(intercept->se, sqrt(3.15), 1e-15, 0);
    ck_close(fit.rss, 4.2, 1e-15, 0);
    ck_close(fit.r2, 0.7, 1e-15, 0);
    double t = 1.4 / sqrt(0.42);
    ck_close(slope->p_value, 1 - t / sqrt(t * t + 2), 1e-13, 0);
    /* P(|T| <= q) = 0.9: q^2 = 0.81 * 2 / (1 - 0.81) */
    ck_close(slope->ci_hi - 1.4, sqrt(1.62 / 0.19) * sqrt(0.42), 1e-12, 0);
    ck_close(1.4 - slope->ci_lo, sqrt(1.62 / 0.19) * sqrt(0.42), 1e-12, 0);
    static const double want[] = {0.1, 0.7, -1.7, 0.9};
    for (size_t i = 0; i < 4; i++)
        ck_close(residual[i], want[i], 1e-14, 0);
    /* leverages 0.7, 0.3, 0.3, 0.7 */
    ck_close(fit.loocv, (0.01 / 0.09 + 0.49 / 0.49 + 2.89 / 0.49 + 0.81 / 0.09) / 4, 1e-14, 0);
    ck_assert(isnan(fit.aicc));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "too few for AICc"));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "90 %"));
}
END_TEST

START_TEST(two_points_have_no_error)
{
    static const double x[] = {1, 3}, y[] = {2, 8};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, y, 2, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_EXACT);
    ck_close(fit.estimate[1].value, 3, 1e-15, 0);
    ck_close(fit.estimate[0].value, -1, 1e-15, 0);
    ck_assert(isnan(fit.estimate[1].se) && isnan(fit.estimate[1].p_value) && isnan(fit.estimate[1].ci_lo));
    ck_assert(isnan(fit.sigma) && isnan(fit.aic) && isnan(fit.loocv));
    ck_close(fit.r2, 1, 1e-15, 0);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "no standard error"));
}
END_TEST

START_TEST(perfect_line_is_flagged)
{
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {0.3, 0.6, 0.9, 1.2, 1.5};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, y, 5, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
    ck_close(fit.estimate[1].value, 0.3, 1e-15, 0);
    ck_close(fit.estimate[1].p_value, 0, 0, 1e-15);
    ck_close(fit.estimate[0].p_value, 1, 0, 0); /* an intercept of rounding is no intercept */
    ck_close(fit.r2, 1, 1e-15, 0);
    ck_assert(isnan(fit.aic) && isnan(fit.log_likelihood));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "within rounding"));
}
END_TEST

/* A scatter of one part in 1e12 is small and still scatter. */
START_TEST(nearly_perfect_line_is_not_flagged)
{
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 2 + 1e-12, 3, 4 - 1e-12, 5};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, y, 5, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert(isfinite(fit.aic));
}
END_TEST

START_TEST(constant_x_has_no_slope)
{
    reference data = reference_load("case19_constant_x");
    double residual[REFERENCE_ROWS];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(data.column[0], data.column[1], data.n, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_assert_uint_eq(fit.n_estimates, 2);
    ck_assert(isnan(fit.estimate[0].value) && isnan(fit.estimate[1].value) && isnan(residual[0]));
    ck_close(reference_number(&data, "mean_time_h"), 10.125, 0, 0);
    ck_assert_str_eq(fit.sentence, "x is 8 in all 4 points, so there is no slope; the mean of y is 10.125");
    json_decref(data.expected);
}
END_TEST

START_TEST(x_that_varies_by_rounding_is_constant)
{
    static const double x[] = {0.3, 0.1 + 0.2, 0.3}, y[] = {1, 2, 3};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
}
END_TEST

START_TEST(constant_y_has_slope_zero)
{
    static const double x[] = {1, 2, 3, 7}, y[] = {10.1, 10.1, 10.1, 10.1};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, y, 4, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_close(fit.estimate[0].value, 10.1, 1e-15, 0);
    ck_close(fit.estimate[1].value, 0, 0, 1e-15);
    ck_close(fit.estimate[1].p_value, 1, 0, 0);
    ck_assert(isnan(fit.r2));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "y is 10.1 in all 4 points"));
}
END_TEST

START_TEST(too_few_points)
{
    static const double one[] = {1};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(one, one, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(fit.sentence, "1 point: fewer than the 2 that the model needs");
    ck_assert_int_eq(ws_fit_line(NULL, NULL, 0, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_uint_eq(fit.n_estimates, 2);
}
END_TEST

START_TEST(bad_input_is_refused)
{
    static const double x[] = {1, 2, 3}, bad[] = {1, NAN, 3}, far[] = {1e300, -1e300, 1e300};
    ws_fit fit;
    ws_error error = {0};
    ck_assert_int_eq(ws_fit_line(x, bad, 3, 0.95, &fit, NULL, &error), WS_DATA);
    ck_assert_str_eq(error.message, "y of point 2 is not a finite number; leave the point out");
    ws_error_clear(&error);
    ck_assert_int_eq(ws_fit_line(x, x, 3, 95, &fit, NULL, &error), WS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.message, "a level of 95 "));
    ws_error_clear(&error);
    ck_assert_int_eq(ws_fit_line(x, far, 3, 0.95, &fit, NULL, &error), WS_DATA);
    ck_assert_ptr_nonnull(strstr(error.message, "another unit"));
}
END_TEST

START_TEST(names_and_lookup)
{
    ck_assert_str_eq(ws_fit_status_name(WS_FIT_OK), "ok");
    ck_assert_str_eq(ws_fit_status_name(WS_FIT_COLLINEAR), "collinear");
    ck_assert_str_eq(ws_fit_status_name(WS_FIT_NOT_POSITIVE), "not-positive");
    static const double x[] = {1, 2, 4};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, x, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_null(ws_fit_estimate(&fit, "exponent"));
}
END_TEST

/* The last point is the only one at its x: the line goes through it, and without it there is no slope. */
START_TEST(leverage_one_has_no_leave_one_out)
{
    static const double x[] = {1, 1, 1, 9}, y[] = {1, 2, 3, 4};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_line(x, y, 4, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert(isnan(fit.loocv));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "no leave-one-out error"));
}
END_TEST

TEST_MAIN("fit line", reference_case, by_hand, two_points_have_no_error, perfect_line_is_flagged,
          nearly_perfect_line_is_not_flagged, constant_x_has_no_slope, x_that_varies_by_rounding_is_constant,
          constant_y_has_slope_zero, too_few_points, bad_input_is_refused, names_and_lookup,
          leverage_one_has_no_leave_one_out)
