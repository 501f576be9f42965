/* Which joules a finding puts at stake. Each is bounded from above where the readings allow it; where they do not, by
 * the mean power of the device. docs/findings.md explains each code. */
#include "analyze/measure/stakes.h"
#include "analyze/measure/repeated_time.h"
#include "analyze/measure/sibling_powers.h"

#include "core/device_limits.h"
#include "core/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- how far the readings of a channel lie apart --- */

/* The time that a reading stands for, on average; 0 where nothing says it. */
static double usual_s(const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    if (c->meter.usual_s > 0)
        return c->meter.usual_s;
    return r->samples > 1 && r->duration_s > 0 ? r->duration_s / (double)(r->samples - 1) : 0;
}

/* Of how many watts a power is a multiple, as it is written: 1, 0.1, 0.01 or 0.001. */
static double step_of(double value)
{
    double step_w = 1;
    while (step_w > 0.0015 && fabs(value / step_w - rint(value / step_w)) > 1e-6 + 4e-16 * fabs(value) / step_w)
        step_w /= 10;
    return step_w;
}

/* The same of readings, as far as some of them and their sum tell. */
static double step_of_readings(const ws_metered_channel *c)
{
    const double some[] = {c->summary.min, c->summary.max, c->meter.first_value, c->meter.last_value,
                           ws_total_value(&c->meter.total, WS_PARTS)};
    double step_w = 1;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        step_w = fmin(step_w, step_of(some[i]));
    return step_w;
}

/* --- what a reading or a note leaves open --- */

/* What says something of a device: of fewer readings nothing follows. */
enum { LEAST_READINGS = 32 };

void ws_device_stake(ws_device *d, const ws_measure *m, ws_finding finding, double joules)
{
    ws_stake_add(&d->stake, &m->options.verdict, finding, joules);
}

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

static bool is_power(const ws_metered_channel *c)
{
    ws_rule rule = c->meter.rule;
    return rule == WS_RULE_TRAPEZOID || rule == WS_RULE_RECTANGLE || rule == WS_RULE_PERUN ||
           rule == WS_RULE_MEAN_TIMES_TIME;
}

/* Readings that no device has count with all that they add to the energy. */
double ws_odd_joules(const ws_metered_channel *c)
{
    double sum = ws_total_value(&c->limits.odd.sum, WS_PARTS);
    return is_power(c) ? sum * usual_s(c) : sum;
}

/* A power below zero may have been any that the device draws. */
double ws_negative_joules(const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    double each_j = is_power(c) ? (fabs(r->min) + fabs(r->mean)) * usual_s(c) : fabs(c->meter.min);
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
    return is_power(c) ? (double)c->meter.back_steps.count * usual_s(c) * fabs(c->summary.mean) : 0;
}

/* The ends of a window that the readings do not reach by more than a step each. What the user asked to leave out is not
 * missing. */
static double uncovered_joules(const ws_measure *m, const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    double missing_s = r->span_s - r->duration_s;
    bool is_open = m->options.meter.has_window && m->options.meter.gaps == WS_GAPS_BRIDGE && r->duration_s > 0;
    return is_open && missing_s > 2 * usual_s(c) ? missing_s * fabs(r->mean) : 0;
}

/* A GPU that is busy for this part of the time is in use. */
static const double busy_share = 0.2;

static bool is_busy(const ws_device *d)
{
    return d->util && d->util->summary.mean >= busy_share;
}

/* Noise is about a hundredth of what memory or an idle processor draws: it does not move readings whose step is more
 * than this share of them. The noise of GPUs moves a tenth of a watt in any case. Ours. */
static const double most_of_level = 1 / 200.0, fine_for_gpu_w = 0.15;

static bool is_coarse(const ws_device *d, double step_w, double power_w)
{
    bool is_fine = d->domain == WS_GPU && step_w < fine_for_gpu_w;
    return !is_fine && step_w > most_of_level * fabs(power_w) * (1 + 1e-9);
}

/* An idle device may draw the same for hours, in whole watts or in steps that are coarse for it. No other device draws
 * the same to a tenth of a watt: in 14 real logs with two decimals no value lasts longer than 2.3 s. */
static bool may_be_idle(const ws_device *d)
{
    double power_w = d->energy->summary.max, step_w = step_of(power_w);
    return (step_w == 1 || is_coarse(d, step_w, power_w)) && !is_busy(d);
}

/* How far below its limit a device that is held at it reads, in W. Ours. */
static const double below_limit_w = 1;

static double limit_of(const ws_measure *m, const ws_device *d)
{
    for (size_t i = 0; i < d->n_channels; i++)
        if (m->channels[d->channels[i]].channel.quantity == WS_POWER_LIMIT)
            return m->channels[d->channels[i]].summary.max;
    return NAN;
}

bool ws_is_stuck_throughout(const ws_measure *m, const ws_device *d, const ws_metered_channel *c)
{
    bool is_at_limit = fabs(c->summary.max - limit_of(m, d)) <= below_limit_w;
    return d->energy == c && ws_meter_is_stuck(&c->meter, &c->summary) && !may_be_idle(d) && !is_at_limit;
}

/* A device that never draws less than this when it draws anything has not drawn 0 W: reads that failed, as perun and
 * others store them. Others may have been switched off. */
static const double least_of_failing_w = 2;

double ws_failed_zeros_s(const ws_device *d, const ws_metered_channel *c)
{
    double zeros = (double)c->meter.zeros.count, others = (double)c->summary.samples - zeros;
    bool draws_always =
        d->domain == WS_GPU || d->domain == WS_CPU || d->domain == WS_DRAM || d->domain == WS_NODE || d->feeds_others;
    bool has_failed = draws_always && zeros > 0 && others > 0 && isfinite(c->limits.least_w) &&
                      c->limits.least_w >= least_of_failing_w;
    if (!has_failed)
        return 0;
    double in_use = d->util ? ws_quiet_share_in_use(&c->quiet, &d->util->quiet, (int64_t)(usual_s(c) * 1e9)) : 1;
    return in_use * zeros * usual_s(c);
}

