/* "huber2025" as it is written: files read back by plain arithmetic and held against truth.json and the paper. Only
 * some runs are written, since a file of 256 GPUs takes a while; test_synth_huber_plan looks at all of them. */
#include "datasets/synth_run.h"

static found read_file(const char *campaign, const char *run)
{
    found f = {0};
    const char *path = ws_arena_printf(&arena, "%s/%s/%s/perun/perun.hdf5", folder, campaign, run);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_msg(file >= 0, "%s", path);
    ck_assert(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_perun, &f) >= 0);
    H5Fclose(file);
    return f;
}

/* The planted number of a configuration, with its mark. */
static double planted(const json_t *truth, const char *series, int gpus, const char *quantity)
{
    size_t i, k;
    json_t *config, *item;
    json_array_foreach(json_object_get(truth, "configurations"), i, config)
    {
        if (strcmp(text(config, "series"), series) != 0 || (int)number(config, "gpus") != gpus)
            continue;
        json_array_foreach(json_object_get(config, "planted"), k,
                           item) if (strcmp(text(item, "quantity"), quantity) == 0) return number(item, "value");
    }
    ck_abort_msg("%s is not planted for %s on %d GPUs", quantity, series, gpus);
    return NAN;
}

START_TEST(truth_is_what_the_files_hold)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    const char *some =
        "huber2025 c --raw --scale 0.01 --seed 4 --only gbs256/ --only lbs256/1g --only lbs256/2g --only lbs256/4g "
        "--only lbs256/8g --only lbs256/32g --only table1 --only fcn-gbs64/16g --only full-lbs256/4g "
        "--only full-lbs256/256g256b4w100e/9100041 --only gbs8192/32g";
    ck_assert_int_eq(synth(some), 0);
    json_t *truth = truth_of("c"), *run;
    size_t i;
    json_array_foreach(json_object_get(truth, "runs"), i, run)
    {
        found f = read_file("c", text(run, "run"));
        ck_close((double)f.gpu_j, number(run, "energy_gpu_j"), 1e-13, 0);
        ck_close((double)f.cpu_j, number(run, "energy_cpu_j"), 1e-13, 0);
        ck_close((double)f.dram_j, number(run, "energy_dram_j"), 1e-13, 0);
        ck_close(f.wall_s, number(run, "wall_s"), 1e-15, 0);
    }
    ck_assert_uint_gt(i, 60);
    json_decref(truth);
}
END_TEST

/* Points of Figure 3 C and D from the files alone: mean and RMSE of five runs, energy in kWh and GPUh. */
START_TEST(published_points_come_out_of_the_files)
{
    static const struct {
        const char *path;
        int gpus;
        double kwh, kwh_rmse, gpu_h, gpu_h_rmse;
    } points[] = {
        {"lbs256/1g256b4w100e256sf", 1, 0.18188253932638007, 0.0006584721675040511, 0.4108456963433159,
         0.002447083882372398},
        {"lbs256/2g256b4w100e128sf", 2, 0.2669868710051297, 0.004253398359366104, 0.8108969862196181,
         0.005561857090943572},
        {"lbs256/32g256b4w100e8sf", 32, 3.8067864522045873, 0.010050782120950607, 14.287587239583335,
         0.13976259856393078},
        {"gbs256/8g32b4w100e2sf", 8, 15.011009015235349, 0.20412648197251662, 47.9395078125, 0.09682621791422925},
        {"gbs256/16g16b4w100e", 16, 33.27702351990173, 0.23837288374649154, 113.66412326388891, 0.1041821566897172}};
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(
        synth("huber2025 c --raw --scale 0.01 --seed 9 --only lbs256/1g --only lbs256/2g --only lbs256/32g --only "
              "gbs256/"),
        0);
    json_t *truth = truth_of("c"), *run;
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        double kwh[5], hours[5], mean_kwh = 0, mean_hours = 0, kwh_rmse = 0, hours_rmse = 0;
        size_t i, n = 0;
        json_array_foreach(json_object_get(truth, "runs"), i, run)
        {
            size_t length = strlen(points[p].path);
            if (strncmp(text(run, "run"), points[p].path, length) != 0 || text(run, "run")[length] != '/')
                continue;
            found f = read_file("c", text(run, "run"));
            ck_assert_uint_lt(n, 5);
            kwh[n] = (double)(f.gpu_j + f.cpu_j + f.dram_j) / 3.6e6;
            hours[n++] = f.wall_s * points[p].gpus / 3600;
        }
        ck_assert_uint_eq(n, 5);
        for (i = 0; i < n; i++)
            mean_kwh += kwh[i] / 5, mean_hours += hours[i] / 5;
        for (i = 0; i < n; i++)
            kwh_rmse += pow(kwh[i] - mean_kwh, 2) / 5, hours_rmse += pow(hours[i] - mean_hours, 2) / 5;
        ck_close(mean_kwh, points[p].kwh, 1e-6, 0);
        ck_close(sqrt(kwh_rmse), points[p].kwh_rmse, 1e-3, 0);
        ck_close(mean_hours, points[p].gpu_h, 1e-6, 0);
        ck_close(sqrt(hours_rmse), points[p].gpu_h_rmse, 2e-3, 0);
    }
    json_decref(truth);
}
END_TEST

