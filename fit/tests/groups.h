/* Do groups share a slope? From their points, or from printed slopes with standard errors alone. */
#ifndef WS_FIT_GROUPS_H
#define WS_FIT_GROUPS_H

#include "fit/test.h"

#include <stdint.h>

/* A line of its own through one group. */
typedef struct ws_group_line {
    size_t n;
    double intercept, slope, se; /* se from this group's residuals alone, or as given; NaN for two points */
    double df;                   /* behind se */
    double rss, r2;
    double x_mean, y_mean, sxx; /* sum of squares of x about its mean */
} ws_group_line;

/* Up to so many groups are compared two by two, more of them each with the common slope: pairs grow as their square. */
enum { WS_SLOPE_GROUPS_IN_PAIRS = 100 };
#define WS_SLOPE_COMMON SIZE_MAX

/* Two slopes, a before b; or a and the common slope, b = WS_SLOPE_COMMON. The adjusted p-values allow for the number of
 * pairs. */
typedef struct ws_slope_pair {
    size_t a, b;
    double difference, se, ci_lo, ci_hi, p_value;
    double p_bonferroni, p_holm; /* Holm 1979, never the weaker of the two */
    double p_equivalent;         /* of the claim |difference| < margin, by two one-sided tests; NaN without a margin */
} ws_slope_pair;

/* Of equal_slopes and of equal_intercepts each: 5 % for slopes and levels together. Ours. */
#define WS_PARTS_DIFFER_P 0.025

/* When status is not OK every number that it leaves undefined is NaN. */
typedef struct ws_slopes {
    ws_fit_status status;
    char sentence[400];
    size_t n, n_groups, n_pairs;
    ws_group_line *line; /* n_groups; NULL from ws_printed_slopes */
    ws_slope_pair *pair; /* (0, 1), (0, 2), ... (1, 2), ...; of many groups (0, common), (1, common), ... */
    ws_estimate common;  /* one slope for all: parallel lines, or the mean weighted by 1 / se^2 */
    double rss_separate, rss_parallel, rss_one; /* lines of their own, parallel lines, one line */
    double sigma, df;                           /* of the separate lines: behind pairs and equal_slopes */
    ws_test equal_slopes;                       /* F, or Cochran's Q of printed slopes */
    ws_test equal_intercepts;                   /* F given a common slope; only from points */
    ws_test coincident;                         /* F of one line for all; only from points */
} ws_slopes;

/* y = intercept + slope x in each of k groups; group[i] < k. margin: how far apart slopes may be and still count as the
 * same, or 0. Every group needs two different x. */
ws_status ws_compare_slopes(const double *x, const double *y, const size_t *group, size_t n, size_t k, double level,
                            double margin, ws_slopes *slopes, ws_error *error);

/* What is known of the slope of one group: its standard error, with its degrees of freedom; 0 where it has none. */
typedef struct ws_slope_error {
    double se, df;
} ws_slope_error;

/* That of the default fits through n points, whether errors are of one size or in proportion to y: ws_fit_line_unequal,
 * or with in_logs ws_fit_powerlaw_unequal, whose x and y are not logarithms. */
ws_slope_error ws_slope_error_of(const double *x, const double *y, size_t n, bool in_logs, double level);

/* The same where groups may spread unequally: pairs (of up to WS_SLOPE_GROUPS_IN_PAIRS groups) by the variances of both
 * groups and Satterthwaite's degrees of freedom, equal slopes by Welch's F. `own`: of each group; NULL: from its own
 * residuals, as if errors were of one size within it. Where a group has two points, or no error, it is the above. */
ws_status ws_compare_slopes_unequal(const double *x, const double *y, const size_t *group, size_t n, size_t k,
                                    const ws_slope_error *own, double level, double margin, ws_slopes *slopes,
                                    ws_error *error);

/* The same question asked of k printed values with standard errors above zero, taken as normal and independent. */
ws_status ws_printed_slopes(const double *value, const double *se, size_t k, double level, double margin,
                            ws_slopes *slopes, ws_error *error);

void ws_slopes_free(ws_slopes *slopes); /* leaves nothing to free */

/* Adjusted p-values, in the order of p. */
void ws_holm(const double *p, size_t n, double *adjusted);

#endif
