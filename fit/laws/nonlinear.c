/* b minimises sum w (y - f(b))^2; V(b) = sigma^2 (J'WJ)^-1, sigma^2 = rss / (n - p), J the derivatives of f at the
 * minimum.
 *
 * Intervals and tests by Student's t with n - p degrees of freedom: those of the curve's tangent, good as far as the
 * curve is nearly linear over them. Assumes independent errors of y, of one variance after weighting. A sum of squares
 * may have several minima: the least of those found from the given starts is taken. Bates and Watts 1988. */
#include "fit/laws/nonlinear.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/laws/nonlinear_quick.h"
#include "fit/linear/least_squares.h"
#include "fit/linear/qr.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_POINT = -1, STRATEGIES = 3 };

typedef struct minimum {
    double b[WS_FIT_MAX_ESTIMATES];
    double rss;      /* weighted; INFINITY where the curve is undefined at the start */
    bool is_settled; /* a minimum: a Gauss-Newton step from here leads nowhere */
    bool is_flat;    /* some direction in the parameters does not change the curve: they are not told apart */
    bool is_beyond;  /* a minimum in the even parameters where no b is: what b's curve comes near to at infinity */
} minimum;

/* Levenberg and Marquardt's search for the minimum of a sum of squares.
 *
 *     step = argmin |r - J step|^2 + lambda |D step|^2
 *
 * D: the largest length that each column of J has had (More 1978), so that units do not matter; lambda shrinks and
 * grows by how well the linear model foretold the gain (Nielsen 1999, Damping parameter in Marquardt's method). Each
 * step is an orthogonal least-squares solution in long double (qr.c), never normal equations. Plain Gauss-Newton steps
 * end the search; it has settled when such a step is small against the standard errors or against rounding (Bates and
 * Watts 1988, Nonlinear Regression Analysis, section 2.2), which no stop of the damped search alone would prove. */

enum { MAX = WS_FIT_MAX_ESTIMATES, MOST_POLISH = 30 };

static const double SAME = 1e-8; /* sums of squares that are this near, as a share, are of one minimum */

/* A column of J that is this near to the others' span is taken as lying in it. */
static const long double flat_tolerance = 1e-11L;

/* What is tried one after the other until one settles. A heavy first damping keeps a poor start from being thrown onto
 * a plateau (NIST's BoxBOD, start 1); forgetting past lengths helps along a bent valley (MGH10, start 1). */
static const struct strategy {
    long double lambda;
    bool forgets_scale;
    int most_steps;
} strategies[STRATEGIES] = {{1e-3L, false, 1000}, {1e3L, false, 1000}, {1e-3L, true, 6000}};

typedef struct search {
    const ws_nls_input *in;
    const struct strategy *strategy;
    long skip;
    double *jacobian, *rest; /* p columns of n, times the root of the weight; y minus the curve, likewise */
    long double scale[MAX];
    double b[MAX], rss;
} search;

/* Fill jacobian and rest at b. INFINITY where something is not finite. */
static double evaluate(const ws_nls_input *in, long skip, const double *b, double *jacobian, double *rest)
{
    long double rss = 0;
    double gradient[MAX];
    for (size_t i = 0; i < in->n; i++) {
        double root = in->weight ? sqrt(in->weight[i]) : 1;
        bool skipped = (long)i == skip;
        memset(gradient, 0, sizeof gradient);
        rest[i] = skipped ? 0 : root * (in->y[i] - in->curve(in->state, i, b, gradient));
        bool finite = isfinite(rest[i]);
        for (size_t j = 0; j < in->p; j++) {
            jacobian[j * in->n + i] = skipped ? 0 : root * gradient[j];
            finite = finite && isfinite(jacobian[j * in->n + i]);
        }
        if (!finite)
            return INFINITY;
        rss += (long double)rest[i] * rest[i];
    }
    return (double)rss;
}

static void update_scale(search *s)
{
    for (size_t j = 0; j < s->in->p; j++) {
        long double sum = 0;
        for (size_t i = 0; i < s->in->n; i++)
            sum += (long double)s->jacobian[j * s->in->n + i] * s->jacobian[j * s->in->n + i];
        s->scale[j] = s->strategy->forgets_scale ? sqrtl(sum) : fmaxl(s->scale[j], sqrtl(sum));
        if (s->scale[j] == 0)
            s->scale[j] = 1;
    }
}

