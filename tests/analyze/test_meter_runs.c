#include "random_trace.h"

#include <math.h>

START_TEST(blocks_give_the_bits_of_single_samples)
{
    static trace x;
    static const ws_rule rules[] = {WS_RULE_TRAPEZOID, WS_RULE_NONE,     WS_RULE_PERUN,     WS_RULE_MEAN_TIMES_TIME,
                                    WS_RULE_COUNTER,   WS_RULE_INTERVAL, WS_RULE_RECTANGLE, WS_RULE_GIVEN};
    state = 20260314;
    for (int i = 0; i < TRACES; i++) {
        make(&x);
        ws_meter_options options = {.has_window = draw(3) == 0};
        options.window_start_ns = x.t_ns[draw(x.n)];
        options.window_end_ns = options.window_start_ns + (int64_t)draw(60) * 1000000000 + 1;
        ws_rule rule = rules[draw(sizeof rules / sizeof *rules)];
        ws_meter single = push(&x, rule, &options, 1), blocks = push(&x, rule, &options, 1 + draw(400));
        ck_same(&single, &blocks);
        ws_meter_free(&single);
        ws_meter_free(&blocks);
    }
}
END_TEST

/* Steps around every length at which they are summed in another way, and readings as large as a batch holds, of both
 * signs. */
START_TEST(steady_blocks_give_the_bits_of_single_samples)
{
    static trace x = {.n = 300};
    static const double units[] = {1e-6, 0x1p-20, 0.01, 1};
    state = 20260315;
    for (int places = 0; places < 42; places++)
        for (int quarter = 4; quarter < 8; quarter++) {
            int64_t t = 0, step = (INT64_C(1) << places) * quarter / 4;
            int64_t spread = places < 34 ? 1 + (int64_t)draw(3) : 1;
            double unit = units[draw(4)];
            for (size_t i = 0; i < x.n; i++) {
                int64_t off = (int64_t)draw((uint32_t)(2 * spread + 1)) - spread;
                t += step + off > 0 ? step + off : 1;
                x.t_ns[i] = t;
                int64_t size = draw(2) ? (1 << 29) - 1 - (int64_t)draw(3) : (int64_t)draw(1 << 29);
                x.value[i] = (double)(draw(2) ? size : -size) * unit;
            }
            ws_meter_options options = {.has_window = false};
            ws_meter single = push(&x, WS_RULE_TRAPEZOID, &options, 1);
            ws_meter blocks = push(&x, WS_RULE_TRAPEZOID, &options, 64 + draw(240));
            ck_same(&single, &blocks);
            ws_meter_free(&single);
            ws_meter_free(&blocks);
        }
}
END_TEST

/* From 2^40 millionths on, hundredths are the doubles that they are. */
START_TEST(blocks_know_the_largest_decimal)
{
    static trace x = {.n = 200};
    for (size_t i = 0; i < x.n; i++) {
        x.t_ns[i] = (int64_t)i * 1000000000;
        x.value[i] = 1099500 + (double)i + (double)(i * 37 % 100) / 100;
    }
    ws_meter_options options = {.has_window = false};
    ws_meter single = push(&x, WS_RULE_NONE, &options, 1), blocks = push(&x, WS_RULE_NONE, &options, 64);
    ck_assert(x.value[0] * 1e6 < WS_MOST_PARTS && x.value[x.n - 1] * 1e6 > WS_MOST_PARTS);
    ck_same(&single, &blocks);
    ws_meter_free(&single);
    ws_meter_free(&blocks);
}
END_TEST

/* 1, 2, 3, 4 weigh alike whatever the time between them: mean 2.5, variance (2.25 + 0.25 + 0.25 + 2.25) / 3. */
START_TEST(plain_mean_and_spread_count_every_reading_alike)
{
    static trace x = {.n = 4, .t_ns = {0, 10, 20, 1000000000}, .value = {1, 2, 3, 4}};
    ws_meter meter = push(&x, WS_RULE_NONE, &(ws_meter_options){.has_window = false}, 4);
    ws_channel_summary summary;
    ws_meter_read(&meter, &summary);
    ck_assert(summary.plain_mean == 2.5);
    ck_close(summary.plain_sd, sqrt(5.0 / 3), 1e-15, 0);
    ws_meter_free(&meter);
}
END_TEST

TEST_MAIN("meter runs", blocks_give_the_bits_of_single_samples, steady_blocks_give_the_bits_of_single_samples,
          blocks_know_the_largest_decimal, plain_mean_and_spread_count_every_reading_alike)
