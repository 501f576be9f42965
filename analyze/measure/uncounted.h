/* Devices that are in no total, since nothing says what they are: "epyc_power_w" beside the powers of GPUs. */
#ifndef WS_ANALYZE_MEASURE_UNCOUNTED_H
#define WS_ANALYZE_MEASURE_UNCOUNTED_H

#include "analyze/measure/measure.h"

/* Tells each of them that stands beside GPUs or processors of the group ("uncounted-device"). */
void ws_note_uncounted(const ws_measure *measure, const ws_measure_group *group, const ws_totals *totals,
                       ws_notes *notes);

/* Makes a total doubtful beside which one of them is large. */
void ws_stake_uncounted(const ws_measure *measure, const ws_measure_group *group, ws_totals *totals);

#endif
