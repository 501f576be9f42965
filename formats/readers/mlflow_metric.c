/* A power of a GPU as MLflow's file store keeps its system metrics,
 * mlruns/EXPERIMENT/RUN/metrics/system/gpu_0_power_usage_watts:
 *
 *   1770796800123 251.2 0
 *   1770796810125 249.8 1
 *
 * Milliseconds since 1970, W, the number of the reading (mlflow.store.tracking.FileStore; the names of the metrics are
 * those of its GPU monitor). The name of the file says which GPU it is. */
#include "core/text.h"
#include "formats/table/row_trace.h"
#include "formats/table/trace_head.h"

#include <math.h>

enum { STAMP, VALUE, STEP, COLUMNS };

/* "gpu_0_power_usage_watts", also "system/gpu_0_power_usage_watts.gz". -1: the name is another one. */
static int64_t gpu_of_name(const char *path)
{
    static const char before[] = "gpu_", after[] = "_power_usage_watts";
    ws_span stem = ws_file_stem(path), number, rest;
    int64_t gpu = -1;
    if (!ws_span_has_prefix(stem, before))
        return -1;
    stem = (ws_span){stem.p + sizeof before - 1, stem.n - (sizeof before - 1)};
    number = (ws_span){stem.p, ws_span_digits(stem)};
    rest = (ws_span){stem.p + number.n, stem.n - number.n};
    return ws_span_eq(rest, after) && ws_span_i64(number, &gpu) ? gpu : -1;
}

static bool is_metric(const ws_row *row, ws_timecol *stamps, int64_t *t_ns)
{
    enum { DIGITS_OF_MS = 13 };
    int64_t step;
    return row->n_cells == COLUMNS && ws_span_digits(row->cells[STAMP]) == DIGITS_OF_MS &&
           row->cells[STAMP].n == DIGITS_OF_MS && ws_timecol_read(stamps, row->cells[STAMP], t_ns) &&
           ws_span_i64(row->cells[STEP], &step);
}

static ws_status mlflow_take_row(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    double watts = NAN;
    if (ws_row_trace_is_cut(t))
        return WS_OK;
    if (!is_metric(row, &t->stamps, &t_ns)) {
        ws_row_note_no_data(&t->policy, row);
        return WS_OK;
    }
    if (!ws_span_double(row->cells[VALUE], &watts) && !ws_span_is_missing(row->cells[VALUE]))
        ws_note_unreadable_cell(t->samples.notes, t->samples.source, "", row->line, row->cells[VALUE]);
    ws_span stem = ws_file_stem(t->samples.source);
    ws_samples_key key = {.id = stem,
                          .identity = "index",
                          .number = gpu_of_name(t->samples.source),
                          .domain = WS_GPU,
                          .quantity = WS_POWER,
                          .column = "power_usage_watts",
                          .rule = WS_RULE_TRAPEZOID,
                          .time = WS_TIME_UTC};
    return ws_row_trace_push(t, &key, t_ns, watts, error);
}

static ws_status read_mlflow_metric(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                    ws_notes *notes, ws_error *error)
{
    static const ws_row_trace_kind kind = {.delimiter = WS_WORDS,
                                           .form = WS_STAMP_EPOCH,
                                           .holds_rows_alone = true,
                                           .take = mlflow_take_row,
                                           .what = "no line of milliseconds, a power and its number"};
    return ws_row_trace_read(&kind, input, options, sink, notes, NULL, error);
}

static int score_mlflow_metric(const char *path, ws_span bytes)
{
    ws_head_rows head;
    ws_timecol stamps = {.form = WS_STAMP_EPOCH};
    int64_t t_ns;
    if (gpu_of_name(path) < 0 || ws_head_rows_open(&head, "", bytes, WS_WORDS, 1, NULL, NULL) != WS_OK)
        return 0;
    bool is = head.n && is_metric(&head.row[0], &stamps, &t_ns);
    ws_head_rows_close(&head);
    return is ? 95 : 0;
}

const ws_format ws_format_mlflow_metric = {
    .name = "mlflow-metric",
    .title = "power of a GPU among MLflow's system metrics",
    .example = "1770796800123 251.2 0\n1770796810125 249.8 1",
    .tier = 2,
    .gives = WS_GIVES_POWER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_mlflow_metric,
    .read = read_mlflow_metric,
};
