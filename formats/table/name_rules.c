/* Rules over the names of columns, or over the look of the cells where there are no names: what each column holds,
 * whose readings those are, and which columns hold others. See column_rules.h. */
#include "formats/table/column_rules.h"

#include "formats/table/dictionary.h"
#include "formats/table/trace_plan.h"

#include <string.h>

/* --- what a name says, and what the user says --- */

/* A key of the map replaces every column that could mean the same. A user who names the column of the energy wants no
 * other energy. */
static bool stands_in_for(const ws_meaning *from_map, const ws_meaning *automatic)
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

/* Several mapped columns of one quantity belong to one device each, which their names tell. A single one belongs to the
 * device of the row, whatever its name ("draw_mw"). */
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

/* A power by the user's word: "CPU Package", "pwr gpu" say whose. */
static ws_meaning meaning_of_mapped_power(const ws_columns *t, ws_span name)
{
    ws_meaning m = ws_meaning_of(ws_span_of(ws_arena_printf(t->context->arena, "%.*s [W]", WS_SPAN_ARG(name))));
    return ws_is_value(&m) && !m.device.n ? m : (ws_meaning){.role = WS_ROLE_UNKNOWN};
}

static void take_from_map(ws_columns *t, uint32_t column)
{
    const ws_map *map = t->context->map;
    const ws_map_column *from = &map->columns[t->mapped[column]];
    ws_span header_cell = t->has_header ? ws_column_name(t, column) : (ws_span){"", 0};
    ws_meaning *m = &t->meaning[column];
    ws_span bare;
    const ws_unit *unit = ws_unit_in_name(header_cell, &bare);
    bool is_several = is_one_of_several(map, from);
    ws_meaning automatic = ws_meaning_of(header_cell);
    if (is_several && !ws_is_value(&automatic))
        automatic = ws_meaning_of_device(t->context->arena, header_cell);
    if (from->meaning.quantity == WS_POWER && !unit && !ws_is_value(&automatic))
        automatic = meaning_of_mapped_power(t, header_cell);
    *m = from->meaning;
    m->preference = 0;
    for (const ws_map_column *other = map->columns; other < from; other++)
        m->preference += other->meaning.quantity == from->meaning.quantity;
    m->domain = WS_GPU;
    if (m->role == WS_ROLE_VALUE && unit && unit->dimension == ws_quantity_dimension(m->quantity))
        m->unit = unit;
    if (m->role == WS_ROLE_TIME && unit && unit->dimension == WS_DIM_TIME)
        m->unit = unit;
    bool names_device = automatic.device.n > 0;
    if (m->role == WS_ROLE_VALUE && automatic.role == WS_ROLE_VALUE && (!names_device || is_several)) {
        m->domain = automatic.domain;
        m->names_domain = automatic.names_domain;
        m->device = automatic.device;
        m->node = automatic.node;
        m->device_number = automatic.device_number;
    }
}

static bool is_mapped(const ws_columns *t, uint32_t column)
{
    return t->mapped[column] >= 0;
}

static bool is_replaced(const ws_columns *t, uint32_t column)
{
    const ws_map *map = t->context->map;
    for (size_t i = 0; i < map->n; i++)
        if (stands_in_for(&map->columns[i].meaning, &t->said[column]))
            return true;
    return false;
}

static void leave_out(ws_columns *t, uint32_t column)
{
    t->meaning[column] = t->said[column];
    t->meaning[column].role = WS_ROLE_UNUSED;
}

static bool says_something(const ws_columns *t, uint32_t column)
{
    return t->said[column].role != WS_ROLE_UNKNOWN;
}

static void take_what_it_says(ws_columns *t, uint32_t column)
{
    t->meaning[column] = t->said[column];
}

/* --- names of devices without a quantity --- */

static bool has_word_power(ws_span name)
{
    char buffer[WS_PLAIN_NAME];
    return ws_span_contains(ws_plain_name(buffer, name), "power");
}

static bool is_bare(const ws_columns *t, uint32_t column)
{
    return ws_is_value(&t->meaning[column]) && t->meaning[column].is_bare;
}

/* jtop calls powers "Power VDD_SOC", and loads "CPU1" and "GPU". */
static bool is_power_of_jtop(ws_span name)
{
    return ws_span_has_prefix(name, "Power ") && ws_is_board_rail(name);
}

/* Does an unknown column hold power, or name a zone of RAPL, which holds power or energy? */
static bool has_other_powers(const ws_columns *t)
{
    uint32_t bare = 0;
    while (bare < t->n && !is_bare(t, bare))
        bare++;
    for (uint32_t c = 0; bare < t->n && c < t->n; c++)
        if (is_power_of_jtop(ws_column_name(t, c)))
            return true;
        else if (!ws_is_value(&t->meaning[c]) && !is_mapped(t, c) &&
                 ((ws_column_is_unknown(t, c) && has_word_power(ws_column_name(t, c))) ||
                  ws_rapl_trust(ws_column_name(t, c)) >= WS_ZONE_BESIDE))
            return true;
    return false;
}

/* "power_w" beside "GPU1", which may be a load: not "cpu_power_w" or a total, which powers of GPUs may stand beside. */
static bool has_power_of_gpu(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++) {
        const ws_meaning *m = &t->meaning[c];
        if (ws_is_value(m) && m->quantity == WS_POWER && m->domain == WS_GPU && !m->is_bare && !m->is_total)
            return true;
    }
    return false;
}

