#include "harness.h"

#include "core/stake.h"

#include <math.h>
#include <string.h>

static ws_energy_verdict verdict(ws_finding finding, double joules, double energy_j, const ws_verdict_rules *rules)
{
    ws_stake stake = {0};
    ws_stake_add(&stake, rules, finding, joules);
    return ws_energy_verdict_of(&stake, energy_j, rules);
}

/* From 1 % on doubtful, above 20 % unusable, whatever the sign of the energy. */
START_TEST(shares_have_their_ends)
{
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 0.999, 100, NULL), WS_ENERGY_VERDICT_OK);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 1, 100, NULL), WS_ENERGY_VERDICT_DOUBTFUL);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 20, 100, NULL), WS_ENERGY_VERDICT_DOUBTFUL);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 20.001, 100, NULL), WS_ENERGY_VERDICT_UNUSABLE);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 20, -100, NULL), WS_ENERGY_VERDICT_DOUBTFUL);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 1e-9, 0, NULL), WS_ENERGY_VERDICT_UNUSABLE);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 0, 0, NULL), WS_ENERGY_VERDICT_OK);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 50, NAN, NULL), WS_ENERGY_VERDICT_NONE);
}
END_TEST

START_TEST(effects_weigh_as_the_table_says)
{
    ck_assert_int_eq(verdict(WS_FINDING_NAIVE_TIME, INFINITY, 100, NULL), WS_ENERGY_VERDICT_OK);
    ck_assert_int_eq(verdict(WS_FINDING_SAME_READINGS, 90, 100, NULL), WS_ENERGY_VERDICT_DOUBTFUL);
    ck_assert_int_eq(verdict(WS_FINDING_OUT_OF_ORDER, 0, 100, NULL), WS_ENERGY_VERDICT_UNUSABLE);
    ck_assert_int_eq(verdict(WS_FINDING_STUCK_COUNTER, INFINITY, 100, NULL), WS_ENERGY_VERDICT_UNUSABLE);
    ck_assert_int_eq(verdict(WS_FINDING_GPU_COUNT, NAN, 100, NULL), WS_ENERGY_VERDICT_DOUBTFUL);
}
END_TEST

START_TEST(joules_add_up)
{
    ws_stake a = {0}, b = {0};
    char text[100], little[10];
    ws_stake_add(&a, NULL, WS_FINDING_LONG_GAP, 15);
    ws_stake_add(&a, NULL, WS_FINDING_SHORT_TRACE, 0);
    ws_stake_add(&b, NULL, WS_FINDING_COUNTER_RESET, 4);
    ws_stake_add(&b, NULL, WS_FINDING_COUNTER_RESET, 2);
    ws_stake_merge(&a, &b);
    ck_assert_double_eq(a.joules, 21);
    ck_assert_str_eq(ws_finding_set_text(&a.findings, text, sizeof text), "counter-reset,long-gap");
    ck_assert_str_eq(ws_finding_set_text(&a.findings, little, sizeof little), "long-gap");
    ck_assert_int_eq(ws_energy_verdict_of(&a, 100, NULL), WS_ENERGY_VERDICT_UNUSABLE);
}
END_TEST

START_TEST(rules_of_the_user_count)
{
    ws_verdict_rules rules = {.doubtful_share = 0.05, .unusable_share = 0.5};
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 4.9, 100, &rules), WS_ENERGY_VERDICT_OK);
    ck_assert_int_eq(verdict(WS_FINDING_LONG_GAP, 50, 100, &rules), WS_ENERGY_VERDICT_DOUBTFUL);
    ws_finding_set_add(&rules.ignored, WS_FINDING_STUCK_SENSOR);
    ws_finding_set_add(&rules.ignored, WS_FINDING_SAME_READINGS);
    ck_assert_int_eq(verdict(WS_FINDING_STUCK_SENSOR, INFINITY, 100, &rules), WS_ENERGY_VERDICT_OK);
    ck_assert_int_eq(verdict(WS_FINDING_SAME_READINGS, NAN, 100, &rules), WS_ENERGY_VERDICT_OK);
}
END_TEST

START_TEST(names_lead_back)
{
    for (int v = WS_ENERGY_VERDICT_OK; v < WS_ENERGY_VERDICT_N; v++)
        ck_assert_int_eq(ws_energy_verdict_named(ws_energy_verdict_name((ws_energy_verdict)v)), v);
    ck_assert_int_eq(ws_energy_verdict_named(""), WS_ENERGY_VERDICT_NONE);
    ck_assert_int_eq(ws_energy_verdict_named(NULL), WS_ENERGY_VERDICT_NONE);
}
END_TEST

TEST_MAIN("stake", shares_have_their_ends, effects_weigh_as_the_table_says, joules_add_up, rules_of_the_user_count,
          names_lead_back)
