#include "core/device_limits.h"

const double ws_rapl_ranges[WS_RAPL_RANGES] = {65532.610987, 65712.999613, 262143.328850};

const ws_reading_limits ws_limits_of_domain[WS_DOMAIN_N] = {
    [WS_GPU] = {1400, WS_GPU_MOST_W, 1e6, "GPU"},
    [WS_CPU] = {WS_PACKAGE_MOST_W, 3e3, 1e6, "processor"},
    [WS_DRAM] = {500, 1e3, 1e6, "node's memory"},
    [WS_NODE] = {WS_NODE_MOST_W, 1e5, 1e7, "node"},
    [WS_CPU_CORE] = {WS_PACKAGE_MOST_W, 3e3, 1e6, "processor"},
    [WS_CPU_GFX] = {WS_PACKAGE_MOST_W, 3e3, 1e6, "processor's graphics"},
    [WS_PSYS] = {WS_NODE_MOST_W, 1e5, 1e7, "node"},
    [WS_WALL] = {WS_NODE_MOST_W, 1e5, 1e9, "node"},
    [WS_OTHER] = {WS_NODE_MOST_W, 1e5, 1e9, "device"},
};
