/* Levenberg and Marquardt's search for the minimum of a sum of squares.
 *
 *     step = argmin |r - J step|^2 + lambda |D step|^2
 *
 * D: the largest length that each column of J has had (More 1978), so that units do not matter; lambda shrinks and
 * grows by how well the linear model foretold the gain (Nielsen 1999, Damping parameter in Marquardt's method). Each
 * step is an orthogonal least-squares solution in long double (qr.c), never normal equations. Plain Gauss-Newton steps
 * end the search; it has settled when such a step is small against the standard errors or against rounding (Bates and
 * Watts 1988, Nonlinear Regression Analysis, section 2.2), which no stop of the damped search alone would prove. */
#include "fit/laws/levenberg.h"

#include "core/arena.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = WS_FIT_MAX_ESTIMATES, MOST_POLISH = 30 };

/* A column of J that is this near to the others' span is taken as lying in it. */
static const long double flat_tolerance = 1e-11L;

/* What is tried one after the other until one settles. A heavy first damping keeps a poor start from being thrown onto
 * a plateau (NIST's BoxBOD, start 1); forgetting past lengths helps along a bent valley (MGH10, start 1). */
static const struct strategy {
    long double lambda;
    bool forgets_scale;
    int most_steps;
} strategies[WS_STRATEGIES] = {{1e-3L, false, 1000}, {1e3L, false, 1000}, {1e-3L, true, 6000}};

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

bool ws_nls_step(const ws_nls_input *in, const double *b, long skip, ws_qr *qr)
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
static void polish(const ws_nls_input *in, long skip, double enough, ws_minimum *m)
{
    double best = INFINITY;
    double b[MAX];
    memcpy(b, m->b, sizeof b);
    for (int round = 0; round < MOST_POLISH; round++) {
        ws_qr qr;
        bool defined = ws_nls_step(in, b, skip, &qr);
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

ws_minimum ws_levenberg(const ws_nls_input *in, const double *start, size_t strategy, long skip)
{
    size_t values = in->n * (in->p + 1) + 1;
    search s = {.in = in,
                .strategy = &strategies[strategy],
                .skip = skip,
                .jacobian = ws_realloc(NULL, 2 * values, sizeof(double))};
    s.rest = s.jacobian + in->n * in->p;
    memcpy(s.b, start, in->p * sizeof *start);
    s.rss = evaluate(in, skip, s.b, s.jacobian, s.rest);
    ws_minimum m = {.rss = s.rss};
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

ws_minimum ws_levenberg_again(const ws_nls_input *in, const double *b, long skip)
{
    ws_minimum m = {.rss = NAN};
    memcpy(m.b, b, in->p * sizeof *b);
    polish(in, skip, 1e-3, &m);
    return m.is_settled ? m : ws_levenberg(in, b, 0, skip);
}
