/* Spearman's rank correlation: Pearson's coefficient of the ranks, equal values sharing the mean of their ranks.
 *
 * p: up to 9 points without ties the share of all n! orders whose |rho| is at least as large; beyond, Student's t with
 * n - 2 degrees of freedom; 2 / n! for ranks in perfect order, at any n. Interval by Fisher's z with the variance
 * (1 + rho^2 / 2) / (n - 3) of Bonett and Wright 2000, Psychometrika 65. Assumes nothing but independent pairs. */
#include "fit/tests/correlation.h"

#include "core/arena.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_EXACT = 9 };

/* Ranks from 1; true when no value occurs twice. */
static bool rank_values(const double *value, size_t n, double *rank)
{
    size_t *order = ws_realloc(NULL, n, sizeof *order);
    bool distinct = true;
    gsl_sort_index(order, value, 1, n);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && value[order[end]] == value[order[first]]; end++)
            distinct = false;
        for (size_t i = first; i < end; i++)
            rank[order[i]] = (double)(first + 1 + end) / 2;
    }
    free(order);
    return distinct;
}

/* rho = 1 - 6 D / (n^3 - n), D = sum of squared rank differences, so |rho| is large where D is far from its middle,
 * (n^3 - n) / 6. as_far[d] of all n! orders have D at a distance d and more from it. Counted once a thread for each n,
 * as a fit of each of many groups asks for it again. */
enum { MOST_DISTANCE = MOST_EXACT * (MOST_EXACT * MOST_EXACT - 1) / 6 };
typedef struct orders {
    int n, middle;
    unsigned long as_far[MOST_DISTANCE + 1];
} orders;

static void count_orders(orders *o, int position, unsigned used, int d)
{
    if (position == o->n) {
        o->as_far[abs(d - o->middle)]++;
        return;
    }
    for (int rank = 0; rank < o->n; rank++)
        if (!(used >> rank & 1))
            count_orders(o, position + 1, used | 1U << rank, d + (rank - position) * (rank - position));
}

static const orders *orders_of(int n)
{
    static _Thread_local orders all[MOST_EXACT + 1];
    orders *o = &all[n];
    if (o->n == n)
        return o;
    *o = (orders){.n = n, .middle = n * (n * n - 1) / 6};
    count_orders(o, 0, 0, 0);
    for (int d = o->middle; d > 0; d--)
        o->as_far[d - 1] += o->as_far[d];
    return o;
}

static double exact_p(const double *rank_x, const double *rank_y, size_t n)
{
    double d = 0;
    for (size_t i = 0; i < n; i++)
        d += (rank_x[i] - rank_y[i]) * (rank_x[i] - rank_y[i]);
    const orders *o = orders_of((int)n);
    return (double)o->as_far[abs((int)d - o->middle)] / (double)o->as_far[0];
}

ws_status ws_spearman(const double *x, const double *y, size_t n, double level, ws_correlation *result, ws_error *error)
{
    ws_correlation_begin(result, n);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status != WS_OK)
        return status;
    double *rank_x = ws_realloc(NULL, 2 * n + 1, sizeof *rank_x), *rank_y = rank_x + n;
    bool distinct_x = rank_values(x, n, rank_x), distinct_y = rank_values(y, n, rank_y);
    double t = ws_correlate(rank_x, rank_y, n, result);
    if (!isnan(result->r)) {
        bool perfect = result->status == WS_FIT_PERFECT;
        result->p_is_exact = distinct_x && distinct_y && (n <= MOST_EXACT || perfect);
        if (!result->p_is_exact)
            result->p_value = ws_student_two_sided(t, (double)n - 2);
        else
            result->p_value = n <= MOST_EXACT ? exact_p(rank_x, rank_y, n) : 2 * exp(-lgamma((double)n + 1));
        ws_correlation_interval(result, (1 + result->r * result->r / 2) / ((double)n - 3), level);
        ws_correlation_say(result, "Spearman's rho", 4, level);
    }
    free(rank_x);
    return WS_OK;
}
