/* The objects of an HDF5 file by their addresses, read without the library.
 *
 * h5py spells each kind of object in one of few ways, and those are known here. As soon as anything that is asked for
 * is spelled otherwise, or damaged, the file as a whole is odd, and nothing is found in it any more: it is left to the
 * library. */
#ifndef WS_FORMATS_HDF5_PLAIN_H
#define WS_FORMATS_HDF5_PLAIN_H

#include "formats/hdf5/hdf5_group.h"
#include "formats/hdf5/hdf5_header.h"
#include "formats/hdf5/hdf5_heap.h"

enum { WS_HDF5_MOST_KEPT = 16 };

/* A group whose links are known. */
typedef struct ws_hdf5_kept_group {
    uint64_t address, used; /* used: when */
    ws_hdf5_group group;
} ws_hdf5_kept_group;

typedef struct ws_hdf5_plain {
    bool is_odd;
    uint64_t root; /* the uppermost group */
    ws_hdf5_texts texts;
    uint64_t header_at; /* of the header that was read last */
    uint64_t now;       /* counts the uses of groups */
    ws_hdf5_kept_group kept[WS_HDF5_MOST_KEPT];
    ws_hdf5_header header;
    ws_hdf5_blocks blocks;
} ws_hdf5_plain;

/* Odd, maybe, from the first. The bytes stay the caller's, and where they are until it is closed. */
ws_hdf5_plain *ws_hdf5_plain_open(const ws_hdf5_bytes *bytes);
void ws_hdf5_plain_close(ws_hdf5_plain *file);

/* Of an object that has to be a group, or a vector: another is odd. NULL where it is. Good until the next header is
 * asked for. */
const ws_hdf5_header *ws_hdf5_plain_header(ws_hdf5_plain *file, uint64_t address, bool is_group);

/* What lies in a group; NULL where it is odd. Good until WS_HDF5_MOST_KEPT others were asked for. */
const ws_hdf5_group *ws_hdf5_plain_group(ws_hdf5_plain *file, uint64_t address);
bool ws_hdf5_plain_find(ws_hdf5_plain *file, uint64_t group, const char *name, uint64_t *address);

/* Attributes of an object, as ws_hdf5_text and ws_hdf5_number (hdf5_text.h) read them. */
bool ws_hdf5_plain_has(ws_hdf5_plain *file, uint64_t address, const char *name);
const char *ws_hdf5_plain_text(ws_hdf5_plain *file, uint64_t address, const char *name, ws_arena *arena);
bool ws_hdf5_plain_number(ws_hdf5_plain *file, uint64_t address, const char *name, double *value);

#endif
