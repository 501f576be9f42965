#include "formats/table/trace_csv.h"

#include "core/arena.h"
#include "formats/table/trace_plan.h"
#include "formats/table/trace_plain.h"
#include "formats/table/trace_section.h"
#include "core/parallel.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
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

static bool take_date_line(ws_trace *t, const ws_row *row)
{
    char buffer[WS_DATE_LINE];
    ws_span text;
    ws_stamp stamp;
    bool may_be_row = row->n_cells > 1 && t->sections[0]->plan.time >= 0;
    if (may_be_row || !ws_row_is_date_line(row, t->sections[0]->plan.n_columns, buffer, &text) ||
        !ws_stamp_parse(ws_stamp_guess(text), text, t->context.zone, &stamp))
        return false;
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

static void remember_last_line(ws_trace *t, ws_span line)
{
    ws_span cell = no_cell;
    while (ws_span_split(&line, t->delimiter, &cell))
        ;
    ws_row_policy_remember(&t->policy, ws_span_trim(cell));
}

static ws_status trace_csv_take_block(ws_trace *t, const ws_row *row, size_t n, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < n && status == WS_OK; i++) {
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
        remember_last_line(t, lines.last);
        ws_rows_pass(t->rows, bytes - lines.text.n, lines.n);
    }
    *n = lines.n;
    return status;
}

static ws_status take_rows(ws_trace *t, ws_error *error)
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

/* --- one large plain file on several threads --- */

/* The file is divided into parts of whole lines. Threads read parts in advance as long as their rows are plain data
 * of known devices, and push the samples to a stretch of the sink (see ws_sink) or, if the sink has no stretches, keep
 * them. The calling thread takes the parts in order and joins the stretches to the sink or pushes the samples. From the
 * first line of a part that is anything else, it reads the rest of the part by itself, as it would without threads.
 * Whatever a thread read with an outdated snapshot of the section is discarded and read again, so that the result does
 * not depend on the threads. */

/* A part fits into the second-level cache, and joining the meters of eight devices costs a fiftieth of reading it. Few
 * lines that begin in a part end more than OVERLAP_BYTES behind it. */
enum { PART_BYTES = 256 * 1024, OVERLAP_BYTES = 8 * 1024, LEAST_PARTS = 8, PARTS_A_THREAD = 2, MOST_DEVICES = 64 };

/* A copy of the current section (its plan and devices). It never changes, so that threads may share it. */
typedef struct snapshot {
    struct snapshot *before;
    const ws_trace_section *of;
    ws_trace_section copy;
} snapshot;

/* The buffers and the reader of one part. They are reused from part to part: fresh memory would cost more than the
 * reading itself. */
typedef struct workspace {
    struct workspace *next;
    char *bytes;
    size_t bytes_capacity;
    void *stretch; /* of the trace's sink; NULL: the samples go to `kept` */
    char *kept;
    size_t kept_n, kept_capacity;
    const snapshot *snapshot; /* that the section is a copy of, or NULL */
    ws_trace_section section;
    ws_sink sink;   /* the stretch, or `kept` */
    ws_trace trace; /* that reads lines of this section into `sink` */
} workspace;

typedef struct parallel_read {
    ws_trace *trace;
    ws_input *input;
    int fd;
    size_t part_bytes;
    pthread_mutex_t lock;
    workspace *free_workspaces; /* those not in use */
    pthread_mutex_t sink_lock;  /* held by who uses the trace's sink */
    snapshot *all;              /* the newest first */
    _Atomic(const snapshot *) now;
    ws_status status;
    ws_error *error;
} parallel_read;

/* Precedes the samples of one channel in `kept`; the arrays t_ns, line and value follow. */
typedef struct kept_block {
    int id;
    size_t n;
} kept_block;

typedef struct part {
    workspace *workspace;
    ws_span lines; /* whole ones, except for the last of the file */
    ws_plain_lines taken;
    size_t end;               /* of its range, in the file */
    int failure;              /* errno */
    const snapshot *snapshot; /* that the lines were taken by */
} part;

