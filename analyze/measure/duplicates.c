/* Three stories: pairs of devices of different files, by the table of duplicates.h; logs of ranks, as a whole; and
 * slices and copies inside one file. */
#include "analyze/measure/duplicates.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative tolerances: for interpolation at the ends of a window; for the digits that perun's CSV lacks of its HDF5;
 * for two cards of one kind under the same load. */
static const double SAME_DATA = 1e-9, SAME_EXPORT = 1e-6, ALIKE = 0.02;

/* Fewer readings prove nothing, even if all figures are equal. */
enum { ENOUGH = 20 };

/* Proof that two logs are from one node: the largest chance; the least factor of one figure; how much the GPUs of one
 * log must differ (relative) for a figure to count; how much closer the logs must be. */
static const double BY_CHANCE = 1e-6, LEAST_CHANCE = 0.01, TELLS_APART = 1e-3, CLOSER = 20;

/* An entry that is left out is noted if it lasts longer than the other by more than this share. */
static const double BEYOND = 0.01;

static bool same_number(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fabs(a) || (isnan(a) && isnan(b));
}

static bool same_figures(const ws_channel_summary *x, const ws_channel_summary *y, double tolerance)
{
    return x->samples >= ENOUGH && x->samples == y->samples && same_number(x->min, y->min, tolerance) &&
           same_number(x->max, y->max, tolerance) && same_number(x->sd, y->sd, tolerance) &&
           same_number(x->energy_j, y->energy_j, tolerance) && same_number(x->duration_s, y->duration_s, tolerance);
}

ws_likeness ws_compare_readings(const ws_channel_summary *x, const ws_channel_summary *y)
{
    bool tells = x->min < x->max || (isnan(x->min) && x->energy_j > 0); /* a counter has no lowest reading */
    if (x->min < x->max && same_figures(x, y, SAME_DATA))
        return WS_READINGS_EQUAL;
    if (tells && same_figures(x, y, SAME_EXPORT))
        return WS_READINGS_EXPORT;
    bool alike = fabs(x->mean - y->mean) <= ALIKE * fmax(fabs(x->mean), fabs(y->mean));
    return alike ? WS_READINGS_ALIKE : WS_READINGS_DIFFER;
}

static ws_likeness compare_powers(const ws_device *a, const ws_device *b)
{
    return ws_compare_readings(&a->energy->reading, &b->energy->reading);
}

static bool has_uuid(const ws_device *d)
{
    return strcmp(d->identity, "uuid") == 0;
}

static bool same_source(const ws_device *a, const ws_device *b)
{
    return a->source == b->source || strcmp(a->source, b->source) == 0;
}

static bool has_time(const ws_device *d)
{
    return d->energy->reading.has_start && d->energy->reading.duration_s > 0;
}

static bool overlap(const ws_device *a, const ws_device *b)
{
    const ws_meter *x = &a->energy->meter, *y = &b->energy->meter;
    int64_t start = x->first_t > y->first_t ? x->first_t : y->first_t;
    int64_t end = x->last_t < y->last_t ? x->last_t : y->last_t;
    return has_time(a) && has_time(b) && start < end;
}

/* Without dates, both may have been read at the same time. */
static bool are_undated(const ws_device *a, const ws_device *b)
{
    return !a->energy->reading.has_start && !b->energy->reading.has_start;
}

static bool have_the_same_ends(const ws_device *a, const ws_device *b)
{
    return a->energy->meter.first_t == b->energy->meter.first_t && a->energy->meter.last_t == b->energy->meter.last_t;
}

/* Does `d` last longer than `other` by enough for a note? */
static bool reaches_beyond(const ws_device *d, const ws_device *other)
{
    double before = (double)other->energy->meter.first_t - (double)d->energy->meter.first_t;
    double behind = (double)d->energy->meter.last_t - (double)other->energy->meter.last_t;
    double more_s = (fmax(before, 0) + fmax(behind, 0)) / 1e9;
    return has_time(d) && has_time(other) && more_s > BEYOND * other->energy->reading.duration_s &&
           more_s > 2 * d->energy->reading.max_gap_s;
}

static bool is_counter(const ws_device *d)
{
    return d->energy->channel.quantity == WS_ENERGY_COUNTER;
}

