/* Polls of /sys/class/powercap/intel-rapl:N/energy_uj, one column a zone:
 *
 *   # max_energy_range_uj package-0=262143328850 dram-0=65712999613
 *   timestamp,package-0,dram-0
 *   1700000000.0,262143000000,1200000
 *   1700000001.0,21671150,3200000
 *
 * or one row a zone: timestamp,domain,energy_uj[,max_energy_range_uj]. The counters run in microjoules and begin again
 * at their range, which may stand in a remark, in a column "<zone>_max_energy_range_uj", or nowhere. Reading them needs
 * root since 2020, so cells may be empty. */
#include "core/arena.h"
#include "formats/columnmap.h"
#include "formats/format.h"
#include "formats/lane.h"
#include "formats/rapl_zone.h"
#include "formats/rows.h"
#include "formats/timecol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char range_words[] = "max_energy_range";

typedef struct zone {
    const char *id, *column; /* as spelled: the zone, and the column of its counter */
    uint32_t energy;
    int32_t range; /* column, or -1 */
    double to_j, range_j;
    ws_rapl_zone about;
    ws_lane lane;
    bool is_announced;
} zone;

typedef struct reader {
    const char *source;
    const ws_read_options *options;
    const ws_sink *sink;
    ws_notes *notes;
    ws_timecol stamps;
    int32_t time, name, energy, range; /* columns; name to range of the form with one row a zone */
    double to_j;
    const char *energy_name;
    uint32_t n_columns;
    bool is_naive_noted;
    zone *zones;
    size_t n, capacity, last; /* last: the zone of the row before */
    struct {
        const char *name;
        double range_j;
    } * remarks;
    size_t n_remarks, remark_capacity;
    ws_arena arena;
} reader;

static ws_span cell_of(const ws_row *row, int32_t column)
{
    return column >= 0 && (uint32_t)column < row->n_cells ? row->cells[column] : (ws_span){"", 0};
}

static ws_span without_hash(ws_span cell)
{
    return ws_span_has_prefix(cell, "#") ? ws_span_trim((ws_span){cell.p + 1, cell.n - 1}) : cell;
}

static bool is_range_column(ws_span cell)
{
    char buffer[WS_PLAIN_NAME];
    return ws_span_contains(ws_plain_name(buffer, cell), range_words);
}

/* "package-0_energy_uj" without its unit and the word energy; *to_j is 1e-6 where the name has no unit of energy. */
static ws_span zone_name(ws_span cell, double *to_j)
{
    static const char word[] = "energy";
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    bool is_energy = unit && unit->dimension == WS_DIM_ENERGY;
    *to_j = is_energy ? unit->to_si : 1e-6;
    if (unit && !is_energy)
        bare = ws_span_trim(cell);
    if (ws_span_has_suffix(bare, word))
        bare.n -= sizeof word - 1;
    while (bare.n && strchr("_/ :-", bare.p[bare.n - 1]))
        bare.n--;
    return bare;
}

/* --- header --- */

static bool is_time_name(ws_span cell)
{
    ws_role role = ws_meaning_of(cell).role;
    return role == WS_ROLE_TIME || role == WS_ROLE_DATE;
}

static bool is_zone_header(ws_span cell)
{
    double to_j;
    ws_rapl_zone about;
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    bool is_other = unit && unit->dimension != WS_DIM_ENERGY && unit->dimension != WS_DIM_BYTES;
    return !is_other && ws_rapl_zone_find(zone_name(cell, &to_j), &about) && !is_range_column(cell);
}

static bool is_name_of_zones(ws_span cell)
{
    return ws_span_eq_nocase(cell, "domain") || ws_span_eq_nocase(cell, "zone") || ws_span_eq_nocase(cell, "name") ||
           ws_span_eq_nocase(cell, "rapl_domain");
}

static bool is_long_energy(ws_span cell)
{
    return ws_span_eq_nocase(cell, "energy_uj") || ws_span_eq_nocase(cell, "energy (uJ)") ||
           ws_span_eq_nocase(cell, "energy [uJ]");
}

