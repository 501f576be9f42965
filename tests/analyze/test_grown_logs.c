/* A log that is read on from where an earlier reading ended comes to what it comes to when it is read whole, to the
 * last bit. */
#include "same_measures.h"

#include "analyze/log_record.h"
#include "analyze/measure/measure.h"
#include "analyze/measure/pack.h"
#include "analyze/source.h"
#include "formats/changing_text.h"

#include <unistd.h>

enum { ROOM = 1 << 20, LEAST_TEXT = 70 * 1024, MOST_TEXT = 250 * 1024 };

static const char *path;
static unsigned went_on, refused; /* readings */

/* What an earlier reading left behind: a record up to the place. */
typedef struct left_behind {
    ws_packed record;
    ws_log_place place;
} left_behind;

typedef struct reading {
    ws_measure measure, *list[1];
    ws_notes notes;
    left_behind reached;
} reading;

static ws_record record_of(reading *r)
{
    r->list[0] = &r->measure;
    return (ws_record){.paths = &path, .n_paths = 1, .measures = r->list, .n_measures = 1, .notes = &r->notes};
}

static void reach(void *state, const ws_log_place *place)
{
    reading *r = state;
    ws_record record = record_of(r);
    ck_assert_ptr_null(r->reached.record.bytes);
    r->reached.place = *place;
    if (!ws_measure_may_go_on(&r->measure) || !ws_record_pack(&record, &r->reached.record))
        r->reached.record = (ws_packed){0};
}

static void end(reading *r)
{
    ws_measure_free(&r->measure);
    ws_notes_free(&r->notes);
}

/* Whole, or from what was left behind; false: the reader refuses to go on. */
static bool read_log(reading *r, const char *as, const ws_measure_options *options, const ws_rows_options *rows,
                     const left_behind *before)
{
    *r = (reading){0};
    ws_log_reading log = {.from = before ? &before->place : NULL, .reach = reach, .state = r};
    ws_source_options source = {.as = as, .read = WS_READ_DEFAULTS};
    ws_error error = {0};
    source.read.rows = *rows;
    source.read.log = &log;
    ws_measure_init(&r->measure, options);
    if (before) {
        ws_record record = record_of(r);
        ck_assert(ws_record_unpack(&record, before->record.bytes, before->record.n));
        ws_measure_begin_again(&r->measure, path, "n1");
    } else
        ws_measure_begin(&r->measure, path, "n1");
    ws_sink sink = ws_measure_sink(&r->measure);
    ws_status status = ws_source_read(path, &source, &sink, &r->notes, NULL, &error);
    if (status != WS_OK)
        ws_note_failure(&r->notes, WS_FINDING_UNREADABLE, path, &error);
    ws_measure_flush(&r->measure);
    return !before || (!log.is_refused && ws_measure_is_the_same(&r->measure));
}

static void write_up_to(const char *text, size_t n)
{
    FILE *out = fopen(path, "wb");
    ck_assert(out && fwrite(text, 1, n, out) == n && fclose(out) == 0);
}

static void ck_same_readings(reading *on, reading *whole)
{
    ck_assert_int_eq(on->reached.record.n > 0, whole->reached.record.n > 0);
    if (on->reached.record.n)
        ck_assert(memcmp(&on->reached.place, &whole->reached.place, sizeof on->reached.place) == 0);
    ck_same_notes(&on->notes, &whole->notes);
    ck_same_measures(&on->measure, &whole->measure);
}

/* Reads the log at each of its lengths: whole, and on from what one of both left behind at the length before. */
static void check_growing(const char *as, const char *text, const size_t *lengths, size_t n,
                          const ws_measure_options *options, const ws_rows_options *rows)
{
    left_behind before = {0};
    for (size_t i = 0; i < n; i++) {
        reading whole, on = {0};
        write_up_to(text, lengths[i]);
        read_log(&whole, as, options, rows, NULL);
        bool goes_on = before.record.bytes && read_log(&on, as, options, rows, &before);
        went_on += goes_on, refused += before.record.bytes && !goes_on;
        if (goes_on)
            ck_same_readings(&on, &whole);
        free(before.record.bytes);
        reading *next = goes_on && i % 2 ? &on : &whole;
        before = next->reached;
        free((next == &on ? &whole : &on)->reached.record.bytes);
        end(&whole);
        end(&on);
    }
    free(before.record.bytes);
}

