/* What a meter saw that a user should know. */
#include "analyze/measure/meter_steps.h"

#include <inttypes.h>
#include <string.h>

static const double STUCK_AFTER_S = 60;
enum { STUCK_AFTER_SAMPLES = 60 };

typedef struct noter {
    const ws_meter *meter;
    const ws_channel_summary *reading;
    const char *source, *subject;
    ws_notes *notes;
} noter;

static void note_seen(const noter *n, const ws_seen *seen, const char *code, const char *text)
{
    ws_notes_add_many(n->notes, seen->count, code, n->source, n->subject, seen->line, "%s", text);
}

static void note_window(const noter *n)
{
    const ws_meter *m = n->meter;
    if (!m->window_misfits)
        return;
    ws_notes_add(n->notes, "window-misfit", n->source, n->subject, 0,
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
    if (is_power && strcmp(n->reading->status, "no-duration") == 0)
        ws_notes_add(n->notes, "no-duration", n->source, n->subject, 0,
                     "%s: the energy is 0 J for want of time, not of power",
                     m->back_steps.count
                         ? "the time stamps go back from row to row, as in a file that was turned round (tac turns "
                           "the rows, the head aside)"
                         : "all readings have the same time stamp, of a clock that stands still");
}

/* The columns of a device stand in the same rows. */
static void note_stamps(const noter *n, const ws_seen *seen, const char *code, const char *text)
{
    ws_notes_add_most(n->notes, seen->count, code, n->source, n->subject, seen->line, "%s", text);
}

static void note_time(const noter *n)
{
    static const char *const fates[] = {[WS_GAPS_BRIDGE] = "bridged, and the energy interval is widened",
                                        [WS_GAPS_EXCLUDE] = "left out",
                                        [WS_GAPS_REFUSE] = "the channel is refused"};
    const ws_channel_summary *r = n->reading;
    note_stamps(
        n, &n->meter->back_steps, "clock-step-back",
        n->meter->rule == WS_RULE_COUNTER
            ? "the time stamp goes back: where the counter goes back with it, by less than a long gap, the stretch "
              "counts once; else the step holds no time"
            : "the time stamp goes back: by less than a second, the stretch counts once; by more, the step holds no "
              "energy and no time");
    if (strcmp(r->status, "out-of-order") == 0)
        ws_notes_add(n->notes, "out-of-order", n->source, n->subject, n->meter->back_steps.line,
                     "the mean of %.6g lies outside of all readings, from %.6g to %.6g, for the stamps that go back: "
                     "--back-steps sort puts the rows in place, drop leaves them out",
                     r->mean, r->min, r->max);
    note_stamps(n, &n->meter->duplicates, "repeated-stamp",
                "a time stamp is the same as the one before; the interval between them is empty");
    ws_notes_add_most(n->notes, r->long_gaps, "long-gap", n->source, n->subject, 0,
                      "gaps of about eight times the usual interval or more, %.3g s in total, the longest %.3g s; %s",
                      r->long_gap_s, r->max_gap_s, fates[n->meter->options.gaps]);
    ws_notes_add_most(
        n->notes, r->gaps, "gap", n->source, n->subject, 0,
        "steps of about five to eight times the usual interval, %.3g s in total: too short for a long gap, "
        "and integrated as any other",
        r->gap_s);
}

static void note_counter(const noter *n)
{
    const ws_meter *m = n->meter;
    note_seen(n, &m->zero_reads, "zero-read",
              "the counter reads zero while it is running: a failed read, stepped over");
    ws_notes_add_many(n->notes, n->reading->wraps.count, "counter-wrap", n->source, n->subject, n->reading->wraps.line,
                      "the counter wrapped at its range of %.10g J and was unwrapped", m->counter_range_j);
    if (m->counter_range_j > 0 && n->reading->mean * n->reading->max_gap_s > m->counter_range_j / 2)
        ws_notes_add(n->notes, "counter-gap", n->source, n->subject, 0,
                     "a step of %.4g s is not much shorter than the counter takes for its range of %.10g J at %.4g W: "
                     "whole rounds may be lost in it",
                     n->reading->max_gap_s, m->counter_range_j, n->reading->mean);
    note_seen(
        n, &n->reading->resets, "counter-reset",
        "the counter fell and no wrap at the usual power explains it: what came before the first reading after it "
        "is lost, so the energy is a lower bound");
    note_seen(
        n, &n->reading->slips, "counter-slip",
        "the counter fell a little, and holds more than it can have collected since: it neither wrapped nor began "
        "again, and the step counts as it is, below zero");
}

static void note_power(const noter *n)
{
    const ws_meter *m = n->meter;
    if (m->rule == WS_RULE_INTERVAL || m->rule == WS_RULE_GIVEN)
        note_seen(n, &m->negatives, "negative-energy",
                  "an energy below zero, kept as data and taken off the sum: check the sensor or the sign");
    if (m->rule != WS_RULE_TRAPEZOID && m->rule != WS_RULE_RECTANGLE && m->rule != WS_RULE_PERUN)
        return;
    note_seen(n, &m->negatives, "negative-power", "a power below zero, kept as data: check the sensor or the sign");
    if (m->max > 0)
        note_seen(n, &m->zeros, "zero-power",
                  "a power of exactly zero, kept as data: idle, or a read that failed (perun stores 0 then)");
    bool long_enough = m->samples >= STUCK_AFTER_SAMPLES && n->reading->duration_s >= STUCK_AFTER_S;
    if (m->min == m->max && m->max > 0 && long_enough)
        ws_notes_add(n->notes, "stuck-sensor", n->source, n->subject, 0,
                     "the power is %.6g W in every one of %" PRIu64 " readings", m->max, m->samples);
}

void ws_meter_notes(const ws_meter *m, const ws_channel_summary *r, const char *source, const char *subject,
                    ws_notes *notes)
{
    noter n = {m, r, source, subject, notes};
    note_window(&n);
    note_time(&n);
    note_no_duration(&n);
    note_seen(&n, &m->refused, "missing-cell", "a cell without a usable reading; it is left out, not taken as zero");
    note_counter(&n);
    if (m->first_interval_unknown && m->rule == WS_RULE_INTERVAL)
        ws_notes_add(
            notes, "open-first-interval", source, subject, 0,
            "the first interval's length is not recorded: its energy counts, its time does not, so the mean power is "
            "a little high (--edges trim leaves both out)");
    note_power(&n);
}
