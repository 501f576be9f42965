/* Speed and energy of configurations against those that differ from them in one setting alone: under power caps, on
 * devices (--reference power_cap_w=250), or of the same series on another number of GPUs (gpus=2). Bars, a group for
 * each configuration, with 95 % intervals (ratios.h). */
#include "analyze/recipes/figure_series.h"
#include "analyze/recipes/series_looks.h"
#include "analyze/scaling/scaling.h"

#include "core/text.h"
#include "fit/tests/mean_and_spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPS = 16, MOST_VALUES = 8, MOST_FACETS = 6 };

static const double WIDEST = 4; /* the upper end of an interval over its lower one that a bar still shows */

typedef struct ratio_chart {
    const ws_table *scale;
    size_t setting;              /* the column that the reference names */
    const char **group, **value; /* of each row: what it is compared within, and its setting; NULL: it is not */
    const char *groups[MOST_GROUPS], *values[MOST_VALUES];
    size_t n_groups, n_values;
    bool is_full, has_means; /* a bar is the mean of those of several series */
    double level;
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

static bool compares_counts(const ratio_chart *c)
{
    return strcmp(c->scale->columns[c->setting].name, "gpus") == 0;
}

/* The columns that tell configurations apart, the setting and the series' name aside. Numbers of GPUs are compared
 * within a series, whatever goes with them (batches, nodes). */
static size_t columns_of_groups(const ratio_chart *c, size_t *columns)
{
    size_t n = 0;
    if (compares_counts(c) && ws_table_find(c->scale, "series", &columns[0]))
        return 1;
    for (size_t i = 0, n_keys = ws_scale_keys(c->scale); i < n_keys; i++) {
        const char *name = c->scale->columns[i].name;
        bool follows =
            strcmp(name, "gbs") == 0 && ws_table_column(c->scale, "lbs"); /* from the GPUs and the local one */
        if (i != c->setting && !c->scale->columns[i].detail && strcmp(name, "series") != 0 && !follows &&
            strcmp(name, "model_class") != 0 && differs(c->scale, i))
            columns[n++] = i;
    }
    return n;
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

/* The setting that the ratios refer to: the column of "power_cap_w=250". */
static bool find_setting(const ws_figure_input *in, ws_arena *arena, size_t *setting)
{
    const char *equals = in->reference ? strchr(in->reference, '=') : NULL;
    return equals &&
           ws_table_find(in->scale, ws_arena_strndup(arena, in->reference, (size_t)(equals - in->reference)), setting);
}

static bool has_another_value(const ratio_chart *c, const char *const *group, size_t row)
{
    for (size_t i = 0; i < c->scale->n_rows; i++)
        if (group[i] && strcmp(c->value[i], c->value[row]) != 0 && strcmp(group[i], group[row]) == 0)
            return true;
    return false;
}

/* "DimeNet, 2 GPUs" under "100 W", of each configuration that was run under several. */
static void read_rows(ratio_chart *c, ws_arena *arena)
{
    size_t n_rows = c->scale->n_rows, *columns = ws_arena_alloc(arena, (c->scale->n_columns + 1) * sizeof *columns);
    size_t n = columns_of_groups(c, columns);
    const char **group = ws_arena_alloc(arena, (n_rows + 1) * sizeof *group);
    c->group = ws_arena_alloc(arena, (n_rows + 1) * sizeof *c->group);
    c->value = ws_arena_alloc(arena, (n_rows + 1) * sizeof *c->value);
    for (size_t row = 0; row < n_rows; row++) {
        group[row] = has_ratio(c->scale, row) ? "" : NULL;
        c->value[row] = spelled(c, arena, c->setting, row);
        for (size_t i = 0; i < n && group[row]; i++)
            if (!ws_table_is_missing(c->scale, columns[i], row))
                group[row] = ws_arena_printf(arena, "%s%s%s", group[row], *group[row] ? ", " : "",
                                             spelled(c, arena, columns[i], row));
    }
    for (size_t row = 0; row < n_rows; row++)
        c->group[row] = group[row] && has_another_value(c, group, row) ? group[row] : NULL;
}

/* Those of rows whose column `of` holds `text`; NULL: of all. */
static void find_names(ratio_chart *c, size_t of, const char *text)
{
    char buffer[WS_DOUBLE_TEXT];
    c->n_groups = c->n_values = 0;
    c->is_full = false;
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        if (!c->group[row] || (text && strcmp(ws_table_cell_text(c->scale, of, row, buffer), text) != 0))
            continue;
        add_name(c->groups, &c->n_groups, MOST_GROUPS, c->group[row], &c->is_full);
        add_name(c->values, &c->n_values, MOST_VALUES, c->value[row], &c->is_full);
    }
    qsort(c->groups, c->n_groups, sizeof *c->groups, compare_names);
    qsort(c->values, c->n_values, sizeof *c->values, compare_names);
}

/* How many facets a column makes; 0 where one of them has too many configurations or settings, or they are too many. */
static size_t count_facets(ratio_chart *c, ws_arena *arena, size_t column)
{
    const char *seen[MOST_FACETS];
    size_t n = 0;
    bool is_full = false;
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        char buffer[WS_DOUBLE_TEXT];
        const char *text = ws_arena_strdup(arena, ws_table_cell_text(c->scale, column, row, buffer));
        if (!c->group[row] || place_of(seen, n, text) < n)
            continue;
        add_name(seen, &n, MOST_FACETS, text, &is_full);
        find_names(c, column, text);
        is_full |= c->is_full;
        if (is_full)
            return 0;
    }
    return n;
}

