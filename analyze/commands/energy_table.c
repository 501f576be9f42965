#include "analyze/commands/energy_table.h"

#include "analyze/commands/budget_table.h"

#include <math.h>
#include <string.h>

/* The columns in their order; the numbers of a device row are filled from this table. Text shows so few of them that
 * they stand within a screen. */
enum {
    RUN,
    SOURCE,
    NODE,
    DEVICE,
    DEVICE_ID,
    IDENTITY,
    DOMAIN,
    QUANTITY,
    COLUMN,
    RULE,
    SAMPLES,
    MISSING,
    START,
    DURATION,
    ENERGY,
    ENERGY_LO,
    ENERGY_HI,
    MEAN,
    MIN,
    MAX,
    SD,
    PLAIN_MEAN,
    UTIL,
    UTIL_CV,
    PLAIN_UTIL,
    PLAIN_UTIL_CV,
    MEM_UTIL,
    MEM_UTIL_CV,
    MEM_USED,
    CLOCK,
    TEMP,
    MAX_GAP,
    COVERAGE,
    STATUS,
    VERDICT,
    FINDINGS,
    DEVICES,
    WITHOUT
};

static const struct {
    const char *name;
    ws_column_kind kind;
    bool detail;
} columns[] = {
    [RUN] = {"run", WS_TEXT, false},
    [SOURCE] = {"source", WS_TEXT, false},
    [NODE] = {"node", WS_TEXT, false},
    [DEVICE] = {"device", WS_TEXT, false},
    [DEVICE_ID] = {"device_id", WS_TEXT, true},
    [IDENTITY] = {"identity", WS_TEXT, true},
    [DOMAIN] = {"domain", WS_TEXT, true}, /* shown where a device's name does not say it */
    [QUANTITY] = {"quantity", WS_TEXT, true},
    [COLUMN] = {"column", WS_TEXT, true},
    [RULE] = {"rule", WS_TEXT, true},
    [SAMPLES] = {"samples", WS_INTEGER, true},
    [MISSING] = {"missing", WS_INTEGER, true}, /* shown where there are some */
    [START] = {"start", WS_TEXT, true},
    [DURATION] = {"duration_s", WS_NUMBER, false},
    [ENERGY] = {"energy_j", WS_NUMBER, false},
    [ENERGY_LO] = {"energy_lo_j", WS_NUMBER, true},
    [ENERGY_HI] = {"energy_hi_j", WS_NUMBER, true},
    [MEAN] = {"mean_power_w", WS_NUMBER, false},
    [MIN] = {"min_power_w", WS_NUMBER, true},
    [MAX] = {"max_power_w", WS_NUMBER, true},
    [SD] = {"sd_power_w", WS_NUMBER, true},
    [PLAIN_MEAN] = {"plain_mean_power_w", WS_NUMBER, true},
    [UTIL] = {"util_mean", WS_NUMBER, false},
    [UTIL_CV] = {"util_cv", WS_NUMBER, true},
    [PLAIN_UTIL] = {"plain_util_mean", WS_NUMBER, true},
    [PLAIN_UTIL_CV] = {"plain_util_cv", WS_NUMBER, true},
    [MEM_UTIL] = {"mem_util_mean", WS_NUMBER, true},
    [MEM_UTIL_CV] = {"mem_util_cv", WS_NUMBER, true},
    [MEM_USED] = {"mem_used_mean_b", WS_NUMBER, true},
    [CLOCK] = {"clock_mean_hz", WS_NUMBER, true},
    [TEMP] = {"temp_mean_c", WS_NUMBER, true},
    [MAX_GAP] = {"max_gap_s", WS_NUMBER, true},
    [COVERAGE] = {"coverage", WS_NUMBER, false},
    [STATUS] = {"status", WS_TEXT, false},
    [VERDICT] = {"energy_verdict", WS_TEXT, true},   /* shown from the first row on that is not ok */
    [FINDINGS] = {"energy_findings", WS_TEXT, true}, /* that count in it */
};

