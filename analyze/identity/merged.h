/* Logs that were merged: a run whose every reading stands in other runs, one after the other ("all_runs.csv" beside the
 * parts that it was made of). Whoever adds the runs counts each reading twice.
 *
 * For each device of the merged log the other runs hold readings of a device of its name (or uuid) that lie within its
 * time and do not overlap: as many readings together, the same lowest and highest, the same mean, the same first and
 * last stamp. */
#ifndef WS_ANALYZE_MERGED_H
#define WS_ANALYZE_MERGED_H

#include "analyze/identity/seen_devices.h"

/* Calls `merged` for each owner that was merged from two others or more, of which it tells the first and the last.
 * Devices without dates prove nothing. Marks those of such owners (is_merged); changes the order of the list. */
typedef void ws_seen_merged(void *state, size_t owner, size_t first, size_t last, size_t n);
void ws_seen_devices_merged(ws_seen_devices *seen, ws_seen_merged *merged, void *state);

#endif
