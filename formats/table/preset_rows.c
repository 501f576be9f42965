#include "formats/table/preset.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"
#include "formats/table/preset_header.h"
#include "formats/table/preset_plain.h"
#include "formats/table/trace_head.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256 };

/* Rows of one run, node, device and kind: their naming cells are the same. */
typedef struct preset_source {
    ws_span cells[WS_PRESET_MOST_NAMING]; /* in `text` */
    char *text;
    size_t text_capacity;
    uint64_t hash;
    const char *kind;                  /* the cells of `kind`, joined; NULL: the table has none */
    const ws_preset_reading *readings; /* by `about`, one for each column of values; NULL: of no use */
    size_t *series;                    /* of the samples, one for each column; NOT_BEGUN: not asked yet */
    size_t series_capacity, next;      /* next: the source that followed last time */
    int64_t last_ns, rows, shared;     /* stamp of its last row; its rows, and those that have the stamp of one above */
    size_t owner;                      /* its place in the section of plain lines; NO_OWNER: not begun yet */
    bool is_no_row;                    /* the device of a row that has to have one is no number */
} preset_source;

/* More sources than this follow each other, as the runs of a table of jobs: the oldest are looked up again. */
enum { MOST_SOURCES = 1024, SOURCE_SLOTS = 2 * MOST_SOURCES };

#define NOT_BEGUN (WS_NO_SERIES - 1)
#define NO_OWNER SIZE_MAX

typedef struct preset_reader {
    const ws_preset *preset;
    ws_preset_header header;
    preset_source *sources;
    size_t n_sources, source_capacity, last_source;
    uint16_t slots[SOURCE_SLOTS]; /* of a hash table by the naming cells: place of the source + 1 */
    const ws_row *row;            /* that is being taken */
    ws_row words;                 /* it without the sign or word before it */
    int64_t rows, last_ns, given_ns;
    bool has_last;
    bool may_begin_again;  /* a header came again */
    int64_t origin_ns;     /* where the time of a log that begins at 0 lies, behind those above it */
    const char *node_text; /* of a remark; NULL: none */
    ws_stamp start;        /* of a remark; base WS_TIME_NONE: none */
    ws_held_windows held;  /* of a table of windows */
    double *values;        /* of a window's columns */
    int *ids;              /* of the sink, for an owner of plain lines */
    ws_preset_plain plain;
} preset_reader;

static ws_span cell(const preset_reader *r, int place)
{
    return ws_row_cell(r->row, place);
}

/* --- header --- */

static void forget_sources(preset_reader *r)
{
    r->n_sources = r->last_source = 0;
    memset(r->slots, 0, sizeof r->slots);
}

/* From now on rows go to series of their own. */
static ws_status stop_lending(ws_row_trace *t, preset_reader *r, ws_error *error)
{
    r->plain.is_used = false;
    return ws_row_trace_end_plain_lines(t, error);
}

/* What is lent is taken back before. */
static void take_header(ws_row_trace *t, preset_reader *r)
{
    const ws_preset *p = r->preset;
    bool is_first = !t->policy.n_columns;
    if (is_first)
        ws_unread_forget(&t->plain.unread);
    r->may_begin_again = r->has_last;
    ws_row names = *r->row;
    while (p->has_groups && names.n_cells && !names.cells[names.n_cells - 1].n)
        names.n_cells--; /* a comma behind the last name, where there may be none behind the last reading */
    if (ws_row_policy_header(&t->policy, &t->samples.arena, &names) == WS_HEADER_AGAIN)
        return;
    forget_sources(r);
    ws_preset_header_take(&r->header, p, r->row, &t->samples.arena);
    if (is_first && ws_preset_may_be_plain(p, t->plain.delimiter))
        ws_preset_plain_begin(&r->plain, p, &r->header, t->policy.n_columns);
    if (ws_preset_place(p, r->row, p->loop) != WS_NOT_THERE && r->header.interval == WS_NOT_THERE)
        ws_row_trace_note(t, WS_FINDING_NO_LENGTH,
                          "a table of loops, which does not say how long each lasted, so there is no energy (that of "
                          "the jobs does): it has the column",
                          ws_span_of(p->loop));
}

/* --- time --- */

typedef struct row_time {
    int64_t t_ns, interval_ns;
    ws_time_base base;
} row_time;

