/* A header that is read without the library says what the library says, whatever becomes of its bytes. */
#include "formats/hdf5/hdf5_header.h"
#include "formats/hdf5/library/hdf5_native.h"
#include "formats/hdf5/library/hdf5_text.h"
#include "hdf5_image.h"

enum { READINGS = 100 };

/* As text: texts, numbers and rows of them; a truth value and a row of texts are none. */
static void check_attribute(const image *of, hid_t object, const ws_hdf5_attribute *a)
{
    ws_arena arena = {0};
    ws_hdf5_texts texts = {.bytes = &of->bytes};
    const char *text = NULL, *truth = ws_hdf5_text(&texts, object, ".", a->name, &arena);
    if (a->kind == WS_HDF5_NUMBER) {
        double *value = ws_alloc((size_t)a->n * sizeof *value);
        a->type->convert(a->value, value, (size_t)a->n);
        text = ws_hdf5_numbers_text(value, (size_t)a->n, &arena);
        free(value);
    } else if (a->kind == WS_HDF5_TEXT && a->n == 1) {
        text = ws_hdf5_referred_text(&texts, a->value, &arena);
    }
    ck_assert_msg(text == truth || (text && truth && strcmp(text, truth) == 0), "%s", a->name);
    ws_hdf5_texts_free(&texts);
    ws_arena_free(&arena);
}

static void check_vector(hid_t set, const ws_hdf5_header *header)
{
    ck_assert(set >= 0);
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t n;
    ck_assert_int_eq(H5Sget_simple_extent_ndims(space), 1);
    H5Sget_simple_extent_dims(space, &n, NULL);
    ck_assert_uint_eq(header->n, n);
    ck_assert_uint_eq(header->at, H5Dget_offset(set));
    ck_assert(header->type == ws_hdf5_number_type_of(type));
    H5Tclose(type);
    H5Sclose(space);
}

/* Was it read without the library? Then as the library reads it, which has the same attributes and no others. */
static bool check_header(const image *of, haddr_t address)
{
    static ws_hdf5_header header;
    ws_hdf5_blocks *blocks = blocks_of(of);
    bool is_read = ws_hdf5_header_read(blocks, address, &header);
    free(blocks);
    if (!is_read)
        return false;
    hid_t file = open_image(of), object = file < 0 ? -1 : H5Oopen_by_addr(file, address);
    H5O_info_t about;
    ck_assert_int_eq(H5Iget_type(object), header.is_group ? H5I_GROUP : H5I_DATASET);
    if (!header.is_group)
        check_vector(object, &header);
    ck_assert(H5Oget_info2(object, &about, H5O_INFO_NUM_ATTRS) >= 0);
    ck_assert_uint_eq(header.n_attributes, about.num_attrs);
    for (size_t i = 0; i < header.n_attributes; i++)
        if (ws_hdf5_header_attribute(&header, header.attributes[i].name) == &header.attributes[i])
            check_attribute(of, object, &header.attributes[i]);
    H5Oclose(object);
    H5Fclose(file);
    return true;
}

