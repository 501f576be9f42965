/* `--bootstrap` and `--jackknife`: the uncertainty of slopes, exponents and ratios by computing them again. */
#include "analyze/commands/fit_parts.h"

#include "fit/tests/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP,
    PARAMETER,
    METHOD,
    N,
    VALUE,
    STDERR,
    BIAS,
    CI_LO,
    CI_HI,
    PERCENTILE_LO,
    PERCENTILE_HI,
    ERROR,
    DRAWS,
    DROPPED,
    STATUS
};

static void fit_resample_init(ws_table *t)
{
    static const ws_fit_column columns[] = {[GROUP] = {"group", WS_TEXT},
                                            [PARAMETER] = {"parameter", WS_TEXT},
                                            [METHOD] = {"method", WS_TEXT},
                                            [N] = {"n", WS_INTEGER},
                                            [VALUE] = {"value", WS_NUMBER},
                                            [STDERR] = {"stderr", WS_NUMBER},
                                            [BIAS] = {"bias", WS_NUMBER},
                                            [CI_LO] = {"ci_lo", WS_NUMBER},
                                            [CI_HI] = {"ci_hi", WS_NUMBER},
                                            [PERCENTILE_LO] = {"percentile_lo", WS_NUMBER},
                                            [PERCENTILE_HI] = {"percentile_hi", WS_NUMBER},
                                            [ERROR] = {"monte_carlo_error", WS_NUMBER},
                                            [DRAWS] = {"draws", WS_INTEGER},
                                            [DROPPED] = {"dropped", WS_INTEGER},
                                            [STATUS] = {"status", WS_TEXT},
                                            {NULL, WS_TEXT}};
    static const size_t headings[] = {GROUP, METHOD, N}, details[] = {PERCENTILE_LO, PERCENTILE_HI, ERROR, DRAWS};
    ws_fit_columns(t, "resampling", columns);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        ws_table_set_place(t, headings[i], WS_HEADING);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        ws_table_set_detail(t, details[i]);
}

/* Points on the fitted scale; for a residual bootstrap y is fitted + residual[index]. */
typedef struct sample_points {
    const double *x, *y;
    const double *fitted, *residual; /* NULL for pairs */
} sample_points;

static double y_of(const sample_points *s, const size_t *index, size_t i)
{
    return s->residual ? s->fitted[i] + s->residual[index[i]] : s->y[index[i]];
}

static double x_of(const sample_points *s, const size_t *index, size_t i)
{
    return s->x[s->residual ? i : index[i]];
}

static double line_parameter(const sample_points *s, const size_t *index, size_t n, bool slope)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x_of(s, index, i);
        mean_y += y_of(s, index, i);
        size = fmax(size, fabs(x_of(s, index, i)));
    }
    mean_x /= (double)n;
    mean_y /= (double)n;
    for (size_t i = 0; i < n; i++) {
        double dx = x_of(s, index, i) - mean_x;
        xx += dx * dx;
        xy += dx * (y_of(s, index, i) - mean_y);
    }
    double b = sqrt(xx) > 1e-14 * size * sqrt((double)n) ? xy / xx : NAN; /* less is rounding: one x alone was drawn */
    return slope ? b : mean_y - b * mean_x;
}

static double line_slope(const void *state, const size_t *index, size_t n)
{
    return line_parameter(state, index, n, true);
}

static double line_intercept(const void *state, const size_t *index, size_t n)
{
    return line_parameter(state, index, n, false);
}

static double power_factor(const void *state, const size_t *index, size_t n)
{
    return exp(line_parameter(state, index, n, false));
}

static double origin_slope(const void *state, const size_t *index, size_t n)
{
    double xx = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        double x = x_of(state, index, i);
        xx += x * x;
        xy += x * y_of(state, index, i);
    }
    return xx > 0 ? xy / xx : NAN;
}

static double ratio_of_sums(const void *state, const size_t *index, size_t n)
{
    double x = 0, y = 0;
    for (size_t i = 0; i < n; i++) {
        x += x_of(state, index, i);
        y += y_of(state, index, i);
    }
    return x > 0 ? y / x : NAN;
}

static double mean_of_ratios(const void *state, const size_t *index, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += y_of(state, index, i) / x_of(state, index, i);
    return sum / (double)n;
}

static const struct statistic {
    const char *model, *parameter;
    ws_statistic *of;
} statistics[] = {
    {"line", "slope", line_slope},
    {"line", "intercept", line_intercept},
    {"powerlaw", "exponent", line_slope},
    {"powerlaw", "factor", power_factor},
    {"origin", "slope", origin_slope},
    {"origin", "ratio-of-sums", ratio_of_sums},
    {"origin", "mean-of-ratios", mean_of_ratios},
};
enum { N_STATISTICS = sizeof statistics / sizeof *statistics };

