/* "frey2022": manifest and windows read back by plain arithmetic, against truth.json and the tables of Frey et al.
 * 2022. */
#include "datasets/synth_run.h"

#include "core/stamp.h"

enum { CELLS = 12 };

static size_t cut_line(char *line, ws_span *cell)
{
    ws_span rest = ws_span_trim(ws_span_of(line));
    size_t n = 0;
    while (n < CELLS && ws_span_split(&rest, ',', &cell[n]))
        n++;
    return n;
}

static double value_of(ws_span cell)
{
    double value;
    ws_span unit;
    ck_assert_msg(ws_span_number(ws_span_trim(cell), &value, &unit), "'%.*s' is no number", WS_SPAN_ARG(cell));
    return value;
}

/* Time per epoch of a job, which times the epochs is its time. */
static double epoch_s(const char *job)
{
    char line[400];
    ws_span cell[CELLS];
    double found_s = 0;
    FILE *file = fopen(ws_arena_printf(&arena, "%s/c/manifest.csv", folder), "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, "job,model,model_class,lbs,epochs,power_cap_w,clock_cap_hz,epoch_s,job_wall_s\n");
    while (!found_s && fgets(line, sizeof line, file)) {
        ck_assert_uint_eq(cut_line(line, cell), 9);
        if (ws_span_eq(cell[0], job)) {
            found_s = value_of(cell[7]);
            ck_close(value_of(cell[8]), found_s * value_of(cell[4]), 1e-12, 0);
        }
    }
    fclose(file);
    ck_assert_msg(found_s > 0, "job %s is not in the manifest", job);
    return found_s;
}

enum { SERIES = 20, PUBLISHED_SERIES = 18 };

enum { GPUS = 2 };

/* What one file of a node holds, a GPU. */
typedef struct node {
    double energy_j[GPUS], span_s[GPUS], util[GPUS], util2[GPUS], mem[GPUS], mem2[GPUS], max_w, limit_w, clock_mhz;
    double longest_step_s;
    int longest_still; /* the most readings of a GPU in a row that show one power */
} node;

static node read_node(const char *path)
{
    static const char head[] = "timestamp, index, uuid, power.draw [W], power.limit [W], utilization.gpu [%], "
                               "utilization.memory [%], memory.used [MiB], clocks.sm [MHz]\n";
    node f = {0};
    char line[400];
    ws_span cell[CELLS];
    double w[GPUS], u[GPUS], m[GPUS];
    int64_t t[GPUS] = {0};
    int still[GPUS] = {0};
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    ck_assert_str_eq(line, head);
    while (fgets(line, sizeof line, file)) {
        ws_stamp stamp;
        ck_assert_uint_eq(cut_line(line, cell), 9);
        ck_assert(ws_stamp_parse(WS_STAMP_YMD, cell[0], WS_ZONE_NONE, &stamp));
        int g = (int)value_of(cell[1]);
        ck_assert(g == 0 || g == 1);
        double now_w = value_of(cell[3]), now_u = value_of(cell[5]) / 100, now_m = value_of(cell[6]) / 100;
        double dt = t[g] ? (double)(stamp.ns - t[g]) / 1e9 : 0;
        if (dt > 0) {
            f.energy_j[g] += (now_w + w[g]) / 2 * dt;
            f.util[g] += (now_u + u[g]) / 2 * dt, f.util2[g] += (now_u * now_u + u[g] * u[g]) / 2 * dt;
            f.mem[g] += (now_m + m[g]) / 2 * dt, f.mem2[g] += (now_m * now_m + m[g] * m[g]) / 2 * dt;
            f.span_s[g] += dt;
        }
        f.longest_step_s = fmax(f.longest_step_s, dt);
        f.max_w = fmax(f.max_w, now_w);
        still[g] = t[g] && now_w == w[g] ? still[g] + 1 : 1;
        f.longest_still = still[g] > f.longest_still ? still[g] : f.longest_still;
        f.limit_w = value_of(cell[4]);
        f.clock_mhz = value_of(cell[8]);
        t[g] = stamp.ns, w[g] = now_w, u[g] = now_u, m[g] = now_m;
    }
    fclose(file);
    return f;
}

static double cv(double sum, double squares, double span_s)
{
    double mean = sum / span_s;
    return sqrt(squares / span_s - mean * mean) / mean;
}

START_TEST(truth_is_what_the_files_hold)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("frey2022 c --scale 0.2 --only table3 --only table5-bert-100w/4"), 0);
    json_t *truth = truth_of("c"), *run;
    size_t i;
    json_array_foreach(json_object_get(truth, "runs"), i, run)
    {
        double energy_j = 0, util = 0, util_cv = 0, mem = 0, mem_cv = 0, gpus = number(run, "gpus");
        ck_assert(gpus == GPUS * number(run, "nodes"));
        for (int k = 1; k <= (int)number(run, "nodes"); k++) {
            node f = read_node(ws_arena_printf(&arena, "%s/c/%s/gpu_node%d.csv", folder, text(run, "run"), k));
            for (int g = 0; g < GPUS; g++) {
                energy_j += f.energy_j[g];
                ck_close(f.span_s[g], number(run, "window_s"), 1e-12, 0);
                util += f.util[g] / f.span_s[g] / gpus, util_cv += cv(f.util[g], f.util2[g], f.span_s[g]) / gpus;
                mem += f.mem[g] / f.span_s[g] / gpus, mem_cv += cv(f.mem[g], f.mem2[g], f.span_s[g]) / gpus;
            }
            ck_assert(f.max_w <= f.limit_w && f.longest_step_s < 0.11);
            ck_assert(strstr(text(run, "series"), "135mhz") ? f.clock_mhz <= 135 : f.clock_mhz <= 1380);
        }
        ck_close(epoch_s(text(run, "job")), number(run, "epoch_s"), 1e-12, 0);
        ck_close(energy_j, number(run, "energy_gpu_j"), 1e-11, 0);
        ck_close(util, number(run, "util_mean"), 1e-11, 0);
        ck_close(util_cv, number(run, "util_cv"), 1e-8, 0);
        ck_close(mem, number(run, "mem_util_mean"), 1e-11, 0);
        ck_close(mem_cv, number(run, "mem_util_cv"), 1e-8, 0);
        ck_close(energy_j / 12 * number(run, "job_wall_s") / 3.6e6, number(run, "training_kwh"), 1e-11, 0);
    }
    ck_assert_uint_eq(i, 3 * 8 + 2);
    json_decref(truth);
}
END_TEST

