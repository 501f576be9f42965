/* Linear least squares: b minimises sum (y - X b)^2; V(b) = sigma^2 (X'X)^-1, sigma^2 = rss / (n - p). Solved in qr.c.
 *
 * Assumes: errors of y independent, of one variance; x without error; t intervals also want them normal. */
#include "fit/linear/least_squares.h"

#include "fit/linear/qr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = WS_FIT_MAX_ESTIMATES };

static void least_squares_load(ws_qr *qr, const ws_ls_input *in)
{
    for (size_t j = 0; j <= qr->p; j++) {
        const double *from = j < qr->p ? in->column[j] : in->y;
        long double *to = ws_qr_column(qr, j);
        for (size_t i = 0; i < qr->n; i++)
            to[i] = from ? from[i] : 1;
    }
}

/* Sum of squares of y, about its mean where the model has an intercept. */
static long double total_sum(const ws_ls_input *in)
{
    long double mean = 0, sum = 0;
    for (size_t i = 0; !in->column[0] && i < in->n; i++)
        mean += in->y[i];
    mean /= (long double)in->n;
    for (size_t i = 0; i < in->n; i++)
        sum += (in->y[i] - mean) * (in->y[i] - mean);
    return sum;
}

/* Mean squared leave-one-out residual: e_i / (1 - h_i), h_i the squared length of row i of Q (Allen 1974, PRESS). NaN
 * when one point alone determines a coefficient. */
static double leave_one_out(const ws_qr *s)
{
    const long double *e = s->q + s->p * s->n;
    long double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        long double rest = 1 - ws_qr_leverage(s, i);
        if (rest < 1e-12L)
            return NAN;
        sum += e[i] / rest * (e[i] / rest);
    }
    return (double)(sum / (long double)s->n);
}

void ws_ls_set_likelihood(ws_fit *fit, long double rss, size_t p)
{
    double n = (double)fit->n, k = (double)p + 1;
    fit->log_likelihood = -n / 2 * (log(2 * acos(-1)) + (double)logl(rss / (long double)n) + 1);
    fit->aic = 2 * k - 2 * fit->log_likelihood;
    fit->bic = k * log(n) - 2 * fit->log_likelihood;
    if (n - k - 1 > 0)
        fit->aicc = fit->aic + 2 * k * (k + 1) / (n - k - 1);
}

static void set_estimates(const ws_qr *s, const ws_ls_input *in, ws_fit *fit, long double sigma, long double noise)
{
    long double inverse[MAX][MAX];
    ws_qr_inverse(s, inverse);
    for (size_t j = 0; j < s->p; j++) {
        long double unit = 0;
        for (size_t k = j; k < s->p; k++)
            unit += inverse[j][k] * inverse[j][k];
        unit = sqrtl(unit);
        ws_estimate *e = ws_fit_add(fit, in->name[j], (double)s->b[j], (double)(sigma * unit));
        ws_estimate_infer(e, fit->df, in->level);
        /* Without residuals a coefficient that is rounding differs from zero by infinitely many standard errors. */
        if (fit->status != WS_FIT_OK && fit->df > 0 && fabsl(s->b[j]) <= noise * unit)
            e->p_value = 1;
    }
}

static void least_squares_summarise(const ws_qr *s, const ws_ls_input *in, ws_fit *fit)
{
    long double rss = s->rss, total = total_sum(in);
    long double noise = ws_qr_rounding(s, s->p, s->p, s->b) + (long double)in->rounding * sqrtl((long double)s->n);
    bool flat = !in->column[0] ? ws_fit_is_constant(in->y, s->n) : total == 0;
    fit->df = (double)(s->n - s->p);
    fit->n_x = ws_count_rows(in->column, in->p, in->n);
    fit->rss = (double)rss;
    fit->status = rss > noise * noise ? WS_FIT_OK : WS_FIT_PERFECT;
    if (s->n == s->p)
        fit->status = WS_FIT_EXACT;
    else if (flat)
        fit->status = WS_FIT_CONSTANT;
    long double sigma = s->n > s->p ? sqrtl(rss / (long double)(s->n - s->p)) : (long double)NAN;
    fit->sigma = (double)sigma;
    if (!flat)
        fit->r2 = (double)(1 - rss / total);
    if (s->n > s->p)
        fit->loocv = leave_one_out(s);
    if (fit->status == WS_FIT_OK)
        ws_ls_set_likelihood(fit, rss, s->p);
    set_estimates(s, in, fit, sigma, noise);
}

