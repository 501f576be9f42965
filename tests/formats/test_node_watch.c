/* Readings of one device that are those of several (formats/table/node_watch.h): stamps and powers have to say so. */
#include "harness.h"

#include "formats/table/node_watch.h"

#include <math.h>

enum { READINGS = 256 };
static const int64_t MS = 1000000;

static int64_t stamp[READINGS];
static double value[READINGS];
static uint32_t seed;

/* Uniform, from -0.5 to 0.5. */
static double noise(void)
{
    seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return (double)(seed >> 8) / 0x1p24 - 0.5;
}

/* Loggers that poll a device each, once in a second and so many ms after each other; stamps to so many ms. */
static bool are_loggers_seen(size_t loggers, double step_w, double noise_w, int64_t apart_ms, int64_t unit_ms)
{
    double drift[8] = {0};
    seed = 4711;
    for (size_t i = 0; i < READINGS; i++) {
        size_t who = i % loggers;
        int64_t t = (int64_t)(i / loggers) * 1000 + 100 + (int64_t)who * apart_ms + (int64_t)(8 * (noise() + 0.5));
        stamp[i] = t / unit_ms * unit_ms * MS;
        drift[who] = 0.9 * drift[who] + 4 * noise();
        value[i] = 250 + step_w * (double)who + drift[who] + noise_w * noise();
    }
    return ws_readings_are_of_several(stamp, value, READINGS);
}

START_TEST(several_loggers)
{
    for (size_t loggers = 1; loggers <= 4; loggers++) {
        ck_assert_int_eq(are_loggers_seen(loggers, 100, 2, 200, 1000), loggers > 1);
        ck_assert_int_eq(are_loggers_seen(loggers, 1, 2, 200, 1000), loggers > 1); /* nearly the same cards */
    }
    ck_assert(are_loggers_seen(2, 0, 40, 20, 1)); /* the stamps alone: 20 and 980 ms, 300 and 700 */
    ck_assert(are_loggers_seen(2, 0, 40, 300, 1));
    ck_assert(!are_loggers_seen(2, 0, 40, 300, 1000));
    ck_assert(!are_loggers_seen(2, 100, 2, 500, 1)); /* even steps: a load, for all that is known */
}
END_TEST

/* One device that is polled twice a second, with stamps to the second, whose load has such a period. */
static bool is_load_seen(double period_s)
{
    seed = 4711;
    for (size_t i = 0; i < READINGS; i++) {
        double phase = (double)i * 0.5 / period_s;
        stamp[i] = (int64_t)(i / 2) * 1000 * MS;
        value[i] = (phase - floor(phase) < 0.5 ? 300 : 200) + 4 * noise();
    }
    return ws_readings_are_of_several(stamp, value, READINGS);
}

START_TEST(periodic_loads)
{
    for (double period_s = 0.3; period_s < 4; period_s += 0.01)
        ck_assert(fabs(period_s - 1) < 0.005 || !is_load_seen(period_s));
    ck_assert(is_load_seen(1)); /* to the thousandth: nothing tells it from two devices */
}
END_TEST

/* A sensor that is refreshed with every `rows`th reading. */
START_TEST(slow_sensors)
{
    for (size_t rows = 2; rows <= 4; rows++) {
        seed = 4711;
        for (size_t i = 0; i < READINGS; i++) {
            stamp[i] = (int64_t)(i / 2) * 1000 * MS;
            value[i] = i % rows ? value[i - 1] : 250 + 200 * noise();
        }
        ck_assert(!ws_readings_are_of_several(stamp, value, READINGS));
    }
}
END_TEST

/* Nodes that are asked at once write in any order; by_turns: each begins four rounds. */
static bool are_shuffled_seen(size_t nodes, double step_w, bool by_turns)
{
    seed = 4711;
    for (size_t i = 0; i + nodes <= READINGS; i += nodes) {
        size_t who[4] = {0, 1, 2, 3};
        for (size_t k = nodes - 1; k; k--) {
            size_t other = (size_t)((noise() + 0.5) * (double)(k + 1)), last = who[k];
            who[k] = who[other], who[other] = last;
        }
        for (size_t k = 0; k < nodes; k++) {
            size_t node = by_turns ? (k + i / nodes / 4) % nodes : who[k];
            stamp[i + k] = (int64_t)(i / nodes) * 1000 * MS;
            value[i + k] = 250 + step_w * (double)node + 4 * noise();
        }
    }
    return ws_readings_are_of_several(stamp, value, READINGS / nodes * nodes);
}

START_TEST(any_order)
{
    for (size_t nodes = 2; nodes <= 4; nodes++) {
        ck_assert(are_shuffled_seen(nodes, 25, false));
        ck_assert(!are_shuffled_seen(nodes, 25, true)); /* as of a load whose period is nearly that of a round */
        ck_assert(!are_shuffled_seen(nodes, 0, false));
    }
    for (size_t i = 0; i < READINGS; i++)
        value[i] = noise() > 0 ? 300 : 200; /* one device at random */
    ck_assert(!ws_readings_are_of_several(stamp, value, READINGS));
}
END_TEST

START_TEST(too_few_readings)
{
    ck_assert(are_loggers_seen(2, 100, 2, 300, 1));
    ck_assert(ws_readings_are_of_several(stamp, value, 48));
    ck_assert(!ws_readings_are_of_several(stamp, value, 31));
    ck_assert(are_loggers_seen(2, 100, 2, 300, 1000));
    ck_assert(ws_readings_are_of_several(stamp, value, 64));
    ck_assert(!ws_readings_are_of_several(stamp, value, 63));
}
END_TEST

TEST_MAIN("node watch", several_loggers, periodic_loads, slow_sensors, any_order, too_few_readings)
