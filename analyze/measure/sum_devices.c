/* A total under the name of a device. */
#include "analyze/measure/sum_devices.h"

#include "analyze/measure/likeness.h"
#include "analyze/measure/stakes.h"

#include "core/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_DEVICES = 3 };

/* Energies that are further apart, relative, are no sum: readings may lack on either side. Ours. */
static const double NEAR = 0.02;

/* Where the rows of a poll have stamps of their own nothing can be compared reading by reading. Then the mean of as
 * many readings is the sum of the means to so many standard deviations of its rounding, and to a part of it; and the
 * readings spread by so much more, since idle cards add up by chance. Energies of rows add up to their last digits.
 * Ours. */
static const double ROUNDINGS = 4, SAME_MEAN = 1e-4, SPREADS = 100, SAME_ENERGY = 2e-6;

/* Devices of one scope; the largest energy comes last. */
typedef struct scope {
    ws_device **items;
    size_t n;
} scope;

static const ws_channel_summary *summary_of(const ws_device *d)
{
    return &d->energy->summary;
}

static bool energies_add_up(const scope *s, double tolerance)
{
    double others_j = 0, own_j = summary_of(s->items[s->n - 1])->energy_j;
    for (size_t i = 0; i + 1 < s->n; i++)
        others_j += summary_of(s->items[i])->energy_j;
    return fabs(own_j - others_j) <= tolerance * own_j;
}

/* What holds of a sum of as many readings each: its mean is that of the sum, and it goes no further and spreads no more
 * than they together. */
static bool figures_add_up(const scope *s, const ws_fingerprint *sum, const ws_fingerprint *parts)
{
    const ws_channel_summary *own = summary_of(s->items[s->n - 1]);
    ws_channel_summary others = {0};
    double squares = pow(ws_fingerprint_step_w(sum), 2);
    for (size_t i = 0; i + 1 < s->n; i++) {
        const ws_channel_summary *r = summary_of(s->items[i]);
        if (r->samples != own->samples)
            return false;
        others.plain_mean += r->plain_mean, others.plain_sd += r->plain_sd;
        others.min += r->min, others.max += r->max;
        squares += pow(ws_fingerprint_step_w(&parts[i]), 2);
    }
    double room = fmin(ROUNDINGS * sqrt(squares / 12 / (double)own->samples), SAME_MEAN * own->plain_mean);
    double apart = sqrt(12 * squares); /* of one reading, by rounding */
    return fabs(own->plain_mean - others.plain_mean) <= room && own->min >= others.min - apart &&
           own->max <= others.max + apart && own->plain_sd <= others.plain_sd + apart && own->plain_sd > SPREADS * room;
}

static bool readings_add_up(const scope *s)
{
    const ws_device *sum = s->items[s->n - 1];
    ws_quantity quantity = sum->energy->channel.quantity;
    const ws_fingerprint own = ws_fingerprint_of(&sum->energy->watch->fingerprint);
    ws_fingerprint *parts = ws_alloc(s->n * sizeof *parts);
    bool is_alike = summary_of(sum)->samples >= WS_READINGS_ENOUGH;
    for (size_t i = 0; i + 1 < s->n; i++) {
        parts[i] = ws_fingerprint_of(&s->items[i]->energy->watch->fingerprint);
        is_alike &= s->items[i]->energy->channel.quantity == quantity;
    }
    ws_sum_likeness likeness = is_alike ? ws_fingerprints_add_up(&own, parts, s->n - 1) : WS_NO_SUM;
    bool is_sum = likeness == WS_SUM;
    if (likeness == WS_SUM_UNKNOWN)
        is_sum = quantity == WS_POWER ? figures_add_up(s, &own, parts)
                                      : quantity == WS_ENERGY_INTERVAL && energies_add_up(s, SAME_ENERGY);
    free(parts);
    return is_sum;
}

static void doubt_sum(ws_measure *m, const scope *s, ws_notes *notes)
{
    ws_device *sum = s->items[s->n - 1];
    ws_channel_summary *r = &m->channels[sum->energy - m->channels].summary;
    const ws_device *first = s->items[0], *last = first;
    for (size_t i = 1; i + 1 < s->n; i++) {
        first = s->items[i] < first ? s->items[i] : first;
        last = s->items[i] > last ? s->items[i] : last;
    }
    ws_device_stake(sum, m, WS_FINDING_MAYBE_MEASURED_TWICE, r->energy_j);
    if (ws_energy_status_gives_way(r->status))
        r->status = WS_STATUS_MAYBE_MEASURED_TWICE;
    ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, sum->source, sum->device, 0,
                 "its readings are the sum of those of the %zu others, %s %s %s: it is their total rather than one "
                 "more device, and %s may count twice (under the name 'total' it is not added)",
                 s->n - 1, first->device, s->n > LEAST_DEVICES ? "to" : "and", last->device,
                 ws_joules(r->energy_j).text);
}

static bool is_doubted(const ws_device *d)
{
    return summary_of(d)->status == WS_STATUS_MAYBE_MEASURED_TWICE;
}

static void move_largest_behind(scope *s)
{
    size_t most = 0;
    for (size_t i = 1; i < s->n; i++)
        most = summary_of(s->items[i])->energy_j > summary_of(s->items[most])->energy_j ? i : most;
    ws_device *largest = s->items[most];
    s->items[most] = s->items[s->n - 1];
    s->items[s->n - 1] = largest;
}

static void settle_scope(ws_measure *m, scope s, ws_notes *notes)
{
    if (s.n < LEAST_DEVICES)
        return;
    move_largest_behind(&s);
    if (!is_doubted(s.items[s.n - 1]) && energies_add_up(&s, NEAR) && readings_add_up(&s))
        doubt_sum(m, &s, notes);
}

/* Each scope is a stretch of the list: by run, source, node, and the place in the measure. */
static int by_scope(const void *left, const void *right)
{
    const ws_device *a = *(ws_device *const *)left, *b = *(ws_device *const *)right;
    int order = (a->domain > b->domain) - (a->domain < b->domain);
    order = order ? order : strcmp(a->run, b->run);
    order = order ? order : strcmp(a->source, b->source);
    order = order ? order : strcmp(a->node, b->node);
    return order ? order : (a > b) - (a < b);
}

enum { OF_RUN = 1, OF_SOURCE, OF_NODE };

static bool is_of_scope(const ws_device *a, const ws_device *b, int of)
{
    return a->domain == b->domain && strcmp(a->run, b->run) == 0 &&
           (of < OF_SOURCE || strcmp(a->source, b->source) == 0) && (of < OF_NODE || strcmp(a->node, b->node) == 0);
}

void ws_measure_find_sum_devices(ws_measure *m, ws_notes *notes)
{
    ws_device **sorted = ws_alloc((m->n_devices + 1) * sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        if (d->energy && !d->is_alternative && d->domain != WS_OTHER && d->energy->summary.energy_j > 0)
            sorted[n++] = d;
    }
    size_t scopes = n; /* where one holds all, wider ones hold no more */
    for (int of = OF_NODE; n >= LEAST_DEVICES && of >= OF_RUN && scopes > 1; of--) {
        qsort(sorted, n, sizeof *sorted, by_scope);
        scopes = 0;
        for (size_t first = 0, end; first < n; first = end) {
            for (end = first + 1; end < n && is_of_scope(sorted[first], sorted[end], of);)
                end++;
            settle_scope(m, (scope){sorted + first, end - first}, notes);
            scopes++;
        }
    }
    free(sorted);
}
