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

/* The same in 1 / gamma and alpha or beta / gamma, as ws_form_usl has it. */
static double even_without(double x, const double *even, double *gradient, size_t without)
{
    double all[3] = {even[0]}, of_all[3];
    all[3 - without] = even[1];
    double y = ws_form_usl.even_value(x, all, of_all);
    gradient[0] = of_all[0];
    gradient[1] = of_all[3 - without];
    return y;
}

static double even_no_beta(double x, const double *even, double *gradient)
{
    return even_without(x, even, gradient, 2);
}

static double even_no_alpha(double x, const double *even, double *gradient)
{
    return even_without(x, even, gradient, 1);
}

static void even_parameters(double middle, const double *b, double *even)
{
    (void)middle;
    even[0] = 1 / b[0];
    even[1] = b[1] / b[0];
}

static void from_even(double middle, const double *even, double *b)
{
    even_parameters(middle, even, b);
}

static double neither(double x, const double *b, double *gradient)
{
    gradient[0] = x;
    return b[0] * x;
}

/* x / y = (1 + alpha (x - 1)) / gamma or (1 + beta x (x - 1)) / gamma, weighted by y^power: near to errors of x/y, of
 * ln y and of y. */
static bool start_reduced(const double *x, const double *y, size_t n, bool by_alpha, int power, double *start)
{
    double *work = ws_alloc((3 * n + 1) * sizeof *work), b[2];
    const double *const column[] = {work, work + n};
    for (size_t i = 0; i < n; i++) {
        double weight = pow(fabs(y[i]), power);
        work[i] = weight;
        work[n + i] = weight * (x[i] - 1) * (by_alpha ? 1 : x[i]);
        work[2 * n + i] = y[i] != 0 ? weight * x[i] / y[i] : 0;
    }
    bool found = ws_law_start(column, 2, work + 2 * n, n, b) && b[0] != 0;
    free(work);
    start[0] = 1 / b[0];
    start[1] = b[1] / b[0];
    return found;
}

/* ... and gamma by the first point, and some values of the other one. */
static size_t reduced_starts(const double *x, const double *y, size_t n, bool by_alpha, double *start)
{
    static const double guesses[] = {1e-5, 1e-3, 0.05, 0.3};
    size_t first = 0, count = 0;
    for (int power = 2; power >= 0; power--)
        count += start_reduced(x, y, n, by_alpha, power, start + 2 * count);
    for (size_t i = 1; i < n; i++)
        first = x[i] < x[first] ? i : first;
    for (size_t k = 0; k < sizeof guesses / sizeof *guesses; k++, count++) {
        start[2 * count] = y[first] / x[first];
        start[2 * count + 1] = guesses[k];
    }
    return count;
}

static size_t starts_of_alpha(const double *x, const double *y, size_t n, double *start)
{
    return reduced_starts(x, y, n, true, start);
}

static size_t starts_of_beta(const double *x, const double *y, size_t n, double *start)
{
    return reduced_starts(x, y, n, false, start);
}

static size_t start_of_one(const double *x, const double *y, size_t n, double *start)
{
    (void)n;
    start[0] = y[0] / x[0];
    return 1;
}

static const char *const with_alpha[] = {"gamma", "alpha"}, *const with_beta[] = {"gamma", "beta"};
static const ws_law_form only_alpha = {"usl",
                                       with_alpha,
                                       2,
                                       2,
                                       no_beta,
                                       NULL,
                                       .even_value = even_no_beta,
                                       .even_parameters = even_parameters,
                                       .from_even = from_even,
                                       .starts = starts_of_alpha},
                         only_beta = {"usl",
                                      with_beta,
                                      2,
                                      2,
                                      no_alpha,
                                      NULL,
                                      .even_value = even_no_alpha,
                                      .even_parameters = even_parameters,
                                      .from_even = from_even,
                                      .starts = starts_of_beta},
                         only_gamma = {"usl", with_alpha, 1, 1, neither, NULL, .starts = start_of_one};

static double value_of(const ws_fit *fit, const char *name)
{
    const ws_estimate *e = ws_fit_estimate(fit, name);
    return e ? e->value : 0;
}