/* The damped step; returns the sum of squares that the linear model foretells, damping term included. */
static long double damped_step(const search *s, long double lambda, long double *step)
{
    size_t n = s->in->n, p = s->in->p;
    ws_qr qr;
    ws_qr_init(&qr, n + p, p);
    for (size_t j = 0; j <= p; j++) {
        long double *to = ws_qr_column(&qr, j);
        const double *from = j < p ? s->jacobian + j * n : s->rest;
        for (size_t i = 0; i < n + p; i++)
            to[i] = i < n ? from[i] : i - n == j ? sqrtl(lambda) * s->scale[j] : 0;
    }
    ws_qr_solve(&qr);
    for (size_t j = 0; j < p; j++)
        step[j] = qr.rank == p ? qr.b[j] : 0;
    long double foretold = qr.rank == p ? qr.rss : INFINITY;
    ws_qr_free(&qr);
    return foretold;
}

static bool is_nothing(const search *s, const long double *step)
{
    for (size_t j = 0; j < s->in->p; j++)
        if (fabsl(step[j]) > 4 * (long double)DBL_EPSILON * fabsl((long double)s->b[j]))
            return false;
    return true;
}

static void descend(search *s, double *jacobian, double *rest)
{
    long double lambda = s->strategy->lambda, growth = 2, step[MAX];
    for (int round = 0; round < s->strategy->most_steps && lambda < 1e30L && s->rss > 0; round++) {
        double trial[MAX];
        long double foretold = damped_step(s, lambda, step);
        /* Rounding is all that is left to gain; plain Gauss-Newton steps do better from here. */
        if (isfinite((double)foretold) && (is_nothing(s, step) || foretold > s->rss * (1 - 1e-13L)))
            return;
        for (size_t j = 0; j < s->in->p; j++)
            trial[j] = (double)((long double)s->b[j] + step[j]);
        double rss = isfinite((double)foretold) ? evaluate(s->in, s->skip, trial, jacobian, rest) : INFINITY;
        if (!(rss < s->rss)) {
            lambda *= growth;
            growth *= 2;
            continue;
        }
        long double ratio = (s->rss - (long double)rss) / fmaxl(s->rss - foretold, LDBL_MIN);
        long double turn = 2 * fminl(ratio, 2) - 1;
        lambda = fmaxl(lambda * fmaxl(1 / 3.0L, 1 - turn * turn * turn), 1e-30L);
        growth = 2;
        memcpy(s->b, trial, sizeof trial);
        s->rss = rss;
        memcpy(s->jacobian, jacobian, s->in->n * s->in->p * sizeof *jacobian);
        memcpy(s->rest, rest, s->in->n * sizeof *rest);
        update_scale(s);
    }
}

/* Fill qr with the Jacobian and the residuals at b, times the roots of the weights, and solve: its b is the
 * Gauss-Newton step. False where curve or derivatives are undefined. The caller frees in either case. */
static bool gauss_newton_step(const ws_nls_input *in, const double *b, long skip, ws_qr *qr)
{
    double *jacobian = ws_realloc(NULL, (in->p + 1) * in->n + 1, sizeof *jacobian), *rest = jacobian + in->p * in->n;
    bool defined = isfinite(evaluate(in, skip, b, jacobian, rest));
    ws_qr_init(qr, in->n, in->p);
    for (size_t j = 0; defined && j <= in->p; j++)
        for (size_t i = 0; i < in->n; i++)
            ws_qr_column(qr, j)[i] = jacobian[j * in->n + i];
    free(jacobian);
    if (defined)
        ws_qr_solve(qr);
    return defined;
}

/* How far the Gauss-Newton step at b would lead, in units of what does not matter: at most 1 is a minimum. NaN where
 * there is no such step. */
static double distance(const ws_nls_input *in, const double *b, const ws_qr *qr)
{
    long double inverse[MAX][MAX], farthest = 0, size = 0;
    size_t df = in->n > in->p ? in->n - in->p : 1;
    ws_qr_inverse(qr, inverse);
    for (size_t i = 0; i < in->n; i++)
        size += (in->weight ? in->weight[i] : 1) * (long double)in->y[i] * in->y[i];
    for (size_t j = 0; j < in->p; j++) {
        long double unit = 0;
        for (size_t k = j; k < in->p; k++)
            unit += inverse[j][k] * inverse[j][k];
        long double se = sqrtl(unit * qr->rss / (long double)df), rounding = 1e-11L * fabsl((long double)b[j]);
        long double unseen = 1e-13L * sqrtl(size) / qr->length[j];
        farthest = fmaxl(farthest, fabsl(qr->b[j]) / fmaxl(1e-6L * se, fmaxl(rounding, unseen)));
    }
    return (double)farthest;
}

