/* Every number of the fixtures' truth table for delimited traces: samples, missing cells, start, duration, energy,
 * longest step. The table was made by a program that shares nothing with this one. */
#include "harness.h"

#include "core/stamp.h"
#include "formats/format.h"
#include "formats/table/rows.h"
#include "recorder.h"

#include <string.h>

extern const ws_format ws_format_nvidia_smi_csv, ws_format_generic_csv, ws_format_gpu_summary_csv,
    ws_format_powercap_csv, ws_format_rapl_interval_csv, ws_format_gmt_log;

static const ws_format *const formats[] = {&ws_format_nvidia_smi_csv,    &ws_format_generic_csv,
                                           &ws_format_gpu_summary_csv,   &ws_format_powercap_csv,
                                           &ws_format_rapl_interval_csv, &ws_format_gmt_log};

enum {
    FILE_NAME,
    NODE,
    DEVICE,
    DOMAIN,
    COLUMN,
    RULE,
    SAMPLES,
    MISSING,
    START,
    DURATION,
    ENERGY,
    MEAN,
    SAMPLE_MEAN,
    MIN,
    MAX,
    MAX_GAP,
    TOL,
    NOTE,
    FIELDS
};

/* Files that say nothing about their columns need the user to. */
static const char *map_for(const char *file)
{
    return strstr(file, "power_temp_noheader") ? "power=#1,temp=#2,header=no" : NULL;
}

static ws_status read_file(recorder *r, const char *path, const char *map, int64_t period_ns)
{
    ws_input *input;
    const ws_format *best = NULL;
    int best_score = map ? 1 : 0;
    ws_read_options options = WS_READ_DEFAULTS;
    options.columns = map;
    options.period_ns = period_ns;
    ck_assert_int_eq(ws_input_open(&input, path, &r->error), WS_OK);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        int score = formats[i]->score(path, ws_input_head(input));
        if (score > best_score) {
            best = formats[i];
            best_score = score;
        }
    }
    if (map && !best)
        best = &ws_format_generic_csv;
    ck_assert_msg(best != NULL, "%s is not recognised", path);
    return recorder_read_input(r, best, input, &options);
}

static bool is_device(const ws_channel *c, ws_span device, ws_span node)
{
    char house[64];
    snprintf(house, sizeof house, "gpu%.*s", WS_SPAN_ARG(device));
    bool same = ws_span_eq(device, c->device_id) || strcmp(house, c->device) == 0;
    return same && ws_span_eq(node, c->node);
}

static bool is_total(const ws_span *cell)
{
    return ws_span_eq(cell[DEVICE], "ALL") || ws_span_eq(cell[NODE], "total");
}

static const recorded *find(const recorder *r, const ws_span *cell)
{
    for (size_t i = 0; i < r->n; i++) {
        const ws_channel *c = &r->channels[i].channel;
        bool is_column = !cell[COLUMN].n ? c->quantity == WS_UTIL : ws_span_eq(cell[COLUMN], c->column);
        bool same_device = is_total(cell) ? strcmp(c->device, "total") == 0 : is_device(c, cell[DEVICE], cell[NODE]);
        if (is_column && same_device)
            return &r->channels[i];
    }
    return NULL;
}

typedef struct measured {
    size_t samples, missing;
    int64_t start_ns, duration_ns, max_gap_ns;
    double energy_j;
} measured;

static measured measure(const recorded *c, ws_span rule, bool without_first)
{
    measured m = {0};
    int64_t before = 0, intervals = 0;
    double value_before = 0;
    bool is_rectangle = ws_span_eq(rule, "rectangle"), is_trapezoid = ws_span_eq(rule, "trapezoid");
    for (size_t i = 0; i < c->n; i++) {
        if (isnan(c->value[i])) {
            m.missing++;
            continue;
        }
        int64_t step = m.samples ? c->t_ns[i] - before : 0;
        if (c->has_interval && !is_trapezoid)
            step = c->interval_ns[i];
        if (!m.samples)
            m.start_ns = c->t_ns[i];
        m.max_gap_ns = step > m.max_gap_ns ? step : m.max_gap_ns;
        intervals += step;
        if (is_trapezoid)
            m.energy_j += (c->value[i] + value_before) / 2 * (double)step * 1e-9 * (m.samples > 0);
        else if (is_rectangle)
            m.energy_j += c->value[i] * (double)step * 1e-9;
        else if (!without_first || m.samples)
            m.energy_j += c->value[i];
        before = c->t_ns[i];
        value_before = c->value[i];
        m.samples++;
    }
    m.duration_ns = intervals;
    m.samples -= without_first;
    return m;
}

