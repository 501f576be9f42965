/* Rows that come back in turn, and stamps that keep their places (formats/table/trace_sample.h, node_turns.h): each
 * bound of column_limits.h from both sides. */
#include "harness.h"

#include "formats/table/date_lines.h"
#include "formats/table/node_turns.h"
#include "formats/table/trace_sample.h"

#include <math.h>

enum { MOST_ROWS = 40000 };
static const int64_t MS = 1000000;

static int64_t stamp[MOST_ROWS];
static double value[MOST_ROWS];
static uint32_t seed;

/* Uniform, with a mean of 0 and a variance of 1, and without a lag that comes back. */
static double noise(void)
{
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return ((double)(seed >> 8) / 0x1p24 - 0.5) * sqrt(12);
}

/* Differences of readings of which so much of the variance is a cycle, of levels that add up to 0. */
static size_t cycle_of(size_t n, const double *level, size_t k, double share)
{
    double square = 0, last = 0;
    for (size_t i = 0; i < k; i++)
        square += level[i] * level[i] / (double)k;
    seed = 4711;
    for (size_t i = 0; i < n; i++) {
        value[i] = last;
        last += level[i % k] * sqrt(share / square) + noise() * sqrt(1 - share);
    }
    return ws_cycle_of_readings(value, n);
}

static const double rough[] = {1, -1.3, 0.8, -1.1, 0.6};

/* 0.15 in long logs, 4 / sqrt(rows) in short ones. */
START_TEST(how_much_comes_back)
{
    ck_assert_uint_eq(cycle_of(MOST_ROWS, rough, 5, 0.14), 0);
    ck_assert_uint_eq(cycle_of(MOST_ROWS, rough, 5, 0.16), 5);
    ck_assert_uint_eq(cycle_of(256, rough, 5, 0.19), 0);
    ck_assert_uint_eq(cycle_of(256, rough, 5, 0.22), 5);
}
END_TEST

/* Rows of a sine of k rows a period: mean square differences from row to row are 2 (k - 1) / k sin^2(pi / k) of those
 * of any two rows, 0.417 of six rows, 0.323 of seven. */
START_TEST(how_rough_a_cycle_is)
{
    for (size_t k = 6; k <= 7; k++) {
        for (int i = 0; i < 4096; i++)
            value[i] = 100 * sin(2 * acos(-1) * i / (double)k);
        ck_assert_uint_eq(ws_cycle_of_readings(value, 4096), k == 6 ? 6 : 0);
    }
}
END_TEST

/* Polls of three rows, of 100, 100 and 100 + d ms. */
static size_t cycle_of_steps(int64_t d)
{
    int64_t t = 0;
    for (int i = 0; i < 300; i++) {
        stamp[i] = t;
        t += (100 + (i % 3 == 2 ? d : 0)) * MS;
    }
    return ws_cycle_of_stamps(stamp, 300);
}

/* Rounding alone makes steps that differ by the unit of the stamps. */
START_TEST(steps_that_are_no_rounding)
{
    ck_assert_uint_eq(cycle_of_steps(1), 0);
    ck_assert_uint_eq(cycle_of_steps(2), 3);
}
END_TEST

/* Rows by turns of two nodes, 100 ms apart and, each tenth apart, more_ms[10] later to the second; all steps are off by
 * so much by turns. */
static bool keep_places(size_t rounds, int64_t off_ms, const int *more_ms)
{
    int64_t t = 0;
    for (size_t i = 0; i < 2 * rounds; i++) {
        size_t round = i / 2;
        stamp[i] = t;
        t += (100 + (round % 2 ? off_ms : -off_ms) + (i % 2 ? 0 : more_ms[round / 2 % 10])) * MS;
    }
    return ws_stamps_may_keep_places(stamp, 2 * rounds, 2);
}

/* Of 200 steps that are off by 45 ms a mean is known to 3.2 ms, and a difference to 4.5: four times that are 18 ms. */
START_TEST(steps_to_two_places_differ)
{
    static const int less[10] = {17, 17, 17, 17, 17, 17, 17, 17, 17, 17},
                     more[10] = {19, 19, 19, 19, 19, 19, 19, 19, 19, 19};
    ck_assert(!keep_places(200, 45, less) && keep_places(200, 45, more));
}
END_TEST

