/* Whose turn it is with the HDF5 library, which is not made for several threads. Inside formats/ only.
 *
 * Each call of the library stands between enter and leave. HDF5 prints its own account of a failure unless told otherwise:
 * between enter and leave it is told. */
#ifndef WS_FORMATS_HDF5_LIBRARY_H
#define WS_FORMATS_HDF5_LIBRARY_H

#include <hdf5.h>

void ws_hdf5_enter(void);
void ws_hdf5_leave(void);

/* What the program had told HDF5 about failures before a file was opened. */
typedef struct ws_hdf5_manner {
    H5E_auto2_t report;
    void *state;
} ws_hdf5_manner;

/* To enter for the first time and to leave for the last, with a file in between. */
void ws_hdf5_enter_first(ws_hdf5_manner *before);
void ws_hdf5_leave_last(const ws_hdf5_manner *before);

#endif
