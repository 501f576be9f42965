/* Mann and Whitney 1947, Wilcoxon 1945, Hodges and Lehmann 1963 (Ann. Math. Statist. 34).
 *
 * The distribution of a rank sum under no shift is counted, not approximated: ways[s] of getting the sum s from the
 * mid-ranks (doubled, so that they are whole numbers) that some of the values may take. For the test these are the mid-
 * ranks of the data, ties included. The interval are order statistics of the differences: with K the number of
 * differences beyond its end, a level of 1 - 2 P(K < k) by the ranks without ties. Few values reach no high level:
 * three a side 90 %, four 97 % (3 and 5, or 2 and 8, 96 %); five pairs 94 %, six 97 %. Hollander and Wolfe 1999,
 * Nonparametric Statistical Methods, chapters 3 and 4. */
#include "fit/tests/ranks.h"

#include "core/arena.h"
#include "fit/estimate.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EXACT = 50, MOST_PAIRS = 10000000 };

/* Twice the mid-rank of each value; returns the sum of t^3 - t over ties. */
static double mid_ranks(const double *value, size_t n, size_t *doubled)
{
    size_t *order = ws_alloc((n + 1) * sizeof *order);
    double ties = 0;
    gsl_sort_index(order, value, 1, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && value[order[end]] == value[order[i]];)
            end++;
        for (size_t k = i; k < end; k++)
            doubled[order[k]] = i + end + 1;
        double t = (double)(end - i);
        ties += t * t * t - t;
    }
    free(order);
    return ties;
}

/* Adds `from` to `to`, which stands apart or begins further on in the same array, beginning with the last number. */
static void add_ways(double *to, const double *from, size_t n)
{
    while (n-- > 0)
        to[n] += from[n];
}

/* The chance of each sum s = 0 .. *total of `take` of the n weights, all choices alike; take SIZE_MAX: of any number of
 * them. To be freed. */
static double *distribution_of(const size_t *weight, size_t n, size_t take, size_t *total)
{
    size_t rows = take == SIZE_MAX ? 1 : take + 1, reached = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        all += weight[i];
    double *ways = ws_alloc(rows * (all + 1) * sizeof *ways), *chance = ws_alloc((all + 1) * sizeof *chance), sum = 0;
    ways[0] = 1;
    for (size_t i = 0; i < n; i++) { /* with the first i no sum exceeds `reached`, and no more than i are taken */
        reached += weight[i];
        if (take == SIZE_MAX)
            add_ways(ways + weight[i], ways, reached + 1 - weight[i]);
        for (size_t row = take < i + 1 ? take : i + 1; take != SIZE_MAX && row >= 1; row--)
            add_ways(ways + row * (all + 1) + weight[i], ways + (row - 1) * (all + 1), reached + 1 - weight[i]);
    }
    const double *last = ways + (rows - 1) * (all + 1);
    for (size_t s = 0; s <= all; s++)
        sum += last[s];
    for (size_t s = 0; s <= all; s++)
        chance[s] = last[s] / sum;
    free(ways);
    *total = all;
    return chance;
}

/* The same of the doubled ranks without ties, n at most MOST_EXACT. Each is counted once a thread, for thousands of
 * groups have the same few numbers of runs. */
static const double *distribution_without_ties(size_t n, size_t take, size_t *total)
{
    static _Thread_local double *(*kept)[MOST_EXACT + 2]; /* MOST_EXACT + 1 rows */
    size_t weight[MOST_EXACT];
    kept = kept ? kept : ws_alloc((MOST_EXACT + 1) * sizeof *kept);
    double **law = &kept[n][take == SIZE_MAX ? MOST_EXACT + 1 : take];
    for (size_t i = 0; i < n; i++)
        weight[i] = 2 * (i + 1);
    *total = n * (n + 1);
    if (!*law)
        *law = distribution_of(weight, n, take, total);
    return *law;
}

static double two_sided(const size_t *weight, size_t n, size_t take, bool has_ties, size_t sum)
{
    size_t total;
    double *counted = has_ties ? distribution_of(weight, n, take, &total) : NULL, below = 0, above = 0;
    const double *chance = has_ties ? counted : distribution_without_ties(n, take, &total);
    for (size_t s = 0; s <= total; s++) {
        below += s <= sum ? chance[s] : 0;
        above += s >= sum ? chance[s] : 0;
    }
    free(counted);
    return fmin(1, 2 * fmin(below, above));
}