/* The rails of a board draw less than 1 W each, and have names. */
static bool is_numbered(const ws_device *d)
{
    return strcmp(d->identity, "name") != 0 && strcmp(d->identity, "sensor") != 0;
}

static bool is_card(const ws_device *d)
{
    return d->domain == WS_GPU && is_numbered(d) && d->energy;
}

/* Low powers that stand alone, one or two at a time, are no state of a device, which sleeps for longer: the others are
 * at least so many times as large, and they are at most one in so many. Ours; a laptop's log has 1.20 W in each fourth
 * reading for a while (nvidia-smi-csv/laptop_nounits_glitch.csv of the corpus). */
static const double low_apart = 5, at_a_time = 2, one_in = 5;

double ws_failed_lows_s(const ws_device *d, const ws_metered_channel *c)
{
    const ws_lows *lows = &c->limits.lows;
    bool draws_more = is_card(d) || d->domain == WS_CPU || d->domain == WS_NODE;
    double n = (double)lows->seen.count;
    bool stand_alone = n > 0 && n <= at_a_time * (double)lows->stretches && one_in * n <= (double)c->summary.samples &&
                       isfinite(lows->next_w) && lows->next_w >= low_apart * lows->most_w;
    return draws_more && stand_alone ? n * usual_s(c) : 0;
}

static void stake_lows(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    double failed_s = ws_failed_lows_s(d, c);
    if (!(failed_s > 0) || ws_kilowatts_missing_j(m, d, c) > 0)
        return;
    ws_notes_add_many(notes, c->limits.lows.seen.count, WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device,
                      c->limits.lows.seen.line,
                      "at most %.3g W in single readings between others of %.3g W and more, kept as data: reads that "
                      "failed?",
                      c->limits.lows.most_w, c->limits.lows.next_w);
    ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, failed_s * fabs(c->summary.plain_mean));
}

double ws_sentinel_joules(const ws_device *d, const ws_metered_channel *c)
{
    bool is_odd = c->limits.odd.seen.count > 0; /* whose joules are known */
    double readings = (double)c->summary.samples, mean_w = c->summary.plain_mean;
    if (d->energy != c || is_odd || !ws_power_top_stands_apart(&c->watch->top))
        return 0;
    return usual_s(c) * ws_sentinel_sum_w(&c->watch->top, readings, mean_w, step_of_readings(c));
}

static void stake_sentinels(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    double joules = ws_sentinel_joules(d, c);
    if (!(joules > 0))
        return;
    ws_notes_add_many(
        notes, c->watch->top.seen.count, WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device, c->watch->top.seen.line,
        "%.8g W to the last digit, and all others are at most %.6g W: a number that stands for no reading?",
        c->watch->top.most_w, c->watch->top.next_w);
    ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, joules);
}

static double zero_joules(const ws_device *d, const ws_metered_channel *c)
{
    const ws_channel_summary *r = &c->summary;
    double others = (double)r->samples - (double)c->meter.zeros.count, failed_s = ws_failed_zeros_s(d, c);
    return failed_s > 0 ? failed_s * fabs(r->plain_mean) * (double)r->samples / others : 0;
}

/* What is longer than the time in which the device was not in use, at the mean power of all. */
static ws_standstill_sum while_in_use(ws_standstill_sum whole, const ws_metered_channel *util)
{
    int64_t rest_ns = whole.ns - util->unused.ns;
    if ((double)rest_ns < WS_STANDSTILL_S * 1e9)
        return (ws_standstill_sum){0};
    whole.energy_j *= (double)rest_ns / (double)whole.ns;
    whole.longest_ns = whole.longest_ns < rest_ns ? whole.longest_ns : rest_ns;
    whole.ns = rest_ns;
    return whole;
}

/* A slow sensor shows each of its values for some time, and now and then the same one again: it is not stuck before so
 * many refreshes. Ours. */
static const double refreshes = 2.5;

/* Two neighbours of two decimals by turns are what is left of the noise of no device that moves by a watt elsewhere:
 * for a minute, of 20 W and more, beside which the step is small. Ours. */
static const double wavers_s = 60, moves_w = 1;

static const ws_standstill_kind of_limits[] = {WS_STILL_LIMIT, WS_STILL_LOW_LIMIT};

/* A device that is held at a limit of its power stands there, in whole watts or to the last digit, and reads more by a
 * watt never. Where no column says the limit it is held for half of the time, since a sensor that is stuck at the
 * largest power shows the same. Ours. */
static bool are_at_limit(const ws_metered_channel *c, const ws_standstill_sum *still, double limit_w)
{
    static const double held_share = 0.5;
    double still_s = (double)still->ns / 1e9, most_w = c->summary.max;
    bool is_held = fabs(most_w - limit_w) <= below_limit_w || still_s >= held_share * c->summary.duration_s;
    return is_held && still->energy_j >= still_s * (most_w - below_limit_w);
}

static ws_standstill_sum wavering_of(const ws_metered_channel *c, double limit_w)
{
    ws_standstill_sum longest = {0};
    for (int steps = WS_STILL_EVEN; steps <= WS_STILL_ODD; steps++) {
        ws_standstill_sum of[WS_STANDSTILL_KINDS], all = {0};
        ws_standstill_read(&c->watch->still[steps], of);
        ws_standstill_add(&all, &of[WS_STILL_WHOLE]);
        ws_standstill_add(&all, &of[WS_STILL_FINER]);
        for (size_t k = 0; k < sizeof of_limits / sizeof *of_limits; k++)
            if (!are_at_limit(c, &of[of_limits[k]], limit_w))
                ws_standstill_add(&all, &of[of_limits[k]]);
        longest = all.ns > longest.ns ? all : longest;
    }
    return (double)longest.longest_ns >= wavers_s * 1e9 ? longest : (ws_standstill_sum){0};
}

static bool may_stand_still(const ws_metered_channel *c)
{
    bool may = false;
    for (int steps = 0; steps < WS_STANDSTILL_STEPS; steps++)
        may |= ws_standstill_may_be(&c->watch->still[steps]);
    return may;
}

/* Readings of whole watts, or in steps that are coarse for their level, may stand still in an idle device: they count
 * where others of the log are finer, or while the device is in use. */
