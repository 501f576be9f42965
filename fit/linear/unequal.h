/* Standard errors that hold whether errors are of one size or in proportion to y. Internal to fit/. */
#ifndef WS_FIT_UNEQUAL_H
#define WS_FIT_UNEQUAL_H

#include "fit/means.h"

/* These replace standard errors, intervals and p; of `line` those of the first two estimates, "intercept" and "slope"
 * of an ordinary line through n points. They leave what they cannot judge: a fit without a standard error, a
 * coefficient that one point alone settles, values that are not of one sign. */

/* A line through y: the average over models of the errors from one size to in proportion to y (variance_models.h), or,
 * of many points, HC2 by their residuals.
 * replication: where the points are means of unequal numbers of runs; or NULL. */
void ws_line_allow_proportion(const double *x, const double *y, size_t n, const ws_replication *replication,
                              double level, ws_fit *line);

/* "slope" and "ratio-of-sums" of ws_fit_origin: the same, and no less than by the estimator's own assumption where
 * points are few. The interval of "mean-of-ratios" holds as it is. */
void ws_origin_allow_proportion(const double *x, const double *y, size_t n, const ws_replication *replication,
                                double level, ws_fit *origin);

/* A line through logarithms, whose residuals are given: HC2, without weights of a working model between errors in
 * proportion and of one size, with each estimate's own degrees of freedom; of three points without weights the larger
 * of it and the standard error of errors of one size in y. `weight`: those of the fit, which may be wrong, or taken
 * from few runs, NULL for none. */
void ws_logs_allow_unequal(const double *x, const double *ln_y, const double *weight, const double *residual, size_t n,
                           double level, ws_fit *line);

#endif
