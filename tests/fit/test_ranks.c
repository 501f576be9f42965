/* Ranks against scipy 1.10 (mannwhitneyu and wilcoxon, exact and asymptotic with continuity), against enumeration of
 * all arrangements where there are ties, and against a shift that is known. */
#include "fit/tests/ranks.h"

#include "harness.h"
#include "simulate.h"

static const double A[] = {6.1, 5.8, 6.4, 6.0, 5.5}, B[] = {6.6, 6.2, 7.0, 6.3, 6.8, 6.45};
static const double D[] = {2.1, -0.3, 1.7, 0.9, 3.2, 0.4, 1.1, -0.6, 2.6};

START_TEST(exact_without_ties)
{
    ws_ranks r;
    ck_assert_int_eq(ws_mann_whitney(A, 5, B, 6, 0.95, &r, NULL), WS_OK);
    ck_assert(r.status == WS_FIT_OK && r.p_is_exact);
    ck_close(r.p_value, 0.017316017316017316, 1e-13, 0); /* 8 of the 462 arrangements */
    ck_close(r.shift, 0.6, 1e-13, 0);
    ck_close(r.ci_lo, 0.1, 1e-12, 0); /* the 4th of the 30 differences from either end */
    ck_close(r.ci_hi, 1.1, 1e-13, 0);
    ck_close(r.level, 0.9696969696969697, 1e-13, 0);
    ck_assert_int_eq(ws_signed_ranks(D, 9, 0.95, &r, NULL), WS_OK);
    ck_close(r.p_value, 0.02734375, 1e-14, 0);
    ck_close(r.shift, 1.25, 1e-13, 0);
    ck_close(r.ci_lo, 0.15, 1e-13, 0); /* the 6th of the 45 averages from either end */
    ck_close(r.ci_hi, 2.35, 1e-13, 0);
    ck_close(r.level, 0.9609375, 1e-14, 0);
}
END_TEST

START_TEST(exact_with_ties)
{
    static const double a[] = {1, 2, 2, 3}, b[] = {2, 3, 3, 4, 5}, d[] = {1, 1, -1, 2, 3, 0, 2, -2};
    ws_ranks r;
    ck_assert_int_eq(ws_mann_whitney(a, 4, b, 5, 0.95, &r, NULL), WS_OK);
    ck_close(r.p_value, 20. / 126, 1e-13, 0); /* twice the 10 of 126 whose mid-ranks add up to as much */
    ck_assert_int_eq(ws_signed_ranks(d, 8, 0.95, &r, NULL), WS_OK);
    ck_close(r.p_value, 0.328125, 1e-14, 0); /* twice 21 of 128 signs */
}
END_TEST

START_TEST(many_values)
{
    double a[30], b[30], d[60];
    ws_ranks r;
    for (int i = 0; i < 30; i++) {
        a[i] = i;
        b[i] = i + 4.5;
    }
    for (int i = 0; i < 60; i++)
        d[i] = i - 20 + 0.25;
    ck_assert_int_eq(ws_mann_whitney(a, 30, b, 30, 0.95, &r, NULL), WS_OK);
    ck_assert(!r.p_is_exact);
    ck_close(r.p_value, 0.06567125768912659, 1e-12, 0);
    ck_close(r.shift, 4.5, 1e-14, 0);
    ck_assert_int_eq(ws_signed_ranks(d, 60, 0.95, &r, NULL), WS_OK);
    ck_close(r.p_value, 0.00027230714991420427, 1e-11, 0);
    ck_close(r.shift, 9.75, 1e-14, 0);
}
END_TEST

/* 1 - 2 / C(6, 3) = 90 %, 1 - 2 / 2^5 = 93.75 %: no interval of 95 %, but a p and a shift. */
START_TEST(too_few)
{
    ws_ranks r;
    ck_assert_int_eq(ws_mann_whitney(A, 3, B, 3, 0.95, &r, NULL), WS_OK);
    ck_assert_int_eq(r.status, WS_FIT_TOO_FEW);
    ck_assert(isnan(r.ci_lo) && isnan(r.ci_hi) && !isnan(r.p_value) && !isnan(r.shift));
    ck_assert_str_eq(r.sentence, "ranks of so few runs reach 90.0 % at most; 95 % takes 4 a side, 3 and 5 or 2 and 8");
    ck_assert_int_eq(ws_mann_whitney(A, 3, B, 3, 0.9, &r, NULL), WS_OK);
    ck_assert(r.status == WS_FIT_OK && r.ci_lo < r.ci_hi);
    ck_assert_int_eq(ws_signed_ranks(D, 5, 0.95, &r, NULL), WS_OK);
    ck_assert_int_eq(r.status, WS_FIT_TOO_FEW);
    ck_assert_int_eq(ws_signed_ranks(D, 6, 0.95, &r, NULL), WS_OK);
    ck_assert_int_eq(r.status, WS_FIT_OK);
    ck_assert_int_eq(ws_mann_whitney(A, 0, B, 3, 0.95, &r, NULL), WS_OK);
    ck_assert_int_eq(r.status, WS_FIT_TOO_FEW);
    static const double same[] = {2, 2, 2, 2, 2};
    ck_assert_int_eq(ws_mann_whitney(same, 5, same, 5, 0.95, &r, NULL), WS_OK);
    ck_assert(r.status == WS_FIT_CONSTANT && isnan(r.p_value));
}
END_TEST

/* A shift of 1 under errors of a law with long tails, 4 to 12 a side: at least 95 % of intervals hold it, of 4000 not
 * fewer than 3800 - 4 x 13.8. */
