/* What one GPUh buys and costs: energy, power, samples and passes against the number of GPUs (Huber et al. 2025, Fig.
 * 6). */
#include "analyze/recipes/figure_series.h"
#include "report/figure/caption_panels.h"

enum { PANELS = 5 };

/* What is drawn, by the labels that the panels were given. */
static const char *shown(ws_figure *figure, const char *const labels[PANELS], const char *against)
{
    static const char *const was[PANELS] = {"A", "B", "C", "D", "E"};
    const char *is[PANELS] = {NULL};
    const ws_panel_letters letters = {was, is, PANELS};
    for (size_t i = 0; i < PANELS; i++)
        for (size_t p = 0; p < figure->n_panels && labels[i]; p++)
            if (figure->panels[p].y.label == labels[i])
                is[i] = figure->n_panels > 1 ? figure->panels[p].letter : "";
    const char *all =
        ws_arena_printf(&figure->arena,
                        "Energy per GPUh (A), mean power of a GPU (B), mean power of a CPU socket (C), "
                        "samples per GPUh (D) and passes per GPUh (E; forward and backward, one an update) "
                        "against %s.",
                        against);
    return ws_caption_of_panels(&figure->arena, all, &letters);
}

static ws_status make_figure_per_gpuh(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    static const ws_series_panel panels[PANELS] = {
        {.y = "kwh_per_gpuh", .y_label = "Energy per GPUh / kWh"},
        {.y = "gpu_power_w", .y_label = "GPU power / W"},
        {.y = "cpu_power_w", .y_label = "CPU socket power / W"},
        {.y = "samples_per_gpuh", .y_label = "samples / GPUh", .in_thousands = true},
        {.y = "passes_per_gpuh", .y_label = "passes / GPUh", .in_thousands = true},
    };
    const char *labels[PANELS] = {NULL};
    (void)error;
    ws_series_list list;
    ws_series_to_draw_against(&list, input->runs, input->scale);
    ws_figure_init(figure, "campaign/per-gpuh", 180, 100, 2, 3);
    for (size_t i = 0; i < PANELS; i++) {
        ws_series_panel panel = panels[i];
        panel.x = list.against;
        panel.x_label = ws_axis_label(NULL, &figure->arena, list.against);
        panel.x_factor = ws_axis_factor(NULL, list.against);
        const ws_panel *added = ws_series_add_panel(&list, figure, &panel);
        labels[i] = added ? added->y.label : NULL;
    }
    const char *dropped = ws_figure_drop_proportional(figure);
    ws_figure_arrange(figure, &list);
    figure->caption = ws_arena_printf(&figure->arena, "%s%s%s %s",
                                      shown(figure, labels, ws_series_against_words(&list, &figure->arena)), dropped,
                                      ws_bars_are(figure), ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return WS_OK;
}

static const char *const needs[] = {"gpus", "kwh_per_gpuh", NULL};
const ws_figure_recipe ws_figure_campaign_per_gpuh = {.name = "campaign/per-gpuh",
                                                      .takes = WS_TAKES_GROUP,
                                                      .summary =
                                                          "energy, power, samples and passes per GPUh against GPUs",
                                                      .title = "%s against GPUs",
                                                      .n_quantities = 5,
                                                      .source = WS_FIGURE_OF_CAMPAIGN,
                                                      .by_series = true,
                                                      .needs = needs,
                                                      .make = make_figure_per_gpuh};
