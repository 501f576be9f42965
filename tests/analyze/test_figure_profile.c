/* The profile of a trace, against constant powers. */
#include "harness.h"

#include "analyze/recipes/figure_recipe.h"

#include <string.h>

/* Two devices of one run, one of another: the mean is over the first two. */
START_TEST(profile_of_one_device_and_the_mean)
{
    ws_profiles profiles = {0};
    ws_sink sink = ws_profiles_sink(&profiles);
    ws_profiles_begin(&profiles, "a.csv", "");
    enum { SAMPLES = 400 };
    int64_t t[SAMPLES];
    double value[SAMPLES];
    for (int d = 0; d < 3; d++) {
        ws_channel channel = {.run = d == 2 ? "other" : "",
                              .device = d == 1 ? "gpu1" : "gpu0",
                              .domain = WS_GPU,
                              .quantity = WS_POWER,
                              .time = WS_TIME_RELATIVE};
        int id;
        for (int i = 0; i < SAMPLES; i++) {
            t[i] = (int64_t)i * 1000000000;
            value[i] = 100 * (d + 1);
        }
        ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
        ws_block block = {.n = SAMPLES, .t_ns = t, .value = value};
        ck_assert_int_eq(sink.block(sink.state, id, &block, NULL), WS_OK);
    }
    ws_figure f;
    ws_figure_input input = {.profiles = &profiles, .device = "gpu1", .domain = WS_GPU};
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_trace_profile, &input, &f, NULL), WS_OK);
    const ws_layer *trace = &f.panels[0].layers[0], *mean = &f.panels[0].layers[1];
    ck_assert_uint_eq(trace->n, SAMPLES);
    for (size_t i = 0; i < trace->n; i++)
        ck_assert(trace->x[i] == (double)i && trace->y[i] == 200 && trace->lo[i] == 200 && trace->hi[i] == 200);
    ck_assert_uint_gt(mean->n, 1);
    for (size_t i = 0; i < mean->n; i++)
        ck_assert(mean->y[i] == 150);
    ck_assert_str_eq(mean->label, "Mean of 2 devices");
    ws_figure_free(&f);
    ws_error error = {0};
    input.device = "gpu7";
    ck_assert_int_eq(ws_figure_recipe_make(&ws_figure_trace_profile, &input, &f, &error), WS_DATA);
    ck_assert_str_eq(error.message, "there is no device 'gpu7' with power over time; there are: gpu0 gpu1");
    ws_figure_free(&f);
    ws_profiles_free(&profiles);
}
END_TEST

TEST_MAIN("figure profile", profile_of_one_device_and_the_mean)
