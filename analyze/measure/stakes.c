/* Which joules a finding puts at stake. Each is bounded from above where the readings allow it; where they do not, by
 * the mean power of the device. docs/findings.md explains each code. */
#include "analyze/measure/stakes.h"
#include "analyze/measure/repeated_time.h"
#include "analyze/measure/sources.h"
#include "analyze/measure/power_stakes.h"

#include <math.h>
#include <string.h>

/* --- what a reader has noted --- */

/* What a reader has noted about a source touches the energies of all its devices. */
static const ws_finding of_source[] = {WS_FINDING_DOUBTFUL_UNIT, WS_FINDING_OVERLAPPING_WINDOW,
                                       WS_FINDING_REPEATED_ZONE, WS_FINDING_SAME_DEVICE, WS_FINDING_SHARED_STAMPS};

static bool is_of_source(ws_finding finding)
{
    for (size_t i = 0; i < sizeof of_source / sizeof *of_source; i++)
        if (of_source[i] == finding)
            return true;
    return false;
}

static void stake_source(ws_measure *m, const ws_note *note)
{
    for (size_t i = 0; i < m->n_devices; i++)
        if (strcmp(m->devices[i].source, note->source) == 0)
            ws_device_stake(&m->devices[i], m, note->finding, NAN);
}

/* A column without a quantity whose readings are whole numbers of up to 100 may be a utilisation as well. */
static const double most_of_percent = 100;

static void stake_percent(ws_measure *m, const ws_note *note)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        bool is_it = strcmp(d->source, note->source) == 0 && d->domain == WS_GPU && d->energy && !d->util &&
                     ws_gives_powers(d->energy);
        if (is_it && d->energy->summary.min >= 0 && d->energy->summary.max <= most_of_percent &&
            ws_readings_step_w(d->energy) == 1)
            ws_device_stake(d, m, WS_FINDING_ASSUMED_POWER, NAN);
    }
}

/* --- what readings tell --- */

/* Readings that no device has count with all that they add to the energy. */
double ws_odd_joules(const ws_metered_channel *c)
{
    double sum = ws_total_value(&c->limits.odd.sum, WS_PARTS);
    return ws_gives_powers(c) ? sum * ws_usual_s(c) : sum;
}

/* A power below zero may have been any that the device draws. */
double ws_negative_joules(const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    double each_j = ws_gives_powers(c) ? (fabs(r->min) + fabs(r->mean)) * ws_usual_s(c) : fabs(c->meter.min);
    return c->meter.negatives.count ? (double)c->meter.negatives.count * each_j : 0;
}

/* Where readings are energies of their intervals, a missing one is missing in the sum. Between powers and between
 * readings of a counter the time is bridged, and a long gap tells. */
static double missing_joules(const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    bool is_lost = c->meter.rule == WS_RULE_INTERVAL && r->samples;
    return is_lost ? (double)r->missing * fabs(r->energy_j) / (double)r->samples : 0;
}

/* A counter that jumps more than once, in more than one of so many readings, is not one counter. Ours. */
static const double rare_glitch = 20;

static double glitch_joules(const ws_metered_channel *c)
{
    double readings = (double)(c->summary.samples + c->summary.missing), jumps = (double)c->glitch.seen.count;
    bool is_rare = jumps <= 1 || jumps * rare_glitch <= readings;
    return is_rare ? 0 : INFINITY;
}

/* Rows that were written twice. Where most readings under a stamp that comes again differ, they share a second. */
double ws_repeated_joules(const ws_metered_channel *c)
{
    bool are_copies = 2 * c->meter.again.count > c->meter.duplicates.count;
    return are_copies ? ws_total_value(&c->meter.again_j, WS_PARTS) : 0;
}

/* The step has no length, and its energy is that of about one interval: less in none, and a counter knows it. */
static double back_step_joules(const ws_metered_channel *c)
{
    return ws_gives_powers(c) ? (double)c->meter.back_steps.count * ws_usual_s(c) * fabs(c->summary.mean) : 0;
}

/* The ends of a window that the readings do not reach by more than a step each. What the user asked to leave out is not
 * missing. */
