/* Each row of a delimited trace, from the first to the last: plain lines by the fast path, the others one by one. */
#include "formats/table/trace_rows.h"

#include "core/arena.h"
#include "formats/table/date_lines.h"
#include "formats/table/trace_head.h"
#include "formats/table/trace_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- each row: data, another header, or something odd --- */

enum { MOST_SECTIONS = 64, MOST_AT_ONCE = 1024 };

static const ws_span no_cell = {"", 0};

static bool number_with_unit(ws_plan_value *value, ws_span cell, double *number)
{
    double x;
    ws_span rest;
    size_t length = ws_span_decimal(cell, &x);
    if (!ws_span_number(cell, &x, &rest))
        return false;
    if (!rest.n) {
        *number = x * value->to_si;
        return true;
    }
    const ws_unit *unit = ws_unit_find(rest);
    if (!unit || unit->dimension != ws_quantity_dimension(value->meaning.quantity))
        return false;
    ws_span behind = {cell.p + length, cell.n - length};
    if (length && behind.n <= sizeof value->cell_unit) {
        memcpy(value->cell_unit, behind.p, behind.n);
        value->cell_unit_n = behind.n;
        value->cell_to_si = unit->to_si;
    }
    *number = x * unit->to_si;
    return true;
}

/* A cell that is not a plain number: missing, several lines, a decimal comma, another unit, or unreadable. */
static double odd_number(ws_trace *t, const ws_plan *plan, ws_plan_value *value, ws_span cell, int64_t line)
{
    double number;
    char buffer[WS_POINT_CELL];
    const char *newline = cell.n ? memchr(cell.p, '\n', cell.n) : NULL;
    if (newline) {
        ws_notes_add(t->context.notes, WS_FINDING_MULTI_LINE_CELL, t->context.source, value->name, line,
                     "a cell of '%s' holds several lines: the first is taken", value->name);
        cell = ws_span_trim((ws_span){cell.p, (size_t)(newline - cell.p)});
    }
    if (ws_span_is_missing(cell))
        return NAN;
    ws_span with_point = ws_plan_point(plan, buffer, cell);
    if (number_with_unit(value, with_point, &number)) {
        if (with_point.p == buffer)
            ws_notes_add(t->context.notes, WS_FINDING_DECIMAL_COMMA, t->context.source, value->name, line,
                         "'%.*s' is read as a number with a decimal comma", WS_SPAN_ARG(cell));
        return number;
    }
    ws_note_unreadable_cell(t->context.notes, t->context.source, value->name, line, cell);
    return NAN;
}

static double read_number(ws_trace *t, const ws_plan *plan, ws_plan_value *value, const ws_row *row)
{
    double number;
    ws_span cell = ws_row_cell(row, (int32_t)value->column);
    return ws_value_read(value, cell, &number) ? number : odd_number(t, plan, value, cell, row->line);
}

/* The stamp of a data row. False if it is not a data row; the caller finds out what else it is. */
static bool read_time(ws_trace *t, ws_trace_section *s, const ws_row *row, int64_t *t_ns)
{
    char buffer[WS_STAMP_CELLS];
    if (s->plan.time >= 0)
        return ws_timecol_read(&s->plan.stamps, ws_plan_stamp(&s->plan, row, buffer), t_ns);
    *t_ns = t->date_line.ns;
    if (s->plan.uses_date_lines && !t->has_date_line)
        return false;
    bool all_missing = row->n_cells == s->plan.n_columns;
    for (size_t v = 0; v < s->plan.n_values; v++) {
        double number;
        ws_span rest, cell = ws_row_cell(row, (int32_t)s->plan.values[v].column);
        if (ws_span_number(cell, &number, &rest))
            return true;
        all_missing &= ws_span_is_missing(cell);
    }
    return all_missing;
}

static int64_t row_interval(ws_trace *t, const ws_plan *plan, const ws_row *row)
{
    int64_t ns = 0;
    if (plan->interval < 0)
        return t->options->period_ns;
    ws_span cell = ws_row_cell(row, plan->interval);
    if (!ws_plan_read_interval(plan, cell, &ns))
        ws_trace_note(t, WS_FINDING_UNREADABLE_CELL, row->line, "no length of an interval:", cell);
    return ns;
}

