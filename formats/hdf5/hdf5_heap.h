/* Texts of variable length, fetched from an HDF5 file without the library.
 *
 * HDF5 1.10 takes the lengths and numbers that lead to such a text as they stand in the file: where they are damaged it
 * reads outside its memory, or asks for gigabytes. Here every step is checked. */
#ifndef WS_FORMATS_HDF5_HEAP_H
#define WS_FORMATS_HDF5_HEAP_H

#include "core/arena.h"
#include "formats/hdf5/hdf5_bytes.h"

/* Where texts of variable length are fetched from. {.bytes = ...} is a valid new one. */
typedef struct ws_hdf5_texts {
    const ws_hdf5_bytes *bytes; /* of the file */
    unsigned char *collection;  /* the one that was read last: texts that are written together lie together */
    size_t size;
    uint64_t at;
} ws_hdf5_texts;

void ws_hdf5_texts_free(ws_hdf5_texts *texts);

/* The text of variable length that is stored so; NULL where it cannot be read. */
enum { WS_HDF5_REFERENCE_SIZE = 16 };
const char *ws_hdf5_referred_text(ws_hdf5_texts *texts, const unsigned char *reference, ws_arena *arena);

/* As text: "1.5", or "[0, 1, 2]" of more than one. */
const char *ws_hdf5_numbers_text(const double *value, size_t n, ws_arena *arena);

#endif
