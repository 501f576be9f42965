/* Series of exporters (prometheus_metric.h) as Grafana's panels and clients of Prometheus save them as CSV: a column a
 * series, or a row a reading with its metric in a column and its labels in that or in others:
 *
 *   "Time","DCGM_FI_DEV_POWER_USAGE{gpu=""0"", Hostname=""n1""}","DCGM_FI_DEV_POWER_USAGE{gpu=""1"", Hostname=""n1""}"
 *   2026-02-11 08:00:00,65.8,63.5
 *
 *   name,timestamp,value,Hostname,UUID,gpu
 *   DCGM_FI_DEV_POWER_USAGE,1770796800.003,65.8,n1,GPU-0aa,0
 *
 *   timestamp,Hostname,gpu,DCGM_FI_DEV_POWER_USAGE,DCGM_FI_DEV_GPU_UTIL
 *   1770796800.003,n1,0,65.8,97
 *
 * They are made into an answer of Prometheus (prometheus_json.c), so that metrics, labels and exporters mean the same.
 * Series whose header cells are labels alone, without a metric, are none of these. */
#include "formats/format.h"
#include "formats/readers/prometheus_answer.h"
#include "formats/readers/prometheus_metric.h"
#include "formats/table/made_table.h"
#include "formats/table/rows.h"
#include "formats/table/trace_head.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

enum { HEAD_LOOKED_AT = 32 * 1024 };

typedef struct prom_table {
    json_t *root, *result;       /* series */
    json_t *by_labels;           /* of a long table: a series by its labels as text; borrowed values */
    int32_t time, metric, value; /* columns; metric < 0: each other column is a series */
    char **names;                /* of the columns, */
    const char **label_of;       /* which label they hold beside columns of metrics; NULL: none */
    bool has_labels;             /* if any does */
    uint32_t n_columns;
    ws_timecol stamps;
    size_t bad_stamps, ragged;
    int64_t first_line;
} prom_table;

/* --- the head --- */

static ws_span metric_of(ws_span cell)
{
    const char *brace = cell.n ? memchr(cell.p, '{', cell.n) : NULL;
    return ws_span_trim(brace ? (ws_span){cell.p, (size_t)(brace - cell.p)} : cell);
}

static bool is_called(ws_span cell, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ws_span_eq_nocase(ws_span_trim(cell), names[i]))
            return true;
    return false;
}

static bool take_head(prom_table *t, const ws_row *row)
{
    static const char *const times[] = {"time", "timestamp", "ts", "date", "datetime"};
    static const char *const metrics[] = {"name", "metric", "__name__", "metric_name", "series"};
    static const char *const values[] = {"value"};
    size_t known = 0;
    t->time = t->metric = t->value = -1;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        if (t->time < 0 && is_called(row->cells[c], times, sizeof times / sizeof *times))
            t->time = (int32_t)c;
        else if (t->metric < 0 && is_called(row->cells[c], metrics, sizeof metrics / sizeof *metrics))
            t->metric = (int32_t)c;
        else if (t->value < 0 && is_called(row->cells[c], values, 1))
            t->value = (int32_t)c;
        known += ws_prom_is_known(metric_of(row->cells[c]));
    }
    if (known)
        t->metric = -1;
    t->first_line = row->line;
    return t->time >= 0 && (known || (t->metric >= 0 && t->value >= 0));
}

/* --- series --- */

/* `gpu="0", Hostname="n1"` as members. */
static void take_labels(json_t *labels, ws_span text)
{
    ws_span name, value;
    while (ws_span_cut(text, "=", &name, &text)) {
        while (name.n && strchr(", {", *name.p))
            name.p++, name.n--;
        name = ws_span_trim(name);
        text = ws_span_trim(text);
        if (!text.n || *text.p != '"')
            return;
        text.p++, text.n--;
        if (!ws_span_split(&text, '"', &value))
            return;
        json_t *member = json_stringn(value.p, value.n);
        json_object_setn_new(labels, name.p, name.n, member);
        text = text.p ? text : (ws_span){"", 0};
    }
}

