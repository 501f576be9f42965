/* Inputs that have no answer, or nearly none, and what an estimator says of them. */
#ifndef WS_TESTS_FIT_HOSTILE_H
#define WS_TESTS_FIT_HOSTILE_H

#include "harness.h"

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

#include <math.h>
#include <string.h>

enum { MOST = 10, NUMBERS = 100 };
static const double LEVEL = 0.95;

typedef struct points {
    const char *what;
    size_t n;
    double x[MOST], y[MOST];
    bool is_refused; /* holds what is no number */
} points;

static const points inputs[] = {
    {"no point", 0, {0}, {0}, false},
    {"one point", 1, {4}, {7}, false},
    {"two points", 2, {4, 8}, {7, 3}, false},
    {"two points that are one", 2, {4, 4}, {7, 7}, false},
    {"three points", 3, {1, 2, 4}, {9, 5, 3}, false},
    {"x constant", 6, {4, 4, 4, 4, 4, 4}, {7, 8, 6, 7, 9, 5}, false},
    {"y constant", 6, {1, 2, 4, 8, 16, 32}, {7, 7, 7, 7, 7, 7}, false},
    {"both constant", 6, {4, 4, 4, 4, 4, 4}, {7, 7, 7, 7, 7, 7}, false},
    {"x constant but for its last bit", 5, {1, 1, 1, 1, 1 + 0x1p-52}, {3, 4, 5, 4, 3}, false},
    {"a line", 8, {1, 2, 3, 4, 5, 6, 7, 8}, {3, 5, 7, 9, 11, 13, 15, 17}, false},
    {"a line through the origin", 6, {1, 2, 4, 8, 16, 32}, {3, 6, 12, 24, 48, 96}, false},
    {"a power law", 6, {1, 2, 4, 8, 16, 32}, {32, 16, 8, 4, 2, 1}, false},
    {"all zero", 6, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, false},
    {"y zero", 6, {1, 2, 4, 8, 16, 32}, {0, 0, 0, 0, 0, 0}, false},
    {"signs", 6, {-3, -2, -1, 1, 2, 3}, {4, -1, 2, -2, 1, -4}, false},
    {"one y of zero", 6, {1, 2, 4, 8, 16, 32}, {30, 17, 0, 4, 3, 1}, false},
    {"huge", 6, {1e300, 2e300, 3e300, 4e300, 5e300, 6e300}, {3e300, 1e300, 4e300, 1e300, 5e300, 9e300}, false},
    {"tiny",
     6,
     {1e-300, 2e-300, 3e-300, 4e-300, 5e-300, 6e-300},
     {3e-300, 1e-300, 4e-300, 1e-300, 5e-300, 9e-300},
     false},
    {"below the normal numbers",
     5,
     {5e-324, 1e-323, 1.5e-323, 2e-323, 2.5e-323},
     {5e-324, 1e-323, 5e-324, 1e-323, 0},
     false},
    {"all sizes", 6, {1e-300, 1e-150, 1, 1e100, 1e200, 1e300}, {1e300, 1, 1e-300, 1e150, 1e-5, 10}, false},
    {"far from zero", 6, {1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15 + 4, 1e15 + 5}, {3, 1, 4, 1, 5, 9}, false},
    {"one far point", 6, {1, 1, 1, 1, 1, 64}, {7, 8, 6, 7, 9, 5}, false},
    {"repeats without spread", 8, {1, 1, 2, 2, 4, 4, 8, 8}, {9, 9, 5, 5, 3, 3, 2, 2}, false},
    {"x is no number", 5, {1, 2, (double)NAN, 8, 16}, {9, 5, 3, 2, 1}, true},
    {"y is no number", 5, {1, 2, 4, 8, 16}, {9, 5, (double)NAN, 2, 1}, true},
    {"x infinite", 5, {1, 2, (double)INFINITY, 8, 16}, {9, 5, 3, 2, 1}, true},
    {"y infinite", 5, {1, 2, 4, 8, 16}, {9, 5, -(double)INFINITY, 2, 1}, true},
};

