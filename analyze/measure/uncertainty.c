#include "analyze/measure/uncertainty.h"

#include "analyze/measure/meter_internal.h"
#include "analyze/measure/stakes.h"
#include "core/device_limits.h"
#include "core/name_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rows at the ends that could not be read --- */

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
    static const ws_finding of_rows[] = {WS_FINDING_BAD_LINE,    WS_FINDING_BAD_STAMP,   WS_FINDING_BAD_TIME,
                                         WS_FINDING_EXTRA_CELLS, WS_FINDING_NO_DEVICE,   WS_FINDING_RAGGED_ROW,
                                         WS_FINDING_SHORT_ROW,   WS_FINDING_UNREAD_LINES};
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

/* --- what the sensor itself may be off --- */

/* Standard uncertainty of a sensor's gain. GPUs: NVIDIA's sensors beside external meters were off by -9 to +11 % (19
 * cards, arXiv 2312.02741: root mean square 4.6 %). Processors and nodes have sensors of no better known accuracy; at
 * the wall there are meters. A default where nothing is known of the device. */
static const double gain_u[WS_DOMAIN_N] = {
    [WS_GPU] = 0.05,      [WS_CPU] = 0.05,     [WS_DRAM] = 0.05, [WS_NODE] = 0.05,  [WS_WALL] = 0.01,
    [WS_CPU_CORE] = 0.05, [WS_CPU_GFX] = 0.05, [WS_PSYS] = 0.05, [WS_OTHER] = 0.05,
};

/* What logs say of a sensor; of several facts with one key about one device the last. */
typedef struct sensor_facts {
    const ws_measure *m;
    ws_name_index index; /* places of facts */
} sensor_facts;

static const char model_key[] = "gpu.name", driver_key[] = "gpu.driver";

static uint64_t hash_of_fact(const ws_kept_fact *f)
{
    return ws_name_hash(ws_name_hash(ws_name_hash(ws_name_hash(0, f->key), f->run), f->node), f->device);
}

typedef struct fact_search {
    const ws_measure *m;
    const ws_kept_fact *wanted;
} fact_search;

static bool is_about_same(const void *state, size_t place)
{
    const fact_search *s = state;
    const ws_kept_fact *a = &s->m->facts[place], *b = s->wanted;
    return strcmp(a->key, b->key) == 0 && strcmp(a->run, b->run) == 0 && strcmp(a->node, b->node) == 0 &&
           strcmp(a->device, b->device) == 0;
}

static size_t find_fact(const sensor_facts *facts, const ws_kept_fact *like)
{
    return ws_name_find(&facts->index, hash_of_fact(like), is_about_same, &(fact_search){facts->m, like});
}

static sensor_facts index_facts(const ws_measure *m)
{
    sensor_facts facts = {.m = m};
    for (size_t i = m->n_facts; i-- > 0;) {
        const ws_kept_fact *f = &m->facts[i];
        bool is_wanted = strcmp(f->key, model_key) == 0 || strcmp(f->key, driver_key) == 0;
        if (is_wanted && find_fact(&facts, f) == WS_NO_PLACE)
            ws_name_add(&facts.index, hash_of_fact(f), i);
    }
    return facts;
}

/* NULL if there is none. */
static const char *fact_of(const sensor_facts *facts, const ws_channel *of, const char *key)
{
    ws_kept_fact like = {.key = key, .run = of->run, .node = of->node, .device = of->device};
    size_t place = facts->index.n ? find_fact(facts, &like) : WS_NO_PLACE;
    return place == WS_NO_PLACE ? NULL : facts->m->facts[place].text;
}

/* What is known of a sensor: nothing where neither the log nor the user says what it is. */
typedef struct sensor_open {
    double lag_s, gain_u, window_s;
} sensor_open;

static sensor_open open_of_sensor(const sensor_facts *facts, const ws_channel *of)
{
    const ws_sensors *known = facts->m->options.sensors;
    sensor_open open = {WS_SENSOR_USUAL_LAG_S, gain_u[of->domain], NAN};
    ws_sensor_key key = {fact_of(facts, of, model_key), fact_of(facts, of, driver_key), of->device, of->column,
                         of->domain};
    if (!key.model && !known)
        return open;
    ws_sensor sensor = ws_sensor_of(known, &key);
    open.lag_s = ws_sensor_lag_s(&sensor);
    open.window_s = sensor.window_s;
    open.gain_u = isnan(sensor.gain_u) ? open.gain_u : sensor.gain_u;
    return open;
}

