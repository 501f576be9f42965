/* `--compare` and `fit slopes`: do groups share a slope? From their points, or from printed slopes with errors. */
#include "analyze/commands/fit_parts.h"

#include "fit/tests/mean_and_spread.h"
#include "fit/estimate.h"
#include "fit/tests/groups.h"
#include "fit/tests/random_effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHAT, A, B, N, VALUE, STDERR, CI_LO, CI_HI, STATISTIC, DF1, DF2, P_VALUE, P_HOLM, P_EQUIVALENT, STATUS };

static void fit_compare_init(ws_table *t)
{
    static const ws_fit_column columns[] = {[WHAT] = {"what", WS_TEXT},
                                            [A] = {"a", WS_TEXT},
                                            [B] = {"b", WS_TEXT},
                                            [N] = {"n", WS_INTEGER},
                                            [VALUE] = {"value", WS_NUMBER},
                                            [STDERR] = {"stderr", WS_NUMBER},
                                            [CI_LO] = {"ci_lo", WS_NUMBER},
                                            [CI_HI] = {"ci_hi", WS_NUMBER},
                                            [STATISTIC] = {"statistic", WS_NUMBER},
                                            [DF1] = {"df1", WS_NUMBER},
                                            [DF2] = {"df2", WS_NUMBER},
                                            [P_VALUE] = {"p_value", WS_NUMBER},
                                            [P_HOLM] = {"p_holm", WS_NUMBER},
                                            [P_EQUIVALENT] = {"p_equivalent", WS_NUMBER},
                                            [STATUS] = {"status", WS_TEXT},
                                            {NULL, WS_TEXT}};
    static const size_t details[] = {N, STDERR, STATISTIC, DF1, DF2};
    ws_fit_columns(t, "slopes", columns);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        ws_table_set_detail(t, details[i]);
    ws_table_set_place(t, WHAT, WS_HEADING);
    t->screen_keys = 2; /* a and b */
}

static size_t fit_compare_add_row(ws_table *t, const char *what, const char *a, const char *status)
{
    size_t row = ws_table_add_row(t);
    ws_table_set_text(t, WHAT, row, what);
    if (a)
        ws_table_set_text(t, A, row, a);
    ws_table_set_text(t, STATUS, row, status);
    return row;
}

static void add_test(ws_fitter *f, const char *what, const ws_test *test)
{
    if (!test->sentence[0]) /* never asked: printed slopes have no intercepts */
        return;
    ws_table *t = f->out;
    const char *name = strcmp(what, test->name) == 0 ? NULL : test->name;
    size_t row = fit_compare_add_row(t, what, name, ws_fit_status_name(test->status));
    const double values[] = {test->statistic, test->df1, test->df2, test->p_value};
    for (size_t v = 0; v < 4; v++)
        ws_table_set_number(t, STATISTIC + v, row, values[v]);
    ws_fit_note(f, what, test->sentence);
}

static void add_interval(ws_table *t, size_t row, double value, double half)
{
    ws_table_set_number(t, CI_LO, row, value - half);
    ws_table_set_number(t, CI_HI, row, value + half);
}

static void add_line(ws_table *t, const char *label, const ws_group_line *line, double level)
{
    size_t row = fit_compare_add_row(t, "slope", label,
                                     isnan(line->slope) ? "constant"
                                     : isnan(line->se)  ? "exact"
                                                        : "ok");
    ws_table_set_integer(t, N, row, (int64_t)line->n);
    ws_table_set_number(t, VALUE, row, line->slope);
    ws_table_set_number(t, STDERR, row, line->se);
    if (line->se > 0 && line->n > 2)
        add_interval(t, row, line->slope, ws_student_quantile(level, line->df) * line->se);
}

static void add_pair(ws_table *t, const ws_slope_pair *pair, const char *const *labels)
{
    size_t row = fit_compare_add_row(t, "difference", labels[pair->a], isnan(pair->p_value) ? "too-few" : "ok");
    ws_table_set_text(t, B, row, pair->b == WS_SLOPE_COMMON ? "common slope" : labels[pair->b]);
    const double values[] = {pair->difference, pair->se, pair->ci_lo, pair->ci_hi};
    const double tests[] = {pair->p_value, pair->p_holm, pair->p_equivalent};
    for (size_t v = 0; v < 4; v++)
        ws_table_set_number(t, VALUE + v, row, values[v]);
    for (size_t v = 0; v < 3; v++)
        ws_table_set_number(t, P_VALUE + v, row, tests[v]);
}

