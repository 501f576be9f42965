/* The files behind a campaign, for provenance. */
#ifndef WS_ANALYZE_INPUTS_H
#define WS_ANALYZE_INPUTS_H

#include "analyze/ingest/run_list.h"
#include "analyze/folder_walk.h"

/* The description, every file of a run and every side file, by name; without a description every file of the folder,
 * since each was looked at. `path` is the CAMPAIGN argument and the only input where `campaign` is empty; `list` holds
 * the campaign's files. */
void ws_list_inputs(const char *path, const ws_campaign *campaign, ws_run_list *list, ws_file_list *inputs);

/* How many of each format, the most frequent first: "112 nvidia-smi-csv, 54 powercap". Files that no reader knows are
 * not mentioned. */
const char *ws_count_formats(ws_arena *arena, const ws_file_list *inputs, const ws_input_register *read);

/* Registers those of the inputs that are not in the register yet, since no run needed them, and archives as the files
 * that they are. */
void ws_register_inputs(ws_input_register *read, const ws_file_list *inputs, const char *as);

#endif
