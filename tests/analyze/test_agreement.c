/* By what chance figures agree (analyze/identity/agreement.h), and logs that were merged (merged.h): each bound from
 * both sides. */
#include "harness.h"

#include "analyze/identity/agreement.h"
#include "analyze/identity/merged.h"
#include "core/arena.h"

#include <math.h>

/* 400 W in the mean, and a spread of a thousandth of it. */
START_TEST(a_spread_tells_from_a_thousandth_on)
{
    ck_assert(!ws_spread_tells(&(ws_gpu_spread){.mean = 400, .sd = 0.399}));
    ck_assert(ws_spread_tells(&(ws_gpu_spread){.mean = 400, .sd = 0.401}));
    ck_assert(ws_spread_tells(&(ws_gpu_spread){.mean = -400, .sd = 0.401}));
}
END_TEST

/* Two draws from a normal distribution of 10 W: the density of their difference at 0 is 1 / (10 W sqrt(4 pi)), and a
 * difference of d is met on both of its sides. */
START_TEST(the_chance_is_a_density_times_a_width)
{
    const ws_gpu_spread spread = {.mean = 400, .sd = 10};
    ck_assert_double_eq_tol(ws_chance_in_log(1, &spread), 2 / (10 * sqrt(4 * acos(-1))), 1e-15);
    ck_assert_double_eq_tol(ws_chance_in_log(-1, &spread), 2 / (10 * sqrt(4 * acos(-1))), 1e-15);
    ck_assert_double_eq(ws_chance_in_log(1000, &spread), 1);
    ck_assert_double_eq(ws_chance_in_log(NAN, &spread), 1);
    ck_assert_double_eq(ws_chance_in_log(0, &(ws_gpu_spread){.mean = 400, .sd = 0.1}), 1);
}
END_TEST

/* One figure alone says no more than that it is one in a hundred. */
START_TEST(a_figure_says_a_hundredth_at_the_most)
{
    ck_assert_double_eq(ws_chance_in_log(0, &(ws_gpu_spread){.mean = 400, .sd = 10}), 0.01);
    ck_assert_double_eq(ws_chance_of_cards(0, 400), 0.01);
}
END_TEST

START_TEST(logs_are_closer_by_twenty_times)
{
    const ws_gpu_spread spread = {.low = 300, .high = 320};
    ck_assert(ws_is_far_closer(0.999, &spread));
    ck_assert(!ws_is_far_closer(1.001, &spread));
}
END_TEST

START_TEST(neither_chance_explains_it)
{
    ck_assert(ws_agree_by_no_chance(&(ws_agreement){.as_in_log = 0.999e-6, .as_cards = 0.999e-4}));
    ck_assert(!ws_agree_by_no_chance(&(ws_agreement){.as_in_log = 1.001e-6, .as_cards = 0.999e-4}));
    ck_assert(!ws_agree_by_no_chance(&(ws_agreement){.as_in_log = 0.999e-6, .as_cards = 1.001e-4}));
}
END_TEST

/* --- merged logs --- */

enum { PART = 100 };
#define S INT64_C(1000000000)

static void add_log(ws_seen_devices *seen, size_t owner, int64_t start_s, uint64_t samples, double min, double mean)
{
    seen->items = ws_grow(seen->items, &seen->capacity, seen->n + 1, sizeof *seen->items);
    ws_seen_device *d = ws_arena_alloc(&seen->arena, sizeof *d);
    *d = (ws_seen_device){.source = ws_arena_printf(&seen->arena, "s%zu", owner),
                          .node = "",
                          .device = "gpu0",
                          .domain = WS_GPU,
                          .has_date = true,
                          .start_ns = start_s * S,
                          .end_ns = (start_s + (int64_t)samples) * S,
                          .readings = {.samples = samples, .min = min, .max = 300, .plain_mean = mean},
                          .owner = owner,
                          .order = seen->n};
    seen->items[seen->n++] = d;
}

static void count_merged(void *state, size_t owner, size_t first, size_t last, size_t n)
{
    ck_assert(owner == 0 && first == 1 && last == 2 && n == 2);
    ++*(int *)state;
}

/* One of 200 readings beside two of 100, which have their mean and, in the second, their lowest. */
static int merged_with(double min, double mean, int64_t late_ns)
{
    ws_seen_devices seen = {0};
    int merged = 0;
    add_log(&seen, 0, 0, 2 * PART, min, mean);
    add_log(&seen, 1, 0, PART - 1, 110, 200);
    add_log(&seen, 2, PART, PART, 100, 200);
    seen.items[0]->readings.samples = 2 * PART - 1;
    seen.items[1]->start_ns += late_ns > 0 ? late_ns : 0;
    seen.items[2]->end_ns -= late_ns < 0 ? late_ns : 0;
    ws_seen_devices_merged(&seen, count_merged, &merged);
    ws_seen_devices_free(&seen);
    return merged;
}

static int merged_of(double min, double mean)
{
    return merged_with(min, mean, 0);
}

START_TEST(merged_logs_begin_and_end_within_a_second)
{
    ck_assert_int_eq(merged_with(100, 200, S * 9 / 10), 1);
    ck_assert_int_eq(merged_with(100, 200, S * 11 / 10), 0);
    ck_assert_int_eq(merged_with(100, 200, -S * 9 / 10), 1);
    ck_assert_int_eq(merged_with(100, 200, -S * 11 / 10), 0);
}
END_TEST

START_TEST(merged_logs_agree_to_a_thousandth)
{
    ck_assert_int_eq(merged_of(100, 200), 1);
    ck_assert_int_eq(merged_of(100, 200 / (1 - 0.99e-3)), 1);
    ck_assert_int_eq(merged_of(100, 200 / (1 - 1.01e-3)), 0);
    ck_assert_int_eq(merged_of(100 / (1 - 0.99e-3), 200), 1);
    ck_assert_int_eq(merged_of(100 / (1 - 1.01e-3), 200), 0);
}
END_TEST

TEST_MAIN("agreement", a_spread_tells_from_a_thousandth_on, the_chance_is_a_density_times_a_width,
          a_figure_says_a_hundredth_at_the_most, logs_are_closer_by_twenty_times, neither_chance_explains_it,
          merged_logs_begin_and_end_within_a_second, merged_logs_agree_to_a_thousandth)
