/* After the last sample: the summaries of the channels, the device of each, the energy that counts of a device's
 * channels, and what their readings beside each other cast doubt on. */
#include "analyze/measure/measure.h"

#include "analyze/measure/meter_internal.h"
#include "analyze/measure/repeated_time.h"
#include "analyze/measure/slices.h"
#include "analyze/measure/sum_devices.h"
#include "analyze/measure/stakes.h"
#include "analyze/measure/fed_devices.h"
#include "analyze/measure/uncertainty.h"
#include "analyze/measure/power_stakes.h"
#include "core/name_index.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the devices and their energies --- */

/* Which channel gives a device its energy? Among those with readings, the lowest rank, then the lowest preference, then
 * the first channel. A negative rank: the channel cannot give energy, or not by the rule that was asked for. */
static int rank_by_rule(ws_rule asked, const ws_channel *c)
{
    bool power = c->quantity == WS_POWER, counter = c->quantity == WS_ENERGY_COUNTER;
    switch (asked) {
    case WS_RULE_COUNTER:
        return counter ? 0 : -1;
    case WS_RULE_INTERVAL:
        return c->rule == WS_RULE_INTERVAL || c->rule == WS_RULE_GIVEN ? 0 : -1;
    case WS_RULE_GIVEN:
        return c->rule == WS_RULE_GIVEN ? 0 : -1;
    case WS_RULE_TRAPEZOID:
    case WS_RULE_RECTANGLE:
    case WS_RULE_MEAN_TIMES_TIME:
        return power ? 0 : -1;
    case WS_RULE_PERUN:
        return power && c->rule == WS_RULE_TRAPEZOID ? 0 : counter ? 1 : 2;
    default:
        return counter ? 0 : power ? 3 : c->rule == WS_RULE_INTERVAL ? 1 : 2;
    }
}

static int energy_rank(const ws_measure_options *o, const ws_metered_channel *c)
{
    enum { AFTER_ALL_OTHERS = 100 };
    if (!ws_quantity_gives_energy(c->channel.quantity) || (o->column && strcmp(o->column, c->channel.column) != 0))
        return -1;
    int rank = rank_by_rule(o->rule, &c->channel);
    return rank >= 0 && c->channel.preference >= WS_DOUBTFUL ? rank + AFTER_ALL_OTHERS : rank;
}

/* Some drivers write [N/A] into one power column and watts into the next. */
static bool has_readings(const ws_metered_channel *c)
{
    return c->summary.samples > 1 || !isnan(c->summary.energy_j);
}

/* Of two channels that can give the energy. */
static bool is_preferred(const ws_measure_options *o, const ws_metered_channel *a, const ws_metered_channel *b)
{
    int rank_a = energy_rank(o, a), rank_b = energy_rank(o, b);
    return rank_a != rank_b ? rank_a < rank_b : a->channel.preference < b->channel.preference;
}

/* A running total that stands still while the power beside it has joules: a meter that counts in hundredths of a kWh,
 * in a log of minutes. */
static bool is_too_coarse(const ws_measure_options *o, const ws_metered_channel *c, const ws_metered_channel *beside)
{
    return o->rule == WS_RULE_NONE && c->channel.quantity == WS_ENERGY_COUNTER && c->summary.energy_j == 0 &&
           c->summary.status == WS_STATUS_OK && beside->channel.quantity == WS_POWER && beside->summary.energy_j > 0;
}

static bool beats(const ws_measure_options *o, const ws_metered_channel *a, const ws_metered_channel *b)
{
    bool a_can = energy_rank(o, a) >= 0, b_can = b && energy_rank(o, b) >= 0;
    if (!a_can || !b_can)
        return a_can;
    if (has_readings(a) != has_readings(b))
        return has_readings(a);
    if (is_too_coarse(o, a, b) || is_too_coarse(o, b, a))
        return is_too_coarse(o, b, a);
    return is_preferred(o, a, b);
}

