/* The energy of a whole run that a submitter of MLPerf prints beside its node files:
 *
 *   Total Power Usage: 10.57 kWh
 *
 * It is the sum of the nodes, so it stands in the domain "other", which nothing adds. */
#include "formats/table/row_trace.h"

static const char label[] = "Total Power Usage:";

static ws_status total_power_take_line(ws_row_trace *t, const ws_row *row, ws_error *error)
{
    ws_span line = *row->cells;
    double number;
    ws_span before, after, rest;
    if (!ws_span_cut(line, label, &before, &after))
        return WS_OK;
    const ws_unit *unit = ws_span_number(after, &number, &rest) ? ws_unit_find(rest) : NULL;
    if (!unit || unit->dimension != WS_DIM_ENERGY || t->row->unfinished) {
        ws_row_trace_note(t, WS_FINDING_UNREADABLE_CELL, "no energy with its unit and a line end:", after);
        return WS_OK;
    }
    ws_samples_key key = {.id = ws_span_of("total"),
                          .identity = "name",
                          .number = -1,
                          .domain = WS_OTHER,
                          .quantity = WS_ENERGY_INTERVAL,
                          .column = "Total Power Usage",
                          .rule = WS_RULE_GIVEN,
                          .time = WS_TIME_NONE};
    return ws_row_trace_push(t, &key, 0, number * unit->to_si, error);
}

static ws_status read_total_power(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                                  ws_error *error)
{
    static const ws_row_trace_kind kind = {
        .delimiter = WS_LINES, .take = total_power_take_line, .what = "no line 'Total Power Usage:' with an energy"};
    return ws_row_trace_read(&kind, input, options, sink, notes, NULL, error);
}

static int score_total_power(const char *path, ws_span head)
{
    (void)path;
    return ws_span_has_prefix(ws_span_trim(head), label) ? 95 : 0;
}

const ws_format ws_format_total_power = {
    .name = "total-power",
    .title = "energy of a run as a submitter of MLPerf prints it",
    .example = "Total Power Usage: 10.57 kWh",
    .tier = 3,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .score = score_total_power,
    .read = read_total_power,
};
