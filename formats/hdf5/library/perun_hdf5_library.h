/* perun's HDF5 file read by HDF5's library, in the process that calls: for the child (hdf5_child.c) and for tests.
 * Damaged bytes can bring the library down, and the process with it. */
#ifndef WS_FORMATS_PERUN_HDF5_LIBRARY_H
#define WS_FORMATS_PERUN_HDF5_LIBRARY_H

#include "formats/hdf5/perun_hdf5.h"

/* As `read` of ws_format. One thread at a time: the library is made for one. */
ws_status ws_perun_hdf5_read(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_error *error);

#endif
