#include "analyze/ingest/tidy.h"

#include "analyze/ingest/bare_units.h"
#include "analyze/ingest/part_energies.h"
#include "analyze/ingest/run_times.h"
#include "analyze/ingest/summary_rows.h"
#include "analyze/run_status.h"
#include "analyze/same_rows.h"
#include "core/energy_status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void copy_text(const ws_table *raw, size_t from, ws_table *runs, size_t to)
{
    char buffer[WS_DOUBLE_TEXT];
    for (size_t row = 0; row < raw->n_rows; row++)
        if (!ws_table_is_missing(raw, from, row))
            ws_table_set_text(runs, to, row, ws_table_cell_text(raw, from, row, buffer));
}

/* The note stands at the line where there is one; a row of a computed table is named in the text. */
static void note_not_a_number(const ws_table *raw, size_t column, size_t row, ws_notes *notes)
{
    char place[320];
    const ws_column *c = &raw->columns[column];
    bool placed = raw->line != NULL;
    ws_notes_add(notes, WS_FINDING_NOT_A_NUMBER, raw->source, c->name, placed ? raw->line[row] : 0,
                 "%s%s'%.40s' in the column '%s' is not a number and is left out",
                 placed ? "" : ws_table_place(raw, row, place), placed ? "" : ": ", c->text[row], c->name);
}

void ws_tidy_numbers(ws_table *table, size_t column)
{
    ws_column *c = &table->columns[column];
    size_t found = 0;
    if (c->kind != WS_TEXT)
        return;
    double *numbers = ws_alloc((c->capacity + 1) * sizeof *numbers);
    for (size_t row = 0; row < table->n_rows; row++) {
        numbers[row] = ws_table_cell_number(table, column, row);
        found += isnan(numbers[row]) ? 0 : 1;
    }
    if (!found) {
        free(numbers);
        return;
    }
    for (size_t row = 0; row < table->n_rows; row++)
        if (isnan(numbers[row]) && !ws_table_is_missing(table, column, row))
            note_not_a_number(table, column, row, &table->notes);
    free(c->text);
    c->text = NULL;
    c->number = numbers;
    c->kind = WS_NUMBER;
}

static void copy_numbers(const ws_table *raw, size_t from, double factor, ws_table *runs, size_t to)
{
    for (size_t row = 0; row < raw->n_rows; row++) {
        double value = ws_table_cell_number(raw, from, row);
        if (!isnan(value))
            ws_table_set_number(runs, to, row, value * factor);
        else if (!ws_table_is_missing(raw, from, row))
            note_not_a_number(raw, from, row, &runs->notes);
    }
}

