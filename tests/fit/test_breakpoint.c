#include "fit/laws/broken_line.h"
#include "fit/laws/laws.h"
#include "fit/random.h"
#include "tests/fit/reference.h"

START_TEST(reference_case)
{
    reference data = reference_load("case11_breakpoint_powerlaw");
    const ws_law_input in = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95};
    ws_fit fit;
    ws_test test;
    double residual[REFERENCE_ROWS], rss = 0;
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, residual, &test, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    const ws_estimate *before = ws_fit_estimate(&fit, "exponent-before"),
                      *after = ws_fit_estimate(&fit, "exponent-after"), *change = ws_fit_estimate(&fit, "change"),
                      *ln_b = ws_fit_estimate(&fit, "ln-breakpoint"), *b = ws_fit_estimate(&fit, "breakpoint");
    ck_reference(&data, fit.rss, "rss");
    ck_reference(&data, fit.df, "df_residual");
    ck_reference(&data, -before->value, "beta_before");
    ck_reference(&data, before->se, "beta_before_se");
    ck_reference(&data, -after->value, "beta_after");
    ck_reference(&data, after->se, "beta_after_se");
    ck_reference(&data, change->value, "slope_change");
    ck_reference(&data, change->se, "slope_change_se");
    ck_reference(&data, ln_b->value, "ln_breakpoint");
    ck_reference(&data, ln_b->se, "se_ln_breakpoint");
    ck_reference(&data, exp(ln_b->ci_lo), "wald_ci95_gpus.0");
    ck_reference(&data, exp(ln_b->ci_hi), "wald_ci95_gpus.1");
    ck_reference(&data, b->value, "breakpoint_gpus");
    /* The reference's ends are points of a grid, inside the interval by up to a step. */
    ck_close(b->ci_lo, reference_number(&data, "profile_ci95_gpus_grid.0"), 2e-3, 0);
    ck_close(b->ci_hi, reference_number(&data, "profile_ci95_gpus_grid.1"), 2e-3, 0);
    ck_assert(b->ci_lo <= reference_number(&data, "profile_ci95_gpus_grid.0"));
    ck_assert(b->ci_hi >= reference_number(&data, "profile_ci95_gpus_grid.1"));
    ck_reference(&data, test.statistic, "F_naive_2_df");
    ck_close(test.p_value, 0.001, 1e-12, 0); /* none of 999 draws comes near */
    for (size_t i = 0; i < data.n; i++)
        rss += residual[i] * residual[i];
    ck_reference(&data, rss, "rss");
    json_decref(data.expected);
}
END_TEST

/* Under more and more noise the change falls below ten of its standard errors, from where on the sentence says so. */
START_TEST(a_change_that_may_be_a_weak_bend)
{
    double least_above = INFINITY, most_below = 0;
    for (double noise = 0.002; noise < 0.4; noise *= 1.01) {
        double x[12], y[12];
        ws_fit fit;
        for (int i = 0; i < 12; i++) {
            x[i] = pow(2, i);
            y[i] = x[i] * pow(fmax(1, x[i] / 40), -0.5) * exp(noise * (i % 3 - 1));
        }
        const ws_law_input in = {.x = x, .y = y, .n = 12, .level = 0.95};
        ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, NULL, NULL), WS_OK);
        const ws_estimate *change = ws_fit_estimate(&fit, "change");
        double errors = fabs(change->value) / change->se;
        ck_assert((strstr(fit.sentence, "may be a weak bend") != NULL) == (errors < 10));
        if (errors < 10)
            most_below = fmax(most_below, errors);
        else
            least_above = fmin(least_above, errors);
    }
    ck_assert_msg(most_below > 9.8 && least_above < 10.2, "%g and %g", most_below, least_above);
}
END_TEST

/* y = x up to 8 and 8 beyond: the break is known exactly. */
START_TEST(exact_break)
{
    static const double x[] = {1, 2, 4, 8, 16, 32, 64}, y[] = {1, 2, 4, 8, 8, 8, 8};
    const ws_law_input in = {.x = x, .y = y, .n = 7, .level = 0.95};
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, &test, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
    ck_close(ws_fit_estimate(&fit, "breakpoint")->value, 8, 1e-12, 0);
    ck_close(ws_fit_estimate(&fit, "exponent-before")->value, 1, 1e-12, 0);
    ck_close(ws_fit_estimate(&fit, "exponent-after")->value, 0, 0, 1e-12);
    ck_assert_int_eq(test.status, WS_FIT_PERFECT);
    ck_assert(test.sentence[0] && isnan(test.p_value));
}
END_TEST

/* The ends of the interval are the farthest places within the limit: the sum of squares is at it there, or the end is
 * the last place that the points allow, and no place of a grid beyond is within it. */
