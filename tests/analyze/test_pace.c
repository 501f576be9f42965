/* Logs of several paces: a reading a second under load, one in ten seconds at rest. */
#include "one_log.h"

#include "analyze/measure/meter_internal.h"

#include <math.h>
#include <string.h>

/* --- any cut gives the same --- */

static uint32_t state = 1;

static uint32_t next_random(uint32_t below)
{
    state = (uint32_t)((uint64_t)state * 48271 % 2147483647);
    return state % below;
}

static void push(ws_pace *pace, const int64_t *t_ns, size_t n)
{
    ws_pace_push(pace, &(ws_block){.n = n, .t_ns = t_ns});
}

static void ck_same_run(const ws_pace_run *a, const ws_pace_run *b)
{
    ck_assert(a->n == b->n);
    if (a->n)
        ck_assert(a->from_ns == b->from_ns && a->to_ns == b->to_ns && a->first_ns == b->first_ns &&
                  a->last_ns == b->last_ns);
}

START_TEST(any_cut_has_the_same_paces)
{
    enum { N = 60 };
    static const int64_t steps[] = {100, 140, 160, 1000, 1400, 0, -500};
    for (int round = 0; round < 4000; round++) {
        int64_t t_ns[N], at = 0;
        for (int i = 0, kind = 0; i < N; i++) {
            kind = next_random(3) ? kind : (int)next_random(7);
            t_ns[i] = at += steps[kind] + (int64_t)next_random(20);
        }
        ws_pace whole = {0}, cut = {0};
        for (size_t i = 0; i < N; i++)
            push(&whole, t_ns + i, 1);
        for (size_t i = 0, n; i < N; i += n) {
            ws_pace part = {0};
            n = 1 + next_random(25);
            n = n < N - i ? n : N - i;
            size_t half = next_random((uint32_t)n + 1);
            push(&part, t_ns + i, half);
            push(&part, t_ns + i + half, n - half);
            ws_pace_merge(&cut, &part);
            ws_pace_free(&part);
        }
        ck_assert(whole.first_t == cut.first_t && whole.last_t == cut.last_t && whole.n_buckets == cut.n_buckets);
        ck_same_run(&whole.first, &cut.first);
        ck_same_run(&whole.last, &cut.last);
        for (size_t i = 0; i < whole.n_buckets; i++)
            ck_assert(whole.buckets[i].quarter_octave == cut.buckets[i].quarter_octave &&
                      whole.buckets[i].ns == cut.buckets[i].ns);
        ws_pace_free(&whole);
        ws_pace_free(&cut);
    }
}
END_TEST

/* --- what it means for an energy --- */

/* Load of 200 W for a minute by turns with rest of 30 W, in which the log reads `rest_steps` times, rest_s apart; or as
 * often as under load, with so many rows lost. */
typedef struct logger {
    double rest_s;
    int rest_steps;
    double jitter; /* of the steps at rest */
} logger;

static double true_j;

static ws_energy_verdict read_by(ws_quantity quantity, ws_rule rule, bool has_interval, const logger *l, double rest_w)
{
    ws_channel channel = channel_of_gpu(quantity, rule);
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel);
    double t_s = 0;
    int64_t line = 2;
    true_j = 0;
    for (int round = 0; round < 6; round++)
        for (int i = 0; i < 60 + l->rest_steps; i++) {
            bool rests = i >= 60;
            double step_s = rests ? l->rest_s * (1 + l->jitter * sin(i * 2.1)) : 1;
            double power_w = (rests ? rest_w : 200) + sin((double)line * 0.7);
            t_s += step_s;
            true_j += power_w * step_s;
            int64_t interval_ns = (int64_t)(step_s * 1e9);
            push_row(&sink, id, (int64_t)(t_s * 1e9), quantity == WS_POWER ? power_w : power_w * step_s,
                     has_interval ? &interval_ns : NULL, line++);
        }
    return finish_log();
}

