#include "formats/table/dmon.h"

#include "formats/table/columnmap.h"
#include "formats/table/feed.h"
#include "formats/input/lines.h"
#include "formats/table/timecol.h"

#include <inttypes.h>
#include <math.h>
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
    const ws_read_options *options;
    ws_feed feed;
    ws_timecol stamps;
    ws_span head; /* the last one as it stands in the file; n = 0: none yet */
    dmon_column columns[WS_DMON_WORDS];
    size_t n_columns;
    int32_t entity, date, time; /* columns; -1: not there */
    dmon_device *devices;
    size_t n_devices, device_capacity;
} dmon_reader;

size_t ws_dmon_words(ws_span line, ws_span words[WS_DMON_WORDS])
{
    size_t n = 0;
    ws_span word, part;
    line = ws_span_trim(line);
    if (ws_span_has_prefix(line, "#"))
        line = (ws_span){line.p + 1, line.n - 1};
    while (n < WS_DMON_WORDS && ws_span_word(&line, &word))
        while (n < WS_DMON_WORDS && word.n && ws_span_split(&word, ',', &part))
            if (part.n)
                words[n++] = part;
    return n;
}

static bool has_word(const ws_span *words, size_t n, const char *word)
{
    for (size_t i = 0; word && i < n; i++)
        if (ws_span_eq_nocase(words[i], word))
            return true;
    return false;
}

bool ws_dmon_is_head(const ws_dmon_layout *layout, ws_span line)
{
    ws_span words[WS_DMON_WORDS];
    if (!ws_span_has_prefix(ws_span_trim(line), "#"))
        return false;
    size_t n = ws_dmon_words(line, words);
    return n > 1 && has_word(words, n, layout->entity) && !has_word(words, n, layout->not_with);
}

int ws_dmon_score(const ws_dmon_layout *layout, ws_span head)
{
    enum { LINES = 60 };
    ws_span line, words[WS_DMON_WORDS];
    ws_dmon_column column;
    for (int i = 0; i < LINES && ws_span_split(&head, '\n', &line); i++) {
        if (!ws_dmon_is_head(layout, line))
            continue;
        for (size_t w = 0, n = ws_dmon_words(line, words); w < n; w++)
            if (layout->column(words[w], &column))
                return 95;
    }
    return 0;
}

