#include "fit/fit.h"
#include "tests/fit/reference.h"

#include <math.h>
#include <string.h>

START_TEST(reference_case)
{
    reference data = reference_load("case02_ols_through_origin");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    const ws_estimate *slope = ws_fit_estimate(&fit, "slope");
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_reference(&data, slope->value, "coef.slope");
    ck_reference(&data, slope->se, "se.slope");
    ck_reference(&data, slope->p_value, "p.slope");
    ck_reference(&data, slope->ci_lo, "ci95_low.slope");
    ck_reference(&data, slope->ci_hi, "ci95_high.slope");
    ck_reference(&data, fit.df, "df_residual");
    ck_reference(&data, fit.rss, "rss");
    ck_reference(&data, fit.r2, "r_squared");
    ck_assert_str_eq(fit.r2_kind, "about zero");
    ck_reference(&data, fit.log_likelihood, "log_likelihood");
    ck_reference(&data, fit.aic, "aic_ml_k_plus_1");
    ck_reference(&data, fit.aicc, "aicc_ml_k_plus_1");
    ck_reference(&data, fit.bic, "bic_ml_k_plus_1");
    json_decref(data.expected);
}
END_TEST

START_TEST(sisters_of_the_reference_case)
{
    reference data = reference_load("case02_ols_through_origin");
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    const ws_estimate *sums = ws_fit_estimate(&fit, "ratio-of-sums"), *ratios = ws_fit_estimate(&fit, "mean-of-ratios");
    ck_reference(&data, sums->value, "ratio_of_sums");
    ck_reference(&data, sums->se, "wls_weight_1_over_x.se");
    ck_reference(&data, ratios->value, "mean_of_ratios");
    ck_close(ratios->se, reference_number(&data, "sd_of_ratios") / sqrt(11), data.tolerance, 0);
    /* the t quantile for 10 degrees of freedom, read off the slope's expected interval */
    double t = (reference_number(&data, "ci95_high.slope") - reference_number(&data, "coef.slope")) /
               reference_number(&data, "se.slope");
    ck_close(sums->ci_hi, sums->value + t * sums->se, data.tolerance, 0);
    ck_close(ratios->ci_lo, ratios->value - t * ratios->se, data.tolerance, 0);
    ck_reference(&data, ws_fit_estimate(&fit, "intercept")->p_value, "F_intercept_needed.p");
    json_decref(data.expected);
    data = reference_load("case01_ols_intercept"); /* the same data */
    ck_reference(&data, ws_fit_estimate(&fit, "slope-with-intercept")->value, "coef.slope");
    ck_reference(&data, ws_fit_estimate(&fit, "slope-with-intercept")->se, "se.slope");
    ck_reference(&data, ws_fit_estimate(&fit, "intercept")->value, "coef.intercept");
    json_decref(data.expected);
}
END_TEST

/* x = 1, 2, y = 3, 4: slope (3 + 8) / 5, ratio of sums 7/3, mean of ratios 5/2; rss = (4/5)^2 + (2/5)^2 = 4/5. The two
 * ratios 3 and 2 have sd 1/sqrt 2, so the mean has 1/2. Weighted by 1/x: (2/3)^2 + (2/3)^2/2 = 2/3, over sum x = 3. */
START_TEST(by_hand)
{
    static const double x[] = {1, 2}, y[] = {3, 4};
    double residual[2];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, y, 2, 0.95, &fit, residual, NULL), WS_OK);
    ck_close(fit.estimate[0].value, 2.2, 1e-15, 0);
    ck_close(fit.estimate[0].se, 0.4, 1e-15, 0);
    ck_close(fit.rss, 0.8, 1e-14, 0);
    ck_close(fit.r2, 1 - 0.8 / 25, 1e-15, 0);
    ck_close(residual[0], 0.8, 1e-15, 0);
    ck_close(fit.estimate[1].value, 7.0 / 3, 1e-15, 0);
    ck_close(fit.estimate[1].se, sqrt(2) / 3, 1e-14, 0);
    ck_close(fit.estimate[2].value, 2.5, 1e-15, 0);
    ck_close(fit.estimate[2].se, 0.5, 1e-15, 0);
    /* the line through two points is exact: y = 2 + x, without standard errors */
    ck_close(ws_fit_estimate(&fit, "intercept")->value, 2, 1e-15, 0);
    ck_assert(isnan(ws_fit_estimate(&fit, "intercept")->se));
}
END_TEST

START_TEST(one_point_has_a_ratio_and_no_error)
{
    static const double x[] = {4}, y[] = {1};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, y, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_EXACT);
    for (size_t i = 0; i < 3; i++) {
        ck_close(fit.estimate[i].value, 0.25, 1e-15, 0);
        ck_assert(isnan(fit.estimate[i].se));
    }
    ck_assert(isnan(ws_fit_estimate(&fit, "intercept")->value));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "no standard error"));
}
END_TEST

