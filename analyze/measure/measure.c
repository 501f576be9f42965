#include "analyze/measure/measure.h"

#include "analyze/measure/ends.h"
#include "analyze/measure/run_overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ws_measure_init(ws_measure *measure, const ws_measure_options *options)
{
    *measure = (ws_measure){.options = *options, .source = "", .node = ""};
}

void ws_measure_free(ws_measure *measure)
{
    for (size_t i = 0; i < measure->n_channels; i++) {
        ws_meter_free(&measure->channels[i].meter);
        ws_order_free(measure->channels[i].order);
        ws_limits_free(&measure->channels[i].limits);
    }
    free(measure->channels);
    free(measure->devices);
    free(measure->facts);
    ws_arena_free(&measure->arena);
    *measure = (ws_measure){0};
}

void ws_measure_begin(ws_measure *measure, const char *source, const char *node)
{
    measure->source = ws_arena_strdup(&measure->arena, source);
    measure->node = ws_arena_strdup(&measure->arena, node);
}

const ws_kept_fact *ws_measure_fact(const ws_measure *measure, const char *run, const char *node, const char *device,
                                    const char *key)
{
    for (size_t i = measure->n_facts; i-- > 0;) {
        const ws_kept_fact *f = &measure->facts[i];
        if (strcmp(f->key, key) == 0 && strcmp(f->run, run) == 0 && strcmp(f->node, node) == 0 &&
            strcmp(f->device, device) == 0)
            return f;
    }
    return NULL;
}

/* Which channel gives a device its energy: of those with readings the lowest rank wins, then the lowest preference, then the first. Negative:
 * the channel cannot, or not by the rule that was asked for. */
static int rank_by_rule(ws_rule asked, const ws_channel *c)
{
    bool power = c->quantity == WS_POWER, counter = c->quantity == WS_ENERGY_COUNTER;
    switch (asked) {
    case WS_RULE_COUNTER:
        return counter ? 0 : -1;
    case WS_RULE_INTERVAL:
        return c->rule == WS_RULE_INTERVAL || c->rule == WS_RULE_GIVEN ? 0 : -1;
    case WS_RULE_GIVEN:
        return c->rule == WS_RULE_GIVEN ? 0 : -1;
    case WS_RULE_TRAPEZOID:
    case WS_RULE_RECTANGLE:
    case WS_RULE_MEAN_TIMES_TIME:
        return power ? 0 : -1;
    case WS_RULE_PERUN:
        return power && c->rule == WS_RULE_TRAPEZOID ? 0 : counter ? 1 : 2;
    default:
        return counter ? 0 : power ? 3 : c->rule == WS_RULE_INTERVAL ? 1 : 2;
    }
}

static int energy_rank(const ws_measure_options *o, const ws_measured *c)
{
    enum { AFTER_ALL_OTHERS = 100 };
    if (!ws_quantity_gives_energy(c->channel.quantity) || (o->column && strcmp(o->column, c->channel.column) != 0))
        return -1;
    int rank = rank_by_rule(o->rule, &c->channel);
    return rank >= 0 && c->channel.preference >= WS_DOUBTFUL ? rank + AFTER_ALL_OTHERS : rank;
}

/* Drivers fill one power column with [N/A] and the next with watts. */
static bool has_readings(const ws_measured *c)
{
    return c->reading.samples > 1 || !isnan(c->reading.energy_j);
}

/* Of two that can. */
static bool is_preferred(const ws_measure_options *o, const ws_measured *a, const ws_measured *b)
{
    int rank_a = energy_rank(o, a), rank_b = energy_rank(o, b);
    return rank_a != rank_b ? rank_a < rank_b : a->channel.preference < b->channel.preference;
}

static bool beats(const ws_measure_options *o, const ws_measured *a, const ws_measured *b)
{
    bool a_can = energy_rank(o, a) >= 0, b_can = b && energy_rank(o, b) >= 0;
    if (!a_can || !b_can)
        return a_can;
    if (has_readings(a) != has_readings(b))
        return has_readings(a);
    return is_preferred(o, a, b);
}