/* And by two units of the stamps at least. */
START_TEST(steps_differ_by_more_than_rounding)
{
    static const int less[10] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 1}, more[10] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 3};
    ck_assert(!keep_places(10000, 3, less) && keep_places(10000, 3, more));
}
END_TEST

static ws_turn_signs signs_of(const double *power, const double *temperature, size_t n)
{
    static int64_t scratch[MOST_ROWS];
    static const ws_plan plan;
    for (size_t i = 0; i < n; i++)
        stamp[i] = (int64_t)i * 1000 * MS;
    const ws_turns x = {.plan = &plan,
                        .t = stamp,
                        .n = n,
                        .scratch = scratch,
                        .power = (double *)(uintptr_t)power,
                        .temperature = (double *)(uintptr_t)temperature};
    return ws_turns_read_signs(&x, false);
}

/* Two devices 100 W apart that rise by d from poll to poll: readings differ by d from those two rows before, and by
 * 100 - d / 2 from their neighbours in the mean. */
static size_t rows_to_return(double ratio)
{
    double d = 100 * ratio / (1 + ratio / 2), power[64];
    for (int i = 0; i < 64; i++)
        power[i] = (i % 2 ? 200 : 100) + i / 2 * d;
    return signs_of(power, NULL, 64).power;
}

START_TEST(readings_of_a_poll_before_are_nearer)
{
    ck_assert_uint_eq(rows_to_return(0.145), 2);
    ck_assert_uint_eq(rows_to_return(0.155), 0);
}
END_TEST

START_TEST(temperatures_that_jump)
{
    for (int above = 0; above < 2; above++) {
        double celsius[64];
        for (int i = 0; i < 64; i++)
            celsius[i] = 50 + i % 2 * (above ? 2.05 : 1.95);
        ck_assert_uint_eq(signs_of(NULL, celsius, 64).temperature, above ? 2 : 0);
    }
}
END_TEST

/* A cycle that begins so many rows behind the first one is looked for in 2048 rows. */
static size_t cycle_from(size_t first)
{
    for (size_t i = 0; i < 4096; i++)
        value[i] = i < first ? 0 : value[i - 1] + rough[i % 5];
    return signs_of(value, NULL, 4096).power_steps;
}

START_TEST(rows_that_are_looked_at)
{
    ck_assert_uint_eq(cycle_from(1900), 5);
    ck_assert_uint_eq(cycle_from(2048), 0);
}
END_TEST

/* Two polls of two rows, 3 ms apart each second, show as much; of one and a half nothing does. */
START_TEST(two_polls_are_enough)
{
    for (size_t n = 3; n <= 4; n++) {
        static const int64_t ms[] = {0, 3, 1000, 1003};
        static int64_t scratch[4];
        static const ws_plan plan;
        double power[] = {100, 200, 101, 202};
        int64_t t[4];
        for (size_t i = 0; i < n; i++)
            t[i] = ms[i] * MS;
        const ws_turns x = {.plan = &plan, .t = t, .n = n, .scratch = scratch, .power = power};
        ck_assert_uint_eq(ws_turns_read_signs(&x, true).time, n == 4 ? 2 : 0);
    }
}
END_TEST

/* Stamps of one column that begin two turns, each with a reading below. */
START_TEST(two_stamps_with_readings_below)
{
    for (size_t turns = 1; turns <= 2; turns++) {
        ws_span cell[] = {ws_span_of("1770000000"), ws_span_of("100.5"), ws_span_of("1770000010"), ws_span_of("101.5")};
        ws_row rows[4];
        for (size_t i = 0; i < 4; i++)
            rows[i] = (ws_row){.cells = &cell[i], .n_cells = 1, .line = (int64_t)i + 1};
        ck_assert_int_eq(ws_rows_have_stamp_lines(rows, 2 * turns), turns == 2);
    }
}
END_TEST

TEST_MAIN("cycles", how_much_comes_back, how_rough_a_cycle_is, steps_that_are_no_rounding, steps_to_two_places_differ,
          steps_differ_by_more_than_rounding, readings_of_a_poll_before_are_nearer, temperatures_that_jump,
          rows_that_are_looked_at, two_polls_are_enough, two_stamps_with_readings_below)