static int64_t read_interval(ws_row_trace *t, const preset_reader *r)
{
    int64_t ns = 0;
    if (r->header.interval != WS_NOT_THERE && (!ws_seconds_to_ns(cell(r, r->header.interval), &ns) || ns < 0)) {
        ws_row_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no length of an interval:", cell(r, r->header.interval));
        ns = 0;
    }
    return r->header.interval_unit && r->header.interval_unit->to_si < 1
               ? (int64_t)((double)ns * r->header.interval_unit->to_si + 0.5)
               : ns;
}

/* Logs in one file that each begin at 0, with their counters: they follow each other. */
static void begin_again(ws_row_trace *t, preset_reader *r)
{
    ws_row_trace_note(
        t, WS_FINDING_RESTARTED_LOG,
        "another log begins, with its time and its counters: they go on from the end of the one above it, "
        "without the time between the two:",
        cell(r, r->header.time));
    r->origin_ns = r->last_ns;
    for (size_t c = 0; c < r->header.n_columns; c++)
        r->header.columns[c].before = r->header.columns[c].total;
}

/* The row covers the time since the one before, the first of a log that since 0. */
static bool place_since_zero(ws_row_trace *t, preset_reader *r, row_time *time)
{
    if (r->may_begin_again && time->t_ns <= r->last_ns - r->origin_ns)
        begin_again(t, r);
    r->may_begin_again = false;
    if (__builtin_add_overflow(time->t_ns, r->origin_ns, &time->t_ns))
        return false;
    bool goes_on = r->has_last && time->t_ns >= r->last_ns;
    if (__builtin_sub_overflow(time->t_ns, goes_on ? r->last_ns : r->origin_ns, &time->interval_ns))
        time->interval_ns = 0;
    return true;
}

/* "20260211" and "08:00:00" as one stamp; the time of day alone where there is no date. */
static ws_span stamp_of(const preset_reader *r, char buffer[WS_STAMP_CELLS])
{
    char date[16];
    ws_span day = cell(r, r->header.date), time = cell(r, r->header.time);
    if (day.n == 8) {
        memcpy(date, day.p, 4);
        memcpy(date + 5, day.p + 4, 2);
        memcpy(date + 8, day.p + 6, 2);
        date[4] = date[7] = '-';
        day = (ws_span){date, 10};
    }
    return r->header.date == WS_NOT_THERE ? time : ws_timecol_join(buffer, day, time);
}

/* The rows of one source follow each other by the user's period. */
static void count_time(ws_row_trace *t, const preset_source *source, row_time *time)
{
    size_t first = source && source->series_capacity ? source->series[0] : NOT_BEGUN;
    int64_t n = first < NOT_BEGUN ? t->samples.series[first].lane.count : 0;
    time->t_ns = ws_period_time(t->options, n, &time->base);
    time->interval_ns = t->options->period_ns;
}

/* False when the row has no time although the file has. */
static bool read_time(ws_row_trace *t, preset_reader *r, const preset_source *source, row_time *time)
{
    const ws_preset *p = r->preset;
    char buffer[WS_STAMP_CELLS];
    if (r->header.time == WS_NOT_THERE &&
        r->header.interval != WS_NOT_THERE) { /* means over lengths of time that have no date */
        *time = (row_time){.interval_ns = read_interval(t, r), .base = WS_TIME_RELATIVE};
        time->t_ns = time->interval_ns;
        return time->interval_ns > 0;
    }
    if (r->header.time == WS_NOT_THERE && r->header.date == WS_NOT_THERE) {
        count_time(t, source, time);
        return true;
    }
    ws_span stamp = stamp_of(r, buffer);
    time->interval_ns = read_interval(t, r);
    if (t->stamps.form == WS_STAMP_NONE)
        ws_timecol_settle(&t->stamps, stamp);
    if (!ws_timecol_read(&t->stamps, stamp, &time->t_ns) ||
        (p->time_is_start && __builtin_add_overflow(time->t_ns, time->interval_ns, &time->t_ns)))
        return false;
    time->base = t->stamps.base;
    if (r->start.base != WS_TIME_NONE && time->base == WS_TIME_RELATIVE) {
        if (__builtin_add_overflow(time->t_ns, r->start.ns, &time->t_ns))
            return false;
        time->base = r->start.base;
    }
    if (p->opens_at_zero && !place_since_zero(t, r, time))
        return false;
    r->last_ns = time->t_ns;
    r->has_last = true;
    return true;
}

/* --- whose rows they are --- */