/* The same plan and devices, with separate lanes that push to `sink`. */
static void copy_section(ws_trace_section *copy, const ws_trace_section *s, const ws_sink *sink)
{
    *copy = *s;
    copy->plan.values = ws_alloc((s->plan.n_values + 1) * sizeof *s->plan.values);
    memcpy(copy->plan.values, s->plan.values, s->plan.n_values * sizeof *s->plan.values);
    ws_trace_section_start(copy);
    memcpy(copy->used, s->used, s->n_used * sizeof *s->used);
    copy->owners = ws_alloc((s->n + 1) * sizeof *copy->owners);
    for (size_t i = 0; i < s->n; i++) {
        const ws_lane *lane = &s->owners[i].lane;
        copy->owners[i] = s->owners[i];
        ws_lane_init(&copy->owners[i].lane, i, sink, lane->n_channels, true, false);
        memcpy(copy->owners[i].lane.id, lane->id, lane->n_channels * sizeof *lane->id);
        memcpy(copy->owners[i].lane.from, lane->from, lane->n_channels * sizeof *lane->from);
    }
}

static void free_copy(ws_trace_section *copy)
{
    for (size_t i = 0; i < copy->n; i++)
        ws_lane_free(&copy->owners[i].lane);
    free(copy->owners);
    free(copy->plan.values);
    free(copy->used);
    *copy = (ws_trace_section){.n = 0};
}

static ws_status keep_block(void *state, int id, const ws_block *block, ws_error *error)
{
    (void)error;
    workspace *w = state;
    size_t bytes = block->n * sizeof(int64_t);
    kept_block head = {id, block->n};
    w->kept = ws_grow(w->kept, &w->kept_capacity, w->kept_n + sizeof head + 3 * bytes, 1);
    char *at = w->kept + w->kept_n;
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, block->t_ns, bytes);
    memcpy(at + sizeof head + bytes, block->line, bytes);
    memcpy(at + sizeof head + 2 * bytes, block->value, bytes);
    w->kept_n += sizeof head + 3 * bytes;
    return WS_OK;
}

static void *fork_stretch(parallel_read *a)
{
    const ws_sink *sink = a->trace->sink;
    if (!sink->fork)
        return NULL;
    pthread_mutex_lock(&a->sink_lock);
    void *stretch = sink->fork(sink->state);
    pthread_mutex_unlock(&a->sink_lock);
    return stretch;
}

/* Everything that depends on a snapshot. The buffers stay. */
static void clear_workspace(const parallel_read *a, workspace *w)
{
    free_copy(&w->section);
    ws_trace_plain_free(&w->trace);
    if (w->stretch)
        a->trace->sink->drop(w->stretch);
    w->stretch = NULL;
    w->snapshot = NULL;
}

/* Makes the workspace ready for lines of the wanted snapshot. */
static void prepare_workspace(parallel_read *a, workspace *w, const snapshot *wanted)
{
    const ws_trace *t = a->trace;
    if (w->snapshot != wanted) {
        clear_workspace(a, w);
        w->stretch = fork_stretch(a);
        w->sink = w->stretch ? (ws_sink){.state = w->stretch, .block = t->sink->block}
                             : (ws_sink){.state = w, .block = keep_block};
        copy_section(&w->section, &wanted->copy, &w->sink);
        w->trace =
            (ws_trace){.options = t->options, .sink = &w->sink, .delimiter = t->delimiter, .current = &w->section};
        w->snapshot = wanted;
    }
    for (size_t i = 0; i < w->section.n; i++)
        w->section.owners[i].lane.count = 0;
}

static workspace *get_workspace(parallel_read *a)
{
    pthread_mutex_lock(&a->lock);
    workspace *w = a->free_workspaces;
    if (w)
        a->free_workspaces = w->next;
    pthread_mutex_unlock(&a->lock);
    if (!w)
        w = ws_alloc(sizeof *w);
    w->kept_n = 0;
    return w;
}

static void put_workspace_back(parallel_read *a, workspace *w)
{
    pthread_mutex_lock(&a->lock);
    w->next = a->free_workspaces;
    a->free_workspaces = w;
    pthread_mutex_unlock(&a->lock);
}

