#include "formats/hdf5_driver.h"

#include "core/arena.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Groups of descriptions lie behind the numbers of each sensor: few blocks are enough. */
enum { BLOCK = 4096, BLOCKS = 32 };
static const uint64_t NO_BLOCK = UINT64_MAX;

typedef struct file {
    H5FD_t of_library; /* comes first */
    ws_hdf5_bytes bytes;
    haddr_t end, allocated; /* of the file, and of what HDF5 takes it to be */
    uint64_t kept[BLOCKS];  /* block i has its place at i % BLOCKS */
    unsigned char block[BLOCKS][BLOCK];
} file;

/* As HDF5's own drivers do it: what lies behind the end is zero. */
static bool copy(const file *f, uint64_t at, void *to, size_t n)
{
    size_t there = at >= f->end ? 0 : n < f->end - at ? n : (size_t)(f->end - at);
    memset((char *)to + there, 0, n - there);
    return !there || ws_hdf5_copy(&f->bytes, at, to, there);
}

static const unsigned char *keep(file *f, uint64_t number)
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

static bool copy_from_blocks(file *f, uint64_t at, unsigned char *to, size_t n)
{
    while (n) {
        const unsigned char *block = keep(f, at / BLOCK);
        size_t from = (size_t)(at % BLOCK), here = BLOCK - from < n ? BLOCK - from : n;
        if (!block)
            return false;
        memcpy(to, block + from, here);
        at += here, to += here, n -= here;
    }
    return true;
}

static herr_t read_bytes(H5FD_t *state, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, void *to)
{
    (void)type, (void)transfer;
    file *f = (file *)state;
    if (at > INT64_MAX - BLOCK || n > INT64_MAX - BLOCK - at)
        return -1;
    bool in_pieces = n <= BLOCK && !f->bytes.memory.p;
    return (in_pieces ? copy_from_blocks(f, at, to, n) : copy(f, at, to, n)) ? 0 : -1;
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
    struct stat about;
    if (!bytes || (flags & H5F_ACC_RDWR) || (!bytes->memory.p && fstat(bytes->fd, &about) != 0))
        return NULL;
    file *f = ws_realloc(NULL, 1, sizeof *f);
    memset(f, 0, offsetof(file, kept));
    f->bytes = *bytes;
    f->end = bytes->memory.p ? bytes->memory.n : (haddr_t)about.st_size;
    for (size_t i = 0; i < BLOCKS; i++)
        f->kept[i] = NO_BLOCK;
    return &f->of_library;
}

static haddr_t get_end(const H5FD_t *state, H5FD_mem_t type)
{
    (void)type;
    return ((const file *)state)->end;
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
