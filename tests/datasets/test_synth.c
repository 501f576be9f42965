/* Runs wattscale-synth, reads its files back by plain arithmetic of its own, and holds them against truth.json. */
#include "datasets/synth_run.h"

#include "core/stamp.h"

static double stamp_s(ws_span cell, int64_t origin_ns, int64_t *ns)
{
    ws_stamp stamp;
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, cell, WS_ZONE_NONE, &stamp));
    *ns = stamp.ns;
    return (double)(stamp.ns - origin_ns) / 1e9;
}

enum { DEVICES = 4 };

/* Rows of one nvidia-smi file: stamp, index, uuid, power with unit, and two columns more. */
static void add_gpu_file(found *f, FILE *file)
{
    char line[400];
    int64_t origin_ns = 0, now_ns;
    double t_before[DEVICES], w_before[DEVICES];
    bool seen[DEVICES] = {false};
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_ptr_nonnull(strstr(line, "power.draw [W]"));
    while (fgets(line, sizeof line, file)) {
        ws_span rest = ws_span_of(line), cell[4], unit;
        int64_t gpu;
        double w;
        for (size_t c = 0; c < 4; c++)
            ck_assert(ws_span_split(&rest, ',', &cell[c]));
        ck_assert(ws_span_i64(cell[1], &gpu) && gpu < DEVICES);
        ck_assert(ws_span_number(cell[3], &w, &unit) && ws_span_eq(unit, "W"));
        double t = stamp_s(cell[0], origin_ns, &now_ns);
        if (!origin_ns) {
            origin_ns = now_ns;
            t = 0;
        }
        if (seen[gpu])
            f->gpu_j += (long double)(w + w_before[gpu]) / 2 * (t - t_before[gpu]);
        seen[gpu] = true;
        t_before[gpu] = t;
        w_before[gpu] = w;
        f->wall_s = t > f->wall_s ? t : f->wall_s;
    }
}

static void add_rapl_file(found *f, FILE *file)
{
    static const int64_t range[DEVICES] = {262143328850, 262143328850, 65712999613, 65712999613};
    char line[400];
    int64_t before[DEVICES], now;
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "# max_energy_range_uj package-0=262143328850 package-1=262143328850 dram-0=65712999613 "
                           "dram-1=65712999613\n");
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "timestamp,package-0,package-1,dram-0,dram-1\n");
    for (int row = 0; fgets(line, sizeof line, file); row++) {
        ws_span rest = ws_span_of(line), cell;
        ck_assert(ws_span_split(&rest, ',', &cell));
        for (int c = 0; c < DEVICES; c++) {
            ck_assert(ws_span_split(&rest, ',', &cell) && ws_span_i64(cell, &now) && now >= 0 && now < range[c]);
            int64_t step = row ? now - before[c] : 0;
            f->wraps += step < 0;
            *(c < 2 ? &f->cpu_j : &f->dram_j) += (long double)(step < 0 ? step + range[c] : step) / 1000000;
            before[c] = now;
        }
    }
}

/* All files of a run that the shell pattern names, plain or gzip-ed. */
static void add_files(found *f, const char *run, const char *pattern, void (*add)(found *, FILE *))
{
    const char *list = ws_arena_printf(&arena, "ls %s/%s/%s", folder, run, pattern);
    FILE *names = popen(list, "r");
    char name[4000];
    int n = 0;
    while (fgets(name, sizeof name, names)) {
        name[strcspn(name, "\n")] = '\0';
        FILE *file = popen(ws_arena_printf(&arena, "gzip -dcf '%s'", name), "r");
        add(f, file);
        ck_assert_int_eq(pclose(file), 0);
        n++;
    }
    ck_assert_int_eq(pclose(names), 0);
    ck_assert_int_gt(n, 0);
}

static found read_run(const json_t *run)
{
    found f = {0};
    const char *path = ws_arena_printf(&arena, "c/%s", text(run, "run"));
    if (strcmp(text(run, "files"), "perun") == 0) {
        hid_t file =
            H5Fopen(ws_arena_printf(&arena, "%s/%s/perun/perun.hdf5", folder, path), H5F_ACC_RDONLY, H5P_DEFAULT);
        ck_assert(file >= 0);
        ck_assert(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_perun, &f) >= 0);
        H5Fclose(file);
    } else {
        add_files(&f, path, "gpu_*", add_gpu_file);
        add_files(&f, path, "rapl_*", add_rapl_file);
    }
    return f;
}

