/* Polls of /sys/class/powercap/intel-rapl:N/energy_uj, one column a zone:
 *
 *   # max_energy_range_uj package-0=262143328850 dram-0=65712999613
 *   timestamp,package-0,dram-0
 *   1700000000.0,262143000000,1200000
 *   1700000001.0,21671150,3200000
 *
 * or one row a zone: timestamp,domain,energy_uj[,max_energy_range_uj], with the host, the socket or the zone's path in
 * columns of their own. The counters run in microjoules and begin again at their range, which may stand in a remark, in
 * a column "<zone>_max_energy_range_uj", or nowhere. Reading them needs root since 2020, so cells may be empty. */
#include "core/arena.h"
#include "formats/table/column_limits.h"
#include "formats/format.h"
#include "formats/table/head_cells.h"
#include "formats/table/trace_devices.h"
#include "formats/readers/powercap_header.h"
#include "formats/table/dictionary.h"
#include "formats/table/row_policy.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"
#include "formats/table/trace_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The counter of a zone: a column, or that of the rows of the zone. */
typedef struct counter_column {
    const char *id, *column; /* as spelled: the zone, and the column */
    uint32_t energy;
    int32_t range; /* column, or -1 */
    double to_j, range_j;
    ws_rapl_zone about;
} counter_column;

typedef struct zone {
    ws_span ids[WS_POWERCAP_IDS];
    counter_column counter;
    ws_lane lane;
    bool is_announced, shares_stamps;
    int64_t last_ns;
    double last_j;
} zone;

typedef struct reader {
    const char *source;
    const ws_read_options *options;
    const ws_sink *sink;
    ws_notes *notes;
    ws_timecol stamps;
    ws_powercap_header header;
    const char *energy_name; /* of the form with one row a zone */
    ws_row_policy policy;
    bool is_naive_noted;
    counter_column *counters; /* of the form with one column a zone */
    size_t n_counters, counter_capacity;
    zone *zones;              /* in that form all of a node, then all of the next */
    size_t n, capacity, last; /* last: the zone of the row before, or the first of its node's */
    struct {
        const char *name;
        double range_j;
    } * remarks;
    size_t n_remarks, remark_capacity;
    ws_arena arena;
} reader;

/* --- header --- */

static double remarked_range(const reader *r, ws_span name)
{
    for (size_t i = 0; i < r->n_remarks; i++)
        if (ws_span_eq(name, r->remarks[i].name))
            return r->remarks[i].range_j;
    return 0;
}

static zone *add_zone(reader *r, const counter_column *counter, const ws_span *ids)
{
    r->zones = ws_grow(r->zones, &r->capacity, r->n + 1, sizeof *r->zones);
    zone *z = &r->zones[r->n++];
    *z = (zone){.counter = *counter};
    for (int i = 0; i < WS_POWERCAP_IDS; i++)
        z->ids[i] = (ws_span){ws_arena_strndup(&r->arena, ids[i].p, ids[i].n), ids[i].n};
    ws_lane_init(&z->lane, r->n - 1, r->sink, 1, true, false);
    return z;
}

/* The columns of the first header, at the same places. */
static bool is_same_header(const reader *r, const ws_row *row, const ws_powercap_header *header)
{
    const ws_powercap_header *first = &r->header;
    bool same = r->policy.n_columns == row->n_cells && first->time == header->time && first->energy == header->energy &&
                first->range == header->range && memcmp(first->ids, header->ids, sizeof header->ids) == 0;
    for (size_t i = 0; i < r->n_counters && same; i++)
        same = ws_span_eq(row->cells[r->counters[i].energy], r->counters[i].column);
    return same;
}

static void take_zone_columns(reader *r, const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_powercap_zone z;
        if ((int32_t)c == r->header.time || !ws_powercap_zone_find(row->cells[c], &z))
            continue;
        counter_column counter = {.id = ws_arena_strndup(&r->arena, z.id.p, z.id.n),
                                  .column = ws_arena_strndup(&r->arena, row->cells[c].p, row->cells[c].n),
                                  .energy = c,
                                  .range = ws_powercap_range_column(row->cells, row->n_cells, z.id),
                                  .to_j = z.to_j,
                                  .range_j = remarked_range(r, z.id),
                                  .about = z.about};
        r->counters = ws_grow(r->counters, &r->counter_capacity, r->n_counters + 1, sizeof *r->counters);
        r->counters[r->n_counters++] = counter;
    }
}

