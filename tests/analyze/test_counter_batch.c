/* Readings of a counter in blocks come to the same bits as one by one: in the meter, and in the filters before it. */
#include "counter_trace.h"

#include "analyze/measure/measure.h"

static const ws_channel channel = {.device = "cpu0",
                                   .column = "energy_uj",
                                   .domain = WS_CPU,
                                   .quantity = WS_ENERGY_COUNTER,
                                   .rule = WS_RULE_COUNTER,
                                   .time = WS_TIME_UTC,
                                   .counter_range_j = RANGE_J};

START_TEST(a_meter_takes_blocks_as_it_takes_readings)
{
    static trace x;
    state = 18;
    for (int i = 0; i < 6 * TRACES; i++) {
        make_counter(&x);
        ws_meter_options options = {.has_window = draw(3) == 0};
        options.window_start_ns = x.t_ns[draw(x.n)];
        options.window_end_ns = options.window_start_ns + (int64_t)draw(60) * 1000000000 + 1;
        ws_meter one_by_one = push(&x, WS_RULE_COUNTER, &options, 1);
        ws_meter whole = push(&x, WS_RULE_COUNTER, &options, x.n), some = push(&x, WS_RULE_COUNTER, &options, 64);
        ck_same(&one_by_one, &whole);
        ck_same(&one_by_one, &some);
        ws_meter_free(&one_by_one);
        ws_meter_free(&whole);
        ws_meter_free(&some);
    }
}
END_TEST

/* Without a window that cuts one, the intervals of a counter that only rises hold what it rose, exactly. */
START_TEST(the_integral_is_the_exact_rise)
{
    static trace x;
    state = 77;
    for (int i = 0; i < TRACES; i++) {
        x.n = 2 + draw(SAMPLES - 2);
        int64_t microjoules = (int64_t)draw(100000000), first = microjoules;
        for (size_t k = 0; k < x.n; k++) {
            x.t_ns[k] = (int64_t)k * 100000000 + (int64_t)draw(30000000);
            x.value[k] = (double)(microjoules += (int64_t)draw(20000000)) / 1e6;
            first = k ? first : microjoules;
        }
        ws_meter meter = push(&x, WS_RULE_COUNTER, &(ws_meter_options){0}, 1 + draw(x.n));
        ws_total all = {0}, wanted = {0};
        for (size_t b = 0; b < meter.n_buckets; b++)
            ws_total_merge(&all, &meter.buckets[b].integral);
        ws_total_add_parts(&wanted, microjoules - first, 2000000000);
        ck_assert(same_total(&all, &wanted, WS_PARTS));
        ws_meter_free(&meter);
    }
}
END_TEST

/* Gaps are left out by their length: 100 W for 1 s steps, and 7 kJ in a step of 40 s. */
START_TEST(what_a_gap_holds_is_known)
{
    static trace x;
    x = (trace){.n = 101};
    for (size_t i = 0; i < x.n; i++) {
        x.t_ns[i] = (int64_t)(i + (i > 50 ? 39 : 0)) * 1000000000;
        x.value[i] = 1000 + 100 * (double)i + (i > 50 ? 6900 : 0);
    }
    ws_channel_summary r;
    ws_meter meter = push(&x, WS_RULE_COUNTER, &(ws_meter_options){.gaps = WS_GAPS_EXCLUDE}, x.n);
    ws_meter_read(&meter, &r);
    ck_assert(r.energy_j == 9900 && r.duration_s == 99 && r.long_gap_s == 40);
    ws_meter_free(&meter);
}
END_TEST

static void measure_in(ws_measure *m, const trace *x, size_t piece)
{
    int id;
    ws_measure_init(m, &(ws_measure_options){0});
    ws_measure_begin(m, "a.csv", "");
    ws_sink sink = ws_measure_sink(m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    for (size_t i = 0; i < x->n; i += piece) {
        ws_block block = {x->n - i < piece ? x->n - i : piece, x->t_ns + i, x->value + i, NULL, x->line + i};
        ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
    }
}

static void ck_same_filters(const ws_metered_channel *a, const ws_metered_channel *b)
{
    ck_assert(a->glitch.has_last == b->glitch.has_last && a->glitch.n == b->glitch.n);
    ck_assert(a->glitch.last_value == b->glitch.last_value && a->glitch.pace_w == b->glitch.pace_w);
    ck_assert(a->glitch.last_t == b->glitch.last_t && a->glitch.moved_ns == b->glitch.moved_ns);
    ck_assert(a->glitch.seen.count == b->glitch.seen.count && a->glitch.seen.line == b->glitch.seen.line);
    ck_assert(a->limits.has_last == b->limits.has_last && a->limits.last_t == b->limits.last_t);
    ck_assert(a->limits.last_value == b->limits.last_value && a->limits.odd.most_w == b->limits.odd.most_w);
    ck_assert(a->limits.odd.seen.count == b->limits.odd.seen.count);
    ck_assert(a->limits.odd.seen.line == b->limits.odd.seen.line);
    ck_assert(a->limits.impossible.count == b->limits.impossible.count);
}

START_TEST(filters_take_blocks_as_they_take_readings)
{
    static trace x;
    state = 5;
    for (int i = 0; i < 6 * TRACES; i++) {
        ws_measure one_by_one, blocks;
        make_counter(&x);
        measure_in(&one_by_one, &x, 1);
        measure_in(&blocks, &x, 1 + draw(draw(2) ? 300 : 10));
        ck_same_filters(&one_by_one.channels[0], &blocks.channels[0]);
        ws_measure_flush(&one_by_one);
        ws_measure_flush(&blocks);
        ck_same(&one_by_one.channels[0].meter, &blocks.channels[0].meter);
        ws_measure_free(&one_by_one);
        ws_measure_free(&blocks);
    }
}
END_TEST

TEST_MAIN("counter batch", a_meter_takes_blocks_as_it_takes_readings, the_integral_is_the_exact_rise,
          what_a_gap_holds_is_known, filters_take_blocks_as_they_take_readings)
