/* wattscale correlate: correlations of a response with each predictor, and the regression on all of them. */
#include "analyze/commands/data.h"

#include "analyze/units.h"
#include "core/known_to.h"
#include "fit/estimate.h"
#include "fit/fit.h"
#include "fit/linear/effects.h"
#include "fit/means.h"
#include "fit/tests/permutation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"y", 0, "COLUMN", "the response; default gpu_power_w"},
    {"x", 0, "COLUMNS", "the predictors; default samples_per_gpuh,passes_per_gpuh"},
    {"by", 0, "COLUMNS", "apart for each group of rows that agree in these"},
    {"level", 0, "LEVEL", "of the intervals, 0.95 unless given"},
    {"unit", 0, "WHICH", "a point is the mean of a configuration (default), or every run"},
    {"permutations", 0, "N", "p of Pearson's r from N random orders as well; exact up to 8 points"},
    {"seed", 0, "S", "--permutations: start of the random numbers; default 1"},
    WS_OPTION_PER,
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

enum { MOST_PREDICTORS = WS_FIT_MAX_ESTIMATES - 1 };

/* Columns of the table. */
enum {
    C_GROUP,
    C_METHOD,
    C_Y,
    C_X,
    C_PARAMETER,
    C_N,
    C_VALUE,
    C_STDERR,
    C_CI_LO,
    C_CI_HI,
    C_P_VALUE,
    C_R2,
    C_STATUS,
    C_N_RUNS
};

typedef struct correlator {
    ws_cli *cli;
    const ws_table *data;
    const char *y_name, **x_names;
    size_t y, *x, n_x;
    const char **columns; /* x_names and y_name, NULL-ended */
    double level;
    size_t draws; /* of a permutation test; 0: none */
    uint64_t seed;
    bool by_run; /* every run a point; else the means of configurations */
    size_t n_points, n_failed;
    ws_error first; /* what the first group that failed says */
    ws_table *out;
} correlator;

/* The rows of a group that have every value, as columns; by --unit configuration the means over repeats. */
typedef struct values_of_group {
    double *x[MOST_PREDICTORS], *y;
    size_t *rows; /* of the table; of a mean its first one */
    size_t n, n_runs, without;
    bool averages[MOST_PREDICTORS]; /* as ws_units_averages has it */
} values_of_group;

/* --- the table: its columns, what is in every row, and a note beside one --- */

static void init_correlations(ws_table *t)
{
    static const struct {
        const char *name;
        ws_column_kind kind;
    } columns[] = {
        [C_GROUP] = {"group", WS_TEXT},   [C_METHOD] = {"method", WS_TEXT},       [C_Y] = {"y", WS_TEXT},
        [C_X] = {"x", WS_TEXT},           [C_PARAMETER] = {"parameter", WS_TEXT}, [C_N] = {"n", WS_INTEGER},
        [C_VALUE] = {"value", WS_NUMBER}, [C_STDERR] = {"stderr", WS_NUMBER},     [C_CI_LO] = {"ci_lo", WS_NUMBER},
        [C_CI_HI] = {"ci_hi", WS_NUMBER}, [C_P_VALUE] = {"p_value", WS_NUMBER},   [C_R2] = {"r2", WS_NUMBER},
        [C_STATUS] = {"status", WS_TEXT}, [C_N_RUNS] = {"n_runs", WS_INTEGER}};
    ws_table_init(t, "correlate");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(t, columns[i].name, columns[i].kind);
    static const size_t headings[] = {C_GROUP, C_Y, C_N, C_N_RUNS};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        ws_table_set_place(t, headings[i], WS_HEADING);
    ws_table_set_place(t, C_STATUS, WS_REMARK);
}

static size_t add_correlation_row(correlator *c, const ws_row_group *group, const char *method, const char *x, size_t n,
                                  const char *status)
{
    ws_table *t = c->out;
    size_t row = ws_table_add_row(t);
    ws_table_set_text(t, C_GROUP, row, group->label);
    if (method)
        ws_table_set_text(t, C_METHOD, row, method);
    ws_table_set_text(t, C_Y, row, c->y_name);
    if (x)
        ws_table_set_text(t, C_X, row, x);
    ws_table_set_integer(t, C_N, row, (int64_t)n);
    ws_table_set_text(t, C_STATUS, row, status);
    return row;
}

