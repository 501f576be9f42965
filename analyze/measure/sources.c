#include "analyze/measure/sources.h"

#include "analyze/measure/power_stakes.h"

#include <math.h>
#include <string.h>

/* --- sources that disagree --- */

/* Of channels of the same column, that the reader does not trust, that hold few readings or that cover another time
 * nothing is said. On real files two sources of a device agree within 1 %; the tenth is ours. */
static const double agreement = 0.1, same_time = 0.02;

/* Which of the two is right nobody knows, and the one that counts is the better one as a rule. Beyond a factor of 1.8
 * one of them is of another unit or of a part of the device, and what they differ by is at stake. Ours. */
static double stake_of_difference_j(double own_j, double other_j)
{
    static const double factor = 1.8;
    bool is_far = other_j > factor * own_j || own_j > factor * other_j;
    return is_far ? fabs(other_j - own_j) : NAN;
}

static bool is_comparable(const ws_metered_channel *c)
{
    bool is_total = c->meter.rule == WS_RULE_GIVEN;
    return ws_quantity_gives_energy(c->channel.quantity) && !isnan(c->summary.energy_j) &&
           c->channel.preference < WS_DOUBTFUL && !c->channel.ask &&
           (is_total || c->summary.samples >= WS_LEAST_READINGS);
}

static bool are_of_one_time(const ws_metered_channel *a, const ws_metered_channel *b)
{
    return fabs(a->summary.duration_s - b->summary.duration_s) <= same_time * b->summary.duration_s;
}

void ws_stake_disagreement(const ws_measure *m, ws_device *d, const ws_device *left_out, ws_notes *notes)
{
    const ws_metered_channel *own = d->energy, *other = left_out->energy;
    if (own->channel.quantity == other->channel.quantity || !is_comparable(own) || !is_comparable(other) ||
        !are_of_one_time(other, own) || fabs(other->summary.energy_j / own->summary.energy_j - 1) <= agreement)
        return;
    ws_notes_add(notes, WS_FINDING_SOURCES_DISAGREE, d->source, d->device, 0,
                 "'%s' of %s means %.6g J, and '%s', which counts, %.6g J", other->channel.column, left_out->source,
                 other->summary.energy_j, own->channel.column, own->summary.energy_j);
    ws_device_stake(d, m, WS_FINDING_SOURCES_DISAGREE,
                    stake_of_difference_j(own->summary.energy_j, other->summary.energy_j));
}

/* A power that stood still for a while (a stuck sensor) says nothing against the source that counts, if any power that
 * the device draws would fill that time. */
static bool is_explained_by_standstill(const ws_measure *m, const ws_device *d, const ws_metered_channel *c)
{
    if (c->channel.quantity != WS_POWER)
        return false;
    ws_standstill_sum still = ws_untrusted_standstill(m, d, c);
    double still_s = (double)still.ns / 1e9, missing_j = d->energy->summary.energy_j - c->summary.energy_j;
    return still_s > 0 && missing_j >= still_s * c->summary.min - still.energy_j &&
           missing_j <= still_s * c->summary.max - still.energy_j;
}

/* A counter that never counted says nothing against a power. */
static bool is_dead_beside(const ws_metered_channel *c, const ws_metered_channel *power)
{
    return power->channel.quantity == WS_POWER && c->channel.quantity == WS_ENERGY_COUNTER && c->summary.energy_j == 0;
}

/* A channel of the device that measures the same and disagrees by more than a tenth: the one that is furthest off, or
 * NULL. Over a short part of a log means and points may differ. */
static const ws_metered_channel *source_that_disagrees(const ws_measure *m, const ws_device *d)
{
    const ws_metered_channel *worst = NULL, *own = d->energy;
    double most = agreement;
    if (!is_comparable(own) || own->meter.usual_s > 0)
        return NULL;
    for (size_t i = 0; i < d->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[d->channels[i]];
        bool is_derived = strcmp(c->channel.column, own->channel.column) == 0; /* as perun derives powers of counters */
        if (c == own || is_derived || !is_comparable(c) || !are_of_one_time(c, own) ||
            is_explained_by_standstill(m, d, c) || is_dead_beside(c, own))
            continue;
        double apart = fabs(c->summary.energy_j / own->summary.energy_j - 1);
        worst = apart > most ? c : worst;
        most = fmax(most, apart);
    }
    return worst;
}

/* A meter that shows less than what it feeds. */
void ws_stake_fed(ws_measure *m, ws_device *d, ws_notes *notes)
{
    double own_j = d->energy->summary.energy_j, fed_j = d->fed_j;
    if (!is_comparable(d->energy) || !(fed_j > own_j * (1 + agreement)))
        return;
    ws_notes_add(notes, WS_FINDING_SOURCES_DISAGREE, d->source, d->device, 0,
                 "'%s' means %.6g J, and the devices that it feeds %.6g J: a meter of a part of them, or in another "
                 "unit ('wattscale check --sources' shows all)",
                 d->energy->channel.column, own_j, fed_j);
    ws_device_stake(d, m, WS_FINDING_SOURCES_DISAGREE, NAN);
}

