/* The plan that a header leads to, before any row of data was looked at. */
#include "formats/table/trace_plan.h"

#include <math.h>
#include <string.h>

bool ws_plan_uses(const ws_plan *plan, uint32_t column)
{
    int32_t c = (int32_t)column;
    bool is_used = c == plan->time || c == plan->date || c == plan->interval || c == plan->node || c == plan->name;
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++)
        is_used |= c == plan->ids[role];
    for (size_t v = 0; v < plan->n_values; v++)
        is_used |= column == plan->values[v].column;
    return is_used;
}

static bool map_names_columns(const ws_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (*map->columns[i].column != '#')
            return true;
    return false;
}

static bool has_all_of_map(const ws_row *row, const ws_map *map)
{
    uint32_t column;
    for (size_t i = 0; i < map->n; i++)
        if (!ws_map_find(map->columns[i].column, row->cells, row->n_cells, &column))
            return false;
    return true;
}

/* Names instead of readings. Whole numbers may name the devices of a wide file, but only beside a name for the time:
 * "timestamp,0,1,2,3". */
bool ws_row_is_header(const ws_row *row, const ws_map *map)
{
    if (map->gives_header && !map->has_header)
        return false;
    if (map_names_columns(map) && has_all_of_map(row, map))
        return true;
    size_t known = 0, times = 0, numbers = 0;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        double value;
        int64_t whole;
        ws_span rest, cell = row->cells[c];
        bool is_number = ws_span_number(cell, &value, &rest);
        if (ws_cell_is_date(cell) || (is_number && (rest.n || !ws_span_i64(cell, &whole))))
            return false;
        ws_role role = is_number ? WS_ROLE_UNKNOWN : ws_meaning_of(cell).role;
        known += role != WS_ROLE_UNKNOWN;
        times += role == WS_ROLE_TIME || role == WS_ROLE_DATE;
        numbers += is_number;
    }
    return numbers ? times > 0 : known > 0;
}

static void start_plan(ws_plan *plan, const ws_plan_context *context, const ws_row *row)
{
    memset(plan, 0, sizeof *plan);
    plan->line = row->line;
    plan->n_columns = row->n_cells;
    plan->time = plan->date = plan->interval = plan->node = plan->name = plan->number = plan->socket = plan->poll_mark =
        WS_NO_COLUMN;
    for (int r = 0; r < WS_ROLE_N; r++)
        plan->ids[r] = WS_NO_COLUMN;
    plan->stamps.zone = context->zone;
    plan->stamps.may_have_comma = context->delimiter != ',';
    plan->stamps.form = context->map->dates;
    plan->stamps.form_is_given = context->map->dates != WS_STAMP_NONE;
}

static void take_column(int32_t *slot, uint32_t column)
{
    if (*slot < 0)
        *slot = (int32_t)column;
}

static void place_roles(ws_plan *plan, const ws_meaning *meanings)
{
    int32_t daytime = WS_NO_COLUMN;
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        ws_role role = meanings[c].role;
        if (role == WS_ROLE_TIME && plan->time < 0)
            plan->stamps.unit = meanings[c].unit;
        if (role == WS_ROLE_PART && plan->ids[role] < 0)
            plan->part_domain = meanings[c].domain;
        if (role == WS_ROLE_PART && meanings[c].domain == WS_CPU)
            take_column(&plan->socket, c);
        if (role == WS_ROLE_INTERVAL && plan->interval < 0)
            plan->interval_to_s = meanings[c].unit ? meanings[c].unit->to_si : 1;
        if (role == WS_ROLE_TIME)
            take_column(&plan->time, c);
        else if (role == WS_ROLE_DATE)
            take_column(&plan->date, c);
        else if (role == WS_ROLE_DAYTIME)
            take_column(&daytime, c);
        else if (role == WS_ROLE_INTERVAL)
            take_column(&plan->interval, c);
        else if (role == WS_ROLE_NODE)
            take_column(&plan->node, c);
        else if (ws_is_identity(role))
            take_column(&plan->ids[role], c);
    }
    plan->name = plan->ids[WS_ROLE_NAME];
    if (daytime >= 0 && (plan->time < 0 || plan->date >= 0))
        plan->time = daytime;
    if (plan->time < 0) {
        plan->time = plan->date;
        plan->date = WS_NO_COLUMN;
    }
}

