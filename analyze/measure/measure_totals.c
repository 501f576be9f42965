/* Sums over the devices of a measure, and the time that runs of one file share. */
#include "analyze/measure/measure.h"

#include "analyze/measure/likeness.h"
#include "core/name_index.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_energy(const ws_device *d)
{
    return !d->is_alternative && d->energy && !isnan(d->energy->summary.energy_j);
}

static bool has_stretch(const ws_device *d)
{
    return has_energy(d) && d->energy->summary.has_start && d->energy->summary.duration_s > 0 &&
           d->energy->meter.last_t > ws_meter_start_ns(&d->energy->meter);
}

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return to_ns > from_ns ? (double)((uint64_t)to_ns - (uint64_t)from_ns) / 1e9 : 0;
}

static int64_t start_of(const ws_device *d)
{
    return ws_meter_start_ns(&d->energy->meter);
}

static int64_t end_of(const ws_device *d)
{
    return d->energy->meter.last_t;
}

static double length_of(const ws_device *d)
{
    return d->energy->summary.duration_s;
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

/* Does a source have more than one? */
static bool has_runs(const ws_measure *m)
{
    bool has = false;
    for (size_t i = 1; i < m->n_devices && !has; i++)
        has = strcmp(m->devices[i].run, m->devices[0].run) != 0;
    return has;
}

void ws_measure_find_overlaps(ws_measure *m)
{
    size_t n;
    if (!has_runs(m))
        return;
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

/* The time that the devices of the domain cover together, whatever their run: those that have an energy and are not
 * left out. NaN where one of them knows no instants. */
static double covered_s(const ws_measure *m, const ws_measure_group *g, ws_domain domain)
{
    const ws_device **list = ws_alloc((g->n_devices + 1) * sizeof *list);
    size_t n = 0;
    bool known = true;
    for (size_t i = 0; i < g->n_devices; i++) {
        const ws_device *d = &m->devices[g->devices[i]];
        if (d->domain != domain || d->again_in || !has_energy(d))
            continue;
        known &= has_stretch(d);
        list[n++] = d;
    }
    qsort(list, n, sizeof *list, by_first_stamp);
    double covered = known ? union_s(list, n) : NAN;
    free(list);
    return covered;
}

static double larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static double added(double a, double b)
{
    return isnan(a) ? b : a + b;
}

static void add_sum(ws_device_sum *to, const ws_device_sum *from, bool same_sensors)
{
    to->devices += from->devices;
    to->without += from->without;
    to->rowless += from->rowless;
    to->rows_without += from->rows_without;
    to->samples += from->samples;
    to->missing += from->missing;
    to->ask = to->ask ? to->ask : from->ask;
    if (!from->devices)
        return;
    ws_stake_merge(&to->stake, &from->stake);
    to->energy_j = added(to->energy_j, from->energy_j);
    to->power_w = added(to->power_w, from->power_w);
    ws_budget_add(&to->budget, &from->budget, same_sensors);
    to->baseline_j += from->baseline_j;
    to->least_w += from->least_w;
    to->most_w += from->most_w;
    if (ws_energy_status_gravity(from->status) > ws_energy_status_gravity(to->status))
        to->status = from->status;
    to->duration_s = larger(to->duration_s, from->duration_s);
    to->max_gap_s = larger(to->max_gap_s, from->max_gap_s);
    to->coverage = isnan(to->coverage) || from->coverage < to->coverage ? from->coverage : to->coverage;
}

static const ws_device_sum no_devices = {
    .energy_j = NAN, .power_w = NAN, .duration_s = NAN, .max_gap_s = NAN, .coverage = NAN, .status = WS_STATUS_OK};

/* Has its source no energy at all? The devices of a source are adjacent. */
static bool is_all_of_source(const ws_measure *m, const ws_device *d)
{
    const ws_device *first = d, *end = m->devices + m->n_devices;
    while (first > m->devices && strcmp(first[-1].source, d->source) == 0)
        first--;
    for (; first < end && strcmp(first->source, d->source) == 0; first++)
        if (has_energy(first))
            return false;
    return true;
}

/* Nodes number their GPUs alike: only a uuid, or the node, says that two are one. */
static bool are_one_gpu(const ws_device *a, const ws_device *b)
{
    if (ws_device_has_uuid(a) && ws_device_has_uuid(b))
        return strcmp(a->device_id, b->device_id) == 0;
    return *a->node && strcmp(a->node, b->node) == 0 && strcmp(a->device, b->device) == 0;
}

/* Has another file the power of the GPU whose load stands in this one? */
static bool has_energy_elsewhere(const ws_measure *m, const ws_device *d)
{
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *o = &m->devices[i];
        if (has_energy(o) && o->domain == d->domain && strcmp(o->source, d->source) != 0 &&
            strcmp(o->run, d->run) == 0 && are_one_gpu(o, d))
            return true;
    }
    return false;
}

/* A device that never had a power or energy column, such as a host with its CPU load, does not count as a device
 * without energy, unless it is a GPU of which no other file has it. */
static ws_device_sum sum_of_device(const ws_measure *m, const ws_device *d)
{
    const ws_channel_summary *r = d->energy ? &d->energy->summary : NULL;
    if (!r || isnan(r->energy_j)) {
        ws_device_sum none = no_devices;
        none.without = d->is_metered || (d->domain == WS_GPU && !has_energy_elsewhere(m, d));
        none.rows_without = none.without && d->longest ? d->longest->summary.samples + d->longest->summary.missing : 0;
        none.rowless = none.without && (!none.rows_without || is_all_of_source(m, d));
        none.rows_without = none.rowless ? 0 : none.rows_without;
        none.ask = d->energy ? d->energy->channel.ask : WS_ASK_NOTHING;
        return none;
    }
    return (ws_device_sum){.devices = 1,
                           .samples = r->samples,
                           .missing = r->missing,
                           .energy_j = r->energy_j,
                           .budget = d->energy->budget,
                           .baseline_j = d->baseline_w * r->duration_s,
                           .least_w = isnan(r->least_w) ? 0 : r->least_w,
                           .most_w = isnan(r->most_w) ? 0 : r->most_w,
                           .power_w = r->mean,
                           .duration_s = r->duration_s,
                           .max_gap_s = r->max_gap_s,
                           .coverage = r->coverage,
                           .status = d->lacks_rest ? WS_STATUS_FILES_OVERLAP : r->status,
                           .stake = d->stake};
}

static bool is_part(int domain)
{
    return domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM;
}

static bool is_whole(int domain)
{
    return domain == WS_NODE || domain == WS_WALL;
}

/* A device without an energy beside others of its domain may have had as much as these; one of a few rows, such as
 * broken lines make, as much as in these rows. */
static void stake_devices_without(ws_device_sum *sum, const ws_verdict_rules *rules)
{
    if (!sum->devices || !sum->without)
        return;
    double usual_rows = (double)(sum->samples + sum->missing) / (double)sum->devices;
    double others = fmin((double)(sum->without - sum->rowless), (double)sum->rows_without / fmax(usual_rows, 1));
    ws_stake_add(&sum->stake, rules, WS_FINDING_NO_READINGS,
                 fabs(sum->energy_j) / (double)sum->devices * ((double)sum->rowless + others));
}

/* Devices of a domain without any energy, beside other domains that have one: what they had nobody knows. Broken lines
 * make devices of a few rows. */
static void stake_domain_without(const ws_totals *t, int domain, ws_device_sum *all, const ws_verdict_rules *rules)
{
    static const double few_rows = 0.05;
    const ws_device_sum *sum = &t->domain[domain];
    if (sum->devices || !sum->without || !all->devices)
        return;
    double usual_rows = (double)(all->samples + all->missing) / (double)all->devices;
    if (sum->rowless || (double)sum->rows_without > few_rows * usual_rows * (double)sum->without)
        ws_stake_add(&all->stake, rules, WS_FINDING_NO_READINGS, NAN);
}

/* The total of GPU + CPU + DRAM; without any of them, that of the first of node and wall that there is. Where nothing
 * gave an energy, what should have is counted. */
static void sum_domains(const ws_verdict_rules *rules, ws_totals *t)
{
    bool parts = t->domain[WS_GPU].devices || t->domain[WS_CPU].devices || t->domain[WS_DRAM].devices;
    int whole = t->domain[WS_NODE].devices ? WS_NODE : WS_WALL;
    bool none = !parts && !t->domain[whole].devices;
    t->all = no_devices;
    for (int d = 0; d < WS_DOMAIN_N; d++)
        stake_devices_without(&t->domain[d], rules);
    for (int d = 0; d < WS_DOMAIN_N; d++) /* the known parts beside an open one are not a total */
        if (t->domain[d].ask && is_part(d) && !t->all.ask)
            t->all = no_devices, t->all.ask = t->domain[d].ask;
    if (t->all.ask)
        return;
    for (int d = 0; d < WS_DOMAIN_N; d++) {
        if (none && (is_part(d) || is_whole(d)))
            t->all.without += t->domain[d].without, t->all.ask = t->all.ask ? t->all.ask : t->domain[d].ask;
        if (none || (parts ? !is_part(d) : d != whole))
            continue;
        add_sum(&t->all, &t->domain[d], false);
        if (t->domain[d].devices) {
            size_t used = strlen(t->scope);
            snprintf(t->scope + used, sizeof t->scope - used, "%s%s", used ? "+" : "", ws_domain_name((ws_domain)d));
        }
    }
    for (int d = 0; d < WS_DOMAIN_N && parts; d++)
        if (is_part(d))
            stake_domain_without(t, d, &t->all, rules);
}

/* In a long gap a clock may have been set, which is no time. */
static void see_span(ws_totals *t, const ws_channel_summary *r)
{
    if (!r->samples)
        return;
    t->wall_s = larger(t->wall_s, r->span_s);
    t->sure_s = larger(t->sure_s, r->span_s - r->long_gap_s);
}

/* A device that was seen for a part of the time only covers that part of the whole; being short by less than one of its
 * own steps is how sampling is. */
double ws_coverage_of_run(const ws_channel_summary *r, double wall_s)
{
    return wall_s - r->span_s > r->max_gap_s ? r->coverage * r->span_s / wall_s : r->coverage;
}

/* Loggers of one run start and stop some seconds apart: from this share on they covered all of it. */
static const double enough_of_run = 0.97;

/* What other files of the run cover and this device's does not; what it lacks of its own file is at stake already. */
static void stake_rest_of_run(ws_device_sum *sum, const ws_channel_summary *r, double wall_s,
                              const ws_verdict_rules *rules)
{
    double missing_s = wall_s - r->span_s;
    if (missing_s > r->max_gap_s && r->span_s < enough_of_run * wall_s &&
        !ws_finding_set_has(&sum->stake.findings, WS_FINDING_SHORT_TRACE))
        ws_stake_add(&sum->stake, rules, WS_FINDING_LOW_COVERAGE, missing_s * fabs(r->mean));
}

/* Of the time that others of its own file outlast it the budget knows already. */
static void bound_rest_of_run(ws_device_sum *sum, const ws_metered_channel *c, const ws_totals *t)
{
    double missing_s = t->wall_s - c->summary.span_s, rest_s = missing_s - c->short_s;
    double sure_s = fmin(fmax(0, t->sure_s - c->summary.span_s - c->short_s), rest_s);
    if (missing_s > c->summary.max_gap_s && rest_s > 0)
        ws_budget_leave_out(&sum->budget, rest_s, sum->least_w * sure_s / rest_s, sum->most_w);
}

static void begin_total(ws_totals *t)
{
    *t = (ws_totals){.wall_s = NAN, .sure_s = NAN};
    for (int d = 0; d < WS_DOMAIN_N; d++)
        t->domain[d] = no_devices;
}

/* To its run, whose wall_s is known; alone or of several runs that are added. */
static void add_device(const ws_measure *m, const ws_device *d, bool is_added, ws_totals *t)
{
    const ws_verdict_rules *rules = &m->options.verdict;
    if (is_added && d->again_in)
        return;
    ws_device_sum sum = sum_of_device(m, d);
    if (sum.devices) {
        sum.coverage = ws_coverage_of_run(&d->energy->summary, t->wall_s);
        stake_rest_of_run(&sum, &d->energy->summary, t->wall_s, rules);
        bound_rest_of_run(&sum, d->energy, t);
    }
    if (is_added && d->overlaps)
        sum.status = WS_STATUS_RUNS_OVERLAP, ws_stake_add(&sum.stake, rules, WS_FINDING_RUNS_OVERLAP, NAN);
    add_sum(&t->domain[d->domain], &sum, true);
}

static void total_run(const ws_measure *m, const ws_measure_group *g, ws_totals *t)
{
    begin_total(t);
    for (size_t i = 0; i < g->n_channels; i++)
        see_span(t, &m->channels[g->channels[i]].summary);
    for (size_t i = 0; i < g->n_devices; i++)
        if (!m->devices[g->devices[i]].is_alternative)
            add_device(m, &m->devices[g->devices[i]], false, t);
}

/* What follows in time: durations add up, too. Unknown ones stay unknown. */
static void add_later(ws_device_sum *to, const ws_device_sum *from)
{
    double time_s = from->duration_s, power_w = from->power_w;
    if (to->devices && from->devices) {
        time_s += to->duration_s;
        power_w = (to->power_w * to->duration_s + from->power_w * from->duration_s) / time_s;
    }
    add_sum(to, from, true);
    if (from->devices) {
        to->duration_s = time_s;
        to->power_w = power_w;
    }
}

typedef struct run_total {
    const char *run;
    ws_totals total;
} run_total;

/* The runs of devices that are no alternatives, in order of their first one. */
typedef struct run_totals {
    run_total *items;
    size_t n, capacity;
    ws_name_index index;
    const char *wanted;
} run_totals;

static bool is_run(const void *state, size_t place)
{
    const run_totals *runs = state;
    return strcmp(runs->items[place].run, runs->wanted) == 0;
}

static ws_totals *find_run(run_totals *runs, const char *run)
{
    runs->wanted = run;
    size_t place = ws_name_find(&runs->index, ws_name_hash(0, run), is_run, runs);
    return place == WS_NO_PLACE ? NULL : &runs->items[place].total;
}

static void list_runs(const ws_measure *m, const ws_measure_group *g, run_totals *runs)
{
    for (size_t i = 0; i < g->n_devices; i++) {
        const ws_device *d = &m->devices[g->devices[i]];
        if (d->is_alternative || find_run(runs, d->run))
            continue;
        runs->items = ws_grow(runs->items, &runs->capacity, runs->n + 1, sizeof *runs->items);
        runs->items[runs->n] = (run_total){.run = d->run};
        begin_total(&runs->items[runs->n].total);
        ws_name_add(&runs->index, ws_name_hash(0, d->run), runs->n++);
    }
}

static void fill_runs(const ws_measure *m, const ws_measure_group *g, run_totals *runs)
{
    for (size_t i = 0; i < g->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[g->channels[i]];
        ws_totals *t = c->summary.samples ? find_run(runs, c->channel.run) : NULL;
        if (t)
            see_span(t, &c->summary);
    }
    for (size_t i = 0; i < g->n_devices; i++) {
        const ws_device *d = &m->devices[g->devices[i]];
        if (!d->is_alternative)
            add_device(m, d, true, find_run(runs, d->run));
    }
}

static void total_runs(const ws_measure *m, const ws_measure_group *g, ws_totals *t)
{
    run_totals runs = {0};
    list_runs(m, g, &runs);
    fill_runs(m, g, &runs);
    begin_total(t);
    for (size_t i = 0; i < runs.n; i++) {
        for (int d = 0; d < WS_DOMAIN_N; d++)
            add_later(&t->domain[d], &runs.items[i].total.domain[d]);
        t->wall_s = added(t->wall_s, runs.items[i].total.wall_s);
    }
    for (int d = 0; d < WS_DOMAIN_N && runs.n > 1; d++)
        if (t->domain[d].devices)
            t->domain[d].duration_s = fmin(t->domain[d].duration_s, covered_s(m, g, (ws_domain)d));
    free(runs.items);
    ws_name_index_free(&runs.index);
}

/* Share of the total from which a column of no known kind may be one of its processors or nodes: fans and network cards
 * of a node stay below. What is nearer to the energy of a domain or to the total is their sum. Ours. */
static const double large = 0.1, near = 0.02;

static bool is_total(const ws_device *d)
{
    static const char *const words[] = {"total", "sum"};
    return ws_name_has_word(ws_span_of(d->device), words, sizeof words / sizeof *words) ||
           ws_meaning_of(ws_span_of(d->energy->channel.column)).is_total;
}

/* "core", "psys": inside of a processor's package, or around it. */
static bool is_plane(const ws_device *d)
{
    ws_rapl_zone zone;
    return ws_rapl_zone_find(ws_span_of(d->device), &zone) && zone.domain != WS_OTHER;
}

/* A part that no total has may be one of those that it has, as a rail of a card, or lie beside them. A total that its
 * logger has computed holds others, and no sum lacks it. */
static bool is_uncounted(const ws_device *d, const ws_totals *t)
{
    bool has_parts = t->domain[WS_GPU].energy_j > 0 || t->domain[WS_CPU].energy_j > 0;
    return has_parts && !isnan(t->all.energy_j) && d->domain == WS_OTHER && !d->is_alternative && d->energy &&
           d->energy->summary.energy_j > 0 && !is_total(d) && !is_plane(d);
}

/* Known formats know their rails; who writes a table gives its columns names of their own. */
static bool is_column(const ws_device *d)
{
    return strcmp(d->identity, "column") == 0;
}

/* What holds the others, lies inside of one of them, or is none that a total has. */
static bool is_known_part(const ws_device *d)
{
    static const char *const words[] = {
        "chassis", "rack",    "enclosure", "blade",   "board",    "motherboard", "mainboard", "ipmi", "bmc",
        "dcmi",    "hsc",     "psu",       "supply",  "input",    "inlet",       "output",    "ac",   "dc",
        "meter",   "battery", "charger",   "adapter", "ups",      "atx",         "soc",       "ppt",  "hbm",
        "vram",    "vrm",     "igpu",      "ccd",     "iod",      "die",         "vdd",       "rail", "controller",
        "pcie",    "eps",     "fan",       "fans",    "pump",     "cooling",     "cooler",    "nic",  "network",
        "ib",      "hca",     "switch",    "nvlink",  "nvswitch", "ssd",         "nvme",      "disk", "hdd",
        "storage", "display", "lcd",       "usb",     "rest",     "other",       "misc"};
    char name[64]; /* "fan1" is a "fan" */
    size_t n = 0;
    for (; d->device[n] && n + 1 < sizeof name; n++)
        name[n] = d->device[n] >= '0' && d->device[n] <= '9' ? '_' : d->device[n];
    return ws_name_has_word((ws_span){name, n}, words, sizeof words / sizeof *words);
}

static bool is_near(double energy_j, double sum_j)
{
    return fabs(energy_j - sum_j) <= near * sum_j;
}

static bool is_large(const ws_device *d, const ws_totals *t)
{
    double energy_j = d->energy->summary.energy_j;
    return is_column(d) && !is_known_part(d) && energy_j >= large * t->all.energy_j &&
           !is_near(energy_j, t->all.energy_j) && !is_near(energy_j, t->domain[WS_GPU].energy_j) &&
           !is_near(energy_j, t->domain[WS_CPU].energy_j);
}

void ws_note_uncounted(const ws_measure *m, const ws_measure_group *g, const ws_totals *t, ws_notes *notes)
{
    for (size_t i = 0; i < g->n_devices; i++) {
        const ws_device *d = &m->devices[g->devices[i]];
        if (is_uncounted(d, t))
            ws_notes_add(notes, WS_FINDING_UNCOUNTED_DEVICE, d->source, d->device, 0,
                         "'%s' is no GPU, processor or memory by its name and in no total%s", d->device,
                         is_column(d) ? ": rename its column (gpu2_w, cpu_w, memory_w) if it is one" : "");
    }
}

/* It may be a part of what the total has, so that nobody knows the joules. */
static void stake_uncounted(const ws_measure *m, const ws_measure_group *g, ws_totals *t)
{
    for (size_t i = 0; i < g->n_devices; i++) {
        const ws_device *d = &m->devices[g->devices[i]];
        if (is_uncounted(d, t) && is_large(d, t))
            ws_stake_add(&t->all.stake, &m->options.verdict, WS_FINDING_UNCOUNTED_DEVICE, NAN);
    }
}

void ws_group_totals(const ws_measure *m, const ws_measure_group *g, bool is_one_run, ws_totals *t)
{
    if (is_one_run)
        total_run(m, g, t);
    else
        total_runs(m, g, t);
    sum_domains(&m->options.verdict, t);
    stake_uncounted(m, g, t);
}

void ws_measure_totals(const ws_measure *m, const ws_device_filter *f, ws_totals *t)
{
    size_t *places;
    ws_measure_group all = ws_measure_select(m, f, &places);
    ws_group_totals(m, &all, f->run != NULL, t);
    free(places);
}

ws_energy_verdict ws_device_sum_verdict(const ws_device_sum *sum, const ws_verdict_rules *rules)
{
    return sum->ask ? WS_ENERGY_VERDICT_UNUSABLE : ws_energy_verdict_of(&sum->stake, sum->energy_j, rules);
}

ws_energy_status ws_device_sum_status(const ws_device_sum *sum)
{
    static const double ENOUGH = 0.95;
    if (sum->ask)
        return ws_question_status(sum->ask);
    if (!sum->devices)
        return WS_STATUS_NO_ENERGY;
    if (sum->without)
        return WS_STATUS_DEVICES_MISSING;
    return sum->coverage < ENOUGH ? WS_STATUS_LOW_COVERAGE : sum->status;
}