static void preset_join(char *buffer, const preset_reader *r, const int *places, size_t n_places, char sign)
{
    size_t n = 0;
    for (size_t i = 0; i < n_places; i++) {
        ws_span part = cell(r, places[i]);
        if (n && places[i] != WS_NOT_THERE && n + 1 < TEXT)
            buffer[n++] = sign;
        for (size_t k = 0; k < part.n && part.p[k] && n + 1 < TEXT; k++)
            buffer[n++] = part.p[k];
    }
    buffer[n] = '\0';
}

static bool is_of(const preset_reader *r, const preset_source *source)
{
    const ws_preset_header *h = &r->header;
    for (size_t i = 0; i < h->n_naming; i++)
        if (!ws_span_same(source->cells[i], cell(r, h->naming[i])))
            return false;
    return true;
}

static uint64_t hash_of_row(const preset_reader *r)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < r->header.n_naming; i++) {
        ws_span text = cell(r, r->header.naming[i]);
        for (size_t k = 0; k < text.n; k++)
            hash = (hash ^ (unsigned char)text.p[k]) * UINT64_C(0x100000001b3);
        hash = (hash ^ 0x100) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static const ws_preset_reading *readings_of(ws_row_trace *t, const preset_reader *r, const char *kind)
{
    const ws_preset_header *h = &r->header;
    ws_preset_reading *readings = ws_arena_alloc(&t->samples.arena, (h->n_columns + 1) * sizeof *readings);
    ws_span cells[WS_PRESET_KINDS];
    bool is_known = h->n_columns > 0;
    for (size_t i = 0; i < WS_PRESET_KINDS; i++)
        cells[i] = cell(r, h->kind[i]);
    for (size_t c = 0; c < h->n_columns && is_known; c++) {
        readings[c] = h->columns[c].reading;
        is_known = r->preset->about(&t->samples.arena, kind, cells, &readings[c]);
    }
    return is_known ? readings : NULL;
}

/* A GPU that is polled once in a second or less often has a stamp of its own in nearly each row: with so many rows of
 * the stamp above, it is a number that several nodes give to a GPU. Ours. */
static const double SHARED_STAMPS = 0.4;
enum { LEAST_ROWS = 16 };

static void note_shared_stamps(ws_row_trace *t, const preset_reader *r)
{
    for (size_t i = 0; i < r->n_sources; i++) {
        const preset_source *source = &r->sources[i];
        if (r->preset->polls_whole_seconds && source->rows >= LEAST_ROWS &&
            (double)source->shared >= SHARED_STAMPS * (double)source->rows) {
            ws_row_trace_note(t, WS_FINDING_SHARED_STAMPS,
                              "rows of one GPU share their stamps, as those of several nodes would that write into one "
                              "file: a file for each tells them apart; GPU",
                              source->cells[0]);
            return;
        }
    }
}

/* Copies of the cells, which the source keeps in one text, with delimiters between them. */
static void name_source(const preset_reader *r, char delimiter, preset_source *source)
{
    const ws_preset_header *h = &r->header;
    size_t n = 1;
    for (size_t i = 0; i < h->n_naming; i++)
        n += cell(r, h->naming[i]).n + 1;
    source->text = ws_grow(source->text, &source->text_capacity, n, 1);
    char *at = source->text;
    for (size_t i = 0; i < h->n_naming; i++) {
        ws_span text = cell(r, h->naming[i]);
        if (text.n)
            memcpy(at, text.p, text.n);
        source->cells[i] = (ws_span){at, text.n};
        at += text.n;
        *at++ = delimiter;
    }
}

static preset_source *add_source(ws_row_trace *t, preset_reader *r, uint64_t hash)
{
    char text[TEXT];
    int64_t number;
    if (r->n_sources == MOST_SOURCES)
        forget_sources(r);
    size_t slot = hash >> 20 & (SOURCE_SLOTS - 1), old = r->source_capacity;
    r->sources = ws_grow(r->sources, &r->source_capacity, r->n_sources + 1, sizeof *r->sources);
    if (r->source_capacity > old)
        memset(r->sources + old, 0, (r->source_capacity - old) * sizeof *r->sources);
    preset_source *added = &r->sources[r->n_sources++];
    while (r->slots[slot])
        slot = (slot + 1) & (SOURCE_SLOTS - 1);
    r->slots[slot] = (uint16_t)r->n_sources;
    name_source(r, t->plain.delimiter, added);
    added->hash = hash;
    added->next = 0;
    added->owner = NO_OWNER;
    added->rows = added->shared = 0;
    added->kind = NULL;
    added->readings = NULL;
    added->is_no_row = r->preset->hash_head && (!ws_span_i64(cell(r, r->header.id[0]), &number) || number < 0);
    added->series = ws_grow(added->series, &added->series_capacity, r->header.n_columns + 1, sizeof *added->series);
    for (size_t c = 0; c <= r->header.n_columns; c++)
        added->series[c] = NOT_BEGUN;
    if (r->preset->kind[0]) {
        preset_join(text, r, r->header.kind, WS_PRESET_KINDS, '/');
        added->kind = ws_arena_strdup(&t->samples.arena, text);
        added->readings = readings_of(t, r, added->kind);
    }
    return added;
}

/* Sources take turns, so that the one that followed the last one will often come next. */
static preset_source *source_of_row(ws_row_trace *t, preset_reader *r)
{
    preset_source *found = NULL;
    if (r->n_sources) {
        const preset_source *last = &r->sources[r->last_source];
        if (is_of(r, &r->sources[last->next])) {
            r->last_source = last->next;
            return &r->sources[r->last_source];
        }
    }
    uint64_t hash = hash_of_row(r);
    for (size_t slot = hash >> 20 & (SOURCE_SLOTS - 1); r->slots[slot] && !found;
         slot = (slot + 1) & (SOURCE_SLOTS - 1)) {
        preset_source *source = &r->sources[r->slots[slot] - 1];
        found = source->hash == hash && is_of(r, source) ? source : NULL;
    }
    found = found ? found : add_source(t, r, hash);
    size_t place = (size_t)(found - r->sources);
    if (r->last_source < r->n_sources)
        r->sources[r->last_source].next = place;
    r->last_source = place;
    return found;
}

/* Whose the row is, and what its readings are by its own cells. NULL: of no use here. */
static preset_source *find_source(ws_row_trace *t, preset_reader *r)
{
    const ws_preset *p = r->preset;
    if (p->id_is_index && !p->hash_head && !cell(r, r->header.id[0]).n) {
        ws_row_trace_note(t, WS_FINDING_NO_DEVICE, "a row without its device was left out, in column",
                          ws_span_of(p->id[0]));
        return NULL;
    }
    preset_source *found = source_of_row(t, r);
    if (found->is_no_row)
        ws_row_note_no_data(&t->policy, r->row);
    if (p->kind[0] && !found->readings && p->unknown)
        ws_notes_add(t->samples.notes, WS_FINDING_UNKNOWN_ZONE, t->samples.source, "", t->line, "'%s' %s: left out",
                     found->kind, p->unknown);
    return found->is_no_row || (p->kind[0] && !found->readings) ? NULL : found;
}

/* --- readings --- */

/* The identity that the row's own cells give, else the number in the column's name. */
static ws_status begin_series(ws_row_trace *t, const preset_reader *r, const ws_preset_column *column,
                              const ws_preset_reading *about, const row_time *time, size_t *series, ws_error *error)
{
    char run[TEXT], id[TEXT];
    const ws_preset *p = r->preset;
    bool has_id = r->header.id[0] != WS_NOT_THERE, has_number = about->number >= 0;
    preset_join(run, r, r->header.run, WS_PRESET_NAMES, '.');
    preset_join(id, r, r->header.id, WS_PRESET_NAMES, '/');
    ws_samples_key key = {.run = run,
                          .node = p->node_is_file ? ws_file_stem(t->samples.source)
                                  : r->node_text  ? ws_span_of(r->node_text)
                                                  : cell(r, r->header.node),
                          .id = ws_span_of(about->id ? about->id
                                           : has_id  ? id
                                                     : column->digits),
                          .identity = about->identity  ? about->identity
                                      : p->id_is_index ? "index"
                                      : has_id         ? "name"
                                      : has_number     ? "index"
                                                       : "",
                          .number = about->number,
                          .device = about->device,
                          .domain = about->domain,
                          .quantity = about->quantity,
                          .column = about->column,
                          .rule = about->rule,
                          .preference = about->preference,
                          .counter_from_zero = p->opens_at_zero,
                          .are_windows = p->time_is_start || p->loop,
                          .assumed = r->held.overlap ? WS_STATUS_WINDOWS_OVERLAP : WS_STATUS_OK,
                          .time = time->base};
    if (p->id_is_index)
        ws_span_i64(key.id, &key.number);
    return ws_samples_begin(&t->samples, &key, time->interval_ns, t->line, series, error);
}

/* A counter with what the logs above it came to. */
static double add_up(const preset_reader *r, ws_preset_column *column, double value)
{
    if (!r->preset->opens_at_zero || column->value->quantity != WS_ENERGY_COUNTER)
        return value;
    value += column->before;
    column->total = isnan(value) ? column->total : value;
    return value;
}

static double read_value(ws_row_trace *t, const preset_reader *r, const ws_preset_column *column,
                         const ws_preset_reading *about)
{
    double written;
    ws_span text = cell(r, (int)column->at);
    if (about->is_blank && ws_span_double(text, &written) && about->is_blank(about->quantity, written))
        return NAN;
    return ws_samples_number(&t->samples, text, about->quantity, about->unit, about->column, t->line);
}

/* --- windows, which may hold others --- */

enum { MOST_HELD = 65536 }; /* windows: then those so far are passed on */

static void note_window(ws_row_trace *t, const preset_reader *r, ws_window_place place)
{
    static const char counted[] = "windows lie inside others, whose energies hold theirs: only the outermost count";
    if (place == WS_WINDOW_HOLDS || place == WS_WINDOW_INSIDE)
        ws_notes_add(t->samples.notes, WS_FINDING_NESTED_WINDOW, t->samples.source, "", t->line, "%s", counted);
    if (place == WS_WINDOW_OVERLAPS)
        ws_row_trace_note(t, WS_FINDING_OVERLAPPING_WINDOW,
                          "a window began before the one above it ended, and ends behind it, so that energy counts "
                          "twice: began at",
                          cell(r, r->header.time));
}

static ws_status pass_on_windows(ws_row_trace *t, preset_reader *r, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < r->held.n && status == WS_OK; i++) {
        const ws_held_window *w = &r->held.items[i];
        row_time time = {w->end_ns, w->end_ns - w->start_ns, w->base};
        for (size_t c = 0; c < r->header.n_columns && status == WS_OK; c++) {
            const ws_preset_column *column = &r->header.columns[c];
            ws_samples_reading reading = {
                .t_ns = time.t_ns, .interval_ns = time.interval_ns, .value = w->values[c], .line = w->line};
            size_t series;
            status = begin_series(t, r, column, &column->reading, &time, &series, error);
            if (status == WS_OK)
                status = ws_samples_add(&t->samples, series, &reading, error);
        }
    }
    ws_held_windows_clear(&r->held);
    return status;
}

