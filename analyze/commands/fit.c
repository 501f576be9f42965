#include "analyze/commands/data.h"

#include "fit/fit.h"
#include "fit/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_option options[] = {
    {"x", 0, "COLUMN", "the predictor (needed)"},
    {"y", 0, "COLUMN", "the response (needed)"},
    {"by", 0, "COLUMNS", "a fit for each group of rows that agree in these"},
    {"level", 0, "LEVEL", "of the intervals, 0.95 unless given"},
    {"residuals", 0, NULL, "the residuals, a row a point, instead of the estimates"},
    WS_OPTIONS_CAMPAIGN,
    {NULL, 0, NULL, NULL},
};

typedef ws_status fit_function(const double *x, const double *y, size_t n, double level, ws_fit *fit, double *residual,
                               ws_error *error);

typedef struct model {
    const char *name;
    fit_function *fit;
    bool in_logs; /* residuals are differences of natural logarithms */
} model;

/* The laws of fit/laws.h by least squares of y itself, all points alike. */
#define LAW(name)                                                                                            \
    static ws_status fit_##name(const double *x, const double *y, size_t n, double level, ws_fit *fit,       \
                                double *residual, ws_error *error)                                           \
    {                                                                                                        \
        return ws_fit_##name(&(ws_law_input){.x = x, .y = y, .n = n, .level = level}, fit, residual, error); \
    }
LAW(powerlaw_direct)
LAW(floor)
LAW(amdahl)
LAW(gustafson)
LAW(usl)

static const model models[] = {
    {"line", ws_fit_line, false},        {"origin", ws_fit_origin, false},
    {"powerlaw", ws_fit_powerlaw, true}, {"powerlaw-direct", fit_powerlaw_direct, false},
    {"floor", fit_floor, false},         {"amdahl", fit_amdahl, false},
    {"gustafson", fit_gustafson, false}, {"usl", fit_usl, false},
};

static const model *find_model(const ws_cli *cli)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].name, cli->arguments[0]) == 0)
            return &models[i];
    ws_cli_usage(
        cli, "there is no model '%s': line, origin, powerlaw, powerlaw-direct, floor, amdahl, gustafson and usl are",
        cli->arguments[0]);
    return NULL;
}

/* The points of one group: rows that have both values. */
typedef struct points {
    double *x, *y, *residual;
    size_t *rows, n, without;
} points;

static points take_points(const ws_table *table, const ws_row_group *group, size_t x, size_t y)
{
    points p = {ws_alloc((group->n + 1) * sizeof(double)),
                ws_alloc((group->n + 1) * sizeof(double)),
                ws_alloc((group->n + 1) * sizeof(double)),
                ws_alloc((group->n + 1) * sizeof(size_t)),
                0,
                0};
    for (size_t i = 0; i < group->n; i++) {
        double vx = ws_table_number(table, x, group->rows[i]), vy = ws_table_number(table, y, group->rows[i]);
        if (isnan(vx) || isnan(vy)) {
            p.without++;
            continue;
        }
        p.x[p.n] = vx;
        p.y[p.n] = vy;
        p.rows[p.n++] = group->rows[i];
    }
    return p;
}

static void free_points(points *p)
{
    free(p->x);
    free(p->y);
    free(p->residual);
    free(p->rows);
}

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
    LOOCV
};

static void init_estimates(ws_table *t)
{
    static const struct {
        const char *name;
        ws_column_kind kind;
    } columns[] = {{"group", WS_TEXT},   {"model", WS_TEXT},        {"n", WS_INTEGER},      {"parameter", WS_TEXT},
                   {"value", WS_NUMBER}, {"stderr", WS_NUMBER},     {"ci_lo", WS_NUMBER},   {"ci_hi", WS_NUMBER},
                   {"unit", WS_TEXT},    {"null_value", WS_NUMBER}, {"p_value", WS_NUMBER}, {"status", WS_TEXT},
                   {"r2", WS_NUMBER},    {"r2_kind", WS_TEXT},      {"rss", WS_NUMBER},     {"df", WS_NUMBER},
                   {"sigma", WS_NUMBER}, {"aic", WS_NUMBER},        {"aicc", WS_NUMBER},    {"bic", WS_NUMBER},
                   {"loocv", WS_NUMBER}};
    ws_table_init(t, "fit");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(t, columns[i].name, columns[i].kind);
    static const size_t details[] = {UNIT, NULL_VALUE, RSS, DF, SIGMA, AIC, AICC, BIC, LOOCV};
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        ws_table_set_detail(t, details[i]);
}

static void init_residuals(ws_table *t)
{
    ws_table_init(t, "residuals");
    ws_table_add_column(t, "group", WS_TEXT);
    ws_table_add_column(t, "place", WS_TEXT);
    static const char *const numbers[] = {"x", "y", "fitted", "residual"};
    for (size_t i = 0; i < 4; i++)
        ws_table_add_column(t, numbers[i], WS_NUMBER);
    ws_table_add_column(t, "scale", WS_TEXT);
}

