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

/* The same where the bound must be kept by the upper limit of the slow-down, one-sided at 1 - risk, from the place up
 * to the highest x: place->x, without se, lo and hi; `lowest` is the lowest x that keeps it so, the highest measured
 * where no other does. */
ws_status ws_find_safe_place(const ws_fit *time, const ws_fit *energy, const double *x, size_t n, double slowdown,
                             double risk, ws_place *place, double *lowest, ws_error *error);

#endif
