/* The sheet under the pen: a cairo surface of exactly the figure's size whose bytes do not depend on clock, process or
 * place. */
#ifndef WS_REPORT_DRAW_SURFACE_H
#define WS_REPORT_DRAW_SURFACE_H

#include "core/status.h"
#include "report/figure/figure.h"

#include <stdio.h>

struct _cairo;

enum { WS_PNG_DPI = 300 };

typedef struct ws_sheet {
    struct _cairo *cairo;
    double units; /* of the surface that make a point */
    ws_figure_form form;
    unsigned char *bytes; /* what was written so far */
    size_t n, capacity;
    FILE *texts; /* of an SVG: its <text> elements, which cairo would draw as outlines; NULL for other forms */
    char *text;
    size_t text_n;
} ws_sheet;

/* White, nothing drawn. The sheet must stay where it is until it is freed. */
ws_status ws_sheet_open(ws_sheet *sheet, ws_figure_form form, double width_mm, double height_mm, const char *title,
                        ws_error *error);

/* Finish the drawing and write it to the stream. WS_IO when that takes no more. */
ws_status ws_sheet_write(ws_sheet *sheet, const char *name, FILE *stream, ws_error *error);
void ws_sheet_free(ws_sheet *sheet);

#endif