/* Normal, with a correction for continuity. */
static double normal_p(double distance, double variance)
{
    double z = fmax(0, fabs(distance) - 0.5) / sqrt(variance);
    return erfc(z / sqrt(2));
}

/* The interval from the sorted differences: those at k - 1 from either end, k the largest with P(K < k) <= tail by
 * the ranks without ties. base: the least sum, which each further difference makes larger by 2. */
static void set_interval(const double *sorted, size_t n_differences, size_t n, size_t take, size_t base, double level,
                         ws_ranks *r)
{
    double tail = 0, kept = NAN;
    size_t k = 0, total;
    const double *chance = distribution_without_ties(n, take, &total);
    for (;;) {
        tail += base + 2 * k <= total ? chance[base + 2 * k] : 0;
        if (tail > (1 - level) / 2 * (1 + 1e-12) || 2 * (k + 1) > n_differences)
            break;
        kept = 1 - 2 * tail;
        k++;
    }
    if (k == 0) {
        r->status = WS_FIT_TOO_FEW;
        r->level = NAN;
        ws_say(r->sentence, sizeof r->sentence, "ranks of so few runs reach %s %% at most; %s takes %s",
               ws_words_digits(100 * fmax(0, 1 - 2 * tail), 3).text, ws_words_level(level).text,
               ws_ranks_say_least(take == SIZE_MAX, level).text);
        return;
    }
    r->ci_lo = sorted[k - 1];
    r->ci_hi = sorted[n_differences - k];
    r->level = kept;
}

static void set_normal_interval(const double *sorted, size_t n_differences, double mean, double variance, double level,
                                ws_ranks *r)
{
    double k = floor(mean - ws_student_quantile(level, INFINITY) * sqrt(variance));
    size_t from_end = k < 1 ? 1 : (size_t)k;
    r->ci_lo = sorted[from_end - 1];
    r->ci_hi = sorted[n_differences - from_end];
}

