/* A stream cut into windows gives each window what metering the whole stream inside that window gives. */
#include "harness.h"
#include "xorshift.h"

#include "analyze/measure/cutter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 400, WINDOWS = 12 };

typedef struct stream {
    ws_channel channel;
    int64_t t_ns[SAMPLES], line[SAMPLES];
    double value[SAMPLES];
} stream;

static const struct {
    ws_quantity quantity;
    ws_rule rule;
} kinds[] = {{WS_POWER, WS_RULE_TRAPEZOID},
             {WS_POWER, WS_RULE_RECTANGLE},
             {WS_ENERGY_COUNTER, WS_RULE_COUNTER},
             {WS_UTIL, WS_RULE_NONE}};

static void make_stream(stream *s, size_t kind, bool goes_back)
{
    double counter = draw(3) * 50;
    int64_t t = INT64_C(1700000000000000000);
    s->channel = (ws_channel){.node = "n1",
                              .device = "gpu0",
                              .domain = WS_GPU,
                              .quantity = kinds[kind].quantity,
                              .rule = kinds[kind].rule,
                              .time = WS_TIME_UTC};
    for (size_t i = 0; i < SAMPLES; i++) {
        bool back = goes_back && draw(40) == 0;
        t += back ? -INT64_C(700000000) : (int64_t)draw(20) * 100000000;
        counter += draw(500);
        s->t_ns[i] = t;
        s->line[i] = (int64_t)i + 2;
        s->value[i] = kinds[kind].quantity == WS_ENERGY_COUNTER ? counter : draw(700) / 2.0;
        if (draw(12) == 0)
            s->value[i] = draw(2) ? NAN : 0;
    }
}

static void push_all(const stream *s, const ws_sink *sink, int id, size_t most)
{
    ws_error error = {0};
    for (size_t from = 0; from < SAMPLES;) {
        size_t n = 1 + draw((uint32_t)most);
        n = n < SAMPLES - from ? n : SAMPLES - from;
        ws_block block = {.n = n, .t_ns = s->t_ns + from, .value = s->value + from, .line = s->line + from};
        ck_assert_int_eq(sink->block(sink->state, id, &block, &error), WS_OK);
        from += n;
    }
}

static void same(double a, double b)
{
    ck_assert_msg(a == b || (isnan(a) && isnan(b)), "%.17g is not %.17g", a, b);
}

static void same_reading(const ws_channel_summary *cut, const ws_channel_summary *whole)
{
    ck_assert_uint_eq(cut->samples, whole->samples);
    ck_assert_uint_eq(cut->missing, whole->missing);
    same(cut->energy_j, whole->energy_j);
    same(cut->duration_s, whole->duration_s);
    same(cut->span_s, whole->span_s);
    same(cut->max_gap_s, whole->max_gap_s);
    same(cut->mean, whole->mean);
    same(cut->min, whole->min);
    same(cut->max, whole->max);
    same(cut->sd, whole->sd);
    same(cut->coverage, whole->coverage);
    ck_assert_int_eq(cut->status, whole->status);
}

static void read_whole(const stream *s, const ws_measure_options *options, ws_measure *whole)
{
    ws_error error = {0};
    int id;
    ws_measure_init(whole, options);
    ws_measure_begin(whole, "a.csv", "");
    ws_sink sink = ws_measure_sink(whole);
    ck_assert_int_eq(sink.channel(sink.state, &s->channel, &id, &error), WS_OK);
    ws_block block = {.n = SAMPLES, .t_ns = s->t_ns, .value = s->value, .line = s->line};
    ck_assert_int_eq(sink.block(sink.state, id, &block, &error), WS_OK);
    ws_measure_finish(whole, NULL);
}

static void check_cuts(size_t kind, bool goes_back, ws_back_steps back_steps)
{
    static stream s;
    ws_measure_options options = {.back_steps = back_steps};
    ws_cut cuts[WINDOWS];
    ws_error error = {0};
    int id;
    make_stream(&s, kind, goes_back);
    for (size_t i = 0; i < WINDOWS; i++) {
        int64_t start = s.t_ns[0] - 5000000000 + (int64_t)draw(440) * 1000000000;
        cuts[i] = (ws_cut){.start_ns = start, .end_ns = start + 1 + (int64_t)draw(90) * 500000000};
    }
    ws_cutter *cutter = ws_cutter_new(cuts, WINDOWS, &options);
    ws_cutter_begin(cutter, "a.csv", "");
    ws_sink sink = ws_cutter_sink(cutter);
    ck_assert_int_eq(sink.channel(sink.state, &s.channel, &id, &error), WS_OK);
    push_all(&s, &sink, id, 60);
    ws_cutter_free(cutter);
    for (size_t i = 0; i < WINDOWS; i++) {
        ws_measure whole;
        ws_measure_options own = cuts[i].measure.options;
        own.without_glitches = false;
        read_whole(&s, &own, &whole);
        ws_measure_finish(&cuts[i].measure, NULL);
        ck_assert_uint_eq(cuts[i].measure.n_channels, 1);
        same_reading(&cuts[i].measure.channels[0].summary, &whole.channels[0].summary);
        ws_measure_free(&whole);
        ws_measure_free(&cuts[i].measure);
    }
}

START_TEST(windows_get_what_the_whole_has_inside)
{
    state = 20240516;
    for (int round = 0; round < 60; round++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
            check_cuts(kind, false, WS_BACK_UNSAID);
}
END_TEST

START_TEST(so_they_do_when_the_clock_goes_back)
{
    state = 77;
    for (int round = 0; round < 60; round++)
        for (ws_back_steps policy = WS_BACK_KEEP; policy <= WS_BACK_SORT; policy++)
            check_cuts((size_t)round % 2, true, policy);
}
END_TEST

START_TEST(other_nodes_are_left_out)
{
    static const char *const nodes[] = {"n2", "n3.cluster.example"};
    static const struct {
        const char *node;
        bool wanted;
    } hosts[] = {{"n1", false}, {"n2", true}, {"n2.cluster.example", true}, {"n3", true}, {"n33", false}, {"", true}};
    ws_measure_options options = {0};
    ws_error error = {0};
    ws_cut cut = {.start_ns = 1, .end_ns = 2, .nodes = nodes, .n_nodes = 2};
    ws_cutter *cutter = ws_cutter_new(&cut, 1, &options);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        ws_channel channel = {.device = "gpu0", .quantity = WS_POWER, .rule = WS_RULE_TRAPEZOID, .time = WS_TIME_UTC};
        int id;
        ws_cutter_begin(cutter, "a.csv", hosts[i].node);
        ws_sink sink = ws_cutter_sink(cutter);
        ck_assert_int_eq(sink.channel(sink.state, &channel, &id, &error), WS_OK);
        ck_assert_msg((id >= 0) == hosts[i].wanted, "node '%s'", hosts[i].node);
    }
    ws_cutter_free(cutter);
    ws_measure_free(&cut.measure);
}
END_TEST

TEST_MAIN("cutter", windows_get_what_the_whole_has_inside, so_they_do_when_the_clock_goes_back,
          other_nodes_are_left_out)
