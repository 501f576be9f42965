/* What a fit says about an x that was not measured. */
#ifndef WS_FIT_PREDICT_H
#define WS_FIT_PREDICT_H

#include "fit/fit.h"

typedef struct ws_prediction {
    double x, value;      /* on the curve; of a fit in logs the median */
    double ci_lo, ci_hi;  /* of the curve there */
    double lo, hi;        /* of one further measurement */
    double mean;          /* of a fit in logs: the median times Duan's smearing factor; else the value */
    double beyond;        /* x over the largest fitted x, or the smallest over x; at most 1 within */
    ws_fit_status status; /* that of the fit; NOT_POSITIVE where the curve begins above zero and x does not */
} ws_prediction;

/* Is it one of curves[] in predict.c? */
bool ws_can_predict(const char *model);

/* `fit` came from the function of the same model with these x, without weights. Intervals are NaN where the fit has no
 * standard errors (its status is not OK; Theil and Sen), everything where it has no coefficients, and where the curve
 * is undefined at x. Delta method for curves, exact for lines; Student's t. WS_USAGE: the model cannot. */
ws_status ws_predict(const ws_fit *fit, const double *x, size_t n, double level, const double *at, size_t n_at,
                     ws_prediction *prediction, ws_error *error);

#endif
