/* Which fields make a configuration: settings that vary; repeats, seeds, dates and jobs do not. */
#ifndef WS_ANALYZE_CAMPAIGN_GROUP_H
#define WS_ANALYZE_CAMPAIGN_GROUP_H

#include "analyze/ingest/file_roles.h"
#include "analyze/ingest/scan_file.h"
#include "formats/campaign.h"

/* Does any path say a setting or a repeat? */
bool ws_say_settings(const ws_scan_file *files, size_t n);

/* Fills `group` and `reference` of a campaign whose rules are made; `files` are those of its runs. */
void ws_group_campaign(ws_campaign *campaign, const ws_found_files *found, const ws_scan_file *files, size_t n);

#endif
