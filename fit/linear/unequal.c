/* Standard errors that hold whether errors are of one size or in proportion to y: the defaults of `wattscale fit`,
 * chosen by no test on the data. The coefficients are those of ordinary least squares, b = sum s_i y_i; e are its
 * residuals, h its leverages.
 *
 * A line: the larger of two standard errors, both with n - 2 degrees of freedom,
 *
 *     errors of one size        V(b) = v sum s_i^2,       v from ordinary residuals, sum e_i^2 / (n - 2)
 *     errors in proportion to y V(b) = u sum s_i^2 y_i^2, u from those of the line with weights 1 / y^2
 *
 * Where y is not of one sign the first stands alone. The first is too small where one point decides the slope and its
 * error is the largest, as of the largest of GPU counts that double.
 *
 * Lines through the origin, b = sum w x y / sum w x^2: the same two with n - 1 degrees of freedom, where u is the
 * variance of the ratios y / x over the square of their mean.
 *
 * Where points are means of unequal numbers of runs each of these variances is that of ws_variance_of_means (means.h),
 * which the mean of few runs cannot mislead: with errors in proportion to y by the shares of y that runs differ by.
 *
 * A power law, in logarithms, where errors may grow or shrink with x: HC2, made unbiased and with Satterthwaite's
 * degrees of freedom under one working model of the errors, which lies between those of one size in ln y and of one
 * size in y, as Bell and McCaffrey 2002, Survey Methodology 28, do under the former; on few points see Imbens and
 * Kolesar 2016, Review of Economics and Statistics 98:
 *
 *     V(b) = f sum a_i e_i^2,  a_i = s_i^2 / (1 - h_i),  w_i = y_i^-t of the fit,  G = C W C,  C = I - H,  W = diag(w)
 *     f = sum s_i^2 w_i / sum a_i G_ii, 1 at least,      df = (sum a_i G_ii)^2 / sum_ij a_i a_j G_ij^2
 *
 * with t = 0.1 + 0.8 (g - 1), 1.25 at most, where g is how many times as far apart the two neighbouring x with the
 * widest gap lie as the same number of even ones would: 1 for counts that double. Where errors are of one size in y (t
 * = 2) those of the smallest y are many times the others' in ln y; they decide how many residuals count, and beyond a
 * gap HC2, which shares the expected squares out as if all were alike, leaves little of them. The model is fixed by the
 * x: no test on the data chooses it, and y enters through the fitted exponent alone.
 *
 * C_ij = [i = j] - q_i' q_j with q_i row i of an orthonormal basis of the predictors. With v_i = (q_i, w_i q_i), M =
 * sum w_i q_i q_i' and K = (M -I; -I 0), G = W + V K V', so that the sum over pairs is sum a_i^2 w_i^2 + 2 sum a_i^2
 * w_i v_i' K v_i + tr (K P)^2 with P = sum a_i v_i v_i'.
 *
 * Three points leave one residual, which tells how large errors are but not where: HC2 is then the standard error of
 * errors of one variance, and the larger of it and that of errors of one size in y, not in ln y, counts, t(1):
 *
 *     V(b) = v sum s_i^2 / y_i^2,  v = sum e_i^2 / sum (1 - h_i) / y_i^2,  since E e_i^2 = (1 - h_i) V(ln y_i)
 *
 * With weights HC2 of every row times the root of its weight, t = 0: weights from the spreads of a few runs are random,
 * and the plain standard errors of a weighted line take them as known.
 *
 * How often these hold: docs/methods.md. */
#include "fit/linear/unequal.h"

#include "core/arena.h"
#include "fit/estimate.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { P = 2, INTERCEPT = 0, SLOPE = 1 };

/* An orthonormal basis of (1, x), each times the root of the weight: q[0] = root / root of their sum, q[1] = root (x -
 * mean) / length. */
typedef struct basis {
    const double *x, *weight; /* NULL: all 1 */
    size_t n;
    long double mean, length, root_n; /* root of the sum of the weights */
} basis;

static long double weight_at(const basis *b, size_t i)
{
    return b->weight ? b->weight[i] : 1;
}

