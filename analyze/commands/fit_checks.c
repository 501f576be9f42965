/* `--diagnostics`: what the residuals say about the assumptions, a row a test and a row a point. */
#include "analyze/commands/fit_parts.h"

#include "fit/tests/diagnostics.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP, CHECK, PLACE, X, Y, STATISTIC, P_VALUE, LEVERAGE, STUDENTISED, P_OUTLIER, COOK, STATUS };

static void fit_checks_init(ws_table *t)
{
    static const ws_fit_column columns[] = {[GROUP] = {"group", WS_TEXT},
                                            [CHECK] = {"check", WS_TEXT},
                                            [PLACE] = {"place", WS_TEXT},
                                            [X] = {"x", WS_NUMBER},
                                            [Y] = {"y", WS_NUMBER},
                                            [STATISTIC] = {"statistic", WS_NUMBER},
                                            [P_VALUE] = {"p_value", WS_NUMBER},
                                            [LEVERAGE] = {"leverage", WS_NUMBER},
                                            [STUDENTISED] = {"studentised", WS_NUMBER},
                                            [P_OUTLIER] = {"p_outlier", WS_NUMBER},
                                            [COOK] = {"cook", WS_NUMBER},
                                            [STATUS] = {"status", WS_TEXT},
                                            {NULL, WS_TEXT}};
    ws_fit_columns(t, "diagnostics", columns);
    ws_table_set_place(t, GROUP, WS_HEADING);
    t->screen_keys = 2;
    ws_table_set_detail(t, X);
    ws_table_set_detail(t, Y);
}

static size_t fit_checks_add_row(ws_fitter *f, const ws_row_group *group, const char *check, ws_fit_status status)
{
    size_t row = ws_table_add_row(f->out);
    ws_table_set_text(f->out, GROUP, row, group->label);
    ws_table_set_text(f->out, CHECK, row, check);
    ws_table_set_text(f->out, STATUS, row, ws_fit_status_name(status));
    return row;
}

static void add_tests(ws_fitter *f, const ws_row_group *group, const ws_diagnostics *d)
{
    const ws_test *const tests[] = {&d->durbin_watson, &d->breusch_pagan, &d->breusch_pagan_normal, &d->shapiro_wilk,
                                    &d->jarque_bera};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        size_t row = fit_checks_add_row(f, group, tests[i]->name, tests[i]->status);
        ws_table_set_number(f->out, STATISTIC, row, tests[i]->statistic);
        ws_table_set_number(f->out, P_VALUE, row, tests[i]->p_value);
    }
    ws_table_set_number(f->out, STATISTIC, fit_checks_add_row(f, group, "PRESS", d->status), d->press);
}

static void add_points(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, const ws_diagnostics *d)
{
    char place[320];
    for (size_t i = 0; i < d->n; i++) {
        const ws_point_check *c = &d->point[i];
        size_t row = fit_checks_add_row(f, group, "point", WS_FIT_OK);
        const double values[] = {c->leverage, c->external, c->p_outlier, c->cook};
        ws_table_set_text(f->out, PLACE, row, ws_table_place(f->data, p->rows[i], place));
        ws_table_set_number(f->out, X, row, p->x[i]);
        ws_table_set_number(f->out, Y, row, p->y[i]);
        for (size_t v = 0; v < 4; v++)
            ws_table_set_number(f->out, LEVERAGE + v, row, values[v]);
    }
}

static ws_status fit_checks_add(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, ws_error *error)
{
    ws_fit_result result;
    ws_status status = ws_fit_model_run(f->model, &f->settings, p, &result, error);
    if (status != WS_OK)
        return status;
    ws_fit_note(f, group->label, result.fit.sentence);
    if (result.fit.status == WS_FIT_NOT_POSITIVE) {
        fit_checks_add_row(f, group, "regression", result.fit.status);
        return WS_OK;
    }
    double *x = ws_alloc((2 * p->n + 1) * sizeof *x), *y = x + p->n;
    for (size_t i = 0; i < p->n; i++) {
        x[i] = f->model->in_logs ? log(p->x[i]) : p->x[i];
        y[i] = f->model->in_logs ? log(p->y[i]) : p->y[i];
    }
    const double *const column[] = {x};
    const char *const names[] = {f->x_name};
    ws_diagnostics d = {0};
    status = ws_diagnose(column, names, 1, y, p->n, f->settings.level, &d, error);
    if (status == WS_OK && d.status == WS_FIT_OK) {
        add_tests(f, group, &d);
        add_points(f, group, p, &d);
    } else if (status == WS_OK) {
        fit_checks_add_row(f, group, "regression", d.status);
    }
    if (status == WS_OK)
        ws_fit_note(f, ws_arena_printf(&f->cli->arena, "%s diagnostics", group->label), d.sentence);
    ws_diagnostics_free(&d);
    free(x);
    return status;
}

static bool knows(const ws_fit_model *model)
{
    return model->is_linear;
}

const ws_fit_view ws_fit_view_diagnostics = {
    .option = "diagnostics", .knows = knows, .init = fit_checks_init, .add = fit_checks_add};
