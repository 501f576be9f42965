/* What describes an object in an HDF5 file, a group or a plain vector, read without the library, to which the opening
 * of one costs a hundred thousand steps. */
#ifndef WS_FORMATS_HDF5_HEADER_H
#define WS_FORMATS_HDF5_HEADER_H

#include "formats/hdf5/hdf5_blocks.h"
#include "formats/hdf5/hdf5_number.h"

enum { WS_HDF5_MOST_ATTRIBUTES = 256, WS_HDF5_LARGEST_HEADER = 32 * 1024 };

typedef enum ws_hdf5_kind { WS_HDF5_NUMBER, WS_HDF5_TEXT, WS_HDF5_TRUTH } ws_hdf5_kind;

/* n values in a row: numbers, what refers to texts of variable length (hdf5_heap.h), or truth values. */
typedef struct ws_hdf5_attribute {
    const char *name;
    ws_hdf5_kind kind;
    const ws_hdf5_number_type *type; /* of numbers */
    uint64_t n;
    const unsigned char *value;
} ws_hdf5_attribute;

typedef struct ws_hdf5_header {
    bool is_group;
    uint64_t tree, heap;             /* of a group: where its index and its names lie (hdf5_group.h) */
    uint64_t n, at;                  /* of a vector: its numbers, and where in the file they lie in one piece */
    const ws_hdf5_number_type *type; /* of these numbers */
    ws_hdf5_attribute attributes[WS_HDF5_MOST_ATTRIBUTES];
    size_t n_attributes;
    unsigned char bytes[WS_HDF5_LARGEST_HEADER]; /* what the attributes point into */
} ws_hdf5_header;

/* The header of the object at that address, in a file whose addresses count from its beginning. False for anything that
 * is not spelled as h5py and HDF5 spell a group, or a vector of numbers that lie in one piece: the library has to be
 * asked. */
bool ws_hdf5_header_read(ws_hdf5_blocks *file, uint64_t address, ws_hdf5_header *header);

/* Where the index and the names of the group with that header lie, whatever else it says; false where it says nothing
 * of them. */
bool ws_hdf5_header_find_names(ws_hdf5_blocks *file, uint64_t address, uint64_t *tree, uint64_t *heap);

/* NULL where there is none. */
const ws_hdf5_attribute *ws_hdf5_header_attribute(const ws_hdf5_header *header, const char *name);

#endif
