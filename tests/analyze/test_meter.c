#include "metering.h"

#include <string.h>

static const double SECONDS[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

START_TEST(constant_power)
{
    const double watts[] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 11, .t_s = SECONDS, .value = watts});
    ck_assert_double_eq(r.energy_j, 1000); /* 100 W x 10 s */
    ck_assert_double_eq(r.bound_lo_j, 1000);
    ck_assert_double_eq(r.bound_hi_j, 1000);
    ck_assert_double_eq(r.duration_s, 10);
    ck_assert_double_eq(r.mean, 100);
    ck_assert_double_eq(r.min, 100);
    ck_assert_double_eq(r.max, 100);
    ck_assert_double_eq(r.sd, 0);
    ck_assert_double_eq(r.max_gap_s, 1);
    ck_assert_double_eq(r.coverage, 1);
    ck_assert_uint_eq(r.samples, 11);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    ck_assert(r.has_start && r.start_ns == 0);
}
END_TEST

/* P = 10 t: the trapezoid of a line is exact whatever the steps, 5 t^2 = 500 J, mean 50 W. */
START_TEST(ramp_in_uneven_steps)
{
    const double t[] = {0, 1, 4, 4.5, 10}, watts[] = {0, 10, 40, 45, 100};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 5, .t_s = t, .value = watts});
    ck_assert_double_eq(r.energy_j, 500);
    ck_assert_double_eq(r.mean, 50);
    ck_assert_double_eq(r.min, 0);
    ck_assert_double_eq(r.max, 100);
    ck_assert_double_eq(r.max_gap_s, 5.5);
}
END_TEST

START_TEST(uneven_steps)
{
    const double t[] = {0, 1, 3}, watts[] = {100, 200, 400};
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 3, .t_s = t, .value = watts};
    ck_assert_double_eq(meter(&m).energy_j, 750); /* 150 x 1 + 300 x 2 */
    m.rule = WS_RULE_RECTANGLE;
    ck_assert_double_eq(meter(&m).energy_j, 1000); /* 200 x 1 + 400 x 2, each holds for the interval that ends at it */
    ck_assert_double_eq(meter(&m).duration_s, 3);
    m.rule = WS_RULE_MEAN_TIMES_TIME;
    ck_assert_double_eq(meter(&m).energy_j, 700.0 / 3 * 3);
}
END_TEST

START_TEST(mean_times_time_is_not_time_weighted)
{
    const double t[] = {0, 1, 10}, watts[] = {100, 200, 600};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_MEAN_TIMES_TIME, .n = 3, .t_s = t, .value = watts});
    ck_assert_double_eq(r.energy_j, 3000); /* 300 W x 10 s; the trapezoid is 150 + 3600 */
    ck_assert_double_eq(r.mean, 300);
}
END_TEST

START_TEST(rectangle_with_stated_lengths)
{
    const double t[] = {1, 2, 10}, watts[] = {100, 200, 400}, length[] = {1, 1, 1};
    ws_channel_summary r =
        meter(&(metering){.rule = WS_RULE_RECTANGLE, .n = 3, .t_s = t, .value = watts, .interval_s = length});
    ck_assert_double_eq(r.energy_j, 700); /* each for one second, whatever lies between */
    ck_assert_double_eq(r.duration_s, 3);
    ck_assert_int_eq(r.start_ns, 0); /* the first interval begins before its stamp */
}
END_TEST

START_TEST(one_sample_is_no_energy)
{
    const double t[] = {5}, watts[] = {250};
    static const ws_rule rules[] = {WS_RULE_TRAPEZOID, WS_RULE_RECTANGLE, WS_RULE_COUNTER, WS_RULE_MEAN_TIMES_TIME};
    for (size_t i = 0; i < COUNT(rules); i++) {
        ws_channel_summary r = meter(&(metering){.rule = rules[i], .n = 1, .t_s = t, .value = watts});
        ck_assert_double_nan(r.energy_j);
        ck_assert_double_nan(r.bound_lo_j);
        ck_assert_str_eq(ws_energy_status_name(r.status), "one-sample");
        ck_assert_double_eq(r.duration_s, 0);
        ck_assert_uint_eq(r.samples, 1);
    }
}
END_TEST

