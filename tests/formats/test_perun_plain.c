/* perun's HDF5 file read without the library says what the library says, whatever becomes of its bytes. */
#include "formats/hdf5/library/perun_hdf5_library.h"
#include "hdf5_image.h"
#include "whole_reading.h"

typedef struct way {
    unsigned unwanted; /* quantities, as bits */
    bool every_fact;
} way;

static const way everything = {0, true}, power_alone = {~(1U << WS_POWER), false};

static bool wants(void *state, ws_quantity quantity)
{
    return !(((const recorder *)state)->unwanted >> quantity & 1);
}

/* What is said of the file, with or without the library; NULL where it is left to the library. The caller frees. */
static char *read_by(const image *of, const way *by, bool with_library)
{
    recorder r = {.unwanted = by->unwanted};
    ws_sink sink = recorder_sink(&r);
    sink.every_fact = by->every_fact;
    sink.wants = wants;
    ws_perun_hdf5_file file = {"made.hdf5", of->bytes, ws_perun_samples_new(), &r.notes};
    ws_status status = WS_OK;
    bool done = with_library || ws_perun_hdf5_read_plain(&file, &sink, &status, &r.error);
    if (with_library)
        status = ws_perun_hdf5_read(&file, &sink, &r.error);
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    fprintf(out, "%d %s\n", (int)status, status == WS_OK ? "" : r.error.message);
    say_trace(out, &r);
    say_notes(out, &r.notes);
    fclose(out);
    if (!done) {
        ck_assert_uint_eq(r.n + r.n_facts + r.notes.n, 0);
        free(text);
        text = NULL;
    }
    ws_perun_samples_free(file.samples);
    recorder_free(&r);
    return text;
}

/* Was it read without the library? */
static bool check_way(const image *of, const way *by)
{
    char *without = read_by(of, by, false), *with = without ? read_by(of, by, true) : NULL;
    bool is_read = without != NULL;
    if (is_read)
        ck_assert_str_eq(without, with);
    free(without);
    free(with);
    return is_read;
}

/* Two GPUs, a counter, a sensor that is no power, a region and what a run says of itself. */
static hid_t new_run(void)
{
    static const double counter[] = {100, 150, 165, 20}, events[] = {0.5, 1, 2, 2.5};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1e-3);
    new_sensor(gpus, "CUDA:1_POWER", stamps, 4, watts, 3, "W", 1);
    new_sensor(gpus, "CUDA:1_MEM", stamps, 4, watts, 4, "B", 1);
    new_sensor(gpus, "mine", stamps, 4, counter, 4, "J", 1);
    H5Gclose(gpus);
    hid_t run = H5Gopen2(file, "/perun/nodes/7/nodes/0", H5P_DEFAULT), host = H5Gopen2(run, "nodes/n1", H5P_DEFAULT),
          region = new_group(run, "regions/train"), metric = new_group(host, "metrics/ENERGY");
    set_text(run, "perun_version", "0.8.10");
    set_integers(host, "mpi_ranks", (const int64_t[]){0, 1}, 2);
    set_number(metric, "value", 42);
    set_text(metric, "unit", "J");
    new_vector(region, "0", events, 4, "s", 1);
    H5Gclose(metric);
    H5Gclose(region);
    H5Gclose(host);
    H5Gclose(run);
    return file;
}

START_TEST(the_same_is_said)
{
    image made = new_image(new_run());
    ck_assert(check_way(&made, &everything));
    ck_assert(check_way(&made, &power_alone));
    char *text = read_by(&made, &everything, false);
    ck_assert_ptr_nonnull(strstr(text, "perun.region.train.rank.0|0.5:1 2:2.5"));
    ck_assert_ptr_nonnull(strstr(text, "perun.stored.energy_j||0x1.5p+5"));
    ck_assert_ptr_nonnull(strstr(text, "note length-mismatch|made.hdf5|CUDA:1_POWER"));
    free(text);
    free(made.p);
}
END_TEST

/* What is not asked for need not be known. */
START_TEST(odd_objects_are_left_to_the_library_where_they_are_asked_for)
{
    hid_t file = new_run(),
          sensor = H5Gopen2(file, "/perun/nodes/7/nodes/0/nodes/n1/nodes/gpu/nodes/CUDA:1_MEM", H5P_DEFAULT);
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, (const hsize_t[]){2});
    new_vector_as(create, sensor, "alt_values", watts, 4, "B", 1);
    H5Pclose(create);
    H5Gclose(sensor);
    image made = new_image(file);
    ck_assert(!check_way(&made, &everything));
    ck_assert(check_way(&made, &power_alone));
    free(made.p);
}
END_TEST

START_TEST(what_is_no_tree_of_perun_is_left_to_the_library)
{
    hid_t file = new_file();
    H5Gclose(new_group(file, "campaign/runs"));
    image made = new_image(file);
    ck_assert(!check_way(&made, &everything));
    free(made.p);
    made = new_image(new_file());
    ck_assert(!check_way(&made, &everything));
    free(made.p);
}
END_TEST

/* A bit of every few bytes; the step has no factor in common with the sizes of what lies in a file. */
START_TEST(damage)
{
    enum { STEP = 23 };
    image made = new_image(new_run());
    size_t read_here = 0, left = 0;
    for (size_t at = 0; at < made.n; at += STEP) {
        unsigned bit = 1U << (at / STEP % 8);
        flip(&made, at, bit);
        *(check_way(&made, &everything) ? &read_here : &left) += 1;
        flip(&made, at, bit);
    }
    ck_assert_uint_gt(read_here, 0);
    ck_assert_uint_gt(left, 0);
    free(made.p);
}
END_TEST

START_TEST(a_cut_file_is_left_to_the_library)
{
    image made = new_image(new_run());
    for (size_t n = 1; n < made.n; n += 101) {
        image cut = made;
        cut.bytes.memory.n = cut.n = n;
        ck_assert(!check_way(&cut, &everything));
    }
    free(made.p);
}
END_TEST

START_TEST(files_of_every_version)
{
    static const char *const files[] = {"a_single_node/perun.hdf5",    "b2_appended/perun.hdf5", "c_v040/perun.hdf5",
                                        "c_v062/perun.hdf5",           "c_v070/perun.hdf5",      "c_v0810/perun.hdf5",
                                        "d_real_monitor/sleepapp.hdf5"};
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        ws_input *input;
        ws_span bytes;
        snprintf(path, sizeof path, "%s/fixtures/perun/%s", getenv("CORPUS"), files[i]);
        ck_assert_int_eq(ws_input_open(&input, path, NULL), WS_OK);
        ck_assert_int_eq(ws_input_read_all(input, IMAGE_LIMIT, &bytes, NULL), WS_OK);
        image of = {{bytes, -1, 0}, (char *)bytes.p, bytes.n};
        ck_assert_msg(check_way(&of, &everything), "%s", path);
        ck_assert_msg(check_way(&of, &power_alone), "%s", path);
        ws_input_close(input);
    }
}
END_TEST

static void start_without_reports(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

FIXTURE_MAIN("perun's HDF5 without the library", start_without_reports, NULL, the_same_is_said,
             odd_objects_are_left_to_the_library_where_they_are_asked_for,
             what_is_no_tree_of_perun_is_left_to_the_library, damage, a_cut_file_is_left_to_the_library,
             files_of_every_version)
