/* The onset without a shape: y never falls as x grows, and may rise in any way (isotonic regression).
 *
 *     f = argmin sum (y - f(x))^2 over all f that never fall (neighbours that violate the order are pooled)
 *     onset = the smallest measured x with f(x) > plateau + 2 s,  plateau and deviation s those of onset.c
 *
 * It is one of the x that were measured. The deviation about f itself would not do: f follows the errors wherever they
 * rise. Interval: percentiles of the onsets of y = f + redrawn residuals of the plateau and rise, those times sqrt(n /
 * (n - 3)), plateau and s as they were; fixed seed. Assumes independent errors of one size. Barlow, Bartholomew,
 * Bremner and Brunk 1972, Statistical Inference under Order Restrictions; Efron and Tibshirani 1993. */
#include "fit/laws/onset.h"

#include "core/arena.h"
#include "fit/tests/bootstrap.h"
#include "fit/estimate.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 2000, SEED = 1 };

/* A stretch of places that share one value. */
typedef struct block {
    double sum, n;
    size_t end; /* the place behind its last */
} block;

typedef struct monotone {
    size_t n;
    double *x, *y;   /* ascending in x */
    double *f, *off; /* the curve, and residuals to add to it */
    block *blocks;   /* room for n */
    double limit;    /* plateau + 2 s */
} monotone;

static double level_of(const block *b)
{
    return b->sum / b->n;
}

/* Pool adjacent violators; points of one x are one place. Returns the number of blocks. */
static size_t pool(const monotone *m, const double *y)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n;) {
        block next = {0, 0, i};
        for (; next.end < m->n && m->x[next.end] == m->x[i]; next.end++) {
            next.sum += y[next.end];
            next.n++;
        }
        i = next.end;
        for (; n && level_of(&m->blocks[n - 1]) >= level_of(&next); n--) {
            next.sum += m->blocks[n - 1].sum;
            next.n += m->blocks[n - 1].n;
        }
        m->blocks[n++] = next;
    }
    return n;
}

/* NaN where the curve stays within the limit. */
static double onset_of(const monotone *m, size_t n_blocks)
{
    for (size_t b = 0; b < n_blocks; b++)
        if (level_of(&m->blocks[b]) > m->limit)
            return m->x[b ? m->blocks[b - 1].end : 0];
    return NAN;
}

static double redrawn_onset(const void *state, const size_t *index, size_t n)
{
    const monotone *m = state;
    double *y = m->y;
    for (size_t i = 0; i < n; i++)
        y[i] = m->f[i] + m->off[index[i]];
    return onset_of(m, pool(m, y));
}

static void prepare(const ws_law_input *in, monotone *m)
{
    *m = (monotone){.n = in->n, .x = ws_realloc(NULL, 4 * in->n, sizeof(double))};
    m->y = m->x + in->n;
    m->f = m->y + in->n;
    m->off = m->f + in->n;
    m->blocks = ws_realloc(NULL, in->n, sizeof *m->blocks);
    for (size_t i = 0; i < in->n; i++) {
        m->x[i] = in->x[i];
        m->y[i] = in->y[i];
    }
    gsl_sort2(m->x, 1, m->y, 1, m->n);
}

/* Returns the number of blocks. */
static size_t fit_curve(monotone *m)
{
    size_t n_blocks = pool(m, m->y), i = 0;
    for (size_t b = 0; b < n_blocks; b++)
        for (; i < m->blocks[b].end; i++)
            m->f[i] = level_of(&m->blocks[b]);
    return n_blocks;
}

ws_status ws_onset_isotonic(const ws_law_input *in, const double *residual, ws_fit *fit, ws_error *error)
{
    if (fit->status != WS_FIT_OK)
        return ws_fail(error, WS_USAGE, "an isotonic onset goes beside an onset that was found");
    monotone m;
    ws_bootstrap draws;
    prepare(in, &m);
    m.limit = ws_fit_estimate(fit, "plateau")->value + 2 * fit->sigma;
    for (size_t i = 0; i < m.n; i++)
        m.off[i] = residual[i] * sqrt((double)m.n / fit->df);
    double onset = onset_of(&m, fit_curve(&m));
    ws_estimate *e = ws_fit_add(fit, "onset-isotonic", onset, NAN);
    ws_status status = WS_OK;
    if (!isnan(onset))
        status = ws_bootstrap_bca(redrawn_onset, &m, m.n, NULL, DRAWS, SEED, in->level, &draws, error);
    if (status == WS_OK && !isnan(onset)) {
        bool alike = draws.status == WS_FIT_CONSTANT;
        e->ci_lo = alike ? onset : fmin(draws.percentile_lo, onset);
        e->ci_hi = alike ? onset : fmax(draws.percentile_hi, onset);
        ws_say(fit->sentence, sizeof fit->sentence,
               "; without a shape the first x above the plateau is %s (%s: %s to %s)", ws_words_number(onset).text,
               ws_words_level(in->level).text, ws_words_number(e->ci_lo).text, ws_words_number(e->ci_hi).text);
    } else if (status == WS_OK) {
        ws_say(fit->sentence, sizeof fit->sentence,
               "; without a shape the onset is undefined: no x lies two standard deviations above the plateau");
    }
    free(m.x);
    free(m.blocks);
    return status;
}
