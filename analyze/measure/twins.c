#include "analyze/measure/twins.h"

#include "analyze/measure/ranks.h"

#include <string.h>

static bool is_unique_id(const ws_device *d)
{
    return strcmp(d->identity, "uuid") == 0;
}

/* "n1_gpu0.csv" and "n1_gpu1.csv". */
static bool differ_in_numbers(const char *a, const char *b)
{
    bool differ = strcmp(a, b) != 0;
    while (*a && *b) {
        size_t x = strspn(a, "0123456789"), y = strspn(b, "0123456789");
        if (!x != !y || (!x && *a != *b))
            return false;
        a += x ? x : 1;
        b += y ? y : 1;
    }
    return differ && !*a && !*b;
}

static bool is_another(const ws_device *d, const ws_device *other)
{
    return other->domain == d->domain && strcmp(other->device, d->device) != 0;
}

static bool same_source(const ws_device *a, const ws_device *b)
{
    return a->source == b->source || strcmp(a->source, b->source) == 0;
}

/* The only one of its kind in its file, whose devices stand together. */
static bool is_alone(const ws_measure *m, const ws_device *d)
{
    const ws_device *end = m->devices + m->n_devices;
    for (const ws_device *other = d; other > m->devices && same_source(other - 1, d); other--)
        if (is_another(d, other - 1))
            return false;
    for (const ws_device *other = d + 1; other < end && same_source(other, d); other++)
        if (is_another(d, other))
            return false;
    return true;
}

/* "gpu0_power.txt" and "gpu0_energy.txt": the counters of a node, a file each, as of Cray's pm_counters. */
static bool are_of_one_sensor(const ws_device *a, const ws_device *b)
{
    return strcmp(a->identity, "sensor") == 0 && strcmp(b->identity, "sensor") == 0 &&
           strcmp(a->device_id, b->device_id) == 0 && a->energy && b->energy &&
           a->energy->channel.quantity != b->energy->channel.quantity;
}

static bool same_name(const ws_device *a, const ws_device *b)
{
    return a->domain == b->domain && strcmp(a->run, b->run) == 0 && strcmp(a->node, b->node) == 0 &&
           (*a->node || are_of_one_sensor(a, b)) && strcmp(a->device, b->device) == 0;
}

/* Nothing says when they were read, so that it may have been at the same time. */
static bool are_undated(const ws_device *a, const ws_device *b)
{
    return !a->energy->reading.has_start && !b->energy->reading.has_start;
}

static bool start_together(const ws_device *a, const ws_device *b)
{
    return a->energy->meter.first_t == b->energy->meter.first_t && a->energy->meter.last_t == b->energy->meter.last_t;
}

/* Each file of the node numbers its own device from 0, and its name tells which one that is. */
static bool is_file_a_device(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    return differ_in_numbers(a->source, b->source) && a->energy && b->energy &&
           (ws_devices_overlap(a, b) || are_undated(a, b)) && !ws_same_readings(a, b) && is_alone(m, a) &&
           is_alone(m, b);
}

/* The same piece of hardware; where no node is named only a uuid can tell. */
static bool same_device(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    if (is_unique_id(a) && is_unique_id(b))
        return a->domain == b->domain && strcmp(a->run, b->run) == 0 && strcmp(a->device_id, b->device_id) == 0;
    return same_name(a, b) && !is_file_a_device(m, a, b);
}

/* True where two devices may be one. */
static bool note_file_a_device(const ws_device *a, const ws_device *b, ws_notes *notes)
{
    bool doubt = ws_alike_powers(a, b);
    ws_notes_add(notes, doubt ? WS_FINDING_MAYBE_MEASURED_TWICE : WS_FINDING_FILE_A_DEVICE, b->source, b->device, 0,
                 doubt
                     ? "%s holds a device of the same name, and their powers are nearly the same: both are in the sums"
                     : "%s holds a device of the same name whose readings differ: they count as two devices",
                 a->source);
    return doubt;
}

static bool note_undated(const ws_device *a, const ws_device *b, ws_notes *notes)
{
    ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, b->source, b->device, 0,
                 "%s reads the same device, and no date says whether at the same time: both are in the sums",
                 a->source);
    return true;
}

/* "cpu_power" beside "cpu0_power", a file each: the sum of those with a number. */
static bool is_sum_of_numbered(const ws_device *sum, const ws_device *one)
{
    size_t n = strlen(sum->device_id);
    bool are_sensors = strcmp(sum->identity, "sensor") == 0 && strcmp(one->identity, "sensor") == 0;
    return are_sensors && n && sum->domain == one->domain && strcmp(sum->run, one->run) == 0 &&
           strcmp(sum->node, one->node) == 0 && strncmp(sum->device_id, one->device_id, n) == 0 && one->device_id[n] &&
           strspn(one->device_id + n, "0123456789") == strlen(one->device_id + n) && ws_devices_overlap(sum, one);
}

static void leave_sum_out(ws_device *sum, const ws_device *one, ws_notes *notes)
{
    sum->is_alternative = true;
    ws_notes_add(notes, WS_FINDING_NESTED_SENSOR, sum->source, sum->device, 0,
                 "holds what %s and its like read, and is added to nothing", one->source);
}

static bool compare(const ws_measure *m, ws_device *a, ws_device *b, ws_notes *notes)
{
    if (a->is_alternative || b->is_alternative || strcmp(a->source, b->source) == 0 || !a->energy || !b->energy)
        return false;
    if (is_sum_of_numbered(a, b) || is_sum_of_numbered(b, a)) {
        bool is_first = is_sum_of_numbered(a, b);
        leave_sum_out(is_first ? a : b, is_first ? b : a, notes);
        return false;
    }
    bool same = same_device(m, a, b);
    if (same && (ws_devices_overlap(a, b) || (are_undated(a, b) && ws_is_export(a, b))))
        ws_count_device_once(a, b, notes);
    else if (same && are_undated(a, b))
        return note_undated(a, b, notes);
    else if (a->domain == b->domain && ws_same_readings(a, b) && start_together(a, b))
        ws_notes_add(notes, WS_FINDING_SAME_READINGS, b->source, b->device, 0,
                     "every reading is that of %s: the same data under two names, both are in the sums", a->source);
    else if (!same && !(is_unique_id(a) && is_unique_id(b)) && same_name(a, b))
        return note_file_a_device(a, b, notes);
    return false;
}

static bool is_counted_gpu(const ws_device *d, const char *run)
{
    return !d->is_alternative && d->domain == WS_GPU && strcmp(d->run, run) == 0;
}

bool ws_measure_find_twins(ws_measure *m, double gpus, ws_notes *notes)
{
    bool doubt = ws_measure_count_ranks_once(m, gpus, notes);
    for (size_t i = 0; i < m->n_devices; i++)
        for (size_t j = 0; j < i; j++)
            doubt |= compare(m, &m->devices[j], &m->devices[i], notes);
    return doubt;
}

size_t ws_measure_count_gpus(const ws_measure *m, const char *run)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++) {
        bool counts = is_counted_gpu(&m->devices[i], run);
        for (size_t j = 0; counts && j < i; j++)
            counts = !is_counted_gpu(&m->devices[j], run) || same_source(&m->devices[j], &m->devices[i]) ||
                     !same_device(m, &m->devices[j], &m->devices[i]);
        n += counts;
    }
    return n;
}
