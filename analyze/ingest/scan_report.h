/* What scan understood, for a person to check at a glance. */
#ifndef WS_ANALYZE_SCAN_REPORT_H
#define WS_ANALYZE_SCAN_REPORT_H

#include "analyze/ingest/propose.h"

#include <stdio.h>

/* A table of the fields with their values and the number of runs that have them; three paths and what was read off
 * them; what is missing for which numbers, with the option that says it; what was not understood. */
void ws_scan_report(FILE *out, const ws_campaign *campaign, const ws_proposal *proposal);

#endif
