#include "fit/means.h"
#include "fit/tests/groups.h"
#include "tests/fit/simulate.h"
#include "tests/fit/reference.h"

static const char *const caps[] = {"100", "200", "250"}, *const clocks[] = {"135", "735", "1380"};

/* Columns: group, GPUs, time. */
static size_t load(const reference *data, const char *const *names, double *x, double *y, size_t *group)
{
    for (size_t i = 0; i < data->n; i++) {
        x[i] = log(data->column[1][i]);
        y[i] = log(data->column[2][i]);
        for (size_t g = 0; g < 3; g++)
            if (data->column[0][i] == strtod(names[g], NULL))
                group[i] = g;
    }
    return data->n;
}

static void ck_test(const reference *data, const ws_test *test, const char *name)
{
    char path[80];
    ck_assert_int_eq(test->status, WS_FIT_OK);
    snprintf(path, sizeof path, "%s.F", name);
    ck_reference(data, test->statistic, path);
    snprintf(path, sizeof path, "%s.p", name);
    ck_reference(data, test->p_value, path);
    snprintf(path, sizeof path, "%s.df1", name);
    ck_reference(data, test->df1, path);
    snprintf(path, sizeof path, "%s.df2", name);
    ck_reference(data, test->df2, path);
}

static void ck_lines(const reference *data, const ws_slopes *s, const char *const *names)
{
    for (size_t g = 0; g < 3; g++) {
        char path[80];
        snprintf(path, sizeof path, "per_group.%s.beta", names[g]);
        ck_reference(data, -s->line[g].slope, path);
        snprintf(path, sizeof path, "per_group.%s.se", names[g]);
        ck_reference(data, s->line[g].se, path);
        snprintf(path, sizeof path, "per_group.%s.r_squared", names[g]);
        ck_reference(data, s->line[g].r2, path);
        snprintf(path, sizeof path, "per_group.%s.alpha", names[g]);
        ck_reference(data, exp(s->line[g].intercept), path);
        snprintf(path, sizeof path, "per_group.%s.rss", names[g]);
        ck_reference(data, s->line[g].rss, path);
    }
    ck_reference(data, -s->common.value, "common_beta");
    ck_reference(data, s->common.se, "common_beta_se");
}

START_TEST(slopes_that_differ)
{
    reference data = reference_load("case13_ancova_slopes");
    double x[REFERENCE_ROWS], y[REFERENCE_ROWS];
    size_t group[REFERENCE_ROWS], n = load(&data, caps, x, y, group);
    ws_slopes s;
    ck_assert_int_eq(ws_compare_slopes(x, y, group, n, 3, 0.95, 0.05, &s, NULL), WS_OK);
    ck_assert_int_eq(s.status, WS_FIT_OK);
    ck_lines(&data, &s, caps);
    ck_test(&data, &s.equal_slopes, "equal_slopes_F");
    ck_test(&data, &s.equal_intercepts, "equal_intercepts_given_common_slope_F");
    ck_test(&data, &s.coincident, "coincident_lines_F");
    ck_reference(&data, s.rss_separate, "rss.separate");
    ck_reference(&data, s.rss_parallel, "rss.parallel");
    ck_reference(&data, s.rss_one, "rss.one_line");
    for (size_t i = 0; i < 3; i++) {
        char path[80];
        snprintf(path, sizeof path, "pairwise_beta.%zu.difference", i);
        ck_reference(&data, -s.pair[i].difference, path);
        snprintf(path, sizeof path, "pairwise_beta.%zu.se", i);
        ck_reference(&data, s.pair[i].se, path);
        snprintf(path, sizeof path, "pairwise_beta.%zu.p", i);
        ck_reference(&data, s.pair[i].p_value, path);
        snprintf(path, sizeof path, "pairwise_beta.%zu.p_bonferroni", i);
        ck_reference(&data, s.pair[i].p_bonferroni, path);
        snprintf(path, sizeof path, "pairwise_beta.%zu.p_holm", i);
        ck_reference(&data, s.pair[i].p_holm, path);
    }
    /* A claim of equivalence holds at 5 % where the 90 % interval of the difference lies within the margin: here only
     * for 200 and 250 W, 0.0084 +- 1.734 * 0.0105. */
    ck_assert(s.pair[0].p_equivalent > 0.05 && s.pair[1].p_equivalent > 0.05 && s.pair[2].p_equivalent < 0.05);
    ck_assert_ptr_nonnull(strstr(s.sentence, "2 of 3 pairs differ (Holm); 1 of 3 pairs are shown to be the same"));
    ws_slopes_free(&s);
    ws_slopes_free(&s);
    json_decref(data.expected);
}
END_TEST

