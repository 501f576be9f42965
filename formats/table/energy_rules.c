/* Rules over readings of energies: which are running totals, which belong to their rows, and in what unit. See
 * column_rules.h. */
#include "formats/table/column_rules.h"

#include "formats/table/column_limits.h"
#include "formats/table/dictionary.h"

#include <math.h>
#include <string.h>

static bool is_beside(const ws_plan_value *power, const ws_plan_value *energy)
{
    return power->meaning.quantity == WS_POWER && power->meaning.domain == energy->meaning.domain &&
           ws_span_same(power->meaning.device, energy->meaning.device) &&
           ws_span_same(power->meaning.node, energy->meaning.node);
}

static const ws_plan_value *power_beside(const ws_plan *plan, const ws_plan_value *energy)
{
    for (size_t i = 0; i < plan->n_values; i++)
        if (is_beside(&plan->values[i], energy))
            return &plan->values[i];
    return NULL;
}

static void take_steps(ws_columns *t, uint32_t column)
{
    const ws_plan_value *value = t->value[column];
    t->steps[column] = ws_column_steps_of(t->plan, t->sample, value, power_beside(t->plan, value));
}

/* The name says "energy" and not whether it is a running total. */
static bool is_bare_energy(const ws_columns *t, uint32_t column)
{
    return t->value[column] && t->value[column]->meaning.quantity == WS_ENERGY_INTERVAL &&
           !t->value[column]->meaning.names_energy;
}

static bool is_near(double joules, const ws_column_steps *s)
{
    return joules < s->power_j * WS_ENERGY_NEAR && joules > s->power_j / WS_ENERGY_NEAR;
}

static bool is_stated(const ws_columns *t, uint32_t column)
{
    return t->value[column]->meaning.unit || t->steps[column].has_unit;
}

/* The sum of its rises agrees with the power beside it, and the sum of its rows does not. */
static bool rises_agree(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    return is_bare_energy(t, column) && s->power_j > 0 && is_near(s->risen_j, s) && !is_near(s->sum_j, s);
}

/* The power beside it does not decide: there is none, or it agrees with both sums, or with neither. */
static bool is_open_energy(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    return is_bare_energy(t, column) && (!(s->power_j > 0) || is_near(s->risen_j, s) == is_near(s->sum_j, s));
}

/* It falls now and then, by more than it ever rises, to no more than two steps add up to: a wrap or a reset. */
static bool begins_again(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    return is_open_energy(t, column) && s->falls && s->rises >= WS_TOTAL_RISES_A_FALL * s->falls &&
           s->smallest_fall > s->largest_rise && s->largest_beginning <= 2 * s->largest_rise;
}

/* Energies of many rows that agree with the power beside them only roughly, in whatever unit, and never fall. */
static bool never_falls_with_power(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    bool is_same = s->sum_j < s->power_j * WS_ENERGY_SAME && s->sum_j > s->power_j / WS_ENERGY_SAME;
    return is_bare_energy(t, column) && s->n >= (WS_TOTAL_SURE_STEPS + 1) * s->devices && !is_same;
}

/* It never falls, and rises in half of its steps or, if it is coarsely rounded, at least a few times. */
static bool only_grows(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    size_t steps = s->n - s->devices;
    return (is_open_energy(t, column) || never_falls_with_power(t, column)) && !s->falls &&
           steps >= WS_TOTAL_LEAST_STEPS * s->devices && (s->rises * 2 >= steps || s->rises >= WS_TOTAL_LEAST_STEPS);
}

/* W. More than a GPU, a processor or memory takes, where the name says that it is one, and what it rises by is not. */
static double most_watts_of_rows(const ws_columns *t, uint32_t column)
{
    const ws_meaning *m = &t->value[column]->meaning;
    const ws_column_steps *s = &t->steps[column];
    bool is_device = m->names_domain && (m->domain == WS_GPU || m->domain == WS_CPU || m->domain == WS_DRAM);
    bool may_rise = s->rises && s->risen_j - s->fallen_j <= WS_GPU_MOST_W * s->seconds;
    return is_device && may_rise ? WS_GPU_MOST_W : may_rise && s->falls ? WS_NODE_MOST_W : WS_ENERGY_MOST_W;
}

/* It falls now and then and comes back, as a counter does whose reading failed; and as the energy of each row does,
 * which agrees with the power beside it, or did before that was found to be in mW. */
