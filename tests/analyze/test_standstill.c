/* Stretches of equal powers, against a plain count of them; any cut of the readings gives the same. */
#include "harness.h"

#include "analyze/measure/power_steps.h"
#include "analyze/measure/suspect_powers.h"

#include <math.h>
#include <string.h>

#define S INT64_C(1000000000)
enum { MOST = 400 };

static uint32_t state;

static uint32_t next_random(uint32_t below)
{
    state = (uint32_t)((uint64_t)state * 48271 % 2147483647);
    return state % below;
}

/* A reading a second: stretches of up to 40 equal ones, mostly short, of whole and other watts and of zeros; in some
 * traces cells are missing. */
static size_t make(double *value, int64_t *t_ns)
{
    static const double powers[] = {100, 100.5, 0, 250.25, 61, 12.5, 3, 1.25, 19.99, 63, 2250.5};
    bool wavers = next_random(2); /* by the last digit */
    size_t n = 0, wanted = 1 + next_random(MOST - 50);
    uint32_t missing_of_30 = next_random(2) ? 0 : next_random(8);
    while (n < wanted) {
        double power = powers[next_random(11)];
        size_t length = next_random(3) ? 1 + next_random(4) : 1 + next_random(40);
        for (size_t i = 0; i < length; i++) {
            t_ns[n] = (int64_t)n * S;
            value[n++] = next_random(30) < missing_of_30 ? NAN : power + (wavers ? next_random(2) / 100.0 : 0);
        }
    }
    return n;
}

/* Beside those of other steps, which are not asked. */
static void push(ws_standstill *still, const ws_block *powers)
{
    const ws_value_range range = ws_value_range_of(powers);
    ws_standstill all[WS_STANDSTILL_STEPS];
    for (int i = 0; i < WS_STANDSTILL_STEPS; i++)
        ws_standstill_init(&all[i], (ws_standstill_steps)i);
    all[still->steps] = *still;
    ws_standstills_push(all, powers, &range);
    *still = all[still->steps];
}

static void push_quiet(ws_quiet *quiet, const ws_block *powers)
{
    const ws_value_range range = ws_value_range_of(powers);
    ws_quiet_push_powers(quiet, powers, &range);
}

static void push_use(ws_quiet *quiet, const ws_block *utilisations)
{
    const ws_value_range range = ws_value_range_of(utilisations);
    ws_quiet_push_use(quiet, utilisations, &range);
}

static void push_unused(ws_unused_time *unused, const ws_block *utilisations)
{
    const ws_value_range range = ws_value_range_of(utilisations);
    ws_unused_push(unused, utilisations, &range);
}

/* Low powers waver by no step. */
static bool are_same(ws_standstill_steps steps, double a, double b)
{
    if (steps != WS_STILL_EQUAL && (a < 20 || b < 20))
        return false;
    long x = lround(100 * a), y = lround(100 * b), shift = steps == WS_STILL_ODD;
    return steps == WS_STILL_EQUAL ? a == b : (x + shift) / 2 == (y + shift) / 2;
}

static ws_standstill_kind plain_kind(double power_w)
{
    bool is_low = power_w < 100;
    bool is_beside_limit = is_low ? fmod(power_w, 10) == 0 : fmod(power_w + 1, 10) <= 2 || fmod(power_w + 1, 25) <= 2;
    return power_w < 2                 ? WS_STILL_BELOW_2_W
           : power_w < 20              ? WS_STILL_BELOW_20_W
           : power_w != floor(power_w) ? WS_STILL_FINER
           : !is_beside_limit          ? WS_STILL_WHOLE
           : power_w < 100             ? WS_STILL_LOW_LIMIT
                                       : WS_STILL_LIMIT;
}

