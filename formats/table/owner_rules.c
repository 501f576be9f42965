/* Rules over the names of columns, once it is known what each holds: whose readings they are, and which columns hold
 * others. See column_rules.h. */
#include "formats/table/column_rules.h"

#include "formats/table/dictionary.h"

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

static void set_total_apart(ws_columns *t, uint32_t column)
{
    set_apart(t, column);
    note_total(t, column);
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

static const ws_column_rule rules_of_owners[] = {
    {"socket-of-a-gpu", WS_FACT_OWNER, 3, WS_FACT(KEPT), has_gpus_without_power, is_socket_power, give_to_gpu, 0,
     "AMD calls the power of a GPU that of its socket: 'gpu,...,socket_power' of amd-smi metric --csv"},
    {"whole-beside-parts", WS_FACT_OWNER, 2, WS_FACT(KEPT), has_parts_of_node, names_no_owner, give_to_node, 0,
     "'energy,power,cpu_energy,memory_energy,accel0_energy': Cray's pm_counters, HPE's page on them"},
    {"meter-of-volts-and-amperes", WS_FACT_OWNER, 1, WS_FACT(KEPT), is_of_meter, is_reading_of_meter,
     give_to_node_of_meter, WS_FINDING_ASSUMED_DOMAIN,
     "'DateTime;Voltage/V;Current/A;...;Actual Consumption/W': voltcraft_semicolon_dmy.csv of wallmeter"},

    {"column-of-all", WS_FACT_ALL, 1, WS_FACT(OWNER), has_no_map_and_no_identity, is_of_all, set_column_of_all_apart,
     WS_FINDING_TOTAL_COLUMN, "no guess: it is not added, since it may hold the others"},
    {"bare-total", WS_FACT_TOTAL, 2, WS_FACT(ALL), has_parts, is_bare_total, set_bare_total_apart,
     WS_FINDING_TOTAL_COLUMN, "no guess: it is not added"},
    {"named-total", WS_FACT_TOTAL, 1, WS_FACT(ALL), has_parts_or_devices, is_total, set_total_apart,
     WS_FINDING_TOTAL_COLUMN, "'n1_watts,n2_watts,total_watts': two_node_wide.csv of wallmeter"},
    {"total-alone", WS_FACT_TOTAL, 0, WS_FACT(ALL), has_one_reading, is_metered_total, give_total_to_node,
     WS_FINDING_ASSUMED_DOMAIN,
     "what a power is of decides no sum; jtop's 'timestamp_ns,power_tot_mw' in public scripts"},
};
const ws_rule_table ws_owner_rules = {rules_of_owners, sizeof rules_of_owners / sizeof *rules_of_owners};
