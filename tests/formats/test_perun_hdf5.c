/* perun's HDF5 files: those of its versions, and odd ones made here. */
#include "made_perun.h"

START_TEST(a_power_of_a_gpu_arrives_in_watts_and_nanoseconds)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    double milliwatts[] = {61554, 61207.5, 0, 272210};
    new_sensor(gpus, "CUDA:12_POWER", stamps, 4, milliwatts, 4, "W", 1e-3);
    H5Gclose(gpus);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    ck_assert_uint_eq(r.n, 1);
    const recorded *c = &r.channels[0];
    ck_assert_str_eq(c->channel.run, "7/0");
    ck_assert_str_eq(c->channel.node, "n1");
    ck_assert_str_eq(c->channel.device, "gpu12");
    ck_assert_str_eq(c->channel.device_id, "CUDA:12");
    ck_assert_str_eq(c->channel.column, "CUDA:12_POWER");
    ck_assert_int_eq(c->channel.quantity, WS_POWER);
    ck_assert_int_eq(c->channel.rule, WS_RULE_TRAPEZOID);
    ck_assert_uint_eq(c->n, 4);
    ck_assert_int_eq(c->t_ns[2], INT64_C(2500000000));
    ck_close(c->value[1], 61.2075, 1e-15, 0);
    recorder_free(&r);
}
END_TEST

START_TEST(the_unit_decides_between_power_and_counter)
{
    recorder r = {0};
    hid_t file = new_file(), cpus = new_device_group(file, "cpu");
    hid_t sensor = new_node(cpus, "cpu_1_package-1", 6);
    double counter[] = {100e6, 150e6, 160e6, 20e6}, power[] = {50, 20};
    new_vector(sensor, "timesteps", stamps, 4, "s", 1);
    new_vector(sensor, "values", counter, 4, "J", 1e-6);
    new_vector(sensor, "alt_values", power, 2, "W", 1); /* neither 4 nor 3: of points, cut */
    hid_t values = H5Dopen2(sensor, "raw_data/values", H5P_DEFAULT);
    set_number(values, "valid_max", 262143328850.);
    H5Dclose(values);
    H5Gclose(sensor);
    H5Gclose(cpus);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    ck_assert_uint_eq(r.n, 2);
    ck_assert_int_eq(r.channels[0].channel.quantity, WS_ENERGY_COUNTER);
    ck_assert_int_eq(r.channels[0].channel.rule, WS_RULE_COUNTER);
    ck_assert_str_eq(r.channels[0].channel.device, "cpu1");
    ck_close(r.channels[0].channel.counter_range_j, 262143.328850, 1e-15, 0);
    ck_close(r.channels[0].value[1], 150, 1e-15, 0);
    ck_assert_int_eq(r.channels[1].channel.rule, WS_RULE_TRAPEZOID);
    ck_assert_uint_eq(r.channels[1].n, 2);
    ck_assert_uint_eq(ws_notes_find(&r.notes, WS_FINDING_LENGTH_MISMATCH)->count, 2);
    recorder_free(&r);
}
END_TEST