/* The mean of all groups that might have been measured, and where one more of them would lie. `equal`: the test of
 * equal slopes, which knows better than Cochran's Q of errors that are taken as known; NULL: there is none. */
static ws_status add_random_effects(ws_fitter *f, const double *value, const double *se, size_t k, const ws_test *equal,
                                    ws_error *error)
{
    ws_random_effects r;
    ws_status status = k > 1 ? ws_random_effects_of(value, se, k, f->settings.level, &r, error) : WS_OK;
    if (k < 2 || status != WS_OK)
        return status;
    size_t mean = fit_compare_add_row(f->out, "mean slope", "each group alike", "ok"),
           next = fit_compare_add_row(f->out, "one more group", "prediction", "ok"),
           weighted = fit_compare_add_row(f->out, "weighted mean", "random effects", "ok"),
           tau = fit_compare_add_row(f->out, "sd between groups", "random effects", "ok");
    const ws_estimate *const means[] = {&r.alike, &r.mean};
    const size_t rows[] = {mean, weighted};
    for (size_t m = 0; m < 2; m++) {
        const double values[] = {means[m]->value, means[m]->se, means[m]->ci_lo, means[m]->ci_hi};
        for (size_t v = 0; v < 4; v++)
            ws_table_set_number(f->out, VALUE + v, rows[m], values[v]);
        ws_table_set_integer(f->out, N, rows[m], (int64_t)k);
        ws_table_set_number(f->out, P_VALUE, rows[m], means[m]->p_value);
    }
    ws_table_set_number(f->out, VALUE, next, r.alike.value);
    ws_table_set_number(f->out, CI_LO, next, r.next_lo);
    ws_table_set_number(f->out, CI_HI, next, r.next_hi);
    ws_table_set_number(f->out, VALUE, tau, r.tau);
    const ws_test *test = equal ? equal : &r.q;
    const double tests[] = {test->statistic, test->df1, test->df2, test->p_value};
    for (size_t v = 0; v < 4; v++)
        ws_table_set_number(f->out, STATISTIC + v, tau, tests[v]);
    bool may_be_chance = equal && r.tau > 0 && !(equal->p_value < 1 - f->settings.level);
    const char *chance = may_be_chance ? ws_arena_printf(&f->cli->arena,
                                                         "; slopes do not differ noticeably (%s), so that their spread "
                                                         "may be chance",
                                                         ws_words_p(equal->p_value).text)
                                       : "";
    ws_fit_note(f, "random effects", ws_arena_printf(&f->cli->arena, "%s%s", r.sentence, chance));
    return WS_OK;
}

/* Of points: each slope with the error of the pooled residuals, as the differences have it. */
static ws_status add_random_effects_of_lines(ws_fitter *f, const ws_slopes *s, ws_error *error)
{
    double *value = ws_alloc((2 * s->n_groups + 1) * sizeof *value), *se = value + s->n_groups;
    for (size_t g = 0; g < s->n_groups; g++) {
        value[g] = s->line[g].slope;
        se[g] = s->sigma / sqrt(s->line[g].sxx);
    }
    ws_status status = add_random_effects(f, value, se, s->n_groups, &s->equal_slopes, error);
    free(value);
    return status;
}

static void add_slopes(ws_fitter *f, const ws_slopes *s, const char *const *labels)
{
    ws_table *t = f->out;
    ws_fit_note(f, "slopes", s->sentence);
    for (size_t g = 0; s->line && g < s->n_groups; g++)
        add_line(t, labels[g], &s->line[g], f->settings.level);
    size_t row = fit_compare_add_row(t, "common slope", NULL, ws_fit_status_name(s->status));
    ws_table_set_integer(t, N, row, (int64_t)s->n);
    const double values[] = {s->common.value, s->common.se, s->common.ci_lo, s->common.ci_hi};
    for (size_t v = 0; v < 4; v++)
        ws_table_set_number(t, VALUE + v, row, values[v]);
    add_test(f, "equal slopes", &s->equal_slopes);
    add_test(f, "equal intercepts", &s->equal_intercepts);
    add_test(f, "one line for all", &s->coincident);
    for (size_t i = 0; s->pair && i < s->n_pairs; i++)
        add_pair(t, &s->pair[i], labels);
}

/* The points of all groups behind each other, in logs where the model has them. */
typedef struct all_points {
    double *x, *y;
    size_t *group, n, n_groups;
    const char **labels; /* of the groups that have a slope */
    ws_slope_error *own; /* of their slopes; NULL: not asked for */
} all_points;

