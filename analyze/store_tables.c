#include "analyze/store_tables.h"

#include <math.h>

typedef struct column {
    const char *name;
    ws_column_kind kind;
} column;

static void begin_table(ws_table *table, const char *name, const column *columns, size_t n)
{
    ws_table_init(table, name);
    for (size_t c = 0; c < n; c++)
        ws_table_add_column(table, columns[c].name, columns[c].kind);
}

/* They outlive the table: runs, their history and notes, and names. */
static void set_texts(ws_table *table, size_t row, const char *const *texts, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (texts[c] && *texts[c])
            table->columns[c].text[row] = texts[c];
}

static void set_numbers(ws_table *table, size_t row, size_t first, const double *numbers, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (!isnan(numbers[c]))
            ws_table_set_number(table, first + c, row, numbers[c]);
}

/* --- devices: those of each run, with the energy that counts --- */

static const column device_columns[] = {{"run", WS_TEXT},
                                        {"source", WS_TEXT},
                                        {"node", WS_TEXT},
                                        {"device", WS_TEXT},
                                        {"device_id", WS_TEXT},
                                        {"domain", WS_TEXT},
                                        {"quantity", WS_TEXT},
                                        {"column", WS_TEXT},
                                        {"rule", WS_TEXT},
                                        {"status", WS_TEXT},
                                        {"samples", WS_NUMBER},
                                        {"missing", WS_NUMBER},
                                        {"duration_s", WS_NUMBER},
                                        {"energy_j", WS_NUMBER},
                                        {"energy_lo_j", WS_NUMBER},
                                        {"energy_hi_j", WS_NUMBER},
                                        {"mean_power_w", WS_NUMBER},
                                        {"min_power_w", WS_NUMBER},
                                        {"max_power_w", WS_NUMBER},
                                        {"util_mean", WS_NUMBER},
                                        {"mem_util_mean", WS_NUMBER},
                                        {"max_gap_s", WS_NUMBER},
                                        {"coverage", WS_NUMBER},
                                        {"util_samples", WS_NUMBER},
                                        {"mem_util_samples", WS_NUMBER}};
enum { DEVICE_COLUMNS = sizeof device_columns / sizeof *device_columns, DEVICE_TEXTS = 10 };

static void add_device(ws_table *table, const ws_store *store, const ws_run_history *run, const ws_history_brief *d)
{
    bool has_energy = d->rule != WS_RULE_NONE;
    size_t row = ws_table_add_row(table);
    const char *texts[DEVICE_TEXTS] = {run->run,
                                       ws_store_relative(store, d->source),
                                       d->node,
                                       d->device,
                                       d->device_id,
                                       ws_domain_name(d->domain),
                                       has_energy ? ws_quantity_name(d->quantity) : NULL,
                                       d->column,
                                       has_energy ? ws_rule_name(d->rule) : NULL,
                                       d->status};
    const double numbers[] = {(double)d->samples,
                              (double)d->missing,
                              d->duration_s,
                              d->energy_j,
                              d->energy_lo_j,
                              d->energy_hi_j,
                              d->mean,
                              d->min,
                              d->max,
                              d->util_samples ? d->util_mean : NAN,
                              d->mem_util_samples ? d->mem_util_mean : NAN,
                              d->max_gap_s,
                              d->coverage,
                              d->util_samples ? (double)d->util_samples : NAN,
                              d->mem_util_samples ? (double)d->mem_util_samples : NAN};
    set_texts(table, row, texts, DEVICE_TEXTS);
    set_numbers(table, row, DEVICE_TEXTS, numbers, sizeof numbers / sizeof *numbers);
}

/* --- channels: those of the devices that give no energy; the others stand with their device --- */

static const column other_columns[] = {{"run", WS_TEXT},    {"source", WS_TEXT},    {"node", WS_TEXT},
                                       {"device", WS_TEXT}, {"quantity", WS_TEXT},  {"column", WS_TEXT},
                                       {"rule", WS_TEXT},   {"samples", WS_NUMBER}, {"energy_j", WS_NUMBER}};
enum { OTHER_COLUMNS = sizeof other_columns / sizeof *other_columns, OTHER_TEXTS = 7 };

static void add_others(ws_table *table, const ws_store *store, const ws_run_history *run, const ws_history_brief *d)
{
    for (size_t i = 0; i < d->n_others; i++) {
        const ws_history_channel *o = &d->others[i];
        size_t row = ws_table_add_row(table);
        const char *texts[OTHER_TEXTS] = {run->run,
                                          ws_store_relative(store, d->source),
                                          d->node,
                                          d->device,
                                          ws_quantity_name(o->quantity),
                                          o->column,
                                          ws_rule_name(o->rule)};
        const double numbers[] = {(double)o->samples, o->energy_j};
        set_texts(table, row, texts, OTHER_TEXTS);
        set_numbers(table, row, OTHER_TEXTS, numbers, sizeof numbers / sizeof *numbers);
    }
}