static bool is_bare_gpu(const ws_columns *t, uint32_t column)
{
    return is_bare(t, column) && t->meaning[column].domain == WS_GPU;
}

static bool has_power_of_jtop(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (is_power_of_jtop(ws_column_name(t, c)))
            return true;
    return false;
}

static bool is_load_of_jtop(const ws_columns *t, uint32_t column)
{
    return !is_mapped(t, column) && t->meaning[column].role == WS_ROLE_GPU &&
           ws_span_eq(ws_column_name(t, column), "GPU");
}

static void leave_load_out(ws_columns *t, uint32_t column)
{
    t->meaning[column].role = WS_ROLE_UNUSED;
}

/* Xavier's tegrastats calls rails "GPU", "CPU", "SOC", "CV" and "SYS5V"; VDDRQ beside them says so. */
static bool has_rail_of_xavier(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (ws_is_value(&t->meaning[c]) && ws_span_eq_nocase(ws_span_trim(ws_column_name(t, c)), "VDDRQ"))
            return true;
    return false;
}

static bool is_bare_rail(const ws_columns *t, uint32_t column)
{
    bool is_free =
        ws_column_is_unknown(t, column) || ws_is_identity(t->meaning[column].role); /* "GPU" may tell GPUs apart */
    return is_free && !is_mapped(t, column) && ws_is_bare_rail(ws_span_trim(ws_column_name(t, column)));
}

static void take_rail(ws_columns *t, uint32_t column)
{
    ws_span name = ws_span_trim(ws_column_name(t, column));
    ws_domain domain = ws_is_board_input(name) ? WS_NODE : ws_board_rail_domain(name);
    t->meaning[column] = (ws_meaning){.role = WS_ROLE_VALUE,
                                      .quantity = WS_POWER,
                                      .domain = domain,
                                      .names_domain = true,
                                      .device = domain == WS_OTHER ? name : (ws_span){"", 0},
                                      .device_number = -1};
}

static bool has_rail_beside_input(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (ws_is_value(&t->meaning[c]) && t->meaning[c].quantity == WS_POWER &&
            ws_is_bare_rail(ws_span_trim(ws_column_name(t, c))))
            return true;
    return false;
}

static bool is_board_input(const ws_columns *t, uint32_t column)
{
    return ws_column_is_unknown(t, column) && ws_is_board_input(ws_span_trim(ws_column_name(t, column)));
}

static void leave_bare_out(ws_columns *t, uint32_t column)
{
    t->meaning[column].role = WS_ROLE_UNKNOWN;
    ws_rule_note(t, "", "'%.*s' names no quantity and is not read, as others are powers",
                 WS_SPAN_ARG(ws_column_name(t, column)));
}

static void take_bare_as_power(ws_columns *t, uint32_t column)
{
    ws_span name = ws_column_name(t, column);
    ws_rule_note(t, ws_column_text(t, column),
                 "'%.*s' names no quantity: it is taken for power, in W where its cells name no unit",
                 WS_SPAN_ARG(name));
}

/* "timestamp,gpu0,gpu1,cpu": GPUs that are taken for powers. */
static bool has_bare_powers(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (is_bare_gpu(t, c))
            return ws_has_no_map(t) && !has_other_powers(t) && !has_power_of_gpu(t);
    return false;
}

/* Of a part of the node that has no number, which may be a load. */
static bool is_bare_part(const ws_columns *t, uint32_t column)
{
    static const char *const parts[] = {"cpu", "cpus", "dram", "ram", "memory", "mem", "soc", "socket"};
    char buffer[WS_PLAIN_NAME];
    ws_span plain = ws_plain_name(buffer, ws_column_name(t, column));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (ws_column_is_unknown(t, column) && ws_span_eq(plain, parts[i]))
            return true;
    return false;
}

/* All such columns by their numbers: ",power=#3,power=#4". */
static const char *bare_powers_beside(const ws_columns *t, uint32_t column)
{
    const char *powers = "";
    for (uint32_t c = 0; c < t->n; c++)
        if (c == column || is_bare(t, c))
            powers = ws_arena_printf(t->context->arena, "%s%spower=#%u", powers, *powers ? "," : "", c + 1);
    return powers;
}

static void leave_bare_part_out(ws_columns *t, uint32_t column)
{
    const char *name = ws_column_text(t, column);
    ws_rule_note(t, name,
                 "'%s' names no quantity, may be a load or a power beside those of the GPUs, and is not read: "
                 "--columns %s reads it as a power, too",
                 name, bare_powers_beside(t, column));
}

static bool has_header_without_power(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (ws_is_value(&t->meaning[c]) && ws_is_metered(t->meaning[c].quantity))
            return false;
    return t->has_header;
}

/* "power_0": of a GPU, or of a socket? */
static bool is_numbered_power(const ws_columns *t, uint32_t column)
{
    ws_meaning of_device = ws_meaning_of_device(t->context->arena, ws_column_name(t, column));
    return ws_column_is_unknown(t, column) && has_word_power(ws_column_name(t, column)) && ws_is_value(&of_device);
}

static void ask_for_numbered_power(ws_columns *t, uint32_t column)
{
    ws_rule_note(t, ws_column_text(t, column),
                 "'%.*s' does not say what draws the power and is not read: --columns power=%.*s, and so on for each "
                 "such column, takes them for GPUs",
                 WS_SPAN_ARG(ws_column_name(t, column)), WS_SPAN_ARG(ws_column_name(t, column)));
}

