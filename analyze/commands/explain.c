/* wattscale explain: how one cell of runs, scale or fit came about, from the files up. The table is made as the command
 * of its name makes it, and what is kept on the way becomes a tree of steps. */
#include "analyze/commands/data.h"

#include "analyze/commands/explain_fit.h"
#include "analyze/condition.h"
#include "analyze/explain/explain_scale.h"
#include "analyze/ingest/run_files.h"
#include "analyze/near_names.h"
#include "report/table/step_tree.h"
#include "report/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"where", 0, "CONDITIONS", "the row, as 'series=gbs1024,gpus=16' or 'run=NAME'; may be given again"},
    {"of", 0, "TABLE", "runs, scale or fit; default: of the first two the one with one row for --where"},
    {"each", 0, NULL, "every row that fulfils --where, instead of the only one"},
    {"depth", 0, "N", "text: steps below the number that are shown (default 4)"},
    {"all", 0, NULL, "text: every step, and lists in full"},
    {"json", 0, NULL, "the same as --format json"},
    WS_OPTIONS_EXPLAIN_FIT,
    WS_OPTIONS_SCALING,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

enum { USUAL_DEPTH = 4, USUAL_LIST = 8 };

typedef enum wanted_table { ANY_TABLE, OF_RUNS, OF_SCALE, OF_FIT } wanted_table;

/* A cell with its tree. */
typedef struct explained {
    const char *table, *of, *row; /* of: "run", "configuration" or "fit" */
    ws_step *step;
} explained;

typedef struct job {
    ws_cli *cli;
    const char *column;
    wanted_table wanted;
    ws_campaign campaign;
    ws_table runs, scale;
    bool has_scale;
    ws_scale_members members;
    ws_fit_cells fit;
    ws_history history;
    ws_explainer explainer;
    explained *cells;
    size_t n_cells, cell_capacity;
    ws_notes *notes; /* of the table, for the output */
    ws_step_options how;
} job;

/* --- which rows --- */

/* all[row] stays true where the row fulfils the conditions too. */
static ws_status keep_fulfilled(const job *j, const ws_table *table, const char *conditions, bool *all, ws_error *error)
{
    bool *holds = ws_alloc(table->n_rows + 1), goes_on = true;
    ws_status status = WS_OK;
    for (size_t n; status == WS_OK && goes_on; conditions += n + goes_on) {
        n = ws_condition_length(table, conditions);
        goes_on = conditions[n] == ',';
        status = ws_condition_test(table, ws_arena_strndup(&j->cli->arena, conditions, n), holds, error);
        for (size_t row = 0; row < table->n_rows && status == WS_OK; row++)
            all[row] = all[row] && holds[row];
    }
    free(holds);
    return status;
}

/* The rows that fulfil every --where; the caller frees them. */
static ws_status select_rows(const job *j, const ws_table *table, size_t **rows, size_t *n, ws_error *error)
{
    bool *all = ws_alloc(table->n_rows + 1);
    ws_status status = WS_OK;
    memset(all, true, table->n_rows);
    for (size_t i = 0; i < j->cli->n_given && status == WS_OK; i++)
        if (strcmp(j->cli->given[i].option->name, "where") == 0)
            status = keep_fulfilled(j, table, j->cli->given[i].value, all, error);
    *rows = ws_alloc(table->n_rows * sizeof **rows + 1);
    *n = 0;
    for (size_t row = 0; row < table->n_rows && status == WS_OK; row++)
        if (all[row])
            (*rows)[(*n)++] = row;
    free(all);
    return status;
}

/* Settings of runs without a name, and the columns that make a configuration. */
static bool may_tell_apart(const job *j, const ws_table *table, size_t column)
{
    if (table != &j->runs)
        return !table->columns[column].detail;
    return column < WS_RUN_COLUMN_N && ws_run_column_about((ws_run_column)column)->role == WS_ROLE_SETTING;
}

