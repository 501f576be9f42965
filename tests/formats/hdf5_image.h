/* The bytes of an HDF5 file, for what is read without the library and, beside it, for the library. */
#ifndef WS_TESTS_HDF5_IMAGE_H
#define WS_TESTS_HDF5_IMAGE_H

#include "formats/hdf5/hdf5_blocks.h"
#include "made_perun.h"

typedef struct image {
    ws_hdf5_bytes bytes;
    char *p;
    size_t n;
} image;

/* Closes the file; p is the caller's. */
static inline image new_image(hid_t file)
{
    image made = {.bytes.fd = -1};
    made.p = image_of(file, &made.n);
    made.bytes.memory = (ws_span){made.p, made.n};
    return made;
}

/* Opened by the library. */
static inline hid_t open_image(const image *of)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, false);
    H5Pset_file_image(access, of->p, of->n);
    hid_t file = H5Fopen("image", H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

/* The caller frees. */
static inline ws_hdf5_blocks *blocks_of(const image *of)
{
    ws_hdf5_blocks *blocks = ws_realloc(NULL, 1, sizeof *blocks);
    ck_assert(ws_hdf5_blocks_init(blocks, &of->bytes));
    return blocks;
}

static inline void flip(image *of, size_t at, unsigned bits)
{
    of->p[at] = (char)((unsigned char)of->p[at] ^ bits);
}

#endif
