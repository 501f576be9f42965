#include "report/figure/side_by_side.h"

#include "report/figure/figure_range.h"
#include "report/figure/figure_style.h"

#include <math.h>

#define LEAST_BAR 0.08      /* of the panel's span: 3 mm of 40; a shorter bar is hardly longer than its marker */
#define STEP_MM 1.5         /* caps of 1.2 mm beside each other */
#define SHARE_OF_GAP 0.4    /* of the distance to the next x at most, so that it is plain which x a point is of */
#define BEYOND_FRAME_MM 1.0 /* where the first or last x is at the edge */
enum { MOST_POINTS = 500 }; /* of a series; more have no bars that could be told apart */

static bool has_bars(const ws_layer *layer)
{
    return layer->style >= 0 && (layer->kind & WS_LAYER_ERRORS) && layer->error && layer->n <= MOST_POINTS;
}

/* From foot to head in positions of the y axis; false without a bar that can be seen. */
static bool bar_of(const ws_panel *panel, const ws_layer *layer, size_t i, const ws_range *y, ws_range *bar)
{
    double error = layer->error[i], foot = ws_axis_position(&panel->y, layer->y[i] - error);
    if (!(error > 0) || isnan(ws_axis_position(&panel->x, layer->x[i])))
        return false;
    bar->lo = isnan(foot) ? y->lo : foot;
    bar->hi = ws_axis_position(&panel->y, layer->y[i] + error);
    return bar->hi - bar->lo >= LEAST_BAR * (y->hi - y->lo);
}

static bool bars_overlap(const ws_panel *panel, const ws_layer *a, const ws_layer *b, const ws_range *y)
{
    ws_range one, other;
    for (size_t i = 0; i < a->n; i++) {
        bool is_seen = bar_of(panel, a, i, y, &one);
        for (size_t k = 0; k < b->n && is_seen; k++)
            if (a->x[i] == b->x[k] && bar_of(panel, b, k, y, &other) && one.lo < other.hi && other.lo < one.hi)
                return true;
    }
    return false;
}

static bool meets_another(const ws_panel *panel, const ws_layer *layer, const ws_range *y)
{
    for (size_t l = 0; l < panel->n_layers; l++) {
        const ws_layer *other = &panel->layers[l];
        if (has_bars(other) && other->style != layer->style && bars_overlap(panel, layer, other, y))
            return true;
    }
    return false;
}

bool ws_panel_bars_meet(const ws_panel *panel)
{
    ws_range x, y;
    ws_panel_ranges(panel, 0, &x, &y);
    for (size_t l = 0; l < panel->n_layers; l++)
        if (has_bars(&panel->layers[l]) && meets_another(panel, &panel->layers[l], &y))
            return true;
    return false;
}

/* Where points are read against a curve, as the ideal of speed-ups, each must have its x; bars have places already. */
static bool tells_exact_x(const ws_layer *layer)
{
    const unsigned curves = WS_LAYER_LINE | WS_LAYER_DASHED | WS_LAYER_BAND | WS_LAYER_TRACE | WS_LAYER_MEAN;
    bool is_curve = (layer->kind & curves) && !(layer->kind & WS_LAYER_MARKERS);
    return is_curve || (layer->kind & WS_LAYER_BARS) || (has_bars(layer) && layer->x_error);
}

static size_t rank_of(const ws_side_by_side *moved, int style)
{
    size_t i = 0;
    while (i < moved->n && moved->styles[i] != style)
        i++;
    return i;
}

bool ws_layer_is_moved(const ws_side_by_side *moved, const ws_layer *layer)
{
    return rank_of(moved, layer->style) < moved->n;
}

ws_side_by_side ws_panel_side_by_side(const ws_panel *panel)
{
    ws_side_by_side moved = {.n = 0};
    ws_range x, y;
    for (size_t l = 0; l < panel->n_layers; l++)
        if (tells_exact_x(&panel->layers[l]))
            return moved;
    ws_panel_ranges(panel, 0, &x, &y);
    for (size_t l = 0; l < panel->n_layers && moved.n < WS_SIDE_BY_SIDE_MOST; l++) {
        const ws_layer *layer = &panel->layers[l];
        if (has_bars(layer) && !ws_layer_is_moved(&moved, layer) && meets_another(panel, layer, &y))
            moved.styles[moved.n++] = layer->style;
    }
    return moved;
}

/* From one series to the next, so that `n` of them stay near their x. */
static double step_between(const ws_panel_layout *place, const ws_panel *panel, size_t n)
{
    double gap = place->frame.x1 - place->frame.x0, edge = gap;
    for (size_t l = 0; l < panel->n_layers; l++)
        for (size_t i = 0; i < panel->layers[l].n && has_bars(&panel->layers[l]); i++) {
            double x = ws_layout_mm(&place->x, panel->layers[l].x[i]);
            edge = isnan(x) ? edge : fmin(edge, fmin(x - place->frame.x0, place->frame.x1 - x));
            for (size_t k = 0; k < panel->n_layers; k++)
                for (size_t m = 0; m < panel->layers[k].n && has_bars(&panel->layers[k]); m++) {
                    double apart = fabs(ws_layout_mm(&place->x, panel->layers[k].x[m]) - x);
                    gap = apart > 0.01 ? fmin(gap, apart) : gap;
                }
        }
    double most = fmin(SHARE_OF_GAP * gap, 2 * (fmax(edge, 0) + BEYOND_FRAME_MM));
    return fmin(STEP_MM, most / (double)(n - 1));
}

void ws_panel_move_series(const ws_panel_layout *place, const ws_panel *panel, double *moved_mm)
{
    const ws_side_by_side moved = ws_panel_side_by_side(panel);
    double step = moved.n > 1 ? step_between(place, panel, moved.n) : 0;
    for (size_t l = 0; l < panel->n_layers; l++) {
        size_t rank = rank_of(&moved, panel->layers[l].style);
        moved_mm[l] = rank < moved.n ? ((double)rank - (double)(moved.n - 1) / 2) * step : 0;
    }
}
