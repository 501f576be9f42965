/* What describes a plain vector in an HDF5 file, read without the library, to which the opening of one costs a hundred thousand
 * steps. Inside formats/ only. */
#ifndef WS_FORMATS_HDF5_HEADER_H
#define WS_FORMATS_HDF5_HEADER_H

#include "formats/hdf5_bytes.h"
#include "formats/hdf5_number.h"

enum { WS_HDF5_MOST_ATTRIBUTES = 16, WS_HDF5_LARGEST_HEADER = 2048 };

/* A single value: a number, or, where `type` is NULL, what refers to a text of variable length (hdf5_text.h). */
typedef struct ws_hdf5_attribute {
    const char *name;
    const ws_hdf5_number_type *type;
    const unsigned char *value;
} ws_hdf5_attribute;

typedef struct ws_hdf5_header {
    uint64_t n, at; /* numbers, and where in the file they lie in one piece */
    const ws_hdf5_number_type *type;
    ws_hdf5_attribute attributes[WS_HDF5_MOST_ATTRIBUTES];
    size_t n_attributes;
    unsigned char bytes[2][WS_HDF5_LARGEST_HEADER]; /* what the attributes point into */
} ws_hdf5_header;

/* The header of the object at that address, in a file of `end` bytes whose addresses count from its beginning. False for anything
 * that is not spelled as h5py and HDF5 spell a vector of numbers that lie in one piece, of any object: the library has to be
 * asked. */
bool ws_hdf5_header_read(const ws_hdf5_bytes *bytes, uint64_t end, uint64_t address, ws_hdf5_header *header);

/* NULL where there is none. */
const ws_hdf5_attribute *ws_hdf5_header_attribute(const ws_hdf5_header *header, const char *name);

#endif
