/* Linear least squares, the one solver under the line, the origin, the power law and the regression. Internal to fit/.
 * */
#ifndef WS_FIT_LEAST_SQUARES_H
#define WS_FIT_LEAST_SQUARES_H

#include "fit/estimate.h"

/* y = b0 x0 + b1 x1 + ...; a column that is NULL stands for ones, and only the first may be. */
typedef struct ws_ls_input {
    const double *const *column;
    const char *const *name;
    size_t p; /* columns, at most WS_FIT_MAX_ESTIMATES */
    const double *y;
    size_t n;
    double level;
    double rounding; /* error of each y beyond that of a double of its size, as after a logarithm; else 0 */
} ws_ls_input;

/* Adds an estimate per column to a fit that ws_fit_begin made, and sets every number of it. The status tells what was
 * possible: OK, EXACT, PERFECT, CONSTANT (y does not vary: coefficients exist, R2 does not), TOO_FEW or COLLINEAR (both
 * without coefficients). The sentence is written for TOO_FEW and COLLINEAR only. `residual` may be NULL. */
ws_status ws_ls_fit(const ws_ls_input *in, ws_fit *fit, double *residual, ws_error *error);

/* What else the solver knows; written only where the fit has coefficients (ws_ls_has_values). */
typedef struct ws_ls_detail {
    double unscaled[WS_FIT_MAX_ESTIMATES][WS_FIT_MAX_ESTIMATES]; /* (X'X)^-1: the covariance divided by sigma^2 */
    double *leverage;                                            /* gets n values, or NULL */
    double *share; /* gets p rows of n: b_j = sum of share[j n + i] y_i; or NULL */
} ws_ls_detail;
ws_status ws_ls_fit_detail(const ws_ls_input *in, ws_fit *fit, double *residual, ws_ls_detail *detail, ws_error *error);

/* A curve's value at x on the fitted scale, and its derivatives by the coefficients there. */
typedef double ws_tangent_value(const void *state, double x, double *gradient);

/* (J'J)^-1 of a curve of p coefficients at the x that it was fitted to, into detail->unscaled; false where it does not
 * exist. `detail` asks for nothing else. */
bool ws_ls_tangent(ws_tangent_value *value, const void *state, size_t p, const double *x, size_t n,
                   ws_ls_detail *detail);

/* log_likelihood, aic, aicc, bic of p coefficients and normal errors whose variance is rss / n. */
void ws_ls_set_likelihood(ws_fit *fit, long double rss, size_t p);

/* Has the fit coefficients? */
bool ws_ls_has_values(const ws_fit *fit);

/* "0.824 ± 0.018", and the value alone where the fit gives its standard error no meaning. */
ws_words ws_ls_words(const ws_fit *fit, const ws_estimate *estimate);

/* The end of a sentence: points and how many values of `of` they have, R2 (with `scale`, "", " in logs" or " about
 * zero", behind it) and which figures are undefined, why. */
void ws_ls_say_quality(ws_fit *fit, const char *of, const char *scale);

#endif
