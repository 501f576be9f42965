/* A body begins with "WSZ" and a 0, the length of the record in four bytes, least first, and then it as raw deflate.
 * One that begins in another way is a record as it is. */
#include "analyze/store/store_internal.h"

#include "core/arena.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 8, FASTEST = 1, LONGEST = 1 << 28 };
static const unsigned char magic[4] = {'W', 'S', 'Z', 0};

ws_packed ws_store_press(const void *body, size_t n)
{
    struct libdeflate_compressor *c = n <= LONGEST ? libdeflate_alloc_compressor(FASTEST) : NULL;
    ws_packed pressed = {.bytes = ws_alloc(n + HEAD)};
    size_t k = c ? libdeflate_deflate_compress(c, body, n, pressed.bytes + HEAD, n) : 0;
    if (c)
        libdeflate_free_compressor(c);
    if (!k) { /* it would be longer */
        memcpy(pressed.bytes, body, n);
        pressed.n = n;
        return pressed;
    }
    memcpy(pressed.bytes, magic, sizeof magic);
    for (int i = 0; i < 4; i++)
        pressed.bytes[4 + i] = (unsigned char)(n >> (8 * i));
    pressed.n = HEAD + k;
    return pressed;
}

bool ws_store_unpress(const void *bytes, size_t n, ws_packed *record)
{
    const unsigned char *at = bytes;
    *record = (ws_packed){0};
    if (n < HEAD || memcmp(at, magic, sizeof magic) != 0) {
        record->bytes = ws_alloc(n + 1);
        memcpy(record->bytes, n ? bytes : "", n);
        record->n = n;
        return true;
    }
    size_t length = 0;
    for (int i = 0; i < 4; i++)
        length |= (size_t)at[4 + i] << (8 * i);
    struct libdeflate_decompressor *d = length <= LONGEST ? libdeflate_alloc_decompressor() : NULL;
    record->bytes = d ? malloc(length + 1) : NULL;
    record->n = length;
    bool is_sound = record->bytes && libdeflate_deflate_decompress(d, at + HEAD, n - HEAD, record->bytes, length,
                                                                   NULL) == LIBDEFLATE_SUCCESS;
    if (d)
        libdeflate_free_decompressor(d);
    if (!is_sound)
        free(record->bytes), *record = (ws_packed){0};
    return is_sound;
}