/* A name that can only be a zone's: it has the unit, the path, or is "package-0" and the like. "cpu_energy" is not, as
 * other tools have columns of that name that are no counters. */
static bool is_surely_zone(ws_span cell)
{
    static const char *const words[] = {"package", "pkg", "dram", "psys"};
    char buffer[WS_PLAIN_NAME];
    ws_span bare, plain = ws_plain_name(buffer, cell);
    const ws_unit *unit = ws_unit_in_name(cell, &bare);
    if ((unit && unit->dimension == WS_DIM_ENERGY && unit->to_si == 1e-6) || ws_span_has_prefix(plain, "intel_rapl_"))
        return true;
    while (plain.n && ((plain.p[plain.n - 1] >= '0' && plain.p[plain.n - 1] <= '9') || plain.p[plain.n - 1] == '_'))
        plain.n--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ws_span_eq(plain, words[i]))
            return true;
    return false;
}

enum { NAMES = 2 }; /* the least that a header has */

typedef struct header_look {
    int32_t time, name, energy, range;
    size_t zones, sure;
} header_look;

/* True when the cells are a header of either form. */
static bool look_at_header(const ws_span *cells, uint32_t n, header_look *look)
{
    *look = (header_look){-1, -1, -1, -1, 0, 0};
    for (uint32_t c = 0; c < n; c++) {
        ws_span cell = without_hash(cells[c]);
        if (is_range_column(cell))
            look->range = (int32_t)c;
        else if (look->time < 0 && is_time_name(cell))
            look->time = (int32_t)c;
        else if (is_name_of_zones(cell))
            look->name = (int32_t)c;
        else if (is_long_energy(cell))
            look->energy = (int32_t)c;
        else if (is_zone_header(cell)) {
            look->zones++;
            look->sure += is_surely_zone(cell);
        }
    }
    return look->time >= 0 && ((look->name >= 0 && look->energy >= 0) || look->sure);
}

static double remarked_range(const reader *r, ws_span name)
{
    for (size_t i = 0; i < r->n_remarks; i++)
        if (ws_span_eq(name, r->remarks[i].name))
            return r->remarks[i].range_j;
    return 0;
}

static int32_t range_column_of(const ws_row *header, ws_span id)
{
    char plain_zone[WS_PLAIN_NAME], plain_cell[WS_PLAIN_NAME];
    ws_span name = ws_plain_name(plain_zone, id);
    for (uint32_t c = 0; c < header->n_cells; c++) {
        ws_span cell = ws_plain_name(plain_cell, header->cells[c]);
        if (ws_span_contains(cell, range_words) && cell.n > name.n && memcmp(cell.p, name.p, name.n) == 0 &&
            ws_span_has_prefix((ws_span){cell.p + name.n + 1, cell.n - name.n - 1}, range_words))
            return (int32_t)c;
    }
    return -1;
}

static zone *add_zone(reader *r, ws_span id, const ws_rapl_zone *about)
{
    r->zones = ws_grow(r->zones, &r->capacity, r->n + 1, sizeof *r->zones);
    zone *z = &r->zones[r->n++];
    *z = (zone){.id = ws_arena_strndup(&r->arena, id.p, id.n), .about = *about, .range = -1};
    z->range_j = remarked_range(r, id);
    ws_lane_init(&z->lane, r->n - 1, r->sink, 1, true, false);
    return z;
}

/* The columns of the first header, at the same places. */
static bool is_same_header(const reader *r, const ws_row *row)
{
    bool same = r->n_columns == row->n_cells;
    for (size_t i = 0; i < r->n && same && r->name < 0; i++)
        same = ws_span_eq(row->cells[r->zones[i].energy], r->zones[i].column);
    return same;
}

