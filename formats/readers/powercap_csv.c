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
#include "formats/readers/powercap_header.h"
#include "formats/table/dictionary.h"
#include "formats/table/rows.h"
#include "formats/table/timecol.h"
#include "formats/table/trace_csv.h"
#include "formats/table/trace_head.h"
#include "formats/table/trace_section.h"

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

/* The zones of an owner of rows: those of its node, one for each column, or the one of its rows. */
typedef struct zones {
    ws_span ids[WS_POWERCAP_IDS];
    counter_column *counters;
    uint64_t shared; /* rows with the stamp of the row before */
    bool is_shared;  /* the last row is one */
    uint64_t falls;  /* of counters, from or to such rows */
} zones;

/* Counters of several sockets under one name fall in nearly every poll, one or two of several rows of a stamp; those of
 * one socket, whose stamps are coarse or repeated, only where they wrap. Ours. */
static const uint64_t least_shared = 2, shared_a_fall = 4;

typedef struct reader {
    const char *source;
    ws_notes *notes;
    ws_trace trace;           /* reads plain lines; its section's owners are those of `zones` */
    ws_trace_section section; /* lent to it as the current one, as long as its rows may be read so */
    ws_powercap_header header;
    const char *energy_name; /* of the form with one row a zone */
    ws_row_policy policy;
    bool is_naive_noted;
    counter_column *counters; /* of the form with one column a zone */
    size_t n_counters, counter_capacity;
    zones *zones;
    size_t capacity, last; /* last: the owner of the row before */
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

/* One row a zone? */
static bool is_long(const reader *r)
{
    return !r->n_counters;
}

static size_t zones_a_row(const reader *r)
{
    return is_long(r) ? 1 : r->n_counters;
}

/* What the fast path has to know of the rows. */
static void plan_rows(reader *r)
{
    const ws_powercap_header *h = &r->header;
    ws_plan *plan = &r->section.plan;
    plan->n_columns = r->policy.n_columns;
    plan->time = h->time;
    plan->stamps.unit = h->time_unit;
    plan->is_wide = !is_long(r);
    plan->n_values = zones_a_row(r);
    plan->values = ws_arena_alloc(&r->arena, (plan->n_values + 1) * sizeof *plan->values);
    ws_trace_section_start(&r->section);
    for (uint32_t v = 0; v < plan->n_values; v++) {
        double to_j = is_long(r) ? h->to_j : r->counters[v].to_j;
        plan->values[v] = (ws_plan_value){.column = is_long(r) ? (uint32_t)h->energy : r->counters[v].energy,
                                          .meaning.quantity = WS_ENERGY_COUNTER,
                                          .to_si = to_j,
                                          .per_si = to_j == 1e-6 ? 1e6 : 0};
        r->section.used[r->section.n_used++] = v;
    }
    for (int i = 0; i < WS_POWERCAP_IDS; i++) {
        if (h->ids[i] < 0)
            continue;
        plan->n_ids++;
        plan->node = plan->is_wide ? h->ids[i] : plan->ids[plan->identity];
        plan->ids[plan->identity] = plan->is_wide ? WS_NO_COLUMN : h->ids[i];
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
    if (header->is_long) {
        ws_span name = row->cells[header->energy];
        r->energy_name = ws_arena_strndup(&r->arena, name.p, name.n);
    } else {
        take_zone_columns(r, row);
    }
    plan_rows(r);
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

static ws_status powercap_csv_announce(reader *r, const zones *z, counter_column *c, const ws_row *row, int *id,
                                       ws_error *error)
{
    double range_uj;
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
                          .time = r->section.plan.stamps.base,
                          .counter_range_j = c->range_j};
    return r->trace.sink->channel(r->trace.sink->state, &channel, id, error);
}

/* The owner of the first of its rows; `counters` of its zones are its own. */
static ws_status add_owner(reader *r, counter_column *counters, const ws_span *ids, const ws_row *row, ws_error *error)
{
    ws_trace_section *s = &r->section;
    ws_status status = WS_OK;
    r->zones = ws_grow(r->zones, &r->capacity, s->n + 1, sizeof *r->zones);
    s->owners = ws_grow(s->owners, &s->capacity, s->n + 1, sizeof *s->owners);
    zones *z = &r->zones[s->n];
    ws_row_owner *owner = &s->owners[s->n];
    *z = (zones){.counters = counters};
    *owner = (ws_row_owner){.id = {"", 0}, .node = {"", 0}};
    for (int i = 0; i < WS_POWERCAP_IDS; i++) {
        z->ids[i] = (ws_span){ws_arena_strndup(&r->arena, ids[i].p, ids[i].n), ids[i].n};
        if (r->header.ids[i] >= 0 && r->header.ids[i] == s->plan.node)
            owner->node = z->ids[i];
        if (r->header.ids[i] >= 0 && r->header.ids[i] == s->plan.ids[s->plan.identity])
            owner->id = z->ids[i];
    }
    ws_lane_init(&owner->lane, s->n, r->trace.sink, zones_a_row(r), true, false);
    r->last = s->n++;
    for (size_t c = 0; c < zones_a_row(r) && status == WS_OK; c++)
        status = powercap_csv_announce(r, z, &counters[c], row, &owner->lane.id[c], error);
    return status;
}

static double read_counter(const reader *r, const counter_column *c, const ws_row *row)
{
    double counter;
    ws_span cell = ws_row_cell(row, (int32_t)c->energy);
    if (ws_span_double(cell, &counter))
        return c->to_j == 1e-6 ? counter / 1e6 : counter * c->to_j;
    if (!ws_span_is_missing(cell))
        ws_note_unreadable_cell(r->notes, r->source, c->id, row->line, cell);
    return NAN;
}

static ws_status take_counters(reader *r, zones *z, ws_row_owner *owner, const ws_row *row, int64_t t_ns,
                               ws_error *error)
{
    ws_lane *lane = &owner->lane;
    bool is_shared = lane->count && t_ns == owner->last_ns, is_beside = is_shared || z->is_shared;
    z->shared += is_shared;
    z->is_shared = is_shared;
    for (size_t c = 0; c < lane->n_channels; c++) {
        double value = read_counter(r, &z->counters[c], row);
        z->falls += is_beside && value > 0 && value < ws_lane_last(lane, c); /* 0: a failed read */
        *ws_lane_place(lane, c) = value;
    }
    if (is_beside && z->shared >= least_shared && z->falls * shared_a_fall >= z->shared * lane->n_channels)
        ws_notes_add(r->notes, WS_FINDING_REPEATED_ZONE, r->source, z->counters[0].id, row->line,
                     "'%s' comes more than once at a time and falls: if these are zones of several sockets, which a "
                     "column of hosts, sockets or paths would tell apart, its energy is wrong",
                     z->counters[0].id);
    owner->last_ns = t_ns;
    return ws_lane_close_row(lane, t_ns, 0, row->line, error);
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

/* The counter of a row of the long form; NULL: of no zone, which a note says. */
static counter_column *counter_of_row(reader *r, const ws_row *row, const ws_span *ids)
{
    counter_column *counter = ws_arena_alloc(&r->arena, sizeof *counter);
    *counter = (counter_column){.id = join_ids(r, ids),
                                .column = r->energy_name,
                                .energy = (uint32_t)r->header.energy,
                                .range = r->header.range,
                                .to_j = r->header.to_j};
    if (!ws_rapl_zone_at(ids[WS_POWERCAP_PATH], ids[WS_POWERCAP_SOCKET], ids[WS_POWERCAP_NAME], &counter->about)) {
        ws_notes_add(r->notes, WS_FINDING_UNKNOWN_ZONE, r->source, "", row->line, "'%s' is no RAPL zone: left out",
                     counter->id);
        return NULL;
    }
    for (int i = WS_POWERCAP_PATH; i <= WS_POWERCAP_NAME && counter->range_j == 0; i++)
        counter->range_j = remarked_range(r, ids[i]);
    return counter;
}

static counter_column *copy_of_counters(reader *r)
{
    counter_column *copy = ws_arena_alloc(&r->arena, (r->n_counters + 1) * sizeof *copy);
    memcpy(copy, r->counters, r->n_counters * sizeof *copy);
    return copy;
}

static bool is_of(const zones *z, const ws_span *ids)
{
    return ws_span_same(ids[WS_POWERCAP_NAME], z->ids[WS_POWERCAP_NAME]) &&
           ws_span_same(ids[WS_POWERCAP_PATH], z->ids[WS_POWERCAP_PATH]) &&
           ws_span_same(ids[WS_POWERCAP_SOCKET], z->ids[WS_POWERCAP_SOCKET]) &&
           ws_span_same(ids[WS_POWERCAP_NODE], z->ids[WS_POWERCAP_NODE]);
}

/* A row of the long form without the cells that say whose it is. */
static bool names_no_zone(const reader *r, const ws_row *row, const ws_span *ids)
{
    bool has_any = false;
    for (int i = WS_POWERCAP_SOCKET; i <= WS_POWERCAP_NAME; i++)
        has_any |= !ws_span_is_missing(ids[i]);
    if (has_any || !is_long(r))
        return false;
    ws_notes_add(r->notes, WS_FINDING_NO_DEVICE, r->source, "", row->line, "a row without its zone was left out");
    return true;
}

/* Sets r->last to the owner of a row; they take turns. False: it is of no zone. */
static bool find_owner(reader *r, const ws_row *row, ws_status *status, ws_error *error)
{
    ws_span ids[WS_POWERCAP_IDS];
    size_t n = r->section.n;
    for (int i = 0; i < WS_POWERCAP_IDS; i++)
        ids[i] = ws_row_cell(row, r->header.ids[i]);
    for (size_t i = 1; i <= n; i++) {
        size_t at = r->last + i < n ? r->last + i : r->last + i - n;
        if (is_of(&r->zones[at], ids)) {
            r->last = at;
            return true;
        }
    }
    if (names_no_zone(r, row, ids))
        return false;
    counter_column *counters = is_long(r) ? counter_of_row(r, row, ids) : copy_of_counters(r);
    if (counters)
        *status =
            ws_rapl_check_count((n + 1) * zones_a_row(r), counters[zones_a_row(r) - 1].id, r->source, row->line, error);
    if (counters && *status == WS_OK)
        *status = add_owner(r, counters, ids, row, error);
    return counters && *status == WS_OK;
}

/* Stamps of the form that is settled, of owners that two columns at most tell apart, and each at its own time. */
static bool may_read_plain(const reader *r, bool has_new_form)
{
    const ws_plan *plan = &r->section.plan;
    bool is_told = plan->is_wide || plan->n_ids <= 2;
    return is_told && !has_new_form && !r->zones[r->last].shared;
}

static ws_status take_zones(reader *r, const ws_row *row, int64_t t_ns, bool has_new_form, ws_error *error)
{
    ws_trace_section *s = &r->section;
    ws_status status = WS_OK;
    bool is_first = !s->n;
    if (!find_owner(r, row, &status, error))
        return status;
    status = take_counters(r, &r->zones[r->last], &s->owners[r->last], row, t_ns, error);
    s->next = r->last + 1 < s->n ? r->last + 1 : 0;
    if (is_first)
        r->trace.current = s;
    if (!may_read_plain(r, has_new_form && !is_first))
        r->trace.current = NULL;
    return status;
}

static ws_status powercap_csv_take_data(reader *r, const ws_row *row, ws_error *error)
{
    int64_t t_ns;
    ws_span stamp = ws_row_cell(row, r->header.time);
    if (!ws_row_is_usable(&r->policy, row))
        return WS_OK;
    ws_timecol *stamps = &r->section.plan.stamps;
    bool is_read = ws_timecol_read(stamps, stamp, &t_ns);
    if (!is_read && !(ws_timecol_settle(stamps, stamp) && ws_timecol_read(stamps, stamp, &t_ns))) {
        ws_note_bad_stamp(r->notes, r->source, row->line, stamp);
        return WS_OK;
    }
    ws_note_naive_time(r->notes, r->source, row->line, stamps->base, &r->is_naive_noted);
    return take_zones(r, row, t_ns, !is_read, error);
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

static ws_status powercap_csv_take_rows(reader *r, ws_input *input, ws_error *error)
{
    ws_status status = ws_trace_read_rows(&r->trace, input, error);
    ws_status flushed = ws_trace_section_flush(&r->section, status == WS_OK ? error : NULL);
    bool has_rows = false;
    for (size_t i = 0; i < r->section.n; i++)
        has_rows |= r->section.owners[i].lane.count > 0;
    status = status == WS_OK ? flushed : status;
    if (status == WS_OK && !has_rows)
        status = ws_fail_at(error, WS_DATA, r->source, 0, "no rows of energy counters");
    return status;
}

static void free_reader(reader *r)
{
    for (size_t i = 0; i < r->section.n; i++)
        ws_lane_free(&r->section.owners[i].lane);
    ws_trace_free(&r->trace);
    free(r->section.owners);
    free(r->section.used);
    free(r->zones);
    free(r->counters);
    free(r->remarks);
    ws_arena_free(&r->arena);
}

static void note_there(void *state, ws_notes *notes)
{
    reader *r = state;
    r->notes = r->policy.notes = notes;
}

static ws_status read_powercap(ws_input *input, const ws_read_options *options, const ws_sink *sink, ws_notes *notes,
                               ws_error *error)
{
    reader r = {.source = ws_input_path(input), .notes = ws_trace_goes_on(options) ? NULL : notes};
    r.policy = (ws_row_policy){.source = r.source, .notes = r.notes};
    r.section.plan = (ws_plan){.time = WS_NO_COLUMN,
                               .date = WS_NO_COLUMN,
                               .interval = WS_NO_COLUMN,
                               .node = WS_NO_COLUMN,
                               .ids = {[WS_ROLE_PART] = WS_NO_COLUMN},
                               .identity = WS_ROLE_PART,
                               .is_settled = true,
                               .stamps.zone = options->zone};
    r.section.stops_at_repeats = true;
    r.trace = (ws_trace){.options = options,
                         .sink = sink,
                         .delimiter = ws_delimiter_guess(ws_input_head(input)),
                         .later_notes = notes,
                         .context = {.source = r.source, .notes = r.notes},
                         .take_row = powercap_csv_take_row,
                         .taker = &r,
                         .set_notes = note_there};
    ws_status status = ws_rows_open(&r.trace.rows, input, r.trace.delimiter, &options->rows, error);
    if (status == WS_OK)
        status = powercap_csv_take_rows(&r, input, error);
    free_reader(&r);
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
    double risen, fallen, before, most;
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
        readings.risen += fmax(reading - readings.before, 0); /* fmax passes NaN over */
        readings.fallen += fmax(readings.before - reading, 0);
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

/* Times of runs stand in any order: "run,elapsed_h,cpu_energy_uj". */
static bool is_in_disorder(const column_readings *time)
{
    return time->falls && time->falls * WS_TRIAL_STEPS_A_FALL >= time->falls + time->rises &&
           time->fallen >= WS_TRIAL_FALLEN * time->risen;
}

/* pyJoules': its rows say how long they are. */
static bool names_durations(const ws_span *cells, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++)
        if (ws_span_eq_nocase(cells[c], "duration"))
            return true;
    return false;
}

/* Counters of packages and memory that all name their unit, beside a power in W and without a range: a table of both
 * sources (generic_csv.c), of which this reader would see one. */
static bool are_beside_powers(const ws_span *cells, uint32_t n)
{
    bool has_power = false;
    for (uint32_t c = 0; c < n; c++) {
        ws_powercap_zone zone;
        ws_span bare;
        bool is_zone = ws_powercap_zone_find(cells[c], &zone);
        const ws_unit *unit = ws_unit_in_name(cells[c], &bare);
        bool is_plain = is_zone && (zone.about.domain == WS_CPU || zone.about.domain == WS_DRAM);
        if (is_zone && (!is_plain || !names_its_unit(cells[c]) || ws_powercap_range_column(cells, n, zone.id) >= 0))
            return false;
        has_power |=
            !is_zone && unit && unit->dimension == WS_DIM_POWER && ws_meaning_of(cells[c]).quantity == WS_POWER;
    }
    return has_power;
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
        column_readings times = read_column(head, header.time < 0 ? CELLS : (uint32_t)header.time);
        if (header.is_long)
            return 88;
        if (is_in_disorder(&times) || (i == 0 && are_beside_powers(cells, n)))
            return 0;
        return !zones_are_counters(cells, n, head) ? 0 : i > 0 ? 85 : 92; /* 92: on the first line */
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
    .goes_on = true,
    .read = read_powercap,
};
