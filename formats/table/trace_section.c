/* Finds the device of each row by its cells, by its place in a poll, or by the names of the value columns. A new device
 * is announced to the sink with a channel for each of its values. */
#include "formats/table/trace_section.h"

#include "formats/table/dictionary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- devices and their channels --- */

static bool is_taken(const ws_trace_devices *devices, ws_span node, const char *name)
{
    for (size_t i = 0; i < devices->n; i++)
        if (ws_span_eq(node, devices->items[i].node) && strcmp(devices->items[i].name, name) == 0)
            return true;
    return false;
}

static const char *device_name(ws_trace_devices *devices, ws_domain domain, ws_span node, ws_span id, int64_t number)
{
    const char *word = ws_domain_name(domain), *name;
    bool is_counted = domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM;
    if (is_counted && number >= 0) {
        name = ws_arena_printf(devices->arena, "%s%" PRId64, word, number);
        if (!is_taken(devices, node, name))
            return name;
    }
    if (!is_counted) {
        name = domain == WS_OTHER && id.n ? ws_arena_strndup(devices->arena, id.p, id.n) : word;
        if (!is_taken(devices, node, name))
            return name;
    }
    size_t k = 0;
    for (size_t i = 0; i < devices->n; i++)
        k += devices->items[i].domain == domain && ws_span_eq(node, devices->items[i].node);
    for (;; k++) {
        name = ws_arena_printf(devices->arena, "%s%zu", word, k);
        if (!is_taken(devices, node, name))
            return name;
    }
}

static bool had_index(const ws_trace_devices *devices, const ws_trace_device *d, int64_t number)
{
    return number >= 0 && d->number == number && d->section < devices->section &&
           (strcmp(d->identity, "uuid") == 0 || strcmp(d->identity, "bus id") == 0);
}

size_t ws_trace_device_find(ws_trace_devices *devices, ws_domain domain, ws_span node, ws_span id, const char *identity,
                            int64_t number)
{
    for (size_t i = devices->n; i-- > 0;) { /* the last one is asked for most */
        const ws_trace_device *d = &devices->items[i];
        if (d->domain == domain && ws_span_eq(node, d->node) && ws_span_eq(id, d->id))
            return i;
    }
    for (size_t i = strcmp(identity, "index") == 0 ? devices->n : 0; i-- > 0;) {
        const ws_trace_device *d = &devices->items[i];
        if (d->domain == domain && ws_span_eq(node, d->node) && had_index(devices, d, number))
            return i;
    }
    devices->items = ws_grow(devices->items, &devices->capacity, devices->n + 1, sizeof *devices->items);
    ws_trace_device added = {.node = ws_arena_strndup(devices->arena, node.p, node.n),
                             .id = ws_arena_strndup(devices->arena, id.p, id.n),
                             .identity = identity,
                             .name = device_name(devices, domain, node, id, number),
                             .domain = domain,
                             .number = number,
                             .section = devices->section};
    devices->items[devices->n] = added;
    return devices->n++;
}

const ws_trace_channel *ws_trace_channel_before(const ws_trace_devices *devices, size_t device, ws_quantity quantity)
{
    const ws_trace_channel *best = NULL;
    for (size_t i = devices->items[device].last_channel; i > 0; i = devices->channels[i - 1].before) {
        const ws_trace_channel *c = &devices->channels[i - 1];
        if (c->quantity == quantity && c->section < devices->section && (!best || c->preference <= best->preference))
            best = c;
    }
    return best;
}

/* NULL: not announced yet. */
static const ws_trace_channel *find_channel(const ws_trace_devices *devices, size_t device, const char *column,
                                            ws_quantity quantity)
{
    for (size_t i = devices->items[device].last_channel; i > 0; i = devices->channels[i - 1].before) {
        const ws_trace_channel *c = &devices->channels[i - 1];
        if (c->quantity == quantity && strcmp(c->column, column) == 0)
            return c;
    }
    return NULL;
}

