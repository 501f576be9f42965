/* Pairs of devices of different files, by the table of duplicates.h. */
#include "analyze/identity/duplicates.h"

#include "analyze/measure/slices.h"
#include "analyze/measure/stakes.h"

#include "core/unit.h"

#include <math.h>
#include <string.h>

/* An entry that is left out is noted if it lasts longer than the other by more than this share. */
static const double BEYOND = 0.01;

static bool has_time(const ws_device *d)
{
    return d->energy->summary.has_start && d->energy->summary.duration_s > 0;
}

/* Without a date of both, they may have been read at the same time. */
static bool are_undated(const ws_device *a, const ws_device *b)
{
    return !a->energy->summary.has_start || !b->energy->summary.has_start;
}

/* Loggers of two nodes write alike: one with dates and one without them are of the same. */
static bool is_one_undated(const ws_device *a, const ws_device *b)
{
    return a->energy && b->energy && !a->energy->summary.has_start != !b->energy->summary.has_start;
}

static bool have_the_same_ends(const ws_device *a, const ws_device *b)
{
    return a->energy->meter.first_t == b->energy->meter.first_t && a->energy->meter.last_t == b->energy->meter.last_t;
}

/* By how many seconds `d` lasts longer than `other`, where that is enough for a note; else 0. */
static double beyond_s(const ws_device *d, const ws_device *other)
{
    double before = (double)other->energy->meter.first_t - (double)d->energy->meter.first_t;
    double behind = (double)d->energy->meter.last_t - (double)other->energy->meter.last_t;
    double more_s = (fmax(before, 0) + fmax(behind, 0)) / 1e9;
    bool is_more = has_time(d) && has_time(other) && more_s > BEYOND * other->energy->summary.duration_s &&
                   more_s > 2 * d->energy->summary.max_gap_s;
    return is_more ? more_s : 0;
}

static bool is_counter(const ws_device *d)
{
    return d->energy->channel.quantity == WS_ENERGY_COUNTER;
}

/* Fewer samples; among about as many (a poll more or less at either end), a power tells less than a counter. */
static bool tells_less(const ws_device *a, const ws_device *b)
{
    uint64_t x = a->energy->summary.samples, y = b->energy->summary.samples, few = 2;
    bool alike = x <= y + few && y <= x + few;
    return alike && is_counter(a) != is_counter(b) ? is_counter(b) : x < y;
}

void ws_count_device_once(const ws_measure *m, ws_device *a, ws_device *b, ws_notes *notes)
{
    ws_device *less = tells_less(a, b) ? a : b, *more = less == a ? b : a;
    double rest_s = beyond_s(less, more);
    less->is_alternative = true;
    more->lacks_rest |= less->lacks_rest || rest_s > 0;
    ws_device_stake(more, m, WS_FINDING_FILES_OVERLAP, rest_s * fabs(less->energy->summary.mean));
    if (rest_s > 0)
        ws_notes_add(
            notes, WS_FINDING_FILES_OVERLAP, less->source, less->device, 0,
            "it and %s read the same device for a part of their time: it is left out, and the sum lacks the rest",
            more->source);
    ws_stake_disagreement(m, more, less, notes);
    ws_notes_add(notes, WS_FINDING_MEASURED_TWICE, less->source, less->device, 0,
                 "another file of the run reads the same device at the same time: it is counted once (%s are not "
                 "added)",
                 ws_joules(less->energy->summary.energy_j).text);
}

/* --- pairs of devices: the table of the header --- */

typedef enum names { ONE_DEVICE, A_FILE_EACH, SUM_AND_PART, OTHER_NAMES, NAMES } names;
typedef enum times { TOGETHER, UNDATED, APART, TIMES = APART } times; /* at different times two, but for copies */
typedef enum verdict { TWO, TWO_BY_FILE, TWO_EQUAL, DOUBT, DOUBT_BY_FILE, ONCE, WITHOUT_SUM } verdict;

