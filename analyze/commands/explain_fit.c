/* An estimate of a fit is what an algorithm found, and no chain of sums: the tree has the points that it was found for,
 * and of each point the runs. Estimates with a closed form are worked out a second time by it. */
#include "analyze/commands/explain_fit.h"

#include <math.h>
#include <string.h>

int ws_fit_cells_open(ws_cli *cli, ws_fit_cells *cells)
{
    *cells = (ws_fit_cells){.fitter = {.cli = cli}};
    const char *model = ws_cli_value(cli, "model");
    if (!model)
        return ws_cli_usage(cli, "--of fit needs --model, and --x and --y as 'wattscale fit' does");
    cli->arguments[0] = model;
    int status = ws_fit_open(&cells->fitter, &cells->data, &cells->groups);
    if (status == WS_EXIT_OK && cells->fitter.view != &ws_fit_view_estimates)
        return ws_cli_usage(cli, "'%s' has a table of its own: explain knows the estimates of the other models", model);
    return status == WS_EXIT_OK ? ws_fit_fill(&cells->fitter, &cells->groups, &cells->out) : status;
}

void ws_fit_cells_close(ws_fit_cells *cells)
{
    ws_row_groups_free(&cells->groups);
    ws_table_free(&cells->out);
    ws_table_free(&cells->data);
}

/* --- points --- */

/* Does the table have the standard columns at their places? One that was taken as it stands may have others. */
static bool is_of_runs(const ws_table *t)
{
    for (int c = 0; c < WS_RUN_COLUMN_N; c++)
        if ((size_t)c >= t->n_columns || strcmp(t->columns[c].name, ws_run_column_about((ws_run_column)c)->name) != 0)
            return false;
    return true;
}

static const char *name_of(const ws_explainer *x, size_t row)
{
    char place[320];
    size_t run;
    bool is_named =
        ws_table_find(x->runs, "run", &run) && x->runs->columns[run].kind == WS_TEXT && x->runs->columns[run].text[row];
    return is_named ? x->runs->columns[run].text[row] : ws_arena_strdup(x->arena, ws_table_place(x->runs, row, place));
}

static ws_step *explain_cell(const ws_explainer *x, size_t row, size_t column)
{
    const char *name = x->runs->columns[column].name;
    if (is_of_runs(x->runs))
        return ws_explain_run(x, row, &column);
    ws_step *step =
        ws_step_new(x->arena, WS_STEP_STATED, name, ws_table_number(x->runs, column, row), ws_explain_unit(name));
    ws_step_say(x->arena, step, "%s has it", name_of(x, row));
    return step;
}

/* The mean of a configuration, as average in fit/means.c has it: the first value, and the mean of what the others
 * differ by. r1, r2 ... are the runs. */
static const char *mean_formula(ws_arena *arena, size_t n, bool in_logs)
{
    const char *sum = "";
    for (size_t i = 1; i <= n; i++)
        sum = ws_arena_printf(arena, in_logs ? "%s%slog(r%zu / r1) / %zu" : "%s%s(r%zu - r1) / %zu", sum,
                              i > 1 ? " + " : "", i, n);
    return ws_arena_printf(arena, in_logs ? "r1 * exp(%s)" : "r1 + (%s)", sum);
}

static ws_step *mean_of_runs(const ws_explainer *x, const ws_fit_points *p, size_t point, size_t column, double value)
{
    const ws_fit_points *runs = p->runs;
    const char *name = x->runs->columns[column].name;
    ws_step *step = ws_step_new(x->arena, WS_STEP_FORMULA, name, value, ws_explain_unit(name));
    step->formula = mean_formula(x->arena, p->means.count[point], p->means.in_logs);
    ws_step_say(x->arena, step,
                p->means.in_logs ? "geometric mean of the runs of a configuration"
                                 : "mean of the runs of a configuration");
    for (size_t i = 0; i < runs->n; i++) {
        if (p->means.of[i] != point)
            continue;
        ws_step *run = explain_cell(x, runs->rows[i], column);
        ws_step *named = ws_step_new(x->arena, WS_STEP_ABOUT, name_of(x, runs->rows[i]), NAN, "");
        run->name = ws_arena_printf(x->arena, "r%zu", step->parts.n + 1);
        ws_step_add_beside(x->arena, run, named);
        ws_step_add_part(x->arena, step, run);
    }
    return step;
}

/* A mean that the formula does not give, as of one run alone, is that of its runs. */
static ws_step *coordinate(const ws_explainer *x, const ws_fit_points *p, size_t point, size_t column, double value,
                           const char *name)
{
    ws_step *step = p->runs && p->means.count[point] > 1 ? mean_of_runs(x, p, point, column, value)
                                                         : explain_cell(x, p->rows[point], column);
    if (ws_step_that_fails(step) || memcmp(&step->value, &value, sizeof value) != 0) {
        step = ws_step_new(x->arena, WS_STEP_ESTIMATE, name, value, ws_explain_unit(x->runs->columns[column].name));
        ws_step_say(x->arena, step, "the value that the fit took for this point");
    }
    step->name = name;
    return step;
}

static ws_step *explain_point(const ws_explainer *x, const ws_fitter *f, const ws_fit_points *p, size_t point)
{
    ws_step *step = ws_step_new(x->arena, WS_STEP_ABOUT, name_of(x, p->rows[point]), NAN, "");
    if (p->runs && p->means.count[point] > 1)
        ws_step_say(x->arena, step, "and %zu more of its configuration", p->means.count[point] - 1);
    if (f->x_name)
        ws_step_add_beside(x->arena, step, coordinate(x, p, point, f->x, p->x[point], f->x_name));
    ws_step_add_beside(x->arena, step, coordinate(x, p, point, f->y, p->y[point], f->y_name));
    return step;
}

