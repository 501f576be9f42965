/* A column of stamps: its form is settled over some first cells, then every cell is read in that form. Inside formats/
 * only. */
#ifndef WS_FORMATS_TIMECOL_H
#define WS_FORMATS_TIMECOL_H

#include "core/stamp_cache.h"
#include "core/unit.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_timecol {
    ws_stamp_form form;
    int32_t zone_offset_s;
    const ws_unit *unit; /* of plain numbers, where the column's name has one; NULL: seconds */
    ws_time_base base;   /* of the first stamp read */
    int64_t passed_ns;   /* midnights passed by a column that holds the time of day alone */
    int64_t last_ns;
    ws_stamp_cache cache;
} ws_timecol;

/* The two cells of "04-03-2021" and "13:32:39" as one stamp in `buffer`; `time` alone where there is no date. */
enum { WS_STAMP_CELLS = 96 };
ws_span ws_timecol_join(char *buffer, ws_span date, ws_span time);

/* One more cell of the sample. False when it is no stamp that fits the ones before. */
bool ws_timecol_settle(ws_timecol *column, ws_span stamp);

/* True when day and month of this stamp could be the other way round. */
bool ws_timecol_is_ambiguous(const ws_timecol *column, ws_span stamp);

bool ws_timecol_read(ws_timecol *column, ws_span stamp, int64_t *ns);

#endif
