/* The rows of fixtures/truth_records.csv on what describes runs: result logs of MLPerf, the state of a trainer, the
 * table of a campaign, exported metrics, a paper's published table. (The other rows: test_truth_records.c.) */
#include "harness.h"

#include "analyze/source.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-12;

/* One row of the truth. */
typedef struct truth {
    const char *file, *row, *key, *field, *value;
} truth;

typedef struct record {
    ws_table own; /* as its reader has it: one row, or the same as `rows` */
    ws_table rows;
} record;

static void read_as(const char *path, const char *as, ws_table *table)
{
    ws_error error = {0};
    ws_source_options options = {.as = as, .read = WS_READ_DEFAULTS};
    ck_assert_msg(ws_source_read_table(path, &options, table, &error) == WS_OK, "%s", error.message);
}

static const char *cell(const ws_table *table, const char *column, size_t row, char *buffer)
{
    size_t c;
    ck_assert_msg(ws_table_find(table, column, &c), "%s has no column %s", table->source, column);
    return ws_table_cell_text(table, c, row, buffer);
}

/* Data row `row` of the truth, counted from 1. */
static size_t row_of(const truth *t, const record *r)
{
    int64_t row = 0;
    ck_assert(ws_span_i64(ws_span_of(t->row), &row) && row >= 1 && (size_t)row <= r->rows.n_rows);
    return (size_t)row - 1;
}

static size_t count_given(const ws_table *table, size_t column)
{
    size_t n = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        n += !ws_table_is_missing(table, column, row);
    return n;
}

static const char *number_text(double value, char *buffer)
{
    ws_double_text(buffer, value);
    return buffer;
}

/* --- what each file gives for one row of the truth --- */

/* "2024-05-16T22:30:49.339Z" in ms of the epoch. */
static const char *milliseconds(const char *stamp, char *buffer)
{
    ws_stamp parsed;
    ck_assert(ws_stamp_parse(WS_STAMP_YMD, ws_span_of(stamp), WS_ZONE_NONE, &parsed));
    snprintf(buffer, WS_DOUBLE_TEXT, "%lld", (long long)(parsed.ns / 1000000));
    return buffer;
}

static const char *mllog_value(const truth *t, const record *r, char *buffer)
{
    static const struct {
        const char *key, *field, *column;
    } columns[] = {
        {"run_start", "time_ms", "start"},
        {"run_stop", "time_ms", "end"},
        {"run_stop", "metadata.status", "run_status"},
        {"eval_accuracy (last)", "value", "eval_accuracy"},
        {"", "rows", "events"},
        {"", "derived.run_s", "wall_s"},
    };
    ck_assert_uint_eq(r->own.n_rows, 1);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (strcmp(t->key, columns[i].key) != 0 || strcmp(t->field, columns[i].field) != 0)
            continue;
        const char *text = cell(&r->own, columns[i].column, 0, buffer);
        return strcmp(t->field, "time_ms") == 0 ? milliseconds(text, buffer) : text;
    }
    ck_assert_str_eq(t->field, "value");
    return cell(&r->own, t->key, 0, buffer);
}

/* Records of the trainer's log that have a column of that beginning. */
static size_t count_records(const ws_table *rows, const char *beginning)
{
    size_t n = 0;
    for (size_t row = 0; row < rows->n_rows; row++) {
        bool has = false;
        for (size_t c = 0; c < rows->n_columns; c++)
            has |=
                strncmp(rows->columns[c].name, beginning, strlen(beginning)) == 0 && !ws_table_is_missing(rows, c, row);
        n += has;
    }
    return n;
}

static const char *trainer_value(const truth *t, const record *r, char *buffer)
{
    if (*t->row)
        return cell(&r->rows, t->field, row_of(t, r), buffer);
    if (strcmp(t->field, "rows_train") == 0)
        return number_text((double)count_records(&r->rows, "loss"), buffer);
    if (strcmp(t->field, "rows_eval") == 0)
        return number_text((double)count_records(&r->rows, "eval_"), buffer);
    return cell(&r->own, strcmp(t->field, "rows") == 0 ? "records" : t->field, 0, buffer);
}

/* Runs of "model@nodes". */
static const char *count_repeats(const truth *t, const record *r, char *buffer)
{
    char key[200], nodes[WS_DOUBLE_TEXT];
    size_t n = 0;
    for (size_t row = 0; row < r->rows.n_rows; row++) {
        snprintf(key, sizeof key, "%s@%s", cell(&r->rows, "model", row, buffer), cell(&r->rows, "nodes", row, nodes));
        n += strcmp(key, t->key) == 0;
    }
    return number_text((double)n, buffer);
}

static const char *campaign_value(const truth *t, const record *r, char *buffer)
{
    if (strcmp(t->field, "repeats") == 0)
        return count_repeats(t, r, buffer);
    ck_assert_str_eq(cell(&r->rows, "slurmid", row_of(t, r), buffer), t->key);
    return cell(&r->rows, t->field, row_of(t, r), buffer);
}

