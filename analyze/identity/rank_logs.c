/* Logs of ranks of a job, each as a whole: which of them read the same node? */
#include "analyze/identity/rank_logs.h"
#include "analyze/identity/agreement.h"
#include "analyze/measure/stakes.h"

#include "core/arena.h"
#include "core/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two loggers whose polls are out of phase may differ in one GPU whose load repeats in step with the polls: where this
 * share of the GPUs are as close as those of one node, by no chance, the logs are likely of one. Ours. */
static const double MOST_OF = 0.75;

/* The largest chance that counters of two nodes look like one. */
static const double COUNTERS_BY_CHANCE = 1e-3;

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

/* Of the nodes of two logs. OTHER_SOURCES: two loggers, of powers and of energies, that disagree. */
typedef enum relation { DIFFERENT, MAYBE, OTHER_SOURCES, LIKELY, SAME } relation;

/* Not of a file with a single sensor: the sensor's name says to which device it belongs. */
static bool is_of_a_log(const ws_device *d)
{
    return !d->is_alternative && d->domain != WS_OTHER && !*d->run && d->energy && strcmp(d->identity, "sensor") != 0;
}

static bool is_gpu_of_a_log(const ws_device *d)
{
    return d->domain == WS_GPU && is_of_a_log(d);
}

/* A processor, a memory, a board: of a file that names no node. */
static bool is_host_of_a_log(const ws_device *d)
{
    return d->domain != WS_GPU && is_of_a_log(d) && !*d->node;
}

typedef bool is_wanted(const ws_device *d);

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
    return ws_devices_share_source(first, d) && strcmp(first->node, d->node) == 0;
}

static void find_logs(rank_logs *r, is_wanted *wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < r->m->n_devices; i++) {
        const ws_device *d = &r->m->devices[i];
        if (!wanted(d))
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

static const ws_device *find_name(const rank_logs *r, const rank_log *log, const ws_device *d)
{
    for (size_t i = 0; i < log->n; i++)
        if (strcmp(device_of(r, log, i)->device, d->device) == 0)
            return device_of(r, log, i);
    return NULL;
}

/* The device of `log` with the name of `d`, if it was read at the same time; else NULL. */
static const ws_device *find_like(const rank_logs *r, const rank_log *log, const ws_device *d)
{
    const ws_device *other = find_name(r, log, d);
    return other && ws_devices_overlap(d, other) ? other : NULL;
}

/* Loggers that count seconds from their own start: neither has a date, and they may have run at the same time. */
static bool are_undated(const ws_device *a, const ws_device *b)
{
    const ws_channel_summary *x = &a->energy->summary, *y = &b->energy->summary;
    const ws_meter *p = &a->energy->meter, *q = &b->energy->meter;
    return !x->has_start && !y->has_start && x->duration_s > 0 && y->duration_s > 0 && p->first_t < q->last_t &&
           q->first_t < p->last_t;
}

/* The device of `log` with the name of `d`, if it may have been read at the same time; else NULL. */
static const ws_device *find_maybe_like(const rank_logs *r, const rank_log *log, const ws_device *d)
{
    const ws_device *other = find_name(r, log, d);
    return other && (ws_devices_overlap(d, other) || are_undated(d, other)) ? other : NULL;
}

/* Then the uuids tell which devices are the same. */
static bool both_have_uuids(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    return ws_device_has_uuid(device_of(r, a, 0)) && ws_device_has_uuid(device_of(r, b, 0));
}

/* Of the means (or the standard deviations) of the devices of one log. */
static ws_gpu_spread spread_of(const rank_logs *r, const rank_log *log, bool of_sd)
{
    ws_gpu_spread s = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < log->n; i++) {
        const ws_channel_summary *summary = &device_of(r, log, i)->energy->summary;
        double x = of_sd ? summary->sd : summary->mean;
        s.low = fmin(s.low, x), s.high = fmax(s.high, x);
        s.mean += x / (double)log->n;
    }
    double squares = 0;
    for (size_t i = 0; i < log->n; i++) {
        const ws_channel_summary *summary = &device_of(r, log, i)->energy->summary;
        squares += pow((of_sd ? summary->sd : summary->mean) - s.mean, 2);
    }
    s.sd = sqrt(squares / (double)(log->n - 1));
    return s;
}

