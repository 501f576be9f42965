/* Runs inside continuous logs: the windows that records of a scheduler or a benchmark cut out of them. */
#ifndef WS_ANALYZE_WINDOWS_H
#define WS_ANALYZE_WINDOWS_H

#include "analyze/ingest/run_list.h"
#include "analyze/ingest/scan_file.h"
#include "analyze/measure/cutter.h"

/* Give each run of the list the windows of the campaign's records: those of the files that share every captured field
 * with it, and those of files that capture nothing. `zone` is for naive stamps, as for the traces. Records
 * without a window, and runs without a record, are notes. */
void ws_find_windows(const ws_campaign *campaign, int32_t zone, ws_run_list *list, ws_notes *notes);

/* Logs of nodes that run on from job to job, beside a dump of sacct (`records`, relative to the folder): the pattern
 * that reads the nodes off their paths, as "power/{node}.csv"; NULL where the records do not cut them. Every path must
 * name a node of the records and no job of theirs, all by one pattern, and every log must hold a job of its node whole,
 * one of them two. Reads the times of the traces where the names fit. */
const char *ws_node_log_pattern(ws_arena *arena, const char *folder, const char *records, ws_scan_file *traces,
                                size_t n);

/* How many nodes of the window's list have no reading; `first` gets the name of the first. 0 where the window names
 * none, and where a log that names no node may be that of any. */
size_t ws_window_missing_nodes(const ws_run_window *window, const ws_measure *measure, const char **first);

/* Windows that overlap in time and read the same node: each has the whole node's energy, which a note says
 * ("shared-node"). `cuts` are those of the files' windows, in their order, before ws_measure_finish. */
void ws_note_shared_nodes(const ws_run_files *files, ws_cut *cuts, ws_notes *notes);

#endif
