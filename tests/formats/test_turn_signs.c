/* Readings and stamps that come back after a number of rows, and those that do not: both sides of each bound. */
#include "harness.h"

#include <math.h>

#include "formats/table/node_turns.h"
#include "formats/table/trace_sample.h"

enum { MOST = 2048 };
static double value[MOST];
static int64_t stamp[MOST];
static uint32_t state;

static double noise(void) /* -0.5 to 0.5 */
{
    state = state * 1664525u + 1013904223u;
    return (double)(state >> 8) / (1 << 24) - 0.5;
}

static const double levels[8] = {3, -5, 1, 6, -2, -6, 4, -1}; /* standard deviation: 4 */

/* k devices, `apart` times the levels from each other, a common load of a slow wave, and noise. */
static size_t cycle_of(size_t k, size_t n, double apart, double load, double noisy)
{
    for (size_t i = 0; i < n; i++)
        value[i] = 250 + load * sin((double)i / (double)k / 9.3) + apart * levels[i % k] + noisy * noise();
    return ws_cycle_of_readings(value, n);
}

START_TEST(levels_come_back)
{
    state = 4711;
    for (size_t k = 2; k <= 8; k++) {
        ck_assert_uint_eq(cycle_of(k, 400, 1, 0, 0), k);
        ck_assert_uint_eq(cycle_of(k, 1200, 1, 80, 6), k);
    }
}
END_TEST

/* Levels 1 apart have a variance of 16, noise one of noisy^2 / 12: bounds of a fifth and of a share of nothing. */
START_TEST(noise_does_not)
{
    state = 4712;
    for (size_t n = 40; n <= MOST; n += n / 3)
        for (int seed = 0; seed < 20; seed++) {
            ck_assert_uint_eq(cycle_of(8, n, 0, 0, 10), 0);
            ck_assert_uint_eq(cycle_of(8, n, 0, 80, 10), 0);
        }
    ck_assert_uint_eq(cycle_of(8, 1200, 1, 0, 16), 8);
    ck_assert_uint_eq(cycle_of(8, 1200, 1, 0, 100), 0);
}
END_TEST

/* 15 rounds are too few, 16 are enough. */
START_TEST(rounds_that_are_enough)
{
    ck_assert_uint_eq(cycle_of(3, 15 * 3, 1, 0, 0), 0);
    ck_assert_uint_eq(cycle_of(3, 16 * 3 + 1, 1, 0, 0), 3);
}
END_TEST

/* A smooth load of ten rows a period is that of one device; in no order the same levels are ten devices. */
START_TEST(a_periodic_load_is_smooth)
{
    static const int order[10] = {0, 5, 2, 8, 3, 9, 1, 6, 4, 7};
    state = 4713;
    for (size_t i = 0; i < 1200; i++)
        value[i] = 200 + 50 * sin((double)(i % 10) * 0.6283185307179586) + noise();
    ck_assert_uint_eq(ws_cycle_of_readings(value, 1200), 0);
    for (size_t i = 0; i < 1200; i++)
        value[i] = 200 + 50 * sin((double)order[i % 10] * 0.6283185307179586) + noise();
    ck_assert_uint_eq(ws_cycle_of_readings(value, 1200), 10);
    for (size_t i = 0; i < 1200; i++)
        value[i] = (i % 12 < 6 ? 300 : 100) + noise();
    ck_assert_uint_eq(ws_cycle_of_readings(value, 1200), 0);
}
END_TEST

START_TEST(nothing_and_what_is_missing)
{
    for (size_t i = 0; i < 400; i++)
        value[i] = 100;
    ck_assert_uint_eq(ws_cycle_of_readings(value, 400), 0);
    ck_assert_uint_eq(ws_cycle_of_readings(value, 0), 0);
    ck_assert_uint_eq(ws_cycle_of_readings(value, 1), 0);
    for (size_t i = 0; i < 400; i++)
        value[i] = noise() > -0.3 ? (double)i : NAN; /* a trend with holes */
    ck_assert_uint_eq(ws_cycle_of_readings(value, 400), 0);
}
END_TEST

static size_t cycle_of_steps(const int64_t *step_ms, size_t k, size_t n, double jitter_ms)
{
    int64_t t = 1700000000000;
    for (size_t i = 0; i < n; i++) {
        stamp[i] = t * 1000000;
        t += step_ms[i % k] + (int64_t)round(jitter_ms * noise());
    }
    return ws_cycle_of_stamps(stamp, n);
}

