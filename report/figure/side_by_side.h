/* Series with error bars that would lie on each other stand side by side: each a little left or right of its place. */
#ifndef WS_REPORT_SIDE_BY_SIDE_H
#define WS_REPORT_SIDE_BY_SIDE_H

#include "report/figure/figure_geometry.h"

/* The series that are moved in a panel, by their styles: those of which a bar that a reader can see overlaps one of
 * another series at the same x. n is 0 where there are none, and where a curve or a bar of the panel has them stay. */
enum { WS_SIDE_BY_SIDE_MOST = 64 };
typedef struct ws_side_by_side {
    int styles[WS_SIDE_BY_SIDE_MOST];
    size_t n;
} ws_side_by_side;
ws_side_by_side ws_panel_side_by_side(const ws_panel *panel);

/* Would a bar that a reader can see overlap one of another series at the same x, were none moved? */
bool ws_panel_bars_meet(const ws_panel *panel);

bool ws_layer_is_moved(const ws_side_by_side *moved, const ws_layer *layer);

/* mm to the right of its place for each layer of a panel whose axes have their places; all layers of a series alike. */
void ws_panel_move_series(const ws_panel_layout *place, const ws_panel *panel, double *moved_mm);

#endif