static ws_standstill_sum untrusted_standstill(const ws_measure *m, const ws_device *d, const ws_metered_channel *c,
                                              bool *wavers)
{
    static const double at_most_w[WS_STANDSTILL_KINDS] = {
        [WS_STILL_WHOLE] = INFINITY, [WS_STILL_LIMIT] = INFINITY,  [WS_STILL_LOW_LIMIT] = INFINITY,
        [WS_STILL_FINER] = INFINITY, [WS_STILL_BELOW_20_W] = 19.9, [WS_STILL_BELOW_2_W] = 1.99};
    ws_standstill_sum of[WS_STANDSTILL_KINDS], proven = {0}, maybe = {0};
    *wavers = false;
    if (!(c->summary.max > c->summary.min) || !may_stand_still(c))
        return proven;
    double limit_w = limit_of(m, d);
    ws_standstill_read(&c->watch->still[WS_STILL_EQUAL], of);
    ws_standstill_sum wavering =
        c->summary.max - c->summary.min >= moves_w ? wavering_of(c, limit_w) : (ws_standstill_sum){0};
    bool any = wavering.ns > 0;
    for (int i = 0; i < WS_STANDSTILL_KINDS; i++)
        any = any || of[i].ns > 0;
    if (!any)
        return proven;
    for (size_t k = 0; k < sizeof of_limits / sizeof *of_limits; k++)
        if (are_at_limit(c, &of[of_limits[k]], limit_w))
            of[of_limits[k]] = (ws_standstill_sum){0};
    double step_w = step_of_readings(c);
    for (int i = 0; i < WS_STANDSTILL_KINDS; i++) {
        bool is_whole = i == WS_STILL_WHOLE || i == WS_STILL_LIMIT || i == WS_STILL_LOW_LIMIT;
        bool may_be_still = is_whole ? step_w == 1 : is_coarse(d, step_w, at_most_w[i]);
        ws_standstill_add(may_be_still ? &maybe : &proven, &of[i]);
    }
    if (maybe.ns && is_busy(d)) {
        maybe = while_in_use(maybe, d->util);
        ws_standstill_add(&proven, &maybe);
    }
    *wavers = step_w < WS_STANDSTILL_STEP_W && wavering.ns > proven.ns;
    proven = *wavers ? wavering : proven;
    double held_s = ws_sampling_held_s(&c->watch->sampling, c->summary.long_ns);
    return (double)proven.longest_ns <= refreshes * held_s * 1e9 ? (ws_standstill_sum){0} : proven;
}

/* Short ones that come again and again, of readings with two decimals. Ours. */
static const uint64_t again_and_again = 3;
static const double two_decimals_w = 0.015;

static ws_standstill_sum brief_standstills(const ws_metered_channel *c, uint64_t *n)
{
    ws_standstill_sum brief;
    *n = 0;
    if (!ws_standstill_may_be(&c->watch->still[WS_STILL_EQUAL]))
        return (ws_standstill_sum){0};
    *n = ws_standstill_read_brief(&c->watch->still[WS_STILL_EQUAL], &brief);
    if (*n < again_and_again)
        return (ws_standstill_sum){0};
    double held_s = ws_sampling_held_s(&c->watch->sampling, c->summary.long_ns);
    bool is_slow = (double)brief.longest_ns <= refreshes * held_s * 1e9;
    return is_slow || step_of_readings(c) > two_decimals_w ? (ws_standstill_sum){0} : brief;
}

double ws_brief_standstills_j(const ws_metered_channel *c)
{
    uint64_t n;
    double brief_s = (double)brief_standstills(c, &n).ns / 1e9;
    return brief_s > 0 ? brief_s * c->summary.plain_sd : 0;
}

/* Each shows one power that the device had, and others may have followed. */
static void stake_brief_standstills(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    uint64_t n;
    ws_standstill_sum brief = brief_standstills(c, &n);
    if (!brief.ns)
        return;
    ws_notes_add_many(
        notes, n, WS_FINDING_STUCK_SENSOR, c->source, d->device, 0,
        "the power stays the same again and again, for %.4g s in all and up to %.4g s at a time, which the "
        "noise of a device does not allow: a sensor that is stuck, or a logger that repeats itself",
        (double)brief.ns / 1e9, (double)brief.longest_ns / 1e9);
    ws_device_stake(d, m, WS_FINDING_STUCK_SENSOR, ws_brief_standstills_j(c));
}

ws_standstill_sum ws_untrusted_standstill(const ws_measure *m, const ws_device *d, const ws_metered_channel *c)
{
    bool wavers;
    return untrusted_standstill(m, d, c, &wavers);
}

/* While it stands still the device may have drawn anything that it draws. */
static void stake_standstill(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    bool wavers;
    ws_standstill_sum still = untrusted_standstill(m, d, c, &wavers);
    if (!still.ns)
        return;
    ws_notes_add(notes, WS_FINDING_STUCK_SENSOR, c->source, d->device, 0,
                 "the power %s for %.4g s, the longest time %.4g s in %" PRIu64
                 " readings, which the noise of a device does not allow: a sensor that is stuck, or a logger that "
                 "repeats itself",
                 wavers ? "goes to and fro by its last digit" : "stays the same", (double)still.ns / 1e9,
                 (double)still.longest_ns / 1e9, still.longest_n);
    ws_device_stake(d, m, WS_FINDING_STUCK_SENSOR, (double)still.ns / 1e9 * (c->summary.max - c->summary.min));
}

/* A logger that writes kW from a row on, or for one device. A thousand times the readings below 1 W are what such a
 * device draws: at least this, since cards idle at 5 W and more, ... */
static const double least_of_kilowatts_w = 2;

/* ... and at most three times what it and its like draw elsewhere; of cards whose readings vary as a load does, and not
 * as the sleep of a device, what GPUs draw: a run in full swing may follow one at a tenth. Nothing lies between the two
 * kinds of readings: a card idles at more than a hundredth of its largest power, so that kW and W are a factor of ten
 * apart. A device of some watts has readings of all sizes. Ours. */
static const double more_than_others = 3, kinds_apart = 10, load_varies = 2;

static bool are_beside(const ws_device *a, const ws_device *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->run, b->run) == 0;
}

