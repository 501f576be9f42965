#include "core/budget.h"

#include <math.h>

const char *ws_component_name(ws_component component)
{
    static const char *const names[WS_COMPONENT_N] = {
        [WS_COMPONENT_SAMPLING] = "sampling", [WS_COMPONENT_SENSOR] = "sensor", [WS_COMPONENT_GAPS] = "gaps",
        [WS_COMPONENT_EDGES] = "edges",       [WS_COMPONENT_CLOCK] = "clock",   [WS_COMPONENT_COUNTER] = "counter"};
    return names[component];
}

void ws_budget_add(ws_budget *into, const ws_budget *from, bool same_sensors)
{
    for (int i = 0; i < WS_COMPONENT_N; i++) {
        ws_open *to = &into->of[i];
        const ws_open *more = &from->of[i];
        bool is_common = i == WS_COMPONENT_SENSOR && same_sensors;
        to->u_j = is_common ? to->u_j + more->u_j : hypot(to->u_j, more->u_j);
        to->lo_j += more->lo_j;
        to->hi_j += more->hi_j;
    }
}

void ws_budget_scale(ws_budget *budget, double factor)
{
    for (int i = 0; i < WS_COMPONENT_N; i++) {
        ws_open *open = &budget->of[i];
        *open = (ws_open){open->u_j * factor, open->lo_j * factor, open->hi_j * factor};
    }
}

void ws_budget_leave_out(ws_budget *b, double time_s, double least_w, double most_w)
{
    if (!(time_s > 0) || !(least_w <= most_w))
        return;
    b->of[WS_COMPONENT_EDGES].lo_j += time_s * least_w;
    b->of[WS_COMPONENT_EDGES].hi_j += time_s * most_w;
}

static void interval(const ws_open *open, double energy_j, double *lo_j, double *hi_j)
{
    *lo_j = fmin(energy_j, energy_j + open->lo_j - WS_COVER_95 * open->u_j);
    *hi_j = fmax(energy_j, energy_j + open->hi_j + WS_COVER_95 * open->u_j);
    if (energy_j >= 0)
        *lo_j = fmax(0, *lo_j);
    if (isnan(energy_j))
        *lo_j = *hi_j = energy_j;
}

void ws_budget_interval(const ws_budget *budget, double energy_j, double *lo_j, double *hi_j)
{
    ws_open all = {0};
    for (int i = 0; i < WS_COMPONENT_N; i++) {
        all.u_j = hypot(all.u_j, budget->of[i].u_j);
        all.lo_j += budget->of[i].lo_j;
        all.hi_j += budget->of[i].hi_j;
    }
    interval(&all, energy_j, lo_j, hi_j);
}

/* Bounds alone may leave out the energy that was measured. */
void ws_budget_interval_of(const ws_budget *budget, ws_component one, double energy_j, double *lo_j, double *hi_j)
{
    const ws_open *open = &budget->of[one];
    *lo_j = energy_j + open->lo_j - WS_COVER_95 * open->u_j;
    *hi_j = energy_j + open->hi_j + WS_COVER_95 * open->u_j;
}
