/* perun's HDF5 files that are cut, damaged or no such files. */
#include "note_named.h"

#include "made_perun.h"

enum { LEFT_OUT_FILTER = 300 };

START_TEST(links_out_of_the_tree_are_not_followed)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
    hid_t nodes = H5Gopen2(gpus, "nodes", H5P_DEFAULT);
    H5Lcreate_external("elsewhere.hdf5", "/perun", nodes, "CUDA:1_POWER", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/perun", nodes, "CUDA:2_POWER", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(gpus, ".", nodes, "CUDA:3_POWER", H5P_DEFAULT, H5P_DEFAULT); /* holds itself */
    H5Gclose(nodes);
    H5Gclose(gpus);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    ck_assert_uint_eq(r.n, 1);
    recorder_free(&r);
}
END_TEST

/* A sensor whose time steps are a soft link; its stamps, or fewer where the link is not followed. */
static size_t read_linked(const char *target)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
    hid_t sensor = new_node(gpus, "CUDA:1_POWER", 6);
    new_vector(sensor, "values", watts, 4, "W", 1);
    hid_t raw_data = H5Gopen2(sensor, "raw_data", H5P_DEFAULT);
    H5Lcreate_soft(target, raw_data, "timesteps", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/perun", file, "round", H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(raw_data);
    H5Gclose(sensor);
    H5Gclose(gpus);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    ck_assert_uint_eq(recorder_find(&r, "gpu0", NULL)->n, 4);
    const recorded *linked = recorder_find(&r, "gpu1", NULL);
    ck_assert_ptr_nonnull(linked);
    ck_assert((ws_notes_find(&r.notes, WS_FINDING_NO_READINGS) == NULL) == (linked->n == 4));
    if (linked->n)
        ck_assert_int_eq(linked->t_ns[2], INT64_C(2500000000));
    size_t n = linked->n;
    recorder_free(&r);
    return n;
}

START_TEST(time_steps_may_be_shared_by_a_link)
{
#define STEPS "nodes/7/nodes/0/nodes/n1/nodes/gpu/nodes/CUDA:0_POWER/raw_data/timesteps"
    ck_assert_uint_eq(read_linked("/perun/" STEPS), 4);
    ck_assert_uint_eq(read_linked("/round/" STEPS), 0); /* by way of another link */
    ck_assert_uint_eq(read_linked("timesteps"), 0);
    ck_assert_uint_eq(read_linked("/perun"), 0);
    ck_assert_uint_eq(read_linked("/nowhere"), 0);
    ck_assert_uint_eq(read_linked("/"), 0);
}
END_TEST

/* Of four powers at CUDA:0. */
static ws_status read_stored_as(recorder *r, hid_t create, const double *value)
{
    hid_t file = new_file(), gpus = new_device_group(file, "gpu"), sensor = new_node(gpus, "CUDA:0_POWER", 6);
    new_vector(sensor, "timesteps", stamps, 4, "s", 1);
    new_vector_as(create, sensor, "values", value, 4, "W", 1);
    H5Pclose(create);
    H5Gclose(sensor);
    H5Gclose(gpus);
    size_t n;
    char *image = image_of(file, &n);
    H5Zunregister(LEFT_OUT_FILTER);
    ws_status status = read_image(r, image, n);
    free(image);
    return status;
}

/* They could be anybody's, a pipe that nobody writes to among them. */
START_TEST(numbers_in_other_files_are_not_read)
{
    recorder r = {0};
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(create, "/dev/zero", 0, 4 * sizeof(double));
    ck_assert_int_eq(read_stored_as(&r, create, NULL), WS_OK);
    ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_NO_READINGS));
    ck_assert_uint_eq(recorder_find(&r, "gpu0", NULL)->n, 0);
    recorder_free(&r);
}
END_TEST

static size_t leave_as_it_is(unsigned flags, size_t n_values, const unsigned *values, size_t n, size_t *size,
                             void **bytes)
{
    (void)flags, (void)n_values, (void)values, (void)size, (void)bytes;
    return n;
}

