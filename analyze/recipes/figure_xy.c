/* A free plot: any two columns of any table, by series, with a fit. */
#define _GNU_SOURCE /* qsort_r */
#include "analyze/recipes/figure_series.h"

#include "analyze/units.h"
#include "fit/estimate.h"
#include "fit/tests/groups.h"
#include "report/figure/figure_style.h"
#include "report/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More series than these cannot be told apart, and most often a column of numbers was meant for an axis. */
enum { MOST_GROUPS = WS_STYLES };

/* Rows that agree in the column `by`. */
typedef struct group {
    const char *label;
    ws_row_list rows;
} group;

typedef struct groups {
    group items[MOST_GROUPS];
    size_t n;
} groups;

static size_t find_label(const groups *g, const char *label)
{
    size_t i = 0;
    while (i < g->n && strcmp(g->items[i].label, label) != 0)
        i++;
    return i;
}

static int compare_groups(const void *a, const void *b, void *looks)
{
    int order = ws_looks_order(looks, ((const group *)a)->label, ((const group *)b)->label);
    return order ? order : ws_series_order(((const group *)a)->label, ((const group *)b)->label);
}

static ws_status group_rows(ws_arena *arena, const ws_table *table, const char *by, groups *g, ws_error *error)
{
    size_t column;
    bool found = by && ws_table_find(table, by, &column);
    char buffer[WS_DOUBLE_TEXT];
    *g = (groups){0};
    for (size_t row = 0; row < table->n_rows; row++) {
        const char *label =
            found ? ws_series_spelled(table->looks, arena, by, ws_table_cell_text(table, column, row, buffer)) : "";
        size_t i = find_label(g, label);
        if (i == MOST_GROUPS)
            return ws_fail_at(
                error, WS_DATA, table->source, 0,
                "'%s' has more than %d values, too many for series of a figure: --only '%s=%s|...' takes some, "
                "and numbers stand on an axis, as --x %s",
                by, (int)MOST_GROUPS, by, ws_table_cell_text(table, column, 0, buffer), by);
        if (i == g->n)
            g->items[g->n++].label = ws_arena_strdup(arena, label);
        ws_row_list *rows = &g->items[i].rows;
        rows->rows = ws_grow(rows->rows, &rows->capacity, rows->n + 1, sizeof *rows->rows);
        rows->rows[rows->n++] = row;
    }
    qsort_r(g->items, g->n, sizeof *g->items, compare_groups, (void *)(uintptr_t)table->looks);
    return WS_OK;
}

/* As in fits: a run of several series, or a row that was pasted, is one point. */
static void count_once(ws_figure *figure, const ws_table *table, groups *g)
{
    size_t *same = ws_alloc((table->n_rows + 1) * sizeof *same), n_alike;
    bool *alike = ws_alloc(table->n_rows + 1);
    ws_units_same_runs(table, same, alike);
    for (size_t i = 0; i < g->n; i++) {
        ws_row_list *rows = &g->items[i].rows;
        size_t kept = ws_units_once(same, rows->rows, rows->n);
        ws_notes_add_many(&figure->notes, rows->n - kept, WS_FINDING_SAME_RUN, table->source, g->items[i].label, 0,
                          "rows hold a run that another row holds with the same digits, and count once");
        rows->n = kept;
        n_alike = ws_units_alike(alike, rows->rows, kept);
        ws_notes_add_many(&figure->notes, n_alike, WS_FINDING_ALIKE_RUNS, table->source, g->items[i].label, 0, "%s",
                          WS_UNITS_ALIKE);
    }
    free(alike);
    free(same);
}

static void free_groups(groups *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->items[i].rows.rows);
}

/* " kWh/GPUh" from "Energy / kWh" and "Compute resources / GPUh"; "" where either axis names no unit. A number of GPUs
 * counts GPUs. */
static const char *unit_of_slope(ws_arena *arena, const ws_panel *panel, const char *x)
{
    const char *over = panel->y.label ? strstr(panel->y.label, " / ") : NULL;
    const char *under = panel->x.label ? strstr(panel->x.label, " / ") : NULL;
    const char *per = under ? under + 3 : strcmp(x, "gpus") == 0 ? "GPU" : NULL;
    return over && per ? ws_arena_printf(arena, " %s/%s", over + 3, per) : "";
}

