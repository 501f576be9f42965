/* Kendall's rank correlation tau-b: pairs in the same order less pairs in opposite order, over what ties leave.
 *
 *     tau_b = (C - D) / sqrt((n0 - ties in x) (n0 - ties in y)),  n0 = n (n - 1) / 2
 *
 * p: without ties up to MOST_EXACT points from the number of orders with as many discordant pairs (Kendall and Gibbons
 * 1990, Rank Correlation Methods, chapter 5); else normal, the variance corrected for ties. Interval by Fisher's z with
 * variance 0.437 / (n - 4) (Fieller, Hartley and Pearson 1957), from 5 points on. Assumes nothing but independent
 * pairs. */
#include "fit/tests/correlation.h"

#include "core/arena.h"
#include "fit/linear/ties.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EXACT = 60 };

typedef struct pair {
    double x, y;
} pair;

static int compare_pairs(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    int by_x = (p->x > q->x) - (p->x < q->x);
    return by_x ? by_x : (p->y > q->y) - (p->y < q->y);
}

/* Sorts the pairs by y with `room` for as many; returns how many stood in opposite order before. */
static double sort_by_y(pair *pairs, pair *room, size_t n)
{
    double swaps = 0;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t middle = from + width < n ? from + width : n, end = middle + width < n ? middle + width : n;
            size_t left = from, right = middle;
            for (size_t k = from; k < end; k++) {
                bool takes_left = right == end || (left < middle && pairs[left].y <= pairs[right].y);
                swaps += takes_left ? 0 : (double)(middle - left);
                room[k] = takes_left ? pairs[left++] : pairs[right++];
            }
        }
        memcpy(pairs, room, n * sizeof *pairs);
    }
    return swaps;
}

static bool ties(const pair *p, const pair *q, bool in_x, bool in_y)
{
    return (!in_x || p->x == q->x) && (!in_y || p->y == q->y);
}

/* Pairs of points that agree in x, in y or in both, where those that do stand beside each other. */
static double tied(const pair *pairs, size_t n, bool in_x, bool in_y)
{
    double sum = 0, run = 0;
    for (size_t i = 1; i < n; i++) {
        run = ties(&pairs[i], &pairs[i - 1], in_x, in_y) ? run + 1 : 0;
        sum += run;
    }
    return sum;
}

/* Concordant less discordant pairs (Knight 1966, Journal of the American Statistical Association 61): in the order of x
 * the discordant ones are the exchanges that sort y. Whole numbers, so exact. */
static double concordance(const double *x, const double *y, size_t n)
{
    pair *pairs = ws_alloc((2 * n + 1) * sizeof *pairs);
    for (size_t i = 0; i < n; i++)
        pairs[i] = (pair){x[i], y[i]};
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    double of_x = tied(pairs, n, true, false), of_both = tied(pairs, n, true, true);
    double swaps = sort_by_y(pairs, pairs + n, n), of_y = tied(pairs, n, false, true);
    free(pairs);
    return (double)n * ((double)n - 1) / 2 - of_x - of_y + of_both - 2 * swaps;
}

/* P(D <= d) for the number D of discordant pairs among all n! orders: the last of m values adds 0 to m - 1 of them. */
static double share_up_to(size_t d, size_t n)
{
    size_t most = n * (n - 1) / 2;
    double *share = ws_alloc(2 * (most + 1) * sizeof *share), *next = share + most + 1, sum = 0;
    share[0] = 1;
    for (size_t m = 2; m <= n; m++) {
        double window = 0;
        for (size_t k = 0; k <= most; k++) {
            window += share[k] - (k >= m ? share[k - m] : 0);
            next[k] = fmax(0, window) / (double)m;
        }
        for (size_t k = 0; k <= most; k++)
            share[k] = next[k];
    }
    for (size_t k = 0; k <= d; k++)
        sum += share[k];
    free(share);
    return sum;
}

static double normal_p(double s, double size, ws_ties a, ws_ties b)
{
    double m = size * (size - 1);
    double variance = (m * (2 * size + 5) - a.weighted - b.weighted) / 18 + 2 * a.pairs * b.pairs / m +
                      a.triples * b.triples / (9 * m * (size - 2));
    return variance > 0 ? ws_student_two_sided(s / sqrt(variance), INFINITY) : 1;
}

ws_status ws_kendall(const double *x, const double *y, size_t n, double level, ws_correlation *result, ws_error *error)
{
    ws_correlation_begin(result, n);
    ws_status status = ws_fit_check(x, y, n, level, error);
    if (status != WS_OK || ws_correlation_refuse(x, y, result))
        return status;
    ws_ties a = ws_ties_of(x, n), b = ws_ties_of(y, n);
    double size = (double)n, pairs = size * (size - 1) / 2, s = concordance(x, y, n);
    double tau = s / sqrt((pairs - a.pairs) * (pairs - b.pairs));
    bool distinct = a.pairs == 0 && b.pairs == 0;
    result->r = fmax(-1, fmin(1, tau));
    result->status = fabs(result->r) == 1 ? WS_FIT_PERFECT : WS_FIT_OK;
    result->p_is_exact = distinct && n <= MOST_EXACT;
    result->p_value =
        result->p_is_exact ? fmin(1, 2 * share_up_to((size_t)((pairs - fabs(s)) / 2), n)) : normal_p(s, size, a, b);
    if (n > 4)
        ws_correlation_interval(result, 0.437 / (size - 4), level);
    ws_correlation_say(result, "Kendall's tau", 5, level);
    return WS_OK;
}