/* What tells rows apart: the run, or the columns of a configuration. */
static const char *label_of(const job *j, const ws_table *table, size_t row)
{
    char text[WS_DOUBLE_TEXT];
    size_t group, parameter;
    if (table == &j->fit.out && ws_table_find(table, "group", &group) && ws_table_find(table, "parameter", &parameter))
        return ws_arena_printf(&j->cli->arena, "group=%s,parameter=%s", ws_table_cell_text(table, group, row, text),
                               table->columns[parameter].text[row] ? table->columns[parameter].text[row] : "");
    const char *label = "";
    if (table == &j->runs && table->columns[WS_COL_RUN].text[row])
        return table->columns[WS_COL_RUN].text[row];
    for (size_t c = 0, n_keys = ws_scale_keys(table); c < n_keys; c++)
        if (may_tell_apart(j, table, c) && !ws_table_is_missing(table, c, row))
            label = ws_arena_printf(&j->cli->arena, "%s%s%s=%s", label, *label ? "," : "", table->columns[c].name,
                                    ws_table_cell_text(table, c, row, text));
    return label;
}

static bool is_joules(const char *column)
{
    return strcmp(column, "energy") == 0 || strcmp(column, WS_EXPLAIN_JOULES) == 0;
}

static bool has_column(const job *j, const ws_table *table)
{
    size_t column;
    return ws_table_find(table, j->column, &column) || (table == &j->runs && is_joules(j->column));
}

/* --- messages --- */

/* Names of a table's columns that are not among them yet. */
static void add_names(const ws_table *table, const char **names, size_t *n)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        bool is_new = true;
        for (size_t i = 0; i < *n && is_new; i++)
            is_new = strcmp(names[i], table->columns[c].name) != 0;
        if (is_new)
            names[(*n)++] = table->columns[c].name;
    }
}

static int no_column(const job *j)
{
    static const char *const tables[] = {
        [ANY_TABLE] = "runs or scale", [OF_RUNS] = "runs", [OF_SCALE] = "scale", [OF_FIT] = "fit"};
    const ws_table *of_fit = &j->fit.out;
    size_t n = 0;
    const char **names = ws_arena_alloc(
        &j->cli->arena, (j->runs.n_columns + j->scale.n_columns + of_fit->n_columns + 1) * sizeof *names);
    if (j->wanted == OF_FIT)
        add_names(of_fit, names, &n);
    if (j->wanted == OF_RUNS || j->wanted == ANY_TABLE)
        add_names(&j->runs, names, &n);
    if (j->has_scale)
        add_names(&j->scale, names, &n);
    if (j->wanted == OF_RUNS || j->wanted == ANY_TABLE)
        names[n++] = WS_EXPLAIN_JOULES;
    return ws_cli_usage(j->cli, "there is no column '%s' in %s; the nearest is %s", j->column, tables[j->wanted],
                        ws_names_near(&j->cli->arena, j->column, names, n));
}

static void list_rows(const job *j, const ws_table *table, const size_t *rows, size_t n)
{
    enum { MOST = 12 };
    for (size_t i = 0; i < n && i < MOST; i++) {
        fputs("    ", j->cli->err);
        ws_utf8_put(j->cli->err, label_of(j, table, rows ? rows[i] : i), NULL);
        fputc('\n', j->cli->err);
    }
    if (n > MOST)
        fprintf(j->cli->err, "    and %zu more\n", n - MOST);
}

static int not_one_row(const job *j, const ws_table *table, const size_t *rows, size_t n)
{
    const char *what = table == &j->runs ? "runs" : table == &j->scale ? "configurations" : "rows";
    if (n && ws_cli_has(j->cli, "where"))
        fprintf(j->cli->err, "wattscale explain: %zu %s fulfil --where: it has to name one, or --each explains all\n",
                n, what);
    else if (n)
        fprintf(j->cli->err, "wattscale explain: there are %zu %s: --where names one, --each explains all\n", n, what);
    else
        fprintf(j->cli->err, "wattscale explain: none of the %zu %s fulfils --where; there are\n", table->n_rows, what);
    list_rows(j, table, n ? rows : NULL, n ? n : table->n_rows);
    return WS_EXIT_USAGE;
}

/* --- from rows to trees --- */

static void add_cell(job *j, const ws_table *table, size_t row, ws_step *step)
{
    const char *name = table == &j->runs ? "runs" : table == &j->scale ? "scale" : "fit";
    const char *of = table == &j->runs ? "run" : table == &j->scale ? "configuration" : "fit";
    j->cells = ws_grow(j->cells, &j->cell_capacity, j->n_cells + 1, sizeof *j->cells);
    j->cells[j->n_cells++] = (explained){name, of, label_of(j, table, row), step};
}