static ws_status take_header(reader *r, const ws_row *row, const header_look *look, ws_error *error)
{
    if (r->n_columns)
        return is_same_header(r, row)
                   ? WS_OK
                   : ws_fail_at(error, WS_FORMAT, r->source, row->line, "the columns change inside the file");
    r->n_columns = row->n_cells;
    r->time = look->time;
    r->stamps.unit = ws_meaning_of(without_hash(row->cells[look->time])).unit;
    if (look->name >= 0 && look->energy >= 0) {
        r->name = look->name;
        r->energy = look->energy;
        r->range = look->range;
        ws_span name = row->cells[look->energy];
        r->energy_name = ws_arena_strndup(&r->arena, name.p, name.n);
        zone_name(name, &r->to_j);
        return WS_OK;
    }
    for (uint32_t c = 0; c < row->n_cells; c++) {
        double to_j;
        ws_rapl_zone about;
        ws_span id = zone_name(row->cells[c], &to_j);
        if ((int32_t)c == look->time || !is_zone_header(row->cells[c]) || !ws_rapl_zone_find(id, &about))
            continue;
        zone *z = add_zone(r, id, &about);
        z->column = ws_arena_strndup(&r->arena, row->cells[c].p, row->cells[c].n);
        z->energy = c;
        z->to_j = to_j;
        z->range = range_column_of(row, id);
    }
    return WS_OK;
}

