/* What rows held that are not there: those that could not be read where a log begins or ends, and intervals that no
 * reading describes. */
#include "analyze/measure/meter_internal.h"
#include "analyze/measure/stakes.h"

#include <math.h>
#include <string.h>

/* --- at the ends --- */

/* Rows that could not be read where a log begins or ends. Between readings the time of such rows is bridged, and long
 * gaps tell; beyond the first and the last one nothing does:
 *
 *     garbage, 0, 211.43 W           (100 rows)
 *     2026/10/14 17:48:20.002, 0, 214.07 W
 *     ...                            (300 rows, a second apart: 299 s, and the rows are those of 399 s)
 *
 * Nor does it where the clock stands still and the readings go on. The rows of a log are a usual interval apart. What
 * all of them would cover and the readings do not is at stake, at most the time of those that were not read. */

/* What readers say of rows that are left out as a whole. Those of banners and remarks (skipped-line) are no rows. */
static bool is_of_rows(ws_finding finding)
{
    static const ws_finding of_rows[] = {WS_FINDING_BAD_LINE,    WS_FINDING_BAD_STAMP, WS_FINDING_BAD_TIME,
                                         WS_FINDING_EXTRA_CELLS, WS_FINDING_NO_DEVICE, WS_FINDING_RAGGED_ROW,
                                         WS_FINDING_SHORT_ROW};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        if (of_rows[i] == finding)
            return true;
    return false;
}

static bool is_of_source(const ws_device *d, const char *source)
{
    return d->energy && strcmp(d->source, source) == 0;
}

/* How many devices share a row's time: 1 where a row holds every device, else all of the source. */
static double devices_per_row(const ws_measure *m, const ws_note *note)
{
    size_t devices = 0;
    int64_t line = -1;
    bool is_wide = true;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (!is_of_source(d, note->source))
            continue;
        is_wide &= !devices || d->energy->meter.first.line == line;
        line = d->energy->meter.first.line;
        devices++;
    }
    return is_wide || !devices ? 1 : (double)devices;
}

static double rows_of_each(const ws_measure *m, const ws_note *note)
{
    return (double)note->count / devices_per_row(m, note);
}

/* So many rows, which cover at most so long. */
static void find_unread(ws_metered_channel *c, ws_finding finding, double rows, double most_s)
{
    const ws_channel_summary *r = &c->summary;
    double read = (double)r->samples - (double)c->meter.duplicates.count;
    bool has_ends = !c->meter.options.has_window && c->meter.rule != WS_RULE_GIVEN && r->span_s > 0;
    double unread_s = fmin(fmin(rows * r->median_s, most_s), (read + rows - 1) * r->median_s - r->span_s);
    if (has_ends && unread_s > c->unread_s) {
        c->unread_s = unread_s;
        c->unread = finding;
    }
}

static bool is_beside(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->channel.run, b->channel.run) == 0;
}

static double seconds_after(int64_t from_ns, int64_t to_ns)
{
    return to_ns > from_ns ? (double)((uint64_t)to_ns - (uint64_t)from_ns) / 1e9 : 0;
}

/* For how long cells of the channel go on before and behind all readings of the powers and energies of its source and
 * run, whose channels are adjacent. */
static double beyond_readings_s(const ws_measure *m, const ws_metered_channel *c)
{
    const ws_metered_channel *at = c, *end = m->channels + m->n_channels;
    int64_t from_ns = INT64_MAX, until_ns = INT64_MIN;
    while (at > m->channels && is_beside(at - 1, c))
        at--;
    for (; at < end && is_beside(at, c); at++) {
        if (!ws_quantity_gives_energy(at->channel.quantity) || !at->meter.has_last)
            continue;
        int64_t start_ns = ws_meter_start_ns(&at->meter);
        from_ns = start_ns < from_ns ? start_ns : from_ns;
        until_ns = at->meter.last_t > until_ns ? at->meter.last_t : until_ns;
    }
    return seconds_after(c->meter.refused_from_ns, from_ns) + seconds_after(until_ns, c->meter.refused_until_ns);
}