/* Slopes and ratios are y per x, intercepts and factors y, exponents and smearing pure numbers. */
static const char *unit_of(ws_table *t, const char *parameter, const char *x, const char *y)
{
    if (strstr(parameter, "slope") || strstr(parameter, "ratio"))
        return ws_arena_printf(&t->arena, "%s/%s", y, x);
    return strstr(parameter, "exponent") || strcmp(parameter, "smearing") == 0 ? "1" : y;
}

static void add_model_figures(ws_table *t, size_t row, const ws_fit *fit)
{
    const double values[] = {fit->rss, fit->df, fit->sigma, fit->aic, fit->aicc, fit->bic, fit->loocv};
    ws_table_set_number(t, R2, row, fit->r2);
    ws_table_set_text(t, R2_KIND, row, fit->r2_kind);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        ws_table_set_number(t, RSS + i, row, values[i]);
}

static void add_estimates(ws_table *t, const ws_row_group *group, const ws_fit *fit, const char *x, const char *y)
{
    size_t rows = fit->n_estimates ? fit->n_estimates : 1;
    for (size_t i = 0; i < rows; i++) {
        size_t row = ws_table_add_row(t);
        ws_table_set_text(t, GROUP, row, group->label);
        ws_table_set_text(t, MODEL, row, fit->model);
        ws_table_set_integer(t, N, row, (int64_t)fit->n);
        ws_table_set_text(t, STATUS, row, ws_fit_status_name(fit->status));
        if (i == 0)
            add_model_figures(t, row, fit);
        if (!fit->n_estimates)
            continue;
        const ws_estimate *e = &fit->estimate[i];
        ws_table_set_text(t, PARAMETER, row, e->name);
        ws_table_set_number(t, VALUE, row, e->value);
        ws_table_set_number(t, STDERR, row, e->se);
        ws_table_set_number(t, CI_LO, row, e->ci_lo);
        ws_table_set_number(t, CI_HI, row, e->ci_hi);
        ws_table_set_number(t, NULL_VALUE, row, e->null_value);
        ws_table_set_number(t, P_VALUE, row, e->p_value);
        ws_table_set_text(t, UNIT, row, unit_of(t, e->name, x, y));
    }
}

