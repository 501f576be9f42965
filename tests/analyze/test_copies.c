#include "harness.h"
#include "note_named.h"

#include "analyze/identity/copies.h"

#include "analyze/measure/measure.h"
#include "core/calendar.h"

#include <math.h>
#include <stdint.h>

enum { MOST = 4000 };

/* A log in the order of its lines. */
typedef struct trace {
    size_t n;
    int64_t t_ns[MOST], line[MOST];
    double value[MOST];
    ws_time_base time;
    ws_quantity quantity;
    ws_rule rule;
    bool has_window;
    int64_t from_ns, to_ns;
} trace;

static trace log_of;

static void begin(void)
{
    log_of = (trace){.time = WS_TIME_UTC, .quantity = WS_POWER, .rule = WS_RULE_TRAPEZOID};
}

/* A reading a second from `from_s` on: 100 W and up to 12 W more, in a pattern of 13. */
static void write_seconds(double from_s, size_t n, double offset_w)
{
    for (size_t i = 0; i < n; i++) {
        double t = from_s + (double)i;
        log_of.t_ns[log_of.n] = llround(t * 1e9);
        log_of.value[log_of.n] = 100 + fmod(floor(t), 13) + offset_w;
        log_of.line[log_of.n] = (int64_t)log_of.n + 2;
        log_of.n++;
    }
}

static void write_every(double period_s, double from_s, size_t n, double offset_w)
{
    for (size_t i = 0; i < n; i++)
        write_seconds(from_s + period_s * (double)i, 1, offset_w);
}

static void use_window(int64_t from_s, int64_t to_s)
{
    log_of.has_window = true;
    log_of.from_ns = from_s * INT64_C(1000000000);
    log_of.to_ns = to_s * INT64_C(1000000000);
}

static void push(const ws_sink *sink, size_t piece)
{
    ws_channel channel = {
        .device = "gpu0", .column = "P", .rule = log_of.rule, .time = log_of.time, .quantity = log_of.quantity};
    int id = -1;
    ck_assert_int_eq(sink->channel(sink->state, &channel, &id, NULL), WS_OK);
    for (size_t i = 0; i < log_of.n; i += piece) {
        size_t n = log_of.n - i < piece ? log_of.n - i : piece;
        ws_block block = {.n = n, .t_ns = log_of.t_ns + i, .value = log_of.value + i, .line = log_of.line + i};
        ck_assert_int_eq(sink->block(sink->state, id, &block, NULL), WS_OK);
    }
}

typedef struct result {
    bool twice, proven;
    double energy_j;
    const char *status;
    const ws_note *dropped, *asked;
} result;

static ws_notes notes;

/* As a command does it: once more where time is held twice, and that counts where it is proven. */
static result measure(ws_back_steps policy, size_t piece)
{
    ws_measure_options options = {.back_steps = policy};
    options.meter.has_window = log_of.has_window;
    options.meter.window_start_ns = log_of.from_ns;
    options.meter.window_end_ns = log_of.to_ns;
    ws_measure first, again, *both = &first;
    ws_copies *copies = ws_copies_new();
    ws_measure_init(&first, &options);
    ws_measure_init(&again, &options);
    ws_measure_begin(&first, "a.csv", "");
    ws_measure_begin(&again, "a.csv", "");
    ws_sink whole = ws_measure_sink(&first);
    push(&whole, piece);
    result r = {.twice = ws_copies_find(copies, &both, 1) > 0};
    if (r.twice) {
        ws_sink rest = ws_measure_sink(&again), sink = ws_copies_sink(copies, &rest);
        ws_copies_begin(copies, "a.csv");
        push(&sink, piece);
        r.proven = ws_copies_keep_proven(copies) > 0;
    }
    ws_notes_free(&notes);
    ws_measure *counts = r.proven ? &again : &first;
    ws_measure_finish(counts, &notes);
    if (r.proven)
        ws_copies_note(copies, &notes);
    r.energy_j = counts->channels[0].summary.energy_j;
    r.status = ws_energy_status_name(counts->channels[0].summary.status);
    r.dropped = note_named(&notes, "repeated-reading");
    r.asked = note_named(&notes, "ask-back-steps");
    ws_measure_free(&first);
    ws_measure_free(&again);
    ws_copies_free(copies);
    return r;
}

/* The trapezoid of the pattern over whole seconds. */
static double energy_of(int64_t from_s, int64_t to_s)
{
    double sum = 0;
    for (int64_t t = from_s; t < to_s; t++)
        sum += 100 + ((double)(t % 13) + (double)((t + 1) % 13)) / 2;
    return sum;
}

