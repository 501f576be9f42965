/* `wattscale export`: the table of runs as input of other programs. */
#include "analyze/commands/data.h"

#include "report/table/extrap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"x", 0, "COLUMNS", "the parameters of the model; default gpus"},
    {"y", 0, "COLUMNS", "what is modelled; default wall_s,energy_kwh"},
    {"by", 0, "COLUMNS", "a region (call path) for each group of rows that agree in these"},
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

typedef ws_status form_writer(FILE *stream, const ws_extrap *data, ws_error *error);

static const struct form {
    const char *name;
    form_writer *write;
} forms[] = {{"extrap", ws_extrap_write_text}, {"extrap-json", ws_extrap_write_json}};

typedef struct exporter {
    ws_cli *cli;
    const struct form *form;
    const ws_table *data;
    const char **x_names, **y_names;
    size_t *x, *y, n_x, n_y;
    ws_notes notes;
    double *points, *values; /* distinct points; all values behind each other */
    size_t n_points, n_values;
    ws_extrap_cell *cells;
    ws_extrap out;
} exporter;

static bool read_point(const exporter *e, size_t row, double *point)
{
    for (size_t i = 0; i < e->n_x; i++) {
        point[i] = ws_table_number(e->data, e->x[i], row);
        if (isnan(point[i]))
            return false;
    }
    return true;
}

static int compare_points(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Keep the points ascending and each once. */
static void add_point(exporter *e, const double *point)
{
    size_t at = 0;
    while (at < e->n_points && compare_points(e->points + at * e->n_x, point, e->n_x) < 0)
        at++;
    if (at < e->n_points && compare_points(e->points + at * e->n_x, point, e->n_x) == 0)
        return;
    memmove(e->points + (at + 1) * e->n_x, e->points + at * e->n_x, (e->n_points - at) * e->n_x * sizeof(double));
    memcpy(e->points + at * e->n_x, point, e->n_x * sizeof(double));
    e->n_points++;
}

static void find_points(exporter *e)
{
    double *point = ws_alloc((e->n_x + 1) * sizeof *point);
    uint64_t without = 0;
    e->points = ws_alloc((e->data->n_rows + 1) * e->n_x * sizeof *e->points);
    for (size_t row = 0; row < e->data->n_rows; row++) {
        if (read_point(e, row, point))
            add_point(e, point);
        else
            without++;
    }
    ws_notes_add_many(&e->notes, without, WS_FINDING_INCOMPLETE_ROW, e->data->source, "", 0,
                      "rows without all of the parameters are left out");
    free(point);
}

static void fill_cell(exporter *e, const ws_row_group *group, size_t metric, size_t point, ws_extrap_cell *cell)
{
    double *at = ws_alloc((e->n_x + 1) * sizeof *at);
    cell->values = e->values + e->n_values;
    for (size_t i = 0; i < group->n; i++) {
        double value = ws_table_number(e->data, e->y[metric], group->rows[i]);
        if (isnan(value) || !read_point(e, group->rows[i], at) ||
            compare_points(at, e->points + point * e->n_x, e->n_x) != 0)
            continue;
        e->values[e->n_values++] = value;
        cell->n++;
    }
    free(at);
}

static ws_status write_form(FILE *stream, const void *what, ws_error *error)
{
    const exporter *e = what;
    return e->form->write(stream, &e->out, error);
}

static int export_groups(exporter *e, const ws_row_groups *groups)
{
    ws_error error = {0};
    find_points(e);
    e->values = ws_alloc((e->data->n_rows * e->n_y + 1) * sizeof *e->values);
    e->cells = ws_alloc((groups->n * e->n_y * e->n_points + 1) * sizeof *e->cells);
    const char **regions = ws_arena_alloc(&e->cli->arena, (groups->n + 1) * sizeof *regions);
    for (size_t g = 0; g < groups->n; g++) {
        regions[g] = strcmp(groups->items[g].label, "all") == 0 ? "run" : groups->items[g].label;
        for (size_t m = 0; m < e->n_y; m++)
            for (size_t p = 0; p < e->n_points; p++)
                fill_cell(e, &groups->items[g], m, p, &e->cells[(g * e->n_y + m) * e->n_points + p]);
    }
    e->out = (ws_extrap){.parameters = e->x_names,
                         .metrics = e->y_names,
                         .regions = regions,
                         .n_parameters = e->n_x,
                         .n_metrics = e->n_y,
                         .n_regions = groups->n,
                         .n_points = e->n_points,
                         .points = e->points,
                         .cells = e->cells};
    ws_status status = WS_OK;
    if (!e->n_values)
        status = ws_fail_at(&error, WS_DATA, e->data->source, 0, "no row has all of the parameters and a value");
    ws_notes_append(&e->notes, &e->data->notes);
    ws_cli_notes(e->cli, &e->notes);
    if (status == WS_OK)
        status = ws_cli_write(e->cli, write_form, e, &error);
    return status == WS_OK ? WS_EXIT_OK : ws_cli_fail(e->cli, &error);
}

static bool find_columns(exporter *e)
{
    e->x = ws_arena_alloc(&e->cli->arena, e->n_x * sizeof *e->x);
    e->y = ws_arena_alloc(&e->cli->arena, e->n_y * sizeof *e->y);
    for (size_t i = 0; i < e->n_x; i++)
        if (!ws_data_column(e->cli, e->data, e->x_names[i], &e->x[i]))
            return false;
    for (size_t i = 0; i < e->n_y; i++)
        if (!ws_data_column(e->cli, e->data, e->y_names[i], &e->y[i]))
            return false;
    return true;
}

static bool export_read_arguments(exporter *e)
{
    ws_cli *cli = e->cli;
    const char *x = ws_cli_value(cli, "x"), *y = ws_cli_value(cli, "y");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, cli->arguments[0]) == 0)
            e->form = &forms[i];
    if (!e->form)
        return ws_cli_usage(cli, "there is no form '%s'; there are: extrap and extrap-json", cli->arguments[0]), false;
    if (ws_cli_has(cli, "format"))
        return ws_cli_usage(cli, "the form is the first argument: --format is of tables"), false;
    e->n_x = ws_data_list(cli, x ? x : "gpus", &e->x_names);
    e->n_y = ws_data_list(cli, y ? y : "wall_s,energy_kwh", &e->y_names);
    if (!e->n_x || !e->n_y)
        return ws_cli_usage(cli, "--x and --y take columns, as gpus,lbs"), false;
    return true;
}

