/* Every estimator of fit/ against every input that has no answer, or nearly none: a status and a sentence, or numbers
 * that are all finite. A new estimator is one adapter and one line of `estimators`. */
#include "tests/fit/hostile.h"

#include "fit/laws/onset.h"
#include "fit/laws/predict.h"
#include "fit/linear/rates.h"
#include "fit/tests/verdict.h"

static void run_onset(const points *p, outcome *o)
{
    ws_fit fit;
    const ws_law_input in = {.x = p->x, .y = p->y, .n = p->n, .level = LEVEL};
    take_fit(o, ws_fit_onset(&in, &fit, NULL, NULL, &o->error), &fit);
}

static void run_rates(const points *p, outcome *o)
{
    ws_fit fit;
    take_fit(o, ws_fit_rates(p->x, p->y, p->n, WS_HC3, LEVEL, &fit, NULL, &o->error), &fit);
}

static void run_floor_profile(const points *p, outcome *o)
{
    ws_fit fit;
    ws_test test;
    const ws_law_input in = {.x = p->x, .y = p->y, .n = p->n, .level = LEVEL};
    o->status = ws_fit_floor(&in, &fit, NULL, &o->error);
    if (o->status == WS_OK && fit.status == WS_FIT_OK)
        take_test(o, ws_floor_profile(&in, &fit, &test, &o->error), &test);
    else if (o->status == WS_OK)
        take_verdict(o, fit.status, fit.sentence);
}

/* A prediction is told apart by the status of its fit. */
static void run_predict(const points *p, outcome *o)
{
    static const double at[] = {0, 1e-300, 3, 1e300};
    ws_fit fit;
    ws_prediction prediction[4];
    o->status = ws_fit_powerlaw(p->x, p->y, p->n, LEVEL, &fit, NULL, &o->error);
    if (o->status == WS_OK)
        o->status = ws_predict(&fit, p->x, p->n, LEVEL, at, 4, prediction, &o->error);
    if (o->status != WS_OK)
        return;
    take_verdict(o, fit.status == WS_FIT_OK ? WS_FIT_EXACT : fit.status, fit.sentence);
    for (size_t k = 0; k < 4; k++) {
        take(o, prediction[k].value);
        take(o, prediction[k].lo);
        take(o, prediction[k].hi);
        take(o, prediction[k].mean);
    }
}

static void run_verdict(const points *p, outcome *o)
{
    const ws_verdict_input in = {.a = p->x, .b = p->y, .n_a = p->n, .n_b = p->n, .level = LEVEL, .min_effect = 0.02};
    ws_verdict v;
    o->status = ws_judge(&in, &v, &o->error);
    if (o->status != WS_OK)
        return;
    take_verdict(o, v.kind == WS_UNUSABLE || v.kind == WS_UNDECIDED ? WS_FIT_TOO_FEW : WS_FIT_OK, v.sentence);
    take(o, v.change);
    take(o, v.ci_lo);
    take(o, v.ci_hi);
}

static const struct {
    const char *name;
    void (*run)(const points *p, outcome *o);
} estimators[] = {
    {"line", run_line},
    {"origin", run_origin},
    {"powerlaw", run_powerlaw},
    {"polynomial", run_polynomial},
    {"regression", run_regression},
    {"collinear regression", run_collinear},
    {"sandwich", run_sandwich},
    {"weighted, absolute", run_absolute},
    {"weighted, scaled", run_scaled},
    {"repeats", run_repeats},
    {"lack of fit", run_lack_of_fit},
    {"Bartlett", run_bartlett},
    {"Brown-Forsythe", run_brown_forsythe},
    {"slopes", run_slopes},
    {"printed slopes", run_printed},
    {"pearson", run_pearson},
    {"spearman", run_spearman},
    {"kendall", run_kendall},
    {"powerlaw-direct", run_powerlaw_direct_false},
    {"powerlaw-direct in logs", run_powerlaw_direct_true},
    {"floor", run_floor_false},
    {"floor in logs", run_floor_true},
    {"amdahl", run_amdahl_false},
    {"amdahl in logs", run_amdahl_true},
    {"gustafson", run_gustafson_false},
    {"usl", run_usl_false},
    {"usl in logs", run_usl_true},
    {"lognormal", run_lognormal_true},
    {"breakpoint", run_breakpoint},
    {"law of the errors", run_power_errors},
    {"york", run_york},
    {"deming", run_deming},
    {"theil-sen", run_theil_sen},
    {"huber", run_huber},
    {"diagnostics", run_diagnostics},
    {"effects", run_effects},
    {"turnover", run_turnover},
    {"bootstrap", run_bootstrap},
    {"jackknife", run_jackknife},
    {"sample", run_sample},
    {"ratio", run_ratio},
    {"pooled ratio", run_pooled_ratio},
    {"ratio of logs", run_ratio_of_logs},
    {"Welch", run_welch},
    {"Shapiro-Wilk", run_shapiro_wilk},
    {"Jarque-Bera", run_jarque_bera},
    {"choice", run_choice},
    {"onset", run_onset},
    {"rates", run_rates},
    {"floor profile", run_floor_profile},
    {"prediction", run_predict},
    {"verdict", run_verdict},
};

/* A number that is missing in a fit that is OK has to be accounted for in its sentence. */
static bool is_told(const char *sentence)
{
    return strstr(sentence, "undefined") || strstr(sentence, "beyond the range") || strstr(sentence, "no interval");
}

