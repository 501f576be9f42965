/* Prediction from a fitted curve f(x; b), with g its gradient by b at the new x and J that at the fitted ones:
 *
 *     curve        f -+ t sigma sqrt(g' (J'J)^-1 g)
 *     measurement  f -+ t sigma sqrt(1 + g' (J'J)^-1 g)
 *
 * of ln f for fits in logs, and exp of the ends. The mean of y is then mean exp(residual) times the median (Duan 1983,
 * JASA 78). Where the points are means of configurations (fit/means.h) a further run varies by more than a mean does:
 * fit->one_more / sigma^2 joins the 1. Assumes what the fits assume, and that the curve goes on: far beyond the fitted
 * x nothing of this holds. Draper and Smith 1998, section 3.1. */
#include "fit/laws/predict.h"

#include "fit/laws/law.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <string.h>

static double gustafson_value(double x, const double *b, double *gradient)
{
    gradient[0] = -(x - 1);
    return x - b[0] * (x - 1);
}

static double lognormal_value(double x, const double *b, double *gradient)
{
    double lx = log(x), y = exp(b[0] + b[1] * lx + b[2] * lx * lx);
    gradient[0] = y;
    gradient[1] = y * lx;
    gradient[2] = y * lx * lx;
    return y;
}

/* Up to the break factor x^before; beyond, the other exponent counts from there. */
static double breakpoint_value(double x, const double *b, double *gradient)
{
    double lx = log(x), past = fmax(lx - b[3], 0), y = b[0] * exp(b[1] * (lx - past) + b[2] * past);
    gradient[0] = y / b[0];
    gradient[1] = y * (lx - past);
    gradient[2] = y * past;
    gradient[3] = past > 0 ? y * (b[1] - b[2]) : 0;
    return y;
}

static const char *const gustafson_names[] = {"serial-fraction"}, *const lognormal_names[] = {"c0", "c1", "c2"},
                         *const breakpoint_names[] = {"factor", "exponent-before", "exponent-after", "ln-breakpoint"};
static const ws_law_form gustafson = {"gustafson", gustafson_names, 1, 1, gustafson_value, NULL, .starts = NULL},
                         lognormal = {"lognormal", lognormal_names, 3, 3, lognormal_value, NULL, .starts = NULL},
                         breakpoint = {"breakpoint", breakpoint_names, 4, 4, breakpoint_value, NULL, .starts = NULL};

typedef struct curve {
    const char *model;
    const ws_law_form *form;
    bool any_x;   /* lines; laws begin above zero */
    bool in_logs; /* as the fit says, whose laws may be of y or of ln y */
    double b[WS_FIT_MAX_ESTIMATES];
} curve;

static const struct {
    const char *model;
    const ws_law_form *form;
    bool any_x;
} curves[] = {
    {"line", &ws_form_line, true},
    {"origin", &ws_form_origin, true},
    {"gustafson", &gustafson, false},
    {"lognormal", &lognormal, false},
    {"breakpoint", &breakpoint, false},
    {"theil-sen", &ws_form_line, true},
    {"huber", &ws_form_line, true},
    {"floor", &ws_form_floor, false},
    {"powerlaw", &ws_form_powerlaw_direct, false},
    {"usl", &ws_form_usl, false},
    {"powerlaw-direct", &ws_form_powerlaw_direct, false},
    {"amdahl", &ws_form_amdahl, false},
};

static bool find_curve(const char *model, curve *c)
{
    *c = (curve){.model = model};
    for (size_t i = 0; i < sizeof curves / sizeof *curves && !c->form; i++) {
        if (strcmp(curves[i].model, model) != 0)
            continue;
        c->form = curves[i].form;
        c->any_x = curves[i].any_x;
    }
    return c->form != NULL;
}

bool ws_can_predict(const char *model)
{
    curve c;
    return find_curve(model, &c);
}

/* The curve's value on the fitted scale and its gradient there. */
static double value_at(const void *state, double x, double *gradient)
{
    const curve *c = state;
    double value = c->form->value(x, c->b, gradient);
    if (!c->in_logs)
        return value;
    for (size_t j = 0; j < c->form->p; j++)
        gradient[j] /= value;
    return value > 0 ? log(value) : NAN;
}

static double quadratic(const ws_ls_detail *detail, const double *gradient, size_t p)
{
    long double sum = 0;
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++)
            sum += (long double)gradient[j] * detail->unscaled[j][k] * gradient[k];
    return (double)fmaxl(0, sum);
}

static double back(const curve *c, double value)
{
    double y = c->in_logs ? exp(value) : value;
    return isfinite(y) ? y : NAN;
}

static double beyond(const double *x, size_t n, double at)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    if (!(least > 0) || !(at > 0))
        return NAN;
    return at > most ? at / most : at < least ? least / at : 1;
}

static bool read_coefficients(curve *c, const ws_fit *fit)
{
    for (size_t j = 0; j < c->form->p; j++) {
        const ws_estimate *e = ws_fit_estimate(fit, c->form->name[j]);
        c->b[j] = e ? e->value : NAN;
        if (isnan(c->b[j]))
            return false;
    }
    return true;
}

/* Standard deviation behind the coefficients: sigma, but of a robust line what its own standard errors say. */
static double sigma_behind(const ws_fit *fit, const ws_ls_detail *detail)
{
    const ws_estimate *slope = ws_fit_estimate(fit, "slope");
    return fit->curve == WS_CURVE_HUBER ? slope->se / sqrt(detail->unscaled[1][1]) : fit->sigma;
}

ws_status ws_predict(const ws_fit *fit, const double *x, size_t n, double level, const double *at, size_t n_at,
                     ws_prediction *prediction, ws_error *error)
{
    curve of, *c = &of;
    if (!find_curve(fit->model, c))
        return ws_fail(error, WS_USAGE, "%s has no curve to predict from", fit->model);
    c->in_logs = ws_span_has_suffix(ws_span_of(fit->r2_kind), "in logs");
    double gradient[WS_FIT_MAX_ESTIMATES];
    ws_ls_detail detail = {.leverage = NULL};
    bool known = read_coefficients(c, fit);
    bool sure =
        known && fit->status == WS_FIT_OK && fit->df > 0 && ws_ls_tangent(value_at, c, c->form->p, x, n, &detail);
    const ws_estimate *smearing = ws_fit_estimate(fit, "smearing");
    double t = sure ? ws_student_quantile(level, fit->df) : NAN, behind = sure ? sigma_behind(fit, &detail) : NAN;
    for (size_t i = 0; i < n_at; i++) {
        bool in_range = c->any_x || at[i] > 0, defined = known && in_range;
        double value = defined ? value_at(c, at[i], gradient) : NAN;
        double share = sure && defined ? quadratic(&detail, gradient, c->form->p) : NAN;
        double half = t * behind * sqrt(share), times = behind / fit->sigma;
        double more = fit->one_more > 0 ? fit->one_more / (fit->sigma * fit->sigma) : 0;
        double wide = t * fit->sigma * sqrt(1 + times * times * share + more);
        prediction[i] = (ws_prediction){.x = at[i],
                                        .value = back(c, value),
                                        .ci_lo = back(c, value - half),
                                        .ci_hi = back(c, value + half),
                                        .lo = back(c, value - wide),
                                        .hi = back(c, value + wide),
                                        .beyond = beyond(x, n, at[i]),
                                        .status = known && !in_range ? WS_FIT_NOT_POSITIVE : fit->status};
        prediction[i].mean = !c->in_logs ? prediction[i].value : smearing ? smearing->value * prediction[i].value : NAN;
    }
    return WS_OK;
}
