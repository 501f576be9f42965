/* Every row of fixtures/truth.csv for the formats that are read, against what the meters give: samples, missing, start,
 * duration, energy, mean power and largest gap within the row's own tolerance. The truth was computed by a program that
 * shares nothing with this one. */
#include "harness.h"

#include "analyze/measure/measure.h"
#include "analyze/folder_walk.h"
#include "analyze/source.h"
#include "formats/input/lines.h"
#include "formats/readers/mllog.h"
#include "formats/input/input.h"

#include <math.h>
#include <string.h>

static const char *const folders[] = {
    "perun/",           "nvidia-smi-csv/", "nvidia-smi-dmon/",   "dcgm/",
    "gpu-wrapper-csv/", "perf-stat/",      "rapl-interval-csv/", "intel-power-gadget/",
    "ipmi-sdr/",        "mit-supercloud/", "mlperf-ptdaemon/",   "mlperf-training-power/",
    "tegrastats/",      "turbostat/",      "wallmeter/",         "zeus/",
};

/* What the files themselves do not say: where a file has none of the columns' names, what a row of the truth measures
 * in another way than the reader's own, and between which times. The tag is the beginning of the row's note. */
static const struct {
    const char *file, *tag, *columns;
    double period_s, from_s, to_s;
    ws_edge_policy edges;
} settings[] = {
    {"gpu-wrapper-csv/bare_watts.csv", "period=1;", "power=#1,header=no", 1, 0, 0, WS_EDGES_INSIDE},
    {"gpu-wrapper-csv/bare_watts.csv", "", "power=#1,header=no", 0, 0, 0, WS_EDGES_INSIDE},
    {"gpu-wrapper-csv/power_temp_noheader.csv", "period=1;", "power=#1,temp=#2,header=no", 1, 0, 0, WS_EDGES_INSIDE},
    {"gpu-wrapper-csv/power_temp_noheader.csv", "", "power=#1,temp=#2,header=no", 0, 0, 0, WS_EDGES_INSIDE},
    {"nvidia-smi-dmon/", "period=1;", NULL, 1, 0, 0, WS_EDGES_INSIDE},
    {"rapl-interval-csv/", "without-first;", NULL, 0, 0, 0, WS_EDGES_TRIM},
    {"turbostat/", "period=60;", NULL, 60, 0, 0, WS_EDGES_INSIDE},
    {"intel-power-gadget/", "from-zero;", NULL, 0, 0, 0, WS_EDGES_INSIDE},
    {"intel-power-gadget/", "footer", NULL, 0, 0, 0, WS_EDGES_INSIDE},
    {"intel-power-gadget/", "clock;", "time=System Time,power=Processor Power_0,domain=cpu", 0, 0, 0, WS_EDGES_INSIDE},
    {"intel-power-gadget/", "", NULL, 0, 0.116, 33.885, WS_EDGES_INSIDE}, /* from the first row on */
};

/* Runs of several nodes: the window is that of the run's own log. */
static const struct {
    const char *folder, *log;
} runs[] = {
    {"mlperf-training-power/llama2_70b_lora_1x/", "result_4951-240509201759121728742_1.txt"},
    {"mlperf-training-power/llama2_70b_lora_8x/", "result_5740-240517044141819407406_10.txt"},
    {"mlperf-training-power/llama2_70b_lora_64x/", "result_5730-240516232429153071029_3.txt"},
};

/* Totals of the columns beside them: outside of the domain that truth names, so that nothing adds them. */
static const struct {
    const char *file, *column;
} totals_beside_parts[] = {
    {"wallmeter/two_node_wide.csv", "total_watts"},
    {"mlperf-training-power/llama2_70b_lora_64x/power/total_power.txt", "Total Power Usage"},
};

enum { CACHE = 600 };
typedef struct reading_of {
    char key[600];
    ws_measure measure;
} reading_of;
static reading_of *cache[CACHE];
static size_t n_cached;

static size_t n_files, n_rows, n_values, n_failures;

typedef struct truth {
    const ws_table *table;
    size_t row;
} truth;

static const char *text(const truth *t, const char *column)
{
    static char buffers[8][WS_DOUBLE_TEXT];
    static unsigned next;
    size_t c;
    ck_assert_msg(ws_table_find(t->table, column, &c), "truth.csv has no column %s", column);
    return ws_table_cell_text(t->table, c, t->row, buffers[next++ % 8]);
}

