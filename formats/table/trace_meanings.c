#include "formats/table/trace_meanings.h"

#include "formats/table/rapl_zone.h"

#include <stdlib.h>
#include <string.h>

/* A key of the map stands in for every column that it could mean, and whoever names what the energy rests upon wants no
 * other energy. */
static bool replaces(const ws_meaning *from_map, const ws_meaning *automatic)
{
    if (from_map->role == WS_ROLE_VALUE) {
        return automatic->role == WS_ROLE_VALUE &&
               (automatic->quantity == from_map->quantity ||
                (ws_is_metered(from_map->quantity) && ws_is_energy(automatic->quantity)));
    }
    if (ws_is_identity(from_map->role))
        return ws_is_identity(automatic->role);
    return automatic->role == from_map->role ||
           (from_map->role == WS_ROLE_TIME && (automatic->role == WS_ROLE_DATE || automatic->role == WS_ROLE_DAYTIME));
}

/* Several mapped columns of one quantity are one a device, and their names tell which. A single one is the reading of
 * the row's device, whatever it is called ("draw_mw"). */
static bool is_one_of_several(const ws_map *map, const ws_map_column *entry)
{
    size_t same = 0;
    for (size_t i = 0; i < map->n; i++) {
        if (ws_is_identity(map->columns[i].meaning.role))
            return false;
        same += map->columns[i].meaning.role == WS_ROLE_VALUE &&
                map->columns[i].meaning.quantity == entry->meaning.quantity;
    }
    return same > 1;
}

static void take_from_map(ws_meaning *m, const ws_map *map, const ws_map_column *from, ws_span header_cell,
                          int preference)
{
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(header_cell, &bare);
    ws_meaning automatic = ws_meaning_of(header_cell);
    *m = from->meaning;
    m->preference = preference;
    m->domain = WS_GPU;
    if (m->role == WS_ROLE_VALUE && unit && unit->dimension == ws_quantity_dimension(m->quantity))
        m->unit = unit;
    if (m->role == WS_ROLE_TIME && unit && unit->dimension == WS_DIM_TIME)
        m->unit = unit;
    bool names_device = automatic.device.n > 0;
    if (m->role == WS_ROLE_VALUE && automatic.role == WS_ROLE_VALUE &&
        (!names_device || is_one_of_several(map, from))) {
        m->domain = automatic.domain;
        m->names_domain = automatic.names_domain;
        m->device = automatic.device;
        m->device_number = automatic.device_number;
    }
}

static ws_status apply_map(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row, bool has_header,
                           ws_error *error)
{
    const ws_map *map = context->map;
    int used[WS_QUANTITY_N] = {0};
    for (size_t i = 0; i < map->n; i++)
        for (uint32_t c = 0; c < row->n_cells; c++)
            if (replaces(&map->columns[i].meaning, &meanings[c]))
                meanings[c].role = WS_ROLE_UNUSED;
    for (size_t i = 0; i < map->n; i++) {
        uint32_t c;
        const ws_map_column *entry = &map->columns[i];
        if (!ws_map_find(entry->column, has_header ? row->cells : NULL, row->n_cells, &c)) {
            const char *place = has_header
                                    ? ws_list_cells(context->arena, row->cells, row->n_cells)
                                    : ws_arena_printf(context->arena, "no header, columns #1 to #%u", row->n_cells);
            return ws_fail_at(error, WS_USAGE, context->source, row->line,
                              "no column '%s' for '%s' of the column map (there are: %s)", entry->column, entry->key,
                              place);
        }
        ws_span name = has_header ? row->cells[c] : (ws_span){"", 0};
        take_from_map(&meanings[c], map, entry, name, used[entry->meaning.quantity]++);
    }
    return WS_OK;
}

