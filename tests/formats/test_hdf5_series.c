/* Vectors in an HDF5 file give the same numbers however they are stored, read whole and in pieces. */
#include "core/arena.h"
#include "formats/hdf5/library/hdf5_series.h"
#include "harness.h"

#include <string.h>

/* Longer than a piece of the reader, and no multiple of any chunk below. */
enum { N = 150001, CHUNK = 1000 };

typedef struct storage {
    const char *name;
    hsize_t chunk; /* 0: contiguous */
    bool shuffle, deflate, fletcher;
} storage;

static const storage storages[] = {
    {"contiguous", 0, false, false, false},
    {"chunked", CHUNK, false, false, false},
    {"deflate", CHUNK, false, true, false},
    {"shuffle and deflate", CHUNK, true, true, false},
    {"shuffle alone", CHUNK, true, false, false},
    {"deflate with a checksum", CHUNK, false, true, true},
    {"one chunk longer than the vector", N, true, true, false},
    {"small chunks", 97, true, true, false},
};

static hid_t new_file(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Pset_fapl_core(access, 1 << 20, false);
    hid_t file = H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    ck_assert(file >= 0);
    H5Pclose(access);
    return file;
}

static hid_t new_set(hid_t file, const storage *how, hid_t type, hsize_t n, const double *value)
{
    hsize_t unlimited = H5S_UNLIMITED;
    hid_t create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, how->chunk ? &unlimited : NULL);
    if (how->chunk)
        H5Pset_chunk(create, 1, &how->chunk);
    if (how->shuffle)
        H5Pset_shuffle(create);
    if (how->deflate)
        H5Pset_deflate(create, 4);
    if (how->fletcher)
        H5Pset_fletcher32(create);
    hid_t set = H5Dcreate2(file, how->name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    ck_assert_msg(set >= 0, "%s", how->name);
    if (value)
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    H5Sclose(space);
    H5Pclose(create);
    return set;
}

/* Whole numbers that every type holds, with all bytes of the wider ones in use. */
static double *invent(size_t n, double largest)
{
    double *value = ws_alloc(n * sizeof *value), at = 1;
    for (size_t i = 0; i < n; i++) {
        value[i] = at;
        at = fmod(at * 3 + 1, largest);
    }
    return value;
}

static void check_pieces(ws_hdf5_series *series, const double *value, size_t n, size_t piece, const char *what)
{
    double *got = ws_alloc(piece * sizeof *got);
    for (size_t first = 0; first < n; first += piece) {
        size_t count = n - first < piece ? n - first : piece;
        ck_assert_msg(ws_hdf5_series_read(series, first, count, got), "%s: elements from %zu", what, first);
        size_t same = 0;
        while (same < count && got[same] == value[first + same])
            same++;
        ck_assert_msg(same == count, "%s: element %zu is %.17g, not %.17g", what, first + same, got[same],
                      value[first + same]);
    }
    free(got);
}

/* The file as it would lie on disk, less its last bytes. */
static ws_hdf5_bytes bytes_of(hid_t file, size_t less)
{
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    size_t n = (size_t)H5Fget_file_image(file, NULL, 0);
    char *image = ws_alloc(n);
    ck_assert(H5Fget_file_image(file, image, n) > 0);
    return (ws_hdf5_bytes){.memory = {image, n - less}, .fd = -1};
}

/* Two series of one file share their buffers and are read in turns: one by HDF5 alone, one from the bytes of the file
 * where its numbers lie in one piece. */
