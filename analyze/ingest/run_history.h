/* What a campaign's ingest knows of each run and its table does not hold: the devices behind the sums, the files, the
 * window, who said what, and the columns as they stood after each stage. `wattscale explain` reads it.
 *
 * Made only where ws_ingest_options.history asks for it. One thread at a time. Texts live in the arena. */
#ifndef WS_ANALYZE_RUN_HISTORY_H
#define WS_ANALYZE_RUN_HISTORY_H

#include "analyze/ingest/run_columns.h"
#include "analyze/ingest/run_list.h"
#include "analyze/measure/measure.h"

/* A channel that could have given the device its energy, and did not. */
typedef struct ws_history_channel {
    const char *column;
    ws_quantity quantity;
    ws_rule rule;
    bool is_doubtful; /* its reader does not trust it */
    uint64_t samples;
    double energy_j; /* NaN: it gives none */
} ws_history_channel;

/* A device of the run, in the order in which the sums take them. */
typedef struct ws_history_device {
    const char *source, *node, *device, *device_id, *column; /* column: of the energy; "" without */
    ws_domain domain;
    bool counts; /* in the sums, if it has an energy */
    ws_quantity quantity;
    ws_rule rule;
    ws_channel_summary energy;                 /* of the channel that gives the energy; energy_j NaN where none does */
    const ws_channel_summary *util, *mem_util; /* samples 0 where there is none */
    /* Coverage of the run's time: below energy.coverage for a device that was seen for a part of it. */
    double shared_coverage;
    ws_budget budget; /* of its energy, without what it lacks of the run's time */
    ws_stake stake;   /* what its findings leave open, without those of the run as a whole */
    ws_history_channel *others;
    size_t n_others;
} ws_history_device;

typedef struct ws_history_file {
    const char *path, *node, *rule; /* rule: the pattern of the path rule that took it, or NULL */
} ws_history_file;

/* A value that is said of the run, and by whom: "defaults of the campaign". */
typedef struct ws_history_word {
    const char *name, *value, *by;
} ws_history_word;

typedef enum ws_run_stage {
    WS_STAGE_MEASURED = 0, /* traces, and what is said of the run */
    WS_STAGE_JOINED,       /* and side files */
    WS_STAGE_WHOLE,        /* energies of excerpts extended to the run */
    WS_STAGE_N             /* what follows is ws_runs_complete */
} ws_run_stage;

typedef struct ws_run_history {
    int64_t line;   /* of the table; 0 without */
    bool is_traced; /* its devices were metered; else a table or a record says all */
    ws_history_device *devices;
    size_t n_devices;
    ws_history_file *files;
    size_t n_files;
    bool has_window;
    int64_t window_start_ns, window_end_ns;
    size_t window_row, window_nodes;        /* of the record, from 1; 0 nodes: all */
    const char *window_record;              /* its file, or NULL */
    double wall_s;                          /* the longest span of a channel, */
    const char *wall_source, *wall_channel; /* and which that is; NULL without */
    ws_history_word *words;                 /* later ones take precedence */
    size_t n_words, word_capacity;
    bool has_budget;
    ws_budget budget, *domain_budget; /* of the energy, and of each domain, before excerpts are extended */
    double (*stage)[WS_RUN_COLUMN_N]; /* WS_STAGE_N of numbers; NaN for missing ones and for texts */
} ws_run_history;

typedef struct ws_history {
    ws_run_history *runs; /* by row, while the table is made */
    size_t n, capacity;
    ws_run_marks marks;
    ws_arena arena;
} ws_history;
void ws_history_free(ws_history *history); /* leaves a valid empty one */

/* In all of these a NULL history has no effect. Of the run that gets the table's `row`: */
void ws_history_take_devices(ws_history *history, size_t row, const ws_measure *measure, const ws_measure_group *of);
void ws_history_take_budget(ws_history *history, size_t row, const ws_budget *budget, const ws_totals *totals);
void ws_history_take_files(ws_history *history, size_t row, const ws_run_files *files, const ws_run_window *window);
void ws_history_take_fields(ws_history *history, size_t row, const ws_fields *fields, const char *by);
void ws_history_take_word(ws_history *history, size_t row, const char *name, const char *value, const char *by);

/* Of all rows: the numbers as they stand. */
void ws_history_take_stage(ws_history *history, const ws_table *runs, ws_run_stage stage);

/* Before rows are left out: from now on ws_history_find knows them. */
void ws_history_take_names(ws_history *history, const ws_table *runs);

/* The history of a row of the table, whatever rows were left out since; NULL where there is none. */
const ws_run_history *ws_history_find(const ws_history *history, const ws_table *runs, size_t row);

/* The same for who goes through the rows: *from is the one behind the last, 0 at first. */
const ws_run_history *ws_history_find_next(const ws_history *history, const ws_table *runs, size_t row, size_t *from);

#endif