static basis basis_of(const double *x, const double *weight, size_t n)
{
    basis b = {.x = x, .weight = weight, .n = n};
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weight_at(&b, i);
    for (size_t i = 0; i < n; i++)
        b.mean += weight_at(&b, i) * x[i] / sum;
    for (size_t i = 0; i < n; i++)
        b.length += weight_at(&b, i) * (x[i] - b.mean) * (x[i] - b.mean);
    b.length = sqrtl(b.length);
    b.root_n = sqrtl(sum);
    return b;
}

static void basis_row(const basis *b, size_t i, long double *q)
{
    long double root = sqrtl(weight_at(b, i));
    q[0] = root / b->root_n;
    q[1] = root * (b->x[i] - b->mean) / b->length;
}

/* The share s_i of y_i in a coefficient, of y_i times the root of its weight. */
static long double share_in(const basis *b, const long double *q, size_t coefficient)
{
    return coefficient == SLOPE ? q[1] / b->length : q[0] / b->root_n - b->mean * q[1] / b->length;
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many times as wide as even ones the widest gap between neighbours of the x is; 1 at least. */
static double gap_of(const double *x, size_t n)
{
    double *sorted = ws_realloc(NULL, n, sizeof *sorted), widest = 0;
    size_t distinct = 1;
    memcpy(sorted, x, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_values);
    for (size_t i = 1; i < n; i++) {
        distinct += sorted[i] > sorted[i - 1];
        widest = fmax(widest, sorted[i] - sorted[i - 1]);
    }
    double even = (sorted[n - 1] - sorted[0]) / (double)(distinct - 1);
    free(sorted);
    return fmax(1, widest / even);
}

/* The working variances w_i, the largest 1. NULL with weights, and where three points leave one residual: all 1. */
static long double *working_variances(const double *x, const double *weight, size_t n, double exponent)
{
    static const double EVEN = 0.1, STEEP = 0.8, MOST = 1.25;
    if (weight || n == P + 1)
        return NULL;
    long double *w = ws_realloc(NULL, n, sizeof *w), most = -INFINITY,
                power = -exponent * fmin(EVEN + STEEP * (gap_of(x, n) - 1), MOST);
    for (size_t i = 0; i < n; i++)
        most = fmaxl(most, power * x[i]);
    for (size_t i = 0; i < n; i++)
        w[i] = expl(power * x[i] - most);
    return w;
}

enum { V = 2 * P };

/* v_i' K v_i of the comment above. */
static long double times_k(const long double m[P][P], const long double *v)
{
    long double sum = 0;
    for (size_t r = 0; r < P; r++) {
        sum -= 2 * v[r] * v[P + r];
        for (size_t c = 0; c < P; c++)
            sum += v[r] * m[r][c] * v[c];
    }
    return sum;
}

/* tr (K P)^2. */
static long double trace_of_pairs(const long double m[P][P], const long double p[V][V])
{
    long double kp[V][V] = {{0}}, sum = 0;
    for (size_t c = 0; c < V; c++)
        for (size_t r = 0; r < P; r++) {
            kp[r][c] = -p[P + r][c];
            kp[P + r][c] = -p[r][c];
            for (size_t k = 0; k < P; k++)
                kp[r][c] += m[r][k] * p[k][c];
        }
    for (size_t r = 0; r < V; r++)
        for (size_t c = 0; c < V; c++)
            sum += kp[r][c] * kp[c][r];
    return sum;
}

/* False where a point that alone settles the coefficient leaves no residual to judge its error by. */
static bool judge(const basis *b, const double *residual, const long double *working, size_t coefficient, double *se,
                  double *df)
{
    long double m[P][P] = {{0}}, p[V][V] = {{0}}, v[V], variance = 0, expected = 0, spread = 0, wanted = 0;
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, v);
        for (size_t r = 0; r < P; r++)
            for (size_t c = 0; c < P; c++)
                m[r][c] += (working ? working[i] : 1) * v[r] * v[c];
    }
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, v);
        long double share = share_in(b, v, coefficient), h = v[0] * v[0] + v[1] * v[1], w = working ? working[i] : 1;
        if (!(1 - h > 1e-12L))
            return false;
        long double a = share * share / (1 - h);
        for (size_t r = 0; r < P; r++)
            v[P + r] = w * v[r];
        long double of_pair = times_k(m, v);
        variance += a * weight_at(b, i) * residual[i] * residual[i];
        wanted += share * share * w;
        expected += a * (w + of_pair);
        spread += a * a * w * (w + 2 * of_pair);
        for (size_t r = 0; r < V; r++)
            for (size_t c = 0; c < V; c++)
                p[r][c] += a * v[r] * v[c];
    }
    spread += trace_of_pairs(m, p);
    *se = (double)sqrtl(variance * (working ? fmaxl(1, wanted / expected) : 1));
    *df = spread > 0 ? fmin(fmax((double)(expected * expected / spread), 1), (double)(b->n - P)) : 1;
    return isfinite(*se) && isfinite(*df);
}

