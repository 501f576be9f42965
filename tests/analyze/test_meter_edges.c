/* Gaps, windows, edges and counters of the meter. */
#include "metering.h"

#include <string.h>

/* Every second, then a hole of 16 s: 100 W before it, 300 W after it. */
static const double HOLE_T[] = {0, 1, 2, 3, 4, 20, 21, 22};
static const double HOLE_W[] = {100, 100, 100, 100, 100, 300, 300, 300};

START_TEST(a_long_gap_is_bridged_and_bounded)
{
    ws_notes notes = {0};
    ws_channel_summary r =
        meter_notes(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 8, .t_s = HOLE_T, .value = HOLE_W}, &notes);
    ck_assert_double_eq(r.energy_j, 4200);   /* 4 x 100 + 16 x 200 + 2 x 300 */
    ck_assert_double_eq(r.bound_lo_j, 2600); /* 4 x 100 + 16 x 100 + 2 x 300 */
    ck_assert_double_eq(r.bound_hi_j, 5800); /* 4 x 100 + 16 x 300 + 2 x 300 */
    ck_assert_double_eq(r.max_gap_s, 16);
    ck_assert_double_eq(r.long_gap_s, 16);
    ck_assert_uint_eq(r.long_gaps, 1);
    ck_assert_double_eq(r.coverage, 1);
    ck_assert_str_eq(ws_energy_status_name(r.status), "long-gap");
    ck_note(&notes, "long-gap", 1, 0);
    ws_notes_free(&notes);
}
END_TEST

/* 4 s of 100 W and 2 s of 300 W: 1000 J in 6 s; mean square 220000 / 6, variance 220000 / 6 - (1000 / 6)^2 = 80000 / 9.
 */
START_TEST(a_long_gap_is_left_out_on_demand)
{
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 8, .t_s = HOLE_T, .value = HOLE_W};
    m.options.gaps = WS_GAPS_EXCLUDE;
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 1000);
    ck_assert_double_eq(r.bound_lo_j, 1000);
    ck_assert_double_eq(r.bound_hi_j, 1000);
    ck_assert_double_eq(r.duration_s, 6);
    ck_assert_double_eq(r.coverage, 6.0 / 22);
    ck_close(r.mean, 1000.0 / 6, 1e-15, 0);
    ck_close(r.sd, sqrt(80000.0 / 9), 1e-14, 0);
}
END_TEST

START_TEST(a_long_gap_is_refused_on_demand)
{
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 8, .t_s = HOLE_T, .value = HOLE_W};
    m.options.gaps = WS_GAPS_REFUSE;
    ws_channel_summary r = meter(&m);
    ck_assert_double_nan(r.energy_j);
    ck_assert_double_nan(r.bound_lo_j);
    ck_assert_double_nan(r.mean);
    ck_assert_str_eq(ws_energy_status_name(r.status), "gap-refused");
    m.n = 5;
    ck_assert_double_eq(meter(&m).energy_j, 400); /* without the gap there is nothing to refuse */
    ck_assert_str_eq(ws_energy_status_name(meter(&m).status), "ok");
}
END_TEST

START_TEST(a_counter_knows_what_a_gap_held)
{
    const double joules[] = {1000, 1100, 1200, 1300, 1400, 6000, 6300, 6600};
    metering m = {.rule = WS_RULE_COUNTER, .n = 8, .t_s = HOLE_T, .value = joules};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 5600);
    ck_assert_double_eq(r.bound_lo_j, 5600);
    ck_assert_double_eq(r.bound_hi_j, 5600);
    m.options.gaps = WS_GAPS_EXCLUDE;
    ck_assert_double_eq(meter(&m).energy_j, 1000); /* without the step of 4600 */
    ck_assert_double_eq(meter(&m).duration_s, 6);
}
END_TEST

/* The usual interval is 1 s: five times of it is no long gap yet. */
START_TEST(a_short_gap_is_no_finding)
{
    const double t[] = {0, 1, 2, 3, 8, 9, 10}, watts[] = {1, 2, 3, 4, 5, 6, 7};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = 7, .t_s = t, .value = watts});
    ck_assert_uint_eq(r.long_gaps, 0);
    ck_assert_double_eq(r.max_gap_s, 5);
    ck_assert_double_eq(r.bound_lo_j, r.energy_j);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
}
END_TEST

START_TEST(failed_reads_of_a_counter_are_stepped_over)
{
    ws_notes notes = {0};
    const double t[] = {0, 1, 2, 3, 4}, joules[] = {1000, 1100, 0, 1300, 1400};
    ws_channel_summary r = meter_notes(&(metering){.rule = WS_RULE_COUNTER, .n = 5, .t_s = t, .value = joules}, &notes);
    ck_assert_double_eq(r.energy_j, 400);
    ck_assert_double_eq(r.duration_s, 4);
    ck_assert_double_eq(r.mean, 100);
    ck_assert_uint_eq(r.samples, 4);
    ck_assert_uint_eq(r.missing, 1);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    ck_note(&notes, "zero-read", 1, 3);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_MISSING_CELL));
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_COUNTER_RESET));
    ws_notes_free(&notes);
}
END_TEST

START_TEST(a_counter_may_begin_at_zero)
{
    const double t[] = {0, 1, 2}, joules[] = {0, 100, 250};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_COUNTER, .n = 3, .t_s = t, .value = joules});
    ck_assert_double_eq(r.energy_j, 250);
    ck_assert_uint_eq(r.samples, 3);
}
END_TEST

START_TEST(wraps_are_undone)
{
    ws_notes notes = {0};
    const double t[] = {0, 1, 2, 3, 4}, once[] = {262000, 262100, 56, 156, 256};
    metering m = {.rule = WS_RULE_COUNTER, .n = 5, .t_s = t, .value = once, .range_j = 262144};
    ws_channel_summary r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 400); /* 100 each; 262144 - 262100 + 56 = 100 */
    ck_assert_double_eq(r.mean, 100);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    ck_note(&notes, "counter-wrap", 1, 3);
    ws_notes_free(&notes);
    const double thrice[] = {900, 300, 950, 100, 50};
    m.value = thrice;
    m.range_j = 1000;
    r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 2150); /* 400 + 650 + 150 + 950 */
    ck_note(&notes, "counter-wrap", 3, 2);
    ws_notes_free(&notes);
}
END_TEST