START_TEST(interval_ends_at_the_limit)
{
    static const double x[] = {0, 0.7, 1.1, 1.8, 2.1, 2.9, 3.5, 4.2};
    const double limits[] = {1.05, 1.5, 3, 8};
    ws_random random = {5};
    for (size_t draw = 0; draw < 40; draw++) {
        double y[8], c[3], rss = 0;
        for (size_t i = 0; i < 8; i++)
            y[i] = 40 - x[i] + (draw % 2 ? fmax(0, x[i] - 1.5) : 0) + 0.3 * ws_random_normal(&random);
        ws_broken_points p = ws_broken_gather(x, y, 8, 8);
        ws_broken found = ws_broken_find(&p);
        ws_broken_curve(&p, found.b, c);
        for (size_t i = 0; i < 8; i++)
            rss += pow(y[i] - c[0] - c[1] * x[i] - c[2] * fmax(0, x[i] - found.b), 2);
        ck_close(rss, found.rss, 1e-9, 0);
        ck_close(ws_broken_rss(&p, found.b), found.rss, 1e-9, 0);
        for (size_t side = 0; side < 8; side++) {
            double bound = side % 2 ? x[6] : x[1], limit = found.rss * limits[side / 2];
            double end = ws_broken_farthest(&p, found.b, bound, limit);
            if (fabs(end - bound) > 1e-12)
                ck_close(ws_broken_rss(&p, end), limit, 1e-9, 0);
            for (int k = 1; k <= 200; k++)
                ck_assert(ws_broken_rss(&p, end + (bound - end) * k / 200) >= limit * (1 - 1e-9) || end == bound);
        }
        ws_broken_free(&p);
    }
}
END_TEST

/* Groups in any order, with other x between them: p is that of the group alone. */
START_TEST(drawn_once_for_each_set_of_x)
{
    double x[20][9], y[20][9], p_value[20];
    ws_random random = {9};
    for (int round = 0; round < 2; round++)
        for (size_t k = 0; k < 20; k++) {
            ws_fit fit;
            ws_test test;
            for (size_t i = 0; i < 9 && round == 0; i++) {
                x[k][i] = pow(2, (double)i) + (double)k / 10;
                y[k][i] = pow(x[k][i], -0.8) * exp(0.05 * ws_random_normal(&random));
            }
            const ws_law_input in = {.x = x[k], .y = y[k], .n = 9, .level = 0.95};
            ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, &test, NULL), WS_OK);
            if (round == 1)
                ck_close(test.p_value, p_value[k], 0, 0);
            p_value[k] = test.p_value;
        }
}
END_TEST

/* A power law with scatter of some 2 % and no break: the naive F would often find one. */
START_TEST(no_break)
{
    static const double x[] = {1, 2, 4, 8, 16, 32, 64, 128}, off[] = {1.02, 0.98, 1.01, 1, 0.97, 1.02, 1.01, 0.99};
    double y[8];
    for (size_t i = 0; i < 8; i++)
        y[i] = off[i] * 100 / x[i];
    const ws_law_input in = {.x = x, .y = y, .n = 8, .level = 0.95};
    ws_fit fit;
    ws_test a, b;
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, &a, NULL), WS_OK);
    ck_assert_msg(a.p_value > 0.2, "p %g: %s", a.p_value, a.sentence);
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, &b, NULL), WS_OK);
    ck_close(a.p_value, b.p_value, 0, 0);
}
END_TEST

START_TEST(cannot_break)
{
    static const double x[] = {1, 2, 4, 4, 1}, y[] = {5, 3, 2, 2, 5}, flat[] = {3, 3, 3, 3, 3},
                        five[] = {1, 2, 3, 4, 5}, zero[] = {1, 0, 3, 4, 5};
    ws_law_input in = {.x = x, .y = y, .n = 5, .level = 0.95};
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, &test, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(fit.sentence, "3 values of x: fewer than the 5 that the model needs");
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
    in = (ws_law_input){.x = five, .y = flat, .n = 5, .level = 0.95};
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_CONSTANT);
    in = (ws_law_input){.x = five, .y = zero, .n = 5, .level = 0.95};
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, NULL, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_NOT_POSITIVE);
}
END_TEST

/* With repeats: as many different x as coefficients, so that the curve goes through the mean of each, whatever they
 * are. */