/* --- bounds --- */

static bool is_power(const ws_metered_channel *c)
{
    return ws_is_sampled(c) || c->meter.rule == WS_RULE_RECTANGLE;
}

/* Where a window has no reading or one, its power is what the readings around it would mean: anything from nothing to
 * what the device can draw. */
static void bound_window(const ws_metered_channel *c, double most_w, ws_open *gaps)
{
    const ws_channel_summary *r = &c->summary;
    gaps->lo_j = fmin(0, -r->energy_j);
    gaps->hi_j = fmax(most_w * r->duration_s, 2 * fabs(r->energy_j)) - r->energy_j;
}

/* In a long gap the device may have drawn what it drew at least elsewhere, up to what it can draw. */
static void bound_gaps(const ws_metered_channel *c, double most_w, ws_budget *b)
{
    const ws_channel_summary *r = &c->summary;
    bool is_bridged =
        r->long_gaps && c->meter.options.gaps == WS_GAPS_BRIDGE && c->meter.rule != WS_RULE_MEAN_TIMES_TIME;
    if (ws_is_window_unread(c))
        bound_window(c, most_w, &b->of[WS_COMPONENT_GAPS]);
    if (ws_is_window_unread(c) || !is_bridged || !is_power(c))
        return;
    b->of[WS_COMPONENT_GAPS].lo_j = fmin(0, r->least_w * r->long_gap_s - r->long_gap_j);
    b->of[WS_COMPONENT_GAPS].hi_j = fmax(0, most_w * r->long_gap_s - r->long_gap_j);
}

/* Where rows are missing that describe intervals, up to what it can draw; of energies: up to twice the mean of the
 * others or the largest of them, if that is more. */
static void bound_lost(const ws_metered_channel *c, double most_w, ws_open *gaps)
{
    const ws_channel_summary *r = &c->summary;
    double of_energies_j = r->usual_s > 0 ? r->lost_s / r->usual_s * c->meter.max : 0;
    gaps->hi_j += is_power(c) ? most_w * r->lost_s : fmax(2 * r->lost_j, of_energies_j);
}

/* While readings stand still or have failed, the device may have drawn anything that it can; one that never moves may
 * have been idle at less, too. */
static void bound_standstill(const ws_measure *m, const ws_metered_channel *c, double most_w, ws_open *gaps)
{
    const ws_device *d = &m->devices[c->device];
    const ws_channel_summary *r = &c->summary;
    ws_standstill_sum still = ws_untrusted_standstill(m, d, c);
    double still_s = (double)still.ns / 1e9, least_w = fmax(0, r->least_w);
    if (ws_is_stuck_throughout(m, d, c)) {
        still_s = r->duration_s;
        still.energy_j = r->energy_j;
        least_w = 0;
    }
    gaps->lo_j += fmin(0, least_w * still_s - still.energy_j) - ws_brief_standstills_j(c);
    gaps->hi_j += ws_brief_standstills_j(c) + fmax(0, most_w * still_s - still.energy_j) +
                  most_w * (ws_failed_zeros_s(d, c) + ws_failed_lows_s(d, c));
}

/* Readings that the device cannot have may add nothing, and those below zero may have been any. Counters have a bound
 * of their own. */
static void bound_distrusted(const ws_measure *m, const ws_metered_channel *c, double most_w, ws_budget *b)
{
    ws_open *gaps = &b->of[WS_COMPONENT_GAPS];
    const ws_device *d = &m->devices[c->device];
    if (c->meter.rule != WS_RULE_COUNTER) {
        gaps->lo_j -= fmax(0, ws_odd_joules(c)) + ws_repeated_joules(c) + (is_power(c) ? ws_sentinel_joules(d, c) : 0);
        gaps->hi_j += ws_negative_joules(c);
    }
    bound_lost(c, most_w, gaps);
    if (!is_power(c))
        return;
    bound_standstill(m, c, most_w, gaps);
    double u_j = b->of[WS_COMPONENT_SENSOR].u_j;
    gaps->hi_j += d->energy == c && ws_is_too_low(m, d) ? 999 * (c->summary.energy_j + WS_COVER_95 * u_j)
                                                        : ws_kilowatts_missing_j(m, d, c);
}

