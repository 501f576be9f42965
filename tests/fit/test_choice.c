#include "fit/choice/choice.h"
#include "fit/laws/laws.h"
#include "tests/fit/reference.h"

#include <stdint.h>

static const char *const theirs[] = {"power_law", "amdahl", "floor", "log_quadratic"};

static void ck_candidate(const reference *data, const ws_candidate *c, const char *name)
{
    char path[60];
    snprintf(path, sizeof path, "models.%s.rss_ln", name);
    ck_reference(data, c->fit->rss, path);
    snprintf(path, sizeof path, "models.%s.aicc", name);
    ck_reference(data, c->aicc, path);
    snprintf(path, sizeof path, "models.%s.bic", name);
    ck_reference(data, c->bic, path);
    snprintf(path, sizeof path, "models.%s.akaike_weight", name);
    ck_reference(data, c->weight, path);
    snprintf(path, sizeof path, "models.%s.loocv_rmse_ln", name);
    ck_reference(data, c->loocv_rmse, path);
}

START_TEST(reference_case)
{
    reference data = reference_load("case25_model_choice");
    const ws_law_input in = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95, .in_logs = true};
    ws_fit power, amdahl, floor, quadratic;
    ck_assert_int_eq(ws_fit_powerlaw(in.x, in.y, in.n, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_amdahl(&in, &amdahl, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_floor(&in, &floor, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_lognormal(&in, &quadratic, NULL, NULL), WS_OK);
    ck_reference(&data, log(amdahl.estimate[0].value), "models.amdahl.coef.0");
    ck_reference(&data, amdahl.estimate[1].value, "models.amdahl.coef.1");
    ck_reference(&data, floor.estimate[2].value, "models.floor.coef.2");
    const ws_fit *const fits[] = {&power, &amdahl, &floor, &quadratic};
    ws_choice choice;
    ck_assert_int_eq(ws_choose(fits, 4, NULL, in.n, &choice, NULL), WS_OK);
    ck_assert_uint_eq(choice.n_compared, 4);
    for (size_t i = 0; i < 4; i++)
        ck_candidate(&data, &choice.candidate[i], theirs[i]);
    ck_assert_uint_eq(choice.best, 1);
    ck_assert_uint_eq(choice.best_by_loocv, 1);
    ck_close(choice.candidate[2].evidence,
             reference_number(&data, "models.amdahl.akaike_weight") /
                 reference_number(&data, "models.floor.akaike_weight"),
             1e-4, 0);
    ck_assert_ptr_nonnull(strstr(choice.sentence, "amdahl fits best"));
    json_decref(data.expected);
}
END_TEST

/* The density of y is that of ln y over y, so AICc of a log fit moves by 2 sum ln y; weights in y and with the
 * conversion agree with those among logs alone. */
START_TEST(scales_are_converted)
{
    reference data = reference_load("case25_model_choice");
    const ws_law_input logs = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95, .in_logs = true},
                       plain = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95};
    ws_fit a, b;
    ws_choice choice;
    ck_assert_int_eq(ws_fit_amdahl(&logs, &a, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_amdahl(&plain, &b, NULL, NULL), WS_OK);
    const ws_fit *const fits[] = {&b, &a};
    double sum = 0;
    for (size_t i = 0; i < data.n; i++)
        sum += log(data.column[1][i]);
    ck_assert_int_eq(ws_choose(fits, 2, data.column[1], data.n, &choice, NULL), WS_OK);
    ck_close(choice.candidate[1].aicc, a.aicc + 2 * sum, 1e-12, 0);
    ck_close(choice.candidate[0].aicc, b.aicc, 0, 0);
    ck_assert(isnan(choice.candidate[1].loocv_rmse));
    ck_close(choice.candidate[0].weight + choice.candidate[1].weight, 1, 1e-15, 0);
    ck_assert_int_eq(ws_choose(fits, 2, NULL, data.n, &choice, NULL), WS_OK);
    ck_assert_uint_eq(choice.n_compared, 1);
    ck_assert_ptr_nonnull(strstr(choice.candidate[1].reason, "it is in logs, others are not"));
    json_decref(data.expected);
}
END_TEST

START_TEST(nested)
{
    reference data = reference_load("case12_power_vs_lognormal");
    const ws_law_input in = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95};
    ws_fit small, large;
    ws_test test;
    ck_assert_int_eq(ws_fit_powerlaw(in.x, in.y, in.n, 0.95, &small, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_lognormal(&in, &large, NULL, NULL), WS_OK);
    ws_nested_f(&small, &large, &test);
    ck_reference(&data, test.statistic, "F_nested");
    ck_reference(&data, test.p_value, "p_nested");
    ws_nested_f(&large, &small, &test);
    ck_assert(test.status != WS_FIT_OK && isnan(test.p_value) && test.sentence[0]);
    json_decref(data.expected);
}
END_TEST

START_TEST(refusals)
{
    static const double x[] = {1, 2, 4, 8}, y[] = {10, 5.1, 2.6, 1.2};
    const ws_law_input in = {.x = x, .y = y, .n = 4, .level = 0.95};
    ws_fit power, usl;
    ws_choice choice;
    ck_assert_int_eq(ws_fit_powerlaw_direct(&in, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_floor(&in, &usl, NULL, NULL), WS_OK);
    const ws_fit *const fits[] = {&power, &usl};
    ck_assert_int_eq(ws_choose(fits, 2, y, 4, &choice, NULL), WS_OK);
    ck_assert_uint_eq(choice.n_compared, 0);
    ck_assert_uint_eq(choice.best, SIZE_MAX);
    ck_assert_str_eq(choice.candidate[0].reason, "4 points are too few for its AICc");
    ck_assert_str_eq(choice.candidate[1].reason, "4 points are too few for its AICc");
    ck_assert_str_eq(choice.sentence,
                     "none of the models can be compared: powerlaw-direct and floor (4 points are too few for "
                     "its AICc)");
    ck_assert_int_eq(ws_choose(fits, 0, y, 4, &choice, NULL), WS_USAGE);
}
END_TEST

/* 100 / n - 1: a floor of -1 fits best, which no time has, and Amdahl's law with a serial fraction below zero; 100 / n
 * + 1 has a floor, without a word. */
START_TEST(impossible_parameters_are_told)
{
    static const double x[] = {1, 2, 4, 8, 16, 32, 64}, e[] = {1, -1, 1, 1, -1, 1, -1};
    for (int above = 0; above < 2; above++) {
        double y[7];
        for (int i = 0; i < 7; i++)
            y[i] = (100 / x[i] + (above ? 1 : -1)) * (1 + 0.002 * e[i]);
        const ws_law_input in = {.x = x, .y = y, .n = 7, .level = 0.95, .in_logs = true};
        ws_fit power, floor, amdahl;
        ws_choice choice;
        ck_assert_int_eq(ws_fit_powerlaw(x, y, 7, 0.95, &power, NULL, NULL), WS_OK);
        ck_assert_int_eq(ws_fit_floor(&in, &floor, NULL, NULL), WS_OK);
        ck_assert_int_eq(ws_fit_amdahl(&in, &amdahl, NULL, NULL), WS_OK);
        const ws_fit *const with_floor[] = {&power, &floor}, *const with_amdahl[] = {&power, &amdahl};
        ck_assert_int_eq(ws_choose(with_floor, 2, y, 7, &choice, NULL), WS_OK);
        ck_assert_uint_eq(choice.best, 1);
        ck_assert_int_eq(!above, strstr(choice.sentence, "; its floor is below zero, which no time or energy has: y "
                                                         "bends the other way from a power law") != NULL);
        ck_assert_int_eq(ws_choose(with_amdahl, 2, y, 7, &choice, NULL), WS_OK);
        ck_assert_uint_eq(choice.best, 1);
        ck_assert_int_eq(!above, strstr(choice.sentence, "; its serial fraction is below zero") != NULL);
    }
}
END_TEST

/* t = 100 / n exactly: no criterion weighs that against a line, which must not win for want of a rival. */
START_TEST(perfect_beside_others)
{
    static const double x[] = {1, 2, 4, 8, 16, 32}, y[] = {100, 50, 25, 12.5, 6.25, 3.125};
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit power, floor, line, origin;
    ws_choice choice;
    ck_assert_int_eq(ws_fit_floor(&in, &floor, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 6, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, 6, 0.95, &line, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_origin(x, y, 6, 0.95, &origin, NULL, NULL), WS_OK);
    const ws_fit *const fits[] = {&floor, &power, &line, &origin};
    ck_assert_int_eq(ws_choose(fits, 4, y, 6, &choice, NULL), WS_OK);
    ck_assert_uint_eq(choice.n_compared, 0);
    ck_assert_uint_eq(choice.best, SIZE_MAX);
    ck_assert_str_eq(choice.sentence,
                     "powerlaw meets all points within rounding, and no model with fewer coefficients does; not "
                     "compared: floor and powerlaw (all 6 points are met within rounding), line and origin (another "
                     "model meets all points within rounding)");
    ck_assert_int_eq(ws_choose(fits + 3, 1, y, 6, &choice, NULL), WS_OK);
    ck_assert_ptr_nonnull(strstr(choice.sentence, "origin alone can be compared"));
}
END_TEST

/* Ten runs at two GPU counts: laws of two coefficients go through both means, so nothing tells them apart. */
START_TEST(as_many_coefficients_as_x)
{
    static const double x[] = {8, 8, 8, 8, 8, 64, 64, 64, 64, 64},
                        y[] = {801, 802, 803, 802.2, 801.7, 152, 152.5, 153, 152.1, 152.8};
    const ws_law_input in = {.x = x, .y = y, .n = 10, .level = 0.95};
    ws_fit power, amdahl, line, origin;
    ws_choice choice;
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 10, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_amdahl(&in, &amdahl, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, 10, 0.95, &line, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_origin(x, y, 10, 0.95, &origin, NULL, NULL), WS_OK);
    const ws_fit *const fits[] = {&power, &amdahl, &line, &origin};
    ck_assert_int_eq(ws_choose(fits, 4, y, 10, &choice, NULL), WS_OK);
    ck_assert_str_eq(choice.sentence,
                     "origin alone can be compared, which makes it no better than the others; not compared: powerlaw, "
                     "amdahl and line (as many coefficients as values of x (2): a curve through the mean of each, "
                     "whatever they are)");
    ck_assert_int_eq(ws_fit_origin(x, y, 5, 0.95, &origin, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_choose(fits + 3, 1, y, 5, &choice, NULL), WS_OK);
    ck_assert_uint_eq(choice.n_compared, 0);
    ck_assert_ptr_nonnull(strstr(choice.sentence, "as many coefficients as values of x (1)"));
}
END_TEST

/* A law that was refused is there with its own words. */
START_TEST(refused_laws_speak)
{
    static const double one[] = {8, 8, 8, 8, 8}, y[] = {801, 802, 803, 802.2, 801.7}, zero[] = {1, 0, 2, 4, 8};
    ws_fit power;
    ws_choice choice;
    const ws_fit *const fits[] = {&power};
    ck_assert_int_eq(ws_fit_powerlaw(one, y, 5, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_choose(fits, 1, y, 5, &choice, NULL), WS_OK);
    ck_assert_str_eq(choice.candidate[0].reason, "x is 8 in all 5 points, so there is no exponent");
    ck_assert_int_eq(ws_fit_powerlaw(zero, y, 5, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_choose(fits, 1, y, 5, &choice, NULL), WS_OK);
    ck_assert_str_eq(choice.candidate[0].reason, power.sentence);
    ck_assert_int_eq(ws_fit_powerlaw(y, y, 2, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_choose(fits, 1, y, 2, &choice, NULL), WS_OK);
    ck_assert_str_eq(choice.candidate[0].reason, "2 points, as many as coefficients");
}
END_TEST

/* Leave-one-out errors of ln y and of y do not meet: the best by AICc has none here, so nothing is preferred to it. */
START_TEST(no_preference_across_scales)
{
    static const double x[] = {1, 2, 4, 8, 16}, y[] = {1000, 520, 270, 150, 85};
    const ws_law_input in = {.x = x, .y = y, .n = 5, .level = 0.95};
    ws_fit power, amdahl;
    ws_choice choice;
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 5, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_amdahl(&in, &amdahl, NULL, NULL), WS_OK);
    const ws_fit *const fits[] = {&power, &amdahl};
    ck_assert_int_eq(ws_choose(fits, 2, y, 5, &choice, NULL), WS_OK);
    ck_assert_uint_eq(choice.best, 1);
    ck_assert_uint_eq(choice.best_by_loocv, SIZE_MAX);
    ck_assert_ptr_null(strstr(choice.sentence, "leaving points out"));
}
END_TEST

TEST_MAIN("fit choice", reference_case, scales_are_converted, nested, refusals, impossible_parameters_are_told,
          perfect_beside_others, as_many_coefficients_as_x, refused_laws_speak, no_preference_across_scales)
