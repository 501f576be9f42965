/* Speed-up and efficiency against the number of GPUs (Huber et al. 2025, Fig. 2 A).
 *
 * S = t_ref / t, as in tables and stories (docs/methods.md, section 4). Of weak scaling, where the work grows with the
 * GPUs, that is the efficiency, so that such series are in its panel alone. */
#include "analyze/recipes/figure_series.h"

#include "core/text.h"
#include "report/figure/side_by_side.h"

#include <math.h>
#include <string.h>

/* The GPUs of the configuration that speed-ups of this series refer to: "gpus=4" ends its name. */
static double reference_gpus(const ws_table *scale, const ws_series *series)
{
    size_t column;
    double gpus = NAN;
    if (!ws_table_find(scale, "reference", &column))
        return NAN;
    for (size_t i = 0; i < series->configurations.n && isnan(gpus); i++) {
        const char *name = scale->columns[column].text[series->configurations.rows[i]], *at = NULL;
        for (const char *found = name; found && (found = strstr(found, "gpus=")); found += 5)
            at = found + 5;
        if (at)
            ws_span_double(ws_span_of(at), &gpus);
    }
    return gpus;
}

static bool is_weak(const ws_table *scale, const ws_series *series)
{
    size_t column;
    const char *kind = series->configurations.n && ws_table_find(scale, "scaling", &column)
                           ? scale->columns[column].text[series->configurations.rows[0]]
                           : NULL;
    return kind && strcmp(kind, "weak") == 0;
}

/* A series of one number of GPUs has nothing but itself to be faster than, unless all have one reference. */
static bool scales(const ws_table *scale, const ws_series *series)
{
    const ws_row_list *rows = &series->configurations;
    double reference = reference_gpus(scale, series);
    size_t speedup, gpus;
    bool found = ws_table_find(scale, "speedup", &speedup) && ws_table_find(scale, "gpus", &gpus);
    for (size_t i = 0; found && i < rows->n; i++) {
        double value = ws_table_number(scale, speedup, rows->rows[i]);
        if (isfinite(value) && (value != 1 || ws_table_number(scale, gpus, rows->rows[i]) != reference))
            return true;
    }
    return false;
}

/* Those that do not scale keep their place, and so the others their colours, and have no points. Returns a sentence
 * that names them, or "". */
static const char *empty_single(ws_series_list *list, ws_arena *arena)
{
    const char *names = "", *between = ", ";
    for (size_t s = 0; s < list->n; s++)
        if (strchr(list->items[s].label, ','))
            between = "; ";
    for (size_t s = 0; s < list->n; s++) {
        if (scales(list->scale, &list->items[s]))
            continue;
        list->items[s].configurations.n = 0;
        if (*list->items[s].label)
            names = ws_arena_printf(arena, "%s%s%s", names, *names ? between : "", list->items[s].label);
    }
    return *names ? ws_arena_printf(arena, " Not drawn, as there is one number of GPUs: %s.", names) : "";
}

static ws_points speedups(const ws_series_list *list, ws_figure *figure, const ws_series *series)
{
    const ws_row_list none = {0};
    const ws_row_list *rows = is_weak(list->scale, series) ? &none : &series->configurations;
    return ws_points_take(&figure->arena, list->scale, rows, "gpus", "speedup", "speedup_pooled_se");
}

/* One dashed line a reference: series that begin at 1 and at 32 GPUs have their own. */
static void add_ideal(const ws_series_list *list, ws_figure *figure, ws_panel *panel, size_t series)
{
    double reference = reference_gpus(list->scale, &list->items[series]), lo = INFINITY, hi = -INFINITY;
    if (isnan(reference))
        return;
    for (size_t s = 0; s < list->n; s++) {
        if (reference_gpus(list->scale, &list->items[s]) != reference)
            continue;
        if (s < series)
            return;
        ws_points p = speedups(list, figure, &list->items[s]);
        lo = p.n ? fmin(lo, p.x[0]) : lo;
        hi = p.n ? fmax(hi, p.x[p.n - 1]) : hi;
    }
    if (!(lo < hi))
        return;
    const double x[] = {lo, hi}, y[] = {lo / reference, hi / reference};
    bool is_first = panel->n_layers == 0;
    ws_panel_add_layer(figure, panel, is_first ? "Ideal" : NULL, WS_LAYER_LINE | WS_LAYER_DASHED, -1, 2, x, y);
}

