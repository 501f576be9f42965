#include "analyze/measure/pace.h"

#include "core/arena.h"
#include "core/avx2.h"
#include "core/time_steps.h"

#include <stdlib.h>
#include <string.h>

/* So many steps make a pace. Ours. */
static const uint64_t least_steps = 3;

/* Two steps are of one pace where neither is more than 1.5 times as long as the other: loggers jitter. Ours. */
static inline bool is_of_pace(int64_t a_ns, int64_t b_ns)
{
    static const int64_t most_ns = INT64_MAX / 4;
    return a_ns > 0 && b_ns > 0 && a_ns < most_ns && b_ns < most_ns && 2 * a_ns <= 3 * b_ns && 2 * b_ns <= 3 * a_ns;
}

void ws_pace_free(ws_pace *pace)
{
    free(pace->buckets);
    *pace = (ws_pace){0};
}

static void add_time(ws_pace *pace, int quarter_octave, int64_t ns)
{
    size_t i = 0;
    while (i < pace->n_buckets && pace->buckets[i].quarter_octave < quarter_octave)
        i++;
    if (i == pace->n_buckets || pace->buckets[i].quarter_octave != quarter_octave) {
        pace->buckets = ws_grow(pace->buckets, &pace->capacity, pace->n_buckets + 1, sizeof *pace->buckets);
        for (size_t k = pace->n_buckets++; k > i; k--)
            pace->buckets[k] = pace->buckets[k - 1];
        pace->buckets[i] = (ws_pace_bucket){.quarter_octave = quarter_octave};
    }
    pace->buckets[i].ns = ws_ns_plus(pace->buckets[i].ns, ns);
}

static bool is_pace(const ws_pace_run *run)
{
    return run->n >= least_steps && run->first_ns > 0;
}

static void count(ws_pace *pace, const ws_pace_run *run)
{
    if (is_pace(run))
        add_time(pace, ws_quarter_octave(run->first_ns), ws_ns_minus(run->to_ns, run->from_ns));
}

static ws_pace_run *open_run(ws_pace *pace)
{
    return pace->last.n ? &pace->last : &pace->first;
}

/* Behind all others, and not of the pace of the open one. */
static void begin_run(ws_pace *pace, const ws_pace_run *run)
{
    ws_pace_run *open = open_run(pace);
    if (open == &pace->last)
        count(pace, open);
    *(open->n ? &pace->last : open) = *run;
}

static void add_run(ws_pace *pace, const ws_pace_run *run)
{
    ws_pace_run *open = open_run(pace);
    if (!open->n || !is_of_pace(open->last_ns, run->first_ns)) {
        begin_run(pace, run);
        return;
    }
    open->to_ns = run->to_ns;
    open->last_ns = run->last_ns;
    open->n += run->n;
}

static void add_step(ws_pace *pace, int64_t t_ns)
{
    int64_t step_ns = ws_ns_minus(t_ns, pace->last_t);
    ws_pace_run *open = open_run(pace);
    if (open->n && is_of_pace(open->last_ns, step_ns)) {
        open->to_ns = t_ns;
        open->last_ns = step_ns;
        open->n++;
        return;
    }
    const ws_pace_run run = {pace->last_t, t_ns, step_ns, step_ns, 1};
    begin_run(pace, &run);
}

static void add_reading(ws_pace *pace, int64_t t_ns)
{
    if (pace->has_any)
        add_step(pace, t_ns);
    else
        pace->first_t = t_ns;
    pace->has_any = true;
    pace->last_t = t_ns;
}

/* The shortest and the longest step; one back, or longer than int64_t holds, is below 0. */
typedef struct range_of_steps {
    int64_t least_ns, most_ns;
} range_of_steps;

/* Four at a time and without a branch, since every power of every trace passes here. Made for each kind of machine, and
 * the same on all. */