static void take_head(dmon_reader *r, ws_span line, int64_t number)
{
    ws_span words[WS_DMON_WORDS];
    line = ws_span_trim(line);
    if (r->head.n == line.n && memcmp(r->head.p, line.p, line.n) == 0)
        return;
    if (r->head.n)
        ws_notes_add(r->feed.notes, WS_FINDING_CHANGED_HEADER, r->feed.source, "", number,
                     "the columns change inside the file");
    r->head = (ws_span){ws_arena_strndup(&r->feed.arena, line.p, line.n), line.n};
    r->n_columns = ws_dmon_words(r->head, words);
    r->entity = r->date = r->time = -1;
    for (size_t c = 0; c < r->n_columns; c++) {
        r->columns[c] = (dmon_column){.name = NULL};
        if (ws_span_eq_nocase(words[c], r->layout->entity))
            r->entity = (int32_t)c;
        else if (ws_span_eq_nocase(words[c], "date"))
            r->date = (int32_t)c;
        else if (ws_span_eq_nocase(words[c], "time"))
            r->time = (int32_t)c;
        else if (r->layout->column(words[c], &r->columns[c].meaning))
            r->columns[c].name = ws_arena_strndup(&r->feed.arena, words[c].p, words[c].n);
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

static bool is_units(ws_span line, const ws_span *words)
{
    return ws_span_has_prefix(ws_span_trim(line), "#") || ws_span_eq_nocase(words[0], "id") ||
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
static bool read_stamp(dmon_reader *r, const ws_span *words, int64_t *t_ns)
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
    return ws_timecol_settle(&r->stamps, stamp) && ws_timecol_read(&r->stamps, stamp, t_ns);
}

static ws_status push_row(dmon_reader *r, const ws_span *words, int64_t gpu, ws_feed_reading *reading, ws_error *error)
{
    ws_status status = WS_OK;
    bool is_timed = r->date >= 0 || r->time >= 0;
    for (size_t c = 0; c < r->n_columns && status == WS_OK; c++) {
        const dmon_column *column = &r->columns[c];
        double written;
        if (!column->name)
            continue;
        ws_feed_key key = {.id = words[r->entity],
                           .identity = "index",
                           .number = gpu,
                           .domain = WS_GPU,
                           .quantity = column->meaning.quantity,
                           .column = column->name,
                           .preference = column->meaning.preference,
                           .time = is_timed                ? r->stamps.base
                                   : r->options->period_ns ? WS_TIME_RELATIVE
                                                           : WS_TIME_NONE};
        bool is_blank = column->meaning.is_blank && ws_span_double(words[c], &written) &&
                        column->meaning.is_blank(key.quantity, written);
        reading->value = is_blank ? NAN
                                  : ws_feed_number(&r->feed, words[c], key.quantity, column->meaning.unit, key.column,
                                                   reading->line);
        status = ws_feed_push(&r->feed, &key, reading, error);
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

static void note_line(dmon_reader *r, ws_finding finding, const char *what, const ws_lines *lines, ws_span line)
{
    enum { MOST = 80 };
    ws_notes_add(r->feed.notes, finding, r->feed.source, "", lines->number, "%s: '%.*s'", what,
                 line.n > MOST ? MOST : (int)line.n, line.p);
}

static ws_status dmon_take_row(dmon_reader *r, ws_span *words, size_t n, const ws_lines *lines, ws_span line,
                               ws_error *error)
{
    int64_t number;
    ws_feed_reading reading = {.line = lines->number};
    bool is_row = r->head.n && join_entity(r, words, &n) && n == r->n_columns &&
                  ws_span_i64(words[r->entity], &number) && number >= 0;
    /* whole rows end in a blank, so that only one that does cannot be cut */
    if (lines->unfinished && (!is_row || line.p[line.n - 1] != ' ')) {
        note_line(r, WS_FINDING_TRUNCATED_LINE, "the last line is cut and was refused", lines, line);
        return WS_OK;
    }
    if (!is_row) {
        note_line(r, WS_FINDING_SKIPPED_LINE, "no row of data", lines, line);
        return WS_OK;
    }
    if ((r->date >= 0 || r->time >= 0) && !read_stamp(r, words, &reading.t_ns)) {
        note_line(r, WS_FINDING_BAD_STAMP, "no stamp", lines, line);
        return WS_OK;
    }
    dmon_device *device = find_device(r, number);
    if (r->date < 0 && r->time < 0) {
        reading.t_ns = device->rows * r->options->period_ns;
        reading.interval_ns = r->options->period_ns;
    }
    device->rows++;
    return push_row(r, words, number, &reading, error);
}

static ws_status take_lines(dmon_reader *r, ws_lines *lines, ws_error *error)
{
    ws_span line, words[WS_DMON_WORDS];
    ws_status status;
    while ((status = ws_lines_next(lines, &line, error)) == WS_OK && line.p) {
        size_t n = ws_dmon_words(line, words);
        if (!n)
            continue;
        if (ws_dmon_is_head(r->layout, line))
            take_head(r, line, lines->number);
        else if (is_units(line, words))
            take_units(r, words, n);
        else if ((status = dmon_take_row(r, words, n, lines, line, error)) != WS_OK)
            break;
    }
    ws_status flushed = ws_feed_flush(&r->feed, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !r->n_devices)
        status = ws_fail_at(error, WS_DATA, r->feed.source, 0, "no row of a GPU's readings under a head with '%s'",
                            r->layout->entity);
    return status;
}

ws_status ws_dmon_read(const ws_dmon_layout *layout, ws_input *input, const ws_read_options *options,
                       const ws_sink *sink, ws_notes *notes, ws_error *error)
{
    ws_lines lines;
    dmon_reader r = {.layout = layout, .options = options, .stamps.zone = options->zone};
    ws_feed_init(&r.feed, ws_input_path(input), sink, notes);
    ws_lines_init(&lines, input);
    ws_status status = take_lines(&r, &lines, error);
    ws_lines_free(&lines);
    free(r.devices);
    ws_feed_free(&r.feed);
    return status;
}
