/* What the headers of fit/ promise of every estimator beyond fit.h's own: no crash, no infinity, and no NaN that status
 * and sentence do not account for. */
#include "fit/tests/bootstrap.h"
#include "fit/choice/choice.h"
#include "fit/tests/diagnostics.h"
#include "fit/linear/effects.h"
#include "fit/linear/errors_in_both.h"
#include "fit/tests/groups.h"
#include "fit/laws/laws.h"
#include "fit/tests/repeats.h"
#include "fit/linear/robust.h"
#include "fit/tests/mean_and_spread.h"
#include "harness.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 12, ROUNDS = 1500 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(state >> 33) % below;
}

/* Mostly plain numbers, with what breaks formulas among them. */
static double draw_value(bool positive)
{
    static const double odd[] = {1, 1, 0.1, 1e-300, 1e300, 1 + 0x1p-52, 1e15, 1e15 + 1, 5e-324, 0, -0.0, -1, -1e-300};
    if (draw(12) == 0)
        return odd[draw(positive ? 9 : 13)];
    return (positive ? 0.1 : 0) + (double)draw(20) / (double)(1 + draw(9));
}

static size_t draw_points(double *x, double *y, bool positive)
{
    size_t n = draw(MOST);
    unsigned shape = draw(4);
    for (size_t i = 0; i < n; i++) {
        x[i] = shape == 0 ? draw_value(positive) : (double)(1U << draw(8));
        y[i] = shape < 2 ? draw_value(positive) : 100 / x[i] + (shape == 2 ? 0 : (double)draw(9) / 10 + 0.1);
    }
    return n;
}

static bool is_told(const char *sentence)
{
    return strstr(sentence, "undefined") || strstr(sentence, "beyond the range") || strstr(sentence, "no interval");
}

static void ck_estimate(const ws_estimate *e, const char *model, bool is_ok, const char *sentence)
{
    ck_assert_msg(!isinf(e->value) && !isinf(e->se) && !isinf(e->ci_lo) && !isinf(e->ci_hi) && !isinf(e->p_value),
                  "%s: %s is infinite: %s", model, e->name, sentence);
    ck_assert_msg(!is_ok || is_told(sentence) || (!isnan(e->value)), "%s: %s is NaN: %s", model, e->name, sentence);
    ck_assert_msg(isnan(e->p_value) || (e->p_value >= 0 && e->p_value <= 1), "%s: p %g", model, e->p_value);
    ck_assert_msg(isnan(e->ci_lo) || e->ci_lo <= e->value, "%s: %s %g below %g", model, e->name, e->value, e->ci_lo);
    ck_assert_msg(isnan(e->ci_hi) || e->ci_hi >= e->value, "%s: %s %g above %g", model, e->name, e->value, e->ci_hi);
}

static void ck_fit(const ws_fit *fit, const double *residual)
{
    ck_assert_msg(fit->sentence[0] != '\0', "%s: %s without a sentence", fit->model, ws_fit_status_name(fit->status));
    ck_assert_msg(fit->n_estimates > 0, "%s: no estimates: %s", fit->model, fit->sentence);
    for (size_t i = 0; i < fit->n_estimates; i++)
        ck_estimate(&fit->estimate[i], fit->model, fit->status == WS_FIT_OK, fit->sentence);
    ck_assert_msg(!isinf(fit->rss) && !isinf(fit->sigma) && !isinf(fit->r2) && !isinf(fit->aicc) && !isinf(fit->loocv),
                  "%s: %s", fit->model, fit->sentence);
    for (size_t i = 0; fit->status == WS_FIT_OK && i < fit->n; i++)
        ck_assert_msg(isfinite(residual[i]), "%s: %s", fit->model, fit->sentence);
}

