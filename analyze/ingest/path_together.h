/* Files of the same time that are in runs of their own by a guess alone: are they of one run? "left.csv" and
 * "right.csv", "master.csv" and "worker-0.csv" may be the nodes of one run, ranks of one node, or runs side by side.
 * Names do not say it, and the total of the run differs by a factor, so it is asked (ws_scan_file.one_run). */
#ifndef WS_ANALYZE_PATH_TOGETHER_H
#define WS_ANALYZE_PATH_TOGETHER_H

#include "analyze/ingest/path_places.h"

/* Do both begin and end together, as loggers do that a job starts on its nodes? False without dates. */
bool ws_are_together(const ws_scan_file *a, const ws_scan_file *b);

/* Do files of settings beside them say different things? Then they are of different runs. */
bool ws_have_other_settings(const ws_scan_file *a, const ws_scan_file *b);

/* Opens the question for the files whose fields are known. What tells runs apart: a word with its number or a
 * name=value (bs64, seed=2, rep1), a folder of a job, an accelerator, other settings beside the file. What does not:
 * names, bare numbers, dates, words that stand in one of the names only. */
void ws_open_together(ws_arena *arena, ws_scan_file *files, size_t n, ws_read_spans *read, void *state);

#endif
