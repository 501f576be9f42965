#include "harness.h"
#include "note_named.h"

#include "formats/readers/mllog.h"
#include "record.h"

extern const ws_format ws_format_mllog;

static void read_text(ws_table *t, const char *text)
{
    ws_error error = {0};
    ck_assert_msg(record_read_text(t, &ws_format_mllog, "result_0.txt", text, &error) == WS_OK, "%s", error.message);
}

static void check(const char *text, size_t row, const char *column, const char *want)
{
    ws_table t;
    read_text(&t, text);
    ck_assert_uint_lt(row, t.n_rows);
    ck_assert_msg(strcmp(record_cell(&t, row, column), want) == 0, "%s is '%s', not '%s'", column,
                  record_cell(&t, row, column), want);
    ws_table_free(&t);
}

#define EVENT(ms, key, value) \
    ":::MLLOG {\"namespace\": \"\", \"time_ms\": " ms ", \"key\": \"" key "\", \"value\": " value "}\n"
#define STOP(ms) \
    ":::MLLOG {\"time_ms\": " ms ", \"key\": \"run_stop\", \"value\": null, \"metadata\": {\"status\": \"success\"}}\n"
#define START(ms) EVENT(ms, "run_start", "null")

/* 1700000000 s is 2023-11-14T22:13:20Z. */
static const char one_run[] =
    "+ srun python train.py\n"
    "0: " EVENT("1699999990000", "submission_benchmark", "\"toy\"") "0:" EVENT(
        "1699999990001", "global_batch_size", "64") " 1: " EVENT("1699999990002", "opt_base_learning_rate", "4e-4")
        EVENT("1699999990003", "opt_name", "\"null\"") EVENT("1699999990004", "graph", "true")
            EVENT("1699999990005", "tracked_stats", "{\"throughput\": 3}")
                START("1700000000000") "epoch 1\n" EVENT("1700000100000", "eval_accuracy", "0.5")
                    EVENT("1700000200000", "eval_accuracy", "0.9249894022941589") STOP("1700000300500");

START_TEST(a_whole_run)
{
    check(one_run, 0, "start", "2023-11-14T22:13:20Z");
    check(one_run, 0, "end", "2023-11-14T22:18:20.5Z");
    check(one_run, 0, "wall_s", "300.5");
    check(one_run, 0, "run_status", "success");
    check(one_run, 0, "events", "10");
    check(one_run, 0, "submission_benchmark", "toy");
    check(one_run, 0, "global_batch_size", "64");
    check(one_run, 0, "opt_base_learning_rate", "0.0004");
    check(one_run, 0, "graph", "true");
    check(one_run, 0, "eval_accuracy", "0.9249894022941589");
    check(one_run, 0, "opt_name", "?");
    check(one_run, 0, "tracked_stats", "?");
}
END_TEST

START_TEST(ranks_that_repeat_an_event_widen_the_window)
{
    static const char text[] = START("1700000000100") START("1700000000000") EVENT("1700000000200", "seed", "7")
        EVENT("1700000000200", "seed", "7") STOP("1700000010000") STOP("1700000010400");
    check(text, 0, "start", "2023-11-14T22:13:20Z");
    check(text, 0, "wall_s", "10.4");
    check(text, 0, "seed", "7");
}
END_TEST

START_TEST(a_run_that_was_given_up_says_so)
{
    static const char text[] = START("1700000000000") ":::MLLOG {\"time_ms\":1700000010000,\"key\":\"run_stop\","
                                                      "\"value\":null,\"metadata\":{\"status\":\"aborted\"}}\n";
    check(text, 0, "run_status", "aborted");
    check(text, 0, "wall_s", "10");
}
END_TEST

START_TEST(runs_one_after_the_other_are_rows)
{
    static const char text[] = EVENT("1700000000000", "seed", "1") START("1700000001000") STOP("1700000002000")
        EVENT("1700000002500", "eval_accuracy", "0.4") EVENT("1700000003000", "cache_clear", "true")
            EVENT("1700000003000", "seed", "2") START("1700000004000") STOP("1700000009000");
    ws_table t;
    read_text(&t, text);
    ck_assert_uint_eq(t.n_rows, 2);
    ws_table_free(&t);
    check(text, 0, "seed", "1");
    check(text, 0, "eval_accuracy", "0.4");
    check(text, 0, "wall_s", "1");
    check(text, 1, "seed", "2");
    check(text, 1, "wall_s", "5");
}
END_TEST

