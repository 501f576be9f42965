/* Speed and energy of configurations against those that differ from them in one setting alone: under power caps, on
 * devices (--reference power_cap_w=250). Bars, a group for each configuration, with 95 % intervals (ratios.h). */
#include "analyze/recipes/figure_series.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 16, MOST_VALUES = 8 };

static const double WIDEST = 4; /* the upper end of an interval over its lower one that a bar still shows */

typedef struct ratio_chart {
    const ws_table *scale;
    size_t setting; /* the column that the reference names */
    const char *groups[MOST_GROUPS], *values[MOST_VALUES];
    size_t n_groups, n_values;
    bool is_full;
} ratio_chart;

static bool differs(const ws_table *t, size_t column)
{
    char first[WS_DOUBLE_TEXT], text[WS_DOUBLE_TEXT];
    for (size_t row = 1; row < t->n_rows; row++)
        if (strcmp(ws_table_cell_text(t, column, 0, first), ws_table_cell_text(t, column, row, text)) != 0)
            return true;
    return false;
}

static const char *spelled(const ratio_chart *c, ws_arena *arena, size_t column, size_t row)
{
    char buffer[WS_DOUBLE_TEXT];
    const char *name = c->scale->columns[column].name, *text = ws_table_cell_text(c->scale, column, row, buffer);
    return ws_series_spelled(c->scale->looks, arena, name, text);
}

/* "DimeNet, 2 GPUs": what the configurations are grouped by and differ in, the setting and the series' name aside. */
static const char *group_of(const ratio_chart *c, ws_arena *arena, size_t row)
{
    const char *label = "";
    for (size_t i = 0; i < c->scale->n_columns && strcmp(c->scale->columns[i].name, "n_runs") != 0; i++) {
        const char *name = c->scale->columns[i].name;
        bool follows =
            strcmp(name, "gbs") == 0 && ws_table_column(c->scale, "lbs"); /* from the GPUs and the local one */
        if (i == c->setting || c->scale->columns[i].detail || strcmp(name, "series") == 0 || follows ||
            strcmp(name, "model_class") == 0 || !differs(c->scale, i) || ws_table_is_missing(c->scale, i, row))
            continue;
        label = ws_arena_printf(arena, "%s%s%s", label, *label ? ", " : "", spelled(c, arena, i, row));
    }
    return label;
}

static size_t place_of(const char *const *names, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static void add_name(const char **names, size_t *n, size_t most, const char *name, bool *is_full)
{
    if (place_of(names, *n, name) < *n)
        return;
    *is_full |= *n == most;
    if (*n < most)
        names[(*n)++] = name;
}

static int compare_names(const void *a, const void *b)
{
    return ws_series_order(*(const char *const *)a, *(const char *const *)b);
}

static double number(const ws_table *t, const char *name, size_t row)
{
    size_t column;
    return ws_table_find(t, name, &column) ? ws_table_number(t, column, row) : NAN;
}

static bool has_ratio(const ws_table *t, size_t row)
{
    return isfinite(number(t, "speedup", row)) || isfinite(number(t, "energy_ratio", row));
}

static void find_names(ratio_chart *c, ws_arena *arena)
{
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        if (!has_ratio(c->scale, row))
            continue;
        add_name(c->groups, &c->n_groups, MOST_GROUPS, group_of(c, arena, row), &c->is_full);
        add_name(c->values, &c->n_values, MOST_VALUES, spelled(c, arena, c->setting, row), &c->is_full);
    }
    qsort(c->groups, c->n_groups, sizeof *c->groups, compare_names);
    qsort(c->values, c->n_values, sizeof *c->values, compare_names);
}

static void add_bars(const ratio_chart *c, ws_figure *figure, ws_panel *panel, size_t value, const char *y)
{
    double at[MOST_GROUPS], height[MOST_GROUPS], error[MOST_GROUPS];
    const char *lo = ws_arena_printf(&figure->arena, "%s_lo", y);
    const char *hi = ws_arena_printf(&figure->arena, "%s_hi", y);
    size_t n = 0;
    bool has_error = false;
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        size_t group = place_of(c->groups, c->n_groups, group_of(c, &figure->arena, row));
        double ratio = number(c->scale, y, row);
        if (strcmp(spelled(c, &figure->arena, c->setting, row), c->values[value]) != 0 || group == c->n_groups ||
            n == MOST_GROUPS || !isfinite(ratio))
            continue;
        at[n] = (double)group;
        height[n] = ratio;
        double low = number(c->scale, lo, row), high = number(c->scale, hi, row);
        error[n] = high < WIDEST * low ? (high - low) / 2 : NAN;
        has_error |= isfinite(error[n]);
        n++;
    }
    if (!n)
        return;
    ws_layer *layer = ws_panel_add_layer(figure, panel, c->values[value], WS_LAYER_BARS, (int)value, n, at, height);
    if (has_error) {
        layer->kind |= WS_LAYER_ERRORS;
        ws_layer_set_error(figure, layer, error);
    }
}