/* That with the fewest values which leaves room for the configurations of each. */
static const char *facets_of_ratios(const ws_figure_input *in)
{
    const ws_table *scale = in->scale;
    ratio_chart c = {.scale = scale};
    ws_arena arena = {0};
    const char *best = NULL;
    size_t fewest = MOST_FACETS + 1;
    bool needs_facets = find_setting(in, &arena, &c.setting);
    if (needs_facets) {
        read_rows(&c, &arena);
        find_names(&c, 0, NULL);
    }
    needs_facets &= c.is_full;
    for (size_t i = 0, n_keys = ws_scale_keys(scale); needs_facets && i < n_keys; i++) {
        if (i == c.setting || scale->columns[i].detail)
            continue;
        size_t n = count_facets(&c, &arena, i);
        if (n < 2 || n >= fewest)
            continue;
        fewest = n;
        best = scale->columns[i].name;
    }
    ws_arena_free(&arena);
    return best;
}

/* The ratios of one group under one value: those of several series are one bar. */
typedef struct ratio_bar {
    double height, error;
    bool is_mean;
} ratio_bar;

static ratio_bar bar_of(const ratio_chart *c, ws_arena *arena, const char *group, const char *value, const char *y)
{
    const char *lo = ws_arena_printf(arena, "%s_lo", y), *hi = ws_arena_printf(arena, "%s_hi", y);
    double *logs = ws_arena_alloc(arena, (c->scale->n_rows + 1) * sizeof *logs);
    size_t n = 0;
    ratio_bar bar = {NAN, NAN, false};
    for (size_t row = 0; row < c->scale->n_rows; row++) {
        double ratio = number(c->scale, y, row);
        if (!c->group[row] || strcmp(c->value[row], value) != 0 || strcmp(c->group[row], group) != 0 || !(ratio > 0))
            continue;
        size_t same = 0; /* runs that stand in two series are one */
        while (same < n && logs[same] != log(ratio))
            same++;
        logs[same] = log(ratio);
        n += same == n;
        double low = number(c->scale, lo, row), high = number(c->scale, hi, row);
        bar.height = ratio;
        bar.error = high < WIDEST * low ? (high - low) / 2 : NAN;
    }
    ws_sample sample;
    ws_error none = {0};
    if (n < 2 || ws_sample_describe(logs, n, c->level, &sample, &none) != WS_OK)
        return bar;
    double low = exp(sample.ci_lo), high = exp(sample.ci_hi);
    return (ratio_bar){exp(sample.mean), high < WIDEST * low ? (high - low) / 2 : NAN, true};
}

static void add_bars(ratio_chart *c, ws_figure *figure, ws_panel *panel, size_t value, const char *y)
{
    double at[MOST_GROUPS], height[MOST_GROUPS], error[MOST_GROUPS];
    size_t n = 0;
    bool has_error = false;
    for (size_t g = 0; g < c->n_groups; g++) {
        ratio_bar bar = bar_of(c, &figure->arena, c->groups[g], c->values[value], y);
        if (!isfinite(bar.height))
            continue;
        at[n] = (double)g;
        height[n] = bar.height;
        error[n++] = bar.error;
        has_error |= isfinite(bar.error);
        c->has_means |= bar.is_mean;
    }
    if (!n)
        return;
    ws_layer *layer = ws_panel_add_layer(figure, panel, c->values[value], WS_LAYER_BARS, (int)value, n, at, height);
    if (has_error) {
        layer->kind |= WS_LAYER_ERRORS;
        ws_layer_set_error(figure, layer, error);
    }
}