/* "rank0.csv" and "rank1.csv", with a GPU in each of them. */
static bool are_a_file_each(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    return a->n == 1 && b->n == 1 && ws_names_differ_in_numbers(device_of(r, a, 0)->source, device_of(r, b, 0)->source);
}

/* "gpu_0.csv" and "gpu_1.csv", "cuda0.log" and "cuda1.log": the names say which GPU it is. */
static bool do_names_say_gpu(const char *a, const char *b)
{
    static const char *const words[] = {"gpu", "cuda", "gcd", "card", "device", "dev"};
    size_t at = 0;
    while (a[at] && a[at] == b[at])
        at++;
    while (at && isdigit((unsigned char)a[at - 1]))
        at--;
    while (at && strchr("_-. ", a[at - 1]))
        at--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]), k = 0;
        while (k < n && at >= n && tolower((unsigned char)a[at - n + k]) == words[i][k])
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* Each rank may have logged its own GPU under the number that it has for that rank, or all of them the same one. */
static relation compare_gpus(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    const ws_device *x = device_of(r, a, 0), *y = device_of(r, b, 0);
    return do_names_say_gpu(x->source, y->source) || ws_devices_differ_in_heat(x, y) ? DIFFERENT : MAYBE;
}

/* What the GPUs say that two logs share. */
typedef struct shared_gpus {
    size_t n, close;
    bool differ, may_be_one, share_source;
    ws_likeness least;
    double farthest;              /* of their means */
    ws_agreement all, close_ones; /* of all figures */
} shared_gpus;

static void take_chance(ws_agreement *all, const ws_agreement *one)
{
    all->as_in_log *= one->as_in_log;
    all->as_cards *= one->as_cards;
}

static void take_shared(shared_gpus *s, const ws_device *x, const ws_device *y, const ws_gpu_spread *means,
                        const ws_gpu_spread *sds)
{
    const ws_channel_summary *p = &x->energy->summary, *q = &y->energy->summary;
    ws_likeness likeness = ws_compare_readings(p, q);
    double apart = fabs(p->mean - q->mean);
    ws_agreement now = {ws_chance_in_log(apart, means) * ws_chance_in_log(p->sd - q->sd, sds),
                        ws_chance_of_cards(apart, p->mean)};
    bool may_be_one = ws_devices_may_be_one(x, y), is_close = may_be_one && ws_is_far_closer(apart, means);
    s->least = likeness < s->least ? likeness : s->least;
    s->differ |= likeness == WS_READINGS_DIFFER && !ws_devices_may_be_alike(x, y);
    s->may_be_one &= may_be_one;
    s->share_source |= x->energy->channel.quantity == y->energy->channel.quantity;
    s->farthest = fmax(s->farthest, apart);
    take_chance(&s->all, &now);
    if (is_close)
        take_chance(&s->close_ones, &now);
    s->close += is_close;
    s->n++;
}

static bool are_mostly_one(const shared_gpus *s)
{
    return (double)s->close >= MOST_OF * (double)s->n && ws_agree_by_no_chance(&s->close_ones);
}

/* Loggers of two nodes write alike: one log of powers and one of energies, whose names differ in more than numbers, may
 * be of one node, even if they disagree. */
static relation relation_of_sources(const rank_logs *r, const rank_log *a, const rank_log *b, bool share_source)
{
    bool may_be = !share_source && !names_node(r, a) &&
                  !ws_names_differ_in_numbers(device_of(r, a, 0)->source, device_of(r, b, 0)->source);
    return may_be ? OTHER_SOURCES : DIFFERENT;
}

