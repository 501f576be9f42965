/* Random traces with every oddity that a meter knows. */
#ifndef WS_TESTS_ANALYZE_RANDOM_TRACE_H
#define WS_TESTS_ANALYZE_RANDOM_TRACE_H

#include "harness.h"

#include "same_meters.h"

#include <math.h>

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

/* A counter that wraps at RANGE_J, slips and fails for a while now and then. make() has it zero for long where it
 * begins, and stand still.
 */
static inline double draw_count(double before)
{
    double next = before + (draw(20) ? (double)draw(50000) / 7 : -before / 100);
    return draw(12) == 0 ? 0 : draw(30) == 0 ? (double)draw(3000) : next > RANGE_J ? next - RANGE_J : next;
}

static inline void make(trace *x)
{
    int kind = (int)draw(KINDS);
    int64_t t = (int64_t)draw(1000) * 1000000007;
    size_t zeros = draw(3) ? 0 : draw(30), still = 0;
    double count = (double)draw(1000);
    x->n = 1 + draw(SAMPLES);
    x->has_interval = draw(3) == 0;
    for (size_t i = 0; i < x->n; i++) {
        if (__builtin_add_overflow(t, draw_step(), &t))
            t = INT64_MIN / 2;
        x->t_ns[i] = t;
        x->interval_ns[i] = draw(10) ? 95000000 + (int64_t)draw(10000000) : (int64_t)draw(3) - 1;
        x->line[i] = (int64_t)i + 2;
        still = still ? still - 1 : kind == COUNTER && draw(40) == 0 ? draw(300) : 0;
        if (kind != COUNTER || draw(50) == 0)
            x->value[i] = draw_value(kind);
        else
            x->value[i] = i < zeros ? 0 : still ? count : (count = draw_count(count));
    }
}

/* Samples from..to-1 in blocks of `piece`. In blocks of one the meter never takes its short way. Lines count from
 * `from`. */
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

#endif