static const char *wandb_value(const truth *t, const record *r, char *buffer)
{
    char column[200];
    if (strcmp(t->field, "rows_with_value") == 0) {
        size_t c;
        ck_assert(ws_table_find(&r->rows, t->key, &c));
        return number_text((double)count_given(&r->rows, c), buffer);
    }
    if (strcmp(t->field, "empty_cells") == 0) {
        size_t given = 0;
        for (size_t c = 0; c < r->rows.n_columns; c++)
            given += count_given(&r->rows, c);
        return number_text((double)(r->rows.n_rows * r->rows.n_columns - given), buffer);
    }
    snprintf(column, sizeof column, "%s%s%s", t->key, *t->key ? " - " : "", t->field);
    return cell(&r->rows, column, row_of(t, r), buffer);
}

static const char *published_value(const truth *t, const record *r, char *buffer)
{
    char key[200];
    size_t row = row_of(t, r);
    snprintf(key, sizeof key, "%s/%s", cell(&r->rows, "series", row, buffer), cell(&r->rows, "folder", row, buffer));
    ck_assert_str_eq(key, t->key);
    return cell(&r->rows, t->field, row, buffer);
}

/* `as`: how the rows are read. `energy`: their column of energy, NULL where there is none. */
static const struct {
    const char *file, *format, *as, *energy;
    const char *(*value)(const truth *t, const record *r, char *buffer);
} files[] = {
    {"mlperf-training-power/llama2_70b_lora_1x/result_4951-240509201759121728742_1.txt", "mllog", "mllog", NULL,
     mllog_value},
    {"mlperf-training-power/llama2_70b_lora_8x/result_5740-240517044141819407406_10.txt", "mllog", "mllog", NULL,
     mllog_value},
    {"mlperf-training-power/llama2_70b_lora_64x/result_5730-240516232429153071029_3.txt", "mllog", "mllog", NULL,
     mllog_value},
    {"run-metadata/hf_trainer_state.json", "trainer-state", "table-json", NULL, trainer_value},
    {"run-metadata/training_campaign_nodes_repeats.csv", "table-csv", "table-csv", NULL, campaign_value},
    {"run-metadata/wandb_export_wide.csv", "table-csv", "table-csv", NULL, wandb_value},
    {"perun/paper_published/resnet_scaled_dataset.csv", "table-csv", "table-csv", "energy_kwh_mean", published_value},
};
enum { FILES = sizeof files / sizeof *files };

static size_t rows_without_energy(const record *r, const char *energy)
{
    size_t column;
    if (!energy)
        return r->rows.n_rows;
    ck_assert(ws_table_find(&r->rows, energy, &column));
    return r->rows.n_rows - count_given(&r->rows, column);
}

/* What is asked of every file in the same words, else what only this file is asked. */
static const char *value_of(size_t file, const truth *t, const record *r, char *buffer)
{
    bool is_log = files[file].value == mllog_value;
    if (strcmp(t->field, "rows_unusable_energy") == 0)
        return number_text((double)rows_without_energy(r, files[file].energy), buffer);
    if (strcmp(t->field, "columns") == 0)
        return number_text((double)r->rows.n_columns, buffer);
    if (strcmp(t->field, "rows") == 0 && !is_log)
        return number_text((double)r->rows.n_rows, buffer);
    return files[file].value(t, r, buffer);
}

static bool is_same(const char *want, const char *got)
{
    double w, g;
    if (ws_span_double(ws_span_of(want), &w) && ws_span_double(ws_span_of(got), &g))
        return fabs(w - g) <= TOLERANCE * fabs(w);
    return strcmp(want, got) == 0;
}

static size_t n_failures;

static size_t compare_file(size_t file, const char *fixtures, const ws_table *table)
{
    char path[600], buffers[5][WS_DOUBLE_TEXT], got[WS_DOUBLE_TEXT];
    record r;
    size_t compared = 0;
    snprintf(path, sizeof path, "%s/%s", fixtures, files[file].file);
    read_as(path, files[file].format, &r.own);
    read_as(path, files[file].as, &r.rows);
    for (size_t row = 0; row < table->n_rows; row++) {
        truth t = {cell(table, "file", row, buffers[0]), cell(table, "row", row, buffers[1]),
                   cell(table, "key", row, buffers[2]), cell(table, "field", row, buffers[3]),
                   cell(table, "value", row, buffers[4])};
        if (strcmp(t.file, files[file].file) != 0 || strcmp(t.field, "note") == 0)
            continue;
        const char *value = value_of(file, &t, &r, got);
        compared++;
        if (is_same(t.value, value))
            continue;
        printf("  %s row %s %s %s: '%s', not '%s'\n", t.file, t.row, t.key, t.field, value, t.value);
        n_failures++;
    }
    ws_table_free(&r.own);
    ws_table_free(&r.rows);
    return compared;
}

START_TEST(every_row_on_runs)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set, so the real records of runs were not compared");
    char fixtures[500], path[600];
    ws_table table;
    size_t n_values = 0;
    snprintf(fixtures, sizeof fixtures, "%s/fixtures", corpus);
    snprintf(path, sizeof path, "%s/truth_records.csv", fixtures);
    read_as(path, "table-csv", &table);
    for (size_t file = 0; file < FILES; file++) {
        size_t compared = compare_file(file, fixtures, &table);
        ck_assert_msg(compared > 0, "truth_records.csv has no row for %s", files[file].file);
        n_values += compared;
    }
    printf("compared %zu values of %d files on runs: %zu off\n", n_values, (int)FILES, n_failures);
    fflush(stdout);
    ck_assert_uint_eq(n_failures, 0);
    ws_table_free(&table);
}
END_TEST

TEST_MAIN("truth of records of runs", every_row_on_runs)