static void check_set(hid_t file, const storage *how, hid_t type, double largest)
{
    double *value = invent(N, largest);
    ws_hdf5_buffers buffers = {0};
    uint64_t n[2];
    hid_t set = new_set(file, how, type, N, value), again = H5Dopen2(file, how->name, H5P_DEFAULT);
    ws_hdf5_bytes bytes = bytes_of(file, 0);
    ws_hdf5_series *one = ws_hdf5_series_open(set, NULL, &buffers, &n[0]);
    ws_hdf5_series *two = ws_hdf5_series_open(again, &bytes, &buffers, &n[1]);
    ck_assert_ptr_nonnull(one);
    ck_assert_ptr_nonnull(two);
    ck_assert_uint_eq(n[0], N);
    ck_assert_uint_eq(n[1], N);
    static const size_t pieces[] = {N, 64 * 1024, 777, 100000};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        check_pieces(one, value, N, pieces[i], how->name);
        check_pieces(two, value, N, pieces[i] + 1, how->name);
    }
    ws_hdf5_series_close(one);
    ws_hdf5_series_close(two);
    ws_hdf5_buffers_free(&buffers);
    H5Ldelete(file, how->name, H5P_DEFAULT);
    free((char *)bytes.memory.p);
    free(value);
}

START_TEST(test_storages)
{
    hid_t file = new_file();
    for (size_t i = 0; i < sizeof storages / sizeof *storages; i++) {
        check_set(file, &storages[i], H5T_IEEE_F32LE, 16777216);
        check_set(file, &storages[i], H5T_STD_U64LE, 9007199254740992.0 / 4);
    }
    H5Fclose(file);
}
END_TEST

START_TEST(test_types)
{
    struct {
        hid_t type;
        double largest;
    } types[] = {{H5T_IEEE_F32LE, 16777216},    {H5T_IEEE_F64LE, 1e15},       {H5T_STD_U32LE, 4294967296.0},
                 {H5T_STD_I32LE, 2147483648.0}, {H5T_STD_U64LE, 1e15},        {H5T_STD_I64LE, 1e15},
                 {H5T_STD_I8LE, 128},           {H5T_STD_U16LE, 65536},       {H5T_IEEE_F32BE, 16777216},
                 {H5T_STD_U64BE, 1e15},         {H5T_STD_I32BE, 2147483648.0}};
    static const storage packed = {"packed", CHUNK, true, true, false}, plain = {.name = "plain"};
    hid_t file = new_file();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        check_set(file, &packed, types[i].type, types[i].largest);
        check_set(file, &plain, types[i].type, types[i].largest);
    }
    H5Fclose(file);
}
END_TEST

/* Chunks that were never written hold the fill value, and one written by hand says that no filter was applied. */
START_TEST(test_odd_chunks)
{
    static const storage how = {"odd", CHUNK, true, true, false};
    double want[3 * CHUNK], stored[CHUNK];
    ws_hdf5_buffers buffers = {0};
    uint64_t n;
    hid_t file = new_file(), set = new_set(file, &how, H5T_IEEE_F64LE, 3 * CHUNK, NULL);
    for (size_t i = 0; i < CHUNK; i++) {
        want[i] = want[2 * CHUNK + i] = 0;
        want[CHUNK + i] = stored[i] = 0.5 + (double)i;
    }
    hsize_t offset = CHUNK;
    ck_assert(H5Dwrite_chunk(set, H5P_DEFAULT, 3, &offset, sizeof stored, stored) >= 0);
    ws_hdf5_series *series = ws_hdf5_series_open(set, NULL, &buffers, &n);
    ck_assert_ptr_nonnull(series);
    check_pieces(series, want, 3 * CHUNK, 3 * CHUNK, how.name);
    check_pieces(series, want, 3 * CHUNK, 300, how.name);
    ws_hdf5_series_close(series);
    ws_hdf5_buffers_free(&buffers);
    H5Fclose(file);
}
END_TEST

