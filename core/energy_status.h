/* What the column `status` says of an energy, be it of a channel, of several devices or of a run. Logic asks this
 * table; the texts are for people and scripts. */
#ifndef WS_CORE_ENERGY_STATUS_H
#define WS_CORE_ENERGY_STATUS_H

#include <stdbool.h>

typedef enum ws_energy_status {
    WS_STATUS_OK,
    /* the energy stands */
    WS_STATUS_NO_DURATION,
    WS_STATUS_ASSUMED_DEVICE,
    WS_STATUS_WINDOWS_OVERLAP,
    WS_STATUS_LONG_GAP,
    WS_STATUS_SHORT_TRACE,
    WS_STATUS_COUNTER_GAP,
    WS_STATUS_STUCK_COUNTER,
    WS_STATUS_COUNTER_RESET,
    WS_STATUS_OUT_OF_ORDER,
    WS_STATUS_IMPLAUSIBLE_POWER,
    WS_STATUS_RUNS_OVERLAP,
    WS_STATUS_FILES_OVERLAP,
    WS_STATUS_MAYBE_MEASURED_TWICE,
    /* a channel has none */
    WS_STATUS_NO_SAMPLES,
    WS_STATUS_ONE_SAMPLE,
    WS_STATUS_NO_TIME,
    WS_STATUS_NO_ENERGY,
    WS_STATUS_WINDOW_MISFIT,
    WS_STATUS_GAP_REFUSED,
    WS_STATUS_MEASURED_TWICE,
    /* ... until the user answers a question; as ws_question */
    WS_STATUS_ASK_BACK_STEPS,
    WS_STATUS_ASK_DEVICES,
    WS_STATUS_ASK_NODES,
    WS_STATUS_ASK_ROWS,
    WS_STATUS_ASK_UNIT,
    /* of several devices, or of a run */
    WS_STATUS_LOW_COVERAGE,
    WS_STATUS_DEVICES_MISSING,
    WS_STATUS_NODES_MISSING,
    WS_STATUS_GPU_COUNT,
    WS_STATUS_NODE_COUNT,
    WS_STATUS_SHARED_DEVICE,
    WS_STATUS_INCOMPLETE,
    WS_STATUS_UNREADABLE,
    WS_STATUS_NO_WINDOW,
    WS_STATUS_WINDOW_WITHOUT_TRACE,
    WS_STATUS_N
} ws_energy_status;

const char *ws_energy_status_name(ws_energy_status status); /* "ok", "long-gap"; static */

/* False, and *status untouched, for a text that is none of them, and for NULL. */
bool ws_energy_status_named(const char *text, ws_energy_status *status);

/* Of an energy that stands: a number that grows from harmless to grave; 0 for WS_STATUS_OK and for those without an
 * energy. A sum has the gravest status of its devices. */
int ws_energy_status_gravity(ws_energy_status status);

/* Does it leave room for what is found about the whole device later? */
bool ws_energy_status_gives_way(ws_energy_status status);

#endif
