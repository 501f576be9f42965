#include "analyze/identity/seen_devices.h"
#include "analyze/identity/agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs that follow each other may share a poll or two: the logger of one stops after that of the next has begun. */
static const double SHARED_SHARE = 0.05;

/* How much of the longer one's time two logs share whose means are compared. */
static const double MUCH_OF_TIME = 0.5;

/* So many readings at the same times, of which none is the same, are of two devices. */
enum { ENOUGH_TO_DIFFER = 4 };

/* The devices of a source, and of a node, mostly follow each other. */
static const char *keep(ws_arena *arena, const char *text, const char *last)
{
    return last && strcmp(text, last) == 0 ? last : ws_arena_strdup(arena, text);
}

void ws_seen_devices_add(ws_seen_devices *seen, const ws_measure *m, size_t owner)
{
    ws_arena *arena = &seen->arena;
    size_t at = seen->last; /* logs mostly have the devices of the one before */
    seen->last = seen->n;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (d->is_alternative || !d->energy || isnan(d->energy->summary.energy_j))
            continue;
        seen->items = ws_grow(seen->items, &seen->capacity, seen->n + 1, sizeof *seen->items);
        const ws_seen_device none = {0}, *last = seen->n ? seen->items[seen->n - 1] : &none;
        const ws_seen_device *like = at < seen->last ? seen->items[at++] : &none;
        ws_seen_device *kept = ws_arena_alloc(arena, sizeof *kept);
        *kept = (ws_seen_device){.source = keep(arena, d->source, last->source),
                                 .node = keep(arena, d->node, last->node),
                                 .device = keep(arena, d->device, like->device),
                                 .uuid = ws_device_has_uuid(d) ? ws_arena_strdup(arena, d->device_id) : NULL,
                                 .domain = d->domain,
                                 .has_date = d->energy->summary.has_start,
                                 .start_ns = d->energy->meter.first_t,
                                 .end_ns = d->energy->meter.last_t,
                                 .readings = ws_readings_of(&d->energy->summary),
                                 .fingerprint = ws_fingerprint_copy(arena, &d->energy->watch->fingerprint),
                                 .window_s = d->energy->window_s,
                                 .owner = owner,
                                 .order = seen->n};
        seen->items[seen->n++] = kept;
    }
}

void ws_seen_devices_move(ws_seen_devices *into, ws_seen_devices *from, const char *source)
{
    size_t owner = into->n ? into->items[into->n - 1]->owner + 1 : 0;
    for (size_t i = 0; i < from->n; i++) {
        ws_seen_device *d = from->items[i];
        if (strcmp(d->source, source) != 0)
            continue;
        into->items = ws_grow(into->items, &into->capacity, into->n + 1, sizeof *into->items);
        d->owner = owner;
        d->order = into->n;
        d->is_paired = false;
        into->items[into->n++] = d;
    }
    ws_arena_join(&into->arena, &from->arena);
    ws_seen_devices_free(from);
}

void ws_seen_devices_free(ws_seen_devices *seen)
{
    free(seen->items);
    ws_arena_free(&seen->arena);
    *seen = (ws_seen_devices){0};
}

/* Those with uuids, by uuid; then GPUs without and processors, by owner, and those without dates; then the rest, which
 * nothing tells apart. */
enum { WITH_UUID, GPUS, PROCESSORS, UNDATED, REST };

static int kind_of(const ws_seen_device *d)
{
    bool is_told = d->domain == WS_GPU || d->domain == WS_CPU;
    return !d->has_date          ? is_told ? UNDATED : REST
           : d->uuid             ? WITH_UUID
           : d->domain == WS_GPU ? GPUS
           : is_told             ? PROCESSORS
                                 : REST;
}

static int compare_owners(const ws_seen_device *a, const ws_seen_device *b)
{
    return (a->owner > b->owner) - (a->owner < b->owner);
}

static int by_device(const void *left, const void *right)
{
    const ws_seen_device *a = *(ws_seen_device *const *)left, *b = *(ws_seen_device *const *)right;
    int order = kind_of(a) - kind_of(b);
    if (!order && kind_of(a) == WITH_UUID)
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
    return shared > SHARED_SHARE * fmin(length_of(a), length_of(b));
}

/* What is paired: the GPUs of an owner, and how their mean powers differ; or a device with a uuid. */
typedef struct seen_log {
    ws_seen_device *const *gpus;
    size_t n;
    ws_gpu_spread means;
} seen_log;