void ws_stake_sources(ws_measure *m, ws_device *d, ws_notes *notes)
{
    const ws_metered_channel *other = source_that_disagrees(m, d);
    if (!other)
        return;
    ws_notes_add(
        notes, WS_FINDING_SOURCES_DISAGREE, d->source, d->device, 0,
        "'%s' means %.6g J, and '%s', which counts, %.6g J (%s'wattscale check --sources' shows all)",
        other->channel.column, other->summary.energy_j, d->energy->channel.column, d->energy->summary.energy_j,
        is_dead_beside(d->energy, other) ? "'--rule trapezoid' takes the power of a counter that stands still; " : "");
    ws_device_stake(d, m, WS_FINDING_SOURCES_DISAGREE,
                    stake_of_difference_j(d->energy->summary.energy_j, other->summary.energy_j));
}

/* --- totals that a file states --- */

/* What a file states of a domain of a run as a whole, beside its sensors: perun's own totals. The texts are the
 * fact's. */
typedef struct stored_total {
    const char *source, *run, *key;
    ws_domain domain;
    double energy_j;
} stored_total;

/* False: the fact is none. */
static bool read_stored_total(const ws_kept_fact *fact, stored_total *stored)
{
    static const struct {
        const char *key;
        ws_domain domain;
    } totals[] = {{"perun.stored.gpu_energy_j", WS_GPU},
                  {"perun.stored.cpu_energy_j", WS_CPU},
                  {"perun.stored.dram_energy_j", WS_DRAM}};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        if (!*fact->node && !*fact->device && !fact->text && strcmp(fact->key, totals[i].key) == 0) {
            *stored = (stored_total){fact->source, fact->run, fact->key, totals[i].domain, fact->number};
            return true;
        }
    return false;
}

/* The time in s that the file states for the run; NaN where it does not. */
static double stored_time_s(const ws_measure *m, const stored_total *stored)
{
    for (size_t i = 0; i < m->n_facts; i++) {
        const ws_kept_fact *f = &m->facts[i];
        if (!*f->node && !*f->device && !f->text && strcmp(f->key, "perun.stored.runtime_s") == 0 &&
            strcmp(f->source, stored->source) == 0 && strcmp(f->run, stored->run) == 0)
            return f->number;
    }
    return NAN;
}

static bool is_stored_run(const stored_total *stored, const ws_device *d)
{
    return strcmp(stored->source, d->source) == 0 && strcmp(stored->run, d->run) == 0;
}

/* A total of a domain that perun stored beside the sensors, which may be fewer now; of the time that they cover. */
static void stake_stored_total(ws_measure *m, const stored_total *stored, ws_notes *notes)
{
    double sum_j = 0;
    ws_device *first = NULL, *any = NULL;
    for (size_t i = 0; i < m->n_devices; i++) {
        ws_device *d = &m->devices[i];
        if (!is_stored_run(stored, d) || !d->energy || isnan(d->energy->summary.energy_j))
            continue;
        any = any && !any->is_alternative ? any : d;
        if (d->domain != stored->domain || d->is_alternative)
            continue;
        first = first ? first : d;
        sum_j += d->energy->summary.energy_j;
    }
    if (!any || any->energy->meter.options.has_window || !(stored->energy_j > sum_j * (1 + agreement)))
        return;
    double time_s = stored_time_s(m, stored);
    if (!(fabs(any->energy->summary.duration_s - time_s) <= same_time * time_s))
        return;
    any = first ? first : any;
    ws_notes_add(notes, WS_FINDING_SOURCES_DISAGREE, any->source, "", 0,
                 "the file states %.6g J for '%s', and its sensors of that hold %.6g J: some are missing ('wattscale "
                 "check --sources' shows all)",
                 stored->energy_j, stored->key, sum_j);
    ws_device_stake(any, m, WS_FINDING_SOURCES_DISAGREE, stored->energy_j - sum_j);
}

void ws_stake_stored_totals(ws_measure *m, ws_notes *notes)
{
    stored_total stored;
    for (size_t i = 0; i < m->n_facts; i++)
        if (read_stored_total(&m->facts[i], &stored))
            stake_stored_total(m, &stored, notes);
}

/* --- the table of `check --sources` --- */

