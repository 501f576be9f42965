#include "report/figure/coincident_series.h"

#include "report/figure/side_by_side.h"

#include <math.h>
#include <string.h>

#define HIDDEN 0.012 /* of the panel's span: 0.5 mm of 40, a third of a marker */
enum { LEAST_COMMON = 2, MOST_PAIRS = 4 };

/* A series that lies behind another one, in these panels. */
typedef struct covered {
    const char *behind, *front; /* names, without what a fit adds to them */
    const char *panels;         /* "A, C", or "" */
    size_t last;                /* of the panels */
} covered;

static const char *name_of_series(ws_figure *figure, const char *label)
{
    const char *end = strstr(label, ": ");
    return end ? ws_arena_strndup(&figure->arena, label, (size_t)(end - label)) : label;
}

static bool has_markers(const ws_layer *layer)
{
    return (layer->kind & WS_LAYER_MARKERS) && !(layer->kind & WS_LAYER_DOUBTFUL) && layer->style >= 0;
}

/* Points of a series have their name in one layer of it. */
static const char *name_of_layer(const ws_panel *panel, const ws_layer *layer)
{
    for (size_t l = 0; l < panel->n_layers; l++)
        if (panel->layers[l].style == layer->style && panel->layers[l].label)
            return panel->layers[l].label;
    return NULL;
}

static double span_of(const ws_panel *panel)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t l = 0; l < panel->n_layers; l++)
        for (size_t i = 0; i < panel->layers[l].n; i++) {
            double at = ws_axis_position(&panel->y, panel->layers[l].y[i]);
            lo = isnan(at) ? lo : fmin(lo, at);
            hi = isnan(at) ? hi : fmax(hi, at);
        }
    return hi - lo;
}

/* Two in three of the points that have a place under one of the other series are hidden there. */
static bool lies_behind(const ws_panel *panel, const ws_layer *layer, const ws_layer *front, double span)
{
    size_t n_common = 0, n_hidden = 0;
    for (size_t i = 0; i < layer->n; i++)
        for (size_t k = 0; k < front->n; k++) {
            double apart = ws_axis_position(&panel->y, layer->y[i]) - ws_axis_position(&panel->y, front->y[k]);
            if (layer->x[i] != front->x[k] || isnan(apart))
                continue;
            n_common++;
            n_hidden += fabs(apart) <= HIDDEN * span;
        }
    size_t fewer = layer->n < front->n ? layer->n : front->n;
    return n_hidden >= LEAST_COMMON && 3 * n_hidden >= 2 * n_common && 3 * n_hidden >= 2 * fewer;
}

static void add_pair(ws_figure *figure, covered *pairs, size_t *n, size_t p, const char *behind, const char *front)
{
    const char *letter = figure->panels[p].letter ? figure->panels[p].letter : "";
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(pairs[i].behind, behind) != 0 || strcmp(pairs[i].front, front) != 0)
            continue;
        if (pairs[i].last != p)
            pairs[i].panels = ws_arena_printf(&figure->arena, "%s, %s", pairs[i].panels, letter);
        pairs[i].last = p;
        return;
    }
    if (*n <= MOST_PAIRS)
        pairs[(*n)++] = (covered){behind, front, letter, p};
}

static void find_pairs(ws_figure *figure, size_t p, covered *pairs, size_t *n)
{
    const ws_panel *panel = &figure->panels[p];
    double span = span_of(panel);
    const ws_side_by_side moved = ws_panel_side_by_side(panel);
    for (size_t l = 0; l < panel->n_layers; l++)
        for (size_t k = l + 1; k < panel->n_layers; k++) {
            const ws_layer *layer = &panel->layers[l], *front = &panel->layers[k];
            const char *name = name_of_layer(panel, layer), *other = name_of_layer(panel, front);
            bool are_two = has_markers(layer) && has_markers(front) && layer->style != front->style && name && other;
            are_two &= !ws_layer_is_moved(&moved, layer) || !ws_layer_is_moved(&moved, front);
            if (are_two && lies_behind(panel, layer, front, span))
                add_pair(figure, pairs, n, p, name_of_series(figure, name), name_of_series(figure, other));
        }
}

/* "A, C: points of several series lie on each other." */
static void say_several(ws_figure *figure, const char *panels)
{
    figure->caption =
        *panels ? ws_arena_printf(&figure->arena, "%s %s: points of several series lie on each other.", figure->caption,
                                  panels)
                : ws_arena_printf(&figure->arena, "%s Points of several series lie on each other.", figure->caption);
}

static void say_pairs(ws_figure *figure, const covered *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool is_first = i == 0 || strcmp(pairs[i].panels, pairs[i - 1].panels) != 0;
        const char *where =
            *pairs[i].panels ? ws_arena_printf(&figure->arena, "%s: points", pairs[i].panels) : "Points";
        figure->caption = is_first
                              ? ws_arena_printf(&figure->arena, "%s%s %s of %s lie behind those of %s", figure->caption,
                                                i ? "." : "", where, pairs[i].behind, pairs[i].front)
                              : ws_arena_printf(&figure->arena, "%s; of %s behind %s", figure->caption, pairs[i].behind,
                                                pairs[i].front);
    }
    figure->caption = ws_arena_printf(&figure->arena, "%s.", figure->caption);
}

/* "A, B: series stand side by side where their bars would lie on each other, each x being the same for all." */
static void say_side_by_side(ws_figure *figure)
{
    const char *panels = "";
    bool are_all = true, is_any = false;
    for (size_t p = 0; p < figure->n_panels && figure->caption; p++) {
        bool is_one = ws_panel_side_by_side(&figure->panels[p]).n > 0;
        const char *letter = figure->panels[p].letter ? figure->panels[p].letter : "";
        are_all &= is_one;
        is_any |= is_one;
        if (is_one && *letter)
            panels = ws_arena_printf(&figure->arena, "%s%s%s", panels, *panels ? ", " : "", letter);
    }
    if (is_any)
        figure->caption = ws_arena_printf(
            &figure->arena,
            "%s %s%series whose bars would meet stand side by side at one place of the horizontal axis.",
            figure->caption, are_all ? "" : panels, are_all || !*panels ? "S" : ": s");
}

void ws_figure_say_coincident(ws_figure *figure)
{
    say_side_by_side(figure);
    covered pairs[MOST_PAIRS + 1];
    size_t n = 0;
    const char *panels = "";
    for (size_t p = 0; p < figure->n_panels && figure->caption; p++) {
        covered own[MOST_PAIRS + 1];
        size_t n_own = 0;
        find_pairs(figure, p, pairs, &n);
        find_pairs(figure, p, own, &n_own);
        if (n_own && figure->panels[p].letter)
            panels = ws_arena_printf(&figure->arena, "%s%s%s", panels, *panels ? ", " : "", figure->panels[p].letter);
    }
    if (n > MOST_PAIRS)
        say_several(figure, panels);
    else if (n)
        say_pairs(figure, pairs, n);
}