START_TEST(powers_one_less_than_stamps_hold_up_to_the_next_stamp)
{
    recorder r = {0};
    hid_t file = new_file(), cpus = new_device_group(file, "ram");
    hid_t sensor = new_node(cpus, "ram_0_dram", 6);
    double counter[] = {100, 150, 165, 170}, power[] = {50, 10, 12};
    new_vector(sensor, "timesteps", stamps, 4, "s", 1);
    new_vector(sensor, "values", counter, 4, "J", 1);
    new_vector(sensor, "alt_values", power, 3, "W", 1);
    H5Gclose(sensor);
    H5Gclose(cpus);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    ck_assert_uint_eq(r.n, 2);
    const recorded *c = &r.channels[1];
    ck_assert_str_eq(c->channel.device, "dram0");
    ck_assert_int_eq(c->channel.rule, WS_RULE_RECTANGLE);
    const double want[] = {50, 50, 10, 12};
    ck_assert_uint_eq(c->n, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq(c->value[i], want[i]);
    ck_assert_ptr_null(ws_notes_find(&r.notes, WS_FINDING_LENGTH_MISMATCH));
    recorder_free(&r);
}
END_TEST

/* By one thread and with another one that reads ahead. */
static void check_long_series(unsigned threads)
{
    enum { N = 150001 };
    recorder r = {0};
    ws_read_options options = WS_READ_DEFAULTS;
    size_t n_bytes;
    options.rows.threads = threads;
    double *time = ws_alloc(N * sizeof *time), *power = ws_alloc(N * sizeof *power);
    for (size_t i = 0; i < N; i++) {
        time[i] = (double)i * 0.5;
        power[i] = (double)i + 1;
    }
    hid_t file = new_file(), cpus = new_device_group(file, "cpu"), sensor = new_node(cpus, "cpu_0_package-0", 6);
    new_vector(sensor, "timesteps", time, N, "s", 1);
    new_vector(sensor, "values", power, N, "W", 1);
    new_vector(sensor, "alt_values", power, N - 1, "W", 1);
    H5Gclose(sensor);
    H5Gclose(cpus);
    char *image = image_of(file, &n_bytes);
    ws_input *input = ws_input_from_memory("made.hdf5", image, n_bytes);
    ck_assert_int_eq(recorder_read_input(&r, &ws_format_perun_hdf5, input, &options), WS_OK);
    free(image);
    ck_assert_uint_eq(r.n, 2);
    for (size_t c = 0; c < 2; c++) {
        ck_assert_uint_eq(r.channels[c].n, N);
        for (size_t i = 0; i < N; i++) {
            double want = c == 0 ? (double)i + 1 : i ? (double)i : 1;
            ck_assert_msg(r.channels[c].value[i] == want && r.channels[c].t_ns[i] == (int64_t)i * 500000000,
                          "sample %zu of channel %zu", i, c);
        }
    }
    free(time);
    free(power);
    recorder_free(&r);
}

START_TEST(long_series_come_whole_through_their_windows)
{
    for (unsigned threads = 0; threads <= 2; threads++)
        check_long_series(threads);
}
END_TEST

START_TEST(stamps_become_the_nearest_nanosecond_and_halves_go_away_from_zero)
{
    static const struct {
        double seconds;
        int64_t ns;
    } known[] = {{0, 0},
                 {-0.0, 0},
                 {1.5e-9, 2},
                 {2.5e-9, 3},
                 {-1.5e-9, -2},
                 {-2.5e-9, -3},
                 {0.49999999999999994e-9, 0},
                 {1, 1000000000},
                 {0.1, 100000000},
                 {-3.000000001, -3000000001},
                 {4503599.627370497, 4503599627370497},
                 {1771000000, 1771000000000000000},
                 {-8e9, -8000000000000000000}};
    enum { N = sizeof known / sizeof *known };
    recorder r = {0};
    double time[N], power[N];
    for (size_t i = 0; i < N; i++) {
        time[i] = known[i].seconds;
        power[i] = (double)i;
    }
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", time, N, power, N, "W", 1);
    H5Gclose(gpus);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    ck_assert_uint_eq(r.channels[0].n, N);
    for (size_t i = 0; i < N; i++)
        ck_assert_msg(r.channels[0].t_ns[i] == known[i].ns, "%.17g s are %lld ns, not %lld", known[i].seconds,
                      (long long)r.channels[0].t_ns[i], (long long)known[i].ns);
    recorder_free(&r);
}
END_TEST

static bool wants_power(void *state, ws_quantity quantity)
{
    (void)state;
    return quantity == WS_POWER;
}

/* A sink that takes every channel shows which ones the reader looked at. */
static void read_for_power(recorder *r, hid_t file)
{
    size_t n;
    char *image = image_of(file, &n);
    ws_read_options options = WS_READ_DEFAULTS;
    ws_sink sink = recorder_sink(r);
    sink.wants = wants_power;
    sink.every_fact = false;
    ws_input *input = ws_input_from_memory("made.hdf5", image, n);
    ck_assert_int_eq(ws_format_perun_hdf5.read(input, &options, &sink, &r->notes, &r->error), WS_OK);
    ws_input_close(input);
    free(image);
}

START_TEST(sensors_that_nobody_wants_are_passed_by_their_names_and_units)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "ROCM:5a_MEM", stamps, 4, watts, 4, "B", 1);
    new_sensor(gpus, "ROCM:7b_CLOCK_SM", stamps, 4, watts, 4, "Hz", 1);
    new_sensor(gpus, "ROCM:7b_POWER", stamps, 4, watts, 4, "W", 1);
    new_sensor(gpus, "ROCM:7b_NEW", stamps, 4, watts, 4, "%", 1);
    new_sensor(gpus, "ROCM:7b_NEWER", stamps, 4, watts, 4, "W", 1);
    new_sensor(gpus, "ROCM:7b_NOT", stamps, 4, watts, 4, "", 1);
    hid_t no_time = new_node(gpus, "ROCM:7b_NO_TIME", 6), derived = new_node(gpus, "ROCM:7b_TWO", 6);
    new_vector(no_time, "values", watts, 4, "%", 1);
    new_vector(derived, "timesteps", stamps, 4, "s", 1);
    new_vector(derived, "values", watts, 4, "%", 1);
    new_vector(derived, "alt_values", watts, 4, "W", 1);
    H5Gclose(no_time);
    H5Gclose(derived);
    H5Gclose(gpus);
    read_for_power(&r, file);
    ck_assert_uint_eq(r.n, 5);
    static const char *const columns[] = {"ROCM:7b_NEWER", "ROCM:7b_NOT", "ROCM:7b_POWER", "ROCM:7b_TWO",
                                          "ROCM:7b_TWO"};
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(r.channels[i].channel.column, columns[i]);
    ck_assert_str_eq(ws_notes_find(&r.notes, WS_FINDING_NO_UNIT)->subject, "ROCM:7b_NOT");
    ck_assert_ptr_null(ws_notes_find(&r.notes, WS_FINDING_NO_READINGS));
    recorder_free(&r);
}
END_TEST

