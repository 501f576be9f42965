/* Measurement windows that may lie inside each other, as that of an epoch holds those of its steps: tools write a row
 * when a window ends, so the inner ones come first, and only what lies in no other counts. Rows are held until no
 * later one can hold them. */
#ifndef WS_FORMATS_HELD_WINDOWS_H
#define WS_FORMATS_HELD_WINDOWS_H

#include "core/sample.h"

#include <stddef.h>
#include <stdint.h>

typedef struct ws_held_window {
    int64_t start_ns, end_ns, line;
    ws_time_base base;
    double *values; /* one for each column; NaN: missing */
} ws_held_window;

typedef struct ws_held_windows {
    ws_held_window *items; /* in the order in which they came */
    size_t n, capacity;
    bool overlap; /* some begins inside another one and ends behind it */
} ws_held_windows;

typedef enum ws_window_place {
    WS_WINDOW_APART = 0,
    WS_WINDOW_HOLDS,   /* others: they are gone */
    WS_WINDOW_INSIDE,  /* another: it was not added */
    WS_WINDOW_OVERLAPS /* another in part */
} ws_window_place;

/* Copies `window` and n_values of its values. Clocks are read one after the other: WS_WINDOW_TOLERANCE_NS is no
 * overlap. A window that lies wholly before the last one, as after a reboot, is apart. */
ws_window_place ws_held_windows_add(ws_held_windows *held, const ws_held_window *window, size_t n_values);

void ws_held_windows_clear(ws_held_windows *held);
void ws_held_windows_free(ws_held_windows *held);

#endif
