/* Each bound of the comparison of fingerprints from both sides, on fingerprints that are written down: what they keep
 * is known, and so is the chance that it is the same. */
#include "harness.h"

#include "analyze/measure/fingerprint.h"

#include <math.h>
#include <string.h>

/* Ranks rise, and no reading is known to be as the one before. */
typedef struct made {
    ws_fingerprint_kept kept;
} made;

static ws_fingerprint view(const made *m)
{
    return (ws_fingerprint){.word = m->kept.word,
                            .times = m->kept.times,
                            .sample = m->kept.sample,
                            .n_words = m->kept.n_words,
                            .n_samples = m->kept.n_samples,
                            .is_counter = m->kept.is_counter != 0};
}

/* --- words --- */

/* The first `shared` ones are those of any other; `again` of them come twice. */
static made with_words(uint32_t shared, uint32_t own, uint32_t own_from, uint32_t again)
{
    made m = {0};
    for (uint32_t i = 0; i < shared + own; i++) {
        m.kept.word[i] = i < shared ? i + 1 : own_from + i;
        m.kept.times[i] = i < again ? 2 : 1;
    }
    m.kept.n_words = shared + own;
    return m;
}

static bool match(uint32_t shared, uint32_t own)
{
    const made a = with_words(shared, own, 100, 0), b = with_words(shared, own, 200, 0);
    const ws_fingerprint x = view(&a), y = view(&b);
    return ws_fingerprints_match(&x, &y);
}

START_TEST(words_that_match)
{
    ck_assert(match(4, 0) && !match(3, 0));
    ck_assert(match(6, 6) && !match(6, 7)); /* half of them */
}
END_TEST

static bool are_one(uint32_t shared, uint32_t of_a, uint32_t of_b, uint32_t again)
{
    const made a = with_words(shared, of_a, 100, again), b = with_words(shared, of_b, 200, 0);
    const ws_fingerprint x = view(&a), y = view(&b);
    return ws_fingerprints_are_one(&x, &y);
}

START_TEST(words_of_one_log)
{
    ck_assert(are_one(8, 0, 0, 0) && !are_one(7, 0, 0, 0));
    ck_assert(are_one(12, 2, 2, 0) && !are_one(12, 2, 3, 0)); /* 12 of 16 and of 17 */
    ck_assert(are_one(15, 1, 0, 2) && !are_one(15, 1, 0, 3)); /* of 16 two come again, or three */
}
END_TEST

/* --- readings --- */

static void add_power(made *m, double value_w, uint8_t before)
{
    uint32_t i = m->kept.n_samples++;
    m->kept.sample[i] = (ws_fingerprint_sample){
        .rank = (1000 + i) & WS_FINGERPRINT_MOST_RANK, .before = before, .value_w = (float)value_w};
}

/* `n` readings of other whole watts, 10 W apart, the first ones of which repeat: `values` are different. */
static made with_powers(int n, int values, uint8_t before)
{
    made m = {0};
    for (int i = 0; i < n; i++)
        add_power(&m, 100 + 10 * (i < values ? i : values - 1), before);
    return m;
}

static bool share(const made *a, const made *b, double by_chance)
{
    const ws_fingerprint x = view(a), y = view(b);
    return ws_fingerprints_share_readings(&x, &y, by_chance);
}

static ws_shared_readings compared(const made *a, const made *b)
{
    const ws_fingerprint x = view(a), y = view(b);
    ws_shared_readings s = {.chance = 1};
    ws_fingerprints_compare(&s, &x, &y);
    return s;
}

/* Of n readings those from `from` on, `agreeing` of them, agree; none is as the one before. */
static bool share_some(int n, int from, int agreeing)
{
    const made a = with_powers(n, n, WS_FINGERPRINT_DIFFERS);
    made b = a;
    for (int i = 0; i < n; i++)
        b.kept.sample[i].value_w += i >= from && i < from + agreeing ? 0 : 5;
    return share(&a, &b, 1e-6);
}