/* A missing cell ends no stretch and is none of its readings. */
static void count_plainly(ws_standstill_steps steps, const double *all, size_t n_all,
                          ws_standstill_sum of[WS_STANDSTILL_KINDS], ws_standstill_sum *brief, uint64_t *n_brief)
{
    double value[MOST];
    int64_t t_ns[MOST];
    size_t n = 0;
    for (size_t i = 0; i < n_all; i++)
        if (!isnan(all[i]))
            t_ns[n] = (int64_t)i * S, value[n++] = all[i];
    memset(of, 0, WS_STANDSTILL_KINDS * sizeof *of);
    *brief = (ws_standstill_sum){0};
    *n_brief = 0;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && are_same(steps, value[to], value[from]); to++)
            ;
        int64_t ns = t_ns[to - 1] - t_ns[from];
        ws_standstill_sum *sum = &of[plain_kind(value[from])];
        bool is_long = to - from >= 10 && ns >= 20 * S;
        bool is_brief =
            !is_long && steps == WS_STILL_EQUAL && to - from >= 5 && ns >= 5 * S && sum == &of[WS_STILL_FINER];
        if ((!is_long && !is_brief) || value[from] == 0)
            continue;
        sum = is_brief ? brief : sum;
        *n_brief += is_brief;
        sum->ns += ns;
        sum->energy_j += rint(1024 * value[from] * (double)(ns / S)) / 1024;
        if (ns > sum->longest_ns || (ns == sum->longest_ns && to - from > sum->longest_n))
            *sum = (ws_standstill_sum){sum->ns, ns, to - from, sum->energy_j};
    }
}

static void ck_same(const ws_standstill_sum *a, const ws_standstill_sum *b)
{
    ck_assert_int_eq(a->ns, b->ns);
    ck_assert_int_eq(a->longest_ns, b->longest_ns);
    ck_assert_uint_eq(a->longest_n, b->longest_n);
    ck_assert(a->energy_j == b->energy_j); /* to the last bit */
}

/* In blocks of random lengths, and in stretches of some blocks that are merged. */
START_TEST(any_cut_counts_the_same)
{
    double value[MOST];
    int64_t t_ns[MOST];
    for (state = 1; state < 2000000; state += 1000003) {
        for (int round = 0; round < 3000; round++) {
            ws_standstill_steps steps = (ws_standstill_steps)(round % 3);
            size_t n = make(value, t_ns);
            ws_standstill all, part;
            ws_standstill_sum of[WS_STANDSTILL_KINDS], wanted[WS_STANDSTILL_KINDS];
            ws_standstill_init(&all, steps);
            ws_standstill_init(&part, steps);
            for (size_t i = 0, length; i < n; i += length) {
                length = 1 + next_random(next_random(2) ? 8 : 120);
                length = length < n - i ? length : n - i;
                push(&part, &(ws_block){length, t_ns + i, value + i, NULL, NULL});
                if (next_random(4) && i + length < n)
                    continue;
                ws_standstill_merge(&all, &part);
                ws_standstill_init(&part, steps);
            }
            ws_standstill_read(&all, of);
            ws_standstill_sum brief, wanted_brief;
            uint64_t n_brief = ws_standstill_read_brief(&all, &brief), wanted_n;
            count_plainly(steps, value, n, wanted, &wanted_brief, &wanted_n);
            ck_same(&brief, &wanted_brief);
            ck_assert_uint_eq(n_brief, wanted_n);
            for (int kind = 0; kind < WS_STANDSTILL_KINDS; kind++)
                ck_same(&of[kind], &wanted[kind]);
        }
    }
}
END_TEST

