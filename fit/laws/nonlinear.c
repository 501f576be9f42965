/* b minimises sum w (y - f(b))^2; V(b) = sigma^2 (J'WJ)^-1, sigma^2 = rss / (n - p), J the derivatives of f at the
 * minimum.
 *
 * Intervals and tests by Student's t with n - p degrees of freedom: those of the curve's tangent, good as far as the
 * curve is nearly linear over them. Assumes independent errors of y, of one variance after weighting. A sum of squares
 * may have several minima: the least of those found from the given starts is taken. Bates and Watts 1988. */
#include "fit/laws/nonlinear.h"

#include "fit/estimate.h"
#include "fit/linear/least_squares.h"
#include "fit/laws/levenberg.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX = WS_FIT_MAX_ESTIMATES };

/* All starts by the quick strategy, and where none settles the first one by the others. Where ENOUGH of them have led to the
 * least minimum found, the rest are spared. */
static ws_minimum best_minimum(const ws_nls_input *in)
{
    enum { ENOUGH = 3 };
    ws_minimum best = {.rss = INFINITY};
    size_t alike = 0;
    for (size_t strategy = 0; strategy < WS_STRATEGIES && !best.is_settled; strategy++)
        for (size_t k = 0; k < in->n_starts && (strategy == 0 || k == 0) && alike < ENOUGH; k++) {
            ws_minimum m = ws_levenberg(in, in->start + k * in->p, strategy, WS_NO_POINT);
            bool same = m.is_settled && best.is_settled && fabs(m.rss - best.rss) <= 1e-9 * best.rss;
            bool better = m.is_settled == best.is_settled ? m.rss < best.rss : m.is_settled;
            alike = same ? alike + 1 : better && m.is_settled ? 1 : alike;
            best = better ? m : best;
        }
    return best;
}

static ws_status give_up(const ws_nls_input *in, ws_fit *fit, ws_fit_status status, double *residual)
{
    fit->status = status;
    for (size_t j = 0; j < in->p; j++)
        ws_fit_add(fit, in->name[j], NAN, NAN);
    for (size_t i = 0; residual && i < in->n; i++)
        residual[i] = NAN;
    char *text = fit->sentence;
    size_t size = sizeof fit->sentence;
    if (status == WS_FIT_TOO_FEW)
        ws_say(text, size, "%zu point%s: fewer than the %zu that the model needs", in->n, in->n == 1 ? "" : "s", in->p);
    else if (status == WS_FIT_NOT_IDENTIFIED)
        ws_say(text, size,
               "the %zu points do not tell the %zu parameters apart: some change of them leaves the curve as it is",
               in->n, in->p);
    else
        ws_say(
            text, size,
            "the search for the parameters did not settle: the %zu points do not hold this curve, or have no best one",
            in->n);
    return WS_OK;
}

static double total_sum(const ws_nls_input *in)
{
    long double weights = 0, mean = 0, sum = 0;
    for (size_t i = 0; i < in->n; i++) {
        long double w = in->weight ? in->weight[i] : 1;
        weights += w;
        mean += w * in->y[i];
    }
    mean /= weights;
    for (size_t i = 0; i < in->n; i++)
        sum += (in->weight ? in->weight[i] : 1) * (in->y[i] - mean) * (in->y[i] - mean);
    return (double)sum;
}

/* Residuals are no more than the rounding of the curve's values. */
static bool is_perfect(const ws_nls_input *in, double rss)
{
    long double size = 0;
    for (size_t i = 0; i < in->n; i++)
        size += (in->weight ? in->weight[i] : 1) * (long double)in->y[i] * in->y[i];
    long double noise = 32 * (long double)DBL_EPSILON * sqrtl(size);
    return rss <= (double)(noise * noise);
}

static double leave_one_out(const ws_nls_input *in, const double *b)
{
    long double sum = 0;
    double gradient[MAX];
    for (size_t i = 0; i < in->n; i++) {
        ws_minimum m = ws_levenberg_again(in, b, (long)i);
        if (!m.is_settled)
            return NAN;
        double off = in->y[i] - in->curve(in->state, i, m.b, gradient);
        sum += (in->weight ? in->weight[i] : 1) * (long double)off * off;
    }
    return (double)(sum / (long double)in->n);
}