/* The largest power of the device; of cards of a file and run, which are alike and adjacent, that of any of them. */
static double most_of_its_like(const ws_measure *m, const ws_device *d)
{
    const ws_device *from = d, *end = m->devices + m->n_devices;
    double most_w = d->energy->summary.max;
    while (from > m->devices && are_beside(from - 1, d))
        from--;
    for (; is_card(d) && from < end && are_beside(from, d); from++)
        most_w = is_card(from) ? fmax(most_w, from->energy->summary.max) : most_w;
    return most_w;
}

double ws_kilowatts_missing_j(const ws_measure *m, const ws_device *d, const ws_metered_channel *c)
{
    const ws_limits *l = &c->limits;
    bool is_at_plug = d->domain == WS_WALL || d->domain == WS_OTHER; /* what is plugged in draws so little when off */
    if ((is_at_plug && !d->feeds_others) || c->channel.unit_is_given || d->energy != c || !l->tiny.count ||
        l->tiny_least_w * 1000 < least_of_kilowatts_w || l->watts_least_w < kinds_apart * l->tiny_most_w)
        return 0;
    bool is_load = is_card(d) && l->tiny_most_w >= load_varies * l->tiny_least_w;
    double most_w = fmax(more_than_others * most_of_its_like(m, d), is_load ? WS_GPU_USUAL_MOST_W : 0);
    return l->tiny_most_w * 1000 <= most_w ? 999 * ws_total_value(&l->tiny_sum, WS_PARTS) * usual_s(c) : 0;
}

/* W. A package, a card or a node that is on draws more, and so does its memory: a counter of mJ under a name in uJ
 * shows less in all of its steps. Idle laptops' packages draw half a watt and more at times. Ours. */
static const double least_of_counters_w = 1, least_of_memory_w = 0.05;

/* A card of up to 1.5 W beside cards that draw as much in kW. */
static bool may_be_large_card(const ws_measure *m, const ws_device *d)
{
    double most_w = d->energy->summary.max;
    return is_card(d) && most_w < WS_GPU_KILOWATTS && most_w * 1000 <= more_than_others * most_of_its_like(m, d);
}

/* Memory that varies as a load does, and draws in kW what other memory of its file draws in W. */
static bool is_memory_in_kilowatts(const ws_measure *m, const ws_device *d)
{
    const ws_limits *l = &d->energy->limits;
    const ws_device *from = d, *end = m->devices + m->n_devices;
    double mean_w = 1000 * d->energy->summary.mean;
    if (l->tiny_most_w < load_varies * l->tiny_least_w)
        return false;
    while (from > m->devices && are_beside(from - 1, d))
        from--;
    for (; from < end && are_beside(from, d); from++)
        if (from->domain == WS_DRAM && from->energy && from->energy->summary.mean <= more_than_others * mean_w &&
            from->energy->summary.mean * more_than_others >= mean_w)
            return true;
    return false;
}

bool ws_is_too_low(const ws_measure *m, const ws_device *d)
{
    const ws_metered_channel *c = d->energy;
    if (c->channel.unit_is_given || c->summary.samples < 2 || !(c->summary.max > 0) ||
        (c->summary.max >= WS_GPU_BUSY_LEAST_W && !may_be_large_card(m, d)))
        return false;
    if (d->domain == WS_NODE || d->domain == WS_WALL)
        return c->limits.tiny_least_w * 1000 >= least_of_kilowatts_w;
    if (d->domain == WS_DRAM)
        return is_numbered(d) && c->limits.tiny_least_w * 1000 >= least_of_kilowatts_w &&
               (c->summary.max < least_of_memory_w || is_memory_in_kilowatts(m, d));
    if (d->domain == WS_GPU && d->util)
        return d->util->summary.mean >= busy_share;
    return (d->domain == WS_GPU || d->domain == WS_CPU) && is_numbered(d) &&
           c->limits.tiny_least_w * 1000 >= least_of_kilowatts_w &&
           c->limits.tiny_most_w >= load_varies * c->limits.tiny_least_w;
}

/* A node of up to three watts is a small board, or one of up to three kilowatts. So may one be of up to 20 kW, in
 * readings that are finer than those of a meter in W mostly are, and that never fall below what a server draws that can
 * draw 3 kW. What a board states of its own input has a name. Ours. */
static const double least_of_nodes_w = 3, least_of_servers_w = 300, fine_for_nodes_w = 0.05;

static bool may_be_server(const ws_device *d)
{
    const ws_channel_summary *r = &d->energy->summary;
    return is_numbered(d) && r->max * 1000 <= WS_NODE_MOST_W && r->min * 1000 >= least_of_servers_w &&
           step_of_readings(d->energy) < fine_for_nodes_w;
}

/* Packages and cards of tenths of a watt, as many as most of them draw kilowatts: what is on draws more, and what
 * sleeps wakes up now and then. Laptops' packages idle at half a watt and more, cards of theirs at a watt. */
static bool may_be_steady(const ws_device *d)
{
    const ws_channel_summary *r = &d->energy->summary;
    double most_w = d->domain == WS_CPU ? WS_PACKAGE_USUAL_MOST_W : WS_GPU_USUAL_MOST_W;
    return r->samples >= LEAST_READINGS && r->max < load_varies * r->min && r->max * 1000 <= most_w;
}

static bool may_be_kilowatts(const ws_measure *m, const ws_device *d)
{
    const ws_metered_channel *c = d->energy;
    bool has_few = !c->channel.unit_is_given && c->summary.samples > 1 && c->summary.max > 0 &&
                   c->limits.tiny_least_w * 1000 >= least_of_kilowatts_w && !ws_is_too_low(m, d);
    if (d->domain == WS_CPU || d->domain == WS_GPU)
        return has_few && is_numbered(d) && may_be_steady(d);
    return has_few && d->domain == WS_NODE && (c->summary.max < least_of_nodes_w || may_be_server(d));
}

/* How often a finding of the device as a whole is counted: where single readings are told, by their count. */
static uint64_t count_of_whole(const ws_metered_channel *c)
{
    return c->limits.odd.seen.count ? 0 : 1;
}

