#include "analyze/commands/module.h"

#include "core/arena.h"

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
    if (!object)
        ws_fail(error, WS_IO, "'%s' cannot be loaded (%s): install the package of that library, or the program again",
                module->file, dlerror());
    return object;
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