static ws_status make_ratios(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    static const char *const columns[] = {"speedup", "energy_ratio"}, *const labels[] = {"Speed", "Energy"};
    ratio_chart c = {.scale = in->scale};
    const char *equals = in->reference ? strchr(in->reference, '=') : NULL;
    ws_figure_init(figure, "campaign/ratios", 180, 70, 1, 2);
    if (!equals || strncmp(in->reference, "gpus=", 5) == 0 ||
        !ws_table_find(in->scale, ws_arena_strndup(&figure->arena, in->reference, (size_t)(equals - in->reference)),
                       &c.setting))
        return ws_fail_at(error, WS_DATA, in->scale->source, 0,
                          "campaign/ratios needs a setting to refer to: --reference power_cap_w=250");
    find_names(&c, &figure->arena);
    if (!c.n_groups || c.is_full)
        return ws_fail_at(error, WS_DATA, in->scale->source, 0,
                          c.is_full
                              ? "campaign/ratios has room for %d configurations under %d settings: --only keeps some"
                              : "campaign/ratios: no configuration has a reference",
                          (int)MOST_GROUPS, (int)MOST_VALUES);
    for (size_t i = 0; i < 2; i++) {
        const char *of =
            ws_series_spelled(in->scale->looks, &figure->arena, in->scale->columns[c.setting].name, equals + 1);
        ws_panel *panel = ws_figure_add_panel(figure, i ? "B" : "A", NULL);
        panel->x = (ws_axis){.scale = WS_AXIS_CATEGORY, .categories = c.groups, .n_categories = c.n_groups};
        panel->y =
            (ws_axis){.label = ws_arena_printf(&figure->arena, "%s relative to %s", labels[i], of), .from_zero = true};
        const char **copy = ws_arena_alloc(&figure->arena, (c.n_groups + 1) * sizeof *copy);
        memcpy(copy, c.groups, c.n_groups * sizeof *copy);
        panel->x.categories = copy;
        for (size_t v = 0; v < c.n_values; v++)
            add_bars(&c, figure, panel, v, columns[i]);
        if (panel->n_layers)
            ws_panel_add_reference(figure, panel, false, 1, "Reference");
        else
            figure->n_panels--;
    }
    size_t letters = 0;
    for (size_t g = 0; g < c.n_groups; g++)
        letters += strlen(c.groups[g]);
    if (letters > 50) { /* names side by side need room */
        figure->rows = figure->n_panels;
        figure->columns = 1;
        figure->height_mm = 62 * (double)figure->n_panels;
    }
    figure->legend = WS_LEGEND_TOP;
    ws_work work = ws_figure_work(in->scale);
    figure->caption = ws_arena_printf(
        &figure->arena, "%s%s%s against the configuration that differs in %s alone.%s%s",
        figure->n_panels == 2 ? "Speed (A) and energy (B)" : "Speed and energy", work == WS_PER_RUN ? "" : " per ",
        work == WS_PER_RUN ? "" : ws_work_name(work), in->reference,
        ws_figure_has(figure, WS_LAYER_ERRORS)
            ? " Bars: half of the 95 % interval, by the repeats of both "
              "configurations (of the series for a single run); intervals wider than a factor of 4 are not drawn."
            : "",
        ws_left_out(&in->scale->notes, &figure->arena));
    return WS_OK;
}

static const char *const needs[] = {"gpus", NULL};
const ws_figure_recipe ws_figure_campaign_ratios = {
    .name = "campaign/ratios",
    .takes = WS_TAKES_REFERENCE | WS_TAKES_PER | WS_TAKES_GROUP,
    .summary = "speed and energy against one setting, with intervals: --reference power_cap_w=250",
    .source = WS_FIGURE_OF_CAMPAIGN,
    .needs = needs,
    .make = make_ratios};