/* Why a group has no slope to compare: NULL where it has one. */
static const char *why_left_out(ws_fitter *f, const ws_fit_points *p)
{
    char place[320], x[WS_DOUBLE_TEXT];
    ws_arena *arena = &f->cli->arena;
    for (size_t i = 0; f->model->in_logs && i < p->n; i++)
        if (!(p->x[i] > 0) || !(p->y[i] > 0))
            return ws_arena_printf(arena, "%s: %s or %s is not above zero and has no logarithm",
                                   ws_table_place(f->data, p->rows[i], place), f->x_name, f->y_name);
    for (size_t i = 1; i < p->n; i++)
        if (p->x[i] != p->x[0])
            return NULL;
    ws_double_text(x, p->x[0]);
    return ws_arena_printf(arena, "%s is %s in all of its rows, so it has no slope", f->x_name, x);
}

/* The error of a slope as the fit of its group alone has it: it holds whether errors are of one size or in proportion
 * to y. {0} where it has none. */
static ws_slope_error own_error(ws_fitter *f, const ws_fit_points *p)
{
    ws_slope_error own = {0, 0};
    ws_fit_result result = {0};
    if (ws_fit_model_run(f->model, &f->settings, p, &result, NULL) != WS_OK || result.fit.status != WS_FIT_OK)
        return own;
    for (size_t i = 0; i < result.fit.n_estimates && !(own.se > 0); i++) {
        const ws_estimate *e = &result.fit.estimate[i];
        if (e->se > 0 && (strcmp(e->name, "slope") == 0 || strcmp(e->name, "exponent") == 0))
            own = (ws_slope_error){e->se, e->df > 0 ? e->df : result.fit.df};
    }
    return own;
}

static void gather_group(ws_fitter *f, const ws_row_group *group, all_points *all)
{
    ws_fit_points p = ws_fit_take(f, group);
    const char *reason = p.n ? why_left_out(f, &p) : NULL;
    f->n_points += p.n;
    if (reason)
        ws_notes_add(&f->out->notes, WS_FINDING_GROUP_LEFT_OUT, f->data->source, group->label, 0,
                     "'%s' is not compared: %s", group->label, reason);
    for (size_t i = 0; i < p.n && !reason; i++) {
        all->x[all->n] = f->model->in_logs ? log(p.x[i]) : p.x[i];
        all->y[all->n] = f->model->in_logs ? log(p.y[i]) : p.y[i];
        all->group[all->n++] = all->n_groups;
    }
    if (p.n && !reason && all->own)
        all->own[all->n_groups] = own_error(f, &p);
    if (p.n && !reason)
        all->labels[all->n_groups++] = group->label;
    ws_fit_points_free(&p);
}

static ws_status compare(ws_fitter *f, const ws_row_groups *groups, ws_error *error)
{
    all_points all = {.x = ws_alloc((f->data->n_rows + 1) * sizeof(double)),
                      .y = ws_alloc((f->data->n_rows + 1) * sizeof(double)),
                      .group = ws_alloc((f->data->n_rows + 1) * sizeof(size_t)),
                      .labels = ws_arena_alloc(&f->cli->arena, (groups->n + 1) * sizeof(char *))};
    const double level = f->settings.level, margin = f->settings.margin;
    bool is_pooled = f->settings.equal_errors || f->settings.by_run;
    ws_slopes slopes = {0};
    ws_status status = WS_OK;
    if (!is_pooled && groups->n <= WS_SLOPE_GROUPS_IN_PAIRS)
        all.own = ws_arena_alloc(&f->cli->arena, (groups->n + 1) * sizeof *all.own);
    for (size_t g = 0; g < groups->n; g++)
        gather_group(f, &groups->items[g], &all);
    if (all.n && is_pooled)
        status = ws_compare_slopes(all.x, all.y, all.group, all.n, all.n_groups, level, margin, &slopes, error);
    else if (all.n)
        status = ws_compare_slopes_unequal(all.x, all.y, all.group, all.n, all.n_groups, all.own, level, margin,
                                           &slopes, error);
    if (status == WS_OK && all.n)
        add_slopes(f, &slopes, all.labels);
    if (status == WS_OK && all.n && slopes.status == WS_FIT_OK)
        status = add_random_effects_of_lines(f, &slopes, error);
    if (status == WS_OK && !all.n && f->n_points)
        fit_compare_add_row(f->out, "common slope", NULL, ws_fit_status_name(WS_FIT_TOO_FEW));
    ws_slopes_free(&slopes);
    free(all.x);
    free(all.y);
    free(all.group);
    return status;
}