START_TEST(same_x_everywhere_still_has_a_slope)
{
    static const double x[] = {2, 2, 2}, y[] = {1, 2, 3};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_close(fit.estimate[0].value, 1, 1e-15, 0);
    ck_close(fit.estimate[0].se, 0.5 / sqrt(3), 1e-15, 0);
    ck_assert(isnan(ws_fit_estimate(&fit, "slope-with-intercept")->value));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "a line with intercept is undefined"));
}
END_TEST

START_TEST(zero_x_leaves_the_ratios_undefined)
{
    static const double x[] = {0, 1, 2}, y[] = {0.1, 1, 2};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_close(fit.estimate[0].value, 1, 1e-15, 0);
    ck_assert(isnan(fit.estimate[1].value) && isnan(fit.estimate[2].value));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "ratios y/x are undefined"));
}
END_TEST

START_TEST(nothing_but_zeros)
{
    static const double zero[] = {0, 0, 0}, x[] = {1, 2, 3};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(zero, x, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_assert_str_eq(fit.sentence, "x is 0 in all 3 points, so there is no slope");
    ck_assert_uint_eq(fit.n_estimates, 5);
    ck_assert_int_eq(ws_fit_origin(x, zero, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_close(fit.estimate[0].value, 0, 0, 0);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "y is 0 in all 3 points"));
    ck_assert_int_eq(ws_fit_origin(NULL, NULL, 0, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_uint_eq(fit.n_estimates, 5);
}
END_TEST

START_TEST(perfect_proportion)
{
    static const double x[] = {1, 2, 3, 4, 7}, y[] = {0.3, 0.6, 0.9, 1.2, 2.1};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, y, 5, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
    for (size_t i = 0; i < 4; i++)
        ck_close(fit.estimate[i].value, 0.3, 1e-15, 0);
    ck_assert(isnan(fit.aic));
}
END_TEST

START_TEST(values_out_of_range_are_refused)
{
    static const double x[] = {1e-310, 1}, y[] = {1e10, 1};
    ws_fit fit;
    ws_error error = {0};
    ck_assert_int_eq(ws_fit_origin(x, y, 2, 0.95, &fit, NULL, &error), WS_DATA);
    ck_assert_ptr_nonnull(strstr(error.message, "another unit"));
}
END_TEST

/* Ratios 0.9, 1 and 1.1 with y known to 10 % in common: 0.1 / sqrt 3 and 0.1 add in squares, as do t(2) 4.3027 and 1.96
 * times them. p is that of the ratios alone. */
START_TEST(a_common_factor_is_in_errors_and_in_words)
{
    static const double x[] = {1, 2, 3}, y[] = {0.9, 2, 3.3};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    double p = ws_fit_estimate(&fit, "mean-of-ratios")->p_value, sigma = fit.sigma;
    ws_fit_origin_allow_factor(x, y, 0.1, 0.95, &fit);
    const ws_estimate *ratio = ws_fit_estimate(&fit, "mean-of-ratios");
    ck_close(ratio->value, 1, 1e-15, 0);
    ck_close(ratio->se, 0.1 * sqrt(4. / 3), 1e-12, 0);
    ck_close(1 - ratio->ci_lo, 0.1 * sqrt(4.302653 * 4.302653 / 3 + 1.959964 * 1.959964), 1e-6, 0);
    ck_close(ratio->ci_hi - 1, 1 - ratio->ci_lo, 1e-12, 0);
    ck_assert_double_eq(ratio->p_value, p);
    ck_assert(isnan(ws_fit_estimate(&fit, "intercept")->p_value));
    ck_assert_double_eq(fit.sigma, sigma);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "y per x 1.00 ± 0.12 (mean of ratios"));
    ck_assert_ptr_null(strstr(strstr(fit.sentence, "mean of ratios") + 1, "(mean of ratios")); /* said once */
}
END_TEST

/* Two equal ratios have no spread to tell of, and are not known any better for it. */
START_TEST(a_common_factor_is_known_where_ratios_agree)
{
    static const double x[] = {1, 2, 3}, y[] = {2, 4, 6};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_origin(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ws_fit_origin_allow_factor(x, y, 0.1, 0.95, &fit);
    ck_close(ws_fit_estimate(&fit, "slope")->se, 0.2, 1e-6, 0);
    ws_fit_origin_allow_factor(x, y, 0, 0.95, &fit);
    ck_close(ws_fit_estimate(&fit, "slope")->se, 0.2, 1e-6, 0);
}
END_TEST

TEST_MAIN("fit origin", a_common_factor_is_in_errors_and_in_words, a_common_factor_is_known_where_ratios_agree,
          reference_case, sisters_of_the_reference_case, by_hand, one_point_has_a_ratio_and_no_error,
          same_x_everywhere_still_has_a_slope, zero_x_leaves_the_ratios_undefined, nothing_but_zeros,
          perfect_proportion, values_out_of_range_are_refused)
