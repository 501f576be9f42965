/* The uncertainty budget of traces whose components can be computed by hand. */
#include "harness.h"

#include "analyze/measure/measure.h"
#include "analyze/measure/uncertainty.h"

#include <math.h>
#include <string.h>

#define S INT64_C(1000000000)
enum { MOST = 4000 };

static ws_measure measure;
static double value[MOST], limit[MOST];
static int64_t t_ns[MOST];

static void begin(const ws_measure_options *options)
{
    ws_measure_init(&measure, options);
    ws_measure_begin(&measure, "a.csv", "");
}

static void push(const char *device, ws_domain domain, ws_quantity quantity, const double *of, size_t n)
{
    static const ws_rule rules[WS_QUANTITY_N] = {[WS_POWER] = WS_RULE_TRAPEZOID, [WS_ENERGY_COUNTER] = WS_RULE_COUNTER};
    ws_channel channel = {.device = device,
                          .column = ws_quantity_name(quantity),
                          .domain = domain,
                          .quantity = quantity,
                          .rule = rules[quantity],
                          .time = WS_TIME_UTC};
    ws_sink sink = ws_measure_sink(&measure);
    int id = -1;
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){.n = n, .t_ns = t_ns, .value = of}, NULL), WS_OK);
}

static ws_channel_summary summary;

static ws_budget finish(size_t device)
{
    ws_measure_finish(&measure, NULL);
    ck_assert_uint_lt(device, measure.n_devices);
    summary = measure.devices[device].energy->summary;
    return measure.devices[device].energy->budget;
}

static void ck_bound(const ws_budget *b, ws_component component, double lo_j, double hi_j)
{
    ck_close(b->of[component].lo_j, lo_j, 1e-12, 1e-9);
    ck_close(b->of[component].hi_j, hi_j, 1e-12, 1e-9);
}

/* 101 readings of 200 W, a second apart. */
static void make_steady(void)
{
    for (int i = 0; i <= 100; i++)
        t_ns[i] = i * S, value[i] = 200;
}

/* Without a window the run may go on for an interval at both ends. The sensor's gain is known to 5 %. */
START_TEST(a_steady_power_has_a_sensor_and_edges)
{
    make_steady();
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    ws_budget b = finish(0);
    ck_assert_double_eq(b.of[WS_COMPONENT_SAMPLING].u_j, 0);
    ck_close(b.of[WS_COMPONENT_SENSOR].u_j, 0.05 * 20000, 1e-12, 0);
    ck_bound(&b, WS_COMPONENT_EDGES, 0, 2 * 200);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 0);
    ck_bound(&b, WS_COMPONENT_CLOCK, 0, 0);
    ck_bound(&b, WS_COMPONENT_COUNTER, 0, 0);
    ck_close(summary.energy_lo_j, 20000 - 1.959963984540054 * 1000, 1e-12, 0);
    ck_close(summary.energy_hi_j, 20000 + 400 + 1.959963984540054 * 1000, 1e-12, 0);
    ws_measure_free(&measure);
}
END_TEST

/* 50 s of silence at 200 W. The card may have drawn nothing (the clock was set), 200 W, or what it can: 700 W, or its
 * own limit where it says one. */
