/* The drawing functions as the program has them: in a module. */
#include "analyze/commands/module.h"
#include "report/draw/draw_module.h"

static const ws_drawing *drawing(ws_error *error)
{
    static ws_module module = {.file = "wattscale-draw.so", .object = "ws_drawing_functions"};
    ws_error why = {0};
    const ws_drawing *functions = ws_module_object(&module, &why);
    if (!functions)
        ws_fail(error, WS_IO, "figures cannot be drawn: %s", why.message);
    return functions;
}

ws_status ws_figure_write(const ws_figure *figure, ws_figure_form form, FILE *stream, ws_error *error)
{
    const ws_drawing *functions = drawing(error);
    return functions ? functions->write(figure, form, stream, error) : WS_IO;
}

ws_status ws_figure_note_layout(const ws_figure *figure, ws_notes *notes, ws_error *error)
{
    const ws_drawing *functions = drawing(error);
    return functions ? functions->note_layout(figure, notes, error) : WS_IO;
}

ws_status ws_font_open(ws_font **font, ws_error *error)
{
    const ws_drawing *functions = drawing(error);
    *font = NULL;
    return functions ? functions->font_open(font, error) : WS_IO;
}

void ws_font_close(ws_font *font)
{
    if (font)
        drawing(NULL)->font_close(font);
}

ws_text_measure ws_font_measure(ws_font *font)
{
    return drawing(NULL)->font_measure(font);
}