static ws_status powercap_csv_take_header(reader *r, const ws_row *row, const ws_powercap_header *header,
                                          ws_error *error)
{
    if (r->policy.n_columns && !is_same_header(r, row, header))
        return ws_fail_at(error, WS_FORMAT, r->source, row->line, "the columns change inside the file");
    if (r->policy.n_columns) {
        ws_row_note_header_again(&r->policy, row);
        return WS_OK;
    }
    ws_row_policy_header(&r->policy, &r->arena, row);
    r->header = *header;
    r->stamps.unit = header->time_unit;
    if (header->is_long) {
        ws_span name = row->cells[header->energy];
        r->energy_name = ws_arena_strndup(&r->arena, name.p, name.n);
    } else {
        take_zone_columns(r, row);
    }
    return WS_OK;
}

/* "# max_energy_range_uj intel-rapl:0=262143328850 intel-rapl:1=..." */
static void take_remark(reader *r, ws_span line)
{
    ws_span piece, name;
    double range_uj;
    if (!ws_span_contains(line, ws_powercap_range_words))
        return;
    while (ws_span_split(&line, ' ', &piece)) {
        if (!ws_span_split(&piece, '=', &name) || !piece.p || !ws_span_double(piece, &range_uj) || range_uj <= 0)
            continue;
        r->remarks = ws_grow(r->remarks, &r->remark_capacity, r->n_remarks + 1, sizeof *r->remarks);
        r->remarks[r->n_remarks].name = ws_arena_strndup(&r->arena, name.p, name.n);
        r->remarks[r->n_remarks++].range_j = range_uj / 1e6;
    }
}

/* --- rows --- */

enum { NAMES = 2 }; /* the least that a header has */

static ws_status powercap_csv_announce(reader *r, zone *z, const ws_row *row, ws_error *error)
{
    double range_uj;
    counter_column *c = &z->counter;
    if (c->range >= 0 && ws_span_double(ws_row_cell(row, c->range), &range_uj) && range_uj > 0)
        c->range_j = range_uj / 1e6;
    if (c->about.is_unclear)
        ws_notes_add(r->notes, WS_FINDING_UNKNOWN_ZONE, r->source, c->id, row->line,
                     "'%s' does not say what lies in it (its file 'name' does): kept out of totals", c->id);
    ws_channel channel = {.node = z->ids[WS_POWERCAP_NODE].p,
                          .device = ws_rapl_device(&r->arena, &c->about),
                          .device_id = c->id,
                          .identity = "name",
                          .column = c->column,
                          .domain = c->about.domain,
                          .quantity = WS_ENERGY_COUNTER,
                          .rule = WS_RULE_COUNTER,
                          .time = r->stamps.base,
                          .counter_range_j = c->range_j};
    z->is_announced = true;
    return r->sink->channel(r->sink->state, &channel, &z->lane.id[0], error);
}

static ws_status take_counter(reader *r, zone *z, const ws_row *row, int64_t t_ns, ws_error *error)
{
    ws_status status = z->is_announced ? WS_OK : powercap_csv_announce(r, z, row, error);
    double value = NAN, counter, to_j = z->counter.to_j;
    ws_span cell = ws_row_cell(row, (int32_t)z->counter.energy);
    if (ws_span_double(cell, &counter))
        value = to_j == 1e-6 ? counter / 1e6 : counter * to_j;
    else if (!ws_span_is_missing(cell))
        ws_note_unreadable_cell(r->notes, r->source, z->counter.id, row->line, cell);
    z->shares_stamps |= z->lane.count && t_ns == z->last_ns;
    if (z->shares_stamps && value < z->last_j)
        ws_notes_add(
            r->notes, WS_FINDING_REPEATED_ZONE, r->source, z->counter.id, row->line,
            "'%s' comes more than once at a time and falls: if these are zones of several sockets, which a column "
            "of hosts, sockets or paths would tell apart, its energy is wrong",
            z->counter.id);
    z->last_ns = t_ns;
    z->last_j = value;
    return status == WS_OK ? ws_lane_add(&z->lane, t_ns, 0, row->line, &value, error) : status;
}

/* "intel-rapl:0:1/dram": what tells the zones of a node apart. */
static const char *join_ids(reader *r, const ws_span *ids)
{
    const char *id = "";
    for (int i = WS_POWERCAP_SOCKET; i <= WS_POWERCAP_NAME; i++)
        if (ids[i].n)
            id = ws_arena_printf(&r->arena, "%s%s%.*s", id, *id ? "/" : "", WS_SPAN_ARG(ids[i]));
    return id;
}

