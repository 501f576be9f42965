/* What commands on campaigns share: options, and the way from the DATA argument to a table. */
#ifndef WS_ANALYZE_DATA_H
#define WS_ANALYZE_DATA_H

#include "analyze/commands/cli.h"
#include "analyze/ingest/ingest.h"
#include "analyze/recipes/paper.h"
#include "analyze/scaling/scaling.h"

#define WS_OPTIONS_CAMPAIGN                                                                                        \
    {"as", 0, "FORMAT", "read the traces or the table as this format"},                                            \
        {"columns", 0, "MAP", "for a table: wall_s=time_per_epoch,...; for traces: time=...,power=..."},           \
        {"set", 0, "NAME=VALUE", "a field of every run that has none: gpus=1; may be given again"},                \
        {"period", 0, "SECONDS", "sampling period of traces that hold no time"},                                   \
        {"tz", 0, "ZONE", "zone of stamps that name none"}, WS_OPTIONS_METER, WS_OPTION_THREADS, WS_OPTIONS_TABLE, \
        {"keep-unusable", 0, NULL, "runs whose energy cannot be used count in means and fits like the others"},    \
        {"no-store", 0, NULL, "read the files, whatever 'wattscale ingest' has kept of them"},                     \
    {                                                                                                              \
        "strict", 0, NULL, "a file that cannot be read to its end, or an unusable energy: exit status 3"           \
    }

#define WS_OPTION_PER                                                                          \
    {                                                                                          \
        "per", 0, "WORK",                                                                      \
            "compare runs by: run, epoch or sample; default: epoch where they differ in that " \
            "number alone"                                                                     \
    }

#define WS_OPTIONS_SCALING                                                                                        \
    WS_OPTION_PER, {"group", 0, "COLUMNS", "what makes a configuration: series,gpus,lbs"},                        \
        {"reference", 0, "WHICH", "of speed-up: series (default), all, gpus=N, or a setting as power_cap_w=250"}, \
        {"scaling", 0, "KIND", "strong or weak; default: told by the samples per GPU"},                           \
    {                                                                                                             \
        "sd", 0, NULL, "X_sd (divisor n - 1) beside X_rmse (divisor n)"                                           \
    }

/* The fields of --set, in the arena; false after a message. */
bool ws_cli_take_set(const ws_cli *cli, ws_fields *fields, ws_arena *arena);

/* The runs behind the CAMPAIGN argument, with --set and --exclude applied. Returns an exit status; after anything but 0
 * a message was printed. The caller frees both, always. */
int ws_data_runs(const ws_cli *cli, const char *path, ws_campaign *campaign, ws_table *runs);

/* Groups of rows that agree in the columns named by `by` ("series,device", NULL for one group of all rows), in the
 * order of their first rows. */
typedef struct ws_row_group {
    const char *label; /* "series=a device=b", "all" */
    size_t *rows, n, capacity;
    size_t n_again; /* rows left out, since they are the same run as one that is in */
    size_t n_alike; /* rows that agree with one that is in by rounding, and count */
    size_t n_twins; /* rows that agree with one of another name by more than chance, and count */
} ws_row_group;

typedef struct ws_row_groups {
    ws_row_group *items;
    size_t n, capacity;
} ws_row_groups;

/* --per, checked: NULL where it is not given; false after a message. */
bool ws_data_per(const ws_cli *cli, const char **per);

/* What grows with the work of a run, of the columns `names` (NULL-ended, each NULL passed over by `n`), made that of an
 * epoch or a sample in each group of rows by --per or the rule of work.h, with a note to `notes` that names them.
 * Nothing happens where a column is the number of epochs itself. works[i]: of groups->items[i]; may be NULL. */
void ws_data_equal_work(const ws_cli *cli, ws_table *table, const ws_row_groups *groups, const char *const *names,
                        size_t n, ws_work *works);

/* The same for groups whose points share axes: one work for all, that of an epoch where some are compared so and all
 * rows say their epochs. Returns it. */
ws_work ws_data_one_work(const ws_cli *cli, ws_table *table, const ws_row_groups *groups, const char *const *names,
                         size_t n);

/* Is --per of use where these columns are drawn, fitted or correlated? False after a message. */
bool ws_data_per_has_use(const ws_cli *cli, const ws_table *table, const char *const *names, size_t n);

/* "wall_s per epoch" where `name` was made so in all groups; else the name. */
const char *ws_data_work_words(ws_cli *cli, const char *name, const ws_work *works, size_t n_groups);

/* The configurations of these runs, as --group, --reference, --scaling, --per and the campaign say; `members` may be
 * NULL. */
int ws_data_scale(const ws_cli *cli, const ws_campaign *campaign, const ws_table *runs, ws_scale_members *members,
                  ws_table *scale);

/* The same for recipes of a paper, whose names the series get (paper.h). `paper` may be NULL. */
int ws_data_scale_named(const ws_cli *cli, const ws_paper *paper, const ws_campaign *campaign, const ws_table *runs,
                        ws_table *scale);

/* Leaves out the runs whose energy cannot be used, by name, unless --keep-unusable is given. ws_data_scale counts them
 * and ws_data_table has left them out. */
void ws_data_leave_out(const ws_cli *cli, ws_table *runs);

/* Any table for a fit: the columns of a CSV or JSON table as they stand when it has all the `needed` ones (NULL-ended),
 * else the runs of a campaign or tidy table. --exclude is applied, and what cannot be used is left out. */
int ws_data_table(const ws_cli *cli, const char *path, const char *const *needed, ws_table *table);

/* The column, or a message that lists those there are. */
bool ws_data_column(const ws_cli *cli, const ws_table *table, const char *name, size_t *column);

/* Nothing was left to work on: says which of the columns (NULL-ended) has no value in any row. Returns WS_DATA. */
ws_status ws_data_none_left(const ws_table *table, const char *const *columns, ws_error *error);

/* --level of intervals, 0.95 where it is not given; false after a message. */
bool ws_data_level(const ws_cli *cli, double *level);

/* --unit: configuration, or run; false after a message. */
bool ws_data_unit(ws_cli *cli, bool *by_run);

/* A sentence of fit/, which knows arrays and speaks of x and y, with the columns' names instead. */
void ws_data_words(const char *sentence, const char *x, const char *y, char *out, size_t size);

/* Split "a,b,c" into texts of the cli's arena. Returns how many. */
size_t ws_data_list(ws_cli *cli, const char *text, const char ***items);

/* The same run counts once in a group, unless --unit run says otherwise (units.h). False after a message. The labels
 * live in the cli's arena. */
bool ws_data_group(ws_cli *cli, const ws_table *table, const char *by, ws_row_groups *groups);
/* Says how many rows of the group were left out, and why. */
void ws_data_note_again(const ws_cli *cli, ws_notes *notes, const ws_table *table, const ws_row_group *group);

/* Says that x, whose name says nothing, is averaged with y as ws_units_averages has it. */
void ws_data_note_averaged(ws_notes *notes, const ws_table *table, const ws_row_group *group, const char *x);

/* The parts that a group pools: by the first of series, model, device and the caps that differs among these rows of the
 * table. parts->items[k].rows are places among `rows`. Returns the column's name; NULL, and no parts, where none
 * differs. */
const char *ws_data_parts(ws_cli *cli, const ws_table *table, const size_t *rows, size_t n, ws_row_groups *parts);
void ws_row_groups_free(ws_row_groups *groups);

#endif
