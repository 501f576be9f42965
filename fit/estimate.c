#include "fit/estimate.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>

/* GSL's default error handler ends the program, so it is off around each call; a handler of the caller is put back.
 * What GSL cannot compute comes back as NaN. */

double ws_student_quantile(double level, double df)
{
    if (isinf(df))
        return ws_normal_quantile(level);
    double tail = (1 - level) / 2;
    if (df == 1 || df == 2) /* closed, where GSL takes differences that lose the digits of a small tail */
        return df == 1 ? 1 / tan(acos(-1) * tail) : (1 - 2 * tail) / sqrt(2 * tail * (1 - tail));
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double t = gsl_cdf_tdist_Qinv(tail, df);
    gsl_set_error_handler(before);
    return t;
}

double ws_student_two_sided(double t, double df)
{
    if (isinf(df))
        return erfc(fabs(t) / sqrt(2));
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double p = isinf(t) ? 0 : 2 * gsl_cdf_tdist_Q(fabs(t), df);
    gsl_set_error_handler(before);
    return p;
}

double ws_normal_quantile(double level)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double z = gsl_cdf_ugaussian_Qinv((1 - level) / 2);
    gsl_set_error_handler(before);
    return z;
}

double ws_chi2_upper(double x, double df)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double p = gsl_cdf_chisq_Q(x, df);
    gsl_set_error_handler(before);
    return p;
}

double ws_f_upper(double f, double df1, double df2)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double p = gsl_cdf_fdist_Q(f, df1, df2);
    gsl_set_error_handler(before);
    return p;
}

double ws_f_quantile(double level, double df1, double df2)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double f = gsl_cdf_fdist_Pinv(level, df1, df2);
    gsl_set_error_handler(before);
    return f;
}

void ws_test_begin(ws_test *test, const char *name)
{
    *test = (ws_test){.name = name, .status = WS_FIT_TOO_FEW, .statistic = NAN, .df1 = NAN, .df2 = NAN, .p_value = NAN};
}

bool ws_test_set(ws_test *test, double statistic, double p_value)
{
    if (!isfinite(statistic) || !isfinite(p_value)) {
        test->status = WS_FIT_NOT_IDENTIFIED;
        ws_say(test->sentence, sizeof test->sentence, "the statistic of the test (%s) is beyond the range of a number",
               test->name);
        return false;
    }
    test->status = WS_FIT_OK;
    test->statistic = statistic;
    test->p_value = p_value;
    return true;
}

bool ws_fit_is_constant(const double *value, size_t n)
{
    double low = n ? value[0] : 0, high = low;
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    /* Halves, because the spread of finite values can be beyond the largest double. */
    return high / 2 - low / 2 <= 2 * DBL_EPSILON * fmax(fabs(low), fabs(high));
}

void ws_estimate_infer(ws_estimate *e, double df, double level)
{
    e->ci_lo = e->ci_hi = e->p_value = NAN;
    if (isnan(e->value) || isnan(e->se) || !(df > 0))
        return;
    double half = e->se > 0 ? ws_student_quantile(level, df) * e->se : 0;
    double off = e->value - e->null_value;
    e->ci_lo = e->value - half;
    e->ci_hi = e->value + half;
    e->p_value = e->se > 0 ? ws_student_two_sided(off / e->se, df) : off == 0;
}

ws_estimate *ws_fit_add(ws_fit *fit, const char *name, double value, double se)
{
    ws_estimate *e = &fit->estimate[fit->n_estimates++];
    *e = (ws_estimate){.name = name, .value = value, .se = se, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN};
    return e;
}