static inline __attribute__((always_inline)) range_of_steps steps_of(const int64_t *t_ns, size_t n)
{
    typedef int64_t four __attribute__((vector_size(32)));
    typedef uint64_t four_bits __attribute__((vector_size(32)));
    four least = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}, most = -least;
    size_t i = 1;
    for (; i + 4 <= n; i += 4) {
        four_bits from, to;
        memcpy(&from, t_ns + i - 1, sizeof from);
        memcpy(&to, t_ns + i, sizeof to);
        four step = (four)(to - from), lower = step<least, higher = step> most;
        least = (step & lower) | (least & ~lower);
        most = (step & higher) | (most & ~higher);
    }
    range_of_steps range = {least[0], most[0]};
    for (int k = 1; k < 4; k++) {
        range.least_ns = least[k] < range.least_ns ? least[k] : range.least_ns;
        range.most_ns = most[k] > range.most_ns ? most[k] : range.most_ns;
    }
    for (; i < n; i++) {
        int64_t step = (int64_t)((uint64_t)t_ns[i] - (uint64_t)t_ns[i - 1]);
        range.least_ns = step < range.least_ns ? step : range.least_ns;
        range.most_ns = step > range.most_ns ? step : range.most_ns;
    }
    return range;
}

static range_of_steps steps_portable(const int64_t *t_ns, size_t n)
{
    return steps_of(t_ns, n);
}

#if defined __x86_64__
WS_AVX2 static range_of_steps steps_avx2(const int64_t *t_ns, size_t n)
{
    return steps_of(t_ns, n);
}
#else
#define steps_avx2 steps_portable
#endif

/* Nearly all readings go on at the pace of those before. Where no step is more than 1.5 times as long as another, none
 * is as long beside its neighbour. */
static bool goes_on(ws_pace *pace, const int64_t *t_ns, size_t n)
{
    static const int64_t too_long_ns = INT64_MAX / 4;
    ws_pace_run *open = open_run(pace);
    if (n < 2 || !open->n)
        return false;
    range_of_steps steps = (ws_has_avx2() ? steps_avx2 : steps_portable)(t_ns, n);
    bool is_even = steps.least_ns > 0 && steps.most_ns < too_long_ns && 2 * steps.most_ns <= 3 * steps.least_ns;
    int64_t first_ns = ws_ns_minus(t_ns[0], pace->last_t);
    if (!is_even || !is_of_pace(open->last_ns, first_ns) || !is_of_pace(first_ns, t_ns[1] - t_ns[0]))
        return false;
    open->n += n;
    open->last_ns = t_ns[n - 1] - t_ns[n - 2];
    open->to_ns = pace->last_t = t_ns[n - 1];
    return true;
}

/* Rows without a reading are steps of the log, too. */
void ws_pace_push(ws_pace *pace, const ws_block *b)
{
    enum { PIECE = 32 };
    if (!b->t_ns || !b->n || goes_on(pace, b->t_ns, b->n))
        return;
    for (size_t from = 0, n; from < b->n; from += n) {
        n = b->n - from < PIECE ? b->n - from : PIECE;
        if (goes_on(pace, b->t_ns + from, n))
            continue;
        for (size_t i = from; i < from + n; i++)
            add_reading(pace, b->t_ns[i]);
    }
}

void ws_pace_merge(ws_pace *into, const ws_pace *next)
{
    if (!next->has_any)
        return;
    add_reading(into, next->first_t);
    into->last_t = next->last_t;
    if (next->first.n)
        add_run(into, &next->first);
    for (size_t i = 0; i < next->n_buckets; i++)
        add_time(into, next->buckets[i].quarter_octave, next->buckets[i].ns);
    if (next->last.n)
        begin_run(into, &next->last);
}

int64_t ws_pace_ns(const ws_pace *pace, int quarter_octave)
{
    const ws_pace_run *const ends[] = {&pace->first, &pace->last};
    int64_t ns = 0;
    for (size_t i = 0; i < pace->n_buckets; i++)
        if (abs(pace->buckets[i].quarter_octave - quarter_octave) <= 1)
            ns = ws_ns_plus(ns, pace->buckets[i].ns);
    for (size_t i = 0; i < 2; i++)
        if (is_pace(ends[i]) && abs(ws_quarter_octave(ends[i]->first_ns) - quarter_octave) <= 1)
            ns = ws_ns_plus(ns, ws_ns_minus(ends[i]->to_ns, ends[i]->from_ns));
    return ns;
}
