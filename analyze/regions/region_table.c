#include "analyze/regions/region_table.h"

#include <string.h>

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

static void add_row(ws_table *table, const ws_table *energies, size_t from_row)
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
        add_row(table, &energies, i);
        size_t row = table->n_rows - 1;
        bool is_rest = region == r->n_names;
        ws_table_set_text(table, REGION, row, is_rest ? WS_REGION_REST : r->names[region]);
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
