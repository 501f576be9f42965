#include "fit/fit.h"
#include "tests/fit/reference.h"

START_TEST(reference_case)
{
    reference data = reference_load("case15_multiple_regression_power");
    const double *const columns[] = {data.column[0], data.column[1]};
    static const char *const names[] = {"samples", "passes"};
    double residual[REFERENCE_ROWS];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_regression(columns, names, 2, data.column[2], data.n, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert_uint_eq(fit.n_estimates, 3);
    for (size_t i = 0; i < 3; i++) {
        const ws_estimate *e = &fit.estimate[i];
        const struct {
            const char *key;
            double got;
        } checks[] = {
            {"coef", e->value}, {"se", e->se}, {"p", e->p_value}, {"ci95_low", e->ci_lo}, {"ci95_high", e->ci_hi}};
        for (size_t c = 0; c < sizeof checks / sizeof *checks; c++) {
            char path[40];
            snprintf(path, sizeof path, "%s.%s", checks[c].key, e->name);
            ck_reference(&data, checks[c].got, path);
        }
    }
    ck_reference(&data, fit.rss, "rss");
    ck_reference(&data, fit.sigma, "residual_se");
    ck_reference(&data, fit.r2, "r_squared");
    ck_reference(&data, fit.aicc, "aicc_ml_k_plus_1");
    ck_reference(&data, fit.bic, "bic_ml_k_plus_1");
    /* partial correlation from t: t / sqrt(t^2 + df) */
    double t = fit.estimate[1].value / fit.estimate[1].se;
    ck_reference(&data, t / sqrt(t * t + fit.df), "partial_correlation.samples_given_passes");
    ck_assert_str_eq(fit.sentence,
                     "samples 61.2 ± 1.8 (p < 0.001), passes 3.90 ± 0.13 (p < 0.001); 24 points, R2 0.991");
    json_decref(data.expected);
}
END_TEST

START_TEST(constant_batch_size_is_collinear)
{
    reference data = reference_load("case28_collinear_constant_lbs");
    const double *const columns[] = {data.column[0], data.column[1]};
    static const char *const names[] = {"samples", "passes"};
    double residual[REFERENCE_ROWS];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_regression(columns, names, 2, data.column[2], data.n, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_COLLINEAR);
    ck_assert_uint_eq(fit.n_estimates, 3);
    ck_assert(isnan(fit.estimate[1].value) && isnan(fit.r2) && isnan(residual[0]));
    ck_assert_str_eq(fit.sentence, "passes = 0.00390625 samples in all 10 points, so their effects cannot be told "
                                   "apart; leave one out, or add points where the relation differs");
    /* one of them alone is fine */
    ck_assert_int_eq(ws_fit_regression(columns, names, 1, data.column[2], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_reference(&data, fit.estimate[0].value, "samples_only.intercept");
    ck_reference(&data, fit.estimate[1].value, "samples_only.slope");
    ck_reference(&data, fit.estimate[1].se, "samples_only.se_slope");
    ck_reference(&data, fit.r2, "samples_only.r_squared");
    json_decref(data.expected);
}
END_TEST

/* A ratio that no double holds exactly: what remains is the rounding of the quotients. */
START_TEST(rounded_quotients_are_collinear)
{
    double a[20], b[20], c[20], y[20];
    const double *const columns[] = {a, b, c};
    static const char *const names[] = {"a", "b", "c"};
    ws_fit fit;
    for (size_t i = 0; i < 20; i++) {
        a[i] = 1000 + sqrt((double)i);
        b[i] = cos((double)i);
        c[i] = 3 - a[i] / 7 + 0.1 * b[i];
        y[i] = sin(3.0 * (double)i);
    }
    ck_assert_int_eq(ws_fit_regression(columns, names, 3, y, 20, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_COLLINEAR);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "c = 3 - 0.142857 a + 0.1 b in all 20 points"));
}
END_TEST

/* A small difference of large columns: its rounding is that of the large ones. */
START_TEST(differences_are_collinear)
{
    double a[20], b[20], c[20], y[20];
    const double *const columns[] = {a, b, c};
    static const char *const names[] = {"end_s", "start_s", "wall_s"};
    ws_fit fit;
    for (size_t i = 0; i < 20; i++) {
        a[i] = 1.7e9 + 1e3 * sqrt((double)i);
        b[i] = 1.7e9 + 10 * sin((double)i);
        c[i] = a[i] - b[i];
        y[i] = cos((double)i);
    }
    ck_assert_int_eq(ws_fit_regression(columns, names, 3, y, 20, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_COLLINEAR);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "wall_s = end_s - start_s in all 20 points"));
}
END_TEST

START_TEST(constant_predictor_is_named)
{
    static const double a[] = {1, 2, 3, 4}, b[] = {256, 256, 256, 256}, y[] = {1, 2, 2, 5};
    const double *const columns[] = {a, b};
    static const char *const names[] = {"gpus", "lbs"};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_regression(columns, names, 2, y, 4, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_COLLINEAR);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "lbs is 256 in all 4 points"));
}
END_TEST

