/* The files of runs metered and put into rows of their table. */
#ifndef WS_ANALYZE_MEASURE_RUN_H
#define WS_ANALYZE_MEASURE_RUN_H

#include "analyze/ingest/run_list.h"

/* Adds a row for each run inside the files of each of the n runs (one, mostly), in their order. Files that cannot be
 * read are notes, and the row's status says "unreadable" (nothing was read) or "incomplete". */
void ws_measure_runs(const ws_campaign *campaign, const ws_run_files *files, size_t n, const ws_ingest_options *options,
                     ws_table *runs);

#endif
