#include "report/figure/figure_geometry.h"
#include "report/figure/figure_style.h"

#include <math.h>

double ws_axis_mm(const ws_axis_layout *axis, double position)
{
    return axis->from_mm +
           (position - axis->ticks.lo) / (axis->ticks.hi - axis->ticks.lo) * (axis->to_mm - axis->from_mm);
}

double ws_layout_mm(const ws_axis_layout *axis, double value)
{
    return ws_axis_mm(axis, ws_axis_position(axis->axis, value));
}

double ws_layout_x(const ws_panel_layout *panel, const ws_layer *layer, size_t point)
{
    return ws_layout_mm(&panel->x, layer->x[point]) + panel->moved_mm[layer - panel->panel->layers];
}

bool ws_layout_bar(const ws_panel_layout *panel, const ws_layer *layer, size_t nth, size_t point, ws_box *bar)
{
    double at = ws_axis_position(panel->x.axis, layer->x[point]), top = ws_layout_mm(&panel->y, layer->y[point]);
    double foot = ws_layout_mm(&panel->y, 0), width = panel->bar_width;
    if (isnan(at) || isnan(top))
        return false;
    double left = at + ((double)nth - (double)panel->n_bar_layers / 2) * width;
    *bar = (ws_box){ws_axis_mm(&panel->x, left + 0.03 * width), isnan(foot) ? panel->frame.y0 : foot,
                    ws_axis_mm(&panel->x, left + 0.97 * width), top};
    if (bar->y0 > bar->y1)
        *bar = (ws_box){bar->x0, bar->y1, bar->x1, bar->y0};
    bar->x0 = fmax(bar->x0, panel->frame.x0), bar->x1 = fmin(bar->x1, panel->frame.x1);
    bar->y0 = fmax(bar->y0, panel->frame.y0), bar->y1 = fmin(bar->y1, panel->frame.y1);
    return bar->x0 < bar->x1 && bar->y0 <= bar->y1;
}

double ws_text_half(double pt)
{
    return WS_CAPITALS / 2 * pt * WS_MM_PER_PT;
}