static void ck_test(const ws_test *test)
{
    bool is_ok = test->status == WS_FIT_OK;
    ck_assert_msg(test->sentence[0] != '\0', "%s: no sentence", test->name);
    ck_assert_msg(is_ok == isfinite(test->statistic), "%s: %s", test->name, test->sentence);
    ck_assert_msg(is_ok == (test->p_value >= 0 && test->p_value <= 1), "%s: p %g: %s", test->name, test->p_value,
                  test->sentence);
}

/* The only failures that numbers may cause. */
static bool is_allowed(ws_status status, const ws_error *error)
{
    return status == WS_DATA && (strstr(error->message, "another unit") || strstr(error->message, "not above zero"));
}

static ws_status breakpoint(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error)
{
    ws_test test;
    ws_status status = ws_fit_breakpoint(in, fit, residual, draw(20) ? NULL : &test, error);
    return status;
}

typedef ws_status law(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);
static law *const laws[] = {ws_fit_powerlaw_direct, ws_fit_floor, ws_fit_amdahl,   ws_fit_usl,
                            ws_fit_lognormal,       breakpoint,   ws_fit_gustafson};

START_TEST(scaling_laws)
{
    enum { LAWS = sizeof laws / sizeof *laws };
    double x[MOST], y[MOST], residual[MOST];
    size_t fitted[LAWS] = {0};
    state = 1;
    for (int round = 0; round < ROUNDS / 8; round++) {
        size_t n = draw_points(x, y, draw(4) > 0);
        const ws_law_input in = {.x = x, .y = y, .n = n, .level = 0.95, .in_logs = draw(2)};
        for (size_t k = 0; k < LAWS; k++) {
            ws_fit fit;
            ws_error error = {0};
            ws_status status = laws[k](&in, &fit, residual, &error);
            ck_assert_msg(status == WS_OK || is_allowed(status, &error), "%s", error.message);
            if (status != WS_OK)
                continue;
            ck_fit(&fit, residual);
            fitted[k] += fit.status == WS_FIT_OK;
        }
    }
    for (size_t k = 0; k < LAWS; k++)
        ck_assert_msg(fitted[k] > 20, "law %zu: %zu", k, fitted[k]);
}
END_TEST

START_TEST(lines)
{
    double x[MOST], y[MOST], a[MOST], b[MOST], residual[MOST], p;
    size_t fitted = 0;
    state = 2;
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = draw_points(x, y, false);
        for (size_t i = 0; i < n; i++) {
            a[i] = draw_value(true);
            b[i] = draw_value(true);
        }
        ws_fit fit[5];
        ws_weighted w;
        ws_error error[5] = {{0}};
        const double *const columns[] = {x};
        static const char *const names[] = {"x"};
        const ws_weighting weighting = {.weight = a, .is_absolute = draw(2), .df = INFINITY};
        const ws_york_input york = {.x = x, .y = y, .sd_x = a, .sd_y = b, .n = n, .level = 0.95};
        for (int k = 0; k < 5; k++) {
            ws_status status = k == 0
                                   ? ws_fit_weighted(columns, names, 1, y, n, &weighting, 0.95, &w, residual, &error[k])
                               : k == 1 ? ws_fit_york(&york, &fit[k], &p, residual, &error[k])
                               : k == 2 ? ws_fit_deming(x, y, n, 0.5, 0.95, &fit[k], residual, &error[k])
                               : k == 3 ? ws_fit_theil_sen(x, y, n, 0.95, &fit[k], residual, &error[k])
                                        : ws_fit_huber(x, y, n, 0.95, &fit[k], residual, NULL, &error[k]);
            ck_assert_msg(status == WS_OK || is_allowed(status, &error[k]), "%d: %s", k, error[k].message);
            if (status != WS_OK)
                continue;
            ck_fit(k == 0 ? &w.fit : &fit[k], residual);
            fitted += (k == 0 ? w.fit.status : fit[k].status) == WS_FIT_OK;
        }
    }
    ck_assert_uint_gt(fitted, ROUNDS);
}
END_TEST

