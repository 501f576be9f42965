/* Power of whole nodes in the form of MLPerf's log, a file a node:
 *
 *   :::MLLOG {"namespace": "", "time_ms": 1770796800220, "event_type": "POINT_IN_TIME", "key": "power_reading",
 *             "value": 2795, "metadata": ""}                                            (all in one line)
 *
 * or as a table of its events:
 *
 *   time_ms,key,value
 *   1770796800220,power_reading,2795
 *
 * Watts. The node is the name of the file, as nothing inside tells it. "interconnect_power_est" is one constant
 * estimate of the switches for the whole run: it is shown, and no energy comes of a single reading. */
#include "formats/table/row_trace.h"
#include "formats/table/preset.h"
#include "formats/readers/mllog.h"

#include <jansson.h>
#include <math.h>

static const struct {
    const char *key;
    ws_domain domain;
} readings[] = {{"power_reading", WS_NODE}, {"interconnect_power_est", WS_OTHER}};
enum { KINDS = sizeof readings / sizeof *readings };

static size_t kind_of(ws_span key)
{
    size_t k = 0;
    while (k < KINDS && !ws_span_eq(key, readings[k].key))
        k++;
    return k;
}

static ws_status mllog_power_push(ws_row_trace *t, size_t kind, const char *id, int64_t time_ms, double power_w,
                                  ws_error *error)
{
    if (isnan(power_w))
        ws_row_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no number of watts in", ws_span_of(readings[kind].key));
    ws_samples_key key = {.node = ws_file_stem(t->samples.source),
                          .id = ws_span_of(id ? id : ""),
                          .identity = id ? "name" : "",
                          .number = -1,
                          .domain = readings[kind].domain,
                          .quantity = WS_POWER,
                          .column = readings[kind].key,
                          .time = WS_TIME_UTC};
    return ws_row_trace_push(t, &key, time_ms * 1000000, power_w, error);
}

static ws_status push_event(ws_row_trace *t, const ws_mllog *event, size_t kind, ws_error *error)
{
    double power_w;
    const char *id = json_string_value(json_object_get(event->metadata, "switch_id"));
    if (!ws_mllog_number(event, &power_w))
        power_w = NAN;
    return mllog_power_push(t, kind, id, event->time_ms, power_w, error);
}

static ws_status mllog_power_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    ws_mllog event;
    ws_mllog_reading plain;
    ws_status status = WS_OK;
    if (ws_mllog_plain(line, &plain)) {
        size_t kind = kind_of(plain.key);
        return kind < KINDS ? mllog_power_push(t, kind, NULL, plain.time_ms, plain.value, error) : WS_OK;
    }
    if (ws_mllog_parse(line, &event)) {
        size_t kind = kind_of(ws_span_of(event.key));
        if (kind < KINDS)
            status = push_event(t, &event, kind, error);
        ws_mllog_free(&event);
    } else if (ws_mllog_is_line(line)) {
        if (!ws_row_trace_is_cut(t))
            ws_row_trace_note(t, WS_FINDING_BAD_LINE, "no object of MLLOG:", line);
    }
    return status;
}

static ws_status read_mllog_power(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                  ws_error *error)
{
    static const ws_row_trace_kind kind = {
        .delimiter = WS_LINES, .form = WS_STAMP_EPOCH, .take = mllog_power_take_line, .what = "no readings of power"};
    return ws_row_trace_read(&kind, input, options, sink, notes, NULL, error);
}

static int score_mllog_power(const char *path, ws_span head)
{
    (void)path;
    ws_span line;
    while (ws_span_split(&head, '\n', &line))
        if (ws_mllog_is_line(line) &&
            (ws_span_contains(line, "\"power_reading\"") || ws_span_contains(line, "\"interconnect_power_est\"")))
            return 95;
    return 0;
}

const ws_format ws_format_mllog_power = {
    .name = "mllog-power",
    .title = "power readings of nodes in MLPerf's log, a file a node",
    .example = ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1770796800220, \"event_type\": \"POINT_IN_TIME\", "
               "\"key\": \"power_reading\", \"value\": 2795, \"metadata\": \"\"}",
    .tier = 2,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_REAL,
    .score = score_mllog_power,
    .holds = ":::MLLOG",
    .read = read_mllog_power,
};

/* --- as a table --- */

static const ws_preset_value event_values[] = {
    {"value", WS_NODE, WS_POWER, WS_RULE_NONE, "W", 0},
};

static bool about_key(ws_arena *arena, const char *kind, const ws_span *cells, ws_preset_reading *reading)
{
    (void)arena, (void)cells;
    size_t k = kind_of(ws_span_of(kind));
    if (k == KINDS)
        return false;
    reading->domain = readings[k].domain;
    reading->column = readings[k].key;
    return true;
}

static const ws_preset mllog_power_csv_preset = {.delimiter = ',',
                                                 .score = 93,
                                                 .must = {"time_ms", "key", "value"},
                                                 .time = {"time_ms"},
                                                 .node_is_file = true,
                                                 .kind = {"key"},
                                                 .about = about_key,
                                                 WS_PRESET_VALUES(event_values),
                                                 .what = "no readings of power"};
WS_PRESET_FORMAT(mllog_power_csv, "mllog-power-csv", "power readings of nodes in MLPerf's log, as a table of events",
                 "time_ms,key,value\n1770796800220,power_reading,2795", 3, WS_GIVES_POWER, WS_TRIED_REAL);
