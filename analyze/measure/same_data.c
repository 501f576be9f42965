#include "analyze/measure/same_data.h"

#include "analyze/measure/likeness.h"
#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_seen_devices_add(ws_seen_devices *seen, const ws_measure *m)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (d->is_alternative || !d->energy || isnan(d->energy->summary.energy_j))
            continue;
        seen->items = ws_grow(seen->items, &seen->capacity, seen->n + 1, sizeof *seen->items);
        seen->items[seen->n] = (ws_seen_device){.source = ws_arena_strdup(&seen->arena, d->source),
                                                .device = ws_arena_strdup(&seen->arena, d->device),
                                                .domain = d->domain,
                                                .has_date = d->energy->summary.has_start,
                                                .start_ns = d->energy->meter.first_t,
                                                .summary = d->energy->summary,
                                                .window_s = d->energy->window_s,
                                                .order = seen->n};
        seen->n++;
    }
}

/* What is equal comes together, in the order in which it was read. */
static int by_figures(const void *left, const void *right)
{
    const ws_seen_device *a = left, *b = right;
    int order = (a->domain > b->domain) - (a->domain < b->domain);
    order = order ? order : (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    order = order ? order : (a->summary.samples > b->summary.samples) - (a->summary.samples < b->summary.samples);
    order = order ? order : (a->summary.energy_j > b->summary.energy_j) - (a->summary.energy_j < b->summary.energy_j);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static bool are_same(const ws_seen_device *a, const ws_seen_device *b)
{
    return a->domain == b->domain && a->has_date && b->has_date && a->start_ns == b->start_ns &&
           strcmp(a->source, b->source) != 0 && ws_compare_readings(&a->summary, &b->summary) == WS_READINGS_EQUAL;
}

static int by_order(const void *left, const void *right)
{
    const ws_seen_device *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

/* Spreads and extremes of a power that is shown as it is and of its means over a second are not like for like. */
static void note_sensors(const ws_seen_devices *seen, ws_domain domain, ws_notes *notes)
{
    const ws_seen_device *short_one = NULL, *long_one = NULL;
    for (size_t i = 0; i < seen->n; i++) {
        const ws_seen_device *d = &seen->items[i];
        if (d->domain != domain || isnan(d->window_s))
            continue;
        short_one = !short_one || d->window_s < short_one->window_s ? d : short_one;
        long_one = !long_one || d->window_s > long_one->window_s ? d : long_one;
    }
    if (short_one && long_one->window_s > 2 * short_one->window_s)
        ws_notes_add(notes, WS_FINDING_SENSORS_DIFFER, long_one->source, long_one->device, 0,
                     "its readings are means over %.3g s, those of %s in %s over %.3g s: lowest and highest powers and "
                     "spreads of the two are not like for like",
                     long_one->window_s, short_one->device, short_one->source, short_one->window_s);
}

void ws_seen_devices_note(ws_seen_devices *seen, ws_notes *notes)
{
    for (int d = 0; d < WS_DOMAIN_N; d++)
        note_sensors(seen, (ws_domain)d, notes);
    const char **same = ws_alloc((seen->n + 1) * sizeof *same); /* by order: the source that holds it, too */
    if (seen->n)
        qsort(seen->items, seen->n, sizeof *seen->items, by_figures);
    for (size_t i = 1; i < seen->n; i++) {
        const ws_seen_device *before = &seen->items[i - 1], *d = &seen->items[i];
        if (are_same(before, d))
            same[d->order] = same[before->order] ? same[before->order] : before->source;
    }
    if (seen->n)
        qsort(seen->items, seen->n, sizeof *seen->items, by_order);
    for (size_t i = 0; i < seen->n; i++)
        if (same[i])
            ws_notes_add(notes, WS_FINDING_SAME_READINGS, seen->items[i].source, seen->items[i].device, 0,
                         "every reading is that of %s at the same time: the same data under two names (%.6g J stand in "
                         "the rows of both)",
                         same[i], seen->items[i].summary.energy_j);
    free(same);
    free(seen->items);
    ws_arena_free(&seen->arena);
    *seen = (ws_seen_devices){0};
}