/* The channel whose device is looked for. */
typedef struct device_search {
    const ws_measure *m;
    const ws_metered_channel *of;
} device_search;

static bool is_device_of(const void *state, size_t place)
{
    const device_search *s = state;
    const ws_device *d = &s->m->devices[place];
    const ws_channel *ch = &s->of->channel;
    return d->domain == ch->domain && strcmp(d->device, ch->device) == 0 && strcmp(d->node, ch->node) == 0 &&
           strcmp(d->run, ch->run) == 0 && strcmp(d->source, s->of->source) == 0;
}

static size_t find_device(ws_measure *m, const ws_metered_channel *c, ws_name_index *known)
{
    const ws_channel *ch = &c->channel;
    const device_search search = {m, c};
    if (m->n_devices && is_device_of(&search, m->n_devices - 1)) /* channels of a device mostly follow each other */
        return m->n_devices - 1;
    const char *const names[] = {ch->device, ch->node, ch->run, c->source};
    uint64_t hash = (uint64_t)ch->domain + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        hash = ws_name_hash(hash, names[i]);
    size_t place = ws_name_find(known, hash, is_device_of, &search);
    if (place != WS_NO_PLACE)
        return place;
    ws_name_add(known, hash, m->n_devices);
    m->devices = ws_grow(m->devices, &m->device_capacity, m->n_devices + 1, sizeof *m->devices);
    m->devices[m->n_devices] = (ws_device){.baseline_w = NAN,
                                           .source = c->source,
                                           .run = ch->run,
                                           .node = ch->node,
                                           .device = ch->device,
                                           .device_id = ch->device_id,
                                           .identity = ch->identity,
                                           .domain = ch->domain};
    return m->n_devices++;
}

static void take_if_better(const ws_metered_channel **slot, const ws_metered_channel *c)
{
    bool has_any = c->summary.samples > 0, slot_has_any = *slot && (*slot)->summary.samples > 0;
    if (!*slot || has_any > slot_has_any ||
        (has_any == slot_has_any && c->channel.preference < (*slot)->channel.preference))
        *slot = c;
}

static bool has_more_rows(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return a->summary.samples + a->summary.missing > b->summary.samples + b->summary.missing;
}

static void add_to_device(const ws_measure_options *o, ws_device *d, const ws_metered_channel *c)
{
    d->is_metered |= ws_quantity_gives_energy(c->channel.quantity);
    if (beats(o, c, d->energy))
        d->energy = c;
    if (!d->longest || has_more_rows(c, d->longest))
        d->longest = c;
    switch (c->channel.quantity) {
    case WS_UTIL:
        take_if_better(&d->util, c);
        break;
    case WS_MEM_UTIL:
        take_if_better(&d->mem_util, c);
        break;
    case WS_MEM_USED:
        take_if_better(&d->mem_used, c);
        break;
    case WS_CLOCK:
        take_if_better(&d->clock, c);
        break;
    case WS_TEMPERATURE:
        take_if_better(&d->temperature, c);
        break;
    default:
        break;
    }
}

/* Of each device. */
static void list_channels(ws_measure *m)
{
    size_t *next = ws_alloc((m->n_channels + 1) * sizeof *next);
    free(m->places);
    m->places = next;
    for (size_t i = 0; i < m->n_channels; i++)
        m->devices[m->channels[i].device].n_channels++;
    for (size_t i = 0; i < m->n_devices; i++) {
        m->devices[i].channels = next;
        next += m->devices[i].n_channels;
        m->devices[i].n_channels = 0;
    }
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_device *d = &m->devices[m->channels[i].device];
        m->places[(size_t)(d->channels - m->places) + d->n_channels++] = i;
    }
}

/* Its power was 0 W in as many readings as the counter stood still for, and means the same energy, as of a plug whose
 * load is switched off. A counter that is stuck falls behind its device's power, but for one that was derived of it, as
 * perun does under the counter's name; the limit is ours. */