static ws_status preset_end(ws_row_trace *t, ws_error *error)
{
    note_shared_stamps(t, t->state);
    return pass_on_windows(t, t->state, error);
}

static ws_status hold_window(ws_row_trace *t, preset_reader *r, const row_time *time, ws_error *error)
{
    r->values = r->values ? r->values : ws_alloc((r->header.n_columns + 1) * sizeof *r->values);
    for (size_t c = 0; c < r->header.n_columns; c++)
        r->values[c] = read_value(t, r, &r->header.columns[c], &r->header.columns[c].reading);
    ws_held_window window = {.start_ns = time->t_ns - time->interval_ns, /* which was added to it */
                             .end_ns = time->t_ns,
                             .line = t->line,
                             .base = time->base,
                             .values = r->values};
    note_window(t, r, ws_held_windows_add(&r->held, &window, r->header.n_columns));
    return r->held.n < MOST_HELD ? WS_OK : pass_on_windows(t, r, error);
}

/* --- rows --- */

/* Makes the source an owner of plain lines. Where a channel of it is there already, or there are too many sources,
 * nothing is lent any more. */
static ws_status add_owner(ws_row_trace *t, preset_reader *r, preset_source *source, const row_time *time,
                           ws_error *error)
{
    ws_status status = WS_OK;
    size_t before = t->samples.n, n = r->header.n_columns;
    bool are_new = r->n_sources < MOST_SOURCES;
    r->ids = r->ids ? r->ids : ws_alloc((n + 1) * sizeof *r->ids);
    for (size_t c = 0; c < n && status == WS_OK; c++) {
        const ws_preset_reading *about = source->readings ? &source->readings[c] : &r->header.columns[c].reading;
        size_t *series = &source->series[c];
        status = begin_series(t, r, &r->header.columns[c], about, time, series, error);
        bool is_named = status == WS_OK && *series != WS_NO_SERIES;
        are_new &= is_named && *series == before + c;
        r->ids[c] = is_named ? t->samples.series[*series].lane.id[0] : -1;
    }
    if (status == WS_OK && are_new)
        source->owner = ws_preset_plain_add(&r->plain, &r->header, source->cells, source->readings, r->ids,
                                            t->samples.sink, time->interval_ns > 0);
    return status != WS_OK || are_new ? status : stop_lending(t, r, error);
}

