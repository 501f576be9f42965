/* The two plain views of a fit: its estimates, and its residuals. */
#include "analyze/commands/fit_parts.h"

#include <math.h>
#include <string.h>

enum {
    GROUP,
    MODEL,
    N,
    PARAMETER,
    VALUE,
    STDERR,
    CI_LO,
    CI_HI,
    UNIT,
    NULL_VALUE,
    P_VALUE,
    STATUS,
    R2,
    R2_KIND,
    RSS,
    DF,
    SIGMA,
    AIC,
    AICC,
    BIC,
    LOOCV,
    N_RUNS,
    MEANING,
    INTERVAL_DF
};

static void init_estimates(ws_table *t)
{
    static const ws_fit_column columns[] = {[GROUP] = {"group", WS_TEXT},
                                            [MODEL] = {"model", WS_TEXT},
                                            [N] = {"n", WS_INTEGER},
                                            [PARAMETER] = {"parameter", WS_TEXT},
                                            [VALUE] = {"value", WS_NUMBER},
                                            [STDERR] = {"stderr", WS_NUMBER},
                                            [CI_LO] = {"ci_lo", WS_NUMBER},
                                            [CI_HI] = {"ci_hi", WS_NUMBER},
                                            [UNIT] = {"unit", WS_TEXT},
                                            [NULL_VALUE] = {"null_value", WS_NUMBER},
                                            [P_VALUE] = {"p_value", WS_NUMBER},
                                            [STATUS] = {"status", WS_TEXT},
                                            [R2] = {"r2", WS_NUMBER},
                                            [R2_KIND] = {"r2_kind", WS_TEXT},
                                            [RSS] = {"rss", WS_NUMBER},
                                            [DF] = {"df", WS_NUMBER},
                                            [SIGMA] = {"sigma", WS_NUMBER},
                                            [AIC] = {"aic", WS_NUMBER},
                                            [AICC] = {"aicc", WS_NUMBER},
                                            [BIC] = {"bic", WS_NUMBER},
                                            [LOOCV] = {"loocv", WS_NUMBER},
                                            [N_RUNS] = {"n_runs", WS_INTEGER},
                                            [MEANING] = {"meaning", WS_TEXT},
                                            [INTERVAL_DF] = {"interval_df", WS_NUMBER},
                                            {NULL, WS_TEXT}};
    static const size_t details[] = {MODEL, R2_KIND, UNIT, NULL_VALUE, RSS,   DF,
                                     SIGMA, AIC,     AICC, BIC,        LOOCV, INTERVAL_DF};
    ws_fit_columns(t, "fit", columns);
    static const size_t headings[] = {GROUP, N, N_RUNS, R2};
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        ws_table_set_detail(t, details[i]);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        ws_table_set_place(t, headings[i], WS_HEADING);
    ws_table_set_place(t, MEANING, WS_MEANING);
    ws_table_set_place(t, STATUS, WS_REMARK);
}

static const char *unit_of(ws_table *t, const char *parameter, const char *x, const char *y)
{
    switch (ws_fit_dimension_of(parameter)) {
    case WS_FIT_Y_PER_X:
        return ws_arena_printf(&t->arena, "%s/%s", y, x);
    case WS_FIT_Y_PER_POWER_OF_X:
        return ws_arena_printf(&t->arena, "%s/%s%s", y, x, parameter + 1);
    case WS_FIT_OF_X:
        return x;
    case WS_FIT_NUMBER:
        return "1";
    default:
        return y;
    }
}

static void add_model_figures(ws_table *t, size_t row, const ws_fit *fit)
{
    const double values[] = {fit->rss, fit->df, fit->sigma, fit->aic, fit->aicc, fit->bic, fit->loocv};
    ws_table_set_number(t, R2, row, fit->r2);
    ws_table_set_text(t, R2_KIND, row, fit->r2_kind);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ws_table_set_number(t, RSS + i, row, values[i]);
}

static size_t fit_estimates_add_row(ws_fitter *f, const ws_row_group *group, const char *model, size_t n, size_t n_runs,
                                    const char *status)
{
    size_t row = ws_table_add_row(f->out);
    if (n_runs > n)
        ws_table_set_integer(f->out, N_RUNS, row, (int64_t)n_runs);
    ws_table_set_text(f->out, GROUP, row, group->label);
    ws_table_set_text(f->out, MODEL, row, model);
    ws_table_set_integer(f->out, N, row, (int64_t)n);
    ws_table_set_text(f->out, STATUS, row, status);
    return row;
}