/* Cells without a reading. What other devices read of their time is missing as that of a short trace, and a stamp that
 * was cut may lie anywhere: as many rows as there are cover no more. */
static void find_missing_cells(const ws_measure *m, ws_metered_channel *c)
{
    bool has_some = c->meter.refused.count && c->meter.has_last && c->meter.rule != WS_RULE_INTERVAL;
    if (has_some && c->meter.time != WS_TIME_NONE && ws_quantity_gives_energy(c->channel.quantity))
        find_unread(c, WS_FINDING_MISSING_CELL, (double)c->meter.refused.count, beyond_readings_s(m, c));
}

/* Do all stamps of the meter come in steps of `tick_ns`? */
static bool is_multiple(const ws_meter *m, int64_t tick_ns)
{
    if (m->first_t % tick_ns || m->last_t % tick_ns)
        return false;
    for (size_t i = 0; i < m->n_buckets; i++)
        if (m->buckets[i].total_ns % tick_ns)
            return false;
    return true;
}

/* Is the clock finer than the usual interval? Else two readings may share a stamp for want of digits. */
static bool is_clock_fine(const ws_metered_channel *c)
{
    int64_t tick_ns = 1000000000, usual_ns = (int64_t)(c->summary.median_s * 1e9);
    while (tick_ns > 1 && (tick_ns > usual_ns || !is_multiple(&c->meter, tick_ns)))
        tick_ns /= 10;
    return 2 * usual_ns > 3 * tick_ns;
}

/* A clock that stood still while the readings went on: those under a repeated stamp are no copies, and most others have
 * stamps of their own. Rows of several devices, taken as those of one, share all stamps. */
static void find_standing_clock(ws_metered_channel *c)
{
    const ws_meter *m = &c->meter;
    bool is_power = m->rule == WS_RULE_TRAPEZOID || m->rule == WS_RULE_PERUN;
    double rows = (double)m->duplicates.count - (double)m->again.count;
    if (is_power && 2 * m->duplicates.count < m->samples && is_clock_fine(c))
        find_unread(c, WS_FINDING_REPEATED_STAMP, rows, INFINITY);
}

void ws_measure_find_unread(ws_measure *m, const ws_notes *notes)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        m->channels[i].unread_s = 0;
        find_standing_clock(&m->channels[i]);
        find_missing_cells(m, &m->channels[i]);
    }
    for (size_t n = 0; notes && n < notes->n; n++) {
        const ws_note *note = &notes->items[n];
        if (!is_of_rows(note->finding))
            continue;
        double rows = rows_of_each(m, note);
        for (size_t i = 0; i < m->n_devices; i++) {
            if (!is_of_source(&m->devices[i], note->source))
                continue;
            ws_metered_channel *c = &m->channels[m->devices[i].energy - m->channels];
            find_unread(c, note->finding, rows, INFINITY);
        }
    }
}

/* --- between readings --- */

/* Intervals that no reading describes. A row that is lost takes its interval with it where rows hold energies, or state
 * how long they are: nothing bridges it, as the line between two powers does.
 *
 *     5.0 s  151.2 J
 *     6.0 s  149.7 J
 *     8.0 s  150.3 J     the row of 7.0 s is lost: 2 s pass, and the energy is that of one
 *     9.0 s    0.0 J     and so is this one, of a device that draws power whenever it is on
 *
 * docs/methods.md, "Intervals that are lost". The limits are ours. */

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

/* --- rows of 0 J --- */

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

void ws_meter_read_lost(const ws_meter *m, ws_channel_summary *r)
{
    bool describes_intervals = (m->rule == WS_RULE_INTERVAL || m->rule == WS_RULE_RECTANGLE) && !m->are_windows;
    steps usual = all_steps(m, false);
    if (!describes_intervals || m->time == WS_TIME_NONE || m->window_misfits || !(usual.energy_j > 0) ||
        !(usual.time_s > 0))
        return;
    if (m->rule == WS_RULE_INTERVAL) {
        lost_in_steps(m, &usual, r);
        lost_in_zeros(m, r);
    }
    lost_between(m, &usual, r->duration_s, r);
}