/* --- the look of cells --- */

static bool is_bus_id(ws_span cell)
{
    size_t colons = 0;
    for (size_t i = 0; i < cell.n; i++)
        colons += cell.p[i] == ':';
    return colons == 2 && cell.n >= 10 && cell.n <= 16 && cell.p[cell.n - 2] == '.';
}

/* What the form of a cell says: "33.09 W", "98 %", "1129 MiB", "2023/07/14 10:12:46.483", "GPU-5f1c...". */
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

static bool has_no_header(const ws_columns *t)
{
    return !t->has_header && ws_has_no_map(t);
}

static bool is_second_of_kind(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    for (uint32_t c = 0; ws_is_value(m) && c < column; c++)
        if (ws_is_value(&t->meaning[c]) && t->meaning[c].quantity == m->quantity)
            return true;
    return false;
}

static void leave_second_out(ws_columns *t, uint32_t column)
{
    t->meaning[column].role = WS_ROLE_UNUSED;
    if (t->meaning[column].quantity == WS_POWER)
        ws_rule_note(t, "", "no header and several columns in W: the first is taken for the power, not #%u",
                     column + 1);
}

static bool is_number(const ws_columns *t, uint32_t column)
{
    double value;
    return ws_column_is_unknown(t, column) && ws_span_double(ws_column_name(t, column), &value);
}

/* Beside stamps, and nothing else. */
static bool has_one_number(const ws_columns *t)
{
    uint32_t numbers = 0, others = 0;
    for (uint32_t c = 0; c < t->n; c++) {
        bool is = is_number(t, c);
        numbers += is;
        others += !is && t->meaning[c].role != WS_ROLE_TIME;
    }
    return has_no_header(t) && numbers == 1 && !others;
}

/* nvidia-smi writes powers with decimals, and loads, temperatures, memory and clocks in whole numbers; so do polls in
 * mW and uW. */
static bool has_decimals(const ws_columns *t, uint32_t column)
{
    ws_span cell = ws_column_name(t, column);
    return is_number(t, column) && (memchr(cell.p, '.', cell.n) || memchr(cell.p, ',', cell.n));
}

static void take_number_as_power(ws_columns *t, uint32_t column)
{
    t->meaning[column] =
        (ws_meaning){.role = WS_ROLE_VALUE, .quantity = WS_POWER, .domain = WS_GPU, .device_number = -1};
    ws_rule_note(t, "", "no header and no unit: column #%u is taken for power in W", column + 1);
}

/* --- columns of one name --- */

static uint32_t first_of_name(const ws_columns *t, uint32_t column)
{
    uint32_t first = 0;
    while (first < column && !(ws_is_value(&t->meaning[first]) && ws_column_name(t, column).n &&
                               ws_span_same(ws_column_name(t, first), ws_column_name(t, column))))
        first++;
    return first;
}

static bool is_device_of_its_own(const ws_columns *t, uint32_t column)
{
    return is_mapped(t, column) && t->context->map->devices > 1;
}

/* Readings of two columns under one name would end up in one channel, unless the user makes each a device. */
static bool is_repeated(const ws_columns *t, uint32_t column)
{
    return t->has_header && ws_is_value(&t->meaning[column]) && !is_device_of_its_own(t, column) &&
           first_of_name(t, column) < column;
}

static void leave_repeated_out(ws_columns *t, uint32_t column)
{
    const char *name = ws_column_text(t, column);
    uint32_t first = first_of_name(t, column);
    t->meaning[column].role = WS_ROLE_UNUSED;
    ws_rule_note(t, name, "'%s' is the name of columns #%u and #%u: the first is taken", name, first + 1, column + 1);
}

/* --- whose readings they are --- */

static bool has_identity(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (ws_is_identity(t->meaning[c].role))
            return true;
    return false;
}

/* Each row names its GPU, and no other column holds the GPU's power. */
static bool has_gpus_without_power(const ws_columns *t)
{
    bool has_gpu = false, has_power = false;
    for (uint32_t c = 0; c < t->n; c++) {
        const ws_meaning *m = &t->meaning[c];
        has_gpu |= m->role == WS_ROLE_GPU;
        has_power |= ws_is_value(m) && m->domain == WS_GPU && m->quantity == WS_POWER;
    }
    return t->has_header && has_gpu && !has_power;
}

static bool is_socket_power(const ws_columns *t, uint32_t column)
{
    char buffer[WS_PLAIN_NAME];
    return ws_is_value(&t->meaning[column]) && t->meaning[column].domain == WS_CPU &&
           ws_span_contains(ws_plain_name(buffer, ws_column_name(t, column)), "socket_power");
}

static void give_to_gpu(ws_columns *t, uint32_t column)
{
    t->meaning[column].domain = WS_GPU;
}

/* A power or energy whose name states neither domain nor device. */
static bool is_bare_reading(const ws_meaning *m)
{
    return m->role == WS_ROLE_VALUE && ws_is_metered(m->quantity) && !m->names_domain && !m->device.n && !m->is_total;
}

static bool may_have_other_owner(const ws_columns *t)
{
    return t->has_header && ws_has_no_map(t) && !t->context->map->gives_domain && !has_identity(t);
}

