#include "formats/table/trace_sample.h"

#include "formats/table/column_limits.h"

#include <math.h>
#include <stdlib.h>
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

/* Through a copy of the column, so that reading the stamps leaves no trace. */
int64_t *ws_trace_sample_stamps(const ws_plan *plan, const ws_trace_sample *sample)
{
    ws_timecol stamps = plan->stamps;
    char buffer[WS_STAMP_CELLS];
    int64_t *t = ws_alloc((sample->n + 1) * sizeof *t);
    for (size_t i = 0; i < sample->n; i++) {
        if (plan->time < 0 || !ws_timecol_read(&stamps, ws_plan_stamp(plan, sample->rows[i], buffer), &t[i])) {
            free(t);
            return NULL;
        }
    }
    return t;
}

size_t ws_trace_sample_count(const ws_trace_sample *sample, int32_t column)
{
    enum { ENOUGH = 1024 };
    ws_span seen[ENOUGH];
    size_t n = 0, next = 0; /* next: the one that is likely to come, as devices take turns */
    for (size_t i = 0; i < sample->n && n < ENOUGH; i++) {
        ws_span id = ws_row_cell(sample->rows[i], column);
        size_t at = next < n && ws_span_same(seen[next], id) ? next : 0;
        while (at < n && !ws_span_same(seen[at], id))
            at++;
        if (at == n && !ws_span_is_missing(id))
            seen[n++] = id;
        next = at + 1 < n ? at + 1 : 0;
    }
    return n;
}

uint32_t *ws_trace_sample_sources(const ws_plan *plan, const ws_trace_sample *sample, uint32_t *n)
{
    uint32_t *source = ws_alloc((sample->n + 1) * sizeof *source);
    const ws_row **first = ws_alloc((sample->n + 1) * sizeof *first);
    int32_t id = plan->is_wide ? WS_NO_COLUMN : plan->ids[plan->identity];
    *n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        const ws_row *row = sample->rows[i];
        uint32_t s = plan->positions > 1 ? (uint32_t)(i % plan->positions) : 0;
        while (plan->positions <= 1 && s < *n &&
               !(ws_span_same(ws_row_cell(row, id), ws_row_cell(first[s], id)) &&
                 ws_span_same(ws_row_cell(row, plan->node), ws_row_cell(first[s], plan->node))))
            s++;
        if (s >= *n)
            first[(*n)++] = row;
        source[i] = s;
    }
    free(first);
    return source;
}

static bool read_index(const ws_trace_sample *sample, size_t i, uint32_t column, int64_t *index)
{
    return ws_span_i64(ws_row_cell(sample->rows[i], (int32_t)column), index) && *index >= 0 &&
           *index <= WS_LARGEST_INDEX;
}

bool ws_trace_sample_counts_in_turn(const ws_trace_sample *sample, uint32_t column)
{
    int64_t before, first, again, index;
    size_t round = 1;
    if (sample->n < 2 || !read_index(sample, 0, column, &first))
        return false;
    for (before = first; round < sample->n; before = index, round++)
        if (!read_index(sample, round, column, &index) || index <= before)
            break;
    if (round < 2 || sample->n < WS_LEAST_ROUNDS * round)
        return false;
    for (size_t i = round; i < sample->n; i++)
        if (!read_index(sample, i, column, &index) || !read_index(sample, i - round, column, &again) || index != again)
            return false;
    return true;
}
