#include "formats/table/preset.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"
#include "formats/table/held_windows.h"
#include "formats/table/row_trace.h"
#include "formats/table/row_trace.h"
#include "formats/table/trace_plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_THERE = -1, TEXT = 96 };

/* A column of values, found in the header. */
typedef struct preset_column {
    const ws_preset_value *value;
    ws_preset_reading reading;
    size_t at;
    char digits[WS_DOUBLE_TEXT]; /* the number of the device as text, "" for none */
    double before, total; /* of a counter that begins with its log: what the logs above came to, and with this one */
} preset_column;

/* Rows whose cells of `kind` are the same, and their readings, one for each column of values; NULL: of no use. */
typedef struct preset_kind {
    ws_span cells[WS_PRESET_NAMES];
    const char *text;
    const ws_preset_reading *readings;
} preset_kind;

enum { MOST_KINDS = 1024 }; /* as many are kept */

typedef struct preset_reader {
    const ws_preset *preset;
    int time, interval, node, summary, run[WS_PRESET_NAMES], id[WS_PRESET_NAMES], kind[WS_PRESET_NAMES];
    const ws_unit *interval_unit;
    preset_kind *kinds;
    size_t n_kinds, kind_capacity, last_kind;
    preset_column *columns;
    size_t n_columns, column_capacity;
    const ws_row *row; /* that is being taken */
    int64_t rows, last_ns, given_ns;
    bool has_last;
    bool may_begin_again;  /* a header came again */
    int64_t origin_ns;     /* where the time of a log that begins at 0 lies, behind those above it */
    const char *node_text; /* of a remark; NULL: none */
    ws_stamp start;        /* of a remark; base WS_TIME_NONE: none */
    ws_held_windows held;  /* of a table of windows */
    double *values;        /* of a window's columns */
} preset_reader;

/* --- names --- */

/* '#' in the pattern stands for a number. Blanks before a bracket do not count: "Energy_0 (Joules)". */
static bool matches(const char *pattern, ws_span name, int64_t *number)
{
    size_t i = 0;
    *number = -1;
    for (; *pattern; pattern++) {
        while (i < name.n && name.p[i] == ' ' && *pattern == '(')
            i++;
        size_t digits = 0;
        while (*pattern == '#' && i + digits < name.n && name.p[i + digits] >= '0' && name.p[i + digits] <= '9')
            digits++;
        if (*pattern == '#' && (!digits || !ws_span_i64((ws_span){name.p + i, digits}, number)))
            return false;
        if (*pattern != '#' && (i == name.n || name.p[i] != *pattern))
            return false;
        i += *pattern == '#' ? digits : 1;
    }
    return i == name.n;
}

/* A name of the header as it is compared, and the unit in it. */
static ws_span name_of(const ws_preset *preset, ws_span cell, char buffer[WS_PLAIN_NAME], const ws_unit **unit)
{
    *unit = NULL;
    if (!preset->loose_names)
        return cell;
    cell = ws_span_has_prefix(cell, "#") ? (ws_span){cell.p + 1, cell.n - 1} : cell;
    *unit = ws_unit_in_name(cell, &cell);
    return ws_plain_name(buffer, cell);
}

/* One of the names between the bars. */
static bool is_one_of(const char *names, ws_span name)
{
    ws_span rest = ws_span_of(names), one;
    while (ws_span_split(&rest, '|', &one))
        if (ws_span_same(one, name))
            return true;
    return false;
}

static bool has_cell(const ws_preset *preset, const ws_row *row, const char *name)
{
    int64_t number;
    char buffer[WS_PLAIN_NAME];
    const ws_unit *unit;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_span cell = row->cells[c];
        if (preset->loose_names ? is_one_of(name, name_of(preset, cell, buffer, &unit))
                                : cell.n && *cell.p == *name && matches(name, cell, &number))
            return true;
    }
    return false;
}

static bool is_header(const ws_preset *preset, const ws_row *row)
{
    uint32_t n_must = 0;
    bool has_all = true;
    while (n_must < WS_PRESET_NAMES && preset->must[n_must])
        n_must++;
    if (!ws_row_may_name(row, preset->enough[0] ? 1 : n_must))
        return false;
    for (size_t m = 0; m < WS_PRESET_NAMES && preset->enough[m]; m++)
        if (has_cell(preset, row, preset->enough[m]))
            return true;
    for (size_t m = 0; m < n_must && has_all; m++)
        has_all = has_cell(preset, row, preset->must[m]);
    return has_all;
}

