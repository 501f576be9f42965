/* Every energy, power and run time that perun itself stored, at sensor, group, host and run level and in its statistics
 * over runs, against --rule perun. perun works with 32-bit floats, so 1e-5.
 *
 * Groups, hosts and runs: fixtures/perun/expected.json, read back from the files by another program. Sensors: the
 * files' own attributes, read here. */
#include "harness.h"

#include "analyze/commands/energy_table.h"
#include "analyze/source.h"

#include <float.h>
#include <hdf5.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const double PERUN_TOLERANCE = 1e-5;

static const struct {
    const char *file;
    double overhead_w, pue; /* what perun put into its energies */
} fixtures[] = {
    {"a_single_node/perun.hdf5", 0, 1},
    {"b_two_nodes/perun.hdf5.gz", 0, 1},
    {"b2_appended/perun.hdf5", 110, 1.25},
    {"c_v033/perun_2025-03-18T19:21:59.082046.hdf5", 0, 1},
    {"c_v040/perun.hdf5", 0, 1},
    {"c_v062/perun.hdf5", 0, 1},
    {"c_v070/perun.hdf5", 0, 1},
    {"c_v0810/perun.hdf5", 0, 1},
    {"d_real_monitor/sleepapp.hdf5", 0, 1},
    {"e_public_a100x2/perun.hdf5.gz", 0, 1},
};
enum { FIXTURES = sizeof fixtures / sizeof *fixtures, GROUPINGS = WS_BY_RUN + 1 };

/* One file, measured, and what is compared with it. */
typedef struct subject {
    const char *file, *path;
    double overhead_w, pue;
    ws_measure measure;
    ws_notes notes;
    ws_table table[GROUPINGS];
    size_t hosts;   /* of the run that is compared */
    size_t sensors; /* with an energy: counted in expected.json, taken off where the file has them */
} subject;

static ws_arena arena;
static size_t n_values, n_failures;

static const char *fixture_path(const char *file)
{
    return ws_arena_printf(&arena, "%s/fixtures/perun/%s", getenv("CORPUS"), file);
}

static void open_subject(subject *s, const char *file, ws_rule rule)
{
    ws_error error = {0};
    ws_source_options source = {.as = NULL, .read = WS_READ_DEFAULTS};
    *s = (subject){.file = file, .path = fixture_path(file)};
    ws_measure_init(&s->measure, &(ws_measure_options){.rule = rule, .every_fact = true});
    ws_measure_begin(&s->measure, file, "");
    ws_sink sink = ws_measure_sink(&s->measure);
    ws_status status = ws_source_read(s->path, &source, &sink, &s->notes, NULL, &error);
    ck_assert_msg(status == WS_OK, "%s", error.message);
    ws_measure_finish(&s->measure, &s->notes);
    for (int by = 0; by < GROUPINGS; by++) {
        ws_energy_table_init(&s->table[by], (ws_energy_grouping)by);
        size_t first = ws_energy_table_add_perun(&s->table[by]);
        ws_energy_table_add(&s->table[by], &s->measure, (ws_energy_grouping)by);
        ws_energy_table_set_perun(&s->measure, (ws_energy_grouping)by, &s->table[by], first, 0);
    }
}

static void close_subject(subject *s)
{
    for (int by = 0; by < GROUPINGS; by++)
        ws_table_free(&s->table[by]);
    ws_notes_free(&s->notes);
    ws_measure_free(&s->measure);
}

/* Which rows; NULL for any. */
typedef struct place {
    const char *run, *node, *domain, *column;
} place;

static bool fits(const ws_table *t, const char *column, size_t row, const char *wanted)
{
    const char *text = ws_table_column(t, column)->text[row];
    return !wanted || (text && strcmp(text, wanted) == 0);
}

static double number(const ws_table *t, const char *column, size_t row)
{
    size_t at;
    ck_assert_msg(ws_table_find(t, column, &at), "the energy table has no column %s", column);
    return ws_table_number(t, at, row);
}

