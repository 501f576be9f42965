/* The table of inspected files, counted by format. */
#ifndef WS_ANALYZE_COMMANDS_INSPECT_SUMMARY_H
#define WS_ANALYZE_COMMANDS_INSPECT_SUMMARY_H

#include "core/table.h"

/* A row a format, the most frequent first: files, those whose status is not "ok", samples, findings. `summary` is
 * initialised here; `files` has the columns format, kind, samples, findings and status. */
void ws_inspect_summary(const ws_table *files, ws_table *summary);

/* The same in words, as a note: "2000 files: 1980 nvidia-smi-csv, 20 unknown". */
void ws_inspect_summary_note(const ws_table *files, ws_notes *notes);

#endif
