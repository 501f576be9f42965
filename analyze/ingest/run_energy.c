#include "analyze/ingest/run_energy.h"

#include "analyze/ingest/run_columns.h"

#include <math.h>
#include <string.h>

static const double J_PER_KWH = 3.6e6;

static const struct {
    ws_component component;
    ws_run_column u; /* of a standard uncertainty; else that of a bound */
    ws_run_column lo, hi;
} columns[] = {
    {WS_COMPONENT_SAMPLING, WS_COL_SAMPLING_U, WS_RUN_COLUMN_N, WS_RUN_COLUMN_N},
    {WS_COMPONENT_SENSOR, WS_COL_SENSOR_U, WS_RUN_COLUMN_N, WS_RUN_COLUMN_N},
    {WS_COMPONENT_GAPS, WS_RUN_COLUMN_N, WS_COL_GAPS_LO, WS_COL_GAPS_HI},
    {WS_COMPONENT_EDGES, WS_RUN_COLUMN_N, WS_COL_EDGES_LO, WS_COL_EDGES_HI},
    {WS_COMPONENT_CLOCK, WS_RUN_COLUMN_N, WS_COL_CLOCK_LO, WS_COL_CLOCK_HI},
    {WS_COMPONENT_COUNTER, WS_RUN_COLUMN_N, WS_COL_COUNTER_LO, WS_COL_COUNTER_HI},
};

static void set(ws_table *runs, ws_run_column column, size_t row, double joules)
{
    ws_runs_set(runs, column, row, joules / J_PER_KWH);
}

static double get_j(const ws_table *runs, ws_run_column column, size_t row)
{
    return ws_runs_get(runs, column, row) * J_PER_KWH;
}

/* The one whose 95 % interval is as wide. */
static double standard_uncertainty(double lo_j, double hi_j)
{
    return (hi_j - lo_j) / (2 * WS_COVER_95);
}

void ws_runs_set_budget(ws_table *runs, size_t row, const ws_budget *budget, double energy_j)
{
    double lo_j, hi_j;
    ws_budget_interval(budget, energy_j, &lo_j, &hi_j);
    if (!isfinite(hi_j - lo_j))
        return;
    set(runs, WS_COL_ENERGY_LO, row, lo_j);
    set(runs, WS_COL_ENERGY_HI, row, hi_j);
    set(runs, WS_COL_ENERGY_U, row, standard_uncertainty(lo_j, hi_j));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const ws_open *open = &budget->of[columns[i].component];
        if (columns[i].u != WS_RUN_COLUMN_N && open->u_j > 0)
            set(runs, columns[i].u, row, open->u_j);
        if (columns[i].u != WS_RUN_COLUMN_N || open->lo_j == open->hi_j)
            continue;
        set(runs, columns[i].lo, row, energy_j + open->lo_j);
        set(runs, columns[i].hi, row, energy_j + open->hi_j);
    }
}

bool ws_runs_budget(const ws_table *runs, size_t row, ws_budget *budget)
{
    double energy_j = get_j(runs, WS_COL_ENERGY, row);
    *budget = (ws_budget){0};
    if (isnan(energy_j) || isnan(ws_runs_get(runs, WS_COL_ENERGY_LO, row)))
        return false;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        ws_open *open = &budget->of[columns[i].component];
        bool is_bound = columns[i].u == WS_RUN_COLUMN_N;
        double u_j = is_bound ? NAN : get_j(runs, columns[i].u, row);
        double lo_j = is_bound ? get_j(runs, columns[i].lo, row) : NAN;
        open->u_j = isnan(u_j) ? 0 : u_j;
        open->lo_j = isnan(lo_j) ? 0 : lo_j - energy_j;
        open->hi_j = isnan(lo_j) ? 0 : get_j(runs, columns[i].hi, row) - energy_j;
    }
    return true;
}

static const char *const mean_columns[] = {"energy_u_kwh", "energy_lo_kwh", "energy_hi_kwh"};

void ws_runs_add_mean_budget(ws_table *scale)
{
    for (size_t i = 0; i < 3; i++)
        ws_table_set_detail(scale, ws_table_add_column(scale, mean_columns[i], WS_NUMBER));
}

