/* Huber et al. 2025, Fig. 3, panels C and D: energy and GPU hours against the number of GPUs at a constant number of
 * samples a GPU. Both axes are logarithmic, as there. */
#include "analyze/recipes/figure_series.h"

static const char *const series[] = {"gbs256", "gbs8192", "lbs256", NULL};

static ws_status make_figure_huber(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    static const ws_series_panel panels[] = {
        {.x = "gpus", .x_label = "Number of GPUs", .y = "energy_kwh", .y_label = "Energy / kWh"},
        {.x = "gpus", .x_label = "Number of GPUs", .y = "gpu_h", .y_label = "Compute resources / GPUh"},
    };
    static const char *const letters[] = {"C", "D"};
    (void)error;
    ws_series_list list;
    ws_series_to_draw(&list, input->runs, input->scale, series);
    ws_figure_init(figure, "huber/fig3", 180, 70, 1, 2);
    for (size_t i = 0; i < 2; i++) {
        ws_panel *panel = ws_series_add_panel(&list, figure, &panels[i]);
        if (!panel)
            continue;
        panel->letter = letters[i];
        panel->y.scale = WS_AXIS_LOG10;
    }
    ws_figure_arrange(figure, &list);
    figure->caption =
        ws_arena_printf(&figure->arena, "Energy (C) and compute resources (D) against the number of GPUs.%s %s",
                        ws_bars_are(figure), ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return WS_OK;
}

static const char *const needs[] = {"gpus", "energy_kwh", "gpu_h", NULL};
const ws_figure_recipe ws_figure_huber_fig3 = {
    "huber/fig3",          "energy and GPUh against GPUs, log axes (Huber et al. 2025, Fig. 3 C and D)",
    WS_FIGURE_OF_CAMPAIGN, needs,
    make_figure_huber,     series};