/* The first GPU has no power that could be read, and keeps its number. */
START_TEST(gpus_keep_their_numbers_where_sensors_are_passed)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "ROCM:5a_MEM", stamps, 4, watts, 4, "B", 1);
    new_sensor(gpus, "ROCM:7b_POWER", stamps, 4, watts, 4, "W", 1);
    H5Gclose(gpus);
    read_for_power(&r, file);
    ck_assert_uint_eq(r.n, 1);
    ck_assert_str_eq(r.channels[0].channel.device, "gpu1");
    recorder_free(&r);
}
END_TEST

START_TEST(a_sensor_without_usable_data_is_a_note)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    hid_t no_values = new_node(gpus, "CUDA:0_POWER", 6), no_time = new_node(gpus, "CUDA:1_POWER", 6);
    new_vector(no_values, "timesteps", stamps, 4, "s", 1);
    new_vector(no_time, "values", watts, 4, "W", 1);
    H5Gclose(no_values);
    H5Gclose(no_time);
    new_sensor(gpus, "CUDA:2_POWER", stamps, 0, watts, 0, "W", 1);
    const double bad[] = {0, NAN, 1e300, 3};
    new_sensor(gpus, "CUDA:3_POWER", bad, 4, watts, 4, "W", 1);
    H5Gclose(gpus);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    uint64_t unusable = 0;
    for (size_t i = 0; i < r.notes.n; i++)
        unusable += strcmp(ws_finding_code(r.notes.items[i].finding), "no-readings") == 0;
    ck_assert_uint_eq(unusable, 2);
    ck_assert_uint_eq(ws_notes_find(&r.notes, WS_FINDING_BAD_TIME)->count, 2);
    ck_assert_uint_eq(recorder_find(&r, "gpu2", NULL)->n, 0);
    const recorded *c = recorder_find(&r, "gpu3", NULL);
    ck_assert_uint_eq(c->n, 2);
    ck_assert_double_eq(c->value[1], 400);
    recorder_free(&r);
}
END_TEST

