/* What fits are made of, so that figures, tables and the story fit the same runs. */
#include "analyze/recipes/figure_series.h"

#include <math.h>

const char *ws_time_column(const ws_table *runs)
{
    size_t column;
    bool found = ws_table_find(runs, "epoch_s", &column);
    for (size_t row = 0; found && row < runs->n_rows; row++)
        if (isfinite(ws_table_number(runs, column, row)))
            return "epoch_s";
    return "wall_s";
}

static double gpus_a_node(const ws_table *runs, size_t row)
{
    size_t gpus, nodes;
    if (!ws_table_find(runs, "gpus", &gpus) || !ws_table_find(runs, "nodes", &nodes))
        return NAN;
    double ratio = ws_table_number(runs, gpus, row) / ws_table_number(runs, nodes, row);
    return isfinite(ratio) ? ratio : NAN;
}

ws_row_list ws_whole_nodes(ws_arena *arena, const ws_table *runs, const ws_row_list *rows, double *full)
{
    ws_row_list kept = {.rows = ws_arena_alloc(arena, (rows->n + 1) * sizeof *kept.rows)};
    *full = NAN;
    for (size_t row = 0; row < runs->n_rows; row++)
        *full = fmax(*full, gpus_a_node(runs, row));
    for (size_t i = 0; i < rows->n; i++)
        if (!(gpus_a_node(runs, rows->rows[i]) < *full))
            kept.rows[kept.n++] = rows->rows[i];
    return kept;
}

ws_status ws_series_factor(ws_arena *arena, const ws_table *runs, const ws_row_list *rows, double level,
                           ws_series_ratios *ratios, ws_error *error)
{
    ratios->rows = ws_whole_nodes(arena, runs, rows, &ratios->gpus_a_node);
    ratios->points = ws_points_of_configurations(arena, runs, &ratios->rows, "gpu_h", "energy_kwh", false);
    ratios->fit = (ws_fit){0};
    return ws_fit_origin(ratios->points.x, ratios->points.y, ratios->points.n, level, &ratios->fit, NULL, error);
}
