#include "fit/linear/weighted.h"
#include "fit/tests/repeats.h"
#include "tests/fit/reference.h"

static void ck_line(const reference *data, const ws_fit *fit, const char *se)
{
    static const char *const names[] = {"ln_alpha", "minus_beta"};
    for (size_t j = 0; j < 2; j++) {
        char path[60];
        snprintf(path, sizeof path, "coef.%s", names[j]);
        ck_reference(data, fit->estimate[j].value, path);
        snprintf(path, sizeof path, "%s.%s", se, names[j]);
        ck_reference(data, fit->estimate[j].se, path);
    }
}

static void logs(const reference *data, size_t x, size_t y, double *ln_x, double *ln_y)
{
    for (size_t i = 0; i < data->n; i++) {
        ln_x[i] = log(data->column[x][i]);
        ln_y[i] = log(data->column[y][i]);
    }
}

START_TEST(weights_of_repeats)
{
    reference data = reference_load("case03_wls_repeats");
    ws_repeats r;
    ck_assert_int_eq(ws_repeats_find(data.column[0], data.column[2], data.n, &r, NULL), WS_OK);
    ck_assert_uint_eq(r.n_groups, 6);
    double x[6], y[6], weight[6], residual[6];
    for (size_t g = 0; g < 6; g++) {
        char path[60];
        snprintf(path, sizeof path, "groups.%zu.mean", g);
        ck_reference(&data, r.mean[g], path);
        snprintf(path, sizeof path, "groups.%zu.sd_n_minus_1", g);
        ck_reference(&data, r.sd[g], path);
        double se = r.sd[g] / sqrt((double)r.count[g]) / r.mean[g];
        x[g] = log(r.x[g]);
        y[g] = log(r.mean[g]);
        weight[g] = 1 / (se * se);
    }
    ws_repeats_free(&r);
    const double *const columns[] = {x};
    static const char *const names[] = {"slope"};
    ws_weighting weighting = {.weight = weight, .is_absolute = false, .df = 0};
    ws_weighted w;
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, 6, &weighting, 0.95, &w, residual, NULL), WS_OK);
    ck_assert_int_eq(w.fit.status, WS_FIT_OK);
    ck_line(&data, &w.fit, "se_scaled");
    ck_reference(&data, w.fit.rss, "chi2");
    ck_reference(&data, w.reduced_chi2, "reduced_chi2");
    ck_reference(&data, w.fit.sigma, "residual_se");
    ck_reference(&data, w.fit.r2, "r_squared");
    ck_reference(&data, w.fit.log_likelihood, "log_likelihood");
    ck_reference(&data, w.fit.aicc, "aicc_ml_k_plus_1");
    ck_reference(&data, w.fit.bic, "bic_ml_k_plus_1");
    ck_reference(&data, w.fit.estimate[1].p_value, "p.minus_beta");
    ck_reference(&data, w.fit.estimate[1].ci_lo, "ci95_low.minus_beta");
    ck_assert(isnan(w.chi2_p));
    double chi2 = 0;
    for (size_t g = 0; g < 6; g++)
        chi2 += weight[g] * residual[g] * residual[g];
    ck_reference(&data, chi2, "chi2");
    ck_assert_ptr_nonnull(strstr(w.fit.sentence, "scaled by the residuals"));

    weighting.is_absolute = true;
    weighting.df = INFINITY;
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, 6, &weighting, 0.95, &w, NULL, NULL), WS_OK);
    ck_line(&data, &w.fit, "se_absolute");
    ck_reference(&data, w.chi2_p, "p_chi2");
    const ws_estimate *slope = &w.fit.estimate[1];
    ck_close(slope->ci_hi - slope->value, 1.959963984540054 * slope->se, 1e-9, 0);
    ck_assert_ptr_nonnull(strstr(w.fit.sentence, "from the weights alone"));
    json_decref(data.expected);
}
END_TEST

START_TEST(inverse_square_weights)
{
    reference data = reference_load("case26_heteroscedastic");
    double weight[REFERENCE_ROWS];
    for (size_t i = 0; i < data.n; i++)
        weight[i] = 1 / (data.column[0][i] * data.column[0][i]);
    const double *const columns[] = {data.column[0]};
    static const char *const names[] = {"slope"};
    const ws_weighting weighting = {.weight = weight, .is_absolute = false, .df = 0};
    ws_weighted w;
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, data.column[1], data.n, &weighting, 0.95, &w, NULL, NULL),
                     WS_OK);
    ck_reference(&data, w.fit.estimate[0].value, "wls_1_over_x2.intercept");
    ck_reference(&data, w.fit.estimate[1].value, "wls_1_over_x2.slope");
    ck_reference(&data, w.fit.estimate[0].se, "wls_1_over_x2.se.0");
    ck_reference(&data, w.fit.estimate[1].se, "wls_1_over_x2.se.1");
    json_decref(data.expected);
}
END_TEST

/* A weight of 2 is the same point twice, except for the degrees of freedom. */
START_TEST(a_weight_is_a_repeat)
{
    static const double x[] = {1, 2, 4, 7}, y[] = {1, 3, 4, 9}, weight[] = {1, 2, 1, 2};
    static const double twice_x[] = {1, 2, 2, 4, 7, 7}, twice_y[] = {1, 3, 3, 4, 9, 9};
    const double *const columns[] = {x};
    static const char *const names[] = {"slope"};
    const ws_weighting weighting = {.weight = weight, .is_absolute = false, .df = 0};
    ws_weighted w;
    ws_fit line;
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, 4, &weighting, 0.95, &w, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(twice_x, twice_y, 6, 0.95, &line, NULL, NULL), WS_OK);
    for (size_t j = 0; j < 2; j++) {
        ck_close(w.fit.estimate[j].value, line.estimate[j].value, 1e-14, 1e-15); /* roots of weights are rounded */
        ck_close(w.fit.estimate[j].se, line.estimate[j].se * sqrt(4.0 / 2), 1e-14, 0);
    }
    ck_close(w.fit.r2, line.r2, 1e-14, 0);
}
END_TEST

