#include "formats/table/trace_cells.h"

#include <math.h>
#include <string.h>

bool ws_cell_is_date(ws_span cell)
{
    ws_stamp_form form = ws_stamp_guess(cell);
    return form == WS_STAMP_YMD || form == WS_STAMP_DMY || form == WS_STAMP_MDY || form == WS_STAMP_CTIME;
}

ws_span ws_plan_stamp(const ws_plan *plan, const ws_row *row, char *buffer)
{
    ws_span time = ws_row_cell(row, plan->time);
    if (plan->date < 0)
        return ws_timecol_point(&plan->stamps, buffer, time);
    return ws_timecol_join(buffer, ws_row_cell(row, plan->date), time);
}

bool ws_is_of_thousands(ws_span cell)
{
    enum { GROUP = 3 };
    const char *comma = memchr(cell.p, ',', cell.n);
    size_t front = comma ? (size_t)(comma - cell.p) : 0, behind = 0;
    while (comma && comma + 1 + behind < cell.p + cell.n && comma[1 + behind] >= '0' && comma[1 + behind] <= '9')
        behind++;
    return front && front <= GROUP && behind == GROUP && *cell.p != '0';
}

ws_span ws_plan_point(const ws_plan *plan, char *buffer, ws_span cell)
{
    bool is_decimal = plan->commas == WS_COMMAS_DECIMAL ||
                      (plan->commas == WS_COMMAS_UNKNOWN && cell.n < WS_POINT_CELL && !ws_is_of_thousands(cell));
    return is_decimal ? ws_span_with_point(cell, buffer, WS_POINT_CELL) : cell;
}

bool ws_plan_read_interval(const ws_plan *plan, ws_span cell, int64_t *ns)
{
    double number;
    if (plan->interval_to_s < 1 && ws_span_double(cell, &number) && fabs(number) < 1e12) {
        *ns = (int64_t)(number * plan->interval_to_s * 1e9 + 0.5);
        return true;
    }
    return ws_seconds_to_ns(cell, ns);
}

const char *ws_list_cells(ws_arena *arena, const ws_span *cells, uint32_t n)
{
    enum { MOST = 24 };
    const char *list = n ? "" : "none";
    for (uint32_t c = 0; c < n && c < MOST; c++)
        list = ws_arena_printf(arena, "%s%s%.*s", list, c ? ", " : "", WS_SPAN_ARG(cells[c]));
    return n > MOST ? ws_arena_printf(arena, "%s ...", list) : list;
}
