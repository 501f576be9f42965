/* How often a power was how high, over all GPUs of a run: quantiles of its readings, and how often it fell below a
 * threshold. Memory does not grow with the length of a trace. */
#ifndef WS_ANALYZE_POWER_LEVELS_H
#define WS_ANALYZE_POWER_LEVELS_H

#include "core/arena.h"
#include "core/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Readings are counted in steps of a tenth of a watt, up to 4 kW; what lies beyond counts as the last step. */
#define WS_LEVEL_STEP_W 0.1
enum { WS_LEVELS = 40000 };

typedef struct ws_level_channel {
    const char *device; /* of a node: its first power is counted, and no other column of it */
    bool is_below;      /* the last reading lay below the threshold */
    bool has_reading;
} ws_level_channel;

typedef struct ws_power_levels {
    double threshold_w;
    uint64_t *count; /* WS_LEVELS */
    uint64_t readings, dips;
    ws_level_channel *channels;
    size_t n, capacity;
    const char *node; /* that the file stands for */
    ws_arena arena;
} ws_power_levels;

void ws_power_levels_init(ws_power_levels *levels, double threshold_w);
void ws_power_levels_free(ws_power_levels *levels); /* leaves a valid empty one */
void ws_power_levels_begin(ws_power_levels *levels, const char *node);
ws_sink ws_power_levels_sink(ws_power_levels *levels); /* powers of GPUs; a reading that is no number is passed over */

/* The power below which that share of the readings lies, to half a step; of those below `below_w` only, where it is
 * finite. NaN without readings. */
double ws_power_levels_quantile(const ws_power_levels *levels, double share, double below_w);

#endif