/* Sum of a column over the rows at a place, NaN without any; the largest one for durations. */
static double value_at(const subject *s, ws_energy_grouping by, const place *p, const char *column)
{
    const ws_table *t = &s->table[by];
    double value = NAN;
    for (size_t row = 0; row < t->n_rows; row++) {
        double cell = number(t, column, row);
        if (!fits(t, "run", row, p->run) || !fits(t, "node", row, p->node) || !fits(t, "domain", row, p->domain) ||
            !fits(t, "column", row, p->column) || isnan(cell))
            continue;
        bool largest = strcmp(column, "duration_s") == 0;
        value = isnan(value) ? cell : largest ? fmax(value, cell) : value + cell;
    }
    return value;
}

static void compare(const subject *s, const place *p, const char *what, double got, double want, double tolerance)
{
    n_values++;
    if (fabs(got - want) <= tolerance)
        return;
    n_failures++;
    printf("  %s %s %s %s %s: %s is %.9g, not %.9g\n", s->file, p->run ? p->run : "", p->node ? p->node : "",
           p->domain ? p->domain : "", p->column ? p->column : "", what, got, want);
}

static void compare_stored(const subject *s, const place *p, const char *what, double got, double want)
{
    compare(s, p, what, got, want, PERUN_TOLERANCE * fabs(want));
}

static double total_power(const subject *s, ws_energy_grouping by, const place *p)
{
    double overhead_w = by == WS_BY_NODE ? s->overhead_w : by == WS_BY_RUN ? s->overhead_w * (double)s->hosts : 0;
    return value_at(s, by, p, "mean_power_w") + overhead_w;
}