static double number(const truth *t, const char *column)
{
    double v;
    return ws_span_double(ws_span_of(text(t, column)), &v) ? v : NAN;
}

static ws_rule rule_of(const char *name)
{
    ws_rule rule = WS_RULE_NONE;
    if (strcmp(name, "interval-sum") == 0)
        return WS_RULE_INTERVAL;
    if (*name)
        ck_assert_msg(ws_rule_find(name, &rule), "truth.csv names the rule %s", name);
    return rule;
}

static bool begins_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* Milliseconds of an event of the run's log. */
static int64_t event_ms(const char *path, const char *wanted)
{
    ws_error error = {0};
    ws_input *input;
    ws_lines lines;
    ws_span line;
    int64_t found = 0;
    ck_assert_msg(ws_input_open(&input, path, &error) == WS_OK, "%s", error.message);
    ws_lines_init(&lines, input);
    while (!found && ws_lines_next(&lines, &line, &error) == WS_OK && line.p) {
        ws_mllog event;
        if (!ws_mllog_parse(line, &event))
            continue;
        found = strcmp(event.key, wanted) == 0 ? event.time_ms : 0;
        ws_mllog_free(&event);
    }
    ws_lines_free(&lines);
    ws_input_close(input);
    ck_assert_msg(found, "%s has no %s", path, wanted);
    return found;
}

static void set_window(ws_meter_options *options, const char *file, const char *fixtures)
{
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char path[600];
        if (!begins_with(file, runs[i].folder))
            continue;
        snprintf(path, sizeof path, "%s/%s%s", fixtures, runs[i].folder, runs[i].log);
        options->has_window = true;
        options->window_start_ns = event_ms(path, "run_start") * 1000000;
        options->window_end_ns = event_ms(path, "run_stop") * 1000000;
    }
    ck_assert_msg(options->has_window, "no run's log is known for %s", file);
}

static void apply_settings(const truth *t, const char *fixtures, ws_measure_options *measure, ws_source_options *source)
{
    const char *file = text(t, "file"), *note = text(t, "note");
    if (begins_with(note, "window;"))
        set_window(&measure->meter, file, fixtures);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!begins_with(file, settings[i].file) || !begins_with(note, settings[i].tag))
            continue;
        source->read.columns = settings[i].columns;
        source->read.period_ns = llround(settings[i].period_s * 1e9);
        measure->meter.edges = settings[i].edges;
        measure->meter.has_window = measure->meter.window_is_relative = settings[i].to_s > 0;
        measure->meter.window_start_ns = llround(settings[i].from_s * 1e9);
        measure->meter.window_end_ns = llround(settings[i].to_s * 1e9);
        return;
    }
}

/* What was read of `file`, a file or a folder of them, the way that the row of the truth wants it. */
static ws_measure *measure_file(const truth *t, const char *fixtures)
{
    const char *file = text(t, "file");
    ws_measure_options options = {.rule = rule_of(text(t, "rule")), .all_channels = true};
    ws_source_options source = {.as = NULL, .read = WS_READ_DEFAULTS};
    apply_settings(t, fixtures, &options, &source);
    char key[600], path[600];
    snprintf(key, sizeof key, "%s|%d|%d|%d|%d|%s", file, (int)options.rule, source.read.period_ns != 0,
             (int)options.meter.edges, options.meter.has_window, source.read.columns ? source.read.columns : "");
    for (size_t i = 0; i < n_cached; i++)
        if (strcmp(cache[i]->key, key) == 0)
            return &cache[i]->measure;
    ck_assert(n_cached < CACHE);
    reading_of *r = calloc(1, sizeof *r);
    cache[n_cached++] = r;
    snprintf(r->key, sizeof r->key, "%s", key);
    ws_measure_init(&r->measure, &options);
    ws_sink sink = ws_measure_sink(&r->measure);
    ws_error error = {0};
    ws_file_list files = {0};
    snprintf(path, sizeof path, "%s/%s", fixtures, file);
    if (ws_is_directory(path))
        ck_assert(ws_walk(path, &files, NULL, &error) == WS_OK);
    else
        ws_file_list_add(&files, path);
    for (size_t i = 0; i < files.n; i++) {
        ws_measure_begin(&r->measure, files.paths[i], "");
        ws_status status = ws_source_read(files.paths[i], &source, &sink, NULL, NULL, &error);
        ck_assert_msg(status == WS_OK, "%s: %s", file, error.message);
    }
    ws_file_list_free(&files);
    ws_measure_finish(&r->measure, NULL);
    return &r->measure;
}

