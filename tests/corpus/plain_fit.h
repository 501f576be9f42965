/* Least squares by the normal equations in long double, which shares nothing with fit/. */
#ifndef WS_TESTS_PLAIN_FIT_H
#define WS_TESTS_PLAIN_FIT_H

#include "harness.h"

#include <math.h>

enum { TERMS = 3, POINTS = 500 };
typedef struct plain {
    size_t n, terms;
    double x[TERMS][POINTS], y[POINTS];
    double value[TERMS], se[TERMS], r2;
} plain;

/* Gauss-Jordan with the identity beside it: [A | 1] becomes [1 | inverse of A]. */
static inline void invert(long double a[TERMS][2 * TERMS], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            a[i][n + j] = i == j;
    }
    for (size_t i = 0; i < n; i++) {
        long double pivot = a[i][i]; /* the matrix is positive definite */
        ck_assert(pivot > 0);
        for (size_t j = 0; j < 2 * n; j++)
            a[i][j] /= pivot;
        for (size_t k = 0; k < n; k++) {
            long double factor = k == i ? 0 : a[k][i];
            for (size_t j = 0; j < 2 * n; j++)
                a[k][j] -= factor * a[i][j];
        }
    }
}

/* y = sum of value[j] x[j]; R2 about the mean. */
static inline void solve(plain *f)
{
    long double a[TERMS][2 * TERMS] = {{0}}, b[TERMS] = {0}, rss = 0, tss = 0, mean = 0;
    for (size_t i = 0; i < f->n; i++) {
        mean += (long double)f->y[i] / (long double)f->n;
        for (size_t j = 0; j < f->terms; j++) {
            b[j] += (long double)f->x[j][i] * f->y[i];
            for (size_t k = 0; k < f->terms; k++)
                a[j][k] += (long double)f->x[j][i] * f->x[k][i];
        }
    }
    invert(a, f->terms);
    long double value[TERMS] = {0};
    for (size_t j = 0; j < f->terms; j++)
        for (size_t k = 0; k < f->terms; k++)
            value[j] += a[j][f->terms + k] * b[k];
    for (size_t i = 0; i < f->n; i++) {
        long double rest = f->y[i];
        for (size_t j = 0; j < f->terms; j++)
            rest -= value[j] * f->x[j][i];
        rss += rest * rest;
        tss += (f->y[i] - mean) * (f->y[i] - mean);
    }
    f->r2 = (double)(1 - rss / tss);
    for (size_t j = 0; j < f->terms; j++) {
        f->value[j] = (double)value[j];
        f->se[j] = (double)sqrtl(rss / (long double)(f->n - f->terms) * a[j][f->terms + j]);
    }
}

#endif