static void note_kilowatts(const ws_device *d, ws_notes *notes)
{
    static const char check[] = "check the unit (kW written as W?)";
    const ws_metered_channel *c = d->energy;
    if (d->domain == WS_NODE)
        ws_notes_add_most(notes, count_of_whole(c), WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device, 0,
                          "a node of at most %.4g W is a small board: %s", c->summary.max, check);
    else
        ws_notes_add_most(notes, count_of_whole(c), WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device, 0,
                          "at most %.3g W throughout, less than %s draws that is on: %s", c->summary.max,
                          ws_limits_of_domain[d->domain].what, check);
}

static void note_too_low(const ws_device *d, ws_notes *notes)
{
    const char *what = ws_limits_of_domain[d->domain].what;
    char use[64];
    snprintf(use, sizeof use, "%s varies as in use", what);
    if (d->domain == WS_GPU && d->util)
        snprintf(use, sizeof use, "%s is %.0f %% in use", what, 100 * d->util->summary.mean);
    else if (d->domain == WS_NODE || d->domain == WS_WALL || d->domain == WS_DRAM)
        snprintf(use, sizeof use, "%s would not be on", what);
    ws_notes_add_most(notes, count_of_whole(d->energy), WS_FINDING_IMPLAUSIBLE_POWER, d->energy->source,
                      d->energy->channel.device, 0,
                      "at most %.3g W, and the %s, kept as data: check the unit (kW written as W?) or the sensor",
                      d->energy->summary.max, use);
}

static void stake_kilowatts(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    double missing_j = ws_kilowatts_missing_j(m, d, c);
    if (may_be_kilowatts(m, d)) {
        note_kilowatts(d, notes);
        ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, NAN);
    }
    if (ws_is_too_low(m, d)) {
        note_too_low(d, notes);
        ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, INFINITY);
    } else if (missing_j > 0) {
        ws_notes_add_many(
            notes, c->limits.tiny.count, WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device, c->limits.tiny.line,
            "less than %g W beside up to %.6g W, kept as data: check the unit (kW written as W?) or the sensor",
            ws_most_of_kilowatts(d->domain), most_of_its_like(m, d));
        ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, missing_j);
    }
}

/* The largest reading above the device's own limit: peaks are mostly within a third. In the mean a device holds it, but
 * for the error of its sensor of up to a twentieth. Ours. */
static const double most_of_limit = 1.5, mean_of_limit = 1.1;

static void stake_limit(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    double limit_w = limit_of(m, d);
    bool is_above = c->summary.max > most_of_limit * limit_w, is_held = c->summary.mean > mean_of_limit * limit_w;
    if (!(limit_w > 0) || (!is_above && !is_held))
        return;
    ws_notes_add_most(notes, count_of_whole(c), WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device, 0,
                      is_above ? "up to %.6g W, and the device's own limit is %.6g W: kept as data"
                               : "%.6g W in the mean, and the device's own limit is %.6g W: kept as data",
                      is_above ? c->summary.max : c->summary.mean, limit_w);
    ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, NAN);
}

/* The largest board power of cards of that name, which no mean of readings exceeds by a fifth where the log has no
 * limit; and a card that is in use nearly all the time draws more than one part in twelve of it: an A100 at full clocks
 * without work draws one in nine (56 W). Ours. */
static const double most_of_board = 1.2, least_of_board = 1 / 12.0, in_use_share = 0.8;

/* These cards draw more than a hundredth of it even asleep. Ours. The second die of an MI250X shows 0 W: its power
 * stands with the first. */
static const double asleep_share = 0.01;

static void stake_dead_board(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    bool may_be_second_die = c->summary.max == 0 && c->board_w == ws_board_power_w("MI250X");
    if (may_be_second_die || !(c->summary.max < asleep_share * c->board_w) || c->summary.samples < LEAST_READINGS)
        return;
    ws_notes_add_most(
        notes, count_of_whole(c), WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device, 0,
        "at most %.3g W, and cards of its name have a board power of %.4g W, of which they draw more than "
        "a hundredth asleep: kept as data, check the unit or the sensor",
        c->summary.max, c->board_w);
    ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, INFINITY);
}

static void stake_board(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    double mean_w = c->summary.mean;
    bool is_used = d->util && d->util->summary.mean >= in_use_share && c->summary.samples >= LEAST_READINGS;
    bool is_above = mean_w > most_of_board * c->board_w && isnan(limit_of(m, d));
    bool is_below = is_used && mean_w < least_of_board * c->board_w;
    if (!is_above && !is_below)
        return;
    ws_notes_add_most(notes, count_of_whole(c), WS_FINDING_IMPLAUSIBLE_POWER, c->source, d->device, 0,
                      "%.4g W in the mean%s, and cards of its name have a board power of %.4g W: kept as data", mean_w,
                      is_below ? " while it is in use" : "", c->board_w);
    ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, NAN);
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

/* Not where another finding has the same joules: reads that failed and are 0 W, powers that no device has. */
static void stake_scale(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    bool is_explained = ws_finding_set_has(&d->stake.findings, WS_FINDING_IMPLAUSIBLE_POWER) ||
                        ws_finding_set_has(&d->stake.findings, WS_FINDING_ZERO_POWER) ||
                        ws_finding_set_has(&d->stake.findings, WS_FINDING_NEGATIVE_POWER);
    bool may_have_siblings = d->energy == c && m->n_devices > 1;
    double excess_j = may_have_siblings && !is_explained ? ws_sibling_excess_j(m, d) : 0;
    if (excess_j == 0)
        return;
    ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_POWER, fabs(excess_j));
    ws_notes_add(notes, WS_FINDING_IMPLAUSIBLE_POWER, d->source, d->device, 0,
                 "it draws %s what the GPUs beside it do, which are as much in use all the time, kept as data: check "
                 "the unit or the sensor",
                 excess_j < 0 ? "down to less than a seventh of" : "up to more than seven times");
}

