#include "formats/hdf5/hdf5_blocks.h"

#include <string.h>
#include <sys/stat.h>

enum { BLOCK = WS_HDF5_BLOCK, BLOCKS = WS_HDF5_BLOCKS };
static const uint64_t NO_BLOCK = UINT64_MAX;

bool ws_hdf5_blocks_init(ws_hdf5_blocks *blocks, const ws_hdf5_bytes *bytes)
{
    struct stat about;
    if (!bytes->memory.p && fstat(bytes->fd, &about) != 0)
        return false;
    blocks->bytes = *bytes;
    blocks->most_links = WS_HDF5_USUAL_LINKS;
    blocks->most_children = WS_HDF5_USUAL_CHILDREN;
    uint64_t end = bytes->memory.p ? bytes->memory.n : (uint64_t)about.st_size;
    blocks->end = end > bytes->start ? end - bytes->start : 0;
    for (size_t i = 0; i < BLOCKS; i++)
        blocks->kept[i] = NO_BLOCK;
    return true;
}

/* As HDF5's own drivers do it: what lies behind the end is zero. */
static bool copy(const ws_hdf5_blocks *f, uint64_t at, void *to, size_t n)
{
    size_t there = at >= f->end ? 0 : n < f->end - at ? n : (size_t)(f->end - at);
    memset((char *)to + there, 0, n - there);
    return !there || ws_hdf5_copy(&f->bytes, at, to, there);
}

static const unsigned char *hdf5_blocks_keep(ws_hdf5_blocks *f, uint64_t number)
{
    size_t place = (size_t)(number % BLOCKS);
    if (f->kept[place] != number) {
        f->kept[place] = NO_BLOCK;
        if (!copy(f, number * BLOCK, f->block[place], BLOCK))
            return NULL;
        f->kept[place] = number;
    }
    return f->block[place];
}

static bool copy_from_blocks(ws_hdf5_blocks *f, uint64_t at, unsigned char *to, size_t n)
{
    while (n) {
        const unsigned char *block = hdf5_blocks_keep(f, at / BLOCK);
        size_t from = (size_t)(at % BLOCK), here = BLOCK - from < n ? BLOCK - from : n;
        if (!block)
            return false;
        memcpy(to, block + from, here);
        at += here, to += here, n -= here;
    }
    return true;
}

bool ws_hdf5_blocks_copy(ws_hdf5_blocks *blocks, uint64_t at, void *to, size_t n)
{
    if (at > INT64_MAX - BLOCK || n > INT64_MAX - BLOCK - at)
        return false;
    bool in_pieces = n <= BLOCK && !blocks->bytes.memory.p;
    return in_pieces ? copy_from_blocks(blocks, at, to, n) : copy(blocks, at, to, n);
}

bool ws_hdf5_blocks_copy_inside(ws_hdf5_blocks *blocks, uint64_t at, void *to, uint64_t n)
{
    return ws_hdf5_lies_inside(blocks, at, n) && ws_hdf5_blocks_copy(blocks, at, to, (size_t)n);
}
