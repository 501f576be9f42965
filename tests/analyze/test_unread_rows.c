/* Rows that a reader left out, at the ends of a log and between its readings. 100 W throughout, a reading a second. */
#include "harness.h"
#include "note_named.h"

#include "analyze/measure/measure.h"

#include <math.h>

#define S INT64_C(1000000000)

static ws_measure measure;
static ws_notes notes;

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
    static const char *const names[] = {"gpu0", "gpu1"};
    ws_channel channel = {.device = names[device],
                          .identity = "index",
                          .column = "p",
                          .domain = WS_GPU,
                          .quantity = WS_POWER,
                          .rule = WS_RULE_TRAPEZOID,
                          .time = WS_TIME_UTC};
    int id = -1;
    ck_assert_int_eq(sink->channel(sink->state, &channel, &id, NULL), WS_OK);
    for (int i = log->from; i < log->until; i++) {
        int64_t t_ns = i * S, line = log->is_wide ? i + 2 : 2 * i + 2 + device;
        double watts = 100 + sin(i * 0.7 + device);
        if (!log->lost_one_in || i % log->lost_one_in)
            ck_assert_int_eq(sink->block(sink->state, id, &(ws_block){1, &t_ns, &watts, NULL, &line}, NULL), WS_OK);
    }
}

static ws_energy_verdict verdict_of(const log_of *log, bool has_window)
{
    ws_measure_options options = {
        .meter = {.has_window = has_window, .window_start_ns = 100 * S, .window_end_ns = 200 * S}};
    ws_notes_free(&notes);
    ws_measure_free(&measure);
    ws_measure_init(&measure, &options);
    ws_measure_begin(&measure, "a.csv", "");
    ws_sink sink = ws_measure_sink(&measure);
    for (int d = 0; d < log->devices; d++)
        push(&sink, log, d);
    ws_notes_add_many(&notes, log->unread, log->why, "a.csv", "", 2, "left out");
    ws_measure_finish(&measure, &notes);
    return ws_energy_verdict_of(&measure.devices[0].stake, measure.devices[0].energy->summary.energy_j,
                                &measure.options.verdict);
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

START_TEST(in_a_window_the_coverage_tells)
{
    const log_of log = {1, true, 100, 400, 0, 100, WS_FINDING_BAD_STAMP};
    ck_assert(verdict_of(&log, true) == WS_ENERGY_VERDICT_OK);
    ck_assert_double_eq(measure.devices[0].energy->unread_s, 0);
}
END_TEST

TEST_MAIN("unread rows", rows_at_the_ends_are_at_stake, in_a_window_the_coverage_tells)