START_TEST(near_collinearity_is_told)
{
    static const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {2.01, 4, 5.99, 8.02, 10, 12}, y[] = {1, 3, 2, 5, 4, 7};
    const double *const columns[] = {a, b};
    static const char *const names[] = {"a", "b"};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_regression(columns, names, 2, y, 6, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "is nearly determined by the others (variance inflation"));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "not distinguishable from zero"));
}
END_TEST

/* With one predictor it is the line. */
START_TEST(one_predictor_is_the_line)
{
    reference data = reference_load("case01_ols_intercept");
    const double *const columns[] = {data.column[0]};
    static const char *const names[] = {"gpu_hours"};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_regression(columns, names, 1, data.column[1], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_reference(&data, fit.estimate[0].value, "coef.intercept");
    ck_reference(&data, fit.estimate[1].value, "coef.slope");
    ck_reference(&data, fit.estimate[1].se, "se.slope");
    json_decref(data.expected);
}
END_TEST

START_TEST(as_many_points_as_coefficients)
{
    static const double a[] = {1, 2, 4}, b[] = {1, 0, 0}, y[] = {6, 5, 9};
    const double *const columns[] = {a, b};
    static const char *const names[] = {"a", "b"};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_regression(columns, names, 2, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_EXACT); /* y = 1 + 2 a + 3 b */
    ck_close(fit.estimate[0].value, 1, 1e-15, 0);
    ck_close(fit.estimate[1].value, 2, 1e-15, 0);
    ck_close(fit.estimate[2].value, 3, 1e-15, 0);
    ck_assert(isnan(fit.estimate[1].se));
    ck_assert_int_eq(ws_fit_regression(columns, names, 2, y, 2, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(fit.sentence, "2 points: fewer than the 3 that the model needs");
}
END_TEST

START_TEST(constant_y)
{
    static const double a[] = {1, 2, 4, 5}, y[] = {0.1, 0.1, 0.1, 0.1};
    const double *const columns[] = {a};
    static const char *const names[] = {"a"};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_regression(columns, names, 1, y, 4, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    ck_assert(isnan(fit.r2));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "y is 0.1 in all 4 points"));
}
END_TEST

START_TEST(bad_requests)
{
    static const double a[] = {1, INFINITY};
    const double *columns[WS_FIT_MAX_ESTIMATES];
    const char *names[WS_FIT_MAX_ESTIMATES];
    ws_fit fit;
    ws_error error = {0};
    for (size_t j = 0; j < WS_FIT_MAX_ESTIMATES; j++) {
        columns[j] = a;
        names[j] = "wall_s";
    }
    ck_assert_int_eq(ws_fit_regression(columns, names, WS_FIT_MAX_ESTIMATES, a, 2, 0.95, &fit, NULL, &error), WS_USAGE);
    ck_assert_str_eq(error.message, "a regression takes 1 to 11 predictors, not 12");
    ws_error_clear(&error);
    ck_assert_int_eq(ws_fit_regression(columns, names, 0, a, 2, 0.95, &fit, NULL, &error), WS_USAGE);
    ws_error_clear(&error);
    ck_assert_int_eq(ws_fit_regression(columns, names, 1, a, 2, 0.95, &fit, NULL, &error), WS_DATA);
    ck_assert_str_eq(error.message, "wall_s of point 2 is not a finite number; leave the point out");
}
END_TEST

TEST_MAIN("fit regression", reference_case, constant_batch_size_is_collinear, rounded_quotients_are_collinear,
          differences_are_collinear, constant_predictor_is_named, near_collinearity_is_told, one_predictor_is_the_line,
          as_many_points_as_coefficients, constant_y, bad_requests)