START_TEST(no_sample_is_no_energy)
{
    for (int rule = WS_RULE_COUNTER; rule < WS_RULE_PERUN; rule++) {
        ws_channel_summary r = meter(&(metering){.rule = (ws_rule)rule, .n = 0, .t_s = SECONDS});
        ck_assert_double_nan(r.energy_j);
        ck_assert_double_nan(r.mean);
        ck_assert_double_nan(r.duration_s);
        ck_assert_double_nan(r.min);
        ck_assert_str_eq(ws_energy_status_name(r.status), "no-samples");
    }
}
END_TEST

START_TEST(no_time_is_no_energy)
{
    const double values[] = {100, 200, 600};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 3, .value = values});
    ck_assert_double_nan(r.energy_j);
    ck_assert_double_nan(r.duration_s);
    ck_assert_double_nan(r.coverage);
    ck_assert_double_eq(r.mean, 300); /* of the readings */
    ck_assert_str_eq(ws_energy_status_name(r.status), "no-time");
    ck_assert(!r.has_start);
    r = meter(&(metering){.rule = WS_RULE_INTERVAL, .n = 3, .value = values});
    ck_assert_double_nan(r.mean); /* joules are no mean power */
    ck_assert_str_eq(ws_energy_status_name(r.status), "no-time");
}
END_TEST

START_TEST(repeated_stamps_are_empty)
{
    ws_notes notes = {0};
    const double t[] = {0, 1, 1, 2}, watts[] = {100, 100, 300, 300};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 4, .t_s = t, .value = watts}, &notes);
    ck_assert_double_eq(r.energy_j, 400); /* 100 x 1 + 300 x 1 */
    ck_assert_double_eq(r.duration_s, 2);
    ck_note(&notes, "repeated-stamp", 1, 3);
    ws_notes_free(&notes);
}
END_TEST

/* (100+100)/2 x 0.9 - (100+900)/2 x 0.8 + (900+100)/2 x 0.2 J over 0.3 s: no reading is below 100 W. */
START_TEST(a_mean_that_no_reading_has_is_told)
{
    ws_notes notes = {0};
    const double t[] = {0, 0.9, 0.1, 0.3}, watts[] = {100, 100, 900, 100};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 4, .t_s = t, .value = watts}, &notes);
    ck_assert_double_eq(r.energy_j, -210);
    ck_assert_str_eq(ws_energy_status_name(r.status), "out-of-order");
    ck_note(&notes, "out-of-order", 1, 3);
    ws_notes_free(&notes);
}
END_TEST

/* A stretch that rows out of order tell twice counts once: (100+300)/2 x 2 - (300+200)/2 x 0.5 + (200+400)/2 x 2.5 J.
 */
/* 100 W for 0.9 s, back by 0.2 s of which 104 W are taken back at (100 + 104) / 2 W, then a repeat: the mean is 99.7 W.
 */
START_TEST(a_mean_a_little_below_all_readings_is_told)
{
    ws_notes notes = {0};
    const double t[] = {0, 0.9, 0.7, 0.7}, watts[] = {100, 100, 104, 100};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 4, .t_s = t, .value = watts}, &notes);
    ck_close(r.energy_j, 90 - 102 * 0.2, 1e-14, 0);
    ck_close(r.mean, 69.6 / 0.7, 1e-14, 0);
    ck_assert_str_eq(ws_energy_status_name(r.status), "out-of-order");
    ws_notes_free(&notes);
}
END_TEST

/* 100, 200 and 400 W: the squares about their mean of 700 / 3 come to 140000 / 3, of which one half. */
START_TEST(the_plain_spread_has_one_degree_of_freedom_less)
{
    const double t[] = {0, 1, 2}, watts[] = {100, 200, 400};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 3, .t_s = t, .value = watts});
    ck_close(r.plain_sd, sqrt(140000.0 / 6), 1e-14, 0);
}
END_TEST

/* Two readings of one instant in a window are two, and hold nothing; a clock that goes back by five seconds covers 15 s
 * of ten. */
