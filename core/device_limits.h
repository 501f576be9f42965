/* What devices can draw, for telling units that are wrong or not written. */
#ifndef WS_CORE_DEVICE_LIMITS_H
#define WS_CORE_DEVICE_LIMITS_H

/* W. No single GPU draws more: the largest limits that vendors state are 1000 W (B200, MI355X: 1400 W). And none that
 * is on draws less: milliwatts under a name in W are above the one, watts under a name in mW below the other. */
#define WS_GPU_MOST_W 2000.0
#define WS_GPU_LEAST_W 0.1

/* W. No processor package draws more, nor the memory beside it: the largest that vendors state is 500 W. Up to this
 * power whole rounds of a counter may be hidden between two of its readings. */
#define WS_PACKAGE_MOST_W 1000.0

/* W of a device, averaged over a run: between the idle power of small cards (vendors' pages and the logs of the
 * fixtures have 5 W and more) and the limit above. What lies outside is a wrong unit. */
#define WS_RUN_LEAST_W 5.0
#define WS_RUN_MOST_W WS_GPU_MOST_W

#endif
