/* How two devices compare (analyze/measure/likeness.h): its bounds from both sides. */
#include "harness.h"

#include "analyze/measure/likeness.h"
#include "analyze/measure/uncertainty.h"

#include <math.h>

/* 100 readings of whole watts in this range, whose standard deviation is such that their squares add up to so much. */
static ws_likeness of_whole_watts(double range_w, double squares)
{
    const ws_readings r = {.samples = 100,
                           .energy_j = 1e4,
                           .duration_s = 100,
                           .mean = 100,
                           .min = 100,
                           .max = 100 + range_w,
                           .sd = sqrt(squares / 100),
                           .plain_mean = 100.1,
                           .plain_sd = sqrt(squares / 100)};
    return ws_compare_kept_readings(&r, &r);
}

/* Idle cards leave their usual reading by one watt or two at the same time: fewer than 20 such changes say nothing. */
START_TEST(few_changes_of_a_watt_say_nothing)
{
    ck_assert_int_eq(of_whole_watts(2, 19), WS_READINGS_ALIKE);
    ck_assert_int_eq(of_whole_watts(2, 21), WS_READINGS_EQUAL);
    ck_assert_int_eq(of_whole_watts(3, 19), WS_READINGS_EQUAL);
    ck_assert_int_eq(of_whole_watts(2.5, 19), WS_READINGS_EQUAL); /* no whole watts */
}
END_TEST

static bool may_be_one(ws_metered_channel x, double apart_w)
{
    ws_metered_channel y = x;
    y.summary.mean -= apart_w;
    const ws_device a = {.energy = &x}, b = {.energy = &y};
    return ws_devices_may_be_one(&a, &b);
}

/* Of stamps and rounding means differ by a ten thousandth. */
START_TEST(means_of_one_device_without_sampling)
{
    ws_power_watch watch = {0};
    const ws_metered_channel x = {.watch = &watch, .summary = {.mean = 200, .duration_s = 100}};
    ck_assert(may_be_one(x, 0.019) && !may_be_one(x, 0.021));
}
END_TEST

/* And by three standard uncertainties of their difference, which the steps of the power leave. */
START_TEST(means_of_one_device_that_is_sampled)
{
    enum { N = 100 };
    int64_t t_ns[N];
    double value[N];
    ws_power_watch watch = {0};
    ws_metered_channel x = {.watch = &watch,
                            .summary = {.mean = 200, .duration_s = N - 1, .long_ns = INT64_MAX, .sd = 50}};
    for (int i = 0; i < N; i++) {
        t_ns[i] = i * INT64_C(1000000000);
        value[i] = 200 + 50 * (i % 2 ? 1 : -1);
    }
    ws_sampling_init(&watch.sampling);
    ws_sampling_push(&watch.sampling, &(ws_block){.n = N, .t_ns = t_ns, .value = value});
    double u_w = ws_sampling_u_j(&watch.sampling, INT64_MAX, &(ws_sampled_power){.sd_w = 50}) / (N - 1);
    ck_assert_double_gt(u_w, 1);
    ck_assert(may_be_one(x, 2.9 * sqrt(2) * u_w) && !may_be_one(x, 3.1 * sqrt(2) * u_w));
}
END_TEST

TEST_MAIN("likeness", few_changes_of_a_watt_say_nothing, means_of_one_device_without_sampling,
          means_of_one_device_that_is_sampled)