/* Without the refits of leave-one-out, which the best one alone needs; from `near`, which is of all three, if it can.
 */
static ws_status fit_reduced(const ws_law_form *form, const ws_law_input *in, ws_fit *fit, ws_error *error)
{
    double near[2];
    ws_law_input bare = *in;
    ws_nls_detail detail;
    bare.without_loocv = true;
    if (in->near) {
        near[0] = in->near[0];
        near[1] = in->near[form == &only_beta ? 2 : 1];
        bare.near = near;
    }
    ws_status status = ws_law_fit(form, &bare, fit, NULL, &detail, error);
    if (status != WS_OK || !in->near || ws_law_has_values(fit))
        return status;
    bare.near = NULL;
    return ws_law_fit(form, &bare, fit, NULL, &detail, error);
}

/* The same from its own minimum, with all that is wanted. */
static ws_status complete(const ws_law_form *form, const ws_law_input *in, ws_fit *fit, double *residual,
                          ws_error *error)
{
    double near[2];
    ws_law_input whole = *in;
    ws_nls_detail detail;
    for (size_t j = 0; j < form->p; j++)
        near[j] = fit->estimate[j].value;
    whole.near = near;
    ws_fit again;
    ws_status status = ws_law_fit(form, &whole, &again, residual, &detail, error);
    if (status == WS_OK && ws_law_has_values(&again))
        *fit = again;
    return status;
}

static bool is_feasible(const ws_fit *fit)
{
    return ws_law_has_values(fit) && value_of(fit, "alpha") >= 0 && value_of(fit, "beta") >= 0;
}

/* The feasible reduced fit with the least squares; `found` false where none has values. With that one at zero which is
 * below it: if this is feasible, the other has no less, and both at zero is a case of either. */
static ws_status best_of_reduced(const ws_law_input *in, bool alpha_below, bool beta_below, ws_fit *best, bool *found,
                                 double *residual, ws_error *error)
{
    const ws_law_form *const order[] = {beta_below ? &only_alpha : &only_beta, beta_below ? &only_beta : &only_alpha,
                                        &only_gamma};
    const ws_law_form *winner = NULL;
    ws_status status = WS_OK;
    for (size_t k = 0; k < 3 && status == WS_OK; k++) {
        ws_fit fit;
        if (winner && !(k == 1 && alpha_below && beta_below))
            break;
        status = fit_reduced(order[k], in, &fit, error);
        if (status != WS_OK || !is_feasible(&fit) || (winner && !(fit.rss < best->rss)))
            continue;
        *best = fit;
        winner = order[k];
    }
    *found = winner != NULL;
    bool is_done = in->without_loocv && !residual;
    return status == WS_OK && winner && !is_done ? complete(winner, in, best, residual, error) : status;
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

static void say_bounded(ws_fit *fit, double level, bool in_logs)
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
            ws_say(text, size, ", %s 0 (%s: at most %s)", e->name, ws_words_level(level).text,
                   ws_words_digits(e->ci_hi, 2).text);
    }
    ws_say(text, size, ": no %s shows",
           alpha->value > 0  ? "coherency cost (beta)"
           : beta->value > 0 ? "contention (alpha)"
                             : "contention or coherency cost");
    ws_ls_say_quality(fit, "x", in_logs ? " in logs" : "");
    if (!(beta->value > 0))
        ws_say(text, size, "; no peak: y %s", alpha->value < 1 ? "rises as far as was measured" : "does not rise");
}

ws_status ws_fit_usl_bounded(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_fit best;
    bool found;
    ws_status status = ws_fit_usl(in, fit, residual, error);
    if (status != WS_OK || !ws_law_has_values(fit))
        return status;
    ws_estimate *alpha = &fit->estimate[1], *beta = &fit->estimate[2];
    if (alpha->value >= 0 && beta->value >= 0) {
        bound(alpha, alpha->value, fit->df);
        bound(beta, beta->value, fit->df);
        return WS_OK;
    }
    status = best_of_reduced(in, alpha->value < 0, beta->value < 0, &best, &found, residual, error);
    if (status != WS_OK || !found)
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
    say_bounded(fit, in->level, in->in_logs);
    return WS_OK;
}
