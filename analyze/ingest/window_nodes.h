/* The nodes of a record's window beside those that the logs hold. */
#ifndef WS_ANALYZE_WINDOW_NODES_H
#define WS_ANALYZE_WINDOW_NODES_H

#include "analyze/ingest/run_list.h"
#include "analyze/measure/cutter.h"

/* How many nodes of the window's list have no reading; `first` gets the name of the first. 0 where the window names
 * none, and where a log that names no node may be that of any. */
size_t ws_window_missing_nodes(const ws_run_window *window, const ws_measure *measure, const char **first);

/* Windows that overlap in time and read the same node: each has the whole node's energy, which a note says
 * ("shared-node"). `cuts` are those of the files' windows, in their order, before ws_measure_finish. */
void ws_note_shared_nodes(const ws_run_files *files, ws_cut *cuts, ws_notes *notes);

#endif
