/* A figure on paper: PDF, SVG or PNG. draw_pen.c alone knows PLplot (its extcairo device on our own cairo surface).
 *
 * Same figure, same bytes, whatever the run, time zone or locale. One figure at a time in a process: PLplot keeps its
 * state in globals. */
#ifndef WS_REPORT_DRAW_H
#define WS_REPORT_DRAW_H

#include "core/status.h"
#include "report/figure/figure.h"

#include <stdio.h>

bool ws_figure_form_find(const char *suffix, ws_figure_form *form); /* "pdf", "svg", "png" */

/* Draw onto a stream, which stays open. PNG has 300 dpi and says so. WS_DATA: no font named Liberation Sans (or the
 * ones that replace it) resolves, with the package to install; WS_IO: the stream takes no more. */
ws_status ws_figure_write(const ws_figure *figure, ws_figure_form form, FILE *stream, ws_error *error);

/* What drawing leaves out: shortened texts, labels without a place, points outside (the notes of figure_layout.h, added
 * to `notes`). WS_DATA: no font. */
ws_status ws_figure_note_layout(const ws_figure *figure, ws_notes *notes, ws_error *error);

#endif
