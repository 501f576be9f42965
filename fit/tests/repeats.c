/* Points gathered by their x, and the line through the means of repeats.
 *
 *     pooled variance = sum of squares about the groups' means / (n - groups)
 *
 * Assumes independent repeats; the pooled variance also one variance throughout (ws_bartlett asks that). */
#include "fit/tests/repeats.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static void add_group(ws_repeats *r, const double *x, const double *y, const size_t *order, size_t count)
{
    long double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += y[order[i]];
    mean /= (long double)count;
    for (size_t i = 0; i < count; i++)
        squares += (y[order[i]] - mean) * (y[order[i]] - mean);
    size_t g = r->n_groups++;
    r->x[g] = x[order[0]];
    r->mean[g] = (double)mean;
    r->count[g] = count;
    r->sd[g] = count > 1 ? (double)sqrtl(squares / (long double)(count - 1)) : NAN;
    r->pure_error += (double)squares;
}

static void set_variances(ws_repeats *r)
{
    r->df = (double)(r->n - r->n_groups);
    r->pooled_sd = r->df > 0 ? sqrt(r->pure_error / r->df) : NAN;
    for (size_t g = 0; g < r->n_groups; g++) {
        bool own = r->count[g] >= WS_OWN_SPREAD_FROM && r->sd[g] > 0;
        double sd = own ? r->sd[g] : r->pooled_sd;
        r->variance_of_mean[g] = sd * sd / (double)r->count[g];
    }
}

ws_status ws_repeats_find(const double *x, const double *y, size_t n, ws_repeats *r, ws_error *error)
{
    *r = (ws_repeats){.n = n, .pooled_sd = NAN};
    ws_status status = ws_fit_check(x, y, n, 0.5, error);
    if (status != WS_OK || n == 0)
        return status;
    r->x = ws_realloc(NULL, 4 * n, sizeof *r->x);
    r->mean = r->x + n;
    r->sd = r->mean + n;
    r->variance_of_mean = r->sd + n;
    r->count = ws_realloc(NULL, n, sizeof *r->count);
    size_t *order = ws_realloc(NULL, n, sizeof *order);
    gsl_sort_index(order, x, 1, n);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && x[order[end]] == x[order[first]]; end++)
            ;
        add_group(r, x, y, order + first, end - first);
    }
    free(order);
    set_variances(r);
    if (isfinite(r->pure_error))
        return WS_OK;
    ws_repeats_free(r);
    return ws_fail(error, WS_DATA, "the values are too large for a variance; express them in another unit");
}

void ws_repeats_free(ws_repeats *r)
{
    free(r->x);
    free(r->count);
    *r = (ws_repeats){.pooled_sd = NAN};
}

ws_status ws_fit_repeats(const ws_repeats *r, double level, ws_weighted *result, double *residual, ws_error *error)
{
    const double *const columns[] = {r->x};
    static const char *const names[] = {"slope"};
    bool none = !(r->df > 0), alike = !none && !(r->pooled_sd > 0);
    double *weight = ws_alloc((r->n_groups + 1) * sizeof *weight);
    for (size_t g = 0; g < r->n_groups; g++)
        weight[g] = none || alike ? (double)r->count[g] : 1 / r->variance_of_mean[g];
    const ws_weighting weighting = {.weight = weight, .is_absolute = !none && !alike, .df = r->df};
    ws_status status =
        ws_fit_weighted(columns, names, 1, r->mean, r->n_groups, &weighting, level, result, residual, error);
    free(weight);
    ws_fit *fit = &result->fit;
    fit->model = "repeats";
    if (status != WS_OK || !(none || alike))
        return status;
    fit->status = none ? WS_FIT_TOO_FEW : WS_FIT_PERFECT;
    for (size_t j = 0; j < fit->n_estimates; j++)
        fit->estimate[j] = (ws_estimate){fit->estimate[j].name, fit->estimate[j].value, NAN, NAN, NAN, 0, NAN, 0};
    fit->sentence[0] = '\0';
    ws_say(
        fit->sentence, sizeof fit->sentence,
        none ? "no x was measured twice, so there is no spread of repeats to weigh with: standard errors are undefined"
             : "all repeats agree with each other exactly, so their spread gives no standard errors");
    return WS_OK;
}

void ws_repeats_scaled(const ws_weighted *weighted, double level, ws_fit *fit, ws_test *test)
{
    static const char *const names[] = {"intercept-scaled", "slope-scaled"};
    ws_test_begin(test, "chi2 of the means");
    for (size_t j = 0; j < 2; j++) {
        const ws_estimate *e = &weighted->fit.estimate[j];
        ws_estimate *scaled = ws_fit_add(fit, names[j], e->value, e->se * sqrt(weighted->reduced_chi2));
        ws_estimate_infer(scaled, weighted->fit.df, level);
    }
    if (isnan(weighted->chi2_p))
        return;
    test->df1 = weighted->fit.df;
    ws_test_set(test, weighted->fit.rss, weighted->chi2_p);
}
