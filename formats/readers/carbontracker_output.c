/* NAME_carbontracker_output.log:
 *
 *   2026-02-11 08:10:37 - CarbonTracker:
 *   Actual consumption for 1 epoch(s):
 *           Time:   0:03:33
 *           Energy: 0.014018 kWh
 *           CO2eq:  1.429803 g
 *   2026-02-11 08:10:37 - CarbonTracker:
 *   Predicted consumption for 100 epoch(s):
 *           ...
 *
 * A block of actual consumption is a row. The energy has carbontracker's PUE on it. What it predicts is no measurement.
 */
#include "formats/format.h"
#include "formats/input/lines.h"
#include "formats/table/rows.h"

#include "core/arena.h"
#include "core/stamp.h"
#include "core/unit.h"

enum { C_EPOCHS, C_WALL, C_ENERGY, C_EMISSIONS, C_N };
static const struct {
    const char *name;
    ws_column_kind kind;
} columns[C_N] = {[C_EPOCHS] = {"epochs", WS_INTEGER},
                  [C_WALL] = {"wall_s", WS_NUMBER},
                  [C_ENERGY] = {"energy_kwh", WS_NUMBER},
                  [C_EMISSIONS] = {"emissions_g", WS_NUMBER}};

static const char actual[] = "Actual consumption for ", predicted[] = "Predicted consumption for ";

typedef struct output {
    ws_table *table;
    bool is_inside; /* of a block of actual consumption */
} output;

static void carbontracker_output_begin(output *o, ws_span rest, int64_t line)
{
    ws_span word;
    int64_t epochs;
    size_t row = ws_table_add_row_at(o->table, line);
    if (ws_span_word(&rest, &word) && ws_span_i64(word, &epochs))
        ws_table_set_integer(o->table, C_EPOCHS, row, epochs);
    o->is_inside = true;
}

static void set_energy(output *o, size_t row, double kwh, int64_t line)
{
    ws_table_set_number(o->table, C_ENERGY, row, kwh);
    ws_notes_add(&o->table->notes, WS_FINDING_WITH_PUE, o->table->source, "", line,
                 "the energy has carbontracker's factor for the building (PUE) on it, which other formats have not");
}

static void take_value(output *o, ws_span name, ws_span value, int64_t line)
{
    size_t row = o->table->n_rows - 1;
    int64_t ns;
    double number;
    ws_span rest;
    name = ws_span_trim(name);
    value = ws_span_trim(value);
    bool is_time = ws_span_eq(name, "Time"), is_energy = ws_span_eq(name, "Energy"),
         is_carbon = ws_span_eq(name, "CO2eq");
    bool is_number = (is_energy || is_carbon) && ws_span_number(value, &number, &rest);
    const ws_unit *unit = is_energy && is_number ? ws_unit_find(rest) : NULL;
    if (is_time && ws_duration_parse(value, &ns)) {
        ws_table_set_number(o->table, C_WALL, row, (double)ns / 1e9);
    } else if (is_carbon && is_number && ws_span_eq(rest, "g")) {
        ws_table_set_number(o->table, C_EMISSIONS, row, number);
    } else if (unit && unit->dimension == WS_DIM_ENERGY) {
        set_energy(o, row, number * unit->to_si / 3.6e6, line);
    } else if (is_time || is_energy || is_carbon) {
        ws_notes_add(&o->table->notes, WS_FINDING_UNREADABLE_CELL, o->table->source, "", line, "'%.*s' cannot be used",
                     WS_SPAN_ARG(value));
    }
}

static void carbontracker_output_take_line(output *o, ws_span line, int64_t number)
{
    ws_span before, after;
    if (ws_span_cut(line, actual, &before, &after)) {
        carbontracker_output_begin(o, after, number);
    } else if (ws_span_cut(line, predicted, &before, &after)) {
        o->is_inside = false;
        ws_notes_add(&o->table->notes, WS_FINDING_PREDICTION, o->table->source, "", number,
                     "what carbontracker predicts is no measurement and is passed over");
    } else if (o->is_inside && ws_span_cut(line, ":", &before, &after)) {
        take_value(o, before, after, number);
    }
}

static ws_status read_output(ws_input *input, const ws_read_options *options, ws_table *table, ws_error *error)
{
    (void)options;
    output o = {.table = table};
    ws_lines lines;
    ws_span line;
    ws_status status;
    table->source = ws_arena_strdup(&table->arena, ws_input_path(input));
    for (size_t i = 0; i < C_N; i++)
        ws_table_add_column(table, columns[i].name, columns[i].kind);
    ws_lines_init(&lines, input);
    while ((status = ws_lines_next(&lines, &line, error)) == WS_OK && line.p) {
        if (lines.unfinished)
            ws_note_cut_line(&table->notes, table->source, "", lines.number);
        else
            carbontracker_output_take_line(&o, line, lines.number);
    }
    ws_lines_free(&lines);
    if (status == WS_OK && !table->n_rows)
        return ws_fail_at(error, WS_DATA, table->source, 0, "has no 'Actual consumption for N epoch(s)'");
    return status;
}

static int score_carbontracker_output(const char *path, ws_span head)
{
    (void)path;
    return ws_span_contains(head, actual) && ws_span_contains(head, "epoch(s)") ? 90 : 0;
}

const ws_format ws_format_carbontracker_output = {
    .name = "carbontracker-output",
    .title = "what carbontracker reports at the end: time and energy of the epochs it measured",
    .example = "Actual consumption for 1 epoch(s):\n\tTime:\t0:03:33\n\tEnergy:\t0.014018 kWh",
    .is_record = true,
    .tier = 3,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_carbontracker_output,
    .read_table = read_output,
};
