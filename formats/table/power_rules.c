/* The unit of powers in a table that states none. One logger writes all of them alike, so that what proves one to be in
 * W or in mW speaks for the others, too. NVIDIA's tegrastats prints mW of the rails of small boards (ws_is_board_rail),
 * and so do those who cut it into a CSV ("Tegrastats Utility" in the Jetson Linux developer guide: "VDD_IN
 * 5542mW/5500mW"; boards before it left the unit out). Others convert to W first: the largest rail decides for all. See
 * column_rules.h. */
#include "formats/table/column_rules.h"

#include "core/device_limits.h"
#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <stdlib.h>

/* --- rails of boards --- */

typedef enum rail_unit {
    STATED, /* no rail, or its name, its cells or the user state the unit; or there is no reading but zeros */
    WATTS,
    MILLIWATTS,
    OPEN /* either may be */
} rail_unit;

static const ws_number_range *readings_of(const ws_columns *t, uint32_t column)
{
    const ws_column_stats *s = ws_stats_of_column(t->sample, (int32_t)column);
    return t->plan->commas == WS_COMMAS_ARE_DECIMAL ? &s->range_of_commas : &s->range;
}

static ws_span name_in(const ws_columns *t, uint32_t column)
{
    return ws_span_trim(ws_span_of(t->value[column] ? t->value[column]->name : ""));
}

/* "GPU" is a rail of a board beside VDDRQ, "power_gpu" beside "power_in". */
static bool has_rails(const ws_columns *t)
{
    for (uint32_t c = 0; c < t->n; c++)
        if (ws_is_board_rail(name_in(t, c)) || ws_is_board_input(name_in(t, c)))
            return true;
    return false;
}

static bool is_rail(const ws_columns *t, ws_span name)
{
    return ws_is_board_rail(name) || ws_is_board_input(name) || (ws_is_bare_rail(name) && has_rails(t));
}

static bool is_open_rail(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    if (!value || value->meaning.quantity != WS_POWER || value->meaning.unit || value->unit_is_given)
        return false;
    const ws_number_range *range = readings_of(t, column);
    ws_span name = name_in(t, column);
    return is_rail(t, name) && range->n && !range->with_unit;
}

/* All rails together. */
typedef struct rails {
    uint32_t n, largest;          /* `largest`: the column of the largest reading */
    bool has_input, has_fraction; /* a rail that feeds the board; readings that are no whole numbers */
    bool is_board;                /* a name that only boards have: "power_in" may be that of a server */
    double most;                  /* the largest reading */
} rails;

static rails rails_of(const ws_columns *t)
{
    rails r = {.n = 0};
    for (uint32_t c = 0; c < t->n; c++) {
        if (!is_open_rail(t, c))
            continue;
        const ws_number_range *range = readings_of(t, c);
        r.n++;
        r.is_board |= ws_is_board_rail(name_in(t, c));
        r.has_input |= t->value[c]->meaning.domain == WS_NODE;
        r.has_fraction |= range->has_fraction;
        if (range->most > r.most) {
            r.most = range->most;
            r.largest = c;
        }
    }
    return r;
}

/* At least half of the rail's readings other than 0, as the file writes them: a single one may be a failed one. */
static bool is_usually_above(const ws_columns *t, uint32_t column, double bound)
{
    size_t n = 0, above = 0;
    for (size_t i = 0; i < t->sample->n; i++) {
        char buffer[WS_POINT_CELL];
        double number;
        ws_span cell = ws_plan_point(t->plan, buffer, ws_row_cell(t->sample->rows[i], (int32_t)column));
        if (!ws_span_double(ws_span_trim(cell), &number) || number == 0)
            continue;
        n++;
        above += number > bound;
    }
    return n && 2 * above >= n;
}

/* None is far above what any board takes in W. In mW the input is never so little, nor are two rails beside each other
 * whose sensor gives whole numbers; nor is any below the sensor's step. */
static bool must_be_watts(const ws_columns *t, const rails *r)
{
    return r->has_input || (r->n > 1 && r->has_fraction) || !is_usually_above(t, r->largest, WS_RAIL_STEP_MW);
}

/* The unit that the rails of the table are proven to be in, for a column of it. */
static rail_unit unit_of_rail(const ws_columns *t, uint32_t column)
{
    if (!is_open_rail(t, column))
        return STATED;
    rails r = rails_of(t);
    if (is_usually_above(t, r.largest, WS_BOARD_IN_MW))
        return r.is_board ? MILLIWATTS : OPEN;
    return r.most <= WS_BOARD_MOST_W && must_be_watts(t, &r) ? WATTS : OPEN;
}