static size_t put_log(char *out, changing *c, size_t most)
{
    size_t n = (size_t)sprintf(out, "%s", c->form->head);
    for (int i = 0; n < most; i++) {
        int place = i % c->devices;
        if (is_odd(c) && place == 0)
            change_devices(c);
        if (is_odd(c))
            n += put_between(c, out + n);
        if (place == 0 || !c->is_one_stamp)
            step_time(c);
        c->count += 1 + choose(1000);
        if (!is_odd(c)) /* else it is not there */
            n += put_changing_row(c, out + n, c->order[place % c->devices]);
    }
    return n;
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void draw_lengths(size_t *lengths, size_t n, size_t most)
{
    for (size_t i = 0; i + 1 < n; i++)
        lengths[i] = choose(4) || !i ? 1 + choose((unsigned)most) : lengths[i - 1] + choose(200) % most;
    lengths[n - 1] = most;
    for (size_t i = 0; i < n; i++)
        lengths[i] = lengths[i] > most ? most : lengths[i];
    qsort(lengths, n, sizeof *lengths, by_size);
}

static char place_of_file[] = "/tmp/wattscale-grown-XXXXXX";

static void begin_file(void)
{
    strcpy(place_of_file + strlen(place_of_file) - 6, "XXXXXX");
    close(mkstemp(place_of_file));
    path = place_of_file;
    went_on = refused = 0;
}

static bool may_go_on(const struct changing_form *form)
{
    const ws_format *format = ws_format_by_name(form->reader);
    return format && format->goes_on;
}

static void check_seed(uint64_t seed, size_t form)
{
    enum { LENGTHS = 5 };
    static char text[ROOM];
    damage_state = seed;
    changing c = begin_changing(form);
    ws_measure_options options = {.back_steps = choose(8) ? WS_BACK_UNSAID : WS_BACK_DROP};
    options.meter.gaps = choose(4) ? WS_GAPS_BRIDGE : WS_GAPS_EXCLUDE;
    options.quantities = choose(4) ? 0 : 1u << WS_POWER;
    ws_rows_options rows = {.threads = choose(3), .part = choose(2) ? 0 : 20000, .reader = choose(8) ? 0 : 2};
    size_t n = put_log(text, &c, LEAST_TEXT + choose(MOST_TEXT - LEAST_TEXT)), lengths[LENGTHS];
    draw_lengths(lengths, LENGTHS, n);
    check_growing(choose(4) ? NULL : c.form->reader, text, lengths, LENGTHS, &options, &rows);
}

/* Logs of every form with every oddity, cut anywhere. */
START_TEST(logs_that_grow)
{
    enum { ROUNDS = 8, ROUNDS_OF_OTHERS = 1 };
    begin_file();
    for (size_t form = 0; form < CHANGING_FORMS; form++)
        for (uint64_t k = 0; k < (may_go_on(&changing_forms[form]) ? ROUNDS : ROUNDS_OF_OTHERS); k++)
            check_seed(form * ROUNDS + k, form);
    unlink(path);
    ck_assert_uint_gt(went_on, 50);
}
END_TEST

/* Four devices, ten rows a second each; a fifth one in some rows. */
static size_t put_plain(char *text, int rows, int fifth_from, int fifth_to, const char *head)
{
    size_t n = (size_t)sprintf(text, "%s", head);
    for (int i = 0; i < rows; i++) {
        int device = i >= fifth_from && i < fifth_to && i % 8 == 7 ? 4 : i % 4, ms = i / 4 * 100;
        n += (size_t)sprintf(text + n, "2026/03/14 09:%02d:%02d.%03d, %d, %d.%02d W, %d %%\n", ms / 60000 % 60,
                             ms / 1000 % 60, ms % 1000, device, 60 + i % 300, i % 100, i % 101);
    }
    return n;
}

static const char plain_head[] = "timestamp, index, power.draw [W], utilization.gpu [%]\n";

static unsigned count_going_on(const char *text, size_t before, size_t n)
{
    const ws_measure_options options = {0};
    const ws_rows_options rows = {0};
    size_t lengths[] = {before, n};
    went_on = refused = 0;
    check_growing(NULL, text, lengths, 2, &options, &rows);
    return went_on;
}

/* A line that was cut is refused then, and whole later; every byte at which it can be cut. */
START_TEST(cut_lines_are_finished)
{
    static char text[ROOM];
    begin_file();
    size_t n = put_plain(text, 2500, 0, 0, plain_head), middle = n - n / 8;
    for (size_t i = 0; i < 80; i += 1 + i % 3)
        ck_assert_uint_eq(count_going_on(text, middle + i, n), 1);
    unlink(path);
}
END_TEST

/* A carriage return ends a row, too: one before the cut in the last line was taken already. */
START_TEST(rows_inside_a_cut_line)
{
    static char text[ROOM];
    begin_file();
    size_t n = put_plain(text, 2500, 0, 0, plain_head), cut = n - 20;
    while (text[cut - 1] != '\n')
        cut--;
    text[cut - 1] = '\r';
    ck_assert_uint_eq(count_going_on(text, cut + 10, n), 0);
    text[cut - 1] = '\n';
    ck_assert_uint_eq(count_going_on(text, cut + 10, n), 1);
    unlink(path);
}
END_TEST

/* A device that is not in the head has to be in the last rows; one header alone; enough rows. Else it is read whole. */
START_TEST(logs_that_change_in_the_middle)
{
    static char text[ROOM];
    begin_file();
    size_t n = put_plain(text, 8000, 2400, 8000, plain_head);
    ck_assert_uint_eq(count_going_on(text, n - 3000, n), 1);
    n = put_plain(text, 8000, 2400, 2800, plain_head);
    ck_assert_uint_eq(count_going_on(text, n - 3000, n), 0);
    ck_assert_uint_eq(refused, 1);
    n = put_plain(text, 4000, 0, 0, plain_head);
    n += (size_t)sprintf(text + n, "timestamp, index, power.draw.instant [W]\n");
    ck_assert_uint_eq(count_going_on(text, n - 3000, n), 1);
    ck_assert_uint_eq(count_going_on(text, n - 3000, n + put_plain(text + n, 50, 0, 0, "")), 1);
    ck_assert_uint_eq(count_going_on(text, n + 40, n + put_plain(text + n, 50, 0, 0, "")), 0);
    n = put_plain(text, 1000, 0, 0, plain_head); /* all of it is head */
    ck_assert_uint_eq(count_going_on(text, n - 3000, n), 0);
    unlink(path);
}
END_TEST

/* RAPL's counters wrap at 262143 J; one column a zone, or one row. */
static size_t put_counters(char *text, int rows, bool is_long)
{
    size_t n = (size_t)sprintf(text, is_long ? "timestamp,domain,energy_uj,max_energy_range_uj\n"
                                             : "# max_energy_range_uj package-0=262143328850\n"
                                               "timestamp,package-0,dram-0\n");
    for (int i = 0; i < rows; i++) {
        unsigned long long package = (261900000000 + (unsigned long long)i * 151234567) % 262143328850,
                           dram = 1200000 + (unsigned long long)i * 20123456;
        if (is_long)
            n += (size_t)sprintf(text + n, "%d.0,package-0,%llu,262143328850\n%d.0,dram-0,%llu,65712999613\n",
                                 1700000000 + i, package, 1700000000 + i, dram);
        else
            n += (size_t)sprintf(text + n, "%d.0,%llu,%llu\n", 1700000000 + i, package, dram);
    }
    return n;
}

START_TEST(logs_of_counters)
{
    static char text[ROOM];
    begin_file();
    for (int is_long = 0; is_long < 2; is_long++) {
        size_t n = put_counters(text, 4000, is_long);
        for (size_t i = 0; i < 40; i++)
            ck_assert_uint_eq(count_going_on(text, n - n / 5 + 211 * i, n), 1);
    }
    unlink(path);
}
END_TEST

/* Energies with the length of their interval: of RAPL's packages, and below names that any trace may have. */
static size_t put_intervals(char *text, int rows, bool is_rapl)
{
    size_t n = (size_t)sprintf(text, is_rapl ? "#timestamp,interval,socket,domain,energy,power\n"
                                             : "timestamp,interval,gpu,energy_j,power_w\n");
    for (int i = 0; i < rows; i++) {
        int s = i / 2 * 3, joules = 200 + i * 37 % 100;
        if (is_rapl)
            n += (size_t)sprintf(text + n, "%d.%03d,3.001,N%d,package,%d.%02d,%d.5\n", s, i % 7, i % 2, joules, i % 89,
                                 joules / 3);
        else
            n += (size_t)sprintf(text + n, "%d,3,%d,%d.%02d,%d.5\n", 1700000000 + s, i % 2, joules, i % 89, joules / 3);
    }
    return n;
}

START_TEST(logs_of_intervals)
{
    static char text[ROOM];
    begin_file();
    for (int is_rapl = 0; is_rapl < 2; is_rapl++) {
        size_t n = put_intervals(text, 5000, is_rapl);
        for (size_t i = 0; i < 40; i++)
            ck_assert_uint_eq(count_going_on(text, n - n / 5 + 211 * i, n), 1);
    }
    unlink(path);
}
END_TEST

/* Asked to go on, it says that it cannot, and pushes nothing. */
static bool is_refused_at(const char *text, size_t n, const ws_log_place *place)
{
    ws_measure measure;
    ws_notes notes = {0};
    const ws_measure_options options = {0};
    ws_log_reading log = {.from = place};
    ws_source_options source = {.read = WS_READ_DEFAULTS};
    source.read.log = &log;
    write_up_to(text, n);
    ws_measure_init(&measure, &options);
    ws_measure_begin(&measure, path, "n1");
    ws_sink sink = ws_measure_sink(&measure);
    ws_status status = ws_source_read(path, &source, &sink, &notes, NULL, NULL);
    bool is_refused = status == WS_OK && log.is_refused && !ws_measure_has_samples(&measure) && !notes.n;
    ws_measure_free(&measure);
    ws_notes_free(&notes);
    return is_refused;
}

/* Presets: a row a reading, and a reader that keeps more of the rows before than its devices. */
START_TEST(logs_of_presets)
{
    static char text[ROOM];
    begin_file();
    size_t n = (size_t)sprintf(text, "GPUId,TimeStampUs,Field,Values\n");
    for (int i = 0; i < 5000; i++)
        n += (size_t)sprintf(text + n, "%d,%d00000,power_usage_instant,%d.%d\n", i % 4, 1700000000 + i / 4, 60 + i % 90,
                             i % 7);
    for (size_t i = 0; i < 40; i++)
        ck_assert_uint_eq(count_going_on(text, n - n / 5 + 211 * i, n), 1);
    n = (size_t)sprintf(text, "Core\tCPU\tAvg_MHz\tBusy%%\tTime_Of_Day_Seconds\tPkgWatt\n");
    for (int i = 0; i < 5000; i++)
        n += (size_t)sprintf(text + n, "-\t-\t%d\t50.00\t%d.5\t%d.25\n", 1000 + i % 700, 1700000000 + i, 60 + i % 90);
    ck_assert_uint_eq(count_going_on(text, n - n / 5, n), 0);
    ck_assert(is_refused_at(text, n, &(ws_log_place){100000, 3000, 1}));
    unlink(path);
}
END_TEST

/* What a store may have of a log, damaged anywhere, or of another log. */
START_TEST(records_of_other_logs_are_refused)
{
    static char text[ROOM];
    const ws_packed record = {(unsigned char *)"record", 6};
    ws_log_place place = {150000, 3000, 4}, got;
    ws_packed packed, inner;
    begin_file();
    size_t n = put_plain(text, 4000, 0, 0, plain_head);
    write_up_to(text, n);
    ck_assert(ws_log_record_pack(path, &place, &record, &packed));
    ck_assert(ws_log_record_unpack(path, &packed, &got, &inner));
    ck_assert(memcmp(&place, &got, sizeof got) == 0);
    ck_assert(inner.n == record.n && memcmp(inner.bytes, record.bytes, record.n) == 0);
    size_t head = packed.n - record.n;
    for (size_t i = 0; i < head; i++) {
        packed.bytes[i] ^= (unsigned char)(1u << i % 8);
        ck_assert(!ws_log_record_unpack(path, &packed, &got, &inner));
        packed.bytes[i] ^= (unsigned char)(1u << i % 8);
        const ws_packed cut = {packed.bytes, i};
        ck_assert(!ws_log_record_unpack(path, &cut, &got, &inner));
    }
    static const struct {
        size_t at;
        bool is_seen;
    } changes[] = {{0, true},     {65535, true},  {65536, false}, {84463, false},
                   {84464, true}, {149999, true}, {150000, false}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        text[changes[i].at] ^= 1;
        write_up_to(text, n);
        ck_assert_int_eq(ws_log_record_unpack(path, &packed, &got, &inner), !changes[i].is_seen);
        text[changes[i].at] ^= 1;
    }
    write_up_to(text, 149999);
    ck_assert(!ws_log_record_unpack(path, &packed, &got, &inner));
    free(packed.bytes);
    unlink(path);
}
END_TEST

TEST_MAIN("grown logs", logs_that_grow, cut_lines_are_finished, rows_inside_a_cut_line, logs_that_change_in_the_middle,
          logs_of_counters, logs_of_intervals, logs_of_presets, records_of_other_logs_are_refused)
