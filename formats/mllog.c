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