/* Compares the devices with common names: one rank may log its whole node, another only its own GPU. */
static relation compare_logs(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    const rank_log *less = a->n < b->n ? a : b, *more = less == a ? b : a;
    if (both_have_uuids(r, a, b))
        return DIFFERENT;
    ws_gpu_spread means = spread_of(r, more, false), sds = spread_of(r, more, true);
    shared_gpus s = {.may_be_one = true, .least = WS_READINGS_EQUAL, .all = {1, 1}, .close_ones = {1, 1}};
    for (size_t i = 0; i < less->n; i++) {
        const ws_device *x = device_of(r, less, i), *y = find_maybe_like(r, more, x);
        if (y)
            take_shared(&s, x, y, &means, &sds);
    }
    if (!s.n)
        return DIFFERENT;
    if (s.differ)
        return are_mostly_one(&s) ? LIKELY : relation_of_sources(r, a, b, s.share_source);
    if (s.least == WS_READINGS_EQUAL)
        return SAME;
    if (are_a_file_each(r, a, b))
        return compare_gpus(r, a, b);
    return s.may_be_one && ws_is_far_closer(s.farthest, &means) && ws_agree_by_no_chance(&s.all) ? SAME : MAYBE;
}

static void count_once(rank_logs *r, const rank_log *log, ws_notes *notes)
{
    for (const rank_log *other = r->logs; other < log; other++) {
        for (size_t i = 0; i < log->n && other->group == log->group; i++) {
            ws_device *a = device_of(r, log, i);
            for (size_t k = 0; k < other->n && !a->is_alternative; k++) {
                ws_device *b = device_of(r, other, k);
                if (!b->is_alternative && strcmp(a->device, b->device) == 0)
                    ws_count_device_once(r->m, b, a, notes);
            }
        }
    }
}

static double energy_of(const rank_logs *r, const rank_log *log)
{
    double sum = 0;
    for (size_t i = 0; i < log->n; i++)
        sum += device_of(r, log, i)->energy->summary.energy_j;
    return sum;
}

static ws_duplicates ask_for_node(const rank_logs *r, const rank_log *a, const rank_log *b, ws_notes *notes)
{
    ws_notes_add(
        notes, WS_FINDING_ASK_NODES, device_of(r, b, 0)->source, "", 0,
        "it and %s hold GPUs of the same names with nearly the same powers at the same time, and neither names its "
        "node: %s count once if ranks of one node wrote them; the GPUs of the run (--set gpus=%zu for one node) or "
        "a {node} in the pattern says it",
        device_of(r, a, 0)->source, ws_joules(energy_of(r, b)).text, a->n);
    return WS_DUPLICATES_ASK;
}

static void stake_log(const rank_logs *r, const rank_log *log)
{
    for (size_t i = 0; i < log->n; i++)
        ws_device_stake(device_of(r, log, i), r->m, WS_FINDING_MAYBE_MEASURED_TWICE,
                        device_of(r, log, i)->energy->summary.energy_j);
}

static ws_duplicates doubt_sources(const rank_logs *r, const rank_log *a, const rank_log *b, ws_notes *notes)
{
    const ws_device *x = device_of(r, a, 0), *y = device_of(r, b, 0);
    bool undated = are_undated(x, y);
    stake_log(r, b);
    ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, y->source, y->device, 0,
                 "it holds '%s' and %s '%s' of devices of the same names %s, which disagree, and neither "
                 "names its node: %s count twice if both read one node (%s)",
                 y->energy->channel.column, x->source, x->energy->channel.column,
                 undated ? "without dates" : "at the same time", ws_joules(energy_of(r, b)).text,
                 undated ? "nothing says whether at the same time" : "--set nodes=1 says so");
    return WS_DUPLICATES_DOUBT;
}

/* Readings at the same times that are the same, of all GPUs together: a copy under the name of another node. */
static bool are_copies(const rank_logs *r, const rank_log *a, const rank_log *b, bool *each)
{
    ws_shared_readings shared = {.chance = 1};
    *each = true;
    for (size_t i = 0; i < b->n; i++) {
        const ws_device *y = device_of(r, b, i), *x = find_maybe_like(r, a, y);
        if (!x)
            return false;
        const ws_fingerprint f = ws_fingerprint_of(&x->energy->watch->fingerprint),
                             g = ws_fingerprint_of(&y->energy->watch->fingerprint);
        ws_fingerprints_compare(&shared, &f, &g);
        *each = *each && ws_devices_are_copies(x, y);
    }
    return *each || ws_are_shared_readings(&shared);
}

