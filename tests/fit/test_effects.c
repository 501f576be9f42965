#include "fit/linear/effects.h"
#include "tests/fit/reference.h"

static const char *const names[] = {"samples", "passes", "third"};

START_TEST(reference_case)
{
    reference data = reference_load("case15_multiple_regression_power");
    const double *const columns[] = {data.column[0], data.column[1]};
    ws_effects effects;
    ck_assert_int_eq(ws_regression_effects(columns, names, 2, data.column[2], data.n, &effects, NULL), WS_OK);
    ck_assert_int_eq(effects.status, WS_FIT_OK);
    ck_reference(&data, effects.effect[0].inflation, "vif.samples");
    ck_reference(&data, effects.effect[1].inflation, "vif.passes");
    ck_reference(&data, effects.effect[0].standardised, "standardised.samples");
    ck_reference(&data, effects.effect[1].standardised, "standardised.passes");
    ck_reference(&data, effects.effect[0].partial, "partial_correlation.samples_given_passes");
    ck_reference(&data, effects.effect[1].partial, "partial_correlation.passes_given_samples");
    ck_reference(&data, effects.condition, "condition_number_scaled");
    ws_turnover t;
    ck_assert_int_eq(ws_regression_turnover(columns, names, 2, data.column[2], data.n, 0, 1, 0.95, &t, NULL), WS_OK);
    ck_reference(&data, t.value, "turnover.ratio");
    ck_reference(&data, t.se, "turnover.se_delta");
    ck_assert(t.is_bounded);
    ck_reference(&data, -t.ci_hi, "turnover.fieller_ci95_of_b_samples_over_b_passes.0");
    ck_reference(&data, -t.ci_lo, "turnover.fieller_ci95_of_b_samples_over_b_passes.1");
    json_decref(data.expected);
}
END_TEST

/* Orthogonal columns of +-1: no inflation, and the columns' angles are right ones. */
START_TEST(orthogonal_design)
{
    static const double a[] = {1, 1, -1, -1, 1, 1, -1, -1}, b[] = {1, -1, 1, -1, 1, -1, 1, -1},
                        y[] = {5.1, 2.9, 1.2, -1.1, 4.8, 3.2, 0.9, -0.8};
    const double *const columns[] = {a, b};
    ws_effects effects;
    ck_assert_int_eq(ws_regression_effects(columns, names, 2, y, 8, &effects, NULL), WS_OK);
    ck_close(effects.effect[0].inflation, 1, 1e-14, 0);
    ck_close(effects.condition, 1, 1e-14, 0);
}
END_TEST

/* a = 2, b = 4, uncorrelated, variances 0.04 and 0.16, t = 2: (16 - 0.64) r^2 - 16 r + (4 - 0.16) = 0. */
START_TEST(fieller_by_hand)
{
    double lo, hi;
    ck_assert(ws_fieller(2, 4, 0.04, 0, 0.16, 2, &lo, &hi));
    double root = sqrt(256 - 4 * 15.36 * 3.84);
    ck_close(lo, (16 - root) / 30.72, 1e-14, 0);
    ck_close(hi, (16 + root) / 30.72, 1e-14, 0);
    ck_assert(!ws_fieller(2, 0.5, 0.04, 0, 0.16, 2, &lo, &hi));
    ck_assert(isnan(lo) && isnan(hi));
}
END_TEST

START_TEST(no_effects)
{
    static const double a[] = {1, 2, 3, 4, 5}, twice[] = {2, 4, 6, 8, 10}, noise[] = {1, -1, 0.5, -1, 1},
                        y[] = {1, 2.1, 2.9, 4.2, 4.9};
    const double *const collinear[] = {a, twice}, *const weak[] = {a, noise};
    ws_effects effects;
    ws_turnover t;
    ws_error error = {0};
    ck_assert_int_eq(ws_regression_effects(collinear, names, 2, y, 5, &effects, NULL), WS_OK);
    ck_assert_int_eq(effects.status, WS_FIT_COLLINEAR);
    ck_assert(effects.n_effects == 0 && effects.sentence[0] && isnan(effects.condition));
    ck_assert_int_eq(ws_regression_turnover(collinear, names, 2, y, 5, 0, 1, 0.95, &t, NULL), WS_OK);
    ck_assert(t.status == WS_FIT_COLLINEAR && isnan(t.value) && t.sentence[0]);
    ck_assert_int_eq(ws_regression_turnover(weak, names, 2, y, 5, 0, 1, 0.95, &t, NULL), WS_OK);
    ck_assert(!t.is_bounded && isnan(t.ci_lo) && isfinite(t.value));
    ck_assert_ptr_nonnull(strstr(t.sentence, "no interval, since the effect of passes may be zero"));
    ck_assert_int_eq(ws_regression_turnover(weak, names, 2, y, 5, 0, 2, 0.95, &t, &error), WS_USAGE);
    ck_assert_str_eq(error.message, "a ratio is of two of the 2 predictors, not of numbers 1 and 3");
}
END_TEST

TEST_MAIN("fit effects", reference_case, orthogonal_design, fieller_by_hand, no_effects)