/* Columns of two kinds of parts of a node, and none of the whole node. */
static bool has_parts_of_node(const ws_columns *t)
{
    bool has_part[WS_DOMAIN_N] = {false};
    for (uint32_t c = 0; c < t->n; c++) {
        const ws_meaning *m = &t->meaning[c];
        has_part[m->domain] |= ws_is_value(m) && ws_is_metered(m->quantity) && m->names_domain && !m->is_total;
    }
    return may_have_other_owner(t) && !has_part[WS_NODE] &&
           has_part[WS_GPU] + has_part[WS_CPU] + has_part[WS_DRAM] >= 2;
}

/* A power limit without a device belongs to the whole node, too. */
static bool names_no_owner(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    return is_bare_reading(m) || (ws_is_value(m) && m->quantity == WS_POWER_LIMIT && !m->device.n);
}

static void give_to_node(ws_columns *t, uint32_t column)
{
    t->meaning[column].domain = WS_NODE;
    t->meaning[column].names_domain = true;
}

/* Every power and energy says that it is of a processor, of memory or of a node, and no column speaks of a GPU. */
static bool is_about_a_host(const ws_columns *t)
{
    size_t named = 0;
    char buffer[WS_PLAIN_NAME];
    if (!may_have_other_owner(t))
        return false;
    for (uint32_t c = 0; c < t->n; c++) {
        const ws_meaning *m = &t->meaning[c];
        bool is_metered = ws_is_value(m) && ws_is_metered(m->quantity);
        if (ws_span_contains(ws_plain_name(buffer, ws_column_name(t, c)), "gpu") ||
            (is_metered && (!m->names_domain || m->domain == WS_GPU)))
            return false;
        named += is_metered;
    }
    return named > 0;
}

/* A load, temperature or memory that a host has as well: a power limit and clocks of `sm` are a GPU's. */
static bool may_be_of_host(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    bool is_of_both = m->quantity == WS_UTIL || m->quantity == WS_TEMPERATURE || m->quantity == WS_MEM_USED ||
                      m->quantity == WS_MEM_UTIL;
    return ws_is_value(m) && is_of_both && m->domain == WS_GPU && !m->device.n;
}

/* The one GPU that columns of powers and energies name, or NULL where they name none; *n: how many they name. Zero
 * where a power of a GPU names none. */
static const ws_meaning *named_gpu(const ws_columns *t, size_t *n)
{
    const ws_meaning *first = NULL;
    *n = 0;
    for (uint32_t c = 0; c < t->n; c++) {
        const ws_meaning *m = &t->meaning[c];
        if (!ws_is_value(m) || !ws_is_metered(m->quantity) || m->domain != WS_GPU || m->is_total)
            continue;
        if (m->device_number < 0 || !m->device.n) {
            *n = 0;
            return NULL;
        }
        *n += !first || m->device_number != first->device_number;
        first = first ? first : m;
    }
    return first;
}

static bool has_named_gpus(const ws_columns *t)
{
    size_t n;
    return may_have_other_owner(t) && named_gpu(t, &n);
}

/* A clock or a limit that names no device is of GPUs all the same. */
static bool is_of_unnamed_gpu(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    return ws_is_value(m) && (m->quantity == WS_POWER_LIMIT || m->quantity == WS_CLOCK) && m->domain == WS_GPU &&
           !m->device.n;
}

static bool is_beside_named_gpus(const ws_columns *t, uint32_t column)
{
    return may_be_of_host(t, column) || is_of_unnamed_gpu(t, column);
}

/* "gpu_util" beside "gpu0_power_w", and no other GPU. */
static bool is_load_of_the_one_gpu(const ws_columns *t, uint32_t column)
{
    static const char *const words[] = {"gpu", "sm", "vram", "cuda"};
    size_t n;
    bool is_gpus =
        is_of_unnamed_gpu(t, column) ||
        (may_be_of_host(t, column) && ws_name_has_word(ws_column_name(t, column), words, sizeof words / sizeof *words));
    return is_gpus && named_gpu(t, &n) && n == 1;
}

static void give_to_the_one_gpu(ws_columns *t, uint32_t column)
{
    size_t n;
    const ws_meaning *gpu = named_gpu(t, &n);
    t->meaning[column].device = gpu->device;
    t->meaning[column].node = gpu->node;
    t->meaning[column].device_number = gpu->device_number;
    t->meaning[column].names_domain = true;
}

/* What GPU-Z measures of the chip is a part of what it measures of its board. */
static bool has_power_of_board(const ws_columns *t)
{
    char buffer[WS_PLAIN_NAME];
    for (uint32_t c = 0; c < t->n; c++)
        if (ws_is_value(&t->meaning[c]) &&
            ws_span_has_prefix(ws_plain_name(buffer, ws_column_name(t, c)), "board_power_draw"))
            return true;
    return false;
}

static bool is_power_of_chip(const ws_columns *t, uint32_t column)
{
    char buffer[WS_PLAIN_NAME];
    return ws_is_value(&t->meaning[column]) && !is_mapped(t, column) &&
           ws_span_has_prefix(ws_plain_name(buffer, ws_column_name(t, column)), "gpu_chip_power_draw");
}

static void set_chip_apart(ws_columns *t, uint32_t column)
{
    t->meaning[column].domain = WS_OTHER;
    t->meaning[column].device = ws_column_name(t, column);
}

