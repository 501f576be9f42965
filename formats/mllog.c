#include "formats/mllog.h"

#include <jansson.h>

static const char mark[] = ":::MLLOG";

bool ws_mllog_is_line(ws_span line)
{
    return ws_span_contains(line, mark);
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
    event->time_ms = json_is_real(time) ? (int64_t)json_real_value(time) : (int64_t)json_integer_value(time);
    bool is_time = json_is_integer(time) || (json_is_real(time) && json_real_value(time) < 1e15);
    if (is_time && event->key && event->time_ms > 0 && event->time_ms < INT64_C(7000000000000))
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
