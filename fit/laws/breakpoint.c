/* Two power laws that meet at a breakpoint B:  ln y = c0 + c1 ln x + c2 max(ln x - ln B, 0). Found in broken_line.c.
 *
 * Standard errors of the exponents are those with B's own uncertainty in the covariance (Muggeo 2003, Statistics in
 * Medicine 22). Interval of B: all B with rss(B) <= rss (1 + F(1, n - 4) / (n - 4)), from the second to the last but
 * one x at most.
 *
 * Test of a break at all: the ordinary F is too lenient, since B does not exist without a break (Davies 1987). Under
 * straight lines the law of F depends on the x alone, so it is drawn, once for each set of x: p = (1 + draws with an F
 * as large) / (1 + draws), exact up to its Monte Carlo error (Dufour 2006, J. Econometrics 133). Fixed seed. Errors in
 * proportion to y. */
#include "fit/laws/laws.h"

#include "core/arena.h"
#include "fit/drawn_law.h"
#include "fit/laws/broken_line.h"
#include "fit/laws/law.h"
#include "fit/linear/least_squares.h"
#include "fit/random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = WS_DRAWN_LAW_DRAWS, LEAST_X = 5 };
static const char *const names[] = {"exponent-before", "exponent-after", "change",
                                    "ln-breakpoint",   "breakpoint",     "factor"};

static double f_of_break(const ws_broken_points *p)
{
    double broken_rss = ws_broken_find(p).rss;
    return (ws_broken_line_rss(p) - broken_rss) / 2 / (broken_rss / (double)(p->n - 4));
}

/* What the draws come to at these x. */
static void draw_null(void *points, double *f)
{
    ws_broken_points *p = points;
    ws_random random = {1};
    for (int draw = 0; draw < DRAWS; draw++) {
        for (size_t i = 0; i < p->n; i++)
            p->y[i] = ws_random_normal(&random);
        ws_broken_update(p);
        f[draw] = f_of_break(p);
    }
}

static void test_break(ws_broken_points *p, ws_test *test)
{
    double found = f_of_break(p);
    size_t as_large = ws_drawn_at_least(ws_drawn_law(draw_null, p, p->x, p->n), found);
    if (!ws_test_set(test, found, (1 + (double)as_large) / (1 + DRAWS)))
        return;
    ws_say(test->sentence, sizeof test->sentence, "%s (F %s, p %s%s from %d draws)",
           test->p_value < 0.05 ? "one power law does not do: there is a breakpoint"
                                : "no breakpoint needed: one power law does as well",
           ws_words_digits(found, 3).text, as_large ? "" : "at most ", ws_words_number(test->p_value).text, DRAWS);
}

/* Least squares with the break at b. With `change` other than 0 also in b, by its derivative: for standard errors. */
static ws_status solve(const ws_broken_points *p, double b, double change, double level, ws_fit *fit, double *residual,
                       ws_ls_detail *detail, ws_error *error)
{
    static const char *const column_names[] = {"c0", "c1", "c2", "move"};
    const double *z = ws_broken_bent(p, b);
    double *move = ws_realloc(NULL, p->n, sizeof *move);
    for (size_t i = 0; i < p->n; i++)
        move[i] = p->x[i] > b ? -change : 0;
    const double *const column[] = {NULL, p->x, z, move};
    const ws_ls_input in = {.column = column,
                            .name = column_names,
                            .p = change != 0 ? 4 : 3,
                            .y = p->y,
                            .n = p->n,
                            .level = level,
                            .rounding = 4 * DBL_EPSILON};
    ws_fit_begin(fit, "breakpoint", "centred, in logs", p->n);
    ws_status status = ws_ls_fit_detail(&in, fit, residual, detail, error);
    free(move);
    return status;
}

static void leave_undefined(ws_fit *fit)
{
    fit->n_estimates = 0;
    for (size_t j = 0; j < sizeof names / sizeof *names; j++)
        ws_fit_add(fit, names[j], NAN, NAN);
}