static int run_export(ws_cli *cli)
{
    exporter e = {.cli = cli};
    if (!export_read_arguments(&e))
        return WS_EXIT_USAGE;
    ws_table data = {0};
    ws_row_groups groups = {0};
    const char **needed = ws_arena_alloc(&cli->arena, (e.n_x + e.n_y + 1) * sizeof *needed);
    memcpy(needed, e.x_names, e.n_x * sizeof *needed);
    memcpy(needed + e.n_x, e.y_names, e.n_y * sizeof *needed);
    int status = ws_data_table(cli, cli->arguments[1], needed, &data);
    e.data = &data;
    if (status == WS_EXIT_OK && (!find_columns(&e) || !ws_data_group(cli, &data, ws_cli_value(cli, "by"), &groups)))
        status = WS_EXIT_USAGE;
    if (status == WS_EXIT_OK)
        status = export_groups(&e, &groups);
    free(e.points);
    free(e.values);
    free(e.cells);
    ws_notes_free(&e.notes);
    ws_row_groups_free(&groups);
    ws_table_free(&data);
    return status;
}

const ws_command ws_command_export = {
    .name = "export",
    .arguments = "FORM DATA",
    .summary = "the runs as input of other programs: Extra-P's text and JSON",
    .description =
        "FORM is extrap (Extra-P's text input, .txt) or extrap-json (.json). Repeats are kept: each run is a value of "
        "its point. The text form needs every group of --by at every point; JSON leaves out what was not measured.\n\n"
        "Extra-P searches exponents on a grid and expects rising functions unless told otherwise: switch its negative "
        "exponents on for run times that fall with the number of GPUs.",
    .options = options,
    .example = "wattscale export extrap datasets/demo --by series --x gpus --y wall_s,energy_kwh",
    .least = 2,
    .most = 2,
    .no_table = "FORM says what export writes",
    .run = run_export,
};
