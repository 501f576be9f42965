#include "harness.h"
#include "note_named.h"

#include "record.h"

extern const ws_format ws_format_sacct;

static const char parsable[] =
    "JobID|JobName|State|Elapsed|Start|End|NNodes|AllocTRES|ConsumedEnergyRaw|ConsumedEnergy|NodeList\n"
    "3171624|train|COMPLETED|1-04:23:00|2025-05-14T09:21:59|2025-05-15T13:44:59|2|"
    "billing=8,cpu=152,gres/gpu:a100=8,gres/gpu=8,node=2|4580000|4.58M|n[001-002]\n"
    "3171624.batch|batch|COMPLETED|1-04:23:00|2025-05-14T09:21:59|2025-05-15T13:44:59|1|"
    "cpu=76,gres/gpu:a100=3,gres/gpu:h100=1|0|0|n001\n"
    "3171625_4|array|CANCELLED by 10069|00:00:12|2025-05-14T09:21:59|Unknown|1|cpu=1||101.63K|n003\n"
    "3171626+0.1|het|RUNNING|59:30|None|Unknown|1||18446744073709551614||\n"
    "3171627|x|FAILED|soon|2025-05-14T09:21:59|2025-05-14T09:21:59|1|gres/gpu=0|watt|1|n003\n";

static void check_cells(const ws_table *table, size_t row, const char *const *pairs)
{
    for (; *pairs; pairs += 2)
        ck_assert_msg(strcmp(record_cell(table, row, pairs[0]), pairs[1]) == 0, "row %zu, %s is '%s', not '%s'", row,
                      pairs[0], record_cell(table, row, pairs[0]), pairs[1]);
}
#define CHECK_CELLS(table, row, ...) check_cells(table, row, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(jobs_and_steps)
{
    ws_table t;
    ws_error error = {0};
    ck_assert_int_eq(record_read_text(&t, &ws_format_sacct, "s.txt", parsable, &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 5);
    /* 1 day, 4 h, 23 min = 102180 s */
    CHECK_CELLS(&t, 0, "job", "3171624", "step", "", "name", "train", "state", "COMPLETED", "elapsed_s", "102180",
                "start", "2025-05-14T09:21:59", "end", "2025-05-15T13:44:59", "nodes", "2", "gpus", "8", "energy_j",
                "4580000", "node_list", "n[001-002]");
    CHECK_CELLS(&t, 1, "job", "3171624", "step", "batch", "gpus", "4", "energy_j", "");
    CHECK_CELLS(&t, 2, "job", "3171625_4", "state", "CANCELLED", "end", "", "gpus", "", "energy_j", "101630");
    CHECK_CELLS(&t, 3, "job", "3171626+0", "step", "1", "elapsed_s", "3570", "start", "", "energy_j", "");
    CHECK_CELLS(&t, 4, "elapsed_s", "", "gpus", "0", "energy_j", "");
    ck_assert_int_eq(t.line[4], 6);
    ws_table_free(&t);
}
END_TEST

START_TEST(what_is_missing_is_noted)
{
    static const struct {
        const char *code;
        int64_t line;
    } notes[] = {
        {"zero-energy", 3}, {"energy-sentinel", 5}, {"job-is-running", 5}, {"bad-energy", 6}, {"bad-duration", 6}};
    ws_table t;
    ws_error error = {0};
    ck_assert_int_eq(record_read_text(&t, &ws_format_sacct, "s.txt", parsable, &error), WS_OK);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const ws_note *note = note_named(&t.notes, notes[i].code);
        ck_assert_msg(note && note->line == notes[i].line && note->count == 1, "%s", notes[i].code);
    }
    ck_assert_uint_eq(t.notes.n, 5);
    ws_table_free(&t);
}
END_TEST

START_TEST(bars_at_the_end_and_inside)
{
    ws_table t;
    ws_error error = {0};
    /* -p writes a bar at the end of every line; the command line holds two bars of its own */
    ck_assert_int_eq(record_read_text(&t, &ws_format_sacct, "s.txt",
                                      "JobID|Comment|SubmitLine|State|Elapsed|\n"
                                      "1|a|sbatch x|COMPLETED|00:00:01|\n"
                                      "2|b|srun a | tee b | tail|FAILED|00:00:02|\n"
                                      "JobID|Comment|SubmitLine|State|Elapsed|\n"
                                      "3|c|FAILED|\n"
                                      "4|d|sbatch y|COMP",
                                      &error),
                     WS_OK);
    ck_assert_uint_eq(t.n_rows, 2);
    CHECK_CELLS(&t, 0, "job", "1", "state", "COMPLETED", "elapsed_s", "1");
    CHECK_CELLS(&t, 1, "job", "2", "state", "FAILED", "elapsed_s", "2");
    ck_assert(ws_notes_find(&t.notes, WS_FINDING_RAGGED_ROW) &&
              ws_notes_find(&t.notes, WS_FINDING_RAGGED_ROW)->line == 5);
    ck_assert(ws_notes_find(&t.notes, WS_FINDING_TRUNCATED_LINE) &&
              ws_notes_find(&t.notes, WS_FINDING_TRUNCATED_LINE)->line == 6);
    ws_table_free(&t);
}
END_TEST