/* A row whose like may be plain lines. */
static ws_status take_lent(ws_row_trace *t, preset_reader *r, const preset_source *source, const row_time *time,
                           ws_error *error)
{
    ws_trace_section *s = &r->plain.section;
    ws_row_owner *owner = &s->owners[source->owner];
    for (size_t c = 0; c < r->header.n_columns; c++)
        *ws_lane_place(&owner->lane, c) = read_value(
            t, r, &r->header.columns[c], source->readings ? &source->readings[c] : &r->header.columns[c].reading);
    t->samples.n_added++;
    s->next = source->owner + 1 < s->n ? source->owner + 1 : 0;
    owner->last_ns = time->t_ns;
    if (!t->plain.current)
        s->plan.stamps = t->stamps;
    t->plain.current = s;
    return ws_lane_close_row(&owner->lane, time->t_ns, time->interval_ns, t->line, error);
}

static ws_status preset_take_row(ws_row_trace *t, preset_reader *r, ws_error *error)
{
    row_time time;
    ws_status status = WS_OK;
    preset_source *source = find_source(t, r);
    if (!source)
        return WS_OK;
    if (!read_time(t, r, source, &time)) {
        char text[WS_ROW_TEXT];
        ws_note_bad_stamp(t->samples.notes, t->samples.source, t->line,
                          r->preset->hash_head ? ws_row_text(r->row, text) : cell(r, r->header.time));
        return WS_OK;
    }
    r->rows++;
    if (time.base != WS_TIME_NONE) {
        source->shared += source->rows > 0 && time.t_ns == source->last_ns;
        source->last_ns = time.t_ns;
        source->rows++;
    }
    if (r->preset->time_is_start)
        return hold_window(t, r, &time, error);
    if (r->plain.is_used && source->owner == NO_OWNER)
        status = add_owner(t, r, source, &time, error);
    if (r->plain.is_used && status == WS_OK)
        return take_lent(t, r, source, &time, error);
    ws_samples_reading reading = {.t_ns = time.t_ns, .interval_ns = time.interval_ns, .line = t->line};
    for (size_t c = 0; c < r->header.n_columns && status == WS_OK; c++) {
        ws_preset_column *column = &r->header.columns[c];
        const ws_preset_reading *about = source->readings ? &source->readings[c] : &column->reading;
        reading.value = add_up(r, column, read_value(t, r, column, about));
        if (source->series[c] == NOT_BEGUN)
            status = begin_series(t, r, column, about, &time, &source->series[c], error);
        if (status == WS_OK)
            status = ws_samples_add(&t->samples, source->series[c], &reading, error);
    }
    return status;
}

