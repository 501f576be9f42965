/* Runs that were at work side by side on one node, each with a logger that read all of its GPUs: each run has the
 * energy of all of them. */
#ifndef WS_ANALYZE_SHARED_DEVICES_H
#define WS_ANALYZE_SHARED_DEVICES_H

#include "analyze/identity/seen_devices.h"
#include "core/table.h"

/* Runs that read one device at the same time get the note "shared-device", and it as their status where that is ok. The
 * owners of `seen` are rows of the table. Changes the order of the list. */
void ws_note_shared_devices(ws_seen_devices *seen, ws_table *runs);

#endif
