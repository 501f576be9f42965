/* A group that is read without the library holds what the library lists and finds in it, whatever becomes of its bytes.
 */
#include "formats/hdf5/hdf5_group.h"
#include "formats/hdf5/hdf5_superblock.h"
#include "hdf5_image.h"

/* The uppermost group of a file with so many others in it: their names have two or four digits. */
static image fill_with_groups(hid_t file, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, i % 2 ? "n%02u" : "node%04u", i);
        H5Gclose(new_group(file, name));
    }
    return new_image(file);
}

static image file_of_groups(unsigned n)
{
    return fill_with_groups(new_file(), n);
}

/* Half of what a node and a leaf of its groups hold. */
static hid_t new_file_of_ranks(unsigned node, unsigned leaf)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_fapl_core(access, 1 << 20, false);
    H5Pset_sym_k(create, node, leaf);
    hid_t file = H5Fcreate("made", H5F_ACC_TRUNC, create, access);
    ck_assert(file >= 0);
    H5Pclose(create);
    H5Pclose(access);
    return file;
}

static bool read_root(const image *of, ws_hdf5_group *group)
{
    static ws_hdf5_header root;
    uint64_t address;
    ws_hdf5_blocks *blocks = blocks_of(of);
    bool is_read = ws_hdf5_superblock_read(blocks, &address, &root) &&
                   ws_hdf5_group_read(blocks, root.tree, root.heap, group) && !group->has_soft_links;
    free(blocks);
    return is_read;
}

typedef struct expected {
    const ws_hdf5_group *group;
    size_t n;
} expected;

static herr_t check_link(hid_t place, const char *name, const H5L_info_t *info, void *state)
{
    (void)place;
    expected *e = state;
    ck_assert_uint_lt(e->n, e->group->n);
    const ws_hdf5_link *link = &e->group->links[e->n++];
    ck_assert_str_eq(link->name, name);
    ck_assert_int_eq(info->type, H5L_TYPE_HARD);
    ck_assert_uint_eq(link->address, info->u.address);
    ck_assert(ws_hdf5_group_find(e->group, name) == link);
    return 0;
}

/* Was it read without the library? Then the library lists the same, and finds it by name. */
static bool check_root(const image *of)
{
    ws_hdf5_group group = {0};
    bool is_read = read_root(of, &group);
    if (is_read) {
        expected e = {.group = &group};
        hid_t file = open_image(of), root = file < 0 ? file : H5Gopen2(file, "/", H5P_DEFAULT);
        ck_assert(root >= 0);
        ck_assert(H5Literate(root, H5_INDEX_NAME, H5_ITER_INC, NULL, check_link, &e) >= 0);
        ck_assert_uint_eq(e.n, group.n);
        for (size_t i = 0; i < group.n; i++) {
            H5L_info_t info;
            ck_assert_msg(H5Lget_info(root, group.links[i].name, &info, H5P_DEFAULT) >= 0, "%s", group.links[i].name);
            ck_assert_uint_eq(info.u.address, group.links[i].address);
        }
        H5Gclose(root);
        H5Fclose(file);
    }
    ws_hdf5_group_free(&group);
    return is_read;
}

START_TEST(groups_of_every_size)
{
    /* 8 links fit into a leaf, 32 leaves, some of them half full, below a node */
    static const unsigned sizes[] = {0, 1, 8, 9, 100, 257, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        image made = file_of_groups(sizes[i]);
        ck_assert_msg(check_root(&made), "%u", sizes[i]);
        free(made.p);
    }
}
END_TEST

/* As in the files of synthetic campaigns; larger ones are left to the library. */
START_TEST(groups_of_small_nodes)
{
    static const unsigned sizes[] = {0, 1, 4, 5, 20, 100, 300};
    static const struct {
        unsigned node, leaf;
        bool is_read;
    } ranks[] = {{2, 2, true}, {4, 1, true}, {16, 2, true}, {2, 4, true}, {17, 4, false}, {16, 5, false}};
    for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            image made = fill_with_groups(new_file_of_ranks(ranks[r].node, ranks[r].leaf), sizes[i]);
            ck_assert_msg(check_root(&made) == ranks[r].is_read, "%zu: %u", r, sizes[i]);
            free(made.p);
        }
}
END_TEST

START_TEST(what_is_absent_is_not_found)
{
    static const char *const absent[] = {"", "m", "n", "n00", "n011", "node", "node0001", "node00000", "o"};
    ws_hdf5_group group = {0};
    image made = file_of_groups(20);
    ck_assert(read_root(&made, &group));
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        ck_assert_ptr_null(ws_hdf5_group_find(&group, absent[i]));
    ws_hdf5_group_free(&group);
    free(made.p);
}
END_TEST

static void add_soft_link(hid_t file)
{
    H5Lcreate_soft("/n01", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
}

static void add_external_link(hid_t file)
{
    H5Lcreate_external("elsewhere.hdf5", "/", file, "external", H5P_DEFAULT, H5P_DEFAULT);
}

START_TEST(other_links_are_left_to_the_library)
{
    static void (*const add[])(hid_t) = {add_soft_link, add_external_link};
    for (size_t i = 0; i < sizeof add / sizeof *add; i++) {
        hid_t file = new_file();
        H5Gclose(new_group(file, "n01"));
        add[i](file);
        image made = new_image(file);
        ck_assert(!check_root(&made));
        free(made.p);
    }
}
END_TEST

START_TEST(newer_files_are_left_to_the_library)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, false);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    image made = new_image(H5Fcreate("made", H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pclose(access);
    ck_assert(!check_root(&made));
    free(made.p);
}
END_TEST

/* Every bit of a small file, the objects in its group but not what lies in them. */
START_TEST(damage)
{
    image made = file_of_groups(11);
    size_t read_here = 0, left = 0;
    ck_assert(check_root(&made));
    for (size_t at = 0; at < made.n && at < 2400; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            flip(&made, at, 1U << bit);
            *(check_root(&made) ? &read_here : &left) += 1;
            flip(&made, at, 1U << bit);
        }
    }
    ck_assert_uint_gt(read_here, 0);
    ck_assert_uint_gt(left, 0);
    free(made.p);
}
END_TEST

static void start_without_reports(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

FIXTURE_MAIN("HDF5 groups", start_without_reports, NULL, groups_of_every_size, groups_of_small_nodes,
             what_is_absent_is_not_found, other_links_are_left_to_the_library, newer_files_are_left_to_the_library,
             damage)
