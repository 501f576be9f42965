/* From what a meter collected to the summary of its channel. */
#include "analyze/measure/meter.h"
#include "analyze/measure/meter_internal.h"

#include "core/device_limits.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gaps are noted from about five times the median interval on. */
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

/* Sums the long gaps, and the intervals that the energy uses: all of them, or all except the long gaps. */
static void split_by_length(const ws_meter *m, span_totals *used, span_totals *gaps)
{
    *used = *gaps = (span_totals){.ns = 0};
    for (size_t i = 0; i < m->n_buckets; i++) {
        bool is_long = ws_meter_is_long_gap(m, &m->buckets[i]);
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
        if (above < GAP_QUARTER_OCTAVES || above >= WS_LONG_GAP_QUARTER_OCTAVES || ws_meter_is_pace(m, &m->buckets[i]))
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

/* Holds the first and last reading to the ends of the window. Not for energies, which are not rates. */
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

/* Variance = sum of squares / time - mean^2, each reading weighted with half of its neighbouring intervals. The sums
 * are exact as far as they reach; long double keeps what cancels. */
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

/* Each reading counts alike. */
static double plain_sd(const ws_meter *m, double *mean)
{
    double high, low, square_high, square_low, n = (double)m->samples;
    ws_total_pair(&m->total, WS_PARTS, &high, &low);
    ws_total_pair(&m->squares, WS_SQUARE_PARTS, &square_high, &square_low);
    long double sum = (long double)high + low, squares = (long double)square_high + square_low;
    long double variance = m->samples > 1 ? (squares - sum * sum / n) / (n - 1) : NAN;
    *mean = high / n;
    return variance < 0 || m->min == m->max ? 0 : (double)sqrtl(variance);
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

/* Where the counter may wrap: where its source says, else at the least usual range that holds its readings. 0: nowhere.
 */
static double range_of(const ws_meter *m)
{
    if (m->counter_range_j > 0 || m->assumed_range_j > 0)
        return fmax(m->counter_range_j, m->assumed_range_j);
    return ws_has_usual_ranges(m) && m->samples > 1 ? ws_usual_range(m->max) : 0;
}

/* Whole rounds of the range that fit into the intervals, beside the wraps that were seen in such intervals. */
static uint64_t hidden_rounds(const ws_meter *m)
{
    double rounds = 0, range_j = range_of(m);
    for (size_t i = 0; i < m->n_buckets && range_j > 0; i++) {
        const ws_interval_bucket *b = &m->buckets[i];
        double interval_s = seconds(b->total_ns) / (double)b->count;
        if (b->count && interval_s > 0)
            rounds += (double)b->count * floor(ws_counter_most_w(m) * interval_s / range_j);
    }
    rounds += range_j > 0 ? ws_meter_hidden_while_still(m, range_j) : 0;
    rounds -= (double)m->wide_wraps;
    return rounds > 0 && rounds < 1e15 ? (uint64_t)rounds : 0;
}

/* How far the next usual range lies above an assumed one, of which no reading tells it: at most a twentieth, since
 * falls from far below a range are no wraps. */
static double to_wider_range(double range_j)
{
    static const double near = 0.05;
    int i = 0;
    while (i < WS_RAPL_RANGES && ws_rapl_ranges[i] <= range_j)
        i++;
    return i < WS_RAPL_RANGES && ws_rapl_ranges[i] * (1 - near) <= range_j ? ws_rapl_ranges[i] - range_j : 0;
}

static void read_counter(const ws_meter *m, ws_channel_summary *r)
{
    r->first_j = NAN;
    if (m->rule != WS_RULE_COUNTER || m->time == WS_TIME_NONE)
        return;
    r->first_j = m->samples ? m->first_value : NAN;
    r->still_s = ws_draws_always(m->domain) ? ws_meter_stuck_s(m, &r->still_n) : 0;
    r->stall_j = ws_draws_always(m->domain) ? ws_meter_stalled_j(m, &r->stall_s) : 0;
    r->hidden_rounds = hidden_rounds(m);
    r->unlike_wraps_j = m->unlike_wraps_j;
    r->wrap_range_j = m->assumed_range_j;
    r->wider_range_j = r->wrap_range_j > 0 ? (double)m->wraps.count * to_wider_range(r->wrap_range_j) : 0;
}

static ws_energy_status counter_status(const ws_meter *m, const ws_channel_summary *r)
{
    return m->resets.count    ? WS_STATUS_COUNTER_RESET
           : r->still_s > 0   ? WS_STATUS_STUCK_COUNTER
           : r->hidden_rounds ? WS_STATUS_COUNTER_GAP
                              : WS_STATUS_OK;
}

static ws_energy_status status_of(const ws_meter *m, const ws_channel_summary *r)
{
    if (!m->samples && !m->n_buckets)
        return WS_STATUS_NO_SAMPLES;
    if (m->window_misfits)
        return WS_STATUS_WINDOW_MISFIT;
    if (m->time == WS_TIME_NONE && isnan(r->energy_j))
        return WS_STATUS_NO_TIME;
    if (m->rule == WS_RULE_NONE)
        return WS_STATUS_OK;
    if (m->options.gaps == WS_GAPS_REFUSE && r->long_gaps)
        return WS_STATUS_GAP_REFUSED;
    if (isnan(r->energy_j))
        return m->samples < 2 ? WS_STATUS_ONE_SAMPLE : WS_STATUS_NO_ENERGY;
    if (m->samples > 1 && r->duration_s == 0)
        return WS_STATUS_NO_DURATION;
    ws_energy_status of_counter = counter_status(m, r);
    return of_counter == WS_STATUS_OK && r->long_gaps ? WS_STATUS_LONG_GAP : of_counter;
}

/* Of a step of a counter; 0 where it never rose, and of what is none. */
static double largest_power(const ws_meter *m)
{
    double most_w = 0;
    for (size_t i = 0; i < WS_OCTAVES && m->rule == WS_RULE_COUNTER; i++)
        most_w = fmax(most_w, m->most_w[i]);
    return most_w;
}

/* A gap of a power trace could hold anything between the lowest and the highest reading. Counters and interval energies
 * know what it held, except for whole rounds of a range; and while a counter was stuck the device may have drawn the
 * most that it drew otherwise. */
static void bound_energy(const ws_meter *m, const span_totals *gaps, ws_channel_summary *r)
{
    double most_w = r->step_most_w = largest_power(m), stuck_j = r->still_s * most_w;
    r->hidden_j = (double)r->hidden_rounds * range_of(m);
    r->still_j = r->still_s > 0 && !(most_w > 0) ? INFINITY : stuck_j;
    r->reset_j = seconds(m->reset_ns) * most_w;
    r->bound_lo_j = r->energy_j;
    r->bound_hi_j = r->energy_j + r->hidden_j + stuck_j + (r->stall_j > 0 ? r->stall_s * most_w : 0);
    if (!gaps->count || ws_rule_holds_energies(m->rule) || m->rule == WS_RULE_MEAN_TIMES_TIME ||
        m->options.gaps != WS_GAPS_BRIDGE || !(m->min <= m->max))
        return;
    double bridged = joules(&gaps->integral), gap_s = seconds(gaps->ns);
    r->long_gap_j = bridged;
    r->bound_lo_j = fmin(r->energy_j, r->energy_j - bridged + m->min * gap_s);
    r->bound_hi_j = fmax(r->energy_j, r->energy_j - bridged + m->max * gap_s);
    r->gap_j = fmax(r->energy_j - r->bound_lo_j, r->bound_hi_j - r->energy_j);
}

void ws_summary_was_off(const ws_meter *m, ws_channel_summary *r)
{
    r->bound_hi_j -= r->still_s * r->step_most_w;
    r->still_s = r->still_j = 0;
    r->still_n = 0;
    r->status = r->status == WS_STATUS_STUCK_COUNTER ? status_of(m, r) : r->status;
}

/* Where a quarter octave begins. */
static int64_t quarter_octave_ns(int quarter_octave)
{
    int octave = quarter_octave / 4, fourths = 4 + quarter_octave % 4;
    return octave < 61 ? ((int64_t)fourths << octave) >> 2 : INT64_MAX;
}

/* From here on an interval is long beside the slowest pace of the log. */
static int64_t long_ns(const ws_meter *m)
{
    int limit = ws_meter_median_bucket(m) + WS_LONG_GAP_QUARTER_OCTAVES;
    for (size_t i = 0; i < m->n_buckets; i++)
        if (m->buckets[i].quarter_octave >= limit && ws_meter_is_pace(m, &m->buckets[i]))
            limit = m->buckets[i].quarter_octave + 1;
    return m->n_buckets ? quarter_octave_ns(limit) : 0;
}

/* Intervals of a second and more and about twice the usual one are late where they are rarer than this. A logger that
 * is often late has an uneven poll, and its clock is not in doubt. */
enum { LATE_QUARTER_OCTAVES = 5, LATE_ONE_IN = 100 };
static const int64_t late_from_ns = 1000000000;

/* Of rare late intervals: what they hold beyond the mean of those that are neither late nor long gaps. */
static double late_joules(const ws_meter *m)
{
    int usual = ws_meter_median_bucket(m), second = ws_quarter_octave(late_from_ns);
    span_totals others = {.ns = 0}, late = {.ns = 0};
    for (size_t i = 0; i < m->n_buckets; i++) {
        int above = m->buckets[i].quarter_octave - usual;
        bool is_late = above >= LATE_QUARTER_OCTAVES && usual + above >= second;
        if (above < WS_LONG_GAP_QUARTER_OCTAVES)
            take_bucket(is_late ? &late : &others, &m->buckets[i]);
    }
    if (!late.count || late.count * LATE_ONE_IN >= others.count)
        return 0;
    double on_time_s = seconds(others.ns) / (double)others.count, late_s = seconds(late.ns) / (double)late.count;
    return joules(&late.integral) * fmax(0, 1 - on_time_s / late_s);
}

static double median_s(const ws_meter *m)
{
    int usual = ws_meter_median_bucket(m);
    int64_t ns = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < m->n_buckets; i++)
        if (abs(m->buckets[i].quarter_octave - usual) <= 1) {
            ns = ws_ns_plus(ns, m->buckets[i].total_ns);
            count += m->buckets[i].count;
        }
    return count ? seconds(ns) / (double)count : 0;
}

/* What uncertainty.c needs of the time between readings and at the ends. */
static void read_open_time(const ws_meter *m, const span_totals *used, const span_totals *gaps, ws_channel_summary *r)
{
    const ws_meter_options *o = &m->options;
    bool holds_gaps = o->gaps != WS_GAPS_EXCLUDE;
    uint64_t count = used->count - (holds_gaps ? gaps->count : 0);
    double time_s = seconds(used->ns) - (holds_gaps ? seconds(gaps->ns) : 0);
    r->long_ns = long_ns(m);
    r->median_s = median_s(m);
    r->usual_s = count && time_s > 0 ? time_s / (double)count : 0;
    if (!ws_rule_holds_energies(m->rule))
        r->late_j = late_joules(m);
    if (!o->has_window || !m->has_last)
        return;
    int64_t first = ws_meter_start_ns(m);
    r->before_s = first > o->window_start_ns ? seconds(ws_ns_minus(first, o->window_start_ns)) : 0;
    r->behind_s = m->last_t < o->window_end_ns ? seconds(ws_ns_minus(o->window_end_ns, m->last_t)) : 0;
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

/* Stretches that were taken back can leave more or less than any reading says, where rows are far out of order. In a
 * window the readings on both sides of it count, too. */
static bool is_impossible(const ws_meter *m, const ws_channel_summary *r)
{
    double slack = 1e-9 * fmax(fabs(m->min), fabs(m->max));
    return m->back_steps.count && !m->options.has_window && (r->mean < m->min - slack || r->mean > m->max + slack);
}

/* --- intervals that no reading describes --- */

/* A row that is lost takes its interval with it where rows hold energies, or state how long they are: nothing bridges
 * it, as the line between two powers does.
 *
 *     5.0 s  151.2 J
 *     6.0 s  149.7 J
 *     8.0 s  150.3 J     the row of 7.0 s is lost: 2 s pass, and the energy is that of one
 *     9.0 s    0.0 J     and so is this one, of a device that draws power whenever it is on
 *
 * docs/methods.md, "Intervals that are lost". The limits are ours. */

/* A step of about twice the usual one and more (of its quarter octaves: 1.4 times at least). */
enum { LONGER_QUARTER_OCTAVES = 3 };

/* It has lost intervals where its power is so far below that of usual steps, and it holds about their energy: a device
 * that sleeps, of which a row comes now and then, holds more in hours. About: within so many times what readings spread
 * by, at least so much more or less, and at most twice their energy; a row of 10 s at rest holds what it holds. */
static const double lower_power = 0.75, most_energies = 2, spreads = 4, more = 0.25, less = 0.5;

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
    return b->quarter_octave >= ws_meter_median_bucket(m) + LONGER_QUARTER_OCTAVES && !ws_meter_is_pace(m, b);
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

/* Of energies: long steps that hold about as much as usual ones. */
static void lost_in_steps(const ws_meter *m, const steps *usual, ws_channel_summary *r)
{
    double power_w = usual->energy_j / usual->time_s, each_j = usual->energy_j / usual->count;
    double mean_j, spread = spreads * plain_sd(m, &mean_j) / each_j;
    double least_j = each_j * (1 - fmax(less, spread)), most_j = each_j * fmin(most_energies, 1 + fmax(more, spread));
    steps longer = all_steps(m, true);
    if (longer.energy_j >= power_of_all * power_w * longer.time_s)
        return;
    for (size_t i = 0; i < m->n_buckets; i++) {
        steps of = steps_of(&m->buckets[i]);
        bool is_lost = is_longer(m, &m->buckets[i]) && of.count > 0 &&
                       of.energy_j < lower_power * power_w * of.time_s && of.energy_j >= least_j * of.count &&
                       of.energy_j <= most_j * of.count;
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

/* Energies of 0 J that the device cannot have: it draws power whenever it is on, and the row behind does not make up
 * for them, as that of a coarse counter or a slow one does. So many of them, and at most one row in so many. */
static const double least_zeros = 2, one_in = 5, made_up = 0.5;

/* A coarse counter rises by one count behind a row of 0 J, or by few. */
static const double of_a_count = 0.01;

/* A counter that is refreshed now and then seems to stand still between: RAPL's each millisecond, those of GPUs ten
 * times a second, those of nodes once a second or less often. Intervals below this may hold none. Ours. */
static double longest_refresh_s(ws_domain domain)
{
    return domain == WS_CPU || domain == WS_DRAM ? 0.01 : domain == WS_GPU ? 0.25 : domain == WS_NODE ? 10 : INFINITY;
}

static bool is_count(double value, double count)
{
    return fabs(value / count - rint(value / count)) < of_a_count;
}

static void lost_in_zeros(const ws_meter *m, ws_channel_summary *r)
{
    double zeros = (double)m->zeros.count, behind = (double)m->behind_zero.n, samples = (double)m->samples;
    double others = samples - zeros - behind, behind_j = ws_total_value(&m->behind_zero.j, WS_PARTS);
    double count_j = m->behind_zero.least_j;
    bool is_coarse =
        is_count(m->behind_zero.most_j, count_j) && is_count(behind_j, count_j) && is_count(m->max, count_j);
    bool may_be = r->median_s >= longest_refresh_s(m->domain) && zeros >= least_zeros && behind > 0 &&
                  one_in * zeros <= samples && !is_coarse;
    if (!may_be)
        return;
    double each_j = (ws_total_value(&m->total, WS_PARTS) - behind_j) / others;
    double lost_j = each_j * (zeros + behind) - behind_j;
    if (lost_j < made_up * each_j * zeros)
        return;
    r->lost_j += lost_j;
    r->lost_s += lost_j / each_j * r->duration_s / samples;
    r->lost_steps += m->zeros.count;
}

static void read_lost(const ws_meter *m, ws_channel_summary *r)
{
    bool describes_intervals = (m->rule == WS_RULE_INTERVAL || m->rule == WS_RULE_RECTANGLE) && !m->are_windows;
    if (!describes_intervals || m->time == WS_TIME_NONE || m->window_misfits)
        return;
    steps usual = all_steps(m, false);
    if (!(usual.energy_j > 0) || !(usual.time_s > 0))
        return;
    if (m->rule == WS_RULE_INTERVAL) {
        lost_in_steps(m, &usual, r);
        lost_in_zeros(m, r);
    }
    lost_between(m, &usual, r->duration_s, r);
}

/* --- the summary --- */

const ws_channel_summary ws_summary_of_nothing = {.duration_s = NAN,
                                                  .span_s = NAN,
                                                  .max_gap_s = NAN,
                                                  .coverage = NAN,
                                                  .energy_j = NAN,
                                                  .energy_lo_j = NAN,
                                                  .energy_hi_j = NAN,
                                                  .mean = NAN,
                                                  .plain_mean = NAN,
                                                  .plain_sd = NAN,
                                                  .min = NAN,
                                                  .max = NAN,
                                                  .sd = NAN,
                                                  .least_w = NAN,
                                                  .most_w = NAN,
                                                  .status = WS_STATUS_NO_SAMPLES};

static void read_whole(const ws_meter *m, ws_channel_summary *r)
{
    span_totals used, gaps;
    split_by_length(m, &used, &gaps);
    if (used.ns < 0) /* rows from the latest to the earliest */
        used = (span_totals){.ns = 0};
    hold_edges(m, &used);
    *r = ws_summary_of_nothing;
    r->samples = m->samples, r->missing = m->missing;
    r->wraps = m->wraps, r->resets = m->resets, r->slips = m->slips, r->zero_reads = m->zero_reads;
    bool timed = m->time != WS_TIME_NONE;
    if (timed && !m->window_misfits && (m->samples || m->n_buckets))
        read_time(m, &used, &gaps, r), read_open_time(m, &used, &gaps, r);
    bool whole = !m->options.has_window && (m->options.gaps != WS_GAPS_EXCLUDE || !gaps.count);
    r->energy_j = channel_energy(m, &used, whole);
    read_counter(m, r);
    r->samples -= is_trimmed(m) && ws_meter_is_inside(m, m->first_t);
    r->status = status_of(m, r);
    if (m->options.gaps == WS_GAPS_REFUSE && gaps.count)
        r->energy_j = NAN;
    bound_energy(m, &gaps, r);
    read_lost(m, r);
    r->mean = mean_of(m, r, &used);
    if (m->rule == WS_RULE_COUNTER)
        r->least_w = 0, r->most_w = largest_power(m);
    if (m->samples && !ws_rule_holds_energies(m->rule)) {
        r->least_w = r->min = m->min;
        r->most_w = r->max = m->max;
        r->plain_sd = plain_sd(m, &r->plain_mean);
        r->sd = timed ? time_weighted_sd(m, &used) : NAN;
        if (is_impossible(m, r))
            r->status = WS_STATUS_OUT_OF_ORDER;
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

/* What a meter saw that a user should know. */

static const double STUCK_AFTER_S = 60;
enum { STUCK_AFTER_SAMPLES = 60 };

bool ws_meter_is_stuck(const ws_meter *m, const ws_channel_summary *r)
{
    bool long_enough = m->samples >= STUCK_AFTER_SAMPLES && r->duration_s >= STUCK_AFTER_S;
    return m->min == m->max && m->max > 0 && long_enough;
}

typedef struct noter {
    const ws_meter *meter;
    const ws_channel_summary *summary;
    const char *source, *subject;
    ws_notes *notes;
} noter;

static void note_seen(const noter *n, const ws_seen *seen, ws_finding finding, const char *text)
{
    ws_notes_add_many(n->notes, seen->count, finding, n->source, n->subject, seen->line, "%s", text);
}

static void note_window(const noter *n)
{
    const ws_meter *m = n->meter;
    if (!m->window_misfits)
        return;
    ws_notes_add(n->notes, WS_FINDING_WINDOW_MISFIT, n->source, n->subject, 0,
                 "the window is given in %s, the trace %s: there is no energy",
                 m->options.window_is_relative ? "seconds" : "dates",
                 m->time == WS_TIME_NONE       ? "holds no time"
                 : m->time == WS_TIME_RELATIVE ? "counts seconds from its own start"
                                               : "has dates");
}

/* Repeated stamps and steps back, which are said as well, are harmless elsewhere. */
static void note_no_duration(const noter *n)
{
    const ws_meter *m = n->meter;
    bool is_power = m->rule != WS_RULE_NONE && !ws_rule_holds_energies(m->rule);
    if (is_power && n->summary->status == WS_STATUS_NO_DURATION)
        ws_notes_add(n->notes, WS_FINDING_NO_DURATION, n->source, n->subject, 0,
                     "%s: the energy is 0 J for want of time, not of power",
                     m->back_steps.count
                         ? "the time stamps go back from row to row, as in a file that was turned round (tac turns "
                           "the rows, the head aside)"
                         : "all readings have the same time stamp, of a clock that stands still");
}

/* The columns of a device share their rows, so the largest count is the number of rows. */
static void note_stamps(const noter *n, const ws_seen *seen, ws_finding finding, const char *text)
{
    ws_notes_add_most(n->notes, seen->count, finding, n->source, n->subject, seen->line, "%s", text);
}

static void note_time(const noter *n)
{
    static const char *const fates[] = {[WS_GAPS_BRIDGE] = "bridged, and the energy interval is widened",
                                        [WS_GAPS_EXCLUDE] = "left out",
                                        [WS_GAPS_REFUSE] = "the channel is refused"};
    const ws_channel_summary *r = n->summary;
    note_stamps(
        n, &n->meter->back_steps, WS_FINDING_CLOCK_STEP_BACK,
        n->meter->rule == WS_RULE_COUNTER
            ? "the time stamp goes back: where the counter goes back with it, by less than a long gap, the stretch "
              "counts once; else the step holds no time"
            : "the time stamp goes back: by less than a second, the stretch counts once; by more, the step holds no "
              "energy and no time");
    if (r->status == WS_STATUS_OUT_OF_ORDER)
        ws_notes_add(n->notes, WS_FINDING_OUT_OF_ORDER, n->source, n->subject, n->meter->back_steps.line,
                     "the mean of %.6g lies outside of all readings, from %.6g to %.6g, for the stamps that go back: "
                     "--back-steps sort puts the rows in place, drop leaves them out",
                     r->mean, r->min, r->max);
    note_stamps(n, &n->meter->duplicates, WS_FINDING_REPEATED_STAMP,
                n->meter->again.count && n->meter->rule == WS_RULE_INTERVAL
                    ? "a time stamp is the same as the one before, and so are energies under it: were rows written "
                      "twice? They are in the sum twice"
                    : "a time stamp is the same as the one before; the interval between them is empty");
    ws_notes_add_most(n->notes, r->long_gaps, WS_FINDING_LONG_GAP, n->source, n->subject, 0,
                      "gaps of about eight times the usual interval or more, %.3g s in total, the longest %.3g s; %s",
                      r->long_gap_s, r->max_gap_s, fates[n->meter->options.gaps]);
    ws_notes_add_most(
        n->notes, r->gaps, WS_FINDING_GAP, n->source, n->subject, 0,
        "steps of about five to eight times the usual interval, %.3g s in total: too short for a long gap, "
        "and integrated as any other",
        r->gap_s);
}

static void note_lost(const noter *n)
{
    const ws_channel_summary *r = n->summary;
    if (r->lost_s > 0)
        ws_notes_add_many(n->notes, r->lost_steps ? r->lost_steps : 1, WS_FINDING_LOST_INTERVAL, n->source, n->subject,
                          0,
                          "%.4g s of the trace are in no reading's interval, in steps that hold the energy of a "
                          "shorter one, or in rows of 0 J: rows are missing, and their energy is in no sum",
                          r->lost_s);
}

static void note_counter(const noter *n)
{
    const ws_meter *m = n->meter;
    note_seen(n, &n->summary->zero_reads, WS_FINDING_ZERO_READ,
              "the counter reads zero while it is running: a failed read, stepped over");
    ws_notes_add_many(n->notes, n->summary->wraps.count, WS_FINDING_COUNTER_WRAP, n->source, n->subject,
                      n->summary->wraps.line, "the counter wrapped at its range of %.10g J and was unwrapped",
                      range_of(m));
    if (n->summary->wrap_range_j > 0)
        ws_notes_add(n->notes, WS_FINDING_ASSUMED_COUNTER_RANGE, n->source, n->subject, 0,
                     "the file does not state where the counter wraps: %.10g J is assumed, the usual range whose top "
                     "its falls are near",
                     n->summary->wrap_range_j);
    if (n->summary->hidden_rounds)
        ws_notes_add(
            n->notes, WS_FINDING_COUNTER_GAP, n->source, n->subject, 0,
            "up to %" PRIu64 " whole rounds of the counter's %srange of %.10g J may be lost between its readings, "
            "the longest step being %.4g s: the energy is a lower bound",
            n->summary->hidden_rounds, m->counter_range_j > 0 ? "" : "usual ", range_of(m), n->summary->max_gap_s);
    if (n->summary->still_s > 0)
        ws_notes_add(n->notes, WS_FINDING_STUCK_COUNTER, n->source, n->subject, 0,
                     "the counter does not rise for %.4g s, in %" PRIu64
                     " readings: the energy of that time is missing",
                     n->summary->still_s, n->summary->still_n);
    if (n->summary->stall_j > 0)
        ws_notes_add_many(
            n->notes, n->meter->still.brief.n, WS_FINDING_STUCK_COUNTER, n->source, n->subject, 0,
            "the counter stands still for a few readings again and again, and does not make up for it in the step "
            "behind: energy of %.4g s is missing",
            n->summary->stall_s);
    note_seen(
        n, &n->summary->resets, WS_FINDING_COUNTER_RESET,
        "the counter fell and no wrap at the usual power explains it: what came before the first reading after it "
        "is lost, so the energy is a lower bound");
    note_seen(
        n, &n->summary->slips, WS_FINDING_COUNTER_SLIP,
        "the counter fell a little, and holds more than it can have collected since: it neither wrapped nor began "
        "again, and the step counts as it is, below zero");
}

static void note_power(const noter *n)
{
    const ws_meter *m = n->meter;
    if (m->rule == WS_RULE_INTERVAL || m->rule == WS_RULE_GIVEN)
        note_seen(n, &m->negatives, WS_FINDING_NEGATIVE_ENERGY,
                  "an energy below zero, kept as data and taken off the sum: check the sensor or the sign");
    if (m->rule != WS_RULE_TRAPEZOID && m->rule != WS_RULE_RECTANGLE && m->rule != WS_RULE_PERUN)
        return;
    note_seen(n, &m->negatives, WS_FINDING_NEGATIVE_POWER,
              "a power below zero, kept as data: check the sensor or the sign");
    if (m->max > 0)
        note_seen(n, &m->zeros, WS_FINDING_ZERO_POWER,
                  "a power of exactly zero, kept as data: idle, or a read that failed (perun stores 0 then)");
    if (ws_meter_is_stuck(m, n->summary))
        ws_notes_add(n->notes, WS_FINDING_STUCK_SENSOR, n->source, n->subject, 0,
                     "the power is %.6g W in every one of %" PRIu64 " readings", m->max, m->samples);
}

void ws_meter_notes(const ws_meter *m, const ws_channel_summary *r, const char *source, const char *subject,
                    ws_notes *notes)
{
    noter n = {m, r, source, subject, notes};
    note_window(&n);
    note_time(&n);
    note_no_duration(&n);
    note_seen(&n, &m->refused, WS_FINDING_MISSING_CELL,
              "a cell without a usable reading; it is left out, not taken as zero");
    note_lost(&n);
    note_counter(&n);
    if (m->first_interval_unknown && m->rule == WS_RULE_INTERVAL)
        ws_notes_add(
            notes, WS_FINDING_OPEN_FIRST_INTERVAL, source, subject, 0,
            "the first interval's length is not recorded: its energy counts, its time does not, so the mean power is "
            "a little high (--edges trim leaves both out)");
    note_power(&n);
}
