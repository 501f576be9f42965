/* Mean and spread of one quantity over the runs of a configuration. */
#ifndef WS_ANALYZE_SPREAD_H
#define WS_ANALYZE_SPREAD_H

#include "core/table.h"

typedef struct ws_spread {
    size_t n;
    double mean, rmse, sd; /* rmse: about the mean, with divisor n, NaN without values; sd: with n - 1, NaN below two */
} ws_spread;

/* A column of the runs. Where its rows are means: the columns of how many runs each is of and of their spread (n_runs,
 * X_rmse), SIZE_MAX without. */
typedef struct ws_spread_source {
    const ws_table *runs;
    size_t column, n_runs, rmse;
} ws_spread_source;
ws_spread_source ws_spread_source_of(const ws_table *runs, size_t column);

/* The values of a column in these rows of the runs; missing ones do not count. A row that stands alone and is a mean
 * already (n_runs, X_rmse) gives its own. */
ws_spread ws_spread_of(const ws_spread_source *from, const size_t *rows, size_t n_rows);

/* The same of the natural logarithms, to first order where only a mean and its spread are known. No values at all where
 * one is not above zero. */
ws_spread ws_log_spread_of(const ws_spread_source *from, const size_t *rows, size_t n_rows);

/* How many runs the rows stand for: n_rows, or n_runs of a single row that is a mean. */
size_t ws_runs_behind(const ws_spread_source *from, const size_t *rows, size_t n_rows);

#endif
