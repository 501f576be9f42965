#include "analyze/measure/perun_compare.h"

#include <math.h>
#include <string.h>

/* Texts of a row of the energy table; "" where it has none. */
static const char *cell(const ws_table *table, const char *name, size_t row)
{
    const ws_column *c = ws_table_column(table, name);
    return c && c->text[row] ? c->text[row] : "";
}

static double number(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(table, name, &column) ? ws_table_number(table, column, row) : NAN;
}

static double fact(const ws_measure *m, const char *source, const char *run, const char *node, const char *device,
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
static const char *group_of(const char *domain)
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

static void compare_row(const ws_measure *m, ws_energy_grouping by, ws_table *table, size_t first, size_t row)
{
    const char *source = cell(table, "source", row), *run = cell(table, "run", row), *node = cell(table, "node", row);
    const char *device = by == WS_BY_DEVICE   ? cell(table, "column", row)
                         : by == WS_BY_DOMAIN ? group_of(cell(table, "domain", row))
                                              : "";
    double energy_j = number(table, "energy_j", row), overhead_j = 0, pue = 1;
    double overhead_w = fact(m, source, run, "", "", "perun.power_overhead_w");
    bool whole = by == WS_BY_NODE || by == WS_BY_RUN;
    if (whole && overhead_w > 0)
        overhead_j = by == WS_BY_RUN ? overhead_of_run(m, source, run, overhead_w)
                                     : overhead_w * fact(m, source, run, node, "", "perun.stored.runtime_s");
    /* perun 0.4.0 knew no overhead yet and had its PUE for a line of its text report, outside of the energy */
    double stored_pue = isnan(overhead_w) ? NAN : fact(m, source, run, "", "", "perun.pue");
    if (by == WS_BY_RUN && stored_pue > 0)
        pue = stored_pue;
    double stored = fact(m, source, run, node, device, "perun.stored.energy_j");
    if (isnan(stored) || (by == WS_BY_DEVICE && !*device))
        return;
    ws_table_set_number(table, first, row, stored);
    ws_table_set_number(table, first + 1, row, whole ? overhead_j : NAN);
    ws_table_set_number(table, first + 2, row, by == WS_BY_RUN ? pue : NAN);
    ws_table_set_number(table, first + 3, row, (energy_j + overhead_j) * pue);
}

size_t ws_perun_compare_init(ws_table *table)
{
    size_t first = ws_table_add_column(table, "stored_energy_j", WS_NUMBER);
    ws_table_add_column(table, "overhead_j", WS_NUMBER);
    ws_table_add_column(table, "pue", WS_NUMBER);
    ws_table_add_column(table, "perun_energy_j", WS_NUMBER);
    return first;
}

void ws_perun_compare(const ws_measure *m, ws_energy_grouping by, ws_table *table, size_t first_column,
                      size_t first_row)
{
    for (size_t row = first_row; row < table->n_rows; row++)
        compare_row(m, by, table, first_column, row);
}
