#include "analyze/measure/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct rank_log {
    size_t *devices; /* places in the measure */
    size_t n;
    size_t group; /* the first log of the same node */
} rank_log;

typedef struct rank_logs {
    ws_measure *m;
    rank_log *logs;
    size_t n;
    size_t *places; /* of all devices, log by log */
} rank_logs;

typedef enum verdict { DIFFERENT, MAYBE, SAME } verdict;

static bool has_time(const ws_device *d)
{
    return d->energy && d->energy->reading.has_start && d->energy->reading.duration_s > 0;
}

bool ws_devices_overlap(const ws_device *a, const ws_device *b)
{
    if (!has_time(a) || !has_time(b))
        return false;
    double start = fmax((double)a->energy->meter.first_t, (double)b->energy->meter.first_t);
    double end = fmin((double)a->energy->meter.last_t, (double)b->energy->meter.last_t);
    return start < end;
}

static bool reaches_beyond(const ws_device *d, const ws_device *other)
{
    static const double share = 0.01;
    double before = (double)other->energy->meter.first_t - (double)d->energy->meter.first_t;
    double behind = (double)d->energy->meter.last_t - (double)other->energy->meter.last_t;
    double more_s = (fmax(before, 0) + fmax(behind, 0)) / 1e9;
    return has_time(d) && has_time(other) && more_s > share * other->energy->reading.duration_s &&
           more_s > 2 * d->energy->reading.max_gap_s;
}

static bool is_counter(const ws_device *d)
{
    return d->energy->channel.quantity == WS_ENERGY_COUNTER;
}

/* A counter comes before a power that was read as often, but for a poll at either end. */
static bool tells_less(const ws_device *a, const ws_device *b)
{
    uint64_t x = a->energy->reading.samples, y = b->energy->reading.samples, few = 2;
    bool alike = x <= y + few && y <= x + few;
    return alike && is_counter(a) != is_counter(b) ? is_counter(b) : x < y;
}

void ws_count_device_once(ws_device *a, ws_device *b, ws_notes *notes)
{
    ws_device *less = tells_less(a, b) ? a : b, *more = less == a ? b : a;
    less->is_alternative = true;
    more->lacks_rest |= less->lacks_rest || reaches_beyond(less, more);
    if (reaches_beyond(less, more))
        ws_notes_add(
            notes, WS_FINDING_FILES_OVERLAP, less->source, less->device, 0,
            "it and %s read the same device for a part of their time: it is left out, and the sum lacks the rest",
            more->source);
    ws_notes_add(notes, WS_FINDING_MEASURED_TWICE, less->source, less->device, 0,
                 "another file of the run reads the same device at the same time: it is counted once");
}

static bool same_number(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fabs(a) || (isnan(a) && isnan(b));
}

static bool same_figures(const ws_channel_summary *x, const ws_channel_summary *y, double tolerance)
{
    enum { ENOUGH = 20 };
    return x->samples >= ENOUGH && x->samples == y->samples && same_number(x->min, y->min, tolerance) &&
           same_number(x->max, y->max, tolerance) && same_number(x->sd, y->sd, tolerance) &&
           same_number(x->energy_j, y->energy_j, tolerance) && same_number(x->duration_s, y->duration_s, tolerance);
}

bool ws_same_readings(const ws_device *a, const ws_device *b)
{
    const ws_channel_summary *x = &a->energy->reading;
    /* to what an interpolation at a window's ends may do to them */
    return x->min < x->max && same_figures(x, &b->energy->reading, 1e-9);
}

bool ws_is_export(const ws_device *a, const ws_device *b)
{
    const ws_channel_summary *x = &a->energy->reading;
    bool tells = x->min < x->max || (isnan(x->min) && x->energy_j > 0); /* a counter has no lowest reading */
    return tells && same_figures(x, &b->energy->reading, 1e-6);
}

bool ws_alike_powers(const ws_device *a, const ws_device *b)
{
    static const double ALIKE = 0.02;
    double x = a->energy->reading.mean, y = b->energy->reading.mean;
    return fabs(x - y) <= ALIKE * fmax(fabs(x), fabs(y));
}

static bool is_of_a_rank(const ws_device *d)
{
    return !d->is_alternative && d->domain == WS_GPU && !*d->run && !*d->node && d->energy &&
           strcmp(d->identity, "uuid") != 0;
}

static const ws_device *device_of(const rank_logs *r, const rank_log *log, size_t i)
{
    return &r->m->devices[log->devices[i]];
}

