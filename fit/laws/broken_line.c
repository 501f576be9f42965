/* For a given side of b for every point the best two lines are known, and either they meet there or b lies on a point:
 * so the least of finitely many sums of squares is the minimum, without a search. Hudson 1966, JASA 61. */
#include "fit/laws/broken_line.h"

#include "core/arena.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void ws_broken_update(ws_broken_points *p)
{
    memset(p->sum, 0, 6 * sizeof *p->sum);
    for (size_t i = 0; i < p->n; i++) {
        long double x = p->x[i] - p->x[0], y = p->y[i], *at = p->sum + 6 * i;
        const long double term[] = {1, x, x * x, y, x * y, y * y};
        for (size_t k = 0; k < 6; k++)
            at[6 + k] = at[k] + term[k];
    }
    const long double *all = p->sum + 6 * p->n, n = all[0];
    p->xx = all[2] - all[1] * all[1] / n;
    p->xy = all[4] - all[1] * all[3] / n;
    p->line_rss = all[5] - all[3] * all[3] / n - p->xy * p->xy / p->xx;
}

ws_broken_points ws_broken_gather(const double *x, const double *y, size_t n, size_t skip)
{
    ws_broken_points p = {.x = ws_realloc(NULL, 3 * n, sizeof(double)),
                          .first = ws_realloc(NULL, n + 1, sizeof(size_t)),
                          .sum = ws_realloc(NULL, 6 * (n + 1), sizeof(long double))};
    p.y = p.x + n;
    p.work = p.y + n;
    size_t *order = ws_realloc(NULL, n, sizeof *order);
    gsl_sort_index(order, x, 1, n);
    for (size_t i = 0; i < n; i++) {
        if (order[i] == skip)
            continue;
        p.x[p.n] = x[order[i]];
        p.y[p.n] = y[order[i]];
        if (p.n == 0 || p.x[p.n] > p.x[p.n - 1])
            p.first[p.n_distinct++] = p.n;
        p.n++;
    }
    p.first[p.n_distinct] = p.n;
    free(order);
    ws_broken_update(&p);
    return p;
}

void ws_broken_free(ws_broken_points *p)
{
    free(p->x);
    free(p->first);
    free(p->sum);
}

typedef struct line {
    long double intercept, slope, rss; /* intercept at x[0] */
} line;

static line line_through(const ws_broken_points *p, size_t from, size_t end)
{
    long double s[6];
    for (size_t k = 0; k < 6; k++)
        s[k] = p->sum[6 * end + k] - p->sum[6 * from + k];
    long double xx = s[2] - s[1] * s[1] / s[0], xy = s[4] - s[1] * s[3] / s[0], yy = s[5] - s[3] * s[3] / s[0];
    line l = {.slope = xy / xx};
    l.intercept = (s[3] - l.slope * s[1]) / s[0];
    l.rss = fmaxl(0, yy - l.slope * xy);
    return l;
}

const double *ws_broken_bent(const ws_broken_points *p, double b)
{
    for (size_t i = 0; i < p->n; i++)
        p->work[i] = fmax(0, p->x[i] - b);
    return p->work;
}

/* With x0 = x[0], d = b - x0 and the points from k on beyond b, the bend z = max(x - b, 0) without its part in 1 and x:
 * its product with y is bend[0] + bend[1] d, its square left[0] + left[1] d + left[2] d^2. So
 *
 *     rss(b) = rss of the line - (z'y)^2 / z'z
 *
 * by sums over the points beyond alone, which no b between two neighbouring x changes. */
typedef struct bend_part {
    long double bend[2], left[3], xz[2], z[2]; /* x'z about the means, and the sum of z: likewise in d */
} bend_part;

static bend_part part_beyond(const ws_broken_points *p, size_t k)
{
    const long double *all = p->sum + 6 * p->n, *before = p->sum + 6 * k, n = all[0], m = n - before[0];
    long double sx = all[1] - before[1], sxx = all[2] - before[2], sy = all[3] - before[3], sxy = all[4] - before[4];
    long double xz[2] = {sxx - sx * all[1] / n, -sx + m * all[1] / n};
    long double yz[2] = {sxy - sx * all[3] / n, -sy + m * all[3] / n};
    long double zz[3] = {sxx - sx * sx / n, -2 * (sx - m * sx / n), m - m * m / n}, slope = p->xy / p->xx;
    return (bend_part){
        {yz[0] - xz[0] * slope, yz[1] - xz[1] * slope},
        {zz[0] - xz[0] * xz[0] / p->xx, zz[1] - 2 * xz[0] * xz[1] / p->xx, zz[2] - xz[1] * xz[1] / p->xx},
        {xz[0], xz[1]},
        {sx, -m}};
}

