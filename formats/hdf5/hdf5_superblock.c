/* A superblock of version 0 (HDF5 file format specification, II.A). Numbers have their little end first, (n) is a size
 * in bytes:
 *
 *   89 "HDF" 0d 0a 1a 0a  00 00 00 00 00    versions
 *   08 08 00                                sizes of addresses and lengths
 *   04 00 10 00  zero (4)                   of the nodes of groups, half of what they hold; or less, where a file of
 *                                           many small groups is to be small
 *   zero (8)  ff (8)  end of the file (8)  ff (8)
 *   zero (8)  address of the uppermost group (8)  01 00 00 00  zero (4)  its index (8)  its names (8) */
#include "formats/hdf5/hdf5_superblock.h"

#include "formats/hdf5/hdf5_little_endian.h"

#include <string.h>

enum { SIZE = 96, RANKS = 16, CONSISTENCY = 20, END = 40, ROOT = 64, INDEX = 80, NAMES = 88 };

/* Byte for byte, except for the numbers left out here. */
static const unsigned char usual[INDEX] = {
    0x89, 'H', 'D', 'F', 0x0d, 0x0a, 0x1a, 0x0a, 0,    0,    0,    0,    0,    8,    8,    0,    4,    0,    16,   0,
    0,    0,   0,   0,   0,    0,    0,    0,    0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0,    0,   0,   0,   0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0,    0,    0,    0,
    0,    0,   0,   0,   0,    0,    0,    0,    0,    0,    0,    0,    1,    0,    0,    0,    0,    0,    0,    0,
};

static bool is_usual(const unsigned char *p)
{
    return memcmp(p, usual, RANKS) == 0 && memcmp(p + CONSISTENCY, usual + CONSISTENCY, END - CONSISTENCY) == 0 &&
           memcmp(p + END + 8, usual + END + 8, ROOT - END - 8) == 0 &&
           memcmp(p + ROOT + 8, usual + ROOT + 8, INDEX - ROOT - 8) == 0;
}

/* Half of what a leaf and a node hold. */
static bool take_ranks(ws_hdf5_blocks *file, const unsigned char *p)
{
    unsigned links = 2 * (unsigned)ws_u16_at(p + RANKS), children = 2 * (unsigned)ws_u16_at(p + RANKS + 2);
    if (!links || links > WS_HDF5_USUAL_LINKS || !children || children > WS_HDF5_USUAL_CHILDREN)
        return false;
    file->most_links = links;
    file->most_children = children;
    return true;
}

bool ws_hdf5_superblock_read(ws_hdf5_blocks *file, uint64_t *address, ws_hdf5_header *root)
{
    unsigned char p[SIZE];
    if (!ws_hdf5_blocks_copy_inside(file, 0, p, SIZE) || !is_usual(p) || !take_ranks(file, p) ||
        ws_u64_at(p + END) != file->end)
        return false;
    *address = ws_u64_at(p + ROOT);
    return ws_hdf5_header_read(file, *address, root) && root->is_group && root->tree == ws_u64_at(p + INDEX) &&
           root->heap == ws_u64_at(p + NAMES);
}
