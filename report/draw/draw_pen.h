/* The pen: lines and areas in mm on a sheet, drawn by PLplot onto a cairo context of ours.
 *
 * PLplot's own devices round the page to whole points and stamp the clock into their files; its extcairo device does
 * neither. PLplot keeps its state in globals: one pen at a time. */
#ifndef WS_REPORT_DRAW_PEN_H
#define WS_REPORT_DRAW_PEN_H

#include "core/status.h"
#include "report/figure/figure_style.h"

struct _cairo;

/* Call `draw` with PLplot ready for a page; `units` of the surface make a point. WS_DATA: PLplot's cairo driver is
 * missing, or PLplot gave up. */
ws_status ws_pen_draw(struct _cairo *cairo, double units, double width_mm, double height_mm, void (*draw)(void *state),
                      void *state, ws_error *error);

/* For `draw` only. */
void ws_pen_colour(ws_colour colour, double alpha);
void ws_pen_line(size_t n, const double *x, const double *y, double width_pt, ws_dash dash);
void ws_pen_fill(size_t n, const double *x, const double *y);
void ws_pen_box(double x0, double y0, double x1, double y1);

#endif
