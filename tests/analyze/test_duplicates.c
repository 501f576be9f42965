/* Devices that were read twice count once; equal readings under two names are named. */
#include "harness.h"
#include "note_named.h"

#include "analyze/identity/rank_logs.h"
#include "analyze/measure/measure.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 41 };

/* A trace of 40 s from `start_s` on whose power swings by 10 W around `power_w`: 40 x power_w J. */
typedef struct trace {
    const char *source, *node, *device, *uuid;
    double start_s, power_w;
} trace;

static size_t count_gpus(const ws_measure *m)
{
    size_t *places;
    ws_measure_group all = ws_measure_select(m, &(ws_device_filter){.run = ""}, &places);
    size_t n = ws_measure_count_gpus(m, &all);
    free(places);
    return n;
}

static int late_ms; /* the reading in the middle comes so much later */

/* `stretch`: of a trace without dates, the length of its seconds; 0 with dates. */
static void push(ws_measure *m, const trace *t, double stretch)
{
    int64_t t_ns[SAMPLES];
    double value[SAMPLES];
    ws_error error = {0};
    int id;
    ws_channel channel = {.device = t->device,
                          .device_id = t->uuid ? t->uuid : t->device,
                          .identity = t->uuid ? "uuid" : "index",
                          .domain = WS_GPU,
                          .quantity = WS_POWER,
                          .rule = WS_RULE_TRAPEZOID,
                          .time = stretch > 0 ? WS_TIME_RELATIVE : WS_TIME_UTC};
    for (int i = 0; i < SAMPLES; i++) {
        t_ns[i] = (int64_t)((t->start_s + i) * (stretch > 0 ? stretch : 1) * 1e9);
        value[i] = t->power_w + (i == 0 || i == SAMPLES - 1 ? 0 : i % 2 ? 10 : -10);
    }
    t_ns[SAMPLES / 2] += late_ms * INT64_C(1000000);
    value[20] = t->power_w + 10; /* 39 inner readings: so that they cancel */
    value[21] = t->power_w;
    value[19] = t->power_w - 10;
    ws_measure_begin(m, t->source, t->node);
    ws_sink sink = ws_measure_sink(m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, &error), WS_OK);
    ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){.n = SAMPLES, .t_ns = t_ns, .value = value}, &error),
                     WS_OK);
}