/* "GBS 256: exponent 0.94 ± 0.06", where a rising or a falling curve leaves room. */
static void annotate(ws_figure *figure, ws_panel *panel, const groups *g, size_t i, const ws_fit *fit, const char *x)
{
    const char *label = ws_label_before(&figure->arena, g->items[i].label);
    static const char *const shown[] = {"exponent", "slope", "alpha"};
    const ws_estimate *e = NULL;
    for (size_t k = 0; k < sizeof shown / sizeof *shown && !e; k++)
        e = ws_fit_estimate(fit, shown[k]);
    if (!e || !isfinite(e->value))
        return;
    const char *text = ws_value_text(&figure->arena, fit, e->value, e->se);
    const char *unit = strcmp(e->name, "slope") == 0 ? unit_of_slope(&figure->arena, panel, x) : "";
    text = ws_arena_printf(&figure->arena, "%s%s %s%s", label, e->name, text, unit);
    ws_panel_note(figure, panel, e->value > 0 ? g->n - 1 - i : i, e->value > 0, (int)i, text);
}

/* One point for those at the same x: their mean, and their root-mean-square deviation from it. A line through them goes
 * from x to x. */
static void average_repeats(ws_points *p)
{
    size_t n = 0;
    for (size_t i = 0, k; i < p->n; i = k, n++) {
        double sum = 0, squares = 0;
        bool is_doubtful = false;
        for (k = i; k < p->n && p->x[k] == p->x[i]; k++) {
            sum += p->y[k];
            is_doubtful |= p->is_doubtful[k];
        }
        double mean = sum / (double)(k - i);
        for (size_t r = i; r < k; r++)
            squares += (p->y[r] - mean) * (p->y[r] - mean);
        p->x[n] = p->x[i];
        p->y[n] = mean;
        p->error[n] = k - i > 1 ? sqrt(squares / (double)(k - i)) : NAN;
        p->has_error |= k - i > 1;
        p->is_doubtful[n] = is_doubtful;
    }
    p->n = n;
}

/* The points of the parts of a group behind each other, each with two different x at least, in logs where the fit has
 * them. */
typedef struct parts {
    double *x, *y;
    size_t *part, n, n_parts;
    ws_slope_error *own; /* of each part */
} parts;

static void add_part(const ws_figure_input *in, ws_arena *arena, const ws_row_list *rows, parts *all)
{
    bool in_logs = ws_curve_is_in_logs(in->fit), varies = false;
    ws_points p = ws_points_of_configurations(arena, in->runs, rows, in->x, in->y, in_logs);
    for (size_t i = 0; i < p.n; i++)
        if (in_logs && !(p.x[i] > 0 && p.y[i] > 0))
            return;
    for (size_t i = 1; i < p.n; i++)
        varies |= p.x[i] != p.x[0];
    for (size_t i = 0; varies && i < p.n; i++) {
        all->x[all->n] = in_logs ? log(p.x[i]) : p.x[i];
        all->y[all->n] = in_logs ? log(p.y[i]) : p.y[i];
        all->part[all->n++] = all->n_parts;
    }
    if (varies)
        all->own[all->n_parts++] = ws_slope_error_of(p.x, p.y, p.n, in_logs, in->level);
}

