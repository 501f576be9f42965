#include "analyze/ingest/shared_devices.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/measure/likeness.h"

#include <stdlib.h>
#include <string.h>

/* Runs that follow each other may share a poll or two: the logger of one stops after that of the next has begun. */
static const double SHARED_SHARE = 0.05;

void ws_device_times_add(ws_device_times *times, const ws_measure *m, ws_table *runs, size_t row)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (d->is_alternative || !d->energy || !ws_device_has_uuid(d) || !d->energy->reading.has_start)
            continue;
        times->items = ws_grow(times->items, &times->capacity, times->n + 1, sizeof *times->items);
        times->items[times->n++] = (ws_device_time){ws_arena_strdup(&runs->arena, d->device_id),
                                                    d->energy->meter.first_t, d->energy->meter.last_t, row};
    }
}

static int by_device(const void *a, const void *b)
{
    const ws_device_time *x = a, *y = b;
    int order = strcmp(x->uuid, y->uuid);
    order = order ? order : (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static double length_of(const ws_device_time *t)
{
    return (double)t->end_ns - (double)t->start_ns;
}

/* `b` begins later. */
static bool share_time(const ws_device_time *a, const ws_device_time *b)
{
    double end = (double)(a->end_ns < b->end_ns ? a->end_ns : b->end_ns), shared = end - (double)b->start_ns;
    double shorter = length_of(a) < length_of(b) ? length_of(a) : length_of(b);
    return a->row != b->row && shared > SHARED_SHARE * shorter;
}

static void set_status(ws_table *runs, size_t row)
{
    const char *status = runs->columns[WS_COL_STATUS].text[row];
    if (status && strcmp(status, "ok") == 0)
        ws_table_set_text(runs, WS_COL_STATUS, row, "shared-device");
    if (ws_energy_verdict_named(runs->columns[WS_COL_VERDICT].text[row]) != WS_ENERGY_VERDICT_NONE)
        ws_runs_raise_verdict(runs, row, WS_FINDING_SHARED_DEVICE, WS_ENERGY_VERDICT_DOUBTFUL);
}

void ws_device_times_note(ws_device_times *times, ws_table *runs)
{
    if (!times->n)
        return;
    qsort(times->items, times->n, sizeof *times->items, by_device);
    for (size_t i = 0; i < times->n; i++) {
        const ws_device_time *a = &times->items[i], *b = a + 1, *end = times->items + times->n;
        for (; b < end && strcmp(a->uuid, b->uuid) == 0 && b->start_ns < a->end_ns; b++) {
            if (!share_time(a, b))
                continue;
            ws_notes_add(&runs->notes, WS_FINDING_SHARED_DEVICE, runs->columns[WS_COL_RUN].text[b->row], a->uuid, 0,
                         "%s read the same device at the same time, and each run has all of its energy: did both "
                         "use it?",
                         runs->columns[WS_COL_RUN].text[a->row]);
            set_status(runs, a->row);
            set_status(runs, b->row);
        }
    }
    free(times->items);
    *times = (ws_device_times){0};
}
