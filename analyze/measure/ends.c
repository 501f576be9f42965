#include "analyze/measure/ends.h"

#include <math.h>
#include <string.h>

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

static bool has_stretch(const ws_measured *c)
{
    return ws_quantity_gives_energy(c->channel.quantity) && c->meter.has_last && c->channel.time != WS_TIME_NONE &&
           c->meter.rule != WS_RULE_GIVEN;
}

/* A clock that steps back may end before it began. */
static stretch stretch_of(const ws_measured *c)
{
    stretch first = {c->meter.first_t, c->meter.first_t}, last = {c->meter.last_t, c->meter.last_t};
    return both(first, last);
}

static bool is_beside(const ws_measured *a, const ws_measured *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->channel.run, b->channel.run) == 0;
}

/* What the channels of one source and run cover; they come together, `from` is the first. *next gets the one behind. */
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

static bool is_graver(const char *status)
{
    return strcmp(status, "ok") != 0 && strcmp(status, "long-gap") != 0;
}

static void judge(ws_measured *c, stretch all, ws_notes *notes)
{
    stretch own = stretch_of(c);
    double before = seconds(all.start_ns, own.start_ns), behind = seconds(own.end_ns, all.end_ns);
    double covered = seconds(own.start_ns, own.end_ns), whole = seconds(all.start_ns, all.end_ns);
    double usual = covered / (double)(c->reading.samples - 1);
    if (!(fmax(before, behind) > fmax(usual_intervals * usual, share_of_file * whole)))
        return;
    if (notes)
        ws_notes_add(
            notes, WS_FINDING_SHORT_TRACE, c->source, c->channel.device, 0,
            "its readings cover %.6g s of the %.6g s that the file covers (%.6g s are missing at the start, %.6g s at "
            "the end), and so does its energy",
            covered, whole, before, behind);
    if (!is_graver(c->reading.status))
        c->reading.status = "short-trace";
}

void ws_measure_judge_ends(ws_measure *m, ws_notes *notes)
{
    size_t next;
    for (size_t from = 0; from < m->n_channels; from = next) {
        stretch all = cover(m, from, &next);
        for (size_t i = from; i < next; i++) {
            ws_measured *c = &m->channels[i];
            if (m->devices[c->device].energy == c && has_stretch(c) && !isnan(c->reading.energy_j) &&
                c->reading.samples > 1)
                judge(c, all, notes);
        }
    }
}