/* Of a table's own columns, results are for people at once; the rest (stamps, counts, settings) is detail. */
static bool is_result(const char *name)
{
    static const char *const words[] = {"error", "acc", "loss", "rmse", "top1", "top5", "score", "perplexity", "auc"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

static void copy_own_column(const ws_table *raw, size_t from, ws_table *runs)
{
    const ws_column *c = &raw->columns[from];
    ws_run_column standard;
    if (ws_run_column_find(c->name, &standard)) {
        ws_notes_add(&runs->notes, WS_FINDING_COLUMN_SET_ASIDE, raw->source, c->name, 0,
                     "the column '%s' is set aside, since another one is taken for it", c->name);
        return;
    }
    size_t to = ws_table_add_column(runs, c->name, c->kind == WS_TEXT ? WS_TEXT : WS_NUMBER);
    if (!is_result(c->name))
        ws_table_set_detail(runs, to);
    if (c->kind == WS_TEXT)
        copy_text(raw, from, runs, to);
    else
        copy_numbers(raw, from, 1, runs, to);
}

static void copy_column(const ws_table *raw, size_t from, const ws_column_meaning *m, ws_table *runs)
{
    ws_run_column standard;
    if (m->is_set_aside && ws_run_column_find(raw->columns[from].name, &standard))
        return;
    if (m->column == WS_RUN_COLUMN_N) {
        if (!m->is_asked && !m->is_summed)
            ws_note_passed_energy(raw, from, &runs->notes);
        copy_own_column(raw, from, runs);
        return;
    }
    const ws_run_column_info *info = ws_run_column_about(m->column);
    if (strcmp(info->name, raw->columns[from].name) != 0 && !m->is_summed)
        ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, raw->source, info->name, 0,
                     "%s is taken from the column '%s'%s", info->name, raw->columns[from].name,
                     m->factor == 1 ? "" : ", its unit converted");
    if (m->factor == 1)
        ws_table_set_alias(runs, m->column, raw->columns[from].name);
    if (info->kind == WS_TEXT)
        copy_text(raw, from, runs, m->column);
    else
        copy_numbers(raw, from, m->factor, runs, m->column);
}

/* A run whose `factor` is f has one in f samples of the data set, as in folders ("4sf"; docs/campaign.md): whole ones.
 */
static double share_of_samples(const ws_table *runs, size_t row, double samples, size_t *n)
{
    size_t column;
    double factor = ws_table_find(runs, "factor", &column) ? ws_table_number(runs, column, row) : NAN;
    if (!(factor >= 1) || !(floor(factor) >= factor))
        return samples;
    ++*n;
    return floor(samples / factor);
}

static ws_status set_defaults(const ws_fields *defaults, ws_table *runs, ws_error *error)
{
    for (size_t i = 0; i < defaults->n; i++) {
        const char *name = defaults->items[i].name, *value = defaults->items[i].value;
        size_t column;
        double number = NAN;
        size_t n_shares = 0;
        bool is_number = ws_span_double(ws_span_of(value), &number);
        if (!ws_table_find(runs, name, &column))
            column = ws_table_add_column(runs, name, is_number ? WS_NUMBER : WS_TEXT);
        if (runs->columns[column].kind != WS_TEXT && !is_number)
            return ws_fail(error, WS_USAGE, "'%s' is a number, '%s' is none", name, value);
        for (size_t row = 0; row < runs->n_rows; row++) {
            if (!ws_table_is_missing(runs, column, row))
                continue;
            if (runs->columns[column].kind == WS_TEXT)
                ws_table_set_text(runs, column, row, value);
            else
                ws_table_set_number(runs, column, row,
                                    column == WS_COL_DATASET_SAMPLES ? share_of_samples(runs, row, number, &n_shares)
                                                                     : number);
        }
        if (n_shares)
            ws_notes_add(&runs->notes, WS_FINDING_COLUMN_TAKEN, runs->source, name, 0,
                         "dataset_samples is %s / factor in %zu rows", value, n_shares);
    }
    return WS_OK;
}

static void copy_rows(const ws_table *raw, ws_table *runs)
{
    runs->source = ws_arena_strdup(&runs->arena, raw->source);
    for (size_t row = 0; row < raw->n_rows; row++) {
        if (raw->line)
            ws_table_add_row_at(runs, raw->line[row]);
        else
            ws_table_add_row(runs);
    }
}

/* Exports of a scheduler one behind the other hold a job twice. Rows without a name may well be alike. */
static void note_repeated(const ws_table *raw, ws_table *runs)
{
    size_t *columns = ws_alloc((raw->n_columns + 1) * sizeof *columns);
    ws_same_rows index;
    for (size_t i = 0; i < raw->n_columns; i++)
        columns[i] = i;
    ws_same_rows_init(&index, raw, columns, raw->n_columns);
    for (size_t row = 0; row < raw->n_rows; row++)
        if (ws_same_rows_first(&index, row) != row && runs->columns[WS_COL_RUN].text[row])
            ws_notes_add(&runs->notes, WS_FINDING_REPEATED_ROW, raw->source, "", raw->line ? raw->line[row] : 0,
                         "a row that says the same as an earlier one in every cell: run %s stands there twice",
                         runs->columns[WS_COL_RUN].text[row]);
    ws_same_rows_free(&index);
    free(columns);
}

/* What a run lost to a question stands in its status. */
static void mark_asked(const ws_table *raw, const ws_column_meaning *meanings, ws_table *runs)
{
    for (size_t i = 0; i < raw->n_columns; i++)
        for (size_t row = 0; meanings[i].is_asked && row < raw->n_rows; row++) {
            const char *now = runs->columns[WS_COL_STATUS].text[row];
            if (!ws_table_is_missing(raw, i, row) && (!now || ws_status_is_good(now)))
                ws_table_set_text(runs, WS_COL_STATUS, row, ws_energy_status_name(WS_STATUS_ASK_UNIT));
        }
}

/* --- tables that this program prints, where a table of runs is needed --- */

enum { MOST_NAMES = 6 };

/* Names that stand together in these tables alone (docs/design.md, "Column names") and are filled in every row of them.
 */
static const struct {
    const char *command, *names[MOST_NAMES];
} heads[] = {
    {"energy", {"source", "domain", "samples", "missing", "energy_j", "coverage"}},
    {"energy --budget", {"source", "domain", "component", "u_j", "energy_lo_j"}},
    {"runs --budget", {"run", "component", "energy_kwh", "u_kwh", "energy_lo_kwh"}},
    {"runs --files", {"role", "path", "format", "samples"}},
    {"check", {"path", "at_stake_j", "share_at_stake"}},
    {"check --sources", {"path", "domain", "source", "column", "ratio"}},
    {"inspect", {"path", "format", "kind", "findings"}},
    {"inspect", {"path", "domain", "quantity", "samples", "missing"}},
    {"fit", {"model", "parameter", "value", "n"}},
    {"correlate", {"method", "y", "x", "parameter"}},
    {"compare", {"metric", "a_n", "b_n", "verdict"}},
    {"advise", {"basis", "question", "edp_kwh_h"}},
};

/* The command that prints such tables; NULL: this is none of them, or one of runs. */
static const char *own_table_of(const ws_table *table)
{
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        bool has_all = true;
        size_t column;
        for (size_t i = 0; i < MOST_NAMES && heads[h].names[i] && has_all; i++)
            has_all = ws_table_find(table, heads[h].names[i], &column);
        if (has_all)
            return heads[h].command;
    }
    return NULL;
}

