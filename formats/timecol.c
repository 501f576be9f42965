#include "formats/timecol.h"

#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_DAY (86400 * NS_PER_S)

ws_span ws_timecol_join(char *buffer, ws_span date, ws_span time)
{
    if (!date.n || date.n + time.n + 1 > WS_STAMP_CELLS)
        return time;
    memcpy(buffer, date.p, date.n);
    buffer[date.n] = ' ';
    if (time.n)
        memcpy(buffer + date.n + 1, time.p, time.n);
    return ws_span_trim((ws_span){buffer, date.n + 1 + time.n});
}

static bool has_fine_unit(const ws_timecol *column)
{
    return column->unit && column->unit->to_si < 1;
}

/* A plain number under a name like "elapsed_ms". What would lie after 1973 counts from the epoch: core/stamp.h tells
 * the unit of those by magnitude. */
static bool scaled_number(const ws_timecol *column, ws_span text, int64_t *ns)
{
    double value;
    int64_t whole, ns_per_tick = (int64_t)(column->unit->to_si * 1e9 + 0.5);
    if (!ws_span_double(text, &value) || value * column->unit->to_si >= 1e8 || value < 0)
        return false;
    if (ws_span_i64(text, &whole))
        *ns = whole * ns_per_tick;
    else
        *ns = (int64_t)(value * (double)ns_per_tick + 0.5);
    return true;
}

bool ws_timecol_settle(ws_timecol *column, ws_span stamp)
{
    int64_t ns;
    bool is_scaled = has_fine_unit(column) && scaled_number(column, stamp, &ns);
    ws_stamp_form form = is_scaled ? WS_STAMP_ELAPSED : ws_stamp_settle(column->form, stamp);
    if (form != WS_STAMP_NONE)
        column->form = form;
    return form != WS_STAMP_NONE;
}

bool ws_timecol_is_ambiguous(const ws_timecol *column, ws_span stamp)
{
    ws_stamp other;
    return column->form == WS_STAMP_DMY && ws_stamp_parse(WS_STAMP_MDY, stamp, WS_ZONE_NONE, &other);
}

/* A time of day that falls back by more than half a day has passed midnight. */
static void pass_midnight(ws_timecol *column, int64_t *ns)
{
    *ns += column->passed_ns;
    if (*ns < column->last_ns - NS_PER_DAY / 2) {
        *ns += NS_PER_DAY;
        column->passed_ns += NS_PER_DAY;
    }
}

bool ws_timecol_read(ws_timecol *column, ws_span stamp, int64_t *ns)
{
    ws_stamp read;
    bool is_elapsed = column->form == WS_STAMP_ELAPSED && has_fine_unit(column);
    if (is_elapsed) {
        read.base = WS_TIME_RELATIVE;
        if (!scaled_number(column, ws_span_trim(stamp), &read.ns))
            return false;
    } else if (!ws_stamp_parse_next(&column->cache, column->form, stamp, column->zone_offset_s, &read)) {
        return false;
    }
    if (column->form == WS_STAMP_CLOCK)
        pass_midnight(column, &read.ns);
    if (column->base == WS_TIME_NONE)
        column->base = read.base;
    *ns = column->last_ns = read.ns;
    return true;
}
