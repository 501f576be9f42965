/* Tables of Huber et al. 2025, and those of its authors' scripts. */
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/recipe.h"
#include "analyze/recipes/verdict_marks.h"
#include "analyze/same_rows.h"
#include "analyze/scaling/scaling.h"
#include "analyze/unusable_runs.h"
#include "core/known_to.h"
#include "core/text.h"
#include "fit/estimate.h"
#include "fit/linear/effects.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PER_HOUR = 1.0 / 3600;

static const ws_recipe_column table1_columns[] = {{"series", "series", 0},
                                                  {"model", "model", 0},
                                                  {"device", "device", 0},
                                                  {"gpus", "gpus", 0},
                                                  {"lbs", "lbs", 0},
                                                  {"gbs", "gbs", 0},
                                                  {WS_SETTINGS, "", 0},
                                                  {"energy_kwh", "energy_kwh", 0},
                                                  {"energy_kwh_rmse", "energy_kwh_rmse", 0},
                                                  {"energy_per_node_kwh", "energy_per_node_kwh", 0},
                                                  {"wall_s", "runtime_h", PER_HOUR},
                                                  {"wall_s_rmse", "runtime_h_rmse", PER_HOUR},
                                                  {"gpu_h", "gpu_h", 0},
                                                  {"gpu_h_rmse", "gpu_h_rmse", 0},
                                                  {"kwh_per_gpuh", "kwh_per_gpuh", 0},
                                                  {NULL, NULL, 0}};

static const ws_recipe_column efficiency_columns[] = {{"series", "series", 0},
                                                      {"gpus", "gpus", 0},
                                                      {"lbs", "lbs", 0},
                                                      {"gbs", "gbs", 0},
                                                      {"dataset_samples", "dataset_samples", 0},
                                                      {WS_SETTINGS, "", 0},
                                                      {"energy_kwh", "energy_kwh", 0},
                                                      {"energy_ratio", "energy_ratio", 0},
                                                      {"energy_ratio_se", "energy_ratio_se", 0},
                                                      {"energy_per_node_kwh", "energy_per_node_kwh", 0},
                                                      {"wall_s", "runtime_h", PER_HOUR},
                                                      {"speedup", "speedup", 0},
                                                      {"speedup_se", "speedup_se", 0},
                                                      {"gpu_h", "gpu_h", 0},
                                                      {"error_top1", "error_top1", 0},
                                                      {"error_top1_rmse", "error_top1_rmse", 0},
                                                      {NULL, NULL, 0}};

const ws_table_recipe ws_table_huber_efficiency = {
    .name = "huber/efficiency",
    .compares = "gpus",
    .takes = WS_TAKES_REFERENCE | WS_TAKES_PER | WS_TAKES_GROUP,
    .summary = "energy, run time, GPUh and error against the fewest GPUs (as Huber et al. tabulate their series)",
    .columns = efficiency_columns};

static double number_of(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(table, name, &column) ? ws_table_number(table, column, row) : NAN;
}

static bool same_in(const ws_table *table, const char *const *names, size_t a, size_t b)
{
    for (; *names; names++) {
        size_t column;
        if (ws_table_find(table, *names, &column) && !ws_same_cell(table, column, a, b))
            return false;
    }
    return true;
}

/* The experiment but for the device. */
static const char *const pair_columns[] = {"model", "phase", "gpus", "lbs", "gbs", "epochs", "dataset_samples", NULL};
static const char *const device_column[] = {"device", NULL};

/* Of a configuration that stands in two series, with the same energy, the last. */
static bool is_measured_on_other_device(const ws_table *scale, size_t row)
{
    for (size_t later = row + 1; later < scale->n_rows; later++)
        if (same_in(scale, pair_columns, row, later) && same_in(scale, device_column, row, later) &&
            number_of(scale, "energy_kwh", row) == number_of(scale, "energy_kwh", later))
            return false;
    for (size_t other = 0; other < scale->n_rows; other++)
        if (same_in(scale, pair_columns, row, other) && !same_in(scale, device_column, row, other))
            return true;
    return false;
}