START_TEST(a_failed_read_may_hide_a_wrap)
{
    const double t[] = {0, 1, 2}, joules[] = {262100, 0, 56};
    ws_channel_summary r =
        meter(&(metering){.rule = WS_RULE_COUNTER, .n = 3, .t_s = t, .value = joules, .range_j = 262144});
    ck_assert_double_eq(r.energy_j, 100);
}
END_TEST

/* A wrap from 2000 J to 50 J in a second would be 260 kW: the counter began again, and 50 J are known since then. */
START_TEST(a_restart_is_no_wrap)
{
    ws_notes notes = {0};
    const double t[] = {0, 1, 2, 3}, joules[] = {1000, 2000, 50, 150};
    metering m = {.rule = WS_RULE_COUNTER, .n = 4, .t_s = t, .value = joules, .range_j = 262144};
    ws_channel_summary r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 1150); /* 1000 + 50 + 100 */
    ck_assert_str_eq(ws_energy_status_name(r.status), "counter-reset");
    ck_note(&notes, "counter-reset", 1, 3);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_COUNTER_WRAP));
    m.range_j = 0; /* and without a known range nothing is unwrapped */
    ck_assert_double_eq(meter(&m).energy_j, 1150);
    m.range_j = 1500; /* nor with one that the readings exceed */
    ck_assert_double_eq(meter(&m).energy_j, 1150);
    ws_notes_free(&notes);
}
END_TEST

/* Polls of a minute at 100 W. A fall from 124000 J to 5 J as a wrap would be 138149 J, 2302 W: the machine was started
 * again. From 262000 J to 5856 J it is 6000 J, as every minute. */
START_TEST(a_wrap_of_many_times_the_usual_power_is_a_restart)
{
    ws_notes notes = {0};
    const double t[] = {0, 60, 120, 180, 240, 300}, reset[] = {106000, 112000, 118000, 124000, 5, 6005};
    metering m = {.rule = WS_RULE_COUNTER, .n = 6, .t_s = t, .value = reset, .range_j = 262144};
    ws_channel_summary r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 24005); /* 3 x 6000 + 5 + 6000 */
    ck_assert_str_eq(ws_energy_status_name(r.status), "counter-reset");
    ck_note(&notes, "counter-reset", 1, 5);
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_COUNTER_WRAP));
    ws_notes_free(&notes);
    m.options = window(210, 270); /* 3000 J of the minute before and half of the 5 J */
    ck_assert_double_eq(meter(&m).energy_j, 3002.5);
    const double wrap[] = {244000, 250000, 256000, 262000, 5856, 11856};
    m.value = wrap;
    ck_assert_double_eq(meter(&m).energy_j, 6000);
    m.options = (ws_meter_options){0};
    r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 30000);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    ck_note(&notes, "counter-wrap", 1, 5);
    ws_notes_free(&notes);
    const double both[] = {250000, 256000, 262000, 5856, 6, 6006}; /* a wrap, then a restart */
    m.value = both;
    r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 24006); /* 6000 + 6000 + 6000 + 6 + 6000 */
    ck_note(&notes, "counter-wrap", 1, 4);
    ck_note(&notes, "counter-reset", 1, 5);
    ws_notes_free(&notes);
}
END_TEST

/* 100 W, and two rows that changed places: nothing is lost or counted twice, whatever the counter holds. */
START_TEST(rows_of_a_counter_that_changed_places)
{
    const double t[] = {0, 0.1, 0.3, 0.2, 0.4, 0.5}, starts[] = {10, 20000, 4e9}, ranges[] = {0, 262144, 5e9};
    double joules[] = {0, 10, 30, 20, 40, 50};
    for (int i = 0; i < 3; i++) {
        double moved[6];
        for (int k = 0; k < 6; k++)
            moved[k] = joules[k] + starts[i];
        metering m = {.rule = WS_RULE_COUNTER, .n = 6, .t_s = t, .value = moved, .range_j = ranges[i]};
        ws_notes notes = {0};
        ws_channel_summary r = meter_notes(&m, &notes);
        ck_assert_double_eq(r.energy_j, 50);
        ck_assert_double_eq_tol(r.duration_s, 0.5, 1e-12);
        ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
        ck_note(&notes, "clock-step-back", 1, 4);
        ck_assert_uint_eq(notes.n, 1);
        ws_notes_free(&notes);
        m.options = window(0, 0.25);
        ck_assert_double_eq_tol(meter(&m).energy_j, 25, 1e-9);
        m.options = window(0.22, 0.5);
        ck_assert_double_eq_tol(meter(&m).energy_j, 28, 1e-9);
    }
}
END_TEST

/* ... also where one of the two stands behind a wrap of the counter: the way back leads over the wrap. */
START_TEST(rows_that_changed_places_at_a_wrap)
{
    static const double ranges[] = {262143.328850, 65712.999613, 65532.610987};
    static const int64_t falls_at[] = {0, 2, 3, 3, 5, 6};
    const double t[] = {0, 1, 3, 2, 4, 5}, joules[] = {0, 200, 600, 400, 800, 1000};
    for (int i = 0; i < 6; i++)
        for (int first = 1; first <= 5; first++) {
            double moved[6], range_j = ranges[i / 2], start_j = range_j - 200 * first + 33;
            for (int k = 0; k < 6; k++)
                moved[k] = fmod(joules[k] + start_j, range_j);
            metering m = {.rule = WS_RULE_COUNTER,
                          .domain = WS_CPU,
                          .n = 6,
                          .t_s = t,
                          .value = moved,
                          .range_j = i % 2 ? range_j : 0};
            ws_notes notes = {0};
            ws_channel_summary r = meter_notes(&m, &notes);
            ck_assert_double_eq_tol(r.energy_j, 1000, 1e-9);
            ck_assert_double_eq_tol(r.duration_s, 5, 1e-12);
            ck_note(&notes, "counter-wrap", 1, falls_at[first]);
            ws_notes_free(&notes);
        }
}
END_TEST

/* A later log in front of an earlier one: 200 J each, and no step between them. With an hour between, the fall may be a
 * restart as well, of which 5 J are known. */
