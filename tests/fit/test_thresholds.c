/* Where a fit or a test changes what it does or says: each bound from both sides. */
#include "harness.h"

#include "fit/choice/choice.h"
#include "fit/estimate.h"
#include "fit/laws/laws.h"
#include "fit/laws/onset.h"
#include "fit/linear/errors_in_both.h"
#include "fit/linear/rates.h"
#include "fit/linear/robust.h"
#include "fit/tests/bootstrap.h"
#include "fit/tests/permutation.h"
#include "fit/tests/repeats.h"
#include "fit/tests/verdict.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

static double x[MOST], y[MOST];

/* 2 x with errors that no line, power or curve meets. */
static void make_points(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)i + 1;
        y[i] = 2 * x[i] + 0.3 * (double)(i * 7 % 5) - 0.1 * (double)(i * 3 % 7);
    }
}

static void ck_rough(const char *sentence, const char *words, bool wanted)
{
    ck_assert_msg((strstr(sentence, words) != NULL) == wanted, "%s", sentence);
}

START_TEST(below_twenty_points_errors_are_rough)
{
    for (size_t n = 19; n <= 20; n++) {
        ws_fit fit;
        ws_bootstrap boot;
        ws_test test;
        make_points(n);
        const double *const columns[] = {x};
        const char *const names[] = {"x"};
        ck_assert_int_eq(ws_fit_theil_sen(x, y, n, 0.95, &fit, NULL, NULL), WS_OK);
        ck_rough(fit.sentence, "rough below 20 points", n < 20);
        ck_assert_int_eq(ws_fit_huber(x, y, n, 0.95, &fit, NULL, NULL, NULL), WS_OK);
        ck_rough(fit.sentence, "rough below 20 points", n < 20);
        ck_assert_int_eq(ws_fit_rates(x, y, n, WS_HC3, 0.95, &fit, NULL, NULL), WS_OK);
        ck_rough(fit.sentence, "below 20 points such errors are rough", n < 20);
        ck_assert_int_eq(ws_fit_sandwich(columns, names, 1, y, n, WS_HC3, 0.95, &fit, NULL, NULL), WS_OK);
        ck_rough(fit.sentence, "below 20 points such intervals are rough", n < 20);
        ck_assert_int_eq(ws_bootstrap_bca(ws_pairs_slope, &(ws_pairs){x, y}, n, NULL, 100, 1, 0.95, &boot, NULL),
                         WS_OK);
        ck_rough(boot.sentence, "below 20 points", n < 20);
        ck_assert_int_eq(ws_power_errors(&(ws_law_input){.x = x, .y = y, .n = n, .level = 0.95}, &test, NULL), WS_OK);
        ck_rough(test.sentence, "rough below 20 points", n < 20);
    }
}
END_TEST

START_TEST(below_twenty_runs_a_bootstrap_is_too_narrow)
{
    const double a[] = {99, 101, 100, 99.5, 100.5, 99.2, 100.8, 100.1, 99.9, 100.3};
    for (size_t n_b = 9; n_b <= 10; n_b++) {
        ws_verdict v;
        ws_verdict_input in = {.a = a, .n_a = 10, .b = a, .n_b = n_b, .level = 0.95, .min_effect = 0.02, .draws = 100};
        ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
        ck_rough(v.sentence, "below 20 runs", n_b < 10);
    }
}
END_TEST

/* Two groups of values with nearly equal spread. */
START_TEST(below_ten_repeats_brown_and_forsythe_are_too_eager)
{
    for (size_t n = 9; n <= 10; n++) {
        double value[20];
        size_t group[20];
        ws_test test;
        for (size_t i = 0; i < 2 * n; i++) {
            group[i] = i / n;
            value[i] = (double)(i * 7 % 11) + 0.1 * (double)i;
        }
        ck_assert_int_eq(ws_brown_forsythe(value, group, 2 * n, 2, &test, NULL), WS_OK);
        ck_rough(test.sentence, "fewer than 10 repeats", n < 10);
    }
}
END_TEST

