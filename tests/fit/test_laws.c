#include "fit/laws/law.h"
#include "tests/fit/reference.h"

static void ck_estimates(const reference *data, const ws_fit *fit, const char *const *names, const char *const *theirs,
                         const double *sign, size_t p)
{
    for (size_t j = 0; j < p; j++) {
        const ws_estimate *e = ws_fit_estimate(fit, names[j]);
        char path[60];
        ck_assert(e != NULL);
        snprintf(path, sizeof path, "coef.%s", theirs[j]);
        ck_reference(data, sign[j] * e->value, path);
        snprintf(path, sizeof path, "se.%s", theirs[j]);
        ck_reference(data, e->se, path);
        snprintf(path, sizeof path, sign[j] > 0 ? "ci95_low.%s" : "ci95_high.%s", theirs[j]);
        ck_reference(data, sign[j] * e->ci_lo, path);
        snprintf(path, sizeof path, sign[j] > 0 ? "ci95_high.%s" : "ci95_low.%s", theirs[j]);
        ck_reference(data, sign[j] * e->ci_hi, path);
    }
    ck_reference(data, fit->rss, "rss");
    ck_reference(data, fit->sigma, "residual_se");
    ck_reference(data, fit->df, "df_residual");
    ck_reference(data, fit->r2, "r_squared_1_minus_rss_over_tss");
    ck_reference(data, fit->log_likelihood, "log_likelihood");
    ck_reference(data, fit->aic, "aic_ml_k_plus_1");
    ck_reference(data, fit->aicc, "aicc_ml_k_plus_1");
    ck_reference(data, fit->bic, "bic_ml_k_plus_1");
}

static ws_law_input input_of(const reference *data)
{
    return (ws_law_input){.x = data->column[0], .y = data->column[1], .n = data->n, .level = 0.95};
}

