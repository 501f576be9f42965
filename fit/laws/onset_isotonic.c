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
#include "fit/estimate.h"
#include "fit/random.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 2000, SEED = 1, LEAST_POINTS = 5, FEW = 32 };

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

/* Which residuals the draws take, n for each: the same for every group of as many points. Good until the next call. */
static const uint8_t *drawn_residuals(size_t n)
{
    typedef struct residuals {
        uint8_t index[DRAWS * FEW];
        size_t n;
    } residuals;
    static _Thread_local residuals *kept;
    ws_random random = {SEED};
    kept = kept ? kept : ws_alloc(sizeof *kept);
    for (size_t k = 0; kept->n != n && k < DRAWS * n; k++)
        kept->index[k] = (uint8_t)ws_random_below(&random, n);
    kept->n = n;
    return kept->index;
}

/* Where a curve that never falls first lies above the limit: what of it is above a limit is the end of the x whose sum
 * of (y - limit) is the largest, the shortest of these. `y` less the limit. */
static size_t place_above(const monotone *m, const double *y)
{
    size_t place = m->n;
    double sum = 0, most = 0;
    for (size_t i = m->n; i-- > 0;) {
        sum += y[i];
        if (sum > most && (i == 0 || m->x[i - 1] < m->x[i])) {
            most = sum;
            place = i;
        }
    }
    return place;
}

/* Draws at each place; behind the last those whose curve stays within the limit. */
static void count_places(const monotone *m, size_t *count)
{
    const uint8_t *drawn = m->n <= FEW ? drawn_residuals(m->n) : NULL;
    ws_random random = {SEED};
    for (size_t d = 0; d < DRAWS; d++) {
        for (size_t i = 0; i < m->n; i++)
            m->y[i] = m->f[i] - m->limit + m->off[drawn ? drawn[d * m->n + i] : ws_random_below(&random, m->n)];
        count[place_above(m, m->y)]++;
    }
}

/* The share of the draws below as in percentiles of sorted ones, between neighbours by the line. `count` has the draws
 * of each place. */
static double percentile(const monotone *m, const size_t *count, size_t draws, double share)
{
    double at = share * (double)(draws - 1);
    size_t low = (size_t)at, place = 0, below = count[0];
    while (below <= low)
        below += count[++place];
    size_t next = place;
    while (low + 1 < draws && below <= low + 1)
        below += count[++next];
    return m->x[place] + (at - (double)low) * (m->x[next] - m->x[place]);
}

/* The interval of the onset, which holds it. False where most draws have none. */
static bool redraw(const monotone *m, double level, double onset, ws_estimate *e)
{
    size_t *count = ws_alloc((m->n + 1) * sizeof *count);
    memset(count, 0, (m->n + 1) * sizeof *count);
    count_places(m, count);
    size_t n = DRAWS - count[m->n];
    bool is_known = n >= DRAWS / 2;
    if (is_known) {
        e->ci_lo = fmin(percentile(m, count, n, (1 - level) / 2), onset);
        e->ci_hi = fmax(percentile(m, count, n, (1 + level) / 2), onset);
    }
    free(count);
    return is_known;
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
    prepare(in, &m);
    m.limit = ws_fit_estimate(fit, "plateau")->value + 2 * fit->sigma;
    for (size_t i = 0; i < m.n; i++)
        m.off[i] = residual[i] * sqrt((double)m.n / fit->df);
    double onset = onset_of(&m, fit_curve(&m));
    ws_estimate *e = ws_fit_add(fit, "onset-isotonic", onset, NAN);
    if (!isnan(onset)) {
        if (m.n < LEAST_POINTS || !redraw(&m, in->level, onset, e))
            e->ci_lo = e->ci_hi = onset;
        ws_say(fit->sentence, sizeof fit->sentence,
               "; without a shape the first x above the plateau is %s (%s: %s to %s)", ws_words_number(onset).text,
               ws_words_level(in->level).text, ws_words_number(e->ci_lo).text, ws_words_number(e->ci_hi).text);
    } else {
        ws_say(fit->sentence, sizeof fit->sentence,
               "; without a shape the onset is undefined: no x lies two standard deviations above the plateau");
    }
    free(m.x);
    free(m.blocks);
    return WS_OK;
}
