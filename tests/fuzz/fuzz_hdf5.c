/* The reader of perun's HDF5 files on files of any shape: the bytes of the input choose names, types, ranks, sizes and
 * links of a tree that libhdf5 itself writes, so that the file is sound and only its content is odd. What is read
 * without the library is held against what the library reads; then bytes are damaged, for the reader without it alone
 * (libhdf5 1.10 reads beyond damaged attributes by itself).
 *
 * Built with -fsanitize=fuzzer it is a libFuzzer target; tests/formats/test_perun_shapes.c replays made inputs. */
#include "analyze/measure/measure.h"
#include "core/arena.h"
#include "formats/hdf5/library/perun_hdf5_library.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { DEEPEST = 9, MOST_OBJECTS = 200 };

typedef struct shaper {
    const uint8_t *bytes;
    size_t left, objects;
    hid_t file;
} shaper;

static unsigned choose(shaper *s, unsigned n)
{
    if (!s->left)
        return 0;
    s->left--;
    return *s->bytes++ % n;
}

static const char *choose_name(shaper *s)
{
    static const char *const names[] = {"nodes",
                                        "metrics",
                                        "raw_data",
                                        "timesteps",
                                        "values",
                                        "alt_values",
                                        "regions",
                                        "perun",
                                        "0",
                                        "n1",
                                        "gpu",
                                        "cpu",
                                        "CUDA:0_POWER",
                                        "cpu_0_package-0",
                                        "ram_0_dram",
                                        "CPU_USAGE_1",
                                        "power",
                                        "type",
                                        "unit",
                                        "mag",
                                        "valid_max",
                                        "app_name",
                                        "perun_version",
                                        "pue",
                                        "value",
                                        "mean",
                                        "start",
                                        "written",
                                        "runtime_s",
                                        "sampling_rate",
                                        "failed",
                                        "uuid",
                                        "name",
                                        "mpi_ranks",
                                        "execution_dt"};
    return names[choose(s, sizeof names / sizeof *names)];
}

static hid_t choose_type(shaper *s)
{
    hid_t type;
    switch (choose(s, 8)) {
    case 0:
    case 1:
        return H5Tcopy(H5T_IEEE_F64LE);
    case 2:
        return H5Tcopy(H5T_IEEE_F32BE);
    case 3:
        return H5Tcopy(H5T_STD_U64LE);
    case 4:
        return H5Tcopy(H5T_STD_I8LE);
    case 5:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 1 + choose(s, 40));
        return type;
    case 6:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    default:
        type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "a", 0, H5T_IEEE_F64LE);
        H5Tinsert(type, "b", 8, H5T_STD_I64LE);
        return type;
    }
}

/* Scalar, empty, or of up to three dimensions; one in some is absurdly long. */
static hid_t choose_space(shaper *s, bool *is_huge)
{
    hsize_t sizes[3] = {choose(s, 7), choose(s, 4), choose(s, 3)};
    unsigned kind = choose(s, 8);
    *is_huge = kind == 7;
    if (kind < 2)
        return H5Screate(kind ? H5S_NULL : H5S_SCALAR);
    if (*is_huge)
        sizes[0] = (hsize_t)1 << (20 + choose(s, 43));
    return H5Screate_simple(kind < 6 || *is_huge ? 1 : 3, sizes, NULL);
}

/* Fixed bytes of the input stand in the cells; texts of variable length are left as they were created. */
static void write_cells(shaper *s, hid_t set, hid_t type, hid_t space)
{
    static uint8_t cells[8192];
    hssize_t points = H5Sget_simple_extent_npoints(space);
    if (points <= 0 || points > 512 || (size_t)points * H5Tget_size(type) > sizeof cells ||
        H5Tis_variable_str(type) > 0)
        return;
    for (size_t i = 0; i < sizeof cells; i++)
        cells[i] = (uint8_t)choose(s, 256);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
}

