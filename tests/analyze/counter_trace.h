/* Random counters as their tools write them: whole microjoules, millijoules or sixteenths, with every oddity that a
 * log of them has. */
#ifndef WS_TESTS_ANALYZE_COUNTER_TRACE_H
#define WS_TESTS_ANALYZE_COUNTER_TRACE_H

#include "random_trace.h"

/* Of which, one in so many readings is odd: never, rarely, often. */
static const uint64_t odd_readings[] = {0, 300, 30};

typedef struct drawn_counter {
    double unit_j, at, range_j, usual;
    int64_t step_ns, jitter_ns;
    uint64_t odd;
} drawn_counter;

static inline drawn_counter draw_counter(void)
{
    static const double units[] = {1e-6, 1e-6, 1e-3, 0.0625, 1e-3}, begins[] = {0, 5e4, 4e5, 1000, 2e9};
    static const int64_t steps[] = {100000000, 20000000, 1000000000, 10000000000, 3};
    size_t kind = draw(5);
    drawn_counter c = {.unit_j = units[kind],
                       .at = begins[kind] + (double)draw(10000),
                       .range_j = kind < 2 ? RANGE_J : 0,
                       .usual = (double)(1 + draw(300)),
                       .step_ns = steps[draw(5)],
                       .odd = odd_readings[draw(3)]};
    c.jitter_ns = draw(3) ? c.step_ns / 20 + 1 : c.step_ns;
    return c;
}

/* The next reading, in whole units: some power over the interval, or something odd. */
static inline double next_reading(drawn_counter *c, int64_t ns)
{
    double rise_j = c->usual * (0.5 + (double)draw(1000) / 1000) * (double)ns * 1e-9;
    bool is_odd = c->odd && draw(c->odd) == 0;
    switch (is_odd ? draw(9) : 9) {
    case 0:
        return 0;
    case 1:
        return NAN;
    case 2:
        c->at = 0; /* it began again */
        break;
    case 3:
        return c->at + 9000; /* and comes back */
    case 4:
        rise_j = draw(2) ? c->unit_j : 0;
        break;
    case 5:
        rise_j = -c->unit_j;
        break;
    case 6:
        rise_j += 1e5; /* and stays */
        break;
    case 7:
        return c->at + 1.0 / 3; /* no whole unit */
    case 8:
        c->odd = draw(2) ? 2 : c->odd; /* the rest is all odd */
        break;
    default:
        break;
    }
    c->at += rise_j;
    c->at = c->range_j > 0 && c->at > c->range_j ? c->at - c->range_j : c->at;
    return rint(c->at / c->unit_j) * c->unit_j;
}

static inline void make_counter(trace *x)
{
    drawn_counter c = draw_counter();
    int64_t t = (int64_t)draw(1000) * 1000000007;
    size_t still = 0;
    x->n = 1 + draw(SAMPLES);
    x->has_interval = false;
    for (size_t i = 0; i < x->n; i++) {
        int64_t ns = c.step_ns + (int64_t)draw((uint64_t)c.jitter_ns) - c.jitter_ns / 2;
        if (c.odd && draw(c.odd) == 0)
            ns = draw(3) ? 0 : draw(2) ? -(int64_t)draw(2000000000) : INT64_C(1) << draw(45);
        still = still ? still - 1 : c.odd && draw(5 * c.odd) == 0 ? draw(80) : 0;
        double reading = next_reading(&c, ns > 0 ? ns : 0);
        t += ns;
        x->t_ns[i] = t;
        x->line[i] = (int64_t)i + 2;
        x->value[i] = still && i ? x->value[i - 1] + (still % 3 ? c.unit_j : 0) : reading; /* or creeps */
    }
}

#endif