/* Pair by pair they are told as equal devices are (duplicates.h). */
static ws_duplicates doubt_copies(const rank_logs *r, const rank_log *a, const rank_log *b, bool each, ws_notes *notes)
{
    ws_device *y = device_of(r, b, 0);
    if (each)
        return WS_DUPLICATES_NONE;
    ws_device_stake(y, r->m, WS_FINDING_SAME_READINGS, NAN);
    ws_notes_add(notes, WS_FINDING_SAME_READINGS, y->source, y->node, 0,
                 "all readings of its GPUs at the times of %s are those of it: the same data under two names? Both are "
                 "in the sums (%s)",
                 device_of(r, a, 0)->source, ws_joules(energy_of(r, b)).text);
    return WS_DUPLICATES_NONE;
}

static ws_duplicates doubt_nodes(const rank_logs *r, const rank_log *a, const rank_log *b, ws_notes *notes)
{
    bool each;
    if (names_node(r, a) && are_copies(r, a, b, &each))
        return doubt_copies(r, a, b, each, notes);
    const ws_device *x = device_of(r, a, 0), *y = device_of(r, b, 0);
    stake_log(r, b);
    if (are_undated(x, y) && !names_node(r, a))
        ws_notes_add(notes, WS_FINDING_MAYBE_MEASURED_TWICE, y->source, "", 0,
                     "it and %s hold devices of the same names with nearly the same powers, and no date says whether "
                     "they were read at the same time: %s may count twice (are they ranks of one node?)",
                     x->source, ws_joules(energy_of(r, b)).text);
    else
        ws_notes_add(
            notes, WS_FINDING_MAYBE_MEASURED_TWICE, y->source, y->node, 0,
            "the readings are those of %s%s, by more than chance: %s may count twice (are they ranks of one node?)",
            names_node(r, a) ? "the node " : "", names_node(r, a) ? x->node : x->source,
            ws_joules(energy_of(r, b)).text);
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

/* Without dates two logs may follow each other as well: those of one node are in doubt, and none counts once; two
 * sources that disagree are in doubt as those with dates. Equal readings are named as such. */
static relation relation_of_undated(const rank_logs *r, const rank_log *a, relation now, bool are_equal)
{
    relation least = names_node(r, a) ? LIKELY : MAYBE;
    if (now == OTHER_SOURCES)
        return now;
    return now >= least && !are_equal ? LIKELY : DIFFERENT;
}

static relation relation_of(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    const ws_device *x = device_of(r, a, 0), *y = device_of(r, b, 0);
    relation now = are_open(r, a, b) ? compare_logs(r, a, b) : DIFFERENT;
    bool are_equal = ws_compare_devices(x, y) == WS_READINGS_EQUAL;
    return are_undated(x, y) ? relation_of_undated(r, a, now, are_equal) : now;
}

static ws_duplicates worse_of(ws_duplicates a, ws_duplicates b)
{
    return a > b ? a : b;
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
            relation now = !known ? relation_of(r, other, log) : DIFFERENT;
            relations[i * r->n + k] = (unsigned char)now;
            if (now == SAME && !names_node(r, log))
                join_groups(r, other->group, log->group);
            else if (now >= LIKELY && !like)
                like = other;
            else if (now == OTHER_SOURCES)
                found = doubt_sources(r, other, log, notes);
        }
        if (like && like->group != log->group &&
            ws_compare_devices(device_of(r, like, 0), device_of(r, log, 0)) != WS_READINGS_EQUAL)
            found = worse_of(found, doubt_nodes(r, like, log, notes));
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
        with_uuids += ws_device_has_uuid(device_of(r, &r->logs[i], 0));
    }
    return r->n > 1 && with_uuids < 2 && (double)count_names(r) == gpus;
}