bool ws_trace_channel_is_known(const ws_trace_devices *devices, size_t device, const char *column, ws_quantity quantity)
{
    return find_channel(devices, device, column, quantity) != NULL;
}

ws_status ws_trace_channel_find(ws_trace_devices *devices, const ws_sink *sink, size_t device,
                                const ws_channel *channel, int *id, ws_error *error)
{
    const ws_trace_channel *known = find_channel(devices, device, channel->column, channel->quantity);
    if (known) {
        *id = known->id;
        return WS_OK;
    }
    ws_trace_device *d = &devices->items[device];
    ws_channel announced = *channel;
    announced.node = d->node;
    announced.device = d->name;
    announced.device_id = d->id;
    announced.identity = d->identity;
    ws_status status = sink->channel(sink->state, &announced, id, error);
    if (status != WS_OK)
        return status;
    devices->channels =
        ws_grow(devices->channels, &devices->channel_capacity, devices->n_channels + 1, sizeof *devices->channels);
    devices->channels[devices->n_channels++] = (ws_trace_channel){.column = channel->column,
                                                                  .quantity = channel->quantity,
                                                                  .id = *id,
                                                                  .preference = channel->preference,
                                                                  .section = devices->section,
                                                                  .before = d->last_channel};
    d->last_channel = devices->n_channels;
    return WS_OK;
}

void ws_trace_devices_free(ws_trace_devices *devices)
{
    free(devices->items);
    free(devices->channels);
    memset(devices, 0, sizeof *devices);
}

/* --- whose row it is --- */

enum { MOST_DEVICES = 1024, NOTE_TEXT = 80 };

static const ws_span no_cell = {"", 0};

void ws_trace_note(ws_trace *trace, ws_finding finding, int64_t line, const char *text, ws_span cell)
{
    if (cell.n > NOTE_TEXT)
        cell.n = NOTE_TEXT;
    ws_notes_add(trace->context.notes, finding, trace->context.source, "", line, "%s%s%.*s%s", text, cell.n ? " '" : "",
                 WS_SPAN_ARG(cell), cell.n ? "'" : "");
}

static const char *identity_word(const ws_plan *plan)
{
    static const char *const words[WS_ROLE_N] = {
        [WS_ROLE_UUID] = "uuid",     [WS_ROLE_BUS] = "bus id", [WS_ROLE_GPU] = "index", [WS_ROLE_INDEX] = "index",
        [WS_ROLE_SERIAL] = "serial", [WS_ROLE_PART] = "name",  [WS_ROLE_NAME] = "name"};
    if (plan->positions > 1)
        return plan->identity == WS_ROLE_NAME ? "name and position" : "position";
    return words[plan->identity] ? words[plan->identity] : "";
}

static ws_domain row_domain(const ws_trace *t, const ws_trace_section *s)
{
    if (t->context.map->gives_domain)
        return t->context.map->domain;
    return s->plan.has_rows_domain ? s->plan.rows_domain : WS_GPU;
}

/* Are devices named by words or small numbers, rather than by a uuid, an address or a serial number? */
static bool is_named_by_words(const ws_plan *plan)
{
    return !plan->is_wide && plan->positions <= 1 &&
           (plan->identity == WS_ROLE_GPU || plan->identity == WS_ROLE_INDEX || plan->identity == WS_ROLE_PART ||
            plan->identity == WS_ROLE_NAME);
}

/* The name of a device may say what it is: "cpu", "total". */
static ws_domain domain_of_owner(ws_trace *t, const ws_trace_section *s, ws_span id, int64_t line)
{
    if (!is_named_by_words(&s->plan))
        return row_domain(t, s);
    ws_device_name name = ws_device_name_of(id);
    bool is_sum = s->plan.sum_id.n && ws_span_same(s->plan.sum_id, ws_span_trim(id));
    if (is_sum || (name.is_total && s->plan.n_ids > 1)) {
        ws_trace_note(t, WS_FINDING_TOTAL_ROW, line, "rows that hold or sum up those of others are not added:", id);
        return WS_OTHER;
    }
    if (t->context.map->gives_domain)
        return row_domain(t, s);
    return name.is_known ? name.domain : s->plan.identity == WS_ROLE_PART ? s->plan.part_domain : row_domain(t, s);
}