/* Whole numbers beside a time column are the devices of a wide file: "timestamp,0,1,2,3". */
static void take_numbers_as_devices(ws_meaning *meanings, const ws_row *row)
{
    bool has_time = false;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        has_time |= meanings[c].role == WS_ROLE_TIME || meanings[c].role == WS_ROLE_DATE;
        if (meanings[c].role == WS_ROLE_VALUE)
            return;
    }
    for (uint32_t c = 0; has_time && c < row->n_cells; c++) {
        int64_t number;
        if (meanings[c].role == WS_ROLE_UNKNOWN && ws_span_i64(row->cells[c], &number) && number >= 0 && number < 1024)
            meanings[c] = (ws_meaning){.role = WS_ROLE_VALUE,
                                       .quantity = WS_POWER,
                                       .domain = WS_GPU,
                                       .device = row->cells[c],
                                       .device_number = number};
    }
}

/* "power_0,power_1": of GPUs, where there are several numbers. */
static void take_numbered_values(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    ws_meaning *numbered = ws_alloc((row->n_cells + 1) * sizeof *numbered);
    size_t n = 0;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_span cell = row->cells[c];
        numbered[c] = (ws_meaning){.role = WS_ROLE_UNKNOWN};
        if (meanings[c].role != WS_ROLE_UNKNOWN || !cell.n || cell.p[cell.n - 1] < '0' || cell.p[cell.n - 1] > '9')
            continue;
        numbered[c] = ws_meaning_of(ws_span_of(ws_arena_printf(context->arena, "gpu %.*s", WS_SPAN_ARG(cell))));
        if (numbered[c].role == WS_ROLE_VALUE && numbered[c].device.n)
            n++;
        else
            numbered[c].role = WS_ROLE_UNKNOWN;
    }
    for (uint32_t c = 0; n > 1 && c < row->n_cells; c++)
        if (numbered[c].role == WS_ROLE_VALUE)
            meanings[c] = numbered[c];
    free(numbered);
}

static size_t count_devices(const ws_meaning *meanings, uint32_t n)
{
    size_t devices = 0;
    for (uint32_t c = 0; c < n; c++)
        devices += meanings[c].role == WS_ROLE_VALUE && meanings[c].device.n && !meanings[c].is_total;
    return devices;
}

/* Parts of a total: columns of devices, or domains. NULL where there are fewer than two; else the first part. */
static const ws_meaning *find_parts(const ws_meaning *meanings, uint32_t n)
{
    const ws_meaning *first = NULL;
    bool has_domain[WS_DOMAIN_N] = {false};
    size_t parts = count_devices(meanings, n);
    for (uint32_t c = 0; c < n; c++) {
        const ws_meaning *m = &meanings[c];
        if (m->role != WS_ROLE_VALUE || m->quantity != WS_POWER || m->is_total)
            continue;
        first = first ? first : m;
        parts += m->names_domain && !m->device.n && !has_domain[m->domain];
        has_domain[m->domain] = true;
    }
    return parts < 2 ? NULL : first;
}

/* "total" without a unit says nothing alone; beside powers it is theirs. */
static void take_bare_totals(ws_meaning *meanings, const ws_meaning *part, const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++)
        if (meanings[c].role == WS_ROLE_UNKNOWN && ws_names_total(row->cells[c]))
            meanings[c] = (ws_meaning){.role = WS_ROLE_VALUE,
                                       .quantity = WS_POWER,
                                       .unit = part->unit,
                                       .is_total = true,
                                       .device = row->cells[c],
                                       .device_number = -1};
}

/* "gpu0_power_w,gpu1_power_w,gpu_power_w": what names no device beside those of single ones is none of them. Where
 * these count from 1, as in "gpu_power_w,gpu1_power_w,gpu2_power_w", it is the first. */
