/* The log of an MLPerf training run, a JSON object a line among whatever else the job printed:
 *
 *   0: :::MLLOG {"namespace": "", "time_ms": 1700000000000, "event_type": "POINT_IN_TIME", "key": "seed", "value": 7}
 *   :::MLLOG {"namespace": "", "time_ms": 1700000010000, "event_type": "INTERVAL_START", "key": "run_start", "value": null}
 *   :::MLLOG {"time_ms": 1700000310000, "key": "run_stop", "value": null, "metadata": {"status": "success"}}
 *
 * A run is a row: its window, and a column for every key with a plain value (the last one of a key counts). Ranks that
 * repeat an event widen the window and add nothing else. Keys: github.com/mlcommons/logging. */
#include "formats/format.h"
#include "formats/input/lines.h"
#include "formats/readers/mllog.h"

#include "core/arena.h"
#include "core/stamp.h"

#include <jansson.h>
#include <string.h>

enum { C_START, C_END, C_WALL, C_STATUS, C_EVENTS, C_N };
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[C_N] = {
    {"start", WS_TEXT}, {"end", WS_TEXT}, {"wall_s", WS_NUMBER}, {"run_status", WS_TEXT}, {"events", WS_INTEGER}};

typedef struct mllog {
    ws_table *table;
    int64_t line;
    int64_t start_ms, stop_ms; /* of the run whose row is the last one */
    bool has_start, has_stop;
} mllog;

/* What only the log of a new run says after the run before has ended. */
static bool opens_run(const char *key)
{
    static const char *const first[] = {"cache_clear", "init_start", "submission_benchmark", "run_start"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (strcmp(key, first[i]) == 0)
            return true;
    return false;
}

static void begin_run(mllog *m)
{
    ws_table_add_row_at(m->table, m->line);
    ws_table_set_integer(m->table, C_EVENTS, m->table->n_rows - 1, 0);
    m->has_start = m->has_stop = false;
}

static void set_stamp(mllog *m, size_t column, int64_t ms)
{
    char text[WS_STAMP_TEXT];
    ws_stamp_text(text, ms * 1000000);
    ws_table_set_text(m->table, column, m->table->n_rows - 1, text);
}

static void take_window(mllog *m, const ws_mllog *event)
{
    size_t row = m->table->n_rows - 1;
    const char *status = json_string_value(json_object_get(event->metadata, "status"));
    int64_t ms = event->time_ms;
    if (strcmp(event->key, "run_start") == 0 && (!m->has_start || ms < m->start_ms)) {
        m->start_ms = ms, m->has_start = true;
        set_stamp(m, C_START, ms);
    }
    if (strcmp(event->key, "run_stop") == 0 && (!m->has_stop || ms > m->stop_ms)) {
        m->stop_ms = ms, m->has_stop = true;
        set_stamp(m, C_END, ms);
        if (status)
            ws_table_set_text(m->table, C_STATUS, row, status);
    }
    if (m->has_start && m->has_stop)
        ws_table_set_number(m->table, C_WALL, row, (double)(m->stop_ms - m->start_ms) / 1e3);
}

/* A value under its key: numbers stay numbers; null, the text "null" and structures say nothing. */
static void take_value(mllog *m, const char *key, const json_t *value)
{
    size_t column, row = m->table->n_rows - 1;
    const char *text = json_string_value(value);
    if (!json_is_number(value) && !json_is_boolean(value) && (!text || strcmp(text, "null") == 0))
        return;
    if (!ws_table_find(m->table, key, &column))
        column = ws_table_add_column(m->table, key, json_is_number(value) ? WS_NUMBER : WS_TEXT);
    else if (column < C_N)
        return;
    char number[WS_DOUBLE_TEXT];
    if (json_is_number(value) && m->table->columns[column].kind == WS_TEXT) {
        ws_double_text(number, json_number_value(value));
        text = number;
    }
    if (m->table->columns[column].kind != WS_TEXT && json_is_number(value))
        ws_table_set_number(m->table, column, row, json_number_value(value));
    else if (m->table->columns[column].kind == WS_TEXT)
        ws_table_set_text(m->table, column, row, text ? text : json_is_true(value) ? "true" : "false");
    else
        ws_notes_add(&m->table->notes, "unreadable-cell", m->table->source, key, m->line,
                     "a value of '%s' is no number and is left out", key);
}

static void mllog_run_take_line(mllog *m, ws_span line)
{
    ws_mllog event;
    if (!ws_mllog_is_line(line))
        return;
    if (!ws_mllog_parse(line, &event)) {
        ws_notes_add(&m->table->notes, "skipped-line", m->table->source, "", m->line,
                     "an event is cut, or has no key or no time_ms");
        return;
    }
    if (!m->table->n_rows || (m->has_stop && opens_run(event.key) && event.time_ms >= m->stop_ms))
        begin_run(m);
    m->table->columns[C_EVENTS].integer[m->table->n_rows - 1]++;
    if (strcmp(event.key, "run_start") == 0 || strcmp(event.key, "run_stop") == 0)
        take_window(m, &event);
    else
        take_value(m, event.key, event.value);
    ws_mllog_free(&event);
}

static ws_status read_mllog(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    ws_lines lines;
    ws_span line;
    ws_status status;
    mllog m = {.table = table};
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    for (size_t i = 0; i < C_N; i++)
        ws_table_add_column(table, columns[i].name, columns[i].kind);
    ws_lines_init(&lines, input);
    while ((status = ws_lines_next(&lines, &line, error)) == WS_OK && line.p) {
        m.line = lines.number;
        mllog_run_take_line(&m, line);
    }
    ws_lines_free(&lines);
    if (status == WS_OK && !table->n_rows)
        return ws_fail_at(error, WS_DATA, table->source, 0, "has no event of MLPerf's log (:::MLLOG)");
    if (status == WS_OK && m.has_start && !m.has_stop)
        ws_notes_add(&table->notes, "no-run-stop", table->source, "", m.line,
                     "the last run has no run_stop: no window");
    return status;
}

/* Power logs of the same benchmark hold readings, and are a trace. */
/* A line with a whole object, since prose about such logs has the mark too; power readings have a reader of their own. */
static int score_mllog_run(const char *path, ws_span head)
{
    (void)path;
    static const char *const power[] = {"\"power_reading\"", "\"power_measurement_start\"",
                                        "\"interconnect_power_est\""};
    ws_span line;
    ws_mllog event;
    for (size_t i = 0; i < sizeof power / sizeof *power; i++)
        if (ws_span_contains(head, power[i]))
            return 0;
    while (ws_span_split(&head, '\n', &line)) {
        if (!ws_mllog_parse(line, &event))
            continue;
        ws_mllog_free(&event);
        return 90;
    }
    return 0;
}

const ws_format ws_format_mllog = {
    .name = "mllog",
    .title = "log of an MLPerf training run: window, settings and results",
    .example =
        ":::MLLOG {\"time_ms\": 1700000000000, \"event_type\": \"POINT_IN_TIME\", \"key\": \"seed\", \"value\": 7}",
    .is_record = true,
    .tier = 1,
    .tried = WS_TRIED_REAL,
    .score = score_mllog_run,
    .read_table = read_mllog,
};
