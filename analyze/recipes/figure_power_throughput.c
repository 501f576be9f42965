/* Mean power of a GPU against what it works through: samples and passes per GPUh (Huber et al. 2025, section 3.5). */
#include "analyze/recipes/figure_series.h"

#include "analyze/recipes/series_looks.h"
#include "analyze/units.h"
#include "core/text.h"
#include "fit/test.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <string.h>

enum { MOST_MODELS = 3 }; /* with a correlation of their own */

/* The runs of a model (NULL: of all), each once, though it may stand in two series. */
static ws_row_list runs_of(const ws_series_list *list, ws_figure *figure, const char *model)
{
    const ws_table *runs = list->runs;
    const ws_column *models = ws_table_column(runs, "model");
    ws_row_list of = {.rows = ws_arena_alloc(&figure->arena, (runs->n_rows + 1) * sizeof *of.rows)};
    size_t *same = ws_arena_alloc(&figure->arena, (runs->n_rows + 1) * sizeof *same);
    ws_units_same_runs(runs, same, NULL);
    for (size_t row = 0; row < runs->n_rows; row++) {
        const char *own = models && models->kind == WS_TEXT ? models->text[row] : NULL;
        if (same[row] == row && (!model || (own && strcmp(own, model) == 0)))
            of.rows[of.n++] = row;
    }
    return of;
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

/* The different models, at most `most` of them; one more is counted and not kept. */
static size_t models_of(const ws_table *scale, const char **models, size_t most)
{
    const ws_column *column = ws_table_column(scale, "model");
    size_t n = 0;
    for (size_t row = 0; column && column->kind == WS_TEXT && row < scale->n_rows && n <= most; row++) {
        bool is_new = column->text[row] != NULL;
        for (size_t i = 0; i < n && i < most && is_new; i++)
            is_new = strcmp(models[i], column->text[row]) != 0;
        if (is_new && n < most)
            models[n] = column->text[row];
        n += is_new;
    }
    return n;
}

/* "r = 0.98, n = 15" over the configurations of one model (NULL: of all), as `correlate` and the story have it. */
static ws_status add_correlation(const ws_series_list *list, ws_figure *figure, ws_panel *panel,
                                 const ws_series_panel *what, const char *model, size_t nth, double level, bool *differ,
                                 ws_error *error)
{
    ws_row_list rows = runs_of(list, figure, model);
    ws_correlation result;
    char r[WS_DOUBLE_TEXT];
    ws_points p = ws_points_of_configurations(&figure->arena, list->runs, &rows, what->x, what->y, false);
    ws_status status = ws_pearson(p.x, p.y, p.n, level, &result, error);
    if (status != WS_OK || !isfinite(result.r))
        return status;
    ws_double_text_decimals(r, fabs(result.r), 2);
    *differ = *differ || (!model && series_differ(list, figure, what, level));
    const char *name = model ? ws_series_spelled(list->scale->looks, &figure->arena, "model", model) : "";
    const char *text = ws_arena_printf(&figure->arena, "%s%sr = %s%s, n = %zu", name, model ? ": " : "",
                                       result.r < 0 ? "−" : "", r, p.n);
    ws_panel_note(figure, panel, nth, result.r > 0, -1, text);
    return status;
}

/* Models draw different powers at the same number of samples: each has its own, where they are few. */
static ws_status add_correlations(const ws_series_list *list, ws_figure *figure, ws_panel *panel,
                                  const ws_series_panel *what, double level, bool *differ, ws_error *error)
{
    const char *models[MOST_MODELS];
    size_t n = models_of(list->scale, models, MOST_MODELS);
    ws_status status = WS_OK;
    if (n < 2 || n > MOST_MODELS)
        return add_correlation(list, figure, panel, what, NULL, 0, level, differ, error);
    for (size_t i = 0; status == WS_OK && i < n; i++)
        status = add_correlation(list, figure, panel, what, models[i], i, level, differ, error);
    return status;
}

static ws_status make_figure_power_throughput(const ws_figure_input *input, ws_figure *figure, ws_error *error)
{
    static const ws_series_panel panels[] = {
        {.x = "samples_per_gpuh",
         .x_label = "samples / GPUh",
         .along = "samples_per_gpuh",
         .y = "gpu_power_w",
         .y_label = "GPU power / W",
         .kind = WS_LAYER_MARKERS,
         .in_thousands = true},
        {.x = "passes_per_gpuh",
         .x_label = "passes / GPUh",
         .along = "passes_per_gpuh",
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
            status = add_correlations(&list, figure, panel, &panels[i], input->level, &differ, error);
    }
    ws_figure_arrange(figure, &list);
    const char *models[MOST_MODELS];
    size_t n_models = models_of(input->scale, models, MOST_MODELS);
    figure->caption = ws_arena_printf(
        &figure->arena, "Mean power of a GPU%s, a point a configuration.%s r: Pearson's correlation over %s%s.%s %s",
        figure->n_panels > 1 ? ": against samples per GPUh (A) and against passes per GPUh (B)"
                             : " against samples and passes per GPUh",
        ws_bars_are(figure), list.n_not_drawn ? "all configurations, drawn or not" : "all points",
        n_models > 1 && n_models <= MOST_MODELS ? " of a model" : "",
        differ ? " It pools series whose correlations differ (p < 0.05)." : "",
        ws_series_counts(&list, &figure->arena));
    ws_series_free(&list);
    return status;
}

/* A correlation is over all points of a model: its series are never parted. */
static const char *facets_of_models(const ws_figure_input *in)
{
    ws_series_list list;
    ws_series_init(&list, in->runs, in->scale);
    const char *facets = ws_series_facets_by_model(&list);
    ws_series_free(&list);
    return facets ? "model" : NULL;
}

static const char *const needs[] = {"gpu_power_w", "samples_per_gpuh", NULL};
const ws_figure_recipe ws_figure_campaign_power_throughput = {.name = "campaign/power-vs-throughput",
                                                              .takes = WS_TAKES_GROUP,
                                                              .summary =
                                                                  "GPU power against samples and passes per GPUh",
                                                              .source = WS_FIGURE_OF_CAMPAIGN,
                                                              .by_series = true,
                                                              .facets = facets_of_models,
                                                              .needs = needs,
                                                              .make = make_figure_power_throughput};