static const verdict verdicts[NAMES][TIMES][WS_READINGS_EQUAL + 1] = {
    /*                          differ       alike          export         equal */
    [ONE_DEVICE][TOGETHER] = {ONCE, ONCE, ONCE, ONCE},
    [ONE_DEVICE][UNDATED] = {DOUBT, DOUBT, ONCE, ONCE},
    [A_FILE_EACH][TOGETHER] = {TWO_BY_FILE, DOUBT_BY_FILE, DOUBT_BY_FILE, ONCE},
    [A_FILE_EACH][UNDATED] = {TWO_BY_FILE, DOUBT_BY_FILE, DOUBT_BY_FILE, ONCE},
    [SUM_AND_PART][TOGETHER] = {WITHOUT_SUM, WITHOUT_SUM, WITHOUT_SUM, WITHOUT_SUM},
    [SUM_AND_PART][UNDATED] = {TWO, TWO, TWO, TWO},
    [OTHER_NAMES][TOGETHER] = {TWO, TWO, TWO, TWO_EQUAL},
};

static bool is_another(const ws_device *d, const ws_device *other)
{
    return other->domain == d->domain && strcmp(other->device, d->device) != 0;
}

/* Is it the only device of its domain in its file? The devices of a file are adjacent. */
static bool is_alone(const ws_measure *m, const ws_device *d)
{
    const ws_device *end = m->devices + m->n_devices;
    for (const ws_device *other = d; other > m->devices && ws_devices_share_source(other - 1, d); other--)
        if (is_another(d, other - 1))
            return false;
    for (const ws_device *other = d + 1; other < end && ws_devices_share_source(other, d); other++)
        if (is_another(d, other))
            return false;
    return true;
}

static bool are_sensors(const ws_device *a, const ws_device *b)
{
    return strcmp(a->identity, "sensor") == 0 && strcmp(b->identity, "sensor") == 0;
}

/* "gpu0_power.txt" and "gpu0_energy.txt": Cray's pm_counters write a file for each quantity of a sensor. */
static bool are_of_one_sensor(const ws_device *a, const ws_device *b)
{
    return are_sensors(a, b) && strcmp(a->device_id, b->device_id) == 0 && a->energy && b->energy &&
           a->energy->channel.quantity != b->energy->channel.quantity;
}

static bool same_name(const ws_device *a, const ws_device *b)
{
    return ws_devices_share_node(a, b) && (*a->node || are_of_one_sensor(a, b) || is_one_undated(a, b)) &&
           strcmp(a->device, b->device) == 0;
}

/* "cpu_power" beside "cpu0_power": the sensor without a number is the sum of those with one. */
static bool is_sum_of_numbered(const ws_device *sum, const ws_device *one)
{
    size_t n = strlen(sum->device_id);
    return are_sensors(sum, one) && n && ws_devices_share_node(sum, one) &&
           strncmp(sum->device_id, one->device_id, n) == 0 && one->device_id[n] &&
           strspn(one->device_id + n, "0123456789") == strlen(one->device_id + n);
}

static names compare_names(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    if (ws_device_has_uuid(a) && ws_device_has_uuid(b)) {
        bool same = a->domain == b->domain && strcmp(a->run, b->run) == 0 && strcmp(a->device_id, b->device_id) == 0;
        return same ? ONE_DEVICE : OTHER_NAMES;
    }
    if (is_sum_of_numbered(a, b) || is_sum_of_numbered(b, a))
        return SUM_AND_PART;
    if (!same_name(a, b))
        return OTHER_NAMES;
    return ws_names_differ_in_numbers(a->source, b->source) && is_alone(m, a) && is_alone(m, b) ? A_FILE_EACH
                                                                                                : ONE_DEVICE;
}

static times compare_times(const ws_device *a, const ws_device *b, names names_are)
{
    if (names_are == OTHER_NAMES)
        return a->domain == b->domain && have_the_same_ends(a, b) ? TOGETHER : APART;
    return ws_devices_overlap(a, b) ? TOGETHER : are_undated(a, b) ? UNDATED : APART;
}

static verdict verdict_of(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    names names_are = compare_names(m, a, b);
    times times_are = compare_times(a, b, names_are);
    verdict v = times_are == APART ? TWO : verdicts[names_are][times_are][ws_compare_devices(a, b)];
    return (v == TWO || v == TWO_BY_FILE) && ws_devices_are_copies(a, b) ? TWO_EQUAL : v;
}

