#include "harness.h"
#include "note_named.h"

#include "analyze/measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, REACH = 64 }; /* within so many readings rows are put in place */

typedef struct trace {
    size_t n;
    int64_t t_ns[MOST], line[MOST];
    double value[MOST];
} trace;

static ws_notes notes;

static void set(trace *t, size_t n, const double *t_s, const double *watts)
{
    t->n = n;
    for (size_t i = 0; i < n; i++) {
        t->t_ns[i] = llround(t_s[i] * 1e9);
        t->value[i] = watts[i];
        t->line[i] = (int64_t)i + 1;
    }
}

/* The trace in blocks of `piece` readings; its notes go to `notes`. */
static ws_channel_summary read_in_pieces(const trace *t, ws_measure_options options, size_t piece)
{
    ws_measure m;
    ws_channel channel = {.device = "gpu0", .column = "P", .rule = WS_RULE_TRAPEZOID, .time = WS_TIME_UTC};
    int id = -1;
    ws_measure_init(&m, &options);
    ws_measure_begin(&m, "a.csv", "");
    ws_sink sink = ws_measure_sink(&m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    for (size_t i = 0; i < t->n; i += piece) {
        size_t n = t->n - i < piece ? t->n - i : piece;
        ws_block block = {.n = n, .t_ns = t->t_ns + i, .value = t->value + i, .line = t->line + i};
        ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
    }
    ws_notes_free(&notes);
    ws_measure_finish(&m, &notes);
    ws_channel_summary summary = m.channels[0].summary;
    ws_measure_free(&m);
    return summary;
}

static ws_channel_summary read_as(const trace *t, ws_back_steps policy)
{
    return read_in_pieces(t, (ws_measure_options){.back_steps = policy}, MOST);
}

static void ck_note(const char *code, uint64_t count, int64_t line)
{
    const ws_note *note = note_named(&notes, code);
    ck_assert_msg(note != NULL, "there is no note '%s'", code);
    ck_assert_uint_eq(note->count, count);
    ck_assert_int_eq(note->line, line);
}

static const double T[] = {0, 2, 1.5, 4}, WATTS[] = {100, 300, 200, 400};

/* 0, 2 and 4 s are left: (100+300)/2 x 2 + (300+400)/2 x 2 J. */
START_TEST(a_dropped_reading_is_missing)
{
    static trace t;
    set(&t, 4, T, WATTS);
    ws_channel_summary r = read_as(&t, WS_BACK_DROP);
    ck_assert_double_eq(r.energy_j, 1100);
    ck_assert_uint_eq(r.samples, 3);
    ck_assert_uint_eq(r.missing, 1);
    ck_note("back-step-dropped", 1, 3);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_CLOCK_STEP_BACK));
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_MISSING_CELL));
}
END_TEST

/* 0, 1.5, 2, 4 s: (100+200)/2 x 1.5 + (200+300)/2 x 0.5 + (300+400)/2 x 2 J. */
START_TEST(a_sorted_reading_finds_its_place)
{
    static trace t;
    set(&t, 4, T, WATTS);
    ws_channel_summary r = read_as(&t, WS_BACK_SORT);
    ck_assert_double_eq(r.energy_j, 1050);
    ck_assert_uint_eq(r.samples, 4);
    ck_assert_uint_eq(r.missing, 0);
    ck_note("back-step-sorted", 1, 3);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_CLOCK_STEP_BACK));
}
END_TEST

START_TEST(unsaid_and_kept_are_the_order_of_the_file)
{
    static trace t;
    set(&t, 4, T, WATTS);
    ck_assert_double_eq(read_as(&t, WS_BACK_UNSAID).energy_j, 400 - 125 + 750);
    ck_assert_double_eq(read_as(&t, WS_BACK_KEEP).energy_j, 400 - 125 + 750);
    ck_note("clock-step-back", 1, 3);
}
END_TEST

/* Everything up to the time reached before is left out, not the first reading behind the step alone. */
START_TEST(drop_waits_until_the_clock_has_caught_up)
{
    static trace t;
    const double t_s[] = {0, 10, 4, 5, 6, 10, 11}, watts[] = {100, 100, 900, 900, 900, 100, 100};
    set(&t, 7, t_s, watts);
    ws_channel_summary r = read_as(&t, WS_BACK_DROP);
    ck_assert_double_eq(r.energy_j, 1100);
    ck_assert_double_eq(r.max, 100);
    ck_assert_uint_eq(r.missing, 3);
    ck_note("back-step-dropped", 3, 3);
}
END_TEST

/* A cell without a reading has no time to be measured against. */
START_TEST(a_missing_cell_is_missing_once)
{
    static trace t;
    const double t_s[] = {0, 9, 1, 2}, watts[] = {100, NAN, 100, 100};
    set(&t, 4, t_s, watts);
    ws_channel_summary r = read_as(&t, WS_BACK_DROP);
    ck_assert_double_eq(r.energy_j, 200);
    ck_assert_uint_eq(r.missing, 1);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_BACK_STEP_DROPPED));
}
END_TEST