static bool are_rails_in_milliwatts(const ws_columns *t, uint32_t column)
{
    return unit_of_rail(t, column) == MILLIWATTS;
}

static void take_milliwatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *rail = t->value[column];
    rail->to_si = 1e-3;
    ws_rule_note(t, rail->name,
                 "'%s' names no unit and is read as mW, as no board takes so many W (--columns unit=W keeps W)",
                 rail->name);
}

static bool are_rails_in_watts(const ws_columns *t, uint32_t column)
{
    return unit_of_rail(t, column) == WATTS;
}

static void keep_watts(ws_columns *t, uint32_t column)
{
    t->value[column]->to_si = 1;
}

static bool are_open_rails(const ws_columns *t, uint32_t column)
{
    return unit_of_rail(t, column) == OPEN;
}

static void ask_rail(ws_columns *t, uint32_t column)
{
    ws_plan_value *rail = t->value[column];
    rail->ask = WS_ASK_UNIT;
    ws_rule_note(t, rail->name,
                 "'%s' names no unit, and the rails of the table may be in W or in mW, as tegrastats has them: "
                 "--columns unit=mW or unit=W says which",
                 rail->name);
}

/* --- powers of others --- */

static bool is_power(const ws_columns *t, uint32_t column)
{
    return t->value[column] && t->value[column]->meaning.quantity == WS_POWER;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The median of a column's readings other than 0, as the file writes them; 0: there is none. */
static void take_level(ws_columns *t, uint32_t column)
{
    double *reading = ws_alloc((t->sample->n + 1) * sizeof *reading);
    size_t n = 0;
    for (size_t i = 0; i < t->sample->n; i++) {
        char buffer[WS_POINT_CELL];
        ws_span cell = ws_plan_point(t->plan, buffer, ws_row_cell(t->sample->rows[i], (int32_t)column));
        double number;
        bool is_reading = ws_span_double(ws_span_trim(cell), &number) && number != 0;
        if (is_reading && number <= readings_of(t, column)->most) /* not AMD's mark */
            reading[n++] = fabs(number);
    }
    qsort(reading, n, sizeof *reading, by_size);
    t->level[column] = n ? reading[n / 2] : 0;
    free(reading);
}

static bool tells_gpus_apart(const ws_plan *plan)
{
    for (int role = WS_ROLE_UUID; role <= WS_ROLE_NAME; role++)
        if (plan->ids[role] >= 0)
            return true;
    return false;
}

typedef enum bare_owner {
    NOT_BARE, /* no power, without readings, or its name, its cells or the user state the unit; rails of boards */
    OF_GPU,
    OF_PART,  /* of processors or memory */
    OF_WHOLE, /* a node, a wall meter, or nobody: a server, or a board in mW */
    OF_OTHERS /* a total */
} bare_owner;

static bare_owner owner_of(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    if (!is_power(t, column) || value->unit_is_given || value->meaning.unit || value->to_si != 1 ||
        readings_of(t, column)->with_unit || !(t->level[column] > 0))
        return NOT_BARE;
    if (is_rail(t, name_in(t, column)) || ws_unit_find(name_in(t, column)))
        return NOT_BARE;
    switch (value->meaning.domain) {
    case WS_GPU:
        return value->meaning.names_domain || tells_gpus_apart(t->plan) ? OF_GPU : OF_WHOLE;
    case WS_NODE:
    case WS_WALL:
        return OF_WHOLE;
    case WS_OTHER:
        return OF_OTHERS;
    default:
        return OF_PART;
    }
}

static double most_watts(bare_owner owner)
{
    return owner == OF_WHOLE || owner == OF_OTHERS ? WS_NODE_MOST_W : WS_GPU_MOST_W;
}

/* Columns that stand beside the power of a card and not of a board's GPU: what tells GPUs apart, a limit, memory of its
 * own. */
static bool has_columns_of_card(const ws_columns *t)
{
    static const char *const memories[] = {"gpu", "vram", "fb", "memory.used"};
    const ws_plan *plan = t->plan;
    bool has = tells_gpus_apart(plan) || t->context->map->devices > 1;
    for (size_t v = 0; v < plan->n_values && !has; v++) {
        ws_quantity quantity = plan->values[v].meaning.quantity;
        bool is_memory = quantity == WS_MEM_USED || quantity == WS_MEM_UTIL;
        has |= quantity == WS_POWER_LIMIT;
        for (size_t m = 0; is_memory && m < sizeof memories / sizeof *memories; m++)
            has |= ws_span_contains(ws_span_of(plan->values[v].name), memories[m]);
    }
    return has;
}

/* Of a card, or of one of several processors, as a board has none, nor DIMMs; or the name is one of nvidia-smi, of
 * Cray's pm_counters or of NUT, whose documentations say W. */
static bool is_of_server(const ws_columns *t, uint32_t column)
{
    char buffer[WS_PLAIN_NAME];
    ws_span name = ws_plain_name(buffer, name_in(t, column));
    return t->value[column]->meaning.device_number >= 0 || ws_span_has_prefix(name, "power_draw") ||
           ws_span_eq(name, "memory_power") || ws_span_eq(name, "ups_realpower") || ws_span_has_prefix(name, "dimm") ||
           (owner_of(t, column) == OF_GPU && has_columns_of_card(t));
}

static bool is_whole(const ws_columns *t, uint32_t column)
{
    return !readings_of(t, column)->has_fraction;
}

/* More than any such device draws in W, in most rows, and no less than 1 W in mW: so it is in mW, or uW. */
static bool is_bare_in_smaller_unit(const ws_columns *t, uint32_t column)
{
    bare_owner owner = owner_of(t, column);
    return (owner == OF_GPU || owner == OF_PART) && t->level[column] > WS_GPU_MOST_W &&
           readings_of(t, column)->least >= WS_BARE_LEAST_MW;
}

static void take_bare_in_smaller_unit(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    bool is_micro = t->level[column] * 1e-3 > WS_GPU_MOST_W;
    value->to_si = is_micro ? 1e-6 : 1e-3;
    t->has_wrong_unit = true;
    ws_rule_note(t, value->name,
                 "'%s' names no unit and is usually above %g W, so it is read as %s (unit=W in the column map keeps W)",
                 value->name, WS_GPU_MOST_W, is_micro ? "uW" : "mW");
}

/* W, as decimals of a GPU or processor show, or what is no part of a board; or a name or cells that state it. */
static bool proves_watts(const ws_columns *t, uint32_t column)
{
    bare_owner owner = owner_of(t, column);
    const ws_unit *unit = is_power(t, column) ? t->value[column]->meaning.unit : NULL;
    if (owner == NOT_BARE)
        return (unit && unit->to_si == 1) || (is_power(t, column) && readings_of(t, column)->with_unit);
    return (owner == OF_GPU || owner == OF_PART) && t->level[column] <= WS_GPU_MOST_W &&
           (!is_whole(t, column) || is_of_server(t, column));
}

static bool some_column(const ws_columns *t, bool (*holds)(const ws_columns *t, uint32_t column))
{
    for (uint32_t c = 0; c < t->n; c++)
        if (holds(t, c))
            return true;
    return false;
}

/* What stands beside the power of a meter: the ratio of the readings' sum to that of volts times amperes, and the
 * largest of those; the ratio is 0 where there are no such columns. */
typedef struct meter {
    double ratio, volts, amperes;
} meter;

static bool read_cell(const ws_columns *t, size_t row, uint32_t column, double *number)
{
    char buffer[WS_POINT_CELL];
    return ws_span_double(
        ws_span_trim(ws_plan_point(t->plan, buffer, ws_row_cell(t->sample->rows[row], (int32_t)column))), number);
}

static meter meter_of(const ws_columns *t, uint32_t column)
{
    uint32_t volts = t->n, amperes = t->n;
    meter m = {.ratio = 0};
    double power_sum = 0, product_sum = 0, w, v, a;
    for (uint32_t c = t->n; t->plan->header && c-- > 0;) {
        ws_span name = ws_span_of(t->plan->header[c]);
        volts = !t->value[c] && ws_names_volts(name) ? c : volts;
        amperes = !t->value[c] && ws_names_amperes(name) ? c : amperes;
    }
    for (size_t i = 0; volts < t->n && amperes < t->n && i < t->sample->n; i++) {
        if (!read_cell(t, i, column, &w) || !read_cell(t, i, volts, &v) || !read_cell(t, i, amperes, &a))
            continue;
        power_sum += w, product_sum += v * a;
        m.volts = fmax(m.volts, fabs(v)), m.amperes = fmax(m.amperes, fabs(a));
    }
    m.ratio = product_sum != 0 ? power_sum / product_sum : 0;
    return m;
}

/* Volts times amperes are the power as it stands: both are in units without a prefix, or, where a current is one that
 * no meter of so few volts takes, in mA and mW. */
static bool is_product(const meter *m)
{
    return m->ratio > 1 / WS_METER_NEAR && m->ratio < WS_METER_NEAR && m->volts >= 1 && m->volts < WS_METER_MOST_V;
}

static bool is_watts_by_product(const ws_columns *t, uint32_t column)
{
    meter m = owner_of(t, column) == OF_WHOLE ? meter_of(t, column) : (meter){.ratio = 0};
    return is_product(&m) && m.amperes <= WS_METER_MOST_A;
}

static bool may_be_of_milliamperes(const ws_columns *t, uint32_t column)
{
    meter m = meter_of(t, column);
    return is_product(&m) && m.amperes > WS_METER_MOST_A;
}

/* "power_mW" beside volts and mA: the name's unit, which the product proves. */
static bool is_stated_by_product(const ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    bool is_stated = is_power(t, column) && value->meaning.unit && !value->unit_is_given;
    meter m = is_stated && value->meaning.domain == WS_NODE ? meter_of(t, column) : (meter){.ratio = 0};
    return is_product(&m);
}

/* Its numbers are not held against other units, as the user's word ends such questions, too. */
static void take_as_proven(ws_columns *t, uint32_t column)
{
    t->value[column]->unit_is_given = true;
}

/* Nothing says which of W and mW it is. */
static bool may_be_either(const ws_columns *t, uint32_t column)
{
    bare_owner owner = owner_of(t, column);
    if (owner == NOT_BARE || owner == OF_OTHERS || is_bare_in_smaller_unit(t, column))
        return false;
    if (t->level[column] > most_watts(owner))
        return true;
    bool is_beside_milli = t->proofs.milliwatts;
    if (!is_beside_milli && t->proofs.watts)
        return false;
    if (owner == OF_WHOLE)
        return t->level[column] >= WS_BARE_WHOLE_MW || may_be_of_milliamperes(t, column);
    return is_whole(t, column) && (!is_beside_milli || t->level[column] * 1e-3 >= WS_GPU_LEAST_W);
}

static void take_proofs(ws_columns *t, uint32_t column)
{
    (void)column;
    t->proofs.watts = some_column(t, proves_watts);
    t->proofs.milliwatts = some_column(t, is_bare_in_smaller_unit);
    t->proofs.open = some_column(t, may_be_either);
    t->proofs.rail_milliwatts = some_column(t, are_rails_in_milliwatts);
    t->proofs.rail_open = some_column(t, are_open_rails);
}

static bool is_open_power(const ws_columns *t, uint32_t column)
{
    return may_be_either(t, column) || ((t->proofs.open || t->proofs.rail_open) && owner_of(t, column) == OF_OTHERS);
}

/* A total beside its parts in mW. */
static bool is_total_in_milliwatts(const ws_columns *t, uint32_t column)
{
    return owner_of(t, column) == OF_OTHERS &&
           (t->proofs.rail_milliwatts || (t->level[column] > WS_GPU_MOST_W && t->proofs.milliwatts));
}

static void take_total_in_milliwatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    value->to_si = 1e-3;
    ws_rule_note(t, value->name, "'%s' names no unit and is read as mW, as what it is the total of", value->name);
}