static void add_dataset(shaper *s, hid_t place, const char *name)
{
    bool is_huge;
    hid_t type = choose_type(s), space = choose_space(s, &is_huge), create = H5Pcreate(H5P_DATASET_CREATE);
    int rank = H5Sget_simple_extent_ndims(space);
    hsize_t chunk[3] = {1 + choose(s, 64), 1, 1};
    if (rank > 0 && (is_huge || choose(s, 2))) {
        H5Pset_chunk(create, rank, chunk);
        if (choose(s, 2))
            H5Pset_deflate(create, 1);
    }
    hid_t set = H5Dcreate2(place, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    if (set >= 0) {
        write_cells(s, set, type, space);
        H5Dclose(set);
    }
    H5Pclose(create);
    H5Sclose(space);
    H5Tclose(type);
}

static void add_attribute(shaper *s, hid_t place, const char *name)
{
    static const char *const texts[] = {"W", "J", "s", "B", "Hz", "%", "", "no unit", "0.8.10", "2026-02-11T08:00:00"};
    bool is_huge;
    hid_t type = choose_type(s), space = choose_space(s, &is_huge);
    hid_t attribute = is_huge ? -1 : H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char *text[7 * 4 * 3];
    double numbers[2 * 7 * 4 * 3];
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        text[i] = texts[choose(s, sizeof texts / sizeof *texts)];
        numbers[2 * i] = numbers[2 * i + 1] = (double)choose(s, 7) - 1;
    }
    if (attribute >= 0) {
        if (H5Tis_variable_str(type) > 0)
            H5Awrite(attribute, type, text);
        else if (H5Tget_class(type) != H5T_STRING)
            H5Awrite(attribute, H5Tget_class(type) == H5T_COMPOUND ? type : H5T_NATIVE_DOUBLE, numbers);
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void fill_group(shaper *s, hid_t group, int depth);

static void add_group(shaper *s, hid_t place, const char *name, int depth)
{
    hid_t group = H5Gcreate2(place, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0)
        return;
    fill_group(s, group, depth + 1);
    H5Gclose(group);
}

static void fill_group(shaper *s, hid_t group, int depth)
{
    for (unsigned k = 1 + choose(s, 6); k && s->left && depth < DEEPEST && s->objects++ < MOST_OBJECTS; k--) {
        const char *name = choose_name(s);
        switch (choose(s, 10)) {
        case 0: /* back to the top: a cycle */
            H5Lcreate_hard(s->file, "/", group, name, H5P_DEFAULT, H5P_DEFAULT);
            break;
        case 1:
            H5Lcreate_soft(choose(s, 2) ? "/nowhere" : ".", group, name, H5P_DEFAULT, H5P_DEFAULT);
            break;
        case 2:
            H5Lcreate_external("/dev/zero", "/", group, name, H5P_DEFAULT, H5P_DEFAULT);
            break;
        case 3:
        case 4:
            add_attribute(s, group, name);
            break;
        case 5:
        case 6:
            add_dataset(s, group, name);
            break;
        default:
            add_group(s, group, name, depth);
        }
    }
}

/* A sensor as perun writes it, below which anything may stand. */
static void add_perun_tree(shaper *s)
{
    static const char *const path[] = {"perun", "nodes/7", "nodes/0", "nodes/n1", "nodes/gpu", "nodes/CUDA:0_POWER"};
    hid_t place = H5Gopen2(s->file, "/", H5P_DEFAULT), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    for (size_t depth = 0; depth < sizeof path / sizeof *path; depth++) {
        hid_t next = H5Gcreate2(place, path[depth], links, H5P_DEFAULT, H5P_DEFAULT);
        H5Gclose(place);
        place = next;
        double type = (double)depth + 1;
        hid_t space = H5Screate(H5S_SCALAR);
        hid_t attribute = H5Acreate2(place, "type", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, &type);
        H5Aclose(attribute);
        H5Sclose(space);
        fill_group(s, place, 6);
    }
    add_group(s, place, "raw_data", 6);
    hid_t raw = H5Gopen2(place, "raw_data", H5P_DEFAULT);
    for (int i = 0; i < 2 && raw >= 0; i++)
        add_dataset(s, raw, i ? "values" : "timesteps");
    if (raw >= 0)
        H5Gclose(raw);
    H5Gclose(place);
    H5Pclose(links);
}

static char *make_image(const uint8_t *bytes, size_t n, size_t *size)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, false);
    shaper s = {bytes, n, 0, H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access)};
    H5Pclose(access);
    if (choose(&s, 4))
        add_perun_tree(&s);
    hid_t root = H5Gopen2(s.file, "/", H5P_DEFAULT);
    fill_group(&s, root, 0);
    H5Gclose(root);
    H5Fflush(s.file, H5F_SCOPE_GLOBAL);
    *size = (size_t)H5Fget_file_image(s.file, NULL, 0);
    char *image = ws_alloc(*size);
    H5Fget_file_image(s.file, image, *size);
    H5Fclose(s.file);
    return image;
}

