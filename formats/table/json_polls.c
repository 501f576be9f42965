#include "formats/table/json_polls.h"

#include "formats/table/date_lines.h"
#include "formats/table/dictionary.h"
#include "formats/table/row_trace.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the beginning --- */

/* "2026-02-11T08:00:00 {": a stamp in front of the object */
static bool is_stamped_object(ws_span line)
{
    ws_span stamp, before, after;
    return ws_span_cut(line, "{", &before, &after) && ws_text_is_date_line(before, &stamp);
}

bool ws_json_polls_begin_in(ws_span head)
{
    static const char code[] = "\"{}=`#<>;\\";
    ws_span line;
    while (ws_span_split(&head, '\n', &line)) {
        line = ws_span_trim(line);
        if (ws_span_has_prefix(line, "{") || ws_span_has_prefix(line, "[{") || ws_span_eq(line, "[") ||
            ws_span_has_prefix(line, "[ ") || is_stamped_object(line))
            return true;
        for (size_t i = 0; i < line.n; i++)
            if (!line.p[i] || strchr(code, line.p[i]))
                return false;
    }
    return false;
}

/* --- times --- */

static bool read_stamp(ws_json_polls *p, ws_span text)
{
    if (p->stamps.form == WS_STAMP_NONE)
        ws_timecol_settle(&p->stamps, text);
    if (!ws_timecol_read(&p->stamps, text, &p->t_ns))
        return false;
    ws_note_ambiguous_zone(p->samples.notes, p->samples.source, p->items.item_line, &p->stamps);
    p->base = p->stamps.base;
    return true;
}

/* A number of a JSON as text, whole ones with all their digits. */
static ws_span text_of(const json_t *value, char *buffer, size_t size)
{
    if (json_is_string(value))
        return ws_span_of(json_string_value(value));
    if (json_is_integer(value))
        return (ws_span){buffer, (size_t)snprintf(buffer, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value))};
    if (json_is_real(value))
        return (ws_span){buffer, ws_double_text(buffer, json_real_value(value))};
    return (ws_span){"", 0};
}

static void note_bad_stamp(ws_json_polls *p, const char *text, ws_span found)
{
    enum { NOTE_TEXT = 80 };
    ws_notes_add(p->samples.notes, WS_FINDING_BAD_STAMP, p->samples.source, "", p->items.item_line, "%s '%.*s'", text,
                 found.n > NOTE_TEXT ? NOTE_TEXT : (int)found.n, found.p);
}

/* The stamp of a line of text applies to the poll below it. */
static bool has_line_stamp(ws_json_polls *p, bool is_next, ws_span *stamp)
{
    ws_json_items *items = &p->items;
    bool has = items->text_n && ws_text_is_date_line((ws_span){items->text, items->text_n}, stamp);
    if (has && is_next && !items->has_new_text) {
        items->text_n = 0; /* that of the poll before */
        has = false;
    }
    items->has_new_text = false;
    return has;
}

void ws_json_polls_begin(ws_json_polls *p, const json_t *stamp, bool is_next)
{
    char buffer[WS_DOUBLE_TEXT];
    ws_span text = text_of(stamp, buffer, sizeof buffer);
    if (text.n || has_line_stamp(p, is_next, &text)) {
        p->has_stamps = true;
        p->has_time = read_stamp(p, text);
        if (!p->has_time)
            note_bad_stamp(p, "no stamp, and the poll is left out:", text);
        return;
    }
    p->n += is_next;
    p->has_time = !p->has_stamps;
    if (p->has_stamps)
        note_bad_stamp(p, "a poll has no stamp, as others have, and is left out, behind", (ws_span){"", 0});
    else
        p->t_ns = ws_period_time(p->options, p->n, &p->base);
}

bool ws_json_polls_comes_again(ws_json_polls *p, const char *name)
{
    const char *kept = ws_samples_name(&p->samples, ws_span_of(name));
    bool again = false;
    if (p->items.has_new_text)
        p->n_seen = 0;
    for (size_t i = 0; i < p->n_seen && !again; i++)
        again = p->seen[i] == kept;
    if (again)
        p->n_seen = 0;
    p->seen = ws_grow(p->seen, &p->seen_capacity, p->n_seen + 1, sizeof *p->seen);
    p->seen[p->n_seen++] = kept;
    return again;
}