/* Fewer samples; among about as many (a poll more or less at either end), a power tells less than a counter. */
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
                 "another file of the run reads the same device at the same time: it is counted once (%.6g J are not "
                 "added)",
                 less->energy->reading.energy_j);
}

/* --- pairs of devices: the table of the header --- */

typedef enum names { ONE_DEVICE, A_FILE_EACH, SUM_AND_PART, OTHER_NAMES, NAMES } names;
typedef enum times { TOGETHER, UNDATED, APART, TIMES } times;
typedef enum verdict { TWO, TWO_BY_FILE, TWO_EQUAL, DOUBT, DOUBT_BY_FILE, ONCE, WITHOUT_SUM } verdict;

static const verdict verdicts[NAMES][TIMES][WS_READINGS_EQUAL + 1] = {
    /*                          differ       alike          export         equal */
    [ONE_DEVICE][TOGETHER] = {ONCE, ONCE, ONCE, ONCE},
    [ONE_DEVICE][UNDATED] = {DOUBT, DOUBT, ONCE, ONCE},
    [ONE_DEVICE][APART] = {TWO, TWO, TWO, TWO},
    [A_FILE_EACH][TOGETHER] = {TWO_BY_FILE, DOUBT_BY_FILE, DOUBT_BY_FILE, ONCE},
    [A_FILE_EACH][UNDATED] = {TWO_BY_FILE, DOUBT_BY_FILE, DOUBT_BY_FILE, ONCE},
    [A_FILE_EACH][APART] = {TWO, TWO, TWO, TWO},
    [SUM_AND_PART][TOGETHER] = {WITHOUT_SUM, WITHOUT_SUM, WITHOUT_SUM, WITHOUT_SUM},
    [SUM_AND_PART][UNDATED] = {TWO, TWO, TWO, TWO},
    [SUM_AND_PART][APART] = {TWO, TWO, TWO, TWO},
    [OTHER_NAMES][TOGETHER] = {TWO, TWO, TWO, TWO_EQUAL},
    [OTHER_NAMES][UNDATED] = {TWO, TWO, TWO, TWO_EQUAL},
    [OTHER_NAMES][APART] = {TWO, TWO, TWO, TWO},
};

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

/* Is it the only device of its domain in its file? The devices of a file are adjacent. */
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

static bool are_of_one_node(const ws_device *a, const ws_device *b)
{
    return a->domain == b->domain && strcmp(a->run, b->run) == 0 && strcmp(a->node, b->node) == 0;
}

static bool same_name(const ws_device *a, const ws_device *b)
{
    return are_of_one_node(a, b) && (*a->node || are_of_one_sensor(a, b)) && strcmp(a->device, b->device) == 0;
}

/* "cpu_power" beside "cpu0_power": the sensor without a number is the sum of those with one. */
static bool is_sum_of_numbered(const ws_device *sum, const ws_device *one)
{
    size_t n = strlen(sum->device_id);
    return are_sensors(sum, one) && n && are_of_one_node(sum, one) && strncmp(sum->device_id, one->device_id, n) == 0 &&
           one->device_id[n] && strspn(one->device_id + n, "0123456789") == strlen(one->device_id + n);
}

static names compare_names(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    if (has_uuid(a) && has_uuid(b)) {
        bool same = a->domain == b->domain && strcmp(a->run, b->run) == 0 && strcmp(a->device_id, b->device_id) == 0;
        return same ? ONE_DEVICE : OTHER_NAMES;
    }
    if (is_sum_of_numbered(a, b) || is_sum_of_numbered(b, a))
        return SUM_AND_PART;
    if (!same_name(a, b))
        return OTHER_NAMES;
    return differ_in_numbers(a->source, b->source) && is_alone(m, a) && is_alone(m, b) ? A_FILE_EACH : ONE_DEVICE;
}

static times compare_times(const ws_device *a, const ws_device *b, names names_are)
{
    if (names_are == OTHER_NAMES)
        return a->domain == b->domain && have_the_same_ends(a, b) ? TOGETHER : APART;
    return overlap(a, b) ? TOGETHER : are_undated(a, b) ? UNDATED : APART;
}

static verdict judge_pair(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    names names_are = compare_names(m, a, b);
    times times_are = compare_times(a, b, names_are);
    return times_are == APART ? TWO : verdicts[names_are][times_are][compare_powers(a, b)];
}