static const struct {
    const char *what;
    double gpus; /* as described; NaN: not */
    size_t n;
    trace traces[8];
    double energy_j;
    size_t counted, measured_twice, same_readings, doubts, asked;
} cases[] = {
    {"two nodes", NAN, 2, {{"a", "n1", "gpu0", NULL, 0, 100}, {"b", "n2", "gpu0", NULL, 0, 200}}, 12000, 2, 0, 0, 0, 0},
    {"a device by its uuid",
     NAN,
     2,
     {{"a", "", "gpu0", "GPU-1", 0, 100}, {"b", "", "gpu0", "GPU-1", 0.5, 100}},
     4000,
     1,
     1,
     0,
     0,
     0},
    {"two uuids",
     NAN,
     2,
     {{"a", "n", "gpu0", "GPU-1", 0, 100}, {"b", "n", "gpu0", "GPU-2", 0.5, 100}},
     8000,
     2,
     0,
     0,
     0,
     0},
    {"a device by its node",
     NAN,
     2,
     {{"a", "n1", "gpu0", NULL, 0, 100}, {"b", "n1", "gpu0", NULL, 3, 100}},
     4000,
     1,
     1,
     0,
     0,
     0},
    {"parts of a log",
     NAN,
     2,
     {{"a", "n1", "gpu0", NULL, 0, 100}, {"b", "n1", "gpu0", NULL, 41, 100}},
     8000,
     1,
     0,
     0,
     0,
     0},
    {"ranks",
     2,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 0.3, 100},
      {"b", "", "gpu1", NULL, 0.3, 200}},
     12000,
     2,
     2,
     0,
     0,
     0},
    {"nodes without names",
     4,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 0.3, 100},
      {"b", "", "gpu1", NULL, 0.3, 200}},
     24000,
     4,
     0,
     0,
     0,
     0},
    {"a log twice, nothing described",
     NAN,
     2,
     {{"a", "", "gpu0", NULL, 0, 100}, {"b", "", "gpu0", NULL, 0.3, 100}},
     4000,
     1,
     1,
     0,
     0,
     0},
    {"ranks, nothing described",
     NAN,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 0.3, 101},
      {"b", "", "gpu1", NULL, 0.3, 199}},
     24000,
     4,
     0,
     0,
     0,
     1},
    {"nodes without names, nothing described",
     NAN,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 0.3, 110},
      {"b", "", "gpu1", NULL, 0.3, 200}},
     24400,
     4,
     0,
     0,
     0,
     0},
    {"ranks or nodes, which nothing tells",
     NAN,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 102},
      {"b", "", "gpu0", NULL, 0.3, 101},
      {"b", "", "gpu1", NULL, 0.3, 101}},
     16160,
     4,
     0,
     0,
     0,
     1},
    {"two GPUs prove nothing, however close",
     NAN,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 0.3, 101.9},
      {"b", "", "gpu1", NULL, 0.3, 200}},
     24076,
     4,
     0,
     0,
     0,
     1},
    {"two GPUs prove nothing, not so close",
     NAN,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 0.3, 100},
      {"b", "", "gpu1", NULL, 0.3, 202.5}},
     24100,
     4,
     0,
     0,
     0,
     1},
    {"two nodes of two ranks",
     4,
     8,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 0.1, 110},
      {"b", "", "gpu1", NULL, 0.1, 210},
      {"c", "", "gpu0", NULL, 0.2, 100},
      {"c", "", "gpu1", NULL, 0.2, 200},
      {"d", "", "gpu0", NULL, 0.3, 110},
      {"d", "", "gpu1", NULL, 0.3, 210}},
     24800,
     4,
     4,
     0,
     0,
     0},
    {"a file a device",
     NAN,
     2,
     {{"n_0", "n", "gpu0", NULL, 0, 100}, {"n_1", "n", "gpu0", NULL, 0.3, 150}},
     10000,
     2,
     0,
     0,
     0,
     0},
    {"two files of a device",
     NAN,
     2,
     {{"smi", "n", "gpu0", NULL, 0, 100}, {"dcgm", "n", "gpu0", NULL, 0.3, 150}},
     4000,
     1,
     1,
     0,
     0,
     0},
    {"a device by ranks",
     NAN,
     2,
     {{"n_0", "n", "gpu0", NULL, 0, 100}, {"n_1", "n", "gpu0", NULL, 0.3, 100}},
     4000,
     1,
     1,
     0,
     0,
     0},
    {"a file a device, or ranks",
     NAN,
     2,
     {{"n_0", "n", "gpu0", NULL, 0, 100}, {"n_1", "n", "gpu0", NULL, 0.3, 101}},
     8040,
     2,
     0,
     0,
     1,
     0},
    {"four GPUs that are as close prove it",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu0", NULL, 0.3, 400.5},
      {"b", "", "gpu1", NULL, 0.3, 499.75},
      {"b", "", "gpu2", NULL, 0.3, 560.25},
      {"b", "", "gpu3", NULL, 0.3, 599.5}},
     82400,
     4,
     4,
     0,
     0,
     0},
    {"three do not",
     NAN,
     6,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"b", "", "gpu0", NULL, 0.3, 400.5},
      {"b", "", "gpu1", NULL, 0.3, 499.75},
      {"b", "", "gpu2", NULL, 0.3, 560.25}},
     116820.0,
     6,
     0,
     0,
     0,
     1},
    {"twenty times closer",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu0", NULL, 0.3, 400},
      {"b", "", "gpu1", NULL, 0.3, 500},
      {"b", "", "gpu2", NULL, 0.3, 560},
      {"b", "", "gpu3", NULL, 0.3, 609.5}},
     82400,
     4,
     4,
     0,
     0,
     0},
    {"less than twenty times closer",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu0", NULL, 0.3, 400},
      {"b", "", "gpu1", NULL, 0.3, 500},
      {"b", "", "gpu2", NULL, 0.3, 560},
      {"b", "", "gpu3", NULL, 0.3, 610.5}},
     165220.0,
     8,
     0,
     0,
     0,
     1},
    {"a chance below a millionth",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 500},
      {"a", "", "gpu1", NULL, 0, 505},
      {"a", "", "gpu2", NULL, 0, 510},
      {"a", "", "gpu3", NULL, 0, 515},
      {"b", "", "gpu0", NULL, 0.3, 500.36},
      {"b", "", "gpu1", NULL, 0.3, 505.36},
      {"b", "", "gpu2", NULL, 0.3, 510.36},
      {"b", "", "gpu3", NULL, 0.3, 515.36}},
     81200,
     4,
     4,
     0,
     0,
     0},
    {"a chance above a millionth",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 500},
      {"a", "", "gpu1", NULL, 0, 505},
      {"a", "", "gpu2", NULL, 0, 510},
      {"a", "", "gpu3", NULL, 0, 515},
      {"b", "", "gpu0", NULL, 0.3, 500.4},
      {"b", "", "gpu1", NULL, 0.3, 505.4},
      {"b", "", "gpu2", NULL, 0.3, 510.4},
      {"b", "", "gpu3", NULL, 0.3, 515.4}},
     162464,
     8,
     0,
     0,
     0,
     1},
    {"four GPUs that differ, and agree as two cards of one kind do by a chance below 1e-4",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu0", NULL, 0.3, 401.25},
      {"b", "", "gpu1", NULL, 0.3, 501.625},
      {"b", "", "gpu2", NULL, 0.3, 561.875},
      {"b", "", "gpu3", NULL, 0.3, 602}},
     82400,
     4,
     4,
     0,
     0,
     0},
    {"by a chance above 1e-4",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu0", NULL, 0.3, 401.5},
      {"b", "", "gpu1", NULL, 0.3, 501.875},
      {"b", "", "gpu2", NULL, 0.3, 562.0625},
      {"b", "", "gpu3", NULL, 0.3, 602.25}},
     165107.5,
     8,
     0,
     0,
     0,
     1},
    {"nodes that read alike by more than chance",
     NAN,
     8,
     {{"a", "n1", "gpu0", NULL, 0, 400},
      {"a", "n1", "gpu1", NULL, 0, 500},
      {"a", "n1", "gpu2", NULL, 0, 560},
      {"a", "n1", "gpu3", NULL, 0, 600},
      {"b", "n2", "gpu0", NULL, 0.3, 400.5},
      {"b", "n2", "gpu1", NULL, 0.3, 499.75},
      {"b", "n2", "gpu2", NULL, 0.3, 560.25},
      {"b", "n2", "gpu3", NULL, 0.3, 599.5}},
     164800.0,
     8,
     0,
     0,
     1,
     0},
    {"the same, and the run has as many GPUs",
     8,
     8,
     {{"a", "n1", "gpu0", NULL, 0, 400},
      {"a", "n1", "gpu1", NULL, 0, 500},
      {"a", "n1", "gpu2", NULL, 0, 560},
      {"a", "n1", "gpu3", NULL, 0, 600},
      {"b", "n2", "gpu0", NULL, 0.3, 400.5},
      {"b", "n2", "gpu1", NULL, 0.3, 499.75},
      {"b", "n2", "gpu2", NULL, 0.3, 560.25},
      {"b", "n2", "gpu3", NULL, 0.3, 599.5}},
     164800.0,
     8,
     0,
     0,
     0,
     0},
    {"a file a device, as many as the run has",
     2,
     2,
     {{"n_0", "n", "gpu0", NULL, 0, 100}, {"n_1", "n", "gpu0", NULL, 0.3, 101}},
     8040,
     2,
     0,
     0,
     0,
     0},
    {"a rank that logs its own GPU alone",
     NAN,
     5,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu1", NULL, 0.3, 500.5}},
     102420,
     5,
     0,
     0,
     0,
     1},
    {"the same, of a run of four GPUs",
     4,
     5,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu1", NULL, 0.3, 500.5}},
     82400,
     4,
     1,
     0,
     0,
     0},
    {"its own GPU, which the other one is not",
     NAN,
     5,
     {{"a", "", "gpu0", NULL, 0, 400},
      {"a", "", "gpu1", NULL, 0, 500},
      {"a", "", "gpu2", NULL, 0, 560},
      {"a", "", "gpu3", NULL, 0, 600},
      {"b", "", "gpu1", NULL, 0.3, 520}},
     103200,
     5,
     0,
     0,
     0,
     0},
    {"ranks of two GPUs and one of all four",
     NAN,
     8,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu2", NULL, 0.1, 150},
      {"b", "", "gpu3", NULL, 0.1, 250},
      {"c", "", "gpu0", NULL, 0.2, 100},
      {"c", "", "gpu1", NULL, 0.2, 200},
      {"c", "", "gpu2", NULL, 0.2, 150},
      {"c", "", "gpu3", NULL, 0.2, 250}},
     28000,
     4,
     4,
     0,
     0,
     0},
    {"one logger names uuids, the other one indices",
     NAN,
     8,
     {{"a", "", "gpu0", "GPU-0", 0, 400},
      {"a", "", "gpu1", "GPU-1", 0, 500},
      {"a", "", "gpu2", "GPU-2", 0, 560},
      {"a", "", "gpu3", "GPU-3", 0, 600},
      {"b", "", "gpu0", NULL, 0.3, 400.5},
      {"b", "", "gpu1", NULL, 0.3, 499.75},
      {"b", "", "gpu2", NULL, 0.3, 560.25},
      {"b", "", "gpu3", NULL, 0.3, 599.5}},
     82400,
     4,
     4,
     0,
     0,
     0},
    {"two loggers of a named node",
     NAN,
     8,
     {{"a", "n", "gpu0", NULL, 0, 400},
      {"a", "n", "gpu1", NULL, 0, 500},
      {"a", "n", "gpu2", NULL, 0, 560},
      {"a", "n", "gpu3", NULL, 0, 600},
      {"b", "n", "gpu0", NULL, 0.3, 400.5},
      {"b", "n", "gpu1", NULL, 0.3, 499.75},
      {"b", "n", "gpu2", NULL, 0.3, 560.25},
      {"b", "n", "gpu3", NULL, 0.3, 599.5}},
     82400,
     4,
     4,
     0,
     0,
     0},
    {"two loggers of one GPU",
     NAN,
     2,
     {{"smi", "", "gpu0", NULL, 0, 100}, {"dcgm", "", "gpu0", NULL, 0.3, 101}},
     8040,
     2,
     0,
     0,
     0,
     1},
    {"a file a rank, of one GPU or of two",
     NAN,
     2,
     {{"n_0", "", "gpu0", NULL, 0, 100}, {"n_1", "", "gpu0", NULL, 0.3, 101}},
     8040,
     2,
     0,
     0,
     0,
     1},
    {"the same, of two GPUs as the run is described",
     2,
     2,
     {{"n_0", "", "gpu0", NULL, 0, 100}, {"n_1", "", "gpu0", NULL, 0.3, 101}},
     8040,
     2,
     0,
     0,
     0,
     0},
    {"the same, of one",
     1,
     2,
     {{"n_0", "", "gpu0", NULL, 0, 100}, {"n_1", "", "gpu0", NULL, 0.3, 100}},
     4000,
     1,
     1,
     0,
     0,
     0},
    {"a file a GPU, as its name says",
     NAN,
     2,
     {{"a/GPU_0.csv", "", "gpu0", NULL, 0, 100}, {"a/GPU_1.csv", "", "gpu0", NULL, 0.3, 101}},
     8040,
     2,
     0,
     0,
     0,
     0},
    {"readings of one GPU at other times may differ by three standard errors",
     NAN,
     2,
     {{"n_0", "", "gpu0", NULL, 0, 100}, {"n_1", "", "gpu0", NULL, 0.3, 108}},
     8320,
     2,
     0,
     0,
     0,
     1},
    {"and not by more",
     NAN,
     2,
     {{"n_0", "", "gpu0", NULL, 0, 100}, {"n_1", "", "gpu0", NULL, 0.3, 109}},
     8360,
     2,
     0,
     0,
     0,
     0},
    {"a rank that began later, and its means differ",
     NAN,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 20, 120},
      {"b", "", "gpu1", NULL, 20, 200}},
     24800,
     4,
     0,
     0,
     0,
     1},
    {"a node that began later",
     NAN,
     4,
     {{"a", "", "gpu0", NULL, 0, 100},
      {"a", "", "gpu1", NULL, 0, 200},
      {"b", "", "gpu0", NULL, 20, 132},
      {"b", "", "gpu1", NULL, 20, 200}},
     25280,
     4,
     0,
     0,
     0,
     0},
    {"the same bytes",
     NAN,
     2,
     {{"a", "n1", "gpu0", NULL, 0, 100}, {"b", "n2", "gpu0", NULL, 0, 100}},
     8000,
     2,
     0,
     1,
     0,
     0},
};

