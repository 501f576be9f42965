#include "core/device_limits.h"

const double ws_rapl_ranges[WS_RAPL_RANGES] = {65532.610987, 65712.999613, 262143.328850};

const ws_reading_limits ws_limits_of_domain[WS_DOMAIN_N] = {
    [WS_GPU] = {WS_GPU_MOST_W, 1e6, "GPU"},  [WS_CPU] = {1e4, 1e6, "processor"},
    [WS_DRAM] = {1e4, 1e6, "node's memory"}, [WS_NODE] = {1e5, 1e7, "node"},
    [WS_CPU_CORE] = {1e4, 1e6, "processor"}, [WS_CPU_GFX] = {1e4, 1e6, "processor's graphics"},
    [WS_PSYS] = {1e5, 1e7, "node"},
};
