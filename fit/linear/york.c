/* The best straight line with errors in both coordinates.
 *
 *     W_i = w_xi w_yi / (w_xi + b^2 w_yi - 2 b r_i sqrt(w_xi w_yi)),  w = 1 / sd^2
 *     b = sum W beta V / sum W beta U,  U = x - mean, V = y - mean (weighted by W),
 *     beta_i = W_i (U / w_yi + b V / w_xi - (b U + V) r_i / sqrt(w_xi w_yi)),  iterated; a = mean y - b mean x
 *     S = sum W (y - a - b x)^2, about chi2 with n - 2 degrees of freedom
 *
 * Standard errors from the adjusted points. York, Evensen, Lopez Martinez and De Basabe Delgado 2004, American Journal
 * of Physics 72, equations 13. Assumes normal errors with the deviations given. */
#include "fit/linear/errors_in_both.h"

#include "core/arena.h"
#include "fit/linear/least_squares.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_STEPS = 500 };

static const char *const names[] = {"intercept", "slope", "intercept-scaled", "slope-scaled"};

typedef struct york {
    const ws_york_input *in;
    long double *weight, *beta; /* of each point, for the slope b */
    long double x, y, a, b;
} york;

static double correlation_of(const ws_york_input *in, size_t i)
{
    return in->correlation ? in->correlation[i] : 0;
}

/* One step: weights for the slope at hand, and the slope that follows from them. */
static long double next_slope(york *f)
{
    const ws_york_input *in = f->in;
    long double sum = 0, above = 0, below = 0;
    f->x = f->y = 0;
    for (size_t i = 0; i < in->n; i++) {
        long double vx = (long double)in->sd_x[i] * in->sd_x[i], vy = (long double)in->sd_y[i] * in->sd_y[i],
                    cov = correlation_of(in, i) * (long double)in->sd_x[i] * in->sd_y[i];
        f->weight[i] = 1 / (vy + f->b * f->b * vx - 2 * f->b * cov);
        sum += f->weight[i];
        f->x += f->weight[i] * in->x[i];
        f->y += f->weight[i] * in->y[i];
    }
    f->x /= sum;
    f->y /= sum;
    for (size_t i = 0; i < in->n; i++) {
        long double vx = (long double)in->sd_x[i] * in->sd_x[i], vy = (long double)in->sd_y[i] * in->sd_y[i],
                    cov = correlation_of(in, i) * (long double)in->sd_x[i] * in->sd_y[i];
        long double u = in->x[i] - f->x, v = in->y[i] - f->y;
        f->beta[i] = f->weight[i] * (u * vy + f->b * v * vx - (f->b * u + v) * cov);
        above += f->weight[i] * f->beta[i] * v;
        below += f->weight[i] * f->beta[i] * u;
    }
    return above / below;
}

static bool iterate(york *f)
{
    for (int step = 0; step < MOST_STEPS; step++) {
        long double b = next_slope(f), off = fabsl(b - f->b);
        f->b = b;
        if (!isfinite((double)b))
            return false;
        if (off <= 4 * (long double)DBL_EPSILON * fabsl(b) || off == 0) {
            next_slope(f);
            f->a = f->y - f->b * f->x;
            return true;
        }
    }
    return false;
}

static void add_estimates(const york *f, ws_fit *fit)
{
    const ws_york_input *in = f->in;
    long double sum = 0, mean = 0, squares = 0, s = 0;
    for (size_t i = 0; i < in->n; i++) {
        long double e = in->y[i] - f->a - f->b * in->x[i];
        sum += f->weight[i];
        mean += f->weight[i] * f->beta[i]; /* adjusted x less the mean of x */
        s += f->weight[i] * e * e;
    }
    mean /= sum;
    for (size_t i = 0; i < in->n; i++)
        squares += f->weight[i] * (f->beta[i] - mean) * (f->beta[i] - mean);
    long double adjusted = f->x + mean, var_b = 1 / squares, var_a = 1 / sum + adjusted * adjusted * var_b;
    fit->df = (double)in->n - 2;
    fit->rss = (double)s;
    fit->sigma = fit->df > 0 ? sqrt(fit->rss / fit->df) : NAN;
    for (size_t j = 0; j < 4; j++) {
        double se = (double)sqrtl(j % 2 ? var_b : var_a) * (j < 2 ? 1 : fit->sigma);
        ws_estimate *e = ws_fit_add(fit, names[j], (double)(j % 2 ? f->b : f->a), se);
        ws_estimate_infer(e, j < 2 ? INFINITY : fit->df, in->level);
    }
}

