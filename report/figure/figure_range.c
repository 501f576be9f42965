#include "report/figure/figure_range.h"

#include <math.h>
#include <stdlib.h>

#define BAND_REACH 0.25
#define GROUP 0.76 /* of the distance between neighbours: all bars that stand side by side */

static void include(ws_range *range, double position)
{
    if (isnan(position))
        return;
    range->lo = fmin(range->lo, position);
    range->hi = fmax(range->hi, position);
}

/* A time, an energy or a ratio is not negative, and where the value is not the axis does not go there for its bar. */
static void include_error(const ws_axis *axis, double value, double error, ws_range *range)
{
    double lo = value - error;
    include(range, ws_axis_position(axis, value >= 0 ? fmax(lo, 0) : lo));
    include(range, ws_axis_position(axis, value + error));
}

static void include_point(const ws_panel *panel, const ws_layer *layer, size_t i, ws_range *x, ws_range *y)
{
    double at = ws_axis_position(&panel->x, layer->x[i]), height = ws_axis_position(&panel->y, layer->y[i]);
    if (isnan(at) || isnan(height))
        return;
    include(x, at);
    include(y, height);
    if ((layer->kind & WS_LAYER_ERRORS) && layer->error && isfinite(layer->error[i]))
        include_error(&panel->y, layer->y[i], layer->error[i], y);
    if ((layer->kind & WS_LAYER_ERRORS) && layer->x_error && isfinite(layer->x_error[i]))
        include_error(&panel->x, layer->x[i], layer->x_error[i], x);
    if ((layer->kind & WS_LAYER_TRACE) && layer->lo && layer->hi) {
        include(y, ws_axis_position(&panel->y, layer->lo[i]));
        include(y, ws_axis_position(&panel->y, layer->hi[i]));
    }
}

/* How far the bands of a panel go, where its points lie in y. */
static ws_range reach_of_bands(const ws_panel *panel, const ws_range *y)
{
    ws_range reach = *y;
    for (size_t l = 0; l < panel->n_layers; l++) {
        const ws_layer *layer = &panel->layers[l];
        for (size_t i = 0; i < layer->n && (layer->kind & WS_LAYER_BAND) && layer->lo && layer->hi; i++) {
            if (isnan(ws_axis_position(&panel->x, layer->x[i])))
                continue;
            include(&reach, ws_axis_position(&panel->y, layer->lo[i]));
            include(&reach, ws_axis_position(&panel->y, layer->hi[i]));
        }
    }
    return reach;
}

/* Whole bands leave the points a fifth of the axis. */
static bool are_too_wide(const ws_range *points, const ws_range *bands)
{
    double span = points->hi - points->lo;
    return span > 0 && bands->hi - bands->lo > 5 * span;
}

/* A band of few points may span decades that the points do not: then it takes a quarter of their span beyond them at
 * most, and runs out of the frame, which the caption says. */
static void include_bands(const ws_panel *panel, ws_range *y)
{
    ws_range bands = reach_of_bands(panel, y);
    double most = are_too_wide(y, &bands) ? BAND_REACH * (y->hi - y->lo) : INFINITY;
    const ws_range points = *y;
    if (!(bands.lo <= bands.hi))
        return;
    include(y, fmax(bands.lo, points.lo - most));
    include(y, fmin(bands.hi, points.hi + most));
}

static ws_range range_of_points(const ws_panel *panel, ws_range *x)
{
    ws_range y = {INFINITY, -INFINITY, false};
    *x = y;
    for (size_t l = 0; l < panel->n_layers; l++) {
        x->is_tight |= (panel->layers[l].kind & WS_LAYER_TRACE) != 0;
        for (size_t i = 0; i < panel->layers[l].n; i++)
            include_point(panel, &panel->layers[l], i, x, &y);
    }
    return y;
}

bool ws_panel_cuts_bands(const ws_panel *panel)
{
    ws_range x, points = range_of_points(panel, &x), bands = reach_of_bands(panel, &points);
    return are_too_wide(&points, &bands);
}

/* An axis of values that hardly differ shows what share of them that is: four in a hundred of the largest at least, so
 * that what is constant looks so. Times and traces have no such share, nor has what was asked for. */
static void widen_constant(const ws_panel *panel, ws_range *y)
{
    const double least_share = 0.04;
    bool is_trace = false;
    for (size_t l = 0; l < panel->n_layers; l++)
        is_trace |= (panel->layers[l].kind & (WS_LAYER_TRACE | WS_LAYER_BARS)) != 0;
    double least = least_share * fmax(fabs(y->lo), fabs(y->hi)), lacks = least - (y->hi - y->lo);
    if (panel->y.scale != WS_AXIS_LINEAR || panel->y.has_range || is_trace || !(y->lo <= y->hi) || !(lacks > 0))
        return;
    y->lo -= lacks / 2;
    y->hi += lacks / 2;
}

void ws_panel_ranges(const ws_panel *panel, double bar_width, ws_range *x, ws_range *y)
{
    *y = range_of_points(panel, x);
    include_bands(panel, y);
    widen_constant(panel, y);
    if (bar_width > 0 && x->lo <= x->hi) {
        size_t n;
        double half = ws_panel_bar_width(panel, &n) * (double)n / 2;
        x->lo -= half, x->hi += half;
        include(y, ws_axis_position(&panel->y, 0));
    }
    for (size_t i = 0; i < panel->n_references; i++) {
        const ws_reference_line *line = &panel->references[i];
        include(line->vertical ? x : y, ws_axis_position(line->vertical ? &panel->x : &panel->y, line->value));
    }
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The smallest distance between two bars of different places; 1 where there is one place only. */
static double smallest_step(double *positions, size_t n)
{
    double least = INFINITY;
    qsort(positions, n, sizeof *positions, compare);
    for (size_t i = 1; i < n; i++)
        if (positions[i] > positions[i - 1])
            least = fmin(least, positions[i] - positions[i - 1]);
    return isfinite(least) ? least : 1;
}

double ws_panel_bar_width(const ws_panel *panel, size_t *n_layers)
{
    size_t n = 0, capacity = 0;
    double *positions = NULL, step = 1;
    *n_layers = 0;
    for (size_t l = 0; l < panel->n_layers; l++) {
        const ws_layer *layer = &panel->layers[l];
        if (!(layer->kind & WS_LAYER_BARS))
            continue;
        ++*n_layers;
        positions = ws_grow(positions, &capacity, n + layer->n, sizeof *positions);
        for (size_t i = 0; i < layer->n; i++) {
            double at = ws_axis_position(&panel->x, layer->x[i]);
            if (!isnan(at))
                positions[n++] = at;
        }
    }
    if (*n_layers && panel->x.scale != WS_AXIS_CATEGORY)
        step = smallest_step(positions, n);
    free(positions);
    return *n_layers ? GROUP * step / (double)*n_layers : 0;
}