/* A power that a cap holds is no sensor that stands still: below the cap, with noise of its own. */
START_TEST(powers_under_a_cap_do_not_stand_still)
{
    enum { MOST_IN_A_ROW = 3 };
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("frey2022 c --scale 0.2 --only table5-bert-100w --only table6-resnet50-100w/2gpus"), 0);
    json_t *truth = truth_of("c"), *run;
    size_t i;
    json_array_foreach(json_object_get(truth, "runs"), i, run)
    {
        node f = read_node(ws_arena_printf(&arena, "%s/c/%s/gpu_node1.csv", folder, text(run, "run")));
        ck_assert_msg(f.longest_still <= MOST_IN_A_ROW, "%s: %d readings of one power", text(run, "run"),
                      f.longest_still);
        ck_assert(number(run, "gpu_power_w") < 0.975 * f.limit_w);
    }
    ck_assert_uint_eq(i, 9 + 1);
    json_decref(truth);
}
END_TEST

static double of_run(const json_t *truth, const char *series, int gpus, const char *name)
{
    size_t i;
    json_t *run;
    json_array_foreach(json_object_get(truth, "runs"), i,
                       run) if (strcmp(text(run, "series"), series) == 0 &&
                                (int)number(run, "gpus") == gpus) return number(run, name);
    ck_abort_msg("no run of %s on %d GPUs", series, gpus);
    return NAN;
}

