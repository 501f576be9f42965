/* What draws, as one object to be found by name in a module. */
#ifndef WS_REPORT_DRAW_MODULE_H
#define WS_REPORT_DRAW_MODULE_H

#include "report/draw/draw.h"
#include "report/draw/draw_text.h"

typedef struct ws_drawing {
    ws_status (*write)(const ws_figure *figure, ws_figure_form form, FILE *stream, ws_error *error);
    ws_status (*note_layout)(const ws_figure *figure, ws_notes *notes, ws_error *error);
    ws_status (*font_open)(ws_font **font, ws_error *error);
    void (*font_close)(ws_font *font);
    ws_text_measure (*font_measure)(ws_font *font);
} ws_drawing;

extern const ws_drawing ws_drawing_functions;

#endif