void ws_runs_set_mean_budget(const ws_table *runs, const size_t *rows, size_t n, ws_table *scale, size_t row)
{
    ws_budget sum = {0}, one;
    double energy_j = 0, lo_j, hi_j, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(ws_runs_get(runs, WS_COL_ENERGY, rows[i])))
            continue;
        if (!ws_runs_budget(runs, rows[i], &one))
            return;
        ws_budget_add(&sum, &one, true);
        energy_j += get_j(runs, WS_COL_ENERGY, rows[i]);
        count++;
    }
    if (count == 0)
        return;
    ws_budget_scale(&sum, 1 / count);
    ws_budget_interval(&sum, energy_j / count, &lo_j, &hi_j);
    const double values[] = {standard_uncertainty(lo_j, hi_j), lo_j, hi_j};
    for (size_t i = 0, column; i < 3; i++)
        if (ws_table_find(scale, mean_columns[i], &column))
            ws_table_set_number(scale, column, row, values[i] / J_PER_KWH);
}

/* In the time that was not logged the devices may have drawn what they drew at least or at most while they were. */
static void bound_rest(const ws_table *runs, size_t row, double energy_j, double rest_s, double whole_s,
                       ws_budget *budget)
{
    double mean_w = energy_j / whole_s;
    double least_w = ws_runs_get(runs, WS_COL_LEAST_POWER, row), most_w = ws_runs_get(runs, WS_COL_MOST_POWER, row);
    ws_budget_leave_out(budget, rest_s, fmin(0, least_w - mean_w), fmax(0, most_w - mean_w));
}

static bool extend_window(ws_table *runs, size_t row)
{
    static const ws_run_column energies[] = {WS_COL_ENERGY, WS_COL_ENERGY_GPU, WS_COL_ENERGY_CPU, WS_COL_ENERGY_DRAM,
                                             WS_COL_AT_STAKE};
    double window_s = ws_runs_get(runs, WS_COL_WALL, row), whole_s = ws_runs_get(runs, WS_COL_JOB_WALL, row);
    const char *source = runs->columns[WS_COL_WALL_SOURCE].text[row];
    if (!source || strcmp(source, "trace span") != 0 || !(window_s > 0) || !(whole_s > 0))
        return false;
    ws_budget budget;
    bool has_budget = ws_runs_budget(runs, row, &budget);
    for (size_t i = 0; i < sizeof energies / sizeof *energies; i++)
        ws_runs_set(runs, energies[i], row, ws_runs_get(runs, energies[i], row) * (whole_s / window_s));
    if (has_budget) {
        double energy_j = get_j(runs, WS_COL_ENERGY, row);
        ws_budget_scale(&budget, whole_s / window_s);
        bound_rest(runs, row, energy_j, whole_s - window_s, whole_s, &budget);
        ws_runs_set_budget(runs, row, &budget, energy_j);
    }
    ws_runs_set(runs, WS_COL_COVERAGE, row, ws_runs_get(runs, WS_COL_COVERAGE, row) * (window_s / whole_s));
    ws_runs_set(runs, WS_COL_WALL, row, whole_s);
    ws_table_set_text(runs, WS_COL_WALL_SOURCE, row, "job record");
    return true;
}

void ws_runs_extend_excerpts(ws_table *runs)
{
    for (size_t row = 0; row < runs->n_rows; row++)
        if (extend_window(runs, row))
            ws_notes_add(&runs->notes, WS_FINDING_WINDOW, runs->source, "", 0,
                         "energies are the mean power of the logged window times job_wall_s, and wall_s is job_wall_s");
        else
            ws_notes_add(&runs->notes, WS_FINDING_WINDOW_ALONE, runs->source, "", 0,
                         "%s: %s: energy and wall_s are as they stand", runs->columns[WS_COL_RUN].text[row],
                         isnan(ws_runs_get(runs, WS_COL_JOB_WALL, row)) ? "no job_wall_s is known"
                                                                        : "wall_s is stated, and job_wall_s not used");
}
