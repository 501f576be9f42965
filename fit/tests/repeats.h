/* Repeats: points with the same x. Their spread is an error that no model has a part in. */
#ifndef WS_FIT_REPEATS_H
#define WS_FIT_REPEATS_H

#include "fit/test.h"
#include "fit/linear/weighted.h"

/* The points gathered by their x, ascending. */
typedef struct ws_repeats {
    size_t n, n_groups;
    double *x, *mean, *sd;    /* sd with divisor count - 1; NaN of a single point */
    double *variance_of_mean; /* see ws_repeats_find */
    size_t *count;
    double pure_error, df; /* sum of squares about the groups' means, and n - n_groups */
    double pooled_sd;      /* sqrt(pure_error / df); NaN without repeats */
} ws_repeats;

/* The variance of a group's mean is the pooled one divided by its count, since the sd of a few repeats is itself known
 * to some 30 % at best; from WS_OWN_SPREAD_FROM repeats on it is the group's own, where that is above zero. */
enum { WS_OWN_SPREAD_FROM = 10 };
ws_status ws_repeats_find(const double *x, const double *y, size_t n, ws_repeats *repeats, ws_error *error);
void ws_repeats_free(ws_repeats *repeats); /* leaves nothing to free */

/* y = intercept + slope x on the means of the repeats, weighted by the inverse of their variances; standard errors are
 * those of the repeats alone, with their degrees of freedom (exact for normal errors of one variance when the pooled
 * one is used throughout). Without repeats: status TOO_FEW. `residual` gets a value a group. */
ws_status ws_fit_repeats(const ws_repeats *repeats, double level, ws_weighted *result, double *residual,
                         ws_error *error);

/* For a fit of ws_fit_repeats with status OK: adds "intercept-scaled" and "slope-scaled", the same values with standard
 * errors times sqrt(chi2 / df) and Student's t with the groups' own degrees of freedom, for spreads whose ratios alone
 * are believed. test: chi2 of the means about the line. */
void ws_repeats_scaled(const ws_weighted *weighted, double level, ws_fit *fit, ws_test *test);

/* Do the means depart from a fitted curve by more than their repeats explain? F of the lack of fit against the pure
 * error, for any model of p coefficients that was fitted to all points with this residual sum of squares. */
void ws_lack_of_fit(const ws_repeats *repeats, double rss, size_t p, ws_test *test);

/* Is there no single ratio y / x of k groups of repeats (group[i] is below k, none is empty)? True where the means of
 * ln(y / x) differ by more than the repeats explain (`test`: F of a lack of fit of one constant), and by more than a
 * tenth from the least to the most. `relative`: the standard uncertainty of a factor that may be another one in each
 * group; differences of four of it prove nothing. False where a group has no ratio above zero, or nothing was repeated.
 */
bool ws_ratios_differ(const double *x, const double *y, const size_t *group, size_t n, size_t k, double relative,
                      double level, ws_test *test);

/* Are the variances of k groups equal? group[i] is below k; groups without two values are left out. Bartlett 1937: for
 * normal errors, the sharper one; Brown and Forsythe 1974: analysis of variance of |y - median|, for any law. */
ws_status ws_bartlett(const double *y, const size_t *group, size_t n, size_t k, ws_test *test, ws_error *error);
ws_status ws_brown_forsythe(const double *y, const size_t *group, size_t n, size_t k, ws_test *test, ws_error *error);

#endif
