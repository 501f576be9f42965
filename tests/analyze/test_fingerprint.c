/* Whether two series are readings of one sensor, on made series: of one sensor read twice, and of two under one load.
 */
#include "harness.h"

#include "analyze/measure/suspect_powers.h"

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

static ws_fingerprint print_of(const double *value, size_t n)
{
    ws_fingerprint f = {0};
    ws_fingerprint_push(&f, &(ws_block){.n = n, .value = value});
    return f;
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
    double a[90];
    state = 11;
    for (int i = 0; i < 90; i++)
        a[i] = i % 7 == 3 ? NAN : i % 5 == 2 ? a[i - 1] : power(60, 300, 0.1);
    for (size_t n = 0; n <= 90; n++) {
        ws_fingerprint whole = print_of(a, n);
        for (size_t first = 0; first <= n; first++) {
            for (size_t second = first; second <= n; second += 1 + second % 5) {
                ws_fingerprint x = print_of(a, first), y = print_of(a + first, second - first),
                               z = print_of(a + second, n - second), joined = x;
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

TEST_MAIN("fingerprint", one_sensor_read_twice, two_sensors_of_one_load, cut_anywhere)
