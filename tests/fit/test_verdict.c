#include "fit/tests/verdict.h"

#include "tests/fit/reference.h"
#include "tests/fit/simulate.h"

static ws_verdict judge(const double *a, size_t n_a, const double *b, size_t n_b, double effect)
{
    const ws_verdict_input in = {.a = a, .b = b, .n_a = n_a, .n_b = n_b, .level = 0.95, .min_effect = effect};
    ws_verdict v;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    return v;
}

static const double a[] = {99, 100, 101, 100}, worse[] = {109, 110, 111, 110}, same[] = {100, 101, 99, 100},
                    wide[] = {80, 130, 95, 115};

START_TEST(four_answers)
{
    ck_assert_int_eq(judge(a, 4, worse, 4, 0.02).kind, WS_WORSE);
    ck_assert_int_eq(judge(a, 4, same, 4, 0.02).kind, WS_NO_WORSE);
    ck_assert_int_eq(judge(worse, 4, a, 4, 0).kind, WS_NO_WORSE);
    ws_verdict v = judge(a, 4, wide, 4, 0.02);
    ck_assert_int_eq(v.kind, WS_UNDECIDED);
    ck_assert(v.repeats > 4 && v.ci_lo < 0.02 && v.ci_hi > 0.02);
    ck_assert_ptr_nonnull(strstr(v.sentence, "would probably decide"));
    ck_assert_int_eq(judge(a, 0, worse, 4, 0.02).kind, WS_UNUSABLE);
    ck_assert_int_eq(judge(a, 1, worse, 4, 0.02).kind, WS_UNDECIDED);
    const double equal[] = {5, 5, 5}, below[] = {-1, 0, -2};
    ck_assert_int_eq(judge(equal, 3, equal, 3, 0.02).kind, WS_UNUSABLE);
    ck_assert_int_eq(judge(a, 4, below, 3, 0.02).kind, WS_UNUSABLE);
}
END_TEST

/* Four pairs are too few for a bootstrap: it says so, and asks for as many repeats as Student's t does. */
START_TEST(no_bootstrap_of_four_pairs)
{
    ws_verdict_input in = {.a = a, .b = wide, .n_a = 4, .n_b = 4, .is_paired = true, .level = 0.95, .min_effect = 0.02};
    ws_verdict t, drawn;
    ck_assert_int_eq(ws_judge(&in, &t, NULL), WS_OK);
    in.draws = 200;
    ck_assert_int_eq(ws_judge(&in, &drawn, NULL), WS_OK);
    ck_assert_int_eq(drawn.kind, WS_UNDECIDED);
    ck_assert(isnan(drawn.ci_lo) && isnan(drawn.ci_hi));
    ck_assert_uint_eq(drawn.repeats, t.repeats);
    ck_assert_ptr_nonnull(strstr(drawn.sentence, "4 points: a bootstrap needs at least 5"));
}
END_TEST

/* With A far more certain than B the change is B's mean over a constant: 10 % -+ t(3) sd / sqrt(4) / 100. */
START_TEST(interval_by_hand)
{
    const double sure[] = {100 - 1e-9, 100 + 1e-9, 100, 100};
    ws_verdict v = judge(sure, 4, worse, 4, 0.02);
    double half = 3.182446305284263 * sqrt(2.0 / 3) / 2 / 100;
    ck_close(v.change, 0.1, 1e-9, 0);
    ck_close(v.ci_hi - 0.1, half, 1e-6, 0);
    ck_close(0.1 - v.ci_lo, half, 1e-6, 0);
}
END_TEST

/* Pairs whose spread is shared: unpaired it hides the change of 3 %, paired it does not. */
START_TEST(pairs)
{
    const double before[] = {50, 80, 120, 200, 310}, after[] = {51.4, 82.5, 123.7, 206.1, 319.2};
    ws_verdict_input in = {.a = before, .b = after, .n_a = 5, .n_b = 5, .level = 0.95, .min_effect = 0.01};
    ws_verdict v;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_assert_int_eq(v.kind, WS_UNDECIDED);
    in.is_paired = true;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_assert_int_eq(v.kind, WS_WORSE);
    in.more_is_better = true;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_assert_int_eq(v.kind, WS_NO_WORSE);
    in.draws = 2000;
    in.more_is_better = false;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_assert_int_eq(v.kind, WS_WORSE);
    in.n_b = 4;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_USAGE);
}
END_TEST

