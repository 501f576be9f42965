/* From where on does y leave its plateau? The error of a network against its global batch size. */
#ifndef WS_FIT_ONSET_H
#define WS_FIT_ONSET_H

#include "fit/laws/laws.h"

/* y = plateau up to an onset, and rising by "rise-per-doubling" of x beyond: "plateau", "rise-per-doubling", "onset"
 * (interval by profile, no standard error). x > 0; from 4 different x and 4 points on. Status NOT_IDENTIFIED where y
 * never rises, and where it rises from the smallest x on, so that no plateau is seen. test: does y rise at all; may be
 * NULL. No weights. */
ws_status ws_fit_onset(const ws_law_input *in, ws_fit *fit, double *residual, ws_test *test, ws_error *error);

/* Beside a fit of ws_fit_onset with status OK, whose `residual` these are: adds "onset-isotonic", the first measured x
 * at which a curve that never falls lies two standard deviations (fit->sigma) above the plateau; interval by the
 * bootstrap, between measured x (no standard error). NaN, and the sentence says why, where there is none. */
ws_status ws_onset_isotonic(const ws_law_input *in, const double *residual, ws_fit *fit, ws_error *error);

#endif
