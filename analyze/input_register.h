/* What was read: each file with its format, size and SHA-256, taken while it is open. Any thread may add. */
#ifndef WS_ANALYZE_INPUT_REGISTER_H
#define WS_ANALYZE_INPUT_REGISTER_H

#include "core/sha256.h"
#include "formats/format.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_input_register ws_input_register;

typedef struct ws_registered_input {
    const char *path;
    const ws_format *format; /* what it was read as; NULL for content that no reader knows */
    bool has_digest;         /* false for files inside archives and what is no regular file */
    uint64_t size;           /* bytes of the file as it lies there, compressed or not */
    char sha256[WS_SHA256_TEXT];
} ws_registered_input;

ws_input_register *ws_input_register_new(void);
void ws_input_register_free(ws_input_register *inputs); /* NULL too */

/* Once for each path, however often the file is read. */
void ws_input_register_add(ws_input_register *inputs, const char *path, const ws_format *format, const ws_input *input);

/* The same of a file that need not be read, since its digest is known; sha256 "": it has none. */
void ws_input_register_add_known(ws_input_register *inputs, const char *path, const ws_format *format, uint64_t size,
                                 const char *sha256);

/* The digest of a file that was added; false while there is none. Any thread may ask. */
bool ws_input_register_digest(ws_input_register *inputs, const char *path, char sha256[WS_SHA256_TEXT]);

/* NULL where the path was not read. Good until the register is freed; not while others add. */
const ws_registered_input *ws_input_register_find(const ws_input_register *inputs, const char *path);

#endif
