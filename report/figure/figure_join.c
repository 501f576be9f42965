#include "report/figure/figure_join.h"

#include "core/text.h"
#include "report/figure/caption_panels.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <stdio.h>
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

/* Styles of a part as the whole has them; `before` is the whole without this part. */
typedef struct style_map {
    int from[2 * WS_STYLES], to[2 * WS_STYLES];
    size_t n;
} style_map;

static int mapped(const style_map *map, int style)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->from[i] == style)
            return map->to[i];
    return style;
}

static bool is_taken(const style_map *map, int style)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->to[i] == style)
            return true;
    return false;
}

/* Its own place where that is free, else the next one. */
static int free_style(const ws_figure *whole, const style_map *map, int wanted)
{
    if (!is_used(whole, wanted) && !is_taken(map, wanted))
        return wanted;
    int style = 0;
    while (is_used(whole, style) || is_taken(map, style))
        style++;
    return style;
}

static void map_styles(const ws_figure *whole, const ws_figure *part, style_map *map)
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
static void map_unnamed(const ws_figure *whole, const ws_figure *part, style_map *map)
{
    for (size_t p = 0; p < part->n_panels; p++)
        for (size_t l = 0; l < part->panels[p].n_layers; l++) {
            int style = part->panels[p].layers[l].style;
            bool is_unnamed = style >= 0 && mapped(map, style) == style && !label_of_style(part, style);
            if (!is_unnamed || !label_of_style(whole, style) || map->n == 2 * WS_STYLES)
                continue;
            map->from[map->n] = style;
            map->to[map->n] = free_style(whole, map, style);
            map->n++;
        }
}

/* --- one look in several figures --- */

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

static void add_to_map(style_map *map, int from, int to)
{
    if (map->n == sizeof map->from / sizeof *map->from)
        return;
    map->from[map->n] = from;
    map->to[map->n++] = to;
}

static bool is_mapped(const style_map *map, int style)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->from[i] == style)
            return true;
    return false;
}

static void change_styles(ws_figure *figure, const style_map *map)
{
    for (size_t p = 0; p < figure->n_panels; p++) {
        ws_panel *panel = &figure->panels[p];
        for (size_t l = 0; l < panel->n_layers; l++)
            panel->layers[l].style = mapped(map, panel->layers[l].style);
        for (size_t a = 0; a < panel->n_annotations; a++)
            panel->annotations[a].style = mapped(map, panel->annotations[a].style);
    }
    for (size_t i = 0; i < figure->n_looks; i++)
        figure->looks[i].style = mapped(map, figure->looks[i].style);
}

void ws_figure_keep_styles(ws_figure *figure, ws_known_styles *known)
{
    enum { UNNAMED, KNOWN, NEW, PASSES }; /* in this order, so that what is new gives way */
    const ws_figure nothing = {0};
    style_map map = {.n = 0};
    for (int pass = UNNAMED; pass < PASSES; pass++)
        for (size_t p = 0; p < figure->n_panels; p++)
            for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
                int style = figure->panels[p].layers[l].style;
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
            if (layer->style < 0 || !layer->label || find_known(known, layer->label))
                continue;
            known->items = ws_grow(known->items, &known->capacity, known->n + 1, sizeof *known->items);
            known->items[known->n++] =
                (struct ws_known_style){ws_arena_strdup(&known->arena, layer->label), layer->style};
        }
}

static const char *copied(ws_figure *figure, const char *text)
{
    return text ? ws_arena_strdup(&figure->arena, text) : NULL;
}

static ws_axis copied_axis(ws_figure *figure, const ws_axis *from)
{
    ws_axis axis = *from;
    const char **names = ws_arena_alloc(&figure->arena, (from->n_categories + 1) * sizeof *names);
    for (size_t i = 0; i < from->n_categories; i++)
        names[i] = copied(figure, from->categories[i]);
    axis.label = copied(figure, from->label);
    axis.categories = names;
    double *ticks = ws_arena_alloc(&figure->arena, (from->n_tick_values + 1) * sizeof *ticks);
    for (size_t i = 0; i < from->n_tick_values; i++)
        ticks[i] = from->tick_values[i];
    axis.tick_values = ticks;
    return axis;
}