/* A data set of that type with attributes of every kind that perun writes; one more than fit into the first block. */
static haddr_t add_set(hid_t file, const char *name, hid_t type, hid_t create)
{
    static const double value[READINGS] = {1, 2.5, 3};
    static const char *const numbers[] = {"mag", "valid_min", "valid_max", "fill"};
    hsize_t n = READINGS;
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    ck_assert(set >= 0);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    set_text(set, "unit", "W");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        set_number(set, numbers[i], 0.001 * (double)(i + 1));
    H5O_info_t about;
    ck_assert(H5Oget_info2(set, &about, H5O_INFO_BASIC) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    return about.addr;
}

START_TEST(test_every_type)
{
    const hid_t types[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_U32LE, H5T_STD_I64LE,
                           H5T_STD_U64LE,  H5T_IEEE_F64BE, H5T_STD_I16LE, H5T_STD_U64BE};
    enum { TYPES = sizeof types / sizeof *types, READ_HERE = 6 };
    haddr_t address[TYPES];
    hid_t file = new_file();
    for (size_t i = 0; i < TYPES; i++)
        address[i] = add_set(file, (const char[]){(char)('a' + i), '\0'}, types[i], H5P_DEFAULT);
    image made = new_image(file);
    for (size_t i = 0; i < TYPES; i++)
        ck_assert_int_eq(check_header(&made, address[i]), i < READ_HERE);
    free(made.p);
}
END_TEST

START_TEST(test_others_are_left_to_the_library)
{
    hid_t file = new_file(), chunked = H5Pcreate(H5P_DATASET_CREATE), filled = H5Pcreate(H5P_DATASET_CREATE),
          compact = H5Pcreate(H5P_DATASET_CREATE);
    const double one = 1;
    H5Pset_chunk(chunked, 1, (const hsize_t[]){10});
    H5Pset_fill_value(filled, H5T_NATIVE_DOUBLE, &one);
    H5Pset_layout(compact, H5D_COMPACT);
    const haddr_t address[] = {add_set(file, "chunked", H5T_IEEE_F64LE, chunked),
                               add_set(file, "filled", H5T_IEEE_F64LE, filled),
                               add_set(file, "compact", H5T_IEEE_F64LE, compact),
                               0,
                               1,
                               UINT64_MAX};
    H5Pclose(chunked);
    H5Pclose(filled);
    H5Pclose(compact);
    image made = new_image(file);
    for (size_t i = 0; i < sizeof address / sizeof *address; i++)
        ck_assert(!check_header(&made, address[i]));
    free(made.p);
}
END_TEST

static void set_truth(hid_t place, const char *name)
{
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tenum_create(H5T_STD_I8LE);
    const int8_t no = 0, yes = 1;
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    hid_t attribute = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &yes);
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
}

/* A group with attributes of every kind, in more blocks than one. */
static haddr_t add_group(hid_t file, const char *name)
{
    hid_t group = new_group(file, name);
    set_number(group, "type", 4);
    set_integers(group, "mpi_ranks", (const int64_t[]){0, 1, 2, 3}, 4);
    set_truth(group, "processed");
    for (char key[] = "a"; *key <= 'z'; ++*key)
        set_text(group, key, "a setting");
    H5O_info_t about;
    ck_assert(H5Oget_info2(group, &about, H5O_INFO_BASIC) >= 0);
    H5Gclose(group);
    return about.addr;
}

/* Every bit of the header, and of where it goes on, in turn. */
static void check_damage(hid_t file, haddr_t address)
{
    enum { AROUND = 1200 };
    image made = new_image(file);
    ck_assert(check_header(&made, address));
    size_t read_here = 0, left = 0;
    for (size_t at = (size_t)address; at < made.n && at < address + AROUND; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            flip(&made, at, 1U << bit);
            if (check_header(&made, address))
                read_here++;
            else
                left++;
            flip(&made, at, 1U << bit);
        }
    }
    ck_assert_uint_gt(read_here, 0);
    ck_assert_uint_gt(left, 0);
    free(made.p);
}

START_TEST(test_damage)
{
    hid_t file = new_file();
    haddr_t vector = add_set(file, "values", H5T_IEEE_F32LE, H5P_DEFAULT);
    check_damage(file, vector);
    file = new_file();
    haddr_t group = add_group(file, "host");
    check_damage(file, group);
}
END_TEST

/* Each object of a file of perun's is. */
static herr_t check_read_here(hid_t file, const char *name, const H5O_info_t *info, void *state)
{
    (void)file;
    ck_assert_msg(check_header(state, info->addr), "%s", name);
    return 0;
}

START_TEST(test_files_of_perun)
{
    static const char *const files[] = {"a_single_node/perun.hdf5", "c_v040/perun.hdf5", "c_v0810/perun.hdf5",
                                        "d_real_monitor/sleepapp.hdf5"};
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/fixtures/perun/%s", getenv("CORPUS"), files[i]);
        ws_input *input;
        ws_span bytes;
        ck_assert_int_eq(ws_input_open(&input, path, NULL), WS_OK);
        ck_assert_int_eq(ws_input_read_all(input, IMAGE_LIMIT, &bytes, NULL), WS_OK);
        image of = {{bytes, -1, 0}, (char *)bytes.p, bytes.n};
        hid_t file = open_image(&of);
        ck_assert_msg(file >= 0, "%s", path);
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, check_read_here, &of, H5O_INFO_BASIC);
        H5Fclose(file);
        ws_input_close(input);
    }
}
END_TEST

static void start_without_reports(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    ck_assert(ws_hdf5_text_init());
}

FIXTURE_MAIN("HDF5 headers", start_without_reports, NULL, test_every_type, test_others_are_left_to_the_library,
             test_damage, test_files_of_perun)