START_TEST(a_counter_whose_clock_was_set)
{
    const double t[] = {100, 101, 102, 0, 1, 2}, joules[] = {500, 600, 700, 200, 300, 400},
                 restarted[] = {2e6, 2000100, 2000200, 5, 105, 205};
    metering m = {.rule = WS_RULE_COUNTER, .n = 6, .t_s = t, .value = joules};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 400);
    ck_assert_double_eq(r.duration_s, 4);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    m.value = restarted; /* 2 MJ in 102 s would be 20 kW */
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 405);
    ck_assert_str_eq(ws_energy_status_name(r.status), "counter-reset");
}
END_TEST

/* Stamps of whole seconds, 50 J from row to row, 100 W: a fall at a repeated stamp is judged over a second. */
START_TEST(a_fall_at_a_repeated_stamp)
{
    const double t[] = {0, 0, 1, 1, 2, 2, 3}, restarted[] = {2000, 2050, 2100, 5, 55, 105, 155},
                 wrapped[] = {262000, 262050, 262100, 6, 56, 106, 156},
                 swapped[] = {2000, 2050, 2150, 2100, 2200, 2250, 2300};
    ws_notes notes = {0};
    metering m = {.rule = WS_RULE_COUNTER, .n = 7, .t_s = t, .value = restarted, .range_j = 262144};
    ck_assert_double_eq(meter_notes(&m, &notes).energy_j, 255); /* 100 + 5 + 150 */
    ck_note(&notes, "counter-reset", 1, 4);
    ws_notes_free(&notes);
    m.value = wrapped;
    ck_assert_double_eq(meter_notes(&m, &notes).energy_j, 300);
    ck_note(&notes, "counter-wrap", 1, 4);
    ws_notes_free(&notes);
    m.value = swapped; /* 2100 J in a second would be 2100 W */
    ck_assert_double_eq(meter_notes(&m, &notes).energy_j, 300);
    ck_note(&notes, "counter-slip", 1, 4);
    ws_notes_free(&notes);
}
END_TEST

/* 100 W, and a reading a thousandth below the one before: 50 kJ in a tenth of a second are no restart. What fell to 10
 * J is one. */
START_TEST(a_counter_may_slip)
{
    const double t[] = {0, 0.1, 0.2, 0.3, 0.4}, slipped[] = {50000, 50010, 50020, 50019.999, 50040},
                 restarted[] = {50000, 50010, 50020, 10, 20};
    ws_notes notes = {0};
    metering m = {.rule = WS_RULE_COUNTER, .n = 5, .t_s = t, .value = slipped};
    ws_channel_summary r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 40);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    ck_note(&notes, "counter-slip", 1, 4);
    ws_notes_free(&notes);
    m.options = window(0.2, 0.4);
    ck_assert_double_eq_tol(meter(&m).energy_j, 20, 1e-9);
    m.options = (ws_meter_options){0};
    m.value = restarted;
    r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 40); /* 20 + 10 + 10 */
    ck_assert_str_eq(ws_energy_status_name(r.status), "counter-reset");
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_COUNTER_SLIP));
    ws_notes_free(&notes);
}
END_TEST

/* 100 W a second; at 10 s the counter goes on from another reading, which is neither a slip nor a restart: 50 kJ in a
 * second. The interval in which it was set is lost, and so is no other. */
START_TEST(a_counter_may_be_set)
{
    static double t[21], joules[21];
    static const double set_to[] = {50000, 850000, 10};
    static const double energy_j[] = {1900, 1900, 1910};
    for (size_t k = 0; k < 3; k++) {
        for (int i = 0; i <= 20; i++)
            t[i] = i, joules[i] = i < 10 ? 1e6 + 100 * i : set_to[k] + 100 * (i - 10);
        ws_notes notes = {0};
        metering m = {.rule = WS_RULE_COUNTER, .n = 21, .t_s = t, .value = joules};
        ws_channel_summary r = meter_notes(&m, &notes);
        ck_assert_double_eq(r.energy_j, energy_j[k]);
        ck_assert_double_eq(r.duration_s, 20);
        ck_assert_str_eq(ws_energy_status_name(r.status), "counter-reset");
        ck_note(&notes, "counter-reset", 1, 11);
        ws_notes_free(&notes);
        m.options = window(5, 15);
        ck_assert_double_eq_tol(meter(&m).energy_j, energy_j[k] - 1000, 1e-6);
    }
}
END_TEST

/* 100 W, 60 s at a standstill, and then a restart: what was drawn meanwhile is in no reading. */
START_TEST(a_counter_may_be_stuck_until_it_begins_again)
{
    static double t[201], joules[201];
    for (int i = 0; i <= 200; i++)
        t[i] = i, joules[i] = i < 200 ? 500000 + 100 * fmin(i, 100) : 40;
    for (int i = 161; i <= 200; i++)
        joules[i] = 40 + 100 * (i - 161);
    metering m = {.rule = WS_RULE_COUNTER, .n = 201, .t_s = t, .value = joules};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 10000 + 40 + 3900);
    ck_assert_str_eq(ws_energy_status_name(r.status), "counter-reset");
    ck_assert_double_eq(r.still_s, 60);
    for (int i = 161; i <= 200; i++)
        joules[i] = 70000 + 100 * (i - 161); /* 1.15 kW since it last moved: set, whatever it held */
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 10000 + 3900);
    ck_assert_double_eq(r.still_s, 60);
}
END_TEST

/* 100 W and 60 s at a standstill, in the middle or from the first reading on, right before the counter wraps: it has
 * not caught up by the wrap. */
START_TEST(a_counter_may_be_stuck_until_it_wraps)
{
    static double t[201], joules[201];
    for (int begin = 0; begin <= 100; begin += 100) {
        for (int i = 0; i <= 200; i++) {
            double rise = i <= begin ? i - begin : i <= begin + 60 ? 0 : i - begin - 60;
            t[i] = i, joules[i] = 262100 + 100 * rise;
            joules[i] -= joules[i] >= 262144 ? 262144 : 0;
        }
        metering m = {.rule = WS_RULE_COUNTER, .n = 201, .t_s = t, .value = joules, .range_j = 262144};
        ws_channel_summary r = meter(&m);
        ck_assert_double_eq(r.energy_j, 14000);
        ck_assert_str_eq(ws_energy_status_name(r.status), "stuck-counter");
        ck_assert_double_eq(r.still_s, 60);
    }
}
END_TEST

