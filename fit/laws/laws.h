/* Scaling laws: how a time, a throughput or a speed-up changes with the number of GPUs. */
#ifndef WS_FIT_LAWS_H
#define WS_FIT_LAWS_H

#include "fit/laws/nonlinear.h"
#include "fit/test.h"

/* x > 0 throughout. Least squares of y itself (errors of the same size everywhere; long runs dominate), or of ln y
 * (errors in proportion to y; y > 0, else status NOT_POSITIVE, and the curve must be positive too). Weights, if given,
 * count by their ratios: 1 / y^2 is nearly ln y. */
typedef struct ws_law_input {
    const double *x, *y;
    const double *weight; /* or NULL */
    size_t n;
    double level;
    bool in_logs;
    bool without_loocv;                /* spare the n fits that leave a point out */
    const ws_replication *replication; /* where the points are means of unequal numbers of runs; or NULL */
    const double *near; /* parameters to begin the search at, and nowhere else: for draws from a fitted law; or NULL */
} ws_law_input;

/* All return WS_OK whatever fit->status is; see ws_nls_fit. `residual` gets n values on the fitted scale, or is NULL.
 */

/* y = factor x^exponent: "factor", "exponent". */
ws_status ws_fit_powerlaw_direct(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);

/* y = factor x^exponent + floor: "factor", "exponent", "floor" (p against 0). From 4 different x on. */
ws_status ws_fit_floor(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);

/* Is the floor needed, and where may it lie when it cannot be below zero? For a fit of ws_fit_floor with status OK:
 * adds "floor-profile", the floor or 0, with the interval of all floors c >= 0 whose residual sum of squares an F test
 * does not reject (no standard error; upper end NaN where no floor is rejected). test: F of the floor against none; may
 * be NULL. WS_USAGE: the fit has no floor of y itself. */
ws_status ws_floor_profile(const ws_law_input *in, ws_fit *fit, ws_test *test, ws_error *error);

/* y = time-at-1 (s + (1 - s) / x), s = "serial-fraction", and "max-speedup" = 1 / s with the interval of s turned over;
 * without upper end where that of s reaches zero, undefined for s <= 0 (speed-up beyond linear is reported, not cut).
 */
ws_status ws_fit_amdahl(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);

/* The serial fraction that one measured speed-up on n devices stands for: a trend in it refutes Amdahl's law. NaN for
 * n <= 1 or speedup <= 0. */
double ws_karp_flatt(double n, double speedup);

/* That trend: Student's t of the slope of the serial fractions on x, from the speed-ups over the mean y at the smallest
 * x, x counted in units of it. Status TOO_FEW below 3 points beyond it. */
ws_status ws_karp_flatt_trend(const ws_law_input *in, ws_test *test, ws_error *error);

/* y = "intercept" + "slope" x, or "slope" x alone, in logarithms of y: errors in proportion to it. `in->in_logs` is not
 * used; fit/linear has the lines of y itself. */
ws_status ws_fit_straight(const ws_law_input *in, bool from_origin, ws_fit *fit, ws_error *error);

/* Speed-up of work that grows with n: y = x - s (x - 1), s = "serial-fraction". Points with x = 1 say nothing and are
 * left out of fit->n. `in->weight` and `in->in_logs` are not used. */
ws_status ws_fit_gustafson(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);

/* Throughput y = gamma x / (1 + alpha (x - 1) + beta x (x - 1)): "gamma" (at x = 1), "alpha" (contention), "beta"
 * (coherence), "peak" (the x of the highest throughput, delta method), "peak-throughput" and "limit" (gamma / alpha:
 * what alpha alone would leave). Undefined where there is no peak (beta <= 0) or no limit (alpha <= 0). From 5
 * different x on. */
ws_status ws_fit_usl(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);

/* The same with alpha and beta at or above zero: at zero where the free fit has them below, intervals cut there.
 * What `fit usl` prints. */
ws_status ws_fit_usl_bounded(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);

/* ln y = c0 + c1 ln x + c2 (ln x)^2, a curve of log-normal shape where c2 < 0: "c0", "c1", "c2" (p against 0: the
 * nested F test of the power law), "mu" = -c1 / (2 c2), "sigma2" = -1 / (2 c2) (delta method). Always in logs; no
 * weights. From 4 different x on. */
ws_status ws_fit_lognormal(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);

/* One power law up to a breakpoint and another beyond, joined: "exponent-before", "exponent-after", "change",
 * "ln-breakpoint", "breakpoint" (interval by the profile of the residual sum of squares; no standard error), "factor"
 * (of the first one). Always in logs; no weights. From 5 different x on, two of them on each side. test: is there a
 * breakpoint at all (see breakpoint.c); may be NULL. */
ws_status ws_fit_breakpoint(const ws_law_input *in, ws_fit *fit, double *residual, ws_test *test, ws_error *error);

/* Is a power law with errors of the same size everywhere (direct) or with errors in proportion (log-log) nearer to the
 * data? Vuong 1989: positive statistic for errors in proportion. */
ws_status ws_power_errors(const ws_law_input *in, ws_test *test, ws_error *error);

#endif
