/* `--predict gpus=512,1024`: the fit at places that were not measured. */
#include "analyze/commands/fit_parts.h"

#include "fit/estimate.h"
#include "fit/laws/predict.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP, MODEL, X, VALUE, CI_LO, CI_HI, LO, HI, MEAN, BEYOND, FLAG, STATUS };

static void fit_predict_init(ws_table *t)
{
    static const ws_fit_column columns[] = {[GROUP] = {"group", WS_TEXT},
                                            [MODEL] = {"model", WS_TEXT},
                                            [X] = {"x", WS_NUMBER},
                                            [VALUE] = {"value", WS_NUMBER},
                                            [CI_LO] = {"ci_lo", WS_NUMBER},
                                            [CI_HI] = {"ci_hi", WS_NUMBER},
                                            [LO] = {"prediction_lo", WS_NUMBER},
                                            [HI] = {"prediction_hi", WS_NUMBER},
                                            [MEAN] = {"mean", WS_NUMBER},
                                            [BEYOND] = {"beyond", WS_NUMBER},
                                            [FLAG] = {"flag", WS_TEXT},
                                            [STATUS] = {"status", WS_TEXT},
                                            {NULL, WS_TEXT}};
    ws_fit_columns(t, "predict", columns);
    ws_table_set_place(t, GROUP, WS_HEADING);
    ws_table_set_place(t, MODEL, WS_HEADING);
    ws_table_set_detail(t, MEAN);
}

static const char *flag_of(const ws_prediction *p, double limit)
{
    if (isnan(p->beyond))
        return NULL;
    return p->beyond > limit ? "far outside" : p->beyond > 1 ? "outside" : NULL;
}

static void note_far(ws_fitter *f, const ws_row_group *group, const ws_prediction *p)
{
    char x[WS_DOUBLE_TEXT], beyond[WS_DOUBLE_TEXT], limit[WS_DOUBLE_TEXT];
    ws_double_text(x, p->x);
    ws_double_text_digits(beyond, p->beyond, 3);
    ws_double_text(limit, f->settings.beyond);
    ws_notes_add(&f->out->notes, WS_FINDING_EXTRAPOLATION, "", group->label, 0,
                 "%s = %s lies %s times beyond what was measured, more than %s times: the interval holds only if the "
                 "law goes on that far",
                 f->x_name, x, beyond, limit);
}

static void note_undefined(ws_fitter *f, const ws_row_group *group, const ws_prediction *p)
{
    char x[WS_DOUBLE_TEXT];
    ws_double_text(x, p->x);
    ws_notes_add(&f->out->notes, WS_FINDING_NO_PREDICTION, "", group->label, 0,
                 "%s = %s is not above zero, where %s begins", f->x_name, x, f->model->name);
}

/* By how much more a single run varies than a mean of runs, in parts of y: what fit->one_more is for y itself. */
static double relative_one_more(const ws_fit_points *p)
{
    const ws_replication runs = ws_means_replication(&p->means);
    double shares = 0;
    for (size_t i = 0; i < p->n && runs.count; i++)
        shares += 1 / (double)runs.count[i] / (double)p->n;
    return runs.count ? runs.relative * (1 - shares) : 0;
}

/* The variance of one further run about the curve, as far as the fit has one size for it: NaN of weighted means, where
 * each has its own. A line allows for errors of one size and in proportion to y, as its standard errors do. */
static double variance_of_one(const ws_fitter *f, const ws_fit_points *p, const ws_fit *fit, double value)
{
    double sigma = fit->sigma * fit->sigma, of_means = fit->one_more > 0 ? fit->one_more : 0;
    double relative = 0, of_shares = of_means > 0 ? relative_one_more(p) : 0;
    if (p->n_runs)
        return NAN;
    if (f->settings.weights == WS_WEIGHTS_PROPORTIONAL)
        return isfinite(of_shares) ? (sigma + of_shares) * value * value : sigma * value * value + of_means;
    for (size_t i = 0; i < p->n; i++)
        relative += pow(p->residual[i] / p->y[i], 2) / fit->df;
    bool is_allowed = !f->model->in_logs && !f->settings.by_run && !f->settings.equal_errors && !f->settings.has_hc;
    double in_proportion = (relative + of_shares) * value * value;
    return is_allowed && isfinite(in_proportion) ? fmax(sigma + of_means, in_proportion) : sigma + of_means;
}

/* Intervals by the error model of the fit's own estimates (--errors, --weights and the defaults): the curve at a place
 * is the intercept of the line, or the factor of the power law, whose x counts from there. The variance of a further
 * run joins with its own degrees of freedom (Satterthwaite 1946). */