START_TEST(windows_and_clocks)
{
    const double once[] = {5, 5}, t[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5, 6, 7, 8, 9, 10};
    double watts[17];
    for (int i = 0; i < 17; i++)
        watts[i] = 100;
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 2, .t_s = once, .value = watts, .options = window(0, 10)};
    ck_assert_str_eq(ws_energy_status_name(meter(&m).status), "no-energy");
    m.n = 17;
    m.t_s = t;
    ck_assert_double_eq(meter(&m).duration_s, 15);
    ck_assert_double_eq(meter(&m).coverage, 1);
}
END_TEST

START_TEST(a_small_step_back_counts_once)
{
    ws_notes notes = {0};
    const double t[] = {0, 2, 1.5, 4}, watts[] = {100, 300, 200, 400};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 4, .t_s = t, .value = watts}, &notes);
    ck_assert_double_eq(r.energy_j, 400 - 125 + 750);
    ck_assert_double_eq(r.duration_s, 4);
    ck_assert_double_eq(r.coverage, 1);
    ck_assert_uint_eq(r.long_gaps, 0);
    ck_note(&notes, "clock-step-back", 1, 3);
    ws_notes_free(&notes);
    /* rows from the latest to the earliest hold nothing, and nothing below zero */
    const double down[] = {2, 1.5, 1, 0.5}, same[] = {100, 100, 100, 100};
    r = meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 4, .t_s = down, .value = same}, &notes);
    ck_assert_double_eq(r.energy_j, 0);
    ck_assert_double_eq(r.duration_s, 0);
    ck_assert_str_eq(ws_energy_status_name(r.status), "no-duration");
    ck_note(&notes, "no-duration", 1, 0);
    ws_notes_free(&notes);
}
END_TEST

/* Several readings of one instant hold nothing, over no time, which is told; those of a counter hold what it rose by.
 */
START_TEST(one_instant_holds_nothing)
{
    const double t[] = {1, 1, 1}, watts[] = {100, 200, 300};
    ws_notes notes = {0};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 3, .t_s = t, .value = watts}, &notes);
    ck_assert_double_eq(r.energy_j, 0);
    ck_assert_double_eq(r.duration_s, 0);
    ck_assert_double_nan(r.mean);
    ck_assert_str_eq(ws_energy_status_name(r.status), "no-duration");
    ck_note(&notes, "no-duration", 1, 0);
    ws_notes_free(&notes);
    r = meter(&(metering){.rule = WS_RULE_COUNTER, .n = 3, .t_s = t, .value = watts});
    ck_assert_double_eq(r.energy_j, 200);
    ck_assert_str_eq(ws_energy_status_name(r.status), "no-duration");
}
END_TEST

/* 0 1 2 | 1 2 3: four seconds of 100 W; the step back is nothing. */
START_TEST(a_clock_that_steps_back)
{
    ws_notes notes = {0};
    const double t[] = {0, 1, 2, 1, 2, 3}, watts[] = {100, 100, 100, 100, 100, 100};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 6, .t_s = t, .value = watts}, &notes);
    ck_assert_double_eq(r.energy_j, 400);
    ck_assert_double_eq(r.duration_s, 4);
    ck_note(&notes, "clock-step-back", 1, 4);
    ws_notes_free(&notes);
}
END_TEST

/* Stamps of 1700 and 2190 in turn: more nanoseconds than an int64 holds. */
START_TEST(a_clock_that_jumps_by_centuries)
{
    const double t[] = {-8.5e9, 7e9, -8.5e9, 7e9, 7e9 + 1}, watts[] = {100, 100, 100, 100, 100};
    for (int rule = WS_RULE_COUNTER; rule < WS_RULE_PERUN; rule++) {
        metering m = {.rule = (ws_rule)rule, .n = 5, .t_s = t, .value = watts};
        ck_assert_uint_eq(meter(&m).samples, 5);
        m.options = window(-1e9, 1e9);
        ck_assert_double_eq(meter(&m).coverage <= 2, 1);
    }
}
END_TEST

