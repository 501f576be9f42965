/* Series with error bars that would lie on each other stand side by side: each a little left or right of its place. */
#ifndef WS_REPORT_SIDE_BY_SIDE_H
#define WS_REPORT_SIDE_BY_SIDE_H

#include "report/figure/figure_geometry.h"

/* Do bars of two series that a reader can see overlap at one x? */
bool ws_panel_is_side_by_side(const ws_panel *panel);

/* Is it one of the series that are moved there? */
bool ws_layer_is_moved(const ws_panel *panel, const ws_layer *layer);

/* mm to the right of its place for each layer of a panel whose axes have their places; all layers of a series alike. */
void ws_panel_move_series(const ws_panel_layout *place, const ws_panel *panel, double *moved_mm);

#endif
