/* Mean power of a GPU against what it works through: samples and passes per GPUh (Huber et al. 2025, section 3.5). */
#include "analyze/recipes/figure_series.h"

#include "analyze/units.h"
#include "fit/test.h"

#include <math.h>

/* Each once: one whose runs stand in two series is the same in both. */
static ws_row_list every_configuration(const ws_series_list *list, ws_figure *figure)
{
    ws_row_list all = {.n = list->scale->n_rows};
    size_t *same = ws_arena_alloc(&figure->arena, (all.n + 1) * sizeof *same);
    all.rows = ws_arena_alloc(&figure->arena, (all.n + 1) * sizeof *all.rows);
    for (size_t row = 0; row < all.n; row++)
        all.rows[row] = row;
    ws_units_same_runs(list->scale, same);
    all.n = ws_units_once(same, all.rows, all.n);
    return all;
}

/* Do series that the figure pools differ in their correlation? */
static bool series_differ(const ws_series_list *list, ws_figure *figure, const ws_series_panel *what, double level)
{
    double *r = ws_arena_alloc(&figure->arena, (list->n + 1) * sizeof *r);
    size_t *n = ws_arena_alloc(&figure->arena, (list->n + 1) * sizeof *n);
    for (size_t s = 0; s < list->n; s++) {
        ws_correlation of_series = {.r = NAN};
        ws_points p =
            ws_points_take(&figure->arena, list->scale, &list->items[s].configurations, what->x, what->y, NULL);
        bool known = ws_pearson(p.x, p.y, p.n, level, &of_series, NULL) == WS_OK && of_series.status == WS_FIT_OK;
        r[s] = known ? of_series.r : NAN;
        n[s] = p.n;
    }
    ws_test test;
    ws_equal_correlations(r, n, list->n, &test);
    return test.p_value < 0.05;
}

/* "r = 0.98" over all configurations that have both. */
static ws_status add_correlation(const ws_series_list *list, ws_figure *figure, ws_panel *panel,
                                 const ws_series_panel *what, double level, bool *differ, ws_error *error)
{
    ws_row_list all = every_configuration(list, figure);
    ws_correlation result;
    char r[WS_DOUBLE_TEXT];
    ws_points p = ws_points_take(&figure->arena, list->scale, &all, what->x, what->y, NULL);
    ws_status status = ws_pearson(p.x, p.y, p.n, level, &result, error);
    if (status != WS_OK || !isfinite(result.r))
        return status;
    ws_double_text_decimals(r, fabs(result.r), 2);
    *differ = *differ || series_differ(list, figure, what, level);
    const char *text = ws_arena_printf(&figure->arena, "r = %s%s, n = %zu", result.r < 0 ? "−" : "", r, p.n);
    ws_panel_note(figure, panel, 0, result.r > 0, -1, text);
    return status;
}

static ws_status make_figure_power_throughput(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    static const ws_series_panel panels[] = {
        {.x = "samples_per_gpuh",
         .x_label = "samples / GPUh",
         .y = "gpu_power_w",
         .y_label = "GPU power / W",
         .kind = WS_LAYER_MARKERS,
         .in_thousands = true},
        {.x = "passes_per_gpuh",
         .x_label = "passes / GPUh",
         .y = "gpu_power_w",
         .y_label = "GPU power / W",
         .kind = WS_LAYER_MARKERS,
         .in_thousands = true},
    };
    ws_series_list list;
    ws_status status = WS_OK;
    bool differ = false;
    ws_series_to_draw(&list, input->runs, input->scale);
    ws_figure_init(figure, "campaign/power-vs-throughput", 180, 70, 1, 2);
    for (size_t i = 0; status == WS_OK && i < sizeof panels / sizeof *panels; i++) {
        ws_panel *panel = ws_series_add_panel(&list, figure, &panels[i]);
        if (panel)
            status = add_correlation(&list, figure, panel, &panels[i], input->level, &differ, error);
    }
    ws_figure_arrange(figure, &list);
    figure->caption = ws_arena_printf(
        &figure->arena,
        "Mean power of a GPU against samples and passes per GPUh, a point a configuration.%s r: Pearson's correlation "
        "over %s.%s %s",
        ws_bars_are(figure), list.n_not_drawn ? "all configurations, drawn or not" : "all points",
        differ ? " It pools series whose correlations differ (p < 0.05)." : "",
        ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return status;
}

static const char *const needs[] = {"gpu_power_w", "samples_per_gpuh", NULL};
const ws_figure_recipe ws_figure_campaign_power_throughput = {.name = "campaign/power-vs-throughput",
                                                              .summary =
                                                                  "GPU power against samples and passes per GPUh",
                                                              .source = WS_FIGURE_OF_CAMPAIGN,
                                                              .by_series = true,
                                                              .needs = needs,
                                                              .make = make_figure_power_throughput};