static bool stands_beside_devices(const ws_meaning *meanings, uint32_t n, const ws_meaning *m)
{
    size_t devices = 0, domains = 0;
    bool from_0 = false;
    for (const ws_meaning *other = meanings; other < meanings + n; other++) {
        bool is_same = other->quantity == m->quantity || (ws_is_metered(other->quantity) && ws_is_metered(m->quantity));
        if (other->role != WS_ROLE_VALUE || !is_same || other->is_total ||
            (m->names_domain && other->domain != m->domain))
            continue;
        devices += other->device.n > 0;
        domains += !other->device.n && other->names_domain;
        from_0 |= other->device.n && (other->device_number == 0 || other->domain == WS_NODE);
    }
    return from_0 || (!m->names_domain && (devices >= 2 || (devices && domains)));
}

/* Such a column may be the total of the others, or of the node: it is shown outside of their domains. */
static void set_columns_of_all_apart(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    for (uint32_t c = 0; c < row->n_cells; c++)
        if (ws_is_identity(meanings[c].role))
            return;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_meaning *m = &meanings[c];
        if (m->role != WS_ROLE_VALUE || m->device.n || m->is_total || !stands_beside_devices(meanings, row->n_cells, m))
            continue;
        const char *name = ws_arena_strndup(context->arena, row->cells[c].p, row->cells[c].n);
        ws_notes_add(
            context->notes, WS_FINDING_TOTAL_COLUMN, context->source, name, row->line,
            "'%s' names no device beside columns of single ones: it is taken for one of them all and is not added",
            name);
        m->domain = WS_OTHER;
        m->device = row->cells[c];
    }
}

/* A total is shown, but stands outside of the domains of what it holds, so that nothing adds it. */
static void set_totals_apart(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    if (!context->map->n)
        set_columns_of_all_apart(meanings, context, row);
    const ws_meaning *part = find_parts(meanings, row->n_cells);
    if (part && !context->map->n)
        take_bare_totals(meanings, part, row);
    if (!part && count_devices(meanings, row->n_cells) < 2)
        return;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_meaning *m = &meanings[c];
        if (m->role != WS_ROLE_VALUE || !m->is_total)
            continue;
        const char *name = ws_arena_strndup(context->arena, row->cells[c].p, row->cells[c].n);
        ws_notes_add(context->notes, WS_FINDING_TOTAL_COLUMN, context->source, name, row->line,
                     "'%s' is a total of the other columns and is not added", name);
        m->domain = WS_OTHER;
        if (!m->device.n)
            m->device = row->cells[c];
    }
}

/* A power or energy whose name says neither whose nor which device's it is. */
static bool is_bare_reading(const ws_meaning *m)
{
    return m->role == WS_ROLE_VALUE && ws_is_metered(m->quantity) && !m->names_domain && !m->device.n && !m->is_total;
}

/* "energy,power,cpu_energy,memory_energy,accel0_energy" of Cray's pm_counters: what names no part beside parts of two
 * kinds stands for the whole node. */
static void take_whole_as_node(ws_meaning *meanings, const ws_row *row)
{
    bool has_part[WS_DOMAIN_N] = {false};
    for (uint32_t c = 0; c < row->n_cells; c++) {
        if (ws_is_identity(meanings[c].role))
            return;
        has_part[meanings[c].domain] |= meanings[c].role == WS_ROLE_VALUE && ws_is_metered(meanings[c].quantity) &&
                                        meanings[c].names_domain && !meanings[c].is_total;
    }
    if (has_part[WS_NODE] || has_part[WS_GPU] + has_part[WS_CPU] + has_part[WS_DRAM] < 2)
        return;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        bool is_cap = meanings[c].role == WS_ROLE_VALUE && meanings[c].quantity == WS_POWER_LIMIT;
        if (is_bare_reading(&meanings[c]) || (is_cap && !meanings[c].device.n))
            meanings[c].domain = WS_NODE, meanings[c].names_domain = true;
    }
}

