/* How HDF5 gets the bytes of a file that is only read.
 *
 * HDF5 asks for what describes a data set in some fifteen pieces of a few hundred bytes. They come from blocks of the
 * file that are kept, where HDF5's own driver calls the system for each. Nothing is locked: a lock fails on many
 * parallel file systems. */
#ifndef WS_FORMATS_HDF5_DRIVER_H
#define WS_FORMATS_HDF5_DRIVER_H

#include "formats/hdf5/hdf5_bytes.h"

#include <hdf5.h>
#include <stdbool.h>

/* A file that is opened with the property list `access`, whatever its name, holds these bytes, which stay the caller's
 * and where they are until the file is closed. */
bool ws_hdf5_set_driver(hid_t access, const ws_hdf5_bytes *bytes);

#endif
