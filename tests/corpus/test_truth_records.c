/* Every row of fixtures/truth_records.csv for the record formats that are read: cells as written, numbers derived from
 * them, and counts and sums over whole files. The truth was computed by a program that shares nothing with this one. */
#include "harness.h"

#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/tidy.h"
#include "analyze/source.h"

#include <math.h>
#include <string.h>

static const double JOULES_PER_KWH = 3.6e6, TOLERANCE = 1e-12;

/* energy: the column of the reader's table that a row's energy stands in, NULL where the file has none. `as` is for
 * files whose own reader gives a trace. */
static const struct {
    const char *file, *as, *energy;
} files[] = {
    {"codecarbon/emissions_v2_mixed.csv", NULL, "energy_consumed"},
    {"codecarbon/emissions_v3_multi.csv", NULL, "energy_consumed"},
    {"codecarbon/emissions_v3_no_final_newline.csv", NULL, "energy_consumed"},
    {"zeus/A40_resnet50_4gpu_windows.csv", "table-csv", "gpu0_energy"},
    {"zeus/summary_power_v100.csv", NULL, "epoch_energy_j"},
    {"zeus/summary_train.csv", NULL, NULL},
    {"mit-supercloud/slurm_log.csv", NULL, "energy_j"},
    {"slurm/sacct_all_fields.csv", NULL, "energy_j"},
    {"slurm/sacct_energy_only.csv", NULL, "energy_j"},
    {"slurm/sacct_minimal.txt", NULL, NULL},
    {"gpu-wrapper-csv/samples_in_one_cell.csv", NULL, "TotalEnergy(J)"},
    {"gpu-wrapper-csv/wide_two_gpu_epoch_summary.csv", "table-csv", "value"},
};
enum { FILES = sizeof files / sizeof *files };

/* What describes runs is compared by test_truth_run_records.c. */
static const char *const elsewhere[] = {"mlperf-training-power/", "run-metadata/", "perun/paper_published/"};

static bool is_elsewhere(const char *file)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strncmp(file, elsewhere[i], strlen(elsewhere[i])) == 0)
            return true;
    return false;
}

/* What a field of the truth is called in the reader's own table. Other fields are columns of the file. */
static const struct {
    const char *field, *column;
    double factor;
} derived[] = {
    {"derived.elapsed_s", "elapsed_s", 1},
    {"derived.timelimit_s", "timelimit_s", 1},
    {"derived.total_cpu_s", "cpu_time_s", 1},
    {"derived.state", "state", 1},
    {"derived.cpus", "cpus", 1},
    {"derived.energy_per_epoch_j", "epoch_energy_j", 1},
    {"derived.energy_consumed_j", "energy_consumed", 3.6e6},
};

typedef struct record {
    ws_table own; /* as its reader has it */
    ws_table raw; /* as it is written */
    const char *energy;
    bool is_read;
} record;

static record records[FILES];
static size_t n_values, n_failures;

static void read_as(const char *path, const char *as, ws_table *table)
{
    ws_error error = {0};
    ws_source_options options = {.as = as, .read = WS_READ_DEFAULTS};
    ck_assert_msg(ws_source_read_table(path, &options, table, &error) == WS_OK, "%s", error.message);
}

static double count_notes(const ws_table *table, const char *code)
{
    double count = 0;
    for (size_t i = 0; i < table->notes.n; i++)
        count +=
            strcmp(ws_finding_code(table->notes.items[i].finding), code) == 0 ? (double)table->notes.items[i].count : 0;
    return count;
}

static double count_missing(const ws_table *table, const char *name)
{
    size_t column, count = 0;
    if (!name || !ws_table_find(table, name, &column))
        return (double)table->n_rows;
    for (size_t row = 0; row < table->n_rows; row++)
        count += ws_table_is_missing(table, column, row);
    return (double)count;
}

static double count_given(const ws_table *table, const char *name)
{
    return (double)table->n_rows - count_missing(table, name);
}

static double sum_of(const ws_table *table, const char *name)
{
    size_t column;
    double sum = 0;
    ck_assert_msg(ws_table_find(table, name, &column), "%s has no column %s", table->source, name);
    for (size_t row = 0; row < table->n_rows; row++)
        if (!ws_table_is_missing(table, column, row))
            sum += ws_table_number(table, column, row);
    return sum;
}