static size_t find_device(ws_measure *m, const ws_measured *c)
{
    const ws_channel *ch = &c->channel;
    /* Channels of one device come together, so the search starts at the end. */
    for (size_t i = m->n_devices; i-- > 0;) {
        const ws_device *d = &m->devices[i];
        if (d->domain == ch->domain && strcmp(d->device, ch->device) == 0 && strcmp(d->node, ch->node) == 0 &&
            strcmp(d->run, ch->run) == 0 && strcmp(d->source, c->source) == 0)
            return i;
    }
    m->devices = ws_grow(m->devices, &m->device_capacity, m->n_devices + 1, sizeof *m->devices);
    m->devices[m->n_devices] = (ws_device){.source = c->source,
                                           .run = ch->run,
                                           .node = ch->node,
                                           .device = ch->device,
                                           .device_id = ch->device_id,
                                           .identity = ch->identity,
                                           .domain = ch->domain};
    return m->n_devices++;
}

static void first_of(const ws_measured **slot, const ws_measured *c)
{
    bool has_any = c->reading.samples > 0, slot_has_any = *slot && (*slot)->reading.samples > 0;
    if (!*slot || has_any > slot_has_any ||
        (has_any == slot_has_any && c->channel.preference < (*slot)->channel.preference))
        *slot = c;
}

static bool is_longer(const ws_measured *a, const ws_measured *b)
{
    return a->reading.samples + a->reading.missing > b->reading.samples + b->reading.missing;
}

static void add_to_device(const ws_measure_options *o, ws_device *d, const ws_measured *c)
{
    d->is_metered |= ws_quantity_gives_energy(c->channel.quantity);
    if (beats(o, c, d->energy))
        d->energy = c;
    if (!d->longest || is_longer(c, d->longest))
        d->longest = c;
    switch (c->channel.quantity) {
    case WS_UTIL:
        first_of(&d->util, c);
        break;
    case WS_MEM_UTIL:
        first_of(&d->mem_util, c);
        break;
    case WS_MEM_USED:
        first_of(&d->mem_used, c);
        break;
    case WS_CLOCK:
        first_of(&d->clock, c);
        break;
    case WS_TEMPERATURE:
        first_of(&d->temperature, c);
        break;
    default:
        break;
    }
}

/* With all_channels each further energy channel of a device gets an entry of its own behind the chosen one. */
static void add_alternatives(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_measured *c = &m->channels[i];
        if (energy_rank(&m->options, c) < 0)
            continue;
        ws_device other = m->devices[c->device];
        if (other.energy == c)
            continue;
        other.energy = c;
        other.is_alternative = true;
        m->devices = ws_grow(m->devices, &m->device_capacity, m->n_devices + 1, sizeof *m->devices);
        m->devices[m->n_devices++] = other;
    }
}

static const char *label_of(const ws_measured *c, char *buffer, size_t size)
{
    if (!*c->channel.run && !*c->channel.node)
        return c->channel.device;
    snprintf(buffer, size, "%s%s%s%s%s", c->channel.run, *c->channel.run ? " " : "", c->channel.node,
             *c->channel.node ? " " : "", c->channel.device);
    return buffer;
}

static bool is_stood_in_for(const ws_measure_options *o, const ws_device *d, const ws_measured *c)
{
    return d->energy && d->energy != c && !c->reading.samples && c->reading.missing && has_readings(d->energy) &&
           energy_rank(o, c) >= 0 && is_preferred(o, c, d->energy);
}

static void note_channel(const ws_measure *m, const ws_device *d, const ws_measured *c, ws_notes *notes)
{
    char label[400];
    bool shown = m->options.all_channels || d->energy == c || (!d->energy && d->longest == c);
    if (shown)
        ws_meter_notes(&c->meter, &c->reading, c->source, label_of(c, label, sizeof label), notes);
    if (shown)
        ws_limits_notes(&c->limits, c->source, label_of(c, label, sizeof label), notes);
    if (shown && c->order)
        ws_order_notes(c->order, c->source, label_of(c, label, sizeof label), notes);
    if (is_stood_in_for(&m->options, d, c))
        ws_notes_add(notes, "dead-column", c->source, label_of(c, label, sizeof label), 0,
                     "'%s' has no reading in any row: '%s' stands in for it", c->channel.column,
                     d->energy->channel.column);
    if (d->energy != c || c->channel.time != WS_TIME_NONE)
        return;
    if (c->channel.rule == WS_RULE_GIVEN)
        ws_notes_add(notes, "total-without-time", c->source, c->channel.device, 0,
                     "the file holds a total and not the time that it took, so there is no mean power");
    else
        ws_notes_add(notes, "no-time", c->source, c->channel.device, 0,
                     "the file holds no time, so there is no energy (--period SECONDS states the sampling period)");
}

