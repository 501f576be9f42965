/* Standard errors that hold whether errors are of one size or in proportion to y: the defaults of `wattscale fit`,
 * chosen by no test on the data. The coefficients are those of ordinary least squares, b = sum s_i y_i; e are its
 * residuals, h its leverages.
 *
 * Many points, none of which decides the coefficient, tell by their residuals how large errors are and where: HC2
 * (below) with the larger of the critical values of two working models, errors of one size and errors in proportion to
 * y, where both leave six degrees of freedom or more. It holds whatever the errors depend on (Imbens and Kolesar 2016).
 *
 * Else the interval is averaged over models of the errors (variance_models.c), and of two points on a line through the
 * origin, or of fewer than eight y that are not of one sign, it has the larger of two standard errors:
 *
 *     errors of one size        V(b) = v sum s_i^2,       v from ordinary residuals, sum e_i^2 / (n - 2)
 *     errors in proportion to y V(b) = u sum s_i^2 y_i^2, u from those of the line with weights y^-2
 *
 * The first is too small where one point decides the slope and its error is the largest, as of the largest of GPU
 * counts that double. Where y is not of one sign it stands alone.
 *
 * Lines through the origin, b = sum w x y / sum w x^2: the same with n - 1 degrees of freedom and x in the place of
 * |y|; u is the variance of the ratios y / x over the square of their mean.
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
#include "fit/linear/variance_models.h"
#include "fit/linear/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { P = 2, INTERCEPT = 0, SLOPE = 1 };

/* An orthonormal basis of (1, x), each times the root of the weight: q[0] = root / root of their sum, q[1] = root (x -
 * mean) / length. Through the origin of x alone: q[0] and the mean are 0. */
typedef struct basis {
    const double *x, *weight;         /* NULL: all 1 */
    size_t n, p;                      /* coefficients */
    long double mean, length, root_n; /* root of the sum of the weights */
} basis;

static long double weight_at(const basis *b, size_t i)
{
    return b->weight ? b->weight[i] : 1;
}

static basis basis_of(const double *x, const double *weight, size_t n, size_t p)
{
    basis b = {.x = x, .weight = weight, .n = n, .p = p};
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weight_at(&b, i);
    for (size_t i = 0; p > 1 && i < n; i++)
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
    q[0] = b->p > 1 ? root / b->root_n : 0;
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
    *df = spread > 0 ? fmin(fmax((double)(expected * expected / spread), 1), (double)(b->n - b->p)) : 1;
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
    basis b = basis_of(x, weight, n, P);
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

/* Errors in proportion to `scale`, judged by the residuals of a fit: of sizes that have the variance u scale^2. */
typedef struct proportion {
    double u, df;
} proportion;

/* e_i of y on the rows of the basis. */
static void residuals_of(const basis *b, const double *y, double *residual)
{
    long double q[P], on[P] = {0};
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, q);
        for (size_t r = 0; r < P; r++)
            on[r] += q[r] * sqrtl(weight_at(b, i)) * y[i];
    }
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, q);
        residual[i] = (double)(y[i] - (q[0] * on[0] + q[1] * on[1]) / sqrtl(weight_at(b, i)));
    }
}

/* By the fit with weights scale^-2, whose leverages are leverage[i]. NaN where scales are not all above zero. */
static proportion judge_proportion(const double *x, const double *y, const double *scale, size_t n, size_t p,
                                   double *leverage)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(scale[i] > 0) || !isfinite(scale[i]))
            return (proportion){NAN, NAN};
        most = fmax(most, scale[i]);
    }
    double *weight = ws_alloc((2 * n + 1) * sizeof *weight), *residual = weight + n, of_fit = (double)(n - p);
    long double q[P], rss = 0;
    for (size_t i = 0; i < n; i++)
        weight[i] = pow(scale[i] / most, -2);
    basis b = basis_of(x, weight, n, p);
    residuals_of(&b, y, residual);
    for (size_t i = 0; i < n; i++) {
        basis_row(&b, i, q);
        rss += (long double)weight[i] * residual[i] * residual[i];
        leverage[i] = (double)(q[0] * q[0] + q[1] * q[1]);
    }
    free(weight);
    return (proportion){(double)(rss / (long double)of_fit) / (most * most), of_fit};
}

