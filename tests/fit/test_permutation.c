#include "fit/tests/permutation.h"

#include "tests/fit/reference.h"

/* Points in order: of the n! orders the first and the last have |r| = 1. */
START_TEST(perfect_order)
{
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {2, 4, 6, 8, 10, 12};
    ws_test test;
    ck_assert_int_eq(ws_permutation_test(x, y, 6, 100, 1, &test, NULL), WS_OK);
    ck_close(test.p_value, 2.0 / 720, 1e-12, 0);
    ck_close(test.statistic, 1, 1e-12, 0);
}
END_TEST

/* Three points, six orders of y = 1, 2, 4 on x = 1, 2, 3: sum (x - 2) y is 3, 1, 2, -1, -2, -3 in some order, and the
 * one measured, y = 2 1 4, has 2: four of six are as large. */
START_TEST(by_hand)
{
    const double x[] = {1, 2, 3}, y[] = {2, 1, 4};
    ws_test test;
    ck_assert_int_eq(ws_permutation_test(x, y, 3, 100, 1, &test, NULL), WS_OK);
    ck_close(test.p_value, 4.0 / 6, 1e-12, 0);
}
END_TEST

/* Drawn orders agree with Student's t where the values are near normal: case 14 has p 0.0214 of r 0.607. */
START_TEST(drawn)
{
    reference data = reference_load("case14_correlations_ties");
    ws_test test, again;
    ck_assert_int_eq(ws_permutation_test(data.column[0], data.column[1], data.n, 20000, 3, &test, NULL), WS_OK);
    ck_reference(&data, test.statistic, "pearson.r");
    ck_close(test.p_value, reference_number(&data, "pearson.p"), 0, 0.006);
    ck_assert_int_eq(ws_permutation_test(data.column[0], data.column[1], data.n, 20000, 3, &again, NULL), WS_OK);
    ck_assert(again.p_value == test.p_value);
    json_decref(data.expected);
}
END_TEST

START_TEST(refusals)
{
    const double x[] = {1, 2, 3, 4}, flat[] = {5, 5, 5, 5};
    ws_test test;
    ck_assert_int_eq(ws_permutation_test(x, flat, 4, 100, 1, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_CONSTANT);
    ck_assert(isnan(test.p_value));
    ck_assert_int_eq(ws_permutation_test(x, x, 2, 100, 1, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
    ck_assert_int_eq(ws_permutation_test(x, x, 4, 10, 1, &test, NULL), WS_USAGE);
}
END_TEST

TEST_MAIN("permutation", perfect_order, by_hand, drawn, refusals)
