/* Sensors and counters that stand still for some seconds, again and again. A reading a second unless said, of 100 to
 * 300 W. */
#include "one_log.h"

#include <math.h>

enum { MOST = 4000 };

static double load_w(double t_s)
{
    return 200 + 80 * sin(t_s * 0.7) + 15 * sin(t_s * 2.9);
}

/* In each `every_s` the readings of so many seconds stand still. */
typedef struct stalls {
    double every_s, for_s, poll_s;
    int times; /* only so often; 0: throughout */
} stalls;

static bool is_still(const stalls *s, double t_s)
{
    double at = fmod(t_s, s->every_s);
    return s->for_s > 0 && t_s >= s->every_s && at < s->for_s && (!s->times || t_s < (1 + s->times) * s->every_s);
}

/* --- powers --- */

static ws_energy_verdict of_powers(const stalls *s, double step_w, double refresh_s)
{
    ws_channel channel = channel_of_gpu(WS_POWER, WS_RULE_TRAPEZOID);
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel);
    double shown = 0;
    for (int i = 0; i * s->poll_s < 400; i++) {
        double t_s = i * s->poll_s, at_s = refresh_s > 0 ? floor(t_s / refresh_s) * refresh_s : t_s;
        shown = is_still(s, t_s) && shown > 0 ? shown : rint(load_w(at_s) / step_w) * step_w;
        push_row(&sink, id, (int64_t)(t_s * 1e9), shown, NULL, i + 2);
    }
    return finish_log();
}

START_TEST(powers_that_stand_still_again_and_again)
{
    static const struct {
        stalls s;
        double step_w, refresh_s;
        bool is_told;
    } cases[] = {{{20, 9, 1, 0}, 0.01, 0, true},    {{20, 5, 1, 0}, 0.01, 0, true}, /* 5 s from the one before */
                 {{20, 4, 1, 0}, 0.01, 0, false},   {{20, 9, 1, 2}, 0.01, 0, false},
                 {{20, 9, 1, 3}, 0.01, 0, true},    {{20, 9, 0.1, 0}, 0.01, 0, true},
                 {{20, 7, 2.5, 0}, 0.01, 0, false}, /* four readings */
                 {{20, 9, 1, 0}, 0.1, 0, false},    {{20, 0, 1, 0}, 0.01, 0, false},
                 {{20, 0, 1, 0}, 0.01, 8, false}}; /* a slow sensor */
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_energy_verdict got = of_powers(&cases[c].s, cases[c].step_w, cases[c].refresh_s);
        ck_assert_msg((ws_notes_find(&notes, WS_FINDING_STUCK_SENSOR) != NULL) == cases[c].is_told, "case %zu", c);
        ck_assert_msg((got == WS_ENERGY_VERDICT_OK) == !cases[c].is_told, "case %zu: %d", c, (int)got);
    }
}
END_TEST

/* A sensor that shows each of forty values for ten seconds, and one of them for so long. */
static bool is_stuck_for(int still_s)
{
    enum { VALUES = 40, SHOWN_S = 10, LONG_ONE = 20 };
    ws_channel channel = channel_of_gpu(WS_POWER, WS_RULE_TRAPEZOID);
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel), row = 0;
    for (int v = 0; v < VALUES; v++)
        for (int k = v == LONG_ONE ? still_s : SHOWN_S; k; k--, row++)
            push_row(&sink, id, row * S, rint(load_w(10 * v) * 100) / 100, NULL, row + 2);
    finish_log();
    return ws_notes_find(&notes, WS_FINDING_STUCK_SENSOR);
}

/* From its first reading to its last one a value stands still for a second less than it is shown; the mean value is
 * shown for 10.4 s. */
START_TEST(a_slow_sensor_is_stuck_after_two_refreshes_and_a_half)
{
    ck_assert(!is_stuck_for(26) && is_stuck_for(28));
}
END_TEST

/* --- counters --- */

static ws_channel channel_of_energies(ws_domain domain, ws_quantity quantity, ws_rule rule)
{
    return (ws_channel){.device = "d0",
                        .identity = "index",
                        .column = "e",
                        .domain = domain,
                        .quantity = quantity,
                        .rule = rule,
                        .time = WS_TIME_UTC};
}