static void find_logs(rank_logs *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->m->n_devices; i++) {
        const ws_device *d = &r->m->devices[i];
        if (!is_of_a_rank(d))
            continue;
        rank_log *last = r->n ? &r->logs[r->n - 1] : NULL;
        if (!last || strcmp(device_of(r, last, 0)->source, d->source) != 0) {
            last = &r->logs[r->n];
            *last = (rank_log){.devices = &r->places[n], .group = r->n};
            r->n++;
        }
        last->n++;
        r->places[n++] = i;
    }
}

/* The device of `log` that is called as `d`, read at the same time; NULL without one. */
static const ws_device *find_like(const rank_logs *r, const rank_log *log, const ws_device *d)
{
    for (size_t i = 0; i < log->n; i++) {
        const ws_device *other = device_of(r, log, i);
        if (strcmp(other->device, d->device) == 0)
            return ws_devices_overlap(d, other) ? other : NULL;
    }
    return NULL;
}

static bool same_devices(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = find_like(r, b, device_of(r, a, i)) != NULL;
    return same;
}

/* Between the devices of one log, in W. */
static double spread_of(const rank_logs *r, const rank_log *log)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < log->n; i++) {
        double mean = device_of(r, log, i)->energy->reading.mean;
        low = fmin(low, mean), high = fmax(high, mean);
    }
    return high - low;
}

static verdict judge(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    static const double CLOSER = 50;
    bool equal = true, alike = true;
    double farthest = 0;
    if (!same_devices(r, a, b))
        return DIFFERENT;
    for (size_t i = 0; i < a->n; i++) {
        const ws_device *x = device_of(r, a, i), *y = find_like(r, b, x);
        equal &= ws_same_readings(x, y);
        alike &= ws_alike_powers(x, y);
        farthest = fmax(farthest, fabs(x->energy->reading.mean - y->energy->reading.mean));
    }
    if (equal || (a->n > 1 && alike && farthest * CLOSER < spread_of(r, a)))
        return SAME;
    return a->n > 1 && alike ? MAYBE : DIFFERENT; /* GPUs of one job mostly draw alike: a file a GPU is no doubt */
}

static void count_once(rank_logs *r, const rank_log *log, ws_notes *notes)
{
    for (const rank_log *other = r->logs; other < log; other++) {
        for (size_t i = 0; i < log->n && other->group == log->group; i++) {
            ws_device *a = &r->m->devices[log->devices[i]];
            for (size_t k = 0; k < other->n && !a->is_alternative; k++) {
                ws_device *b = &r->m->devices[other->devices[k]];
                if (!b->is_alternative && strcmp(a->device, b->device) == 0)
                    ws_count_device_once(b, a, notes);
            }
        }
    }
}

static bool all_alike(const rank_logs *r)
{
    bool same = r->n > 1;
    for (size_t i = 1; i < r->n && same; i++)
        same = same_devices(r, &r->logs[0], &r->logs[i]);
    return same;
}

static bool group_by_readings(rank_logs *r, ws_notes *notes)
{
    bool doubt = false;
    for (size_t i = 1; i < r->n; i++) {
        verdict best = DIFFERENT;
        for (size_t k = 0; k < i && best != SAME; k++) {
            verdict v = r->logs[k].group == k ? judge(r, &r->logs[k], &r->logs[i]) : DIFFERENT;
            best = v > best ? v : best;
            r->logs[i].group = v == SAME ? k : i;
        }
        if (best != MAYBE)
            continue;
        doubt = true;
        ws_notes_add(
            notes, WS_FINDING_MAYBE_MEASURED_TWICE, device_of(r, &r->logs[i], 0)->source, "", 0,
            "another file of the run holds GPUs of the same names with nearly the same powers, and none names "
            "its node: if ranks of one node wrote them, that node counts more than once ('gpus' or {node} says)");
    }
    return doubt;
}

bool ws_measure_count_ranks_once(ws_measure *m, double gpus, ws_notes *notes)
{
    rank_logs r = {.m = m,
                   .logs = ws_alloc((m->n_devices + 1) * sizeof *r.logs),
                   .places = ws_alloc((m->n_devices + 1) * sizeof *r.places)};
    find_logs(&r);
    bool doubt = false, alike = all_alike(&r);
    if (alike && (double)r.logs[0].n == gpus)
        for (size_t i = 0; i < r.n; i++)
            r.logs[i].group = 0;
    else if (!alike || (double)(r.logs[0].n * r.n) != gpus)
        doubt = group_by_readings(&r, notes);
    for (size_t i = 1; i < r.n; i++)
        count_once(&r, &r.logs[i], notes);
    free(r.logs);
    free(r.places);
    return doubt;
}