/* A law's own letters in words, and what each estimate of a factor answers. */
static const char *meaning_of(const char *model, const char *parameter)
{
    static const struct {
        const char *model, *parameter, *meaning; /* model NULL: any */
    } meanings[] = {{NULL, "test: lack of fit", "small p: the points miss the law by more than runs differ"},
                    {NULL, "test: spread against level", "small p: runs of larger (or smaller) y spread more"},
                    {NULL, "test: exponent against -1", "small p: not inversely proportional"},
                    {NULL, "test: exponent against 1", "small p: not proportional"},
                    {"powerlaw", "exponent", "power of x: the slope of ln y on ln x"},
                    {"powerlaw", "factor", "y where x is 1"},
                    {"floor", "exponent", "power of x, above the floor"},
                    {"floor", "floor", "what y falls to for endless x, or rises from"},
                    {"amdahl", "time-at-1", "y where x is 1"},
                    {"amdahl", "max-speedup", "1 / serial fraction, for endless x"},
                    {"usl", "gamma", "throughput of one"},
                    {"usl", "alpha", "contention: share that waits in turn"},
                    {"usl", "beta", "coherency: cost of each pair's exchange"},
                    {"usl", "peak", "where throughput is highest"},
                    {"usl", "limit", "throughput if alpha alone slowed"},
                    {"amdahl", "serial-fraction", "share that more devices do not speed up"},
                    {"gustafson", "serial-fraction", "share that more devices do not speed up"},
                    {"powerlaw", "smearing", "mean over median"},
                    {"origin", "slope", "large x counts most; R2 about zero"},
                    {"origin", "ratio-of-sums", "all y over all x"},
                    {"origin", "mean-of-ratios", "each point alike: the headline"},
                    {"origin", "slope-with-intercept", "per further x"},
                    {"origin", "intercept", "y where x is 0"}};
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if ((!meanings[i].model || strcmp(meanings[i].model, model) == 0) &&
            strcmp(meanings[i].parameter, parameter) == 0)
            return meanings[i].meaning;
    return NULL;
}

/* What the interval of an estimate of "y per x" takes the errors to be where it does not allow for others; NULL: it
 * does. */
static const char *assumption_of(const ws_fitter *f, const char *parameter)
{
    bool is_textbook = (f->settings.by_run || f->settings.equal_errors) && !f->settings.has_hc;
    if (!f->model->pools_factors || !is_textbook || strncmp(parameter, "test:", 5) == 0)
        return NULL;
    return strcmp(parameter, "mean-of-ratios") == 0  ? "errors in proportion to x"
           : strcmp(parameter, "ratio-of-sums") == 0 ? "variances in proportion to x"
                                                     : "errors of one size";
}

static void name_row(ws_fitter *f, size_t row, const char *parameter)
{
    const char *meaning = meaning_of(f->model->name, parameter), *assumed = assumption_of(f, parameter);
    if (meaning && assumed)
        meaning = ws_arena_printf(&f->out->arena, "%s; interval: %s", meaning, assumed);
    ws_table_set_text(f->out, PARAMETER, row, parameter);
    if (meaning)
        ws_table_set_text(f->out, MEANING, row, meaning);
}

/* Of a fit that meets all points within rounding only the values mean something: the rest is missing, not 0. */
static void add_estimate(ws_fitter *f, size_t row, const ws_estimate *e, bool is_perfect)
{
    static const struct {
        size_t column, offset;
    } cells[] = {{VALUE, offsetof(ws_estimate, value)},           {STDERR, offsetof(ws_estimate, se)},
                 {CI_LO, offsetof(ws_estimate, ci_lo)},           {CI_HI, offsetof(ws_estimate, ci_hi)},
                 {NULL_VALUE, offsetof(ws_estimate, null_value)}, {P_VALUE, offsetof(ws_estimate, p_value)}};
    name_row(f, row, e->name);
    for (size_t i = 0; i < (is_perfect ? 1 : sizeof cells / sizeof *cells); i++)
        ws_table_set_number(f->out, cells[i].column, row, *(const double *)((const char *)e + cells[i].offset));
    if (e->df > 0)
        ws_table_set_number(f->out, INTERVAL_DF, row, e->df);
    bool log_line = f->model->is_logs_line && f->settings.in_logs;
    ws_table_set_text(f->out, UNIT, row,
                      log_line ? "1" : unit_of(f->out, e->name, f->x_name ? f->x_name : "1", f->y_name));
}

/* What repeats of one configuration spread by: beside the intervals, which hold all that tells configurations apart. */
static void add_spread(ws_fitter *f, const ws_row_group *group, const ws_fit *fit)
{
    size_t row = fit_estimates_add_row(f, group, fit->model, fit->n, fit->n_runs, ws_fit_status_name(WS_FIT_OK));
    bool in_logs = ws_fit_in_logs(f);
    ws_table_set_text(f->out, PARAMETER, row, "repeat-spread");
    ws_table_set_text(f->out, MEANING, row,
                      in_logs ? "sd of runs about their configuration's mean (0.01: 1 %)"
                              : "sd of runs about their configuration's mean");
    ws_table_set_number(f->out, VALUE, row, fit->repeat_sd);
    ws_table_set_text(f->out, UNIT, row, in_logs ? "1" : f->y_name);
}

