/* The search for a minimum under ws_nls_fit. Internal to fit/. */
#ifndef WS_FIT_LEVENBERG_H
#define WS_FIT_LEVENBERG_H

#include "fit/laws/nonlinear.h"
#include "fit/linear/qr.h"

enum { WS_NO_POINT = -1, WS_STRATEGIES = 3 };

typedef struct ws_minimum {
    double b[WS_FIT_MAX_ESTIMATES];
    double rss;      /* weighted; INFINITY where the curve is undefined at the start */
    bool is_settled; /* a minimum: a Gauss-Newton step from here leads nowhere */
    bool is_flat;    /* some direction in the parameters does not change the curve: they are not told apart */
} ws_minimum;

/* From one start; strategies from 0 to WS_STRATEGIES - 1 are ever slower and surer. Point `skip` is left out
 * (WS_NO_POINT: none). */
ws_minimum ws_levenberg(const ws_nls_input *in, const double *start, size_t strategy, long skip);

/* From b near the minimum, as that of all points is near the one without a point: Gauss-Newton steps first; rss may be
 * NaN. */
ws_minimum ws_levenberg_again(const ws_nls_input *in, const double *b, long skip);

/* Fill qr with the Jacobian and the residuals at b, times the roots of the weights, and solve: its b is the
 * Gauss-Newton step. False where curve or derivatives are undefined. The caller frees in either case. */
bool ws_nls_step(const ws_nls_input *in, const double *b, long skip, ws_qr *qr);

#endif
