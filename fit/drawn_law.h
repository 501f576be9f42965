/* The law of a statistic under its null hypothesis, drawn once for each design: thousands of groups have a few sets of
 * x, and where the law depends on these alone its draws are the same for all. */
#ifndef WS_FIT_DRAWN_LAW_H
#define WS_FIT_DRAWN_LAW_H

#include <stddef.h>

enum { WS_DRAWN_LAW_DRAWS = 999 };

/* Writes WS_DRAWN_LAW_DRAWS values, in any order, from a fixed seed. */
typedef void ws_draw_law(void *state, double *statistic);

/* The draws, smallest first: those of an earlier call by this thread with the same `draw` and bit for bit the same n
 * numbers of the design, else `draw(state)` is called. Good until the next call. */
const double *ws_drawn_law(ws_draw_law *draw, void *state, const double *design, size_t n);

/* How many draws are at least, or at most, this value. */
size_t ws_drawn_at_least(const double *drawn, double value);
size_t ws_drawn_at_most(const double *drawn, double value);

#endif