static void leave_sum_out(ws_device *a, ws_device *b, ws_notes *notes)
{
    ws_device *sum = is_sum_of_numbered(a, b) ? a : b, *one = sum == a ? b : a;
    sum->is_alternative = true;
    ws_notes_add(notes, WS_FINDING_NESTED_SENSOR, sum->source, sum->device, 0,
                 "holds what %s and its like read, and is added to nothing", one->source);
}

static void note_by_file(const ws_device *a, const ws_device *b, ws_notes *notes)
{
    ws_notes_add(notes, WS_FINDING_FILE_A_DEVICE, b->source, b->device, 0,
                 "%s holds a device of the same name whose readings differ: they count as two devices", a->source);
}

static void note_doubt(const ws_measure *m, const ws_device *a, ws_device *b, ws_notes *notes)
{
    ws_device_stake(b, m, WS_FINDING_MAYBE_MEASURED_TWICE, b->energy->summary.energy_j);
    bool undated = are_undated(a, b);
    ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, b->source, b->device, 0,
                 "%s %s: both are in the sums (%s may count twice)", a->source,
                 undated ? "reads the same device, and no date says whether at the same time"
                         : "holds a device of the same name, and their powers are nearly the same",
                 ws_joules(b->energy->summary.energy_j).text);
}

static ws_duplicates settle_pair(ws_measure *m, ws_device *a, ws_device *b, bool gpus_fit, ws_notes *notes)
{
    if (a->is_alternative || b->is_alternative || ws_devices_share_source(a, b) || !a->energy || !b->energy)
        return WS_DUPLICATES_NONE;
    verdict v = verdict_of(m, a, b);
    switch (v) {
    case ONCE:
        ws_count_device_once(m, a, b, notes);
        return WS_DUPLICATES_NONE;
    case WITHOUT_SUM:
        leave_sum_out(a, b, notes);
        return WS_DUPLICATES_NONE;
    case TWO_EQUAL:
        if (a->energy->summary.samples < b->energy->summary.samples)
            ws_note_equal_devices(m, b, a, notes);
        else
            ws_note_equal_devices(m, a, b, notes);
        return WS_DUPLICATES_NONE;
    case DOUBT_BY_FILE:
        if (!gpus_fit) {
            note_doubt(m, a, b, notes);
            return WS_DUPLICATES_DOUBT;
        }
        note_by_file(a, b, notes);
        return WS_DUPLICATES_NONE;
    case TWO_BY_FILE:
        note_by_file(a, b, notes);
        return WS_DUPLICATES_NONE;
    case DOUBT:
        note_doubt(m, a, b, notes);
        return WS_DUPLICATES_DOUBT;
    default:
        return WS_DUPLICATES_NONE;
    }
}

/* The devices of a file are adjacent: of one file there are no pairs. */
ws_duplicates ws_settle_pairs(ws_measure *m, bool gpus_fit, ws_notes *notes)
{
    ws_duplicates found = WS_DUPLICATES_NONE;
    size_t first = 0; /* of the file */
    for (size_t i = 0; i < m->n_devices; i++) {
        first = ws_devices_share_source(&m->devices[first], &m->devices[i]) ? first : i;
        for (size_t j = 0; j < first; j++) {
            ws_duplicates now = settle_pair(m, &m->devices[j], &m->devices[i], gpus_fit, notes);
            found = now > found ? now : found;
        }
    }
    return found;
}

static bool is_counted_gpu(const ws_device *d)
{
    return !d->is_alternative && d->domain == WS_GPU;
}

static bool is_one_device(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    names names_are = ws_devices_share_source(a, b) ? OTHER_NAMES : compare_names(m, a, b);
    bool one = names_are == ONE_DEVICE || names_are == A_FILE_EACH;
    if (!one || !a->energy || !b->energy)
        return one;
    bool may_be_two = names_are == A_FILE_EACH && compare_times(a, b, A_FILE_EACH) != APART;
    return !may_be_two || ws_compare_devices(a, b) == WS_READINGS_EQUAL;
}

size_t ws_measure_count_gpus(const ws_measure *m, const ws_measure_group *run)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_device *d = &m->devices[run->devices[i]];
        bool counts = is_counted_gpu(d);
        for (size_t j = 0; counts && j < i; j++) {
            const ws_device *other = &m->devices[run->devices[j]];
            counts = !is_counted_gpu(other) || !is_one_device(m, other, d);
        }
        n += counts;
    }
    return n;
}
