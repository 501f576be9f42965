/* Least squares with weights, and least squares whose standard errors allow for unequal variances. */
#ifndef WS_FIT_WEIGHTED_H
#define WS_FIT_WEIGHTED_H

#include "fit/fit.h"

/* What is known of the weights. */
typedef struct ws_weighting {
    const double *weight; /* one a point, above zero */
    bool is_absolute;     /* weight = 1 / variance of y. Otherwise only their ratios count: standard errors are scaled
                             by sqrt(chi2 / df) */
    double df;            /* of the variances behind absolute weights; INFINITY where they are known */
    bool are_rough;       /* of one predictor: standard errors and degrees of freedom that hold though the weights are
                             wrong, or random since they are from the spreads of a few runs (unequal.c) */
} ws_weighting;

/* fit.rss is chi2 = sum of weight e^2, fit.sigma sqrt(chi2 / df), R2 about the weighted mean, loocv that of the
 * weighted residuals; likelihood and criteria are those of scaled weights in either case. */
typedef struct ws_weighted {
    ws_fit fit;
    double reduced_chi2;
    double chi2_p; /* absolute weights: P of a chi2 at least as large; NaN with others */
} ws_weighted;

/* y = b0 + b1 x1 + ... + bk xk; arguments as ws_fit_regression. `residual` gets y minus the fitted value. */
ws_status ws_fit_weighted(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                          const ws_weighting *weighting, double level, ws_weighted *result, double *residual,
                          ws_error *error);

/* Heteroscedasticity-consistent standard errors: HC1 scales HC0 by n / (n - p), HC2 and HC3 divide each squared
 * residual by 1 - h and (1 - h)^2, h its leverage. HC3 is the one for less than 250 points (Long and Ervin 2000). */
typedef enum ws_hc { WS_HC0 = 0, WS_HC1, WS_HC2, WS_HC3 } ws_hc;
const char *ws_hc_name(ws_hc kind); /* "HC0" ... */

/* ws_fit_regression with such standard errors, intervals and p-values (Student's t with n - p degrees of freedom). A
 * point of leverage 1 leaves them undefined with HC2 and HC3; the sentence names it. */
ws_status ws_fit_sandwich(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                          ws_hc kind, double level, ws_fit *fit, double *residual, ws_error *error);

#endif
