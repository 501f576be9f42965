/* Long tables: a row a reading, whose metric stands in a column of its own.
 *
 *   time,device,metric,value                        timestamp,metric,value,unit
 *   1770796800,gpu0,power_w,251.2                   2026-02-11 08:00:00,gpu0_power,251.2,W
 *
 * Readings of one time and one source, which the other columns name, are one row of a table with a column a metric, in
 * whatever order they stand: melted tables have all of one metric first. Flux's annotated CSV of InfluxDB is such a
 * table, too: _time, _field, _value. */
#include "formats/format.h"
#include "formats/table/dictionary.h"
#include "formats/table/made_table.h"
#include "formats/table/rows.h"
#include "formats/table/trace_head.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_LOOKED_AT = 32 * 1024, MOST_COLUMNS = 64 };

typedef struct tidy {
    ws_made_table table;
    int32_t time, metric, value, unit;
    uint32_t n_columns;
    const char *name[MOST_COLUMNS]; /* of the other columns that are kept; NULL: none */
    bool has_header;
    size_t twice, odd, other; /* readings that stand twice; rows that are none; metrics of unknown meaning */
} tidy;

static bool is_one_of(ws_span cell, const char *const *names, size_t n)
{
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, cell);
    for (size_t i = 0; i < n; i++)
        if (ws_span_eq(plain, names[i]))
            return true;
    return false;
}
#define IS_ONE_OF(cell, names) is_one_of(cell, names, sizeof names / sizeof *names)

static const char *const metrics[] = {"metric",      "field",    "variable",  "metric_name", "measure",
                                      "measurement", "quantity", "parameter", "key",         "counter_name"};
static const char *const values[] = {"value", "val", "reading", "metric_value"};
static const char *const units[] = {"unit", "units"};
static const char *const flux_times[] = {"time"};
/* Of Flux's tables: the query's window, and the number of the table, which differs by metric. */
static const char *const passed_over[] = {"result", "table", "start", "stop", "measurement"};

static bool may_tell_rows(ws_role role)
{
    return ws_is_identity(role) || role == WS_ROLE_NODE || role == WS_ROLE_DATE || role == WS_ROLE_DAYTIME;
}

/* Flux has _field beside _measurement: the former says more. */
static bool take_header(tidy *t, const ws_row *row)
{
    int32_t date = WS_NO_COLUMN;
    bool has_clock = false;
    t->time = t->metric = t->value = t->unit = WS_NO_COLUMN;
    t->n_columns = row->n_cells;
    if (row->n_cells < 3 || row->n_cells > MOST_COLUMNS)
        return false;
    for (int32_t c = 0; c < (int32_t)row->n_cells; c++) {
        ws_span cell = ws_span_trim(row->cells[c]);
        ws_span name = cell.n && *cell.p == '_' ? (ws_span){cell.p + 1, cell.n - 1} : cell;
        ws_role role = ws_meaning_of(name).role;
        t->name[c] = NULL;
        date = role == WS_ROLE_DATE && date < 0 ? c : date;
        has_clock |= role == WS_ROLE_DAYTIME;
        if ((role == WS_ROLE_TIME || IS_ONE_OF(name, flux_times)) && t->time < 0)
            t->time = c;
        else if (IS_ONE_OF(name, values) && t->value < 0)
            t->value = c;
        else if (IS_ONE_OF(name, units) && t->unit < 0)
            t->unit = c;
        else if (IS_ONE_OF(name, metrics) && (t->metric < 0 || ws_span_eq(name, "field")))
            t->metric = c;
        else if (may_tell_rows(role) || !(cell.n && *cell.p == '_' && IS_ONE_OF(name, passed_over)))
            t->name[c] = ws_arena_strndup(&t->table.arena, cell.p, cell.n);
        if (t->name[c] && IS_ONE_OF(name, passed_over))
            t->name[c] = NULL;
    }
    if (t->time < 0 && date >= 0 && !has_clock) { /* "date" over whole stamps */
        t->time = date;
        t->name[date] = NULL;
    }
    t->has_header = t->time >= 0 && t->metric >= 0 && t->value >= 0;
    return t->has_header;
}

/* "power" and "W": power [W]; metrics of unknown meaning are passed over. */
static ws_span metric_name(tidy *t, const ws_row *row)
{
    ws_span metric = ws_span_trim(ws_row_cell(row, t->metric)), unit = ws_span_trim(ws_row_cell(row, t->unit));
    if (unit.n && ws_unit_find(unit))
        metric = ws_span_of(ws_arena_printf(&t->table.arena, "%.*s [%.*s]", WS_SPAN_ARG(metric), WS_SPAN_ARG(unit)));
    return ws_meaning_of(metric).role == WS_ROLE_VALUE ? metric : (ws_span){"", 0};
}

