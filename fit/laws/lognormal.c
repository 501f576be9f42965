/* ln y = c0 + c1 ln x + c2 (ln x)^2: a parabola in logs, for c2 < 0 the shape of a log-normal density,
 *
 *     y = A exp(-(ln x - mu)^2 / (2 sigma2)),  mu = -c1 / (2 c2),  sigma2 = -1 / (2 c2)
 *
 * one reading of the "log-normal" that Frey et al. 2022 set against the power law without defining it; the other
 * reading, errors of log-normal law, is vuong.c. The power law is nested in it: t of c2 is the root of the F between
 * the two. Assumes errors in proportion to y. */
#include "fit/laws/laws.h"

#include "core/arena.h"
#include "fit/laws/law.h"
#include "fit/linear/least_squares.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_X = 4 };
static const char *const names[] = {"c0", "c1", "c2"};

static void add_shape(ws_fit *fit, const ws_ls_detail *solved, double level)
{
    ws_nls_detail detail = {.repeat_df = 0};
    double c1 = fit->estimate[1].value, c2 = fit->estimate[2].value;
    for (size_t j = 0; j < 3; j++)
        for (size_t k = 0; k < 3; k++)
            detail.covariance[j][k] = solved->unscaled[j][k] * fit->sigma * fit->sigma;
    const double by_mu[] = {0, -1 / (2 * c2), c1 / (2 * c2 * c2)}, by_sigma2[] = {0, 0, 1 / (2 * c2 * c2)};
    ws_law_add(fit, "mu", -c1 / (2 * c2), by_mu, 3, &detail, level);
    ws_law_add(fit, "sigma2", -1 / (2 * c2), by_sigma2, 3, &detail, level);
}

static void say_lognormal(ws_fit *fit, double level)
{
    const ws_estimate *bend = &fit->estimate[2];
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (fit->status == WS_FIT_CONSTANT) {
        ws_say(text, size, "y is the same in all %zu points: no shape, R2 and likelihood are undefined", fit->n);
        return;
    }
    ws_say(text, size, "bend c2 %s", ws_ls_words(fit, bend).text);
    if (fit->status == WS_FIT_OK)
        ws_say(text, size, " (%s): %s", ws_words_p(bend->p_value).text,
               bend->p_value >= 1 - level ? "a power law does as well"
               : bend->value < 0          ? "shaped as a log-normal curve"
                                          : "bent the other way, which is no log-normal curve");
    if (isnan(fit->estimate[3].value))
        ws_say(text, size, "; mu and sigma2 are undefined without a bend");
    ws_ls_say_quality(fit, "x", " in logs");
}

ws_status ws_fit_lognormal(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_fit_begin(fit, "lognormal", "centred, in logs", in->n);
    ws_status status = ws_fit_check(in->x, in->y, in->n, in->level, error);
    if (status != WS_OK)
        return status;
    bool refused =
        ws_fit_refuse_logs(in->x, in->y, "a log-normal curve", fit) || ws_law_refuse_few(in->x, LEAST_X, fit);
    double *ln_x = ws_realloc(NULL, 3 * in->n + 1, sizeof *ln_x), *square = ln_x + in->n, *ln_y = square + in->n;
    for (size_t i = 0; i < in->n; i++) {
        ln_x[i] = log(in->x[i]);
        square[i] = ln_x[i] * ln_x[i];
        ln_y[i] = log(in->y[i]);
        if (refused && residual)
            residual[i] = NAN;
    }
    const double *const column[] = {NULL, ln_x, square};
    const ws_ls_input ls = {.column = column,
                            .name = names,
                            .p = 3,
                            .y = ln_y,
                            .n = in->n,
                            .level = in->level,
                            .rounding = 4 * DBL_EPSILON};
    ws_ls_detail detail = {.leverage = NULL};
    if (!refused)
        status = ws_ls_fit_detail(&ls, fit, residual, &detail, error);
    free(ln_x);
    if (status == WS_OK && ws_ls_has_values(fit)) {
        add_shape(fit, &detail, in->level);
        say_lognormal(fit, in->level);
        return WS_OK;
    }
    for (size_t j = fit->n_estimates; j < 3; j++)
        ws_fit_add(fit, names[j], NAN, NAN);
    ws_fit_add(fit, "mu", NAN, NAN);
    ws_fit_add(fit, "sigma2", NAN, NAN);
    return status;
}
