/* How long a slow sensor shows each of its values: each bound of ws_sampling_held_s from both sides, with numbers known
 * by hand. A reading a second unless said. */
#include "harness.h"

#include "analyze/measure/uncertainty.h"

#include <math.h>

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

/* 401 readings each usual_s, of values that go up and down by 10 W and are shown for so many rows; the first is the
 * last again. */
static ws_sampling zigzag(double usual_s, int rows, ws_sampled_power *power)
{
    enum { N = 401 };
    static int64_t t_ns[N];
    static double watts[N];
    ws_sampling s;
    for (int i = 0; i < N; i++) {
        t_ns[i] = (int64_t)((double)i * usual_s * 1e9);
        watts[i] = 100 + i / rows % 2 * 10;
    }
    watts[N - 1] = watts[0];
    ws_sampling_init(&s);
    ws_sampling_push(&s, &(ws_block){.n = N, .t_ns = t_ns, .value = watts});
    *power = (ws_sampled_power){.range_w = 10};
    return s;
}

static double variance_with(const ws_sampling *s, const ws_sampled_power *power, double spread)
{
    ws_sampled_power with = *power;
    with.sd_w = sqrt(spread);
    double u_j = ws_sampling_u_j(s, INT64_MAX, &with);
    return u_j * u_j;
}

/* What hides in step with 400 readings a second apart, of steps of 10 W: 0.23 of the variance of the power where that
 * is the mean square of the steps. Without a variance nothing does. */
START_TEST(what_hides_in_step)
{
    ws_sampled_power power;
    ws_sampling s = zigzag(1, 1, &power);
    double spread = 10 * 10;
    ck_assert_double_eq_tol(variance_with(&s, &power, spread) - variance_with(&s, &power, 0), 0.23 * spread * 400,
                            1e-3 * spread * 400);
}
END_TEST

/* Half of that where an interval is half a second: loads are seen that last for one. */
START_TEST(what_hides_in_short_intervals)
{
    ws_sampled_power power;
    ws_sampling s = zigzag(0.5, 1, &power);
    double spread = 10 * 10;
    ck_assert_double_eq_tol(variance_with(&s, &power, spread) - variance_with(&s, &power, 0),
                            0.5 * 0.23 * spread * 0.5 * 200, 1e-3 * spread * 200);
}
END_TEST

/* Of a sensor that shows each value for four rows, where the variance is that of four steps: 0.12. Half of what is not
 * seen between its refreshes is there without a variance, too. */
START_TEST(what_hides_in_step_with_a_slow_sensor)
{
    ws_sampled_power power;
    ws_sampling s = zigzag(1, 4, &power);
    double steps = 100, spread = 4 * steps * 100 / 400;
    ck_assert_double_eq_tol(variance_with(&s, &power, spread) - 2 * variance_with(&s, &power, 0),
                            0.12 * spread * 4 * 400, 1e-2 * spread * 4 * 400);
}
END_TEST

/* Up to twenty rows of one value, of 0.04 s, are those of a slow sensor; more are a steady power, whose steps are seen
 * where they are. */
START_TEST(how_many_rows_a_fast_sensor_shows_a_value)
{
    ws_sampled_power power;
    ws_sampling s = zigzag(0.04, 19, &power), steady = zigzag(0.04, 22, &power);
    ck_assert_double_gt(variance_with(&s, &power, 0), 20 * variance_with(&steady, &power, 0));
}
END_TEST

TEST_MAIN("sensor refresh", what_a_slow_sensor_is, how_alike_its_values_are, what_hides_in_step,
          what_hides_in_short_intervals, what_hides_in_step_with_a_slow_sensor,
          how_many_rows_a_fast_sensor_shows_a_value)