/* "passes = 0.00390625 samples in all 10 points, so ...", and what to do. */
static void say_collinear(const ws_qr *s, const ws_ls_input *in, ws_fit *fit)
{
    long double share[MAX] = {0};
    size_t j = s->rank, named = 0;
    ws_qr_share(s, j, j, share);
    if (s->length[j] == 0 || (j > 0 && !in->column[0] && ws_fit_is_constant(in->column[j], s->n))) {
        ws_say(fit->sentence, sizeof fit->sentence,
               "%s is %s in all %zu points, so its effect cannot be told from the rest; leave it out, or add points "
               "where it differs",
               in->name[j], ws_words_number(in->column[j][0]).text, s->n);
        return;
    }
    ws_say(fit->sentence, sizeof fit->sentence, "%s =", in->name[j]);
    for (size_t k = 0; k < j; k++) {
        if (fabsl(share[k]) * s->length[k] <= 1e-10L * s->length[j])
            continue;
        const char *sign = share[k] < 0 ? (named ? " - " : " -") : (named ? " + " : " ");
        ws_words factor = ws_words_number((double)fabsl(share[k]));
        if (!in->column[k])
            ws_say(fit->sentence, sizeof fit->sentence, "%s%s", sign, factor.text);
        else if (strcmp(factor.text, "1") == 0)
            ws_say(fit->sentence, sizeof fit->sentence, "%s%s", sign, in->name[k]);
        else
            ws_say(fit->sentence, sizeof fit->sentence, "%s%s %s", sign, factor.text, in->name[k]);
        named++;
    }
    ws_say(fit->sentence, sizeof fit->sentence,
           " in all %zu points, so their effects cannot be told apart; leave one out, or add points where the relation "
           "differs",
           s->n);
}

static void least_squares_give_up(const ws_ls_input *in, ws_fit *fit, ws_fit_status status, double *residual)
{
    fit->status = status;
    for (size_t j = 0; j < in->p; j++)
        ws_fit_add(fit, in->name[j], NAN, NAN);
    for (size_t i = 0; residual && i < in->n; i++)
        residual[i] = NAN;
}

static void set_detail(const ws_qr *s, ws_ls_detail *detail)
{
    long double inverse[MAX][MAX];
    ws_qr_inverse(s, inverse);
    for (size_t j = 0; j < s->p; j++) {
        for (size_t k = 0; k < s->p; k++) {
            long double sum = 0;
            for (size_t m = j > k ? j : k; m < s->p; m++)
                sum += inverse[j][m] * inverse[k][m];
            detail->unscaled[j][k] = (double)sum;
        }
        for (size_t i = 0; detail->share && i < s->n; i++) {
            long double sum = 0;
            for (size_t k = j; k < s->p; k++)
                sum += inverse[j][k] * s->q[k * s->n + i];
            detail->share[j * s->n + i] = (double)sum;
        }
    }
    for (size_t i = 0; detail->leverage && i < s->n; i++)
        detail->leverage[i] = (double)ws_qr_leverage(s, i);
}

ws_status ws_ls_fit(const ws_ls_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    return ws_ls_fit_detail(in, fit, residual, NULL, error);
}

ws_status ws_ls_fit_detail(const ws_ls_input *in, ws_fit *fit, double *residual, ws_ls_detail *detail, ws_error *error)
{
    if (in->n < in->p) {
        ws_say(fit->sentence, sizeof fit->sentence, "%zu point%s: fewer than the %zu that the model needs", in->n,
               in->n == 1 ? "" : "s", in->p);
        least_squares_give_up(in, fit, WS_FIT_TOO_FEW, residual);
        return WS_OK;
    }
    ws_qr s;
    ws_qr_init(&s, in->n, in->p);
    least_squares_load(&s, in);
    ws_qr_solve(&s);
    if (s.rank < s.p) {
        say_collinear(&s, in, fit);
        least_squares_give_up(in, fit, WS_FIT_COLLINEAR, residual);
    } else {
        least_squares_summarise(&s, in, fit);
        for (size_t i = 0; residual && i < s.n; i++)
            residual[i] = (double)s.q[s.p * s.n + i];
        if (detail)
            set_detail(&s, detail);
    }
    bool solved = s.rank == s.p;
    ws_qr_free(&s);
    return solved ? ws_fit_check_range(fit, error) : WS_OK;
}

bool ws_ls_has_values(const ws_fit *fit)
{
    return fit->n_estimates > 0 && !isnan(fit->estimate[0].value);
}

ws_words ws_ls_words(const ws_fit *fit, const ws_estimate *estimate)
{
    return ws_words_with_error(estimate->value, fit->status == WS_FIT_OK ? estimate->se : NAN);
}

void ws_ls_say_quality(ws_fit *fit, const char *of, const char *scale)
{
    ws_fit_say_points(fit, of);
    if (fit->status == WS_FIT_OK)
        ws_say(fit->sentence, sizeof fit->sentence, ", R2 %s%s", ws_words_r2(fit->r2).text, scale);
    if (fit->status == WS_FIT_EXACT)
        ws_say(fit->sentence, sizeof fit->sentence, ", as many as coefficients: no standard error, no test%s",
               isnan(fit->r2) ? ", and no R2 since y does not vary" : "");
    if (fit->status == WS_FIT_PERFECT)
        ws_say(fit->sentence, sizeof fit->sentence,
               ", all met within rounding: standard errors and likelihood mean nothing");
    if (fit->status == WS_FIT_OK && isnan(fit->aicc))
        ws_say(fit->sentence, sizeof fit->sentence, ", too few for AICc");
    if (fit->df > 0 && isnan(fit->loocv))
        ws_say(fit->sentence, sizeof fit->sentence,
               ", no leave-one-out error since one point alone settles a coefficient");
}
