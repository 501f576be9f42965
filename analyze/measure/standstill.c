#include "analyze/measure/standstill.h"

#include <math.h>
#include <string.h>

/* W. Below it a step of the readings may be larger than their noise. Ours. */
static const double still_low_w = 20;

void ws_standstill_init(ws_standstill *s, ws_standstill_steps steps)
{
    *s = (ws_standstill){.steps = steps, .window_start_ns = INT64_MIN, .window_end_ns = INT64_MAX};
}

/* What a reading shares with those of its run: the power itself, or the step that it lies in, a quarter or three
 * quarters into it where it has two decimals. Low powers, beside which a step is large, and powers beyond reason share
 * none. */
typedef struct shared {
    double power_w;
    int64_t step; /* NO_STEP: shared with no other */
} shared;

#define NO_STEP INT64_MIN

static inline __attribute__((always_inline)) int64_t step_of(ws_standstill_steps steps, double power_w)
{
    static const double most_w = 1e9, steps_a_watt = 1 / WS_STANDSTILL_STEP_W;
    const double shift = steps == WS_STILL_EVEN ? 0.25 : 0.75;
    bool has_step = power_w >= still_low_w && power_w < most_w;
    return has_step ? (int64_t)(power_w * steps_a_watt + shift) : NO_STEP;
}

static inline __attribute__((always_inline)) shared shared_of(ws_standstill_steps steps, double power_w)
{
    return (shared){power_w, steps == WS_STILL_EQUAL ? NO_STEP : step_of(steps, power_w)};
}

static inline __attribute__((always_inline)) bool shares(ws_standstill_steps steps, double power_w, const shared *with)
{
    if (steps == WS_STILL_EQUAL)
        return power_w == with->power_w;
    return with->step != NO_STEP && step_of(steps, power_w) == with->step;
}

static inline __attribute__((always_inline)) bool is_same(ws_standstill_steps steps, double a, double b)
{
    const shared of_b = shared_of(steps, b);
    return shares(steps, a, &of_b);
}

static ws_standstill_kind kind_of(double power_w)
{
    static const double lowest_w = 2;
    if (fabs(power_w) < still_low_w)
        return fabs(power_w) < lowest_w ? WS_STILL_BELOW_2_W : WS_STILL_BELOW_20_W;
    return power_w == floor(power_w) ? WS_STILL_WHOLE : WS_STILL_FINER;
}

/* Of two longest ones as long the one with more readings, in any order. */
void ws_standstill_add(ws_standstill_sum *sum, const ws_standstill_sum *more)
{
    sum->ns += more->ns;
    sum->energy_j += more->energy_j;
    if (more->longest_ns < sum->longest_ns ||
        (more->longest_ns == sum->longest_ns && more->longest_n <= sum->longest_n))
        return;
    sum->longest_ns = more->longest_ns;
    sum->longest_n = more->longest_n;
}

static void count(ws_standstill *s, const ws_standstill_run *run)
{
    int64_t from = run->from_ns > s->window_start_ns ? run->from_ns : s->window_start_ns, ns;
    int64_t to = run->to_ns < s->window_end_ns ? run->to_ns : s->window_end_ns;
    bool is_short =
        run->n < WS_STANDSTILL_READINGS || __builtin_sub_overflow(to, from, &ns) || (double)ns < WS_STANDSTILL_S * 1e9;
    if (is_short || run->value == 0)
        return;
    const double parts = 1024; /* whole ones, whose sum is the same in any order */
    ws_standstill_sum one = {.ns = ns,
                             .longest_ns = ns,
                             .longest_n = run->n,
                             .energy_j = rint(run->value * ((double)ns / 1e9) * parts) / parts};
    ws_standstill_add(&s->of[kind_of(run->value)], &one);
}

static ws_standstill_run *open_run(ws_standstill *s)
{
    return s->last.n ? &s->last : &s->first;
}

/* A run behind all others: goes on with the open one, or ends it. */
static void add_run(ws_standstill *s, const ws_standstill_run *run)
{
    ws_standstill_run *open = open_run(s);
    if (!open->n) {
        *open = *run;
    } else if (is_same(s->steps, open->value, run->value)) {
        open->to_ns = run->to_ns;
        open->n += run->n;
    } else {
        if (open == &s->last)
            count(s, open);
        s->last = *run;
    }
}

static ws_standstill_run run_of(const ws_block *b, size_t from, size_t to)
{
    return (ws_standstill_run){b->value[from], b->t_ns[from], b->t_ns[to - 1], to - from};
}

/* The end of the run that begins at i. */
static inline __attribute__((always_inline)) size_t end_of_run(ws_standstill_steps steps, const ws_block *b, size_t i)
{
    const shared run = shared_of(steps, b->value[i]);
    size_t end = i + 1;
    while (end < b->n && shares(steps, b->value[end], &run))
        end++;
    return end;
}

/* Where the last run begins. */
static inline __attribute__((always_inline)) size_t start_of_last(ws_standstill_steps steps, const ws_block *b)
{
    size_t i = b->n - 1;
    const shared run = shared_of(steps, b->value[i]);
    bool may_last = steps == WS_STILL_EQUAL || run.step != NO_STEP;
    const double *v = b->value, last = run.power_w;
    while (may_last && i >= 4 && v[i - 1] == last && v[i - 2] == last && v[i - 3] == last && v[i - 4] == last)
        i -= 4;
    while (may_last && i > 0 && shares(steps, v[i - 1], &run))
        i--;
    return i;
}

