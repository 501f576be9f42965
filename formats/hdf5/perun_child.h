/* perun's HDF5 file read by HDF5's library in a process of its own, so that no damaged byte can bring this one down.
 *
 * The child is the program wattscale-hdf5 (library/hdf5_child.c). It lies beside the program or the library where
 * that was built, and in ../libexec/wattscale where it was installed; WATTSCALE_HDF5 in the environment names another
 * one. One that has read a sound file waits for the next one; it ends with this process. */
#ifndef WS_FORMATS_PERUN_CHILD_H
#define WS_FORMATS_PERUN_CHILD_H

#include "formats/hdf5/perun_hdf5.h"

/* As `read` of ws_format. Any thread may call; each has a child of its own. A child that ends, or says what cannot
 * be, is WS_FORMAT and a line with the file and what ended it; what it had read until then stays pushed. */
ws_status ws_perun_hdf5_read_apart(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_error *error);

#endif
