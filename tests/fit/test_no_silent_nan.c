/* What fit.h promises of every estimator: no crash, no infinity, and no NaN that status and sentence do not account
 * for. */
#include "fit/fit.h"
#include "harness.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 12, ROUNDS = 4000 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(state >> 33) % below;
}

/* Mostly plain numbers, with what breaks formulas among them: repeats, zeros, signs, extremes, steps of one bit. */
static double draw_value(void)
{
    static const double odd[] = {0, -0.0, 1, 1, -1, 0.1, 1e-300, -1e-300, 1e300, 1 + 0x1p-52, 1e15, 1e15 + 1, 5e-324};
    if (draw(4) == 0)
        return odd[draw(sizeof odd / sizeof *odd)];
    return (double)draw(20) / (double)(1 + draw(9));
}

static size_t draw_points(double *x, double *y)
{
    size_t n = draw(MOST);
    bool line = draw(5) == 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = draw_value();
        y[i] = line ? 3 * x[i] : draw_value();
    }
    return n;
}

static void ck_fit(const ws_fit *fit, const double *residual)
{
    ck_assert_msg(fit->sentence[0] != '\0', "%s: %s without a sentence", fit->model, ws_fit_status_name(fit->status));
    for (size_t i = 0; i < fit->n_estimates; i++) {
        const ws_estimate *e = &fit->estimate[i];
        bool told = strstr(fit->sentence, "undefined") || strstr(fit->sentence, "beyond the range");
        ck_assert_msg(!isinf(e->value) && !isinf(e->se) && !isinf(e->ci_lo) && !isinf(e->ci_hi) && !isinf(e->p_value),
                      "%s: %s is infinite: %s", fit->model, e->name, fit->sentence);
        ck_assert_msg(fit->status != WS_FIT_OK || told || !isnan(e->value), "%s: %s is NaN: %s", fit->model, e->name,
                      fit->sentence);
        ck_assert_msg(isnan(e->p_value) || (e->p_value >= 0 && e->p_value <= 1), "p %g", e->p_value);
        ck_assert(isnan(e->ci_lo) || (e->ci_lo <= e->value && e->value <= e->ci_hi));
    }
    if (fit->status != WS_FIT_OK)
        return;
    ck_assert_msg(fit->r2 >= -1e-12 && fit->r2 <= 1, "%s: R2 %g: %s", fit->model, fit->r2, fit->sentence);
    ck_assert_msg(fit->sigma > 0 && fit->df > 0 && isfinite(fit->aic) && isfinite(fit->bic), "%s", fit->sentence);
    ck_assert_msg(isfinite(fit->aicc) || strstr(fit->sentence, "too few for AICc"), "%s", fit->sentence);
    ck_assert_msg(isfinite(fit->loocv) || strstr(fit->sentence, "no leave-one-out"), "%s", fit->sentence);
    for (size_t i = 0; i < fit->n; i++)
        ck_assert(isfinite(residual[i]));
}

typedef ws_status two_arrays(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                             ws_error *error);

START_TEST(fits_of_two_arrays)
{
    two_arrays *const fits[] = {ws_fit_line, ws_fit_origin, ws_fit_powerlaw};
    double x[MOST], y[MOST], residual[MOST];
    size_t fitted = 0;
    state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = draw_points(x, y);
        for (size_t f = 0; f < 3; f++) {
            ws_fit fit;
            ws_error error = {0};
            ws_status status = fits[f](x, y, n, 0.95, &fit, residual, &error);
            ck_assert(status == WS_OK || (status == WS_DATA && strstr(error.message, "another unit")));
            if (status != WS_OK)
                continue;
            ck_fit(&fit, residual);
            fitted += fit.status == WS_FIT_OK;
        }
    }
    ck_assert_uint_gt(fitted, ROUNDS);
}
END_TEST

START_TEST(regressions)
{
    double x[3][MOST], y[MOST], residual[MOST];
    const double *const columns[] = {x[0], x[1], x[2]};
    static const char *const names[] = {"a", "b", "c"};
    size_t fitted = 0;
    state = 2;
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = draw_points(x[0], y), k = 1 + draw(3);
        for (size_t i = 0; i < n; i++) {
            x[1][i] = draw_value();
            x[2][i] = round % 3 ? draw_value() : x[0][i] - 2 * x[1][i];
        }
        ws_fit fit;
        if (ws_fit_regression(columns, names, k, y, n, 0.95, &fit, residual, NULL) != WS_OK)
            continue;
        ck_fit(&fit, residual);
        fitted += fit.status == WS_FIT_OK;
    }
    ck_assert_uint_gt(fitted, ROUNDS / 5);
}
END_TEST

START_TEST(correlations)
{
    double x[MOST], y[MOST];
    size_t found = 0;
    state = 3;
    for (int round = 0; round < ROUNDS / 8; round++) {
        size_t n = draw_points(x, y);
        for (int kind = 0; kind < 2; kind++) {
            ws_correlation c;
            ws_status status = (kind ? ws_pearson : ws_spearman)(x, y, n, 0.95, &c, NULL);
            ck_assert_int_eq(status, WS_OK);
            ck_assert(c.sentence[0] != '\0');
            bool has_r = c.status == WS_FIT_OK || c.status == WS_FIT_PERFECT;
            ck_assert_msg(has_r == (fabs(c.r) <= 1) && has_r == (c.p_value >= 0 && c.p_value <= 1), "%s", c.sentence);
            ck_assert_msg((has_r && n > 3) == (c.ci_lo <= c.r && c.r <= c.ci_hi), "%s", c.sentence);
            found += has_r;
        }
    }
    ck_assert_uint_gt(found, ROUNDS / 16);
}
END_TEST

TEST_MAIN("fit no silent NaN", fits_of_two_arrays, regressions, correlations)