static zone *new_zone_of_row(reader *r, const ws_row *row, const ws_span *ids)
{
    counter_column counter = {.id = join_ids(r, ids),
                              .column = r->energy_name,
                              .energy = (uint32_t)r->header.energy,
                              .range = r->header.range,
                              .to_j = r->header.to_j};
    if (!ws_rapl_zone_at(ids[WS_POWERCAP_PATH], ids[WS_POWERCAP_SOCKET], ids[WS_POWERCAP_NAME], &counter.about)) {
        ws_notes_add(r->notes, WS_FINDING_UNKNOWN_ZONE, r->source, "", row->line, "'%s' is no RAPL zone: left out",
                     counter.id);
        return NULL;
    }
    for (int i = WS_POWERCAP_PATH; i <= WS_POWERCAP_NAME && counter.range_j == 0; i++)
        counter.range_j = remarked_range(r, ids[i]);
    return add_zone(r, &counter, ids);
}

static bool is_of(const zone *z, const ws_span *ids)
{
    return ws_span_same(ids[WS_POWERCAP_NAME], z->ids[WS_POWERCAP_NAME]) &&
           ws_span_same(ids[WS_POWERCAP_PATH], z->ids[WS_POWERCAP_PATH]) &&
           ws_span_same(ids[WS_POWERCAP_SOCKET], z->ids[WS_POWERCAP_SOCKET]) &&
           ws_span_same(ids[WS_POWERCAP_NODE], z->ids[WS_POWERCAP_NODE]);
}

static zone *zone_of_row(reader *r, const ws_row *row)
{
    ws_span ids[WS_POWERCAP_IDS];
    for (int i = 0; i < WS_POWERCAP_IDS; i++)
        ids[i] = ws_row_cell(row, r->header.ids[i]);
    for (size_t i = 1; i <= r->n; i++) { /* they take turns */
        size_t at = r->last + i < r->n ? r->last + i : r->last + i - r->n;
        if (is_of(&r->zones[at], ids))
            return &r->zones[r->last = at];
    }
    return new_zone_of_row(r, row, ids);
}

/* The zones of the row's node, one for each column. */
static zone *zones_of_node(reader *r, const ws_row *row)
{
    ws_span ids[WS_POWERCAP_IDS] = {[WS_POWERCAP_NODE] = ws_row_cell(row, r->header.ids[WS_POWERCAP_NODE])};
    for (size_t i = 0; i < r->n; i += r->n_counters) {
        size_t at = r->last + i < r->n ? r->last + i : r->last + i - r->n;
        if (ws_span_same(ids[WS_POWERCAP_NODE], r->zones[at].ids[WS_POWERCAP_NODE]))
            return &r->zones[r->last = at];
    }
    r->last = r->n;
    for (size_t i = 0; i < r->n_counters; i++)
        add_zone(r, &r->counters[i], ids);
    return &r->zones[r->last];
}

static ws_status take_counters(reader *r, const ws_row *row, int64_t t_ns, ws_error *error)
{
    zone *z = r->n_counters ? zones_of_node(r, row) : zone_of_row(r, row);
    ws_status status =
        z ? ws_rapl_check_count(r->n, r->zones[r->n - 1].counter.id, r->source, row->line, error) : WS_OK;
    for (size_t i = 0; z && i < (r->n_counters ? r->n_counters : 1) && status == WS_OK; i++)
        status = take_counter(r, &z[i], row, t_ns, error);
    return status;
}

static ws_status powercap_csv_take_data(reader *r, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    ws_span stamp = ws_row_cell(row, r->header.time);
    if (!ws_row_is_usable(&r->policy, row))
        return WS_OK;
    bool is_read = ws_timecol_read(&r->stamps, stamp, &t_ns);
    if (!is_read && !(ws_timecol_settle(&r->stamps, stamp) && ws_timecol_read(&r->stamps, stamp, &t_ns))) {
        ws_note_bad_stamp(r->notes, r->source, row->line, stamp);
        return WS_OK;
    }
    ws_note_naive_time(r->notes, r->source, row->line, r->stamps.base, &r->is_naive_noted);
    return take_counters(r, row, t_ns, error);
}

static ws_status powercap_csv_take_row(void *state, const ws_row *row, ws_error *error)
{
    reader *r = state;
    ws_powercap_header header;
    if (ws_row_may_name(row, NAMES) && ws_powercap_header_find(row->cells, row->n_cells, &header))
        return powercap_csv_take_header(r, row, &header, error);
    if (row->n_cells && ws_span_has_prefix(row->cells[0], "#")) {
        for (uint32_t c = 0; c < row->n_cells; c++)
            take_remark(r, row->cells[c]);
        return WS_OK;
    }
    if (!r->policy.n_columns)
        return ws_fail_at(error, WS_FORMAT, r->source, row->line,
                          "no header with a time and RAPL zones (package-0, intel-rapl:0, dram-0 ...) before this row");
    return powercap_csv_take_data(r, row, error);
}