static long double part_rss(const ws_broken_points *p, const bend_part *part, long double d)
{
    long double bend = part->bend[0] + part->bend[1] * d;
    long double left = part->left[0] + d * (part->left[1] + part->left[2] * d);
    return fmaxl(0, p->line_rss - (left > 0 ? bend * bend / left : 0));
}

/* The first point beyond b. */
static size_t first_beyond(const ws_broken_points *p, double b)
{
    size_t k = 0;
    while (k < p->n_distinct && !(p->x[p->first[k]] > b))
        k++;
    return p->first[k];
}

double ws_broken_rss(const ws_broken_points *p, double b)
{
    bend_part part = part_beyond(p, first_beyond(p, b));
    return (double)part_rss(p, &part, (long double)b - p->x[0]);
}

void ws_broken_curve(const ws_broken_points *p, double b, double c[3])
{
    bend_part part = part_beyond(p, first_beyond(p, b));
    const long double *all = p->sum + 6 * p->n;
    long double d = (long double)b - p->x[0], left = part.left[0] + d * (part.left[1] + part.left[2] * d);
    long double bend = left > 0 ? (part.bend[0] + part.bend[1] * d) / left : 0;
    long double slope = (p->xy - bend * (part.xz[0] + part.xz[1] * d)) / p->xx;
    c[0] = (double)((all[3] - slope * all[1] - bend * (part.z[0] + part.z[1] * d)) / all[0] - slope * p->x[0]);
    c[1] = (double)slope;
    c[2] = (double)bend;
}

/* The d farthest on the way from `near` to `far`, between two neighbouring x, with an rss within the limit: where
 * bend^2
 * - gain left, a parabola, is not below zero. NaN where there is none. */
static long double farthest_in_part(const bend_part *part, long double gain, long double near, long double far)
{
    const long double *b = part->bend, *l = part->left;
    long double c0 = b[0] * b[0] - gain * l[0], c1 = 2 * b[0] * b[1] - gain * l[1], c2 = b[1] * b[1] - gain * l[2];
    if (c0 + far * (c1 + far * c2) >= 0)
        return far;
    long double root = sqrtl(c1 * c1 - 4 * c0 * c2), half = -(c1 + copysignl(root, c1)) / 2;
    long double found = NAN, roots[] = {half / c2, c0 / half};
    for (int i = 0; i < 2; i++) {
        bool inside = (roots[i] - near) * (far - roots[i]) >= 0;
        if (inside && !(fabsl(roots[i] - far) >= fabsl(found - far)))
            found = roots[i];
    }
    return found;
}

double ws_broken_farthest(const ws_broken_points *p, double b, double bound, double limit)
{
    long double gain = p->line_rss - limit, x0 = p->x[0];
    bool upward = bound > b;
    for (size_t step = 0; step + 1 < p->n_distinct; step++) {
        size_t j = upward ? p->n_distinct - 2 - step : step; /* between distinct x j and j + 1, the farthest first */
        double low = fmax(p->x[p->first[j]], fmin(b, bound)), high = fmin(p->x[p->first[j + 1]], fmax(b, bound));
        if (!(low < high))
            continue;
        bend_part part = part_beyond(p, p->first[j + 1]);
        long double found = farthest_in_part(&part, gain, (upward ? low : high) - x0, (upward ? high : low) - x0);
        if (!isnan(found))
            return (double)(x0 + found);
    }
    return b;
}

double ws_broken_line_rss(const ws_broken_points *p)
{
    return (double)fmaxl(0, p->line_rss);
}

static void consider(ws_broken *best, double b, double rss)
{
    if (rss < best->rss)
        *best = (ws_broken){b, rss};
}

/* Breaks from the second distinct x to the last but one. */
ws_broken ws_broken_find(const ws_broken_points *p)
{
    ws_broken best = {NAN, INFINITY};
    for (size_t k = 1; k + 1 < p->n_distinct; k++) {
        bend_part part = part_beyond(p, p->first[k + 1]);
        consider(&best, p->x[p->first[k]], (double)part_rss(p, &part, (long double)p->x[p->first[k]] - p->x[0]));
        if (k + 2 >= p->n_distinct)
            break;
        line before = line_through(p, 0, p->first[k + 1]), after = line_through(p, p->first[k + 1], p->n);
        double meet = (double)(p->x[0] + (before.intercept - after.intercept) / (after.slope - before.slope));
        if (meet > p->x[p->first[k]] && meet < p->x[p->first[k + 1]])
            consider(&best, meet, (double)(before.rss + after.rss));
    }
    return best;
}