static bool may_have(ws_span head, const char *name)
{
    return ws_span_holds(head, (ws_span){name, strcspn(name, "#(")});
}

/* Whether it is worth the while to cut the head into rows. */
static bool may_have_header(const ws_preset *preset, ws_span head)
{
    bool has_all = true;
    for (size_t m = 0; m < WS_PRESET_NAMES && preset->enough[m]; m++)
        if (may_have(head, preset->enough[m]))
            return true;
    for (size_t m = 0; m < WS_PRESET_NAMES && preset->must[m] && has_all; m++)
        has_all = may_have(head, preset->must[m]);
    return has_all;
}

/* --- header --- */

static int place_of(const preset_reader *r, const char *name)
{
    char buffer[WS_PLAIN_NAME];
    const ws_unit *unit;
    for (uint32_t c = 0; name && c < r->row->n_cells; c++)
        if (is_one_of(name, name_of(r->preset, r->row->cells[c], buffer, &unit)))
            return (int)c;
    return NOT_THERE;
}

static int first_place_of(const preset_reader *r, const char *const *names)
{
    int place = NOT_THERE;
    for (size_t i = 0; i < WS_PRESET_NAMES && place == NOT_THERE; i++)
        place = place_of(r, names[i]);
    return place;
}

static preset_column make_column(const ws_preset_value *value, const char *name, size_t at, int64_t number)
{
    preset_column column = {.value = value,
                            .reading = {.domain = value->domain,
                                        .quantity = value->quantity,
                                        .rule = value->rule,
                                        .preference = value->preference,
                                        .unit = ws_unit_find(ws_span_of(value->unit ? value->unit : "")),
                                        .column = name,
                                        .number = number},
                            .at = at};
    if (number >= 0)
        ws_integer_text(column.digits, number);
    return column;
}

/* The counter of that name under the header before goes on. */
static void keep_total(preset_column *column, const preset_column *before, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (before[c].value == column->value && before[c].reading.number == column->reading.number)
            column->before = before[c].before, column->total = before[c].total;
}

static bool has_value(const preset_reader *r, const char *name)
{
    for (size_t c = 0; c < r->n_columns; c++)
        if (strcmp(r->columns[c].value->name, name) == 0)
            return true;
    return false;
}

/* "CPU_ENERGY" beside "CPU_ENERGY-package-0" and its like is in no total. */
static void set_sums_aside(preset_reader *r)
{
    for (const ws_preset_sum *s = r->preset->sums; s && s->sum; s++) {
        for (size_t c = 0; c < r->n_columns; c++) {
            preset_column *column = &r->columns[c];
            if (strcmp(column->value->name, s->sum) != 0 || !has_value(r, s->parts))
                continue;
            column->reading.domain = WS_OTHER;
            snprintf(column->digits, sizeof column->digits, "%s", s->sum);
        }
    }
}

static void take_values(preset_reader *r, ws_arena *arena)
{
    const ws_preset *p = r->preset;
    preset_column *before = r->columns;
    size_t n_before = r->n_columns;
    r->columns = NULL;
    r->n_columns = r->column_capacity = 0;
    for (uint32_t c = 0; c < r->row->n_cells; c++) {
        char buffer[WS_PLAIN_NAME];
        const ws_unit *unit;
        ws_span cell = r->row->cells[c], plain = name_of(p, cell, buffer, &unit);
        for (size_t v = 0; v < p->n_values; v++) {
            int64_t number = -1;
            if (!is_one_of(p->values[v].name, plain) && !matches(p->values[v].name, plain, &number))
                continue;
            r->columns = ws_grow(r->columns, &r->column_capacity, r->n_columns + 1, sizeof *r->columns);
            const char *name = ws_arena_strndup(arena, cell.p, cell.n);
            r->columns[r->n_columns] = make_column(&p->values[v], name, c, number);
            if (unit && unit->dimension == ws_quantity_dimension(p->values[v].quantity))
                r->columns[r->n_columns].reading.unit = unit;
            keep_total(&r->columns[r->n_columns++], before, n_before);
        }
    }
    set_sums_aside(r);
    free(before);
}

