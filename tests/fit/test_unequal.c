/* Standard errors that allow for unequal errors: against their definitions with full matrices or plain sums, and where
 * they must agree with ordinary ones. */
#include "fit/fit.h"
#include "fit/laws/laws.h"
#include "fit/linear/variance_models.h"
#include "fit/linear/weighted.h"
#include "fit/estimate.h"
#include "tests/fit/simulate.h"
#include "tests/harness.h"

#include <math.h>
#include <string.h>

enum { MOST = 12 };

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

static double squares_about(const double *x, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

/* HC2 of the slope under the working variances y^-power of the fit, with C = I - H and G = C W C written out. */
static void hc2_of_slope(const double *x, const double *residual, size_t n, double exponent, double power, double *se,
                         double *df)
{
    double mean = mean_of(x, n), squares = squares_about(x, n, mean), c[MOST][MOST], g[MOST][MOST], a[MOST];
    double variance = 0, expected = 0, spread = 0, wanted = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            c[i][j] = (i == j ? 1 : 0) - 1 / (double)n - (x[i] - mean) * (x[j] - mean) / squares;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            g[i][j] = 0;
            for (size_t k = 0; k < n; k++)
                g[i][j] += c[i][k] * exp(-power * exponent * x[k]) * c[k][j];
        }
    for (size_t i = 0; i < n; i++) {
        double share = (x[i] - mean) / squares;
        a[i] = share * share / c[i][i];
        variance += a[i] * residual[i] * residual[i];
        wanted += share * share * exp(-power * exponent * x[i]);
        expected += a[i] * g[i][i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            spread += a[i] * a[j] * g[i][j] * g[i][j];
    *se = sqrt(variance * fmax(1, wanted / expected));
    *df = fmin(fmax(expected * expected / spread, 1), (double)n - 2);
}

START_TEST(a_power_law_is_hc2_of_a_working_model)
{
    enum { N = 5 };
    const double x[N] = {1, 2, 4, 8, 16}, y[N] = {100, 52, 31, 16.5, 9.1};
    double ln_x[N], residual[N], se, df;
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_powerlaw_unequal(x, y, N, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, N, 0.95, &plain, NULL, NULL), WS_OK);
    for (size_t i = 0; i < N; i++)
        ln_x[i] = log(x[i]);
    hc2_of_slope(ln_x, residual, N, fit.estimate[0].value, 0.1, &se, &df);
    ck_assert_double_eq_tol(fit.estimate[0].se, se, 1e-12 * se);
    ck_assert_double_eq_tol(fit.estimate[0].df, df, 1e-12 * df);
    ck_assert_double_eq(fit.estimate[1].df, fit.estimate[0].df);
    for (size_t i = 0; i < fit.n_estimates; i++)
        ck_assert_double_eq(fit.estimate[i].value, plain.estimate[i].value);
    ck_assert_double_eq(fit.sigma, plain.sigma);
}
END_TEST

/* The widest gap is 1.5 times an even one, 1.6 times, 3 log(8) / log(16) and 4 log(2) / log(5) times; and 3 times of
 * one that is as far off as can be, which is more than the most that counts. Whether y falls or rises does not matter.
 */
START_TEST(a_gap_moves_the_working_model)
{
    const double even[] = {1, 2, 4, 8, 16}, steep[] = {1, 2, 8, 64}, clusters[] = {1, 2, 4, 16, 32},
                 far_off[] = {8, 12, 16, 128}, farthest[] = {2, 3, 4, 2000}, linear[] = {1, 2, 3, 4, 5},
                 off[] = {1, 1.04, 1.01, 0.99, 1.02};
    const struct {
        const double *x;
        size_t n;
        double exponent, power;
    } cases[] = {{even, 5, -0.7, 0.1},      {even, 5, 0.7, 0.1},
                 {steep, 4, -0.7, 0.5},     {clusters, 5, 0.7, 0.58},
                 {clusters, 5, -0.7, 0.58}, {far_off, 4, -0.7, 0.8 * 3 * log(8) / log(16) - 0.7},
                 {farthest, 4, 0.1, 1.25},  {linear, 5, -0.7, 0.8 * 4 * log(2) / log(5) - 0.7}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double ln_x[5], y[5], residual[5], se, df;
        ws_fit fit, plain;
        for (size_t i = 0; i < cases[c].n; i++)
            y[i] = off[i];
        ck_assert_int_eq(ws_fit_powerlaw(cases[c].x, y, cases[c].n, 0.95, &plain, residual, NULL), WS_OK);
        for (size_t i = 0; i < cases[c].n; i++) /* so that the exponent comes out exactly */
            y[i] = off[i] * pow(cases[c].x[i], cases[c].exponent - plain.estimate[0].value);
        ck_assert_int_eq(ws_fit_powerlaw_unequal(cases[c].x, y, cases[c].n, 0.95, &fit, residual, NULL), WS_OK);
        for (size_t i = 0; i < cases[c].n; i++)
            ln_x[i] = log(cases[c].x[i]);
        hc2_of_slope(ln_x, residual, cases[c].n, fit.estimate[0].value, cases[c].power, &se, &df);
        ck_assert_msg(fabs(fit.estimate[0].se - se) < 1e-11 * se, "case %zu: %g, not %g", c, fit.estimate[0].se, se);
        ck_assert_double_eq_tol(fit.estimate[0].df > 0 ? fit.estimate[0].df : fit.df, df, 1e-11 * df);
    }
}
END_TEST

static const double counts[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
enum { N_COUNTS = 7, N_AVERAGED = 9 }; /* few, which have a prior of their own, and more */

/* C = I - H of the rows (1, x) times the root of the weights, written out. */
static void rest_matrix(const double *x, const double *weight, size_t n, double c[MOST][MOST])
{
    double sum = 0, mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += weight[i];
    for (size_t i = 0; i < n; i++)
        mean += weight[i] * x[i] / sum;
    for (size_t i = 0; i < n; i++)
        squares += weight[i] * (x[i] - mean) * (x[i] - mean);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            c[i][j] = (i == j) - sqrt(weight[i] * weight[j]) * (1 / sum + (x[i] - mean) * (x[j] - mean) / squares);
}

/* The slope's standard error for errors in proportion to y and its degrees of freedom: with r = C of the rows with the
 * weights |y|^-power times y / those roots, u = r'r / tr(C D), and df = tr(C D)^2 / tr(C D C D), D = |y|^(2 - power).
 */
static double proportional_error(const double *x, const double *y, size_t n, double power, double *df)
{
    double mean = mean_of(x, n), squares = squares_about(x, n, mean), sum = 0, rss = 0, trace = 0, square = 0;
    double weight[MOST], c[MOST][MOST], d[MOST];
    for (size_t i = 0; i < n; i++) {
        weight[i] = pow(fabs(y[i]), -power);
        d[i] = weight[i] * y[i] * y[i];
    }
    rest_matrix(x, weight, n, c);
    for (size_t i = 0; i < n; i++) {
        double residual = 0, part = (x[i] - mean) / squares * y[i];
        for (size_t j = 0; j < n; j++) {
            residual += c[i][j] * sqrt(weight[j]) * y[j];
            square += c[i][j] * d[j] * c[j][i] * d[i];
        }
        rss += residual * residual;
        trace += c[i][i] * d[i];
        sum += part * part;
    }
    *df = trace * trace / square;
    return sqrt(rss / trace * sum);
}

/* By the residual alone, whose size is that of m'e with m normal to (1, ln x): V(m'e) = sum m_i^2 V(ln y_i). */
static double three_of_one_size(const double *x, const double *y, const double *residual)
{
    double l[3], m[3], length = 0, of_m = 0, of_share = 0, rss = 0;
    for (size_t i = 0; i < 3; i++)
        l[i] = log(x[i]);
    double mean = mean_of(l, 3), squares = squares_about(l, 3, mean);
    for (size_t i = 0; i < 3; i++) {
        m[i] = l[(i + 1) % 3] - l[(i + 2) % 3];
        length += m[i] * m[i];
    }
    for (size_t i = 0; i < 3; i++) {
        double share = (l[i] - mean) / squares;
        of_m += m[i] * m[i] / length / (y[i] * y[i]);
        of_share += share * share / (y[i] * y[i]);
        rss += residual[i] * residual[i];
    }
    return sqrt(rss / of_m * of_share);
}

/* Three points leave one residual, which says nothing of where errors are large: the larger of two errors, t(1). */
START_TEST(a_power_law_of_three_points_has_the_larger_of_two_errors)
{
    const double x[] = {1, 2, 200}, y[] = {100, 58, 1.45}, level[] = {58, 61, 55};
    double residual[3];
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_powerlaw_unequal(x, y, 3, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 3, 0.95, &plain, NULL, NULL), WS_OK);
    double se = three_of_one_size(x, y, residual);
    ck_assert_double_gt(se, 5 * plain.estimate[0].se);
    ck_assert_double_eq_tol(fit.estimate[0].se, se, 1e-11 * se);
    ck_assert_double_eq_tol(fit.estimate[0].df, 1, 1e-9);
    ck_assert_double_eq(fit.estimate[0].value, plain.estimate[0].value);
    ck_assert_int_eq(ws_fit_powerlaw_unequal(x, level, 3, 0.95, &fit, residual, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, level, 3, 0.95, &plain, NULL, NULL), WS_OK);
    se = fmax(three_of_one_size(x, level, residual), plain.estimate[0].se);
    ck_assert_double_eq_tol(fit.estimate[0].se, se, 1e-11 * se); /* values nearly alike: nearly the same error */
    ck_assert_double_lt(fit.estimate[0].se, 1.1 * plain.estimate[0].se);
}
END_TEST

/* The exponent of x = 1, 1, 1, 5 is the last point's alone: no residual tells how far it is off. */
START_TEST(a_point_that_settles_the_exponent_keeps_ordinary_errors)
{
    const double x[] = {1, 1, 1, 5}, y[] = {2, 2.2, 1.9, 7};
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_powerlaw_unequal(x, y, 4, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_powerlaw(x, y, 4, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_eq(fit.estimate[0].se, plain.estimate[0].se);
    ck_assert_double_eq(fit.estimate[0].df, 0);
    ck_assert_double_eq(fit.estimate[0].ci_hi, plain.estimate[0].ci_hi);
}
END_TEST

enum { ONE = 1, AVERAGED = 13 };

/* The errors that a few points are judged by, written out: weights of 13 models by their restricted
 * likelihoods, and the standard error of the slope by each. */
static void models_of_slope(const double *x, const double *y, size_t n, double *weight, double *se)
{
    double mean = mean_of(x, n), squares = squares_about(x, n, mean), most = 0, smallest = INFINITY, second = INFINITY;
    double top = -INFINITY, sum = 0, likelihood[AVERAGED], c[MOST][MOST], w[MOST];
    const double one_size = n < 8 ? 0.35 : 0.1, in_proportion = n < 8 ? 0.55 : 0.7;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(y[i]));
        second = fmin(second, fmax(smallest, fabs(y[i])));
        smallest = fmin(smallest, fabs(y[i]));
    }
    for (size_t m = 0; m < AVERAGED; m++) {
        double growth = 0.1 / (most * most) * pow(100 * most * most / (second * second), ((double)m - 1) / 10);
        double rss = 0, of_b = 0, logs = 0, a = 0, b = 0, d = 0;
        for (size_t i = 0; i < n; i++) {
            double v = m == 0 ? 1 : m == AVERAGED - 1 ? y[i] * y[i] : 1 + growth * y[i] * y[i];
            w[i] = 1 / v;
            logs += log(v);
            a += w[i];
            b += w[i] * x[i];
            d += w[i] * x[i] * x[i];
            of_b += pow((x[i] - mean) / squares, 2) * v;
        }
        rest_matrix(x, w, n, c);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                rss += sqrt(w[i] * w[j]) * y[i] * c[i][j] * y[j];
        likelihood[m] = -0.5 * ((double)(n - 2) * log(rss) + logs + log(a * d - b * b));
        se[m] = sqrt(rss / (double)(n - 2) * of_b);
        top = fmax(top, likelihood[m]);
    }
    for (size_t m = 0; m < AVERAGED; m++) {
        double between = (1 - one_size - in_proportion) / 11;
        weight[m] = exp(likelihood[m] - top) * (m == 0 ? one_size : m == AVERAGED - 1 ? in_proportion : between);
        sum += weight[m];
    }
    for (size_t m = 0; m < AVERAGED; m++)
        weight[m] /= sum;
}

static double average_beyond(const double *weight, const double *se, double half, double df)
{
    double share = 0;
    for (size_t m = 0; m < AVERAGED; m++)
        share += weight[m] * ws_student_two_sided(half / se[m], df);
    return share;
}

/* Values that are not of one sign have no relative errors; negative ones have. */
START_TEST(values_about_zero_have_ordinary_errors)
{
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {-2, 0, 0.1, 2, 3.8, 6.2};
    double below[N_COUNTS], weight[AVERAGED], se[AVERAGED];
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_line_unequal(x, y, 6, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, 6, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_eq(fit.estimate[1].se, plain.estimate[1].se);
    ck_assert_double_eq(fit.estimate[0].ci_lo, plain.estimate[0].ci_lo);
    for (size_t i = 0; i < N_COUNTS; i++)
        below[i] = -20 - 0.9 * counts[i] - sin((double)i) * counts[i] / 20;
    ck_assert_int_eq(ws_fit_line_unequal(counts, below, N_COUNTS, 0.95, &fit, NULL, NULL), WS_OK);
    models_of_slope(counts, below, N_COUNTS, weight, se);
    ck_assert_double_eq_tol(average_beyond(weight, se, fit.estimate[1].ci_hi - fit.estimate[1].value, N_COUNTS - 2),
                            0.05, 1e-8);
}
END_TEST

/* Ratios 1.1 and 0.9 have the variance 0.02 about 1. Slope sum xy / 5: in proportion to y its variance is 0.02 (1.1^2 +
 * 3.6^2) / 5^2; ratio of sums 2.9 / 3: 0.02 (1.1^2 + 1.8^2) / 3^2. Both are above those of errors of one size, 0.032 /
 * 5 and 0.032 2 / 9, and that of the ratio above its own of variances that grow with x. t of one degree of freedom is
 * 12.7062. */
START_TEST(two_points_on_a_line_through_the_origin_have_the_largest_of_the_errors)
{
    const double x[] = {1, 2, 4}, y[] = {1.1, 1.8, 3.6}, of_both_signs[] = {-1.1, 2, 3.6};
    ws_fit fit, plain, line;
    ck_assert_int_eq(ws_fit_origin_unequal(x, y, 2, 0.95, &fit, NULL, NULL), WS_OK);
    double of_slope = sqrt(0.02 * (1.1 * 1.1 + 3.6 * 3.6)) / 5, of_sums = sqrt(0.02 * (1.1 * 1.1 + 1.8 * 1.8)) / 3;
    ck_assert_double_eq_tol(fit.estimate[0].se, of_slope, 1e-14);
    ck_assert_double_eq_tol(fit.estimate[0].ci_hi, 4.7 / 5 + 12.706204736174694 * of_slope, 1e-12);
    ck_assert_double_eq_tol(fit.estimate[1].se, of_sums, 1e-14);
    ck_assert_int_eq(ws_fit_origin_unequal(x, y, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_origin(x, y, 3, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line_unequal(x, y, 3, 0.95, &line, NULL, NULL), WS_OK);
    ck_assert_double_eq(fit.estimate[2].se, plain.estimate[2].se);
    ck_assert_double_eq(fit.estimate[3].ci_hi, line.estimate[1].ci_hi);
    ck_assert_double_eq(fit.estimate[4].p_value, line.estimate[0].p_value);
    for (size_t j = 0; j < 5; j++) {
        ck_assert_str_eq(fit.estimate[j].name, plain.estimate[j].name);
        ck_assert_double_eq(fit.estimate[j].value, plain.estimate[j].value);
    }
    ck_assert_int_eq(ws_fit_origin_unequal(x, of_both_signs, 3, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_origin(x, of_both_signs, 3, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_eq(fit.estimate[0].se, plain.estimate[0].se);
}
END_TEST

/* Three points on a line through the origin leave two residuals, and the average of the models is that of a line, with
 * one coefficient: rss about the slope with the weights, their sum of x^2 for the determinant, Student's t of 2. */
START_TEST(errors_of_slopes_through_the_origin_are_averaged)
{
    enum { N = 3 };
    const double x[N] = {1, 2, 4}, y[N] = {1.1, 2, 3.6}, least = 2, most = 3.6;
    double weight[AVERAGED], se[2][AVERAGED], sum = 0;
    ws_fit fit;
    for (size_t m = 0; m < AVERAGED; m++) {
        double growth = 0.1 / (most * most) * pow(100 * most * most / (least * least), ((double)m - 1) / 10);
        double xx = 0, xy = 0, rss = 0, product = 1, of_slope = 0, of_sums = 0;
        for (size_t i = 0; i < N; i++) {
            double v = m == 0 ? 1 : m == AVERAGED - 1 ? y[i] * y[i] : 1 + growth * y[i] * y[i];
            xx += x[i] * x[i] / v;
            xy += x[i] * y[i] / v;
            product *= v;
            of_slope += pow(x[i] / 21, 2) * v;
            of_sums += v / 49;
        }
        for (size_t i = 0; i < N; i++) {
            double v = m == 0 ? 1 : m == AVERAGED - 1 ? y[i] * y[i] : 1 + growth * y[i] * y[i];
            rss += pow(y[i] - xy / xx * x[i], 2) / v;
        }
        weight[m] = (m == 0 ? 0.35 : m == AVERAGED - 1 ? 0.55 : 0.1 / 11) / (rss * sqrt(product * xx));
        se[0][m] = sqrt(rss / 2 * of_slope);
        se[1][m] = sqrt(rss / 2 * of_sums);
        sum += weight[m];
    }
    for (size_t m = 0; m < AVERAGED; m++)
        weight[m] /= sum;
    ck_assert_int_eq(ws_fit_origin_unequal(x, y, N, 0.95, &fit, NULL, NULL), WS_OK);
    for (size_t j = 0; j < 2; j++)
        ck_assert_double_eq_tol(average_beyond(weight, se[j], fit.estimate[j].ci_hi - fit.estimate[j].value, 2), 0.05,
                                1e-8);
}
END_TEST

/* Every row of (1, x) and y times the root of its weight; C = I - H of those rows, written out with the sums of
 * weighted least squares. Estimates and weights that are all alike are those of the fits without. */
START_TEST(a_weighted_line_is_hc2_of_its_scaled_rows)
{
    enum { N = 5 };
    const double x[N] = {0, 1, 2, 3, 4}, y[N] = {5, 4.1, 3.5, 2.2, 1.4}, w[N] = {1, 4, 2, 1, 3},
                 alike[N] = {2, 2, 2, 2, 2};
    const double *const columns[] = {x};
    static const char *const names[] = {"slope"};
    ws_weighting weighting = {.weight = w, .are_rough = true};
    ws_weighted rough, plain;
    double residual[N], c[N][N], a[N], sum = 0, mean = 0, squares = 0, variance = 0, expected = 0, spread = 0;
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, N, &weighting, 0.95, &rough, residual, NULL), WS_OK);
    weighting.are_rough = false;
    ck_assert_int_eq(ws_fit_weighted(columns, names, 1, y, N, &weighting, 0.95, &plain, NULL, NULL), WS_OK);
    for (size_t i = 0; i < N; i++)
        sum += w[i];
    for (size_t i = 0; i < N; i++)
        mean += w[i] * x[i] / sum;
    for (size_t i = 0; i < N; i++)
        squares += w[i] * (x[i] - mean) * (x[i] - mean);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            c[i][j] = (i == j ? 1 : 0) - sqrt(w[i] * w[j]) * (1 / sum + (x[i] - mean) * (x[j] - mean) / squares);
    for (size_t i = 0; i < N; i++) {
        double share = sqrt(w[i]) * (x[i] - mean) / squares;
        a[i] = share * share / c[i][i];
        variance += a[i] * w[i] * residual[i] * residual[i];
        expected += share * share;
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            spread += a[i] * a[j] * c[i][j] * c[i][j];
    ck_assert_double_eq(rough.fit.estimate[1].value, plain.fit.estimate[1].value);
    ck_assert_double_eq_tol(rough.fit.estimate[1].se, sqrt(variance), 1e-13);
    ck_assert_double_eq_tol(rough.fit.estimate[1].df, expected * expected / spread, 1e-11);
    ck_assert(fabs(rough.fit.estimate[1].se / plain.fit.estimate[1].se - 1) > 0.01);
    weighting = (ws_weighting){.weight = alike, .are_rough = true};
    double ln_x[N], ln_y[N], grown_x[N], grown_y[N];
    for (size_t i = 0; i < N; i++) {
        grown_x[i] = counts[i];
        grown_y[i] = exp(y[i]);
        ln_x[i] = log(grown_x[i]);
        ln_y[i] = log(grown_y[i]);
    }
    const double *const log_columns[] = {ln_x};
    ws_fit powerlaw;
    ck_assert_int_eq(ws_fit_weighted(log_columns, names, 1, ln_y, N, &weighting, 0.95, &rough, NULL, NULL), WS_OK);
    double rest[N], se, df;
    ck_assert_int_eq(ws_fit_powerlaw_unequal(grown_x, grown_y, N, 0.95, &powerlaw, rest, NULL), WS_OK);
    hc2_of_slope(ln_x, rest, N, 0, 0, &se, &df);
    ck_assert_double_eq_tol(rough.fit.estimate[1].se, se, 1e-12);
    ck_assert_double_eq_tol(rough.fit.estimate[1].df, df, 1e-10);
}
END_TEST

/* Means of 5, 5, 5, 5 and 1 runs: by the definition, E rss = sum (1 - h_i)(c + r / n_i) solved for c, and the variance
 * of the slope sum s_i^2 (c + r / n_i); y of both signs, which has no errors in proportion. Of as many runs of each
 * nothing changes, in any digit. */
START_TEST(means_of_unequal_numbers_of_runs_vary_unequally)
{
    enum { N = 5 };
    const double x[N] = {1, 2, 4, 8, 16}, y[N] = {-6, -4, -3.5, 1.5, 8}, R = 9, DF = 16;
    const size_t falls[N] = {5, 5, 5, 5, 1}, even[N] = {3, 3, 3, 3, 3};
    ws_replication runs = {.count = falls, .variance = R, .relative = NAN, .df = DF};
    double mean = mean_of(x, N), squares = squares_about(x, N, mean), rest = 0, all = 0, residual[N];
    ws_fit fit, plain;
    ck_assert_int_eq(ws_fit_line_unequal(x, y, N, 0.95, &plain, residual, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line_of_means(x, y, N, &runs, 0.95, &fit, NULL, NULL), WS_OK);
    for (size_t i = 0; i < N; i++)
        rest += (1 - 1. / N - (x[i] - mean) * (x[i] - mean) / squares) / (double)falls[i];
    double c = (plain.rss - R * rest) / 3, one = plain.rss / 3 / squares;
    for (size_t i = 0; i < N; i++)
        all += pow((x[i] - mean) / squares, 2) * (c + R / (double)falls[i]);
    ck_assert_double_gt(all, 1.5 * one);
    ck_assert_double_eq_tol(fit.estimate[1].se, sqrt(all), 1e-12);
    double alone = R * rest / 3 / squares; /* no residuals make `one` less than that but by chance, as here */
    ck_assert_double_gt(alone, 1.1 * one);
    ck_assert_double_eq_tol(fit.estimate[1].df,
                            pow(alone + all - one, 2) / (alone * alone / 3 + (all - one) * (all - one) / DF), 1e-9);
    ck_assert_double_eq(fit.estimate[1].value, plain.estimate[1].value);
    runs.count = even;
    ck_assert_int_eq(ws_fit_line_of_means(x, y, N, &runs, 0.95, &fit, NULL, NULL), WS_OK);
    for (size_t j = 0; j < 2; j++) {
        ck_assert_double_eq(fit.estimate[j].se, plain.estimate[j].se);
        ck_assert_double_eq(fit.estimate[j].ci_lo, plain.estimate[j].ci_lo);
        ck_assert_double_eq(fit.estimate[j].df, 0);
    }
}
END_TEST

/* Amdahl's law of y itself is a line in 1/x, a + b / x with T1 = a + b and s = a / T1: standard errors of T1 by the
 * same definition with the shares of a + b, and of s by the delta method. */
START_TEST(a_law_of_unequal_numbers_of_runs_is_its_tangent)
{
    enum { N = 6 };
    const double x[N] = {1, 2, 4, 8, 16, 32}, y[N] = {100, 52, 29, 14.5, 9, 5.5}, R = 4, DF = 20;
    const size_t falls[N] = {5, 5, 5, 5, 5, 1};
    const ws_replication runs = {.count = falls, .variance = R, .relative = NAN, .df = DF};
    ws_law_input in = {.x = x, .y = y, .n = N, .level = 0.95};
    ws_fit fit, plain;
    double inverse[N], one = 0, all = 0, rest = 0, alone = 0;
    ck_assert_int_eq(ws_fit_amdahl(&in, &plain, NULL, NULL), WS_OK);
    in.replication = &runs;
    ck_assert_int_eq(ws_fit_amdahl(&in, &fit, NULL, NULL), WS_OK);
    for (size_t i = 0; i < N; i++)
        inverse[i] = 1 / x[i];
    double mean = mean_of(inverse, N), squares = squares_about(inverse, N, mean);
    for (size_t i = 0; i < N; i++)
        rest += (1 - 1. / N - pow(inverse[i] - mean, 2) / squares) / (double)falls[i] / (N - 2);
    double v = plain.rss / (N - 2), time = plain.estimate[0].value, s = plain.estimate[1].value;
    for (size_t i = 0; i < N; i++) {
        double slope = (inverse[i] - mean) / squares, cut = 1. / N - mean * slope;
        double share = ((1 - s) * cut - s * slope) / time; /* of d(a / (a + b)) */
        one += v * share * share;
        alone += R * rest * share * share; /* less than that no residuals make `one` but by chance, as here */
        all += share * share * (v + R * (1 / (double)falls[i] - rest));
    }
    ck_assert_double_eq_tol(plain.estimate[1].se, sqrt(one), 1e-9 * sqrt(one));
    ck_assert_double_gt(all, 1.2 * one);
    ck_assert_double_eq_tol(fit.estimate[1].se, sqrt(all), 1e-9 * sqrt(all));
    ck_assert_double_gt(alone, 1.1 * one);
    ck_assert_double_eq_tol(fit.estimate[1].df,
                            pow(alone + all - one, 2) / (alone * alone / (N - 2) + pow(all - one, 2) / DF), 1e-6);
    ck_assert_double_eq(fit.estimate[1].value, s);
    ck_assert_double_eq_tol(fit.estimate[2].ci_lo, 1 / fit.estimate[1].ci_hi, 1e-12 / fit.estimate[1].ci_hi);
}
END_TEST

/* Of 1, 1, 1 and e^4 the last has 3^2 / (3 + 9) of the squares about the mean 1 of the logarithms; counts that double
 * have 0.45 at most. */
START_TEST(a_count_far_off_decides_the_exponent)
{
    const double far_off[] = {1, 1, 1, exp(4)}, doubling[] = {1, 2, 4, 8}, y[] = {90, 88, 91, 4},
                 level[] = {9, 8, 9, 8};
    ws_test test;
    ws_leverage_in_logs(far_off, y, 4, &test);
    ck_assert_double_eq_tol(test.statistic, 0.75, 1e-14);
    ck_assert_ptr_nonnull(strstr(test.sentence, "one of 4 points decides 75 % of the exponent"));
    ws_leverage_in_logs(far_off, level, 4, &test);
    ck_assert_str_eq(test.sentence, "");
    ws_leverage_in_logs(doubling, y, 4, &test);
    ck_assert_double_eq_tol(test.statistic, 0.45, 1e-14);
    ck_assert_str_eq(test.sentence, "");
}
END_TEST

/* Over seven counts that span y four thousand times: errors in proportion to y as the smallest y would have them are
 * more than twenty times those of errors of one size, which these are. */
START_TEST(where_y_spans_decades_small_values_do_not_decide)
{
    double x[N_COUNTS], y[N_COUNTS], df;
    static const double off[N_COUNTS] = {2, -1, 1, -2, 0.5, 1.5, -1.5};
    ws_fit fit, plain;
    for (size_t i = 0; i < N_COUNTS; i++) {
        x[i] = ldexp(1, 2 * (int)i);
        y[i] = x[i] + off[i] / 10;
    }
    ck_assert_int_eq(ws_fit_line_unequal(x, y, N_COUNTS, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, N_COUNTS, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_gt(proportional_error(x, y, N_COUNTS, 2, &df), 20 * plain.estimate[1].se);
    ck_assert_double_gt(fit.estimate[1].se, plain.estimate[1].se);
    ck_assert_double_lt(fit.estimate[1].se, 2 * plain.estimate[1].se);
}
END_TEST

/* What lies outside of the interval is 5 % on the average of the models, and p is by the same: of 9, 8, 7 and 3 points.
 */
START_TEST(errors_are_averaged_over_models)
{
    static const double grows[N_AVERAGED] = {20.9, 22.3, 23.6, 28.8, 35.1, 53.0, 83.1, 149, 271},
                        one_size[N_AVERAGED] = {21.3, 21.8, 24.2, 27.9, 36.1, 51.8, 84.2, 147.9, 276.1};
    double weight[AVERAGED], se[AVERAGED];
    ws_fit fit;
    static const size_t points[] = {9, 8, 7, 3};
    for (size_t k = 0; k < 8; k++) {
        const double *y = k % 2 ? one_size : grows;
        size_t n = points[k / 2];
        double level = k ? 0.95 : 0.9;
        ck_assert_int_eq(ws_fit_line_unequal(counts, y, n, level, &fit, NULL, NULL), WS_OK);
        models_of_slope(counts, y, n, weight, se);
        const ws_estimate *slope = &fit.estimate[ONE];
        double half = slope->ci_hi - slope->value, df = (double)(n - 2);
        ck_assert_double_eq_tol(average_beyond(weight, se, half, df), 1 - level, 1e-8);
        ck_assert_double_eq_tol(slope->p_value / average_beyond(weight, se, slope->value, df), 1, 1e-6);
        ck_assert_double_eq_tol(average_beyond(weight, se, slope->se * ws_student_quantile(0.95, df), df), 0.05, 1e-8);
        ck_assert_double_eq(slope->df, 0);
    }
}
END_TEST

/* Of two models the second weighs next to nothing, and its error is so large that nearly all of its weight lies outside
 * of the interval: it counts down to a weight of 1e-10. */
START_TEST(models_of_little_weight)
{
    static const ws_variance v[] = {{1, 8}, {1e12, 8}};
    for (int k = 2; k <= 10; k++) {
        double weight = pow(10, -k);
        const ws_variance_models models = {.n = 2, .weight = {1 - weight, weight}};
        ws_estimate e = {.value = 0};
        ws_variance_models_infer(&models, v, 8, 0.95, &e);
        double outside =
            (1 - weight) * ws_student_two_sided(e.ci_hi, 8) + weight * ws_student_two_sided(e.ci_hi / 1e6, 8);
        ck_assert_double_eq_tol(outside, 0.05, 1e-11);
    }
}
END_TEST

/* Eleven counts with errors of one size: those of errors in proportion to y are more than twenty times as large. A
 * value of noise below zero changes little. */
START_TEST(likely_errors_count_most)
{
    enum { N = 11 };
    static const double off[N] = {2, -1, 1, -2, 0.5, 1.5, -1.5, 1, -1, 2, -0.5};
    double x[N], y[N], weight[AVERAGED], se[AVERAGED];
    ws_fit fit, plain;
    for (size_t below = 0; below < 2; below++) {
        for (size_t i = 0; i < N; i++) {
            x[i] = ldexp(1, (int)i);
            y[i] = x[i] + off[i] / 10;
        }
        models_of_slope(x, y, N, weight, se);
        y[0] = below ? -0.3 : y[0];
        ck_assert_int_eq(ws_fit_line_unequal(x, y, N, 0.95, &fit, NULL, NULL), WS_OK);
        ck_assert_int_eq(ws_fit_line(x, y, N, 0.95, &plain, NULL, NULL), WS_OK);
        ck_assert_double_gt(se[AVERAGED - 1], 20 * plain.estimate[1].se);
        ck_assert_double_gt(fit.estimate[1].se, plain.estimate[1].se);
        ck_assert_double_lt(fit.estimate[1].se, 2.5 * plain.estimate[1].se);
    }
}
END_TEST

/* HC2 of a coefficient, and with the working variances w of the errors its factor and degrees of freedom. */
static double hc2_half_width(const double *x, const double *y, const double *w, size_t n)
{
    enum { N = 30 };
    static double c[N][N], g[N][N];
    double a[N], mean = mean_of(x, n), squares = squares_about(x, n, mean), intercept = mean_of(y, n), slope = 0;
    double variance = 0, wanted = 0, expected = 0, spread = 0;
    for (size_t i = 0; i < n; i++)
        slope += (x[i] - mean) / squares * y[i];
    intercept -= slope * mean;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            c[i][j] = (i == j) - 1 / (double)n - (x[i] - mean) * (x[j] - mean) / squares;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            g[i][j] = 0;
            for (size_t k = 0; k < n; k++)
                g[i][j] += c[i][k] * w[k] * c[k][j];
        }
    for (size_t i = 0; i < n; i++) {
        double share = (x[i] - mean) / squares, residual = y[i] - intercept - slope * x[i];
        a[i] = share * share / c[i][i];
        variance += a[i] * residual * residual;
        wanted += share * share * w[i];
        expected += a[i] * g[i][i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            spread += a[i] * a[j] * g[i][j] * g[i][j];
    return sqrt(variance * fmax(1, wanted / expected)) *
           ws_student_quantile(0.95, fmin(expected * expected / spread, (double)n - 2));
}

/* Thirty points have residuals enough: HC2, with the larger of the critical values of both kinds of errors. By the
 * smallest y the interval was three times as wide as that of errors of one size. */
START_TEST(a_line_through_many_points_is_hc2)
{
    enum { N = 30 };
    double x[N], y[N], alike[N], squares[N];
    ws_fit fit, plain, sorted;
    sim s = sim_begin(20261128, 3);
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)i + 1;
        y[i] = x[i] / 4 + 0.02 * sim_normal(&s);
        alike[i] = 1;
        squares[i] = y[i] * y[i];
    }
    ck_assert_int_eq(ws_fit_line_unequal(x, y, N, 0.95, &fit, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_line(x, y, N, 0.95, &plain, NULL, NULL), WS_OK);
    double half = fmax(hc2_half_width(x, y, alike, N), hc2_half_width(x, y, squares, N));
    ck_assert_double_eq_tol(fit.estimate[1].ci_hi - fit.estimate[1].value, half, 1e-9 * half);
    ck_assert_double_lt(half, 1.3 * (plain.estimate[1].ci_hi - plain.estimate[1].value));
    ck_assert_int_eq(ws_fit_origin_unequal(x, y, N, 0.95, &sorted, NULL, NULL), WS_OK);
    ck_assert_int_eq(ws_fit_origin(x, y, N, 0.95, &plain, NULL, NULL), WS_OK);
    ck_assert_double_lt(sorted.estimate[0].se, 1.3 * plain.estimate[0].se);
    ck_assert_double_lt(sorted.estimate[1].se,
                        1.6 * plain.estimate[1].se); /* whose own errors are in proportion to x */
}
END_TEST

TEST_MAIN("unequal errors", where_y_spans_decades_small_values_do_not_decide, errors_are_averaged_over_models,
          models_of_little_weight, likely_errors_count_most, a_line_through_many_points_is_hc2,
          a_count_far_off_decides_the_exponent, means_of_unequal_numbers_of_runs_vary_unequally,
          a_law_of_unequal_numbers_of_runs_is_its_tangent, a_weighted_line_is_hc2_of_its_scaled_rows,
          two_points_on_a_line_through_the_origin_have_the_largest_of_the_errors,
          errors_of_slopes_through_the_origin_are_averaged, a_power_law_is_hc2_of_a_working_model,
          a_gap_moves_the_working_model, a_power_law_of_three_points_has_the_larger_of_two_errors,
          a_point_that_settles_the_exponent_keeps_ordinary_errors, values_about_zero_have_ordinary_errors)
