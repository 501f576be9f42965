/* The machine's own numbers (hdf5_number.h) as the HDF5 library names them. */
#ifndef WS_FORMATS_HDF5_NATIVE_H
#define WS_FORMATS_HDF5_NATIVE_H

#include "formats/hdf5/hdf5_number.h"

#include <hdf5.h>
#include <stdbool.h>

/* The machine's own type that equals the stored one; NULL where there is none. */
const ws_hdf5_number_type *ws_hdf5_number_type_of(hid_t stored);

/* An integer or a float whose bits lie inside its bytes: the library would convert others beyond its buffers. */
bool ws_hdf5_is_number(hid_t stored);

hid_t ws_hdf5_native_type(const ws_hdf5_number_type *type);

#endif
