/* The plan of the rows under a header: first as its names say, or as the cells of its first row look, then completed
 * from the first rows: whether they are those of a trace, the form of the stamps, and what the rules over readings say.
 * For a later header most stays as it was. Last, whether more rows could change any of it. */
#include "formats/table/trace_plan.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"
#include "formats/table/column_rules.h"
#include "formats/table/headless.h"
#include "formats/table/node_turns.h"
#include "formats/table/swept_column.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#define NS_PER_S INT64_C(1000000000)

static void start_plan(ws_plan *plan, const ws_plan_context *context, const ws_row *row)
{
    memset(plan, 0, sizeof *plan);
    plan->line = row->line;
    plan->n_columns = row->n_cells;
    plan->time = plan->date = plan->interval = plan->node = plan->name = plan->driver = plan->number = plan->socket =
        plan->poll_mark = WS_NO_COLUMN;
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
        else if (role == WS_ROLE_DRIVER)
            take_column(&plan->driver, c);
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

static bool is_same_device(const ws_meaning *a, const ws_meaning *b)
{
    return ws_span_same(a->device, b->device) && ws_span_same(a->node, b->node) && a->quantity == b->quantity &&
           a->domain == b->domain;
}

/* "dgx01 GPU 0 Power", "dgx02 GPU 0 Power": the same but for a number, as what is counted, not what is measured twice.
 */
static bool differ_in_numbers(const char *a, const char *b)
{
    while (*a && *b) {
        bool is_digit_a = *a >= '0' && *a <= '9', is_digit_b = *b >= '0' && *b <= '9';
        if (!is_digit_a && !is_digit_b && *a++ != *b++)
            return false;
        if (is_digit_a != is_digit_b)
            return false;
        while (is_digit_a && *a >= '0' && *a <= '9')
            a++;
        while (is_digit_b && *b >= '0' && *b <= '9')
            b++;
    }
    return *a == *b;
}

static void ask_of_numbered(ws_plan *plan, const ws_plan_context *context, const ws_row *header, ws_plan_value *first,
                            ws_plan_value *second)
{
    first->ask = second->ask = WS_ASK_DEVICES;
    char columns[WS_COLUMNS_BY_NAME] = "";
    bool has = ws_columns_by_name(header, plan->time, columns, sizeof columns);
    plan->asks_of_columns = ws_arena_printf(
        context->arena,
        "'%s' and '%s' name one device and differ in a number, which may be that of a node or of a reading: %s%s "
        "takes each column for a device of its own, --columns devices=1 the first for both",
        first->name, second->name, has ? "--columns " : "a name with node1 and node2", has ? columns : "");
}

/* Two columns for one device without an order between their names: the choice is a guess, which the user should
 * know. */
static void note_same_device(ws_plan *plan, const ws_plan_context *context, const ws_row *header, ws_plan_value *first,
                             ws_plan_value *second)
{
    if (context->map->n || !ws_is_metered(first->meaning.quantity))
        return;
    if (plan->header && first->meaning.device.n && context->map->devices != 1 &&
        differ_in_numbers(first->name, second->name)) {
        ask_of_numbered(plan, context, header, first, second);
        return;
    }
    ws_notes_add(context->notes, WS_FINDING_SAME_DEVICE, context->source, second->name, plan->line,
                 "'%s' and '%s' are read as one device, and the first gives its energy (if they are several name them "
                 "with numbers, as gpu0_power, gpu1_power)",
                 first->name, second->name);
}

/* "power 2" of "power": the name and a number. */
static bool is_numbered_form(const ws_plan_value *plain, const ws_plan_value *other)
{
    char a[WS_PLAIN_NAME], b[WS_PLAIN_NAME];
    ws_span bare, name, longer;
    ws_unit_in_name(ws_span_of(plain->name), &bare);
    name = ws_plain_name(a, bare);
    ws_unit_in_name(ws_span_of(other->name), &bare);
    longer = ws_plain_name(b, bare);
    size_t n = name.n + (longer.n > name.n && longer.p[name.n] == '_');
    bool is_number = longer.n > n && name.n && memcmp(name.p, longer.p, name.n) == 0;
    for (size_t i = n; i < longer.n && is_number; i++)
        is_number = longer.p[i] >= '0' && longer.p[i] <= '9';
    return is_number;
}

/* A power of nobody, and one of the same name with a number, which no sum would hold: of another device, or of the
 * same. Beside several with numbers it may be their total. */
static void ask_of_second(ws_plan *plan, const ws_plan_context *context)
{
    ws_plan_value *plain = NULL, *second = NULL;
    size_t numbered = 0;
    for (size_t i = 0; i < plan->n_values && plan->header && !context->map->n; i++)
        for (size_t j = 0; j < plan->n_values; j++) {
            ws_plan_value *v = &plan->values[i], *w = &plan->values[j];
            bool are_powers = v->meaning.quantity == WS_POWER && w->meaning.quantity == WS_POWER;
            if (!are_powers || v->meaning.names_domain || v->meaning.device.n || w->meaning.domain != WS_OTHER ||
                !is_numbered_form(v, w))
                continue;
            plain = v, second = w;
            numbered++;
        }
    if (numbered != 1 || context->map->devices == 1 || plan->time < 0)
        return;
    plain->ask = second->ask = WS_ASK_DEVICES;
    plan->asks_of_columns =
        ws_arena_printf(context->arena,
                        "'%s' and '%s' may be of a device each, or the second a part of the first: --columns "
                        "time=#%d,power=#%u,power=#%u,domain=gpu takes both, --columns devices=1 the first alone",
                        plain->name, second->name, plan->time + 1, plain->column + 1, second->column + 1);
}

/* "cpu_core_power_w" beside "cpu_package_power_w", "GPU Core (NVVDD) Output Power" beside "GPU Power": RAPL's planes
 * and the rails of a card as HWiNFO and others name them. */
static bool names_part(const char *name)
{
    static const char *const parts[] = {"core", "cores",  "uncore", "pp0",   "pp1",   "ia",   "gt",
                                        "mem",  "memory", "hbm",    "nvvdd", "msvdd", "vram", "soc"};
    for (const char *at = name; *at;) {
        size_t n = 0;
        char word[8] = "";
        for (; isalnum((unsigned char)at[n]); n++)
            if (n < sizeof word - 1)
                word[n] = (char)tolower((unsigned char)at[n]);
        for (size_t i = 0; n && i < sizeof parts / sizeof *parts; i++)
            if (strlen(parts[i]) == n && strcmp(word, parts[i]) == 0)
                return true;
        at += n ? n : 1;
    }
    return false;
}

/* A part of a device is no rival of the device. */
static void leave_parts(ws_plan *plan)
{
    for (size_t i = 0; i < plan->n_values; i++) {
        ws_plan_value *part = &plan->values[i];
        bool is_inside = false, may_be = ws_is_metered(part->meaning.quantity) && names_part(part->name);
        for (size_t k = 0; k < plan->n_values && may_be && !is_inside; k++)
            is_inside = is_same_device(&part->meaning, &plan->values[k].meaning) && !names_part(plan->values[k].name);
        part->meaning.preference = is_inside ? WS_DOUBTFUL : part->meaning.preference;
    }
}

/* Columns of one quantity for the same device need an order: the later of two equal choices goes behind all others, of
 * which a file seldom has two, but stays one that is trusted. */
static void order_preferences(ws_plan *plan, const ws_plan_context *context, const ws_row *header)
{
    if (plan->header && !context->map->n)
        leave_parts(plan);
    for (size_t i = 0; i < plan->n_values; i++) {
        ws_meaning *m = &plan->values[i].meaning;
        for (size_t j = 0; j < i; j++) {
            const ws_meaning *other = &plan->values[j].meaning;
            if (is_same_device(m, other) && m->preference == other->preference && m->preference < WS_DOUBTFUL) {
                m->preference = i < WS_DOUBTFUL - 4 ? 3 + (int)i : WS_DOUBTFUL - 1;
                note_same_device(plan, context, header, &plan->values[j], &plan->values[i]);
            }
        }
    }
    ask_of_second(plan, context);
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

/* Of a column that the user names: its name says nothing of a device, or that of another one. */
static bool is_indistinct(const ws_plan *plan, const ws_row *header, size_t v)
{
    const ws_plan_value *value = &plan->values[v];
    bool is_known = plan->header && ws_meaning_of(header->cells[value->column]).role == WS_ROLE_VALUE;
    bool is_shared = false, is_called_alike = false;
    for (size_t w = 0; w < plan->n_values; w++) {
        is_shared |= w != v && is_same_device(&value->meaning, &plan->values[w].meaning);
        is_called_alike |= w != v && plan->header && strcmp(value->name, plan->values[w].name) == 0;
    }
    if (is_called_alike)
        return true;
    return value->meaning.device.n || (!is_known && value->meaning.names_domain) ? is_shared : !is_known;
}

static size_t entries_of(const ws_map *map, ws_quantity quantity)
{
    size_t n = 0;
    for (size_t i = 0; i < map->n; i++) {
        if (ws_is_identity(map->columns[i].meaning.role))
            return 0;
        n += map->columns[i].meaning.role == WS_ROLE_VALUE && map->columns[i].meaning.quantity == quantity;
    }
    return n;
}

/* The column's name; of two alike, with its place. */
static ws_span name_of_its_own(const ws_plan *plan, ws_arena *arena, size_t v)
{
    const ws_plan_value *value = &plan->values[v];
    for (size_t w = 0; w < v; w++)
        if (strcmp(plan->values[w].name, value->name) == 0)
            return ws_span_of(ws_arena_printf(arena, "%s #%u", value->name, value->column + 1));
    return ws_span_of(value->name);
}

/* Several powers or energies that the user names, and no column tells whose row it is: devices=2 in the map says that
 * two of them are a device each, devices=1 that they are of one. */
static void tell_mapped_apart(ws_plan *plan, const ws_plan_context *context, const ws_row *header)
{
    static const ws_quantity metered[] = {WS_POWER, WS_ENERGY_COUNTER, WS_ENERGY_INTERVAL};
    bool *is = ws_arena_alloc(context->arena, (plan->n_values + 1) * sizeof *is);
    for (size_t q = 0; q < sizeof metered / sizeof *metered; q++) {
        size_t n = 0, entries = entries_of(context->map, metered[q]);
        for (size_t v = 0; entries > 1 && v < plan->n_values; v++) {
            is[v] = plan->values[v].meaning.quantity == metered[q] && is_indistinct(plan, header, v);
            n += is[v];
        }
        if (entries < 2)
            continue;
        if (n > 1 && !context->map->devices)
            plan->asks_of_columns =
                "--columns names several columns of one kind, and their names do not say of which devices: devices=N "
                "behind them, as in power=#2,power=#3,devices=2, takes each for a device of its own, devices=1 all "
                "for readings of one";
        plan->columns_are_devices =
            context->map->devices > 1 && (context->map->devices == entries || (n > 1 && context->map->devices == n));
        for (size_t v = 0; plan->columns_are_devices && v < plan->n_values; v++)
            if (is[v])
                plan->values[v].meaning.device = name_of_its_own(plan, context->arena, v);
        for (size_t v = 0; plan->asks_of_columns && v < plan->n_values; v++)
            if (is[v])
                plan->values[v].ask = WS_ASK_DEVICES;
        return;
    }
}

/* "sec,mw": the whole name is the unit of a power. NULL: it is none, or W. */
static const ws_unit *unit_as_name(ws_arena *arena, ws_span name)
{
    ws_span bare;
    const char *behind = ws_arena_printf(arena, "power_%.*s", WS_SPAN_ARG(ws_span_trim(name)));
    const ws_unit *unit = ws_unit_in_name(ws_span_of(behind), &bare);
    return unit && unit->dimension == WS_DIM_POWER && unit->to_si != 1 && ws_span_eq(bare, "power") ? unit : NULL;
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
        if (ws_is_energy(m.quantity) && map->energy_unit)
            m.unit = map->energy_unit;
        if (m.quantity == WS_POWER && !m.unit && plan->header)
            m.unit = unit_as_name(context->arena, row->cells[c]);
        const ws_unit *unit = m.quantity == WS_POWER && map->unit ? map->unit
                              : m.unit                            ? m.unit
                                                                  : ws_usual_unit(m.quantity);
        const char *name = plan->header ? ws_arena_strndup(context->arena, row->cells[c].p, row->cells[c].n)
                                        : ws_arena_printf(context->arena, "#%u", c + 1);
        m.device.p = ws_arena_strndup(context->arena, m.device.n ? m.device.p : "", m.device.n);
        m.node.p = ws_arena_strndup(context->arena, m.node.n ? m.node.p : "", m.node.n);
        plan->values[plan->n_values++] = (ws_plan_value){.column = c,
                                                         .name = name,
                                                         .meaning = m,
                                                         .to_si = unit ? unit->to_si : 1,
                                                         .unit_is_given = m.quantity == WS_POWER && map->unit,
                                                         .is_counter = m.quantity == WS_ENERGY_COUNTER};
    }
    tell_mapped_apart(plan, context, row);
    plan->is_wide = is_wide(plan, map->gives_domain ? map->domain : WS_GPU);
    order_preferences(plan, context, row);
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
    plan->stamps.unit = context->map->time_unit ? context->map->time_unit : plan->stamps.unit;
    if (plan->header && plan->time >= 0)
        take_perfmon_head(plan, row->cells[plan->time]);
    place_values(plan, context, meanings, row);
    if (plan->n_values)
        return WS_OK;
    if (!plan->header)
        return ws_fail_remedy(
            error, WS_REMEDY_ANSWER, NULL,
            ws_fail_at(error, WS_DATA, context->source, row->line, WS_HEADLESS " (--columns names them)"));
    enum { LISTED = 240 }; /* signs of the header, so that the map behind them is whole */
    char columns[WS_COLUMNS_BY_NAME] = "";
    ws_columns_by_name(row, plan->time, columns, sizeof columns);
    const char *list = ws_list_cells(context->arena, row->cells, row->n_cells);
    ws_status status =
        ws_fail_at(error, WS_DATA, context->source, row->line,
                   "no column of power, energy or utilisation is known here (there are: %.*s%s); name one, as in "
                   "--columns %s",
                   LISTED, list, strlen(list) > LISTED ? " ..." : "", *columns ? columns : WS_UNNAMED_POWER);
    return ws_fail_remedy(error, WS_REMEDY_COLUMNS, columns, status);
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

/* --- completed from the first rows --- */

/* A cell of a table of runs may hold a whole series: "49.68,57.02,55.76,108.37". */
static ws_status refuse_run_tables(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                   ws_error *error)
{
    uint32_t found = 0;
    size_t first = 0; /* counted from 1 */
    for (uint32_t c = 0; c < sample->n_columns; c++) {
        size_t row = sample->columns[c].first_series;
        if (row && (!first || row < first))
            first = row, found = c;
    }
    return first ? ws_fail_at(error, WS_FORMAT, context->source, sample->rows[first - 1]->line,
                              "column '%s' holds a whole series in one cell: this is a table of runs and no trace",
                              plan->header ? plan->header[found] : "")
                 : WS_OK;
}

/* --- stamps --- */

/* A date column is redundant beside a column with the full stamp. */
static void drop_redundant_date(ws_plan *plan, const ws_trace_sample *sample)
{
    char buffer[WS_STAMP_CELLS];
    ws_span time = ws_row_cell(sample->rows[0], plan->time), date = ws_row_cell(sample->rows[0], plan->date);
    if (ws_stamp_guess(ws_plan_stamp(plan, sample->rows[0], buffer)) != WS_STAMP_NONE)
        return;
    if (!ws_cell_is_date(time) && ws_cell_is_date(date))
        plan->time = plan->date;
    plan->date = WS_NO_COLUMN;
}

/* The length of up to three words in front of a date; 0: none. */
static size_t stamp_prefix_length(ws_span cell)
{
    enum { MOST_WORDS = 3 };
    ws_span rest = cell, word;
    for (int i = 0; i < MOST_WORDS && ws_span_word(&rest, &word); i++)
        if (ws_cell_is_date(ws_span_trim(rest)))
            return (size_t)(word.p + word.n - cell.p);
    return 0;
}

/* Spreadsheets count days from 1900. Read as seconds, day numbers of this century would be a log that begins after ten
 * hours and has over a thousand samples a second, as no sampler writes. */
static bool are_day_numbers(const ws_plan *plan, const ws_trace_sample *sample)
{
    const int64_t least = WS_DAY_NUMBER_FIRST * NS_PER_S, most = WS_DAY_NUMBER_LAST * NS_PER_S;
    int64_t *t =
        plan->stamps.form == WS_STAMP_ELAPSED && !plan->stamps.unit ? ws_trace_sample_stamps(plan, sample) : NULL;
    bool are = t && sample->n > 1 && t[0] >= least && t[sample->n - 1] <= most && t[sample->n - 1] > t[0] &&
               t[sample->n - 1] - t[0] < (int64_t)sample->n * NS_PER_S / WS_MOST_ROWS_A_SECOND;
    free(t);
    return are;
}

/* "[2026-02-11 08:00:00] 61.20 W" */
static bool has_stamp_in_brackets(ws_span cell)
{
    ws_span stamp, behind, rest = ws_span_trim(cell);
    double value;
    return rest.n && *rest.p == '[' && ws_span_cut((ws_span){rest.p + 1, rest.n - 1}, "]", &stamp, &behind) &&
           ws_cell_is_date(ws_span_trim(stamp)) && ws_span_number(ws_span_trim(behind), &value, &rest);
}

/* "0: 2026/02/11 08:00:00" of srun -l, "Feb11 2026/02/11 08:00:00" of ts: with such a prefix the column is not
 * recognised as the time. */
static void note_prefixed_stamp(const ws_plan_context *context, const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_span cell = row->cells[c];
        size_t n = stamp_prefix_length(cell);
        bool is_name = n > 1 && cell.p[n - 1] == ':';
        if (n)
            ws_notes_add(context->notes, WS_FINDING_PREFIXED_STAMP, context->source, "", row->line,
                         "a stamp stands behind '%.*s' in one cell and is not read: take off what the launcher put in "
                         "front of each line, and keep what it tells apart in files of their own%s",
                         (int)n, cell.p,
                         is_name ? " (sed -E 's/^([^: ]+): */\\1, /' FILE makes a column of the node of it, where the "
                                   "rows have no header)"
                                 : "");
        if (!c && has_stamp_in_brackets(cell))
            ws_notes_add(context->notes, WS_FINDING_PREFIXED_STAMP, context->source, "", row->line,
                         "a stamp in brackets stands in one cell with a reading and is not read: sed -E "
                         "'s/^ *\\[([^]]*)\\] */\\1, /' FILE parts them");
    }
}

/* Seconds since 1970 of no log: a clock that counts nanoseconds from the start of a machine looks like milliseconds or
 * microseconds of other centuries. */
static bool has_odd_epoch(const ws_plan *plan, const ws_trace_sample *sample)
{
    int64_t *t = plan->stamps.form == WS_STAMP_EPOCH && !plan->stamps.form_is_given
                     ? ws_trace_sample_stamps(plan, sample)
                     : NULL;
    bool is_odd = t && !ws_is_time_of_log(t[0]);
    free(t);
    return is_odd;
}

static ws_status settle_stamps(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                               ws_error *error)
{
    char buffer[WS_STAMP_CELLS];
    size_t good = 0, ambiguous = 0;
    if (plan->time < 0 && sample->n)
        note_prefixed_stamp(context, sample->rows[0]);
    if (plan->time < 0 || !sample->n)
        return WS_OK;
    if (plan->date >= 0)
        drop_redundant_date(plan, sample);
    for (size_t i = 0; i < sample->n; i++)
        good += ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, sample->rows[i], buffer));
    const ws_row *first = sample->rows[0];
    ws_span stamp = ws_plan_stamp(plan, first, buffer);
    if (!good)
        return ws_fail_at(error, WS_DATA, context->source, first->line, "'%.*s' is not a time stamp known here",
                          WS_SPAN_ARG(stamp));
    if (are_day_numbers(plan, sample))
        return ws_fail_at(error, WS_DATA, context->source, first->line,
                          "'%.*s' is the day number of a spreadsheet: save the column as date and time",
                          WS_SPAN_ARG(stamp));
    if (has_odd_epoch(plan, sample))
        return ws_fail_remedy(
            error, WS_REMEDY_ANSWER, NULL,
            ws_fail_at(error, WS_DATA, context->source, first->line,
                       "'%.*s' is no time of this century in s, ms, us or ns since 1970: if it counts from another "
                       "start, --columns unit=ns (or us, ms, s) says what",
                       WS_SPAN_ARG(stamp)));
    for (size_t i = 0; i < sample->n; i++)
        ambiguous += ws_timecol_is_ambiguous(&plan->stamps, ws_plan_stamp(plan, sample->rows[i], buffer));
    stamp = ws_plan_stamp(plan, first, buffer);
    plan->stamps.is_guessed = ambiguous == good;
    if (plan->stamps.is_guessed)
        ws_notes_add(context->notes, WS_FINDING_DAY_FIRST, context->source, "", first->line,
                     "'%.*s' could have day or month first: day first is taken (--columns dates=month-first says "
                     "otherwise)",
                     WS_SPAN_ARG(stamp));
    return WS_OK;
}

