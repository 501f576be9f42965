/* GPUs of one log that are in use all the time, and equally: one of them that draws a tenth of the others for a while,
 * or ten times as much, has readings of another unit or a sensor that is wrong. */
#ifndef WS_ANALYZE_SIBLING_POWERS_H
#define WS_ANALYZE_SIBLING_POWERS_H

#include "analyze/measure/metered.h"

/* What the device would draw less or more, in J, if it drew what the others do on average; 0 where nothing speaks
 * against its powers. Below zero: it would draw less. The devices of a file are adjacent. */
double ws_sibling_excess_j(const ws_measure *measure, const ws_device *device);

#endif
