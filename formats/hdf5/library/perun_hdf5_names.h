/* What lies in a group of perun's HDF5 file. */
#ifndef WS_FORMATS_PERUN_HDF5_NAMES_H
#define WS_FORMATS_PERUN_HDF5_NAMES_H

#include "formats/hdf5/perun_tree.h"

#include <hdf5.h>

/* Of `group`, which holds that part of a place: what lies in the file itself, and of nodes those alone. */
void ws_perun_list_group(hid_t group, ws_perun_part part, ws_arena *arena, ws_perun_names *names);

#endif
