/* The power of a device over a run as a piecewise linear function of time, whose energy is known in closed form. */
#ifndef WS_SYNTH_POWER_PROFILE_H
#define WS_SYNTH_POWER_PROFILE_H

#include <stddef.h>

typedef struct ws_synth_profile {
    size_t n;         /* knots, in order of time; at least two */
    double *t_s;      /* from 0 to the length of the run */
    double *power_w;  /* linear between the knots */
    double *energy_j; /* integral from 0 to each knot */
} ws_synth_profile;

/* Training: `rounds` plateaus, each reached by a ramp and followed by a dip for the validation. `depth` is the depth of
 * the dips as a share of the plateau; the time mean of the power is `mean_w`. */
void ws_synth_profile_training(ws_synth_profile *profile, double wall_s, int rounds, double mean_w, double depth);

/* The same with steep flanks: the power falls to a base line after each round and comes back at once. */
void ws_synth_profile_base_line(ws_synth_profile *profile, double wall_s, int rounds, double mean_w, double depth);
void ws_synth_profile_free(ws_synth_profile *profile); /* leaves an empty profile */

/* Both are constant before 0 and after the last knot. */
double ws_synth_profile_power(const ws_synth_profile *profile, double t_s);  /* W */
double ws_synth_profile_energy(const ws_synth_profile *profile, double t_s); /* J from 0 to t_s */

#endif