/* "Time,Volt,Amp,Watt", and no column that names a domain. */
static bool is_of_meter(const ws_columns *t)
{
    bool has_volts = false, has_amperes = false, may_be = may_have_other_owner(t);
    for (uint32_t c = 0; may_be && c < t->n; c++)
        may_be = !ws_is_value(&t->meaning[c]) || !t->meaning[c].names_domain;
    for (uint32_t c = 0; may_be && c < t->n; c++) {
        const ws_meaning *m = &t->meaning[c];
        has_volts |= !ws_is_value(m) && ws_names_volts(ws_column_name(t, c));
        has_amperes |= !ws_is_value(m) && ws_names_amperes(ws_column_name(t, c));
    }
    return has_volts && has_amperes;
}

static bool is_reading_of_meter(const ws_columns *t, uint32_t column)
{
    return is_bare_reading(&t->meaning[column]);
}

static void give_to_node_of_meter(ws_columns *t, uint32_t column)
{
    give_to_node(t, column);
    ws_rule_note(t, "",
                 "'%.*s' stands beside volts and amperes and is taken for the power of all that the meter feeds "
                 "(--columns domain=wall or domain=gpu says otherwise)",
                 WS_SPAN_ARG(ws_column_name(t, column)));
}

static ws_span bare_name(ws_span name)
{
    ws_span bare;
    ws_unit_in_name(ws_span_trim(name), &bare);
    return bare;
}

/* "Device Power (kW)", "variorum_power_watts": a power whose name says something that is not known here. */
static bool is_power_of_unknown(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    return ws_is_value(m) && m->quantity == WS_POWER && m->domain == WS_OTHER && m->device_number < 0 && !m->is_total &&
           !ws_is_board_rail(ws_column_name(t, column)) &&
           ws_span_same(m->device, bare_name(ws_column_name(t, column)));
}

/* What a node holds beside its processors, memory and GPUs, and is never the node. */
static bool names_small_part(ws_span name)
{
    static const char *const words[] = {"nic", "nics", "hca",  "nvme", "ssd",    "hdd",     "disk",    "disks",
                                        "fan", "fans", "pump", "pcie", "uncore", "storage", "cooling", "nvswitch"};
    char buffer[WS_PLAIN_NAME];
    ws_span word, rest = ws_plain_name(buffer, name);
    while (rest.n && ws_span_split(&rest, '_', &word)) {
        size_t n = word.n;
        while (n && word.p[n - 1] >= '0' && word.p[n - 1] <= '9')
            n--;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (ws_span_eq((ws_span){word.p, n}, words[i]))
                return true;
    }
    return false;
}

static bool is_power_of_small_part(const ws_columns *t, uint32_t column)
{
    return is_power_of_unknown(t, column) && names_small_part(ws_column_name(t, column));
}

static void note_small_part(ws_columns *t, uint32_t column)
{
    ws_rule_note(t, "",
                 "'%s' names a part of a node and the only power here: it is shown, and no total adds it (--columns "
                 "domain=node, or gpu, cpu, dram, wall, takes it for that)",
                 ws_column_text(t, column));
}

static bool has_one_power_of_unknown(const ws_columns *t)
{
    size_t of_unknown = 0, others = 0;
    for (uint32_t c = 0; c < t->n; c++) {
        bool is = is_power_of_unknown(t, c);
        of_unknown += is;
        others += !is && ws_is_value(&t->meaning[c]) && ws_is_metered(t->meaning[c].quantity);
    }
    return of_unknown == 1 && !others && may_have_other_owner(t);
}

static void give_unknown_to_node(ws_columns *t, uint32_t column)
{
    t->meaning[column].device = (ws_span){"", 0};
    give_to_node(t, column);
    ws_rule_note(
        t, "",
        "nothing says whose power '%s' is, the only one here: it is taken for the node's (--columns domain=gpu, "
        "or cpu, dram, wall, other, says otherwise)",
        ws_column_text(t, column));
}

/* --- columns that hold others --- */

/* "gpu0_power_w,gpu1_power_w,gpu_power_w": a column without a device, beside columns of single devices, is not one of
 * them. If those count from 1, as in "gpu_power_w,gpu1_power_w,gpu2_power_w", it is the first of them. */
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

static bool has_no_map_and_no_identity(const ws_columns *t)
{
    return ws_has_no_map(t) && !has_identity(t);
}

static bool is_of_all(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    return ws_is_value(m) && !m->device.n && !m->is_total && stands_beside_devices(t->meaning, t->n, m);
}

/* Moves the column out of the domains that it may include, so that no total adds it. */
static void set_apart(ws_columns *t, uint32_t column)
{
    ws_meaning *m = &t->meaning[column];
    m->domain = WS_OTHER;
    if (!m->device.n)
        m->device = ws_column_name(t, column);
}

static void set_column_of_all_apart(ws_columns *t, uint32_t column)
{
    const char *name = ws_column_text(t, column);
    t->meaning[column].is_of_all = !t->meaning[column].names_domain;
    set_apart(t, column);
    ws_rule_note(t, name,
                 "'%s' names no device beside columns of single ones: it is taken for one of them all and is not added",
                 name);
}

static size_t count_devices(const ws_meaning *meanings, uint32_t n)
{
    size_t devices = 0;
    for (uint32_t c = 0; c < n; c++)
        devices += meanings[c].role == WS_ROLE_VALUE && meanings[c].device.n && !meanings[c].is_total;
    return devices;
}

