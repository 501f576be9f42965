#include "fit/tests/repeats.h"
#include "tests/fit/reference.h"

START_TEST(reference_case)
{
    reference data = reference_load("case04_lack_of_fit");
    double x[REFERENCE_ROWS], y[REFERENCE_ROWS];
    size_t group[REFERENCE_ROWS];
    for (size_t i = 0; i < data.n; i++) {
        x[i] = log(data.column[0][i]);
        y[i] = log(data.column[2][i]);
        group[i] = (size_t)lround(log2(data.column[0][i])) - 2;
    }
    ws_repeats r;
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_line(x, y, data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_repeats_find(x, y, data.n, &r, NULL), WS_OK);
    ck_reference(&data, r.pure_error, "lack_of_fit.ss_pure_error");
    ck_reference(&data, r.df, "lack_of_fit.df_pure_error");
    ws_lack_of_fit(&r, fit.rss, 2, &test);
    ck_assert_int_eq(test.status, WS_FIT_OK);
    ck_reference(&data, test.statistic, "lack_of_fit.F");
    ck_reference(&data, test.p_value, "lack_of_fit.p");
    ck_reference(&data, test.df1, "lack_of_fit.df_lack_of_fit");
    ws_repeats_free(&r);
    ws_repeats_free(&r);
    ck_assert_int_eq(ws_bartlett(y, group, data.n, 6, &test, NULL), WS_OK);
    ck_reference(&data, test.statistic, "bartlett_ln_time.stat");
    ck_reference(&data, test.p_value, "bartlett_ln_time.p");
    ck_assert_int_eq(ws_brown_forsythe(y, group, data.n, 6, &test, NULL), WS_OK);
    ck_reference(&data, test.statistic, "brown_forsythe_ln_time.stat");
    ck_reference(&data, test.p_value, "brown_forsythe_ln_time.p");
    json_decref(data.expected);
}
END_TEST

/* x 1, 2, 3 with two repeats each: means 1, 3, 4, pure error 3 * 2 * 0.5^2 = 1.5 with 3 degrees of freedom, s^2 = 1/2.
 * The line through the means: slope 3/2, intercept -1/3; each mean has variance s^2 / 2 = 1/4, so var slope = 1/8 and
 * var intercept = 1/4 (1/3 + 4/2) = 7/12. rss of the means 1/6, chi2 = 2/3. */
START_TEST(line_through_means_by_hand)
{
    static const double x[] = {3, 1, 2, 1, 2, 3}, y[] = {3.5, 0.5, 2.5, 1.5, 3.5, 4.5};
    ws_repeats r;
    ws_weighted w;
    double residual[3];
    ck_assert_int_eq(ws_repeats_find(x, y, 6, &r, NULL), WS_OK);
    ck_close(r.pooled_sd, sqrt(0.5), 1e-15, 0);
    ck_assert_int_eq(ws_fit_repeats(&r, 0.95, &w, residual, NULL), WS_OK);
    ck_close(w.fit.estimate[0].value, -1.0 / 3, 1e-14, 0);
    ck_close(w.fit.estimate[0].se, sqrt(7.0 / 12), 1e-14, 0);
    ck_close(w.fit.estimate[1].value, 1.5, 1e-15, 0);
    ck_close(w.fit.estimate[1].se, sqrt(0.125), 1e-14, 0);
    ck_close(w.fit.rss, 2.0 / 3, 1e-13, 0);
    /* 3 degrees of freedom: those of the repeats, not the single one of three means. */
    ck_close(w.fit.estimate[1].ci_hi, 1.5 + 3.182446305284263 * sqrt(0.125), 1e-9, 0);
    ck_close(residual[1], 1.0 / 3, 1e-13, 0);
    ws_repeats_free(&r);
}
END_TEST

/* Ten repeats speak for themselves; three take the pooled spread. */
START_TEST(own_spread_from_ten)
{
    double x[13], y[13];
    for (size_t i = 0; i < 13; i++) {
        x[i] = i < 10 ? 1 : 2;
        y[i] = i < 10 ? (double)(i % 2) : (double)i;
    }
    ws_repeats r;
    ck_assert_int_eq(ws_repeats_find(x, y, 13, &r, NULL), WS_OK);
    ck_close(r.pure_error, 2.5 + 2, 1e-15, 0);
    ck_close(r.variance_of_mean[0], 2.5 / 9 / 10, 1e-14, 0);
    ck_close(r.variance_of_mean[1], 4.5 / 11 / 3, 1e-14, 0);
    ws_repeats_free(&r);
}
END_TEST

/* Two groups of two, ln(y / x) = +-e and d +- e: pure error 4 e^2 with 2 degrees of freedom, F = d^2 / (2 e^2) with 1
 * and 2, whose tail is 1 - t / sqrt(t^2 + 2) for t^2 = F. A tenth between the means misleads, less does not. */