/* The error that the slope of a part would have by default; {0} where it has none. */
static ws_slope_error error_of_part(const ws_fit_points *p, const ws_row_group *part, bool in_logs, double level)
{
    double *x = ws_alloc((2 * part->n + 1) * sizeof *x), *y = x + part->n;
    for (size_t i = 0; i < part->n; i++) {
        x[i] = p->x[part->rows[i]];
        y[i] = p->y[part->rows[i]];
    }
    const ws_slope_error own = ws_slope_error_of(x, y, part->n, in_logs, level);
    free(x);
    return own;
}

/* The points of the parts that a group pools, those with two different x. Returns how many parts. */
static size_t gather_parts(const ws_row_groups *parts, const ws_fit_points *p, bool in_logs, double level,
                           all_points *all)
{
    all->n = all->n_groups = 0;
    for (size_t k = 0; k < parts->n; k++) {
        const ws_row_group *part = &parts->items[k];
        bool varies = false;
        for (size_t i = 1; i < part->n; i++)
            varies = varies || p->x[part->rows[i]] != p->x[part->rows[0]];
        for (size_t i = 0; varies && i < part->n; i++) {
            double x = p->x[part->rows[i]], y = p->y[part->rows[i]];
            all->x[all->n] = in_logs ? log(x) : x;
            all->y[all->n] = in_logs ? log(y) : y;
            all->group[all->n++] = all->n_groups;
        }
        if (varies && parts->n <= WS_SLOPE_GROUPS_IN_PAIRS)
            all->own[all->n_groups] = error_of_part(p, part, in_logs, level);
        all->n_groups += varies;
    }
    return all->n_groups;
}

static bool compare_parts(const all_points *all, size_t n_parts, double level, ws_slopes *slopes)
{
    return ws_compare_slopes_unequal(all->x, all->y, all->group, all->n, all->n_groups,
                                     n_parts <= WS_SLOPE_GROUPS_IN_PAIRS ? all->own : NULL, level, 0, slopes,
                                     NULL) == WS_OK;
}

