/* Where a counter wraps that states no range, and what it collects while its readings stand still. Numbers are known by
 * hand. */
#include "metering.h"

#include "core/device_limits.h"

enum { N = 200 };

static double t[N], joules[N];
static ws_notes notes;

/* A reading every `poll_s` of a counter that begins at first_j, draws power_w and wraps at range_j. */
static metering make(double first_j, double power_w, double poll_s, double range_j)
{
    for (int i = 0; i < N; i++) {
        t[i] = i * poll_s;
        joules[i] = fmod(first_j + power_w * t[i], range_j);
    }
    ws_notes_free(&notes);
    return (metering){.rule = WS_RULE_COUNTER, .domain = WS_CPU, .n = N, .t_s = t, .value = joules};
}

START_TEST(each_usual_range_is_found)
{
    for (int k = 0; k < WS_RAPL_RANGES; k++) {
        double range_j = ws_rapl_ranges[k];
        metering m = make(range_j - 5000, 100, 1, range_j);
        ws_channel_summary r = meter_notes(&m, &notes);
        ck_close(r.energy_j, 19900, 1e-12, 0);
        ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
        ck_assert_double_eq(r.wrap_range_j, range_j);
        ck_note(&notes, "counter-wrap", 1, 52);
        ck_note(&notes, "assumed-counter-range", 1, 0);
        m.range_j = range_j; /* a range that is stated is not assumed */
        ck_assert_double_eq(meter(&m).wrap_range_j, 0);
        ck_close(meter(&m).energy_j, 19900, 1e-12, 0);
    }
}
END_TEST

/* The last reading below the top is 65512.6 J, under both of the small ranges: 65600 J in the round before say which.
 */
START_TEST(all_readings_lie_below_the_range)
{
    metering m = make(ws_rapl_ranges[1] - 100, 200, 1, ws_rapl_ranges[1]);
    joules[0] = 1000; /* a second round */
    for (int i = 0; i < N; i++)
        t[i] = i, joules[i] = i < 100 ? 65312.999613 - 200 * (99 - i) : 199.386374 + 200 * (i - 100);
    ck_close(meter(&m).energy_j, 99 * 200 + ws_rapl_ranges[0] - 65312.999613 + 199.386374 + 99 * 200, 1e-12, 0);
    /* The next usual range lies a three hundredth above, of which no reading tells it: the wrap may be one of that. */
    ck_close(meter(&m).wider_range_j, ws_rapl_ranges[1] - ws_rapl_ranges[0], 1e-12, 0);
    joules[N - 1] = 65600; /* a leap that shows it */
    ck_assert_double_eq(meter(&m).wrap_range_j, ws_rapl_ranges[1]);
    ck_assert_double_eq(meter(&m).wider_range_j, 0); /* the next one is four times as wide */
}
END_TEST

/* 100 W, a poll a minute: 0.049 and 0.051 of the range below its top. */
START_TEST(both_ends_of_near)
{
    static const double below[] = {0.049, 0.051};
    for (int k = 0; k < 2; k++) {
        double range_j = ws_rapl_ranges[0];
        metering m = make(range_j * (1 - below[k]) - 10 * 6000, 100, 60, range_j);
        m.n = 15;
        ws_channel_summary r = meter(&m);
        ck_assert_str_eq(ws_energy_status_name(r.status), k ? "counter-reset" : "ok");
        ck_assert_double_eq(r.wrap_range_j, k ? 0 : range_j);
    }
}
END_TEST

/* Counters of cards do not wrap, nor one that a tool starts at zero. */
START_TEST(other_counters_have_no_usual_range)
{
    metering m = make(ws_rapl_ranges[2] - 5000, 100, 1, ws_rapl_ranges[2]);
    m.domain = WS_GPU;
    ck_assert_double_eq(meter(&m).wrap_range_j, 0);
    ck_assert_str_eq(ws_energy_status_name(meter(&m).status), "counter-reset");
    for (int i = 0; i < N; i++)
        joules[i] = i < 100 ? ws_rapl_ranges[2] / 99.01 * i : 10 + 100 * (i - 100);
    m.domain = WS_CPU;
    ck_assert_double_eq(meter(&m).wrap_range_j, 0);
    ck_assert_str_eq(ws_energy_status_name(meter(&m).status), "counter-reset");
}
END_TEST

/* 100 W. The readings are old ones for 50 s, in which the counter wraps, or for 50 s before a step of 5 kJ in a second.
 */
START_TEST(a_step_holds_what_was_collected_since_the_counter_moved)
{
    for (int wraps = 0; wraps < 2; wraps++) {
        double range_j = ws_rapl_ranges[2];
        metering m = make(range_j - (wraps ? 8000 : 150000), 100, 1, range_j);
        for (int i = 50; i < 100; i++)
            joules[i] = joules[49];
        m.range_j = range_j;
        ws_channel_summary r = meter_notes(&m, &notes);
        ck_close(r.energy_j, 19900, 1e-12, 0);
        ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
        ck_assert_double_eq(r.most_w, 100);
        ck_assert(!note_named(&notes, "counter-wrap") == !wraps);
    }
}
END_TEST

/* 700 W for 94 s are a round of 65,533 J, which nobody sees while the readings stand still; 93 s are none. */
START_TEST(rounds_hide_behind_old_readings)
{
    for (int still_s = 93; still_s <= 94; still_s++) {
        for (int stated = 0; stated < 2; stated++) {
            metering m = make(1000, 100, 1, ws_rapl_ranges[0]);
            m.range_j = stated ? ws_rapl_ranges[0] : 0;
            for (int i = 50; i < 49 + still_s; i++)
                joules[i] = joules[49];
            ws_channel_summary r = meter_notes(&m, &notes);
            ck_assert_uint_eq(r.hidden_rounds, still_s == 94);
            ck_assert_str_eq(ws_energy_status_name(r.status), still_s == 94 ? "counter-gap" : "ok");
            ck_assert_double_eq(r.hidden_j, still_s == 94 ? ws_rapl_ranges[0] : 0);
        }
    }
}
END_TEST

/* 50 W, of a card. It falls to 995 J in a second: it began again. To 1005 J, more than 1 kW: it was set. */
START_TEST(both_ends_of_a_counter_that_was_set)
{
    static const double set_j[] = {995, 1005};
    for (int k = 0; k < 2; k++) {
        metering m = make(1e6, 50, 1, 1e9);
        m.domain = WS_GPU;
        for (int i = 100; i < N; i++)
            joules[i] = set_j[k] + 50 * (i - 100);
        ck_close(meter(&m).energy_j, 99 * 50 + (k ? 0 : 995) + 99 * 50, 1e-12, 0);
        ck_assert_str_eq(ws_energy_status_name(meter(&m).status), "counter-reset");
    }
}
END_TEST

TEST_MAIN("counter_ranges", each_usual_range_is_found, all_readings_lie_below_the_range, both_ends_of_near,
          other_counters_have_no_usual_range, a_step_holds_what_was_collected_since_the_counter_moved,
          rounds_hide_behind_old_readings, both_ends_of_a_counter_that_was_set)
