/* A vector of numbers in an HDF5 file, read in pieces as doubles.
 *
 * HDF5 clears a buffer of 1 MiB for each read that converts, and unpacks through zlib: numbers of the machine's own
 * types are read as they are stored and converted here, straight from the file where they lie in one piece; chunks
 * packed with deflate, shuffled or not, are taken packed and unpacked with libdeflate. Whatever is stored otherwise is
 * read by HDF5 itself, with the same numbers. */
#ifndef WS_FORMATS_HDF5_SERIES_H
#define WS_FORMATS_HDF5_SERIES_H

#include "formats/hdf5/hdf5_bytes.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_hdf5_series ws_hdf5_series;

/* Buffers that series of one file share, one being read at a time; {0} is a valid empty one. Freed after the series. */
typedef struct ws_hdf5_buffers {
    void *stored;          /* numbers as they are stored */
    unsigned char *packed; /* a chunk as it lies in the file, and unpacked, its bytes still shuffled */
    unsigned char *shuffled;
    size_t packed_size, shuffled_size;
    struct libdeflate_decompressor *inflate;
} ws_hdf5_buffers;

void ws_hdf5_buffers_free(ws_hdf5_buffers *buffers);

/* Takes the dataset over, also where it fails. NULL for anything but a vector of integers or floating-point numbers
 * that lies in the file itself. `bytes`: those of its file, NULL where they are not at hand. */
ws_hdf5_series *ws_hdf5_series_open(hid_t dataset, const ws_hdf5_bytes *bytes, ws_hdf5_buffers *buffers, uint64_t *n);
void ws_hdf5_series_close(ws_hdf5_series *series);

/* Elements first to first + count - 1, which exist. False where the file is damaged, or its chunks cannot be unpacked.
 */
bool ws_hdf5_series_read(ws_hdf5_series *series, uint64_t first, size_t count, double *value);

/* Are its chunks packed by a filter (lzf, say) that the HDF5 library at hand does not have? */
bool ws_hdf5_series_lacks_filter(const ws_hdf5_series *series);

#endif