static bool has_word_of(ws_span name, const char *const *words, size_t n)
{
    char buffer[WS_PLAIN_NAME];
    ws_span word, rest = ws_plain_name(buffer, name);
    while (rest.n && ws_span_split(&rest, '_', &word))
        for (size_t i = 0; i < n; i++)
            if (ws_span_eq(word, words[i]))
                return true;
    return false;
}

/* "Time,Volt,Amp,Watt" of USB meters and shunts: where volts and amperes stand beside a power, it is that of all that
 * hangs on the meter, and of no GPU. */
static void take_meter_as_node(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    static const char *const volts[] = {"volt", "volts", "voltage", "vbus", "vin"};
    static const char *const amperes[] = {"amp", "amps", "ampere", "amperes", "current"};
    bool has_volts = false, has_amperes = false;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        const ws_meaning *m = &meanings[c];
        if (ws_is_identity(m->role) || (m->role == WS_ROLE_VALUE && m->names_domain))
            return;
        bool is_other = m->role != WS_ROLE_VALUE;
        has_volts |= is_other && has_word_of(row->cells[c], volts, sizeof volts / sizeof *volts);
        has_amperes |= is_other && has_word_of(row->cells[c], amperes, sizeof amperes / sizeof *amperes);
    }
    for (uint32_t c = 0; has_volts && has_amperes && c < row->n_cells; c++) {
        if (!is_bare_reading(&meanings[c]))
            continue;
        meanings[c].domain = WS_NODE;
        meanings[c].names_domain = true;
        ws_notes_add(context->notes, WS_FINDING_ASSUMED_DOMAIN, context->source, "", row->line,
                     "'%.*s' stands beside volts and amperes and is taken for the power of all that the meter feeds "
                     "(--columns domain=wall or domain=gpu says otherwise)",
                     WS_SPAN_ARG(row->cells[c]));
    }
}

/* "package-0": a column of one device, which needs no unit. */
static bool is_numbered_zone(const ws_meaning *m, ws_span cell)
{
    ws_rapl_zone zone;
    return m->quantity == WS_POWER && !m->unit && m->device.n && m->domain != WS_GPU && ws_rapl_zone_find(cell, &zone);
}

/* "timestamp,package,dram": zones of RAPL without a unit, where nothing else is metered. Their counters are
 * powercap-csv's. */
static void take_zones_as_powers(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    bool is_sure = false;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        const ws_meaning *m = &meanings[c];
        bool is_metered = m->role == WS_ROLE_VALUE && ws_is_metered(m->quantity);
        if (is_metered && !is_numbered_zone(m, row->cells[c]))
            return;
        is_sure |= is_metered || ws_rapl_trust(row->cells[c]) == WS_ZONE_SURE;
    }
    for (uint32_t c = 0; is_sure && c < row->n_cells; c++) {
        ws_rapl_zone zone;
        if (ws_rapl_trust(row->cells[c]) < WS_ZONE_BESIDE || !ws_rapl_zone_find(row->cells[c], &zone))
            continue;
        meanings[c] = (ws_meaning){.role = WS_ROLE_VALUE,
                                   .quantity = WS_POWER,
                                   .domain = zone.domain,
                                   .names_domain = true,
                                   .device = row->cells[c],
                                   .device_number = zone.package};
        ws_notes_add(context->notes, WS_FINDING_ASSUMED_POWER, context->source, "", row->line,
                     "'%.*s' names no unit, and its readings are no counter: it is taken for power in W",
                     WS_SPAN_ARG(row->cells[c]));
    }
}

static bool has_word_power(ws_span name)
{
    char buffer[WS_PLAIN_NAME];
    return ws_span_contains(ws_plain_name(buffer, name), "power");
}

/* "GPU0,CPU1" may be loads as well as powers: where columns that are not known here have powers, the others have none.
 */