static void stake_power(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    if (c->summary.status == WS_STATUS_OUT_OF_ORDER)
        ws_device_stake(d, m, WS_FINDING_OUT_OF_ORDER, INFINITY);
    if (c->summary.status == WS_STATUS_NO_DURATION)
        ws_device_stake(d, m, WS_FINDING_NO_DURATION, INFINITY);
    if (ws_is_stuck_throughout(m, d, c))
        ws_device_stake(d, m, WS_FINDING_STUCK_SENSOR, INFINITY);
    ws_device_stake(d, m, WS_FINDING_ZERO_POWER, zero_joules(d, c));
    stake_standstill(m, d, c, notes);
    stake_brief_standstills(m, d, c, notes);
    stake_kilowatts(m, d, c, notes);
    stake_lows(m, d, c, notes);
    stake_sentinels(m, d, c, notes);
    stake_limit(m, d, c, notes);
    stake_board(m, d, c, notes);
    stake_dead_board(m, d, c, notes);
    stake_unread_window(m, d, c, notes);
    stake_scale(m, d, c, notes);
}

/* Of channels of the same column, that the reader does not trust, that hold few readings or that cover another time
 * nothing is said. On real files two sources of a device agree within 1 %; the tenth is ours. */
static const double agreement = 0.1, same_time = 0.02;

/* Which of the two is right nobody knows, and the one that counts is the better one as a rule. Beyond a factor of 1.8
 * one of them is of another unit or of a part of the device, and what they differ by is at stake. Ours. */
static double stake_of_difference_j(double own_j, double other_j)
{
    static const double factor = 1.8;
    bool is_far = other_j > factor * own_j || own_j > factor * other_j;
    return is_far ? fabs(other_j - own_j) : NAN;
}

static bool is_comparable(const ws_metered_channel *c)
{
    bool is_total = c->meter.rule == WS_RULE_GIVEN;
    return ws_quantity_gives_energy(c->channel.quantity) && !isnan(c->summary.energy_j) &&
           c->channel.preference < WS_DOUBTFUL && !c->channel.ask && (is_total || c->summary.samples >= LEAST_READINGS);
}

static bool are_of_one_time(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return fabs(a->summary.duration_s - b->summary.duration_s) <= same_time * b->summary.duration_s;
}

void ws_stake_disagreement(const ws_measure *m, ws_device *d, const ws_device *left_out, ws_notes *notes)
{
    const ws_metered_channel *own = d->energy, *other = left_out->energy;
    if (own->channel.quantity == other->channel.quantity || !is_comparable(own) || !is_comparable(other) ||
        !are_of_one_time(other, own) || fabs(other->summary.energy_j / own->summary.energy_j - 1) <= agreement)
        return;
    ws_notes_add(notes, WS_FINDING_SOURCES_DISAGREE, d->source, d->device, 0,
                 "'%s' of %s means %s, and '%s', which counts, %s", other->channel.column, left_out->source,
                 ws_joules(other->summary.energy_j).text, own->channel.column, ws_joules(own->summary.energy_j).text);
    ws_device_stake(d, m, WS_FINDING_SOURCES_DISAGREE,
                    stake_of_difference_j(own->summary.energy_j, other->summary.energy_j));
}

/* A power that stood still for a while (a stuck sensor) says nothing against the source that counts, if any power that
 * the device draws would fill that time. */
static bool is_explained_by_standstill(const ws_measure *m, const ws_device *d, const ws_metered_channel *c)
{
    if (c->channel.quantity != WS_POWER)
        return false;
    ws_standstill_sum still = ws_untrusted_standstill(m, d, c);
    double still_s = (double)still.ns / 1e9, missing_j = d->energy->summary.energy_j - c->summary.energy_j;
    return still_s > 0 && missing_j >= still_s * c->summary.min - still.energy_j &&
           missing_j <= still_s * c->summary.max - still.energy_j;
}

/* A counter that never counted says nothing against a power. */
static bool is_dead_beside(const ws_metered_channel *c, const ws_metered_channel *power)
{
    return power->channel.quantity == WS_POWER && c->channel.quantity == WS_ENERGY_COUNTER && c->summary.energy_j == 0;
}

/* A channel of the device that measures the same and disagrees by more than a tenth: the one that is furthest off, or
 * NULL. Over a short part of a log means and points may differ. */
static const ws_metered_channel *source_that_disagrees(const ws_measure *m, const ws_device *d)
{
    const ws_metered_channel *worst = NULL, *own = d->energy;
    double most = agreement;
    if (!is_comparable(own) || own->meter.usual_s > 0)
        return NULL;
    for (size_t i = 0; i < d->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[d->channels[i]];
        bool is_derived = strcmp(c->channel.column, own->channel.column) == 0; /* as perun derives powers of counters */
        if (c == own || is_derived || !is_comparable(c) || !are_of_one_time(c, own) ||
            is_explained_by_standstill(m, d, c) || is_dead_beside(c, own))
            continue;
        double apart = fabs(c->summary.energy_j / own->summary.energy_j - 1);
        worst = apart > most ? c : worst;
        most = fmax(most, apart);
    }
    return worst;
}

/* A meter that shows less than what it feeds. */
static void stake_fed(ws_measure *m, ws_device *d, ws_notes *notes)
{
    double own_j = d->energy->summary.energy_j, fed_j = d->fed_j;
    if (!is_comparable(d->energy) || !(fed_j > own_j * (1 + agreement)))
        return;
    ws_notes_add(notes, WS_FINDING_SOURCES_DISAGREE, d->source, d->device, 0,
                 "'%s' means %s, and the devices that it feeds %s: a meter of a part of them, or in another "
                 "unit ('wattscale check --sources' shows all)",
                 d->energy->channel.column, ws_joules(own_j).text, ws_joules(fed_j).text);
    ws_device_stake(d, m, WS_FINDING_SOURCES_DISAGREE, NAN);
}

static void stake_sources(ws_measure *m, ws_device *d, ws_notes *notes)
{
    const ws_metered_channel *other = source_that_disagrees(m, d);
    if (!other)
        return;
    ws_notes_add(
        notes, WS_FINDING_SOURCES_DISAGREE, d->source, d->device, 0,
        "'%s' means %s, and '%s', which counts, %s (%s'wattscale check --sources' shows all)", other->channel.column,
        ws_joules(other->summary.energy_j).text, d->energy->channel.column, ws_joules(d->energy->summary.energy_j).text,
        is_dead_beside(d->energy, other) ? "'--rule trapezoid' takes the power of a counter that stands still; " : "");
    ws_device_stake(d, m, WS_FINDING_SOURCES_DISAGREE,
                    stake_of_difference_j(d->energy->summary.energy_j, other->summary.energy_j));
}

