/* Rows of data as nearly all are, in a loop of their own: the stamp differs from the last one in its seconds, the device is
 * the one whose turn it is, and the cells hold numbers or say that there is none. */
#include "formats/trace_section.h"

#include <math.h>

static inline bool read_number(const ws_plan_value *value, ws_span cell, double *number)
{
    size_t n = ws_span_decimal(cell, number);
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

static bool is_usual(const ws_trace *t, const ws_row *row)
{
    const ws_trace_section *s = t->current;
    return s && s == t->cut_for && !row->full && s->plan.is_settled && s->n && s->n_used <= t->cut_values &&
           s->plan.time >= 0 && s->plan.date < 0 && s->plan.interval < 0 && s->plan.positions <= 1 &&
           s->plan.stamps.form == s->plan.stamps.cache.form && s->plan.stamps.form != WS_STAMP_CLOCK;
}

static inline bool read_values(ws_trace_section *s, const ws_span *cells)
{
    const uint32_t *used = s->used, *end = used + s->n_used;
    const ws_plan_value *values = s->plan.values;
    for (double *number = s->values; used < end; used++, number++)
        if (!read_number(&values[*used], cells[values[*used].column], number))
            return false;
    return true;
}

ws_status ws_trace_take_plain(ws_trace *t, const ws_row *rows, size_t n, size_t *taken, ws_error *error)
{
    ws_trace_section *s = t->current;
    ws_status status = WS_OK;
    *taken = 0;
    if (!is_usual(t, rows))
        return WS_OK;
    const ws_stamp_cache *stamps = &s->plan.stamps.cache;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        const ws_span *cells = rows[i].cells;
        int64_t t_ns;
        bool is_comment = cells[0].n && *cells[0].p == '#';
        ws_trace_source *from = ws_trace_expected_source(s, &rows[i]);
        if (!from || is_comment || !ws_stamp_from_cache(stamps, cells[s->plan.time], &t_ns) || !read_values(s, cells))
            break;
        ws_trace_next_source(s);
        from->last_ns = t_ns;
        status = ws_lane_add(&from->lane, t_ns, t->options->period_ns, rows[i].line, s->values, error);
        *taken = i + 1;
    }
    return status;
}
