/* What devices can draw, for telling units that are wrong or not written, readings that no device can have, and steps
 * of counters that are none. */
#ifndef WS_CORE_DEVICE_LIMITS_H
#define WS_CORE_DEVICE_LIMITS_H

#include "core/sample.h"

/* W. No single GPU draws more: the largest limits that vendors state are 1000 W (B200, MI355X: 1400 W). And none that
 * is on draws less: milliwatts under a name in W are above the one, watts under a name in mW below the other. */
#define WS_GPU_MOST_W 2000.0
#define WS_GPU_LEAST_W 0.1

/* W. What a gap in a log may hold at most, where nothing tells the device's own limit: most GPUs that vendors sell for
 * computing (A100 SXM 400 W, H100 SXM and H200 700 W), and packages (EPYC 9005, Xeon 6: 500 W). */
#define WS_GPU_USUAL_MOST_W 700.0
#define WS_PACKAGE_USUAL_MOST_W 500.0

/* W. A GPU that computes draws more: kilowatts under a name in W are less. Ours. */
#define WS_GPU_BUSY_LEAST_W 1.0

/* Up to this reading kilowatts of a GPU may stand under a name in W: the largest ones draw 1.4 kW. */
#define WS_GPU_KILOWATTS 1.5

/* W. No processor package draws more, nor the memory beside it: the largest that vendors state is 500 W. */
#define WS_PACKAGE_MOST_W 1000.0

/* W. No package holds more for the seconds and minutes in which its counter goes round: 500 W, and what short limits
 * allow beyond. Up to this power whole rounds may be hidden between two readings. Ours. */
#define WS_PACKAGE_HELD_MOST_W 700.0

/* J, ascending. What Linux states for RAPL's counters (max_energy_range_uj): 2^32 counts of 2^-16 J and of 15.3 uJ
 * (DRAM of server processors), and of 2^-14 J (packages). */
enum { WS_RAPL_RANGES = 3 };
extern const double ws_rapl_ranges[WS_RAPL_RANGES];

/* W. Far more than a package or memory domain draws: a step of a counter that would mean more is no energy. Ours. */
#define WS_COUNTER_MOST_W 10e3

/* W. The largest nodes have 16 GPUs and power supplies of 15 to 20 kW (NVIDIA DGX GB200 trays, HGX B300 below that). */
#define WS_NODE_MOST_W 20000.0

/* Up to this reading kilowatts of a node may stand under a name in W; what runs with so few watts (boards) draws no ten
 * times as much at other times. Ours. */
#define WS_NODE_KILOWATTS 10.0

/* Of single readings, in W. Rare: more than nearly all devices of the domain draw; what stands out there is odd. Odd:
 * more than any device of the domain draws, so the unit or the sensor is in doubt. Impossible: a number that means "no
 * reading", such as 2^32 - 1 mW, or an unsigned difference that went below zero. Domains that measure nothing have no
 * limits (`what` is NULL). Packages: one, and eight under one name. Ours. */
typedef struct ws_reading_limits {
    double rare_w, odd_w, impossible_w;
    const char *what;
} ws_reading_limits;

extern const ws_reading_limits ws_limits_of_domain[WS_DOMAIN_N];

/* W of a device, averaged over a run: between the idle power of small cards (vendors' pages and the logs of the
 * fixtures have 5 W and more) and the limit above. What lies outside is a wrong unit. */
#define WS_RUN_LEAST_W 5.0
#define WS_RUN_MOST_W WS_GPU_MOST_W

#endif
