/* Means of configurations, their spread, and the tests that warn. */
#include "harness.h"

#include "fit/laws/predict.h"
#include "fit/means.h"

#include <math.h>

static const double x[] = {1, 1, 2, 4, 4, 4}, y[] = {10, 12, 7, 2, 4, 3};
static const size_t unit[] = {3, 3, 0, 5, 5, 5};

START_TEST(arithmetic_means)
{
    ws_means m;
    ck_assert_int_eq(ws_means_take(x, y, unit, 6, false, &m, NULL), WS_OK);
    ck_assert_uint_eq(m.n, 3);
    ck_assert_uint_eq(m.n_runs, 6);
    ck_close(m.y[0], 11, 1e-15, 0);
    ck_close(m.y[1], 7, 1e-15, 0);
    ck_close(m.y[2], 3, 1e-15, 0);
    ck_assert(m.x[0] == 1 && m.x[1] == 2 && m.x[2] == 4 && m.same_x);
    ck_assert_uint_eq(m.count[2], 3);
    ck_assert_uint_eq(m.first[2], 3);
    ck_assert_uint_eq(m.of[4], 2);
    /* squares 1 + 1 + 0 + 1 + 1 + 0 over 6 - 3 degrees of freedom */
    ck_close(m.repeat_sd, sqrt(4.0 / 3), 1e-14, 0);
    ck_close(m.repeat_df, 3, 0, 0);
    ck_close(m.sd[0], sqrt(2), 1e-14, 0);
    ck_assert(isnan(m.sd[1]));
    ck_close(m.sd[2], 1, 1e-14, 0);
    /* a run varies by 4/3 about its configuration's mean, which itself has 1/2, 1 and 1/3 of that */
    ck_close(m.one_more, 4.0 / 3 * (1 - (0.5 + 1 + 1.0 / 3) / 3), 1e-14, 0);
    ws_means_free(&m);
    ws_means_free(&m);
}
END_TEST

START_TEST(geometric_means)
{
    static const double hours[] = {10, 40, 7}, energy[] = {1, 9, 5};
    static const size_t of[] = {0, 0, 1};
    ws_means m;
    ck_assert_int_eq(ws_means_take(hours, energy, of, 3, true, &m, NULL), WS_OK);
    ck_close(m.x[0], 20, 1e-14, 0);
    ck_close(m.y[0], 3, 1e-14, 0);
    ck_assert(!m.same_x);
    ck_close(m.repeat_sd, sqrt(2) * log(3), 1e-14, 0); /* +-ln 3 about the mean, one degree of freedom */
    ws_means_free(&m);
}
END_TEST

START_TEST(without_repeats)
{
    static const size_t apart[] = {0, 1, 2, 3, 4, 5};
    ws_means m;
    ws_fit fit;
    ck_assert_int_eq(ws_means_take(x, y, apart, 6, false, &m, NULL), WS_OK);
    ck_assert_uint_eq(m.n, 6);
    ck_assert(isnan(m.repeat_sd) && m.repeat_df == 0 && m.one_more == 0);
    ck_assert(isnan(m.sd[0]));
    ck_assert_int_eq(ws_fit_line(x, y, 6, 0.95, &fit, NULL, NULL), WS_OK);
    ws_fit before = fit;
    ws_means_describe(&m, &fit);
    ck_assert_str_eq(before.sentence, fit.sentence);
    ck_assert_uint_eq(fit.n_runs, 6);
    ws_means_free(&m);
}
END_TEST

