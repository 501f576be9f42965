/* Energies of intervals, one row for each package and domain:
 *
 *   #timestamp,interval,socket,domain,energy,power
 *   0.005167,0.005222,N0,package,0.1126,21.5642
 *   0.005270,0.005316,N0,ram,0.0096,1.8083
 *
 * Seconds since the start, length of the interval in s, J and W of the interval. Lines with # are remarks. The interval
 * is written, so that the energies are summed and the powers hold for the interval before their row. */
#include "core/arena.h"
#include "formats/table/columnmap.h"
#include "formats/format.h"
#include "formats/table/head_cells.h"
#include "formats/table/lane.h"
#include "formats/table/rapl_zone.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"
#include "formats/table/trace_head.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIME, INTERVAL, SOCKET, DOMAIN, ENERGY, POWER, FIELDS };
enum { NEEDED = 4 }; /* of them by a header */
static const char *const names[FIELDS] = {"timestamp", "interval", "socket", "domain", "energy", "power"};

typedef struct zone_rows {
    const char *id; /* "N0/package" */
    ws_span socket, domain;
    ws_lane lane;
} zone_rows;

typedef struct reader {
    const char *source;
    const ws_sink *sink;
    ws_notes *notes;
    ws_timecol stamps;
    int32_t column[FIELDS]; /* -1: not there */
    const ws_unit *unit[FIELDS];
    const char *header[FIELDS]; /* as spelled */
    bool has_header, is_naive_noted;
    uint32_t n_columns;
    zone_rows *zones;
    size_t n, capacity, last; /* last: the zone found last */
    ws_arena arena;
} reader;

/* Which field a header cell is; FIELDS for none. */
static size_t field_of(ws_span cell, const ws_unit **unit)
{
    ws_span bare;
    if (ws_span_has_prefix(cell, "#"))
        cell = (ws_span){cell.p + 1, cell.n - 1};
    *unit = ws_unit_in_name(cell, &bare);
    size_t f = 0;
    while (f < FIELDS && !ws_span_eq_nocase(bare, names[f]) && !(f == TIME && ws_span_eq_nocase(bare, "time")))
        f++;
    return f;
}

static bool rapl_interval_csv_take_header(reader *r, const ws_row *row)
{
    int32_t column[FIELDS] = {-1, -1, -1, -1, -1, -1};
    const ws_unit *unit;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        size_t f = field_of(row->cells[c], &unit);
        if (f == FIELDS)
            continue;
        column[f] = (int32_t)c;
        r->unit[f] = unit;
        ws_span name = row->cells[c];
        r->header[f] = ws_arena_strndup(&r->arena, name.p, name.n);
    }
    if (column[TIME] < 0 || column[INTERVAL] < 0 || column[DOMAIN] < 0 || (column[ENERGY] < 0 && column[POWER] < 0))
        return false;
    for (size_t f = 0; f < FIELDS; f++)
        r->column[f] = column[f];
    r->n_columns = row->n_cells;
    return r->has_header = true;
}

static double read_value(reader *r, const ws_row *row, size_t field)
{
    double value;
    ws_span cell = ws_row_cell(row, r->column[field]);
    if (ws_span_double(cell, &value))
        return value * (r->unit[field] ? r->unit[field]->to_si : 1);
    if (!ws_span_is_missing(cell))
        ws_notes_add(r->notes, WS_FINDING_UNREADABLE_CELL, r->source, names[field], row->line,
                     "'%.*s' is no number: counted as missing", WS_SPAN_ARG(cell));
    return NAN;
}

static ws_status rapl_interval_csv_announce(reader *r, zone_rows *z, const ws_rapl_zone *zone, ws_error *error)
{
    static const struct {
        size_t field;
        ws_quantity quantity;
        ws_rule rule;
    } kinds[] = {{ENERGY, WS_ENERGY_INTERVAL, WS_RULE_INTERVAL}, {POWER, WS_POWER, WS_RULE_RECTANGLE}};
    ws_status status = WS_OK;
    for (size_t k = 0; k < 2 && status == WS_OK; k++) {
        ws_channel channel = {.device = ws_rapl_device(&r->arena, zone),
                              .device_id = z->id,
                              .identity = "name",
                              .column = r->header[kinds[k].field],
                              .domain = zone->domain,
                              .quantity = kinds[k].quantity,
                              .rule = kinds[k].rule,
                              .time = r->stamps.base};
        z->lane.id[k] = -1;
        if (r->column[kinds[k].field] >= 0)
            status = r->sink->channel(r->sink->state, &channel, &z->lane.id[k], error);
    }
    return status;
}