static int64_t number_of_owner(const ws_trace_section *s, ws_span id, const ws_row *row)
{
    int64_t number;
    bool may_count = s->plan.identity != WS_ROLE_SERIAL; /* a serial number does not number the GPUs of a node */
    if (ws_span_i64(ws_row_cell(row, s->plan.number), &number) || (may_count && ws_span_i64(id, &number)))
        return number;
    if (s->plan.positions > 1)
        return (int64_t)s->n;
    return is_named_by_words(&s->plan) ? ws_device_name_of(id).number : -1;
}

/* The RAPL zone of a package: "1/dram" is dram1. */
static size_t device_of_zone(ws_trace *t, const ws_trace_section *s, const ws_row_owner *from)
{
    ws_rapl_zone zone;
    bool is_zone = ws_rapl_zone_at(no_cell, from->node, from->id, &zone);
    const char *id = ws_arena_printf(t->context.arena, "%.*s/%.*s", WS_SPAN_ARG(from->node), WS_SPAN_ARG(from->id));
    return ws_trace_device_find(&t->devices, from->domain, no_cell, ws_span_of(id), identity_word(&s->plan),
                                is_zone ? zone.package : -1);
}

/* `from` is the next owner of its section. */
static size_t device_of_row(ws_trace *t, const ws_trace_section *s, const ws_row_owner *from, const ws_row *row)
{
    if (s->like && s->n < s->like->n)
        from = &s->like->owners[s->n];
    if (s->plan.has_sockets)
        return device_of_zone(t, s, from);
    return ws_trace_device_find(&t->devices, from->domain, from->node, from->id, identity_word(&s->plan),
                                number_of_owner(s, from->id, row));
}

/* "socket,cpu_power": the row is of a processor, and so is the power. */
static bool is_of_row(const ws_trace *t, const ws_trace_section *s, const ws_meaning *m)
{
    bool is_of_part = s->plan.identity == WS_ROLE_PART && m->domain == s->plan.part_domain;
    return !m->device.n && (m->domain == row_domain(t, s) || is_of_part);
}

/* "psu1_power_w", "PSU 2 (W)": a part of its node's supply, and no node. */
static bool is_supply(ws_span device)
{
    enum { WORD = 3 };
    return device.n > WORD && ws_span_eq_nocase((ws_span){device.p, WORD}, "psu");
}

static bool names_its_node(const ws_meaning *m)
{
    return m->domain == WS_NODE && m->device.n && !is_supply(m->device);
}

/* A value column may name its own device. A value of another domain than the row's belongs to the node. */
static size_t device_of_value(ws_trace *t, const ws_trace_section *s, const ws_meaning *m, const ws_row_owner *from,
                              const ws_row *row)
{
    if (is_of_row(t, s, m))
        return device_of_row(t, s, from, row);
    if (names_its_node(m))
        return ws_trace_device_find(&t->devices, WS_NODE, m->device, no_cell, "column", -1);
    ws_span node = m->node.n ? m->node : s->plan.has_sockets ? no_cell : from->node;
    return ws_trace_device_find(&t->devices, m->domain, node, m->device, m->device.n ? "column" : "", m->device_number);
}

static ws_time_base time_base(const ws_trace *t, const ws_trace_section *s)
{
    if (s->plan.uses_date_lines)
        return t->date_line.base;
    if (s->plan.time >= 0)
        return s->plan.stamps.base;
    return ws_read_period(t->options) ? WS_TIME_RELATIVE : WS_TIME_NONE;
}

/* Values of a node are repeated in the rows of all its devices: they count in the rows of the first one. */
static bool is_first_of_node(const ws_trace_section *s, const ws_row_owner *added)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->plan.has_sockets || ws_span_same(s->owners[i].node, added->node))
            return false;
    return true;
}

