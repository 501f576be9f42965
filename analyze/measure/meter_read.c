/* From what a meter collected to what its channel comes to. */
#include "analyze/measure/meter.h"
#include "analyze/measure/meter_steps.h"

#include <math.h>

/* A gap is worth a word from about five times the median interval on. */
enum { GAP_QUARTER_OCTAVES = 10 };

typedef struct span_totals {
    ws_total integral, squares; /* as in a bucket */
    int64_t ns;
    uint64_t count;
} span_totals;

static void take_bucket(span_totals *totals, const ws_interval_bucket *bucket)
{
    ws_total_merge(&totals->integral, &bucket->integral);
    ws_total_merge(&totals->squares, &bucket->squares);
    totals->ns = ws_ns_plus(totals->ns, bucket->total_ns);
    totals->count += bucket->count;
}

/* Long gaps by themselves, and what the energy is taken of: all intervals, or all but the long gaps. */
static void split_by_length(const ws_meter *m, span_totals *used, span_totals *gaps)
{
    int limit = ws_meter_median_bucket(m) + WS_LONG_GAP_QUARTER_OCTAVES;
    *used = *gaps = (span_totals){.ns = 0};
    for (size_t i = 0; i < m->n_buckets; i++) {
        bool is_long = m->buckets[i].quarter_octave >= limit;
        if (is_long)
            take_bucket(gaps, &m->buckets[i]);
        if (!is_long || m->options.gaps != WS_GAPS_EXCLUDE)
            take_bucket(used, &m->buckets[i]);
    }
}

static double seconds(int64_t ns)
{
    return (double)ns / WS_NS_PER_S;
}

static void count_short_gaps(const ws_meter *m, ws_channel_summary *r)
{
    int usual = ws_meter_median_bucket(m);
    int64_t ns = 0;
    for (size_t i = 0; i < m->n_buckets; i++) {
        int above = m->buckets[i].quarter_octave - usual;
        if (above < GAP_QUARTER_OCTAVES || above >= WS_LONG_GAP_QUARTER_OCTAVES)
            continue;
        r->gaps += m->buckets[i].count;
        ns = ws_ns_plus(ns, m->buckets[i].total_ns);
    }
    r->gap_s = seconds(ns);
}

static void hold(span_totals *used, double value, int64_t ns)
{
    for (int side = 0; side < 2; side++) {
        ws_total_add_times(&used->integral, value, ns);
        ws_total_add_square_times(&used->squares, value, ns);
    }
    used->ns = ws_ns_plus(used->ns, ns);
}

/* The end readings held out to the ends of the window. Energies are no rate that could hold. */
static void hold_edges(const ws_meter *m, span_totals *used)
{
    const ws_meter_options *o = &m->options;
    if (o->edges != WS_EDGES_HOLD || !o->has_window || !m->samples || ws_rule_holds_energies(m->rule))
        return;
    if (m->first_t > o->window_start_ns && m->first_t <= o->window_end_ns)
        hold(used, m->first_value, ws_ns_minus(m->first_t, o->window_start_ns));
    if (m->last_t < o->window_end_ns && m->last_t >= o->window_start_ns)
        hold(used, m->last_value, ws_ns_minus(o->window_end_ns, m->last_t));
}

static double joules(const ws_total *integral)
{
    return ws_total_value(integral, WS_PARTS) / (2 * WS_NS_PER_S);
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
    ws_total_pair(&used->squares, WS_SQUARE_PARTS, &square_high, &square_low);
    ws_total_pair(&used->integral, WS_PARTS, &high, &low);
    long double mean = ((long double)high + low) / weight;
    long double square = ((long double)square_high + square_low) / weight;
    long double variance = square - mean * mean;
    return variance > 0 ? (double)sqrtl(variance) : 0;
}

static void read_plain(const ws_meter *m, ws_channel_summary *r)
{
    double high, low, square_high, square_low, n = (double)m->samples;
    ws_total_pair(&m->total, WS_PARTS, &high, &low);
    ws_total_pair(&m->squares, WS_SQUARE_PARTS, &square_high, &square_low);
    long double sum = (long double)high + low, squares = (long double)square_high + square_low;
    long double variance = m->samples > 1 ? (squares - sum * sum / n) / (n - 1) : NAN;
    r->plain_mean = high / n;
    r->plain_sd = variance < 0 || m->min == m->max ? 0 : (double)sqrtl(variance);
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
        return m->samples + m->counter_from_zero > 1 ? ws_total_value(&m->steps, WS_PARTS) : NAN;
    ws_total energies = m->total;
    if (is_trimmed(m))
        ws_total_add_times(&energies, -m->first_value, 1);
    return m->samples > is_trimmed(m) ? ws_total_value(&energies, WS_PARTS) : NAN;
}

static double channel_energy(const ws_meter *m, const span_totals *used, bool whole)
{
    bool has_time = m->time != WS_TIME_NONE || m->rule == WS_RULE_GIVEN; /* a printed total needs no time */
    if (m->rule == WS_RULE_NONE || !has_time || m->window_misfits)
        return NAN;
    if (m->rule == WS_RULE_MEAN_TIMES_TIME)
        return m->samples > 1 ? ws_total_value(&m->total, WS_PARTS) / (double)m->samples * seconds(used->ns) : NAN;
    if (whole && ws_rule_holds_energies(m->rule))
        return whole_energy(m);
    return used->ns > 0 || (whole && m->samples > 1) ? joules(&used->integral) : NAN;
}

