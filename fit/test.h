/* What a test of a hypothesis returns. */
#ifndef WS_FIT_TEST_H
#define WS_FIT_TEST_H

#include "fit/fit.h"

typedef struct ws_test {
    const char *name;     /* static text: "lack of fit", "Breusch-Pagan" */
    ws_fit_status status; /* OK, or why there is no statistic */
    char sentence[500];
    double statistic;
    double df1, df2; /* df2 is NaN where the law has one number of degrees of freedom, both where it has none */
    double p_value;
} ws_test;

/* Do k groups share a correlation? r[i] of n[i] points each, from four points on; others are passed over. Q = sum (n_i
 * - 3) (z_i - mean z)^2 with Fisher's z is chi-square distributed where they do (Hedges and Olkin 1985, Statistical
 * Methods for Meta-Analysis, section 11.B). Status TOO_FEW where fewer than two groups are left. */
void ws_equal_correlations(const double *r, const size_t *n, size_t k, ws_test *test);

#endif
