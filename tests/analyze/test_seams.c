/* Files of one device that overlap in part follow each other; the time in common counts once. */
#include "harness.h"

#include "analyze/identity/joins.h"
#include "analyze/identity/rank_logs.h"
#include "analyze/identity/seams.h"

#include <math.h>
#include <string.h>

enum { MOST_FILES = 4, MOST_SAMPLES = 300 };

/* Readings a second apart of a power that grows by 1 W a second from 100 W at second 0, from `start_s` to `end_s`. */
typedef struct trace {
    const char *source, *node, *uuid;
    double start_s, end_s;
} trace;

static double ramp(double a, double b)
{
    return 100 * (b - a) + (b * b - a * a) / 2;
}

static double value_of(ws_quantity quantity, double t)
{
    switch (quantity) {
    case WS_ENERGY_COUNTER:
        return 5 + ramp(0, t);
    case WS_ENERGY_INTERVAL:
        return ramp(t - 1, t);
    default:
        return 100 + t;
    }
}

static void read_trace(const ws_sink *sink, const trace *t, ws_quantity quantity)
{
    static const ws_rule rules[] = {WS_RULE_TRAPEZOID, WS_RULE_COUNTER, WS_RULE_INTERVAL};
    int64_t t_ns[MOST_SAMPLES];
    double value[MOST_SAMPLES];
    ws_error error = {0};
    int id;
    size_t n = 0;
    ws_channel channel = {.device = "gpu0",
                          .device_id = t->uuid ? t->uuid : "0",
                          .identity = t->uuid ? "uuid" : "index",
                          .column = "c",
                          .domain = WS_GPU,
                          .quantity = quantity,
                          .rule = rules[quantity],
                          .time = WS_TIME_UTC};
    for (double s = t->start_s; s <= t->end_s; s++, n++) {
        t_ns[n] = (int64_t)(s * 1e9);
        value[n] = value_of(quantity, s);
    }
    ck_assert_int_eq(sink->channel(sink->state, &channel, &id, &error), WS_OK);
    for (size_t from = 0, to; from < n; from = to) { /* blocks that end anywhere */
        to = from + 7 < n ? from + 7 : n;
        ws_block block = {.n = to - from, .t_ns = t_ns + from, .value = value + from};
        ck_assert_int_eq(sink->block(sink->state, id, &block, &error), WS_OK);
    }
}

static void read_traces(ws_measure *m, ws_seams *seams, const trace *traces, ws_quantity quantity)
{
    ws_measure_init(m, &(ws_measure_options){0});
    ws_sink whole = ws_measure_sink(m), sink = seams ? ws_seams_sink(seams, &whole) : whole;
    for (size_t i = 0; i < MOST_FILES && traces[i].source; i++) {
        ws_measure_begin(m, traces[i].source, traces[i].node);
        if (seams)
            ws_seams_begin(seams, traces[i].source, traces[i].node);
        read_trace(&sink, &traces[i], quantity);
    }
}

/* Returns the number of seams. */
static size_t measure(ws_measure *m, const trace *traces, ws_quantity quantity, ws_totals *totals, ws_notes *notes)
{
    ws_seams *seams = ws_seams_new();
    read_traces(m, NULL, traces, quantity);
    size_t n = ws_seams_find(seams, (ws_measure *[]){m}, 1);
    if (n) {
        ws_measure_free(m);
        read_traces(m, seams, traces, quantity);
        ws_seams_note(seams, notes);
    }
    ws_seams_free(seams);
    ws_measure_join_parts(m, notes);
    ws_measure_finish(m, NULL);
    ws_measure_find_duplicates(m, NAN, NAN, notes);
    ws_measure_totals(m, &(ws_device_filter){.run = ""}, totals);
    return n;
}

static size_t count(const ws_notes *notes, const char *code)
{
    size_t n = 0;
    for (size_t i = 0; i < notes->n; i++)
        n += strcmp(ws_finding_code(notes->items[i].finding), code) == 0 ? (size_t)notes->items[i].count : 0;
    return n;
}

