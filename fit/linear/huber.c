/* Huber's M estimate of a line: residuals beyond k scales count as if they were k scales.
 *
 *     weight = min(1, k s / |e|), k = 1.345 (95 % efficient for normal errors), s = median |e| / 0.6745, iterated
 *
 * Standard errors by Huber's first formula, K^2 (sum psi^2 / (n - p)) / (mean psi')^2 (X'X)^-1 with
 * K = 1 + p/n var(psi') / (mean psi')^2: asymptotic, rough below 20 points. Bad y are tamed; a bad x still has its
 * leverage. Huber 1981, Robust Statistics, section 7.6. As statsmodels' RLM. */
#include "fit/linear/robust.h"

#include "core/arena.h"
#include "fit/linear/least_squares.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_STEPS = 2000, ROUGH_BELOW = 20 };
static const double tuning = 1.345, normal_quartile = 0.67448975019608171;

static ws_status weighted_line(const double *x, const double *y, size_t n, const double *weight, double level,
                               ws_fit *fit, ws_error *error)
{
    static const char *const names[] = {"intercept", "slope"};
    double *scaled = ws_realloc(NULL, 3 * n, sizeof *scaled);
    for (size_t i = 0; i < n; i++) {
        double root = sqrt(weight[i]);
        scaled[i] = root;
        scaled[n + i] = root * x[i];
        scaled[2 * n + i] = root * y[i];
    }
    const double *const column[] = {scaled, scaled + n};
    const ws_ls_input in = {.column = column, .name = names, .p = 2, .y = scaled + 2 * n, .n = n, .level = level};
    ws_fit_begin(fit, "huber", "none", n);
    ws_status status = ws_ls_fit(&in, fit, NULL, error);
    free(scaled);
    return status;
}

/* The scale of the residuals; weights from it. */
static double reweigh(const double *rest, size_t n, double *weight)
{
    for (size_t i = 0; i < n; i++)
        weight[i] = fabs(rest[i]);
    double scale = ws_median(weight, n) / normal_quartile;
    for (size_t i = 0; i < n; i++)
        weight[i] = fabs(rest[i]) <= tuning * scale ? 1 : tuning * scale / fabs(rest[i]);
    return scale;
}

/* Until the line stands still. False where the scale is rounding (noise) or nothing settles. */
static bool iterate(const double *x, const double *y, size_t n, double noise, ws_fit *line, double *rest,
                    double *weight, double *scale)
{
    double before[2] = {NAN, NAN};
    for (int step = 0; step < MOST_STEPS; step++) {
        double a = line->estimate[0].value, b = line->estimate[1].value;
        for (size_t i = 0; i < n; i++)
            rest[i] = y[i] - a - b * x[i];
        *scale = reweigh(rest, n, weight);
        if (!(*scale > noise))
            return false;
        if (fabs(a - before[0]) <= 1e-13 * fabs(a) + 1e-12 * *scale && fabs(b - before[1]) <= 1e-13 * fabs(b))
            return true;
        before[0] = a;
        before[1] = b;
        if (weighted_line(x, y, n, weight, 0.5, line, NULL) != WS_OK || !ws_ls_has_values(line))
            return false;
    }
    return false;
}

static void set_errors(ws_fit *fit, const double *x, const double *rest, double scale, double level)
{
    long double psi2 = 0, inside = 0, mean = 0, sxx = 0, n = (long double)fit->n;
    for (size_t i = 0; i < fit->n; i++) {
        long double u = fminl(fabsl((long double)rest[i] / scale), tuning);
        psi2 += u * u;
        inside += fabsl((long double)rest[i]) <= tuning * (long double)scale;
        mean += x[i] / n;
    }
    for (size_t i = 0; i < fit->n; i++)
        sxx += (x[i] - mean) * (x[i] - mean);
    long double share = inside / n, correction = 1 + 2 / n * (share * (1 - share)) / (share * share);
    long double variance = correction * correction * psi2 * scale * scale / (n - 2) / (share * share);
    fit->estimate[0].se = (double)sqrtl(variance * (1 / n + mean * mean / sxx));
    fit->estimate[1].se = (double)sqrtl(variance / sxx);
    ws_estimate_infer(&fit->estimate[0], fit->df, level);
    ws_estimate_infer(&fit->estimate[1], fit->df, level);
}

static void say_huber(ws_fit *fit, const double *weight, double level)
{
    const ws_estimate *a = &fit->estimate[0], *b = a + 1;
    size_t low = 0;
    for (size_t i = 0; i < fit->n; i++)
        low += weight[i] < 0.5;
    ws_say(fit->sentence, sizeof fit->sentence, "slope %s (%s: %s to %s), intercept %s",
           ws_words_with_error(b->value, b->se).text, ws_words_level(level).text,
           ws_words_to_error(b->ci_lo, b->se).text, ws_words_to_error(b->ci_hi, b->se).text,
           ws_words_with_error(a->value, a->se).text);
    ws_fit_say_points(fit, "x");
    ws_say(fit->sentence, sizeof fit->sentence, ", %zu of them with less than half their weight", low);
    if (fit->n < ROUGH_BELOW)
        ws_say(fit->sentence, sizeof fit->sentence, "; such intervals are rough below %d points", ROUGH_BELOW);
}

static void huber_give_up(ws_fit *fit, const ws_fit *line, bool scale_is_zero, double *residual, double *weight)
{
    ws_fit_begin(fit, "huber", "none", line->n);
    fit->status = line->status != WS_FIT_OK ? line->status : scale_is_zero ? WS_FIT_PERFECT : WS_FIT_NOT_CONVERGED;
    ws_fit_add(fit, "intercept", NAN, NAN);
    ws_fit_add(fit, "slope", NAN, NAN);
    for (size_t i = 0; i < fit->n; i++) {
        if (residual)
            residual[i] = NAN;
        if (weight)
            weight[i] = NAN;
    }
    ws_say(fit->sentence, sizeof fit->sentence, "%s",
           line->status != WS_FIT_OK ? line->sentence
           : scale_is_zero ? "more than half of the points lie on one line within rounding: the scale of the errors is "
                             "zero"
                           : "the weights did not settle");
}

ws_status ws_fit_huber(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                       double *weight, ws_error *error)
{
    ws_fit line;
    ws_fit_begin(fit, "huber", "none", n);
    ws_status status = ws_fit_line(x, y, n, level, &line, NULL, error);
    if (status != WS_OK)
        return status;
    double *rest = ws_realloc(NULL, 2 * n + 1, sizeof *rest), *w = rest + n, scale = NAN, largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(y[i]));
    ws_fit start = line;
    bool settled = line.status == WS_FIT_OK && iterate(x, y, n, 16 * DBL_EPSILON * largest, &start, rest, w, &scale);
    if (!settled) {
        huber_give_up(fit, &line, !(scale > 16 * DBL_EPSILON * largest), residual, weight);
        free(rest);
        return WS_OK;
    }
    fit->status = WS_FIT_OK;
    fit->df = (double)n - 2;
    fit->n_x = line.n_x;
    fit->sigma = scale;
    fit->rss = 0;
    ws_fit_add(fit, "intercept", start.estimate[0].value, NAN);
    ws_fit_add(fit, "slope", start.estimate[1].value, NAN);
    for (size_t i = 0; i < n; i++) {
        fit->rss += rest[i] * rest[i];
        if (residual)
            residual[i] = rest[i];
        if (weight)
            weight[i] = w[i];
    }
    set_errors(fit, x, rest, scale, level);
    say_huber(fit, w, level);
    free(rest);
    return WS_OK;
}
