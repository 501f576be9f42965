/* The exponents that Frey et al. 2022 print in Tables 2 to 6: ln(time per epoch) = ln alpha - beta ln(GPUs), least
 * squares over the configurations of one model on one device under one power cap and one clock cap; series are kept
 * apart, and so are other settings (setting_columns.h) in which runs on as many GPUs differ. */
#include "analyze/recipes/frey_studies.h"
#include "analyze/recipes/recipe.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/units.h"
#include "fit/means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES, MODEL, DEVICE, POWER_CAP, CLOCK_CAP, N, BETA, BETA_SE, CI_LO, CI_HI, R2, MAX_GPUS, STATUS };
static const ws_run_column keys[] = {WS_COL_SERIES, WS_COL_MODEL, WS_COL_DEVICE, WS_COL_POWER_CAP, WS_COL_CLOCK_CAP};
enum { N_KEYS = sizeof keys / sizeof *keys };

static void add_key(const ws_table *runs, size_t run, ws_table *out, size_t row)
{
    for (size_t k = 0; k < N_KEYS; k++) {
        if (ws_table_is_missing(runs, keys[k], run))
            continue;
        if (runs->columns[keys[k]].kind == WS_TEXT)
            ws_table_set_text(out, SERIES + k, row, runs->columns[keys[k]].text[run]);
        else
            ws_table_set_number(out, SERIES + k, row, ws_runs_get(runs, keys[k], run));
    }
}

/* Do all of these runs that have GPUs say their time per epoch? Times of whole runs stand in no regression with it. */
static bool have_epochs(const ws_table *runs, const ws_row_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (isnan(ws_runs_get(runs, WS_COL_EPOCH_S, list->rows[i])) &&
            !isnan(ws_runs_get(runs, WS_COL_WALL, list->rows[i])))
            return false;
    return true;
}

/* Time against GPUs: that of an epoch, which Frey et al. fit, or that of whole runs. */
static size_t take_points(const ws_table *runs, const ws_row_list *list, size_t *rows, double *gpus, double *time)
{
    size_t n = 0;
    ws_run_column from = have_epochs(runs, list) ? WS_COL_EPOCH_S : WS_COL_WALL;
    for (size_t i = 0; i < list->n; i++) {
        double g = ws_runs_get(runs, WS_COL_GPUS, list->rows[i]), t = ws_runs_get(runs, from, list->rows[i]);
        if (isnan(t))
            continue;
        rows[n] = list->rows[i];
        gpus[n] = g;
        time[n++] = t;
    }
    return n;
}

/* Through the means of configurations, as `wattscale fit powerlaw`; through the points where one has no logarithm. */
static ws_status fit_exponent(const ws_table *runs, const size_t *rows, const double *gpus, const double *time,
                              size_t n, ws_fit *fit, ws_error *error)
{
    static const size_t x = WS_COL_GPUS;
    size_t *unit = ws_alloc((n + 1) * sizeof *unit);
    ws_means means = {.n = 0};
    bool positive = true;
    for (size_t i = 0; i < n; i++)
        positive = positive && gpus[i] > 0 && time[i] > 0;
    ws_units_configurations(runs, rows, n, &x, 1, unit);
    ws_status status = positive ? ws_means_take(gpus, time, unit, n, true, &means, error) : WS_OK;
    if (status == WS_OK && positive)
        status = ws_fit_powerlaw_unequal(means.x, means.y, means.n, 0.95, fit, NULL, error);
    else if (status == WS_OK)
        status = ws_fit_powerlaw_unequal(gpus, time, n, 0.95, fit, NULL, error);
    ws_means_free(&means);
    free(unit);
    return status;
}

