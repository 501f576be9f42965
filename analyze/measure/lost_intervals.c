/* Intervals that no reading describes. A row that is lost takes its interval with it where rows hold energies, or state
 * how long they are: nothing bridges it, as the line between two powers does.
 *
 *     5.0 s  151.2 J
 *     6.0 s  149.7 J
 *     8.0 s  150.3 J     the row of 7.0 s is lost: 2 s pass, and the energy is that of one
 *
 * docs/methods.md, "Intervals that are lost". The limits are ours. */
#include "analyze/measure/meter_internal.h"

/* A step of about twice the usual one and more (of its quarter octaves: 1.4 times at least). */
enum { LONGER_QUARTER_OCTAVES = 3 };

/* It has lost intervals where its power is so far below that of usual steps, and it holds no more than so many times
 * their energy: a device that sleeps, of which a row comes now and then, holds more in hours. */
static const double lower_power = 0.75, most_energies = 2;

/* A reader that is often late now and then meets a pause of the load: together its long steps hold the usual power. */
static const double power_of_all = 0.9;

/* Of stated lengths: less than so many usual intervals is a clock that reads a little late. */
static const double unread_intervals = 1;

typedef struct steps {
    double energy_j, time_s, count;
} steps;

static steps steps_of(const ws_interval_bucket *b)
{
    return (steps){ws_total_value(&b->integral, WS_PARTS) / WS_INTEGRAL_PER_J, (double)b->total_ns / WS_NS_PER_S,
                   (double)b->count};
}

static bool is_longer(const ws_meter *m, const ws_interval_bucket *b)
{
    return b->quarter_octave >= ws_meter_median_bucket(m) + LONGER_QUARTER_OCTAVES;
}

/* Of the long ones or of the others. */
static steps all_steps(const ws_meter *m, bool are_longer)
{
    steps sum = {0};
    for (size_t i = 0; i < m->n_buckets; i++) {
        steps of = steps_of(&m->buckets[i]);
        if (is_longer(m, &m->buckets[i]) == are_longer && of.count > 0)
            sum = (steps){sum.energy_j + of.energy_j, sum.time_s + of.time_s, sum.count + of.count};
    }
    return sum;
}

/* Of energies: long steps that hold no more than usual ones. */
static void lost_in_steps(const ws_meter *m, const steps *usual, ws_channel_summary *r)
{
    double power_w = usual->energy_j / usual->time_s, each_j = usual->energy_j / usual->count;
    steps longer = all_steps(m, true);
    if (longer.energy_j >= power_of_all * power_w * longer.time_s)
        return;
    for (size_t i = 0; i < m->n_buckets; i++) {
        steps of = steps_of(&m->buckets[i]);
        bool is_lost = is_longer(m, &m->buckets[i]) && of.count > 0 &&
                       of.energy_j < lower_power * power_w * of.time_s &&
                       of.energy_j <= most_energies * each_j * of.count;
        if (!is_lost)
            continue;
        r->lost_j += power_w * of.time_s - of.energy_j;
        r->lost_s += of.time_s - of.energy_j / power_w;
        r->lost_steps += m->buckets[i].count;
    }
}

/* Of stated lengths: what they do not add up to. */
static void lost_between(const ws_meter *m, const steps *usual, double used_s, ws_channel_summary *r)
{
    const ws_meter_options *o = &m->options;
    int64_t from = o->has_window && o->window_start_ns > m->first_t ? o->window_start_ns : m->first_t;
    int64_t until = o->has_window && o->window_end_ns < m->last_t ? o->window_end_ns : m->last_t;
    double unread_s = (double)ws_ns_minus(until, from) / WS_NS_PER_S - used_s;
    if (m->back_steps.count || unread_s <= unread_intervals * usual->time_s / usual->count)
        return;
    r->lost_s += unread_s;
    r->lost_j += unread_s * usual->energy_j / usual->time_s;
}

void ws_meter_read_lost(const ws_meter *m, ws_channel_summary *r)
{
    bool describes_intervals = (m->rule == WS_RULE_INTERVAL || m->rule == WS_RULE_RECTANGLE) && !m->are_windows;
    steps usual = all_steps(m, false);
    if (!describes_intervals || m->time == WS_TIME_NONE || m->window_misfits || !(usual.energy_j > 0) ||
        !(usual.time_s > 0))
        return;
    if (m->rule == WS_RULE_INTERVAL)
        lost_in_steps(m, &usual, r);
    lost_between(m, &usual, r->duration_s, r);
}
