/* How many different places were measured: repeats of one do not add any. */
#include "core/arena.h"
#include "fit/estimate.h"

#include <stdlib.h>

typedef struct row {
    size_t n; /* values of it: in every row, since qsort hands over nothing else */
    double value[WS_FIT_MAX_ESTIMATES];
} row;

static int compare_rows(const void *a, const void *b)
{
    const row *one = a, *other = b;
    for (size_t j = 0; j < one->n; j++)
        if (one->value[j] < other->value[j] || one->value[j] > other->value[j])
            return one->value[j] < other->value[j] ? -1 : 1;
    return 0;
}

size_t ws_count_rows(const double *const *column, size_t p, size_t n)
{
    row *rows = ws_realloc(NULL, n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        rows[i].n = 0;
        for (size_t j = 0; j < p; j++)
            if (column[j])
                rows[i].value[rows[i].n++] = column[j][i];
    }
    qsort(rows, n, sizeof *rows, compare_rows);
    size_t count = n > 0;
    for (size_t i = 1; i < n; i++)
        count += compare_rows(&rows[i - 1], &rows[i]) != 0;
    free(rows);
    return count;
}

size_t ws_count_distinct(const double *value, size_t n)
{
    return ws_count_rows(&value, 1, n);
}
