/* The header of polls of powercap's counters (powercap_csv.c): which columns hold what. */
#ifndef WS_FORMATS_POWERCAP_HEADER_H
#define WS_FORMATS_POWERCAP_HEADER_H

#include "core/text.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <stdbool.h>
#include <stdint.h>

/* Cells that say together which zone a row is of. The path may be the zone's only name. */
enum { WS_POWERCAP_NODE, WS_POWERCAP_SOCKET, WS_POWERCAP_PATH, WS_POWERCAP_NAME, WS_POWERCAP_IDS };

typedef struct ws_powercap_header {
    int32_t time, ids[WS_POWERCAP_IDS]; /* columns, or -1; where each zone has its column, rows have a node alone */
    const ws_unit *time_unit;           /* of plain numbers; NULL: none is written */
    bool is_long;                       /* one row a zone; else one column a zone */
    int32_t energy, range;              /* of the long form: columns, or -1 */
    double to_j;                        /* of its energies */
} ws_powercap_header;

/* False: the cells are a header of neither form. */
bool ws_powercap_header_find(const ws_span *cells, uint32_t n, ws_powercap_header *header);

/* A column that holds the counter of a zone: "package-0_energy_uj", "dram". */
typedef struct ws_powercap_zone {
    ws_span id; /* "package-0", a part of the cell */
    double to_j;
    ws_rapl_zone about;
} ws_powercap_zone;

/* False where its name is of something else. */
bool ws_powercap_zone_find(ws_span cell, ws_powercap_zone *zone);

/* The column among n that holds the range of such a zone, or -1. */
int32_t ws_powercap_range_column(const ws_span *cells, uint32_t n, ws_span id);

/* In names of such columns and in remarks. */
extern const char ws_powercap_range_words[];

#endif
