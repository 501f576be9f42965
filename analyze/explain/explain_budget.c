/* As core/budget.c adds: standard uncertainties of the devices of a domain in quadrature, but for their common sensor;
 * of domains always; bounds linearly. */
#include "analyze/explain/explain_budget.h"

#include <math.h>
#include <string.h>

/* Which number of a component (ws_open). */
typedef enum open_side { OPEN_U, OPEN_LO, OPEN_HI } open_side;

static double side_of(const ws_budget *budget, ws_component component, open_side side)
{
    const ws_open *open = &budget->of[component];
    return side == OPEN_U ? open->u_j : side == OPEN_LO ? open->lo_j : open->hi_j;
}

static bool holds(const ws_step *step)
{
    double result = ws_step_result(step);
    return step->parts.n && memcmp(&result, &step->value, sizeof result) == 0;
}

/* What adds more than the parts, such as time that other files of the run cover, is said and not invented: the parts
 * stand beside the number then. */
static ws_step *settle(ws_step *step, ws_arena *arena)
{
    if (holds(step))
        return step;
    step->kind = WS_STEP_READ;
    step->beside = step->parts;
    step->parts = (ws_step_list){0};
    if (step->beside.n)
        ws_step_say(arena, step, "with what these leave out of the run's time");
    return step;
}

static ws_step *explain_device(const ws_history_device *d, ws_component component, open_side side, ws_arena *arena)
{
    const char *name = *d->node ? ws_arena_printf(arena, "%s %s", d->node, d->device) : d->device;
    ws_step *step = ws_step_new(arena, WS_STEP_READ, name, side_of(&d->budget, component, side), "J");
    ws_step_fact_text(arena, step, "file", d->source);
    return step;
}

static ws_step *explain_domain(const ws_run_history *run, ws_domain domain, ws_component component, open_side side,
                               ws_arena *arena)
{
    bool is_squared = side == OPEN_U && component != WS_COMPONENT_SENSOR;
    ws_step *step = ws_step_new(arena, is_squared ? WS_STEP_QUADRATURE : WS_STEP_SUM, ws_domain_name(domain),
                                side_of(&run->domain_budget[domain], component, side), "J");
    for (size_t i = 0; i < run->n_devices; i++) {
        const ws_history_device *d = &run->devices[i];
        if (d->domain == domain && d->counts && !isnan(d->energy.energy_j))
            ws_step_add_part(arena, step, explain_device(d, component, side, arena));
    }
    return settle(step, arena);
}

/* "sampling", "edges_hi": of all domains that count. */
static ws_step *explain_component(const ws_run_history *run, ws_component component, open_side side, ws_arena *arena)
{
    static const char *const methods[WS_COMPONENT_N] = {
        [WS_COMPONENT_SAMPLING] = "the power between the samples",
        [WS_COMPONENT_SENSOR] = "gain and offset of the sensors",
        [WS_COMPONENT_GAPS] = "the power in long gaps",
        [WS_COMPONENT_EDGES] = "before the first reading and after the last one",
        [WS_COMPONENT_CLOCK] = "steps of the clock",
        [WS_COMPONENT_COUNTER] = "rounds that counters may hide, and stuck and reset ones"};
    const char *end = side == OPEN_U ? "u" : side == OPEN_LO ? "lo" : "hi";
    ws_step *step = ws_step_new(arena, side == OPEN_U ? WS_STEP_QUADRATURE : WS_STEP_SUM,
                                ws_arena_printf(arena, "%s_%s_j", ws_component_name(component), end),
                                side_of(&run->budget, component, side), "J");
    ws_step_say(arena, step, "%s", methods[component]);
    for (int d = 0; d < WS_DOMAIN_N && step->value != 0; d++) {
        if (!ws_explain_counts_domain(run, (ws_domain)d))
            continue;
        ws_step *domain = explain_domain(run, (ws_domain)d, component, side, arena);
        if (domain->parts.n + domain->beside.n)
            ws_step_add_part(arena, step, domain);
    }
    return settle(step, arena);
}

static ws_step *explain_u(const ws_run_history *run, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_QUADRATURE, "u_j", NAN, "J");
    ws_step_say(arena, step, "standard uncertainty: sampling and sensor in quadrature");
    ws_step_add_part(arena, step, explain_component(run, WS_COMPONENT_SAMPLING, OPEN_U, arena));
    ws_step_add_part(arena, step, explain_component(run, WS_COMPONENT_SENSOR, OPEN_U, arena));
    step->value = ws_step_result(step);
    return step;
}

static ws_step *explain_bounds(const ws_run_history *run, open_side side, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_SUM, "bounds_j", NAN, "J");
    ws_step_say(arena, step, "hard bounds add linearly");
    for (int c = WS_COMPONENT_GAPS; c < WS_COMPONENT_N; c++)
        ws_step_add_part(arena, step, explain_component(run, (ws_component)c, side, arena));
    step->value = ws_step_result(step);
    return step;
}