static bool is_flat(const ws_qr *qr)
{
    if (qr->rank < qr->p)
        return true;
    for (size_t j = 0; j < qr->p; j++)
        if (qr->r[j][j] < flat_tolerance * qr->length[j])
            return true;
    return false;
}

/* Gauss-Newton steps as long as they lead nearer, and the distance is above `enough`. */
static void polish(const ws_nls_input *in, long skip, double enough, minimum *m)
{
    double best = INFINITY;
    double b[MAX];
    memcpy(b, m->b, sizeof b);
    for (int round = 0; round < MOST_POLISH; round++) {
        ws_qr qr;
        bool defined = gauss_newton_step(in, b, skip, &qr);
        if (round == 0)
            m->is_flat = defined && is_flat(&qr);
        double left = defined && !is_flat(&qr) ? distance(in, b, &qr) : INFINITY;
        if (left < best) {
            best = left;
            memcpy(m->b, b, sizeof b);
        }
        for (size_t j = 0; j < in->p; j++)
            b[j] = (double)((long double)b[j] + qr.b[j]);
        ws_qr_free(&qr);
        if (!(left <= best) || left <= enough)
            break;
    }
    m->is_settled = best <= 1;
}

/* From one start; strategies from 0 to STRATEGIES - 1 are ever slower and surer. Point `skip` is left out
 * (NO_POINT: none). */
static minimum levenberg(const ws_nls_input *in, const double *start, size_t strategy, long skip)
{
    size_t values = in->n * (in->p + 1) + 1;
    search s = {.in = in,
                .strategy = &strategies[strategy],
                .skip = skip,
                .jacobian = ws_realloc(NULL, 2 * values, sizeof(double))};
    s.rest = s.jacobian + in->n * in->p;
    memcpy(s.b, start, in->p * sizeof *start);
    s.rss = evaluate(in, skip, s.b, s.jacobian, s.rest);
    minimum m = {.rss = s.rss};
    if (isfinite(s.rss)) {
        update_scale(&s);
        descend(&s, s.jacobian + values, s.jacobian + values + in->n * in->p);
        m.rss = s.rss;
        memcpy(m.b, s.b, sizeof m.b);
        polish(in, skip, 0, &m);
    }
    free(s.jacobian);
    return m;
}

/* From b near the minimum, as that of all points is near the one without a point: Gauss-Newton steps first; rss may be
 * NaN. */
static minimum levenberg_again(const ws_nls_input *in, const double *b, long skip)
{
    minimum m = {.rss = NAN};
    memcpy(m.b, b, in->p * sizeof *b);
    m.is_settled = ws_nls_quick(in, skip, 0, 1e-15, m.b, &m.rss);
    if (!m.is_settled)
        polish(in, skip, 1e-3, &m);
    return m.is_settled ? m : levenberg(in, b, 0, skip);
}

/* Residuals are no more than the rounding of the curve's values. */
static bool is_perfect(const ws_nls_input *in, double rss)
{
    long double size = 0;
    for (size_t i = 0; i < in->n; i++)
        size += (in->weight ? in->weight[i] : 1) * (long double)in->y[i] * in->y[i];
    long double noise = 32 * (long double)DBL_EPSILON * sqrtl(size);
    return rss <= (double)(noise * noise);
}

static bool is_defined(const ws_nls_input *in, const double *b)
{
    double gradient[MAX];
    bool defined = true;
    for (size_t j = 0; j < in->p; j++)
        defined = defined && isfinite(b[j]);
    for (size_t i = 0; i < in->n && defined; i++)
        defined = isfinite(in->curve(in->state, i, b, gradient));
    return defined;
}

/* From m->b, whose place it changes: in the even parameters where there are such. */
static bool quick_search(const ws_nls_input *in, minimum *m)
{
    if (!in->even_curve)
        return ws_nls_quick(in, NO_POINT, 1e-3, 1e-9, m->b, &m->rss);
    ws_nls_input even = *in;
    double at[MAX];
    even.curve = in->even_curve;
    in->even_parameters(in->state, m->b, at);
    bool found = ws_nls_quick(&even, NO_POINT, 1e-3, 1e-9, at, &m->rss);
    in->from_even(in->state, at, m->b);
    m->is_beyond = found && !is_defined(in, m->b);
    return found && !m->is_beyond;
}

