/* What the files of `wattscale fit` share: points of a group, models, and views (the tables that an option asks for).
 */
#ifndef WS_ANALYZE_FIT_PARTS_H
#define WS_ANALYZE_FIT_PARTS_H

#include "analyze/commands/data.h"
#include "fit/means.h"
#include "fit/test.h"
#include "fit/linear/weighted.h"

struct ws_fitter;

/* The two halves of the command. ws_fit_open reads the arguments (MODEL and DATA), the data and its groups, all filled
 * from empty and freed by the caller; ws_fit_fill makes the table that is asked for. After anything but WS_EXIT_OK a
 * message was printed. */
int ws_fit_open(struct ws_fitter *fitter, ws_table *data, ws_row_groups *groups);
int ws_fit_fill(struct ws_fitter *fitter, const ws_row_groups *groups, ws_table *out);

/* The rows of a group that have every value; by --unit configuration the means over repeats, with the first row of
 * each. */
typedef struct ws_fit_points {
    double *x, *y, *residual;
    double *sd_x, *sd_y, *correlation; /* NULL where no option names such a column */
    double *rmse, *n_runs; /* of the means that a table of configurations holds; powerlaw --weights, else NULL */
    size_t *rows, n, without;
    double energy_u;            /* known_to.h: up to what common factor y is known; else 0 */
    const char *mixed;          /* settings that differ among the repeats that were averaged; "" for none */
    bool averages_x;            /* x differs among them, and only its values say that it was measured */
    struct ws_fit_points *runs; /* what was averaged; NULL where every configuration has one run */
    ws_means means;
} ws_fit_points;

enum { WS_FIT_TESTS = 6 };
enum { WS_FIT_SD_X, WS_FIT_SD_Y, WS_FIT_CORRELATION, WS_FIT_RMSE, WS_FIT_N_RUNS, WS_FIT_EXTRA }; /* columns */
typedef struct ws_fit_result {
    ws_fit fit;
    ws_test test[WS_FIT_TESTS]; /* rows behind the estimates */
    size_t n_tests;
} ws_fit_result;

typedef enum ws_fit_weights {
    WS_WEIGHTS_POOLED = 0,
    WS_WEIGHTS_OWN,
    WS_WEIGHTS_NONE,
    WS_WEIGHTS_PROPORTIONAL, /* line: errors in proportion to y, weights 1/y^2 */
    WS_WEIGHTS_ALIKE         /* the means of configurations, each as much as the other */
} ws_fit_weights;

/* The options that several models or views know. */
typedef struct ws_fit_settings {
    double level, lambda, margin, beyond;
    bool has_hc, in_logs; /* in_logs: laws and repeats by least squares of ln y */
    bool equal_errors;    /* line, powerlaw: standard errors of errors of one size (in logs: in proportion to y) */
    bool by_run;          /* every run a point; else the means of configurations */
    bool is_bare;         /* estimates alone: no tests, profiles or leave-one-out errors */
    const double *near;   /* parameters of a law near which its own lie, as those of all runs near those of the means */
    ws_hc hc;
    ws_fit_weights weights;
    size_t draws, degree; /* degree: of a polynomial */
    uint64_t seed;
    const char *bootstrap; /* "pairs", "residual" or "within" */
    const char **laws;     /* of a choice */
    size_t n_laws;
    double *at; /* places of a prediction */
    size_t n_at;
} ws_fit_settings;

typedef ws_status ws_fit_function(const ws_fit_settings *settings, const ws_fit_points *points, ws_fit_result *result,
                                  ws_error *error);

enum {
    WS_FIT_READS_ERRORS = 1,
    WS_FIT_READS_WEIGHTS = 2,
    WS_FIT_READS_LAMBDA = 4,
    WS_FIT_READS_DEGREE = 8,
    WS_FIT_READS_LAWS = 16,
    WS_FIT_READS_SD_X = 32,
    WS_FIT_READS_SD_Y = 64,
    WS_FIT_READS_CORRELATION = 128,
    WS_FIT_READS_MARGIN = 256
};