static void take_units_of_cells(ws_arena *arena, ws_table *raw)
{
    double factor;
    for (size_t i = 0; i < raw->n_columns; i++)
        if (ws_run_name_column(raw->columns[i].name, &factor) != WS_RUN_COLUMN_N ||
            ws_says_energy(raw->columns[i].name))
            ws_cells_take_unit(arena, raw, i);
}

ws_status ws_tidy_columns(const ws_table *as_read, const char *map, const ws_fields *defaults, ws_table *runs,
                          ws_error *error)
{
    ws_runs_init(runs);
    const char *command = own_table_of(as_read);
    if (command)
        return ws_fail_at(
            error, WS_FORMAT, as_read->source, 0,
            "is a table that 'wattscale %s' wrote, and no table of runs: name what it was made of instead", command);
    ws_table copy = ws_table_with_own_columns(&runs->arena, as_read), *raw = &copy;
    take_units_of_cells(&runs->arena, raw);
    copy_rows(raw, runs);
    ws_notes_append(&runs->notes, &raw->notes);
    runs->synthetic = raw->synthetic;
    bool *is_summed = ws_alloc((raw->n_columns + WS_MORE_COLUMNS) * sizeof *is_summed);
    if (ws_no_time_of_runs(raw, map))
        ws_add_times_between(&runs->arena, raw, &runs->notes);
    if (!ws_run_map_gives(map, WS_DIM_ENERGY))
        ws_sum_part_energies(runs, raw, defaults, is_summed);
    ws_column_meaning *meanings = ws_alloc(raw->n_columns * sizeof *meanings);
    for (size_t i = 0; i < raw->n_columns; i++)
        meanings[i] = ws_no_run_column;
    ws_told_rows rows = {0};
    ws_status status = map ? ws_run_map_read(&runs->arena, raw, map, meanings, &rows, error) : WS_OK;
    const bool gpus_are_said = ws_meanings_have(meanings, raw->n_columns, WS_COL_GPUS);
    bool *is_said = ws_alloc((raw->n_columns + 1) * sizeof *is_said);
    for (size_t i = 0; i < raw->n_columns; i++)
        is_said[i] = meanings[i].column != WS_RUN_COLUMN_N;
    ws_run_names_settle(raw, meanings);
    for (size_t i = 0; i < raw->n_columns; i++)
        meanings[i].is_summed = is_summed[i];
    free(is_summed);
    if (status == WS_OK) {
        ws_set_aside_gpus_of_nodes(raw, is_said, meanings, &runs->notes);
        ws_settle_bare_units(raw, defaults, meanings, &runs->notes);
        ws_settle_mean_powers(raw, defaults, is_said, meanings, &runs->notes);
        ws_ask_for_part_energies(raw, is_said, meanings, &runs->notes);
        ws_note_passed_times(raw, &runs->arena, meanings, &runs->notes);
    }
    free(is_said);
    for (size_t i = 0; status == WS_OK && i < raw->n_columns; i++)
        copy_column(raw, i, &meanings[i], runs);
    note_repeated(raw, runs);
    if (status == WS_OK)
        mark_asked(raw, meanings, runs);
    if (status == WS_OK)
        ws_drop_summary_rows(runs);
    if (status == WS_OK)
        ws_drop_totals_of_runs(runs);
    if (status == WS_OK)
        ws_settle_parts(runs, defaults, &rows, gpus_are_said);
    if (status == WS_OK)
        ws_settle_progress(runs, &rows);
    if (status == WS_OK)
        status = set_defaults(defaults, runs, error);
    free(meanings);
    return status;
}

ws_status ws_tidy(const ws_table *raw, const char *map, const ws_fields *defaults, ws_table *runs, ws_error *error)
{
    ws_status status = ws_tidy_columns(raw, map, defaults, runs, error);
    if (status == WS_OK)
        ws_runs_complete(runs, NULL);
    return status;
}
