/* A quick search for the minimum of a sum of squares: double precision, normal equations, no memory of its own.
 * Internal to fit/: ws_nls_fit takes its place for a start, and rests its digits on nothing of it but the refits of
 * leave-one-out. */
#ifndef WS_FIT_NONLINEAR_QUICK_H
#define WS_FIT_NONLINEAR_QUICK_H

#include "fit/laws/nonlinear_input.h"

/* From b, point `skip` left out (below 0: none). True: b is a minimum, *rss its weighted sum of squares, and the last
 * step was foretold to gain at most `enough` of that: of 1e-17 b is within some 1e-9 standard errors. False: b is left
 * as it was, and a surer search is wanted. `damping`: how much the first step is held back; 0 where b is near. */
bool ws_nls_quick(const ws_nls_input *in, long skip, double damping, double enough, double *b, double *rss);

#endif
