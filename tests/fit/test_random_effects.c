/* The 13 trials of the BCG vaccine (Colditz et al. 1994, JAMA 271), whose log risk ratios and variances follow from
 * their printed counts. Published of them (metafor, Viechtbauer 2010, J. Statistical Software 36, section 5): Q
 * 152.2330 on 12, tau^2 0.3088, mean -0.7141, I^2 92.12 %. Hartung and Knapp's interval and the prediction interval are
 * worked out from their formulas in Python with quantiles of Student's t from tables. */
#include "fit/tests/random_effects.h"

#include "harness.h"
#include "simulate.h"

enum { TRIALS = 13 };
static const double counts[TRIALS][4] = {{4, 119, 11, 128},       {6, 300, 29, 274},        {3, 228, 11, 209},
                                         {62, 13536, 248, 12619}, {33, 5036, 47, 5761},     {180, 1361, 372, 1079},
                                         {8, 2537, 10, 619},      {505, 87886, 499, 87892}, {29, 7470, 45, 7232},
                                         {17, 1699, 65, 1600},    {186, 50448, 141, 27197}, {5, 2493, 3, 2338},
                                         {27, 16886, 29, 17825}};

START_TEST(bcg_vaccine)
{
    double value[TRIALS], se[TRIALS];
    ws_random_effects r;
    for (size_t i = 0; i < TRIALS; i++) {
        const double *c = counts[i], treated = c[0] + c[1], control = c[2] + c[3];
        value[i] = log(c[0] / treated / (c[2] / control));
        se[i] = sqrt(1 / c[0] - 1 / treated + 1 / c[2] - 1 / control);
    }
    ck_assert_int_eq(ws_random_effects_of(value, se, TRIALS, 0.95, &r, NULL), WS_OK);
    ck_close(r.q.statistic, 152.2330, 0, 5e-5);
    ck_close(r.q.df1, 12, 0, 0);
    ck_assert(r.q.p_value < 1e-20);
    ck_close(r.tau * r.tau, 0.3088, 0, 5e-5);
    ck_close(r.mean.value, -0.7141, 0, 5e-5);
    ck_close(r.i2, 0.9212, 0, 5e-5);
    ck_close(r.mean.se, 0.18069662833554745, 1e-12, 0);
    ck_close(r.mean.ci_lo, -1.1078213541683288, 1e-11, 0);
    ck_close(r.mean.ci_hi, -0.3204130899781255, 1e-11, 0);
    ck_close(r.prediction_lo, -2.0001623518059852, 1e-11, 0);
    ck_close(r.prediction_hi, 0.5719279076595308, 1e-11, 0);
}
END_TEST

/* By hand: 1, 2, 3 with errors of 1: Q 2 on 2, no spread between groups, variance of the mean 2 / 2 / 3; Student's t
 * with 1 and 2 degrees of freedom in closed form. */
START_TEST(by_hand)
{
    const double value[] = {1, 2, 3}, se[] = {1, 1, 1}, bad[] = {1, 0, 1};
    ws_random_effects r;
    ws_error error = {0};
    ck_assert_int_eq(ws_random_effects_of(value, se, 3, 0.95, &r, NULL), WS_OK);
    ck_close(r.q.statistic, 2, 1e-15, 0);
    ck_close(r.q.p_value, exp(-1), 1e-14, 0);
    ck_assert(r.tau == 0 && r.i2 == 0);
    ck_close(r.mean.value, 2, 1e-15, 0);
    ck_close(r.mean.se, sqrt(1. / 3), 1e-15, 0);
    ck_close(r.mean.ci_hi - 2, 0.95 * sqrt(2 / (4 * 0.975 * 0.025)) * sqrt(1. / 3), 1e-12, 0);
    ck_close(r.prediction_hi - 2, tan(3.14159265358979323846 * 0.475) * sqrt(1. / 3), 1e-12, 0);
    ck_close(r.alike.se, r.mean.se, 1e-15, 0); /* slopes that are known equally well: one and the same mean */
    ck_close(r.next_hi - 2, 0.95 * sqrt(2 / (4 * 0.975 * 0.025)) * sqrt(4. / 3), 1e-12, 0);
    ck_assert_int_eq(ws_random_effects_of(value, se, 2, 0.95, &r, NULL), WS_OK);
    ck_assert(!isnan(r.mean.ci_lo) && isnan(r.prediction_lo));
    ck_close(r.alike.value, 1.5, 1e-15, 0);
    ck_close(r.alike.ci_hi - 1.5, tan(3.14159265358979323846 * 0.475) * 0.5, 1e-12, 0);
    ck_assert_int_eq(ws_random_effects_of(value, se, 1, 0.95, &r, NULL), WS_OK);
    ck_assert_int_eq(r.status, WS_FIT_TOO_FEW);
    ck_assert_int_eq(ws_random_effects_of(value, bad, 3, 0.95, &r, &error), WS_DATA);
}
END_TEST

