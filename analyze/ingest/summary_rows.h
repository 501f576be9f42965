/* Rows of a table of runs that are no runs: those that sum others up, and parts of a run. */
#ifndef WS_ANALYZE_SUMMARY_ROWS_H
#define WS_ANALYZE_SUMMARY_ROWS_H

#include "analyze/ingest/bare_units.h"
#include "analyze/ingest/run_names.h"
#include "formats/campaign.h"
#include "core/table.h"

/* Leaves out rows called "total", "mean" and the like where their numbers are the sums or means of the rows above them
 * (note "total-row"), and spreads that stand beside such. */
void ws_drop_summary_rows(ws_table *runs);

/* Leaves out rows that say "total" in some column where they are the sums of the other rows of their run, as of its
 * phases (note "total-row"). */
void ws_drop_totals_of_runs(ws_table *runs);

/* A number of GPUs that is less than that of nodes in some row, or the same on several nodes as on fewer, may count
 * those of a node: the column is none of a run's until the user says which (note "column-set-aside"). `is_said`: the
 * map names the column. */
void ws_set_aside_gpus_of_nodes(const ws_table *raw, const bool *is_said, ws_column_meaning *meanings, ws_notes *notes);

/* Rows of one run (`run`, else a column that is called an experiment), each of another rank, node or GPU, may be parts
 * of it: they lose their energies and get the status ask:nodes. Those of a job's named nodes, with nothing but times
 * and energies, become a row with their sum, and so do those that differ in the column which the user named as a part.
 * `defaults` that say of how many nodes a row is leave all as they are. `gpus_are_said`: the user named the
 * column of the run's GPUs. */
void ws_settle_parts(ws_table *runs, const ws_fields *defaults, const ws_told_rows *rows, bool gpus_are_said);

/* Rows of one run that count its epochs or steps, as a log of a training does: its totals so far, what each epoch took,
 * or runs of so many epochs. They lose their energies and get the status ask:rows until the user says which. */
void ws_settle_progress(ws_table *runs, const ws_told_rows *rows);

#endif