static ws_status add_exponent(const ws_table *runs, size_t first, const ws_setting_part *part, size_t *rows,
                              double *gpus, double *time, ws_table *out, ws_error *error)
{
    ws_fit fit = {0};
    size_t n = take_points(runs, &part->rows, rows, gpus, time), row = ws_table_add_row(out);
    ws_status status = fit_exponent(runs, rows, gpus, time, n, &fit, error);
    if (status != WS_OK)
        return status;
    add_key(runs, first, out, row);
    ws_table_set_integer(out, N, row, (int64_t)n);
    ws_table_set_text(out, STATUS, row, ws_fit_status_name(fit.status));
    const ws_estimate *exponent = ws_fit_estimate(&fit, "exponent");
    double most = NAN;
    for (size_t i = 0; i < n; i++)
        most = gpus[i] > most || isnan(most) ? gpus[i] : most;
    ws_table_set_number(out, MAX_GPUS, row, most);
    if (!exponent)
        return WS_OK;
    ws_table_set_number(out, BETA, row, -exponent->value);
    ws_table_set_number(out, BETA_SE, row, exponent->se);
    ws_table_set_number(out, CI_LO, row, -exponent->ci_hi);
    ws_table_set_number(out, CI_HI, row, -exponent->ci_lo);
    ws_table_set_number(out, R2, row, fit.r2);
    return WS_OK;
}

/* The runs with GPUs that share a key, in parts that differ in no setting on as many GPUs. */
static ws_status add_exponents(const ws_table *runs, const ws_setting_columns *settings, size_t first, size_t *rows,
                               double *gpus, double *time, ws_table *out, ws_error *error)
{
    ws_arena *arena = &out->arena;
    ws_row_list list = {ws_arena_alloc(arena, (runs->n_rows + 1) * sizeof(size_t)), 0, 0};
    for (size_t row = first; row < runs->n_rows; row++)
        if (ws_runs_agree(runs, keys, N_KEYS, first, row) && !isnan(ws_runs_get(runs, WS_COL_GPUS, row)))
            list.rows[list.n++] = row;
    ws_setting_part none = {NULL, list}, *parts = &none;
    size_t n = list.n ? ws_setting_parts(runs, settings, &list, false, have_epochs(runs, &list), &parts, arena) : 1;
    ws_status status = WS_OK;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        status = add_exponent(runs, first, &parts[i], rows, gpus, time, out, error);
        if (!parts[i].name || status != WS_OK)
            continue;
        size_t column = ws_table_find(out, "setting", &column) ? column : ws_table_add_column(out, "setting", WS_TEXT);
        ws_table_set_text(out, column, out->n_rows - 1, parts[i].name);
    }
    return status;
}

static bool is_first(const ws_table *runs, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (ws_runs_agree(runs, keys, N_KEYS, i, row))
            return false;
    return true;
}

static ws_status make_frey_exponents(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error)
{
    (void)scale;
    static const struct {
        const char *name;
        ws_column_kind kind;
    } columns[] = {[SERIES] = {"series", WS_TEXT},
                   [MODEL] = {"model", WS_TEXT},
                   [DEVICE] = {"device", WS_TEXT},
                   [POWER_CAP] = {"power_cap_w", WS_NUMBER},
                   [CLOCK_CAP] = {"clock_cap_hz", WS_NUMBER},
                   [N] = {"n", WS_INTEGER},
                   [BETA] = {"beta", WS_NUMBER},
                   [BETA_SE] = {"beta_se", WS_NUMBER},
                   [CI_LO] = {"beta_lo", WS_NUMBER},
                   [CI_HI] = {"beta_hi", WS_NUMBER},
                   [R2] = {"r2", WS_NUMBER},
                   [MAX_GPUS] = {"max_gpus", WS_NUMBER},
                   [STATUS] = {"status", WS_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(out, columns[i].name, columns[i].kind);
    double *gpus = ws_alloc((runs->n_rows + 1) * sizeof *gpus), *time = ws_alloc((runs->n_rows + 1) * sizeof *time);
    size_t *rows = ws_alloc((runs->n_rows + 1) * sizeof *rows);
    ws_setting_columns settings = ws_setting_columns_of(runs, &out->arena);
    ws_status status = WS_OK;
    for (size_t row = 0; status == WS_OK && row < runs->n_rows; row++)
        if (is_first(runs, row))
            status = add_exponents(runs, &settings, row, rows, gpus, time, out, error);
    free(rows);
    free(gpus);
    free(time);
    if (status == WS_OK && !ws_table_has_values(out, BETA))
        return ws_fail_recipe(error, runs->source, "frey/exponents", ": ",
                              "no model was run on enough numbers of GPUs (gpus) for a law of its time");
    return status;
}

const ws_table_recipe ws_table_frey_exponents = {
    .name = "frey/exponents",
    .compares = "gpus",
    .summary = "power-law exponent of time against GPUs by model and cap (Frey et al. 2022, Tables 2 to 6)",
    .make = make_frey_exponents};