START_TEST(slopes_that_do_not)
{
    reference data = reference_load("case27_ancova_equal_slopes_unbalanced");
    double x[REFERENCE_ROWS], y[REFERENCE_ROWS], value[3], se[3];
    size_t group[REFERENCE_ROWS], n = load(&data, clocks, x, y, group);
    ws_slopes s;
    ck_assert_int_eq(ws_compare_slopes(x, y, group, n, 3, 0.95, 0, &s, NULL), WS_OK);
    ck_lines(&data, &s, clocks);
    ck_test(&data, &s.equal_slopes, "equal_slopes_F");
    ck_test(&data, &s.equal_intercepts, "equal_intercepts_given_common_slope_F");
    ck_assert(isnan(s.pair[0].p_equivalent));
    ck_assert_ptr_nonnull(strstr(s.sentence, "that shows no sameness, which takes a margin"));
    for (size_t g = 0; g < 3; g++) {
        value[g] = -s.line[g].slope;
        se[g] = s.line[g].se;
    }
    ws_slopes_free(&s);
    ck_assert_int_eq(ws_printed_slopes(value, se, 3, 0.95, 0, &s, NULL), WS_OK);
    ck_reference(&data, s.equal_slopes.statistic, "cochran_Q_from_printed_beta_and_se.Q");
    ck_reference(&data, s.equal_slopes.df1, "cochran_Q_from_printed_beta_and_se.df");
    ck_reference(&data, s.equal_slopes.p_value, "cochran_Q_from_printed_beta_and_se.p");
    ck_reference(&data, s.common.value, "cochran_Q_from_printed_beta_and_se.pooled_beta");
    ck_reference(&data, s.common.se, "cochran_Q_from_printed_beta_and_se.pooled_se");
    ws_slopes_free(&s);
    json_decref(data.expected);
}
END_TEST

/* Two printed slopes: Q is z^2. 0.97 and 0.82, 0.03 each: z = 0.15 / 0.0424 = 3.54. */
START_TEST(two_printed_slopes)
{
    static const double value[] = {0.97, 0.82}, se[] = {0.03, 0.03};
    ws_slopes s;
    ck_assert_int_eq(ws_printed_slopes(value, se, 2, 0.95, 0.3, &s, NULL), WS_OK);
    double z = 0.15 / sqrt(2 * 0.0009);
    ck_close(s.equal_slopes.statistic, z * z, 1e-12, 0);
    ck_close(s.pair[0].p_value, erfc(z / sqrt(2)), 1e-12, 0);
    ck_close(s.equal_slopes.p_value, s.pair[0].p_value, 1e-10, 0);
    ck_close(s.pair[0].p_equivalent, erfc(z / sqrt(2)) / 2, 1e-9, 0); /* 0.3 - 0.15 is as far */
    ck_close(s.common.value, 0.895, 1e-14, 0);
    ws_slopes_free(&s);
}
END_TEST

/* 101 slopes of one error, the last 5 errors above the others: the mean is 5 / 101 errors up, and each slope differs
 * from it by what it is above the mean with a variance of 1 - 1 / 101. */
