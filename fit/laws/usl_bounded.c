/* Gunther's law with contention and coherency at or above zero, since neither can be negative.
 *
 * If the free fit has one of them below zero, the estimate is the least squares with that one at zero (if both are
 * below zero: of the feasible candidates with one or both at zero, that with the least squares; Lawson and Hanson 1974,
 * chapter 23). Its interval is the part of the free interval at or above zero, and extends above an estimate of zero by
 * half the width of the free interval: the truth is not below zero, so cutting there loses no coverage. The p of an
 * estimate of zero is one-sided. */
#include "fit/laws/law.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double no_beta(double x, const double *b, double *gradient)
{
    const double all[] = {b[0], b[1], 0};
    double of_all[3], y = ws_form_usl.value(x, all, of_all);
    gradient[0] = of_all[0];
    gradient[1] = of_all[1];
    return y;
}

static double no_alpha(double x, const double *b, double *gradient)
{
    const double all[] = {b[0], 0, b[1]};
    double of_all[3], y = ws_form_usl.value(x, all, of_all);
    gradient[0] = of_all[0];
    gradient[1] = of_all[2];
    return y;
}

static double neither(double x, const double *b, double *gradient)
{
    gradient[0] = x;
    return b[0] * x;
}

/* gamma by the first point, and some values of the other one. */
static size_t usl_bounded_starts(const double *x, const double *y, size_t n, double *start)
{
    static const double guesses[] = {1e-5, 1e-3, 0.05, 0.3};
    size_t first = 0, count = sizeof guesses / sizeof *guesses;
    for (size_t i = 1; i < n; i++)
        first = x[i] < x[first] ? i : first;
    for (size_t k = 0; k < count; k++) {
        start[2 * k] = y[first] / x[first];
        start[2 * k + 1] = guesses[k];
    }
    return count;
}

static size_t start_of_one(const double *x, const double *y, size_t n, double *start)
{
    (void)n;
    start[0] = y[0] / x[0];
    return 1;
}

static const char *const with_alpha[] = {"gamma", "alpha"}, *const with_beta[] = {"gamma", "beta"};
static const ws_law_form reduced[] = {{"usl", with_alpha, 2, 2, no_beta, NULL, usl_bounded_starts},
                                      {"usl", with_beta, 2, 2, no_alpha, NULL, usl_bounded_starts},
                                      {"usl", with_alpha, 1, 1, neither, NULL, start_of_one}};

static double value_of(const ws_fit *fit, const char *name)
{
    const ws_estimate *e = ws_fit_estimate(fit, name);
    return e ? e->value : 0;
}

/* The feasible reduced fit with the least squares; false where none has values. */
static bool best_of_reduced(const ws_law_input *in, ws_fit *best, double *residual, ws_status *status, ws_error *error)
{
    double *of_one = ws_alloc((in->n + 1) * sizeof *of_one);
    ws_law_input from_anew = *in; /* `near` is of all three */
    bool found = false;
    from_anew.near = NULL;
    for (size_t k = 0; k < sizeof reduced / sizeof *reduced && *status == WS_OK; k++) {
        ws_fit fit;
        ws_nls_detail detail;
        *status = ws_law_fit(&reduced[k], &from_anew, &fit, of_one, &detail, error);
        if (*status != WS_OK || !ws_law_has_values(&fit) || value_of(&fit, "alpha") < 0 || value_of(&fit, "beta") < 0 ||
            (found && !(fit.rss < best->rss)))
            continue;
        *best = fit;
        found = true;
        if (residual)
            memcpy(residual, of_one, in->n * sizeof *residual);
    }
    free(of_one);
    return found;
}

