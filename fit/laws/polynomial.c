/* y = b0 + b1 x + ... + bd x^d by least squares.
 *
 * Powers rounded to doubles lose half the digits before any fit sees them (NIST's Filip), so none are formed. Instead
 * polynomials that are orthogonal over the points,
 *
 *     P_k+1 = (x - a_k) P_k - c_k P_k-1,  a_k = sum x P_k^2 / sum P_k^2,  c_k = sum P_k^2 / sum P_k-1^2,
 *
 * their coefficients in powers of x, and the sums with y are kept in two doubles a number (twofold.h):
 *
 *     y = sum g_k P_k,  g_k = sum y P_k / sum P_k^2,  var b_j = sigma^2 sum over k of (coefficient of x^j in P_k)^2 /
 *     sum P_k^2
 *
 * Assumes errors of y independent, of one variance; x without error. Forsythe 1957, J. SIAM 5. */
#include "fit/fit.h"

#include "core/arena.h"
#include "fit/laws/law.h"
#include "fit/linear/least_squares.h"
#include "fit/linear/twofold.h"

#include <math.h>
#include <stdlib.h>

enum { MAX = WS_FIT_MAX_ESTIMATES, IN_WORDS = 4 };

static const char *const names[MAX] = {"intercept", "x",   "x^2", "x^3", "x^4",  "x^5",
                                       "x^6",       "x^7", "x^8", "x^9", "x^10", "x^11"};

typedef struct basis {
    size_t n, p;
    double unit;          /* a power of two: x is counted in it, so that no power is beyond a double */
    ws_twofold *value;    /* p rows of n: P_k at the points */
    ws_twofold *residual; /* n values of y less the fit */
    ws_twofold square[MAX], in_powers[MAX][MAX], g[MAX];
} basis;

static ws_twofold sum_of_products(const ws_twofold *a, const ws_twofold *b, size_t n)
{
    ws_twofold sum = ws_two(0);
    for (size_t i = 0; i < n; i++)
        sum = ws_two_add(sum, ws_two_times(a[i], b[i]));
    return sum;
}

/* a_k of the recurrence. */
static ws_twofold centre_of(const basis *f, const double *x, size_t k)
{
    const ws_twofold *value = f->value + k * f->n;
    ws_twofold sum = ws_two(0);
    for (size_t i = 0; i < f->n; i++)
        sum = ws_two_add(sum, ws_two_times(ws_two(x[i] / f->unit), ws_two_times(value[i], value[i])));
    return ws_two_over(sum, f->square[k]);
}

/* P_k+1 from P_k and P_k-1: the values at the points and the coefficients of the powers. */
static void next_polynomial(basis *f, const double *x, size_t k)
{
    ws_twofold a = centre_of(f, x, k), c = k ? ws_two_over(f->square[k], f->square[k - 1]) : ws_two(0),
               none = ws_two(0);
    ws_twofold *next = f->value + (k + 1) * f->n;
    const ws_twofold *here = f->value + k * f->n, *last = k ? here - f->n : NULL;
    for (size_t i = 0; i < f->n; i++) {
        ws_twofold off = ws_two_minus(ws_two(x[i] / f->unit), a);
        next[i] = ws_two_minus(ws_two_times(off, here[i]), last ? ws_two_times(c, last[i]) : none);
    }
    for (size_t j = 0; j <= k + 1; j++) {
        ws_twofold raised = j ? f->in_powers[k][j - 1] : none, kept = ws_two_times(a, f->in_powers[k][j]);
        ws_twofold before = k ? ws_two_times(c, f->in_powers[k - 1][j]) : none;
        f->in_powers[k + 1][j] = ws_two_minus(ws_two_minus(raised, kept), before);
    }
    f->square[k + 1] = sum_of_products(next, next, f->n);
}

/* What g_k explains is taken out of the residual before the next, which keeps the digits of small coefficients. */
static void project(basis *f, size_t k)
{
    const ws_twofold *value = f->value + k * f->n;
    f->g[k] = ws_two_over(sum_of_products(f->residual, value, f->n), f->square[k]);
    for (size_t i = 0; i < f->n; i++)
        f->residual[i] = ws_two_minus(f->residual[i], ws_two_times(f->g[k], value[i]));
}

static void build(basis *f, const double *x, const double *y)
{
    for (size_t i = 0; i < f->n; i++) {
        f->value[i] = ws_two(1);
        f->residual[i] = ws_two(y[i]);
    }
    f->in_powers[0][0] = ws_two(1);
    f->square[0] = ws_two((double)f->n);
    for (size_t k = 0; k < f->p; k++) {
        project(f, k);
        if (k + 1 < f->p)
            next_polynomial(f, x, k);
    }
}

static void set_estimates(const basis *f, ws_fit *fit, double level)
{
    double power = 1;
    fit->n_estimates = 0;
    for (size_t j = 0; j < f->p; j++, power *= f->unit) {
        ws_twofold sum = ws_two(0), variance = ws_two(0);
        for (size_t k = j; k < f->p; k++) {
            ws_twofold c = f->in_powers[k][j];
            sum = ws_two_add(sum, ws_two_times(f->g[k], c));
            variance = ws_two_add(variance, ws_two_over(ws_two_times(c, c), f->square[k]));
        }
        ws_fit_add(fit, names[j], ws_two_round(sum) / power, fit->sigma * sqrt(ws_two_round(variance)) / power);
        ws_estimate_infer(&fit->estimate[j], fit->df, level);
        if (fit->status != WS_FIT_OK)
            fit->estimate[j].p_value = NAN;
    }
}

