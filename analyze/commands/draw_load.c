/* The drawing functions as the program has them: in a module that is loaded when something is drawn first. It lies beside the
 * program where that was built, and in lib/wattscale/ where it was installed. */
#include "core/arena.h"
#include "report/draw_module.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static const ws_drawing *load(const char *folder, const char *place)
{
    ws_arena arena = {0};
    void *module = dlopen(ws_arena_printf(&arena, "%s/%s", folder, place), RTLD_LAZY | RTLD_LOCAL);
    ws_arena_free(&arena);
    return module ? dlsym(module, "ws_drawing_functions") : NULL;
}

static const ws_drawing *drawing(ws_error *error)
{
    static const char *const places[] = {"wattscale-draw.so", "../lib/wattscale/wattscale-draw.so"};
    static const ws_drawing *found;
    char folder[4096] = "";
    ssize_t n = found ? 0 : readlink("/proc/self/exe", folder, sizeof folder - 1);
    char *slash = n > 0 ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    for (size_t i = 0; !found && slash && i < sizeof places / sizeof *places; i++)
        found = load(folder, places[i]);
    if (!found) {
        const char *why = dlerror();
        ws_fail(error, WS_IO, "figures cannot be drawn: %s", why ? why : "wattscale-draw.so was not found");
    }
    return found;
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