const ws_table_recipe ws_table_huber_table1 = {
    .name = "huber/table1",
    .compares = "device",
    .takes = WS_TAKES_GROUP,
    .summary = "energy, run time and GPUh of what was run on several devices (Huber et al. 2025, Table 1)",
    .columns = table1_columns,
    .keeps = is_measured_on_other_device};

/* The columns of the authors' small tables; each with its ratio to the fewest GPUs of the series. */
typedef struct small_column {
    const char *from, *name, *ratio;
    double factor;
} small_column;

static const small_column small_columns[] = {{"energy_kwh", "energy_kwh", "energy_ratio", 1},
                                             {"energy_per_node_kwh", "energy_per_node_kwh", "energy_per_node_ratio", 1},
                                             {"wall_s", "runtime_h", "runtime_ratio", 1.0 / 3600},
                                             {"gpu_h", "gpu_h", "gpu_h_ratio", 1},
                                             {"error_top1", "error_top1", "error_top1_ratio", 1},
                                             {"rmse_z500", "rmse_z500", "rmse_z500_ratio", 1}};
enum { N_SMALL = sizeof small_columns / sizeof *small_columns };

static void set_if_known(ws_table *out, size_t column, size_t row, double value)
{
    if (isfinite(value))
        ws_table_set_number(out, column, row, value);
}

typedef struct origin_list {
    ws_row_origin *items; /* by row of the table */
    size_t n, capacity;
} origin_list;

static void add_origin(origin_list *list, size_t run, size_t configuration)
{
    list->items = ws_grow(list->items, &list->capacity, list->n + 1, sizeof *list->items);
    list->items[list->n++] = (ws_row_origin){run, configuration};
}

/* The series as the campaign has it, which forms for people print by its name; where more than that tells it from the
 * others, the label. */
static const char *series_or_label(const ws_table *scale, const ws_series *series, ws_arena *arena)
{
    char buffer[WS_DOUBLE_TEXT];
    size_t column;
    if (!ws_table_find(scale, "series", &column))
        return series->label;
    const char *name = ws_table_cell_text(scale, column, series->configurations.rows[0], buffer);
    bool is_all = strcmp(ws_series_spelled(scale->looks, arena, "series", name), series->label) == 0;
    return is_all ? ws_arena_strdup(arena, name) : series->label;
}

static void add_small_row(const ws_table *scale, size_t from, size_t reference, const char *label, ws_table *out)
{
    size_t row = ws_table_add_row(out), column = 1;
    static const char *const settings[] = {"gpus", "lbs", "gbs", "dataset_samples"};
    ws_table_set_text(out, 0, row, label);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        set_if_known(out, column++, row, number_of(scale, settings[i], from));
    for (size_t i = 0; i < N_SMALL; i++) {
        const small_column *c = &small_columns[i];
        char rmse[64];
        snprintf(rmse, sizeof rmse, "%s_rmse", c->from);
        double value = number_of(scale, c->from, from);
        set_if_known(out, column++, row, value * c->factor);
        set_if_known(out, column++, row, number_of(scale, rmse, from) * c->factor);
        set_if_known(out, column++, row, value / number_of(scale, c->from, reference));
    }
}

