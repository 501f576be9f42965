/* Leverage, studentised residuals, Cook's distance, PRESS, and tests of order, spread and normality of the residuals.
 *
 *     t_i = r_i sqrt((n - p - 1) / (n - p - r_i^2)),  cook_i = r_i^2 h_i / ((1 - h_i) p),  r = e / (s sqrt(1 - h))
 *     Durbin-Watson d = sum (e_i - e_(i-1))^2 / sum e^2, 2 for independent errors
 *     Breusch-Pagan: e^2 / mean e^2 regressed on the predictors; Koenker: n R2 of it; chi2 with k degrees of freedom
 *
 * The law of d under independent normal errors depends on the predictors alone; it is drawn, two-sided, with a fixed
 * seed: p = 2 (1 + draws as far out) / (1 + draws) (Dufour 2006). Cook 1977; Durbin and Watson 1950; Breusch and Pagan
 * 1979; Koenker 1981. */
#include "fit/tests/diagnostics.h"

#include "core/arena.h"
#include "fit/drawn_law.h"
#include "fit/linear/least_squares.h"
#include "fit/linear/qr.h"
#include "fit/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = WS_FIT_MAX_ESTIMATES, DRAWS = WS_DRAWN_LAW_DRAWS };

typedef struct residuals {
    size_t n, p;
    double *e, *leverage; /* e after ws_qr_solve */
    ws_qr qr;
} residuals;

static double watson(const double *e, size_t n)
{
    long double steps = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        squares += (long double)e[i] * e[i];
        steps += i ? ((long double)e[i] - e[i - 1]) * ((long double)e[i] - e[i - 1]) : 0;
    }
    return (double)(steps / squares);
}

/* Residuals of pure noise under the same predictors: u - Q Q'u. */
static void draw_residuals(const residuals *r, ws_random *random, double *u)
{
    for (size_t i = 0; i < r->n; i++)
        u[i] = ws_random_normal(random);
    for (size_t j = 0; j < r->p; j++) {
        const long double *q = r->qr.q + j * r->n;
        long double part = 0;
        for (size_t i = 0; i < r->n; i++)
            part += q[i] * u[i];
        for (size_t i = 0; i < r->n; i++)
            u[i] -= (double)(part * q[i]);
    }
}

static void draw_watson(void *state, double *d)
{
    const residuals *r = state;
    ws_random random = {1};
    double *u = ws_realloc(NULL, r->n, sizeof *u);
    for (int draw = 0; draw < DRAWS; draw++) {
        draw_residuals(r, &random, u);
        d[draw] = watson(u, r->n);
    }
    free(u);
}

static void test_order(residuals *r, const double *const *columns, size_t k, ws_test *test)
{
    double d = watson(r->e, r->n), *design = ws_alloc((1 + k * r->n) * sizeof *design);
    design[0] = (double)k;
    for (size_t j = 0; j < k; j++)
        memcpy(design + 1 + j * r->n, columns[j], r->n * sizeof *design);
    const double *drawn = ws_drawn_law(draw_watson, r, design, 1 + k * r->n);
    free(design);
    size_t below = ws_drawn_at_most(drawn, d), above = ws_drawn_at_least(drawn, d);
    size_t tail = below < above ? below : above;
    if (!ws_test_set(test, d, fmin(1, 2 * (1 + (double)tail) / (1 + DRAWS))))
        return;
    ws_say(test->sentence, sizeof test->sentence, "%s (Durbin-Watson %s, %s from %d draws)",
           test->p_value >= 0.05 ? "no order in the residuals shows"
           : d < 2               ? "neighbouring residuals are alike"
                                 : "neighbouring residuals take turns",
           ws_words_number(d).text, ws_words_p(test->p_value).text, DRAWS);
}

static void test_spread(const residuals *r, const double *const *columns, const char *const *names, size_t k,
                        double rss, ws_test *koenker, ws_test *original)
{
    ws_fit fit;
    double *square = ws_realloc(NULL, r->n, sizeof *square), *rest = ws_realloc(NULL, r->n, sizeof *rest);
    long double explained = 0;
    for (size_t i = 0; i < r->n; i++)
        square[i] = r->e[i] * r->e[i] / (rss / (double)r->n);
    ws_status status = ws_fit_regression(columns, names, k, square, r->n, 0.95, &fit, rest, NULL);
    for (size_t i = 0; i < r->n; i++)
        explained += ((long double)square[i] - rest[i] - 1) * ((long double)square[i] - rest[i] - 1);
    free(square);
    free(rest);
    ws_test *const both[] = {koenker, original};
    for (size_t j = 0; j < 2; j++) {
        if (status != WS_OK || isnan(fit.r2) || !isfinite((double)explained)) {
            both[j]->status = WS_FIT_CONSTANT;
            ws_say(both[j]->sentence, sizeof both[j]->sentence, "all residuals are of one size: no spread to explain");
            continue;
        }
        double lm = fmax(0, j ? (double)explained / 2 : (double)r->n * fit.r2);
        both[j]->df1 = (double)k;
        if (!ws_test_set(both[j], lm, ws_chi2_upper(lm, both[j]->df1)))
            continue;
        ws_say(both[j]->sentence, sizeof both[j]->sentence, "%s (%s %s, %s)",
               both[j]->p_value < 0.05 ? "the spread of the residuals changes with the predictors"
                                       : "no change of spread shows",
               both[j]->name, ws_words_number(both[j]->statistic).text, ws_words_p(both[j]->p_value).text);
    }
}

