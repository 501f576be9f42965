/* Frey et al. 2022, Tables 1 to 6: the models, and the exponents of time per epoch over GPUs, with what the paper does
 * not print: standard error, interval, p, and whether the levels of a study share one exponent. Which runs stand in
 * which table: frey_studies.h. */
#include "analyze/recipes/frey_studies.h"
#include "analyze/recipes/recipe.h"

#include "fit/tests/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exponents that differ by less count as the same (docs/papers.md asks so of the printed ones). */
static const double MARGIN = 0.05;
static const double LEVEL = 0.95;

enum {
    MODEL,
    MODEL_CLASS,
    POWER_CAP,
    CLOCK_CAP,
    PER,
    N,
    N_RUNS,
    BETA,
    BETA_SE,
    BETA_LO,
    BETA_HI,
    P_VALUE,
    R2,
    MAX_GPUS,
    STATUS,
    EQUAL_P,
    EQUIVALENT_P,
    N_COLUMNS,
    SETTING = N_COLUMNS /* where levels are told apart by one: the last */
};
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[N_COLUMNS] = {
    {"model", WS_TEXT},         {"model_class", WS_TEXT}, {"power_cap_w", WS_NUMBER}, {"clock_cap_mhz", WS_NUMBER},
    {"per", WS_TEXT},           {"n", WS_INTEGER},        {"n_runs", WS_INTEGER},     {"beta", WS_NUMBER},
    {"beta_se", WS_NUMBER},     {"beta_lo", WS_NUMBER},   {"beta_hi", WS_NUMBER},     {"p_value", WS_NUMBER},
    {"r2", WS_NUMBER},          {"max_gpus", WS_NUMBER},  {"status", WS_TEXT},        {"equal_slopes_p", WS_NUMBER},
    {"equivalent_p", WS_NUMBER}};

static ws_status add_row(const ws_table *runs, const ws_level *level, const ws_points *p, ws_table *out,
                         ws_error *error)
{
    ws_fit fit = {0};
    const ws_levels one = {(ws_level *)level, 1};
    ws_status status = ws_fit_powerlaw_unequal(p->x, p->y, p->n, LEVEL, &fit, NULL, error);
    const ws_estimate *e = ws_fit_estimate(&fit, "exponent");
    size_t row = ws_table_add_row(out);
    ws_table_set_text(out, MODEL, row, level->model);
    if (level->part)
        ws_table_set_text(out, SETTING, row, level->part);
    if (level->model_class)
        ws_table_set_text(out, MODEL_CLASS, row, level->model_class);
    ws_table_set_number(out, POWER_CAP, row, level->power_cap_w);
    ws_table_set_number(out, CLOCK_CAP, row, level->clock_cap_hz / 1e6);
    ws_table_set_text(out, PER, row, ws_work_name(ws_levels_have_epochs(runs, &one) ? WS_PER_EPOCH : WS_PER_RUN));
    ws_table_set_integer(out, N, row, (int64_t)p->n);
    ws_table_set_integer(out, N_RUNS, row, (int64_t)p->n_runs);
    ws_table_set_number(out, MAX_GPUS, row, p->n ? p->x[p->n - 1] : NAN);
    ws_table_set_text(out, STATUS, row, ws_fit_status_name(fit.status));
    if (status != WS_OK || !e)
        return status;
    const double values[] = {-e->value, e->se, -e->ci_hi, -e->ci_lo, e->p_value, fit.r2};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ws_table_set_number(out, BETA + i, row, values[i]);
    return WS_OK;
}

static bool is_part(const ws_level *level, const char *part)
{
    return strcmp(level->part ? level->part : "", part) == 0;
}

/* Of the levels of one part: p that the levels share one exponent (F test), and that all differ by less than MARGIN
 * (the largest p of the pairs' two one-sided tests), beside each of them. */
static ws_status compare_levels(const ws_levels *levels, const char *part, const ws_points *points, ws_table *out,
                                ws_error *error)
{
    size_t all = 0, k = 0, n = levels->n;
    for (size_t l = 0; l < n; l++)
        all += points[l].n;
    double *x = ws_alloc((2 * all + 1) * sizeof *x), *y = x + all, largest = 0;
    size_t *group = ws_alloc((all + 1) * sizeof *group);
    ws_slopes slopes = {0};
    all = 0;
    for (size_t l = 0; l < n; l++) {
        if (!is_part(&levels->items[l], part))
            continue;
        for (size_t i = 0; i < points[l].n; i++) {
            x[all] = log(points[l].x[i]);
            y[all] = log(points[l].y[i]);
            group[all++] = k;
        }
        k += points[l].n > 0;
    }
    ws_status status = k > 1 ? ws_compare_slopes(x, y, group, all, k, LEVEL, MARGIN, &slopes, error) : WS_OK;
    for (size_t i = 0; i < slopes.n_pairs; i++)
        largest = fmax(largest, slopes.pair[i].p_equivalent);
    for (size_t row = 0; row < out->n_rows && status == WS_OK && k > 1 && slopes.status == WS_FIT_OK; row++) {
        if (!is_part(&levels->items[row], part))
            continue;
        ws_table_set_number(out, EQUAL_P, row, slopes.equal_slopes.p_value);
        ws_table_set_number(out, EQUIVALENT_P, row, largest);
    }
    ws_slopes_free(&slopes);
    free(group);
    free(x);
    return status;
}