struct ws_fit_view;
typedef struct ws_fit_model {
    const char *name;
    ws_fit_function *fit; /* NULL: `view` works alone */
    bool in_logs;         /* residuals are differences of natural logarithms */
    bool takes_logs;      /* --logs makes them so */
    bool logs_unless_not; /* ... and so does nothing: --no-logs takes y itself */
    bool by_run;          /* its points are runs, whatever --unit says */
    bool without_x;
    bool needs_sd;         /* of every x and y */
    bool refits;           /* resampling fits it again */
    bool lacks;            /* plain least squares, quick to do again: repeats tell whether it lacks fit */
    bool pools_factors;    /* one factor between y and x, which pooled groups may differ in */
    bool bends;            /* a law of powers: pooled groups are told apart in logarithms, whatever it is fitted in */
    bool is_linear;        /* one line on its scale: it has diagnostics and a comparison of slopes */
    bool is_logs_line;     /* with --logs it is a line of ln y on ln x, whose slope is a number */
    bool has_jumps;        /* moves in jumps as points leave, which the jackknife cannot follow (Efron 1982, 3.4) */
    bool predicts_no_logs; /* no --predict with --logs */
    unsigned reads;        /* WS_FIT_READS_...: options that not all models read */
    unsigned weights;      /* 1 << ws_fit_weights: what --weights may be */
    void (*allow_factor)(const double *x, const double *y, double relative, double level,
                         ws_fit *fit); /* takes up that y is known up to a common factor; NULL: each estimate does */
    const char *instead;               /* why there is no --predict, and what predicts; or NULL */
    const struct ws_fit_view *view;
} ws_fit_model;

const ws_fit_model *ws_fit_model_find(const char *name); /* NULL where there is none */
/* "line, origin and powerlaw": those that `knows` says; NULL: all. */
const char *ws_fit_model_list(ws_arena *arena, bool (*knows)(const ws_fit_model *model));

typedef struct ws_fitter {
    ws_cli *cli;
    const ws_fit_model *model;
    const struct ws_fit_view *view;
    ws_fit_settings settings;
    const ws_table *data;
    const char *x_name, *y_name, *extra_name[WS_FIT_EXTRA];
    size_t x, y, extra[WS_FIT_EXTRA];
    size_t n_points, n_failed;
    ws_error first; /* what the first group that failed says */
    ws_table *out;
} ws_fitter;

/* A table that stands for the estimates. `add` works on one group at a time, `whole` on all of them together. */
typedef struct ws_fit_view {
    const char *option; /* that asks for it; NULL for the estimates and for views of a model's own */
    bool (*knows)(const ws_fit_model *model); /* NULL: all models */
    void (*init)(ws_table *table);
    ws_status (*add)(ws_fitter *fitter, const ws_row_group *group, const ws_fit_points *points, ws_error *error);
    ws_status (*whole)(ws_fitter *fitter, const ws_row_groups *groups, ws_error *error);
    void (*add_failure)(ws_fitter *fitter, const ws_row_group *group, const ws_fit_points *points); /* or NULL */
} ws_fit_view;

extern const ws_fit_view ws_fit_view_estimates, ws_fit_view_residuals, ws_fit_view_choose, ws_fit_view_compare,
    ws_fit_view_printed, ws_fit_view_diagnostics, ws_fit_view_bootstrap, ws_fit_view_jackknife, ws_fit_view_predict;

/* Columns of a view: name and kind, ended by a NULL name. */
typedef struct ws_fit_column {
    const char *name;
    ws_column_kind kind;
} ws_fit_column;
void ws_fit_columns(ws_table *table, const char *name, const ws_fit_column *columns);

typedef enum ws_fit_dimension {
    WS_FIT_OF_Y, /* of parameters that no table names, too */
    WS_FIT_OF_X,
    WS_FIT_Y_PER_X,
    WS_FIT_Y_PER_POWER_OF_X, /* "x^2", of a polynomial */
    WS_FIT_NUMBER
} ws_fit_dimension;
ws_fit_dimension ws_fit_dimension_of(const char *parameter);

/* For points->energy_u: how far the energies of the points may be off together; 0 where y is none, or x is one, too. */
double ws_fit_energy_u(const ws_fitter *fitter, const ws_fit_points *points);

ws_fit_points ws_fit_take(const ws_fitter *fitter, const ws_row_group *group);
void ws_fit_points_free(ws_fit_points *points);

/* A sentence of fit/ as a note, with the columns' names for x and y. */
void ws_fit_note(ws_fitter *fitter, const char *subject, const char *sentence);

/* Are residuals differences of natural logarithms, by the model or by --logs? */
static inline bool ws_fit_in_logs(const ws_fitter *fitter)
{
    return fitter->model->in_logs || fitter->settings.in_logs;
}

/* A note where a fit pools series, models, devices or caps whose slopes, or levels at one slope, differ: on the scale
 * of the fit. */
void ws_fit_note_parts(ws_fitter *fitter, const ws_row_group *group, const ws_fit_points *points);

/* Fit the model; the caller's result is good also when the status of the fit is not OK. */
ws_status ws_fit_model_run(const ws_fit_model *model, const ws_fit_settings *settings, const ws_fit_points *points,
                           ws_fit_result *result, ws_error *error);

/* False after a message. */
bool ws_fit_settings_read(ws_cli *cli, const ws_fit_model *model, const char *x_name, ws_fit_settings *settings);
bool ws_fit_laws_read(ws_cli *cli, ws_fit_settings *settings);

#endif