static void take_header(ws_row_trace *t, preset_reader *r)
{
    const ws_preset *p = r->preset;
    char buffer[WS_PLAIN_NAME];
    r->may_begin_again = r->has_last;
    if (ws_row_policy_header(&t->policy, &t->samples.arena, r->row) == WS_HEADER_AGAIN)
        return;
    r->time = first_place_of(r, p->time);
    r->interval = place_of(r, p->interval);
    r->interval_unit = NULL;
    if (r->interval != NOT_THERE)
        name_of(p, r->row->cells[r->interval], buffer, &r->interval_unit);
    r->n_kinds = 0; /* theirs are columns under the header before */
    r->node = place_of(r, p->node);
    r->summary = place_of(r, p->summary);
    for (size_t i = 0; i < WS_PRESET_NAMES; i++) {
        r->run[i] = place_of(r, p->run[i]);
        r->id[i] = place_of(r, p->id[i]);
        r->kind[i] = place_of(r, p->kind[i]);
    }
    take_values(r, &t->samples.arena);
    if (place_of(r, p->loop) != NOT_THERE && r->interval == NOT_THERE)
        ws_row_trace_note(
            t, WS_FINDING_NO_LENGTH,
            "a table of loops, which does not say how long each lasted, so there is no energy (that of the "
            "jobs does): it has the column",
            ws_span_of(p->loop));
}

/* --- rows --- */

static ws_span cell(const preset_reader *r, int place)
{
    return ws_row_cell(r->row, place);
}

static void preset_join(char *buffer, const preset_reader *r, const int *places, char sign)
{
    size_t n = 0;
    for (size_t i = 0; i < WS_PRESET_NAMES; i++) {
        ws_span part = cell(r, places[i]);
        if (n && places[i] != NOT_THERE && n + 1 < TEXT)
            buffer[n++] = sign;
        for (size_t k = 0; k < part.n && part.p[k] && n + 1 < TEXT; k++)
            buffer[n++] = part.p[k];
    }
    buffer[n] = '\0';
}

typedef struct row_time {
    int64_t t_ns, interval_ns;
    ws_time_base base;
} row_time;

static int64_t read_interval(ws_row_trace *t, const preset_reader *r)
{
    int64_t ns = 0;
    if (r->interval != NOT_THERE && (!ws_seconds_to_ns(cell(r, r->interval), &ns) || ns < 0)) {
        ws_row_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no length of an interval:", cell(r, r->interval));
        ns = 0;
    }
    return r->interval_unit && r->interval_unit->to_si < 1 ? (int64_t)((double)ns * r->interval_unit->to_si + 0.5) : ns;
}

