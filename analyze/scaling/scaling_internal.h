/* What the steps of ws_scale (scaling.h) share: rows of runs become configurations (scaling_configurations.c), these
 * get a reference each (scaling_references.c), and then the table is filled (scaling.c). */
#ifndef WS_ANALYZE_SCALING_INTERNAL_H
#define WS_ANALYZE_SCALING_INTERNAL_H

#include "analyze/scaling/ratios.h"
#include "analyze/scaling/scaling.h"

typedef struct ws_configuration {
    size_t first; /* row of the runs that stands for it */
    size_t *rows, n_rows, capacity;
    size_t *left_out, n_left_out, left_out_capacity; /* rows that cannot be used */
    ws_scaled scaled;
    size_t series;                        /* the first configuration of the same series, which keeps the sums of all: */
    double squares[WS_OF_N], df[WS_OF_N]; /* of the logarithms about the means of their configurations */
    size_t n_series_rows;                 /* and how many rows they have */
    size_t next;                          /* the next configuration of the series; SIZE_MAX behind the last */
    size_t compared;                      /* the first of those that are compared by one work; mostly of the series */
    size_t reference;                     /* configuration index; SIZE_MAX for none */
    size_t *references, n_references;     /* several that say the same, whose runs are one reference; in the arena */
    ws_scaled *against;                   /* of all their runs; NULL where there is one */
} ws_configuration;

typedef struct ws_scaler {
    const ws_table *runs;
    const ws_scaling_options *options;
    size_t *group, n_group; /* columns of the runs */
    size_t size;            /* the one that says how large the machine was: GPUs, else nodes, cores, ... */
    size_t setting;         /* the column of a reference COLUMN=VALUE; SIZE_MAX for another reference */
    ws_configuration *configurations;
    size_t n, capacity;
    ws_table *scale;
    size_t *same;    /* units.h */
    size_t *holder;  /* the configuration that holds a row; SIZE_MAX: none */
    size_t *again;   /* the next row that is the same run, a ring; the row itself where there is no other one */
    bool has_shared; /* a run stands in two configurations */
    bool is_pooled;  /* the last answer of ws_scaler_pool: */
    size_t pooled_a, pooled_b;
    ws_pooled pooled[WS_OF_N];
    const char *lonely; /* the column that keeps all configurations apart (find_lonely); NULL: none */
} ws_scaler;

#define WS_JOB_STATE "job_state" /* a column */

/* --- configurations --- */

/* What groups the runs, and what says how large a machine was. WS_USAGE: there is no such column. */
ws_status ws_scaler_choose_group(ws_scaler *s, ws_error *error);
bool ws_scaler_groups_by(const ws_scaler *s, size_t column);

/* The configurations and their rows. WS_DATA: a run stands twice in one of them. */
ws_status ws_scaler_collect(ws_scaler *s, ws_error *error);

/* --- references --- */

/* Which configurations are a series, by which work they are compared, with which of them each is compared, and the
 * means and spreads of that work. WS_USAGE: there is no such reference. */
ws_status ws_scaler_find_references(ws_scaler *s, ws_error *error);

/* Adds the squares about a mean, and how many degrees of freedom they have. */
void ws_add_squares(const ws_spread *spread, double *squares, double *df);

/* --- the spread of two series --- */

/* Fills `holder`, `again` and the chains of series; once the series are known. */
void ws_scaler_index_runs(ws_scaler *s);

/* Of times and of energies, over the runs of both series, each run once. Good until the next call. */
const ws_pooled *ws_scaler_pool(ws_scaler *s, size_t series_a, size_t series_b);

/* What speed-ups compare, by its work (work.h); a table that knows epochs only compares those. */
size_t ws_scaler_time_column(const ws_table *runs);

/* Is there one reference for configurations of several series? */
bool ws_scaler_is_beyond_series(const ws_scaler *s);

/* "gpus=4", and with `whole` the series in front: "lbs256 A100 gpus=4". In the arena of the table. */
const char *ws_configuration_name(const ws_scaler *s, const ws_configuration *configuration, bool whole);

/* Gives references that are named with their series the names that looks have for its parts: the column holds what
 * programs rely on. */
void ws_scaler_show_references(ws_scaler *s);

#endif