static bool has_formulas(const ws_fit_model *model)
{
    for (size_t i = 0; i < N_STATISTICS; i++)
        if (strcmp(statistics[i].model, model->name) == 0)
            return true;
    return false;
}

/* A law or a robust line has no short formula: it is fitted again. */
typedef struct refit {
    const ws_fit_model *model;
    const ws_fit_settings *settings;
    const char *parameter;
    const ws_fit_points *points;
    const double *fitted, *residual; /* on the fitted scale; NULL for pairs */
    bool in_logs;
    ws_fit_points draw; /* room for the points of one draw */
} refit;

static double refit_parameter(const void *state, const size_t *index, size_t n)
{
    const refit *r = state;
    ws_fit_points draw = r->draw;
    ws_fit_result result;
    draw.n = n;
    for (size_t i = 0; i < n; i++) {
        double y = r->residual ? r->fitted[i] + r->residual[index[i]] : 0;
        draw.x[i] = r->points->x[r->residual ? i : index[i]];
        draw.y[i] = !r->residual ? r->points->y[index[i]] : r->in_logs ? exp(y) : y;
    }
    if (ws_fit_model_run(r->model, r->settings, &draw, &result, NULL) != WS_OK || result.fit.status != WS_FIT_OK)
        return NAN;
    const ws_estimate *e = ws_fit_estimate(&result.fit, r->parameter);
    return e ? e->value : NAN;
}

static bool knows(const ws_fit_model *model)
{
    return model->refits || has_formulas(model);
}

/* Residuals as large as the errors behind them: raw ones are short by the coefficients that were fitted. One factor for
 * all leaves the estimate of the undrawn points what it was. */
static void scale_residuals(size_t n, double coefficients, double *residual)
{
    double factor = sqrt((double)n / ((double)n - coefficients));
    for (size_t i = 0; i < n; i++)
        residual[i] *= factor;
}

/* Repeats of one x are one stratum: the number of the first point that has it. */
static void find_strata(const double *x, size_t n, size_t *stratum)
{
    for (size_t i = 0; i < n; i++) {
        stratum[i] = i;
        for (size_t j = 0; j < i; j++) {
            if (x[j] == x[i]) {
                stratum[i] = stratum[j];
                break;
            }
        }
    }
}

static size_t fit_resample_add_row(ws_fitter *f, const ws_row_group *group, const char *parameter, const char *method,
                                   size_t n, ws_fit_status status)
{
    size_t row = ws_table_add_row(f->out);
    ws_table_set_text(f->out, GROUP, row, group->label);
    ws_table_set_text(f->out, PARAMETER, row, parameter);
    ws_table_set_text(f->out, METHOD, row, method);
    ws_table_set_integer(f->out, N, row, (int64_t)n);
    ws_table_set_text(f->out, STATUS, row, ws_fit_status_name(status));
    return row;
}

static void fit_resample_note(ws_fitter *f, const ws_row_group *group, const char *parameter, const char *sentence)
{
    const char *text = ws_arena_printf(&f->cli->arena, "%s %s", parameter, sentence);
    ws_fit_note(f, ws_arena_printf(&f->cli->arena, "%s %s", group->label, parameter), text);
}

/* A parameter, how it comes from a draw, and the draws. */
typedef struct resampled {
    const char *parameter;
    ws_statistic *of;
    const void *state;
    size_t n;
    const size_t *stratum; /* or NULL */
} resampled;

static ws_status add_bootstrap(ws_fitter *f, const ws_row_group *group, const resampled *s, ws_error *error)
{
    ws_bootstrap b;
    ws_status status = ws_bootstrap_bca(s->of, s->state, s->n, s->stratum, f->settings.draws, f->settings.seed,
                                        f->settings.level, &b, error);
    if (status != WS_OK)
        return status;
    size_t row = fit_resample_add_row(f, group, s->parameter, f->settings.bootstrap, s->n, b.status);
    const double values[] = {
        b.value, b.se, b.bias, b.ci_lo, b.ci_hi, b.percentile_lo, b.percentile_hi, b.monte_carlo_error};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        ws_table_set_number(f->out, VALUE + v, row, values[v]);
    ws_table_set_integer(f->out, DRAWS, row, (int64_t)b.n_draws);
    ws_table_set_integer(f->out, DROPPED, row, (int64_t)b.n_dropped);
    fit_resample_note(f, group, s->parameter, b.sentence);
    return WS_OK;
}

static ws_status add_jackknife(ws_fitter *f, const ws_row_group *group, const resampled *s, ws_error *error)
{
    ws_jackknife j;
    ws_status status = ws_jackknife_of(s->of, s->state, s->n, f->settings.level, &j, error);
    if (status != WS_OK)
        return status;
    size_t row = fit_resample_add_row(f, group, s->parameter, "jackknife", s->n, j.status);
    const double values[] = {j.value, j.se, j.bias, j.ci_lo, j.ci_hi};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        ws_table_set_number(f->out, VALUE + v, row, values[v]);
    fit_resample_note(f, group, s->parameter, j.sentence);
    return WS_OK;
}