/* Two points, standard deviations 1 and 2: slope y2 - y1, variance 1 + 4; intercept 2 y1 - y2, variance 4 + 4. */
START_TEST(known_variances_need_no_residuals)
{
    static const double x[] = {1, 2}, y[] = {3, 5}, weight[] = {1, 0.25};
    const double *const columns[] = {x};
    static const char *const names[] = {"slope"};
    const ws_weighting weighting = {.weight = weight, .is_absolute = true, .df = INFINITY};
    ws_weighted w;
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, 2, &weighting, 0.95, &w, NULL, NULL), WS_OK);
    ck_assert_int_eq(w.fit.status, WS_FIT_EXACT);
    ck_close(w.fit.estimate[0].value, 1, 1e-14, 0);
    ck_close(w.fit.estimate[0].se, sqrt(8), 1e-14, 0);
    ck_close(w.fit.estimate[1].se, sqrt(5), 1e-14, 0);
    ck_assert(isnan(w.chi2_p) && isnan(w.fit.aic));
}
END_TEST

START_TEST(sandwich_reference_case)
{
    reference data = reference_load("case26_heteroscedastic");
    const double *const columns[] = {data.column[0]};
    static const char *const names[] = {"slope"};
    for (ws_hc kind = WS_HC0; kind <= WS_HC3; kind++) {
        ws_fit fit;
        char path[60];
        ck_assert_int_eq(ws_fit_sandwich(columns, names, 1, data.column[1], data.n, kind, 0.95, &fit, NULL, NULL),
                         WS_OK);
        ck_reference(&data, fit.estimate[0].value, "coef.intercept");
        snprintf(path, sizeof path, "se_%s.intercept", ws_hc_name(kind));
        ck_reference(&data, fit.estimate[0].se, path);
        snprintf(path, sizeof path, "se_%s.slope", ws_hc_name(kind));
        ck_reference(&data, fit.estimate[1].se, path);
        ck_assert_ptr_nonnull(strstr(fit.sentence, ws_hc_name(kind)));
        ck_assert_ptr_null(strstr(fit.sentence, "rough"));
    }
    json_decref(data.expected);
}
END_TEST

/* The last point alone has x = 1: its residual is zero and its leverage 1. */
START_TEST(sandwich_and_leverage_of_one)
{
    static const double x[] = {0, 0, 0, 1}, y[] = {1, 2, 3, 9};
    const double *const columns[] = {x};
    static const char *const names[] = {"slope"};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_sandwich(columns, names, 1, y, 4, WS_HC3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert(isnan(fit.estimate[0].se) && isnan(fit.estimate[1].p_value));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "point 4 alone settles a coefficient, so HC3 is undefined"));
    ck_assert_int_eq(ws_fit_sandwich(columns, names, 1, y, 4, WS_HC1, 0.95, &fit, NULL, NULL), WS_OK);
    /* The intercept is the mean of three: HC1 variance 4/2 * (1 + 0 + 1) / 9. */
    ck_close(fit.estimate[0].se, sqrt(4.0 / 9), 1e-14, 0);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "rough"));
}
END_TEST

START_TEST(weights_that_are_none)
{
    static const double x[] = {1, 2, 3}, y[] = {1, 3, 4}, bad[] = {1, 0, 1}, flat[] = {2, 2, 2}, good[] = {1, 2, 1};
    const double *const columns[] = {x}, *const same[] = {flat};
    static const char *const names[] = {"gpus"};
    ws_weighting weighting = {.weight = bad, .is_absolute = false, .df = 0};
    ws_weighted w;
    ws_error error = {0};
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, 3, &weighting, 0.95, &w, NULL, &error), WS_DATA);
    ck_assert_str_eq(error.message, "weight of point 2 is not above zero; leave the point out");
    weighting = (ws_weighting){.weight = good, .is_absolute = true, .df = 0};
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, 3, &weighting, 0.95, &w, NULL, NULL), WS_USAGE);
    weighting.is_absolute = false;
    ck_assert_int_eq(ws_fit_weighted(same, names, 1, y, 3, &weighting, 0.95, &w, NULL, NULL), WS_OK);
    ck_assert_int_eq(w.fit.status, WS_FIT_COLLINEAR);
    ck_assert(w.fit.sentence[0] != '\0' && isnan(w.fit.estimate[1].value));
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, flat, 3, &weighting, 0.95, &w, NULL, NULL), WS_OK);
    ck_assert_int_eq(w.fit.status, WS_FIT_CONSTANT);
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, 1, &weighting, 0.95, &w, NULL, NULL), WS_OK);
    ck_assert_int_eq(w.fit.status, WS_FIT_TOO_FEW);
}
END_TEST

START_TEST(logs_of_one_case_agree)
{
    reference data = reference_load("case04_lack_of_fit");
    double x[REFERENCE_ROWS], y[REFERENCE_ROWS];
    ws_fit fit;
    logs(&data, 0, 2, x, y);
    ck_assert_int_eq(ws_fit_line(x, y, data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_line(&data, &fit, "se");
    json_decref(data.expected);
}
END_TEST

TEST_MAIN("fit weighted", weights_of_repeats, inverse_square_weights, a_weight_is_a_repeat,
          known_variances_need_no_residuals, sandwich_reference_case, sandwich_and_leverage_of_one,
          weights_that_are_none, logs_of_one_case_agree)
