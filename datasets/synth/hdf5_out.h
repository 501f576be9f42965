/* The few HDF5 calls that a writer needs, with one failure flag instead of a check a call. */
#ifndef WS_SYNTH_HDF5_OUT_H
#define WS_SYNTH_HDF5_OUT_H

#include "core/status.h"

#include <hdf5.h>
#include <stdbool.h>

typedef struct ws_synth_hdf5 {
    hid_t file, text_type, scalar;
    bool failed; /* sticky: later calls do no harm, close reports it */
} ws_synth_hdf5;

/* Old-style groups as h5py makes them, without time stamps, so that the same content gives the same bytes. */
ws_status ws_synth_hdf5_create(ws_synth_hdf5 *out, const char *path, ws_error *error);
ws_status ws_synth_hdf5_close(ws_synth_hdf5 *out, const char *path, ws_error *error);

/* The caller closes the group by ws_synth_hdf5_end_group. */
hid_t ws_synth_hdf5_group(ws_synth_hdf5 *out, hid_t parent, const char *name);
void ws_synth_hdf5_empty_group(ws_synth_hdf5 *out, hid_t parent, const char *name);
void ws_synth_hdf5_end_group(ws_synth_hdf5 *out, hid_t group);

/* Attributes: a variable-length UTF-8 string; an int64 or a double scalar; n int64. */
void ws_synth_hdf5_text(ws_synth_hdf5 *out, hid_t object, const char *name, const char *value);
void ws_synth_hdf5_integer(ws_synth_hdf5 *out, hid_t object, const char *name, int64_t value);
void ws_synth_hdf5_double(ws_synth_hdf5 *out, hid_t object, const char *name, double value);
void ws_synth_hdf5_integers(ws_synth_hdf5 *out, hid_t object, const char *name, const int64_t *values, size_t n);

/* A double stored in `type`, which is one of the little-endian standard types. */
void ws_synth_hdf5_scalar(ws_synth_hdf5 *out, hid_t object, const char *name, hid_t type, double value);

/* A contiguous dataset of `type` from values in memory of `memory_type`; the caller closes it by end_dataset. */
hid_t ws_synth_hdf5_dataset(ws_synth_hdf5 *out, hid_t parent, const char *name, hid_t type, hid_t memory_type,
                            const void *values, size_t n);
void ws_synth_hdf5_end_dataset(ws_synth_hdf5 *out, hid_t dataset);

#endif
