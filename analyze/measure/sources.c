#include "analyze/measure/sources.h"

#include "analyze/measure/stakes.h"

#include <math.h>
#include <string.h>

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
    ws_stored_total stored;
    for (size_t i = 0; i < m->n_facts; i++) {
        if (!ws_stored_total_of(&m->facts[i], &stored) || stored.domain != domain ||
            !ws_is_stored_run(&stored, &m->devices[of->devices[0]]))
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