/* Refreshed each refresh_s, in counts of so many joules. What a stall leaves out is lost, or comes at its end. */
static ws_energy_verdict of_counter(const stalls *s, double refresh_s, double count_j, bool catches_up, double *lost_j)
{
    static const double grain_s = 0.01;
    ws_channel channel = channel_of_energies(WS_CPU, WS_ENERGY_COUNTER, WS_RULE_COUNTER);
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel), row = 0;
    double true_j = 1000, counted_j = 1000, seen_j = 1000;
    for (int i = 0; i * grain_s < 400; i++) {
        double t_s = i * grain_s;
        bool stands = is_still(s, t_s);
        true_j += load_w(t_s) * grain_s;
        counted_j = stands ? counted_j : catches_up ? true_j : counted_j + load_w(t_s) * grain_s;
        bool is_refreshed = refresh_s <= grain_s || i % (int)lround(refresh_s / grain_s) == 0;
        seen_j = is_refreshed ? floor(counted_j / count_j) * count_j : seen_j;
        if (i % (int)lround(s->poll_s / grain_s) == 0)
            push_row(&sink, id, (int64_t)(t_s * 1e9), rint(seen_j * 1e6) / 1e6, NULL, ++row + 1);
    }
    *lost_j = true_j - 1000 - (seen_j - 1000);
    return finish_log();
}

START_TEST(counters_that_stand_still_again_and_again)
{
    static const struct {
        stalls s;
        double refresh_s, count_j;
        bool catches_up;
        ws_energy_verdict wanted;
    } cases[] = {{{20, 3, 1, 0}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_DOUBTFUL},
                 {{20, 3, 0.1, 0}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_DOUBTFUL},
                 {{20, 8, 1, 0}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_UNUSABLE},
                 {{20, 3, 1, 0}, 0.01, 1e-6, true, WS_ENERGY_VERDICT_OK},
                 {{20, 3, 1, 2}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_OK},           /* 4 s in all, of 400 */
                 {{20, 2.6, 0.1, 2}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_DOUBTFUL}, /* 5.2 s, */
                 {{20, 2.4, 0.1, 2}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_OK},       /* 4.8 s */
                 {{20, 1.7, 0.1, 0}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_DOUBTFUL}, /* each time 1.6 s, */
                 {{20, 1.5, 0.1, 0}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_OK},       /* 1.4 s, */
                 {{20, 1, 0.1, 0}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_OK},         /* a second, */
                 {{20, 3, 2, 0}, 0.01, 1e-6, false, WS_ENERGY_VERDICT_OK},           /* one reading */
                 {{20, 0, 0.1, 0}, 0.5, 1e-3, false, WS_ENERGY_VERDICT_OK},          /* slow ones, */
                 {{20, 0, 0.8, 0}, 1, 1e-3, false, WS_ENERGY_VERDICT_OK},
                 {{20, 0, 0.6, 0}, 3, 1e-3, false, WS_ENERGY_VERDICT_OK},
                 {{20, 0, 0.5, 0}, 0.01, 500, false, WS_ENERGY_VERDICT_OK}}; /* and a coarse one */
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double lost_j;
        ws_energy_verdict got =
            of_counter(&cases[c].s, cases[c].refresh_s, cases[c].count_j, cases[c].catches_up, &lost_j);
        const ws_channel_summary *r = &measure.devices[0].energy->summary;
        ck_assert_msg(got == cases[c].wanted, "case %zu: %d", c, (int)got);
        ck_assert_int_eq(ws_notes_find(&notes, WS_FINDING_STUCK_COUNTER) != NULL, got != WS_ENERGY_VERDICT_OK);
        if (got != WS_ENERGY_VERDICT_OK) {
            ck_assert_msg(fabs(r->stall_j / lost_j - 1) < 0.2, "case %zu: %g of %g J", c, r->stall_j, lost_j);
            ck_assert_double_ge(r->energy_hi_j, r->energy_j + lost_j);
        }
    }
}
END_TEST

/* Forty times ten rises of 100 J each half a second, then 2 s without one; behind `twice` of them two counts, behind
 * the others one, and behind the last one last_j. */
