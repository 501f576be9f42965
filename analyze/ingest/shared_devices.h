/* Runs that were at work side by side on one node, each with a logger that read all of its GPUs: each run has the
 * energy of all of them. */
#ifndef WS_ANALYZE_SHARED_DEVICES_H
#define WS_ANALYZE_SHARED_DEVICES_H

#include "analyze/measure/metered.h"
#include "core/table.h"

typedef struct ws_device_time {
    const char *uuid; /* in the table's arena */
    int64_t start_ns, end_ns;
    size_t row; /* of the run */
} ws_device_time;

typedef struct ws_device_times {
    ws_device_time *items;
    size_t n, capacity;
} ws_device_times;

/* Keeps when the row's run read which devices: those in its sum that a uuid names, whatever file and node. */
void ws_device_times_add(ws_device_times *times, const ws_measure *measure, ws_table *runs, size_t row);

/* Runs that read one device at the same time, for more than a twentieth of the shorter of both, get the note
 * "shared-device", and it as their status where that is ok. Frees the list. */
void ws_device_times_note(ws_device_times *times, ws_table *runs);

#endif