static ws_status take_data(ws_trace *t, ws_trace_section *s, const ws_row *row, int64_t t_ns, ws_error *error)
{
    ws_row_owner *from;
    t->policy.n_columns = s->plan.n_columns;
    bool is_refused_row = !ws_row_is_usable(&t->policy, row);
    /* a stamp that was cut may still parse, as an earlier one */
    if (is_refused_row && s->plan.time >= 0 && (uint32_t)s->plan.time + 1 >= row->n_cells)
        return WS_OK;
    /* a device name that was cut must not become a new device */
    if (is_refused_row && s->plan.positions <= 1 && !ws_row_owner_of(s, row))
        return WS_OK;
    ws_status status = ws_row_owner_find(t, s, row, t_ns, &from, error);
    if (status != WS_OK || !from)
        return status;
    for (size_t c = 0; c < from->lane.n_channels; c++)
        *ws_lane_place(&from->lane, c) =
            is_refused_row ? NAN : read_number(t, &s->plan, &s->plan.values[from->lane.from[c]], row);
    if (s->plan.time < 0 && !s->plan.uses_date_lines)
        t_ns = from->lane.count * t->options->period_ns;
    from->last_ns = t_ns;
    return ws_lane_close_row(&from->lane, t_ns, row_interval(t, &s->plan, row), row->line, error);
}

/* A data row with an unreadable stamp: its values count as missing. */
static ws_status take_stampless(ws_trace *t, ws_trace_section *s, const ws_row *row, ws_error *error)
{
    char buffer[WS_STAMP_CELLS];
    if (s->plan.stamps.contradicts) {
        ws_span stamp = ws_plan_stamp(&s->plan, row, buffer);
        return ws_fail_at(error, WS_FORMAT, t->context.source, row->line, "'%.*s' " WS_MONTH_FIRST_REMEDY,
                          WS_SPAN_ARG(stamp));
    }
    if (row->unfinished) {
        ws_row_note_cut(&t->policy, row);
        return WS_OK;
    }
    bool has_time = s->plan.time >= 0;
    ws_trace_note(
        t, has_time ? WS_FINDING_BAD_STAMP : WS_FINDING_SKIPPED_LINE, row->line,
        has_time ? "no stamp:" : "no row of data:", has_time ? ws_plan_stamp(&s->plan, row, buffer) : row->cells[0]);
    bool is_whole = has_time && row->n_cells == s->plan.n_columns;
    ws_row_owner *from = is_whole ? ws_row_owner_of(s, row) : NULL;
    if (!from || !from->lane.count)
        return WS_OK;
    for (size_t c = 0; c < from->lane.n_channels; c++)
        *ws_lane_place(&from->lane, c) = NAN;
    return ws_lane_close_row(&from->lane, from->last_ns, row_interval(t, &s->plan, row), row->line, error);
}

static bool is_header_of(const ws_plan *plan, const ws_row *row)
{
    return plan->header && ws_row_spells(row, plan->header, plan->n_columns);
}

static ws_status switch_section(ws_trace *t, const ws_row *header, ws_error *error)
{
    ws_error failure = {0};
    ws_status status = t->current ? ws_trace_section_flush(t->current, error) : WS_OK;
    if (status != WS_OK)
        return status;
    for (size_t i = 0; i < t->n_sections; i++) {
        if (is_header_of(&t->sections[i]->plan, header)) {
            t->current = t->sections[i];
            return WS_OK;
        }
    }
    if (t->n_sections == MOST_SECTIONS)
        return ws_fail_at(error, WS_FORMAT, t->context.source, header->line,
                          "more than %d different headers: this is not one trace", MOST_SECTIONS);
    ws_trace_section *s = ws_trace_section_add(t);
    s->is_unusable = ws_plan_from_header(&s->plan, &t->context, header, &failure) != WS_OK;
    ws_trace_section_start(s);
    t->devices.section++;
    ws_trace_note(t, s->is_unusable ? WS_FINDING_UNUSABLE_HEADER : WS_FINDING_CHANGED_HEADER, header->line,
                  s->is_unusable ? failure.message : "the columns change inside the file", no_cell);
    t->current = s;
    return WS_OK;
}