static void explain_runs(job *j, const size_t *rows, size_t n)
{
    size_t column;
    bool is_column = ws_table_find(&j->runs, j->column, &column);
    for (size_t i = 0; i < n; i++) {
        ws_step *step = ws_explain_run(&j->explainer, rows[i], is_column ? &column : NULL);
        ws_explain_beside_run(&j->explainer, rows[i], step);
        add_cell(j, &j->runs, rows[i], step);
    }
}

static void explain_scale(job *j, const size_t *rows, size_t n)
{
    size_t column;
    if (!ws_table_find(&j->scale, j->column, &column))
        return;
    for (size_t i = 0; i < n; i++) {
        ws_step *step = ws_explain_scale(&j->explainer, &j->scale, &j->members, rows[i], column);
        ws_explain_beside_scale(&j->explainer, &j->members, rows[i], step);
        add_cell(j, &j->scale, rows[i], step);
    }
}

static int make_scale(job *j)
{
    int status = ws_data_scale(j->cli, &j->campaign, &j->runs, &j->members, &j->scale);
    j->has_scale = status == WS_EXIT_OK;
    return status;
}

/* Is it the runs that the question is about? Without --of: where they have the column, and one row of them is meant. */
static bool is_of_runs(const job *j, size_t n_rows)
{
    if (j->wanted != ANY_TABLE || !has_column(j, &j->runs))
        return j->wanted == OF_RUNS;
    return n_rows == 1 || ws_cli_has(j->cli, "each") || is_joules(j->column);
}

static int explain_found(job *j, const ws_table *table, const size_t *rows, size_t n)
{
    bool each = ws_cli_has(j->cli, "each");
    if (!has_column(j, table))
        return no_column(j);
    if (!n || (n > 1 && !each))
        return not_one_row(j, table, rows, n);
    if (table == &j->runs)
        explain_runs(j, rows, n);
    else
        explain_scale(j, rows, n);
    return WS_EXIT_OK;
}

static bool is_member(const ws_scale_member *m, const size_t *run_rows, size_t n_runs)
{
    for (size_t i = 0; i < n_runs; i++)
        for (size_t r = 0; r < m->n_rows; r++)
            if (m->rows[r] == run_rows[i])
                return true;
    return false;
}

/* A column of configurations is asked for by the name of a run: what is meant is the configuration of that run. */
static int explain_around_runs(job *j, const size_t *run_rows, size_t n_runs)
{
    size_t *rows = ws_alloc(j->scale.n_rows * sizeof *rows + 1), n = 0;
    for (size_t i = 0; i < j->members.n && i < j->scale.n_rows; i++)
        if (is_member(&j->members.items[i], run_rows, n_runs))
            rows[n++] = i;
    int status = n ? explain_found(j, &j->scale, rows, n) : not_one_row(j, &j->runs, run_rows, n_runs);
    if (n == 1 && status == WS_EXIT_OK && !ws_cli_has(j->cli, "quiet"))
        fprintf(j->cli->err, "wattscale explain: %s is of a configuration: that of the run asked for is %s\n",
                j->column, label_of(j, &j->scale, rows[0]));
    free(rows);
    return status;
}

/* fits_runs: the conditions name columns of the runs; run_rows: those that fulfil them. */
static int explain_in_scale(job *j, bool fits_runs, const size_t *run_rows, size_t n_runs)
{
    ws_error error = {0};
    size_t *rows = NULL, n = 0;
    int status = make_scale(j);
    if (status != WS_EXIT_OK)
        return status;
    bool is_there = has_column(j, &j->scale);
    if (!is_there && has_column(j, &j->runs) && j->wanted == ANY_TABLE)
        return not_one_row(j, &j->runs, run_rows, n_runs);
    if (!is_there)
        return no_column(j);
    bool fits_scale = select_rows(j, &j->scale, &rows, &n, &error) == WS_OK;
    bool means_runs = j->wanted == ANY_TABLE && n != 1 && has_column(j, &j->runs);
    if (means_runs && (fits_runs || fits_scale))
        status = not_one_row(j, &j->runs, run_rows, n_runs);
    else if (!fits_scale && fits_runs)
        status = explain_around_runs(j, run_rows, n_runs);
    else
        status = fits_scale ? explain_found(j, &j->scale, rows, n) : ws_cli_fail(j->cli, &error);
    free(rows);
    return status;
}

