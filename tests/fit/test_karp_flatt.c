#include "fit/laws/laws.h"

#include "tests/fit/reference.h"

static ws_test trend(const double *x, const double *y, size_t n)
{
    const ws_law_input in = {.x = x, .y = y, .n = n, .level = 0.95};
    ws_test test;
    ck_assert_int_eq(ws_karp_flatt_trend(&in, &test, NULL), WS_OK);
    return test;
}

/* Serial fractions planted at 0.1, 0.2, 0.4 for x = 2, 4, 8: in proportion to x, so the line through them leaves
 * nothing to test with, until one time is longer. */
START_TEST(planted_trend)
{
    const double x[] = {1, 2, 4, 8}, s[] = {0, 0.1, 0.2, 0.4};
    double y[4];
    for (int i = 0; i < 4; i++)
        y[i] = 10 * (s[i] + (1 - s[i]) / x[i]);
    ck_assert_int_eq(trend(x, y, 4).status, WS_FIT_PERFECT);
    y[3] += 0.05;
    ws_test test = trend(x, y, 4);
    ck_assert_int_eq(test.status, WS_FIT_OK);
    ck_assert(test.statistic > 10 && test.p_value < 0.05);
    ck_assert_ptr_nonnull(strstr(test.sentence, "grows with x"));
}
END_TEST

START_TEST(smallest_is_not_one)
{
    const double ones[] = {1, 2, 4, 8}, fours[] = {4, 8, 16, 32}, y[] = {10, 5.6, 3.2, 2.3};
    ck_close(trend(ones, y, 4).p_value, trend(fours, y, 4).p_value, 1e-12, 0);
}
END_TEST

START_TEST(refusals)
{
    const double x[] = {1, 2, 4}, y[] = {10, 6, 4};
    ws_test test = trend(x, y, 3);
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
    ck_assert(isnan(test.p_value));
    ck_assert_ptr_nonnull(strstr(test.sentence, "2 points beyond the smallest x"));
    ck_assert(isnan(trend(x, y, 0).p_value));
}
END_TEST

TEST_MAIN("Karp-Flatt", planted_trend, smallest_is_not_one, refusals)