static void drop_workspaces(parallel_read *a)
{
    while (a->free_workspaces) {
        workspace *first = a->free_workspaces;
        a->free_workspaces = first->next;
        clear_workspace(a, first);
        free(first->bytes);
        free(first->kept);
        free(first);
    }
}

static bool read_bytes(int fd, char *bytes, size_t n, size_t from, size_t *got)
{
    *got = 0;
    while (*got < n) {
        ssize_t more = pread(fd, bytes + *got, n - *got, (off_t)(from + *got));
        if (more < 0 && errno != EINTR)
            return false;
        if (more == 0)
            break;
        *got += more > 0 ? (size_t)more : 0;
    }
    return true;
}

static const char *behind_newline(const char *from, const char *end)
{
    const char *newline = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
    return newline ? newline + 1 : NULL;
}

/* Reads the lines that begin in the part's range of bytes. The byte before the range tells whether a line begins
 * there. */
static bool read_lines(const parallel_read *a, size_t index, part *p)
{
    size_t before = index > 0, want = a->part_bytes + OVERLAP_BYTES + before, got;
    size_t from = index * a->part_bytes - before;
    for (;; want *= 2) {
        p->workspace->bytes = ws_grow(p->workspace->bytes, &p->workspace->bytes_capacity, want + WS_ROOM_BYTES, 1);
        char *bytes = ws_place_in(p->workspace->bytes, from);
        if (!read_bytes(a->fd, bytes, want, from, &got))
            return false;
        const char *first = ws_span_without_mark((ws_span){bytes, got}).p;
        p->end = from + (got < before + a->part_bytes ? got : before + a->part_bytes);
        const char *end = bytes + got, *range_end = bytes + before + a->part_bytes;
        const char *begin = before ? behind_newline(bytes, end < range_end ? end : range_end - 1) : first;
        if (!begin)
            return true;
        const char *last = behind_newline(range_end - 1, end);
        if (last || got < want) {
            p->lines = (ws_span){begin, (size_t)((last ? last : end) - begin)};
            return true;
        }
    }
}

/* On any thread: reads the bytes of a part and, if there is a snapshot, parses its plain lines. */
static void read_part(void *state, size_t index, void *out)
{
    parallel_read *a = state;
    part *p = out;
    p->workspace = get_workspace(a);
    if (!read_lines(a, index, p)) {
        p->failure = errno;
        return;
    }
    p->taken = (ws_plain_lines){.text = p->lines, .first = 1};
    p->snapshot = p->lines.n ? atomic_load(&a->now) : NULL;
    if (!p->snapshot)
        return;
    prepare_workspace(a, p->workspace, p->snapshot);
    ws_trace_take_plain(&p->workspace->trace, &p->taken, NULL);
    ws_trace_section_flush(&p->workspace->section, NULL);
}

/* Publishes the snapshot for the parts to come; none if the rows depend on each other. */
static void renew_snapshot(parallel_read *a)
{
    const ws_trace_section *s = a->trace->current;
    const snapshot *now = atomic_load(&a->now);
    bool may_share = ws_trace_rows_stand_alone(a->trace) && s->n <= MOST_DEVICES;
    if (now && may_share && now->of == s && now->copy.n == s->n && now->copy.n_used == s->n_used)
        return;
    atomic_store(&a->now, NULL);
    if (!may_share)
        return;
    snapshot *made = ws_alloc(sizeof *made);
    made->before = a->all;
    made->of = s;
    copy_section(&made->copy, s, NULL);
    a->all = made;
    atomic_store(&a->now, made);
}

static void free_snapshots(parallel_read *a)
{
    while (a->all) {
        snapshot *first = a->all;
        a->all = first->before;
        free_copy(&first->copy);
        free(first);
    }
}