/* HC2 with the larger of the critical values of the working models; false where few residuals tell of the coefficient.
 */
static bool judge_by_residuals(const basis *b, const double *residual, const long double *const *working, size_t models,
                               size_t coefficient, double level, ws_variance *v)
{
    static const double LEAST = 6; /* degrees of freedom: the interval is a quarter wider than of known errors */
    double widest = 0;
    for (size_t m = 0; m < models; m++) {
        double se, df;
        if (!judge(b, residual, working[m], coefficient, &se, &df) || df < LEAST)
            return false;
        if (se * ws_student_quantile(level, df) < widest)
            continue;
        widest = se * ws_student_quantile(level, df);
        *v = (ws_variance){se * se, df};
    }
    return widest > 0;
}

/* Takes another variance where it makes the interval wider. */
static void widen(ws_estimate *e, ws_variance v, double of_fit, double level)
{
    static const double ROUNDING = 1e-12; /* the same standard error stays as it is, digit for digit */
    double df = e->df > 0 ? e->df : of_fit, se = sqrt(v.value);
    if (!isfinite(se) ||
        !(se * ws_student_quantile(level, v.df) > e->se * ws_student_quantile(level, df) * (1 + ROUNDING)))
        return;
    e->se = se;
    ws_estimate_take_df(e, v.df, of_fit, level);
}

/* working[i] = (y_i / the largest)^2 times the weight. */
static long double *squares_of(const basis *b, const double *scale)
{
    long double *square = ws_alloc((b->n + 1) * sizeof *square), most = 0;
    for (size_t i = 0; i < b->n; i++)
        most = fmaxl(most, weight_at(b, i) * scale[i] * scale[i]);
    for (size_t i = 0; i < b->n; i++)
        square[i] = weight_at(b, i) * scale[i] * scale[i] / most;
    return square;
}

/* |y|, all 0 where y is not of one sign. */
static void sizes_of(const double *y, size_t n, double *size)
{
    bool one_sign = true;
    for (size_t i = 0; i < n; i++)
        one_sign = one_sign && y[i] * y[0] > 0;
    for (size_t i = 0; i < n; i++)
        size[i] = one_sign ? fabs(y[i]) : 0;
}

/* What the standard errors of errors of one size and of errors in proportion to y are made of. */
typedef struct two_kinds {
    const double *y, *magnitude, *leverage;
    double *relative_leverage;
    const ws_replication *replication;
    double v;
    proportion u;
    bool were_weighed;         /* the models, which many points need not */
    ws_variance_models models; /* n is 0: the larger of the two */
} two_kinds;

/* The average of both and of what lies between. What unequal numbers of runs add to the two ends is added to those
 * between, too: the larger share of both. */