static size_t count(const ws_notes *notes, const char *code)
{
    size_t n = 0;
    for (size_t i = 0; i < notes->n; i++)
        n += strcmp(ws_finding_code(notes->items[i].finding), code) == 0 ? (size_t)notes->items[i].count : 0;
    return n;
}

START_TEST(sources_of_a_run)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_measure m;
        ws_measure_options options = {0};
        ws_totals totals;
        ws_notes notes = {0};
        ws_measure_init(&m, &options);
        for (size_t t = 0; t < cases[i].n; t++)
            push(&m, &cases[i].traces[t], 0);
        ws_measure_finish(&m, NULL);
        ws_duplicates found = ws_measure_find_duplicates(&m, cases[i].gpus, NAN, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_msg(totals.all.energy_j == cases[i].energy_j, "%s: %.9g J", cases[i].what, totals.all.energy_j);
        ck_assert_msg(count_gpus(&m) == cases[i].counted, "%s", cases[i].what);
        ck_assert_msg(count(&notes, "measured-twice") == cases[i].measured_twice, "%s", cases[i].what);
        ck_assert_msg(count(&notes, "same-readings") == cases[i].same_readings, "%s", cases[i].what);
        ck_assert_msg(count(&notes, "maybe-measured-twice") == cases[i].doubts, "%s", cases[i].what);
        ck_assert_msg(count(&notes, "ask-nodes") == cases[i].asked, "%s", cases[i].what);
        ws_duplicates wanted = cases[i].asked    ? WS_DUPLICATES_ASK
                               : cases[i].doubts ? WS_DUPLICATES_DOUBT
                                                 : WS_DUPLICATES_NONE;
        ck_assert_msg(found == wanted, "%s", cases[i].what);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

static const char *file_node = "";
static double pace = 1; /* of counters */

/* 41 readings of a channel, one a second: powers and temperatures swing around `level`, counters rise from it
 * by 50 W and a little more: by 2080 J, and 2081.2 J where they are read 0.3 s later. */
static void push_channel(ws_measure *m, const char *source, const ws_channel *about, double level, double start_s)
{
    int64_t t_ns[SAMPLES];
    double value[SAMPLES], swing = about->quantity == WS_TEMPERATURE ? 0.5 : 10;
    ws_error error = {0};
    ws_channel channel = *about;
    int id;
    channel.device_id = channel.device;
    channel.identity = "index";
    channel.time = about->time == WS_TIME_RELATIVE ? WS_TIME_RELATIVE : WS_TIME_UTC;
    for (int i = 0; i < SAMPLES; i++) {
        t_ns[i] = (int64_t)((start_s + i) * 1e9);
        double t = start_s + i;
        value[i] = about->quantity == WS_ENERGY_COUNTER ? level + pace * (50 * t + 0.05 * t * t)
                                                        : level + (i % 4 == 1   ? swing
                                                                   : i % 4 == 3 ? -swing
                                                                                : 0);
    }
    ws_measure_begin(m, source, file_node);
    ws_sink sink = ws_measure_sink(m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, &error), WS_OK);
    ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){.n = SAMPLES, .t_ns = t_ns, .value = value}, &error),
                     WS_OK);
}