static void note_correlation(correlator *c, const ws_row_group *group, const char *what, const char *sentence)
{
    char subject[400];
    snprintf(subject, sizeof subject, "%.200s %.150s", group->label, what);
    ws_notes_add(&c->out->notes, WS_FINDING_CORRELATION, "", subject, 0, "%s", sentence);
}

/* --- the points of a group --- */

/* Two rates that differ in the eighth digit only are the same rate in other units. */
static const double PROPORTIONAL = 1e-8;

/* Repeats of a configuration to their mean. */
static void average(const correlator *c, values_of_group *v)
{
    ws_means means;
    size_t *unit = ws_alloc((v->n + 1) * sizeof *unit);
    ws_units_configurations(c->data, v->rows, v->n, c->x, c->n_x, unit);
    if (ws_means_take(v->x[0], v->y, unit, v->n, false, &means, NULL) == WS_OK) {
        double *mean = ws_alloc((means.n + 1) * sizeof *mean);
        for (size_t j = 0; j < c->n_x; j++)
            v->averages[j] = ws_units_averages(c->data, v->rows, v->n, unit, c->x[j]);
        for (size_t j = 1; j < c->n_x; j++) {
            ws_means_of_column(&means, v->x[j], mean);
            memcpy(v->x[j], mean, means.n * sizeof *mean);
        }
        memcpy(v->x[0], means.x, means.n * sizeof *mean);
        memcpy(v->y, means.y, means.n * sizeof *mean);
        for (size_t i = 0; i < means.n; i++)
            v->rows[i] = v->rows[means.first[i]];
        v->n = means.n;
        free(mean);
        ws_means_free(&means);
    }
    free(unit);
}

static values_of_group take_values(const correlator *c, const ws_row_group *group)
{
    values_of_group v = {.y = ws_alloc((group->n + 1) * sizeof(double)),
                         .rows = ws_alloc((group->n + 1) * sizeof(size_t))};
    for (size_t j = 0; j < c->n_x; j++)
        v.x[j] = ws_alloc((group->n + 1) * sizeof(double));
    for (size_t i = 0; i < group->n; i++) {
        bool complete = !isnan(ws_table_number(c->data, c->y, group->rows[i]));
        for (size_t j = 0; j < c->n_x; j++)
            complete &= !isnan(ws_table_number(c->data, c->x[j], group->rows[i]));
        if (!complete) {
            v.without++;
            continue;
        }
        v.y[v.n] = ws_table_number(c->data, c->y, group->rows[i]);
        for (size_t j = 0; j < c->n_x; j++)
            v.x[j][v.n] = ws_table_number(c->data, c->x[j], group->rows[i]);
        v.rows[v.n++] = group->rows[i];
    }
    v.n_runs = v.n;
    if (!c->by_run && v.n)
        average(c, &v);
    return v;
}

static void free_values(values_of_group *v)
{
    for (size_t j = 0; j < MOST_PREDICTORS; j++)
        free(v->x[j]);
    free(v->y);
    free(v->rows);
}

typedef ws_status correlation_function(const double *x, const double *y, size_t n, double level, ws_correlation *result,
                                       ws_error *error);