/* Of a coefficient where errors of y, not of ln y, are of one size. */
static double error_of_one_size(const basis *b, const double *ln_y, const double *residual, size_t coefficient)
{
    long double q[P], of_share = 0, of_residuals = 0, rss = 0;
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, q);
        long double share = share_in(b, q, coefficient), variance = expl(2 * ((long double)ln_y[0] - ln_y[i]));
        of_share += share * share * variance;
        of_residuals += (1 - q[0] * q[0] - q[1] * q[1]) * variance;
        rss += (long double)residual[i] * residual[i];
    }
    return (double)sqrtl(rss / of_residuals * of_share);
}

void ws_logs_allow_unequal(const double *x, const double *ln_y, const double *weight, const double *residual, size_t n,
                           double level, ws_fit *line)
{
    enum { ONE_RESIDUAL = P + 1 };
    if (line->status != WS_FIT_OK || !(line->df > 0))
        return;
    basis b = basis_of(x, weight, n);
    long double *working = working_variances(x, weight, n, line->estimate[SLOPE].value);
    for (size_t j = 0; j < P; j++) {
        ws_estimate *e = &line->estimate[j];
        double se, df, of_one_size = NAN;
        if (!judge(&b, residual, working, j, &se, &df))
            continue;
        if (n == ONE_RESIDUAL && !weight)
            of_one_size = error_of_one_size(&b, ln_y, residual, j);
        e->se = isfinite(of_one_size) ? fmax(se, of_one_size) : se;
        e->df = df;
        ws_estimate_infer(e, df, level);
    }
    free(working);
}

/* u: the variance of y's relative errors about the line with weights 1 / y^2, whose leverages are given back; NaN where
 * y is not of one sign. */
static double relative_variance(const double *x, const double *y, size_t n, double *leverage)
{
    double *work = ws_alloc((3 * n + 1) * sizeof *work), *one = work + n, *scaled_x = one + n;
    const double *const column[] = {one, scaled_x};
    const char *const name[] = {"intercept", "slope"};
    const ws_ls_input in = {.column = column, .name = name, .p = P, .y = work, .n = n, .level = 0.95};
    ws_ls_detail detail = {.leverage = leverage};
    bool usable = true;
    ws_fit relative;
    for (size_t i = 0; i < n; i++) {
        work[i] = 1;
        one[i] = 1 / y[i];
        scaled_x[i] = x[i] / y[i];
        usable = usable && y[i] * y[0] > 0 && isfinite(one[i]) && isfinite(scaled_x[i]);
    }
    ws_fit_begin(&relative, "line", "centred, weighted", n);
    usable = usable && ws_ls_fit_detail(&in, &relative, NULL, &detail, NULL) == WS_OK && ws_ls_has_values(&relative);
    free(work);
    return usable ? relative.rss / relative.df : NAN;
}

/* Takes another variance where it makes the interval wider. */
static void widen(ws_estimate *e, ws_variance v, double of_fit, double level)
{
    double df = e->df > 0 ? e->df : of_fit, se = sqrt(v.value);
    if (!isfinite(se) || !(se * ws_student_quantile(level, v.df) > e->se * ws_student_quantile(level, df)))
        return;
    e->se = se;
    ws_estimate_take_df(e, v.df, of_fit, level);
}

