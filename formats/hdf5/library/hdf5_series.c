/* A chunk packed with the filters "shuffle" and "deflate", of four numbers a, b, c, d of two bytes each:
 *
 *   zlib( a0 b0 c0 d0 a1 b1 c1 d1 )        the first byte of each number, then the second, and so on
 *
 * The last chunk of a vector is stored whole, too. */
#include "formats/hdf5/library/hdf5_series.h"

#include "core/arena.h"
#include "formats/hdf5/library/hdf5_native.h"
#include "formats/hdf5/library/unshuffle.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/* PIECE bounds the memory of a read; larger chunks are left to HDF5. */
enum { PIECE = 64 * 1024, LARGEST_CHUNK = 16 * 1024 * 1024, PACKING_OVERHEAD = 64 * 1024 };

static const uint64_t NO_CHUNK = UINT64_MAX, NOWHERE = UINT64_MAX;

struct ws_hdf5_series {
    hid_t dataset, memory_type;
    uint64_t n;
    const ws_hdf5_number_type *type; /* NULL: HDF5 converts */
    const ws_hdf5_bytes *bytes;
    ws_hdf5_buffers *buffers;
    uint64_t at;  /* where in `bytes` the numbers lie in one piece, or NOWHERE */
    size_t chunk; /* elements in a chunk that is unpacked here; 0: HDF5 reads */
    bool shuffled;
    unsigned char *unpacked; /* the chunk `at_chunk` */
    uint64_t at_chunk;
};

static bool settle_type(ws_hdf5_series *s)
{
    hid_t stored = H5Dget_type(s->dataset);
    if (stored < 0)
        return false;
    bool is_number = ws_hdf5_is_number(stored);
    s->type = ws_hdf5_number_type_of(stored);
    s->memory_type = s->type ? ws_hdf5_native_type(s->type) : H5T_NATIVE_DOUBLE;
    H5Tclose(stored);
    return is_number;
}

static bool settle_length(ws_hdf5_series *s)
{
    hsize_t length = 0;
    hid_t space = H5Dget_space(s->dataset);
    bool ok =
        space >= 0 && H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &length, NULL) == 1;
    if (space >= 0)
        H5Sclose(space);
    s->n = length;
    return ok;
}

/* What was never stored reads as zeros without end: more numbers than the bytes stored can hold, packed as well as
 * deflate can, are none. */
static bool is_stored(const ws_hdf5_series *s)
{
    enum { NUMBERS_A_BYTE = 1100 };
    return s->n <= PIECE || s->n / NUMBERS_A_BYTE <= H5Dget_storage_size(s->dataset);
}

/* Numbers that lie in other files could be anybody's, and read as zeros where those files are missing. */
static bool lies_elsewhere(const ws_hdf5_series *s)
{
    hid_t create = H5Dget_create_plist(s->dataset);
    bool elsewhere = create >= 0 && (H5Pget_layout(create) == H5D_VIRTUAL || H5Pget_external_count(create) > 0);
    if (create >= 0)
        H5Pclose(create);
    return elsewhere;
}

/* Deflate alone or behind shuffle, as h5py writes it; anything else stays with HDF5. */
static bool has_known_filters(hid_t create, bool *shuffled)
{
    int n = H5Pget_nfilters(create);
    H5Z_filter_t filter[2] = {H5Z_FILTER_NONE, H5Z_FILTER_NONE};
    for (int i = 0; i < n && i < 2; i++) {
        unsigned flags, config;
        size_t n_values = 0;
        filter[i] = H5Pget_filter2(create, (unsigned)i, &flags, &n_values, NULL, 0, NULL, &config);
    }
    *shuffled = filter[0] == H5Z_FILTER_SHUFFLE;
    return (n == 1 || (n == 2 && *shuffled)) && filter[n - 1] == H5Z_FILTER_DEFLATE;
}

static void settle_chunks(ws_hdf5_series *s)
{
    hsize_t length = 0;
    hid_t create = H5Dget_create_plist(s->dataset);
    if (create < 0)
        return;
    if (H5Pget_layout(create) == H5D_CHUNKED && H5Pget_chunk(create, 1, &length) == 1 && length &&
        length <= LARGEST_CHUNK / s->type->size && has_known_filters(create, &s->shuffled))
        s->chunk = (size_t)length;
    H5Pclose(create);
}

/* An offset belongs to a vector in one piece. */
static void settle_place(ws_hdf5_series *s)
{
    haddr_t at = H5Dget_offset(s->dataset);
    if (at == HADDR_UNDEF)
        settle_chunks(s);
    else if (s->bytes && s->n <= (UINT64_MAX - at) / s->type->size &&
             H5Dget_storage_size(s->dataset) == s->n * s->type->size)
        s->at = at;
}

ws_hdf5_series *ws_hdf5_series_open(hid_t dataset, const ws_hdf5_bytes *bytes, ws_hdf5_buffers *buffers, uint64_t *n)
{
    ws_hdf5_series *s = ws_alloc(sizeof *s);
    *s = (ws_hdf5_series){.dataset = dataset, .bytes = bytes, .buffers = buffers, .at = NOWHERE, .at_chunk = NO_CHUNK};
    if (!settle_length(s) || !settle_type(s) || !is_stored(s) || lies_elsewhere(s)) {
        ws_hdf5_series_close(s);
        return NULL;
    }
    if (s->type)
        settle_place(s);
    *n = s->n;
    return s;
}

void ws_hdf5_series_close(ws_hdf5_series *s)
{
    H5Dclose(s->dataset);
    free(s->unpacked);
    free(s);
}