START_TEST(a_filter_that_the_library_lacks_is_no_damage)
{
    static const H5Z_class2_t filter = {.version = H5Z_CLASS_T_VERS,
                                        .id = LEFT_OUT_FILTER,
                                        .encoder_present = 1,
                                        .decoder_present = 1,
                                        .name = "left out",
                                        .filter = leave_as_it_is};
    recorder r = {0};
    hsize_t chunk = 4;
    ck_assert(H5Zregister(&filter) >= 0);
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_filter(create, LEFT_OUT_FILTER, 0, 0, NULL);
    ck_assert_int_eq(read_stored_as(&r, create, watts), WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.error.message, "h5repack"));
    recorder_free(&r);
}
END_TEST

/* What opens at `path` loses its header. */
static ws_status read_damaged(recorder *r, hid_t file, const char *path)
{
    H5O_info_t info;
    ck_assert(H5Oget_info_by_name(file, path, &info, H5P_DEFAULT) >= 0);
    size_t n;
    char *image = image_of(file, &n);
    memset(image + info.addr, 0xff, 16);
    ws_status status = read_image(r, image, n);
    free(image);
    return status;
}

START_TEST(what_is_lost_to_damage_is_named)
{
    static const struct {
        const char *path, *code, *subject;
        bool keeps_gpu1; /* as a device without a sample */
    } damages[] = {
        {"/perun/nodes/7/nodes/0/nodes/n1/nodes/gpu/nodes/CUDA:1_POWER", "damaged-object", "CUDA:1_POWER", true},
        {"/perun/nodes/7/nodes/0/nodes/n1/nodes/gpu/nodes/CUDA:1_POWER/raw_data", "no-readings", "CUDA:1_POWER", true},
        {"/perun/nodes/7/nodes/0/nodes/n1/nodes/gpu/nodes/CUDA:1_POWER/raw_data/values", "no-readings", "CUDA:1_POWER",
         true},
        {"/perun/nodes/7/nodes/0/nodes/n1/nodes/cpu", "damaged-object", "cpu", false},
        {"/perun/nodes/7/nodes/0/nodes/n2", "damaged-object", "n2", false},
        {"/perun/nodes/7/nodes/0/nodes/n2/nodes", "damaged-object", "", false},
    };
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        recorder r = {0};
        hid_t file = new_file(), gpus = new_device_group(file, "gpu");
        H5Gclose(new_node(file, "perun/nodes/7/nodes/0/nodes/n1/nodes/cpu", 1));
        H5Gclose(new_node(file, "perun/nodes/7/nodes/0/nodes/n2", 1));
        new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
        new_sensor(gpus, "CUDA:1_POWER", stamps, 4, watts, 4, "W", 1);
        H5Gclose(gpus);
        ck_assert_int_eq(read_damaged(&r, file, damages[d].path), WS_OK);
        const ws_note *note = note_named(&r.notes, damages[d].code);
        ck_assert_msg(note != NULL, "%s: no note", damages[d].path);
        ck_assert_str_eq(note->subject, damages[d].subject);
        ck_assert_uint_eq(recorder_find(&r, "gpu0", NULL)->n, 4);
        const recorded *c = recorder_find(&r, "gpu1", NULL);
        ck_assert_ptr_nonnull(c);
        ck_assert_uint_eq(c->n, damages[d].keeps_gpu1 ? 0 : 4);
        ck_assert_int_eq(c->channel.rule, WS_RULE_TRAPEZOID);
        recorder_free(&r);
    }
}
END_TEST

/* The index of a group, where it begins no sooner than it ends: names can be listed still, and none is found. */
START_TEST(vectors_that_cannot_be_looked_up_are_lost)
{
    enum { INDEX_IN_HEADER = 24, FIRST_KEY = 24, LAST_KEY = 40, KEY = 8 };
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
    H5O_info_t info;
    ck_assert(H5Oget_info_by_name(gpus, "nodes/CUDA:0_POWER/raw_data", &info, H5P_DEFAULT) >= 0);
    H5Gclose(gpus);
    size_t n;
    uint64_t index;
    char *image = image_of(file, &n);
    memcpy(&index, image + info.addr + INDEX_IN_HEADER, sizeof index);
    ck_assert(index < n - LAST_KEY - KEY && memcmp(image + index, "TREE", 4) == 0);
    memcpy(image + index + FIRST_KEY, image + index + LAST_KEY, KEY);
    ck_assert_int_eq(read_image(&r, image, n), WS_OK);
    ck_assert_str_eq(ws_notes_find(&r.notes, WS_FINDING_NO_READINGS)->subject, "CUDA:0_POWER");
    ck_assert_uint_eq(recorder_find(&r, "gpu0", NULL)->n, 0);
    free(image);
    recorder_free(&r);
}
END_TEST

