#include "formats/table/dmon.h"

#include "formats/table/row_trace.h"
#include "formats/table/trace_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dmon_column {
    const char *name; /* as in the head; NULL: of no use */
    ws_dmon_column meaning;
} dmon_column;

typedef struct dmon_device {
    int64_t number, rows;
} dmon_device;

typedef struct dmon_reader {
    const ws_dmon_layout *layout;
    dmon_column columns[WS_DMON_WORDS];
    size_t n_columns;
    int32_t entity, date, time; /* columns; -1: not there */
    dmon_device *devices;
    size_t n_devices, device_capacity;
} dmon_reader;

/* The words of a row, the '#' before them taken off. */
static size_t words_of(const ws_row *row, ws_span words[WS_DMON_WORDS])
{
    size_t n = 0;
    for (uint32_t c = 0; c < row->n_cells && n < WS_DMON_WORDS; c++) {
        ws_span word = row->cells[c];
        if (!c && ws_span_has_prefix(word, "#"))
            word = (ws_span){word.p + 1, word.n - 1};
        if (word.n)
            words[n++] = word;
    }
    return n;
}

static bool has_word(const ws_span *words, size_t n, const char *word)
{
    for (size_t i = 0; word && i < n; i++)
        if (ws_span_eq_nocase(words[i], word))
            return true;
    return false;
}

size_t ws_dmon_head(const ws_dmon_layout *layout, const ws_row *row, ws_span names[WS_DMON_WORDS])
{
    if (!ws_span_has_prefix(*row->cells, "#"))
        return 0;
    size_t n = words_of(row, names);
    bool has_names = n > 1 && has_word(names, n, layout->entity) && !has_word(names, n, layout->without) &&
                     (!layout->with || has_word(names, n, layout->with));
    return has_names ? n : 0;
}

static bool is_of_use(const ws_dmon_layout *layout, ws_span name)
{
    ws_dmon_column column;
    return !layout->column || layout->column(name, &column);
}

int ws_dmon_score(const ws_dmon_layout *layout, ws_span bytes)
{
    enum { LINES = 60 };
    ws_head_rows head;
    ws_span names[WS_DMON_WORDS];
    int score = 0;
    if (ws_head_rows_open(&head, "", bytes, WS_WORDS_AND_COMMAS, LINES, NULL, NULL) != WS_OK)
        return 0;
    for (size_t i = 0; i < head.n && !score; i++)
        for (size_t w = 0, n = ws_dmon_head(layout, &head.row[i], names); w < n && !score; w++)
            score = is_of_use(layout, names[w]) ? 95 : 0;
    ws_head_rows_close(&head);
    return score;
}

static ws_row row_of(const ws_row *row, const ws_span *words, size_t n)
{
    ws_row other = *row;
    other.cells = words;
    other.n_cells = (uint32_t)n;
    return other;
}

static void dmon_take_head(ws_row_trace *t, const ws_row *row, const ws_span *words, size_t n)
{
    dmon_reader *r = t->state;
    ws_row names = row_of(row, words, n);
    if (ws_row_policy_header(&t->policy, &t->samples.arena, &names) == WS_HEADER_AGAIN)
        return;
    memset(r->columns, 0, sizeof r->columns);
    r->n_columns = n;
    r->entity = r->date = r->time = -1;
    for (size_t c = 0; c < n; c++) {
        if (ws_span_eq_nocase(words[c], r->layout->entity))
            r->entity = (int32_t)c;
        else if (ws_span_eq_nocase(words[c], "date"))
            r->date = (int32_t)c;
        else if (ws_span_eq_nocase(words[c], "time"))
            r->time = (int32_t)c;
        else if (r->layout->column(words[c], &r->columns[c].meaning))
            r->columns[c].name = ws_arena_strndup(&t->samples.arena, words[c].p, words[c].n);
    }
}

/* "Idx W C %": a unit a column, or fewer where some have none; then they cannot be told apart. */
static void take_units(dmon_reader *r, const ws_span *words, size_t n)
{
    for (size_t c = 0; c < n && n == r->n_columns; c++) {
        ws_dmon_column *column = &r->columns[c].meaning;
        const ws_unit *unit = r->columns[c].name ? ws_unit_find(words[c]) : NULL;
        if (unit && !column->unit_is_fixed && unit->dimension == ws_quantity_dimension(column->quantity))
            column->unit = unit;
    }
}

static bool is_units(const ws_row *row, const ws_span *words)
{
    return ws_span_has_prefix(*row->cells, "#") || ws_span_eq_nocase(words[0], "id") ||
           ws_span_eq_nocase(words[0], "idx");
}

static dmon_device *find_device(dmon_reader *r, int64_t number)
{
    for (size_t i = 0; i < r->n_devices; i++)
        if (r->devices[i].number == number)
            return &r->devices[i];
    r->devices = ws_grow(r->devices, &r->device_capacity, r->n_devices + 1, sizeof *r->devices);
    r->devices[r->n_devices] = (dmon_device){.number = number};
    return &r->devices[r->n_devices++];
}