/* The first part of a total: a column of a device, or of a domain. NULL if there are fewer than two parts. */
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

static bool has_parts(const ws_columns *t)
{
    return ws_has_no_map(t) && find_parts(t->meaning, t->n);
}

static bool is_bare_total(const ws_columns *t, uint32_t column)
{
    return ws_column_is_unknown(t, column) && ws_names_total(ws_column_name(t, column));
}

static void note_total(ws_columns *t, uint32_t column)
{
    const char *name = ws_column_text(t, column);
    ws_rule_note(t, name, "'%s' is a total of the other columns and is not added", name);
}

/* Alone, "total" without a unit says nothing; beside powers it is their total. */
static void set_bare_total_apart(ws_columns *t, uint32_t column)
{
    t->meaning[column] = (ws_meaning){.role = WS_ROLE_VALUE,
                                      .quantity = WS_POWER,
                                      .domain = WS_OTHER,
                                      .unit = find_parts(t->meaning, t->n)->unit,
                                      .is_total = true,
                                      .device = ws_column_name(t, column),
                                      .device_number = -1};
    note_total(t, column);
}

static bool has_parts_or_devices(const ws_columns *t)
{
    return find_parts(t->meaning, t->n) || count_devices(t->meaning, t->n) >= 2;
}

static bool is_total(const ws_columns *t, uint32_t column)
{
    return ws_is_value(&t->meaning[column]) && t->meaning[column].is_total;
}

/* "gpu0_power_w,gpu_total_power_w": of the one GPU that the machine has, which would count twice. */
static bool is_total_of_one(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    for (const ws_meaning *other = t->meaning; is_total(t, column) && other < t->meaning + t->n; other++)
        if (ws_is_value(other) && !other->is_total && other->device.n && m->names_domain &&
            other->domain == m->domain && ws_is_metered(other->quantity) && ws_is_metered(m->quantity))
            return true;
    return false;
}

/* "Total DRAM Power [W]" beside powers of others: nothing else in the file is of its domain. */
static bool is_only_one_of_its_domain(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->meaning[column];
    bool is_only = m->names_domain && (m->domain == WS_CPU || m->domain == WS_GPU || m->domain == WS_DRAM);
    for (uint32_t c = 0; c < t->n && is_only; c++) {
        const ws_meaning *other = &t->meaning[c];
        is_only = c == column || !ws_is_value(other) || !ws_is_metered(other->quantity) || other->domain != m->domain;
    }
    return is_only;
}

static bool is_total_of_a_domain(const ws_columns *t, uint32_t column)
{
    return is_total(t, column) && is_only_one_of_its_domain(t, column);
}

static bool is_total_of_others(const ws_columns *t, uint32_t column)
{
    return is_total(t, column) && !is_only_one_of_its_domain(t, column);
}

static void take_total_of_domain(ws_columns *t, uint32_t column)
{
    t->meaning[column].is_total = false;
}

static void set_total_apart(ws_columns *t, uint32_t column)
{
    set_apart(t, column);
    note_total(t, column);
}

/* "VDD_GPU_SOC_power_mW,...,tot_power_mW": jtop's total of the rails of a board, which is what the board draws. */
static bool has_rails_of_board(const ws_columns *t)
{
    size_t rails = 0;
    for (uint32_t c = 0; c < t->n; c++)
        rails += ws_is_value(&t->meaning[c]) && t->meaning[c].quantity == WS_POWER &&
                 ws_is_board_rail(bare_name(ws_column_name(t, c)));
    return rails >= 2 && has_no_map_and_no_identity(t);
}

static bool is_total_of_board(const ws_columns *t, uint32_t column)
{
    return is_total(t, column) && t->meaning[column].quantity == WS_POWER &&
           ws_names_total(bare_name(ws_column_name(t, column)));
}

static void give_total_to_board(ws_columns *t, uint32_t column)
{
    ws_meaning *m = &t->meaning[column];
    m->is_total = false;
    m->is_of_board = true;
    m->device = m->node = (ws_span){"", 0};
    give_to_node(t, column);
}

/* "timestamp,total_power_w": of whatever it is the total, there is nothing else that it could hold. */
static bool has_one_reading(const ws_columns *t)
{
    size_t readings = 0;
    for (uint32_t c = 0; c < t->n; c++)
        readings += ws_is_value(&t->meaning[c]) && ws_is_metered(t->meaning[c].quantity);
    return readings == 1 && has_no_map_and_no_identity(t);
}

static bool is_metered_total(const ws_columns *t, uint32_t column)
{
    return is_total(t, column) && ws_is_metered(t->meaning[column].quantity) && t->meaning[column].domain == WS_OTHER;
}

static void give_total_to_node(ws_columns *t, uint32_t column)
{
    ws_meaning *m = &t->meaning[column];
    m->is_total = false;
    m->device = m->node = (ws_span){"", 0};
    give_to_node(t, column);
    ws_rule_note(t, "",
                 "nothing says whose power '%s' is: it is taken for the node's (--columns domain=gpu says otherwise)",
                 ws_column_text(t, column));
}

/* --- the rules --- */

