/* perun's HDF5 file, which no other format needs: read here, or by HDF5's library in a process of its own. */
#ifndef WS_FORMATS_PERUN_HDF5_H
#define WS_FORMATS_PERUN_HDF5_H

#include "core/note.h"
#include "core/sample.h"
#include "formats/hdf5/hdf5_bytes.h"
#include "formats/hdf5/perun_samples.h"

typedef struct ws_perun_hdf5_file {
    const char *path; /* for messages */
    ws_hdf5_bytes bytes;
    ws_perun_samples *samples; /* where those pushed lie */
    ws_notes *notes;
} ws_perun_hdf5_file;

/* As `read` of ws_format, without the library, in *status what it came to. False, and nothing is pushed or noted, for
 * a file in which anything that is asked for is not spelled as h5py spells it: the library has to read it. */
bool ws_perun_hdf5_read_plain(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_status *status, ws_error *error);

#endif
