/* Rows that hold the energy or the mean power of their intervals: those that are lost, and those that come twice. 100 W
 * throughout but for 1 % to and fro, so that the true energy follows from the time. */
#include "one_log.h"

#include <math.h>

enum { MOST = 1000 };

static struct row {
    int64_t t_ns, interval_ns;
    double value;
} rows[MOST];
static size_t n;

static double watts(size_t i)
{
    return 100 + sin((double)i * 0.7);
}

static void add(double t_s, double interval_s, double value)
{
    rows[n++] = (struct row){(int64_t)(t_s * 1e9), (int64_t)(interval_s * 1e9), value};
}

static const ws_channel_summary *read_as(ws_rule rule, bool has_interval, bool are_windows)
{
    ws_channel channel = {.device = "cpu0",
                          .identity = "index",
                          .column = "e",
                          .domain = WS_CPU,
                          .quantity = rule == WS_RULE_INTERVAL ? WS_ENERGY_INTERVAL : WS_POWER,
                          .rule = rule,
                          .are_windows = are_windows,
                          .time = WS_TIME_UTC};
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel);
    for (size_t i = 0; i < n; i++)
        push_row(&sink, id, rows[i].t_ns, rows[i].value, has_interval ? &rows[i].interval_ns : NULL, (int64_t)i + 2);
    finish_log();
    n = 0;
    return &measure.devices[0].energy->summary;
}

/* Energies of each second, without those that `is_lost` names. */
static void add_seconds(int seconds, bool (*is_lost)(int))
{
    for (int i = 0; i < seconds; i++)
        if (!is_lost(i))
            add(i, 1, watts((size_t)i));
}

static bool one_in_20(int i)
{
    return i % 20 == 7;
}

static bool three_of_400(int i)
{
    return i == 50 || i == 150 || i == 250;
}

static bool a_stretch(int i)
{
    return i >= 100 && i < 200;
}

static bool none(int i)
{
    return i < 0;
}

START_TEST(energies_of_lost_rows_are_told)
{
    static const struct {
        bool (*is_lost)(int);
        double lost_s;
        ws_energy_verdict wanted;
    } cases[] = {{none, 0, WS_ENERGY_VERDICT_OK},
                 {three_of_400, 3, WS_ENERGY_VERDICT_OK}, /* less than 1 % */
                 {one_in_20, 20, WS_ENERGY_VERDICT_DOUBTFUL},
                 {a_stretch, 100, WS_ENERGY_VERDICT_UNUSABLE}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int stated = 0; stated < 2; stated++) {
            add_seconds(400, cases[c].is_lost);
            const ws_channel_summary *r = read_as(WS_RULE_INTERVAL, stated, false);
            ck_assert_double_eq_tol(r->lost_s, cases[c].lost_s, 0.5);
            ck_assert_double_eq_tol(r->lost_j, 100 * cases[c].lost_s, 50);
            ck_assert(verdict() == cases[c].wanted);
            ck_assert(!cases[c].lost_s == !ws_notes_find(&notes, WS_FINDING_LOST_INTERVAL));
            if (cases[c].lost_s > 0) /* the interval holds what is true */
                ck_assert_double_ge(r->energy_hi_j, 39900);
        }
}
END_TEST

/* A reader that is late, or reads rarely, has the energy of the whole step. */
START_TEST(long_steps_that_hold_their_energy_are_not_told)
{
    double t_s = 0;
    for (size_t i = 0; i < 400; i++) {
        double step_s = i % 20 == 7 ? 3 : i % 50 == 9 ? 20 : 1;
        add(t_s += step_s, step_s, watts(i) * step_s);
    }
    ck_assert_double_eq(read_as(WS_RULE_INTERVAL, false, false)->lost_s, 0);
    ck_assert(verdict() == WS_ENERGY_VERDICT_OK);
}
END_TEST

/* 1.45 s are no second that is lost, whatever they hold. */
START_TEST(a_step_that_is_less_than_two_is_not_told)
{
    double t = 0;
    for (int i = 0; i < 300; i++) {
        t += i % 10 == 7 ? 1.45 : 1;
        add(t, 1, watts((size_t)i));
    }
    const ws_channel_summary *r = read_as(WS_RULE_INTERVAL, false, false);
    ck_assert_uint_eq(r->lost_steps, 0);
    ck_assert_double_eq(r->lost_j, 0);
}
END_TEST

/* One long step among 400 of a second. What it holds, in energies of a second: it has lost rows where it holds about
 * one, a quarter more or half of it at least; and up to two where readings vary by a fifth and more. */
