#include "analyze/regions/region_energy.h"

#include "analyze/measure/stakes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A host of a run: what its energies cover. */
typedef struct place {
    const char *source, *run, *node;
    int64_t start_ns, end_ns; /* start > end: it has no readings */
} place;

/* One window of the second reading. */
typedef struct window {
    size_t region, place;
    int64_t start_ns, end_ns;
} window;

typedef struct job {
    const ws_measure *whole;
    const ws_regions *regions;
    ws_measure *parts;
    size_t **at;       /* [region][device of the whole]: its index in the part, or SIZE_MAX */
    double **left_s;   /* [region][device of the whole]: windows without an energy of it */
    size_t *device_of; /* of the channels of the whole that give an energy; else SIZE_MAX */
    place *places;
    size_t n_places, place_capacity;
    window *windows;
    size_t n_windows, window_capacity;
    ws_notes *notes;
} job;

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return (double)((uint64_t)to_ns - (uint64_t)from_ns) / 1e9;
}

/* --- where and when --- */

static bool fits(const job *j, const ws_metered_channel *c)
{
    return c->channel.time != WS_TIME_NONE && (c->channel.time == WS_TIME_RELATIVE) == j->regions->is_relative;
}

static bool is_at(const place *p, const char *run, const char *node)
{
    return strcmp(p->run, run) == 0 && strcmp(p->node, node) == 0;
}

static place *find_place(job *j, const ws_device *d)
{
    for (size_t i = j->n_places; i-- > 0;)
        if (is_at(&j->places[i], d->run, d->node))
            return &j->places[i];
    j->places = ws_grow(j->places, &j->place_capacity, j->n_places + 1, sizeof *j->places);
    j->places[j->n_places] = (place){d->source, d->run, d->node, INT64_MAX, INT64_MIN};
    return &j->places[j->n_places++];
}

static void cover(place *p, int64_t start_ns, int64_t end_ns)
{
    p->start_ns = start_ns < p->start_ns ? start_ns : p->start_ns;
    p->end_ns = end_ns > p->end_ns ? end_ns : p->end_ns;
}

/* A clock that stepped back may end earlier than it began. */
static void cover_channel(place *p, const ws_meter *m)
{
    if (m->options.has_window && !m->window_misfits) {
        cover(p, m->options.window_start_ns, m->options.window_end_ns);
        return;
    }
    if (!m->has_last)
        return;
    cover(p, ws_meter_start_ns(m), ws_meter_start_ns(m));
    cover(p, m->last_t, m->last_t);
    for (size_t i = 0; i < m->n_rising; i++)
        cover(p, m->rising[i].start_ns, m->rising[i].end_ns);
    if (m->n_rising)
        cover(p, m->rising_start, m->last_t);
}

static void find_places(job *j)
{
    for (size_t i = 0; i < j->whole->n_devices; i++) {
        const ws_device *d = &j->whole->devices[i];
        place *p = find_place(j, d);
        if (d->energy && fits(j, d->energy))
            cover_channel(p, &d->energy->meter);
        else if (d->energy && !isnan(d->energy->summary.energy_j))
            ws_notes_add(j->notes, WS_FINDING_WINDOW_MISFIT, d->source, d->device, 0,
                         "the regions are given in %s, the trace %s: there is no energy of them",
                         j->regions->is_relative ? "seconds" : "dates",
                         d->energy->channel.time == WS_TIME_NONE ? "has no time"
                         : j->regions->is_relative               ? "has dates"
                                                                 : "counts seconds");
    }
}

static bool visits(const ws_region_visit *v, const place *p)
{
    return (!v->run || strcmp(v->run, p->run) == 0) && (!v->node || strcmp(v->node, p->node) == 0);
}

static void add_window(job *j, size_t region, size_t at, int64_t start_ns, int64_t end_ns)
{
    if (start_ns >= end_ns)
        return;
    j->windows = ws_grow(j->windows, &j->window_capacity, j->n_windows + 1, sizeof *j->windows);
    j->windows[j->n_windows++] = (window){region, at, start_ns, end_ns};
}