static void copy_panel(ws_figure *whole, const ws_panel *from, const style_map *map, const char *title, int share)
{
    bool has_both = title && *title && from->title && *from->title;
    const char *named = has_both ? ws_arena_printf(&whole->arena, "%s, %s", title, from->title)
                                 : (title && *title ? title : from->title);
    ws_panel *panel = ws_figure_add_panel(whole, from->letter, named);
    panel->x = copied_axis(whole, &from->x);
    panel->y = copied_axis(whole, &from->y);
    panel->share = share;
    for (size_t i = 0; i < from->n_layers; i++) {
        const ws_layer *l = &from->layers[i];
        ws_layer *layer = ws_panel_add_layer(whole, panel, l->label, l->kind, mapped(map, l->style), l->n, l->x, l->y);
        ws_layer_set_error(whole, layer, l->error);
        ws_layer_set_x_error(whole, layer, l->x_error);
        ws_layer_set_range(whole, layer, l->lo, l->hi);
    }
    for (size_t i = 0; i < from->n_annotations; i++) {
        const ws_annotation *a = &from->annotations[i];
        ws_panel_annotate(whole, panel, a->text, mapped(map, a->style), a->in_panel, a->x, a->y);
    }
    for (size_t i = 0; i < from->n_references; i++)
        ws_panel_add_reference(whole, panel, from->references[i].vertical, from->references[i].value,
                               from->references[i].label);
}

static const char *place_letter(size_t place, char *buffer)
{
    snprintf(buffer, 8, "%c", (int)('A' + place % 26));
    return buffer;
}

static const char *letter_of(const ws_figure *part, size_t i, char *buffer)
{
    return part->panels[i].letter ? part->panels[i].letter : place_letter(i, buffer);
}

static ws_status find_panel(const ws_figure *part, ws_span wanted, size_t *found, ws_error *error)
{
    char names[200] = "", buffer[8];
    for (size_t i = 0; i < part->n_panels; i++) {
        const char *letter = letter_of(part, i, buffer);
        if (ws_span_eq_nocase(wanted, letter)) {
            *found = i;
            return WS_OK;
        }
        snprintf(names + strlen(names), sizeof names - strlen(names), " %.8s", letter);
    }
    return ws_fail(error, WS_USAGE, "%s has no panel '%.*s'; there are:%s", part->name, WS_SPAN_ARG(wanted), names);
}

/* "A, B" of the whole, from `first` on. */
static const char *places(ws_figure *whole, size_t first)
{
    const char *text = "";
    char buffer[8];
    for (size_t i = first; i < whole->n_panels; i++)
        text = ws_arena_printf(&whole->arena, "%s%s%s", text, *text ? ", " : "", place_letter(i, buffer));
    return text;
}

/* The letters that the caption of a part speaks of, and those that its panels have in the whole. Facets after the first
 * one are told by the caption of that. */
static ws_panel_letters letters_now(ws_figure *whole, const ws_figure *part, size_t first, const char *chosen,
                                    bool is_facet)
{
    const char **was = ws_arena_alloc(&whole->arena, (part->n_panels + 1) * sizeof *was);
    const char **is = ws_arena_alloc(&whole->arena, (part->n_panels + 1) * sizeof *is);
    ws_span rest = ws_span_of(chosen ? chosen : ""), letter;
    bool is_of_one = is_facet && chosen && !strchr(chosen, ','); /* the one panel of every facet */
    char buffer[8];
    for (size_t i = 0; i < part->n_panels; i++) {
        was[i] = copied(whole, letter_of(part, i, buffer));
        is[i] = chosen ? NULL : copied(whole, place_letter(first + i, buffer));
    }
    for (size_t place = first, i; chosen && ws_span_split(&rest, ',', &letter); place++)
        if (find_panel(part, ws_span_trim(letter), &i, NULL) == WS_OK && !is[i])
            is[i] = is_of_one ? "" : copied(whole, place_letter(place, buffer));
    return (ws_panel_letters){was, is, part->n_panels};
}

