#include "fit/tests/diagnostics.h"
#include "tests/fit/reference.h"

static const char *const names[] = {"x", "z"};

START_TEST(line_reference_case)
{
    reference data = reference_load("case01_ols_intercept");
    const double *const columns[] = {data.column[0]};
    ws_diagnostics d;
    ck_assert_int_eq(ws_diagnose(columns, names, 1, data.column[1], data.n, 0.95, &d, NULL), WS_OK);
    ck_assert_int_eq(d.status, WS_FIT_OK);
    for (size_t i = 0; i < data.n; i++) {
        char path[60];
        snprintf(path, sizeof path, "leverage.%zu", i);
        ck_reference(&data, d.point[i].leverage, path);
        snprintf(path, sizeof path, "cooks_distance.%zu", i);
        ck_reference(&data, d.point[i].cook, path);
        snprintf(path, sizeof path, "studentized_internal.%zu", i);
        ck_reference(&data, d.point[i].internal, path);
    }
    ck_reference(&data, d.press, "press");
    ck_reference(&data, d.durbin_watson.statistic, "durbin_watson");
    ck_reference(&data, d.breusch_pagan.statistic, "breusch_pagan_koenker.LM");
    ck_reference(&data, d.breusch_pagan.p_value, "breusch_pagan_koenker.p");
    ws_diagnostics_free(&d);
    ws_diagnostics_free(&d);
    json_decref(data.expected);
}
END_TEST

START_TEST(outlier_reference_case)
{
    reference data = reference_load("case17_outliers_robust");
    const double *const columns[] = {data.column[0]};
    ws_diagnostics d;
    ck_assert_int_eq(ws_diagnose(columns, names, 1, data.column[1], data.n, 0.95, &d, NULL), WS_OK);
    for (size_t i = 0; i < data.n; i++) {
        char path[60];
        snprintf(path, sizeof path, "ols.externally_studentised.%zu", i);
        ck_reference(&data, d.point[i].external, path);
        ck_assert((d.point[i].p_outlier < 0.05) ==
                  ((double)i == reference_number(&data, "ols.bonferroni_outlier_rows_0based.0")));
    }
    ck_assert_ptr_nonnull(strstr(d.sentence, "outliers: points 5"));
    ws_diagnostics_free(&d);
    json_decref(data.expected);
}
END_TEST

START_TEST(spread_reference_case)
{
    reference data = reference_load("case26_heteroscedastic");
    const double *const columns[] = {data.column[0]};
    ws_diagnostics d;
    ck_assert_int_eq(ws_diagnose(columns, names, 1, data.column[1], data.n, 0.95, &d, NULL), WS_OK);
    ck_reference(&data, d.breusch_pagan.statistic, "breusch_pagan_koenker.LM");
    ck_reference(&data, d.breusch_pagan.p_value, "breusch_pagan_koenker.p");
    ck_reference(&data, d.breusch_pagan_normal.statistic, "breusch_pagan_original.LM");
    ck_reference(&data, d.breusch_pagan_normal.p_value, "breusch_pagan_original.p");
    ck_reference(&data, d.jarque_bera.statistic, "jarque_bera.stat");
    ck_reference(&data, d.jarque_bera.p_value, "jarque_bera.p");
    data.tolerance = reference_number(&data, "shapiro_wilk.tolerance");
    ck_reference(&data, d.shapiro_wilk.statistic, "shapiro_wilk.W");
    ck_reference(&data, d.shapiro_wilk.p_value, "shapiro_wilk.p");
    ws_diagnostics_free(&d);
    json_decref(data.expected);
}
END_TEST

