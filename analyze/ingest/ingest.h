/* From a campaign to its table of runs. */
#ifndef WS_ANALYZE_INGEST_H
#define WS_ANALYZE_INGEST_H

#include "analyze/ingest/run_list.h"
#include "core/table.h"

struct ws_scan_memory; /* scan_memory.h */

/* The description of the campaign at `path`: a campaign.json, a folder that holds one, or a folder alone (the built-in
 * path rules are tried; a note says which). `campaign` is filled from empty and freed by the caller. `inputs` takes the
 * file of the description, or is NULL; so is `memory`, which knows files of a folder alone and takes what they are. */
ws_status ws_campaign_open(const char *path, ws_campaign *campaign, ws_input_register *inputs,
                           struct ws_scan_memory *memory, ws_notes *notes, ws_error *error);

/* Find the runs of a described campaign, in the order of their paths. */
ws_status ws_find_runs(const ws_campaign *campaign, ws_run_list *list, ws_notes *notes, ws_error *error);
/* Read every run: one row a run (one a run inside a file that holds several), completed and with the campaign's
 * exclusions applied. Runs that cannot be read keep a row with a status. WS_DATA: no run has an energy or a wall time.
 */
ws_status ws_ingest_campaign(const ws_campaign *campaign, const ws_ingest_options *options, ws_table *runs,
                             ws_error *error);

/* The table of runs behind any CAMPAIGN argument: a campaign as above, a table of runs, or a single trace. `campaign`
 * gets the description where there is one (else empty). Both are initialised here and freed by the caller, also after a
 * failure. */
ws_status ws_ingest(const char *path, const ws_ingest_options *options, ws_campaign *campaign, ws_table *runs,
                    ws_error *error);

/* Takes what the reading of a run's traces needs to know from its files of settings: the numbers of GPUs and nodes. */
void ws_take_settings(const ws_campaign *campaign, ws_run_list *list);

/* Fill columns of the runs from the campaign's side files (sacct, job logs, lists of numbers). `history` gets what each
 * of them says, and may be NULL. By the rules a job that was given more GPUs or nodes than were counted is doubtful or
 * unusable. */
void ws_join_side_files(const ws_campaign *campaign, const ws_run_list *list, const ws_verdict_rules *rules,
                        struct ws_history *history, ws_table *runs);

#endif
