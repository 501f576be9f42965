/* What the files of `wattscale correlate` share. */
#ifndef WS_ANALYZE_CORRELATE_H
#define WS_ANALYZE_CORRELATE_H

#include "analyze/commands/data.h"
#include "fit/fit.h"

enum { WS_CORRELATE_MOST = WS_FIT_MAX_ESTIMATES - 1 };

/* Columns of the table. */
enum {
    WS_CORRELATE_GROUP,
    WS_CORRELATE_METHOD,
    WS_CORRELATE_Y,
    WS_CORRELATE_X,
    WS_CORRELATE_PARAMETER,
    WS_CORRELATE_N,
    WS_CORRELATE_VALUE,
    WS_CORRELATE_STDERR,
    WS_CORRELATE_CI_LO,
    WS_CORRELATE_CI_HI,
    WS_CORRELATE_P_VALUE,
    WS_CORRELATE_R2,
    WS_CORRELATE_STATUS,
    WS_CORRELATE_N_RUNS
};

typedef struct ws_correlator {
    ws_cli *cli;
    const ws_table *data;
    const char *y_name, **x_names;
    size_t y, *x, n_x;
    const char **columns; /* x_names and y_name, NULL-ended */
    double level;
    size_t draws; /* of a permutation test; 0: none */
    uint64_t seed;
    bool by_run; /* every run a point; else the means of configurations */
    size_t n_points, n_failed;
    ws_error first; /* what the first group that failed says */
    ws_table *out;
} ws_correlator;

/* The rows of a group that have every value, as columns; by --unit configuration the means over repeats. */
typedef struct ws_correlate_values {
    double *x[WS_CORRELATE_MOST], *y;
    size_t *rows; /* of the table; of a mean its first one */
    size_t n, n_runs, without;
} ws_correlate_values;

void ws_correlate_table(ws_table *table);
size_t ws_correlate_row(ws_correlator *c, const ws_row_group *group, const char *method, const char *x, size_t n,
                        const char *status);
void ws_correlate_note(ws_correlator *c, const ws_row_group *group, const char *what, const char *sentence);

/* Rows behind a regression whose status is OK: what each predictor does, and where y stays the same. */
ws_status ws_correlate_effects(ws_correlator *c, const ws_row_group *group, const ws_correlate_values *v,
                               ws_error *error);

/* Rows of the permutation test of y with each x. */
ws_status ws_correlate_permutations(ws_correlator *c, const ws_row_group *group, const ws_correlate_values *v,
                                    ws_error *error);

#endif