static const struct {
    const char *what;
    trace traces[MOST_FILES];
    size_t seams, measured_twice;
    double from_s, to_s; /* of the energy */
    const char *status;
} cases[] = {
    {"restarted", {{"b", "n", NULL, 99.5, 250.5}, {"a", "n", NULL, 0, 100}}, 1, 0, 0, 250.5, "ok"},
    {"three files",
     {{"a", "", NULL, 0, 50}, {"b", "", NULL, 49, 120}, {"c", "", NULL, 119.5, 200.5}},
     2,
     0,
     0,
     200.5,
     "ok"},
    {"inside", {{"a", "n", NULL, 0, 100}, {"b", "n", NULL, 20.5, 70.5}}, 0, 1, 0, 100, "ok"},
    {"half of the time", {{"a", "n", NULL, 0, 100}, {"b", "n", NULL, 50, 149}}, 0, 1, 0, 100, "files-overlap"},
    {"just under half of the time", {{"a", "n", NULL, 0, 100}, {"b", "n", NULL, 51, 151}}, 1, 0, 0, 151, "ok"},
    {"a uuid, just under nine tenths", {{"a", "", "G", 0, 100}, {"b", "", "G", 11, 111}}, 1, 0, 0, 111, "ok"},
    {"a uuid, just over nine tenths", {{"a", "", "G", 0, 100}, {"b", "", "G", 9, 109}}, 0, 1, 0, 100, "files-overlap"},
    {"most of it, which a uuid says", {{"a", "", "G", 0, 100}, {"b", "", "G", 40.5, 140.5}}, 1, 0, 0, 140.5, "ok"},
    {"a uuid, nearly all of it", {{"a", "", "G", 0, 100}, {"b", "", "G", 0.5, 100.5}}, 0, 1, 0, 100, "ok"},
    {"ranks with their parts",
     {{"x.1", "n", NULL, 0, 100}, {"y.1", "n", NULL, 0, 100}, {"x.2", "n", NULL, 99.5, 200.5}},
     1,
     1,
     0,
     200.5,
     "ok"},
};

START_TEST(what_two_files_hold_counts_once)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        size_t seams = measure(&m, cases[i].traces, WS_POWER, &totals, &notes);
        double wanted = ramp(cases[i].from_s, cases[i].to_s);
        ck_assert_msg(seams == cases[i].seams, "%s: %zu", cases[i].what, seams);
        ck_assert_msg(fabs(totals.all.energy_j - wanted) < 1e-6, "%s: %.9g J", cases[i].what, totals.all.energy_j);
        ck_assert_str_eq(ws_energy_status_name(ws_device_sum_status(&totals.all)), cases[i].status);
        ck_assert_msg(totals.all.coverage == 1 && totals.all.devices == 1, "%s", cases[i].what);
        ck_assert_msg(count(&notes, "overlap-cut") == seams && count(&notes, "continued") == seams, "%s",
                      cases[i].what);
        ck_assert_msg(count(&notes, "measured-twice") == cases[i].measured_twice, "%s", cases[i].what);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* A second of a ramp that a seam cuts: what lies behind it is taken in proportion to its time, up to 1/8 J from the
 * ramp. */
START_TEST(counters_and_interval_energies_meet_at_the_seam)
{
    static const trace restarted[MOST_FILES] = {{"a", "n", NULL, 1, 100}, {"b", "n", NULL, 80.5, 250.5}};
    static const double from_s[] = {[WS_ENERGY_COUNTER] = 1, [WS_ENERGY_INTERVAL] = 0};
    for (ws_quantity q = WS_ENERGY_COUNTER; q <= WS_ENERGY_INTERVAL; q++) {
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        ck_assert_uint_eq(measure(&m, restarted, q, &totals, &notes), 1);
        ck_assert_double_eq_tol(totals.all.energy_j, ramp(from_s[q], 250.5), q == WS_ENERGY_COUNTER ? 1e-6 : 0.126);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Each file has the seam that its windows show together. */
START_TEST(windows_of_a_log_share_its_seams)
{
    static const trace restarted[MOST_FILES] = {{"a", "n", NULL, 0, 100}, {"b", "n", NULL, 60.5, 250.5}};
    ws_measure first, second;
    ws_seams *seams = ws_seams_new();
    read_traces(&first, NULL, restarted, WS_POWER);
    read_traces(&second, NULL, (trace[MOST_FILES]){{"a", "n", NULL, 60, 100}, {"b", "n", NULL, 60.5, 101.5}}, WS_POWER);
    ck_assert_uint_eq(ws_seams_find(seams, (ws_measure *[]){&second}, 1), 0);
    ck_assert_uint_eq(ws_seams_find(seams, (ws_measure *[]){&second, &first}, 2), 1);
    ws_seams_free(seams);
    ws_measure_free(&first);
    ws_measure_free(&second);
}
END_TEST

TEST_MAIN("seams", what_two_files_hold_counts_once, counters_and_interval_energies_meet_at_the_seam,
          windows_of_a_log_share_its_seams)
