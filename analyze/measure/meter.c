#include "analyze/measure/meter.h"

#include "core/arena.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* A gap is long from about eight times the median interval on (three octaves). */
enum { LONG_GAP_QUARTER_OCTAVES = 12 };

/* A wrap that would need more than this is a counter that began again from zero: no package or memory domain draws it. */
static const double WRAP_POWER_LIMIT_W = 10e3;

/* No quantity of any device comes near: larger cells are missing ones, and the sums below stay exact. */
static const double LARGEST_VALUE = 1e18;

static const double NS_PER_S = 1e9;

/* Stamps of a broken clock may lie centuries apart: times stop at the ends of int64. */
static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    return !__builtin_add_overflow(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t minus(int64_t a, int64_t b)
{
    int64_t difference;
    return !__builtin_sub_overflow(a, b, &difference) ? difference : a < 0 ? INT64_MIN : INT64_MAX;
}

void ws_meter_init(ws_meter *meter, const ws_channel *channel, ws_rule rule, const ws_meter_options *options)
{
    *meter = (ws_meter){.rule = rule,
                        .time = channel->time,
                        .is_gpu = channel->domain == WS_GPU,
                        .counter_range_j = channel->counter_range_j,
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
    free(meter->buckets);
    *meter = (ws_meter){0};
}

/* floor(4 log2(ns)) read off the top bits, which any machine does alike. */
static int quarter_octave(int64_t ns)
{
    int octave = 63 - __builtin_clzll((uint64_t)ns);
    uint64_t below = octave >= 2 ? (uint64_t)ns >> (octave - 2) & 3 : (uint64_t)ns << (2 - octave) & 3;
    return octave * 4 + (int)below;
}

static ws_interval_bucket *bucket_of(ws_meter *m, int64_t ns)
{
    int key = quarter_octave(ns);
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

/* Cut the interval to the window, values interpolated on the line between them. False when nothing is left. */
static bool clip(const ws_meter_options *o, int64_t *t0, double *v0, int64_t *t1, double *v1)
{
    if (!o->has_window)
        return true;
    int64_t a = *t0 > o->window_start_ns ? *t0 : o->window_start_ns;
    int64_t b = *t1 < o->window_end_ns ? *t1 : o->window_end_ns;
    if (a >= b)
        return false;
    double slope = (*v1 - *v0) / (double)minus(*t1, *t0), at_a = *v0 + slope * (double)minus(a, *t0);
    double at_b = b == *t1 ? *v1 : *v0 + slope * (double)minus(b, *t0);
    *v0 = a == *t0 ? *v0 : at_a;
    *v1 = at_b;
    *t0 = a, *t1 = b;
    return true;
}

static void add_interval(ws_meter *m, int64_t t0, double v0, int64_t t1, double v1)
{
    int64_t length = minus(t1, t0);
    if (!clip(&m->options, &t0, &v0, &t1, &v1))
        return;
    if (length > m->longest_ns)
        m->longest_ns = length;
    int64_t dt = minus(t1, t0);
    ws_interval_bucket *bucket = bucket_of(m, dt);
    bucket->count++;
    bucket->total_ns = plus(bucket->total_ns, dt);
    ws_sum_add_times(&bucket->integral, v0, dt);
    ws_sum_add_times(&bucket->integral, v1, dt);
    ws_sum_add_square_times(&bucket->squares, v0, dt);
    ws_sum_add_square_times(&bucket->squares, v1, dt);
}

/* An energy spread evenly over the interval that ends at t. */
static void add_energy(ws_meter *m, int64_t t, int64_t length_ns, double energy_j)
{
    double mean_w = energy_j / ((double)length_ns / NS_PER_S);
    if (length_ns > 0)
        add_interval(m, minus(t, length_ns), mean_w, t, mean_w);
}

static void see(ws_seen *what, int64_t line)
{
    if (!what->count++)
        what->line = line;
}

/* The step of a counter from v0 to v1 in J; a wrap is undone, a restart counts what was collected since. */
static double counter_step(ws_meter *m, double v0, double v1, int64_t dt_ns, int64_t line)
{
    if (v1 >= v0)
        return v1 - v0;
    double unwrapped = v1 - v0 + m->counter_range_j;
    bool plausible = dt_ns <= 0 || unwrapped <= WRAP_POWER_LIMIT_W * ((double)dt_ns / NS_PER_S);
    if (m->counter_range_j > 0 && unwrapped >= 0 && plausible) {
        see(&m->wraps, line);
        return unwrapped;
    }
    see(&m->resets, line);
    return v1;
}

static bool is_inside(const ws_meter *m, int64_t t)
{
    return !m->options.has_window || (t >= m->options.window_start_ns && t <= m->options.window_end_ns);
}

/* Nanoseconds since the last sample; 0 for the first, for a repeated stamp and for a clock that went back. */
static int64_t time_since_last(ws_meter *m, int64_t t, int64_t line)
{
    if (!m->has_last)
        return 0;
    if (t == m->last_t)
        see(&m->duplicates, line);
    if (t < m->last_t)
        see(&m->back_steps, line);
    return t > m->last_t ? minus(t, m->last_t) : 0;
}

typedef struct sample {
    int64_t t, line;
    double value;
    bool has_interval;
    int64_t interval_ns;
} sample;

static void integrate(ws_meter *m, const sample *s)
{
    int64_t since = time_since_last(m, s->t, s->line);
    int64_t length = s->has_interval ? s->interval_ns : since;
    switch (m->rule) {
    case WS_RULE_COUNTER:
        if (m->has_last) {
            double step = counter_step(m, m->last_value, s->value, since, s->line);
            ws_sum_add(&m->steps, step);
            add_energy(m, s->t, since, step);
        }
        break;
    case WS_RULE_INTERVAL:
    case WS_RULE_GIVEN:
        m->first_interval_unknown |= !m->has_last && !s->has_interval;
        add_energy(m, s->t, length, s->value);
        break;
    case WS_RULE_RECTANGLE:
        if (length > 0)
            add_interval(m, minus(s->t, length), s->value, s->t, s->value);
        break;
    default:
        if (since > 0)
            add_interval(m, m->last_t, m->last_value, s->t, s->value);
    }
    bool opens_earlier = m->rule == WS_RULE_RECTANGLE || m->rule == WS_RULE_INTERVAL || m->rule == WS_RULE_GIVEN;
    if (!m->has_last)
        m->first_t = opens_earlier && s->has_interval ? minus(s->t, s->interval_ns) : s->t;
    m->last_t = s->t;
}

static void count_value(ws_meter *m, const sample *s)
{
    if (m->time != WS_TIME_NONE && !is_inside(m, s->t))
        return;
    m->samples++;
    if (s->value < 0)
        see(&m->negatives, s->line);
    if (s->value == 0)
        see(&m->zeros, s->line);
    if (s->value < m->min)
        m->min = s->value;
    if (s->value > m->max)
        m->max = s->value;
    ws_sum_add(&m->total, s->value);
}

void ws_meter_push(ws_meter *m, const ws_block *block)
{
    for (size_t i = 0; i < block->n; i++) {
        sample s = {.value = block->value[i],
                    .t = block->t_ns ? block->t_ns[i] : 0,
                    .line = block->line ? block->line[i] : 0,
                    .has_interval = block->interval_ns != NULL,
                    .interval_ns = block->interval_ns ? block->interval_ns[i] : 0};
        bool failed_read = m->rule == WS_RULE_COUNTER && s.value == 0 && m->has_last && m->last_value > 0;
        if (!(fabs(s.value) <= LARGEST_VALUE) || failed_read) {
            see(failed_read ? &m->zero_reads : &m->refused, s.line);
            m->missing += is_inside(m, s.t);
            continue;
        }
        count_value(m, &s);
        if (block->t_ns)
            integrate(m, &s);
        if (!m->has_last)
            m->first_value = s.value;
        m->last_value = s.value;
        m->has_last = true;
    }
}

/* The quarter octave that holds the median interval. */
static int median_bucket(const ws_meter *m)
{
    uint64_t all = 0, below = 0;
    for (size_t i = 0; i < m->n_buckets; i++)
        all += m->buckets[i].count;
    size_t i = 0;
    while (i < m->n_buckets && (below + m->buckets[i].count) * 2 < all)
        below += m->buckets[i++].count;
    return i < m->n_buckets ? m->buckets[i].quarter_octave : 0;
}

typedef struct span_totals {
    ws_sum integral, squares; /* as in a bucket */
    int64_t ns;
    uint64_t count;
} span_totals;

static void take_bucket(span_totals *totals, const ws_interval_bucket *bucket)
{
    ws_sum_merge(&totals->integral, &bucket->integral);
    ws_sum_merge(&totals->squares, &bucket->squares);
    totals->ns = plus(totals->ns, bucket->total_ns);
    totals->count += bucket->count;
}

/* Long gaps by themselves, and what the energy is taken of: all intervals, or all but the long gaps. */
static void split_by_length(const ws_meter *m, span_totals *used, span_totals *gaps)
{
    int limit = median_bucket(m) + LONG_GAP_QUARTER_OCTAVES;
    *used = *gaps = (span_totals){.ns = 0};
    for (size_t i = 0; i < m->n_buckets; i++) {
        bool is_long = m->buckets[i].quarter_octave >= limit;
        if (is_long)
            take_bucket(gaps, &m->buckets[i]);
        if (!is_long || m->options.gaps != WS_GAPS_EXCLUDE)
            take_bucket(used, &m->buckets[i]);
    }
}

static bool holds_energies(ws_rule rule)
{
    return rule == WS_RULE_COUNTER || rule == WS_RULE_INTERVAL || rule == WS_RULE_GIVEN;
}

static void hold(span_totals *used, double value, int64_t ns)
{
    for (int side = 0; side < 2; side++) {
        ws_sum_add_times(&used->integral, value, ns);
        ws_sum_add_square_times(&used->squares, value, ns);
    }
    used->ns = plus(used->ns, ns);
}

/* The end readings held out to the ends of the window. Energies are no rate that could hold. */
static void hold_edges(const ws_meter *m, span_totals *used)
{
    const ws_meter_options *o = &m->options;
    if (o->edges != WS_EDGES_HOLD || !o->has_window || !m->samples || holds_energies(m->rule))
        return;
    if (m->first_t > o->window_start_ns && m->first_t <= o->window_end_ns)
        hold(used, m->first_value, minus(m->first_t, o->window_start_ns));
    if (m->last_t < o->window_end_ns && m->last_t >= o->window_start_ns)
        hold(used, m->last_value, minus(o->window_end_ns, m->last_t));
}

static double joules(const ws_sum *integral)
{
    return ws_sum_value(integral) / (2 * NS_PER_S);
}

static double seconds(int64_t ns)
{
    return (double)ns / NS_PER_S;
}

/* Variance = sum of squares / time - mean^2, each reading weighted with half of its neighbouring intervals. The sums are
 * exact as far as they reach; long double keeps what cancels. */
static double time_weighted_sd(const ws_meter *m, const span_totals *used)
{
    double largest = fmax(fabs(m->min), fabs(m->max)), weight = 2 * (double)used->ns;
    if (used->ns <= 0 || largest * largest * weight >= 0x1p127)
        return NAN;
    if (m->min == m->max)
        return 0;
    double square_high, square_low, high, low;
    ws_sum_pair(&used->squares, &square_high, &square_low);
    ws_sum_pair(&used->integral, &high, &low);
    long double mean = ((long double)high + low) / weight;
    long double square = ((long double)square_high + square_low) / weight;
    long double variance = square - mean * mean;
    return variance > 0 ? (double)sqrtl(variance) : 0;
}

/* A first interval energy that has no known start: does the energy leave it out? */
static bool is_trimmed(const ws_meter *m)
{
    return m->rule == WS_RULE_INTERVAL && m->options.edges == WS_EDGES_TRIM && m->first_interval_unknown;
}

/* The exact steps or energies of a channel from which nothing was cut. */
static double whole_energy(const ws_meter *m)
{
    if (m->rule == WS_RULE_COUNTER)
        return m->samples > 1 ? ws_sum_value(&m->steps) : NAN;
    ws_sum energies = m->total;
    if (is_trimmed(m))
        ws_sum_add(&energies, -m->first_value);
    return m->samples > is_trimmed(m) ? ws_sum_value(&energies) : NAN;
}

static double channel_energy(const ws_meter *m, const span_totals *used, bool whole)
{
    bool has_time = m->time != WS_TIME_NONE || m->rule == WS_RULE_GIVEN; /* a printed total needs no time */
    if (m->rule == WS_RULE_NONE || !has_time || m->window_misfits)
        return NAN;
    if (m->rule == WS_RULE_MEAN_TIMES_TIME)
        return m->samples > 1 ? ws_sum_value(&m->total) / (double)m->samples * seconds(used->ns) : NAN;
    if (whole && holds_energies(m->rule))
        return whole_energy(m);
    return used->ns > 0 || (whole && m->samples > 1) ? joules(&used->integral) : NAN;
}

static double mean_of(const ws_meter *m, const ws_reading *r, const span_totals *used)
{
    if (m->rule == WS_RULE_PERUN)
        return m->samples ? ws_sum_value(&m->total) / (double)m->samples : NAN;
    if (m->rule == WS_RULE_NONE || m->time == WS_TIME_NONE) {
        if (!m->samples || holds_energies(m->rule))
            return NAN;
        return used->ns > 0 ? ws_sum_value(&used->integral) / (2 * (double)used->ns)
                            : ws_sum_value(&m->total) / (double)m->samples;
    }
    return r->duration_s > 0 ? r->energy_j / r->duration_s : NAN;
}

static const char *status_of(const ws_meter *m, const ws_reading *r)
{
    if (!m->samples && !m->n_buckets)
        return "no-samples";
    if (m->window_misfits)
        return "window-misfit";
    if (m->time == WS_TIME_NONE && isnan(r->energy_j))
        return "no-time";
    if (m->rule == WS_RULE_NONE)
        return "ok";
    if (m->options.gaps == WS_GAPS_REFUSE && r->long_gaps)
        return "gap-refused";
    if (isnan(r->energy_j))
        return m->samples < 2 ? "one-sample" : "no-energy";
    if (m->samples > 1 && r->duration_s == 0)
        return "no-duration";
    return m->resets.count ? "counter-reset" : r->long_gaps ? "long-gap" : "ok";
}

/* A gap of a power trace could hold anything between the lowest and the highest reading; counters and interval energies
 * know what it held. */
static void bound_energy(const ws_meter *m, const span_totals *gaps, ws_reading *r)
{
    r->energy_lo_j = r->energy_hi_j = r->energy_j;
    if (!gaps->count || holds_energies(m->rule) || m->rule == WS_RULE_MEAN_TIMES_TIME ||
        m->options.gaps != WS_GAPS_BRIDGE || !(m->min <= m->max))
        return;
    double bridged = joules(&gaps->integral), gap_s = seconds(gaps->ns);
    r->energy_lo_j = fmin(r->energy_j, r->energy_j - bridged + m->min * gap_s);
    r->energy_hi_j = fmax(r->energy_j, r->energy_j - bridged + m->max * gap_s);
}

static void read_time(const ws_meter *m, const span_totals *used, const span_totals *gaps, ws_reading *r)
{
    const ws_meter_options *o = &m->options;
    bool excluded = o->gaps == WS_GAPS_EXCLUDE;
    int64_t span_ns = excluded ? plus(used->ns, gaps->ns) : used->ns;
    int64_t window_ns = o->has_window ? minus(o->window_end_ns, o->window_start_ns) : span_ns;
    r->has_start = m->time == WS_TIME_UTC || m->time == WS_TIME_NAIVE;
    r->start_ns = o->has_window && m->first_t < o->window_start_ns ? o->window_start_ns : m->first_t;
    r->duration_s = seconds(used->ns);
    r->span_s = o->has_window ? seconds(window_ns) : seconds(span_ns);
    r->max_gap_s = seconds(m->longest_ns);
    r->coverage = window_ns > 0 ? fmin(1, (double)used->ns / (double)window_ns) : 1;
    r->long_gaps = gaps->count;
    r->long_gap_s = seconds(gaps->ns);
}

void ws_meter_read(const ws_meter *m, ws_reading *r)
{
    span_totals used, gaps;
    split_by_length(m, &used, &gaps);
    hold_edges(m, &used);
    *r = (ws_reading){.samples = m->samples,
                      .missing = m->missing,
                      .duration_s = NAN,
                      .span_s = NAN,
                      .max_gap_s = NAN,
                      .coverage = NAN,
                      .min = NAN,
                      .max = NAN,
                      .sd = NAN};
    bool timed = m->time != WS_TIME_NONE;
    if (timed && !m->window_misfits && (m->samples || m->n_buckets))
        read_time(m, &used, &gaps, r);
    bool whole = !m->options.has_window && (m->options.gaps != WS_GAPS_EXCLUDE || !gaps.count);
    r->energy_j = channel_energy(m, &used, whole);
    r->samples -= is_trimmed(m) && is_inside(m, m->first_t);
    r->status = status_of(m, r);
    if (m->options.gaps == WS_GAPS_REFUSE && gaps.count)
        r->energy_j = NAN;
    bound_energy(m, &gaps, r);
    r->mean = mean_of(m, r, &used);
    if (m->samples && !holds_energies(m->rule)) {
        r->min = m->min;
        r->max = m->max;
        r->sd = timed ? time_weighted_sd(m, &used) : NAN;
    }
}