START_TEST(powerlaw_direct)
{
    reference data = reference_load("case06_powerlaw_nls");
    const ws_law_input in = input_of(&data);
    ws_fit fit;
    double residual[REFERENCE_ROWS], rss = 0;
    ck_assert_int_eq(ws_fit_powerlaw_direct(&in, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_estimates(&data, &fit, (const char *const[]){"factor", "exponent"}, (const char *const[]){"alpha", "beta"},
                 (const double[]){1, -1}, 2);
    for (size_t i = 0; i < data.n; i++)
        rss += residual[i] * residual[i];
    ck_reference(&data, rss, "rss");
    json_decref(data.expected);
}
END_TEST

START_TEST(direct_in_logs_is_the_log_log_line)
{
    reference data = reference_load("case06_powerlaw_nls");
    ws_law_input in = input_of(&data);
    in.in_logs = true;
    ws_fit fit, line;
    ck_assert_int_eq(ws_fit_powerlaw_direct(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(in.x, in.y, in.n, 0.95, &line, NULL, NULL), WS_OK);
    ck_close(fit.estimate[1].value, ws_fit_estimate(&line, "exponent")->value, 1e-10, 0);
    ck_close(fit.estimate[1].se, ws_fit_estimate(&line, "exponent")->se, 1e-10, 0);
    ck_close(fit.estimate[0].se, ws_fit_estimate(&line, "factor")->se, 1e-10, 0);
    ck_close(fit.aicc, line.aicc, 1e-10, 0);
    ck_close(fit.loocv, line.loocv, 1e-9, 0);
    json_decref(data.expected);
}
END_TEST

START_TEST(floor_under_a_power_law)
{
    reference data = reference_load("case07_powerlaw_floor");
    ws_law_input in = input_of(&data);
    double weight[REFERENCE_ROWS];
    ws_fit fit;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_estimates(&data, &fit, (const char *const[]){"factor", "exponent", "floor"},
                 (const char *const[]){"a", "b", "c"}, (const double[]){1, -1, 1}, 3);
    for (size_t i = 0; i < data.n; i++)
        weight[i] = 1 / (in.y[i] * in.y[i]);
    in.weight = weight;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    data.tolerance = reference_number(&data, "weighted_1_over_t2.tolerance");
    ck_reference(&data, fit.estimate[0].value, "weighted_1_over_t2.coef.a");
    ck_reference(&data, -fit.estimate[1].value, "weighted_1_over_t2.coef.b");
    ck_reference(&data, fit.estimate[2].value, "weighted_1_over_t2.coef.c");
    ck_reference(&data, fit.estimate[0].se, "weighted_1_over_t2.se.a");
    ck_reference(&data, fit.estimate[1].se, "weighted_1_over_t2.se.b");
    ck_reference(&data, fit.estimate[2].se, "weighted_1_over_t2.se.c");
    json_decref(data.expected);
}
END_TEST

START_TEST(amdahl)
{
    reference data = reference_load("case08_amdahl");
    const ws_law_input in = input_of(&data);
    ws_fit fit;
    ck_assert_int_eq(ws_fit_amdahl(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    const ws_estimate *one = ws_fit_estimate(&fit, "time-at-1"), *s = ws_fit_estimate(&fit, "serial-fraction"),
                      *limit = ws_fit_estimate(&fit, "max-speedup");
    ck_reference(&data, one->value, "T1");
    ck_reference(&data, one->se, "T1_se");
    ck_reference(&data, s->value, "serial_fraction");
    ck_reference(&data, s->se, "serial_fraction_se_delta");
    ck_reference(&data, limit->value, "max_speedup");
    ck_reference(&data, limit->se, "max_speedup_se_delta");
    ck_close(limit->ci_lo * s->ci_hi, 1, 1e-15, 0);
    ck_reference(&data, fit.rss, "rss");
    ck_reference(&data, fit.aicc, "aicc_ml_k_plus_1");
    ck_reference(&data, fit.r2, "r_squared");
    for (size_t i = 1; i < data.n; i++) {
        char path[40];
        snprintf(path, sizeof path, "karp_flatt.%zu", i);
        ck_reference(&data, ws_karp_flatt(in.x[i], in.y[0] / in.y[i]), path);
    }
    ck_assert(isnan(ws_karp_flatt(1, 1)) && isnan(ws_karp_flatt(4, 0)));
    json_decref(data.expected);
}
END_TEST

/* Times that fall faster than 1/x: s < 0, no largest speed-up. */
START_TEST(amdahl_beyond_linear)
{
    static const double x[] = {1, 2, 4, 8, 16}, y[] = {100, 49.1, 23.9, 11.6, 5.1};
    const ws_law_input in = {.x = x, .y = y, .n = 5, .level = 0.95};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_amdahl(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert(fit.estimate[1].value < 0 && isnan(fit.estimate[2].value));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "faster than linear: the largest speed-up is undefined"));
}
END_TEST

START_TEST(usl)
{
    reference data = reference_load("case09_usl");
    const ws_law_input in = input_of(&data);
    ws_fit fit;
    ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    const char *const names[] = {"gamma", "alpha", "beta"};
    ck_estimates(&data, &fit, names, names, (const double[]){1, 1, 1}, 3);
    ck_reference(&data, ws_fit_estimate(&fit, "peak")->value, "peak_N");
    ck_reference(&data, ws_fit_estimate(&fit, "peak")->se, "peak_N_se_delta");
    ck_reference(&data, ws_fit_estimate(&fit, "peak-throughput")->value, "peak_throughput");
    ck_reference(&data, ws_fit_estimate(&fit, "limit")->value, "amdahl_limit_gamma_over_alpha");
    json_decref(data.expected);
}
END_TEST

/* gamma 10, alpha 0.1, beta 0: a limit of 100 and no peak. */
START_TEST(usl_without_peak)
{
    static const double x[] = {1, 2, 4, 8, 16, 32};
    double y[6];
    for (size_t i = 0; i < 6; i++)
        y[i] = 10 * x[i] / (1 + 0.1 * (x[i] - 1)) * (i % 2 ? 1.001 : 0.9985);
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    const ws_estimate *beta = ws_fit_estimate(&fit, "beta");
    ck_assert(beta->ci_lo < 0 && beta->ci_hi > 0);
    ck_close(ws_fit_estimate(&fit, "limit")->value, 100, 0.03, 0);
    ck_assert((beta->value > 0) != isnan(ws_fit_estimate(&fit, "peak")->value));
    ck_assert_int_eq(beta->value > 0, strstr(fit.sentence, "no peak") == NULL);
}
END_TEST

/* y / x = 1 / (-0.02 + 0.01 (x - 1) + 1e-4 x (x - 1)) from 8 on: the throughput of one would be endless, and there is
 * no best gamma. With a point at 1 there is one, and
 * leaving that out has no answer. */
START_TEST(usl_whose_gamma_is_endless)
{
    double x[7], y[7];
    for (size_t i = 0; i < 6; i++) {
        x[i] = 8 << i;
        y[i] = x[i] / (-0.02 + 0.01 * (x[i] - 1) + 1e-4 * x[i] * (x[i] - 1)) * (i % 2 ? 1.01 : 0.985);
    }
    ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95, .in_logs = true};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_usl_bounded(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_NOT_CONVERGED);
    ck_assert(isnan(fit.estimate[0].value) && fit.sentence[0]);
    x[6] = 1;
    y[6] = 5000;
    in.n = 7;
    ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_assert(fit.estimate[0].value > 0 && isnan(fit.loocv));
}
END_TEST

/* Sum of squares of ln y about the curve with these two, gamma at its best. */
static double squares_of(const double *x, const double *y, size_t n, double alpha, double beta)
{
    double mean = 0, squares = 0, rest[16];
    for (size_t i = 0; i < n; i++) {
        rest[i] = log(y[i] / x[i] * (1 + alpha * (x[i] - 1) + beta * x[i] * (x[i] - 1)));
        mean += rest[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        squares += (rest[i] - mean) * (rest[i] - mean);
    return squares;
}

/* No contention and no coherency below zero: nowhere among those allowed are the squares less, and what was cut lies in
 * an interval that begins at zero. Faster than linear both are zero, and gamma is the geometric mean of y / x. */
START_TEST(usl_within_its_bounds)
{
    static const double x[] = {1, 2, 4, 8, 16, 32};
    double y[6], steep[6], ln_gamma = 0;
    for (size_t i = 0; i < 6; i++) {
        y[i] = 100 * x[i] / (1 + 0.05 * (x[i] - 1)) * (i == 5 ? 1.04 : i == 3 ? 0.99 : 1);
        steep[i] = 10 * pow(x[i], 1.1);
        ln_gamma += log(steep[i] / x[i]) / 6;
    }
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95, .in_logs = true},
                       faster = {.x = x, .y = steep, .n = 6, .level = 0.95, .in_logs = true};
    ws_fit fit, is_free;
    ck_assert_int_eq(ws_fit_usl(&in, &is_free, NULL, NULL), WS_OK);
    ck_assert(ws_fit_estimate(&is_free, "beta")->value < 0);
    ck_assert_int_eq(ws_fit_usl_bounded(&in, &fit, NULL, NULL), WS_OK);
    const ws_estimate *alpha = ws_fit_estimate(&fit, "alpha"), *beta = ws_fit_estimate(&fit, "beta");
    ck_assert(beta->value == 0 && beta->ci_lo == 0 && beta->ci_hi > 0 && beta->p_value > 0.5);
    ck_close(fit.rss, squares_of(x, y, 6, alpha->value, 0), 1e-9, 0);
    for (double a = 0; a < 0.2; a += 0.002)
        for (double b = 0; b < 0.01; b += 0.0002)
            ck_assert_double_ge(squares_of(x, y, 6, a, b), fit.rss * (1 - 1e-9));
    ck_assert(isnan(ws_fit_estimate(&fit, "peak")->value));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "beta 0 (95 %: at most "));
    ck_assert_int_eq(ws_fit_usl_bounded(&faster, &fit, NULL, NULL), WS_OK);
    ck_assert(ws_fit_estimate(&fit, "alpha")->value == 0 && ws_fit_estimate(&fit, "beta")->value == 0);
    ck_close(ws_fit_estimate(&fit, "gamma")->value, exp(ln_gamma), 1e-9, 0);
}
END_TEST

/* Five counts for the curve with a peak, four for the floor. */
START_TEST(fewest_counts_of_bends)
{
    static const double x[] = {1, 2, 4, 8, 16}, y[] = {100, 53, 29.5, 17.2, 11};
    double rate[5];
    for (size_t i = 0; i < 5; i++)
        rate[i] = 1 / y[i];
    ws_law_input in = {.x = x, .y = rate, .n = 4, .level = 0.95, .in_logs = true};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_usl_bounded(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    in.n = 5;
    ck_assert_int_eq(ws_fit_usl_bounded(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    in.y = y;
    in.n = 3;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    in.n = 4;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
}
END_TEST

/* Times given to a law of throughput or of speed-up, and the other way round: the sentence asks. */
START_TEST(laws_of_something_else)
{
    static const double x[] = {1, 2, 4, 8, 16, 32}, time[] = {100, 52, 27, 14.5, 8.1, 5},
                        rate[] = {1, 1.9, 3.7, 7, 12.5, 21};
    const ws_law_input times = {.x = x, .y = time, .n = 6, .level = 0.95},
                       rates = {.x = x, .y = rate, .n = 6, .level = 0.95};
    const double falls[] = {1, -20, -45, -99, -160, -350};
    const ws_law_input no_speedup = {.x = x, .y = falls, .n = 6, .level = 0.95};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_usl(&times, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "is y a throughput?"));
    ck_assert_int_eq(ws_fit_usl(&rates, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_null(strstr(fit.sentence, "is y a"));
    ck_assert_int_eq(ws_fit_amdahl(&rates, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "is y a time?"));
    ck_assert_int_eq(ws_fit_amdahl(&times, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_null(strstr(fit.sentence, "is y a"));
    ck_assert_int_eq(ws_fit_gustafson(&no_speedup, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_nonnull(strstr(fit.sentence, "is y a scaled speed-up?"));
    ck_assert_int_eq(ws_fit_gustafson(&rates, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_null(strstr(fit.sentence, "is y a"));
}
END_TEST

/* Where Wald's test and the profile disagree on the floor, one sentence must not say both. */
START_TEST(floor_is_judged_once)
{
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 1, 1, 1, 2, 2};
    ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit;
    ws_test test;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_ptr_null(strstr(fit.sentence, "zero"));
    ck_assert_int_eq(ws_floor_profile(&in, &fit, &test, NULL), WS_OK);
    ck_assert_ptr_nonnull(strstr(test.sentence, "a floor is not needed"));
    in.in_logs = true;
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert(fit.status != WS_FIT_OK || strstr(fit.sentence, "zero"));
}
END_TEST

/* Peak, its throughput and the limit are above zero, and so are their intervals; 3.182446 is t for 3 degrees of
 * freedom. Of the throughput the centre in logarithms is the value; of peak and limit what they divide by has its
 * interval by the delta method: beta / (1 - alpha) and alpha / gamma, whose standard errors follow from those of peak
 * and limit. With errors of 12 % contention may be zero, and the limit has a lower end alone. */
START_TEST(usl_intervals_of_what_is_positive)
{
    static const double x[] = {1, 2, 4, 8, 16, 32}, error[] = {1, -0.8, 0.5, -0.9, 1, -0.7}, t = 3.182446305284263;
    double y[6];
    ws_fit fit;
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95, .in_logs = true};
    for (size_t i = 0; i < 6; i++)
        y[i] = 10 * x[i] / (1 + 0.3 * (x[i] - 1) + 0.02 * x[i] * (x[i] - 1)) * exp(0.03 * error[i]);
    ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
    const ws_estimate *peak = ws_fit_estimate(&fit, "peak"), *top = ws_fit_estimate(&fit, "peak-throughput"),
                      *limit = ws_fit_estimate(&fit, "limit");
    double of_peak = fit.estimate[2].value / (1 - fit.estimate[1].value),
           of_limit = fit.estimate[1].value / fit.estimate[0].value;
    ck_close(sqrt(top->ci_lo * top->ci_hi), top->value, 1e-12, 0);
    ck_close(log(top->ci_hi / top->ci_lo) / 2, t * top->se / top->value, 1e-9, 0);
    ck_close(1 / (peak->ci_lo * peak->ci_lo), of_peak + t * 2 * peak->se / pow(peak->value, 3), 1e-9, 0);
    ck_close(1 / (peak->ci_hi * peak->ci_hi), of_peak - t * 2 * peak->se / pow(peak->value, 3), 1e-9, 0);
    ck_close(1 / limit->ci_lo, of_limit + t * limit->se / (limit->value * limit->value), 1e-9, 0);
    ck_close(1 / limit->ci_hi, of_limit - t * limit->se / (limit->value * limit->value), 1e-9, 0);
    ck_assert(peak->ci_lo > 0 && isnan(peak->p_value) && isnan(top->p_value) && isnan(limit->p_value));
    for (size_t i = 0; i < 6; i++)
        y[i] = 10 * x[i] / (1 + 0.01 * (x[i] - 1) + 0.01 * x[i] * (x[i] - 1)) * exp(0.12 * error[i]);
    ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
    limit = ws_fit_estimate(&fit, "limit");
    ck_assert(!(fit.estimate[1].ci_lo > 0) && limit->value > 0);
    ck_assert(limit->ci_lo > 0 && limit->ci_lo < limit->value && isnan(limit->ci_hi) && isnan(limit->p_value));
}
END_TEST

/* Amdahl's curve with errors of 1 %: beta comes out a little above zero and may be zero, so a peak anywhere beyond is
 * as good: its interval has no upper end, and neither has that of its throughput. */
START_TEST(usl_with_a_peak_that_is_not_shown)
{
    static const double x[] = {1, 2, 4, 8, 16, 32, 64};
    double y[7];
    for (int i = 0; i < 7; i++)
        y[i] = 100 * x[i] / (1 + 0.03 * (x[i] - 1)) * (i % 2 ? 1.01 : 1);
    const ws_law_input in = {.x = x, .y = y, .n = 7, .level = 0.95};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
    const ws_estimate *beta = ws_fit_estimate(&fit, "beta"), *peak = ws_fit_estimate(&fit, "peak");
    ck_assert(beta->value > 0 && beta->ci_lo < 0);
    ck_assert(peak->value > 64 && peak->se > 0 && isnan(peak->ci_hi) && isnan(peak->p_value));
    ck_assert(peak->ci_lo > 0 && peak->ci_lo < peak->value);
    ck_assert(isnan(ws_fit_estimate(&fit, "peak-throughput")->ci_hi));
    ck_assert_ptr_nonnull(strstr(fit.sentence, "no peak is shown, since beta is not distinguishable from zero (p 0."));
    ck_assert_ptr_nonnull(strstr(fit.sentence, ", and is beyond "));
    ck_assert_ptr_null(strstr(fit.sentence, "highest at"));
}
END_TEST

/* A throughput that falls from one on: beta is well above zero, and 1 - alpha may be zero. */
START_TEST(the_sentence_names_the_parameter_that_hides_the_peak)
{
    static const double x[] = {1, 2, 4, 8, 16},
                        y[] = {0.1945927867, 0.1950710936, 0.1823403491, 0.166876974, 0.1407656131};
    const ws_law_input in = {.x = x, .y = y, .n = 5, .level = 0.95, .in_logs = true};
    ws_fit fit;
    ck_assert_int_eq(ws_fit_usl(&in, &fit, NULL, NULL), WS_OK);
    ck_assert(ws_fit_estimate(&fit, "beta")->p_value < 0.01 && isnan(ws_fit_estimate(&fit, "peak")->ci_hi));
    ck_assert_ptr_nonnull(
        strstr(fit.sentence, "no peak is shown, since 1 - alpha is not distinguishable from zero (p 0.33)"));
}
END_TEST

START_TEST(gustafson)
{
    reference data = reference_load("case10_gustafson");
    const ws_law_input in = input_of(&data);
    ws_fit fit;
    double residual[REFERENCE_ROWS];
    ck_assert_int_eq(ws_fit_gustafson(&in, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_reference(&data, fit.estimate[0].value, "serial_fraction");
    ck_reference(&data, fit.estimate[0].se, "se");
    ck_reference(&data, (double)fit.n, "n");
    ck_reference(&data, fit.df, "df_residual");
    ck_close(residual[1], in.y[1] - (2 - fit.estimate[0].value), 1e-12, 1e-14);
    const ws_law_input first = {.x = in.x, .y = in.y, .n = 1, .level = 0.95};
    ck_assert_int_eq(ws_fit_gustafson(&first, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(fit.sentence, "no point has an x other than 1: the serial fraction is undefined");
    json_decref(data.expected);
}
END_TEST

typedef ws_status law(const ws_law_input *in, ws_fit *fit, double *residual, ws_error *error);
static law *const laws[] = {ws_fit_powerlaw_direct, ws_fit_floor, ws_fit_amdahl, ws_fit_usl};

START_TEST(laws_that_cannot_be)
{
    static const double x[] = {1, 2, 4, 8, 16, 32}, flat[] = {4, 4, 4, 4, 4, 4}, y[] = {9, 5, 3, 2, 1.5, 1},
                        bad[] = {1, 2, 0, 4, -5, 6};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        double residual[6];
        ws_fit fit;
        ws_law_input in = {.x = flat, .y = y, .n = 6, .level = 0.95};
        ck_assert_int_eq(laws[k](&in, &fit, residual, NULL), WS_OK);
        ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
        ck_assert(isnan(fit.estimate[0].value) && isnan(residual[0]));
        ck_assert_ptr_nonnull(strstr(fit.sentence, "1 value of x: fewer than the"));
        in = (ws_law_input){.x = bad, .y = y, .n = 6, .level = 0.95};
        ck_assert_int_eq(laws[k](&in, &fit, residual, NULL), WS_OK);
        ck_assert_int_eq(fit.status, WS_FIT_NOT_POSITIVE);
        ck_assert_ptr_nonnull(strstr(fit.sentence, "points 3, 5"));
        in = (ws_law_input){.x = x, .y = bad, .n = 6, .level = 0.95, .in_logs = true};
        ck_assert_int_eq(laws[k](&in, &fit, residual, NULL), WS_OK);
        ck_assert_int_eq(fit.status, WS_FIT_NOT_POSITIVE);
        in = (ws_law_input){.x = x, .y = y, .n = 0, .level = 0.95};
        ck_assert_int_eq(laws[k](&in, &fit, residual, NULL), WS_OK);
        ck_assert_int_eq(fit.status, WS_FIT_TOO_FEW);
        in = (ws_law_input){.x = x, .y = flat, .n = 6, .level = 0.95};
        ck_assert_int_eq(laws[k](&in, &fit, residual, NULL), WS_OK);
        ck_assert_msg(fit.status != WS_FIT_OK && fit.sentence[0], "%s", fit.sentence);
    }
}
END_TEST

static double doublings_at(double ln_x, const double *b, double *gradient)
{
    gradient[0] = 1;
    gradient[1] = ln_x / log(2);
    return b[0] + b[1] * gradient[1];
}

static double doublings(double x, const double *b, double *gradient)
{
    return doublings_at(log(x), b, gradient);
}

static size_t flat_start(const double *x, const double *y, size_t n, double *start)
{
    (void)x;
    (void)n;
    start[0] = y[0];
    start[1] = 0;
    return 1;
}

/* A law that is new, y = a + b log2 x: it comes back from its own points; where the square of an error is beyond all
 * numbers the sentence says so, as it must of each number that is missing in a fit that is OK. */
START_TEST(a_new_law_tells_what_is_missing)
{
    static const char *const names[] = {"value-at-1", "per-doubling"};
    static const ws_law_form form = {"doublings", names, 2, 2, doublings, doublings_at, .starts = flat_start};
    static const double x[] = {1, 2, 4, 8, 16}, parts[] = {3, 1, 4, 1, 5};
    double on[5], huge[5];
    for (size_t i = 0; i < 5; i++) {
        on[i] = 10 + 2.5 * log2(x[i]);
        huge[i] = 1e300 * parts[i];
    }
    ws_law_input in = {.x = x, .y = on, .n = 5, .level = 0.95};
    ws_fit fit;
    for (int logs = 0; logs < 2; logs++) {
        in.in_logs = logs;
        ck_assert_int_eq(ws_law_fit(&form, &in, &fit, NULL, NULL, NULL), WS_OK);
        ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
        ck_close(fit.estimate[0].value, 10, 1e-9, 0);
        ck_close(fit.estimate[1].value, 2.5, 1e-9, 0);
    }
    in.y = huge;
    ck_assert_int_eq(ws_law_fit(&form, &in, &fit, NULL, NULL, NULL), WS_OK);
    ws_law_say(&fit, 2, " in logs");
    ck_assert_msg(fit.status == WS_FIT_OK && isnan(fit.estimate[0].se), "%s", fit.sentence);
    ck_assert_msg(strstr(fit.sentence, "; no interval of value-at-1 and per-doubling: beyond the range of a number"),
                  "%s", fit.sentence);
}
END_TEST

/* A straight power law has no floor; data on a line in ln x have an exponent of zero and an endless factor. */
START_TEST(floor_that_is_not_there)
{
    static const double x[] = {1, 2, 4, 8, 16, 32};
    double y[6];
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit;
    for (size_t i = 0; i < 6; i++)
        y[i] = 100 * pow(x[i], -0.7);
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_PERFECT);
    ck_close(fit.estimate[2].value, 0, 0, 1e-9);
    for (size_t i = 0; i < 6; i++)
        y[i] = 10 - log(x[i]);
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_msg(fit.status == WS_FIT_NOT_IDENTIFIED || fit.status == WS_FIT_NOT_CONVERGED, "%s: %s",
                  ws_fit_status_name(fit.status), fit.sentence);
    ck_assert(isnan(fit.estimate[0].value) && fit.sentence[0]);
}
END_TEST

/* The sum of squares of y = u + v (x^e - 1) / e at e, u and v by simple regression, point `skip` left out; *left: its
 * square. */
static double rss_without(const double *x, const double *y, size_t n, size_t skip, double e, double *left)
{
    double m = 0, mean_g = 0, mean_y = 0, gg = 0, gy = 0, rss = 0, g[8];
    for (size_t i = 0; i < n; i++) {
        g[i] = e == 0 ? log(x[i]) : (pow(x[i], e) - 1) / e;
        if (i == skip)
            continue;
        m++;
        mean_g += g[i];
        mean_y += y[i];
    }
    mean_g /= m;
    mean_y /= m;
    for (size_t i = 0; i < n; i++)
        if (i != skip) {
            gg += (g[i] - mean_g) * (g[i] - mean_g);
            gy += (g[i] - mean_g) * (y[i] - mean_y);
        }
    for (size_t i = 0; i < n; i++) {
        double rest = y[i] - mean_y - gy / gg * (g[i] - mean_g);
        if (i == skip)
            *left = rest * rest;
        else
            rss += rest * rest;
    }
    return rss;
}

/* Throughputs that grow nearly like ln x: without a point the exponent is zero or of the other sign, and factor and
 * floor are beyond all numbers. The curve is none the less there; each is found again on a grid of exponents. */
START_TEST(floor_without_a_point_where_the_exponent_is_near_zero)
{
    static const double x[] = {1, 2, 4, 8, 16, 32}, y[] = {10.1, 11.93, 14.28, 16.19, 18.22, 20.48};
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit;
    double sum = 0;
    for (size_t skip = 0; skip < 6; skip++) {
        double least = INFINITY, square = NAN;
        for (int step = -100000; step <= 100000; step++) {
            double left = NAN, rss = rss_without(x, y, 6, skip, step * 1e-6, &left);
            if (rss < least) {
                least = rss;
                square = left;
            }
        }
        sum += square;
    }
    ck_assert_int_eq(ws_fit_floor(&in, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_close(fit.loocv, sum / 6, 1e-5, 0);
}
END_TEST

/* In logs the line through the origin is the mean of ln y - ln x, and its likelihood that of those; a line of errors in
 * proportion has the derivatives of the sum of squares zero: sum of e / f and of e x / f. */
START_TEST(straight_lines_of_errors_in_proportion)
{
    static const double x[] = {1, 2, 4, 8, 16, 32}, y[] = {22.9, 23.1, 29.2, 34.9, 53.7, 81.9};
    const ws_law_input in = {.x = x, .y = y, .n = 6, .level = 0.95};
    ws_fit fit;
    double mean = 0, rss = 0, by_intercept = 0, by_slope = 0;
    for (size_t i = 0; i < 6; i++)
        mean += log(y[i] / x[i]) / 6;
    for (size_t i = 0; i < 6; i++)
        rss += pow(log(y[i] / x[i]) - mean, 2);
    ck_assert_int_eq(ws_fit_straight(&in, true, &fit, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    ck_close(fit.estimate[0].value, exp(mean), 1e-12, 0);
    ck_close(fit.rss, rss, 1e-12, 0);
    ck_close(fit.estimate[0].se, exp(mean) * sqrt(rss / 5 / 6), 1e-10, 0);
    ck_close(fit.loocv, rss / 6 * pow(6.0 / 5, 2), 1e-9, 0);
    ck_assert_int_eq(ws_fit_straight(&in, false, &fit, NULL), WS_OK);
    ck_assert_int_eq(fit.status, WS_FIT_OK);
    for (size_t i = 0; i < 6; i++) {
        double curve = fit.estimate[0].value + fit.estimate[1].value * x[i], rest = log(y[i] / curve);
        by_intercept += rest / curve;
        by_slope += rest * x[i] / curve;
    }
    ck_assert_double_lt(fabs(by_intercept), 1e-12);
    ck_assert_double_lt(fabs(by_slope), 1e-12);
    ck_assert_double_lt(fit.rss, 0.01);
}
END_TEST

/* All x far from 1, as caps are: every point left out has a law of its own, and the law in other units of x is the
 * same.
 */
START_TEST(floor_of_caps)
{
    enum { N = 10 };
    double caps[N], parts[N], time[N], off = 0;
    for (size_t i = 0; i < N; i++) {
        caps[i] = 120 + 15 * (double)i;
        parts[i] = caps[i] / 250;
        time[i] = (1 + 0.2 * pow(150 / caps[i], 4)) * (i % 3 == 0 ? 1.004 : i % 3 == 1 ? 0.997 : 1.001);
    }
    ws_law_input in = {.x = caps, .y = time, .n = N, .level = 0.95, .in_logs = true};
    ws_fit of_watts, of_parts, without;
    ck_assert_int_eq(ws_fit_floor(&in, &of_watts, NULL, NULL), WS_OK);
    in.x = parts;
    ck_assert_int_eq(ws_fit_floor(&in, &of_parts, NULL, NULL), WS_OK);
    ck_assert_int_eq(of_watts.status, WS_FIT_OK);
    for (size_t j = 1; j < 3; j++) {
        ck_close(of_watts.estimate[j].value, of_parts.estimate[j].value, 1e-8, 0);
        ck_close(of_watts.estimate[j].se, of_parts.estimate[j].se, 1e-8, 0);
    }
    for (size_t left = 0; left < N; left++) {
        double x[N], y[N];
        for (size_t i = 0, n = 0; i < N; i++)
            if (i != left) {
                x[n] = caps[i];
                y[n++] = time[i];
            }
        const ws_law_input rest = {.x = x, .y = y, .n = N - 1, .level = 0.95, .in_logs = true};
        ck_assert_int_eq(ws_fit_floor(&rest, &without, NULL, NULL), WS_OK);
        const ws_estimate *e = without.estimate;
        off += pow(log(time[left] / (e[0].value * pow(caps[left], e[1].value) + e[2].value)), 2) / N;
    }
    ck_close(of_watts.loocv, off, 1e-7, 0);
    ck_close(of_parts.loocv, off, 1e-7, 0);
}
END_TEST

TEST_MAIN("fit laws", the_sentence_names_the_parameter_that_hides_the_peak, powerlaw_direct,
          direct_in_logs_is_the_log_log_line, floor_under_a_power_law, amdahl, amdahl_beyond_linear, usl,
          usl_within_its_bounds, usl_whose_gamma_is_endless, fewest_counts_of_bends, usl_without_peak,
          usl_with_a_peak_that_is_not_shown, usl_intervals_of_what_is_positive, laws_of_something_else,
          floor_is_judged_once, gustafson, a_new_law_tells_what_is_missing, laws_that_cannot_be,
          floor_that_is_not_there, floor_without_a_point_where_the_exponent_is_near_zero,
          straight_lines_of_errors_in_proportion, floor_of_caps)