/* scipy 1.10: ttest_1samp of the logarithms of ratios, ttest_ind (Welch) of logarithms with the quantile solved from
 * the tail (t.ppf is off by 3e-9). Of ranks 4 values all above 4 others have p = 2 / 70. */
START_TEST(by_logarithms)
{
    const double before[] = {50, 80, 120, 200, 310}, after[] = {51.4, 82.5, 123.7, 206.1, 319.2},
                 base[] = {99, 100, 101, 100}, more[] = {109, 110, 111, 110}, none[] = {50, 80, 0, 200, 310};
    ws_verdict_input in = {.a = before, .b = after, .n_a = 5, .n_b = 5, .level = 0.95, .min_effect = 0.02};
    ws_verdict v;
    in.is_paired = true;
    in.method = WS_BY_RATIOS;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_close(v.change, 0.030051509641906542, 1e-12, 0);
    ck_close(v.p_value, 7.542418361106411e-07, 1e-9, 0);
    ck_close(v.ci_lo, 0.02845736, 1e-6, 0);
    ck_close(v.ci_hi, 0.03164813, 1e-6, 0);
    ck_assert_int_eq(v.kind, WS_WORSE);
    in.method = WS_BY_RANKS;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_assert_int_eq(v.kind, WS_UNDECIDED); /* five pairs reach 94 % */
    ck_close(v.p_value, 2. / 32, 1e-14, 0);
    in = (ws_verdict_input){.a = base, .b = more, .n_a = 4, .n_b = 4, .level = 0.95, .method = WS_BY_RATIOS};
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_close(v.change, 0.10000477317352564, 1e-12, 0);
    ck_close(v.p_value, 2.6198327738643536e-06, 1e-9, 0);
    ck_close(v.ci_lo, 0.08522141205479052, 1e-11, 0);
    ck_close(v.ci_hi, 0.11498951970867374, 1e-11, 0);
    in.method = WS_BY_RANKS;
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_close(v.p_value, 2. / 70, 1e-13, 0);
    ck_close(v.change, 0.1, 2e-3, 0);
    ck_assert_int_eq(v.kind, WS_WORSE);
    in = (ws_verdict_input){.a = none, .b = after, .n_a = 5, .n_b = 5, .level = 0.95, .method = WS_BY_RANKS};
    ck_assert_int_eq(ws_judge(&in, &v, NULL), WS_OK);
    ck_assert_int_eq(v.kind, WS_UNUSABLE);
}
END_TEST

/* Equal programs at the edge of the margin: "worse" comes in 2.5 % of the cases, here 2000 of them, sd of the count 7.
 */
START_TEST(level)
{
    unsigned state = 7;
    int said_worse = 0;
    for (int set = 0; set < 2000; set++) {
        double x[5], y[5];
        for (int i = 0; i < 10; i++) {
            double sum = 0;
            for (int k = 0; k < 12; k++)
                sum += (state = state * 1664525u + 1013904223u) / 4294967296.0;
            if (i < 5)
                x[i] = 100 + (sum - 6);
            else
                y[i - 5] = 102 + (sum - 6);
        }
        said_worse += judge(x, 5, y, 5, 0.02).kind == WS_WORSE;
    }
    ck_assert_msg(said_worse >= 22 && said_worse <= 78, "%d of 2000", said_worse);
}
END_TEST

/* Holm by hand: p of "worse" against 2 %, from the t that reaches it, for groups of which each needs the step before
 * it. */
