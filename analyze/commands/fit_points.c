/* The points of a group, out of a table: its rows, or the means of its configurations; and how results are told. */
#include "analyze/commands/fit_parts.h"

#include "analyze/units.h"
#include "core/known_to.h"

#include <math.h>
#include <stdlib.h>

static bool read_row(const ws_fitter *f, size_t row, ws_fit_points *p)
{
    double *const to[] = {p->x, p->y, p->sd_x, p->sd_y, p->correlation, p->n_runs, p->rmse};
    const size_t from[] = {f->x,
                           f->y,
                           f->extra[WS_FIT_SD_X],
                           f->extra[WS_FIT_SD_Y],
                           f->extra[WS_FIT_CORRELATION],
                           f->extra[WS_FIT_N_RUNS],
                           f->extra[WS_FIT_RMSE]};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        if (!to[i])
            continue;
        to[i][p->n] = ws_table_number(f->data, from[i], row);
        if (to[i] == p->rmse && p->n_runs[p->n] == 1)
            to[i][p->n] = 0; /* one run has none */
        if (isnan(to[i][p->n]))
            return false;
    }
    return true;
}

/* Logarithms of what is not above zero are refused by the law, which names the points as they stand. */
static bool all_positive(const ws_fit_points *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!(p->x[i] > 0) || !(p->y[i] > 0))
            return false;
    return true;
}

static ws_fit_points of_means(const ws_means *m, const ws_fit_points *runs)
{
    ws_fit_points p = {.x = ws_alloc((m->n + 1) * sizeof(double)),
                       .y = ws_alloc((m->n + 1) * sizeof(double)),
                       .residual = ws_alloc((m->n + 1) * sizeof(double)),
                       .rows = ws_alloc((m->n + 1) * sizeof(size_t)),
                       .n = m->n,
                       .without = runs->without,
                       .mixed = runs->mixed,
                       .runs = ws_alloc(sizeof *runs),
                       .means = *m};
    *p.runs = *runs;
    for (size_t i = 0; i < m->n; i++) {
        p.x[i] = m->x[i];
        p.y[i] = m->y[i];
        p.rows[i] = runs->rows[m->first[i]];
    }
    return p;
}

/* The means of the configurations that have repeats; the points as they are where none has. */
static ws_fit_points average(const ws_fitter *f, ws_fit_points runs)
{
    bool in_logs = ws_fit_in_logs(f);
    size_t *unit = ws_alloc((runs.n + 1) * sizeof *unit);
    size_t n = ws_units_configurations(f->data, runs.rows, runs.n, &f->x, 1, unit);
    ws_means means;
    bool averaged = n < runs.n && (!in_logs || all_positive(&runs)) &&
                    ws_means_take(runs.x, runs.y, unit, runs.n, in_logs, &means, NULL) == WS_OK;
    if (averaged)
        runs.mixed = ws_units_mixed(f->data, runs.rows, runs.n, unit, &f->cli->arena);
    free(unit);
    return averaged ? of_means(&means, &runs) : runs;
}

ws_fit_points ws_fit_take(const ws_fitter *f, const ws_row_group *group)
{
    ws_fit_points p = {.rows = ws_alloc((group->n + 1) * sizeof(size_t)), .mixed = ""};
    double **const columns[WS_FIT_EXTRA] = {&p.sd_x, &p.sd_y, &p.correlation, &p.rmse, &p.n_runs};
    p.x = f->x_name ? ws_alloc((group->n + 1) * sizeof(double)) : NULL;
    p.y = ws_alloc((group->n + 1) * sizeof(double));
    p.residual = ws_alloc((group->n + 1) * sizeof(double));
    for (size_t i = 0; i < WS_FIT_EXTRA; i++)
        *columns[i] = f->extra_name[i] ? ws_alloc((group->n + 1) * sizeof(double)) : NULL;
    for (size_t i = 0; i < group->n; i++) {
        if (!read_row(f, group->rows[i], &p)) {
            p.without++;
            continue;
        }
        p.rows[p.n++] = group->rows[i];
    }
    return f->settings.by_run ? p : average(f, p);
}

double ws_fit_energy_u(const ws_fitter *f, const ws_fit_points *p)
{
    const ws_fit_points *runs = p->runs ? p->runs : p;
    bool of_y = ws_is_of_energy(f->data->columns[f->y].name);
    bool of_x = f->x_name && ws_is_of_energy(f->data->columns[f->x].name);
    return of_y && !of_x ? ws_energy_u(f->data, runs->rows, runs->n) : 0;
}

void ws_fit_points_free(ws_fit_points *p)
{
    double *const numbers[] = {p->x, p->y, p->residual, p->sd_x, p->sd_y, p->correlation, p->rmse, p->n_runs};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        free(numbers[i]);
    free(p->rows);
    if (p->runs)
        ws_fit_points_free(p->runs);
    free(p->runs);
    ws_means_free(&p->means);
    *p = (ws_fit_points){0};
}

void ws_fit_columns(ws_table *table, const char *name, const ws_fit_column *columns)
{
    ws_table_init(table, name);
    for (; columns->name; columns++)
        ws_table_add_column(table, columns->name, columns->kind);
}

void ws_fit_note(ws_fitter *f, const char *subject, const char *sentence)
{
    char named[2400];
    ws_data_words(sentence, f->x_name ? f->x_name : "x", f->y_name, named, sizeof named);
    if (*named)
        ws_notes_add(&f->out->notes, WS_FINDING_FIT, "", subject, 0, "%s", named);
}