/* Residuals that take turns: d near 4; that drift: d near 0. */
START_TEST(order_of_residuals)
{
    double x[20], turns[20], drifts[20];
    for (size_t i = 0; i < 20; i++) {
        x[i] = (double)i;
        turns[i] = x[i] + (i % 2 ? 0.5 : -0.5) + 0.01 * (double)(i * i % 7);
        drifts[i] = x[i] + sin((double)i / 3);
    }
    const double *const columns[] = {x};
    ws_diagnostics d;
    ck_assert_int_eq(ws_diagnose(columns, names, 1, turns, 20, 0.95, &d, NULL), WS_OK);
    ck_assert(d.durbin_watson.statistic > 3.5 && d.durbin_watson.p_value <= 0.01);
    ck_assert_ptr_nonnull(strstr(d.sentence, "neighbouring residuals take turns"));
    ws_diagnostics_free(&d);
    ck_assert_int_eq(ws_diagnose(columns, names, 1, drifts, 20, 0.95, &d, NULL), WS_OK);
    ck_assert(d.durbin_watson.statistic < 0.5 && d.durbin_watson.p_value <= 0.01);
    ws_diagnostics_free(&d);
}
END_TEST

/* Three values 0, 0, 1 give the smallest W there is, 3/4, with p = 0; evenly spaced ones give 1. */
START_TEST(shapiro_of_three)
{
    static const double lowest[] = {0, 1, 0}, even[] = {3, 1, 2}, flat[] = {2, 2, 2};
    ws_test test;
    ck_assert_int_eq(ws_shapiro_wilk(lowest, 3, &test, NULL), WS_OK);
    ck_close(test.statistic, 0.75, 1e-14, 0);
    ck_close(test.p_value, 0, 0, 1e-12);
    ck_assert_int_eq(ws_shapiro_wilk(even, 3, &test, NULL), WS_OK);
    ck_close(test.statistic, 1, 1e-14, 0);
    ck_close(test.p_value, 1, 1e-7, 0);
    ck_assert_int_eq(ws_shapiro_wilk(flat, 3, &test, NULL), WS_OK);
    ck_assert(test.status == WS_FIT_CONSTANT && isnan(test.p_value));
    ck_assert_int_eq(ws_shapiro_wilk(even, 2, &test, NULL), WS_OK);
    ck_assert_str_eq(test.sentence, "2 values: Shapiro-Wilk takes 3 to 5000");
}
END_TEST

/* Weights of men from Shapiro and Wilk's paper, section 5.3; R's shapiro.test and its documents give 0.79 and 0.0067.
 */
START_TEST(shapiro_published)
{
    static const double weight[] = {148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236};
    ws_test test;
    ck_assert_int_eq(ws_shapiro_wilk(weight, 11, &test, NULL), WS_OK);
    ck_close(test.statistic, 0.79, 0.005, 0);
    ck_close(test.p_value, 0.0067, 0.01, 0);
}
END_TEST

START_TEST(nothing_to_diagnose)
{
    static const double x[] = {0, 0, 0, 0, 1}, y[] = {1, 2, 3, 2.5, 9}, line[] = {1, 1, 1, 1, 2};
    const double *const columns[] = {x};
    ws_diagnostics d;
    ck_assert_int_eq(ws_diagnose(columns, names, 1, y, 5, 0.95, &d, NULL), WS_OK);
    ck_assert(d.status == WS_FIT_OK && isnan(d.press) && isnan(d.point[4].external));
    ck_assert_ptr_nonnull(strstr(d.sentence, "a point of leverage 1"));
    ws_diagnostics_free(&d);
    ck_assert_int_eq(ws_diagnose(columns, names, 1, line, 5, 0.95, &d, NULL), WS_OK);
    ck_assert(d.status == WS_FIT_PERFECT && d.point == NULL && d.sentence[0] && isnan(d.durbin_watson.statistic));
    ck_assert_int_eq(ws_diagnose(columns, names, 1, y, 4, 0.95, &d, NULL), WS_OK);
    ck_assert(d.status == WS_FIT_COLLINEAR && d.sentence[0]);
}
END_TEST

TEST_MAIN("fit diagnostics", line_reference_case, outlier_reference_case, spread_reference_case, order_of_residuals,
          shapiro_of_three, shapiro_published, nothing_to_diagnose)
