/* Rows that a reader left out, at the ends of a log and between its readings. 100 W throughout, a reading a second. */
#include "one_log.h"

#include <math.h>

static int announce_power(ws_sink *sink, const char *device)
{
    return announce(sink, &(ws_channel){.device = device,
                                        .identity = "index",
                                        .column = "p",
                                        .domain = WS_GPU,
                                        .quantity = WS_POWER,
                                        .rule = WS_RULE_TRAPEZOID,
                                        .time = WS_TIME_UTC});
}

typedef struct log {
    int devices;
    bool is_wide;    /* a row holds all devices */
    int from, until; /* seconds with readings, */
    int lost_one_in; /* but for one in so many; 0: none */
    uint64_t unread; /* rows that were left out, */
    ws_finding why;
} log_of;

static void push(ws_sink *sink, const log_of *log, int device)
{
    int id = announce_power(sink, device ? "gpu1" : "gpu0");
    for (int i = log->from; i < log->until; i++)
        if (!log->lost_one_in || i % log->lost_one_in)
            push_row(sink, id, i * S, 100 + sin(i * 0.7 + device), NULL, log->is_wide ? i + 2 : 2 * i + 2 + device);
}

static ws_energy_verdict verdict_of(const log_of *log, bool has_window)
{
    ws_measure_options options = {
        .meter = {.has_window = has_window, .window_start_ns = 100 * S, .window_end_ns = 200 * S}};
    ws_sink sink = begin_log(&options);
    for (int d = 0; d < log->devices; d++)
        push(&sink, log, d);
    ws_notes_add_many(&notes, log->unread, log->why, "a.csv", "", 2, "left out");
    return finish_log();
}

START_TEST(rows_at_the_ends_are_at_stake)
{
    static const struct {
        log_of log;
        double unread_s;
        ws_energy_verdict wanted;
    } cases[] = {{{1, true, 100, 400, 0, 100, WS_FINDING_BAD_STAMP}, 100, WS_ENERGY_VERDICT_UNUSABLE},
                 {{1, true, 10, 400, 0, 10, WS_FINDING_EXTRA_CELLS}, 10, WS_ENERGY_VERDICT_DOUBTFUL},
                 {{1, true, 0, 399, 0, 1, WS_FINDING_BAD_STAMP}, 1, WS_ENERGY_VERDICT_OK},
                 {{1, true, 0, 400, 4, 100, WS_FINDING_BAD_STAMP}, 1, WS_ENERGY_VERDICT_OK}, /* between readings */
                 {{2, true, 0, 380, 0, 20, WS_FINDING_BAD_STAMP}, 20, WS_ENERGY_VERDICT_DOUBTFUL},
                 {{2, false, 0, 380, 0, 40, WS_FINDING_NO_DEVICE}, 20, WS_ENERGY_VERDICT_DOUBTFUL}, /* of two devices */
                 {{2, false, 0, 397, 0, 6, WS_FINDING_NO_DEVICE}, 3, WS_ENERGY_VERDICT_OK},
                 {{1, true, 100, 400, 0, 100, WS_FINDING_SHORT_ROW}, 100, WS_ENERGY_VERDICT_UNUSABLE},
                 {{1, true, 0, 300, 0, 100, WS_FINDING_SHORT_ROW}, 100, WS_ENERGY_VERDICT_UNUSABLE},
                 {{2, true, 0, 380, 0, 20, WS_FINDING_SHORT_ROW}, 20, WS_ENERGY_VERDICT_DOUBTFUL},
                 {{1, true, 0, 400, 0, 400, WS_FINDING_UNFILLED_ROW}, 0, WS_ENERGY_VERDICT_OK},    /* which were read */
                 {{1, true, 100, 400, 0, 100, WS_FINDING_SKIPPED_LINE}, 0, WS_ENERGY_VERDICT_OK}}; /* a banner */
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_energy_verdict got = verdict_of(&cases[c].log, false);
        const ws_metered_channel *energy = measure.devices[0].energy;
        ck_assert_msg(got == cases[c].wanted, "case %zu", c);
        ck_assert_double_eq_tol(energy->unread_s, cases[c].unread_s, 2);
        ck_assert_double_ge(energy->summary.energy_hi_j, energy->summary.energy_j + 100 * cases[c].unread_s);
    }
}
END_TEST

/* Two devices in a row of 400, a row a second: cells without a reading from one row up to another, or in all but one of
 * so many rows; the stamps of the last ones may be cut. */
