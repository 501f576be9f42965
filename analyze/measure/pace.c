#include "analyze/measure/pace.h"

#include "core/time_steps.h"
#include "core/arena.h"

#include <stdlib.h>

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
    const ws_pace_run run = {pace->last_t, t_ns, step_ns, step_ns, 1};
    add_run(pace, &run);
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

/* Nearly all blocks go on at the pace of the one before. */
static bool goes_on(ws_pace *pace, const ws_block *b)
{
    ws_pace_run *open = open_run(pace);
    const int64_t *t_ns = b->t_ns;
    uint64_t least_ns = UINT64_MAX, most_ns = 0; /* a step back is a long one */
    for (size_t i = 1; i < b->n; i++) {
        uint64_t step_ns = (uint64_t)t_ns[i] - (uint64_t)t_ns[i - 1];
        least_ns = step_ns < least_ns ? step_ns : least_ns;
        most_ns = step_ns > most_ns ? step_ns : most_ns;
    }
    static const uint64_t too_long_ns = INT64_MAX / 4;
    bool is_even = b->n > 1 && least_ns > 0 && most_ns < too_long_ns && 2 * most_ns <= 3 * least_ns;
    int64_t first_ns = ws_ns_minus(t_ns[0], pace->last_t);
    if (!is_even || !open->n || !is_of_pace(open->last_ns, first_ns) || !is_of_pace(first_ns, t_ns[1] - t_ns[0]))
        return false;
    open->n += b->n;
    open->last_ns = t_ns[b->n - 1] - t_ns[b->n - 2];
    open->to_ns = pace->last_t = t_ns[b->n - 1];
    return true;
}

/* Rows without a reading are steps of the log, too. */
void ws_pace_push(ws_pace *pace, const ws_block *b)
{
    if (!b->t_ns || !b->n || goes_on(pace, b))
        return;
    for (size_t i = 0; i < b->n; i++)
        add_reading(pace, b->t_ns[i]);
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
