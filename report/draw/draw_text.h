/* Type: the font of all figures, measured and drawn by Pango, so that layout and paper agree. */
#ifndef WS_REPORT_DRAW_TEXT_H
#define WS_REPORT_DRAW_TEXT_H

#include "core/status.h"
#include "report/figure/figure_layout.h"
#include "report/figure/figure_style.h"

#include <stdio.h>

typedef struct ws_font ws_font;
struct _cairo;

/* WS_DATA: neither Liberation Sans nor one that has its widths is installed. */
ws_status ws_font_open(ws_font **font, ws_error *error);
void ws_font_close(ws_font *font);

ws_text_measure ws_font_measure(ws_font *font); /* good until the font is closed */

/* Draw a placed text. `units` of the surface make a point; the page is height_mm high. */
void ws_font_draw(ws_font *font, struct _cairo *cairo, double units, double height_mm, const ws_placed_text *text,
                  ws_colour colour);

/* The same as an element of an SVG, in points from its upper left corner, so that a reader can search and copy it and
 * an author edit it. All of them stand in one group, which this head opens. */
void ws_font_put_svg_head(FILE *stream);
void ws_font_put_svg(ws_font *font, FILE *stream, double height_mm, const ws_placed_text *text, ws_colour colour);

#endif