/* Polls of a minute: 400 at 5 W, then 15 at 280 W, more than ten times the mean, with a wrap among them. */
START_TEST(a_wrap_of_a_busy_quarter_in_an_idle_log)
{
    enum { IDLE = 400, ALL = 416 };
    static double t[ALL], wrapped[ALL], restarted[ALL];
    for (int i = 0; i < ALL; i++) {
        double joules = i <= IDLE ? 300.0 * i : 300.0 * IDLE + 16800.0 * (i - IDLE);
        t[i] = 60.0 * i;
        wrapped[i] = joules < 262144 ? joules : joules - 262144;
        restarted[i] = i < 410 ? joules : 1000 + 16800.0 * (i - 410);
    }
    metering m = {.rule = WS_RULE_COUNTER, .n = ALL, .t_s = t, .value = wrapped, .range_j = 262144};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 372000);
    ck_assert_uint_eq(r.wraps.count, 1);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    m.options = window(60.0 * IDLE, 60.0 * (ALL - 1));
    ck_assert_double_eq_tol(meter(&m).energy_j, 252000, 1e-6);
    m.options = (ws_meter_options){0};
    m.range_j = 400000;
    m.value = restarted; /* from 271200 J to 1000 J: as a wrap 2163 W */
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 271200 + 1000 + 84000);
    ck_assert_str_eq(ws_energy_status_name(r.status), "counter-reset");
}
END_TEST

START_TEST(missing_cells_of_a_counter_lose_nothing)
{
    const double t[] = {0, 1, 2, 3}, joules[] = {100, NAN, 300, 450};
    ws_channel_summary r = meter(&(metering){.rule = WS_RULE_COUNTER, .n = 4, .t_s = t, .value = joules});
    ck_assert_double_eq(r.energy_j, 350);
    ck_assert_uint_eq(r.missing, 1);
}
END_TEST

/* P = 10 t on 0..10: between 2 s and 6 s 5 (36 - 4) = 160 J. Both ends of the window lie inside the one interval. */
START_TEST(a_window_cuts_inside_an_interval)
{
    const double t[] = {0, 10}, watts[] = {0, 100}, count[] = {1000, 2000}, joules[] = {7, 1000}, length[] = {1, 10};
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 2, .t_s = t, .value = watts, .options = window(2, 6)};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 160);
    ck_assert_double_eq(r.duration_s, 4);
    ck_assert_double_eq(r.mean, 40);
    ck_assert_double_eq(r.coverage, 1);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    m = (metering){.rule = WS_RULE_COUNTER, .n = 2, .t_s = t, .value = count, .options = window(2, 6)};
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 400); /* 1000 J over 10 s */
    ck_assert_double_eq(r.mean, 100);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    m = (metering){
        .rule = WS_RULE_INTERVAL, .n = 2, .t_s = t, .value = joules, .interval_s = length, .options = window(2, 6)};
    ck_assert_double_eq(meter(&m).energy_j, 400);
    m.rule = WS_RULE_GIVEN;
    ck_assert_double_eq(meter(&m).energy_j, 400);
    m.rule = WS_RULE_RECTANGLE;
    ck_assert_double_eq(meter(&m).energy_j, 4000); /* 1000 W for 4 s */
}
END_TEST

/* One sample inside the window, cut intervals on both sides. */
START_TEST(a_window_around_one_sample)
{
    const double t[] = {0, 10, 20}, joules[] = {0, 1000, 3000}, watts[] = {100, 100, 300};
    metering m = {.rule = WS_RULE_COUNTER, .n = 3, .t_s = t, .value = joules, .options = window(8, 13)};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 800); /* 2 x 100 + 3 x 200 */
    ck_assert_double_eq(r.duration_s, 5);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    m.rule = WS_RULE_TRAPEZOID;
    m.value = watts;
    ck_assert_double_eq(meter(&m).energy_j, 590); /* 2 x 100 + 3 x (100 + 160) / 2 */
    ck_assert_uint_eq(meter(&m).samples, 1);
}
END_TEST

START_TEST(a_window_reaches_beyond_the_trace)
{
    const double t[] = {0, 5, 10}, watts[] = {100, 100, 100};
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 3, .t_s = t, .value = watts, .options = window(-5, 5)};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 500);
    ck_assert_double_eq(r.duration_s, 5);
    ck_assert_double_eq(r.coverage, 0.5);
    ck_assert_uint_eq(r.samples, 2);
    m.options.edges = WS_EDGES_HOLD;
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 1000);
    ck_assert_double_eq(r.duration_s, 10);
    ck_assert_double_eq(r.coverage, 1);
}
END_TEST

/* 100 W held over 0..2, the line to 300 W over 2..4, 300 W held over 4..6: 200 + 400 + 600 = 1200 J. Mean square
 * (2 x 10000 + 2 x (10000 + 90000) / 2 + 2 x 90000) / 6 = 50000, variance 50000 - 200^2. */
START_TEST(held_edges)
{
    const double t[] = {2, 4}, watts[] = {100, 300};
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 2, .t_s = t, .value = watts, .options = window(0, 6)};
    m.options.edges = WS_EDGES_HOLD;
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 1200);
    ck_assert_double_eq(r.mean, 200);
    ck_assert_double_eq(r.coverage, 1);
    ck_assert_double_eq(r.sd, 100);
}
END_TEST

START_TEST(counters_are_not_held)
{
    const double t[] = {2, 4}, joules[] = {5000, 5200};
    metering m = {.rule = WS_RULE_COUNTER, .n = 2, .t_s = t, .value = joules, .options = window(0, 6)};
    m.options.edges = WS_EDGES_HOLD;
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 200);
    ck_close(r.coverage, 1.0 / 3, 1e-15, 0);
}
END_TEST

START_TEST(one_sample_in_a_window)
{
    const double t[] = {3}, watts[] = {100};
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 1, .t_s = t, .value = watts, .options = window(0, 10)};
    ws_channel_summary r = meter(&m);
    ck_assert_double_nan(r.energy_j);
    ck_assert_double_eq(r.coverage, 0);
    ck_assert_str_eq(ws_energy_status_name(r.status), "one-sample");
    m.options.edges = WS_EDGES_HOLD;
    ck_assert_double_eq(meter(&m).energy_j, 1000); /* 100 W held over 10 s */
    ck_assert_str_eq(ws_energy_status_name(meter(&m).status), "ok");
}
END_TEST

