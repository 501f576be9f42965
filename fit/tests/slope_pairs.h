/* Pairs of slopes, for groups.c and printed_slopes.c. Internal to fit/. */
#ifndef WS_FIT_SLOPE_PAIRS_H
#define WS_FIT_SLOPE_PAIRS_H

#include "fit/tests/groups.h"

void ws_slopes_begin(ws_slopes *slopes, size_t n, size_t k);

/* value and variance of k slopes; Student's t with df, INFINITY for the normal. */
void ws_slope_pairs(ws_slopes *slopes, const double *value, const double *variance, double df, double level,
                    double margin);

/* "no pair differs", "2 of 3 pairs differ (Holm)", "all pairs within 0.05 (TOST)" */
void ws_slope_pairs_say(ws_slopes *slopes, double level, double margin);

ws_status ws_check_margin(double margin, ws_error *error);

#endif