static void use_value(ws_trace_section *s, uint32_t v)
{
    for (uint32_t u = 0; u < s->n_used; u++)
        if (s->used[u] == v)
            return;
    s->used[s->n_used++] = v;
}

/* The values of an owner's rows that the sink wants: indices into the plan's values, and the sink's channels. */
typedef struct wanted_values {
    uint32_t *from;
    int *id;
    size_t n;
} wanted_values;

/* If the rows state intervals, a power is the mean over its interval. */
static ws_rule rule_of(const ws_plan *plan, ws_quantity quantity)
{
    return quantity == WS_POWER && plan->interval >= 0 ? WS_RULE_RECTANGLE : ws_usual_rule(quantity);
}

static void add_wanted(wanted_values *wanted, ws_trace_section *s, uint32_t v, int id)
{
    if (id < 0)
        return;
    wanted->id[wanted->n] = id;
    wanted->from[wanted->n++] = v;
    use_value(s, v);
}

static bool has_column(const ws_plan *plan, const char *name)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (strcmp(plan->values[v].name, name) == 0)
            return true;
    return false;
}

static bool is_first_choice(const ws_plan *plan, const ws_meaning *m)
{
    for (size_t v = 0; v < plan->n_values; v++) {
        const ws_meaning *other = &plan->values[v].meaning;
        if (other->quantity == m->quantity && other->domain == m->domain && ws_span_same(other->device, m->device) &&
            ws_span_same(other->node, m->node) && other->preference < m->preference)
            return false;
    }
    return true;
}

/* Under a later header the power of a device may be in another column. If the first choice so far is gone, its series
 * continues with the new column; if it is still there, the new column comes second. */
static ws_status announce_value(ws_trace *t, ws_trace_section *s, size_t device, uint32_t v, ws_channel *channel,
                                wanted_values *wanted, ws_error *error)
{
    int id = -1;
    bool is_power = channel->quantity == WS_POWER;
    const ws_trace_channel *before = is_power ? ws_trace_channel_before(&t->devices, device, WS_POWER) : NULL;
    bool is_known = ws_trace_channel_is_known(&t->devices, device, channel->column, channel->quantity);
    if (before && !has_column(&s->plan, before->column) && is_first_choice(&s->plan, &s->plan.values[v].meaning)) {
        ws_notes_add(t->context.notes, WS_FINDING_CHANGED_COLUMN, t->context.source, channel->column, s->plan.line,
                     "the power of '%s' goes on in '%s': read as one series", before->column, channel->column);
        add_wanted(wanted, s, v, before->id);
        if (!is_known)
            return WS_OK;
    } else if (before && !is_known && channel->preference <= before->preference) {
        channel->preference = before->preference + 1;
    }
    ws_status status = ws_trace_channel_find(&t->devices, t->sink, device, channel, &id, error);
    if (status == WS_OK)
        add_wanted(wanted, s, v, id);
    return status;
}

/* Boards draw some watts, and milliwatts for some of their rails: their numbers are held against no other unit. */
static bool is_of_board(const ws_plan_value *value)
{
    ws_span name = ws_span_of(value->name);
    return ws_is_board_rail(name) || ws_is_board_input(name) || value->meaning.is_of_board;
}

/* Announces the channels of a new owner. */
static ws_status announce(ws_trace *t, ws_trace_section *s, const ws_row_owner *added, const ws_row *row,
                          wanted_values *wanted, ws_error *error)
{
    ws_status status = WS_OK;
    bool is_first = is_first_of_node(s, added);
    for (uint32_t v = 0; v < s->plan.n_values && status == WS_OK; v++) {
        const ws_plan_value *value = &s->plan.values[v];
        const ws_meaning *m = &value->meaning;
        if (!is_of_row(t, s, m) && !(names_its_node(m) ? s->n == 0 : is_first))
            continue;
        size_t device = device_of_value(t, s, m, added, row);
        ws_quantity quantity = value->is_counter ? WS_ENERGY_COUNTER : m->quantity;
        ws_channel channel = {.column = value->name,
                              .domain = is_of_row(t, s, m) ? added->domain : m->domain,
                              .quantity = quantity,
                              .rule = rule_of(&s->plan, quantity),
                              .time = time_base(t, s),
                              .preference = m->preference,
                              .unit_is_given = value->unit_is_given || is_of_board(value),
                              .ask = value->ask || !is_of_row(t, s, m) ? value->ask : s->plan.ask,
                              .assumed = is_of_row(t, s, m) ? s->plan.assumed : WS_STATUS_OK};
        status = announce_value(t, s, device, v, &channel, wanted, error);
    }
    return status;
}