START_TEST(a_window_beside_the_trace_holds_nothing)
{
    const double t[] = {0, 1, 2, 3}, values[] = {100, 110, 120, 130}, length[] = {1, 1, 1, 1};
    for (int rule = WS_RULE_COUNTER; rule < WS_RULE_PERUN; rule++) {
        for (int edges = WS_EDGES_INSIDE; edges <= WS_EDGES_TRIM; edges++) {
            metering m = {.rule = (ws_rule)rule, .n = 4, .t_s = t, .value = values, .options = window(100, 200)};
            m.options.edges = (ws_edge_policy)edges;
            ws_channel_summary r = meter(&m);
            ck_assert_double_nan(r.energy_j);
            ck_assert_double_nan(r.mean);
            ck_assert_uint_eq(r.samples, 0);
            ck_assert_str_eq(ws_energy_status_name(r.status), "no-samples");
            m.interval_s = length;
            ck_assert_double_nan(meter(&m).energy_j);
        }
    }
}
END_TEST

/* What lies outside of the window is neither a gap nor a first interval of it. */
START_TEST(a_window_leaves_the_rest_out)
{
    const double t[] = {0, 1, 2, 3, 4, 1000}, watts[] = {100, 100, 100, 100, 100, 900}, joules[] = {9, 9, 9, 9, 9, 9};
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 6, .t_s = t, .value = watts, .options = window(1, 4)};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 300);
    ck_assert_double_eq(r.max_gap_s, 1);
    ck_assert_double_eq(r.max, 100);
    ck_assert_uint_eq(r.long_gaps, 0);
    ck_assert_int_eq(r.start_ns, ns_of(1));
    m = (metering){.rule = WS_RULE_INTERVAL, .n = 6, .t_s = t, .value = joules, .options = window(1.5, 4)};
    m.options.edges = WS_EDGES_TRIM;
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 22.5); /* 2.5 s of 9 W */
    ck_assert_uint_eq(r.samples, 3);
}
END_TEST

/* 0.1 s of the hole lies in the window; interpolated values there lie above every reading inside, the bounds must not
 * leave the energy out. */
START_TEST(bounds_hold_the_energy)
{
    const double t[] = {0, 1, 2, 3, 100}, watts[] = {100, 100, 100, 100, 1000};
    metering m = {.rule = WS_RULE_TRAPEZOID, .n = 5, .t_s = t, .value = watts, .options = window(0, 60)};
    ws_channel_summary r = meter(&m);
    ck_assert_double_le(r.bound_lo_j, r.energy_j);
    ck_assert_double_ge(r.bound_hi_j, r.energy_j);
    ck_assert_double_eq(r.bound_lo_j, 6000);
}
END_TEST

/* Of a processor's counter whose range nobody states the usual ones are 65533 J and 262143 J: the least that holds its
 * readings. 600 s at 700 W are 6 rounds of the first and one of the second, at the 500 W of memory 4 of the first.
 * Beyond them and of a GPU there are none. */
START_TEST(rounds_of_a_range_that_nobody_states)
{
    static const double t[] = {0, 600, 1200}, often[] = {0, 60, 120}, rarely[] = {0, 120, 240},
                        low[] = {40000, 43000, 46000}, high[] = {40000, 70000, 100000},
                        higher[] = {100000, 200000, 262144}, from_zero[] = {0, 3000, 6000};
    const struct {
        ws_domain domain;
        const double *t, *value;
        uint64_t rounds;
    } cases[] = {{WS_CPU, t, low, 12}, {WS_DRAM, t, low, 8},      {WS_DRAM, rarely, low, 0}, {WS_CPU, rarely, low, 2},
                 {WS_CPU, t, high, 2}, {WS_CPU, t, higher, 0},    {WS_CPU, often, low, 0},   {WS_GPU, t, low, 0},
                 {WS_NODE, t, low, 0}, {WS_CPU, t, from_zero, 12}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        metering m = {
            .rule = WS_RULE_COUNTER, .domain = cases[i].domain, .n = 3, .t_s = cases[i].t, .value = cases[i].value};
        ws_channel_summary r = meter(&m);
        ck_assert_msg(r.hidden_rounds == cases[i].rounds, "case %zu: %d rounds", i, (int)r.hidden_rounds);
        ck_assert_str_eq(ws_energy_status_name(r.status), cases[i].rounds ? "counter-gap" : "ok");
    }
}
END_TEST

/* A counter that was 0 where its first interval begins: 4 J in the first 2 s, 6 J in the 3 s after it. */
START_TEST(a_counter_that_began_with_the_log)
{
    static const double t[] = {2, 5}, j[] = {4, 10}, interval[] = {2, 3}, broken[] = {NAN, 10};
    metering m = {.rule = WS_RULE_COUNTER, .from_zero = true, .n = 2, .t_s = t, .value = j, .interval_s = interval};
    ws_channel_summary r = meter(&m);
    ck_assert_double_eq(r.energy_j, 10);
    ck_assert_double_eq(r.duration_s, 5);
    ck_assert_uint_eq(r.samples, 2);
    m.n = 1;
    ck_assert_double_eq(meter(&m).energy_j, 4);
    m.n = 2, m.options = window(2, 5);
    ck_assert_double_eq(meter(&m).energy_j, 6);
    m.options = (ws_meter_options){.has_window = false}, m.value = broken;
    ck_assert(isnan(meter(&m).energy_j)); /* the second row is no first one */
    m.value = j, m.interval_s = NULL;
    ck_assert_double_eq(meter(&m).energy_j, 6); /* where the first interval is not known, nor is the zero */
}
END_TEST

/* No package holds more than 700 W: 2000 J take it 2.86 s at least. A step of 8.7 s may hide three rounds of them, and
 * one less where it wraps; one of 2.8 s hides none. */