/* The sentences that the caption of the facets before does not have. */
static const char *what_is_new(ws_figure *whole, const char *caption)
{
    const char *new = "";
    for (const char *end; *caption; caption = end) {
        end = strstr(caption, ". ");
        end = end ? end + 2 : caption + strlen(caption);
        const char *sentence = ws_arena_strndup(&whole->arena, caption, (size_t)(end - caption) - (end[-1] == ' '));
        if (!strstr(whole->caption, sentence))
            new = ws_arena_printf(&whole->arena, "%s%s%s", new, *new ? " " : "", sentence);
    }
    return new;
}

static void add_caption(ws_figure *whole, const ws_figure *part, size_t first, const ws_joined_part *how)
{
    bool is_facet = how->is_facet && how->title, is_whole = first == 0 && !how->letters;
    const ws_panel_letters letters = letters_now(whole, part, first, how->letters, is_facet);
    const char *caption = part->caption ? part->caption : "";
    if (is_facet && whole->caption)
        caption = what_is_new(whole, caption);
    if (how->letters || first)
        caption = ws_caption_of_panels(&whole->arena, caption, &letters);
    if (is_facet) {
        const char *of = ws_arena_printf(&whole->arena, "%s: %s.", places(whole, first), how->title);
        whole->caption = ws_arena_printf(&whole->arena, "%s%s%s%s%s", whole->caption ? whole->caption : "",
                                         whole->caption ? " " : "", of, *caption ? " " : "", caption);
        return;
    }
    if (!(is_whole && whole->n_panels == part->n_panels) && !ws_caption_is_of_parts(caption, &letters))
        caption = ws_arena_printf(&whole->arena, "%s (%s): %s", places(whole, first), part->name, caption);
    whole->caption =
        whole->caption ? ws_arena_printf(&whole->arena, "%s %s", whole->caption, caption) : copied(whole, caption);
}

/* A panel by itself has no letter. */
static void forget_letter(ws_figure *figure)
{
    const char *const was[] = {"A"}, *const is[] = {""};
    const ws_panel_letters letters = {was, is, 1};
    if (figure->caption)
        figure->caption = ws_caption_of_panels(&figure->arena, figure->caption, &letters);
}

ws_status ws_figure_join(ws_figure *whole, const ws_figure *part, const ws_joined_part *how, ws_error *error)
{
    style_map map;
    size_t first = whole->n_panels, panel = 0;
    ws_span rest = ws_span_of(how->letters ? how->letters : ""), letter;
    ws_status status = WS_OK;
    map_styles(whole, part, &map);
    map_unnamed(whole, part, &map);
    for (size_t i = 0; !how->letters && i < part->n_panels; i++)
        copy_panel(whole, &part->panels[i], &map, how->title, how->shares_axes ? (int)i + 1 : part->panels[i].share);
    while (how->letters && status == WS_OK && ws_span_split(&rest, ',', &letter)) {
        status = find_panel(part, ws_span_trim(letter), &panel, error);
        if (status == WS_OK)
            copy_panel(whole, &part->panels[panel], &map, how->title,
                       how->shares_axes ? (int)panel + 1 : part->panels[panel].share);
    }
    for (size_t i = 0; i < part->n_looks; i++)
        ws_figure_set_look(whole, mapped(&map, part->looks[i].style), part->looks[i].colour, part->looks[i].marker);
    add_caption(whole, part, first, how);
    if (part->footnote && !(whole->footnote && strstr(whole->footnote, part->footnote)))
        whole->footnote = whole->footnote ? ws_arena_printf(&whole->arena, "%s %s", whole->footnote, part->footnote)
                                          : copied(whole, part->footnote);
    whole->synthetic |= part->synthetic;
    whole->grows |= part->grows;
    whole->legend = part->legend != WS_LEGEND_NONE ? part->legend : whole->legend;
    ws_notes_append(&whole->notes, &part->notes);
    if (first == 0 && status == WS_OK) { /* as the recipe has it, until the figure is settled */
        whole->width_mm = part->width_mm;
        whole->height_mm = part->height_mm;
        whole->rows = part->rows;
        whole->columns = part->columns;
    }
    return status;
}

