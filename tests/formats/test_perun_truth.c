/* Every sensor of every perun file against energies that an independent program summed exactly from the same bytes. */
#include "core/arena.h"
#include "formats/table/rows.h"
#include "harness.h"
#include "recorder.h"

extern const ws_format ws_format_perun_hdf5, ws_format_perun_csv, ws_format_perun_json;

enum { FILE_NAME = 0, NODE, DEVICE, DOMAIN, COLUMN, RULE, SAMPLES, DURATION, ENERGY, MAX_GAP, TOLERANCE, FIELDS };
static const char *const field_names[FIELDS] = {"file",    "node",       "device",   "domain",    "column", "rule",
                                                "samples", "duration_s", "energy_j", "max_gap_s", "tol"};

typedef struct truth {
    char text[FIELDS][128];
    double number[FIELDS];
} truth;

static const ws_format *format_of(const char *file)
{
    ws_span name = ws_span_of(file);
    if (ws_span_has_suffix(name, ".json"))
        return &ws_format_perun_json;
    return ws_span_has_suffix(name, ".csv") || ws_span_has_suffix(name, ".cvs") ? &ws_format_perun_csv
                                                                                : &ws_format_perun_hdf5;
}

static double integrate(const recorded *c)
{
    double sum = 0;
    for (size_t i = 1; i < c->n; i++) {
        double seconds = (double)(c->t_ns[i] - c->t_ns[i - 1]) * 1e-9, v0 = c->value[i - 1], v1 = c->value[i];
        if (c->channel.rule == WS_RULE_TRAPEZOID)
            sum += (v0 + v1) / 2 * seconds;
        else if (c->channel.rule == WS_RULE_RECTANGLE)
            sum += v1 * seconds;
        else
            sum += v1 - v0 + (v1 < v0 ? c->channel.counter_range_j : 0);
    }
    return sum;
}

static double longest_step(const recorded *c)
{
    int64_t longest = 0;
    for (size_t i = 1; i < c->n; i++)
        longest = c->t_ns[i] - c->t_ns[i - 1] > longest ? c->t_ns[i] - c->t_ns[i - 1] : longest;
    return (double)longest * 1e-9;
}

/* The channel that the row is about. A row without a device speaks for all channels of the node. */
static const recorded *find_channel(const recorder *r, const truth *t)
{
    for (size_t i = 0; i < r->n; i++) {
        const ws_channel *c = &r->channels[i].channel;
        char node[256];
        snprintf(node, sizeof node, "%s/%s", c->run, c->node);
        if (strcmp(node, t->text[NODE]) == 0 &&
            (!*t->text[DEVICE] ||
             (strcmp(c->column, t->text[COLUMN]) == 0 && strcmp(ws_rule_name(c->rule), t->text[RULE]) == 0)))
            return &r->channels[i];
    }
    return NULL;
}

static void check_row(const recorder *r, const truth *t)
{
    const recorded *c = find_channel(r, t);
    ck_assert_msg(c != NULL, "%s has no channel %s of %s with rule %s", t->text[FILE_NAME], t->text[COLUMN],
                  t->text[NODE], t->text[RULE]);
    ck_assert_msg((double)c->n == t->number[SAMPLES], "%s %s: %zu samples, not %g", t->text[FILE_NAME], t->text[COLUMN],
                  c->n, t->number[SAMPLES]);
    ck_assert_int_eq(c->channel.time, WS_TIME_RELATIVE);
    ck_close((double)(c->t_ns[c->n - 1] - c->t_ns[0]) * 1e-9, t->number[DURATION], t->number[TOLERANCE], 0);
    ck_close(longest_step(c), t->number[MAX_GAP], t->number[TOLERANCE], 1e-9); /* two stamps rounded to 1 ns */
    if (!*t->text[DEVICE])
        return;
    ck_assert_str_eq(c->channel.device_id, t->text[DEVICE]);
    ck_assert_str_eq(ws_domain_name(c->channel.domain), t->text[DOMAIN]);
    ck_close(integrate(c), t->number[ENERGY], t->number[TOLERANCE], 0);
}

/* Empty cells and words give 0. */
static truth take_truth(const ws_row *row, const uint32_t *column)
{
    truth t = {0};
    for (int f = 0; f < FIELDS; f++) {
        ws_span cell = row->cells[column[f]];
        snprintf(t.text[f], sizeof t.text[f], "%.*s", WS_SPAN_ARG(cell));
        ws_span_double(cell, &t.number[f]);
    }
    return t;
}

static void find_columns(const ws_row *header, uint32_t *column)
{
    for (int f = 0; f < FIELDS; f++) {
        uint32_t i = 0;
        while (i < header->n_cells && !ws_span_eq(header->cells[i], field_names[f]))
            i++;
        ck_assert_uint_lt(i, header->n_cells);
        column[f] = i;
    }
}

static void check_truth(const char *corpus, const truth *t, recorder *r, char *open_file)
{
    if (strcmp(open_file, t->text[FILE_NAME]) != 0) {
        char path[512];
        recorder_free(r);
        strcpy(open_file, t->text[FILE_NAME]);
        snprintf(path, sizeof path, "%s/fixtures/%s", corpus, open_file);
        ck_assert_msg(recorder_read_path(r, format_of(open_file), path) == WS_OK, "%s", r->error.message);
    }
    check_row(r, t);
}

START_TEST(every_sensor_has_the_energy_of_truth_csv)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set");
    char path[512], open_file[128] = "";
    snprintf(path, sizeof path, "%s/fixtures/truth.csv", corpus);
    ws_input *input;
    ws_rows *rows;
    ck_assert_int_eq(ws_input_open(&input, path, NULL), WS_OK);
    ck_assert_int_eq(ws_rows_open(&rows, input, ',', NULL, NULL), WS_OK);
    uint32_t column[FIELDS] = {0};
    bool has_header = false;
    recorder r = {0};
    size_t n, checked = 0;
    const ws_row *row;
    while (ws_rows_next(rows, &row, &n, NULL) == WS_OK && n) {
        for (size_t i = 0; i < n; i++) {
            if (!has_header)
                find_columns(&row[i], column);
            truth t = take_truth(&row[i], column);
            has_header = true;
            if (strncmp(t.text[FILE_NAME], "perun/", 6) != 0 || strncmp(t.text[DEVICE], "sum:", 4) == 0)
                continue;
            check_truth(corpus, &t, &r, open_file);
            checked++;
        }
    }
    ck_assert_uint_gt(checked, 200);
    printf("%zu rows of truth.csv checked\n", checked);
    recorder_free(&r);
    ws_rows_close(rows);
    ws_input_close(input);
}
END_TEST

TEST_MAIN("perun against truth.csv", every_sensor_has_the_energy_of_truth_csv)
