/* The files behind a campaign, for provenance. */
#ifndef WS_ANALYZE_INPUTS_H
#define WS_ANALYZE_INPUTS_H

#include "analyze/source.h"
#include "formats/campaign.h"

/* The description, every file of a run and every side file, by name; without a description every file of the folder,
 * since each was looked at. `path` is the CAMPAIGN argument and the only input where `campaign` is empty. */
ws_status ws_list_inputs(const char *path, const ws_campaign *campaign, ws_file_list *inputs, ws_error *error);

/* How many of each format, the most frequent first: "112 nvidia-smi-csv, 54 powercap". Files that no reader knows are
 * not mentioned. */
const char *ws_count_formats(ws_arena *arena, const ws_file_list *inputs, const char *as);

#endif