static void note_equal(const ws_device *a, const ws_device *b, ws_notes *notes)
{
    ws_notes_add(notes, WS_FINDING_SAME_READINGS, b->source, b->device, 0,
                 "every reading is that of %s%s%s: the same data under two names, both are in the sums (%.6g J each)",
                 same_source(a, b) ? "" : a->source, same_source(a, b) || !*a->device ? "" : " ",
                 same_source(a, b) ? a->device : "", b->energy->reading.energy_j);
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

static void note_doubt(const ws_device *a, const ws_device *b, ws_notes *notes)
{
    bool undated = are_undated(a, b);
    ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, b->source, b->device, 0,
                 "%s %s: both are in the sums (%.6g J may count twice)", a->source,
                 undated ? "reads the same device, and no date says whether at the same time"
                         : "holds a device of the same name, and their powers are nearly the same",
                 b->energy->reading.energy_j);
}

/* --- logs of ranks --- */

/* The devices of one node in one file. */
typedef struct rank_log {
    size_t *devices; /* indices in the measure */
    size_t n;
    size_t group; /* index of the first log of the same node */
} rank_log;

typedef struct rank_logs {
    ws_measure *m;
    rank_log *logs;
    size_t n;
    size_t *places; /* owns the `devices` of all logs */
} rank_logs;

typedef enum relation { DIFFERENT, MAYBE, SAME } relation; /* of the nodes of two logs */

/* The devices of a file are adjacent. */
static bool has_gpus_beside(const ws_measure *m, const ws_device *d)
{
    const ws_device *end = m->devices + m->n_devices;
    bool found = d->domain == WS_GPU;
    for (const ws_device *other = d; !found && other > m->devices && same_source(other - 1, d); other--)
        found = other[-1].domain == WS_GPU;
    for (const ws_device *other = d + 1; !found && other < end && same_source(other, d); other++)
        found = other->domain == WS_GPU;
    return found;
}

/* Not of a file with a single sensor: the sensor's name says to which device it belongs. */
static bool is_of_a_log(const ws_device *d)
{
    return !d->is_alternative && d->domain != WS_OTHER && !*d->run && d->energy && strcmp(d->identity, "sensor") != 0;
}

static bool is_gpu_of_a_log(const ws_measure *m, const ws_device *d)
{
    (void)m;
    return d->domain == WS_GPU && is_of_a_log(d);
}

/* A device of a file without GPUs and without a node. */
static bool is_host_of_a_log(const ws_measure *m, const ws_device *d)
{
    return is_of_a_log(d) && !*d->node && !has_gpus_beside(m, d);
}

typedef bool is_wanted(const ws_measure *m, const ws_device *d);

static ws_device *device_of(const rank_logs *r, const rank_log *log, size_t i)
{
    return &r->m->devices[log->devices[i]];
}

static bool names_node(const rank_logs *r, const rank_log *log)
{
    return *device_of(r, log, 0)->node;
}

static bool goes_on(const rank_logs *r, const rank_log *log, const ws_device *d)
{
    const ws_device *first = device_of(r, log, 0);
    return same_source(first, d) && strcmp(first->node, d->node) == 0;
}

static void find_logs(rank_logs *r, is_wanted *wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < r->m->n_devices; i++) {
        const ws_device *d = &r->m->devices[i];
        if (!wanted(r->m, d))
            continue;
        rank_log *last = r->n ? &r->logs[r->n - 1] : NULL;
        if (!last || !goes_on(r, last, d)) {
            last = &r->logs[r->n];
            *last = (rank_log){.devices = &r->places[n], .group = r->n};
            r->n++;
        }
        last->n++;
        r->places[n++] = i;
    }
}

/* The device of `log` with the name of `d`, if it was read at the same time; else NULL. */
static const ws_device *find_like(const rank_logs *r, const rank_log *log, const ws_device *d)
{
    for (size_t i = 0; i < log->n; i++) {
        const ws_device *other = device_of(r, log, i);
        if (strcmp(other->device, d->device) == 0)
            return overlap(d, other) ? other : NULL;
    }
    return NULL;
}

/* Then the uuids tell which devices are the same. */
static bool both_have_uuids(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    return has_uuid(device_of(r, a, 0)) && has_uuid(device_of(r, b, 0));
}

