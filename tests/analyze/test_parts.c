/* A device whose readings stand in several files one after another is one trace. */
#include "harness.h"

#include "analyze/identity/joins.h"
#include "analyze/identity/rank_logs.h"

#include <math.h>
#include <string.h>

/* 11 readings a second apart of a power that grows by 1 W a second from 100 W at second 0: over [a, b] it comes to
 * 100 (b - a) + (b^2 - a^2) / 2 joules. */
enum { SAMPLES = 11 };

typedef struct stretch {
    const char *source, *node, *device, *uuid, *column;
    int start_s;
    bool no_date;
} stretch;

static void push(ws_measure *m, const stretch *s, ws_quantity quantity, const char *column)
{
    int64_t t_ns[SAMPLES];
    double value[SAMPLES];
    ws_error error = {0};
    int id;
    ws_channel channel = {.device = s->device,
                          .device_id = s->uuid ? s->uuid : s->device,
                          .identity = s->uuid ? "uuid" : "index",
                          .column = column,
                          .domain = WS_GPU,
                          .quantity = quantity,
                          .rule = quantity == WS_POWER ? WS_RULE_TRAPEZOID : WS_RULE_NONE,
                          .time = s->no_date ? WS_TIME_RELATIVE : WS_TIME_UTC};
    for (int i = 0; i < SAMPLES; i++) {
        t_ns[i] = (int64_t)(s->start_s + i) * 1000000000;
        value[i] = quantity == WS_POWER ? 100 + s->start_s + i : 0.5;
    }
    ws_measure_begin(m, s->source, s->node);
    ws_sink sink = ws_measure_sink(m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, &error), WS_OK);
    ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){.n = SAMPLES, .t_ns = t_ns, .value = value}, &error),
                     WS_OK);
}

static double ramp(double a, double b)
{
    return 100 * (b - a) + (b * b - a * a) / 2;
}

static void measure_stretches(ws_measure *m, const ws_measure_options *options, const stretch *stretches, size_t n,
                              ws_totals *totals, ws_notes *notes)
{
    ws_measure_init(m, options);
    for (size_t i = 0; i < n; i++) {
        push(m, &stretches[i], WS_POWER, stretches[i].column ? stretches[i].column : "power");
        push(m, &stretches[i], WS_UTIL, "util");
    }
    ws_measure_join_parts(m, notes);
    ws_measure_finish(m, NULL);
    ws_measure_find_duplicates(m, NAN, NAN, notes);
    ws_measure_totals(m, &(ws_device_filter){.run = ""}, totals);
}

static size_t count(const ws_notes *notes, const char *code)
{
    size_t n = 0;
    for (size_t i = 0; i < notes->n; i++)
        n += strcmp(ws_finding_code(notes->items[i].finding), code) == 0 ? (size_t)notes->items[i].count : 0;
    return n;
}

START_TEST(a_rotated_log_is_one_trace)
{
    /* Named in an order that is not that of time. */
    static const stretch rotated[] = {{"b", "n1", "gpu0", NULL, NULL, 11, false},
                                      {"a", "n1", "gpu0", NULL, NULL, 0, false},
                                      {"c", "n1", "gpu0", NULL, NULL, 22, false}};
    ws_measure m;
    ws_totals totals;
    ws_notes notes = {0};
    measure_stretches(&m, &(ws_measure_options){0}, rotated, 3, &totals, &notes);
    ck_assert_uint_eq(m.n_devices, 1);
    ck_assert_str_eq(m.devices[0].source, "a");
    ck_assert_uint_eq(m.devices[0].util->summary.samples, 3 * SAMPLES);
    ck_assert_double_eq(totals.wall_s, 32);
    ck_assert_double_eq(totals.all.energy_j, ramp(0, 32));
    ck_assert_double_eq(totals.all.coverage, 1);
    ck_assert_uint_eq(count(&notes, "continued"), 2);
    ws_notes_free(&notes);
    ws_measure_free(&m);
}
END_TEST

/* Programs that rotate leave the header in the first file. */
START_TEST(a_later_file_may_have_no_header)
{
    static const stretch rotated[] = {{"a", "n1", "gpu0", NULL, "power.draw [W]", 0, false},
                                      {"b", "n1", "gpu0", NULL, "#3", 11, false},
                                      {"c", "n1", "gpu0", NULL, "#3", 22, false}};
    ws_measure m;
    ws_totals totals;
    ws_notes notes = {0};
    measure_stretches(&m, &(ws_measure_options){0}, rotated, 3, &totals, &notes);
    ck_assert_uint_eq(m.n_devices, 1);
    ck_assert_double_eq(totals.all.energy_j, ramp(0, 32));
    ck_assert_double_eq(totals.all.coverage, 1);
    ws_notes_free(&notes);
    ws_measure_free(&m);
}
END_TEST