/* --- what the readings say --- */

/* A power without a unit, or one of a meter, whose volts and amperes may prove it. */
static bool has_open_power(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (plan->values[v].meaning.quantity == WS_POWER &&
            (!plan->values[v].meaning.unit || plan->values[v].meaning.domain == WS_NODE))
            return true;
    return false;
}

static bool has_energy(const ws_plan *plan)
{
    for (size_t v = 0; v < plan->n_values; v++)
        if (ws_is_energy(plan->values[v].meaning.quantity))
            return true;
    return false;
}

/* A power or energy whose name leaves open whose it is: where no column marks the log as one of GPUs, or where
 * processors or memory have powers of their own. */
static bool may_name_nobody(const ws_plan *plan)
{
    bool may = plan->header && !plan->is_marked;
    for (size_t v = 0; v < plan->n_values; v++)
        may |= plan->values[v].meaning.domain == WS_CPU || plan->values[v].meaning.domain == WS_DRAM;
    return may;
}

/* The table that the rules over readings work on. */
static ws_columns columns_of(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                             ws_error *error)
{
    ws_columns t = {.context = context,
                    .plan = plan,
                    .n = plan->n_columns,
                    .sample = sample,
                    .least_zones = 2,
                    .zones = WS_NO_COLUMN,
                    .tables = {&ws_identity_rules, &ws_reading_rules, may_name_nobody(plan) ? &ws_owner_rules : NULL,
                               has_open_power(plan) ? &ws_power_rules : NULL,
                               has_energy(plan) ? &ws_energy_rules : NULL},
                    .error = error};
    t.value = ws_alloc((t.n + 1) * sizeof *t.value);
    t.steps = ws_alloc((t.n + 1) * sizeof *t.steps);
    t.level = ws_alloc((t.n + 1) * sizeof *t.level);
    for (size_t v = 0; v < plan->n_values; v++)
        t.value[plan->values[v].column] = &plan->values[v];
    return t;
}

