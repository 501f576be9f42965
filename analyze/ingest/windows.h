/* Runs inside continuous logs: the windows that records of a scheduler or a benchmark cut out of them. */
#ifndef WS_ANALYZE_WINDOWS_H
#define WS_ANALYZE_WINDOWS_H

#include "analyze/ingest/run_list.h"
#include "analyze/ingest/scan_file.h"

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

#endif
