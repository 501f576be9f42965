#include "core/known_to.h"

#include <math.h>
#include <string.h>

const double ws_little_coverage = 0.05;

bool ws_is_of_energy(const char *column)
{
    static const char *const names[] = {"energy_kwh",    "energy_gpu_kwh",       "energy_cpu_kwh", "energy_dram_kwh",
                                        "kwh_per_gpuh",  "energy_per_node_kwh",  "gpu_power_w",    "cpu_power_w",
                                        "wh_per_sample", "wh_per_sample_seen",   "edp_kwh_h",      "ed2p_kwh_h2",
                                        "mean_power_w",  "mean_power_energy_kwh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], column) == 0)
            return true;
    return false;
}

/* NaN where the row states none; 0 where its readings cover enough. */
static double of_row(const ws_table *table, size_t row)
{
    size_t coverage, energy, u;
    if (ws_table_find(table, "coverage", &coverage) && ws_table_number(table, coverage, row) >= ws_little_coverage)
        return 0;
    if (!ws_table_find(table, "energy_kwh", &energy) || !ws_table_find(table, "energy_u_kwh", &u))
        return NAN;
    return ws_table_number(table, u, row) / fabs(ws_table_number(table, energy, row));
}

void ws_table_set_energy_u(ws_table *runs)
{
    double sum = 0, n = 0;
    size_t coverage;
    bool has_coverage = ws_table_find(runs, "coverage", &coverage);
    for (size_t row = 0; row < runs->n_rows && has_coverage; row++) {
        double u = ws_table_number(runs, coverage, row) < ws_little_coverage ? of_row(runs, row) : NAN;
        sum += isfinite(u) ? u : 0;
        n += isfinite(u);
    }
    runs->energy_u = n > 0 ? sum / n : 0;
}

double ws_energy_u(const ws_table *table, const size_t *rows, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n && table->energy_u > 0; i++) {
        double u = of_row(table, rows[i]);
        sum += isfinite(u) ? u : table->energy_u;
    }
    return n ? sum / (double)n : 0;
}
