/* Whether two series are readings of one sensor, on made series: of one sensor read twice, and of two under one load.
 */
#include "harness.h"

#include "analyze/measure/fingerprint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

/* W, in steps of `step_w`. */
static double power(double least, double most, double step_w)
{
    return floor((least + (most - least) * uniform()) / step_w) * step_w;
}

/* A reading a second from `from` s on. */
static ws_fingerprint_taker taker_at(const double *value, size_t from, size_t n)
{
    static int64_t t_ns[4000];
    ws_fingerprint_taker f = {0};
    for (size_t i = 0; i < n; i++)
        t_ns[i] = (int64_t)(from + i) * 1000000000;
    const ws_block block = {.n = n, .t_ns = t_ns, .value = value};
    const ws_value_range range = ws_value_range_of(&block);
    ws_fingerprint_push(&f, &block, &range);
    return f;
}

/* Good until the next but one. */
static ws_fingerprint view_of(const ws_fingerprint_taker *taker)
{
    static ws_fingerprint_taker kept[2];
    static int next;
    kept[next = !next] = *taker;
    return ws_fingerprint_of(&kept[next]);
}

static ws_fingerprint print_of(const double *value, size_t n)
{
    ws_fingerprint_taker taker = taker_at(value, 0, n);
    return view_of(&taker);
}

enum { N = 4000 };

/* A share of the readings fall on the other side of a change. */
START_TEST(one_sensor_read_twice)
{
    static const struct {
        double share;
        int least; /* of 200 */
    } cases[] = {{1. / 120, 198}, {0.02, 196}, {0.05, 190}, {0.1, 168}};
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int found = 0;
        for (int seed = 0; seed < 200; seed++) {
            state = (uint64_t)seed + 1;
            for (int i = 0; i < 120; i++) {
                a[i] = power(60, 300, 0.01);
                b[i] = uniform() < cases[k].share ? power(60, 300, 0.01) : a[i];
            }
            ws_fingerprint x = print_of(a, 120), y = print_of(b, 119);
            found += ws_fingerprints_match(&x, &y);
        }
        ck_assert_int_ge(found, cases[k].least);
    }
    free(a);
    free(b);
}
END_TEST

/* Bounds, mean and spread in common, no reading; and steps of a tenth of a watt in a narrow range. */
START_TEST(two_sensors_of_one_load)
{
    static const struct {
        double least, most, step_w;
    } loads[] = {{200, 250, 0.01}, {60, 61, 0.1}, {22, 23, 0.1}, {180, 201, 0.1}, {60, 300, 0.01}};
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        for (int seed = 0; seed < 400; seed++) {
            state = (uint64_t)seed * 7919 + 3;
            for (int i = 0; i < N; i++) {
                a[i] = power(loads[k].least, loads[k].most, loads[k].step_w);
                b[i] = power(loads[k].least, loads[k].most, loads[k].step_w);
            }
            ws_fingerprint x = print_of(a, N), y = print_of(b, N);
            ck_assert_msg(!ws_fingerprints_match(&x, &y), "load %zu, seed %d", k, seed);
        }
    }
    free(a);
    free(b);
}
END_TEST

/* Wherever a trace is cut, once or twice; with values held, and gaps. */
START_TEST(cut_anywhere)
{
    double a[140];
    state = 11;
    for (int i = 0; i < 140; i++)
        a[i] = i % 7 == 3 ? NAN : i % 5 == 2 ? a[i - 1] : power(60, 300, 0.1);
    for (size_t n = 0; n <= 140; n += 1 + n / 90 * 6) {
        ws_fingerprint_taker whole = taker_at(a, 0, n);
        for (size_t first = 0; first <= n; first++) {
            for (size_t second = first; second <= n; second += 1 + second % 5) {
                ws_fingerprint_taker x = taker_at(a, 0, first), y = taker_at(a + first, first, second - first),
                                     z = taker_at(a + second, second, n - second), joined = x;
                ws_fingerprint_merge(&joined, &y);
                ws_fingerprint_merge(&joined, &z);
                ws_fingerprint_merge(&y, &z);
                ws_fingerprint_merge(&x, &y);
                ck_assert_msg(memcmp(&joined, &whole, sizeof whole) == 0, "%zu, %zu, %zu", n, first, second);
                ck_assert(memcmp(&x, &whole, sizeof whole) == 0);
            }
        }
    }
}
END_TEST