static bool was_off(const ws_metered_channel *counter, const ws_metered_channel *power)
{
    static const double same_energy = 0.02;
    const ws_channel_summary *r = &counter->summary, *of_power = &power->summary;
    bool is_derived = strcmp(power->channel.column, counter->channel.column) == 0;
    return power->channel.quantity == WS_POWER && !power->channel.ask && !is_derived &&
           power->meter.zeros.count >= r->still_n &&
           fabs(of_power->energy_j - r->energy_j) <= same_energy * r->energy_j;
}

static bool has_meter(const ws_measure *m)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].domain == WS_NODE || m->devices[i].domain == WS_WALL)
            return true;
    return false;
}

static void find_switched_off(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        const ws_device *d = &m->devices[c->device];
        for (size_t k = 0; c->summary.still_s > 0 && k < d->n_channels; k++)
            if (was_off(c, &m->channels[d->channels[k]]))
                ws_summary_was_off(&c->meter, &c->summary);
    }
}

/* With all_channels, every other energy channel of a device gets an entry at the end of the list. */
static void add_alternatives(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        if (energy_rank(&m->options, c) < 0)
            continue;
        ws_device other = m->devices[c->device];
        if (other.energy == c)
            continue;
        other.energy = c;
        other.is_alternative = true;
        m->devices = ws_grow(m->devices, &m->device_capacity, m->n_devices + 1, sizeof *m->devices);
        m->devices[m->n_devices++] = other;
    }
}

static const char *label_of(const ws_metered_channel *c, char *buffer, size_t size)
{
    if (!*c->channel.run && !*c->channel.node)
        return c->channel.device;
    snprintf(buffer, size, "%s%s%s%s%s", c->channel.run, *c->channel.run ? " " : "", c->channel.node,
             *c->channel.node ? " " : "", c->channel.device);
    return buffer;
}

static bool is_stood_in_for(const ws_measure_options *o, const ws_device *d, const ws_metered_channel *c)
{
    return d->energy && d->energy != c && !c->summary.samples && c->summary.missing && has_readings(d->energy) &&
           energy_rank(o, c) >= 0 && is_preferred(o, c, d->energy);
}

static void note_channel(const ws_measure *m, const ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    char buffer[400];
    const char *label = label_of(c, buffer, sizeof buffer);
    bool shown = m->options.all_channels || d->energy == c || (!d->energy && d->longest == c);
    if (shown)
        ws_meter_notes(&c->meter, &c->summary, c->source, label, notes);
    if (shown)
        ws_limits_notes(&c->limits, c->source, label, notes);
    if (shown)
        ws_notes_add_many(notes, c->glitch.seen.count, WS_FINDING_COUNTER_GLITCH, c->source, label, c->glitch.seen.line,
                          "the counter jumps away and comes back within %d readings: they are left out as missing",
                          WS_GLITCH_READINGS);
    if (shown && c->order)
        ws_order_notes(c->order, c->source, label, notes);
    if (shown && c->asks_back_steps)
        ws_note_asked_back_steps(c, label, notes);
    if (is_stood_in_for(&m->options, d, c))
        ws_notes_add(notes, WS_FINDING_DEAD_COLUMN, c->source, label, 0,
                     "'%s' has no reading in any row: '%s' stands in for it", c->channel.column,
                     d->energy->channel.column);
    if (d->energy && d->energy != c && is_too_coarse(&m->options, c, d->energy))
        ws_notes_add(notes, WS_FINDING_DEAD_COLUMN, c->source, label, 0,
                     "'%s' never rises, so that it counts too coarsely or not at all: '%s' stands in for it",
                     c->channel.column, d->energy->channel.column);
    if (d->energy != c || c->channel.time != WS_TIME_NONE)
        return;
    if (c->channel.rule == WS_RULE_GIVEN)
        ws_notes_add(notes, WS_FINDING_TOTAL_WITHOUT_TIME, c->source, c->channel.device, 0,
                     "the file holds a total and not the time that it took, so there is no mean power");
    else
        ws_notes_add_most(
            notes, 1, WS_FINDING_NO_TIME, c->source, "", 0,
            "the file holds no time, so there is no energy (--period SECONDS states the sampling period)");
}