/* Zones take turns, so that the one behind the last is likely to come next. */
static zone_rows *find_known(reader *r, ws_span socket, ws_span domain)
{
    for (size_t i = 1; i <= r->n; i++) {
        size_t at = r->last + i < r->n ? r->last + i : r->last + i - r->n;
        if (ws_span_same(domain, r->zones[at].domain) && ws_span_same(socket, r->zones[at].socket)) {
            r->last = at;
            return &r->zones[at];
        }
    }
    return NULL;
}

static ws_span keep(reader *r, ws_span text)
{
    return (ws_span){ws_arena_strndup(&r->arena, text.p, text.n), text.n};
}

static zone_rows *find_id(const reader *r, ws_span id)
{
    for (size_t i = 0; i < r->n; i++)
        if (ws_span_eq(id, r->zones[i].id))
            return &r->zones[i];
    return NULL;
}

static ws_status add_zone(reader *r, const ws_row *row, ws_span id, zone_rows **added, ws_error *error)
{
    ws_rapl_zone zone;
    if (!ws_rapl_zone_find(id, &zone)) {
        ws_notes_add(r->notes, WS_FINDING_UNKNOWN_ZONE, r->source, "", row->line, "'%.*s' is no RAPL domain: left out",
                     WS_SPAN_ARG(id));
        return WS_OK;
    }
    r->zones = ws_grow(r->zones, &r->capacity, r->n + 1, sizeof *r->zones);
    zone_rows *z = *added = &r->zones[r->n++];
    z->id = keep(r, id).p;
    z->socket = keep(r, ws_row_cell(row, r->column[SOCKET]));
    z->domain = keep(r, ws_row_cell(row, r->column[DOMAIN]));
    ws_lane_init(&z->lane, r->n - 1, r->sink, 2, true, true);
    ws_status status = ws_rapl_check_count(r->n, z->id, r->source, row->line, error);
    return status == WS_OK ? rapl_interval_csv_announce(r, z, &zone, error) : status;
}

/* NULL with WS_OK: the row is of no zone that is known. */
static ws_status find_zone(reader *r, const ws_row *row, zone_rows **found, ws_error *error)
{
    ws_span socket = ws_row_cell(row, r->column[SOCKET]), domain = ws_row_cell(row, r->column[DOMAIN]);
    if ((*found = find_known(r, socket, domain)))
        return WS_OK;
    char text[128];
    int n = snprintf(text, sizeof text, "%.*s%s%.*s", WS_SPAN_ARG(socket), socket.n ? "/" : "", WS_SPAN_ARG(domain));
    ws_span id = {text, n < (int)sizeof text ? (size_t)n : sizeof text - 1};
    *found = find_id(r, id);
    return *found ? WS_OK : add_zone(r, row, id, found, error);
}

static ws_status rapl_interval_csv_take_data(reader *r, const ws_row *row, ws_error *error)
{
    int64_t t_ns, interval_ns;
    zone_rows *zone;
    ws_span stamp = ws_row_cell(row, r->column[TIME]), interval = ws_row_cell(row, r->column[INTERVAL]);
    ws_timecol_settle(&r->stamps, stamp);
    bool has_interval = ws_seconds_to_ns(interval, &interval_ns);
    if (!ws_timecol_read(&r->stamps, stamp, &t_ns) || !has_interval) {
        ws_notes_add(r->notes, row->unfinished ? WS_FINDING_TRUNCATED_LINE : WS_FINDING_BAD_STAMP, r->source, "",
                     row->line, "a row without readable time and interval was left out");
        return WS_OK;
    }
    ws_note_naive_time(r->notes, r->source, row->line, r->stamps.base, &r->is_naive_noted);
    if (r->unit[INTERVAL] && r->unit[INTERVAL]->to_si < 1)
        interval_ns = (int64_t)((double)interval_ns * r->unit[INTERVAL]->to_si + 0.5);
    ws_status status = find_zone(r, row, &zone, error);
    if (status != WS_OK || !zone)
        return status;
    double values[] = {read_value(r, row, ENERGY), read_value(r, row, POWER)};
    return ws_lane_add(&zone->lane, t_ns, interval_ns, row->line, values, error);
}

