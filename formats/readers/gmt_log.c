/* RAPL logs of the Green Metrics Tool:
 *
 *   1759592247529773 397277 Package_0
 *   1759592247629050 378051 Package_0
 *
 * Microseconds since the epoch, microjoules of the interval that ends there, domain. The length of the first interval
 * is not known: its energy counts, and the span begins at the first stamp.
 *
 * No description of preset.h: there is no header, so that the digits of the stamps tell a row from other lines, and a
 * domain that was seen before tells a whole last line. */
#include "formats/table/dictionary.h"
#include "formats/table/row_trace.h"
#include "formats/table/trace_head.h"

#include <math.h>
#include <stdlib.h>

enum { STAMP, ENERGY, DOMAIN, COLUMNS };

/* Fifteen digits of microseconds, and the year 2191, far from where nanoseconds end. */
static const int64_t FIRST_NS = INT64_C(100000000000000000), LAST_NS = INT64_C(7000000000000000000);

static bool is_stamp(const ws_row *row, ws_timecol *stamps, int64_t *t_ns)
{
    enum { LEAST_DIGITS = 15, MOST_DIGITS = 16 };
    ws_span cell = ws_row_cell(row, STAMP);
    return row->n_cells == COLUMNS && cell.n >= LEAST_DIGITS && cell.n <= MOST_DIGITS && !memchr(cell.p, '.', cell.n) &&
           ws_timecol_read(stamps, cell, t_ns) && *t_ns >= FIRST_NS && *t_ns <= LAST_NS;
}

static bool is_reading(const ws_row *row, ws_timecol *stamps)
{
    int64_t t_ns;
    ws_rapl_zone zone = {.package = -1};
    return is_stamp(row, stamps, &t_ns) && ws_rapl_zone_find(row->cells[DOMAIN], &zone);
}

static double read_energy(ws_row_trace *t, const ws_row *row)
{
    double energy_uj;
    size_t n = ws_span_decimal(row->cells[ENERGY], &energy_uj);
    if ((n && n == row->cells[ENERGY].n) || ws_span_double(row->cells[ENERGY], &energy_uj))
        return energy_uj / 1e6;
    if (!ws_span_is_missing(row->cells[ENERGY]))
        ws_note_unreadable_cell(t->samples.notes, t->samples.source, "", row->line, row->cells[ENERGY]);
    return NAN;
}

static ws_status add_domain(ws_row_trace *t, const ws_row *row, const ws_samples_reading *reading, ws_error *error)
{
    ws_rapl_zone zone = {.package = -1};
    if (row->unfinished || !ws_rapl_zone_find(row->cells[DOMAIN], &zone)) {
        ws_row_note_no_data(&t->policy, row);
        return WS_OK;
    }
    ws_samples_key key = {.id = row->cells[DOMAIN],
                          .identity = "name",
                          .device = ws_rapl_device(&t->samples.arena, &zone),
                          .domain = zone.domain,
                          .quantity = WS_ENERGY_INTERVAL,
                          .column = "#2",
                          .rule = WS_RULE_INTERVAL,
                          .time = WS_TIME_UTC};
    return ws_samples_add_turn(&t->samples, t->state, row->cells[DOMAIN], &key, reading, error);
}

/* A last line without its end is whole when its last word is: that of a domain that is known. */
static ws_status gmt_log_take(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_samples_turns *domains = t->state;
    ws_samples_reading reading = {.line = row->line};
    ws_status status = WS_OK;
    if (!is_stamp(row, &t->stamps, &reading.t_ns)) {
        ws_row_note_no_data(&t->policy, row);
        return WS_OK;
    }
    size_t at = ws_samples_turn(domains, row->cells[DOMAIN]);
    if (at == WS_NO_TURN) {
        at = domains->n;
        status = add_domain(t, row, &reading, error);
    }
    if (status != WS_OK || at == domains->n)
        return status;
    reading.value = read_energy(t, row);
    return ws_samples_add(&t->samples, domains->items[at].series, &reading, error);
}

static ws_status read_gmt(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                          ws_error *error)
{
    static const ws_row_trace_kind kind = {.delimiter = WS_WORDS,
                                           .form = WS_STAMP_EPOCH,
                                           .holds_rows_alone = true,
                                           .take = gmt_log_take,
                                           .what = "no line of stamp, energy and domain"};
    ws_samples_turns domains = {.n = 0};
    ws_status status = ws_row_trace_read(&kind, input, options, sink, notes, &domains, error);
    free(domains.items);
    return status;
}

static int score_gmt_log(const char *path, ws_span bytes)
{
    (void)path;
    enum { LINES = 3 };
    ws_head_rows head;
    ws_timecol stamps = {.form = WS_STAMP_EPOCH};
    int good = 0, in_turn = 0;
    bool is_behind = false;
    if (ws_head_rows_open(&head, "", bytes, WS_WORDS, WS_HEAD_ROWS, NULL, NULL) != WS_OK)
        return 0;
    for (size_t i = 0; i < head.n && (i < LINES || !good) && !is_behind; i++) {
        bool is_good = is_reading(&head.row[i], &stamps);
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