/* One curve through series whose slopes differ, or which stand on different levels, is none of theirs. */
static void note_pooled(const ws_figure_input *in, ws_figure *figure, const group *g)
{
    const ws_table *t = in->runs;
    ws_arena *arena = &figure->arena;
    size_t n = g->rows.n, column, *part = ws_arena_alloc(arena, (2 * n + 1) * sizeof *part);
    size_t n_parts = ws_units_parts(t, g->rows.rows, n, &column, part);
    parts all = {.x = ws_arena_alloc(arena, (n + 1) * sizeof(double)),
                 .y = ws_arena_alloc(arena, (n + 1) * sizeof(double)),
                 .part = ws_arena_alloc(arena, (n + 1) * sizeof(size_t)),
                 .own = ws_arena_alloc(arena, (n_parts + 1) * sizeof(ws_slope_error))};
    ws_row_list rows = {.rows = part + n};
    ws_slopes slopes = {0};
    for (size_t k = 0; k < n_parts; k++) {
        rows.n = 0;
        for (size_t i = 0; i < n; i++)
            if (part[i] == k)
                rows.rows[rows.n++] = g->rows.rows[i];
        add_part(in, arena, &rows, &all);
    }
    bool asked = all.n_parts > 1 && ws_compare_slopes_unequal(all.x, all.y, all.part, all.n, all.n_parts, all.own,
                                                              in->level, 0, &slopes, NULL) == WS_OK;
    bool bends = asked && slopes.equal_slopes.p_value < WS_PARTS_DIFFER_P;
    const ws_test *test = bends ? &slopes.equal_slopes : &slopes.equal_intercepts;
    if (asked && test->p_value < WS_PARTS_DIFFER_P)
        ws_notes_add(&figure->notes, WS_FINDING_POOLED_GROUPS, t->source, g->label, 0,
                     "a curve pools rows whose %s differ by their %s (F %.3g, %s): --by %s draws one for each",
                     bends ? "slopes" : "levels", t->columns[column].name, test->statistic,
                     ws_words_p(test->p_value).text, t->columns[column].name);
    ws_slopes_free(&slopes);
}

static ws_status add_group(const ws_figure_input *in, ws_figure *figure, ws_panel *panel, const groups *g, size_t i,
                           bool *has_fit, ws_error *error)
{
    const char *spread = ws_arena_printf(&figure->arena, "%s_rmse", in->y);
    ws_points p = ws_points_take(&figure->arena, in->runs, &g->items[i].rows, in->x, in->y, spread);
    ws_fit fit = {0};
    ws_drawn_curve curve = {in->fit, in->level, in->has_band, false, (int)i, g->items[i].label, true};
    ws_status status = WS_OK;
    size_t before = panel->n_layers;
    if (!p.n)
        return WS_OK;
    if (in->fit) {
        bool in_logs = ws_curve_is_in_logs(in->fit);
        ws_points means =
            ws_points_of_configurations(&figure->arena, in->runs, &g->items[i].rows, in->x, in->y, in_logs);
        status = ws_curve_add(figure, panel, &curve, &means, &fit, error);
    }
    *has_fit |= panel->n_layers > before;
    if (in->fit && status == WS_OK)
        annotate(figure, panel, g, i, &fit, in->x);
    if (in->fit && status == WS_OK && fit.status == WS_FIT_OK)
        note_pooled(in, figure, &g->items[i]);
    if (in->fit && status == WS_OK && fit.status != WS_FIT_OK)
        ws_notes_add(&figure->notes, WS_FINDING_FIT, "", g->items[i].label, 0, "%s", fit.sentence);
    if (in->has_lines && !p.has_error)
        average_repeats(&p);
    const char *label = *g->items[i].label ? g->items[i].label : NULL;
    ws_points_draw(figure, panel, label, WS_LAYER_MARKERS | (in->has_lines ? WS_LAYER_LINE : 0U), (int)i, &p);
    return status;
}

/* "n = 3 of 5 points": a logarithmic axis has no place for zero. */
static const char *say_points(ws_arena *arena, const ws_panel *panel)
{
    size_t read = 0, drawn = 0;
    for (size_t l = 0; l < panel->n_layers; l++) {
        const ws_layer *layer = &panel->layers[l];
        if (!(layer->kind & WS_LAYER_MARKERS))
            continue;
        read += layer->n;
        for (size_t i = 0; i < layer->n; i++)
            drawn +=
                !isnan(ws_axis_position(&panel->x, layer->x[i])) && !isnan(ws_axis_position(&panel->y, layer->y[i]));
    }
    if (drawn < read)
        return ws_arena_printf(arena, "n = %zu of %zu points (the others have no place on the axes)", drawn, read);
    return ws_arena_printf(arena, "n = %zu point%s", drawn, drawn == 1 ? "" : "s");
}

