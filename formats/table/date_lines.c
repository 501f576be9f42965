#include "formats/table/date_lines.h"

#include "core/stamp.h"
#include "formats/table/column_limits.h"
#include "formats/table/trace_sample.h"

#include <string.h>

/* "=== Fri Nov 21 23:41:31 UTC 2025 ===", "Timestamp: 2025-11-21 23:41:31", "[2025-11-21 23:41:31]" */
static ws_span without_frame(ws_span text)
{
    static const char *const labels[] = {"timestamp:", "time:", "date:"};
    static const char signs[] = "=-*_~[]<>| ";
    while (text.n && strchr(signs, *text.p))
        text.p++, text.n--;
    while (text.n && strchr(signs, text.p[text.n - 1]))
        text.n--;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        size_t n = strlen(labels[i]);
        if (text.n > n && ws_span_eq_nocase((ws_span){text.p, n}, labels[i]))
            return ws_span_trim((ws_span){text.p + n, text.n - n});
    }
    return text;
}

/* The two cells of `date -Ins` and `date -R`, whose stamps hold a comma. */
static ws_span join_two(const ws_row *row, char *buffer)
{
    ws_span first = row->cells[0], second = row->cells[1];
    if (!first.n || !second.n || first.n + second.n + 1 > WS_DATE_LINE)
        return (ws_span){"", 0};
    memcpy(buffer, first.p, first.n);
    buffer[first.n] = ',';
    memcpy(buffer + first.n + 1, second.p, second.n);
    return (ws_span){buffer, first.n + 1 + second.n};
}

bool ws_row_is_date_line(const ws_row *row, bool takes_bare, char *buffer, ws_span *stamp)
{
    if (!row->n_cells || row->n_cells > 2)
        return false;
    *stamp = without_frame(row->n_cells == 1 ? row->cells[0] : join_two(row, buffer));
    ws_stamp_form form = row->n_cells == 1 && takes_bare ? ws_stamp_guess(*stamp) : WS_STAMP_NONE;
    return ws_cell_is_date(*stamp) || form == WS_STAMP_EPOCH || form == WS_STAMP_CLOCK;
}

bool ws_text_is_date_line(ws_span text, ws_span *stamp)
{
    *stamp = without_frame(ws_span_trim(text));
    return ws_cell_is_date(*stamp) || ws_stamp_guess(*stamp) == WS_STAMP_EPOCH;
}

/* --- in a table of one column --- */

static bool is_instant_of_log(ws_span text, ws_stamp_form form, int64_t *ns)
{
    ws_stamp stamp;
    if ((form != WS_STAMP_EPOCH && form != WS_STAMP_CLOCK) || !ws_stamp_parse(form, text, WS_ZONE_NONE, &stamp))
        return false;
    *ns = form == WS_STAMP_EPOCH ? stamp.ns : 0; /* a time of day may fall */
    return form == WS_STAMP_CLOCK || ws_is_time_of_log(stamp.ns);
}

/* A number that is no stamp: what a device may draw, nothing, or too much for either. */
typedef enum number_kind { NO_NUMBER, READING, NO_READING, TOO_LARGE } number_kind;

static number_kind number_kind_of(ws_span cell)
{
    double value;
    ws_span rest;
    if (!ws_span_number(cell, &value, &rest))
        return NO_NUMBER;
    return value > WS_BELOW_STAMPS_MOST ? TOO_LARGE : value > 0 ? READING : NO_READING;
}

bool ws_rows_have_stamp_lines(const ws_row *rows, size_t n)
{
    enum { LEAST_TURNS = 2 };
    int64_t last = 0, ns;
    size_t turns = 0, empty = 0; /* stamps with a reading below them, and without */
    bool is_below_stamp = false, has_stamp = false;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].n_cells > 1)
            return false;
        ws_span text = rows[i].n_cells ? without_frame(rows[i].cells[0]) : (ws_span){"", 0};
        if (is_instant_of_log(text, ws_stamp_guess(text), &ns)) {
            if (has_stamp && ns < last)
                return false;
            empty += is_below_stamp;
            is_below_stamp = has_stamp = true;
            last = ns;
            continue;
        }
        number_kind kind = number_kind_of(text);
        if (kind == TOO_LARGE || (kind == READING && !has_stamp))
            return false;
        if (kind == READING) {
            turns += is_below_stamp;
            is_below_stamp = false;
        }
    }
    return turns >= LEAST_TURNS && empty < turns;
}
