/* Deming's line: errors in both coordinates with one known ratio lambda = var(error of y) / var(error of x).
 *
 *     slope = (syy - lambda sxx + sqrt((syy - lambda sxx)^2 + 4 lambda sxy^2)) / (2 sxy)
 *
 * Between the regressions of y on x (lambda endless) and of x on y (lambda 0), which bound it where lambda is not
 * known. Standard errors by the jackknife, as no formula is good for few points (Linnet 1993, Clinical Chemistry 39);
 * Student's t with n - 2 degrees of freedom. */
#include "fit/linear/errors_in_both.h"

#include "fit/linear/least_squares.h"

#include <math.h>

typedef struct moments {
    long double x, y, sxx, sxy, syy;
} moments;

/* `skip`: a point to leave out; n for none. */
static moments moments_of(const double *x, const double *y, size_t n, size_t skip)
{
    moments m = {0};
    long double count = (long double)(skip < n ? n - 1 : n);
    for (size_t i = 0; i < n; i++)
        if (i != skip) {
            m.x += x[i] / count;
            m.y += y[i] / count;
        }
    for (size_t i = 0; i < n; i++)
        if (i != skip) {
            m.sxx += (x[i] - m.x) * (x[i] - m.x);
            m.sxy += (x[i] - m.x) * (y[i] - m.y);
            m.syy += (y[i] - m.y) * (y[i] - m.y);
        }
    return m;
}

/* The larger root, written so that nothing cancels. */
static long double slope_of(const moments *m, double lambda)
{
    long double d = m->syy - lambda * m->sxx, root = sqrtl(d * d + 4 * lambda * m->sxy * m->sxy);
    return d > 0 ? (d + root) / (2 * m->sxy) : 2 * lambda * m->sxy / (root - d);
}

static void jackknife(const double *x, const double *y, size_t n, double lambda, double *se_a, double *se_b)
{
    long double sum_a = 0, sum_b = 0, squares_a = 0, squares_b = 0, count = (long double)n;
    moments all = moments_of(x, y, n, n);
    long double b0 = slope_of(&all, lambda), a0 = all.y - b0 * all.x;
    for (size_t i = 0; i < n; i++) {
        moments m = moments_of(x, y, n, i);
        long double b = slope_of(&m, lambda) - b0, a = m.y - (b + b0) * m.x - a0;
        sum_a += a;
        sum_b += b;
        squares_a += a * a;
        squares_b += b * b;
    }
    *se_a = (double)sqrtl((count - 1) / count * (squares_a - sum_a * sum_a / count));
    *se_b = (double)sqrtl((count - 1) / count * (squares_b - sum_b * sum_b / count));
}

static void deming_give_up(ws_fit *fit, ws_fit_status status, double *residual)
{
    fit->status = status;
    ws_fit_add(fit, "intercept", NAN, NAN);
    ws_fit_add(fit, "slope", NAN, NAN);
    for (size_t i = 0; residual && i < fit->n; i++)
        residual[i] = NAN;
    if (status == WS_FIT_TOO_FEW)
        ws_say(fit->sentence, sizeof fit->sentence, "%zu point%s: a line needs two", fit->n, fit->n == 1 ? "" : "s");
    else if (status == WS_FIT_CONSTANT)
        ws_say(fit->sentence, sizeof fit->sentence, "x or y does not vary over the %zu points: no line through both",
               fit->n);
    else
        ws_say(fit->sentence, sizeof fit->sentence, "x and y do not go together at all, so every slope fits as well");
}

static void deming_finish(const double *x, const double *y, size_t n, double lambda, double level, ws_fit *fit)
{
    double se_a = NAN, se_b = NAN;
    bool perfect = fit->status == WS_FIT_PERFECT;
    if (n > 2 && !perfect)
        jackknife(x, y, n, lambda, &se_a, &se_b);
    fit->estimate[0].se = isfinite(se_a) ? se_a : NAN;
    fit->estimate[1].se = isfinite(se_b) ? se_b : NAN;
    for (size_t j = 0; j < 2; j++)
        ws_estimate_infer(&fit->estimate[j], fit->df, level);
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    ws_say(text, size, "slope %s, intercept %s with lambda %s",
           ws_words_with_error(fit->estimate[1].value, fit->estimate[1].se).text,
           ws_words_with_error(fit->estimate[0].value, fit->estimate[0].se).text, ws_words_number(lambda).text);
    ws_fit_say_points(fit, "x");
    if (n == 2)
        ws_say(text, size, ", met exactly: standard errors are undefined");
    else if (perfect)
        ws_say(text, size, ", all met within rounding: standard errors are undefined");
    else if (isnan(fit->estimate[1].se))
        ws_say(text, size, "; one point settles the slope alone: standard errors are undefined");
}

ws_status ws_fit_deming(const double *x, const double *y, size_t n, double lambda, double level, ws_fit *fit,
                        double *residual, ws_error *error)
{
    ws_fit line;
    ws_fit_begin(fit, "deming", "none", n);
    if (!(lambda > 0) || !isfinite(lambda))
        return ws_fail(error, WS_USAGE, "lambda %s is not a ratio of variances; 1 for errors of the same size",
                       ws_words_number(lambda).text);
    ws_status status = ws_fit_line(x, y, n, level, &line, NULL, error);
    if (status != WS_OK)
        return status;
    if (n < 2 || ws_fit_is_constant(x, n) || ws_fit_is_constant(y, n)) {
        deming_give_up(fit, n < 2 ? WS_FIT_TOO_FEW : WS_FIT_CONSTANT, residual);
        return WS_OK;
    }
    moments m = moments_of(x, y, n, n);
    long double b = slope_of(&m, lambda), a = m.y - b * m.x, rss = 0;
    if (m.sxy == 0 || !isfinite((double)b)) {
        deming_give_up(fit, WS_FIT_NOT_IDENTIFIED, residual);
        return WS_OK;
    }
    for (size_t i = 0; i < n; i++) {
        long double e = y[i] - a - b * x[i];
        rss += e * e;
        if (residual)
            residual[i] = (double)e;
    }
    fit->status = n == 2 ? WS_FIT_EXACT : line.status == WS_FIT_PERFECT ? WS_FIT_PERFECT : WS_FIT_OK;
    fit->df = (double)n - 2;
    fit->n_x = line.n_x;
    fit->rss = (double)rss;
    fit->sigma = n > 2 ? sqrt(fit->rss / fit->df) : NAN;
    ws_fit_add(fit, "intercept", (double)a, NAN);
    ws_fit_add(fit, "slope", (double)b, NAN);
    deming_finish(x, y, n, lambda, level, fit);
    return WS_OK;
}