static void set_text(ws_table *table, size_t column, size_t row, const char *text)
{
    if (text && *text)
        ws_table_set_text(table, column, row, text);
}

static void show_if(ws_table *table, size_t column, bool is_needed)
{
    table->columns[column].detail &= !is_needed;
}

static void set_verdict(ws_table *table, size_t row, ws_energy_verdict verdict, const ws_stake *stake)
{
    char codes[400];
    set_text(table, VERDICT, row, ws_energy_verdict_name(verdict));
    if (verdict != WS_ENERGY_VERDICT_NONE)
        set_text(table, FINDINGS, row, ws_finding_set_text(&stake->findings, codes, sizeof codes));
    show_if(table, VERDICT, verdict > WS_ENERGY_VERDICT_OK);
}

static void set_mean(ws_table *table, size_t row, const ws_metered_channel *c, size_t mean, size_t cv)
{
    if (!c || !c->summary.samples)
        return;
    ws_table_set_number(table, mean, row, c->summary.mean);
    if (cv && c->summary.mean > 0)
        ws_table_set_number(table, cv, row, c->summary.sd / c->summary.mean);
}

static void set_plain_util(ws_table *table, size_t row, const ws_metered_channel *c)
{
    if (!c || !c->summary.samples)
        return;
    ws_table_set_number(table, PLAIN_UTIL, row, c->summary.plain_mean);
    if (c->summary.plain_mean > 0)
        ws_table_set_number(table, PLAIN_UTIL_CV, row, c->summary.plain_sd / c->summary.plain_mean);
}

static void set_reading(ws_table *table, size_t row, const ws_metered_channel *c, bool is_energy)
{
    const ws_channel_summary *r = &c->summary;
    char stamp[WS_STAMP_TEXT];
    ws_table_set_integer(table, SAMPLES, row, (int64_t)r->samples);
    ws_table_set_integer(table, MISSING, row, (int64_t)r->missing);
    show_if(table, MISSING, r->missing > 0);
    if (r->has_start) {
        ws_stamp_text(stamp, r->start_ns);
        ws_table_set_text(table, START, row, stamp);
    }
    ws_table_set_number(table, DURATION, row, r->duration_s);
    ws_table_set_number(table, MAX_GAP, row, r->max_gap_s);
    ws_table_set_number(table, COVERAGE, row, r->coverage);
    ws_table_set_text(table, STATUS, row, ws_energy_status_name(is_energy ? r->status : WS_STATUS_NO_ENERGY));
    if (!is_energy)
        return;
    set_text(table, QUANTITY, row, ws_quantity_name(c->channel.quantity));
    set_text(table, COLUMN, row, c->channel.column);
    set_text(table, RULE, row, ws_rule_name(c->meter.rule));
    ws_table_set_number(table, ENERGY, row, r->energy_j);
    ws_table_set_number(table, ENERGY_LO, row, r->energy_lo_j);
    ws_table_set_number(table, ENERGY_HI, row, r->energy_hi_j);
    ws_table_set_number(table, MEAN, row, r->mean);
    ws_table_set_number(table, MIN, row, r->min);
    ws_table_set_number(table, MAX, row, r->max);
    ws_table_set_number(table, SD, row, r->sd);
    if (c->channel.quantity == WS_POWER)
        ws_table_set_number(table, PLAIN_MEAN, row, r->plain_mean);
}

/* The gross energy stays as it is, and the net one may be below zero. */
static void set_baseline(ws_table *table, size_t row, double power_w, double baseline_j, double energy_j)
{
    const struct {
        const char *name;
        double value;
    } cells[] = {{"baseline_w", power_w}, {"baseline_j", baseline_j}, {"net_energy_j", energy_j - baseline_j}};
    for (size_t i = 0, column; i < sizeof cells / sizeof *cells; i++)
        if (ws_table_find(table, cells[i].name, &column))
            ws_table_set_number(table, column, row, cells[i].value);
}