START_TEST(truth_is_what_the_files_hold)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("small c --seed 3"), 0);
    json_t *truth = truth_of("c"), *run, *runs = json_object_get(truth, "runs");
    ck_assert_uint_eq(json_array_size(runs), 45);
    int wraps = 0;
    size_t i;
    json_array_foreach(runs, i, run)
    {
        found f = read_run(run);
        ck_close((double)f.gpu_j, number(run, "energy_gpu_j"), 1e-14, 0);
        ck_close((double)f.cpu_j, number(run, "energy_cpu_j"), 1e-15, 0);
        ck_close((double)f.dram_j, number(run, "energy_dram_j"), 1e-15, 0);
        ck_close((double)(f.gpu_j + f.cpu_j + f.dram_j), number(run, "energy_j"), 1e-14, 0);
        ck_close(f.wall_s, number(run, "wall_s"), 1e-15, 0);
        ck_close(number(run, "gpu_h"), number(run, "gpus") * f.wall_s / 3600, 1e-15, 0);
        wraps += f.wraps;
    }
    ck_assert_int_ge(wraps, 45); /* one at least in two repeats of three */
    json_decref(truth);
}
END_TEST

START_TEST(same_seed_gives_the_same_bytes)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("small c --seed 5"), 0);
    ck_assert_int_eq(synth("small d --seed=5"), 0);
    ck_assert_int_eq(synth("small e --seed 6"), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -r '%s/c' '%s/d'", folder, folder)), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -rq '%s/c' '%s/e' >/dev/null", folder, folder)), 1);
}
END_TEST

START_TEST(the_bundled_demo_is_seed_1)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    if (access("datasets/demo/truth.json", R_OK) != 0)
        skip_because("datasets/demo is not below the working directory");
    ck_assert_int_eq(synth("small c --seed 1"), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -r datasets/demo '%s/c'", folder)), 0);
}
END_TEST

/* Slope of log wall time over log GPUs by least squares, and the ratio of total energy to total GPUh on full nodes. */
static void estimate(const json_t *truth, const char *series, double *slope, double *kwh_per_gpuh)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, kwh = 0, gpu_h = 0;
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(truth, "runs"), i, run)
    {
        if (strcmp(text(run, "series"), series) != 0)
            continue;
        double u = log(number(run, "gpus")), v = log(number(run, "wall_s"));
        n++, x += u, y += v, xx += u * u, xy += u * v;
        if (number(run, "gpus") >= 4)
            kwh += number(run, "energy_j") / 3.6e6, gpu_h += number(run, "gpu_h");
    }
    ck_assert(n == 15);
    *slope = (n * xy - x * y) / (n * xx - x * x);
    *kwh_per_gpuh = kwh / gpu_h;
}

/* Four standard errors: 15 points at log n = 0 .. 4 log 2 have a spread of sqrt(30) log 2; nine runs share the noise of
 * the power, beside which a few 1e-4 of sampling error remain. */
START_TEST(planted_scaling_and_factor_come_back)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    for (int seed = 11; seed < 14; seed++) {
        ck_assert_int_eq(synth(ws_arena_printf(&arena, "small c%d --seed %d", seed, seed)), 0);
        json_t *truth = truth_of(ws_arena_printf(&arena, "c%d", seed)), *series;
        size_t i;
        json_array_foreach(json_object_get(truth, "series"), i, series)
        {
            double slope, factor;
            estimate(truth, text(series, "series"), &slope, &factor);
            ck_close(slope, -number(series, "beta"), 0, 4 * number(series, "time_sd") / (sqrt(30) * log(2)));
            double relative = 4 * number(series, "power_sd") / 3 + 5e-4;
            ck_close(factor, number(series, "kwh_per_gpuh_full_nodes"), relative, 0);
        }
        json_decref(truth);
    }
}
END_TEST

START_TEST(a_change_moves_one_run_by_its_factor)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("small c"), 0);
    ck_assert_int_eq(synth("small d --change 9000020=1.25"), 0);
    json_t *before = truth_of("c"), *after = truth_of("d"), *run;
    size_t i;
    json_array_foreach(json_object_get(before, "runs"), i, run)
    {
        const json_t *other = run_of(after, text(run, "job"));
        if (strcmp(text(run, "job"), "9000020") != 0) {
            ck_assert(json_equal(run, other));
            continue;
        }
        ck_assert(number(run, "wall_s") == number(other, "wall_s"));
        /* readings are rounded to 0.01 W, and energies to 1 uJ */
        ck_close(number(other, "energy_gpu_j"), 1.25 * number(run, "energy_gpu_j"), 1e-5, 0);
        ck_close(number(other, "energy_cpu_j"), 1.25 * number(run, "energy_cpu_j"), 1e-9, 0);
        ck_close(number(other, "energy_dram_j"), 1.25 * number(run, "energy_dram_j"), 1e-9, 0);
    }
    /* its two traces and its job log; README.md, sacct.txt and truth.json */
    const char *of_run = "cd '%s' && test \"$(diff -rq c d | grep -c 9000020)\" = 3";
    const char *of_all = "cd '%s' && test \"$(diff -rq c d | wc -l)\" = 6";
    ck_assert_int_eq(shell(ws_arena_printf(&arena, of_run, folder)), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, of_all, folder)), 0);
    json_decref(before);
    json_decref(after);
}
END_TEST

