#include "analyze/commands/module.h"

#include "core/arena.h"
#include "core/linker.h"
#include "formats/input/unpack/unpack_module.h"
#include "report/draw/draw_module.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = {"", "../lib/wattscale/"};
enum { PLACES = sizeof places / sizeof *places };

/* The path of the module; NULL where there is none. */
static const char *find(const char *file, ws_arena *arena)
{
    char program[4096] = "";
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    const char *slash = n > 0 ? strrchr(program, '/') : NULL;
    for (size_t i = 0; slash && i < PLACES; i++) {
        const char *path = ws_arena_printf(arena, "%.*s/%s%s", (int)(slash - program), program, places[i], file);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* Of threads that come at once each gets the same. */
static const void *module_load(const ws_module *module, const char *path, ws_error *error)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const void *object = handle ? dlsym(handle, module->object) : NULL;
    if (object)
        return object;
    const char *said = dlerror();
    ws_fail(error, WS_IO, "'%s' cannot be loaded (%s): %s", module->file, said ? said : "?",
            ws_linker_remedy(said ? said : ""));
    return NULL;
}

const void *ws_module_object(ws_module *module, ws_error *error)
{
    const void *object = atomic_load(&module->found);
    if (object)
        return object;
    ws_arena arena = {0};
    const char *path = find(module->file, &arena);
    if (path)
        object = module_load(module, path, error);
    else
        ws_fail(error, WS_IO,
                "'%s' lies neither beside the program nor in ../lib/wattscale: install the program again, as a whole",
                module->file);
    atomic_store(&module->found, object);
    ws_arena_free(&arena);
    return object;
}

/* --- what draws --- */

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

/* --- what unpacks --- */

static const ws_unpacking *unpacking(const char *name, ws_error *error)
{
    static ws_module module = {.file = "wattscale-unpack.so", .object = "ws_unpacking_functions"};
    ws_error why = {0};
    const ws_unpacking *functions = ws_module_object(&module, &why);
    if (!functions)
        ws_fail_at(error, WS_IO, name, 0, "cannot be unpacked: %s", why.message);
    return functions;
}

ws_unpack *ws_unpack_stream(const char *name, ws_unpack_source *source, void *state, ws_error *error)
{
    const ws_unpacking *functions = unpacking(name, error);
    return functions ? functions->stream(name, source, state, error) : NULL;
}

ws_unpack *ws_unpack_archive(const char *path, size_t block_size, ws_error *error)
{
    const ws_unpacking *functions = unpacking(path, error);
    return functions ? functions->archive(path, block_size, error) : NULL;
}

ws_unpack *ws_unpack_zip(const char *name, ws_span bytes, ws_error *error)
{
    const ws_unpacking *functions = unpacking(name, error);
    return functions ? functions->zip(name, bytes, error) : NULL;
}

/* What was opened was loaded. */
static const ws_unpacking *opened(void)
{
    return unpacking(NULL, NULL);
}

void ws_unpack_close(ws_unpack *unpack)
{
    if (unpack)
        opened()->close(unpack);
}

int ws_unpack_next(ws_unpack *unpack, ws_unpack_file *file)
{
    return opened()->next(unpack, file);
}

ssize_t ws_unpack_read(ws_unpack *unpack, char *buffer, size_t size)
{
    return opened()->read(unpack, buffer, size);
}

bool ws_unpack_block(ws_unpack *unpack, ws_span *bytes, bool *is_damaged)
{
    return opened()->block(unpack, bytes, is_damaged);
}

const char *ws_unpack_why(const ws_unpack *unpack)
{
    return opened()->why(unpack);
}
