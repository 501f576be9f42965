#include "formats/hdf5/perun_hdf5_module.h"

const ws_perun_hdf5_reading ws_perun_hdf5_functions = {.read = ws_perun_hdf5_read};
