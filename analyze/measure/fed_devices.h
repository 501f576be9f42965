/* What a meter of a node or at the wall feeds: the processors, memories and GPUs beside it. */
#ifndef WS_ANALYZE_FED_DEVICES_H
#define WS_ANALYZE_FED_DEVICES_H

#include "analyze/measure/metered.h"

/* Sets `fed_j` and `feeds_others` of each device. After the devices have their energies. */
void ws_measure_find_fed(ws_measure *measure);

#endif
