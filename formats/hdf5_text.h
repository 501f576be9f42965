/* Attributes of HDF5 objects as text and numbers, read without trust in the file. Inside formats/ only.
 *
 * HDF5 1.10 takes the lengths and numbers that lead to a text of variable length as they stand in the file: where they
 * are damaged it reads outside its memory, or asks for gigabytes. Such texts are fetched here, every step checked. */
#ifndef WS_FORMATS_HDF5_TEXT_H
#define WS_FORMATS_HDF5_TEXT_H

#include "core/arena.h"
#include "formats/hdf5_bytes.h"

#include <hdf5.h>
#include <stdbool.h>

/* Where texts of variable length are fetched from. {.bytes = ...} is a valid new one. */
typedef struct ws_hdf5_texts {
    const ws_hdf5_bytes *bytes; /* of the file that is open in HDF5 */
    unsigned char *collection;  /* the one that was read last: texts that are written together lie together */
    size_t size;
    uint64_t at;
} ws_hdf5_texts;

void ws_hdf5_texts_free(ws_hdf5_texts *texts);

/* Of the attribute `name` of `object` ("." for `place` itself): text, or numbers as text ("1.5", "[0, 1, 2]"); NULL where there
 * is no such attribute or it cannot be read. */
const char *ws_hdf5_text(ws_hdf5_texts *texts, hid_t place, const char *object, const char *name, ws_arena *arena);

/* The text of variable length that is stored so; NULL where it cannot be read. */
enum { WS_HDF5_REFERENCE_SIZE = 16 };
const char *ws_hdf5_referred_text(ws_hdf5_texts *texts, const unsigned char *reference, ws_arena *arena);

bool ws_hdf5_number(hid_t place, const char *object, const char *name, double *value); /* a single one */

/* To be called before the first ws_hdf5_text of a file, any number of times. */
bool ws_hdf5_text_init(void);

#endif
