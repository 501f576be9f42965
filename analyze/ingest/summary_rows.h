/* Rows at the end of a table of runs that sum the others up. */
#ifndef WS_ANALYZE_SUMMARY_ROWS_H
#define WS_ANALYZE_SUMMARY_ROWS_H

#include "core/table.h"

/* Leaves out rows called "total", "mean" and the like where their numbers are the sums or means of the rows above them
 * (note "total-row"), and spreads that stand beside such. */
void ws_drop_summary_rows(ws_table *runs);

#endif