START_TEST(a_gap_holds_what_the_device_can_draw)
{
    for (int with_limit = 0; with_limit < 2; with_limit++) {
        make_steady();
        for (int i = 51; i <= 100; i++)
            t_ns[i] += 49 * S;
        for (int i = 0; i <= 100; i++)
            limit[i] = 300;
        begin(&(ws_measure_options){0});
        push("gpu0", WS_GPU, WS_POWER, value, 101);
        if (with_limit)
            push("gpu0", WS_GPU, WS_POWER_LIMIT, limit, 101);
        ws_budget b = finish(0);
        ck_assert_double_eq(summary.energy_j, 149 * 200);
        ck_bound(&b, WS_COMPONENT_GAPS, 0, 50 * ((with_limit ? 300 : 700) - 200));
        ck_bound(&b, WS_COMPONENT_CLOCK, -50 * 200, 0);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Between readings of 100 and 200 W the power may go 1.75 times as far up and down as they do. */
START_TEST(a_power_goes_further_than_its_readings)
{
    for (int i = 0; i <= 100; i++)
        t_ns[i] = i * S / 10, value[i] = i % 9 < 4 ? 100 : i % 2 ? 200 : 150;
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    ws_budget b = finish(0);
    const ws_metered_channel *c = measure.devices[0].energy;
    ws_sampled_power power = {summary.sd, WS_SENSOR_USUAL_LAG_S, 1.75 * 100, false};
    ck_close(b.of[WS_COMPONENT_SAMPLING].u_j, ws_sampling_u_j(&c->watch->sampling, summary.long_ns, &power), 1e-12, 0);
    power.range_w = 1.5 * 100;
    double less_j = ws_sampling_u_j(&c->watch->sampling, summary.long_ns, &power);
    ck_assert_double_gt(b.of[WS_COMPONENT_SAMPLING].u_j, 1.001 * less_j);
    ws_measure_free(&measure);
}
END_TEST

/* An idle card of 12 W is no card of 700 W: thirty times its idle power. Its neighbour's readings count, too. */
START_TEST(a_gap_of_a_small_card)
{
    make_steady();
    for (int i = 0; i <= 100; i++) {
        value[i] = 12;
        t_ns[i] += i > 50 ? 49 * S : 0;
    }
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    ws_budget b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 50 * (360 - 12));
    ws_measure_free(&measure);
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    value[0] = value[1] = 450;
    push("gpu1", WS_GPU, WS_POWER, value, 101);
    b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 50 * (450 - 12));
    ws_measure_free(&measure);
}
END_TEST

/* A window from 10 s before to 20 s after the readings of 100 and 300 W: from 30 x 100 to 30 x 300 J are missing. With
 * the end readings held, what was added is taken off again. */