static void read_meter(ws_metered_channel *c, ws_back_steps policy)
{
    ws_meter_read(&c->meter, &c->summary);
    const ws_channel_summary *r = &c->summary;
    if (c->channel.quantity == WS_POWER) /* each reading as long as any other */
        ws_limits_settle(&c->limits, r->plain_mean * (double)r->samples, (double)r->samples, r->samples);
    else
        ws_limits_settle(&c->limits, r->energy_j, r->duration_s, r->samples);
    c->summary.missing += c->order ? ws_order_missing(c->order) : 0;
    c->asks_back_steps = c->meter.n_rising && !c->channel.ask && policy != WS_BACK_KEEP && ws_asks_back_steps(c);
    if (c->asks_back_steps)
        c->channel.ask = WS_ASK_BACK_STEPS;
    if (c->channel.ask && ws_quantity_gives_energy(c->channel.quantity)) {
        c->summary.energy_j = c->summary.energy_lo_j = c->summary.energy_hi_j = c->summary.mean = NAN;
        c->summary.status = ws_question_status(c->channel.ask);
    }
    if (c->channel.assumed && !c->channel.ask && c->summary.status == WS_STATUS_OK)
        c->summary.status = c->channel.assumed;
}

/* --- devices that end before their neighbours --- */

/* A device is too short if its readings leave out more than both of these at either end of the time that its run
 * covers. */
static const double usual_intervals = 3, share_of_file = 0.01;

typedef struct stretch {
    int64_t start_ns, end_ns;
} stretch;

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return (double)((uint64_t)to_ns - (uint64_t)from_ns) / 1e9;
}

static stretch both(stretch a, stretch b)
{
    return (stretch){a.start_ns < b.start_ns ? a.start_ns : b.start_ns, a.end_ns > b.end_ns ? a.end_ns : b.end_ns};
}

static bool has_stretch(const ws_metered_channel *c)
{
    return ws_quantity_gives_energy(c->channel.quantity) && c->meter.has_last && c->channel.time != WS_TIME_NONE &&
           c->meter.rule != WS_RULE_GIVEN;
}

/* A clock that steps back may end earlier than it began. */
static stretch stretch_of(const ws_metered_channel *c)
{
    int64_t start_ns = ws_meter_start_ns(&c->meter);
    stretch first = {start_ns, start_ns}, last = {c->meter.last_t, c->meter.last_t};
    return both(first, last);
}

static bool is_beside(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->channel.run, b->channel.run) == 0;
}

/* The time covered by the channels of one source and run, which are adjacent and begin with `from`. *next gets the
 * first channel of the following run. */
static stretch cover(const ws_measure *m, size_t from, size_t *next)
{
    stretch all = {INT64_MAX, INT64_MIN};
    size_t i = from;
    for (; i < m->n_channels && is_beside(&m->channels[from], &m->channels[i]); i++) {
        if (has_stretch(&m->channels[i]))
            all = both(all, stretch_of(&m->channels[i]));
    }
    *next = i;
    return all;
}

