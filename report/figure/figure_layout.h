/* Where everything of a figure stands, in mm from the lower left corner of the page. Draws nothing and knows no PLplot.
 *
 * No two texts overlap, none reaches over the edge of the page; what is longer than its place is shortened with "…",
 * and a note says so. Frames of all panels have the same size. */
#ifndef WS_REPORT_FIGURE_LAYOUT_H
#define WS_REPORT_FIGURE_LAYOUT_H

#include "report/figure/figure.h"
#include "report/figure/figure_geometry.h"
#include "report/figure/figure_text.h"

/* The layout points into the figure, which must stay as it is. WS_USAGE: the page is too small for its panels. The
 * layout must be freed in any case. */
ws_status ws_layout_make(ws_layout *layout, const ws_figure *figure, const ws_text_measure *measure, ws_error *error);
void ws_layout_free(ws_layout *layout);

#endif
