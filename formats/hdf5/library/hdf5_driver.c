#include "formats/hdf5/library/hdf5_driver.h"

#include "core/arena.h"
#include "formats/hdf5/hdf5_blocks.h"
#include "formats/hdf5/hdf5_little_endian.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct file {
    H5FD_t of_library; /* comes first */
    haddr_t allocated; /* what HDF5 takes the file to be */
    ws_hdf5_blocks blocks;
} file;

/* The gaps in a heap of names are chained. HDF5 follows the chain without a count, and a damaged one for ever: such a
 * heap cannot be read. Whatever else is wrong with one the library finds. */
static bool has_endless_gaps(ws_hdf5_blocks *blocks, const unsigned char *heap)
{
    enum { GAP = 16, LAST_GAP = 1 };
    uint64_t size = ws_u64_at(heap + 8), gap = ws_u64_at(heap + 16), names = ws_u64_at(heap + 24);
    if (!ws_hdf5_lies_inside(blocks, names, size))
        return false;
    for (uint64_t left = size / GAP; gap != LAST_GAP && left > 0; left--) {
        unsigned char next[8];
        if (gap > size || !ws_hdf5_blocks_copy_inside(blocks, names + gap, next, sizeof next))
            return false;
        gap = ws_u64_at(next);
    }
    return gap != LAST_GAP;
}

static herr_t read_bytes(H5FD_t *state, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, void *to)
{
    enum { HEAP = 32 };
    (void)type, (void)transfer;
    ws_hdf5_blocks *blocks = &((file *)state)->blocks;
    if (!ws_hdf5_blocks_copy(blocks, at, to, n))
        return -1;
    return n >= HEAP && memcmp(to, "HEAP", 5) == 0 && has_endless_gaps(blocks, to) ? -1 : 0;
}

static herr_t write_bytes(H5FD_t *state, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, const void *from)
{
    (void)state, (void)type, (void)transfer, (void)at, (void)n, (void)from;
    return -1;
}

static herr_t close_file(H5FD_t *state)
{
    free(state);
    return 0;
}

static H5FD_t *open_file(const char *path, unsigned flags, hid_t access, haddr_t largest)
{
    (void)path, (void)largest;
    const ws_hdf5_bytes *bytes = H5Pget_driver_info(access);
    if (!bytes || (flags & H5F_ACC_RDWR))
        return NULL;
    file *f = ws_realloc(NULL, 1, sizeof *f);
    memset(f, 0, offsetof(file, blocks));
    if (ws_hdf5_blocks_init(&f->blocks, bytes))
        return &f->of_library;
    free(f);
    return NULL;
}

static haddr_t get_end(const H5FD_t *state, H5FD_mem_t type)
{
    (void)type;
    return ((const file *)state)->blocks.end;
}

static haddr_t get_allocated(const H5FD_t *state, H5FD_mem_t type)
{
    (void)type;
    return ((const file *)state)->allocated;
}

static herr_t set_allocated(H5FD_t *state, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((file *)state)->allocated = end;
    return 0;
}

/* Numbers that HDF5 has to read in small parts are read ahead. */
static herr_t tell_features(const H5FD_t *state, unsigned long *flags)
{
    (void)state;
    *flags = H5FD_FEAT_DATA_SIEVE;
    return 0;
}

static const H5FD_class_t functions = {
#if defined H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = 512, /* the first that is nobody's */
#endif
    .name = "wattscale",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(ws_hdf5_bytes),
    .open = open_file,
    .close = close_file,
    .query = tell_features,
    .get_eoa = get_allocated,
    .set_eoa = set_allocated,
    .get_eof = get_end,
    .read = read_bytes,
    .write = write_bytes,
    .fl_map = H5FD_FLMAP_SINGLE,
};

static hid_t driver = H5I_INVALID_HID;

static void register_once(void)
{
    driver = H5FDregister(&functions);
}

bool ws_hdf5_set_driver(hid_t access, const ws_hdf5_bytes *bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_once);
    return driver >= 0 && H5Pset_driver(access, driver, bytes) >= 0;
}