/* "Cumulative Processor Energy_0 (Joules) = 1378.284241": a total that the tool printed, for `given_time`. */
static ws_status take_given(ws_row_trace *t, preset_reader *r, ws_span name, ws_span value, ws_error *error)
{
    const ws_preset *p = r->preset;
    int64_t number;
    double joules;
    name = ws_span_trim(name);
    if (ws_span_eq(name, p->given_time))
        ws_seconds_to_ns(ws_span_trim(value), &r->given_ns);
    for (size_t v = 0; v < p->n_values; v++) {
        if (p->values[v].quantity != WS_ENERGY_COUNTER || !ws_preset_matches(p->values[v].name, name, &number) ||
            !ws_span_double(value, &joules) || r->given_ns <= 0)
            continue;
        char text[TEXT];
        ws_preset_value given = p->values[v];
        given.quantity = WS_ENERGY_INTERVAL;
        given.rule = WS_RULE_GIVEN;
        snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(name));
        ws_preset_column column = ws_preset_column_of(&given, text, 0, number);
        row_time time = {0, r->given_ns, WS_TIME_RELATIVE};
        if (__builtin_add_overflow(r->origin_ns, r->given_ns, &time.t_ns))
            return WS_OK;
        ws_samples_reading reading = {.t_ns = time.t_ns,
                                      .interval_ns = time.interval_ns,
                                      .value = joules * column.reading.unit->to_si,
                                      .line = t->line};
        size_t series;
        ws_status status = begin_series(t, r, &column, &column.reading, &time, &series, error);
        return status == WS_OK ? ws_samples_add(&t->samples, series, &reading, error) : status;
    }
    return WS_OK;
}

/* "60.004 sec", which turbostat says once. */
static bool is_length(const preset_reader *r)
{
    return r->preset->summary && r->row->n_cells == 2 && ws_span_eq(r->row->cells[1], "sec");
}

