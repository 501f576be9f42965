/* A table of runs whose rows name their traces is a campaign whose runs are listed. */
#ifndef WS_ANALYZE_MANIFEST_H
#define WS_ANALYZE_MANIFEST_H

#include "formats/campaign.h"
#include "core/table.h"

#include <stdbool.h>

/* `runs` is a table of runs with standard columns, read from the file at runs->source. False where none of its columns
 * names traces. Else `campaign`, empty before and freed by the caller, lists a run for each row: its cells as fields,
 * and the traces that its cell names relative to the table's folder: files, or folders whose traces all count, ';'
 * between several. What a cell names that is no trace is a note in runs->notes at the row's line; a row without any
 * keeps what it says. */
bool ws_manifest_follow(ws_table *runs, ws_campaign *campaign);

#endif
