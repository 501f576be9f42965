/* Runs inside continuous logs: the windows that records of a scheduler or a benchmark cut out of them. */
#ifndef WS_ANALYZE_WINDOWS_H
#define WS_ANALYZE_WINDOWS_H

#include "analyze/ingest/run_list.h"

/* Give each run of the list the windows of the campaign's records: those of the files that share every captured field
 * with it, and those of files that capture nothing. `zone` is for naive stamps, as for the traces. Records
 * without a window, and runs without a record, are notes. */
void ws_find_windows(const ws_campaign *campaign, int32_t zone, ws_run_list *list, ws_notes *notes);

#endif
