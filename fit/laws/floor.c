/* y = factor x^exponent + floor: a power law above what no number of GPUs takes away.
 *
 * exponent and floor pull at each other, and data without a bend settle neither: the sentence gives their correlation.
 * The floor's p-value is Wald's; where it decides something, compare with the power law by AICc (choice.h). Assumes
 * errors of one size on the fitted scale. Bates and Watts 1988, Nonlinear Regression Analysis, chapter 3. */
#include "fit/laws/law.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

static double value_at_log(double ln_x, const double *b, double *gradient)
{
    double power = exp(b[1] * ln_x);
    gradient[0] = power;
    gradient[1] = b[0] * power * ln_x;
    gradient[2] = 1;
    return b[0] * power + b[2];
}

static double value(double x, const double *b, double *gradient)
{
    return value_at_log(log(x), b, gradient);
}

static size_t floor_starts(const double *x, const double *y, size_t n, double *start)
{
    static const double exponents[] = {-0.4, -1, -2, 0.5, 1.5}, floors[] = {0, 0.5, 0.9, 0.99};
    double *power = ws_realloc(NULL, n, sizeof *power), lowest = y[0], b[2];
    const double *const column[] = {NULL, power};
    size_t count = 0;
    for (size_t i = 1; i < n; i++)
        lowest = fmin(lowest, y[i]);
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        for (size_t i = 0; i < n; i++)
            power[i] = pow(x[i], exponents[k]);
        if (!ws_law_start(column, 2, y, n, b))
            continue;
        start[3 * count] = b[1];
        start[3 * count + 1] = exponents[k];
        start[3 * count++ + 2] = b[0];
    }
    for (size_t k = 0; lowest > 0 && k < sizeof floors / sizeof *floors; k++) {
        start[3 * count + 2] = floors[k] * lowest;
        count += ws_law_start_power(x, y, n, floors[k] * lowest, start + 3 * count);
    }
    free(power);
    return count;
}

/* y = even[0] + even[1] (u^e - 1) / e with u = x / middle of x: where y grows like ln x, e goes to 0 and factor and
 * floor to infinity; and where all x are far from 1, as caps are, their powers hardly differ from each other but about
 * their middle. */
static double even_value(double ln_x, const double *even, double *gradient)
{
    double z = even[2] * ln_x, growth, bend;
    if (fabs(z) < 1e-3) {
        growth = ln_x * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)));
        bend = ln_x * ln_x * (0.5 + z * (1.0 / 3 + z * (1.0 / 8 + z / 30)));
    } else {
        double rise = expm1(z);
        growth = rise / even[2];
        bend = (ln_x * (1 + rise) - growth) / even[2];
    }
    gradient[0] = 1;
    gradient[1] = growth;
    gradient[2] = even[1] * bend;
    return even[0] + even[1] * growth;
}

static void even_parameters(double middle, const double *b, double *even)
{
    double power = b[0] * exp(b[1] * middle);
    even[0] = power + b[2];
    even[1] = power * b[1];
    even[2] = b[1];
}

static void from_even(double middle, const double *even, double *b)
{
    double power = even[1] / even[2];
    b[0] = power * exp(-even[2] * middle);
    b[1] = even[2];
    b[2] = even[0] - power;
}

enum { LEAST_X = 4 }; /* different x: a curve of three parameters and one that may speak against it */

static const char *const names[] = {"factor", "exponent", "floor"};
const ws_law_form ws_form_floor = {"floor",
                                   names,
                                   3,
                                   LEAST_X,
                                   value,
                                   value_at_log,
                                   .even_value = even_value,
                                   .even_parameters = even_parameters,
                                   .from_even = from_even,
                                   .starts = floor_starts};

/* An exponent so steep that its power is gone at the second x: one x alone decides it, and it has no error to speak of.
 */
static const double LOOSE = 1e6;

static void leave_loose(ws_fit *fit, double *residual)
{
    const size_t n = fit->n;
    ws_fit_begin(fit, "floor", fit->r2_kind, n);
    fit->status = WS_FIT_NOT_IDENTIFIED;
    ws_say(fit->sentence, sizeof fit->sentence,
           "the power is gone at the second x already: any steep exponent fits, so there is none to give");
    for (size_t j = 0; j < 3; j++)
        ws_fit_add(fit, ws_form_floor.name[j], NAN, NAN);
    for (size_t i = 0; residual && i < n; i++)
        residual[i] = NAN;
}

ws_status ws_fit_floor(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_nls_detail detail;
    ws_status status = ws_law_fit(&ws_form_floor, in, fit, residual, &detail, error);
    if (status != WS_OK || !ws_law_has_values(fit))
        return status;
    if (fit->status == WS_FIT_OK && !(fit->estimate[1].se < LOOSE * (1 + fabs(fit->estimate[1].value)))) {
        leave_loose(fit, residual);
        return WS_OK;
    }
    ws_law_say(fit, 3, in->in_logs ? " in logs" : "");
    double r = detail.covariance[1][2] / sqrt(detail.covariance[1][1] * detail.covariance[2][2]);
    if (fit->status == WS_FIT_OK && isfinite(r))
        ws_say(fit->sentence, sizeof fit->sentence, "; exponent and floor correlate by %s", ws_words_r2(r).text);
    if (fit->status == WS_FIT_OK && in->in_logs) /* of y itself the profile tells better (ws_floor_profile) */
        ws_say(fit->sentence, sizeof fit->sentence, "; floor %s (%s)",
               fit->estimate[2].p_value < 1 - in->level ? "differs from zero" : "not distinguishable from zero",
               ws_words_p(fit->estimate[2].p_value).text);
    if (fit->estimate[1].value > 0)
        ws_say(fit->sentence, sizeof fit->sentence,
               "; y rises with x: 'floor' is where it comes from as x goes to 0, and nothing that it falls to");
    if (fit->status == WS_FIT_OK && fit->estimate[2].value < 0)
        ws_say(fit->sentence, sizeof fit->sentence, "; no time or energy has a floor below zero: %s",
               fit->estimate[2].ci_hi < 0 ? "y bends the other way from a power law than above a floor"
                                          : "it may be zero, and a power law without one is enough");
    return status;
}
