/* What every estimator of this folder returns: estimates with standard errors, intervals and tests, and how well the
 * model fits. Numbers in, numbers out: arrays only, no campaigns, no units.
 *
 * No NaN without a reason: a field that is undefined is NaN and `status` and `sentence` say why. */
#ifndef WS_FIT_FIT_H
#define WS_FIT_FIT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ws_fit_status {
    WS_FIT_OK = 0,
    WS_FIT_EXACT,         /* as many points as parameters: estimates without standard error */
    WS_FIT_PERFECT,       /* residuals are zero within rounding: standard errors of zero mean nothing */
    WS_FIT_COLLINEAR,     /* the predictors determine each other: the coefficients do not exist */
    WS_FIT_CONSTANT,      /* x or y does not vary */
    WS_FIT_TOO_FEW,       /* fewer points than parameters */
    WS_FIT_NOT_POSITIVE,  /* a logarithm of zero or less was asked for */
    WS_FIT_NOT_CONVERGED, /* the search for the parameters did not settle: there are none */
    WS_FIT_NOT_IDENTIFIED /* the data do not tell the parameters of a curve apart, or have no best one */
} ws_fit_status;
/* "ok exact perfect collinear constant too-few not-positive not-converged not-identified" */
const char *ws_fit_status_name(ws_fit_status status);

typedef struct ws_estimate {
    const char *name; /* static text: "slope", "intercept", "exponent", "factor", "ratio-of-sums" */
    double value, se;
    double ci_lo, ci_hi; /* at the level asked for; Student's t with the residual degrees of freedom */
    double null_value;   /* what p_value tests the estimate against, 0 unless said otherwise */
    double p_value;      /* two-sided */
    double df;           /* degrees of freedom of its interval; 0: those of the fit */
} ws_estimate;

enum { WS_FIT_MAX_ESTIMATES = 12 };

/* The curve of a fit, for those who go on with its parameters. */
typedef enum ws_fit_curve {
    WS_CURVE_OTHER = 0,
    WS_CURVE_POWERLAW, /* factor x^exponent, in logs */
    WS_CURVE_FLOOR,    /* factor x^exponent + floor */
    WS_CURVE_AMDAHL,
    WS_CURVE_USL,
    WS_CURVE_HUBER /* a robust line */
} ws_fit_curve;

typedef struct ws_fit {
    const char *model; /* static text: "line", "origin", "powerlaw" */
    ws_fit_curve curve;
    ws_fit_status status;
    char sentence[700]; /* what the fit says, or why it says nothing; one or two plain sentences */
    size_t n;           /* points used */
    size_t n_runs;      /* runs behind them: more than n where a point is the mean of a configuration's (means.h) */
    size_t n_x;         /* different x, or rows of predictors, among them; fewer than n where runs repeat each other */
    size_t n_estimates;
    ws_estimate estimate[WS_FIT_MAX_ESTIMATES];
    double df;         /* residual degrees of freedom */
    double rss, sigma; /* residual sum of squares on the fitted scale; sqrt(rss/df) */
    double r2;
    const char *r2_kind;                   /* "centred", "about zero", "centred, in logs" */
    double log_likelihood, aic, aicc, bic; /* the error variance counts as a parameter (as R does) */
    double loocv;                          /* mean squared leave-one-out residual, on the fitted scale */
    double repeat_sd, repeat_df; /* spread of repeats within configurations, on the fitted scale; NaN and 0 without */
    double one_more;             /* variance of a single further run beyond sigma^2, which is that of a mean */
} ws_fit;

const ws_estimate *ws_fit_estimate(const ws_fit *fit, const char *name); /* NULL where there is none */

/* All of the following: x, y of n finite values; level in (0, 1), 0.95 for a 95 % interval; `residual` gets n values on
 * the fitted scale, or is NULL. They return WS_OK also when fit->status is not WS_FIT_OK: an undefined answer is an
 * answer. WS_DATA: an input is not finite, or a sum of squares would not be. Where there is no fit, the residuals are
 * NaN.
 *
 * GSL's error handler is off during its calls and put back after them; since it is one for the whole process, a program
 * that fits in several threads should call gsl_set_error_handler_off() once before it starts them. */

/* y = intercept + slope x. Ordinary least squares. */
ws_status ws_fit_line(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                      ws_error *error);

/* The same line with standard errors that hold whether errors are of one size or in proportion to y: averaged over
 * models of the errors, and of many points those that the residuals tell (linear/unequal.c). */
ws_status ws_fit_line_unequal(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                              ws_error *error);