static void take_reading(tidy *t, const ws_row *row)
{
    ws_made_table *table = &t->table;
    ws_span time = ws_row_cell(row, t->time);
    const char *key = ws_arena_printf(&table->arena, "%.*s", WS_SPAN_ARG(time));
    if (row->n_cells != t->n_columns) {
        t->odd++;
        return;
    }
    ws_span name = metric_name(t, row);
    if (!name.n) {
        t->other++;
        return;
    }
    for (uint32_t c = 0; c < t->n_columns; c++)
        if (t->name[c])
            key = ws_arena_printf(&table->arena, "%s,%.*s", key, WS_SPAN_ARG(row->cells[c]));
    size_t at = ws_made_row_of(table, ws_span_of(key));
    if (!ws_made_has(table, at, ws_span_of("time"))) {
        ws_made_set(table, at, ws_span_of("time"), time);
        for (uint32_t c = 0; c < t->n_columns; c++)
            if (t->name[c])
                ws_made_set(table, at, ws_span_of(t->name[c]), row->cells[c]);
    }
    t->twice += !ws_made_set(table, at, name, ws_row_cell(row, t->value));
}

static bool is_flux_remark(const ws_row *row)
{
    return !row->n_cells || (row->cells[0].n && *row->cells[0].p == '#') || row->n_cells == 1;
}

static ws_status tidy_take_rows(tidy *t, ws_input *input, char delimiter, ws_error *error)
{
    const ws_row *rows;
    size_t n = 1;
    ws_rows *all;
    ws_status status = ws_rows_open(&all, input, delimiter, NULL, error);
    for (bool is_first = true; status == WS_OK && n;) {
        status = ws_rows_next(all, &rows, &n, error);
        for (size_t i = 0; status == WS_OK && i < n; i++) {
            if (rows[i].unfinished || is_flux_remark(&rows[i]))
                continue;
            if (is_first && !take_header(t, &rows[i]))
                n = 0;
            else if (!is_first && !IS_ONE_OF(ws_row_cell(&rows[i], t->value), values)) /* the header again */
                take_reading(t, &rows[i]);
            is_first = false;
            if (!t->has_header)
                break;
        }
        if (!t->has_header)
            break;
    }
    ws_rows_close(all);
    return status;
}

static int score_tidy_csv(const char *path, ws_span head)
{
    enum { TRACE = 35, POINTS = 55 };
    tidy t = {.time = WS_NO_COLUMN};
    ws_span line = {"", 0}, rest = head;
    if (head.n > HEAD_LOOKED_AT)
        head.n = HEAD_LOOKED_AT;
    while (ws_span_split(&rest, '\n', &line) && (!ws_span_trim(line).n || *line.p == '#'))
        ;
    if (!ws_span_contains(line, "al") && !ws_span_contains(line, "AL") && !ws_span_contains(line, "eading"))
        return 0; /* "value", "Val", "reading" */
    char delimiter = ws_delimiter_guess(head);
    ws_input *input = ws_input_from_memory(path, head.p, head.n);
    ws_status status = tidy_take_rows(&t, input, delimiter, NULL);
    int points = status == WS_OK && t.has_header && !t.twice ? ws_made_score(path, &t.table) : 0;
    ws_input_close(input);
    ws_made_free(&t.table);
    return points >= TRACE ? POINTS : 0;
}

static ws_status read_tidy_csv(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    ws_span bytes;
    tidy t = {.time = WS_NO_COLUMN};
    ws_status status = ws_made_whole_lines(input, &bytes, notes, error);
    if (status != WS_OK)
        return status;
    ws_input *rows = ws_input_from_memory(ws_input_path(input), bytes.p, bytes.n);
    status = tidy_take_rows(&t, rows, ws_delimiter_guess(bytes), error);
    ws_input_close(rows);
    if (status == WS_OK && !t.has_header)
        status = ws_fail_at(error, WS_FORMAT, ws_input_path(input), 1, "no columns of a time, a metric and a value");
    if (status == WS_OK && t.twice)
        status = ws_fail_at(error, WS_DATA, ws_input_path(input), 0,
                            "readings of one time, source and metric stand twice (%zu): a column must tell them apart",
                            t.twice);
    if (t.odd)
        ws_notes_add_many(notes, t.odd, WS_FINDING_RAGGED_ROW, ws_input_path(input), "", 0,
                          "rows with another number of cells were left out");
    if (status == WS_OK)
        status = ws_made_read(&t.table, input, options, sink, notes, error);
    ws_made_free(&t.table);
    return status;
}

const ws_format ws_format_tidy_csv = {
    .name = "long-csv",
    .title = "long tables: time, source, metric and value, a row a reading",
    .example = "time,device,metric,value\n1770796800,gpu0,power_w,251.2\n1770796801,gpu0,power_w,250.8",
    .tier = 2,
    .gives = WS_GIVES_ANY,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_tidy_csv,
    .highest_score = 55,
    .read = read_tidy_csv,
};