START_TEST(a_log_behind_itself_counts_once)
{
    begin();
    write_seconds(0, 600, 0);
    write_seconds(0, 600, 0);
    for (size_t piece = 1; piece < MOST; piece = 3 * piece + 1) {
        result r = measure(WS_BACK_UNSAID, piece);
        ck_assert(r.twice && r.proven);
        ck_assert_double_eq_tol(r.energy_j, energy_of(0, 599), 1e-6);
        ck_assert_str_eq(r.status, "ok");
        ck_assert_uint_eq(r.dropped->count, 600);
        ck_assert_int_eq(r.dropped->line, 602);
        ck_assert(!r.asked);
    }
}
END_TEST

START_TEST(three_times_and_a_part_that_goes_on)
{
    begin();
    write_seconds(0, 600, 0);
    write_seconds(0, 600, 0);
    write_seconds(300, 600, 0); /* 300 s known, 300 s new */
    result r = measure(WS_BACK_UNSAID, MOST);
    ck_assert(r.proven);
    ck_assert_double_eq_tol(r.energy_j, energy_of(0, 899), 1e-6);
    ck_assert_uint_eq(r.dropped->count, 900);
}
END_TEST

START_TEST(another_logger_is_asked_for)
{
    begin();
    for (int block = 0; block < 15; block++) {
        write_seconds(40 * block, 40, 0);
        write_seconds(40 * block + 0.5, 40, 1);
    }
    result r = measure(WS_BACK_UNSAID, MOST);
    ck_assert(r.twice && !r.proven && r.asked);
    ck_assert(isnan(r.energy_j));
    ck_assert_str_eq(r.status, "ask:back-steps");
    ck_assert(!measure(WS_BACK_KEEP, MOST).twice);
    ck_assert_double_gt(measure(WS_BACK_KEEP, MOST).energy_j, 1.5 * energy_of(0, 599));
    r = measure(WS_BACK_SORT, MOST);
    ck_assert_double_eq_tol(r.energy_j, energy_of(0, 599), 0.02 * energy_of(0, 599));
    ck_assert(!r.asked);
}
END_TEST

/* Of 100 late readings one may be no copy, not two. */
START_TEST(nearly_all_are_copies)
{
    for (int others = 1; others <= 2; others++) {
        begin();
        write_seconds(0, 100, 0);
        write_seconds(0, 100, 0);
        for (int i = 0; i < others; i++)
            log_of.value[150 + i] += 0.25;
        ck_assert_int_eq(measure(WS_BACK_UNSAID, MOST).proven, others == 1);
    }
}
END_TEST

/* Twenty that differ from the one before prove it, nineteen do not: the first of the copies follows another reading. */
START_TEST(what_stands_still_proves_nothing)
{
    for (size_t changing = 19; changing <= 20; changing++) {
        begin();
        write_seconds(0, 200, 0);
        for (size_t i = 0; i < 200; i++)
            log_of.value[i] = i <= changing ? log_of.value[i] : log_of.value[changing];
        for (size_t i = 0; i < 200; i++) {
            log_of.t_ns[200 + i] = log_of.t_ns[i];
            log_of.value[200 + i] = log_of.value[i];
            log_of.line[200 + i] = 202 + (int64_t)i;
        }
        log_of.value[0] = log_of.value[200] = log_of.value[199];
        log_of.n = 400;
        result r = measure(WS_BACK_UNSAID, MOST);
        ck_assert(r.twice);
        ck_assert_int_eq(r.proven, changing == 20);
        ck_assert_int_eq(r.asked != NULL, changing == 19);
    }
}
END_TEST

/* A clock set back by 20 s of 440 s that the log spans in all is 4.5 % of its time, one of 30 s 6.7 %. */
START_TEST(a_twentieth_of_the_time_is_asked_for)
{
    const double back_s[] = {20, 30};
    for (int i = 0; i < 2; i++) {
        begin();
        write_seconds(0, 220, 0);
        write_seconds(220 - back_s[i], 220, 3);
        result r = measure(WS_BACK_UNSAID, MOST);
        ck_assert(r.twice && !r.proven);
        ck_assert_int_eq(r.asked != NULL, i == 1);
    }
    begin(); /* a short stretch counts as long as it is, wherever it lies in a long one */
    write_seconds(0, 1000, 0);
    write_seconds(100, 40, 3);
    ck_assert(measure(WS_BACK_UNSAID, MOST).twice);
    ck_assert(!measure(WS_BACK_UNSAID, MOST).asked);
}
END_TEST