/* --- logs without uuids --- */

/* Texts are mostly kept once. */
static bool is_same_text(const char *a, const char *b)
{
    return a == b || strcmp(a, b) == 0;
}

static const ws_seen_device *find_like(const seen_log *log, const ws_seen_device *gpu)
{
    for (size_t i = 0; i < log->n; i++)
        if (is_same_text(log->gpus[i]->device, gpu->device) && is_same_text(log->gpus[i]->node, gpu->node))
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
    log->means = (ws_gpu_spread){low, high, mean, log->n > 1 ? sqrt(squares / (double)(log->n - 1)) : 0};
}

/* What two devices share, of the pair that was asked last: two tests ask it of the first GPUs of all logs of one time,
 * and of nearly all pairs of those nothing else. */
typedef struct asked_pair {
    const ws_seen_device *x, *y;
    ws_shared_readings shared;
} asked_pair;

static const ws_shared_readings *shared_by(asked_pair *asked, const ws_seen_device *x, const ws_seen_device *y)
{
    if (asked->x != x || asked->y != y) {
        *asked = (asked_pair){x, y, {.chance = 1}};
        ws_fingerprints_compare(&asked->shared, &x->fingerprint, &y->fingerprint);
    }
    return &asked->shared;
}

/* A copy that ends earlier: no two devices have the same readings at first. */
static bool begin_alike(const ws_seen_device *x, const ws_seen_device *y, asked_pair *asked)
{
    return x->start_ns == y->start_ns &&
           (ws_fingerprints_are_one(&x->fingerprint, &y->fingerprint) ||
            ws_are_shared_readings(shared_by(asked, x, y))) &&
           strcmp(x->source, y->source) != 0;
}

/* All readings are equal; or the means agree far better than GPUs of one log do, and by no chance. */
static bool are_of_one_node(const seen_log *a, const seen_log *b, asked_pair *asked)
{
    ws_agreement chance = {1, 1};
    bool equal = true, is_close = ws_spread_tells(&a->means);
    for (size_t i = 0; i < a->n; i++) {
        const ws_seen_device *x = a->gpus[i], *y = find_like(b, x);
        if (!y || !share_much_time(x, y))
            return false;
        double difference = fabs(x->readings.mean - y->readings.mean);
        equal = equal &&
                (ws_compare_kept_readings(&x->readings, &y->readings) == WS_READINGS_EQUAL || begin_alike(x, y, asked));
        is_close = is_close && ws_is_far_closer(difference, &a->means);
        if (!equal && !is_close)
            return false;
        chance.as_in_log *= ws_chance_in_log(difference, &a->means);
        chance.as_cards *= ws_chance_of_cards(difference, x->readings.mean);
    }
    return equal || (is_close && ws_agree_by_no_chance(&chance));
}

/* Processors of two nodes may draw about the same, and never to the last digit. */
static bool are_equal(const seen_log *a, const seen_log *b)
{
    for (size_t i = 0; i < a->n; i++) {
        const ws_seen_device *x = a->gpus[i], *y = find_like(b, x);
        if (!y || ws_compare_kept_readings(&x->readings, &y->readings) != WS_READINGS_EQUAL)
            return false;
    }
    return a->n == b->n;
}