/* ENERGY, POWER and RUNTIME of the place itself; GPU_ENERGY and the like of its devices of one kind. */
static double metric_value(const subject *s, ws_energy_grouping by, const place *p, const char *metric)
{
    static const struct {
        const char *metric, *domain, *column;
    } parts[] = {{"GPU_ENERGY", "gpu", "energy_j"},    {"CPU_ENERGY", "cpu", "energy_j"},
                 {"DRAM_ENERGY", "dram", "energy_j"},  {"GPU_POWER", "gpu", "mean_power_w"},
                 {"CPU_POWER", "cpu", "mean_power_w"}, {"DRAM_POWER", "dram", "mean_power_w"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(metric, parts[i].metric) == 0)
            return value_at(s, WS_BY_DOMAIN, &(place){p->run, p->node, parts[i].domain, NULL}, parts[i].column);
    return strcmp(metric, "ENERGY") == 0  ? value_at(s, by, p, "perun_energy_j")
           : strcmp(metric, "POWER") == 0 ? total_power(s, by, p)
                                          : value_at(s, by, p, "duration_s");
}

static bool is_metric(const char *name)
{
    size_t n = strlen(name);
    return strcmp(name, "RUNTIME") == 0 || (n >= 6 && strcmp(name + n - 6, "ENERGY") == 0) ||
           (n >= 5 && strcmp(name + n - 5, "POWER") == 0);
}

/* {"CPU_ENERGY":13734.4678,"ENERGY":...} of a group, a host or a run. A place without energy has no run time here. */
static void check_metrics(const subject *s, ws_energy_grouping by, const place *p, const json_t *metrics)
{
    const char *name;
    json_t *value;
    if (!json_object_get(metrics, "ENERGY"))
        return;
    compare_stored(s, p, "the stored ENERGY in the table", value_at(s, by, p, "stored_energy_j"),
                   json_number_value(json_object_get(metrics, "ENERGY")));
    json_object_foreach((json_t *)metrics, name, value) if (is_metric(name))
        compare_stored(s, p, name, metric_value(s, by, p, name), json_number_value(value));
}

static void count_sensors(subject *s, json_t *sensors)
{
    const char *name;
    json_t *value;
    json_object_foreach(sensors, name, value) s->sensors +=
        json_object_get(value, "energy_trapz_J") || json_object_get(value, "energy_counter_J");
}

static void check_host(subject *s, const char *run, const char *host, json_t *content)
{
    const char *group;
    json_t *value;
    place p = {.run = run, .node = host};
    json_t *metrics = json_object_get(content, "perun_metrics");
    check_metrics(s, WS_BY_NODE, &p, metrics);
    double groups_j = 0, node_j = value_at(s, WS_BY_NODE, &p, "energy_j");
    static const char *const domains[] = {"gpu", "cpu", "dram"}; /* in the order of the table */
    for (size_t i = 0; i < 3; i++)
        groups_j += fmax(0, value_at(s, WS_BY_DOMAIN, &(place){run, host, domains[i], NULL}, "energy_j"));
    ck_assert(isnan(node_j) ? groups_j == 0 : groups_j == node_j);
    json_object_foreach(json_object_get(content, "device_groups"), group, value)
    {
        count_sensors(s, json_object_get(value, "sensors"));
        place of_group = {run, host, strcmp(group, "ram") == 0 ? "dram" : group, NULL};
        check_metrics(s, WS_BY_DOMAIN, &of_group, json_object_get(value, "perun_metrics"));
    }
}

static void check_run(subject *s, const char *run, json_t *content)
{
    const char *host;
    json_t *value, *hosts = json_object_get(content, "hosts"), *metrics = json_object_get(content, "perun_metrics");
    place p = {.run = run};
    s->hosts = json_object_size(hosts);
    ck_assert_uint_gt(s->hosts, 0);
    check_metrics(s, WS_BY_RUN, &p, metrics);
    json_object_foreach(hosts, host, value) check_host(s, run, host, value);
    if (!json_object_get(metrics, "ENERGY")) {
        ck_assert(isnan(value_at(s, WS_BY_RUN, &p, "perun_energy_j")));
        return;
    }
    /* the same terms, added in another order */
    double run_j = value_at(s, WS_BY_RUN, &p, "energy_j");
    ck_close(value_at(s, WS_BY_NODE, &p, "energy_j"), run_j, 4 * DBL_EPSILON, 0);
    double runtime_s = value_at(s, WS_BY_NODE, &p, "duration_s"), overhead_j = value_at(s, WS_BY_RUN, &p, "overhead_j");
    ck_close(overhead_j, value_at(s, WS_BY_NODE, &p, "overhead_j"), 4 * DBL_EPSILON, 0);
    ck_close(overhead_j, (double)s->hosts * s->overhead_w * runtime_s, 1e-7, 0); /* a run time of 32 bits */
    ck_assert(value_at(s, WS_BY_RUN, &p, "pue") == s->pue);
    ck_close(value_at(s, WS_BY_RUN, &p, "perun_energy_j"), (run_j + overhead_j) * s->pue, 4 * DBL_EPSILON, 0);
}

/* {"sum":..,"mean":..,"std":..,"min":..,"max":..} over the runs. */
static void check_statistics(const subject *s, const char *metric, const json_t *stored, const char *const *runs,
                             size_t n)
{
    double sum = 0, squares = 0, min = INFINITY, max = -INFINITY, value[16];
    ck_assert_uint_le(n, 16);
    for (size_t i = 0; i < n; i++) {
        value[i] = metric_value(s, WS_BY_RUN, &(place){.run = runs[i]}, metric);
        sum += value[i];
        min = fmin(min, value[i]);
        max = fmax(max, value[i]);
    }
    for (size_t i = 0; i < n; i++)
        squares += (value[i] - sum / (double)n) * (value[i] - sum / (double)n);
    const struct {
        const char *name;
        double value;
    } statistics[] = {
        {"sum", sum}, {"mean", sum / (double)n}, {"min", min}, {"max", max}, {"std", sqrt(squares / (double)n)}};
    for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++) {
        double want = json_number_value(json_object_get(stored, statistics[i].name));
        /* a deviation is a difference of 32-bit numbers as large as the mean */
        double size = strcmp(statistics[i].name, "std") == 0 ? fabs(sum) / (double)n : fabs(want);
        compare(s, &(place){.run = metric}, statistics[i].name, statistics[i].value, want, PERUN_TOLERANCE * size);
    }
}

