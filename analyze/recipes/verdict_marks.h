/* What the verdicts on energies (core/stake.h) say of the rows of a recipe's table: a mark at the row and a footnote
 * for people, columns for programs.
 *
 *   *  a doubtful energy, with the codes of what speaks against it
 *   †  a mean without runs whose energy cannot be used, with their names
 *   ‡  an energy that cannot be used */
#ifndef WS_ANALYZE_VERDICT_MARKS_H
#define WS_ANALYZE_VERDICT_MARKS_H

#include "core/table.h"

#include <stdint.h>

/* What a row of a table shows; SIZE_MAX for neither. */
typedef struct ws_row_origin {
    size_t run, configuration; /* rows of the runs, of the configurations */
} ws_row_origin;

/* Do the configurations leave runs out? Else every run counts, whatever its verdict. */
bool ws_leaves_runs_out(const ws_table *scale);

/* A copy of those of all runs that count in the configurations. `counted` is initialised here. */
void ws_copy_counted_runs(const ws_table *runs, const ws_table *scale, ws_table *counted);

/* Adds to `out`, whose rows come from `origins`: the column energy_verdict where one is not ok; n_runs and n_unusable
 * where a configuration leaves runs out; marks and footnotes. `runs` are all, those that are left out, too. */
void ws_tell_verdicts(const ws_table *runs, const ws_table *scale, const ws_row_origin *origins, ws_table *out);

/* For a table whose rows are neither runs nor configurations: a footnote with the runs that are left out, and where it
 * rests on their energies one with the doubtful ones. */
void ws_tell_runs_left_out(const ws_table *runs, const ws_table *scale, bool rests_on_energy, ws_table *out);

#endif
