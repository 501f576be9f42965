/* Random traces with every oddity that a meter knows, and the comparison of two meters bit for bit. */
#ifndef WS_TESTS_ANALYZE_RANDOM_TRACE_H
#define WS_TESTS_ANALYZE_RANDOM_TRACE_H

#include "harness.h"

#include "analyze/measure/meter.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 700, TRACES = 300 };
static const double RANGE_J = 60000;

typedef struct trace {
    size_t n;
    int64_t t_ns[SAMPLES], interval_ns[SAMPLES], line[SAMPLES];
    bool has_interval;
    double value[SAMPLES];
} trace;

static uint64_t state;

static inline uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

/* PLAIN: nothing odd in it. COUNTER: draw_count. */
enum { PLAIN = 5, COUNTER = 6, KINDS };

static inline double draw_value(int kind)
{
    static const double odd[] = {0, -0.0, -1.5, 1e-30, 0x1p-1060, 1e18, 0.9e18, 1e19, 1e300, 0x1.fffffffffffffp58};
    if (kind == PLAIN)
        return (double)draw(400000) * 1e-3;
    if (draw(60) == 0)
        return draw(3) ? NAN : -INFINITY;
    if (draw(40) == 0)
        return odd[draw(sizeof odd / sizeof *odd)];
    double integer = (double)draw(70000);
    const double values[] = {integer / 100, integer / 70000, integer * 1e6, integer / 3, integer * 1e-3 * 0.01};
    return values[kind % PLAIN];
}

static inline int64_t draw_step(void)
{
    if (draw(50) == 0)
        return draw(2) ? 0 : -(int64_t)draw(1000000000);
    if (draw(80) == 0)
        return (int64_t)1 << draw(62);
    return draw(9) ? 95000000 + (int64_t)draw(10000000) : (int64_t)draw(6);
}

/* A counter that wraps at RANGE_J, fails for a while now and then, and may be zero for long where it begins. */
static inline double draw_count(double before)
{
    double next = before + (double)draw(50000) / 7;
    return draw(12) == 0 ? 0 : draw(30) == 0 ? (double)draw(3000) : next > RANGE_J ? next - RANGE_J : next;
}

static inline void make(trace *x)
{
    int kind = (int)draw(KINDS);
    int64_t t = (int64_t)draw(1000) * 1000000007;
    size_t zeros = draw(3) ? 0 : draw(30);
    double count = (double)draw(1000);
    x->n = 1 + draw(SAMPLES);
    x->has_interval = draw(3) == 0;
    for (size_t i = 0; i < x->n; i++) {
        if (__builtin_add_overflow(t, draw_step(), &t))
            t = INT64_MIN / 2;
        x->t_ns[i] = t;
        x->interval_ns[i] = draw(10) ? 95000000 + (int64_t)draw(10000000) : (int64_t)draw(3) - 1;
        x->line[i] = (int64_t)i + 2;
        x->value[i] = kind != COUNTER || draw(50) == 0 ? draw_value(kind) : i < zeros ? 0 : (count = draw_count(count));
    }
}

/* Samples from..to-1 in blocks of `piece`. In blocks of one the meter never takes its short way. Lines count from `from`. */
static inline ws_meter push_part(const trace *x, size_t from, size_t to, ws_rule rule, const ws_meter_options *options,
                                 size_t piece)
{
    static int64_t lines[SAMPLES];
    ws_meter meter;
    ws_channel channel = {.rule = rule, .time = WS_TIME_UTC, .counter_range_j = RANGE_J};
    ws_meter_init(&meter, &channel, rule, options);
    for (size_t i = from; i < to; i++)
        lines[i] = x->line[i] - (int64_t)from;
    for (size_t i = from; i < to; i += piece)
        ws_meter_push(&meter, &(ws_block){.n = to - i < piece ? to - i : piece,
                                          .t_ns = x->t_ns + i,
                                          .value = x->value + i,
                                          .interval_ns = x->has_interval ? x->interval_ns + i : NULL,
                                          .line = lines + i});
    return meter;
}

static inline ws_meter push(const trace *x, ws_rule rule, const ws_meter_options *options, size_t piece)
{
    return push_part(x, 0, x->n, rule, options, piece);
}

/* A 64th may stand on either side of a total; what both sides come to is one number. */
static inline bool same_total(const ws_total *a, const ws_total *b, int64_t parts)
{
    ws_sum x = ws_total_sum(a, parts), y = ws_total_sum(b, parts);
    return memcmp(&x, &y, sizeof x) == 0;
}

static inline bool same_buckets(const ws_meter *a, const ws_meter *b)
{
    bool same = a->n_buckets == b->n_buckets;
    for (size_t i = 0; same && i < a->n_buckets; i++) {
        const ws_interval_bucket *x = &a->buckets[i], *y = &b->buckets[i];
        same = x->quarter_octave == y->quarter_octave && x->count == y->count && x->total_ns == y->total_ns &&
               same_total(&x->integral, &y->integral, WS_PARTS) &&
               same_total(&x->squares, &y->squares, WS_SQUARE_PARTS);
    }
    return same;
}

/* Every number of the two meters, bit for bit. */
static inline void ck_same(const ws_meter *a, const ws_meter *b)
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
    ck_assert(same_total(&a->total, &b->total, WS_PARTS));
    ck_assert(same_total(&a->squares, &b->squares, WS_SQUARE_PARTS));
    ck_assert(same_total(&a->steps, &b->steps, WS_PARTS));
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

#endif