const json_t *ws_json_stamp_of(const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (ws_meaning_of(ws_span_of(name)).role == WS_ROLE_TIME && (json_is_number(value) || json_is_string(value)))
            return value;
    }
    return NULL;
}

/* --- values --- */

const json_t *ws_json_at(const json_t *object, const char *path)
{
    char name[64];
    for (size_t n; object && *path; path += n + (path[n] == '.')) {
        n = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        object = json_object_get(object, name);
    }
    return object;
}

static ws_span without_brackets(ws_span text)
{
    bool has = text.n > 1 && *text.p == '(' && text.p[text.n - 1] == ')';
    return has ? (ws_span){text.p + 1, text.n - 2} : text;
}

double ws_json_polls_number(ws_json_polls *p, const json_t *value, ws_quantity quantity, const char *unit,
                            const char *column)
{
    char buffer[WS_DOUBLE_TEXT];
    const char *own = json_string_value(json_object_get(value, "unit"));
    const ws_unit *given = unit ? ws_unit_find(ws_span_of(unit)) : NULL;
    const ws_unit *written = own ? ws_unit_find(ws_span_of(own)) : NULL;
    if (written && written->dimension == ws_quantity_dimension(quantity))
        given = written;
    if (json_is_object(value))
        value = json_object_get(value, "value");
    ws_span text = without_brackets(ws_span_trim(text_of(value, buffer, sizeof buffer)));
    return ws_samples_number(&p->samples, text, quantity, given, column, p->items.item_line);
}

ws_status ws_json_polls_push(ws_json_polls *p, ws_samples_key *key, double value, ws_error *error)
{
    ws_samples_reading reading = {.t_ns = p->t_ns, .value = value, .line = p->items.item_line};
    key->time = p->base;
    return p->has_time ? ws_samples_push(&p->samples, key, &reading, error) : WS_OK;
}

/* --- the file --- */

/* An object that is not ended holds the rest of the file: as many polls as that has of their lines. */
static void note_cut(ws_json_polls *p, const ws_unread_lines *unread)
{
    int64_t from = p->items.item_line;
    double polls = (double)unread->n_read, lines_each = polls > 0 ? (double)(from - 1) / polls : 0;
    uint64_t held = lines_each > 0 ? (uint64_t)((double)(p->items.line - from) / lines_each) : 0;
    ws_notes_add(p->samples.notes, WS_FINDING_TRUNCATED_DOCUMENT, p->samples.source, "", from,
                 "the file is cut: what precedes the cut is read");
    ws_notes_add_many(p->samples.notes, held, WS_FINDING_UNREAD_LINES, p->samples.source, "", from,
                      "behind the cut there are as many lines as others have readings in");
}

static ws_status take_items(ws_json_polls *p, ws_json_poll_taker *take, ws_error *error)
{
    json_t *object;
    ws_status status;
    ws_unread_lines unread = {0};
    p->items.unread = &unread;
    while ((status = ws_json_items_next(&p->items, &object, error)) == WS_OK && object) {
        uint64_t added = p->samples.n_added;
        status = take(p, object, error);
        json_decref(object);
        if (p->samples.n_added > added)
            ws_unread_reading(&unread);
        if (status != WS_OK)
            return status;
    }
    p->items.unread = NULL;
    if (status == WS_OK)
        ws_unread_note(&unread, ws_unread_readings_a_line(&unread), p->samples.notes, p->samples.source);
    if (status == WS_OK && p->items.is_cut)
        note_cut(p, &unread);
    return status;
}

ws_status ws_json_polls_read(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                             ws_json_poll_taker *take, void *state, const char *what, ws_error *error)
{
    ws_json_polls p = {.options = options, .state = state, .has_time = true};
    p.stamps.zone = options->zone;
    ws_json_items_init(&p.items, input);
    p.items.takes_text = true;
    ws_samples_init(&p.samples, ws_input_path(input), sink, notes);
    ws_status status = take_items(&p, take, error), flushed = ws_samples_flush(&p.samples, error);
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !p.samples.n)
        status = ws_fail_at(error, WS_DATA, p.samples.source, 0, "%s", what);
    ws_samples_free(&p.samples);
    ws_json_items_free(&p.items);
    free(p.seen);
    return status;
}