void ws_measure_flush(ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++)
        if (m->channels[i].order)
            ws_order_flush(m->channels[i].order, &m->channels[i].meter);
}

bool ws_measure_has_samples(const ws_measure *m)
{
    for (size_t i = 0; i < m->n_channels; i++)
        if (m->channels[i].meter.samples || m->channels[i].meter.missing)
            return true;
    return false;
}

static void read_meter(ws_measured *c)
{
    ws_meter_read(&c->meter, &c->reading);
    c->reading.missing += c->order ? ws_order_missing(c->order) : 0;
    if (c->overlaps && strcmp(c->reading.status, "ok") == 0)
        c->reading.status = "files-overlap";
}

void ws_measure_finish(ws_measure *m, ws_notes *notes)
{
    ws_measure_flush(m);
    for (size_t i = 0; i < m->n_channels; i++) {
        ws_measured *c = &m->channels[i];
        read_meter(c);
        c->device = find_device(m, c);
        add_to_device(&m->options, &m->devices[c->device], c);
    }
    for (size_t i = 0; notes && i < m->n_channels; i++)
        note_channel(m, &m->devices[m->channels[i].device], &m->channels[i], notes);
    ws_measure_judge_ends(m, notes);
    ws_measure_find_overlaps(m);
    if (m->options.all_channels)
        add_alternatives(m);
}

static bool is(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

static double larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static double added(double a, double b)
{
    return isnan(a) ? b : a + b;
}

/* What a device with an energy may say of it, from harmless to grave. */
static int gravity(const char *status)
{
    static const char *const order[] = {"ok",           "no-duration",  "long-gap",     "short-trace", "counter-reset",
                                        "out-of-order", "runs-overlap", "files-overlap"};
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++)
        if (strcmp(status, order[i]) == 0)
            return i;
    return 0;
}

static void add_sum(ws_device_sum *to, const ws_device_sum *from)
{
    to->devices += from->devices;
    to->without += from->without;
    to->samples += from->samples;
    to->missing += from->missing;
    if (!from->devices)
        return;
    to->energy_j = added(to->energy_j, from->energy_j);
    to->power_w = added(to->power_w, from->power_w);
    to->energy_lo_j = added(to->energy_lo_j, from->energy_lo_j);
    to->energy_hi_j = added(to->energy_hi_j, from->energy_hi_j);
    if (gravity(from->status) > gravity(to->status))
        to->status = from->status;
    to->duration_s = larger(to->duration_s, from->duration_s);
    to->max_gap_s = larger(to->max_gap_s, from->max_gap_s);
    to->coverage = isnan(to->coverage) || from->coverage < to->coverage ? from->coverage : to->coverage;
}

static const ws_device_sum no_devices = {0, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, "ok"};

/* A device that never had a power or energy column (a host's CPU load, say) is no device without energy; a GPU is. */
static ws_device_sum sum_of_device(const ws_device *d)
{
    const ws_reading *r = d->energy ? &d->energy->reading : NULL;
    if (!r || isnan(r->energy_j)) {
        ws_device_sum none = no_devices;
        none.without = d->is_metered || d->domain == WS_GPU ? 1 : 0;
        return none;
    }
    return (ws_device_sum){.devices = 1,
                           .samples = r->samples,
                           .missing = r->missing,
                           .energy_j = r->energy_j,
                           .energy_lo_j = r->energy_lo_j,
                           .energy_hi_j = r->energy_hi_j,
                           .power_w = r->mean,
                           .duration_s = r->duration_s,
                           .max_gap_s = r->max_gap_s,
                           .coverage = r->coverage,
                           .status = d->lacks_rest ? "files-overlap" : r->status};
}

static bool is_part(int domain)
{
    return domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM;
}

static bool is_whole(int domain)
{
    return domain == WS_NODE || domain == WS_WALL;
}

/* The total of GPU + CPU + DRAM; without any of them, that of the first of node and wall that there is. Where nothing
 * gave an energy, what should have is counted. */
static void sum_domains(ws_totals *t)
{
    bool parts = t->domain[WS_GPU].devices || t->domain[WS_CPU].devices || t->domain[WS_DRAM].devices;
    int whole = t->domain[WS_NODE].devices ? WS_NODE : WS_WALL;
    bool none = !parts && !t->domain[whole].devices;
    t->all = no_devices;
    for (int d = 0; d < WS_DOMAIN_N; d++) {
        if (none && (is_part(d) || is_whole(d)))
            t->all.without += t->domain[d].without;
        if (none || (parts ? !is_part(d) : d != whole))
            continue;
        add_sum(&t->all, &t->domain[d]);
        if (t->domain[d].devices) {
            size_t used = strlen(t->scope);
            snprintf(t->scope + used, sizeof t->scope - used, "%s%s", used ? "+" : "", ws_domain_name((ws_domain)d));
        }
    }
}