/* All that is said of a file, in one number. */
typedef struct digest {
    uint64_t hash;
    int channels;
} digest;

static void add_bytes(digest *d, const void *p, size_t n)
{
    for (const unsigned char *byte = p; n--; byte++)
        d->hash = (d->hash ^ *byte) * UINT64_C(1099511628211);
}

static void add_text(digest *d, const char *text)
{
    add_bytes(d, text ? text : "", text ? strlen(text) + 1 : 1);
}

static ws_status digest_channel(void *state, const ws_channel *channel, int *id, ws_error *error)
{
    (void)error;
    digest *d = state;
    const char *const texts[] = {channel->run, channel->node, channel->device, channel->column};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(d, texts[i]);
    add_bytes(d, &channel->quantity, sizeof channel->quantity);
    add_bytes(d, &channel->counter_range_j, sizeof channel->counter_range_j);
    *id = d->channels++;
    return WS_OK;
}

static ws_status digest_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    add_bytes(state, &id, sizeof id);
    add_bytes(state, block->t_ns, block->n * sizeof *block->t_ns);
    add_bytes(state, block->value, block->n * sizeof *block->value);
    return WS_OK;
}

static void digest_fact(void *state, const ws_fact *fact)
{
    add_text(state, fact->device);
    add_text(state, fact->key);
    add_text(state, fact->text);
    add_bytes(state, &fact->number, sizeof fact->number);
}

typedef enum reader { BY_ITSELF, BY_LIBRARY } reader;

/* False where the file is left to the library. */
static bool digest_file(const char *image, size_t size, reader by, digest *d)
{
    ws_notes notes = {0};
    ws_error error = {0};
    ws_status status = WS_OK;
    *d = (digest){0};
    ws_perun_hdf5_file file = {"made.hdf5", {{image, size}, -1, 0}, ws_perun_samples_new(), &notes};
    ws_sink sink = {
        .state = d, .channel = digest_channel, .block = digest_block, .fact = digest_fact, .every_fact = true};
    bool done = by == BY_LIBRARY || ws_perun_hdf5_read_plain(&file, &sink, &status, &error);
    if (by == BY_LIBRARY)
        status = ws_perun_hdf5_read(&file, &sink, &error);
    for (size_t i = 0; i < notes.n; i++)
        add_text(d, notes.items[i].text);
    add_bytes(d, &status, sizeof status);
    add_text(d, status == WS_OK ? "" : error.message);
    ws_perun_samples_free(file.samples);
    ws_notes_free(&notes);
    return done;
}

static void compare_readers(const char *image, size_t size)
{
    digest without, with;
    if (!digest_file(image, size, BY_ITSELF, &without))
        return;
    digest_file(image, size, BY_LIBRARY, &with);
    if (without.hash != with.hash) {
        fprintf(stderr, "the library reads something else\n");
        abort();
    }
}

/* Each pair of bytes sets one somewhere. */
static void read_damaged(char *image, size_t size, const uint8_t *bytes, size_t n)
{
    digest d;
    size_t at = 0;
    for (size_t i = 0; i + 1 < n && i < 64; i += 2) {
        at = (at * 257 + bytes[i] * 8 + i) % size;
        image[at] = (char)bytes[i + 1];
        digest_file(image, size, BY_ITSELF, &d);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    size_t size;
    ws_measure measure;
    ws_notes notes = {0};
    ws_error error = {0};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    char *image = make_image(bytes, n, &size);
    ws_measure_init(&measure, &(ws_measure_options){.all_channels = true, .every_fact = true});
    ws_measure_begin(&measure, "made.hdf5", "");
    ws_sink sink = ws_measure_sink(&measure);
    ws_perun_hdf5_file file = {"made.hdf5", {{image, size}, -1, 0}, ws_perun_samples_new(), &notes};
    ws_status status = WS_OK;
    if (!ws_perun_hdf5_read_plain(&file, &sink, &status, &error))
        status = ws_perun_hdf5_read(&file, &sink, &error); /* as the child reads it, where the sanitizers see it */
    ws_perun_samples_free(file.samples);
    if (status != WS_OK && !error.message[0]) {
        fprintf(stderr, "perun-hdf5 failed without a message\n");
        abort();
    }
    ws_measure_finish(&measure, &notes);
    ws_measure_free(&measure);
    ws_notes_free(&notes);
    compare_readers(image, size);
    read_damaged(image, size, bytes, n);
    free(image);
    return 0;
}