static ws_status make_exponents(const ws_table *runs, const char *name, ws_study study, ws_model_kind kind,
                                const char *what, ws_table *out, ws_error *error)
{
    ws_arena *arena = &out->arena;
    ws_levels levels = ws_study_levels(arena, runs, study, kind);
    ws_status status = WS_OK;
    if (!levels.n)
        return ws_fail_recipe(error, runs->source, "", "has ", "no %s", what);
    if (ws_levels_split(runs, name, &levels, arena, error) != WS_OK)
        return WS_DATA;
    for (size_t c = 0; c < N_COLUMNS; c++)
        ws_table_add_column(out, columns[c].name, columns[c].kind);
    for (size_t l = 0; l < levels.n && out->n_columns == N_COLUMNS; l++)
        if (levels.items[l].part)
            ws_table_add_column(out, "setting", WS_TEXT);
    ws_points *points = ws_arena_alloc(arena, levels.n * sizeof *points);
    for (size_t l = 0; l < levels.n && status == WS_OK; l++) {
        points[l] = ws_level_points(arena, runs, &levels.items[l], "wall_s", true);
        status = add_row(runs, &levels.items[l], &points[l], out, error);
    }
    for (size_t l = 0; l < levels.n && status == WS_OK; l++) {
        bool is_first = true;
        const char *part = levels.items[l].part ? levels.items[l].part : "";
        for (size_t k = 0; k < l; k++)
            is_first &= !is_part(&levels.items[k], part);
        if (is_first)
            status = compare_levels(&levels, part, points, out, error);
    }
    if (status == WS_OK && !ws_table_has_values(out, BETA))
        return ws_fail_recipe(error, runs->source, name, ": ",
                              "no model was run on enough numbers of GPUs (gpus) for a law of its time");
    return status;
}

static ws_status make_table1(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error)
{
    (void)scale;
    ws_levels levels = ws_study_levels(&out->arena, runs, WS_STUDY_UNCAPPED, WS_ANY_MODEL);
    if (!levels.n)
        return ws_fail_recipe(error, runs->source, "", "has ", "no model with a number of GPUs");
    ws_table_add_column(out, "model_class", WS_TEXT);
    ws_table_add_column(out, "model", WS_TEXT);
    for (size_t i = 0; i < levels.n; i++) {
        bool is_again = false; /* on another device */
        for (size_t k = 0; k < i; k++)
            is_again |= strcmp(levels.items[k].model, levels.items[i].model) == 0;
        if (is_again)
            continue;
        size_t row = ws_table_add_row(out);
        if (levels.items[i].model_class)
            ws_table_set_text(out, 0, row, levels.items[i].model_class);
        ws_table_set_text(out, 1, row, levels.items[i].model);
    }
    if (!ws_table_has_values(out, 0))
        return ws_fail_recipe(error, runs->source, "", "has ", "no class of a model (model_class)");
    return WS_OK;
}

#define EXPONENTS(n, study, kind, what)                                                                         \
    static ws_status make_table##n(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error) \
    {                                                                                                           \
        (void)scale;                                                                                            \
        return make_exponents(runs, "frey/table" #n, study, kind, what, out, error);                            \
    }
EXPONENTS(2, WS_STUDY_UNCAPPED, WS_ANY_MODEL, "model with a number of GPUs")
EXPONENTS(3, WS_STUDY_CLOCKS, WS_GEOMETRIC, "geometric model under several clocks (model_class, clock_cap_hz)")
EXPONENTS(4, WS_STUDY_CAPS, WS_GEOMETRIC, "geometric model under several power caps (model_class, power_cap_w)")
EXPONENTS(5, WS_STUDY_CAPS, WS_LANGUAGE, "language model under several power caps (model_class, power_cap_w)")
EXPONENTS(6, WS_STUDY_CAPS, WS_VISION, "vision model under several power caps (model_class, power_cap_w)")

#define TABLE(n, summary_of)                                       \
    const ws_table_recipe ws_table_frey_table##n = {               \
        .name = "frey/table" #n,                                   \
        .summary = summary_of " (Frey et al. 2022, Table " #n ")", \
        .make = make_table##n,                                     \
    };
TABLE(1, "models and their classes")
TABLE(2, "exponents of time per epoch, each model at its highest power cap and clock")
TABLE(3, "exponents of a geometric model under clocks")
TABLE(4, "exponents of a geometric model under power caps")
TABLE(5, "exponents of a language model under power caps")
TABLE(6, "exponents of a vision model under power caps")