static ws_status push_kept(ws_trace *t, const part *p, int64_t lines, ws_error *error)
{
    ws_status status = WS_OK;
    for (char *at = p->workspace->kept, *end = at + p->workspace->kept_n; at < end && status == WS_OK;) {
        kept_block head;
        memcpy(&head, at, sizeof head);
        int64_t *t_ns = (int64_t *)(void *)(at + sizeof head), *line = t_ns + head.n;
        for (size_t i = 0; i < head.n; i++)
            line[i] += lines;
        ws_block block = {.n = head.n, .t_ns = t_ns, .line = line, .value = (const double *)(line + head.n)};
        status = t->sink->block(t->sink->state, head.id, &block, error);
        at += sizeof head + 3 * head.n * sizeof(int64_t);
    }
    return status;
}

/* Line numbers in a part count from its first line, which the rows have reached. False: the sink could not take them,
 * or no longer; *status says which. */
static bool push_samples(ws_trace *t, const part *p, ws_status *status, ws_error *error)
{
    int64_t lines = ws_rows_line(t->rows) - 1;
    if (p->workspace->stretch)
        return t->sink->join(t->sink->state, p->workspace->stretch, lines);
    *status = push_kept(t, p, lines, error);
    return *status == WS_OK;
}

/* Does a row of the part repeat the stamp of the row before the part? */
static bool begins_with_repeat(const ws_trace_section *s, const ws_trace_section *read)
{
    bool repeats = false;
    for (size_t i = 0; s->stops_at_repeats && i < s->n; i++)
        repeats |=
            s->owners[i].lane.count && read->owners[i].lane.count && read->owners[i].first_ns == s->owners[i].last_ns;
    return repeats;
}

/* False: the part has to be read again, or *status is not WS_OK. */
static bool push_part(ws_trace *t, part *p, ws_status *status, ws_error *error)
{
    const ws_trace_section *read = &p->workspace->section;
    *status = ws_trace_section_flush(t->current, error);
    if (*status != WS_OK || begins_with_repeat(t->current, read) || !push_samples(t, p, status, error))
        return false;
    for (size_t i = 0; i < t->current->n; i++) {
        ws_row_owner *owner = &t->current->owners[i];
        const ws_row_owner *from = &read->owners[i];
        if (!from->lane.count)
            continue;
        owner->last_ns = from->last_ns;
        owner->lane.count += from->lane.count;
        ws_lane_repeat_last(&owner->lane, &from->lane);
    }
    if (p->taken.n)
        remember_last_line(t, p->taken.last);
    ws_rows_pass(t->rows, 0, p->taken.n);
    return true;
}

static void discard(const parallel_read *a, part *p)
{
    p->taken.text = p->lines;
    if (p->snapshot)
        clear_workspace(a, p->workspace);
}

static ws_status take_part(parallel_read *a, part *p)
{
    ws_trace *t = a->trace;
    ws_status status = WS_OK;
    if (p->failure)
        return ws_fail_at(a->error, WS_IO, t->context.source, 0, "cannot be read: %s", strerror(p->failure));
    bool is_of_now = p->snapshot && p->snapshot == atomic_load(&a->now) && ws_rows_are_between(t->rows);
    if (!is_of_now || !push_part(t, p, &status, a->error))
        discard(a, p);
    if (status != WS_OK || !p->taken.text.n)
        return status;
    ws_rows_put(t->rows, p->taken.text);
    status = take_rows(t, a->error);
    renew_snapshot(a);
    return status;
}

static void finish_part(void *state, size_t index, void *out)
{
    (void)index;
    parallel_read *a = state;
    part *p = out;
    pthread_mutex_lock(&a->sink_lock);
    if (a->status == WS_OK)
        a->status = take_part(a, p);
    pthread_mutex_unlock(&a->sink_lock);
    ws_input_passed(a->input, p->end);
    put_workspace_back(a, p->workspace);
}

static size_t part_bytes(const ws_trace *t)
{
    return t->options->rows.part ? t->options->rows.part : PART_BYTES;
}

static size_t count_parts(const ws_trace *t, const ws_input *input)
{
    struct stat about;
    int fd = ws_input_plain_fd(input);
    if (fd < 0 || fstat(fd, &about) != 0 || about.st_size <= 0)
        return 0;
    return ((size_t)about.st_size - 1) / part_bytes(t) + 1;
}