static ws_energy_verdict verdict_of(const ws_device *d, const ws_verdict_rules *rules)
{
    return d->energy->channel.ask ? WS_ENERGY_VERDICT_UNUSABLE
                                  : ws_energy_verdict_of(&d->stake, d->energy->summary.energy_j, rules);
}

/* "gpu0", "dram" */
static bool is_named_by_domain(const ws_device *d)
{
    return ws_span_has_prefix(ws_span_of(d->device ? d->device : ""), ws_domain_name(d->domain));
}

static void add_device_row(ws_table *table, const ws_measure *m, const ws_device *d)
{
    const ws_verdict_rules *rules = &m->options.verdict;
    size_t row = ws_table_add_row(table);
    set_text(table, RUN, row, d->run);
    set_text(table, SOURCE, row, d->source);
    set_text(table, NODE, row, d->node);
    set_text(table, DEVICE, row, d->device);
    set_text(table, DEVICE_ID, row, d->device_id);
    set_text(table, IDENTITY, row, d->identity);
    set_text(table, DOMAIN, row, ws_domain_name(d->domain));
    show_if(table, DOMAIN, d->energy && !is_named_by_domain(d));
    if (d->energy)
        set_reading(table, row, d->energy, true), set_verdict(table, row, verdict_of(d, rules), &d->stake);
    else if (d->longest)
        set_reading(table, row, d->longest, false);
    if (m->has_baselines && d->energy)
        set_baseline(table, row, d->baseline_w, d->baseline_w * d->energy->summary.duration_s,
                     d->energy->summary.energy_j);
    set_mean(table, row, d->util, UTIL, UTIL_CV);
    set_plain_util(table, row, d->util);
    set_mean(table, row, d->mem_util, MEM_UTIL, MEM_UTIL_CV);
    set_mean(table, row, d->mem_used, MEM_USED, 0);
    set_mean(table, row, d->clock, CLOCK, 0);
    set_mean(table, row, d->temperature, TEMP, 0);
}

/* perun adds the mean powers of its sensors; else the mean power of a sum is its energy over the longest span. */
static double sum_power(const ws_measure *m, const ws_device_sum *sum)
{
    if (m->options.rule == WS_RULE_PERUN)
        return sum->power_w;
    return sum->duration_s > 0 ? sum->energy_j / sum->duration_s : NAN;
}

/* What a file has lost may have been any node's, so its runs are not whole. */
static bool is_incomplete(const ws_measure *m, const ws_device_sum *sum, ws_energy_grouping by)
{
    return (by == WS_BY_RUN || by == WS_BY_SOURCE) && m->is_incomplete && sum->devices;
}

static ws_energy_status sum_status(const ws_measure *m, const ws_device_sum *sum, ws_energy_grouping by)
{
    return is_incomplete(m, sum, by) ? WS_STATUS_INCOMPLETE : ws_device_sum_status(sum);
}

/* Of what a file has lost nobody knows how much it was. */
static void set_sum_verdict(ws_table *table, size_t row, const ws_measure *m, const ws_device_sum *sum,
                            ws_energy_grouping by)
{
    ws_device_sum whole = *sum;
    if (is_incomplete(m, sum, by))
        ws_stake_add(&whole.stake, &m->options.verdict, WS_FINDING_UNREADABLE, INFINITY);
    set_verdict(table, row, ws_device_sum_verdict(&whole, &m->options.verdict), &whole.stake);
}