/* Rows of parts of what the row to take sums up. */
static bool is_part(const preset_reader *r)
{
    bool has_summary = r->header.summary != WS_NOT_THERE && r->row->n_cells > (uint32_t)r->header.summary;
    return has_summary && !ws_span_eq(cell(r, r->header.summary), "-");
}

/* "# node_name: n1" */
static bool take_remark(ws_row_trace *t, preset_reader *r)
{
    const ws_preset *p = r->preset;
    ws_span text = r->row->n_cells ? r->row->cells[0] : (ws_span){"", 0};
    if (!p->remark_node || r->row->n_cells != 1 || !ws_span_has_prefix(text, "#"))
        return false;
    if (ws_span_has_prefix(text, p->remark_node)) {
        text = ws_span_trim((ws_span){text.p + strlen(p->remark_node), text.n - strlen(p->remark_node)});
        r->node_text = text.n ? ws_arena_strndup(&t->samples.arena, text.p, text.n) : NULL;
        forget_sources(r);
    } else if (p->remark_start && ws_span_has_prefix(text, p->remark_start)) {
        text = ws_span_trim((ws_span){text.p + strlen(p->remark_start), text.n - strlen(p->remark_start)});
        if (!ws_stamp_parse(ws_stamp_guess(text), text, t->options->zone, &r->start))
            r->start = (ws_stamp){.base = WS_TIME_NONE};
    }
    return true;
}

/* A row that does not begin with a number, as those of data do. */
static bool take_groups(ws_row_trace *t, preset_reader *r)
{
    ws_span first = cell(r, 0);
    bool is_taken = r->preset->has_groups && r->row->n_cells > 2 && !(first.n && *first.p >= '0' && *first.p <= '9');
    if (is_taken)
        ws_preset_header_take_groups(&r->header, r->row, &t->samples.arena);
    return is_taken;
}

static ws_status preset_take_header(ws_row_trace *t, preset_reader *r, ws_error *error)
{
    ws_status status = pass_on_windows(t, r, error);
    free(r->values), r->values = NULL;
    bool is_other = t->policy.header && !ws_row_spells(r->row, t->policy.header, t->policy.n_columns);
    if (status == WS_OK && is_other)
        status = stop_lending(t, r, error);
    take_header(t, r);
    return status;
}

/* Moves on to the words behind the first one. */
static void drop_first_word(preset_reader *r)
{
    r->words = *r->row;
    r->words.cells++;
    r->words.n_cells--;
    r->row = &r->words;
}

/* A row of words: of units below the header, or of readings. */
static ws_status take_words(ws_row_trace *t, preset_reader *r, ws_error *error)
{
    const ws_preset *p = r->preset;
    ws_span first = r->row->cells[0];
    bool is_hash = ws_span_has_prefix(first, "#");
    if (is_hash && first.n == 1)
        drop_first_word(r);
    if (!r->row->n_cells)
        return WS_OK;
    if (is_hash || ws_span_eq_nocase(first, "id") || ws_span_eq_nocase(first, "idx")) {
        ws_preset_header_take_units(&r->header, r->row, t->policy.n_columns);
        return WS_OK;
    }
    bool is_row = t->policy.n_columns > 0 && (!p->first_word || ws_span_eq_nocase(first, p->first_word));
    if (is_row && p->first_word)
        drop_first_word(r);
    if (!is_row || r->row->n_cells != t->policy.n_columns) {
        ws_row_note_no_data(&t->policy, r->row);
        return WS_OK;
    }
    return ws_row_is_cut(&t->policy, r->row) ? WS_OK : preset_take_row(t, r, error);
}

/* The header at hand again, as tools that scroll print it: no name of it has to be understood. */
static bool is_header_again(const ws_row_trace *t, const ws_preset *p, const ws_row *row)
{
    size_t sign = p->hash_head && row->cells[0].n == 1; /* "# gpu" */
    ws_row names = {.cells = row->cells + sign, .n_cells = row->n_cells - (uint32_t)sign};
    return t->policy.header && *row->cells[0].p == '#' && ws_row_spells(&names, t->policy.header, t->policy.n_columns);
}