/* Two columns for one device without an order between their names: the choice is a guess, which the user should
 * know. */
static void note_same_device(const ws_plan *plan, const ws_plan_context *context, const ws_plan_value *first,
                             const ws_plan_value *second)
{
    if (context->map->n || !ws_is_metered(first->meaning.quantity))
        return;
    ws_notes_add(context->notes, WS_FINDING_SAME_DEVICE, context->source, second->name, plan->line,
                 "'%s' and '%s' are read as one device, and the first gives its energy (if they are several name them "
                 "with numbers, as gpu0_power, gpu1_power)",
                 first->name, second->name);
}

/* Columns of one quantity for the same device need an order: the later of two equal choices goes behind all others. */
static void order_preferences(ws_plan *plan, const ws_plan_context *context)
{
    for (size_t i = 0; i < plan->n_values; i++) {
        ws_meaning *m = &plan->values[i].meaning;
        for (size_t j = 0; j < i; j++) {
            const ws_meaning *other = &plan->values[j].meaning;
            if (ws_span_same(m->device, other->device) && m->quantity == other->quantity &&
                m->domain == other->domain && m->preference == other->preference) {
                m->preference = 3 + (int)i;
                note_same_device(plan, context, &plan->values[j], &plan->values[i]);
            }
        }
    }
}

/* In a wide file the value columns name their devices. If instead a column names the device of each row and some value
 * belongs to it, value columns with other names belong to the node of the row. */
static bool is_wide(const ws_plan *plan, ws_domain of_rows)
{
    bool names_devices = false, has_ids = false, has_own = false;
    for (size_t i = 0; i < plan->n_values; i++) {
        const ws_meaning *m = &plan->values[i].meaning;
        names_devices |= m->device.n > 0;
        has_own |= !m->device.n && m->domain == of_rows;
    }
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++)
        has_ids |= plan->ids[role] >= 0;
    return names_devices && !(has_ids && has_own);
}

/* A column that only logs of GPUs have. */
static bool marks_gpu(const ws_meaning *m, ws_span name)
{
    static const ws_quantity marks[] = {WS_MEM_UTIL, WS_MEM_USED, WS_CLOCK, WS_POWER_LIMIT};
    char buffer[WS_PLAIN_NAME];
    bool is_mark = m->role >= WS_ROLE_UUID && m->role <= WS_ROLE_GPU;
    for (size_t i = 0; m->role == WS_ROLE_VALUE && m->domain == WS_GPU && i < sizeof marks / sizeof *marks; i++)
        is_mark |= m->quantity == marks[i];
    bool is_power = m->role == WS_ROLE_VALUE && ws_is_metered(m->quantity);
    return is_mark || (is_power && m->names_domain && m->domain == WS_GPU) ||
           ws_span_contains(ws_plain_name(buffer, name), "gpu");
}