static void york_give_up(ws_fit *fit, ws_fit_status status, double *residual)
{
    fit->status = status;
    for (size_t j = 0; j < 4; j++)
        ws_fit_add(fit, names[j], NAN, NAN);
    for (size_t i = 0; residual && i < fit->n; i++)
        residual[i] = NAN;
    if (status == WS_FIT_TOO_FEW)
        ws_say(fit->sentence, sizeof fit->sentence, "%zu point%s: a line needs two", fit->n, fit->n == 1 ? "" : "s");
    else if (status == WS_FIT_CONSTANT)
        ws_say(fit->sentence, sizeof fit->sentence, "x does not vary over the %zu points, so there is no slope",
               fit->n);
    else
        ws_say(fit->sentence, sizeof fit->sentence,
               "the line did not settle: the errors of x and y are too large to tell its slope");
}

static void say_york(ws_fit *fit, double chi2_p)
{
    const ws_estimate *a = &fit->estimate[0], *b = a + 1;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    ws_say(text, size, "slope %s, intercept %s", ws_words_with_error(b->value, b->se).text,
           ws_words_with_error(a->value, a->se).text);
    ws_fit_say_points(fit, "x");
    if (fit->status == WS_FIT_EXACT)
        ws_say(text, size, ", met exactly: the given errors cannot be checked, scaled ones are undefined");
    else
        ws_say(text, size, ", chi2 %s for %s degrees of freedom (%s)%s", ws_words_number(fit->rss).text,
               ws_words_number(fit->df).text, ws_words_p(chi2_p).text,
               chi2_p < 0.05 ? ": the points scatter more than their errors say" : "");
    if (fit->status == WS_FIT_PERFECT)
        ws_say(text, size, "; all met within rounding: scaled errors mean nothing");
}

static ws_status york_check(const ws_york_input *in, ws_error *error)
{
    ws_status status = ws_fit_check(in->x, in->y, in->n, in->level, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("sd of x", in->sd_x, in->n, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("sd of y", in->sd_y, in->n, error);
    for (size_t i = 0; status == WS_OK && i < in->n; i++) {
        if (!(in->sd_x[i] > 0) || !(in->sd_y[i] > 0))
            return ws_fail(error, WS_DATA,
                           "a standard deviation of point %zu is not above zero; without errors of x use a weighted "
                           "line",
                           i + 1);
        if (!(fabs(correlation_of(in, i)) < 1))
            return ws_fail(error, WS_DATA, "the errors' correlation of point %zu does not lie between -1 and 1", i + 1);
    }
    return status;
}

ws_status ws_fit_york(const ws_york_input *in, ws_fit *fit, double *chi2_p, double *residual, ws_error *error)
{
    ws_fit_begin(fit, "york", "none", in->n);
    *chi2_p = NAN;
    ws_status status = york_check(in, error);
    if (status != WS_OK)
        return status;
    ws_fit line;
    if (in->n < 2 || ws_fit_is_constant(in->x, in->n)) {
        york_give_up(fit, in->n < 2 ? WS_FIT_TOO_FEW : WS_FIT_CONSTANT, residual);
        return WS_OK;
    }
    status = ws_fit_line(in->x, in->y, in->n, in->level, &line, NULL, error);
    if (status != WS_OK)
        return status;
    york f = {.in = in, .weight = ws_realloc(NULL, 2 * in->n, sizeof(long double)), .b = line.estimate[1].value};
    f.beta = f.weight + in->n;
    if (!iterate(&f)) {
        york_give_up(fit, WS_FIT_NOT_CONVERGED, residual);
    } else {
        add_estimates(&f, fit);
        fit->n_x = line.n_x;
        if (!isfinite(fit->rss) || !isfinite(fit->estimate[0].se) || !isfinite(fit->estimate[1].se) ||
            !isfinite(fit->estimate[1].value)) {
            free(f.weight);
            return ws_fail(error, WS_DATA,
                           "the values are too far apart for their errors; express them in another unit");
        }
        bool perfect = line.status == WS_FIT_PERFECT || line.status == WS_FIT_CONSTANT;
        fit->status = in->n == 2 ? WS_FIT_EXACT : perfect ? WS_FIT_PERFECT : WS_FIT_OK;
        if (fit->df > 0)
            *chi2_p = ws_chi2_upper(fit->rss, fit->df);
        for (size_t i = 0; residual && i < in->n; i++)
            residual[i] = (double)((in->y[i] - f.a - f.b * in->x[i]) * sqrtl(f.weight[i]));
        say_york(fit, *chi2_p);
    }
    free(f.weight);
    return WS_OK;
}
