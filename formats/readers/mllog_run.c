/* The log of an MLPerf training run, a JSON object a line among whatever else the job printed:
 *
 *   0: :::MLLOG {"namespace": "", "time_ms": 1700000000000, "event_type": "POINT_IN_TIME", "key": "seed", "value": 7}
 *   :::MLLOG {"namespace": "", "time_ms": 1700000010000, "event_type": "INTERVAL_START", "key": "run_start", ...}
 *   :::MLLOG {"time_ms": 1700000310000, "key": "run_stop", "value": null, "metadata": {"status": "success"}}
 *
 * A run is a row: its window, and a column for every key with a plain value (the last one of a key counts). Ranks that
 * repeat an event widen the window and add nothing else, whether their lines are mixed or stand one log behind the
 * other: logs in one stream are of one run where their windows overlap and they have one benchmark, seed and batch
 * size. Keys: github.com/mlcommons/logging. */
#include "formats/format.h"
#include "formats/input/lines.h"
#include "formats/readers/mllog.h"

#include "core/arena.h"
#include "core/stamp.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { C_START, C_END, C_WALL, C_STATUS, C_EVENTS, C_N };
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[C_N] = {[C_START] = {"start", WS_TEXT},
                  [C_END] = {"end", WS_TEXT},
                  [C_WALL] = {"wall_s", WS_NUMBER},
                  [C_STATUS] = {"run_status", WS_TEXT},
                  [C_EVENTS] = {"events", WS_INTEGER}};

typedef struct window {
    int64_t start_ms, stop_ms;
    bool has_start, has_stop;
    bool is_mixed; /* of runs whose lines stand in turns */
} window;

/* The ranks of a run begin it together; a run that begins later than this inside of another one is another one. Ours.
 */
static const int64_t ranks_begin_ms = 60000;

typedef struct mllog {
    ws_table *table;
    int64_t line;
    window *of_row; /* of each row of the table */
    size_t capacity;
    window *now; /* of the last one */
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
    m->of_row = ws_grow(m->of_row, &m->capacity, m->table->n_rows, sizeof *m->of_row);
    m->now = &m->of_row[m->table->n_rows - 1];
    *m->now = (window){0};
}

static void set_stamp(ws_table *table, size_t column, size_t row, int64_t ms)
{
    char text[WS_STAMP_TEXT];
    ws_stamp_text(text, ms * 1000000);
    ws_table_set_text(table, column, row, text);
}

static void set_window(ws_table *table, size_t row, const window *w)
{
    if (w->is_mixed)
        return;
    if (w->has_start)
        set_stamp(table, C_START, row, w->start_ms);
    if (w->has_stop)
        set_stamp(table, C_END, row, w->stop_ms);
    if (w->has_start && w->has_stop)
        ws_table_set_number(table, C_WALL, row, (double)(w->stop_ms - w->start_ms) / 1e3);
}

static void widen(window *w, const window *by)
{
    if (by->has_start && (!w->has_start || by->start_ms < w->start_ms))
        w->start_ms = by->start_ms, w->has_start = true;
    if (by->has_stop && (!w->has_stop || by->stop_ms > w->stop_ms))
        w->stop_ms = by->stop_ms, w->has_stop = true;
}

static void take_window(mllog *m, const ws_mllog *event)
{
    const char *status = json_string_value(json_object_get(event->metadata, "status"));
    bool is_start = strcmp(event->key, "run_start") == 0;
    window at = {event->time_ms, event->time_ms, is_start, !is_start, false};
    if (is_start && m->now->has_start && llabs(event->time_ms - m->now->start_ms) > ranks_begin_ms) {
        m->now->is_mixed = true;
        ws_notes_add(
            &m->table->notes, WS_FINDING_MIXED_LINES, m->table->source, "", m->line,
            "a run begins inside of another one: lines of both stand in turns, and neither has a window here (a "
            "file for each run, or their lines one behind the other)");
    }
    bool is_last = !is_start && (!m->now->has_stop || event->time_ms > m->now->stop_ms);
    widen(m->now, &at);
    if (is_last && status)
        ws_table_set_text(m->table, C_STATUS, m->table->n_rows - 1, status);
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
        ws_notes_add(&m->table->notes, WS_FINDING_UNREADABLE_CELL, m->table->source, key, m->line,
                     "a value of '%s' is no number and is left out", key);
}

