#include "analyze/measure/uncertainty.h"

#include "analyze/measure/meter_internal.h"
#include "analyze/measure/stakes.h"
#include "core/device_limits.h"
#include "core/name_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what may lie between samples --- */

/* From this interval on a load may be shorter than the interval; below, iterations of a training are seen. */
static const double load_s = 1;

/* Iterations repeat: where an interval is shorter than this, the places of their steps in it are spread more evenly
 * than by chance, down to half of the variance. */
static const double even_s = 0.5;

/* Of the power's variance: what hides in a load in step with the samples, which then looks steady. */
static const double hidden_share = 0.23, slow_hidden_share = 0.12;

/* Of the time between refreshes nothing is seen. Smooth powers are met better than steps, and few refreshes say less of
 * what a load does. Found by trial, as the share that hides in step. */
static double slow_variance(const ws_sampling *s, double squares, double cancels, double roughness)
{
    double few = 1 + 8 / (double)s->steps, rough = 0.5 + 0.5 * roughness;
    return few * rough * (squares + 6 * cancels) / 12;
}

/* How often a fast sensor is refreshed; so much of its lag is no window. */
static const double usual_refresh_s = 0.1;

/* A mean over a window moves by no more than the range of the power times the time between two means over the window:
 * how far the readings of a sensor lag that is not better known, half of the longest window that their steepest step
 * leaves, and a refresh. */
static double lag_of(const ws_sampling_sums *t, const ws_sampled_power *power, double refresh_s)
{
    double window_s = t->step_w > 0 ? power->range_w * refresh_s / t->step_w : INFINITY;
    return fmin(power->lag_s, window_s / 2 + usual_refresh_s);
}

/* The squares of the steps of the power a second, W^2/s: how many there are the readings tell, whose neighbours rise
 * together where a window spreads each step over several. */
static double steps_per_s(const ws_sampling_sums *t, double lag_s)
{
    double usual_s = t->time_s / t->intervals, alike = t->squares > 0 ? fmax(0, t->products / t->squares) : 0;
    double spread = fmin(fmax(1, 2 * lag_s / usual_s), (1 + alike) / fmax(1e-3, 1 - alike));
    return t->squares * spread / (usual_s * usual_s * t->time_s);
}

/* The lag shifts the trace: its ends count, and what the power did within the window before each of them, of which a
 * mean tells less. A step of A at a random place of a window of 2 L leaves A^2 L^2 / 30 open. late_s: a sensor that is
 * read no more often than it is refreshed shows values that are as old. */
static double lag_variance(double lag_s, double late_s, double rise_w, double per_s)
{
    return (lag_s + late_s) * (lag_s + late_s) * rise_w * rise_w / 3 + 4 * lag_s * lag_s * lag_s * per_s / 30;
}

/* A slow sensor that is read at its own pace shows no value twice, and nothing tells it from a fast one that is read
 * rarely: what nobody knows more of may be late by so much of the interval beyond a second. By trial. */
static const double late_share = 1.25, in_time_s = 1;

static double late_by(const ws_sampled_power *power, double usual_s)
{
    return power->may_be_slow ? late_share * fmax(0, usual_s - in_time_s) : 0;
}

/* Between a refresh and the reading that shows it time goes by, which differs from step to step where the two have
 * paces of their own: a step of A is shown late by up to a refresh, however many readings a window spreads it over. A
 * sensor that shows a value for some rows tells its refresh, which is in `held` already. */
static double refresh_variance(const ws_sampling_sums *t, double per_s, double usual_s, double held)
{
    double refresh_s = fmin(usual_refresh_s, usual_s) / held;
    return per_s * t->time_s * refresh_s * refresh_s / 12;
}

/* Of the time between two samples a mean over a window has seen the share s. It spreads a step of A over both intervals
 * that meet in the window: their squares come to A^2 (1 - s / 3), their product to A^2 s / 6, which is the correlation
 * a = s / (6 - 2 s) of neighbouring steps; and the trapezoid is off by a uniform error of (1 - s) A at most in place of
 * A: (1 - s)^2 of the variance. So the squares leave open (1 - s)^2 / (1 - s / 3) of what those of points do. Powers
 * that rise steadily under a noise look alike: at least a twentieth. Intervals of twice the window that the lag leaves
 * show nothing of it: the same products come of a longer one, whose lag nobody knows; and few readings prove nothing.
 */
static double unseen_by(const ws_sampling_sums *t, double lag_s, double refresh_s)
{
    static const double least = 0.05;
    double alike = t->squares > 0 ? fmax(0, 1 - 8 / t->intervals) * fmax(0, t->products / t->squares) : 0;
    double window_s = fmax(0, 2 * (lag_s - usual_refresh_s));
    double most = window_s > 0 ? fmax(0, fmin(1, 2 - refresh_s / window_s)) : 0;
    double seen = fmin(most, 6 * alike / (1 + 2 * alike));
    return fmax(least, (1 - seen) * (1 - seen) / (1 - seen / 3));
}

/* Where samples are seconds apart, phases of the load are, too, and what the formula takes for the worst is rare: less
 * of the variance from a second on, a third of it at 5 s. Found by trial. */
static double rarely(double usual_s)
{
    return 1 - 0.32 * fmax(0, fmin(1, log(usual_s) / log(5)));
}

double ws_sampling_u_j(const ws_sampling *s, int64_t long_ns, const ws_sampled_power *power)
{
    const ws_sampling_sums t = ws_sampling_sum(s, long_ns);
    if (!(t.intervals > 0) || !(t.time_s > 0))
        return 0;
    double usual_s = t.usual_s, slow = t.slow_rows, held = t.held_rows, rows = fmax(1, slow);
    double spread = power->sd_w > 0 ? power->sd_w * power->sd_w : 0;
    double roughness = spread > 0 ? fmin(1, rows * t.squares / (t.intervals * usual_s * usual_s * spread)) : 0;
    double short_loads = fmin(1, held * usual_s / load_s);
    double cancels = fmin(fmax(0, -(slow > 0 ? t.chained : t.products)), t.squares / 2);
    double share = slow > 0 ? slow_hidden_share : hidden_share;
    double hidden = share * short_loads * spread * rows * usual_s * t.time_s * pow(roughness, 3);
    double rise_w = s->last_inside - s->first_inside;
    if (slow > 0) {
        double variance = slow_variance(s, slow * slow * t.squares, slow * slow * cancels, roughness);
        double lag_j = hypot(power->lag_s / sqrt(3), slow * usual_s / 2) * rise_w;
        return sqrt(variance + lag_j * lag_j + hidden);
    }
    double chance = 0.5 + 0.5 * fmin(1, held * usual_s / even_s);
    double variance = held * held * chance * (t.squares + 12 * short_loads * cancels) / 12;
    double lag_s = lag_of(&t, power, held * usual_s), unseen = unseen_by(&t, lag_s, held * usual_s);
    double per_s = steps_per_s(&t, lag_s), lag = lag_variance(lag_s, late_by(power, usual_s), rise_w, per_s);
    double refresh = chance * refresh_variance(&t, per_s, usual_s, held);
    return sqrt(rarely(usual_s) * unseen * (variance + hidden) + lag + refresh);
}

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
    return ws_sampling_u_j(&c->watch->sampling, r->long_ns, &power);
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
