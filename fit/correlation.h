/* What the correlation coefficients of this folder share. Internal to fit/. */
#ifndef WS_FIT_CORRELATION_H
#define WS_FIT_CORRELATION_H

#include "fit/estimate.h"

void ws_correlation_begin(ws_correlation *result, size_t n); /* every number NaN */

/* r of two arrays, its status (TOO_FEW below 3 points, CONSTANT, PERFECT, OK) and its t statistic; everything else
 * NaN. A sentence is written for TOO_FEW and CONSTANT. */
double ws_correlate(const double *x, const double *y, size_t n, ws_correlation *result);

/* Fisher's interval: tanh(atanh r -+ z sqrt(variance)), [r, r] for |r| = 1. Undefined below 4 points. */
void ws_correlation_interval(ws_correlation *result, double variance, double level);

/* "Pearson's r 0.61 (95 %: 0.11 to 0.86), p 0.021; 14 points" */
void ws_correlation_say(ws_correlation *result, const char *name, double level);

#endif
