/* Meters of adjacent stretches of one channel become the meter of both. */
#include "analyze/measure/meter_internal.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

static void add_behind_zero(ws_meter *into, const ws_meter *next)
{
    if (!next->behind_zero.n)
        return;
    bool is_first = !into->behind_zero.n;
    into->behind_zero.n += next->behind_zero.n;
    ws_total_merge(&into->behind_zero.j, &next->behind_zero.j);
    double least_j = next->behind_zero.least_j, most_j = next->behind_zero.most_j;
    into->behind_zero.least_j = is_first ? least_j : fmin(into->behind_zero.least_j, least_j);
    into->behind_zero.most_j = is_first ? most_j : fmax(into->behind_zero.most_j, most_j);
}

static void add_all_seen(ws_meter *into, const ws_meter *next, int64_t lines)
{
    ws_seen_add(&into->refused, &next->refused, lines);
    into->refused_from_ns =
        into->refused_from_ns < next->refused_from_ns ? into->refused_from_ns : next->refused_from_ns;
    into->refused_until_ns =
        into->refused_until_ns > next->refused_until_ns ? into->refused_until_ns : next->refused_until_ns;
    ws_seen_add(&into->back_steps, &next->back_steps, lines);
    ws_seen_add(&into->duplicates, &next->duplicates, lines);
    ws_seen_add(&into->zero_reads, &next->zero_reads, lines);
    ws_seen_add(&into->wraps, &next->wraps, lines);
    ws_seen_add(&into->resets, &next->resets, lines);
    into->reset_ns = ws_ns_plus(into->reset_ns, next->reset_ns);
    ws_seen_add(&into->slips, &next->slips, lines);
    ws_seen_add(&into->negatives, &next->negatives, lines);
    ws_seen_add(&into->zeros, &next->zeros, lines);
    ws_seen_add(&into->again, &next->again, lines);
    ws_total_merge(&into->again_j, &next->again_j);
    add_behind_zero(into, next);
}

/* The interval between the two: what the first reading of `next` would have added, had it known the reading before. */
static void join(ws_meter *into, const ws_meter *next, int64_t lines)
{
    ws_meter_sample first = next->first;
    first.line = ws_line_behind(first.line, lines);
    ws_meter_see_behind_zero(into, &first);
    if (into->time == WS_TIME_NONE)
        return;
    if (ws_rule_looks_back(into->rule) && first.has_interval)
        ws_meter_see_again(into, &first), ws_meter_since_last(into, first.t_ns, first.line);
    else
        ws_meter_integrate(into, &first);
}

/* The first stretch of `next` goes on from the open one of `into`, whose start the step between the two has set. */
static void add_rising(ws_meter *into, const ws_meter *next)
{
    for (size_t i = 0; i < next->n_rising; i++) {
        ws_meter_add_rising(into, next->rising[i].end_ns);
        into->rising_start = i + 1 < next->n_rising ? next->rising[i + 1].start_ns : next->rising_start;
    }
}

static void forget_ended(ws_meter *m)
{
    m->still.ended = NULL;
    m->still.n_ended = m->still.ended_capacity = 0;
    m->still.ended_ns = 0;
    m->still.ended_j = (ws_total){0};
    memset(&m->still.brief, 0, sizeof m->still.brief);
}

static void begin_with(ws_meter *into, const ws_meter *next, int64_t lines)
{
    into->first_t = next->first_t;
    into->rising_start = next->n_rising ? next->rising[0].start_ns : next->rising_start;
    into->first_value = next->first_value;
    into->first_interval_unknown = next->first_interval_unknown;
    into->first = next->first;
    into->first.line = ws_line_behind(next->first.line, lines);
    into->counter_from_zero = next->counter_from_zero;
    into->still = next->still;
    forget_ended(into);
    ws_meter_add_ended(into, next);
}