START_TEST(many_groups_against_their_mean)
{
    enum { MANY = WS_SLOPE_GROUPS_IN_PAIRS + 1 };
    double value[MANY], se[MANY], x[2 * MANY], y[2 * MANY], sd = 0.02;
    size_t group[2 * MANY];
    ws_slopes s;
    for (size_t g = 0; g < MANY; g++) {
        value[g] = g + 1 == MANY ? 1 + 5 * sd : 1;
        se[g] = sd;
    }
    ck_assert_int_eq(ws_printed_slopes(value, se, MANY, 0.95, 0, &s, NULL), WS_OK);
    ck_assert_uint_eq(s.n_pairs, MANY);
    double apart = sd * sqrt(1 - 1. / MANY), far = (5 * sd - 5 * sd / MANY) / apart;
    ck_assert(s.pair[MANY - 1].a == MANY - 1 && s.pair[MANY - 1].b == WS_SLOPE_COMMON);
    ck_close(s.pair[0].difference, -5 * sd / MANY, 1e-12, 0);
    ck_close(s.pair[0].se, apart, 1e-12, 0);
    ck_close(s.pair[MANY - 1].p_value, erfc(far / sqrt(2)), 1e-9, 0);
    ck_close(s.pair[MANY - 1].p_holm, MANY * erfc(far / sqrt(2)), 1e-9, 0);
    ck_assert_ptr_nonnull(strstr(s.sentence, "1 of 101 groups differ from it (Holm)"));
    ws_slopes_free(&s);
    /* Points of the groups by turns, slopes 1 but for the last: the order of points does not matter. */
    for (size_t i = 0; i < 2 * MANY; i++) {
        group[i] = i % MANY;
        x[i] = i < MANY ? 1 : 3;
        y[i] = group[i] + 1 == MANY ? 2 * x[i] : x[i];
    }
    ck_assert_int_eq(ws_compare_slopes(x, y, group, 2 * MANY, MANY, 0.95, 0, &s, NULL), WS_OK);
    ck_assert_int_eq(s.status, WS_FIT_EXACT);
    ck_close(s.common.value, 1 + 1. / MANY, 1e-12, 0);
    ck_close(s.line[MANY - 1].slope, 2, 1e-14, 0);
    ws_slopes_free(&s);
}
END_TEST

/* m = 4: 0.01 * 4, 0.02 * 3, then 0.03 * 2 is the same 0.06, and 0.5. */
START_TEST(holm_by_hand)
{
    static const double p[] = {0.5, 0.01, 0.03, 0.02};
    double adjusted[4];
    ws_holm(p, 4, adjusted);
    ck_close(adjusted[1], 0.04, 1e-15, 0);
    ck_close(adjusted[3], 0.06, 1e-15, 0);
    ck_close(adjusted[2], 0.06, 1e-15, 0);
    ck_close(adjusted[0], 0.5, 1e-15, 0);
}
END_TEST

START_TEST(nothing_to_compare)
{
    static const double x[] = {1, 2, 1, 2, 3, 3}, y[] = {1, 3, 2, 5, 1, 2}, zero[] = {0.1, 0}, value[] = {1, 2};
    static const size_t one[] = {0, 0, 0, 0, 0, 0}, lone[] = {0, 0, 0, 0, 0, 1}, flat[] = {0, 0, 0, 0, 1, 1},
                        exact[] = {0, 0, 1, 1};
    ws_slopes s;
    ws_error error = {0};
    ck_assert_int_eq(ws_compare_slopes(x, y, one, 6, 1, 0.95, 0, &s, NULL), WS_OK);
    ck_assert_str_eq(s.sentence, "1 group: nothing to compare");
    ck_assert_int_eq(ws_compare_slopes(x, y, lone, 6, 2, 0.95, 0, &s, NULL), WS_OK);
    ck_assert_int_eq(s.status, WS_FIT_TOO_FEW);
    ck_assert_str_eq(s.sentence, "group 2 has 1 point: a slope needs two");
    ck_assert_int_eq(ws_compare_slopes(x, y, flat, 6, 2, 0.95, 0, &s, NULL), WS_OK);
    ck_assert_int_eq(s.status, WS_FIT_CONSTANT);
    ck_assert_int_eq(ws_compare_slopes(x, y, exact, 4, 2, 0.95, 0, &s, NULL), WS_OK);
    ck_assert_int_eq(s.status, WS_FIT_EXACT);
    ck_close(s.line[1].slope, 3, 1e-15, 0);
    ck_assert(isnan(s.equal_slopes.p_value) && isnan(s.common.se) && s.n_pairs == 0);
    ws_slopes_free(&s);
    ck_assert_int_eq(ws_compare_slopes(x, y, exact, 4, 1, 0.95, 0, &s, &error), WS_USAGE);
    ck_assert_str_eq(error.message, "point 3 is of group 2, but there are 1 groups");
    ck_assert_int_eq(ws_compare_slopes(x, y, exact, 4, 2, 0.95, -1, &s, NULL), WS_USAGE);
    ck_assert_int_eq(ws_printed_slopes(value, zero, 2, 0.95, 0, &s, NULL), WS_DATA);
    ck_assert_int_eq(ws_printed_slopes(value, value, 1, 0.95, 0, &s, NULL), WS_OK);
    ck_assert_str_eq(s.sentence, "1 slope: nothing to compare");
}
END_TEST