static void place_values(ws_plan *plan, const ws_plan_context *context, const ws_meaning *meanings, const ws_row *row)
{
    const ws_map *map = context->map;
    plan->values = ws_arena_alloc(context->arena, (plan->n_columns + 1) * sizeof *plan->values);
    for (uint32_t c = 0; c < plan->n_columns; c++) {
        ws_meaning m = meanings[c];
        plan->is_about_gpus |= m.role == WS_ROLE_VALUE && m.names_domain && m.domain == WS_GPU;
        plan->is_about_gpus |= m.role >= WS_ROLE_UUID && m.role <= WS_ROLE_GPU;
        plan->is_marked |= marks_gpu(&m, row->cells[c]);
        if (m.role != WS_ROLE_VALUE)
            continue;
        if (ws_is_metered(m.quantity) && map->gives_domain && !m.is_total)
            m.domain = map->domain;
        const ws_unit *unit = m.quantity == WS_POWER && map->unit ? map->unit
                              : m.unit                            ? m.unit
                                                                  : ws_usual_unit(m.quantity);
        const char *name = plan->header ? ws_arena_strndup(context->arena, row->cells[c].p, row->cells[c].n)
                                        : ws_arena_printf(context->arena, "#%u", c + 1);
        m.device.p = ws_arena_strndup(context->arena, m.device.n ? m.device.p : "", m.device.n);
        plan->values[plan->n_values++] = (ws_plan_value){.column = c,
                                                         .name = name,
                                                         .meaning = m,
                                                         .to_si = unit ? unit->to_si : 1,
                                                         .unit_is_given = m.quantity == WS_POWER && map->unit,
                                                         .is_counter = m.quantity == WS_ENERGY_COUNTER};
    }
    plan->is_wide = is_wide(plan, map->gives_domain ? map->domain : WS_GPU);
    order_preferences(plan, context);
}

/* Windows' performance counters: month first in any country, and the minutes that the zone is behind UTC. */
static void take_perfmon_head(ws_plan *plan, ws_span head)
{
    int64_t minutes;
    size_t at = head.n;
    if (!ws_is_perfmon_head(head))
        return;
    while (at && head.p[at - 1] != '(')
        at--;
    if (!plan->stamps.form_is_given)
        plan->stamps.form = WS_STAMP_MDY;
    plan->stamps.form_is_given = true;
    ws_span number = {head.p + at, head.n - at};
    number.n -= number.n && number.p[number.n - 1] == ')';
    if (plan->stamps.zone == WS_ZONE_NONE && ws_span_i64(number, &minutes) && minutes > -15 * 60 && minutes < 15 * 60)
        plan->stamps.zone = (int32_t)(-60 * minutes);
}

static ws_status finish_plan(ws_plan *plan, const ws_plan_context *context, const ws_meaning *meanings,
                             const ws_row *row, ws_error *error)
{
    place_roles(plan, meanings);
    if (plan->header && plan->time >= 0)
        take_perfmon_head(plan, row->cells[plan->time]);
    place_values(plan, context, meanings, row);
    if (plan->n_values)
        return WS_OK;
    if (!plan->header)
        return ws_fail_at(error, WS_DATA, context->source, row->line,
                          "no header and no units, so that no column can be told: name them, as in "
                          "--columns time=#1,power=#2,header=no");
    return ws_fail_at(error, WS_DATA, context->source, row->line,
                      "no column of power, energy or utilisation is known here (there are: %s); name one, as in "
                      "--columns power=NAME",
                      ws_list_cells(context->arena, row->cells, row->n_cells));
}

ws_status ws_plan_from_header(ws_plan *plan, const ws_plan_context *context, const ws_row *header, ws_error *error)
{
    ws_meaning *meanings;
    start_plan(plan, context, header);
    plan->header = ws_arena_alloc(context->arena, header->n_cells * sizeof *plan->header);
    for (uint32_t c = 0; c < header->n_cells; c++)
        plan->header[c] = ws_arena_strndup(context->arena, header->cells[c].p, header->cells[c].n);
    ws_status status = ws_meanings_of_names(&meanings, plan, context, header, error);
    return status == WS_OK ? finish_plan(plan, context, meanings, header, error) : status;
}

ws_status ws_plan_from_cells(ws_plan *plan, const ws_plan_context *context, const ws_row *first, ws_error *error)
{
    ws_meaning *meanings;
    start_plan(plan, context, first);
    ws_status status = ws_meanings_of_names(&meanings, plan, context, first, error);
    return status == WS_OK ? finish_plan(plan, context, meanings, first, error) : status;
}
