/* What one pass over the first rows says of each column (formats/table/trace_sample.h). */
#include "harness.h"

#include "core/arena.h"
#include "formats/table/trace_sample.h"
#include "formats/table/dictionary.h"

#include <math.h>

enum { MOST_ROWS = 2048 };

static ws_arena arena;
static ws_trace_sample sample;

static void set_up(void)
{
}

static void tear_down(void)
{
    ws_arena_free(&arena);
}

/* Rows between semicolons, cells between bars: "0|1,5;1|2,5" are two rows of two. */
static const ws_column_stats *stats_of(const char *text, int32_t column)
{
    const ws_row **rows = ws_arena_alloc(&arena, MOST_ROWS * sizeof *rows);
    ws_span rest = ws_span_of(text), line, cell;
    size_t n = 0;
    while (ws_span_split(&rest, ';', &line)) {
        ws_row *row = ws_arena_alloc(&arena, sizeof *row);
        ws_span *cells = ws_arena_alloc(&arena, 8 * sizeof *cells);
        row->cells = cells;
        while (ws_span_split(&line, '|', &cell))
            cells[row->n_cells++] = cell;
        rows[n++] = row;
    }
    sample = ws_trace_sample_of(&arena, rows, NULL, n, 2);
    return ws_stats_of_column(&sample, column);
}

START_TEST(different_texts)
{
    ck_assert_uint_eq(stats_of("a;b;a;N/A;;c", 0)->distinct, 3);
    ck_assert_uint_eq(stats_of("a;b", 1)->distinct, 0); /* rows without that cell */
    ck_assert_uint_eq(stats_of("a;b", WS_NO_COLUMN)->distinct, 0);
    ck_assert_uint_eq(stats_of("package-0;dram;3;N/A;total", 0)->not_parts, 0);
    ck_assert_uint_eq(stats_of("package-0;train;train;1.5", 0)->not_parts, 2);
    ck_assert_uint_eq(stats_of("n01;n02;login", 0)->not_hosts, 0);
    ck_assert_uint_eq(stats_of("n01;gpu0;two words;1;a:b", 0)->not_hosts, 4);
}
END_TEST

START_TEST(no_more_texts_than_are_told)
{
    char text[MOST_ROWS * 6] = "";
    size_t n = 0;
    for (int i = 0; i < WS_DISTINCT_MOST + 10; i++)
        n += (size_t)sprintf(text + n, "%sx%d", i ? ";" : "", i);
    ck_assert_uint_eq(stats_of(text, 0)->distinct, WS_DISTINCT_MOST);
}
END_TEST

START_TEST(numbers_in_turn)
{
    ck_assert_uint_eq(stats_of("0;1;2;0;1;2", 0)->round, 3);
    ck_assert_uint_eq(stats_of("2;5;2;5;2", 0)->round, 2); /* a last round may be cut */
    ck_assert_uint_eq(stats_of("0;1;2;0;1", 0)->round, 0); /* two whole ones are needed */
    ck_assert_uint_eq(stats_of("0;1;2;0;2;1", 0)->round, 0);
    ck_assert_uint_eq(stats_of("0;1;2;3", 0)->round, 0);
    ck_assert_uint_eq(stats_of("0;0;0;0", 0)->round, 0);
    ck_assert_uint_eq(stats_of("0;1;0;1;x", 0)->round, 0);
    ck_assert_uint_eq(stats_of("1;1023;1;1023", 0)->round, 2);
    ck_assert_uint_eq(stats_of("1;1024;1;1024", 0)->round, 0);
}
END_TEST

START_TEST(ranges)
{
    const ws_column_stats *s = stats_of("5 W;0;1.5;4294967295;N/A;7", 0);
    ck_assert_uint_eq(s->range.n, 3); /* neither zeros nor what AMD writes for no reading */
    ck_assert_uint_eq(s->range.with_unit, 1);
    ck_assert_double_eq(s->range.least, 1.5);
    ck_assert_double_eq(s->range.most, 7);
    ck_assert(s->range.has_fraction);
    ck_assert_uint_eq(s->bare, 4);
    ck_assert_double_eq(s->least, 0);
    s = stats_of("1,5;2,25", 0);
    ck_assert_double_eq(s->range.most, 2);
    ck_assert_double_eq(s->range_of_commas.most, 2.25);
    ck_assert(!isfinite(stats_of("a;b", 0)->most));
}
END_TEST

START_TEST(spellings)
{
    const ws_column_stats *s = stats_of("1.5;990", 0);
    ck_assert(s->has_point && s->has_whole && !s->has_decimal && !s->has_group);
    s = stats_of("1,5;1,25", 0);
    ck_assert(s->has_decimal && !s->has_group && !s->has_whole);
    s = stats_of("1,030;2,125", 0);
    ck_assert(s->has_group && !s->has_decimal && !s->has_whole);
    ck_assert_uint_eq(stats_of("1,2,3;49.6,57.0,55.7,108.3;1,2,3,4", 0)->first_series, 2);
}
END_TEST

/* No reading is looked up among the names of devices, which is right as long as none has such a name. */
START_TEST(readings_name_no_devices)
{
    static const char *const behind[] = {"",    "%",     "W",   "mW",    "uW",    "kW",      "MW",    "J",   "mJ",
                                         "uJ",  "kJ",    "MJ",  "GJ",    "Wh",    "s",       "mWh",   "kWh", "MWh",
                                         "GWh", "ms",    "us",  "ns",    "min",   "h",       "B",     "kB",  "MB",
                                         "KiB", "MiB",   "GiB", "GB",    "Hz",    "kHz",     "MHz",   "GHz", "C",
                                         "pct", "watts", "sec", "hours", "bytes", "celsius", "joules"};
    static const char *const numbers[] = {"0", "12", "86.35", "-1"};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            const char *cell = ws_arena_printf(&arena, "%s %s", numbers[k], behind[i]);
            ws_device_name name = ws_device_name_of(ws_span_of(cell));
            ck_assert_msg(!*behind[i] || ws_unit_find(ws_span_of(behind[i])), "'%s'", behind[i]);
            ck_assert_msg(!name.is_known && !name.is_total, "'%s'", cell);
        }
    ck_assert_uint_eq(stats_of("86.35 W;[N/A];gpu0;0 gpu;2026/03/14 09:27:01.021;12 x", 0)->not_parts, 3);
    ck_assert_uint_eq(stats_of("1 W;2 x;3 W;4 x;5;6 W;0 W", 0)->range.with_unit, 3);
    ck_assert_uint_eq(stats_of("1,5 W;2,5 x;3,5 W;4,5", 0)->range_of_commas.with_unit, 2);
}
END_TEST

FIXTURE_MAIN("column statistics", set_up, tear_down, different_texts, no_more_texts_than_are_told, numbers_in_turn,
             ranges, spellings, readings_name_no_devices)
