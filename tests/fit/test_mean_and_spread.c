#include "fit/tests/mean_and_spread.h"
#include "fit/estimate.h"
#include "tests/fit/reference.h"

static double digits_of(double found, double want)
{
    double off = fabs(found - want) / fabs(want);
    return off > 1e-15 ? -log10(off) : 15;
}

/* Digits that doubles of NIST's decimal data have: NumAcc3 and NumAcc4 have a spread of 0.1 about 1e6 and 1e7. */
static const struct {
    const char *set;
    double mean_digits, sd_digits;
} sets[] = {{"Lew", 13, 13},     {"Lottery", 13, 13}, {"Mavro", 13, 12},  {"Michelso", 13, 12},
            {"NumAcc1", 13, 13}, {"NumAcc2", 13, 13}, {"NumAcc3", 13, 9}, {"NumAcc4", 13, 8}};

START_TEST(nist_univariate)
{
    static reference data;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        char path[100], line[200];
        snprintf(path, sizeof path, "tests/data/nist/univariate/%s.csv", sets[s].set);
        reference_read_csv(&data, path);
        ws_sample sample;
        ck_assert_int_eq(ws_sample_describe(data.column[0], data.n, 0.95, &sample, NULL), WS_OK);
        FILE *file = fopen("tests/data/nist/univariate/certified.csv", "r");
        bool found = false;
        ck_assert(file != NULL);
        while (fgets(line, sizeof line, file)) {
            ws_span rest = ws_span_of(line), name, mean, sd;
            double m, d;
            ck_assert(ws_span_split(&rest, ',', &name) && ws_span_split(&rest, ',', &mean) &&
                      ws_span_split(&rest, ',', &sd));
            if (!ws_span_eq(name, sets[s].set))
                continue;
            found = ws_span_double(mean, &m) && ws_span_double(sd, &d);
            ck_assert_msg(digits_of(sample.mean, m) >= sets[s].mean_digits, "%s: mean %.17g", sets[s].set, sample.mean);
            ck_assert_msg(digits_of(sample.sd, d) >= sets[s].sd_digits, "%s: sd %.17g", sets[s].set, sample.sd);
        }
        fclose(file);
        ck_assert(found);
    }
}
END_TEST

/* Values of column `column` in the rows with that number of GPUs. */
static ws_sample of_gpus(const reference *data, double gpus, size_t column)
{
    double value[REFERENCE_ROWS];
    size_t n = 0;
    ws_sample sample;
    for (size_t i = 0; i < data->n; i++)
        if (data->column[0][i] == gpus)
            value[n++] = data->column[column][i];
    ck_assert_int_eq(ws_sample_describe(value, n, 0.95, &sample, NULL), WS_OK);
    return sample;
}

START_TEST(speedup_reference_case)
{
    reference data = reference_load("case22_speedup_efficiency_repeats");
    static const double gpus[] = {1, 4, 16, 64};
    ws_sample first = of_gpus(&data, 1, 2);
    for (size_t g = 0; g < 4; g++) {
        ws_sample time = of_gpus(&data, gpus[g], 2);
        char path[60];
        snprintf(path, sizeof path, "groups.%zu.time_mean", g);
        ck_reference(&data, time.mean, path);
        snprintf(path, sizeof path, "groups.%zu.time_sd_n_minus_1", g);
        ck_reference(&data, time.sd, path);
        snprintf(path, sizeof path, "groups.%zu.time_rmse_div_n", g);
        ck_reference(&data, time.rmse, path);
        snprintf(path, sizeof path, "groups.%zu.time_cv_n_minus_1", g);
        ck_reference(&data, time.cv, path);
        snprintf(path, sizeof path, "groups.%zu.time_ci95_t.0", g);
        ck_reference(&data, time.ci_lo, path);
        snprintf(path, sizeof path, "groups.%zu.time_ci95_t.1", g);
        ck_reference(&data, time.ci_hi, path);
        if (g == 0)
            continue;
        ws_ratio speedup;
        ws_ratio_of_means(&first, &time, 0.95, &speedup);
        snprintf(path, sizeof path, "groups.%zu.speedup_ratio_of_means", g);
        ck_reference(&data, speedup.value, path);
        snprintf(path, sizeof path, "groups.%zu.speedup_se_delta", g);
        ck_reference(&data, speedup.se, path);
        ck_assert(speedup.ci_lo < speedup.value && speedup.value < speedup.ci_hi);
        ck_assert(speedup.df >= 4 && speedup.df <= 8);
    }
    ws_sample a = of_gpus(&data, 16, 3), b = of_gpus(&data, 64, 3);
    ws_test test;
    ws_welch(&a, &b, &test);
    ck_reference(&data, test.statistic, "welch_energy_16_vs_64.t");
    ck_reference(&data, test.p_value, "welch_energy_16_vs_64.p");
    json_decref(data.expected);
}
END_TEST

