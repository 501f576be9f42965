/* What fits are made of, so that figures, tables and the story fit the same runs. */
#include "analyze/recipes/figure_series.h"

#include "core/known_to.h"

#include <math.h>

static bool has_numbers(const ws_table *table, const char *name, bool in_all)
{
    size_t column, n = 0;
    bool found = ws_table_find(table, name, &column);
    for (size_t row = 0; found && row < table->n_rows; row++)
        n += isfinite(ws_table_number(table, column, row)) ? 1 : 0;
    return in_all ? n == table->n_rows : n > 0;
}

ws_work ws_figure_work(const ws_table *scale)
{
    size_t per;
    ws_work work = WS_PER_RUN, of_all = WS_PER_RUN;
    bool found = ws_table_find(scale, "per", &per) && scale->columns[per].kind == WS_TEXT;
    for (size_t row = 0; found && row < scale->n_rows; row++) {
        const char *name = scale->columns[per].text[row];
        if (name && ws_work_named(name, &work) && work > of_all)
            of_all = work;
    }
    bool all_say = has_numbers(scale, "epochs", true) || !has_numbers(scale, "wall_s", false);
    return all_say ? of_all : WS_PER_RUN;
}

const char *ws_time_column(const ws_table *runs, const ws_table *scale)
{
    bool has_epochs = has_numbers(runs, "epoch_s", false);
    bool per_epoch = ws_figure_work(scale) == WS_PER_EPOCH || !has_numbers(runs, "wall_s", false);
    return per_epoch && has_epochs ? "epoch_s" : "wall_s";
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
    const ws_points *p = &ratios->points;
    ws_status status = ws_fit_origin_unequal(p->x, p->y, p->n, level, &ratios->fit, NULL, error);
    if (status == WS_OK)
        ws_fit_origin_allow_factor(p->x, p->y, ws_energy_u(runs, ratios->rows.rows, ratios->rows.n), level,
                                   &ratios->fit);
    return status;
}
