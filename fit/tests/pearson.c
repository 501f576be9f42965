/* Pearson's correlation coefficient.
 *
 *     r = sum (x - mean x)(y - mean y) / sqrt(sum (x - mean x)^2 sum (y - mean y)^2)
 *
 * p by Student's t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom; interval by Fisher's z = atanh r with
 * variance 1 / (n - 3), so from 4 points on. Assumes pairs of a bivariate normal distribution. Fisher 1921, Metron 1.
 * */
#include "fit/tests/correlation.h"

#include <math.h>

ws_status ws_pearson(const double *x, const double *y, size_t n, double level, ws_correlation *result, ws_error *error)
{
    ws_correlation_begin(result, n);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status != WS_OK)
        return status;
    double t = ws_correlate(x, y, n, result);
    if (isnan(result->r))
        return WS_OK;
    result->p_value = ws_student_two_sided(t, (double)n - 2);
    ws_correlation_interval(result, 1 / ((double)n - 3), level);
    ws_correlation_say(result, "Pearson's r", 4, level);
    return WS_OK;
}
