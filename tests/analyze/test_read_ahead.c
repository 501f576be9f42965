/* One large file metered by several threads gives the result of one thread, to the last bit. */
#include "note_named.h"

#include "same_meters.h"

#include "analyze/measure/measure.h"
#include "formats/changing_text.h"
#include "formats/delimited_text.h"
#include "formats/whole_reading.h"

#include <unistd.h>

static const size_t parts[] = {64, 300, 1000, 5000};

/* What a reader and a measure make of a file. */
typedef struct metered {
    ws_status status;
    ws_measure measure;
    ws_notes notes;
} metered;

static size_t joins;

static bool count_join(void *m, void *stretch, int64_t lines)
{
    joins++;
    ws_sink sink = ws_measure_sink(m);
    return sink.join(m, stretch, lines);
}

static metered meter_file(const ws_format *format, const char *path, const ws_measure_options *options,
                          const ws_rows_options *rows)
{
    metered m = {WS_OK};
    ws_input *input;
    ws_read_options read = WS_READ_DEFAULTS;
    read.rows = *rows;
    ws_measure_init(&m.measure, options);
    ws_measure_begin(&m.measure, "t", "");
    ws_sink sink = ws_measure_sink(&m.measure);
    sink.join = count_join;
    ck_assert_int_eq(ws_input_open(&input, path, NULL), WS_OK);
    m.status = format->read(input, &read, &sink, &m.notes, NULL);
    ws_input_close(input);
    ws_measure_finish(&m.measure, &m.notes);
    return m;
}

static void free_metered(metered *m)
{
    ws_measure_free(&m->measure);
    ws_notes_free(&m->notes);
}

static char *notes_as_text(const ws_notes *notes)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    say_notes(out, notes);
    fclose(out);
    return text;
}

static void ck_same_metered(const metered *a, const metered *b)
{
    char *notes_a = notes_as_text(&a->notes), *notes_b = notes_as_text(&b->notes);
    ck_assert_str_eq(notes_a, notes_b);
    free(notes_a);
    free(notes_b);
    ck_assert_int_eq(a->status, b->status);
    ck_assert_uint_eq(a->measure.n_channels, b->measure.n_channels);
    for (size_t c = 0; c < a->measure.n_channels; c++) {
        ck_assert_str_eq(a->measure.channels[c].channel.device, b->measure.channels[c].channel.device);
        ck_same(&a->measure.channels[c].meter, &b->measure.channels[c].meter);
    }
}

static void write_file(char *path, const char *text, size_t n)
{
    int fd = mkstemp(path);
    ck_assert(fd >= 0 && write(fd, text, n) == (ssize_t)n);
    close(fd);
}

/* Returns the rule of the first channel. */
static ws_rule check_threads(const ws_format *format, const char *text, size_t n, const ws_measure_options *options)
{
    char path[] = "/tmp/wattscale-ahead-XXXXXX";
    write_file(path, text, n);
    metered want = meter_file(format, path, options, &(ws_rows_options){.reader = WS_READER_CSV});
    for (unsigned threads = 1; threads <= 4; threads++) {
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            ws_rows_options rows = {.threads = threads, .part = parts[p]};
            metered got = meter_file(format, path, options, &rows);
            ck_same_metered(&got, &want);
            free_metered(&got);
        }
    }
    ws_rule rule = want.measure.n_channels ? want.measure.channels[0].meter.rule : WS_RULE_NONE;
    free_metered(&want);
    unlink(path);
    return rule;
}

/* A second of 2026-03-14, from 09:27:00 on. */
static int64_t second(int s)
{
    return INT64_C(1773480420000000000) + (int64_t)s * 1000000000;
}

static const ws_measure_options every_channel = {.all_channels = true};

/* Ten rows a second of four devices, from the 3000th on of six. Cells miss, stamps repeat and step back, powers are odd
 * and impossible, and a line is quoted. */
static size_t put_plain(char *text, int rows, bool has_units)
{
    size_t n = (size_t)sprintf(text, "timestamp, index, power.draw [W], utilization.gpu [%%]\n");
    for (int i = 0; i < rows; i++) {
        int devices = i < 3000 ? 4 : 6, ms = (i % 97 ? i : i - i % 11) * 100;
        const char *util = i == 5000 ? "\"7\"" : i % 100 == 50 ? "[N/A]" : "12";
        int watts = i % 1501 == 1500 ? 2100 : i % 2003 == 2000 ? 4294967 : 60 + i % 300;
        n += (size_t)sprintf(text + n, "2026/03/14 09:%02d:%02d.%03d, %d, %d.%02d%s, %s\n", 27 + ms / 60000,
                             ms / 1000 % 60, ms % 1000, i % devices, watts, i % 100, has_units ? " W" : "", util);
    }
    return n;
}