START_TEST(readings_that_are_enough)
{
    made a = with_powers(4, 4, WS_FINGERPRINT_DIFFERS);
    ck_assert(share(&a, &a, 1e-9));
    a = with_powers(3, 3, WS_FINGERPRINT_DIFFERS);
    ck_assert(!share(&a, &a, 1e-9));
    a = with_powers(7, 4, WS_FINGERPRINT_DIFFERS); /* of seven four values, of eight eight */
    ck_assert(share(&a, &a, 1e-9));
    a = with_powers(8, 8, WS_FINGERPRINT_DIFFERS);
    ck_assert(share(&a, &a, 1e-9));
    a = with_powers(8, 7, WS_FINGERPRINT_DIFFERS);
    ck_assert(!share(&a, &a, 1e-9));
    a = with_powers(8, 4, WS_FINGERPRINT_DIFFERS);
    ck_assert(!share(&a, &a, 1e-9));
    a = with_powers(20, 20, WS_FINGERPRINT_DIFFERS);
    ck_assert_int_eq(compared(&a, &a).n_asked, 16);
    a = with_powers(15, 15, WS_FINGERPRINT_DIFFERS);
    ck_assert_int_eq(compared(&a, &a).n_asked, 15);
}
END_TEST

/* Nine in ten where one of four readings is as the one before; a third where that is one in twenty. */
START_TEST(the_share_that_agrees)
{
    made a = with_powers(20, 20, WS_FINGERPRINT_DIFFERS), b;
    for (int i = 0; i < 5; i++)
        a.kept.sample[i].before = 0;
    for (int other = 2; other <= 3; other++) {
        b = a;
        for (int i = 0; i < other; i++)
            b.kept.sample[i + 10].value_w += 5;
        ck_assert_int_eq(share(&a, &b, 1e-6), other == 2);
    }
    ck_assert(share_some(18, 0, 9));  /* 1 / (18 + 2) */
    ck_assert(!share_some(15, 0, 9)); /* 1 / (15 + 2) */
    ck_assert(share_some(24, 0, 8) && !share_some(25, 0, 8));
}
END_TEST

/* The coarser step is 1 W. */
START_TEST(readings_half_a_step_apart)
{
    for (int more = 0; more <= 1; more++) {
        const made b = with_powers(12, 12, WS_FINGERPRINT_DIFFERS);
        made a = b;
        for (int i = 0; i < 12; i++)
            a.kept.sample[i].value_w += more ? 0.501F : 0.5F;
        ck_assert_int_eq(compared(&a, &b).n_agree, more ? 0 : 12);
    }
}
END_TEST

/* Readings that differ by 4 mW agree in steps of 0.01 W, and in those of 0.001 W they do not. A float tells 0.01 W of
 * 8 kW to within 0.0005 W, and 0.001 W of 3 kW. */
START_TEST(the_last_digit_of_large_powers)
{
    made a = {0}, b = {0};
    for (int i = 0; a.kept.n_samples < 12; i++) {
        double value_w = 8192 + 0.01 * i, off_w = fabs((double)(float)value_w - value_w);
        if (a.kept.n_samples || off_w > 0.00046) { /* the first one lies between two floats */
            add_power(&a, value_w, WS_FINGERPRINT_DIFFERS);
            add_power(&b, value_w + 0.004, WS_FINGERPRINT_DIFFERS);
        }
    }
    ck_assert_int_eq(compared(&a, &b).n_agree, 12);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (int i = 0; i < 12; i++) {
        add_power(&a, 3000.121 + 10 * i, WS_FINGERPRINT_DIFFERS);
        add_power(&b, 3000.125 + 10 * i, WS_FINGERPRINT_DIFFERS);
    }
    ck_assert_int_eq(compared(&a, &b).n_agree, 0);
}
END_TEST

/* Ten readings of which two are the same: one of 45 pairs. In steps of a tenth of a watt four times as many and a
 * hundredth agree by chance, in steps of a watt those that are as the one before. */
START_TEST(the_chance_of_powers)
{
    made a = {0};
    for (int i = 0; i < 10; i++)
        add_power(&a, 100.1 + 10 * (i < 9 ? i : 8), 0);
    double p = 4. / 45 + 0.01;
    ck_close(compared(&a, &a).chance, pow(p, 10), 1e-6, 0);
    for (int i = 0; i < 10; i++)
        a.kept.sample[i].value_w = 100 + 10 * (float)(i < 9 ? i : 8);
    ck_close(compared(&a, &a).chance, pow(11. / 12, 10), 1e-6, 0);
}
END_TEST