/* Scale thins the samples: times stay to the digit, energies within the rounding of the readings. */
START_TEST(scale_changes_neither_times_nor_energies)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("huber2025 c --raw --scale 0.01 --only gbs256/ --only table1-h100/4g"), 0);
    ck_assert_int_eq(synth("huber2025 d --raw --scale 0.05 --only gbs256/ --only table1-h100/4g"), 0);
    json_t *coarse = truth_of("c"), *fine = truth_of("d"), *run;
    size_t i;
    json_array_foreach(json_object_get(coarse, "runs"), i, run)
    {
        const json_t *other = run_of(fine, text(run, "job"));
        ck_assert(number(run, "wall_s") == number(other, "wall_s"));
        ck_close(number(run, "energy_j"), number(other, "energy_j"), 1e-6, 0);
    }
    ck_assert_uint_eq(i, 26);
    json_decref(coarse);
    json_decref(fine);
}
END_TEST

START_TEST(a_change_moves_one_run_by_its_factor)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("huber2025 c --scale 0.02 --only gbs256/1g"), 0);
    json_t *before = truth_of("c"), *run;
    const char *job = text(json_array_get(json_object_get(before, "runs"), 2), "job");
    ck_assert_int_eq(synth(ws_arena_printf(&arena, "huber2025 d --scale 0.02 --only gbs256/1g --change %s=1.25", job)),
                     0);
    json_t *after = truth_of("d");
    size_t i;
    json_array_foreach(json_object_get(before, "runs"), i, run)
    {
        const json_t *other = run_of(after, text(run, "job"));
        double factor = strcmp(text(run, "job"), job) == 0 ? 1.25 : 1;
        ck_assert(number(run, "wall_s") == number(other, "wall_s"));
        ck_close(number(other, "energy_j"), factor * number(run, "energy_j"), 1e-6, 0);
    }
    ck_assert_uint_eq(i, 5);
    json_decref(before);
    json_decref(after);
}
END_TEST

START_TEST(same_seed_gives_the_same_bytes)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("huber2025 c --scale 0.01 --seed 5 --only gbs256/"), 0);
    ck_assert_int_eq(synth("huber2025 d --scale 0.01 --seed 5 --only gbs256/"), 0);
    ck_assert_int_eq(synth("huber2025 e --scale 0.01 --seed 6 --only gbs256/"), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -r '%s/c' '%s/d'", folder, folder)), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -rq '%s/c' '%s/e' >/dev/null", folder, folder)), 1);
}
END_TEST

START_TEST(a_run_of_two_series_is_one_run)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    /* copied where both are written, and made anew where one is */
    ck_assert_int_eq(synth("huber2025 c --raw --scale 0.01 --only lbs256/32g --only gbs8192/32g"), 0);
    ck_assert_int_eq(synth("huber2025 d --raw --scale 0.01 --only gbs8192/32g"), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -r '%s/c/lbs256' '%s/c/gbs8192'", folder, folder)), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -r '%s/c/gbs8192' '%s/d/gbs8192'", folder, folder)), 0);
}
END_TEST

/* Times at which the readings of the first GPU fall through a level, and the share of readings below it. */
typedef struct profile {
    int falls;
    size_t n;
    double low_share;
} profile;