/* Lines of two runs in turns: a run that begins more than a minute later than the ranks of one do. */
START_TEST(runs_in_turns_have_no_window)
{
    static const char *const second[] = {"1700000060000", "1700000060001"};
    for (int is_mixed = 0; is_mixed < 2; is_mixed++) {
        char text[600];
        ws_table t;
        snprintf(text, sizeof text, "%s:::MLLOG {\"time_ms\": %s, \"key\": \"run_start\", \"value\": null}\n%s%s",
                 START("1700000000000"), second[is_mixed], STOP("1700000100000"), STOP("1700000200000"));
        read_text(&t, text);
        ck_assert_uint_eq(t.n_rows, 1);
        ck_assert_str_eq(record_cell(&t, 0, "wall_s"), is_mixed ? "" : "200");
        ck_assert_int_eq(ws_notes_find(&t.notes, WS_FINDING_MIXED_LINES) != NULL, is_mixed);
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(a_cut_log_has_no_window)
{
    ws_table t;
    read_text(&t, START("1700000000000") EVENT("1700000001000", "seed", "3") ":::MLLOG {\"time_ms\": 17000000020");
    ck_assert_uint_eq(t.n_rows, 1);
    ck_assert_str_eq(record_cell(&t, 0, "end"), "");
    ck_assert_str_eq(record_cell(&t, 0, "wall_s"), "");
    ck_assert_ptr_nonnull(ws_notes_find(&t.notes, WS_FINDING_NO_RUN_STOP));
    ck_assert_int_eq(ws_notes_find(&t.notes, WS_FINDING_SKIPPED_LINE)->line, 3);
    ws_table_free(&t);
}
END_TEST

START_TEST(odd_lines_are_noted)
{
    static const struct {
        const char *line, *code;
    } odd[] = {{":::MLLOG [1, 2]\n", "skipped-line"},
               {":::MLLOG not json\n", "skipped-line"},
               {":::MLLOG {\"time_ms\": 5}\n", "skipped-line"},
               {":::MLLOG {\"key\": \"run_start\", \"time_ms\": \"noon\"}\n", "skipped-line"},
               {":::MLLOG {\"key\": \"run_start\", \"time_ms\": 9223372036854775807}\n", "skipped-line"},
               {EVENT("1", "seed", "1") EVENT("1", "seed", "\"one\""), "unreadable-cell"}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char text[400];
        ws_table t;
        snprintf(text, sizeof text, "%s%s", EVENT("1700000000000", "lora_rank", "16"), odd[i].line);
        read_text(&t, text);
        ck_assert_msg(note_named(&t.notes, odd[i].code) != NULL, "%s", odd[i].line);
        ck_assert_str_eq(record_cell(&t, 0, "lora_rank"), "16");
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(recognition)
{
    int (*score)(const char *, ws_span) = ws_format_mllog.score;
    ck_assert_int_gt(score("x.txt", ws_span_of(one_run)), 50);
    ck_assert_int_eq(score("x.txt", ws_span_of(EVENT("1700000000000", "power_reading", "5291"))), 0);
    ck_assert_int_eq(score("x.txt", ws_span_of("seed,3\n")), 0);
}
END_TEST

/* The quick look and the whole parser agree wherever the quick one says anything. */
static void check_plain(const char *text, bool is_plain)
{
    ws_mllog_reading plain;
    ws_mllog whole;
    double value;
    ck_assert_msg(ws_mllog_plain(ws_span_of(text), &plain) == is_plain, "%s", text);
    if (!is_plain)
        return;
    ck_assert(ws_mllog_parse(ws_span_of(text), &whole) && ws_mllog_number(&whole, &value));
    ck_assert(plain.value == value && plain.time_ms == whole.time_ms && ws_span_eq(plain.key, whole.key));
    ws_mllog_free(&whole);
}

START_TEST(plain_lines_are_read_as_by_the_parser)
{
    check_plain(
        ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1715257324220, \"key\": \"power_reading\", \"value\": 2795.25}",
        true);
    check_plain(":::MLLOG {\"time_ms\":1715257324220,\"key\":\"k\",\"value\":0.1,\"metadata\":\"\"} more", true);
    check_plain(":::MLLOG {\"time_ms\": 1715257324220, \"key\": \"k\", \"value\": \"3\"}", false);
    check_plain(":::MLLOG {\"time_ms\": 1715257324220.5, \"key\": \"k\", \"value\": 3}", false);
    check_plain(":::MLLOG {\"time_ms\": 1715257324220, \"key\": \"k\\\"\", \"value\": 3}", false);
    check_plain(":::MLLOG {\"time_ms\": 1715257324220, \"key\": \"k\", \"value\": 03}", false);
    check_plain(":::MLLOG {\"time_ms\": 1715257324220, \"key\": \"k\", \"value\": 3.}", false);
    check_plain(":::MLLOG {\"time_ms\": 1715257324220, \"key\": \"k\", \"value\": 3", false);
    check_plain(
        ":::MLLOG {\"time_ms\": 1715257324220, \"key\": \"k\", \"value\": 3, \"metadata\": {\"switch_id\": \"s\"}}",
        false);
    check_plain(":::MLLOG {\"time_ms\": 1, \"key\": \"k\", \"value\": 3, \"value\": 4}", false);
}
END_TEST

TEST_MAIN("mllog", plain_lines_are_read_as_by_the_parser, a_whole_run, ranks_that_repeat_an_event_widen_the_window,
          a_run_that_was_given_up_says_so, runs_one_after_the_other_are_rows, runs_in_turns_have_no_window,
          a_cut_log_has_no_window, odd_lines_are_noted, recognition)
