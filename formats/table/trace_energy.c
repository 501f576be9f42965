/* Is a column that is only called "energy" a running total or the energy of each row, and is an energy without unit in
 * J? See trace_plan.h. */
#include "formats/table/trace_plan.h"

#include "core/arena.h"
#include "formats/table/column_limits.h"

#include <math.h>
#include <stdlib.h>

/* What a column did from row to row of each device. Zeros are left out: they may be failed reads. */
typedef struct tally {
    size_t n, devices, rises, falls;
    double risen_j, sum_j;                                 /* sum: without the first row of each device */
    double largest_rise, smallest_fall, largest_beginning; /* beginning: a reading after a fall */
    double seconds, power_j;                               /* what the power beside comes to */
    bool has_unit;
} tally;

/* A row of the device that is followed, as far as it is needed. */
typedef struct seen {
    bool is_there;
    double joules, watts;
    int64_t t_ns;
} seen;

static bool is_bare(const ws_plan_value *value)
{
    return value->meaning.quantity == WS_ENERGY_INTERVAL && !value->meaning.names_energy;
}

static bool is_beside(const ws_plan_value *power, const ws_plan_value *energy)
{
    return power->meaning.quantity == WS_POWER && power->meaning.domain == energy->meaning.domain &&
           ws_span_same(power->meaning.device, energy->meaning.device);
}

static const ws_plan_value *power_beside(const ws_plan *plan, const ws_plan_value *energy)
{
    for (size_t i = 0; i < plan->n_values; i++)
        if (is_beside(&plan->values[i], energy))
            return &plan->values[i];
    return NULL;
}

static double read_cell(const ws_plan *plan, const ws_plan_value *value, const ws_row *row, bool *has_unit)
{
    double x;
    char buffer[WS_POINT_CELL];
    ws_span rest, cell = ws_plan_point(plan, buffer, ws_row_cell(row, (int32_t)value->column));
    if (!ws_span_number(cell, &x, &rest))
        return NAN;
    const ws_unit *unit = rest.n ? ws_unit_find(rest) : NULL;
    *has_unit |= unit != NULL;
    return x * (unit ? unit->to_si : value->to_si);
}

static void add_step(tally *all, const seen *before, const seen *now)
{
    double rise = now->joules - before->joules, seconds = ((double)now->t_ns - (double)before->t_ns) / 1e9;
    all->rises += rise > 0;
    all->falls += rise < 0;
    all->risen_j += fmax(rise, 0);
    all->sum_j += now->joules;
    all->largest_rise = fmax(all->largest_rise, rise);
    if (rise < 0) {
        all->smallest_fall = fmin(all->smallest_fall, -rise);
        all->largest_beginning = fmax(all->largest_beginning, now->joules);
    }
    if (seconds > 0) {
        all->seconds += seconds;
        all->power_j += (before->watts + now->watts) / 2 * seconds;
    }
}

static tally look_at(const ws_plan *plan, const ws_plan_value *value, const ws_trace_sample *sample)
{
    tally all = {.smallest_fall = INFINITY};
    const ws_plan_value *power = power_beside(plan, value);
    int64_t *t_ns = ws_trace_sample_stamps(plan, sample);
    uint32_t n;
    uint32_t *source = ws_trace_sample_sources(plan, sample, &n);
    seen *before = ws_alloc((n + 1) * sizeof *before);
    for (size_t i = 0; i < sample->n; i++) {
        bool any_unit = false;
        seen now = {.is_there = true, .t_ns = t_ns ? t_ns[i] : 0};
        now.joules = read_cell(plan, value, sample->rows[i], &all.has_unit);
        now.watts = power ? read_cell(plan, power, sample->rows[i], &any_unit) : 0;
        if (isnan(now.joules) || now.joules == 0)
            continue;
        if (isnan(now.watts))
            now.watts = before[source[i]].watts;
        all.n++;
        if (before[source[i]].is_there)
            add_step(&all, &before[source[i]], &now);
        else
            all.devices++;
        before[source[i]] = now;
    }
    free(before);
    free(source);
    free(t_ns);
    return all;
}

/* It never falls and rises often, or a few times by what it is rounded to. */
static bool only_grows(const tally *all)
{
    size_t steps = all->n - all->devices;
    return !all->falls && steps >= WS_TOTAL_LEAST_STEPS * all->devices &&
           (all->rises * 2 >= steps || all->rises >= WS_TOTAL_LEAST_STEPS);
}

/* It falls now and then, deeper than it ever rises, to what a step or two collect: a wrap or a reset. */
static bool begins_again(const tally *all)
{
    return all->falls && all->rises >= WS_TOTAL_RISES_A_FALL * all->falls && all->smallest_fall > all->largest_rise &&
           all->largest_beginning <= 2 * all->largest_rise;
}

static bool is_near(double joules, const tally *all)
{
    return joules < all->power_j * WS_ENERGY_NEAR && joules > all->power_j / WS_ENERGY_NEAR;
}