/* Two groups: Welch's t by hand, whose square is Welch's F. */
START_TEST(two_groups_by_their_own_variances)
{
    const double x[] = {0, 1, 2, 3, 0, 1, 2, 3, 4}, y[] = {0, 1.1, 1.9, 3.1, 1, 4, 4, 8, 8};
    const size_t group[] = {0, 0, 0, 0, 1, 1, 1, 1, 1};
    ws_slopes s;
    ck_assert_int_eq(ws_compare_slopes_unequal(x, y, group, 9, 2, NULL, 0.95, 0, &s, NULL), WS_OK);
    double a = s.line[0].se * s.line[0].se, b = s.line[1].se * s.line[1].se, d = s.line[0].slope - s.line[1].slope;
    ck_close(s.line[1].rss / 3 / 10, b, 1e-12, 0);
    ck_close(s.pair[0].se, sqrt(a + b), 1e-12, 0);
    ck_close(s.equal_slopes.statistic, d * d / (a + b), 1e-10, 0);
    ck_close(s.equal_slopes.df2, (a + b) * (a + b) / (a * a / 2 + b * b / 3), 1e-10, 0);
    ck_close(s.equal_slopes.p_value, s.pair[0].p_value, 1e-9, 0);
    ws_slopes_free(&s);
}
END_TEST

/* Five groups of one slope, six points each, the last spreads four times as much: intervals of the differences from it
 * hold in 93 % and more (79 % by the pooled variance), and equal slopes are refused in 9 % at most (14 %). */
START_TEST(differences_hold_where_a_group_spreads_more)
{
    enum { GROUPS = 5, POINTS = 6, SETS = 3000 };
    sim random = sim_begin(20261127, 19);
    size_t held = 0, pooled_held = 0, pairs = 0, refused = 0;
    for (size_t n = 0; n < SETS; n++) {
        double x[GROUPS * POINTS], y[GROUPS * POINTS];
        size_t group[GROUPS * POINTS];
        ws_slopes s, pooled;
        for (size_t i = 0; i < GROUPS * POINTS; i++) {
            group[i] = i / POINTS;
            x[i] = (double)(i % POINTS);
            y[i] = 8 - 0.8 * x[i] + (group[i] == GROUPS - 1 ? 0.08 : 0.02) * sim_normal(&random);
        }
        ws_compare_slopes_unequal(x, y, group, GROUPS * POINTS, GROUPS, NULL, 0.95, 0, &s, NULL);
        ws_compare_slopes(x, y, group, GROUPS * POINTS, GROUPS, 0.95, 0, &pooled, NULL);
        refused += s.equal_slopes.p_value < 0.05;
        for (size_t p = 0; p < s.n_pairs; p++) {
            bool of_last = s.pair[p].b == GROUPS - 1;
            pairs += of_last;
            held += of_last && s.pair[p].ci_lo <= 0 && 0 <= s.pair[p].ci_hi;
            pooled_held += of_last && pooled.pair[p].ci_lo <= 0 && 0 <= pooled.pair[p].ci_hi;
        }
        ws_slopes_free(&s);
        ws_slopes_free(&pooled);
    }
    ck_assert_msg(held >= 0.93 * (double)pairs && pooled_held < 0.85 * (double)pairs, "%zu and %zu of %zu", held,
                  pooled_held, pairs);
    ck_assert_msg(refused <= 0.09 * SETS, "refused %zu of %d", refused, SETS);
}
END_TEST

/* Errors that are given, with their degrees of freedom: Welch's t by hand; an error of 0 is none, and the residuals
 * stand. */
