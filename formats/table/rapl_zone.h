/* Names of RAPL zones, as powercap and the loggers over it spell them. */
#ifndef WS_FORMATS_RAPL_ZONE_H
#define WS_FORMATS_RAPL_ZONE_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/status.h"
#include "core/text.h"
#include "formats/table/dictionary.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_rapl_zone {
    ws_domain domain;
    int64_t package;
    bool is_unclear; /* a number path that does not say what lies there: "intel-rapl:0:1" */
} ws_rapl_zone;

/* "package-0", "intel-rapl:0", "dram-1", "package-0-dram", "psys", "N1/ram". False for anything else. */
bool ws_rapl_zone_find(ws_span name, ws_rapl_zone *zone);

/* The same where path, socket and name stand apart, any of them empty: "intel-rapl:1:0", "", "dram" and "", "1", "dram"
 * are dram1. */
bool ws_rapl_zone_at(ws_span path, ws_span socket, ws_span name, ws_rapl_zone *zone);

/* How sure a whole name is that of a zone: "package" is, and "cpu" is other things as well. */
ws_zone_trust ws_rapl_trust(ws_span name);

/* "cpu0", "dram1", "psys", "other". */
const char *ws_rapl_device(ws_arena *arena, const ws_rapl_zone *zone);

/* WS_FORMAT where n zones, `id` the last of them, are more than any log has. */
ws_status ws_rapl_check_count(size_t n, const char *id, const char *source, int64_t line, ws_error *error);

#endif