/* Texts of variable length are objects of heaps: 16 bytes of heap, then number, references, zero and size of the first.
 */
START_TEST(damaged_texts_are_missing_and_harm_nothing)
{
    static const struct {
        size_t at;
        char byte;
    } damages[] = {{16, 0}, {24, '\x7f'}, {28, '\x7f'}, {31, '\xff'}, {12, '\x7f'}, {3, 'X'}};
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        recorder r = {0};
        hid_t file = new_file(), gpus = new_device_group(file, "gpu");
        new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
        H5Gclose(gpus);
        size_t n, heaps = 0;
        char *image = image_of(file, &n);
        for (size_t i = 0; i + 64 < n; i++) {
            if (memcmp(image + i, "GCOL\1\0\0", 7) == 0) {
                image[i + damages[d].at] = damages[d].byte;
                heaps++;
            }
        }
        ck_assert_uint_gt(heaps, 0);
        ck_assert_int_eq(read_image(&r, image, n), WS_OK);
        ck_assert_uint_eq(r.n, 1);
        ck_assert_int_eq(r.channels[0].channel.quantity, WS_OTHER_VALUE);
        ck_assert_str_eq(ws_notes_find(&r.notes, WS_FINDING_NO_UNIT)->subject, "CUDA:0_POWER");
        free(image);
        recorder_free(&r);
    }
}
END_TEST

static void make_magnitude_an_integer(hid_t devices, const char *values)
{
    const int64_t one = 1;
    hid_t scalar = H5Screate(H5S_SCALAR);
    ck_assert_int_ge(H5Adelete_by_name(devices, values, "mag", H5P_DEFAULT), 0);
    hid_t magnitude =
        H5Acreate_by_name(devices, values, "mag", H5T_STD_I64LE, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(H5Awrite(magnitude, H5T_NATIVE_INT64, &one), 0);
    H5Aclose(magnitude);
    H5Sclose(scalar);
}

/* An integer of eight bytes that claims 576 bits, or to begin at bit 512; the library would write beyond its own
 * buffer. */
START_TEST(numbers_larger_than_their_bytes_are_none)
{
    static const char integer[] = {0x10, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0};
    static const size_t damaged[] = {9, 11};
    for (size_t d = 0; d < sizeof damaged / sizeof *damaged; d++) {
        recorder r = {0};
        hid_t file = new_file(), gpus = new_device_group(file, "gpu");
        new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
        make_magnitude_an_integer(gpus, "nodes/CUDA:0_POWER/raw_data/values");
        H5Gclose(gpus);
        size_t n, found = 0;
        char *image = image_of(file, &n);
        for (size_t i = 0; i + sizeof integer <= n; i++) {
            if (memcmp(image + i, integer, sizeof integer) == 0) {
                image[i + damaged[d]] = 2;
                found++;
            }
        }
        ck_assert_uint_eq(found, 1);
        ck_assert_int_eq(read_image(&r, image, n), WS_OK);
        ck_assert_uint_eq(r.n, 1);
        free(image);
        recorder_free(&r);
    }
}
END_TEST

/* The first eight bytes of a gap among names are the place of the next; the library follows them without a count. */
START_TEST(a_heap_whose_gaps_go_in_circles_cannot_be_read)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
    H5Gclose(gpus);
    size_t n, circles = 0;
    char *image = image_of(file, &n);
    for (size_t i = 0; i + 32 <= n; i++) {
        uint64_t gap, names;
        if (memcmp(image + i, "HEAP\0\0\0\0", 8) != 0)
            continue;
        memcpy(&gap, image + i + 16, sizeof gap);
        memcpy(&names, image + i + 24, sizeof names);
        if (gap == 1)
            continue;
        memcpy(image + names + gap, &gap, sizeof gap);
        circles++;
    }
    ck_assert_uint_gt(circles, 0);
    ck_assert_int_eq(read_image(&r, image, n), WS_FORMAT);
    free(image);
    recorder_free(&r);
}
END_TEST