static ws_status preset_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    preset_reader *r = t->state;
    const ws_preset *p = r->preset;
    ws_span before, after;
    r->row = row;
    bool is_again = p->hash_head && is_header_again(t, p, row);
    if (is_again || ws_preset_is_header(p, row)) {
        if (p->hash_head && row->cells[0].n == 1)
            drop_first_word(r);
        return preset_take_header(t, r, error);
    }
    if (p->hash_head)
        return take_words(t, r, error);
    if (take_remark(t, r) || take_groups(t, r))
        return WS_OK;
    if (!t->policy.n_columns || ws_span_has_prefix(*row->cells, "#") || (is_part(r) && !row->unfinished) ||
        is_length(r))
        return WS_OK;
    if (p->given_time && row->n_cells == 1 && !row->unfinished && ws_span_cut(*row->cells, " = ", &before, &after))
        return take_given(t, r, before, after, error);
    return ws_row_is_usable(&t->policy, row) ? preset_take_row(t, r, error) : WS_OK;
}

static void free_reader(preset_reader *r)
{
    for (size_t i = 0; i < r->source_capacity; i++) {
        free(r->sources[i].text);
        free(r->sources[i].series);
    }
    free(r->sources);
    free(r->values);
    free(r->ids);
    ws_preset_plain_free(&r->plain);
    ws_held_windows_free(&r->held);
    ws_preset_header_free(&r->header);
}

static char delimiter_of(const ws_preset *preset, ws_span head)
{
    return preset->delimiter ? preset->delimiter : ws_delimiter_guess(head);
}

ws_status ws_preset_read(const ws_preset *preset, ws_input *input, const ws_read_options *options, const ws_sink *sink,
                         ws_notes *notes, ws_error *error)
{
    preset_reader reader = {.preset = preset};
    ws_row_trace_kind kind = {.delimiter = delimiter_of(preset, ws_input_head(input)),
                              .policy = {.scrolls = preset->scrolls, .last_line = preset->last_line},
                              .takes_plain_lines =
                                  ws_preset_may_be_plain(preset, delimiter_of(preset, ws_input_head(input))),
                              .goes_on = !preset->has_groups,
                              .holds_rows_alone = !preset->time_is_start,
                              .take = preset_take,
                              .end = preset_end,
                              .what = preset->what ? preset->what : "no rows below a header that is known here"};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
    free_reader(&reader);
    return status;
}

/* --- recognition --- */

/* A header near the beginning will do for names that many tables have; others are looked for as long as they may come.
 */
enum { ROWS_BEFORE_HEADER = 20, USUAL_SCORE = 95 };

typedef struct preset_look {
    const ws_preset *preset;
    ws_row_trace *trace;
    preset_reader reader;
    int64_t rows; /* before the header, then below it */
    bool has_header, is_known;
} preset_look;

/* WS_DATA ends the search. */
static ws_status look_at_row_of_head(void *state, const ws_row *row, ws_error *error)
{
    (void)error;
    preset_look *l = state;
    const ws_preset *p = l->preset;
    l->reader.row = row;
    bool is_header = ws_preset_is_header(p, row);
    if (is_header) {
        take_header(l->trace, &l->reader);
        is_header = !(p->hash_head || p->has_groups) || l->reader.header.n_columns > 0;
    }
    if (is_header) {
        l->is_known = !p->kind[0] || p->names_are_enough;
        l->has_header = true;
        l->rows = 0;
    } else if (!take_groups(l->trace, &l->reader) && !ws_span_has_prefix(*row->cells, "#")) {
        l->rows++;
        l->is_known = l->has_header && p->kind[0] && source_of_row(l->trace, &l->reader)->readings;
    }
    bool is_other = !l->has_header && p->loose_names && l->rows == ROWS_BEFORE_HEADER;
    return l->is_known || is_other ? WS_DATA : WS_OK;
}

int ws_preset_score(const ws_preset *preset, ws_span head)
{
    ws_rows *rows;
    ws_notes notes = {0};
    if (!preset->loose_names && !ws_preset_may_have_header(preset, head))
        return 0;
    ws_input *input = ws_input_from_memory("", head.p, head.n);
    ws_row_trace trace = {
        .policy = {.source = "", .notes = &notes, .scrolls = true}, .samples.source = "", .samples.notes = &notes};
    preset_look look = {.preset = preset, .trace = &trace, .reader.preset = preset};
    ws_status status = ws_rows_open(&rows, input, delimiter_of(preset, head), NULL, NULL);
    if (status == WS_OK)
        ws_rows_take(rows, look_at_row_of_head, &look, NULL);
    ws_rows_close(rows);
    ws_input_close(input);
    free_reader(&look.reader);
    ws_notes_free(&notes);
    ws_arena_free(&trace.samples.arena);
    int score = preset->score ? preset->score : USUAL_SCORE;
    return look.is_known || (look.has_header && !look.rows) ? score : 0;
}