START_TEST(what_lies_between_files_is_a_gap_like_any_other)
{
    static const stretch apart[] = {{"a", "n1", "gpu0", NULL, NULL, 0, false},
                                    {"b", "n1", "gpu0", NULL, NULL, 40, false}};
    ws_measure_options options = {.meter = {.gaps = WS_GAPS_EXCLUDE}};
    ws_measure m;
    ws_totals totals;
    ws_notes notes = {0};
    measure_stretches(&m, &options, apart, 2, &totals, &notes);
    ck_assert_double_eq(totals.all.energy_j, ramp(0, 10) + ramp(40, 50));
    ck_assert_double_eq(totals.all.coverage, 20.0 / 50);
    ck_assert_str_eq(ws_energy_status_name(totals.all.status), "long-gap");
    ws_notes_free(&notes);
    ws_measure_free(&m);
}
END_TEST

START_TEST(a_window_reaches_over_the_files)
{
    static const stretch rotated[] = {{"a", "", "gpu0", "GPU-1", NULL, 0, false},
                                      {"b", "", "gpu3", "GPU-1", NULL, 11, false}};
    ws_measure_options options = {
        .meter = {.has_window = true, .window_start_ns = 5500000000, .window_end_ns = 15000000000}};
    ws_measure m;
    ws_totals totals;
    ws_notes notes = {0};
    measure_stretches(&m, &options, rotated, 2, &totals, &notes);
    ck_assert_double_eq_tol(totals.all.energy_j, ramp(5.5, 15), 1e-9);
    ck_assert_double_eq(totals.all.coverage, 1);
    ws_notes_free(&notes);
    ws_measure_free(&m);
}
END_TEST

static const struct {
    const char *what;
    stretch a, b;
} apart[] = {
    {"two nodes", {"a", "n1", "gpu0", NULL, NULL, 0, false}, {"b", "n2", "gpu0", NULL, NULL, 11, false}},
    {"two GPUs", {"a", "n1", "gpu0", NULL, NULL, 0, false}, {"b", "n1", "gpu1", NULL, NULL, 11, false}},
    {"two uuids", {"a", "n1", "gpu0", "GPU-1", NULL, 0, false}, {"b", "n1", "gpu0", "GPU-2", NULL, 11, false}},
    {"two columns", {"a", "n1", "gpu0", NULL, "draw", 0, false}, {"b", "n1", "gpu0", NULL, "average", 11, false}},
    {"two places", {"a", "n1", "gpu0", NULL, "#3", 0, false}, {"b", "n1", "gpu0", NULL, "#4", 11, false}},
    {"no dates", {"a", "n1", "gpu0", NULL, NULL, 0, true}, {"b", "n1", "gpu0", NULL, NULL, 11, true}},
    {"one file", {"a", "n1", "gpu0", NULL, NULL, 0, false}, {"a", "n1", "gpu1", NULL, NULL, 11, false}},
};

START_TEST(what_is_not_known_to_be_one_device_stays_apart)
{
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        measure_stretches(&m, &(ws_measure_options){0}, (const stretch[]){apart[i].a, apart[i].b}, 2, &totals, &notes);
        ck_assert_msg(m.n_devices == 2, "%s", apart[i].what);
        ck_assert_msg(totals.all.energy_j == ramp(0, 10) + ramp(11, 21), "%s: %.9g J", apart[i].what,
                      totals.all.energy_j);
        ck_assert_msg(count(&notes, "continued") == 0, "%s", apart[i].what);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

START_TEST(ranks_that_overlap_are_counted_once_each_with_its_parts)
{
    static const stretch ranks[] = {{"r0.1", "n1", "gpu0", NULL, NULL, 0, false},
                                    {"r1.1", "n1", "gpu0", NULL, NULL, 0, false},
                                    {"r0.2", "n1", "gpu0", NULL, NULL, 11, false},
                                    {"r1.2", "n1", "gpu0", NULL, NULL, 11, false}};
    ws_measure m;
    ws_totals totals;
    ws_notes notes = {0};
    measure_stretches(&m, &(ws_measure_options){0}, ranks, 4, &totals, &notes);
    ck_assert_double_eq(totals.all.energy_j, ramp(0, 21));
    ck_assert_uint_eq(count(&notes, "measured-twice"), 1);
    ws_notes_free(&notes);
    ws_measure_free(&m);
}
END_TEST

TEST_MAIN("parts", a_rotated_log_is_one_trace, a_later_file_may_have_no_header,
          what_lies_between_files_is_a_gap_like_any_other, a_window_reaches_over_the_files,
          what_is_not_known_to_be_one_device_stays_apart, ranks_that_overlap_are_counted_once_each_with_its_parts)