/* Announces the channels of a device and makes its lane. */
static ws_status open_lane(ws_trace *t, ws_trace_section *s, ws_row_owner *added, const ws_row *row, ws_error *error)
{
    size_t most = 2 * s->plan.n_values; /* a value may continue an earlier channel and have one of its own */
    wanted_values wanted = {ws_alloc(most * sizeof *wanted.from), ws_alloc(most * sizeof *wanted.id), 0};
    bool has_period = s->plan.time < 0 && !s->plan.uses_date_lines && t->options->period_ns;
    ws_status status = announce(t, s, added, row, &wanted, error);
    ws_lane_init(&added->lane, s->n, t->sink, wanted.n, time_base(t, s) != WS_TIME_NONE,
                 s->plan.interval >= 0 || has_period);
    memcpy(added->lane.from, wanted.from, wanted.n * sizeof *wanted.from);
    memcpy(added->lane.id, wanted.id, wanted.n * sizeof *wanted.id);
    free(wanted.from);
    free(wanted.id);
    return status;
}

/* "gpu.name" and "gpu.driver". */
static void push_text_fact(ws_trace *t, const ws_trace_section *s, const ws_row_owner *added, const ws_row *row,
                           int32_t column, const char *key)
{
    ws_span text = ws_row_cell(row, column);
    if (!t->sink->fact || s->plan.is_wide || added->domain != WS_GPU || ws_span_is_missing(text))
        return;
    size_t device = device_of_row(t, s, added, row); /* before the pointer: a new device moves the array */
    const ws_trace_device *d = &t->devices.items[device];
    ws_fact fact = {.run = "",
                    .node = d->node,
                    .device = d->name,
                    .key = key,
                    .text = ws_arena_strndup(t->context.arena, text.p, text.n)};
    t->sink->fact(t->sink->state, &fact);
}

static void note_known_by_index(ws_trace *t, const ws_trace_section *s, const ws_row_owner *added, const ws_row *row)
{
    if (s->plan.is_wide || strcmp(identity_word(&s->plan), "index") != 0)
        return;
    const ws_trace_device *d = &t->devices.items[device_of_row(t, s, added, row)];
    if (strcmp(d->identity, "uuid") == 0 || strcmp(d->identity, "bus id") == 0)
        ws_trace_note(t, WS_FINDING_ASSUMED_DEVICE, row->line,
                      "an index is taken for the device that had it under an earlier header:", added->id);
}

static ws_status add_owner(ws_trace *t, ws_trace_section *s, ws_span node, ws_span id, const ws_row *row,
                           ws_error *error)
{
    if (s->n == MOST_DEVICES)
        return ws_fail_remedy(
            error, WS_REMEDY_ANSWER, NULL,
            ws_fail_at(error, WS_FORMAT, t->context.source, row->line,
                       "more than %d devices: '%.*s' does not look like one (name the column of devices, as in "
                       "--columns gpu=NAME)",
                       MOST_DEVICES, WS_SPAN_ARG(id)));
    ws_row_owner added = {.node = {ws_arena_strndup(t->context.arena, node.p, node.n), node.n},
                          .id = {ws_arena_strndup(t->context.arena, id.p, id.n), id.n},
                          .domain = domain_of_owner(t, s, id, row->line)};
    ws_note_naive_time(t->context.notes, t->context.source, row->line, time_base(t, s), &t->is_naive_noted);
    ws_note_ambiguous_zone(t->context.notes, t->context.source, row->line, &s->plan.stamps);
    ws_status status = open_lane(t, s, &added, row, error);
    push_text_fact(t, s, &added, row, s->plan.name, "gpu.name");
    push_text_fact(t, s, &added, row, s->plan.driver, "gpu.driver");
    note_known_by_index(t, s, &added, row);
    s->owners = ws_grow(s->owners, &s->capacity, s->n + 1, sizeof *s->owners);
    s->owners[s->n++] = added;
    return status;
}