/* --- totals that a file states --- */

bool ws_stored_total_of(const ws_kept_fact *fact, ws_stored_total *stored)
{
    static const struct {
        const char *key;
        ws_domain domain;
    } totals[] = {{"perun.stored.gpu_energy_j", WS_GPU},
                  {"perun.stored.cpu_energy_j", WS_CPU},
                  {"perun.stored.dram_energy_j", WS_DRAM}};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        if (!*fact->node && !*fact->device && !fact->text && strcmp(fact->key, totals[i].key) == 0) {
            *stored = (ws_stored_total){fact->source, fact->run, fact->key, totals[i].domain, fact->number};
            return true;
        }
    return false;
}

double ws_stored_time(const ws_measure *m, const ws_stored_total *stored)
{
    for (size_t i = 0; i < m->n_facts; i++) {
        const ws_kept_fact *f = &m->facts[i];
        if (!*f->node && !*f->device && !f->text && strcmp(f->key, "perun.stored.runtime_s") == 0 &&
            strcmp(f->source, stored->source) == 0 && strcmp(f->run, stored->run) == 0)
            return f->number;
    }
    return NAN;
}

bool ws_is_stored_run(const ws_stored_total *stored, const ws_device *d)
{
    return strcmp(stored->source, d->source) == 0 && strcmp(stored->run, d->run) == 0;
}

/* A total of a domain that perun stored beside the sensors, which may be fewer now; of the time that they cover. */
static void stake_stored_total(ws_measure *m, const ws_stored_total *stored, ws_notes *notes)
{
    double sum_j = 0;
    ws_device *first = NULL, *any = NULL;
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        if (!ws_is_stored_run(stored, d) || !d->energy || isnan(d->energy->summary.energy_j))
            continue;
        any = any && !any->is_alternative ? any : d;
        if (d->domain != stored->domain || d->is_alternative)
            continue;
        first = first ? first : d;
        sum_j += d->energy->summary.energy_j;
    }
    if (!any || any->energy->meter.options.has_window || !(stored->energy_j > sum_j * (1 + agreement)))
        return;
    double time_s = ws_stored_time(m, stored);
    if (!(fabs(any->energy->summary.duration_s - time_s) <= same_time * time_s))
        return;
    any = first ? first : any;
    ws_notes_add(notes, WS_FINDING_SOURCES_DISAGREE, any->source, "", 0,
                 "the file states %s for '%s', and its sensors of that hold %s: some are missing ('wattscale "
                 "check --sources' shows all)",
                 ws_joules(stored->energy_j).text, stored->key, ws_joules(sum_j).text);
    ws_device_stake(any, m, WS_FINDING_SOURCES_DISAGREE, stored->energy_j - sum_j);
}

static void stake_stored_totals(ws_measure *m, ws_notes *notes)
{
    ws_stored_total stored;
    for (size_t i = 0; i < m->n_facts; i++)
        if (ws_stored_total_of(&m->facts[i], &stored))
            stake_stored_total(m, &stored, notes);
}

/* A package whose counter shows zero in all readings while another one of its node is at work. */
static void stake_dead_counter(ws_measure *m, ws_device *d, ws_notes *notes)
{
    const ws_metered_channel *c = d->energy;
    if (d->domain != WS_CPU || c->meter.rule != WS_RULE_COUNTER || c->summary.samples < LEAST_READINGS ||
        c->meter.max > 0)
        return;
    const ws_device *other = d, *end = m->devices + m->n_devices;
    while (other > m->devices && are_beside(other - 1, d))
        other--;
    for (; other < end && are_beside(other, d); other++)
        if (other->domain == WS_CPU && strcmp(other->node, d->node) == 0 && other->energy &&
            other->energy->meter.rule == WS_RULE_COUNTER && other->energy->summary.energy_j > 0)
            break;
    if (other >= end || !are_beside(other, d))
        return;
    ws_notes_add(notes, WS_FINDING_STUCK_COUNTER, c->source, d->device, 0,
                 "the counter is 0 throughout, and that of %s beside it counts: a package that is not read?",
                 other->device);
    ws_device_stake(d, m, WS_FINDING_STUCK_COUNTER, other->energy->summary.energy_j);
}

static void stake_low_counter(ws_measure *m, ws_device *d, ws_notes *notes)
{
    const ws_metered_channel *c = d->energy;
    bool is_named = d->domain == WS_CPU || d->domain == WS_GPU || d->domain == WS_NODE || d->domain == WS_DRAM;
    double least_w = d->domain == WS_DRAM ? least_of_memory_w : least_of_counters_w, most_w = c->summary.step_most_w;
    if (!is_named || c->meter.rule != WS_RULE_COUNTER || c->summary.samples < LEAST_READINGS || !(most_w > 0) ||
        most_w >= least_w)
        return;
    ws_notes_add(notes, WS_FINDING_IMPLAUSIBLE_ENERGY, c->source, d->device, 0,
                 "the counter rises by at most %.3g W, less than such a device draws when it is on: check the unit (mJ "
                 "written as uJ?)",
                 most_w);
    ws_device_stake(d, m, WS_FINDING_IMPLAUSIBLE_ENERGY, INFINITY);
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

/* What a counter shows in its first row, and the time that this took, are those of a row to half and twice as much;
 * told from a twentieth of the whole on, since a sum of power times step has as much in each of its rows. Ours. */
static const double like_a_row = 2, much_of_whole = 0.05;
enum { ENOUGH_ROWS = 4 };

static bool is_like_a_row(double first, double row)
{
    return first * like_a_row >= row && first <= like_a_row * row;
}

/* Stamps as written: whole minutes, seconds or finer. */
static double unit_of_stamps_s(const ws_meter *x)
{
    static const int64_t second = INT64_C(1000000000);
    if (x->first_t % second || x->last_t % second)
        return 0;
    return x->first_t % (60 * second) || x->last_t % (60 * second) ? 1 : 60;
}

/* Nearly each stamp has two readings or more that differ, and the next one is further than the stamps are written to:
 * one device that is polled more often would have readings in between. */
static void stake_shared_stamps(ws_measure *m, ws_device *d, const ws_metered_channel *c, ws_notes *notes)
{
    static const double nearly_half = 0.45, units = 1.5;
    const ws_meter *x = &c->meter;
    double n = (double)c->summary.samples, shared = (double)x->duplicates.count;
    if (n < LEAST_READINGS || shared < nearly_half * n || n - shared < 2 || 2 * x->again.count > x->duplicates.count)
        return;
    double step_s = c->summary.duration_s / (n - shared - 1);
    if (step_s < units * unit_of_stamps_s(x))
        return;
    ws_device_stake(d, m, WS_FINDING_SHARED_STAMPS, NAN);
    ws_notes_add(notes, WS_FINDING_SHARED_STAMPS, c->source, d->device, 0,
                 "nearly each stamp has %.3g different readings and the next one comes %.3g s later, as of several "
                 "devices or nodes of one name: a file for each tells them apart",
                 n / (n - shared), step_s);
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
                 "the first row of the running total holds %s, as much as the others do, of the %.4g s before it: "
                 "the energy is that from the first row to the last one and lacks them",
                 ws_joules(r->first_j).text, ns / 1e9);
}

