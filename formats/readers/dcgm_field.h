/* Fields of NVIDIA's Data Center GPU Manager (DCGM) in all the ways that its tools spell them. */
#ifndef WS_FORMATS_DCGM_FIELD_H
#define WS_FORMATS_DCGM_FIELD_H

#include "core/sample.h"
#include "core/unit.h"
#include "formats/table/preset.h"

typedef struct ws_dcgm_field {
    int id;             /* of `dcgmi dmon -e` */
    const char *tag;    /* its column there: "TOTEC" */
    const char *symbol; /* of the exporter, without DCGM_FI_: "DEV_POWER_USAGE" */
    const char *name;   /* of API clients: "power_usage" */
    ws_quantity quantity;
    int preference;
    const char *unit_name;
} ws_dcgm_field;

/* By id, tag, symbol (with DCGM_FI_) or name, in any case; NULL for one of no use here. */
const ws_dcgm_field *ws_dcgm_field_find(ws_span word);

const ws_unit *ws_dcgm_unit(const ws_dcgm_field *field);

/* DCGM writes "no reading" as the highest values of a type: 2147483632 (int32), 140737488355328 (double),
 * 9223372036854775792 (int64), and up to 15 above for the reason. A counter of mJ may pass the first. */
bool ws_dcgm_is_blank(ws_quantity quantity, double written);

/* What a reading of the field called `name` is; for descriptions of tables. False: a field of no use here. */
bool ws_dcgm_about(ws_arena *arena, const char *name, const ws_span *cells, ws_preset_reading *reading);

#endif
