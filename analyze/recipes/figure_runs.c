/* What fits are made of, so that figures, tables and the story fit the same runs. */
#include "analyze/recipes/figure_series.h"

#include "analyze/units.h"
#include "core/known_to.h"
#include "fit/estimate.h"
#include "fit/tests/repeats.h"
#include "report/table/table_print.h"

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

ws_work ws_figure_work_of(const ws_figure_input *input)
{
    ws_work own = ws_figure_work(input->scale);
    return input->is_facet && input->facets_work > own ? input->facets_work : own;
}

static const char *time_column(const ws_table *runs, ws_work work)
{
    bool has_epochs = has_numbers(runs, "epoch_s", false);
    bool per_epoch = work == WS_PER_EPOCH || !has_numbers(runs, "wall_s", false);
    return per_epoch && has_epochs ? "epoch_s" : "wall_s";
}

const char *ws_time_column(const ws_table *runs, const ws_table *scale)
{
    return time_column(runs, ws_figure_work(scale));
}

const char *ws_figure_time_column(const ws_figure_input *input)
{
    return time_column(input->runs, ws_figure_work_of(input));
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

static const char *ratio_text(ws_arena *arena, double ratio)
{
    char grouped[WS_CELL_TEXT];
    ws_group_digits(grouped, ws_words_digits(ratio, 3).text);
    return ws_arena_strdup(arena, grouped);
}

const char *ws_ratios_are(ws_arena *arena, const ws_points *p, double factor)
{
    enum { AS_MANY = 3 };
    double least, most;
    const char *list = "";
    ws_ratio_range(p->x, p->y, p->n, &least, &most);
    if (p->n > AS_MANY)
        return ws_arena_printf(arena, "%s to %s", ratio_text(arena, factor * least), ratio_text(arena, factor * most));
    for (size_t i = 0; i < p->n; i++)
        list = ws_arena_printf(arena, "%s%s%s", list,
                               !i             ? ""
                               : i + 1 < p->n ? ", "
                                              : " and ",
                               ratio_text(arena, factor * p->y[i] / p->x[i]));
    return list;
}

/* Do the ratios of configurations differ by more than those of their repeats? */
static bool ratios_differ(ws_arena *arena, const ws_table *runs, const ws_row_list *rows, double level, ws_test *test)
{
    size_t of_x, of_y, n = 0, room = rows->n + 1, *taken = ws_arena_alloc(arena, 2 * room * sizeof *taken);
    size_t *unit = taken + room;
    double *x = ws_arena_alloc(arena, 2 * room * sizeof *x), *y = x + room;
    if (!ws_table_find(runs, "gpu_h", &of_x) || !ws_table_find(runs, "energy_kwh", &of_y))
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        x[n] = ws_table_number(runs, of_x, rows->rows[i]);
        y[n] = ws_table_number(runs, of_y, rows->rows[i]);
        taken[n] = rows->rows[i];
        n += isfinite(x[n]) && isfinite(y[n]);
    }
    size_t k = ws_units_configurations(runs, taken, n, &of_x, 1, unit);
    return ws_ratios_differ(x, y, unit, n, k, ws_energy_u(runs, taken, n), level, test);
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
    ws_test test;
    const ws_estimate *intercept = ws_fit_estimate(&ratios->fit, "intercept");
    bool is_bent = status == WS_OK && ws_origin_needs_intercept(&ratios->fit, level);
    bool differ = status == WS_OK && ratios_differ(arena, runs, &ratios->rows, level, &test);
    ratios->is_bent = is_bent;
    ratios->is_single = !is_bent && !differ;
    ratios->words = ws_ratios_are(arena, p, 1);
    ratios->why = is_bent
                      ? ws_arena_printf(arena, "a line needs an intercept (%s)", ws_words_p(intercept->p_value).text)
                  : differ ? ws_arena_printf(arena, "configurations differ by more than their repeats%s%s%s",
                                             test.status == WS_FIT_OK ? " (" : "",
                                             test.status == WS_FIT_OK ? ws_words_p(test.p_value).text : "",
                                             test.status == WS_FIT_OK ? ")" : "")
                           : "";
    return status;
}