static ws_status powercap_csv_take_rows(reader *r, ws_rows *rows, ws_error *error)
{
    ws_status status = ws_rows_take(rows, powercap_csv_take_row, r, error);
    bool has_rows = false;
    for (size_t i = 0; i < r->n; i++) {
        ws_status flushed = ws_lane_flush(&r->zones[i].lane, error);
        status = status == WS_OK ? flushed : status;
        has_rows |= r->zones[i].lane.count > 0;
        ws_lane_free(&r->zones[i].lane);
    }
    if (status == WS_OK && !has_rows)
        status = ws_fail_at(error, WS_DATA, r->source, 0, "no rows of energy counters");
    return status;
}

static ws_status read_powercap(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    ws_rows *rows;
    reader r = {.source = ws_input_path(input), .options = options, .sink = sink, .notes = notes};
    r.stamps.zone = options->zone;
    r.policy = (ws_row_policy){.source = r.source, .notes = notes};
    ws_status status = ws_rows_open(&rows, input, ws_delimiter_guess(ws_input_head(input)), &options->rows, error);
    if (status == WS_OK)
        status = powercap_csv_take_rows(&r, rows, error);
    ws_rows_close(rows);
    free(r.zones);
    free(r.counters);
    free(r.remarks);
    ws_arena_free(&r.arena);
    return status;
}

enum { CELLS = 64, LINES = 10, ROWS = 64 };

static bool names_its_unit(ws_span cell)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    return unit && unit->dimension == WS_DIM_ENERGY;
}

typedef struct column_readings {
    bool has_fraction;
    size_t rises, falls;
    double before, most;
} column_readings;

static column_readings read_column(ws_span rest, uint32_t column)
{
    ws_span line, cells[CELLS];
    double reading;
    column_readings readings = {.before = NAN};
    for (int i = 0; i < ROWS && ws_span_split(&rest, '\n', &line); i++) {
        if (ws_head_cells(line, cells, CELLS) <= column || !ws_span_double(cells[column], &reading))
            continue;
        readings.has_fraction |= reading != floor(reading);
        readings.rises += reading > readings.before;
        readings.falls += reading < readings.before;
        readings.most = fmax(readings.most, reading);
        readings.before = reading;
    }
    return readings;
}

/* Microjoules are whole and many, and fall where they wrap alone. Watts are none of it. */
static bool is_counter(const column_readings *readings)
{
    return readings->most >= WS_ZONE_SURELY_UJ ||
           (readings->most >= WS_ZONE_LEAST_UJ && readings->falls * WS_ZONE_RISES_A_FALL <= readings->rises);
}

/* Do the columns of zones hold counters? A unit in their names says so; else some are, and none has decimals. */
static bool zones_are_counters(const ws_span *cells, uint32_t n, ws_span rest)
{
    bool any_counter = false, any_readings = false;
    for (uint32_t c = 0; c < n; c++) {
        ws_powercap_zone z;
        if (!ws_powercap_zone_find(cells[c], &z))
            continue;
        column_readings readings = read_column(rest, c);
        if (readings.has_fraction && !names_its_unit(cells[c]))
            return false;
        any_readings |= readings.most > 0;
        any_counter |= names_its_unit(cells[c]) || is_counter(&readings);
    }
    return any_counter || !any_readings;
}

/* pyJoules': its rows say how long they are. */
static bool names_durations(const ws_span *cells, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++)
        if (ws_span_eq_nocase(cells[c], "duration"))
            return true;
    return false;
}

static int score_powercap_csv(const char *path, ws_span head)
{
    (void)path;
    ws_span line, cells[CELLS];
    for (int i = 0; i < LINES && ws_span_split(&head, '\n', &line); i++) {
        ws_powercap_header header;
        if (line.n && *line.p >= '0' && *line.p <= '9') /* a row of readings, as a header begins with a name */
            continue;
        uint32_t n = ws_head_cells(line, cells, CELLS);
        if (!ws_powercap_header_find(cells, n, &header) || names_durations(cells, n))
            continue;
        return header.is_long ? 88 : zones_are_counters(cells, n, head) ? 85 : 0;
    }
    return 0;
}

const ws_format ws_format_powercap_csv = {
    .name = "powercap-csv",
    .title = "polls of RAPL energy counters (powercap), one column or one row a zone",
    .example = "timestamp,package-0,dram-0\n1700000000.0,262143000000,1200000",
    .tier = 1,
    .gives = WS_GIVES_COUNTER,
    .tried = WS_TRIED_HAND_MADE,
    .score = score_powercap_csv,
    .read = read_powercap,
};