/* The means (or the standard deviations) of the devices of one log. */
typedef struct spread {
    double low, high, mean, sd;
} spread;

static spread spread_of(const rank_logs *r, const rank_log *log, bool of_sd)
{
    spread s = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < log->n; i++) {
        const ws_channel_summary *reading = &device_of(r, log, i)->energy->reading;
        double x = of_sd ? reading->sd : reading->mean;
        s.low = fmin(s.low, x), s.high = fmax(s.high, x);
        s.mean += x / (double)log->n;
    }
    double squares = 0;
    for (size_t i = 0; i < log->n; i++) {
        const ws_channel_summary *reading = &device_of(r, log, i)->energy->reading;
        squares += pow((of_sd ? reading->sd : reading->mean) - s.mean, 2);
    }
    s.sd = sqrt(squares / (double)(log->n - 1));
    return s;
}

/* The chance that two draws from a normal distribution of that spread are so close: the density of their difference at
 * 0 times its width. */
static double chance_of(double difference, const spread *s)
{
    bool tells_apart = s->sd > TELLS_APART * fabs(s->mean);
    double chance = tells_apart ? fabs(difference) / (sqrt(acos(-1)) * s->sd) : 1;
    return isnan(chance) || chance > 1 ? 1 : fmax(chance, LEAST_CHANCE);
}

static double span_ns(const ws_device *d)
{
    return ((double)d->energy->meter.last_t - (double)d->energy->meter.first_t);
}

/* How much the mean of `d` may differ from its mean over the time that both entries share. */
static double slack_of(const ws_device *d, const ws_device *other)
{
    const ws_meter *x = &d->energy->meter, *y = &other->energy->meter;
    int64_t start = x->first_t > y->first_t ? x->first_t : y->first_t;
    int64_t end = x->last_t < y->last_t ? x->last_t : y->last_t;
    double alone = 1 - ((double)end - (double)start) / span_ns(d);
    const ws_channel_summary *reading = &d->energy->reading;
    double slack = alone * (reading->max - reading->min);
    return isnan(slack) ? 0 : slack; /* a counter has no highest reading */
}

/* Could the means agree over the shared time? Over different times, even those of one device differ. */
static bool may_be_alike(const ws_device *a, const ws_device *b)
{
    const ws_channel_summary *x = &a->energy->reading, *y = &b->energy->reading;
    double slack = slack_of(a, b) + slack_of(b, a);
    return fabs(x->mean - y->mean) <= ALIKE * fmax(fabs(x->mean), fabs(y->mean)) + slack;
}

/* "gpu_0.csv" and "gpu_1.csv": a GPU in each file. Similar powers raise no doubt, since the GPUs of one job draw
 * alike. */
static bool are_a_file_each(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    return a->n == 1 && b->n == 1 && differ_in_numbers(device_of(r, a, 0)->source, device_of(r, b, 0)->source);
}

/* Compares the devices with common names: one rank may log its whole node, another only its own GPU. */
static relation compare_logs(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    const rank_log *less = a->n < b->n ? a : b, *more = less == a ? b : a;
    if (both_have_uuids(r, a, b))
        return DIFFERENT;
    ws_likeness least = WS_READINGS_EQUAL;
    bool differ = false;
    spread means = spread_of(r, more, false), sds = spread_of(r, more, true);
    double farthest = 0, chance = 1;
    size_t shared = 0;
    for (size_t i = 0; i < less->n; i++) {
        const ws_device *x = device_of(r, less, i), *y = find_like(r, more, x);
        if (!y)
            continue;
        const ws_channel_summary *p = &x->energy->reading, *q = &y->energy->reading;
        ws_likeness likeness = ws_compare_readings(p, q);
        least = likeness < least ? likeness : least;
        differ |= likeness == WS_READINGS_DIFFER && !may_be_alike(x, y);
        farthest = fmax(farthest, fabs(p->mean - q->mean));
        chance *= chance_of(p->mean - q->mean, &means) * chance_of(p->sd - q->sd, &sds);
        shared++;
    }
    if (!shared || differ)
        return DIFFERENT;
    if (least == WS_READINGS_EQUAL)
        return SAME;
    if (are_a_file_each(r, a, b))
        return DIFFERENT;
    return chance < BY_CHANCE && farthest * CLOSER < means.high - means.low ? SAME : MAYBE;
}

