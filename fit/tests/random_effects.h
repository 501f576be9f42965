/* One mean of the slopes of several models or series, which may really differ. */
#ifndef WS_FIT_RANDOM_EFFECTS_H
#define WS_FIT_RANDOM_EFFECTS_H

#include "fit/test.h"

typedef struct ws_random_effects {
    ws_fit_status status; /* OK, TOO_FEW below two values */
    char sentence[400];
    size_t k;
    ws_estimate alike;                   /* the plain mean, each group as much as the other: Student's t with k - 1 */
    double next_lo, next_hi;             /* of the slope of one more group, as well known as these are */
    ws_estimate mean;                    /* DerSimonian and Laird's: Student's t with k - 1 */
    double prediction_lo, prediction_hi; /* of one more group by it, t with k - 2; NaN below three values */
    double tau; /* standard deviation of the true slopes between groups; 0 where chance explains it */
    double i2;  /* share of the variance that is between groups, 0 to 1 */
    ws_test q;  /* Cochran's Q: do they differ at all? */
} ws_random_effects;

/* value[k] with standard errors above zero, taken as normal and known. WS_DATA names one that is not. */
ws_status ws_random_effects_of(const double *value, const double *se, size_t k, double level, ws_random_effects *r,
                               ws_error *error);

#endif