static void free_columns(ws_columns *t)
{
    free(t->value);
    free(t->steps);
    free(t->level);
    free(t->t_ns);
}

/* Everything but the stamps. */
static ws_status decide_readings(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                                 ws_error *error)
{
    ws_columns t = columns_of(plan, context, sample, error);
    t.t_ns = ws_trace_sample_stamps(plan, sample);
    ws_status status = ws_columns_decide(&t, WS_FACTS_OF_READINGS);
    free_columns(&t);
    return status;
}

/* Of a later header: what tells its devices apart, which may be zones of RAPL where that was so before. */
static void decide_identity(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample,
                            bool may_name_zones)
{
    ws_columns t = columns_of(plan, context, sample, NULL);
    t.least_zones = may_name_zones ? 1 : SIZE_MAX;
    ws_columns_decide(&t, WS_FACT(ZONES) | WS_FACT(NO_ID) | WS_FACT(IDENTITY) | WS_FACT(NUMBER) | WS_FACT(SOCKET));
    free_columns(&t);
}

/* --- the parts together --- */

ws_status ws_plan_settle(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample, ws_error *error)
{
    ws_status status = refuse_run_tables(plan, context, sample, error);
    if (status == WS_OK)
        status = settle_stamps(plan, context, sample, error);
    if (status == WS_OK)
        status = decide_readings(plan, context, sample, error);
    bool has_dates = plan->stamps.form != WS_STAMP_ELAPSED && plan->stamps.form != WS_STAMP_CLOCK;
    if (status == WS_OK && !has_dates)
        ws_plan_ask_of_sweep(plan, context, sample);
    plan->is_settled = status == WS_OK;
    return status;
}