static const ws_column_rule rules_of_names[] = {
    {"column-of-the-map", WS_FACT_SAID, 3, 0, NULL, is_mapped, take_from_map, 0, "the user says it"},
    {"column-that-the-map-replaces", WS_FACT_SAID, 2, 0, NULL, is_replaced, leave_out, 0,
     "the user names another column for the same thing"},
    {"known-name", WS_FACT_SAID, 1, 0, NULL, says_something, take_what_it_says, 0,
     "dictionary.c; without a header the unit or the form of a cell: power_temp_noheader.csv of gpu-wrapper-csv"},

    {"bare-rail", WS_FACT_BARE, 4, WS_FACT(SAID), has_rail_of_xavier, is_bare_rail, take_rail, 0,
     "'GPU 0/0 CPU 232/232 SOC 1238/1238 CV 0/0 VDDRQ 155/155 SYS5V 1846/1846': tegrastats of Xavier"},
    {"load-of-jtop", WS_FACT_BARE, 5, WS_FACT(SAID), has_power_of_jtop, is_load_of_jtop, leave_load_out, 0,
     "'time,...,GPU,...,Power VDD_GPU_SOC,Power TOT': jtop_logger.py of jetson_stats, whose 'GPU' is a load in %"},
    {"board-input", WS_FACT_BARE, 3, WS_FACT(SAID), has_rail_beside_input, is_board_input, take_rail, 0,
     "no guess of an amount: 'power_in' beside 'power_gpu' is what feeds it, and its unit is asked for"},
    {"device-beside-powers", WS_FACT_BARE, 2, WS_FACT(SAID), has_other_powers, is_bare, leave_bare_out,
     WS_FINDING_UNKNOWN_COLUMN, "no guess: what names no quantity may be a load where others are powers"},
    {"gpu-beside-power", WS_FACT_BARE, 6, WS_FACT(SAID), has_power_of_gpu, is_bare_gpu, leave_bare_out,
     WS_FINDING_UNKNOWN_COLUMN, "no guess: 'GPU1' beside 'power_w' may be a load"},
    {"device-alone", WS_FACT_BARE, 1, WS_FACT(SAID), NULL, is_bare, take_bare_as_power, WS_FINDING_ASSUMED_POWER,
     "'timestamp,GPU0,GPU1' over watts: wide_two_gpu_epoch.csv of gpu-wrapper-csv"},
    {"part-beside-bare-gpus", WS_FACT_BARE, -2, WS_FACT(SAID), has_bare_powers, is_bare_part, leave_bare_part_out,
     WS_FINDING_UNKNOWN_COLUMN, "no guess: 'timestamp,gpu0,gpu1,cpu' may hold per cent of the processors' use"},
    {"numbered-powers", WS_FACT_BARE, -1, WS_FACT(SAID), has_header_without_power, is_numbered_power,
     ask_for_numbered_power, WS_FINDING_UNKNOWN_COLUMN, "no guess: it says what to type"},
    {"number-alone", WS_FACT_BARE, 0, WS_FACT(SAID), has_one_number, has_decimals, take_number_as_power,
     WS_FINDING_ASSUMED_POWER, "a column of watts and nothing else: bare_watts.csv of gpu-wrapper-csv"},

    {"repeated-name", WS_FACT_KEPT, 1, WS_FACT(BARE), NULL, is_repeated, leave_repeated_out,
     WS_FINDING_DUPLICATE_COLUMN, "a defect: two columns of one name would end up in one channel"},
    {"second-of-a-kind", WS_FACT_KEPT, 0, WS_FACT(BARE), has_no_header, is_second_of_kind, leave_second_out,
     WS_FINDING_ASSUMED_POWER,
     "queries of nvidia-smi with noheader ask for power.draw before power.limit and for memory.used before the total, "
     "as in the order of nvidia-smi --help-query-gpu"},

    {"socket-of-a-gpu", WS_FACT_OWNER, 3, WS_FACT(KEPT), has_gpus_without_power, is_socket_power, give_to_gpu, 0,
     "AMD calls the power of a GPU that of its socket: 'gpu,...,socket_power' of amd-smi metric --csv"},
    {"whole-beside-parts", WS_FACT_OWNER, 2, WS_FACT(KEPT), has_parts_of_node, names_no_owner, give_to_node, 0,
     "'energy,power,cpu_energy,memory_energy,accel0_energy': Cray's pm_counters, HPE's page on them"},
    {"meter-of-volts-and-amperes", WS_FACT_OWNER, 1, WS_FACT(KEPT), is_of_meter, is_reading_of_meter,
     give_to_node_of_meter, WS_FINDING_ASSUMED_DOMAIN,
     "'DateTime;Voltage/V;Current/A;...;Actual Consumption/W': voltcraft_semicolon_dmy.csv of wallmeter"},

    {"only-power-of-unknown", WS_FACT_OWNER, 4, WS_FACT(KEPT), has_one_power_of_unknown, is_power_of_unknown,
     give_unknown_to_node, WS_FINDING_ASSUMED_DOMAIN,
     "'Device Power (kW)' of APC's PDUs; in domain `other` it was in no sum, which had no energy then"},

    {"only-power-of-small-part", WS_FACT_OWNER, 8, WS_FACT(KEPT), has_one_power_of_unknown, is_power_of_small_part,
     note_small_part, WS_FINDING_ASSUMED_DOMAIN, "no guess: 'timestamp,nic_w' is not what the node draws"},

    {"load-of-a-host", WS_FACT_OWNER, 0, WS_FACT(KEPT), is_about_a_host, may_be_of_host, leave_load_out, 0,
     "'TOTAL_MEMORY,USED_MEMORY' beside 'PACKAGE_ENERGY (J)': EnergiBridge; read as a GPU's they made one up"},

    {"load-of-the-one-gpu", WS_FACT_OWNER, 6, WS_FACT(KEPT), has_named_gpus, is_load_of_the_one_gpu,
     give_to_the_one_gpu, 0, "'gpu0_power_w,gpu_util': it made up a second GPU, without an energy"},
    {"load-beside-named-gpus", WS_FACT_OWNER, 5, WS_FACT(KEPT), has_named_gpus, is_beside_named_gpus, leave_load_out, 0,
     "'GPU0_POWER (mWatts),...,USED_MEMORY': EnergiBridge; it made up a second GPU, without an energy"},
    {"chip-of-a-board", WS_FACT_OWNER, 7, WS_FACT(KEPT), has_power_of_board, is_power_of_chip, set_chip_apart, 0,
     "'Board Power Draw [W],GPU Chip Power Draw [W]': GPU-Z, whose sources seemed to disagree"},

    {"column-of-all", WS_FACT_ALL, 1, WS_FACT(OWNER), has_no_map_and_no_identity, is_of_all, set_column_of_all_apart,
     WS_FINDING_TOTAL_COLUMN, "no guess: it is not added, since it may hold the others"},
    {"bare-total", WS_FACT_TOTAL, 2, WS_FACT(ALL), has_parts, is_bare_total, set_bare_total_apart,
     WS_FINDING_TOTAL_COLUMN, "no guess: it is not added"},
    {"total-of-a-domain", WS_FACT_TOTAL, 4, WS_FACT(ALL), has_parts_or_devices, is_total_of_a_domain,
     take_total_of_domain, 0, "'CPU Package Power [W]','Total DRAM Power [W]','GPU Power [W]': HWiNFO's logs"},
    {"named-total", WS_FACT_TOTAL, 1, WS_FACT(ALL), has_parts_or_devices, is_total_of_others, set_total_apart,
     WS_FINDING_TOTAL_COLUMN, "'n1_watts,n2_watts,total_watts': two_node_wide.csv of wallmeter"},
    {"total-of-one-device", WS_FACT_TOTAL, 3, WS_FACT(ALL), has_no_map_and_no_identity, is_total_of_one,
     set_total_apart, WS_FINDING_TOTAL_COLUMN, "no guess: it is not added, since it holds the other"},
    {"total-of-a-board", WS_FACT_TOTAL, 5, WS_FACT(ALL), has_rails_of_board, is_total_of_board, give_total_to_board, 0,
     "jtop's 'tot' beside 'VDD_CPU_GPU_CV': its documentation has it as the power of the board"},
    {"total-alone", WS_FACT_TOTAL, 0, WS_FACT(ALL), has_one_reading, is_metered_total, give_total_to_node,
     WS_FINDING_ASSUMED_DOMAIN,
     "what a power is of decides no sum; jtop's 'timestamp_ns,power_tot_mw' in public scripts"},
};
const ws_rule_table ws_name_rules = {rules_of_names, sizeof rules_of_names / sizeof *rules_of_names};

