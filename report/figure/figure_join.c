#include "report/figure/figure_join.h"

#include "core/text.h"
#include "report/figure/caption_panels.h"
#include "report/figure/series_styles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void copy_panel(ws_figure *whole, const ws_panel *from, const ws_style_map *map, const char *title, int share)
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
        ws_layer *layer =
            ws_panel_add_layer(whole, panel, l->label, l->kind, ws_mapped_style(map, l->style), l->n, l->x, l->y);
        ws_layer_set_error(whole, layer, l->error);
        ws_layer_set_x_error(whole, layer, l->x_error);
        ws_layer_set_range(whole, layer, l->lo, l->hi);
    }
    for (size_t i = 0; i < from->n_annotations; i++) {
        const ws_annotation *a = &from->annotations[i];
        ws_panel_annotate(whole, panel, a->text, ws_mapped_style(map, a->style), a->in_panel, a->x, a->y);
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

ws_status ws_figure_join(ws_figure *whole, const ws_figure *part, const ws_joined_part *how, ws_error *error)
{
    ws_style_map map;
    size_t first = whole->n_panels, panel = 0;
    ws_span rest = ws_span_of(how->letters ? how->letters : ""), letter;
    ws_status status = WS_OK;
    ws_style_map_make(&map, whole, part);
    for (size_t i = 0; !how->letters && i < part->n_panels; i++)
        copy_panel(whole, &part->panels[i], &map, how->title, how->shares_axes ? (int)i + 1 : part->panels[i].share);
    while (how->letters && status == WS_OK && ws_span_split(&rest, ',', &letter)) {
        status = find_panel(part, ws_span_trim(letter), &panel, error);
        if (status == WS_OK)
            copy_panel(whole, &part->panels[panel], &map, how->title,
                       how->shares_axes ? (int)panel + 1 : part->panels[panel].share);
    }
    for (size_t i = 0; i < part->n_looks; i++)
        ws_figure_set_look(whole, ws_mapped_style(&map, part->looks[i].style), part->looks[i].colour,
                           part->looks[i].marker);
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