static void count_once(rank_logs *r, const rank_log *log, ws_notes *notes)
{
    for (const rank_log *other = r->logs; other < log; other++) {
        for (size_t i = 0; i < log->n && other->group == log->group; i++) {
            ws_device *a = device_of(r, log, i);
            for (size_t k = 0; k < other->n && !a->is_alternative; k++) {
                ws_device *b = device_of(r, other, k);
                if (!b->is_alternative && strcmp(a->device, b->device) == 0)
                    ws_count_device_once(b, a, notes);
            }
        }
    }
}

static double energy_of(const rank_logs *r, const rank_log *log)
{
    double sum = 0;
    for (size_t i = 0; i < log->n; i++)
        sum += device_of(r, log, i)->energy->reading.energy_j;
    return sum;
}

static ws_duplicates ask_for_node(const rank_logs *r, const rank_log *a, const rank_log *b, ws_notes *notes)
{
    ws_notes_add(
        notes, WS_FINDING_ASK_NODES, device_of(r, b, 0)->source, "", 0,
        "it and %s hold GPUs of the same names with nearly the same powers at the same time, and neither names its "
        "node: %.6g J count once if ranks of one node wrote them; the GPUs of the run (--set gpus=%zu for one node) or a "
        "{node} in the pattern says it",
        device_of(r, a, 0)->source, energy_of(r, b), a->n);
    return WS_DUPLICATES_ASK;
}

static ws_duplicates doubt_nodes(const rank_logs *r, const rank_log *a, const rank_log *b, ws_notes *notes)
{
    const ws_device *x = device_of(r, a, 0), *y = device_of(r, b, 0);
    ws_notes_add(
        notes, WS_FINDING_MAYBE_MEASURED_TWICE, y->source, y->node, 0,
        "the readings are those of the node %s, by more than chance: %.6g J may count twice (are they ranks of one "
        "node?)",
        x->node, energy_of(r, b));
    return WS_DUPLICATES_DOUBT;
}

/* Neither log names its node, or they name different ones. */
static bool are_open(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    const ws_device *x = device_of(r, a, 0), *y = device_of(r, b, 0);
    return !names_node(r, a) == !names_node(r, b) && (!names_node(r, a) || strcmp(x->node, y->node) != 0);
}

static void join_groups(rank_logs *r, size_t into, size_t group)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->logs[i].group == group)
            r->logs[i].group = into;
}

/* Joins logs of one node into groups if the readings prove it; else doubts or asks. */
static ws_duplicates group_by_readings(rank_logs *r, ws_notes *notes)
{
    ws_duplicates found = WS_DUPLICATES_NONE;
    unsigned char *relations = ws_alloc(r->n * r->n + 1);
    for (size_t i = 1; i < r->n; i++) {
        rank_log *log = &r->logs[i];
        const rank_log *like = NULL;
        for (size_t k = 0; k < i; k++) {
            const rank_log *other = &r->logs[k];
            bool known = other->group == log->group; /* both belong to the node of a third */
            relation now = !known && are_open(r, other, log) ? compare_logs(r, other, log) : DIFFERENT;
            relations[i * r->n + k] = (unsigned char)now;
            if (now == SAME && !names_node(r, log))
                join_groups(r, other->group, log->group);
            else if (now == SAME && !like)
                like = other;
        }
        if (like && compare_powers(device_of(r, like, 0), device_of(r, log, 0)) != WS_READINGS_EQUAL)
            found = doubt_nodes(r, like, log, notes);
    }
    for (size_t i = 1; i < r->n; i++) {
        const rank_log *log = &r->logs[i];
        for (size_t k = 0; k < i; k++) {
            bool ask = relations[i * r->n + k] == MAYBE && !names_node(r, log) && r->logs[k].group != log->group;
            if (!ask)
                continue;
            found = ask_for_node(r, &r->logs[k], log, notes);
            break;
        }
    }
    free(relations);
    return found;
}

/* The number of different GPU names in all logs. */
static size_t count_names(const rank_logs *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        for (size_t g = 0; g < r->logs[i].n; g++) {
            bool is_new = true;
            for (size_t k = 0; k < i && is_new; k++)
                is_new = !find_like(r, &r->logs[k], device_of(r, &r->logs[i], g));
            n += is_new;
        }
    }
    return n;
}