/* The quick search: where it leads to no less than `best`, a minimum, there is no need of digits. Points that a curve
 * meets are for the surer one: their sum of squares is all rounding. Not settled: so is this start. */
static minimum quick_from(const ws_nls_input *in, const double *start, const minimum *best)
{
    minimum m = {.rss = NAN};
    memcpy(m.b, start, in->p * sizeof *start);
    bool found = quick_search(in, &m) && !is_perfect(in, m.rss);
    m.is_settled = found && best->is_settled && m.rss >= (1 - SAME) * best->rss;
    if (found && !m.is_settled) {
        ws_nls_quick(in, NO_POINT, 0, 1e-17, m.b, &m.rss);
        polish(in, NO_POINT, 1e-5, &m);
    }
    return m;
}

/* Counts in `alike` the starts that led to the least minimum. */
static void take_minimum(const minimum *m, minimum *best, size_t *alike)
{
    bool same = m->is_settled && best->is_settled && fabs(m->rss - best->rss) <= SAME * best->rss;
    bool better = m->is_settled == best->is_settled ? !same && m->rss < best->rss : m->is_settled;
    *alike = same ? *alike + 1 : better && m->is_settled ? 1 : *alike;
    *best = better ? *m : *best;
}

/* The least of those beyond, as if it were settled; counts in `alike` the starts that led there. */
static void take_beyond(minimum m, minimum *least, size_t *alike)
{
    m.is_settled = m.is_beyond;
    if (m.is_beyond)
        take_minimum(&m, least, alike);
}

/* All starts by the quick search, those that it does not answer by the first strategy, and where none settles the first
 * start by the others. Where ENOUGH of them have led to the least minimum found, the rest are spared: a start that runs
 * off takes a thousand steps to nowhere. So do all of them where ENOUGH led beyond and none to a minimum. */
static minimum best_minimum(const ws_nls_input *in)
{
    enum { ENOUGH = 3 };
    minimum best = {.rss = INFINITY}, beyond = best;
    size_t alike = 0, alike_beyond = 0;
    bool *is_open = ws_alloc((in->n_starts + 1) * sizeof *is_open);
    for (size_t k = 0; k < in->n_starts && alike < ENOUGH; k++) {
        minimum m = quick_from(in, in->start + k * in->p, &best);
        is_open[k] = !m.is_settled;
        if (m.is_settled)
            take_minimum(&m, &best, &alike);
        else
            take_beyond(m, &beyond, &alike_beyond);
    }
    if (!best.is_settled && alike_beyond >= ENOUGH)
        alike = ENOUGH;
    for (size_t strategy = 0; strategy < STRATEGIES && (strategy == 0 || !best.is_settled); strategy++)
        for (size_t k = 0; k < in->n_starts && (strategy == 0 || k == 0) && alike < ENOUGH; k++) {
            if (strategy == 0 && !is_open[k])
                continue;
            minimum m = levenberg(in, in->start + k * in->p, strategy, NO_POINT);
            take_minimum(&m, &best, &alike);
        }
    free(is_open);
    return best;
}

static ws_status nonlinear_give_up(const ws_nls_input *in, ws_fit *fit, ws_fit_status status, double *residual)
{
    fit->status = status;
    for (size_t j = 0; j < in->p; j++)
        ws_fit_add(fit, in->name[j], NAN, NAN);
    for (size_t i = 0; residual && i < in->n; i++)
        residual[i] = NAN;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (status == WS_FIT_TOO_FEW)
        ws_say(text, size, "%zu point%s: fewer than the %zu that the model needs", in->n, in->n == 1 ? "" : "s", in->p);
    else if (status == WS_FIT_NOT_IDENTIFIED)
        ws_say(text, size,
               "the %zu points do not tell the %zu parameters apart: some change of them leaves the curve as it is",
               in->n, in->p);
    else
        ws_say(
            text, size,
            "the search for the parameters did not settle: the %zu points do not hold this curve, or have no best one",
            in->n);
    return WS_OK;
}

static double total_sum(const ws_nls_input *in)
{
    long double weights = 0, mean = 0, sum = 0;
    for (size_t i = 0; i < in->n; i++) {
        long double w = in->weight ? in->weight[i] : 1;
        weights += w;
        mean += w * in->y[i];
    }
    mean /= weights;
    for (size_t i = 0; i < in->n; i++)
        sum += (in->weight ? in->weight[i] : 1) * (in->y[i] - mean) * (in->y[i] - mean);
    return (double)sum;
}

