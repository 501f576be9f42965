/* Runs that were at work side by side on one node, each with a logger that read all of its GPUs: each run has the
 * energy of all of them. A uuid proves it. Without uuids two logs of one time are from one node, if all readings are
 * equal, or if the GPUs of the same names agree far better than those of one log do with each other (see rank_logs.h).
 */
#ifndef WS_ANALYZE_SHARED_DEVICES_H
#define WS_ANALYZE_SHARED_DEVICES_H

#include "analyze/measure/metered.h"
#include "core/table.h"

typedef struct ws_device_time {
    const char *uuid;          /* in the table's arena, as the next; NULL: a GPU without */
    const char *node, *device; /* of a GPU without */
    int64_t start_ns, end_ns;
    ws_channel_summary summary;
    size_t row; /* of the run */
} ws_device_time;

typedef struct ws_device_times {
    ws_device_time *items;
    size_t n, capacity;
} ws_device_times;

/* Keeps when the row's run read which devices: those in its sum that a uuid names, whatever file and node, and GPUs. */
void ws_device_times_add(ws_device_times *times, const ws_measure *measure, ws_table *runs, size_t row);

/* Runs that read one device at the same time, for more than a twentieth of the shorter of both, get the note
 * "shared-device", and it as their status where that is ok. Frees the list. */
void ws_device_times_note(ws_device_times *times, ws_table *runs);

#endif