START_TEST(a_gap_may_hide_whole_rounds)
{
    static const double t[] = {0, 1, 2, 10.7}, rising[] = {10, 210, 410, 610}, wrapped[] = {910, 1110, 1310, 10},
                        short_t[] = {0, 1, 2, 4.8};
    ws_notes notes = {0};
    metering m = {.rule = WS_RULE_COUNTER, .range_j = 2000, .n = 4, .t_s = t, .value = rising};
    ws_channel_summary r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.energy_j, 600);
    ck_assert_double_eq(r.bound_lo_j, 600);
    ck_assert_double_eq(r.bound_hi_j, 600 + 3 * 2000);
    ck_assert_str_eq(ws_energy_status_name(r.status), "counter-gap");
    ck_note(&notes, "counter-gap", 1, 0);
    ws_notes_free(&notes);
    m.value = wrapped;
    r = meter(&m);
    ck_assert_double_eq(r.energy_j, 1100);
    ck_assert_double_eq(r.bound_hi_j, 1100 + 2 * 2000);
    m.t_s = short_t, m.value = rising;
    r = meter_notes(&m, &notes);
    ck_assert_double_eq(r.bound_hi_j, 600);
    ck_assert_str_eq(ws_energy_status_name(r.status), "ok");
    ck_assert_ptr_null(ws_notes_find(&notes, WS_FINDING_COUNTER_GAP));
    ws_notes_free(&notes);
}
END_TEST

/* A counter of 100 W, a reading a second. */
typedef struct counter_log {
    double t[120], joules[120];
    size_t n;
} counter_log;

static void add_reading(counter_log *log, double joules)
{
    log->t[log->n] = (double)log->n;
    log->joules[log->n++] = joules;
}

static ws_channel_summary meter_log(const counter_log *log, ws_domain domain, ws_notes *notes)
{
    return meter_notes(
        &(metering){.rule = WS_RULE_COUNTER, .domain = domain, .n = log->n, .t_s = log->t, .value = log->joules},
        notes);
}

/* At the end, at the start and in between it stands still for 19 s and for 20 s. */
START_TEST(a_counter_that_stands_still_is_stuck_after_20_s)
{
    for (int place = 0; place < 3; place++) {
        for (int still = 19; still <= 20; still++) {
            counter_log log = {.n = 0};
            double joules = 5000;
            for (int i = 0; i < 20 && place > 0; i++)
                add_reading(&log, joules += 100);
            for (int i = 0; i < still + (place == 0); i++)
                add_reading(&log, joules);
            for (int i = 0; i < 20 && place < 2; i++)
                add_reading(&log, joules += 100);
            ws_notes notes = {0};
            ws_channel_summary r = meter_log(&log, WS_CPU, &notes);
            ck_assert_double_eq(r.energy_j, joules - log.joules[0]);
            ck_assert_str_eq(ws_energy_status_name(r.status), still == 20 ? "stuck-counter" : "ok");
            ck_assert_double_eq(r.still_s, still == 20 ? 20 : 0);
            ck_assert_double_eq(r.bound_hi_j - r.energy_j, still == 20 ? 2000 : 0);
            ck_assert_int_eq(ws_notes_find(&notes, WS_FINDING_STUCK_COUNTER) != NULL, still == 20);
            ws_notes_free(&notes);
            ck_assert_str_eq(ws_energy_status_name(meter_log(&log, WS_CPU_GFX, NULL).status),
                             "ok"); /* may be switched off */
        }
    }
}
END_TEST

/* Three times, in the middle, at the end and at the start: what the device drew in all of them is missing. */
START_TEST(a_counter_that_stands_still_again_lacks_all_of_it)
{
    counter_log log = {.n = 0};
    double joules = 5000;
    for (int i = 0; i < 26; i++)
        add_reading(&log, joules);
    for (int time = 0; time < 2; time++) {
        for (int i = 0; i < 20; i++)
            add_reading(&log, joules += 100);
        for (int i = 0; i < 20 + time; i++)
            add_reading(&log, joules);
    }
    ws_channel_summary r = meter_log(&log, WS_CPU, NULL);
    ck_assert_str_eq(ws_energy_status_name(r.status), "stuck-counter");
    ck_assert_double_eq(r.still_s, 25 + 20 + 21);
    ck_assert_double_eq(r.bound_hi_j - r.energy_j, 6600);
}
END_TEST

/* Old readings for half a minute, and then one that holds the energy of that time, or less than half of it. Powers are
 * kept to a fifth. */
START_TEST(a_counter_that_catches_up_is_not_stuck)
{
    static const struct {
        double share;
        const char *status;
    } cases[] = {{1, "ok"}, {0.65, "ok"}, {0.49, "stuck-counter"}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        for (int lead = 0; lead < 2; lead++) {
            counter_log log = {.n = 0};
            double joules = 5000;
            for (int i = 0; i < 20 && !lead; i++)
                add_reading(&log, joules += 100);
            for (int i = 0; i < 30; i++)
                add_reading(&log, joules);
            add_reading(&log, joules += (lead ? 30 : 31) * 100 * cases[c].share); /* s since it moved last */
            for (int i = 0; i < 20; i++)
                add_reading(&log, joules += 100);
            const char *status = ws_energy_status_name(meter_log(&log, WS_CPU, NULL).status);
            ck_assert_msg(strcmp(status, cases[c].status) == 0, "%g, %d: %s", cases[c].share, lead, status);
        }
    }
}
END_TEST

/* A meter of whole watt hours at 100 W rises each 36 s; one that never did shows the same all the time. */
START_TEST(a_coarse_counter_is_not_stuck)
{
    counter_log log = {.n = 0}, never = {.n = 0}, off = {.n = 0};
    for (int i = 0; i < 100; i++) {
        add_reading(&log, 3600 * floor(10 + i / 36.0));
        add_reading(&never, 36000);
        add_reading(&off, 0);
    }
    ck_assert_str_eq(ws_energy_status_name(meter_log(&log, WS_NODE, NULL).status), "ok");
    ck_assert_str_eq(ws_energy_status_name(meter_log(&never, WS_NODE, NULL).status), "stuck-counter");
    ck_assert_str_eq(ws_energy_status_name(meter_log(&off, WS_GPU, NULL).status), "ok"); /* the second die of a card */
}
END_TEST

/* 30 readings 4 s apart that rise, then some that do not: with the last one that rose ten are the same. */
START_TEST(a_counter_is_stuck_in_ten_readings)
{
    for (int still = 8; still <= 9; still++) {
        double t[40], joules[40];
        for (int i = 0; i < 30 + still; i++) {
            t[i] = 4 * i;
            joules[i] = i ? 5000 + 400 * fmin(i, 29) : 5399; /* a fine one: its first rise is 1 J */
        }
        ws_channel_summary r = meter(
            &(metering){.rule = WS_RULE_COUNTER, .domain = WS_CPU, .n = 30 + (size_t)still, .t_s = t, .value = joules});
        ck_assert_str_eq(ws_energy_status_name(r.status), still == 9 ? "stuck-counter" : "ok");
    }
}
END_TEST

