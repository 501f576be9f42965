/* How often a row is on the front when the means behind it are drawn again: mean + L z, L L' = S / n with the
 * covariance S of the n repeats of a row (Cholesky) and z standard normal. Assumes that the means are nearly normal and
 * that S is known, which few repeats make too sure. */
#include "core/arena.h"
#include "fit/choice/pareto.h"
#include "fit/random.h"

#include <math.h>
#include <stdlib.h>

typedef struct spread {
    double mean[WS_PARETO_MAX];
    double root[WS_PARETO_MAX][WS_PARETO_MAX]; /* first S / n, then its lower root L */
    size_t n;
} spread;

static void gather_means(const double *const *objective, size_t k, const size_t *row, size_t n, spread *of)
{
    for (size_t i = 0; i < n; i++) {
        spread *s = &of[row[i]];
        s->n++;
        for (size_t j = 0; j < k; j++)
            s->mean[j] += (objective[j][i] - s->mean[j]) / (double)s->n;
    }
}

static void gather_covariances(const double *const *objective, size_t k, const size_t *row, size_t n, spread *of)
{
    for (size_t i = 0; i < n; i++) {
        spread *s = &of[row[i]];
        double repeats = (double)s->n;
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; b <= a; b++)
                s->root[a][b] +=
                    (objective[a][i] - s->mean[a]) / repeats * ((objective[b][i] - s->mean[b]) / (repeats - 1));
    }
}

/* A pivot lost to rounding is that of objectives that move together: nothing is left to draw. */
static void take_root(spread *s, size_t k)
{
    const double lost = 1e-12;
    for (size_t a = 0; a < k; a++) {
        double whole = s->root[a][a];
        for (size_t b = 0; b <= a; b++) {
            for (size_t c = 0; c < b; c++)
                s->root[a][b] -= s->root[a][c] * s->root[b][c];
            if (b < a)
                s->root[a][b] = s->root[b][b] > 0 ? s->root[a][b] / s->root[b][b] : 0;
        }
        s->root[a][a] = s->root[a][a] > lost * whole ? sqrt(s->root[a][a]) : 0;
    }
}

static void pareto_probability_draw(const spread *of, size_t n_rows, size_t k, ws_random *random, double *const *drawn)
{
    for (size_t i = 0; i < n_rows; i++) {
        double z[WS_PARETO_MAX];
        for (size_t a = 0; a < k; a++) {
            z[a] = ws_random_normal(random);
            drawn[a][i] = of[i].mean[a];
            for (size_t b = 0; b <= a; b++)
                drawn[a][i] += of[i].root[a][b] * z[b];
        }
    }
}

static ws_status count_fronts(const spread *of, size_t n_rows, size_t k, size_t draws, uint64_t seed, double *hits,
                              ws_error *error)
{
    double *all = ws_realloc(NULL, k * n_rows + 1, sizeof *all), *drawn[WS_PARETO_MAX];
    const double *objective[WS_PARETO_MAX];
    bool *on_front = ws_realloc(NULL, n_rows + 1, sizeof *on_front);
    ws_random random = {seed};
    ws_status status = WS_OK;
    for (size_t j = 0; j < k; j++)
        objective[j] = drawn[j] = all + j * n_rows;
    for (size_t d = 0; d < draws && status == WS_OK; d++) {
        pareto_probability_draw(of, n_rows, k, &random, drawn);
        status = ws_pareto_front(objective, k, n_rows, on_front, error);
        for (size_t i = 0; i < n_rows && status == WS_OK; i++)
            hits[i] += on_front[i];
    }
    free(all);
    free(on_front);
    return status;
}

static ws_status find_spreads(const double *const *objective, size_t k, const size_t *row, size_t n, size_t n_rows,
                              spread *of, ws_error *error)
{
    gather_means(objective, k, row, n, of);
    for (size_t i = 0; i < n_rows; i++)
        if (of[i].n < 2)
            return ws_fail(error, WS_DATA, "row %zu has %zu of the 2 repeats that tell its spread", i + 1, of[i].n);
    gather_covariances(objective, k, row, n, of);
    for (size_t i = 0; i < n_rows; i++)
        take_root(&of[i], k);
    return WS_OK;
}

ws_status ws_pareto_probability(const double *const *objective, size_t k, const size_t *row, size_t n, size_t n_rows,
                                size_t draws, uint64_t seed, double *probability, double *error_of, ws_error *error)
{
    if (k < 1 || k > WS_PARETO_MAX || !draws)
        return ws_fail(error, WS_USAGE, "a front takes 1 to %d objectives and a draw at least", WS_PARETO_MAX);
    spread *of = ws_alloc((n_rows + 1) * sizeof *of);
    for (size_t i = 0; i < n_rows; i++) {
        of[i] = (spread){.n = 0};
        probability[i] = 0;
    }
    ws_status status = find_spreads(objective, k, row, n, n_rows, of, error);
    if (status == WS_OK)
        status = count_fronts(of, n_rows, k, draws, seed, probability, error);
    for (size_t i = 0; i < n_rows; i++) {
        double total = (double)draws, q = (probability[i] + 1) / (total + 2);
        probability[i] = status == WS_OK ? probability[i] / total : NAN;
        error_of[i] = status == WS_OK ? sqrt(q * (1 - q) / total) : NAN;
    }
    free(of);
    return status;
}
