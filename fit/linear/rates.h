/* "y per x" under errors of any size: the named estimators of origin.c with heteroscedasticity-consistent errors. */
#ifndef WS_FIT_RATES_H
#define WS_FIT_RATES_H

#include "fit/linear/weighted.h"

/* "slope", "ratio-of-sums", "mean-of-ratios", "slope-with-intercept", "intercept": the values of ws_fit_origin, each
 * with the standard error of `kind`, intervals and p-values by Student's t. Undefined ones are left as ws_fit_origin
 * leaves them. */
ws_status ws_fit_rates(const double *x, const double *y, size_t n, ws_hc kind, double level, ws_fit *fit,
                       double *residual, ws_error *error);

#endif
