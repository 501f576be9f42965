/* y = factor x^exponent by least squares of y itself.
 *
 * Assumes errors of the same size at every x, so that the largest y decide; powerlaw.c assumes errors in proportion to
 * y. The two disagree where the law or the assumption is wrong: ws_power_errors says which is nearer. Searched from the
 * log-log line and from fixed exponents. Xiao et al. 2011, Ecology 92. */
#include "fit/laws/law.h"

#include "core/arena.h"

#include <math.h>
#include <stdlib.h>

static double value(double x, const double *b, double *gradient)
{
    double power = pow(x, b[1]);
    gradient[0] = power;
    gradient[1] = b[0] * power * log(x);
    return b[0] * power;
}

static size_t powerlaw_direct_starts(const double *x, const double *y, size_t n, double *start)
{
    static const double exponents[] = {-1, -0.3, 0.5, 1.5};
    size_t count = ws_law_start_power(x, y, n, 0, start);
    double *power = ws_realloc(NULL, n, sizeof *power);
    const double *const column[] = {power};
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        for (size_t i = 0; i < n; i++)
            power[i] = pow(x[i], exponents[k]);
        start[2 * count + 1] = exponents[k];
        count += ws_law_start(column, 1, y, n, start + 2 * count);
    }
    free(power);
    return count;
}

static const char *const names[] = {"factor", "exponent"};
const ws_law_form ws_form_powerlaw_direct = {
    "powerlaw-direct", names, 2, 2, value, NULL, .starts = powerlaw_direct_starts};

ws_status ws_fit_powerlaw_direct(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_status status = ws_law_fit(&ws_form_powerlaw_direct, in, fit, residual, NULL, error);
    if (status == WS_OK && ws_law_has_values(fit))
        ws_law_say(fit, 2, in->in_logs ? " in logs" : "");
    return status;
}