START_TEST(through_every_mean)
{
    static const double x[] = {1, 1, 2, 2, 4, 4, 8, 8}, y[] = {10, 11, 5, 5.2, 2.1, 2, 1.2, 1.1};
    ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit;
    double residual[8];
    ws_test test;
    ck_assert_int_eq(ws_fit_lognormal(&in, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(fit.sentence, "3 values of x: fewer than the 4 that the model needs");
    ck_assert(fit.n_estimates == 5 && isnan(fit.estimate[0].value) && isnan(residual[5]) && isnan(fit.r2));
    in.n = 8;
    ck_assert_int_eq(ws_fit_lognormal(&in, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert_int_eq(ws_fit_breakpoint(&in, &fit, residual, &test, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(fit.sentence, "4 values of x: fewer than the 5 that the model needs");
    ck_assert(test.status == WS_FIT_TOO_FEW && isnan(test.p_value) && isnan(residual[7]));
}
END_TEST

START_TEST(lognormal_reference_case)
{
    reference data = reference_load("case12_power_vs_lognormal");
    const ws_law_input in = {.x = data.column[0], .y = data.column[1], .n = data.n, .level = 0.95};
    ws_fit fit, power;
    ck_assert_int_eq(ws_fit_lognormal(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(in.x, in.y, in.n, 0.95, &power, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    for (size_t j = 0; j < 3; j++) {
        char path[60];
        snprintf(path, sizeof path, "log_quadratic.coef.c%zu", j);
        ck_reference(&data, fit.estimate[j].value, path);
        snprintf(path, sizeof path, "log_quadratic.se.c%zu", j);
        ck_reference(&data, fit.estimate[j].se, path);
    }
    ck_reference(&data, pow(fit.estimate[2].value / fit.estimate[2].se, 2), "F_nested");
    ck_reference(&data, fit.estimate[2].p_value, "p_nested");
    ck_reference(&data, fit.aicc - power.aicc, "delta_aicc_quadratic_minus_power");
    ck_reference(&data, fit.bic - power.bic, "delta_bic_quadratic_minus_power");
    ck_reference(&data, sqrt(fit.loocv), "loocv_rmse.log_quadratic");
    ck_reference(&data, ws_fit_estimate(&fit, "mu")->value, "lognormal_curve.mu");
    ck_reference(&data, ws_fit_estimate(&fit, "sigma2")->value, "lognormal_curve.sigma2");
    ck_assert_ptr_nonnull(strstr(fit.sentence, "bent the other way, which is no log-normal curve"));
    json_decref(data.expected);
}
END_TEST

/* y = 5 exp(-(ln x - 2)^2 / (2 * 0.5)): mu 2, sigma2 0.5. */
START_TEST(lognormal_known)
{
    static const double x[] = {1, 2, 4, 8, 16, 32}, off[] = {1.001, 0.999, 1.0005, 0.9995, 1.001, 0.999};
    double y[6];
    ws_fit fit;
    for (size_t i = 0; i < 6; i++)
        y[i] = 5 * exp(-pow(log(x[i]) - 2, 2)) * off[i];
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ck_assert_int_eq(ws_fit_lognormal(&in, &fit, NULL, NULL), WS_OK);
    const ws_estimate *mu = ws_fit_estimate(&fit, "mu"), *sigma2 = ws_fit_estimate(&fit, "sigma2");
    ck_assert(mu->ci_lo < 2 && mu->ci_hi > 2 && sigma2->ci_lo < 0.5 && sigma2->ci_hi > 0.5);
    ck_close(mu->value, 2, 1e-3, 0);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "shaped as a log-normal curve"));
}
END_TEST

/* 24 points with errors of 10 % each over three decades: the direct fit cannot hold them. */
START_TEST(law_of_the_errors)
{
    double x[24], in_proportion[24], of_one_size[24];
    for (size_t i = 0; i < 24; i++) {
        x[i] = pow(2, (double)(i % 8));
        double e = (double)((i * 7) % 24) / 11.5 - 1;
        in_proportion[i] = 100 / x[i] * exp(0.1 * e);
        of_one_size[i] = 100 / x[i] + 0.6 * e;
    }
    ws_law_input in = {.x = x, .y = in_proportion, .n = 24, .level = 0.95};
    ws_test test;
    ck_assert_int_eq(ws_power_errors(&in, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_OK);
    ck_assert_msg(test.statistic > 2 && test.p_value < 0.05, "%s", test.sentence);
    in.y = of_one_size;
    ck_assert_int_eq(ws_power_errors(&in, &test, NULL), WS_OK);
    ck_assert_msg(test.statistic < -2, "%s", test.sentence);
    in.n = 3;
    ck_assert_int_eq(ws_power_errors(&in, &test, NULL), WS_OK);
    ck_assert_int_eq(test.status, WS_FIT_TOO_FEW);
}
END_TEST

TEST_MAIN("fit breakpoint", a_change_that_may_be_a_weak_bend, reference_case, exact_break, interval_ends_at_the_limit,
          drawn_once_for_each_set_of_x, no_break, cannot_break, through_every_mean, lognormal_reference_case,
          lognormal_known, law_of_the_errors)
