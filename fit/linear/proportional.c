/* Are two arrays the same up to a factor? The factor is that of the row with the largest |x|, which any other row then
 * has to meet: y = c x within tolerance * |c x|. Rows of zeros fit any factor, but at least one x must not be zero. */
#include "fit/fit.h"

#include <math.h>

bool ws_are_proportional(const double *x, const double *y, size_t n, double tolerance, double *factor)
{
    size_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return false;
        if (fabs(x[i]) > fabs(x[largest]))
            largest = i;
    }
    if (n == 0 || x[largest] == 0)
        return false;
    double c = y[largest] / x[largest];
    if (!isfinite(c))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(y[i] - c * x[i]) <= tolerance * fabs(c * x[i])))
            return false;
    if (factor)
        *factor = c;
    return true;
}