/* What came out: a status, a sentence, and every number that a user could print. */
typedef struct outcome {
    ws_status status;
    ws_fit_status fit;
    char sentence[1200];
    size_t n;
    double number[NUMBERS];
    ws_error error;
} outcome;

static inline void take(outcome *o, double number)
{
    ck_assert_uint_lt(o->n, NUMBERS);
    o->number[o->n++] = number;
}

static inline void take_verdict(outcome *o, ws_fit_status status, const char *sentence)
{
    o->fit = status;
    snprintf(o->sentence, sizeof o->sentence, "%s", sentence);
}

static inline void take_fit(outcome *o, ws_status status, const ws_fit *fit)
{
    o->status = status;
    if (status != WS_OK)
        return;
    take_verdict(o, fit->status, fit->sentence);
    for (size_t i = 0; i < fit->n_estimates; i++) {
        const ws_estimate *e = &fit->estimate[i];
        take(o, e->value);
        if (strstr(e->name, "breakpoint") || strcmp(e->name, "onset") == 0 || strcmp(e->name, "change") == 0 ||
            strcmp(e->name, "smearing") == 0 || strncmp(e->name, "intercept", 9) == 0 || strstr(fit->model, "theil"))
            continue; /* without standard error or p by definition */
        take(o, e->se);
        take(o, e->ci_lo);
        take(o, e->ci_hi);
    }
    take(o, fit->df);
}

static inline void take_test(outcome *o, ws_status status, const ws_test *test)
{
    o->status = status;
    take_verdict(o, test->status, test->sentence);
    take(o, test->statistic);
    take(o, test->p_value);
}