/* "# max_energy_range_uj intel-rapl:0=262143328850 intel-rapl:1=..." */
static void take_remark(reader *r, ws_span line)
{
    ws_span piece, name;
    double range_uj;
    if (!ws_span_contains(line, range_words))
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

static ws_status announce(reader *r, zone *z, const ws_row *row, ws_error *error)
{
    double range_uj;
    if (z->range >= 0 && ws_span_double(cell_of(row, z->range), &range_uj) && range_uj > 0)
        z->range_j = range_uj / 1e6;
    if (z->about.is_unclear)
        ws_notes_add(r->notes, "unknown-zone", r->source, z->id, row->line,
                     "'%s' does not say what lies in it (its file 'name' does): kept out of totals", z->id);
    ws_channel channel = {.device = ws_rapl_device(&r->arena, &z->about),
                          .device_id = z->id,
                          .identity = "name",
                          .column = z->column,
                          .domain = z->about.domain,
                          .quantity = WS_ENERGY_COUNTER,
                          .rule = WS_RULE_COUNTER,
                          .time = r->stamps.base,
                          .counter_range_j = z->range_j};
    z->is_announced = true;
    return r->sink->channel(r->sink->state, &channel, &z->lane.id[0], error);
}

static ws_status take_counter(reader *r, zone *z, const ws_row *row, int64_t t_ns, ws_error *error)
{
    ws_status status = z->is_announced ? WS_OK : announce(r, z, row, error);
    double value = NAN, counter;
    ws_span cell = cell_of(row, (int32_t)z->energy);
    if (ws_span_double(cell, &counter))
        value = z->to_j == 1e-6 ? counter / 1e6 : counter * z->to_j;
    else if (!ws_span_is_missing(cell))
        ws_notes_add(r->notes, "unreadable-cell", r->source, z->id, row->line,
                     "'%.*s' is no number: counted as missing", WS_SPAN_ARG(cell));
    return status == WS_OK ? ws_lane_add(&z->lane, t_ns, 0, row->line, &value, error) : status;
}

static zone *zone_of_row(reader *r, const ws_row *row)
{
    ws_rapl_zone about;
    ws_span id = cell_of(row, r->name);
    for (size_t i = 1; i <= r->n; i++) { /* they take turns */
        size_t at = r->last + i < r->n ? r->last + i : r->last + i - r->n;
        if (ws_span_eq(id, r->zones[at].id))
            return &r->zones[r->last = at];
    }
    if (!ws_rapl_zone_find(id, &about)) {
        ws_notes_add(r->notes, "unknown-zone", r->source, "", row->line, "'%.*s' is no RAPL zone: left out",
                     WS_SPAN_ARG(id));
        return NULL;
    }
    zone *z = add_zone(r, id, &about);
    z->column = r->energy_name;
    z->energy = (uint32_t)r->energy;
    z->range = r->range;
    z->to_j = r->to_j;
    return z;
}

static ws_status take_data(reader *r, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    ws_status status = WS_OK;
    ws_span stamp = cell_of(row, r->time);
    if (row->unfinished || row->n_cells != r->n_columns) {
        ws_notes_add(r->notes, row->unfinished ? "truncated-line" : "short-row", r->source, "", row->line,
                     "a row that may be cut was left out");
        return WS_OK;
    }
    bool is_read = ws_timecol_read(&r->stamps, stamp, &t_ns);
    if (!is_read && !(ws_timecol_settle(&r->stamps, stamp) && ws_timecol_read(&r->stamps, stamp, &t_ns))) {
        ws_notes_add(r->notes, "bad-stamp", r->source, "", row->line, "no stamp: '%.*s'", WS_SPAN_ARG(stamp));
        return WS_OK;
    }
    if (r->stamps.base == WS_TIME_NAIVE && !r->is_naive_noted)
        ws_notes_add(r->notes, "naive-time", r->source, "", row->line, "stamps name no zone and are read as UTC");
    r->is_naive_noted = true;
    if (r->name >= 0) {
        zone *z = zone_of_row(r, row);
        return z ? take_counter(r, z, row, t_ns, error) : WS_OK;
    }
    for (size_t i = 0; i < r->n && status == WS_OK; i++)
        status = take_counter(r, &r->zones[i], row, t_ns, error);
    return status;
}

static ws_status take_row(reader *r, const ws_row *row, ws_error *error)
{
    header_look look;
    if (ws_row_may_name(row, NAMES) && look_at_header(row->cells, row->n_cells, &look))
        return take_header(r, row, &look, error);
    if (row->n_cells && ws_span_has_prefix(row->cells[0], "#")) {
        for (uint32_t c = 0; c < row->n_cells; c++)
            take_remark(r, row->cells[c]);
        return WS_OK;
    }
    if (!r->n_columns)
        return ws_fail_at(error, WS_FORMAT, r->source, row->line,
                          "no header with a time and RAPL zones (package-0, intel-rapl:0, dram-0 ...) before this row");
    return take_data(r, row, error);
}

static ws_status take_rows(reader *r, ws_rows *rows, ws_error *error)
{
    const ws_row *row;
    size_t n;
    ws_status status = ws_rows_next(rows, &row, &n, error);
    while (status == WS_OK && n) {
        for (size_t i = 0; i < n && status == WS_OK; i++)
            status = take_row(r, &row[i], error);
        if (status == WS_OK)
            status = ws_rows_next(rows, &row, &n, error);
    }
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
    reader r = {.source = ws_input_path(input), .options = options, .sink = sink, .notes = notes, .name = -1};
    r.stamps.zone = options->zone;
    ws_status status = ws_rows_open(&rows, input, ',', &options->rows, error);
    if (status == WS_OK)
        status = take_rows(&r, rows, error);
    ws_rows_close(rows);
    free(r.zones);
    free(r.remarks);
    ws_arena_free(&r.arena);
    return status;
}

static int score(const char *path, ws_span head)
{
    (void)path;
    enum { LINES = 10, CELLS = 64 };
    ws_span line, cells[CELLS];
    for (int i = 0; i < LINES && ws_span_split(&head, '\n', &line); i++) {
        header_look look;
        uint32_t n = 0;
        line = ws_span_trim(line);
        if (line.n && *line.p >= '0' && *line.p <= '9') /* a row of readings, as a header begins with a name */
            continue;
        while (n < CELLS && ws_span_split(&line, ',', &cells[n])) {
            cells[n] = ws_span_trim(cells[n]);
            n++;
        }
        if (!look_at_header(cells, n, &look))
            continue;
        return look.name >= 0 && look.energy >= 0 ? 88 : 85;
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
    .score = score,
    .read = read_powercap,
};
