/* Stamps and readings as perun stores them, on their way to the sink: many at once or one by one, with the same result.
 */
#include "formats/hdf5/perun_samples.h"
#include "harness.h"
#include "recorder.h"

#include <math.h>

enum { SAMPLES = 20000 };

typedef struct stored {
    double seconds[SAMPLES], value[SAMPLES];
} stored;

static ws_status read_stored(void *state, const ws_perun_series *series, uint64_t first, size_t count, double *value,
                             ws_error *error)
{
    (void)state, (void)error;
    memcpy(value, (const double *)series->ref.object + first, count * sizeof *value);
    return WS_OK;
}

/* What comes of them equals what each is by itself. */
static void check(const stored *made, double seconds_each, double to_si, size_t n)
{
    recorder r = {0};
    ws_sink sink = recorder_sink(&r);
    int id;
    uint64_t bad_times, expected_bad = 0;
    ck_assert_int_eq(sink.channel(sink.state, &(ws_channel){.quantity = WS_POWER}, &id, NULL), WS_OK);
    ws_perun_tree tree = {.samples = ws_perun_samples_new(), .read = read_stored};
    ws_perun_series time = {.ref.object = made->seconds, .n = n, .magnitude = seconds_each};
    ws_perun_series values = {.ref.object = made->value, .n = n, .magnitude = 1};
    ws_perun_source from = {.time = &time, .values = &values, .n = n, .to_si = to_si};
    ck_assert_int_eq(ws_perun_push_samples(&tree, &from, &sink, id, &bad_times, NULL), WS_OK);
    const recorded *c = &r.channels[0];
    for (size_t i = 0; i < n; i++) {
        double at = made->seconds[i] * seconds_each, value = made->value[i];
        if (!(fabs(at) < 9e9)) {
            expected_bad++;
            continue;
        }
        size_t kept = i - (size_t)expected_bad;
        ck_assert_uint_lt(kept, c->n);
        ck_assert_int_eq(c->t_ns[kept], llround(at * 1e9));
        ck_assert(isfinite(value) ? c->value[kept] == value * to_si : isnan(c->value[kept]));
    }
    ck_assert_uint_eq(bad_times, expected_bad);
    ck_assert_uint_eq(c->n, n - expected_bad);
    ws_perun_samples_free(tree.samples);
    recorder_free(&r);
}

static void make_usual(stored *made)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        made->seconds[i] = (double)(float)(0.1 * (double)i);
        made->value[i] = (double)(float)(250 + 50 * sin((double)i));
    }
}

static stored made;

START_TEST(test_usual)
{
    static const size_t ends[] = {1, 63, 64, 65, 8192, 8193, SAMPLES};
    make_usual(&made);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        check(&made, 1, 0.001, ends[i]);
    check(&made, 1e-3, 1, SAMPLES);
}
END_TEST

/* From 2^13 s on, a float counts in 2^-10 s: every other one lies in the middle between two nanoseconds. */
START_TEST(test_halves)
{
    make_usual(&made);
    for (size_t i = 0; i < SAMPLES; i++)
        made.seconds[i] = 8192 + (double)i / 1024;
    ck_assert(llround(made.seconds[1] * 1e9) == 8192000976563 && made.seconds[1] * 1e9 == 8192000976562.5);
    check(&made, 1, 1, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++)
        made.seconds[i] = -made.seconds[i];
    check(&made, 1, 1, SAMPLES);
}
END_TEST

START_TEST(test_odd_ones_among_usual)
{
    static const double odd_seconds[] = {NAN, INFINITY, -INFINITY, 9e9, -9e9, 1e300, -0.25, 0x1p51 * 1e-9, 3e6, 8e9},
                        odd_values[] = {NAN, INFINITY, -INFINITY, 0, -1, 1e308, -1e308};
    make_usual(&made);
    for (size_t i = 0, step = 17; i < SAMPLES; i += step++) {
        if (step % 2)
            made.seconds[i] = odd_seconds[i % (sizeof odd_seconds / sizeof *odd_seconds)];
        else
            made.value[i] = odd_values[i % (sizeof odd_values / sizeof *odd_values)];
    }
    check(&made, 1, 1e3, SAMPLES);
}
END_TEST

TEST_MAIN("perun samples", test_usual, test_halves, test_odd_ones_among_usual)