/* "20260211" and "08:00:00" as one stamp; the time of day alone where there is no date. */
static bool read_stamp(ws_timecol *stamps, const dmon_reader *r, const ws_span *words, int64_t *t_ns)
{
    char date[16], buffer[WS_STAMP_CELLS];
    ws_span day = {NULL, 0};
    if (r->date >= 0 && words[r->date].n == 8) {
        const char *p = words[r->date].p;
        day = (ws_span){date, 10};
        memcpy(date, p, 4);
        memcpy(date + 5, p + 4, 2);
        memcpy(date + 8, p + 6, 2);
        date[4] = date[7] = '-';
    } else if (r->date >= 0) {
        day = words[r->date];
    }
    ws_span stamp = r->time < 0 ? day : ws_timecol_join(buffer, day, words[r->time]);
    return ws_timecol_settle(stamps, stamp) && ws_timecol_read(stamps, stamp, t_ns);
}

static ws_status push_row(ws_row_trace *t, const ws_span *words, int64_t gpu, ws_samples_reading *reading,
                          ws_error *error)
{
    const dmon_reader *r = t->state;
    ws_status status = WS_OK;
    bool is_timed = r->date >= 0 || r->time >= 0;
    for (size_t c = 0; c < r->n_columns && status == WS_OK; c++) {
        const dmon_column *column = &r->columns[c];
        double written;
        if (!column->name)
            continue;
        ws_samples_key key = {.id = words[r->entity],
                              .identity = "index",
                              .number = gpu,
                              .domain = WS_GPU,
                              .quantity = column->meaning.quantity,
                              .column = column->name,
                              .preference = column->meaning.preference,
                              .time = is_timed                ? t->stamps.base
                                      : t->options->period_ns ? WS_TIME_RELATIVE
                                                              : WS_TIME_NONE};
        bool is_blank = column->meaning.is_blank && ws_span_double(words[c], &written) &&
                        column->meaning.is_blank(key.quantity, written);
        reading->value = is_blank ? NAN
                                  : ws_samples_number(&t->samples, words[c], key.quantity, column->meaning.unit,
                                                      key.column, reading->line);
        status = ws_samples_push(&t->samples, &key, reading, error);
    }
    return status;
}

/* The word before the number off, so that every column is one word. False when the row is of something else. */
static bool join_entity(const dmon_reader *r, ws_span *words, size_t *n)
{
    size_t at = (size_t)r->entity;
    if (!r->layout->entity_word)
        return true;
    if (at + 1 >= *n || !ws_span_eq_nocase(words[at], r->layout->entity_word))
        return false;
    memmove(words + at, words + at + 1, (*n - at - 1) * sizeof *words);
    --*n;
    return true;
}

static ws_status dmon_take_row(ws_row_trace *t, const ws_row *row, ws_span *words, size_t n, ws_error *error)
{
    dmon_reader *r = t->state;
    int64_t number;
    ws_samples_reading reading = {.line = row->line};
    bool is_row = t->policy.header && join_entity(r, words, &n) && n == r->n_columns &&
                  ws_span_i64(words[r->entity], &number) && number >= 0;
    if (!is_row) {
        ws_row_note_no_data(&t->policy, row);
        return WS_OK;
    }
    ws_row joined = row_of(row, words, n);
    if (ws_row_is_cut(&t->policy, &joined))
        return WS_OK;
    if ((r->date >= 0 || r->time >= 0) && !read_stamp(&t->stamps, r, words, &reading.t_ns)) {
        char text[WS_ROW_TEXT];
        ws_note_bad_stamp(t->samples.notes, t->samples.source, row->line, ws_row_text(row, text));
        return WS_OK;
    }
    dmon_device *device = find_device(r, number);
    if (r->date < 0 && r->time < 0) {
        reading.t_ns = device->rows * t->options->period_ns;
        reading.interval_ns = t->options->period_ns;
    }
    device->rows++;
    return push_row(t, words, number, &reading, error);
}

static ws_status dmon_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    dmon_reader *r = t->state;
    ws_span words[WS_DMON_WORDS];
    size_t n = ws_dmon_head(r->layout, row, words);
    if (n) {
        dmon_take_head(t, row, words, n);
        return WS_OK;
    }
    n = words_of(row, words);
    if (!n)
        return WS_OK;
    if (is_units(row, words)) {
        take_units(r, words, n);
        return WS_OK;
    }
    return dmon_take_row(t, row, words, n, error);
}

ws_status ws_dmon_read(const ws_dmon_layout *layout, ws_input *input, const ws_read_options *options,
                       const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    char what[128];
    dmon_reader r = {.layout = layout};
    ws_row_trace_kind kind = {.delimiter = WS_WORDS_AND_COMMAS,
                              .policy = {.last_line = WS_LAST_LINE_CLOSED, .scrolls = true},
                              .take = dmon_take,
                              .what = what};
    snprintf(what, sizeof what, "no row of a GPU's readings under a head with '%s'", layout->entity);
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &r, error);
    free(r.devices);
    return status;
}
