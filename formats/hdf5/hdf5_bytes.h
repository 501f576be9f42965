/* The bytes of a file that is open in HDF5, for what is read past the library. */
#ifndef WS_FORMATS_HDF5_BYTES_H
#define WS_FORMATS_HDF5_BYTES_H

#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In memory, or a descriptor of the file where `memory.p` is NULL. HDF5's part of it begins at `start`, behind what a
 * user put in front; all other places count from there. */
typedef struct ws_hdf5_bytes {
    ws_span memory;
    int fd;
    uint64_t start;
} ws_hdf5_bytes;

/* False unless all n bytes from `at` on are there. */
bool ws_hdf5_copy(const ws_hdf5_bytes *bytes, uint64_t at, void *to, size_t n);

#endif