/* A poll lacks a row, and nothing says whose: a busy GPU's reading may stand at the place of an idle one. */
static void leave_out_poll(ws_trace_section *s, uint32_t places)
{
    for (size_t i = 0; i < s->n; i++) {
        ws_lane *lane = &s->owners[i].lane;
        for (uint32_t p = 0; p < places && lane->n_rows; p++)
            for (size_t c = 0; c < lane->n_channels && ws_span_same(s->owners[i].id, s->place_ids[p]); c++)
                lane->value[c * lane->most_rows + lane->n_rows - 1] = NAN;
    }
}

/* The id of a row by its place in the poll. False: the row is a repeat. */
static bool position_id(ws_trace *t, ws_trace_section *s, int64_t t_ns, const ws_row *row, ws_span *id)
{
    uint32_t place;
    ws_poll_event event = ws_poll_take(&s->poll, &s->plan, row, t_ns, &place);
    if (event == WS_POLL_REPEATED) {
        ws_trace_note(t, WS_FINDING_REPEATED_SAMPLE, row->line,
                      "a row more than there are devices in its poll was left out", no_cell);
        return false;
    }
    if (event == WS_POLL_SHORT) {
        leave_out_poll(s, s->poll.unsure);
        ws_trace_note(t, WS_FINDING_SHORT_SAMPLE, row->line,
                      "a sample before this row has fewer rows than there are devices", no_cell);
    }
    s->next = place < s->n ? place : 0;
    ws_span name = s->plan.identity == WS_ROLE_NAME ? ws_row_cell(row, s->plan.name) : no_cell;
    if (!s->place_ids)
        s->place_ids = ws_alloc(s->plan.positions * sizeof *s->place_ids);
    if (!s->place_ids[place].p)
        s->place_ids[place] = ws_span_of(
            ws_arena_printf(t->context.arena, "%.*s%s%" PRIu32, WS_SPAN_ARG(name), name.n ? " #" : "", place));
    *id = s->place_ids[place];
    return true;
}

ws_row_owner *ws_row_owner_known(ws_trace_section *s, ws_span node, ws_span id)
{
    for (size_t i = 0; i < s->n; i++) {
        size_t at = s->next + i < s->n ? s->next + i : s->next + i - s->n;
        if (ws_span_same(id, s->owners[at].id) && ws_span_same(node, s->owners[at].node)) {
            s->next = at + 1 < s->n ? at + 1 : 0;
            return &s->owners[at];
        }
    }
    return NULL;
}

static ws_span row_id(const ws_plan *plan, const ws_row *row)
{
    return plan->is_wide || plan->positions > 1 ? no_cell : ws_row_cell(row, plan->ids[plan->identity]);
}

ws_row_owner *ws_row_owner_of(ws_trace_section *section, const ws_row *row)
{
    if (section->plan.positions > 1)
        return NULL;
    return ws_row_owner_known(section, ws_row_cell(row, section->plan.node), row_id(&section->plan, row));
}

