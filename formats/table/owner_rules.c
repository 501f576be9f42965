/* Rules over readings: whose powers and energies are that name nobody ("power", "energy_j"), as far as the readings
 * beside them tell. See column_rules.h. */
#include "formats/table/column_rules.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"
#include "formats/table/trace_plan.h"

#include <math.h>

/* Neither the user nor the rows' own ids say whose the powers are. */
static bool may_tell_owners(const ws_columns *t)
{
    return t->plan->header && !t->context->map->n && !t->context->map->gives_domain &&
           t->plan->identity != WS_ROLE_PART;
}

/* ... nor a column that only GPU logs have. */
static bool has_open_domains(const ws_columns *t)
{
    return may_tell_owners(t) && !t->plan->is_marked;
}

static bool names_no_owner(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && ws_is_metered(value->meaning.quantity) && value->meaning.domain == WS_GPU &&
           !value->meaning.names_domain && !value->meaning.device.n;
}

/* --- powers and energies of nobody beside those that say whose they are --- */

static bool is_named_power(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && value->meaning.quantity == WS_POWER && value->meaning.names_domain && !value->meaning.is_total;
}

static bool is_part(ws_domain domain)
{
    return domain == WS_GPU || domain == WS_CPU || domain == WS_DRAM;
}

static bool is_power_of_part(const ws_columns *t, uint32_t column)
{
    return is_named_power(t, column) && is_part(t->value[column]->meaning.domain);
}

/* Processors and memory with powers of their own, and no GPU. */
static bool has_powers_of_host(const ws_columns *t)
{
    size_t parts = 0;
    for (uint32_t c = 0; c < t->n; c++) {
        if (is_power_of_part(t, c) && t->value[c]->meaning.domain == WS_GPU)
            return false;
        parts += is_power_of_part(t, c);
    }
    return parts && may_tell_owners(t);
}

/* Rows in which the column's power is less than the parts together draw, about as much, or more. */
typedef struct beside_parts {
    size_t below, near, above;
} beside_parts;

static beside_parts compare_with_parts(const ws_columns *t, uint32_t column)
{
    bool has_unit = false;
    beside_parts rows = {0};
    for (size_t i = 0; i < t->sample->n; i++) {
        double parts = 0, watts = ws_plan_reading(t->plan, t->value[column], t->sample->rows[i], &has_unit);
        for (uint32_t c = 0; c < t->n; c++)
            if (is_power_of_part(t, c))
                parts += ws_plan_reading(t->plan, t->value[c], t->sample->rows[i], &has_unit);
        rows.below += watts > 0 && watts < WS_BELOW_PARTS * parts;
        rows.above += watts * WS_BELOW_PARTS > parts;
        rows.near += watts >= WS_BELOW_PARTS * parts && watts * WS_BELOW_PARTS <= parts;
    }
    return rows;
}

/* "power,cpu0_power,cpu1_power": taken for one of them all by its name (name_rules.c). */
static bool is_power_of_all(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    return value && value->meaning.quantity == WS_POWER && value->meaning.is_of_all && !value->meaning.is_total;
}

/* Not now and then, by a reading at another moment. */
static bool is_below_parts(const ws_columns *t, uint32_t column)
{
    beside_parts rows = is_power_of_all(t, column) ? compare_with_parts(t, column) : (beside_parts){0};
    size_t all = rows.below + rows.near + rows.above;
    return all && (double)rows.below >= WS_BELOW_PARTS_SHARE * (double)all;
}

/* What is more than the parts throughout may hold them, as a node's, or none of them, as a GPU's. */
static bool is_above_parts(const ws_columns *t, uint32_t column)
{
    beside_parts rows = is_power_of_all(t, column) ? compare_with_parts(t, column) : (beside_parts){0};
    return rows.above > rows.near + rows.below;
}