/* What the readings leave out of a window. Without one the run may have begun up to an interval before the first
 * reading and ended up to one after the last. */
static void bound_edges(const ws_metered_channel *c, ws_budget *b)
{
    const ws_channel_summary *r = &c->summary;
    const ws_meter_options *o = &c->meter.options;
    double open_s = r->before_s + r->behind_s, held_j = 0;
    int ends = c->meter.rule == WS_RULE_RECTANGLE || c->meter.rule == WS_RULE_INTERVAL ? 1 : 2;
    if (o->has_window && o->edges == WS_EDGES_HOLD && is_power(c))
        held_j = r->before_s * c->meter.first_value + r->behind_s * c->meter.last_value;
    if (o->has_window)
        ws_budget_leave_out(b, open_s, r->least_w, r->most_w);
    else if (is_power(c) || c->meter.rule == WS_RULE_COUNTER)
        ws_budget_leave_out(b, ends * r->usual_s, 0, r->most_w);
    else if (c->meter.rule == WS_RULE_INTERVAL)
        b->of[WS_COMPONENT_EDGES].hi_j += fmax(0, c->meter.max);
    b->of[WS_COMPONENT_EDGES].hi_j += c->unread_s * fmax(2 * fabs(r->mean), r->most_w); /* mostly NaN for energies */
    b->of[WS_COMPONENT_EDGES].lo_j -= held_j;
    b->of[WS_COMPONENT_EDGES].hi_j -= held_j;
}

/* A step forward may have been no time at all, a step back hides the interval in which it happened, and a reading that
 * is left out hides its own. Counters know better. */
static void bound_clock(const ws_metered_channel *c, ws_budget *b)
{
    const ws_channel_summary *r = &c->summary;
    if (!is_power(c))
        return;
    if (b->of[WS_COMPONENT_GAPS].hi_j > b->of[WS_COMPONENT_GAPS].lo_j)
        b->of[WS_COMPONENT_CLOCK].lo_j -= fmax(0, r->least_w) * r->long_gap_s;
    b->of[WS_COMPONENT_CLOCK].lo_j -= r->late_j;
    uint64_t hidden = c->meter.back_steps.count + (c->order ? ws_order_missing(c->order) : 0);
    b->of[WS_COMPONENT_CLOCK].hi_j += (double)hidden * r->usual_s * fmax(0, r->most_w);
}

/* J. What a counter counts by, if it stands still between its rises: of a plug that counts 0.01 kWh the first and the
 * last reading are up to one count late. 0: it moves with every reading, whose time bounds it, or it is stuck. */
static double count_of(const ws_metered_channel *c)
{
    const ws_meter *m = &c->meter;
    bool stands_still = m->still.lead_n || m->still.n_ended || m->still.brief.n || m->still.n;
    bool is_stuck = c->summary.still_s > 0 || c->summary.stall_j > 0;
    return stands_still && !is_stuck ? m->still.least_rise_j : 0;
}

/* A leap that no device makes may be none, and a counter that stands still hides what the device can draw. */
static void bound_counter(const ws_metered_channel *c, double most_w, ws_budget *b)
{
    const ws_channel_summary *r = &c->summary;
    if (c->meter.rule != WS_RULE_COUNTER)
        return;
    double count_j = count_of(c);
    b->of[WS_COMPONENT_COUNTER].lo_j =
        -fmax(0, ws_total_value(&c->limits.odd.sum, WS_PARTS)) - r->unlike_wraps_j - fmin(count_j, fabs(r->energy_j));
    double stall_s = r->stall_j > 0 ? r->stall_s : 0;
    b->of[WS_COMPONENT_COUNTER].hi_j =
        r->hidden_j + r->wider_range_j + r->reset_j + r->still_s * most_w + stall_s * most_w + count_j;
}

/* The power goes further up and down than readings do that are means over a second: up to 1.75 times as far (by trial),
 * and no further than the device can draw. */