/* The line from 100 W at 0 s to 400 W at 3 s: 750 J. */
START_TEST(missing_cells_are_bridged)
{
    ws_notes notes = {0};
    const double t[] = {0, 1, 2, 3}, watts[] = {100, NAN, NAN, 400};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 4, .t_s = t, .value = watts}, &notes);
    ck_assert_double_eq(r.energy_j, 750);
    ck_assert_uint_eq(r.samples, 2);
    ck_assert_uint_eq(r.missing, 2);
    ck_assert_double_eq(r.min, 100);
    ck_note(&notes, "missing-cell", 2, 2);
    ws_notes_free(&notes);
}
END_TEST

START_TEST(numbers_beyond_all_sense_are_missing)
{
    const double t[] = {0, 1, 2, 3}, watts[] = {100, INFINITY, -1e300, 100};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 4, .t_s = t, .value = watts});
    ck_assert_double_eq(r.energy_j, 300);
    ck_assert_uint_eq(r.missing, 2);
    ck_assert_double_eq(r.max, 100);
}
END_TEST

START_TEST(zeros_of_a_power_are_readings)
{
    const double t[] = {0, 1, 2}, watts[] = {100, 0, 100};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 3, .t_s = t, .value = watts});
    ck_assert_double_eq(r.energy_j, 100); /* 50 + 50 */
    ck_assert_double_eq(r.min, 0);
    ck_assert_uint_eq(r.missing, 0);
}
END_TEST

START_TEST(interval_energies_with_their_lengths)
{
    const double t[] = {10, 20, 30}, joules[] = {50, 60, 70}, length[] = {10, 10, 10};
    ws_channel_summary r =
        meter(&(metering){.rule = WS_RULE_INTERVAL, .n = 3, .t_s = t, .value = joules, .interval_s = length});
    ck_assert_double_eq(r.energy_j, 180);
    ck_assert_double_eq(r.duration_s, 30);
    ck_assert_double_eq(r.mean, 6); /* 180 J / 30 s */
    ck_assert_double_nan(r.sd);
    ck_assert_double_nan(r.min);
    ck_assert_int_eq(r.start_ns, 0);
}
END_TEST

/* The first energy counts though nobody knows over what time, so the mean power is too high by it, and a note says so.
 */
START_TEST(an_open_first_interval)
{
    ws_notes notes = {0};
    const double t[] = {10, 20, 30}, joules[] = {50, 60, 70};
    metering m = {.rule = WS_RULE_INTERVAL, .n = 3, .t_s = t, .value = joules};
    ws_channel_summary r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 180);
    ck_assert_double_eq(r.duration_s, 20);
    ck_assert_double_eq(r.mean, 9); /* energy / duration, as always */
    ck_note(&notes, "open-first-interval", 1, 0);
    m.options.edges = WS_EDGES_TRIM;
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 130);
    ck_assert_double_eq(r.duration_s, 20);
    ck_assert_double_eq(r.mean, 6.5); /* (60 + 70) J / 20 s */
    ck_assert_uint_eq(r.samples, 2);
    m.n = 1;
    ck_assert_double_nan(meter(&m).energy_j); /* trimmed to nothing is not zero */
    ws_notes_free(&notes);
}
END_TEST

/* Ten seconds at 0.123457 W on counters that stood at 2 MJ and at 1 GJ, with one long gap: whole, in a window and
 * without the gap. */
START_TEST(a_counter_that_ran_for_long_loses_no_digits)
{
    const double t[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 60};
    const int64_t starts[] = {2000000000001, 999999999123457};
    for (size_t i = 0; i < COUNT(starts); i++) {
        double joules[12];
        for (int k = 0; k < 12; k++)
            joules[k] = (double)(starts[i] + 123457 * (int64_t)t[k]) * 1e-6;
        metering m = {.rule = WS_RULE_COUNTER, .n = 12, .t_s = t, .value = joules};
        ck_assert_double_eq(meter(&m).energy_j, 7.40742);
        m.options.gaps = WS_GAPS_EXCLUDE;
        ck_assert_double_eq(meter(&m).energy_j, 1.23457);
        m.options = window(2, 7);
        ck_assert_double_eq(meter(&m).energy_j, 0.617285);
    }
}
END_TEST