static void give_to_gpu(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    value->meaning.domain = WS_GPU;
    value->meaning.device = (ws_span){"", 0};
    value->meaning.names_domain = value->meaning.is_of_all = false;
    ws_rule_note(t, "",
                 "'%s' names nobody, and holds less than the columns beside it together: it is no total of them and is "
                 "taken for a GPU's (--columns domain=node, or cpu, dram, wall, other, says otherwise)",
                 value->name);
}

static void ask_whose(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    const char *others = "";
    for (uint32_t c = 0; c < t->n; c++)
        if (is_power_of_part(t, c))
            others = ws_arena_printf(t->context->arena, "%s%spower=#%u", others, *others ? "," : "", c + 1);
    value->meaning.domain = WS_GPU; /* so that no sum goes without it */
    value->meaning.device = (ws_span){"", 0};
    value->ask = WS_ASK_DEVICES;
    ws_rule_note(t, value->name,
                 "'%s' names nobody, and is more than the columns beside it together: a node that holds them or a GPU "
                 "that does not. --columns power=#%u,%s adds it as a GPU's, --columns %s leaves it out",
                 value->name, column + 1, others, others);
}

static double joules_of_power(const ws_columns *t, uint32_t energy, uint32_t power)
{
    return ws_column_steps_of(t->plan, t->sample, t->value[energy], t->value[power]).power_j;
}

static double joules_of(const ws_columns *t, uint32_t column)
{
    return t->value[column]->is_counter || t->value[column]->meaning.quantity == WS_ENERGY_COUNTER
               ? t->steps[column].risen_j
               : t->steps[column].sum_j;
}

static bool is_same_energy(double joules, double other)
{
    return joules > 0 && other > 0 && joules < other * WS_ENERGY_OF_POWERS && other < joules * WS_ENERGY_OF_POWERS;
}

static bool is_energy_of_nobody(const ws_columns *t, uint32_t column)
{
    return names_no_owner(t, column) && ws_is_energy(t->value[column]->meaning.quantity) && !t->value[column]->ask;
}

/* The first named power whose energy it is; WS_NO_COLUMN: none's. */
static int32_t power_of_energy(const ws_columns *t, uint32_t column)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (is_named_power(t, c) && is_same_energy(joules_of(t, column), joules_of_power(t, column, c)))
            return (int32_t)c;
    return WS_NO_COLUMN;
}

static double joules_of_parts(const ws_columns *t, uint32_t column)
{
    double parts = 0;
    for (uint32_t c = 0; c < t->n; c++)
        parts += is_power_of_part(t, c) ? joules_of_power(t, column, c) : 0;
    return parts;
}

static bool is_energy_of_a_power(const ws_columns *t, uint32_t column)
{
    return is_energy_of_nobody(t, column) && power_of_energy(t, column) != WS_NO_COLUMN;
}

/* "utilization" beside powers of processors alone is no GPU's, which would stand there without an energy. */
static void give_loads_to(ws_columns *t, const ws_plan_value *power)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (t->value[c] && ws_is_metered(t->value[c]->meaning.quantity) && t->value[c]->meaning.domain == WS_GPU)
            return;
    for (uint32_t c = 0; c < t->n; c++) {
        ws_meaning *m = t->value[c] ? &t->value[c]->meaning : NULL;
        if (!m || ws_is_metered(m->quantity) || m->domain != WS_GPU || m->device.n)
            continue;
        m->domain = power->meaning.domain;
        m->device = power->meaning.device;
        m->device_number = power->meaning.device_number;
        m->node = power->meaning.node;
    }
}

static void give_to_power(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    const ws_plan_value *power = t->value[power_of_energy(t, column)];
    value->meaning.domain = power->meaning.domain;
    value->meaning.device = power->meaning.device;
    value->meaning.device_number = power->meaning.device_number;
    value->meaning.node = power->meaning.node;
    value->meaning.names_domain = true;
    give_loads_to(t, power);
}

/* It may hold them all, and is added to none. */
static bool is_energy_above_parts(const ws_columns *t, uint32_t column)
{
    return is_energy_of_nobody(t, column) && joules_of(t, column) >= WS_BELOW_PARTS * joules_of_parts(t, column);
}

