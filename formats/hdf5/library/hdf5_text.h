/* Attributes of HDF5 objects as text and numbers, read without trust in the file. */
#ifndef WS_FORMATS_HDF5_TEXT_H
#define WS_FORMATS_HDF5_TEXT_H

#include "formats/hdf5/hdf5_heap.h"

#include <hdf5.h>
#include <stdbool.h>

/* Of the attribute `name` of `object` ("." for `place` itself): text, or numbers as text ("1.5", "[0, 1, 2]"); NULL
 * where there is no such attribute or it cannot be read. */
const char *ws_hdf5_text(ws_hdf5_texts *texts, hid_t place, const char *object, const char *name, ws_arena *arena);

bool ws_hdf5_number(hid_t place, const char *object, const char *name, double *value); /* a single one */

/* To be called before the first ws_hdf5_text of a file, any number of times. */
bool ws_hdf5_text_init(void);

#endif
