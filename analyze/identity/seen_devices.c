#include "analyze/identity/seen_devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs that follow each other may share a poll or two: the logger of one stops after that of the next has begun. */
static const double SHARED_SHARE = 0.05;

/* As in rank_logs.c, and how much of the longer one's time two logs share whose means are compared. */
static const double BY_CHANCE = 1e-6, LEAST_CHANCE = 0.01, TELLS_APART = 1e-3, CLOSER = 20, MUCH_OF_TIME = 0.5;

/* The devices of a source, and of a node, mostly follow each other. */
static const char *keep(ws_arena *arena, const char *text, const char *last)
{
    return last && strcmp(text, last) == 0 ? last : ws_arena_strdup(arena, text);
}

void ws_seen_devices_add(ws_seen_devices *seen, const ws_measure *m, size_t owner)
{
    ws_arena *arena = &seen->arena;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (d->is_alternative || !d->energy || isnan(d->energy->summary.energy_j))
            continue;
        seen->items = ws_grow(seen->items, &seen->capacity, seen->n + 1, sizeof *seen->items);
        const ws_seen_device *last = seen->n ? seen->items[seen->n - 1] : &(const ws_seen_device){0};
        ws_seen_device *kept = ws_arena_alloc(arena, sizeof *kept);
        *kept = (ws_seen_device){.source = keep(arena, d->source, last->source),
                                 .node = keep(arena, d->node, last->node),
                                 .device = ws_arena_strdup(arena, d->device),
                                 .uuid = ws_device_has_uuid(d) ? ws_arena_strdup(arena, d->device_id) : NULL,
                                 .domain = d->domain,
                                 .has_date = d->energy->summary.has_start,
                                 .start_ns = d->energy->meter.first_t,
                                 .end_ns = d->energy->meter.last_t,
                                 .readings = ws_readings_of(&d->energy->summary),
                                 .window_s = d->energy->window_s,
                                 .owner = owner,
                                 .order = seen->n};
        seen->items[seen->n++] = kept;
    }
}

void ws_seen_devices_free(ws_seen_devices *seen)
{
    free(seen->items);
    ws_arena_free(&seen->arena);
    *seen = (ws_seen_devices){0};
}

/* Those with uuids, by uuid; then GPUs without, by owner; then the rest, which nothing tells apart. */
static int kind_of(const ws_seen_device *d)
{
    return !d->has_date ? 2 : d->uuid ? 0 : d->domain == WS_GPU ? 1 : 2;
}

static int compare_owners(const ws_seen_device *a, const ws_seen_device *b)
{
    return (a->owner > b->owner) - (a->owner < b->owner);
}