/* A table of runs in which a failed one stands with zero time and zero energy. */
static double count_failed(const record *r)
{
    ws_table runs;
    ws_error error = {0};
    const ws_fields none = {0};
    size_t column;
    if (!ws_table_find(&r->own, "TotalTime(S)", &column))
        return 0;
    ws_status status = ws_tidy(&r->own, "energy_kwh=TotalEnergy(J),wall_s=TotalTime(S)", &none, &runs, &error);
    ck_assert_msg(status == WS_OK, "%s", error.message);
    ws_runs_complete(&runs, NULL);
    double failed = count_missing(&runs, "energy_kwh");
    ws_table_free(&runs);
    return failed;
}

/* --- whole files --- */

static double rows(const record *r, const char *rest)
{
    (void)rest;
    return (double)r->own.n_rows + count_notes(&r->own, "cumulative-row");
}

/* A readable zero is counted apart. */
static double unusable(const record *r, const char *rest)
{
    (void)rest;
    return count_missing(&r->own, r->energy) - count_notes(&r->own, "zero-energy") + count_failed(r);
}

static double zero_energy(const record *r, const char *rest)
{
    (void)rest;
    return count_notes(&r->own, "zero-energy");
}

static double sum(const record *r, const char *column)
{
    return sum_of(&r->raw, column);
}

static double sum_j(const record *r, const char *rest)
{
    (void)rest;
    return sum_of(&r->raw, "energy_consumed") * JOULES_PER_KWH;
}

static double largest(const record *r, const char *name)
{
    size_t column;
    double most = 0;
    ck_assert(ws_table_find(&r->raw, name, &column));
    for (size_t row = 0; row < r->raw.n_rows; row++)
        if (ws_table_number(&r->raw, column, row) > most)
            most = ws_table_number(&r->raw, column, row);
    return most;
}

static double run_ids(const record *r, const char *rest)
{
    (void)rest;
    return count_given(&r->own, "run_id");
}

static double no_run_id(const record *r, const char *rest)
{
    (void)rest;
    return count_missing(&r->own, "run_id");
}

static double last_per_run(const record *r, const char *rest)
{
    (void)rest;
    size_t id, energy;
    double total = 0;
    ck_assert(ws_table_find(&r->own, "run_id", &id) && ws_table_find(&r->own, "energy_consumed", &energy));
    for (size_t row = 0; row < r->own.n_rows; row++)
        if (!ws_table_is_missing(&r->own, id, row) && !ws_table_is_missing(&r->own, energy, row))
            total += ws_table_number(&r->own, energy, row);
    return total * JOULES_PER_KWH;
}

static double no_target(const record *r, const char *rest)
{
    (void)rest;
    return count_missing(&r->own, "target_epoch");
}

static double tres_energies(const record *r, const char *rest)
{
    (void)rest;
    return count_notes(&r->own, "energy-sentinel") + count_given(&r->own, "energy_j");
}

static double sentinels(const record *r, const char *rest)
{
    (void)rest;
    return count_notes(&r->own, "energy-sentinel");
}

static double gpu_rows(const record *r, const char *rest)
{
    (void)rest;
    return count_given(&r->own, "gpus");
}

static double elapsed(const record *r, const char *rest)
{
    (void)rest;
    return sum_of(&r->own, "elapsed_s");
}

static double unlimited(const record *r, const char *rest)
{
    (void)rest;
    return count_missing(&r->own, "timelimit_s");
}

static double columns(const record *r, const char *rest)
{
    (void)rest;
    return (double)r->raw.n_columns;
}

static double jobs(const record *r, const char *rest)
{
    (void)rest;
    return count_missing(&r->own, "step");
}

static double steps(const record *r, const char *rest)
{
    (void)rest;
    return count_given(&r->own, "step");
}

static double in_state(const record *r, const char *state)
{
    size_t column;
    double count = 0;
    char buffer[WS_DOUBLE_TEXT];
    ck_assert(ws_table_find(&r->own, "state", &column));
    for (size_t row = 0; row < r->own.n_rows; row++)
        count += strcmp(ws_table_cell_text(&r->own, column, row, buffer), state) == 0;
    return count;
}