static void check_all_statistics(const subject *s, json_t *metrics, const char *const *runs, size_t n)
{
    const char *name;
    json_t *value;
    if (!json_object_get(metrics, "ENERGY"))
        return;
    json_object_foreach(metrics, name, value) if (is_metric(name)) check_statistics(s, name, value, runs, n);
}

static void check_application(subject *s, json_t *content)
{
    const char *multi, *number_of_run, *runs[16];
    json_t *value, *run;
    size_t n = 0;
    json_object_foreach(json_object_get(content, "multi_runs"), multi, value)
    {
        size_t first = n;
        json_object_foreach(json_object_get(value, "runs"), number_of_run, run)
        {
            ck_assert_uint_lt(n, 16);
            runs[n] = ws_arena_printf(&arena, "%s/%s", multi, number_of_run);
            check_run(s, runs[n++], run);
        }
        check_all_statistics(s, json_object_get(value, "perun_metrics"), runs + first, n - first);
    }
    check_all_statistics(s, json_object_get(content, "app_metrics"), runs, n);
    ck_assert_uint_eq(s->table[WS_BY_RUN].n_rows, n);
}

/* Sensors */

/* perun/nodes/MULTI_RUN/nodes/RUN/nodes/HOST/nodes/GROUP/nodes/SENSOR/metrics/ENERGY; before 0.4.0 the run is the root.
 */
static bool sensor_place(const subject *s, const char *name, place *p, const char **metric)
{
    char *text = ws_arena_strdup(&arena, name), *part[7], *tail = strstr(text, "/metrics/"), *next = text;
    size_t n = 0, levels = strstr(s->file, "v033") ? 4 : 6;
    if (!tail)
        return false;
    *metric = tail + strlen("/metrics/");
    *tail = '\0';
    while (next && n < 7) {
        part[n++] = next;
        next = strstr(next, "/nodes/");
        if (next) {
            *next = '\0';
            next += strlen("/nodes/");
        }
    }
    if (n != levels || strchr(*metric, '/'))
        return false;
    *p = (place){.node = part[n - 3], .column = part[n - 1]};
    p->run = n == 4 ? part[0] : ws_arena_printf(&arena, "%s/%s", part[1], part[2]);
    return true;
}

static herr_t visit_sensor(hid_t file, const char *name, const H5O_info_t *info, void *state)
{
    subject *s = state;
    place p;
    const char *metric;
    if (info->type != H5O_TYPE_GROUP || !sensor_place(s, name, &p, &metric) ||
        (strcmp(metric, "ENERGY") != 0 && strcmp(metric, "POWER") != 0))
        return 0;
    double stored = NAN;
    hid_t attribute = H5Aopen_by_name(file, name, "value", H5P_DEFAULT, H5P_DEFAULT);
    ck_assert(attribute >= 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, &stored) >= 0);
    H5Aclose(attribute);
    bool energy = strcmp(metric, "ENERGY") == 0;
    compare_stored(s, &p, metric, value_at(s, WS_BY_DEVICE, &p, energy ? "perun_energy_j" : "mean_power_w"), stored);
    if (energy) {
        compare(s, &p, "the stored ENERGY in the table", value_at(s, WS_BY_DEVICE, &p, "stored_energy_j"), stored, 0);
        s->sensors--;
    }
    return 0;
}