/* Logs in one file that each begin at 0, with their counters: they follow each other. */
static void begin_again(ws_row_trace *t, preset_reader *r)
{
    ws_row_trace_note(
        t, WS_FINDING_RESTARTED_LOG,
        "another log begins, with its time and its counters: they go on from the end of the one above it, "
        "without the time between the two:",
        cell(r, r->time));
    r->origin_ns = r->last_ns;
    for (size_t c = 0; c < r->n_columns; c++)
        r->columns[c].before = r->columns[c].total;
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

/* False when the row has no time although the file has. */
static bool read_time(ws_row_trace *t, preset_reader *r, row_time *time)
{
    const ws_preset *p = r->preset;
    if (r->time == NOT_THERE && r->interval != NOT_THERE) { /* means over lengths of time that have no date */
        *time = (row_time){.interval_ns = read_interval(t, r), .base = WS_TIME_RELATIVE};
        time->t_ns = time->interval_ns;
        return time->interval_ns > 0;
    }
    if (r->time == NOT_THERE) {
        time->t_ns = ws_period_time(t->options, r->rows, &time->base);
        time->interval_ns = t->options->period_ns;
        return true;
    }
    ws_span stamp = cell(r, r->time);
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

/* What the readings of a row have in common. */
typedef struct row_about {
    row_time time;
    ws_span id;
    char run[TEXT], id_text[TEXT];
} row_about;

/* `kind`: of the row, or NULL. Its text is often the identity, which need not be joined again then. */
static void look_at_row(const preset_reader *r, const preset_kind *kind, row_about *about)
{
    preset_join(about->run, r, r->run, '.');
    if (kind && memcmp(r->id, r->kind, sizeof r->id) == 0) {
        about->id = ws_span_of(kind->text);
        return;
    }
    preset_join(about->id_text, r, r->id, '/');
    about->id = ws_span_of(about->id_text);
}

/* The identity that the row's own cells give, else the number in the column's name. */
static ws_status preset_push(ws_row_trace *t, const preset_reader *r, const preset_column *column,
                             const ws_preset_reading *about, const row_about *row, double value, int64_t line,
                             ws_error *error)
{
    const row_time *time = &row->time;
    bool has_id = r->id[0] != NOT_THERE, has_number = about->number >= 0;
    ws_samples_key key = {.run = row->run,
                          .node = r->preset->node_is_file ? ws_file_stem(t->samples.source)
                                  : r->node_text          ? ws_span_of(r->node_text)
                                                          : cell(r, r->node),
                          .id = has_id ? row->id : ws_span_of(column->digits),
                          .identity = r->preset->id_is_index ? "index"
                                      : has_id               ? "name"
                                      : has_number           ? "index"
                                                             : "",
                          .number = about->number,
                          .device = about->device,
                          .domain = about->domain,
                          .quantity = about->quantity,
                          .column = about->column,
                          .rule = about->rule,
                          .preference = about->preference,
                          .counter_from_zero = r->preset->opens_at_zero,
                          .assumed = r->held.overlap ? "windows-overlap" : NULL,
                          .time = time->base};
    if (r->preset->id_is_index)
        ws_span_i64(key.id, &key.number);
    ws_samples_reading reading = {.t_ns = time->t_ns, .interval_ns = time->interval_ns, .value = value, .line = line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

/* A counter with what the logs above it came to. */
static double add_up(const preset_reader *r, preset_column *column, double value)
{
    if (!r->preset->opens_at_zero || column->value->quantity != WS_ENERGY_COUNTER)
        return value;
    value += column->before;
    column->total = isnan(value) ? column->total : value;
    return value;
}

static bool is_kind(const preset_reader *r, const preset_kind *kind)
{
    for (size_t i = 0; i < WS_PRESET_NAMES; i++)
        if (!ws_span_same(kind->cells[i], cell(r, r->kind[i])))
            return false;
    return true;
}

static const ws_preset_reading *readings_of(ws_row_trace *t, const preset_reader *r, const char *kind)
{
    ws_preset_reading *readings = ws_arena_alloc(&t->samples.arena, (r->n_columns + 1) * sizeof *readings);
    bool is_known = r->n_columns > 0;
    for (size_t c = 0; c < r->n_columns && is_known; c++) {
        readings[c] = r->columns[c].reading;
        is_known = r->preset->about(&t->samples.arena, kind, &readings[c]);
    }
    return is_known ? readings : NULL;
}

/* Kinds take turns, so that the one behind the last is likely to come next. */
static const preset_kind *kind_of_row(ws_row_trace *t, preset_reader *r)
{
    char text[TEXT];
    for (size_t i = 1; i <= r->n_kinds; i++) {
        size_t at = r->last_kind + i < r->n_kinds ? r->last_kind + i : r->last_kind + i - r->n_kinds;
        if (is_kind(r, &r->kinds[at]))
            return &r->kinds[r->last_kind = at];
    }
    preset_join(text, r, r->kind, '/');
    r->kinds = ws_grow(r->kinds, &r->kind_capacity, MOST_KINDS + 1, sizeof *r->kinds);
    preset_kind *added = &r->kinds[r->n_kinds];
    added->text = ws_arena_strdup(&t->samples.arena, text);
    added->readings = readings_of(t, r, added->text);
    for (size_t i = 0; i < WS_PRESET_NAMES; i++) {
        ws_span kind = cell(r, r->kind[i]);
        added->cells[i] = (ws_span){ws_arena_strndup(&t->samples.arena, kind.p, kind.n), kind.n};
    }
    if (r->n_kinds < MOST_KINDS)
        r->last_kind = r->n_kinds++;
    return added;
}

/* What the row's readings are by its own cells. False: of no use here. */
static bool find_kind(ws_row_trace *t, preset_reader *r, const preset_kind **kind)
{
    const ws_preset *p = r->preset;
    *kind = NULL;
    if (p->id_is_index && !cell(r, r->id[0]).n) {
        ws_row_trace_note(t, WS_FINDING_NO_DEVICE, "a row without its device was left out, in column",
                          ws_span_of(p->id[0]));
        return false;
    }
    if (!p->about)
        return true;
    const preset_kind *found = *kind = kind_of_row(t, r);
    if (!found->readings && p->unknown)
        ws_notes_add(t->samples.notes, WS_FINDING_UNKNOWN_ZONE, t->samples.source, "", r->row->line,
                     "'%s' %s: left out", found->text, p->unknown);
    return found->readings != NULL;
}

static double read_value(ws_row_trace *t, const preset_reader *r, const preset_column *column,
                         const ws_preset_reading *about)
{
    double written;
    ws_span text = cell(r, (int)column->at);
    if (about->is_blank && ws_span_double(text, &written) && about->is_blank(about->quantity, written))
        return NAN;
    return ws_samples_number(&t->samples, text, about->quantity, about->unit, about->column, r->row->line);
}

/* --- windows, which may hold others --- */

enum { MOST_HELD = 65536 }; /* windows: then those so far are passed on */

static void note_window(ws_row_trace *t, const preset_reader *r, ws_window_place place)
{
    static const char counted[] = "windows lie inside others, whose energies hold theirs: only the outermost count";
    if (place == WS_WINDOW_HOLDS || place == WS_WINDOW_INSIDE)
        ws_notes_add(t->samples.notes, WS_FINDING_NESTED_WINDOW, t->samples.source, "", r->row->line, "%s", counted);
    if (place == WS_WINDOW_OVERLAPS)
        ws_row_trace_note(t, WS_FINDING_OVERLAPPING_WINDOW,
                          "a window began before the one above it ended, and ends behind it, so that energy counts "
                          "twice: began at",
                          cell(r, r->time));
}

static ws_status pass_on_windows(ws_row_trace *t, preset_reader *r, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < r->held.n && status == WS_OK; i++) {
        const ws_held_window *w = &r->held.items[i];
        row_about about = {.time = {w->end_ns, w->end_ns - w->start_ns, w->base}};
        for (size_t c = 0; c < r->n_columns && status == WS_OK; c++)
            status = preset_push(t, r, &r->columns[c], &r->columns[c].reading, &about, w->values[c], w->line, error);
    }
    ws_held_windows_clear(&r->held);
    return status;
}

static ws_status preset_end(ws_row_trace *t, ws_error *error)
{
    return pass_on_windows(t, t->state, error);
}

static ws_status hold_window(ws_row_trace *t, preset_reader *r, const row_time *time, ws_error *error)
{
    r->values = r->values ? r->values : ws_alloc((r->n_columns + 1) * sizeof *r->values);
    for (size_t c = 0; c < r->n_columns; c++)
        r->values[c] = read_value(t, r, &r->columns[c], &r->columns[c].reading);
    ws_held_window window = {.start_ns = time->t_ns - time->interval_ns, /* which was added to it */
                             .end_ns = time->t_ns,
                             .line = r->row->line,
                             .base = time->base,
                             .values = r->values};
    note_window(t, r, ws_held_windows_add(&r->held, &window, r->n_columns));
    return r->held.n < MOST_HELD ? WS_OK : pass_on_windows(t, r, error);
}

static ws_status preset_take_row(ws_row_trace *t, preset_reader *r, ws_error *error)
{
    row_about about;
    const preset_kind *kind;
    ws_status status = WS_OK;
    if (!find_kind(t, r, &kind))
        return WS_OK;
    if (!read_time(t, r, &about.time)) {
        ws_note_bad_stamp(t->samples.notes, t->samples.source, r->row->line, cell(r, r->time));
        return WS_OK;
    }
    r->rows++;
    if (r->preset->time_is_start)
        return hold_window(t, r, &about.time, error);
    look_at_row(r, kind, &about);
    for (size_t c = 0; c < r->n_columns && status == WS_OK; c++) {
        preset_column *column = &r->columns[c];
        const ws_preset_reading *reading = kind ? &kind->readings[c] : &column->reading;
        double value = read_value(t, r, column, reading);
        status = preset_push(t, r, column, reading, &about, add_up(r, column, value), r->row->line, error);
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
        if (p->values[v].quantity != WS_ENERGY_COUNTER || !matches(p->values[v].name, name, &number) ||
            !ws_span_double(value, &joules) || r->given_ns <= 0)
            continue;
        char text[TEXT];
        ws_preset_value given = p->values[v];
        given.quantity = WS_ENERGY_INTERVAL;
        given.rule = WS_RULE_GIVEN;
        snprintf(text, sizeof text, "%.*s", WS_SPAN_ARG(name));
        preset_column column = make_column(&given, text, 0, number);
        row_about about = {.time = {0, r->given_ns, WS_TIME_RELATIVE}};
        if (__builtin_add_overflow(r->origin_ns, r->given_ns, &about.time.t_ns))
            return WS_OK;
        look_at_row(r, NULL, &about);
        return preset_push(t, r, &column, &column.reading, &about, joules * column.reading.unit->to_si, r->row->line,
                           error);
    }
    return WS_OK;
}

/* Rows of parts of what the row to take sums up. */
static bool is_part(const preset_reader *r)
{
    bool has_summary = r->summary != NOT_THERE && r->row->n_cells > (uint32_t)r->summary;
    return has_summary && !ws_span_eq(cell(r, r->summary), "-");
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
    } else if (p->remark_start && ws_span_has_prefix(text, p->remark_start)) {
        text = ws_span_trim((ws_span){text.p + strlen(p->remark_start), text.n - strlen(p->remark_start)});
        if (!ws_stamp_parse(ws_stamp_guess(text), text, t->options->zone, &r->start))
            r->start = (ws_stamp){.base = WS_TIME_NONE};
    }
    return true;
}

static ws_status preset_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    preset_reader *r = t->state;
    ws_span before, after;
    r->row = row;
    if (is_header(r->preset, row)) {
        ws_status status = pass_on_windows(t, r, error);
        free(r->values), r->values = NULL;
        take_header(t, r);
        return status;
    }
    if (take_remark(t, r))
        return WS_OK;
    if (!t->policy.n_columns || ws_span_has_prefix(*row->cells, "#") || (is_part(r) && !row->unfinished))
        return WS_OK;
    if (r->preset->given_time && row->n_cells == 1 && !row->unfinished &&
        ws_span_cut(*row->cells, " = ", &before, &after))
        return take_given(t, r, before, after, error);
    return ws_row_is_usable(&t->policy, row) ? preset_take_row(t, r, error) : WS_OK;
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
                              .policy.scrolls = preset->scrolls,
                              .take = preset_take,
                              .end = preset_end,
                              .what = preset->what ? preset->what : "no rows below a header that is known here"};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &reader, error);
    ws_held_windows_free(&reader.held);
    free(reader.values);
    free(reader.columns);
    free(reader.kinds);
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
    if (is_header(p, row)) {
        take_header(l->trace, &l->reader);
        l->is_known = !p->about;
        l->has_header = true;
        l->rows = 0;
    } else if (!ws_span_has_prefix(*row->cells, "#")) {
        l->rows++;
        l->is_known = l->has_header && kind_of_row(l->trace, &l->reader)->readings;
    }
    bool is_other = !l->has_header && p->loose_names && l->rows == ROWS_BEFORE_HEADER;
    return l->is_known || is_other ? WS_DATA : WS_OK;
}

int ws_preset_score(const ws_preset *preset, ws_span head)
{
    ws_rows *rows;
    ws_notes notes = {0};
    if (!preset->loose_names && !may_have_header(preset, head))
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
    free(look.reader.columns);
    free(look.reader.kinds);
    ws_notes_free(&notes);
    ws_arena_free(&trace.samples.arena);
    int score = preset->score ? preset->score : USUAL_SCORE;
    return look.is_known || (look.has_header && !look.rows) ? score : 0;
}
