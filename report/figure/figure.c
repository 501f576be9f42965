#include "report/figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ws_figure_init(ws_figure *figure, const char *name, double width_mm, double height_mm, size_t rows, size_t columns)
{
    *figure = (ws_figure){.width_mm = width_mm, .height_mm = height_mm, .rows = rows, .columns = columns};
    figure->name = ws_arena_strdup(&figure->arena, name);
}

static void free_panel(const ws_panel *panel)
{
    free(panel->layers);
    free(panel->annotations);
    free(panel->references);
}

void ws_figure_free(ws_figure *figure)
{
    for (size_t i = 0; i < figure->n_panels; i++)
        free_panel(&figure->panels[i]);
    free(figure->panels);
    free(figure->looks);
    ws_notes_free(&figure->notes);
    ws_arena_free(&figure->arena);
    *figure = (ws_figure){0};
}

static const char *copy_text(ws_figure *figure, const char *text)
{
    return text ? ws_arena_strdup(&figure->arena, text) : NULL;
}

static const double *copy_numbers(ws_figure *figure, const double *from, size_t n)
{
    if (!from)
        return NULL;
    double *copy = ws_arena_alloc(&figure->arena, n ? n * sizeof *copy : sizeof *copy);
    if (n)
        memcpy(copy, from, n * sizeof *copy);
    return copy;
}

ws_panel *ws_figure_add_panel(ws_figure *figure, const char *letter, const char *title)
{
    figure->panels = ws_grow(figure->panels, &figure->panel_capacity, figure->n_panels + 1, sizeof *figure->panels);
    ws_panel *panel = &figure->panels[figure->n_panels++];
    *panel = (ws_panel){.letter = copy_text(figure, letter), .title = copy_text(figure, title)};
    return panel;
}

void ws_figure_drop_panel(ws_figure *figure, size_t panel)
{
    free_panel(&figure->panels[panel]);
    for (size_t i = panel + 1; i < figure->n_panels; i++) {
        const char *letter = figure->panels[i - 1].letter;
        figure->panels[i - 1] = figure->panels[i];
        figure->panels[i - 1].letter = letter;
    }
    figure->n_panels--;
}

ws_layer *ws_panel_add_layer(ws_figure *figure, ws_panel *panel, const char *label, unsigned kind, int style, size_t n,
                             const double *x, const double *y)
{
    panel->layers = ws_grow(panel->layers, &panel->layer_capacity, panel->n_layers + 1, sizeof *panel->layers);
    ws_layer *layer = &panel->layers[panel->n_layers++];
    *layer = (ws_layer){.label = copy_text(figure, label), .kind = kind, .style = style, .n = n};
    layer->x = copy_numbers(figure, x, n);
    layer->y = copy_numbers(figure, y, n);
    return layer;
}

void ws_layer_set_error(ws_figure *figure, ws_layer *layer, const double *error)
{
    layer->error = copy_numbers(figure, error, layer->n);
}

void ws_layer_set_x_error(ws_figure *figure, ws_layer *layer, const double *x_error)
{
    layer->x_error = copy_numbers(figure, x_error, layer->n);
}

void ws_layer_set_range(ws_figure *figure, ws_layer *layer, const double *lo, const double *hi)
{
    layer->lo = copy_numbers(figure, lo, layer->n);
    layer->hi = copy_numbers(figure, hi, layer->n);
}

void ws_panel_annotate(ws_figure *figure, ws_panel *panel, const char *text, int style, bool in_panel, double x,
                       double y)
{
    panel->annotations =
        ws_grow(panel->annotations, &panel->annotation_capacity, panel->n_annotations + 1, sizeof *panel->annotations);
    panel->annotations[panel->n_annotations++] =
        (ws_annotation){.text = copy_text(figure, text), .style = style, .in_panel = in_panel, .x = x, .y = y};
}

void ws_panel_add_reference(ws_figure *figure, ws_panel *panel, bool vertical, double value, const char *label)
{
    panel->references =
        ws_grow(panel->references, &panel->reference_capacity, panel->n_references + 1, sizeof *panel->references);
    panel->references[panel->n_references++] =
        (ws_reference_line){.vertical = vertical, .value = value, .label = copy_text(figure, label)};
}

void ws_figure_set_look(ws_figure *figure, int style, int32_t colour, int marker)
{
    for (size_t i = 0; i < figure->n_looks; i++)
        if (figure->looks[i].style == style)
            return;
    figure->looks = ws_grow(figure->looks, &figure->look_capacity, figure->n_looks + 1, sizeof *figure->looks);
    figure->looks[figure->n_looks++] = (ws_figure_look){style, colour, marker};
}

double ws_axis_position(const ws_axis *axis, double value)
{
    if (axis->scale == WS_AXIS_LOG2)
        value = value > 0 ? log2(value) : NAN;
    else if (axis->scale == WS_AXIS_LOG10)
        value = value > 0 ? log10(value) : NAN;
    return fabs(value) <= WS_LARGEST_ON_AXIS ? value : NAN;
}

bool ws_figure_has(const ws_figure *figure, unsigned kind)
{
    for (size_t p = 0; p < figure->n_panels; p++)
        for (size_t i = 0; i < figure->panels[p].n_layers; i++)
            if (figure->panels[p].layers[i].kind & kind)
                return true;
    return false;
}

void ws_figure_note_dropped(const ws_figure *figure, ws_notes *notes)
{
    for (size_t p = 0; p < figure->n_panels; p++) {
        const ws_panel *panel = &figure->panels[p];
        for (size_t l = 0; l < panel->n_layers; l++) {
            const ws_layer *layer = &panel->layers[l];
            uint64_t dropped = 0;
            for (size_t i = 0; i < layer->n && !(layer->kind & WS_LAYER_DOUBTFUL); i++)
                dropped +=
                    isnan(ws_axis_position(&panel->x, layer->x[i])) || isnan(ws_axis_position(&panel->y, layer->y[i]));
            ws_notes_add_many(
                notes, dropped, WS_FINDING_POINTS_DROPPED, figure->name,
                layer->label    ? layer->label
                : panel->letter ? panel->letter
                                : "",
                0,
                "points without a place on the axes (not a number, not positive on a logarithmic axis, or "
                "beyond 1e300 on a linear one) are not drawn");
        }
    }
}