static ws_status rapl_interval_csv_take_row(void *state, const ws_row *row, ws_error *error)
{
    reader *r = state;
    if ((ws_row_may_name(row, NEEDED) && rapl_interval_csv_take_header(r, row)) ||
        (row->n_cells && ws_span_has_prefix(row->cells[0], "#")))
        return WS_OK;
    if (!r->has_header)
        return ws_fail_at(error, WS_FORMAT, r->source, row->line,
                          "no header with timestamp, interval, domain and energy or power before this row");
    ws_finding misfit;
    if (ws_row_is_misfit(row, r->n_columns, &misfit)) {
        ws_notes_add(r->notes, misfit, r->source, "", row->line, "a row that may be cut was left out");
        return WS_OK;
    }
    return rapl_interval_csv_take_data(r, row, error);
}

static ws_status rapl_interval_csv_take_rows(reader *r, ws_rows *rows, ws_error *error)
{
    ws_status status = ws_rows_take(rows, rapl_interval_csv_take_row, r, error);
    for (size_t i = 0; i < r->n; i++) {
        ws_status flushed = ws_lane_flush(&r->zones[i].lane, error);
        status = status == WS_OK ? flushed : status;
        ws_lane_free(&r->zones[i].lane);
    }
    if (status == WS_OK && !r->n)
        status = ws_fail_at(error, WS_DATA, r->source, 0, "no rows of RAPL intervals");
    return status;
}

static ws_status read_rapl_interval(ws_input *input, const ws_read_options *options, const ws_sink *sink,
                                    ws_notes *notes, ws_error *error)
{
    ws_rows *rows;
    reader r = {.source = ws_input_path(input), .sink = sink, .notes = notes};
    r.stamps.zone = options->zone;
    for (size_t f = 0; f < FIELDS; f++)
        r.column[f] = -1;
    ws_status status = ws_rows_open(&rows, input, ws_delimiter_guess(ws_input_head(input)), &options->rows, error);
    if (status == WS_OK)
        status = rapl_interval_csv_take_rows(&r, rows, error);
    ws_rows_close(rows);
    free(r.zones);
    ws_arena_free(&r.arena);
    return status;
}

static int score_rapl_interval_csv(const char *path, ws_span head)
{
    (void)path;
    enum { LINES = 20, CELLS = 32 };
    ws_span line, cells[CELLS];
    const ws_unit *unit;
    for (int i = 0; i < LINES && ws_span_split(&head, '\n', &line); i++) {
        bool seen[FIELDS + 1] = {false};
        if (line.n && *line.p >= '0' && *line.p <= '9') /* a row of readings, as a header begins with a name */
            continue;
        uint32_t n = ws_head_cells(line, cells, CELLS);
        for (uint32_t c = 0; c < n; c++)
            seen[field_of(cells[c], &unit)] = true;
        if (seen[TIME] && seen[INTERVAL] && seen[DOMAIN] && seen[ENERGY])
            return 92;
    }
    return 0;
}

const ws_format ws_format_rapl_interval_csv = {
    .name = "rapl-interval-csv",
    .title = "RAPL energies of intervals, one row a package and domain",
    .example = "#timestamp,interval,socket,domain,energy,power\n0.005167,0.005222,N0,package,0.1126,21.5642",
    .tier = 1,
    .gives = WS_GIVES_POWER | WS_GIVES_ENERGY,
    .tried = WS_TRIED_REAL,
    .score = score_rapl_interval_csv,
    .read = read_rapl_interval,
};