static void add_speedup_panel(const ws_series_list *list, ws_figure *figure)
{
    ws_panel *panel = ws_figure_add_panel(figure, "A", NULL);
    ws_axis_scale scale = ws_series_gpu_scale(list);
    panel->x = (ws_axis){.scale = scale, .label = "Number of GPUs"};
    panel->y = (ws_axis){.scale = scale, .label = "Speed-up"};
    for (size_t s = 0; s < list->n; s++)
        add_ideal(list, figure, panel, s);
    for (size_t s = 0; s < list->n; s++) {
        ws_points p = speedups(list, figure, &list->items[s]);
        const char *label = *list->items[s].label ? list->items[s].label : WS_ONLY_SERIES;
        if (p.n)
            ws_points_draw(figure, panel, label, WS_LAYER_LINE | WS_LAYER_MARKERS, (int)s, &p);
    }
}

static size_t count(const ws_series_list *list, bool weak)
{
    size_t n = 0;
    for (size_t s = 0; s < list->n; s++)
        n += list->items[s].configurations.n && is_weak(list->scale, &list->items[s]) == weak;
    return n;
}

/* A point's bar is as long a share of it in both panels. Where bars of several series meet, the sloped ideal holds them
 * on each other in A, and in B they stand side by side: they are drawn there alone. True if so. */
static bool leave_bars_to_efficiency(ws_figure *figure)
{
    ws_panel *panel = &figure->panels[0];
    if (figure->n_panels < 2 || !ws_panel_bars_meet(panel))
        return false;
    for (size_t l = 0; l < panel->n_layers; l++) {
        panel->layers[l].kind &= ~(unsigned)WS_LAYER_ERRORS;
        panel->layers[l].error = NULL;
    }
    return true;
}

static ws_status make_figure_speedup(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    static const ws_series_panel efficiency = {.x = "gpus",
                                               .x_label = "Number of GPUs",
                                               .y = "efficiency",
                                               .y_label = "Parallel efficiency / %",
                                               .error = "efficiency_pooled_se",
                                               .factor = 100};
    ws_series_list list;
    const char *which = input->reference;
    if (which && strchr(which, '=') && strncmp(which, "gpus=", 5) != 0)
        return ws_fail(error, WS_USAGE,
                       "speed-ups against GPUs refer to series, all or gpus=N, not to '%s': campaign/ratios does",
                       which);
    ws_status scales = ws_series_need_gpu_counts(input->scale, error);
    if (scales != WS_OK)
        return scales;
    ws_series_to_draw(&list, input->runs, input->scale);
    ws_work work = ws_figure_work_of(input);
    ws_figure_init(figure, "campaign/speedup", 180, 70, 1, 2);
    const char *single = empty_single(&list, &figure->arena);
    size_t n_weak = count(&list, true);
    bool has_speedups = count(&list, false) > 0;
    if (has_speedups)
        add_speedup_panel(&list, figure);
    ws_panel *panel = ws_series_add_panel(&list, figure, &efficiency);
    if (panel)
        ws_panel_add_reference(figure, panel, false, 100, has_speedups ? "Ideal" : NULL);
    bool in_b = has_speedups && leave_bars_to_efficiency(figure);
    ws_figure_arrange(figure, &list);
    if (has_speedups)
        figure->legend = WS_LEGEND_TOP; /* it has the ideal beside the series */
    const char *reference = ws_series_reference_words(&list, &figure->arena);
    const char *unit = work == WS_PER_RUN ? "" : work == WS_PER_EPOCH ? " per epoch" : " per sample";
    figure->caption = ws_arena_printf(
        &figure->arena, "%s%s.%s%s%s %s",
        has_speedups ? ws_arena_printf(&figure->arena,
                                       "Speed-up of the mean times%s against %s (A), and parallel efficiency (B)", unit,
                                       reference)
                     : ws_arena_printf(&figure->arena,
                                       "Parallel efficiency of weak scaling, by the mean times%s: the speed-up against "
                                       "%s, whose GPUs have as much work each",
                                       unit, reference),
        has_speedups && n_weak ? "; in weak scaling both are the same, drawn as efficiency" : "",
        has_speedups ? " Grey dashed line: ideal scaling." : " Grey dashed line: 100 %.",
        !ws_figure_has(figure, WS_LAYER_ERRORS) ? ""
        : in_b                                  ? " Bars (B): standard error by the pooled spread of repeats."
                                                : " Bars: standard error by the pooled spread of repeats.",
        single, ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return figure->n_panels ? WS_OK
                            : ws_fail_recipe(error, input->scale->source, "campaign/speedup", ": ",
                                             "every series has one number of GPUs");
}

static const char *const needs[] = {"gpus", "speedup", NULL};
const ws_figure_recipe ws_figure_campaign_speedup = {.name = "campaign/speedup",
                                                     .takes = WS_TAKES_REFERENCE | WS_TAKES_SCALING | WS_TAKES_PER |
                                                              WS_TAKES_GROUP,
                                                     .summary = "speed-up and efficiency against GPUs, with the ideal",
                                                     .source = WS_FIGURE_OF_CAMPAIGN,
                                                     .by_series = true,
                                                     .needs = needs,
                                                     .make = make_figure_speedup};
