#include "analyze/ingest/shared_devices.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/measure/likeness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs that follow each other may share a poll or two: the logger of one stops after that of the next has begun. */
static const double SHARED_SHARE = 0.05;

/* As in rank_logs.c, and how much of the longer one's time two logs share whose means are compared. */
static const double BY_CHANCE = 1e-6, LEAST_CHANCE = 0.01, TELLS_APART = 1e-3, CLOSER = 20, MUCH_OF_TIME = 0.5;

void ws_device_times_add(ws_device_times *times, const ws_measure *m, ws_table *runs, size_t row)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        bool has_uuid = ws_device_has_uuid(d);
        if (d->is_alternative || !d->energy || !d->energy->summary.has_start || (!has_uuid && d->domain != WS_GPU))
            continue;
        times->items = ws_grow(times->items, &times->capacity, times->n + 1, sizeof *times->items);
        times->items[times->n++] =
            (ws_device_time){.uuid = has_uuid ? ws_arena_strdup(&runs->arena, d->device_id) : NULL,
                             .node = has_uuid ? "" : ws_arena_strdup(&runs->arena, d->node),
                             .device = has_uuid ? "" : ws_arena_strdup(&runs->arena, d->device),
                             .start_ns = d->energy->meter.first_t,
                             .end_ns = d->energy->meter.last_t,
                             .summary = d->energy->summary,
                             .row = row};
    }
}

static int by_device(const void *a, const void *b)
{
    const ws_device_time *x = a, *y = b;
    int order = !x->uuid - !y->uuid; /* those without come last, run by run */
    if (!order && !x->uuid)
        order = (x->row > y->row) - (x->row < y->row);
    else if (!order)
        order = strcmp(x->uuid, y->uuid);
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

/* --- logs without uuids --- */

/* The GPUs of a run. */
typedef struct run_log {
    const ws_device_time *gpus;
    size_t n;
} run_log;

static const ws_device_time *find_like(const run_log *log, const ws_device_time *gpu)
{
    for (size_t i = 0; i < log->n; i++)
        if (strcmp(log->gpus[i].device, gpu->device) == 0 && strcmp(log->gpus[i].node, gpu->node) == 0)
            return &log->gpus[i];
    return NULL;
}

/* What only one of them holds may part their means, but brings none together. */
static bool share_much_time(const ws_device_time *a, const ws_device_time *b)
{
    double end = (double)(a->end_ns < b->end_ns ? a->end_ns : b->end_ns);
    double start = (double)(a->start_ns > b->start_ns ? a->start_ns : b->start_ns);
    double longer = length_of(a) > length_of(b) ? length_of(a) : length_of(b);
    return longer > 0 && end - start >= MUCH_OF_TIME * longer;
}

static double spread_of(const run_log *log, double *range)
{
    double mean = 0, squares = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < log->n; i++) {
        double x = log->gpus[i].summary.mean;
        mean += x / (double)log->n;
        low = fmin(low, x), high = fmax(high, x);
    }
    for (size_t i = 0; i < log->n; i++)
        squares += pow(log->gpus[i].summary.mean - mean, 2);
    *range = high - low;
    return log->n > 1 ? sqrt(squares / (double)(log->n - 1)) : 0;
}

/* All readings are equal; or the means agree far better than GPUs of one log do, by a chance of a millionth. */
static bool are_of_one_node(const run_log *a, const run_log *b)
{
    double range, sd = spread_of(a, &range), chance = 1, farthest = 0;
    bool equal = true;
    for (size_t i = 0; i < a->n; i++) {
        const ws_device_time *x = &a->gpus[i], *y = find_like(b, x);
        if (!y || !share_much_time(x, y))
            return false;
        double difference = fabs(x->summary.mean - y->summary.mean);
        equal &= ws_compare_readings(&x->summary, &y->summary) == WS_READINGS_EQUAL;
        farthest = fmax(farthest, difference);
        chance *= fmin(fmax(difference / (sqrt(acos(-1)) * sd), LEAST_CHANCE), 1);
    }
    bool tells_apart = sd > TELLS_APART * fabs(a->gpus[0].summary.mean);
    return equal || (tells_apart && chance < BY_CHANCE && farthest * CLOSER < range);
}

static void set_status(ws_table *runs, size_t row)
{
    const char *status = runs->columns[WS_COL_STATUS].text[row];
    if (status && strcmp(status, "ok") == 0)
        ws_table_set_text(runs, WS_COL_STATUS, row, "shared-device");
    if (ws_energy_verdict_named(runs->columns[WS_COL_VERDICT].text[row]) != WS_ENERGY_VERDICT_NONE)
        ws_runs_raise_verdict(runs, row, WS_FINDING_SHARED_DEVICE, WS_ENERGY_VERDICT_DOUBTFUL);
}

static void note_one_node(ws_table *runs, size_t row, size_t other)
{
    const char *const *names = (const char *const *)runs->columns[WS_COL_RUN].text;
    ws_notes_add(
        &runs->notes, WS_FINDING_SHARED_DEVICE, names[row > other ? row : other], "", 0,
        "%s has the same readings of the same GPUs at the same time, by more than chance, and each run has all "
        "of their energy: did both use them?",
        names[row > other ? other : row]);
    set_status(runs, row);
    set_status(runs, other);
}

static int shared_devices_by_start(const void *a, const void *b)
{
    const ws_device_time *x = ((const run_log *)a)->gpus, *y = ((const run_log *)b)->gpus;
    int order = (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* `items`: those without uuids, run by run. */
static void compare_logs(const ws_device_time *items, size_t n, ws_table *runs)
{
    run_log *logs = ws_alloc((n + 1) * sizeof *logs);
    size_t n_logs = 0;
    for (size_t i = 0; i < n; i++) {
        if (!i || items[i].row != items[i - 1].row)
            logs[n_logs++] = (run_log){&items[i], 0};
        logs[n_logs - 1].n++;
    }
    qsort(logs, n_logs, sizeof *logs, shared_devices_by_start);
    for (size_t i = 0; i < n_logs; i++)
        for (size_t k = i + 1; k < n_logs && logs[k].gpus->start_ns < logs[i].gpus->end_ns; k++)
            if (logs[i].n == logs[k].n && share_much_time(logs[i].gpus, logs[k].gpus) &&
                are_of_one_node(&logs[i], &logs[k]))
                note_one_node(runs, logs[i].gpus->row, logs[k].gpus->row);
    free(logs);
}

void ws_device_times_note(ws_device_times *times, ws_table *runs)
{
    if (!times->n)
        return;
    qsort(times->items, times->n, sizeof *times->items, by_device);
    size_t with_uuid = 0;
    while (with_uuid < times->n && times->items[with_uuid].uuid)
        with_uuid++;
    compare_logs(times->items + with_uuid, times->n - with_uuid, runs);
    for (size_t i = 0; i < with_uuid; i++) {
        const ws_device_time *a = &times->items[i], *b = a + 1, *end = times->items + with_uuid;
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