static int logs_by_start(const void *left, const void *right)
{
    const ws_seen_device *a = *((const seen_log *)left)->gpus, *b = *((const seen_log *)right)->gpus;
    int order = (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    return order ? order : compare_owners(a, b);
}

/* Of two devices over the same time. */
static double chance_of_means(const ws_seen_device *x, const ws_seen_device *y)
{
    static const double same_time = 0.01;
    bool is_one_time = fabs(length_of(x) - length_of(y)) <= same_time * length_of(x);
    return is_one_time ? ws_chance_of_cards(x->readings.mean - y->readings.mean, x->readings.mean) : 1;
}

/* What both hold of all GPUs is the same: a copy with a tenth of the rows, or in whole watts; a log that goes on into
 * the time of the next run; or a part that was cut out of a log. */
static bool share_readings(const seen_log *a, const seen_log *b, asked_pair *asked)
{
    bool is_copy = share_much_time(*a->gpus, *b->gpus);
    ws_shared_readings shared = {.chance = 1};
    for (size_t i = 0; i < a->n; i++) {
        const ws_seen_device *x = a->gpus[i], *y = find_like(b, x);
        if (!y)
            return false;
        if (!i)
            shared = *shared_by(asked, x, y);
        else
            ws_fingerprints_compare(&shared, &x->fingerprint, &y->fingerprint);
        shared.chance *= is_copy ? chance_of_means(x, y) : 1;
        if ((shared.n >= ENOUGH_TO_DIFFER && !shared.n_agree) || strcmp(x->source, y->source) == 0)
            return false;
    }
    return ws_are_shared_readings(&shared);
}

/* The largest chance that a log with fewer rows holds the means of every few rows of another one; the least that one
 * GPU makes it, and the fewest rows. Ours. */
static const double MEANS_BY_CHANCE = 1e-3, LEAST_OF_MEANS = 1e-4;
enum { ENOUGH_MEANS = 8 };

/* That the readings of `y` look like means of every n readings of `x` by chance. All of them together are the sum of
 * those of `x`, but for those beyond the last whole row or in rows that are not full, which lie between its lowest and
 * highest. Another card of the kind has another mean (ws_alike). 1: they do not look like it. */
static double chance_of_means_of(const ws_seen_device *x, const ws_seen_device *y)
{
    static const double roundings = 4;
    const ws_readings *fine = &x->readings, *means = &y->readings;
    double rows = (double)fine->samples, n = round(rows / (double)means->samples);
    double covered = n * (double)means->samples, rest = fabs(rows - covered);
    if (means->samples < ENOUGH_MEANS || n < 2 || rest >= 2 * n || !(fine->plain_sd > means->plain_sd))
        return 1;
    double step_w = ws_fingerprint_step_w(&y->fingerprint);
    double rounding_w = roundings * step_w / sqrt(12 * (double)means->samples);
    double over_w = (rows * fine->plain_mean - covered * means->plain_mean) / covered;
    double of_rest_w = rows < covered ? -over_w : over_w, share = rest / covered;
    bool is_sum = of_rest_w >= share * fine->min - rounding_w && of_rest_w <= share * fine->max + rounding_w &&
                  means->min >= fine->min - step_w && means->max <= fine->max + step_w;
    double chance = (share * (fine->max - fine->min) + 2 * rounding_w) / (sqrt(acos(-1)) * ws_alike * fine->plain_mean);
    return is_sum && chance < 1 ? fmax(chance, LEAST_OF_MEANS) : 1;
}

static bool are_means_of(const seen_log *fine, const seen_log *means)
{
    double chance = 1;
    for (size_t i = 0; i < fine->n; i++) {
        const ws_seen_device *x = fine->gpus[i], *y = find_like(means, x);
        double of_gpu = y && share_much_time(x, y) && strcmp(x->source, y->source) != 0 ? chance_of_means_of(x, y) : 1;
        if (of_gpu >= 1)
            return false;
        chance *= of_gpu;
    }
    return chance <= MEANS_BY_CHANCE;
}

/* A merged log and what may be a part of it, which is told by itself. */
static bool is_told_as_merged(const seen_log *a, const seen_log *b)
{
    return (*a->gpus)->is_merged != (*b->gpus)->is_merged;
}

/* Or their counters rise alike. */
static bool processors_are_one(const seen_log *a, const seen_log *b)
{
    asked_pair asked = {0};
    if (is_told_as_merged(a, b))
        return false;
    return are_equal(a, b) || (a->n == b->n && share_time(*a->gpus, *b->gpus) && share_readings(a, b, &asked));
}

/* `b` begins later. */
static bool logs_are_one(const seen_log *a, const seen_log *b)
{
    asked_pair asked = {0};
    return a->n == b->n && !is_told_as_merged(a, b) && share_time(*a->gpus, *b->gpus) &&
           ((share_much_time(*a->gpus, *b->gpus) && are_of_one_node(a, b, &asked)) || share_readings(a, b, &asked) ||
            are_means_of(a, b) || are_means_of(b, a));
}

static bool devices_are_one(const seen_log *a, const seen_log *b)
{
    return share_time(*a->gpus, *b->gpus);
}

/* --- pairs --- */

/* Copies of a file are many and alike: what holds for one of them holds for all. */
typedef struct alike {
    const seen_log **logs; /* in the order of the list */
    const ws_seen_device **first;
    size_t n;
} alike;

/* The later one, and those of one kind that are before it, as their first devices. */
typedef struct seen_event {
    const seen_log *a, *b;
    const ws_seen_device *const *before;
    size_t n;
} seen_event;

typedef struct pairing {
    const seen_log *logs; /* by uuid, start and owner */
    size_t n;
    bool (*are_one)(const seen_log *a, const seen_log *b);
    bool is_undated; /* then nothing but equal readings says that two are at one time */
    alike *kinds;    /* by their first logs */
    size_t n_kinds;
    seen_event *events;
    size_t n_events, capacity;
} pairing;

static int compare_uuids(const ws_seen_device *a, const ws_seen_device *b)
{
    return a->uuid && b->uuid ? strcmp(a->uuid, b->uuid) : 0; /* a list has them or not */
}

static int compare_times(const ws_seen_device *a, const ws_seen_device *b)
{
    int order = (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    return order ? order : (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

/* By everything that are_one looks at. */
static int compare_logs(const seen_log *a, const seen_log *b)
{
    int order = compare_uuids(*a->gpus, *b->gpus);
    order = order ? order : (a->n > b->n) - (a->n < b->n);
    for (size_t i = 0; !order && i < a->n; i++) {
        const ws_seen_device *x = a->gpus[i], *y = b->gpus[i];
        order = compare_times(x, y);
        order = order ? order : (x->is_merged > y->is_merged) - (x->is_merged < y->is_merged);
        if (!order && !x->uuid) {
            order = strcmp(x->device, y->device);
            order = order ? order : strcmp(x->node, y->node);
            order = order ? order : memcmp(&x->readings, &y->readings, sizeof x->readings);
            order = order ? order : ws_fingerprints_order(&x->fingerprint, &y->fingerprint);
        }
    }
    return order;
}

static int by_likeness(const void *left, const void *right)
{
    const seen_log *a = *(const seen_log *const *)left, *b = *(const seen_log *const *)right;
    int order = compare_logs(a, b);
    return order ? order : (a > b) - (a < b);
}

static int by_first_log(const void *left, const void *right)
{
    const seen_log *a = *((const alike *)left)->logs, *b = *((const alike *)right)->logs;
    return (a > b) - (a < b);
}

static void find_kinds(pairing *p, const seen_log **logs, const ws_seen_device **first)
{
    for (size_t i = 0; i < p->n; i++)
        logs[i] = &p->logs[i];
    qsort(logs, p->n, sizeof *logs, by_likeness);
    for (size_t i = 0; i < p->n; i++) {
        first[i] = *logs[i]->gpus;
        if (!i || compare_logs(logs[i - 1], logs[i]) != 0)
            p->kinds[p->n_kinds++] = (alike){.logs = &logs[i], .first = &first[i]};
        p->kinds[p->n_kinds - 1].n++;
    }
    qsort(p->kinds, p->n_kinds, sizeof *p->kinds, by_first_log);
}

static void add_event(pairing *p, const alike *a, size_t from, size_t n, const seen_log *b)
{
    p->events = ws_grow(p->events, &p->capacity, p->n_events + 1, sizeof *p->events);
    p->events[p->n_events++] = (seen_event){.a = a->logs[from], .b = b, .before = &a->first[from], .n = n};
    (*b->gpus)->is_paired = true;
}

/* Logs of one kind begin together, and so they stand by owner: of those before a log the ones of owners before its own
 * are the first. */
static void pair_kinds(pairing *p, const alike *a, const alike *b)
{
    size_t n = 0, most = 0;
    for (size_t k = 0; k < b->n; k++) {
        const seen_log *later = b->logs[k];
        size_t owner = (*later->gpus)->owner;
        while (n < a->n && a->logs[n] < later)
            n++;
        size_t less = n;
        while (less && a->first[less - 1]->owner >= owner)
            less--;
        if (less)
            add_event(p, a, 0, less, later);
        most = less > most ? less : most;
        for (size_t i = less; i < n; i++)
            if (a->first[i]->owner > owner) {
                add_event(p, a, i, 1, later);
                (*a->logs[i]->gpus)->is_paired = true;
            }
    }
    for (size_t i = 0; i < most; i++)
        (*a->logs[i]->gpus)->is_paired = true;
}

static bool begin_together(const alike *a, const alike *b)
{
    return compare_uuids(*a->first, *b->first) == 0 && (*a->first)->start_ns == (*b->first)->start_ns;
}

/* `b` begins later. */
static bool overlap(const alike *a, const alike *b)
{
    return compare_uuids(*a->first, *b->first) == 0 && (*b->first)->start_ns < (*a->first)->end_ns;
}

/* A file that a table names for several runs is no copy. */
static bool are_of_one_file(const alike *a)
{
    size_t i = 1;
    while (i < a->n && strcmp(a->first[i]->source, (*a->first)->source) == 0)
        i++;
    return i >= a->n;
}

static int by_place(const void *left, const void *right)
{
    const seen_event *x = left, *y = right;
    int order = (x->a > y->a) - (x->a < y->a);
    return order ? order : (x->b > y->b) - (x->b < y->b);
}

static void call_pairs(const seen_log *logs, size_t n, bool (*are_one)(const seen_log *, const seen_log *),
                       ws_seen_pair *pair, void *state)
{
    pairing p = {.logs = logs,
                 .n = n,
                 .are_one = are_one,
                 .is_undated = n && !(*logs->gpus)->has_date,
                 .kinds = ws_alloc((n + 1) * sizeof *p.kinds)};
    const seen_log **list = ws_alloc((n + 1) * sizeof *list);
    const ws_seen_device **first = ws_alloc((n + 1) * sizeof *first);
    find_kinds(&p, list, first);
    for (size_t i = 0; i < p.n_kinds; i++) {
        const alike *a = &p.kinds[i], *b = a;
        if (p.is_undated && are_of_one_file(a))
            continue;
        while (!p.is_undated && b > p.kinds && begin_together(a, b - 1))
            b--;
        for (; p.is_undated ? b == a : b < p.kinds + p.n_kinds && overlap(a, b); b++)
            if (b->logs[b->n - 1] > a->logs[0] && p.are_one(a->logs[0], b->logs[0]))
                pair_kinds(&p, a, b);
    }
    if (p.n_events)
        qsort(p.events, p.n_events, sizeof *p.events, by_place);
    for (size_t i = 0; i < p.n_events; i++)
        pair(state, p.events[i].before, p.events[i].n, *p.events[i].b->gpus);
    free(p.events);
    free(p.kinds);
    free(first);
    free(list);
}

/* `items`: devices of one domain without uuids, by owner. */
static void pair_logs(ws_seen_device *const *items, size_t n, bool (*are_one)(const seen_log *, const seen_log *),
                      ws_seen_pair *pair, void *state)
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
    call_pairs(logs, n_logs, are_one, pair, state);
    free(logs);
}

/* `items`: by uuid, start and owner. */
static void pair_devices(ws_seen_device *const *items, size_t n, ws_seen_pair *pair, void *state)
{
    seen_log *logs = ws_alloc((n + 1) * sizeof *logs);
    for (size_t i = 0; i < n; i++)
        logs[i] = (seen_log){.gpus = &items[i], .n = 1};
    call_pairs(logs, n, devices_are_one, pair, state);
    free(logs);
}

static size_t count_kind(const ws_seen_devices *seen, size_t from, int kind)
{
    size_t n = 0;
    while (from + n < seen->n && kind_of(seen->items[from + n]) == kind)
        n++;
    return n;
}

/* Logs mostly come one after the other. */
static bool are_sorted(const ws_seen_devices *seen)
{
    size_t i = 1;
    while (i < seen->n && by_device(&seen->items[i - 1], &seen->items[i]) <= 0)
        i++;
    return i >= seen->n;
}

void ws_seen_devices_pairs(ws_seen_devices *seen, ws_seen_pair *pair, void *state)
{
    if (!seen->n)
        return;
    if (!are_sorted(seen))
        qsort(seen->items, seen->n, sizeof *seen->items, by_device);
    size_t with_uuid = count_kind(seen, 0, WITH_UUID), gpus = count_kind(seen, with_uuid, GPUS);
    size_t processors = count_kind(seen, with_uuid + gpus, PROCESSORS);
    pair_logs(seen->items + with_uuid, gpus, logs_are_one, pair, state);
    if (!with_uuid && !gpus) /* which would tell the same */
        pair_logs(seen->items, processors, processors_are_one, pair, state);
    size_t undated = count_kind(seen, with_uuid + gpus + processors, UNDATED);
    pair_logs(seen->items + with_uuid + gpus + processors, undated, are_equal, pair, state);
    pair_devices(seen->items, with_uuid, pair, state);
}
