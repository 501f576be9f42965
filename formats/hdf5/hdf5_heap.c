/* A text of variable length is stored as 16 bytes, its length (4), the address of a global heap collection (8) and the
 * number of an object in it (4), all little-endian. The collection (HDF5 file format specification, III.E):
 *
 *   "GCOL" 01 00 00 00  size of the collection (8)
 *   number (2) references (2) zero (4) size (8)  bytes up to a multiple of 8       each object; number 0 ends it */
#include "formats/hdf5/hdf5_heap.h"

#include "formats/hdf5/hdf5_little_endian.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 16, LARGEST_COLLECTION = 16 * 1024 * 1024 };

static void forget_collection(ws_hdf5_texts *texts)
{
    free(texts->collection);
    texts->collection = NULL;
}

void ws_hdf5_texts_free(ws_hdf5_texts *texts)
{
    forget_collection(texts);
}

/* The collection at that address; false where there is none. */
static bool read_collection(ws_hdf5_texts *texts, uint64_t address)
{
    if (texts->collection && texts->at == address)
        return true;
    forget_collection(texts);
    unsigned char header[HEADER_SIZE];
    if (!ws_hdf5_copy(texts->bytes, address, header, sizeof header) || memcmp(header, "GCOL\1", 5) != 0)
        return false;
    uint64_t stated = ws_u64_at(header + 8);
    if (stated < HEADER_SIZE || stated > LARGEST_COLLECTION)
        return false;
    texts->collection = ws_alloc((size_t)stated);
    texts->size = (size_t)stated;
    texts->at = address;
    if (!ws_hdf5_copy(texts->bytes, address, texts->collection, texts->size))
        forget_collection(texts);
    return texts->collection != NULL;
}

static const char *find_object(const unsigned char *collection, size_t size, uint64_t number, size_t length,
                               ws_arena *arena)
{
    for (size_t at = HEADER_SIZE; size - at >= HEADER_SIZE;) {
        uint64_t found = ws_u16_at(collection + at), n = ws_u64_at(collection + at + 8);
        at += HEADER_SIZE;
        if (!found || n > size - at)
            return NULL;
        if (found == number)
            return length <= n ? ws_arena_strndup(arena, (const char *)collection + at, length) : NULL;
        uint64_t filled = (n + 7) / 8 * 8;
        if (filled > size - at)
            return NULL;
        at += (size_t)filled;
    }
    return NULL;
}

const char *ws_hdf5_referred_text(ws_hdf5_texts *texts, const unsigned char *reference, ws_arena *arena)
{
    size_t length = (size_t)ws_u32_at(reference);
    uint64_t address = ws_u64_at(reference + 4), number = ws_u32_at(reference + 12);
    if (length == 0)
        return "";
    return read_collection(texts, address) ? find_object(texts->collection, texts->size, number, length, arena) : NULL;
}

const char *ws_hdf5_numbers_text(const double *value, size_t n, ws_arena *arena)
{
    char *text = ws_arena_alloc(arena, n * (WS_DOUBLE_TEXT + 2) + 3), *end = text;
    for (size_t i = 0; i < n; i++) {
        if (n > 1)
            end = stpcpy(end, i ? ", " : "[");
        end += ws_double_text(end, value[i]);
    }
    if (n > 1)
        strcpy(end, "]");
    return text;
}