/* Sec. 3: a cap of 200 W saves at least 10 % on 2 GPUs; utilisation above 60 and 75 %, memory as in Fig. 2 and 3. */
START_TEST(what_the_text_says_of_energy_and_utilisation)
{
    static const char *const models[] = {"table4-dimenet", "table5-bert", "table6-resnet50"};
    if (!program)
        skip_because("wattscale-synth is not built");
    for (int seed = 1; seed <= 3; seed++) {
        ck_assert_int_eq(synth(ws_arena_printf(
                             &arena,
                             "frey2022 c --scale 0.05 --force --seed %d --only table4-dimenet-2 --only table5-bert-2 "
                             "--only table6-resnet50-2 --only table2-schnet/2gpus --only table2-vgg16/2gpus",
                             seed)),
                         0);
        json_t *truth = truth_of("c");
        for (size_t i = 0; i < 3; i++) {
            const char *full = ws_arena_printf(&arena, "%s-250w", models[i]);
            double saved = of_run(truth, ws_arena_printf(&arena, "%s-200w", models[i]), 2, "training_kwh") /
                           of_run(truth, full, 2, "training_kwh");
            ck_assert_msg(saved <= 0.9, "%s: %g of the energy", models[i], saved);
            for (int gpus = 2; gpus <= 128; gpus *= 2)
                ck_assert(of_run(truth, full, gpus, "util_mean") > 0.75);
        }
        ck_close(of_run(truth, "table5-bert-250w", 2, "mem_util_mean"), 0.40, 0, 0.02);
        ck_close(of_run(truth, "table5-bert-250w", 128, "mem_util_mean"), 0.20, 0, 0.02);
        ck_close(of_run(truth, "table6-resnet50-250w", 2, "mem_util_mean"), 0.50, 0, 0.02);
        ck_assert(of_run(truth, "table2-schnet", 2, "util_mean") > 0.6);
        ck_assert(of_run(truth, "table2-schnet", 2, "mem_util_mean") > 0.3);
        json_decref(truth);
    }
}
END_TEST

START_TEST(same_seed_gives_the_same_bytes)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("frey2022 c --scale 0.05 --seed 5 --only table6"), 0);
    ck_assert_int_eq(synth("frey2022 d --scale 0.05 --seed 5 --only table6"), 0);
    ck_assert_int_eq(synth("frey2022 e --scale 0.05 --seed 6 --only table6"), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -r '%s/c' '%s/d'", folder, folder)), 0);
    ck_assert_int_eq(shell(ws_arena_printf(&arena, "diff -rq '%s/c' '%s/e' >/dev/null", folder, folder)), 1);
}
END_TEST

START_TEST(windows_are_a_minute_at_full_scale)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("frey2022 c --only table6-resnet50-250w/2gpus"), 0);
    json_t *truth = truth_of("c");
    const json_t *run = json_array_get(json_object_get(truth, "runs"), 0);
    ck_assert(number(run, "window_s") == 60);
    ck_assert_int_eq(synth(ws_arena_printf(&arena, "frey2022 d --only table6-resnet50-250w/2gpus --change %s=0.5",
                                           text(run, "job"))),
                     0);
    json_t *changed = truth_of("d");
    const json_t *half = json_array_get(json_object_get(changed, "runs"), 0);
    /* half the energy, and a little more, since some readings at full power end at the cap */
    double ratio = number(half, "energy_gpu_j") / number(run, "energy_gpu_j");
    ck_assert_msg(ratio >= 0.4999 && ratio < 0.515, "%g of the energy", ratio);
    ck_assert(number(half, "job_wall_s") == number(run, "job_wall_s"));
    json_decref(changed);
    json_decref(truth);
}
END_TEST

START_TEST(every_planted_number_is_marked)
{
    if (!program)
        skip_because("wattscale-synth is not built");
    ck_assert_int_eq(synth("frey2022 c --scale 0.02 --only table3-dimenet-135mhz/2gpus"), 0);
    json_t *truth = truth_of("c"), *series, *item;
    size_t i, k, n_published = 0;
    json_array_foreach(json_object_get(truth, "series"), i, series)
        json_array_foreach(json_object_get(series, "planted"), k, item)
    {
        const char *origin = text(item, "origin");
        ck_assert(strcmp(origin, "published") == 0 || strcmp(origin, "derived") == 0 || strcmp(origin, "assumed") == 0);
        if (strcmp(origin, "assumed") != 0)
            ck_assert_ptr_nonnull(text(item, "place"));
        n_published += strcmp(origin, "published") == 0;
    }
    ck_assert_uint_eq(i, SERIES);
    ck_assert_uint_ge(n_published, 3 * PUBLISHED_SERIES);
    ck_assert_uint_gt(json_array_size(json_object_get(truth, "left_out")), 4);
    json_decref(truth);
}
END_TEST

FIXTURE_MAIN("synth frey", set_up, tear_down, truth_is_what_the_files_hold, powers_under_a_cap_do_not_stand_still,
             what_the_text_says_of_energy_and_utilisation, same_seed_gives_the_same_bytes,
             windows_are_a_minute_at_full_scale, every_planted_number_is_marked)
