/* What the files of `wattscale advise` share: configurations of one group, and rows of the answer. */
#ifndef WS_ANALYZE_ADVISE_H
#define WS_ANALYZE_ADVISE_H

#include "analyze/commands/data.h"

/* Means over the runs of one GPU count, or of one cap. */
typedef struct ws_choice_point {
    double choice; /* GPUs, or the cap */
    double time_h, energy_kwh, error;
    size_t n_runs;
    double front_probability, front_error; /* NaN: not known; its Monte Carlo error */
} ws_choice_point;

typedef struct ws_advice {
    ws_cli *cli;
    const ws_table *data;
    ws_table out;
    const char *choice_name, *time_name, *energy_name, *error_name; /* columns; error_name may be NULL */
    size_t choice, time, energy, error;
    double to_hours, to_kwh; /* by the units in the columns' names */
    double level, risk, deadline_h, budget_kwh, slowdown, beyond;
    double epochs; /* 0: those of the fewest GPUs */
    size_t per_node;
    double energy_u;     /* known_to.h: of all rows */
    double gpus_of_node; /* by the columns gpus and nodes; NaN where they do not say it */
    const struct ws_advice_law *law;
    bool is_cap;          /* the choice is a cap, not a number of GPUs */
    const char *why_none; /* a group has no advice; NULL: all have */
    bool without_draws;   /* too many groups for ranges of answers and probabilities of the front */
} ws_advice;

typedef struct ws_choice_points {
    ws_choice_point *items; /* ascending choice */
    size_t n;
    double *choice, *time_h, *energy_kwh, *error; /* of each run, for fits */
    size_t n_runs;
} ws_choice_points;

void ws_advice_table(ws_table *table, const char *choice);

/* A row; NaN and NULL are cells that are missing. */
typedef struct ws_advice_row {
    const char *basis, *question, *on_front, *limited_by, *flag, *status;
    double choice, choice_se, choice_lo, choice_hi, time_h, energy_kwh, error, front_probability, front_error;
    size_t n_runs;
} ws_advice_row;
void ws_advice_add(ws_advice *advice, const char *group, const ws_advice_row *row);
void ws_advice_say(ws_advice *advice, const char *group, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

ws_advice_row ws_advice_measured(const ws_choice_point *point); /* of no question yet */
void ws_advice_add_measured(ws_advice *advice, const char *group, const char *question, const ws_choice_point *point,
                            const char *on_front);
void ws_advice_add_none(ws_advice *advice, const char *group, const char *basis, const char *question);

/* Answers from the law through the runs of a group. */
ws_status ws_advise_gpus(ws_advice *advice, const char *group, const ws_choice_points *points, ws_error *error);
ws_status ws_advise_caps(ws_advice *advice, const char *group, const ws_choice_points *points, ws_error *error);

#endif