/* The next run from i on that begins there or is long; short ones before it are passed over: a long one holds two
 * neighbours at every ninth place. */
static inline __attribute__((always_inline)) size_t next_run(ws_standstill_steps steps, const ws_block *b, size_t i,
                                                             size_t last)
{
    const size_t reach = WS_STANDSTILL_READINGS - 1;
    while (i + reach < last && !is_same(steps, b->value[i + reach], b->value[i + reach - 1]))
        i += reach;
    if (i + reach >= last)
        return last;
    size_t start = i + reach - 1;
    while (start > i && is_same(steps, b->value[start - 1], b->value[start]))
        start--;
    return start;
}

/* Readings without a missing cell among them. Made for each kind of steps. */
static inline __attribute__((always_inline)) void push_readings_by(ws_standstill *s, const ws_block *b,
                                                                   ws_standstill_steps steps)
{
    static const ws_standstill_run between = {.value = NAN, .n = 1}; /* stands for short ones: it is like no other */
    size_t last = start_of_last(steps, b), i = 0;
    while (i < b->n) {
        size_t end = i < last ? end_of_run(steps, b, i) : b->n;
        ws_standstill_run run = run_of(b, i, end);
        add_run(s, &run);
        i = end < last ? next_run(steps, b, end, last) : end;
        if (i > end)
            add_run(s, &between);
    }
}

static bool moves(double a, double b)
{
    return fabs(a - b) > WS_STANDSTILL_STEP_W;
}

/* Readings with no long run among them, none of two at either end, and none that goes on from those before. */
static bool move_throughout(const double *value, size_t n, double before)
{
    const size_t reach = WS_STANDSTILL_READINGS - 1;
    if (n < 2 || !moves(before, value[0]) || !moves(value[0], value[1]) || !moves(value[n - 2], value[n - 1]))
        return false;
    for (size_t i = reach; i < n; i += reach)
        if (!moves(value[i - 1], value[i]))
            return false;
    return true;
}

static void push_readings(ws_standstill *s, const ws_block *b)
{
    if (s->steps == WS_STILL_EQUAL)
        push_readings_by(s, b, WS_STILL_EQUAL);
    else
        push_readings_by(s, b, s->steps);
}

/* Readings of one run. */
static bool are_one_run(ws_standstill_steps steps, const ws_power_range *range)
{
    return range->least == range->most ? steps == WS_STILL_EQUAL || step_of(steps, range->most) != NO_STEP
                                       : steps != WS_STILL_EQUAL && is_same(steps, range->least, range->most);
}

/* None of which is missing: nearly all blocks are of one run, of low powers, or of powers that move. */
static void push_whole(ws_standstill *s, const ws_block *b, const ws_power_range *range)
{
    bool is_inside = s->last.n && s->last.n < WS_STANDSTILL_READINGS;
    if (are_one_run(s->steps, range)) {
        const ws_standstill_run run = run_of(b, 0, b->n);
        add_run(s, &run);
    } else if (s->steps != WS_STILL_EQUAL && b->n > 1 && range->most < still_low_w) {
        /* each is a run of its own, which does not count */
        const ws_block begin = ws_block_part(b, 0, 1), end = ws_block_part(b, b->n - 1, b->n);
        push_readings(s, &begin);
        push_readings(s, &end);
    } else if (is_inside && move_throughout(b->value, b->n, s->last.value)) {
        s->last = run_of(b, b->n - 1, b->n); /* as all that follows would leave it */
    } else {
        push_readings(s, b);
    }
}

static size_t next_missing(const ws_block *b, size_t i)
{
    while (i < b->n && !isnan(b->value[i]))
        i++;
    return i;
}

/* A missing cell says nothing: the readings on both sides of it follow each other. */
void ws_standstill_push(ws_standstill *s, const ws_block *b, const ws_power_range *range)
{
    if (b->t_ns && b->n && !range->lacks_some)
        push_whole(s, b, range);
    for (size_t from = 0, to; range->lacks_some && b->t_ns && from < b->n; from = to + 1) {
        to = next_missing(b, from);
        ws_block readings = ws_block_part(b, from, to);
        if (readings.n)
            push_readings(s, &readings);
    }
}

void ws_standstill_merge(ws_standstill *into, const ws_standstill *next)
{
    if (!next->first.n)
        return;
    add_run(into, &next->first);
    if (!next->last.n)
        return;
    if (open_run(into) == &into->last)
        count(into, &into->last);
    for (int i = 0; i < WS_STANDSTILL_KINDS; i++)
        ws_standstill_add(&into->of[i], &next->of[i]);
    into->last = next->last;
}

void ws_standstill_read(const ws_standstill *s, ws_standstill_sum of[WS_STANDSTILL_KINDS])
{
    ws_standstill all = *s;
    count(&all, &s->first);
    count(&all, &s->last);
    memcpy(of, all.of, sizeof all.of);
}
