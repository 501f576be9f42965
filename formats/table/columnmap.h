/* What the user says the columns of a delimited file mean (--columns).
 *
 * A map is a list "key=column" with commas between: "time=Timestamp,power=#2,unit=mW,gpu=dev,header=no". A column is
 * named by its header cell, with or without the unit, in any case, or by its place: #1 is the first.
 *
 * Columns:   time; date and daytime (two cells of one stamp); interval (seconds that a row covers);
 *            gpu uuid bus name node (whose row it is);
 *            power counter energy util memutil memused smclock temp limit
 * Settings:  unit of the power columns, or of the energy columns; domain of the power columns (gpu cpu dram node wall
 *            other); header=yes|no; delimiter=comma|semicolon|tab|space|pipe or the sign itself; devices=N (rows
 *            without a device column take turns between N of them, or N columns of one kind are a device each);
 *            dates=day-first|month-first */
#ifndef WS_FORMATS_COLUMNMAP_H
#define WS_FORMATS_COLUMNMAP_H

#include "core/arena.h"
#include "core/status.h"
#include "core/text.h"
#include "formats/table/dictionary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_map_column {
    const char *key, *column; /* "power", "#2" */
    ws_meaning meaning;
} ws_map_column;

typedef struct ws_map {
    ws_map_column *columns;
    size_t n, capacity;
    const ws_unit *unit, *energy_unit, *time_unit; /* of powers, of energies, of the time; NULL: not given */
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