static void add_sum_row(ws_table *table, const ws_measure *m, const ws_device *of, ws_energy_grouping by,
                        const char *domain, const ws_device_sum *sum)
{
    size_t row = ws_table_add_row(table);
    set_text(table, RUN, row, by == WS_BY_SOURCE ? NULL : of->run);
    set_text(table, SOURCE, row, of->source);
    set_text(table, NODE, row, by == WS_BY_DOMAIN || by == WS_BY_NODE ? of->node : NULL);
    set_text(table, DOMAIN, row, domain);
    show_if(table, DOMAIN, true);
    ws_table_set_integer(table, SAMPLES, row, (int64_t)sum->samples);
    ws_table_set_integer(table, MISSING, row, (int64_t)sum->missing);
    show_if(table, MISSING, sum->missing > 0);
    ws_table_set_number(table, DURATION, row, sum->duration_s);
    ws_table_set_number(table, ENERGY, row, sum->energy_j);
    double lo_j, hi_j;
    ws_budget_interval(&sum->budget, sum->energy_j, &lo_j, &hi_j);
    ws_table_set_number(table, ENERGY_LO, row, lo_j);
    ws_table_set_number(table, ENERGY_HI, row, hi_j);
    ws_table_set_number(table, MEAN, row, sum_power(m, sum));
    ws_table_set_number(table, MAX_GAP, row, sum->max_gap_s);
    ws_table_set_number(table, COVERAGE, row, sum->coverage);
    ws_table_set_text(table, STATUS, row, ws_energy_status_name(sum_status(m, sum, by)));
    set_sum_verdict(table, row, m, sum, by);
    if (m->has_baselines && sum->devices)
        set_baseline(table, row, NAN, sum->baseline_j, sum->energy_j);
    ws_table_set_integer(table, DEVICES, row, (int64_t)sum->devices);
    ws_table_set_integer(table, WITHOUT, row, (int64_t)sum->without);
    show_if(table, WITHOUT, sum->without > 0);
}

/* What a sum over the runs of a source leaves out, or holds twice. */
static void note_overlaps(ws_notes *notes, const ws_measure *m, const ws_measure_group *of)
{
    for (size_t i = 0; i < of->n_devices; i++) {
        const ws_device *d = &m->devices[of->devices[i]];
        if (d->is_alternative)
            continue;
        if (d->again_in)
            ws_notes_add(notes, WS_FINDING_MEASURED_TWICE, d->source, d->device, 0,
                         "the run '%s' measured the device while '%s' did: the sum of the file counts the longer one",
                         d->run, d->again_in);
        else if (d->overlaps)
            ws_notes_add(notes, WS_FINDING_RUNS_OVERLAP, d->source, d->device, 0,
                         "runs of the file share a part of their time, as '%s' does with another: the sum of the file "
                         "is not right there (--by run has each)",
                         d->run);
    }
}

static void add_group(ws_table *table, const ws_measure *m, const ws_measure_group *of, ws_energy_grouping by)
{
    const ws_device *first = &m->devices[of->devices[0]];
    ws_totals totals;
    ws_group_totals(m, of, by != WS_BY_SOURCE, &totals);
    if (by == WS_BY_SOURCE)
        note_overlaps(&table->notes, m, of);
    if (by != WS_BY_DOMAIN) {
        add_sum_row(table, m, first, by, totals.scope, &totals.all);
        ws_note_uncounted(m, of, &totals, &table->notes);
        return;
    }
    for (int d = 0; d < WS_DOMAIN_N; d++)
        if (totals.domain[d].devices || totals.domain[d].without)
            add_sum_row(table, m, first, by, ws_domain_name((ws_domain)d), &totals.domain[d]);
}

static unsigned members_of(ws_energy_grouping by)
{
    unsigned of_run = by == WS_BY_SOURCE ? 0 : WS_GROUP_RUN;
    unsigned of_node = by == WS_BY_DOMAIN || by == WS_BY_NODE ? WS_GROUP_NODE : 0;
    return WS_GROUP_SOURCE | of_run | of_node;
}