static void doubt_bare_devices(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    bool has_other_powers = false;
    for (uint32_t c = 0; c < row->n_cells; c++)
        has_other_powers |= meanings[c].role == WS_ROLE_UNKNOWN && has_word_power(row->cells[c]);
    for (uint32_t c = 0; c < row->n_cells; c++) {
        ws_meaning *m = &meanings[c];
        if (m->role != WS_ROLE_VALUE || !m->is_bare)
            continue;
        if (has_other_powers)
            m->role = WS_ROLE_UNKNOWN;
        ws_notes_add(context->notes, has_other_powers ? WS_FINDING_UNKNOWN_COLUMN : WS_FINDING_ASSUMED_POWER,
                     context->source, "", row->line,
                     has_other_powers
                         ? "'%.*s' names no quantity and is not read, as others are called powers"
                         : "'%.*s' names no quantity: it is taken for power, in W where its cells name no unit",
                     WS_SPAN_ARG(row->cells[c]));
    }
}

/* Readings of two columns under one name would end up in one channel. */
static void drop_repeated_values(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    for (uint32_t c = 1; c < row->n_cells; c++) {
        uint32_t first = 0;
        if (meanings[c].role != WS_ROLE_VALUE)
            continue;
        while (first < c && !(meanings[first].role == WS_ROLE_VALUE && row->cells[c].n &&
                              ws_span_same(row->cells[first], row->cells[c])))
            first++;
        if (first == c)
            continue;
        const char *name = ws_arena_strndup(context->arena, row->cells[c].p, row->cells[c].n);
        meanings[c].role = WS_ROLE_UNUSED;
        ws_notes_add(context->notes, WS_FINDING_DUPLICATE_COLUMN, context->source, name, row->line,
                     "'%s' is the name of columns #%u and #%u: the first is taken", name, first + 1, c + 1);
    }
}

/* AMD calls the power of a GPU that of its socket (amd-smi): so it is where rows are told apart by their GPU and no
 * other column has its power. */
static void take_sockets_as_gpus(ws_meaning *meanings, const ws_row *row)
{
    bool has_gpu = false, has_power = false;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        has_gpu |= meanings[c].role == WS_ROLE_GPU;
        has_power |=
            meanings[c].role == WS_ROLE_VALUE && meanings[c].domain == WS_GPU && meanings[c].quantity == WS_POWER;
    }
    for (uint32_t c = 0; has_gpu && !has_power && c < row->n_cells; c++) {
        char buffer[WS_PLAIN_NAME];
        if (meanings[c].role == WS_ROLE_VALUE && meanings[c].domain == WS_CPU &&
            ws_span_contains(ws_plain_name(buffer, row->cells[c]), "socket_power"))
            meanings[c].domain = WS_GPU;
    }
}

static bool is_bus_id(ws_span cell)
{
    size_t colons = 0;
    for (size_t i = 0; i < cell.n; i++)
        colons += cell.p[i] == ':';
    return colons == 2 && cell.n >= 10 && cell.n <= 16 && cell.p[cell.n - 2] == '.';
}

/* What the look of a cell says: "33.09 W", "98 %", "1129 MiB", "2023/07/14 10:12:46.483", "GPU-5f1c...". */
static ws_meaning meaning_of_cell(ws_span cell)
{
    static const ws_quantity quantities[WS_DIM_N] = {[WS_DIM_POWER] = WS_POWER,
                                                     [WS_DIM_RATIO] = WS_UTIL,
                                                     [WS_DIM_BYTES] = WS_MEM_USED,
                                                     [WS_DIM_FREQUENCY] = WS_CLOCK};
    ws_meaning m = {.role = WS_ROLE_UNKNOWN, .domain = WS_GPU, .device_number = -1};
    double value;
    ws_span rest;
    if (ws_cell_is_date(cell) || ws_stamp_guess(cell) == WS_STAMP_EPOCH) {
        m.role = WS_ROLE_TIME;
    } else if (ws_span_has_prefix(cell, "GPU-") || ws_span_has_prefix(cell, "MIG-")) {
        m.role = WS_ROLE_UUID;
    } else if (is_bus_id(cell)) {
        m.role = WS_ROLE_BUS;
    } else if (ws_span_number(cell, &value, &rest) && rest.n) {
        const ws_unit *unit = ws_unit_find(rest);
        if (unit && (unit->dimension == WS_DIM_POWER || quantities[unit->dimension])) {
            m.role = WS_ROLE_VALUE;
            m.quantity = quantities[unit->dimension];
        }
    } else if (ws_span_has_prefix(cell, "NVIDIA ") || ws_span_has_prefix(cell, "Tesla ")) {
        m.role = WS_ROLE_NAME;
    }
    return m;
}