/* "Top-1 error / %" as the other figures have it. */
static const char *axis_label(const ws_figure_input *in, ws_arena *arena, const char *column)
{
    const char *label = ws_axis_label_of_work(in->runs->looks, arena, column, in->work);
    bool is_percent = !ws_look_of_column(in->runs->looks, column) && ws_is_error_in_percent(in->runs, column);
    return is_percent ? ws_arena_printf(arena, "%s / %%", label) : label;
}

/* "Wall time per epoch", "samples per GPUh": as its axis is called, without the unit. */
static const char *quantity(const ws_figure_input *in, ws_arena *arena, const char *column)
{
    const char *label = ws_axis_label_of_work(in->runs->looks, arena, column, in->work), *slash = strstr(label, " / ");
    if (!slash)
        return label;
    const char *name = ws_arena_strndup(arena, label, (size_t)(slash - label));
    bool is_rate = strstr(column, "_per_") && !strstr(name, " per ");
    return is_rate ? ws_arena_printf(arena, "%s per %s", name, slash + strlen(" / ")) : name;
}

static const char *caption_of(const ws_figure_input *in, ws_figure *figure, const ws_panel *panel, bool has_fit)
{
    const char *bars = ws_figure_has(figure, WS_LAYER_ERRORS)
                           ? " Bars: root-mean-square deviation of the repeats from their mean."
                           : "";
    const char *fit =
        has_fit ? ws_arena_printf(&figure->arena, " Lines: fit (%s)%s.", in->fit, ws_bands_are(figure, in->level)) : "";
    char *against = ws_arena_strdup(&figure->arena, quantity(in, &figure->arena, in->x));
    ws_begin_small(against);
    return ws_arena_printf(&figure->arena, "%s against the %s, %s.%s%s%s", quantity(in, &figure->arena, in->y), against,
                           say_points(&figure->arena, panel), bars, fit, ws_left_out(&in->runs->notes, &figure->arena));
}

static ws_status figure_xy_draw(const ws_figure_input *in, const groups *g, ws_figure *figure, ws_error *error)
{
    ws_status status = WS_OK;
    bool has_fit = false;
    ws_panel *panel = ws_figure_add_panel(figure, NULL, NULL);
    panel->x.scale = in->x_scale;
    panel->y.scale = in->y_scale;
    panel->x.label = axis_label(in, &figure->arena, in->x);
    panel->y.label = axis_label(in, &figure->arena, in->y);
    for (size_t i = 0; status == WS_OK && i < g->n; i++)
        status = add_group(in, figure, panel, g, i, &has_fit, error);
    ws_panel_notes_to_legend(panel, g->n);
    if (status == WS_OK && !panel->n_layers)
        status =
            ws_fail_at(error, WS_DATA, in->runs->source, 0, "no row has numbers in both '%s' and '%s'", in->x, in->y);
    bool is_wide = g->n > 6;
    figure->width_mm = is_wide ? 180 : 88;
    figure->height_mm = is_wide ? 100 : 70;
    figure->legend = g->n < 2 ? WS_LEGEND_NONE : is_wide ? WS_LEGEND_TOP : WS_LEGEND_INSIDE;
    figure->caption = caption_of(in, figure, panel, has_fit);
    return status;
}

static ws_status make_figure_xy(const ws_figure_input *in, ws_figure *figure, ws_error *error)
{
    groups g;
    ws_figure_init(figure, "xy", 88, 70, 1, 1);
    ws_status status = group_rows(&figure->arena, in->runs, in->by, &g, error);
    if (status == WS_OK) {
        count_once(figure, in->runs, &g);
        status = figure_xy_draw(in, &g, figure, error);
    }
    free_groups(&g);
    return status;
}

const ws_figure_recipe ws_figure_xy = {
    .name = "xy",
    .takes = WS_TAKES_BAND | WS_TAKES_PER,
    .summary = "any two columns of any table: --x, --y, --by, --log2, --log10, --fit, --band, --per",
    .source = WS_FIGURE_OF_TABLE,
    .make = make_figure_xy};
