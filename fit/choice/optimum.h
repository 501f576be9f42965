/* How many devices? From curves of time and energy against their number. */
#ifndef WS_FIT_OPTIMUM_H
#define WS_FIT_OPTIMUM_H

#include "core/status.h"

#include <stddef.h>

typedef struct ws_optimum_input {
    double (*time_h)(const void *state, double devices);     /* above zero; NaN: no answer there */
    double (*energy_kwh)(const void *state, double devices); /* NaN: not known there; or NULL */
    const void *state;
    double power_kw;               /* of one device; without energy_kwh a run needs power_kw * devices * time_h */
    size_t step;                   /* devices come in multiples of this (those of a node), at least 1 */
    size_t most;                   /* the largest number considered, up to WS_OPTIMUM_MOST */
    double deadline_h, budget_kwh; /* INFINITY: none */
} ws_optimum_input;
enum { WS_OPTIMUM_MOST = 10000000 };

/* Numbers of devices; 0 where there is none. */
typedef struct ws_optimum {
    size_t fewest_in_time;           /* with time <= deadline */
    size_t most_in_budget;           /* with energy <= budget */
    size_t feasible_lo, feasible_hi; /* fewest and most that keep both */
    size_t least_time, least_energy;
    size_t least_edp, least_ed2p; /* energy * time, energy * time^2; of equal ones the fewest */
    double edp_kwh_h, ed2p_kwh_h2;
    double shortest_h, least_kwh;
    char sentence[400];
} ws_optimum;

/* Tries every number; one whose energy is not known answers for time alone. For a deadline with a risk, let time_h be
 * the upper end of a prediction interval. */
ws_status ws_find_optimum(const ws_optimum_input *in, ws_optimum *optimum, ws_error *error);

#endif