START_TEST(a_step_of_low_power_is_judged_by_what_it_holds)
{
    static const struct {
        double step_s, energies, varies;
        bool is_lost;
    } cases[] = {{10, 1.97, 0.4, true}, {10, 2.03, 0.4, false}, {2, 1.47, 0.4, true},  {2, 1.53, 0.4, false},
                 {1.3, 0.9, 0, false},  {1.8, 1, 0, true},      {10, 1.23, 0, true},   {10, 1.27, 0, false},
                 {10, 0.52, 0, true},   {10, 0.48, 0, false},   {10, 1.38, 0.1, true}, {10, 1.43, 0.1, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double t_s = 0;
        for (size_t i = 0; i < 400; i++) {
            bool is_long = i == 200;
            double usual_j = watts(i) * (1 + (i % 2 ? 1 : -1) * cases[c].varies);
            add(t_s += is_long ? cases[c].step_s : 1, 1, is_long ? 100 * cases[c].energies : usual_j);
        }
        const ws_channel_summary *r = read_as(WS_RULE_INTERVAL, false, false);
        ck_assert_msg((r->lost_s > 0) == cases[c].is_lost, "%g s with %g", cases[c].step_s, cases[c].energies);
    }
}
END_TEST

/* Four steps of 2 s that hold the energy of one, among late ones of 3 s that hold their own: all together lack more
 * than a tenth of the power, or less. */
START_TEST(a_reader_that_is_often_late_meets_pauses)
{
    for (size_t late = 10; late <= 12; late += 2) {
        double t_s = 0;
        for (size_t i = 0; i < 400; i++) {
            bool is_late = i >= 100 && i % 20 == 0 && (i - 100) / 20 < late;
            double step_s = i < 4 * 20 && i % 20 == 7 ? 2 : is_late ? 3 : 1;
            add(t_s += step_s, step_s, step_s > 2 ? 300 : 100 + 0.01 * (double)(i % 3));
        }
        ck_assert((read_as(WS_RULE_INTERVAL, false, false)->lost_s > 0) == (late == 10));
    }
}
END_TEST

/* Mean powers over stated lengths, where rows are missing: of a log, and of windows that a program chose. */
START_TEST(stated_lengths_add_up_to_the_time)
{
    for (int are_windows = 0; are_windows < 2; are_windows++) {
        add_seconds(400, one_in_20);
        const ws_channel_summary *r = read_as(WS_RULE_RECTANGLE, true, are_windows);
        ck_assert_double_eq_tol(r->energy_j, 38000, 50);
        ck_assert_double_eq_tol(r->lost_s, are_windows ? 0 : 20, 1e-9);
        ck_assert(verdict() == (are_windows ? WS_ENERGY_VERDICT_OK : WS_ENERGY_VERDICT_DOUBTFUL));
        ck_assert(are_windows || r->energy_hi_j >= 40000);
    }
    for (int i = 0; i < 400; i++) /* a clock that reads 10 ms late, or a whole interval */
        add(i + (i < 200 ? 0 : 0.99), 1, watts((size_t)i));
    ck_assert_double_eq(read_as(WS_RULE_RECTANGLE, true, false)->lost_s, 0);
    for (int i = 0; i < 400; i++)
        add(i + (i < 200 ? 0 : 1.01), 1, watts((size_t)i));
    ck_assert_double_eq_tol(read_as(WS_RULE_RECTANGLE, true, false)->lost_s, 1.01, 1e-9);
}
END_TEST

/* Rows that were written twice; two rows of half a second under the stamps of whole seconds; whole joules. */
START_TEST(energies_that_come_twice_are_told)
{
    static const struct {
        int every;
        double apart, scale;
        ws_energy_verdict wanted;
    } cases[] = {{1, 0, 1.001, WS_ENERGY_VERDICT_UNUSABLE},
                 {20, 0, 1.001, WS_ENERGY_VERDICT_DOUBTFUL},
                 {200, 0, 1.001, WS_ENERGY_VERDICT_OK},
                 {1, 0.01, 1, WS_ENERGY_VERDICT_OK},
                 {1, 0, 0, WS_ENERGY_VERDICT_OK}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int i = 0; i < 400; i++) {
            double value = cases[c].scale > 0 ? watts((size_t)i) * cases[c].scale : 100 + i % 3;
            add(i, 1, value);
            if (i % cases[c].every == 0)
                add(i, 0, value + cases[c].apart);
        }
        const ws_channel_summary *r = read_as(WS_RULE_INTERVAL, false, false);
        ck_assert_msg(verdict() == cases[c].wanted, "case %zu", c);
        if (cases[c].scale > 1) /* each row once */
            ck_assert_double_le(r->energy_lo_j, 40100);
    }
    for (int whole = 0; whole < 2; whole++) { /* 999 J may come again, 1000 J do not */
        for (int i = 0; i < 800; i++)
            add(i / 2, 1, 999 + whole);
        read_as(WS_RULE_INTERVAL, false, false);
        ck_assert(verdict() == (whole ? WS_ENERGY_VERDICT_UNUSABLE : WS_ENERGY_VERDICT_OK));
    }
    for (int differ = 199; differ < 202; differ += 2) { /* more than half of the rows under a repeated stamp */
        for (int i = 0; i < 400; i++) {
            add(i, 1, watts((size_t)i));
            add(i, 0, watts((size_t)i) + (i < differ ? 0.01 : 0));
        }
        read_as(WS_RULE_INTERVAL, false, false);
        ck_assert(verdict() == (differ < 200 ? WS_ENERGY_VERDICT_UNUSABLE : WS_ENERGY_VERDICT_OK));
    }
}
END_TEST

TEST_MAIN("lost intervals", a_reader_that_is_often_late_meets_pauses, energies_of_lost_rows_are_told,
          long_steps_that_hold_their_energy_are_not_told, a_step_that_is_less_than_two_is_not_told,
          a_step_of_low_power_is_judged_by_what_it_holds, stated_lengths_add_up_to_the_time,
          energies_that_come_twice_are_told)