static ws_status make_table_small(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error)
{
    static const char *const settings[] = {"gpus", "lbs", "gbs", "dataset_samples"};
    ws_series_list list;
    origin_list origins = {0};
    char rmse[64];
    ws_table_add_column(out, "series", WS_TEXT);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        ws_table_add_column(out, settings[i], WS_NUMBER);
    for (size_t i = 0; i < N_SMALL; i++) {
        snprintf(rmse, sizeof rmse, "%s_rmse", small_columns[i].name);
        ws_table_add_column(out, small_columns[i].name, WS_NUMBER);
        ws_table_add_column(out, rmse, WS_NUMBER);
        ws_table_add_column(out, small_columns[i].ratio, WS_NUMBER);
    }
    ws_series_init(&list, runs, scale);
    ws_series_by_rows(&list);
    for (size_t s = 0; s < list.n; s++) {
        const ws_row_list *rows = &list.items[s].configurations;
        size_t reference = rows->rows[0];
        for (size_t i = 1; i < rows->n; i++)
            if (number_of(scale, "gpus", rows->rows[i]) < number_of(scale, "gpus", reference))
                reference = rows->rows[i];
        for (size_t i = 0; i < rows->n; i++)
            add_small_row(scale, rows->rows[i], reference, series_or_label(scale, &list.items[s], &list.arena), out);
        for (size_t i = 0; i < rows->n; i++)
            add_origin(&origins, SIZE_MAX, rows->rows[i]);
    }
    ws_series_free(&list);
    ws_tell_verdicts(runs, scale, origins.items, out);
    free(origins.items);
    return out->n_rows ? WS_OK : ws_fail_recipe(error, scale->source, "", "has ", "no configuration to tabulate");
}

const ws_table_recipe ws_table_huber_small = {
    .name = "huber/table-small",
    .takes = WS_TAKES_GROUP,
    .summary = "means of each configuration and their ratios to the fewest GPUs (the authors' table_small)",
    .tells_verdicts = true,
    .make = make_table_small};

/* Every run and below them the mean of their configuration, as the authors' table_all. */
static const struct {
    const char *from, *name;
    double factor;
} all_columns[] = {{"energy_kwh", "energy_kwh", 1},
                   {"job_energy_kwh", "job_energy_kwh", 1},
                   {"wall_s", "runtime_min", 1.0 / 60},
                   {"job_wall_s", "job_runtime_min", 1.0 / 60},
                   {"error_top1", "error_top1", 1},
                   {"error_top5", "error_top5", 1},
                   {"error_train_top1", "error_train_top1", 1},
                   {"error_train_top5", "error_train_top5", 1}};
enum { N_ALL = sizeof all_columns / sizeof *all_columns, ALL_SETTINGS = 3 };

static size_t add_all_row(ws_table *out, const ws_table *scale, size_t configuration, const char *run)
{
    static const char *const settings[] = {"gpus", "lbs", "gbs"};
    size_t series, row = ws_table_add_row(out);
    char buffer[WS_DOUBLE_TEXT];
    if (ws_table_find(scale, "series", &series))
        ws_table_set_text(out, 0, row, ws_table_cell_text(scale, series, configuration, buffer));
    for (size_t i = 0; i < ALL_SETTINGS; i++)
        set_if_known(out, 1 + i, row, number_of(scale, settings[i], configuration));
    ws_table_set_text(out, 1 + ALL_SETTINGS, row, run);
    return row;
}

/* Those that are left out of the mean stand above it, too. */
static void add_configuration(const ws_table *runs, const ws_table *scale, size_t configuration, bool leaves_out,
                              origin_list *origins, ws_table *out)
{
    double sum[N_ALL] = {0};
    size_t n[N_ALL] = {0}, name, n_runs = 0;
    bool has_names = ws_table_find(runs, "run", &name);
    char buffer[WS_DOUBLE_TEXT];
    for (size_t run = 0; run < runs->n_rows; run++) {
        if (!ws_is_run_of(runs, run, scale, configuration))
            continue;
        const char *label = has_names ? ws_table_cell_text(runs, name, run, buffer) : "";
        size_t row = add_all_row(out, scale, configuration, label);
        bool counts = !leaves_out || !ws_run_is_unusable(runs, run);
        add_origin(origins, run, SIZE_MAX);
        n_runs++;
        for (size_t i = 0; i < N_ALL; i++) {
            double value = number_of(runs, all_columns[i].from, run) * all_columns[i].factor;
            set_if_known(out, 2 + ALL_SETTINGS + i, row, value);
            sum[i] += counts && isfinite(value) ? value : 0;
            n[i] += counts && isfinite(value) ? 1 : 0;
        }
    }
    if (!n_runs)
        return;
    size_t row = add_all_row(out, scale, configuration, "mean");
    add_origin(origins, SIZE_MAX, configuration);
    for (size_t i = 0; i < N_ALL; i++)
        set_if_known(out, 2 + ALL_SETTINGS + i, row, n[i] ? sum[i] / (double)n[i] : NAN);
}