/* Two GPUs, a device that measures no power, and a CPU of which perun keeps the counter and the power derived from it.
 */
static char *image_of_a_host(size_t *n)
{
    static const double counter[] = {100, 150, 165, 200}, power[] = {50, 50, 10, 12};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    set_text(gpus, "device_type", "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
    new_sensor(gpus, "CUDA:1_POWER", stamps, 4, watts, 4, "W", 1);
    new_sensor(gpus, "CUDA:1_MEM", stamps, 4, watts, 4, "B", 1);
    H5Gclose(gpus);
    hid_t host = H5Gopen2(file, "/perun/nodes/7/nodes/0/nodes/n1", H5P_DEFAULT), cpus = new_node(host, "cpu", 5),
          sensor = new_node(cpus, "cpu_0_package-0", 6);
    set_text(cpus, "device_type", "cpu");
    new_vector(sensor, "timesteps", stamps, 4, "s", 1);
    new_vector(sensor, "values", power, 4, "W", 1);
    new_vector(sensor, "alt_values", counter, 4, "J", 1);
    H5Gclose(sensor);
    H5Gclose(cpus);
    H5Gclose(host);
    return image_of(file, n);
}

/* The readings that energy comes from, in one number. */
static double sum_readings(const recorder *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->channels[i].n && ws_quantity_gives_energy(r->channels[i].channel.quantity); k++)
            sum += r->channels[i].value[k] * (r->channels[i].channel.quantity == WS_POWER ? 1 : 1000) +
                   (double)r->channels[i].t_ns[k] * 1e-9;
    return sum;
}

static bool has_empty_device(const recorder *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->channels[i].n == 0 && ws_quantity_gives_energy(r->channels[i].channel.quantity))
            return true;
    return false;
}

/* Are the readings those of the undamaged file, or is it said that they are not? *told: it is. */
static bool is_honest(const char *image, size_t n, double whole, bool *told)
{
    recorder r = {0};
    ws_status status = read_image(&r, image, n);
    *told = status != WS_OK || ws_notes_find(&r.notes, WS_FINDING_DAMAGED_OBJECT) || has_empty_device(&r);
    bool is_whole = status == WS_OK && fabs(sum_readings(&r) - whole) < 1e-9;
    recorder_free(&r);
    return is_whole || *told;
}

static double sum_of(const char *image, size_t n)
{
    recorder r = {0};
    ck_assert_int_eq(read_image(&r, image, n), WS_OK);
    ck_assert_ptr_null(ws_notes_find(&r.notes, WS_FINDING_DAMAGED_OBJECT));
    double sum = sum_readings(&r);
    recorder_free(&r);
    return sum;
}

/* Signatures of what lists groups, one at a time, one of `every`; how many copies were told to be damaged. */
static size_t damage_signatures(char *image, size_t n, size_t every)
{
    static const char *const signatures[] = {"HEAP", "TREE", "SNOD"};
    double whole = sum_of(image, n);
    size_t n_told = 0, found = 0;
    for (size_t s = 0; s < 3; s++) {
        for (size_t at = 0; at + 4 <= n; at++) {
            bool told;
            if (memcmp(image + at, signatures[s], 4) != 0 || found++ % every != 0)
                continue;
            image[at + 1] ^= 0x20;
            ck_assert_msg(is_honest(image, n, whole, &told), "%s at %zu", signatures[s], at);
            image[at + 1] ^= 0x20;
            n_told += told;
        }
    }
    return n_told;
}

START_TEST(a_group_that_cannot_be_listed_is_never_an_empty_one)
{
    size_t n;
    char *image = image_of_a_host(&n);
    /* the lists of the file, the application, the call, the run, the host, two groups of devices and three sensors of
     * power, each in three parts; "nodes" and "raw_data" beside them */
    ck_assert_uint_gt(damage_signatures(image, n, 1), 3 * 10);
    free(image);
}
END_TEST