START_TEST(plain_files)
{
    enum { ROWS = 9000 };
    char *text = malloc(ROWS * 80);
    const ws_format *format = ws_format_by_name("nvidia-smi-csv");
    ws_measure_options windowed = every_channel, dropping = every_channel, excluding = every_channel;
    windowed.meter =
        (ws_meter_options){.has_window = true, .window_start_ns = second(200) + 1, .window_end_ns = second(700) - 1};
    excluding.meter.gaps = WS_GAPS_EXCLUDE;
    excluding.rule = WS_RULE_RECTANGLE;
    for (int has_units = 0; has_units < 2; has_units++) {
        size_t n = put_plain(text, ROWS, has_units);
        joins = 0;
        check_threads(format, text, n, &every_channel);
        check_threads(format, text, n, &windowed);
        check_threads(format, text, n, &excluding);
        ck_assert_uint_gt(joins, 1000);
        joins = 0;
        dropping.back_steps = WS_BACK_DROP;
        check_threads(format, text, n, &dropping);
        dropping.back_steps = WS_BACK_SORT;
        check_threads(format, text, n, &dropping);
        ck_assert_uint_eq(joins, 0); /* their samples are kept */
    }
    free(text);
}
END_TEST

/* Stretches of counters are joined, too, where no reading that jumps away stands at the seam. */
START_TEST(counters)
{
    enum { ROWS = 4000 };
    char *text = malloc(ROWS * 80);
    const char *const heads[] = {"timestamp,energy_counter_j\n", "timestamp,wall energy_counter_j\n"};
    for (size_t h = 0; h < 2; h++) {
        size_t n = (size_t)sprintf(text, "%s", heads[h]);
        for (int i = 0; i < ROWS; i++)
            n += (size_t)sprintf(text + n, "%d.%d,%d.%03d\n", 1773480420 + i / 10, i % 10,
                                 i % 170 < 3 ? 0 : i * 20 % 60000, i % 1000);
        joins = 0;
        ck_assert_int_eq(check_threads(ws_format_by_name("csv"), text, n, &every_channel), WS_RULE_COUNTER);
        ck_assert_uint_gt(joins, 0);
    }
    free(text);
}
END_TEST

static void check_all_readers(const char *text, size_t n)
{
    ws_span head = {text, n < WS_HEAD_SIZE ? n : WS_HEAD_SIZE};
    for (const ws_format *const *f = ws_formats(); *f; f++)
        if (!(*f)->is_record && !strstr((*f)->name, "hdf5") && (*f)->score("t", head) > 0)
            check_threads(*f, text, n, &every_channel);
}

START_TEST(odd_and_damaged_files)
{
    enum { ROOM = 256 * 1024, ROUNDS = 4 };
    static char text[2 * ROOM];
    joins = 0;
    for (size_t k = 0; k < CHANGING_FORMS * ROUNDS; k++)
        check_all_readers(text, put_changing(text, 2 * ROOM, 700 + k, k / ROUNDS, k % ROUNDS ? 60 : 400));
    for (size_t k = 0; k < DELIMITED_FORMS * ROUNDS; k++)
        check_all_readers(text, put_case(text, ROOM, 800 + k, k / ROUNDS, k % 2));
    ck_assert_uint_gt(joins, 0);
}
END_TEST

/* The header is line 1: row i stands in line i + 2. */
START_TEST(notes_name_lines_of_the_file)
{
    enum { ROWS = 1900 };
    static const struct {
        const char *code;
        int row;
    } odd[] = {{"missing-cell", 1203},   {"zero-power", 1307},      {"implausible-power", 1411},
               {"repeated-stamp", 1502}, {"clock-step-back", 1604}, {"negative-power", 1708}};
    static const char *const watts[] = {"[N/A]", "0.00", "2500.00", "100.00", "100.00", "-3.00"};
    char *text = malloc(ROWS * 80), path[] = "/tmp/wattscale-ahead-XXXXXX";
    size_t n = (size_t)sprintf(text, "timestamp, index, power.draw [W]\n"), at = 0;
    for (int i = 0; i < ROWS; i++) {
        bool is_odd = at < 6 && odd[at].row == i;
        int s = i - (is_odd && at == 3) - (is_odd && at == 4) * 100;
        n += (size_t)sprintf(text + n, "2026/03/14 09:%02d:%02d.000, 0, %s W\n", 27 + s / 60, s % 60,
                             is_odd ? watts[at] : "100.00");
        at += is_odd;
    }
    write_file(path, text, n);
    for (unsigned threads = 1; threads <= 2; threads++) {
        ws_rows_options rows = {.threads = threads, .part = 700};
        joins = 0;
        metered m = meter_file(ws_format_by_name("nvidia-smi-csv"), path, &every_channel, &rows);
        ck_assert(threads == 1 ? joins == 0 : joins > 50);
        for (size_t i = 0; i < 6; i++) {
            const ws_note *note = note_named(&m.notes, odd[i].code);
            ck_assert_msg(note && note->count == 1 && note->line == odd[i].row + 2, "%s on %u threads: %d in line %d",
                          odd[i].code, threads, note ? (int)note->count : 0, note ? (int)note->line : 0);
        }
        free_metered(&m);
    }
    unlink(path);
    free(text);
}
END_TEST

TEST_MAIN("read ahead", plain_files, counters, odd_and_damaged_files, notes_name_lines_of_the_file)
