#include "analyze/measure/run_overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_energy(const ws_device *d)
{
    return !d->is_alternative && d->energy && !isnan(d->energy->reading.energy_j);
}

static bool has_stretch(const ws_device *d)
{
    return has_energy(d) && d->energy->reading.has_start && d->energy->reading.duration_s > 0 &&
           d->energy->meter.last_t > d->energy->meter.first_t;
}

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return to_ns > from_ns ? (double)((uint64_t)to_ns - (uint64_t)from_ns) / 1e9 : 0;
}

static int64_t start_of(const ws_device *d)
{
    return d->energy->meter.first_t;
}

static int64_t end_of(const ws_device *d)
{
    return d->energy->meter.last_t;
}

static double length_of(const ws_device *d)
{
    return d->energy->reading.duration_s;
}

/* What two entries hold in common, at least: stretches may lie inside each other's pauses. */
static double shared_s(const ws_device *a, const ws_device *b)
{
    int64_t start = start_of(a) < start_of(b) ? start_of(a) : start_of(b);
    int64_t end = end_of(a) > end_of(b) ? end_of(a) : end_of(b);
    return length_of(a) + length_of(b) - seconds(start, end);
}

static int compare_devices(const ws_device *a, const ws_device *b)
{
    int order = strcmp(a->source, b->source);
    order = order ? order : strcmp(a->node, b->node);
    order = order ? order : strcmp(a->device, b->device);
    return order ? order : (a->domain > b->domain) - (a->domain < b->domain);
}

static int by_start(const ws_device *a, const ws_device *b)
{
    return (start_of(a) > start_of(b)) - (start_of(a) < start_of(b));
}

static int by_device(const void *left, const void *right)
{
    ws_device *const *a = left, *const *b = right;
    int order = compare_devices(*a, *b);
    order = order ? order : by_start(*a, *b);
    return order ? order : (*a > *b) - (*a < *b);
}

/* Entries of one device; returns the one that what follows is held against. */
static ws_device *judge(ws_device *a, ws_device *b)
{
    static const double whole_seconds = 2, most = 0.5; /* a second at either end */
    ws_device *longer = length_of(b) > length_of(a) ? b : a, *shorter = longer == a ? b : a;
    double shared = shared_s(a, b);
    if (strcmp(a->run, b->run) != 0 && shared >= most * length_of(shorter)) {
        shorter->again_in = longer->run;
        longer->overlaps |= shorter->overlaps || shared < length_of(shorter) - whole_seconds;
        return longer;
    }
    if (strcmp(a->run, b->run) != 0 && shared > whole_seconds)
        a->overlaps = b->overlaps = true;
    return end_of(b) > end_of(a) ? b : a;
}

static ws_device **list_devices(ws_measure *m, size_t *n)
{
    ws_device **list = ws_alloc((m->n_devices + 1) * sizeof *list);
    *n = 0;
    for (size_t i = 0; i < m->n_devices; i++)
        if (has_stretch(&m->devices[i]))
            list[(*n)++] = &m->devices[i];
    return list;
}

void ws_measure_find_overlaps(ws_measure *m)
{
    size_t n;
    ws_device **list = list_devices(m, &n), *last = NULL;
    qsort(list, n, sizeof *list, by_device);
    for (size_t i = 0; i < n; i++)
        last = last && compare_devices(last, list[i]) == 0 ? judge(last, list[i]) : list[i];
    free(list);
}

static int by_first_stamp(const void *left, const void *right)
{
    const ws_device *const *a = left, *const *b = right;
    return by_start(*a, *b);
}

static double union_s(const ws_device *const *list, size_t n)
{
    uint64_t covered_ns = 0;
    int64_t end = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        int64_t from = start_of(list[i]) > end ? start_of(list[i]) : end;
        covered_ns += end_of(list[i]) > from ? (uint64_t)end_of(list[i]) - (uint64_t)from : 0;
        end = end_of(list[i]) > end ? end_of(list[i]) : end;
    }
    return n ? (double)covered_ns / 1e9 : NAN;
}

double ws_measure_covered_s(const ws_measure *m, const ws_device_filter *filter, ws_domain domain)
{
    const ws_device **list = ws_alloc((m->n_devices + 1) * sizeof *list);
    size_t n = 0;
    bool known = true;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (d->domain != domain || d->again_in || !has_energy(d) || !ws_device_passes(d, filter))
            continue;
        known &= has_stretch(d);
        list[n++] = d;
    }
    qsort(list, n, sizeof *list, by_first_stamp);
    double covered = known ? union_s(list, n) : NAN;
    free(list);
    return covered;
}
