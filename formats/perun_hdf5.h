/* The samples of perun's HDF5 file, read by HDF5's library. No other format needs that library.
 * Inside formats/ only, but for the program, which has it in a module. */
#ifndef WS_FORMATS_PERUN_HDF5_H
#define WS_FORMATS_PERUN_HDF5_H

#include "core/note.h"
#include "core/sample.h"
#include "formats/input.h"
#include "formats/perun_samples.h"

/* As `read` of ws_format; the samples pushed lie in `samples`. Any thread may call: one at a time is in the library. */
ws_status ws_perun_hdf5_read(ws_input *input, ws_perun_samples *samples, const ws_sink *sink, ws_notes *notes,
                             ws_error *error);

#endif
