/* A body begins with "WSZ" and a 0, the length of the record in four bytes, least first, and then it as raw deflate.
 * One that begins in another way is a record as it is. */
#include "analyze/store/store_internal.h"

#include "core/arena.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 8, FASTEST = 1, LONGEST = 1 << 28 };
static const unsigned char magic[4] = {'W', 'S', 'Z', 0};

struct ws_presser {
    struct libdeflate_compressor *press; /* NULL until it is needed, and so is the other */
    struct libdeflate_decompressor *unpress;
};

ws_presser *ws_store_take_presser(ws_store *store)
{
    pthread_mutex_lock(&store->lock);
    ws_presser *presser = store->presser;
    store->presser = NULL;
    pthread_mutex_unlock(&store->lock);
    return presser ? presser : ws_alloc(sizeof *presser);
}

void ws_store_free_presser(ws_presser *presser)
{
    if (!presser)
        return;
    if (presser->press)
        libdeflate_free_compressor(presser->press);
    if (presser->unpress)
        libdeflate_free_decompressor(presser->unpress);
    free(presser);
}

void ws_store_put_presser(ws_store *store, ws_presser *presser)
{
    pthread_mutex_lock(&store->lock);
    ws_presser *left = store->presser;
    store->presser = presser;
    pthread_mutex_unlock(&store->lock);
    ws_store_free_presser(left);
}

ws_packed ws_store_press(ws_presser *presser, const void *body, size_t n)
{
    if (!presser->press)
        presser->press = libdeflate_alloc_compressor(FASTEST);
    ws_packed pressed = {.bytes = ws_alloc(n + HEAD)};
    size_t k = presser->press && n <= LONGEST
                   ? libdeflate_deflate_compress(presser->press, body, n, pressed.bytes + HEAD, n)
                   : 0;
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

bool ws_store_unpress(ws_presser *presser, const void *bytes, size_t n, ws_packed *record)
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
    if (!presser->unpress)
        presser->unpress = libdeflate_alloc_decompressor();
    record->bytes = presser->unpress && length <= LONGEST ? malloc(length + 1) : NULL;
    record->n = length;
    bool is_sound = record->bytes && libdeflate_deflate_decompress(presser->unpress, at + HEAD, n - HEAD, record->bytes,
                                                                   length, NULL) == LIBDEFLATE_SUCCESS;
    if (!is_sound)
        free(record->bytes), *record = (ws_packed){0};
    return is_sound;
}
