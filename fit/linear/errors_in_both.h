/* Lines through points whose x is as uncertain as their y. */
#ifndef WS_FIT_ERRORS_IN_BOTH_H
#define WS_FIT_ERRORS_IN_BOTH_H

#include "fit/fit.h"

/* Known standard deviations of each x and y, each above zero, and the correlation of the two errors at each point,
 * between -1 and 1 (NULL: none). Energy and GPU hours of one run share its run time, so theirs is positive. */
typedef struct ws_york_input {
    const double *x, *y, *sd_x, *sd_y, *correlation;
    size_t n;
    double level;
} ws_york_input;

/* Estimates "intercept" and "slope" with standard errors from the given deviations alone (normal intervals), and the
 * same again as "intercept-scaled" and "slope-scaled", times sqrt(S / (n - 2)) with Student's t: for deviations whose
 * ratios alone are known. fit.rss is S, the sum of squared weighted distances; p of chi2 in chi2_p. R2, likelihood and
 * loocv have no meaning here and are NaN. `residual`: each point's signed distance in its own standard deviations. */
ws_status ws_fit_york(const ws_york_input *in, ws_fit *fit, double *chi2_p, double *residual, ws_error *error);

/* One ratio lambda = variance of y's errors / variance of x's for all points, above zero: "intercept", "slope", with
 * standard errors by the jackknife. lambda 1 is orthogonal regression, which depends on the units. */
ws_status ws_fit_deming(const double *x, const double *y, size_t n, double lambda, double level, ws_fit *fit,
                        double *residual, ws_error *error);

#endif
