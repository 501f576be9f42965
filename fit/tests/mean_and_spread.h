/* Repeats of one measurement: their mean and spread, and comparisons of two such sets. */
#ifndef WS_FIT_MEAN_AND_SPREAD_H
#define WS_FIT_MEAN_AND_SPREAD_H

#include "fit/test.h"

typedef struct ws_sample {
    ws_fit_status status; /* OK, CONSTANT (no spread), EXACT (one value: no spread known), TOO_FEW (none) */
    char sentence[300];
    size_t n;
    double mean, min, max;
    double sd;           /* divisor n - 1 */
    double rmse;         /* about the mean, divisor n: the error bars of Huber et al. */
    double se;           /* sd / sqrt(n) */
    double ci_lo, ci_hi; /* of the mean, Student's t */
    double cv;           /* sd / mean; NaN unless the mean is above zero */
    double cv_lo, cv_hi; /* NaN where the interval has no such end */
} ws_sample;
ws_status ws_sample_describe(const double *value, size_t n, double level, ws_sample *sample, ws_error *error);

/* mean a / mean b of independent sets of at least two values: first-order standard error, Fieller's interval (ends NaN
 * where it has none) with Welch's degrees of freedom, at most those of equal spreads. sentence says what is undefined.
 */
typedef struct ws_ratio {
    ws_fit_status status;
    char sentence[300];
    double value, se, df, ci_lo, ci_hi;
} ws_ratio;
void ws_ratio_of_means(const ws_sample *a, const ws_sample *b, double level, ws_ratio *ratio);

/* a / b from the logarithms of the values: the ratio of their geometric means, exp(mean a - mean b), with the standard
 * deviation pooled over all configurations of a campaign and its degrees of freedom (ws_repeats_find of the
 * logarithms). One value on a side will do. Exact for errors in proportion to the value. */
void ws_ratio_pooled(const ws_sample *ln_a, const ws_sample *ln_b, double pooled_sd, double df, double level,
                     ws_ratio *ratio);

/* The same by the spreads of these logarithms alone, at least two values a side, with Welch's (Satterthwaite's) degrees
 * of freedom, at most those of equal spreads: for configurations whose spreads differ. Holds in 94 to 98 % at equal
 * repeats, though one spreads ten times as much as the other, and at unequal ones in 93 and more up to three times as
 * much. EXACT where a side has one value, CONSTANT without any spread. */
void ws_ratio_of_logs(const ws_sample *ln_a, const ws_sample *ln_b, double level, ws_ratio *ratio);

/* Welch 1947: do the means differ? statistic t of a - b, df1 its degrees of freedom, at most those of equal spreads. */
void ws_welch(const ws_sample *a, const ws_sample *b, ws_test *test);

/* Analysis of variance, one way: do the means of n values differ by their groups, numbered below n_groups? statistic F
 * with df1 and df2; NaN where a group is empty or none has two values. */
void ws_equal_means(const double *value, const size_t *group, size_t n, size_t n_groups, ws_test *test);

#endif