static bool comes_back(const ws_column_steps *s)
{
    static const double milli = 1e-3;
    bool is_of_rows = s->power_j > 0 && (is_near(s->sum_j, s) || is_near(s->sum_j * milli, s));
    return !is_of_rows && s->rises >= WS_TOTAL_RISES_A_FALL * s->falls && s->risen_j > s->fallen_j;
}

static bool is_too_much_for_rows(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    if (!is_open_energy(t, column) || !is_stated(t, column) || (s->falls && !comes_back(s)) || !(s->seconds > 0))
        return false;
    return s->sum_j > most_watts_of_rows(t, column) * s->seconds ||
           (s->power_j > 0 && s->sum_j > s->power_j * WS_ENERGY_FAR_ABOVE);
}

static void take_total(ws_columns *t, uint32_t column, const char *why)
{
    ws_plan_value *value = t->value[column];
    value->is_counter = true;
    ws_rule_note(t, value->name, "'%s' is read as a running total, %s", value->name, why);
}

static void take_agreeing_total(ws_columns *t, uint32_t column)
{
    take_total(t, column, "as the power beside it agrees with its rise");
}

static void take_beginning_total(ws_columns *t, uint32_t column)
{
    take_total(t, column, "since it falls only to begin again");
}

static void take_growing_total(ws_columns *t, uint32_t column)
{
    take_total(t, column, "since it only grows");
}

static void take_large_total(ws_columns *t, uint32_t column)
{
    take_total(t, column, "since nothing draws so much in every row");
}

/* A column that never changes, or grows in a few steps, proves nothing by itself, but a logger writes all of its
 * energies alike. */
static bool never_falls_beside_totals(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    bool is_open = !s->rises || is_open_energy(t, column); /* what rises may be what the power beside it says */
    if (!is_bare_energy(t, column) || t->value[column]->is_counter || !is_open || s->falls || !s->n)
        return false;
    for (uint32_t c = 0; c < t->n; c++)
        if (is_bare_energy(t, c) && t->value[c]->is_counter &&
            t->value[c]->meaning.unit == t->value[column]->meaning.unit)
            return true;
    return false;
}

static void take_total_like_others(ws_columns *t, uint32_t column)
{
    take_total(t, column, "as another energy of the file is");
}

/* It never rises: what is left in a battery. */
static bool only_falls(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    return is_bare_energy(t, column) && !s->rises && s->falls * 2 >= s->n - s->devices;
}

static bool is_charge(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    return only_falls(t, column) && s->falls >= WS_TOTAL_LEAST_STEPS * s->devices && s->power_j > 0 &&
           is_near(s->fallen_j, s) && !is_near(s->sum_j, s);
}

/* A battery feeds the whole of a device. */
static void take_power_of_charge(ws_columns *t, uint32_t column)
{
    ws_plan_value *charge = t->value[column];
    ws_plan_value *power = &t->plan->values[power_beside(t->plan, charge) - t->plan->values];
    if (!power->meaning.names_domain)
        power->meaning.domain = charge->meaning.domain = WS_NODE;
    power->meaning.names_domain = charge->meaning.names_domain = true;
    power->unit_is_given |= is_stated(t, column); /* both agree */
    charge->meaning.preference = WS_DOUBTFUL;
    ws_rule_note(t, charge->name,
                 "'%s' falls by what '%s' means: it is what is left in a battery, and the power is taken", charge->name,
                 power->name);
}

static bool may_be_charge(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    return only_falls(t, column) && s->falls >= WS_TOTAL_SURE_STEPS * s->devices && !(s->power_j > 0);
}

static void ask_charge(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    value->ask = WS_ASK_UNIT;
    ws_rule_note(t, value->name,
                 "'%s' never rises: it may be what is left in a battery, and no energy that was taken (--columns "
                 "energy=%s says that it is that of each row)",
                 value->name, value->name);
}

static bool is_no_total(const ws_columns *t, uint32_t column)
{
    return is_bare_energy(t, column) && !t->value[column]->is_counter;
}

/* It rises from each row to the next, in too few rows to say that energies of rows would not. */
static bool rises_in_few_rows(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    size_t steps = s->n - s->devices;
    return is_no_total(t, column) && is_open_energy(t, column) && !t->value[column]->ask && steps &&
           s->rises == steps && steps < WS_TOTAL_LEAST_STEPS * s->devices;
}

static void ask_total_or_rows(ws_columns *t, uint32_t column)
{
    ws_plan_value *value = t->value[column];
    value->ask = WS_ASK_UNIT;
    ws_rule_note(
        t, value->name,
        "'%s' rises in each of so few rows that it may be a running total or the energy of each row: --columns "
        "counter=%s or energy=%s says which",
        value->name, value->name, value->name);
}

