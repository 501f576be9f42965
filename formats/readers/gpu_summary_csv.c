/* The energies that a logger added up itself:
 *
 *   metric,gpu_index,value,unit
 *   TIME,ALL,32.617,sec
 *   POWER,0,202.841,W
 *   ENERGY,0,6616.065,J
 *   ENERGY_TOTAL,ALL,15259.766,J
 *
 * Each ENERGY is given for the whole TIME. The total holds the others: it is shown, in a domain that no sum adds. */
#include "core/arena.h"
#include "core/unit.h"
#include "formats/format.h"
#include "formats/table/head_cells.h"
#include "formats/table/rows.h"

#include <inttypes.h>
#include <stdlib.h>

enum { METRIC, DEVICE, VALUE, UNIT, FIELDS };
static const char *const header[FIELDS] = {
    [METRIC] = "metric", [DEVICE] = "gpu_index", [VALUE] = "value", [UNIT] = "unit"};

typedef struct given {
    const char *metric, *device;
    double energy_j;
    int64_t line;
} given;

typedef struct reader {
    const char *source;
    ws_row_policy policy;
    given *energies;
    size_t n, capacity;
    int64_t time_ns; /* 0: not written */
    ws_arena arena;
} reader;

static bool is_header(const ws_span *cells, uint32_t n)
{
    for (uint32_t c = 0; c < FIELDS && n == FIELDS; c++)
        if (!ws_span_eq_nocase(cells[c], header[c]))
            return false;
    return n == FIELDS;
}

static void take_energy(reader *r, const ws_row *row, double energy_j)
{
    ws_span metric = row->cells[METRIC], device = row->cells[DEVICE];
    r->energies = ws_grow(r->energies, &r->capacity, r->n + 1, sizeof *r->energies);
    r->energies[r->n++] = (given){ws_arena_strndup(&r->arena, metric.p, metric.n),
                                  ws_arena_strndup(&r->arena, device.p, device.n), energy_j, row->line};
}

static ws_status gpu_summary_csv_take_row(void *state, const ws_row *row, ws_error *error)
{
    (void)error;
    reader *r = state;
    double value;
    if (is_header(row->cells, row->n_cells))
        return WS_OK;
    const ws_unit *unit = row->n_cells == FIELDS ? ws_unit_find(row->cells[UNIT]) : NULL;
    if (!unit || !ws_span_double(row->cells[VALUE], &value)) {
        ws_row_note_no_data(&r->policy, row);
        return WS_OK;
    }
    ws_span metric = row->cells[METRIC];
    value *= unit->to_si;
    if (ws_span_eq_nocase(metric, "TIME") && unit->dimension == WS_DIM_TIME && value > 0 && value < 9e9)
        r->time_ns = (int64_t)(value * 1e9 + 0.5);
    else if (ws_span_has_prefix(metric, "ENERGY") && unit->dimension == WS_DIM_ENERGY)
        take_energy(r, row, value);
    return WS_OK;
}

static ws_status gpu_summary_csv_push(reader *r, const ws_sink *sink, const given *g, ws_error *error)
{
    int id;
    int64_t number;
    bool is_device = ws_span_i64(ws_span_of(g->device), &number) && number >= 0;
    ws_channel channel = {.device = is_device ? ws_arena_printf(&r->arena, "gpu%" PRId64, number) : "total",
                          .device_id = g->device,
                          .identity = is_device ? "index" : "column",
                          .column = g->metric,
                          .domain = is_device ? WS_GPU : WS_OTHER,
                          .quantity = WS_ENERGY_INTERVAL,
                          .rule = WS_RULE_GIVEN,
                          .time = r->time_ns ? WS_TIME_RELATIVE : WS_TIME_NONE};
    const int64_t *span = r->time_ns ? &r->time_ns : NULL;
    ws_block block = {.n = 1, .t_ns = span, .value = &g->energy_j, .interval_ns = span, .line = &g->line};
    if (!is_device)
        ws_notes_add(r->policy.notes, WS_FINDING_TOTAL_COLUMN, r->source, g->metric, g->line,
                     "'%s' is a total of the others and is not added", g->device);
    ws_status status = sink->channel(sink->state, &channel, &id, error);
    if (status == WS_OK && id >= 0)
        status = sink->block(sink->state, id, &block, error);
    return status;
}

static ws_status gpu_summary_csv_take_rows(reader *r, ws_rows *rows, ws_error *error)
{
    ws_status status = ws_rows_take(rows, gpu_summary_csv_take_row, r, error);
    if (status == WS_OK && !r->n)
        status = ws_fail_at(error, WS_DATA, r->source, 0, "no row with the ENERGY of a device");
    return status;
}

static ws_status read_summary(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                              ws_error *error)
{
    ws_rows *rows;
    reader r = {.source = ws_input_path(input)};
    r.policy = (ws_row_policy){.source = r.source, .notes = notes};
    ws_status status = ws_rows_open(&rows, input, ',', &options->rows, error);
    if (status == WS_OK)
        status = gpu_summary_csv_take_rows(&r, rows, error);
    for (size_t i = 0; i < r.n && status == WS_OK; i++)
        status = gpu_summary_csv_push(&r, sink, &r.energies[i], error);
    ws_rows_close(rows);
    free(r.energies);
    ws_arena_free(&r.arena);
    return status;
}

static int score_gpu_summary_csv(const char *path, ws_span head)
{
    (void)path;
    ws_span line, cells[FIELDS + 1];
    return ws_span_split(&head, '\n', &line) && is_header(cells, ws_head_cells(line, cells, FIELDS + 1)) ? 95 : 0;
}

const ws_format ws_format_gpu_summary_csv = {
    .name = "gpu-summary-csv",
    .title = "a logger's own energies: metric, GPU, value, unit",
    .example = "metric,gpu_index,value,unit\nENERGY,0,6616.065,J",
    .tier = 3,
    .gives = WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .score = score_gpu_summary_csv,
    .read = read_summary,
};
