/* Uncertainty of any statistic by computing it again from parts or redraws of the data. */
#ifndef WS_FIT_BOOTSTRAP_H
#define WS_FIT_BOOTSTRAP_H

#include "fit/fit.h"

#include <stdint.h>

/* The statistic of the n points state[index[0]], state[index[1]], ...; NaN where those points have none (a slope of
 * points with one x). For pairs the index picks points; for a residual bootstrap let it pick residuals to add to the
 * fit. */
typedef double ws_statistic(const void *state, const size_t *index, size_t n);

/* The slope of y on x, ready for use. */
typedef struct ws_pairs {
    const double *x, *y;
} ws_pairs;
double ws_pairs_slope(const void *pairs, const size_t *index, size_t n);

typedef struct ws_bootstrap {
    ws_fit_status status; /* OK; TOO_FEW below 5 points; CONSTANT when every draw gives the same; NOT_IDENTIFIED when
                             more than half the draws have no statistic */
    char sentence[400];
    double value, se, bias;
    double ci_lo, ci_hi; /* bias-corrected and accelerated; NaN where the value lies outside all draws */
    double percentile_lo, percentile_hi;
    double monte_carlo_error;  /* of se: se / sqrt(2 draws) */
    size_t n_draws, n_dropped; /* dropped: draws without a statistic */
} ws_bootstrap;

/* stratum: NULL, or a number below n for each point: points are then redrawn within their stratum only, as repeats of
 * one configuration are. The same seed gives the same numbers everywhere. draws: 100 to a million. */
ws_status ws_bootstrap_bca(ws_statistic *statistic, const void *state, size_t n, const size_t *stratum, size_t draws,
                           uint64_t seed, double level, ws_bootstrap *result, ws_error *error);

/* Leave one point out in turn: standard error, bias, Student's t interval with n - 1 degrees of freedom. */
typedef struct ws_jackknife {
    ws_fit_status status; /* OK, TOO_FEW below 3 points, NOT_IDENTIFIED when a part has no statistic */
    char sentence[300];
    double value, se, bias, ci_lo, ci_hi;
} ws_jackknife;
ws_status ws_jackknife_of(ws_statistic *statistic, const void *state, size_t n, double level, ws_jackknife *result,
                          ws_error *error);

#endif