static void mllog_run_take_line(mllog *m, ws_span line)
{
    ws_mllog event;
    if (!ws_mllog_is_line(line))
        return;
    if (!ws_mllog_parse(line, &event)) {
        ws_notes_add(&m->table->notes, WS_FINDING_SKIPPED_LINE, m->table->source, "", m->line,
                     "an event is cut, or has no key or no time_ms");
        return;
    }
    if (!m->table->n_rows || (m->now->has_stop && opens_run(event.key)))
        begin_run(m);
    m->table->columns[C_EVENTS].integer[m->table->n_rows - 1]++;
    if (strcmp(event.key, "run_start") == 0 || strcmp(event.key, "run_stop") == 0)
        take_window(m, &event);
    else
        take_value(m, event.key, event.value);
    ws_mllog_free(&event);
}

static bool has_same(const ws_table *table, const char *key, size_t a, size_t b)
{
    char of_a[WS_DOUBLE_TEXT], of_b[WS_DOUBLE_TEXT];
    size_t column;
    if (!ws_table_find(table, key, &column) || ws_table_is_missing(table, column, a) ||
        ws_table_is_missing(table, column, b))
        return true;
    return strcmp(ws_table_cell_text(table, column, a, of_a), ws_table_cell_text(table, column, b, of_b)) == 0;
}

/* Logs of two ranks, one behind the other. */
static bool are_one_run(const mllog *m, size_t a, size_t b)
{
    const window *x = &m->of_row[a], *y = &m->of_row[b];
    bool overlap = x->has_start && x->has_stop && y->has_start && y->has_stop && x->start_ms < y->stop_ms &&
                   y->start_ms < x->stop_ms;
    return overlap && has_same(m->table, "submission_benchmark", a, b) && has_same(m->table, "seed", a, b) &&
           has_same(m->table, "global_batch_size", a, b);
}

/* Values of the later log count, as within one. */
static void add_log(mllog *m, size_t to, size_t from)
{
    ws_table *t = m->table;
    widen(&m->of_row[to], &m->of_row[from]);
    t->columns[C_EVENTS].integer[to] += t->columns[C_EVENTS].integer[from];
    for (size_t c = C_STATUS; c < t->n_columns; c++) {
        if (c == C_EVENTS || ws_table_is_missing(t, c, from))
            continue;
        if (t->columns[c].kind == WS_TEXT)
            ws_table_set_text(t, c, to, t->columns[c].text[from]);
        else
            ws_table_set_number(t, c, to, ws_table_number(t, c, from));
    }
}

static void join_logs(mllog *m)
{
    size_t n = m->table->n_rows;
    bool *keep = ws_alloc((n + 1) * sizeof *keep);
    for (size_t row = 0; row < n; row++) {
        size_t first = 0;
        while (first < row && !(keep[first] && are_one_run(m, first, row)))
            first++;
        keep[row] = first == row;
        if (!keep[row])
            add_log(m, first, row);
    }
    for (size_t row = 0; row < n; row++)
        set_window(m->table, row, &m->of_row[row]);
    ws_table_filter(m->table, keep);
    free(keep);
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
    bool has_end = !m.now || !m.now->has_start || m.now->has_stop;
    join_logs(&m);
    free(m.of_row);
    if (status == WS_OK && !has_end)
        ws_notes_add(&table->notes, WS_FINDING_NO_RUN_STOP, table->source, "", m.line,
                     "the last run has no run_stop: no window");
    return status;
}

/* Power logs of the same benchmark hold readings, and are a trace. */
/* A line with a whole object, since prose about such logs has the mark too; power readings have a reader of their own.
 */
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
    .tier = 2,
    .tried = WS_TRIED_REAL,
    .score = score_mllog_run,
    .holds = ":::MLLOG",
    .read_table = read_mllog,
};