START_TEST(cells_at_the_ends_are_at_stake)
{
    static const struct {
        int from, until, one_in;
        bool other_is_read, is_cut;
        double unread_s;
        ws_energy_verdict wanted;
    } cases[] = {{300, 400, 0, false, false, 100, WS_ENERGY_VERDICT_UNUSABLE},
                 {0, 100, 0, false, false, 100, WS_ENERGY_VERDICT_UNUSABLE},
                 {390, 400, 0, false, false, 10, WS_ENERGY_VERDICT_DOUBTFUL},
                 {397, 400, 0, false, false, 3, WS_ENERGY_VERDICT_OK},
                 {300, 400, 0, true, false, 0, WS_ENERGY_VERDICT_UNUSABLE}, /* a short trace */
                 {150, 250, 0, false, false, 0, WS_ENERGY_VERDICT_OK},      /* between readings */
                 {0, 400, 2, false, false, 0, WS_ENERGY_VERDICT_OK},
                 {390, 400, 0, false, true, 10, WS_ENERGY_VERDICT_DOUBTFUL}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_sink sink = begin_log(&(ws_measure_options){0});
        for (int d = 0; d < 2; d++) {
            int id = announce_power(&sink, d ? "gpu1" : "gpu0");
            for (int i = 0; i < 400; i++) {
                bool is_inside = i >= cases[c].from && i < cases[c].until && !(d && cases[c].other_is_read);
                bool is_missing = is_inside && (!cases[c].one_in || i % cases[c].one_in);
                int64_t t_ns = (cases[c].is_cut && is_missing ? -40000 : 1000 + i) * S;
                push_row(&sink, id, t_ns, is_missing ? NAN : 100 + sin(i * 0.7 + d), NULL, i + 2);
            }
        }
        ws_energy_verdict got = finish_log();
        ck_assert_msg(got == cases[c].wanted, "case %zu: %d", c, (int)got);
        ck_assert_double_eq_tol(measure.devices[0].energy->unread_s, cases[c].unread_s, 2);
    }
}
END_TEST

START_TEST(in_a_window_the_coverage_tells)
{
    const log_of log = {1, true, 100, 400, 0, 100, WS_FINDING_BAD_STAMP};
    ck_assert(verdict_of(&log, true) == WS_ENERGY_VERDICT_OK);
    ck_assert_double_eq(measure.devices[0].energy->unread_s, 0);
}
END_TEST

/* Of 400 readings the last `still` have the stamp of the first of them; copies of one reading, and stamps no
 * finer than the poll, are no clock that stands still. */
START_TEST(a_clock_that_stands_still_hides_time)
{
    static const struct {
        int still;
        double poll_s, fraction_s, varies_w;
        ws_energy_verdict wanted;
    } cases[] = {{101, 1, 0.25, 1, WS_ENERGY_VERDICT_UNUSABLE}, {11, 1, 0.25, 1, WS_ENERGY_VERDICT_DOUBTFUL},
                 {4, 1, 0.25, 1, WS_ENERGY_VERDICT_OK},         {101, 1, 0.25, 0, WS_ENERGY_VERDICT_OK},
                 {202, 1, 0.25, 1, WS_ENERGY_VERDICT_OK},       {101, 1, 0, 1, WS_ENERGY_VERDICT_OK},
                 {101, 2, 0, 1, WS_ENERGY_VERDICT_UNUSABLE},    {102, 0.5, 0, 1, WS_ENERGY_VERDICT_UNUSABLE}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_sink sink = begin_log(&(ws_measure_options){0});
        int id = announce_power(&sink, "gpu0"), stop = 400 - cases[c].still;
        for (int i = 0; i < 400; i++) {
            int at = i < stop ? i : stop;
            int64_t t_ns = (int64_t)((at * cases[c].poll_s + cases[c].fraction_s * (at % 3)) * 1e9);
            double watts = 100 + sin((i < stop || cases[c].varies_w > 0 ? i : stop) * 0.7);
            push_row(&sink, id, t_ns, watts, NULL, i + 2);
        }
        ws_energy_verdict got = finish_log();
        ck_assert_msg(got == cases[c].wanted, "case %zu: %d", c, (int)got);
    }
}
END_TEST

/* The energy of a window with no reading or one is a guess: readings every 20 s of 50 W, and 700 W may lie between. */
START_TEST(a_window_without_readings_is_a_gap)
{
    static const struct {
        int from_s, until_s;
        ws_energy_verdict wanted;
    } cases[] = {{101, 116, WS_ENERGY_VERDICT_UNUSABLE},
                 {101, 121, WS_ENERGY_VERDICT_DOUBTFUL},
                 {101, 141, WS_ENERGY_VERDICT_OK}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_measure_options options = {.meter = {.has_window = true,
                                                .window_start_ns = cases[c].from_s * S,
                                                .window_end_ns = cases[c].until_s * S}};
        ws_sink sink = begin_log(&options);
        int id = announce_power(&sink, "gpu0");
        for (int i = 0; i < 20; i++)
            push_row(&sink, id, 20 * i * S, 50 + sin(i * 0.7), NULL, i + 2);
        ck_assert(finish_log() == cases[c].wanted);
        const ws_channel_summary *r = &measure.devices[0].energy->summary;
        bool is_ok = cases[c].wanted == WS_ENERGY_VERDICT_OK;
        ck_assert(is_ok == (r->energy_hi_j < 700 * r->duration_s) && is_ok == (r->energy_lo_j > 0));
    }
}
END_TEST

TEST_MAIN("unread rows", a_clock_that_stands_still_hides_time, a_window_without_readings_is_a_gap,
          rows_at_the_ends_are_at_stake, cells_at_the_ends_are_at_stake, in_a_window_the_coverage_tells)