/* --- copies with stamps --- */

typedef struct series {
    int64_t t_ns[N];
    double value[N];
    size_t n;
} series;

static size_t n_powers = 1; /* of the log */

static ws_fingerprint stamped(const series *s)
{
    ws_fingerprint_taker f = {0};
    const ws_block block = {.n = s->n, .t_ns = s->t_ns, .value = s->value};
    const ws_value_range range = ws_value_range_of(&block);
    ws_fingerprint_push(&f, &block, &range);
    ws_fingerprint_cut(&f, n_powers);
    return view_of(&f);
}

static bool share(const ws_fingerprint *a, const ws_fingerprint *b)
{
    ws_shared_readings shared = {.chance = 1};
    ws_fingerprints_compare(&shared, a, b);
    return ws_are_shared_readings(&shared);
}

/* A second apart, with noise of about noise_w around a load that all cards share. */
static void make(series *s, int seed, double least_w, double swing_w, double noise_w, double step_w)
{
    state = (uint64_t)seed * 104729 + 17;
    s->n = 1200;
    for (size_t i = 0; i < s->n; i++) {
        double load = least_w + swing_w * (i / 37 % 2 ? 1 : 0.3 * sin((double)i / 11));
        double noise = noise_w * (uniform() + uniform() + uniform() - 1.5) * 2;
        s->t_ns[i] = INT64_C(1770796800000000000) + (int64_t)i * 1000000000;
        s->value[i] = step_w * round((load + noise) / step_w);
    }
}

typedef enum change { ROW_LESS, LATER_AND_ROW_LESS, SECOND_ROW, TENTH_ROW, WHOLE_WATTS, HALF_OTHER, CHANGES } change;

static void change_it(series *s, change how)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool drops = how == SECOND_ROW  ? i % 2 != 0
                     : how == TENTH_ROW ? i % 10 != 3
                                        : how <= LATER_AND_ROW_LESS && i == 411;
        if (drops)
            continue;
        s->t_ns[n] = s->t_ns[i] + (how == LATER_AND_ROW_LESS ? INT64_C(7200000000000) : 0);
        s->value[n] = how == WHOLE_WATTS ? round(s->value[i]) : s->value[i];
        if (how == HALF_OTHER && i % 2)
            s->value[n] = power(60, 300, 0.01);
        n++;
    }
    s->n = n;
}

START_TEST(copies_that_lack_something)
{
    static const int least[CHANGES] = {200, 200, 200, 195, 200, 190}; /* of 200 */
    series *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    for (int how = 0; how < CHANGES; how++) {
        int found = 0;
        for (int seed = 0; seed < 200; seed++) {
            make(a, seed, 200, 80, 4, 0.01);
            *b = *a;
            change_it(b, (change)how);
            ws_fingerprint x = stamped(a), y = stamped(b);
            found += ws_fingerprints_share_readings(&x, &y, 1) || ws_fingerprints_are_one(&x, &y) || share(&x, &y);
        }
        ck_assert_msg(found >= least[how], "change %d: %d of 200", how, found);
    }
    free(a);
    free(b);
}
END_TEST