START_TEST(outside_of_the_window_nothing_is_missing)
{
    static trace t;
    const double t_s[] = {0, 2, 1, 3, 5, 4, 6}, watts[] = {100, 100, 100, 100, 100, 100, 100};
    set(&t, 7, t_s, watts);
    ws_measure_options options = {.back_steps = WS_BACK_DROP, .meter.has_window = true};
    options.meter.window_start_ns = 3000000000;
    options.meter.window_end_ns = 6000000000;
    ws_channel_summary r = read_in_pieces(&t, options, MOST);
    ck_assert_double_eq(r.energy_j, 300);
    ck_assert_uint_eq(r.missing, 1); /* the one of 4 s */
    ck_note("back-step-dropped", 2, 3);
}
END_TEST

static void ramp(trace *t, size_t n)
{
    t->n = n;
    for (size_t i = 0; i < n; i++) {
        t->t_ns[i] = (int64_t)i * 1000000000;
        t->value[i] = 100 + (double)(i * i % 97);
        t->line[i] = (int64_t)i + 1;
    }
}

static void swap(trace *t, size_t a, size_t b)
{
    int64_t t_ns = t->t_ns[a];
    double value = t->value[a];
    t->t_ns[a] = t->t_ns[b], t->value[a] = t->value[b];
    t->t_ns[b] = t_ns, t->value[b] = value;
}

/* Takes reading `from` out and puts it `later` places further on. */
static void delay(trace *t, size_t from, size_t later)
{
    for (size_t i = from; i < from + later; i++)
        swap(t, i, i + 1);
}

/* Neighbours changed places and readings late by as far as sorting reaches: the same to the last bit as in order. */
START_TEST(sorting_restores_the_trace)
{
    static trace t;
    ramp(&t, MOST);
    ws_channel_summary in_order = read_as(&t, WS_BACK_KEEP);
    srand(11);
    for (size_t i = 0; i + REACH + 1 < MOST; i += REACH + 1)
        delay(&t, i, 1 + (size_t)rand() % REACH);
    for (size_t piece = 1; piece <= MOST; piece = piece * 3 + 1) {
        ws_channel_summary r = read_in_pieces(&t, (ws_measure_options){.back_steps = WS_BACK_SORT}, piece);
        ck_assert_double_eq(r.energy_j, in_order.energy_j);
        ck_assert_double_eq(r.sd, in_order.sd);
        ck_assert_double_eq(r.max_gap_s, 1);
        ck_note("back-step-sorted", MOST / (REACH + 1), ws_notes_find(&notes, WS_FINDING_BACK_STEP_SORTED)->line);
        ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_CLOCK_STEP_BACK));
    }
}
END_TEST

/* One place further than sorting reaches: the reading stays, and the step is told as ever. */
START_TEST(out_of_reach_stays_and_is_told)
{
    static trace t;
    ws_channel_summary first = {0};
    ramp(&t, 1500); /* so long that the time held twice is no question */
    delay(&t, 300, REACH + 1);
    for (size_t piece = 1; piece <= 1500; piece = piece * 2 + 1) {
        ws_channel_summary r = read_in_pieces(&t, (ws_measure_options){.back_steps = WS_BACK_SORT}, piece);
        ck_note("clock-step-back", 1, 300 + REACH + 2);
        ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_BACK_STEP_SORTED));
        first = piece == 1 ? r : first;
        ck_assert_double_eq(r.energy_j, first.energy_j);
    }
    ck_assert_double_eq(first.energy_j, read_as(&t, WS_BACK_KEEP).energy_j);
}
END_TEST

/* Stated intervals go with their readings; traces without time have no order to keep. */
START_TEST(intervals_move_along)
{
    const int64_t t_ns[] = {1000000000, 4000000000, 2000000000}, length[] = {1000000000, 2000000000, 1000000000};
    const double joules[] = {1, 3, 2};
    ws_channel channel = {.column = "E", .quantity = WS_ENERGY_INTERVAL, .rule = WS_RULE_INTERVAL, .time = WS_TIME_UTC};
    ws_channel timeless = {.column = "F", .rule = WS_RULE_MEAN_TIMES_TIME, .time = WS_TIME_NONE};
    ws_measure_options options = {.back_steps = WS_BACK_SORT};
    ws_measure m;
    int id = -1;
    ws_measure_init(&m, &options);
    ws_measure_begin(&m, "a.csv", "");
    ws_sink sink = ws_measure_sink(&m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    sink.block(sink.state, id, &(ws_block){.n = 3, .t_ns = t_ns, .value = joules, .interval_ns = length}, NULL);
    ck_assert_int_eq(sink.channel(sink.state, &timeless, &id, NULL), WS_OK);
    sink.block(sink.state, id, &(ws_block){.n = 3, .value = joules}, NULL);
    ws_measure_finish(&m, NULL);
    ck_assert_double_eq(m.channels[0].summary.energy_j, 6);
    ck_assert_double_eq(m.channels[0].summary.duration_s, 4);
    ck_assert_uint_eq(m.channels[1].summary.samples, 3);
    ws_measure_free(&m);
    ws_notes_free(&notes);
}
END_TEST

TEST_MAIN("order", a_dropped_reading_is_missing, a_sorted_reading_finds_its_place,
          unsaid_and_kept_are_the_order_of_the_file, drop_waits_until_the_clock_has_caught_up,
          a_missing_cell_is_missing_once, outside_of_the_window_nothing_is_missing, sorting_restores_the_trace,
          out_of_reach_stays_and_is_told, intervals_move_along)
