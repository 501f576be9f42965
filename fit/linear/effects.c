/* Variance inflation, standardised coefficients, partial correlations and the condition number of a regression.
 *
 *     inflation_j = ((X'X)^-1)_jj sum (x_j - mean)^2,  partial_j = t_j / sqrt(t_j^2 + df)
 *     condition = largest over smallest singular value of X with columns of length 1
 *
 * The singular values are those of R in X = Q R, whose columns are as long as X's. Belsley 1980, Regression
 * Diagnostics, chapter 3. */
#include "fit/linear/effects.h"

#include "core/arena.h"
#include "fit/linear/least_squares.h"
#include "fit/linear/qr.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

static double condition_of(const double *const *columns, size_t k, size_t n)
{
    ws_qr qr;
    ws_qr_init(&qr, n, k + 1);
    for (size_t j = 0; j <= k + 1; j++)
        for (size_t i = 0; i < n; i++)
            ws_qr_column(&qr, j)[i] = j == 0 ? 1 : j <= k ? columns[j - 1][i] : 0;
    ws_qr_solve(&qr);
    double r[WS_FIT_MAX_ESTIMATES * WS_FIT_MAX_ESTIMATES], v[WS_FIT_MAX_ESTIMATES * WS_FIT_MAX_ESTIMATES];
    double s[WS_FIT_MAX_ESTIMATES];
    size_t p = k + 1;
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < p; j++)
            r[i * p + j] = j < i ? 0 : (double)(qr.r[i][j] / qr.length[j]);
    bool full = qr.rank == p;
    ws_qr_free(&qr);
    gsl_matrix_view matrix = gsl_matrix_view_array(r, p, p), right = gsl_matrix_view_array(v, p, p);
    gsl_vector_view values = gsl_vector_view_array(s, p);
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    int failed = !full || gsl_linalg_SV_decomp_jacobi(&matrix.matrix, &right.matrix, &values.vector);
    gsl_set_error_handler(before);
    return failed || !(s[p - 1] > 0) ? NAN : s[0] / s[p - 1];
}

static double squares_about_mean(const double *x, size_t n)
{
    long double mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        mean += x[i];
    mean /= (long double)n;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return (double)sum;
}

static void add_effect(ws_effects *effects, const ws_estimate *e, const ws_fit *fit, const double *x, const double *y)
{
    double sxx = squares_about_mean(x, fit->n), t = e->value / e->se, ratio = e->se / fit->sigma;
    effects->effect[effects->n_effects++] = (ws_effect){
        .name = e->name,
        .inflation = ratio * ratio * sxx,
        .standardised = e->value * sqrt(sxx / squares_about_mean(y, fit->n)),
        .partial = t / sqrt(t * t + fit->df),
    };
}

ws_status ws_regression_effects(const double *const *columns, const char *const *names, size_t k, const double *y,
                                size_t n, ws_effects *effects, ws_error *error)
{
    ws_fit fit;
    memset(effects, 0, sizeof *effects);
    effects->condition = NAN;
    ws_status status = ws_fit_regression(columns, names, k, y, n, 0.95, &fit, NULL, error);
    effects->status = fit.status;
    if (status != WS_OK)
        return status;
    char *text = effects->sentence;
    size_t size = sizeof effects->sentence;
    if (fit.status != WS_FIT_OK) {
        ws_say(text, size, "%s", fit.sentence);
        return WS_OK;
    }
    for (size_t j = 0; j < k; j++) {
        add_effect(effects, &fit.estimate[j + 1], &fit, columns[j], y);
        const ws_effect *e = &effects->effect[j];
        ws_say(text, size, "%s%s: %s sd of y per sd, partial correlation %s", j ? "; " : "", e->name,
               ws_words_to_error(e->standardised, 0.01).text, ws_words_r2(e->partial).text);
    }
    effects->condition = condition_of(columns, k, n);
    ws_say(text, size, "; condition number %s", ws_words_to_error(effects->condition, 1).text);
    return WS_OK;
}