static json_t *labels_of(ws_span spelled)
{
    ws_span name = metric_of(spelled);
    json_t *labels = json_object();
    json_object_set_new(labels, "__name__", json_stringn(name.p, name.n));
    const char *brace = memchr(spelled.p, '{', spelled.n);
    if (brace)
        take_labels(labels, (ws_span){brace + 1, (size_t)(spelled.p + spelled.n - brace - 1)});
    return labels;
}

/* Takes the labels. */
static json_t *add_series(prom_table *t, json_t *labels)
{
    json_t *series = json_object();
    json_object_set_new(series, "metric", labels);
    json_object_set_new(series, "values", json_array());
    json_array_append_new(t->result, series);
    return series;
}

static void add_reading(json_t *series, double seconds, ws_span value)
{
    json_t *pair = json_array(), *text = json_stringn(value.p, value.n);
    json_array_append_new(pair, json_real(seconds));
    json_array_append_new(pair, text ? text : json_string(""));
    json_array_append_new(json_object_get(series, "values"), pair);
}

/* In a long table any column but these three is a label. */
static bool holds_label(const prom_table *t, uint32_t c)
{
    bool is_one = (int32_t)c == t->time || (int32_t)c == t->metric || (int32_t)c == t->value;
    return t->metric >= 0 ? !is_one : t->label_of[c] != NULL;
}

/* `spelled`: its metric, with labels or without. */
static json_t *series_of_row(prom_table *t, const ws_row *row, ws_span spelled)
{
    if (!spelled.n || !ws_prom_is_known(metric_of(spelled)))
        return NULL;
    json_t *labels = labels_of(spelled);
    for (uint32_t c = 0; c < row->n_cells; c++) {
        if (row->cells[c].n && holds_label(t, c))
            json_object_set_new(labels, t->label_of[c] ? t->label_of[c] : t->names[c],
                                json_stringn(row->cells[c].p, row->cells[c].n));
    }
    char *key = json_dumps(labels, JSON_COMPACT);
    json_t *series = json_object_get(t->by_labels, key);
    if (!series) {
        series = add_series(t, json_incref(labels));
        json_object_set(t->by_labels, key, series);
    }
    free(key);
    json_decref(labels);
    return series;
}

/* --- rows --- */

static bool read_seconds(prom_table *t, const ws_row *row, double *seconds)
{
    char buffer[WS_STAMP_CELLS];
    ws_span cell = ws_timecol_point(&t->stamps, buffer, ws_span_trim(ws_row_cell(row, t->time)));
    int64_t ns;
    if (t->stamps.form == WS_STAMP_NONE)
        ws_timecol_settle(&t->stamps, cell);
    bool is_known = t->stamps.form == WS_STAMP_YMD || t->stamps.form == WS_STAMP_EPOCH;
    if (!is_known || !ws_timecol_read(&t->stamps, cell, &ns))
        return false;
    *seconds = (double)(ns / 1000000) / 1e3;
    return true;
}

static void take_value(json_t *series, double seconds, ws_span value)
{
    if (series)
        add_reading(series, seconds, value);
}

/* A row of a table with a column a metric. */
static void take_wide(prom_table *t, const ws_row *row, double seconds)
{
    for (uint32_t c = 0, of = 0; c < t->n_columns; c++) {
        if ((int32_t)c == t->time || t->label_of[c])
            continue;
        ws_span cell = ws_span_trim(row->cells[c]); /* empty where only other series have that time */
        if (cell.n && t->has_labels)
            take_value(series_of_row(t, row, ws_span_of(t->names[c])), seconds, cell);
        else if (cell.n)
            take_value(json_array_get(t->result, of), seconds, cell);
        of++;
    }
}

