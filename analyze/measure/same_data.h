/* Files that hold the same data under several names, as a log and its backup: whoever adds their rows counts it twice.
 */
#ifndef WS_ANALYZE_SAME_DATA_H
#define WS_ANALYZE_SAME_DATA_H

#include "analyze/measure/metered.h"

typedef struct ws_seen_device {
    const char *source, *device; /* in the arena */
    ws_domain domain;
    bool has_date;
    int64_t start_ns;
    ws_channel_summary summary;
    double window_s; /* as of ws_metered_channel */
    size_t order;    /* of being added */
} ws_seen_device;

typedef struct ws_seen_devices {
    ws_seen_device *items;
    size_t n, capacity;
    ws_arena arena;
} ws_seen_devices;

/* Keeps the figures of every device that has an energy. */
void ws_seen_devices_add(ws_seen_devices *seen, const ws_measure *measure);

/* A note "same-readings" for each source whose devices have all figures of those of a source before, at the same time,
 * and a note "sensors-differ" where powers of one domain are means over times that differ by more than twice. Empties
 * the list. */
void ws_seen_devices_note(ws_seen_devices *seen, ws_notes *notes);

#endif