static void check_points(const residuals *r, const ws_fit *fit, ws_diagnostics *out)
{
    double n = (double)r->n, p = (double)r->p;
    long double press = 0;
    for (size_t i = 0; i < r->n; i++) {
        double h = r->leverage[i], rest = 1 - h, t = r->e[i] / (fit->sigma * sqrt(rest)), left = n - p - t * t;
        ws_point_check *c = &out->point[i];
        *c = (ws_point_check){h, NAN, NAN, NAN, NAN};
        press += r->e[i] / (long double)rest * (r->e[i] / (long double)rest);
        if (rest < 1e-12) {
            press = (long double)NAN;
            continue;
        }
        c->internal = t;
        c->cook = t * t * h / rest / p;
        if (n - p - 1 > 0 && left > 1e-12 * (n - p)) {
            c->external = t * sqrt((n - p - 1) / left);
            c->p_outlier = fmin(1, n * ws_student_two_sided(c->external, n - p - 1));
        } else if (n - p - 1 > 0) {
            c->p_outlier = 0; /* the other points are met exactly, this one is not */
        }
    }
    out->press = (double)press;
}

static void say_diagnostics(ws_diagnostics *out, double level)
{
    const ws_test *const tests[] = {&out->durbin_watson, &out->breusch_pagan, &out->shapiro_wilk};
    char *text = out->sentence;
    size_t size = sizeof out->sentence, found = 0;
    for (size_t i = 0; i < out->n; i++)
        if (out->point[i].p_outlier < 1 - level)
            ws_say(text, size, "%s%zu", found++ ? ", " : "outliers: points ", i + 1);
    if (!found)
        ws_say(text, size, "no point lies out");
    for (size_t j = 0; j < sizeof tests / sizeof *tests; j++)
        if (tests[j]->p_value < 1 - level)
            ws_say(text, size, "; %s", tests[j]->sentence);
    if (isnan(out->press))
        ws_say(text, size, "; a point of leverage 1 settles a coefficient alone: its checks and PRESS are undefined");
}

static residuals solve(const double *const *columns, size_t k, const double *y, size_t n)
{
    residuals r = {.n = n, .p = k + 1, .e = ws_realloc(NULL, 2 * n, sizeof(double))};
    r.leverage = r.e + n;
    ws_qr_init(&r.qr, n, r.p);
    for (size_t j = 0; j <= r.p; j++)
        for (size_t i = 0; i < n; i++)
            ws_qr_column(&r.qr, j)[i] = j == 0 ? 1 : j < r.p ? columns[j - 1][i] : y[i];
    ws_qr_solve(&r.qr);
    for (size_t i = 0; i < n; i++) {
        r.e[i] = (double)ws_qr_column(&r.qr, r.p)[i];
        r.leverage[i] = (double)ws_qr_leverage(&r.qr, i);
    }
    return r;
}

ws_status ws_diagnose(const double *const *columns, const char *const *names, size_t k, const double *y, size_t n,
                      double level, ws_diagnostics *out, ws_error *error)
{
    ws_fit fit;
    memset(out, 0, sizeof *out);
    out->n = n;
    out->press = NAN;
    ws_test_begin(&out->durbin_watson, "Durbin-Watson");
    ws_test_begin(&out->breusch_pagan, "Breusch-Pagan, Koenker's form");
    ws_test_begin(&out->breusch_pagan_normal, "Breusch-Pagan");
    ws_test_begin(&out->shapiro_wilk, "Shapiro-Wilk");
    ws_test_begin(&out->jarque_bera, "Jarque-Bera");
    ws_status status = ws_fit_regression(columns, names, k, y, n, level, &fit, NULL, error);
    out->status = fit.status;
    if (status != WS_OK)
        return status;
    if (fit.status != WS_FIT_OK) {
        ws_say(out->sentence, sizeof out->sentence, "%s", fit.sentence);
        return WS_OK;
    }
    out->point = ws_realloc(NULL, n, sizeof *out->point);
    residuals r = solve(columns, k, y, n);
    check_points(&r, &fit, out);
    test_order(&r, columns, k, &out->durbin_watson);
    test_spread(&r, columns, names, k, fit.rss, &out->breusch_pagan, &out->breusch_pagan_normal);
    status = ws_shapiro_wilk(r.e, n, &out->shapiro_wilk, error);
    if (status == WS_OK)
        status = ws_jarque_bera(r.e, n, &out->jarque_bera, error);
    say_diagnostics(out, level);
    ws_qr_free(&r.qr);
    free(r.e);
    return status;
}

void ws_diagnostics_free(ws_diagnostics *out)
{
    free(out->point);
    out->point = NULL;
}