START_TEST(a_window_leaves_its_edges_open)
{
    for (int hold = 0; hold < 2; hold++) {
        for (int i = 0; i <= 100; i++)
            t_ns[i] = i * S, value[i] = i < 40 ? 300 : 100;
        ws_measure_options options = {
            .meter = {.has_window = true, .window_start_ns = -10 * S, .window_end_ns = 120 * S}};
        options.meter.edges = hold ? WS_EDGES_HOLD : WS_EDGES_INSIDE;
        begin(&options);
        push("gpu0", WS_GPU, WS_POWER, value, 101);
        ws_budget b = finish(0);
        double held = hold ? 10 * 300 + 20 * 100 : 0;
        ck_bound(&b, WS_COMPONENT_EDGES, 30 * 100 - held, 30 * 300 - held);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Steps of the clock by X s: forward, what is counted is X s too long; back, the interval of the step is lost. The
 * interval has to hold the energy of 100 s at 200 W whatever X is. */
START_TEST(steps_of_the_clock_are_inside)
{
    static const double steps_s[] = {-3600, -300, -30, -8, -2, 2, 3, 5, 8, 30, 300, 3600};
    for (size_t k = 0; k < sizeof steps_s / sizeof *steps_s; k++) {
        for (int i = 0; i <= 400; i++) {
            t_ns[i] = i * S + (i > 150 ? (int64_t)(steps_s[k] * 1e9) : 0);
            value[i] = 200;
        }
        begin(&(ws_measure_options){.back_steps = WS_BACK_KEEP});
        push("gpu0", WS_GPU, WS_POWER, value, 401);
        ws_budget b = finish(0);
        double bounds_lo = 0, bounds_hi = 0;
        for (int c = WS_COMPONENT_GAPS; c < WS_COMPONENT_N; c++)
            bounds_lo += b.of[c].lo_j, bounds_hi += b.of[c].hi_j;
        ck_assert_msg(summary.energy_j + bounds_lo <= 80000, "%g s: %g", steps_s[k], summary.energy_j + bounds_lo);
        ck_assert_msg(summary.energy_j + bounds_hi >= 80000, "%g s: %g", steps_s[k], summary.energy_j + bounds_hi);
        ws_measure_free(&measure);
    }
}
END_TEST

/* Counters know what lies between two readings: nothing but the sensor and an interval at either end is open. */
/* 200 W; the clock goes back by 40 s after a minute, and the readings of 39 s that come again are left out: the upper
 * bound holds them. */
START_TEST(readings_that_are_left_out_are_inside)
{
    make_steady();
    for (int i = 60; i <= 100; i++)
        t_ns[i] = (i - 40) * S;
    begin(&(ws_measure_options){.back_steps = WS_BACK_DROP});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    ws_budget b = finish(0);
    ck_assert_double_eq(summary.energy_j, 200 * 60);
    ck_bound(&b, WS_COMPONENT_CLOCK, 0, 200 * 39);
    ck_assert_double_ge(summary.energy_hi_j, 200 * 100);
}
END_TEST

START_TEST(a_counter_has_no_sampling)
{
    for (int i = 0; i <= 100; i++)
        t_ns[i] = i * S + (i > 50 ? 500 * S : 0), value[i] = 5000 + 200 * i + (i > 50 ? 500 * 150 : 0);
    begin(&(ws_measure_options){0});
    push("cpu0", WS_CPU, WS_ENERGY_COUNTER, value, 101);
    ws_budget b = finish(0);
    ck_assert_double_eq(summary.energy_j, 100 * 200 + 500 * 150);
    ck_assert_double_eq(b.of[WS_COMPONENT_SAMPLING].u_j, 0);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 0);
    ck_bound(&b, WS_COMPONENT_CLOCK, 0, 0);
    ck_bound(&b, WS_COMPONENT_EDGES, 0, 2 * 200);
    ws_measure_free(&measure);
}
END_TEST

/* Independent components of n devices grow with the root of n, the common gain of their sensors with n, and that of
 * another domain is of another kind. */
START_TEST(sums_of_devices)
{
    ws_totals totals;
    begin(&(ws_measure_options){0});
    for (int i = 0; i <= 100; i++)
        t_ns[i] = i * S, value[i] = i % 7 ? 200 : 300;
    value[100] = 300;
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    push("gpu1", WS_GPU, WS_POWER, value, 101);
    push("gpu2", WS_GPU, WS_POWER, value, 101);
    push("gpu3", WS_GPU, WS_POWER, value, 101);
    push("cpu0", WS_CPU, WS_POWER, value, 101);
    ws_budget one = finish(0);
    ws_measure_totals(&measure, &(ws_device_filter){0}, &totals);
    const ws_budget *gpus = &totals.domain[WS_GPU].budget, *all = &totals.all.budget;
    double u_j = one.of[WS_COMPONENT_SAMPLING].u_j, gain_j = one.of[WS_COMPONENT_SENSOR].u_j;
    ck_assert_double_gt(u_j, 0);
    ck_close(gpus->of[WS_COMPONENT_SAMPLING].u_j, 2 * u_j, 1e-12, 0);
    ck_close(gpus->of[WS_COMPONENT_SENSOR].u_j, 4 * gain_j, 1e-12, 0);
    ck_close(all->of[WS_COMPONENT_SAMPLING].u_j, sqrt(5) * u_j, 1e-12, 0);
    ck_close(all->of[WS_COMPONENT_SENSOR].u_j, sqrt(17) * gain_j, 1e-12, 0);
    ck_bound(all, WS_COMPONENT_EDGES, 0, 5 * 2 * 300);
    ws_measure_free(&measure);
}
END_TEST

/* The interval holds the energy, and no power below zero. */
START_TEST(intervals_are_ordered)
{
    ws_budget b = {.of = {[WS_COMPONENT_EDGES] = {0, 50, 80}, [WS_COMPONENT_GAPS] = {0, -300, 10}}};
    double lo_j, hi_j;
    ws_budget_interval(&b, 100, &lo_j, &hi_j);
    ck_assert_double_eq(lo_j, 0);
    ck_assert_double_eq(hi_j, 190);
    ws_budget_interval_of(&b, WS_COMPONENT_EDGES, 100, &lo_j, &hi_j);
    ck_assert_double_eq(lo_j, 150);
    ck_assert_double_eq(hi_j, 180);
    b.of[WS_COMPONENT_GAPS].lo_j = 0;
    ws_budget_interval(&b, 100, &lo_j, &hi_j);
    ck_assert_double_eq(lo_j, 100); /* 150 J and more by its edges, and 100 J were measured */
    ws_budget_interval(&b, -100, &lo_j, &hi_j);
    ck_assert_double_eq(lo_j, -100);
    ws_budget_interval(&b, NAN, &lo_j, &hi_j);
    ck_assert_double_nan(lo_j);
    ck_assert_double_nan(hi_j);
    ws_budget_scale(&b, 3);
    ck_bound(&b, WS_COMPONENT_EDGES, 150, 240);
}
END_TEST

/* 40 of 100 s at a standstill, in 41 readings of 150.5 W; the others are 200 W and 210 W in turn. The card may have
 * drawn 150.5 W, its lowest reading, up to its limit of 300 W. */
START_TEST(a_power_that_stands_still_holds_what_the_device_can_draw)
{
    make_steady();
    for (int i = 0; i <= 100; i++) {
        value[i] = i >= 30 && i <= 70 ? 150.5 : 200 + 10 * (i % 2);
        limit[i] = 300;
    }
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    push("gpu0", WS_GPU, WS_POWER_LIMIT, limit, 101);
    ws_budget b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 40 * (300 - 150.5));
    ws_measure_free(&measure);
    for (int i = 30; i <= 70; i++)
        value[i] = 250.5; /* above the lowest of 200 W by 50.5 W */
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    push("gpu0", WS_GPU, WS_POWER_LIMIT, limit, 101);
    b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, -40 * 50.5, 40 * (300 - 250.5));
    ws_measure_free(&measure);
}
END_TEST

