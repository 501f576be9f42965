#include "harness.h"

#include "analyze/measure/meter.h"

#include <math.h>
#include <string.h>

/* Random traces: mostly plain readings, with every oddity that a meter knows sprinkled in. The state is the generator's. */
enum { SAMPLES = 700, TRACES = 300 };

typedef struct trace {
    size_t n;
    int64_t t_ns[SAMPLES], line[SAMPLES];
    double value[SAMPLES];
} trace;

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

static double draw_value(int kind)
{
    static const double odd[] = {0, -0.0, -1.5, 1e-30, 0x1p-1060, 1e18, 0.9e18, 1e19, 1e300, 0x1.fffffffffffffp58};
    if (draw(60) == 0)
        return draw(3) ? NAN : -INFINITY;
    if (draw(40) == 0)
        return odd[draw(sizeof odd / sizeof *odd)];
    double integer = (double)draw(70000);
    return kind == 0 ? integer / 100 : kind == 1 ? integer / 70000 : kind == 2 ? integer * 1e6 : integer / 3;
}

static int64_t draw_step(void)
{
    if (draw(50) == 0)
        return draw(2) ? 0 : -(int64_t)draw(1000000000);
    if (draw(80) == 0)
        return (int64_t)1 << draw(62);
    return draw(9) ? 95000000 + (int64_t)draw(10000000) : (int64_t)draw(6);
}

static void make(trace *x)
{
    int kind = (int)draw(4);
    int64_t t = (int64_t)draw(1000) * 1000000007;
    x->n = 1 + draw(SAMPLES);
    for (size_t i = 0; i < x->n; i++) {
        if (__builtin_add_overflow(t, draw_step(), &t))
            t = INT64_MIN / 2;
        x->t_ns[i] = t;
        x->line[i] = (int64_t)i + 2;
        x->value[i] = draw_value(kind);
    }
}

/* In blocks of one sample the meter never takes its short way. */
static ws_meter push(const trace *x, ws_rule rule, const ws_meter_options *options, size_t piece)
{
    ws_meter meter;
    ws_channel channel = {.rule = rule, .time = WS_TIME_UTC};
    ws_meter_init(&meter, &channel, rule, options);
    for (size_t i = 0; i < x->n; i += piece)
        ws_meter_push(&meter, &(ws_block){.n = x->n - i < piece ? x->n - i : piece,
                                          .t_ns = x->t_ns + i,
                                          .value = x->value + i,
                                          .line = x->line + i});
    return meter;
}

static bool same_buckets(const ws_meter *a, const ws_meter *b)
{
    bool same = a->n_buckets == b->n_buckets;
    for (size_t i = 0; same && i < a->n_buckets; i++) {
        const ws_interval_bucket *x = &a->buckets[i], *y = &b->buckets[i];
        same = x->quarter_octave == y->quarter_octave && x->count == y->count && x->total_ns == y->total_ns &&
               memcmp(&x->integral, &y->integral, sizeof x->integral) == 0 &&
               memcmp(&x->squares, &y->squares, sizeof x->squares) == 0;
    }
    return same;
}

/* Every number of the two meters, bit for bit. */
static void ck_same(const ws_meter *a, const ws_meter *b)
{
    const ws_seen *seen_a[] = {&a->refused, &a->back_steps, &a->duplicates, &a->zero_reads,
                               &a->wraps,   &a->resets,     &a->negatives,  &a->zeros};
    const ws_seen *seen_b[] = {&b->refused, &b->back_steps, &b->duplicates, &b->zero_reads,
                               &b->wraps,   &b->resets,     &b->negatives,  &b->zeros};
    for (size_t i = 0; i < sizeof seen_a / sizeof *seen_a; i++) {
        ck_assert_uint_eq(seen_a[i]->count, seen_b[i]->count);
        ck_assert_int_eq(seen_a[i]->line, seen_b[i]->line);
    }
    ck_assert_uint_eq(a->samples, b->samples);
    ck_assert_uint_eq(a->missing, b->missing);
    ck_assert(memcmp(&a->total, &b->total, sizeof a->total) == 0);
    ck_assert(memcmp(&a->squares, &b->squares, sizeof a->squares) == 0);
    ck_assert(memcmp(&a->steps, &b->steps, sizeof a->steps) == 0);
    ck_assert(memcmp(&a->min, &b->min, sizeof a->min) == 0 && memcmp(&a->max, &b->max, sizeof a->max) == 0);
    ck_assert_int_eq(a->has_last, b->has_last);
    ck_assert_int_eq(a->first_t, b->first_t);
    ck_assert_int_eq(a->last_t, b->last_t);
    ck_assert(memcmp(&a->first_value, &b->first_value, sizeof a->first_value) == 0);
    ck_assert(memcmp(&a->last_value, &b->last_value, sizeof a->last_value) == 0);
    ck_assert_int_eq(a->first_interval_unknown, b->first_interval_unknown);
    ck_assert_int_eq(a->longest_ns, b->longest_ns);
    ck_assert(same_buckets(a, b));
}

START_TEST(blocks_give_the_bits_of_single_samples)
{
    static trace x;
    static const ws_rule rules[] = {WS_RULE_TRAPEZOID, WS_RULE_NONE, WS_RULE_PERUN, WS_RULE_MEAN_TIMES_TIME,
                                    WS_RULE_COUNTER};
    state = 20260314;
    for (int i = 0; i < TRACES; i++) {
        make(&x);
        ws_meter_options options = {.has_window = draw(3) == 0};
        options.window_start_ns = x.t_ns[draw(x.n)];
        options.window_end_ns = options.window_start_ns + (int64_t)draw(60) * 1000000000 + 1;
        ws_rule rule = rules[draw(sizeof rules / sizeof *rules)];
        ws_meter single = push(&x, rule, &options, 1), blocks = push(&x, rule, &options, 1 + draw(400));
        ck_same(&single, &blocks);
        ws_meter_free(&single);
        ws_meter_free(&blocks);
    }
}
END_TEST

/* 1, 2, 3, 4 weigh alike whatever the time between them: mean 2.5, variance (2.25 + 0.25 + 0.25 + 2.25) / 3. */
START_TEST(plain_mean_and_spread_count_every_reading_alike)
{
    static trace x = {.n = 4, .t_ns = {0, 10, 20, 1000000000}, .value = {1, 2, 3, 4}};
    ws_meter meter = push(&x, WS_RULE_NONE, &(ws_meter_options){.has_window = false}, 4);
    ws_reading reading;
    ws_meter_read(&meter, &reading);
    ck_assert(reading.plain_mean == 2.5);
    ck_close(reading.plain_sd, sqrt(5.0 / 3), 1e-15, 0);
    ws_meter_free(&meter);
}
END_TEST

TEST_MAIN("meter runs", blocks_give_the_bits_of_single_samples, plain_mean_and_spread_count_every_reading_alike)
