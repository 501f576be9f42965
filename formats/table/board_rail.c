#include "formats/table/board_rail.h"

/* Of NVIDIA's Jetson documentation of tegrastats, by board; real logs: Orin NX (VDD_IN, VDD_CPU_GPU_CV, VDD_SOC). */
static const struct {
    const char *rail;
    ws_domain domain;
} rails[] = {
    {"VDD_IN", WS_NODE},      {"POM_5V_IN", WS_NODE},  {"VDD_GPU_SOC", WS_GPU}, {"VDD_GPU", WS_GPU},
    {"VDD_SYS_GPU", WS_GPU},  {"POM_5V_GPU", WS_GPU},  {"GPU", WS_GPU},         {"VDD_CPU_CV", WS_CPU},
    {"VDD_CPU", WS_CPU},      {"VDD_SYS_CPU", WS_CPU}, {"POM_5V_CPU", WS_CPU},  {"CPU", WS_CPU},
    {"VDD_SYS_DDR", WS_DRAM}, {"VDDRQ", WS_DRAM},
};

ws_domain ws_board_rail_domain(ws_span rail)
{
    for (size_t i = 0; i < sizeof rails / sizeof *rails; i++)
        if (ws_span_eq_nocase(rail, rails[i].rail))
            return rails[i].domain;
    return WS_OTHER;
}

bool ws_is_board_rail(ws_span name)
{
    static const char *const beginnings[] = {"VDD_", "VIN_", "POM_5V_", "VDDRQ"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t n = strlen(beginnings[i]);
        if (name.n >= n && ws_span_eq_nocase((ws_span){name.p, n}, beginnings[i]))
            return true;
    }
    return false;
}
