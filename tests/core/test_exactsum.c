#include "harness.h"

#include "core/exactsum.h"

START_TEST(sums_do_not_depend_on_order)
{
    ws_sum forward = {{0}}, backward = {{0}}, left = {{0}}, right = {{0}};
    for (int i = 0; i < 10000; i++) {
        double p = 0.1 * (i % 977) + 1e-7 * i;
        ws_sum_add_times(&forward, p, 100000003 + i);
        ws_sum_add_times(i < 1234 ? &left : &right, p, 100000003 + i);
    }
    for (int i = 9999; i >= 0; i--)
        ws_sum_add_times(&backward, 0.1 * (i % 977) + 1e-7 * i, 100000003 + i);
    ws_sum_merge(&left, &right);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(forward.limb[i], backward.limb[i]);
        ck_assert_uint_eq(forward.limb[i], left.limb[i]);
    }
}
END_TEST

START_TEST(cancellation_is_exact)
{
    ws_sum sum = {{0}};
    ws_sum_add(&sum, 1e30);
    ws_sum_add(&sum, 0.125);
    ws_sum_add(&sum, -1e30);
    ck_assert(ws_sum_value(&sum) == 0.125);
    ws_sum_add_times(&sum, -0.125, 3);
    ck_assert(ws_sum_value(&sum) == -0.25);
}
END_TEST

START_TEST(value_rounds_half_to_even)
{
    ws_sum sum = {{0}};
    ws_sum_add(&sum, 9007199254740992.0); /* 2^53 */
    ws_sum_add(&sum, 1);
    ck_assert(ws_sum_value(&sum) == 9007199254740992.0);
    ws_sum_add(&sum, 0x1p-100);
    ck_assert(ws_sum_value(&sum) == 9007199254740994.0);
}
END_TEST

START_TEST(squares_keep_every_bit)
{
    ws_sum sum = {{0}};
    ws_sum_add_square_times(&sum, 0.1, 7);
    ws_sum_add_square_times(&sum, 0.1, -7);
    ck_assert(ws_sum_value(&sum) == 0);
    ws_sum_add_square_times(&sum, 3.0, 5);
    ck_assert(ws_sum_value(&sum) == 45);
}
END_TEST

TEST_MAIN("exactsum", sums_do_not_depend_on_order, cancellation_is_exact, value_rounds_half_to_even,
          squares_keep_every_bit)
