/* Which files that follow each other are one log that was rotated. Times in seconds since the epoch. */
#include "harness.h"

#include "analyze/ingest/path_dates.h"
#include "analyze/ingest/path_endings.h"
#include "analyze/ingest/path_rotation.h"
#include "formats/campaign.h"

#include <string.h>

static const int64_t S = 1000000000, HOUR = 3600;

static ws_scan_file a_file(int64_t from_s, int64_t to_s, double period_s)
{
    return (ws_scan_file){.span.is_dated = true,
                          .span.start_ns = from_s * S,
                          .span.end_ns = to_s * S,
                          .span.period_ns = period_s * 1e9,
                          .span.gpus = 2};
}

static ws_rotation judge(ws_scan_file a, ws_scan_file b, bool is_named)
{
    ws_scan_file *files[] = {&b, &a}; /* in any order */
    return ws_find_rotation(files, 2, is_named);
}

START_TEST(cut_at_a_full_hour)
{
    int64_t noon = 490000 * HOUR;
    ws_scan_file before = a_file(noon - 500, noon - 1, 1);
    ck_assert_int_eq(judge(before, a_file(noon, noon + 400, 1), false), WS_ROTATION_PROVEN);
    ck_assert_int_eq(judge(before, a_file(noon + 4, noon + 400, 1), false), WS_ROTATION_PROVEN);
    ck_assert_int_eq(judge(before, a_file(noon + 5, noon + 400, 1), false), WS_ROTATION_NONE); /* a break of 6 s */
    ck_assert_int_eq(judge(before, a_file(noon + HOUR, noon + HOUR + 9, 1), false), WS_ROTATION_NONE);
    ck_assert(ws_goes_on_at_hour(
        &before, &(ws_scan_file){.span.start_ns = noon * S, .span.end_ns = (noon + 9) * S, .span.gpus = 2}));
}
END_TEST

START_TEST(a_slow_logger_may_miss_half_a_period)
{
    int64_t noon = 490000 * HOUR;
    ws_scan_file before = a_file(noon - 6000, noon - 60, 60);
    ck_assert_int_eq(judge(before, a_file(noon + 30, noon + 4000, 60), false), WS_ROTATION_PROVEN);
    ck_assert_int_eq(judge(before, a_file(noon + 31, noon + 4000, 60), false), WS_ROTATION_NONE);
}
END_TEST

/* At 12:10 nothing says why the log was cut: on the grid it asks, off the grid they are runs. */
START_TEST(elsewhere_it_asks)
{
    int64_t ten = 490000 * HOUR + 600;
    ck_assert_int_eq(judge(a_file(ten - 500, ten - 1, 1), a_file(ten, ten + 400, 1), false), WS_ROTATION_OPEN);
    ck_assert_int_eq(judge(a_file(ten - 500, ten - 1, 1), a_file(ten, ten + 400, 1), true), WS_ROTATION_PROVEN);
    ck_assert_int_eq(judge(a_file(ten - 500, ten - 3, 1), a_file(ten, ten + 400, 1), false), WS_ROTATION_NONE);
    ck_assert_int_eq(judge(a_file(ten - 500, ten - 3, 1), a_file(ten, ten + 400, 1), true), WS_ROTATION_PROVEN);
    ck_assert_int_eq(judge(a_file(ten - 500, ten, 1), a_file(ten - 9, ten + 400, 1), true), WS_ROTATION_NONE);
}
END_TEST

/* Every 10 s: a fifth of it sooner or later is the grid. */
START_TEST(a_fifth_of_a_period_is_the_grid)
{
    static const struct {
        int64_t break_ms;
        ws_rotation is;
    } cases[] = {
        {7990, WS_ROTATION_NONE}, {8010, WS_ROTATION_OPEN}, {11990, WS_ROTATION_OPEN}, {12010, WS_ROTATION_NONE}};
    int64_t ten = 490000 * HOUR + 600;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_scan_file behind = a_file(ten, ten + 4000, 10);
        behind.span.start_ns += cases[i].break_ms * 1000000;
        ck_assert_int_eq(judge(a_file(ten - 5000, ten, 10), behind, false), cases[i].is);
    }
}
END_TEST

START_TEST(without_dates_or_with_other_gpus_they_are_runs)
{
    int64_t noon = 490000 * HOUR;
    ws_scan_file before = a_file(noon - 500, noon - 1, 1), behind = a_file(noon, noon + 400, 1);
    behind.span.gpus = 4;
    ck_assert_int_eq(judge(before, behind, true), WS_ROTATION_NONE);
    behind.span.gpus = 2, behind.span.is_dated = false;
    ck_assert_int_eq(judge(before, behind, true), WS_ROTATION_NONE);
    ws_scan_file *alone = &before;
    ck_assert_int_eq(ws_find_rotation(&alone, 1, true), WS_ROTATION_NONE);
}
END_TEST

static size_t length(const char *text)
{
    return strlen(text);
}

