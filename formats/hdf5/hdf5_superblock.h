/* How an HDF5 file begins, read without the library. */
#ifndef WS_FORMATS_HDF5_SUPERBLOCK_H
#define WS_FORMATS_HDF5_SUPERBLOCK_H

#include "formats/hdf5/hdf5_blocks.h"
#include "formats/hdf5/hdf5_header.h"

/* The address of the uppermost group, whose header is read into *root. False for a file that is not whole, or does not
 * begin as HDF5 lets one begin unless asked for something else: the library has to be asked. */
bool ws_hdf5_superblock_read(ws_hdf5_blocks *file, uint64_t *address, ws_hdf5_header *root);

#endif
