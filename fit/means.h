/* Runs to configurations: the points that a law is fitted to, where x was measured more than once.
 *
 * Repeats of one configuration share what made it (its nodes, its placement, the day), so they are not independent
 * points of a law. Their mean is; the scatter of the means about the law holds both errors. */
#ifndef WS_FIT_MEANS_H
#define WS_FIT_MEANS_H

#include "fit/fit.h"
#include "fit/test.h"

typedef struct ws_means {
    size_t n, n_runs;            /* configurations, and the runs that they are means of */
    double *x, *y;               /* a value a configuration, in the order of their first runs */
    size_t *count, *first;       /* runs of each, and the first of them */
    size_t *of;                  /* the configuration of each run */
    double *deviation;           /* of each run's y, or ln y, from its configuration's */
    double *sd;                  /* of the runs of each configuration; NaN of a single one */
    double repeat_sd, repeat_df; /* pooled over the configurations; NaN and 0 where nothing was repeated */
    double one_more;      /* variance of one further run beyond that of a mean: repeat_sd^2 (1 - mean of 1/count) */
    bool in_logs, same_x; /* geometric means; every configuration has one x */
} ws_means;

/* The runs behind n means, as far as standard errors need them: means of unequal numbers of runs vary unequally. */
typedef struct ws_replication {
    const size_t *count; /* of each mean; NULL where nothing was repeated */
    double variance;     /* of a run about its configuration's mean, on the scale of the means */
    double relative;     /* the same of its share of the mean; NaN in logs and where a mean is 0 */
    double df;           /* of both */
} ws_replication;
ws_replication ws_means_replication(const ws_means *means); /* its counts are those of `means` */

/* A variance and its degrees of freedom. */
typedef struct ws_variance {
    double value, df;
} ws_variance;

/* Of a coefficient sum s_i y_i of n means that are fitted with p coefficients and leverages h: `plain` takes them as
 * equally good, square[i] is s_i^2 in its units. With unequal numbers of runs n_i it is
 *
 *     sum s_i^2 (c + r / n_i),  c = (rss - r sum (1 - h_i) / n_i) / (n - p),  since E rss = sum (1 - h_i) (c + r / n_i)
 *
 * r the variance of a run and c that of configurations beside it. Of as many runs each it is `plain`, and so it is
 * where it would be less than half of that. The degrees of freedom are Satterthwaite's of `plain` and of what the
 * numbers of runs add, where `plain` counts as no less than repeats by themselves make it: of one or two degrees of
 * freedom it is far too small now and then, and what is added would be all there is. */
ws_variance ws_variance_of_means(const ws_replication *r, double of_run, const double *square, const double *leverage,
                                 size_t n, double plain, double df);

/* ws_fit_line_unequal and ws_fit_origin_unequal of means, whose numbers of runs may differ; replication may be NULL. */
ws_status ws_fit_line_of_means(const double *x, const double *y, size_t n, const ws_replication *replication,
                               double level, ws_fit *fit, double *residual, ws_error *error);
ws_status ws_fit_origin_of_means(const double *x, const double *y, size_t n, const ws_replication *replication,
                                 double level, ws_fit *fit, double *residual, ws_error *error);

/* unit[i]: the configuration of run i, any number below n; in_logs: every x and y above zero, and geometric means. */
ws_status ws_means_take(const double *x, const double *y, const size_t *unit, size_t n, bool in_logs, ws_means *means,
                        ws_error *error);
/* The means of another column of the same runs over the same configurations. `mean` gets n values and is not `value`.
 */
void ws_means_of_column(const ws_means *means, const double *value, double *mean);
void ws_means_free(ws_means *means); /* leaves nothing to free */

/* Do repeats spread more, or less, where y is large? Spearman's rank correlation of the standard deviations of
 * configurations with their means, from five configurations with repeats on. In logs the spread is relative. */
ws_status ws_means_spread_test(const ws_means *means, ws_test *test, ws_error *error);

/* How much of a line's slope depends on one point: the largest (x - mean x)^2 / sum (x - mean x)^2. This is not a test
 * and has no p; the sentence is empty unless the interval would be too narrow for errors that grow with y. */
void ws_leverage_of_one(const double *x, const double *y, size_t n, ws_test *test);

/* The same of the exponent of a power law from four counts on, whose interval is wide where one point decides it. */
void ws_leverage_in_logs(const double *x, const double *y, size_t n, ws_test *test);

/* The largest of n values over the least, for a law in logs. No test either: the sentence is empty unless the interval
 * would be too narrow for errors of one size. */
void ws_span_of_values(const double *y, size_t n, ws_test *test);

/* For a fit to the means: sets its n_runs, repeat_sd, repeat_df and one_more, and ends its sentence. */
void ws_means_describe(const ws_means *means, ws_fit *fit);

#endif
