/* Strong and weak scaling side by side, and the share of the peak (Jigsaw, arXiv:2507.05753). */
#include "analyze/recipes/figure_series.h"

#include <string.h>

static bool is_weak_series(const ws_table *scale, const ws_series *s)
{
    size_t column;
    const char *kind =
        ws_table_find(scale, "scaling", &column) ? scale->columns[column].text[s->configurations.rows[0]] : NULL;
    return kind && strcmp(kind, "weak") == 0;
}

static void add_efficiency(const ws_series_list *list, ws_figure *figure, bool weak)
{
    ws_panel *panel = ws_figure_add_panel(figure, figure->n_panels ? "B" : "A", NULL);
    panel->x = (ws_axis){.scale = ws_series_gpu_scale(list), .label = "Number of GPUs"};
    panel->y = (ws_axis){.label = weak ? "Weak scaling efficiency / %" : "Strong scaling efficiency / %"};
    for (size_t s = 0; s < list->n; s++) {
        if (is_weak_series(list->scale, &list->items[s]) != weak)
            continue;
        ws_points p = ws_points_take(&figure->arena, list->scale, &list->items[s].configurations, "gpus", "efficiency",
                                     "efficiency_pooled_se");
        for (size_t i = 0; i < p.n; i++) {
            p.y[i] *= 100;
            p.error[i] *= 100;
        }
        if (p.n > 1)
            ws_points_draw(figure, panel, *list->items[s].label ? list->items[s].label : NULL,
                           WS_LAYER_LINE | WS_LAYER_MARKERS, (int)s, &p);
    }
    if (panel->n_layers)
        ws_panel_add_reference(figure, panel, false, 100, NULL);
    else
        ws_figure_drop_panel(figure, figure->n_panels - 1);
}

static ws_status make_jigsaw(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    ws_series_list list;
    ws_status status = ws_series_need_gpu_counts(in->scale, error);
    if (status != WS_OK)
        return status;
    ws_series_to_draw(&list, in->runs, in->scale);
    ws_series_by_rows(&list);
    ws_figure_init(figure, "jigsaw/scaling", 180, 70, 1, 2);
    add_efficiency(&list, figure, false);
    add_efficiency(&list, figure, true);
    const ws_series_panel peak = {
        .x = "gpus", .x_label = "Number of GPUs", .y = "peak_share", .y_label = "Share of peak / %", .factor = 100};
    ws_series_add_panel(&list, figure, &peak);
    ws_figure_arrange(figure, &list);
    if (figure->n_panels == 3) {
        figure->rows = 1;
        figure->columns = 3;
        figure->height_mm = 62;
        figure->legend = list.n > 1 ? WS_LEGEND_TOP : WS_LEGEND_NONE;
    }
    figure->caption = ws_arena_printf(
        &figure->arena, "Parallel efficiency against %s%s. Grey dashed line: ideal scaling.%s %s",
        ws_series_reference_words(&list, &figure->arena),
        figure->n_panels > 1 ? ", of strong and weak scaling, and the share of the peak where runs say it (peak_share)"
                             : "",
        ws_figure_has(figure, WS_LAYER_ERRORS) ? " Bars: standard error by the pooled spread of repeats." : "",
        ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return figure->n_panels ? WS_OK
                            : ws_fail_recipe(error, in->scale->source, "jigsaw/scaling", ": ", "no series scales");
}

static const char *const needs[] = {"gpus", "efficiency", NULL};
const ws_figure_recipe ws_figure_jigsaw_scaling = {
    .name = "jigsaw/scaling",
    .takes = WS_TAKES_REFERENCE | WS_TAKES_SCALING | WS_TAKES_PER | WS_TAKES_GROUP,
    .summary = "strong and weak scaling efficiency and share of the peak (Jigsaw, arXiv:2507.05753)",
    .source = WS_FIGURE_OF_CAMPAIGN,
    .by_series = true,
    .needs = needs,
    .make = make_jigsaw};
