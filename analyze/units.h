/* What counts as one observation: the same run once, however many rows hold it, and repeats of one configuration
 * together. */
#ifndef WS_ANALYZE_UNITS_H
#define WS_ANALYZE_UNITS_H

#include "core/arena.h"
#include "core/table.h"

#include <stdbool.h>
#include <stddef.h>

/* same[row]: the first row of the table that is the same run, the row itself where there is none before it. Two rows
 * are the same run where they agree in every cell but the series, and in the last part of the run's name: a run that
 * stands in two series, or a file that was pasted behind itself. Rows without a name of which so few digits were
 * measured that runs of their own may agree (analyze/chance_repeats.h) are not: alike[row] has them, where it is not
 * NULL. */
void ws_units_same_runs(const ws_table *table, size_t *same, bool *alike);

/* How many of the rows are. */
size_t ws_units_alike(const bool *alike, const size_t *rows, size_t n);
#define WS_UNITS_ALIKE                                                                                             \
    "rows agree with another one in every digit and count as runs of their own: so few digits agree by chance (a " \
    "column with the run's name tells apart; delete what was pasted)"

/* twin[row]: the row counts, and agrees in all numbers with an earlier one of another name, by more digits than runs of
 * their own agree in by chance. Returns how many do. `same`: of ws_units_same_runs. */
size_t ws_units_twins(const ws_table *table, const size_t *same, bool *twin);
#define WS_UNITS_TWINS                                                                                            \
    "runs of other names agree with another one in every digit, more than chance makes agree, and count as runs " \
    "of their own: where it is one run under two names, --exclude one of them"

/* Leaves out, in `rows` of n, what is the same run as an earlier one of them; returns how many are kept. */
size_t ws_units_once(const size_t *same, size_t *rows, size_t n);

/* number[i], below n: the configuration of rows[i]. Its key is the settings by which `scale` groups by default (series,
 * model, device, GPUs or another size, batch sizes, caps), as far as the table has them, and the columns `x`. A column
 * of `x` that was measured (GPU hours, a rate) is not part of the key: it is averaged over the repeats, too. So is a
 * number of an unknown name that differs in every run, by little within a configuration. Returns the number of
 * configurations. */
size_t ws_units_configurations(const ws_table *table, const size_t *rows, size_t n, const size_t *x, size_t n_x,
                               size_t *number);

/* Do two rows of one unit differ in the column? `unit`: each row's, below n, as of ws_units_configurations. */
bool ws_units_differ(const ws_table *table, const size_t *rows, size_t n, const size_t *unit, size_t column);

/* Is `x` averaged over the runs of a unit though its name does not say that it was measured? */
bool ws_units_averages(const ws_table *table, const size_t *rows, size_t n, const size_t *unit, size_t x);

/* What a group of rows pools: by the first of series, model, device and the caps in which they differ. part[i]: the
 * number of the part of rows[i], in the order of their first rows. Returns how many there are, 0 where no such column
 * differs. */
size_t ws_units_parts(const ws_table *table, const size_t *rows, size_t n, size_t *column, size_t *part);

/* The names, with commas between them, of what looks like a setting and differs within a configuration: columns of few
 * values that are neither measured nor tell repeats apart. "" for none. In the arena. */
const char *ws_units_mixed(const ws_table *table, const size_t *rows, size_t n, const size_t *unit, ws_arena *arena);

/* May a column that the table of runs does not know be a setting: do its values come again, and does its name say
 * neither which run it is nor how it went? */
bool ws_units_may_be_setting(const ws_table *table, size_t column);

/* May values of a column be those of a setting, by its name alone? Seeds, repeats and results are none. */
bool ws_units_names_setting(const char *name);

#endif