/* No more is asked where of the first 16 or more fewer than a quarter agree ('='); behind those written here all do. */
START_TEST(the_first_readings)
{
    static const struct {
        const char *first;
        bool wanted;
    } cases[] = {{"===xxxxxxxxxxxxx", false},
                 {"====xxxxxxxxxxxx", true},
                 {"===xxxxxxxxxxxx=", true},
                 {"====xxxxxxxxxxxxx", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const made a = with_powers(90, 90, WS_FINGERPRINT_DIFFERS);
        made b = a;
        for (size_t i = 0; cases[k].first[i]; i++)
            b.kept.sample[i].value_w += cases[k].first[i] == '=' ? 0 : 5;
        ck_assert_msg(share(&a, &b, 1) == cases[k].wanted, "%s", cases[k].first);
    }
}
END_TEST

/* Readings of one alone come before the first that both have. */
static bool share_behind(uint32_t own)
{
    made a = with_powers(90, 90, WS_FINGERPRINT_DIFFERS), b = {0};
    for (uint32_t i = own; i < 90; i++)
        b.kept.sample[b.kept.n_samples++] = a.kept.sample[i];
    return share(&a, &b, 1);
}

START_TEST(the_first_stamps)
{
    ck_assert(share_behind(40) && !share_behind(41));
}
END_TEST

/* --- counters --- */

static made counted(const uint32_t *count_mj, uint32_t n)
{
    made m = {0};
    m.kept.is_counter = true;
    for (uint32_t i = 0; i < n; i++)
        m.kept.sample[i] =
            (ws_fingerprint_sample){.rank = (1000 + i) & WS_FINGERPRINT_MOST_RANK, .count_mj = count_mj[i]};
    m.kept.n_samples = n;
    return m;
}

enum { COUNTS = 48 };

/* Counts that rise by 1 J and more from stamp to stamp, and those of another, from `from` to `to` so many mJ more. */
static ws_shared_readings rising(uint32_t from, uint32_t to, uint32_t more)
{
    uint32_t count[COUNTS], other[COUNTS];
    for (uint32_t i = 0; i < COUNTS; i++) {
        count[i] = 5000 + 1000 * i + 7 * i * i;
        other[i] = count[i] + (i >= from && i < to ? more : 0);
    }
    const made a = counted(count, COUNTS), b = counted(other, COUNTS);
    return compared(&a, &b);
}

START_TEST(rises_that_agree)
{
    ck_assert_int_eq(rising(1, COUNTS, 2).n_agree, COUNTS - 1);
    ck_assert_int_eq(rising(10, COUNTS, 3).n_agree, 9);
    ck_assert_int_eq(rising(1, 3, 500).n_agree, COUNTS - 3); /* of the first two none, */
    ck_assert_int_eq(rising(1, 4, 500).n_agree, 0);          /* of the first three */
}
END_TEST

/* Ten rises, of `step_mj` or one of `range_mj` more: a hundredth of the range, at least 1 in 200, and at most 1 in 5.
 */
static double chance_of(uint32_t step_mj, uint32_t range_mj)
{
    uint32_t count[11] = {1000};
    for (uint32_t i = 1; i < 11; i++)
        count[i] = 1000 + (i < 10 ? i * step_mj : range_mj);
    const made a = counted(count, 11);
    return pow(compared(&a, &a).chance, 0.1);
}

START_TEST(the_chance_of_rises)
{
    ck_close(chance_of(1, 1000), 0.1, 1e-9, 0);
    ck_close(chance_of(1, 100000), 0.005, 1e-9, 0);
    ck_close(chance_of(1, 500), 0.2, 1e-9, 0);
    ck_close(chance_of(1, 499), 1, 1e-9, 0);
}
END_TEST

/* --- room --- */

START_TEST(readings_of_a_log)
{
    static const uint32_t room[] = {96, 96, 48, 32, 16, 16};
    static int64_t t_ns[400];
    static double value[400];
    for (int i = 0; i < 400; i++)
        t_ns[i] = INT64_C(1000000000) * i, value[i] = 100 + i;
    for (size_t n = 1; n < sizeof room / sizeof *room; n++) {
        ws_fingerprint_taker f = {0};
        const ws_block block = {.n = 400, .t_ns = t_ns, .value = value};
        const ws_value_range range = ws_value_range_of(&block);
        ws_fingerprint_push(&f, &block, &range);
        ws_fingerprint_cut(&f, n);
        ck_assert_uint_eq(ws_fingerprint_of(&f).n_samples, room[n]);
    }
}
END_TEST

/* --- sums --- */

/* Two parts of 200 W and 300 W that change by `change` over n readings, and their sum, of which every `off_every`th
 * reading is off by a share. In steps of 1 mW. */
typedef struct sums {
    uint32_t n, off_every;
    double change, off;
} sums;

static ws_sum_likeness add_up(const made *sum, const made part[2])
{
    const ws_fingerprint own = view(sum), parts[] = {view(&part[0]), view(&part[1])};
    return ws_fingerprints_add_up(&own, parts, 2);
}

static ws_sum_likeness powers_add_up(const sums *p)
{
    made part[2] = {0}, sum = {0};
    for (uint32_t i = 0; i < p->n; i++) {
        double whole = 0, share = i % p->off_every == p->off_every - 1 ? p->off : 0;
        for (int k = 0; k < 2; k++) {
            float w = (float)(200.001 + 100 * k + p->change / 2 * ((double)i / (p->n - 1)));
            part[k].kept.sample[i] = (ws_fingerprint_sample){.rank = (i + 1) & WS_FINGERPRINT_MOST_RANK, .value_w = w};
            whole += w;
        }
        sum.kept.sample[i] = (ws_fingerprint_sample){.rank = (i + 1) & WS_FINGERPRINT_MOST_RANK,
                                                     .value_w = (float)(whole * (1 + share))};
    }
    part[0].kept.n_samples = part[1].kept.n_samples = sum.kept.n_samples = p->n;
    return add_up(&sum, part);
}

START_TEST(powers_that_add_up)
{
    static const struct {
        const char *what;
        sums p;
        ws_sum_likeness likeness;
    } cases[] = {{"a sum", {8, 1, 50, 0}, WS_SUM},
                 {"too few readings", {7, 1, 50, 0}, WS_SUM_UNKNOWN},
                 {"off by 0.29 %", {8, 1, 50, 0.0029}, WS_SUM},
                 {"off by 0.31 %", {8, 1, 50, 0.0031}, WS_NO_SUM},
                 {"one of ten is off", {20, 10, 50, 0.1}, WS_SUM},
                 {"one of nine is off", {18, 9, 50, 0.1}, WS_NO_SUM},
                 {"ten times what they are apart", {8, 1, 12, 0.002}, WS_SUM},
                 {"less than that", {8, 1, 9, 0.002}, WS_NO_SUM},
                 {"little more than rounding", {8, 1, 0.01, 0}, WS_NO_SUM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(powers_add_up(&cases[i].p) == cases[i].likeness, "%s", cases[i].what);
}
END_TEST

/* Two counters that rise by 4000 and 6001 steps from row to row, from where the kWh is nearly full, and the sum of
 * their rises, which is off by a few steps a row. The rises of nine rows are up to 80008 steps, and three steps are
 * rounding: a 10,000th is eight. */
static ws_sum_likeness counters_add_up(uint32_t n, uint32_t off, uint32_t step_mj)
{
    static const uint32_t rise[] = {4000, 6001}, kwh_mj = 3600000000U;
    made part[2] = {0}, sum = {0};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 2; k++)
            part[k].kept.sample[i] = (ws_fingerprint_sample){
                .rank = (i + 1) & WS_FINGERPRINT_MOST_RANK,
                .count_mj = (uint32_t)((kwh_mj - 1U + (uint64_t)rise[k] * step_mj * i) % kwh_mj)};
        sum.kept.sample[i] = (ws_fingerprint_sample){.rank = (i + 1) & WS_FINGERPRINT_MOST_RANK,
                                                     .count_mj = 77 + (rise[0] + rise[1] + off) * step_mj * i};
    }
    part[0].kept.is_counter = part[1].kept.is_counter = sum.kept.is_counter = 1;
    part[0].kept.n_samples = part[1].kept.n_samples = sum.kept.n_samples = n;
    return add_up(&sum, part);
}

START_TEST(counters_that_add_up)
{
    ck_assert_int_eq(counters_add_up(9, 0, 10), WS_SUM);
    ck_assert_int_eq(counters_add_up(9, 0, 1000), WS_SUM);
    ck_assert_int_eq(counters_add_up(8, 0, 10), WS_SUM_UNKNOWN);
    ck_assert_int_eq(counters_add_up(9, 1, 10), WS_NO_SUM);
}
END_TEST

TEST_MAIN("fingerprint bounds", words_that_match, words_of_one_log, readings_that_are_enough, the_share_that_agrees,
          readings_half_a_step_apart, the_last_digit_of_large_powers, the_chance_of_powers, the_first_readings,
          the_first_stamps, rises_that_agree, the_chance_of_rises, readings_of_a_log, powers_that_add_up,
          counters_that_add_up)
