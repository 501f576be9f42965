/* What the residuals of a regression say about its assumptions. */
#ifndef WS_FIT_DIAGNOSTICS_H
#define WS_FIT_DIAGNOSTICS_H

#include "fit/test.h"

typedef struct ws_point_check {
    double leverage;  /* share of its own fitted value that the point decides */
    double internal;  /* e / (s sqrt(1 - h)) */
    double external;  /* the same with s from the other points: Student's t with n - p - 1 degrees of freedom */
    double p_outlier; /* two-sided, of the external one, times n (Bonferroni), at most 1 */
    double cook;      /* how far the coefficients move without the point, in their own errors */
} ws_point_check;

/* Numbers that do not exist are NaN: of a point with leverage 1, external ones without a degree of freedom to spare. */
typedef struct ws_diagnostics {
    ws_fit_status status; /* of the regression; the rest exists for OK alone */
    char sentence[400];
    size_t n;
    ws_point_check *point; /* n; NULL where status is not OK */
    double press;          /* sum of squared leave-one-out residuals */
    ws_test durbin_watson;
    ws_test breusch_pagan;        /* Koenker 1981: n R2 of squared residuals; for any law of the errors */
    ws_test breusch_pagan_normal; /* the original of 1979, half the explained sum of squares */
    ws_test shapiro_wilk, jarque_bera;
} ws_diagnostics;

/* Arguments as ws_fit_regression; points in the order of their measurement for Durbin and Watson. level: points and
 * tests below 1 - level are named in the sentence. */
ws_status ws_diagnose(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                      double level, ws_diagnostics *diagnostics, ws_error *error);
void ws_diagnostics_free(ws_diagnostics *diagnostics); /* leaves nothing to free */

/* Are the values from a normal distribution? 3 to 5000 of them. */
ws_status ws_shapiro_wilk(const double *value, size_t n, ws_test *test, ws_error *error);

/* The same by skewness and kurtosis: chi2 with 2 degrees of freedom, an approximation for large n. */
ws_status ws_jarque_bera(const double *value, size_t n, ws_test *test, ws_error *error);

#endif