START_TEST(family_by_hand)
{
    const double sure[] = {100 - 1e-9, 100 + 1e-9, 100, 100}, t[] = {4.1, 3.5, 6.0, 2.0};
    double b[4][4];
    ws_verdict_input in[5];
    ws_verdict v[5];
    size_t n_judged;
    for (size_t g = 0; g < 4; g++) { /* sd / sqrt(4) is 1, so the mean lies t above 102 */
        const double off[] = {-sqrt(6), 0, 0, sqrt(6)};
        for (size_t i = 0; i < 4; i++)
            b[g][i] = 102 + t[g] + off[i];
        in[g] = (ws_verdict_input){.a = sure, .b = b[g], .n_a = 4, .n_b = 4, .min_effect = 0.02};
    }
    in[4] = (ws_verdict_input){.a = sure, .b = b[0], .n_a = 4, .n_b = 1, .min_effect = 0.02};
    /* Two-sided p with 3 degrees of freedom: 0.0262, 0.0395, 0.0093, 0.139. Holm at 10 %: 4 x 0.0093, 3 x 0.0262, 2 x
       0.0395 are below, 0.139 is not. Bonferroni would leave all but the first. */
    ck_assert_int_eq(ws_judge_family(in, 5, 0.9, v, &n_judged, NULL), WS_OK);
    ck_assert_uint_eq(n_judged, 4);
    ck_assert_int_eq(v[2].kind, WS_WORSE);
    ck_assert_int_eq(v[0].kind, WS_WORSE);
    ck_assert_int_eq(v[1].kind, WS_WORSE);
    ck_assert_int_eq(v[3].kind, WS_UNDECIDED);
    ck_assert_int_eq(v[4].kind, WS_UNDECIDED);
    ck_close(in[2].level, 1 - 0.1 / 4, 1e-12, 0);
    ck_close(in[0].level, 1 - 0.1 / 3, 1e-12, 0);
    ck_close(in[1].level, 1 - 0.1 / 2, 1e-12, 0);
    ck_close(in[3].level, 0.9, 1e-12, 0);
    ck_assert_int_eq(ws_judge_family(in, 0, 0.9, v, &n_judged, NULL), WS_OK);
    ck_assert_uint_eq(n_judged, 0);
}
END_TEST

/* Six groups, each exactly at the effect that still counts as none: any "worse" is wrong. */
START_TEST(family_keeps_its_level)
{
    enum { GROUPS = 6, SETS = 1000 };
    sim s = sim_begin(1, 77);
    int together = 0, apart = 0;
    for (int set = 0; set < SETS; set++) {
        double x[GROUPS][8];
        ws_verdict_input in[GROUPS];
        ws_verdict v[GROUPS];
        size_t n_judged;
        bool any = false, any_apart = false;
        for (size_t g = 0; g < GROUPS; g++) {
            for (size_t i = 0; i < 8; i++)
                x[g][i] = (i < 4 ? 100 : 102) + sim_normal(&s);
            in[g] = (ws_verdict_input){.a = x[g], .b = x[g] + 4, .n_a = 4, .n_b = 4, .level = 0.95, .min_effect = 0.02};
            ck_assert_int_eq(ws_judge(&in[g], &v[g], NULL), WS_OK);
            any_apart |= v[g].kind == WS_WORSE;
        }
        ck_assert_int_eq(ws_judge_family(in, GROUPS, 0.95, v, &n_judged, NULL), WS_OK);
        for (size_t g = 0; g < GROUPS; g++)
            any |= v[g].kind == WS_WORSE;
        together += any;
        apart += any_apart;
    }
    ck_assert_msg(together <= 50, "%d of %d families with a wrong verdict", together, SETS);
    ck_assert_msg(apart > 80, "%d of %d without adjustment: 1 - 0.975^6 is 14 %%", apart, SETS);
}
END_TEST

/* Two values a factor of two apart, in A 3 to 1 and in B 1 to 3, every run of B 1 % above its like: the shares alone
 * make +68 %, held it is 1 %. By hand: d is ln 1.01 in either value, so the residuals are zero but for the +-h. */