static void add_residuals(ws_table *t, const ws_table *data, const ws_row_group *group, const points *p, const model *m)
{
    char place[320];
    for (size_t i = 0; i < p->n; i++) {
        size_t row = ws_table_add_row(t);
        double fitted = m->in_logs ? exp(log(p->y[i]) - p->residual[i]) : p->y[i] - p->residual[i];
        const double values[] = {p->x[i], p->y[i], fitted, p->residual[i]};
        ws_table_set_text(t, 0, row, group->label);
        ws_table_set_text(t, 1, row, ws_table_place(data, p->rows[i], place));
        for (size_t v = 0; v < 4; v++)
            ws_table_set_number(t, 2 + v, row, values[v]);
        ws_table_set_text(t, 6, row, m->in_logs ? "natural logarithm" : "as measured");
    }
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Estimators know arrays and speak of x and y; people read the columns' names. */
static void name_in_sentence(const char *sentence, const char *x, const char *y, char *out, size_t size)
{
    size_t used = 0;
    char before = ' ';
    for (const char *c = sentence; *c && used + 1 < size; before = *c++) {
        bool alone = !is_word_char(before) && !is_word_char(c[1]);
        const char *name = alone && *c == 'x' ? x : alone && *c == 'y' ? y : NULL;
        int n = name ? snprintf(out + used, size - used, "%s", name) : snprintf(out + used, size - used, "%c", *c);
        used += (size_t)n;
    }
    out[used < size ? used : size - 1] = '\0';
}

typedef struct fitter {
    ws_cli *cli;
    const model *model;
    const ws_table *data;
    const char *x_name, *y_name;
    size_t x, y;
    double level;
    size_t n_points, n_failed;
    ws_error first; /* what the first group that failed says */
    ws_table *out;
} fitter;

/* A group whose numbers cannot be worked with is a row without estimates: the others are fitted all the same. */
static void add_failure(fitter *f, const ws_row_group *group, const points *p, const ws_error *why)
{
    char sentence[2 * sizeof why->message];
    name_in_sentence(why->message, f->x_name, f->y_name, sentence, sizeof sentence);
    ws_notes_add(&f->out->notes, "no-fit", f->data->source, group->label, 0, "%s against %s: %s", f->y_name, f->x_name,
                 sentence);
    if (!f->n_failed++)
        ws_fail_at(&f->first, why->status, f->data->source, 0, "%s: %s", group->label, sentence);
    if (ws_cli_has(f->cli, "residuals"))
        return;
    size_t row = ws_table_add_row(f->out);
    ws_table_set_text(f->out, GROUP, row, group->label);
    ws_table_set_text(f->out, MODEL, row, f->model->name);
    ws_table_set_integer(f->out, N, row, (int64_t)p->n);
    ws_table_set_text(f->out, STATUS, row, "failed");
}

static void fit_group(fitter *f, const ws_row_group *group)
{
    ws_error why = {0};
    points p = take_points(f->data, group, f->x, f->y);
    f->n_points += p.n;
    ws_fit fit = {0};
    ws_status status = f->model->fit(p.x, p.y, p.n, f->level, &fit, p.residual, &why);
    ws_notes_add_many(&f->out->notes, p.without, "incomplete-row", f->data->source, group->label, 0,
                      "rows of '%s' without %s or %s are left out", group->label, f->x_name, f->y_name);
    if (status == WS_OK) {
        char sentence[2 * sizeof fit.sentence];
        name_in_sentence(fit.sentence, f->x_name, f->y_name, sentence, sizeof sentence);
        ws_notes_add(&f->out->notes, "fit", "", group->label, 0, "%s", sentence);
        if (!ws_cli_has(f->cli, "residuals"))
            add_estimates(f->out, group, &fit, f->x_name, f->y_name);
        else if (fit.n_estimates)
            add_residuals(f->out, f->data, group, &p, f->model);
    } else {
        add_failure(f, group, &p, &why);
    }
    free_points(&p);
}

static int fit_groups(fitter *f, const ws_row_groups *groups)
{
    ws_error error = {0};
    ws_table out;
    f->out = &out;
    if (ws_cli_has(f->cli, "residuals"))
        init_residuals(&out);
    else
        init_estimates(&out);
    ws_notes_append(&out.notes, &f->data->notes);
    out.synthetic = f->data->synthetic;
    ws_status status = WS_OK;
    for (size_t i = 0; i < groups->n; i++)
        fit_group(f, &groups->items[i]);
    const char *columns[] = {f->x_name, f->y_name, NULL};
    if (!f->n_points) {
        status = ws_data_none_left(f->data, columns, &error);
    } else if (f->n_failed == groups->n) {
        error = f->first;
        status = error.status;
    }
    int exit_status = status == WS_OK ? ws_cli_output(f->cli, &out) : ws_cli_fail(f->cli, &error);
    ws_table_free(&out);
    return exit_status;
}

static int run(ws_cli *cli)
{
    fitter f = {
        .cli = cli, .model = find_model(cli), .x_name = ws_cli_value(cli, "x"), .y_name = ws_cli_value(cli, "y")};
    if (!f.model || !ws_data_level(cli, &f.level))
        return WS_EXIT_USAGE;
    if (!f.x_name || !f.y_name)
        return ws_cli_usage(cli, "--x and --y are needed: the columns to fit");
    ws_table data = {0};
    ws_row_groups groups = {0};
    const char *needed[] = {f.x_name, f.y_name, NULL};
    int status = ws_data_table(cli, cli->arguments[1], needed, &data);
    f.data = &data;
    if (status == WS_EXIT_OK &&
        (!ws_data_column(cli, &data, f.x_name, &f.x) || !ws_data_column(cli, &data, f.y_name, &f.y) ||
         !ws_data_group(cli, &data, ws_cli_value(cli, "by"), &groups)))
        status = WS_EXIT_USAGE;
    if (status == WS_EXIT_OK)
        status = fit_groups(&f, &groups);
    ws_row_groups_free(&groups);
    ws_table_free(&data);
    return status;
}

const ws_command ws_command_fit = {
    .name = "fit",
    .arguments = "MODEL DATA",
    .summary = "a line, a line through the origin or a scaling law, by group",
    .description =
        "MODEL is line (y = intercept + slope x), origin (y = slope x) or powerlaw (y = factor x^exponent, by least squares\n"
        "of the logarithms). DATA is a campaign or any table that has the columns. Each estimate comes with its standard\n"
        "error, an interval from Student's t and a p-value against null_value; R2 names its kind, and a sentence on standard\n"
        "error says what the fit says.\n"
        "\n"
        "origin shows its sisters beside it: the ratio of sums, the mean of ratios, and slope and intercept of the line that\n"
        "is free to miss the origin. They answer different questions, and none is chosen silently.\n"
        "\n"
        "The scaling laws, by nonlinear least squares of y itself: powerlaw-direct, floor (factor x^exponent + floor), amdahl\n"
        "(time with a serial fraction), gustafson (scaled speed-up), usl (throughput with contention and coherency, and its\n"
        "peak).\n"
        "\n"
        "An undefined answer is an answer: the column status says exact (as many points as parameters), perfect, constant,\n"
        "too-few, not-positive, not-converged or not-identified, and the sentence why.",
    .options = options,
    .example =
        "wattscale fit origin datasets/huber2025/scaled.csv --x gpu_h --y energy_kwh --by series --exclude 'gpus<4'",
    .least = 2,
    .most = 2,
    .run = run,
};