/* All fields are there, but the last one may be half of 00:10:00 or of 100000 J. */
START_TEST(a_last_line_that_may_be_cut)
{
    static const struct {
        const char *text;
        size_t rows;
    } cuts[] = {
        {"JobID|State|Elapsed\n1|COMPLETED|00:10:00\n2|COMPLETED|00:1", 1},
        {"JobID|State|ConsumedEnergyRaw\n1|COMPLETED|100000\n2|COMPLETED|1", 1},
        {"JobID|State|ConsumedEnergyRaw|\n1|COMPLETED|100000|\n2|COMPLETED|1", 1},
        {"JobID|State|ConsumedEnergyRaw|\n1|COMPLETED|100000|\n2|COMPLETED|100000|", 2}, /* the bar ends it */
        {"JobID|State|ConsumedEnergyRaw|\n1|COMPLETED|100000|\n2|COMPLETED|", 1},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        ws_table t;
        ws_error error = {0};
        ck_assert_int_eq(record_read_text(&t, &ws_format_sacct, "s.txt", cuts[i].text, &error), WS_OK);
        ck_assert_msg(t.n_rows == cuts[i].rows, "case %zu: %zu rows", i, t.n_rows);
        const ws_note *note = ws_notes_find(&t.notes, WS_FINDING_TRUNCATED_LINE);
        ck_assert_msg((note != NULL) == (cuts[i].rows == 1) && (!note || note->line == 3), "case %zu", i);
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(a_head_is_needed)
{
    ws_table t;
    ws_error error = {0};
    ck_assert_int_eq(record_read_text(&t, &ws_format_sacct, "s.txt", "1|COMPLETED|00:00:01\n", &error), WS_FORMAT);
    ck_assert_str_eq(error.message, "s.txt: no line is a head such as JobID|State|Elapsed: run sacct without -n");
    ws_table_free(&t);
    ck_assert_int_eq(ws_format_sacct.score("s", ws_span_of("1|COMPLETED|00:00:01\n")), 0);
    ck_assert_int_eq(ws_format_sacct.score("s", ws_span_of("a|b|c\n")), 0);
    ck_assert_int_gt(ws_format_sacct.score("s", ws_span_of(parsable)), 0);
}
END_TEST

/* Real files; counts and sums by an independent script (fixtures/truth_records.csv). */
static const char *corpus_path(char *path, size_t size, const char *name)
{
    const char *corpus = getenv("CORPUS");
    snprintf(path, size, "%s/fixtures/slurm/%s", corpus ? corpus : "", name);
    return corpus ? path : NULL;
}

START_TEST(real_energies)
{
    char path[1000];
    ws_table t;
    ws_error error = {0};
    if (!corpus_path(path, sizeof path, "sacct_energy_only.csv"))
        skip_because("CORPUS is not set");
    ck_assert_int_eq(record_read_path(&t, &ws_format_sacct, path, &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 2499);
    size_t column, missing = 0;
    double sum = 0, most = 0;
    ck_assert(ws_table_find(&t, "energy_j", &column));
    for (size_t row = 0; row < t.n_rows; row++) {
        double joules = ws_table_number(&t, column, row);
        missing += joules != joules;
        sum += joules == joules ? joules : 0;
        most = joules > most ? joules : most;
    }
    ck_assert(sum == 5327291288.0 && most == 119405863.0);
    ck_assert_uint_eq(missing, 150 + 153);
    ck_assert_uint_eq(ws_notes_find(&t.notes, WS_FINDING_ZERO_ENERGY)->count, 150);
    ck_assert_uint_eq(ws_notes_find(&t.notes, WS_FINDING_NO_ENERGY)->count, 153);
    CHECK_CELLS(&t, 6, "state", "CANCELLED", "energy_j", "1878293");
    ws_table_free(&t);
}
END_TEST

START_TEST(real_all_fields)
{
    char path[1000];
    ws_table t;
    ws_error error = {0};
    if (!corpus_path(path, sizeof path, "sacct_all_fields.csv"))
        skip_because("CORPUS is not set");
    ck_assert_int_eq(record_read_path(&t, &ws_format_sacct, path, &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 3);
    CHECK_CELLS(&t, 0, "job", "33979", "step", "", "elapsed_s", "778", "start", "2026-01-15T19:33:36", "energy_j", "",
                "nodes", "1", "gpus", "");
    CHECK_CELLS(&t, 1, "step", "batch", "elapsed_s", "778");
    CHECK_CELLS(&t, 2, "step", "0", "elapsed_s", "775", "start", "2026-01-15T19:33:37");
    ws_table_free(&t);
}
END_TEST

START_TEST(real_minimal)
{
    char path[1000];
    ws_table t;
    ws_error error = {0};
    if (!corpus_path(path, sizeof path, "sacct_minimal.txt"))
        skip_because("CORPUS is not set");
    ck_assert_int_eq(record_read_path(&t, &ws_format_sacct, path, &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 269);
    size_t steps = 0, running = 0;
    for (size_t row = 0; row < t.n_rows; row++) {
        steps += *record_cell(&t, row, "step") != '\0';
        running += strcmp(record_cell(&t, row, "state"), "RUNNING") == 0;
    }
    ck_assert_uint_eq(steps, 163);
    ck_assert_uint_eq(running, 49);
    ck_assert_uint_eq(ws_notes_find(&t.notes, WS_FINDING_JOB_IS_RUNNING)->count, 49);
    CHECK_CELLS(&t, 55, "job", "2105806", "step", "0", "name", "pmi_proxy");
    ws_table_free(&t);
}
END_TEST

TEST_MAIN("sacct", jobs_and_steps, what_is_missing_is_noted, bars_at_the_end_and_inside, a_last_line_that_may_be_cut,
          a_head_is_needed, real_energies, real_all_fields, real_minimal)