/* One that rises by 1 kJ from reading to reading, 10 s apart, and then for 80 and 90 s not. */
START_TEST(a_steady_counter_is_stuck_in_ten_readings)
{
    for (int still = 8; still <= 9; still++) {
        double t[40], joules[40];
        for (int i = 0; i < 21 + still; i++) {
            t[i] = 10 * i;
            joules[i] = 5000 + 1000 * fmin(i, 20);
        }
        ws_channel_summary r = meter(
            &(metering){.rule = WS_RULE_COUNTER, .domain = WS_CPU, .n = 21 + (size_t)still, .t_s = t, .value = joules});
        ck_assert_str_eq(ws_energy_status_name(r.status), still == 9 ? "stuck-counter" : "ok");
    }
}
END_TEST

/* The same, read more often once it stands: 40 s are four of its rises. */
START_TEST(a_steady_counter_is_stuck_after_four_rises)
{
    for (int more = 0; more <= 1; more++) {
        double t[40], joules[40];
        for (int i = 0; i < 31; i++) {
            t[i] = i <= 20 ? 10 * i : 200 + (i - 20) * (more ? 4.1 : 3.9);
            joules[i] = 5000 + 1000 * fmin(i, 20);
        }
        ws_channel_summary r =
            meter(&(metering){.rule = WS_RULE_COUNTER, .domain = WS_CPU, .n = 31, .t_s = t, .value = joules});
        ck_assert_str_eq(ws_energy_status_name(r.status), more ? "stuck-counter" : "ok");
    }
}
END_TEST

/* Rises of 300 J at 100 W, one each 3 s: 29 s without one may be chance, 31 s are not. */
START_TEST(a_coarse_counter_is_stuck_after_ten_rises)
{
    for (int still = 29; still <= 31; still += 2) {
        counter_log log = {.n = 0};
        for (int i = 0; i < 61; i++)
            add_reading(&log, 3000 + 300 * floor(i / 3.0));
        for (int i = 0; i < still; i++)
            add_reading(&log, 3000 + 300 * 20);
        ck_assert_str_eq(ws_energy_status_name(meter_log(&log, WS_NODE, NULL).status),
                         still == 31 ? "stuck-counter" : "ok");
    }
}
END_TEST

/* Reads that failed before the first that did not: a step from zero of more than twice the largest other one. */
START_TEST(a_first_step_from_zero_may_come_of_failed_reads)
{
    static const struct {
        double first_j;
        uint64_t failed;
    } cases[] = {{90, 0}, {179, 0}, {181, 2}, {999, 2}, {262000, 2}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        counter_log log = {.n = 0};
        ws_notes notes = {0};
        add_reading(&log, 0);
        add_reading(&log, 0);
        for (int i = 0; i < 10; i++)
            add_reading(&log, cases[c].first_j + 90 * i);
        ws_channel_summary r = meter_log(&log, WS_CPU, &notes);
        double rest = cases[c].failed ? 810 : cases[c].first_j + 810;
        ck_assert_double_eq(r.energy_j, rest);
        ck_assert_uint_eq(r.missing, cases[c].failed);
        ck_assert_double_eq(r.duration_s, cases[c].failed ? 9 : 11);
        const ws_note *note = ws_notes_find(&notes, WS_FINDING_ZERO_READ);
        ck_assert(cases[c].failed ? note && note->count == 2 && note->line == 1 : !note);
        ws_notes_free(&notes);
    }
}
END_TEST

/* A counter of this range in steps of these powers, a second each, then over its end with the power `wrap_w`, and on.
 */
static ws_channel_summary wrap_after(double range_j, const double *steps_w, int n, double wrap_w)
{
    static double t[64], joules[64];
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += steps_w[i];
    joules[0] = range_j * 0.95 - sum;
    for (int i = 0; i <= n + 2; i++)
        t[i] = i;
    for (int i = 1; i <= n; i++)
        joules[i] = joules[i - 1] + steps_w[i - 1];
    joules[n + 1] = joules[n] + wrap_w - range_j;
    joules[n + 2] = joules[n + 1] + steps_w[0];
    return meter(
        &(metering){.rule = WS_RULE_COUNTER, .range_j = range_j, .n = (size_t)n + 3, .t_s = t, .value = joules});
}

