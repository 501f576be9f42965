#include "formats/readers/mllog.h"

#include <jansson.h>
#include <string.h>

static const char mark[] = ":::MLLOG";

bool ws_mllog_is_line(ws_span line)
{
    return ws_span_contains(line, mark);
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* A text of plain letters; returns what follows it, NULL for any other text. */
static const char *take_text(const char *p, const char *end, ws_span *text)
{
    const char *first = p + 1;
    if (p >= end || *p != '"')
        return NULL;
    for (p = first; p < end && *p != '"'; p++)
        if (*p < 0x20 || *p == 0x7f || *p == '\\') /* signs beyond ASCII may be below zero */
            return NULL;
    *text = (ws_span){first, (size_t)(p - first)};
    return p < end ? p + 1 : NULL;
}

/* A decimal that stands in the same way in JSON. */
static const char *take_number(const char *p, const char *end, double *number, bool *is_whole)
{
    const char *first = p;
    enum { MOST_DIGITS = 15 };
    while (p < end && ((*p >= '0' && *p <= '9') || *p == '.'))
        p++;
    ws_span digits = {first, (size_t)(p - first)};
    bool leads_with_zero = digits.n > 1 && *first == '0' && first[1] != '.';
    if (!digits.n || digits.n > MOST_DIGITS || leads_with_zero || *first == '.' || p[-1] == '.' ||
        ws_span_decimal(digits, number) != digits.n)
        return NULL;
    *is_whole = memchr(first, '.', digits.n) == NULL;
    return p;
}

enum { HAS_TIME = 1, HAS_KEY = 2, HAS_VALUE = 4, HAS_ALL = 7 };

/* "name": value. Returns what follows it, NULL where it is not plain; *has gets what it is. */
static const char *take_member(const char *p, const char *end, ws_mllog_reading *reading, unsigned *has)
{
    ws_span name, text;
    double number = 0;
    bool is_whole = false;
    p = take_text(p, end, &name);
    p = p ? skip_blanks(p, end) : end;
    if (p >= end || *p != ':')
        return NULL;
    p = skip_blanks(p + 1, end);
    bool is_text = p < end && *p == '"';
    p = is_text ? take_text(p, end, &text) : take_number(p, end, &number, &is_whole);
    unsigned what = ws_span_eq(name, "time_ms") ? HAS_TIME
                    : ws_span_eq(name, "key")   ? HAS_KEY
                    : ws_span_eq(name, "value") ? HAS_VALUE
                                                : 0;
    bool fits = what == HAS_TIME    ? !is_text && is_whole && number >= 1 && number < 7e12
                : what == HAS_KEY   ? is_text
                : what == HAS_VALUE ? !is_text
                                    : true;
    if (!p || !fits || (*has & what))
        return NULL;
    *has |= what;
    if (what == HAS_TIME)
        reading->time_ms = (int64_t)number;
    else if (what == HAS_KEY)
        reading->key = text;
    else if (what == HAS_VALUE)
        reading->value = number;
    return skip_blanks(p, end);
}

bool ws_mllog_plain(ws_span line, ws_mllog_reading *reading)
{
    unsigned has = 0;
    if (!ws_span_has_prefix(line, mark))
        return false;
    const char *end = line.p + line.n, *p = skip_blanks(line.p + sizeof mark - 1, end);
    if (p >= end || *p != '{')
        return false;
    do {
        p = take_member(skip_blanks(p + 1, end), end, reading, &has);
    } while (p && p < end && *p == ',');
    return p && p < end && *p == '}' && has == HAS_ALL;
}

bool ws_mllog_parse(ws_span line, ws_mllog *event)
{
    ws_span before, text;
    json_error_t problem;
    *event = (ws_mllog){0};
    if (!ws_span_cut(line, mark, &before, &text))
        return false;
    event->json = json_loadb(text.p, text.n, JSON_DISABLE_EOF_CHECK, &problem);
    const json_t *time = json_object_get(event->json, "time_ms");
    event->key = json_string_value(json_object_get(event->json, "key"));
    event->value = json_object_get(event->json, "value");
    event->metadata = json_object_get(event->json, "metadata");
    double time_ms = json_number_value(time); /* 0 of what is no number */
    bool is_time = time_ms >= 1 && time_ms < 7e12;
    if (is_time)
        event->time_ms = json_is_real(time) ? (int64_t)time_ms : (int64_t)json_integer_value(time);
    if (is_time && event->key)
        return true;
    ws_mllog_free(event);
    return false;
}

void ws_mllog_free(ws_mllog *event)
{
    json_decref(event->json);
    *event = (ws_mllog){0};
}

bool ws_mllog_number(const ws_mllog *event, double *number)
{
    if (json_is_string(event->value))
        return ws_span_double(ws_span_of(json_string_value(event->value)), number);
    *number = json_number_value(event->value);
    return json_is_number(event->value);
}
