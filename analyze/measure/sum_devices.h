/* A total under the name of a device: a log that has gpu0 to gpu3, and the sum of them as gpu4. */
#ifndef WS_ANALYZE_SUM_DEVICES_H
#define WS_ANALYZE_SUM_DEVICES_H

#include "analyze/measure/metered.h"

/* Of three or more devices of one domain, in one node, one source or one run: whether the readings of the one with the
 * largest energy are the sum of those of all others. If so it gets the status "maybe-measured-twice" and stays in the
 * sums, since nothing says that it is no device. Part of ws_measure_finish. */
void ws_measure_find_sum_devices(ws_measure *measure, ws_notes *notes);

#endif
