#include "fit/linear/ties.h"

#include "core/arena.h"

#include <gsl/gsl_sort.h>
#include <stdlib.h>

ws_ties ws_ties_of(const double *value, size_t n)
{
    double *sorted = ws_realloc(NULL, n, sizeof *sorted);
    ws_ties found = {0};
    for (size_t i = 0; i < n; i++)
        sorted[i] = value[i];
    gsl_sort(sorted, 1, n);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && sorted[end] == sorted[first]; end++)
            ;
        double t = (double)(end - first);
        found.pairs += t * (t - 1) / 2;
        found.triples += t * (t - 1) * (t - 2);
        found.weighted += t * (t - 1) * (2 * t + 5);
    }
    free(sorted);
    return found;
}
