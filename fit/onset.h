/* From where on does y leave its plateau? The error of a network against its global batch size. */
#ifndef WS_FIT_ONSET_H
#define WS_FIT_ONSET_H

#include "fit/laws.h"

/* y = plateau up to an onset, and rising by "rise-per-doubling" of x beyond: "plateau", "rise-per-doubling", "onset"
 * (interval by profile, no standard error). x > 0; from 4 different x and 4 points on. Status NOT_IDENTIFIED where y never
 * rises, and where it rises from the smallest x on, so that no plateau is seen. test: does y rise at all; may be NULL. No
 * weights. */
ws_status ws_fit_onset(const ws_law_input *in, ws_fit *fit, double *residual, ws_test *test, ws_error *error);

#endif
