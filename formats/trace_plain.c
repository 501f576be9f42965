/* Rows of data as nearly all are, in a loop of their own: the stamp differs from the last one in its seconds, the device is
 * the one whose turn it is, and the cells hold numbers or say that there is none. */
#include "formats/trace_section.h"

#include <math.h>

enum { LOOK_BYTES = 8 };

/* What stands before the cell in its line makes up a word. */
static inline bool has_word(ws_span cell, ws_span line)
{
    return cell.n - 1 < LOOK_BYTES && cell.p + cell.n - line.p >= LOOK_BYTES;
}

/* The cell is a number of `n` bytes and a unit or none. */
static void learn_look(ws_plan_value *value, ws_span cell, size_t n, double to_si)
{
    const char *point = memchr(cell.p, '.', n);
    size_t whole = point ? (size_t)(point - cell.p) : n, decimals = point ? n - whole - 1 : 0;
    bool is_plain = cell.n <= LOOK_BYTES && whole + decimals > 0;
    for (size_t i = 0; i < n; i++)
        is_plain &= i == whole || (unsigned)cell.p[i] - '0' <= 9;
    if (is_plain)
        value->looks[cell.n - 1] = (ws_cell_look){ws_look_of(cell, whole, decimals), ws_exact_powers[decimals], to_si};
}

static bool read_anew(ws_plan_value *value, ws_span cell, double *number)
{
    double to_si = value->to_si;
    size_t n = ws_span_decimal(cell, number);
    if (n && n < cell.n) {
        if (cell.n - n != value->cell_unit_n || !ws_same_bytes(cell.p + n, value->cell_unit, value->cell_unit_n))
            n = 0;
        to_si = value->cell_to_si;
    }
    if (n) {
        *number *= to_si;
        learn_look(value, cell, n, to_si);
        return true;
    }
    *number = NAN;
    return ws_span_is_missing(cell);
}

static inline bool read_number(ws_plan_value *value, ws_span cell, ws_span line, double *number)
{
    uint64_t digits;
    const ws_cell_look *known = &value->looks[(cell.n - 1) % LOOK_BYTES];
    if (!has_word(cell, line) || !ws_look_read(&known->look, ws_word_before(cell.p + cell.n, cell.n), &digits))
        return read_anew(value, cell, number);
    *number = (double)(int64_t)digits / known->divisor * known->to_si;
    return true;
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
           !ws_timecol_is_serial(&s->plan.stamps);
}

static inline bool read_values(ws_plan_value *values, const ws_row *row, ws_lane *lane)
{
    double *number = ws_lane_place(lane, 0);
    for (size_t c = 0; c < lane->n_channels; c++, number += WS_LANE_ROWS) {
        ws_plan_value *value = &values[lane->from[c]];
        if (!read_number(value, row->cells[value->column], row->plain, number))
            return false;
    }
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
    bool is_stamp_first = s->plan.time == 0; /* then no comment is taken for a row */
    size_t i = 0;
    for (; i < n && status == WS_OK; i++) {
        const ws_span *cells = rows[i].cells, stamp = cells[s->plan.time];
        int64_t t_ns;
        bool is_comment = !is_stamp_first && cells[0].n && *cells[0].p == '#';
        ws_trace_source *from = ws_trace_expected_source(s, &rows[i]);
        if (is_comment || !(from || (from = ws_trace_known_source(s, &rows[i]))) ||
            !(ws_stamp_from_cache(&stamps->cache, stamp, &t_ns) || ws_timecol_read(stamps, stamp, &t_ns)) ||
            !read_values(s->plan.values, &rows[i], &from->lane))
            break;
        from->last_ns = t_ns;
        status = ws_lane_close_row(&from->lane, t_ns, t->options->period_ns, rows[i].line, error);
    }
    *taken = i;
    return status;
}