/* One name in a file of one GPU is not as perun wrote it. */
static void rename_raw_data(hid_t sensor)
{
    ck_assert(H5Lmove(sensor, "raw_data", sensor, "raw_dat!", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

static void rename_unit(hid_t sensor)
{
    ck_assert(H5Arename_by_name(sensor, "raw_data/values", "unit", "un!t", H5P_DEFAULT) >= 0);
}

static void rename_magnitude(hid_t sensor)
{
    ck_assert(H5Arename_by_name(sensor, "raw_data/values", "mag", "m!g", H5P_DEFAULT) >= 0);
}

static void rename_magnitude_of_time(hid_t sensor)
{
    ck_assert(H5Arename_by_name(sensor, "raw_data/timesteps", "mag", "m!g", H5P_DEFAULT) >= 0);
}

static void lose_metrics_of_run(hid_t sensor)
{
    hid_t run = H5Gopen2(sensor, "/perun/nodes/7/nodes/0", H5P_DEFAULT);
    ck_assert(H5Lmove(run, "metrics", run, "metr!cs", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Gclose(run);
}

static void lose_metrics_of_host(hid_t sensor)
{
    hid_t host = H5Gopen2(sensor, "/perun/nodes/7/nodes/0/nodes/n1", H5P_DEFAULT);
    ck_assert(H5Lmove(host, "metrics", host, "metr!cs", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Gclose(host);
}

static void leave_as_it_is(hid_t sensor)
{
    (void)sensor;
}

START_TEST(a_damaged_name_is_told_and_its_numbers_are_no_energy)
{
    static const struct {
        void (*damage)(hid_t sensor);
        const char *text; /* in what is told */
        size_t readings;  /* of power that arrive */
    } cases[] = {
        {leave_as_it_is, NULL, 4},
        {rename_raw_data, "the readings of 'CUDA:0_POWER' in run 7/0, host n1, gpu cannot be found", 0},
        {rename_unit, "the unit of the values of 'CUDA:0_POWER' in run 7/0, host n1, gpu cannot be read", 0},
        {rename_magnitude, "the magnitude of the values of 'CUDA:0_POWER' in run 7/0, host n1, gpu cannot be read", 0},
        {rename_magnitude_of_time, "the magnitude of the timesteps of 'CUDA:0_POWER' in run 7/0, host n1, gpu", 0},
        {lose_metrics_of_run, "the list of what perun computed of run 7/0 cannot be read in full", 4},
        {lose_metrics_of_host, "the list of what perun computed of run 7/0, host n1 cannot be read in full", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        recorder r = {0};
        hid_t file = new_file(), gpus = new_device_group(file, "gpu");
        new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1e-3);
        new_sensor(gpus, "CUDA:1_POWER", stamps, 4, watts, 4, "W", 1e-3);
        hid_t sensor = H5Gopen2(gpus, "nodes/CUDA:0_POWER", H5P_DEFAULT);
        cases[i].damage(sensor);
        H5Gclose(sensor);
        H5Gclose(gpus);
        ck_assert_int_eq(read_made(&r, file), WS_OK);
        const ws_note *damage = ws_notes_find(&r.notes, WS_FINDING_DAMAGED_OBJECT);
        ck_assert_msg(!damage == !cases[i].text, "case %zu", i);
        ck_assert_msg(!damage || strstr(damage->text, cases[i].text), "%s, not %s", damage ? damage->text : "",
                      cases[i].text);
        const recorded *c = recorder_find(&r, "gpu0", NULL);
        ck_assert_msg(c, "case %zu: the device is not there", i); /* it was measured, and would be missed by nobody */
        ck_assert_uint_eq(c->channel.quantity == WS_POWER ? c->n : 0, cases[i].readings);
        ck_assert_uint_eq(recorder_find(&r, "gpu1", NULL)->n, 4);
        recorder_free(&r);
    }
}
END_TEST

START_TEST(runs_come_in_the_order_of_their_numbers_and_a_failed_one_is_noted)
{
    recorder r = {0};
    hid_t file = new_file(), app = new_node(file, "bin/a.out", 1), multi_run = new_node(app, "7", 2);
    const char *const runs[] = {"10", "2", "failed", "0"};
    for (size_t i = 0; i < 4; i++) {
        hid_t run = new_node(multi_run, runs[i], 3), host = new_node(run, "n1", 4), gpus = new_node(host, "gpu", 5);
        new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
        H5Gclose(gpus);
        H5Gclose(host);
        H5Gclose(run);
    }
    H5Gclose(multi_run);
    H5Gclose(app);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    const char *const want[] = {"7/0", "7/2", "7/10", "7/failed"};
    ck_assert_uint_eq(r.n, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(r.channels[i].channel.run, want[i]);
    ck_assert_str_eq(ws_notes_find(&r.notes, WS_FINDING_FAILED_RUN)->subject, "7/failed");
    recorder_free(&r);
}
END_TEST

static double ranks_of(const char *text, const int64_t *list, hsize_t n)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
    H5Gclose(gpus);
    hid_t host = H5Gopen2(file, "perun/nodes/7/nodes/0/nodes/n1", H5P_DEFAULT);
    if (text)
        set_text(host, "mpi_ranks", text);
    else if (n)
        set_integers(host, "mpi_ranks", list, n);
    H5Gclose(host);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    const ws_fact *fact = find_fact(&r, "7/0", "", "perun.mpi_ranks");
    double ranks = fact ? fact->number : -1;
    recorder_free(&r);
    return ranks;
}

START_TEST(ranks_are_counted_in_every_spelling)
{
    const int64_t list[] = {4, 5, 17};
    ck_assert_double_eq(ranks_of(NULL, list, 3), 3);
    ck_assert_double_eq(ranks_of("[0, 1, 2, 3]", NULL, 0), 4);
    ck_assert_double_eq(ranks_of("[ 8  9 10]", NULL, 0), 3);
    ck_assert_double_eq(ranks_of("[0]", NULL, 0), 1);
    ck_assert_double_eq(ranks_of(NULL, NULL, 0), -1);
}
END_TEST

START_TEST(regions_tell_their_passes_and_unfinished_ones)
{
    recorder r = {0};
    hid_t file = new_file(), gpus = new_device_group(file, "gpu");
    new_sensor(gpus, "CUDA:0_POWER", stamps, 4, watts, 4, "W", 1);
    H5Gclose(gpus);
    hid_t region = new_group(file, "perun/nodes/7/nodes/0/regions/train");
    const double events[] = {0.25, 1.5, 2, 2.75, 3};
    new_vector(region, "0", events, 4, "s", 1);
    new_vector(region, "3", events, 5, "s", 1);
    hid_t runtime = new_group(region, "RUNTIME"); /* in the region itself, as up to 0.6.2 */
    set_number(runtime, "mean", 2000);
    set_number(runtime, "mag", 1e-3);
    H5Gclose(runtime);
    H5Gclose(region);
    ck_assert_int_eq(read_made(&r, file), WS_OK);
    ck_assert_str_eq(find_fact(&r, "7/0", "", "perun.region.train.rank.0")->text, "0.25:1.5 2:2.75");
    ck_assert_str_eq(find_fact(&r, "7/0", "", "perun.region.train.rank.3")->text, "0.25:1.5 2:2.75 3:");
    ck_assert_double_eq(find_fact(&r, "7/0", "", "perun.region.train.runtime_s")->number, 2);
    ck_assert_uint_eq(ws_notes_find(&r.notes, WS_FINDING_REGION_UNFINISHED)->count, 1);
    recorder_free(&r);
}
END_TEST

static ws_status read_fixture(recorder *r, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/fixtures/perun/%s", getenv("CORPUS"), name);
    return recorder_read_path(r, &ws_format_perun_hdf5, path);
}

START_TEST(runs_hosts_and_sensors_of_the_versions)
{
    static const struct {
        const char *file, *first_run, *last_run, *node;
        size_t channels, runs;
    } files[] = {
        {"a_single_node/perun.hdf5", "3172377/0", "3172377/0", "node0001.cluster", 27, 1},
        {"b_two_nodes/perun.hdf5.gz", "3172802/0", "3172802/2", "node0001.cluster", 0, 3},
        {"b2_appended/perun.hdf5", "SLURMJOB/0", "SLURMJOB_1/0", "node0003.cluster", 0, 2},
        {"c_v0810/perun.hdf5", "2025-03-18T19:21:59.082046/0", "2025-03-18T19:21:59.082046/0", "node0004.cluster", 0,
         1},
        {"c_v033/perun_2025-03-18T19:21:59.082046.hdf5", "2025-03-18T19:21:59.082046", "2025-03-18T19:21:59.082046",
         "node0004.cluster", 6, 1},
        {"d_real_monitor/sleepapp.hdf5", "demo/0", "demo/0", "testhost", 9, 1},
    };
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        recorder r = {0};
        ck_assert_msg(read_fixture(&r, files[f].file) == WS_OK, "%s", r.error.message);
        size_t runs = 0;
        for (size_t i = 0; i < r.n; i++)
            runs += i == 0 || strcmp(r.channels[i].channel.run, r.channels[i - 1].channel.run) != 0;
        ck_assert_uint_eq(runs, files[f].runs);
        ck_assert_str_eq(r.channels[0].channel.run, files[f].first_run);
        ck_assert_str_eq(r.channels[r.n - 1].channel.run, files[f].last_run);
        ck_assert_str_eq(r.channels[0].channel.node, files[f].node);
        if (files[f].channels)
            ck_assert_uint_eq(r.n, files[f].channels);
        recorder_free(&r);
    }
}
END_TEST

/* Numbers as perun's own text reports and h5dump print them. */
START_TEST(what_perun_stored_is_told_as_facts)
{
    recorder r = {0};
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set");
    ck_assert_int_eq(read_fixture(&r, "b2_appended/perun.hdf5"), WS_OK);
    ck_assert_double_eq(find_fact(&r, "SLURMJOB_1/0", "", "perun.pue")->number, 1.25);
    ck_assert_double_eq(find_fact(&r, "SLURMJOB_1/0", "", "perun.power_overhead_w")->number, 110);
    ck_assert_str_eq(find_fact(&r, "SLURMJOB/0", "", "perun.version")->text, "0.9.1");
    ck_assert_str_eq(find_fact(&r, NULL, "gpu0", "gpu.name")->text, "NVIDIA A100-SXM4-40GB");
    recorder_free(&r);
    ck_assert_int_eq(read_fixture(&r, "a_single_node/perun.hdf5"), WS_OK);
    ck_assert_double_eq(find_fact(&r, "3172377/0", "", "perun.stored.energy_j")->number, 65598.71875);
    ck_close(find_fact(&r, "3172377/0", "gpu", "perun.stored.energy_j")->number, 49888.102, 1e-8, 0);
    ck_assert_double_eq(find_fact(&r, "3172377/0", "", "perun.mpi_ranks")->number, 4);
    recorder_free(&r);
    ck_assert_int_eq(read_fixture(&r, "c_v062/perun.hdf5"), WS_OK);
    ck_assert_double_eq(find_fact(&r, NULL, "", "perun.region.train_model.runs")->number, 1);
    ck_assert_double_eq(find_fact(&r, NULL, "", "perun.region.train_model.runtime_s")->number, 31);
    recorder_free(&r);
}
END_TEST

/* h5jam puts a text in front of a file, and h5py leaves room for one. */
static hid_t new_file_behind(hsize_t user_block)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_fapl_core(access, 1 << 20, false);
    H5Pset_userblock(create, user_block);
    hid_t file = H5Fcreate("made", H5F_ACC_TRUNC, create, access);
    ck_assert(file >= 0);
    H5Pclose(create);
    H5Pclose(access);
    return file;
}

START_TEST(a_file_behind_a_block_of_the_user)
{
    static const hsize_t blocks[] = {512, 1024, 8192, 32768};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        recorder r = {0};
        hid_t file = new_file_behind(blocks[b]), gpus = new_device_group(file, "gpu"),
              sensor = new_node(gpus, "CUDA:0_POWER", 6), chunked = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(chunked, 1, (const hsize_t[]){2});
        new_vector_as(chunked, sensor, "timesteps", stamps, 4, "s", 1);
        new_vector(sensor, "values", watts, 4, "W", 1);
        H5Pclose(chunked);
        H5Gclose(sensor);
        H5Gclose(gpus);
        size_t n, behind = (size_t)blocks[b];
        char *part = image_of(file, &n), *image = ws_alloc(behind + n); /* an image begins behind the block */
        ck_assert_mem_eq(part, "\x89HDF", 4);
        memset(image, 0, behind);
        memcpy(image, "run 7: two GPUs\n", 16);
        memcpy(image + behind, part, n);
        free(part);
        n += behind;
        ws_input *input = ws_input_from_memory("perun.hdf5", image, n);
        ck_assert_ptr_eq(ws_format_recognise(input, NULL), &ws_format_perun_hdf5);
        ws_input_close(input);
        ck_assert_int_eq(read_image(&r, image, n), WS_OK);
        const recorded *c = recorder_find(&r, "gpu0", NULL);
        ck_assert_uint_eq(c->n, 4);
        ck_assert_int_eq(c->t_ns[2], INT64_C(2500000000));
        ck_assert(c->value[3] == 400);
        free(image);
        recorder_free(&r);
    }
}
END_TEST

START_TEST(the_signature_is_recognised)
{
    const ws_span head = {"\x89HDF\r\n\x1a\n\0\0", 10};
    ck_assert_int_eq(ws_format_perun_hdf5.score("runs/perun.hdf5", head), 100);
    ck_assert_int_eq(ws_format_perun_hdf5.score("perun_results/app.hdf5", head), 90);
    ck_assert_int_eq(ws_format_perun_hdf5.score("perun.hdf5", (ws_span){"HDF", 3}), 0);
}
END_TEST

TEST_MAIN("perun hdf5", a_power_of_a_gpu_arrives_in_watts_and_nanoseconds, the_unit_decides_between_power_and_counter,
          powers_one_less_than_stamps_hold_up_to_the_next_stamp, long_series_come_whole_through_their_windows,
          stamps_become_the_nearest_nanosecond_and_halves_go_away_from_zero,
          sensors_that_nobody_wants_are_passed_by_their_names_and_units,
          gpus_keep_their_numbers_where_sensors_are_passed, a_sensor_without_usable_data_is_a_note,
          a_damaged_name_is_told_and_its_numbers_are_no_energy,
          runs_come_in_the_order_of_their_numbers_and_a_failed_one_is_noted, ranks_are_counted_in_every_spelling,
          regions_tell_their_passes_and_unfinished_ones, runs_hosts_and_sensors_of_the_versions,
          what_perun_stored_is_told_as_facts, a_file_behind_a_block_of_the_user, the_signature_is_recognised)