/* lo_j or hi_j, the ends of the 95 % interval; an end that stands at the energy or at zero has no formula. */
static ws_step *explain_end(const ws_run_history *run, open_side side, ws_arena *arena)
{
    double lo_j, hi_j, energy_j = NAN;
    ws_step *energy = ws_explain_energy(run, arena);
    if (!energy)
        return NULL;
    energy_j = energy->value;
    ws_budget_interval(&run->budget, energy_j, &lo_j, &hi_j);
    ws_step *step =
        ws_step_new(arena, WS_STEP_FORMULA, side == OPEN_LO ? "lo_j" : "hi_j", side == OPEN_LO ? lo_j : hi_j, "J");
    step->formula = side == OPEN_LO ? "energy_j + bounds_j - 1.959963984540054 * u_j"
                                    : "energy_j + bounds_j + 1.959963984540054 * u_j";
    ws_step_add_part(arena, step, energy);
    ws_step_add_part(arena, step, explain_bounds(run, side, arena));
    ws_step_add_part(arena, step, explain_u(run, arena));
    if (holds(step))
        return step;
    step = settle(step, arena);
    step->formula = NULL;
    ws_step_say(arena, step, "the interval holds the energy, and ends at zero");
    return step;
}

static ws_step *in_kwh(ws_step *of, const char *name, double value, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, name, value, "kWh");
    if (!of)
        return NULL;
    step->formula = ws_arena_printf(arena, "%s / 3600000", of->name);
    ws_step_add_part(arena, step, of);
    return holds(step) ? step : NULL;
}

static ws_step *explain_half_width(const ws_run_history *run, const char *name, double value, ws_arena *arena)
{
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, name, value, "kWh");
    ws_step *lo = explain_end(run, OPEN_LO, arena), *hi = explain_end(run, OPEN_HI, arena);
    if (!lo || !hi)
        return NULL;
    step->formula = "(hi_j - lo_j) / (2 * 1.959963984540054) / 3600000";
    ws_step_say(arena, step, "half of the 95 %% interval over 1.96: docs/methods.md, \"Uncertainty\"");
    ws_step_add_part(arena, step, hi);
    ws_step_add_part(arena, step, lo);
    return holds(step) ? step : NULL;
}

/* A bound is printed as the energy that it allows. */
static ws_step *explain_bound(const ws_run_history *run, ws_component component, open_side side, const char *name,
                              double value, ws_arena *arena)
{
    ws_step *energy = ws_explain_energy(run, arena), *open = explain_component(run, component, side, arena);
    ws_step *step = ws_step_new(arena, WS_STEP_FORMULA, name, value, "kWh");
    if (!energy)
        return NULL;
    step->formula = ws_arena_printf(arena, "(energy_j + %s) / 3600000", open->name);
    ws_step_add_part(arena, step, energy);
    ws_step_add_part(arena, step, open);
    return holds(step) ? step : NULL;
}

ws_step *ws_explain_budget(const ws_run_history *run, ws_run_column column, double value, ws_arena *arena)
{
    static const struct {
        ws_run_column column;
        ws_component component;
        open_side side;
    } components[] = {
        {WS_COL_SAMPLING_U, WS_COMPONENT_SAMPLING, OPEN_U}, {WS_COL_SENSOR_U, WS_COMPONENT_SENSOR, OPEN_U},
        {WS_COL_GAPS_LO, WS_COMPONENT_GAPS, OPEN_LO},       {WS_COL_GAPS_HI, WS_COMPONENT_GAPS, OPEN_HI},
        {WS_COL_EDGES_LO, WS_COMPONENT_EDGES, OPEN_LO},     {WS_COL_EDGES_HI, WS_COMPONENT_EDGES, OPEN_HI},
        {WS_COL_CLOCK_LO, WS_COMPONENT_CLOCK, OPEN_LO},     {WS_COL_CLOCK_HI, WS_COMPONENT_CLOCK, OPEN_HI},
        {WS_COL_COUNTER_LO, WS_COMPONENT_COUNTER, OPEN_LO}, {WS_COL_COUNTER_HI, WS_COMPONENT_COUNTER, OPEN_HI}};
    const char *name = ws_run_column_about(column)->name;
    if (!run->has_budget)
        return NULL;
    if (column == WS_COL_ENERGY_U)
        return explain_half_width(run, name, value, arena);
    if (column == WS_COL_ENERGY_LO || column == WS_COL_ENERGY_HI)
        return in_kwh(explain_end(run, column == WS_COL_ENERGY_LO ? OPEN_LO : OPEN_HI, arena), name, value, arena);
    for (size_t i = 0; i < sizeof components / sizeof *components; i++)
        if (components[i].column == column && components[i].side == OPEN_U)
            return in_kwh(explain_component(run, components[i].component, OPEN_U, arena), name, value, arena);
        else if (components[i].column == column)
            return explain_bound(run, components[i].component, components[i].side, name, value, arena);
    return NULL;
}