static ws_status take_own_errors(const ws_fitter *f, const ws_fit_points *p, const ws_fit *fit, ws_prediction *at,
                                 ws_error *error)
{
    bool in_logs = f->model->in_logs;
    double *room = ws_alloc((2 * p->n + 1) * sizeof *room), one = variance_of_one(f, p, fit, at->value);
    ws_fit_points moved = *p;
    ws_fit_result result = {.n_tests = 0};
    moved.x = room;
    moved.residual = room + p->n;
    for (size_t i = 0; i < p->n; i++)
        moved.x[i] = in_logs ? p->x[i] / at->x : p->x[i] - at->x;
    ws_status status = f->model->fit(&f->settings, &moved, &result, error);
    free(room);
    const ws_estimate *e = ws_fit_estimate(&result.fit, in_logs ? "factor" : "intercept");
    if (status != WS_OK || result.fit.status != WS_FIT_OK || !e || isnan(e->se))
        return status;
    double se = in_logs ? e->se / e->value : e->se, of_curve = se * se, all = of_curve + one;
    double df = all * all / (of_curve * of_curve / (e->df > 0 ? e->df : fit->df) + one * one / fit->df);
    double half = ws_student_quantile(f->settings.level, fmin(df, fit->df)) * sqrt(all); /* of the same residuals */
    at->ci_lo = e->ci_lo;
    at->ci_hi = e->ci_hi;
    /* the curve's own degrees of freedom may be fewer: a further run lies within no less */
    double lo = in_logs ? at->value * exp(-half) : at->value - half;
    double hi = in_logs ? at->value * exp(half) : at->value + half;
    at->lo = lo > at->ci_lo ? at->ci_lo : lo;
    at->hi = hi < at->ci_hi ? at->ci_hi : hi;
    return WS_OK;
}

/* Ends of intervals move out by what the energies are known to together. */
static void allow_for_energies(ws_prediction *at, double u, double level)
{
    double half = ws_normal_quantile(level) * u * at->value;
    if (!(u > 0))
        return;
    at->ci_lo = at->value - hypot(at->value - at->ci_lo, half);
    at->ci_hi = at->value + hypot(at->ci_hi - at->value, half);
    at->lo = at->value - hypot(at->value - at->lo, half);
    at->hi = at->value + hypot(at->hi - at->value, half);
}

static ws_status fit_predict_add(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, ws_error *error)
{
    ws_fit_result result;
    size_t n = f->settings.n_at;
    ws_prediction *predictions = ws_alloc(n * sizeof *predictions);
    ws_fit_points known = *p;
    known.energy_u = ws_fit_energy_u(f, p);
    ws_status status = ws_fit_model_run(f->model, &f->settings, &known, &result, error);
    if (status == WS_OK)
        status = ws_predict(&result.fit, p->x, p->n, f->settings.level, f->settings.at, n, predictions, error);
    if (status == WS_OK)
        ws_fit_note(f, group->label, result.fit.sentence);
    for (size_t i = 0; i < n && status == WS_OK; i++)
        if (f->model->is_linear && result.fit.status == WS_FIT_OK && !isnan(predictions[i].ci_lo))
            status = take_own_errors(f, p, &result.fit, &predictions[i], error);
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        const ws_prediction *at = &predictions[i];
        allow_for_energies(&predictions[i], known.energy_u, f->settings.level);
        const double values[] = {at->x, at->value, at->ci_lo, at->ci_hi, at->lo, at->hi, at->mean, at->beyond};
        const char *flag = flag_of(at, f->settings.beyond);
        size_t row = ws_table_add_row(f->out);
        ws_table_set_text(f->out, GROUP, row, group->label);
        ws_table_set_text(f->out, MODEL, row, result.fit.model);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            ws_table_set_number(f->out, X + v, row, values[v]);
        if (flag)
            ws_table_set_text(f->out, FLAG, row, flag);
        ws_table_set_text(f->out, STATUS, row, ws_fit_status_name(at->status));
        if (at->status == WS_FIT_NOT_POSITIVE && result.fit.status != WS_FIT_NOT_POSITIVE)
            note_undefined(f, group, at);
        if (at->beyond > f->settings.beyond)
            note_far(f, group, at);
    }
    free(predictions);
    return status;
}

static bool knows(const ws_fit_model *model)
{
    return ws_can_predict(model->name);
}

const ws_fit_view ws_fit_view_predict = {
    .option = "predict", .knows = knows, .init = fit_predict_init, .add = fit_predict_add};