static profile first_gpu(const char *run, double level_of_mean)
{
    profile p = {0};
    const char *path = ws_arena_printf(&arena, "%s/c/%s/perun/perun.hdf5", folder, run);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_msg(file >= 0, "%s", path);
    const char *job = strrchr(run, '/') + 1;
    hid_t raw = H5Gopen2(
        file, ws_arena_printf(&arena, "perun/nodes/%s/nodes/0/nodes/node1/nodes/gpu/nodes/CUDA:0_POWER/raw_data", job),
        H5P_DEFAULT);
    ck_assert(raw >= 0);
    const double *mw = dataset(raw, "values", &p.n);
    double mean = 0;
    for (size_t i = 0; i < p.n; i++)
        mean += mw[i] / (double)p.n;
    for (size_t i = 0; i < p.n; i++) {
        bool low = mw[i] < level_of_mean * mean;
        p.low_share += low / (double)p.n;
        p.falls += low && i > 0 && mw[i - 1] >= level_of_mean * mean;
    }
    H5Gclose(raw);
    H5Fclose(file);
    return p;
}

/* Sec. 3.4, Fig. 5: between epochs the A100 falls to a base line, the H100 does not. */
START_TEST(a100_falls_to_a_base_line_and_h100_does_not)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("huber2025 c --raw --scale 0.04 --only table1-a100/16g --only table1-h100/16g"), 0);
    json_t *truth = truth_of("c"), *run;
    size_t i;
    json_array_foreach(json_object_get(truth, "runs"), i, run)
    {
        bool a100 = strcmp(text(run, "series"), "table1-a100") == 0;
        profile p = first_gpu(text(run, "run"), 0.6);
        ck_assert_int_eq(p.falls, a100 ? 80 : 0); /* epochs */
        ck_assert(a100 ? p.low_share > 0.1 && p.low_share < 0.16 : p.low_share == 0);
    }
    ck_assert_uint_eq(i, 2);
    json_decref(truth);
}
END_TEST

START_TEST(a_sample_a_second_at_full_scale)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("huber2025 c --only lbs256/1g256b4w100e256sf/9100001"), 0);
    json_t *truth = truth_of("c");
    const json_t *run = json_array_get(json_object_get(truth, "runs"), 0);
    profile p = first_gpu(text(run, "run"), 0.6);
    ck_assert_int_eq(p.falls, 100); /* epochs of 15 s */
    ck_close((double)p.n, number(run, "wall_s"), 0, 2);
    json_decref(truth);
}
END_TEST

static size_t check_marks(const json_t *list)
{
    size_t i, published = 0;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        const char *origin = text(item, "origin");
        ck_assert(strcmp(origin, "published") == 0 || strcmp(origin, "derived") == 0 || strcmp(origin, "assumed") == 0);
        if (strcmp(origin, "assumed") != 0)
            ck_assert_msg(json_object_get(item, "place") != NULL, "%s has no place", text(item, "quantity"));
        published += strcmp(origin, "published") == 0;
    }
    return published;
}

START_TEST(every_planted_number_is_marked)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("huber2025 c --scale 0.01 --only gbs256/1g"), 0);
    json_t *truth = truth_of("c"), *config;
    size_t i, published = check_marks(json_object_get(truth, "planted"));
    json_array_foreach(json_object_get(truth, "configurations"), i, config) published +=
        check_marks(json_object_get(config, "planted"));
    ck_assert_uint_ge(published, 18 * 4 + 6 * 2 + 4 + 4 + 4);
    ck_assert(planted(truth, "lbs256", 256, "energy_gpu_kwh") > 20.25 &&
              planted(truth, "lbs256", 256, "energy_gpu_kwh") < 20.35);
    ck_assert(planted(truth, "table1-h100", 16, "energy_kwh") == 145.31);
    ck_assert_uint_gt(json_array_size(json_object_get(truth, "left_out")), 5);
    ck_assert(json_is_true(json_object_get(truth, "synthetic")));
    json_decref(truth);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    static const char *const wrong[] = {"huber2025 c --scale 2", "huber2025 c --scale 0.001",
                                        "huber2025 c --only lbs255/", "huber2025 c --only 'a b'", "huber2025 c --only"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(synth(wrong[i]) == 2, "accepted: %s", wrong[i]);
}
END_TEST

FIXTURE_MAIN("synth huber", set_up, tear_down, truth_is_what_the_files_hold, published_points_come_out_of_the_files,
             scale_changes_neither_times_nor_energies, a_change_moves_one_run_by_its_factor,
             same_seed_gives_the_same_bytes, a_run_of_two_series_is_one_run,
             a100_falls_to_a_base_line_and_h100_does_not, a_sample_a_second_at_full_scale,
             every_planted_number_is_marked, wrong_arguments_are_refused)