/* How many names the legend has, as far as two. */
static size_t count_labels(const ws_figure *figure)
{
    const char *first = NULL;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const char *label = figure->panels[p].layers[l].label;
            if (label && first && strcmp(label, first) != 0)
                return 2;
            first = label && !first ? label : first;
        }
    return first ? 1 : 0;
}

/* What the legend above the panels needs beyond its first row, by the number of letters of its names. */
static double legend_height(const ws_figure *figure)
{
    const double letter_mm = 1.25, key_mm = 13, row_mm = 4;
    const char *names[WS_STYLES + 2];
    size_t n = 0, longest = 1;
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t l = 0; l < figure->panels[p].n_layers; l++) {
            const char *label = figure->panels[p].layers[l].label;
            size_t i = 0;
            while (label && i < n && strcmp(names[i], label) != 0)
                i++;
            if (!label || i < n || n == WS_STYLES + 2)
                continue;
            names[n++] = label;
            longest = strlen(label) > longest ? strlen(label) : longest;
        }
    double columns = fmax(1, floor(figure->width_mm / (key_mm + letter_mm * (double)longest)));
    return row_mm * fmax(0, ceil((double)n / columns) - 1);
}

/* --- axes that several panels share --- */

static bool can_be_log(const ws_panel *panel, bool is_x)
{
    for (size_t l = 0; l < panel->n_layers; l++) {
        const ws_layer *layer = &panel->layers[l];
        const double *values = is_x ? layer->x : layer->y;
        for (size_t i = 0; values && i < layer->n; i++)
            if (values[i] <= 0 || (!is_x && layer->kind & WS_LAYER_BARS))
                return false;
    }
    return true;
}

static ws_axis *axis_of(ws_panel *panel, bool is_x)
{
    return is_x ? &panel->x : &panel->y;
}

/* Each part chose its scales by its own data: where one is logarithmic, all panels are that share the axis, or none. */
static void settle_scales(ws_figure *whole, int share, bool is_x)
{
    ws_axis_scale log = WS_AXIS_LINEAR;
    bool can_be = true, are_numbers = true;
    for (size_t p = 0; p < whole->n_panels; p++) {
        ws_panel *panel = &whole->panels[p];
        ws_axis_scale own = axis_of(panel, is_x)->scale;
        if (panel->share != share)
            continue;
        log = log == WS_AXIS_LINEAR ? own : log;
        can_be &= can_be_log(panel, is_x);
        are_numbers &= own != WS_AXIS_CATEGORY;
    }
    for (size_t p = 0; p < whole->n_panels && are_numbers; p++)
        if (whole->panels[p].share == share)
            axis_of(&whole->panels[p], is_x)->scale = can_be ? log : WS_AXIS_LINEAR;
}

/* 6 of "10^{6} samples / GPUh", whose name is behind it; 0 of others. */
static int power_of(const char *label, const char **name)
{
    int power = 0, n = 0;
    bool has_power = label && sscanf(label, "10^{%d} %n", &power, &n) == 1 && n > 0;
    *name = label ? label + (has_power ? n : 0) : "";
    return has_power ? power : 0;
}

static const double *times(ws_figure *whole, const double *values, size_t n, double factor)
{
    if (!values)
        return NULL;
    double *own = ws_arena_alloc(&whole->arena, (n + 1) * sizeof *own);
    for (size_t i = 0; i < n; i++)
        own[i] = values[i] * factor;
    return own;
}

static void change_unit(ws_figure *whole, ws_panel *panel, bool is_x, double factor)
{
    for (ws_layer *l = panel->layers; l < panel->layers + panel->n_layers; l++) {
        const double **const arrays[] = {is_x ? &l->x : &l->y, is_x ? &l->x_error : &l->error, is_x ? NULL : &l->lo,
                                         is_x ? NULL : &l->hi};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays && arrays[i]; i++)
            *arrays[i] = times(whole, *arrays[i], l->n, factor);
    }
    for (size_t i = 0; i < panel->n_annotations; i++)
        if (!panel->annotations[i].in_panel)
            *(is_x ? &panel->annotations[i].x : &panel->annotations[i].y) *= factor;
    for (size_t i = 0; i < panel->n_references; i++)
        panel->references[i].value *= panel->references[i].vertical == is_x ? factor : 1;
}