/* One value fewer has no interval, by the test itself. */
START_TEST(least_that_reach_the_level)
{
    static const double levels[] = {0.8, 0.9, 0.95, 0.99}, a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9},
                        b[] = {2, 4, 6, 8, 9, 11, 12, 14, 16};
    static const size_t pairs[] = {4, 5, 6, 8},
                        sides[] = {3, 3, 4, 5}; /* 2^(1 - n) and 2 / C(2 n, n) at most 1 - level */
    for (size_t i = 0; i < 4; i++) {
        size_t least = ws_ranks_least(true, levels[i]), side = ws_ranks_least(false, levels[i]);
        ws_ranks r;
        ck_assert_uint_eq(least, pairs[i]);
        ck_assert_uint_eq(side, sides[i]);
        for (size_t short_by = 0; short_by < 2; short_by++) {
            ck_assert_int_eq(ws_signed_ranks(b, least - short_by, levels[i], &r, NULL), WS_OK);
            ck_assert_int_eq(isnan(r.ci_lo) != 0, (int)short_by);
            ck_assert_int_eq(ws_mann_whitney(a, side - short_by, b, side - short_by, levels[i], &r, NULL), WS_OK);
            ck_assert_int_eq(isnan(r.ci_lo) != 0, (int)short_by);
        }
    }
}
END_TEST

/* 2 / C(n + m, n) at most 1 - level: of 95 % at 3 and 5 (2 / 56), not at 3 and 4 (2 / 35); of 99 % at 4 and 6 (2 /
 * 210), 3 and 9 (2 / 220), 2 and 19 (2 / 210). */
START_TEST(unequal_sides_in_words)
{
    static const struct {
        size_t n, m;
        double level;
    } least[] = {{3, 5, 0.95}, {2, 8, 0.95}, {4, 6, 0.99}, {3, 9, 0.99}, {2, 19, 0.99}};
    double a[4] = {1, 2, 3, 4}, b[20];
    for (size_t i = 0; i < 20; i++)
        b[i] = 2.25 + (double)i;
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        for (size_t short_by = 0; short_by < 2; short_by++) {
            ws_ranks r;
            ck_assert_int_eq(ws_mann_whitney(a, least[i].n, b, least[i].m - short_by, least[i].level, &r, NULL), WS_OK);
            ck_assert_int_eq(isnan(r.ci_lo) != 0, (int)short_by);
        }
    ck_assert_str_eq(ws_ranks_say_least(false, 0.95).text, "4 a side, 3 and 5 or 2 and 8");
    ck_assert_str_eq(ws_ranks_say_least(false, 0.99).text, "5 a side, 4 and 6 or 3 and 9");
    ck_assert_str_eq(ws_ranks_say_least(true, 0.95).text, "6 pairs");
}
END_TEST

START_TEST(intervals_hold_the_shift)
{
    sim s = sim_begin(20261124, 1);
    size_t held = 0, held_pairs = 0;
    for (size_t k = 0; k < 4000; k++) {
        double a[12], b[12], d[12];
        size_t n_a = sim_from_to(&s, 4, 12), n_b = sim_from_to(&s, 4, 12), n = sim_from_to(&s, 6, 12);
        ws_ranks r;
        for (size_t i = 0; i < 12; i++) {
            a[i] = exp(sim_normal(&s));
            b[i] = 1 + exp(sim_normal(&s));
            d[i] = 1 + sim_normal(&s) * exp(sim_normal(&s));
        }
        ck_assert_int_eq(ws_mann_whitney(a, n_a, b, n_b, 0.95, &r, NULL), WS_OK);
        held += r.ci_lo <= 1 && 1 <= r.ci_hi;
        ck_assert_int_eq(ws_signed_ranks(d, n, 0.95, &r, NULL), WS_OK);
        held_pairs += r.ci_lo <= 1 && 1 <= r.ci_hi;
    }
    ck_assert_uint_ge(held, 3745);
    ck_assert_uint_ge(held_pairs, 3745);
}
END_TEST

/* Thousands of groups of as many runs share one distribution; counted for every step of each interval it is hours. */
START_TEST(thousands_of_groups_end)
{
    enum { GROUPS = 20000, RUNS = 25, PAIRS = 50 };
    sim s = sim_begin(20261128, 1);
    size_t refused = 0, refused_pairs = 0;
    for (size_t g = 0; g < GROUPS; g++) {
        double a[RUNS], b[RUNS], d[PAIRS];
        ws_ranks r;
        for (size_t i = 0; i < RUNS; i++) {
            a[i] = sim_normal(&s);
            b[i] = sim_normal(&s);
        }
        for (size_t i = 0; i < PAIRS; i++)
            d[i] = sim_normal(&s);
        ck_assert_int_eq(ws_mann_whitney(a, RUNS, b, RUNS, 0.95, &r, NULL), WS_OK);
        ck_assert(r.p_is_exact && r.level >= 0.95 && r.level < 0.96);
        refused += r.p_value < 0.05;
        ck_assert_int_eq(ws_signed_ranks(d, PAIRS, 0.95, &r, NULL), WS_OK);
        refused_pairs += r.p_value < 0.05;
    }
    ck_assert(refused > 0.044 * GROUPS && refused < 0.055 * GROUPS);
    ck_assert(refused_pairs > 0.044 * GROUPS && refused_pairs < 0.055 * GROUPS);
}
END_TEST

TEST_MAIN("ranks", exact_without_ties, exact_with_ties, many_values, too_few, least_that_reach_the_level,
          unequal_sides_in_words, intervals_hold_the_shift, thousands_of_groups_end)