/* Exponents of 3 to 10 models about 0.8, models apart by up to 0.1, each known to 0.01 to 0.04: the mean interval holds
 * 0.8 in 93 to 97 %, the prediction interval the exponent of one more model in 90 % or more (it is known to be short
 * for few and unlike groups). */
START_TEST(intervals_hold_the_mean)
{
    enum { MODELS = 10, CAMPAIGNS = 8000 };
    sim s = sim_begin(20261124, 7);
    size_t held = 0, held_next = 0;
    for (size_t c = 0; c < CAMPAIGNS; c++) {
        double value[MODELS], se[MODELS], apart = sim_uniform(&s, 0, 0.1);
        size_t k = sim_from_to(&s, 3, MODELS);
        ws_random_effects r;
        for (size_t j = 0; j < k; j++) {
            se[j] = sim_uniform(&s, 0.01, 0.04);
            value[j] = 0.8 + apart * sim_normal(&s) + se[j] * sim_normal(&s);
        }
        double next = 0.8 + apart * sim_normal(&s);
        ck_assert_int_eq(ws_random_effects_of(value, se, k, 0.95, &r, NULL), WS_OK);
        held += r.mean.ci_lo <= 0.8 && 0.8 <= r.mean.ci_hi;
        held_next += r.prediction_lo <= next && next <= r.prediction_hi;
    }
    ck_assert_msg(held >= 0.93 * CAMPAIGNS && held <= 0.97 * CAMPAIGNS, "mean: %zu of %d", held, CAMPAIGNS);
    ck_assert_msg(held_next >= 0.9 * CAMPAIGNS, "prediction: %zu of %d", held_next, CAMPAIGNS);
}
END_TEST

/* One of 5 or 8 groups known ten times as well as the others, and groups known to one and to four times: the weighted
 * mean rests on the best known, and its interval holds in 70 to 95 %; that of the plain mean in 93 % or more. */
START_TEST(the_mean_holds_however_well_groups_are_known)
{
    enum { MODELS = 8, CAMPAIGNS = 4000, CASES = 9 };
    static const double apart[] = {0, 0.03, 0.06};
    sim s = sim_begin(20261127, 11);
    for (size_t c = 0; c < CASES; c++) {
        size_t held = 0, held_weighted = 0, held_next = 0, k = c % 3 == 1 ? 8 : 5;
        for (size_t n = 0; n < CAMPAIGNS; n++) {
            double value[MODELS], se[MODELS];
            ws_random_effects r;
            for (size_t j = 0; j < k; j++) {
                se[j] = c % 3 == 2 ? 0.015 * pow(4, (double)j / 4) : j ? 0.05 : 0.005;
                value[j] = 0.8 + apart[c / 3] * sim_normal(&s) + se[j] * sim_normal(&s);
            }
            double next = 0.8 + apart[c / 3] * sim_normal(&s);
            ck_assert_int_eq(ws_random_effects_of(value, se, k, 0.95, &r, NULL), WS_OK);
            held += r.alike.ci_lo <= 0.8 && 0.8 <= r.alike.ci_hi;
            held_weighted += r.mean.ci_lo <= 0.8 && 0.8 <= r.mean.ci_hi;
            held_next += r.next_lo <= next && next <= r.next_hi;
        }
        ck_assert_msg(held >= 0.93 * CAMPAIGNS && held <= 0.98 * CAMPAIGNS, "%zu: mean %zu of %d", c, held, CAMPAIGNS);
        ck_assert_msg(held_next >= 0.93 * CAMPAIGNS, "%zu: one more %zu of %d", c, held_next, CAMPAIGNS);
        ck_assert(c != 3 || held_weighted < 0.8 * CAMPAIGNS);
    }
}
END_TEST

TEST_MAIN("random effects", bcg_vaccine, by_hand, intervals_hold_the_mean, the_mean_holds_however_well_groups_are_known)