static void ask_for_milliwatts(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    bool is_nobodys = power->meaning.domain == WS_GPU && owner_of(t, column) == OF_WHOLE;
    bool is_more = is_nobodys && t->level[column] > WS_GPU_MOST_W;
    power->ask = WS_ASK_UNIT;
    ws_rule_note(t, power->name,
                 "'%s' names no unit, and its readings, usually %.6g, may be in W or in %s: --columns unit=%s or "
                 "unit=W%s says which",
                 power->name, t->level[column], t->level[column] >= WS_BARE_MICRO ? "mW or uW" : "mW",
                 t->level[column] >= WS_BARE_MICRO ? "mW, unit=uW" : "mW", is_more ? ",domain=node" : "");
}

/* A column that names no quantity and never falls: a running total of energy, in whatever unit. */
static bool may_be_total(const ws_columns *t, uint32_t column)
{
    size_t rises = 0, falls = 0;
    double before = INFINITY, now;
    bool is_bare = owner_of(t, column) != NOT_BARE && (t->value[column]->meaning.is_bare || !t->has_header);
    for (size_t i = 0; i < t->sample->n && is_bare && !falls; i++) {
        char buffer[WS_POINT_CELL];
        ws_span cell = ws_plan_point(t->plan, buffer, ws_row_cell(t->sample->rows[i], (int32_t)column));
        if (!ws_span_double(ws_span_trim(cell), &now))
            continue;
        rises += now > before;
        falls += now < before && isfinite(before);
        before = now;
    }
    return !falls && rises >= WS_TOTAL_SURE_STEPS;
}

