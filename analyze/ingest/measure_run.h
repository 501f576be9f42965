/* Reads the files of runs and puts what they measured into the table of runs. */
#ifndef WS_ANALYZE_MEASURE_RUN_H
#define WS_ANALYZE_MEASURE_RUN_H

#include "analyze/ingest/run_list.h"
#include "analyze/mpi_ranks.h"

/* Adds rows for n runs, in their order: mostly one for each, more if its files hold several. Unreadable files become
 * notes, and the row gets the status "unreadable" (nothing was read) or "incomplete". */
void ws_measure_runs(const ws_campaign *campaign, const ws_run_files *files, size_t n, const ws_ingest_options *options,
                     ws_table *runs);

/* Of a rank that serves: reads a run that ws_measure_runs asks for. */
ws_rank_work ws_rank_read_run;

#endif