START_TEST(two_groups_by_given_errors)
{
    const double x[] = {0, 1, 2, 3, 0, 1, 2, 3, 4}, y[] = {0, 1.1, 1.9, 3.1, 1, 4, 4, 8, 8};
    const size_t group[] = {0, 0, 0, 0, 1, 1, 1, 1, 1};
    const ws_slope_error own[] = {{0.3, 1.5}, {0.4, 2.5}}, one_without[] = {{0.3, 1.5}, {0, 0}};
    ws_slopes s;
    ck_assert_int_eq(ws_compare_slopes_unequal(x, y, group, 9, 2, own, 0.95, 0, &s, NULL), WS_OK);
    double d = s.line[0].slope - s.line[1].slope, df = 0.0625 / (0.0081 / 1.5 + 0.0256 / 2.5);
    ck_close(s.pair[0].se, 0.5, 1e-12, 0);
    ck_close(s.equal_slopes.statistic, d * d / 0.25, 1e-10, 0);
    ck_close(s.equal_slopes.df2, df, 1e-10, 0);
    ck_close(s.coincident.p_value, 2 * fmin(s.equal_slopes.p_value, s.equal_intercepts.p_value), 1e-12, 0);
    ws_slopes_free(&s);
    ck_assert_int_eq(ws_compare_slopes_unequal(x, y, group, 9, 2, one_without, 0.95, 0, &s, NULL), WS_OK);
    ck_close(s.line[0].se, sqrt(s.line[0].rss / 2 / 5), 1e-12, 0);
    ws_slopes_free(&s);
}
END_TEST

/* y = 3 + x / 2 over 1 to 64 with errors of 2 % of y, three groups: by the errors that a line has by default equal
 * slopes are refused in 7 % at most, by the residuals alone in more than 30 %. A slope a tenth steeper is told apart in
 * half and more. */
START_TEST(equal_slopes_where_errors_grow_with_y)
{
    enum { GROUPS = 3, POINTS = 7, SETS = 2000 };
    sim random = sim_begin(20261127, 41);
    size_t refused = 0, by_residuals = 0, steeper = 0, one_line = 0;
    for (size_t n = 0; n < SETS; n++) {
        double x[GROUPS * POINTS], y[GROUPS * POINTS], tilted[GROUPS * POINTS];
        size_t group[GROUPS * POINTS];
        ws_slope_error own[GROUPS], own_tilted[GROUPS];
        ws_slopes s;
        for (size_t i = 0; i < GROUPS * POINTS; i++) {
            double error = exp(0.02 * sim_normal(&random));
            group[i] = i / POINTS;
            x[i] = ldexp(1, (int)(i % POINTS));
            y[i] = (3 + x[i] / 2) * error;
            tilted[i] = (3 + x[i] * (group[i] ? 0.5 : 0.55)) * error;
        }
        for (size_t g = 0; g < GROUPS; g++) {
            ws_fit line;
            ck_assert_int_eq(
                ws_fit_line_of_means(x + g * POINTS, y + g * POINTS, POINTS, NULL, 0.95, &line, NULL, NULL), WS_OK);
            own[g] = (ws_slope_error){line.estimate[1].se, line.df};
            ck_assert_int_eq(
                ws_fit_line_of_means(x + g * POINTS, tilted + g * POINTS, POINTS, NULL, 0.95, &line, NULL, NULL),
                WS_OK);
            own_tilted[g] = (ws_slope_error){line.estimate[1].se, line.df};
        }
        ws_compare_slopes_unequal(x, y, group, GROUPS * POINTS, GROUPS, own, 0.95, 0, &s, NULL);
        refused += s.equal_slopes.p_value < 0.05;
        one_line += s.coincident.p_value < 0.05;
        ws_slopes_free(&s);
        ws_compare_slopes_unequal(x, y, group, GROUPS * POINTS, GROUPS, NULL, 0.95, 0, &s, NULL);
        by_residuals += s.equal_slopes.p_value < 0.05;
        ws_slopes_free(&s);
        ws_compare_slopes_unequal(x, tilted, group, GROUPS * POINTS, GROUPS, own_tilted, 0.95, 0, &s, NULL);
        steeper += s.equal_slopes.p_value < 0.05;
        ws_slopes_free(&s);
    }
    ck_assert_msg(refused <= 0.07 * SETS && one_line <= 0.07 * SETS && by_residuals >= 0.3 * SETS &&
                      steeper >= 0.5 * SETS,
                  "refused %zu, one line %zu, by the residuals %zu, of a tenth steeper %zu of %d", refused, one_line,
                  by_residuals, steeper, SETS);
}
END_TEST

TEST_MAIN("fit groups", two_groups_by_their_own_variances, differences_hold_where_a_group_spreads_more,
          two_groups_by_given_errors, equal_slopes_where_errors_grow_with_y, slopes_that_differ, slopes_that_do_not,
          two_printed_slopes, many_groups_against_their_mean, holm_by_hand, nothing_to_compare)