/* Fields of whole files; the text after the name in the truth is passed on. */
static const struct {
    const char *field;
    double (*value)(const record *r, const char *rest);
} whole[] = {
    {"rows_unusable_energy", unusable},
    {"rows_zero_energy", zero_energy},
    {"rows_target_epoch_nan", no_target},
    {"rows_empty_run_id", no_run_id},
    {"rows_with_tres_energy_id_3", tres_energies},
    {"rows_with_tres_energy_sentinel", sentinels},
    {"rows_with_gpu_tres", gpu_rows},
    {"rows_timelimit_unlimited", unlimited},
    {"rows", rows},
    {"distinct_run_ids", run_ids},
    {"last_per_run_id.energy_consumed_j", last_per_run},
    {"sum.energy_consumed_j", sum_j},
    {"sum.", sum},
    {"max.", largest},
    {"columns", columns},
    {"derived.jobs", jobs},
    {"derived.steps", steps},
    {"derived.sum_elapsed_s", elapsed},
    {"count.State=", in_state},
};

/* --- comparing --- */

static const char *text_of(const ws_table *table, const char *name, size_t row, char *buffer)
{
    size_t column;
    ck_assert_msg(ws_table_find(table, name, &column), "%s has no column %s", table->source, name);
    return ws_table_cell_text(table, column, row, buffer);
}

static bool is_same(const char *want, const char *got, double factor)
{
    double w, g;
    if (ws_span_is_missing(ws_span_of(want)))
        return ws_span_is_missing(ws_span_of(got));
    if (ws_span_double(ws_span_of(want), &w) && ws_span_double(ws_span_of(got), &g))
        return fabs(w - g * factor) <= TOLERANCE * fabs(w);
    return strcmp(want, got) == 0;
}

static void compare(const char *file, const char *row, const char *field, const char *want, const char *got,
                    double factor)
{
    n_values++;
    if (is_same(want, got, factor))
        return;
    n_failures++;
    printf("  %s row %s %s: '%s', not '%s'\n", file, row, field, got, want);
}

static void compare_whole(const char *file, const record *r, const char *field, const char *want)
{
    char got[WS_DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        size_t n = strlen(whole[i].field);
        bool has_rest = whole[i].field[n - 1] == '.' || whole[i].field[n - 1] == '=';
        if (has_rest ? strncmp(field, whole[i].field, n) != 0 : strcmp(field, whole[i].field) != 0)
            continue;
        ws_double_text(got, whole[i].value(r, field + n));
        compare(file, "-", field, want, got, 1);
        return;
    }
    ck_abort_msg("truth_records.csv has an unknown field %s for %s", field, file);
}

static bool find_line(const ws_table *table, int64_t line, size_t *row)
{
    for (*row = 0; *row < table->n_rows; ++*row)
        if (table->line[*row] == line)
            return true;
    return false;
}

/* The energy of all GPUs of a window. */
static const char *sum_of_gpus(const ws_table *table, size_t row, char *buffer)
{
    double total = 0;
    for (size_t c = 0; c < table->n_columns; c++)
        if (strncmp(table->columns[c].name, "gpu", 3) == 0)
            total += ws_table_number(table, c, row);
    ws_double_text(buffer, total);
    return buffer;
}

/* All samples of a run in one cell: how many, or their mean. */
static const char *samples_in_cell(const ws_table *table, size_t row, bool is_mean, char *buffer)
{
    size_t column, n = 0;
    double total = 0, value;
    ck_assert(ws_table_find(table, "AllDrawSamples(W)", &column));
    ws_span piece, cell = ws_span_of(ws_table_cell_text(table, column, row, buffer));
    while (cell.n && ws_span_split(&cell, ',', &piece)) {
        ck_assert(ws_span_double(piece, &value));
        total += value;
        n++;
    }
    ws_double_text(buffer, is_mean ? total / (double)n : (double)n);
    return buffer;
}

/* "ENERGY" of GPU 1, where a table has a row a metric. */
static const char *metric_value(const ws_table *table, size_t row, const char *field, char *buffer)
{
    ck_assert_str_eq(text_of(table, "metric", row, buffer), field);
    return text_of(table, "value", row, buffer);
}