/* Finds the map's entry for each column. WS_USAGE: an entry names a column that does not exist. */
static ws_status find_mapped(ws_columns *t)
{
    const ws_map *map = t->context->map;
    t->mapped = ws_arena_alloc(t->context->arena, (t->n + 1) * sizeof *t->mapped);
    for (uint32_t c = 0; c < t->n; c++)
        t->mapped[c] = WS_NO_COLUMN;
    for (size_t i = 0; i < map->n; i++) {
        uint32_t c;
        const ws_map_column *entry = &map->columns[i];
        if (!ws_map_find(entry->column, t->has_header ? t->row->cells : NULL, t->n, &c)) {
            const char *place = t->has_header
                                    ? ws_list_cells(t->context->arena, t->row->cells, t->n)
                                    : ws_arena_printf(t->context->arena, "no header, columns #1 to #%u", t->n);
            return ws_fail_at(t->error, WS_USAGE, t->context->source, t->row->line,
                              "no column '%s' for '%s' of the column map (there are: %s)", entry->column, entry->key,
                              place);
        }
        t->mapped[c] = (int32_t)i;
    }
    return WS_OK;
}

ws_status ws_meanings_of_names(ws_meaning **meanings, ws_plan *plan, const ws_plan_context *context, const ws_row *row,
                               ws_error *error)
{
    ws_columns t = {.context = context,
                    .plan = plan,
                    .n = row->n_cells,
                    .row = row,
                    .has_header = plan->header != NULL,
                    .tables = {&ws_name_rules},
                    .error = error};
    t.said = ws_arena_alloc(context->arena, (t.n + 1) * sizeof *t.said);
    t.meaning = *meanings = ws_arena_alloc(context->arena, (t.n + 1) * sizeof *t.meaning);
    for (uint32_t c = 0; c < t.n; c++)
        t.said[c] = t.has_header ? ws_meaning_of(row->cells[c]) : meaning_of_cell(row->cells[c]);
    ws_status status = find_mapped(&t);
    return status == WS_OK ? ws_columns_decide(&t, WS_FACTS_OF_NAMES) : status;
}