static double mean_of(const ws_meter *m, const ws_channel_summary *r, const span_totals *used)
{
    if (m->rule == WS_RULE_PERUN)
        return m->samples ? ws_total_value(&m->total, WS_PARTS) / (double)m->samples : NAN;
    if (m->rule == WS_RULE_NONE || m->time == WS_TIME_NONE) {
        if (!m->samples || ws_rule_holds_energies(m->rule))
            return NAN;
        return used->ns > 0 ? ws_total_value(&used->integral, WS_PARTS) / (2 * (double)used->ns)
                            : ws_total_value(&m->total, WS_PARTS) / (double)m->samples;
    }
    return r->duration_s > 0 ? r->energy_j / r->duration_s : NAN;
}

static const char *status_of(const ws_meter *m, const ws_channel_summary *r)
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
static void bound_energy(const ws_meter *m, const span_totals *gaps, ws_channel_summary *r)
{
    r->energy_lo_j = r->energy_hi_j = r->energy_j;
    if (!gaps->count || ws_rule_holds_energies(m->rule) || m->rule == WS_RULE_MEAN_TIMES_TIME ||
        m->options.gaps != WS_GAPS_BRIDGE || !(m->min <= m->max))
        return;
    double bridged = joules(&gaps->integral), gap_s = seconds(gaps->ns);
    r->energy_lo_j = fmin(r->energy_j, r->energy_j - bridged + m->min * gap_s);
    r->energy_hi_j = fmax(r->energy_j, r->energy_j - bridged + m->max * gap_s);
}

static void read_time(const ws_meter *m, const span_totals *used, const span_totals *gaps, ws_channel_summary *r)
{
    const ws_meter_options *o = &m->options;
    bool excluded = o->gaps == WS_GAPS_EXCLUDE;
    int64_t span_ns = excluded ? ws_ns_plus(used->ns, gaps->ns) : used->ns;
    int64_t window_ns = o->has_window ? ws_ns_minus(o->window_end_ns, o->window_start_ns) : span_ns;
    r->has_start = m->time == WS_TIME_UTC || m->time == WS_TIME_NAIVE;
    r->start_ns = o->has_window && m->first_t < o->window_start_ns ? o->window_start_ns : m->first_t;
    r->duration_s = seconds(used->ns);
    r->span_s = o->has_window ? seconds(window_ns) : seconds(span_ns);
    r->max_gap_s = seconds(m->longest_ns);
    r->coverage = window_ns > 0 ? fmin(1, (double)used->ns / (double)window_ns) : 1;
    r->long_gaps = gaps->count;
    r->long_gap_s = seconds(gaps->ns);
    count_short_gaps(m, r);
}

/* Stretches that were taken back can leave more or less than any reading says, where rows are far out of order. In a window the
 * readings on both sides of it count, too. */
static bool is_impossible(const ws_meter *m, const ws_channel_summary *r)
{
    double slack = 1e-9 * fmax(fabs(m->min), fabs(m->max));
    return m->back_steps.count && !m->options.has_window && (r->mean < m->min - slack || r->mean > m->max + slack);
}

static void read_whole(const ws_meter *m, ws_channel_summary *r)
{
    span_totals used, gaps;
    split_by_length(m, &used, &gaps);
    if (used.ns < 0) /* rows from the latest to the earliest */
        used = (span_totals){.ns = 0};
    hold_edges(m, &used);
    *r = (ws_channel_summary){.samples = m->samples,
                              .missing = m->missing,
                              .wraps = m->wraps,
                              .resets = m->resets,
                              .slips = m->slips,
                              .duration_s = NAN,
                              .span_s = NAN,
                              .max_gap_s = NAN,
                              .coverage = NAN,
                              .plain_mean = NAN,
                              .plain_sd = NAN,
                              .min = NAN,
                              .max = NAN,
                              .sd = NAN};
    bool timed = m->time != WS_TIME_NONE;
    if (timed && !m->window_misfits && (m->samples || m->n_buckets))
        read_time(m, &used, &gaps, r);
    bool whole = !m->options.has_window && (m->options.gaps != WS_GAPS_EXCLUDE || !gaps.count);
    r->energy_j = channel_energy(m, &used, whole);
    r->samples -= is_trimmed(m) && ws_meter_is_inside(m, m->first_t);
    r->status = status_of(m, r);
    if (m->options.gaps == WS_GAPS_REFUSE && gaps.count)
        r->energy_j = NAN;
    bound_energy(m, &gaps, r);
    r->mean = mean_of(m, r, &used);
    if (m->samples && !ws_rule_holds_energies(m->rule)) {
        r->min = m->min;
        r->max = m->max;
        read_plain(m, r);
        r->sd = timed ? time_weighted_sd(m, &used) : NAN;
        if (is_impossible(m, r))
            r->status = "out-of-order";
    }
}

void ws_meter_read(const ws_meter *m, ws_channel_summary *r)
{
    ws_meter whole;
    if (!m->head && !m->n_falls) {
        read_whole(m, r);
        return;
    }
    ws_meter_settle(m, &whole);
    read_whole(&whole, r);
    ws_meter_free(&whole);
}
