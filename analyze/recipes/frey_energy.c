/* Energies as Frey et al. 2022 work them out, beside the integral over the trace: the mean of the readings of power,
 * each as much as the other, times the GPUs and the time. Where readings come evenly the two agree; where a log reads
 * more often under load, or has gaps, the mean of its readings is not that of the time. A row a model on one device
 * under one cap and one clock, over all its runs. */
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/recipe.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL, MODEL_CLASS, DEVICE, POWER_CAP, CLOCK_CAP, N_RUNS, ENERGY, BY_MEAN_POWER, RATIO, LEAST, GREATEST };
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[] = {[MODEL] = {"model", WS_TEXT},
               [MODEL_CLASS] = {"model_class", WS_TEXT},
               [DEVICE] = {"device", WS_TEXT},
               [POWER_CAP] = {"power_cap_w", WS_NUMBER},
               [CLOCK_CAP] = {"clock_cap_mhz", WS_NUMBER},
               [N_RUNS] = {"n_runs", WS_INTEGER},
               [ENERGY] = {"energy_kwh", WS_NUMBER},
               [BY_MEAN_POWER] = {"mean_power_energy_kwh", WS_NUMBER},
               [RATIO] = {"mean_power_ratio", WS_NUMBER},
               [LEAST] = {"mean_power_ratio_least", WS_NUMBER},
               [GREATEST] = {"mean_power_ratio_most", WS_NUMBER}};

static const ws_run_column keys[] = {WS_COL_MODEL, WS_COL_MODEL_CLASS, WS_COL_DEVICE, WS_COL_POWER_CAP,
                                     WS_COL_CLOCK_CAP};
enum { N_KEYS = sizeof keys / sizeof *keys };

/* In kWh; NaN where the readings of a run have no mean, as those of counters. */
static double by_mean_power(const ws_table *runs, size_t row)
{
    const double j_per_kwh = 3.6e6;
    return ws_runs_get(runs, WS_COL_PLAIN_GPU_POWER, row) * ws_runs_get(runs, WS_COL_GPUS, row) *
           ws_runs_get(runs, WS_COL_WALL, row) / j_per_kwh;
}

static void add_setting(const ws_table *runs, const size_t *same, size_t first, ws_table *out)
{
    double sums[2] = {0, 0}, least = INFINITY, greatest = 0;
    size_t row = ws_table_add_row(out), n = 0;
    for (size_t k = 0; k < 3; k++)
        if (!ws_table_is_missing(runs, keys[k], first))
            ws_table_set_text(out, MODEL + k, row, runs->columns[keys[k]].text[first]);
    ws_table_set_number(out, POWER_CAP, row, ws_runs_get(runs, WS_COL_POWER_CAP, first));
    ws_table_set_number(out, CLOCK_CAP, row, ws_runs_get(runs, WS_COL_CLOCK_CAP, first) / 1e6);
    for (size_t run = first; run < runs->n_rows; run++) {
        const double energies[] = {ws_runs_get(runs, WS_COL_ENERGY_GPU, run), by_mean_power(runs, run)};
        if (same[run] != run || !ws_runs_agree(runs, keys, N_KEYS, first, run) || !(energies[0] > 0) ||
            !isfinite(energies[1]))
            continue;
        for (size_t i = 0; i < 2; i++)
            sums[i] += energies[i];
        least = fmin(least, energies[1] / energies[0]);
        greatest = fmax(greatest, energies[1] / energies[0]);
        n++;
    }
    const double values[] = {sums[0], sums[1], sums[1] / sums[0], least, greatest};
    ws_table_set_integer(out, N_RUNS, row, (int64_t)n);
    for (size_t i = 0; i < sizeof values / sizeof *values && n; i++)
        ws_table_set_number(out, ENERGY + i, row, values[i]);
}

static bool is_first_of_setting(const ws_table *runs, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (ws_runs_agree(runs, keys, N_KEYS, i, row))
            return false;
    return true;
}

/* The highest first, and what is not stated last. */
static int falling(double a, double b)
{
    return isnan(a) || isnan(b) ? (isnan(a) > isnan(b)) - (isnan(a) < isnan(b)) : (a < b) - (a > b);
}

/* By model and device, then by falling caps: what a series is called is no matter. */
static int order_settings(const ws_table *runs, size_t a, size_t b)
{
    char text_a[WS_DOUBLE_TEXT], text_b[WS_DOUBLE_TEXT];
    int order = 0;
    for (size_t k = 0; k < 3 && !order; k++)
        order =
            ws_series_order(ws_table_cell_text(runs, keys[k], a, text_a), ws_table_cell_text(runs, keys[k], b, text_b));
    for (size_t k = 3; k < N_KEYS && !order; k++)
        order = falling(ws_runs_get(runs, keys[k], a), ws_runs_get(runs, keys[k], b));
    return order;
}

static ws_status make_frey_energy(const ws_table *runs, const ws_table *scale, ws_table *out, ws_error *error)
{
    (void)scale;
    if (!ws_table_has_values(runs, WS_COL_PLAIN_GPU_POWER) || !ws_table_has_values(runs, WS_COL_ENERGY_GPU))
        return ws_fail_recipe(error, runs->source, "", "has ", "no readings of the power of GPUs (plain_gpu_power_w)");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        ws_table_add_column(out, columns[i].name, columns[i].kind);
    size_t *same = ws_alloc(2 * (runs->n_rows + 1) * sizeof *same), *firsts = same + runs->n_rows + 1, n = 0;
    ws_units_same_runs(runs, same, NULL);
    for (size_t row = 0; row < runs->n_rows; row++) {
        size_t at = n;
        if (!is_first_of_setting(runs, row))
            continue;
        for (; at > 0 && order_settings(runs, firsts[at - 1], row) > 0; at--)
            firsts[at] = firsts[at - 1];
        firsts[at] = row;
        n++;
    }
    for (size_t i = 0; i < n; i++)
        add_setting(runs, same, firsts[i], out);
    free(same);
    return WS_OK;
}

const ws_table_recipe ws_table_frey_energy = {
    .name = "frey/energy",
    .summary = "energies by mean power, GPUs and time (Frey et al. 2022, section 2) beside the integral",
    .rests_on_energy = true,
    .make = make_frey_energy};
