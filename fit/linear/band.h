/* Confidence limits of a fitted mean: the band about the line of a figure. Pointwise, Student's t with the fit's own
 * degrees of freedom; the band holds the mean, not single points. */
#ifndef WS_FIT_BAND_H
#define WS_FIT_BAND_H

#include "fit/fit.h"

/* `fit` came from the function of the same model with these x (fit->n values). y, lo and hi get the fitted mean and its
 * limits at each of the n_at places. NaN: all three where the fit has no coefficients, lo and hi where it has no
 * standard errors, and everywhere at a place <= 0 for the power law. */
void ws_band_line(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                  double *lo, double *hi);
/* y = (mean of ratios) x of a fit of ws_fit_origin. */
void ws_band_ratio(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                   double *lo, double *hi);
void ws_band_origin(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                    double *lo, double *hi);
void ws_band_powerlaw(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                      double *lo, double *hi);

#endif
