/* A device whose readings stop before those beside it, or begin after them, says so. */
#include "harness.h"

#include "analyze/measure/measure.h"
#include "analyze/measure/measure.h"

#include <string.h>

enum { MOST = 1000 };

/* Readings of 100 or 101 W a second apart. */
static void push(ws_measure *m, const char *source, const char *device, const char *column, int preference, int from_s,
                 int samples)
{
    int64_t t_ns[MOST];
    double value[MOST];
    ws_error error = {0};
    int id;
    ws_channel channel = {.device = device,
                          .column = column,
                          .domain = WS_GPU,
                          .quantity = WS_POWER,
                          .rule = WS_RULE_TRAPEZOID,
                          .time = WS_TIME_UTC,
                          .preference = preference};
    for (int i = 0; i < samples; i++) {
        t_ns[i] = (int64_t)(from_s + i) * 1000000000;
        value[i] = 100 + i % 2;
    }
    ws_measure_begin(m, source, "");
    ws_sink sink = ws_measure_sink(m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, &error), WS_OK);
    ws_block block = {.n = (size_t)samples, .t_ns = t_ns, .value = value};
    ck_assert_int_eq(sink.block(sink.state, id, &block, &error), WS_OK);
}

static void has_status(ws_measure *m, const char *want, size_t notes)
{
    ws_notes got = {0};
    ws_measure_finish(m, &got);
    for (size_t i = 0; i < m->n_devices; i++)
        if (strcmp(m->devices[i].device, "gpu1") == 0)
            ck_assert_str_eq(ws_energy_status_name(m->devices[i].energy->summary.status), want);
        else
            ck_assert_str_eq(ws_energy_status_name(m->devices[i].energy->summary.status), "ok");
    ck_assert_uint_eq(got.n, notes);
    if (notes)
        ck_assert_str_eq(ws_finding_code(got.items[0].finding), "short-trace");
    ws_notes_free(&got);
    ws_measure_free(m);
}

START_TEST(a_device_that_falls_off)
{
    ws_measure m;
    ws_measure_init(&m, &(ws_measure_options){0});
    push(&m, "a", "gpu0", "power", 0, 0, 20);
    push(&m, "a", "gpu1", "power", 0, 0, 10);
    has_status(&m, "short-trace", 1);
}
END_TEST

START_TEST(a_device_that_comes_late)
{
    ws_measure m;
    ws_measure_init(&m, &(ws_measure_options){0});
    push(&m, "a", "gpu0", "power", 0, 0, 20);
    push(&m, "a", "gpu1", "power", 0, 10, 10);
    has_status(&m, "short-trace", 1);
}
END_TEST

/* The column that gives the energy has no readings any more, another one of the device goes on. */
START_TEST(a_column_that_dies)
{
    ws_measure m;
    ws_measure_init(&m, &(ws_measure_options){0});
    push(&m, "a", "gpu1", "power.draw", 0, 0, 5);
    push(&m, "a", "gpu1", "power.draw.instant", 2, 0, 20);
    has_status(&m, "short-trace", 1);
}
END_TEST

/* Three rows of twenty, as a logger that is stopped loses, say nothing. */
START_TEST(a_few_rows_less_are_usual)
{
    ws_measure m;
    ws_measure_init(&m, &(ws_measure_options){0});
    push(&m, "a", "gpu0", "power", 0, 0, 20);
    push(&m, "a", "gpu1", "power", 0, 0, 17);
    has_status(&m, "ok", 0);
}
END_TEST

/* More than three of its intervals, and more than a hundredth of the file. */
START_TEST(what_is_missing_is_held_against_intervals_and_the_file)
{
    static const struct {
        int samples, missing;
        const char *status;
    } cases[] = {{20, 3, "ok"}, {20, 4, "short-trace"}, {801, 8, "ok"}, {801, 9, "short-trace"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_measure m;
        ws_measure_init(&m, &(ws_measure_options){0});
        push(&m, "a", "gpu0", "power", 0, 0, cases[i].samples);
        push(&m, "a", "gpu1", "power", 0, 0, cases[i].samples - cases[i].missing);
        has_status(&m, cases[i].status, strcmp(cases[i].status, "ok") != 0);
    }
}
END_TEST

START_TEST(files_end_as_they_like)
{
    ws_measure m;
    ws_measure_init(&m, &(ws_measure_options){0});
    push(&m, "a", "gpu0", "power", 0, 0, 20);
    push(&m, "b", "gpu1", "power", 0, 0, 10);
    has_status(&m, "ok", 0);
}
END_TEST

TEST_MAIN("ends", a_device_that_falls_off, a_device_that_comes_late, a_column_that_dies, a_few_rows_less_are_usual,
          what_is_missing_is_held_against_intervals_and_the_file, files_end_as_they_like)