static double uncovered_joules(const ws_measure *m, const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    double missing_s = r->span_s - r->duration_s;
    bool is_open = m->options.meter.has_window && m->options.meter.gaps == WS_GAPS_BRIDGE && r->duration_s > 0;
    return is_open && missing_s > 2 * ws_usual_s(c) ? missing_s * fabs(r->mean) : 0;
}

/* A package whose counter shows zero in all readings while another one of its node is at work. */
static void stake_dead_counter(ws_measure *m, ws_device *d, ws_notes *notes)
{
    const ws_metered_channel *c = d->energy;
    if (d->domain != WS_CPU || c->meter.rule != WS_RULE_COUNTER || c->summary.samples < WS_LEAST_READINGS ||
        c->meter.max > 0)
        return;
    const ws_device *other = d, *end = m->devices + m->n_devices;
    while (other > m->devices && ws_are_beside(other - 1, d))
        other--;
    for (; other < end && ws_are_beside(other, d); other++)
        if (other->domain == WS_CPU && strcmp(other->node, d->node) == 0 && other->energy &&
            other->energy->meter.rule == WS_RULE_COUNTER && other->energy->summary.energy_j > 0)
            break;
    if (other >= end || !ws_are_beside(other, d))
        return;
    ws_notes_add(notes, WS_FINDING_STUCK_COUNTER, c->source, d->device, 0,
                 "the counter is 0 throughout, and that of %s beside it counts: a package that is not read?",
                 other->device);
    ws_device_stake(d, m, WS_FINDING_STUCK_COUNTER, other->energy->summary.energy_j);
}

static void stake_gaps(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    const ws_channel_summary *r = &c->summary;
    bool may_be_spring = r->long_gaps > 0 && ws_may_be_spring(&c->meter, r->max_gap_s);
    ws_device_stake(d, m, WS_FINDING_LONG_GAP, may_be_spring ? fmax(r->gap_j, r->max_gap_s * fabs(r->mean)) : r->gap_j);
    if (may_be_spring)
        ws_notes_add(notes, WS_FINDING_LONG_GAP, c->source, d->device, 0,
                     "a gap of an hour in stamps without a zone, over a night in which summer time begins: it may hold "
                     "no time at all (--tz says the zone)");
}

/* With one reading the energy is a guess, with none a worse one. */
static void stake_unread_window(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    uint64_t n = c->summary.samples;
    if (!ws_is_window_unread(c))
        return;
    ws_notes_add(notes, WS_FINDING_LONG_GAP, c->source, d->device, 0,
                 "%s inside of the window of %.4g s: its energy is what the readings around it mean, which are further "
                 "apart",
                 n ? "one reading lies" : "no reading lies", c->summary.duration_s);
    ws_device_stake(d, m, WS_FINDING_LONG_GAP, n ? NAN : INFINITY);
}

static void stake_power(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    if (c->summary.status == WS_STATUS_OUT_OF_ORDER)
        ws_device_stake(d, m, WS_FINDING_OUT_OF_ORDER, INFINITY);
    if (c->summary.status == WS_STATUS_NO_DURATION)
        ws_device_stake(d, m, WS_FINDING_NO_DURATION, INFINITY);
    if (ws_is_stuck_throughout(m, d, c))
        ws_device_stake(d, m, WS_FINDING_STUCK_SENSOR, INFINITY);
    ws_device_stake(d, m, WS_FINDING_ZERO_POWER, ws_failed_zeros_j(d, c));
    ws_stake_standstill(m, d, c, notes);
    ws_stake_brief_standstills(m, d, c, notes);
    ws_stake_wrong_powers(m, d, c, notes);
    stake_unread_window(m, d, c, notes);
    ws_stake_scale(m, d, c, notes);
}

/* What a counter shows in its first row, and the time that this took, are those of a row to half and twice as much;
 * told from a twentieth of the whole on, since a sum of power times step has as much in each of its rows. Ours. */
static const double like_a_row = 2, much_of_whole = 0.05;
enum { ENOUGH_ROWS = 4 };

static bool is_like_a_row(double first, double row)
{
    return first * like_a_row >= row && first <= like_a_row * row;
}

/* "epoch,elapsed_s,energy_j": 0,100,20000; 1,200,40137. A total that began at 0 with the time, or with the interval
 * that the first row states, holds the energy of a row in its first one, which lies before its stamp. */
