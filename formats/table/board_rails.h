/* The unit of the rails of small boards (ws_is_board_rail) in a table that states none. NVIDIA's tegrastats prints mW,
 * and so do those who cut it into a CSV ("Tegrastats Utility" in the Jetson Linux developer guide: "VDD_IN
 * 5542mW/5500mW"; boards before it left the unit out). Others convert to W first. One logger writes all rails alike, so
 * the largest of them decides for all. Inside formats/ only. */
#ifndef WS_FORMATS_BOARD_RAILS_H
#define WS_FORMATS_BOARD_RAILS_H

#include "formats/table/column_rules.h"

typedef enum ws_rail_unit {
    WS_RAIL_STATED, /* no rail, or its name, its cells or the user state the unit; or there is no reading but zeros */
    WS_RAIL_W,
    WS_RAIL_MW,
    WS_RAIL_OPEN /* either may be */
} ws_rail_unit;

/* The unit that the rails of the table are proven to be in, for a column of it. */
ws_rail_unit ws_board_rail_unit(const ws_columns *table, uint32_t column);

#endif