static void add_buckets(ws_meter *into, const ws_meter *next)
{
    for (size_t i = 0; i < next->n_buckets; i++) {
        const ws_interval_bucket *from = &next->buckets[i];
        ws_interval_bucket *to = ws_meter_bucket(into, from->quarter_octave);
        to->count += from->count;
        to->total_ns = ws_ns_plus(to->total_ns, from->total_ns);
        ws_total_merge(&to->integral, &from->integral);
        ws_total_merge(&to->squares, &from->squares);
    }
}

/* Without their heads. */
static void meter_merge_add(ws_meter *into, const ws_meter *next, int64_t lines)
{
    if (next->has_last && into->has_last) {
        join(into, next, lines);
        ws_meter_merge_still(into, next);
    } else if (next->has_last) {
        begin_with(into, next, lines);
    }
    if (next->has_last) {
        add_rising(into, next);
        into->last_t = next->last_t;
        into->last_value = next->last_value;
        into->has_last = true;
    }
    into->samples += next->samples;
    into->missing += next->missing;
    into->min = next->min < into->min ? next->min : into->min;
    into->max = next->max > into->max ? next->max : into->max;
    into->longest_ns = next->longest_ns > into->longest_ns ? next->longest_ns : into->longest_ns;
    ws_total_merge(&into->total, &next->total);
    ws_total_merge(&into->squares, &next->squares);
    ws_total_merge(&into->steps, &next->steps);
    add_buckets(into, next);
    for (size_t i = 0; i < WS_OCTAVES; i++)
        into->most_w[i] = next->most_w[i] > into->most_w[i] ? next->most_w[i] : into->most_w[i];
    ws_meter_merge_falls(into, next, lines);
    add_all_seen(into, next, lines);
}

static ws_meter copy_of(const ws_meter *meter)
{
    ws_meter copy = *meter;
    copy.buckets = ws_alloc(meter->n_buckets * sizeof *copy.buckets);
    copy.bucket_capacity = meter->n_buckets;
    if (meter->n_buckets)
        memcpy(copy.buckets, meter->buckets, meter->n_buckets * sizeof *copy.buckets);
    copy.pace = (ws_pace){0};
    ws_pace_merge(&copy.pace, &meter->pace);
    copy.rising = NULL;
    copy.n_rising = copy.rising_capacity = 0;
    copy.falls = NULL;
    copy.n_falls = copy.fall_capacity = 0;
    copy.head = NULL;
    ws_meter_merge_falls(&copy, meter, 0);
    forget_ended(&copy);
    ws_meter_add_ended(&copy, meter);
    return copy;
}

/* Failed reads of a counter that runs. */
static void step_over(ws_meter *into, const ws_meter *next, int64_t lines)
{
    ws_seen_add(&into->zero_reads, &next->head_zeros, lines);
    into->missing += next->head->samples;
}

void ws_meter_merge(ws_meter *into, const ws_meter *next, int64_t lines)
{
    bool both_wait = !into->has_last && !into->counter_from_zero;
    if (next->head && both_wait) {
        meter_merge_add(ws_meter_head(into), next->head, lines);
        ws_seen_add(&into->head_zeros, &next->head_zeros, lines);
    } else if (next->head && into->has_last && into->last_value > 0) {
        step_over(into, next, lines);
    } else if (next->head) {
        meter_merge_add(into, next->head, lines);
    }
    meter_merge_add(into, next, lines);
    ws_pace_merge(&into->pace, &next->pace);
}

/* Can the first reading have been reached from zero? */
static bool rises_from_zero(const ws_meter *m)
{
    return !m->has_last || ws_meter_may_rise(m, m->first_value, ws_ns_minus(m->first_t, m->head->last_t));
}

void ws_meter_settle(const ws_meter *meter, ws_meter *whole)
{
    bool begins_at_zero = meter->head && rises_from_zero(meter);
    *whole = copy_of(begins_at_zero ? meter->head : meter);
    if (begins_at_zero)
        meter_merge_add(whole, meter, 0);
    else if (meter->head) {
        whole->zero_reads = meter->head_zeros;
        ws_seen_add(&whole->zero_reads, &meter->zero_reads, 0);
        whole->missing += meter->head->samples;
    }
    ws_meter_classify_falls(whole);
}
