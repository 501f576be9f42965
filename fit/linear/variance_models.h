/* What errors may depend on, weighed by how well each explains the residuals. Internal to fit/. */
#ifndef WS_FIT_VARIANCE_MODELS_H
#define WS_FIT_VARIANCE_MODELS_H

#include "fit/means.h"

#include <stddef.h>

enum { WS_VARIANCE_MODELS = 13 }; /* the first: errors of one size; the last: in proportion to `size` */
enum { WS_VARIANCE_MANY = 8 };    /* points, of which a value of noise below zero among others changes little */

typedef struct ws_variance_models {
    size_t n;                            /* models: WS_VARIANCE_MODELS, or 0 where they were not weighed */
    double weight[WS_VARIANCE_MODELS];   /* 1 together */
    double variance[WS_VARIANCE_MODELS]; /* of an error whose working variance is 1 */
    double growth[WS_VARIANCE_MODELS];   /* of the working variance with size^2; 0 of the first */
} ws_variance_models;

/* Of a line through y (p = 2) or a line through the origin (p = 1). n of the result is 0 for fewer than three points,
 * and where a size is not above zero. */
ws_variance_models ws_variance_models_weigh(const double *x, const double *y, const double *size, size_t n, size_t p);

/* The variance of sum s_i y_i by model m; square[i] = s_i^2. */
double ws_variance_models_variance(const ws_variance_models *models, size_t m, const double *square, const double *size,
                                   size_t n);

/* The interval, p value and standard error of an estimate, of which v[m] is the variance by model m, with its degrees
 * of freedom. The standard error is the one whose Student's t of `df` degrees of freedom gives the interval of 95 %. */
void ws_variance_models_infer(const ws_variance_models *models, const ws_variance *v, double df, double level,
                              ws_estimate *estimate);

#endif