/* Interval and p of one that is not below zero; `half` is that of the free fit. */
static void bound(ws_estimate *e, double value, double of_fit)
{
    double df = e->df > 0 ? e->df : of_fit;
    double half = e->ci_hi - e->value, t = e->se > 0 ? e->value / e->se : NAN;
    e->value = value;
    e->ci_lo = isnan(e->ci_lo) ? NAN : fmin(fmax(e->ci_lo, 0), value);
    e->ci_hi = isnan(e->ci_hi) ? NAN : fmax(e->ci_hi, value > 0 ? value : half);
    if (value > 0)
        return;
    e->p_value = isnan(t) || !(df > 0) ? NAN : 1 - ws_student_two_sided(t, df) / 2;
}

/* What follows from the three; an interval of the peak only where beta is shown to be above zero. */
static void set_derived(ws_fit *fit)
{
    ws_estimate *peak = &fit->estimate[3], *top = peak + 1, *limit = peak + 2;
    double gamma = fit->estimate[0].value, alpha = fit->estimate[1].value, beta = fit->estimate[2].value;
    double at = sqrt((1 - alpha) / beta), slope[3];
    const double all[] = {gamma, alpha, beta};
    bool has_peak = beta > 0 && alpha < 1 && isfinite(at);
    *peak = (ws_estimate){"peak", has_peak ? at : NAN, NAN, NAN, NAN, 0, NAN, 0};
    *top =
        (ws_estimate){"peak-throughput", has_peak ? ws_form_usl.value(at, all, slope) : NAN, NAN, NAN, NAN, 0, NAN, 0};
    *limit = (ws_estimate){"limit", alpha > 0 ? gamma / alpha : NAN, NAN, NAN, NAN, 0, NAN, 0};
}

static void say_bounded(ws_fit *fit, bool in_logs)
{
    const ws_estimate *alpha = &fit->estimate[1], *beta = &fit->estimate[2];
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    text[0] = '\0';
    ws_say(text, size, "gamma %s", ws_ls_words(fit, &fit->estimate[0]).text);
    for (size_t j = 1; j < 3; j++) {
        const ws_estimate *e = &fit->estimate[j];
        if (e->value > 0)
            ws_say(text, size, ", %s %s", e->name, ws_ls_words(fit, e).text);
        else
            ws_say(text, size, ", %s 0 (at most %s)", e->name, ws_words_digits(e->ci_hi, 2).text);
    }
    ws_say(text, size, ": no %s shows",
           alpha->value > 0  ? "coherency cost (beta)"
           : beta->value > 0 ? "contention (alpha)"
                             : "contention or coherency cost");
    ws_ls_say_quality(fit, "x", in_logs ? " in logs" : "");
    if (!(beta->value > 0))
        ws_say(text, size, "; no peak: y rises as far as was measured");
}

ws_status ws_fit_usl_bounded(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_fit best;
    ws_status status = ws_fit_usl(in, fit, residual, error);
    if (status != WS_OK || !ws_law_has_values(fit))
        return status;
    ws_estimate *alpha = &fit->estimate[1], *beta = &fit->estimate[2];
    if (alpha->value >= 0 && beta->value >= 0) {
        bound(alpha, alpha->value, fit->df);
        bound(beta, beta->value, fit->df);
        return WS_OK;
    }
    if (!best_of_reduced(in, &best, residual, &status, error))
        return status;
    double gamma = best.estimate[0].value, half = fit->estimate[0].ci_hi - fit->estimate[0].value;
    fit->estimate[0].value = gamma;
    fit->estimate[0].ci_lo = fmin(fit->estimate[0].ci_lo, gamma - half);
    fit->estimate[0].ci_hi = fmax(fit->estimate[0].ci_hi, gamma + half);
    bound(alpha, value_of(&best, "alpha"), fit->df);
    bound(beta, value_of(&best, "beta"), fit->df);
    fit->rss = best.rss;
    fit->sigma = fit->df > 0 ? sqrt(best.rss / fit->df) : NAN;
    fit->r2 = best.r2;
    fit->loocv = best.loocv;
    ws_ls_set_likelihood(fit, best.rss, 3);
    set_derived(fit);
    say_bounded(fit, in->in_logs);
    return WS_OK;
}