/* Residuals about the least-squares line say nothing of the ratios, whose lines are others. */
static bool applies(const struct statistic *s, const ws_fit_model *model, bool residual)
{
    return strcmp(s->model, model->name) == 0 && !(residual && (s->of == ratio_of_sums || s->of == mean_of_ratios));
}

static ws_status add_one(ws_fitter *f, const ws_row_group *group, const resampled *s, ws_error *error)
{
    return f->settings.bootstrap ? add_bootstrap(f, group, s, error) : add_jackknife(f, group, s, error);
}

static ws_status add_formulas(ws_fitter *f, const ws_row_group *group, const sample_points *points, resampled *s,
                              ws_error *error)
{
    ws_status status = WS_OK;
    s->state = points;
    for (size_t i = 0; i < N_STATISTICS && status == WS_OK; i++) {
        if (!applies(&statistics[i], f->model, points->residual))
            continue;
        s->parameter = statistics[i].parameter;
        s->of = statistics[i].of;
        status = add_one(f, group, s, error);
    }
    return status;
}

static ws_status add_refits(ws_fitter *f, const ws_row_group *group, const ws_fit *fit, refit *r, resampled *s,
                            ws_error *error)
{
    ws_fit_settings bare = f->settings;
    double *room = ws_alloc((3 * s->n + 1) * sizeof *room);
    ws_status status = WS_OK;
    bare.is_bare = true;
    r->settings = &bare;
    r->draw = (ws_fit_points){.x = room, .y = room + s->n, .residual = room + 2 * s->n};
    s->state = r;
    s->of = refit_parameter;
    for (size_t i = 0; i < fit->n_estimates && status == WS_OK; i++) {
        bool in_draws = !isnan(fit->estimate[i].value) && !strstr(fit->estimate[i].name, "-profile");
        if (!in_draws)
            continue;
        r->parameter = s->parameter = fit->estimate[i].name;
        status = add_one(f, group, s, error);
    }
    free(room);
    return status;
}

static ws_status add_all(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, const ws_fit *fit,
                         ws_error *error)
{
    bool residual = f->settings.bootstrap && strcmp(f->settings.bootstrap, "residual") == 0;
    bool within = f->settings.bootstrap && strcmp(f->settings.bootstrap, "within") == 0;
    bool in_logs = f->model->in_logs || f->settings.in_logs;
    double *x = ws_alloc((3 * p->n + 1) * sizeof *x), *y = x + p->n, *fitted = y + p->n;
    size_t *stratum = ws_alloc((p->n + 1) * sizeof *stratum);
    for (size_t i = 0; i < p->n; i++) {
        x[i] = in_logs ? log(p->x[i]) : p->x[i];
        y[i] = in_logs ? log(p->y[i]) : p->y[i];
        fitted[i] = y[i] - p->residual[i];
    }
    find_strata(x, p->n, stratum);
    if (residual)
        scale_residuals(p->n, (double)p->n - fit->df, p->residual);
    const sample_points points = {x, y, residual ? fitted : NULL, residual ? p->residual : NULL};
    refit again = {
        .model = f->model, .points = p, .fitted = points.fitted, .residual = points.residual, .in_logs = in_logs};
    resampled s = {.n = p->n, .stratum = within ? stratum : NULL};
    ws_status status =
        f->model->refits ? add_refits(f, group, fit, &again, &s, error) : add_formulas(f, group, &points, &s, error);
    free(x);
    free(stratum);
    return status;
}

static ws_status fit_resample_add(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, ws_error *error)
{
    ws_fit_result result;
    ws_status status = ws_fit_model_run(f->model, &f->settings, p, &result, error);
    const char *method = f->settings.bootstrap ? f->settings.bootstrap : "jackknife";
    if (status != WS_OK)
        return status;
    ws_fit_note(f, group->label, result.fit.sentence);
    if (result.fit.status == WS_FIT_OK)
        return add_all(f, group, p, &result.fit, error);
    for (size_t i = 0; i < N_STATISTICS; i++)
        if (strcmp(statistics[i].model, f->model->name) == 0)
            fit_resample_add_row(f, group, statistics[i].parameter, method, p->n, result.fit.status);
    for (size_t i = 0; i < result.fit.n_estimates && f->model->refits; i++)
        fit_resample_add_row(f, group, result.fit.estimate[i].name, method, p->n, result.fit.status);
    return WS_OK;
}

static bool knows_jackknife(const ws_fit_model *model)
{
    return knows(model) && !model->has_jumps;
}

const ws_fit_view ws_fit_view_bootstrap = {
    .option = "bootstrap", .knows = knows, .init = fit_resample_init, .add = fit_resample_add};
const ws_fit_view ws_fit_view_jackknife = {
    .option = "jackknife", .knows = knows_jackknife, .init = fit_resample_init, .add = fit_resample_add};