/* Values of columns with the same name keep their units. */
static void take_over_values(ws_plan *plan, const ws_plan *before)
{
    for (size_t i = 0; i < plan->n_values; i++) {
        for (size_t j = 0; j < before->n_values; j++) {
            if (strcmp(plan->values[i].name, before->values[j].name) == 0) {
                plan->values[i].to_si = before->values[j].to_si;
                plan->values[i].is_counter = before->values[j].is_counter;
                plan->values[i].meaning.preference = before->values[j].meaning.preference;
            }
        }
    }
}

void ws_plan_settle_after(ws_plan *plan, const ws_plan_context *context, const ws_plan *before, const ws_row *first)
{
    char buffer[WS_STAMP_CELLS];
    uint32_t turn = 0;
    ws_trace_sample sample = ws_trace_sample_of(context->arena, &first, &turn, 1, plan->n_columns);
    plan->stamps.form = before->stamps.form;
    plan->stamps.is_guessed = before->stamps.is_guessed;
    plan->uses_date_lines = before->uses_date_lines;
    plan->takes_bare_stamps = before->takes_bare_stamps;
    plan->commas = before->commas;
    if (plan->time >= 0 && !ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, first, buffer))) {
        plan->stamps.form = WS_STAMP_NONE;
        if (!ws_timecol_settle(&plan->stamps, ws_plan_stamp(plan, first, buffer)))
            return;
    }
    decide_identity(plan, context, &sample, before->has_sockets);
    if (before->identity != WS_ROLE_UNKNOWN && plan->ids[before->identity] >= 0)
        plan->identity = before->identity;
    if (plan->identity == before->identity) {
        plan->n_ids = before->n_ids;
        plan->positions = before->positions;
        plan->poll_ns = before->poll_ns;
        plan->poll_step_ns = before->poll_step_ns;
        plan->drops_repeats = before->drops_repeats;
        plan->ask = before->ask;
        plan->has_rows_domain = before->has_rows_domain;
        plan->rows_domain = before->rows_domain;
        plan->assumed = before->assumed;
    }
    take_over_values(plan, before);
    plan->is_settled = true;
}