ws_status ws_row_owner_find(ws_trace *t, ws_trace_section *s, const ws_row *row, int64_t t_ns, ws_row_owner **found,
                            ws_error *error)
{
    const ws_plan *plan = &s->plan;
    ws_span node = ws_row_cell(row, plan->node), id = row_id(plan, row);
    bool takes_turns = !plan->is_wide && plan->positions > 1;
    *found = NULL;
    if (takes_turns && !position_id(t, s, t_ns, row, &id))
        return WS_OK;
    if (!takes_turns && !plan->is_wide && plan->identity != WS_ROLE_UNKNOWN && !id.n) {
        ws_trace_note(t, WS_FINDING_NO_DEVICE, row->line, "a row without its device was left out", no_cell);
        return WS_OK;
    }
    *found = ws_row_owner_known(s, node, id);
    if (*found)
        return WS_OK;
    if (ws_span_has_zero(node) || ws_span_has_zero(id)) {
        ws_trace_note(t, WS_FINDING_NO_DEVICE, row->line,
                      "a zero byte in the name of a device or node: the row was left out", no_cell);
        return WS_OK;
    }
    ws_status status = add_owner(t, s, node, id, row, error);
    if (status == WS_OK)
        *found = &s->owners[s->n - 1];
    s->next = 0;
    return status;
}

ws_status ws_trace_section_flush(ws_trace_section *section, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t i = 0; i < section->n && status == WS_OK; i++)
        status = ws_lane_flush(&section->owners[i].lane, error);
    return status;
}

ws_trace_section *ws_trace_section_add(ws_trace *t)
{
    ws_trace_section *s = ws_alloc(sizeof *s);
    t->sections = ws_grow(t->sections, &t->section_capacity, t->n_sections + 1, sizeof *t->sections);
    t->sections[t->n_sections++] = s;
    return s;
}

void ws_trace_section_start(ws_trace_section *section)
{
    section->used = ws_alloc((section->plan.n_values + 1) * sizeof *section->used);
}

void ws_trace_section_free(ws_trace_section *section)
{
    for (size_t i = 0; i < section->n; i++)
        ws_lane_free(&section->owners[i].lane);
    if (section->plan.positions)
        ws_poll_free(&section->poll);
    free(section->owners);
    free(section->place_ids);
    free(section->used);
    free(section);
}

/* --- lanes --- */

void ws_lane_init(ws_lane *lane, size_t index, const ws_sink *sink, size_t n_channels, bool has_time, bool has_interval)
{
    size_t rows = index < WS_LANES_FEW ? WS_LANE_ROWS : WS_LANE_ROWS_OF_MANY;
    *lane = (ws_lane){.sink = sink, .n_channels = n_channels, .most_rows = rows, .has_time = has_time};
    lane->id = ws_alloc(n_channels * sizeof *lane->id);
    lane->from = ws_alloc(n_channels * sizeof *lane->from);
    for (size_t c = 0; c < n_channels; c++)
        lane->from[c] = (uint32_t)c;
    lane->t_ns = ws_realloc(NULL, rows, sizeof *lane->t_ns);
    lane->interval_ns = has_interval ? ws_realloc(NULL, rows, sizeof *lane->interval_ns) : NULL;
    lane->line = ws_realloc(NULL, rows, sizeof *lane->line);
    lane->value = ws_realloc(NULL, n_channels * rows, sizeof *lane->value);
}

ws_status ws_lane_flush(ws_lane *lane, ws_error *error)
{
    ws_status status = WS_OK;
    for (size_t c = 0; c < lane->n_channels && status == WS_OK && lane->n_rows; c++) {
        ws_block block = {.n = lane->n_rows,
                          .t_ns = lane->has_time ? lane->t_ns : NULL,
                          .value = lane->value + c * lane->most_rows,
                          .interval_ns = lane->interval_ns,
                          .line = lane->line};
        if (lane->id[c] >= 0)
            status = lane->sink->block(lane->sink->state, lane->id[c], &block, error);
    }
    lane->n_pushed = lane->n_rows ? lane->n_rows : lane->n_pushed;
    lane->n_rows = 0;
    return status;
}

void ws_lane_repeat_last(ws_lane *lane, const ws_lane *of)
{
    for (size_t c = 0; c < lane->n_channels; c++)
        lane->value[c * lane->most_rows] = ws_lane_last(of, c);
    lane->n_pushed = 1;
}

void ws_lane_free(ws_lane *lane)
{
    free(lane->id);
    free(lane->from);
    free(lane->t_ns);
    free(lane->interval_ns);
    free(lane->line);
    free(lane->value);
    memset(lane, 0, sizeof *lane);
}
