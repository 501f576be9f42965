/* Numbers as HDF5 files hold them that the machine can use as they are. */
#ifndef WS_FORMATS_HDF5_NUMBER_H
#define WS_FORMATS_HDF5_NUMBER_H

#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_hdf5_number_type {
    bool is_float;
    size_t size;
    bool is_signed; /* of integers */
    void (*convert)(const void *from, double *to, size_t n);
    unsigned char encoded[20]; /* how a file spells the type; its little end comes first */
    size_t encoded_size;
} ws_hdf5_number_type;

/* The machine's own type of that kind, or the one that a file spells so; NULL where there is none. */
const ws_hdf5_number_type *ws_hdf5_number_type_find(bool is_float, size_t size, bool is_signed);
const ws_hdf5_number_type *ws_hdf5_number_type_spelled(ws_span encoded);

#endif