START_TEST(energy_per_gpuh_reference_case)
{
    reference data = reference_load("case22_speedup_efficiency_repeats");
    double gpu_h[REFERENCE_ROWS];
    ws_fit fit;
    for (size_t i = 0; i < data.n; i++)
        gpu_h[i] = data.column[0][i] * data.column[2][i];
    ck_assert_int_eq(ws_fit_origin(gpu_h, data.column[3], data.n, 0.95, &fit, NULL, NULL), WS_OK);
    ck_reference(&data, fit.estimate[0].value, "energy_vs_gpuh_origin.slope");
    ck_reference(&data, fit.estimate[0].se, "energy_vs_gpuh_origin.se");
    json_decref(data.expected);
}
END_TEST

/* chi2 quantiles of 9 degrees of freedom at 2.5 and 97.5 %: 2.700389500 and 19.02276780. */
START_TEST(variation_by_formula)
{
    static const double value[] = {9, 10, 11, 10, 9, 11, 10, 10, 9, 11};
    ws_sample s;
    ck_assert_int_eq(ws_sample_describe(value, 10, 0.95, &s, NULL), WS_OK);
    double k2 = s.cv * s.cv;
    ck_close(s.cv_hi, s.cv / sqrt(((2.7003894999803584 + 2) / 10 - 1) * k2 + 2.7003894999803584 / 9), 1e-9, 0);
    ck_close(s.cv_lo, s.cv / sqrt(((19.02276780213923 + 2) / 10 - 1) * k2 + 19.02276780213923 / 9), 1e-9, 0);
}
END_TEST

START_TEST(samples_without_spread)
{
    static const double one[] = {3}, flat[] = {0.1, 0.1, 0.1}, about_zero[] = {-1, 1, 0}, some[] = {1, 2, 3};
    ws_sample s, t, u, v;
    ck_assert_int_eq(ws_sample_describe(one, 1, 0.95, &s, NULL), WS_OK);
    ck_assert(s.status == WS_FIT_EXACT && s.mean == 3 && isnan(s.sd) && isnan(s.ci_lo));
    ck_assert_str_eq(s.sentence, "3 from a single value: its spread is undefined");
    ck_assert_int_eq(ws_sample_describe(flat, 3, 0.95, &t, NULL), WS_OK);
    ck_assert_int_eq(t.status, WS_FIT_CONSTANT);
    ck_close(t.sd, 0, 0, 1e-17);
    ck_assert_int_eq(ws_sample_describe(about_zero, 3, 0.95, &u, NULL), WS_OK);
    ck_assert(isnan(u.cv) && strstr(u.sentence, "coefficient of variation is undefined"));
    ck_assert_int_eq(ws_sample_describe(some, 3, 0.95, &v, NULL), WS_OK);
    ws_ratio r;
    ws_ratio_of_means(&v, &u, 0.95, &r);
    ck_assert(r.status == WS_FIT_NOT_IDENTIFIED && isnan(r.value) && r.sentence[0]);
    ws_ratio_of_means(&v, &s, 0.95, &r);
    ck_assert(r.status == WS_FIT_EXACT && isnan(r.se));
    ck_close(r.value, 2.0 / 3, 1e-15, 0);
    ws_test test;
    ws_welch(&s, &v, &test);
    ck_assert(test.status == WS_FIT_TOO_FEW && test.sentence[0]);
    ck_assert_int_eq(ws_sample_describe(NULL, 0, 0.95, &s, NULL), WS_OK);
    ck_assert(s.status == WS_FIT_TOO_FEW && isnan(s.mean) && s.sentence[0]);
}
END_TEST

/* ln 8 less ln 2 with an sd of 0.1 known to 4 degrees of freedom: t is 2.7764, the half-width of ln r 0.1 t sqrt(5/6).
 */
START_TEST(speedup_with_a_pooled_sd)
{
    static const double slow[] = {7.0, 8.0, 64.0 / 7}, fast[] = {1.6, 2.5};
    double ln_slow[3], ln_fast[2];
    ws_sample a, b, none;
    ws_ratio r;
    for (size_t i = 0; i < 3; i++)
        ln_slow[i] = log(slow[i]);
    for (size_t i = 0; i < 2; i++)
        ln_fast[i] = log(fast[i]);
    ws_sample_describe(ln_slow, 3, 0.95, &a, NULL);
    ws_sample_describe(ln_fast, 2, 0.95, &b, NULL);
    ws_sample_describe(NULL, 0, 0.95, &none, NULL);
    ws_ratio_pooled(&a, &b, 0.1, 4, 0.95, &r);
    double half = 0.1 * 2.776445105197793 * sqrt(5.0 / 6);
    ck_assert_int_eq(r.status, WS_FIT_OK);
    ck_close(r.value, 4, 1e-14, 0);
    ck_close(r.se, 0.4 * sqrt(5.0 / 6), 1e-14, 0);
    ck_close(r.ci_lo, 4 * exp(-half), 1e-12, 0);
    ck_close(r.ci_hi, 4 * exp(half), 1e-12, 0);
    ws_ratio_pooled(&a, &b, NAN, 0, 0.95, &r);
    ck_assert_int_eq(r.status, WS_FIT_EXACT);
    ck_assert(r.value > 3.9 && isnan(r.se) && strstr(r.sentence, "no configuration was repeated"));
    ws_ratio_pooled(&a, &b, 0, 4, 0.95, &r);
    ck_assert_int_eq(r.status, WS_FIT_CONSTANT);
    ws_ratio_pooled(&a, &none, 0.1, 4, 0.95, &r);
    ck_assert(r.status == WS_FIT_TOO_FEW && isnan(r.value) && r.sentence[0]);
    a.mean = 800;
    ws_ratio_pooled(&a, &b, 0.1, 4, 0.95, &r);
    ck_assert(r.status == WS_FIT_NOT_IDENTIFIED && isnan(r.value) && r.sentence[0]);
}
END_TEST

