/* Looks of series, found by what the legend calls them. */
#include "analyze/recipes/figure_series.h"

#include <math.h>
#include <string.h>

/* A label ends before what a fit adds to it, and its parts are told apart by commas; a name may hold commas itself. */
static bool has_part(const char *label, const char *part)
{
    const char *end = strstr(label, ": ");
    size_t n = strlen(part);
    end = end ? end : label + strlen(label);
    for (const char *at = label; at && at < end;) {
        bool ends = (size_t)(end - at) == n || ((size_t)(end - at) > n && strncmp(at + n, ", ", 2) == 0);
        if (n && ends && strncmp(at, part, n) == 0)
            return true;
        at = strstr(at, ", ");
        at = at ? at + 2 : NULL;
    }
    return false;
}

ws_look ws_look_of_label(const ws_looks *looks, ws_arena *arena, const char *label)
{
    ws_look found = {.order = NAN, .colour = -1, .marker = -1, .factor = 1};
    for (size_t i = 0; looks && label && i < looks->n; i++) {
        const ws_look *look = &looks->items[i];
        if (!look->value || !has_part(label, ws_series_spelled(looks, arena, look->column, look->value)))
            continue;
        found.order = isnan(found.order) ? look->order : found.order;
        found.colour = found.colour < 0 ? look->colour : found.colour;
        found.marker = found.marker < 0 ? look->marker : found.marker;
    }
    return found;
}

int ws_looks_order(const ws_looks *looks, const char *a, const char *b)
{
    ws_arena arena = {0};
    if (!looks || !looks->n)
        return 0;
    double x = ws_look_of_label(looks, &arena, a).order, y = ws_look_of_label(looks, &arena, b).order;
    ws_arena_free(&arena);
    x = isnan(x) ? INFINITY : x;
    y = isnan(y) ? INFINITY : y;
    return (x > y) - (x < y);
}

void ws_figure_take_looks(ws_figure *figure, const ws_looks *looks)
{
    for (size_t p = 0; looks && looks->n && p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            ws_look look = ws_look_of_label(looks, &figure->arena, layer->label);
            if (layer->style >= 0 && (look.colour >= 0 || look.marker >= 0))
                ws_figure_set_look(figure, layer->style, look.colour, look.marker);
        }
}