/* Seconds at 1 o'clock of 2026-10-25, a Sunday, by a clock without a zone: two hours later 3:00 becomes 2:00. */
static double autumn_night(void)
{
    return (double)ws_days_from_civil(2026, 10, 25) * 86400 + 3600;
}

/* 7200 s every 5 s: the reading after the last, an hour back, is autumn, up to a minute late. */
START_TEST(an_hour_without_a_zone_is_autumn)
{
    static const struct {
        double back_s;
        ws_time_base time;
        bool asked;
    } cases[] = {{3595, WS_TIME_NAIVE, false},
                 {3536, WS_TIME_NAIVE, false},
                 {3534, WS_TIME_NAIVE, true},
                 {3596, WS_TIME_NAIVE, true},
                 {3595, WS_TIME_UTC, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin();
        log_of.time = cases[i].time;
        write_every(5, autumn_night(), 1440, 0);
        write_every(5, autumn_night() + 7195 - cases[i].back_s, 1440, 20);
        ck_assert_msg((measure(WS_BACK_UNSAID, MOST).asked != NULL) == cases[i].asked, "case %zu", i);
    }
}
END_TEST

/* Sundays of autumn, north and south of the equator, and the days beside them; a step at another hour of the night, or
 * at no full hour. */
START_TEST(clocks_are_set_back_on_a_sunday_of_autumn)
{
    static const struct {
        unsigned month, day;
        double hour; /* that comes again */
        bool asked;
    } cases[] = {{10, 25, 2, false}, {10, 25, 1, false}, {10, 25, 3, false}, {10, 25, 4, true}, {10, 25, 12, true},
                 {11, 1, 1, false},  {11, 8, 1, true},   {10, 26, 2, true},  {10, 24, 2, true}, {10, 24, 23, false},
                 {4, 5, 2, false},   {4, 12, 2, true},   {3, 29, 2, true},   {6, 7, 2, true},   {10, 25, 2.5, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double again_s = (double)ws_days_from_civil(2026, cases[i].month, cases[i].day) * 86400 + cases[i].hour * 3600;
        begin();
        log_of.time = WS_TIME_NAIVE;
        write_every(5, again_s - 3600, 1440, 0);
        write_every(5, again_s, 1440, 20);
        ck_assert_msg((measure(WS_BACK_UNSAID, MOST).asked != NULL) == cases[i].asked, "case %zu", i);
    }
}
END_TEST

START_TEST(autumn_comes_at_any_poll_and_beside_other_steps)
{
    begin();
    log_of.time = WS_TIME_NAIVE;
    write_every(300, autumn_night() - 7200, 48, 0); /* 4 h */
    write_every(300, autumn_night() + 3600, 48, 20);
    ck_assert(!measure(WS_BACK_UNSAID, MOST).asked);

    begin();
    log_of.time = WS_TIME_NAIVE;
    write_every(10, autumn_night(), 720, 0);
    write_every(10, autumn_night() + 3600, 720, 20);
    write_every(10, autumn_night() + 10800 - 40, 100, 3); /* and half a minute of a time server */
    ck_assert(!measure(WS_BACK_UNSAID, MOST).asked);

    begin(); /* begun an hour before */
    log_of.time = WS_TIME_NAIVE;
    write_every(10, autumn_night() + 3605, 360, 0);
    write_every(10, autumn_night() + 3605, 720, 20);
    ck_assert(!measure(WS_BACK_UNSAID, MOST).asked);
}
END_TEST

/* Two loggers of one hour's job behind each other, and two whose logs lie hour by hour in the file. */
START_TEST(hours_of_two_loggers_are_no_autumn)
{
    static const double late_s[] = {0.4, -50, 50};
    for (int day = 0; day < 7; day++) { /* clocks an hour apart, at any hour but that of one night */
        begin();
        log_of.time = WS_TIME_NAIVE;
        write_every(5, 86400 * day + 33000, 1440, 0);
        write_every(5, 86400 * day + 33000 + 3600, 1440, 3);
        ck_assert_msg(measure(WS_BACK_UNSAID, MOST).asked, "day %d", day);
    }
    for (size_t i = 0; i < sizeof late_s / sizeof *late_s; i++) {
        begin();
        log_of.time = WS_TIME_NAIVE;
        write_every(5, 100, 720, 0);
        write_every(5, 100 + late_s[i], 720, 3);
        result r = measure(WS_BACK_UNSAID, MOST);
        ck_assert_msg(r.asked && isnan(r.energy_j), "%g s", late_s[i]);
    }
    begin();
    log_of.time = WS_TIME_NAIVE;
    write_every(5, 0, 720, 0);
    write_every(5, 0.4, 720, 3);
    for (size_t i = 0; i < log_of.n; i++) /* as windows of runs are cut: what is far outside is not seen */
        if (i < 60)
            log_of.value[i] = NAN;
    use_window(300, 900);
    ck_assert(measure(WS_BACK_UNSAID, MOST).asked != NULL);

    begin();
    log_of.time = WS_TIME_NAIVE;
    for (int hour = 0; hour < 4; hour++) {
        write_every(10, 3600 * hour, 360, 0);
        write_every(10, 3600 * hour + 0.4, 360, 3);
    }
    ck_assert(measure(WS_BACK_UNSAID, MOST).asked != NULL);
}
END_TEST

/* What stands behind the window once and inside it twice. */
START_TEST(copies_in_a_window_count_once)
{
    begin();
    write_seconds(0, 900, 0);
    write_seconds(0, 900, 0);
    use_window(300, 600);
    result r = measure(WS_BACK_UNSAID, MOST);
    ck_assert(r.twice && r.proven && !r.asked);
    ck_assert_double_eq_tol(r.energy_j, energy_of(300, 600), 1e-6);

    begin();
    write_seconds(0, 900, 0);
    write_seconds(300, 300, 0);
    write_seconds(700, 200, 5); /* another logger, outside */
    use_window(250, 600);
    r = measure(WS_BACK_UNSAID, MOST);
    ck_assert(r.proven);
    ck_assert_double_eq_tol(r.energy_j, energy_of(250, 600), 1e-6);
}
END_TEST

/* Two files of a run: that one's clock was set proves nothing against the copies in the other. */
START_TEST(each_source_is_proven_by_itself)
{
    ws_measure_options options = {.back_steps = WS_BACK_UNSAID};
    ws_measure both, again, *measures = &both;
    ws_copies *copies = ws_copies_new();
    ws_measure_init(&both, &options);
    ws_measure_init(&again, &options);
    ws_sink first = ws_measure_sink(&both), inner = ws_measure_sink(&again), sink = ws_copies_sink(copies, &inner);
    for (int pass = 0; pass < 2; pass++) {
        for (int file = 0; file < 2; file++) {
            const char *name = file ? "set.csv" : "pasted.csv";
            begin();
            write_seconds(0, 600, 0);
            write_seconds(file ? 580 : 0, 600, file ? 3 : 0);
            ws_measure_begin(pass ? &again : &both, name, "");
            if (pass)
                ws_copies_begin(copies, name);
            push(pass ? &sink : &first, MOST);
        }
        if (!pass)
            ck_assert_uint_eq(ws_copies_find(copies, &measures, 1), 2);
    }
    ck_assert_uint_eq(ws_copies_keep_proven(copies), 1);
    ws_notes_free(&notes);
    ws_copies_note(copies, &notes);
    ck_assert_uint_eq(notes.n, 1);
    ck_assert_uint_eq(note_named(&notes, "repeated-reading")->count, 600);
    ws_measure_free(&both);
    ws_measure_free(&again);
    ws_copies_free(copies);
}
END_TEST

START_TEST(jitter_and_counters_hold_nothing_twice)
{
    begin();
    write_seconds(0, 300, 0);
    write_seconds(298.5, 300, 0); /* half a second back */
    ck_assert(!measure(WS_BACK_UNSAID, MOST).twice);

    begin();
    log_of.quantity = WS_ENERGY_COUNTER;
    log_of.rule = WS_RULE_COUNTER;
    write_seconds(0, 300, 0);
    write_seconds(0.5, 300, 0);
    for (size_t i = 0; i < log_of.n; i++)
        log_of.value[i] = 1000 + (double)log_of.t_ns[i] / 1e7;
    ck_assert(!measure(WS_BACK_UNSAID, MOST).asked);
}
END_TEST

TEST_MAIN("copies", a_log_behind_itself_counts_once, three_times_and_a_part_that_goes_on, another_logger_is_asked_for,
          nearly_all_are_copies, what_stands_still_proves_nothing, a_twentieth_of_the_time_is_asked_for,
          an_hour_without_a_zone_is_autumn, clocks_are_set_back_on_a_sunday_of_autumn,
          autumn_comes_at_any_poll_and_beside_other_steps, hours_of_two_loggers_are_no_autumn,
          copies_in_a_window_count_once, each_source_is_proven_by_itself, jitter_and_counters_hold_nothing_twice)