/* No log names its node, and the GPUs have as many names as the run has GPUs: the logs are from one node, whichever of
 * its GPUs each one holds. */
static bool are_of_one_node_by_count(const rank_logs *r, double gpus)
{
    if (isnan(gpus))
        return false;
    size_t with_uuids = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (names_node(r, &r->logs[i]))
            return false;
        with_uuids += has_uuid(device_of(r, &r->logs[i], 0));
    }
    return r->n > 1 && with_uuids < 2 && (double)count_names(r) == gpus;
}

/* Counts everything else that two files of one node hold once: processors, memory. */
static void count_rest_once(ws_measure *m, const ws_device *first, const ws_device *second, ws_notes *notes)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *a = &m->devices[i];
        bool is_first = a->domain != WS_GPU && is_of_a_log(a) && same_source(a, first);
        for (size_t k = 0; k < m->n_devices && is_first && !a->is_alternative; k++) {
            ws_device *b = &m->devices[k];
            if (is_of_a_log(b) && same_source(b, second) && are_of_one_node(a, b) && overlap(a, b) &&
                strcmp(a->device, b->device) == 0)
                ws_count_device_once(a, b, notes);
        }
    }
}

static rank_logs logs_of(ws_measure *m, is_wanted *wanted)
{
    rank_logs r = {.m = m,
                   .logs = ws_alloc((m->n_devices + 1) * sizeof *r.logs),
                   .places = ws_alloc((m->n_devices + 1) * sizeof *r.places)};
    find_logs(&r, wanted);
    return r;
}

static void free_logs(rank_logs *r)
{
    free(r->logs);
    free(r->places);
}

static bool are_copies(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    bool same = a->n == b->n && !both_have_uuids(r, a, b);
    for (size_t i = 0; i < a->n && same; i++) {
        const ws_device *x = device_of(r, a, i), *y = find_like(r, b, x);
        same = y && compare_powers(x, y) >= WS_READINGS_EXPORT;
    }
    return same;
}

/* Files without GPUs that name no node are from one node if they are equal. */
static void count_hosts_once(ws_measure *m, ws_notes *notes)
{
    rank_logs r = logs_of(m, is_host_of_a_log);
    for (size_t i = 1; i < r.n; i++) {
        for (size_t k = 0; k < i && r.logs[i].group == i; k++)
            if (r.logs[k].group == k && are_copies(&r, &r.logs[k], &r.logs[i]))
                r.logs[i].group = k;
        count_once(&r, &r.logs[i], notes);
    }
    free_logs(&r);
}

static ws_duplicates count_ranks_once(ws_measure *m, double gpus, size_t all_gpus, ws_notes *notes)
{
    rank_logs r = logs_of(m, is_gpu_of_a_log);
    ws_duplicates found = WS_DUPLICATES_NONE;
    if (are_of_one_node_by_count(&r, gpus))
        for (size_t i = 0; i < r.n; i++)
            r.logs[i].group = 0;
    else if ((double)all_gpus != gpus)
        found = group_by_readings(&r, notes);
    for (size_t i = 1; i < r.n; i++) {
        count_once(&r, &r.logs[i], notes);
        for (size_t k = 0; k < i; k++)
            if (r.logs[k].group == r.logs[i].group)
                count_rest_once(m, device_of(&r, &r.logs[k], 0), device_of(&r, &r.logs[i], 0), notes);
    }
    free_logs(&r);
    count_hosts_once(m, notes);
    return found;
}

static ws_duplicates settle_pair(ws_measure *m, ws_device *a, ws_device *b, bool gpus_fit, ws_notes *notes)
{
    if (a->is_alternative || b->is_alternative || same_source(a, b) || !a->energy || !b->energy)
        return WS_DUPLICATES_NONE;
    verdict v = judge_pair(m, a, b);
    switch (v) {
    case ONCE:
        ws_count_device_once(a, b, notes);
        return WS_DUPLICATES_NONE;
    case WITHOUT_SUM:
        leave_sum_out(a, b, notes);
        return WS_DUPLICATES_NONE;
    case TWO_EQUAL:
        note_equal(a, b, notes);
        return WS_DUPLICATES_NONE;
    case DOUBT_BY_FILE:
        if (!gpus_fit) {
            note_doubt(a, b, notes);
            return WS_DUPLICATES_DOUBT;
        }
        note_by_file(a, b, notes);
        return WS_DUPLICATES_NONE;
    case TWO_BY_FILE:
        note_by_file(a, b, notes);
        return WS_DUPLICATES_NONE;
    case DOUBT:
        note_doubt(a, b, notes);
        return WS_DUPLICATES_DOUBT;
    default:
        return WS_DUPLICATES_NONE;
    }
}

