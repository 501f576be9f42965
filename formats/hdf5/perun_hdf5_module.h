/* perun_hdf5.h as one object to be found by name in a module. Inside formats/ only, but for the program that loads it. */
#ifndef WS_FORMATS_PERUN_HDF5_MODULE_H
#define WS_FORMATS_PERUN_HDF5_MODULE_H

#include "formats/hdf5/perun_hdf5.h"

typedef struct ws_perun_hdf5_reading {
    ws_status (*read)(const ws_perun_hdf5_file *file, const ws_sink *sink, ws_error *error);
} ws_perun_hdf5_reading;

extern const ws_perun_hdf5_reading ws_perun_hdf5_functions;

#endif
