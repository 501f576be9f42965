/* X = Q R by modified Gram-Schmidt, every column orthogonalised twice ("twice is enough", Giraud, Langou, Rozloznik and
 * van den Eshof 2005, Numerische Mathematik 101), in long double. gsl_multifit_linear keeps 6 digits of NIST's Wampler5
 * and tells nothing of a lost rank; this keeps all, and Q gives leverages and the name of the column that the ones
 * before it determine. The scale of a column does not matter to it. */
#include "fit/linear/qr.h"

#include "core/arena.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = WS_FIT_MAX_ESTIMATES };

/* What is left of a column, or of y, is rounding when it is no longer than this part of the terms that were added up to
 * it, each of which is a double and came out of a few operations. (Exact relations leave 1 epsilon; the last power of
 * NIST's Filip, the nearest to a relation among honest data, leaves a million.) */
static const long double rounding_tolerance = 8 * (long double)DBL_EPSILON;

void ws_qr_init(ws_qr *qr, size_t n, size_t p)
{
    memset(qr, 0, sizeof *qr);
    qr->n = n;
    qr->p = p;
    qr->q = ws_realloc(NULL, (p + 1) * n, sizeof *qr->q);
}

void ws_qr_free(ws_qr *qr)
{
    free(qr->q);
    qr->q = NULL;
}

long double *ws_qr_column(ws_qr *qr, size_t j)
{
    return qr->q + j * qr->n;
}

static long double dot(const long double *a, const long double *b, size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Take the first `before` directions out of column j; what is left stays in q. Returns its length. */
static long double orthogonalise(ws_qr *qr, size_t j, size_t before)
{
    long double *a = ws_qr_column(qr, j);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < before; k++) {
            const long double *q = ws_qr_column(qr, k);
            long double r = dot(q, a, qr->n);
            qr->r[k][j] += r;
            for (size_t i = 0; i < qr->n; i++)
                a[i] -= r * q[i];
        }
    }
    return sqrtl(dot(a, a, qr->n));
}

/* x such that the leading rank x rank part of R times x is rhs. */
static void back_substitute(const ws_qr *qr, size_t rank, const long double *rhs, long double *x)
{
    for (size_t k = rank; k-- > 0;) {
        x[k] = rhs[k];
        for (size_t m = k + 1; m < rank; m++)
            x[k] -= qr->r[k][m] * x[m];
        x[k] /= qr->r[k][k];
    }
}

void ws_qr_share(const ws_qr *qr, size_t j, size_t rank, long double *b)
{
    long double rhs[MAX] = {0};
    for (size_t k = 0; k < rank; k++)
        rhs[k] = qr->r[k][j];
    back_substitute(qr, rank, rhs, b);
}

long double ws_qr_rounding(const ws_qr *qr, size_t j, size_t rank, const long double *b)
{
    long double terms = qr->length[j];
    for (size_t k = 0; k < rank; k++)
        terms += fabsl(b[k]) * qr->length[k];
    return rounding_tolerance * terms;
}

void ws_qr_solve(ws_qr *qr)
{
    long double share[MAX] = {0};
    for (size_t j = 0; j <= qr->p; j++)
        qr->length[j] = sqrtl(dot(ws_qr_column(qr, j), ws_qr_column(qr, j), qr->n));
    for (qr->rank = 0; qr->rank < qr->p; qr->rank++) {
        size_t j = qr->rank;
        long double left = orthogonalise(qr, j, j);
        ws_qr_share(qr, j, j, share);
        if (!(left > ws_qr_rounding(qr, j, j, share)))
            return;
        qr->r[j][j] = left;
        for (size_t i = 0; i < qr->n; i++)
            qr->q[j * qr->n + i] /= left;
    }
    long double left = orthogonalise(qr, qr->p, qr->p);
    qr->rss = left * left;
    ws_qr_share(qr, qr->p, qr->p, qr->b);
}

void ws_qr_inverse(const ws_qr *qr, long double inverse[MAX][MAX])
{
    for (size_t k = 0; k < qr->p; k++) {
        long double unit[MAX] = {0}, column[MAX];
        unit[k] = 1;
        back_substitute(qr, qr->p, unit, column);
        for (size_t j = 0; j < qr->p; j++)
            inverse[j][k] = j <= k ? column[j] : 0;
    }
}

long double ws_qr_leverage(const ws_qr *qr, size_t i)
{
    long double h = 0;
    for (size_t j = 0; j < qr->p; j++)
        h += qr->q[j * qr->n + i] * qr->q[j * qr->n + i];
    return h;
}
