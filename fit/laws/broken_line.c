/* For a given side of b for every point the best two lines are known, and either they meet there or b lies on a point:
 * so the least of finitely many sums of squares is the minimum, without a search. Hudson 1966, JASA 61. */
#include "fit/laws/broken_line.h"

#include "core/arena.h"

#include <gsl/gsl_sort.h>
#include <math.h>
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

/* rss with the break held at b: the bend's part is taken out of x and y first, each by sums over points beyond. */
double ws_broken_rss(const ws_broken_points *p, double b)
{
    const double *z = ws_broken_bent(p, b);
    long double n = (long double)p->n, x0 = p->x[0], sx = p->sum[6 * p->n + 1], sy = p->sum[6 * p->n + 3];
    long double xx = p->sum[6 * p->n + 2] - sx * sx / n, xy = p->sum[6 * p->n + 4] - sx * sy / n,
                yy = p->sum[6 * p->n + 5] - sy * sy / n, sz = 0, zz = 0, xz = 0, yz = 0;
    for (size_t i = 0; i < p->n; i++)
        sz += z[i];
    for (size_t i = 0; i < p->n; i++) {
        long double off = z[i] - sz / n;
        zz += off * off;
        xz += off * (p->x[i] - x0);
        yz += off * p->y[i];
    }
    long double left = zz - xz * xz / xx, bend = yz - xz * xy / xx;
    return (double)fmaxl(0, yy - xy * xy / xx - (left > 0 ? bend * bend / left : 0));
}

double ws_broken_line_rss(const ws_broken_points *p)
{
    return (double)line_through(p, 0, p->n).rss;
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
        consider(&best, p->x[p->first[k]], ws_broken_rss(p, p->x[p->first[k]]));
        if (k + 2 >= p->n_distinct)
            break;
        line before = line_through(p, 0, p->first[k + 1]), after = line_through(p, p->first[k + 1], p->n);
        double meet = (double)(p->x[0] + (before.intercept - after.intercept) / (after.slope - before.slope));
        if (meet > p->x[p->first[k]] && meet < p->x[p->first[k + 1]])
            consider(&best, meet, (double)(before.rss + after.rss));
    }
    return best;
}
