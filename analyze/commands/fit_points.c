/* The points of a group, out of a table: its rows, or the means of its configurations; a model through them, and how
 * results are told. */
#include "analyze/commands/fit_parts.h"

#include "analyze/units.h"
#include "core/known_to.h"
#include "fit/estimate.h"
#include "fit/tests/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
                       .averages_x = runs->averages_x,
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
    if (averaged) {
        runs.mixed = ws_units_mixed(f->data, runs.rows, runs.n, unit, &f->cli->arena);
        runs.averages_x = f->x_name && ws_units_averages(f->data, runs.rows, runs.n, unit, f->x);
    }
    free(unit);
    return averaged ? of_means(&means, &runs) : runs;
}

ws_fit_points ws_fit_take(const ws_fitter *f, const ws_row_group *group)
{
    ws_fit_points p = {.rows = ws_alloc((group->n + 1) * sizeof(size_t)), .mixed = ""};
    double **const columns[WS_FIT_EXTRA] = {[WS_FIT_SD_X] = &p.sd_x,
                                            [WS_FIT_SD_Y] = &p.sd_y,
                                            [WS_FIT_CORRELATION] = &p.correlation,
                                            [WS_FIT_RMSE] = &p.rmse,
                                            [WS_FIT_N_RUNS] = &p.n_runs};
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

/* Do the means depart from the law by more than their repeats explain? By the residuals of the same law through all
 * runs, for which the test is exact. It warns and chooses nothing: t(k - p) through the means holds in either case, but
 * for a bend, which has no true slope. */
static ws_status add_lack_of_fit(const ws_fit_model *model, const ws_fit_settings *settings,
                                 const ws_fit_points *points, ws_fit_result *result, ws_error *error)
{
    const ws_means *m = &points->means;
    ws_fit_settings bare = *settings;
    ws_fit_result of_runs = {.n_tests = 0};
    bare.is_bare = true;
    bare.has_hc = false;
    if (!model->lacks || !m->same_x || settings->weights == WS_WEIGHTS_PROPORTIONAL || !(result->fit.df > 0) ||
        result->n_tests == WS_FIT_TESTS)
        return WS_OK;
    double near[WS_FIT_MAX_ESTIMATES];
    for (size_t j = 0; j < result->fit.n_estimates; j++)
        near[j] = result->fit.estimate[j].value;
    bare.near = near;
    ws_status status = model->fit(&bare, points->runs, &of_runs, error);
    const ws_fit *runs = &of_runs.fit;
    if (status == WS_OK && isnan(runs->rss)) {
        bare.near = NULL;
        status = model->fit(&bare, points->runs, &of_runs, error);
    }
    const ws_repeats repeats = {
        .n = m->n_runs, .n_groups = m->n, .pure_error = m->repeat_sd * m->repeat_sd * m->repeat_df, .df = m->repeat_df};
    if (status != WS_OK || isnan(runs->rss) || runs->n != m->n_runs)
        return status;
    ws_test *test = &result->test[result->n_tests++];
    ws_lack_of_fit(&repeats, runs->rss, (size_t)((double)runs->n - runs->df + 0.5), test);
    if (test->p_value < 0.05)
        ws_say(test->sentence, sizeof test->sentence,
               ": either every configuration has an error of its own, which the interval allows for, or the true curve "
               "bends otherwise, which no interval of this law holds");
    return WS_OK;
}

/* What would make the interval too narrow. None of it changes the fit. */
static ws_status add_warnings(const ws_fit_model *model, const ws_fit_settings *settings, const ws_fit_points *points,
                              ws_fit_result *result, ws_error *error)
{
    ws_status status = add_lack_of_fit(model, settings, points, result, error);
    ws_test *test = &result->test[result->n_tests];
    if (status == WS_OK && result->fit.df > 0 && result->n_tests < WS_FIT_TESTS) {
        status = ws_means_spread_test(&points->means, test, error);
        result->n_tests += status == WS_OK && test->status == WS_FIT_OK;
    }
    return status;
}

ws_fit_dimension ws_fit_dimension_of(const char *parameter)
{
    static const struct {
        const char *parameter;
        ws_fit_dimension dimension;
    } known[] = {{"slope", WS_FIT_Y_PER_X},
                 {"slope-repeats", WS_FIT_Y_PER_X},
                 {"slope-scaled", WS_FIT_Y_PER_X},
                 {"slope-with-intercept", WS_FIT_Y_PER_X},
                 {"slope-x-on-y", WS_FIT_Y_PER_X},
                 {"slope-y-on-x", WS_FIT_Y_PER_X},
                 {"common-slope", WS_FIT_Y_PER_X},
                 {"mean-of-ratios", WS_FIT_Y_PER_X},
                 {"ratio-of-sums", WS_FIT_Y_PER_X},
                 {"breakpoint", WS_FIT_OF_X},
                 {"onset", WS_FIT_OF_X},
                 {"peak", WS_FIT_OF_X},
                 {"alpha", WS_FIT_NUMBER},
                 {"beta", WS_FIT_NUMBER},
                 {"c0", WS_FIT_NUMBER},
                 {"c1", WS_FIT_NUMBER},
                 {"c2", WS_FIT_NUMBER},
                 {"change", WS_FIT_NUMBER},
                 {"cv", WS_FIT_NUMBER},
                 {"exponent", WS_FIT_NUMBER},
                 {"exponent-after", WS_FIT_NUMBER},
                 {"exponent-before", WS_FIT_NUMBER},
                 {"exponent-vs-1", WS_FIT_NUMBER},
                 {"ln-breakpoint", WS_FIT_NUMBER},
                 {"max-speedup", WS_FIT_NUMBER},
                 {"mu", WS_FIT_NUMBER},
                 {"serial-fraction", WS_FIT_NUMBER},
                 {"sigma2", WS_FIT_NUMBER},
                 {"smearing", WS_FIT_NUMBER},
                 {"standardised-slope", WS_FIT_NUMBER},
                 {"test: exponent against 1", WS_FIT_NUMBER},
                 {"test: exponent against -1", WS_FIT_NUMBER}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(parameter, known[i].parameter) == 0)
            return known[i].dimension;
    return strncmp(parameter, "x^", 2) == 0 || strcmp(parameter, "x") == 0 ? WS_FIT_Y_PER_POWER_OF_X : WS_FIT_OF_Y;
}

/* Exponents, shares and places on the axis of x are not. */
static bool is_in_proportion(const char *parameter)
{
    ws_fit_dimension dimension = ws_fit_dimension_of(parameter);
    return dimension != WS_FIT_OF_X && dimension != WS_FIT_NUMBER;
}

/* Estimates in proportion to an energy are known as far as energies are. */
static void allow_for_energies(const ws_fit_model *model, const ws_fit_settings *settings, const ws_fit_points *p,
                               ws_fit *fit)
{
    if (model->allow_factor)
        model->allow_factor(p->x, p->y, p->energy_u, settings->level, fit);
    else if (!(settings->in_logs && model->takes_logs && !model->logs_unless_not)) /* those name slopes of logarithms */
        for (size_t i = 0; i < fit->n_estimates; i++)
            if (is_in_proportion(fit->estimate[i].name))
                ws_estimate_allow_factor(&fit->estimate[i], p->energy_u, settings->level);
    ws_say(fit->sentence, sizeof fit->sentence,
           "; readings cover little of these runs: their energies are known to %s %% together, which each ± of an "
           "energy holds",
           ws_words_digits(100 * p->energy_u, 2).text);
}

ws_status ws_fit_model_run(const ws_fit_model *model, const ws_fit_settings *settings, const ws_fit_points *points,
                           ws_fit_result *result, ws_error *error)
{
    *result = (ws_fit_result){.n_tests = 0};
    ws_status status = model->fit(settings, points, result, error);
    if (status == WS_OK && points->energy_u > 0)
        allow_for_energies(model, settings, points, &result->fit);
    if (status != WS_OK || !points->runs)
        return status;
    ws_means_describe(&points->means, &result->fit);
    return settings->is_bare ? WS_OK : add_warnings(model, settings, points, result, error);
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
