/* The description of a campaign: which files are runs, what their paths say, what else is known, what is left out.
 *
 * It is what campaign.json holds and what `wattscale scan` proposes. Every text lives in the campaign's arena. */
#ifndef WS_CORE_CAMPAIGN_H
#define WS_CORE_CAMPAIGN_H

#include "core/arena.h"
#include "core/looks.h"
#include "core/stake.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Named texts: the fields of a run ("gpus" = "4"). A later value of a name replaces the earlier one. */
typedef struct ws_field {
    const char *name, *value;
} ws_field;

typedef struct ws_fields {
    ws_field *items;
    size_t n, capacity;
} ws_fields;

const char *ws_fields_get(const ws_fields *fields, const char *name); /* NULL where there is none */
bool ws_fields_hold(const ws_fields *fields, const ws_field *field);  /* one of that name and value */
void ws_fields_set(ws_fields *fields, ws_arena *arena, const char *name, const char *value); /* copies */
const char *ws_fields_text(const ws_fields *fields, ws_arena *arena);                        /* "series=b, seed=1" */
void ws_fields_free(ws_fields *fields);

/* A path pattern: literal text and {fields}, "{series}/{gpus}g{lbs}b/{job}/perun.hdf5". A field takes one or more bytes
 * up to the next literal, never a '/'; {*} takes the same and keeps nothing. Paths are relative to the campaign's
 * folder. */
bool ws_path_match(const char *pattern, const char *path, ws_fields *fields, ws_arena *arena);

typedef struct ws_path_rule {
    const char *match;
    const char *as;      /* a format's name, or NULL; a preset of the description is put in its place when it is read */
    const char *columns; /* a column map, or NULL */
    int64_t period_ns;   /* between rows without a time; 0 where nothing says */
    ws_fields set;       /* fixed fields for what matches */
    const char *ask;     /* "nodes": whether files of the same time are of one run waits for the user's word; or NULL */
} ws_path_rule;

typedef struct ws_side_rule {
    const char *match;
    const char *as;    /* "sacct", "job-log", "torch-list", or NULL to recognise */
    const char *join;  /* for a file of many runs: the field whose value picks the row ("job"); NULL: the file is of the
                          run whose captured fields it shares */
    const char *field; /* for a list of numbers: the run's column that it fills ("error_top1") */
    const char *column; /* of the file that holds the list; NULL: "value" */
    const char *value;  /* "last" (default), "min", "max", "mean", and "100-last", "1-last", "100-max", "1-max" */
} ws_side_rule;

/* Records of when, and mostly where, runs took place: each cuts a run out of continuous logs. */
typedef struct ws_window_rule {
    const char *match;
    const char *as;          /* "sacct", "mllog", or NULL to recognise */
    const char *start, *end; /* columns of the record; NULL: "start" and "end" */
    const char *nodes;       /* column of the node list; NULL: "node_list", where there is one */
} ws_window_rule;

typedef struct ws_exclusion {
    const char *where; /* a condition on the run's columns: "gpus<4", "job=3211179" */
    const char *reason;
} ws_exclusion;

/* Rows under a name, for --only @NAME and --exclude @NAME: those that fulfil every condition. */
typedef struct ws_subset {
    const char *name;
    const char **conditions;
    size_t n;
} ws_subset;

typedef struct ws_explicit_run {
    ws_fields fields;
    const char **files; /* relative to the campaign's folder */
    size_t n_files;
} ws_explicit_run;

typedef struct ws_campaign {
    const char *name, *folder; /* folder: where paths start; "" for the working folder */
    const char *source;        /* the campaign.json, or the folder where there is none */
    bool synthetic;            /* made by a program; every output says so */
    bool excerpts;             /* traces show a part of each run, which lasted job_wall_s */
    ws_fields defaults;
    ws_path_rule *paths;
    size_t n_paths;
    ws_side_rule *side_files;
    size_t n_side_files;
    ws_window_rule *windows;
    size_t n_windows;
    ws_exclusion *exclusions;
    size_t n_exclusions;
    ws_explicit_run *runs;
    size_t n_runs;
    const char **ignore; /* path patterns of files that are neither runs nor side files */
    size_t n_ignore;
    const char **group; /* columns that make a configuration */
    size_t n_group;
    const char *reference; /* of speed-up: "series", "all", "gpus=N"; NULL for the default */
    const char *timezone;  /* for naive stamps, or NULL */
    ws_looks looks;
    ws_subset *subsets;
    size_t n_subsets;
    ws_verdict_rules verdict;
    const char *back_steps; /* "keep", "drop", "sort"; NULL for the default */
    ws_arena arena;
} ws_campaign;

void ws_campaign_free(ws_campaign *campaign); /* leaves a valid empty one */

/* By a file; without one the folder's names say what its runs are, and `source` is the folder. */
bool ws_campaign_is_described(const ws_campaign *campaign);

#endif
