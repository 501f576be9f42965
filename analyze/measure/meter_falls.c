/* A counter that falls wrapped at its range, or began again from zero. */
#include "analyze/measure/meter_steps.h"

#include "core/arena.h"

#include <stdlib.h>

/* No package or memory domain draws more. */
static const double most_w = 10e3;

/* A wrap would mean so many times the mean power of the other steps: the counter began again. */
static const double many_times = 10;

static ws_fall_bucket *bucket_of(ws_meter *m, int power, int length)
{
    for (size_t i = 0; i < m->n_falls; i++)
        if (m->falls[i].power_quarter_octave == power && m->falls[i].length_quarter_octave == length)
            return &m->falls[i];
    m->falls = ws_grow(m->falls, &m->fall_capacity, m->n_falls + 1, sizeof *m->falls);
    m->falls[m->n_falls] = (ws_fall_bucket){.power_quarter_octave = power, .length_quarter_octave = length};
    return &m->falls[m->n_falls++];
}

static void add_twice(ws_total *integral, double mean_w, int64_t ns)
{
    ws_total_add_times(integral, mean_w, ns);
    ws_total_add_times(integral, mean_w, ns);
}

static void add_wrapped(ws_meter *m, double v0)
{
    ws_total_add_counter(&m->steps, v0, -1);
    ws_total_add_counter(&m->steps, m->counter_range_j, 1);
}

static void open_fall(ws_meter *m, double v0, const ws_meter_sample *s, int64_t length_ns, double unwrapped)
{
    double seconds = (double)length_ns / WS_NS_PER_S, wrap_w = unwrapped / seconds, reset_w = s->value / seconds;
    int64_t t0 = ws_ns_minus(s->t_ns, length_ns), t1 = s->t_ns;
    double at0 = wrap_w, at1 = wrap_w;
    bool is_inside = ws_meter_clip(&m->options, &t0, &at0, &t1, &at1);
    int64_t dt = ws_ns_minus(t1, t0);
    int length = is_inside ? ws_quarter_octave(dt) : -1;
    ws_fall_bucket *fall = bucket_of(m, ws_quarter_octave((int64_t)(wrap_w * 1e3) + 1), length);
    ws_meter_see(&fall->seen, s->line);
    fall->total_ns = ws_ns_plus(fall->total_ns, length_ns);
    ws_total_add_counter(&fall->before, v0, -1);
    ws_total_add_counter(&fall->before, m->counter_range_j, 1);
    ws_total_add_counter(&fall->after, s->value, 1);
    if (!is_inside)
        return;
    add_twice(&fall->as_wrap, wrap_w, dt);
    add_twice(&fall->as_reset, reset_w, dt);
    m->longest_ns = length_ns > m->longest_ns ? length_ns : m->longest_ns;
    ws_interval_bucket *bucket = ws_meter_bucket(m, length);
    bucket->count++;
    bucket->total_ns = ws_ns_plus(bucket->total_ns, dt);
}

bool ws_meter_add_fall(ws_meter *m, double v0, const ws_meter_sample *s, int64_t length_ns)
{
    double unwrapped = ws_counter_rise(v0, s->value) + m->counter_range_j;
    if (!(m->counter_range_j > 0) || unwrapped < 0 ||
        (length_ns > 0 && unwrapped > most_w * ((double)length_ns / WS_NS_PER_S)))
        return false;
    if (length_ns > 0) {
        open_fall(m, v0, s, length_ns, unwrapped);
    } else {
        ws_meter_see(&m->wraps, s->line);
        add_wrapped(m, v0);
    }
    return true;
}

void ws_meter_merge_falls(ws_meter *into, const ws_meter *next, int64_t lines)
{
    for (size_t i = 0; i < next->n_falls; i++) {
        const ws_fall_bucket *from = &next->falls[i];
        ws_fall_bucket *to = bucket_of(into, from->power_quarter_octave, from->length_quarter_octave);
        ws_seen_add(&to->seen, &from->seen, lines);
        to->total_ns = ws_ns_plus(to->total_ns, from->total_ns);
        ws_total_merge(&to->before, &from->before);
        ws_total_merge(&to->after, &from->after);
        ws_total_merge(&to->as_wrap, &from->as_wrap);
        ws_total_merge(&to->as_reset, &from->as_reset);
    }
}

/* Mean power of the steps that are no falls; NaN without any. */
static double usual_power(const ws_meter *m)
{
    ws_total after = {0};
    int64_t ns = ws_ns_minus(m->last_t, m->first_t);
    for (size_t i = 0; i < m->n_falls; i++) {
        ws_total_merge(&after, &m->falls[i].after);
        ns = ws_ns_minus(ns, m->falls[i].total_ns);
    }
    double joules = ws_total_value(&m->steps, WS_PARTS) - ws_total_value(&after, WS_PARTS);
    return ns > 0 && joules > 0 ? joules / ((double)ns / WS_NS_PER_S) : NAN;
}

/* The lower end of a quarter octave of mW, in W. */
static double least_power(int quarter_octave)
{
    return ldexp(1 + quarter_octave % 4 / 4.0, quarter_octave / 4) / 1e3;
}

static void see_all(ws_seen *what, const ws_seen *seen)
{
    what->line = !what->count || seen->line < what->line ? seen->line : what->line;
    what->count += seen->count;
}

void ws_meter_judge_falls(ws_meter *m)
{
    double limit_w = usual_power(m) * many_times;
    for (size_t i = 0; i < m->n_falls; i++) {
        const ws_fall_bucket *fall = &m->falls[i];
        bool is_wrap = !(least_power(fall->power_quarter_octave) > limit_w);
        see_all(is_wrap ? &m->wraps : &m->resets, &fall->seen);
        if (is_wrap)
            ws_total_merge(&m->steps, &fall->before);
        if (fall->length_quarter_octave >= 0)
            ws_total_merge(&ws_meter_bucket(m, fall->length_quarter_octave)->integral,
                           is_wrap ? &fall->as_wrap : &fall->as_reset);
    }
    free(m->falls);
    m->falls = NULL;
    m->n_falls = m->fall_capacity = 0;
}