/* What a counter in uJ states, wrap included: the differences of the doubles come to 6.29999999998836. */
START_TEST(counter_steps_are_decimals)
{
    const double t[] = {0, 1, 2, 3}, joules[] = {262140.123456, 262141.223456, 262143.223456, 3.094606};
    ws_channel_summary r =
        meter(&(metering){.rule = WS_RULE_COUNTER, .n = 4, .t_s = t, .value = joules, .range_j = 262143.328850});
    ck_assert_double_eq(r.energy_j, 6.3); /* 1.1 + 2 + 3.2 J */
}
END_TEST

START_TEST(a_given_total_needs_no_time)
{
    const double total[] = {1234.5};
    metering m = {.rule = WS_RULE_GIVEN, .n = 1, .value = total};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 1234.5);
    ck_assert_double_nan(r.mean);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    m.options.edges = WS_EDGES_TRIM; /* no sampling, no first interval to trim */
    ck_assert_double_eq(meter(&m).energy_j, 1234.5);
    const double t[] = {20}, length[] = {10};
    m = (metering){.rule = WS_RULE_GIVEN, .n = 1, .t_s = t, .value = total, .interval_s = length};
    ck_assert_double_eq(meter(&m).mean, 123.45);
}
END_TEST

/* Equal intervals of 100 W and 300 W: mean 200, sd 100, CV 0.5. */
START_TEST(square_wave)
{
    const double t[] = {0, 1, 2, 3, 4}, watts[] = {300, 100, 300, 100, 300};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_RECTANGLE, .n = 5, .t_s = t, .value = watts});
    ck_assert_double_eq(r.mean, 200);
    ck_assert_double_eq(r.sd, 100);
    ck_assert_double_eq(r.sd / r.mean, 0.5);
}
END_TEST

/* Readings between half-interval neighbours: weights 1/2 1 1 1 1/2 of 0 1 0 1 0, mean 2/4, mean square 2/4, variance
 * 1/4. */
START_TEST(utilisation_has_mean_and_spread)
{
    const double t[] = {0, 1, 2, 3, 4}, util[] = {0, 1, 0, 1, 0};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_NONE, .n = 5, .t_s = t, .value = util});
    ck_assert_double_nan(r.energy_j);
    ck_assert_double_eq(r.mean, 0.5);
    ck_assert_double_eq(r.sd, 0.5);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
}
END_TEST

/* A small ripple on a large offset: what cancels in the variance is kept. 5000 W +- 2^-4 W. */
START_TEST(spread_survives_a_large_offset)
{
    double t[100], watts[100];
    for (size_t i = 0; i < 100; i++) {
        t[i] = (double)i;
        watts[i] = 5000 + (i % 2 ? 0x1p-4 : -0x1p-4);
    }
    watts[0] = watts[99] = 5000; /* weights 1/2 at the ends: 98 full ones of +-2^-4 over 99 s */
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 100, .t_s = t, .value = watts});
    ck_close(r.sd, 0x1p-4 * sqrt(98.0 / 99), 1e-9, 0);
    ck_assert_double_eq(r.mean, 5000);
}
END_TEST

START_TEST(a_stuck_sensor_is_noted)
{
    ws_notes notes = {0};
    double t[70], watts[70];
    for (size_t i = 0; i < 70; i++) {
        t[i] = (double)i;
        watts[i] = 123;
    }
    meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 60, .t_s = t, .value = watts}, &notes); /* 59 s */
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_STUCK_SENSOR));
    meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 61, .t_s = t, .value = watts}, &notes); /* 60 s */
    ck_note(&notes, "stuck-sensor", 1, 0);
    ws_notes_free(&notes);
    meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 70, .t_s = t, .value = watts}, &notes);
    ck_note(&notes, "stuck-sensor", 1, 0);
    ws_notes_free(&notes);
    for (size_t i = 0; i < 70; i++)
        t[i] = 2 * (double)i;
    meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 59, .t_s = t, .value = watts}, &notes);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_STUCK_SENSOR));
    meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 60, .t_s = t, .value = watts}, &notes);
    ck_note(&notes, "stuck-sensor", 1, 0);
    ws_notes_free(&notes);
    watts[69] = 124;
    meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 70, .t_s = t, .value = watts}, &notes);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_STUCK_SENSOR));
    ws_notes_free(&notes);
}
END_TEST