static int explain_in_fit(job *j)
{
    ws_error error = {0};
    size_t *rows = NULL, n = 0, column;
    int status = ws_fit_cells_open(j->cli, &j->fit);
    const ws_table *table = &j->fit.out;
    j->explainer.runs = &j->fit.data;
    if (status != WS_EXIT_OK)
        return status;
    if (!ws_table_find(table, j->column, &column))
        return no_column(j);
    ws_run_files_register(&j->history, j->cli->inputs);
    status = select_rows(j, table, &rows, &n, &error) == WS_OK ? WS_EXIT_OK : ws_cli_fail(j->cli, &error);
    if (status == WS_EXIT_OK && (!n || (n > 1 && !ws_cli_has(j->cli, "each"))))
        status = not_one_row(j, table, rows, n);
    for (size_t i = 0; status == WS_EXIT_OK && i < n; i++)
        add_cell(j, table, rows[i], ws_explain_fit(&j->explainer, &j->fit, rows[i], column));
    free(rows);
    return status;
}

static int explain_cells(job *j)
{
    ws_error error = {0};
    size_t *rows = NULL, n = 0;
    ws_status selected = select_rows(j, &j->runs, &rows, &n, &error);
    int status = WS_EXIT_OK;
    if (selected != WS_OK && (j->wanted == OF_RUNS || is_joules(j->column)))
        status = ws_cli_fail(j->cli, &error);
    else if (j->wanted != OF_SCALE && is_of_runs(j, n))
        status = explain_found(j, &j->runs, rows, n);
    else
        status = explain_in_scale(j, selected == WS_OK, rows, n);
    free(rows);
    return status;
}

/* --- output --- */

static bool is_synthetic(const job *j)
{
    return j->runs.synthetic || j->fit.data.synthetic;
}

static bool has_parts(const job *j)
{
    for (size_t i = 0; i < j->n_cells; i++)
        if (j->cells[i].step->parts.n)
            return true;
    return false;
}

static void write_text(FILE *stream, const job *j)
{
    for (size_t i = 0; i < j->n_cells; i++) {
        if (i)
            fputc('\n', stream);
        fprintf(stream, "%s of the %s ", j->column, j->cells[i].of);
        ws_utf8_put(stream, j->cells[i].row, NULL);
        fputs("\n\n", stream);
        ws_step_write_text(stream, j->cells[i].step, &j->how);
    }
    if (has_parts(j))
        fputs("\nEvery sum, mean and formula gives its number to the last bit, in double\n"
              "precision and in the order shown.\n",
              stream);
    if (is_synthetic(j))
        fputs("\nSynthetic data: made by a program, not measured.\n", stream);
}

static void write_json(FILE *stream, const job *j)
{
    fputs("{\"schema\":\"wattscale.explain/1\",\"cells\":[", stream);
    for (size_t i = 0; i < j->n_cells; i++) {
        fputs(i ? ",\n{\"table\":" : "\n{\"table\":", stream);
        ws_json_put_text(stream, j->cells[i].table);
        fputs(",\"row\":", stream);
        ws_json_put_text(stream, j->cells[i].row);
        fputs(is_synthetic(j) ? ",\"synthetic\":\"yes\",\"step\":\n" : ",\"step\":\n", stream);
        ws_step_write_json(stream, j->cells[i].step);
        fputc('}', stream);
    }
    fputs("\n],\"notes\":", stream);
    ws_json_put_notes(stream, j->notes);
    fputs("}\n", stream);
}

static ws_status write_job(FILE *stream, const void *what, ws_error *error)
{
    const job *j = what;
    if (j->cli->form == WS_FORM_JSON)
        write_json(stream, j);
    else
        write_text(stream, j);
    return ferror(stream) ? ws_fail(error, WS_IO, "the output cannot be written") : WS_OK;
}

static int report(job *j)
{
    ws_error error = {0};
    const ws_step *failed = NULL;
    for (size_t i = 0; i < j->n_cells && !failed; i++)
        failed = ws_step_that_fails(j->cells[i].step);
    if (failed) /* a slip of ours: rather no answer than a wrong one */
        return ws_fail(&error, WS_DATA, "the steps of '%s' do not give its number: please report this", failed->name),
               ws_cli_fail(j->cli, &error);
    j->notes = j->wanted == OF_FIT ? &j->fit.out.notes : j->has_scale ? &j->scale.notes : &j->runs.notes;
    if (!j->cli->verbose)
        ws_notes_gather(j->notes, WS_FINDING_NAIVE_TIME);
    ws_cli_notes(j->cli, j->notes);
    ws_status status = ws_cli_write(j->cli, write_job, j, &error);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(j->cli, &error);
}