START_TEST(names_of_rotated_logs)
{
    ck_assert_uint_eq(ws_path_before_rotation("a/power.log.1"), length("a/power.log"));
    ck_assert_uint_eq(ws_path_before_rotation("a/power.log.12.gz"), length("a/power.log"));
    ck_assert_uint_eq(ws_path_before_rotation("power.csv-20260418"), length("power.csv"));
    ck_assert_uint_eq(ws_path_before_rotation("power.csv.20260418.zst"), length("power.csv"));
    static const char *const others[] = {
        "power.log", "power.1.log", "power-20260418.log", "exp.run.1", "power.log.3512001",
        "x/1",       ".log.1",      "power.csv.gz",       "",          "1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(ws_path_before_rotation(others[i]) == 0, "%s", others[i]);
}
END_TEST

START_TEST(dates_in_names)
{
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {{"20260418", 8},
                 {"2026-04-18_x", 10},
                 {"18.04.2026 - x", 10},
                 {"04-18-2026_23-08-16", 19},
                 {"18_04_2026", 10},
                 {"18.04-2026", 0},
                 {"13.14.2026", 0},
                 {"18.04.1926", 0},
                 {"18.04.20261", 0},
                 {"20260418_230816.log", 15},
                 {"2025-03-18T19:21:59.082046.hdf5", 26},
                 {"20251121_123000.4400152", 15}, /* the number of a job */
                 {"12-30-00", 8},
                 {"1763728200", 10},
                 {"20261318", 0},
                 {"2026", 0},
                 {"4096x4096", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(ws_date_in_path(ws_span_of(cases[i].text), 0) == cases[i].n, "%s", cases[i].text);
}
END_TEST

START_TEST(raw_is_no_part_of_a_name)
{
    static const char *const pairs[][2] = {{"result_raw_3.txt", "result_3.txt"}, {"raw_gpu.csv", "gpu.csv"},
                                           {"x/raw-gpu.csv", "x/raw-gpu.csv"},   {"strawberry_1", "strawberry_1"},
                                           {"draw_raw.csv", "draw.csv"},         {"gpu_raw", "gpu"}};
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_str_eq(ws_path_without_raw(&arena, pairs[i][0]), pairs[i][1]);
    ws_arena_free(&arena);
}
END_TEST

START_TEST(braces_of_a_name_are_no_fields)
{
    static const char *const paths[] = {"{\"gpus\": 4}.csv", "a}{b", "plain.csv", "{}"};
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        ws_fields fields = {0};
        ck_assert(ws_path_match(ws_pattern_literal(&arena, paths[i]), paths[i], &fields, &arena));
        ck_assert_uint_eq(fields.n, 0);
        ws_fields_free(&fields);
    }
    ws_arena_free(&arena);
}
END_TEST

START_TEST(names_of_copies)
{
    static const struct {
        const char *path, *original;
        size_t archive;
        bool named;
    } cases[] = {{"run/power.csv", "run/power.csv", 0, false},
                 {"run/power_backup.csv", "run/power.csv", 0, false},
                 {"run/power.bak.csv", "run/power.csv", 0, false},
                 {"run/power.csv.bak", "run/power.csv", 0, false},
                 {"run/power (1).csv", "run/power.csv", 0, false},
                 {"run/power - Copy (2).csv", "run/power.csv", 0, false},
                 {"run/Copy of power.csv", "run/power.csv", 0, false},
                 {"Kopie von run/power.csv", "run/power.csv", 0, false},
                 {"run/copy offset.csv", "run/offset.csv", 0, false},
                 {"run/old_power.csv", "run/power.csv", 0, false},
                 {"run/power.csv~", "run/power.csv", 0, false},
                 {"run/power.csv.gz", "run/power.csv", 0, false},
                 {"run_old/power.csv", "run/power.csv", 0, false},
                 {"backup/run/power.csv", "run/power.csv", 0, false},
                 {"run.tar.gz/run/power.csv", "run/power.csv", 10, true},
                 {"run.tgz/power.csv", "run/power.csv", 7, true},
                 {"all.zip/run/power.csv", "run/power.csv", 7, false},
                 {"run/power_1.csv", "run/power_1.csv", 0, false},
                 {"resnet (4 GPUs)/golden.csv", "resnet (4 GPUs)/golden.csv", 0, false}};
    ws_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(ws_path_original(&arena, cases[i].path, cases[i].archive, cases[i].named), cases[i].original);
    ws_arena_free(&arena);
}
END_TEST

TEST_MAIN("rotated logs", names_of_copies, braces_of_a_name_are_no_fields, cut_at_a_full_hour,
          a_slow_logger_may_miss_half_a_period, elsewhere_it_asks, a_fifth_of_a_period_is_the_grid,
          without_dates_or_with_other_gpus_they_are_runs, names_of_rotated_logs, raw_is_no_part_of_a_name,
          dates_in_names)