START_TEST(ratios_differ_by_hand)
{
    static const struct {
        double apart, e, relative;
        bool differ;
    } cases[] = {{1.11, 0.01, 0, true},      {1.09, 0.01, 0, false},   {1.11, 0.5, 0, false}, {1.11, 0.01, 0.002, true},
                 {1.11, 0.01, 0.003, false}, {1.5, 0.01, 0.003, true}, {1.5, 0, 0, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double x[] = {2, 3, 10, 20}, e = cases[c].e, d = log(cases[c].apart), f = d * d / (2 * e * e);
        const double y[] = {2 * exp(e), 3 * exp(-e), 10 * exp(d + e), 20 * exp(d - e)};
        const size_t group[] = {0, 0, 1, 1};
        ws_test test;
        ck_assert_int_eq(ws_ratios_differ(x, y, group, 4, 2, cases[c].relative, 0.95, &test), cases[c].differ);
        if (e > 0) {
            ck_assert_double_eq_tol(test.statistic, f, 1e-9 * f);
            ck_assert_double_eq_tol(test.p_value, 1 - sqrt(f / (f + 2)), 1e-9);
        }
    }
    const double x[] = {1, 2, 0}, y[] = {1, 3, 1};
    const size_t apart[] = {0, 1, 0};
    ws_test test;
    ck_assert(!ws_ratios_differ(x, y, apart, 2, 2, 0, 0.95, &test)); /* one run each */
    ck_assert(!ws_ratios_differ(x, y, apart, 3, 2, 0, 0.95, &test)); /* no ratio */
}
END_TEST

START_TEST(no_repeats)
{
    static const double x[] = {1, 2, 3}, y[] = {1, 3, 4}, twice_x[] = {1, 1, 2, 2}, twice_y[] = {5, 5, 7, 7};
    ws_repeats r;
    ws_test test;
    ws_weighted w;
    ck_assert_int_eq(ws_repeats_find(x, y, 3, &r, NULL), WS_OK);
    ck_assert(isnan(r.sd[0]) && isnan(r.pooled_sd));
    ws_lack_of_fit(&r, 1, 2, &test);
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(test.sentence, "no x was measured twice: no pure error to test the fit against");
    ck_assert_int_eq(ws_fit_repeats(&r, 0.95, &w, NULL, NULL), WS_OK);
    ck_assert_int_eq(w.fit.status, WS_FIT_TOO_FEW);
    ck_assert(isnan(w.fit.estimate[1].se) && strstr(w.fit.sentence, "undefined"));
    ws_repeats_free(&r);
    ck_assert_int_eq(ws_repeats_find(twice_x, twice_y, 4, &r, NULL), WS_OK);
    ws_lack_of_fit(&r, 0, 2, &test);
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(test.sentence, "2 values of x for 2 coefficients: no room for a lack of fit");
    ws_lack_of_fit(&r, 0, 1, &test);
    ck_assert_int_eq(test.status, WS_FIT_PERFECT);
    ck_assert_int_eq(ws_fit_repeats(&r, 0.95, &w, NULL, NULL), WS_OK);
    ck_assert_int_eq(w.fit.status, WS_FIT_PERFECT);
    ck_close(w.fit.estimate[1].value, 2, 1e-14, 0);
    ck_assert(isnan(w.fit.estimate[1].se));
    ws_repeats_free(&r);
    ck_assert_int_eq(ws_repeats_find(NULL, NULL, 0, &r, NULL), WS_OK);
    ck_assert_uint_eq(r.n_groups, 0);
    ws_repeats_free(&r);
}
END_TEST

START_TEST(groups_that_cannot_be_compared)
{
    static const double y[] = {1, 2, 3, 3, 5};
    static const size_t one[] = {0, 0, 1, 2, 3}, two[] = {0, 0, 1, 1, 2};
    ws_test test;
    ck_assert_int_eq(ws_bartlett(y, one, 5, 4, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
    ck_assert_int_eq(ws_bartlett(y, two, 5, 3, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_CONSTANT);
    ck_assert(isnan(test.statistic) && test.sentence[0]);
    ck_assert_int_eq(ws_brown_forsythe(y, two, 5, 3, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_PERFECT);
    ck_assert(test.sentence[0]);
}
END_TEST

/* Nine repeats and ten of 0, 2, 0, 2 ... beside three of 10, 20, 30: only the ten are weighed by their own spread. */
START_TEST(ten_repeats_tell_their_own_spread)
{
    double place[22], result[22];
    size_t n = 0;
    ws_repeats r;
    for (size_t i = 0; i < 9; i++, n++)
        place[n] = 1, result[n] = i % 2 ? 2 : 0;
    for (size_t i = 0; i < 10; i++, n++)
        place[n] = 2, result[n] = i % 2 ? 2 : 0;
    for (size_t i = 1; i <= 3; i++, n++)
        place[n] = 3, result[n] = 10 * (double)i;
    double of_nine = 80. / 9, of_ten = 10, of_three = 200, pooled = (of_nine + of_ten + of_three) / 19;
    ck_assert_int_eq(ws_repeats_find(place, result, n, &r, NULL), WS_OK);
    ck_close(r.variance_of_mean[0], pooled / 9, 1e-12, 0);
    ck_close(r.variance_of_mean[1], of_ten / 9 / 10, 1e-12, 0);
    ws_repeats_free(&r);
}
END_TEST

TEST_MAIN("fit repeats", reference_case, line_through_means_by_hand, own_spread_from_ten, ratios_differ_by_hand,
          no_repeats, groups_that_cannot_be_compared, ten_repeats_tell_their_own_spread)