static int by_device(const void *left, const void *right)
{
    const ws_seen_device *a = *(ws_seen_device *const *)left, *b = *(ws_seen_device *const *)right;
    int order = kind_of(a) - kind_of(b);
    if (!order && kind_of(a) == 0)
        order = strcmp(a->uuid, b->uuid);
    else if (!order)
        order = compare_owners(a, b);
    order = order ? order : (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    order = order ? order : compare_owners(a, b);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static double length_of(const ws_seen_device *d)
{
    return (double)d->end_ns - (double)d->start_ns;
}

/* `b` begins later. */
static bool share_time(const ws_seen_device *a, const ws_seen_device *b)
{
    double end = (double)(a->end_ns < b->end_ns ? a->end_ns : b->end_ns), shared = end - (double)b->start_ns;
    return a->owner != b->owner && shared > SHARED_SHARE * fmin(length_of(a), length_of(b));
}

/* --- logs without uuids --- */

/* The GPUs of an owner, and how their mean powers differ. */
typedef struct seen_log {
    ws_seen_device *const *gpus;
    size_t n;
    double sd, range;
} seen_log;

static const ws_seen_device *find_like(const seen_log *log, const ws_seen_device *gpu)
{
    for (size_t i = 0; i < log->n; i++)
        if (strcmp(log->gpus[i]->device, gpu->device) == 0 && strcmp(log->gpus[i]->node, gpu->node) == 0)
            return log->gpus[i];
    return NULL;
}

/* What only one of them holds may part their means, but brings none together. */
static bool share_much_time(const ws_seen_device *a, const ws_seen_device *b)
{
    double end = (double)(a->end_ns < b->end_ns ? a->end_ns : b->end_ns);
    double start = (double)(a->start_ns > b->start_ns ? a->start_ns : b->start_ns);
    double longer = fmax(length_of(a), length_of(b));
    return longer > 0 && end - start >= MUCH_OF_TIME * longer;
}

static void find_spread(seen_log *log)
{
    double mean = 0, squares = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < log->n; i++) {
        double x = log->gpus[i]->readings.mean;
        mean += x / (double)log->n;
        low = fmin(low, x), high = fmax(high, x);
    }
    for (size_t i = 0; i < log->n; i++)
        squares += pow(log->gpus[i]->readings.mean - mean, 2);
    log->range = high - low;
    log->sd = log->n > 1 ? sqrt(squares / (double)(log->n - 1)) : 0;
}

/* All readings are equal; or the means agree far better than GPUs of one log do, by a chance of a millionth. */
static bool are_of_one_node(const seen_log *a, const seen_log *b)
{
    double chance = 1;
    bool equal = true, is_close = a->sd > TELLS_APART * fabs(a->gpus[0]->readings.mean);
    for (size_t i = 0; i < a->n && (equal || is_close); i++) {
        const ws_seen_device *x = a->gpus[i], *y = find_like(b, x);
        if (!y || !share_much_time(x, y))
            return false;
        double difference = fabs(x->readings.mean - y->readings.mean);
        equal = equal && ws_compare_kept_readings(&x->readings, &y->readings) == WS_READINGS_EQUAL;
        is_close = is_close && difference * CLOSER < a->range;
        chance *= fmin(fmax(difference / (sqrt(acos(-1)) * a->sd), LEAST_CHANCE), 1);
    }
    return equal || (is_close && chance < BY_CHANCE);
}

static int logs_by_start(const void *left, const void *right)
{
    const ws_seen_device *a = *((const seen_log *)left)->gpus, *b = *((const seen_log *)right)->gpus;
    int order = (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    return order ? order : compare_owners(a, b);
}

/* `items`: GPUs without uuids, by owner. */
static void pair_logs(ws_seen_device *const *items, size_t n, ws_seen_pair *pair, void *state)
{
    seen_log *logs = ws_alloc((n + 1) * sizeof *logs);
    size_t n_logs = 0;
    for (size_t i = 0; i < n; i++) {
        if (!i || items[i]->owner != items[i - 1]->owner)
            logs[n_logs++] = (seen_log){.gpus = &items[i]};
        logs[n_logs - 1].n++;
    }
    for (size_t i = 0; i < n_logs; i++)
        find_spread(&logs[i]);
    qsort(logs, n_logs, sizeof *logs, logs_by_start);
    for (size_t i = 0; i < n_logs; i++)
        for (size_t k = i + 1; k < n_logs && (*logs[k].gpus)->start_ns < (*logs[i].gpus)->end_ns; k++)
            if (logs[i].n == logs[k].n && share_much_time(*logs[i].gpus, *logs[k].gpus) &&
                are_of_one_node(&logs[i], &logs[k]))
                pair(state, *logs[i].gpus, *logs[k].gpus);
    free(logs);
}

static size_t count_kind(const ws_seen_devices *seen, size_t from, int kind)
{
    size_t n = 0;
    while (from + n < seen->n && kind_of(seen->items[from + n]) == kind)
        n++;
    return n;
}

/* `b` begins later. */
static bool overlap(const ws_seen_device *a, const ws_seen_device *b)
{
    return strcmp(a->uuid, b->uuid) == 0 && b->start_ns < a->end_ns;
}

void ws_seen_devices_pairs(ws_seen_devices *seen, ws_seen_pair *pair, void *state)
{
    if (!seen->n)
        return;
    qsort(seen->items, seen->n, sizeof *seen->items, by_device);
    size_t with_uuid = count_kind(seen, 0, 0);
    pair_logs(seen->items + with_uuid, count_kind(seen, with_uuid, 1), pair, state);
    for (size_t i = 0; i < with_uuid; i++) {
        const ws_seen_device *a = seen->items[i];
        for (size_t k = i + 1; k < with_uuid && overlap(a, seen->items[k]); k++)
            if (share_time(a, seen->items[k]))
                pair(state, a, seen->items[k]);
    }
}
