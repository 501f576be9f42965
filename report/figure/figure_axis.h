/* An axis of a panel while its frame is being sized: ticks whose labels do not touch. */
#ifndef WS_REPORT_FIGURE_AXIS_H
#define WS_REPORT_FIGURE_AXIS_H

#include "report/figure/figure_geometry.h"
#include "report/figure/figure_text.h"
#include "report/figure/figure_range.h"

/* Make the ticks of an axis of that length anew. `cell_mm` is the width of a cell of the grid of panels. */
void ws_axis_make_ticks(ws_axis_layout *axis, ws_layout *layout, const ws_text_measure *measure, ws_range range,
                        double length_mm, bool is_x, double cell_mm);

/* The name of a category below an axis may have several lines, with a line end between them. */
#define WS_AXIS_LINE_MM 2.8 /* from one line to the next */
double ws_axis_label_width(const ws_text_measure *measure, const char *label);
double ws_axis_widest_label(const ws_text_measure *measure, const ws_ticks *ticks);
double ws_axis_label_height(const ws_ticks *ticks); /* above the base line of the first line */
size_t ws_axis_label_lines(const ws_ticks *ticks);  /* of the label that has most */

#endif