/* The bars of the reference are 1, each against itself; -1: there are none. */
static int reference_style(const ws_figure *figure)
{
    for (size_t l = 0; figure->n_panels && l < figure->panels[0].n_layers; l++) {
        const ws_layer *layer = &figure->panels[0].layers[l];
        bool is_one = layer->n > 0 && (layer->kind & WS_LAYER_BARS) != 0;
        for (size_t i = 0; i < layer->n; i++)
            is_one = is_one && layer->y[i] == 1;
        if (is_one)
            return layer->style;
    }
    return -1;
}

/* A sentence of the caption where a configuration is compared with more than one: "... and 2 more" in the table. */
static const char *pooled_references_are(const ws_table *scale)
{
    static const char end[] = " more";
    size_t column, length = sizeof end - 1;
    bool found = ws_table_find(scale, "reference", &column) && scale->columns[column].kind == WS_TEXT;
    for (size_t row = 0; found && row < scale->n_rows; row++) {
        const char *text = scale->columns[column].text[row];
        size_t n = text ? strlen(text) : 0;
        if (n > length && strcmp(text + n - length, end) == 0 && strstr(text, " and "))
            return " Where several series have it: against the mean of their times, and of their energies.";
    }
    return "";
}

static ws_status make_ratios(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    static const char *const columns[] = {"speedup", "energy_ratio"}, *const labels[] = {"Speed", "Energy"};
    ratio_chart c = {.scale = in->scale, .level = in->level};
    ws_figure_init(figure, "campaign/ratios", 180, 70, 1, 2);
    if (!find_setting(in, &figure->arena, &c.setting))
        return ws_fail_recipe(error, in->scale->source, "campaign/ratios", " ",
                              "needs a setting to refer to: --reference power_cap_w=250");
    const char *value = strchr(in->reference, '=') + 1;
    read_rows(&c, &figure->arena);
    find_names(&c, 0, NULL);
    if (!c.n_groups)
        return ws_fail_recipe(error, in->scale->source, "campaign/ratios", ": ",
                              "no configuration differs from another in %s alone", in->scale->columns[c.setting].name);
    if (c.is_full)
        return ws_fail_recipe(error, in->scale->source, "campaign/ratios", " ",
                              "has room for %d configurations under %d settings: --only keeps some", (int)MOST_GROUPS,
                              (int)MOST_VALUES);
    for (size_t i = 0; i < 2; i++) {
        const char *of = ws_series_spelled(in->scale->looks, &figure->arena, in->scale->columns[c.setting].name, value);
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
            ws_figure_drop_panel(figure, figure->n_panels - 1);
    }
    ws_figure_ramp_bars(figure, in->runs->looks, reference_style(figure));
    size_t letters = 0;
    for (size_t g = 0; g < c.n_groups; g++)
        letters += strlen(c.groups[g]);
    if (letters > 50) { /* names side by side need room */
        figure->rows = figure->n_panels;
        figure->columns = 1;
        figure->height_mm = 62 * (double)figure->n_panels;
    }
    figure->legend = WS_LEGEND_TOP;
    ws_work work = ws_figure_work_of(in);
    figure->caption = ws_arena_printf(
        &figure->arena, "%s%s%s against the configuration of %s, %s.%s%s%s%s",
        figure->n_panels == 2 ? "Speed (A) and energy (B)" : "Speed and energy", work == WS_PER_RUN ? "" : " per ",
        work == WS_PER_RUN ? "" : ws_work_name(work),
        ws_series_spelled(in->scale->looks, &figure->arena, in->scale->columns[c.setting].name, value),
        compares_counts(&c) ? "of the same series" : "alike in all else", pooled_references_are(in->scale),
        ws_figure_has(figure, WS_LAYER_ERRORS)
            ? " Bars: half of the 95 % interval, by the spread of runs pooled over the "
              "series; intervals wider than a factor of 4 are not drawn."
            : "",
        c.has_means ? " Of several series that differ in nothing else: geometric mean, its interval over the series."
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
    .facets = facets_of_ratios,
    .needs = needs,
    .make = make_ratios};
