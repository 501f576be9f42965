/* Confidence band of a mean, pointwise (Draper and Smith 1998, sections 1.4 and 3.1):
 *
 *     line       b0 + b1 x  -+  t sigma sqrt(1/n + (x - mean x)^2 / sum (x_i - mean x)^2)
 *     origin     b x  -+  t |x| se(b)
 *     power law  exp of the line's band in ln x
 *
 * Assumes what the fits assume: errors independent, normal, of one variance on the fitted scale. */
#include "fit/linear/band.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

static double value_of(const ws_fit *fit, const char *name)
{
    const ws_estimate *estimate = ws_fit_estimate(fit, name);
    return estimate ? estimate->value : NAN;
}

/* NaN where the fit gives its standard errors no meaning: exact and perfect fits have no band. */
static double half_width_per_sigma(const ws_fit *fit, double level)
{
    return fit->status == WS_FIT_OK && fit->df > 0 ? ws_student_quantile(level, fit->df) : NAN;
}

typedef struct spread {
    double mean, squares;
} spread;

/* Two passes: the mean first, then the squares about it. */
static spread spread_of(const double *x, size_t n)
{
    spread s = {0, 0};
    for (size_t i = 0; i < n; i++)
        s.mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        s.squares += (x[i] - s.mean) * (x[i] - s.mean);
    return s;
}

static double leverage(const spread *s, size_t n, double at)
{
    return 1 / (double)n + (at - s->mean) * (at - s->mean) / s->squares;
}

void ws_band_line(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                  double *lo, double *hi)
{
    spread s = spread_of(x, fit->n);
    double slope = value_of(fit, "slope"), intercept = value_of(fit, "intercept");
    double t = half_width_per_sigma(fit, level);
    for (size_t i = 0; i < n_at; i++) {
        double half = t * fit->sigma * sqrt(leverage(&s, fit->n, at[i]));
        y[i] = intercept + slope * at[i];
        lo[i] = y[i] - half;
        hi[i] = y[i] + half;
    }
}

static void band_of_factor(const ws_fit *fit, const char *name, double level, const double *at, size_t n_at, double *y,
                           double *lo, double *hi)
{
    const ws_estimate *slope = ws_fit_estimate(fit, name);
    double value = slope ? slope->value : NAN, se = slope ? slope->se : NAN;
    double t = half_width_per_sigma(fit, level);
    for (size_t i = 0; i < n_at; i++) {
        double half = t * se * fabs(at[i]);
        y[i] = value * at[i];
        lo[i] = y[i] - half;
        hi[i] = y[i] + half;
    }
}

/* The factor's standard error holds all that the band needs. */
void ws_band_origin(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                    double *lo, double *hi)
{
    (void)x;
    band_of_factor(fit, "slope", level, at, n_at, y, lo, hi);
}

void ws_band_ratio(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                   double *lo, double *hi)
{
    (void)x;
    band_of_factor(fit, "mean-of-ratios", level, at, n_at, y, lo, hi);
}

void ws_band_powerlaw(const ws_fit *fit, const double *x, double level, const double *at, size_t n_at, double *y,
                      double *lo, double *hi)
{
    double *log_x = ws_alloc((fit->n + 1) * sizeof *log_x);
    for (size_t i = 0; i < fit->n; i++)
        log_x[i] = log(x[i]);
    spread s = spread_of(log_x, fit->n);
    double exponent = value_of(fit, "exponent"), log_factor = log(value_of(fit, "factor"));
    double t = half_width_per_sigma(fit, level);
    for (size_t i = 0; i < n_at; i++) {
        double log_at = at[i] > 0 ? log(at[i]) : NAN, middle = log_factor + exponent * log_at;
        double half = t * fit->sigma * sqrt(leverage(&s, fit->n, log_at));
        y[i] = exp(middle);
        lo[i] = exp(middle - half);
        hi[i] = exp(middle + half);
    }
    free(log_x);
}
