/* Equal values among many, which make the variance of a statistic of ranks smaller. */
#ifndef WS_FIT_TIES_H
#define WS_FIT_TIES_H

#include <stddef.h>

/* Sums over groups of t equal values: of t (t - 1) / 2, of t (t - 1) (t - 2) and of t (t - 1) (2 t + 5). */
typedef struct ws_ties {
    double pairs, triples, weighted;
} ws_ties;

ws_ties ws_ties_of(const double *value, size_t n);

#endif