/* y = slope x, and beside it its sisters: estimates "slope" (least squares through the origin), "ratio-of-sums",
 * "mean-of-ratios", "slope-with-intercept", "intercept". The first is the fit; the others carry their own standard
 * errors and intervals. The sentence begins with the mean of ratios, whose interval holds whether errors grow with x or
 * not, and with "no single factor" where a line needs its intercept. */
ws_status ws_fit_origin(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                        ws_error *error);

/* Of a fit of these: is its intercept not 0 at this level? Then no single factor holds. */
bool ws_origin_needs_intercept(const ws_fit *fit, double level);

/* The same estimates with standard errors that hold whether errors are of one size or in proportion to y
 * (linear/unequal.c); the mean of ratios keeps its own. */
ws_status ws_fit_origin_unequal(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                                ws_error *error);

/* What the fit of these points says where y is known up to a common factor of this relative standard uncertainty: its
 * estimates take that up (not their p, rss or sigma), and the sentence is said anew. The intercept beside a factor has
 * no p then: nobody knows whether a line needs it. */
void ws_fit_origin_allow_factor(const double *x, const double *y, double relative, double level, ws_fit *fit);

void ws_fit_line_allow_factor(const double *x, const double *y, double relative, double level, ws_fit *fit);

/* The smallest and the largest y / x; NaN where an x is not above zero. */
void ws_ratio_range(const double *x, const double *y, size_t n, double *least, double *most);

/* y = factor x^exponent by least squares of ln y on ln x: estimates "exponent" (p against 0), "exponent-vs-1" (the same
 * value, p against 1; -1 when the exponent is negative, i.e. ideal strong scaling), "factor" (median, interval by exp
 * of the ends, standard error by the delta method, p against 1), "smearing" (Duan 1983: mean of exp(residual), without
 * standard error). Every x, y > 0, else status WS_FIT_NOT_POSITIVE. */
ws_status ws_fit_powerlaw(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                          ws_error *error);

/* The same power law with standard errors that hold whether errors are in proportion to y or of one size: HC2 of
 * a working model, each estimate with degrees of freedom of its own (linear/unequal.c). */
ws_status ws_fit_powerlaw_unequal(const double *x, const double *y, size_t n, double level, ws_fit *fit,
                                  double *residual, ws_error *error);

/* y = b0 + b1 x1 + ... + bk xk; columns[j] has n values; estimates "intercept", then one per column with names[j]
 * (static or outliving the fit). Rank loss: WS_FIT_COLLINEAR and a sentence naming the columns. */
ws_status ws_fit_regression(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                            double level, ws_fit *fit, double *residual, ws_error *error);

/* y = b0 + b1 x + ... + bd x^d, degree d from 1 to WS_FIT_MAX_ESTIMATES - 1: estimates "intercept", "x", "x^2" ... No
 * power of x is rounded on the way (polynomial.c), so that high degrees keep their digits. Fewer than d + 1 different
 * x: WS_FIT_COLLINEAR, or WS_FIT_TOO_FEW where there are not as many points. WS_DATA: a power of x would be beyond the
 * range of a double. */
ws_status ws_fit_polynomial(const double *x, const double *y, size_t n, size_t degree, double level, ws_fit *fit,
                            double *residual, ws_error *error);

/* Correlation of two arrays. Pearson: interval by Fisher's z, p by Student's t. Spearman: mid-ranks for ties, interval
 * by Fisher's z with the variance of Bonett and Wright (2000), p exact without ties for n <= 9 and for |rho| = 1, else
 * by Student's t. Below 4 points there is no interval: NaN. */
typedef struct ws_correlation {
    ws_fit_status status; /* OK, CONSTANT, TOO_FEW (n < 3), PERFECT */
    char sentence[300];
    size_t n;
    double r, ci_lo, ci_hi, p_value;
    bool p_is_exact;
} ws_correlation;
ws_status ws_pearson(const double *x, const double *y, size_t n, double level, ws_correlation *result, ws_error *error);
ws_status ws_spearman(const double *x, const double *y, size_t n, double level, ws_correlation *result,
                      ws_error *error);

/* Kendall's tau-b: as Spearman; p exact without ties for n <= 60, else normal, corrected for ties; interval from 5
 * points on. */
ws_status ws_kendall(const double *x, const double *y, size_t n, double level, ws_correlation *result, ws_error *error);

/* Are two arrays proportional to each other, y = c x with the same c in every row within `tolerance` (relative)? */
bool ws_are_proportional(const double *x, const double *y, size_t n, double tolerance, double *factor);

#endif