static void stake_device(ws_measure *m, ws_device *d, ws_notes *notes)
{
    const ws_metered_channel *c = d->energy;
    const ws_channel_summary *r = &c->summary;
    ws_finding odd = c->limits.quantity == WS_POWER ? WS_FINDING_IMPLAUSIBLE_POWER : WS_FINDING_IMPLAUSIBLE_ENERGY;
    if (c->channel.assumed == WS_STATUS_ASSUMED_DEVICE)
        ws_device_stake(d, m, WS_FINDING_ASSUMED_DEVICE, NAN);
    stake_gaps(m, d, c, notes);
    if (is_power(c))
        stake_shared_stamps(m, d, c, notes);
    stake_first_row(m, d, c, notes);
    ws_device_stake(d, m, WS_FINDING_COUNTER_GAP, r->hidden_j);
    ws_device_stake(d, m, WS_FINDING_ASSUMED_COUNTER_RANGE, r->wider_range_j);
    ws_device_stake(d, m, WS_FINDING_COUNTER_WRAP, r->unlike_wraps_j);
    ws_device_stake(d, m, WS_FINDING_STUCK_COUNTER, r->still_j);
    ws_device_stake(d, m, WS_FINDING_STUCK_COUNTER, r->stall_j);
    stake_dead_counter(m, d, notes);
    stake_low_counter(m, d, notes);
    ws_device_stake(d, m, WS_FINDING_COUNTER_RESET, r->reset_j);
    ws_device_stake(d, m, WS_FINDING_COUNTER_GLITCH, glitch_joules(c));
    ws_device_stake(d, m, odd, ws_odd_joules(c));
    ws_device_stake(d, m, is_power(c) ? WS_FINDING_NEGATIVE_POWER : WS_FINDING_NEGATIVE_ENERGY, ws_negative_joules(c));
    ws_device_stake(d, m, WS_FINDING_MISSING_CELL, missing_joules(c));
    ws_device_stake(d, m, WS_FINDING_LOST_INTERVAL, r->lost_j);
    ws_device_stake(d, m, WS_FINDING_REPEATED_STAMP, ws_repeated_joules(c));
    ws_device_stake(d, m, c->unread, c->unread_s * fabs(r->mean));
    ws_device_stake(d, m, WS_FINDING_CLOCK_STEP_BACK, back_step_joules(c));
    ws_device_stake(d, m, WS_FINDING_LOW_COVERAGE, uncovered_joules(m, c));
    if (is_power(c))
        stake_power(m, d, c, notes);
    stake_sources(m, d, notes);
    stake_fed(m, d, notes);
}

/* A column without a quantity whose readings are whole numbers of up to 100 may be a utilisation as well. */
static const double most_of_percent = 100;

static void stake_percent(ws_measure *m, const ws_note *note)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        bool is_it =
            strcmp(d->source, note->source) == 0 && d->domain == WS_GPU && d->energy && !d->util && is_power(d->energy);
        if (is_it && d->energy->summary.min >= 0 && d->energy->summary.max <= most_of_percent &&
            step_of_readings(d->energy) == 1)
            ws_device_stake(d, m, WS_FINDING_ASSUMED_POWER, NAN);
    }
}

/* Powers that are lost because of their size or of how they are written are not like those that are left. `note` counts
 * those of all devices of its column. */
static void stake_unread_numbers(ws_measure *m, const ws_note *note)
{
    uint64_t missing = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < m->n_devices; i++) {
            const ws_metered_channel *c = m->devices[i].energy;
            if (!c || !is_power(c) || strcmp(c->source, note->source) != 0 ||
                strcmp(c->channel.column, note->subject) != 0 || isnan(c->summary.energy_j))
                continue;
            double share = (double)c->summary.missing / (double)(c->summary.samples + c->summary.missing);
            if (pass == 0)
                missing += c->summary.missing;
            else if (c->summary.missing)
                ws_device_stake(&m->devices[i], m, WS_FINDING_UNREAD_NUMBER,
                                share * fmin(1, (double)note->count / (double)missing) * fabs(c->summary.energy_j));
        }
}

void ws_measure_find_stakes(ws_measure *m, ws_notes *notes)
{
    size_t n_read = notes ? notes->n : 0;
    for (size_t i = 0; i < m->n_devices; i++)
        if (m->devices[i].energy && !isnan(m->devices[i].energy->summary.energy_j))
            stake_device(m, &m->devices[i], notes);
    stake_stored_totals(m, notes);
    for (size_t i = 0; i < n_read; i++)
        if (is_of_source(notes->items[i].finding))
            stake_source(m, &notes->items[i]);
        else if (notes->items[i].finding == WS_FINDING_ASSUMED_POWER)
            stake_percent(m, &notes->items[i]);
        else if (notes->items[i].finding == WS_FINDING_UNREAD_NUMBER)
            stake_unread_numbers(m, &notes->items[i]);
}
