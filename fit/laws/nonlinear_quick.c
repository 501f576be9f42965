/* Levenberg and Marquardt's search by normal equations, (J'WJ + lambda D) step = J'W r with D the diagonal of J'WJ, for
 * curves of a few parameters through a few points, of which a table may have a hundred thousand.
 *
 * Normal equations square the condition of J, so a matrix whose columns are nearly dependent is not answered here. A
 * step foretells its own gain, step' J'WJ step, which tells how far the minimum is in units of its standard errors:
 * gain = (rss / df) distance^2. Marquardt 1963, SIAM J. 11; Bates and Watts 1988, section 2.2. */
#include "fit/laws/nonlinear_quick.h"

#include <math.h>
#include <string.h>

enum { MAX = WS_FIT_MAX_ESTIMATES, MOST_STEPS = 60 };

static const double NEAR = 1e-6;      /* ... below which the sum of squares is too coarse a guide */
static const double DEPENDENT = 1e-9; /* what is left of a column of length 1, squared */

typedef struct normal {
    double a[MAX][MAX], g[MAX], rss; /* J'WJ, J'W r, r'W r */
} normal;

/* In line for each number of parameters, so that loops over two or three of them are none. */
static inline __attribute__((always_inline)) bool gather_of(size_t p, const ws_nls_input *in, long skip,
                                                            const double *b, normal *out)
{
    double gradient[MAX];
    out->rss = 0;
    for (size_t j = 0; j < p; j++) {
        gradient[j] = out->g[j] = 0;
        for (size_t k = 0; k <= j; k++)
            out->a[j][k] = 0;
    }
    for (size_t i = 0; i < in->n; i++) {
        double weight = in->weight ? in->weight[i] : 1;
        if ((long)i == skip)
            continue;
        double rest = in->y[i] - in->curve(in->state, i, b, gradient);
        out->rss += weight * rest * rest;
        for (size_t j = 0; j < p; j++) {
            out->g[j] += weight * gradient[j] * rest;
            for (size_t k = 0; k <= j; k++)
                out->a[j][k] += weight * gradient[j] * gradient[k];
        }
    }
    bool finite = isfinite(out->rss);
    for (size_t j = 0; j < p; j++)
        finite = finite && isfinite(out->g[j]) && isfinite(out->a[j][j]) && out->a[j][j] > 0;
    return finite;
}

static bool gather_normal(const ws_nls_input *in, long skip, const double *b, normal *out)
{
    return in->p == 2   ? gather_of(2, in, skip, b, out)
           : in->p == 3 ? gather_of(3, in, skip, b, out)
                        : gather_of(in->p, in, skip, b, out);
}

/* By Cholesky's factor of the matrix whose diagonal is scaled to 1. False where its columns are nearly dependent. */
static bool solve(const normal *m, size_t p, double lambda, double *step)
{
    double l[MAX][MAX], scale[MAX], z[MAX];
    for (size_t j = 0; j < p; j++)
        scale[j] = 1 / sqrt(m->a[j][j]);
    for (size_t j = 0; j < p; j++)
        for (size_t k = 0; k <= j; k++) {
            double sum = m->a[j][k] * scale[j] * scale[k] + (j == k ? lambda : 0);
            for (size_t i = 0; i < k; i++)
                sum -= l[j][i] * l[k][i];
            if (j == k && !(sum > DEPENDENT))
                return false;
            l[j][k] = j == k ? sqrt(sum) : sum / l[k][k];
        }
    for (size_t j = 0; j < p; j++) {
        z[j] = m->g[j] * scale[j];
        for (size_t k = 0; k < j; k++)
            z[j] -= l[j][k] * z[k];
        z[j] /= l[j][j];
    }
    for (size_t j = p; j-- > 0;) {
        for (size_t k = j + 1; k < p; k++)
            z[j] -= l[k][j] * z[k];
        z[j] /= l[j][j];
    }
    for (size_t j = 0; j < p; j++)
        step[j] = z[j] * scale[j];
    return true;
}

/* What the linear model foretells of the sum of squares: |r|^2 - |r - J step|^2. */
static double foretold_gain(const normal *m, size_t p, const double *step)
{
    double gain = 0;
    for (size_t j = 0; j < p; j++) {
        double along = m->a[j][j] * step[j];
        for (size_t k = 0; k < j; k++)
            along += 2 * m->a[j][k] * step[k];
        gain += step[j] * (2 * m->g[j] - along);
    }
    return gain;
}

bool ws_nls_quick(const ws_nls_input *in, long skip, double damping, double enough, double *b, double *rss)
{
    double at[MAX], step[MAX], trial[MAX], lambda = damping, last_gain = INFINITY;
    normal both[2], *here = &both[0], *there = &both[1];
    memcpy(at, b, in->p * sizeof *b);
    if (!gather_normal(in, skip, at, here))
        return false;
    for (int round = 0; round < MOST_STEPS; round++) {
        if (!solve(here, in->p, lambda, step))
            return false;
        double gain = foretold_gain(here, in->p, step);
        bool is_near = gain <= NEAR * here->rss;
        if (is_near && lambda > 0) { /* plain steps from here */
            lambda = 0;
            continue;
        }
        if (is_near && !(gain < last_gain))
            return false;
        for (size_t j = 0; j < in->p; j++)
            trial[j] = at[j] + step[j];
        bool defined = gather_normal(in, skip, trial, there);
        if (!is_near && !(defined && there->rss < here->rss)) {
            lambda = lambda > 0 ? 8 * lambda : 1e-3;
            continue;
        }
        if (!defined)
            return false;
        lambda = lambda > 1e-8 ? lambda / 8 : 0;
        last_gain = is_near ? gain : INFINITY;
        memcpy(at, trial, in->p * sizeof *at);
        normal *left = here;
        here = there;
        there = left;
        if (gain <= enough * here->rss) {
            memcpy(b, at, in->p * sizeof *b);
            *rss = here->rss;
            return true;
        }
    }
    return false;
}