/* x2 = r x1 + sqrt(1 - r^2) x3 of x1 and x3 that are orthogonal: the inflation is 1 / (1 - r^2). */
START_TEST(an_inflation_of_ten_is_told)
{
    const double x1[] = {1, 1, -1, -1, 1, 1, -1, -1}, x3[] = {1, -1, 1, -1, 1, -1, 1, -1};
    const double rest[] = {1, -1, -1, 1, -1, 1, 1, -1}, inflation[] = {9.9, 10.1};
    for (size_t k = 0; k < 2; k++) {
        double x2[8], value[8], r2 = 1 - 1 / inflation[k];
        for (size_t i = 0; i < 8; i++) {
            x2[i] = sqrt(r2) * x1[i] + sqrt(1 - r2) * x3[i];
            value[i] = x1[i] + x2[i] + 0.1 * rest[i] + 0.05 * x1[i] * rest[i];
        }
        ws_fit fit;
        ck_assert_int_eq(ws_fit_regression((const double *const[]){x1, x2}, (const char *const[]){"a", "b"}, 2, value,
                                           8, 0.95, &fit, NULL, NULL),
                         WS_OK);
        ck_rough(fit.sentence, "nearly determined", inflation[k] > 10);
    }
}
END_TEST

/* With two degrees of freedom P(chi2 >= c) = exp(-c / 2). All errors larger by s divide chi2 by s^2. */
START_TEST(points_that_scatter_more_than_their_errors)
{
    const double at[] = {1, 2, 3, 4}, value[] = {1, 2.4, 2.7, 4.2}, p[] = {0.04, 0.06};
    double sd[] = {1, 1, 1, 1}, none[4] = {0}, chi2_p;
    ws_fit fit;
    ws_york_input in = {at, value, sd, sd, none, 4, 0.95};
    ck_assert_int_eq(ws_fit_york(&in, &fit, &chi2_p, NULL, NULL), WS_OK);
    double chi2 = fit.rss;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < 4; i++)
            sd[i] = sqrt(chi2 / (-2 * log(p[k])));
        ck_assert_int_eq(ws_fit_york(&in, &fit, &chi2_p, NULL, NULL), WS_OK);
        ck_close(chi2_p, p[k], 1e-9, 0);
        ck_rough(fit.sentence, "scatter more than their errors", p[k] < 0.05);
    }
}
END_TEST

/* As many different x as there are coefficients go through every curve; one more may speak against it. */
START_TEST(how_many_points_a_law_needs)
{
    for (size_t n = 3; n <= 5; n++) {
        ws_fit fit;
        ws_test test;
        make_points(n);
        ws_law_input in = {.x = x, .y = y, .n = n, .level = 0.95};
        ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
        ck_assert_int_eq(fit.status == WS_FIT_TOO_FEW, n < 4);
        ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
        ck_assert_int_eq(fit.status == WS_FIT_TOO_FEW, n < 5);
        ck_assert_int_eq(ws_fit_lognormal(&in, &fit, NULL, NULL), WS_OK);
        ck_assert_int_eq(fit.status == WS_FIT_TOO_FEW, n < 4);
        ck_assert_int_eq(ws_fit_onset(&in, &fit, NULL, NULL, NULL), WS_OK);
        ck_assert_int_eq(fit.status == WS_FIT_TOO_FEW, n < 4);
        ck_assert_int_eq(ws_power_errors(&in, &test, NULL), WS_OK);
        ck_assert_int_eq(test.status == WS_FIT_TOO_FEW, n < 4);
    }
}
END_TEST

/* F = (squares about the mean - squares about the curve) / 2 / (squares about the curve / (n - 3)); the test looks at
 * 200 places of the onset, the fit finds the best, so that F is a little smaller. */
START_TEST(the_rise_of_an_onset_is_an_f_ratio)
{
    const double at[] = {1, 2, 4, 8, 16, 32}, value[] = {10.1, 9.9, 10, 10.2, 14.1, 18};
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_onset(&(ws_law_input){.x = at, .y = value, .n = 6, .level = 0.95}, &fit, NULL, &test, NULL),
                     WS_OK);
    double mean = 0, squares = 0;
    for (size_t i = 0; i < 6; i++)
        mean += value[i] / 6;
    for (size_t i = 0; i < 6; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    ck_close(test.statistic, (squares - fit.rss) / 2 / (fit.rss / 3), 0.05, 0);
}
END_TEST

START_TEST(exact_p_values_end_somewhere)
{
    ws_correlation c;
    for (size_t n = 59; n <= 61; n++) {
        make_points(n);
        for (size_t i = 0; i + 1 < n; i += 2) { /* no ties, not perfect */
            double first = y[i];
            y[i] = y[i + 1] + 1e-3 * (double)i;
            y[i + 1] = first;
        }
        ck_assert_int_eq(ws_kendall(x, y, n, 0.95, &c, NULL), WS_OK);
        ck_assert_int_eq(c.p_is_exact, n <= 60);
    }
    for (size_t n = 8; n <= 10; n++) {
        make_points(n);
        y[0] = y[n - 1] + 1;
        ck_assert_int_eq(ws_spearman(x, y, n, 0.95, &c, NULL), WS_OK);
        ck_assert_int_eq(c.p_is_exact, n <= 9);
    }
}
END_TEST

