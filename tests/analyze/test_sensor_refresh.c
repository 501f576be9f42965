/* How long a slow sensor shows each of its values: each bound of ws_sampling_held_s from both sides, with numbers known
 * by hand. A reading a second unless said. */
#include "harness.h"

#include "analyze/measure/sampling.h"

enum { MOST = 8192, INNER = 100 };

/* `few` of a hundred values are shown for few_rows, the others for rows; one more at each end for rows. */
static double shown(double usual_s, int changes, int few, int few_rows, int rows)
{
    static int64_t t_ns[MOST];
    static double watts[MOST];
    ws_sampling s;
    size_t n = 0;
    for (int c = 0; c <= changes; c++) {
        int length = c > 0 && c < changes && c <= few ? few_rows : rows;
        for (int r = 0; r < length; r++, n++) {
            t_ns[n] = (int64_t)((double)n * usual_s * 1e9);
            watts[n] = 100 + c * 7919 % 401 * 0.1 + c % 2 * 50;
        }
    }
    ck_assert_uint_le(n, MOST);
    ws_sampling_init(&s);
    ws_sampling_push(&s, &(ws_block){.n = n, .t_ns = t_ns, .value = watts});
    return ws_sampling_held_s(&s, INT64_MAX);
}

/* From a second to 40 s, once there are four changes. 31 values of r rows are 31 r - 1 intervals with 30 changes. */
START_TEST(what_a_slow_sensor_is)
{
    ck_assert_double_eq_tol(shown(1, 30, 0, 0, 38), (31 * 38 - 1) / 30.0, 1e-9);
    ck_assert_double_eq(shown(1, 30, 0, 0, 39), 0);
    ck_assert_double_eq_tol(shown(0.5, 30, 0, 0, 2), 61 / 60.0, 1e-9);
    ck_assert_double_eq(shown(0.49, 30, 0, 0, 2), 0);
    ck_assert_double_eq_tol(shown(1, 4, 0, 0, 5), 24 / 4.0, 1e-9);
    ck_assert_double_eq(shown(1, 3, 0, 0, 5), 0);
}
END_TEST

/* Three quarters are held for up to three times as long as the shortest tenth, which takes two rows at least; and the
 * mean counts up to 1.4 times of that. */
START_TEST(how_alike_its_values_are)
{
    ck_assert_double_gt(shown(1, INNER + 1, 20, 2, 6), 0);
    ck_assert_double_eq(shown(1, INNER + 1, 20, 2, 7), 0);
    ck_assert_double_gt(shown(1, INNER + 1, 76, 2, 20), 0);
    ck_assert_double_eq(shown(1, INNER + 1, 74, 2, 20), 0);
    ck_assert_double_gt(shown(1, INNER + 1, 9, 1, 3), 0);
    ck_assert_double_eq(shown(1, INNER + 1, 11, 1, 3), 0);
    ck_assert_double_eq_tol(shown(1, INNER + 1, 20, 5, 8), 1.4 * 5, 1e-9);
}
END_TEST

TEST_MAIN("sensor refresh", what_a_slow_sensor_is, how_alike_its_values_are)