static size_t count_entries(const ws_measure *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++)
        n += !m->devices[i].is_alternative && m->devices[i].domain == WS_GPU;
    return n;
}

ws_duplicates ws_measure_find_duplicates(ws_measure *m, double gpus, ws_notes *notes)
{
    size_t all_gpus = count_entries(m);
    ws_duplicates found = count_ranks_once(m, gpus, all_gpus, notes);
    for (size_t i = 0; i < m->n_devices; i++) {
        for (size_t j = 0; j < i; j++) {
            ws_duplicates now = settle_pair(m, &m->devices[j], &m->devices[i], (double)all_gpus == gpus, notes);
            found = now > found ? now : found;
        }
    }
    return found;
}

/* --- inside a file --- */

/* A MIG instance: one of several parts of a card. */
static bool is_slice(const ws_device *d)
{
    return d->domain == WS_GPU && strncmp(d->device_id, "MIG-", 4) == 0;
}

/* Older drivers include the card in the name: "MIG-GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f/7/0". */
static bool name_different_cards(const ws_device *a, const ws_device *b)
{
    static const char before[] = "MIG-GPU-";
    size_t n = sizeof before - 1;
    if (strncmp(a->device_id, before, n) != 0 || strncmp(b->device_id, before, n) != 0)
        return false;
    size_t x = strcspn(a->device_id, "/"), y = strcspn(b->device_id, "/");
    return x != y || strncmp(a->device_id, b->device_id, x) != 0;
}

static int by_energy(const void *left, const void *right)
{
    const ws_device *a = *(ws_device *const *)left, *b = *(ws_device *const *)right;
    double x = a->energy->reading.energy_j, y = b->energy->reading.energy_j;
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

/* By the readings alone: the rows of one poll may have different stamps. */
static int by_readings(const void *left, const void *right)
{
    const ws_device *a = *(ws_device *const *)left, *b = *(ws_device *const *)right;
    const ws_channel_summary *x = &a->energy->reading, *y = &b->energy->reading;
    const double p[] = {x->plain_mean, x->plain_sd, x->min, x->max, (double)x->samples};
    const double q[] = {y->plain_mean, y->plain_sd, y->min, y->max, (double)y->samples};
    int order = 0;
    for (size_t i = 0; i < sizeof p / sizeof *p && !order; i++)
        order = isnan(p[i]) || isnan(q[i]) ? !isnan(p[i]) - !isnan(q[i]) : (p[i] > q[i]) - (p[i] < q[i]);
    return order;
}

static int by_readings_and_place(const void *left, const void *right)
{
    const ws_device *a = *(ws_device *const *)left, *b = *(ws_device *const *)right;
    int order = by_readings(left, right);
    order = order ? order : strcmp(a->source, b->source);
    order = order ? order : is_slice(a) - is_slice(b);
    return order ? order : (a > b) - (a < b);
}

static void set_status(ws_measure *m, const ws_device *d, const char *status, bool keeps_energy)
{
    ws_channel_summary *r = &m->channels[d->energy - m->channels].reading;
    r->status = status;
    if (!keeps_energy)
        r->energy_j = r->energy_lo_j = r->energy_hi_j = NAN;
}

static bool of_one_source(const ws_device *a, const ws_device *b)
{
    return same_source(a, b) && a->domain == b->domain && strcmp(a->run, b->run) == 0;
}

static bool may_be_one_card(const ws_device *a, const ws_device *b)
{
    return of_one_source(a, b) && strcmp(a->node, b->node) == 0 && overlap(a, b) && !name_different_cards(a, b);
}

static bool proves_a_card(const ws_device *d)
{
    const ws_channel_summary *r = &d->energy->reading;
    return r->samples >= ENOUGH && r->min < r->max;
}

/* Leaves out slices with the readings of another slice or of their card, because the power of a card cannot be split.
 * The entry that stays stands for its card (`is_card`): no other card has the same readings. `sorted` is ordered by
 * readings; the entries that stay move to its front. Returns how many there are. */
static size_t leave_slices_out(ws_measure *m, ws_device **sorted, size_t n, bool *is_card, ws_notes *notes)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        ws_device *d = sorted[i], *card = kept ? sorted[kept - 1] : NULL;
        bool repeats =
            card && is_slice(d) && proves_a_card(d) && by_readings(&card, &d) == 0 && may_be_one_card(card, d);
        if (!repeats) {
            is_card[d - m->devices] = !is_slice(d);
            sorted[kept++] = d;
            continue;
        }
        is_card[card - m->devices] = true;
        ws_notes_add(notes, WS_FINDING_MEASURED_TWICE, d->source, d->device, 0,
                     "each reading is that of %s, %s: the card counts once (%.6g J are not added)", card->device,
                     is_slice(card) ? "another slice of the card" : "its card", d->energy->reading.energy_j);
        set_status(m, d, "measured-twice", false);
        d->is_alternative = true;
    }
    return kept;
}