/* If the rows no longer name their devices, they are taken to be those of the first section, in the same order. */
static void take_over_devices(ws_trace *t, ws_trace_section *s, const ws_row *row)
{
    const ws_trace_section *first = t->sections[0];
    const ws_plan *before = &first->plan;
    bool are_told = before->identity != WS_ROLE_UNKNOWN && before->identity != WS_ROLE_NAME;
    bool tells = s->plan.identity != WS_ROLE_UNKNOWN && s->plan.identity != WS_ROLE_NAME;
    if (!first->n || !are_told || tells || before->is_wide || s->plan.is_wide || before->node >= 0 || s->plan.node >= 0)
        return;
    s->like = first;
    s->plan.positions = (uint32_t)first->n;
    ws_trace_note(t, WS_FINDING_ASSUMED_DEVICE, row->line,
                  "no column tells devices apart any more: rows take turns between those before", no_cell);
}

static ws_status take_first_after_header(ws_trace *t, ws_trace_section *s, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    if (!s->is_unusable)
        ws_plan_settle_after(&s->plan, &t->context, &t->sections[0]->plan, row);
    if (s->plan.is_settled)
        take_over_devices(t, s, row);
    if (s->plan.is_settled && read_time(t, s, row, &t_ns))
        return take_data(t, s, row, t_ns, error);
    ws_row_note_no_data(&t->policy, row);
    return WS_OK;
}

/* A time of day that falls back by more than half a day has passed midnight. */
static void pass_midnight_of_lines(const ws_trace *t, ws_stamp *stamp)
{
    static const int64_t DAY_NS = INT64_C(86400) * 1000000000;
    if (!t->has_date_line)
        return;
    stamp->ns += t->date_line.ns - t->date_line.ns % DAY_NS;
    if (stamp->ns < t->date_line.ns - DAY_NS / 2)
        stamp->ns += DAY_NS;
}

static bool take_date_line(ws_trace *t, const ws_row *row)
{
    char buffer[WS_DATE_LINE];
    ws_span text;
    ws_stamp stamp;
    bool may_be_row = row->n_cells > 1 && t->sections[0]->plan.time >= 0;
    if (may_be_row || !ws_row_is_date_line(row, t->sections[0]->plan.takes_bare_stamps, buffer, &text) ||
        !ws_stamp_parse(ws_stamp_guess(text), text, t->context.zone, &stamp))
        return false;
    if (ws_stamp_guess(text) == WS_STAMP_CLOCK)
        pass_midnight_of_lines(t, &stamp);
    t->date_line = stamp;
    t->has_date_line = true;
    if (t->current)
        ws_poll_restart(&t->current->poll);
    return true;
}

/* Everything except a plain row of data: headers, comments, date lines, unreadable rows. */
static ws_status take_odd(ws_trace *t, const ws_row *raw, ws_error *error)
{
    ws_row row = ws_clean_row(t->context.arena, raw, t->context.map);
    if (!row.n_cells)
        return WS_OK;
    if (t->current && is_header_of(&t->current->plan, &row)) {
        if (row.line != t->current->plan.line)
            ws_row_note_header_again(&t->policy, &row);
        return WS_OK;
    }
    bool is_known = t->n_sections && is_header_of(&t->sections[0]->plan, &row);
    if (is_known || (!ws_row_is_remark(&row) && ws_row_is_header(&row, t->context.map)))
        return switch_section(t, &row, error);
    if (ws_row_is_comment(&row) || take_date_line(t, &row))
        return WS_OK;
    ws_trace_section *s = t->current;
    if (s && !s->plan.is_settled)
        return take_first_after_header(t, s, &row, error);
    if (s && row.n_cells > 1)
        return take_stampless(t, s, &row, error);
    ws_row_note_no_data(&t->policy, &row);
    return WS_OK;
}

static ws_status trace_csv_take_row(ws_trace *t, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    ws_trace_section *s = t->current;
    bool may_be_comment = row->n_cells && row->cells[0].n && *row->cells[0].p == '#';
    if (s && s->plan.uses_date_lines &&
        take_date_line(t, row)) /* before all else, since its year would pass for a reading */
        return WS_OK;
    if (s && s->plan.is_settled && !may_be_comment && read_time(t, s, row, &t_ns))
        return take_data(t, s, row, t_ns, error);
    return take_odd(t, row, error);
}