void ws_hdf5_buffers_free(ws_hdf5_buffers *buffers)
{
    if (buffers->inflate)
        libdeflate_free_decompressor(buffers->inflate);
    free(buffers->stored);
    free(buffers->packed);
    free(buffers->shuffled);
    *buffers = (ws_hdf5_buffers){0};
}

/* Chunks */

/* The chunk as it lies in the file; 0 where there is none, or none that all filters were applied to. */
static size_t fetch_packed(ws_hdf5_series *s, uint64_t chunk, size_t unpacked_size)
{
    ws_hdf5_buffers *b = s->buffers;
    hsize_t offset = chunk * s->chunk, size;
    uint32_t skipped_filters = 0;
    if (H5Dget_chunk_storage_size(s->dataset, &offset, &size) < 0 || !size || size > unpacked_size + PACKING_OVERHEAD)
        return 0;
    b->packed = ws_grow(b->packed, &b->packed_size, (size_t)size, 1);
    bool ok = H5Dread_chunk(s->dataset, H5P_DEFAULT, &offset, &skipped_filters, b->packed) >= 0;
    return ok && !skipped_filters ? (size_t)size : 0;
}

static bool unpack_chunk(ws_hdf5_series *s, uint64_t chunk)
{
    ws_hdf5_buffers *b = s->buffers;
    size_t size = s->chunk * s->type->size, packed = fetch_packed(s, chunk, size);
    if (!packed)
        return false;
    if (!b->inflate)
        b->inflate = libdeflate_alloc_decompressor();
    if (!s->unpacked)
        s->unpacked = ws_alloc(size);
    if (s->shuffled)
        b->shuffled = ws_grow(b->shuffled, &b->shuffled_size, size, 1);
    s->at_chunk = NO_CHUNK;
    if (!b->inflate ||
        libdeflate_zlib_decompress(b->inflate, b->packed, packed, s->shuffled ? b->shuffled : s->unpacked, size,
                                   NULL) != LIBDEFLATE_SUCCESS)
        return false;
    if (s->shuffled)
        ws_unshuffle(b->shuffled, s->unpacked, s->chunk, s->type->size);
    s->at_chunk = chunk;
    return true;
}

/* As many of the elements as lie in the chunk of the first one; 0 where HDF5 has to read them. */
static size_t read_from_chunk(ws_hdf5_series *s, uint64_t first, size_t count, double *value)
{
    if (!s->chunk)
        return 0;
    uint64_t chunk = first / s->chunk;
    if (chunk != s->at_chunk && !unpack_chunk(s, chunk))
        return 0;
    size_t from = (size_t)(first % s->chunk), n = s->chunk - from < count ? s->chunk - from : count;
    s->type->convert(s->unpacked + from * s->type->size, value, n);
    return n;
}

/* Reading by HDF5 */

static bool fetch_stored(const ws_hdf5_series *s, uint64_t first, size_t count, void *to)
{
    if (first == 0 && count == s->n)
        return H5Dread(s->dataset, s->memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
    hsize_t start = first, n = count;
    hid_t file_space = H5Dget_space(s->dataset), memory_space = H5Screate_simple(1, &n, NULL);
    bool ok = file_space >= 0 && memory_space >= 0 &&
              H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &start, NULL, &n, NULL) >= 0 &&
              H5Dread(s->dataset, s->memory_type, memory_space, file_space, H5P_DEFAULT, to) >= 0;
    if (file_space >= 0)
        H5Sclose(file_space);
    if (memory_space >= 0)
        H5Sclose(memory_space);
    return ok;
}

static bool is_double(const ws_hdf5_series *s)
{
    return !s->type || (s->type->is_float && s->type->size == sizeof(double));
}

/* Where up to PIECE numbers are put as they are stored: numbers that need no conversion go to the caller's place. */
static void *place_for_stored(ws_hdf5_series *s, double *value)
{
    ws_hdf5_buffers *b = s->buffers;
    if (is_double(s))
        return value;
    if (!b->stored)
        b->stored = ws_realloc(NULL, PIECE, sizeof(double));
    return b->stored;
}

/* One piece; 0 where the file is damaged. */
static size_t read_piece(ws_hdf5_series *s, uint64_t first, size_t count, double *value)
{
    size_t n = count < PIECE ? count : PIECE;
    void *stored = place_for_stored(s, value);
    bool in_place =
        s->at != NOWHERE && ws_hdf5_copy(s->bytes, s->at + first * s->type->size, stored, n * s->type->size);
    if (!in_place && !fetch_stored(s, first, n, stored))
        return 0;
    if (!is_double(s))
        s->type->convert(stored, value, n);
    return n;
}

bool ws_hdf5_series_read(ws_hdf5_series *s, uint64_t first, size_t count, double *value)
{
    while (count) {
        size_t n = read_from_chunk(s, first, count, value);
        if (!n)
            n = read_piece(s, first, count, value);
        if (!n)
            return false;
        first += n, count -= n, value += n;
    }
    return true;
}

static bool has_all_filters(hid_t create)
{
    bool has_all = true;
    int n = H5Pget_nfilters(create);
    for (int i = 0; i < n; i++) {
        unsigned flags, config;
        size_t n_values = 0;
        has_all &= H5Zfilter_avail(H5Pget_filter2(create, (unsigned)i, &flags, &n_values, NULL, 0, NULL, &config)) > 0;
    }
    return has_all;
}

bool ws_hdf5_series_lacks_filter(const ws_hdf5_series *s)
{
    hid_t create = H5Dget_create_plist(s->dataset);
    bool lacks = create >= 0 && !has_all_filters(create);
    if (create >= 0)
        H5Pclose(create);
    return lacks;
}