/* The same of their units: thousands beside millions. */
static void settle_units(ws_figure *whole, int share, bool is_x)
{
    const char *label = NULL, *name, *own;
    int most = 0;
    for (size_t p = 0; p < whole->n_panels; p++) {
        const ws_axis *axis = axis_of(&whole->panels[p], is_x);
        if (whole->panels[p].share != share || (label && power_of(axis->label, &own) <= most))
            continue;
        label = axis->label;
        most = power_of(label, &name);
    }
    for (size_t p = 0; p < whole->n_panels && label; p++) {
        ws_axis *axis = axis_of(&whole->panels[p], is_x);
        int power = power_of(axis->label, &own);
        if (whole->panels[p].share != share || power == most || !ws_eq_nocase(own, name))
            continue;
        change_unit(whole, &whole->panels[p], is_x, pow(10, power - most));
        axis->label = label;
    }
}

void ws_figure_settle(ws_figure *whole, size_t columns)
{
    for (size_t p = 0; p < whole->n_panels; p++)
        for (int is_x = 0; is_x < 2 && whole->panels[p].share > 0; is_x++) {
            settle_units(whole, whole->panels[p].share, is_x);
            settle_scales(whole, whole->panels[p].share, is_x);
        }

    /* By the number of panels; and the height of a row by the number of columns, in mm. */
    static const size_t usual[] = {1, 1, 2, 3, 2, 3, 3, 4, 4, 3};
    static const double heights[] = {70, 70, 64, 54, 48};
    enum { N = sizeof usual / sizeof *usual, MOST_COLUMNS = sizeof heights / sizeof *heights - 1 };
    size_t n = whole->n_panels;
    char buffer[8];
    columns = columns ? columns : n < N ? usual[n] : MOST_COLUMNS;
    columns = columns < n ? columns : n ? n : 1;
    whole->columns = columns;
    whole->rows = (n + columns - 1) / columns;
    double height = heights[columns < MOST_COLUMNS ? columns : MOST_COLUMNS];
    whole->width_mm = whole->columns == 1 ? 88 : 180;
    whole->height_mm = height * (double)whole->rows;
    for (size_t i = 0; i < n; i++)
        whole->panels[i].letter = n > 1 ? copied(whole, place_letter(i, buffer)) : NULL;
    if (n == 1)
        forget_letter(whole);
    bool has_cell = whole->rows > 1 && n < whole->rows * whole->columns;
    if (count_labels(whole) < 2)
        whole->legend = WS_LEGEND_NONE;
    else
        whole->legend = n == 1     ? (whole->legend == WS_LEGEND_INSIDE ? WS_LEGEND_INSIDE : WS_LEGEND_TOP)
                        : has_cell ? WS_LEGEND_CELL
                                   : WS_LEGEND_TOP;
    if (whole->legend == WS_LEGEND_TOP)
        whole->height_mm += legend_height(whole);
}

static bool has_categories(const ws_figure *figure)
{
    for (size_t i = 0; i < figure->n_panels; i++)
        if (figure->panels[i].x.scale == WS_AXIS_CATEGORY)
            return true;
    return false;
}

void ws_figure_set_width(ws_figure *figure, double width_mm, bool keeps_grid)
{
    enum { NARROW_MM = 120 }; /* three panels side by side would be less than 40 mm wide */
    size_t most = has_categories(figure) ? 1 : 2;
    figure->width_mm = width_mm;
    if (keeps_grid || width_mm >= NARROW_MM || figure->columns <= most)
        return;
    size_t rows = (figure->n_panels + most - 1) / most;
    figure->height_mm *= (double)rows / (double)figure->rows;
    figure->rows = rows;
    figure->columns = most;
}