/* The median is 1 s: 7 s are no long gap and are told, 4 s are not, and 8 s are long. */
START_TEST(gaps_too_short_for_long_ones_are_noted)
{
    ws_notes notes = {0};
    double t[14] = {0}, watts[14];
    const double steps[] = {1, 1, 1, 7, 1, 1, 4, 1, 7, 1, 1, 8, 1};
    for (int i = 0; i < 14; i++) {
        watts[i] = 100;
        if (i)
            t[i] = t[i - 1] + steps[i - 1];
    }
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 14, .t_s = t, .value = watts}, &notes);
    ck_assert_uint_eq(r.gaps, 2);
    ck_assert_double_eq(r.gap_s, 14);
    ck_assert_uint_eq(r.long_gaps, 1);
    ck_assert_double_eq(r.energy_j, 3500);
    ck_note(&notes, "gap", 2, 0);
    ck_note(&notes, "long-gap", 1, 0);
    ws_notes_free(&notes);
}
END_TEST

/* Steps are counted by quarters of an octave of ns. 1 s lies in the last quarter from 2^29 ns on; ten quarters above
 * begin at 1.25 x 2^32 ns = 5.369 s, and twelve, where the energy is bounded by what the gap may hold, at 1.75 x 2^32
 * ns = 7.516 s. */
START_TEST(where_gaps_begin)
{
    static const struct {
        double step_s;
        size_t gaps, long_gaps;
    } cases[] = {{5.36, 0, 0}, {5.38, 1, 0}, {7.51, 1, 0}, {7.52, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double t[12] = {0}, watts[12];
        for (int k = 0; k < 12; k++) {
            t[k] = k < 6 ? k : 5 + cases[i].step_s + (k - 6);
            watts[k] = k % 2 ? 300 : 100;
        }
        ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 12, .t_s = t, .value = watts});
        ck_assert_msg(r.gaps == cases[i].gaps && r.long_gaps == cases[i].long_gaps, "%g s", cases[i].step_s);
        ck_close(r.energy_j, 200 * (10 + cases[i].step_s), 1e-14, 0);
        double open_j = r.long_gaps ? 100 * cases[i].step_s : 0; /* 100 to 300 W where 200 W were taken */
        ck_close(r.bound_lo_j, r.energy_j - open_j, 1e-14, 0);
        ck_close(r.bound_hi_j, r.energy_j + open_j, 1e-14, 0);
    }
}
END_TEST

/* Half of the steps of 1 s, half of 10 s and one more, by turns: the median is the longer, and no step is a gap. */
START_TEST(the_median_step_is_the_usual_one)
{
    double t[40] = {0}, watts[40];
    for (int n = 0; n < 2; n++) {
        int longer = n ? 9 : 8, steps = 17; /* of 17: more than half, or less */
        for (int k = 0; k <= steps; k++) {
            watts[k] = 100;
            t[k] = k ? t[k - 1] + (k % 2 && k < 2 * longer ? 10 : 1) : 0;
        }
        ws_channel_summary r =
            meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = (size_t)steps + 1, .t_s = t, .value = watts});
        ck_assert_uint_eq(r.long_gaps, n ? 0 : 8);
    }
}
END_TEST

static void ck_same_bits(double a, double b, const char *what)
{
    ck_assert_msg(memcmp(&a, &b, sizeof a) == 0, "%s: %.17g and %.17g", what, a, b);
}

static void ck_same_reading(const ws_channel_summary *a, const ws_channel_summary *b)
{
    ck_same_bits(a->energy_j, b->energy_j, "energy");
    ck_same_bits(a->bound_lo_j, b->bound_lo_j, "lower bound");
    ck_same_bits(a->bound_hi_j, b->bound_hi_j, "upper bound");
    ck_same_bits(a->mean, b->mean, "mean");
    ck_same_bits(a->sd, b->sd, "sd");
    ck_same_bits(a->min, b->min, "min");
    ck_same_bits(a->max, b->max, "max");
    ck_same_bits(a->duration_s, b->duration_s, "duration");
    ck_same_bits(a->coverage, b->coverage, "coverage");
    ck_assert_uint_eq(a->samples, b->samples);
    ck_assert_uint_eq(a->missing, b->missing);
    ck_assert_uint_eq(a->long_gaps, b->long_gaps);
    ck_assert_int_eq(a->status, b->status);
}