static void ask_total(ws_columns *t, uint32_t column)
{
    ws_plan_value *power = t->value[column];
    power->ask = WS_ASK_UNIT;
    ws_rule_note(t, power->name,
                 "'%s' names no quantity and never falls: it may be a running total (--columns counter=%s,unit=J, or "
                 "another unit) or a power (--columns power=%s,unit=W)",
                 power->name, power->name, power->name);
}

/* --- the rules --- */

static const ws_column_rule rules_of_powers[] = {
    {"total-without-a-name", WS_FACT_UNIT, 16, WS_FACT(PROOFS), NULL, may_be_total, ask_total, WS_FINDING_ASK_UNIT,
     "no guess: 'timestamp,package-0,package-1' over joules that only grow"},
    {"rails-in-milliwatts", WS_FACT_UNIT, 9, WS_FACT(COMMAS), NULL, are_rails_in_milliwatts, take_milliwatts,
     WS_FINDING_IMPLAUSIBLE_UNIT,
     "'VDD_IN,VDD_CPU_GPU_CV,VDD_SOC' over 5542,1594,1431: tegrastats prints mW (Jetson Linux developer guide)"},
    {"rails-in-watts", WS_FACT_UNIT, 8, WS_FACT(COMMAS), NULL, are_rails_in_watts, keep_watts, 0,
     "proven: no board takes so few mW"},
    {"rails-in-either", WS_FACT_UNIT, 7, WS_FACT(COMMAS), NULL, are_open_rails, ask_rail, WS_FINDING_ASK_UNIT,
     "no guess: it is asked for"},
    {"levels", WS_FACT_LEVEL, 1, WS_FACT(COMMAS), NULL, is_power, take_level, 0, "statistics"},
    {"proofs", WS_FACT_PROOFS, 1, WS_FACT(LEVEL) | WS_FACT(NO_ID), NULL, NULL, take_proofs, 0, "statistics"},
    {"bare-in-smaller-unit", WS_FACT_UNIT, 11, WS_FACT(PROOFS), NULL, is_bare_in_smaller_unit,
     take_bare_in_smaller_unit, WS_FINDING_IMPLAUSIBLE_UNIT,
     "nvmlDeviceGetPowerUsage gives mW (NVML's reference), powermetrics prints mW: 'cpu_power' over 4097"},
    {"total-in-milliwatts", WS_FACT_UNIT, 13, WS_FACT(PROOFS), NULL, is_total_in_milliwatts, take_total_in_milliwatts,
     WS_FINDING_IMPLAUSIBLE_UNIT, "one logger: 'tot' beside 'rail' in jtop's JSON"},
    {"watts-by-volts-and-amperes", WS_FACT_UNIT, 12, WS_FACT(PROOFS), NULL, is_watts_by_product, take_as_proven, 0,
     "proven: 'voltage;current;power' over 5.08;0.6;3.05, as USB meters have it"},
    {"unit-by-volts-and-amperes", WS_FACT_UNIT, 14, WS_FACT(PROOFS), NULL, is_stated_by_product, take_as_proven, 0,
     "proven: 'bus_voltage,current_mA,power_mW' over 5.02,120.5,604.9, as INA219's libraries give them"},
    {"watts-or-milliwatts", WS_FACT_UNIT, 10, WS_FACT(PROOFS), NULL, is_open_power, ask_for_milliwatts,
     WS_FINDING_ASK_UNIT,
     "no guess: 'Time,Power' over 32402 (Zeus's monitor), 'timestamp,gpu_power' over 1500 (jtop), 'current_power' over "
     "45123 (Tapo) are in mW, servers and cards in W"},
};
const ws_rule_table ws_power_rules = {rules_of_powers, sizeof rules_of_powers / sizeof *rules_of_powers};
