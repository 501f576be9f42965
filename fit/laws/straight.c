/* y = intercept + slope x, or slope x alone, with errors in proportion to y: what `line` and `origin` are where laws
 * are compared in logarithms. Through the origin ln slope is the mean of ln y - ln x. */
#include "fit/laws/law.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>

static double line_value(double x, const double *b, double *gradient)
{
    gradient[0] = 1;
    gradient[1] = x;
    return b[0] + b[1] * x;
}

static double origin_value(double x, const double *b, double *gradient)
{
    gradient[0] = x;
    return b[0] * x;
}

/* By least squares of y, of y in shares of itself, and through the origin. */
static size_t line_starts(const double *x, const double *y, size_t n, double *start)
{
    double *share = ws_realloc(NULL, 3 * n, sizeof *share), ln_slope = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        share[i] = 1 / y[i];
        share[n + i] = x[i] / y[i];
        share[2 * n + i] = 1;
        ln_slope += log(y[i] / x[i]) / (double)n;
    }
    const double *const plain[] = {NULL, x}, *const shares[] = {share, share + n};
    count += ws_law_start(shares, 2, share + 2 * n, n, start);
    count += ws_law_start(plain, 2, y, n, start + 2 * count);
    start[2 * count] = 0;
    start[2 * count++ + 1] = exp(ln_slope);
    free(share);
    return count;
}

static size_t origin_starts(const double *x, const double *y, size_t n, double *start)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += log(y[i] / x[i]);
    start[0] = exp(sum / (double)n);
    return 1;
}

static const char *const line_names[] = {"intercept", "slope"}, *const origin_names[] = {"slope"};
const ws_law_form ws_form_line = {"line", line_names, 2, 2, line_value, NULL, .starts = line_starts};
const ws_law_form ws_form_origin = {"origin", origin_names, 1, 1, origin_value, NULL, .starts = origin_starts};

ws_status ws_fit_straight(const ws_law_input *in, bool from_origin, ws_fit *fit, ws_error *error)
{
    ws_nls_detail detail;
    ws_law_input logs = *in;
    logs.in_logs = true;
    return ws_law_fit(from_origin ? &ws_form_origin : &ws_form_line, &logs, fit, NULL, &detail, error);
}