/* Three reads that failed and are stored as 0 W, in a card of 200 W and a limit of 300 W: 3 s of what it can draw. */
START_TEST(failed_reads_hold_what_the_device_can_draw)
{
    make_steady();
    for (int i = 0; i <= 100; i++)
        limit[i] = 300;
    value[20] = value[40] = value[60] = 0;
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    push("gpu0", WS_GPU, WS_POWER_LIMIT, limit, 101);
    ws_budget b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 3 * 300);
    ws_measure_free(&measure);
}
END_TEST

/* The same of three readings of 1.2 W that stand alone. */
START_TEST(low_readings_hold_what_the_device_can_draw)
{
    make_steady();
    for (int i = 0; i <= 100; i++) {
        value[i] = 200 + 10 * (i % 2);
        limit[i] = 300;
    }
    value[20] = value[40] = value[60] = 1.2;
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    push("gpu0", WS_GPU, WS_POWER_LIMIT, limit, 101);
    ws_budget b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 3 * 300);
    ws_measure_free(&measure);
}
END_TEST

/* A counter of 100 W that leaps by 20 kJ in a second, which no package draws, and goes on: it may not have leapt. */
START_TEST(a_leap_of_a_counter_may_be_none)
{
    make_steady();
    for (int i = 0; i <= 100; i++)
        value[i] = 1000 + 100 * i + (i > 50 ? 20000 : 0);
    begin(&(ws_measure_options){0});
    push("cpu0", WS_CPU, WS_ENERGY_COUNTER, value, 101);
    ws_budget b = finish(0);
    ck_assert_double_eq(summary.energy_j, 30000);
    ck_bound(&b, WS_COMPONENT_COUNTER, -20100, 0);
    ws_measure_free(&measure);
}
END_TEST

/* A counter that stands still from 50 s on: 50 s of 500 W, which most packages draw at most. */
START_TEST(a_counter_that_stands_still_hides_what_the_device_can_draw)
{
    make_steady();
    for (int i = 0; i <= 100; i++)
        value[i] = 1000 + 100 * fmin(i, 50);
    begin(&(ws_measure_options){0});
    push("cpu0", WS_CPU, WS_ENERGY_COUNTER, value, 101);
    ws_budget b = finish(0);
    ck_bound(&b, WS_COMPONENT_COUNTER, 0, 50 * 500);
    ws_measure_free(&measure);
}
END_TEST

/* 100 W of a plug that counts by 400 J, or by 100 J at each reading, whose time bounds it. */
START_TEST(a_coarse_counter_is_known_to_a_count)
{
    for (int count = 1; count <= 4; count += 3) {
        make_steady();
        for (int i = 0; i <= 100; i++)
            value[i] = 4400000 + 100 * count * (i / count);
        begin(&(ws_measure_options){0});
        push("wall", WS_WALL, WS_ENERGY_COUNTER, value, 101);
        ws_budget b = finish(0);
        double open_j = count > 1 ? 400 : 0;
        ck_bound(&b, WS_COMPONENT_COUNTER, -open_j, open_j);
        ws_measure_free(&measure);
    }
}
END_TEST