void ws_line_allow_proportion(const double *x, const double *y, size_t n, const ws_replication *replication,
                              double level, ws_fit *line)
{
    if (line->status != WS_FIT_OK || !(line->df > 0))
        return;
    double *work = ws_alloc((4 * n + 1) * sizeof *work), *relative_leverage = work + n, *square = work + 2 * n,
           *relative_square = work + 3 * n;
    double u = relative_variance(x, y, n, relative_leverage), v = line->rss / line->df;
    double of_run = replication ? replication->variance : 0, of_share = replication ? replication->relative : 0;
    basis b = basis_of(x, NULL, n);
    for (size_t j = 0; j < P; j++) {
        long double q[P], one_size = 0, proportion = 0;
        for (size_t i = 0; i < n; i++) {
            basis_row(&b, i, q);
            long double share = share_in(&b, q, j);
            work[i] = (double)(q[0] * q[0] + q[1] * q[1]);
            square[i] = (double)(share * share);
            relative_square[i] = (double)(share * share * y[i] * y[i]);
            one_size += v * square[i];
            proportion += u * relative_square[i];
        }
        ws_estimate *e = &line->estimate[j];
        ws_variance even = ws_variance_of_means(replication, of_run, square, work, n, (double)one_size, line->df);
        if (even.value > (double)one_size) /* else the standard error of least squares stays, digit for digit */
            widen(e, even, line->df, level);
        if (u > 0)
            widen(e,
                  ws_variance_of_means(replication, of_share, relative_square, relative_leverage, n, (double)proportion,
                                       line->df),
                  line->df, level);
    }
    free(work);
}

/* Of a slope through the origin with the weights x^-power, from v and u as above. */
static void widen_origin(const double *x, const double *y, size_t n, int power, double v, double u,
                         const ws_replication *replication, double of_fit, double level, ws_estimate *e)
{
    double *leverage = ws_alloc((4 * n + 1) * sizeof *leverage), *alike = leverage + n, *square = leverage + 2 * n,
           *relative_square = leverage + 3 * n;
    long double sum = 0, squares = 0, one_size = 0, proportion = 0;
    for (size_t i = 0; i < n; i++) {
        sum += power ? (long double)x[i] : (long double)x[i] * x[i];
        squares += (long double)x[i] * x[i];
    }
    for (size_t i = 0; i < n; i++) {
        long double share = (power ? 1 : (long double)x[i]) / sum;
        leverage[i] = (double)((long double)x[i] * x[i] / squares);
        alike[i] = 1 / (double)n;
        square[i] = (double)(share * share);
        relative_square[i] = (double)(share * share * y[i] * y[i]);
        one_size += v * square[i];
        proportion += u * relative_square[i];
    }
    double of_run = replication ? replication->variance : 0, of_share = replication ? replication->relative : 0;
    widen(e, ws_variance_of_means(replication, of_run, square, leverage, n, (double)one_size, of_fit), of_fit, level);
    if (u > 0)
        widen(e, ws_variance_of_means(replication, of_share, relative_square, alike, n, (double)proportion, of_fit),
              of_fit, level);
    free(leverage);
}

/* The squared variation of the ratios y / x; NaN where they are not all above, or all below, zero. */
static double ratio_variance(const double *x, const double *y, size_t n)
{
    long double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0) || !(y[i] * y[0] > 0))
            return NAN;
        mean += (long double)y[i] / x[i] / (long double)n;
    }
    for (size_t i = 0; i < n; i++)
        squares += ((long double)y[i] / x[i] - mean) * ((long double)y[i] / x[i] - mean);
    return (double)(squares / ((long double)n - 1) / (mean * mean));
}

void ws_origin_allow_proportion(const double *x, const double *y, size_t n, const ws_replication *replication,
                                double level, ws_fit *origin)
{
    enum { RATIO_OF_SUMS = 1 };
    if (origin->status != WS_FIT_OK || !(origin->df > 0))
        return;
    double u = ratio_variance(x, y, n), v = origin->rss / origin->df;
    for (size_t j = 0; j <= RATIO_OF_SUMS; j++)
        if (!isnan(origin->estimate[j].se))
            widen_origin(x, y, n, (int)j, v, u, replication, origin->df, level, &origin->estimate[j]);
}