/* `a` comes before `b` in the file. */
static void settle_inside(ws_measure *m, const ws_device *a, const ws_device *b, const bool *is_card, ws_notes *notes)
{
    ws_likeness likeness = compare_powers(a, b);
    bool are_cards = is_card[a - m->devices] && is_card[b - m->devices];
    if ((is_slice(a) || is_slice(b)) && !are_cards && may_be_one_card(a, b) && likeness != WS_READINGS_DIFFER) {
        const ws_device *slice = is_slice(b) ? b : a, *other = slice == b ? a : b;
        ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, slice->source, slice->device, 0,
                     "its power is nearly that of %s%s: each may be that of the whole card (%.6g J may count twice)",
                     other->device, is_slice(other) ? ", another slice" : "", slice->energy->reading.energy_j);
        set_status(m, slice, "maybe-measured-twice", true);
    } else if (likeness == WS_READINGS_EQUAL && overlap(a, b)) {
        note_equal(a, b, notes);
    }
}

void ws_measure_find_duplicates_inside(ws_measure *m, ws_notes *notes)
{
    ws_device **sorted = ws_alloc((m->n_devices + 1) * sizeof *sorted);
    bool *is_card = ws_alloc(m->n_devices + 1);
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_measured *c = m->devices[i].energy;
        if (c && !m->devices[i].is_alternative && c->reading.energy_j > 0)
            sorted[n++] = &m->devices[i];
    }
    qsort(sorted, n, sizeof *sorted, by_readings_and_place);
    n = leave_slices_out(m, sorted, n, is_card, notes);
    qsort(sorted, n, sizeof *sorted, by_energy);
    for (size_t i = 1; i < n; i++) {
        ws_device *a = sorted[i - 1], *b = sorted[i];
        bool near = a->energy->reading.energy_j >= (1 - ALIKE) * b->energy->reading.energy_j;
        if (near && of_one_source(a, b))
            settle_inside(m, a < b ? a : b, a < b ? b : a, is_card, notes);
    }
    free(sorted);
    free(is_card);
}

static bool is_counted_gpu(const ws_device *d, const char *run)
{
    return !d->is_alternative && d->domain == WS_GPU && strcmp(d->run, run) == 0;
}

static bool is_one_device(const ws_measure *m, const ws_device *a, const ws_device *b)
{
    names names_are = same_source(a, b) ? OTHER_NAMES : compare_names(m, a, b);
    bool one = names_are == ONE_DEVICE || names_are == A_FILE_EACH;
    if (!one || !a->energy || !b->energy)
        return one;
    bool may_be_two = names_are == A_FILE_EACH && compare_times(a, b, A_FILE_EACH) != APART;
    return !may_be_two || compare_powers(a, b) == WS_READINGS_EQUAL;
}

size_t ws_measure_count_gpus(const ws_measure *m, const char *run)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++) {
        bool counts = is_counted_gpu(&m->devices[i], run);
        for (size_t j = 0; counts && j < i; j++)
            counts = !is_counted_gpu(&m->devices[j], run) || !is_one_device(m, &m->devices[j], &m->devices[i]);
        n += counts;
    }
    return n;
}
