/* Whether some first rows of a trace settle its plan for good; see trace_plan.h. */
#include "formats/table/trace_plan.h"

/* Forms that no later stamp puts in doubt: neither day before month, nor time that may count from the trace's start. */
static bool has_certain_stamps(const ws_plan *plan)
{
    return plan->time >= 0 && plan->date < 0 &&
           (plan->stamps.form == WS_STAMP_YMD || plan->stamps.form == WS_STAMP_EPOCH);
}

/* Several devices that come back are told apart. One alone may be the only one, or the first of a column that says
 * nothing: only an address is certain then. */
static bool has_certain_devices(const ws_plan *plan, const ws_trace_sample *sample)
{
    ws_role role = plan->identity;
    if (plan->is_wide || plan->positions > 1 || role == WS_ROLE_UNKNOWN || role == WS_ROLE_NAME)
        return false;
    size_t n = ws_trace_sample_count(sample, plan->ids[role]);
    return n < sample->n && (n > 1 || role == WS_ROLE_UUID || role == WS_ROLE_BUS);
}

/* A GPU draws what some reading says in the unit of its column, or a unit is written beside it. */
static bool has_usual_reading(const ws_plan_value *value, const ws_trace_sample *sample)
{
    for (size_t i = 0; i < sample->n; i++) {
        double number;
        ws_span rest;
        if (ws_span_number(ws_row_cell(sample->rows[i], (int32_t)value->column), &number, &rest) &&
            (ws_unit_find(rest) || (number * value->to_si >= WS_GPU_LEAST_W && number * value->to_si <= WS_GPU_MOST_W)))
            return true;
    }
    return false;
}

static bool has_certain_unit(const ws_plan_value *value, const ws_trace_sample *sample)
{
    switch (value->meaning.quantity) {
    case WS_POWER:
        return value->unit_is_given || value->meaning.domain != WS_GPU || has_usual_reading(value, sample);
    case WS_ENERGY_INTERVAL:
        return value->meaning.names_energy && value->meaning.unit;
    case WS_ENERGY_COUNTER: /* which may stand still for long */
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
        !has_certain_devices(plan, sample))
        return false;
    for (size_t v = 0; v < plan->n_values; v++)
        if (!has_certain_unit(&plan->values[v], sample))
            return false;
    return true;
}