static void average_both(const basis *b, const two_kinds *of, size_t coefficient, double of_fit, double level,
                         ws_estimate *e)
{
    const ws_variance_models *models = &of->models;
    const size_t last = models->n - 1;
    double *square = ws_alloc((2 * b->n + 1) * sizeof *square), *relative_square = square + b->n;
    ws_variance v[WS_VARIANCE_MODELS];
    long double q[P];
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, q);
        long double share = share_in(b, q, coefficient) * sqrtl(weight_at(b, i));
        square[i] = (double)(share * share);
        relative_square[i] = square[i] * of->magnitude[i] * of->magnitude[i];
    }
    for (size_t m = 0; m < models->n; m++)
        v[m] = (ws_variance){ws_variance_models_variance(models, m, square, of->magnitude, b->n), of_fit};
    const ws_replication *runs = of->replication;
    const double plain[] = {v[0].value, v[last].value};
    v[0] = ws_variance_of_means(runs, runs ? runs->variance : 0, square, of->leverage, b->n, plain[0], of_fit);
    v[last] = ws_variance_of_means(runs, runs ? runs->relative : 0, relative_square, of->relative_leverage, b->n,
                                   plain[1], of_fit);
    double more = fmax(v[0].value / plain[0], v[last].value / plain[1]);
    if (runs && isnan(runs->relative))
        v[last] = (ws_variance){plain[1] * more, v[0].df};
    for (size_t m = 1; m < last; m++)
        v[m] = (ws_variance){v[m].value * more, fmin(v[0].df, v[last].df)};
    ws_variance_models_infer(models, v, of_fit, level, e);
    free(square);
}

/* The larger of the two, or that which the estimate has. */
static void widen_by_both(const basis *b, const two_kinds *of, size_t coefficient, double of_fit, double level,
                          ws_estimate *e)
{
    double *square = ws_alloc((2 * b->n + 1) * sizeof *square), *relative_square = square + b->n;
    double of_run = of->replication ? of->replication->variance : 0,
           of_share = of->replication ? of->replication->relative : 0;
    long double q[P], one_size = 0, relative = 0;
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, q);
        long double share = share_in(b, q, coefficient) * sqrtl(weight_at(b, i));
        square[i] = (double)(share * share);
        relative_square[i] = (double)(share * share * of->y[i] * of->y[i]);
        one_size += of->v * square[i];
        relative += of->u.u * relative_square[i];
    }
    widen(e, ws_variance_of_means(of->replication, of_run, square, of->leverage, b->n, (double)one_size, of_fit),
          of_fit, level);
    if (of->u.u > 0)
        widen(e,
              ws_variance_of_means(of->replication, of_share, relative_square, of->relative_leverage, b->n,
                                   (double)relative, of->u.df),
              of_fit, level);
    free(square);
}

static void weigh_models(const basis *b, two_kinds *of)
{
    const bool is_one_sign = of->u.u > 0;
    of->were_weighed = true;
    of->models.n = 0;
    if (!is_one_sign && b->n < WS_VARIANCE_MANY)
        return;
    of->models = ws_variance_models_weigh(b->x, of->y, of->magnitude, b->n, b->p);
    if (of->models.n)
        judge_proportion(b->x, of->y, of->magnitude, b->n, b->p, of->relative_leverage);
}

/* By the residuals where they tell of the coefficient, else by the models of the errors, or both kinds. */
static void allow_both(const basis *b, const double *residual, two_kinds *of, const long double *const *working,
                       size_t coefficient, double of_fit, double level, ws_estimate *e)
{
    ws_variance hc2 = {NAN, NAN};
    if (judge_by_residuals(b, residual, working, of->u.u > 0 ? 2 : 1, coefficient, level, &hc2)) {
        e->se = sqrt(hc2.value);
        ws_estimate_take_df(e, hc2.df, of_fit, level);
        return;
    }
    if (!of->were_weighed)
        weigh_models(b, of);
    if (of->models.n)
        average_both(b, of, coefficient, of_fit, level, e);
    else
        widen_by_both(b, of, coefficient, of_fit, level, e);
}

/* Of a least-squares fit with these rows. */
static void leverages_of(const basis *b, double *leverage)
{
    long double q[P];
    for (size_t i = 0; i < b->n; i++) {
        basis_row(b, i, q);
        leverage[i] = (double)(q[0] * q[0] + q[1] * q[1]);
    }
}

/* u of the ratios y / x, whose mean is the slope with weights x^-2; NaN where they are not all above, or all below,
 * zero. */