static void check_sensors(subject *s)
{
    char plain[] = "/tmp/perun-stored-XXXXXX";
    int made = mkstemp(plain);
    ck_assert_int_ge(made, 0);
    close(made);
    ck_assert_int_eq(system(ws_arena_printf(&arena, "gzip -dcf '%s' > %s", s->path, plain)), 0);
    hid_t file = H5Fopen(plain, H5F_ACC_RDONLY, H5P_DEFAULT);
    unlink(plain);
    ck_assert(file >= 0);
    ck_assert(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, visit_sensor, s) >= 0);
    H5Fclose(file);
}

START_TEST(every_stored_number_comes_back)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so perun's own numbers were not compared");
    json_error_t why;
    json_t *expected = json_load_file(fixture_path("expected.json"), 0, &why);
    ck_assert_msg(expected != NULL, "expected.json:%d: %s", why.line, why.text);
    ck_assert_uint_eq(json_object_size(expected), FIXTURES);
    for (size_t i = 0; i < FIXTURES; i++) {
        subject s;
        json_t *content = json_object_get(expected, fixtures[i].file), *run = json_object_get(content, "run");
        size_t before = n_values;
        ck_assert_msg(content != NULL, "expected.json has no %s", fixtures[i].file);
        open_subject(&s, fixtures[i].file, WS_RULE_PERUN);
        s.overhead_w = fixtures[i].overhead_w;
        s.pue = fixtures[i].pue;
        if (run)
            check_run(&s, json_string_value(json_object_get(content, "root_group")), run);
        else
            check_application(&s, content);
        check_sensors(&s);
        ck_assert_uint_eq(s.sensors, 0);
        printf("%s: %zu values\n", s.file, n_values - before);
        /* the monitored program of d ran where nothing could measure energy */
        ck_assert((n_values == before) == (strncmp(s.file, "d_", 2) == 0));
        close_subject(&s);
    }
    printf("compared %zu values: %zu off\n", n_values, n_failures);
    ck_assert_uint_eq(n_failures, 0);
    json_decref(expected);
    ws_arena_free(&arena);
}
END_TEST

/* RAPL counters of a real node, 894 s: two of four wrapped. The joules are printed to 0.01. */
START_TEST(counters_of_the_public_file)
{
    if (!getenv("CORPUS"))
        skip_because("CORPUS is not set, so the public file of two A100 was not read");
    static const struct {
        const char *domain;
        double energy_j;
    } domains[] = {{"gpu", 122854.64}, {"cpu", 256750.90}, {"dram", 28366.73}};
    subject s;
    open_subject(&s, "e_public_a100x2/perun.hdf5.gz", WS_RULE_NONE);
    for (size_t i = 0; i < 3; i++)
        ck_close(value_at(&s, WS_BY_DOMAIN, &(place){.domain = domains[i].domain}, "energy_j"), domains[i].energy_j, 0,
                 0.005);
    ck_close(value_at(&s, WS_BY_RUN, &(place){0}, "duration_s"), 894.153, 0, 0.0005);
    size_t counters = 0;
    for (size_t i = 0; i < s.measure.n_devices; i++) {
        const ws_metered_channel *c = s.measure.devices[i].energy;
        if (!c || c->channel.quantity != WS_ENERGY_COUNTER)
            continue;
        bool wraps = strcmp(c->channel.column, "cpu_0_package-0") == 0 || strcmp(c->channel.column, "ram_1_dram") == 0;
        ck_assert_msg(c->summary.wraps.count == wraps, "%s wrapped %ju times", c->channel.column,
                      (uintmax_t)c->summary.wraps.count);
        ck_assert_int_eq(c->meter.rule, WS_RULE_COUNTER);
        counters++;
    }
    ck_assert_uint_eq(counters, 4);
    size_t noted = 0;
    for (size_t i = 0; i < s.notes.n; i++)
        noted += strcmp(ws_finding_code(s.notes.items[i].finding), "counter-wrap") == 0 ? s.notes.items[i].count : 0;
    ck_assert_uint_eq(noted, 2);
    close_subject(&s);
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("perun stored", every_stored_number_comes_back, counters_of_the_public_file)