static const ws_channel gpu = {.device = "gpu0", .domain = WS_GPU, .quantity = WS_POWER, .rule = WS_RULE_TRAPEZOID},
                        gpu1 = {.device = "gpu1", .domain = WS_GPU, .quantity = WS_POWER, .rule = WS_RULE_TRAPEZOID},
                        heat = {.device = "gpu0", .domain = WS_GPU, .quantity = WS_TEMPERATURE},
                        cpu = {.device = "cpu", .domain = WS_CPU, .quantity = WS_POWER, .rule = WS_RULE_TRAPEZOID},
                        joules = {
                            .device = "cpu", .domain = WS_CPU, .quantity = WS_ENERGY_COUNTER, .rule = WS_RULE_COUNTER};

/* Two ranks with a GPU each; its temperature, and what the processor's channel holds. */
static const struct {
    const char *what;
    double nodes; /* as described; NaN: not */
    double gpu_w, other_w, heat_c, other_c;
    const ws_channel *host, *second; /* of the second rank's GPU: NULL for the same name */
    double host_level, other_level, later_s;
    double energy_j;
    size_t asked;
} rank_cases[] = {
    {"a processor", NAN, 100, 200, 60, 60, &cpu, NULL, 50, 50.5, 0.3, 16020, 1},
    {"of GPUs with numbers", NAN, 100, 200, 60, 60, &cpu, &gpu1, 50, 50.5, 0.3, 16020, 1},
    {"of one node, as the run is described", 1, 100, 200, 60, 60, &cpu, NULL, 50, 50, 0.3, 14000, 0},
    {"of two", 2, 100, 200, 60, 60, &cpu, NULL, 50, 50.5, 0.3, 16020, 0},
    {"the same readings", NAN, 100, 200, 60, 60, &cpu, NULL, 50, 50, 0, 14000, 0},
    {"two processors", NAN, 100, 200, 60, 60, &cpu, NULL, 50, 60, 0.3, 16400, 0},
    {"one counter", NAN, 100, 200, 60, 60, &joules, NULL, 50000, 50000, 0.3, 14080, 0},
    {"two counters", NAN, 100, 200, 60, 60, &joules, NULL, 50000, 50100, 0.3, 16161.2, 1},
    {"counters that stand too low to tell", NAN, 100, 200, 60, 60, &joules, NULL, 10000, 10000, 0.3, 16161.2, 1},
    {"GPUs that draw alike, one warmer", NAN, 100, 101, 60, 62, &cpu, NULL, 50, 60, 0.3, 12440, 0},
    {"not by enough", NAN, 100, 101, 60, 60.9, &cpu, NULL, 50, 60, 0.3, 12440, 1},
};