static void check(const char *name, void (*run)(const points *, outcome *), const points *p)
{
    outcome o = {.status = WS_OK};
    run(p, &o);
    if (o.status != WS_OK) {
        ck_assert_msg(o.status == WS_DATA && o.error.message[0], "%s, %s: a failure without a reason", name, p->what);
        return;
    }
    ck_assert_msg(!p->is_refused || o.fit == WS_FIT_NOT_IDENTIFIED, "%s takes what is no number: %s: %s", name, p->what,
                  o.sentence);
    ck_assert_msg(o.sentence[0], "%s, %s: %s without a sentence", name, p->what, ws_fit_status_name(o.fit));
    for (size_t i = 0; i < o.n; i++) {
        ck_assert_msg(!isinf(o.number[i]), "%s, %s: number %zu is infinite: %s", name, p->what, i, o.sentence);
        ck_assert_msg(!isnan(o.number[i]) || o.fit != WS_FIT_OK || is_told(o.sentence),
                      "%s, %s: number %zu is missing: %s", name, p->what, i, o.sentence);
    }
}

/* What the notes on the methods promise by name. */
static const struct {
    const char *estimator, *input;
    ws_fit_status status;
    const char *words;
} edges[] = {
    {"line", "two points", WS_FIT_EXACT, "as many as coefficients"},
    {"powerlaw", "two points", WS_FIT_EXACT, "as many as coefficients"},
    {"amdahl", "two points", WS_FIT_EXACT, "as many as coefficients"},
    {"floor", "three points", WS_FIT_TOO_FEW, "3 values of x"},
    {"line", "x constant", WS_FIT_CONSTANT, "x is 4 in all 6 points"},
    {"powerlaw", "x constant", WS_FIT_CONSTANT, "x is 4 in all 6 points"},
    {"theil-sen", "x constant", WS_FIT_CONSTANT, "no slope"},
    {"york", "x constant", WS_FIT_CONSTANT, "no slope"},
    {"polynomial", "x constant", WS_FIT_COLLINEAR, "1 value of x: a polynomial of degree 2 needs 3"},
    {"pearson", "x constant", WS_FIT_CONSTANT, "x does not vary"},
    {"powerlaw", "one y of zero", WS_FIT_NOT_POSITIVE, "point 3"},
    {"powerlaw", "signs", WS_FIT_NOT_POSITIVE, "points 1, 2, 3, 4, 6"},
    {"breakpoint", "one y of zero", WS_FIT_NOT_POSITIVE, "point 3"},
    {"usl in logs", "one y of zero", WS_FIT_NOT_POSITIVE, "point 3"},
    {"line", "a line", WS_FIT_PERFECT, "met within rounding"},
    {"polynomial", "a line", WS_FIT_PERFECT, "met within rounding"},
    {"powerlaw", "a power law", WS_FIT_PERFECT, "met within rounding"},
    {"powerlaw-direct", "a power law", WS_FIT_PERFECT, "met within rounding"},
    {"york", "a line", WS_FIT_PERFECT, "met within rounding"},
    {"huber", "a line", WS_FIT_PERFECT, "within rounding"},
    {"repeats", "repeats without spread", WS_FIT_PERFECT, "agree with each other exactly"},
    {"repeats", "three points", WS_FIT_TOO_FEW, "no x was measured twice"},
    {"sample", "one point", WS_FIT_EXACT, "spread is undefined"},
    {"ratio", "one point", WS_FIT_EXACT, "single run"},
    {"collinear regression", "a power law", WS_FIT_COLLINEAR, "more = 2 x in all 6 points"},
    {"slopes", "two points", WS_FIT_TOO_FEW, "group 1 has 1 point"},
    {"bootstrap", "three points", WS_FIT_TOO_FEW, "at least 5"},
    {"floor", "a line through the origin", WS_FIT_PERFECT, "within rounding"},
    {"floor", "y constant", WS_FIT_NOT_IDENTIFIED, "do not tell"},
    {"usl", "y zero", WS_FIT_NOT_IDENTIFIED, "do not tell"},
    {"floor", "far from zero", WS_FIT_NOT_CONVERGED, "did not settle"},
    {"york", "far from zero", WS_FIT_NOT_CONVERGED, "did not settle"},
};

START_TEST(edges_by_name)
{
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
        size_t k = 0, i = 0;
        while (strcmp(estimators[k].name, edges[e].estimator) != 0)
            ck_assert_uint_lt(++k, sizeof estimators / sizeof *estimators);
        while (strcmp(inputs[i].what, edges[e].input) != 0)
            ck_assert_uint_lt(++i, sizeof inputs / sizeof *inputs);
        outcome o = {.status = WS_OK};
        estimators[k].run(&inputs[i], &o);
        ck_assert_msg(o.status == WS_OK && o.fit == edges[e].status && strstr(o.sentence, edges[e].words),
                      "%s, %s: %s: %s%s", edges[e].estimator, edges[e].input, ws_fit_status_name(o.fit), o.sentence,
                      o.error.message);
    }
}
END_TEST

START_TEST(an_answer_or_a_reason)
{
    for (size_t k = 0; k < sizeof estimators / sizeof *estimators; k++)
        for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
            check(estimators[k].name, estimators[k].run, &inputs[i]);
}
END_TEST

TEST_MAIN("hostile input", edges_by_name, an_answer_or_a_reason)
