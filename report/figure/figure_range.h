/* What a panel's data spans, in positions of its axes, and how wide its bars are. */
#ifndef WS_REPORT_FIGURE_RANGE_H
#define WS_REPORT_FIGURE_RANGE_H

#include "report/figure/figure_geometry.h"

typedef struct ws_range {
    double lo, hi; /* lo > hi: nothing */
    bool is_tight; /* the axis ends where the data does: time of a trace */
} ws_range;

/* Error bars, bands, bars (from 0) and reference lines included. */
void ws_panel_ranges(const ws_panel *panel, double bar_width, ws_range *x, ws_range *y);

/* Are its bands so wide, against its points, that they run out of the frame? */
bool ws_panel_cuts_bands(const ws_panel *panel);

/* Width of one bar and the number of layers with bars; 0 without any. */
double ws_panel_bar_width(const ws_panel *panel, size_t *n_layers);

#endif
