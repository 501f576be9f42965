/* The rows of fixtures/truth.csv on the node traces of a published campaign: whole files, and the windows of its runs.
 * (The other rows: test_truth.c.)
 *
 * The stamps of one trace step back once. Truth has three answers to that, the policies of --back-steps: the order of
 * the file, where the interval that goes back counts with its sign, sorted readings, and a reading left out. Its sums
 * hold sorted ones. */
#include "corpus/raw_csv.h"
#include "harness.h"

#include "analyze/measure/measure.h"
#include "analyze/folder_walk.h"
#include "analyze/source.h"

static const char campaigns[] = "../campaigns/";
static const double LEAST = 1e-9;

typedef struct node_trace {
    ws_measure measure;
    const ws_channel_summary *summary; /* NULL: nothing was read */
    bool steps_back;
} node_trace;

static ws_table truth;
static raw_csv runs;
static size_t n_values, n_failures, n_policies[WS_BACK_SORT + 1];

static const char *want(size_t row, const char *column)
{
    static char buffers[4][WS_DOUBLE_TEXT];
    static unsigned next;
    size_t c;
    ck_assert_msg(ws_table_find(&truth, column, &c), "truth.csv has no column %s", column);
    return ws_table_cell_text(&truth, c, row, buffers[next++ % 4]);
}

static bool begins_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* "traces/bert__result_5.../node_0.csv" belongs to the run of bert with run_file "result_5....txt". */
static void set_window(ws_meter_options *options, const char *file)
{
    char name[300];
    for (size_t row = 0; row < runs.n_rows; row++) {
        const char *log = raw_text(&runs, row, "run_file");
        snprintf(name, sizeof name, "/%s__%.*s", raw_text(&runs, row, "benchmark"), (int)(strlen(log) - 4), log);
        const char *at = strstr(file, name);
        if (!at || (at[strlen(name)] && at[strlen(name)] != '/'))
            continue;
        options->has_window = true;
        options->window_start_ns = atoll(raw_text(&runs, row, "run_start_ms")) * 1000000;
        options->window_end_ns = atoll(raw_text(&runs, row, "run_stop_ms")) * 1000000;
    }
    ck_assert_msg(options->has_window, "no run of %s", file);
}

static bool steps_back(const char *path)
{
    raw_csv csv;
    raw_read(&csv, path);
    double last_ms = NAN;
    bool back = false;
    for (size_t row = 0; row < csv.n_rows; row++) {
        double ms = atof(raw_text(&csv, row, "time_ms"));
        if (strcmp(raw_text(&csv, row, "key"), "power_reading") != 0)
            continue;
        back |= ms < last_ms;
        last_ms = ms;
    }
    raw_free(&csv);
    return back;
}

static void read_node(node_trace *trace, const char *path, bool in_window, ws_back_steps back_steps)
{
    ws_measure_options options = {.rule = WS_RULE_TRAPEZOID, .all_channels = true, .back_steps = back_steps};
    ws_source_options source = {.read = WS_READ_DEFAULTS};
    ws_error error = {0};
    *trace = (node_trace){.summary = NULL};
    if (in_window)
        set_window(&options.meter, path);
    ws_measure_init(&trace->measure, &options);
    ws_measure_begin(&trace->measure, path, "");
    ws_sink sink = ws_measure_sink(&trace->measure);
    ws_status status = ws_source_read(path, &source, &sink, NULL, NULL, &error);
    ws_measure_finish(&trace->measure, NULL);
    if (status == WS_OK) {
        ck_assert_uint_eq(trace->measure.n_channels, 1);
        trace->summary = &trace->measure.channels[0].summary;
        trace->steps_back = steps_back(path);
    }
}

static void compare(size_t row, const char *what, double got)
{
    const char *given = want(row, what);
    if (!*given)
        return;
    n_values++;
    if (fabs(got - atof(given)) <= fmax(atof(want(row, "tol")) * fabs(atof(given)), LEAST))
        return;
    n_failures++;
    printf("  %s %s: %s is %.17g, not %s\n", want(row, "file"), want(row, "note"), what, got, given);
}

static void compare_start(size_t row, int64_t start_ns)
{
    char got[WS_STAMP_TEXT];
    ws_stamp_text(got, start_ns);
    n_values++;
    if (strcmp(got, want(row, "start")) == 0)
        return;
    n_failures++;
    printf("  %s: the start is %s\n", want(row, "file"), got);
}

