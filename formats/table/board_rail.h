/* Rails of small boards by name, as NVIDIA's Jetson boards and others call them: "VDD_IN" feeds the board, "VDD_GPU_SOC" its GPU.
 * Inside formats/ only. */
#ifndef WS_FORMATS_BOARD_RAIL_H
#define WS_FORMATS_BOARD_RAIL_H

#include "core/sample.h"
#include "core/text.h"

/* WS_OTHER for what is not known and for what mixes domains ("VDD_CPU_GPU_CV"). Case does not count. */
ws_domain ws_board_rail_domain(ws_span rail);

bool ws_is_board_rail(ws_span name); /* does it look like one: "VDD_...", "VIN_...", "POM_5V_..." ? */

#endif
