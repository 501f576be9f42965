/* Least squares for curves that are not linear in their parameters. The laws of laws.h rest on it; any other curve can
 * be fitted the same way. */
#ifndef WS_FIT_NONLINEAR_H
#define WS_FIT_NONLINEAR_H

#include "fit/laws/nonlinear_input.h"

typedef struct ws_nls_detail {
    double covariance[WS_FIT_MAX_ESTIMATES][WS_FIT_MAX_ESTIMATES]; /* NaN where there are no standard errors */
    /* What unequal numbers of runs add to it, which may be below zero and then does not count; repeat_df 0: nothing. */
    double by_repeats[WS_FIT_MAX_ESTIMATES][WS_FIT_MAX_ESTIMATES], repeat_df;
    double of_repeats[WS_FIT_MAX_ESTIMATES][WS_FIT_MAX_ESTIMATES]; /* what the covariance would be of repeats alone */
} ws_nls_detail;

/* Of g'b, g the gradient of something by the parameters; `df`: those of the fit. */
ws_variance ws_nls_variance(const ws_nls_detail *detail, const double *gradient, size_t p, double df);

/* Fill a fit that ws_fit_begin-like callers named: `model` and `r2_kind` are static texts. Status OK, EXACT, PERFECT,
 * CONSTANT (y does not vary), TOO_FEW, NOT_CONVERGED or NOT_IDENTIFIED; the last three come without estimates and with
 * a sentence. R2 = 1 - rss / sum (y - mean y)^2, which for a curve may be below zero; loocv is of real refits, NaN
 * where one of them finds no minimum. `residual` (y minus the curve) and `detail` may be NULL. */
ws_status ws_nls_fit(const ws_nls_input *in, const char *model, ws_fit *fit, double *residual, ws_nls_detail *detail,
                     ws_error *error);

#endif