/* --- closed forms --- */

static ws_step *number(ws_arena *arena, const char *name, double value)
{
    return ws_step_new(arena, WS_STEP_STATED, name, value, "");
}

static ws_step *product_of(ws_arena *arena, const char *formula, const char *name, double x, double y)
{
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, name, NAN, "");
    step->formula = formula;
    if (strchr(formula, 'x'))
        ws_step_add_part(arena, step, number(arena, "x", x));
    if (strchr(formula, 'y'))
        ws_step_add_part(arena, step, number(arena, "y", y));
    step->value = ws_step_result(step);
    return step;
}

static ws_step *over_points(const ws_explainer *x, const ws_fit_points *p, ws_step_kind kind, const char *formula,
                            const char *name)
{
    ws_step *step = ws_step_new(x->arena, kind, name, NAN, "");
    for (size_t i = 0; i < p->n; i++)
        ws_step_add_part(x->arena, step,
                         product_of(x->arena, formula, name_of(x, p->rows[i]), p->x ? p->x[i] : 0, p->y[i]));
    step->value = ws_step_result(step);
    return step;
}

static ws_step *quotient(const ws_explainer *x, const ws_fit_points *p, const char *above, const char *below)
{
    ws_step *step = ws_step_new(x->arena, WS_STEP_FORMULA, "by hand", NAN, "");
    step->formula = "above / below";
    ws_step_add_part(x->arena, step, over_points(x, p, WS_STEP_SUM, above, "above"));
    ws_step_add_part(x->arena, step, over_points(x, p, WS_STEP_SUM, below, "below"));
    step->value = ws_step_result(step);
    return step;
}

/* NULL for what has none. */
static ws_step *closed_form(const ws_explainer *x, const char *model, const char *parameter, const ws_fit_points *p)
{
    static const struct {
        const char *model, *parameter;
        const char *above, *below; /* sums over the points; below NULL: the mean of the former */
    } forms[] = {{"mean", "mean", "y", NULL},
                 {"origin", "slope", "x * y", "x * x"},
                 {"origin", "ratio-of-sums", "y", "x"},
                 {"origin", "mean-of-ratios", "y / x", NULL}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(model, forms[i].model) == 0 && strcmp(parameter, forms[i].parameter) == 0)
            return forms[i].below ? quotient(x, p, forms[i].above, forms[i].below)
                                  : over_points(x, p, WS_STEP_MEAN, forms[i].above, "by hand");
    return NULL;
}

/* --- a cell --- */

static const char *text_at(const ws_table *t, const char *column, size_t row)
{
    size_t at;
    const char *text =
        ws_table_find(t, column, &at) && t->columns[at].kind == WS_TEXT ? t->columns[at].text[row] : NULL;
    return text ? text : "";
}

static const ws_row_group *group_of(const ws_fit_cells *cells, size_t row)
{
    const char *label = text_at(&cells->out, "group", row);
    for (size_t i = 0; i < cells->groups.n; i++)
        if (strcmp(cells->groups.items[i].label, label) == 0)
            return &cells->groups.items[i];
    return NULL;
}

static void add_points(const ws_explainer *x, const ws_fit_cells *cells, const ws_fit_points *p, ws_step *step)
{
    ws_step *list = ws_step_new(x->arena, WS_STEP_ABOUT, ws_arena_printf(x->arena, "points: %zu", p->n), NAN, "");
    for (size_t i = 0; i < p->n; i++)
        ws_step_add_beside(x->arena, list, explain_point(x, &cells->fitter, p, i));
    ws_step_add_beside(x->arena, step, list);
}

static void add_closed_form(const ws_explainer *x, const ws_fit_cells *cells, const ws_fit_points *p, size_t row,
                            ws_step *step)
{
    ws_step *by_hand = closed_form(x, cells->fitter.model->name, text_at(&cells->out, "parameter", row), p);
    if (!by_hand)
        return;
    double apart = fabs(by_hand->value / step->value - 1);
    ws_step_say(x->arena, by_hand,
                apart > 0 ? "the fit goes by orthogonal factors: they differ by %.1g of the value"
                          : "to the last bit (apart by %.1g)",
                apart);
    ws_step_add_beside(x->arena, step, by_hand);
}

ws_step *ws_explain_fit(const ws_explainer *x, ws_fit_cells *cells, size_t row, size_t column)
{
    const ws_table *t = &cells->out;
    char buffer[WS_DOUBLE_TEXT];
    const char *name = t->columns[column].name;
    double value = ws_table_number(t, column, row);
    ws_step *step = ws_step_new(x->arena, isnan(value) ? WS_STEP_ABOUT : WS_STEP_ESTIMATE, name, value,
                                strcmp(name, "value") == 0 ? text_at(t, "unit", row) : "");
    const ws_row_group *group = group_of(cells, row);
    ws_step_say(x->arena, step, "%s%s%s%s'%s' of the model %s: docs/methods.md says how it is found",
                isnan(value) ? ws_table_cell_text(t, column, row, buffer) : "", isnan(value) ? ": " : "",
                strcmp(name, "value") == 0 ? "" : name, strcmp(name, "value") == 0 ? "" : " of ",
                text_at(t, "parameter", row), cells->fitter.model->name);
    if (!group)
        return step;
    ws_fit_points p = ws_fit_take(&cells->fitter, group);
    if (strcmp(name, "value") == 0)
        add_closed_form(x, cells, &p, row, step);
    add_points(x, cells, &p, step);
    ws_fit_points_free(&p);
    return step;
}