/* A test behind the estimates: its statistic as the value, named as what it asks. */
static void add_test(ws_fitter *f, const ws_row_group *group, const ws_fit *fit, const ws_test *test)
{
    size_t row = fit_estimates_add_row(f, group, fit->model, fit->n, fit->n_runs, ws_fit_status_name(test->status));
    name_row(f, row, ws_arena_printf(&f->out->arena, "test: %s", test->name));
    ws_table_set_number(f->out, VALUE, row, test->statistic);
    ws_table_set_number(f->out, P_VALUE, row, test->p_value);
    ws_table_set_text(f->out, UNIT, row, "1");
    if (test->sentence[0])
        ws_fit_note(f, ws_arena_printf(&f->cli->arena, "%s %s", group->label, test->name), test->sentence);
}

/* The exponent stands in a row of its own already: here only whether it is 1, or -1. */
static void add_test_against(ws_fitter *f, size_t row, const ws_estimate *e, bool is_perfect)
{
    name_row(f, row, e->null_value < 0 ? "test: exponent against -1" : "test: exponent against 1");
    ws_table_set_number(f->out, NULL_VALUE, row, e->null_value);
    if (e->se > 0 && !is_perfect)
        ws_table_set_number(f->out, VALUE, row, (e->value - e->null_value) / e->se);
    if (!is_perfect)
        ws_table_set_number(f->out, P_VALUE, row, e->p_value);
    ws_table_set_text(f->out, UNIT, row, "1");
}

static ws_status add_estimates(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, ws_error *error)
{
    ws_fit_result result;
    ws_fit_points known = *p;
    known.energy_u = ws_fit_energy_u(f, p);
    ws_status status = ws_fit_model_run(f->model, &f->settings, &known, &result, error);
    const ws_fit *fit = &result.fit;
    if (status != WS_OK)
        return status;
    ws_fit_note(f, group->label, fit->sentence);
    const bool is_perfect = fit->status == WS_FIT_PERFECT;
    for (size_t i = 0; i < fit->n_estimates || i == 0; i++) {
        bool missing = fit->status == WS_FIT_OK && i < fit->n_estimates && isnan(fit->estimate[i].value);
        size_t row = fit_estimates_add_row(f, group, fit->model, fit->n, fit->n_runs,
                                           missing ? "undefined" : ws_fit_status_name(fit->status));
        if (i == 0)
            add_model_figures(f->out, row, fit);
        if (i < fit->n_estimates && strcmp(fit->estimate[i].name, "exponent-vs-1") == 0)
            add_test_against(f, row, &fit->estimate[i], is_perfect);
        else if (i < fit->n_estimates)
            add_estimate(f, row, &fit->estimate[i], is_perfect);
    }
    if (fit->repeat_df > 0)
        add_spread(f, group, fit);
    for (size_t i = 0; i < result.n_tests; i++)
        add_test(f, group, fit, &result.test[i]);
    return WS_OK;
}

static void add_failure(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p)
{
    fit_estimates_add_row(f, group, f->model->name, p->n, p->n, "failed");
}

const ws_fit_view ws_fit_view_estimates = {.init = init_estimates, .add = add_estimates, .add_failure = add_failure};

static void init_residuals(ws_table *t)
{
    static const ws_fit_column columns[] = {{"group", WS_TEXT}, {"place", WS_TEXT},    {"x", WS_NUMBER},
                                            {"y", WS_NUMBER},   {"fitted", WS_NUMBER}, {"residual", WS_NUMBER},
                                            {"scale", WS_TEXT}, {NULL, WS_TEXT}};
    ws_fit_columns(t, "residuals", columns);
    ws_table_set_place(t, 0, WS_HEADING);
    t->screen_keys = 1; /* the place */
    t->heads_if_wide = true;
}

static ws_status add_residuals(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p, ws_error *error)
{
    char place[320];
    ws_fit_result result;
    ws_status status = ws_fit_model_run(f->model, &f->settings, p, &result, error);
    if (status != WS_OK)
        return status;
    ws_fit_note(f, group->label, result.fit.sentence);
    bool in_logs = ws_fit_in_logs(f);
    const ws_fit_points *runs = p->runs ? p->runs : p;
    for (size_t i = 0; i < runs->n && p->runs; i++)
        runs->residual[i] = p->residual[p->means.of[i]] + p->means.deviation[i];
    for (size_t i = 0; result.fit.n_estimates && i < runs->n; i++) {
        size_t row = ws_table_add_row(f->out);
        double fitted = in_logs ? exp(log(runs->y[i]) - runs->residual[i]) : runs->y[i] - runs->residual[i];
        const double values[] = {runs->x ? runs->x[i] : NAN, runs->y[i], fitted, runs->residual[i]};
        ws_table_set_text(f->out, 0, row, group->label);
        ws_table_set_text(f->out, 1, row, ws_table_place(f->data, runs->rows[i], place));
        for (size_t v = 0; v < 4; v++)
            ws_table_set_number(f->out, 2 + v, row, values[v]);
        ws_table_set_text(f->out, 6, row, in_logs ? "natural logarithm" : "as measured");
    }
    return WS_OK;
}

const ws_fit_view ws_fit_view_residuals = {.option = "residuals", .init = init_residuals, .add = add_residuals};