void ws_sources_init(ws_table *table)
{
    static const struct {
        const char *name;
        ws_column_kind kind;
    } columns[] = {
        [WS_SOURCES_PATH] = {"path", WS_TEXT},         [WS_SOURCES_RUN] = {"run", WS_TEXT},
        [WS_SOURCES_DOMAIN] = {"domain", WS_TEXT},     [WS_SOURCES_SOURCE] = {"source", WS_TEXT},
        [WS_SOURCES_COLUMN] = {"column", WS_TEXT},     [WS_SOURCES_DEVICES] = {"devices", WS_INTEGER},
        [WS_SOURCES_ENERGY] = {"energy_j", WS_NUMBER}, [WS_SOURCES_RATIO] = {"ratio", WS_NUMBER},
    };
    ws_table_init(table, "sources");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(table, columns[i].name, columns[i].kind);
}

static bool has_energy(const ws_metered_channel *c)
{
    return c && ws_quantity_gives_energy(c->channel.quantity) && !isnan(c->summary.energy_j);
}

/* Sums over the devices that have the `nth` channel of a rule, from 0. */
typedef struct source_sum {
    const ws_metered_channel *first;
    size_t devices;
    double energy_j, counted_j;
} source_sum;

static void add_source(source_sum *sum, const ws_device *d, const ws_metered_channel *c)
{
    sum->first = sum->first ? sum->first : c;
    sum->devices++;
    sum->energy_j += c->summary.energy_j;
    sum->counted_j += d->energy->summary.energy_j;
}

static void put_source(const source_sum *sum, const char *run, ws_table *t)
{
    if (!sum->devices)
        return;
    size_t row = ws_table_add_row(t);
    ws_table_set_text(t, WS_SOURCES_RUN, row, run);
    ws_table_set_text(t, WS_SOURCES_DOMAIN, row, ws_domain_name(sum->first->channel.domain));
    ws_table_set_text(t, WS_SOURCES_SOURCE, row, ws_rule_name(sum->first->meter.rule));
    ws_table_set_text(t, WS_SOURCES_COLUMN, row, sum->first->channel.column);
    ws_table_set_integer(t, WS_SOURCES_DEVICES, row, (int64_t)sum->devices);
    ws_table_set_number(t, WS_SOURCES_ENERGY, row, sum->energy_j);
    ws_table_set_number(t, WS_SOURCES_RATIO, row, sum->energy_j / sum->counted_j);
}

enum { MOST = 4 }; /* channels of one rule that a device has: energies of draw, average and instant, and one more */

typedef struct source_sums {
    source_sum counted, others[WS_RULE_N][MOST];
} source_sums;

static void add_device_sources(const ws_measure *m, const ws_device *d, source_sums *sums)
{
    size_t seen[WS_RULE_N] = {0};
    add_source(&sums->counted, d, d->energy);
    for (size_t i = 0; i < d->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[d->channels[i]];
        if (c == d->energy || !has_energy(c) || seen[c->meter.rule] == MOST)
            continue;
        add_source(&sums->others[c->meter.rule][seen[c->meter.rule]++], d, c);
    }
}

/* The totals that the file of the run states; beside what its devices hold. */
static void put_stored(const ws_measure *m, const ws_measure_group *of, const char *run, ws_domain domain,
                       double counted_j, ws_table *t)
{
    stored_total stored;
    for (size_t i = 0; i < m->n_facts; i++) {
        if (!read_stored_total(&m->facts[i], &stored) || stored.domain != domain ||
            !is_stored_run(&stored, &m->devices[of->devices[0]]))
            continue;
        size_t row = ws_table_add_row(t);
        ws_table_set_text(t, WS_SOURCES_RUN, row, run);
        ws_table_set_text(t, WS_SOURCES_DOMAIN, row, ws_domain_name(domain));
        ws_table_set_text(t, WS_SOURCES_SOURCE, row, "stored");
        ws_table_set_text(t, WS_SOURCES_COLUMN, row, stored.key);
        ws_table_set_number(t, WS_SOURCES_ENERGY, row, stored.energy_j);
        if (counted_j > 0)
            ws_table_set_number(t, WS_SOURCES_RATIO, row, stored.energy_j / counted_j);
    }
}

void ws_sources_add(const ws_measure *m, const ws_measure_group *of, const char *run, ws_table *t)
{
    for (int domain = 0; domain < WS_DOMAIN_N; domain++) {
        source_sums sums = {0};
        for (size_t i = 0; i < of->n_devices; i++) {
            const ws_device *d = &m->devices[of->devices[i]];
            if (d->domain == (ws_domain)domain && !d->is_alternative && has_energy(d->energy))
                add_device_sources(m, d, &sums);
        }
        put_source(&sums.counted, run, t);
        for (int rule = 0; rule < WS_RULE_N; rule++)
            for (size_t nth = 0; nth < MOST; nth++)
                put_source(&sums.others[rule][nth], run, t);
        put_stored(m, of, run, (ws_domain)domain, sums.counted.energy_j, t);
    }
}