static void give_energy_to_node(ws_columns *t, uint32_t column)
{
    t->value[column]->meaning.domain = WS_NODE;
    t->value[column]->meaning.names_domain = true;
    ws_rule_note(t, "",
                 "nothing says whose energy '%s' is, beside powers of processors or memory that it may hold: it is "
                 "taken for the node's (--columns domain=gpu, or cpu, dram, wall, other, says otherwise)",
                 t->value[column]->name);
}

/* --- powers and energies of nobody alone --- */

/* The domain does not change the sum, but the table prints it. */
static void note_assumed_domain(ws_columns *t, uint32_t column)
{
    ws_rule_note(t, "",
                 "nothing says whose power '%s' is: it is taken for a GPU's (--columns domain=node, or cpu, dram, "
                 "wall, other, says otherwise)",
                 t->value[column]->name);
}

/* Up to where its unit is in doubt. */
static bool is_above_any_gpu(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    if (!names_no_owner(t, column) || value->meaning.quantity != WS_POWER || !value->meaning.unit)
        return false;
    const ws_column_stats *s = ws_stats_of(t, column);
    const ws_number_range *range = t->plan->commas == WS_COMMAS_ARE_DECIMAL ? &s->range_of_commas : &s->range;
    return range->n && range->least * value->to_si > ws_limits_of_domain[WS_GPU].rare_w &&
           range->most * value->to_si <= WS_GPU_MOST_W;
}

static void give_large_to_node(ws_columns *t, uint32_t column)
{
    t->value[column]->meaning.domain = WS_NODE;
    ws_rule_note(t, "",
                 "nothing says whose power '%s' is, and no GPU draws so much: it is taken for the node's (--columns "
                 "domain=gpu, or cpu, dram, wall, other, says otherwise)",
                 t->value[column]->name);
}

static const ws_column_rule rules_of_owners[] = {
    {"power-below-its-parts", WS_FACT_DOMAIN, 5, WS_FACT(IDENTITY) | WS_FACT(UNIT), has_powers_of_host, is_below_parts,
     give_to_gpu, WS_FINDING_ASSUMED_DOMAIN,
     "no total is less than its parts: 'power,cpu0_power,cpu1_power'; what else is unmarked is a GPU's"},
    {"power-above-parts", WS_FACT_DOMAIN, 6, WS_FACT(IDENTITY) | WS_FACT(UNIT), has_powers_of_host, is_above_parts,
     ask_whose, WS_FINDING_ASK_DEVICES, "no guess: it is asked for"},
    {"energy-of-a-named-power", WS_FACT_DOMAIN, 4, WS_FACT(ENERGY), has_powers_of_host, is_energy_of_a_power,
     give_to_power, 0, "proven by the power: 'rapl_package_power,energy_j' would count the package twice"},
    {"energy-that-holds-parts", WS_FACT_DOMAIN, 3, WS_FACT(ENERGY), has_powers_of_host, is_energy_above_parts,
     give_energy_to_node, WS_FINDING_ASSUMED_DOMAIN,
     "'energy,power,cpu_energy,cpu_power': Cray's pm_counters of nodes without accelerators, HPE's page on them"},
    {"more-than-a-gpu", WS_FACT_DOMAIN, 2, WS_FACT(IDENTITY) | WS_FACT(ROWS), has_open_domains, is_above_any_gpu,
     give_large_to_node, WS_FINDING_ASSUMED_DOMAIN,
     "'timestamp,power_watt' over 1552: no vendor states a limit above 1400 W for a GPU"},
    {"power-of-nobody", WS_FACT_DOMAIN, 1, WS_FACT(IDENTITY) | WS_FACT(ROWS), has_open_domains, names_no_owner,
     note_assumed_domain, WS_FINDING_ASSUMED_DOMAIN, "minimal_50ms.csv of nvidia-smi-csv: 'timestamp, power.draw [W]'"},
};
const ws_rule_table ws_owner_rules = {rules_of_owners, sizeof rules_of_owners / sizeof *rules_of_owners};