/* One of two GPUs, of 200 W, then 300 W, then 200 W, ends after 50 s of 100 s: in the rest of the time it may have gone
 * on between its lowest and its highest reading. The other one has edges of two intervals alone. */
START_TEST(a_device_that_others_outlast_may_have_gone_on)
{
    make_steady();
    for (int i = 0; i <= 100; i++)
        value[i] = i == 20 ? 300 : 200 + 0.01 * (i % 2);
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    push("gpu1", WS_GPU, WS_POWER, value, 51);
    ws_budget b = finish(1);
    ck_bound(&b, WS_COMPONENT_EDGES, 50 * 200, 50 * 300 + 2 * 300);
    ck_assert_str_eq(ws_energy_status_name(summary.status), "short-trace");
    ck_assert_double_gt(summary.energy_hi_j, 10050 + 15000);
    ws_totals totals;
    ws_measure_totals(&measure, &(ws_device_filter){0}, &totals);
    ck_bound(&totals.all.budget, WS_COMPONENT_EDGES, 50 * 200, 50 * 300 + 4 * 300);
    ws_measure_free(&measure);
}
END_TEST

/* The clock of another node of the run is set forward by 300 s: the first one may have missed these 300 s, or nothing.
 */
START_TEST(a_step_of_another_clock_may_have_been_no_time)
{
    make_steady();
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    for (int i = 51; i <= 100; i++)
        t_ns[i] += 300 * S;
    ws_measure_begin(&measure, "b.csv", "n2");
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    finish(0);
    ws_totals totals;
    ws_measure_totals(&measure, &(ws_device_filter){.run = ""}, &totals);
    ck_bound(&totals.all.budget, WS_COMPONENT_EDGES, 0, 300 * 200 + 4 * 200);
    ws_measure_free(&measure);
}
END_TEST

/* A power that never moves from 200.5 W tells nothing: from nothing to the 700 W of a card. */
START_TEST(a_power_that_never_moves_tells_nothing)
{
    make_steady();
    for (int i = 0; i <= 100; i++)
        value[i] = 200.5;
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    ws_budget b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, -20050, 100 * (700 - 200.5));
    ws_measure_free(&measure);
}
END_TEST

/* A reading of 10 kW may add nothing of its 10 kJ; one of -60 W may have been the mean of 200 W less 260 W / 100. */
START_TEST(readings_that_no_device_has_may_be_any)
{
    make_steady();
    value[50] = 10000;
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    ws_budget b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, -10000, 0);
    ws_measure_free(&measure);
    value[50] = -60;
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    b = finish(0);
    ck_bound(&b, WS_COMPONENT_GAPS, 0, 60 + 197.4);
    ws_measure_free(&measure);
}
END_TEST

/* 0.2 W in all readings of a GPU that is in use may be kW: 999 times the energy, with what its sensor may be off. */
START_TEST(kilowatts_are_inside)
{
    make_steady();
    for (int i = 0; i <= 100; i++)
        value[i] = 0.1 + 0.2 * (i % 2);
    begin(&(ws_measure_options){0});
    push("gpu0", WS_GPU, WS_POWER, value, 101);
    ws_budget b = finish(0);
    ck_assert_double_gt(summary.energy_hi_j, 20000 * (1 + 1.96 * 0.05));
    ck_assert_double_gt(b.of[WS_COMPONENT_GAPS].hi_j, 19980);
    ws_measure_free(&measure);
}
END_TEST

TEST_MAIN("uncertainty", a_power_goes_further_than_its_readings, a_device_that_others_outlast_may_have_gone_on,
          a_power_that_never_moves_tells_nothing, a_step_of_another_clock_may_have_been_no_time,
          readings_that_no_device_has_may_be_any, kilowatts_are_inside, a_steady_power_has_a_sensor_and_edges,
          a_gap_holds_what_the_device_can_draw, a_gap_of_a_small_card, a_window_leaves_its_edges_open,
          steps_of_the_clock_are_inside, readings_that_are_left_out_are_inside, a_counter_has_no_sampling,
          sums_of_devices, intervals_are_ordered, a_power_that_stands_still_holds_what_the_device_can_draw,
          failed_reads_hold_what_the_device_can_draw, low_readings_hold_what_the_device_can_draw,
          a_leap_of_a_counter_may_be_none, a_counter_that_stands_still_hides_what_the_device_can_draw,
          a_coarse_counter_is_known_to_a_count)
