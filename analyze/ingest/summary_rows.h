/* Rows of a table of runs that are no runs: those at its end that sum the others up, and parts of a run. */
#ifndef WS_ANALYZE_SUMMARY_ROWS_H
#define WS_ANALYZE_SUMMARY_ROWS_H

#include "formats/campaign.h"
#include "core/table.h"

/* Leaves out rows called "total", "mean" and the like where their numbers are the sums or means of the rows above them
 * (note "total-row"), and spreads that stand beside such. */
void ws_drop_summary_rows(ws_table *runs);

/* Rows of one run's name and one time (within 5 %), each of another rank, node or GPU, may be parts of it: they lose
 * their energies and get the status ask:nodes. Those of a job's named nodes, with nothing but times and energies,
 * become a row with their sum. `defaults` that say of how many nodes a row is leave all as they are. */
void ws_settle_parts(ws_table *runs, const ws_fields *defaults);

#endif
