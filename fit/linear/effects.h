/* What each predictor of a regression does, beside its coefficient. */
#ifndef WS_FIT_EFFECTS_H
#define WS_FIT_EFFECTS_H

#include "fit/fit.h"

typedef struct ws_effect {
    const char *name;
    double inflation;    /* 1 / (1 - R2 of it on the others): variance inflation factor */
    double standardised; /* change of y in its sd for one sd of the predictor */
    double partial;      /* correlation with y when the others are held; its p-value is that of the coefficient */
} ws_effect;

typedef struct ws_effects {
    ws_fit_status status; /* of the regression; effects exist for OK alone */
    char sentence[400];
    size_t n_effects;
    ws_effect effect[WS_FIT_MAX_ESTIMATES];
    double condition; /* of the columns, the ones included, each scaled to length 1 (Belsley 1980): above 30, look */
} ws_effects;

/* Arguments as ws_fit_regression. */
ws_status ws_regression_effects(const double *const *columns, const char *const *names, size_t k, const double *y,
                                size_t n, ws_effects *effects, ws_error *error);

/* The ratio -b_i / b_j of two coefficients: how much predictor j has to change for one unit of predictor i so that y
 * stays the same. Power is flat along a path with that slope. */
typedef struct ws_turnover {
    ws_fit_status status;
    char sentence[400];
    double value, se;    /* delta method */
    bool is_bounded;     /* false: Fieller's set is no interval, since b_j may be zero; the ends are NaN then */
    double ci_lo, ci_hi; /* Fieller 1954 */
} ws_turnover;
ws_status ws_regression_turnover(const double *const *columns, const char *const *names, size_t k, const double *y,
                                 size_t n, size_t i, size_t j, double level, ws_turnover *turnover, ws_error *error);

/* Fieller's interval of a / b, whose variances and covariance are given; t is the quantile. False: unbounded. */
bool ws_fieller(double a, double b, double var_a, double cov, double var_b, double t, double *lo, double *hi);

#endif