static ws_status make_table_all(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error)
{
    static const char *const names[] = {"series", "gpus", "lbs", "gbs", "run"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ws_table_add_column(out, names[i], i == 0 || i == 4 ? WS_TEXT : WS_NUMBER);
    for (size_t i = 0; i < N_ALL; i++)
        ws_table_add_column(out, all_columns[i].name, WS_NUMBER);
    origin_list origins = {0};
    for (size_t row = 0; row < scale->n_rows; row++)
        add_configuration(runs, scale, row, ws_leaves_runs_out(scale), &origins, out);
    ws_tell_verdicts(runs, scale, origins.items, out);
    free(origins.items);
    return out->n_rows ? WS_OK : ws_fail_recipe(error, scale->source, "", "has ", "no runs to tabulate");
}

const ws_table_recipe ws_table_huber_all = {
    .name = "huber/table-all",
    .takes = WS_TAKES_GROUP,
    .summary = "every run by its traces and by its job log, with errors, and the means (the authors' table_all)",
    .tells_verdicts = true,
    .make = make_table_all};

/* One device against another by pairs that agree in everything else. */
static const char *const ratio_columns[] = {"wall_s", "energy_kwh", "gpu_power_w"};
static const char *const ratio_names[] = {"runtime_ratio", "energy_ratio", "gpu_power_ratio"};
enum { N_RATIOS = 3, RATIO_SETTINGS = 6 };

static const char *text_of(const ws_table *table, const char *name, size_t row)
{
    size_t column;
    bool found = ws_table_find(table, name, &column) && table->columns[column].kind == WS_TEXT;
    return found && table->columns[column].text[row] ? table->columns[column].text[row] : "";
}

static bool repeats_an_earlier_row(const ws_table *scale, size_t row)
{
    for (size_t before = 0; before < row; before++)
        if (same_in(scale, pair_columns, before, row) && same_in(scale, device_column, before, row))
            return true;
    return false;
}

static void add_pair(const ws_table *scale, size_t a, size_t b, ws_table *out, double (*logs)[N_RATIOS])
{
    static const char *const numbers[] = {"gpus", "lbs", "gbs"};
    size_t row = ws_table_add_row(out);
    ws_table_set_text(out, 0, row, text_of(scale, "model", a));
    ws_table_set_text(out, 1, row, text_of(scale, "device", a));
    ws_table_set_text(out, 2, row, text_of(scale, "device", b));
    for (size_t i = 0; i < 3; i++)
        set_if_known(out, 3 + i, row, number_of(scale, numbers[i], a));
    for (size_t i = 0; i < N_RATIOS; i++) {
        double ratio = number_of(scale, ratio_columns[i], a) / number_of(scale, ratio_columns[i], b);
        set_if_known(out, RATIO_SETTINGS + 3 * i, row, ratio);
        (*logs)[i] = log(ratio);
    }
}

/* "A100" before "H100": the ratio is that of the later name to the earlier one. */
static ws_status make_device_ratio(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error)
{
    static const char *const names[] = {"model", "device", "against", "gpus", "lbs", "gbs"};
    double(*logs)[N_RATIOS] = ws_alloc((scale->n_rows * scale->n_rows + 1) * sizeof *logs);
    size_t n = 0;
    (void)runs;
    for (size_t i = 0; i < RATIO_SETTINGS; i++)
        ws_table_add_column(out, names[i], i < 3 ? WS_TEXT : WS_NUMBER);
    for (size_t i = 0; i < N_RATIOS; i++) {
        ws_table_add_column(out, ratio_names[i], WS_NUMBER);
        for (size_t end = 0; end < 2; end++) {
            const char *name = ws_arena_printf(&out->arena, end ? "%s_hi" : "%s_lo", ratio_names[i]);
            ws_table_set_detail(out, ws_table_add_column(out, name, WS_NUMBER)); /* printed beside the ratio */
        }
    }
    for (size_t a = 0; a < scale->n_rows; a++)
        for (size_t b = 0; b < scale->n_rows; b++)
            if (strcmp(text_of(scale, "device", a), text_of(scale, "device", b)) > 0 &&
                same_in(scale, pair_columns, a, b) && !repeats_an_earlier_row(scale, a) &&
                !repeats_an_earlier_row(scale, b))
                add_pair(scale, a, b, out, &logs[n++]);
    for (size_t i = 0, row = n > 1 ? ws_table_add_row(out) : 0; n > 1 && i < N_RATIOS; i++) {
        double *values = ws_alloc(n * sizeof *values);
        size_t known = 0;
        for (size_t k = 0; k < n; k++)
            if (isfinite(logs[k][i]))
                values[known++] = logs[k][i];
        ws_sample mean = {.mean = NAN};
        ws_sample_describe(values, known, 0.95, &mean, NULL);
        ws_table_set_text(out, 0, row, "geometric mean");
        set_if_known(out, RATIO_SETTINGS + 3 * i, row, exp(mean.mean));
        set_if_known(out, RATIO_SETTINGS + 3 * i + 1, row, exp(mean.ci_lo));
        set_if_known(out, RATIO_SETTINGS + 3 * i + 2, row, exp(mean.ci_hi));
        free(values);
    }
    free(logs);
    return n ? WS_OK
             : ws_fail_at(error, WS_DATA, scale->source, 0,
                          "no two configurations agree in model, GPUs, batch sizes and epochs on two devices");
}

const ws_table_recipe ws_table_huber_device_ratio = {
    .name = "huber/device-ratio",
    .takes = WS_TAKES_GROUP,
    .summary =
        "run time, energy and GPU power of one device against another, by pairs (Huber et al. 2025, H100 to A100)",
    .rests_on_energy = true,
    .make = make_device_ratio};

/* Power as a linear function of what a GPU works through, for each model on each device, as devices that do the same
 * work draw other powers: power = intercept + a samples + b passes a
 * GPUh, over configurations; -a / b is the slope along which the power stays the same. */
static const char *const power_groups[] = {"model", "device", NULL};
static const char *const predictors[] = {"samples_per_gpuh", "passes_per_gpuh"};

typedef struct power_points {
    double *x[2], *y;
    size_t *rows, n;
} power_points;

static power_points take_powers(const ws_table *scale, size_t model_row, ws_arena *arena)
{
    power_points p = {.y = ws_arena_alloc(arena, (scale->n_rows + 1) * sizeof(double)),
                      .rows = ws_arena_alloc(arena, (scale->n_rows + 1) * sizeof(size_t))};
    for (size_t i = 0; i < 2; i++)
        p.x[i] = ws_arena_alloc(arena, (scale->n_rows + 1) * sizeof(double));
    for (size_t row = 0; row < scale->n_rows; row++) {
        double power = number_of(scale, "gpu_power_w", row);
        bool is_complete = isfinite(power), is_again = false;
        for (size_t i = 0; i < 2; i++) {
            p.x[i][p.n] = number_of(scale, predictors[i], row);
            is_complete &= isfinite(p.x[i][p.n]);
        }
        p.y[p.n] = power;
        p.rows[p.n] = row;
        for (size_t k = 0; k < p.n; k++) /* a configuration that stands in two series */
            is_again |= p.y[k] == power && p.x[0][k] == p.x[0][p.n] && p.x[1][k] == p.x[1][p.n];
        p.n += is_complete && !is_again && same_in(scale, power_groups, model_row, row);
    }
    return p;
}

static void add_estimate(ws_table *out, const char *const group[2], size_t n, const char *parameter, double value,
                         double se, double lo, double hi, double p, double r2)
{
    const double numbers[] = {value, se, lo, hi, p, r2};
    size_t row = ws_table_add_row(out);
    ws_table_set_text(out, 0, row, group[0]);
    if (*group[1])
        ws_table_set_text(out, 1, row, group[1]);
    ws_table_set_integer(out, 2, row, (int64_t)n);
    ws_table_set_text(out, 3, row, parameter);
    for (size_t i = 0; i < 6; i++)
        set_if_known(out, 4 + i, row, numbers[i]);
}

static ws_status add_power_model(const ws_table *scale, size_t row, ws_table *out, ws_error *error)
{
    ws_arena arena = {0};
    power_points p = take_powers(scale, row, &arena);
    const double *const columns[] = {p.x[0], p.x[1]};
    const char *const group[] = {text_of(scale, "model", row), text_of(scale, "device", row)};
    ws_fit fit = {0};
    ws_turnover turn = {.status = WS_FIT_TOO_FEW};
    ws_status status = p.n ? ws_fit_regression(columns, predictors, 2, p.y, p.n, 0.95, &fit, NULL, error) : WS_OK;
    for (size_t i = 0; status == WS_OK && p.n && fit.status == WS_FIT_OK && i < fit.n_estimates; i++) {
        ws_estimate *e = &fit.estimate[i];
        ws_estimate_allow_factor(e, ws_energy_u(scale, p.rows, p.n), 0.95);
        add_estimate(out, group, p.n, e->name, e->value, e->se, e->ci_lo, e->ci_hi, e->p_value, i ? NAN : fit.r2);
    }
    if (status == WS_OK && p.n && fit.status == WS_FIT_OK)
        status = ws_regression_turnover(columns, predictors, 2, p.y, p.n, 0, 1, 0.95, &turn, error);
    if (status == WS_OK && turn.status == WS_FIT_OK)
        add_estimate(out, group, p.n, "turnover", turn.value, turn.se, turn.ci_lo, turn.ci_hi, NAN, NAN);
    ws_arena_free(&arena);
    return status;
}

/* What the looks call them goes first. */
static void name_parameters(ws_table *out)
{
    static const ws_look own[] = {
        {.column = "parameter", .value = "samples_per_gpuh", .name = "samples per GPUh"},
        {.column = "parameter", .value = "passes_per_gpuh", .name = "passes per GPUh"},
    };
    const ws_looks none = {0}, *given = out->looks ? out->looks : &none;
    size_t n_own = sizeof own / sizeof *own;
    ws_looks *looks = ws_arena_alloc(&out->arena, sizeof *looks);
    looks->n = looks->capacity = given->n + n_own;
    looks->items = ws_arena_alloc(&out->arena, looks->n * sizeof *looks->items);
    for (size_t i = 0; i < looks->n; i++)
        looks->items[i] = i < given->n ? given->items[i] : own[i - given->n];
    out->looks = looks;
}

static ws_status make_power_model(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error)
{
    static const char *const names[] = {"model",  "device", "n",     "parameter", "value",
                                        "stderr", "ci_lo",  "ci_hi", "p_value",   "r2"};
    ws_status status = WS_OK;
    (void)runs;
    name_parameters(out);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ws_table_add_column(out, names[i], i == 2 ? WS_INTEGER : i < 4 ? WS_TEXT : WS_NUMBER);
    for (size_t row = 0; status == WS_OK && row < scale->n_rows; row++) {
        size_t before = 0;
        while (before < row && !same_in(scale, power_groups, before, row))
            before++;
        if (before == row)
            status = add_power_model(scale, row, out, error);
    }
    if (status == WS_OK && !out->n_rows)
        return ws_fail_at(
            error, WS_DATA, scale->source, 0,
            "no model has enough configurations on one device with gpu_power_w, samples_per_gpuh and passes_per_gpuh");
    return status;
}

const ws_table_recipe ws_table_huber_power_model = {
    .name = "huber/power-model",
    .takes = WS_TAKES_GROUP,
    .summary = "GPU power against samples and passes per GPUh: regression and turnover by model and device "
               "(Huber et al. 2025, 3.5)",
    .rests_on_energy = true,
    .make = make_power_model};
