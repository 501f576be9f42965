#include "fit/linear/robust.h"
#include "tests/fit/reference.h"

START_TEST(theil_sen_reference_case)
{
    reference data = reference_load("case17_outliers_robust");
    ws_fit fit;
    double residual[REFERENCE_ROWS];
    ck_assert_int_eq(ws_fit_theil_sen(data.column[0], data.column[1], data.n, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_reference(&data, fit.estimate[0].value, "theil_sen.slope");
    ck_reference(&data, fit.estimate[0].ci_lo, "theil_sen.slope_ci95_kendall.0");
    ck_reference(&data, fit.estimate[0].ci_hi, "theil_sen.slope_ci95_kendall.1");
    ck_reference(&data, ws_fit_estimate(&fit, "intercept")->value, "theil_sen.intercept_median_of_y_minus_bx");
    ck_reference(&data, ws_fit_estimate(&fit, "intercept-conover")->value, "theil_sen.intercept_conover");
    ck_close(ws_median(residual, data.n), 0, 0, 1e-12);
    json_decref(data.expected);
    data = reference_load("case14_correlations_ties");
    ck_assert_int_eq(ws_fit_theil_sen(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_reference(&data, fit.estimate[0].value, "slope_theil_sen");
    json_decref(data.expected);
}
END_TEST

START_TEST(huber_reference_case)
{
    reference data = reference_load("case17_outliers_robust");
    ws_fit fit;
    double weight[REFERENCE_ROWS];
    ck_assert_int_eq(ws_fit_huber(data.column[0], data.column[1], data.n, 0.95, &fit, NULL, weight, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    data.tolerance = reference_number(&data, "huber.tolerance");
    ck_reference(&data, fit.estimate[0].value, "huber.intercept");
    ck_reference(&data, fit.estimate[1].value, "huber.slope");
    ck_reference(&data, fit.sigma, "huber.scale_mad_about_zero");
    for (size_t i = 0; i < data.n; i++) {
        char path[40];
        snprintf(path, sizeof path, "huber.weights.%zu", i);
        ck_reference(&data, weight[i], path);
    }
    ck_assert_ptr_nonnull(strstr(fit.sentence, "2 of them with less than half their weight"));
    json_decref(data.expected);
}
END_TEST

/* No residual beyond k scales: ordinary least squares, its covariance with sum e^2 / (n - 2). */
START_TEST(huber_without_outliers)
{
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {2.1, 3.9, 6.1, 7.9, 10.1, 11.9};
    ws_fit fit, line;
    ck_assert_int_eq(ws_fit_huber(x, y, 6, 0.95, &fit, NULL, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, 6, 0.95, &line, NULL, NULL), WS_OK);
    for (size_t j = 0; j < 2; j++) {
        ck_close(fit.estimate[j].value, line.estimate[j].value, 1e-10, 1e-12);
        ck_close(fit.estimate[j].se, line.estimate[j].se, 1e-9, 0);
    }
}
END_TEST

/* Four points on y = 2x and a wild one: slopes 2 six times, and 99, 98/2.. of the wild one; the median stays 2. */
START_TEST(one_wild_point)
{
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 4, 6, 8, 500};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_theil_sen(x, y, 5, 0.95, &fit, NULL, NULL), WS_OK);
    ck_close(fit.estimate[0].value, 2, 1e-15, 0);
    ck_close(fit.estimate[1].value, 0, 0, 1e-15);
    double weight[5], residual[5];
    ck_assert_int_eq(ws_fit_huber(x, y, 5, 0.95, &fit, residual, weight, NULL), WS_OK);
    ck_assert_msg(fit.status == WS_FIT_PERFECT || fit.status == WS_FIT_NOT_CONVERGED, "%s", fit.sentence);
    ck_assert(isnan(fit.estimate[1].value) && isnan(weight[0]) && isnan(residual[0]) && fit.sentence[0]);
}
END_TEST

START_TEST(no_robust_line)
{
    static const double x[] = {1, 2, 3}, y[] = {1, 2, 4}, flat[] = {3, 3, 3}, wide[] = {-1e308, 0, 1e308};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_theil_sen(flat, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert(fit.status == WS_FIT_CONSTANT && isnan(fit.estimate[0].value) && fit.sentence[0]);
    ck_assert_int_eq(ws_fit_huber(flat, y, 3, 0.95, &fit, NULL, NULL, NULL), WS_OK);
    ck_assert(fit.status == WS_FIT_CONSTANT && isnan(fit.estimate[0].value) && fit.sentence[0]);
    ck_assert_int_eq(ws_fit_theil_sen(x, y, 1, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_int_eq(ws_fit_theil_sen(x, y, 2, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert(fit.status == WS_FIT_EXACT && isnan(fit.estimate[0].ci_lo));
    ck_close(fit.estimate[0].value, 1, 1e-15, 0);
    ck_assert_int_eq(ws_fit_huber(x, y, 2, 0.95, &fit, NULL, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_EXACT);
    ck_assert_int_eq(ws_fit_theil_sen(x, wide, 3, 0.95, &fit, NULL, NULL), WS_DATA);
    ck_assert(isnan(ws_median(NULL, 0)));
    ck_close(ws_median(y, 2), 1.5, 0, 0);
}
END_TEST

TEST_MAIN("fit robust", theil_sen_reference_case, huber_reference_case, huber_without_outliers, one_wild_point,
          no_robust_line)