static void stake_first_row(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    const ws_channel_summary *r = &c->summary;
    const ws_meter *x = &c->meter;
    bool is_total = x->rule == WS_RULE_COUNTER && !x->counter_from_zero && !x->options.has_window;
    if (!is_total || r->samples < ENOUGH_ROWS || !(r->energy_j > 0) || !(r->first_j > 0))
        return;
    double rows = (double)r->samples - 1, ns = x->first.has_interval ? (double)x->first.interval_ns
                                               : r->has_start        ? 0
                                                                     : (double)x->first_t;
    bool is_a_row = is_like_a_row(ns / 1e9, r->duration_s / rows) && is_like_a_row(r->first_j, r->energy_j / rows);
    if (!is_a_row || r->first_j <= much_of_whole * (r->energy_j + r->first_j))
        return;
    ws_device_stake(d, m, WS_FINDING_LOST_INTERVAL, r->first_j);
    ws_notes_add(notes, WS_FINDING_LOST_INTERVAL, c->source, d->device, 0,
                 "the first row of the running total holds %.6g J, as much as the others do, of the %.4g s before it: "
                 "the energy is that from the first row to the last one and lacks them",
                 r->first_j, ns / 1e9);
}

static void stake_device(ws_measure *m, ws_device *d, ws_notes *notes)
{
    const ws_metered_channel *c = d->energy;
    const ws_channel_summary *r = &c->summary;
    ws_finding odd = c->limits.quantity == WS_POWER ? WS_FINDING_IMPLAUSIBLE_POWER : WS_FINDING_IMPLAUSIBLE_ENERGY;
    if (c->channel.assumed == WS_STATUS_ASSUMED_DEVICE)
        ws_device_stake(d, m, WS_FINDING_ASSUMED_DEVICE, NAN);
    stake_gaps(m, d, c, notes);
    stake_first_row(m, d, c, notes);
    ws_device_stake(d, m, WS_FINDING_COUNTER_GAP, r->hidden_j);
    ws_device_stake(d, m, WS_FINDING_ASSUMED_COUNTER_RANGE, r->wider_range_j);
    ws_device_stake(d, m, WS_FINDING_COUNTER_WRAP, r->unlike_wraps_j);
    ws_device_stake(d, m, WS_FINDING_STUCK_COUNTER, r->still_j);
    ws_device_stake(d, m, WS_FINDING_STUCK_COUNTER, r->stall_j);
    stake_dead_counter(m, d, notes);
    ws_stake_low_counter(m, d, notes);
    ws_device_stake(d, m, WS_FINDING_COUNTER_RESET, r->reset_j);
    ws_device_stake(d, m, WS_FINDING_COUNTER_GLITCH, glitch_joules(c));
    ws_device_stake(d, m, odd, ws_odd_joules(c));
    ws_device_stake(d, m, ws_gives_powers(c) ? WS_FINDING_NEGATIVE_POWER : WS_FINDING_NEGATIVE_ENERGY,
                    ws_negative_joules(c));
    ws_device_stake(d, m, WS_FINDING_MISSING_CELL, missing_joules(c));
    ws_device_stake(d, m, WS_FINDING_LOST_INTERVAL, r->lost_j);
    ws_device_stake(d, m, WS_FINDING_REPEATED_STAMP, ws_repeated_joules(c));
    ws_device_stake(d, m, c->unread, c->unread_s * fabs(r->mean));
    ws_device_stake(d, m, WS_FINDING_CLOCK_STEP_BACK, back_step_joules(c));
    ws_device_stake(d, m, WS_FINDING_LOW_COVERAGE, uncovered_joules(m, c));
    if (ws_gives_powers(c))
        stake_power(m, d, c, notes);
    ws_stake_sources(m, d, notes);
    ws_stake_fed(m, d, notes);
}

void ws_measure_find_stakes(ws_measure *m, ws_notes *notes)
{
    size_t n_read = notes ? notes->n : 0;
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].energy && !isnan(m->devices[i].energy->summary.energy_j))
            stake_device(m, &m->devices[i], notes);
    ws_stake_stored_totals(m, notes);
    for (size_t i = 0; i < n_read; i++)
        if (is_of_source(notes->items[i].finding))
            stake_source(m, &notes->items[i]);
        else if (notes->items[i].finding == WS_FINDING_ASSUMED_POWER)
            stake_percent(m, &notes->items[i]);
}