/* At the same stamps, in coarse and fine steps: under one load, idle, at a limit, and as one rises slowly. */
START_TEST(two_cards_at_the_same_times)
{
    static const struct {
        double least_w, swing_w, noise_w, step_w;
    } loads[] = {{200, 80, 4, 0.01}, {200, 80, 4, 1},  {200, 80, 1, 1},    {60, 0, 0.3, 1},  {60, 0, 0.05, 0.01},
                 {60, 0, 0.2, 0.1},  {400, 0, 0.6, 1}, {100, 300, 0.5, 1}, {60, 4, 0.01, 1}, {300, 100, 0.4, 0.1}};
    series *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++)
        for (int seed = 0; seed < 300; seed++) {
            make(a, 2 * seed, loads[k].least_w, loads[k].swing_w, loads[k].noise_w, loads[k].step_w);
            make(b, 2 * seed + 1, loads[k].least_w, loads[k].swing_w, loads[k].noise_w, loads[k].step_w);
            ws_fingerprint x = stamped(a), y = stamped(b);
            ck_assert_msg(!ws_fingerprints_share_readings(&x, &y, 1), "load %zu, seed %d", k, seed);
            ck_assert_msg(!ws_fingerprints_are_one(&x, &y), "load %zu, seed %d: words", k, seed);
            ck_assert_msg(!share(&x, &y), "load %zu, seed %d: readings", k, seed);
        }
    for (size_t i = 0; i < a->n; i++)
        a->value[i] = b->value[i] = 60 + floor((double)i / 5);
    for (size_t i = 0; i < a->n; i++)
        b->t_ns[i] += 500000000;
    ws_fingerprint x = stamped(a), y = stamped(b);
    ck_assert(!ws_fingerprints_are_one(&x, &y));
    free(a);
    free(b);
}
END_TEST

/* The last part of a log is the first part of the next, or a tenth of its rows are copied, of some GPUs. */
START_TEST(a_log_that_goes_on)
{
    static const struct {
        size_t gpus, shared, every;
        int least; /* of 100 */
    } cases[] = {{1, 600, 1, 100}, {1, 300, 1, 100}, {4, 300, 1, 95}, {8, 1200, 10, 90}, {2, 1200, 10, 95}};
    series *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int found = 0;
        n_powers = cases[k].gpus;
        for (int seed = 0; seed < 100; seed++) {
            ws_shared_readings shared = {.chance = 1}, of_others = {.chance = 1};
            for (size_t g = 0; g < cases[k].gpus; g++) {
                make(a, seed + 10000 * (int)g, 200, 80, 4, 0.01);
                make(b, seed + 10000 * (int)g + 1000, 200, 80, 4, 0.01);
                size_t from = a->n - cases[k].shared, n = 0;
                for (size_t i = 0; i < b->n; i++)
                    b->t_ns[i] = a->t_ns[i] + (int64_t)from * 1000000000;
                ws_fingerprint x = stamped(a), y = stamped(b);
                ws_fingerprints_compare(&of_others, &x, &y);
                memcpy(b->value, a->value + from, cases[k].shared * sizeof *b->value);
                for (size_t i = 0; i < b->n; i += cases[k].every, n++) {
                    b->t_ns[n] = b->t_ns[i];
                    b->value[n] = b->value[i];
                }
                b->n = n;
                y = stamped(b);
                ws_fingerprints_compare(&shared, &x, &y);
            }
            found += ws_are_shared_readings(&shared);
            ck_assert(!ws_are_shared_readings(&of_others));
        }
        ck_assert_msg(found >= cases[k].least, "%zu GPUs: %d of 100", cases[k].gpus, found);
    }
    n_powers = 1;
    free(a);
    free(b);
}
END_TEST

/* --- counters --- */

/* A count of J, in steps of unit_j, of about 200 W, a second apart. */
static void count_up(series *s, int seed, double from_j, double unit_j)
{
    double joules = from_j;
    make(s, seed, 200, 0, 2, 0.001);
    for (size_t i = 0; i < s->n; i++) {
        joules += s->value[i];
        s->value[i] = unit_j * floor(joules / unit_j);
    }
}

static ws_fingerprint_taker counted_from(const series *s, size_t from, size_t n)
{
    ws_fingerprint_taker f = {0};
    ws_fingerprint_push_counter(&f, &(ws_block){.n = n, .t_ns = s->t_ns + from, .value = s->value + from});
    return f;
}

static ws_fingerprint counted(const series *s)
{
    ws_fingerprint_taker f = counted_from(s, 0, s->n);
    return view_of(&f);
}