/* A further run of a new configuration varies as a mean does, and by its own repeat's error on top. */
START_TEST(one_further_run)
{
    static const double at[] = {2};
    ws_means m;
    ws_fit fit;
    ws_prediction plain, p;
    ck_assert_int_eq(ws_means_take(x, y, unit, 6, false, &m, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(m.x, m.y, m.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_predict(&fit, m.x, m.n, 0.95, at, 1, &plain, NULL), WS_OK);
    ws_means_describe(&m, &fit);
    ck_assert_int_eq(ws_predict(&fit, m.x, m.n, 0.95, at, 1, &p, NULL), WS_OK);
    const double t1 = 12.706204736432095; /* P(|T| <= t) = 0.95 with one degree of freedom */
    ck_close(p.ci_hi, plain.ci_hi, 1e-14, 0);
    ck_close(pow((p.hi - p.value) / t1, 2) - pow((plain.hi - plain.value) / t1, 2), m.one_more, 1e-9, 0);
    ws_means_free(&m);
}
END_TEST

/* Five configurations of two runs that differ by more as y grows: ranks in perfect order, p = 2 / 5! = 1/60. */
START_TEST(spread_grows_with_level)
{
    double at[10], value[10];
    size_t of[10];
    ws_means m;
    ws_test test;
    for (size_t i = 0; i < 10; i++) {
        of[i] = i / 2;
        at[i] = (double)(i / 2);
        value[i] = 100 * (1 + at[i]) + (i % 2 ? 1 : -1) * (1 + at[i]);
    }
    ck_assert_int_eq(ws_means_take(at, value, of, 10, false, &m, NULL), WS_OK);
    ck_assert_int_eq(ws_means_spread_test(&m, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_OK);
    ck_close(test.statistic, 1, 1e-15, 0);
    ck_close(test.p_value, 1.0 / 60, 1e-12, 0);
    ck_assert_ptr_nonnull(strstr(test.sentence, "repeats spread more where y is larger"));
    ws_means_free(&m);
    ck_assert_int_eq(ws_means_take(at, value, of, 8, false, &m, NULL), WS_OK); /* four of them: too few for ranks */
    ck_assert_int_eq(ws_means_spread_test(&m, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
    ws_means_free(&m);
}
END_TEST

/* x = 1, 2, 4, 8: mean 3.75, squares 7.5625 3.0625 0.0625 18.0625, so that the last decides 62.8 %; and y spans four.
 */
START_TEST(one_point_decides)
{
    static const double at[] = {1, 2, 4, 8}, wide[] = {1, 2, 3, 4}, narrow[] = {2, 3, 4, 5};
    ws_test test;
    ws_leverage_of_one(at, wide, 4, &test);
    ck_close(test.statistic, 18.0625 / 28.75, 1e-14, 0);
    ck_assert_ptr_nonnull(strstr(test.sentence, "one of 4 points decides 63 % of the slope"));
    ws_leverage_of_one(at, narrow, 4, &test);
    ck_assert_str_eq(test.sentence, "");
}
END_TEST

START_TEST(values_that_span_much)
{
    static const double falls[] = {3600, 1800, 900, 450, 225, 112.5}, less[] = {1000, 600, 400, 300, 200, 100};
    ws_test test;
    ws_span_of_values(falls, 6, &test);
    ck_close(test.statistic, 32, 1e-14, 0);
    ck_assert_ptr_nonnull(strstr(test.sentence, "y spans a factor of 32 over 6 points"));
    ws_span_of_values(falls, 5, &test); /* a factor of 16, but few points */
    ck_assert_str_eq(test.sentence, "");
    ws_span_of_values(less, 6, &test); /* a factor of 10, no more */
    ck_assert_str_eq(test.sentence, "");
}
END_TEST

/* Four points at 1 and -1, and one at d: it decides 16 d^2 / (100 + 20 d^2) of the slope. */
START_TEST(how_much_one_point_may_decide)
{
    static const double low[] = {1, 1.5, 2, 2.5, 2.9}, high[] = {1, 1.5, 2, 2.5, 3.1};
    static const struct {
        double share;
        const double *y;
        bool is_told;
    } cases[] = {{0.59, high, false}, {0.61, high, true}, {0.61, low, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double d = sqrt(100 * cases[c].share / (16 - 20 * cases[c].share)), far_off[] = {-1, -1, 1, 1, d}, in_logs[5];
        ws_test test;
        ws_leverage_of_one(far_off, cases[c].y, 5, &test);
        ck_close(test.statistic, cases[c].share, 1e-12, 0);
        ck_assert_int_eq(test.sentence[0] != 0, cases[c].is_told);
        for (size_t i = 0; i < 5; i++)
            in_logs[i] = exp(far_off[i]);
        ws_leverage_in_logs(in_logs, cases[c].y, 5, &test);
        ck_close(test.statistic, cases[c].share, 1e-12, 0);
        ck_assert_int_eq(test.sentence[0] != 0, cases[c].is_told);
    }
}
END_TEST

START_TEST(how_much_values_may_span)
{
    static const double more[] = {1, 3, 5, 7, 9, 10.1};
    ws_test test;
    ws_span_of_values(more, 6, &test);
    ck_assert_ptr_nonnull(strstr(test.sentence, "y spans a factor of 10 over 6 points"));
}
END_TEST

TEST_MAIN("means", arithmetic_means, geometric_means, without_repeats, one_further_run, spread_grows_with_level,
          one_point_decides, values_that_span_much, how_much_one_point_may_decide, how_much_values_may_span)
