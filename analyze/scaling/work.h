/* Which work times and energies are compared by: that of a whole run, of an epoch, or of a sample. The one rule for
 * configurations, figures, tables, fits, correlations and advice (docs/methods.md, "Unequal work"). */
#ifndef WS_ANALYZE_WORK_H
#define WS_ANALYZE_WORK_H

#include "core/table.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ws_work { WS_PER_RUN = 0, WS_PER_EPOCH, WS_PER_SAMPLE } ws_work;

const char *ws_work_name(ws_work work); /* "run", "epoch", "sample" */
bool ws_work_named(const char *name, ws_work *work);

/* Rows of a table that are compared with each other: a series, or a group of a fit. */
typedef struct ws_compared {
    const ws_table *table;
    const size_t *rows;
    const size_t *unit; /* unit[i], below n: the configuration of rows[i] */
    size_t n;
    bool is_weak; /* equal work a GPU, told by the user or by ws_work_is_weak */
} ws_compared;

/* Is it weak scaling: the same samples for a GPU to see (within 1 %, for data sets cut to whole samples) in rows that
 * differ in the column `size`? */
bool ws_work_is_weak(const ws_table *table, const size_t *rows, size_t n, size_t size);

/* WS_PER_EPOCH where the rows differ only in their number of epochs, which each configuration has one of; WS_PER_SAMPLE
 * where they say no epochs, and hold different numbers of samples by their samples a second; else WS_PER_RUN. Where the
 * work differs and runs are compared all the same, *why says what is not known (a note for the reader), else it is
 * NULL. Weak scaling and runs to a target (a column whose name says so, repeats that took different numbers of epochs)
 * stay whole runs. */
ws_work ws_work_of(const ws_compared *rows, const char **why);

/* Says in a note that the rows called `name` are compared per epoch, or why their work is not known; nothing of equal
 * work. */
void ws_work_note(const ws_compared *rows, ws_work work, const char *why, const char *name, ws_notes *notes);

/* Does the column name what runs were to reach, as target_accuracy and target_metric? */
bool ws_is_target(const char *column);

/* Is it a time or an energy, or what is in proportion to them: a quantity that grows with the work of a run? */
bool ws_grows_with_work(const char *column);

/* How much work a row holds: 1, its epochs, or the samples that it saw (epochs x dataset_samples, else samples_per_s x
 * wall_s); NaN where it does not say. */
double ws_work_in(const ws_table *table, ws_work work, size_t row);

/* The value of a column in a row, for that work; of wall_s an epoch a recorded epoch_s. A column that does not grow
 * with the work is as it is. */
double ws_work_value(const ws_table *table, ws_work work, size_t column, size_t row);

/* A table of "wall_s" and "energy_kwh", a row for each of `runs` by the work of that row, with n_runs, wall_s_rmse and
 * energy_kwh_rmse where the runs are means. `time` is the column of the runs that wall_s is taken from: a time, or
 * samples_per_s for that of a sample. */
void ws_work_table(const ws_table *runs, const ws_work *of_row, size_t time, ws_table *table);

#endif