void ws_trace_remember_last_line(ws_trace *t, ws_span line)
{
    ws_span cell = no_cell;
    while (ws_span_split(&line, t->delimiter, &cell))
        ;
    ws_row_policy_remember(&t->policy, ws_span_trim(cell));
}

/* --- the place up to which all lines are whole --- */

bool ws_trace_may_go_on(const ws_trace *t)
{
    bool is_first = t->take_row ? t->set_notes && t->current
                                : t->n_sections == 1 && t->current == t->sections[0] && !t->current->is_unusable;
    return is_first && ws_trace_rows_are_known(t);
}

/* Where the last whole line of a file of so many bytes ends; 0: a cut one of more than LONGEST_CUT follows, or one that
 * begins with whole rows, which end with a carriage return. */
static uint64_t end_of_lines(int fd, off_t size)
{
    enum { LONGEST_CUT = 8 * 1024 };
    char bytes[LONGEST_CUT];
    ssize_t n = size < LONGEST_CUT ? 0 : pread(fd, bytes, LONGEST_CUT, size - LONGEST_CUT);
    while (n > 0 && bytes[n - 1] != '\n') {
        if (bytes[n - 1] == '\r')
            return 0;
        n--;
    }
    return n > 0 ? (uint64_t)(size - LONGEST_CUT + n) : 0;
}

/* In a row of several lines, none but the last one is cut. */
static bool is_one_line(const ws_trace *t, const ws_row *cut)
{
    return cut->line == ws_rows_line(t->rows);
}

void ws_trace_reach_place(ws_trace *t, const ws_row *cut)
{
    const ws_log_reading *log = t->options->log;
    if (!log || !log->reach || t->has_reached || !ws_trace_may_go_on(t))
        return;
    t->has_reached = true;
    int fd = ws_input_plain_fd(t->input);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0)
        return;
    ws_log_place place = {end_of_lines(fd, about.st_size), ws_rows_line(t->rows), t->current->n};
    bool ends_there = place.offset == (uint64_t)about.st_size;
    bool is_known = cut ? !ends_there && is_one_line(t, cut) : ends_there && ws_rows_are_between(t->rows);
    if (is_known && place.offset >= WS_HEAD_SIZE && ws_trace_section_flush(t->current, NULL) == WS_OK)
        log->reach(log->state, &place);
}

/* --- all of them --- */

static ws_status trace_csv_take_block(ws_trace *t, const ws_row *row, size_t n, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        if (row[i].unfinished)
            ws_trace_reach_place(t, &row[i]);
        status = t->take_row ? t->take_row(t->taker, &row[i], error) : trace_csv_take_row(t, &row[i], error);
        ws_row_policy_remember(&t->policy,
                               t->current ? ws_row_cell(&row[i], (int32_t)t->current->plan.n_columns - 1) : no_cell);
    }
    return status;
}

/* Takes the buffered plain lines on the fast path, which does not split them into rows. */
static ws_status take_plain(ws_trace *t, int64_t *n, ws_error *error)
{
    ws_plain_lines lines = {.text = ws_rows_at_hand(t->rows), .first = ws_rows_line(t->rows)};
    size_t bytes = lines.text.n;
    ws_status status = ws_trace_take_plain(t, &lines, error);
    if (lines.n) {
        ws_trace_remember_last_line(t, lines.last);
        ws_rows_pass(t->rows, bytes - lines.text.n, lines.n);
    }
    *n = lines.n;
    return status;
}

ws_status ws_trace_take_rows(ws_trace *t, ws_error *error)
{
    const ws_row *row;
    size_t n, most = 1; /* lines to take as rows before trying the fast path again; doubled as long as that fails */
    int64_t n_plain;
    for (;;) {
        ws_status status = take_plain(t, &n_plain, error);
        most = n_plain ? 1 : most < MOST_AT_ONCE ? 2 * most : most;
        ws_rows_limit(t->rows, most);
        if (status == WS_OK)
            status = ws_rows_next(t->rows, &row, &n, error);
        if (status == WS_OK && n)
            status = trace_csv_take_block(t, row, n, error);
        if (status != WS_OK || !n)
            return status;
    }
}