START_TEST(a_logger_that_reads_rarely_at_rest_has_no_gaps)
{
    static const struct {
        logger l;
        bool is_pace;
    } cases[] = {{{10, 6, 0.01}, true}, {{10, 3, 0.01}, true}, {{10, 2, 0.01}, false},
                 {{20, 6, 0.01}, true}, {{10, 6, 0.19}, true}, {{10, 6, 0.9}, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const logger *l = &cases[c].l;
        ws_energy_verdict powers = read_by(WS_POWER, WS_RULE_TRAPEZOID, false, l, 30);
        ck_assert_msg((powers == WS_ENERGY_VERDICT_OK) == cases[c].is_pace, "case %zu: %d", c, (int)powers);
        ck_assert_int_eq(measure.devices[0].energy->summary.long_gaps == 0, cases[c].is_pace);
        ws_energy_verdict means = read_by(WS_POWER, WS_RULE_RECTANGLE, true, l, 30);
        ck_assert_msg((means == WS_ENERGY_VERDICT_OK) == cases[c].is_pace, "case %zu: %d", c, (int)means);
    }
}
END_TEST

START_TEST(energies_of_rare_rows_are_not_lost)
{
    static const struct {
        logger l;
        double rest_w;
        bool is_ok;
    } cases[] = {{{10, 6, 0.01}, 30, true},
                 {{5, 6, 0.01}, 30, true},
                 {{10, 1, 0.01}, 20, false}, /* as a row that is left of ten */
                 {{10, 1, 0.01}, 60, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_energy_verdict got = read_by(WS_ENERGY_INTERVAL, WS_RULE_INTERVAL, false, &cases[c].l, cases[c].rest_w);
        ck_assert_msg((got == WS_ENERGY_VERDICT_OK) == cases[c].is_ok, "case %zu: %d", c, (int)got);
        ck_assert_double_eq_tol(measure.devices[0].energy->summary.energy_j, true_j, 1);
    }
}
END_TEST

/* A pace of just as many quarter octaves as make a gap long elsewhere. */
START_TEST(steps_of_a_pace_are_shorter_than_a_long_gap)
{
    int64_t step_ns = 1000000000, tick_ns = 10000000;
    int usual = ws_quarter_octave(step_ns);
    while (ws_quarter_octave(step_ns) < usual + WS_LONG_GAP_QUARTER_OCTAVES)
        step_ns += tick_ns;
    step_ns += tick_ns; /* off the edge */
    logger l = {(double)step_ns / 1e9, 6, 0};
    ck_assert_int_eq(read_by(WS_POWER, WS_RULE_TRAPEZOID, false, &l, 30), WS_ENERGY_VERDICT_OK);
    ck_assert_int_gt(measure.devices[0].energy->summary.long_ns, step_ns);
}
END_TEST

/* A real gap stays one in a log of two paces. */
START_TEST(a_gap_beside_two_paces_is_told)
{
    ws_channel channel = channel_of_gpu(WS_POWER, WS_RULE_TRAPEZOID);
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel);
    double t_s = 0;
    for (int i = 0; i < 300; i++) {
        t_s += i == 150 ? 300 : i / 30 % 2 ? 10 : 1;
        push_row(&sink, id, (int64_t)(t_s * 1e9), (i / 30 % 2 ? 30 : 200) + sin(i * 0.7), NULL, i + 2);
    }
    ck_assert(finish_log() != WS_ENERGY_VERDICT_OK);
    ck_assert_uint_eq(measure.devices[0].energy->summary.long_gaps, 1);
}
END_TEST

TEST_MAIN("pace", any_cut_has_the_same_paces, steps_of_a_pace_are_shorter_than_a_long_gap,
          a_logger_that_reads_rarely_at_rest_has_no_gaps, energies_of_rare_rows_are_not_lost,
          a_gap_beside_two_paces_is_told)