static void set_quality(const ws_nls_input *in, ws_fit *fit, double rss)
{
    bool flat = ws_fit_is_constant(in->y, in->n);
    fit->rss = rss;
    fit->df = (double)(in->n - in->p);
    fit->status = is_perfect(in, rss) ? WS_FIT_PERFECT : WS_FIT_OK;
    if (flat)
        fit->status = WS_FIT_CONSTANT;
    if (in->n == in->p)
        fit->status = WS_FIT_EXACT;
    else
        fit->sigma = sqrt(rss / fit->df);
    if (!flat)
        fit->r2 = 1 - rss / total_sum(in);
    if (fit->status != WS_FIT_OK)
        return;
    ws_ls_set_likelihood(fit, rss, in->p);
    long double logs = 0;
    for (size_t i = 0; in->weight && i < in->n; i++)
        logs += logl(in->weight[i]);
    fit->log_likelihood += (double)logs / 2;
    fit->aic -= (double)logs;
    fit->aicc -= (double)logs;
    fit->bic -= (double)logs;
}

static void set_estimates(const ws_nls_input *in, const ws_minimum *m, const ws_qr *qr, ws_fit *fit,
                          ws_nls_detail *detail)
{
    long double inverse[MAX][MAX];
    ws_qr_inverse(qr, inverse);
    for (size_t j = 0; j < in->p; j++) {
        for (size_t k = 0; k < in->p; k++) {
            long double sum = 0;
            for (size_t l = j > k ? j : k; l < in->p; l++)
                sum += inverse[j][l] * inverse[k][l];
            detail->covariance[j][k] = (double)(sum * fit->sigma * fit->sigma);
        }
        ws_fit_add(fit, in->name[j], m->b[j], sqrt(detail->covariance[j][j]));
        ws_estimate_infer(&fit->estimate[j], fit->df, in->level);
    }
}

static ws_status check(const ws_nls_input *in, ws_error *error)
{
    ws_status status = ws_fit_check_level(in->level, error);
    if (status == WS_OK && (in->p < 1 || in->p > MAX))
        return ws_fail(error, WS_USAGE, "a curve takes 1 to %d parameters, not %zu", MAX, in->p);
    if (status == WS_OK)
        status = ws_fit_check_finite("y", in->y, in->n, error);
    if (status == WS_OK && in->weight)
        status = ws_fit_check_finite("weight", in->weight, in->n, error);
    for (size_t i = 0; status == WS_OK && in->weight && i < in->n; i++)
        if (!(in->weight[i] > 0))
            return ws_fail(error, WS_DATA, "weight of point %zu is not above zero; leave the point out", i + 1);
    return status;
}

ws_status ws_nls_fit(const ws_nls_input *in, const char *model, ws_fit *fit, double *residual, ws_nls_detail *detail,
                     ws_error *error)
{
    ws_nls_detail unused;
    ws_fit_begin(fit, model, in->weight ? "centred, weighted" : "centred", in->n);
    ws_status status = check(in, error);
    if (status != WS_OK)
        return status;
    if (in->n < in->p)
        return give_up(in, fit, WS_FIT_TOO_FEW, residual);
    ws_minimum m = best_minimum(in);
    if (!m.is_settled)
        return give_up(in, fit, m.is_flat ? WS_FIT_NOT_IDENTIFIED : WS_FIT_NOT_CONVERGED, residual);
    ws_qr qr;
    double gradient[MAX];
    ws_nls_step(in, m.b, WS_NO_POINT, &qr);
    /* The solver's residuals are those left by one more step, which is none. */
    set_quality(in, fit, (double)qr.rss);
    set_estimates(in, &m, &qr, fit, detail ? detail : &unused);
    ws_qr_free(&qr);
    if (fit->df > 0 && !in->without_loocv)
        fit->loocv = leave_one_out(in, m.b);
    bool finite = isfinite(fit->rss) && !isinf(fit->loocv);
    for (size_t i = 0; i < in->n; i++) {
        double off = in->y[i] - in->curve(in->state, i, m.b, gradient);
        finite = finite && isfinite(off);
        if (residual)
            residual[i] = off;
    }
    for (size_t j = 0; j < in->p; j++)
        finite = finite && !isinf(fit->estimate[j].se);
    if (finite)
        return WS_OK;
    return ws_fail(error, WS_DATA, "the values are too large or too small for a fit; express them in another unit");
}
