#include "report/figure/shared_axes.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

void ws_figure_settle_axes(ws_figure *whole)
{
    for (size_t p = 0; p < whole->n_panels; p++)
        for (int is_x = 0; is_x < 2 && whole->panels[p].share > 0; is_x++) {
            settle_units(whole, whole->panels[p].share, is_x);
            settle_scales(whole, whole->panels[p].share, is_x);
        }
}

static bool is_said(const char *label, const char *other)
{
    return label && other && strcmp(label, other) == 0;
}

static bool draw_the_same(const ws_panel *panel, const ws_panel *other)
{
    return !panel->share && !other->share && is_said(panel->x.label, other->x.label) &&
           is_said(panel->y.label, other->y.label);
}

static bool is_free(const ws_axis *axis)
{
    return axis->scale != WS_AXIS_CATEGORY && !axis->has_range && !axis->n_tick_values;
}

static void settle_kind(ws_figure *whole, const ws_panel *panel, bool is_x)
{
    ws_axis_scale log = WS_AXIS_LINEAR;
    bool can_be = true;
    for (size_t p = 0; p < whole->n_panels; p++) {
        ws_panel *other = &whole->panels[p];
        const ws_axis *axis = axis_of(other, is_x);
        if (!draw_the_same(panel, other))
            continue;
        log = log == WS_AXIS_LINEAR ? axis->scale : log;
        can_be &= is_free(axis) && can_be_log(other, is_x);
    }
    for (size_t p = 0; p < whole->n_panels && can_be && log != WS_AXIS_LINEAR; p++)
        if (draw_the_same(panel, &whole->panels[p]) && axis_of(&whole->panels[p], is_x)->scale == WS_AXIS_LINEAR)
            axis_of(&whole->panels[p], is_x)->scale = log;
}

void ws_figure_settle_kinds(ws_figure *whole)
{
    for (size_t p = 0; p < whole->n_panels; p++)
        for (int is_x = 0; is_x < 2; is_x++)
            settle_kind(whole, &whole->panels[p], is_x);
}