static bool find_table(const char *name, wanted_table *wanted)
{
    static const char *const names[] = {[OF_RUNS] = "runs", [OF_SCALE] = "scale", [OF_FIT] = "fit"};
    for (int i = OF_RUNS; i <= OF_FIT; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *wanted = (wanted_table)i;
        return true;
    }
    return false;
}

static bool take_options(job *j)
{
    const char *of = ws_cli_value(j->cli, "of"), *depth = ws_cli_value(j->cli, "depth");
    int64_t steps = USUAL_DEPTH;
    bool all = ws_cli_has(j->cli, "all");
    if (of && !find_table(of, &j->wanted))
        return ws_cli_usage(j->cli, "--of must be runs, scale or fit, not '%s'", of), false;
    if (depth && (!ws_span_i64(ws_span_of(depth), &steps) || steps < 0 || steps > INT32_MAX))
        return ws_cli_usage(j->cli, "--depth '%s' is no number of steps", depth), false;
    if (ws_cli_has(j->cli, "json"))
        j->cli->form = WS_FORM_JSON;
    if (j->cli->form != WS_FORM_TEXT && j->cli->form != WS_FORM_JSON)
        return ws_cli_usage(j->cli, "a tree of steps is written as text or json"), false;
    j->how = (ws_step_options){all && !depth ? SIZE_MAX : (size_t)steps, all ? SIZE_MAX : USUAL_LIST};
    return true;
}

static int explain_data(job *j)
{
    ws_cli *cli = j->cli;
    cli->inputs = ws_input_register_new();
    cli->history = &j->history;
    j->explainer = (ws_explainer){&j->runs, &j->history, cli->inputs, &cli->arena};
    int status = j->wanted == OF_FIT ? explain_in_fit(j) : ws_data_runs(cli, cli->arguments[1], &j->campaign, &j->runs);
    if (status == WS_EXIT_OK && j->wanted != OF_FIT) {
        ws_run_files_register(&j->history, cli->inputs);
        status = explain_cells(j);
    }
    if (status == WS_EXIT_OK)
        status = report(j);
    ws_input_register_free(cli->inputs);
    cli->inputs = NULL;
    cli->history = NULL;
    return status;
}

static int run_explain(ws_cli *cli)
{
    job j = {.cli = cli, .column = cli->arguments[0]};
    int status = take_options(&j) ? explain_data(&j) : WS_EXIT_USAGE;
    free(j.cells);
    ws_scale_members_free(&j.members);
    ws_history_free(&j.history);
    ws_fit_cells_close(&j.fit);
    ws_table_free(&j.scale);
    ws_table_free(&j.runs);
    ws_campaign_free(&j.campaign);
    return status;
}

const ws_command ws_command_explain = {
    .name = "explain",
    .arguments = "COLUMN DATA",
    .summary = "how a number of runs, scale or fit came about, from the files up",
    .description =
        "Makes the table of runs as 'wattscale runs' does, and where needed that of configurations as 'wattscale "
        "scale' does, and shows of one cell what it is made of: the formula and its operands, means over runs, sums "
        "over domains and devices, for each device the channel that counts and those that do not, windows, and "
        "beside them the files with format, size and SHA-256, their readings and their findings.\n\n"
        "COLUMN is any column of the two tables, or 'energy': the energy of a run in J. --where says of which row; it "
        "is not needed where there is one. Where it fits several runs that are one configuration, the mean of these "
        "is explained (--of runs|scale decides).\n\n"
        "--of fit explains an estimate: wattscale explain value DATA --of fit --model origin --x gpu_h --y energy_kwh "
        "--by series --where 'group=a,parameter=slope'. It shows the points, and the runs behind each; of estimates "
        "with a closed form it works that out beside the fit.\n\n"
        "The steps give the printed double to the last bit: sums and means add their parts from first to last, each "
        "addition rounded, and formulas go by the usual order. Text folds long lists and deep trees (--depth, --all); "
        "JSON has all of it.",
    .options = options,
    .example = "wattscale explain kwh_per_gpuh datasets/demo --where 'series=gbs256,gpus=1' --depth 3",
    .least = 2,
    .most = 2,
    .run = run_explain,
};