static void take_energy_of_rows(ws_columns *t, uint32_t column)
{
    const char *name = t->value[column]->name;
    ws_rule_note(t, name, "'%s' is read as the energy of each row", name);
}

static double joules_of(const ws_columns *t, uint32_t column)
{
    return t->value[column]->is_counter ? t->steps[column].risen_j : t->steps[column].sum_j;
}

/* Often in kWh, or in mWh. A running total by its name is no surer of its unit: "Total" is in kWh in Tasmota's
 * messages. What one comes to that is in mJ or uJ is left to the rule below. One that stands still says nothing of the
 * joules that the power beside it has. */
static bool is_far_from_power(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    if (!ws_holds_energy(t, column) || is_stated(t, column) || !(s->power_j > 0))
        return false;
    double joules = joules_of(t, column);
    if (is_bare_energy(t, column) && joules > 0)
        return !is_near(joules, s);
    return joules * WS_ENERGY_NEAR < s->power_j && s->power_j > WS_ENERGY_NEAR;
}

static void leave_to_power(ws_columns *t, uint32_t column)
{
    ws_plan_value *energy = t->value[column];
    energy->meaning.preference = WS_DOUBTFUL;
    ws_rule_note(t, energy->name,
                 "read as J, '%s' is %.1e times the energy of '%s', so the power is taken: its unit may be kWh",
                 energy->name, joules_of(t, column) / t->steps[column].power_j, power_beside(t->plan, energy)->name);
}

/* J. One of the last digit that the column's cells have, of those with the most; 0: there is no number. */
static double last_digit(const ws_columns *t, uint32_t column)
{
    size_t decimals = 0, n = 0;
    double number;
    for (size_t i = 0; i < t->sample->n; i++) {
        char buffer[WS_POINT_CELL];
        ws_span cell = ws_span_trim(ws_plan_point(t->plan, buffer, ws_row_cell(t->sample->rows[i], (int32_t)column)));
        const char *point = ws_span_double(cell, &number) ? memchr(cell.p, '.', cell.n) : NULL;
        size_t own = point ? (size_t)(cell.p + cell.n - point) - 1 : 0;
        n += ws_span_double(cell, &number);
        decimals = own > decimals ? own : decimals;
    }
    return n ? pow(10, -(double)decimals) * t->value[column]->to_si : 0;
}

/* A running total in kWh that stands still, or steps once, while the power beside it says a part of a step: what it
 * rises by is the power's energy to one step, and the power tells more. */
static bool is_coarser_than_power(const ws_columns *t, uint32_t column)
{
    const ws_column_steps *s = &t->steps[column];
    if (!ws_holds_energy(t, column) || !is_stated(t, column) || s->has_unit || s->falls || !(s->power_j > 0) ||
        !(t->value[column]->is_counter || t->value[column]->meaning.quantity == WS_ENERGY_COUNTER))
        return false;
    double step = last_digit(t, column);
    return step * WS_TOTAL_FINE_STEPS > s->power_j && fabs(s->risen_j - s->power_j) <= step;
}

static void leave_to_finer_power(ws_columns *t, uint32_t column)
{
    ws_plan_value *energy = t->value[column];
    energy->meaning.preference = WS_DOUBTFUL;
    ws_rule_note(t, energy->name, "'%s' counts in steps of %.4g J, and '%s' comes to %.4g J: the power is taken",
                 energy->name, last_digit(t, column), power_beside(t->plan, energy)->name, t->steps[column].power_j);
}

/* W of a device, as an energy that names no unit means them in J; NaN: it names one, stands beside a power that says
 * it, or nothing is known. A total that wraps rises between its falls. */
static double open_watts(const ws_columns *t, uint32_t column)
{
    if (!ws_holds_energy(t, column) || is_stated(t, column) || is_far_from_power(t, column) ||
        t->value[column]->meaning.preference == WS_DOUBTFUL)
        return NAN;
    double watts = joules_of(t, column) / t->steps[column].seconds;
    return t->steps[column].seconds > 0 && watts > 0 ? watts : NAN;
}

static bool is_too_much_in_joules(const ws_columns *t, uint32_t column)
{
    double watts = open_watts(t, column); /* NaN is no more than anything */
    ws_domain domain = isnan(watts) ? WS_GPU : t->value[column]->meaning.domain;
    return watts > (domain == WS_NODE || domain == WS_WALL ? WS_NODE_MOST_W : WS_GPU_MOST_W);
}

static double smaller_unit(double watts)
{
    return watts * 1e-3 > WS_GPU_MOST_W ? 1e-6 : 1e-3;
}

