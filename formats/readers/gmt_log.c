/* RAPL logs of the Green Metrics Tool:
 *
 *   1759592247529773 397277 Package_0
 *   1759592247629050 378051 Package_0
 *
 * Microseconds since the epoch, microjoules of the interval that ends there, domain. The length of the first interval
 * is not known: its energy counts, and the span begins at the first stamp. */
#include "formats/table/dictionary.h"
#include "formats/table/row_trace.h"
#include "formats/table/trace_plan.h"

#include <math.h>

enum { STAMP, ENERGY, DOMAIN, COLUMNS };

/* The year 2191, far from where nanoseconds end. */
static const int64_t LAST_US = INT64_C(7000000000000000);

static bool is_reading(const ws_row *row, int64_t *t_ns, ws_rapl_zone *zone)
{
    int64_t stamp_us;
    if (row->n_cells != COLUMNS || !ws_span_i64(row->cells[STAMP], &stamp_us) || row->cells[STAMP].n < 15 ||
        row->cells[STAMP].n > 16 || stamp_us < 0 || stamp_us > LAST_US)
        return false;
    *t_ns = stamp_us * 1000;
    return ws_rapl_zone_find(row->cells[DOMAIN], zone);
}

static double read_energy(ws_row_trace *t, const ws_row *row)
{
    double energy_uj;
    if (ws_span_double(row->cells[ENERGY], &energy_uj))
        return energy_uj / 1e6;
    if (!ws_span_is_missing(row->cells[ENERGY]))
        ws_note_unreadable_cell(t->samples.notes, t->samples.source, "", row->line, row->cells[ENERGY]);
    return NAN;
}

/* A last line without its end is whole when its last word is. */
static ws_status gmt_log_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    ws_rapl_zone zone = {.package = -1};
    bool is_good = is_reading(row, &t_ns, &zone);
    ws_samples_key key = {.id = ws_row_cell(row, DOMAIN),
                          .identity = "name",
                          .domain = zone.domain,
                          .quantity = WS_ENERGY_INTERVAL,
                          .column = "#2",
                          .rule = WS_RULE_INTERVAL,
                          .time = WS_TIME_UTC};
    bool is_known = is_good && ws_samples_has(&t->samples, &key);
    if (!is_good || (!is_known && row->unfinished)) {
        ws_row_note_no_data(&t->policy, row);
        return WS_OK;
    }
    key.device = is_known ? NULL : ws_rapl_device(&t->samples.arena, &zone);
    ws_samples_reading reading = {.t_ns = t_ns, .value = read_energy(t, row), .line = row->line};
    return ws_samples_push(&t->samples, &key, &reading, error);
}

static ws_status read_gmt(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                          ws_error *error)
{
    static const ws_row_trace_kind kind = {
        .delimiter = WS_WORDS, .take = gmt_log_take, .what = "no line of stamp, energy and domain"};
    return ws_row_trace_read(&kind, input, options, sink, notes, NULL, error);
}

static int score_gmt_log(const char *path, ws_span bytes)
{
    (void)path;
    enum { LINES = 3 };
    ws_head_rows head;
    ws_rapl_zone zone = {.package = -1};
    int64_t t_ns;
    int good = 0, in_turn = 0;
    bool is_behind = false;
    if (ws_head_rows_open(&head, "", bytes, WS_WORDS, WS_HEAD_ROWS, NULL, NULL) != WS_OK)
        return 0;
    for (size_t i = 0; i < head.n && (i < LINES || !good) && !is_behind; i++) {
        bool is_good = is_reading(&head.row[i], &t_ns, &zone);
        in_turn = is_good ? in_turn + 1 : 0;
        good += i < LINES && is_good;
        is_behind = i >= LINES && in_turn == LINES;
    }
    ws_head_rows_close(&head);
    return good ? 70 + 7 * good : is_behind ? WS_SCORE_BEHIND : 0;
}

const ws_format ws_format_gmt_log = {
    .name = "gmt-log",
    .title = "RAPL log of the Green Metrics Tool: microseconds, microjoules, domain",
    .example = "1759592247529773 397277 Package_0",
    .tier = 3,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .score = score_gmt_log,
    .read = read_gmt,
};