static void check_number(const char *where, const char *what, ws_span want, double got, double tol)
{
    double value;
    if (!want.n)
        return;
    ck_assert(ws_span_double(want, &value));
    ck_assert_msg(fabs(got - value) <= tol * fabs(value) + 1e-12, "%s: %s is %.12g, not %.12g", where, what, got,
                  value);
}

static void check_row(const char *corpus, const ws_row *row)
{
    const ws_span *cell = row->cells;
    char path[600], where[700];
    recorder r = {0};
    bool has_period = ws_span_has_prefix(cell[NOTE], "period=1;");
    snprintf(path, sizeof path, "%s/fixtures/%.*s", corpus, WS_SPAN_ARG(cell[FILE_NAME]));
    snprintf(where, sizeof where, "%.*s %.*s %.*s %.*s", WS_SPAN_ARG(cell[FILE_NAME]), WS_SPAN_ARG(cell[DEVICE]),
             WS_SPAN_ARG(cell[COLUMN]), WS_SPAN_ARG(cell[RULE]));
    ws_status status = read_file(&r, path, map_for(path), has_period ? 1000000000 : 0);
    ck_assert_msg(status == WS_OK, "%s: %s", where, r.error.message);
    const recorded *c = find(&r, cell);
    ck_assert_msg(c != NULL, "%s: no such channel", where);
    measured m = measure(c, cell[RULE], ws_span_has_prefix(cell[NOTE], "without-first"));
    double tol;
    ck_assert(ws_span_double(cell[TOL], &tol));
    check_number(where, "samples", cell[SAMPLES], (double)m.samples, 0);
    check_number(where, "missing", cell[MISSING], (double)m.missing, 0);
    check_number(where, "duration", cell[DURATION], (double)m.duration_ns * 1e-9, 1e-9);
    check_number(where, "energy", cell[ENERGY], m.energy_j, tol);
    check_number(where, "longest step", cell[MAX_GAP], (double)m.max_gap_ns * 1e-9, 1e-9);
    if (cell[START].n) {
        char start[WS_STAMP_TEXT];
        ws_stamp_text(start, m.start_ns);
        ck_assert_msg(ws_span_eq(cell[START], start), "%s: start is %s", where, start);
    }
    const char *domain = ws_domain_name(c->channel.domain);
    ck_assert_msg(is_total(cell) ? strcmp(domain, "other") == 0 : ws_span_eq(cell[DOMAIN], domain), "%s: domain %s",
                  where, domain);
    recorder_free(&r);
}

START_TEST(truth_table)
{
    static const char *const folders[] = {"nvidia-smi-csv/", "gpu-wrapper-csv/", "rapl-interval-csv/", "wallmeter/"};
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set");
    char path[600];
    ws_error error = {0};
    ws_input *input;
    ws_rows *rows;
    const ws_row *row;
    size_t n, checked = 0;
    snprintf(path, sizeof path, "%s/fixtures/truth.csv", corpus);
    ck_assert_int_eq(ws_input_open(&input, path, &error), WS_OK);
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', NULL, &error), WS_OK);
    while (ws_rows_next(rows, &row, &n, &error) == WS_OK && n) {
        for (size_t i = 0; i < n; i++) {
            for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
                if (ws_span_has_prefix(row[i].cells[FILE_NAME], folders[f])) {
                    ck_assert_int_eq(row[i].n_cells, FIELDS);
                    check_row(corpus, &row[i]);
                    checked++;
                }
            }
        }
    }
    ws_rows_close(rows);
    ws_input_close(input);
    ck_assert_uint_eq(checked, 58);
}
END_TEST

TEST_MAIN("trace truth", truth_table)
