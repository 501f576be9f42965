/* Time against the number of GPUs on logarithmic axes, with the power law t = alpha n^-beta of each series
 * (Frey et al. 2022, Fig. 8). Every run is a point. */
#include "analyze/recipes/figure_series.h"

#include "report/utf8.h"

#include <math.h>

/* "DimeNet: β = 0.82 ± 0.03, R^{2} = 0.99" */
static void add_exponent(const ws_series_list *list, ws_figure *figure, ws_panel *panel, size_t s, const ws_fit *fit)
{
    const ws_estimate *exponent = ws_fit_estimate(fit, "exponent");
    const char *label = ws_label_before(&figure->arena, list->items[s].label);
    char r2[WS_DOUBLE_TEXT];
    if (!exponent || !isfinite(exponent->value))
        return;
    const char *beta = ws_value_text(&figure->arena, fit, -exponent->value, exponent->se);
    const char *text = ws_arena_printf(&figure->arena, "%sβ = %s", label, beta);
    ws_double_text_decimals(r2, fit->r2, 3);
    if (fit->df > 0 && fit->r2 > 0.999) /* never rounded up to 1 */
        text = ws_arena_printf(&figure->arena, "%s, R^{2} > 0.999", text);
    else if (fit->df > 0 && isfinite(fit->r2)) /* a line through two points has none */
        text = ws_arena_printf(&figure->arena, "%s, R^{2} = %s", text, r2);
    ws_panel_note(figure, panel, s, false, (int)s, text);
}

/* Times of an epoch have a column of their own. */
static ws_work work_of(const ws_figure_input *input)
{
    return ws_figure_work_of(input) == WS_PER_SAMPLE ? WS_PER_SAMPLE : WS_PER_RUN;
}

static ws_status fail_without_times(const ws_figure_input *input, const ws_figure *figure, ws_error *error)
{
    if (work_of(input) == WS_PER_SAMPLE)
        return ws_fail_recipe(error, input->runs->source, figure->name, " ",
                              "needs the columns wall_s, epochs and dataset_samples for times of a sample");
    return ws_fail_recipe(error, input->runs->source, figure->name, " ",
                          "needs the column '%s', which has no number here", ws_figure_time_column(input));
}

static ws_status add_series(const ws_series_list *list, const ws_figure_input *input, ws_figure *figure,
                            ws_panel *panel, size_t s, size_t *points, ws_error *error)
{
    ws_fit fit = {0};
    ws_drawn_curve curve = {"powerlaw", input->level, true, false, (int)s, list->items[s].label, false};
    const char *time = ws_figure_time_column(input);
    ws_work work = work_of(input);
    ws_points p =
        ws_points_take_along(&figure->arena, input->runs, &list->items[s].runs, "gpus", time, NULL, NULL, NULL, work);
    ws_points means = ws_points_of_work(&figure->arena, input->runs, &list->items[s].runs, "gpus", time, true, work);
    *points += p.n;
    if (!p.n)
        return WS_OK;
    ws_status status = ws_curve_add(figure, panel, &curve, &means, &fit, error);
    add_exponent(list, figure, panel, s, &fit);
    const char *label = *list->items[s].label ? list->items[s].label : NULL;
    ws_panel_add_layer(figure, panel, label, WS_LAYER_MARKERS, (int)s, p.n, p.x, p.y);
    return status;
}

static ws_status make_figure_time_loglog(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    ws_series_list list;
    ws_status scales = ws_series_need_gpu_counts(input->runs, error);
    if (scales != WS_OK)
        return scales;
    ws_series_to_draw(&list, input->runs, input->scale);
    ws_figure_init(figure, "campaign/time-loglog", 88, 70, 1, 1);
    const char *column = ws_figure_time_column(input);
    ws_panel *panel = ws_figure_add_panel(figure, NULL, NULL);
    panel->x = (ws_axis){.scale = ws_series_gpu_scale(&list), .label = "Number of GPUs"};
    panel->y =
        (ws_axis){.scale = WS_AXIS_LOG10,
                  .label = work_of(input) == WS_PER_SAMPLE ? "Time per sample / s"
                                                           : ws_axis_label(input->runs->looks, &figure->arena, column)};
    ws_status status = WS_OK;
    size_t points = 0;
    for (size_t s = 0; status == WS_OK && s < list.n; s++)
        status = add_series(&list, input, figure, panel, s, &points, error);
    if (!input->is_facet)
        ws_panel_notes_to_legend(panel, list.n);
    if (status == WS_OK && !points)
        status = fail_without_times(input, figure, error);
    ws_figure_arrange(figure, &list);
    const char *lines =
        ws_figure_has(figure, WS_LAYER_LINE)
            ? " Lines: power law, the time as n to the power of −β, by least squares of the logarithms of the means "
              "of configurations, "
              "with the standard error of β"
            : "";
    figure->caption = ws_arena_printf(&figure->arena, "%s against the number of GPUs, n = %zu run%s.%s%s%s%s",
                                      work_of(input) == WS_PER_SAMPLE ? "Time per sample"
                                      : column[0] == 'e'              ? "Time per epoch"
                                                                      : "Wall time",
                                      points, points == 1 ? "" : "s", lines, ws_bands_are(figure, input->level),
                                      *lines ? "." : "", ws_series_left_out(&list, &figure->arena));
    ws_series_free(&list);
    return status;
}

static const char *const needs[] = {"gpus", NULL};
const ws_figure_recipe ws_figure_campaign_time_loglog = {
    .name = "campaign/time-loglog",
    .takes = WS_TAKES_BAND | WS_TAKES_PER | WS_TAKES_GROUP,
    .summary = "time against GPUs with power laws, as Frey et al. 2022, Fig. 8",
    .source = WS_FIGURE_OF_CAMPAIGN,
    .by_series = true,
    .means = "Lines: power laws of means",
    .needs = needs,
    .make = make_figure_time_loglog};