/* A copy counts from its own beginning, or lacks rows; another counter draws the same by a hundredth of its noise. */
START_TEST(counters)
{
    static const double units_j[] = {1e-6, 61e-6, 1e-3, 1, 1000, 3600};
    series *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    int found = 0;
    for (size_t k = 0; k < sizeof units_j / sizeof *units_j; k++)
        for (int seed = 0; seed < 50; seed++) {
            bool tells = units_j[k] <= 1;
            count_up(a, 2 * seed, 5e6 * seed + 1234, units_j[k]);
            count_up(b, 2 * seed + 1, 5e6 * seed + 1234, units_j[k]);
            ws_fingerprint x = counted(a), y = counted(b);
            ck_assert_msg(!share(&x, &y) && !ws_fingerprints_share_readings(&x, &y, 1), "%g J, %d", units_j[k], seed);
            *b = *a;
            change_it(b, TENTH_ROW);
            for (size_t i = 0; i < b->n; i++)
                b->value[i] -= 1000;
            x = counted(a), y = counted(b);
            found += share(&x, &y);
            ck_assert_msg(tells || !share(&x, &y), "%g J, %d: copy", units_j[k], seed);
            ws_fingerprint_taker whole = counted_from(a, 0, a->n), first = counted_from(a, 0, 411),
                                 next = counted_from(a, 411, a->n - 411);
            ws_fingerprint_merge(&first, &next);
            ck_assert(memcmp(&first, &whole, sizeof whole) == 0);
        }
    ck_assert_int_ge(found, 185); /* of 200 */
    free(a);
    free(b);
}
END_TEST

/* Whole mJ, modulo 1 kWh; more than 1e15 J count as no reading. */
START_TEST(what_counters_count_in)
{
    static const struct {
        double joules;
        int64_t count_mj; /* -1: none */
    } cases[] = {{1.0015, 1001}, {1.0024, 1002}, {3600002.5, 2500}, {9e14, 0}, {1.1e15, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t t_ns = 1770796800 * INT64_C(1000000000);
        ws_fingerprint_taker f = {0};
        ws_fingerprint_push_counter(&f, &(ws_block){.n = 1, .t_ns = &t_ns, .value = &cases[i].joules});
        ck_assert_uint_eq(f.print.n_samples, cases[i].count_mj >= 0);
        ck_assert_msg(cases[i].count_mj < 0 || f.print.sample[0].count_mj == cases[i].count_mj, "%.17g: %u",
                      cases[i].joules, f.print.sample[0].count_mj);
    }
}
END_TEST

/* Of two that stand still nothing is told, nor of a counter beside a power. */
START_TEST(counters_that_stand_still)
{
    series *a = malloc(sizeof *a);
    count_up(a, 1, 1e6, 1e-6);
    ws_fingerprint power = stamped(a), count = counted(a);
    ck_assert(!share(&power, &count));
    for (size_t i = 0; i < a->n; i++)
        a->value[i] = 1e6;
    ws_fingerprint x = counted(a);
    ck_assert(!share(&x, &x));
    free(a);
}
END_TEST

/* Four readings, nine in ten of them, half of other values, and one chance in a thousand million. */
START_TEST(what_is_no_chance)
{
    static const struct {
        ws_shared_readings shared;
        bool wanted;
    } cases[] = {{{20, 20, 16, 16, 0.8e-9}, true}, {{20, 20, 16, 16, 1.25e-9}, false}, {{4, 4, 4, 4, 1e-10}, true},
                 {{3, 3, 3, 3, 1e-10}, false},     {{20, 18, 16, 16, 1e-10}, true},    {{20, 17, 16, 16, 1e-10}, false},
                 {{20, 20, 9, 16, 1e-10}, true},   {{20, 20, 8, 16, 1e-10}, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        ck_assert_msg(ws_are_shared_readings(&cases[k].shared) == cases[k].wanted, "case %zu", k);
}
END_TEST

TEST_MAIN("fingerprint", one_sensor_read_twice, two_sensors_of_one_load, cut_anywhere, copies_that_lack_something,
          two_cards_at_the_same_times, a_log_that_goes_on, counters, what_counters_count_in, counters_that_stand_still,
          what_is_no_chance)
