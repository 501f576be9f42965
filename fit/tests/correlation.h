/* What the correlation coefficients of this folder share. Internal to fit/. */
#ifndef WS_FIT_CORRELATION_H
#define WS_FIT_CORRELATION_H

#include "fit/estimate.h"

void ws_correlation_begin(ws_correlation *result, size_t n); /* every number NaN */

/* Writes status and sentence where there are fewer than 3 points or an array does not vary. */
bool ws_correlation_refuse(const double *x, const double *y, ws_correlation *result);

/* r of two arrays, its status (TOO_FEW below 3 points, CONSTANT, PERFECT, OK) and its t statistic; everything else
 * NaN. A sentence is written for TOO_FEW and CONSTANT. */
double ws_correlate(const double *x, const double *y, size_t n, ws_correlation *result);

/* Fisher's interval: tanh(atanh r -+ z sqrt(variance)), [r, r] for |r| = 1. Undefined below 4 points. */
void ws_correlation_interval(ws_correlation *result, double variance, double level);

/* "Pearson's r 0.61 (95 %: 0.11 to 0.86), p 0.021; 14 points". least: the points that an interval needs. */
void ws_correlation_say(ws_correlation *result, const char *name, size_t least, double level);

#endif