START_TEST(test_damaged_chunk)
{
    static const storage how = {"damaged", CHUNK, true, true, false};
    unsigned char noise[64];
    double value[CHUNK];
    ws_hdf5_buffers buffers = {0};
    uint64_t n;
    hid_t file = new_file(), set = new_set(file, &how, H5T_IEEE_F64LE, CHUNK, NULL);
    hsize_t offset = 0;
    memset(noise, 0x5a, sizeof noise);
    ck_assert(H5Dwrite_chunk(set, H5P_DEFAULT, 0, &offset, sizeof noise, noise) >= 0);
    ws_hdf5_series *series = ws_hdf5_series_open(set, NULL, &buffers, &n);
    ck_assert_ptr_nonnull(series);
    ck_assert(!ws_hdf5_series_read(series, 0, CHUNK, value));
    ws_hdf5_series_close(series);
    ws_hdf5_buffers_free(&buffers);
    H5Fclose(file);
}
END_TEST

/* Numbers in one piece are taken from the bytes of the file; where these end too early, HDF5 is asked. */
START_TEST(test_in_place)
{
    static const storage how = {.name = "plain"};
    double *value = invent(N, 1e15), one;
    ws_hdf5_buffers buffers = {0};
    uint64_t n;
    hid_t file = new_file(), set = new_set(file, &how, H5T_IEEE_F64LE, N, value);
    ws_hdf5_bytes bytes = bytes_of(file, 0), cut = bytes_of(file, sizeof *value * N / 2);
    size_t at = (size_t)H5Dget_offset(set);
    ck_assert_uint_eq(at + N * sizeof *value, bytes.memory.n);
    memcpy((char *)bytes.memory.p + at, &value[1], sizeof *value);
    hid_t again = H5Dopen2(file, how.name, H5P_DEFAULT);
    ws_hdf5_series *series = ws_hdf5_series_open(set, &bytes, &buffers, &n);
    ck_assert(ws_hdf5_series_read(series, 0, 1, &one));
    ck_assert(one == value[1]);
    ws_hdf5_series_close(series);
    series = ws_hdf5_series_open(again, &cut, &buffers, &n);
    check_pieces(series, value, N, 1000, "cut");
    ws_hdf5_series_close(series);
    ws_hdf5_buffers_free(&buffers);
    free((char *)bytes.memory.p);
    free((char *)cut.memory.p);
    free(value);
    H5Fclose(file);
}
END_TEST

START_TEST(test_no_vector)
{
    hsize_t sides[2] = {2, 3};
    ws_hdf5_buffers buffers = {0};
    uint64_t n = 7;
    hid_t file = new_file(), matrix = H5Screate_simple(2, sides, NULL), scalar = H5Screate(H5S_SCALAR);
    struct {
        const char *name;
        hid_t type, space;
    } odd[] = {{"matrix", H5T_IEEE_F64LE, matrix}, {"scalar", H5T_IEEE_F64LE, scalar}, {"text", H5T_C_S1, scalar}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        hid_t set = H5Dcreate2(file, odd[i].name, odd[i].type, odd[i].space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ck_assert(set >= 0);
        ck_assert_msg(!ws_hdf5_series_open(set, NULL, &buffers, &n), "%s", odd[i].name);
    }
    ck_assert_uint_eq(n, 7);
    H5Sclose(matrix);
    H5Sclose(scalar);
    H5Fclose(file);
}
END_TEST

START_TEST(test_lengths_that_are_not_stored)
{
    static const storage chunked = {.name = "chunked", .chunk = 64},
                         packed = {.name = "packed", .chunk = 64, .deflate = true};
    ws_hdf5_buffers buffers = {0};
    hid_t file = new_file();
    uint64_t n;
    ck_assert_ptr_null(
        ws_hdf5_series_open(new_set(file, &chunked, H5T_IEEE_F64LE, (hsize_t)1 << 50, NULL), NULL, &buffers, &n));
    ck_assert_ptr_null(
        ws_hdf5_series_open(new_set(file, &packed, H5T_STD_I8LE, (hsize_t)1 << 50, NULL), NULL, &buffers, &n));
    H5Fclose(file);
}
END_TEST

TEST_MAIN("hdf5 series", test_storages, test_types, test_odd_chunks, test_damaged_chunk, test_in_place, test_no_vector,
          test_lengths_that_are_not_stored)
