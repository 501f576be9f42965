/* Lines that single bad points do not carry away. Compare with ws_fit_line and report both. */
#ifndef WS_FIT_ROBUST_H
#define WS_FIT_ROBUST_H

#include "fit/fit.h"

/* Theil and Sen: "slope", the median of the slopes of all pairs, with Sen's interval (no standard error; p from
 * Kendall's tau), and the intercepts "intercept" = median of y - slope x and "intercept-conover" = median y - slope
 * median x, without intervals. R2, likelihood and loocv are NaN. */
ws_status ws_fit_theil_sen(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                           ws_error *error);

/* Huber's M estimate with k = 1.345: "intercept", "slope". fit.sigma is the scale, the median of |residual| / 0.6745.
 * weight gets n values, 1 for points taken in full, or is NULL. Intervals are asymptotic (Student's t with n - 2). */
ws_status ws_fit_huber(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                       double *weight, ws_error *error);

double ws_median(const double *value, size_t n); /* NaN for n = 0 */

#endif
