#include "fit/estimate.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

/* GSL's default error handler ends the program, so it is off around each call; a handler of the caller is put back.
 * What GSL cannot compute comes back as NaN. */

static double search_quantile(double tail, double df)
{
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    double t = gsl_cdf_tdist_Qinv(tail, df);
    gsl_set_error_handler(before);
    return t;
}

/* A search, and the same for each estimate of thousands of groups: the last ones are kept, by degrees of freedom. */
double ws_student_quantile(double level, double df)
{
    enum { KEPT = 64 };
    static _Thread_local struct {
        double level, df, t;
    } kept[KEPT];
    if (isinf(df))
        return ws_normal_quantile(level);
    double tail = (1 - level) / 2;
    if (df == 1 || df == 2) /* closed, where GSL takes differences that lose the digits of a small tail */
        return df == 1 ? 1 / tan(acos(-1) * tail) : (1 - 2 * tail) / sqrt(2 * tail * (1 - tail));
    if (!(df >= 1 && df < KEPT))
        return search_quantile(tail, df);
    size_t at = (size_t)df;
    if (kept[at].df != df || kept[at].level != level) {
        kept[at].t = search_quantile(tail, df);
        kept[at].df = df;
        kept[at].level = level;
    }
    return kept[at].t;
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

double ws_satterthwaite(double a, double df_a, double b, double df_b)
{
    return (a + b) * (a + b) / (a * a / df_a + b * b / df_b);
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

void ws_estimate_allow_factor(ws_estimate *e, double relative, double level)
{
    double u = relative * fabs(e->value), half = ws_normal_quantile(level) * u;
    if (!(u > 0))
        return;
    e->se = isnan(e->se) ? u : hypot(e->se, u);
    e->ci_lo = e->value - hypot(e->value - e->ci_lo, half);
    e->ci_hi = e->value + hypot(e->ci_hi - e->value, half);
}

void ws_estimate_take_df(ws_estimate *e, double df, double of_fit, double level)
{
    e->df = df == of_fit ? 0 : df;
    ws_estimate_infer(e, df, level);
}

ws_estimate *ws_fit_add(ws_fit *fit, const char *name, double value, double se)
{
    ws_estimate *e = &fit->estimate[fit->n_estimates++];
    *e = (ws_estimate){.name = name, .value = value, .se = se, .ci_lo = NAN, .ci_hi = NAN, .p_value = NAN};
    return e;
}

const char *ws_fit_status_name(ws_fit_status status)
{
    static const char *const names[] = {"ok",      "exact",        "perfect",       "collinear",     "constant",
                                        "too-few", "not-positive", "not-converged", "not-identified"};
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const ws_estimate *ws_fit_estimate(const ws_fit *fit, const char *name)
{
    for (size_t i = 0; i < fit->n_estimates; i++)
        if (strcmp(fit->estimate[i].name, name) == 0)
            return &fit->estimate[i];
    return NULL;
}

static ws_fit_curve curve_of(const char *model)
{
    static const struct {
        const char *model;
        ws_fit_curve curve;
    } curves[] = {{"powerlaw", WS_CURVE_POWERLAW},
                  {"floor", WS_CURVE_FLOOR},
                  {"amdahl", WS_CURVE_AMDAHL},
                  {"usl", WS_CURVE_USL},
                  {"huber", WS_CURVE_HUBER}};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        if (strcmp(curves[i].model, model) == 0)
            return curves[i].curve;
    return WS_CURVE_OTHER;
}

void ws_fit_begin(ws_fit *fit, const char *model, const char *r2_kind, size_t n)
{
    memset(fit, 0, sizeof *fit);
    fit->model = model;
    fit->curve = curve_of(model);
    fit->status = WS_FIT_TOO_FEW;
    fit->n = fit->n_runs = n;
    fit->repeat_sd = NAN;
    fit->r2_kind = r2_kind;
    fit->df = fit->rss = fit->sigma = fit->r2 = NAN;
    fit->log_likelihood = fit->aic = fit->aicc = fit->bic = fit->loocv = NAN;
}

ws_status ws_fit_check_level(double level, ws_error *error)
{
    if (level > 0 && level < 1)
        return WS_OK;
    return ws_fail(error, WS_USAGE, "a level of %s does not lie between 0 and 1; 0.95 asks for 95 %% intervals",
                   ws_words_number(level).text);
}

ws_status ws_fit_check_finite(const char *name, const double *value, size_t n, ws_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return ws_fail(error, WS_DATA, "%s of point %zu is not a finite number; leave the point out", name, i + 1);
    return WS_OK;
}

ws_status ws_fit_check(const double *x, const double *y, size_t n, double level, ws_error *error)
{
    ws_status status = ws_fit_check_level(level, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("x", x, n, error);
    if (status == WS_OK)
        status = ws_fit_check_finite("y", y, n, error);
    return status;
}

ws_status ws_fit_check_range(const ws_fit *fit, ws_error *error)
{
    bool finite = isfinite(fit->rss);
    for (size_t j = 0; j < fit->n_estimates; j++)
        finite = finite && isfinite(fit->estimate[j].value) && !isinf(fit->estimate[j].se);
    if (finite)
        return WS_OK;
    return ws_fail(error, WS_DATA, "the values are too large or too small for a fit; express them in another unit");
}

bool ws_fit_is_saturated(const ws_fit *fit)
{
    return fit->n_x > 0 && fit->n_x < fit->n && (double)fit->n_x <= (double)fit->n - fit->df;
}

void ws_fit_say_refusal(const ws_fit *fit, char *text, size_t size)
{
    if (fit->status == WS_FIT_EXACT)
        ws_say(text, size, "%zu point%s, as many as coefficients", fit->n, fit->n == 1 ? "" : "s");
    else if (fit->status == WS_FIT_PERFECT)
        ws_say(text, size, "all %zu points are met within rounding", fit->n);
    else
        ws_say(text, size, "%s", fit->sentence);
}

ws_words ws_fit_words_points(const ws_fit *fit, const char *of)
{
    ws_words words = {""};
    ws_say(words.text, sizeof words.text, "%zu point%s", fit->n, fit->n == 1 ? "" : "s");
    if (fit->n_x > 0 && fit->n_x < fit->n)
        ws_say(words.text, sizeof words.text, " at %s", ws_words_values(fit->n_x, of).text);
    return words;
}

void ws_fit_say_points(ws_fit *fit, const char *of)
{
    ws_say(fit->sentence, sizeof fit->sentence, "; %s%s", ws_fit_words_points(fit, of).text,
           ws_fit_is_saturated(fit) ? " (too few to show whether the law holds)" : "");
}

/* Names the points, since the user has to take them out or mend them. */
bool ws_fit_refuse_logs(const double *x, const double *y, const char *what, ws_fit *fit)
{
    enum { NAMED = 8 };
    size_t found = 0;
    char list[200] = "";
    for (size_t i = 0; i < fit->n; i++) {
        if (x[i] > 0 && (!y || y[i] > 0))
            continue;
        if (found < NAMED)
            ws_say(list, sizeof list, "%s%zu", found ? ", " : "", i + 1);
        else if (found == NAMED)
            ws_say(list, sizeof list, ", ...");
        found++;
    }
    if (!found)
        return false;
    fit->status = WS_FIT_NOT_POSITIVE;
    ws_say(fit->sentence, sizeof fit->sentence,
           "x%s is not above zero, and has no logarithm, in %zu of %zu points (point%s %s); leave %s out to fit %s",
           y ? " or y" : "", found, fit->n, found == 1 ? "" : "s", list, found == 1 ? "it" : "them", what);
    return true;
}
