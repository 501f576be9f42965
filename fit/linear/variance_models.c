/* Intervals where nobody knows what errors depend on, and a few points decide: averaged over models of the errors.
 *
 *     Var(y_i) = v (1 + g size_i^2)     g = 0: errors of one size, endless: in proportion to `size`, |y| of a line
 *
 * with g at eleven even steps of its logarithm between, from 0.1 / (largest size)^2 to 10 / (smallest but one)^2. Each
 * has a prior weight (ours: from eight points on 0.1 for one size, 0.7 for in proportion, which times and energies are
 * far more often, 0.2 for those between; of fewer points, which tell less, 0.35, 0.55 and 0.1), and the posterior one
 * goes with the restricted likelihood, v integrated out (Patterson and Thompson 1971, Biometrika 58; W = 1 / (1 + g
 * size^2), the weights of the fit):
 *
 *     w_g ~ prior_g rss_g^(-(n - p) / 2) prod W_i^(1/2) det(X' W X)^(-1/2)
 *
 * The coefficient stays that of least squares, b = sum s_i y_i, whose error by model g is Student's t of n - p times
 * the root of v_g sum s_i^2 (1 + g size_i^2), v_g = rss_g / (n - p). The interval leaves 1 - level outside on the
 * average of them: sum w_g P(|t| > half / se_g) = 1 - level. No model is chosen by the data. Choosing the likeliest
 * holds in 83 to 97 %, and the larger of the two ends, which ignores what the residuals say, is 5 to 340 times as wide
 * as it need be over eight to twelve counts that double (docs/methods.md). */
#include "fit/linear/variance_models.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_POINTS = 3 };

/* Prior weights of the two ends; the others share the rest. */
typedef struct prior {
    double one_size, in_proportion;
} prior;
static const prior OF_MANY = {0.1, 0.7}, OF_FEW = {0.35, 0.55};

static long double working_variance(double growth, double size)
{
    return isinf(growth) ? (long double)size * size : 1 + (long double)growth * size * size;
}

/* The largest size and the smallest but one: the smallest may be chance. */
static bool find_sizes(const double *size, size_t n, double *least, double *most)
{
    double smallest = INFINITY;
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(size[i] > 0) || !isfinite(size[i]))
            return false;
        *most = fmax(*most, size[i]);
        *least = fmin(*least, fmax(smallest, size[i]));
        smallest = fmin(smallest, size[i]);
    }
    return smallest > 0;
}

/* ln of the restricted likelihood of errors that grow so, and v. `weight`: room for n. */
static long double likelihood_of(const double *x, const double *y, const double *size, size_t n, size_t p,
                                 double growth, long double *weight, double *v)
{
    enum { AT_ONCE = 16 }; /* as many as a product holds, which has one logarithm */
    long double sum = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0, rss = 0, product = 1, log_weights = 0;
    for (size_t i = 0; i < n; i++) {
        weight[i] = 1 / working_variance(growth, size[i]);
        sum += weight[i];
        mean_x += x[i] * weight[i];
        mean_y += y[i] * weight[i];
        product *= weight[i];
        if (i % AT_ONCE == AT_ONCE - 1 || i + 1 == n) {
            log_weights += logl(product);
            product = 1;
        }
    }
    mean_x = p > 1 ? mean_x / sum : 0;
    mean_y = p > 1 ? mean_y / sum : 0;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x) * weight[i];
        xy += (x[i] - mean_x) * (y[i] - mean_y) * weight[i];
    }
    const long double slope = xy / xx;
    for (size_t i = 0; i < n; i++) {
        long double off = y[i] - mean_y - slope * (x[i] - mean_x);
        rss += off * off * weight[i];
    }
    *v = (double)(rss / (long double)(n - p));
    return -((long double)(n - p) * logl(rss) - log_weights + logl(p > 1 ? xx * sum : xx)) / 2;
}

ws_variance_models ws_variance_models_weigh(const double *x, const double *y, const double *size, size_t n, size_t p)
{
    ws_variance_models models = {.n = 0};
    enum { LAST = WS_VARIANCE_MODELS - 1, BETWEEN = WS_VARIANCE_MODELS - 2 };
    long double likelihood[WS_VARIANCE_MODELS], most_likely = -INFINITY, sum = 0;
    const prior ends = n < WS_VARIANCE_MANY ? OF_FEW : OF_MANY;
    double least, most;
    if (n < LEAST_POINTS || !find_sizes(size, n, &least, &most))
        return models;
    long double *room = ws_alloc(n * sizeof *room);
    bool all_finite = true;
    for (size_t m = 0; m < WS_VARIANCE_MODELS; m++) {
        double part = ((double)m - 1) / (BETWEEN - 1);
        double growth = exp((1 - part) * log(0.1 / most / most) + part * log(10 / least / least));
        models.growth[m] = m == 0 ? 0 : m == LAST ? (double)INFINITY : growth;
        likelihood[m] = likelihood_of(x, y, size, n, p, models.growth[m], room, &models.variance[m]);
        all_finite = all_finite && isfinite(likelihood[m]);
        most_likely = fmaxl(most_likely, likelihood[m]);
    }
    free(room);
    if (!all_finite)
        return models;
    for (size_t m = 0; m < WS_VARIANCE_MODELS; m++) {
        double between = (1 - ends.one_size - ends.in_proportion) / BETWEEN;
        double before = m == 0 ? ends.one_size : m == LAST ? ends.in_proportion : between;
        models.weight[m] = before * (double)expl(likelihood[m] - most_likely);
        sum += models.weight[m];
    }
    for (size_t m = 0; m < WS_VARIANCE_MODELS; m++)
        models.weight[m] /= (double)sum;
    models.n = WS_VARIANCE_MODELS;
    return models;
}