enum { MANY = 1999 };

/* Uneven steps, gaps, repeated stamps, zeros, missing cells, and values that no binary fraction holds. */
static void make_trace(double *t, double *value, double *length)
{
    double now = 0, level = 0.1;
    for (int i = 0; i < MANY; i++) {
        now += i % 411 == 410 ? 97.3 : i % 53 == 52 ? 0 : 0.1 * (1 + i * 7 % 5);
        level += 0.1 * (i * 31 % 17);
        t[i] = now;
        value[i] = i % 97 == 96 ? NAN : i % 331 == 330 ? 0 : level;
        length[i] = 0.1;
    }
}

START_TEST(pieces_give_the_same_bits)
{
    static double t[MANY], value[MANY], length[MANY];
    static const size_t pieces[] = {1, 2, 7, 64, 1000};
    make_trace(t, value, length);
    for (int rule = WS_RULE_NONE; rule < WS_RULE_PERUN; rule++) {
        for (int with = 0; with < 8; with++) {
            metering m = {.rule = (ws_rule)rule, .n = MANY, .t_s = t, .value = value, .range_j = 262143.328850};
            m.interval_s = with & 1 ? length : NULL;
            m.options = with & 2 ? window(33.33, 444.44) : m.options;
            m.options.gaps = with & 4 ? WS_GAPS_EXCLUDE : WS_GAPS_BRIDGE;
            ws_channel_summary whole = meter(&m);
            for (size_t p = 0; p < COUNT(pieces); p++) {
                ws_meter in_pieces = meter_in_pieces(&m, pieces[p]);
                ws_channel_summary r;
                ws_meter_read(&in_pieces, &r);
                ck_same_reading(&r, &whole);
                ws_meter_free(&in_pieces);
            }
        }
    }
}
END_TEST

/* The same intervals backwards in time are the same terms in another order. */
START_TEST(order_of_the_terms_does_not_matter)
{
    static double t[MANY], value[MANY], length[MANY], back_t[MANY], back_value[MANY];
    make_trace(t, value, length);
    for (size_t i = 0; i < MANY; i++) {
        back_t[i] = t[MANY - 1] - t[MANY - 1 - i];
        back_value[i] = value[MANY - 1 - i];
    }
    ws_channel_summary forward = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = MANY, .t_s = t, .value = value});
    ws_channel_summary backward =
        meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = MANY, .t_s = back_t, .value = back_value});
    ck_same_reading(&forward, &backward);
    ck_assert_double_gt(forward.energy_j, 0);
}
END_TEST

TEST_MAIN("meter", constant_power, ramp_in_uneven_steps, uneven_steps, mean_times_time_is_not_time_weighted,
          rectangle_with_stated_lengths, one_sample_is_no_energy, no_sample_is_no_energy, no_time_is_no_energy,
          repeated_stamps_are_empty, one_instant_holds_nothing, a_clock_that_steps_back,
          a_mean_that_no_reading_has_is_told, a_small_step_back_counts_once, a_clock_that_jumps_by_centuries,
          missing_cells_are_bridged, numbers_beyond_all_sense_are_missing, zeros_of_a_power_are_readings,
          interval_energies_with_their_lengths, an_open_first_interval, a_given_total_needs_no_time,
          a_counter_that_ran_for_long_loses_no_digits, counter_steps_are_decimals, square_wave,
          utilisation_has_mean_and_spread, spread_survives_a_large_offset, a_stuck_sensor_is_noted,
          gaps_too_short_for_long_ones_are_noted, pieces_give_the_same_bits, order_of_the_terms_does_not_matter,
          where_gaps_begin, the_median_step_is_the_usual_one, a_mean_a_little_below_all_readings_is_told,
          the_plain_spread_has_one_degree_of_freedom_less, windows_and_clocks)