static ws_status add_correlation(correlator *c, const ws_row_group *group, const values_of_group *v, size_t x,
                                 const char *method, correlation_function *correlate, ws_error *error)
{
    ws_correlation r = {0};
    ws_status status = correlate(v->x[x], v->y, v->n, c->level, &r, error);
    if (status != WS_OK)
        return status;
    size_t row = add_correlation_row(c, group, method, c->x_names[x], r.n, ws_fit_status_name(r.status));
    ws_table_set_text(c->out, C_PARAMETER, row, "r");
    ws_table_set_number(c->out, C_VALUE, row, r.r);
    ws_table_set_number(c->out, C_CI_LO, row, r.ci_lo);
    ws_table_set_number(c->out, C_CI_HI, row, r.ci_hi);
    ws_table_set_number(c->out, C_P_VALUE, row, r.p_value);
    if (r.status == WS_FIT_OK)
        return WS_OK;
    char what[200];
    snprintf(what, sizeof what, "%s of %.60s and %.60s", method, c->y_name, c->x_names[x]);
    char sentence[2 * sizeof r.sentence];
    ws_data_words(r.sentence, c->x_names[x], c->y_name, sentence, sizeof sentence);
    note_correlation(c, group, what, sentence);
    return WS_OK;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool is_batch_pair(const char *a, const char *b)
{
    return (begins(a, "samples_per_gpuh") && begins(b, "passes_per_gpuh")) ||
           (begins(b, "samples_per_gpuh") && begins(a, "passes_per_gpuh"));
}

/* At constant local batch a sample rate is the pass rate times the local batch: one predictor written twice. */
static bool explain_proportional(correlator *c, const ws_row_group *group, const values_of_group *v)
{
    double factor;
    char sentence[300];
    for (size_t a = 0; a < c->n_x; a++) {
        for (size_t b = a + 1; b < c->n_x; b++) {
            if (!ws_are_proportional(v->x[b], v->x[a], v->n, PROPORTIONAL, &factor))
                continue;
            bool by_batch = is_batch_pair(c->x_names[a], c->x_names[b]);
            snprintf(sentence, sizeof sentence,
                     "%.60s is exactly %.10g times %.60s in every row%s, so their effects cannot be told apart: %s",
                     c->x_names[a], factor, c->x_names[b], by_batch ? ", as it is at constant local batch size" : "",
                     by_batch ? "runs of several local batch sizes are needed"
                              : "runs in which they do not go together are needed");
            add_correlation_row(c, group, "regression", NULL, v->n, ws_fit_status_name(WS_FIT_COLLINEAR));
            note_correlation(c, group, "regression", sentence);
            return true;
        }
    }
    return false;
}

/* Coefficients of a power or an energy are known no better than what readings of part of a run leave open, which all
 * of its rows have in common (known_to.h). r, R2 and turnovers do not change with it. */
static void allow_for_common(const correlator *c, const values_of_group *v, ws_fit *fit)
{
    double common = ws_is_of_energy(c->y_name) ? ws_energy_u(c->data, v->rows, v->n) : 0;
    for (size_t j = 0; j < c->n_x; j++)
        common = ws_is_of_energy(c->x_names[j]) ? 0 : common;
    if (!(common > 0))
        return;
    for (size_t i = 0; i < fit->n_estimates; i++)
        ws_estimate_allow_factor(&fit->estimate[i], common, c->level);
    ws_say(fit->sentence, sizeof fit->sentence,
           "; readings cover little of these runs: their energies are known to %s %% together, which each ± holds",
           ws_words_digits(100 * common, 2).text);
}

static void add_estimates(correlator *c, const ws_row_group *group, const ws_fit *fit)
{
    for (size_t i = 0; i < fit->n_estimates; i++) {
        const ws_estimate *e = &fit->estimate[i];
        size_t row =
            add_correlation_row(c, group, "regression", i ? e->name : NULL, fit->n, ws_fit_status_name(fit->status));
        ws_table_set_text(c->out, C_PARAMETER, row, i ? "slope" : "intercept");
        ws_table_set_number(c->out, C_VALUE, row, e->value);
        ws_table_set_number(c->out, C_STDERR, row, e->se);
        ws_table_set_number(c->out, C_CI_LO, row, e->ci_lo);
        ws_table_set_number(c->out, C_CI_HI, row, e->ci_hi);
        ws_table_set_number(c->out, C_P_VALUE, row, e->p_value);
        if (i == 0)
            ws_table_set_number(c->out, C_R2, row, fit->r2);
    }
    if (!fit->n_estimates)
        add_correlation_row(c, group, "regression", NULL, fit->n, ws_fit_status_name(fit->status));
}

/* --- behind a regression: effects, turnovers, the permutation test --- */

static void add_number(correlator *c, const ws_row_group *group, const char *x, size_t n, const char *parameter,
                       double value)
{
    size_t row = add_correlation_row(c, group, "regression", x, n, ws_fit_status_name(WS_FIT_OK));
    ws_table_set_text(c->out, C_PARAMETER, row, parameter);
    ws_table_set_number(c->out, C_VALUE, row, isfinite(value) ? value : NAN);
}

static ws_status add_turnover(correlator *c, const ws_row_group *group, const values_of_group *v, size_t i, size_t j,
                              ws_error *error)
{
    ws_turnover t;
    ws_status status =
        ws_regression_turnover((const double *const *)v->x, c->x_names, c->n_x, v->y, v->n, i, j, c->level, &t, error);
    if (status != WS_OK)
        return status;
    const char *of = ws_arena_printf(&c->cli->arena, "%s per %s", c->x_names[j], c->x_names[i]);
    size_t row = add_correlation_row(c, group, "regression", of, v->n, ws_fit_status_name(t.status));
    ws_table_set_text(c->out, C_PARAMETER, row, "turnover");
    const double values[] = {t.value, t.se, t.ci_lo, t.ci_hi};
    for (size_t k = 0; k < 4; k++)
        ws_table_set_number(c->out, C_VALUE + k, row, values[k]);
    char sentence[900];
    ws_data_words(t.sentence, "x", c->y_name, sentence, sizeof sentence);
    note_correlation(c, group, ws_arena_printf(&c->cli->arena, "turnover of %s", of), sentence);
    return WS_OK;
}

/* Rows behind a regression whose status is OK: what each predictor does, and where y stays the same. */
static ws_status add_effects(correlator *c, const ws_row_group *group, const values_of_group *v, ws_error *error)
{
    ws_effects effects;
    ws_status status =
        ws_regression_effects((const double *const *)v->x, c->x_names, c->n_x, v->y, v->n, &effects, error);
    if (status != WS_OK || effects.status != WS_FIT_OK)
        return status;
    for (size_t j = 0; j < effects.n_effects; j++) {
        const ws_effect *e = &effects.effect[j];
        if (c->n_x > 1)
            add_number(c, group, c->x_names[j], v->n, "variance-inflation", e->inflation);
        add_number(c, group, c->x_names[j], v->n, "standardised-slope", e->standardised);
        if (c->n_x > 1)
            add_number(c, group, c->x_names[j], v->n, "partial-r", e->partial);
    }
    add_number(c, group, NULL, v->n, "condition-number", effects.condition);
    for (size_t i = 0; i < c->n_x && status == WS_OK; i++)
        for (size_t j = i + 1; j < c->n_x && status == WS_OK; j++)
            status = add_turnover(c, group, v, i, j, error);
    return status;
}

/* Rows of the permutation test of y with each x. */
static ws_status add_permutations(correlator *c, const ws_row_group *group, const values_of_group *v, ws_error *error)
{
    for (size_t j = 0; j < c->n_x; j++) {
        ws_test test;
        ws_status status = ws_permutation_test(v->x[j], v->y, v->n, c->draws, c->seed, &test, error);
        if (status != WS_OK)
            return status;
        size_t row = add_correlation_row(c, group, "permutation", c->x_names[j], v->n, ws_fit_status_name(test.status));
        ws_table_set_text(c->out, C_PARAMETER, row, "r");
        ws_table_set_number(c->out, C_VALUE, row, test.statistic);
        ws_table_set_number(c->out, C_P_VALUE, row, test.p_value);
        note_correlation(c, group,
                         ws_arena_printf(&c->cli->arena, "permutation of %s and %s", c->y_name, c->x_names[j]),
                         test.sentence);
    }
    return WS_OK;
}

/* --- the command --- */

static ws_status add_regression(correlator *c, const ws_row_group *group, const values_of_group *v, ws_error *error)
{
    if (v->n > 1 && explain_proportional(c, group, v))
        return WS_OK;
    ws_fit fit = {0};
    ws_status status =
        ws_fit_regression((const double *const *)v->x, c->x_names, c->n_x, v->y, v->n, c->level, &fit, NULL, error);
    if (status != WS_OK)
        return status;
    allow_for_common(c, v, &fit);
    char sentence[2 * sizeof fit.sentence];
    ws_data_words(fit.sentence, "x", c->y_name, sentence, sizeof sentence);
    add_estimates(c, group, &fit);
    note_correlation(c, group, "regression", sentence);
    return fit.status == WS_FIT_OK ? add_effects(c, group, v, error) : WS_OK;
}

/* A group whose numbers cannot be worked with is a row without figures: the others are worked out all the same. */
static void add_failure(correlator *c, const ws_row_group *group, size_t n, const ws_error *why)
{
    ws_notes_add(&c->out->notes, WS_FINDING_NO_FIT, c->data->source, group->label, 0, "%s: %s", c->y_name,
                 why->message);
    if (!c->n_failed++)
        ws_fail_at(&c->first, why->status, c->data->source, 0, "%s: %s: %s", group->label, c->y_name, why->message);
    add_correlation_row(c, group, NULL, NULL, n, "failed");
}

/* Standard errors between the correlation of parts and of all that are no chance. */
static const double FAR_OFF = 3;

/* How many standard errors the correlation of all points lies from that which the parts have in common, in Fisher's z:
 * parts on other levels make one that none of them has. */
static double errors_from_parts(const double *r, const size_t *n, size_t parts, double pooled_r)
{
    double sum = 0, weights = 0, most = 0.999999;
    for (size_t i = 0; i < parts; i++) {
        if (n[i] <= 3 || isnan(r[i]))
            continue;
        sum += (double)(n[i] - 3) * atanh(fmax(-most, fmin(most, r[i])));
        weights += (double)(n[i] - 3);
    }
    return weights > 0 ? fabs(atanh(fmax(-most, fmin(most, pooled_r))) - sum / weights) * sqrt(weights) : 0;
}

/* Pooled series whose correlations differ, or differ from that of all, are not one population. */
static void note_unlike_parts(correlator *c, const ws_row_group *group, const values_of_group *v, size_t x)
{
    ws_row_groups parts = {0};
    const char *by = ws_data_parts(c->cli, c->data, v->rows, v->n, &parts);
    double *r = ws_alloc((parts.n + 1) * sizeof *r), least = 1, most = -1;
    size_t *n = ws_alloc((parts.n + 1) * sizeof *n);
    for (size_t i = 0; i < parts.n; i++) {
        double *px = ws_alloc((2 * parts.items[i].n + 1) * sizeof *px), *py = px + parts.items[i].n;
        ws_correlation of_part = {.r = NAN};
        n[i] = parts.items[i].n;
        for (size_t j = 0; j < n[i]; j++) {
            px[j] = v->x[x][parts.items[i].rows[j]];
            py[j] = v->y[parts.items[i].rows[j]];
        }
        bool known = ws_pearson(px, py, n[i], c->level, &of_part, NULL) == WS_OK && of_part.status == WS_FIT_OK;
        r[i] = known ? of_part.r : NAN;
        least = known && n[i] > 3 ? fmin(least, r[i]) : least;
        most = known && n[i] > 3 ? fmax(most, r[i]) : most;
        free(px);
    }
    /* Of several x each is told of. */
    const char *subject =
        c->n_x > 1 ? ws_arena_printf(&c->cli->arena, "%s %s", group->label, c->x_names[x]) : group->label;
    ws_test test;
    ws_equal_correlations(r, n, parts.n, &test);
    ws_correlation of_all = {.r = NAN};
    bool has_all = parts.n > 1 && ws_pearson(v->x[x], v->y, v->n, c->level, &of_all, NULL) == WS_OK && !isnan(of_all.r);
    if (!(test.p_value < 0.05) && has_all && least <= most && errors_from_parts(r, n, parts.n, of_all.r) > FAR_OFF)
        ws_notes_add(&c->out->notes, WS_FINDING_POOLED_GROUPS, c->data->source, subject, 0,
                     "'%s' pools groups whose correlation of %s and %s is %s to %s each, and together it is %s: "
                     "they stand on different levels (--by %s keeps them apart)",
                     group->label, c->y_name, c->x_names[x], ws_words_r2(least).text, ws_words_r2(most).text,
                     ws_words_r2(of_all.r).text, by);
    if (test.p_value < 0.05)
        ws_notes_add(&c->out->notes, WS_FINDING_POOLED_GROUPS, c->data->source, subject, 0,
                     "'%s' pools groups whose correlation of %s and %s differs, from %s to %s (%s): --by %s keeps them "
                     "apart",
                     group->label, c->y_name, c->x_names[x], ws_words_r2(least).text, ws_words_r2(most).text,
                     ws_words_p(test.p_value).text, by);
    ws_row_groups_free(&parts);
    free(r);
    free(n);
}

static void correlate_group(correlator *c, const ws_row_group *group)
{
    values_of_group v = take_values(c, group);
    ws_error why = {0};
    ws_status status = WS_OK;
    size_t first_row = c->out->n_rows;
    c->n_points += v.n;
    ws_data_note_again(c->cli, &c->out->notes, c->data, group);
    ws_notes_add_many(&c->out->notes, v.without, WS_FINDING_INCOMPLETE_ROW, c->data->source, group->label, 0,
                      "rows of '%s' without all of the columns are left out", group->label);
    for (size_t x = 0; x < c->n_x; x++)
        if (v.averages[x])
            ws_data_note_averaged(&c->out->notes, c->data, group, c->x_names[x]);
    for (size_t x = 0; status == WS_OK && x < c->n_x; x++) {
        status = add_correlation(c, group, &v, x, "pearson", ws_pearson, &why);
        if (status == WS_OK)
            status = add_correlation(c, group, &v, x, "spearman", ws_spearman, &why);
        if (status == WS_OK)
            status = add_correlation(c, group, &v, x, "kendall", ws_kendall, &why);
        if (status == WS_OK)
            note_unlike_parts(c, group, &v, x);
    }
    if (status == WS_OK && c->draws)
        status = add_permutations(c, group, &v, &why);
    if (status == WS_OK)
        status = add_regression(c, group, &v, &why);
    if (status != WS_OK)
        add_failure(c, group, v.n, &why);
    for (size_t row = first_row; row < c->out->n_rows && v.n_runs > v.n; row++)
        ws_table_set_integer(c->out, C_N_RUNS, row, (int64_t)v.n_runs);
    free_values(&v);
}

/* For people one row a predictor, and what has no answer; the forms for programs and --all-columns have all rows. */
static void keep_first_look(const correlator *c)
{
    ws_table_form form = c->cli->form;
    bool for_people = form == WS_FORM_TEXT || form == WS_FORM_MARKDOWN || form == WS_FORM_LATEX;
    if (!for_people || ws_cli_has(c->cli, "all-columns"))
        return;
    const ws_column *method = &c->out->columns[C_METHOD], *status = &c->out->columns[C_STATUS];
    bool *keep = ws_alloc(c->out->n_rows + 1);
    for (size_t row = 0; row < c->out->n_rows; row++) {
        const char *name = method->text[row], *says = status->text[row];
        bool is_first = !name || strcmp(name, "pearson") == 0 || strcmp(name, "permutation") == 0;
        keep[row] = is_first || (strcmp(name, "regression") == 0 && strcmp(says, "ok") != 0);
    }
    ws_table_filter(c->out, keep);
    ws_table_set_detail(c->out, C_PARAMETER); /* r in all of them */
    free(keep);
}

static int correlate_groups(correlator *c, const ws_row_groups *groups)
{
    ws_table out;
    ws_error error = {0};
    init_correlations(&out);
    ws_notes_append(&out.notes, &c->data->notes);
    out.synthetic = c->data->synthetic;
    c->out = &out;
    ws_status status = WS_OK;
    for (size_t i = 0; i < groups->n; i++)
        correlate_group(c, &groups->items[i]);
    if (!c->n_points) {
        status = ws_data_none_left(c->data, c->columns, &error);
    } else if (c->n_failed == groups->n) {
        error = c->first;
        status = error.status;
    }
    keep_first_look(c);
    out.ci_level = c->level;
    int exit_status = status == WS_OK ? ws_cli_output(c->cli, &out) : ws_cli_fail(c->cli, &error);
    ws_table_free(&out);
    return exit_status;
}

static bool find_columns(correlator *c)
{
    c->x = ws_arena_alloc(&c->cli->arena, c->n_x * sizeof *c->x);
    if (!ws_data_column(c->cli, c->data, c->y_name, &c->y))
        return false;
    for (size_t i = 0; i < c->n_x; i++)
        if (!ws_data_column(c->cli, c->data, c->x_names[i], &c->x[i]))
            return false;
    return true;
}

static bool correlate_read_arguments(correlator *c)
{
    const char *y = ws_cli_value(c->cli, "y"), *x = ws_cli_value(c->cli, "x");
    c->y_name = y ? y : "gpu_power_w";
    c->n_x = ws_data_list(c->cli, x ? x : "samples_per_gpuh,passes_per_gpuh", &c->x_names);
    if (!c->n_x || c->n_x > MOST_PREDICTORS)
        return ws_cli_usage(c->cli, "--x takes 1 to %d columns", MOST_PREDICTORS), false;
    int64_t draws = 0, seed = 1;
    const char *text = ws_cli_value(c->cli, "permutations"), *start = ws_cli_value(c->cli, "seed");
    if (text && (!ws_span_i64(ws_span_of(text), &draws) || draws < 100 || draws > 1000000))
        return ws_cli_usage(c->cli, "--permutations '%s' is no whole number from 100 to 1000000", text), false;
    if (start && (!ws_span_i64(ws_span_of(start), &seed) || seed < 0))
        return ws_cli_usage(c->cli, "--seed '%s' is no whole number", start), false;
    c->draws = (size_t)draws;
    c->seed = (uint64_t)seed;
    return ws_data_unit(c->cli, &c->by_run) && ws_data_level(c->cli, &c->level);
}

static int run_correlate(ws_cli *cli)
{
    correlator c = {.cli = cli};
    const char *per;
    if (!correlate_read_arguments(&c) || !ws_data_per(cli, &per))
        return WS_EXIT_USAGE;
    ws_table data = {0};
    ws_row_groups groups = {0};
    c.columns = ws_arena_alloc(&cli->arena, (c.n_x + 2) * sizeof *c.columns);
    memcpy(c.columns, c.x_names, c.n_x * sizeof *c.columns);
    c.columns[c.n_x] = c.y_name;
    int status = ws_data_table(cli, cli->arguments[0], c.columns, &data);
    c.data = &data;
    if (status == WS_EXIT_OK && (!find_columns(&c) || !ws_data_per_has_use(cli, &data, c.columns, c.n_x + 1) ||
                                 !ws_data_group(cli, &data, ws_cli_value(cli, "by"), &groups)))
        status = WS_EXIT_USAGE;
    if (status == WS_EXIT_OK) {
        ws_data_equal_work(cli, &data, &groups, c.columns, c.n_x + 1, NULL);
        status = correlate_groups(&c, &groups);
    }
    ws_row_groups_free(&groups);
    ws_table_free(&data);
    return status;
}

const ws_command ws_command_correlate = {
    .name = "correlate",
    .arguments = "DATA",
    .summary = "correlation and regression of power against throughput",
    .description =
        "Pearson's, Spearman's and Kendall's correlation of y with each x, with interval and p-value (exact where that "
        "can be had), and the regression of y on all of them together: by default the mean power of a GPU on the "
        "samples and on the passes that a GPU makes in an hour. A point is the mean of a configuration's runs, since "
        "repeats are no independent points (--unit run takes every run).\n\n"
        "The table for people has a row for each x, Pearson's; --all-columns and the forms for programs have all of "
        "it. Behind the regression stand for each x its variance inflation, its effect in standard deviations and its "
        "partial correlation, the condition number, and for each two the turnover: how much the second has to change "
        "for one more of the first so that y stays the same, "
        "with Fieller's interval.\n\n"
        "At constant local batch size samples and passes per GPUh are exactly proportional. Their effects cannot be "
        "told apart then, and the row says collinear instead of numbers.",
    .options = options,
    .example = "wattscale correlate datasets/demo --by series",
    .least = 1,
    .most = 1,
    .run = run_correlate,
};
