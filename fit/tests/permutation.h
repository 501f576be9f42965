/* Correlation without a law of the errors: how often would pairing x and y by chance give as large an r? */
#ifndef WS_FIT_PERMUTATION_H
#define WS_FIT_PERMUTATION_H

#include "fit/test.h"

#include <stdint.h>

/* statistic: Pearson's r; two-sided p. Exact over all n! orders up to 8 points, else from `draws` (100 to a million)
 * orders: (1 + those as large) / (1 + draws). Status TOO_FEW below 3 points, CONSTANT where an array does not vary. */
ws_status ws_permutation_test(const double *x, const double *y, size_t n, size_t draws, uint64_t seed, ws_test *test,
                              ws_error *error);

#endif
