/* Files whose rows `energy` prints side by side: do they hold the same data under several names, as a log and its
 * backup, or the same devices, as logs of the ranks of a job? Whoever adds their rows counts it twice. */
#ifndef WS_ANALYZE_SAME_DATA_H
#define WS_ANALYZE_SAME_DATA_H

#include "analyze/identity/seen_devices.h"
#include "core/table.h"

/* A note "same-readings" for each source whose devices have all figures of those of a source before, at the same time;
 * else a note "maybe-measured-twice" for two sources that read the same devices. Their rows in the table (`column`
 * holds the source; energy_verdict, energy_findings, if it has them) are doubtful at least, unless the finding is
 * ignored. Empties the list. */
void ws_seen_devices_note_twice(ws_seen_devices *seen, ws_table *table, const char *column,
                                const ws_finding_set *ignored);

/* Before that a note "sensors-differ" where powers of one domain are means over times that differ by more than twice.
 */
void ws_seen_devices_note(ws_seen_devices *seen, ws_table *table, const ws_finding_set *ignored);

/* The note "sensors-differ" alone. */
void ws_seen_devices_note_sensors(const ws_seen_devices *seen, ws_notes *notes);

#endif