/* The first of each kind counts: nvidia-smi users ask for power.draw before power.limit, memory.used before the total.
 */
static void keep_first_of_each(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    bool seen[WS_QUANTITY_N] = {false};
    for (uint32_t c = 0; c < row->n_cells; c++) {
        if (meanings[c].role != WS_ROLE_VALUE)
            continue;
        if (seen[meanings[c].quantity]) {
            meanings[c].role = WS_ROLE_UNUSED;
            if (meanings[c].quantity == WS_POWER)
                ws_notes_add(context->notes, WS_FINDING_ASSUMED_POWER, context->source, "", row->line,
                             "no header and several columns in W: the first is taken for the power, not #%u", c + 1);
        }
        seen[meanings[c].quantity] = true;
    }
}

/* A column of bare numbers, alone or behind a stamp, can only be the power. */
static void assume_power(ws_meaning *meanings, const ws_plan_context *context, const ws_row *row)
{
    uint32_t numbers = 0, others = 0, last = 0;
    double value;
    for (uint32_t c = 0; c < row->n_cells; c++) {
        if (meanings[c].role == WS_ROLE_UNKNOWN && ws_span_double(row->cells[c], &value)) {
            numbers++;
            last = c;
        } else if (meanings[c].role != WS_ROLE_TIME) {
            others++;
        }
    }
    if (numbers != 1 || others || context->map->n)
        return;
    meanings[last].role = WS_ROLE_VALUE;
    meanings[last].quantity = WS_POWER;
    ws_notes_add(context->notes, WS_FINDING_ASSUMED_POWER, context->source, "", row->line,
                 "no header and no unit: column #%u is taken for power in W", last + 1);
}

ws_status ws_meanings_of_header(ws_meaning **meanings, const ws_plan_context *context, const ws_row *header,
                                ws_error *error)
{
    ws_meaning *m = *meanings = ws_arena_alloc(context->arena, header->n_cells * sizeof *m);
    for (uint32_t c = 0; c < header->n_cells; c++)
        m[c] = ws_meaning_of(header->cells[c]);
    ws_status status = apply_map(m, context, header, true, error);
    if (status != WS_OK)
        return status;
    take_numbers_as_devices(m, header);
    take_numbered_values(m, context, header);
    doubt_bare_devices(m, context, header);
    take_zones_as_powers(m, context, header);
    drop_repeated_values(m, context, header);
    take_sockets_as_gpus(m, header);
    if (!context->map->n && !context->map->gives_domain) {
        take_whole_as_node(m, header);
        take_meter_as_node(m, context, header);
    }
    set_totals_apart(m, context, header);
    return WS_OK;
}

ws_status ws_meanings_of_cells(ws_meaning **meanings, const ws_plan_context *context, const ws_row *first,
                               ws_error *error)
{
    ws_meaning *m = *meanings = ws_arena_alloc(context->arena, first->n_cells * sizeof *m);
    for (uint32_t c = 0; c < first->n_cells; c++)
        m[c] = meaning_of_cell(first->cells[c]);
    if (!context->map->n)
        keep_first_of_each(m, context, first);
    assume_power(m, context, first);
    ws_status status = apply_map(m, context, first, false, error);
    if (status == WS_OK)
        set_totals_apart(m, context, first);
    return status;
}
