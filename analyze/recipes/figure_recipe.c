#include "analyze/recipes/figure_recipe.h"

#include "analyze/scaling/pairs_by_setting.h"
#include "analyze/recipes/axis_names.h"
#include "analyze/recipes/paper_order.h"
#include "analyze/recipes/series_looks.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of any campaign, table or trace; those of a paper alone stand in its list (paper.h). */
static const ws_figure_recipe *const recipes[] = {
    &ws_figure_campaign_speedup,
    &ws_figure_campaign_energy,
    &ws_figure_campaign_energy_vs_gpuh,
    &ws_figure_campaign_per_gpuh,
    &ws_figure_campaign_time_loglog,
    &ws_figure_campaign_power_throughput,
    &ws_figure_campaign_ratios,
    &ws_figure_campaign_caps,
    &ws_figure_campaign_pareto,
    &ws_figure_campaign_quality,
    &ws_figure_trace_profile,
    &ws_figure_xy,
    NULL,
};

const ws_figure_recipe *const *ws_figure_recipes(void)
{
    return recipes;
}

static bool has_numbers(const ws_table *table, const char *name)
{
    size_t column;
    if (!ws_table_find(table, name, &column))
        return false;
    for (size_t row = 0; row < table->n_rows; row++)
        if (isfinite(ws_table_number(table, column, row)))
            return true;
    return false;
}

static ws_status check_needs(const ws_figure_recipe *recipe, const ws_table *table, ws_error *error)
{
    char names[360] = "";
    const char *const *missing = recipe->needs;
    if (!table->n_rows)
        return ws_fail_at(error, WS_DATA, table->source, 0, "no row is left to draw");
    while (missing && *missing && has_numbers(table, *missing))
        missing++;
    if (!missing || !*missing)
        return WS_OK;
    for (size_t i = 0; i < table->n_columns && strlen(names) < sizeof names - 40; i++)
        if (!table->columns[i].detail && has_numbers(table, table->columns[i].name))
            snprintf(names + strlen(names), sizeof names - strlen(names), " %.30s", table->columns[i].name);
    ws_fail_recipe(error, table->source, recipe->name, " ", "needs the column '%s', which has no number here",
                   *missing);
    return ws_fail_offer(error, names, WS_DATA);
}

static void put_footnote(ws_figure *figure, const char *line)
{
    figure->footnote = figure->footnote ? ws_arena_printf(&figure->arena, "%s %s", line, figure->footnote) : line;
}

static void say_doubtful(ws_figure *figure)
{
    if (ws_figure_has(figure, WS_LAYER_DOUBTFUL))
        put_footnote(figure, "Open markers with a dot: the energy is doubtful (wattscale check says why).");
}

/* "framework, samples of the data set" of "framework, dataset_samples": a page of print has no names of columns. */
static const char *spelled_settings(const ws_looks *looks, ws_arena *arena, const char *settings)
{
    const char *words = "";
    ws_span rest = ws_span_of(settings), one;
    while (ws_span_split(&rest, ',', &one)) {
        one = ws_span_trim(one);
        char *word = ws_arena_strdup(arena, ws_axis_label(looks, arena, ws_arena_strndup(arena, one.p, one.n)));
        char *unit = strstr(word, " / ");
        if (unit)
            *unit = '\0';
        ws_begin_small(word);
        words = ws_arena_printf(arena, "%s%s%s", words, *words ? ", " : "", word);
    }
    return words;
}

void ws_figure_say_mixed(ws_figure *figure, const ws_figure_recipe *recipe, const ws_looks *looks, const char *settings)
{
    if (*settings)
        put_footnote(figure, ws_arena_printf(&figure->arena, "%s over runs that differ in %s.",
                                             recipe->means ? recipe->means : "Means",
                                             spelled_settings(looks, &figure->arena, settings)));
}

/* Figures of papers from rows in the order of what their columns say. */
static ws_status make_in_order(const ws_figure_recipe *recipe, const ws_figure_input *input, ws_figure *figure,
                               ws_error *error)
{
    bool is_ordered = recipe->source == WS_FIGURE_OF_CAMPAIGN && ws_is_of_paper(recipe->name);
    ws_table runs, scale;
    ws_figure_input ordered = *input;
    if (is_ordered && ws_paper_order(input->runs, &runs))
        ordered.runs = &runs;
    if (is_ordered && ws_paper_order(input->scale, &scale))
        ordered.scale = &scale;
    ws_status status = recipe->make(&ordered, figure, error);
    if (ordered.runs != input->runs)
        ws_table_free(&runs);
    if (ordered.scale != input->scale)
        ws_table_free(&scale);
    return status;
}

ws_status ws_figure_recipe_make(const ws_figure_recipe *recipe, const ws_figure_input *input, ws_figure *figure,
                                ws_error *error)
{
    *figure = (ws_figure){0};
    ws_status status = WS_OK;
    if (recipe->source == WS_FIGURE_OF_CAMPAIGN)
        status = check_needs(recipe, input->scale, error);
    if (status == WS_OK)
        status = make_in_order(recipe, input, figure, error);
    if (status == WS_OK && recipe->source == WS_FIGURE_OF_CAMPAIGN && !figure->n_panels)
        status = ws_fail_recipe(error, input->scale->source, recipe->name, ": ", "there is nothing to draw");
    if (status == WS_OK) {
        say_doubtful(figure);
        if (recipe->source == WS_FIGURE_OF_CAMPAIGN && !input->is_facet && !recipe->pairs_settings)
            ws_figure_say_mixed(figure, recipe, input->scale->looks,
                                ws_mixed_settings_shown(input->runs, input->scale, &figure->arena));
        if (input->runs)
            ws_figure_take_looks(figure, input->runs->looks);
    }
    figure->synthetic = input->synthetic;
    figure->grows = true;
    return status;
}