static void take_readings(prom_table *t, const ws_row *row)
{
    double seconds;
    if (row->n_cells != t->n_columns) {
        t->ragged++;
        return;
    }
    if (!read_seconds(t, row, &seconds)) {
        t->bad_stamps++;
        return;
    }
    if (t->metric < 0)
        take_wide(t, row, seconds);
    else
        take_value(series_of_row(t, row, ws_span_trim(ws_row_cell(row, t->metric))), seconds,
                   ws_span_trim(ws_row_cell(row, t->value)));
}

/* What exporters and their users call labels, and the label: in a column beside metrics it says whose reading a row is.
 */
static const char *label_of(ws_span name)
{
    static const struct {
        const char *name, *label;
    } labels[] = {{"gpu", "gpu"},
                  {"gpu_id", "gpu"},
                  {"index", "gpu"},
                  {"card", "gpu"},
                  {"gpuid", "gpu"},
                  {"gpu_index", "gpu"},
                  {"gpu index", "gpu"},
                  {"gpu id", "gpu"},
                  {"dev", "device"},
                  {"minor", "minor_number"},
                  {"bus_id", "pci_bus_id"},
                  {"pci.bus_id", "pci_bus_id"},
                  {"local_rank", "local_rank"},
                  {"rank", "rank"},
                  {"gpu_i_id", "GPU_I_ID"},
                  {"gpu_i_profile", "GPU_I_PROFILE"},
                  {"uuid", "UUID"},
                  {"gpu_uuid", "UUID"},
                  {"device", "device"},
                  {"minor_number", "minor_number"},
                  {"pci_bus_id", "pci_bus_id"},
                  {"hostname", "Hostname"},
                  {"host", "Hostname"},
                  {"node", "node"},
                  {"instance", "instance"},
                  {"modelname", "modelName"},
                  {"job", "job"},
                  {"pod", "pod"},
                  {"namespace", "namespace"},
                  {"container", "container"}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (ws_span_eq_nocase(name, labels[i].name))
            return labels[i].label;
    return NULL;
}

/* A column that tells the GPUs apart where none is called as their label: the first of these. */
static void name_gpus(prom_table *t)
{
    static const char *const instead[] = {"device", "minor_number", "pci_bus_id", "local_rank", "rank"};
    int32_t found = -1;
    for (uint32_t c = 0; c < t->n_columns; c++)
        if (t->label_of[c] && (strcmp(t->label_of[c], "gpu") == 0 || strcmp(t->label_of[c], "UUID") == 0))
            return;
    for (size_t i = 0; found < 0 && i < sizeof instead / sizeof *instead; i++)
        for (uint32_t c = 0; found < 0 && c < t->n_columns; c++)
            found = t->label_of[c] && strcmp(t->label_of[c], instead[i]) == 0 ? (int32_t)c : -1;
    if (found >= 0)
        t->label_of[found] = "gpu";
}

static void start_table(prom_table *t, const ws_row *head)
{
    t->names = ws_alloc((head->n_cells + 1) * sizeof *t->names);
    t->label_of = ws_alloc((head->n_cells + 1) * sizeof *t->label_of);
    t->n_columns = head->n_cells;
    for (uint32_t c = 0; c < head->n_cells; c++) {
        ws_span name = ws_span_trim(head->cells[c]);
        t->names[c] = ws_alloc(name.n + 1);
        memcpy(t->names[c], name.p, name.n);
        t->names[c][name.n] = '\0';
        t->label_of[c] = t->metric < 0 && (int32_t)c != t->time ? label_of(name) : NULL;
        t->has_labels |= t->label_of[c] != NULL;
    }
    name_gpus(t);
    for (uint32_t c = 0; t->metric < 0 && !t->has_labels && c < head->n_cells; c++)
        if ((int32_t)c != t->time)
            add_series(t, labels_of(ws_span_of(t->names[c])));
}

static ws_status take_table(prom_table *t, ws_input *input, char delimiter, ws_error *error)
{
    const ws_row *block;
    size_t n = 1;
    ws_rows *rows;
    bool has_head = false;
    ws_status status = ws_rows_open(&rows, input, delimiter, NULL, error);
    while (status == WS_OK && n) {
        status = ws_rows_next(rows, &block, &n, error);
        for (size_t i = 0; status == WS_OK && i < n; i++) {
            if (block[i].unfinished)
                continue;
            if (!has_head && take_head(t, &block[i])) {
                start_table(t, &block[i]);
                has_head = true;
            } else if (has_head) {
                take_readings(t, &block[i]);
            }
        }
    }
    ws_rows_close(rows);
    if (status == WS_OK && !has_head)
        status = ws_fail_at(error, WS_FORMAT, ws_input_path(input), 1, "no columns of metrics that are known here");
    return status;
}

static void note_odd(const prom_table *t, const char *source, ws_notes *notes)
{
    bool is_noted = false;
    ws_note_naive_time(notes, source, t->first_line + 1, t->stamps.base, &is_noted);
    ws_notes_add_many(notes, t->bad_stamps, WS_FINDING_BAD_STAMP, source, "", 0, "rows without a stamp were left out");
    ws_notes_add_many(notes, t->ragged, WS_FINDING_RAGGED_ROW, source, "", 0,
                      "rows with another number of cells were left out");
}

static prom_table make_table(int32_t zone, char delimiter)
{
    prom_table t = {.root = json_object(), .result = json_array(), .by_labels = json_object()};
    json_t *data = json_object();
    t.stamps.zone = zone;
    t.stamps.may_have_comma = delimiter != ',';
    json_object_set_new(data, "result", t.result);
    json_object_set_new(t.root, "data", data);
    return t;
}

static void free_table(prom_table *t)
{
    for (uint32_t c = 0; t->names && c < t->n_columns; c++)
        free(t->names[c]);
    free(t->names);
    free(t->label_of);
    json_decref(t->by_labels);
    json_decref(t->root);
}

static ws_status read_prometheus_csv(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                     ws_notes *notes, ws_error *error)
{
    ws_span bytes;
    ws_status status = ws_made_whole_lines(input, &bytes, notes, error);
    if (status != WS_OK)
        return status;
    char delimiter = ws_delimiter_guess(bytes);
    prom_table t = make_table(options->zone, delimiter);
    ws_input *rows = ws_input_from_memory(ws_input_path(input), bytes.p, bytes.n);
    status = take_table(&t, rows, delimiter, error);
    ws_input_close(rows);
    note_odd(&t, ws_input_path(input), notes);
    if (status == WS_OK)
        status = ws_prom_read_answer(input, t.root, sink, notes, error);
    free_table(&t);
    return status;
}

/* A head as above, and of a long table a row of a known metric. */
static int score_prometheus_csv(const char *path, ws_span head)
{
    if (head.n > HEAD_LOOKED_AT)
        head.n = HEAD_LOOKED_AT;
    ws_head_rows rows;
    prom_table t;
    bool is = false;
    if (!head.n || strchr("{[<#", *head.p) ||
        ws_head_rows_open(&rows, path, head, ws_delimiter_guess(head), 2, NULL, NULL) != WS_OK)
        return 0;
    if (rows.n && take_head(&t, &rows.row[0]))
        is = t.metric < 0 || (rows.n > 1 && ws_prom_is_known(metric_of(ws_row_cell(&rows.row[1], t.metric))));
    ws_head_rows_close(&rows);
    return is ? 96 : 0;
}

const ws_format ws_format_prometheus_csv = {
    .name = "prometheus-csv",
    .title = "the same series as CSV: saved panels of Grafana, rows of clients",
    .example = "\"Time\",\"DCGM_FI_DEV_POWER_USAGE{gpu=\"\"0\"\", Hostname=\"\"n1\"\"}\"\n2026-02-11 08:00:00,251.2",
    .tier = 2,
    .gives = WS_GIVES_POWER | WS_GIVES_COUNTER | WS_GIVES_UTIL | WS_GIVES_MEM_UTIL | WS_GIVES_MEM_USED |
             WS_GIVES_CLOCK | WS_GIVES_TEMP | WS_GIVES_LIMIT,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_prometheus_csv,
    .read = read_prometheus_csv,
};