/* What each device has, the one that gives its energy first. */
static const char channels_view[] =
    "SELECT run, source, node, device, quantity, \"column\", rule, 1 AS gives_energy, samples, energy_j, "
    "mean_power_w AS mean FROM devices WHERE \"column\" IS NOT NULL "
    "UNION ALL SELECT run, source, node, device, quantity, \"column\", rule, 0, samples, energy_j, NULL "
    "FROM other_channels "
    "UNION ALL SELECT run, source, node, device, 'util', NULL, NULL, 0, util_samples, NULL, util_mean "
    "FROM devices WHERE util_samples IS NOT NULL "
    "UNION ALL SELECT run, source, node, device, 'mem_util', NULL, NULL, 0, mem_util_samples, NULL, mem_util_mean "
    "FROM devices WHERE mem_util_samples IS NOT NULL";

/* --- findings --- */

static const column finding_columns[] = {{"code", WS_TEXT},    {"severity", WS_TEXT}, {"source", WS_TEXT},
                                         {"subject", WS_TEXT}, {"text", WS_TEXT},     {"line", WS_NUMBER},
                                         {"count", WS_NUMBER}};
enum { FINDING_COLUMNS = sizeof finding_columns / sizeof *finding_columns, FINDING_TEXTS = 5 };

/* The text of a note, with paths as the store has them. */
static const char *text_below(ws_table *table, const ws_store *store, const char *text)
{
    char *below = ws_arena_strdup(&table->arena, text), *end = below;
    for (const char *p = text; *p; *end++ = *p++)
        if (p == text || strchr(" ('", p[-1])) {
            const char *path = ws_store_relative(store, p);
            p = strcmp(path, ".") != 0 ? path : p; /* inside of the text */
        }
    *end = '\0';
    return below;
}

static void add_finding(ws_table *table, const ws_store *store, const ws_note *note, bool may_be_below)
{
    size_t row = ws_table_add_row(table);
    const char *texts[FINDING_TEXTS] = {ws_finding_code(note->finding),
                                        ws_severity_name(ws_finding_about(note->finding)->severity),
                                        ws_store_relative(store, note->source), note->subject,
                                        may_be_below ? note->text : text_below(table, store, note->text)};
    const double numbers[] = {note->line ? (double)note->line : NAN, (double)note->count};
    set_texts(table, row, texts, FINDING_TEXTS);
    set_numbers(table, row, FINDING_TEXTS, numbers, sizeof numbers / sizeof *numbers);
}

/* A table that is handed to the store piece by piece, so that the rows of a large campaign are never there at once. */
static void begin_pieces(ws_store *store, ws_table *table, const char *name, const column *columns, size_t n)
{
    begin_table(table, name, columns, n);
    ws_store_set_table(store, table);
}

static void hand_over(ws_store *store, ws_table *piece, size_t from)
{
    if (piece->n_rows < from)
        return;
    ws_store_add_rows(store, piece);
    piece->n_rows = 0; /* its texts are others' */
}

static void set_device_tables(ws_store *store, const ws_table *runs, const ws_history *history)
{
    enum { PIECE = 2048 };
    ws_table devices, others;
    begin_pieces(store, &devices, "devices", device_columns, DEVICE_COLUMNS);
    begin_pieces(store, &others, "other_channels", other_columns, OTHER_COLUMNS);
    for (size_t row = 0, at = 0; row < runs->n_rows; row++) {
        const ws_run_history *run = ws_history_find_next(history, runs, row, &at);
        for (size_t i = 0; run && i < run->n_briefs; i++) {
            add_device(&devices, store, run, &run->briefs[i]);
            add_others(&others, store, run, &run->briefs[i]);
            hand_over(store, &devices, PIECE);
            hand_over(store, &others, PIECE);
        }
    }
    hand_over(store, &devices, 1);
    hand_over(store, &others, 1);
    ws_table_free(&devices);
    ws_table_free(&others);
}

/* As the forms for programs do. */
static void mark_synthetic(ws_table *runs)
{
    size_t mark = ws_table_add_column(runs, "synthetic", WS_TEXT);
    for (size_t row = 0; row < runs->n_rows; row++)
        ws_table_set_text(runs, mark, row, "yes");
}

void ws_store_set_tables(ws_store *store, ws_table *runs, const ws_history *history)
{
    ws_table findings;
    if (runs->synthetic)
        mark_synthetic(runs);
    ws_store_set_table(store, runs);
    set_device_tables(store, runs, history);
    begin_table(&findings, "findings", finding_columns, FINDING_COLUMNS);
    bool may_be_below = ws_store_holds_its_name(store); /* then what begins as the folder may be below it already */
    for (size_t i = 0; i < runs->notes.n; i++)
        add_finding(&findings, store, &runs->notes.items[i], may_be_below);
    ws_store_set_table(store, &findings);
    ws_table_free(&findings);
    ws_store_add_view(store, "channels", channels_view);
    ws_store_add_view(store, "usable_runs", "SELECT * FROM runs WHERE energy_verdict IS NOT 'unusable'");
    ws_store_add_view(store, "configurations",
                      "SELECT series, gpus, count(*) AS n_runs, avg(wall_s) AS wall_s, avg(energy_kwh) AS energy_kwh, "
                      "avg(kwh_per_gpuh) AS kwh_per_gpuh FROM usable_runs GROUP BY series, gpus");
}