/* --- do the first rows settle the plan for good? --- */

/* Forms that no later stamp can put in doubt, unlike 01/02/2026 or seconds that may count from the start of the
 * trace. */
static bool has_certain_stamps(const ws_plan *plan)
{
    return plan->time >= 0 && plan->date < 0 &&
           (plan->stamps.form == WS_STAMP_YMD || plan->stamps.form == WS_STAMP_EPOCH);
}

/* Several devices that come again are reliably told apart. A single one may be the only device, or the column may not
 * tell devices apart at all: then only a uuid or a bus id is certain. */
static bool has_certain_devices(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    ws_role role = plan->identity;
    if (plan->is_wide || plan->positions > 1 || role == WS_ROLE_UNKNOWN || role == WS_ROLE_NAME)
        return false;
    size_t n = ws_trace_sample_count(sample, plan->ids[role]);
    return !ws_plan_may_be_of_nodes(plan, context) && n < sample->n &&
           (n > 1 || role == WS_ROLE_UUID || role == WS_ROLE_BUS) && ws_plan_has_plain_steps(plan, sample);
}

/* Is some reading a power that a GPU can draw, in the unit of the column and in no smaller one, or does it state its
 * unit? */
static bool has_usual_reading(const ws_plan_value *value, const ws_trace_sample *sample)
{
    double most_w = value->meaning.unit ? WS_GPU_MOST_W : WS_BARE_LEAST_MW;
    for (size_t i = 0; i < sample->n; i++) {
        double number;
        ws_span rest;
        if (ws_span_number(ws_row_cell(sample->rows[i], (int32_t)value->column), &number, &rest) &&
            (ws_unit_find(rest) || (number * value->to_si >= WS_GPU_LEAST_W && number * value->to_si < most_w)))
            return true;
    }
    return false;
}

static bool has_certain_unit(const ws_plan_value *value, const ws_trace_sample *sample)
{
    switch (value->meaning.quantity) {
    case WS_POWER:
        return value->unit_is_given || (value->meaning.unit && value->meaning.domain != WS_GPU) ||
               has_usual_reading(value, sample);
    case WS_ENERGY_INTERVAL:
        return value->meaning.names_energy && value->meaning.unit;
    case WS_ENERGY_COUNTER: /* it may stand still in all of the first rows */
    case WS_UTIL:
    case WS_MEM_UTIL:
        return value->meaning.unit != NULL;
    default:
        return true;
    }
}

bool ws_plan_is_certain(const ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    if (!plan->header || context->map->devices || plan->interval >= 0 || !has_certain_stamps(plan) ||
        !has_certain_devices(plan, context, sample))
        return false;
    for (size_t v = 0; v < plan->n_values; v++)
        if (!has_certain_unit(&plan->values[v], sample))
            return false;
    return true;
}
