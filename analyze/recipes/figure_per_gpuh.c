/* What one GPUh buys and costs: energy, power, samples and passes against the number of GPUs (Huber et al. 2025, Fig.
 * 6). */
#include "analyze/recipes/figure_series.h"

static ws_status make_figure_per_gpuh(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    static const ws_series_panel panels[] = {
        {.y = "kwh_per_gpuh", .y_label = "Energy per GPUh / kWh"},
        {.y = "gpu_power_w", .y_label = "GPU power / W"},
        {.y = "cpu_power_w", .y_label = "CPU socket power / W"},
        {.y = "samples_per_gpuh", .y_label = "samples / GPUh", .in_thousands = true},
        {.y = "passes_per_gpuh", .y_label = "passes / GPUh", .in_thousands = true},
    };
    (void)error;
    ws_series_list list;
    ws_series_to_draw_against(&list, input->runs, input->scale);
    ws_figure_init(figure, "campaign/per-gpuh", 180, 100, 2, 3);
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
        ws_series_panel panel = panels[i];
        panel.x = list.against;
        panel.x_label = ws_axis_label(NULL, &figure->arena, list.against);
        panel.x_factor = ws_axis_factor(NULL, list.against);
        ws_series_add_panel(&list, figure, &panel);
    }
    const char *dropped = ws_figure_drop_proportional(figure);
    ws_figure_arrange(figure, &list);
    figure->caption = ws_arena_printf(
        &figure->arena,
        "Energy per GPUh, mean power of a GPU and of a CPU socket, samples and passes (forward and backward, one an "
        "update) per GPUh against %s.%s%s %s",
        ws_series_against_words(&list, &figure->arena), dropped, ws_bars_are(figure),
        ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return WS_OK;
}

static const char *const needs[] = {"gpus", "kwh_per_gpuh", NULL};
const ws_figure_recipe ws_figure_campaign_per_gpuh = {.name = "campaign/per-gpuh",
                                                      .takes = WS_TAKES_GROUP,
                                                      .summary =
                                                          "energy, power, samples and passes per GPUh against GPUs",
                                                      .source = WS_FIGURE_OF_CAMPAIGN,
                                                      .by_series = true,
                                                      .needs = needs,
                                                      .make = make_figure_per_gpuh};