static void compare_cell(const char *file, const record *r, const char *row_text, const char *field, const char *want)
{
    char buffer[WS_DOUBLE_TEXT];
    double number;
    size_t raw_row, own_row, column;
    ck_assert(ws_span_double(ws_span_of(row_text), &number));
    int64_t line = (int64_t)number + 1; /* the head is line 1 */
    ck_assert_msg(find_line(&r->raw, line, &raw_row), "%s has no row in line %d", file, (int)line);
    bool is_kept = find_line(&r->own, line, &own_row);
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++) {
        if (strcmp(field, derived[i].field) == 0) {
            ck_assert(is_kept);
            compare(file, row_text, field, want, text_of(&r->own, derived[i].column, own_row, buffer),
                    derived[i].factor);
            return;
        }
    }
    if (strcmp(field, "derived.energy_j") == 0) {
        compare(file, row_text, field, want, sum_of_gpus(&r->raw, raw_row, buffer), 1);
        return;
    }
    bool is_mean = strcmp(field, "derived.sample_mean_w") == 0;
    if (is_mean || strcmp(field, "derived.samples") == 0) {
        compare(file, row_text, field, want, samples_in_cell(&r->own, own_row, is_mean, buffer), 1);
        return;
    }
    if (ws_table_find(&r->raw, "metric", &column)) {
        compare(file, row_text, field, want, metric_value(&r->raw, raw_row, field, buffer), 1);
        return;
    }
    compare(file, row_text, field, want, text_of(&r->raw, field, raw_row, buffer), 1);
    if (is_kept && ws_table_find(&r->own, field, &column))
        compare(file, row_text, field, want, text_of(&r->own, field, own_row, buffer), 1);
}

static record *record_of(const char *file, const char *fixtures)
{
    char path[600];
    for (size_t i = 0; i < FILES; i++) {
        if (strcmp(file, files[i].file) != 0)
            continue;
        record *r = &records[i];
        snprintf(path, sizeof path, "%s/%s", fixtures, file);
        if (!r->is_read) {
            read_as(path, files[i].as, &r->own);
            read_as(path, "table-csv", &r->raw);
            r->energy = files[i].energy;
            r->is_read = true;
        }
        return r;
    }
    return NULL;
}

START_TEST(every_row_of_truth_records)
{
    const char *corpus = getenv("CORPUS");
    if (!corpus)
        skip_because("CORPUS is not set, so the real records were not compared");
    char fixtures[500], path[600], cells[4][WS_DOUBLE_TEXT];
    ws_table truth;
    snprintf(fixtures, sizeof fixtures, "%s/fixtures", corpus);
    snprintf(path, sizeof path, "%s/truth_records.csv", fixtures);
    read_as(path, "table-csv", &truth);
    for (size_t row = 0; row < truth.n_rows; row++) {
        const char *file = text_of(&truth, "file", row, cells[0]), *place = text_of(&truth, "row", row, cells[1]);
        const char *field = text_of(&truth, "field", row, cells[2]), *want = text_of(&truth, "value", row, cells[3]);
        if (is_elsewhere(file) || strcmp(field, "note") == 0)
            continue;
        record *r = record_of(file, fixtures);
        ck_assert_msg(r != NULL, "row %zu of truth_records.csv is about %s, which nothing reads", row + 1, file);
        if (*place)
            compare_cell(file, r, place, field, want);
        else
            compare_whole(file, r, field, want);
    }
    size_t n_files = 0;
    for (size_t i = 0; i < FILES; i++) {
        ck_assert_msg(records[i].is_read, "truth_records.csv has no row for %s", files[i].file);
        ws_table_free(&records[i].own);
        ws_table_free(&records[i].raw);
        n_files++;
    }
    printf("compared %zu values of %zu files of records: %zu off\n", n_values, n_files, n_failures);
    ck_assert_uint_eq(n_failures, 0);
    ck_assert_uint_gt(n_values, 150);
    ws_table_free(&truth);
}
END_TEST

TEST_MAIN("truth of records", every_row_of_truth_records)
