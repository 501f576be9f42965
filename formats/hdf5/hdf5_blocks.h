/* Small pieces of an HDF5 file, taken from blocks that are kept: what describes an object is asked for in many of them.
 */
#ifndef WS_FORMATS_HDF5_BLOCKS_H
#define WS_FORMATS_HDF5_BLOCKS_H

#include "formats/hdf5/hdf5_bytes.h"

enum { WS_HDF5_BLOCK = 4096, WS_HDF5_BLOCKS = 256 };
enum { WS_HDF5_USUAL_LINKS = 8, WS_HDF5_USUAL_CHILDREN = 32 };

typedef struct ws_hdf5_blocks {
    ws_hdf5_bytes bytes;
    uint64_t end;                  /* of the file */
    unsigned most_links;           /* of a leaf of a group's index, */
    unsigned most_children;        /* and of a node: HDF5's own choice until ws_hdf5_superblock_read finds another */
    uint64_t kept[WS_HDF5_BLOCKS]; /* block i has its place at i % WS_HDF5_BLOCKS */
    unsigned char block[WS_HDF5_BLOCKS][WS_HDF5_BLOCK];
} ws_hdf5_blocks;

/* False where the file has no size. The bytes stay the caller's. */
bool ws_hdf5_blocks_init(ws_hdf5_blocks *blocks, const ws_hdf5_bytes *bytes);

/* What lies behind the end is zero. False where the file cannot be read, or `at` + n is no place in any file. */
bool ws_hdf5_blocks_copy(ws_hdf5_blocks *blocks, uint64_t at, void *to, size_t n);

/* The same within the file: false where not all of it is there. */
bool ws_hdf5_blocks_copy_inside(ws_hdf5_blocks *blocks, uint64_t at, void *to, uint64_t n);

static inline bool ws_hdf5_lies_inside(const ws_hdf5_blocks *blocks, uint64_t at, uint64_t n)
{
    return n <= blocks->end && at <= blocks->end - n;
}

#endif