/* Truth spells the node of a perun row "run/host". */
static bool is_node(const ws_channel *c, const char *node)
{
    char joined[400];
    snprintf(joined, sizeof joined, "%s%s%s", c->run, *c->run && *c->node ? "/" : "", c->node);
    return !*node || strcmp(node, joined) == 0;
}

/* A file may spell a device in several columns: truth names the index where this program prefers the bus id. */
static bool is_device(const ws_channel *c, const char *device)
{
    char house[64];
    snprintf(house, sizeof house, "gpu%s", device);
    return strcmp(c->device_id, device) == 0 || strcmp(c->device, house) == 0 || strcmp(c->device, device) == 0;
}

static ws_domain domain_of(const char *name)
{
    for (int d = 0; d < WS_DOMAIN_N; d++)
        if (strcmp(ws_domain_name((ws_domain)d), name) == 0)
            return (ws_domain)d;
    ck_abort_msg("truth.csv names the domain %s", name);
    return WS_OTHER;
}

static void compare_within(const truth *t, const char *what, double got, double tolerance, double least)
{
    double want = number(t, what);
    if (isnan(want))
        return;
    n_values++;
    if (fabs(got - want) <= fmax(tolerance * fabs(want), least) || got == want)
        return;
    n_failures++;
    printf("  %s %s %s %s %s: %s is %.17g, not %.17g\n", text(t, "file"), text(t, "node"), text(t, "device"),
           text(t, "column"), text(t, "rule"), what, got, want);
}

static void compare(const truth *t, const char *what, double got, double tolerance)
{
    compare_within(t, what, got, tolerance, 0);
}

static void compare_start(const truth *t, const ws_channel_summary *r)
{
    ws_stamp stamp;
    const char *want = text(t, "start");
    if (!*want)
        return;
    n_values++;
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of(want), WS_ZONE_NONE, &stamp));
    if (r->has_start && r->start_ns == stamp.ns)
        return;
    n_failures++;
    printf("  %s %s %s: the start is not %s\n", text(t, "file"), text(t, "device"), text(t, "column"), want);
}

static void compare_sums(const truth *t, const ws_device_sum *s)
{
    double tolerance = number(t, "tol");
    compare(t, "samples", (double)s->samples, 0);
    compare(t, "missing", (double)s->missing, 0);
    compare(t, "duration_s", s->duration_s, tolerance);
    compare(t, "energy_j", s->energy_j, tolerance);
    compare(t, "mean_power_w", s->duration_s > 0 ? s->energy_j / s->duration_s : NAN, tolerance);
    /* One step between two stamps that are whole nanoseconds cannot be known better than to one nanosecond. */
    compare_within(t, "max_gap_s", s->max_gap_s, tolerance, 1e-9);
}

static void compare_reading(const truth *t, const ws_channel_summary *r, bool is_power)
{
    ws_device_sum one = {.samples = r->samples,
                         .missing = r->missing,
                         .energy_j = r->energy_j,
                         .duration_s = r->duration_s,
                         .max_gap_s = r->max_gap_s};
    compare_sums(t, &one);
    compare_start(t, r);
    if (is_power)
        compare(t, "mean_power_w", r->mean, number(t, "tol"));
    compare(t, "min_w", r->min, number(t, "tol"));
    compare(t, "max_w", r->max, number(t, "tol"));
}

static void fail_row(const truth *t, const char *why)
{
    n_failures++;
    printf("  %s %s %s %s %s: %s\n", text(t, "file"), text(t, "node"), text(t, "device"), text(t, "column"),
           text(t, "rule"), why);
}

static void check_sum(const truth *t, const ws_measure *m)
{
    ws_domain domain = domain_of(text(t, "domain"));
    const char *node = text(t, "node");
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_channel *c = &m->channels[i].channel;
        if (c->domain != domain || !is_node(c, node))
            continue;
        ws_totals totals;
        ws_measure_totals(m, &(ws_device_filter){.run = c->run, .node = c->node}, &totals);
        compare_sums(t, &totals.domain[domain]);
        return;
    }
    fail_row(t, "no device of that domain");
}

static bool is_total_beside_parts(const char *file, const char *device, const char *column)
{
    for (size_t i = 0; i < sizeof totals_beside_parts / sizeof *totals_beside_parts; i++)
        if (strcmp(file, totals_beside_parts[i].file) == 0 && strcmp(column, totals_beside_parts[i].column) == 0)
            return true;
    return strcmp(device, "ALL") == 0;
}

