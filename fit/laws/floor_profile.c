/* The floor of y = factor x^exponent + c by its profile, with c >= 0: a time or an energy has no negative floor.
 *
 *     interval: all c >= 0 with rss(c) <= rss (1 + F(1, n - 3) / (n - 3)),  test: F = (rss(0) - rss) / (rss / (n - 3))
 *
 * A free floor below zero speaks for none above it: the estimate is 0 and its p is 1, whatever the test says of the
 * power law. rss(c) is that of the power law through y - c, both its parameters free. Unlike Wald's interval it is not
 * symmetric, and it does not depend on how the floor is written. Assumes normal errors of one size. Bates and Watts
 * 1988, Nonlinear Regression Analysis, section 6.1. */
#include "fit/laws/laws.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 40 };

typedef struct profile {
    const ws_law_input *in;
    double *rest; /* y - c */
} profile;

/* NaN where the power law has no minimum there. */
static double rss_at(const profile *p, double c)
{
    for (size_t i = 0; i < p->in->n; i++)
        p->rest[i] = p->in->y[i] - c;
    const ws_law_input in = {.x = p->in->x,
                             .y = p->rest,
                             .weight = p->in->weight,
                             .n = p->in->n,
                             .level = p->in->level,
                             .without_loocv = true};
    ws_fit fit;
    if (ws_fit_powerlaw_direct(&in, &fit, NULL, NULL) != WS_OK)
        return NAN;
    return fit.rss;
}

/* Where rss crosses the limit between c inside and outside. */
static double crossing(const profile *p, double inside, double outside, double limit)
{
    for (int step = 0; step < STEPS; step++) {
        double middle = (inside + outside) / 2;
        *(rss_at(p, middle) <= limit ? &inside : &outside) = middle;
    }
    return inside;
}

static double upper_end(const profile *p, double from, double step, double limit)
{
    double inside = from;
    for (int k = 0; k < STEPS; k++, step *= 2) {
        if (!(rss_at(p, from + step) <= limit))
            return crossing(p, inside, from + step, limit);
        inside = from + step;
    }
    return NAN;
}

/* A free fit with its floor below zero refutes the power law, too, but not for a floor. */
static void test_floor(double rss_without, double rss, double df, bool is_above_zero, ws_test *test)
{
    double f = fmax(0, rss_without - rss) / (rss / df);
    test->df1 = 1;
    test->df2 = df;
    if (ws_test_set(test, f, ws_f_upper(f, 1, df)))
        ws_say(test->sentence, sizeof test->sentence, "%s (F %s, %s)",
               !(test->p_value < 0.05) ? "a floor is not needed"
               : is_above_zero         ? "a floor is needed"
                               : "a power law misses, but not for want of a floor: that of the fit is below zero",
               ws_words_digits(test->statistic, 3).text, ws_words_p(test->p_value).text);
}

ws_status ws_floor_profile(const ws_law_input *in, ws_fit *fit, ws_test *test, ws_error *error)
{
    ws_test own;
    test = test ? test : &own;
    ws_test_begin(test, "floor against none");
    const ws_estimate *floor_of = ws_fit_estimate(fit, "floor");
    if (!floor_of || fit->status != WS_FIT_OK || in->in_logs)
        return ws_fail(error, WS_USAGE, "a profile needs a floor that was fitted to y itself");
    profile p = {in, ws_realloc(NULL, in->n, sizeof(double))};
    double floor_value = fmax(0, floor_of->value), without = rss_at(&p, 0);
    double least = floor_of->value > 0 ? fit->rss : without;
    double limit = least * (1 + ws_f_quantile(in->level, 1, fit->df) / fit->df);
    double step = floor_of->se > 0 ? floor_of->se : fabs(floor_of->value) + 1;
    ws_estimate *e = ws_fit_add(fit, "floor-profile", floor_value, NAN);
    e->null_value = 0;
    if (isfinite(limit)) {
        e->ci_lo = without <= limit ? 0 : crossing(&p, floor_value, 0, limit);
        e->ci_hi = upper_end(&p, floor_value, step, limit);
    }
    if (isfinite(without))
        test_floor(without, fit->rss, fit->df, floor_of->value > 0, test);
    else
        ws_say(test->sentence, sizeof test->sentence, "the power law without a floor has no minimum to compare with");
    e->p_value = isnan(test->p_value) || floor_of->value > 0 ? test->p_value : 1; /* nothing speaks for one above 0 */
    free(p.rest);
    return WS_OK;
}
