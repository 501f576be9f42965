/* The meaning of a column of a delimited file, by its header cell or by the user's map.
 *
 * A user's map is a list "key=column" with commas between: "time=Timestamp,power=#2,unit=mW,gpu=dev,header=no". A
 * column is named by its header cell, with or without the unit, in any case, or by its place: #1 is the first. Keys of
 * columns: time date daytime (two cells of one stamp)   interval (seconds that a row covers) gpu uuid bus name node
 * (whose row it is)     power counter energy util memutil memused smclock temp limit Keys of settings: unit (of the
 * power columns, or of the energy columns), domain (gpu cpu dram node wall other, of the power columns), header=yes|no,
 * delimiter=comma|semicolon|tab|space|pipe or the sign itself, devices=N (rows without a device column take turns
 * between N of them), dates=day-first|month-first. */
#ifndef WS_FORMATS_COLUMNMAP_H
#define WS_FORMATS_COLUMNMAP_H

#include "core/arena.h"
#include "core/sample.h"
#include "core/status.h"
#include "core/text.h"
#include "core/unit.h"
#include "formats/table/dictionary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_meaning {
    ws_role role;
    /* of WS_ROLE_VALUE: */
    ws_quantity quantity;
    ws_domain domain;
    bool names_domain; /* the name says whose it is; otherwise gpu is an assumption */
    bool names_energy; /* the name says whether an energy is a counter */
    bool is_total;     /* holds other columns: "total_watts" */
    bool is_bare;      /* names a device and nothing else, "GPU0": a power is an assumption */
    int preference;
    const ws_unit *unit;   /* written in the name; NULL: none */
    ws_span device;        /* of a column of one device: "GPU0", "n1"; n = 0: the device of the row */
    int64_t device_number; /* the number in it, -1: none */
} ws_meaning;

ws_meaning ws_meaning_of(ws_span header_cell);

/* "dram", "0", "power_3": the device of a column that the user's map lists as one of several readings of one quantity.
 * WS_ROLE_UNKNOWN if the name states none. New texts live in the arena. */
ws_meaning ws_meaning_of_device(ws_arena *arena, ws_span header_cell);

/* What a cell that names a device says beyond being an id: "cpu", "package-1", "GPU 3"; "total" holds other devices. */
typedef struct ws_device_name {
    bool is_known, is_total;
    ws_domain domain; /* of a known one */
    int64_t number;   /* -1: none */
} ws_device_name;
ws_device_name ws_device_name_of(ws_span cell);

/* "total", "sum", "total_power": a total of powers, and nothing else. */
bool ws_names_total(ws_span header_cell);

/* "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)", over the stamps of a log of Windows' performance counters. */
bool ws_is_perfmon_head(ws_span header_cell);

typedef struct ws_map_column {
    const char *key, *column; /* "power", "#2" */
    ws_meaning meaning;
} ws_map_column;

typedef struct ws_map {
    ws_map_column *columns;
    size_t n, capacity;
    const ws_unit *unit, *energy_unit; /* of powers, of energies; NULL: not given */
    bool gives_domain, gives_header, has_header;
    ws_domain domain;
    char delimiter;      /* '\0': not given */
    uint32_t devices;    /* 0: not given */
    ws_stamp_form dates; /* WS_STAMP_DMY, WS_STAMP_MDY, or NONE: not given */
    ws_arena arena;
} ws_map;

/* NULL text: an empty map. WS_USAGE for a key or a value that does not exist. */
ws_status ws_map_parse(ws_map *map, const char *text, ws_error *error);
void ws_map_free(ws_map *map); /* leaves a valid empty map */

/* The column that `spelled` names among the header's cells (n_columns of them; without header the cells are not looked
 * at). False where there is none. */
bool ws_map_find(const char *spelled, const ws_span *header, uint32_t n_columns, uint32_t *column);

#endif