START_TEST(a_group_of_a_real_file_that_cannot_be_listed_is_never_an_empty_one)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    char path[512];
    snprintf(path, sizeof path, "%s/fixtures/perun/c_v0810/perun.hdf5", getenv("CORPUS"));
    ws_input *input;
    ws_span bytes;
    ck_assert_int_eq(ws_input_open(&input, path, NULL), WS_OK);
    ck_assert_int_eq(ws_input_read_all(input, IMAGE_LIMIT, &bytes, NULL), WS_OK);
    char *image = ws_alloc(bytes.n);
    memcpy(image, bytes.p, bytes.n);
    ck_assert_uint_gt(damage_signatures(image, bytes.n, getenv("DAMAGE_STEP") ? 1 : 3), 0);
    free(image);
    ws_input_close(input);
}
END_TEST

/* Of the group of the GPUs: its name, its domain and where it was stay known. */
START_TEST(a_lost_group_of_devices_is_a_device_without_samples)
{
    recorder r = {0};
    size_t n;
    char *image = image_of_a_host(&n);
    for (size_t at = 0; at + 12 <= n; at++) /* the names of the one group that has both */
        if (memcmp(image + at, "CUDA:0_POWER", 12) == 0)
            image[at] = '\0';
    ck_assert_int_eq(read_image(&r, image, n), WS_OK);
    const recorded *gpu = recorder_find(&r, "gpu", NULL);
    ck_assert_ptr_nonnull(gpu);
    ck_assert_uint_eq(gpu->n, 0);
    ck_assert_int_eq(gpu->channel.domain, WS_GPU);
    ck_assert_str_eq(gpu->channel.node, "n1");
    ck_assert_str_eq(
        ws_notes_find(&r.notes, WS_FINDING_DAMAGED_OBJECT)->text,
        "the list of what run 7/0, host n1, gpu holds cannot be read in full: the file is damaged; copy it "
        "again from where it was written");
    ck_assert_uint_gt(recorder_find(&r, "gpu1", NULL)->n, 0);
    ck_assert_uint_gt(recorder_find(&r, "cpu0", NULL)->n, 0);
    free(image);
    recorder_free(&r);
}
END_TEST

typedef struct stretch {
    size_t at, end;
} stretch;

/* What lists the groups: heaps with their names, trees and nodes. */
static size_t find_lists(const char *image, size_t n, stretch *found, size_t most)
{
    enum { HEAP = 32, TREE = 24 + 32 * 16 + 8, SNOD = 8 + 8 * 40 };
    size_t k = 0;
    for (size_t at = 0; at + HEAP <= n && k + 2 < most; at++) {
        uint64_t size, names;
        memcpy(&size, image + at + 8, sizeof size);
        memcpy(&names, image + at + 24, sizeof names);
        if (memcmp(image + at, "HEAP\0", 5) == 0) {
            found[k++] = (stretch){at, at + HEAP};
            found[k++] = (stretch){(size_t)names, (size_t)(names + size)};
        } else if (memcmp(image + at, "TREE\0", 5) == 0) {
            found[k++] = (stretch){at, at + TREE};
        } else if (memcmp(image + at, "SNOD\1", 5) == 0) {
            found[k++] = (stretch){at, at + SNOD};
        }
    }
    return k;
}

/* A bit of every few bytes; the step has no factor in common with the sizes of what lies there. Nearly all of the time
 * is that of starting the child anew behind each damaged file: `make soak` damages five times as many (DAMAGE_STEP=13),
 * and every signature of the real file above. */
START_TEST(damaged_lists_are_told)
{
    enum { MOST = 400, STEP = 61 };
    static stretch lists[MOST];
    const char *denser = getenv("DAMAGE_STEP");
    size_t n, steps = 0, n_told = 0, step = denser ? (size_t)atoi(denser) : STEP;
    char *image = image_of_a_host(&n);
    double whole = sum_of(image, n);
    for (size_t k = find_lists(image, n, lists, MOST); k--;) {
        for (size_t at = lists[k].at + steps % step; at < lists[k].end && at < n; at += step) {
            bool told;
            char bit = (char)(1U << steps++ % 8);
            image[at] ^= bit;
            ck_assert_msg(is_honest(image, n, whole, &told), "bit %d at %zu", bit, at);
            image[at] ^= bit;
            n_told += told;
        }
    }
    ck_assert_uint_gt(steps, 450);
    ck_assert_uint_gt(n_told, 50);
    printf("%zu bits of lists damaged, %zu told\n", steps, n_told);
    free(image);
}
END_TEST

