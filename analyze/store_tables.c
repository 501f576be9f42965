#include "analyze/store_tables.h"

#include <math.h>
#include <string.h>
#include <strings.h>

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

/* They outlive the table. */
static void set_texts(ws_table *table, size_t row, const char *const *texts, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (texts[c] && *texts[c])
            table->columns[c].text[row] = texts[c];
}

/* Copies, of which rows that follow each other mostly share the most. */
static void keep_texts(ws_table *table, ws_arena *arena, size_t row, const char *const *texts, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        const char *before = row ? table->columns[c].text[row - 1] : NULL;
        if (before && texts[c] && strcmp(before, texts[c]) == 0)
            table->columns[c].text[row] = before;
        else if (texts[c] && *texts[c])
            table->columns[c].text[row] = ws_arena_strdup(arena, texts[c]);
    }
}

static void set_numbers(ws_table *table, size_t row, size_t first, const double *numbers, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (!isnan(numbers[c]))
            ws_table_set_number(table, first + c, row, numbers[c]);
}

/* --- devices: those of each run, with the energy that counts; a run by its number in the table of runs --- */

static const column device_columns[] = {{"source", WS_TEXT},
                                        {"node", WS_TEXT},
                                        {"device", WS_TEXT},
                                        {"device_id", WS_TEXT},
                                        {"domain", WS_TEXT},
                                        {"quantity", WS_TEXT},
                                        {"column", WS_TEXT},
                                        {"rule", WS_TEXT},
                                        {"status", WS_TEXT},
                                        {"run", WS_INTEGER},
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
enum { DEVICE_COLUMNS = sizeof device_columns / sizeof *device_columns, DEVICE_TEXTS = 9 };

/* SQL that DuckDB reads, too. %s: the column of numbers. */
static const char devices_view[] =
    "SELECT runs.run, d.source, d.node, d.device, d.device_id, d.domain, d.quantity, d.\"column\", d.rule, d.status, "
    "d.samples, d.missing, d.duration_s, d.energy_j, d.energy_lo_j, d.energy_hi_j, d.mean_power_w, d.min_power_w, "
    "d.max_power_w, d.util_mean, d.mem_util_mean, d.max_gap_s, d.coverage, d.util_samples, d.mem_util_samples "
    "FROM device_rows AS d CROSS JOIN runs WHERE runs.%s = d.run";

static const ws_channel_summary no_summary = {.energy_j = NAN, .mean = NAN};

static double mean_of(const ws_metered_channel *c, double *samples)
{
    bool has_any = c && c->summary.samples;
    *samples = has_any ? (double)c->summary.samples : NAN;
    return has_any ? c->summary.mean : NAN;
}

static void add_device(ws_store_tables *t, size_t run, const ws_device *d, double wall_s)
{
    const ws_metered_channel *energy = d->energy;
    const ws_channel_summary *e = energy ? &energy->summary : &no_summary;
    const ws_channel_summary *seen = !energy && d->longest ? &d->longest->summary : e;
    const char *texts[DEVICE_TEXTS] = {ws_store_relative(t->store, d->source),
                                       d->node,
                                       d->device,
                                       d->device_id,
                                       ws_domain_name(d->domain),
                                       energy ? ws_quantity_name(energy->channel.quantity) : NULL,
                                       energy ? energy->channel.column : NULL,
                                       energy ? ws_rule_name(energy->meter.rule) : NULL,
                                       ws_energy_status_name(energy ? e->status : WS_STATUS_NO_ENERGY)};
    double util_samples, mem_util_samples;
    double util_mean = mean_of(d->util, &util_samples), mem_util_mean = mean_of(d->mem_util, &mem_util_samples);
    const double numbers[] = {(double)seen->samples,
                              (double)seen->missing,
                              seen->duration_s,
                              e->energy_j,
                              energy ? e->energy_lo_j : NAN,
                              energy ? e->energy_hi_j : NAN,
                              e->mean,
                              energy ? e->min : NAN,
                              energy ? e->max : NAN,
                              util_mean,
                              mem_util_mean,
                              seen->max_gap_s,
                              ws_coverage_of_run(seen, wall_s),
                              util_samples,
                              mem_util_samples};
    ws_table *table = &t->devices;
    size_t row = ws_table_add_row(table);
    keep_texts(table, &t->texts, row, texts, DEVICE_TEXTS);
    ws_table_set_integer(table, DEVICE_TEXTS, row, (int64_t)run);
    set_numbers(table, row, DEVICE_TEXTS + 1, numbers, sizeof numbers / sizeof *numbers);
}

/* --- channels: those of the devices that give no energy; the others stand with their device --- */

static const column other_columns[] = {{"source", WS_TEXT},   {"node", WS_TEXT},      {"device", WS_TEXT},
                                       {"quantity", WS_TEXT}, {"column", WS_TEXT},    {"rule", WS_TEXT},
                                       {"run", WS_INTEGER},   {"samples", WS_NUMBER}, {"energy_j", WS_NUMBER}};
enum { OTHER_COLUMNS = sizeof other_columns / sizeof *other_columns, OTHER_TEXTS = 6 };

static const char others_view[] =
    "SELECT runs.run, o.source, o.node, o.device, o.quantity, o.\"column\", o.rule, o.samples, o.energy_j "
    "FROM other_channel_rows AS o CROSS JOIN runs WHERE runs.%s = o.run";

static void add_others(ws_store_tables *t, size_t run, const ws_measure *m, const ws_device *d)
{
    for (size_t i = 0; i < d->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[d->channels[i]];
        if (c == d->energy || !ws_quantity_gives_energy(c->channel.quantity))
            continue;
        const char *texts[OTHER_TEXTS] = {
            ws_store_relative(t->store, d->source), d->node,           d->device,
            ws_quantity_name(c->channel.quantity),  c->channel.column, ws_rule_name(c->meter.rule)};
        const double numbers[] = {(double)c->summary.samples, c->summary.energy_j};
        ws_table *table = &t->others;
        size_t row = ws_table_add_row(table);
        keep_texts(table, &t->texts, row, texts, OTHER_TEXTS);
        ws_table_set_integer(table, OTHER_TEXTS, row, (int64_t)run);
        set_numbers(table, row, OTHER_TEXTS + 1, numbers, sizeof numbers / sizeof *numbers);
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

/* --- both, as they come --- */

#define DEVICES "device_rows"
#define OTHERS "other_channel_rows"
#define NEW "new_" /* before their names until all of their rows are there, where the store has such tables already */

/* The tables are made when the first rows come; where these are all there will be, those of before go at once. */
static void hand_over(ws_store_tables *t, bool is_all)
{
    ws_table *const pieces[] = {&t->devices, &t->others};
    const char *const names[] = {NEW DEVICES, NEW OTHERS};
    bool is_first = !t->is_begun;
    t->is_begun = true;
    t->are_beside |= is_first && t->has_old && !is_all;
    for (size_t i = 0; i < 2; i++) {
        if (t->are_beside)
            pieces[i]->name = names[i];
        if (is_first)
            ws_store_set_table(t->store, pieces[i], NULL);
        else
            ws_store_add_rows(t->store, pieces[i]);
        pieces[i]->n_rows = 0;
    }
    ws_arena_free(&t->texts);
}

static void take_devices(ws_device_taker *taker, size_t row, const ws_measure *m, const ws_measure_group *of,
                         double wall_s)
{
    enum { PIECE = 512 };
    ws_store_tables *t = (ws_store_tables *)taker;
    for (size_t i = 0; i < of->n_devices; i++) {
        const ws_device *d = &m->devices[of->devices[i]];
        add_device(t, row, d, wall_s);
        add_others(t, row, m, d);
        if (t->devices.n_rows >= PIECE || t->others.n_rows >= PIECE)
            hand_over(t, false);
    }
}

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

/* As the forms for programs do. */
static void mark_synthetic(ws_table *runs)
{
    size_t mark = ws_table_add_column(runs, "synthetic", WS_TEXT);
    for (size_t row = 0; row < runs->n_rows; row++)
        ws_table_set_text(runs, mark, row, "yes");
}

static bool has_column(const ws_table *table, const char *name)
{
    bool has = false;
    for (size_t i = 0; i < table->n_columns; i++)
        has |= strcasecmp(table->columns[i].name, name) == 0; /* as SQL compares names */
    return has;
}

/* The number of a run is that of its row when it was read; behind all of these for one that had none. Returns the name
 * of its column: "number", unless the campaign has a column of that name. */
static const char *number_runs(ws_table *runs, const ws_run_marks *marks, ws_arena *arena)
{
    const char *name = "number";
    for (size_t i = 2; has_column(runs, name); i++)
        name = ws_arena_printf(arena, "number_%zu", i);
    size_t key = ws_table_add_column(runs, name, WS_INTEGER);
    for (size_t row = 0, at = 0; row < runs->n_rows; row++) {
        size_t least = at, number = ws_run_marks_find_next(marks, runs, row, &at);
        number = number == SIZE_MAX || number < least ? marks->n + row : number;
        ws_table_set_integer(runs, key, row, (int64_t)number);
    }
    return name;
}

void ws_store_tables_begin(ws_store_tables *t, ws_store *store)
{
    *t = (ws_store_tables){.taker = {.take = take_devices}, .store = store};
    t->has_old = ws_store_has_old(store);
    begin_table(&t->devices, DEVICES, device_columns, DEVICE_COLUMNS);
    begin_table(&t->others, OTHERS, other_columns, OTHER_COLUMNS);
}

void ws_store_tables_set(ws_store_tables *t, ws_table *runs)
{
    ws_store *store = t->store;
    ws_table findings;
    hand_over(t, true);
    if (t->are_beside) {
        ws_store_rename_table(store, NEW DEVICES, DEVICES);
        ws_store_rename_table(store, NEW OTHERS, OTHERS);
    } else if (t->has_old) { /* of an ingest that was killed on its way */
        ws_store_drop_table(store, NEW DEVICES);
        ws_store_drop_table(store, NEW OTHERS);
    }
    if (runs->synthetic)
        mark_synthetic(runs);
    ws_arena arena = {0};
    const char *number = number_runs(runs, &t->taker.marks, &arena);
    ws_store_set_table(store, runs, number);
    begin_table(&findings, "findings", finding_columns, FINDING_COLUMNS);
    bool may_be_below = ws_store_holds_its_name(store); /* then what begins as the folder may be below it already */
    for (size_t i = 0; i < runs->notes.n; i++)
        add_finding(&findings, store, &runs->notes.items[i], may_be_below);
    ws_store_set_table(store, &findings, NULL);
    ws_table_free(&findings);
    ws_store_add_view(store, "devices", ws_arena_printf(&arena, devices_view, number));
    ws_store_add_view(store, "other_channels", ws_arena_printf(&arena, others_view, number));
    ws_arena_free(&arena);
    ws_store_add_view(store, "channels", channels_view);
    ws_store_add_view(store, "usable_runs",
                      "SELECT * FROM runs WHERE energy_verdict IS NULL OR energy_verdict <> 'unusable'");
    ws_store_add_view(store, "configurations",
                      "SELECT series, gpus, count(*) AS n_runs, avg(wall_s) AS wall_s, avg(energy_kwh) AS energy_kwh, "
                      "avg(kwh_per_gpuh) AS kwh_per_gpuh FROM usable_runs GROUP BY series, gpus");
}

void ws_store_tables_free(ws_store_tables *t)
{
    ws_table_free(&t->devices);
    ws_table_free(&t->others);
    ws_arena_free(&t->texts);
    ws_run_marks_free(&t->taker.marks);
    *t = (ws_store_tables){0};
}
