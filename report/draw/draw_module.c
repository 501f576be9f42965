#include "report/draw/draw_module.h"

const ws_drawing ws_drawing_functions = {.write = ws_figure_write,
                                         .note_layout = ws_figure_note_layout,
                                         .font_open = ws_font_open,
                                         .font_close = ws_font_close,
                                         .font_measure = ws_font_measure};
