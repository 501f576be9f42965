/* Where the effects of two predictors cancel: d x_j / d x_i = -b_i / b_j.
 *
 *     se^2 = (var b_i - 2 r cov + r^2 var b_j) / b_j^2,  r = b_i / b_j   (delta method)
 *
 * Fieller 1954, JRSS B 16: all r with (b_i - r b_j)^2 <= t^2 (var b_i - 2 r cov + r^2 var b_j); an interval only where
 * b_j differs from zero at that level. It is exact for normal errors, the delta method is not. */
#include "fit/linear/effects.h"

#include "core/arena.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <string.h>

enum { MAX = WS_FIT_MAX_ESTIMATES };

bool ws_fieller(double a, double b, double var_a, double cov, double var_b, double t, double *lo, double *hi)
{
    double square = b * b - t * t * var_b, half = a * b - t * t * cov, rest = a * a - t * t * var_a;
    double root = half * half - square * rest;
    *lo = *hi = NAN;
    if (!(square > 0) || !(root >= 0))
        return false;
    *lo = (half - sqrt(root)) / square;
    *hi = (half + sqrt(root)) / square;
    return isfinite(*lo) && isfinite(*hi);
}

static void compute(const ws_fit *fit, const ws_ls_detail *detail, size_t i, size_t j, double level, ws_turnover *out)
{
    double s2 = fit->sigma * fit->sigma, a = fit->estimate[i].value, b = fit->estimate[j].value, r = a / b, lo, hi;
    double vaa = s2 * detail->unscaled[i][i], vab = s2 * detail->unscaled[i][j], vbb = s2 * detail->unscaled[j][j];
    char *text = out->sentence;
    size_t size = sizeof out->sentence;
    double se = sqrt(fmax(0, vaa - 2 * r * vab + r * r * vbb)) / fabs(b);
    if (!isfinite(r) || !isfinite(1 / b) || !isfinite(se)) {
        out->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(text, size, "%s has no effect to turn over against: the ratio is undefined", fit->estimate[j].name);
        return;
    }
    out->value = -r;
    out->se = se;
    out->is_bounded = ws_fieller(a, b, vaa, vab, vbb, ws_student_quantile(level, fit->df), &lo, &hi);
    ws_say(text, size, "y stays the same where %s changes by %s for one of %s", fit->estimate[j].name,
           ws_words_with_error(out->value, out->se).text, fit->estimate[i].name);
    if (out->is_bounded) {
        out->ci_lo = -hi;
        out->ci_hi = -lo;
        ws_say(text, size, " (%s: %s to %s)", ws_words_level(level).text, ws_words_to_error(out->ci_lo, out->se).text,
               ws_words_to_error(out->ci_hi, out->se).text);
    } else {
        ws_say(text, size, "; no interval, since the effect of %s may be zero", fit->estimate[j].name);
    }
}

ws_status ws_regression_turnover(const double *const *columns, const char *const *names, size_t k, const double *y,
                                 size_t n, size_t i, size_t j, double level, ws_turnover *out, ws_error *error)
{
    const double *column[MAX] = {NULL};
    const char *name[MAX] = {"intercept"};
    ws_fit fit;
    memset(out, 0, sizeof *out);
    out->value = out->se = out->ci_lo = out->ci_hi = NAN;
    if (i >= k || j >= k || i == j)
        return ws_fail(error, WS_USAGE, "a ratio is of two of the %zu predictors, not of numbers %zu and %zu", k, i + 1,
                       j + 1);
    ws_status status = ws_fit_regression(columns, names, k, y, n, level, &fit, NULL, error);
    if (status != WS_OK)
        return status;
    out->status = fit.status;
    if (fit.status != WS_FIT_OK) {
        ws_say(out->sentence, sizeof out->sentence, "%s", fit.sentence);
        return WS_OK;
    }
    for (size_t m = 0; m < k; m++) {
        column[m + 1] = columns[m];
        name[m + 1] = names[m];
    }
    const ws_ls_input in = {.column = column, .name = name, .p = k + 1, .y = y, .n = n, .level = level};
    ws_ls_detail detail = {.leverage = NULL};
    ws_fit_begin(&fit, "turnover", "centred", n);
    status = ws_ls_fit_detail(&in, &fit, NULL, &detail, error);
    if (status == WS_OK)
        compute(&fit, &detail, i + 1, j + 1, level, out);
    return status;
}
