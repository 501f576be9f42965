#include "report/figure/figure_room.h"

#include "report/figure/figure_path.h"
#include "report/figure/figure_style.h"

#include <math.h>
#include <stdlib.h>

#define CELL_MM 0.25

void ws_room_init(ws_room *room, double width_mm, double height_mm)
{
    room->columns = (size_t)ceil(width_mm / CELL_MM);
    room->rows = (size_t)ceil(height_mm / CELL_MM);
    room->cells = ws_alloc(room->columns * room->rows);
}

void ws_room_free(ws_room *room)
{
    free(room->cells);
    *room = (ws_room){0};
}

/* The first cell, and the one behind the last, of a length from lo to hi. */
static size_t first_cell(double lo, size_t n)
{
    return (size_t)fmin(fmax(floor(lo / CELL_MM), 0), (double)n);
}

static size_t end_cell(double hi, size_t n)
{
    return (size_t)fmin(fmax(ceil(hi / CELL_MM), 0), (double)n);
}

/* The cells of a box: from a row and column to those behind the last. */
typedef struct cells_of_box {
    size_t row, row_end, column, column_end;
} cells_of_box;

static cells_of_box cells_of(const ws_room *room, const ws_box *box)
{
    return (cells_of_box){first_cell(box->y0, room->rows), end_cell(box->y1, room->rows),
                          first_cell(box->x0, room->columns), end_cell(box->x1, room->columns)};
}

void ws_room_take(ws_room *room, const ws_box *box, unsigned what)
{
    const cells_of_box of = cells_of(room, box);
    for (size_t r = of.row; r < of.row_end; r++)
        for (size_t c = of.column; c < of.column_end; c++)
            room->cells[r * room->columns + c] |= (unsigned char)what;
}

bool ws_room_is_free(const ws_room *room, const ws_box *box, unsigned what)
{
    const cells_of_box of = cells_of(room, box);
    for (size_t r = of.row; r < of.row_end; r++)
        for (size_t c = of.column; c < of.column_end; c++)
            if (room->cells[r * room->columns + c] & what)
                return false;
    return true;
}

/* --- what layers cover --- */

static void take_around(ws_room *room, const ws_box *frame, double x, double y, double half)
{
    if (x < frame->x0 - half || x > frame->x1 + half || y < frame->y0 - half || y > frame->y1 + half)
        return;
    ws_room_take(room, &(ws_box){x - half, y - half, x + half, y + half}, WS_TAKEN_BY_DATA);
}

static void take_line(ws_room *room, const ws_box *frame, double x0, double y0, double x1, double y1)
{
    double steps = fmin(ceil(hypot(x1 - x0, y1 - y0) / CELL_MM), 4000);
    for (double i = 0; i <= steps; i++) {
        double share = steps > 0 ? i / steps : 0;
        take_around(room, frame, x0 + share * (x1 - x0), y0 + share * (y1 - y0), CELL_MM / 2);
    }
}

static void take_upright(ws_room *room, const ws_panel_layout *layout, double x, double lo, double hi)
{
    const ws_box *frame = &layout->frame;
    double y0 = ws_layout_mm(&layout->y, lo), y1 = ws_layout_mm(&layout->y, hi);
    if (x < frame->x0 || x > frame->x1 || isnan(x))
        return;
    y0 = isnan(y0) ? frame->y0 : fmax(y0, frame->y0), y1 = isnan(y1) ? frame->y1 : fmin(y1, frame->y1);
    ws_room_take(room, &(ws_box){x - CELL_MM / 2, y0, x + CELL_MM / 2, y1}, WS_TAKEN_BY_DATA);
}

static void take_level(ws_room *room, const ws_panel_layout *layout, double y, double lo, double hi)
{
    const ws_box *frame = &layout->frame;
    double x0 = ws_layout_mm(&layout->x, lo), x1 = ws_layout_mm(&layout->x, hi);
    if (y < frame->y0 || y > frame->y1 || isnan(y))
        return;
    x0 = isnan(x0) ? frame->x0 : fmax(x0, frame->x0), x1 = isnan(x1) ? frame->x1 : fmin(x1, frame->x1);
    ws_room_take(room, &(ws_box){x0, y - CELL_MM / 2, x1, y + CELL_MM / 2}, WS_TAKEN_BY_DATA);
}

static void take_point(ws_room *room, const ws_panel_layout *layout, const ws_layer *layer, size_t i, double x,
                       double y)
{
    if (layer->kind & WS_LAYER_MARKERS)
        take_around(room, &layout->frame, x, y, WS_MM_MARKER / 2 + 0.1);
    if ((layer->kind & WS_LAYER_ERRORS) && layer->error)
        take_upright(room, layout, x, layer->y[i] - layer->error[i], layer->y[i] + layer->error[i]);
    if ((layer->kind & WS_LAYER_ERRORS) && layer->x_error && isfinite(layer->x_error[i]))
        take_level(room, layout, y, layer->x[i] - layer->x_error[i], layer->x[i] + layer->x_error[i]);
    if ((layer->kind & (WS_LAYER_BAND | WS_LAYER_TRACE)) && layer->lo && layer->hi)
        take_upright(room, layout, x, layer->lo[i], layer->hi[i]);
}

static void take_path(ws_room *room, const ws_box *frame, const ws_path *path)
{
    for (size_t i = 1; i < path->n; i++)
        if (!isnan(path->x[i]) && !isnan(path->x[i - 1]))
            take_line(room, frame, path->x[i - 1], path->y[i - 1], path->x[i], path->y[i]);
}

static void take_layer(ws_room *room, const ws_panel_layout *layout, const ws_layer *layer, size_t nth_bars)
{
    const unsigned lines = WS_LAYER_LINE | WS_LAYER_DASHED | WS_LAYER_TRACE | WS_LAYER_MEAN;
    ws_path path = {0};
    for (size_t i = 0; i < layer->n; i++) {
        double x = ws_layout_x(layout, layer, i), y = ws_layout_mm(&layout->y, layer->y[i]);
        ws_box bar;
        if ((layer->kind & WS_LAYER_BARS) && ws_layout_bar(layout, layer, nth_bars, i, &bar))
            ws_room_take(room, &bar, WS_TAKEN_BY_DATA);
        if (!isnan(x) && !isnan(y))
            take_point(room, layout, layer, i, x, y);
        if (layer->kind & lines)
            ws_path_add(&path, x, y);
    }
    ws_path_end(&path);
    take_path(room, &layout->frame, &path);
    ws_path_free(&path);
}

void ws_room_take_panel(ws_room *room, const ws_panel_layout *layout, const ws_panel *panel)
{
    size_t nth_bars = 0;
    for (size_t i = 0; i < panel->n_layers; i++) {
        take_layer(room, layout, &panel->layers[i], nth_bars);
        nth_bars += (panel->layers[i].kind & WS_LAYER_BARS) != 0;
    }
}