static bool is_told(int twice, double last_j)
{
    enum { STALLS = 40, RISES = 10, STILL = 4 };
    ws_channel channel = channel_of_energies(WS_CPU, WS_ENERGY_COUNTER, WS_RULE_COUNTER);
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel), row = 0;
    double joules = 1000;
    for (int s = 0; s < STALLS; s++)
        for (int i = 0; i < RISES + STILL; i++, row++) {
            double behind_j = s == STALLS - 1 ? last_j : s < twice ? 200 : 100;
            joules += i ? i < RISES ? 100 : 0 : s ? behind_j : 0;
            push_row(&sink, id, row * INT64_C(500000000), joules, NULL, row + 2);
        }
    push_row(&sink, id, row * INT64_C(500000000), joules + last_j, NULL, row + 2);
    finish_log();
    return ws_notes_find(&notes, WS_FINDING_STUCK_COUNTER);
}

/* A coarse counter rises by one count behind a stretch without one, or by two: by one and a half on average, to a
 * hundredth of a count in all. */
START_TEST(what_a_coarse_counter_is)
{
    ck_assert(!is_told(20, 100) && is_told(22, 100));
    ck_assert(!is_told(0, 100.4) && is_told(0, 100.6));
}
END_TEST

/* --- energies of intervals --- */

static ws_energy_verdict of_energies(ws_domain domain, double poll_s, int zero_of, double refresh_s, double count_j)
{
    ws_channel channel = channel_of_energies(domain, WS_ENERGY_INTERVAL, WS_RULE_INTERVAL);
    ws_sink sink = begin_log(&(ws_measure_options){0});
    int id = announce(&sink, &channel);
    double before_j = 0;
    for (int i = 1; i * poll_s < 400 && i < MOST; i++) {
        double t_s = refresh_s > 0 ? floor(i * poll_s / refresh_s) * refresh_s : i * poll_s;
        double now_j = floor((200 * t_s - 114 * cos(t_s * 0.7)) / count_j) * count_j;
        bool is_zero = zero_of && i % zero_of == zero_of - 1;
        push_row(&sink, id, (int64_t)(i * poll_s * 1e9), is_zero ? 0 : rint((now_j - before_j) * 1e3) / 1e3, NULL,
                 i + 1);
        before_j = now_j;
    }
    return finish_log();
}

START_TEST(energies_of_zero_are_told)
{
    static const struct {
        ws_domain domain;
        double poll_s;
        int zero_of;
        double refresh_s, count_j;
        ws_energy_verdict wanted;
    } cases[] = {{WS_CPU, 1, 20, 0, 1e-3, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_CPU, 1, 6, 0, 1e-3, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_CPU, 1, 4, 0, 1e-3, WS_ENERGY_VERDICT_OK},   /* off now and then? */
                 {WS_CPU, 1, 300, 0, 1e-3, WS_ENERGY_VERDICT_OK}, /* one */
                 {WS_CPU_GFX, 1, 20, 0, 1e-3, WS_ENERGY_VERDICT_OK},
                 {WS_CPU, 0.25, 0, 0, 60, WS_ENERGY_VERDICT_OK},     /* coarse */
                 {WS_GPU, 0.2, 0, 0.25, 1e-3, WS_ENERGY_VERDICT_OK}, /* slow, and polled faster */
                 {WS_GPU, 0.2, 20, 0, 1e-3, WS_ENERGY_VERDICT_OK},
                 {WS_GPU, 0.3, 20, 0, 1e-3, WS_ENERGY_VERDICT_DOUBTFUL},
                 {WS_NODE, 4, 0, 5, 1, WS_ENERGY_VERDICT_OK}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ws_energy_verdict got =
            of_energies(cases[c].domain, cases[c].poll_s, cases[c].zero_of, cases[c].refresh_s, cases[c].count_j);
        const ws_channel_summary *r = &measure.devices[0].energy->summary;
        ck_assert_msg(got == cases[c].wanted, "case %zu: %d", c, (int)got);
        if (got != WS_ENERGY_VERDICT_OK)
            ck_assert_double_ge(r->energy_hi_j, 79900);
    }
}
END_TEST

TEST_MAIN("stalls", powers_that_stand_still_again_and_again, a_slow_sensor_is_stuck_after_two_refreshes_and_a_half,
          counters_that_stand_still_again_and_again, what_a_coarse_counter_is, energies_of_zero_are_told)