static void add_estimates(ws_fit *fit, const ws_fit *curve, double b, const ws_nls_detail *detail, double level)
{
    static const double before[] = {0, 1, 0, 0}, after[] = {0, 1, 1, 0}, bend[] = {0, 0, 1, 0}, place[] = {0, 0, 0, 1};
    double factor = exp(curve->estimate[0].value);
    const double by_factor[] = {factor, 0, 0, 0};
    double slope = curve->estimate[1].value, change = curve->estimate[2].value;
    ws_law_add(fit, names[0], slope, before, 4, detail, level);
    ws_law_add(fit, names[1], slope + change, after, 4, detail, level);
    ws_law_add(fit, names[2], change, bend, 4, detail, level);
    ws_law_add(fit, names[3], b, place, 4, detail, level);
    /* Neither zero change nor ln B = 0 is a hypothesis that Student's t could test. */
    fit->estimate[2].p_value = fit->estimate[3].p_value = NAN;
    ws_fit_add(fit, names[4], exp(b), NAN);
    ws_estimate *e = ws_law_add(fit, names[5], factor, by_factor, 4, detail, level);
    double ln_half = (e->ci_hi - e->value) / e->value;
    bool finite = isfinite(factor * exp(ln_half));
    e->ci_lo = finite ? factor * exp(-ln_half) : NAN;
    e->ci_hi = finite ? factor * exp(ln_half) : NAN;
    e->p_value = NAN;
}

static void add_interval(ws_fit *fit, const ws_broken_points *p, double b, double level)
{
    ws_estimate *place = &fit->estimate[4];
    if (fit->status != WS_FIT_OK)
        return;
    double limit = fit->rss * (1 + ws_f_quantile(level, 1, fit->df) / fit->df);
    double low = p->x[p->first[1]], high = p->x[p->first[p->n_distinct - 2]];
    place->ci_lo = fmin(exp(ws_broken_farthest(p, b, low, limit)), place->value);
    place->ci_hi = fmax(exp(ws_broken_farthest(p, b, high, limit)), place->value);
}

static double leave_one_out(const ws_law_input *in, const double *ln_x, const double *ln_y)
{
    long double sum = 0;
    for (size_t i = 0; i < in->n; i++) {
        ws_broken_points p = ws_broken_gather(ln_x, ln_y, in->n, i);
        double b = ws_broken_find(&p).b, c[3] = {0};
        if (!isnan(b))
            ws_broken_curve(&p, b, c);
        double off = ln_y[i] - c[0] - c[1] * ln_x[i] - c[2] * fmax(0, ln_x[i] - b);
        ws_broken_free(&p);
        if (isnan(b))
            return NAN;
        sum += (long double)off * off;
    }
    return (double)(sum / (long double)in->n);
}

static void say_breakpoint(ws_fit *fit, const ws_broken_points *p, const ws_test *test, const ws_law_input *in)
{
    static const double CLEAR = 10;
    const ws_estimate *before = &fit->estimate[0], *after = before + 1, *change = before + 2, *place = before + 4;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    double low = p->x[p->first[1]], high = p->x[p->first[p->n_distinct - 2]], at = fit->estimate[3].value;
    double quarter = (place->ci_hi - place->ci_lo) / 4; /* of the interval: about a standard error */
    if (test && test->p_value >= 0.05)
        ws_say(text, size, "no breakpoint is shown (%s), since one power law does as well; if there is one, ",
               ws_words_p(test->p_value).text);
    ws_say(text, size, "y goes as x^%s up to x = %s", ws_ls_words(fit, before).text,
           ws_words_to_error(place->value, quarter).text);
    if (fit->status == WS_FIT_OK)
        ws_say(text, size, " (%s: %s to %s)", ws_words_level(in->level).text,
               ws_words_to_error(place->ci_lo, quarter).text, ws_words_to_error(place->ci_hi, quarter).text);
    ws_say(text, size, " and as x^%s beyond", ws_ls_words(fit, after).text);
    if ((test && test->p_value >= 0.05) || fabs(change->value) < CLEAR * change->se)
        ws_say(text, size,
               "; a change below %g of its standard errors may be a weak bend, of which the interval of the second "
               "exponent holds in 88 to 92 %% and not in 95",
               CLEAR);
    if (at <= low || at >= high)
        ws_say(text, size, "; the break lies at the end of where the points could show one");
    if (isnan(before->se) && fit->status == WS_FIT_OK)
        ws_say(text, size, "; standard errors are undefined at such a place");
    if (isnan(fit->estimate[5].value) || isnan(fit->estimate[5].ci_hi))
        ws_say(text, size, "; %s factor is beyond the range of a number",
               isnan(fit->estimate[5].value) ? "its" : "the interval of its");
    ws_ls_say_quality(fit, "x", " in logs");
}