/* ln a: three values of variance s^2, so s^2 / 3 of their mean; ln b: two that differ by 2 s / sqrt(6), so s^2 / 6.
 * Welch's degrees of freedom are (2 + 1)^2 / (4 / 2 + 1) = 3, t is 3.1824 and the standard error of ln r is s /
 * sqrt(2). */
START_TEST(speedup_with_the_spreads_of_both)
{
    const double s = 0.1, u = s / sqrt(6);
    const double ln_a[] = {log(8) - s, log(8), log(8) + s}, ln_b[] = {log(2) - u, log(2) + u}, same[] = {1, 1};
    ws_sample a, b, one, none, still;
    ws_ratio r;
    ws_sample_describe(ln_a, 3, 0.95, &a, NULL);
    ws_sample_describe(ln_b, 2, 0.95, &b, NULL);
    ws_sample_describe(ln_b, 1, 0.95, &one, NULL);
    ws_sample_describe(NULL, 0, 0.95, &none, NULL);
    ws_sample_describe(same, 2, 0.95, &still, NULL);
    ws_ratio_of_logs(&a, &b, 0.95, &r);
    double half = ws_student_quantile(0.95, 25. / 11) * s / sqrt(2);
    ck_assert_int_eq(r.status, WS_FIT_OK);
    ck_close(r.value, 4, 1e-14, 0);
    ck_close(r.df, 25. / 11, 1e-12, 0); /* Satterthwaite's 3, and 25 / 11 of equal spreads */
    ck_close(r.se, 4 * s / sqrt(2), 1e-12, 0);
    ck_close(r.ci_lo, 4 * exp(-half), 1e-12, 0);
    ck_close(r.ci_hi, 4 * exp(half), 1e-12, 0);
    ws_ratio_of_logs(&a, &one, 0.95, &r);
    ck_assert(r.status == WS_FIT_EXACT && r.value > 4 && isnan(r.ci_lo) && strstr(r.sentence, "single run"));
    ws_ratio_of_logs(&still, &still, 0.95, &r);
    ck_assert(r.status == WS_FIT_CONSTANT && r.value == 1 && isnan(r.ci_lo) && strstr(r.sentence, "no spread"));
    ws_ratio_of_logs(&still, &a, 0.95, &r); /* one side without spread leaves the degrees of freedom of the other */
    ck_close(r.df, 2, 1e-12, 0);
    ws_sample_describe((const double[]){1, 1.2}, 2, 0.95, &one, NULL);
    ws_ratio_of_logs(&one, &b, 0.95, &r); /* of pairs between 1 and 2 */
    double v = 0.01, w = s * s / 6;
    ck_close(r.df, (v + w) * (v + w) / (v * v + w * w), 1e-12, 0);
    ck_assert(r.df > 1 && r.df < 2);
    ck_close(r.ci_hi / r.value, exp(ws_student_quantile(0.95, r.df) * sqrt(v + w)), 1e-12, 0);
    ws_ratio_of_logs(&one, &one, 0.95, &r); /* alike: 2 */
    ck_close(r.df, 2, 1e-12, 0);
    ck_close(r.ci_hi, exp(4.302652729749464 * sqrt(2 * v)), 1e-12, 0);
    ws_ratio_of_logs(&none, &a, 0.95, &r);
    ck_assert(r.status == WS_FIT_TOO_FEW && isnan(r.value) && r.sentence[0]);
    a.mean = 800;
    ws_ratio_of_logs(&a, &b, 0.95, &r);
    ck_assert(r.status == WS_FIT_NOT_IDENTIFIED && isnan(r.value) && r.sentence[0]);
}
END_TEST

TEST_MAIN("fit sample", speedup_with_the_spreads_of_both, speedup_with_a_pooled_sd, nist_univariate,
          speedup_reference_case, energy_per_gpuh_reference_case, variation_by_formula, samples_without_spread)
