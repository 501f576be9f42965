#include "report/figure/series_styles.h"

#include <stdlib.h>
#include <string.h>

/* A fit adds its outcome to the name of a series: "DimeNet: β = 0.82" is DimeNet. */
static bool same_series(const char *a, const char *b)
{
    const char *end_a = strstr(a, ": "), *end_b = strstr(b, ": ");
    size_t n = end_a ? (size_t)(end_a - a) : strlen(a);
    return n == (end_b ? (size_t)(end_b - b) : strlen(b)) && memcmp(a, b, n) == 0;
}

static const char *label_of_style(const ws_figure *figure, int style)
{
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++)
            if (figure->panels[p].layers[l].style == style && figure->panels[p].layers[l].label)
                return figure->panels[p].layers[l].label;
    return NULL;
}

static bool find_style(const ws_figure *figure, const char *label, int *style)
{
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            if (layer->label && layer->style >= 0 && same_series(layer->label, label)) {
                *style = layer->style;
                return true;
            }
        }
    return false;
}

static bool is_used(const ws_figure *figure, int style)
{
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++)
            if (figure->panels[p].layers[l].style == style)
                return true;
    return false;
}

int ws_mapped_style(const ws_style_map *map, int style)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->from[i] == style)
            return map->to[i];
    return style;
}

static bool is_taken(const ws_style_map *map, int style)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->to[i] == style)
            return true;
    return false;
}

static bool same_hue(int a, int b)
{
    ws_colour x = ws_style_of(a).line, y = ws_style_of(b).line;
    return x.r == y.r && x.g == y.g && x.b == y.b;
}

static bool has_hue(const ws_style_map *map, int style)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->to[i] >= 0 && same_hue(map->to[i], style))
            return true;
    return false;
}

/* Its own place where that is free, else the next one in a colour that no other series of the part has, else the next
 * one. */
static int free_style(const ws_figure *whole, const ws_style_map *map, int wanted)
{
    if (!is_used(whole, wanted) && !is_taken(map, wanted))
        return wanted;
    int next = 0;
    while (is_used(whole, next) || is_taken(map, next))
        next++;
    for (int style = next; style < WS_MARKER_STYLES + WS_HUES; style++)
        if (!is_used(whole, style) && !is_taken(map, style) && !has_hue(map, style))
            return style;
    return next;
}

static void map_styles(const ws_figure *whole, const ws_figure *part, ws_style_map *map)
{
    map->n = 0;
    for (size_t pass = 0; pass < 2; pass++) /* first those that the whole knows */
        for (size_t p = 0; p < part->n_panels; p++)
            for (size_t l = 0; l < part->panels[p].n_layers; l++) {
                int style = part->panels[p].layers[l].style, to;
                bool is_known = false;
                for (size_t i = 0; i < map->n; i++)
                    is_known |= map->from[i] == style;
                const char *label = style < 0 || is_known ? NULL : label_of_style(part, style);
                if (!label || map->n == 2 * WS_STYLES)
                    continue;
                bool found = find_style(whole, label, &to);
                if (found != (pass == 0))
                    continue;
                map->from[map->n] = style;
                map->to[map->n] = found ? to : free_style(whole, map, style);
                map->n++;
            }
}

/* A series without a name has no entry in the legend, and must not look like one that has. */
static void map_unnamed(const ws_figure *whole, const ws_figure *part, ws_style_map *map)
{
    for (size_t p = 0; p < part->n_panels; p++)
        for (size_t l = 0; l < part->panels[p].n_layers; l++) {
            int style = part->panels[p].layers[l].style;
            bool is_unnamed = style >= 0 && ws_mapped_style(map, style) == style && !label_of_style(part, style);
            if (!is_unnamed || !label_of_style(whole, style) || map->n == 2 * WS_STYLES)
                continue;
            map->from[map->n] = style;
            map->to[map->n] = free_style(whole, map, style);
            map->n++;
        }
}

void ws_style_map_make(ws_style_map *map, const ws_figure *whole, const ws_figure *part)
{
    map_styles(whole, part, map);
    map_unnamed(whole, part, map);
}

void ws_known_styles_free(ws_known_styles *known)
{
    free(known->items);
    ws_arena_free(&known->arena);
    *known = (ws_known_styles){0};
}

static const struct ws_known_style *find_known(const ws_known_styles *known, const char *label)
{
    for (size_t i = 0; i < known->n; i++)
        if (same_series(known->items[i].label, label))
            return &known->items[i];
    return NULL;
}

static void add_to_map(ws_style_map *map, int from, int to)
{
    if (map->n == sizeof map->from / sizeof *map->from)
        return;
    map->from[map->n] = from;
    map->to[map->n++] = to;
}

static bool is_mapped(const ws_style_map *map, int style)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->from[i] == style)
            return true;
    return false;
}

static void change_styles(ws_figure *figure, const ws_style_map *map)
{
    for (size_t p = 0; p < figure->n_panels; p++) {
        ws_panel *panel = &figure->panels[p];
        for (size_t l = 0; l < panel->n_layers; l++)
            panel->layers[l].style = ws_mapped_style(map, panel->layers[l].style);
        for (size_t a = 0; a < panel->n_annotations; a++)
            panel->annotations[a].style = ws_mapped_style(map, panel->annotations[a].style);
    }
    for (size_t i = 0; i < figure->n_looks; i++)
        figure->looks[i].style = ws_mapped_style(map, figure->looks[i].style);
}

void ws_figure_keep_styles(ws_figure *figure, ws_known_styles *known)
{
    enum { UNNAMED, KNOWN, NEW, PASSES }; /* in this order, so that what is new gives way */
    const ws_figure nothing = {0};
    ws_style_map map = {.n = 0};
    for (int pass = UNNAMED; pass < PASSES; pass++)
        for (size_t p = 0; p < figure->n_panels; p++)
            for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
                int style = figure->panels[p].layers[l].kind & WS_LAYER_BARS ? -1 : figure->panels[p].layers[l].style;
                const char *label = style < 0 || is_mapped(&map, style) ? NULL : label_of_style(figure, style);
                const struct ws_known_style *before = label ? find_known(known, label) : NULL;
                if (style < 0 || is_mapped(&map, style))
                    continue;
                if (pass == UNNAMED && !label)
                    add_to_map(&map, style, style);
                else if (pass == KNOWN && before && !is_taken(&map, before->style))
                    add_to_map(&map, style, before->style);
                else if (pass == NEW)
                    add_to_map(&map, style, free_style(&nothing, &map, style));
            }
    change_styles(figure, &map);
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const ws_layer *layer = &figure->panels[p].layers[l];
            if (layer->style < 0 || layer->kind & WS_LAYER_BARS || !layer->label || find_known(known, layer->label))
                continue;
            known->items = ws_grow(known->items, &known->capacity, known->n + 1, sizeof *known->items);
            known->items[known->n++] =
                (struct ws_known_style){ws_arena_strdup(&known->arena, layer->label), layer->style};
        }
}
