/* Readings that are odd stay, those that no device can have are missing; both are counted. Numbers known by hand. */
#include "harness.h"
#include "note_named.h"

#include "analyze/measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define S INT64_C(1000000000)

static ws_notes notes;

/* A reading a second, from line 2 on. */
static ws_channel_summary read_as(ws_quantity quantity, ws_domain domain, const double *values, size_t n)
{
    static const ws_rule rules[WS_QUANTITY_N] = {
        [WS_POWER] = WS_RULE_TRAPEZOID, [WS_ENERGY_COUNTER] = WS_RULE_COUNTER, [WS_ENERGY_INTERVAL] = WS_RULE_INTERVAL};
    ws_channel channel = {.device = "d0", .column = "c", .domain = domain, .quantity = quantity, .time = WS_TIME_UTC};
    channel.rule = rules[quantity];
    ws_measure m;
    int id = -1;
    ws_notes_free(&notes);
    ws_measure_init(&m, &(ws_measure_options){.all_channels = true});
    ws_measure_begin(&m, "a.csv", "");
    ws_sink sink = ws_measure_sink(&m);
    ck_assert_int_eq(sink.channel(sink.state, &channel, &id, NULL), WS_OK);
    for (size_t i = 0; i < n; i++) {
        int64_t t_ns = (int64_t)i * S, line = (int64_t)i + 2;
        ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){1, &t_ns, &values[i], NULL, &line}, NULL), WS_OK);
    }
    ws_measure_finish(&m, &notes);
    ws_channel_summary summary = m.channels[0].summary;
    ws_measure_free(&m);
    return summary;
}

static void ck_note(const char *code, uint64_t count, int64_t line)
{
    const ws_note *note = note_named(&notes, code);
    ck_assert_msg(count == 0 ? !note : note && note->count == count && note->line == line, "%s: %d at %d", code,
                  note ? (int)note->count : 0, note ? (int)note->line : 0);
}

START_TEST(odd_powers_stay)
{
    const double watts[] = {100, 71000, 72000, 100};
    ck_assert_double_eq(read_as(WS_POWER, WS_GPU, watts, 4).energy_j, 35550 + 71500 + 36050);
    ck_note("implausible-power", 2, 3);
    ck_note("impossible-power", 0, 0);
    const double of_a_large_node[] = {30e3, 71e3, 72e3, 30e3};
    read_as(WS_POWER, WS_NODE, of_a_large_node, 4);
    ck_note("implausible-power", 0, 0);
    read_as(WS_POWER, WS_CPU, watts, 4);
    ck_note("implausible-power", 2, 3);
}
END_TEST

/* A power between the two limits is rare: it is counted, and by itself not odd. At the limit it is neither. */
START_TEST(a_rare_power_among_others)
{
    const double rare_w = ws_limits_of_domain[WS_GPU].rare_w, odd_w = ws_limits_of_domain[WS_GPU].odd_w;
    const double watts[] = {100, rare_w, nextafter(rare_w, INFINITY), odd_w, nextafter(odd_w, INFINITY)};
    const uint64_t rare[] = {0, 0, 1, 1, 0}, odd[] = {0, 0, 0, 0, 1};
    for (size_t i = 0; i < 5; i++) {
        const double value[] = {100, watts[i]};
        const int64_t t_ns[] = {0, S};
        const ws_block block = {2, t_ns, value, NULL, NULL};
        ws_value_range range = ws_value_range_of(&block);
        ws_limits limits;
        ws_limits_init(&limits, &(ws_channel){.quantity = WS_POWER, .domain = WS_GPU});
        ws_limits_check(&limits, &block, &range);
        ck_assert_uint_eq(limits.rare.seen.count, rare[i]);
        ck_assert_uint_eq(limits.odd.seen.count, odd[i]);
        ws_limits_free(&limits);
    }
}
END_TEST

/* Of blocks of any length, wherever their least and their largest stand, and one that is missing or none. */
START_TEST(the_range_of_a_block)
{
    enum { ROWS = 11 };
    for (size_t n = 0; n <= ROWS; n++) {
        for (size_t at = 0; at <= n; at++) {
            double value[ROWS];
            for (size_t i = 0; i < ROWS; i++)
                value[i] = i == at ? NAN : 3 + (double)((i + at) % ROWS);
            double least = INFINITY, most = -INFINITY;
            for (size_t i = 0; i < n; i++) {
                least = value[i] < least ? value[i] : least;
                most = value[i] > most ? value[i] : most;
            }
            ws_value_range range = ws_value_range_of(&(ws_block){.n = n, .value = value});
            ck_assert(range.lacks_some == (at < n) && range.least == least && range.most == most);
        }
    }
}
END_TEST