/* "file-order; ...", "window-sorted; ..."; UNSAID where the stamps step nowhere. */
static ws_back_steps policy_of(const char *note)
{
    const char *answer = begins_with(note, "window-") ? note + strlen("window-") : note;
    return begins_with(answer, "file-order;")          ? WS_BACK_KEEP
           : begins_with(answer, "sorted;")            ? WS_BACK_SORT
           : begins_with(answer, "step-back-dropped;") ? WS_BACK_DROP
                                                       : WS_BACK_UNSAID;
}

static void check_node(size_t row, const char *path, bool in_window)
{
    node_trace trace;
    ws_back_steps policy = policy_of(want(row, "note"));
    read_node(&trace, path, in_window, policy);
    const ws_channel_summary *r = trace.summary;
    compare(row, "samples", r ? (double)r->samples : 0);
    ck_assert(!r || (policy != WS_BACK_UNSAID) == trace.steps_back);
    n_policies[policy]++;
    if (r) {
        compare_start(row, r->start_ns);
        compare(row, "missing", (double)r->missing);
        compare(row, "duration_s", r->duration_s);
        compare(row, "energy_j", r->energy_j);
        compare(row, "mean_power_w", r->mean);
        compare(row, "min_w", r->min);
        compare(row, "max_w", r->max);
        compare(row, "max_gap_s", r->max_gap_s);
    }
    ws_measure_free(&trace.measure);
}

static void check_sum(size_t row, const char *folder, bool in_window)
{
    ws_file_list files = {0};
    ws_error error = {0};
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    double energy_j = 0, samples = 0;
    ck_assert_msg(ws_walk(folder, &files, NULL, &error) == WS_OK, "%s", error.message);
    for (size_t i = 0; i < files.n; i++) {
        node_trace trace;
        read_node(&trace, files.paths[i], in_window, WS_BACK_SORT);
        const ws_channel_summary *r = trace.summary;
        if (r) {
            int64_t end_ns = r->start_ns + llround(r->duration_s * 1e9);
            samples += (double)r->samples;
            energy_j += r->energy_j;
            first_ns = r->start_ns < first_ns ? r->start_ns : first_ns;
            last_ns = end_ns > last_ns ? end_ns : last_ns;
        }
        ws_measure_free(&trace.measure);
    }
    compare_start(row, first_ns);
    compare(row, "samples", samples);
    compare(row, "duration_s", (double)(last_ns - first_ns) / 1e9);
    compare(row, "energy_j", energy_j);
    ws_file_list_free(&files);
}

START_TEST(every_row_on_the_campaign)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set, so the traces of the campaign were not compared");
    char path[600];
    size_t n_rows = 0;
    ws_error error = {0};
    ws_source_options csv = {.as = "table-csv", .read = WS_READ_DEFAULTS};
    snprintf(path, sizeof path, "%s/fixtures/truth.csv", corpus);
    ck_assert_msg(ws_source_read_table(path, &csv, &truth, &error) == WS_OK, "%s", error.message);
    snprintf(path, sizeof path, "%s/campaigns/mlperf-training-v4.0-smc-ac-power/runs.csv", corpus);
    raw_read(&runs, path);
    for (size_t row = 0; row < truth.n_rows; row++) {
        const char *file = want(row, "file"), *note = want(row, "note");
        if (!begins_with(file, campaigns))
            continue;
        n_rows++;
        snprintf(path, sizeof path, "%s/fixtures/%s", corpus, file);
        if (begins_with(want(row, "node"), "sum:"))
            check_sum(row, path, begins_with(note, "window"));
        else
            check_node(row, path, begins_with(note, "window"));
    }
    printf("compared %zu rows, %zu values of the campaign's traces: %zu off\n", n_rows, n_values, n_failures);
    fflush(stdout);
    ck_assert_uint_eq(n_failures, 0);
    ck_assert_uint_eq(n_policies[WS_BACK_KEEP], 2);
    ck_assert_uint_eq(n_policies[WS_BACK_DROP], 2);
    ck_assert_uint_eq(n_policies[WS_BACK_SORT], 2);
    ck_assert_uint_gt(n_rows, 40);
    raw_free(&runs);
    ws_table_free(&truth);
}
END_TEST

TEST_MAIN("truth of a campaign's traces", every_row_on_the_campaign)