static bool may_read_in_parallel(const ws_trace *t, const ws_input *input)
{
    const ws_rows_options *options = &t->options->rows;
    return options->threads > 1 && options->reader != WS_READER_CSV && count_parts(t, input) >= LEAST_PARTS;
}

static void read_later_part(void *state, size_t index, void *out)
{
    read_part(state, index + 1, out);
}

static ws_status read_in_parallel(ws_trace *t, ws_input *input, ws_error *error)
{
    parallel_read a = {.trace = t,
                       .input = input,
                       .fd = ws_input_plain_fd(input),
                       .part_bytes = part_bytes(t),
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .sink_lock = PTHREAD_MUTEX_INITIALIZER,
                       .error = error};
    ws_parallel_task task = {&a, sizeof(part), read_later_part, finish_part};
    part first = {0};
    ws_rows_put(t->rows, (ws_span){NULL, 0});
    read_part(&a, 0, &first);
    finish_part(&a, 0, &first);
    ws_parallel_run_few(&task, count_parts(t, input) - 1, t->options->rows.threads, PARTS_A_THREAD);
    if (a.status == WS_OK) {
        ws_rows_put_end(t->rows);
        a.status = take_rows(t, error);
    }
    free_snapshots(&a);
    drop_workspaces(&a);
    pthread_mutex_destroy(&a.sink_lock);
    pthread_mutex_destroy(&a.lock);
    return a.status;
}

/* --- the whole file, with or without threads --- */

static ws_status flush_sections(ws_trace *t, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < t->n_sections; i++) {
        ws_status flushed = ws_trace_section_flush(t->sections[i], error);
        status = status == WS_OK ? flushed : status;
    }
    return status;
}

ws_status ws_trace_read_rows(ws_trace *t, ws_input *input, ws_error *error)
{
    ws_status status = may_read_in_parallel(t, input) ? read_in_parallel(t, input, error) : take_rows(t, error);
    ws_status flushed = flush_sections(t, status == WS_OK ? error : NULL);
    return status == WS_OK ? flushed : status;
}

static ws_status prepare(ws_trace *t, ws_input *input, ws_error *error)
{
    ws_trace_section *s = ws_trace_section_add(t);
    ws_status status =
        ws_plan_of_head(&s->plan, &t->context, ws_input_head(input), t->delimiter, &t->options->rows, error);
    if (status != WS_OK)
        return status;
    ws_trace_section_start(s);
    if (!s->plan.header)
        t->current = s;
    return ws_rows_open(&t->rows, input, t->delimiter, &t->options->rows, error);
}

void ws_trace_free(ws_trace *t)
{
    for (size_t i = 0; i < t->n_sections; i++)
        ws_trace_section_free(t->sections[i]);
    free(t->sections);
    ws_trace_plain_free(t);
    ws_trace_devices_free(&t->devices);
    ws_rows_close(t->rows);
}

ws_status ws_trace_csv_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                            ws_error *error)
{
    ws_map map = {0};
    ws_arena arena = {0};
    ws_status status = options->columns ? ws_map_parse(&map, options->columns, error) : WS_OK;
    if (status != WS_OK)
        return status;
    ws_trace t = {.options = options, .sink = sink, .devices.arena = &arena};
    t.delimiter = map.delimiter ? map.delimiter : ws_delimiter_guess(ws_input_head(input));
    t.context = (ws_plan_context){.source = ws_input_path(input),
                                  .map = &map,
                                  .delimiter = t.delimiter,
                                  .zone = options->zone,
                                  .notes = notes,
                                  .arena = &arena,
                                  .described_devices = options->described_devices,
                                  .node_is_given = options->node_is_given,
                                  .rule_order = options->rule_order};
    t.policy = (ws_row_policy){
        .source = t.context.source, .notes = notes, .last_line = WS_LAST_LINE_ALIKE, .keeps_short = true};
    status = prepare(&t, input, error);
    if (status == WS_OK)
        status = ws_trace_read_rows(&t, input, error);
    ws_trace_free(&t);
    if (options->columns)
        ws_map_free(&map);
    ws_arena_free(&arena);
    return status;
}
