/* The broken line under ws_fit_breakpoint: y = c0 + c1 x + c2 max(x - b, 0), on arrays sorted by x. Internal to fit/.
 */
#ifndef WS_FIT_BROKEN_LINE_H
#define WS_FIT_BROKEN_LINE_H

#include <stddef.h>

typedef struct ws_broken_points {
    size_t n, n_distinct;
    double *x, *y;    /* ascending in x */
    size_t *first;    /* of each distinct x, and n behind the last */
    long double *sum; /* of 1, x, xx, y, xy, yy over the points before i: six values a point */
    double *work;     /* n values */
} ws_broken_points;

typedef struct ws_broken {
    double b, rss;
} ws_broken;

/* `skip`: a point to leave out; n for none. */
ws_broken_points ws_broken_gather(const double *x, const double *y, size_t n, size_t skip);
void ws_broken_free(ws_broken_points *points);
void ws_broken_update(ws_broken_points *points); /* after a change of y */

double ws_broken_line_rss(const ws_broken_points *points);              /* of one straight line */
double ws_broken_rss(const ws_broken_points *points, double b);         /* with the break held at b */
ws_broken ws_broken_find(const ws_broken_points *points);               /* the least; b NaN below 4 distinct x */
const double *ws_broken_bent(const ws_broken_points *points, double b); /* max(x - b, 0), good until the next call */

#endif