static double median_of(const double *sorted, size_t n)
{
    return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

static ws_status ranks_begin(ws_ranks *r, double level, ws_error *error)
{
    *r = (ws_ranks){.status = WS_FIT_OK, .shift = NAN, .ci_lo = NAN, .ci_hi = NAN, .level = NAN, .p_value = NAN};
    return ws_fit_check_level(level, error);
}

/* p of the sum of the doubled ranks of the second set among all. */
static void test_sum(const double *all, size_t n_a, size_t n_b, ws_ranks *r)
{
    size_t n = n_a + n_b, *doubled = ws_alloc((n + 1) * sizeof *doubled), sum = 0;
    double ties = mid_ranks(all, n, doubled), a = (double)n_a, b = (double)n_b, m = (double)n;
    for (size_t i = n_a; i < n; i++)
        sum += doubled[i];
    double u = (double)sum / 2 - b * (b + 1) / 2, variance = a * b / 12 * (m + 1 - ties / (m * (m - 1)));
    r->p_is_exact = n <= MOST_EXACT;
    if (!(variance > 0))
        r->status = WS_FIT_CONSTANT;
    else
        r->p_value = r->p_is_exact ? two_sided(doubled, n, n_b, ties > 0, sum) : normal_p(u - a * b / 2, variance);
    free(doubled);
}

ws_status ws_mann_whitney(const double *a, size_t n_a, const double *b, size_t n_b, double level, ws_ranks *r,
                          ws_error *error)
{
    ws_status status = ranks_begin(r, level, error);
    size_t n = n_a + n_b, k = 0;
    if (status != WS_OK)
        return status;
    if (!n_a || !n_b) {
        r->status = WS_FIT_TOO_FEW;
        ws_say(r->sentence, sizeof r->sentence, "no runs on one side");
        return WS_OK;
    }
    if (n_a > MOST_PAIRS / n_b)
        return ws_fail(error, WS_USAGE, "ranks compare at most %d pairs of runs; take fewer", MOST_PAIRS);
    double *all = ws_alloc((n + n_a * n_b) * sizeof *all), *difference = all + n;
    memcpy(all, a, n_a * sizeof *all);
    memcpy(all + n_a, b, n_b * sizeof *all);
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            difference[k++] = b[j] - a[i];
    gsl_sort(difference, 1, k);
    test_sum(all, n_a, n_b, r);
    r->shift = median_of(difference, k);
    if (n <= MOST_EXACT) {
        set_interval(difference, k, n, n_b, n_b * (n_b + 1), level, r);
    } else {
        double pairs = (double)k;
        set_normal_interval(difference, k, pairs / 2, pairs * (double)(n + 1) / 12, level, r);
    }
    free(all);
    return WS_OK;
}

/* p of the sum of the doubled ranks of |d| where d > 0; zeros are left out. */
static void test_signs(const double *d, size_t n, ws_ranks *r)
{
    double *size = ws_alloc((n + 1) * sizeof *size);
    size_t *doubled = ws_alloc((n + 1) * sizeof *doubled), kept = 0, sum = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        if (d[i] != 0)
            size[kept++] = fabs(d[i]);
    double ties = mid_ranks(size, kept, doubled), m = (double)kept;
    for (size_t i = 0; i < n; i++)
        if (d[i] != 0) {
            sum += d[i] > 0 ? doubled[at] : 0;
            at++;
        }
    double variance = m * (m + 1) * (2 * m + 1) / 24 - ties / 48;
    r->p_is_exact = kept <= MOST_EXACT;
    if (!kept)
        r->status = WS_FIT_CONSTANT;
    else
        r->p_value = r->p_is_exact ? two_sided(doubled, kept, SIZE_MAX, ties > 0, sum)
                                   : normal_p((double)sum / 2 - m * (m + 1) / 4, variance);
    free(size);
    free(doubled);
}

ws_status ws_signed_ranks(const double *d, size_t n, double level, ws_ranks *r, ws_error *error)
{
    ws_status status = ranks_begin(r, level, error);
    size_t n_walsh = n * (n + 1) / 2, k = 0;
    if (status != WS_OK)
        return status;
    if (!n) {
        r->status = WS_FIT_TOO_FEW;
        ws_say(r->sentence, sizeof r->sentence, "no pairs");
        return WS_OK;
    }
    if (n_walsh > MOST_PAIRS)
        return ws_fail(error, WS_USAGE, "ranks compare at most %d averages of pairs; take fewer", MOST_PAIRS);
    double *walsh = ws_alloc((n_walsh + 1) * sizeof *walsh);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            walsh[k++] = d[i] / 2 + d[j] / 2;
    gsl_sort(walsh, 1, k);
    test_signs(d, n, r);
    r->shift = median_of(walsh, k);
    if (n <= MOST_EXACT) {
        set_interval(walsh, k, n, SIZE_MAX, 0, level, r);
    } else {
        double averages = (double)k;
        set_normal_interval(walsh, k, averages / 2, averages * (2 * (double)n + 1) / 12, level, r);
    }
    free(walsh);
    return WS_OK;
}

/* Beside n runs of one side: of C(n + m, n) arrangements the outermost is one at either end. */
static size_t least_beside(size_t n, double level)
{
    size_t m = 1;
    for (double tail = 1 / (double)(n + 1); tail > (1 - level) / 2 * (1 + 1e-12); m++)
        tail *= (double)(m + 1) / (double)(n + m + 1);
    return m;
}

ws_ranks_text ws_ranks_say_least(bool is_paired, double level)
{
    ws_ranks_text words = {""};
    size_t least = ws_ranks_least(is_paired, level), size = sizeof words.text;
    ws_say(words.text, size, "%zu %s", least, is_paired ? "pairs" : "a side");
    size_t fewest = is_paired || least < 3 ? least : least > 4 ? least - 2 : 2;
    for (size_t n = least; n-- > fewest;)
        ws_say(words.text, size, "%s%zu and %zu", n > fewest ? ", " : " or ", n, least_beside(n, level));
    return words;
}

/* Of C(2n, n) arrangements, or of 2^n signs, the outermost is one at either end. */
size_t ws_ranks_least(bool is_paired, double level)
{
    size_t n = 1;
    for (double tail = 0.5; tail > (1 - level) / 2 * (1 + 1e-12); n++)
        tail *= is_paired ? 0.5 : (double)(n + 1) / (4 * (double)n + 2);
    return n;
}