START_TEST(held_by_hand)
{
    const double h = 1e-3;
    const double x[] = {1 * exp(h), 1, 1 * exp(-h), 2};
    const double y[] = {1.01, 2.02 * exp(h), 2.02, 2.02 * exp(-h)};
    const size_t of_x[] = {0, 0, 0, 1}, of_y[] = {0, 1, 1, 1}, apart_x[] = {0, 0, 0, 0}, apart_y[] = {1, 1, 1, 1};
    ws_verdict_input in = {.a = x, .b = y, .n_a = 4, .n_b = 4, .level = 0.95, .min_effect = 0.02};
    ws_verdict plain, held;
    ck_assert_int_eq(ws_judge(&in, &plain, NULL), WS_OK);
    ck_assert_int_eq(ws_judge_held(&in, of_x, of_y, &held, NULL), WS_OK);
    ck_close(held.change, 0.01, 1e-9, 0);
    /* rss = 4 h^2 with 8 - 2 - 1 degrees of freedom, sum s'^2 = 2 (3 / 4): t(5) = 2.5706 */
    ck_close(log1p(held.ci_hi) - log(1.01), 2.570581835636314 * sqrt(4 * h * h / 5 / 1.5), 1e-6, 0);
    ck_assert_int_eq(held.kind, WS_NO_WORSE);
    ck_assert(plain.change > 0.3);
    plain.kind = WS_WORSE;
    plain.ci_lo = 0.3;
    plain.ci_hi = 0.8;
    ck_assert(ws_verdict_hangs_on(&plain, &held));
    plain.kind = WS_UNDECIDED;
    ck_assert(!ws_verdict_hangs_on(&plain, &held));
    ck_assert_int_eq(ws_judge_held(&in, apart_x, apart_y, &held, NULL), WS_OK);
    ck_assert_int_eq(held.kind, WS_UNUSABLE);
    ck_assert(isnan(held.change));
    /* of pairs those that agree: the last three of the second are 2.02 to 2 and to 1; the first and the last agree */
    in.is_paired = true;
    in.method = WS_BY_RATIOS;
    ck_assert_int_eq(ws_judge_held(&in, of_x, of_y, &held, NULL), WS_OK);
    ck_assert_uint_eq(held.a.n, 2);
    ck_close(held.change, 1.01 * exp(-h) - 1, 1e-9, 0);
}
END_TEST

/* A setting of two values in shares of 1 to 3 and 3 to 1. Where it makes 60 % and nothing else differs, a certain
 * "worse" is wrong; where it makes nothing, a worse B is to be found worse all the same. */
START_TEST(held_in_campaigns)
{
    enum { SETS = 2000, RUNS = 16 };
    sim s = sim_begin(3, 5);
    int wrong = 0, fooled = 0, found = 0, asked = 0;
    for (int set = 0; set < SETS; set++)
        for (int matters = 0; matters < 2; matters++) {
            double x[RUNS], y[RUNS];
            size_t of_x[RUNS], of_y[RUNS];
            for (size_t i = 0; i < RUNS; i++) {
                of_x[i] = i < RUNS / 4;
                of_y[i] = i >= RUNS / 4;
                x[i] = exp(0.02 * sim_normal(&s)) * (matters && of_x[i] ? 1.6 : 1);
                y[i] = exp(0.02 * sim_normal(&s)) * (matters && of_y[i] ? 1.6 : 1) * (matters ? 1 : 1.08);
            }
            const ws_verdict_input in = {.a = x, .b = y, .n_a = RUNS, .n_b = RUNS, .level = 0.95, .min_effect = 0.02};
            ws_verdict plain, held;
            ck_assert_int_eq(ws_judge(&in, &plain, NULL), WS_OK);
            ck_assert_int_eq(ws_judge_held(&in, of_x, of_y, &held, NULL), WS_OK);
            bool is_worse = plain.kind == WS_WORSE, hangs = ws_verdict_hangs_on(&plain, &held);
            fooled += matters && is_worse;
            wrong += matters && is_worse && !hangs;
            found += !matters && is_worse;
            asked += !matters && is_worse && hangs;
        }
    ck_assert_msg(fooled > SETS / 2, "the shares alone make only %d of %d worse", fooled, SETS);
    ck_assert_msg(wrong <= SETS / 40 + 14, "%d of %d wrong verdicts", wrong, SETS); /* 2.5 % and 2 sd */
    ck_assert_msg(found > SETS * 9 / 10, "%d of %d found", found, SETS);
    ck_assert_msg(asked <= found / 20, "%d of %d asked without need", asked, found);
}
END_TEST

TEST_MAIN("verdict", held_by_hand, held_in_campaigns, four_answers, no_bootstrap_of_four_pairs, interval_by_hand, pairs,
          by_logarithms, level, family_by_hand, family_keeps_its_level)