START_TEST(scale_makes_runs_longer)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("small c"), 0);
    ck_assert_int_eq(synth("small d --scale 3"), 0);
    json_t *once = truth_of("c"), *thrice = truth_of("d"), *run;
    size_t i;
    json_array_foreach(json_object_get(once, "runs"), i, run)
    {
        const json_t *other = run_of(thrice, text(run, "job"));
        ck_close(number(other, "wall_s"), 3 * number(run, "wall_s"), 0, 0.01); /* stamps have a grid */
        ck_close(number(other, "energy_cpu_j"), 3 * number(run, "energy_cpu_j"), 1e-3, 0);
    }
    json_decref(once);
    json_decref(thrice);
}
END_TEST

START_TEST(the_failed_run_is_there_and_excluded)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("small c"), 0);
    json_t *truth = truth_of("c");
    ck_assert_ptr_null(run_of(truth, "9000042"));
    const json_t *excluded = json_array_get(json_object_get(truth, "excluded"), 0);
    ck_assert_str_eq(text(excluded, "job"), "9000042");
    const char *cut =
        ws_arena_printf(&arena, "gzip -dc '%s/c/%s/gpu_node1.csv.gz' | tail -c 1 | grep -q '[^[:space:]]'", folder,
                        text(excluded, "run"));
    ck_assert_int_eq(shell(cut), 0); /* ends inside a row */
    json_t *campaign = json_load_file(ws_arena_printf(&arena, "%s/c/campaign.json", folder), 0, NULL);
    const json_t *rule = json_array_get(json_object_get(campaign, "exclude"), 0);
    ck_assert_str_eq(text(rule, "where"), "job=9000042");
    ck_assert_str_eq(text(rule, "reason"), text(excluded, "reason"));
    json_decref(campaign);
    json_decref(truth);
}
END_TEST

/* A stored ZIP with a protocol-2 pickle, read by its documented layout: the last float is the accuracy. */
START_TEST(torch_list_ends_with_the_accuracy)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("small c"), 0);
    json_t *truth = truth_of("c");
    const json_t *run = run_of(truth, "9000001");
    unsigned char bytes[2000];
    FILE *file = fopen(ws_arena_printf(&arena, "%s/c/%s/valid_top1.pt", folder, text(run, "run")), "rb");
    ck_assert_ptr_nonnull(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ck_assert_mem_eq(bytes, "PK\3\4", 4);
    size_t size = bytes[22], start = (size_t)30 + bytes[26] + bytes[28];
    ck_assert_uint_eq(start % 64, 0);
    ck_assert_uint_lt(start + size, n);
    const unsigned char *pickle = bytes + start;
    ck_assert_mem_eq(pickle, "\x80\x02]q\x00(G", 7);
    ck_assert_uint_eq(size, 6 + 9 * 10 + 2);
    ck_assert_mem_eq(pickle + size - 2, "e.", 2);
    uint64_t bits = 0;
    for (size_t i = size - 10; i < size - 2; i++)
        bits = bits << 8 | pickle[i];
    double last;
    memcpy(&last, &bits, sizeof last);
    ck_assert(100 - last == number(run, "error_top1"));
    json_decref(truth);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    static const char *const wrong[] = {"",
                                        "small",
                                        "large c",
                                        "small c d",
                                        "small c --seed x",
                                        "small c --seed",
                                        "small c --scale 0",
                                        "small c --change 9000001",
                                        "small c --change 1=1.1",
                                        "small c --change 9000001=-1",
                                        "small c --sede 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(synth(wrong[i]) == 2, "accepted: %s", wrong[i]);
    ck_assert_int_eq(synth("small c"), 0);
    ck_assert_int_eq(synth("small c"), 3);
    ck_assert_int_eq(synth("small c --force"), 0);
    ck_assert_int_eq(synth("small message/c"), 3); /* below a file */
}
END_TEST

FIXTURE_MAIN("synth", set_up, tear_down, the_bundled_demo_is_seed_1, truth_is_what_the_files_hold,
             same_seed_gives_the_same_bytes, planted_scaling_and_factor_come_back, a_change_moves_one_run_by_its_factor,
             scale_makes_runs_longer, the_failed_run_is_there_and_excluded, torch_list_ends_with_the_accuracy,
             wrong_arguments_are_refused)
