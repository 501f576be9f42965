#include "core/energy_status.h"

#include <string.h>

static const struct {
    const char *text;
    int gravity;
    bool gives_way;
} statuses[WS_STATUS_N] = {
    [WS_STATUS_OK] = {"ok", 0, true},
    [WS_STATUS_NO_DURATION] = {"no-duration", 1, false},
    [WS_STATUS_ASSUMED_DEVICE] = {"assumed-device", 2, true},
    [WS_STATUS_WINDOWS_OVERLAP] = {"windows-overlap", 3, false},
    [WS_STATUS_LONG_GAP] = {"long-gap", 4, true},
    [WS_STATUS_SHORT_TRACE] = {"short-trace", 5, false},
    [WS_STATUS_COUNTER_GAP] = {"counter-gap", 6, false},
    [WS_STATUS_STUCK_COUNTER] = {"stuck-counter", 7, false},
    [WS_STATUS_COUNTER_RESET] = {"counter-reset", 8, false},
    [WS_STATUS_OUT_OF_ORDER] = {"out-of-order", 9, false},
    [WS_STATUS_IMPLAUSIBLE_POWER] = {"implausible-power", 10, false},
    [WS_STATUS_RUNS_OVERLAP] = {"runs-overlap", 11, false},
    [WS_STATUS_FILES_OVERLAP] = {"files-overlap", 12, false},
    [WS_STATUS_MAYBE_MEASURED_TWICE] = {"maybe-measured-twice", 13, false},
    [WS_STATUS_NO_SAMPLES] = {"no-samples", 0, false},
    [WS_STATUS_ONE_SAMPLE] = {"one-sample", 0, false},
    [WS_STATUS_NO_TIME] = {"no-time", 0, false},
    [WS_STATUS_NO_ENERGY] = {"no-energy", 0, false},
    [WS_STATUS_WINDOW_MISFIT] = {"window-misfit", 0, false},
    [WS_STATUS_GAP_REFUSED] = {"gap-refused", 0, false},
    [WS_STATUS_MEASURED_TWICE] = {"measured-twice", 0, false},
    [WS_STATUS_ASK_BACK_STEPS] = {"ask:back-steps", 0, false},
    [WS_STATUS_ASK_DEVICES] = {"ask:devices", 0, false},
    [WS_STATUS_ASK_NODES] = {"ask:nodes", 0, false},
    [WS_STATUS_ASK_ROWS] = {"ask:rows", 0, false},
    [WS_STATUS_ASK_UNIT] = {"ask:unit", 0, false},
    [WS_STATUS_LOW_COVERAGE] = {"low-coverage", 0, false},
    [WS_STATUS_DEVICES_MISSING] = {"devices-missing", 0, false},
    [WS_STATUS_NODES_MISSING] = {"nodes-missing", 0, false},
    [WS_STATUS_GPU_COUNT] = {"gpu-count", 0, false},
    [WS_STATUS_NODE_COUNT] = {"node-count", 0, false},
    [WS_STATUS_SHARED_DEVICE] = {"shared-device", 0, false},
    [WS_STATUS_INCOMPLETE] = {"incomplete", 0, false},
    [WS_STATUS_UNREADABLE] = {"unreadable", 0, false},
    [WS_STATUS_NO_WINDOW] = {"no-window", 0, false},
    [WS_STATUS_WINDOW_WITHOUT_TRACE] = {"window-without-trace", 0, false},
};

const char *ws_energy_status_name(ws_energy_status status)
{
    return statuses[status].text;
}

bool ws_energy_status_named(const char *text, ws_energy_status *status)
{
    for (int s = 0; text && s < WS_STATUS_N; s++) {
        if (strcmp(text, statuses[s].text) == 0) {
            *status = (ws_energy_status)s;
            return true;
        }
    }
    return false;
}

int ws_energy_status_gravity(ws_energy_status status)
{
    return statuses[status].gravity;
}

bool ws_energy_status_gives_way(ws_energy_status status)
{
    return statuses[status].gives_way;
}
