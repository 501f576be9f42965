/* Where, between the lowest and the highest x measured, is the energy least while the time keeps a bound? For caps. */
#ifndef WS_FIT_OPTIMUM_PLACE_H
#define WS_FIT_OPTIMUM_PLACE_H

#include "fit/fit.h"

typedef enum ws_place_limit {
    WS_PLACE_ENERGY, /* the energy is least there */
    WS_PLACE_TIME,   /* less energy would take longer than the bound */
    WS_PLACE_END     /* the lowest or the highest x measured: no error to give */
} ws_place_limit;

typedef struct ws_place {
    double x, se, lo, hi; /* standard error and interval: NaN at an end; the interval stays within the x measured */
    ws_place_limit limit;
} ws_place;

/* `time` and `energy` are fits of status OK by ws_fit_lognormal or ws_fit_floor in logs of the same n values of x. The
 * bound is (1 + slowdown) times the time at the highest x. */
ws_status ws_find_place(const ws_fit *time, const ws_fit *energy, const double *x, size_t n, double slowdown,
                        double level, ws_place *place, ws_error *error);

#endif
