/* Axes that several panels share: one scale and one unit on each. */
#ifndef WS_REPORT_SHARED_AXES_H
#define WS_REPORT_SHARED_AXES_H

#include "report/figure/figure.h"

void ws_figure_settle_axes(ws_figure *whole);

#endif