/* "Energy counter" of rocm-smi: counts of 15.259 uJ on MI200 (rsmi_dev_energy_count_get), and of no unit. */
static bool is_count(const ws_columns *t, uint32_t column)
{
    char buffer[WS_PLAIN_NAME];
    return ws_holds_energy(t, column) && !is_stated(t, column) &&
           ws_span_eq(ws_plain_name(buffer, ws_span_of(t->value[column]->name)), "energy_counter");
}

static bool is_count_beside_energy(const ws_columns *t, uint32_t column)
{
    bool any = false;
    for (uint32_t c = 0; c < t->n && is_count(t, column); c++)
        any |= c != column && ws_holds_energy(t, c) && is_stated(t, c) &&
               t->value[c]->meaning.domain == t->value[column]->meaning.domain;
    return any;
}

static void leave_count(ws_columns *t, uint32_t column)
{
    t->value[column]->meaning.preference = WS_DOUBTFUL;
}

static bool is_count_of_too_much(const ws_columns *t, uint32_t column)
{
    return is_count(t, column) && is_too_much_in_joules(t, column);
}

static void ask_count(ws_columns *t, uint32_t column)
{
    ws_plan_value *energy = t->value[column];
    energy->ask = WS_ASK_UNIT;
    ws_rule_note(t, energy->name,
                 "'%s' holds counts, of which no unit says what each is (15.259 uJ on AMD's MI200; rocm-smi prints "
                 "'Accumulated Energy (uJ)' beside them): --columns unit=uJ, or mJ, where each is one",
                 energy->name);
}

/* More than a GPU or a processor draws, and not in mJ or uJ. What may be a node is none of them. */
static bool is_in_smaller_unit(const ws_columns *t, uint32_t column)
{
    if (!is_too_much_in_joules(t, column))
        return false;
    ws_domain domain = t->value[column]->meaning.domain;
    double watts = open_watts(t, column), read_w = watts * smaller_unit(watts);
    bool is_device = (domain == WS_GPU && t->plan->is_about_gpus) || domain == WS_CPU;
    return is_device && read_w >= WS_ENERGY_LEAST_W && read_w <= WS_GPU_MOST_W;
}

static void take_smaller_energy(ws_columns *t, uint32_t column)
{
    ws_plan_value *energy = t->value[column];
    double watts = open_watts(t, column);
    energy->to_si *= smaller_unit(watts);
    ws_rule_note(t, energy->name,
                 "in J, '%s' would mean %.4g W, so it is read as %s (a unit in its name ends the question)",
                 energy->name, watts, smaller_unit(watts) < 1e-3 ? "uJ" : "mJ");
}

/* Energies of one logger are in one unit: where the largest means less than any device draws it is larger than J, and
 * kJ, Wh, MJ and kWh lie too near to each other to tell. */
static bool is_too_little_in_joules(const ws_columns *t, uint32_t column)
{
    double most = 0;
    for (uint32_t c = 0; c < t->n; c++)
        most = fmax(most, open_watts(t, c)); /* fmax passes NaN over */
    return !isnan(open_watts(t, column)) && most < WS_ENERGY_LEAST_W;
}

/* "energy" and no word of whose: meters count mWh, which is as plausible where 3.6 times the watts are. */
static bool may_be_milliwatt_hours(const ws_columns *t, uint32_t column)
{
    double watts = open_watts(t, column);
    return watts >= WS_ENERGY_LEAST_W && watts * WS_JOULES_A_MWH <= WS_GPU_MOST_W &&
           t->value[column]->meaning.domain == WS_GPU && !t->value[column]->meaning.names_domain &&
           !t->plan->is_about_gpus && !t->context->map->gives_domain;
}

static void ask_unit(ws_columns *t, uint32_t column)
{
    ws_plan_value *energy = t->value[column];
    energy->ask = WS_ASK_UNIT;
    ws_rule_note(t, energy->name,
                 "'%s' names no unit, and in J it would mean %.4g W: --columns unit=UNIT says which it is (uJ, mJ, J, "
                 "mWh, kJ, MJ, Wh, kWh ...)",
                 energy->name, open_watts(t, column));
}

/* --- the rules --- */