double ws_variance_models_variance(const ws_variance_models *models, size_t m, const double *square, const double *size,
                                   size_t n)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += square[i] * working_variance(models->growth[m], size[i]);
    return models->variance[m] * (double)sum;
}

/* P(|t| > at) of x = 1 / (1 + at^2 / df) below a half: I_x(a, 1/2), a = df / 2, by its series, whose terms are all
 * above zero (Abramowitz and Stegun 26.5.4). */
static double far_tail(double x, double df)
{
    static const double ROOT_PI = 1.7724538509055160273;
    double a = df / 2, term = 1, sum = 1;
    for (double k = 0; term > 1e-17 * sum; k++) {
        term *= (a + 0.5 + k) / (a + 1 + k) * x;
        sum += term;
    }
    return pow(x, a) * sqrt(1 - x) * tgamma(a + 0.5) / (tgamma(a) * ROOT_PI * a) * sum;
}

/* P(|t| > at): the finite sums of Abramowitz and Stegun 26.7.3 and 4 where df is whole and p no small difference. */
static double beyond(double at, double df)
{
    static const double SUMMED = 200, SMALL = 1e-4, TURN = 3.14159265358979323846;
    if (df > SUMMED)
        return ws_student_two_sided(at, df);
    if (df != floor(df))
        return at * at > df ? far_tail(1 / (1 + at * at / df), df) : ws_student_two_sided(at, df);
    bool is_odd = fmod(df, 2) != 0;
    double cosine2 = 1 / (1 + at * at / df), cosine = sqrt(cosine2), sine = at / sqrt(df) * cosine;
    double term = is_odd ? cosine : 1, sum = df > 1 ? term : 0;
    for (double k = is_odd ? 2 : 1; k <= df - 2; k += 2) {
        term *= cosine2 * k / (k + 1);
        sum += term;
    }
    double p = 1 - (is_odd ? 2 / TURN * (atan2(sine, cosine) + sine * sum) : sine * sum);
    return p > SMALL ? p : cosine2 < 0.5 ? far_tail(cosine2, df) : ws_student_two_sided(at, df);
}

/* The share of the average of the models that lies farther out than `half`; of models that weigh less than `least`
 * none.
 */
static double share_beyond(const ws_variance_models *models, const ws_variance *v, double half, double least)
{
    double share = 0;
    for (size_t m = 0; m < models->n; m++)
        if (models->weight[m] >= least)
            share += models->weight[m] * beyond(half / sqrt(v[m].value), v[m].df);
    return share;
}

/* ln of the share beyond exp(ln_half) over the wanted one. */
static double excess_at(const ws_variance_models *models, const ws_variance *v, double ln_half, double level)
{
    static const double NEXT_TO_NONE = 1e-13;
    return log(share_beyond(models, v, exp(ln_half), NEXT_TO_NONE) / (1 - level));
}

/* Between the least and the largest of the models' own, by false position in logarithms (Illinois: the end that stays
 * counts half). */
static double half_width(const ws_variance_models *models, const ws_variance *v, double level)
{
    double low = INFINITY, high = 0, quantile = ws_student_quantile(level, v[0].df);
    for (size_t m = 0; m < models->n; m++) {
        double of_model = v[m].df == v[0].df ? quantile : ws_student_quantile(level, v[m].df);
        low = fmin(low, sqrt(v[m].value) * of_model);
        high = fmax(high, sqrt(v[m].value) * of_model);
    }
    if (!(low > 0) || !isfinite(high))
        return NAN;
    low = log(low);
    high = log(high);
    double above = excess_at(models, v, low, level), below = excess_at(models, v, high, level), middle = high;
    int stayed = 0; /* +1: the low end did, -1: the high one */
    for (int i = 0; i < 200 && high - low > 1e-13 && above > 0 && below < 0; i++) {
        middle = low + (high - low) * above / (above - below);
        double excess = excess_at(models, v, middle, level);
        if (excess > 0) {
            low = middle;
            above = excess;
            below *= stayed < 0 ? 0.5 : 1;
            stayed = -1;
        } else {
            high = middle;
            below = excess;
            above *= stayed > 0 ? 0.5 : 1;
            stayed = 1;
        }
        if (fabs(excess) < 1e-13)
            break;
    }
    return exp(middle);
}

void ws_variance_models_infer(const ws_variance_models *models, const ws_variance *v, double df, double level,
                              ws_estimate *estimate)
{
    static const double USUAL = 0.95;
    double usual = half_width(models, v, USUAL), half = level == USUAL ? usual : half_width(models, v, level);
    if (!(usual > 0) || !isfinite(usual))
        return;
    estimate->se = usual / ws_student_quantile(USUAL, df);
    ws_estimate_take_df(estimate, df, df, level);
    estimate->ci_lo = estimate->value - half;
    estimate->ci_hi = estimate->value + half;
    estimate->p_value = share_beyond(models, v, fabs(estimate->value - estimate->null_value), 0);
}