static double leave_one_out(const ws_nls_input *fitted, const double *b)
{
    ws_nls_input refit = *fitted;
    const ws_nls_input *in = &refit;
    long double sum = 0;
    double gradient[MAX], from[MAX];
    memcpy(from, b, in->p * sizeof *b);
    if (in->even_curve) {
        refit.curve = in->even_curve;
        in->even_parameters(in->state, b, from);
    }
    for (size_t i = 0; i < in->n; i++) {
        minimum m = levenberg_again(in, from, (long)i);
        if (!m.is_settled)
            return NAN;
        double off = in->y[i] - in->curve(in->state, i, m.b, gradient);
        sum += (in->weight ? in->weight[i] : 1) * (long double)off * off;
    }
    return (double)(sum / (long double)in->n);
}

static void set_quality(const ws_nls_input *in, ws_fit *fit, double rss)
{
    bool flat = ws_fit_is_constant(in->y, in->n);
    fit->rss = rss;
    fit->df = (double)(in->n - in->p);
    fit->status = is_perfect(in, rss) ? WS_FIT_PERFECT : WS_FIT_OK;
    if (flat)
        fit->status = WS_FIT_CONSTANT;
    if (in->n == in->p)
        fit->status = WS_FIT_EXACT;
    else
        fit->sigma = sqrt(rss / fit->df);
    if (!flat)
        fit->r2 = 1 - rss / total_sum(in);
    if (fit->status != WS_FIT_OK)
        return;
    ws_ls_set_likelihood(fit, rss, in->p);
    long double logs = 0;
    for (size_t i = 0; in->weight && i < in->n; i++)
        logs += logl(in->weight[i]);
    fit->log_likelihood += (double)logs / 2;
    fit->aic -= (double)logs;
    fit->aicc -= (double)logs;
    fit->bic -= (double)logs;
}

ws_variance ws_nls_variance(const ws_nls_detail *detail, const double *gradient, size_t p, double df)
{
    long double plain = 0, more = 0, alone = 0;
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++) {
            long double both = (long double)gradient[j] * gradient[k];
            plain += both * detail->covariance[j][k];
            more += detail->repeat_df > 0 ? both * detail->by_repeats[j][k] : 0;
            alone += detail->repeat_df > 0 ? both * detail->of_repeats[j][k] : 0;
        }
    plain = isnan(plain) ? plain : fmaxl(0, plain);
    ws_variance v = {(double)plain, df};
    if (!(more > 1e-9L * plain)) /* as many runs of each point leave the rounding alone */
        return v;
    v.value = (double)(plain + more);
    /* As ws_variance_of_means has it, and at most df^2 (ours): a curve bends as its few points happen to lie. */
    v.df = fmin(df * df, ws_satterthwaite(fmax((double)plain, (double)alone), df, (double)more, detail->repeat_df));
    return v;
}

/* by_repeats: r (sum S_i S_i' / n_i - sum S_i S_i' m), m = sum (1 - h_i) / n_i / (n - p), with S = (J'J)^-1 J' the
 * shares of the points in the parameters of the curve's tangent; see ws_variance_of_means. */
static void allow_repeats(const ws_nls_input *in, const double *b, long double inverse[MAX][MAX], const ws_fit *fit,
                          ws_nls_detail *detail)
{
    const ws_replication *r = in->replication;
    size_t n = in->n, p = in->p;
    detail->repeat_df = 0;
    if (!r || !r->count || !(r->variance > 0) || fit->status != WS_FIT_OK)
        return;
    double *jacobian = ws_realloc(NULL, (p + 1) * n + 1, sizeof *jacobian);
    bool defined = isfinite(evaluate(in, NO_POINT, b, jacobian, jacobian + p * n));
    long double over_n[MAX][MAX] = {{0}}, even[MAX][MAX] = {{0}}, rest = 0;
    for (size_t i = 0; i < n && defined; i++) {
        long double share[MAX], leverage = 0, runs = (long double)r->count[i];
        for (size_t j = 0; j < p; j++) {
            share[j] = 0;
            for (size_t k = 0; k < p; k++) {
                long double unscaled = 0;
                for (size_t l = j > k ? j : k; l < p; l++)
                    unscaled += inverse[j][l] * inverse[k][l];
                share[j] += unscaled * jacobian[k * n + i];
            }
            leverage += share[j] * jacobian[j * n + i];
        }
        rest += (1 - leverage) / runs / (long double)(n - p);
        for (size_t j = 0; j < p; j++)
            for (size_t k = 0; k < p; k++) {
                even[j][k] += share[j] * share[k];
                over_n[j][k] += share[j] * share[k] / runs;
            }
    }
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k < p; k++) {
            detail->of_repeats[j][k] = (double)(r->variance * even[j][k] * rest);
            detail->by_repeats[j][k] = (double)(r->variance * over_n[j][k]) - detail->of_repeats[j][k];
        }
    detail->repeat_df = defined ? r->df : 0;
    free(jacobian);
}