/* Three links in a node of a group, then a count of two: HDF5 lists two and does not tell. */
START_TEST(a_count_that_hides_links_is_told)
{
    size_t n, found = 0;
    char *image = image_of_a_host(&n);
    for (size_t at = 0; at + 8 <= n; at++) {
        if (memcmp(image + at, "SNOD\1\0\3", 7) != 0)
            continue;
        recorder r = {0};
        image[at + 6] = 2;
        ck_assert_int_eq(read_image(&r, image, n), WS_OK);
        ck_assert_ptr_nonnull(ws_notes_find(&r.notes, WS_FINDING_DAMAGED_OBJECT));
        image[at + 6] = 3;
        found++;
        recorder_free(&r);
    }
    ck_assert_uint_eq(found, 6); /* of the GPUs, the CPU's vectors and four sensors */
    free(image);
}
END_TEST

START_TEST(what_is_not_perun_is_refused_with_a_remedy)
{
    recorder r = {0};
    hid_t file = new_file();
    H5Gclose(new_group(file, "campaign/runs"));
    ck_assert_int_eq(read_made(&r, file), WS_FORMAT);
    ck_assert_str_eq(r.error.message,
                     "made.hdf5: is HDF5, but no group in it has the attribute 'type' that perun writes; "
                     "export it to CSV to read it by columns");
    recorder_free(&r);
    file = new_file();
    H5Gclose(new_node(file, "perun", 1));
    ck_assert_int_eq(read_made(&r, file), WS_DATA);
    ck_assert_ptr_nonnull(strstr(r.error.message, "'perun' holds no sensor with raw data"));
    recorder_free(&r);
    file = new_file();
    hid_t sensor = new_node(file, "CUDA:0_POWER", 1);
    new_vector(sensor, "timesteps", stamps, 4, "s", 1);
    H5Gclose(sensor);
    ck_assert_int_eq(read_made(&r, file), WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.error.message, "cut below the run"));
    recorder_free(&r);
}
END_TEST

START_TEST(a_cut_file_is_refused_wherever_it_ends)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    char path[512];
    snprintf(path, sizeof path, "%s/fixtures/perun/c_v0810/perun.hdf5", getenv("CORPUS"));
    ws_input *whole;
    ws_span bytes;
    ck_assert_int_eq(ws_input_open(&whole, path, NULL), WS_OK);
    ck_assert_int_eq(ws_input_read_all(whole, IMAGE_LIMIT, &bytes, NULL), WS_OK);
    const size_t cuts[] = {0, 8, 96, 2048, bytes.n / 3, bytes.n / 2, bytes.n - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        recorder r = {0};
        ws_input *input = ws_input_from_memory("cut.hdf5", bytes.p, cuts[i]);
        ck_assert_int_eq(recorder_read_input(&r, &ws_format_perun_hdf5, input, NULL), WS_FORMAT);
        ck_assert_ptr_nonnull(strstr(r.error.message, cuts[i]
                                                          ? "cut.hdf5: HDF5 cannot open it: the file is cut or damaged"
                                                          : "cut.hdf5: is empty"));
        recorder_free(&r);
    }
    ws_input_close(whole);
}
END_TEST

TEST_MAIN("perun damage", links_out_of_the_tree_are_not_followed, time_steps_may_be_shared_by_a_link,
          numbers_in_other_files_are_not_read, a_filter_that_the_library_lacks_is_no_damage,
          what_is_lost_to_damage_is_named, vectors_that_cannot_be_looked_up_are_lost,
          damaged_texts_are_missing_and_harm_nothing, numbers_larger_than_their_bytes_are_none,
          a_heap_whose_gaps_go_in_circles_cannot_be_read, a_group_that_cannot_be_listed_is_never_an_empty_one,
          a_group_of_a_real_file_that_cannot_be_listed_is_never_an_empty_one,
          a_lost_group_of_devices_is_a_device_without_samples, damaged_lists_are_told, a_count_that_hides_links_is_told,
          what_is_not_perun_is_refused_with_a_remedy, a_cut_file_is_refused_wherever_it_ends)