/* Concordant except for one pair of neighbours: tau = 1 - 4 / 90. Fieller, Hartley and Pearson 1957: variance of atanh
 * tau 0.437 / (n - 4). */
START_TEST(interval_of_kendalls_tau)
{
    const double at[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, value[] = {2, 1, 3, 4, 5, 6, 7, 8, 9, 10};
    ws_correlation c;
    ck_assert_int_eq(ws_kendall(at, value, 10, 0.95, &c, NULL), WS_OK);
    double half = 1.959963984540054 * sqrt(0.437 / 6), middle = atanh(1 - 4.0 / 90);
    ck_close(c.ci_lo, tanh(middle - half), 1e-12, 0);
    ck_close(c.ci_hi, tanh(middle + half), 1e-12, 0);
}
END_TEST

/* Of points in order two of the n! orders have as large an r: exact up to 8 points, drawn from 9 on. */
START_TEST(orders_are_counted_up_to_eight_points)
{
    ws_test test;
    ws_error error = {0};
    make_points(9);
    ck_assert_int_eq(ws_permutation_test(x, x, 8, 100, 1, &test, &error), WS_OK);
    ck_close(test.p_value, 2.0 / 40320, 1e-12, 0);
    ck_assert_int_eq(ws_permutation_test(x, x, 9, 100, 1, &test, &error), WS_OK);
    ck_close(test.p_value, 1.0 / 101, 1e-12, 0);
    ck_assert_int_ne(ws_permutation_test(x, x, 9, 99, 1, &test, &error), WS_OK);
    ws_bootstrap boot;
    ck_assert_int_eq(ws_bootstrap_bca(ws_pairs_slope, &(ws_pairs){x, y}, 9, NULL, 100, 1, 0.95, &boot, &error), WS_OK);
    ck_assert_int_ne(ws_bootstrap_bca(ws_pairs_slope, &(ws_pairs){x, y}, 9, NULL, 99, 1, 0.95, &boot, &error), WS_OK);
}
END_TEST

/* Burnham and Anderson 2002: within 2 of the best a model has substantial support. */
START_TEST(within_two_of_the_best_is_as_good)
{
    const double delta[] = {1.9, 2.1};
    for (size_t k = 0; k < 2; k++) {
        ws_choice choice;
        ws_fit best, next;
        make_points(10);
        ck_assert_int_eq(ws_fit_line(x, y, 10, 0.95, &best, NULL, NULL), WS_OK);
        next = best;
        next.model = "other";
        next.aicc = best.aicc + delta[k];
        ck_assert_int_eq(ws_choose((const ws_fit *const[]){&best, &next}, 2, y, 10, &choice, NULL), WS_OK);
        ck_rough(choice.sentence, "which is as good", delta[k] < 2);
        ck_close(choice.candidate[1].weight, 1 / (1 + exp(delta[k] / 2)), 1e-12, 0);
    }
}
END_TEST

/* (z of 95 % + z of 80 %)^2 = (1.95996 + 0.84162)^2 = 7.8489 times the variance of the ratio, 1.02^2 x 2e-4 + 2e-4,
 * over 0.02^2 is 8.007: nine, and one for the spread that is estimated. */
START_TEST(how_many_repeats_would_decide)
{
    const double a[] = {99, 101}, b[] = {101, 103};
    ws_verdict v;
    ws_verdict_input in = {.a = a, .n_a = 2, .b = b, .n_b = 2, .level = 0.95};
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_assert_int_eq(v.kind, WS_UNDECIDED);
    ck_assert_uint_eq(v.repeats, 10);
}
END_TEST

START_TEST(two_sided_p_of_a_normal)
{
    ck_close(ws_student_two_sided(1.959963984540054, INFINITY), 0.05, 1e-12, 0);
    ck_close(ws_student_two_sided(-2.5758293035489004, INFINITY), 0.01, 1e-12, 0);
}
END_TEST

TEST_MAIN("thresholds", below_twenty_points_errors_are_rough, below_twenty_runs_a_bootstrap_is_too_narrow,
          below_ten_repeats_brown_and_forsythe_are_too_eager, an_inflation_of_ten_is_told,
          points_that_scatter_more_than_their_errors, how_many_points_a_law_needs, the_rise_of_an_onset_is_an_f_ratio,
          exact_p_values_end_somewhere, interval_of_kendalls_tau, orders_are_counted_up_to_eight_points,
          within_two_of_the_best_is_as_good, how_many_repeats_would_decide, two_sided_p_of_a_normal)
