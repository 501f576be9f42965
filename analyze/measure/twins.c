#include "analyze/measure/twins.h"

#include <math.h>
#include <string.h>

static bool is_unique_id(const ws_device *d)
{
    return strcmp(d->identity, "uuid") == 0;
}

/* The same piece of hardware; where no node is named only a uuid can tell. */
static bool same_device(const ws_device *a, const ws_device *b)
{
    if (a->domain != b->domain || strcmp(a->run, b->run) != 0)
        return false;
    if (is_unique_id(a) && is_unique_id(b))
        return strcmp(a->device_id, b->device_id) == 0;
    return *a->node && strcmp(a->node, b->node) == 0 && strcmp(a->device, b->device) == 0;
}

static bool has_time(const ws_device *d)
{
    return d->energy && d->energy->reading.has_start && d->energy->reading.duration_s > 0;
}

/* Parts of a rotated log follow each other. */
static bool overlap(const ws_device *a, const ws_device *b)
{
    if (!has_time(a) || !has_time(b))
        return false;
    double start = fmax((double)a->energy->meter.first_t, (double)b->energy->meter.first_t);
    double end = fmin((double)a->energy->meter.last_t, (double)b->energy->meter.last_t);
    return start < end;
}

static void count_once(ws_device *a, ws_device *b, ws_notes *notes)
{
    ws_device *less = a->energy->reading.samples < b->energy->reading.samples ? a : b;
    less->is_alternative = true;
    ws_notes_add(notes, "measured-twice", less->source, less->device, 0,
                 "another file of the run reads the same device at the same time: it is counted once");
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Equal in every figure, which readings of two devices are not by chance. */
static bool same_readings(const ws_device *a, const ws_device *b)
{
    enum { ENOUGH = 20 };
    const ws_measured *x = a->energy, *y = b->energy;
    return x->reading.samples >= ENOUGH && x->reading.samples == y->reading.samples &&
           x->reading.min < x->reading.max && x->meter.first_t == y->meter.first_t &&
           x->meter.last_t == y->meter.last_t && same_number(x->reading.energy_j, y->reading.energy_j) &&
           same_number(x->reading.sd, y->reading.sd) && same_number(x->reading.min, y->reading.min) &&
           same_number(x->reading.max, y->reading.max);
}

static void compare(ws_device *a, ws_device *b, ws_notes *notes)
{
    if (a->is_alternative || b->is_alternative || strcmp(a->source, b->source) == 0 || !a->energy || !b->energy)
        return;
    if (same_device(a, b) && overlap(a, b))
        count_once(a, b, notes);
    else if (a->domain == b->domain && same_readings(a, b))
        ws_notes_add(notes, "same-readings", b->source, b->device, 0,
                     "every reading is that of %s: the same data under two names, both are in the sums", a->source);
}

static bool is_counted_gpu(const ws_device *d, const char *run)
{
    return !d->is_alternative && d->domain == WS_GPU && strcmp(d->run, run) == 0;
}

static bool same_source(const ws_device *a, const ws_device *b)
{
    return strcmp(a->source, b->source) == 0;
}

/* Files without nodes that hold gpu0 to gpu7 each: is it one node, logged by each of its ranks? */
static bool are_ranks_of_one_node(const ws_measure *m, double gpus)
{
    size_t n = 0, in_first = 0;
    const ws_device *first = NULL;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (!is_counted_gpu(d, ""))
            continue;
        first = first ? first : d;
        if (*d->node || !overlap(first, d))
            return false;
        in_first += same_source(first, d);
        n++;
    }
    if (!n || in_first == n || (double)in_first != gpus || n % in_first)
        return false;
    for (size_t i = 0; i < m->n_devices; i++) {
        size_t same = 0;
        for (size_t j = 0; j < m->n_devices; j++)
            same += is_counted_gpu(&m->devices[j], "") && strcmp(m->devices[i].device, m->devices[j].device) == 0;
        if (is_counted_gpu(&m->devices[i], "") && same != n / in_first)
            return false;
    }
    return true;
}

static void count_ranks_once(ws_measure *m, ws_notes *notes)
{
    for (size_t i = 0; i < m->n_devices; i++)
        for (size_t j = 0; j < i && !m->devices[i].is_alternative; j++)
            if (is_counted_gpu(&m->devices[j], "") && is_counted_gpu(&m->devices[i], "") &&
                strcmp(m->devices[i].device, m->devices[j].device) == 0)
                count_once(&m->devices[j], &m->devices[i], notes);
}

void ws_measure_find_twins(ws_measure *m, double gpus, ws_notes *notes)
{
    if (are_ranks_of_one_node(m, gpus))
        count_ranks_once(m, notes);
    for (size_t i = 0; i < m->n_devices; i++)
        for (size_t j = 0; j < i; j++)
            compare(&m->devices[j], &m->devices[i], notes);
}

size_t ws_measure_count_gpus(const ws_measure *m, const char *run)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++) {
        bool counts = is_counted_gpu(&m->devices[i], run);
        for (size_t j = 0; counts && j < i; j++)
            counts = !is_counted_gpu(&m->devices[j], run) || same_source(&m->devices[j], &m->devices[i]) ||
                     !same_device(&m->devices[j], &m->devices[i]);
        n += counts;
    }
    return n;
}
