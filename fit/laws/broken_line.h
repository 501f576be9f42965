/* The broken line under ws_fit_breakpoint: y = c0 + c1 x + c2 max(x - b, 0), on arrays sorted by x. Internal to fit/.
 */
#ifndef WS_FIT_BROKEN_LINE_H
#define WS_FIT_BROKEN_LINE_H

#include <stddef.h>

typedef struct ws_broken_points {
    size_t n, n_distinct;
    double *x, *y;    /* ascending in x */
    size_t *first;    /* of each distinct x, and n behind the last */
    long double *sum; /* of 1, x, xx, y, xy, yy over the points before i: six values a point; x counted from x[0] */
    long double xx, xy, line_rss; /* of all points about their means, and what one straight line leaves of yy */
    double *work;                 /* n values */
} ws_broken_points;

typedef struct ws_broken {
    double b, rss;
} ws_broken;

/* `skip`: a point to leave out; n for none. */
ws_broken_points ws_broken_gather(const double *x, const double *y, size_t n, size_t skip);
void ws_broken_free(ws_broken_points *points);
void ws_broken_update(ws_broken_points *points); /* after a change of y */

double ws_broken_line_rss(const ws_broken_points *points);      /* of one straight line */
double ws_broken_rss(const ws_broken_points *points, double b); /* with the break held at b */

/* The curve of least squares with the break held at b: y = c[0] + c[1] x + c[2] max(x - b, 0). */
void ws_broken_curve(const ws_broken_points *points, double b, double c[3]);

/* The break farthest from b, on the way to `bound`, whose sum of squares is within the limit; both lie among the x. */
double ws_broken_farthest(const ws_broken_points *points, double b, double bound, double limit);
ws_broken ws_broken_find(const ws_broken_points *points);               /* the least; b NaN below 4 distinct x */
const double *ws_broken_bent(const ws_broken_points *points, double b); /* max(x - b, 0), good until the next call */

#endif
