/* What devices draw without the load that is asked about: watts that the user states, or what was measured in a stretch
 * that the user calls idle. It stands beside the gross energy, which never changes. */
#ifndef WS_ANALYZE_BASELINE_H
#define WS_ANALYZE_BASELINE_H

#include "analyze/measure/metered.h"

typedef struct ws_baseline {
    double watts[WS_DOMAIN_N]; /* of each device of a domain; NaN: none is stated */
    bool is_stated, is_measured;
    ws_meter_options stretch; /* where is_measured: its window is the idle stretch */
} ws_baseline;

/* "gpu=60,cpu=45": watts of each device of a domain, each domain once, from 0 to what such a device can draw. False
 * where the text is anything else. The watts must be NaN before. */
bool ws_baseline_state(ws_baseline *baseline, const char *text);

/* Sets the baseline of every device of a finished measure, from `idle`, the finished measure of the same source in the
 * idle stretch (NULL: none), else as stated. A device without one stays without, and has a note. */
void ws_measure_set_baselines(ws_measure *measure, const ws_baseline *baseline, const ws_measure *idle,
                              ws_notes *notes);

#endif