/* 33, 33, 34 ms are 30 rows a second, rounded; a pause of 4 ms more after each eighth row parts polls. */
START_TEST(steps_of_stamps)
{
    static const int64_t rounded[] = {33, 33, 34}, minutes[] = {1002, 1002, 996},
                         paused[] = {12, 12, 12, 12, 12, 12, 12, 16};
    state = 4714;
    ck_assert_uint_eq(cycle_of_steps(rounded, 3, 1200, 0), 0);
    ck_assert_uint_eq(cycle_of_steps(rounded, 1, 1200, 20), 0);
    ck_assert_uint_eq(cycle_of_steps(minutes, 3, 1200, 0), 0); /* 0.0167, 0.0167, 0.0166 of them */
    ck_assert_uint_eq(cycle_of_steps(paused, 8, 1200, 0), 8);
    ck_assert_uint_eq(cycle_of_steps(paused, 8, 1200, 2), 8);
    ck_assert_uint_eq(cycle_of_steps(paused, 8, 20, 0), 0);
}
END_TEST

/* Two devices 8 apart in so many sixteenths of the rows, alike in the others: what the places keep is that share. */
static bool keep_places(size_t rounds, size_t parts_apart)
{
    size_t n = 2 * rounds;
    for (size_t i = 0; i < n; i++)
        value[i] = 200 + (i % 2 && i / 2 * 16 / rounds < parts_apart ? 8 : 0);
    return ws_cycle_keeps_places(value, n, 2);
}

START_TEST(places_that_are_kept)
{
    ck_assert(keep_places(160, 16));
    ck_assert(keep_places(160, 10));
    ck_assert(!keep_places(160, 9));
    ck_assert(keep_places(16, 16));
    ck_assert(!keep_places(15, 15)); /* a round for each part */
}
END_TEST

enum { MANY = 200000 };
static double many[MANY];

/* Noise that has `share` of the noise of the row before in it: of independent noise e, the differences e[i] -
 * (1 - share) e[i-1] - share e[i-2] of neighbours are sqrt((1 + share^2) / (1 + share^2 - share)) times smaller than
 * those further apart, 1 + share / 2 for small shares. Of `repeat` readings one is that of the row before; 0: none. */
static bool are_alike(size_t n, double share, size_t repeat)
{
    double before = noise();
    for (size_t i = 0; i < n; i++) {
        double own = noise();
        many[i] = repeat && i % repeat == 1 ? many[i - 1] : own + share * before;
        before = own;
    }
    return ws_neighbours_are_alike(many, n);
}

START_TEST(neighbours_that_are_nearer)
{
    state = 4715;
    ck_assert(are_alike(MANY, 0.08, 0));
    ck_assert(!are_alike(MANY, 0.04, 0));
    ck_assert(!are_alike(64, -0.5, 0));
    ck_assert(are_alike(63, -0.5, 0)); /* too few rows */
    ck_assert(are_alike(1000, -0.5, 10));
    ck_assert(!are_alike(1100, -0.5, 11));
}
END_TEST

/* Neighbours 1.048 times as far apart as others, and a load that changes every so many rows: a change is one difference
 * of neighbours and two of readings two rows apart. Clipped at c times the median it counts as c / 1.14 mean
 * differences of neighbours, that of even noise, so that readings two rows apart differ 1.03 times as much as
 * neighbours for 33 rows where c is 4, 22 where it is 3 and 45 where it is 5. */
static bool are_alike_beside_changes(size_t rows)
{
    double before = noise();
    for (size_t i = 0; i < MANY; i++) {
        double own = noise();
        many[i] = own - 0.1 * before + (i / rows % 2 ? 1000 : 0);
        before = own;
    }
    return ws_neighbours_are_alike(many, MANY);
}

START_TEST(changes_of_the_load_are_clipped)
{
    state = 4715;
    ck_assert(are_alike_beside_changes(31));
    ck_assert(!are_alike_beside_changes(39));
}
END_TEST

TEST_MAIN("cycle", places_that_are_kept, neighbours_that_are_nearer, changes_of_the_load_are_clipped, levels_come_back,
          noise_does_not, rounds_that_are_enough, a_periodic_load_is_smooth, nothing_and_what_is_missing,
          steps_of_stamps)