static void set_residuals(const basis *f, ws_fit *fit, double *residual)
{
    ws_twofold rss = sum_of_products(f->residual, f->residual, f->n);
    fit->rss = ws_two_round(rss);
    fit->sigma = fit->df > 0 ? sqrt(fit->rss / fit->df) : NAN;
    for (size_t i = 0; residual && i < f->n; i++)
        residual[i] = ws_two_round(f->residual[i]);
}

/* Quality and status do not depend on the basis, so the solver of all lines finds them from the orthogonal one. */
static ws_status polynomial_judge(const basis *f, const double *y, double level, ws_fit *fit, ws_error *error)
{
    double *rounded = ws_realloc(NULL, f->p * f->n + 1, sizeof *rounded);
    const double *column[MAX] = {NULL};
    for (size_t k = 1; k < f->p; k++) {
        column[k] = rounded + k * f->n;
        for (size_t i = 0; i < f->n; i++)
            rounded[k * f->n + i] = ws_two_round(f->value[k * f->n + i]);
    }
    const ws_ls_input in = {.column = column, .name = names, .p = f->p, .y = y, .n = f->n, .level = level};
    ws_status status = ws_ls_fit(&in, fit, NULL, error);
    free(rounded);
    return status;
}

static bool polynomial_refuse(const double *x, size_t p, ws_fit *fit, double *residual)
{
    size_t distinct = ws_count_distinct(x, fit->n);
    if (distinct >= p)
        return false;
    fit->status = fit->n < p ? WS_FIT_TOO_FEW : WS_FIT_COLLINEAR;
    ws_say(fit->sentence, sizeof fit->sentence, "%s: a polynomial of degree %zu needs %zu",
           ws_words_values(distinct, "x").text, p - 1, p);
    for (size_t j = 0; j < p; j++)
        ws_fit_add(fit, names[j], NAN, NAN);
    for (size_t i = 0; residual && i < fit->n; i++)
        residual[i] = NAN;
    return true;
}

static void say_polynomial(ws_fit *fit)
{
    size_t first = fit->n_estimates > IN_WORDS ? fit->n_estimates - 1 : 0;
    if (first)
        ws_say(fit->sentence, sizeof fit->sentence, "%zu coefficients, the last of them ", fit->n_estimates);
    for (size_t j = first; j < fit->n_estimates; j++)
        ws_say(fit->sentence, sizeof fit->sentence, "%s%s %s", j > first ? ", " : "", fit->estimate[j].name,
               ws_ls_words(fit, &fit->estimate[j]).text);
    if (fit->status == WS_FIT_CONSTANT)
        ws_say(fit->sentence, sizeof fit->sentence, "; y does not vary: R2 and likelihood are undefined");
    ws_ls_say_quality(fit, "x", "");
}

static double unit_of(const double *x, size_t n)
{
    double largest = 0;
    int exponent;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    frexp(largest, &exponent);
    return ldexp(1, exponent - 1);
}

/* Where the x differ by hundreds of powers of ten, all but the largest are nothing beside it, or their powers are. */
static ws_status check_basis(const basis *f, ws_error *error)
{
    for (size_t k = 0; k < f->p; k++)
        if (!isnormal(f->square[k].high))
            return ws_fail(error, WS_DATA,
                           "the x differ so much in size that their powers up to %zu are beyond the range of a number; "
                           "take a lower degree or the logarithm of x",
                           f->p - 1);
    return WS_OK;
}

static ws_status fit_basis(const double *x, const double *y, size_t p, double level, ws_fit *fit, double *residual,
                           ws_error *error)
{
    size_t n = fit->n;
    basis f = {.n = n, .p = p, .unit = unit_of(x, n), .value = ws_realloc(NULL, (p + 1) * n, sizeof(ws_twofold))};
    f.residual = f.value + p * n;
    build(&f, x, y);
    ws_status status = check_basis(&f, error);
    if (status == WS_OK)
        status = polynomial_judge(&f, y, level, fit, error);
    if (status == WS_OK && ws_ls_has_values(fit)) {
        set_residuals(&f, fit, residual);
        set_estimates(&f, fit, level);
        say_polynomial(fit);
    }
    free(f.value);
    return status;
}

ws_status ws_fit_polynomial(const double *x, const double *y, size_t n, size_t degree, double level, ws_fit *fit,
                            double *residual, ws_error *error)
{
    ws_fit_begin(fit, "polynomial", "centred", n);
    if (degree < 1 || degree >= MAX)
        return ws_fail(error, WS_USAGE, "a polynomial has degree 1 to %d, not %zu", MAX - 1, degree);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status != WS_OK || polynomial_refuse(x, degree + 1, fit, residual))
        return status;
    status = fit_basis(x, y, degree + 1, level, fit, residual, error);
    return status == WS_OK && ws_ls_has_values(fit) ? ws_fit_check_range(fit, error) : status;
}