/* Wherever it stands in a block. */
START_TEST(an_odd_power_among_others)
{
    enum { ROWS = 7 };
    int64_t t_ns[ROWS], line[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        t_ns[i] = (int64_t)i * S, line[i] = (int64_t)i + 2;
    for (size_t n = 1; n <= ROWS; n++) {
        for (size_t at = 0; at < n; at++) {
            double watts[ROWS] = {100, 100, NAN, 100, 100, 100, 100};
            ws_limits limits;
            ws_limits_init(&limits, &(ws_channel){.quantity = WS_POWER, .domain = WS_GPU});
            watts[at] = 5000;
            const ws_block block = {n, t_ns, watts, NULL, line};
            ws_value_range range = ws_value_range_of(&block);
            ws_block checked = ws_limits_check(&limits, &block, &range);
            ck_assert(checked.value == watts && checked.n == n);
            ck_assert_uint_eq(limits.odd.seen.count, 1);
            ck_assert_int_eq(limits.odd.seen.line, line[at]);
            ws_limits_free(&limits);
        }
    }
}
END_TEST

/* 2^32 - 1, as drivers write it for no reading: the neighbours are joined. */
START_TEST(impossible_powers_are_missing)
{
    const double watts[] = {100, 4294967295.0, 300, 4294967.295, 100};
    ws_channel_summary r = read_as(WS_POWER, WS_GPU, watts, 5);
    ck_assert_double_eq(r.energy_j, 400 + 400);
    ck_assert_uint_eq(r.samples, 3);
    ck_assert_uint_eq(r.missing, 2);
    ck_assert_double_eq(r.max, 300);
    ck_note("impossible-power", 2, 3);
    ck_note("missing-cell", 2, 3);
    ck_assert_double_eq(read_as(WS_POWER, WS_WALL, watts, 5).max, 4294967.295); /* a plant, or whatever is metered */
    ck_note("impossible-power", 1, 3);
    ck_note("implausible-power", 1, 5);
}
END_TEST

/* 2^64 uJ less a little: the result of an unsigned difference below zero. */
START_TEST(energies_that_ran_under_zero)
{
    const double joules[] = {50, 55, 18446744073709.0, 60, 41214, 58};
    ws_channel_summary r = read_as(WS_ENERGY_INTERVAL, WS_CPU, joules, 6);
    ck_assert_double_eq(r.energy_j, 50 + 55 + 60 + 41214 + 58);
    ck_assert_uint_eq(r.missing, 1);
    ck_note("impossible-power", 1, 4);
    ck_note("implausible-energy", 1, 6);
}
END_TEST

START_TEST(counters_that_leap)
{
    const double back[] = {1000, 1050, 18446744073709.0, 1150, 1200}, last[] = {1000, 1100, 1200, 18446744073709.0};
    ws_channel_summary r = read_as(WS_ENERGY_COUNTER, WS_CPU, back, 5);
    ck_assert_double_eq(r.energy_j, 200);
    ck_assert_uint_eq(r.missing, 1);
    ck_note("counter-glitch", 1, 4);
    ck_note("impossible-power", 0, 0);
    ck_note("counter-reset", 0, 0);
    r = read_as(WS_ENERGY_COUNTER, WS_CPU, last, 4);
    ck_assert_double_eq(r.energy_j, 200);
    ck_note("impossible-power", 1, 5);
}
END_TEST

/* A package of 70 W whose counter leaps once and stays there, in the middle or at the end, by just less and just more
 * than a package draws. Where many steps are as large, or the others not much smaller, several packages stand under the
 * name. */
START_TEST(counters_that_leap_and_stay)
{
    static const struct {
        double usual_j, leap_j;
        size_t at, every; /* every: 0: once */
        bool is_odd;
    } cases[] = {{70, 990, 100, 0, false},  {70, 1010, 100, 0, true},  {70, 4200, 199, 0, true},
                 {70, 1010, 60, 100, true}, {70, 1010, 60, 60, false}, {110, 1010, 100, 0, false},
                 {100, 9900, 100, 0, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double joules[200] = {5000}, sum = 0;
        uint64_t leaps = 0;
        size_t first = 0;
        for (size_t i = 1; i < 200; i++) {
            bool leaps_here = cases[k].every ? i % cases[k].every == cases[k].at % cases[k].every : i == cases[k].at;
            joules[i] = joules[i - 1] + (leaps_here ? cases[k].leap_j : cases[k].usual_j);
            sum = joules[i] - joules[0];
            first = leaps_here && !leaps++ ? i : first;
        }
        ws_channel_summary r = read_as(WS_ENERGY_COUNTER, WS_CPU, joules, 200);
        ck_assert_double_eq(r.energy_j, sum);
        ck_note("implausible-energy", cases[k].is_odd ? leaps : 0, (int64_t)first + 2);
    }
}
END_TEST

/* What is odd and what is impossible, in W: just below and just above, of each kind of device (docs/methods.md). */
START_TEST(limits_of_each_kind_of_device)
{
    static const struct {
        ws_domain domain;
        double odd_w, impossible_w;
    } cases[] = {{WS_GPU, 2e3, 1e6},     {WS_CPU, 3e3, 1e6},      {WS_DRAM, 1e3, 1e6},
                 {WS_NODE, 100e3, 10e6}, {WS_CPU_CORE, 3e3, 1e6}, {WS_CPU_GFX, 3e3, 1e6},
                 {WS_PSYS, 100e3, 10e6}, {WS_WALL, 100e3, 1e9},   {WS_OTHER, 100e3, 1e9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double odd_w = cases[i].odd_w, most_w = cases[i].impossible_w;
        double watts[] = {odd_w * 0.4, odd_w * 0.99, odd_w * 1.01, odd_w * 0.4};
        read_as(WS_POWER, cases[i].domain, watts, 4);
        ck_note("implausible-power", 1, 4);
        watts[1] = most_w * 0.99;
        watts[2] = most_w * 1.01;
        ck_assert_double_eq(read_as(WS_POWER, cases[i].domain, watts, 4).max, most_w * 0.99);
        ck_note("implausible-power", 1, 3);
        ck_note("impossible-power", 1, 4);
    }
}
END_TEST

START_TEST(other_quantities_have_no_limits)
{
    const double bytes[] = {8e10, 8e10};
    ck_assert_double_eq(read_as(WS_MEM_USED, WS_GPU, bytes, 2).max, 8e10);
    ck_assert_uint_eq(notes.n, 0);
}
END_TEST

/* 1000 readings, one of them of 10 kW: 10 kJ of 1 MJ and a little more, and of somewhat less. */
START_TEST(the_status_tells_powers_that_matter)
{
    static const struct {
        double usual_w;
        const char *status;
    } cases[] = {{1010, "ok"}, {979, "implausible-power"}};
    for (size_t k = 0; k < 2; k++) {
        double watts[1000];
        for (size_t i = 0; i < 1000; i++)
            watts[i] = i == 500 ? 10000 : cases[k].usual_w;
        ck_assert_str_eq(ws_energy_status_name(read_as(WS_POWER, WS_GPU, watts, 1000).status), cases[k].status);
        ck_note("implausible-power", 1, 502);
    }
}
END_TEST

/* A GPU of this use and power for ten seconds. */
static const char *status_of_gpu(double use, double power_w)
{
    static char status[32];
    ws_channel channels[] = {{.device = "gpu0", .column = "p", .domain = WS_GPU, .quantity = WS_POWER},
                             {.device = "gpu0", .column = "u", .domain = WS_GPU, .quantity = WS_UTIL}};
    const double value[] = {power_w, use};
    ws_measure m;
    ws_notes_free(&notes);
    ws_measure_init(&m, &(ws_measure_options){.rule = WS_RULE_NONE});
    ws_measure_begin(&m, "a.csv", "");
    ws_sink sink = ws_measure_sink(&m);
    for (size_t c = 0; c < 2; c++) {
        int id = -1;
        channels[c].time = WS_TIME_UTC;
        channels[c].rule = c ? WS_RULE_NONE : WS_RULE_TRAPEZOID;
        ck_assert_int_eq(sink.channel(sink.state, &channels[c], &id, NULL), WS_OK);
        for (int64_t i = 0; i < 10; i++) {
            int64_t t_ns = i * S;
            ck_assert_int_eq(sink.block(sink.state, id, &(ws_block){.n = 1, .t_ns = &t_ns, .value = &value[c]}, NULL),
                             WS_OK);
        }
    }
    ws_measure_finish(&m, &notes);
    snprintf(status, sizeof status, "%s", ws_energy_status_name(m.devices[0].energy->summary.status));
    ws_measure_free(&m);
    return status;
}

START_TEST(a_gpu_in_use_draws_a_watt)
{
    ck_assert_str_eq(status_of_gpu(0.97, 0.99), "implausible-power");
    ck_note("implausible-power", 1, 0);
    ck_assert_str_eq(status_of_gpu(0.97, 1), "ok");
    ck_note("implausible-power", 0, 0);
    ck_assert_str_eq(status_of_gpu(0.21, 0.3), "implausible-power");
    ck_assert_str_eq(status_of_gpu(0.19, 0.3), "ok");
    ck_assert_str_eq(status_of_gpu(0.97, 0), "ok"); /* the second die of a card */
}
END_TEST

/* A hundred powers: in so many of the ten rounds so many follow each other that are low; the others are next_w and
 * more.
 */
static uint64_t lows_of(ws_domain domain, double low_w, double next_w, size_t rounds, size_t at_a_time)
{
    double watts[100];
    for (size_t i = 0; i < 100; i++)
        watts[i] = i / 10 < rounds && i % 10 >= 4 && i % 10 < 4 + at_a_time ? low_w : next_w + (double)(i * 7 % 13);
    read_as(WS_POWER, domain, watts, 100);
    const ws_note *note = note_named(&notes, "implausible-power");
    ck_assert(!note || note->line == 6);
    return note ? note->count : 0;
}

/* 1.20 W between readings of 200 W are no state of a device. */
START_TEST(low_powers_that_stand_alone)
{
    ck_assert_uint_eq(lows_of(WS_GPU, 1.2, 200, 10, 1), 10);
    ck_assert_uint_eq(lows_of(WS_CPU, 1.2, 200, 10, 1), 10);
    ck_assert_uint_eq(lows_of(WS_NODE, 1.2, 200, 1, 1), 1);
    ck_assert_uint_eq(lows_of(WS_DRAM, 1.2, 200, 10, 1), 0); /* memory draws that */
    ck_assert_uint_eq(lows_of(WS_WALL, 1.2, 200, 10, 1), 0);
    ck_assert_uint_eq(lows_of(WS_GPU, 2.99, 200, 10, 1), 10);
    ck_assert_uint_eq(lows_of(WS_GPU, 3, 200, 10, 1), 0);
    ck_assert_uint_eq(lows_of(WS_GPU, 2.9, 14.6, 10, 1), 10); /* five times as much */
    ck_assert_uint_eq(lows_of(WS_GPU, 2.9, 14.4, 10, 1), 0);
    ck_assert_uint_eq(lows_of(WS_GPU, 1.2, 200, 10, 2), 20); /* one in five, two at a time */
    ck_assert_uint_eq(lows_of(WS_GPU, 1.2, 200, 5, 3), 0);   /* a device that sleeps */
}
END_TEST

/* One in five is the most. */
START_TEST(low_powers_that_are_few)
{
    double watts[100];
    for (size_t more = 0; more < 2; more++) {
        for (size_t i = 0; i < 100; i++)
            watts[i] = i % 5 == 2 || (more && i == 50) ? 1.2 : 200 + (double)(i * 7 % 13);
        read_as(WS_POWER, WS_GPU, watts, 100);
        ck_note("implausible-power", more ? 0 : 20, 4);
    }
}
END_TEST

TEST_MAIN("limits", low_powers_that_stand_alone, low_powers_that_are_few, odd_powers_stay, the_range_of_a_block,
          a_rare_power_among_others, an_odd_power_among_others, impossible_powers_are_missing,
          energies_that_ran_under_zero, counters_that_leap, counters_that_leap_and_stay, limits_of_each_kind_of_device,
          other_quantities_have_no_limits, the_status_tells_powers_that_matter, a_gpu_in_use_draws_a_watt)
