#include "formats/table/loop_lines.h"

#include "formats/table/column_limits.h"
#include "formats/table/column_stats.h"
#include "core/stamp.h"

#include <stdio.h>
#include <string.h>

/* --- a stamp in front of the first device alone --- */

/* Nothing but readings, and what stands for none; a count of devices or an empty line is neither. */
static bool are_readings(const ws_row *row)
{
    bool any = false;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        double value;
        ws_span rest;
        bool is_reading = ws_span_number(row->cells[c], &value, &rest);
        if (!is_reading && !ws_span_is_missing(row->cells[c]))
            return false;
        any |= is_reading;
    }
    return any;
}

static bool begins_with_stamp(const ws_row *row)
{
    return row->n_cells > 1 && ws_cell_is_date(row->cells[0]);
}

/* Rows of a stamp and as many readings as the rows behind it have alone. */
static bool has_bare_readings(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    size_t stamped = 0, bare = 0, cells = 0;
    for (size_t i = 0; i < n; i++) {
        if (begins_with_stamp(&rows[i])) {
            if (stamped && rows[i].n_cells != cells)
                return false;
            cells = rows[i].n_cells;
            stamped++;
        } else if (stamped && are_readings(&rows[i])) {
            if (rows[i].n_cells + 1 != cells)
                return false;
            bare++;
        }
    }
    if (stamped < 2 || stamped + bare < WS_BARE_READINGS_ROWS ||
        (double)bare < WS_BARE_READINGS * (double)(stamped + bare))
        return false;
    snprintf(what, WS_LOOP_LINES,
             "the stamp stands in front of the first of %zu readings alone: awk -F'%c' 'NF<%zu{$0=t\"%c\"$0}{t=$1}1' "
             "FILE puts it in front of each (then --columns devices=%zu)",
             (stamped + bare + stamped / 2) / stamped, delimiter, cells, delimiter,
             (stamped + bare + stamped / 2) / stamped);
    return true;
}

/* --- a comma inside of the stamp --- */

static size_t digits_of(ws_span cell)
{
    size_t n = 0;
    while (n < cell.n && cell.p[n] >= '0' && cell.p[n] <= '9')
        n++;
    return n;
}

/* "08:00:00" at the end, the seconds without decimals. */
static bool ends_with_seconds(ws_span cell)
{
    return cell.n >= 8 && cell.p[cell.n - 3] == ':' && cell.p[cell.n - 6] == ':' &&
           digits_of((ws_span){cell.p + cell.n - 2, 2}) == 2;
}

/* "120", "120000", "120000345", "120000345+01:00" */
static size_t fraction_digits(ws_span cell)
{
    size_t n = digits_of(cell);
    bool has_zone = n < cell.n && strchr("+-Z", cell.p[n]);
    return (n == 3 || n == 6 || n == 9) && (n == cell.n || has_zone) ? n : 0;
}

typedef struct comma_stamps {
    size_t rows, with; /* rows with a stamp, and those with a fraction behind it */
    size_t digits;
    size_t in_order, pairs; /* neighbours in one second whose fractions rise */
    bool is_sure;           /* a leading zero, more digits than readings have, a zone */
    ws_span second, fraction;
} comma_stamps;

static void take_stamp(comma_stamps *s, const ws_row *row, uint32_t c)
{
    ws_span fraction = row->cells[c + 1];
    size_t digits = fraction_digits(fraction);
    s->rows++;
    if (!digits || (s->digits && digits != s->digits))
        return;
    s->digits = digits;
    s->with++;
    s->is_sure |= digits > 3 || *fraction.p == '0' || digits < fraction.n;
    if (s->second.n == row->cells[c].n && memcmp(s->second.p, row->cells[c].p, s->second.n) == 0) {
        s->pairs++;
        s->in_order += memcmp(fraction.p, s->fraction.p, digits) > 0;
    }
    s->second = row->cells[c], s->fraction = fraction;
}

/* A reading of three digits looks like milliseconds: what tells them apart is a header with fewer cells, a leading
 * zero, or that they rise within each second, as eight readings in a row do by chance in 0.4 %. */
static bool has_comma_stamps(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    comma_stamps s = {0};
    uint32_t header = 0;
    bool is_behind_header = true;
    for (size_t i = 0; i < n && delimiter == ','; i++) {
        const ws_row *row = &rows[i];
        uint32_t c = 0;
        while (c + 1 < row->n_cells && !ends_with_seconds(row->cells[c]))
            c++;
        if (c + 1 < row->n_cells) {
            take_stamp(&s, row, c);
            is_behind_header &= header && row->n_cells == header + 1;
        } else if (!s.rows) {
            header = row->n_cells;
        }
    }
    bool rise = s.pairs >= WS_COMMA_STAMP_PAIRS && s.in_order == s.pairs;
    bool is_so = s.rows >= 2 && s.with == s.rows && (is_behind_header || (!header && (s.is_sure || rise)));
    if (is_so)
        snprintf(what, WS_LOOP_LINES,
                 "stamps have a comma in front of their decimals, which parts the cells: sed -E "
                 "'s/(:[0-9]{2}),([0-9]{%zu})/\\1.\\2/' FILE makes a point of it",
                 s.digits);
    return is_so;
}

bool ws_loop_lines_find(const ws_row *rows, size_t n, char delimiter, char what[WS_LOOP_LINES])
{
    return has_bare_readings(rows, n, delimiter, what) || has_comma_stamps(rows, n, delimiter, what);
}
