/* What several watchers of the powers of a channel ask of each block, found once. */
#ifndef WS_ANALYZE_POWER_RANGE_H
#define WS_ANALYZE_POWER_RANGE_H

#include "core/sample.h"

#include <stdbool.h>

typedef struct ws_power_range {
    bool lacks_some;    /* some readings are NaN: then the others are unsaid */
    double least, most; /* W; INFINITY and -INFINITY of an empty block */
} ws_power_range;

ws_power_range ws_power_range_of(const ws_block *powers);

#endif
