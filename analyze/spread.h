/* Mean and spread of one quantity over the runs of a configuration. */
#ifndef WS_ANALYZE_SPREAD_H
#define WS_ANALYZE_SPREAD_H

#include "core/table.h"

typedef struct ws_spread {
    size_t n;
    double mean, rmse, sd; /* rmse about the mean with divisor n; sd with n - 1; NaN below one and two values */
} ws_spread;

/* A column of the runs, with those that say of a mean how many runs are behind it and their spread (n_runs, X_rmse);
 * SIZE_MAX where there is none. */
typedef struct ws_spread_source {
    const ws_table *runs;
    size_t column, n_runs, rmse;
} ws_spread_source;
ws_spread_source ws_spread_source_of(const ws_table *runs, size_t column);

/* The values of a column in these rows of the runs; missing ones do not count. A row that stands alone and is a mean
 * already (n_runs, X_rmse) gives its own. */
ws_spread ws_spread_of(const ws_spread_source *from, const size_t *rows, size_t n_rows);

/* The same of the natural logarithms; of a mean that came with its spread to first order. None where a value is not
 * above zero. */
ws_spread ws_log_spread_of(const ws_spread_source *from, const size_t *rows, size_t n_rows);

/* n_rows, or what a mean says. */
size_t ws_runs_behind(const ws_spread_source *from, const size_t *rows, size_t n_rows);

#endif