/* Up to ten times the usual power, twice the highest, and 10 kW. */
START_TEST(what_power_a_wrap_may_mean)
{
    enum { FEW = 6, MANY = 40 };
    double even[FEW], large[FEW], peak[MANY];
    for (int i = 0; i < MANY; i++)
        peak[i] = i == 7 ? 1500 : 10; /* 49 W in the mean */
    for (int i = 0; i < FEW; i++)
        even[i] = 100, large[i] = 2000;
    const struct {
        const double *steps_w;
        int n;
        double range_j, wrap_w;
        bool is_wrap;
    } cases[] = {{even, FEW, 1e4, 900, true},    {even, FEW, 1e4, 1200, false}, {peak, MANY, 1e5, 2000, true},
                 {peak, MANY, 1e5, 4000, false}, {large, FEW, 4e5, 9000, true}, {large, FEW, 4e5, 12000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double sum = cases[i].steps_w[0];
        for (int k = 0; k < cases[i].n; k++)
            sum += cases[i].steps_w[k];
        ws_channel_summary r = wrap_after(cases[i].range_j, cases[i].steps_w, cases[i].n, cases[i].wrap_w);
        ck_assert_msg(r.wraps.count == cases[i].is_wrap && r.resets.count == !cases[i].is_wrap, "%g W",
                      cases[i].wrap_w);
        if (cases[i].is_wrap)
            ck_close(r.energy_j, sum + cases[i].wrap_w, 1e-12, 0);
    }
}
END_TEST

START_TEST(every_wrap_counts)
{
    static const double t[] = {0, 1, 2, 3, 4, 5, 6, 7}, joules[] = {850, 950, 50, 550, 650, 750, 850, 950};
    static const double thrice[] = {350, 850, 350, 850, 350, 850, 350, 850}; /* 500 W, a range of 1000 J */
    ws_channel_summary r =
        meter(&(metering){.rule = WS_RULE_COUNTER, .range_j = 1000, .n = 8, .t_s = t, .value = thrice});
    ck_assert_uint_eq(r.wraps.count, 3);
    ck_assert_double_eq(r.energy_j, 3500);
    r = meter(&(metering){.rule = WS_RULE_COUNTER, .range_j = 1000, .n = 8, .t_s = t, .value = joules});
    ck_assert_uint_eq(r.wraps.count, 1);
    ck_assert_double_eq(r.energy_j, 1100);
}
END_TEST

/* 100 W for 30 s, then stamp and counter go back together and on for five seconds: by 5 s the stretch counts once, by
 * 20 s, a long gap, the clock was set and what follows is new. */
START_TEST(how_far_a_counter_goes_back_with_its_clock)
{
    for (int back = 5; back <= 20; back += 15) {
        double t[36], joules[36];
        for (int i = 0; i <= 35; i++) {
            t[i] = i <= 30 ? i : i - 1 - back;
            joules[i] = 1000 + 100 * t[i];
        }
        ws_channel_summary r =
            meter(&(metering){.rule = WS_RULE_COUNTER, .range_j = 0, .n = 36, .t_s = t, .value = joules});
        ck_assert_double_eq(r.energy_j, back == 5 ? 3000 - 500 + 400 : 3000 + 400);
    }
}
END_TEST

/* What late intervals hold beyond the usual one, at 100 W. */
static double late_of(size_t n, double usual_s, size_t n_late, double late_s)
{
    static double t[METERING_MOST], watts[METERING_MOST];
    ck_assert_uint_lt(n + n_late, METERING_MOST);
    watts[0] = 100;
    for (size_t i = 1; i <= n + n_late; i++) {
        t[i] = t[i - 1] + (i > 10 && i <= 10 + n_late ? late_s : usual_s);
        watts[i] = 100;
    }
    return meter(&(metering){.rule = WS_RULE_TRAPEZOID, .n = n + n_late + 1, .t_s = t, .value = watts}).late_j;
}

/* Five quarters of an octave, as buckets have them: from 2^31 ns on where the usual one is 1 s. A second and more: from
 * 1.75 x 2^29 ns on. And in less than one of a hundred. */
START_TEST(what_a_late_interval_is)
{
    ck_assert_double_eq(late_of(400, 1, 2, 2.14), 0);
    ck_close(late_of(400, 1, 2, 2.15), 2 * 115, 1e-9, 0);
    ck_assert_double_eq(late_of(400, 0.35, 2, 0.93), 0);
    ck_close(late_of(400, 0.35, 2, 0.95), 2 * 60, 1e-9, 0);
    ck_assert_double_eq(late_of(300, 1, 3, 2.5), 0);
    ck_close(late_of(301, 1, 3, 2.5), 3 * 150, 1e-9, 0);
}
END_TEST

/* J lost in `zeros` rows of 0 J, of 40 rows a second apart of 100 J; each row behind one has `behind_j`, and one row
 * has most_j. */
static double lost_in(int zeros, double behind_j, double most_j)
{
    enum { ROWS = 40, EVERY = 4 };
    double t[ROWS], joules[ROWS];
    for (int i = 0; i < ROWS; i++) {
        t[i] = i;
        joules[i] = i % EVERY == 1 && i / EVERY < zeros ? 0 : i % EVERY == 2 && i / EVERY < zeros ? behind_j : 100;
    }
    joules[0] = most_j;
    return meter(&(metering){.rule = WS_RULE_INTERVAL, .n = ROWS, .t_s = t, .value = joules}).lost_j;
}

/* Twice and more; in at most one row of five; unless the rows behind make up for half of it; and a row of about twice
 * what stands behind (within a hundredth) is a coarse counter's. */
START_TEST(rows_of_0_j)
{
    ck_assert_double_eq(lost_in(1, 100, 130), 0);
    ck_close(lost_in(2, 100, 130), 2 * (36 * 100 + 30) / 36.0 + 2 * 30 / 36.0, 1e-9, 0);
    ck_assert_double_gt(lost_in(8, 100, 130), 0);
    ck_assert_double_eq(lost_in(9, 100, 130), 0);
    ck_assert_double_gt(lost_in(4, 154, 190), 0);
    ck_assert_double_eq(lost_in(4, 155, 190), 0);
    ck_assert_double_eq(lost_in(4, 100, 200.9), 0);
    ck_assert_double_gt(lost_in(4, 100, 201.1), 0);
}
END_TEST

TEST_MAIN("meter edges", a_long_gap_is_bridged_and_bounded, a_long_gap_is_left_out_on_demand,
          a_long_gap_is_refused_on_demand, a_counter_knows_what_a_gap_held, a_short_gap_is_no_finding,
          failed_reads_of_a_counter_are_stepped_over, a_counter_may_begin_at_zero, wraps_are_undone,
          a_failed_read_may_hide_a_wrap, a_restart_is_no_wrap, a_wrap_of_many_times_the_usual_power_is_a_restart,
          rows_of_a_counter_that_changed_places, rows_that_changed_places_at_a_wrap, a_counter_whose_clock_was_set,
          a_fall_at_a_repeated_stamp, a_counter_may_slip, a_counter_may_be_set,
          a_counter_may_be_stuck_until_it_begins_again, a_counter_may_be_stuck_until_it_wraps,
          a_wrap_of_a_busy_quarter_in_an_idle_log, missing_cells_of_a_counter_lose_nothing,
          a_window_cuts_inside_an_interval, a_window_around_one_sample, a_window_reaches_beyond_the_trace, held_edges,
          counters_are_not_held, one_sample_in_a_window, a_window_beside_the_trace_holds_nothing,
          a_window_leaves_the_rest_out, bounds_hold_the_energy, a_counter_that_began_with_the_log,
          a_gap_may_hide_whole_rounds, rounds_of_a_range_that_nobody_states, what_power_a_wrap_may_mean,
          every_wrap_counts, how_far_a_counter_goes_back_with_its_clock,
          a_counter_that_stands_still_is_stuck_after_20_s, a_counter_that_stands_still_again_lacks_all_of_it,
          a_counter_that_catches_up_is_not_stuck, a_coarse_counter_is_not_stuck, a_counter_is_stuck_in_ten_readings,
          a_steady_counter_is_stuck_in_ten_readings, a_steady_counter_is_stuck_after_four_rises,
          a_coarse_counter_is_stuck_after_ten_rises, a_first_step_from_zero_may_come_of_failed_reads,
          what_a_late_interval_is, rows_of_0_j)
