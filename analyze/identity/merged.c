#include "analyze/identity/merged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whoever merges tables may print fewer digits of a power, and whole seconds. Ours. */
static const double SAME_POWER = 1e-3;
static const int64_t SAME_STAMP_NS = INT64_C(1000000000);

/* Of devices that begin at once, or within a merged log, so many are looked at that are no part of it. */
enum { MOST_OTHERS = 256 };

static int compare_devices(const ws_seen_device *a, const ws_seen_device *b)
{
    int order = (a->has_date < b->has_date) - (a->has_date > b->has_date);
    order = order ? order : (a->domain > b->domain) - (a->domain < b->domain);
    order = order ? order : (a->uuid == NULL) - (b->uuid == NULL);
    if (order || (a->uuid && b->uuid))
        return order ? order : strcmp(a->uuid, b->uuid);
    order = a->device == b->device ? 0 : strcmp(a->device, b->device); /* mostly the very same */
    return order || a->node == b->node ? order : strcmp(a->node, b->node);
}

/* Of those that begin together the longest is first: it may hold the others. */
static int by_device(const void *left, const void *right)
{
    const ws_seen_device *a = *(ws_seen_device *const *)left, *b = *(ws_seen_device *const *)right;
    int order = compare_devices(a, b);
    order = order ? order : (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    order = order ? order : (a->end_ns < b->end_ns) - (a->end_ns > b->end_ns);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static bool is_same(double a, double b)
{
    return fabs(a - b) <= SAME_POWER * fabs(a) || (isnan(a) && isnan(b));
}

/* What the parts that were found so far hold together. */
typedef struct sum_of_parts {
    uint64_t samples;
    double min, max, weighted; /* the means, by their readings */
    int64_t end_ns;
    size_t *owners, n;
} sum_of_parts;

static bool is_part(const ws_seen_device *whole, const ws_seen_device *d, const sum_of_parts *sum)
{
    return d->owner != whole->owner && strcmp(d->source, whole->source) != 0 && d->start_ns > sum->end_ns &&
           d->end_ns <= whole->end_ns + SAME_STAMP_NS && d->readings.samples < whole->readings.samples;
}

static void add_part(sum_of_parts *sum, const ws_seen_device *d)
{
    sum->samples += d->readings.samples;
    sum->min = sum->n ? fmin(sum->min, d->readings.min) : d->readings.min;
    sum->max = sum->n ? fmax(sum->max, d->readings.max) : d->readings.max;
    sum->weighted += d->readings.plain_mean * (double)d->readings.samples;
    sum->end_ns = d->end_ns;
    sum->owners[sum->n++] = d->owner;
}

/* A counter has no lowest reading, and the time between the parts belongs to the merged log alone. */
static bool holds(const ws_seen_device *whole, const sum_of_parts *sum)
{
    const ws_readings *r = &whole->readings;
    return sum->n > 1 && r->samples >= WS_READINGS_ENOUGH && sum->samples == r->samples &&
           llabs(sum->end_ns - whole->end_ns) <= SAME_STAMP_NS &&
           (isnan(r->min) || (r->max > r->min && is_same(r->min, sum->min) && is_same(r->max, sum->max) &&
                              is_same(r->plain_mean, sum->weighted / (double)sum->samples)));
}

/* `items`: of one device, by their beginnings; `at` begins no later than its parts, or a second, and lasts longest. */
static bool find_parts(ws_seen_device *const *items, size_t n, size_t at, sum_of_parts *sum)
{
    const ws_seen_device *whole = items[at];
    size_t from = at, others = 0;
    while (from && at - from < MOST_OTHERS && whole->start_ns - items[from - 1]->start_ns <= SAME_STAMP_NS)
        from--;
    *sum = (sum_of_parts){.end_ns = INT64_MIN, .owners = sum->owners};
    for (size_t i = from; i < n && others <= MOST_OTHERS && sum->samples <= whole->readings.samples; i++) {
        if (items[i]->start_ns > whole->end_ns || (!sum->n && items[i]->start_ns - whole->start_ns > SAME_STAMP_NS))
            break;
        if (is_part(whole, items[i], sum))
            add_part(sum, items[i]);
        else
            others++;
    }
    return holds(whole, sum);
}

/* Of an owner: how many devices it has, how many of them are merged, and from what. */
typedef struct merged_owner {
    size_t devices, merged, first, last, n;
} merged_owner;

static void find_merged(ws_seen_device *const *items, size_t n, merged_owner *owners, size_t *parts)
{
    sum_of_parts sum = {.owners = parts};
    for (size_t i = 0; i < n; i++) {
        merged_owner *o = &owners[items[i]->owner];
        o->devices++;
        if (!items[i]->has_date || !find_parts(items, n, i, &sum))
            continue;
        o->merged++;
        if (sum.n > o->n)
            *o = (merged_owner){o->devices, o->merged, sum.owners[0], sum.owners[sum.n - 1], sum.n};
    }
}

/* A merged one has at least twice the readings of its shortest part. */
static bool may_be_merged(const ws_seen_devices *seen)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < seen->n; i++) {
        uint64_t samples = seen->items[i]->readings.samples;
        least = samples < least ? samples : least;
        most = samples > most ? samples : most;
    }
    return most / 2 >= least;
}

void ws_seen_devices_merged(ws_seen_devices *seen, ws_seen_merged *merged, void *state)
{
    size_t n_owners = 0;
    if (!may_be_merged(seen))
        return;
    for (size_t i = 0; i < seen->n; i++)
        n_owners = seen->items[i]->owner >= n_owners ? seen->items[i]->owner + 1 : n_owners;
    merged_owner *owners = ws_alloc((n_owners + 1) * sizeof *owners);
    size_t *parts = ws_alloc((seen->n + 1) * sizeof *parts);
    qsort(seen->items, seen->n, sizeof *seen->items, by_device);
    for (size_t from = 0, end; from < seen->n; from = end) {
        for (end = from + 1; end < seen->n && compare_devices(seen->items[from], seen->items[end]) == 0;)
            end++;
        find_merged(seen->items + from, end - from, owners, parts);
    }
    for (size_t i = 0; i < n_owners; i++)
        if (owners[i].devices && owners[i].merged == owners[i].devices)
            merged(state, i, owners[i].first, owners[i].last, owners[i].n);
    for (size_t i = 0; i < seen->n; i++) {
        const merged_owner *o = &owners[seen->items[i]->owner];
        seen->items[i]->is_merged = o->merged == o->devices;
    }
    free(parts);
    free(owners);
}
