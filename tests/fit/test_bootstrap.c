#include "fit/tests/bootstrap.h"
#include "tests/fit/reference.h"

static double mean_of(const void *state, const size_t *index, size_t n)
{
    const double *value = state;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[index[i]];
    return sum / (double)n;
}

START_TEST(reference_case)
{
    reference data = reference_load("case05_powerlaw_loglog");
    double x[REFERENCE_ROWS], y[REFERENCE_ROWS];
    for (size_t i = 0; i < data.n; i++) {
        x[i] = log(data.column[0][i]);
        y[i] = log(data.column[1][i]);
    }
    const ws_pairs pairs = {x, y};
    ws_jackknife j;
    ck_assert_int_eq(ws_jackknife_of(ws_pairs_slope, &pairs, data.n, 0.95, &j, NULL), WS_OK);
    ck_reference(&data, j.se, "jackknife_se_beta");
    ck_reference(&data, -j.value, "beta");
    ws_bootstrap b;
    ck_assert_int_eq(ws_bootstrap_bca(ws_pairs_slope, &pairs, data.n, NULL, 20000, 7, 0.95, &b, NULL), WS_OK);
    ck_assert_int_eq(b.status, WS_FIT_OK);
    double se = reference_number(&data, "pairs_bootstrap_beta.se");
    ck_close(b.se, se, 0.05, 0);
    ck_close(-b.percentile_hi, reference_number(&data, "pairs_bootstrap_beta.percentile95.0"), 0, 0.05 * se);
    ck_close(-b.percentile_lo, reference_number(&data, "pairs_bootstrap_beta.percentile95.1"), 0, 0.05 * se);
    ck_close(b.monte_carlo_error, b.se / 200, 1e-12, 0);
    json_decref(data.expected);
}
END_TEST

/* Of a mean the bootstrap's standard error is known: rmse / sqrt(n); the jackknife's is sd / sqrt(n), its bias zero. */
START_TEST(of_a_mean)
{
    static const double value[] = {1, 2, 4, 8, 16, 3, 5, 9, 2, 7};
    double mean = 5.7, squares = 0;
    for (size_t i = 0; i < 10; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    ws_bootstrap b, again, other;
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, value, 10, NULL, 20000, 1, 0.95, &b, NULL), WS_OK);
    ck_close(b.se, sqrt(squares / 100), 0.02, 0);
    ck_close(b.bias, 0, 0, 4 * b.se / sqrt(20000));
    /* Skewed to the right: both BCa ends lie above the percentiles. */
    ck_assert(b.ci_lo > b.percentile_lo && b.ci_hi > b.percentile_hi);
    ck_assert_ptr_nonnull(strstr(b.sentence, "below 20 points such intervals are too narrow"));
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, value, 10, NULL, 20000, 1, 0.95, &again, NULL), WS_OK);
    ck_close(b.ci_lo, again.ci_lo, 0, 0);
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, value, 10, NULL, 20000, 2, 0.95, &other, NULL), WS_OK);
    ck_assert(b.se != other.se);
    ws_jackknife j;
    ck_assert_int_eq(ws_jackknife_of(mean_of, value, 10, 0.95, &j, NULL), WS_OK);
    ck_close(j.se, sqrt(squares / 90), 1e-12, 0);
    ck_close(j.bias, 0, 0, 1e-13);
}
END_TEST

/* Within strata of equal values every draw is the data. */
START_TEST(within_repeats)
{
    static const double value[] = {1, 5, 1, 5, 1, 5}, spread[] = {1, 50, 3, 52, 2, 51};
    static const size_t stratum[] = {0, 1, 0, 1, 0, 1}, bad[] = {0, 1, 2, 3, 4, 6};
    ws_bootstrap b, free_draws;
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, value, 6, stratum, 500, 1, 0.95, &b, NULL), WS_OK);
    ck_assert(b.status == WS_FIT_CONSTANT && isnan(b.ci_lo) && b.sentence[0]);
    ck_close(b.value, 3, 1e-15, 0);
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, spread, 6, stratum, 5000, 1, 0.95, &b, NULL), WS_OK);
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, spread, 6, NULL, 5000, 1, 0.95, &free_draws, NULL), WS_OK);
    /* Each half: variance 2/3 of its values, a third of it for its mean, half of it for the mean of two halves. */
    ck_close(b.se, sqrt((2.0 / 9 + 2.0 / 9) / 4), 0.03, 0);
    ck_assert(free_draws.se > 10 * b.se);
    double many[24];
    size_t four[24];
    for (size_t i = 0; i < 24; i++) {
        many[i] = spread[i % 6];
        four[i] = i / 4;
    }
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, many, 24, four, 500, 1, 0.95, &b, NULL), WS_OK);
    ck_assert_ptr_nonnull(strstr(b.sentence, "within fewer than 10 repeats such intervals are too narrow"));
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, many, 24, NULL, 500, 1, 0.95, &b, NULL), WS_OK);
    ck_assert_ptr_null(strstr(b.sentence, "too narrow"));
    ck_assert_int_eq(ws_bootstrap_bca(mean_of, spread, 6, bad, 500, 1, 0.95, &b, NULL), WS_USAGE);
}
END_TEST

START_TEST(no_bootstrap)
{
    static const double x[] = {1, 1, 1, 1, 1, 2}, y[] = {1, 2, 1, 2, 3, 4}, flat[] = {1, 1, 1, 1, 1, 1};
    const ws_pairs pairs = {x, y}, none = {flat, y};
    ws_bootstrap b;
    ws_jackknife j;
    ck_assert_int_eq(ws_bootstrap_bca(ws_pairs_slope, &pairs, 4, NULL, 500, 1, 0.95, &b, NULL), WS_OK);
    ck_assert_str_eq(b.sentence, "4 points: a bootstrap needs at least 5");
    ck_assert_int_eq(ws_bootstrap_bca(ws_pairs_slope, &pairs, 6, NULL, 5000, 1, 0.95, &b, NULL), WS_OK);
    /* A draw without the last point, (5/6)^6 of them, or with nothing else has no slope. */
    ck_assert_int_eq(b.status, WS_FIT_OK);
    ck_close((double)b.n_dropped / 5000, pow(5.0 / 6, 6) + pow(1.0 / 6, 6), 0, 0.03);
    ck_assert_ptr_nonnull(strstr(b.sentence, "draws without a value dropped"));
    ck_assert_int_eq(ws_bootstrap_bca(ws_pairs_slope, &none, 6, NULL, 500, 1, 0.95, &b, NULL), WS_OK);
    ck_assert(b.status == WS_FIT_NOT_IDENTIFIED && isnan(b.se) && b.sentence[0]);
    ck_assert_int_eq(ws_bootstrap_bca(ws_pairs_slope, &pairs, 6, NULL, 5, 1, 0.95, &b, NULL), WS_USAGE);
    ck_assert_int_eq(ws_jackknife_of(ws_pairs_slope, &pairs, 6, 0.95, &j, NULL), WS_OK);
    ck_assert(j.status == WS_FIT_NOT_IDENTIFIED && isnan(j.se) && j.sentence[0]);
    ck_assert_int_eq(ws_jackknife_of(ws_pairs_slope, &pairs, 2, 0.95, &j, NULL), WS_OK);
    ck_assert_int_eq(j.status, WS_FIT_TOO_FEW);
}
END_TEST

TEST_MAIN("fit bootstrap", reference_case, of_a_mean, within_repeats, no_bootstrap)
