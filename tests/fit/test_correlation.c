#include "fit/fit.h"
#include "tests/fit/reference.h"

START_TEST(pearson_reference_case)
{
    reference data = reference_load("case14_correlations_ties");
    ws_correlation c;
    ck_assert_int_eq(ws_pearson(data.column[0], data.column[1], data.n, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_OK);
    ck_reference(&data, c.r, "pearson.r");
    ck_reference(&data, c.p_value, "pearson.p");
    ck_reference(&data, c.ci_lo, "pearson.ci95_fisher.0");
    ck_reference(&data, c.ci_hi, "pearson.ci95_fisher.1");
    ck_assert(!c.p_is_exact);
    ck_assert_str_eq(c.sentence, "Pearson's r 0.607 (95 %: 0.112 to 0.860), p 0.021; 14 points");
    json_decref(data.expected);
}
END_TEST

START_TEST(spearman_reference_case)
{
    reference data = reference_load("case14_correlations_ties");
    ws_correlation c;
    ck_assert_int_eq(ws_spearman(data.column[0], data.column[1], data.n, 0.95, &c, NULL), WS_OK);
    ck_reference(&data, c.r, "spearman.rho");
    ck_reference(&data, c.p_value, "spearman.p_t_approx");
    ck_assert(!c.p_is_exact);
    /* Bonett and Wright: standard error of z is sqrt((1 + rho^2 / 2) / (n - 3)) */
    double rho = reference_number(&data, "spearman.rho");
    double half = 1.959963984540054 * sqrt((1 + rho * rho / 2) / 11);
    ck_close(c.ci_lo, tanh(atanh(rho) - half), 1e-9, 0);
    ck_close(c.ci_hi, tanh(atanh(rho) + half), 1e-9, 0);
    json_decref(data.expected);
}
END_TEST

START_TEST(kendall_reference_case)
{
    reference data = reference_load("case14_correlations_ties");
    ws_correlation c;
    ck_assert_int_eq(ws_kendall(data.column[0], data.column[1], data.n, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_OK);
    ck_reference(&data, c.r, "kendall_tau_b.tau");
    ck_reference(&data, c.p_value, "kendall_tau_b.p_normal_approx_tie_corrected");
    ck_assert(!c.p_is_exact && c.ci_lo < c.r && c.r < c.ci_hi);
    json_decref(data.expected);
}
END_TEST

/* Of the 4! orders 1, 3, 5, 6, 5, 3, 1 have 0, 1, ... 6 discordant pairs. One: 1 - 2/6, and 2 (1 + 3) / 24. */
START_TEST(kendall_exact)
{
    static const double x[] = {1, 2, 3, 4, 5}, one[] = {1, 3, 2, 4}, two[] = {2, 1, 4, 3}, down[] = {5, 4, 3, 2, 1},
                        half[] = {3, 1, 4, 2};
    ws_correlation c;
    ck_assert_int_eq(ws_kendall(x, one, 4, 0.95, &c, NULL), WS_OK);
    ck_close(c.r, 2.0 / 3, 1e-15, 0);
    ck_close(c.p_value, 8.0 / 24, 1e-14, 0);
    ck_assert(isnan(c.ci_lo) && strstr(c.sentence, "an interval needs 5"));
    ck_assert_int_eq(ws_kendall(x, two, 4, 0.95, &c, NULL), WS_OK);
    ck_close(c.p_value, 18.0 / 24, 1e-14, 0);
    ck_assert_int_eq(ws_kendall(x, half, 4, 0.95, &c, NULL), WS_OK);
    ck_close(c.r, 0, 0, 0);
    ck_close(c.p_value, 1, 0, 0);
    ck_assert_int_eq(ws_kendall(x, down, 5, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_PERFECT);
    ck_close(c.r, -1, 0, 0);
    ck_close(c.p_value, 2.0 / 120, 1e-14, 0);
}
END_TEST

START_TEST(pearson_of_the_regression_case)
{
    reference data = reference_load("case15_multiple_regression_power");
    ws_correlation c;
    ck_assert_int_eq(ws_pearson(data.column[2], data.column[0], data.n, 0.95, &c, NULL), WS_OK);
    ck_reference(&data, c.r, "zero_order_r.W_S");
    ck_assert_int_eq(ws_pearson(data.column[2], data.column[1], data.n, 0.95, &c, NULL), WS_OK);
    ck_reference(&data, c.r, "zero_order_r.W_P");
    ck_assert_int_eq(ws_pearson(data.column[0], data.column[1], data.n, 0.95, &c, NULL), WS_OK);
    ck_reference(&data, c.r, "zero_order_r.S_P");
    json_decref(data.expected);
}
END_TEST

/* x = 1, 2, 3, y = 1, 3, 2: r = 1/2, t = 1/sqrt(3), and with one degree of freedom P(|T| > t) = 1 - 2/pi atan t = 2/3.
 * */
START_TEST(pearson_by_hand)
{
    static const double x[] = {1, 2, 3}, y[] = {1, 3, 2};
    ws_correlation c;
    ck_assert_int_eq(ws_pearson(x, y, 3, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_OK);
    ck_close(c.r, 0.5, 1e-15, 0);
    ck_close(c.p_value, 2.0 / 3, 1e-13, 0);
    ck_assert(isnan(c.ci_lo) && isnan(c.ci_hi));
    ck_assert_ptr_nonnull(strstr(c.sentence, "an interval needs 4"));
}
END_TEST

/* An offset of 1e9 costs nothing but the digits of the data. */
START_TEST(pearson_far_from_zero)
{
    static const double x[] = {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}, y[] = {1, 3, 2, 6};
    ws_correlation c;
    ck_assert_int_eq(ws_pearson(x, y, 4, 0.95, &c, NULL), WS_OK);
    ck_close(c.r, 7 / sqrt(70), 1e-14, 0);
}
END_TEST

START_TEST(perfect_correlation)
{
    static const double x[] = {1, 2, 3, 4, 5}, down[] = {-0.3, -0.6, -0.9, -1.2, -1.5}, bent[] = {1, 2, 4, 8, 16};
    ws_correlation c;
    ck_assert_int_eq(ws_pearson(x, down, 5, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_PERFECT);
    ck_close(c.r, -1, 0, 0);
    ck_close(c.p_value, 0, 0, 0);
    ck_close(c.ci_lo, -1, 0, 0);
    ck_close(c.ci_hi, -1, 0, 0);
    ck_assert_int_eq(ws_pearson(x, bent, 5, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_OK);
    ck_assert_int_eq(ws_spearman(x, bent, 5, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_PERFECT);
    ck_close(c.r, 1, 0, 0);
    ck_close(c.p_value, 2.0 / 120, 1e-15, 0);
    ck_assert(c.p_is_exact);
}
END_TEST

/* r = 1 - 1e-13 is not perfect: the residual is still a millionth of the spread. */
START_TEST(nearly_perfect_correlation)
{
    double x[6], y[6];
    ws_correlation c;
    for (size_t i = 0; i < 6; i++) {
        x[i] = (double)i;
        y[i] = (double)i + (i % 2 ? 1e-7 : -1e-7);
    }
    ck_assert_int_eq(ws_pearson(x, y, 6, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_OK);
    ck_assert(c.r <= 1 && c.p_value > 0 && c.p_value < 1e-20);
}
END_TEST

/* How many of the 4! orders have which D: 0:1 2:3 4:1 6:4 8:2 10:2 12:2 14:4 16:1 18:3 20:1 (Kendall and Gibbons 1990,
 * table 10A). rho = 1 - D/10. */
START_TEST(spearman_exact_four_points)
{
    static const double x[] = {1, 2, 3, 4};
    static const struct {
        double y[4], rho, orders; /* as far from 0 or farther, of 24 */
    } cases[] = {{{1, 2, 4, 3}, 0.8, 8},
                 {{2, 1, 4, 3}, 0.6, 10},
                 {{1, 4, 2, 3}, 0.4, 18},
                 {{4, 3, 1, 2}, -0.8, 8},
                 {{3, 1, 4, 2}, 0, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_correlation c;
        ck_assert_int_eq(ws_spearman(x, cases[i].y, 4, 0.95, &c, NULL), WS_OK);
        ck_close(c.r, cases[i].rho, 1e-14, 1e-15);
        ck_close(c.p_value, cases[i].orders / 24, 1e-15, 0);
        ck_assert(c.p_is_exact);
    }
}
END_TEST

/* Nine points, two neighbours exchanged: the order itself and 8 exchanges, in both directions, of 9!. */
START_TEST(spearman_exact_nine_points)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, y[] = {10, 20, 30, 50, 40, 60, 70, 80, 90};
    ws_correlation c;
    ck_assert_int_eq(ws_spearman(x, y, 9, 0.95, &c, NULL), WS_OK);
    ck_close(c.r, 1 - 6.0 * 2 / (9 * 80), 1e-14, 0);
    ck_close(c.p_value, 2 * 9 / 362880.0, 1e-15, 0);
    ck_assert(c.p_is_exact);
    ck_assert_ptr_nonnull(strstr(c.sentence, "exactly"));
}
END_TEST

START_TEST(spearman_of_many_points_in_order)
{
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    ws_correlation c;
    ck_assert_int_eq(ws_spearman(x, x, 10, 0.95, &c, NULL), WS_OK);
    ck_close(c.p_value, 2 / 3628800.0, 1e-13, 0);
    ck_assert(c.p_is_exact);
}
END_TEST

/* Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5, squares 4.5 and 5. */
START_TEST(spearman_shares_ranks)
{
    static const double x[] = {1, 7, 7, 9}, y[] = {1, 2, 3, 4};
    ws_correlation c;
    ck_assert_int_eq(ws_spearman(x, y, 4, 0.95, &c, NULL), WS_OK);
    ck_close(c.r, 4.5 / sqrt(22.5), 1e-14, 0);
    ck_assert(!c.p_is_exact);
    double t = c.r * sqrt(2 / (1 - c.r * c.r));
    ck_close(c.p_value, 1 - t / sqrt(t * t + 2), 1e-12, 0);
}
END_TEST

START_TEST(rank_correlation_ignores_scale)
{
    reference data = reference_load("case14_correlations_ties");
    double logs[REFERENCE_ROWS];
    ws_correlation a, b;
    for (size_t i = 0; i < data.n; i++)
        logs[i] = log(data.column[1][i]);
    ck_assert_int_eq(ws_spearman(data.column[0], data.column[1], data.n, 0.95, &a, NULL), WS_OK);
    ck_assert_int_eq(ws_spearman(data.column[0], logs, data.n, 0.95, &b, NULL), WS_OK);
    ck_close(a.r, b.r, 0, 0);
    json_decref(data.expected);
}
END_TEST

START_TEST(no_correlation_to_speak_of)
{
    static const double flat[] = {8, 8, 8, 8}, x[] = {1, 2, 3, 4}, bad[] = {1, 2, INFINITY, 4};
    ws_correlation c;
    ws_error error = {0};
    ck_assert_int_eq(ws_pearson(flat, x, 4, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_CONSTANT);
    ck_assert(isnan(c.r) && isnan(c.p_value));
    ck_assert_str_eq(c.sentence, "x does not vary over the 4 points: no correlation");
    ck_assert_int_eq(ws_kendall(flat, x, 4, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_CONSTANT);
    ck_assert_int_eq(ws_kendall(x, x, 2, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_TOO_FEW);
    ck_assert_int_eq(ws_spearman(x, flat, 4, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_CONSTANT);
    ck_assert_str_eq(c.sentence, "y does not vary over the 4 points: no correlation");
    ck_assert_int_eq(ws_pearson(x, x, 2, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_TOO_FEW);
    ck_assert_int_eq(ws_spearman(NULL, NULL, 0, 0.95, &c, NULL), WS_OK);
    ck_assert_int_eq(c.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(c.sentence, "0 points: a correlation needs at least 3");
    ck_assert_int_eq(ws_pearson(x, bad, 4, 0.95, &c, &error), WS_DATA);
    ck_assert_str_eq(error.message, "y of point 3 is not a finite number; leave the point out");
    ck_assert_int_eq(ws_spearman(x, x, 4, 0, &c, NULL), WS_USAGE);
}
END_TEST

START_TEST(proportional_arrays)
{
    static const double x[] = {1, 2, 3, 0}, y[] = {0.1, 0.2, 0.3, 0}, near_y[] = {0.1, 0.2001, 0.3, 0}, zero[4] = {0},
                        off[] = {0.1, 0.2, 0.3, 1e-300}, bad[] = {0.1, NAN, 0.3, 0};
    double factor = -1;
    ck_assert(ws_are_proportional(x, y, 4, 1e-12, &factor));
    ck_close(factor, 0.1, 1e-15, 0);
    ck_assert(!ws_are_proportional(x, near_y, 4, 1e-4, NULL));
    ck_assert(ws_are_proportional(x, near_y, 4, 1e-3, NULL));
    ck_assert(!ws_are_proportional(x, off, 4, 1e-3, NULL));
    ck_assert(!ws_are_proportional(x, bad, 4, 1e-3, NULL));
    ck_assert(!ws_are_proportional(zero, y, 4, 1e-3, NULL));
    ck_assert(ws_are_proportional(x, zero, 4, 1e-3, &factor));
    ck_close(factor, 0, 0, 0);
    ck_assert(!ws_are_proportional(NULL, NULL, 0, 1e-3, NULL));
}
END_TEST

/* Every pair, two and two, of 3 to 90 points with many ties or few. */
START_TEST(kendall_pair_by_pair)
{
    unsigned state = 12345;
    for (size_t n = 3; n <= 90; n += 1 + n / 9)
        for (unsigned values = 2; values <= 512; values *= 4) {
            double x[90], y[90], sum = 0, in_x = 0, in_y = 0;
            for (size_t i = 0; i < n; i++) {
                state = state * 1664525U + 1013904223U;
                x[i] = (double)((state >> 8) % values);
                state = state * 1664525U + 1013904223U;
                y[i] = x[i] / 2 - (double)((state >> 8) % values);
            }
            for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < i; k++) {
                    int a = (x[i] > x[k]) - (x[i] < x[k]), b = (y[i] > y[k]) - (y[i] < y[k]);
                    sum += a * b;
                    in_x += a != 0;
                    in_y += b != 0;
                }
            ws_correlation c;
            ck_assert_int_eq(ws_kendall(x, y, n, 0.95, &c, NULL), WS_OK);
            if (in_x > 0 && in_y > 0)
                ck_close(c.r, sum / sqrt(in_x * in_y), 1e-14, 1e-15);
        }
}
END_TEST

TEST_MAIN("fit correlation", pearson_reference_case, spearman_reference_case, kendall_reference_case, kendall_exact,
          kendall_pair_by_pair, pearson_of_the_regression_case, pearson_by_hand, pearson_far_from_zero,
          perfect_correlation, nearly_perfect_correlation, spearman_exact_four_points, spearman_exact_nine_points,
          spearman_of_many_points_in_order, spearman_shares_ranks, rank_correlation_ignores_scale,
          no_correlation_to_speak_of, proportional_arrays)