/* Why a column is a running total; NULL: it is not, or nothing says so. */
static const char *reason_for_total(const tally *all, bool has_unit)
{
    bool has_power = all->power_j > 0;
    bool total_fits = has_power && is_near(all->risen_j, all), rows_fit = has_power && is_near(all->sum_j, all);
    if (total_fits != rows_fit)
        return total_fits ? "as the power beside it agrees with its rise" : NULL;
    if (begins_again(all))
        return "since it falls only to begin again";
    if (only_grows(all))
        return "since it only grows";
    bool is_too_much =
        all->sum_j > WS_ENERGY_MOST_W * all->seconds || (has_power && all->sum_j > all->power_j * WS_ENERGY_FAR_ABOVE);
    return has_unit && !all->falls && all->seconds > 0 && is_too_much ? "since nothing draws so much in every row"
                                                                      : NULL;
}

/* An energy without unit that is far off the power beside it is in another unit, often kWh. */
static void compare_with_power(const ws_plan *plan, const ws_plan_context *context, ws_plan_value *energy,
                               const tally *all)
{
    double ratio = (energy->is_counter ? all->risen_j : all->sum_j) / all->power_j;
    if (!(all->power_j > 0) || !(ratio > WS_ENERGY_FAR || (ratio > 0 && ratio < 1 / WS_ENERGY_FAR)))
        return;
    energy->meaning.preference = WS_DOUBTFUL;
    ws_notes_add(context->notes, WS_FINDING_IMPLAUSIBLE_ENERGY, context->source, energy->name, plan->line,
                 "read as J, '%s' is %.1e times what '%s' comes to, so the power is taken: its unit may be kWh",
                 energy->name, ratio, power_beside(plan, energy)->name);
}

/* A column that stands still says nothing by itself: a logger writes all of its energies alike. */
static bool is_one_of_totals(const ws_plan *plan, const ws_plan_value *value, const tally *all)
{
    for (size_t i = 0; i < plan->n_values && !all->rises && !all->falls && all->n; i++) {
        const ws_plan_value *other = &plan->values[i];
        if (is_bare(other) && other->is_counter && other->meaning.unit == value->meaning.unit)
            return true;
    }
    return false;
}

/* NVML counts in millijoules, and loggers that write its number leave the unit out. */
static void settle_unit(const ws_plan *plan, const ws_plan_context *context, ws_plan_value *energy, const tally *all)
{
    double watts = (energy->is_counter ? all->risen_j : all->sum_j) / all->seconds;
    bool is_gpu = energy->meaning.domain == WS_GPU && plan->is_about_gpus;
    bool may_be_another = is_gpu && all->seconds > 0 && energy->meaning.preference != WS_DOUBTFUL;
    if (!may_be_another || (energy->is_counter && all->falls) || !(watts > WS_GPU_MOST_W))
        return;
    bool is_micro = watts * 1e-3 > WS_GPU_MOST_W;
    energy->to_si *= is_micro ? 1e-6 : 1e-3;
    ws_notes_add(context->notes, WS_FINDING_IMPLAUSIBLE_UNIT, context->source, energy->name, plan->line,
                 "in J, '%s' would mean %.4g W, so it is read as %s (a unit in its name ends the question)",
                 energy->name, watts, is_micro ? "uJ" : "mJ");
}

static void assume(const ws_plan *plan, const ws_plan_context *context, ws_plan_value *value, const tally *all,
                   const char *why_total)
{
    if (!why_total && is_one_of_totals(plan, value, all))
        why_total = "as another energy of the file is";
    value->is_counter = why_total != NULL;
    ws_notes_add(context->notes, WS_FINDING_ASSUMED_ENERGY, context->source, value->name, plan->line,
                 "'%s' is read as %s%s", value->name, why_total ? "a running total, " : "the energy of each row",
                 why_total ? why_total : "");
}

void ws_plan_settle_energies(ws_plan *plan, const ws_plan_context *context, const ws_trace_sample *sample)
{
    tally *all = ws_alloc((plan->n_values + 1) * sizeof *all);
    const char **why = ws_alloc((plan->n_values + 1) * sizeof *why);
    for (size_t i = 0; i < plan->n_values; i++) {
        ws_plan_value *value = &plan->values[i];
        if (ws_is_energy(value->meaning.quantity))
            all[i] = look_at(plan, value, sample);
        if (is_bare(value))
            value->is_counter = (why[i] = reason_for_total(&all[i], value->meaning.unit || all[i].has_unit)) != NULL;
    }
    for (size_t i = 0; i < plan->n_values; i++) {
        ws_plan_value *value = &plan->values[i];
        bool needs_unit = ws_is_energy(value->meaning.quantity) && !value->meaning.unit && !all[i].has_unit;
        if (is_bare(value))
            assume(plan, context, value, &all[i], why[i]);
        if (is_bare(value) && needs_unit)
            compare_with_power(plan, context, value, &all[i]);
        if (needs_unit)
            settle_unit(plan, context, value, &all[i]);
    }
    free(why);
    free(all);
}
