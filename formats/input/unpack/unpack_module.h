/* unpack.h as one object to be found by name in a module. */
#ifndef WS_FORMATS_UNPACK_MODULE_H
#define WS_FORMATS_UNPACK_MODULE_H

#include "formats/input/unpack/unpack.h"

typedef struct ws_unpacking {
    ws_unpack *(*stream)(const char *name, ws_unpack_source *source, void *state, ws_error *error);
    ws_unpack *(*archive)(const char *path, size_t block_size, ws_error *error);
    ws_unpack *(*zip)(const char *name, ws_span bytes, ws_error *error);
    void (*close)(ws_unpack *unpack);
    int (*next)(ws_unpack *unpack, ws_unpack_file *file);
    ssize_t (*read)(ws_unpack *unpack, char *buffer, size_t size);
    bool (*block)(ws_unpack *unpack, ws_span *bytes, bool *is_damaged);
    const char *(*why)(const ws_unpack *unpack);
} ws_unpacking;

extern const ws_unpacking ws_unpacking_functions;

#endif