#define OF_TWO(name)                                                                      \
    static inline void run_##name(const points *p, outcome *o)                            \
    {                                                                                     \
        ws_fit fit;                                                                       \
        double rest[MOST];                                                                \
        take_fit(o, ws_fit_##name(p->x, p->y, p->n, LEVEL, &fit, rest, &o->error), &fit); \
    }
#define OF_LAW(name, logs)                                                                          \
    static inline void run_##name##_##logs(const points *p, outcome *o)                             \
    {                                                                                               \
        ws_fit fit;                                                                                 \
        const ws_law_input in = {.x = p->x, .y = p->y, .n = p->n, .level = LEVEL, .in_logs = logs}; \
        take_fit(o, ws_fit_##name(&in, &fit, NULL, &o->error), &fit);                               \
    }
#define OF_CORRELATION(name)                                           \
    static inline void run_##name(const points *p, outcome *o)         \
    {                                                                  \
        ws_correlation c;                                              \
        o->status = ws_##name(p->x, p->y, p->n, LEVEL, &c, &o->error); \
        take_verdict(o, c.status, c.sentence);                         \
        take(o, c.r);                                                  \
        take(o, c.p_value);                                            \
    }
#define OF_FLAG(name, inner, flag)                             \
    static inline void run_##name(const points *p, outcome *o) \
    {                                                          \
        inner(p, flag, o);                                     \
    }
OF_TWO(line)
OF_TWO(origin)
OF_TWO(powerlaw)
OF_TWO(theil_sen)
OF_LAW(powerlaw_direct, false)
OF_LAW(powerlaw_direct, true)
OF_LAW(floor, false)
OF_LAW(floor, true)
OF_LAW(amdahl, false)
OF_LAW(amdahl, true)
OF_LAW(gustafson, false)
OF_LAW(usl, false)
OF_LAW(usl, true)
OF_LAW(lognormal, true)
OF_CORRELATION(pearson)
OF_CORRELATION(spearman)
OF_CORRELATION(kendall)

static inline void run_polynomial(const points *p, outcome *o)
{
    ws_fit fit;
    take_fit(o, ws_fit_polynomial(p->x, p->y, p->n, 2, LEVEL, &fit, NULL, &o->error), &fit);
}

static inline void run_breakpoint(const points *p, outcome *o)
{
    ws_fit fit;
    ws_test test;
    const ws_law_input in = {.x = p->x, .y = p->y, .n = p->n, .level = LEVEL};
    ws_status status = ws_fit_breakpoint(&in, &fit, NULL, &test, &o->error);
    ck_assert(status != WS_OK || test.sentence[0]);
    take_fit(o, status, &fit);
}

static inline void run_power_errors(const points *p, outcome *o)
{
    ws_test test;
    const ws_law_input in = {.x = p->x, .y = p->y, .n = p->n, .level = LEVEL};
    take_test(o, ws_power_errors(&in, &test, &o->error), &test);
}

static inline void run_huber(const points *p, outcome *o)
{
    ws_fit fit;
    take_fit(o, ws_fit_huber(p->x, p->y, p->n, LEVEL, &fit, NULL, NULL, &o->error), &fit);
}

/* A second predictor: the square of the first, or with `collinear` twice it. */
static inline void square(const points *p, bool collinear, double *column)
{
    for (size_t i = 0; i < p->n; i++)
        column[i] = collinear ? 2 * p->x[i] : p->x[i] * p->x[i];
}

static const char *const two_names[] = {"x", "more"};

static inline void run_regression(const points *p, outcome *o)
{
    double more[MOST];
    const double *const columns[] = {p->x, more};
    ws_fit fit;
    square(p, false, more);
    take_fit(o, ws_fit_regression(columns, two_names, 2, p->y, p->n, LEVEL, &fit, NULL, &o->error), &fit);
}

static inline void run_collinear(const points *p, outcome *o)
{
    double more[MOST];
    const double *const columns[] = {p->x, more};
    ws_fit fit;
    square(p, true, more);
    ws_status status = ws_fit_regression(columns, two_names, 2, p->y, p->n, LEVEL, &fit, NULL, &o->error);
    ck_assert(status != WS_OK || fit.status == WS_FIT_COLLINEAR || fit.status == WS_FIT_TOO_FEW);
    take_fit(o, status, &fit);
}

static inline void run_sandwich(const points *p, outcome *o)
{
    const double *const columns[] = {p->x};
    ws_fit fit;
    take_fit(o, ws_fit_sandwich(columns, two_names, 1, p->y, p->n, WS_HC3, LEVEL, &fit, NULL, &o->error), &fit);
}

static inline void run_weighted(const points *p, bool is_absolute, outcome *o)
{
    double weight[MOST];
    const double *const columns[] = {p->x};
    const ws_weighting weighting = {.weight = weight, .is_absolute = is_absolute, .df = INFINITY};
    ws_weighted w;
    for (size_t i = 0; i < p->n; i++)
        weight[i] = 1 / (1 + (double)i);
    ws_status status = ws_fit_weighted(columns, two_names, 1, p->y, p->n, &weighting, LEVEL, &w, NULL, &o->error);
    take_fit(o, status, &w.fit);
}

OF_FLAG(absolute, run_weighted, true)
OF_FLAG(scaled, run_weighted, false)

static inline void run_repeats(const points *p, outcome *o)
{
    ws_repeats r;
    ws_weighted w;
    o->status = ws_repeats_find(p->x, p->y, p->n, &r, &o->error);
    if (o->status == WS_OK)
        take_fit(o, ws_fit_repeats(&r, LEVEL, &w, NULL, &o->error), &w.fit);
    ws_repeats_free(&r);
}

static inline void run_lack_of_fit(const points *p, outcome *o)
{
    ws_repeats r;
    ws_test test;
    o->status = ws_repeats_find(p->x, p->y, p->n, &r, &o->error);
    if (o->status == WS_OK) {
        ws_lack_of_fit(&r, r.pure_error * 2, 2, &test);
        take_test(o, WS_OK, &test);
    }
    ws_repeats_free(&r);
}

static inline void halves(size_t n, size_t *group)
{
    for (size_t i = 0; i < n; i++)
        group[i] = i >= n / 2;
}

static inline void run_spread(const points *p, bool by_median, outcome *o)
{
    size_t group[MOST];
    ws_test test;
    halves(p->n, group);
    ws_status status = (by_median ? ws_brown_forsythe : ws_bartlett)(p->y, group, p->n, 2, &test, &o->error);
    take_test(o, status, &test);
    o->status = status != WS_OK || !p->is_refused ? status : WS_DATA; /* it never sees x */
    if (p->is_refused && status == WS_OK)
        snprintf(o->error.message, sizeof o->error.message, "not seen");
}

OF_FLAG(bartlett, run_spread, false)
OF_FLAG(brown_forsythe, run_spread, true)

static inline void run_slopes(const points *p, outcome *o)
{
    size_t group[MOST];
    ws_slopes s;
    halves(p->n, group);
    o->status = ws_compare_slopes(p->x, p->y, group, p->n, 2, LEVEL, 0.05, &s, &o->error);
    take_verdict(o, s.status, s.sentence);
    take(o, s.common.value);
    take(o, s.equal_slopes.p_value);
    ws_slopes_free(&s);
}

static inline void run_printed(const points *p, outcome *o)
{
    ws_slopes s;
    o->status = ws_printed_slopes(p->x, p->y, p->n, LEVEL, 0.05, &s, &o->error);
    take_verdict(o, s.status, s.sentence);
    take(o, s.common.value);
    take(o, s.common.se);
    take(o, s.equal_slopes.p_value);
    ws_slopes_free(&s);
}

static inline void run_york(const points *p, outcome *o)
{
    double sd[MOST], chi2_p;
    ws_fit fit;
    for (size_t i = 0; i < p->n; i++)
        sd[i] = 0.1;
    const ws_york_input in = {.x = p->x, .y = p->y, .sd_x = sd, .sd_y = sd, .n = p->n, .level = LEVEL};
    take_fit(o, ws_fit_york(&in, &fit, &chi2_p, NULL, &o->error), &fit);
}

static inline void run_deming(const points *p, outcome *o)
{
    ws_fit fit;
    take_fit(o, ws_fit_deming(p->x, p->y, p->n, 1, LEVEL, &fit, NULL, &o->error), &fit);
}

static inline void run_diagnostics(const points *p, outcome *o)
{
    const double *const columns[] = {p->x};
    ws_diagnostics d;
    o->status = ws_diagnose(columns, two_names, 1, p->y, p->n, LEVEL, &d, &o->error);
    if (o->status == WS_OK)
        take_verdict(o, d.status, d.sentence);
    if (o->status == WS_OK && d.status == WS_FIT_OK)
        take(o, d.durbin_watson.p_value);
    ws_diagnostics_free(&d);
}

static inline void run_effects(const points *p, outcome *o)
{
    double more[MOST];
    const double *const columns[] = {p->x, more};
    ws_effects e;
    square(p, false, more);
    o->status = ws_regression_effects(columns, two_names, 2, p->y, p->n, &e, &o->error);
    if (o->status == WS_OK)
        take_verdict(o, e.status, e.sentence);
    for (size_t i = 0; o->status == WS_OK && e.status == WS_FIT_OK && i < e.n_effects; i++) {
        take(o, e.effect[i].inflation);
        take(o, e.effect[i].standardised);
        take(o, e.effect[i].partial);
    }
}

static inline void run_turnover(const points *p, outcome *o)
{
    double more[MOST];
    const double *const columns[] = {p->x, more};
    ws_turnover t;
    square(p, false, more);
    o->status = ws_regression_turnover(columns, two_names, 2, p->y, p->n, 0, 1, LEVEL, &t, &o->error);
    if (o->status == WS_OK)
        take_verdict(o, t.status, t.sentence);
    take(o, t.value);
    take(o, t.se);
}

static inline void run_bootstrap(const points *p, outcome *o)
{
    const ws_pairs pairs = {p->x, p->y};
    ws_bootstrap b;
    o->status = ws_bootstrap_bca(ws_pairs_slope, &pairs, p->n, NULL, 200, 1, LEVEL, &b, &o->error);
    take_verdict(o, b.status, b.sentence);
    take(o, b.value);
    take(o, b.se);
    take(o, b.percentile_lo);
    take(o, b.percentile_hi);
}

static inline void run_jackknife(const points *p, outcome *o)
{
    const ws_pairs pairs = {p->x, p->y};
    ws_jackknife j;
    o->status = ws_jackknife_of(ws_pairs_slope, &pairs, p->n, LEVEL, &j, &o->error);
    take_verdict(o, j.status, j.sentence);
    take(o, j.value);
    take(o, j.se);
    take(o, j.ci_lo);
}

static inline ws_status describe_both(const points *p, ws_sample *a, ws_sample *b, ws_error *error)
{
    ws_status status = ws_sample_describe(p->x, p->n, LEVEL, a, error);
    return status == WS_OK ? ws_sample_describe(p->y, p->n, LEVEL, b, error) : status;
}

static inline void run_sample(const points *p, outcome *o)
{
    ws_sample a, b;
    o->status = describe_both(p, &a, &b, &o->error);
    if (o->status != WS_OK)
        return;
    take_verdict(o, b.status, b.sentence);
    take(o, b.mean);
    take(o, b.sd);
    take(o, b.ci_lo);
    take(o, b.rmse);
}

static inline void run_ratio(const points *p, outcome *o)
{
    ws_sample a, b;
    ws_ratio r;
    o->status = describe_both(p, &a, &b, &o->error);
    if (o->status != WS_OK)
        return;
    ws_ratio_of_means(&a, &b, LEVEL, &r);
    take_verdict(o, r.status, r.sentence);
    take(o, r.value);
    take(o, r.se);
}

static inline void run_pooled_ratio(const points *p, outcome *o)
{
    ws_sample a, b;
    ws_ratio r;
    o->status = describe_both(p, &a, &b, &o->error);
    if (o->status != WS_OK)
        return;
    ws_ratio_pooled(&a, &b, b.sd, (double)p->n - 1, LEVEL, &r);
    take_verdict(o, r.status, r.sentence);
    take(o, r.value);
    take(o, r.se);
    take(o, r.ci_hi);
}

static inline void run_ratio_of_logs(const points *p, outcome *o)
{
    ws_sample a, b;
    ws_ratio r;
    o->status = describe_both(p, &a, &b, &o->error);
    if (o->status != WS_OK)
        return;
    ws_ratio_of_logs(&a, &b, LEVEL, &r);
    take_verdict(o, r.status, r.sentence);
    take(o, r.value);
    take(o, r.se);
    take(o, r.ci_hi);
}

static inline void run_welch(const points *p, outcome *o)
{
    ws_sample a, b;
    ws_test test;
    o->status = describe_both(p, &a, &b, &o->error);
    if (o->status != WS_OK)
        return;
    ws_welch(&a, &b, &test);
    take_test(o, WS_OK, &test);
}

static inline void run_normality(const points *p, bool by_moments, outcome *o)
{
    ws_test test;
    double both[2 * MOST];
    memcpy(both, p->x, p->n * sizeof *both);
    memcpy(both + p->n, p->y, p->n * sizeof *both);
    take_test(o, (by_moments ? ws_jarque_bera : ws_shapiro_wilk)(both, 2 * p->n, &test, &o->error), &test);
}

OF_FLAG(shapiro_wilk, run_normality, false)
OF_FLAG(jarque_bera, run_normality, true)

static inline void run_choice(const points *p, outcome *o)
{
    ws_fit fit[3];
    const ws_fit *const fits[] = {&fit[0], &fit[1], &fit[2]};
    const ws_law_input in = {.x = p->x, .y = p->y, .n = p->n, .level = LEVEL};
    ws_choice c;
    ws_test nested;
    o->status = ws_fit_line(p->x, p->y, p->n, LEVEL, &fit[0], NULL, &o->error);
    if (o->status == WS_OK)
        o->status = ws_fit_powerlaw(p->x, p->y, p->n, LEVEL, &fit[1], NULL, &o->error);
    if (o->status == WS_OK)
        o->status = ws_fit_floor(&in, &fit[2], NULL, &o->error);
    if (o->status == WS_OK)
        o->status = ws_choose(fits, 3, p->y, p->n, &c, &o->error);
    if (o->status != WS_OK)
        return;
    ws_nested_f(&fit[0], &fit[2], &nested);
    ck_assert(nested.sentence[0]);
    take_verdict(o, c.n_compared ? WS_FIT_OK : WS_FIT_TOO_FEW, c.sentence);
    for (size_t k = 0; k < 3; k++) {
        ck_assert(c.candidate[k].is_compared || c.candidate[k].reason[0]);
        take(o, c.candidate[k].is_compared ? c.candidate[k].weight : 0);
    }
}

#endif