void ws_energy_table_init(ws_table *table, ws_energy_grouping by)
{
    ws_table_init(table, "energy");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        ws_table_add_column(table, columns[i].name, columns[i].kind);
        if (columns[i].detail)
            ws_table_set_detail(table, i);
    }
    bool is_by_part = by == WS_BY_DEVICE || by == WS_BY_DOMAIN;
    ws_table_set_place(table, RUN, is_by_part || by == WS_BY_NODE ? WS_HEADING : WS_AS_COLUMN);
    ws_table_set_place(table, SOURCE, by != WS_BY_SOURCE ? WS_HEADING : WS_AS_COLUMN);
    ws_table_set_place(table, NODE, is_by_part ? WS_HEADING : WS_AS_COLUMN);
    table->screen_keys = 1;
    if (by != WS_BY_DEVICE) {
        ws_table_add_column(table, "devices", WS_INTEGER);
        ws_table_add_column(table, "devices_without_energy", WS_INTEGER);
        ws_table_set_detail(table, WITHOUT); /* shown where there are some */
    }
}

void ws_energy_table_add_baselines(ws_table *table)
{
    static const char *const names[] = {"baseline_w", "baseline_j", "net_energy_j"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ws_table_add_column(table, names[i], WS_NUMBER);
}

void ws_energy_table_add(ws_table *table, const ws_measure *m, ws_energy_grouping by)
{
    for (size_t i = 0; by == WS_BY_DEVICE && i < m->n_devices; i++)
        add_device_row(table, m, &m->devices[i]);
    if (by == WS_BY_DEVICE)
        return;
    ws_measure_groups groups;
    ws_measure_groups_init(&groups, m, members_of(by));
    for (size_t i = 0; i < groups.n; i++)
        add_group(table, m, &groups.items[i], by);
    ws_measure_groups_free(&groups);
}

static void add_device_budget(ws_table *table, const ws_device *d)
{
    ws_budget_subject subject = {d->run, d->source, d->node, d->device, ws_domain_name(d->domain)};
    if (d->energy)
        ws_budget_table_add(table, &subject, &d->energy->budget, d->energy->summary.energy_j);
}

static void add_group_budgets(ws_table *table, const ws_measure *m, const ws_measure_group *of, ws_energy_grouping by)
{
    const ws_device *first = &m->devices[of->devices[0]];
    bool by_node = by == WS_BY_DOMAIN || by == WS_BY_NODE;
    const char *run = by == WS_BY_SOURCE ? NULL : first->run, *node = by_node ? first->node : NULL;
    ws_totals totals;
    ws_group_totals(m, of, by != WS_BY_SOURCE, &totals);
    ws_budget_subject subject = {run, first->source, node, NULL, totals.scope};
    if (by != WS_BY_DOMAIN)
        ws_budget_table_add(table, &subject, &totals.all.budget, totals.all.energy_j);
    for (int d = 0; d < WS_DOMAIN_N && by == WS_BY_DOMAIN; d++) {
        subject.domain = ws_domain_name((ws_domain)d);
        ws_budget_table_add(table, &subject, &totals.domain[d].budget, totals.domain[d].energy_j);
    }
}

void ws_energy_budget_add(ws_table *table, const ws_measure *m, ws_energy_grouping by)
{
    for (size_t i = 0; by == WS_BY_DEVICE && i < m->n_devices; i++)
        add_device_budget(table, &m->devices[i]);
    if (by == WS_BY_DEVICE)
        return;
    ws_measure_groups groups;
    ws_measure_groups_init(&groups, m, members_of(by));
    for (size_t i = 0; i < groups.n; i++)
        add_group_budgets(table, m, &groups.items[i], by);
    ws_measure_groups_free(&groups);
}

/* --- what perun stored --- */

/* "" where there is none. */
static const char *text_at(const ws_table *table, size_t column, size_t row)
{
    const char *text = table->columns[column].text[row];
    return text ? text : "";
}

static double fact_of(const ws_measure *m, const char *source, const char *run, const char *node, const char *device,
                      const char *key)
{
    for (size_t i = m->n_facts; i-- > 0;) {
        const ws_kept_fact *f = &m->facts[i];
        if (!f->text && strcmp(f->source, source) == 0 && strcmp(f->key, key) == 0 && strcmp(f->run, run) == 0 &&
            strcmp(f->node, node) == 0 && strcmp(f->device, device) == 0)
            return f->number;
    }
    return NAN;
}

/* perun's group of a domain. */
static const char *perun_group_of(const char *domain)
{
    return strcmp(domain, "dram") == 0 ? "ram" : domain;
}

/* perun adds its overhead to every node for the node's run time, so a run has it once a node. */
static double overhead_of_run(const ws_measure *m, const char *source, const char *run, double overhead_w)
{
    double sum = 0;
    for (size_t i = 0; i < m->n_facts; i++) {
        const ws_kept_fact *f = &m->facts[i];
        if (strcmp(f->source, source) == 0 && strcmp(f->run, run) == 0 && *f->node && !*f->device &&
            strcmp(f->key, "perun.stored.runtime_s") == 0)
            sum += overhead_w * f->number;
    }
    return sum;
}

static void compare_with_perun(const ws_measure *m, ws_energy_grouping by, ws_table *table, size_t first, size_t row)
{
    const char *source = text_at(table, SOURCE, row), *run = text_at(table, RUN, row),
               *node = text_at(table, NODE, row);
    const char *device = by == WS_BY_DEVICE   ? text_at(table, COLUMN, row)
                         : by == WS_BY_DOMAIN ? perun_group_of(text_at(table, DOMAIN, row))
                                              : "";
    double energy_j = ws_table_number(table, ENERGY, row), overhead_j = 0, pue = 1;
    double overhead_w = fact_of(m, source, run, "", "", "perun.power_overhead_w");
    bool whole = by == WS_BY_NODE || by == WS_BY_RUN;
    if (whole && overhead_w > 0)
        overhead_j = by == WS_BY_RUN ? overhead_of_run(m, source, run, overhead_w)
                                     : overhead_w * fact_of(m, source, run, node, "", "perun.stored.runtime_s");
    /* perun 0.4.0 knew no overhead yet and had its PUE for a line of its text report, outside of the energy */
    double stored_pue = isnan(overhead_w) ? NAN : fact_of(m, source, run, "", "", "perun.pue");
    if (by == WS_BY_RUN && stored_pue > 0)
        pue = stored_pue;
    double stored = fact_of(m, source, run, node, device, "perun.stored.energy_j");
    if (isnan(stored) || (by == WS_BY_DEVICE && !*device))
        return;
    ws_table_set_number(table, first, row, stored);
    ws_table_set_number(table, first + 1, row, whole ? overhead_j : NAN);
    ws_table_set_number(table, first + 2, row, by == WS_BY_RUN ? pue : NAN);
    ws_table_set_number(table, first + 3, row, (energy_j + overhead_j) * pue);
}

size_t ws_energy_table_add_perun(ws_table *table)
{
    size_t first = ws_table_add_column(table, "stored_energy_j", WS_NUMBER);
    ws_table_add_column(table, "overhead_j", WS_NUMBER);
    ws_table_add_column(table, "pue", WS_NUMBER);
    ws_table_add_column(table, "perun_energy_j", WS_NUMBER);
    return first;
}

void ws_energy_table_set_perun(const ws_measure *m, ws_energy_grouping by, ws_table *table, size_t first_column,
                               size_t first_row)
{
    for (size_t row = first_row; row < table->n_rows; row++)
        compare_with_perun(m, by, table, first_column, row);
}

/* --- regions --- */

#define OUTSIDE "(outside)" /* the region of what lies in none */

enum { REGION, ENTRIES, FIRST_OF_ENERGY };

/* Columns taken from the energy table, as far as it has them. */
static const char *const of_energy[] = {
    "source",     "run",        "node",           "device",      "domain",
    "duration_s", "energy_j",   "energy_lo_j",    "energy_hi_j", "mean_power_w",
    "coverage",   "status",     "energy_verdict", "devices",     "devices_without_energy",
    "baseline_w", "baseline_j", "net_energy_j",
};

static void init_energies(ws_table *energies, ws_energy_grouping by, bool has_baselines)
{
    ws_energy_table_init(energies, by);
    if (has_baselines)
        ws_energy_table_add_baselines(energies);
}

void ws_region_table_init(ws_table *table, ws_energy_grouping by, bool has_baselines)
{
    ws_table energies;
    init_energies(&energies, by, has_baselines);
    ws_table_init(table, "regions");
    ws_table_add_column(table, "region", WS_TEXT);
    ws_table_add_column(table, "entries", WS_INTEGER);
    for (size_t i = 0, from; i < sizeof of_energy / sizeof *of_energy; i++) {
        if (!ws_table_find(&energies, of_energy[i], &from))
            continue;
        size_t column = ws_table_add_column(table, of_energy[i], energies.columns[from].kind);
        table->columns[column].detail = energies.columns[from].detail;
    }
    ws_table_free(&energies);
}

static void copy_cell(ws_table *to, size_t column, size_t row, const ws_table *from, size_t of, size_t from_row)
{
    const ws_column *c = &from->columns[of];
    if (ws_table_is_missing(from, of, from_row))
        return;
    if (c->kind == WS_TEXT)
        ws_table_set_text(to, column, row, c->text[from_row]);
    else if (c->kind == WS_NUMBER)
        ws_table_set_number(to, column, row, c->number[from_row]);
    else
        ws_table_set_integer(to, column, row, c->integer[from_row]);
}

static bool passes(const char *wanted, const char *text)
{
    return !wanted || !text || strcmp(wanted, text) == 0;
}

/* A row may add up several nodes: the largest of their counts. */
static uint64_t entries_of(const ws_regions *r, size_t region, const ws_table *t, size_t row)
{
    const char *run = ws_table_column(t, "run")->text[row], *node = ws_table_column(t, "node")->text[row];
    uint64_t most = 0;
    for (size_t i = 0; i < r->n_visits; i++) {
        const ws_region_visit *v = &r->visits[i];
        if (v->region == region && passes(v->run, run) && passes(v->node, node) && v->entries > most)
            most = v->entries;
    }
    return most;
}

static void add_region_row(ws_table *table, const ws_table *energies, size_t from_row)
{
    size_t row = ws_table_add_row(table);
    for (size_t column = FIRST_OF_ENERGY; column < table->n_columns; column++) {
        size_t of;
        if (ws_table_find(energies, table->columns[column].name, &of)) {
            copy_cell(table, column, row, energies, of, from_row);
            table->columns[column].detail &= energies->columns[of].detail;
        }
    }
}

static void add_region(ws_table *table, const ws_measure *part, const ws_regions *r, size_t region,
                       ws_energy_grouping by)
{
    ws_table energies;
    init_energies(&energies, by, part->has_baselines);
    ws_energy_table_add(&energies, part, by);
    ws_notes_append(&table->notes, &energies.notes);
    for (size_t i = 0; i < energies.n_rows; i++) {
        add_region_row(table, &energies, i);
        size_t row = table->n_rows - 1;
        bool is_rest = region == r->n_names;
        ws_table_set_text(table, REGION, row, is_rest ? OUTSIDE : r->names[region]);
        if (!is_rest)
            ws_table_set_integer(table, ENTRIES, row, (int64_t)entries_of(r, region, table, row));
    }
    ws_table_free(&energies);
}

void ws_region_table_add(ws_table *table, const ws_measure *parts, const ws_regions *r, ws_energy_grouping by)
{
    for (size_t region = 0; region <= r->n_names; region++)
        add_region(table, &parts[region], r, region, by);
}