/* Counts everything else that two files of one node hold once: processors, memory. */
static void count_rest_once(ws_measure *m, const ws_device *first, const ws_device *second, ws_notes *notes)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *a = &m->devices[i];
        bool is_first = a->domain != WS_GPU && is_of_a_log(a) && ws_devices_share_source(a, first);
        for (size_t k = 0; k < m->n_devices && is_first && !a->is_alternative; k++) {
            ws_device *b = &m->devices[k];
            if (is_of_a_log(b) && ws_devices_share_source(b, second) && ws_devices_share_node(a, b) &&
                ws_devices_overlap(a, b) && strcmp(a->device, b->device) == 0)
                ws_count_device_once(m, a, b, notes);
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

/* Which files hold something on the same node? Their GPUs say it where they have the same names: they were compared,
 * and what was not joined is of other nodes. GPUs that each rank logged alone say nothing. */
static bool are_of_other_nodes(const rank_logs *gpus, const ws_device *x, const ws_device *y)
{
    const rank_log *a = NULL, *b = NULL;
    for (size_t i = 0; i < gpus->n; i++) {
        a = ws_devices_share_source(device_of(gpus, &gpus->logs[i], 0), x) ? &gpus->logs[i] : a;
        b = ws_devices_share_source(device_of(gpus, &gpus->logs[i], 0), y) ? &gpus->logs[i] : b;
    }
    bool share = false;
    for (size_t i = 0; a && b && i < a->n; i++)
        share |= find_like(gpus, b, device_of(gpus, a, i)) != NULL;
    return share && a->group != b->group && !are_a_file_each(gpus, a, b);
}

/* Of a file that names its node, a counter that runs since the machine was started. */
static bool is_counter_of_a_node(const ws_device *d)
{
    return is_of_a_log(d) && *d->node && d->energy->channel.quantity == WS_ENERGY_COUNTER;
}

/* The chance that the counters of two nodes look like those of one. Equal readings are named as such. */
static double chance_of_counters(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    double chance = 1;
    for (size_t i = 0; i < a->n; i++) {
        const ws_device *x = device_of(r, a, i), *y = find_like(r, b, x);
        if (!y || x->domain != y->domain)
            continue;
        double now = ws_compare_devices(x, y) == WS_READINGS_EQUAL ? 1 : ws_counter_chance(x, y);
        if (now >= 1)
            return 1;
        chance *= now;
    }
    return chance;
}

/* Two loggers of one machine, in files that name two nodes: the counts of one counter interleave. Among many nodes some
 * are near each other by chance. */
static ws_duplicates doubt_counters(ws_measure *m, ws_notes *notes)
{
    rank_logs r = logs_of(m, is_counter_of_a_node);
    ws_duplicates found = WS_DUPLICATES_NONE;
    double pairs = (double)r.n * ((double)r.n - 1) / 2;
    for (size_t i = 1; i < r.n; i++)
        for (size_t k = 0; k < i; k++) {
            const ws_device *x = device_of(&r, &r.logs[k], 0), *y = device_of(&r, &r.logs[i], 0);
            if (strcmp(x->node, y->node) == 0 ||
                chance_of_counters(&r, &r.logs[k], &r.logs[i]) * pairs > COUNTERS_BY_CHANCE)
                continue;
            found = doubt_nodes(&r, &r.logs[k], &r.logs[i], notes);
            break;
        }
    free_logs(&r);
    return found;
}

/* Processors and memories by their readings alone: one name, one time. */
static relation compare_hosts(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    ws_likeness least = WS_READINGS_EQUAL;
    bool differ = false, share_counter = false, share_source = false;
    size_t shared = 0;
    for (size_t i = 0; i < a->n; i++) {
        const ws_device *x = device_of(r, a, i), *y = find_like(r, b, x);
        if (!y || x->domain != y->domain)
            continue;
        ws_likeness likeness = ws_compare_devices(x, y);
        least = likeness < least ? likeness : least;
        differ |= likeness == WS_READINGS_DIFFER && !ws_devices_may_be_alike(x, y);
        share_counter |= ws_devices_share_counter(x, y);
        share_source |= x->energy->channel.quantity == y->energy->channel.quantity;
        shared++;
    }
    if (!shared)
        return DIFFERENT;
    if (differ && !share_counter)
        return relation_of_sources(r, a, b, share_source);
    return least >= WS_READINGS_EXPORT || share_counter ? SAME : MAYBE;
}

static ws_duplicates ask_for_host(const rank_logs *r, const rank_log *a, const rank_log *b, ws_notes *notes)
{
    const ws_device *x = device_of(r, b, 0);
    ws_notes_add(notes, WS_FINDING_ASK_NODES, x->source, x->device, 0,
                 "%s holds one of that name with nearly the same power at the same time, and neither file names its "
                 "node: %s count once if both read one node; --set nodes=1 says so, --set nodes=%zu that each file "
                 "is of a node of its own",
                 device_of(r, a, 0)->source, ws_joules(energy_of(r, b)).text, r->n);
    return WS_DUPLICATES_ASK;
}

/* Of one machine, one of two logs adds up its packages and the other holds each: perf stat beside counters of powercap.
 * They hold other numbers of packages, and the same energy in the same time; on real machines both count the same
 * registers. Ours. */
static const double SAME_SUM = 0.005;

static bool add_up_alike(const rank_logs *r, const rank_log *a, const rank_log *b)
{
    const rank_log *logs[] = {a, b};
    double sums[2] = {0}, longest_s[2] = {0};
    size_t packages[2] = {0};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < logs[k]->n; i++) {
            const ws_device *d = device_of(r, logs[k], i);
            if (d->domain != WS_CPU)
                continue;
            packages[k]++;
            sums[k] += d->energy->summary.energy_j;
            longest_s[k] = fmax(longest_s[k], d->energy->summary.duration_s);
        }
    return packages[0] && packages[1] && packages[0] != packages[1] && (packages[0] == 1 || packages[1] == 1) &&
           ws_devices_overlap(device_of(r, a, 0), device_of(r, b, 0)) &&
           fabs(sums[0] / longest_s[0] / (sums[1] / longest_s[1]) - 1) <= SAME_SUM;
}

