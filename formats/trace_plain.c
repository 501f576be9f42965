/* Rows of data as nearly all are, in a loop of their own: the stamp differs from the last one in its seconds, the device is
 * the one whose turn it is, and the cells hold numbers or say that there is none. */
#include "formats/trace_section.h"

#include <math.h>

static inline bool read_number(const ws_plan_value *value, ws_span cell, const char *line_end, double *number)
{
    size_t n = ws_cell_decimal(cell, line_end, number);
    if (n && n == cell.n) {
        *number *= value->to_si;
        return true;
    }
    if (n && cell.n - n == value->cell_unit_n && ws_same_bytes(cell.p + n, value->cell_unit, value->cell_unit_n)) {
        *number *= value->cell_to_si;
        return true;
    }
    *number = NAN;
    return !n && ws_span_is_missing(cell);
}

size_t ws_trace_columns(const ws_trace_section *section, size_t n_values, bool all, uint32_t *columns)
{
    const ws_plan *plan = &section->plan;
    const int32_t roles[WS_TRACE_ROLES] = {
        0, plan->time, plan->date, plan->interval, plan->node, plan->ids[plan->identity]};
    size_t n = 0;
    for (size_t v = 0; v < n_values; v++)
        columns[n++] = plan->values[all ? v : section->used[v]].column;
    for (size_t i = 0; i < WS_TRACE_ROLES; i++)
        if (roles[i] >= 0)
            columns[n++] = (uint32_t)roles[i];
    return n;
}

bool ws_trace_is_usual(const ws_trace *t)
{
    const ws_trace_section *s = t->current;
    return s && s->plan.is_settled && s->n && s->plan.time >= 0 && s->plan.date < 0 && s->plan.interval < 0 &&
           s->plan.positions <= 1 && s->plan.stamps.form == s->plan.stamps.cache.form &&
           s->plan.stamps.form != WS_STAMP_CLOCK;
}

static inline bool read_values(ws_trace_section *s, const ws_row *row)
{
    const ws_span *cells = row->cells;
    const char *line_end = row->plain.p + row->plain.n;
    const uint32_t *used = s->used, *end = used + s->n_used;
    const ws_plan_value *values = s->plan.values;
    for (double *number = s->values; used < end; used++, number++)
        if (!read_number(&values[*used], cells[values[*used].column], line_end, number))
            return false;
    return true;
}

ws_status ws_trace_take_plain(ws_trace *t, const ws_row *rows, size_t n, size_t *taken, ws_error *error)
{
    ws_trace_section *s = t->current;
    ws_status status = WS_OK;
    *taken = 0;
    if (!ws_trace_is_usual(t) || s != t->cut_for || s->n_used > t->cut_values || rows->full)
        return WS_OK;
    ws_timecol *stamps = &s->plan.stamps;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        const ws_span *cells = rows[i].cells, stamp = cells[s->plan.time];
        int64_t t_ns;
        bool is_comment = cells[0].n && *cells[0].p == '#';
        ws_trace_source *from = ws_trace_expected_source(s, &rows[i]);
        if (is_comment || !(from || (from = ws_trace_known_source(s, &rows[i]))) ||
            !(ws_stamp_from_cache(&stamps->cache, stamp, &t_ns) || ws_timecol_read(stamps, stamp, &t_ns)) ||
            !read_values(s, &rows[i]))
            break;
        from->last_ns = t_ns;
        status = ws_lane_add(&from->lane, t_ns, t->options->period_ns, rows[i].line, s->values, error);
        *taken = i + 1;
    }
    return status;
}