static ws_status fit_logs(const ws_law_input *in, const double *ln_x, const double *ln_y, ws_fit *fit, double *residual,
                          ws_test *test, ws_error *error)
{
    ws_broken_points p = ws_broken_gather(ln_x, ln_y, in->n, in->n);
    ws_broken found = ws_broken_find(&p);
    ws_fit curve, tangent;
    ws_ls_detail solved = {.leverage = NULL};
    ws_nls_detail detail = {.repeat_df = 0};
    ws_status status = solve(&p, found.b, 0, in->level, &curve, NULL, NULL, error);
    if (status == WS_OK)
        status = solve(&p, found.b, curve.estimate[2].value, in->level, &tangent, NULL, &solved, error);
    if (status == WS_OK) {
        fit->status = curve.status;
        fit->n_x = p.n_distinct;
        fit->rss = curve.rss;
        fit->r2 = curve.r2;
        fit->df = (double)in->n - 4;
        fit->sigma = sqrt(fit->rss / fit->df);
        if (fit->status == WS_FIT_OK)
            ws_ls_set_likelihood(fit, fit->rss, 4);
        bool has_errors = tangent.n_estimates == 4 && ws_ls_has_values(&tangent);
        for (size_t j = 0; j < 4; j++)
            for (size_t k = 0; k < 4; k++)
                detail.covariance[j][k] = has_errors ? solved.unscaled[j][k] * fit->sigma * fit->sigma : NAN;
        add_estimates(fit, &curve, found.b, &detail, in->level);
        add_interval(fit, &p, found.b, in->level);
        fit->loocv = leave_one_out(in, ln_x, ln_y);
        const ws_estimate *c = curve.estimate;
        for (size_t i = 0; residual && i < in->n; i++)
            residual[i] = ln_y[i] - c[0].value - c[1].value * ln_x[i] - c[2].value * fmax(0, ln_x[i] - found.b);
        if (test && fit->status == WS_FIT_OK)
            test_break(&p, test);
        say_breakpoint(fit, &p, test, in);
    }
    ws_broken_free(&p);
    return status;
}

/* No logarithm, fewer x than a bent curve needs, or nothing to fit in a constant. */
static bool breakpoint_refuse(const ws_law_input *in, ws_fit *fit)
{
    if (ws_fit_refuse_logs(in->x, in->y, "a breakpoint", fit) || ws_law_refuse_few(in->x, LEAST_X, fit))
        return true;
    if (!ws_fit_is_constant(in->y, in->n))
        return false;
    fit->status = WS_FIT_CONSTANT;
    ws_say(fit->sentence, sizeof fit->sentence, "y is the same in all %zu points: no breakpoint", in->n);
    return true;
}

ws_status ws_fit_breakpoint(const ws_law_input *in, ws_fit *fit, double *residual, ws_test *test, ws_error *error)
{
    ws_fit_begin(fit, "breakpoint", "centred, in logs", in->n);
    if (test)
        ws_test_begin(test, "breakpoint");
    ws_status status = ws_fit_check(in->x, in->y, in->n, in->level, error);
    if (status != WS_OK)
        return status;
    double *ln_x = ws_realloc(NULL, 2 * in->n + 1, sizeof *ln_x), *ln_y = ln_x + in->n;
    bool refused = breakpoint_refuse(in, fit);
    for (size_t i = 0; i < in->n; i++) {
        ln_x[i] = log(in->x[i]);
        ln_y[i] = log(in->y[i]);
    }
    if (refused)
        leave_undefined(fit);
    else
        status = fit_logs(in, ln_x, ln_y, fit, residual, test, error);
    for (size_t i = 0; refused && residual && i < in->n; i++)
        residual[i] = NAN;
    if (test && !test->sentence[0]) {
        test->status = fit->status == WS_FIT_OK ? WS_FIT_TOO_FEW : fit->status;
        ws_say(test->sentence, sizeof test->sentence, "no test of a breakpoint: %s", fit->sentence);
    }
    free(ln_x);
    return status;
}