/* What files that name no node hold besides GPUs. `nodes`: as the run is described; NaN if it is not. */
static ws_duplicates count_hosts_once(ws_measure *m, const rank_logs *gpus, double nodes, ws_notes *notes)
{
    rank_logs r = logs_of(m, is_host_of_a_log);
    ws_duplicates found = WS_DUPLICATES_NONE;
    unsigned char *relations = ws_alloc(r.n * r.n + 1);
    for (size_t i = 1; i < r.n; i++)
        for (size_t k = 0; k < i; k++) {
            relation now = compare_hosts(&r, &r.logs[k], &r.logs[i]);
            bool is_said = nodes == (double)r.n ||
                           are_of_other_nodes(gpus, device_of(&r, &r.logs[k], 0), device_of(&r, &r.logs[i], 0));
            if (now == DIFFERENT && nodes != (double)r.n && add_up_alike(&r, &r.logs[k], &r.logs[i]))
                found = doubt_nodes(&r, &r.logs[k], &r.logs[i], notes);
            bool is_open = now == MAYBE || now == OTHER_SOURCES;
            now = is_open && is_said ? DIFFERENT : is_open && nodes == 1 ? SAME : now;
            if (now == OTHER_SOURCES)
                found = doubt_sources(&r, &r.logs[k], &r.logs[i], notes);
            relations[i * r.n + k] = (unsigned char)now;
            if (now == SAME)
                join_groups(&r, r.logs[k].group, r.logs[i].group);
        }
    for (size_t i = 1; i < r.n; i++) {
        bool asked = false;
        for (size_t k = 0; k < i && !asked; k++) {
            asked = relations[i * r.n + k] == MAYBE && r.logs[k].group != r.logs[i].group;
            found = asked ? ask_for_host(&r, &r.logs[k], &r.logs[i], notes) : found;
        }
        count_once(&r, &r.logs[i], notes);
    }
    free(relations);
    free_logs(&r);
    return found;
}

static ws_duplicates count_ranks_once(ws_measure *m, double gpus, double nodes, size_t all_gpus, ws_notes *notes)
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
    ws_duplicates hosts = count_hosts_once(m, &r, nodes, notes);
    free_logs(&r);
    return hosts > found ? hosts : found;
}

static size_t count_gpu_entries(const ws_measure *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_devices; i++)
        n += !m->devices[i].is_alternative && m->devices[i].domain == WS_GPU;
    return n;
}

ws_duplicates ws_measure_find_duplicates(ws_measure *m, double gpus, double nodes, ws_notes *notes)
{
    size_t all_gpus = count_gpu_entries(m);
    ws_duplicates found = count_ranks_once(m, gpus, nodes, all_gpus, notes), counters = doubt_counters(m, notes);
    found = counters > found ? counters : found;
    ws_duplicates pairs = ws_settle_pairs(m, (double)all_gpus == gpus, notes);
    return pairs > found ? pairs : found;
}