/* One factor for groups that each have their own is none of theirs: their ratios of y to x, in logs. */
static void note_factors(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p)
{
    ws_row_groups parts = {0};
    const char *by = ws_data_parts(f->cli, f->data, p->rows, p->n, &parts);
    double *ratio = ws_alloc((p->n + 1) * sizeof *ratio), least = INFINITY, most = -INFINITY;
    size_t *of = ws_alloc((p->n + 1) * sizeof *of), n = 0;
    for (size_t k = 0; k < parts.n; k++) {
        double mean = 0;
        for (size_t i = 0; i < parts.items[k].n; i++, n++) {
            size_t at = parts.items[k].rows[i];
            ratio[n] = log(p->y[at] / p->x[at]);
            of[n] = k;
            mean += p->y[at] / p->x[at] / (double)parts.items[k].n;
        }
        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    ws_test test;
    ws_equal_means(ratio, of, n, parts.n, &test);
    if (by && test.p_value < 0.05)
        ws_notes_add(&f->out->notes, WS_FINDING_POOLED_GROUPS, f->data->source, group->label, 0,
                     "'%s' pools groups whose ratios of %s to %s differ, in the mean from %.4g to %.4g (F %.3g, %s): "
                     "--by %s keeps them apart",
                     group->label, f->y_name, f->x_name, least, most, test.statistic, ws_words_p(test.p_value).text,
                     by);
    ws_row_groups_free(&parts);
    free(ratio);
    free(of);
}

/* Slopes that differ are no slope of all; where they agree and levels differ, the slope of all holds the levels, too.
 */
static void note_lines(ws_fitter *f, const ws_row_group *group, const ws_slopes *slopes, bool in_logs, const char *by)
{
    bool bends = slopes->equal_slopes.p_value < WS_PARTS_DIFFER_P;
    const ws_test *test = bends ? &slopes->equal_slopes : &slopes->equal_intercepts;
    ws_notes_add(&f->out->notes, WS_FINDING_POOLED_GROUPS, f->data->source, group->label, 0,
                 "'%s' pools groups whose %s differ%s (F %.3g, %s): --by %s keeps them apart%s", group->label,
                 !bends    ? "levels"
                 : in_logs ? "exponents"
                           : "slopes",
                 bends     ? ""
                 : in_logs ? " at one exponent"
                           : " at one slope",
                 test->statistic, ws_words_p(test->p_value).text, by,
                 f->model->is_linear ? ", and --compare shows how they differ" : "");
}

static bool lines_differ(const ws_slopes *slopes)
{
    return slopes->equal_slopes.p_value < WS_PARTS_DIFFER_P || slopes->equal_intercepts.p_value < WS_PARTS_DIFFER_P;
}

/* Errors in proportion to y make slopes of y itself look apart that are not: those have to differ in logarithms, too,
 * where there are such. */
void ws_fit_note_parts(ws_fitter *f, const ws_row_group *group, const ws_fit_points *p)
{
    if (f->model->pools_factors) {
        note_factors(f, group, p);
        return;
    }
    ws_row_groups parts = {0};
    const char *by = ws_data_parts(f->cli, f->data, p->rows, p->n, &parts);
    all_points all = {.x = ws_alloc((p->n + 1) * sizeof(double)),
                      .y = ws_alloc((p->n + 1) * sizeof(double)),
                      .group = ws_alloc((p->n + 1) * sizeof(size_t)),
                      .own = ws_alloc((parts.n + 1) * sizeof(ws_slope_error))};
    const bool in_logs = ws_fit_in_logs(f) || f->model->bends;
    ws_slopes of_logs = {0}, slopes = {0};
    double level = f->settings.level;
    bool has_parts = by && gather_parts(&parts, p, true, level, &all) > 1,
         has_logs = has_parts && compare_parts(&all, parts.n, level, &of_logs),
         differ = has_parts && (has_logs ? lines_differ(&of_logs) : !in_logs);
    if (differ && in_logs)
        note_lines(f, group, &of_logs, true, by);
    else if (differ && gather_parts(&parts, p, false, level, &all) > 1 &&
             compare_parts(&all, parts.n, level, &slopes) && lines_differ(&slopes))
        note_lines(f, group, &slopes, false, by);
    ws_slopes_free(&of_logs);
    ws_slopes_free(&slopes);
    ws_row_groups_free(&parts);
    free(all.own);
    free(all.x);
    free(all.y);
    free(all.group);
}

static bool knows_lines(const ws_fit_model *model)
{
    return model->is_linear;
}

const ws_fit_view ws_fit_view_compare = {
    .option = "compare", .knows = knows_lines, .init = fit_compare_init, .whole = compare};

/* Printed slopes: a row each, y with its standard error. */
static ws_status compare_printed(ws_fitter *f, const ws_row_groups *groups, ws_error *error)
{
    const char **labels = ws_arena_alloc(&f->cli->arena, (f->data->n_rows + 1) * sizeof *labels);
    double *value = ws_arena_alloc(&f->cli->arena, (f->data->n_rows + 1) * sizeof *value);
    double *se = ws_arena_alloc(&f->cli->arena, (f->data->n_rows + 1) * sizeof *se);
    bool by = ws_cli_has(f->cli, "by");
    size_t n = 0;
    for (size_t g = 0; g < groups->n; g++) {
        ws_fit_points p = ws_fit_take(f, &groups->items[g]);
        for (size_t i = 0; i < p.n; i++, n++) {
            value[n] = p.y[i];
            se[n] = p.sd_y[i];
            labels[n] = by ? groups->items[g].label : ws_arena_printf(&f->cli->arena, "row %zu", p.rows[i] + 1);
        }
        f->n_points += p.n;
        ws_fit_points_free(&p);
    }
    ws_slopes slopes = {0};
    ws_status status =
        n ? ws_printed_slopes(value, se, n, f->settings.level, f->settings.margin, &slopes, error) : WS_OK;
    for (size_t i = 0; status == WS_OK && i < n; i++) {
        size_t row = fit_compare_add_row(f->out, "slope", labels[i], "ok");
        ws_table_set_number(f->out, VALUE, row, value[i]);
        ws_table_set_number(f->out, STDERR, row, se[i]);
        add_interval(f->out, row, value[i], ws_normal_quantile(f->settings.level) * se[i]);
    }
    if (status == WS_OK && n)
        add_slopes(f, &slopes, labels);
    if (status == WS_OK)
        status = add_random_effects(f, value, se, n, NULL, error);
    ws_slopes_free(&slopes);
    return status;
}

const ws_fit_view ws_fit_view_printed = {.init = fit_compare_init, .whole = compare_printed};
