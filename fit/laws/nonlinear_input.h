/* A curve and its points, as the searches of nonlinear.h and nonlinear_quick.h take them. */
#ifndef WS_FIT_NONLINEAR_INPUT_H
#define WS_FIT_NONLINEAR_INPUT_H

#include "fit/means.h"

/* The curve at point i for parameters b; gradient[j] gets its derivative by b[j]. Where it is undefined it returns NaN:
 * the search keeps out of there. */
typedef double ws_curve(const void *state, size_t i, const double *b, double *gradient);

typedef struct ws_nls_input {
    ws_curve *curve;
    /* The same curve in parameters that stay finite where some of b go to infinity together, these from b, and b from
     * these: what quick searches take, which need fewer steps in them, and refits without a point, which may lead
     * there. Or NULL. */
    ws_curve *even_curve;
    void (*even_parameters)(const void *state, const double *b, double *even);
    void (*from_even)(const void *state, const double *even, double *b);
    const void *state;
    const char *const *name; /* of the parameters: static texts */
    size_t p;                /* at most WS_FIT_MAX_ESTIMATES */
    const double *y;
    const double *weight; /* one a point, above zero, whose ratios count; or NULL */
    size_t n;
    double level;
    const double *start; /* n_starts rows of p values, the likeliest first; the best minimum wins */
    size_t n_starts;
    bool without_loocv;                /* spare the n fits that leave a point out */
    const ws_replication *replication; /* where the points are means of unequal numbers of runs; or NULL */
} ws_nls_input;

#endif
