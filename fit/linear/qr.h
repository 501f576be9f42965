/* X = Q R in long double, under every least-squares fit of this folder. Internal to fit/. */
#ifndef WS_FIT_QR_H
#define WS_FIT_QR_H

#include "fit/fit.h"

#include <stddef.h>

typedef struct ws_qr {
    size_t n, p;
    size_t rank;    /* p, or the first column that the ones before it determine */
    long double *q; /* p + 1 columns of n values: orthonormal predictors, and last the residual */
    long double r[WS_FIT_MAX_ESTIMATES][WS_FIT_MAX_ESTIMATES + 1]; /* column j = sum over k of r[k][j] q[k]; the last
                                                                      column is y's */
    long double length[WS_FIT_MAX_ESTIMATES + 1];                  /* of the columns and of y as they were given */
    long double b[WS_FIT_MAX_ESTIMATES];                           /* the solution; zeros where rank < p */
    long double rss;
} ws_qr;

void ws_qr_init(ws_qr *qr, size_t n, size_t p);
void ws_qr_free(ws_qr *qr);

/* Column j of X, or y for j = p: n values to be filled before ws_qr_solve. */
long double *ws_qr_column(ws_qr *qr, size_t j);

void ws_qr_solve(ws_qr *qr);

/* Column j, or y for j = p, as a combination of the first `rank` columns. */
void ws_qr_share(const ws_qr *qr, size_t j, size_t rank, long double *b);

/* How long what is left of column j (or y) can be by rounding alone: b are its coefficients on the first `rank`. */
long double ws_qr_rounding(const ws_qr *qr, size_t j, size_t rank, const long double *b);

/* R^-1, upper triangular: (X'X)^-1 = R^-1 R^-T, and b = R^-1 Q'y. Full rank only. */
void ws_qr_inverse(const ws_qr *qr, long double inverse[WS_FIT_MAX_ESTIMATES][WS_FIT_MAX_ESTIMATES]);

long double ws_qr_leverage(const ws_qr *qr, size_t i); /* squared length of row i of Q */

#endif