static double longest_span(const ws_measure *m, const ws_device_filter *f)
{
    double longest = NAN;
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_measured *c = &m->channels[i];
        if (is(f->source, c->source) && is(f->run, c->channel.run) && is(f->node, c->channel.node) &&
            c->reading.samples)
            longest = larger(longest, c->reading.span_s);
    }
    return longest;
}

/* A device that was seen for a part of the time only covers that part of the whole; being short by less than one of its
 * own steps is how sampling is. */
static double coverage_of_whole(const ws_reading *r, double wall_s)
{
    return wall_s - r->span_s > r->max_gap_s ? r->coverage * r->span_s / wall_s : r->coverage;
}

bool ws_device_passes(const ws_device *d, const ws_device_filter *f)
{
    return !d->is_alternative && is(f->source, d->source) && is(f->run, d->run) && is(f->node, d->node);
}

/* The domains of one run, alone or of several that are added. */
static void total_run(const ws_measure *m, const ws_device_filter *f, bool is_added, ws_totals *t)
{
    *t = (ws_totals){.wall_s = longest_span(m, f)};
    for (int d = 0; d < WS_DOMAIN_N; d++)
        t->domain[d] = no_devices;
    for (size_t i = 0; i < m->n_devices; i++) {
        const ws_device *d = &m->devices[i];
        if (!ws_device_passes(d, f) || (is_added && d->again_in))
            continue;
        ws_device_sum sum = sum_of_device(d);
        if (sum.devices)
            sum.coverage = coverage_of_whole(&d->energy->reading, t->wall_s);
        if (is_added && d->overlaps)
            sum.status = "runs-overlap";
        add_sum(&t->domain[d->domain], &sum);
    }
}

/* What follows in time: durations add up, too. Unknown ones stay unknown. */
static void add_later(ws_device_sum *to, const ws_device_sum *from)
{
    double time_s = from->duration_s, power_w = from->power_w;
    if (to->devices && from->devices) {
        time_s += to->duration_s;
        power_w = (to->power_w * to->duration_s + from->power_w * from->duration_s) / time_s;
    }
    add_sum(to, from);
    if (from->devices) {
        to->duration_s = time_s;
        to->power_w = power_w;
    }
}

static bool is_first_of_run(const ws_measure *m, size_t index, const ws_device_filter *f)
{
    if (!ws_device_passes(&m->devices[index], f))
        return false;
    for (size_t i = 0; i < index; i++)
        if (ws_device_passes(&m->devices[i], f) && strcmp(m->devices[i].run, m->devices[index].run) == 0)
            return false;
    return true;
}

static void total_runs(const ws_measure *m, const ws_device_filter *f, ws_totals *t)
{
    size_t runs = 0;
    *t = (ws_totals){.wall_s = NAN};
    for (int d = 0; d < WS_DOMAIN_N; d++)
        t->domain[d] = no_devices;
    for (size_t i = 0; i < m->n_devices; i++) {
        if (!is_first_of_run(m, i, f))
            continue;
        ws_totals run;
        total_run(m, &(ws_device_filter){f->source, m->devices[i].run, f->node}, true, &run);
        for (int d = 0; d < WS_DOMAIN_N; d++)
            add_later(&t->domain[d], &run.domain[d]);
        t->wall_s = added(t->wall_s, run.wall_s);
        runs++;
    }
    for (int d = 0; d < WS_DOMAIN_N && runs > 1; d++)
        if (t->domain[d].devices)
            t->domain[d].duration_s = fmin(t->domain[d].duration_s, ws_measure_covered_s(m, f, (ws_domain)d));
}

void ws_measure_totals(const ws_measure *m, const ws_device_filter *f, ws_totals *t)
{
    if (f->run)
        total_run(m, f, false, t);
    else
        total_runs(m, f, t);
    sum_domains(t);
}

const char *ws_device_sum_status(const ws_device_sum *sum)
{
    static const double ENOUGH = 0.95;
    if (!sum->devices)
        return "no-energy";
    if (sum->without)
        return "devices-missing";
    return sum->coverage < ENOUGH ? "low-coverage" : sum->status;
}