START_TEST(processors_of_ranks)
{
    for (size_t i = 0; i < sizeof rank_cases / sizeof *rank_cases; i++) {
        ws_measure m;
        ws_measure_options options = {0};
        ws_totals totals;
        ws_notes notes = {0};
        ws_measure_init(&m, &options);
        push_channel(&m, "rank0", &gpu, rank_cases[i].gpu_w, 0);
        push_channel(&m, "rank0", &heat, rank_cases[i].heat_c, 0);
        push_channel(&m, "rank0", rank_cases[i].host, rank_cases[i].host_level, 0);
        push_channel(&m, "rank1", rank_cases[i].second ? rank_cases[i].second : &gpu, rank_cases[i].other_w, 0.3);
        if (!rank_cases[i].second)
            push_channel(&m, "rank1", &heat, rank_cases[i].other_c, 0.3);
        push_channel(&m, "rank1", rank_cases[i].host, rank_cases[i].other_level, rank_cases[i].later_s);
        ws_measure_finish(&m, NULL);
        ws_duplicates found = ws_measure_find_duplicates(&m, NAN, rank_cases[i].nodes, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_msg(fabs(totals.all.energy_j - rank_cases[i].energy_j) < 1.3, "%s: %.9g J", rank_cases[i].what,
                      totals.all.energy_j);
        ck_assert_msg(count(&notes, "ask-nodes") == rank_cases[i].asked, "%s", rank_cases[i].what);
        ck_assert_msg(found == (rank_cases[i].asked ? WS_DUPLICATES_ASK : WS_DUPLICATES_NONE), "%s",
                      rank_cases[i].what);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* An export of a trace has stamps or readings of fewer digits; other readings may be of another time, which nothing
 * tells. */
START_TEST(traces_without_dates)
{
    static const struct {
        const char *a, *b;
        double power_w, stretch, energy_j; /* of the second; of both */
        size_t counted, measured_twice, doubts;
    } pairs[] = {{"a.hdf5", "a.csv", 100, 1 - 1e-8, 4000, 1, 1, 0},
                 {"a.hdf5", "a.csv", 100 + 1e-5, 1, 4000, 1, 1, 0},
                 {"train", "eval", 150, 1, 10000, 1, 0, 1},
                 {"n_0", "n_1", 150, 1, 10000, 2, 0, 0}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        push(&m, &(trace){pairs[i].a, "n1", "gpu0", NULL, 0, 100}, 1);
        push(&m, &(trace){pairs[i].b, "n1", "gpu0", NULL, 0, pairs[i].power_w}, pairs[i].stretch);
        ws_measure_finish(&m, NULL);
        ws_duplicates found = ws_measure_find_duplicates(&m, NAN, NAN, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_msg(totals.all.energy_j == pairs[i].energy_j, "%s: %.9g J", pairs[i].a, totals.all.energy_j);
        ck_assert_uint_eq(count_gpus(&m), pairs[i].counted);
        ck_assert_uint_eq(count(&notes, "measured-twice"), pairs[i].measured_twice);
        ck_assert_uint_eq(count(&notes, "maybe-measured-twice"), pairs[i].doubts);
        ck_assert_int_eq(found, pairs[i].doubts ? WS_DUPLICATES_DOUBT : WS_DUPLICATES_NONE);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Loggers of ranks that count seconds from their own start: nothing says whether they ran at the same time. */
START_TEST(ranks_without_dates)
{
    static const struct {
        const char *what, *nodes[2];
        double start_s, power_w; /* of the second log, and of its first GPU */
        size_t doubts, same_readings;
    } logs[] = {{"alike", {"", ""}, 0, 101, 1, 0},
                {"one mean differs", {"", ""}, 0, 110, 0, 0},
                {"equal readings", {"", ""}, 0, 100, 0, 2},
                {"the clock goes on", {"", ""}, 41, 101, 0, 0},
                {"files that name their nodes", {"n1", "n2"}, 0, 101, 0, 0}};
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        double last_w = logs[i].power_w == 100 ? 200 : 199;
        ws_measure_init(&m, &(ws_measure_options){0});
        push(&m, &(trace){"rank0.csv", logs[i].nodes[0], "gpu0", NULL, 0, 100}, 1);
        push(&m, &(trace){"rank0.csv", logs[i].nodes[0], "gpu1", NULL, 0, 200}, 1);
        push(&m, &(trace){"rank1.csv", logs[i].nodes[1], "gpu0", NULL, logs[i].start_s, logs[i].power_w}, 1);
        push(&m, &(trace){"rank1.csv", logs[i].nodes[1], "gpu1", NULL, logs[i].start_s, last_w}, 1);
        ws_measure_finish(&m, NULL);
        ws_duplicates found = ws_measure_find_duplicates(&m, NAN, NAN, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_double_eq_tol(totals.all.energy_j, 40 * (300 + logs[i].power_w + last_w), 1e-9);
        ck_assert_msg(count(&notes, "maybe-measured-twice") == logs[i].doubts, "%s", logs[i].what);
        ck_assert_msg(count(&notes, "same-readings") == logs[i].same_readings, "%s", logs[i].what);
        ck_assert_int_eq(found, logs[i].doubts ? WS_DUPLICATES_DOUBT : WS_DUPLICATES_NONE);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* A log of powers and one of energies that disagree, both without dates: in doubt as those with dates. */
START_TEST(other_sources_without_dates)
{
    for (int dated = 0; dated < 2; dated++) {
        ws_measure m;
        ws_notes notes = {0};
        ws_channel counter = {.device = "gpu0",
                              .identity = "index",
                              .domain = WS_GPU,
                              .quantity = WS_ENERGY_COUNTER,
                              .rule = WS_RULE_COUNTER,
                              .time = dated ? WS_TIME_UTC : WS_TIME_RELATIVE};
        ws_measure_init(&m, &(ws_measure_options){0});
        push(&m, &(trace){"power.csv", "", "gpu0", NULL, 0, 100}, dated ? 0 : 1);
        push_channel(&m, "energy.csv", &counter, 1000, 0);
        ws_measure_finish(&m, NULL);
        ck_assert_int_eq(ws_measure_find_duplicates(&m, NAN, NAN, &notes), WS_DUPLICATES_DOUBT);
        ck_assert_uint_eq(count(&notes, "maybe-measured-twice"), 1);
        ck_assert_int_eq(!strstr(note_named(&notes, "maybe-measured-twice")->text, "without dates"), dated);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Seven instances that all show the power of their card: 4000 J, and not 28000. One that differs by a watt may be a
 * part. */
START_TEST(slices_of_a_card)
{
    static const char *const uuids[] = {"MIG-0", "MIG-1", "MIG-2", "MIG-3", "MIG-4", "MIG-5", "MIG-6"};
    static const char *const names[] = {"gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "gpu5", "gpu6"};
    for (int other = 0; other < 2; other++) {
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        for (int i = 0; i < 7; i++)
            push(&m, &(trace){"a", "", names[i], uuids[i], 0.001 * i, other && i == 6 ? 101 : 100}, 0);
        ws_measure_finish(&m, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_double_eq_tol(totals.all.energy_j, (other ? 8040 : 4000), 1e-9);
        ck_assert_uint_eq(count_gpus(&m), other ? 2 : 1);
        ck_assert_uint_eq(count(&notes, "measured-twice"), other ? 5 : 6);
        ck_assert_str_eq(ws_energy_status_name(ws_device_sum_status(&totals.all)),
                         other ? "maybe-measured-twice" : "ok");
        ck_assert_str_eq(ws_energy_status_name(m.devices[0].energy->summary.status), "ok");
        ck_assert_str_eq(ws_energy_status_name(m.devices[1].energy->summary.status), "measured-twice");
        ck_assert(isnan(m.devices[1].energy->summary.energy_j));
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Three slices each of two cards that draw alike: rows of a poll have stamps of their own, some a millisecond off. */
START_TEST(slices_of_two_cards)
{
    static const char *const uuids[] = {"MIG-0", "MIG-1", "MIG-2", "MIG-3", "MIG-4", "MIG-5"};
    static const char *const names[] = {"gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "gpu5"};
    ws_measure m;
    ws_totals totals;
    ws_notes notes = {0};
    ws_measure_init(&m, &(ws_measure_options){0});
    for (int i = 0; i < 6; i++) {
        late_ms = i % 3;
        push(&m, &(trace){"a", "", names[i], uuids[i], 0.0078125 * i, i < 3 ? 100 : 100.5}, 0);
    }
    late_ms = 0;
    ws_measure_finish(&m, &notes);
    ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
    ck_assert_double_eq_tol(totals.all.energy_j, 4000 + 4020, 1e-9);
    ck_assert_uint_eq(count_gpus(&m), 2);
    ck_assert_uint_eq(count(&notes, "measured-twice"), 4);
    ck_assert_uint_eq(count(&notes, "maybe-measured-twice"), 0);
    ck_assert_str_eq(ws_energy_status_name(ws_device_sum_status(&totals.all)), "ok");
    ws_notes_free(&notes);
    ws_measure_free(&m);
}
END_TEST

/* The card's own row stays; older names of slices say whose they are, and those of other cards are other cards. */
START_TEST(cards_of_slices)
{
    static const struct {
        const char *a, *b;
        double power_w, energy_j;
        size_t twice, doubts;
    } pairs[] = {{"MIG-1", "GPU-1", 100, 4000, 1, 0},
                 {"MIG-1", "GPU-1", 101, 8040, 0, 1},
                 {"MIG-GPU-a/1/0", "MIG-GPU-a/2/0", 101, 8040, 0, 1},
                 {"MIG-GPU-a/1/0", "MIG-GPU-b/1/0", 101, 8040, 0, 0}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        push(&m, &(trace){"a", "", "gpu0", pairs[i].a, 0, 100}, 0);
        push(&m, &(trace){"a", "", "gpu1", pairs[i].b, 0.0078125, pairs[i].power_w}, 0);
        ws_measure_finish(&m, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_double_eq_tol(totals.all.energy_j, pairs[i].energy_j, 1e-9);
        ck_assert_uint_eq(count(&notes, "measured-twice"), pairs[i].twice);
        ck_assert_uint_eq(count(&notes, "maybe-measured-twice"), pairs[i].doubts);
        if (pairs[i].twice)
            ck_assert_str_eq(ws_energy_status_name(m.devices[0].energy->summary.status), "measured-twice");
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Equal readings under two indices may be two cards as well as one: both count, and their joules are named. */
START_TEST(two_indices_stay)
{
    for (int late = 0; late < 2; late++) { /* the stamps of two rows of a poll do not keep their distance */
        ws_measure m;
        ws_totals totals;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        push(&m, &(trace){"a", "", "gpu0", NULL, 0, 100}, 0);
        push(&m, &(trace){"a", "", "gpu1", NULL, 0, 150}, 0);
        late_ms = late;
        push(&m, &(trace){"a", "", "gpu2", NULL, 0, 100}, 0);
        late_ms = 0;
        ws_measure_finish(&m, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_double_eq_tol(totals.all.energy_j, 14000, 0.02);
        ck_assert_uint_eq(count(&notes, "same-readings"), 1);
        ck_assert_ptr_nonnull(strstr(note_named(&notes, "same-readings")->text, late ? "3999.99 J" : "4000 J"));
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* GPUs of one place in the pipelines of two nodes draw nearly the same, and much more or less than the others of their
 * node; what more they draw than by chance of the moments at which they were read tells them apart. */
START_TEST(places_of_pipelines_are_other_gpus)
{
    for (int is_other = 0; is_other < 2; is_other++) {
        ws_measure m;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        for (int node = 0; node < 2; node++) {
            static const char *const gpus[] = {"gpu0", "gpu1", "gpu2", "gpu3"};
            for (int i = 0; i < 4; i++)
                push(&m,
                     &(trace){node ? "b" : "a", node ? "n2" : "n1", gpus[i], NULL, 0.25 * node,
                              400 * i + 900 + (is_other ? 20 : 0.5) * node},
                     0);
        }
        ws_measure_finish(&m, &notes);
        ws_duplicates found = ws_measure_find_duplicates(&m, NAN, NAN, &notes);
        ck_assert_int_eq(found, is_other ? WS_DUPLICATES_NONE : WS_DUPLICATES_DOUBT);
        ck_assert_uint_eq(count_gpus(&m), 8);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Of a node with eight GPUs two loggers out of phase agree in all but those whose load repeats in step with the polls;
 * two nodes differ in more of them. */
START_TEST(most_gpus_of_a_node_are_enough_to_doubt)
{
    static const struct {
        int gpus, others;
        ws_duplicates found;
    } of[] = {{8, 1, WS_DUPLICATES_DOUBT},
              {8, 2, WS_DUPLICATES_DOUBT},
              {8, 3, WS_DUPLICATES_NONE},
              {5, 1, WS_DUPLICATES_DOUBT},
              {4, 1, WS_DUPLICATES_NONE}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        ws_measure m;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        for (int rank = 0; rank < 2; rank++)
            for (int i = 0; i < of[k].gpus; i++) {
                static const char *const gpus[] = {"gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "gpu5", "gpu6", "gpu7"};
                double other_w = i < of[k].others ? 250 : 0.5;
                push(&m, &(trace){rank ? "b" : "a", "", gpus[i], NULL, 0.25 * rank, 400 * i + 900 + other_w * rank}, 0);
            }
        ws_measure_finish(&m, &notes);
        ck_assert_msg(ws_measure_find_duplicates(&m, NAN, NAN, &notes) == of[k].found, "%d of %d", of[k].others,
                      of[k].gpus);
        ck_assert_uint_eq(count_gpus(&m), 2 * (size_t)of[k].gpus);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Two loggers of one package whose files name two nodes: the counts interleave. Another package's count is another one,
 * a low count proves nothing, nor do two among many. */
START_TEST(counters_of_two_nodes_that_interleave_are_one)
{
    static const struct {
        const char *what;
        double level, other_level, later_s, other_pace;
        int nodes;
        ws_duplicates found;
    } of[] = {{"one counter", 50000, 50000, 0.3, 1, 2, WS_DUPLICATES_DOUBT},
              {"another count", 50000, 50100, 0.3, 1, 2, WS_DUPLICATES_NONE},
              {"an earlier count", 50000, 49900, 0.3, 1, 2, WS_DUPLICATES_NONE},
              {"another power", 50000, 50000, 0.3, 1.05, 2, WS_DUPLICATES_NONE},
              {"too low to tell", 30000, 30000, 0.3, 1, 2, WS_DUPLICATES_NONE},
              {"just high enough", 35000, 35000, 0.3, 1, 2, WS_DUPLICATES_DOUBT},
              {"among four nodes", 50000, 50000, 0.3, 1, 4, WS_DUPLICATES_NONE},
              {"among four nodes, seen at nearly one moment", 50000, 50000, 0.02, 1, 4, WS_DUPLICATES_DOUBT}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        static const char *const nodes[] = {"n1", "n2", "n3", "n4"};
        ws_measure m;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        for (int i = 0; i < of[k].nodes; i++) {
            file_node = nodes[i];
            pace = i == 1 ? of[k].other_pace : 1;
            push_channel(&m, nodes[i], &joules,
                         i == 0   ? of[k].level
                         : i == 1 ? of[k].other_level
                                  : 200000 + 1000 * i,
                         i == 1 ? of[k].later_s : 0);
        }
        file_node = "", pace = 1;
        ws_measure_finish(&m, &notes);
        ck_assert_msg(ws_measure_find_duplicates(&m, NAN, NAN, &notes) == of[k].found, "%s", of[k].what);
        ck_assert_msg(count(&notes, "maybe-measured-twice") == (of[k].found == WS_DUPLICATES_DOUBT), "%s", of[k].what);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* Two packages, each with a counter, in one file; another one holds their sum, 0.3 s later. A third as much again is
 * another machine, and so is what lies at another time or is said to be a node of its own. */
START_TEST(a_sum_of_packages_is_not_another_machine)
{
    static const struct {
        const char *what;
        double pace, start_s, nodes;
        ws_duplicates found;
    } of[] = {{"the sum", 2, 0.3, NAN, WS_DUPLICATES_DOUBT},
              {"nearly the sum", 2.008, 0.3, NAN, WS_DUPLICATES_DOUBT},
              {"not near enough", 2.02, 0.3, NAN, WS_DUPLICATES_NONE},
              {"two nodes, as the run is described", 2, 0.3, 2, WS_DUPLICATES_NONE},
              {"at another time", 2, 100, NAN, WS_DUPLICATES_NONE}};
    ws_channel packages[] = {joules, joules};
    packages[0].device = "cpu0", packages[1].device = "cpu1";
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        ws_measure m;
        ws_notes notes = {0};
        ws_measure_init(&m, &(ws_measure_options){0});
        push_channel(&m, "rapl", &packages[0], 50000, 0);
        push_channel(&m, "rapl", &packages[1], 90000, 0);
        pace = of[k].pace;
        push_channel(&m, "perf", &packages[0], 10000, of[k].start_s);
        pace = 1;
        ws_measure_finish(&m, &notes);
        ws_duplicates found = ws_measure_find_duplicates(&m, NAN, of[k].nodes, &notes);
        ck_assert_msg(found == of[k].found, "%s: %d", of[k].what, (int)found);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

/* A log of powers and one of energies of one name, 2080 J by the counter (52 W): two nodes would write alike. Of one
 * node the counter counts, doubtful where it lies more than a tenth away; of files that name none both stand, in doubt.
 */
START_TEST(powers_in_one_file_and_energies_in_another)
{
    static const ws_channel gpu_joules = {
        .device = "gpu0", .domain = WS_GPU, .quantity = WS_ENERGY_COUNTER, .rule = WS_RULE_COUNTER};
    static const struct {
        const char *node, *other;
        double power_w, nodes, energy_j;
        bool are_gpus;
        ws_duplicates found;
        size_t disagree;
    } of[] = {{"n1", "energy", 47.5, NAN, 2080, false, WS_DUPLICATES_NONE, 0},
              {"n1", "energy", 46.5, NAN, 2080, false, WS_DUPLICATES_NONE, 1},
              {"n1", "energy", 104, NAN, 2080, true, WS_DUPLICATES_NONE, 1},
              {"", "energy", 104, NAN, 6240, false, WS_DUPLICATES_DOUBT, 0},
              {"", "energy", 104, NAN, 6240, true, WS_DUPLICATES_DOUBT, 0},
              {"", "energy", 104, 1, 2080, false, WS_DUPLICATES_NONE, 1},
              {"", "energy", 104, 2, 6240, false, WS_DUPLICATES_NONE, 0},
              {"", "power2", 104, NAN, 6240, false, WS_DUPLICATES_NONE, 0}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        ws_measure m;
        ws_notes notes = {0};
        ws_totals totals;
        ws_measure_init(&m, &(ws_measure_options){0});
        file_node = of[k].node;
        push_channel(&m, "power1", of[k].are_gpus ? &gpu : &cpu, of[k].power_w, 0);
        push_channel(&m, of[k].other, of[k].are_gpus ? &gpu_joules : &joules, 50000, 0);
        file_node = "";
        ws_measure_finish(&m, &notes);
        ws_duplicates found = ws_measure_find_duplicates(&m, NAN, of[k].nodes, &notes);
        ws_measure_totals(&m, &(ws_device_filter){.run = ""}, &totals);
        ck_assert_msg(found == of[k].found, "case %zu: %d", k, (int)found);
        ck_assert_msg(fabs(totals.all.energy_j - of[k].energy_j) < 1, "case %zu: %g J", k, totals.all.energy_j);
        ck_assert_msg(count(&notes, "sources-disagree") == of[k].disagree, "case %zu", k);
        ws_notes_free(&notes);
        ws_measure_free(&m);
    }
}
END_TEST

TEST_MAIN("duplicates", powers_in_one_file_and_energies_in_another, a_sum_of_packages_is_not_another_machine,
          most_gpus_of_a_node_are_enough_to_doubt, counters_of_two_nodes_that_interleave_are_one,
          places_of_pipelines_are_other_gpus, sources_of_a_run, processors_of_ranks, traces_without_dates,
          ranks_without_dates, other_sources_without_dates, slices_of_a_card, slices_of_two_cards, cards_of_slices,
          two_indices_stay)