static double sampling_u_j(const ws_metered_channel *c, const sensor_open *sensor, double most_w)
{
    static const double beyond = 1.75;
    const ws_channel_summary *r = &c->summary;
    double range_w = fmin(most_w - r->least_w, beyond * (r->most_w - r->least_w));
    bool may_be_slow = isnan(sensor->window_s) && c->channel.domain != WS_GPU; /* of GPUs none is known that is */
    ws_sampled_power power = {r->sd, sensor->lag_s, range_w, may_be_slow};
    return ws_sampling_u_j(&c->sampling, r->long_ns, &power);
}

static void find_budget(const sensor_facts *facts, ws_metered_channel *c, double most_w)
{
    ws_channel_summary *r = &c->summary;
    sensor_open sensor = open_of_sensor(facts, &c->channel);
    c->budget = (ws_budget){0};
    c->window_s = is_power(c) ? sensor.window_s : NAN;
    c->board_w = is_power(c) ? ws_board_power_w(fact_of(facts, &c->channel, model_key)) : NAN;
    if (isnan(r->energy_j))
        return;
    if (ws_is_sampled(c))
        c->budget.of[WS_COMPONENT_SAMPLING].u_j = sampling_u_j(c, &sensor, most_w);
    c->budget.of[WS_COMPONENT_SENSOR].u_j = sensor.gain_u * fabs(r->energy_j);
    bound_gaps(c, most_w, &c->budget);
    bound_distrusted(facts->m, c, most_w, &c->budget);
    bound_edges(c, &c->budget);
    bound_clock(c, &c->budget);
    bound_counter(c, most_w, &c->budget);
}

void ws_measure_bound_rest(ws_metered_channel *c, double time_s)
{
    ws_channel_summary *r = &c->summary;
    c->short_s = time_s;
    ws_budget_leave_out(&c->budget, time_s, r->least_w, r->most_w);
    ws_budget_interval(&c->budget, r->energy_j, &r->energy_lo_j, &r->energy_hi_j);
}

/* --- what devices can draw --- */

/* W, where no limit is known: what most devices of the domain draw at most; 0: nothing is known. */
static const double usual_most_w[WS_DOMAIN_N] = {[WS_GPU] = WS_GPU_USUAL_MOST_W, [WS_CPU] = WS_PACKAGE_USUAL_MOST_W};

/* But not more than so many times its lowest reading: cards idle at a tenth (A100: 50 of 400 W) to a thirtieth (RTX
 * 4090: 15 of 450 W) of their limit. Ours. */
static const double most_over_idle = 30;

typedef struct ranges {
    double *limit_w;            /* of each device; 0: not known */
    double most_w[WS_DOMAIN_N]; /* of any reading */
} ranges;

static void find_ranges(const ws_measure *m, ranges *r)
{
    *r = (ranges){.limit_w = ws_alloc((m->n_devices + 1) * sizeof(double))};
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        double *most = c->channel.quantity == WS_POWER_LIMIT           ? &r->limit_w[c->device]
                       : ws_quantity_gives_energy(c->channel.quantity) ? &r->most_w[c->channel.domain]
                                                                       : NULL;
        double w = c->channel.quantity == WS_POWER_LIMIT ? c->summary.max : c->summary.most_w;
        if (most)
            *most = fmax(*most, w);
    }
}

static double range_of(const ws_metered_channel *c)
{
    double usual = usual_most_w[c->channel.domain], least_w = c->summary.least_w;
    return least_w > 0 ? fmin(usual, most_over_idle * least_w) : usual;
}

static double most_of(const ranges *r, const ws_metered_channel *c)
{
    double own = r->limit_w[c->device] > 0 ? r->limit_w[c->device] : range_of(c);
    return fmax(fmax(c->summary.most_w, r->most_w[c->channel.domain]), own);
}

void ws_measure_find_budgets(ws_measure *m)
{
    ranges r;
    sensor_facts facts = index_facts(m);
    find_ranges(m, &r);
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        if (!ws_quantity_gives_energy(c->channel.quantity))
            continue;
        find_budget(&facts, c, most_of(&r, c));
        ws_budget_interval(&c->budget, c->summary.energy_j, &c->summary.energy_lo_j, &c->summary.energy_hi_j);
    }
    free(r.limit_w);
    ws_name_index_free(&facts.index);
}