/* Twenty seconds and ten readings, and what lies outside of a window does not count. */
START_TEST(both_ends_of_long)
{
    static const struct {
        size_t n;
        int64_t step_ns, start_ns, wanted_ns;
    } cases[] = {{21, S, INT64_MIN, 20 * S}, {20, S, INT64_MIN, 0},   {10, 3 * S, INT64_MIN, 27 * S},
                 {9, 3 * S, INT64_MIN, 0},   {41, S, 20 * S, 20 * S}, {41, S, 20 * S + 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value[MOST];
        int64_t t_ns[MOST];
        for (size_t k = 0; k < cases[i].n; k++) {
            value[k] = 99.5;
            t_ns[k] = (int64_t)k * cases[i].step_ns;
        }
        ws_standstill still;
        ws_standstill_sum of[WS_STANDSTILL_KINDS];
        ws_standstill_init(&still, WS_STILL_EQUAL);
        still.window_start_ns = cases[i].start_ns;
        push(&still, &(ws_block){cases[i].n, t_ns, value, NULL, NULL});
        ws_standstill_read(&still, of);
        ck_assert_int_eq(of[WS_STILL_FINER].ns, cases[i].wanted_ns);
        ck_assert_int_eq(of[WS_STILL_WHOLE].ns + of[WS_STILL_BELOW_20_W].ns + of[WS_STILL_BELOW_2_W].ns, 0);
        ck_close(of[WS_STILL_FINER].energy_j, 99.5 * (double)cases[i].wanted_ns / 1e9, 1e-12, 0);
    }
}
END_TEST

/* Steps between two readings below 5 %: 10 to 20 s and 30 to 45 s; a missing reading ends nothing, a window cuts. */
START_TEST(time_not_in_use)
{
    static const double value[] = {0.9, 0, 0.049, 0.05, 0.01, NAN, 0.02, 0.8};
    static const int64_t t_ns[] = {0, 10 * S, 20 * S, 25 * S, 30 * S, 35 * S, 45 * S, 50 * S};
    for (size_t cut = 0; cut <= 8; cut++) {
        ws_unused_time all, rest;
        ws_unused_init(&all);
        ws_unused_init(&rest);
        rest.window_end_ns = all.window_end_ns = cut == 8 ? 40 * S : INT64_MAX;
        push_unused(&all, &(ws_block){cut, t_ns, value, NULL, NULL});
        push_unused(&rest, &(ws_block){8 - cut, t_ns + cut, value + cut, NULL, NULL});
        ws_unused_merge(&all, &rest);
        ck_assert_int_eq(all.ns, cut == 8 ? 20 * S : 25 * S);
    }
}
END_TEST

/* --- 0 W and no use --- */

/* Powers and utilisations of some long and short stretches, with cells that are missing. */
static size_t make_quiet(double *power, double *use, int64_t *t_ns)
{
    size_t n = 0, wanted = 1 + next_random(MOST - 50);
    uint32_t most = next_random(2) ? 1 : 20;
    while (n < wanted) {
        bool is_off = next_random(2), is_used = next_random(2);
        size_t length = 1 + next_random(next_random(2) ? 1 : most);
        for (size_t i = 0; i < length; i++) {
            t_ns[n] = (int64_t)n * S;
            power[n] = next_random(30) ? is_off ? 0 : 60 + (double)next_random(9) : NAN;
            use[n++] = is_used ? 0.5 : 0.01;
        }
    }
    return n;
}

static void ck_same_quiet(const ws_quiet *a, const ws_quiet *b)
{
    ck_assert_uint_eq(a->n, b->n);
    ck_assert(a->has_more == b->has_more && a->last_is == b->last_is && a->first_is == b->first_is);
    for (size_t i = 0; i < a->n; i++) {
        ck_assert_int_eq(a->kept[i].from_ns, b->kept[i].from_ns);
        ck_assert_int_eq(a->kept[i].to_ns, b->kept[i].to_ns);
        ck_assert_uint_eq(a->kept[i].n, b->kept[i].n);
    }
}

/* One reading after the other, blocks, and stretches that are merged; more stretches than are kept, too. */
START_TEST(any_cut_has_the_same_quiet_stretches)
{
    double power[MOST], use[MOST];
    int64_t t_ns[MOST];
    bool had_more = false;
    state = 7;
    for (int round = 0; round < 2000; round++) {
        size_t n = make_quiet(power, use, t_ns);
        ws_quiet single, merged, part;
        ws_quiet_init(&single);
        ws_quiet_init(&merged);
        ws_quiet_init(&part);
        for (size_t i = 0; i < n; i++)
            push_quiet(&single, &(ws_block){1, t_ns + i, power + i, NULL, NULL});
        for (size_t i = 0, length; i < n; i += length) {
            length = 1 + next_random(60);
            length = length < n - i ? length : n - i;
            push_quiet(&part, &(ws_block){length, t_ns + i, power + i, NULL, NULL});
            if (next_random(3) && i + length < n)
                continue;
            ws_quiet_merge(&merged, &part);
            ws_quiet_init(&part);
        }
        ck_same_quiet(&single, &merged);
        had_more |= single.has_more;
    }
    ck_assert(had_more);
}
END_TEST

/* The steps between two readings below 5 %, one after the other; a missing one ends none. */
static int64_t plain_unused_ns(const double *use, const int64_t *t_ns, size_t n)
{
    int64_t ns = 0, from_ns = 0;
    double before = NAN;
    for (size_t i = 0; i < n; i++) {
        if (isnan(use[i]))
            continue;
        ns += before < 0.05 && use[i] < 0.05 ? t_ns[i] - from_ns : 0;
        before = use[i];
        from_ns = t_ns[i];
    }
    return ns;
}

/* Blocks that are in use throughout, at 5 %, too, or not at all, or both; and stretches that are merged. */
START_TEST(any_cut_has_the_same_use)
{
    double power[MOST], use[MOST];
    int64_t t_ns[MOST];
    state = 11;
    for (int round = 0; round < 2000; round++) {
        size_t n = make_quiet(power, use, t_ns);
        ws_quiet single, blocks;
        ws_unused_time merged, part;
        ws_quiet_init(&single);
        ws_quiet_init(&blocks);
        ws_unused_init(&merged);
        ws_unused_init(&part);
        for (size_t i = 0; i < n; i++) {
            use[i] = !next_random(40) ? NAN : next_random(9) ? use[i] : use[i] < 0.05 ? -use[i] : 0.05;
            use[i] = next_random(60) ? use[i] : -0.5; /* no share, and not below 5 % of one by its size */
            push_use(&single, &(ws_block){1, t_ns + i, use + i, NULL, NULL});
        }
        for (size_t i = 0, length; i < n; i += length) {
            length = 1 + next_random(60);
            length = length < n - i ? length : n - i;
            const ws_block block = {length, t_ns + i, use + i, NULL, NULL};
            push_use(&blocks, &block);
            push_unused(&part, &block);
            if (next_random(3) && i + length < n)
                continue;
            ws_unused_merge(&merged, &part);
            ws_unused_init(&part);
        }
        ck_same_quiet(&single, &blocks);
        ck_assert_int_eq(merged.ns, plain_unused_ns(use, t_ns, n));
    }
}
END_TEST

/* Zeros at 10 to 19 s and 30 to 39 s; the device is not in use at 10 to 19 s, or one reading later, or never. */
START_TEST(a_device_that_is_off_is_not_in_use)
{
    static const struct {
        size_t from, to;
        double wanted;
    } cases[] = {{10, 40, 0}, {10, 20, 0.5}, {11, 21, 0.5}, {12, 22, 1}, {0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double power[50], use[50];
        int64_t t_ns[50];
        for (size_t k = 0; k < 50; k++) {
            t_ns[k] = (int64_t)k * S;
            power[k] = k / 10 % 2 ? 0 : 55.5;
            use[k] = k >= cases[i].from && k < cases[i].to ? 0.02 : 0.97;
        }
        ws_quiet powers, unused;
        ws_quiet_init(&powers);
        ws_quiet_init(&unused);
        push_quiet(&powers, &(ws_block){50, t_ns, power, NULL, NULL});
        push_use(&unused, &(ws_block){50, t_ns, use, NULL, NULL});
        ck_close(ws_quiet_share_in_use(&powers, &unused, S), cases[i].wanted, 1e-12, 1e-12);
    }
}
END_TEST

/* Among readings that move: of as many as count at least, and one fewer, wherever in a block. */
START_TEST(runs_of_the_least_length)
{
    enum { ROWS = 64 };
    static const struct {
        size_t length;
        int64_t step_ns, wanted_ns;
        bool is_brief;
    } cases[] = {{10, 3 * S, 27 * S, false}, {9, 3 * S, 0, false}, {5, 3 * S / 2, 6 * S, true}, {4, 2 * S, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t at = 0; at + cases[i].length <= ROWS; at++) {
            double value[ROWS];
            int64_t t_ns[ROWS];
            for (size_t k = 0; k < ROWS; k++) {
                value[k] = k >= at && k < at + cases[i].length ? 250.5 : 99.5 + (double)k;
                t_ns[k] = (int64_t)k * cases[i].step_ns;
            }
            ws_standstill still;
            ws_standstill_sum of[WS_STANDSTILL_KINDS], brief;
            ws_standstill_init(&still, WS_STILL_EQUAL);
            push(&still, &(ws_block){ROWS / 2, t_ns, value, NULL, NULL});
            push(&still, &(ws_block){ROWS / 2, t_ns + ROWS / 2, value + ROWS / 2, NULL, NULL});
            ws_standstill_read(&still, of);
            ws_standstill_read_brief(&still, &brief);
            ck_assert_int_eq(cases[i].is_brief ? brief.ns : of[WS_STILL_FINER].ns, cases[i].wanted_ns);
        }
    }
}
END_TEST

/* A minute at one power: below 2 W and below 20 W, finer than a watt, at what may be a limit below 100 W and above it,
 * to a watt beside multiples of ten and 25, and at other whole watts. */
START_TEST(of_which_kind_a_power_is)
{
    static const struct {
        double power_w;
        ws_standstill_kind kind;
    } cases[] = {
        {1.99, WS_STILL_BELOW_2_W}, {2, WS_STILL_BELOW_20_W}, {19.9, WS_STILL_BELOW_20_W}, {20.5, WS_STILL_FINER},
        {90, WS_STILL_LOW_LIMIT},   {75, WS_STILL_WHOLE},     {99, WS_STILL_WHOLE},        {100, WS_STILL_LIMIT},
        {101, WS_STILL_LIMIT},      {102, WS_STILL_WHOLE},    {319, WS_STILL_LIMIT},       {318, WS_STILL_WHOLE},
        {105, WS_STILL_WHOLE},      {576, WS_STILL_LIMIT},    {573, WS_STILL_WHOLE},       {300.5, WS_STILL_FINER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value[61];
        int64_t t_ns[61];
        for (int k = 0; k <= 60; k++) {
            value[k] = cases[i].power_w;
            t_ns[k] = k * S;
        }
        ws_standstill still;
        ws_standstill_sum of[WS_STANDSTILL_KINDS];
        ws_standstill_init(&still, WS_STILL_EQUAL);
        push(&still, &(ws_block){61, t_ns, value, NULL, NULL});
        ws_standstill_read(&still, of);
        ck_assert_msg(of[cases[i].kind].ns == 60 * S, "%g W", cases[i].power_w);
    }
}
END_TEST

/* Stamps of damaged bytes may be centuries apart. */
START_TEST(sums_of_centuries)
{
    ws_standstill_sum sum = {.ns = INT64_MAX - S}, more = {.ns = 2 * S};
    ws_unused_time unused = {.first = 0, .last = 1, .ns = INT64_MAX - S}, next = {.first = 1, .last = 1, .ns = 2 * S};
    ws_standstill_add(&sum, &more);
    ws_unused_merge(&unused, &next);
    ck_assert_int_eq(sum.ns, INT64_MAX);
    ck_assert_int_eq(unused.ns, INT64_MAX);
}
END_TEST

TEST_MAIN("standstill", any_cut_has_the_same_quiet_stretches, any_cut_has_the_same_use,
          a_device_that_is_off_is_not_in_use, any_cut_counts_the_same, runs_of_the_least_length, both_ends_of_long,
          time_not_in_use, of_which_kind_a_power_is, sums_of_centuries)