static void check_channel(const truth *t, const ws_measure *m)
{
    ws_rule rule = rule_of(text(t, "rule"));
    const char *device = text(t, "device"), *column = text(t, "column"), *node = text(t, "node"),
               *domain = text(t, "domain");
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_metered_channel *c = &m->channels[i];
        bool is_total = is_total_beside_parts(text(t, "file"), device, column);
        bool same_device = !*device || is_device(&c->channel, device);
        bool same_node = is_node(&c->channel, node) || is_total;
        bool same_column = !*column || strcmp(c->channel.column, column) == 0;
        bool same_rule = rule == WS_RULE_NONE || c->meter.rule == rule;
        bool same_domain = !*domain || is_total || strcmp(ws_domain_name(c->channel.domain), domain) == 0;
        if (!same_device || !same_column || !same_rule || !same_domain || !same_node)
            continue;
        compare_reading(t, &c->summary, rule != WS_RULE_NONE);
        return;
    }
    fail_row(t, "no such channel");
}

/* All nodes of a folder: the span is from the earliest first to the latest last reading of any of them. */
static void check_nodes(const truth *t, const ws_measure *m)
{
    double tolerance = number(t, "tol"), energy_j = 0;
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    uint64_t samples = 0;
    for (size_t i = 0; i < m->n_channels; i++) {
        const ws_channel_summary *r = &m->channels[i].summary;
        if (m->channels[i].channel.domain != WS_NODE)
            continue;
        int64_t end_ns = r->start_ns + llround(r->duration_s * 1e9);
        energy_j += r->energy_j;
        samples += r->samples;
        first_ns = r->start_ns < first_ns ? r->start_ns : first_ns;
        last_ns = end_ns > last_ns ? end_ns : last_ns;
    }
    double duration_s = (double)(last_ns - first_ns) / 1e9;
    compare(t, "samples", (double)samples, 0);
    compare(t, "duration_s", duration_s, tolerance);
    compare(t, "energy_j", energy_j, tolerance);
    compare(t, "mean_power_w", energy_j / duration_s, tolerance);
}

static void check_row(const truth *t, const char *fixtures)
{
    ws_measure *m = measure_file(t, fixtures);
    n_rows++;
    if (begins_with(text(t, "device"), "sum:"))
        check_sum(t, m);
    else if (begins_with(text(t, "node"), "sum:"))
        check_nodes(t, m);
    else
        check_channel(t, m);
}

static bool is_wanted(const char *file, bool *seen)
{
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (strncmp(file, folders[i], strlen(folders[i])) == 0) {
            seen[i] = true;
            return true;
        }
    }
    return false;
}

START_TEST(every_row_of_truth)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set, so the real traces were not compared");
    char fixtures[500], path[600], last[300] = "";
    bool seen[sizeof folders / sizeof *folders] = {false};
    snprintf(fixtures, sizeof fixtures, "%s/fixtures", corpus);
    snprintf(path, sizeof path, "%s/truth.csv", fixtures);
    ws_table table;
    ws_error error = {0};
    ws_source_options csv = {.as = "table-csv", .read = WS_READ_DEFAULTS};
    ck_assert_msg(ws_source_read_table(path, &csv, &table, &error) == WS_OK, "%s", error.message);
    for (size_t row = 0; row < table.n_rows; row++) {
        truth t = {&table, row};
        if (begins_with(text(&t, "file"), "../campaigns/")) /* test_truth_campaign_traces.c */
            continue;
        ck_assert_msg(is_wanted(text(&t, "file"), seen), "row %zu of truth.csv is about %s", row + 1, text(&t, "file"));
        n_files += strcmp(last, text(&t, "file")) != 0;
        snprintf(last, sizeof last, "%s", text(&t, "file"));
        check_row(&t, fixtures);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        ck_assert_msg(seen[i], "truth.csv has no row for %s", folders[i]);
    printf("compared %zu rows, %zu values of %zu files: %zu off\n", n_rows, n_values, n_files, n_failures);
    ck_assert_uint_eq(n_failures, 0);
    ck_assert_uint_gt(n_values, 2000);
    ws_table_free(&table);
    for (size_t i = 0; i < n_cached; i++) {
        ws_measure_free(&cache[i]->measure);
        free(cache[i]);
    }
}
END_TEST

TEST_MAIN("truth", every_row_of_truth)
