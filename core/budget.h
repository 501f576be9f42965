/* The uncertainty budget of an energy: what is not known of it, by component.
 *
 * Sampling and sensor are standard uncertainties (k = 1) and add in quadrature. Gaps, edges, clock and counter are hard
 * bounds: nothing says where between them the energy lies, so that they add linearly. The 95 % interval of an energy E
 * reaches from E + (sum of lower bounds) - 1.96 u to E + (sum of upper bounds) + 1.96 u, with u of both standard
 * uncertainties (JCGM 100:2008, 5.1.2 and G; bounds beside them: ours). docs/methods.md, "Uncertainty", has the method
 * and the assumption of each component. */
#ifndef WS_CORE_BUDGET_H
#define WS_CORE_BUDGET_H

#include <stdbool.h>

typedef enum ws_component {
    WS_COMPONENT_SAMPLING = 0, /* the power between the samples; independent from device to device */
    WS_COMPONENT_SENSOR,       /* gain and offset of the sensor; common to the devices of a domain and to repeats */
    WS_COMPONENT_GAPS,         /* the power in long gaps */
    WS_COMPONENT_EDGES,        /* before the first reading and after the last one */
    WS_COMPONENT_CLOCK,        /* steps of the clock that were no time, or time that they hide */
    WS_COMPONENT_COUNTER,      /* whole rounds, stuck and reset counters */
    WS_COMPONENT_N
} ws_component;

const char *ws_component_name(ws_component component); /* "sampling sensor gaps edges clock counter" */

/* One component, in J. u_j is 0 for bounds; lo_j and hi_j are 0 for standard uncertainties. The true energy lies
 * between E + lo_j and E + hi_j as far as this component goes: lo_j may be above 0, as where a window goes on behind
 * the last reading. */
typedef struct ws_open {
    double u_j, lo_j, hi_j;
} ws_open;

typedef struct ws_budget {
    ws_open of[WS_COMPONENT_N];
} ws_budget;

/* Half of the width of a 95 % interval in standard uncertainties. */
#define WS_COVER_95 1.959963984540054

/* The budget of a sum of energies. Domains have sensors of their own kinds: `same_sensors` is false between them. */
void ws_budget_add(ws_budget *into, const ws_budget *from, bool same_sensors);
void ws_budget_scale(ws_budget *budget, double factor); /* of the energy times `factor`, not negative */

/* Time that the readings leave out, in which the device drew between these powers; nothing where they are not known. */
void ws_budget_leave_out(ws_budget *budget, double time_s, double least_w, double most_w);

/* The 95 % interval of the energy; it holds the energy, and no value below zero unless the energy is one. NaN where the
 * energy is. `one`: of a component alone. */
void ws_budget_interval(const ws_budget *budget, double energy_j, double *lo_j, double *hi_j);
void ws_budget_interval_of(const ws_budget *budget, ws_component one, double energy_j, double *lo_j, double *hi_j);

#endif
