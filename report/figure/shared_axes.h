/* Axes that several panels share: one scale and one unit on each. */
#ifndef WS_REPORT_SHARED_AXES_H
#define WS_REPORT_SHARED_AXES_H

#include "report/figure/figure.h"

void ws_figure_settle_axes(ws_figure *whole);

/* Panels with ranges of their own that draw the same quantities have the same kind of axis: logarithmic where one is
 * and all can be. */
void ws_figure_settle_kinds(ws_figure *whole);

#endif
