/* The parts of a meter: init, clear and free; its intervals by length; its counts of cells that are not readings. */
#include "analyze/measure/meter_internal.h"
#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

void ws_meter_init(ws_meter *meter, const ws_channel *channel, ws_rule rule, const ws_meter_options *options)
{
    *meter =
        (ws_meter){.rule = rule,
                   .time = channel->time,
                   .domain = channel->domain,
                   .counter_range_j = channel->counter_range_j,
                   .counter_from_zero = channel->counter_from_zero && rule == WS_RULE_COUNTER && !options->continues,
                   .options = *options,
                   .min = INFINITY,
                   .max = -INFINITY};
    bool is_relative = channel->time == WS_TIME_RELATIVE;
    meter->window_misfits =
        options->has_window && (channel->time == WS_TIME_NONE || is_relative != options->window_is_relative);
    if (meter->window_misfits)
        meter->options.has_window = false;
}

void ws_meter_free(ws_meter *meter)
{
    if (meter->head)
        ws_meter_free(meter->head);
    free(meter->head);
    free(meter->buckets);
    free(meter->falls);
    free(meter->rising);
    free(meter->still.ended);
    *meter = (ws_meter){0};
}

/* One that saw nothing. */
static ws_meter new_like(const ws_meter *m)
{
    return (ws_meter){.rule = m->rule,
                      .time = m->time,
                      .domain = m->domain,
                      .counter_range_j = m->counter_range_j,
                      .options = m->options,
                      .min = INFINITY,
                      .max = -INFINITY};
}

void ws_meter_clear(ws_meter *m)
{
    ws_meter new = new_like(m);
    new.window_misfits = m->window_misfits;
    new.buckets = m->buckets;
    new.bucket_capacity = m->bucket_capacity;
    m->buckets = NULL;
    ws_meter_free(m);
    *m = new;
}

ws_meter *ws_meter_head(ws_meter *m)
{
    if (!m->head) {
        m->head = ws_alloc(sizeof *m->head);
        *m->head = new_like(m);
        m->head->options.continues = false;
        m->head->is_head = true;
    }
    return m->head;
}

int64_t ws_meter_start_ns(const ws_meter *m)
{
    return m->head && m->head->has_last ? m->head->first_t : m->first_t;
}

void ws_meter_add_rising(ws_meter *m, int64_t end_ns)
{
    if (m->n_rising == WS_RISING_KEPT)
        return;
    m->rising = ws_grow(m->rising, &m->rising_capacity, m->n_rising + 1, sizeof *m->rising);
    m->rising[m->n_rising++] = (ws_rising){m->rising_start, end_ns};
}

ws_interval_bucket *ws_meter_bucket(ws_meter *m, int key)
{
    size_t i = 0;
    while (i < m->n_buckets && m->buckets[i].quarter_octave < key)
        i++;
    if (i < m->n_buckets && m->buckets[i].quarter_octave == key)
        return &m->buckets[i];
    m->buckets = ws_grow(m->buckets, &m->bucket_capacity, m->n_buckets + 1, sizeof *m->buckets);
    for (size_t j = m->n_buckets++; j > i; j--)
        m->buckets[j] = m->buckets[j - 1];
    m->buckets[i] = (ws_interval_bucket){.quarter_octave = key};
    return &m->buckets[i];
}

int ws_meter_median_bucket(const ws_meter *m)
{
    uint64_t all = 0, below = 0;
    for (size_t i = 0; i < m->n_buckets; i++)
        all += m->buckets[i].count;
    size_t i = 0;
    while (i < m->n_buckets && (below + m->buckets[i].count) * 2 < all)
        below += m->buckets[i++].count;
    return i < m->n_buckets ? m->buckets[i].quarter_octave : 0;
}

bool ws_meter_clip(const ws_meter_options *o, int64_t *t0, double *v0, int64_t *t1, double *v1)
{
    if (!o->has_window)
        return true;
    int64_t a = *t0 > o->window_start_ns ? *t0 : o->window_start_ns;
    int64_t b = *t1 < o->window_end_ns ? *t1 : o->window_end_ns;
    if (a >= b)
        return false;
    double slope = (*v1 - *v0) / (double)ws_ns_minus(*t1, *t0), at_a = *v0 + slope * (double)ws_ns_minus(a, *t0);
    double at_b = b == *t1 ? *v1 : *v0 + slope * (double)ws_ns_minus(b, *t0);
    *v0 = a == *t0 ? *v0 : at_a;
    *v1 = at_b;
    *t0 = a, *t1 = b;
    return true;
}

bool ws_meter_is_usual(const ws_meter *m, const ws_block *block)
{
    bool is_rate = m->rule == WS_RULE_TRAPEZOID || m->rule == WS_RULE_NONE || m->rule == WS_RULE_PERUN ||
                   m->rule == WS_RULE_MEAN_TIMES_TIME;
    return is_rate && m->has_last && block->t_ns && m->time != WS_TIME_NONE && ws_meter_is_inside(m, m->last_t);
}

void ws_meter_see_missing(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_see(&m->refused, block->line ? block->line[i] : 0);
    m->missing += ws_meter_is_inside(m, block->t_ns[i]);
}

void ws_meter_see_not_positive(ws_meter *m, const ws_block *block, size_t i)
{
    ws_meter_see(block->value[i] < 0 ? &m->negatives : &m->zeros, block->line ? block->line[i] : 0);
}
