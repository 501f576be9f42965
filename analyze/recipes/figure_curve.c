/* Fitted curves and their bands, sampled for drawing. */
#include "analyze/recipes/figure_series.h"

#include "core/arena.h"
#include "fit/laws/laws.h"
#include "fit/laws/predict.h"
#include "fit/linear/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef ws_status fit_function(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                               ws_error *error);
typedef void band_function(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                           double *lo, double *hi);

/* Laws in logs, whose bands are those of `wattscale fit --predict`. */
static ws_status fit_usl(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                         ws_error *error)
{
    const ws_law_input in = {.x = x, .y = y, .n = n, .level = level, .in_logs = true, .without_loocv = true};
    return ws_fit_usl_bounded(&in, fit, residual, error);
}

static ws_status fit_floor(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                           ws_error *error)
{
    const ws_law_input in = {.x = x, .y = y, .n = n, .level = level, .in_logs = true, .without_loocv = true};
    return ws_fit_floor(&in, fit, residual, error);
}

static void band_of_law(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                        double *lo, double *hi)
{
    ws_prediction *p = ws_alloc((n_at + 1) * sizeof *p);
    bool known = ws_predict(fit, x, fit->n, level, at, n_at, p, NULL) == WS_OK;
    for (size_t i = 0; i < n_at; i++) {
        y[i] = known ? p[i].value : NAN;
        lo[i] = known ? p[i].ci_lo : NAN;
        hi[i] = known ? p[i].ci_hi : NAN;
    }
    free(p);
}

static const struct {
    const char *name;
    fit_function *fit;
    band_function *band;
    bool in_logs; /* sampled evenly in the logarithm of x */
} models[] = {
    {"line", ws_fit_line_unequal, ws_band_line, false},
    {"origin", ws_fit_origin_unequal, ws_band_origin, false},
    {"mean-of-ratios", ws_fit_origin_unequal, ws_band_ratio, false},
    {"powerlaw", ws_fit_powerlaw_unequal, ws_band_powerlaw, true},
    {"usl", fit_usl, band_of_law, true},
    {"floor", fit_floor, band_of_law, true},
};
enum { N_MODELS = sizeof models / sizeof *models };

static size_t model_index(const char *name)
{
    size_t i = 0;
    while (i < N_MODELS && strcmp(models[i].name, name) != 0)
        i++;
    return i;
}

bool ws_curve_model_exists(const char *model)
{
    return model_index(model) < N_MODELS;
}

bool ws_curve_is_in_logs(const char *model)
{
    size_t i = model_index(model);
    return i < N_MODELS && models[i].in_logs;
}

/* With one degree of freedom Student's t is 12.7: a band that spans decades, and covers what else is in the panel. */
enum { N_PLACES = 64, LEAST_DF = 2 };

static void choose_places(double lo, double hi, bool in_logs, double *at)
{
    for (size_t i = 0; i < N_PLACES; i++) {
        double share = (double)i / (N_PLACES - 1);
        at[i] = in_logs ? lo * pow(hi / lo, share) : lo + (hi - lo) * share;
    }
    at[N_PLACES - 1] = hi;
}

ws_status ws_curve_add(ws_figure *figure, ws_panel *panel, const ws_drawn_curve *curve, const ws_points *points,
                       ws_fit *fit, ws_error *error)
{
    double at[N_PLACES], y[N_PLACES], lo[N_PLACES], hi[N_PLACES];
    size_t model = model_index(curve->model);
    if (model == N_MODELS)
        return ws_fail(error, WS_USAGE, "the model must be line, origin, powerlaw, usl or floor, not '%s'",
                       curve->model);
    ws_status status = models[model].fit(points->x, points->y, points->n, curve->level, fit, NULL, error);
    if (status != WS_OK || !points->n)
        return status;
    choose_places(curve->from_zero ? 0 : points->x[0], points->x[points->n - 1], models[model].in_logs, at);
    models[model].band(fit, points->x, curve->level, at, N_PLACES, y, lo, hi);
    if (!isfinite(y[0]) || !isfinite(y[N_PLACES - 1]))
        return WS_OK;
    bool is_known = curve->is_wanted || fit->df >= LEAST_DF;
    bool has_band = curve->has_band && is_known && isfinite(lo[N_PLACES - 1]) && isfinite(hi[N_PLACES - 1]);
    unsigned kind = WS_LAYER_LINE | (has_band ? WS_LAYER_BAND : 0U);
    ws_layer *layer =
        ws_panel_add_layer(figure, panel, *curve->label ? curve->label : NULL, kind, curve->style, N_PLACES, at, y);
    if (has_band)
        ws_layer_set_range(figure, layer, lo, hi);
    return WS_OK;
}