static void set_estimates(const ws_nls_input *in, const minimum *m, const ws_qr *qr, ws_fit *fit, ws_nls_detail *detail)
{
    long double inverse[MAX][MAX];
    ws_qr_inverse(qr, inverse);
    for (size_t j = 0; j < in->p; j++) {
        for (size_t k = 0; k < in->p; k++) {
            long double sum = 0;
            for (size_t l = j > k ? j : k; l < in->p; l++)
                sum += inverse[j][l] * inverse[k][l];
            detail->covariance[j][k] = (double)(sum * fit->sigma * fit->sigma);
        }
    }
    allow_repeats(in, m->b, inverse, fit, detail);
    for (size_t j = 0; j < in->p; j++) {
        double gradient[MAX] = {0};
        gradient[j] = 1;
        ws_variance v = ws_nls_variance(detail, gradient, in->p, fit->df);
        ws_estimate *e = ws_fit_add(fit, in->name[j], m->b[j], sqrt(v.value));
        ws_estimate_take_df(e, v.df, fit->df, in->level);
    }
}

static ws_status nonlinear_check(const ws_nls_input *in, ws_error *error)
{
    ws_status status = ws_fit_check_level(in->level, error);
    if (status == WS_OK && (in->p < 1 || in->p > MAX))
        return ws_fail(error, WS_USAGE, "a curve takes 1 to %d parameters, not %zu", MAX, in->p);
    if (status == WS_OK)
        status = ws_fit_check_finite("y", in->y, in->n, error);
    if (status == WS_OK && in->weight)
        status = ws_fit_check_finite("weight", in->weight, in->n, error);
    for (size_t i = 0; status == WS_OK && in->weight && i < in->n; i++)
        if (!(in->weight[i] > 0))
            return ws_fail(error, WS_DATA, "weight of point %zu is not above zero; leave the point out", i + 1);
    return status;
}

ws_status ws_nls_fit(const ws_nls_input *in, const char *model, ws_fit *fit, double *residual, ws_nls_detail *detail,
                     ws_error *error)
{
    ws_nls_detail unused;
    ws_fit_begin(fit, model, in->weight ? "centred, weighted" : "centred", in->n);
    ws_status status = nonlinear_check(in, error);
    if (status != WS_OK)
        return status;
    if (in->n < in->p)
        return nonlinear_give_up(in, fit, WS_FIT_TOO_FEW, residual);
    minimum m = best_minimum(in);
    if (!m.is_settled)
        return nonlinear_give_up(in, fit, m.is_flat ? WS_FIT_NOT_IDENTIFIED : WS_FIT_NOT_CONVERGED, residual);
    ws_qr qr;
    double gradient[MAX];
    gauss_newton_step(in, m.b, NO_POINT, &qr);
    /* The solver's residuals are those left by one more step, which is none. */
    set_quality(in, fit, (double)qr.rss);
    set_estimates(in, &m, &qr, fit, detail ? detail : &unused);
    ws_qr_free(&qr);
    if (fit->df > 0 && !in->without_loocv)
        fit->loocv = leave_one_out(in, m.b);
    bool finite = isfinite(fit->rss) && !isinf(fit->loocv);
    for (size_t i = 0; i < in->n; i++) {
        double off = in->y[i] - in->curve(in->state, i, m.b, gradient);
        finite = finite && isfinite(off);
        if (residual)
            residual[i] = off;
    }
    for (size_t j = 0; j < in->p; j++)
        finite = finite && !isinf(fit->estimate[j].se);
    if (finite)
        return WS_OK;
    return ws_fail(error, WS_DATA, "the values are too large or too small for a fit; express them in another unit");
}