static proportion ratio_proportion(const double *x, const double *y, size_t n, double *leverage)
{
    long double mean = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] > 0) || !(y[i] * y[0] > 0))
            return (proportion){NAN, NAN};
        mean += (long double)y[i] / x[i] / (long double)n;
    }
    proportion by = judge_proportion(x, y, x, n, 1, leverage);
    by.u /= (double)(mean * mean);
    return by;
}

/* |y|, of which the least is a millionth of the largest: what is next to nothing says nothing of what errors grow with.
 */
static void magnitudes_of(const double *y, size_t n, double *magnitude)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(y[i]));
    for (size_t i = 0; i < n; i++)
        magnitude[i] = fmax(fabs(y[i]), 1e-6 * most);
}

/* leverage: n of errors of one size, n of errors in proportion by which u is, and room for n magnitudes. */
static two_kinds two_kinds_of(const ws_fit *fit, const double *y, size_t n, double *leverage,
                              const ws_replication *replication, proportion u)
{
    two_kinds of = {.y = y, .magnitude = leverage + 2 * n, .leverage = leverage, .relative_leverage = leverage + n};
    of.replication = replication;
    of.v = fit->rss / fit->df;
    of.u = u;
    magnitudes_of(y, n, leverage + 2 * n);
    return of;
}

void ws_line_allow_proportion(const double *x, const double *y, size_t n, const ws_replication *replication,
                              double level, ws_fit *line)
{
    if (line->status != WS_FIT_OK || !(line->df > 0))
        return;
    double *leverage = ws_alloc((5 * n + 1) * sizeof *leverage), *residual = leverage + 3 * n, *size = leverage + 4 * n;
    basis b = basis_of(x, NULL, n, P);
    residuals_of(&b, y, residual);
    sizes_of(y, n, size);
    leverages_of(&b, leverage);
    const proportion u = judge_proportion(x, y, size, n, P, leverage + n);
    two_kinds of = two_kinds_of(line, y, n, leverage, replication, u);
    long double *in_proportion = squares_of(&b, size);
    const long double *const working[] = {NULL, in_proportion};
    for (size_t j = 0; j < P; j++)
        allow_both(&b, residual, &of, working, j, line->df, level, &line->estimate[j]);
    free(in_proportion);
    free(leverage);
}

/* The slope through the origin with weights x^-power. */
static void allow_both_of_origin(const double *x, two_kinds *of, size_t n, int power, double of_fit, double level,
                                 ws_estimate *e)
{
    double *weight = ws_alloc((3 * n + 1) * sizeof *weight), *residual = weight + n, *one = weight + 2 * n;
    for (size_t i = 0; i < n; i++) {
        weight[i] = power ? 1 / x[i] : 1;
        residual[i] = (double)((long double)of->y[i] - (long double)e->value * x[i]);
        one[i] = 1;
    }
    basis b = basis_of(x, weight, n, 1);
    long double *of_one_size = squares_of(&b, one), *in_proportion = squares_of(&b, x);
    const long double *const working[] = {of_one_size, in_proportion};
    allow_both(&b, residual, of, working, SLOPE, of_fit, level, e);
    free(of_one_size);
    free(in_proportion);
    free(weight);
}

void ws_origin_allow_proportion(const double *x, const double *y, size_t n, const ws_replication *replication,
                                double level, ws_fit *origin)
{
    enum { RATIO_OF_SUMS = 1 };
    if (origin->status != WS_FIT_OK || !(origin->df > 0))
        return;
    double *leverage = ws_alloc((3 * n + 1) * sizeof *leverage);
    basis b = basis_of(x, NULL, n, 1);
    leverages_of(&b, leverage);
    const proportion u = ratio_proportion(x, y, n, leverage + n);
    two_kinds of = two_kinds_of(origin, y, n, leverage, replication, u);
    for (size_t j = 0; j <= RATIO_OF_SUMS; j++)
        if (!isnan(origin->estimate[j].se))
            allow_both_of_origin(x, &of, n, (int)j, origin->df, level, &origin->estimate[j]);
    free(leverage);
}
