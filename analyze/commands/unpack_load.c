/* What unpacks, as the program has it: in a module. */
#include "analyze/commands/module.h"
#include "formats/input/unpack/unpack_module.h"

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