/* Stretches that the readings reach nowhere stay windows: they are time without energy. */
static void add_visit(job *j, const ws_region_visit *v, size_t at)
{
    const place *p = &j->places[at];
    const ws_meter_options *o = &j->whole->options.meter;
    bool is_cut = o->has_window && o->window_is_relative == j->regions->is_relative;
    uint64_t outside = 0;
    for (size_t i = 0; i < v->n; i++) {
        int64_t start = v->stretches[i].start_ns, end = v->stretches[i].end_ns;
        if (is_cut && (end <= p->start_ns || start >= p->end_ns))
            continue; /* as asked */
        outside += end <= p->start_ns || start >= p->end_ns;
        if (is_cut)
            start = start > p->start_ns ? start : p->start_ns;
        if (is_cut || end == WS_REGION_OPEN)
            end = end < p->end_ns ? end : p->end_ns;
        add_window(j, v->region, at, start, end);
    }
    ws_notes_add_many(j->notes, outside, WS_FINDING_REGION_OUTSIDE, p->source, j->regions->names[v->region], 0,
                      "stretches of the region lie outside of the trace%s%s, which has no energy for them (a clock or "
                      "zone of the markers that is not the trace's?)",
                      *p->node ? " of " : "", p->node);
}

static int by_start(const void *left, const void *right)
{
    const window *a = left, *b = right;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* What the windows of a place from `first` on leave of its time. */
static void add_rest(job *j, size_t at, size_t first)
{
    const place p = j->places[at];
    size_t n = j->n_windows - first;
    int64_t from = p.start_ns, last = INT64_MIN;
    double twice_s = 0;
    window *sorted = ws_alloc((n + 1) * sizeof *sorted);
    if (n)
        memcpy(sorted, j->windows + first, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_start);
    for (size_t i = 0; i < n; i++) {
        int64_t start = sorted[i].start_ns, end = sorted[i].end_ns;
        if (start < last)
            twice_s += seconds(start, end < last ? end : last);
        last = end > last ? end : last;
        add_window(j, j->regions->n_names, at, from, start < p.end_ns ? start : p.end_ns);
        from = end > from ? end : from;
    }
    add_window(j, j->regions->n_names, at, from, p.end_ns);
    free(sorted);
    if (twice_s > 0)
        ws_notes_add(j->notes, WS_FINDING_REGIONS_OVERLAP, p.source, p.run, 0,
                     "regions lie inside others or overlap (%.6g s%s%s): each has its whole energy, and together they "
                     "have more than the trace",
                     twice_s, *p.node ? " of " : "", p.node);
}

static void find_windows(job *j)
{
    for (size_t at = 0; at < j->n_places; at++) {
        size_t first = j->n_windows;
        if (j->places[at].start_ns > j->places[at].end_ns)
            continue;
        for (size_t i = 0; i < j->regions->n_visits; i++)
            if (visits(&j->regions->visits[i], &j->places[at]))
                add_visit(j, &j->regions->visits[i], at);
        add_rest(j, at, first);
    }
}

/* --- the devices of each part --- */

static bool is_in(const job *j, size_t region, const ws_device *d)
{
    const place p = {.run = d->run, .node = d->node};
    bool in = region == j->regions->n_names;
    for (size_t i = 0; i < j->regions->n_visits && !in; i++)
        in = j->regions->visits[i].region == region && visits(&j->regions->visits[i], &p);
    return in;
}

static void init_part(job *j, size_t region)
{
    const ws_measure *whole = j->whole;
    ws_measure *part = &j->parts[region];
    *part = (ws_measure){.options = whole->options,
                         .source = whole->source,
                         .node = whole->node,
                         .has_baselines = whole->has_baselines,
                         .is_incomplete = whole->is_incomplete};
    part->channels = ws_alloc((whole->n_devices + 1) * sizeof *part->channels);
    part->devices = ws_alloc((whole->n_devices + 1) * sizeof *part->devices);
    j->at[region] = ws_alloc((whole->n_devices + 1) * sizeof **j->at);
    j->left_s[region] = ws_alloc((whole->n_devices + 1) * sizeof **j->left_s);
    for (size_t i = 0; i < whole->n_devices; i++) {
        const ws_device *d = &whole->devices[i];
        const ws_metered_channel *c = d->energy ? d->energy : d->longest;
        j->left_s[region][i] = 0;
        j->at[region][i] = SIZE_MAX;
        if (!c || !(d->is_metered || d->domain == WS_GPU) || !is_in(j, region, d))
            continue;
        size_t n = j->at[region][i] = part->n_devices++;
        part->channels[n] = *c;
        part->channels[n].order = NULL;
        part->channels[n].summary = ws_summary_of_nothing;
        part->channels[n].summary.duration_s = part->channels[n].summary.span_s = 0; /* of the stretches so far */
        part->channels[n].budget = (ws_budget){0};
        part->channels[n].device = n;
        part->devices[n] = *d;
        part->devices[n].stake = (ws_stake){0};
        part->devices[n].energy = d->energy ? &part->channels[n] : NULL;
        part->devices[n].longest = &part->channels[n];
        part->devices[n].util = part->devices[n].mem_util = part->devices[n].mem_used = NULL;
        part->devices[n].clock = part->devices[n].temperature = NULL;
    }
    part->n_channels = part->n_devices;
}

static void find_energy_channels(job *j)
{
    const ws_measure *whole = j->whole;
    j->device_of = ws_alloc((whole->n_channels + 1) * sizeof *j->device_of);
    for (size_t i = 0; i < whole->n_channels; i++)
        j->device_of[i] = SIZE_MAX;
    for (size_t i = 0; i < whole->n_devices; i++)
        if (whole->devices[i].energy)
            j->device_of[whole->devices[i].energy - whole->channels] = i;
}

/* --- adding up --- */

static double added(double a, double b)
{
    return isnan(a) ? b : a + b;
}

/* A window of a part, in which the channel has an energy. */
static void add_energy(ws_metered_channel *into, const ws_metered_channel *from)
{
    ws_channel_summary *to = &into->summary;
    const ws_channel_summary *r = &from->summary;
    bool is_first = isnan(to->energy_j);
    to->has_start = r->has_start;
    to->start_ns = is_first || r->start_ns < to->start_ns ? r->start_ns : to->start_ns;
    to->duration_s += r->duration_s;
    to->energy_j = added(to->energy_j, r->energy_j);
    to->max_gap_s = fmax(to->max_gap_s, r->max_gap_s);
    to->min = fmin(to->min, r->min);
    to->max = fmax(to->max, r->max);
    to->least_w = fmin(to->least_w, r->least_w);
    to->most_w = fmax(to->most_w, r->most_w);
    if (is_first || ws_energy_status_gravity(r->status) > ws_energy_status_gravity(to->status))
        to->status = r->status;
    ws_budget_add(&into->budget, &from->budget, true);
}

static bool has_other_windows(const job *j, const window *w)
{
    size_t n = 0;
    for (size_t i = 0; i < j->n_windows && n < 2; i++)
        n += j->windows[i].region == w->region && j->windows[i].place == w->place;
    return n > 1;
}

/* A stretch between two readings, or with one: of several stretches it leaves open what lies between the lowest and the
 * highest reading of the device, as a long gap does, and of the only one all of it. */
static ws_stake stake_of(const job *j, const window *w, const ws_device *whole, const ws_device *d)
{
    const ws_channel_summary *r = &whole->energy->summary;
    if (!ws_is_window_unread(d->energy) || !has_other_windows(j, w))
        return d->stake;
    ws_stake stake = {0};
    ws_stake_add(&stake, &j->whole->options.verdict, WS_FINDING_LONG_GAP,
                 d->energy->summary.duration_s * (r->most_w - r->least_w));
    return stake;
}

static void add_channel(job *j, const window *w, size_t device, const ws_measure *cut, const ws_metered_channel *c)
{
    size_t n = j->at[w->region][device];
    if (n == SIZE_MAX)
        return;
    ws_metered_channel *into = &j->parts[w->region].channels[n];
    into->summary.samples += c->summary.samples;
    into->summary.missing += c->summary.missing;
    into->summary.long_gaps += c->summary.long_gaps;
    into->summary.span_s += seconds(w->start_ns, w->end_ns);
    if (isnan(c->summary.energy_j)) {
        j->left_s[w->region][device] += seconds(w->start_ns, w->end_ns);
        return;
    }
    add_energy(into, c);
    if (cut->devices[c->device].energy == c) {
        const ws_stake stake = stake_of(j, w, &j->whole->devices[device], &cut->devices[c->device]);
        ws_stake_merge(&j->parts[w->region].devices[n].stake, &stake);
    }
}

static bool is_same(const ws_channel *a, const ws_channel *b)
{
    return a->domain == b->domain && a->quantity == b->quantity && strcmp(a->device, b->device) == 0 &&
           strcmp(a->column, b->column) == 0 && strcmp(a->node, b->node) == 0 && strcmp(a->run, b->run) == 0;
}

/* The channels of a window are those of the whole in the same order, less those of other places. Returns the one that
 * the window's next channel is, from *next on; NULL where there is none. */
static const ws_metered_channel *find_whole(const job *j, const ws_metered_channel *c, size_t *next)
{
    const ws_measure *whole = j->whole;
    while (*next < whole->n_channels && !is_same(&whole->channels[*next].channel, &c->channel))
        ++*next;
    return *next < whole->n_channels ? &whole->channels[(*next)++] : NULL;
}

/* A window of a few intervals does not know which are long. */
static void set_usual(const job *j, ws_measure *cut)
{
    size_t next = 0;
    for (size_t k = 0; k < cut->n_channels; k++) {
        const ws_metered_channel *of = find_whole(j, &cut->channels[k], &next);
        if (!of)
            return;
        ws_meter_set_usual(&cut->channels[k].meter, &of->meter, of->summary.usual_s);
    }
}

static void add_cut(job *j, const window *w, const ws_measure *cut)
{
    const place *p = &j->places[w->place];
    size_t next = 0;
    for (size_t k = 0; k < cut->n_channels; k++) {
        const ws_metered_channel *c = &cut->channels[k], *of = find_whole(j, c, &next);
        if (!of)
            return;
        size_t device = j->device_of[of - j->whole->channels];
        if (device != SIZE_MAX && is_at(p, c->channel.run, c->channel.node))
            add_channel(j, w, device, cut, c);
    }
}

/* --- the second reading --- */

/* So many meters at a time keep the memory flat; more windows take another reading. */
enum { METERS_AT_A_TIME = 10000 };

static void read_windows(job *j, const ws_region_source *source, size_t from, size_t n)
{
    ws_cut *cuts = ws_alloc((n + 1) * sizeof *cuts);
    for (size_t i = 0; i < n; i++) {
        const window *w = &j->windows[from + i];
        const place *p = &j->places[w->place];
        cuts[i] = (ws_cut){.start_ns = w->start_ns,
                           .end_ns = w->end_ns,
                           .is_relative = j->regions->is_relative,
                           .run = p->run,
                           .nodes = &p->node,
                           .n_nodes = 1};
    }
    ws_cutter *cutter = ws_cutter_new(cuts, n, &j->whole->options);
    source->read(source->state, cutter);
    ws_cutter_free(cutter);
    for (size_t i = 0; i < n; i++) {
        set_usual(j, &cuts[i].measure);
        ws_measure_finish(&cuts[i].measure, NULL);
        add_cut(j, &j->windows[from + i], &cuts[i].measure);
        ws_measure_free(&cuts[i].measure);
    }
    free(cuts);
}

static void read_all(job *j, const ws_region_source *source)
{
    size_t meters = j->whole->n_channels / (j->n_places ? j->n_places : 1) + 1;
    size_t at_once = METERS_AT_A_TIME / meters + 1;
    for (size_t from = 0; from < j->n_windows; from += at_once)
        read_windows(j, source, from, j->n_windows - from < at_once ? j->n_windows - from : at_once);
}

/* Time of the region without readings is open, and at stake where it is more than two readings apart at its ends. What
 * only a whole log shows, holds for its parts. */
static void stake_device(job *j, const ws_device *of, ws_device *d, ws_metered_channel *c, double left_s)
{
    const ws_verdict_rules *rules = &j->whole->options.verdict;
    const ws_channel_summary *whole = &of->energy->summary;
    if (!isnan(c->summary.energy_j) && left_s > 0)
        ws_budget_leave_out(&c->budget, left_s, whole->least_w, whole->most_w);
    if (!isnan(c->summary.energy_j) && left_s > 2 * whole->usual_s)
        ws_stake_add(&d->stake, rules, WS_FINDING_LOW_COVERAGE, left_s * fabs(c->summary.mean));
    if (ws_finding_set_has(&of->stake.findings, WS_FINDING_SOURCES_DISAGREE))
        ws_stake_add(&d->stake, rules, WS_FINDING_SOURCES_DISAGREE, NAN);
    if (!isfinite(of->stake.joules)) /* what makes the whole unusable is wrong with its parts */
        ws_stake_merge(&d->stake, &of->stake);
}

static void finish_device(job *j, size_t region, size_t device)
{
    size_t n = j->at[region][device];
    if (n == SIZE_MAX)
        return;
    const ws_device *of = &j->whole->devices[device];
    ws_device *d = &j->parts[region].devices[n];
    ws_metered_channel *c = &j->parts[region].channels[n];
    ws_channel_summary *r = &c->summary;
    double left_s = j->left_s[region][device];
    r->coverage = r->span_s > 0 ? fmin(1, r->duration_s / r->span_s) : NAN;
    if (!of->energy)
        return;
    if (isnan(of->energy->summary.energy_j))
        r->energy_j = NAN, r->status = of->energy->summary.status;
    else if (!fits(j, of->energy))
        r->status = WS_STATUS_WINDOW_MISFIT;
    else if (j->whole->options.meter.gaps == WS_GAPS_REFUSE && r->long_gaps)
        r->energy_j = NAN, r->status = WS_STATUS_GAP_REFUSED;
    else if (region == j->regions->n_names && !(r->span_s > 0))
        r->energy_j = 0, r->status = WS_STATUS_OK; /* nothing lies outside */
    if (isnan(r->energy_j))
        r->duration_s = NAN;
    r->mean = r->duration_s > 0 ? r->energy_j / r->duration_s : NAN;
    stake_device(j, of, d, c, left_s);
    ws_budget_interval(&c->budget, r->energy_j, &r->energy_lo_j, &r->energy_hi_j);
}

/* Without regions all lies outside of them. */
static void take_whole(job *j)
{
    for (size_t i = 0; i < j->whole->n_devices; i++) {
        const ws_device *d = &j->whole->devices[i];
        size_t n = j->at[0][i];
        if (n == SIZE_MAX || !d->energy)
            continue;
        j->parts[0].channels[n].summary = d->energy->summary;
        j->parts[0].channels[n].budget = d->energy->budget;
        j->parts[0].devices[n].stake = d->stake;
    }
}

static void cut_regions(job *j, const ws_region_source *source)
{
    find_energy_channels(j);
    find_places(j);
    find_windows(j);
    read_all(j, source);
    for (size_t region = 0; region <= j->regions->n_names; region++)
        for (size_t i = 0; i < j->whole->n_devices; i++)
            finish_device(j, region, i);
}

static void free_job(job *j)
{
    for (size_t region = 0; region <= j->regions->n_names; region++) {
        free(j->at[region]);
        free(j->left_s[region]);
    }
    free(j->at);
    free(j->left_s);
    free(j->device_of);
    free(j->places);
    free(j->windows);
}

ws_measure *ws_region_measures(const ws_measure *whole, const ws_regions *regions, const ws_region_source *source,
                               ws_notes *notes)
{
    size_t n_parts = regions->n_names + 1;
    job j = {.whole = whole, .regions = regions, .notes = notes};
    j.parts = ws_alloc(n_parts * sizeof *j.parts);
    j.at = ws_alloc(n_parts * sizeof *j.at);
    j.left_s = ws_alloc(n_parts * sizeof *j.left_s);
    for (size_t region = 0; region < n_parts; region++)
        init_part(&j, region);
    if (regions->n_visits)
        cut_regions(&j, source);
    else
        take_whole(&j);
    free_job(&j);
    return j.parts;
}

void ws_region_measures_free(ws_measure *measures, const ws_regions *regions)
{
    for (size_t i = 0; measures && i <= regions->n_names; i++) {
        free(measures[i].channels);
        free(measures[i].devices);
    }
    free(measures);
}