START_TEST(sandwiches_and_diagnostics)
{
    double x[MOST], y[MOST], residual[MOST];
    const double *const columns[] = {x};
    static const char *const names[] = {"x"};
    state = 3;
    for (int round = 0; round < ROUNDS / 4; round++) {
        size_t n = draw_points(x, y, false);
        ws_fit fit;
        ws_diagnostics d;
        ws_effects effects;
        ws_error error = {0};
        ws_status status = ws_fit_sandwich(columns, names, 1, y, n, (ws_hc)draw(4), 0.95, &fit, residual, &error);
        ck_assert_msg(status == WS_OK || is_allowed(status, &error), "%s", error.message);
        if (status != WS_OK)
            continue;
        ck_fit(&fit, residual);
        ck_assert_int_eq(ws_regression_effects(columns, names, 1, y, n, &effects, NULL), WS_OK);
        ck_assert(effects.sentence[0] && (effects.status != WS_FIT_OK || effects.condition >= 1));
        if (ws_diagnose(columns, names, 1, y, n, 0.95, &d, NULL) == WS_OK) {
            ck_assert(d.sentence[0]);
            if (d.status == WS_FIT_OK) {
                ck_test(&d.durbin_watson);
                ck_test(&d.breusch_pagan);
                ck_test(&d.breusch_pagan_normal);
                ck_test(&d.shapiro_wilk);
                ck_test(&d.jarque_bera);
            }
        }
        ws_diagnostics_free(&d);
    }
}
END_TEST

START_TEST(groups_and_samples)
{
    double x[MOST], y[MOST];
    size_t group[MOST], compared = 0;
    state = 4;
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = draw_points(x, y, false), k = 1 + draw(3);
        for (size_t i = 0; i < n; i++)
            group[i] = draw((unsigned)k);
        ws_slopes s;
        ws_test test;
        ws_sample sample;
        ws_correlation tau;
        ws_repeats r;
        ws_weighted w;
        ws_error error = {0};
        ws_status status = ws_compare_slopes(x, y, group, n, k, 0.95, 0.1, &s, &error);
        ck_assert_msg(status == WS_OK || is_allowed(status, &error), "%s", error.message);
        if (status == WS_OK) {
            ck_assert(s.sentence[0]);
            ck_estimate(&s.common, "slopes", s.status == WS_FIT_OK, s.sentence);
            if (s.status == WS_FIT_OK)
                ck_test(&s.equal_slopes);
            compared += s.status == WS_FIT_OK;
        }
        ws_slopes_free(&s);
        if (ws_bartlett(y, group, n, k, &test, NULL) == WS_OK)
            ck_test(&test);
        if (ws_brown_forsythe(y, group, n, k, &test, NULL) == WS_OK)
            ck_test(&test);
        if (ws_sample_describe(y, n, 0.95, &sample, NULL) == WS_OK)
            ck_assert(sample.sentence[0] && !isinf(sample.sd) && !isinf(sample.cv_hi) && !isinf(sample.ci_hi));
        ck_assert_int_eq(ws_kendall(x, y, n, 0.95, &tau, NULL), WS_OK);
        bool has_tau = tau.status == WS_FIT_OK || tau.status == WS_FIT_PERFECT;
        ck_assert_msg(tau.sentence[0] && has_tau == (tau.p_value >= 0 && tau.p_value <= 1), "%s", tau.sentence);
        if (ws_repeats_find(x, y, n, &r, NULL) != WS_OK)
            continue;
        ws_lack_of_fit(&r, r.pure_error + (double)draw(3), 2, &test);
        ck_test(&test);
        if (ws_fit_repeats(&r, 0.95, &w, NULL, NULL) == WS_OK)
            ck_assert(w.fit.sentence[0]);
        ws_repeats_free(&r);
    }
    ck_assert_uint_gt(compared, ROUNDS / 10);
}
END_TEST

TEST_MAIN("fit odd input", scaling_laws, lines, sandwiches_and_diagnostics, groups_and_samples)
