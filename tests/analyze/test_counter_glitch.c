/* Readings of a counter that jump away and come back. A counter of 100 W, a reading a second from line 2 on, unless
 * said otherwise: what it collects is known whatever jumps. */
#include "harness.h"
#include "note_named.h"

#include "analyze/measure/measure.h"

#include <math.h>

#define S INT64_C(1000000000)
enum { N = 60 };

static double value[N];
static int64_t t_ns[N], line[N];
static ws_notes notes;
static ws_channel_summary summary;
static ws_energy_verdict verdict;

static void make(double power_w)
{
    for (int i = 0; i < N; i++) {
        t_ns[i] = i * S;
        line[i] = i + 2;
        value[i] = 5000 + power_w * i;
    }
}

static int begin(ws_measure *m)
{
    ws_channel channel = {.device = "node",
                          .column = "energy_j",
                          .domain = WS_NODE,
                          .quantity = WS_ENERGY_COUNTER,
                          .rule = WS_RULE_COUNTER,
                          .time = WS_TIME_UTC};
    int id = -1;
    ws_measure_init(m, &(ws_measure_options){0});
    ws_measure_begin(m, "a.csv", "");
    ws_sink sink = ws_measure_sink(m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    return id;
}

static void push(ws_measure *m, int id, size_t from, size_t to)
{
    ws_sink sink = ws_measure_sink(m);
    ws_block block = {to - from, t_ns + from, value + from, NULL, line + from};
    ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
}

static void finish(ws_measure *m)
{
    ws_notes_free(&notes);
    ws_measure_finish(m, &notes);
    summary = m->channels[0].summary;
    ws_totals totals;
    ws_measure_totals(m, &(ws_device_filter){.run = ""}, &totals);
    verdict = ws_device_sum_verdict(&totals.all, &m->options.verdict);
    ws_measure_free(m);
}

/* In blocks of `piece` readings. The number of readings that were left out as glitches. */
static uint64_t read_in(size_t piece)
{
    ws_measure m;
    int id = begin(&m);
    for (size_t i = 0; i < N; i += piece)
        push(&m, id, i, i + piece < N ? i + piece : N);
    finish(&m);
    const ws_note *note = note_named(&notes, "counter-glitch");
    return note ? note->count : 0;
}

START_TEST(up_and_back_or_down_and_back)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        for (size_t piece = 1; piece <= N; piece++) {
            make(100);
            value[0] = 5000;
            for (int i = 20; i < 23; i++)
                value[i] += sign * 6000;
            ck_assert_uint_eq(read_in(piece), 3);
            ck_assert_int_eq(note_named(&notes, "counter-glitch")->line, 22);
            ck_assert_double_eq(summary.energy_j, 5900);
            ck_assert_uint_eq(summary.missing, 3);
            ck_assert_str_eq(ws_energy_status_name(summary.status), "ok");
            ck_assert_int_eq(verdict, WS_ENERGY_VERDICT_OK);
            ck_assert(!note_named(&notes, "implausible-energy"));
        }
    }
}
END_TEST

/* It comes back within eight readings, or it was set to another value. */
START_TEST(both_ends_of_within)
{
    make(100);
    for (int i = 20; i < 28; i++)
        value[i] += 20000;
    ck_assert_uint_eq(read_in(7), 8);
    ck_assert_double_eq(summary.energy_j, 5900);
    value[28] += 20000;
    ck_assert_uint_eq(read_in(7), 0);
    ck_assert_str_eq(ws_energy_status_name(summary.status), "counter-reset");
}
END_TEST

/* Above 1 kW both ways: one of them has 100 J less than x. */
START_TEST(both_ends_of_a_jump)
{
    static const double x[] = {1090, 1110, -1090, -1110};
    for (int k = 0; k < 4; k++) {
        make(100);
        value[20] += x[k];
        ck_assert_uint_eq(read_in(N), (uint64_t)(k % 2));
        if (k % 2)
            ck_assert_double_eq(summary.energy_j, 5900);
    }
}
END_TEST

/* Four times the pace of 300 W: back by 300 J less than x. Rows that changed places jump by twice the pace. */
START_TEST(both_ends_of_steep)
{
    static const double x[] = {1490, 1510};
    for (int k = 0; k < 2; k++) {
        make(300);
        value[20] += x[k];
        ck_assert_uint_eq(read_in(N), (uint64_t)k);
    }
    make(5000);
    double first = value[20];
    value[20] = value[21], value[21] = first;
    ck_assert_uint_eq(read_in(N), 0);
    ck_assert_double_eq(summary.energy_j, 59 * 5000);
}
END_TEST

/* Twice the pace of the rise before, 900 W: a burst may go on. */
START_TEST(both_ends_of_a_burst)
{
    static const double up[] = {1750, 1850};
    for (int k = 0; k < 2; k++) {
        make(100);
        for (int i = 19; i < N; i++)
            value[i] += 800;
        value[20] = value[19] + up[k];
        ck_assert_uint_eq(read_in(N), (uint64_t)k);
    }
}
END_TEST

/* Failed reads are no glitch, and one may hide between the jumps; after 10 s without a move 10 kJ are no jump. */
START_TEST(what_is_no_glitch)
{
    make(100);
    value[20] = 0;
    ck_assert_uint_eq(read_in(N), 0);
    ck_assert_uint_eq(summary.zero_reads.count, 1);
    value[19] += 50000, value[21] += 50000;
    value[22] = NAN;
    ck_assert_uint_eq(read_in(N), 2);
    ck_assert_double_eq(summary.energy_j, 5900);
    make(900);
    for (int i = 20; i < 30; i++)
        value[i] = value[19];
    ck_assert_uint_eq(read_in(N), 0);
    ck_assert_double_eq(summary.energy_j, 59 * 900);
}
END_TEST

/* The last readings of a log that jump stay: nothing shows that they come back. */
START_TEST(a_leap_at_the_end_stays)
{
    make(100);
    for (int i = N - 3; i < N; i++)
        value[i] += 8000;
    ck_assert_uint_eq(read_in(4), 0);
    ck_assert_double_eq(summary.energy_j, 13900);
}
END_TEST

/* One jump beside another that stays. */
START_TEST(a_glitch_behind_a_leap)
{
    make(100);
    for (int i = 20; i < N; i++)
        value[i] += 8000;
    value[23] += 4000;
    ck_assert_uint_eq(read_in(5), 1);
    ck_assert_int_eq(note_named(&notes, "counter-glitch")->line, 25);
    ck_assert_double_eq(summary.energy_j, 13900);
}
END_TEST

/* A counter of which one reading in twenty jumps is bad; more often it is not one counter. */
START_TEST(both_ends_of_often)
{
    make(100);
    for (int i = 10; i < 40; i += 10)
        value[i] += 50000;
    ck_assert_uint_eq(read_in(N), 3);
    ck_assert_int_eq(verdict, WS_ENERGY_VERDICT_OK);
    value[45] += 50000;
    ck_assert_uint_eq(read_in(N), 4);
    ck_assert_int_eq(verdict, WS_ENERGY_VERDICT_UNUSABLE);
}
END_TEST

TEST_MAIN("counter_glitch", up_and_back_or_down_and_back, both_ends_of_within, both_ends_of_a_jump, both_ends_of_steep,
          both_ends_of_a_burst, what_is_no_glitch, a_leap_at_the_end_stays, a_glitch_behind_a_leap, both_ends_of_often)