static const ws_column_rule rules_of_energies[] = {
    {"steps", WS_FACT_STEPS, 1, WS_FACT(TURNS) | WS_FACT(UNIT), NULL, ws_holds_energy, take_steps, 0, "statistics"},
    {"total-as-the-power-says", WS_FACT_TOTALS, 4, WS_FACT(STEPS), NULL, rises_agree, take_agreeing_total,
     WS_FINDING_ASSUMED_ENERGY, "proven by the power beside it"},
    {"total-that-begins-again", WS_FACT_TOTALS, 3, WS_FACT(STEPS), NULL, begins_again, take_beginning_total,
     WS_FINDING_ASSUMED_ENERGY, "counters of RAPL wrap at max_energy_range_uj: the kernel's page on powercap"},
    {"total-that-only-grows", WS_FACT_TOTALS, 2, WS_FACT(STEPS), NULL, only_grows, take_growing_total,
     WS_FINDING_ASSUMED_ENERGY, "energies of rows rise and fall with the power"},
    {"total-for-no-row", WS_FACT_TOTALS, 1, WS_FACT(STEPS), NULL, is_too_much_for_rows, take_large_total,
     WS_FINDING_ASSUMED_ENERGY,
     "nothing that is logged in one column draws a megawatt, and no processor 500 kW: short logs of EnergiBridge"},
    {"total-as-others-are", WS_FACT_ROWS, 3, WS_FACT(TOTALS), NULL, never_falls_beside_totals, take_total_like_others,
     WS_FINDING_ASSUMED_ENERGY,
     "a logger writes all of its energies alike: an idle GPU beside busy ones, RAPL's zones in a short log"},
    {"charge-of-a-battery", WS_FACT_ROWS, 5, WS_FACT(TOTALS), NULL, is_charge, take_power_of_charge,
     WS_FINDING_ASSUMED_ENERGY, "proven by the power beside it: 'percentage,energy_Wh,power_W' of UPower"},
    {"charge-or-energy", WS_FACT_ROWS, 4, WS_FACT(TOTALS), NULL, may_be_charge, ask_charge, WS_FINDING_ASK_UNIT,
     "no guess: it is asked for"},
    {"total-or-rows", WS_FACT_ROWS, 2, WS_FACT(TOTALS), NULL, rises_in_few_rows, ask_total_or_rows, WS_FINDING_ASK_UNIT,
     "no guess: a counter that was read before and after a run, or the energies of two runs"},
    {"energy-of-each-row", WS_FACT_ROWS, 1, WS_FACT(TOTALS), NULL, is_no_total, take_energy_of_rows,
     WS_FINDING_ASSUMED_ENERGY, "jetson_milliwatt_named_w.csv of gpu-wrapper-csv, CodeCarbon's load profiles"},
    {"energy-far-from-power", WS_FACT_ENERGY, 4, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, is_far_from_power,
     leave_to_power, WS_FINDING_IMPLAUSIBLE_ENERGY, "no guess: the power beside it is taken"},
    {"total-coarser-than-power", WS_FACT_ENERGY, 8, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, is_coarser_than_power,
     leave_to_finer_power, WS_FINDING_ASSUMED_ENERGY,
     "proven by the power beside it: 'Power(W),Energy(kWh)' over 968.1,12.5, as firmware of meters writes them"},
    {"count-beside-energy", WS_FACT_ENERGY, 7, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, is_count_beside_energy,
     leave_count, 0, "rocm-smi --showenergycounter prints its counts beside microjoules"},
    {"count-of-no-unit", WS_FACT_ENERGY, 6, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, is_count_of_too_much, ask_count,
     WS_FINDING_ASK_UNIT, "no guess: it is asked for"},
    {"energy-in-smaller-unit", WS_FACT_ENERGY, 3, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, is_in_smaller_unit,
     take_smaller_energy, WS_FINDING_IMPLAUSIBLE_UNIT,
     "nvmlDeviceGetTotalEnergyConsumption counts millijoules (NVML's reference), the kernel's powercap microjoules"},
    {"energy-too-much-in-joules", WS_FACT_ENERGY, 2, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, is_too_much_in_joules,
     ask_unit, WS_FINDING_ASK_UNIT, "no guess: it is asked for"},
    {"energy-in-joules-or-mwh", WS_FACT_ENERGY, 5, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, may_be_milliwatt_hours,
     ask_unit, WS_FINDING_ASK_UNIT, "no guess: it is asked for; meters of USB and of sockets count mWh"},
    {"energy-too-little-in-joules", WS_FACT_ENERGY, 1, WS_FACT(ROWS) | WS_FACT(DOUBT), NULL, is_too_little_in_joules,
     ask_unit, WS_FINDING_ASK_UNIT, "no guess: it is asked for"},
};
const ws_rule_table ws_energy_rules = {rules_of_energies, sizeof rules_of_energies / sizeof *rules_of_energies};