static void judge_channel(ws_measure *m, ws_metered_channel *c, stretch all, ws_notes *notes)
{
    stretch own = stretch_of(c);
    double before = seconds(all.start_ns, own.start_ns), behind = seconds(own.end_ns, all.end_ns);
    double covered = seconds(own.start_ns, own.end_ns), whole = seconds(all.start_ns, all.end_ns);
    double usual = covered / (double)(c->summary.samples - 1);
    if (!(fmax(before, behind) > fmax(usual_intervals * usual, share_of_file * whole)))
        return;
    if (notes)
        ws_notes_add(
            notes, WS_FINDING_SHORT_TRACE, c->source, c->channel.device, 0,
            "its readings cover %.6g s of the %.6g s that the file covers (%.6g s are missing at the start, %.6g s at "
            "the end), and so does its energy",
            covered, whole, before, behind);
    if (ws_energy_status_gives_way(c->summary.status))
        c->summary.status = WS_STATUS_SHORT_TRACE;
    if (m->options.meter.has_window) /* what it lacks of the window is counted */
        return;
    ws_stake_add(&m->devices[c->device].stake, &m->options.verdict, WS_FINDING_SHORT_TRACE,
                 (before + behind) * fabs(c->summary.mean));
    ws_measure_bound_rest(c, before + behind);
}

/* A device whose readings end before those of its neighbours in the same file, because it failed or its column did,
 * gets the status "short-trace", unless it has a more serious one, and the note of that name. */
static void judge_ends(ws_measure *m, ws_notes *notes)
{
    size_t next;
    for (size_t from = 0; from < m->n_channels; from = next) {
        stretch all = cover(m, from, &next);
        for (size_t i = from; i < next; i++) {
            ws_metered_channel *c = &m->channels[i];
            if (m->devices[c->device].energy == c && has_stretch(c) && !isnan(c->summary.energy_j) &&
                c->summary.samples > 1)
                judge_channel(m, c, all, notes);
        }
    }
}

/* --- powers that cannot be right --- */

/* More than this part of a device's energy has to lie in powers that no device draws before its status says so: a
 * single spike in a long log is noted alone. */
static const double implausible_share = 0.01;

/* Also where powers below zero outweigh the others. */
static bool has_wrong_powers(const ws_measure *m, const ws_device *d, const ws_metered_channel *c)
{
    if (ws_kilowatts_missing_j(m, d, c) > implausible_share * c->summary.energy_j)
        return true;
    double odd_s = c->summary.duration_s / (double)c->summary.samples * (double)c->limits.odd.seen.count;
    return c->summary.energy_j < 0 ||
           (c->limits.odd.seen.count && c->limits.odd.most_w * odd_s > implausible_share * c->summary.energy_j);
}

static void judge_powers(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        const ws_device *d = &m->devices[c->device];
        if (d->energy != c || c->channel.quantity != WS_POWER || isnan(c->summary.energy_j))
            continue;
        if ((has_wrong_powers(m, d, c) || ws_is_too_low(m, d)) && ws_energy_status_gives_way(c->summary.status))
            c->summary.status = WS_STATUS_IMPLAUSIBLE_POWER;
    }
}

void ws_measure_finish(ws_measure *m, ws_notes *notes)
{
    ws_name_index known = {0};
    ws_measure_flush(m);
    ws_measure_cut_fingerprints(m);
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_metered_channel *c = &m->channels[i];
        read_meter(c, m->options.back_steps);
        c->device = find_device(m, c, &known);
        add_to_device(&m->options, &m->devices[c->device], c);
    }
    ws_name_index_free(&known);
    list_channels(m);
    find_switched_off(m);
    if (has_meter(m))
        ws_measure_find_fed(m);
    ws_measure_find_unread(m, notes);
    ws_measure_find_budgets(m);
    ws_measure_find_stakes(m, notes);
    for (size_t i = 0; notes && i < m->n_channels; i++)
        note_channel(m, &m->devices[m->channels[i].device], &m->channels[i], notes);
    judge_ends(m, notes);
    judge_powers(m);
    if (m->n_devices > 1) {
        ws_measure_find_duplicates_inside(m, notes);
        ws_measure_find_sum_devices(m, notes);
        ws_measure_find_overlaps(m);
    }
    if (m->options.all_channels)
        add_alternatives(m);
}
